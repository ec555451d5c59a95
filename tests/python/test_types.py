# SPDX-License-Identifier: Apache-2.0
"""The types of the package, as mypy sees them: no complaint about package and examples, right and wrong programs told apart.

Skipped (exit code 77) where Debian's mypy is not installed.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

RIGHT = """
import appell
from pathlib import Path

model = appell.load(Path("arm.yaml"), set={"arm.body.mass": "2 kg"})
state = model.state()
state.q[:] = [0.1, 0.2]
energy: float = state.energy().kinetic + state.forward().sum()
result = model.run(to=5, integrator="rkf45", every=0.01)
last: float = result["arm.joint.angle"][-1]


def control(t: float, state: appell.State) -> list[float]:
    return [-float(state.q[0])]


model.system().run(1.0, control=control, control_every=0.01)
observation, reward, terminated, truncated, info = appell.Env(model, period=0.01).step([0.0])
"""

# one mistake in each line behind the first
WRONG = """
model = __import__("appell").load("arm.yaml")
import appell
appell.load(3)
appell.load("arm.yaml").run(to="5 s")
appell.load("arm.yaml").state().energy().kinetics
appell.load("arm.yaml").state().jacobian()
"""


class Types(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.home.cleanup)

    def mypy(self, *words):
        return subprocess.run(["mypy", "--config-file", ROOT / "pyproject.toml", "--cache-dir", Path(self.home.name) / "cache",
                               *words], cwd=ROOT, capture_output=True, text=True)

    def program(self, name, text):
        path = Path(self.home.name) / name
        path.write_text(text)
        return path

    def test_package_examples_and_programs(self):
        """mypy --strict, as pyproject.toml has it."""
        done = self.mypy("python/appell", "python/examples", self.program("right.py", RIGHT))
        self.assertEqual(done.returncode, 0, done.stdout)
        done = self.mypy(self.program("wrong.py", WRONG))
        lines = [int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line]
        self.assertEqual(sorted(set(lines)), [4, 5, 6, 7], done.stdout)

    def test_stub_of_the_extension(self):
        done = subprocess.run(["stubtest", "appell._native"], capture_output=True, text=True, cwd=self.home.name,
                              env=dict(os.environ, MYPY_CACHE_DIR=str(Path(self.home.name) / "stubs")))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    if shutil.which("mypy") is None or shutil.which("stubtest") is None:
        sys.exit(77)
    unittest.main()
