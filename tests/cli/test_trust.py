"""test_trust.py APPELL: runs end or say why not, ledgers speak, resumes compare. Inputs: tests/data/trust."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import h5py

APPELL = Path(sys.argv.pop(1)).resolve()
DATA = Path(__file__).resolve().parents[1] / "data/trust"

BALL = """appell: 1
name: ball
links:
  - name: b
    joint: {type: prismatic, axis: z}
    body: {mass: 1}
    ports: {p: {at: [0, 0, 0]}}
grounds: {floor: {law: {normal: restitution, restitution: 0.5}}}
contacts: [{on: b.p, with: floor}]
start: {b.joint.position: %s}
run: {to: 0.2, output-every: 0.01}
"""
PENDULUM = """appell: 1
name: pendulum
links:
  - name: arm
    joint: {type: revolute, axis: y%s}
    body: {mass: 1 kg, com: [0, 0, -0.5]}
start: {arm.joint.angle: 2}
run: {to: %s, output-every: %s, tolerance: 1e-8}
"""


def appell(*words):
    return subprocess.run([APPELL, *map(str, words)], capture_output=True, text=True, timeout=200)


class Case(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def write(self, text):
        Path("m.yaml").write_text(text)
        return "m.yaml"


class Ends(Case):
    def test_singular_mass_matrix(self):
        """It ends by counting, so twice at the same step, and names what stands in the way."""
        done = [appell("run", DATA / "hang_singular.yaml", "--json") for _ in range(2)]
        self.assertEqual(done[0].returncode, 1, done[0])
        self.assertIn("the end is out of reach", done[0].stderr)
        self.assertIn("'b.joint.position' keeps them short", done[0].stderr)
        steps = [json.loads(d.stdout)["steps"] for d in done]
        self.assertEqual(steps[0], steps[1])

    def test_contact_that_starts_touching(self):
        done = appell("run", DATA / "touching_start_box.yaml")
        self.assertEqual(done.returncode, 0, done)

    def test_refused_at_the_start(self):
        done = appell("run", DATA / "zero_quaternion.yaml")
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("0.00e+00", done.stdout)

    def begin(self, *more):
        """A run of hours, recorded; returns when it has said that it takes long: it is then inside its steps."""
        run = subprocess.Popen([APPELL, "run", DATA / "stall.yaml", "-o", "r.h5", *map(str, more)],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said = run.stderr.readline()
        self.assertRegex(said, r"stall.yaml: t = .* of .* s after [0-9]+ s: steps are .* 'arm\..*' keeps them short")
        return run

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            run = self.begin("--to", 10000)
            began = time.monotonic()
            run.send_signal(number)
            self.assertEqual(run.wait(timeout=60), 128 + number)
            print(f"{number.name}: {time.monotonic() - began:.3f} s", file=sys.stderr)
            run.stderr.close()
            with h5py.File("r.h5") as f:
                self.assertEqual(f.attrs["status"], b"stopped")
                self.assertGreater(f["rows"].shape[0], 1)


class Audits(Case):
    def test_promise(self):
        """rk4 with steps far too long: a warning, and a failure under --strict."""
        model = self.write(PENDULUM % ("", 20, 0.25))
        words = ["run", model, "--integrator", "rk4", "--step", 0.25]
        done = appell(*words)
        self.assertEqual(done.returncode, 0, done)
        self.assertRegex(done.stdout, r"warning: the energy ledger is open by .*, promised 1e-03; most from t = ")
        done = appell(*words, "--strict", "-o", "r.h5")
        self.assertEqual(done.returncode, 1, done)
        with h5py.File("r.h5") as f:
            self.assertIn(b"failed: the energy ledger", f.attrs["status"])
            self.assertIn(b"warning.ledger", f["summary"]["key"])
        # what keeps its promise says nothing, and the promise falls with the tolerance
        done = appell("run", model, "--strict", "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)["warnings"]), (0, []))
        self.assertAlmostEqual(json.loads(done.stdout)["promise"], 1e-6)

    def test_account(self):
        """The account that moved most where the ledger opened is named."""
        done = appell("run", self.write(PENDULUM % (", damping: 1", 20, 0.25)), "--integrator", "rk4", "--step", 0.25)
        self.assertIn("flow most: damping", done.stdout)

    def test_not_audited(self):
        """A run that failed at its start has no error of zero, nowhere."""
        Path("m.yaml").write_text((DATA / "fails_on_the_way.yaml").read_text().replace("to: 5", "to: 5, output-every: 5"))
        done = appell("run", "m.yaml", "-o", "r.h5", "--html", "r.html")
        self.assertEqual(done.returncode, 1)
        self.assertIn("ledger not audited, momentum not audited", done.stdout)
        said = json.loads(appell("run", "m.yaml", "--json").stdout)
        self.assertIsNone(said["energy_error"])
        self.assertIsNone(said["momentum_error"])
        with h5py.File("r.h5") as f:
            self.assertFalse([k for k in f["summary"]["key"] if b"error" in k])
        if Path("r.html").exists():
            self.assertTrue('"status":"failed: at t = ' in Path("r.html").read_text(encoding="utf-8"))

    def test_momentum(self):
        """What hits at t = 0 and what rests has a closed ledger, not one that reads 1."""
        for start in ("0, b.joint.position.rate: -1", "0"):
            said = json.loads(appell("run", self.write(BALL % start), "--json").stdout)
            self.assertEqual(said["status"], "finished")
            self.assertLess(said["momentum_error"], 1e-9)

    def test_momentum_that_is_not_audited(self):
        models = DATA.parents[2] / "models"
        done = appell("run", models / "tractor.yaml", "--to", 1)
        self.assertIn("momentum not audited", done.stdout)


class Resumes(Case):
    def test_options(self):
        model = self.write(PENDULUM % ("", 10, 0.01))
        self.assertEqual(appell("run", model, "-o", "a.h5").returncode, 0)
        for change, word in ((["--output-every", 1], "output-every"), (["--tolerance", 1e-6], "tolerance"),
                             (["--integrator", "dop853"], "integrator"), (["--checkpoint-every", 7], "checkpoint-every"),
                             (["--step", 1e-3], "step")):
            done = appell("run", model, "-o", "b.h5", "--resume", "a.h5", *change)
            self.assertEqual(done.returncode, 1, done)
            self.assertIn("cannot be resumed", done.stderr)
            self.assertIn(word, done.stderr)
        done = appell("run", model, "-o", "b.h5", "--resume", "a.h5", "--to", 1)
        self.assertIn("beyond the end", done.stderr)
        with h5py.File("a.h5", "r+") as f:
            f.attrs.modify("program", b"appell 0.0.1")
        done = appell("run", model, "-o", "b.h5", "--resume", "a.h5")
        self.assertIn("its program is 'appell 0.0.1'", done.stderr)

    def test_counts_of_1e300(self):
        """A file of format 1 whose memory is nonsense; today's memory is longer, so put the nonsense into a new one."""
        with h5py.File(DATA / "resume_run_1e300.h5") as f:
            Path("old.yaml").write_bytes(f["model"][()])
        self.assertEqual(appell("run", "old.yaml", "-o", "b.h5", "--resume", DATA / "resume_run_1e300.h5").returncode, 1)
        self.assertEqual(appell("run", "old.yaml", "-o", "a.h5", "--checkpoint-every", 5).returncode, 0)
        with h5py.File("a.h5", "r+") as f:
            f.attrs.modify("format-version", 1)  # without checksums
            f["checkpoint"][str(f["checkpoint/count"][()] % 2)]["run"][:] = 1e300
            f.attrs.modify("program", f.attrs["program"])
        done = appell("run", "old.yaml", "-o", "b.h5", "--resume", "a.h5", "--checkpoint-every", 5)
        self.assertEqual(done.returncode, 1, done)


if __name__ == "__main__":
    unittest.main()
