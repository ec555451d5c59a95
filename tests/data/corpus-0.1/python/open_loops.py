"""A system whose coordinates are written one by one; its first step closed the loops in silence."""
import sys

import appell

system = appell.load(sys.argv[1] + "/delta.yaml").system()
system.state["platform.joint.z"] = -0.75
system.step(0.01)
