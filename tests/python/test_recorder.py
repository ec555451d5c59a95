# SPDX-License-Identifier: Apache-2.0
"""test_recorder.py APPELL RECORD_RUN: the command, a C program and Python record the same bytes, whatever is written
beside; and what can be recorded on demand is right."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

import appell

RECORD_RUN = Path(sys.argv.pop(2)).resolve()
APPELL = Path(sys.argv.pop(1)).resolve()

# a ball thrown along a floor, an arm that is driven and one that swings: contacts, impacts, efforts, ports,
# reactions, more than 100 outputs, so that places to resume from are among the bytes
MODEL = """appell: 1
name: all at once
links:
  - name: ball
    joint: floating
    body: {mass: 0.2 kg, inertia: {xx: 1e-4, yy: 1e-4, zz: 1e-4}}
  - name: arm
    at: [0, 1, 2]
    joint: {type: revolute, axis: y, prescribed: true}
    body: {mass: 2 kg, com: [0, 0, -0.5], inertia: {xx: 0.1, yy: 0.1, zz: 0.01}}
    ports: {tip: {at: [0, 0, -1]}}
  - name: fore
    on: arm.tip
    joint: {type: revolute, axis: y, damping: 0.01}
    body: {mass: 1 kg, com: [0, 0, -0.3], inertia: {xx: 0.03, yy: 0.03, zz: 0.01}}
    ports: {tip: {at: [0, 0, -0.6]}}
grounds:
  floor: {law: {normal: hertz, stiffness: 1e5, exponent: 1.5}}
contacts: [{on: ball.root, radius: 20 mm}]
motion: {arm.joint.angle: {sine: {amplitude: 20 deg, frequency: 0.7 Hz}}}
start: {ball.joint.z: 0.3, ball.joint.vx.rate: 0.5, fore.joint.angle: 1}
run: {to: 1.5 s, tolerance: 1e-8}
record: {ports: [fore.tip], every: 5 ms, reactions: true, accelerations: true}
"""


class Recorder(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)
        Path("m.yaml").write_text(MODEL)

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def command(self, *words):
        done = subprocess.run([APPELL, "run", "m.yaml", *words], capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)

    def test_same_bytes(self):
        self.command("-o", "a.h5", "--csv", "a.csv", "--html", "a.html")
        subprocess.run([RECORD_RUN, "m.yaml", "b.h5", "b.csv"], check=True, timeout=120)
        result = appell.load("m.yaml").run()
        result.save("c.h5")
        result.save("c.csv")
        result.page("c.html")
        self.command("--csv", "d.csv")  # without a result, which would hold places to resume from
        self.assertGreater(len(result.impacts), 0)
        self.assertGreater(len(result.rows), 200)
        for ending in ("h5", "csv"):
            one = Path(f"a.{ending}").read_bytes()
            self.assertEqual(one, Path(f"b.{ending}").read_bytes(), ending)
            self.assertEqual(one, Path(f"c.{ending}").read_bytes(), ending)
        self.assertEqual(Path("a.csv").read_bytes(), Path("d.csv").read_bytes())
        self.assertEqual(Path("a.html").read_bytes(), Path("c.html").read_bytes())
        read = appell.read_result("a.h5")
        self.assertEqual(list(read), list(result))
        self.assertTrue(np.array_equal(read.rows, result.rows))
        self.assertEqual(read.summary, result.summary)

    def test_recording_more_does_not_change_the_motion(self):
        plain = appell.parse(MODEL[:MODEL.index("record:")]).run(every=0.005)
        more = appell.load("m.yaml").run()
        for name in plain:
            self.assertTrue(np.array_equal(plain[name], more[name]), name)

    def test_every_channel_in_python(self):
        r = appell.load("m.yaml").run(to=0.1)
        for name in ("arm.joint.angle.effort", "ball.root.floor.normal", "fore.tip.position.z", "fore.joint.angle.rate.rate",
                     "fore.tip.acceleration.x", "arm.reaction.force.z", "world.reaction.moment.y", "ledger.error"):
            self.assertIn(name, r)
            self.assertNotEqual(r.units[name], "")
        with self.assertRaisesRegex(appell.Error, "did you mean 'fore.tip'"):
            appell.load("m.yaml").run(record=["fore.tipp"])

    def test_metrics_in_the_summary(self):
        """Those of the driven joint, again from its column; `--json` says the same of all of them (test_snake.py)."""
        result = appell.load("m.yaml").run()
        effort = result["arm.joint.angle.effort"]
        self.assertAlmostEqual(result.summary["arm.joint.angle.effort.mean"], np.mean(np.abs(effort)), delta=1e-12)
        self.assertAlmostEqual(result.summary["arm.joint.angle.effort.rms"], np.sqrt(np.mean(effort**2)), delta=1e-12)
        self.assertAlmostEqual(result.summary["speed"], result.summary["distance"] / 1.5, delta=1e-12)

    def test_ports_are_where_states_say(self):
        model = appell.load("m.yaml")
        r = model.run()
        s = model.state()
        for i in (0, 77, 200):
            for name in model.coordinates:
                s[name] = r[name][i]
            for name in model.velocities:
                s[f"{name}.rate"] = r[f"{name}.rate"][i]
            pose, twist = s.pose("fore.tip"), s.jacobian("fore.tip") @ s.v
            for k, axis in enumerate("xyz"):
                self.assertAlmostEqual(r[f"fore.tip.position.{axis}"][i], pose[k, 3], delta=1e-14)
                self.assertAlmostEqual(r[f"fore.tip.spin.{axis}"][i], twist[k], delta=1e-13)
                self.assertAlmostEqual(r[f"fore.tip.velocity.{axis}"][i], twist[3 + k], delta=1e-13)
            w, x, y, z = (r[f"fore.tip.rotation.{c}"][i] for c in "wxyz")
            self.assertAlmostEqual(2 * (x * z + w * y), pose[0, 2], delta=1e-14)  # R_xz of a unit quaternion

    def test_velocities_are_rates_of_positions(self):
        r = appell.load("m.yaml").run(every=0.001)
        t = r.time
        # central differences: h^2/6 of third derivatives, which are below 500 m/s^3 here
        for what, rate in (("position", "velocity"), ("velocity", "acceleration")):
            d = (r[f"fore.tip.{what}.x"][2:] - r[f"fore.tip.{what}.x"][:-2]) / (t[2:] - t[:-2])
            self.assertLess(np.abs(d - r[f"fore.tip.{rate}.x"][1:-1]).max(), 5e-4)

    def test_reactions_carry_the_arms(self):
        """Newton for the outer link, and for both: force = mass (acceleration of its centre - g)."""
        text = MODEL.replace("com: [0, 0, -0.3]", "com: [0, 0, -0.6]").replace("com: [0, 0, -0.5]", "com: [0, 0, -1]")
        r = appell.parse(text.replace("ports: [fore.tip]", "ports: [fore.tip, arm.tip]")).run(every=0.01)
        for axis, g in (("x", 0.0), ("z", -9.81)):
            outer = 1.0 * (r[f"fore.tip.acceleration.{axis}"] - g)
            inner = 2.0 * (r[f"arm.tip.acceleration.{axis}"] - g)
            # round-off of forces of about 50 N
            self.assertLess(np.abs(r[f"fore.reaction.force.{axis}"] - outer).max(), 1e-11)
            self.assertLess(np.abs(r[f"arm.reaction.force.{axis}"] - outer - inner).max(), 1e-11)
            self.assertLess(np.abs(r[f"world.reaction.force.{axis}"] - r[f"arm.reaction.force.{axis}"]).max(), 1e-11)
        # the moment about the driven axis is the effort that drives it
        self.assertLess(np.abs(r["arm.reaction.moment.y"] - r["arm.joint.angle.effort"]).max(), 1e-11)

    def test_the_mount_carries_what_is_fixed(self):
        r = appell.parse("""appell: 1
