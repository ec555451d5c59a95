# SPDX-License-Identifier: Apache-2.0
"""test_faults.py APPELL_FAULTY [STRIDE]: the n-th allocation, write, sync or rename of a command fails (fault/fault.c).

A command that lost something says so and exits with 1; files that were there before stay as they were, or the new
one is complete. With a STRIDE only every so-manieth call is tried."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FAULTY = Path(sys.argv.pop(1)).resolve()
STRIDE = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 1

MODEL = """appell: 1
name: ball on a string
links:
  - name: arm
    joint: {type: revolute, axis: y, damping: 0.1, limits: {lower: -2, upper: 2}}
    body: {mass: 1 kg, com: [0, 0, -0.5]}
    ports: {tip: {at: [0, 0, -1]}}
    shapes: [{type: sphere, radius: 0.1}]
  - name: rod
    on: arm.tip
    body: {type: arc, length: 0.2, elements: 2, strains: [bend-x], mass-per-length: 0.1, bending-stiffness: 0.02}
inputs: {motor: {on: arm.joint.angle, value: {table: {file: t.csv, column: u}}}}
start: {arm.joint.angle: 1}
run: {to: 0.04, output-every: 0.01}
"""
URDF = """<robot name="r">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="arm"><inertial><origin xyz="0 0 1"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0"
    iyz="0"/></inertial><visual><geometry><box size="1 1 1"/></geometry><material name="red"/></visual></link>
  <joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/><dynamics damping="0.1" friction="0.1"/></joint>
</robot>
"""
BEAM = """appell: 1
name: a strip on a hinge
links:
  - name: strip
    joint: {type: revolute, axis: y}
    body: {type: beam, length: 1.2, width: 6 mm, height: 20 mm, density: 2700, young-modulus: 70 GPa,
           shear-modulus: 26 GPa, modes: 2}
    ports: {middle: {station: 0.5}}
run: {to: 0.01, output-every: 0.005}
"""
RUN = ["run", "m.yaml", "-o", "r.h5", "--csv", "r.csv", "--html", "r.html", "--checkpoint-every", "2"]


class Faults(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)
        Path("m.yaml").write_text(MODEL)
        Path("t.csv").write_text("time,u\n0,0\n1,1\n2,0\n")
        Path("r.urdf").write_text(URDF)

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def appell(self, words, fault=None):
        names = dict(os.environ, APPELL_FAULT_LOG="count", ASAN_OPTIONS="detect_leaks=0")
        if fault is not None:
            names["APPELL_FAULT"] = fault
        return subprocess.run([FAULTY, *words], capture_output=True, text=True, timeout=60, env=names)

    def count(self, words):
        done = self.appell(words)
        self.assertEqual(done.returncode, 0, done)
        return {kind: int(n) for kind, n in (line.split() for line in Path("count").read_text().splitlines())}

    def allocations(self, words, stride=STRIDE):
        """Each of them fails once; one in nine times all that follow fail with it."""
        self.count(words)
        total = self.count(words)["alloc"]  # with the outputs there, as in the runs that follow
        self.assertGreater(total, 20)
        for k, n in enumerate(range(1, total + 1, stride)):
            fault = f"alloc:{n}{'+' if k % 9 == 8 else ''}"
            with self.subTest(fault=fault, total=total):
                done = self.appell(words, fault)
                self.assertEqual(done.returncode, 1, done)
                self.assertIn("memory", done.stderr)

    def test_allocations_of_a_run(self):
        self.allocations(RUN)

    def test_allocations_of_a_beam(self):
        """Modes and sections of a beam are computed when it is compiled, and again for its warnings: each call."""
        Path("m.yaml").write_text(BEAM)
        self.allocations(["run", "m.yaml", "-o", "r.h5"], 1)

    def test_shapes_of_a_beam(self):
        """`modes` lists the shapes or fails: each call up to the solvers of LAPACK has a sentence."""
        Path("m.yaml").write_text(BEAM)
        whole = self.appell(["modes", "m.yaml"])
        for n in range(1, self.count(["modes", "m.yaml"])["alloc"] + 1):
            with self.subTest(n=n):
                done = self.appell(["modes", "m.yaml"], f"alloc:{n}")
                if done.returncode == 0:
                    self.assertEqual(done.stdout, whole.stdout)

    def test_allocations_of_an_import(self):
        self.allocations(["import", "r.urdf", "-o", "r.yaml"])

    def test_allocations_of_a_reader(self):
        self.appell(RUN)
        self.allocations(["export", "r.h5", "-o", "x.csv"])

    def check_words(self, fault, words, before):
        """What the sentences say is so: a file that cannot be written is the older one, one that has been written but
        not synced is the new one, and a result that was kept is there. Texts leave no part."""
        for name, said in re.findall(r"'(?:[^']*/)?([^'/]+)' (cannot be written|has been written)", words):
            same = Path(name).read_bytes() == before[name]
            self.assertEqual(same, said == "cannot be written", f"{fault}: {words}")
        for name in re.findall(r"kept in '([^']+)'", words):
            self.assertTrue(Path(name).exists(), f"{fault}: {words}")
        self.assertEqual([p.name for p in Path().glob("*.part") if p.name != "r.h5.part"], [], fault)

    def test_outputs(self):
        """Nothing that was there before is lost, whatever fails."""
        total = self.count(RUN)
        names = ("r.h5", "r.csv", "r.html")
        before = {name: Path(name).read_bytes() for name in names}
        Path("m.yaml").write_text(MODEL.replace("angle: 1", "angle: 0.5"))
        self.appell(RUN)
        after = {name: Path(name).read_bytes() for name in names}
        tried = 0
        for kind in ("write", "sync", "rename"):
            self.assertGreaterEqual(total[kind], 3)
            for n in range(1, total[kind] + 1, STRIDE if kind == "write" else 1):
                for name in names:
                    Path(name).write_bytes(before[name])
                done = self.appell(RUN, f"{kind}:{n}")
                self.assertEqual(done.returncode, 1, f"{kind}:{n}: {done}")
                self.assertRegex(done.stderr, "cannot be written|cannot be synced", f"{kind}:{n}")
                for name in names:
                    self.assertIn(Path(name).read_bytes(), (before[name], after[name]), f"{kind}:{n}: {name}")
                self.check_words(f"{kind}:{n}", done.stderr, before)
                tried += 1
        self.assertGreater(tried, 10)


if __name__ == "__main__":
    unittest.main()
