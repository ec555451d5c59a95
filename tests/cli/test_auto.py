# SPDX-License-Identifier: Apache-2.0
"""test_auto.py APPELL MODELS DATA: the integrator auto, as people meet it: whole robots that explicit methods alone do not bring to an end."""
import json
import math
import sys
import unittest
from pathlib import Path

import h5py

from command import Case, appell, read_table

MODELS = Path(sys.argv.pop(1)).resolve()
DATA = Path(sys.argv.pop(1)).resolve()

# The finger of a gripper: friction stops it within I u / F = 2e-5 * 1e-3 / 0.3 s, 7e-8 s, as in files of real robots.
FINGER = """appell: 1
gravity: [0, 0, -9.81]
links:
  - name: arm
    joint: {type: revolute, axis: y, damping: 0.5}
    body: {mass: 2, com: [0.3, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
    ports: {tip: {at: [0.6, 0, 0]}}
  - name: finger
    on: arm.tip
    joint: {type: revolute, axis: y, friction: 0.3, friction-speed: 1e-3, damping: 0.01}
    body: {mass: 0.01, com: [0.01, 0, 0], inertia: {xx: 2e-5, yy: 2e-5, zz: 2e-5}}
run: {to: 1%s}
"""

# Nothing damps it, and all of it moves: 1e6 rad/s at an amplitude far above the tolerance.
SPRING = """appell: 1
links:
  - name: a
    joint: {type: prismatic, axis: x, stiffness: 1e12%s}
    body: {mass: 1}
start: {a.joint.position: 1e-6}
run: {to: %s, output-every: %s}
"""