links:
  - {name: foot, at: [0.5, 0, 0], body: {mass: 3 kg, com: [0.1, 0, 0]}}
  - {name: load, on: foot, joint: {type: prismatic, axis: x, stiffness: 100}, body: {mass: 2 kg}}
""").run(to=0.1, record=["reactions"])
        self.assertTrue(np.allclose(r["world.reaction.force.z"], 5 * 9.81, rtol=1e-14))
        # 3 kg at x = 0.6 and 2 kg at x = 0.5: a moment of -x m g about y
        self.assertTrue(np.allclose(r["world.reaction.moment.y"], -(3 * 0.6 + 2 * 0.5) * 9.81, rtol=1e-13))
        self.assertNotIn("foot.reaction.force.z", r)  # a part of the world

    def test_impacts_tell_their_slip(self):
        """Without friction the ball keeps its speed along the floor; with it an impulse mu P takes mu P (1/m + r^2/I)."""
        moreau = appell.load("m.yaml").run(integrator="moreau", step=1e-3)
        self.assertGreater(len(moreau.impacts), 0)
        for hit in appell.load("m.yaml").run().impacts + moreau.impacts:
            self.assertTrue(np.allclose(hit.slip_in + hit.slip_out, (0.5, 0.0, 0.5, 0.0), atol=1e-9), hit)
        rough = MODEL.replace("exponent: 1.5}", "exponent: 1.5}, friction: {law: coulomb-stiction, coefficient: 0.05}")
        hit = appell.parse(rough).run().impacts[0]
        # of the point that touches: a ball of radius 20 mm and inertia 1e-4 begins to spin too
        lost = 0.05 * hit.impulse * (1 / 0.2 + 0.02**2 / 1e-4)
        self.assertAlmostEqual(hit.slip_in[0], 0.5, delta=1e-9)
        self.assertAlmostEqual(hit.slip_out[0], 0.5 - lost, delta=1e-8)

    def test_what_cannot_be_saved(self):
        result = appell.load("m.yaml").run(to=0.01)
        with self.assertRaisesRegex(ValueError, "must end in .h5 or .csv"):
            result.save("x.txt")
        result.save("x.h5")
        with self.assertRaisesRegex(appell.Error, "came from a file"):
            appell.read_result("x.h5").save("y.h5")
        with self.assertRaises(appell.Error):
            result.save("no/such/folder/x.h5")


if __name__ == "__main__":
    unittest.main()
