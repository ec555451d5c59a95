# SPDX-License-Identifier: Apache-2.0
"""test_modes.py APPELL: `appell modes`: shapes of beams, modes of robots, files, figures, pages."""
import base64
import csv
import io
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py

APPELL = Path(sys.argv.pop(1)).resolve()
G = 9.81

PENDULUM = """appell: 1
name: bob
links:
  - {name: arm, joint: {type: revolute, axis: y, damping: %g}, body: {mass: 2, com: [0, 0, -0.5], inertia: {yy: 0.2}},
     ports: {end: {at: [0, 0, -1]}}}
start: {arm.joint.angle: %s}
"""
# a cantilever: EI 12, mu 0.3, L 2; three modes one way, a static shape and one's own the other
BEAM = """appell: 1
name: rod
gravity: [0, 0, 0]
links:
  - {name: rod, joint: fixed, body: {type: beam, length: 2, modes: 3, theory: euler-bernoulli,
     directions: [bend-x, bend-y], bending-stiffness: 12, mass-per-length: 0.3, static-shapes: %s}}
  - {name: own, joint: fixed, body: {type: beam, length: 2, modes: 2, theory: euler-bernoulli,
     polynomials: "0 0 1; 0 0 0 1", bending-stiffness: 12, mass-per-length: 0.3}}
"""
CART = """appell: 1
links:
  - {name: base, joint: {type: differential-drive, wheel-radius: 80 mm, half-track: 145 mm}, body: {mass: 4, inertia: {zz: 0.06}}}
  - {name: mast, on: base.root, joint: {type: revolute, axis: y, stiffness: 40}, body: {mass: 1, com: [0, 0, 0.2], inertia: {xx: 0.01, yy: 0.01, zz: 0.001}}}
"""
BALL = """appell: 1
gravity: [0, 0, %g]
links: [{name: ball, joint: floating, body: {mass: 1, inertia: {xx: 1, yy: 2, zz: 2.5}}}]
"""


def appell(*words):
    return subprocess.run([APPELL, *map(str, words)], capture_output=True, text=True, timeout=120)


def page_data(path):
    text = Path(path).read_text()
    return json.loads(re.search(r'id="appell-data" type="application/json">(.*?)</script>', text, re.S).group(1))


