# SPDX-License-Identifier: Apache-2.0
"""test_beam_limits.py APPELL: `modes`, `equilibrium` and `linearize` warn of beams whose geometric stiffness, which is left
out, is not small. The sizes are compared with Euler's and Greenhill's loads and with Wright's rotating beam."""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

APPELL = Path(sys.argv.pop(1)).resolve()
ROD = """appell: 1
gravity: [0, 0, {gravity}]
links:
  - {{name: rod, joint: fixed, body: {{type: beam, length: 1, modes: 3, theory: euler-bernoulli, bending-stiffness: 1, mass-per-length: 1}}}}
inputs: {{push: {{on: rod.tip, force: [0, 0, -1], value: {push}}}}}
"""
HUB = """appell: 1
gravity: [0, 0, 0]
links:
  - {name: hub, joint: {type: revolute, axis: x, prescribed: true}, body: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}
  - {name: rod, on: hub, joint: fixed, body: {type: beam, length: 1, modes: 3, theory: euler-bernoulli, bending-stiffness: 1, mass-per-length: 1}}
motion: {hub.joint.angle: {expression: "SPEED*t"}}
"""
EULER = 2.4674  # pi^2/4 EI/L^2
GREENHILL = 7.8373  # weight per length times L^3 over EI at which an upright rod bends under itself


class Limits(unittest.TestCase):
    def said(self, command, text):
        with tempfile.TemporaryDirectory() as home:
            path = Path(home) / "rod.yaml"
            path.write_text(text)
            done = subprocess.run([APPELL, command, "rod.yaml"], cwd=home, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def near_load(self, share, word, push, gravity):
        """One mode estimates the share of a critical load to some 7 per cent: its shape is not that of the buckled beam."""
        for command in ("modes", "equilibrium", "linearize"):
            said = self.said(command, ROD.format(push=push, gravity=gravity))
            found = re.fullmatch(r"rod.yaml: warning: beam 'rod' carries .* about ([\d.]+) % (softer|stiffer), but geometric stiffness is "
                                 r"left out; use an arc\n", said)
            self.assertIsNotNone(found, said)
            self.assertAlmostEqual(float(found[1]), 100 * share, delta=10 * share)
            self.assertEqual(found[2], word)

    def test_a_load_on_the_tip(self):
        self.near_load(0.97, "softer", 0.97 * EULER, 0)
        self.near_load(0.97, "stiffer", -0.97 * EULER, 0)

    def test_the_weight_of_the_beam(self):
        self.near_load(0.5, "softer", 0, -0.5 * GREENHILL)
        self.near_load(0.5, "stiffer", 0, 0.5 * GREENHILL)

    def test_small_loads_say_nothing(self):
        for command in ("modes", "equilibrium", "linearize"):
            self.assertEqual(self.said(command, ROD.format(push=0.05 * EULER, gravity=0)), "")

    def test_a_rotating_beam(self):
        """Wright: at 10 rad/s the lowest frequency is 11.20 instead of 3.516 rad/s; a flapping beam, so W^2 is an estimate."""
        said = self.said("linearize", HUB.replace("SPEED", "10"))
        found = re.search(r"geometric stiffening is left out, about ([\d.]+) % of the stiffness", said)
        self.assertIsNotNone(found, said)
        self.assertAlmostEqual(float(found[1]) / 100, (11.20 / 3.516) ** 2 - 1, delta=1.5)
        self.assertEqual(self.said("linearize", HUB.replace("SPEED", "0.5")), "")


if __name__ == "__main__":
    unittest.main()
