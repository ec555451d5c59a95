# SPDX-License-Identifier: Apache-2.0
"""Appell: dynamics of robots that bend, roll, slither and close on themselves.

    import appell
    model = appell.load("double-pendulum.yaml")
    state = model.state()                   # at the start values of the file
    print(state.forward(), state.mass_matrix())
    result = model.run(to=5)
    print(result["upper.joint.angle"])

SI units, radians, right-handed frames. The conventions are those of the C library: twists are (angular,
linear), wrenches (moment, force), efforts tau act on the quasi-velocities v.
"""
from ._base import Doubt, Error, Mistake, version
from .answers import (Assembly, Contacts, Energy, Equilibrium, Footing, ForwardDerivatives, InverseDerivatives, Mode,
                      Tendons)
from .env import Env
from .files import load, parse
from .model import Model
from .plot import Plot
from .result import Impact, Result, read_result
from .state import State
from .system import Linearization, System

__version__ = version()
__all__ = ["Assembly", "Contacts", "Doubt", "Energy", "Env", "Equilibrium", "Error", "Footing", "ForwardDerivatives", "Impact",
           "InverseDerivatives", "Linearization", "Mistake", "Mode", "Model", "Plot", "Result", "State", "System",
           "Tendons", "load", "parse", "read_result"]
