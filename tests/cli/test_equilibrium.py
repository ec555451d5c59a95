# SPDX-License-Identifier: Apache-2.0
"""test_equilibrium.py APPELL: `appell equilibrium`, and `start: {equilibrium: true}` of model files."""
import csv
import json
import math
import unittest
from pathlib import Path

import h5py

from command import Case, appell

# an arm on a spring, driven by a motor whose torque grows with time, and a crank that turns
ARM = """appell: 1
name: arm on a spring
links:
  - {name: crank, joint: {type: revolute, axis: y, prescribed: true}, body: {mass: 1 kg, com: [0.2, 0, 0]},
     ports: {end: {at: [0.4, 0, 0]}}}
  - {name: arm, on: crank.end, joint: {type: revolute, axis: y, stiffness: 8}, body: {mass: 1 kg, com: [0, 0, -0.5]},
     ports: {tip: {at: [0, 0, -1]}}}
inputs: {motor: {on: arm.joint.angle, value: {linear: {times: [0, 1], values: [0, 2]}}}}
motion: {crank.joint.angle: {blend: {times: [1, 2], values: [0, 0.5]}}}
start: {%s}
run: {to: 0.5, output-every: 0.1}
"""
PENDULUM = """appell: 1
links:
  - {name: arm, joint: {type: revolute, axis: y%s}, body: {mass: 2 kg, com: [0.3, 0, -0.4]}}
start: {%s}
run: {to: 1, output-every: 0.1}
"""
BALL = """appell: 1
gravity: [0, 0, %s]
links:
  - {name: ball, joint: floating, body: {mass: 1, inertia: {xx: 1, yy: 2, zz: 2.5}}}
"""


