#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Balance two rods on a cart: linearize, design an LQR, run it against the whole robot (# %% opens a cell).

    make release && PYTHONPATH=build/release/python /usr/bin/python3 python/examples/balance.py [PAGE.html]
"""
# %% Where the rods stand upright nothing moves: there the robot is linear.
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import appell

Matrix = NDArray[np.float64]

model = appell.load(Path(__file__).resolve().parents[2] / "models" / "balancing-cart.yaml")
system = model.system()
system.state.q[:] = 0.0
linear = system.linearize()
print("states:", ", ".join(linear.states))
print("poles:", np.round(linear.poles, 3), "1/s: two of them fall")


# %% The gains that lose least: minimise the integral of x Q x + u R u. The stable half of the eigenvectors of the
#    Hamiltonian spans (1; P) with P the solution of Riccati's equation.
def lqr(A: Matrix, B: Matrix, Q: Matrix, R: Matrix) -> Matrix:
    n = len(A)
    RiB = np.linalg.solve(R, B.T)
    values, vectors = np.linalg.eig(np.block([[A, -B @ RiB], [-Q, -A.T]]))
    stable = vectors[:, values.real < 0]
    assert stable.shape[1] == n, "the pair A, B cannot be stabilised"
    P = np.real(stable[n:] @ np.linalg.inv(stable[:n]))
    gains: Matrix = RiB @ P
    return gains


K = lqr(linear.A, linear.B, np.diag([10.0, 50.0, 50.0, 1.0, 1.0, 1.0]), np.array([[0.1]]))
print("gains:", K.round(2))
print("closed loop:", np.round(np.linalg.eigvals(linear.A - linear.B @ K), 3), "1/s")


# %% The whole robot, not the linear one, from 4 and 6 degrees off, with a controller every 5 ms and 40 N at most.
def balance(t: float, state: appell.State) -> None:
    x = np.concatenate([state.q, state.v])
    state.u = np.clip(-K @ x, -40.0, 40.0)


result = model.run(to=6, control=balance, control_every=5e-3)
tip = np.degrees(np.abs([result["lower.joint.angle"][-1], result["upper.joint.angle"][-1]])).max()
far = np.abs(result["cart.joint.position"]).max()
print(f"after 6 s the rods lean by {tip:.4f} deg, the cart went as far as {far:.2f} m")
assert tip < 0.1, "it fell"

# %% See it.
if len(sys.argv) > 1:
    result.page(sys.argv[1])
    print("wrote", sys.argv[1])
