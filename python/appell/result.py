# SPDX-License-Identifier: Apache-2.0
"""Results: the channels of a run as arrays, from memory or from a file."""
from __future__ import annotations

import fnmatch
import html
import os
import shutil
import sys
import tempfile
import webbrowser
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._base import Array, Error, status_text, text, unknown, view
from ._native import ffi, lib
from .plot import Plot, first_channels

if TYPE_CHECKING:
    from .model import Model


class Impact(NamedTuple):
    """A contact that has come and gone; rigid ones take no time."""

    contact: str
    start: float  # [s]
    end: float
    speed_in: float  # into and out of the ground [m/s]
    speed_out: float
    impulse: float  # of the normal force [N s]
    peak: float  # largest normal force [N], 0 when it took no time
    slip_in: Tuple[float, float]  # along the two directions of the ground, when it closed and when it opened [m/s]
    slip_out: Tuple[float, float]
    shapes: Optional[Tuple[str, str]] = None  # that touched each other; None: a contact with a ground


class Result(Mapping[str, Array]):
    """A mapping from names of channels to arrays over time; ``rows`` has them all, a row per output.

    ``units`` by channel; ``status`` is "finished", "stopped", "running" or "failed: sentence"; ``summary`` has
    numbers about the whole run; ``impacts`` are in the order in which they ended; ``model`` is
    the text of the model file, ``name`` what the robot is called; ``warnings`` has a sentence for each thing that
    the model does not cover, ``note`` says what the integrator `auto` did ("" for explicit steps only).

        >>> result = model.run(to=0.5, every=0.1)
        >>> result["arm.joint.angle"][:2].round(4)
        array([0.5236, 0.4752])
    """

    def __init__(self, channels: Sequence[str], units: Sequence[str], rows: Array, *, status: str = "",
                 summary: Mapping[str, float] = {}, impacts: Sequence[Impact] = (), name: str = "", model: str = "",
                 warnings: Sequence[str] = (), note: str = "", recorder: Any = None, path: str = "",
                 kinds: Sequence[str] = ()):
        self.rows = rows
        self.warnings = tuple(warnings)
        self.note = note
        self._recorder = recorder
        self._path = path
        self.units: Dict[str, str] = dict(zip(channels, units))
        self.status, self.name, self.model = status, name, model
        self.summary = dict(summary)
        self.impacts = tuple(impacts)
        self._column = {name: i for i, name in enumerate(channels)}
        self._kinds = dict(zip(channels, kinds))

    @property
    def time(self) -> Array:
        """Times of the rows [s].

            >>> result.time.round(1)
            array([0. , 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1. ])
        """
        return self["time"]

    def to_pandas(self) -> Any:
        """A pandas.DataFrame over time, a column per channel; its attrs["units"] has the units.

            model.run(to=1).to_pandas().plot(y="arm.joint.angle")

            >>> frame = result.to_pandas()
            >>> frame.attrs["units"]["arm.joint.angle"]
            'rad'
        """
        import pandas

        names = [n for n in self._column if n != "time"]
        frame = pandas.DataFrame({n: self[n] for n in names}, index=pandas.Index(self.time, name="time"))
        frame.attrs["units"] = dict(self.units)
        return frame

    def plot(self, *channels: str, width: int = 860, height: int = 190) -> Plot:
        """The curves of these channels, which may be patterns ("*.angle"); without any, joints, speeds and efforts.

        A notebook draws it; ``.save("run.svg")`` writes it. It needs no other package.

            >>> result.plot("arm.joint.*")
            <appell.Plot of 2 channels>
        """
        names: List[str] = []
        for c in channels:
            found = fnmatch.filter(self._column, c) if any(x in c for x in "*?[") else [c]
            if not found or found[0] not in self._column:
                raise KeyError(unknown("channel", c, self._column))
            names += [n for n in found if n not in names and n != "time"]
        if channels and not names:
            raise ValueError("'time' is the axis of every plot: name another channel")
        return Plot(self, names or first_channels(list(self._column), self._kinds), width, height)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write a run in memory as .h5 or .csv, the same bytes as `appell run` writes.

            >>> result.save("run.csv")
        """
        self._write(path, (".h5", ".csv"))

    def page(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write a page (.html) that replays the run in a browser.

            >>> result.page("run.html")
        """
        if self._recorder is not None or not self._path:
            self._write(path, (".html",))
            return
        result = ffi.new("char[]", os.fsencode(self._path))
        err = ffi.new("apl_error*")
        status = lib.apl_results_page(ffi.new("char*[]", [result]), 1, os.fsencode(path), err)
        if status != lib.APL_OK:
            raise Error(text(err.text), status_text(status))

    def show(self, height: int = 640) -> Any:
        """The replay of the run: inside a notebook as a frame of this height, else in the browser.

        Returns what a notebook displays, or the path of the page that was opened.

            >>> result.show(height=500)  # doctest: +SKIP
        """
        folder = tempfile.mkdtemp(prefix="appell-")
        path = os.path.join(folder, "run.html")
        self.page(path)
        if _in_notebook():
            with open(path, encoding="utf-8") as f:
                shown = _Frame(f.read(), int(height))
            shutil.rmtree(folder)
            return shown
        webbrowser.open("file://" + path)
        return path

    def _write(self, path: Union[str, os.PathLike[str]], endings: Sequence[str]) -> None:
        name = os.fspath(path)
        if self._recorder is None:
            raise Error("only a run in memory can be written: this result came from a file")
        if not name.endswith(tuple(endings)):
            raise ValueError(f"the name must end in {' or '.join(endings)}, not {name!r}")
        err = ffi.new("apl_error*")
        status = lib.apl_recorder_save(self._recorder, os.fsencode(name), err)
        if status != lib.APL_OK:
            raise Error(text(err.text), status_text(status))

    def __getitem__(self, name: str) -> Array:
        if name not in self._column:
            raise KeyError(unknown("channel", name, self._column))
        return self.rows[:, self._column[name]]

    def __contains__(self, name: object) -> bool:
        return name in self._column

    def __iter__(self) -> Iterator[str]:
        return iter(self._column)

    def __len__(self) -> int:
        return len(self._column)

    def _repr_html_(self) -> str:
        """What a notebook shows: how the run ended, what it warns of, joints, speeds and efforts."""
        told = "".join(f"<p>{html.escape(w)}</p>" for w in self.warnings)
        head = (f"<b>{html.escape(self.name or 'run')}</b>: {html.escape(self.status)}, {len(self.rows)} rows of {len(self)} channels "
                "(<code>.plot(\"*.angle\")</code> draws others, <code>.show()</code> replays the motion)")
        curves = self.plot()._repr_svg_() if len(self.rows) else ""
        return f"<div><p>{head}</p>{told}{curves}</div>"

    def __repr__(self) -> str:
        return f"<appell.Result '{self.name}': {len(self.rows)} rows of {len(self)} channels, {self.status}>"


