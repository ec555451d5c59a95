"""Models and states: everything about a robot at one time."""
from __future__ import annotations

import os
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple,
                    Union)

import numpy as np

from ._base import Array, Error, Mistake, doubles, own, report_doubts, report_error, status_text, text, unknown, view
from ._native import ffi, lib

if TYPE_CHECKING:
    from .result import Result
    from .system import System

_AXES = {"world": lib.APL_WORLD_AXES, "port": lib.APL_PORT_AXES}
_ACTUATORS = {None: lib.APL_ACTUATORS_NONE, "effort": lib.APL_ACTUATORS_EFFORT, "position": lib.APL_ACTUATORS_POSITION,
              "velocity": lib.APL_ACTUATORS_VELOCITY, "file": lib.APL_ACTUATORS_FILE}
_BASES = {"fixed": lib.APL_BASE_FIXED, "floating": lib.APL_BASE_FLOATING}


class Energy(NamedTuple):
    """Kinetic and potential energy [J]."""

    kinetic: float
    potential: float


class Equilibrium(NamedTuple):
    """How a static shape was found, and what holds it."""

    stable: bool  # no motion lowers the energy
    stiffness: float  # lowest one that is not zero [J per rad^2 or per length^2]
    length: float  # [m] what a metre is compared with
    residual: float  # largest effort left over
    indifferent: Tuple[str, ...]  # velocities on which nothing acts: left where they started
    held: Tuple[str, ...]  # velocities of wheels and what follows them: held as by a brake
    iterations: int
    steps: int  # of continuation
    relaxations: int


class InverseDerivatives(NamedTuple):
    """How the efforts of inverse dynamics change, a row per velocity; by a they change with the mass matrix."""

    q: Array  # [nv, nt] with directions of q, those of its tangent
    v: Array  # [nv, nv]
    u: Array  # [nv, nu]


class ForwardDerivatives(NamedTuple):
    """How the accelerations of forward dynamics change, a row per velocity; rows of prescribed freedoms are zero."""

    q: Array  # [nv, nt] with directions of q, those of its tangent
    v: Array  # [nv, nv]
    tau: Array  # [nv, nv] the inverse of the mass matrix
    u: Array  # [nv, nu]


class Tendons(NamedTuple):
    """Lengths [m] and tensions [N] of all tendons."""

    length: Array
    tension: Array


class Contacts(NamedTuple):
    """All contacts, a row each: depth in the ground [m], its rate, slip along the two directions of the ground
    [m/s], and the force of the ground on the robot along its normal and these directions [N]. ``place`` is where it
    touches in the world [m]; ``shapes`` are the two that have a contact of `collide` just now, None: nobody."""

    depth: Array
    rate: Array
    slip: Array
    force: Array
    place: Array
    shapes: List[Optional[Tuple[str, str]]]


class Footing(NamedTuple):
    """What the ground gives to a joint that rolls on it."""

    link: str
    normal: float  # along the normal of the ground [N]; negative: it would have to pull
    forward: float  # along the heading of the body [N]
    lateral: float  # to its left [N]
    pressure: Tuple[float, ...]  # centre of pressure from the body frame: forward, left [m]
    margin: float  # how far it is inside the polygon of the contacts [m]; negative: tips
    friction: float  # largest tangential over normal force
    hitch: Tuple[float, ...]  # trailers: force of the towing body: forward, left, up [N]; else empty


class Assembly(NamedTuple):
    """How the loops of a state were closed."""

    moved: Mapping[str, float]  # changes of coordinates and velocities, by name; those that are zero are left out
    rounded: float  # largest change of a coordinate that was to stay: 0, or below 1e-6 where digits contradict
    gap: float  # largest gap that is left [m or rad]
    rate: float  # the same of its rate
    redundant: int  # rows that depend on others: forces of loops are not unique


class Mode(NamedTuple):
    """A small motion Re(shape exp((real + i imag) t)) about a balance."""

    kind: str  # "swings", "rigid", "overdamped", "unstable", "flutters"
    real: float  # [1/s]
    imag: float
    omega: float  # natural angular frequency [rad/s], 0 when rigid
    damping: float  # ratio to the critical one
    time: float  # in which it changes by a factor e [s]
    shape: Array  # [nv] complex, in velocities
    share: Array  # [nv] how much each velocity takes part


