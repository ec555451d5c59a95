# SPDX-License-Identifier: Apache-2.0
"""test_stiff.py APPELL MODELS: the integrator stiff on whole robots.

The reference is dop853 at 1e-10, an explicit method: no formula is shared but the forces. Robots of every kind: quaternions, wheels,
trailers, prescribed joints, tendons, loops by each method, contacts that give way, bounce, slide, stick and have bristles, stops.
"""
import json
import sys
import unittest
from pathlib import Path

from command import Case, appell, read_table

MODELS = Path(sys.argv.pop(1)).resolve()

# An elastic tendon from frame to frame over an arm, and one along it, whose motor winds up.
TENDONS = """appell: 1
gravity: [0, 0, -9.81]
links:
  - name: post
    body: {mass: 1}
    ports: {hook: {at: [0, 0, 0.3]}}
  - name: bar
    on: post
    joint: {type: revolute, axis: y, damping: 0.01}
    body: {mass: 0.3, com: [0.1, 0, 0], inertia: {xx: 1e-4, yy: 1e-3, zz: 1e-3}}
    ports: {end: {at: [0.2, 0, 0]}}
  - name: arm
    on: bar.end
    body: {type: arc, length: 0.2, elements: 3, strains: [bend-x, bend-y], mass-per-length: 0.1, bending-stiffness: 0.02, rotary-inertia: 1e-6,
           kelvin-voigt-time: 0.01}
tendons:
  a: {path: [{along: arm, offset: [12 mm, 0]}], stiffness: 20 kN/m, damping: 5, rest-length: 0.199}
  b: {path: [{port: post.hook}, {port: bar.end}], stiffness: 30 kN/m, damping: 10, rest-length: 0.35}
inputs: {a: {on: a, value: {sine: {amplitude: 1 mm, frequency: 2 Hz}}}}
run: {to: 0.4}
"""

# A block that is pulled over a floor with bristles.
BRISTLES = """appell: 1
gravity: [2, 0, -9.81]
links:
  - name: x
    joint: {type: prismatic, axis: x}
    body: {mass: 0}
  - name: z
    on: x
    joint: {type: prismatic, axis: z}
    body: {mass: 1}
grounds: {floor: {law: {normal: kelvin-voigt, stiffness: 1e5, exponent: 1, damping: 200},
                  friction: {law: lugre, coefficient: 0.2, stiction: 0.3, stribeck-speed: 0.01, bristle-stiffness: 1e4, bristle-damping: 50}}}
contacts: [{on: z.root}]
start: {z.joint.position: -0.0001}
inputs: {push: {on: x.joint.position, value: {sine: {amplitude: 3, frequency: 3 Hz}}}}
run: {to: 0.5}
"""

# A servo that is stiff: kp / inertia = 5e5 1/s^2.
SERVO = """appell: 1
links:
  - name: arm
    joint: {type: revolute, axis: y, servo: {stiffness: 1e4, damping: 20}}
    body: {mass: 1, com: [0.1, 0, 0], inertia: {xx: 1e-3, yy: 1e-2, zz: 1e-2}}
motion: {arm.joint.angle: {sine: {amplitude: 0.5, frequency: 1 Hz}}}
run: {to: 1}
"""

# A rod that is spun up. Nothing damps it; its axial vibrations keep the steps of dop853 near 2e-6 s.
ROD = """appell: 1
gravity: [0, 0, 0]
links:
  - name: rod
    joint: {type: revolute, axis: y}
    body: {type: arc, length: 1, elements: 3, strains: [bend-y, elongation], mass-per-length: 1, bending-stiffness: 1, axial-stiffness: 1e8}
inputs: {spin: {on: rod.joint.angle, value: 0.1}}
run: {to: 1}
"""


