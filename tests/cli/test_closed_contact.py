# SPDX-License-Identifier: Apache-2.0
"""test_closed_contact.py APPELL: loops together with contact, stops and holds, by every method that goes with each driver.

A box that is cut in two and closed again by a loop must move as the whole one does: it rests, slides, tips and bounces. Nothing of the
whole box knows of loops. The cut one has six redundant rows when two loops hold it.
"""
import csv
import math
import unittest
from pathlib import Path

from command import Case, appell

G = 9.81
HALF = (0.1, 0.1, 0.05)
EVENTS = "integrator: dop853, tolerance: 1e-9"
STEPS = "integrator: moreau, step: 0.5 ms"


def body(mass, hx, hy, hz):
    xx, yy, zz = (mass * (a * a + b * b) / 3 for a, b in ((hy, hz), (hx, hz), (hx, hy)))
    return f"body: {{mass: {mass}, inertia: {{xx: {xx!r}, yy: {yy!r}, zz: {zz!r}}}}}"


def world(slope, friction, restitution, contacts, run, to):
    psi = math.atan(slope)
    return f"""gravity: [{G * math.sin(psi)!r}, 0, {-G * math.cos(psi)!r}]
grounds: {{g: {{law: {{normal: restitution, restitution: {restitution}}}, friction: {{law: coulomb-stiction, coefficient: {friction}}}}}}}
contacts: [{", ".join(f"{{on: {c}}}" for c in contacts)}]
run: {{to: {to}, {run}, output-every: {to / 20}}}
"""


def whole(slope, friction, run, to, height=0.0, restitution=0, speed=0.0):
    hx, hy, hz = HALF
    corners = [(x, y) for x in (1, -1) for y in (1, -1)]
    ports = ", ".join(f"p{i}: {{at: [{x * hx}, {y * hy}, {-hz}]}}" for i, (x, y) in enumerate(corners))
    return f"""appell: 1
links:
  - {{name: b, joint: floating, {body(1, *HALF)}, ports: {{{ports}}}}}
start: {{b.joint.z: {hz + height}, b.joint.vx: {speed}}}
""" + world(slope, friction, restitution, [f"b.p{i}" for i in range(4)], run, to)


def halves(slope, friction, run, to, height=0.0, restitution=0, speed=0.0, loops=1):
    hx, hy, hz = HALF
    links, start, contacts = "", [], []
    for name, side in (("a", -1), ("b", 1)):
        ports = [f"p{i}: {{at: [{side * hx / 2}, {y * hy}, {-hz}]}}" for i, y in enumerate((1, -1))]
        ports += [f"m{i}: {{at: [{-side * hx / 2}, {y * hy}, 0]}}" for i, y in enumerate((0, 1))]
        links += f"  - {{name: {name}, joint: floating, {body(0.5, hx / 2, hy, hz)}, ports: {{{', '.join(ports)}}}}}\n"
        start += [f"{name}.joint.x: {side * hx / 2}", f"{name}.joint.z: {hz + height}", f"{name}.joint.vx: {speed}"]
        contacts += [f"{name}.p0", f"{name}.p1"]
    welds = "".join(f"  - {{name: weld{i}, from: a.m{i}, to: b.m{i}, type: weld}}\n" for i in range(loops))
    return f"""appell: 1
links:
{links}loops:
{welds}start: {{{", ".join(start)}}}
""" + world(slope, friction, restitution, contacts, run, to)