def load(path: Union[str, os.PathLike[str]], base: str = "fixed", set: Optional[Mapping[str, Any]] = None,
         strict: bool = False, package_path: Iterable[Union[str, os.PathLike[str]]] = (),
         allow: Iterable[Union[str, os.PathLike[str]]] = (), actuators: Optional[str] = None,
         floor: Optional[str] = None, settle: bool = False) -> Model:
    """Read a model file (YAML) or a URDF; `base` ("fixed" or "floating") is what a URDF's root stands on.

    `set` changes parameters by their path in the file: {"arm.body.mass": "2 kg", "gravity": [0, 0, 0]}.
    What is doubtful in a URDF is kept and told as a warning, an appell.Doubt; with `strict` it is refused.
    Meshes called package://NAME/.. are looked for in the folders of `package_path`, then in those of
    ROS_PACKAGE_PATH.
    A file reads only what lies below its own folder or the one that holds its package.xml, or in meshes/ beside its
    urdf/; `allow` adds folders.
    `actuators` gives motors to the joints of a URDF that have an effort limit: "effort" (an input each), "position"
    (a servo that holds the start pose), "velocity", or "file" (as ros2_control or transmission say).
    `floor` is a ground at z = 0 for the collision shapes of a URDF: a contact law and a coefficient of friction, as
    "restitution,0.8". With `settle` a floating robot is put on its ground.

        >>> model = appell.load("pendulum.yaml", set={"arm.body.mass": "3 kg"})
        >>> model.mass
        3.0
    """
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("the path has a zero byte in it")
    folders = [os.fsdecode(p) for p in package_path] + [os.environ.get("ROS_PACKAGE_PATH", "")]
    allowed = tuple(os.fsdecode(p) for p in allow)
    model = _open(os.fsdecode(path), base, set, lambda *rest: lib.apl_file_load(name, *rest), strict,
                  ":".join(folders), ":".join(allowed), actuators, floor, settle)
    model._motors = actuators is not None
    model._made = (load, (os.path.abspath(os.fsdecode(path)), base, dict(set or {}), strict, folders[:-1], allowed,
                          actuators, floor, settle))
    return model


def parse(model: Union[str, bytes], base: str = "fixed", name: str = "model",
          set: Optional[Mapping[str, Any]] = None, strict: bool = False, actuators: Optional[str] = None) -> Model:
    """The same from a text; `name` stands for the file in sentences about it.

        >>> ball = "{name: ball, joint: floating, body: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}}"
        >>> appell.parse("{appell: 1, links: [%s]}" % ball).mass
        2.0
    """
    data = model.encode() if isinstance(model, str) else bytes(model)
    made = _open(name, base, set, lambda *rest: lib.apl_file_parse(data, len(data), *rest), strict, "",
                 actuators=actuators)
    made._motors = actuators is not None
    made._made = (parse, (data, base, name, dict(set or {}), strict, actuators))
    return made


