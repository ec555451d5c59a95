# SPDX-License-Identifier: Apache-2.0
"""test_rows.py APPELL: rows that are not contacts in time steps (stops, tendons), what prescribed joints bear, what a run says of its
contacts, and what becomes of contacts that go wrong.

Closed forms stand beside each test. Runs that once failed (issue Rows) go to their end by located events at three tolerances.
"""
import json
import math
import re
import unittest
from pathlib import Path

from command import Case, appell, read_table

import h5py

MODELS = Path(__file__).parents[2] / "models"
G = 9.81

ARM = "body: {mass: 1, com: [0.5, 0, 0], inertia: {xx: 0.01, yy: 0.1, zz: 0.1}}"
STOP = f"""appell: 1
links:
  - name: a
    joint: {{type: revolute, axis: y, limits: {{lower: -0.5, upper: 0.3}}, stop-stiffness: STIFFNESS N m/rad, stop-damping: DAMPING s/rad}}
    {ARM}
run: {{to: 1 s, integrator: moreau, step: 1 ms, output-every: 1 ms}}
"""

TENDON = f"""appell: 1
links:
  - {{name: post, body: {{mass: 0.1}}, ports: {{top: {{at: [0, 0, 1]}}}}}}
  - {{name: a, joint: {{type: revolute, axis: y, damping: 2}}, {ARM}, ports: {{tip: {{at: [1, 0, 0]}}}}}}
tendons:
  t: {{path: [{{port: post.top}}, {{port: a.tip}}], stiffness: 1e6 N/m, damping: 1000 N s/m, rest-length: 1.5 m}}
run: {{to: 2 s, integrator: moreau, step: 1 ms, output-every: 10 ms}}
"""

BOUNCE = f"""appell: 1
gravity: [0, 0, -{G}]
links:
  - {{name: post, body: {{mass: 0.1}}, ports: {{top: {{at: [0, 0, 0]}}}}}}
  - {{name: a, joint: {{type: prismatic, axis: z}}, body: {{mass: 2}}, ports: {{hook: {{at: [0, 0, 0]}}}}}}
tendons: {{t: {{path: [{{port: post.top}}, {{port: a.hook}}], stiffness: 1000 N/m, rest-length: 1 m}}}}
start: {{a.joint.position: -0.5}}
run: {{to: 5, output-every: 0.05}}
"""

FOOT = """appell: 1
links:
  - {name: x, joint: {type: prismatic, axis: x, prescribed: true}, body: {mass: 1}}
  - {name: z, on: x, joint: {type: prismatic, axis: z}, body: {mass: 2}, ports: {foot: {at: [0, 0, 0]}}}
grounds: {g: {law: {normal: restitution, restitution: 0}, friction: {law: coulomb-stiction, coefficient: 0.5}}}
contacts: [{on: z.foot}]
motion: {x.joint.position.rate: 1}
start: {z.joint.position: 0.1}
run: {to: 0.4 s, integrator: moreau, step: 1 ms, output-every: 1 ms}
"""

PRESSED = """appell: 1
links:
  - {name: z, joint: {type: prismatic, axis: z, prescribed: true}, body: {mass: 2}, ports: {foot: {at: [0, 0, 0]}}}
grounds: {g: {law: {normal: restitution, restitution: 0}, friction: {law: coulomb-stiction, coefficient: 0.5}}}
contacts: [{on: z.foot}]
motion: {z.joint.position: {sine: {mean: 0.05, amplitude: 0.1, frequency: 1, phase: 1.5707963267948966}}}
run: {to: 1 s, integrator: moreau, step: 1 ms, output-every: 10 ms}
"""

# a rod of length 1 that leans forward and slides backwards on its lower end, pushed by a force on its centre
ROD = """appell: 1
links:
  - {name: x, joint: {type: prismatic, axis: x}, body: {mass: 0}}
  - {name: z, on: x, joint: {type: prismatic, axis: z}, body: {mass: 0}}
  - name: rod
    on: z
    joint: {type: revolute, axis: -y}
    body: {mass: 1, com: [0.5, 0, 0], inertia: {yy: 0.0833333, zz: 0.0833333}}
grounds: {g: {law: {normal: restitution, restitution: 0}, friction: {law: coulomb-stiction, coefficient: 1.5}}}
contacts: [{on: rod.root}]
start: {x.joint.position.rate: SPEED, rod.joint.angle: ANGLE deg, rod.joint.angle.rate: TURN}
run: {to: 1, tolerance: 1e-8, output-every: 0.01}
"""


