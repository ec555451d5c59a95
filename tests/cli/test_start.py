# SPDX-License-Identifier: Apache-2.0
"""test_start.py APPELL: `start: {from: earlier.h5}` of model files."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy

APPELL = Path(sys.argv.pop(1)).resolve()
MODEL = """appell: 1
links:
  - {name: arm, joint: {type: %s, axis: y}, body: {mass: 1 kg, com: [0.1, 0, -0.5]}}
  - {name: ball, joint: floating, body: {mass: 1, inertia: {xx: 1, yy: 2, zz: 2.5}}}
start: {%s}
run: {to: %s s, tolerance: 1e-12, output-every: 0.1}
"""


def appell(*words):
    return subprocess.run([APPELL, *map(str, words)], capture_output=True, text=True, timeout=120)


class Start(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)
        Path("sub").mkdir()
        self.model("sub/a.yaml", "arm.joint.angle: 1, ball.joint.wx: 1, ball.joint.wy: 0.2, ball.joint.vz: 3", to=1)
        self.good("run", "sub/a.yaml", "-o", "sub/half.h5")

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def model(self, path, start, to=1, joint="revolute"):
        Path(path).write_text(MODEL % (joint, start, to))

    def good(self, *words):
        done = appell(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        return done.stdout

    def last(self, result):
        lines = self.good("export", result, "-o", "-").splitlines()
        return dict(zip(lines[0].split(","), map(float, lines[-1].split(","))))

    def start(self, path):
        info = json.loads(self.good("info", "--json", path))
        return {**{x["name"]: x["start"] for x in info["coordinates"]},
                **{x["name"] + ".rate": x["start"] for x in info["velocities"]}}

    def bad(self, start, sentence, joint="revolute"):
        self.model("sub/b.yaml", start, joint=joint)
        done = appell("check", "sub/b.yaml")
        self.assertEqual(done.returncode, 1, done)
        self.assertTrue(done.stderr.startswith("sub/b.yaml:5:"), done.stderr)
        self.assertIn(sentence, done.stderr)
        return done.stderr

    def test_a_shape_beyond_one_turn(self):
        """A run may wind an element up; starting there is refused, at `from` or at the number."""
        rod = """appell: 1
links: [{name: rod, body: {type: arc, length: 1, mass-per-length: 1, bending-stiffness: 1, kelvin-voigt-time: 0.5}}]
inputs: {moment: {on: rod.bend-y, value: 10}}
start: {%s}
run: {to: 4 s, output-every: 1}
"""
        Path("a.yaml").write_text(rod % "")
        self.good("run", "a.yaml", "-o", "wound.h5")
        self.assertGreater(self.last("wound.h5")["rod.bend-y"], 6.3)
        Path("b.yaml").write_text(rod % "from: wound.h5")
        done = appell("check", "b.yaml")
        self.assertEqual(done.returncode, 1, done)
        self.assertTrue(done.stderr.startswith("b.yaml:4:15: start.rod.bend-y: "), done.stderr)
        self.assertIn("too large for one element", done.stderr)
        Path("b.yaml").write_text(rod % "from: wound.h5, rod.bend-y: 400 deg")
        self.assertTrue(appell("check", "b.yaml").stderr.startswith("b.yaml:4:37: "))
        Path("b.yaml").write_text(rod % "from: wound.h5, rod.bend-y: 300 deg")
        self.good("check", "b.yaml")

    def test_takes_the_last_row(self):
        self.model("sub/b.yaml", "from: half.h5")
        start, last = self.start("sub/b.yaml"), self.last("sub/half.h5")
        self.assertEqual(len(start), 8 + 7)
        for name in start:
            self.assertEqual(start[name], last[name], name)

    def test_two_halves_are_a_whole(self):
        self.model("sub/b.yaml", "from: half.h5")
        self.good("run", "sub/b.yaml", "-o", "end.h5")
        self.good("run", "sub/a.yaml", "--to", 2, "-o", "whole.h5")
        two, one = self.last("end.h5"), self.last("whole.h5")
        # the steps differ, so the ends agree to the error of the runs at tolerance 1e-12, not in bytes
        names = [name for name in one if name != "time" and not name.startswith("ledger.")]
        self.assertLess(max(abs(one[n] - two[n]) for n in names), 1e-9)
        self.assertEqual(two["time"], 1)

    def test_paths(self):
        self.model("b.yaml", "from: sub/half.h5")
        self.start("b.yaml")
        self.model("sub/b.yaml", f"from: {Path('sub/half.h5').resolve()}")
        self.start("sub/b.yaml")
        self.good("check", "sub/a.yaml", "--set", "start={from: half.h5}")

    def test_other_keys_replace(self):
        last = self.last("sub/half.h5")
        for start in ("arm.joint.angle.rate: 7, from: half.h5, arm.joint.angle: 10 deg",
                      "from: half.h5, arm.joint.angle: 10 deg, arm.joint.angle.rate: 7"):
            self.model("sub/b.yaml", start)
            x = self.start("sub/b.yaml")
            self.assertAlmostEqual(x["arm.joint.angle"], numpy.radians(10))
            self.assertEqual(x["arm.joint.angle.rate"], 7)
            self.assertEqual(x["ball.joint.wx.rate"], last["ball.joint.wx.rate"])

    def test_another_robot(self):
        text = self.bad("from: half.h5", "no channel 'arm.joint.position'", joint="prismatic")
        self.assertIn("no channel 'arm.joint.position.rate'", text)
        self.model("sub/b.yaml", "from: half.h5, arm.joint.position: 1, arm.joint.position.rate: 2", joint="prismatic")
        self.assertEqual(self.start("sub/b.yaml")["arm.joint.position"], 1)

    def test_bad(self):
        self.bad("from: none.h5", "start.from: ")
        self.bad("from: none.h5", "none.h5")
        self.bad("from: [half.h5]", "expected the name of a result file, got a list")
        self.bad("from: ", "expected the name of a result file, got nothing")
        self.bad("from: a.yaml", "start.from: ")
        self.bad("form: half.h5", "did you mean 'from'")
        self.bad("from: half.h5, arm.joint.angel: 1", "did you mean 'arm.joint.angle'")
        Path("sub/cut.h5").write_bytes(Path("sub/half.h5").read_bytes()[:1000])
        self.bad("from: cut.h5", "start.from: ")
        done = appell("check", "sub/a.yaml", "--set", "start.from=none.h5")
        self.assertTrue(done.stderr.startswith("--set start.from=none.h5: start.from: "), done.stderr)

    def test_commands_agree(self):
        self.model("sub/b.yaml", "from: none.h5")
        Path("t.csv").write_text("time\n0\n")
        for words in (["check"], ["info"], ["run"], ["inverse"]):
            done = appell(words[0], "sub/b.yaml", *(["t.csv"] if words == ["inverse"] else []))
            self.assertEqual(done.returncode, 1)
            self.assertIn("sub/b.yaml:5:", done.stderr)


CAR = """appell: 1
links:
  - name: car
    joint: {type: %s, wheelbase: 1, rear-radius: 0.2, front-radius: 0.2, steering-inertia: 0.3}
    body: {mass: 3, inertia: {zz: 0.4}}
