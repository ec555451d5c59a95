"""test_faults.py APPELL_FAULTY [STRIDE]: the n-th allocation, write, sync or rename of a command fails (fault/fault.c).

A command that lost something says so and exits with 1; files that were there before stay as they were, or the new
one is complete. With a STRIDE only every so-manieth call is tried."""
import os
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

    def allocations(self, words):
        """Each of them fails once; one in nine times all that follow fail with it."""
        self.count(words)
        total = self.count(words)["alloc"]  # with the outputs there, as in the runs that follow
        self.assertGreater(total, 20)
        for k, n in enumerate(range(1, total + 1, STRIDE)):
            fault = f"alloc:{n}{'+' if k % 9 == 8 else ''}"
            with self.subTest(fault=fault, total=total):
                done = self.appell(words, fault)
                self.assertEqual(done.returncode, 1, done)
                self.assertIn("memory", done.stderr)

    def test_allocations_of_a_run(self):
        self.allocations(RUN)

    def test_allocations_of_an_import(self):
        self.allocations(["import", "r.urdf", "-o", "r.yaml"])

    def test_allocations_of_a_reader(self):
        self.appell(RUN)
        self.allocations(["export", "r.h5", "-o", "x.csv"])

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
                self.assertIn("cannot be written", done.stderr, f"{kind}:{n}")
                for name in names:
                    self.assertIn(Path(name).read_bytes(), (before[name], after[name]), f"{kind}:{n}: {name}")
                tried += 1
        self.assertGreater(tried, 10)


if __name__ == "__main__":
    unittest.main()
