#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command from outside: exit codes, what goes to which stream, files that appear whole.

usage: test_cli.py APPELL ROOT     APPELL: the command, ROOT: the repository
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import jsonschema
import yaml

APPELL, ROOT = sys.argv[1], Path(sys.argv[2])
MODELS = sorted((ROOT / "models").glob("*.yaml"))
URDFS = sorted((ROOT / "tests/data/rigid").glob("*.urdf"))
COMMANDS = ["check", "info", "import"]
GOOD = "appell: 1\nlinks: [{name: a, joint: revolute, body: {mass: 1, com: [1, 0, 0]}}]\n"


def appell(*words, **options):
    return subprocess.run([APPELL, *map(str, words)], capture_output=True, timeout=60,
                          text=True, errors="replace", **options)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def write(self, name, text):
        path = self.path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def good(self, *words):
        result = appell(*words)
        self.assertEqual((result.returncode, result.stderr), (0, ""), words)
        return result.stdout

    def bad(self, *words, code=1):
        """Fails with sentences on stderr and nothing on stdout."""
        result = appell(*words)
        self.assertEqual(result.returncode, code, (words, result.stderr))
        self.assertEqual(result.stdout, "")
        self.assertNotEqual(result.stderr.strip(), "")
        return result.stderr


class Usage(Case):
    def test_help(self):
        text = self.good("--help")
        for command in COMMANDS:
            self.assertIn(command, text)
            self.assertIn(f"usage: appell {command}", self.good(command, "--help"))

    def test_version(self):
        self.assertRegex(self.good("--version"), r"^\d+\.\d+\.\d+\n$")

    def test_wrong(self):
        self.bad(code=2)
        self.bad("fly", code=2)
        for command in COMMANDS:
            self.bad(command, code=2)
            self.bad(command, "--nonsense", "x", code=2)
            self.bad(command, "--base", "flying", MODELS[0], code=2)
        self.bad("info", MODELS[0], MODELS[0], code=2)
        self.bad("import", URDFS[0], "-o", code=2)
        self.bad("info", "--json=yes", MODELS[0], code=2)


class Good(Case):
    def test_check(self):
        for path in MODELS + URDFS:
            self.assertTrue(self.good("check", path).startswith(f"{path}: good"))
        self.assertIn("without geometric stiffening", self.good("check", ROOT / "models/flexible-pendulum.yaml"))
        self.assertEqual(self.good("check", "-q", *MODELS), "")

    def test_info(self):
        text = self.good("info", ROOT / "models/diff-drive.yaml")
        for word in ["base.joint.heading", "base.right", "└─ base", "base.mount", "7.24 kg"]:
            self.assertIn(word, text)

    def test_info_json(self):
        for path in MODELS + URDFS:
            info = json.loads(self.good("info", "--json", path))
            self.assertEqual(sum(link["mass"] for link in info["links"]) - info["mass"] < 1e-9, True)
        info = json.loads(self.good("info", "--json", "--base=floating",
                                    ROOT / "tests/data/rigid/humanoid36.urdf"))
        self.assertEqual(len(info["velocities"]), 36)

    def test_schema(self):
        schema = json.loads(self.good("check", "--schema"))
        self.assertEqual(schema["required"], ["appell", "links"])

        # PyYAML reads YAML 1.1, where `on` is true; editors and Appell do not
        class Loader(yaml.SafeLoader):
            pass
        Loader.yaml_implicit_resolvers = {
            first: [row for row in rows if row[0] != "tag:yaml.org,2002:bool"]
            for first, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()}
        Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), "tf")
        for path in MODELS:
            jsonschema.validate(yaml.load(path.read_text(), Loader), schema)
        short = GOOD + "inputs: {a.joint.angle: %s}\n"
        for value in "2 N m", "2", "{sine: {amplitude: 1 N m, frequency: 1 Hz}}", "{on: a.joint.angle, gain: 2}":
            jsonschema.validate(yaml.load(short % value, Loader), schema)
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(yaml.load(short % "{on: a.joint.angle, gian: 2}", Loader), schema)

    def test_tendons(self):
        text = self.good("info", ROOT / "models/tendon-arm.yaml")
        self.assertRegex(text, r"tendons at the start\n +0  upper-a +0\.2 m\n")
        robot = json.loads(self.good("info", "--json", ROOT / "models/tendon-arm.yaml"))
        self.assertEqual(robot["tendons"][0], {"name": "upper-a", "unit": "m", "start": 0.2})
        self.assertEqual(len(robot["tendons"]), 6)

    def test_docs(self):
        self.assertEqual(self.good("check", "--docs"), (ROOT / "docs/formats/model.md").read_text())

    def test_import(self):
        for urdf in URDFS:
            out = self.path / "out.yaml"
            report = self.good("import", urdf, "-o", out)
            self.good("check", out)
            self.assertEqual(os.listdir(self.path), ["out.yaml"])

            # every element has its line
            for line, text in enumerate(urdf.read_text().splitlines(), 1):
                if re.search("<(link|joint) ", text):
                    self.assertIn(f"{urdf}:{line}: ", report)
            result = appell("import", urdf)
            self.assertEqual(result.stdout, out.read_text())
            self.assertIn("kept", result.stderr)


