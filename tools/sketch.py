"""A drawing of a replay page as SVG, for galleries where there is no browser: outlines of the shapes, filled, the far ones
first. sketch(page, out, width, height) reads the data of the page; only Python's own library is used."""

import array
import base64
import json
import math
import re
from pathlib import Path

COLOURS = ["#5b7fb8", "#4f9f83", "#a8638f", "#8a7cc4", "#4b97ab", "#8f9648", "#b5675f", "#c79a4a"]
VIEW = (0.75, -1.3, 0.6)  # from where one looks


def data_of(page):
    text = Path(page).read_text(encoding="utf-8")
    return json.loads(re.search(r'id="appell-data" type="application/json">(.*?)</script>', text, re.S).group(1))


def numbers(text, kind):
    out = array.array(kind)
    out.frombytes(base64.b64decode(text))
    return out


def turn(q, v):
    """R v of the quaternion q = w x y z: v + 2 w u x v + 2 u x (u x v)"""
    w, x, y, z = q
    a = (y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0])
    b = (y * a[2] - z * a[1], z * a[0] - x * a[2], x * a[1] - y * a[0])
    return tuple(v[k] + 2 * (w * a[k] + b[k]) for k in range(3))


def placed(pose, v):
    r = turn(pose[3:], v)
    return tuple(pose[k] + r[k] for k in range(3))


def corners(shape):
    """Points of which the outline of a solid is the hull, in its own frame."""
    s, ring = shape["size"], [(math.cos(k * math.pi / 8), math.sin(k * math.pi / 8)) for k in range(16)]
    if shape["type"] == "box":
        return [(x * s[0] / 2, y * s[1] / 2, z * s[2] / 2) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    if shape["type"] in ("cylinder", "wheel", "capsule"):
        more = s[0] if shape["type"] == "capsule" else 0
        flat = [(s[0] * c, s[0] * n, z * s[1] / 2) for c, n in ring for z in (-1, 1)]
        return flat + [(0, 0, z * (s[1] / 2 + more)) for z in (-1, 1)]
    if shape["type"] == "sphere":
        return [(s[0] * c * math.cos(t), s[0] * n * math.cos(t), s[0] * math.sin(t))
                for c, n in ring for t in (-1.2, -0.6, 0, 0.6, 1.2)]
    return []


def hull(points):
    points = sorted(set(points))
    def half(some):
        out = []
        for p in some:
            while len(out) > 1 and ((out[-1][0] - out[-2][0]) * (p[1] - out[-2][1])
                                    <= (out[-1][1] - out[-2][1]) * (p[0] - out[-2][0])):
                out.pop()
            out.append(p)
        return out[:-1]
    return half(points) + half(points[::-1])


def camera():
    """Axes of the picture: right, up, and towards the reader."""
    n = math.sqrt(sum(x * x for x in VIEW))
    back = tuple(x / n for x in VIEW)
    right = (-back[1], back[0], 0)
    m = math.hypot(*right[:2])
    right = tuple(x / m for x in right)
    up = (back[1] * right[2] - back[2] * right[1], back[2] * right[0] - back[0] * right[2],
          back[0] * right[1] - back[1] * right[0])
    return right, up, back


def outlines(d, frame):
    """[(depth, kind, points in the picture, colour)] of all that is drawn."""
    axes = camera()
    poses, nport = numbers(d["poses"], "f"), len(d["ports"])
    pose = lambda p: (0, 0, 0, 1, 0, 0, 0) if p < 0 else poses[(frame * nport + p) * 7:][:7]
    flat = lambda v: tuple(sum(a[k] * v[k] for k in range(3)) for a in axes)
    links = [link["name"] for link in d.get("links", [])]
    def colour(shape, port):
        link = d["ports"][port]["link"] if port >= 0 else ""
        return shape.get("colour") or (COLOURS[links.index(link) % 8] if link in links else "#6b7480")
    out = []
    for s in d.get("shapes", []):
        if "ports" in s:
            points = [flat(pose(p)[:3]) for p in s["ports"]]
            out.append((min(p[2] for p in points), "line", points, colour(s, s["ports"][1])))
            continue
        at = pose(s["port"])
        o = s.get("offset", [0, 0, 0, 1, 0, 0, 0])
        points = [flat(placed(at, placed(o, c))) for c in corners(s)]
        if points:
            out.append((sum(p[2] for p in points) / len(points), "solid", points, colour(s, s["port"])))
    for s in d.get("strips", []):
        points = [flat(pose(p)[:3]) for p in s["ports"]]
        out.append((min(p[2] for p in points), "strip", points, colour(s, s["ports"][1])))
    return sorted(out, key=lambda x: x[0])


def sketch(page, out, width, height):
    """Write the drawing; False when the page has nothing to draw."""
    d = data_of(page)
    items = outlines(d, (len(numbers(d["times"], "d")) - 1) // 3)
    points = [p for item in items for p in item[2]]
    if not points:
        return False
    low = [min(p[k] for p in points) for k in (0, 1)]
    high = [max(p[k] for p in points) for k in (0, 1)]
    scale = 0.84 * min(width / max(high[0] - low[0], 1e-9), height / max(high[1] - low[1], 1e-9))
    to = lambda p: (round(width / 2 + scale * (p[0] - (low[0] + high[0]) / 2), 1),
                    round(height / 2 - scale * (p[1] - (low[1] + high[1]) / 2), 1))
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" stroke-linejoin="round" '
             'stroke-linecap="round">']
    for _, kind, some, colour in items:
        flat = [to(p) for p in some]
        text = " ".join(f"{x},{y}" for x, y in (hull(flat) if kind == "solid" else flat))
        if kind == "solid":
            lines.append(f'<polygon points="{text}" fill="{colour}" stroke="#1b1f26" stroke-opacity=".35"/>')
        else:
            lines.append(f'<polyline points="{text}" fill="none" stroke="{colour}" '
                         f'stroke-width="{5 if kind == "strip" else 2}"/>')
    Path(out).write_text("\n".join([*lines, "</svg>", ""]), encoding="utf-8")
    return True
