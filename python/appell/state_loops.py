# SPDX-License-Identifier: Apache-2.0
"""Loops of a state: how far they are open, what holds them, and how they are closed."""
from __future__ import annotations

from typing import Any, Iterable, Tuple

import numpy as np

from ._base import Array, Error, check, own, status_text, text, view
from ._native import ffi, lib
from .answers import Assembly
from .state_memory import StateMemory


class StateLoops(StateMemory):
    """The part of State that closes loops."""

    @property
    def gap(self) -> float:
        """How far loops are open: the largest gap [m or rad], 0.0 without loops. Nothing that is written to q is
        moved to close them; assemble() does so. What loops change (forward, loop_motions, modes, System.inverse,
        step, run) raises Error where they are open by more than 1e-5.

            >>> state.gap
            0.0
        """
        return self._widest()[0]

    def gaps(self) -> Array:
        """Gaps of all rows of loops, in the order of model.loop_rows [m or rad].

            >>> state.gaps().shape
            (0,)
        """
        return self._rows(1)

    def loop_forces(self) -> Array:
        """Forces of all rows of loops as forward() has found them [N or N m]; they act on `to`.

            >>> state.loop_forces().shape
            (0,)
        """
        return self._row_memory()[0::lib.APL_LOOP].copy()

    def loop_jacobian(self) -> Array:
        """J [rows, nv]: rates of the gaps = J v.

            >>> state.loop_jacobian().shape
            (0, 1)
        """
        return self._fill(lib.apl_loops_jacobian, (len(self.model.loop_rows), self.model.nv))

    def loop_motions(self) -> Array:
        """N [nv, freedoms]: an orthonormal basis of the velocities that keep loops closed. N.T @ M @ N is the mass
        matrix of the closed robot, with M = state.mass_matrix(loops=False).

            >>> state.loop_motions()
            array([[1.]])
        """
        if not self.model.loops:
            return np.eye(self.model.nv)
        self._need_closed("loop_motions")
        _, size, rows = np.linalg.svd(self.loop_jacobian().real)
        rank = int(np.sum(size > 1e-10 * max(size[0], 1e-300)))
        motions: Array = rows[rank:].T.copy()
        return motions

    def assemble(self, keep: Iterable[str] = ()) -> Assembly:
        """Close the loops. Coordinates and velocities in `keep` stay bit for bit, the others are guesses and move;
        Error says how far the loops stay open if that cannot be, and nothing is moved then.

            state["plate.joint.z"] = 0.62
            state.assemble(keep=["plate.joint.z"]).moved

            >>> state.assemble().moved
            {}
        """
        self._need_float("assemble")
        m = self.model
        kept, kept_rates = ffi.new("int[]", m.nq + 1), ffi.new("int[]", m.nv + 1)
        for k, name in enumerate([keep] if isinstance(keep, str) else keep):
            array, i = self._find(name)
            if array is self._u:
                raise KeyError(f"'{name}' is an input, not a coordinate or velocity")
            (kept if array is self._q else kept_rates)[i] = k + 1
        report, err = ffi.new("apl_assembly*"), ffi.new("apl_error*")
        q, v = self._q.copy(), self._v.copy()
        status = lib.apl_closing_assemble(self._closer(), self._state, kept, kept_rates, report, err)
        if status != lib.APL_OK:
            raise Error(text(err.text), status_text(status))
        moved = {n: float(d) for n, d in zip(m.coordinates, self._q - q) if d != 0}
        moved.update({f"{n}.rate": float(d) for n, d in zip(m.velocities, self._v - v) if d != 0})
        return Assembly(moved, report.rounded, report.gap, report.rate, report.nredundant)

    def _closer(self) -> Any:
        """Room for closing loops, made when it is first wanted."""
        if self._closing is None:
            closing = ffi.new("apl_closing**")
            check(lib.apl_closing_new(self.model._model, closing))
            self._closing = own(closing[0], lib.apl_closing_free, self.model._model)
        return self._closing

    def _row_memory(self) -> Array:
        return view(lib.apl_loop_row(self._state), lib.APL_LOOP * len(self.model.loop_rows), self._kind, self._owner)

    def _rows(self, column: int) -> Array:
        """Gaps (1), their rates (2) or accelerations (3)."""
        if self.model.loops:
            self._call(lib.apl_loops)
        return self._row_memory()[column::lib.APL_LOOP].copy()

    def _widest(self, column: int = 1) -> Tuple[float, str]:
        size = np.abs(self._rows(column).real)
        k = int(np.argmax(size)) if size.size else -1
        return (float(size[k]), self.model.loop_rows[k]) if k >= 0 else (0.0, "")

    def _need_closed(self, call: str) -> None:
        """Raises where loops are open. What a run has left is as closed as its integrator keeps it."""
        if self._left is not None and np.array_equal(self._left, np.concatenate([self._q, self._v])):
            return
        gap, row = self._widest()
        remedy = f"{call}() wants them closed: call state.assemble(), which moves what it is not told to keep"
        if not gap <= 1e-5:
            unit = text(lib.apl_model_unit(self.model._model, lib.APL_LOOP_ROWS, self.model.loop_rows.index(row)))
            raise Error(f"the loops are open by {gap:.6g} {unit} at '{row}'; {remedy}",
                        status_text(lib.APL_ERR_ARGUMENT))
        rate, row = self._widest(2)
        if not rate <= 1e-5 * (1.0 + np.abs(self._v).max(initial=0.0)):
            raise Error(f"the velocities open the loops at '{row}' by {rate:.6g} per second; {remedy}",
                        status_text(lib.APL_ERR_ARGUMENT))

    def _tree(self, call: str, loops: bool, instead: str) -> None:
        """Before a pass of the open tree: refuses where loops were wanted, names what has them; else cuts them."""
        if not self.model.loops or self._springs:
            return
        if loops:
            raise Error(f"state.{call}() does not know the loops of this robot: use {instead}; "
                        f"{call}(loops=False) is about the open tree", status_text(lib.APL_ERR_ARGUMENT))
        self._row_memory()[0::lib.APL_LOOP] = 0.0