class Bad(Case):
    def test_files(self):
        self.assertIn("No such file", self.bad("check", self.path / "missing.yaml"))
        self.assertIn("directory", self.bad("check", self.path))
        for command in COMMANDS:
            self.bad(command, self.path / "missing.urdf")
        if os.geteuid() != 0:
            path = self.write("secret.yaml", GOOD)
            path.chmod(0)
            self.assertIn("ermission", self.bad("info", path))

    def test_texts(self):
        texts = {
            "empty": "", "spaces": "   \n", "scalar": "robot", "binary": bytes(range(256)),
            "tab": "\tx: 1", "open": "a: [", "deep": "[" * 200_000, "maps": "{a: " * 100_000,
            "dashes": "- " * 100_000, "large": "#" * (2 << 20), "nul": b"a: \0", "latin": b"a: \xe9",
            "bomb": "a: &a [1]\nb: &b [*a, *a]\n", "xml": "<robot", "html": "<html/>",
            "number": GOOD.replace("mass: 1", "mass: 1e999"),
            "unit": GOOD.replace("mass: 1", "mass: 1 mm"),
            "key": GOOD + "lnks: 1\n", "start": GOOD + "start: {a.joint.angel: 1}\n",
        }
        for name, text in texts.items():
            path = self.write(name + ".yaml", text)
            for command in COMMANDS:
                stderr = self.bad(command, path)
                for line in stderr.splitlines():
                    self.assertTrue(line.startswith(f"{path}:"), line)

    def test_place(self):
        path = self.write("bad.yaml", "appell: 1\nlinks:\n  - name: a\n    boddy: {mass: 1}\n")
        self.assertIn(f"{path}:4:5: ", self.bad("check", path))

    def test_several(self):
        path = self.write("bad.yaml", "appell: 1\nx: 1\ny: 1\nlinks: []\n")
        self.assertEqual(len(self.bad("check", path).splitlines()), 2)

    def test_one_of_two(self):
        result = appell("check", MODELS[0], self.path / "missing.yaml")
        self.assertEqual(result.returncode, 1)
        self.assertIn("good", result.stdout)

    def test_output(self):
        urdf = URDFS[0]
        old = self.write("old.yaml", "precious")
        broken = self.write("broken.urdf", "<robot><link/></robot>")
        self.bad("import", "-q", broken, "-o", old)
        self.assertEqual(old.read_text(), "precious")
        self.assertEqual(sorted(os.listdir(self.path)), ["broken.urdf", "old.yaml"])
        result = appell("import", "-q", urdf, "-o", self.path / "no" / "folder.yaml")
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot be written", result.stderr)

    def test_collision(self):
        urdf = self.write("robot.urdf", """<robot name="r"><link name="a"><inertial><mass value="1"/>
            <inertia ixx="1" iyy="1" izz="1"/></inertial>
            <collision><origin xyz="0 0 1"/><geometry><sphere radius="0.1"/></geometry></collision>
            <collision><geometry><mesh filename="a.stl"/></geometry></collision></link>
            <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
            <link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
            <collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
            <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint>
            <joint name="k" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 1 0"/></joint></robot>""")
        result = appell("import", urdf, "-o", self.path / "model.yaml")
        self.assertIn(f"{urdf}:3: kept: <collision> sphere of link 'a': used for contact if", result.stdout)
        self.assertIn(f"{urdf}:4: ignored: <collision> of link 'a': contact with meshes is not supported", result.stdout)
        self.assertNotIn("shapes that can touch", appell("info", urdf).stdout)
        text = appell("info", urdf, "--base", "floating", "--contact", "restitution").stdout
        self.assertRegex(text, r"a\.1 +1 others\n +2 +c\.1 +1 others")
        self.assertRegex(text, r"touch +restitution, friction none, at most 1 contact points")
        self.assertIn("needs `stiffness`", appell("run", urdf, "--contact", "hertz").stderr)
        law = "{law: {normal: hertz, stiffness: 1e6}, friction: {law: coulomb, coefficient: 0.5, v0: 0.01}}"
        self.assertIn("hertz, friction coulomb", appell("info", urdf, "--contact", law).stdout)

    def test_refused(self):
        urdf = self.write("doubt.urdf", """<robot name="r"><link name="a"/>
            <link name="b"><inertial><mass value="1"/></inertial><collision/></link>
            <joint name="j" type="prismatic"><parent link="a"/><child link="b"/>
            <limit lower="1" upper="0"/></joint></robot>""")
        result = appell("import", urdf, "-o", self.path / "kept.yaml")
        self.assertEqual(result.returncode, 0)
        self.assertIn(f"{urdf}:4: doubtful: <limit>", result.stdout)
        self.assertIn(f"{urdf}:4: warning: <limit>", result.stderr)
        os.remove(self.path / "kept.yaml")

        result = appell("import", urdf, "-o", self.path / "out.yaml", "--strict")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{urdf}:4: refused: <limit>", result.stdout)
        self.assertIn(f"{urdf}:2: ignored: <collision>", result.stdout)
        self.assertIn(f"{urdf}:4: <limit>", result.stderr)
        self.assertEqual(os.listdir(self.path), ["doubt.urdf"])

    def test_full(self):
        if not os.path.exists("/dev/full"):
            return
        with open("/dev/full", "w") as full:
            result = subprocess.run([APPELL, "info", MODELS[0]], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
