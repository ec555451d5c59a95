# SPDX-License-Identifier: Apache-2.0
"""States: everything about a robot at one time."""
from __future__ import annotations

from typing import Any, List, Optional, Tuple

import numpy as np

from ._base import Array, Error, check, doubles, own, status_text, text
from ._native import ffi, lib
from .answers import (Contacts, Energy, Equilibrium, Footing, ForwardDerivatives, InverseDerivatives, Mode, Tendons)
from .state_loops import StateLoops
from .state_memory import axes_of


class State(StateLoops):
    """Everything that changes: q, v, a, tau, u are views of the library's own memory, without copies. Each
    method computes all it needs from them. Made by Model.state(); to be used by one thread at a time.

    ``state["arm.joint.angle"]`` is a coordinate, ``state["arm.joint.angle.rate"]`` a velocity,
    ``state["motor"]`` an input; all can be set.

        >>> state = model.state()
        >>> state.q[0] = 0.1
        >>> state.forward().round(4)
        array([-1.9587])
    """

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
        check(lib.apl_closing_forward(self._closer(), self._state, 0.0))
        return self._a

    def equilibrium(self, stable: bool = False) -> Equilibrium:
        """Go to the static shape near q for the present inputs (those of the file at time 0 until they are written or
        a run changes them), loads and efforts; v and a become zero. With
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
        return self._fill(lib.apl_jacobian, (6, self.model.nv), self.model.port(port), axes_of(axes))

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
            check(lib.apl_derivatives_new(self.model._model, room))
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