def numbers(text, kind):
    raw = base64.b64decode(text)
    size = struct.calcsize(kind)
    return struct.unpack("<%d%s" % (len(raw) // size, kind), raw)


class Modes(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)
        Path("bob.yaml").write_text(PENDULUM % (0.1, "10 deg"))
        Path("rod.yaml").write_text(BEAM % "none")

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def good(self, *words):
        done = appell("modes", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        return done.stdout

    def bad(self, sentence, *words, code=1):
        done = appell("modes", *words)
        self.assertEqual(done.returncode, code, done)
        self.assertEqual(done.stdout, "")
        self.assertIn(sentence, done.stderr)

    def json(self, *words):
        return json.loads(self.good("--json", *words))

    def test_pendulum(self):
        # I = 0.2 + 2 * 0.25 = 0.7: omega^2 = m g l / I, ratio c / (2 I omega); about the equilibrium, not the start
        omega = math.sqrt(2 * G * 0.5 / 0.7)
        found = self.json("bob.yaml")
        self.assertAlmostEqual(found["coordinates"]["arm.joint.angle"], 0, delta=1e-12)
        self.assertEqual((found["count"], found["stable"], found["at"]), (1, True, "equilibrium"))
        (mode,) = found["modes"]
        self.assertEqual((mode["number"], mode["kind"]), (1, "swings"))
        self.assertAlmostEqual(mode["omega"], omega, delta=1e-13 * omega)
        self.assertAlmostEqual(mode["frequency"], omega / (2 * math.pi), delta=1e-13)
        self.assertAlmostEqual(mode["damping"], 0.1 / (2 * 0.7 * omega), delta=1e-14)
        self.assertAlmostEqual(mode["time"], 2 * 0.7 / 0.1, delta=1e-11)
        self.assertEqual(mode["share"], {"arm.joint.angle": 1})
        text = self.good("bob.yaml")
        self.assertIn("swings", text)
        self.assertIn("arm.joint.angle 100 %", text)

        # settings change the model: ten times the damping and more
        found = self.json("bob.yaml", "--set", "arm.joint.damping=20")
        self.assertEqual([m["kind"] for m in found["modes"]], ["overdamped"] * 2)
        self.assertTrue(all(m["frequency"] is None and m["time"] > 0 for m in found["modes"]))
        self.assertIn("without oscillation", self.good("bob.yaml", "--set", "arm.joint.damping=20"))

    def test_falling(self):
        # no balance: shapes of beams need none
        text = BEAM.replace("gravity: [0, 0, 0]\n", "") % "none"
        Path("fall.yaml").write_text(text.replace("{name: rod, joint: fixed", "{name: rod, joint: prismatic"))
        done = appell("modes", "fall.yaml")
        self.assertEqual(done.returncode, 1)
        self.assertIn("rod.bend-x.1 ", done.stdout)
        self.assertNotIn("small motions", done.stdout)
        self.assertIn("no equilibrium", done.stderr)
        done = appell("modes", "--json", "fall.yaml")
        self.assertEqual(done.returncode, 1)
        found = json.loads(done.stdout)
        self.assertEqual((found["modes"], found["at"], len(found["beams"])), (None, None, 8))
        self.assertEqual(len(self.json("fall.yaml", "--set", "gravity=[0, 0, 0]")["beams"]), 8)

    def test_alike(self):
        # many beams alike are told once, three are not; the odd one out is
        rod = "type: beam, length: 1, theory: euler-bernoulli, bending-stiffness: 1, mass-per-length: 1, modes: 2"
        link = "  - {name: l%d, body: {%s%s}}\n"
        for n, text in (3, r"l2\.bend-y\.2 "), (40, r"\n  l1 to l39: the same, 39 bodies\n  odd"):
            Path("many.yaml").write_text("appell: 1\ngravity: [0, 0, 0]\nlinks:\n" + "".join(
                link % (i, rod, "") for i in range(n)) + link.replace("l%d", "odd%d") % (0, rod, ", tip-end: pinned"))
            self.assertRegex(self.good("many.yaml"), text)
            self.assertEqual(len(self.json("many.yaml")["beams"]), 2 * n + 2)

    def test_on_the_ground(self):
        # a block on two feet that slides and has heavy damping below: no round-off of it in the slide
        Path("block.yaml").write_text("""appell: 1
grounds: {floor: {normal: z, law: {normal: hu-guo, stiffness: 1e8, exponent: 1.5, restitution: 0.8}}}
contacts: [{on: block.a}, {on: block.b}]
links:
  - {name: x, joint: {type: prismatic, axis: x}, body: {mass: 0}}
  - {name: z, on: x, joint: {type: prismatic, axis: z}, body: {mass: 0}}
  - {name: block, on: z, joint: {type: revolute, axis: y}, body: {mass: 3, com: [0.1, 0, 0.1], inertia: {yy: 0.1}},
     ports: {a: {at: [-0.5, 0, 0]}, b: {at: [0.7, 0, 0]}}}
""")
        found = self.json("block.yaml")
        self.assertTrue(found["stable"], found["modes"])
        self.assertEqual([m["kind"] for m in found["modes"]], ["rigid"] + ["overdamped"] * 4)

    def test_upside_down(self):
        Path("up.yaml").write_text(PENDULUM % (0, "175 deg"))
        nu = math.sqrt(2 * G * 0.5 / 0.7)
        found = self.json("up.yaml")
        self.assertEqual(sorted(m["kind"] for m in found["modes"]), ["overdamped", "unstable"])
        self.assertFalse(found["stable"])
        for mode in found["modes"]:
            self.assertAlmostEqual(abs(mode["lambda"][0]), nu, delta=1e-12 * nu)
        self.assertIn("UNSTABLE", self.good("up.yaml"))
        self.assertEqual(self.json("up.yaml", "--stable")["modes"][0]["kind"], "swings")

    def test_at_start(self):
        self.bad("not in equilibrium", "bob.yaml", "--at", "start")
        Path("still.yaml").write_text(PENDULUM % (0, "0 deg"))
        self.assertEqual(self.json("still.yaml", "--at", "start")["at"], "start")
        self.assertIn("start, which is an equilibrium", self.good("still.yaml", "--at", "start"))

    def test_beams(self):
        found = self.json("rod.yaml")
        roots = (1.875104068711961, 4.694091132974175, 7.854757438237613)
        modes = [b for b in found["beams"] if b["link"] == "rod"]
        self.assertEqual([(b["direction"], b["number"]) for b in modes],
                         [(d, n) for d in ("bend-x", "bend-y") for n in (1, 2, 3)])
        for b, root in zip(modes, roots * 2):
            omega = root ** 2 * math.sqrt(12 / 0.3) / 4
            self.assertEqual((b["kind"], b["ends"]), ("mode", ["clamped", "free"]))
            self.assertAlmostEqual(b["omega"] / omega, 1, delta=1e-12)
            self.assertAlmostEqual(b["frequency"] * 2 * math.pi / omega, 1, delta=1e-12)
            self.assertEqual((b["length"], b["largest"]), (2, 1))
            self.assertEqual(len(b["stations"]), len(b["deflection"]))
            self.assertEqual((b["stations"][0], b["stations"][-1]), (0, 1))
            self.assertAlmostEqual(b["deflection"][0], 0, delta=1e-15)
            # a tip that moves most: +1 of the first and third, -1 of the second
            self.assertAlmostEqual(b["deflection"][-1], (-1) ** (b["number"] + 1), delta=1e-12)
            # slopes belong to deflections: Simpson's rule over the samples gives W(tip) back
            s, h = b["slope"], 2 / (len(b["slope"]) - 1)
            area = h / 3 * (s[0] + s[-1] + 4 * sum(s[1:-1:2]) + 2 * sum(s[2:-1:2]))
            self.assertAlmostEqual(area, b["deflection"][-1], delta=1e-5)
            # and both directions are modes of the robot, with one frequency
            near = [m for m in found["modes"] if m["frequency"] and abs(m["omega"] / omega - 1) < 1e-9]
            self.assertEqual(len(near), 2)
        own = [b for b in found["beams"] if b["link"] == "own"]
        self.assertEqual([b["kind"] for b in own], ["polynomial"] * 2)
        self.assertTrue(all(b["omega"] is None and b["frequency"] is None for b in own))
        self.assertAlmostEqual(own[1]["deflection"][32], 0.125, delta=1e-15)
        text = self.good("rod.yaml")
        self.assertRegex(text, r"rod\.bend-x\.1 +clamped-free +5\.559")
        self.assertRegex(text, r"own\.bend-y\.1 +polynomial +- +- +1 +1 +1 +1\n")

        # shapes of a table by their word, whatever the rest of the body has
        Path("table.yaml").write_text("""appell: 1
gravity: [0, 0, 0]
links:
  - {name: own, body: {type: beam, length: 2, theory: euler-bernoulli, bending-stiffness: 12, mass-per-length: 0.3,
     directions: [bend-x, bend-y], static-shapes: tip,
     shape-table: {station: [0, 0.3, 0.6, 1], bend-y.1: [0, 0.09, 0.36, 3]}}}
""")
        kinds = [b["kind"] for b in self.json("table.yaml")["beams"]]
        self.assertEqual(kinds, ["mode", "static", "static", "table", "static", "static"])

        Path("rod.yaml").write_text(BEAM % "tip")
        kinds = [b["kind"] for b in self.json("rod.yaml")["beams"] if b["link"] == "rod"]
        self.assertEqual(kinds, (["mode"] * 3 + ["static"] * 2) * 2)

    def test_wheels(self):
        Path("cart.yaml").write_text(CART)
        # m l = 0.2, I = 0.05, all that moves along 5 kg, k' = 40 - m g l
        soft = 40 - G * 0.2
        found = self.json("cart.yaml")
        self.assertEqual([m["kind"] for m in found["modes"]], ["rigid", "rigid", "swings"])
        self.assertAlmostEqual(found["modes"][2]["omega"], math.sqrt(soft / (0.05 - 0.04 / 5)), delta=1e-11)
        (mode,) = self.json("cart.yaml", "--brakes")["modes"]
        self.assertAlmostEqual(mode["omega"], math.sqrt(soft / 0.05), delta=1e-11)
        self.assertIn("a motion without any stiffness", self.good("cart.yaml"))

    def test_floating(self):
        Path("ball.yaml").write_text(BALL % 0)
        found = self.json("ball.yaml")
        self.assertEqual([m["kind"] for m in found["modes"]], ["rigid"] * 6)
        self.assertTrue(all(m["lambda"] == [0, 0] and m["time"] is None for m in found["modes"]))
        Path("ball.yaml").write_text(BALL % -9.81)
        self.bad("no equilibrium: nothing balances", "ball.yaml")

    def test_count(self):
        text = self.good("rod.yaml", "--count", 3)
        self.assertIn("and 5 more; --count 8 shows all", text)
        found = self.json("rod.yaml", "--count", 3)
        self.assertEqual((len(found["modes"]), found["count"]), (3, 8))

    def test_files(self):
        self.good("rod.yaml", "-o", "rod.h5", "--csv", "rod.csv")
        want = self.json("rod.yaml")["modes"]
        lines = Path("rod.csv").read_text().splitlines()
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
        self.assertEqual(len(rows), 8)
        for row, mode in zip(rows, want):
            self.assertEqual(float(row["omega"]), mode["omega"])
            for name, (re_, im) in mode["shape"].items():
                self.assertEqual((float(row[name + ".real"]), float(row[name + ".imag"])), (re_, im))
        with h5py.File("rod.h5") as file:
            self.assertEqual(file.attrs["status"], b"finished")
        listed = appell("export", "rod.h5", "omega", "-o", "omega.csv")
        self.assertEqual(listed.returncode, 0, listed)
        piped = self.good("rod.yaml", "--csv", "-")
        self.assertEqual(len(list(csv.reader(io.StringIO(piped)))), 9)

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_plot(self):
        self.good("rod.yaml", "--plot", "rod.svg")
        svg = Path("rod.svg").read_text()
        for words in ("rod: shapes bend-x, clamped-free", "own: shapes bend-y", "natural frequencies of the robot",
                      "modes of the robot", "rod.bend-x.2"):
            self.assertIn(words, svg)
        self.good("bob.yaml", "--plot", "bob.png")
        self.assertTrue(Path("bob.png").read_bytes().startswith(b"\x89PNG"))
        self.assertFalse(list(Path(".").glob("*.part")))

    def test_page(self):
        done = appell("modes", "bob.yaml", "--html", "bob.html", "--scale", 0.1)
        if "without the page" in done.stderr or "npm" in done.stderr:
            self.skipTest("built without the replay page")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = page_data("bob.html")
        self.assertEqual(page["name"], "bob: modes")
        self.assertEqual([e["name"] for e in page["events"]], ["mode 1, swings"])
        self.assertIn("arm.joint.angle 100 %", page["summary"][0]["value"])
        # two swings from the balance; the end goes a tenth of the robot's size (1 m), as the angle does
        times = numbers(page["times"], "d")
        (angle,) = [numbers(c["values"], "d") for c in page["channels"] if c["name"] == "arm.joint.angle"]
        self.assertEqual(len(times), len(angle))
        self.assertAlmostEqual(angle[0], 0, delta=1e-9)
        self.assertAlmostEqual(max(angle), 0.1, delta=1e-6)
        self.assertAlmostEqual(min(angle), -0.1, delta=1e-6)
        self.assertEqual(sum(a <= 0 < b for a, b in zip(angle[1:], angle[2:])), 1)

        # a beam is drawn through its sections, which follow its shape
        self.good("rod.yaml", "--html", "rod.html", "--mode", 3)
        page = page_data("rod.html")
        self.assertEqual([e["name"] for e in page["events"]], ["mode 3, swings"])
        strip = page["strips"][0]["ports"]
        self.assertEqual(len(strip), 17)
        poses, n = numbers(page["poses"], "f"), len(page["ports"])
        values = {c["name"]: numbers(c["values"], "d") for c in page["channels"]}
        beams = [b for b in self.json("rod.yaml")["beams"] if b["link"] == "rod"]
        frame = len(values["rod.bend-y.1"]) // 8
        for k, port in enumerate(strip):
            x, y, z = poses[7 * (frame * n + port):][:3]
            def sum_of(direction):
                return sum(b["deflection"][4 * k] * values[b["coordinate"]][frame]
                           for b in beams if b["direction"] == direction)
            self.assertAlmostEqual(x, sum_of("bend-y"), delta=1e-6)
            self.assertAlmostEqual(y, -sum_of("bend-x"), delta=1e-6)
            self.assertAlmostEqual(z, 2 * k / 16, delta=1e-6)

    def test_mistakes(self):
        self.bad("--count must be a whole number above zero, got '0'", "bob.yaml", "--count", 0, code=2)
        self.bad("--count must be a whole number above zero, got '2.5'", "bob.yaml", "--count", 2.5, code=2)
        self.bad("--at is start or equilibrium, not 'end'", "bob.yaml", "--at", "end", code=2)
        self.bad("--time: expected a time such as '2 ms', got 'noon'", "bob.yaml", "--time", "noon", code=2)
        self.bad("does not end in .svg, .png or .pdf", "bob.yaml", "--plot", "bob.gif", code=2)
        self.bad("both write to the standard output", "bob.yaml", "--json", "--csv", "-", code=2)
        self.bad("--scale and --mode need --html", "bob.yaml", "--mode", 1, code=2)
        self.bad("--stable and --at start exclude each other", "bob.yaml", "--stable", "--at", "start", code=2)
        self.bad("--scale must be a number above zero", "bob.yaml", "--html", "x.html", "--scale", -1, code=2)
        self.bad("there is no mode 2: the robot has 1 modes", "bob.yaml", "--html", "x.html", "--mode", 2)
        self.bad("cannot be written", "bob.yaml", "--html", "nowhere/x.html")
        self.bad("needs MODEL", code=2)
        self.bad("missing.yaml", "missing.yaml")
        help_text = self.good("--help")
        for word in ("--at", "--brakes", "--count", "--plot", "--html", "--scale", "--mode", "--set", "lambda"):
            self.assertIn(word, help_text)

    def test_nothing_moves(self):
        Path("wall.yaml").write_text("appell: 1\nlinks: [{name: wall, joint: fixed, body: {mass: 2}}]\n")
        self.assertIn("no degrees of freedom that can move", self.good("wall.yaml"))
        self.bad("nothing to show", "wall.yaml", "--html", "x.html")


if __name__ == "__main__":
    unittest.main()
