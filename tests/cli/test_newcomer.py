# SPDX-License-Identifier: Apache-2.0
"""Mistakes that newcomers make, and the sentences they get: file, line and column where there are some, what was meant, what to do."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

APPELL = str(Path(sys.argv[1]).resolve())

GOOD = """appell: 1
name: arm
links:
  - name: arm
    joint: {type: revolute, axis: y, damping: 0.1}
    body: {mass: 2 kg, com: [0, 0, -0.5], inertia: {xx: 0.1, yy: 0.1, zz: 0.01}}
    ports: {tip: {at: [0, 0, -1]}}
inputs: {motor: {on: arm.joint.angle, value: 1 N m}}
start: {arm.joint.angle: 30 deg}
run: {to: 1 s}
"""

URDF = """<robot name="r"><link name="a"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>
"""

# what is replaced in GOOD, by what, and what is said
MODELS = (
    ("mass: 2 kg", "mass: 1,5 kg", "m.yaml:6:18: link 'arm': body.mass: decimals take a point, not a comma: '1.5 kg', not '1,5 kg'"),
    ("mass: 2 kg", "mass: '1,5 kg'", "m.yaml:6:18: link 'arm': body.mass: '1,5 kg': decimals take a point, not a comma: '1.5 kg'"),
    ("mass: 2 kg", "mass: 2 m", "m.yaml:6:18: link 'arm': body.mass: expected a mass such as '1.2 kg', got '2 m'"),
    ("mass: 2 kg", "mass: 2 kgs", "'kgs' is not a known unit; write kg"),
    ("mass: 2 kg", "mass: 2 lbs", "1 lbs is 0.45359237 kg"),
    ("mass: 2 kg, ", "", "body.mass: is missing"),
    ("1 N m", "foo", "m.yaml:8:46: inputs.motor: 'foo' is neither a quantity in N m nor the name of one of `signals`"),
    ("1 N m", "{sinus: {amplitude: 1}}", "did you mean 'sine'?"),
    ("1 N m", "{expression: 2*sin(t}", "a closing bracket is missing at character 8"),
    ("1 N m", "{expression: 2*x}", "only t, pi, sin, cos, tan, exp, log, sqrt and tanh are known, not the word at character 3"),
    ("type: revolute", "type: hinge", "there is no joint of type 'hinge'; take fixed, revolute, prismatic,"),
    ("axis: y", "axis: w", "expected an axis such as z, -x or [0, 1, 1], got 'w'"),
    ("    joint", "\tjoint", "this is not YAML"),
    ("    body", "   body", "m.yaml:6:4: this is not YAML"),
    ("damping: 0.1}", "damping: 0.1", "(is a closing } missing above?)"),
    ("joint: {", "joints: {", "did you mean 'joint'?"),
    ("tip: {at: [0, 0, -1]}", "tip: [0, 0, -1]", "m.yaml:7:18: link 'arm': ports.tip: expected keys and values such as {at: ..}, got a list"),
    ("run:", "contacts: [{on: arm.tip}]\nrun:", "the model has no `grounds` to touch"),
    ("run:", "motion: {arm.joint.angle: 1}\nrun:", "its joint needs `prescribed: true` or a `servo`"),
    ("to: 1 s", "to: 1 s, integrator: ode45", "did you mean 'rkf45'?"),
    ("30 deg", "30 cm", "expected an angle such as '30 deg', got '30 cm'"),
)

TABLES = (
    ("time;arm.joint.angle\n0;1\n", "t.csv:1:1: 'time;arm.joint.angle' cannot name a column: put commas between names"),
    ("time,arm.joint.angle\n0,5,1\n", "t.csv:2:5: '1' is beyond the last column: there are more numbers than names (decimals take a point)"),
    ("time,arm.joint.angel\n0,1\n1,2\n", "t.csv:1:6: column 'arm.joint.angel' is not a time, coordinate"),
    ("time,arm.joint.angle\n0,1\n1,2\n0.5,3\n", "t.csv:4:1: times must increase, but 0.5 s in row 3 follows 1 s"),
    ("# units: s, foo\ntime,arm.joint.angle\n0,1\n1,2\n", "t.csv:2:6: column 'arm.joint.angle' must have the unit rad or a multiple"),
    ("# units: s\ntime,arm.joint.angle\n0,1\n1,2\n", "t.csv:2:1: the line `# units:` has units for 1 of 2 columns"),
    ("time,arm.joint.angle\n0,1\n1\n", "t.csv:3:2: the row ends here"),
)

ROBOTS = (
    ("revolute", "hinge", "r.urdf:2: the joint to 'b' has the unknown type 'hinge'; take revolute, continuous, prismatic"),
    ("<robot", "<sdf", "this is not well-formed XML"),
    (URDF, "<sdf/>", "r.urdf:1: the root element is <sdf>, not <robot>; only URDF and YAML model files are read"),
    ('link="b"/><axis', 'link="c"/><axis', "there is no link 'c'"),
)

# words behind `appell`, exit code, what is said
WORDS = (
    (["run", "m.yaml", "--to", "soon"], 2, "--to: expected a time such as '2 ms', got 'soon'"),
    (["run", "m.yaml", "--integrator", "verlet"], 1, "there is no integrator 'verlet' among auto, rkf45"),
    (["run", "m.yaml", "--integrator", "rk4"], 1, "rk4 needs a positive step (--step, or step of `run`)"),
    (["run", "m.yaml", "--record", "arm.tp"], 1, "did you mean 'arm.tip'?"),
    (["run", "m.yaml", "--set", "arm.body.mas=2"], 1, "did you mean 'mass'?"),
    (["run", "m.yaml", "--contact", "rigid"], 1, "--contact, as collide="),
    (["plot", "g.h5", "*.foo"], 1, "no channel matches '*.foo'"),
    (["export", "g.h5", "angle", "-o", "x.csv"], 1, "did you mean 'arm.joint.angle'?"),
    (["plot", "m.yaml", "x"], 1, "'m.yaml' is not a result of Appell"),
    (["import", "m.yaml"], 1, "this is a model file already; `appell import` takes a URDF"),
    (["run", "m.yaml", "--resume", "g.h5", "-o", "h.h5"], 1, "it has no checkpoint to resume from"),
)


class Newcomer(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        self.write("m.yaml", GOOD)

    def write(self, name, text):
        (self.home / name).write_text(text)

    def refused(self, sentence, code, *words):
        """Refused with the sentence; nothing was run, so nothing is summed up."""
        done = subprocess.run([APPELL, *words], cwd=self.home, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(sentence, done.stderr)
        self.assertEqual(done.stdout, "")

    def test_a_result_is_no_model(self):
        with tempfile.TemporaryDirectory() as home:
            Path(home, "m.yaml").write_text(GOOD)
            subprocess.run([APPELL, "run", "m.yaml", "-o", "r.h5"], cwd=home, check=True, capture_output=True)
            for command in ("run", "check", "info"):
                done = subprocess.run([APPELL, command, "r.h5"], cwd=home, capture_output=True, text=True)
                self.assertEqual(done.returncode, 1)
                self.assertIn("r.h5: this is a result of a run (HDF5), not a model: `appell view` replays it", done.stderr)

    def test_joint_names_are_inputs(self):
        """docs/robots.md: the name of a joint with one degree of freedom is that of its input."""
        with tempfile.TemporaryDirectory() as home:
            named = GOOD.replace("type: revolute", "type: revolute, name: j1")
            for number, value in enumerate(("{motor: {on: j1, value: 1 N m}}", "{j1: 1 N m}", "{j1.angle: 1 N m}",
                                            "{j1: {steps: {times: [0, 9], values: [1 N m, 1 N m]}}}")):
                text = named.replace("{motor: {on: arm.joint.angle, value: 1 N m}}", value)
                Path(home, "m.yaml").write_text(text)
                done = subprocess.run([APPELL, "run", "m.yaml", "--csv", "-"], cwd=home, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                last = done.stdout.splitlines()[-1].split(",")[:3]
                self.assertEqual(last, first if number else last)
                first = last

    def test_models(self):
        for old, new, sentence in MODELS:
            with self.subTest(new):
                self.assertIn(old, GOOD)
                self.write("m.yaml", GOOD.replace(old, new))
                self.refused(sentence, 1, "run", "m.yaml")

    def test_tables(self):
        for text, sentence in TABLES:
            with self.subTest(text):
                self.write("t.csv", text)
                self.refused(sentence, 1, "inverse", "m.yaml", "t.csv")

    def test_robots(self):
        for old, new, sentence in ROBOTS:
            with self.subTest(new):
                self.write("r.urdf", URDF.replace(old, new, 1))
                self.refused(sentence, 1, "run", "r.urdf")

    def test_words(self):
        subprocess.run([APPELL, "run", "m.yaml", "-q", "-o", "g.h5", "--checkpoint-every", "0"], cwd=self.home, check=True)
        for words, code, sentence in WORDS:
            with self.subTest(words):
                self.refused(sentence, code, *words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
