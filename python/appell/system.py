# SPDX-License-Identifier: Apache-2.0
"""Systems: a model that is driven and stepped through time, with an energy ledger."""
from __future__ import annotations

from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._base import Array, Error, own, report_error, status_text, text, unknown
from ._native import ffi, lib
from .model import Model
from .result import Result, kept_result
from .state import State

Control = Callable[[float, State], Any]


class Linearization(NamedTuple):
    """x' = rate + A dx + B du, y = y0 + C dx + D du about a state."""

    A: Array  # [states, states]
    B: Array  # [states, inputs]
    C: Array  # [outputs, states]
    D: Array  # [outputs, inputs]
    states: Tuple[str, ...]  # directions of q, then velocities, then what laws remember
    state_units: Tuple[str, ...]
    inputs: Tuple[str, ...]
    input_units: Tuple[str, ...]
    outputs: Tuple[str, ...]
    output_units: Tuple[str, ...]
    rate: Array  # x' there; zero at rest
    u0: Array
    y0: Array
    poles: Array  # complex, fastest growing first
    zeros: Optional[Array]  # complex; None unless there are as many outputs as inputs

    @classmethod
    def _taken(cls, of: Any) -> Linearization:
        def numbers(pointer: Any, *shape: int) -> Array:
            return np.array(ffi.unpack(pointer, int(np.prod(shape))), float).reshape(shape)

        def names(pointer: Any, n: int) -> Tuple[str, ...]:
            return tuple(text(pointer[i]) for i in range(n))

        def roots(pointer: Any, n: int) -> Array:
            return numbers(pointer, n, 2) @ [1, 1j]

        n, m, p = of.n, of.m, of.p
        return cls(numbers(of.A, n, n), numbers(of.B, n, m), numbers(of.C, p, n), numbers(of.D, p, m),
                   names(of.state, n), names(of.state_unit, n), names(of.input, m), names(of.input_unit, m),
                   names(of.output, p), names(of.output_unit, p), numbers(of.rate, n), numbers(of.u0, m),
                   numbers(of.y0, p), roots(of.pole, n), None if of.nzero < 0 else roots(of.zero, of.nzero))