class Equilibrium(Case):
    def setUp(self):
        super().setUp()
        Path("arm.yaml").write_text(ARM % "")

    def bad(self, sentence, *words, code=1):
        done = appell("equilibrium", *words)
        self.assertEqual(done.returncode, code, done)
        self.assertEqual(done.stdout, "")
        self.assertIn(sentence, done.stderr)
        return done.stderr

    def json(self, *words):
        return json.loads(self.good("equilibrium", "--json", *words))

    def pendulum(self, start="", joint=""):
        Path("p.yaml").write_text(PENDULUM % (joint, start))
        return "p.yaml"

    def test_balance_at_a_time(self):
        for time, torque, crank in ((0, 0, 0), (1, 2, 0), (2, 2, 0.5)):
            found = self.json("arm.yaml", "--time", time)
            q = found["coordinates"]
            arm = q["arm.joint.angle"]
            self.assertEqual(q["crank.joint.angle"], crank)
            self.assertAlmostEqual(9.81 * 0.5 * math.sin(arm + crank) + 8 * arm, torque, 12)
            kinds = {f["name"]: f for f in found["freedoms"]}
            self.assertEqual(kinds["crank.joint.angle"]["kind"], "prescribed")
            self.assertEqual(kinds["arm.joint.angle"]["kind"], "balanced")
            # the crank carries both weights less what the spring, which acts between the two, passes on
            lever = 0.4 * math.cos(crank) + 0.5 * -math.sin(arm + crank)
            self.assertAlmostEqual(kinds["crank.joint.angle"]["effort"],
                                   -9.81 * (0.2 * math.cos(crank) + lever), 9)
            self.assertTrue(found["stable"])
            self.assertAlmostEqual(found["stiffness"], 8 + 9.81 * 0.5 * math.cos(arm + crank), 9)
            tip = found["ports"]["arm.tip"]
            self.assertAlmostEqual(tip[0], 0.4 * math.cos(crank) - math.sin(arm + crank), 12)
            self.assertAlmostEqual(tip[2], -0.4 * math.sin(crank) - math.cos(arm + crank), 12)

    def test_plain(self):
        text = self.good("equilibrium", "arm.yaml")
        for words in ("coordinates", "arm.joint.angle", "positions of ports", "prescribed", "stable", "remaining effort"):
            self.assertIn(words, text)
        self.assertNotIn("indifferent", text)

    def test_settings(self):
        found = self.json("arm.yaml", "--set", "inputs.motor.value=3 N m", "--set", "arm.joint.stiffness=2")
        arm = found["coordinates"]["arm.joint.angle"]
        self.assertAlmostEqual(9.81 * 0.5 * math.sin(arm) + 2 * arm, 3, 12)

    def test_files(self):
        text = self.good("equilibrium", "arm.yaml", "--time", 1, "-o", "eq.h5", "--csv", "eq.csv")
        self.assertIn("coordinates", text)
        rows = list(csv.reader(line for line in Path("eq.csv").read_text().splitlines() if line[0] != "#"))
        self.assertEqual(len(rows), 2)
        row = dict(zip(rows[0], map(float, rows[1])))
        self.assertEqual(row["time"], 1)
        self.assertEqual(row["motor"], 2)
        self.assertEqual(row["arm.joint.angle.rate"], 0)
        self.assertAlmostEqual(row["arm.joint.angle.effort"], 0, 13)
        with h5py.File("eq.h5") as f:
            self.assertEqual(f.attrs["status"], b"finished")
        # as the start of a run
        Path("b.yaml").write_text(ARM % "from: eq.h5")
        start = {x["name"]: x["start"] for x in json.loads(self.good("info", "--json", "b.yaml"))["coordinates"]}
        self.assertEqual(start["arm.joint.angle"], row["arm.joint.angle"])
        # CSV alone on the standard output
        text = self.good("equilibrium", "arm.yaml", "--csv", "-")
        self.assertEqual(len([line for line in text.splitlines() if line[0] != "#"]), 2)

    def test_run_stays_at_rest(self):
        for start in ("equilibrium: true", "arm.joint.angle: 2, equilibrium: true", "equilibrium: stable"):
            Path("rest.yaml").write_text((ARM % start).replace("{linear: {times: [0, 1], values: [0, 2]}}", "1.5 N m"))
            self.good("run", "rest.yaml", "--csv", "rest.csv")
            rows = list(csv.reader(line for line in Path("rest.csv").read_text().splitlines() if line[0] != "#"))
            k, v = rows[0].index("arm.joint.angle"), rows[0].index("arm.joint.angle.rate")
            angles = [float(row[k]) for row in rows[1:]]
            self.assertEqual(len(angles), 6)
            self.assertAlmostEqual(9.81 * 0.5 * math.sin(angles[0]) + 8 * angles[0], 1.5, 12)
            self.assertLess(max(abs(a - angles[0]) for a in angles), 1e-13)
            self.assertLess(max(abs(float(row[v])) for row in rows[1:]), 1e-13)

    def test_push(self):
        self.good("run", self.pendulum("equilibrium: true, arm.joint.angle.rate: 1"), "--csv", "p.csv")
        rows = list(csv.reader(line for line in Path("p.csv").read_text().splitlines() if line[0] != "#"))
        row = dict(zip(rows[0], map(float, rows[1])))
        self.assertEqual(row["arm.joint.angle.rate"], 1)
        self.assertAlmostEqual(row["arm.joint.angle"], math.atan2(0.3, 0.4), 13)

    def test_stability(self):
        model = self.pendulum(f"arm.joint.angle: {math.pi}")
        text = self.good("equilibrium", model)
        self.assertIn("UNSTABLE", text)
        self.assertIn("arm.joint.angle", text)
        found = self.json(model)
        self.assertFalse(found["stable"])
        self.assertAlmostEqual(found["stiffness"], -2 * 9.81 * 0.5, 9)
        self.assertTrue(self.json(model, "--set", "start.equilibrium=stable")["stable"])
        found = self.json(model, "--stable")
        self.assertTrue(found["stable"])
        self.assertAlmostEqual(math.sin(found["coordinates"]["arm.joint.angle"] - math.atan2(0.3, 0.4)), 0, 12)

    def test_indifferent(self):
        Path("ball.yaml").write_text(BALL % "0")
        text = self.good("equilibrium", "ball.yaml")
        self.assertIn("without any stiffness, kept at their start values: ball.joint.wx, ball.joint.wy", text)
        self.assertEqual(self.json("ball.yaml")["indifferent"], 6)

    def test_none(self):
        Path("ball.yaml").write_text(BALL % "-9.81")
        text = self.bad("no equilibrium", "ball.yaml", "-o", "x.h5", "--csv", "x.csv")
        self.assertEqual(text, "ball.yaml: there is no equilibrium: nothing balances -9.81 N on 'ball.joint.vz'\n")
        self.assertFalse(Path("x.h5").exists() or Path("x.csv").exists())
        Path("ball.yaml").write_text(BALL % "-9.81" + "start: {equilibrium: true}\n")
        done = appell("run", "ball.yaml", "--to", 1)
        self.assertEqual(done.returncode, 1)
        self.assertIn("ball.yaml:5:22: start.equilibrium: there is no equilibrium: nothing balances", done.stderr)

    def test_bad(self):
        self.bad("--time: expected a time such as '2 ms', got 'soon'", "arm.yaml", "--time", "soon", code=2)
        self.bad("--time: expected a time", "arm.yaml", "--time", "nan", code=2)
        self.bad("needs MODEL", code=2)
        self.bad("both write to the standard output", "arm.yaml", "--json", "--csv", "-", code=2)
        self.bad("there is no option --tim", "arm.yaml", "--tim", 1, code=2)
        self.bad("none.yaml", "none.yaml")
        self.bad("cannot", "arm.yaml", "-o", "no/such/folder/x.h5")
        for value in ("maybe", "[true]", "1", "{}", ""):
            Path("b.yaml").write_text(ARM % f"equilibrium: {value}")
            text = self.bad("start.equilibrium: expected true, stable or false", "b.yaml")
            self.assertTrue(text.startswith("b.yaml:10:"), text)
        Path("b.yaml").write_text(ARM % "equilibrum: true")
        self.bad("did you mean 'equilibrium'", "b.yaml")
        Path("b.yaml").write_text(ARM % "equilibrium: false, arm.joint.angle: 0.25")
        self.good("run", "b.yaml", "--csv", "b.csv")
        self.assertIn("0.25", Path("b.csv").read_text())

    def test_shapes_carry(self):
        """A ball on a box by the law of Hertz, k D^1.5 = m g: D = (m g/k)^(2/3), omega = sqrt(1.5 k D^0.5/m); from above the
        box and from within it. Efforts of `inverse` are less by what the box carries. Friction is no lock in modes. Stiffness
        is exact where the equilibrium is, whose depth is known to 1e-12 m of 0.3 mm: 1e-9."""
        mass, k, g = 2.0, 1e5, 9.81
        depth = (mass * g / k) ** (2 / 3)
        model = ("appell: 1\nlinks:\n"
                 f"  - {{name: a, joint: floating, body: {{mass: {mass}, inertia: {{xx: 0.01, yy: 0.01, zz: 0.01}}}}, shapes: [{{type: sphere, radius: 0.1}}]}}\n"
                 "obstacles: {table: {type: box, size: [1, 1, 0.06], at: [0, 0, -0.03]}}\n"
                 f"collide: [{{law: {{normal: %s}}, friction: {{law: coulomb, coefficient: 0.3, v0: 1e-3}}}}]\n"
                 "start: {a.joint.z: %s}\n")
        hertz = f"hertz, stiffness: {k}"
        for z in (0.13, 0.0995):
            Path("b.yaml").write_text(model % (hertz, z))
            said = json.loads(self.good("equilibrium", "b.yaml", "--json"))
            self.assertAlmostEqual(said["coordinates"]["a.joint.z"], 0.1 - depth, delta=1e-12)
            modes = json.loads(self.good("modes", "b.yaml", "--json"))["modes"]
            self.assertEqual([mode["kind"] for mode in modes[:5]], ["rigid"] * 5)
            omega = math.sqrt(1.5 * k * math.sqrt(depth) / mass)
            self.assertAlmostEqual(modes[5]["omega"], omega, delta=1e-9 * omega)
            self.assertEqual(len(modes), 6)
        Path("b.yaml").write_text((model % (hertz, 0.1)).replace("floating", "{type: prismatic, axis: z}").replace("a.joint.z", "a.joint.position")
                                  .replace("collide: [{", "collide: [{neighbours: 0, "))
        Path("m.csv").write_text("time,a.joint.position\n" + "".join(f"{t},{0.1 - 0.5 * depth}\n" for t in range(5)))
        self.good("inverse", "b.yaml", "m.csv", "-o", "e.csv")
        with open("e.csv") as file:
            rows = [row for row in csv.reader(file) if not row[0].startswith("#")]
        effort = float(rows[1][rows[0].index("a.joint.position.effort")])
        self.assertAlmostEqual(effort, mass * g * (1 - 0.5**1.5), delta=1e-9)
        Path("b.yaml").write_text(model % ("restitution", 0.1))
        self.bad("contacts with the law `restitution` have no force outside of runs", "b.yaml")

    def test_help(self):
        text = self.good("equilibrium", "--help")
        for word in ("--stable", "--time", "-o, --output", "start: {equilibrium: true}"):
            self.assertIn(word, text)
        self.assertIn("equilibrium", self.good("--help"))


if __name__ == "__main__":
    unittest.main()
