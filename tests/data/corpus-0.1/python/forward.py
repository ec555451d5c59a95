"""A robot with loops in version 0.1: forward() was that of the open tree."""
import sys

import appell

state = appell.load(sys.argv[1] + "/delta.yaml").state()
print(state.forward()[-1])
