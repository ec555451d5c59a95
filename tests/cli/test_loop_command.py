# SPDX-License-Identifier: Apache-2.0
"""test_loop_command.py APPELL MODELS: loops as a user meets them: sentences for files that cannot be, loops that cannot stay closed,
forces that are not unique, and every integrator on a closed robot."""
import json
import math
import sys
import unittest
from pathlib import Path

from command import Case, appell

MODELS = Path(sys.argv.pop(1)).resolve()
FOUR_BAR = (MODELS / "four-bar.yaml").read_text()
PIN = "  - {name: pin, from: rocker.end, to: coupler.end, type: planar-point, axes: world}\n"
LINE = FOUR_BAR[: FOUR_BAR.index(PIN)].count("\n") + 1
RUN = "integrator: dop853, tolerance: 1e-10"

# three bars of half a metre over a metre; the first is led to where the others do not reach
REACH = """appell: 1
gravity: [0, -9.81, 0]
links:
  - {name: crank, joint: {type: revolute, axis: z, prescribed: true}, body: {mass: 1, com: [0.25, 0, 0], inertia: {zz: 0.02}}, ports: {end: {at: [0.5, 0, 0]}}}
  - {name: coupler, on: crank.end, joint: {type: revolute, axis: z}, body: {mass: 1, com: [0.25, 0, 0], inertia: {zz: 0.02}}, ports: {end: {at: [0.5, 0, 0]}}}
  - {name: rocker, at: [1, 0, 0], joint: {type: revolute, axis: z}, body: {mass: 1, com: [0.25, 0, 0], inertia: {zz: 0.02}}, ports: {end: {at: [0.5, 0, 0]}}}
loops:
  - {name: pin, from: rocker.end, to: coupler.end, type: planar-point, axes: world}
motion: {crank.joint.angle: {blend: {times: [0, 1], values: [60 deg, 170 deg]}}}
start: {near: {coupler.joint.angle: -60 deg, rocker.joint.angle: 95 deg}}
run: {to: 1 s, output-every: 50 ms, RUN}
"""


