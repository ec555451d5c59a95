# SPDX-License-Identifier: Apache-2.0
"""A soft tendon arm that reaches a point: pulls from its statics, then a run that shows the arm gets there."""
from pathlib import Path

import numpy as np

import appell

MODELS = Path(__file__).resolve().parents[2] / "models"
model = appell.load(MODELS / "tendon-arm.yaml")
state = model.state()
print("inputs:", ", ".join(model.inputs))
pulls = [model.inputs.index(n) for n in ("pull-a", "pull-b", "pull-c")]


# 1. Where the tip rests under given pulls: the equilibrium near the last one.
def rest(u):
    state.u[:] = 0.0
    state.u[pulls] = u
    state.equilibrium()
    return state.pose("lower.tip")[:3, 3].copy()


# 2. A point that can be reached, 3 cm aside from where the arm hangs, and the pulls for it: Gauss and Newton
#    with differences; tendons only pull.
home = rest(np.full(3, 1.0))
target = home + [0.03, 0.01, 0.0]
u = np.full(3, 1.0)
for _ in range(20):
    at = rest(u)
    if np.linalg.norm((target - at)[:2]) < 1e-5:
        break
    J = np.array([(rest(u + 0.05 * e) - at) / 0.05 for e in np.eye(3)]).T[:2]
    u = np.clip(u + np.linalg.pinv(J) @ (target - at)[:2], 0.0, 8.0)
print(f"pulls {u.round(3)} N hold the tip {1e3 * np.linalg.norm((target - rest(u))[:2]):.3f} mm from the point")

# 3. The dynamics: pulls rise within four seconds, slowly against its swings.
full = np.zeros(len(model.inputs))
full[pulls] = u
result = model.run(to=8, every=0.05, control=lambda t, s: full * min(t / 4, 1.0), control_every=0.02, record=["lower.tip"])
end = np.array([result[f"lower.tip.position.{x}"][-1] for x in "xyz"])
print(f"after 8 s the tip is {1e3 * np.linalg.norm((target - end)[:2]):.2f} mm away")
assert np.linalg.norm((target - end)[:2]) < 3e-3