class System:
    """A robot in motion: ``state`` at ``time``, driven by the inputs, motion and signals of its file.

    What is not given (integrator, tolerance, step [s], loops: the method that closes them, memory_limit of matrices
    [GB]) is as the run block of the file says.

        >>> system = model.system()
        >>> system.state.u[0] = 0.5
        >>> state = system.step(0.01)
        >>> round(system.time, 3)
        0.01
    """

    def __init__(self, model: Model, integrator: Optional[str] = None, tolerance: Optional[float] = None,
                 step: Optional[float] = None, loops: Optional[str] = None, memory_limit: Optional[float] = None):
        system, report = ffi.new("apl_system**"), ffi.new("apl_report*")
        status = lib.apl_file_system(model._file, model._model, lib.APL_READY, system, report)
        if status != lib.APL_OK:
            raise report_error(model.path, status, report)
        self.model = model
        self._system = own(system[0], lib.apl_system_free, model._model)
        self.state = State(model, lib.apl_system_state(self._system), self._system)
        self.time = 0.0

        self._options = ffi.new("apl_run_options*", lib.apl_file_options(model._file))
        self._to, self._every = self._options.to, self._options.output_every
        self._method = ffi.new("char[]", (text(self._options.method) if integrator is None else integrator).encode())
        self._options.method = self._method
        if tolerance is not None:
            self._options.tolerance = tolerance
        if memory_limit is not None:
            self._options.memory_limit = memory_limit
        adapts = lib.apl_method_adapts(self._method)
        if step is not None and adapts:
            raise Error(f"{model.path}: step is only for integrators with a fixed step; "
                        f"'{text(self._method)}' chooses its own steps", status_text(lib.APL_ERR_ARGUMENT))
        if adapts:
            self._options.step = 0.0  # that of the file belongs to its own integrator
        if step is not None:
            self._options.step = step
        if loops is not None:
            self._loops = ffi.new("char[]", loops.encode())
            self._options.loops.method = self._loops
        self.state._springs = text(self._options.loops.method) == "springs"
        self._mark()
        self._busy = False

    def _mark(self) -> None:
        """Remember what the state is like: what differs later was written by the user."""
        if self.model.loops:
            self.state._left = np.concatenate([self.state.q, self.state.v])

    def _need_closed(self, call: str) -> None:
        """What the user wrote must fit the loops; springs may be stretched."""
        if self.model.loops and not self.state._springs:
            self.state._need_closed(call)

    def inverse(self) -> bool:
        """Inputs and forces of loops for state.q, v and a, which must fit the loops; they end in state.u (efforts on
        joints in state.tau where the model has no inputs). Says whether no other inputs do the same.

            >>> system.state.a[:] = 0.0
            >>> system.inverse(), round(system.state.u[0], 3)   # holds 2 kg at 0.5 m and 30 degrees
            (True, 4.905)
        """
        self._need_closed("inverse")
        report, err = ffi.new("apl_actuation*"), ffi.new("apl_error*")
        self._check(lib.apl_system_inverse(self._system, False, report, err), err)
        return bool(report.unique)

    def linearize(self, outputs: Sequence[str] = (), inputs: Sequence[str] = ()) -> Linearization:
        """The robot near its present state as x' = rate + A dx + B du, y = y0 + C dx + D du, exact to round-off, with
        poles and zeros. Outputs are coordinates, velocities ("NAME.rate"), "PORT.position.x" or "PORT.velocity.x";
        all coordinates without any. Raises Error where a linear system does not exist.

            >>> linear = model.system().linearize(outputs=["arm.tip.position.z"])
            >>> linear.states, linear.A[1].round(4)   # q'' = -g/l cos(30 deg) dq
            (('arm.joint.angle', 'arm.joint.angle.rate'), array([-16.9914,   0.    ]))
        """
        kept: List[Any] = []  # what the options point at

        def words(names: Sequence[str]) -> Any:
            texts = [ffi.new("char[]", name.encode()) for name in ([names] if isinstance(names, str) else names)]
            array = ffi.new("const char*[]", texts + [ffi.NULL])
            kept.extend([texts, array])
            return array, len(texts)

        options, out, err = ffi.new("apl_linearize_options*"), ffi.new("apl_linear_system**"), ffi.new("apl_error*")
        options.output, options.noutput = words(outputs)
        options.input, options.ninput = words(inputs)
        options.loops = ffi.addressof(self._options, "loops")
        self._check(lib.apl_linearize(self._system, self.time, options, out, err), err)
        try:
            return Linearization._taken(out[0])
        finally:
            lib.apl_linear_system_free(out[0])

    @property
    def input_limits(self) -> Array:
        """Least and greatest value of each input, one row for each; infinite where nothing bounds it.

            >>> system.input_limits.shape == (len(system.model.inputs), 2)
            True
        """
        out = np.zeros((self.model.nu, 2))
        least, greatest = ffi.new("double*"), ffi.new("double*")
        for i in range(self.model.nu):
            lib.apl_system_input_bounds(self._system, i, least, greatest)
            out[i] = least[0], greatest[0]
        return out

    def release(self, *inputs: str) -> None:
        """Let state.u decide these inputs (all without a name), whatever signal the file gives them.

            >>> system.release("motor")
            >>> system.state.u[0] = 1.0
        """
        err = ffi.new("apl_error*")
        for name in inputs or self.model.inputs:
            if name not in self.model.inputs:
                raise Error(unknown("input", name, self.model.inputs), status_text(lib.APL_ERR_ARGUMENT))
            i = self.model.inputs.index(name)
            self._check(lib.apl_system_input(self._system, i, ffi.NULL, err), err)

    def step(self, period: float) -> State:
        """Advance by one control period [s] with inputs and efforts held; returns the state.

            >>> state = system.step(0.01)
            >>> state.q.round(4)
            array([0.5231])
        """
        err = ffi.new("apl_error*")
        self._need_closed("step")
        self._enter()
        try:
            status = lib.apl_step(self._system, self.time, period, self._options, err)
        finally:
            self._busy = False
            self._mark()
        self._check(status, err)
        self.time += period
        return self.state

    def run(self, to: Optional[float] = None, every: Optional[float] = None, *, control: Optional[Control] = None,
            control_every: float = 0.0, record: Sequence[str] = ()) -> Result:
        """Go on from the present time to `to` [s], with an output `every` so many seconds (0: only the ends).

        ``control(t, state)`` is called every `control_every` seconds (0: at every step, of integrators with a fixed one) and returns the inputs u, or writes state.u and
        state.tau itself and returns None; state.q and state.v are read-only in it. From the first u that it returns all inputs are its own, also those
        that have a signal in the file; one that only writes state.u must release() these first. An exception in it, or Ctrl-C, ends the run there and is passed on. `record` names
        what the result has besides: ports ("arm.tip": pose and velocity), "accelerations", "reactions". A run that
        fails raises Error, whose ``result`` has what was computed.

            >>> result = system.run(0.2, every=0.1, control=lambda t, state: [-0.1 * state.v[0]], control_every=0.01)
            >>> len(result.time)
            3
        """
        watch = _Watch(self, control)
        handle = ffi.new_handle(watch)
        report, err = ffi.new("apl_run_report*"), ffi.new("apl_error*")
        options = ffi.new("apl_run_options*", self._options[0])
        setattr(options, "from", self.time)
        options.to = self._to if to is None else to
        options.output_every = self._every if every is None else every
        options.output = lib.python_output
        options.poll = lib.python_poll
        options.poll_every = max(1, 2000 // (1 + self.model.nv))  # some ten milliseconds
        options.user = handle
        if control is not None:
            options.control = lib.python_control
            options.control_every = control_every
        recorder = self._recorder(options, [record] if isinstance(record, str) else record)

        self._need_closed("run")
        self._enter()
        free = watch.lock()
        try:
            status = lib.apl_recorder_run(recorder, report, err)
        finally:
            watch.unlock(free)
            self._busy = False
            self._mark()
        if lib.apl_recorder_nrow(recorder):  # a run that was refused has not moved
            self.time = report.t
        if watch.failure is not None:
            watch.mend()
            raise watch.failure
        result = kept_result(recorder, self.model)
        self._check(status, err, result)
        return result

    def _recorder(self, options: Any, record: Sequence[str]) -> Any:
        """What keeps a run in memory; it keeps the system alive."""
        err, recorder = ffi.new("apl_error*"), ffi.new("apl_recorder**")
        words = [ffi.new("char[]", word.encode()) for word in record]
        table = ffi.new("char*[]", words)
        wish = ffi.new("apl_recorder_options*", lib.apl_recorder_options_default())
        wish.record, wish.nrecord, wish.keep = ffi.cast("const char* const*", table), len(words), True
        self._check(lib.apl_recorder_new(self.model._file, self._system, options, wish, recorder, err), err)
        return own(recorder[0], lib.apl_recorder_free, self._system, self.model._file, self._method)

    def _enter(self) -> None:
        if self._busy:
            raise Error("a system cannot be run or stepped by its own controller")
        self._busy = True

    def _check(self, status: int, err: Any, result: Optional[Result] = None) -> None:
        if status != lib.APL_OK:
            raise Error(f"{self.model.path}: {text(err.text) or status_text(status)}", status_text(status),
                        result=result)


class _Watch:
    """What the callbacks of one run work on."""

    def __init__(self, system: System, control: Optional[Control]):
        self.system, self.model, self.state, self.control = system, system.model, system.state, control
        self.released = False
        self.failure: Optional[BaseException] = None
        self.tau: Optional[Array] = None

    def ask(self, t: float) -> Any:
        """What the controller returns at time t."""
        assert self.control is not None
        try:
            return self.control(t, self.state)
        except ValueError as failure:
            if "read-only" not in str(failure):
                raise
            raise ValueError(f"{failure}. A controller writes state.u and state.tau; state.q and state.v are read-only in "
                             "it, because the integrator owns them") from failure

    def lock(self) -> Tuple[Array, Array]:
        """During a run the integrator owns q and v and would overwrite what a controller wrote there: the state shows
        read-only views of them. Returns the writable arrays, for unlock()."""
        free = self.state._q, self.state._v
        self.state._q, self.state._v = (array.view() for array in free)
        self.state._q.flags.writeable = self.state._v.flags.writeable = False
        return free

    def unlock(self, free: Tuple[Array, Array]) -> None:
        self.state._q, self.state._v = free

    def act(self, u: Any) -> None:
        """What a controller returns is u; None: it has written what it wants itself."""
        if u is None:
            return
        value = np.asarray(u, float)
        if value.shape not in ((), self.state.u.shape) or not self.state.u.size:
            raise ValueError(f"a controller returns {self.state.u.size} inputs ({', '.join(self.model.inputs)}) or "
                             f"None, got shape {value.shape}")
        if not self.released:
            self.system.release()
            self.released = True
        self.state.u[:] = value

    def stop(self, failure: BaseException) -> None:
        """End the run at its next step by efforts that are not finite; who called the run raises the failure then."""
        if self.failure is None:
            self.failure, self.tau = failure, self.state.tau.copy()
            self.state.tau[:] = np.nan

    def mend(self) -> None:
        """Undo what stop() did to the state."""
        if self.tau is not None:
            self.state.tau[:] = self.tau
            lib.apl_forward(self.model._model, self.state._state)


def _failed(kind: Any, failure: BaseException, traceback: Any) -> None:
    """Keeps what a callback raised, Ctrl-C on its first line included: nothing may fly through C."""
    ffi.from_handle(traceback.tb_frame.f_locals["user"]).stop(failure)


@ffi.def_extern(error=lib.APL_ERR_STOPPED, onerror=_failed)
def python_output(t: float, y: Any, ledger: Any, system: Any, user: Any) -> int:
    return int(lib.APL_OK if ffi.from_handle(user).failure is None else lib.APL_ERR_STOPPED)


@ffi.def_extern(error=lib.APL_ERR_STOPPED, onerror=_failed)
def python_poll(progress: Any, user: Any) -> int:
    """Lets Python look for Ctrl-C, whose exception goes to _failed()."""
    return int(lib.APL_OK if ffi.from_handle(user).failure is None else lib.APL_ERR_STOPPED)


@ffi.def_extern(onerror=_failed)
def python_control(t: float, system: Any, user: Any) -> None:
    watch = ffi.from_handle(user)
    watch.act(watch.ask(t))