class Closed(Case):
    def off(self, one, run, loops, **case):
        """How far the middle of both halves is off the whole one, along x, y and z."""
        two = self.run_of(halves(run=run, loops=loops, **case))
        mean = {k: [(p + q) / 2 for p, q in zip(two[f"a.joint.{k}"], two[f"b.joint.{k}"])] for k in "xyz"}
        return {k: max(abs(p - q) for p, q in zip(mean[k], one[f"b.joint.{k}"])) for k in "xyz"}

    def compare(self, tolerance, run, methods, **case):
        one = self.run_of(whole(run=run, **case))
        for method in methods:
            for loops in (1, 2):
                error = self.off(one, f"{run}, loops: {method}", loops, **case)
                self.assertLess(max(error.values()), tolerance, f"{method}, {loops} loops: {error}")

    def test_slides_by_events(self):
        # 1e-9 per step; coordinates of both are the same polynomials
        self.compare(1e-8, EVENTS, ("multipliers", "reduced"), slope=0.5, friction=0.3, to=0.5)

    def test_rests_by_events(self):
        self.compare(1e-9, EVENTS, ("multipliers", "reduced"), slope=0.3, friction=0.5, to=0.3)

    def test_bounces_by_events(self):
        self.compare(1e-8, EVENTS, ("multipliers", "reduced"), slope=0.0, friction=0.3, to=0.5, height=0.1, restitution=0.5, speed=0.4)

    def test_slides_by_steps(self):
        # a loop takes no part in the motion of the whole; the solver's tolerance is 1e-10
        self.compare(1e-8, STEPS, ("multipliers",), slope=0.5, friction=0.3, to=0.5)
        self.compare(1e-8, STEPS, ("multipliers",), slope=0.3, friction=0.5, to=0.5)

    def test_bounces_by_steps(self):
        self.compare(1e-6, STEPS, ("multipliers",), slope=0.0, friction=0.3, to=0.5, height=0.1, restitution=0.5, speed=0.4)

    def test_springs_by_steps(self):
        # springs of w = 8000 rad/s, taken at the end of each step, give way by g / w^2 = 1.5e-7 m; the halves tilt by that
        self.compare(1e-6, STEPS + ", loop-frequency: 8000", ("springs",), slope=0.5, friction=0.3, to=0.5)

    def test_springs_by_events(self):
        # Springs give way by g / w^2: heights of both halves differ from that of the whole by so much. Until they carry their loads,
        # after some 1/w, the ground presses less and rubs less: a speed of some mu g / w is left, and a way that grows with it.
        case = {"slope": 0.5, "friction": 0.3, "to": 0.1}
        one = self.run_of(whole(run=EVENTS, **case))
        soft, stiff = (self.off(one, f"{EVENTS}, loops: springs, loop-frequency: {w}", 1, **case) for w in (1000, 4000))
        # what comes behind the first power of 1/w is a tenth of it at most
        self.assertAlmostEqual(soft["x"] / stiff["x"], 4, delta=0.4)
        self.assertAlmostEqual(soft["z"] / stiff["z"], 16, delta=1.6)
        self.assertLess(stiff["x"], case["friction"] * G / 4000 * case["to"])
        self.assertLess(stiff["z"], 2 * G / 4000**2)

    def test_coupled_weights_fall_and_bounce(self):
        # a weight of 3 kg lifts one of 1 kg: a = g/2; from 0.2 m it lands with e = 0.5 at t = sqrt(2 h / a), and rises again
        text = """appell: 1
links:
  - {name: up, joint: {type: prismatic, axis: z}, body: {mass: 1}}
  - {name: down, joint: {type: prismatic, axis: z}, body: {mass: 3}}
couplings: {rope: {of: up.joint.position, to: down.joint.position, ratio: -1}}
grounds: {g: {law: {normal: restitution, restitution: 0.5}}}
contacts: [{on: down.root}]
start: {down.joint.position: 0.2, up.joint.position: -0.2}
run: {to: 0.5, output-every: 0.5, %s}
"""
        a, h, t = G / 2, 0.2, 0.5
        land = math.sqrt(2 * h / a)
        self.assertGreater(t, land)
        rise = 0.5 * a * land * (t - land) - a / 2 * (t - land) ** 2
        for run, tolerance in ((EVENTS, 1e-9), (EVENTS + ", loops: reduced", 1e-9), (STEPS, 2e-3)):  # steps of 0.5 ms at 1.4 m/s
            got = self.run_of(text % run)
            self.assertLess(abs(got["down.joint.position"][-1] - rise), tolerance, run)
            self.assertLess(abs(got["up.joint.position"][-1] + got["down.joint.position"][-1]), 1e-12, run)

    def test_channels(self):
        # every run records forces and gaps of loops: those of the pin of the four-bar at its start, from an independent derivation
        home = Path(__file__).resolve().parents[2]
        table = list(csv.DictReader((home / "tests/data/parallel/ref_fourbar.csv").open()))
        for method in ("multipliers", "reduced"):
            got = self.run_of((home / "models/four-bar.yaml").read_text(), "--set", f"run.loops={method}")
            for axis in "xy":
                want = float(table[0][f"C_on_coupler_{axis}"])
                self.assertLess(abs(got[f"pin.{axis}.force"][0] - want), 1e-8, method)
                self.assertLess(max(abs(gap) for gap in got[f"pin.{axis}.gap"]), 1e-12, method)

    def test_inverse(self):
        # 0.3 s of the four-bar: from the motion of its crank alone come its motor's torques, but for the ends of the splines
        home = Path(__file__).resolve().parents[2]
        text = (home / "models/four-bar.yaml").read_text()
        got = self.run_of(text, "--set", "run.to=0.3", "--set", "run.output-every=0.005")
        name = "crank.joint.angle"
        rows = [f"{t!r},{q!r},{v!r}" for t, q, v in zip(got["time"], got[name], got[name + ".rate"])]
        Path("crank.csv").write_text(f"time,{name},{name}.rate\n" + "\n".join(rows) + "\n")
        done = appell("inverse", "m.yaml", "crank.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = list(csv.reader(line for line in done.stdout.splitlines() if not line.startswith("#")))
        k = [n.split(" ")[0] for n in told[0]].index("motor")
        for row in told[12:-10]:
            t = float(row[0])
            self.assertLess(abs(float(row[k]) - 3 * math.sin(3 * t)), 1e-3, row[0])

    def test_reduced_does_not_step(self):
        done = self.call(halves(0.3, 0.5, STEPS + ", loops: reduced", 0.1))
        self.assertEqual(done.returncode, 1)
        self.assertIn("the method 'reduced', which the integrator moreau cannot handle", done.stderr)


if __name__ == "__main__":
    unittest.main()