def _setting(value: Any) -> str:
    """A value as the model file writes it: arrays of NumPy as lists, its numbers with all their digits, maps in braces."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {_setting(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_setting(v) for v in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def _open(where: str, base: str, changes: Optional[Mapping[str, Any]], read: Callable[..., int], strict: bool,
          packages: str, allow: str = "", actuators: Optional[str] = None, floor: Optional[str] = None,
          settle: bool = False) -> Model:
    if base not in _BASES:
        raise ValueError(f"base is 'fixed' or 'floating', not {base!r}")
    if actuators not in _ACTUATORS:
        raise ValueError(f"actuators is 'effort', 'position', 'velocity', 'file' or None, not {actuators!r}")
    options = ffi.new("apl_load_options*", lib.apl_load_options_default())
    options.actuators = _ACTUATORS[actuators]
    options.base, options.strict = _BASES[base], strict
    folders = ffi.new("char[]", packages.encode())  # alive until the file is read, as the settings are
    options.package_path = folders
    settings = [f"{path}={_setting(value)}" for path, value in (changes or {}).items()]
    if settle:
        settings.insert(0, "start.settle=true")
    if floor is not None:  # in front: what `set` says of it counts
        law, _, friction = floor.partition(",")
        options.floor = True
        ground = floor if floor.startswith("{") else (
            f"{{law: {{normal: {law}}}, friction: {{law: coulomb-stiction, coefficient: {friction or 0.8}}}}}")
        settings.insert(0, f"grounds.floor={ground}")
    words = [ffi.new("char[]", s.encode()) for s in settings]  # alive until the file is read
    table = ffi.new("char*[]", words)
    options.set, options.nset = ffi.cast("const char* const*", table), len(words)
    allowed = ffi.new("char[]", os.fsencode(allow))
    options.allow = allowed
    file, model, report = ffi.new("apl_file**"), ffi.new("apl_model**"), ffi.new("apl_report*")
    status = read(options, file, report)
    if status != lib.APL_OK:
        raise report_error(where, status, report, settings)
    owned = own(file[0], lib.apl_file_free)
    status = lib.apl_file_model(owned, model, report)
    if status != lib.APL_OK:
        raise report_error(where, status, report, settings)
    made = Model(where, owned, own(model[0], lib.apl_model_free))
    made._start(np.empty(made.nq), np.empty(made.nv))  # mistakes in the start block are told now
    made.doubts = report_doubts(where, report, 3)
    return made


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
        self._assembled: Optional[Tuple[Array, Array]] = None
        self._aims: Optional[Array] = None
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
        """A new state at the start values of the file. `kind` may be complex, for derivatives by the complex
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
        if status != lib.APL_OK:
            raise MemoryError(status_text(status))
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
            control: Optional[Callable[[float, State], Any]] = None, control_every: float = 0.0,
            record: Sequence[str] = ()) -> Result:
        """Simulate from the start values of the file; what is not given is as its run block says. `control` and
        `record` are as in System.run().

            >>> result = model.run(to=0.5, every=0.1)
            >>> len(result.time)
            6
        """
        return self.system(integrator=integrator, tolerance=tolerance, step=step, loops=loops).run(
            to, every, control=control, control_every=control_every, record=record)

    def _assemble(self) -> Tuple[Array, Array]:
        """q and v at the start of a run, where loops are closed."""
        if self._assembled is None:
            system, report = ffi.new("apl_system**"), ffi.new("apl_report*")
            status = lib.apl_file_system(self._file, self._model, lib.APL_SETTLED, system, report)
            if status != lib.APL_OK:
                raise report_error(self.path, status, report)
            state = lib.apl_system_state(system[0])
            self._assembled = (np.array(ffi.unpack(lib.apl_q(state), self.nq)),
                               np.array(ffi.unpack(lib.apl_v(state), self.nv)))
            lib.apl_system_free(system[0])
        return self._assembled

    def _start_aims(self) -> Optional[Array]:
        """Aims of servos at the start of a run (`aim: start`, motors of a URDF); None where the file says nothing of them."""
        if "aim" not in self.text and not self._motors:
            return None
        if self._aims is None:
            system, report = ffi.new("apl_system**"), ffi.new("apl_report*")
            if lib.apl_file_system(self._file, self._model, lib.APL_SETTLED, system, report) != lib.APL_OK:
                return None  # a run says why
            self._aims = np.array(ffi.unpack(lib.apl_aim(lib.apl_system_state(system[0])), 2 * self.nv))
            lib.apl_system_free(system[0])
        return self._aims

    def _start(self, q: Array, v: Array) -> None:
        report = ffi.new("apl_report*")
        status = lib.apl_file_start(self._file, self._model, doubles(q), doubles(v), report)
        if status != lib.APL_OK:
            raise report_error(self.path, status, report)