class Loops(Case):
    def call(self, text, *words):
        Path("m.yaml").write_text(text)
        return appell(*words, "m.yaml")

    def refused(self, text, where, *parts, command="check"):
        done = self.call(text, command)
        self.assertEqual(done.returncode, 1, done.stdout)
        for part in parts:
            self.assertIn(part, done.stderr)
        if where is not None:
            self.assertIn(f"m.yaml:{where}:", done.stderr)

    def loops(self, *lines):
        return FOUR_BAR.replace(PIN, "".join(f"  - {{{line}}}\n" for line in lines))

    def test_files_that_cannot_be(self):
        pin = "name: pin, from: rocker.end, to: coupler.end, type: planar-point, axes: world"
        self.refused(self.loops(pin.replace("coupler.end", "rocker.root")), LINE, "connects link 'rocker' with itself")
        self.refused(self.loops(pin.replace("coupler.end", "coupler.nose")), LINE, "'coupler.nose', which is not a port")
        self.refused(self.loops(pin.replace("coupler.end", "cupler.end")), LINE, "did you mean 'coupler.end'?")
        self.refused(self.loops(pin.replace("planar-point", "planar-pint")), LINE, "did you mean 'planar-point'?")
        self.refused(self.loops(pin, pin), LINE + 1, "called 'pin'")
        self.refused(self.loops("name: pin, from: rocker.end, type: point"), LINE, "loops.to: is missing (second frame")
        self.refused(self.loops(pin.replace("axes: world", "stiffness: -5 N/m")), LINE, "must not be negative")
        self.refused(FOUR_BAR.replace(RUN, RUN + ", loops: spring"), None, "did you mean 'springs'?")

    def test_loops_that_cannot_be_assembled(self):
        # pivots 3 m apart, links of 0.3, 0.9 and 0.7 m: 1.1 m are missing along x; with the crank at 60 degrees 1.26182 m
        far = FOUR_BAR.replace("at: [1, 0, 0]", "at: [3, 0, 0]")
        self.refused(far, LINE, "loop 'pin' cannot be closed with the given values: it stays open by 1.26182 m", "start: {near: ..}")
        self.refused(far.replace("{crank.joint.angle: 60 deg, near: {", "{near: {crank.joint.angle: 60 deg, "), LINE,
                     "loop 'pin' cannot be closed from this start: it stays open by 1.1 m", "x -1.1 m")
        # a rod of 0.9 m beside the coupler agrees with it, one of 0.8 m does not, whatever the method
        pin = "name: pin, from: rocker.end, to: coupler.end, type: planar-point, axes: world"
        rod = "name: rod, from: rocker.end, to: coupler.root, type: distance, length: 0.8 m"
        for method in ("multipliers", "reduced", "springs"):
            text = self.loops(pin, rod).replace(RUN, f"{RUN}, loops: {method}")
            self.refused(text, None, "cannot be closed with the given values: it stays open by", command="run")

    def test_given_values_that_nearly_fit(self):
        """Three angles of a parallelogram, of which the loop leaves one free. The last one is rounded by 5e-8 rad; 5e-6 rad are
        more than the 1e-6 that rounding may take, although the loop is open by 1.5e-6 m only."""
        text = (MODELS.parent / "tests/data/matrix/loop.yaml").read_text()
        for wrong, fits in ((5e-8, True), (5e-6, False)):
            given = text.replace("c.joint.angle: -40 deg", f"c.joint.angle: {-math.radians(40) + wrong!r}")
            self.assertNotEqual(given, text)
            if fits:
                self.assertIn("rounded", self.call(given, "info").stdout)
            else:
                self.refused(given, None, "cannot be closed with the given values: it stays open by")

    def test_the_start_is_told(self):
        # two of three angles are guesses and follow from the crank's; rows are closed to round-off
        info = json.loads(self.call(FOUR_BAR, "info", "--json").stdout)
        self.assertLess(info["assembly"]["gap"], 1e-13)
        self.assertEqual((info["assembly"]["redundant_rows"], info["assembly"]["released"]), (0, False))
        start = {c["name"]: c["start"] for c in info["coordinates"]}
        self.assertAlmostEqual(start["crank.joint.angle"], math.pi / 3, places=14)
        crank, coupler, rocker = start["crank.joint.angle"], start["crank.joint.angle"] + start["coupler.joint.angle"], start["rocker.joint.angle"]
        self.assertAlmostEqual(0.3 * math.cos(crank) + 0.9 * math.cos(coupler), 1 + 0.7 * math.cos(rocker), places=13)
        self.assertAlmostEqual(0.3 * math.sin(crank) + 0.9 * math.sin(coupler), 0.7 * math.sin(rocker), places=13)
        told = self.call(FOUR_BAR, "check").stdout
        self.assertIn("loops close to", told)
        moved = {n: abs(start[f"{n}.joint.angle"] - math.radians(x)) for n, x in (("coupler", -30), ("rocker", 95))}
        most = max(moved, key=moved.get)
        line = f"closing the loops moved 2 coordinates that are not given, most '{most}.joint.angle' by {moved[most]:.4g} rad"
        self.assertIn(line, told)
        self.assertIn(line, self.call(FOUR_BAR, "run", "-o", "r.h5").stdout)
        self.assertEqual(info["assembly"]["moved"], moved[most])
        self.assertEqual(info["assembly"]["rounded"], 0)
        self.assertNotIn("loops", self.call((MODELS / "double-pendulum.yaml").read_text(), "check").stdout)

    def test_given_values_stay_or_are_refused(self):
        given = "start: {crank.joint.angle: 60 deg, near: {coupler.joint.angle: -30 deg, rocker.joint.angle: 95 deg}}"
        # a file of version 0.1, with guesses among the values: refused, and the sentence names the place for them
        self.refused(FOUR_BAR.replace(given, given.replace("near: {", "").replace("}}", "}")), LINE,
                     "it stays open by 0.0157189 m", "belongs under `start: {near: ..}`")
        # the other values of a start that is given with some digits are found, and those are rounded
        info = json.loads(self.call(FOUR_BAR, "info", "--json").stdout)
        start = {c["name"]: c["start"] for c in info["coordinates"]}
        digits = ", ".join(f"{n}: {x:.9f}" for n, x in start.items())
        told = self.call(FOUR_BAR.replace(given, f"start: {{{digits}}}"), "check")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("given values were rounded", told.stdout)
        exact = ", ".join(f"{n}: {x!r}" for n, x in start.items())
        self.assertNotIn("rounded", self.call(FOUR_BAR.replace(given, f"start: {{{exact}}}"), "check").stdout)
        # what contradicts by more than rounding does not
        off = {**start, "crank.joint.angle": start["crank.joint.angle"] + 1e-4}
        wrong = ", ".join(f"{n}: {x!r}" for n, x in off.items())
        # crank and coupler turn together about the pivot of the crank, by 1e-4
        crank, coupler = start["crank.joint.angle"], start["crank.joint.angle"] + start["coupler.joint.angle"]
        far = math.hypot(0.3 * math.cos(crank) + 0.9 * math.cos(coupler), 0.3 * math.sin(crank) + 0.9 * math.sin(coupler))
        self.refused(FOUR_BAR.replace(given, f"start: {{{wrong}}}"), LINE, f"it stays open by {1e-4 * far:.6g} m")
        # velocities as well
        rates = given.replace("{crank", "{crank.joint.angle.rate: 1, coupler.joint.angle.rate: 1, crank")
        self.refused(FOUR_BAR.replace(given, rates), None, "no start velocities keep the loops closed with the given ones")

    def test_near_chooses_the_assembly(self):
        # elbow up and elbow down of the same crank
        angle = {}
        for guess in (60, -60):
            text = FOUR_BAR.replace("near: {coupler.joint.angle: -30 deg, rocker.joint.angle: 95 deg}",
                                    f"near: {{rocker.joint.angle: {guess} deg}}")
            done = self.call(text, "info", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            info = json.loads(done.stdout)
            self.assertLess(info["assembly"]["gap"], 1e-12)
            angle[guess] = next(c["start"] for c in info["coordinates"] if c["name"] == "rocker.joint.angle")
        # the rocker's end is mirrored in the line from the crank's end to its pivot
        line = math.atan2(0.3 * math.sin(math.pi / 3), 0.3 * math.cos(math.pi / 3) - 1)
        self.assertAlmostEqual(math.remainder(angle[60] + angle[-60] - 2 * line, 2 * math.pi), 0, places=12)
        self.assertGreater(abs(math.remainder(angle[60] - angle[-60], 2 * math.pi)), 0.1)
        # the same by --set, also where the file has no `near`
        plain = FOUR_BAR.replace(", near: {coupler.joint.angle: -30 deg, rocker.joint.angle: 95 deg}", "")
        for guess in (60, -60):
            Path("m.yaml").write_text(plain)
            done = appell("info", "--json", "--set", f"start.near.rocker.joint.angle={guess} deg", "m.yaml")
            self.assertEqual(done.returncode, 0, done.stderr)
            found = next(c["start"] for c in json.loads(done.stdout)["coordinates"] if c["name"] == "rocker.joint.angle")
            self.assertEqual(found, angle[guess])
        self.refused(FOUR_BAR.replace("near: {", "near: {croupler.joint.angle: 1, "), None, "did you mean 'coupler.joint.angle'?")
        self.refused(FOUR_BAR.replace("near: {coupler.joint.angle: -30 deg, rocker.joint.angle: 95 deg}", "near: 5"), None,
                     "start.near: expected a map from names to values")

    def test_methods_that_do_not_apply(self):
        for integrator in ("moreau", "gen-alpha"):
            text = FOUR_BAR.replace(RUN, f"integrator: {integrator}, step: 1 ms, loops: reduced")
            self.refused(text, None, f"the method 'reduced', which the integrator {integrator} cannot handle", "use auto, ", command="run")

    def test_forces_that_are_not_unique(self):
        # a hinge in space on a flat robot: one force and two moments hold what cannot move; and a rod beside the coupler
        pin = "name: pin, from: rocker.end, to: coupler.end, type: hinge, axis: z"
        flat = pin.replace("hinge, axis: z", "planar-point, axes: world")
        rod = "name: rod, from: rocker.end, to: coupler.root, type: distance, length: 0.9 m"
        for lines, words in (((pin,), "3 of its 5 constraints"), ((flat, rod), "'rod' are not unique")):
            for method in ("multipliers", "reduced"):
                done = self.call(self.loops(*lines).replace(RUN, f"{RUN}, loops: {method}"), "run", "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                told = json.loads(done.stdout)["warnings"]
                self.assertEqual(len(told), 1, told)
                self.assertIn(words, json.dumps(told))
        done = self.call(FOUR_BAR, "run", "--json")
        self.assertEqual(json.loads(done.stdout)["warnings"], [])

    def test_not_unique_beside_contacts(self):
        # two welds hold two halves of a box on the ground: six rows follow from the others
        links = "".join(
            f"  - {{name: {n}, joint: floating, body: {{mass: 0.5, inertia: {{xx: 1e-3, yy: 1e-3, zz: 1e-3}}}}, "
            f"ports: {{f0: {{at: [{s * 0.05}, 0.1, -0.05]}}, f1: {{at: [{s * 0.05}, -0.1, -0.05]}}, "
            f"m0: {{at: [{-s * 0.05}, 0, 0]}}, m1: {{at: [{-s * 0.05}, 0.1, 0]}}}}}}\n"
            for n, s in (("a", -1), ("b", 1)))
        for run in ("integrator: dop853, tolerance: 1e-9", "integrator: moreau, step: 1 ms"):
            text = f"""appell: 1
links:
{links}loops:
  - {{name: one, from: a.m0, to: b.m0, type: weld}}
  - {{name: two, from: a.m1, to: b.m1, type: weld}}
grounds: {{g: {{law: {{normal: restitution, restitution: 0}}, friction: {{law: coulomb-stiction, coefficient: 0.5}}}}}}
contacts: [{{on: a.f0}}, {{on: a.f1}}, {{on: b.f0}}, {{on: b.f1}}]
start: {{a.joint.x: -0.05, b.joint.x: 0.05, a.joint.z: 0.05, b.joint.z: 0.05}}
run: {{to: 0.1 s, {run}}}
"""
            done = self.call(text, "run", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("not unique", done.stdout)

    def test_loops_that_cannot_stay_closed(self):
        # the crank leads the others to where they are stretched, after 0.2828 s (by adaptive methods and time steps)
        for run in ("integrator: dop853, tolerance: 1e-8", "integrator: dop853, tolerance: 1e-8, loops: reduced", "integrator: gen-alpha, step: 1 ms"):
            done = self.call(REACH.replace("RUN", run), "run")
            self.assertEqual(done.returncode, 1, run)
            self.assertIn("at t = 0.282", done.stderr)
            self.assertIn("fully stretched or folded", done.stderr)
        done = self.call(REACH.replace("RUN", "integrator: moreau, step: 1 ms"), "run")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot be kept closed", done.stderr)
        # springs go on, and say how far they were stretched: 1.5 - 1 m of reach are missing in the end
        for run in ("integrator: dop853, tolerance: 1e-8", "integrator: moreau, step: 1 ms"):
            done = self.call(REACH.replace("RUN", run + ", loops: springs"), "run")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("springs let the loop constraint 'pin.x' open by up to 0.49", done.stderr + done.stdout)

    def test_a_resumed_run_names_the_row_that_was_stretched_before(self):
        text = """appell: 1
gravity: [0, 0, 0]
links:
  - {name: puck, joint: {type: planar, normal: z}, body: {mass: 1, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}, ports: {p: {at: [0, 0, 0]}}}
loops:
  - {name: pin, from: world, to: puck.p, type: planar-point, axis: z, stiffness: 100, damping: 20}
inputs: {push: {on: puck.joint.y, value: {blend: {times: [0, 0.1, 0.2], values: [0, 10, 0]}}}}
run: {to: 1 s, integrator: dop853, output-every: 10 ms, loops: springs}
"""
        self.call(text, "run", "-o", "a.h5", "--checkpoint-every", "10")
        done = self.call(text, "run", "--resume", "a.h5", "-o", "b.h5", "--to", "2", "--checkpoint-every", "10")
        self.assertIn("springs let the loop constraint 'pin.y' open by up to 0.03", done.stderr + done.stdout)

    def test_springs_take_what_is_given_and_choose_the_rest(self):
        """A puck of 2 kg on a pin of springs: m s^2 + d s + k = 0 along x and y. What the loop does not give comes from the frequency and the ratio of `run`."""
        mass, w, ratio = 2.0, 20.0, 0.25
        for given, k, d in (("", mass * w * w, 2 * ratio * mass * w), ("stiffness: 300, ", 300.0, 2 * ratio * math.sqrt(300.0 * mass)),
                            ("damping: 3, ", mass * w * w, 3.0), ("stiffness: 300, damping: 3, ", 300.0, 3.0)):
            text = f"""appell: 1
gravity: [0, 0, 0]
links:
  - {{name: puck, joint: {{type: planar, normal: z}}, body: {{mass: {mass}, inertia: {{xx: 0.1, yy: 0.1, zz: 0.1}}}}, ports: {{p: {{at: [0, 0, 0]}}}}}}
loops:
  - {{name: pin, from: world, to: puck.p, {given}type: planar-point, axis: z}}
run: {{loops: springs, loop-frequency: {w}, loop-damping-ratio: {ratio}}}
"""
            done = self.call(text, "linearize", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            poles = [pole for pole in json.loads(done.stdout)["poles"] if pole[1] > 1]
            self.assertEqual(len(poles), 2, given)
            for real, imag in poles:  # eigenvalues of a 6 x 6 matrix of numbers up to 400
                self.assertAlmostEqual(real, -d / (2 * mass), delta=1e-9, msg=given)
                self.assertAlmostEqual(imag, math.sqrt(k / mass - (d / (2 * mass)) ** 2), delta=1e-9, msg=given)

    def test_equilibrium(self):
        # potential energy over the crank's angle, with the rocker from the triangle B C D: its slope vanishes, and its curvature decides
        def place(crank):
            bx, by = 0.3 * math.cos(crank), 0.3 * math.sin(crank)
            d = math.hypot(1 - bx, by)
            turn = math.atan2(-by, 1 - bx) + math.acos((0.81 + d * d - 0.49) / (1.8 * d))
            cx, cy = bx + 0.9 * math.cos(turn), by + 0.9 * math.sin(turn)
            return bx, by, cx, cy, turn, math.atan2(cy, cx - 1)

        def energy(crank):
            _, b, _, c, _, _ = place(crank)
            return 9.81 * (1 * b / 2 + 2 * (b + c) / 2 + 1.5 * c / 2)

        still = FOUR_BAR[: FOUR_BAR.index("inputs:")] + FOUR_BAR[FOUR_BAR.index("start:") :]
        for crank, stable in ((60, False), (-100, True)):
            text = still.replace("crank.joint.angle: 60 deg", f"crank.joint.angle: {crank} deg")
            if stable:
                text = text.replace("coupler.joint.angle: -30 deg, rocker.joint.angle: 95 deg", "coupler.joint.angle: 140 deg, rocker.joint.angle: 130 deg")
            done = self.call(text, "equilibrium", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(done.stdout)
            angle = found["coordinates"]["crank.joint.angle"]
            h = 1e-4
            self.assertAlmostEqual((energy(angle + h) - energy(angle - h)) / (2 * h), 0, delta=1e-6)  # h^2 of the third derivative, some 10 J
            self.assertEqual(found["stable"], stable)
            self.assertEqual(energy(angle + h) + energy(angle - h) > 2 * energy(angle), stable)
            # about the stable one it swings with w^2 = V''/I, I = sum of m v^2 + J w^2 for a crank that turns at 1 rad/s
            if stable:
                ends = [place(angle + s) for s in (-h, h)]
                rate = [(p - q) / (2 * h) for p, q in zip(ends[1], ends[0])]
                bx, by, cx, cy, turn, swing = rate
                inertia = (0.0075 + 0.0225) + 2 * (((bx + cx) / 2) ** 2 + ((by + cy) / 2) ** 2) + 0.135 * turn**2 + (0.06125 + 1.5 * 0.35**2) * swing**2
                curve = (energy(angle + h) - 2 * energy(angle) + energy(angle - h)) / h**2
                modes = json.loads(self.call(text, "modes", "--json").stdout)["modes"]
                self.assertEqual(len(modes), 1)
                self.assertAlmostEqual(modes[0]["omega"], math.sqrt(curve / inertia), delta=1e-5)
        done = self.call(still, "equilibrium", "--stable")
        self.assertIn("is not stable", done.stderr)

    def test_multistep_methods_go_on(self):
        # they begin anew where gaps are wider than ten tolerances, not after every step: before, a million steps
        for integrator in ("adams", "bdf"):
            done = self.call(FOUR_BAR.replace(RUN, f"integrator: {integrator}, tolerance: 1e-8"), "run", "--json")
            told = json.loads(done.stdout)
            self.assertLess(told["steps"], 3000)
            self.assertLess(told["energy_error"], 1e-6)


if __name__ == "__main__":
    unittest.main()
