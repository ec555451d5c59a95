# SPDX-License-Identifier: Apache-2.0
"""What models and states answer: named tuples."""
from __future__ import annotations

from typing import List, Mapping, NamedTuple, Optional, Tuple

from ._base import Array


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
