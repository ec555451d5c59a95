# SPDX-License-Identifier: Apache-2.0
"""A Stewart platform along a path: leg lengths from the wanted pose, forces from springs on these lengths."""
from pathlib import Path

import numpy as np

import appell

MODELS = Path(__file__).resolve().parents[2] / "models"
model = appell.load(MODELS / "stewart.yaml")

# 1. Where the legs begin (in the world) and end (on the plate): ports know both.
system = model.system()
state = system.state
feet = np.array([state.pose(f"barrel{k}.root")[:3, 3] for k in range(1, 7)])
plate = state.pose("plate.root")
balls = np.array([plate[:3, :3].T @ (state.pose(f"plate.ball{k}")[:3, 3] - plate[:3, 3]) for k in range(1, 7)])
start = plate[:3, 3].copy()


# 2. The path of the plate: a circle of 4 cm that is entered smoothly; the plate stays level.
def place(t):
    r = 0.04 * (1 - np.exp(-4 * t * t))
    return start + [r * np.cos(np.pi * t), r * np.sin(np.pi * t), 0.02 * (1 - np.exp(-4 * t * t))]


def lengths(t):
    return np.linalg.norm(place(t) + balls - feet, axis=1)


legs = [f"piston{k}.joint.position" for k in range(1, 7)]
offset = lengths(0) - [state[n] for n in legs]  # where the piston's coordinate has its zero

# 3. Each leg is a spring and a damper about the length it should have, plus its share of the weight.
weight = 9.81 * model.mass / 6


def control(t, state):
    dt = 1e-4
    l = np.array([state[n] for n in legs]) + offset
    v = np.array([state[n + ".rate"] for n in legs])
    return weight + 1e5 * (lengths(t) - l) + 1.5e3 * ((lengths(t + dt) - lengths(t)) / dt - v)


result = system.run(3, every=0.02, control=control, control_every=1e-3, record=["plate.root"])
path = np.array([result[f"plate.root.position.{x}"] for x in "xyz"]).T
error = np.linalg.norm(path - [place(t) for t in result.time], axis=1)
print(f"the plate goes {np.ptp(path, axis=0).round(3)} m and stays within {1e3 * error.max():.2f} mm of the path")
assert error.max() < 4e-3 and np.ptp(path[:, 0]) > 0.07