start: {car.joint.speed: 1, car.joint.steering: %s,
        car.joint.steering.rate: %s}
run: {to: 2 s}
"""
COIN = """appell: 1
links:
  - name: coin
    joint: {type: rolling-disc, radius: 0.1}
    body: {mass: 1, inertia: {xx: 1, yy: 2, zz: 1}}
start:
  coin.joint.lean: %s
run: {to: 9 s}
"""


class Singular(unittest.TestCase):
    """A joint that starts or comes where it is singular says so."""

    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def said(self, command, text):
        Path("a.yaml").write_text(text)
        done = appell(command, "a.yaml")
        return done.returncode, done.stderr

    def test_car_starts_across(self):
        for angle in ("90 deg", "-90 deg", "91 deg", "1.5707963"):
            code, text = self.said("check", CAR % ("car-rear", angle, 0))
            self.assertEqual(code, 1)
            self.assertTrue(text.startswith("a.yaml:6:49: start.car.joint.steering: "), text)
            self.assertIn("use car-front", text)
        self.assertEqual(self.said("check", CAR % ("car-rear", "89.9 deg", 0))[0], 0)
        self.assertEqual(self.said("check", CAR % ("car-front", "90 deg", 0)), (0, ""))

    def test_car_rests_across(self):
        rest = "steering-inertia: 0.3, rest: [0, 0, 0, 90 deg]"
        text = CAR.split("start:")[0].replace("steering-inertia: 0.3", rest) % "car-rear"
        code, said = self.said("check", text)
        self.assertEqual(code, 1)
        self.assertTrue(said.startswith("a.yaml:3:"), said)
        self.assertIn("use car-front", said)

    def test_car_comes_across(self):
        code, text = self.said("run", CAR % ("car-rear", "1 rad", 5))
        self.assertEqual(code, 1)
        self.assertIn("car.joint.steering", text)
        self.assertIn("use car-front", text)
        self.assertEqual(self.said("run", CAR % ("car-front", "1 rad", 5)), (0, ""))

    def test_motion_goes_across(self):
        Path("a.yaml").write_text(CAR % ("car-rear", "0", 0))
        names = ["x", "y", "heading", "steering", "speed.rate", "steering.rate"]
        rows = ["time," + ",".join("car.joint." + n for n in names)]
        rows += [f"{t},0,0,0,{angle},0,0.5" for t, angle in enumerate([0, 1, 1.6, 2])]
        Path("m.csv").write_text("\n".join(rows) + "\n")
        done = appell("inverse", "a.yaml", "m.csv")
        self.assertEqual(done.returncode, 1)
        self.assertIn("at t = 2 s, car.joint.steering: ", done.stderr)
        self.assertIn("use car-front", done.stderr)

    def test_disc_falls_flat(self):
        code, text = self.said("check", COIN % "90 deg")
        self.assertEqual(code, 1)
        self.assertTrue(text.startswith("a.yaml:7:20: start.coin.joint.lean: "), text)
        self.assertIn("lies flat", text)
        code, text = self.said("run", COIN % "20 deg")
        self.assertEqual(code, 1)
        self.assertIn("lies flat", text)


if __name__ == "__main__":
    unittest.main()
