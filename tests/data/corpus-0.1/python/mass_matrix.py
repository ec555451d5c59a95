"""The mass matrix of the open tree."""
import sys

import appell

print(appell.load(sys.argv[1] + "/delta.yaml").state().mass_matrix())