class State:
    """Everything that changes: q, v, a, tau, u are views of the library's own memory, without copies. Each
    method computes all it needs from them. Made by Model.state(); to be used by one thread at a time.

    ``state["arm.joint.angle"]`` is a coordinate, ``state["arm.joint.angle.rate"]`` a velocity,
    ``state["motor"]`` an input; all can be set.

        >>> state = model.state()
        >>> state.q[0] = 0.1
        >>> state.forward().round(4)
        array([-1.9587])
    """

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
        """What servos are to do, by velocity: coordinates, then their rates [2 nv].

            >>> state.aim.shape
            (2,)
        """
        return self._aim

    @aim.setter
    def aim(self, value: Any) -> None:
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
        """Back to the start values of the file; efforts, inputs and loads are zero.

            >>> state.q[0] = 0.0
            >>> state.reset()
            >>> state.q.round(4)
            array([0.5236])
        """
        q, v = np.empty(self.model.nq), np.empty(self.model.nv)
        self.model._start(q, v)
        if self.model.loops and self._assembled:
            q, v = self.model._assemble()
        lib.apl_state_reset(self._state)
        self._q[:], self._v[:] = q, v
        aims = self.model._start_aims()
        if aims is not None and self._aim.shape == aims.shape:
            self._aim[:] = aims

    def load(self, port: str, wrench: Any, axes: str = "world") -> None:
        """An external wrench (moment, force) on a port, at its origin; it stays until changed.

            >>> state.load("arm.tip", [0, 0, 0, 1, 0, 0], axes="world")
            >>> state.inverse().round(4)
            array([5.771])
        """
        w: Array = np.ascontiguousarray(wrench, self._kind)
        if w.shape != (6,):
            raise ValueError("a wrench has six numbers: moment, then force")
        self._call(lib.apl_load_wide, self.model.port(port), _axes(axes), doubles(w))

    # ------------------------------------------------------------------------------- loops ----

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
            if lib.apl_closing_new(self.model._model, closing) != lib.APL_OK:
                raise MemoryError(status_text(lib.APL_ERR_MEMORY))
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

    def _need_float(self, call: str) -> None:
        if self._kind is not float:
            raise ValueError(f"{call}() wants a state of kind float")

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

    # ------------------------------------------------------------------------------ dynamics ----

    def inverse(self, loops: bool = True) -> Array:
        """Efforts for the motion q, v, a, with springs, inputs and loads accounted for; returns tau. Robots with
        loops: System.inverse(); with loops=False as if they were cut.

            >>> state.a[:] = 0
            >>> state.inverse().round(4)
            array([4.905])
        """
        self._tree("inverse", loops, "system.inverse()")
        self._call(lib.apl_inverse)
        return self._tau

    def forward(self, loops: bool = True) -> Array:
        """Rates of v for the efforts tau; returns a. Prescribed freedoms take a and return tau instead. Loops are
        kept closed by their forces (loop_forces()); with loops=False they are cut.

            >>> state.forward().round(4)
            array([-9.81])
        """
        if not self.model.loops or self._springs or not loops:
            self._tree("forward", False, "")
            self._call(lib.apl_forward)
            return self._a
        if self._kind is not float:
            self._tree("forward", True, "a state of kind float, or system.linearize() for derivatives")
        self._need_closed("forward")
        status = lib.apl_closing_forward(self._closer(), self._state, 0.0)
        if status != lib.APL_OK:
            raise Error(status_text(status), status_text(status))
        return self._a

    def equilibrium(self, stable: bool = False) -> Equilibrium:
        """Go to the static shape near q for the present inputs, loads and efforts; v and a become zero. With
        `stable` go downhill, to one that holds by itself. Raises Error when there is none.

            >>> found = state.equilibrium()
            >>> found.stable, bool(abs(state.q[0]) < 1e-9)
            (True, True)
        """
        if self._kind is not float:
            raise ValueError("an equilibrium wants a state of kind float")
        options = ffi.new("apl_equilibrium_options*", lib.apl_equilibrium_options_default())
        options.stable = stable
        report, err = ffi.new("apl_equilibrium_report*"), ffi.new("apl_error*")
        kinds = ffi.new("apl_balance[]", self.model.nv + 1)
        report.freedom = kinds
        status = lib.apl_equilibrium(self.model._model, self._state, options, report, err)
        if status != lib.APL_OK:
            raise Error(text(err.text), status_text(status))

        def names(kind: int) -> Tuple[str, ...]:
            return tuple(name for name, k in zip(self.model.velocities, kinds) if k == kind)

        return Equilibrium(report.stable, report.stiffness, report.length, report.residual,
                           names(lib.APL_INDIFFERENT), names(lib.APL_HELD), report.iterations, report.steps,
                           report.relaxations)

    def bias(self, loops: bool = True) -> Array:
        """The efforts that keep a = 0 [nv]. Robots with loops: System.inverse(); with loops=False of the open tree.

            >>> state.bias().round(4)
            array([4.905])
        """
        self._tree("bias", loops, "system.inverse() with a = 0")
        return self._fill(lib.apl_bias, (self.model.nv,))

    def mass_matrix(self, loops: bool = True) -> Array:
        """The symmetric mass matrix [nv, nv]. With loops=False that of the open tree; a robot with loops has no
        other of this size, see loop_motions().

            >>> state.mass_matrix()
            array([[0.5]])
        """
        self._tree("mass_matrix", loops, "N.T @ M @ N with N = state.loop_motions() and M = mass_matrix(loops=False)")
        return self._fill(lib.apl_mass_matrix, (self.model.nv, self.model.nv))

    def rates(self) -> Array:
        """Time derivative of q [nq] for the present v.

            >>> state.v = [1.0]
            >>> state.rates()
            array([1.])
        """
        return self._fill(lib.apl_rates, (self.model.nq,))

    def pose(self, port: str) -> Array:
        """Where a port is in the world: the matrix [[R, p], [0, 1]], 4 x 4.

            >>> state.pose("arm.tip")[:3, 3].round(4)
            array([-0.5  ,  0.   , -0.866])
        """
        x = self._fill(lib.apl_port_pose, (12,), self.model.port(port))
        pose: Array = np.eye(4, dtype=self._kind)
        pose[:3, :3], pose[:3, 3] = x[:9].reshape(3, 3), x[9:]
        return pose

    def jacobian(self, port: str, axes: str = "world") -> Array:
        """J [6, nv] with twist of the port (angular, linear) = J v, in "world" or "port" axes, at its origin.

            >>> state.jacobian("arm.tip", axes="world")[3:, 0].round(4)
            array([-0.866,  0.   ,  0.5  ])
        """
        return self._fill(lib.apl_jacobian, (6, self.model.nv), self.model.port(port), _axes(axes))

    def inverse_derivatives(self, loops: bool = True) -> InverseDerivatives:
        """Derivatives of the efforts tau(q, v, a, u), exact to round-off, with all forces of the state. Robots with
        loops: System.linearize(); with loops=False of the open tree.

            >>> state.a[:] = 0.0
            >>> state.inverse_derivatives().q.round(4)   # of m g l sin(q)
            array([[8.4957]])
        """
        self._tree("inverse_derivatives", loops, "system.linearize()")
        m = self.model
        out = InverseDerivatives(*(np.zeros((m.nv, n)) for n in (m.nt, m.nv, m.nu)))
        self._call(lib.apl_inverse_derivatives, self._derivatives(), *(doubles(x) for x in out))
        return out

    def forward_derivatives(self, loops: bool = True) -> ForwardDerivatives:
        """Derivatives of the accelerations a(q, v, tau, u), which are left in a, exact to round-off. Robots with
        loops: System.linearize(); with loops=False of the open tree.

            >>> state.tau[:] = 0.0
            >>> state.forward_derivatives().q.round(4)   # of -g/l sin(q)
            array([[-16.9914]])
        """
        self._tree("forward_derivatives", loops, "system.linearize()")
        m = self.model
        out = ForwardDerivatives(*(np.zeros((m.nv, n)) for n in (m.nt, m.nv, m.nv, m.nu)))
        self._call(lib.apl_forward_derivatives, self._derivatives(), *(doubles(x) for x in out))
        return out

    def _derivatives(self) -> Any:
        """Room for derivatives, made when they are first wanted."""
        if self._kind is not float:
            raise ValueError("derivatives want a state of kind float")
        if self._room is None:
            room = ffi.new("apl_derivatives**")
            status = lib.apl_derivatives_new(self.model._model, room)
            if status != lib.APL_OK:
                raise Error(status_text(status), status_text(status))
            self._room = ffi.gc(room[0], lib.apl_derivatives_free)
        return self._room

    def regressor(self) -> Array:
        """Y [nv, 10 * links] with M a + bias terms = Y p for the present q, v, a; p are model.inertial(). For rigid
        trees; rotors, springs and loads are not in it.

            >>> state.regressor().shape
            (1, 10)
        """
        return self._fill(lib.apl_regressor, (self.model.nv, 10 * len(self.model.links)))

    def reactions(self) -> Array:
        """What holds each link and all it carries, for the present q, v, a [links + 1, 6]: moment and force in world
        axes at the joint; the last row is what the world gives to all. Zero for links fixed to another.

            state.forward()
            moment, force = np.split(state.reactions()[model.links.index("arm")], 2)

            >>> state.reactions().shape
            (2, 6)
        """
        return self._fill(lib.apl_reactions, (len(self.model.links) + 1, 6))

    def footings(self) -> List[Footing]:
        """What the ground gives to each joint that rolls, for the present motion: after forward().

            >>> state.footings()
            []
        """
        if self._kind is not float:
            raise ValueError("forces on footings want a state of kind float")
        n = lib.apl_model_count(self.model._model, lib.APL_FOOTINGS)
        out = ffi.new("apl_footing_forces[]", n + 1)
        self._call(lib.apl_footing_reactions, out)
        return [Footing(text(lib.apl_model_name(self.model._model, lib.APL_FOOTINGS, k)), g.normal, g.forward, g.lateral,
                       tuple(g.pressure), g.margin, g.friction, tuple(g.hitch) if g.hitched else ())
                for k, g in enumerate(out[0:n])]

    def energy(self) -> Energy:
        """Kinetic and potential energy [J]; potential: gravity, springs, elasticity.

            >>> round(float(state.energy().potential), 4)
            -8.4957
        """
        return Energy(*self._fill(lib.apl_energy, (2,)).tolist())

    def tendons(self) -> Tendons:
        """Lengths [m] and tensions [N] of the tendons, in the order of model.tendons.

            >>> state.tendons().tension.shape
            (0,)
        """
        out: Array = np.zeros((2, len(self.model.tendons)), self._kind)
        self._call(lib.apl_tendons, doubles(out[0]), doubles(out[1]))
        return Tendons(*out)

    def touch_shapes(self) -> None:
        """Give the shapes that touch at the present q their contacts (`collide`); they push by their laws until the
        next call. Runs and equilibrium() do so by themselves. In complex states the real parts decide who touches.

            >>> state.touch_shapes()
        """
        self._call(lib.apl_touch_shapes)

    def contacts(self) -> Contacts:
        """Where the contacts are and what they do, in the order of model.contacts. In a state of its own each one
        pushes as soon as it is in the ground; what rigid ones give is told by runs.

            >>> state.contacts().depth.shape
            (0,)
        """
        self._call(lib.apl_contacts)
        return self._contacts()

    def _contacts(self) -> Contacts:
        """The same as the last pass has left it."""
        n = len(self.model.contacts)
        number = lib.apl_state_width(self._state)
        part = np.zeros((number, n, 10))
        shapes: List[Optional[Tuple[str, str]]] = []
        contact = ffi.new("apl_contact*")
        for lane in range(number):
            for i in range(n):
                lib.apl_contact_get(self._state, i, lane, contact)
                x = contact.place
                part[lane, i] = [contact.depth, contact.rate, *contact.slip, *contact.force, x.x, x.y, x.z]
                if lane == 0:
                    a, b = contact.shape
                    shapes.append(None if a < 0 else (self.model.shapes[a], self.model.shapes[b]))
        row = part[0] + 1j * part[1] if self._kind is complex else part[0]
        return Contacts(row[:, 0], row[:, 1], row[:, 2:4], row[:, 4:7], row[:, 7:10], shapes)

    def modes(self, brakes: bool = False) -> List[Mode]:
        """Small motions about the state, which must be in balance (see equilibrium()): rigid ones first, then by
        frequency. Wheels roll unless `brakes` hold them.

            >>> found = state.equilibrium()
            >>> round(float(state.modes()[0].omega), 4)
            4.4294
        """
        if self._kind is not float:
            raise ValueError("modes want a state of kind float")
        if not self._springs:
            self._need_closed("modes")
        options = ffi.new("apl_modes_options*", lib.apl_modes_options_default())
        options.brakes = brakes
        out, err = ffi.new("apl_modes**"), ffi.new("apl_error*")
        status = lib.apl_modes_new(self.model._model, self._state, options, out, err)
        if status != lib.APL_OK:
            raise Error(text(err.text), status_text(status))
        modes = own(out[0], lib.apl_modes_free)
        return [self._mode(modes, k) for k in range(lib.apl_modes_count(modes))]

    def _mode(self, modes: Any, k: int) -> Mode:
        real, imag, share = np.zeros((3, self.model.nv))
        lib.apl_modes_shape(modes, k, doubles(real), doubles(imag))
        lib.apl_modes_share(modes, k, doubles(share))
        m = lib.apl_modes_at(modes, k)
        return Mode(text(lib.apl_mode_word(m.kind)), m.real, m.imag, m.omega, m.damping, m.time, real + 1j * imag,
                    share)

    def momentum(self) -> Array:
        """Angular, then linear momentum in world axes about the world's origin [6].

            >>> state.v = [1.0]
            >>> state.momentum().round(4)
            array([ 0.   ,  0.5  ,  0.   , -0.866,  0.   ,  0.5  ])
        """
        return self._fill(lib.apl_momentum, (6,))

    def center(self) -> Array:
        """Centre of mass in the world [3].

            >>> state.center().round(4)
            array([-0.25 ,  0.   , -0.433])
        """
        return self._fill(lib.apl_center, (3,))

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


def _axes(word: str) -> int:
    if word not in _AXES:
        raise ValueError(f"axes are 'world' or 'port', not {word!r}")
    return int(_AXES[word])