class Rows(Case):
    def json_of(self, text, *options):
        done = self.call(text, *options, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def halves(self, text, steps=("2 ms", "1 ms", "0.5 ms")):
        """Half the step leaves half the ledger error: the method is of order one."""
        errors = [self.json_of(text, "--step", step)["energy_error"] for step in steps]
        for more, less in zip(errors, errors[1:]):
            self.assertAlmostEqual(more / less, 2.0, delta=0.1, msg=str(errors))
        return errors

    # ------------------------------------------------------------------------------- stops ----

    def test_a_stop_is_met_within_the_step(self):
        # falls onto a stop that is as good as rigid: a spring of the start of the step would let it in by v h = 3e-3
        got = self.run_of(STOP.replace("STIFFNESS", "1e9").replace("DAMPING", "1"))
        self.assertLess(max(got["a.joint.angle"]) - 0.3, 2e-6)
        # at rest: stop-stiffness p (1 + 0) = m g r cos(angle)
        self.assertAlmostEqual((got["a.joint.angle"][-1] - 0.3) * 1e9, G * 0.5 * math.cos(0.3), delta=1e-3)

    def test_stops_are_booked(self):
        self.assertLess(self.halves(STOP.replace("STIFFNESS", "1e4").replace("DAMPING", "1"))[0], 1e-2)

    def test_stops_go_to_the_located_motion(self):
        text = STOP.replace("STIFFNESS", "1e4").replace("DAMPING", "1").replace("to: 1 s", "to: 0.4 s")
        exact = self.run_of(text, "--integrator", "rkf45", "--tolerance", "1e-10")["a.joint.angle"]
        far = []
        for step in ("0.25 ms", "0.125 ms"):
            got = self.run_of(text, "--step", step)["a.joint.angle"]
            far.append(max(abs(x - y) for x, y in zip(got, exact)))
        self.assertLess(far[0], 5e-3)  # it bounces at 3 rad/s; v h is 8e-4
        self.assertLess(far[1], 0.75 * far[0])

    def test_a_stop_too_stiff_is_told(self):
        done = self.call(STOP.replace("STIFFNESS", "1e9").replace("DAMPING", "0"))
        self.assertIn("the step is too large for the stiffness of the stop of 'a.joint.angle', h sqrt(k/m)", done.stdout)

    def test_stops_resume(self):
        text = STOP.replace("STIFFNESS", "1e4").replace("DAMPING", "1")
        Path("m.yaml").write_text(text)
        run = ["run", "m.yaml", "--checkpoint-every", "10"]
        self.good(*run, "-o", "whole.h5")
        self.good(*run, "-o", "half.h5", "--to", "0.5")
        self.good(*run, "-o", "rest.h5", "--resume", "half.h5")
        self.assertEqual(Path("whole.h5").read_bytes(), Path("rest.h5").read_bytes())

    # ----------------------------------------------------------------------------- tendons ----

    def test_a_stiff_tendon_holds(self):
        # |tip - top|^2 = 2 + 2 sin(angle); T cos(angle) / l is its moment's arm (1, in units of T) against m g r cos(angle)
        got = self.run_of(TENDON, "--step", "10 ms")  # sqrt(k/m) h = 10: an explicit tendon would explode
        angle = got["a.joint.angle"][-1]
        length = math.sqrt(2 + 2 * math.sin(angle))
        self.assertAlmostEqual(got["t.length"][-1], length, delta=1e-12)
        self.assertAlmostEqual(1e6 * (length - 1.5) / length, G * 0.5, delta=1e-4)

    def test_a_tendon_becomes_taut_in_time(self):
        """2 kg fall 0.5 m, are caught by a tendon of 1 kN/m and thrown back, for ever. Closed form: free fall for t1 = v / g, then s cos w t - v/w sin w t about the
        place where it would hang, s = m g / k below the length at which it becomes taut. The corner is landed on, so methods of high order keep theirs."""
        t1, w, s = math.sqrt(1 / G), math.sqrt(1000 / 2), 2 * G / 1000
        v = G * t1
        taut = 2 * (math.pi - math.atan2(v / w, s)) / w

        def place(t):
            t = t % (2 * t1 + taut)
            if t < t1:
                return -0.5 - G * t * t / 2
            if t < t1 + taut:
                return -1 - s + s * math.cos(w * (t - t1)) - v / w * math.sin(w * (t - t1))
            return -1 + v * (t - t1 - taut) - G * (t - t1 - taut) ** 2 / 2

        # errors of the phase grow over seven bounces: some tolerances each, times the speed of 3 m/s; before the corner was found rkf78 was 1e-2 off at each of them
        for method, most in (("auto", 20), ("dop853", 20), ("rkf78", 2)):
            for tolerance in (1e-6, 1e-8, 1e-10):
                got = self.run_of(BOUNCE, "--integrator", method, "--tolerance", repr(tolerance))
                far = max(abs(z - place(t)) for t, z in zip(got["time"], got["a.joint.position"]))
                self.assertLess(far, most * tolerance, f"{method} {tolerance}")

    def test_tendons_are_booked(self):
        self.assertLess(self.halves(TENDON)[0], 1e-2)

    # ---------------------------------------------------------------------- slaved and prescribed ----

    def test_dampers_of_trailers_are_booked(self):
        text = (MODELS / "tractor.yaml").read_text()
        joint = "wheel-inertia: 0.1 kg m^2}"
        self.assertEqual(text.count(joint), 2)
        text = text.replace(joint, "wheel-inertia: 0.1 kg m^2, damping: 50}").replace("to: 20 s", "to: 5 s, integrator: moreau, step: 1 ms")
        self.assertLess(self.halves(text)[0], 1e-3)

    def test_prescribed_joints_bear_impulses(self):
        # a foot falls on rough ground while a carriage drags it at 1 m/s: it comes to rest in z, so the ground gave m g T in all,
        # and friction half of that along x, the blow of the landing included. The carriage bore that, at constant speed.
        got = self.run_of(FOOT)
        effort = next(name for name in got if name.startswith("x.") and name.endswith("effort"))
        total = sum(got[effort][1:]) * 1e-3
        self.assertAlmostEqual(total, 0.5 * 2 * G * 0.4, delta=1e-9)
        # the landing takes two steps: to the ground, and to rest on it; weight adds two steps of its own
        blow = sum(x for x in got[effort] if x > 3 * 0.5 * 2 * G) * 1e-3
        self.assertAlmostEqual(blow, 0.5 * 2 * math.sqrt(2 * G * 0.1), delta=0.03)

    def test_prescribed_motion_into_the_ground(self):
        # 0.05 + 0.1 cos(2 pi t) comes to the ground at t = 1/3 s with 0.544 m/s
        for options in ((), ("--integrator", "rkf45")):
            done = self.call(PRESSED, *options)
            self.assertEqual(done.returncode, 1, done)
            self.assertRegex(done.stderr, r"at t = 0\.33.*prescribed motion drives contact 'z\.foot\.g' into rigid ground at 0\.[0-9]+ m.s.*compliant law")
            self.assertGreater(read_table("out.csv")["time"][-1], 0.3)  # what was found until then is kept

    def test_rest_speed_of_zero(self):
        # nothing is prescribed: round-off of a box that comes to rest was called a motion into the ground
        box = """appell: 1
links:
  - {name: box, joint: floating, body: {mass: 1, inertia: {xx: 0.01, yy: 0.01, zz: 0.01}},
     ports: {a: {at: [0.1, 0.1, -0.1]}, b: {at: [-0.1, 0.1, -0.1]}, c: {at: [0.1, -0.1, -0.1]}, d: {at: [-0.1, -0.1, -0.1]}}}
grounds: {floor: {law: {normal: restitution, rest-speed: 0, restitution: 0.3}, friction: {law: coulomb-stiction, coefficient: 0.5}}}
contacts: [{on: box.a}, {on: box.b}, {on: box.c}, {on: box.d}]
start: {box.joint.z: 0.2, box.joint.vx.rate: 1, box.joint.wx.rate: 2}
run: {to: 1 s, integrator: moreau, step: 1 ms, output-every: 10 ms}
"""
        done = self.call(box)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_rest_speed_of_zero_bounces(self):
        # 1 kg stands on the floor, is thrown by a force, and comes back: z'' = F - g from F = g on, then a parabola. It never bounced,
        # because a contact that had stood still once stayed closed
        toss = """appell: 1
links:
  - {name: block, joint: {type: prismatic, axis: z}, body: {mass: 1}, ports: {foot: {at: [0, 0, 0]}}}
grounds: {floor: {law: {normal: restitution, restitution: 0.9, rest-speed: 0}}}
contacts: [{on: block.foot}]
inputs:
  lift: {on: block.joint.position, value: {linear: {times: [0, 0.2, 0.3, 0.4, 0.5], values: [0, 0, 30, 30, 0]}}}
run: {to: 2.5, output-every: 0.1}
"""
        g = 9.81

        def up(t):  # start and end of a piece of the force, acceleration at its start and its slope
            return [(0.2 + 0.1 * g / 30, 0.3, 0.0, 300.0), (0.3, 0.4, 30 - g, 0.0), (0.4, 0.5, 30 - g, -300.0)][t]

        z = v = 0.0
        for start, end, a, jerk in map(up, range(3)):
            h = end - start
            z, v = z + v * h + a * h * h / 2 + jerk * h**3 / 6, v + a * h + jerk * h * h / 2
        down = math.sqrt(v * v + 2 * g * z)
        first = 0.5 + (v + down) / g
        second = first + 2 * 0.9 * down / g
        self.assertLess(second, 2.5)
        out = 0.9**2 * down
        left = 2.5 - second
        for options in (("--integrator", "dop853"), ("--integrator", "stiff")):
            done = self.call(toss, *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("2 impacts", done.stdout)
            z = read_table("out.csv")["block.joint.position"][-1]
            self.assertAlmostEqual(z, out * left - g * left * left / 2, delta=1e-5)

    # --------------------------------------------------------------------------- bad input ----

    def test_deep_starts(self):
        for run in ("integrator: moreau, step: 1 ms", "tolerance: 1e-8"):
            text = FOOT.replace("z.joint.position: 0.1", "z.joint.position: -0.2").replace("integrator: moreau, step: 1 ms", run)
            done = self.call(text)
            self.assertEqual(done.returncode, 1, done)
            self.assertRegex(done.stderr, r"z\.foot\.g.* starts 0\.2 m deep in the ground, deeper than its start-depth 0\.001 m")

    def test_slides_into_the_region_of_painleve(self):
        # The end slides to the left, so friction turns the rod and pushes its end down: with c, s of the angle
        # W_nn = 1/m + l^2 c (c - mu s) / I, which is negative between 50.6 and 73 degrees: no force holds the end there. The rod
        # starts outside and slides in. There both a blow that ends the sliding and lifting off obey the laws: steps find the first,
        # located events the second. Neither hangs, neither gains energy.
        m, l, inertia, mu = 1.0, 0.5, 0.0833333, 1.5

        def inside(angle):
            c, s = math.cos(angle), math.sin(angle)
            return 1 / m + l * l * c * (c - mu * s) / inertia < 0

        for speed, turn in ((-8, 0.5), (-20, 1)):
            self.assertFalse(inside(math.radians(48)))
            text = ROD.replace("SPEED", str(speed)).replace("ANGLE", "48").replace("TURN", str(turn))
            got = self.run_of(text)
            self.assertLess(max(abs(x) for x in got["ledger.error"]), 1e-5 * got["ledger.kinetic"][0])
            carried = [a for a, n in zip(got["rod.joint.angle"], got["rod.root.g.normal"]) if n > 0]
            self.assertGreater(math.degrees(max(carried[:3])), 49)  # it came to the edge in contact
            got = self.run_of(text, "--integrator", "moreau", "--step", "0.1 ms", "--output-every", "0.001")
            slides = [a for a, n, v in zip(got["rod.joint.angle"], got["rod.root.g.normal"], got["x.joint.position.rate"]) if n > 0 and v < -0.1]
            self.assertTrue(any(inside(a) for a in slides))
            self.assertLess(max(got["ledger.kinetic"]), 1.001 * got["ledger.kinetic"][0])

    # ------------------------------------------------------------------------------ reports ----

    def test_summary_of_contacts(self):
        Path("m.yaml").write_text((MODELS / "quadruped.yaml").read_text())
        self.assertEqual(appell("run", "m.yaml", "-o", "r.h5", "--to", "0.4").returncode, 0)
        with h5py.File("r.h5") as f:
            values = {row["key"].decode(): row["value"] for row in f["summary"][()]}
        for key in ("contact.residual", "contact.rough", "contact.shared", "contact.gain", "contact.stiffest", "energy.discretisation"):
            self.assertIn(key, values)
        self.assertLess(float(values["contact.residual"]), 1e-9)  # the solver's tolerance is 1e-10
        self.assertEqual(float(values["contact.rough"]), 0)
        self.assertEqual(float(values["energy.discretisation"]), float(values["energy.error.relative"]))

    def test_a_v0_that_is_not_used_is_told(self):
        text = FOOT.replace("law: coulomb-stiction", "law: coulomb, v0: 0.01")
        self.assertIn("v0 of coulomb (contact 'z.foot.g') is not used", self.call(text).stdout)
        self.assertNotIn("v0", self.call(text, "--integrator", "rkf45").stdout)
        self.assertNotIn("v0", self.call(FOOT).stdout)

    def test_discretisation_is_named(self):
        self.assertIn("(discretisation)", self.call(FOOT).stdout)

    # -------------------------------------------------------------- runs that once failed ----

    def finish(self, text, to, tolerance):
        done = self.call(text, "--integrator", "rkf45", "--tolerance", tolerance, "--to", str(to), "--json")
        self.assertEqual(done.returncode, 0, (tolerance, done.stderr))
        self.assertLess(json.loads(done.stdout)["energy_error"], 100 * float(tolerance))

    def test_quadruped_on_rigid_ground(self):
        # ended at 0.3 s with "comes back again and again"
        for tolerance, to in (("1e-6", 2), ("1e-8", 1), ("1e-10", 0.6)):
            self.finish((MODELS / "quadruped.yaml").read_text(), to, tolerance)

    def test_quadruped_on_compliant_ground(self):
        text = (MODELS / "quadruped.yaml").read_text()
        rigid = "normal: restitution, restitution: 0.1}, friction: {law: coulomb-stiction, coefficient: 0.7, stiction: 0.8}"
        self.assertEqual(text.count(rigid), 1)
        text = text.replace(rigid, "normal: kelvin-voigt, stiffness: 20000, exponent: 1, damping: 300}, friction: {law: coulomb, coefficient: 0.8, v0: 0.01}")
        for tolerance, to in (("1e-6", 2), ("1e-8", 1), ("1e-10", 0.6)):
            self.finish(text, to, tolerance)

    def test_restitution_of_the_flexible_chain(self):
        text, n = re.subn(r"law: \{normal: hu-guo[^}]*\}", "law: {normal: restitution, restitution: 0.5}",
                          (MODELS / "paper-flexible-ss.yaml").read_text())
        self.assertEqual(n, 1)
        for tolerance in ("1e-6", "1e-8", "1e-10"):
            self.finish(text, 1.2, tolerance)

    def test_box_that_starts_sliding_in_touch(self):
        text = (Path(__file__).parents[1] / "data" / "trust" / "touching_start_box.yaml").read_text()
        for tolerance, to in (("1e-6", 1), ("1e-8", 0.5), ("1e-10", 0.2)):
            self.finish(text, to, tolerance)


if __name__ == "__main__":
    unittest.main()
