#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A double pendulum from Python, cell by cell (# %% opens a cell in Jupyter, Spyder and VS Code).

    make release && PYTHONPATH=build/release/python /usr/bin/python3 python/examples/double_pendulum.py
"""
# %% Load. Mistakes in a file come as an exception with file:line:column and a sentence.
from pathlib import Path

import numpy as np

import appell

model = appell.load(Path(__file__).resolve().parents[2] / "models" / "double-pendulum.yaml")
print(model)
print("coordinates:", ", ".join(f"{n} [{u}]" for n, u in zip(model.coordinates, model.coordinate_units)))
print("ports:", ", ".join(model.ports))

# %% The robot at one time. q, v, a, tau and u are views of the library's memory: write them, call, read them.
state = model.state()
print("let go at", np.degrees(state.q), "deg, it accelerates by", state.forward(), "rad/s^2")

M, bias = state.mass_matrix(), state.bias()
print("mass matrix:\n", M)
print("the same from M a + bias = 0:", np.linalg.solve(M, -bias))

state.a[:] = 0
print("efforts that hold it:", state.inverse(), "N m")

# %% Where is the tip, and how does it move?
state.v[:] = [1, -2]
print("tip at", state.pose("lower.tip")[:3, 3], "moves with", state.jacobian("lower.tip")[3:] @ state.v, "m/s")

# %% Let it swing: energy is audited along the way.
free = model.run(to=10)
print(free)
print(f"steps: {free.summary['steps']}, energy lost: {free.summary['energy.error.relative']:.1e} of what moved")

# %% Hold it up. A controller in Python, every 2 ms: computed torque, with the model itself as the robot's model.
ideal = model.state()


def upright(t: float, state: appell.State) -> None:
    ideal.q, ideal.v = state.q, state.v
    ideal.a = -16 * state.v - 64 * (state.q - [np.pi, 0])
    state.tau = ideal.inverse()


held = model.run(to=3, control=upright, control_every=2e-3)
print("after 3 s at", np.degrees([held[n][-1] for n in model.coordinates]), "deg")
print("the motors did", held["ledger.effort"][-1], "J of work")

# %% The same loop by hand, for those who bring their own.
system = model.system()
while system.time < 3 - 1e-9:
    upright(system.time, system.state)
    system.step(2e-3)
print("by hand:", np.degrees(system.state.q), "deg")

# %% Pictures, where matplotlib is installed.
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("no matplotlib, no picture")
else:
    figure, axes = plt.subplots(2, 1, sharex=False, constrained_layout=True)
    for result, axis, title in ((free, axes[0], "free"), (held, axes[1], "held up")):
        for name in model.coordinates:
            axis.plot(result.time, np.degrees(result[name]), label=name)
        axis.set(title=title, xlabel="time [s]", ylabel="angle [deg]")
        axis.legend()
    plt.show()