class Auto(Case):
    def summary(self, text, *options):
        Path("m.yaml").write_text(text, encoding="utf-8")
        done = appell("run", "m.yaml", "--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_finger(self):
        """The default takes stiff and says so once: on the terminal, in JSON, in the result."""
        said = self.summary(FINGER % "", "-o", "out.h5")
        self.assertEqual(said["integrator"], "stiff")
        self.assertRegex(said["note"], r"^integrator auto changed from dop853 to stiff at t = [0-9.e-]+ s: stability limited explicit steps to [0-9.e-]+ s$")
        self.assertLess(said["evaluations"], 5000)  # dop853 alone: 1 s / (6 * 7e-8 s) steps of 12
        self.assertLess(said["energy_error"], said["promise"])
        shown = self.good("run", "m.yaml")
        self.assertEqual(shown.count(said["note"]), 1)
        with h5py.File("out.h5") as f:
            lines = {row["key"].decode(): (row["value"], row["text"].decode()) for row in f["summary"][()]}
            self.assertEqual(f.attrs["integrator"].decode() if isinstance(f.attrs["integrator"], bytes) else f.attrs["integrator"], "auto")
        self.assertEqual(lines["integrator.changes"], (1.0, said["note"]))
        # the motion is that of stiff alone at a tighter tolerance: within a hundred tolerances
        here = self.run_of(FINGER % "")
        exact = self.run_of(FINGER % ", integrator: stiff, tolerance: 1e-11")
        for name in ("arm.joint.angle", "finger.joint.angle"):
            self.assertLess(max(abs(a - b) for a, b in zip(here[name], exact[name])), 1e-6, name)

    def test_bytes_repeat(self):
        """Twice the same bytes; and recorded or not the same last row."""
        for k in range(2):
            Path("m.yaml").write_text(FINGER % "", encoding="utf-8")
            self.good("run", "m.yaml", "-o", f"{k}.h5", "--csv", f"{k}.csv")
        self.assertEqual(Path("0.h5").read_bytes(), Path("1.h5").read_bytes())
        few = self.run_of(FINGER % "", "--output-every", "1")
        many = read_table("0.csv")
        for name in ("arm.joint.angle", "finger.joint.angle", "arm.joint.angle.rate"):
            self.assertEqual(few[name][-1], many[name][-1])

    def test_resumes(self):
        """Stopped on the way, before or after it has changed, it ends with the bytes of the whole run."""
        for name, stop in (("soft-linkage", "0.1"), ("soft-arm", "0.6")):
            model = MODELS / f"{name}.yaml"
            words = ("run", model, "--integrator", "auto", "--to", "1", "--output-every", "0.005", "--checkpoint-every", "10", "-q")
            self.good(*words, "-o", "whole.h5")
            self.good(*(w if w != "1" else stop for w in words), "-o", "part.h5")
            self.good(*words, "--resume", "part.h5", "-o", "again.h5")
            self.assertEqual(Path("whole.h5").read_bytes(), Path("again.h5").read_bytes(), name)
            with h5py.File("whole.h5") as f:
                self.assertIn(b"integrator.changes", [row["key"] for row in f["summary"][()]], name)

    def test_arm_that_comes_to_rest(self):
        said = json.loads(self.good("run", DATA / "stall.yaml", "--integrator", "auto", "--json"))
        self.assertLess(said["evaluations"], 5000)
        self.assertEqual(said["integrator"], "stiff")

    def test_springs(self):
        """1e12 N/m: with a damper it is over at once; without one it is followed, explicitly, to the end."""
        said = self.summary(SPRING % (", damping: 1e6", 1000, 1))
        self.assertEqual(said["integrator"], "stiff")
        self.assertLess(said["evaluations"], 10000)
        said = self.summary(SPRING % ("", 0.001, 0.001))
        self.assertEqual((said["integrator"], said["note"]), ("dop853", ""))
        self.assertLess(said["energy_error"], said["promise"])
        # 1000 rad: each adds about a tolerance of the position, absolute 1e-8 m, to the phase
        got = self.run_of(SPRING % ("", 0.001, 0.001))
        self.assertAlmostEqual(got["a.joint.position"][-1], 1e-6 * math.cos(1000), delta=1e-8)

    def test_springs_that_ring(self):
        """Little damping (0.5 %): explicit steps follow the spring while it swings, implicit ones go on when it has died away; one change, one line."""
        said = self.summary(SPRING % (", damping: 1e4", 1, 1))
        self.assertRegex(said["note"], r"^integrator auto changed from dop853 to stiff at t = 0\.00[0-9]+ s: stability limited explicit steps to [0-9.e-]+ s$")
        # 1e-8 of the speed is left after 18 time constants of 2e-4 s, 3700 rad of about 0.1 rad per evaluation; dop853 alone: 2.9e6, stiff alone: 5.6e4
        self.assertLess(said["evaluations"], 60000)
        self.assertLess(said["energy_error"], said["promise"])

    def test_rehearsals_leave_no_trace(self):
        """Rods that swing at the limit of dop853 are followed by it: what stiff tries beside it does not touch the motion, as long as it is not taken."""
        model = MODELS / "paper-flexible-ss.yaml"
        rows, work = {}, {}
        for method in ("auto", "dop853"):
            said = json.loads(self.good("run", model, "--integrator", method, "--tolerance", "1e-5", "--csv", f"{method}.csv", "--json"))
            rows[method] = read_table(f"{method}.csv")
            work[method] = said["evaluations"]
            self.assertEqual((said["integrator"], said["note"]), ("dop853", ""))
        self.assertGreater(work["auto"], work["dop853"])  # it has tried
        self.assertEqual(rows["auto"], rows["dop853"])

    def test_outputs_do_not_change_closed_loops(self):
        """Forces of loops are no memory of implicit steps: rows that somebody wants leave the motion as it is."""
        last = []
        for every in ("0.5", "0.01"):
            self.good("run", MODELS / "soft-linkage.yaml", "--integrator", "stiff", "--tolerance", "1e-8", "--to", "0.5", "--output-every", every, "--csv", "out.csv", "-q")
            last.append({name: column[-1] for name, column in read_table("out.csv").items()})
        self.assertEqual(last[0], last[1])

    def test_undamped_robots_stay_explicit(self):
        for name in ("double-pendulum", "tumbling-body", "paper-continuum-element"):
            said = json.loads(self.good("run", MODELS / f"{name}.yaml", "--integrator", "auto", "--to", "1", "--json"))
            self.assertEqual((said["integrator"], said["note"]), ("dop853", ""), name)

    def test_steps_are_refused(self):
        """Where nobody would follow them: in a file with its place, and on the command line."""
        Path("m.yaml").write_text(FINGER % ", step: 1 ms", encoding="utf-8")
        self.bad(1, "m.yaml:12:20: run.step: the integrator auto chooses its own steps: leave this out, or use rk4", "run", "m.yaml")
        Path("m.yaml").write_text(FINGER % "", encoding="utf-8")
        self.bad(2, "--step is only for rk4, semi-implicit, moreau and gen-alpha; 'stiff' chooses its own steps", "run", "m.yaml", "--integrator", "stiff", "--step", "1e-3")
        # the step of a file belongs to its own integrator
        self.good("run", MODELS / "gripper.yaml", "--integrator", "dop853", "--to", "0.01", "-q")

    def test_outputs_that_are_not_reached(self):
        Path("m.yaml").write_text(SPRING % ("", 1, 1), encoding="utf-8")
        self.bad(1, "output-every 1e-09 s would give more than 1e8 outputs", "run", "m.yaml", "--output-every", "1e-9")
        said = json.loads(self.good("run", MODELS / "gripper.yaml", "--to", "0.1", "--output-every", "0.25 ms", "--json"))
        self.assertIn("300 outputs were left out because they lie between the ends of fixed steps: use an output-every of at least the step", said["warnings"])

    def test_singular_jacobian(self):
        """Two sliders become parallel: at t = 1 s nothing resists one of them, by whichever method."""
        done = appell("run", DATA / "hang_singular.yaml", "--integrator", "stiff")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"at t = 0\.99[0-9]* s the matrix of implicit steps, M \+ c C \+ c\^2 K, is singular at link '[ab]'")


if __name__ == "__main__":
    unittest.main()
