# SPDX-License-Identifier: Apache-2.0
"""test_snake.py APPELL DATA: whole simulations of snakes.

Sources: shared reference snake/paper_compliant.csv and the table of spec section 4 (an independent compliant simulation with explicit steps of
25 us; statistics only: impacts make single numbers chaotic); closed forms of rest inside the friction cone.
"""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

APPELL = Path(sys.argv.pop(1)).resolve()
DATA = Path(sys.argv.pop(1)).resolve()
MODELS = DATA.parent.parent / "models"
G, N, L, M, ALPHA, WAVES = 9.81, 16, 0.1, 0.1, math.pi / 6, 2
STIFF = "normal: kelvin-voigt, stiffness: 1e5, damping: 60, exponent: 1"
RIGID = "normal: restitution, restitution: 0"


def worm(joint, law, friction, run, slope=0.0, speed=0.42, wait=0.5, to=2.6, radius=0.0):
    """The 16 links of the paper in the vertical plane; it waits, then travels for one cycle."""
    text = f"appell: 1\ngravity: [{-G * math.sin(slope)!r}, 0, {-G * math.cos(slope)!r}]\nlinks:\n"
    rise = math.sqrt(radius**2 - L * L / 4) if radius else 0.0
    for i in range(1, N + 1):
        on = "" if i == 1 else f", on: l{i - 1}.end"
        kind = "{type: planar, normal: -y}" if i == 1 else f"{{type: revolute, axis: -y, {joint}}}"
        middle = f", middle: {{at: [{L / 2}, 0, {rise!r}]}}" if radius else ""
        text += (f"  - {{name: l{i}{on}, joint: {kind}, body: {{mass: {M}, com: [{L / 2}, 0, 0], inertia: {{yy: {M * L * L / 12!r}}}}}, "
                 f"ports: {{end: {{at: [{L}, 0, 0]}}{middle}}}}}\n")
    text += f"grounds: {{slope: {{law: {{{law}}}, friction: {{{friction}}}}}}}\ncontacts:\n"
    if radius:
        half = math.asin(L / (2 * radius))
        text += "".join(f"  - {{on: l{i}.middle, radius: {radius!r}, arc: {half!r}}}\n" for i in range(1, N + 1))
    else:
        text += "".join(f"  - {{on: l{i}.root}}\n" for i in range(1, N + 1)) + f"  - {{on: l{N}.end}}\n"
    text += (f"gaits: [{{type: serpenoid, chain: [l1, l{N}], winding: {ALPHA!r}, waves: {WAVES}, length: {N * L!r}, "
             f"travel: {{travel: {{speed: {-speed}, from: {wait}, to: {wait + 2.1}, ramp: 0.21}}}}}}]\n")
    angle = [ALPHA * math.cos(2 * WAVES * math.pi * i / N) for i in range(N)]
    height, lowest = 0.0, 0.0
    for phi in angle:
        height += L * math.sin(phi)
        lowest = min(lowest, height)
    start = f"l1.joint.y: {-lowest + (radius - rise)!r}, l1.joint.angle: {angle[0]!r}"
    if "servo" in joint:
        start += "".join(f", l{i + 1}.joint.angle: {angle[i] - angle[i - 1]!r}" for i in range(1, N))
    return text + f"start: {{{start}}}\nrun: {{to: {to}, {run}}}\n"


def centre(row):
    x, phi, total = row["l1.joint.x"], row["l1.joint.angle"], 0.0
    for i in range(1, N + 1):
        phi += row[f"l{i}.joint.angle"] if i > 1 else 0.0
        total += (x + L / 2 * math.cos(phi)) / N
        x += L * math.cos(phi)
    return total


