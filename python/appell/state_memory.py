# SPDX-License-Identifier: Apache-2.0
"""The numbers of a state, as views of the memory of the library and by name."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Tuple

import numpy as np

from ._base import Array, Error, doubles, status_text, unknown, view
from ._native import lib

if TYPE_CHECKING:
    from .model import Model

_AXES = {"world": lib.APL_WORLD_AXES, "port": lib.APL_PORT_AXES}


class StateMemory:
    """Coordinates, velocities, accelerations, efforts, inputs and aims; the part of State that holds its memory."""

    def __init__(self, model: Model, pointer: Any, owner: Any, kind: type = float):
        self.model = model
        self._state, self._owner, self._kind = pointer, owner, kind
        self._room: Any = None
        self._closing: Any = None
        self._assembled = True
        self._springs = False  # loops are springs, which belong to the tree
        self._left: Optional[Array] = None  # q and v as a run left them
        self._q = view(lib.apl_q(pointer), model.nq, kind, owner)
        self._v = view(lib.apl_v(pointer), model.nv, kind, owner)
        self._a = view(lib.apl_a(pointer), model.nv, kind, owner)
        self._tau = view(lib.apl_tau(pointer), model.nv, kind, owner)
        self._u = view(lib.apl_u(pointer), model.nu, kind, owner)
        self._aim = view(lib.apl_aim(pointer), 2 * model.nv, kind, owner)

    @property
    def q(self) -> Array:
        """Coordinates [nq].

            >>> state.q.round(4)
            array([0.5236])
        """
        return self._q

    @q.setter
    def q(self, value: Any) -> None:
        self._q[:] = value

    @property
    def v(self) -> Array:
        """Quasi-velocities [nv].

            >>> state.v = [1.0]
            >>> state.v
            array([1.])
        """
        return self._v

    @v.setter
    def v(self, value: Any) -> None:
        self._v[:] = value

    @property
    def a(self) -> Array:
        """Rates of v [nv]: what inverse() reads and forward() writes.

            >>> state.a = [2.0]
            >>> state.inverse().round(4)
            array([5.905])
        """
        return self._a

    @a.setter
    def a(self, value: Any) -> None:
        self._a[:] = value

    @property
    def tau(self) -> Array:
        """Efforts [nv]: what inverse() writes and forward() reads.

            >>> state.tau = [1.0]
            >>> state.forward().round(4)
            array([-7.81])
        """
        return self._tau

    @tau.setter
    def tau(self, value: Any) -> None:
        self._tau[:] = value

    @property
    def u(self) -> Array:
        """Inputs [nu].

            >>> state.u = [0.5]
            >>> state.u
            array([0.5])
        """
        return self._u

    @u.setter
    def u(self, value: Any) -> None:
        self._u[:] = value

    @property
    def aim(self) -> Array:
        """What servos are to do, by velocity: coordinates, then their rates [2 nv]. Where inputs are aims (motors of a
        URDF), write `u`: the aims follow it and are read-only here.

            >>> state.aim.shape
            (2,)
        """
        self.model._start_aims()
        if self.model._aimed:
            shown = self._aim.view()
            shown.flags.writeable = False
            return shown
        return self._aim

    @aim.setter
    def aim(self, value: Any) -> None:
        self.model._start_aims()
        if self.model._aimed:
            raise ValueError(f"the aims of this robot are its inputs ({', '.join(self.model.inputs[:4])}): write state.u")
        self._aim[:] = value

    def _find(self, name: str) -> Tuple[Array, int]:
        m = self.model
        rates = [f"{n}.rate" for n in m.velocities]
        for names, array in ((m.coordinates, self._q), (rates, self._v), (m.inputs, self._u), (m.velocities, self._v)):
            if name in names:
                return array, names.index(name)
        raise KeyError(unknown("coordinate, velocity or input", name, [*m.coordinates, *rates, *m.inputs]))

    def __getitem__(self, name: str) -> Any:
        array, i = self._find(name)
        return array[i].item()

    def __setitem__(self, name: str, value: Any) -> None:
        array, i = self._find(name)
        array[i] = value

    def reset(self) -> None:
        """Back to the start values of the file. Inputs and prescribed joints are as the file drives them at time 0; inputs
        without a signal, efforts and loads are zero, and inputs that are aims of servos hold the start pose.

            >>> state.q[0] = 0.0
            >>> state.reset()
            >>> state.q.round(4)
            array([0.5236])
        """
        q, v, u = self.model._start(self._assembled)
        lib.apl_state_reset(self._state)
        self._q[:], self._v[:], self._u[:] = q, v, u
        aims = self.model._start_aims()
        if aims is not None and self._aim.shape == aims.shape:
            self._aim[:] = aims
            for i, value in self.model._aimed.items():
                self._u[i] = value

    def load(self, port: str, wrench: Any, axes: str = "world") -> None:
        """An external wrench (moment, force) on a port, at its origin; it stays until changed.

            >>> state.load("arm.tip", [0, 0, 0, 1, 0, 0], axes="world")
            >>> state.inverse().round(4)
            array([5.771])
        """
        w: Array = np.ascontiguousarray(wrench, self._kind)
        if w.shape != (6,):
            raise ValueError("a wrench has six numbers: moment, then force")
        self._call(lib.apl_load_wide, self.model.port(port), axes_of(axes), doubles(w))

    def _need_float(self, call: str) -> None:
        if self._kind is not float:
            raise ValueError(f"{call}() wants a state of kind float")

    def _fill(self, function: Any, shape: Tuple[int, ...], *arguments: int) -> Array:
        out: Array = np.zeros(shape, self._kind)
        self._call(function, *arguments, doubles(out))
        return out

    def _call(self, function: Any, *arguments: Any) -> None:
        status = function(self.model._model, self._state, *arguments)
        if status != lib.APL_OK:
            link = lib.apl_state_trouble(self._state) if status == lib.APL_ERR_SINGULAR else -1
            where = f"link '{self.model.links[link]}': " if link >= 0 else ""
            raise Error(where + status_text(status), status_text(status))


def axes_of(word: str) -> int:
    """The axes of a port or of the world, by their word."""
    if word not in _AXES:
        raise ValueError(f"axes are 'world' or 'port', not {word!r}")
    return int(_AXES[word])
