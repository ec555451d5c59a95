# SPDX-License-Identifier: Apache-2.0
"""test_set.py APPELL: `--set PATH=VALUE` of check, info, run and inverse."""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py

APPELL = Path(sys.argv.pop(1)).resolve()
ROOT = Path(__file__).resolve().parents[2]
MODEL = """appell: 1
name: arm
links:
  - name: arm
    joint: revolute
    body: {mass: 1 kg, com: [0, -0.5, 0]}
    shapes: [{type: box, size: [1, 1, 1]}]
  - name: hand
    on: arm
    joint: {type: prismatic, axis: x, rotors: [{name: spool, inertia: 0.1}]}
    body: {mass: 2 kg}
inputs: {motor: {on: arm.joint.angle, value: 1}}
start: {arm.joint.angle: 10 deg}
run: {to: 0.1}
"""


def appell(*words):
    return subprocess.run([APPELL, *map(str, words)], capture_output=True, text=True, timeout=120)


class Set(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)
        Path("m.yaml").write_text(MODEL)

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def info(self, *settings):
        words = [word for text in settings for word in ("--set", text)]
        done = appell("info", "--json", "m.yaml", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        return json.loads(done.stdout)

    def bad(self, setting, sentence, command="check"):
        done = appell(command, "m.yaml", "--set", setting)
        self.assertEqual(done.returncode, 1, done)
        self.assertTrue(done.stderr.startswith(f"--set {setting}: "), done.stderr)
        self.assertIn(sentence, done.stderr)

    def test_a_key_with_a_star(self):
        """A key of the file that has a star itself is not put in place of the star, without end."""
        Path("m.yaml").write_text(MODEL + 'motion: {"*": 1}\n')
        done = appell("check", "m.yaml", "--set", "motion.*=0")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("no name fits", done.stderr)

    def test_a_star_stands_for_any_letters(self):
        masses = lambda *set: [link["mass"] for link in self.info(*set)["links"]]
        self.assertEqual(masses("*.body.mass=3 kg"), [3, 3])
        self.assertEqual(masses("h*.body.mass=3 kg"), [1, 3])
        self.assertEqual(masses("links.*r*.body.mass=3 kg"), [3, 2])
        self.assertEqual(masses("*.body.mass=3 kg", "hand.body.mass=4 kg"), [3, 4])
        # names with dots, too: all start values of an angle
        done = appell("run", "m.yaml", "--to", "0.001", "--csv", "-", "--set", "start.*.angle=0.25")
        self.assertEqual(float(done.stdout.splitlines()[1].split(",")[1]), 0.25, done)
        self.bad("leg*.body.mass=3", "no name fits 'leg*'")
        self.bad("*.body.mas=3", "did you mean 'mass'?")

    def test_values(self):
        mass = lambda info: info["links"][0]["mass"]
        self.assertEqual(mass(self.info("arm.body.mass=2 kg")), 2)
        self.assertEqual(mass(self.info("links.arm.body.mass=300 g")), 0.3)
        self.assertEqual(mass(self.info("arm.body.mass=2", "arm.body.mass=3")), 3)  # the last one counts
        self.assertEqual(mass(self.info("arm.body={mass: 7, com: [1, 0, 0]}")), 7)
        self.assertEqual(self.info("gravity=[0, 0, 0]", "name=other")["gravity"], [0, 0, 0])
        self.assertEqual(self.info("name=other")["name"], "other")
        self.assertEqual(self.info("arm.joint.type=prismatic", "start={}", "inputs={}")["links"][0]["joint"], "prismatic")

    def test_names_with_dots(self):
        start = lambda *settings: self.info(*settings)["coordinates"][0]["start"]
        self.assertAlmostEqual(start(), math.radians(10))
        self.assertAlmostEqual(start("start.arm.joint.angle=20 deg"), math.radians(20))
        info = self.info("start.hand.joint.position=0.3", "start.arm.joint.angle.rate=2")
        self.assertEqual(info["coordinates"][1]["start"], 0.3)
        self.assertEqual(info["velocities"][0]["start"], 2)
        self.assertAlmostEqual(info["coordinates"][0]["start"], math.radians(10))

    def test_what_was_not_there(self):
        # a word becomes a map, missing blocks and keys appear
        self.info("arm.joint.damping=0.1", "arm.joint.limits.upper=90 deg")
        self.info("hand.joint.rotors.spool.inertia=0.2", "arm.shapes.0.size=[2, 2, 2]")
        self.info("signals.push={sine: {amplitude: 1, frequency: 1}}", "inputs.motor.value=push")
        self.info("hand.ports.tip.at=[1, 0, 0]")

    def test_run(self):
        done = appell("run", "m.yaml", "--set", "run.tolerance=1e-9", "--set=run.to=50 ms", "--set",
                      "inputs.motor.value=3", "-o", "a.h5")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertIn("0.05 s", done.stdout)
        with h5py.File("a.h5", "r") as f:
            text = str(f.attrs.get("model", f.get("model", [""])))
            words = [str(v) for v in f.attrs.values()] + [text]
            if not any("run.tolerance" in w for w in words):
                f.visititems(lambda _, item: words.append(str(item[()])) if hasattr(item, "shape") else None)
            # the result tells what was changed
            self.assertTrue(any("# --set run.tolerance=1e-9" in w for w in words))

    def test_inverse(self):
        Path("t.csv").write_text("time\n0\n1\n")
        row = lambda *words: float(appell("inverse", "m.yaml", "t.csv", *words).stdout.splitlines()[2].split(",")[1])
        self.assertAlmostEqual(row("--set", "gravity=[0, 0, 0]"), -1)
        self.assertAlmostEqual(row("--set", "gravity=[0, 0, 0]", "--set", "inputs.motor.value=5 N m"), -5)

    def test_bad(self):
        self.bad("arm.body.mass=2 m", "mass")
        self.bad("arm.body.mass=-2", "mass")
        self.bad("arm.body.mas=2", "did you mean 'mass'")
        self.bad("amr.body.mass=2", "no link and no block 'amr'; did you mean 'arm'")
        self.bad("links.amr.body.mass=2", "did you mean 'arm'")
        self.bad("run.integrator=rkf54", "did you mean")
        self.bad("run.to=-1", "positive", "run")
        self.bad("arm.body.mass.x=2", "'mass' is not a map")
        self.bad("arm.body.mass", "expected PATH=VALUE")
        self.bad("=2", "expected PATH=VALUE")
        self.bad("arm.body.mass=", "the value is empty")
        self.bad("arm.body.mass=[1", "this is not YAML")
        self.bad("arm..mass=1", "empty part")
        self.bad("arm.body.=1", "empty part")
        self.bad("arm.=1", "empty part")
        self.bad(".arm=1", "empty part")
        self.bad("start.arm.joint.angel=1", "did you mean")
        self.bad("inputs.motor.value={wobble: 1}", "one of sine", "run")
        self.bad("arm.shapes.7.size=[1, 1, 1]", "no item '7'")
        self.bad("hand.on=foot", "foot")
        self.bad("arm=1", "keys and values")

    def test_words(self):
        self.assertEqual(appell("check", "m.yaml", "--set").returncode, 2)
        for command in ("check", "info", "run", "inverse"):
            self.assertIn("--set PATH=VALUE...", appell(command, "--help").stdout)

    def test_mistakes_of_the_file_keep_their_place(self):
        Path("m.yaml").write_text(MODEL.replace("mass: 2 kg", "mass: 2 m"))
        done = appell("check", "m.yaml", "--set", "arm.body.mass=3")
        self.assertTrue(done.stderr.startswith("m.yaml:11:"), done.stderr)
        # a setting repairs it
        self.assertEqual(appell("check", "m.yaml", "--set", "hand.body.mass=3").returncode, 0)

    def test_urdf(self):
        urdf = sorted((ROOT / "tests/data/rigid").glob("*.urdf"))[0]
        done = appell("info", urdf, "--set", "gravity=[0, 0, 0]")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("gravity 0 0 0", re.sub("[^a-z0-9.]+", " ", done.stdout))
        done = appell("info", urdf, "--set", "link_9.body.mass=1 kg")
        self.assertEqual(done.returncode, 1)
        self.assertIn("--set link_9.body.mass=1 kg: the file has no link and no block 'link_9'", done.stderr)


if __name__ == "__main__":
    unittest.main()