class Snake(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def run_model(self, text):
        Path("m.yaml").write_text(text)
        done = subprocess.run([APPELL, "run", "m.yaml", "--csv", "m.csv"], capture_output=True, text=True, timeout=240)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open("m.csv") as file:
            rows = list(csv.reader(file))
        return [dict(zip(rows[0], map(float, row))) for row in rows[1:]]

    # ------------------------------------------------------------------------------ compliant statistics

    def test_statistics_of_the_compliant_simulation(self):
        """Mean |torque| of all 15 joints at the 50 times of the reference, within 5 % of W d/4 = 0.146 N m as the spec asks; advance
        and largest ground force of its table within 5 %."""
        servo = "servo: {stiffness: 2000, damping: 1}"
        rows = self.run_model(worm(servo, STIFF, "law: coulomb, coefficient: 0.3, v0: 1 mm/s",
                                   "integrator: moreau, step: 0.1 ms, output-every: 1 ms"))
        rows = [row for row in rows if row["time"] > 0.4995]
        with open(DATA / "snake" / "paper_compliant.csv") as file:
            want = list(csv.DictReader(file))
        bound = 0.05 * N * M * G * 0.746101258 / 4
        for j in range(2, N + 1):
            name = f"l{j}.joint.angle.effort"
            theirs = sum(abs(float(w[f"tau_P{j}"])) for w in want) / len(want)
            ours = sum(abs(rows[round(float(w["t"]) / 1e-3)][name]) for w in want) / len(want)
            self.assertAlmostEqual(ours, theirs, delta=bound, msg=name)
        mean = sum(abs(row["l9.joint.angle.effort"]) for row in rows) / len(rows)
        self.assertAlmostEqual(mean, 0.8096, delta=bound)
        self.assertAlmostEqual(centre(rows[-1]) - centre(rows[0]), 52.3e-3, delta=0.05 * 52.3e-3)
        most = max(sum(x for name, x in row.items() if name.endswith(".normal")) for row in rows)
        self.assertAlmostEqual(most, 75.1, delta=0.05 * 75.1)

    def test_curved_links_take_the_peaks_away(self):
        """Table of spec section 4, arcs of radius r_c*: 58.6 mm, P_9 2.857 N m, ground force 24.3 N. Rows of arcs are those of the
        place that touches. 1 ms instead of 25 us: 10 %."""
        radius = L / (2 * math.sin(ALPHA * math.sin(WAVES * math.pi / N)))
        rows = self.run_model(worm("servo: {stiffness: 2000, damping: 1}", STIFF, "law: coulomb, coefficient: 0.3, v0: 1 mm/s",
                                   "integrator: moreau, step: 1 ms, output-every: 1 ms", radius=radius))
        rows = [row for row in rows if row["time"] > 0.4995]
        self.assertAlmostEqual(centre(rows[-1]) - centre(rows[0]), 58.6e-3, delta=0.03 * 58.6e-3)
        self.assertAlmostEqual(max(row["l9.joint.angle.effort"] for row in rows), 2.857, delta=0.05)
        most = max(sum(x for name, x in row.items() if name.endswith(".normal")) for row in rows)
        self.assertLess(most, 1.1 * 24.3)

    # ------------------------------------------------------------------------------------ shipped snakes

    def ship(self, name, *words):
        done = subprocess.run([APPELL, "run", MODELS / name, "--csv", "m.csv", "--json", *words], capture_output=True, text=True, timeout=240)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open("m.csv") as file:
            rows = list(csv.reader(file))
        said = json.loads(done.stdout)
        self.assertLess(said["energy_error"], 0.01)
        return said["metrics"], [dict(zip(rows[0], map(float, row))) for row in rows[1:]]

    def test_worm_climbs_as_the_support_analysis_says(self):
        """Two cycles of (n/k_n) 2 beta r_c - d = 59.28 mm (spec 3.6); servos give way a little: 5 %."""
        said, _ = self.ship("worm-incline.yaml")
        self.assertAlmostEqual(said["distance"], 2 * 59.28e-3, delta=0.05 * 2 * 59.28e-3)
        # lifting the weight up the slope is the least that must be done
        self.assertGreater(said["positive_work"], 1.6 * G * math.sin(math.radians(5)) * said["distance"])

    def test_lateral_undulation_goes_forward(self):
        """Half the links push sideways: it advances along its axis, and the faster the less it slides sideways."""
        easy, rows = self.ship("lateral-undulation.yaml", "--to", "4")
        self.assertGreater(rows[-1]["l1.joint.x"], 1.0)
        same, rows = self.ship("lateral-undulation.yaml", "--to", "4", "--set", "grounds.floor.friction.across=0.05",
                               "--set", "grounds.floor.friction.backward=0.05")
        self.assertLess(abs(rows[-1]["l1.joint.x"]), 0.1)  # equal friction on all sides: no way ahead
        self.assertLess(easy["friction_use"], 1 + 1e-9)
        self.assertLess(same["friction_use"], 1 + 1e-9)

    def test_showcases_end_without_warnings(self):
        for name in ("gripper", "pipe-climber", "snake-pegs", "rolling-helix", "soft-snake", "sidewinder"):
            done = subprocess.run([APPELL, "run", MODELS / f"{name}.yaml", "--quiet"], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""), name)

    def test_sidewinder_goes_sideways(self):
        """Across its body (y), hardly along it, by laying parts down rather than sliding them; half the step goes the same way."""
        way = []
        for step in ("1 ms", "0.5 ms"):
            said, rows = self.ship("sidewinder.yaml", "--to", "4", "--step", step)
            way.append(rows[-1]["l1.joint.y"] - rows[50]["l1.joint.y"])
            # 17 contacts: each slides less than a tenth of the way
            self.assertLess(said["slip"], 1.7 * said["distance"])
        self.assertGreater(way[1], 0.25)
        self.assertLess(abs(rows[-1]["l1.joint.x"] - rows[50]["l1.joint.x"]), 0.15 * way[1])
        self.assertAlmostEqual(way[0], way[1], delta=0.05 * way[1])

    def test_rolling_is_that_of_a_pipe(self):
        """With no step along the body the bent snake rolls: 2 pi f r per second. Its joints bend in turn, not at once: 6 %."""
        _, rows = self.ship("rolling-helix.yaml", "--set", "gaits.0.pitch.step=0", "--set", "gaits.0.yaw.step=0",
                            "--to", "5", "--record", "l8.end")
        a, b = rows[75], rows[225]  # 1.5 s and 4.5 s
        speed = math.hypot(b["l8.end.position.x"] - a["l8.end.position.x"], b["l8.end.position.y"] - a["l8.end.position.y"]) / 3
        self.assertAlmostEqual(speed, 2 * math.pi * 0.3 * 0.03, delta=0.06 * 2 * math.pi * 0.3 * 0.03)

    def test_soft_snake_by_both_drivers(self):
        """Rods that bend, friction in the axes of their middles: time steps of 0.5 ms, set-valued, against located events with friction
        rounded at 5 mm/s, 1 mm over 1.5 s."""
        _, rows = self.ship("soft-snake.yaml", "--to", "1.5")
        _, exact = self.ship("soft-snake.yaml", "--to", "1.5", "--integrator", "rkf45", "--tolerance", "1e-6",
                             *(word for name in ("motors", "rods") for what in ("law=coulomb", "v0=0.005")
                               for word in ("--set", f"grounds.below-{name}.friction.{what}")))
        for name in ("m1.joint.x", "m1.joint.y"):
            self.assertAlmostEqual(rows[-1][name], exact[-1][name], delta=1e-3)
        self.assertGreater(max(abs(row["r4.bend-y"]) for row in rows), 0.1)  # rad: they do bend

    def test_pegs_push_it_forward(self):
        """Among pegs it advances along x by most of a wave in 4 s; without them (they do not touch) it stays where it is: friction of the
        table is the same in all directions."""
        _, rows = self.ship("snake-pegs.yaml", "--to", "4")
        _, alone = self.ship("snake-pegs.yaml", "--to", "4", "--set", "collide.pegs.with=peg14")
        moved = rows[-1]["l1.joint.x"] - rows[0]["l1.joint.x"]
        stays = alone[-1]["l1.joint.x"] - alone[0]["l1.joint.x"]
        self.assertGreater(abs(moved), 0.25)
        self.assertLess(abs(stays), 0.2 * abs(moved))

    def test_a_gripper_holds_by_friction(self):
        """From 2.5 s on the palm stands still, 0.15 m up: two pads of 12 N and mu 0.6 hold 14.4 N, the ball weighs 4.905 N and does not
        creep (1e-9 m in 1.5 s). With mu 0.2 they hold 4.8 N: it falls."""
        _, rows = self.ship("gripper.yaml")
        hold = [row for row in rows if row["time"] > 2.49]
        self.assertAlmostEqual(hold[0]["ball.joint.z"], 0.2, delta=1e-4)
        self.assertLess(max(abs(row["ball.joint.z"] - hold[0]["ball.joint.z"]) for row in hold), 1e-9)
        weight = sum(hold[-1][name] for name in hold[-1] if name.startswith("touch.") and name.endswith(".force.z"))
        self.assertAlmostEqual(weight, -0.5 * G, delta=1e-6)  # on the pads, which are the first ones
        _, rows = self.ship("gripper.yaml", "--set", "collide.0.friction.coefficient=0.2")
        self.assertLess(rows[-1]["ball.joint.z"], 0.06)

    def test_a_climber_goes_up_the_pipe(self):
        """Six strokes of 40 mm. The way is counted in space, for there is no ground. What it takes is the weight lifted: cost of transport 1."""
        said, rows = self.ship("pipe-climber.yaml")
        self.assertAlmostEqual(rows[-1]["rear.joint.z"] - rows[0]["rear.joint.z"], 6 * 40e-3, delta=1e-4)
        self.assertAlmostEqual(said["distance"], 6 * 40e-3, delta=1e-4)
        self.assertAlmostEqual(said["cost_of_transport"], 1.0, delta=0.01)

    def test_shapes_that_cannot_be(self):
        """Sentences with file, line and column: pairs without a closed form, boxes by events, overlap at the start; too few places."""
        shape = {"can": "{type: cylinder, radius: 0.1, length: 0.3, name: can}", "crate": "{type: box, size: [0.2, 0.2, 0.2], name: crate}"}
        world = {"pipe": "{type: pipe, radius: 0.5, length: 1}", "peg": "{type: cylinder, radius: 0.1, length: 1, at: [1, 0, 0]}",
                 "floor": "{type: box, size: [1, 1, 1], at: [0, 0, %s]}"}

        def refused(body, obstacle, *words, height=-0.7):
            text = world[obstacle] % height if "%s" in world[obstacle] else world[obstacle]
            Path("m.yaml").write_text("appell: 1\nlinks:\n  - {name: a, joint: floating, body: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}, "
                                      f"shapes: [{shape[body]}]}}\nobstacles:\n  {obstacle}: {text}\ncollide:\n"
                                      "  - {law: {normal: restitution}}\nrun: {to: 0.1}\n")
            done = subprocess.run([APPELL, "run", "m.yaml", *words], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (1, ""), done)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertRegex(done.stderr, r"^m.yaml:7:5: ")
            return done.stderr

        for obstacle, kind in (("pipe", "pipe"), ("peg", "cylinder"), ("floor", "box")):
            text = refused("can", obstacle)
            self.assertIn(f"contact of the cylinder 'a.can' with the {kind} '{obstacle}' is not implemented: use a capsule", text)
        self.assertIn("'a.crate' and 'floor' are boxes, which the integrator auto cannot handle: use moreau, or a capsule",
                      refused("crate", "floor"))
        self.assertIn("'a.crate' and 'floor' overlap by 0.05 m",
                      refused("crate", "floor", "--integrator", "moreau", "--step", "1e-3", height=-0.55))

    def test_most_of_older_files(self):
        """`most` loads and changes nothing."""
        def columns(*more):
            return subprocess.run([APPELL, "run", MODELS / "snake-pegs.yaml", "--to", "0.1", "--csv", "-", *more],
                                  capture_output=True, text=True, timeout=60, check=True).stdout

        self.assertEqual(columns("--set", "collide.pegs.most=1"), columns())

    # ------------------------------------------------------------------------------------------ metrics

    def test_metrics_are_those_of_the_rows(self):
        """Each metric of `--json` again from the columns of the CSV, by its definition in docs/run.md."""
        length, g = 0.2, 9.81
        links = "".join(
            f"  - {{name: l{i}, {'' if i == 1 else f'on: l{i - 1}.end, '}joint: "
            + ("{type: planar, normal: z}" if i == 1 else "{type: revolute, axis: z, servo: {stiffness: 40, damping: 0.5}}")
            + f", body: {{mass: {i}, com: [0.1, 0, 0], inertia: {{zz: 0.01}}}}, ports: {{end: {{at: [{length}, 0, 0]}}, c: {{at: [0.1, 0, 0]}}}}}}\n"
            for i in (1, 2, 3))
        Path("m.yaml").write_text(
            f"appell: 1\nlinks:\n{links}grounds: {{g: {{law: {{normal: restitution}}, friction: {{law: coulomb, axes: link, coefficient: 0.1, "
            "backward: 0.2, across: 0.5, v0: 0.01}}}\n"
            f"contacts: [{{on: l1.c, load: {g}}}, {{on: l2.c, load: {2 * g}}}, {{on: l3.c, load: {3 * g}}}]\n"
            "gaits: [{type: wave, chain: [l1, l3], amplitude: 0.7, frequency: 1 Hz, step: 1.5, ramp-up: 0.5 s}]\n"
            "run: {to: 2, tolerance: 1e-9, output-every: 5 ms}\n")
        done = subprocess.run([APPELL, "run", "m.yaml", "--csv", "m.csv", "--json"], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        said = json.loads(done.stdout)["metrics"]
        with open("m.csv") as file:
            table = list(csv.reader(file))
        rows = [dict(zip(table[0], map(float, row))) for row in table[1:]]
        dt = 0.005

        def trapezoid(values):
            return dt * (sum(values) - 0.5 * (values[0] + values[-1]))

        for j in (2, 3):
            name = f"l{j}.joint.angle"
            effort = [row[name + ".effort"] for row in rows]
            self.assertAlmostEqual(said["efforts"][name]["mean"], sum(map(abs, effort)) / len(rows), delta=1e-12)
            self.assertAlmostEqual(said["efforts"][name]["rms"], math.sqrt(sum(x * x for x in effort) / len(rows)), delta=1e-12)
            y, peak = effort[0], abs(effort[0])
            for x in effort[1:]:
                y += (x - y) * (1 - math.exp(-dt / 0.01))
                peak = max(peak, abs(y))
            self.assertAlmostEqual(said["efforts"][name]["peak"], peak, delta=1e-12)
        power = [sum(max(row[f"l{j}.joint.angle.effort"] * row[f"l{j}.joint.angle.rate"], 0) for j in (2, 3)) for row in rows]
        self.assertAlmostEqual(said["positive_work"], trapezoid(power), delta=1e-10)

        def place(row):
            """centre of mass, and the speeds of the three contacts"""
            x, y, phi = row["l1.joint.x"], row["l1.joint.y"], row["l1.joint.angle"]
            vx, vy, w = row["l1.joint.x.rate"], row["l1.joint.y.rate"], row["l1.joint.angle.rate"]
            centre, slip = [0, 0], 0
            for i in (1, 2, 3):
                if i > 1:
                    phi, w = phi + row[f"l{i}.joint.angle"], w + row[f"l{i}.joint.angle.rate"]
                c, s = math.cos(phi), math.sin(phi)
                centre = [centre[0] + i / 6 * (x + 0.1 * c), centre[1] + i / 6 * (y + 0.1 * s)]
                slip += math.hypot(vx - 0.1 * w * s, vy + 0.1 * w * c)
                x, y, vx, vy = x + length * c, y + length * s, vx - length * w * s, vy + length * w * c
            return centre, slip

        first, last = place(rows[0])[0], place(rows[-1])[0]
        distance = math.hypot(last[0] - first[0], last[1] - first[1])
        self.assertAlmostEqual(said["distance"], distance, delta=1e-12)
        self.assertAlmostEqual(said["speed"], distance / 2, delta=1e-12)
        self.assertAlmostEqual(said["cost_of_transport"], trapezoid(power) / (6 * g * distance), delta=1e-9)
        self.assertAlmostEqual(said["slip"], trapezoid([place(row)[1] for row in rows]), delta=1e-10)
        self.assertAlmostEqual(said["friction_loss"], -rows[-1]["ledger.contact-friction"], delta=1e-12)
        self.assertAlmostEqual(said["least_normal"], 6 * g, delta=1e-12)
        use = max(math.hypot(row[f"l{i}.c.g.along"] / (i * g * (0.1 if row[f"l{i}.c.g.along"] < 0 else 0.2)),
                             row[f"l{i}.c.g.across"] / (i * g * 0.5)) for row in rows for i in (1, 2, 3))
        self.assertAlmostEqual(said["friction_use"], use, delta=1e-12)
        self.assertLess(use, 1)

    # --------------------------------------------------------------------------------------------- rest

    def test_a_snake_at_rest_stays(self):
        """5 deg inside a cone of 16.7 deg: |x(100 s) - x(10 s)| < 1e-9 m, with joints held and with servos (kp 2000 N m/rad, kd 1 and
        kp 60, kd 0.12). Measured at 1 ms: 6e-16, 2e-13 and 3e-16 m."""
        for joint in ("prescribed: true", "servo: {stiffness: 2000, damping: 1}", "servo: {stiffness: 60, damping: 0.12}"):
            with self.subTest(joint=joint):
                rows = self.run_model(worm(joint, RIGID, "law: coulomb-stiction, coefficient: 0.3",
                                           "integrator: moreau, step: 5 ms, output-every: 10", slope=math.radians(5), wait=1000, to=100))
                self.assertEqual(rows[1]["time"], 10)
                for name in rows[0]:
                    if ".joint." in name and not name.endswith((".rate", ".effort")):
                        self.assertLess(abs(rows[-1][name] - rows[1][name]), 1e-9, name)
                push = sum(x for name, x in rows[-1].items() if name.endswith(".along"))
                self.assertAlmostEqual(push, N * M * G * math.sin(math.radians(5)), delta=1e-9)


if __name__ == "__main__":
    unittest.main()
