# SPDX-License-Identifier: Apache-2.0
"""Errors, ownership of C objects, and views of their memory."""
from __future__ import annotations

import difflib
import warnings
from typing import TYPE_CHECKING, Any, Callable, Iterable, NamedTuple, Tuple

import numpy as np

from ._native import ffi, lib

if TYPE_CHECKING:
    Array = np.ndarray[Any, np.dtype[Any]]
else:  # NumPy before 1.22 has no parameters there
    Array = np.ndarray


class Mistake(NamedTuple):
    """One sentence about a file; line and column are 0 where it is about no place in it."""

    line: int
    column: int
    text: str


class Error(Exception):
    """What went wrong, in one sentence per mistake: ``file:line:column: sentence``.

    ``status`` is the name of the general reason, ``mistakes`` has the places in a file, and ``result`` what a
    failed run had computed until then.
    """

    __module__ = "appell"

    def __init__(self, text: str, status: str = "", mistakes: Iterable[Mistake] = (), result: Any = None):
        super().__init__(text)
        self.status = status
        self.mistakes = list(mistakes)
        self.result = result


class Doubt(UserWarning):
    """What a file says and no robot has, or what is unlikely to be meant: it is kept, and this tells it."""

    __module__ = "appell"


def version() -> str:
    return text(lib.apl_version())


def text(chars: Any) -> str:
    return "" if chars == ffi.NULL else str(ffi.string(chars), "utf-8", "replace")


def status_text(status: int) -> str:
    return text(lib.apl_status_text(status))


def check(status: int) -> None:
    """Raises MemoryError or Error with the reason, unless the status is that of success."""
    if status == lib.APL_ERR_MEMORY:
        raise MemoryError(status_text(status))
    if status != lib.APL_OK:
        raise Error(status_text(status), status_text(status))


def own(pointer: Any, free: Callable[[Any], None], *keep: Any) -> Any:
    """The pointer, freed with its last reference and before anything in `keep`."""

    def release(p: Any, _keep: Any = keep) -> None:
        free(p)

    return ffi.gc(pointer, release)


class _Memory:
    """Numbers in C memory, for NumPy; an array made of it keeps `owner` alive."""

    def __init__(self, pointer: Any, count: int, kind: type, owner: Any):
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "shape": (count,),
            "typestr": np.dtype(kind).str,
            "data": (int(ffi.cast("uintptr_t", pointer)), False),
        }


def view(pointer: Any, count: int, kind: type, owner: Any) -> Array:
    """An array over C memory, without a copy."""
    return np.asarray(_Memory(pointer, count, kind, owner)) if count else np.empty(0, kind)


def doubles(array: Array) -> Any:
    """The memory of a contiguous array, as double*."""
    return ffi.cast("double*", array.ctypes.data)


def report_error(where: str, status: int, report: Any, settings: Iterable[str] = ()) -> Error:
    """The mistakes of a report as an exception; those about the k-th setting have line -k."""
    settings = list(settings)
    kept = min(report.count, lib.APL_REPORT_MAX)
    mistakes = [Mistake(e.line, e.column, text(e.text)) for e in report.item[0:kept]]
    lines = []
    for m in mistakes:
        if m.line < 0 and -m.line <= len(settings):
            lines.append(f"set {settings[-m.line - 1]}: {m.text}")
            continue
        lines.append(f"{place_of(where, m)}: {m.text}")
    if report.count > kept:
        lines.append(f"{where}: and {report.count - kept} more errors")
    return Error("\n".join(lines) or f"{where}: {status_text(status)}", status_text(status), mistakes)


def place_of(where: str, m: Mistake) -> str:
    return where + (f":{m.line}:{m.column}" if m.line and m.column else f":{m.line}" if m.line else "")


def report_doubts(where: str, report: Any, stacklevel: int) -> Tuple[Mistake, ...]:
    """The warnings of a report, issued as one Doubt each."""
    kept = min(report.warnings, lib.APL_REPORT_WARNINGS)
    doubts = tuple(Mistake(e.line, e.column, text(e.text)) for e in report.warning[0:kept])
    for m in doubts:
        warnings.warn(f"{place_of(where, m)}: {m.text}", Doubt, stacklevel + 1)
    if report.warnings > kept:
        warnings.warn(f"{where}: and {report.warnings - kept} more warnings", Doubt, stacklevel + 1)
    return doubts


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """A sentence about a name that does not exist."""
    near = difflib.get_close_matches(str(name), list(known), 1)
    return f"there is no {kind} '{name}'" + (f"; did you mean '{near[0]}'?" if near else "")
