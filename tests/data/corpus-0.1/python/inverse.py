"""Efforts of the open tree, taken for those of the robot."""
import sys

import appell

state = appell.load(sys.argv[1] + "/delta.yaml").state()
state.a[:] = 0.0
print(state.inverse())
