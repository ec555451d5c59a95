# SPDX-License-Identifier: Apache-2.0
"""A mobile manipulator: a SCARA arm on wheels drives a curve while its arm keeps moving, all by computed torque."""
from pathlib import Path

import numpy as np

import appell

MODELS = Path(__file__).resolve().parents[2] / "models"
model = appell.load(MODELS / "mobile-scara.yaml")
names = list(model.velocities)
print("velocities:", ", ".join(names))

# 1. The base rolls without slip, so it has two velocities: speed and turn. With those of the arm they are all
#    that can be driven, and all of them are: efforts act on velocities.
base = [names.index(n) for n in names if n.endswith((".speed", ".turn"))]
arm = [k for k in range(len(names)) if k not in base]


def wanted(t):
    v, a = np.zeros(len(names)), np.zeros(len(names))
    v[base[0]], a[base[0]] = 0.4 * (1 - np.exp(-2 * t)), 0.8 * np.exp(-2 * t)
    v[base[1]], a[base[1]] = 0.5 * np.sin(t), 0.5 * np.cos(t)
    for i, k in enumerate(arm):
        size = 0.3 if i < 2 else 0.03
        v[k], a[k] = size * np.sin(2 * t), 2 * size * np.cos(2 * t)
    return v, a


# 2. a = a_d + 20 (v_d - v), then the efforts for it.
planner = model.state()
planner.u[:] = 0.0  # the efforts alone drive the robot, not the inputs of its file


def control(t, state):
    v, a = wanted(t)
    planner.q, planner.v = state.q, state.v
    planner.a = a + 20 * (v - state.v)
    state.tau = planner.inverse()


system = model.system()
system.release()
system.state.u[:] = 0.0
result = system.run(4, every=0.02, control=control, control_every=2e-3)
error = max(abs(result[n + ".rate"][-1] - x) for n, x in zip(names, wanted(4)[0]))
x, y = (result[n][-1] - result[n][0] for n in model.coordinates[:2])
print(f"the base went to ({x:.2f}, {y:.2f}) m; velocities are within {error:.1e} of what was wanted")
assert error < 1e-2 and np.hypot(x, y) > 0.5
