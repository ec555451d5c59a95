# SPDX-License-Identifier: Apache-2.0
"""test_rolling_ground.py APPELL: a rolling joint on a link that moves has a ground that moves with it; `check`, `run` and others say so."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

APPELL = Path(sys.argv.pop(1)).resolve()
TEXT = """appell: 1
links:
  - {name: base, joint: BASE, body: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}
  - name: skate
    on: base
    joint: {type: JOINT}
    body: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
run: {to: 0.1}
"""
TURNS = "{type: revolute, axis: z}"


class Ground(unittest.TestCase):
    def said(self, command, base, joint):
        with tempfile.TemporaryDirectory() as home:
            (Path(home) / "robot.yaml").write_text(TEXT.replace("BASE", base).replace("JOINT", joint))
            done = subprocess.run([APPELL, command, "robot.yaml"], cwd=home, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def test_on_a_moving_link(self):
        for joint in ("knife-edge", "differential-drive, wheel-radius: 0.1, half-track: 0.2", "rolling-sphere, radius: 0.1"):
            for command in ("check", "run"):
                said = self.said(command, TURNS, joint)
                self.assertIn("robot.yaml:6:12: warning: link 'skate': the ground of a joint of type " + joint.split(",")[0] +
                              " moves with the link it is on", said)
                self.assertEqual(said.count("the ground of a joint"), 1)

    def test_on_the_world_or_behind_a_car(self):
        self.assertNotIn("the ground of", self.said("check", "fixed", "knife-edge"))
        drive = "{type: differential-drive, wheel-radius: 0.1, half-track: 0.2}"
        self.assertNotIn("the ground of", self.said("check", drive, "trailer, length: 1, wheel-radius: 0.1, half-track: 0.2"))


if __name__ == "__main__":
    unittest.main()
