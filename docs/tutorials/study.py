# SPDX-License-Identifier: Apache-2.0
"""A study of 200 runs: how much does the end of a double pendulum scatter when its masses are known to 2 %?"""
from pathlib import Path

import numpy as np

import appell

MODELS = Path(__file__).resolve().parents[2] / "models"
random = np.random.default_rng(1)

# 1. Each run is the model file with other numbers: `set` takes their paths in the file.
ends = []
for k in range(200):
    factor = 1 + 0.02 * random.standard_normal(2)
    model = appell.load(MODELS / "double-pendulum.yaml", set={"upper.body.mass": factor[0], "lower.body.mass": 0.5 * factor[1]})
    result = model.run(to=1, every=0.1, record=["lower.tip"])
    ends.append([result["lower.tip.position.x"][-1], result["lower.tip.position.z"][-1]])
ends = np.array(ends)

# 2. What came out: mean, spread, and the run that ended farthest away.
mean, spread = ends.mean(axis=0), ends.std(axis=0)
far = np.linalg.norm(ends - mean, axis=1)
print(f"mean of the tip after 1 s: {mean.round(4)} m, standard deviation {(1e3 * spread).round(2)} mm")
print(f"farthest: run {far.argmax()}, {1e3 * far.max():.1f} mm away")
assert len(ends) == 200 and 0 < spread.max() < 0.1
