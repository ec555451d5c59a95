# SPDX-License-Identifier: Apache-2.0
"""A quadruped that stands and walks: springs and dampers on its joints about angles that a trot moves."""
from pathlib import Path

import numpy as np

import appell

MODELS = Path(__file__).resolve().parents[2] / "models"
# 1. The model has springs in its joints; here efforts take their place.
model = appell.load(MODELS / "quadruped.yaml", set={"*_*.joint.stiffness": 0, "*_*.joint.damping": 0.2})
legs, phase = ("fl", "fr", "rl", "rr"), {"fl": 0.0, "rr": 0.0, "fr": 0.5, "rl": 0.5}  # a trot: diagonal pairs
joint = {n: model.velocities.index(f"{n}.joint.angle") for leg in legs for n in (f"{leg}_hip", f"{leg}_thigh", f"{leg}_calf")}


# 2. Angles of a leg: it stands at 0.7 and -1.4 rad; in its half of the period it is lifted and swung forward.
def angles(leg, t, swing):
    s = (1.6 * t + phase[leg]) % 1.0
    air = np.sin(2 * np.pi * s) if s < 0.5 else 0.0
    return 0.0, 0.7 + swing * np.cos(2 * np.pi * s), -1.4 - 0.45 * (swing > 0) * air


def controller(swing):
    def control(t, state):
        for leg in legs:
            for part, angle in zip(("hip", "thigh", "calf"), angles(leg, t, swing)):
                k = joint[f"{leg}_{part}"]
                at, speed = state[f"{leg}_{part}.joint.angle"], state.v[k]
                state.tau[k] = np.clip(60 * (angle - at) - 2 * speed, -30, 30)
    return control


# 3. It stands: after a second nothing moves.
system = model.system()
stand = system.run(1.5, every=0.02, control=controller(0.0), control_every=1e-3)
height = stand["trunk.joint.z"][-1]
print(f"it stands {height:.3f} m high, its trunk moves at {abs(stand['trunk.joint.vz.rate'][-1]):.1e} m/s")
assert height > 0.2

# 4. It walks on from there.
walk = system.run(6, every=0.02, control=controller(0.16), control_every=1e-3)
way = walk["trunk.joint.x"][-1] - walk["trunk.joint.x"][0]
low = walk["trunk.joint.z"].min()
print(f"in {walk.time[-1] - walk.time[0]:.1f} s it walks {way:.2f} m; its trunk is never below {low:.3f} m")
assert abs(way) > 0.15 and low > 0.15
