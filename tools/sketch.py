# SPDX-License-Identifier: Apache-2.0
"""A drawing of a replay page as SVG, for galleries where there is no browser: shaded faces of all shapes, the far ones
first, on a floor with a grid and a shadow. sketch(page, out, width, height) reads the data of the page
(docs/formats/page.md); only Python's own library is used."""

import array
import base64
import json
import math
import re
from pathlib import Path

COLOURS = ["#5b7fb8", "#4f9f83", "#a8638f", "#8a7cc4", "#4b97ab", "#8f9648", "#b5675f", "#c79a4a"]
SUN = (-0.3, -0.55, 0.78)
RIM = "#b9c0ca"
GREY = "#6b7480"
TENDON = "#e0a100"
GLASS = 0.16


# ------------------------------------------------------------------------------------------ vectors


def add(a, b, s=1.0):
    return (a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    n = math.sqrt(dot(a, a))
    return (a[0] / n, a[1] / n, a[2] / n) if n > 0 else (0, 0, 1)


def turn(q, v):
    """R v of the quaternion q = w x y z: v + 2 w u x v + 2 u x (u x v)"""
    a = cross(q[1:], v)
    b = cross(q[1:], a)
    return tuple(v[k] + 2 * (q[0] * a[k] + b[k]) for k in range(3))


def placed(pose, v):
    return add(pose, turn(pose[3:], v))


# -------------------------------------------------------------------------------------------- shapes

# A piece is ("face", points, colour, opacity), ("ball", centre, radius, colour) or ("line", points, colour, width).


def ring(n, a, b=None):
    b = a if b is None else b
    return [(a * math.cos(2 * math.pi * k / n), b * math.sin(2 * math.pi * k / n)) for k in range(n)]


def band(low, high, colour, opacity=1.0):
    """The faces between two rings of points, seen from outside."""
    n = len(low)
    return [("face", [low[k], low[(k + 1) % n], high[(k + 1) % n], high[k]], colour, opacity) for k in range(n)]


def tube(r, length, colour, opacity=1.0, n=24):
    """The side of a cylinder along z."""
    low, high = ([(x, y, z * length / 2) for x, y in ring(n, r)] for z in (-1, 1))
    return band(low, high, colour, opacity)


def cap(r, z, up, colour, n=24):
    points = [(x, y, z) for x, y in ring(n, r)]
    return ("face", points if up else points[::-1], colour, 1.0)


def box(x, y, z, colour):
    faces = []
    for k in range(3):
        for side in (-1, 1):
            corners = []
            for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                p = [0, 0, 0]
                p[k], p[(k + 1) % 3], p[(k + 2) % 3] = side, u, v
                corners.append((p[0] * x / 2, p[1] * y / 2, p[2] * z / 2))
            faces.append(("face", corners if side > 0 else corners[::-1], colour, 1.0))
    return faces


def wheel(r, width, colour):
    out = tube(r, width, colour)
    for side in (-1, 1):
        out += [cap(r, side * width / 2, side > 0, colour), cap(0.66 * r, side * 0.505 * width, side > 0, RIM),
                cap(0.2 * r, side * 0.51 * width, side > 0, GREY)]
    return out


def frame_axes(length):
    return [("line", [(0, 0, 0), tuple(length * (i == k) for i in range(3))], c, 1.6)
            for k, c in enumerate(("#d9483b", "#3f9b46", "#3b6fd9"))]


def mesh(d, shape, colour):
    m = d["meshes"][shape["mesh"]]
    x, corner, s = numbers(m["points"], "f"), numbers(m["triangles"], "I"), shape["size"]
    point = lambda i: (x[3 * i] * s[0], x[3 * i + 1] * s[1], x[3 * i + 2] * s[2])
    return [("face", [point(i) for i in corner[k:k + 3]], colour, 1.0) for k in range(0, len(corner), 3)]


def solid(d, shape, colour):
    """Pieces of a shape in its own frame."""
    kind, s = shape["type"], shape["size"]
    if kind == "box":
        return box(*s, colour)
    if kind == "cylinder":
        return tube(*s, colour) + [cap(s[0], s[1] / 2, True, colour), cap(s[0], -s[1] / 2, False, colour)]
    if kind == "capsule":
        return tube(*s, colour) + [("ball", (0, 0, z * s[1] / 2), s[0], colour) for z in (-1, 1)]
    if kind == "sphere":
        return [("ball", (0, 0, 0), s[0], colour)]
    if kind == "wheel":
        return wheel(*s, colour)
    if kind == "pipe":
        outside = tube(*s, colour, GLASS)
        return outside + [("face", f[1][::-1], colour, GLASS) for f in outside]
    if kind == "frame":
        return frame_axes(s[0])
    return mesh(d, shape, colour) if kind == "mesh" else []


def moved(piece, pose):
    if piece[0] == "ball":
        return ("ball", placed(pose, piece[1]), *piece[2:])
    return (piece[0], [placed(pose, p) for p in piece[1]], *piece[2:])


def between(a, b, s):
    """A pose between two: a curve along their z axes, quaternions straight and normalised."""
    length = math.dist(a[:3], b[:3])
    za, zb = turn(a[3:], (0, 0, length)), turn(b[3:], (0, 0, length))
    h = (2 * s**3 - 3 * s**2 + 1, s**3 - 2 * s**2 + s, 3 * s**2 - 2 * s**3, s**3 - s**2)
    at = [h[0] * a[k] + h[1] * za[k] + h[2] * b[k] + h[3] * zb[k] for k in range(3)]
    sign = -1 if sum(a[k] * b[k] for k in range(3, 7)) < 0 else 1
    q = [(1 - s) * a[k] + s * sign * b[k] for k in range(3, 7)]
    n = math.sqrt(sum(x * x for x in q)) or 1
    return (*at, *(x / n for x in q))


def strip(poses, half, colour, thin):
    """A body that bends, as solids from one ellipse along its poses to the next."""
    n = max(1, min(8, 48 // len(poses)))
    along = [between(a, b, k / n) for a, b in zip(poses, poses[1:]) for k in range(n)] + [poses[-1]]
    half = [max(h, thin) for h in half or (2 * thin, 2 * thin)]
    rings = [[placed(p, (x, y, 0)) for x, y in ring(14, *half)] for p in along]
    return [[*band(a, b, colour), ("face", b, colour, 1.0), ("face", a[::-1], colour, 1.0)]
            for a, b in zip(rings, rings[1:])]


def rods(points, r, colour):
    """A tube through points: straight solids with a ball at each end."""
    out = []
    for a, b in zip(points, points[1:]):
        z = unit(add(b, a, -1))
        x = unit(cross(z, (0, 0, 1) if abs(z[2]) < 0.9 else (1, 0, 0)))
        y = cross(z, x)
        low, high = ([add(add(c, x, u), y, v) for u, v in ring(14, r)] for c in (a, b))
        out.append([*band(low, high, colour), ("ball", a, r, colour), ("ball", b, r, colour)])
    return out


def solids(d, frame):
    """All that is drawn at a frame, in the world: lists of pieces, each list about convex."""
    poses, nport = numbers(d["poses"], "f"), len(d["ports"])
    pose = lambda p: (0, 0, 0, 1, 0, 0, 0) if p < 0 else tuple(poses[(frame * nport + p) * 7:][:7])
    links = [link["name"] for link in d.get("links", [])]
    xyz = [poses[k::7] for k in range(3)] if nport else [[0, 1]] * 3
    thin = 0.003 * max(max(x) - min(x) for x in xyz)

    def colour(shape, port):
        link = d["ports"][port]["link"] if port >= 0 else ""
        own = TENDON if shape.get("through") else COLOURS[links.index(link) % 8] if link in links else GREY
        return shape.get("colour") or own

    out = []
    for s in d.get("shapes", []):
        if "ports" in s:
            points, paint = [pose(p)[:3] for p in s["ports"]], colour(s, s["ports"][1])
            if s["type"] == "tube":
                out += rods(points, s["size"][0], paint)
            else:
                out += [[("line", [a, b], paint, 1.6)] for a, b in zip(points, points[1:])]
            continue
        at, offset = pose(s["port"]), s.get("offset", [0, 0, 0, 1, 0, 0, 0])
        mine = [moved(moved(p, offset), at) for p in solid(d, s, colour(s, s["port"]))]
        # one looks into a pipe: each of its faces stands alone
        out += [[p] for p in mine] if s["type"] == "pipe" else [mine]
    for s in d.get("strips", []):
        out += strip([pose(p) for p in s["ports"]], s.get("half"), colour(s, s["ports"][1]), thin)
    return [pieces for pieces in out if pieces]


# --------------------------------------------------------------------------------------------- order


class Thing:
    """A list of pieces that is drawn at once, with its box in the picture, its depth and the planes of its faces."""

    def __init__(self, pieces, axes):
        self.pieces = pieces
        self.points = [(p, 0.0) for piece in pieces if piece[0] != "ball" for p in piece[1]]
        self.points += [(piece[1], piece[2]) for piece in pieces if piece[0] == "ball"]
        flat = [([dot(a, p) for a in axes], r) for p, r in self.points]
        self.low, self.high = ([f(x[k] + sign * r for x, r in flat) for k in (0, 1)] for f, sign in ((min, -1), (max, 1)))
        self.depth = sum(x[2] for x, _ in flat) / len(flat)
        self.size = math.dist(self.low, self.high)
        self.planes = []
        for piece in pieces:
            if piece[0] == "face":
                n = normal_of(piece[1])
                self.planes.append((n, dot(n, piece[1][0]), dot(n, axes[2])))
                if len(pieces) == 1:
                    self.planes.append((tuple(-x for x in n), -dot(n, piece[1][0]), -dot(n, axes[2])))


def normal_of(points):
    return unit(cross(add(points[2], points[0], -1), add(points[3 % len(points)], points[1], -1)))


def in_front(a, b):
    """1 when b stands in front of a, -1 when behind, 0 when neither covers the other."""
    if any(a.high[k] <= b.low[k] or b.high[k] <= a.low[k] for k in (0, 1)):
        return 0
    slack = 1e-3 * min(a.size, b.size)
    for one, other, sign in ((a, b, 1), (b, a, -1)):
        for n, offset, facing in one.planes:
            # the plane parts them: the other one is in front if the plane looks at the reader
            if abs(facing) > 1e-6 and all(dot(n, p) - r >= offset - slack for p, r in other.points):
                return sign if facing > 0 else -sign
    return 1 if b.depth >= a.depth else -1


def painters_order(things):
    """The far ones first. Where they cover each other in a ring, the farthest of them breaks it."""
    count = len(things)
    after, waits = [[] for _ in things], [0] * count
    for i in range(count):
        for j in range(i):
            front = in_front(things[i], things[j])
            if front:
                back, near = (i, j) if front > 0 else (j, i)
                after[back].append(near)
                waits[near] += 1
    left, out = sorted(range(count), key=lambda i: things[i].depth), []
    while left:
        now = next((i for i in left if waits[i] == 0), left[0])
        left.remove(now)
        out.append(things[now])
        for near in after[now]:
            waits[near] -= 1
    return out


# ------------------------------------------------------------------------------------------- picture


def data_of(page):
    text = Path(page).read_text(encoding="utf-8")
    return json.loads(re.search(r'id="appell-data" type="application/json">(.*?)</script>', text, re.S).group(1))


def numbers(text, kind):
    out = array.array(kind)
    out.frombytes(base64.b64decode(text))
    return out


def points_of(piece):
    if piece[0] != "ball":
        return piece[1]
    return [add(piece[1], e, s * piece[2]) for e in ((1, 0, 0), (0, 1, 0), (0, 0, 1)) for s in (-1, 1)]


def camera(low, high):
    """Axes of the picture: right, up, towards the reader. What is flat is looked at from its front, as on the page."""
    size = [h - l for l, h in zip(low, high)]
    thin = [s < 0.12 * max(size) for s in size]
    flat = thin.index(True) if thin.count(True) == 1 else -1
    back = unit({1: (0.3, -1, 0.22), 0: (1, -0.3, 0.22), 2: (0.15, -0.8, 1)}.get(flat, (0.75, -1.3, 0.6)))
    right = unit((-back[1], back[0], 0))
    return right, cross(back, right), back


def floor_of(d, low):
    """The floor as (normal, offset): the first ground that is not a wall, else what stands still and carries the robot,
    else its lowest point."""
    for g in d.get("ground") or []:
        n = unit(g["normal"])
        if n[2] > 0.3:
            return n, g["offset"] / math.sqrt(dot(g["normal"], g["normal"]))
    poses, nport = numbers(d["poses"], "f"), len(d["ports"])
    middle = sum(poses[2:7 * nport:7]) / nport if nport else 0
    still = [z for s in d.get("shapes", []) if s.get("port") == -1
             for p in solid(d, s, GREY) for z in [min(x[2] for x in points_of(moved(p, s["offset"])))]]
    return (0, 0, 1), min(still) if still and min(still) < middle else low


def shaded(colour, normal):
    """Half of the light comes from everywhere, half from the sun."""
    light = 0.62 + 0.5 * max(0.0, dot(normal, unit(SUN))) + 0.06 * normal[2]
    light = round(24 * light) / 24
    rgb = [int(colour[k:k + 2], 16) for k in (1, 3, 5)]
    return "#" + "".join(f"{min(255, round(light * c)):02x}" for c in rgb)


class Picture:
    """Elements of an SVG, by painters' order. Neighbours of one colour share an element."""

    def __init__(self, low, high, axes, width, height):
        self.axes, self.width, self.height = axes, width, height
        flat = [self.flat((x, y, z)) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
        a, b = ([f(p[k] for p in flat) for k in (0, 1)] for f in (min, max))
        self.scale = 0.88 * min(width / max(b[0] - a[0], 1e-9), height / max(b[1] - a[1], 1e-9))
        self.middle = [(x + y) / 2 for x, y in zip(a, b)]
        self.lines, self.paint, self.path = [], None, []

    def flat(self, v):
        return tuple(dot(a, v) for a in self.axes)

    def to(self, v):
        x, y, _ = self.flat(v)
        return (self.width / 2 + self.scale * (x - self.middle[0]), self.height / 2 - self.scale * (y - self.middle[1]))

    def text(self, points):
        return " ".join(f"{x:.1f} {y:.1f}" for x, y in map(self.to, points))

    def flush(self):
        if self.path:
            self.lines.append(f'<path {self.paint} d="{"".join(self.path)}"/>')
        self.paint, self.path = None, []

    def put(self, paint, shape):
        if paint != self.paint:
            self.flush()
        self.paint = paint
        self.path.append(shape)

    def draw(self, piece):
        if piece[0] == "line":
            self.put(f'fill="none" stroke="{piece[2]}" stroke-width="{piece[3]}"', f"M{self.text(piece[1])}")
        elif piece[0] == "ball":
            self.flush()
            x, y = self.to(piece[1])
            self.lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{self.scale * piece[2]:.1f}" '
                              f'fill="url(#c{piece[3][1:]})"/>')
        else:
            points = piece[1]
            normal = normal_of(points)
            if dot(normal, self.axes[2]) <= 0:
                return
            colour = shaded(piece[2], normal)
            # a thin line of its own colour closes the seams between neighbours
            glass = f'fill-opacity="{piece[3]}"' if piece[3] < 1 else f'stroke="{colour}" stroke-width=".7"'
            self.put(f'fill="{colour}" {glass}', f"M{self.text(points)}Z")

    def shadow(self, items, floor):
        """All pieces along the sun onto the floor, as one grey."""
        n, offset = floor
        sun = unit((-SUN[0] * 0.5, -SUN[1] * 0.5, -1))
        if dot(n, sun) > -0.2:
            return
        down = lambda v: add(v, sun, (offset - dot(n, v)) / dot(n, sun))
        paths = []
        for piece in items:
            if piece[0] == "line" or (piece[0] == "face" and piece[3] < 1):
                continue
            if piece[0] == "face":
                normal = cross(add(piece[1][1], piece[1][0], -1), add(piece[1][2], piece[1][0], -1))
                if dot(normal, sun) > 0:
                    continue
                shape = piece[1]
            else:
                u = unit(cross(sun, (1, 0, 0)))
                shape = [add(add(piece[1], u, x), cross(sun, u), y) for x, y in ring(12, piece[2])]
            paths.append(f"M{self.text([down(v) for v in shape])}Z")
        self.lines.append(f'<path fill="#0b1220" opacity=".13" stroke="#0b1220" stroke-width=".6" d="{"".join(paths)}"/>')

    def grid(self, floor, centre, reach):
        """Lines that fade with the distance from the middle."""
        n, offset = floor
        middle = add(centre, n, offset - dot(n, centre))
        u = unit(cross((0, 1, 0), n))
        v = cross(n, u)
        power = 10 ** math.floor(math.log10(max(0.3 * reach, 1e-9)))
        cell = max(k * power for k in (1, 2, 5) if k * power <= 0.3 * reach)
        for a, b in ((u, v), (v, u)):
            first = math.ceil((dot(middle, b) - 3 * reach) / cell)
            for k in range(first, first + int(6 * reach / cell) + 1):
                away = k * cell - dot(middle, b)
                start = add(add(middle, b, away), a, -3 * reach)
                for part in range(12):
                    far = math.hypot(away, (part - 5.5) / 2 * reach)
                    strength = 0.3 * max(0.0, 1 - far / (2.6 * reach))
                    if strength > 0.02:
                        ends = [add(start, a, reach * part / 2), add(start, a, reach * (part + 1) / 2)]
                        self.put(f'fill="none" stroke="#8590a0" stroke-opacity="{strength:.2f}" stroke-width=".8"',
                                 f"M{self.text(ends)}")
        self.flush()


def balls(items):
    """The shading of balls: a gradient for each colour."""
    out = []
    for c in sorted({p[3] for p in items if p[0] == "ball"}):
        stops = "".join(f'<stop offset="{at}" stop-color="{shaded(c, unit(n))}"/>'
                        for at, n in ((0, SUN), (0.55, (0.2, -0.6, 0.3)), (1, (0.7, 0, -0.5))))
        out.append(f'<radialGradient id="c{c[1:]}" cx=".4" cy=".33" r=".7">{stops}</radialGradient>')
    return f'<defs>{"".join(out)}</defs>' if out else ""


def sketch(page, out, width, height):
    """Write the drawing; False when the page has nothing to draw."""
    d = data_of(page)
    lists = solids(d, (len(numbers(d["times"], "d")) - 1) // 3)
    items = [piece for pieces in lists for piece in pieces]
    points = [p for item in items for p in points_of(item)]
    if not points:
        return False
    low, high = ([f(p[k] for p in points) for k in range(3)] for f in (min, max))
    axes = camera(low, high)
    picture = Picture(low, high, axes, width, height)
    floor = floor_of(d, low[2])
    picture.grid(floor, [(a + b) / 2 for a, b in zip(low, high)], math.dist(low, high) / 2)
    picture.shadow(items, floor)
    middle = lambda points: sum(dot(axes[2], p) for p in points) / len(points)
    depth = lambda piece: middle([piece[1]] if piece[0] == "ball" else piece[1])
    tendon = lambda thing: thing.pieces[0][0] == "line" and thing.pieces[0][2] == TENDON
    things = painters_order([Thing(pieces, axes) for pieces in lists])
    # tendons are seen through what they run in
    for thing in sorted(things, key=tendon):
        for piece in sorted(thing.pieces, key=depth):
            picture.draw(piece)
    picture.flush()
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" stroke-linejoin="round" '
            'stroke-linecap="round">')
    Path(out).write_text("\n".join([head, balls(items), *picture.lines, "</svg>", ""]), encoding="utf-8")
    return True