class Stiff(Case):
    def run_model(self, path, *words):
        done = appell("run", path, *words)
        self.assertEqual(done.returncode, 0, f"{path} {words}: {done.stderr}")
        return done

    def last(self, path, integrator, tolerance, to, *more):
        """The last row: coordinates and velocities by name, the relative errors of both ledgers."""
        done = self.run_model(path, "--integrator", integrator, "--tolerance", tolerance, "--to", to, "--csv", "out.csv", *more)
        table = read_table("out.csv")
        names = [n for n in table if n.endswith(".rate") or ".joint." in n or ".bend" in n]
        line = next(x for x in done.stdout.splitlines() if "energy error" in x)
        ledger = float(line.split("energy error ")[1].split()[0])
        momentum = float(line.split("momentum error ")[1]) if "momentum error " in line else 0.0  # none: trailers
        return {n: table[n][-1] for n in names}, ledger, momentum

    def agree(self, path, to, within, *more):
        """Stiff against dop853: `within` of 1 + |x|, and ledgers of 100 tolerances."""
        exact, _, _ = self.last(path, "dop853", 1e-10, to, *more)
        found, ledger, momentum = self.last(path, "stiff", 1e-8, to, *more)
        worst = max((abs(found[n] - x) / (1 + abs(x)), n) for n, x in exact.items())
        self.assertLess(worst[0], within, f"{path}: {worst[1]}")
        self.assertLess(ledger, 1e-6, path)
        self.assertLess(momentum, 1e-6, path)

    def test_robots_move_alike(self):
        # times are short where motion is unstable: errors of 1e-8 grow
        for name, to in (("tumbling-body", 3), ("diff-drive", 3), ("coin", 3), ("tractor", 5), ("warehouse", 3), ("hybrid-arm", 2), ("tendon-arm", 1),
                         ("mobile-scara", 1), ("paper-mobile-H", 1), ("flexible-pendulum", 1), ("mecanum", 2), ("arm7", 1)):
            self.agree(MODELS / f"{name}.yaml", to, 1e-5)

    def test_loops(self):
        for name, to in (("delta", 0.6), ("five-bar", 0.5), ("stewart", 1), ("rsur", 0.5), ("paper-3rrr", 1)):
            self.agree(MODELS / f"{name}.yaml", to, 1e-5)
        self.agree(MODELS / "five-bar.yaml", 0.5, 1e-5, "--set", "run.loops=reduced")

    def test_contacts(self):
        for name, to in (("bouncing-chain", 0.7), ("four-legs", 0.3), ("quadruped", 0.25), ("paper-snake-flat", 0.2)):
            self.agree(MODELS / f"{name}.yaml", to, 1e-4)

    def test_what_is_stiff_along_rows(self):
        for name, text in (("tendons", TENDONS), ("bristles", BRISTLES), ("servo", SERVO)):
            Path(f"{name}.yaml").write_text(text, encoding="utf-8")
            self.agree(f"{name}.yaml", 0.4, 1e-5)

    def test_resume_gives_the_same_bytes(self):
        model = MODELS / "soft-arm.yaml"
        words = ["--integrator", "stiff", "--to", 0.4, "--checkpoint-every", 10]
        self.run_model(model, *words, "-o", "whole.h5")
        self.run_model(model, *words, "--resume", "whole.h5", "-o", "again.h5")
        self.assertEqual(Path("whole.h5").read_bytes(), Path("again.h5").read_bytes())

    def test_undamped_robots_are_told(self):
        """That damping is added, not which method is faster: there are robots of both kinds, as the counts show."""
        Path("rod.yaml").write_text(ROD, encoding="utf-8")
        for model, to, stiff_is_faster in ((MODELS / "double-pendulum.yaml", 1, False), ("rod.yaml", 0.1, True)):
            said = {}
            for method in ("stiff", "dop853"):
                done = self.run_model(model, "--integrator", method, "--tolerance", 1e-6, "--to", to, "--json")
                said[method] = json.loads(done.stdout)
            self.assertEqual(said["stiff"]["evaluations"] < said["dop853"]["evaluations"], stiff_is_faster, said)
            told = json.dumps(said["stiff"]["warnings"])
            self.assertIn("no damping", told)
            for word in ("faster", "slower", "more accurate"):
                self.assertNotIn(word, told.replace("fastest", ""))
            self.assertNotIn("no damping", json.dumps(said["dop853"]["warnings"]))
        done = self.run_model(MODELS / "soft-arm.yaml", "--integrator", "stiff", "--to", 0.1)
        self.assertNotIn("dop853", done.stderr + done.stdout)


if __name__ == "__main__":
    unittest.main()
