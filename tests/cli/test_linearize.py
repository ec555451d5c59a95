# SPDX-License-Identifier: Apache-2.0
"""test_linearize.py APPELL: `appell linearize`: text, JSON, CSV, HDF5, states of results, sentences."""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py

APPELL = Path(sys.argv.pop(1)).resolve()

# a pendulum of 2 kg at 0.5 m: q'' = -(g/l) sin q - d q' / (m l^2) + u / (m l^2)
PENDULUM = """appell: 1
gravity: [0, 0, -9.81]
links:
  - name: arm
    joint: {type: revolute, axis: y, damping: 0.3}
    body: {mass: 2 kg, com: [0, 0, -0.5]}
    ports: {tip: {at: [0, 0, -1]}}
inputs: {motor: {on: arm.joint.angle}}
start: {arm.joint.angle: 30 deg}
run: {to: 1 s, output-every: 0.1}
"""
LOOP = """appell: 1
links:
  - {name: a, joint: {type: revolute, axis: y}, body: {mass: 1 kg, com: [0.5, 0, 0]}, ports: {tip: {at: [1, 0, 0]}}}
  - {name: b, at: [2, 0, 0], joint: {type: revolute, axis: y}, body: {mass: 2 kg, com: [0.4, 0, 0]},
     ports: {tip: {at: [1, 0, 0]}}}
loops:
  - {name: rod, from: a.tip, to: b.tip, type: distance, length: 2}
start: {a.joint.angle: 60 deg, b.joint.angle: 60 deg}
"""


def appell(*words):
    return subprocess.run([APPELL, *map(str, words)], capture_output=True, text=True, timeout=120)


class Linearize(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)
        Path("arm.yaml").write_text(PENDULUM)

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def good(self, *words):
        done = appell("linearize", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        return done.stdout

    def bad(self, code, sentence, *words):
        done = appell("linearize", *words)
        self.assertEqual(done.returncode, code, done)
        self.assertIn(sentence, done.stderr)

    def matrices(self, q):
        return [[0, 1], [-9.81 / 0.5 * math.cos(q), -0.3 / 0.5]], [[0], [1 / 0.5]]

    def near(self, got, want):
        for a, b in zip(got, want):
            for x, y in zip(a, b):
                self.assertAlmostEqual(x, y, delta=1e-12 * 20)

    def test_json_about_start_and_equilibrium(self):
        at = json.loads(self.good("arm.yaml", "--json"))
        A, B = self.matrices(math.pi / 6)
        self.near(at["A"], A)
        self.near(at["B"], B)
        self.assertEqual(at["C"], [[1, 0]])
        self.assertEqual([s["name"] for s in at["states"]], ["arm.joint.angle", "arm.joint.angle.rate"])
        self.assertEqual([s["unit"] for s in at["states"]], ["rad", "rad/s"])
        self.assertEqual(at["inputs"], [{"name": "motor", "unit": "N m"}])
        self.assertAlmostEqual(at["rate"][1], -9.81, delta=1e-12 * 20)
        self.assertEqual(at["zeros"], [])  # two poles more than zeros: both are infinite
        rest = json.loads(self.good("arm.yaml", "--json", "--at", "equilibrium"))
        self.near(rest["A"], self.matrices(0)[0])
        self.assertAlmostEqual(rest["poles"][0][0], -0.3, delta=1e-12 * 20)
        self.assertAlmostEqual(rest["poles"][0][1], math.sqrt(9.81 / 0.5 - 0.09), delta=1e-12 * 20)

    def test_text(self):
        text = self.good("arm.yaml", "--outputs", "arm.tip.position.z")
        for word in ("not an equilibrium", "arm.joint.angle.rate", "[rad/s]", "poles", "zeros"):
            self.assertIn(word, text)

    def test_files(self):
        self.good("arm.yaml", "-o", "lin.h5", "--csv", "lin.csv")
        A, B = self.matrices(math.pi / 6)
        rows = [r for r in csv.reader(Path("lin.csv").read_text().splitlines()) if r and not r[0].startswith("#")]
        self.assertEqual(rows[0][1:], ["arm.joint.angle", "arm.joint.angle.rate", "motor"])
        self.near([[float(x) for x in r[1:]] for r in rows[1:]], [A[0] + B[0], A[1] + B[1], [1, 0, 0]])
        with h5py.File("lin.h5") as file:
            self.assertTrue(len(file) > 0)

    def test_time_of_a_result(self):
        run = appell("run", "arm.yaml", "-o", "out.h5", "--csv", "out.csv")
        self.assertEqual(run.returncode, 0, run)
        lines = [line for line in Path("out.csv").read_text().splitlines() if not line.startswith("#")]
        rows = list(csv.DictReader(lines))
        for words, row in ((("--time", "0.3"), 3), (("--time", "300 ms"), 3), ((), -1)):
            at = json.loads(self.good("arm.yaml", "--json", "--from", "out.h5", *words))
            q = float(rows[row]["arm.joint.angle"])
            self.near(at["A"], self.matrices(q)[0])
            self.assertAlmostEqual(at["time"], float(rows[row]["time"]))
            self.assertAlmostEqual(at["rate"][0], float(rows[row]["arm.joint.angle.rate"]), delta=1e-12)
        self.bad(1, "the result covers 0 to 1 s and has no state at 2 s", "arm.yaml", "--from", "out.h5",
                 "--time", "2")
        Path("other.yaml").write_text(PENDULUM.replace("arm", "leg"))
        self.bad(1, "the result has no channel 'leg.joint.angle'", "other.yaml", "--from", "out.h5")
        self.bad(1, "nothing.h5", "arm.yaml", "--from", "nothing.h5")
        self.bad(2, "out.h5", "arm.yaml", "--from", "out.h5", "-o", "out.h5")

    def test_loops(self):
        """Two links joined by a rod move as one; the poles are those of `appell modes`."""
        Path("loop.yaml").write_text(LOOP)
        at = json.loads(self.good("loop.yaml", "--json", "--at", "equilibrium", "--stable"))
        self.assertEqual([x["name"] for x in at["states"]], ["b.joint.angle", "b.joint.angle.rate"])
        # where loops are open at the start, they are closed as a run closes them: what `start` gives stays
        Path("open.yaml").write_text(LOOP.replace("b.joint.angle: 60 deg", "near: {b.joint.angle: 50 deg}"))
        start = json.loads(self.good("open.yaml", "--json"))
        self.near([start["y0"]], [[math.radians(60), math.radians(60)]])
        modes = appell("modes", "loop.yaml", "--stable", "--json")
        self.assertEqual(modes.returncode, 0, modes)
        mode = json.loads(modes.stdout)["modes"][0]
        self.assertAlmostEqual(abs(complex(*at["poles"][0])), mode["omega"], delta=1e-9)

    def test_refusals(self):
        Path("flat.yaml").write_text(LOOP.replace("60 deg", "0 deg"))
        self.bad(1, "loop 'rod' is at a singular configuration", "flat.yaml")
        self.bad(1, "did you mean 'arm.joint.angle'?", "arm.yaml", "--outputs", "arm.joint.angel")
        self.bad(1, "there is no input 'motr'", "arm.yaml", "--inputs", "motr")
        self.bad(2, "--at is start or equilibrium", "arm.yaml", "--at", "end")
        self.bad(2, "both give the state", "arm.yaml", "--at", "start", "--from", "x.h5")
        self.bad(2, "--stable needs", "arm.yaml", "--stable")
        self.bad(2, "both write to the standard output", "arm.yaml", "--json", "--csv", "-")


if __name__ == "__main__":
    unittest.main()
