#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages of results, movies, and what is said when they cannot be made."""
import base64
import json
import math
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

APPELL = sys.argv.pop(1)
MODELS = Path(__file__).resolve().parents[2] / "models"
GUARD = Path(__file__).resolve().parents[1] / "data/guard"
CART = """
appell: 1
name: cart with a mast
links:
  - name: base
    joint: {type: differential-drive, wheel-radius: 80 mm, half-track: 145 mm, wheel-inertia: 0.001 kg m^2}
    body: {mass: 6.64 kg, com: [0.2, 0, 0], inertia: {zz: 0.06363}}
    ports: {mount: {at: [0.2, 0, 0.3]}}
  - name: mast
    on: base.mount
    joint: {type: revolute, axis: y, stiffness: 40 N m/rad, damping: 0.05}
    body: {mass: 0.6 kg, com: [0, 0, 0.2], inertia: {xx: 0.008, yy: 0.008, zz: 0.0002}}
inputs: {base.right: 0.1 N m, base.left: 0.15 N m}
run: {to: 1 s, tolerance: 1e-8}
"""


def call(*words, env=None):
    return subprocess.run([APPELL, *map(str, words)], capture_output=True, text=True, env=env)


def is_alive(pid):
    """A process that has ended but was not yet waited for (state Z) counts as ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def data_of(page):
    text = Path(page).read_text(encoding="utf-8")
    return json.loads(re.search(r'<script id="appell-data" type="application/json">(.*?)</script>', text, re.S).group(1))


def floats(text, letter):
    raw = base64.b64decode(text)
    return struct.unpack(f"<{len(raw) // struct.calcsize(letter)}{letter}", raw)


class View(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        (self.folder / "cart.yaml").write_text(CART)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def run_cart(self, name, *more):
        done = call("run", self.folder / "cart.yaml", "-o", self.folder / name, *more)
        self.assertEqual(done.returncode, 0, done.stderr)

    def view(self, *results, to="page.html"):
        done = call("view", *[self.folder / r for r in results], "-o", self.folder / to)
        self.assertEqual(done.returncode, 0, done.stderr)
        return data_of(self.folder / to)

    def test_a_result_gives_the_page_of_its_run(self):
        self.run_cart("a.h5", "--html", self.folder / "run.html")
        run, view = data_of(self.folder / "run.html"), self.view("a.h5")
        for key in ("times", "poses", "ports", "shapes", "links", "arrows", "channels", "status", "outputs"):
            self.assertEqual(run[key], view[key], key)

    def test_a_cart_has_wheels_where_they_are(self):
        self.run_cart("a.h5")
        d = self.view("a.h5")
        wheels = [s for s in d["shapes"] if s["type"] == "wheel"]
        self.assertEqual([s["spin"] for s in wheels], ["base.right.angle", "base.left.angle"])
        poses, nport = floats(d["poses"], "f"), len(d["ports"])
        right = poses[7 * wheels[0]["port"]:][:3]
        # at the start the base looks along x: its right wheel is half a track to the right, at its own height
        for got, want in zip(right, (0.0, -0.145, 0.0)):
            self.assertAlmostEqual(got, want, places=6)
        # rolling: the wheel has turned by its way over its radius
        x = floats(next(c for c in d["channels"] if c["name"] == "base.right.angle")["values"], "d")
        last = len(x) - 1
        way = sum(abs(complex(*(poses[(i * nport + wheels[0]["port"]) * 7 + k]
                                - poses[((i - 1) * nport + wheels[0]["port"]) * 7 + k] for k in (0, 1))))
                  for i in range(1, last + 1))
        self.assertAlmostEqual(x[last] * 0.08, way, delta=2e-3 * way)

    def test_several_results_and_settings(self):
        self.run_cart("a.h5")
        self.run_cart("b.h5", "--set", "base.ports.mount.at=[0.2, 0, 0.5]")
        d = self.view("a.h5", "b.h5")
        self.assertEqual(d["label"], "a.h5")
        self.assertEqual([o["label"] for o in d["also"]], ["b.h5"])
        # the setting is in the second picture: the mast stands 0.2 m higher
        mast = [p["name"] for p in d["ports"]].index("mast.root")
        heights = [floats(r["poses"], "f")[7 * mast + 2] for r in (d, d["also"][0])]
        self.assertAlmostEqual(heights[1] - heights[0], 0.2, places=6)

    def test_closures_are_where_loops_close(self):
        # both ends of each loop, from the poses of their ports; a pose has seven digits
        for model, names in (("four-bar", ["pin"]), ("stewart", None)):
            path = self.folder / f"{model}.h5"
            self.assertEqual(call("run", MODELS / f"{model}.yaml", "--to", "0.2", "-o", path).returncode, 0)
            d = self.view(path.name)
            self.assertTrue(names is None or [c["name"] for c in d["closures"]] == names)
            self.assertGreater(len(d["closures"]), 0)
            poses, nport = floats(d["poses"], "f"), len(d["ports"])

            def place(end, frame):
                x = end["offset"]
                if end["port"] < 0:
                    return x
                p = poses[(frame * nport + end["port"]) * 7:][:7]
                w, u = p[3], p[4:]
                t = [2 * (u[(k + 1) % 3] * x[(k + 2) % 3] - u[(k + 2) % 3] * x[(k + 1) % 3]) for k in range(3)]
                return [p[k] + x[k] + w * t[k] + u[(k + 1) % 3] * t[(k + 2) % 3] - u[(k + 2) % 3] * t[(k + 1) % 3] for k in range(3)]

            for frame in range(len(floats(d["times"], "d"))):
                for c in d["closures"]:
                    a, b = (place(end, frame) for end in c["ends"])
                    self.assertLess(math.dist(a, b), 2e-6, c["name"])

    def test_arcs_touch_on_their_links(self):
        """A page finds the place of an arc from its radius and half angle; its centre, far above the body, has no trail."""
        self.assertEqual(call("run", MODELS / "paper-snake-curved.yaml", "--to", "0.02", "--html", self.folder / "page.html").returncode, 0)
        data = data_of(self.folder / "page.html")
        arrows = [a for a in data["arrows"] if a["kind"] == "contact"]
        self.assertEqual(len(arrows), 16)
        for arrow in arrows:
            self.assertEqual(arrow["shift"], [0, 0, 0])
            self.assertAlmostEqual(arrow["arc"][0], 0.251212771230667, delta=1e-12)
            self.assertAlmostEqual(arrow["arc"][1], 0.200372576628115, delta=1e-12)
            self.assertFalse(data["ports"][arrow["port"]]["trail"])
        self.assertTrue(all(p["trail"] for p in data["ports"] if p["name"].endswith(".end")))

    def test_comments_are_no_settings(self):
        # an author's comment that looks like a setting; of two settings of one place the later one wins
        (self.folder / "cart.yaml").write_text(CART.replace("inputs:", "# --set base.body.mass=1 is lighter\ninputs:"))
        self.run_cart("a.h5", "--set", "base.ports.mount.at=[0.2, 0, 0.5]", "--set", "base.ports.mount.at=[0.2, 0, 0.4]")
        d = self.view("a.h5")
        mast = [p["name"] for p in d["ports"]].index("mast.root")
        self.assertAlmostEqual(floats(d["poses"], "f")[7 * mast + 2], 0.4, places=6)
        self.assertEqual(next(link["mass"] for link in d["links"] if link["name"] == "base"), 6.64)

    def test_long_runs_are_thinned_and_their_trails_are_not(self):
        self.run_cart("long.h5", "--output-every", "0.0002")
        d = self.view("long.h5")
        self.assertEqual(d["outputs"], 5001)
        self.assertLess(len(floats(d["times"], "d")), 2001)
        trail = next(t for t in d["trails"] if t["port"] == 1)
        times, points = floats(trail["times"], "f"), floats(trail["points"], "f")
        self.assertEqual(len(points), 3 * len(times))
        self.assertEqual((times[0], round(times[-1], 6)), (0.0, 1.0))
        self.assertLess(os.path.getsize(self.folder / "page.html"), 10e6)

    def test_what_cannot_be_shown_is_told(self):
        self.run_cart("a.h5")
        cases = {
            "no such file": ("missing.h5", "cannot be opened|No such file"),
            "not a result": ("cart.yaml", "not an? |HDF5|result"),
        }
        for what, (name, words) in cases.items():
            done = call("view", self.folder / name, "-o", self.folder / "x.html")
            self.assertEqual(done.returncode, 1, what)
            self.assertRegex(done.stderr, words)
            self.assertFalse((self.folder / "x.html").exists())
        done = call("view")
        self.assertEqual(done.returncode, 2)

    def test_results_of_another_kind(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("no h5py")
        self.run_cart("a.h5")
        for what, change, words in (
            ("version", lambda f: f.attrs.__setitem__("format-version", 9), "version 9"),
            ("model", lambda f: self.replace_model(f), "model file cannot be read by this appell"),
        ):
            path = self.folder / f"{what}.h5"
            shutil.copy(self.folder / "a.h5", path)
            with h5py.File(path, "r+") as f:
                change(f)
            done = call("view", path, "-o", self.folder / "x.html")
            self.assertEqual(done.returncode, 1, what)
            self.assertIn(words, done.stderr)

    @staticmethod
    def replace_model(f):
        f.attrs.modify("format-version", 1)  # which has no checksum of the text
        text = f["model"][()]
        dtype = f["model"].dtype
        del f["model"]
        f.create_dataset("model", data=text.replace(b"revolute", b"revolvte"), dtype=dtype)

    def test_hostile_text_stays_text(self):
        bad = '</script><img src=x onerror=alert(1)>'
        (self.folder / "cart.yaml").write_text(CART.replace("cart with a mast", f"'{bad}'"))
        self.run_cart("a.h5")
        d = self.view("a.h5")
        self.assertEqual(d["name"], bad)
        self.assertNotIn("<img src=x", (self.folder / "page.html").read_text(encoding="utf-8"))

    def write_meshes(self):
        """A sphere of 45 000 triangles as binary STL, a tetrahedron as text, a cube of quads as OBJ, a pyramid in COLLADA."""
        n, at = 150, lambda a, b: (0.1 * math.sin(a) * math.cos(b), 0.1 * math.sin(a) * math.sin(b), 0.1 * math.cos(a))
        p = lambda i, j: at(math.pi * i / n, 2 * math.pi * j / n)
        ball = [t for i in range(n) for j in range(n)
                for t in ((p(i, j), p(i + 1, j), p(i + 1, j + 1)), (p(i, j), p(i + 1, j + 1), p(i, j + 1)))]
        with open(self.folder / "ball.stl", "wb") as f:
            f.write(b"solid, yet binary".ljust(80) + struct.pack("<I", len(ball)))
            for a, b, c in ball:
                f.write(struct.pack("<12fH", 0, 0, 0, *a, *b, *c, 0))
        o, x, y, z = "0 0 0", "0.2 0 0", "0 0.2 0", "0 0 0.2"
        faces = ((o, x, y), (o, y, z), (o, z, x), (x, z, y))
        (self.folder / "tetra.STL").write_text("solid t\n" + "".join(
            "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {v}\n" for v in f) + "endloop\nendfacet\n" for f in faces))
        (self.folder / "cube.obj").write_text(
            "".join(f"v {a} {b} {c}\n" for a in (0, .1) for b in (0, .1) for c in (0, .1))
            + "f 1/1 2/2 4/3 3/4\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf -7 -3 -1 -5\n")
        (self.folder / "pyramid.dae").write_text(
            '<COLLADA><asset><unit meter="0.01"/><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>'
            '<source id="p"><float_array>0 20 0 -10 0 -10 10 0 -10 10 0 10 -10 0 10</float_array></source>'
            '<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><polylist><input semantic="VERTEX" source="#v" '
            'offset="0"/><input semantic="NORMAL" source="#p" offset="1"/><vcount>3 3 3 3 4</vcount><p>0 0 1 0 2 0 0 0 2 0 3 0 0 '
            '0 3 0 4 0 0 0 4 0 1 0 1 0 2 0 3 0 4 0</p></polylist></mesh></geometry></library_geometries>'
            '<library_visual_scenes><visual_scene><node><translate>0 5 0</translate><instance_geometry url="#g"/></node>'
            '</visual_scene></library_visual_scenes></COLLADA>')

    def test_meshes_are_embedded_and_missing_ones_told(self):
        self.write_meshes()
        names = ("ball.stl", "tetra.STL", "cube.obj", "pyramid.dae", "gone.stl", "ball.stl")
        shapes = "".join(f"\n      - {{type: mesh, file: {n}}}" for n in names)
        (self.folder / "cart.yaml").write_text(CART.replace("inputs:", f"    shapes:{shapes}\ninputs:"))
        done = call("run", self.folder / "cart.yaml", "-o", self.folder / "a.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"cart\.yaml:\d+:\d+: warning: mesh 'gone\.stl' of link 'mast' does not exist")
        self.assertEqual(done.stderr.count("warning"), 1)
        # the page of the result needs the files no more
        for name in names[:4]:
            (self.folder / name).unlink()
        d = self.view("a.h5")
        used = [s["mesh"] for s in d["shapes"] if s["type"] == "mesh"]
        self.assertEqual(used, [0, 1, 2, 3, 0])
        points = [floats(m["points"], "f") for m in d["meshes"]]
        corners = [floats(m["triangles"], "I") for m in d["meshes"]]
        self.assertEqual([len(c) // 3 for c in corners[1:]], [4, 12, 6])
        self.assertEqual([len(p) // 3 for p in points[1:]], [4, 8, 5])
        # thinned, and still a sphere of 10 cm within 2 mm
        self.assertTrue(500 < len(corners[0]) // 3 <= 6000)
        for i in range(0, len(points[0]), 3):
            self.assertAlmostEqual(math.hypot(*points[0][i:i + 3]), 0.1, delta=2e-3)
        # COLLADA: centimetres, y up, raised by 5 cm: the tip of the pyramid is at z = 25 cm
        self.assertAlmostEqual(max(points[3][2::3]), 0.25, places=6)
        self.assertAlmostEqual(min(points[3][2::3]), 0.05, places=6)

    def test_bad_meshes_are_left_out(self):
        for name, raw in (("a.stl", b"\0" * 84), ("b.stl", b"x" * 80 + b"\xff\xff\xff\x7f" + b"y" * 50), ("c.obj", b"f 1 2 3\n"),
                          ("d.dae", b"<COLLADA><asset>"), ("e.ply", b"ply\n")):
            (self.folder / name).write_bytes(raw)
            (self.folder / "cart.yaml").write_text(
                CART.replace("inputs:", f"    shapes: [{{type: mesh, file: {name}}}]\ninputs:"))
            self.run_cart("a.h5")
            d = self.view("a.h5")
            # what cannot be read is drawn from its numbers; a triangle of garbage is a triangle
            if name != "b.stl":
                self.assertFalse(any(s["type"] == "mesh" for s in d["shapes"]), name)

    def test_movies_need_their_tools(self):
        self.run_cart("a.h5")
        nothing = dict(os.environ, PATH=str(self.folder), CHROMIUM=str(self.folder / "none"))
        for name, words in (("x.png", "apt install chromium"), ("x.mp4", "apt install ffmpeg")):
            done = call("movie", self.folder / "a.h5", "-o", self.folder / name, env=nothing)
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr)
            self.assertEqual([p.name for p in self.folder.glob("x.*")], [])
        for words, wrong in (("does not end in", ["-o", "x.avi"]), ("--size must be", ["-o", "x.png", "--size", "big"]),
                             ("--view is", ["-o", "x.png", "--view", "under"]), ("-o FILE.mp4 is missing", [])):
            done = call("movie", self.folder / "a.h5", *wrong)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(words, done.stderr)

    def test_a_video_of_too_many_pictures_is_refused(self):
        self.run_cart("a.h5")
        # the run takes 1 s: 30 pictures per second, 1e-4 of real time are 300 001 pictures
        done = call("movie", self.folder / "a.h5", "-o", self.folder / "a.mp4", "--speed", "1e-4")
        self.assertEqual(done.returncode, 1)
        self.assertIn("300001 frames", done.stderr)
        self.assertIn("--speed 0.00152", done.stderr)
        self.assertFalse((self.folder / "a.mp4").exists())

    @unittest.skipUnless(shutil.which("chromium"), "no chromium")
    def test_a_picture_is_drawn(self):
        self.run_cart("a.h5")
        done = call("movie", self.folder / "a.h5", "-o", self.folder / "a.png", "--size", "320x200")
        self.assertEqual(done.returncode, 0, done.stderr)
        raw = (self.folder / "a.png").read_bytes()
        self.assertEqual(raw[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", raw[16:24]), (320, 200))
        # an empty picture of this size has less than 2 kB
        self.assertGreater(len(raw), 6000)

    @unittest.skipUnless(shutil.which("chromium"), "no chromium")
    def test_names_are_not_pictures(self):
        """A name that looks like a picture, or like a sentence of the page, is text."""
        for name in ("movie_data_uri", "movie_trouble"):
            self.assertEqual(call("run", GUARD / f"{name}.yaml", "-o", self.folder / "n.h5").returncode, 0)
            done = call("movie", self.folder / "n.h5", "-o", self.folder / "n.png", "--size", "64x64")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((self.folder / "n.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_a_killed_movie_leaves_nothing(self):
        """However the command ends, its programs end and its folder is removed. The programs are scripts that wait, each
        with a child."""
        self.run_cart("a.h5")
        (self.folder / "bin").mkdir()
        (self.folder / "tmp").mkdir()
        for name in ("ffmpeg", "browser"):
            script = self.folder / "bin" / name
            script.write_text(f"#!/bin/sh\nsleep 300 &\necho $$ $! > {self.folder}/{name}.new\n"
                              f"mv {self.folder}/{name}.new {self.folder}/{name}.pids\nwait\n")
            script.chmod(0o755)
        env = dict(os.environ, PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}", CHROMIUM=str(self.folder / "bin/browser"),
                   TMPDIR=str(self.folder / "tmp"))
        # `timeout -s KILL` ends the whole process group of the command
        for how, send in ((signal.SIGINT, os.kill), (signal.SIGTERM, os.kill), (signal.SIGHUP, os.kill), (signal.SIGKILL, os.kill),
                          (signal.SIGKILL, os.killpg)):
            pids = [self.folder / "ffmpeg.pids", self.folder / "browser.pids"]
            one = subprocess.Popen([APPELL, "movie", self.folder / "a.h5", "-o", self.folder / "k.mp4"], env=env,
                                   start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            self.wait_for(lambda: all(p.exists() for p in pids), "its programs do not start")
            started = [int(x) for p in pids for x in p.read_text().split()]
            send(one.pid, how)
            self.assertEqual(one.wait(20), -how)
            self.wait_for(lambda: not any(is_alive(p) for p in started), f"{how.name}: programs are left")
            self.wait_for(lambda: not any((self.folder / "tmp").iterdir()), f"{how.name}: a folder is left")
            for p in pids:
                p.unlink()
        self.assertEqual([p.name for p in self.folder.glob("k.*")], [])

    def wait_for(self, come, otherwise):
        for _ in range(400):
            if come():
                return
            time.sleep(0.05)
        self.fail(otherwise)

    @unittest.skipUnless(shutil.which("chromium") and shutil.which("ffprobe"), "no chromium or ffmpeg")
    def test_a_video_is_coded(self):
        self.run_cart("a.h5")
        done = call("movie", self.folder / "a.h5", "-o", self.folder / "a.mp4", "--size", "160x100", "--fps", "8")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                               "stream=width,height,nb_read_frames", "-of", "csv=p=0", str(self.folder / "a.mp4")],
                              capture_output=True, text=True).stdout.strip()
        self.assertEqual(told, "160,100,9")


if __name__ == "__main__":
    unittest.main()
