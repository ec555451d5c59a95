"""A run, its channels and its result file."""
import sys

import appell

model = appell.load(sys.argv[1] + "/double-pendulum.yaml", set={"gravity": [0, 0, -1.6]})
result = model.run(to=0.2, every=0.05)
print(len(result.time), result["upper.joint.angle"][-1])
print(appell.read_result(sys.argv[2])["upper.joint.angle"][-1])
