"""Systems: a model that is driven and stepped through time, with an energy ledger."""
from __future__ import annotations

from typing import Any, Callable, List, Optional

import numpy as np

from ._base import Error, own, report_error, status_text, text, unknown
from ._native import ffi, lib
from .model import Model, State
from .result import Impact, Result

Control = Callable[[float, State], None]

_LEDGER = ["kinetic", "potential", "error"] + [text(lib.apl_account_word(i)) for i in range(lib.APL_NACCOUNT)]


class System:
    """A robot in motion: ``state`` at ``time``, driven by the inputs, motion and signals of its file.

    What is not given (integrator, tolerance, step [s]) is as the run block of the file says.
    """

    def __init__(self, model: Model, integrator: Optional[str] = None, tolerance: Optional[float] = None,
                 step: Optional[float] = None):
        system, err, report = ffi.new("apl_system**"), ffi.new("apl_error*"), ffi.new("apl_report*")
        status = lib.apl_system_new(model._model, system, err)
        if status != lib.APL_OK:
            raise MemoryError(text(err.text))
        self.model = model
        self._system = own(system[0], lib.apl_system_free, model._model)
        self.state = State(model, lib.apl_system_state(self._system), self._system)
        self.time = 0.0
        model._start(self.state.q, self.state.v)
        status = lib.apl_file_drive(model._file, self._system, report)
        if status == lib.APL_OK:
            status = lib.apl_file_settle(model._file, self._system, self.time, report)
        if status != lib.APL_OK:
            raise report_error(model.path, status, report)
        self._check(lib.apl_system_check(self._system, err), err)

        block = lib.apl_file_run(model._file)
        self._to, self._every = block.to, block.output_every
        self._method = ffi.new("char[]", (text(block.integrator) if integrator is None else integrator).encode())
        self._options = ffi.new("apl_run_options*", lib.apl_run_options_default())
        self._options.method = self._method
        self._options.tolerance = block.tolerance if tolerance is None else tolerance
        self._options.step = block.step if step is None else step
        self._busy = False

    def release(self, *inputs: str) -> None:
        """Let state.u decide these inputs (all without a name), whatever signal the file gives them."""
        err = ffi.new("apl_error*")
        for name in inputs or self.model.inputs:
            if name not in self.model.inputs:
                raise Error(unknown("input", name, self.model.inputs), status_text(lib.APL_ERR_ARGUMENT))
            i = self.model.inputs.index(name)
            self._check(lib.apl_system_input(self._system, i, ffi.NULL, err), err)

    def step(self, period: float) -> State:
        """Advance by one control period [s] with inputs and efforts held; returns the state."""
        err = ffi.new("apl_error*")
        self._enter()
        try:
            status = lib.apl_step(self._system, self.time, period, self._options, err)
        finally:
            self._busy = False
        self._check(status, err)
        self.time += period
        return self.state

    def run(self, to: Optional[float] = None, every: Optional[float] = None, *, control: Optional[Control] = None,
            control_every: float = 0.0) -> Result:
        """Go on from the present time to `to` [s], with an output `every` so many seconds (0: only the ends).

        ``control(t, state)`` is called every `control_every` seconds and may write state.u and state.tau. An
        exception in it, or Ctrl-C, ends the run there (Ctrl-C: at the next output) and is passed on. A run that
        fails raises Error, whose ``result`` has what was computed.
        """
        recorder = _Recorder(self, control)
        handle = ffi.new_handle(recorder)
        report, err = ffi.new("apl_run_report*"), ffi.new("apl_error*")
        options = ffi.new("apl_run_options*", self._options[0])
        setattr(options, "from", self.time)
        options.to = self._to if to is None else to
        options.output_every = self._every if every is None else every
        options.output = lib.python_output
        options.impact = lib.python_impact
        options.user = handle
        if control is not None:
            options.control = lib.python_control
            options.control_every = control_every

        self._enter()
        try:
            status = lib.apl_run(self._system, options, report, err)
        finally:
            self._busy = False
        if recorder.rows:  # a run that was refused has not moved
            self.time = report.t
        if recorder.failure is not None:
            recorder.mend()
            raise recorder.failure
        result = recorder.result(report, "finished" if status == lib.APL_OK else f"failed: {text(err.text)}")
        self._check(status, err, result)
        return result

    def _enter(self) -> None:
        if self._busy:
            raise Error("a system cannot be run or stepped by its own controller")
        self._busy = True

    def _check(self, status: int, err: Any, result: Optional[Result] = None) -> None:
        if status != lib.APL_OK:
            raise Error(f"{self.model.path}: {text(err.text) or status_text(status)}", status_text(status),
                        result=result)


