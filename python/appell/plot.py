# SPDX-License-Identifier: Apache-2.0
"""Curves as SVG, without another package: what Result.plot() returns and a notebook draws."""
from __future__ import annotations

import html
import math
import os
from typing import TYPE_CHECKING, Callable, Dict, List, Sequence, Tuple, Union

import numpy as np

from ._base import Array

if TYPE_CHECKING:
    from .result import Result

_COLOURS = ("#2f6fde", "#0f9a6c", "#c43c8c", "#7a5af0", "#0794b0", "#7d8b1f", "#a3372a", "#c98a00")
_MOST_POINTS = 800  # of a curve: a pixel shows no more
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 210, 14, 22


class Plot:
    """Curves of a result over time, channels of one unit in one panel. A notebook draws it; ``save`` writes it as SVG.

        >>> plot = result.plot("arm.joint.angle")
        >>> plot
        <appell.Plot of 1 channel>
    """

    def __init__(self, result: Result, channels: Sequence[str], width: int = 860, height: int = 190):
        self.channels = tuple(channels)
        self._time = np.asarray(result.time)
        self._values = {c: np.asarray(result[c]) for c in channels}
        self._units = {c: result.units[c] for c in channels}
        self._width, self._height = width, height

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write the figure as .svg.

            >>> result.plot().save("run.svg")
        """
        if not os.fspath(path).endswith(".svg"):
            raise ValueError(f"the name must end in .svg, not {os.fspath(path)!r}; `appell plot` writes .png and .pdf")
        with open(path, "w", encoding="utf-8") as f:
            f.write(self._repr_svg_())

    def __repr__(self) -> str:
        return f"<appell.Plot of {len(self.channels)} channel{'' if len(self.channels) == 1 else 's'}>"

    def _repr_svg_(self) -> str:
        panels: Dict[str, List[str]] = {}
        for c in self.channels:
            panels.setdefault(self._units[c], []).append(c)
        height = self._height * len(panels) + 18
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self._width} {height}" width="{self._width}" '
                 f'height="{height}" font-family="system-ui, sans-serif" font-size="11" fill="#69727f">',
                 f'<rect width="{self._width}" height="{height}" fill="#ffffff"/>']
        for row, (unit, names) in enumerate(panels.items()):
            parts += self._panel(row * self._height, unit, names)
        parts.append(f'<text x="{(self._width - _RIGHT + _LEFT) / 2:.0f}" y="{height - 4}" text-anchor="middle">time (s)</text>')
        return "\n".join([*parts, "</svg>", ""])

    def _panel(self, top: float, unit: str, names: Sequence[str]) -> List[str]:
        right, low_y, high_y = self._width - _RIGHT, top + self._height - _BOTTOM, top + _TOP
        t0, t1 = _range(self._time)
        y0, y1 = _range(np.concatenate([self._values[n] for n in names]), 0.06)

        def x(t: float) -> float:
            return _LEFT + (t - t0) / (t1 - t0) * (right - _LEFT)

        def y(v: float) -> float:
            return low_y - (v - y0) / (y1 - y0) * (low_y - high_y)

        out = []
        for v in _ticks(y0, y1, 4):
            out.append(f'<path d="M{_LEFT} {y(v):.1f}H{right}" stroke="#e6e9ee"/>'
                       f'<text x="{_LEFT - 6}" y="{y(v) + 4:.1f}" text-anchor="end">{v:.6g}</text>')
        for t in _ticks(t0, t1, 8):
            out.append(f'<path d="M{x(t):.1f} {high_y}V{low_y}" stroke="#e6e9ee"/>'
                       f'<text x="{x(t):.1f}" y="{low_y + 14}" text-anchor="middle">{t:.6g}</text>')
        out.append(f'<text transform="translate(12 {(low_y + high_y) / 2:.0f}) rotate(-90)" text-anchor="middle">'
                   f'{html.escape(unit)}</text>')
        for k, name in enumerate(names):
            colour = _COLOURS[k % len(_COLOURS)]
            dash = f' stroke-dasharray="{(0, 6, 2)[k // 8 % 3]} 3"' if k >= 8 else ""
            out.append(f'<path d="{_path(*_thin(self._time, self._values[name]), x, y)}" fill="none" stroke="{colour}" '
                       f'stroke-width="1.5"{dash}/>')
            at = high_y + 10 + 15 * k
            if at < low_y + 10:
                out.append(f'<path d="M{right + 10} {at - 4}h16" stroke="{colour}" stroke-width="2"{dash}/>'
                           f'<text x="{right + 31}" y="{at}">{html.escape(name)}</text>')
        return out


def first_channels(names: Sequence[str], kinds: Dict[str, str], most: int = 7) -> List[str]:
    """Joints, speeds, then what drives them, as `appell plot` without a channel takes them."""
    out: List[str] = []
    for kind in ("coordinate", "velocity", "effort", "input"):
        out += [n for n in names if kinds.get(n, "").startswith(kind) and n.rpartition(".")[2] not in ("qw", "qx", "qy", "qz")][:most]
    return out or [n for n in names if n != "time"][:most]


def _range(values: Array, room: float = 0.0) -> Tuple[float, float]:
    """The smallest and the largest finite number, and some room; never empty."""
    known = values[np.isfinite(values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    if low == high:
        room = 0.1 * abs(low) or 1.0
        return low - room, high + room
    return low - room * (high - low), high + room * (high - low)


def _ticks(low: float, high: float, about: int) -> List[float]:
    """Round numbers in between."""
    power = 10.0 ** math.floor(math.log10((high - low) / about))
    step = next(k * power for k in (1, 2, 5, 10) if (high - low) / (k * power) <= about)
    return [float(f"{k * step:.12g}") for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def _thin(t: Array, v: Array) -> Tuple[Array, Array]:
    """Of long curves the smallest and the largest of each piece stay."""
    if len(t) <= _MOST_POINTS:
        return t, v
    pieces = np.array_split(np.arange(len(t)), _MOST_POINTS // 2)
    keep = sorted({int(i) for p in pieces for i in (p[np.argmin(v[p])], p[np.argmax(v[p])])} | {0, len(t) - 1})
    return t[keep], v[keep]


def _path(t: Array, v: Array, x: Callable[[float], float], y: Callable[[float], float]) -> str:
    """Numbers that are not finite leave a gap."""
    out, pen = [], "M"
    for a, b in zip(t.tolist(), v.tolist()):
        if not math.isfinite(b):
            pen = "M"
            continue
        out.append(f"{pen}{x(a):.1f} {y(b):.1f}")
        pen = "L"
    return "".join(out)
