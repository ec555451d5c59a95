# SPDX-License-Identifier: Apache-2.0
"""A URDF arm under computed torque: the arm follows a given motion, although it starts off it."""
from pathlib import Path

import numpy as np

import appell

MODELS = Path(__file__).resolve().parents[2] / "models"

# 1. Any URDF does; this one has two vertical axes and a slide.
model = appell.load(MODELS / "scara.urdf")
print("coordinates:", ", ".join(model.coordinates))

# 2. The motion to follow: q_d(t) = middle + size sin(w t), with its two derivatives.
middle, size, w = np.array([0.3, 0.8, -0.05]), np.array([0.6, 0.5, 0.04]), 3.0


def wanted(t):
    return (middle + size * np.sin(w * t), size * w * np.cos(w * t), -size * w * w * np.sin(w * t))


# 3. Computed torque: the accelerations that remove the error, then the efforts that make them. A second
#    state does the inverse dynamics, because it writes into its own arrays.
planner = model.state()
kp, kd = 400.0, 40.0


def control(t, state):
    q, v, a = wanted(t)
    planner.q, planner.v = state.q, state.v
    planner.a = a + kd * (v - state.v) + kp * (q - state.q)
    state.tau = planner.inverse()


# 4. Start 0.1 rad off and run for 3 s, with a controller every millisecond.
system = model.system()
system.state.q = wanted(0)[0] + [0.1, -0.1, 0.01]
result = system.run(3, every=0.01, control=control, control_every=1e-3)

names = model.coordinates
error = np.array([[result[n][i] - x for n, x in zip(names, wanted(t)[0])] for i, t in enumerate(result.time)])
print("largest error at the start, after 1 s:", np.abs(error[0]).max(), np.abs(error[result.time > 1]).max())
assert np.abs(error[result.time > 1]).max() < 1e-3  # what a controller of 1 ms leaves