class _Frame:
    """A page inside a notebook, in a frame that cannot reach out of it."""

    def __init__(self, page: str, height: int):
        self._page, self._height = page, height

    def _repr_html_(self) -> str:
        return (f'<iframe sandbox="allow-scripts allow-downloads" width="100%" height="{self._height}" '
                f'style="border:0" srcdoc="{html.escape(self._page, quote=True)}"></iframe>')


def _in_notebook() -> bool:
    """IPython in a terminal shows no frames: only one with a kernel does."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and getattr(ipython.get_ipython(), "kernel", None) is not None


def kept_result(recorder: Any, model: Model) -> Result:
    """What a recorder has in memory, without a copy of its rows."""
    channels = [lib.apl_recorder_channel(recorder, i) for i in range(lib.apl_recorder_channels(recorder))]
    lines = [lib.apl_recorder_summary(recorder, i) for i in range(lib.apl_recorder_nsummary(recorder))]
    hits = [lib.apl_recorder_impact(recorder, i) for i in range(lib.apl_recorder_nimpact(recorder))]
    n = lib.apl_recorder_nrow(recorder)
    rows = view(lib.apl_recorder_rows(recorder), n * len(channels), float, recorder).reshape(n, len(channels))
    return Result(
        [text(c.name) for c in channels], [text(c.unit) for c in channels], rows,
        status=text(lib.apl_recorder_status(recorder)), summary={text(s.key): s.value for s in lines},
        impacts=[_impact(model, hit) for hit in hits],
        kinds=[text(c.sentence) for c in channels], name=model.name, model=model.text, recorder=recorder, note=text(lib.apl_recorder_note(recorder)),
        warnings=[text(lib.apl_recorder_warning(recorder, i)) for i in range(lib.apl_recorder_nwarning(recorder))])


def _impact(model: Model, hit: Any) -> Impact:
    return Impact(model.contacts[hit.contact], hit.start, hit.end, hit.speed_in, hit.speed_out, hit.impulse,
                  hit.peak, (hit.slip_in[0], hit.slip_in[1]), (hit.slip_out[0], hit.slip_out[1]),
                  None if hit.shape[0] < 0 else (model.shapes[hit.shape[0]], model.shapes[hit.shape[1]]))


def read_result(path: Union[str, os.PathLike[str]]) -> Result:
    """Read a result file of `appell run -o` (docs/formats/result.md), also that of a run still going on.

        >>> result.save("run.h5")
        >>> len(appell.read_result("run.h5").time)
        11
    """
    try:
        import h5py
    except ImportError:
        raise Error("reading result files needs h5py (Debian: python3-h5py)") from None
    name = os.fspath(path)
    try:
        with h5py.File(name, "r") as f:
            if _word(f.attrs.get("format", "")) != "appell result":
                raise Error(f"{name}: this is an HDF5 file, but not a result of appell")
            version = int(f.attrs["format-version"])
            if version not in (1, 2, 3):
                raise Error(f"{name}: format version {version} is not known, only 1 to 3 are")
            table, summary = f["channels"][()], f["summary"][()]
            rows = f["rows"][()]
            if version >= 2:
                sums = f["row-sums"][()]
                rows = rows[:len(sums)]  # a run that was killed may have rows without their sums
                wrong = np.flatnonzero(_row_sums(rows) != sums[:len(rows)])
                if len(wrong) > 0:
                    raise Error(f"{name}: the result is damaged: row {wrong[0]} does not fit its checksum")
            words = dict(zip(_words(summary["key"]), _words(summary["text"])))
            return Result(
                _words(table["name"]), _words(table["unit"]), rows, status=_word(f.attrs["status"]),
                summary=dict(zip(_words(summary["key"]), summary["value"].tolist())),
                kinds=_words(table["description"]), impacts=_impacts_of(f) if version >= 3 else (),
                note=words.get("integrator.changes", ""),
                name=_word(f.attrs["name"]), model=_word(f["model"][()]), path=os.path.abspath(name))
    except (OSError, KeyError) as e:
        raise Error(f"{name}: the result cannot be read: {e}") from e


def _impacts_of(file: Any) -> List[Impact]:
    """Impacts of the table of events (docs/formats/result.md)."""
    out = []
    for e in file["events"][()]:
        x = e["numbers"].tolist()
        if x[0] != 1:
            continue
        name = _word(e["name"])
        pair = tuple(name.split(", ")) if x[2] >= 0 else None
        out.append(Impact(name, float(e["time"]), x[4], float(e["value"]), x[5], x[10], x[11], (x[6], x[7]), (x[8], x[9]),
                          pair))  # type: ignore[arg-type]
    return out


def _row_sums(rows: Array) -> Array:
    """The checksums of docs/formats/result.md, all rows at once."""
    def mix(h: Array, word: Any) -> Array:
        h = h ^ word
        return (h << np.uint64(29) | h >> np.uint64(35)) * np.uint64(0x9E3779B97F4A7C15)

    h = np.arange(len(rows), dtype=np.uint64)
    for column in np.ascontiguousarray(rows.T, dtype=np.float64).view(np.uint64):
        h = mix(h, column)
    return mix(h, np.uint64(rows.shape[1]))


def _word(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _words(values: Any) -> List[str]:
    return [_word(v) for v in values]