class _Recorder:
    """What the callbacks of one run work on."""

    def __init__(self, system: System, control: Optional[Control]):
        self.model, self.state, self.control = system.model, system.state, control
        self.system = system._system
        self.rows: List[np.ndarray] = []
        self.impacts: List[Impact] = []
        self.first = 0.0
        self.failure: Optional[BaseException] = None
        self.tau: Optional[np.ndarray] = None

    def stop(self, failure: BaseException) -> None:
        """A controller has no way to say stop; efforts that are not finite end a run at its next step."""
        if self.failure is None:
            self.failure, self.tau = failure, self.state.tau.copy()
            self.state.tau[:] = np.nan

    def mend(self) -> None:
        """Undo what stop() did to the state."""
        if self.tau is not None:
            self.state.tau[:] = self.tau
            lib.apl_forward(self.model._model, self.state._state)

    def output(self, t: float, ledger: Any) -> None:
        if not self.rows:
            self.first = ledger.sum
        s = self.state
        energies = [ledger.kinetic, ledger.potential, ledger.sum - self.first, *ledger.account]
        lib.apl_system_contacts(self.system)
        c = s._contacts()
        contacts = np.column_stack((c.depth, c.force)).ravel()
        self.rows.append(np.concatenate(([t], s.q, s.v, s.u, *s.tendons(), contacts, energies)))

    def result(self, report: Any, status: str) -> Result:
        m = self.model
        channels = ["time", *m.coordinates, *(f"{n}.rate" for n in m.velocities)]
        channels += [f"{n}.input" if n in m.coordinates else n for n in m.inputs]
        units = ["s", *m.coordinate_units, *m.velocity_units, *("1" for _ in m.inputs)]
        channels += [f"{n}.{part}" for part in ("length", "tension") for n in m.tendons]
        units += [unit for unit in ("m", "N") for _ in m.tendons]
        channels += [f"{n}.{part}" for n in m.contacts for part in ("depth", "normal", "along", "across")]
        units += ["m", "N", "N", "N"] * len(m.contacts)
        channels += [f"ledger.{word}" for word in _LEDGER]
        units += ["J"] * len(_LEDGER)
        summary = {
            "time": report.t,
            "steps": report.steps,
            "evaluations": report.evaluations,
            "energy.error": report.error,
            "energy.error.relative": report.relative,
            "energy.error.mean": report.mean,
            "impacts": report.impacts,
        }
        rows = np.array(self.rows).reshape(-1, len(channels))
        return Result(channels, units, rows, status=status, summary=summary, impacts=self.impacts,
                      name=m.name, model=m.text)


def _failed(kind: Any, failure: BaseException, traceback: Any) -> None:
    """Keeps what a callback raised, Ctrl-C on its first line included: nothing may fly through C."""
    ffi.from_handle(traceback.tb_frame.f_locals["user"]).stop(failure)


@ffi.def_extern(error=lib.APL_ERR_STOPPED, onerror=_failed)
def python_output(t: float, y: Any, ledger: Any, system: Any, user: Any) -> int:
    recorder = ffi.from_handle(user)
    recorder.output(t, ledger)
    return lib.APL_OK if recorder.failure is None else lib.APL_ERR_STOPPED


@ffi.def_extern(onerror=_failed)
def python_impact(impact: Any, system: Any, user: Any) -> None:
    recorder = ffi.from_handle(user)
    recorder.impacts.append(Impact(recorder.model.contacts[impact.contact], impact.start, impact.end, impact.speed_in,
                                   impact.speed_out, impact.impulse, impact.peak))


@ffi.def_extern(onerror=_failed)
def python_control(t: float, system: Any, user: Any) -> None:
    recorder = ffi.from_handle(user)
    recorder.control(t, recorder.state)
