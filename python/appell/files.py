# SPDX-License-Identifier: Apache-2.0
"""From a file or a text to a model."""
from __future__ import annotations

import os
from typing import Any, Callable, Iterable, Mapping, Optional, Union

import numpy as np

from ._base import own, report_doubts, report_error
from ._native import ffi, lib
from .model import Model

_ACTUATORS = {None: lib.APL_ACTUATORS_NONE, "effort": lib.APL_ACTUATORS_EFFORT, "position": lib.APL_ACTUATORS_POSITION,
              "velocity": lib.APL_ACTUATORS_VELOCITY, "file": lib.APL_ACTUATORS_FILE}
_BASES = {"fixed": lib.APL_BASE_FIXED, "floating": lib.APL_BASE_FLOATING}


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
    made._start_block()  # mistakes in the start block are told now
    made.doubts = report_doubts(where, report, 3)
    return made
