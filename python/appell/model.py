# SPDX-License-Identifier: Apache-2.0
"""Models: a robot, its names and its numbers."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

from ._base import Array, Error, Mistake, check, doubles, own, report_error, status_text, text, unknown
from ._native import ffi, lib
from .state import State

if TYPE_CHECKING:
    from .result import Result
    from .system import System


class Model:
    """A robot, compiled: immutable, shared by any number of states, systems and threads. Made by load().

        >>> model = appell.load("pendulum.yaml")
        >>> model.coordinates
        ('arm.joint.angle',)
        >>> model.nv
        1
    """

    def __init__(self, path: str, file: Any, model: Any):
        def names(kind: int, get: Callable[[Any, int, int], Any] = lib.apl_model_name) -> Tuple[str, ...]:
            return tuple(text(get(model, kind, i)) for i in range(lib.apl_model_count(model, kind)))

        self._file, self._model = file, model
        self.path = path
        self.doubts: Tuple[Mistake, ...] = ()  # what load() kept and warned of
        self._made: Tuple[Any, ...] = ()
        self.name: str = text(lib.apl_file_name(file))
        self.text: str = text(lib.apl_file_text(file))
        self.nq: int = lib.apl_model_nq(model)
        self.nv: int = lib.apl_model_nv(model)
        self.nt: int = lib.apl_model_nt(model)
        self.nu: int = lib.apl_model_nu(model)
        self.links = names(lib.APL_LINKS)
        self.ports = names(lib.APL_PORTS)
        self.coordinates = names(lib.APL_COORDINATES)
        self.velocities = names(lib.APL_VELOCITIES)
        self.inputs = names(lib.APL_INPUTS)
        self.tendons = names(lib.APL_TENDONS)
        self.shapes = names(lib.APL_SHAPES)
        self.contacts = names(lib.APL_CONTACTS)
        self.coordinate_units = names(lib.APL_COORDINATES, lib.apl_model_unit)
        self.velocity_units = names(lib.APL_VELOCITIES, lib.apl_model_unit)
        self.loops = names(lib.APL_LOOPS)
        self.loop_rows = names(lib.APL_LOOP_ROWS)
        self._starts: Dict[bool, Tuple[Array, Array, Array]] = {}  # by whether loops are closed
        self._aims: Optional[Array] = None
        self._aimed: Dict[int, float] = {}  # inputs that are aims, and their values at the start
        self._motors = False  # load(actuators=)

    def __reduce__(self) -> Tuple[Any, ...]:
        """Pickled by what it was made from: a file is read again, a text is carried along."""
        return self._made

    def __repr__(self) -> str:
        return f"<appell.Model '{self.name or self.path}': {len(self.links)} links, nq {self.nq}, nv {self.nv}>"

    @property
    def mass(self) -> float:
        """Total mass [kg].

            >>> model.mass
            2.0
        """
        return float(lib.apl_model_mass(self._model))

    @property
    def gravity(self) -> Array:
        """Acceleration of free fall in world axes [m/s^2].

            >>> model.gravity
            array([ 0.  ,  0.  , -9.81])
        """
        g = lib.apl_model_gravity(self._model)
        return np.array([g.x, g.y, g.z])

    @property
    def masses(self) -> Array:
        """Mass of each link [kg], in the order of `links`.

            >>> model.masses
            array([2.])
        """
        return self.inertial()[::10].copy()

    @property
    def limits(self) -> Dict[str, Array]:
        """Limits of the joints by velocity: arrays "lower", "upper" (stops), "velocity" and "effort" of length nv,
        infinite where the file has none.

            >>> model.limits["upper"]
            array([inf])
        """
        out = {name: np.full(self.nv, np.inf) for name in ("lower", "upper", "velocity", "effort")}
        out["lower"][:] = -np.inf
        for i in range(len(self.links)):
            info = lib.apl_model_link_info(self._model, i)
            found = lib.apl_file_limits(self._file, i)
            if info.nv == 1:
                for name, values in out.items():
                    values[info.v0] = getattr(found, name)
        return out

    @property
    def input_limits(self) -> Array:
        """Least and greatest value of each input, an array of nu rows; infinite where nothing bounds it.

            >>> model.input_limits.shape == (model.nu, 2)
            True
        """
        return self.system().input_limits

    @property
    def collision(self) -> Tuple[Tuple[str, str, Array], ...]:
        """Shapes that can touch where `collide` says so: link ("world" for obstacles), type, and size (box: edges;
        sphere: radius; others: radius and length).

            >>> model.collision
            ()
        """
        shapes = (lib.apl_file_shape(self._file, i) for i in range(lib.apl_file_nshape(self._file)))
        count = {"box": 3, "sphere": 1}
        return tuple((self.links[s.link] if s.link >= 0 else "world", text(s.type),
                      np.array(list(s.size)[:count.get(text(s.type), 2)])) for s in shapes if s.touches)

    def inertial(self) -> Array:
        """Ten numbers per link, those that regressor() multiplies: m, m c (3), J about the link's origin (xx yy zz xy
        xz yz).

            >>> model.inertial().shape
            (10,)
        """
        p = np.zeros(10 * len(self.links))
        lib.apl_model_inertial(self._model, doubles(p))
        return p

    def port(self, name: str) -> int:
        """Index of a port ("link.port").

            >>> model.ports[model.port("arm.tip")]
            'arm.tip'
        """
        try:
            return self.ports.index(name)
        except ValueError:
            raise Error(unknown("port", name, self.ports), status_text(lib.APL_ERR_ARGUMENT)) from None

    def state(self, kind: type = float, assembled: bool = True) -> State:
        """A new state at the start values of the file, with its inputs of time 0. `kind` may be complex, for derivatives by the complex
        step: imag(f(x + ih)) / h with h = 1e-100 is exact to round-off. Loops are closed as at the start of a run;
        Error says how far they stay open if they cannot be. With assembled=False the values of the file stay as
        they are, and ``state.gap`` tells how far the loops are open.

            >>> state = model.state()
            >>> state.q.round(4)
            array([0.5236])
        """
        if kind not in (float, complex):
            raise ValueError("a state is of kind float or complex")
        state = ffi.new("apl_state**")
        status = lib.apl_state_new(self._model, lib.APL_SCALAR if kind is float else lib.APL_COMPLEX, state)
        check(status)
        made = State(self, state[0], own(state[0], lib.apl_state_free, self._model), kind)
        made._assembled = assembled
        made.reset()
        return made

    def system(self, **options: Any) -> System:
        """A system to be stepped or run, at the start values of the file; options as in System.

            >>> system = model.system()
            >>> state = system.step(0.01)
            >>> round(system.time, 3)
            0.01
        """
        from .system import System

        return System(self, **options)

    def run(self, to: Optional[float] = None, every: Optional[float] = None, *, integrator: Optional[str] = None,
            tolerance: Optional[float] = None, step: Optional[float] = None, loops: Optional[str] = None,
            memory_limit: Optional[float] = None,
            control: Optional[Callable[[float, State], Any]] = None, control_every: float = 0.0,
            record: Sequence[str] = ()) -> Result:
        """Simulate from the start values of the file; what is not given is as its run block says. `control` and
        `record` are as in System.run().

            >>> result = model.run(to=0.5, every=0.1)
            >>> len(result.time)
            6
        """
        return self.system(integrator=integrator, tolerance=tolerance, step=step, loops=loops,
                           memory_limit=memory_limit).run(
            to, every, control=control, control_every=control_every, record=record)

    def _start(self, assembled: bool) -> Tuple[Array, Array, Array]:
        """q, v and u at the start: inputs, and freedoms with a motion, as the file drives them at time 0. Loops are
        closed as at the start of a run; with assembled=False q and v are those of the file."""
        if assembled not in self._starts:
            q, v = self._start_block()
            pointer, report = ffi.new("apl_system**"), ffi.new("apl_report*")
            closed = bool(self.loops) and assembled
            status = lib.apl_file_system(self._file, self._model, lib.APL_SETTLED if closed else 0, pointer, report)
            if status != lib.APL_OK:
                raise report_error(self.path, status, report)
            system = own(pointer[0], lib.apl_system_free)
            state = lib.apl_system_state(system)
            if closed or not self.loops:
                q, v = (np.array(ffi.unpack(*x)) for x in ((lib.apl_q(state), self.nq), (lib.apl_v(state), self.nv)))
            self._starts[assembled] = q, v, np.array(ffi.unpack(lib.apl_u(state), self.nu) if self.nu else [])
        return self._starts[assembled]

    def _start_block(self) -> Tuple[Array, Array]:
        """q and v as the block `start` gives them; Error tells its mistakes."""
        q, v, report = np.empty(self.nq), np.empty(self.nv), ffi.new("apl_report*")
        status = lib.apl_file_start(self._file, self._model, doubles(q), doubles(v), report)
        if status != lib.APL_OK:
            raise report_error(self.path, status, report)
        return q, v

    def _displacements(self) -> Tuple[int, ...]:
        """Inputs in units of coordinates or rates: aims of servos, and of tendons the length wound up."""
        units = [text(lib.apl_model_unit(self._model, lib.APL_INPUTS, i)) for i in range(self.nu)]
        return tuple(i for i, unit in enumerate(units) if unit in ("rad", "rad/s", "m", "m/s"))

    def _start_aims(self) -> Optional[Array]:
        """Aims of servos at the start of a run (`aim: start`, motors of a URDF); None where the file says nothing of them."""
        if "aim" not in self.text and not self._motors:
            return None
        if self._aims is None:
            pointer, report = ffi.new("apl_system**"), ffi.new("apl_report*")
            if lib.apl_file_system(self._file, self._model, lib.APL_SETTLED, pointer, report) != lib.APL_OK:
                return None  # a run says why
            system = own(pointer[0], lib.apl_system_free)
            state = lib.apl_system_state(system)
            aims = np.array(ffi.unpack(lib.apl_aim(state), 2 * self.nv))
            self._aimed = self._find_aimed(state)
            self._aims = aims
        return self._aims

    def _find_aimed(self, state: Any) -> Dict[int, float]:
        """Inputs that are aims of servos, and their values. A pass copies such an input to the aims, so they change with it."""
        def aims_at(i: int, value: float) -> List[float]:
            lib.apl_u(state)[i] = value
            check(lib.apl_inverse(self._model, state))
            return list(ffi.unpack(lib.apl_aim(state), 2 * self.nv))

        aimed = {}
        for i in self._displacements():
            u = float(lib.apl_u(state)[i])
            if aims_at(i, u) != aims_at(i, u + 1.0):
                aimed[i] = u
            lib.apl_u(state)[i] = u
        return aimed


def __getattr__(name: str) -> Any:
    """Models that version 0.2.0 has pickled name load() and parse() of this module."""
    if name in ("load", "parse"):
        from . import files
        return getattr(files, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
