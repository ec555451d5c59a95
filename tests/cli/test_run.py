# SPDX-License-Identifier: Apache-2.0
"""test_run.py APPELL: `appell run` from outside: results, ledger, drives, and what it says to bad input."""
import base64
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import h5py
import numpy

APPELL = Path(sys.argv.pop(1)).resolve()
MODELS = Path(__file__).resolve().parents[2] / "models"

PENDULUM = """appell: 1
name: driven pendulum
links:
  - name: arm
    joint: {type: revolute, axis: y%s}
    body: {mass: 1 kg, com: [0, 0, -0.5]}
%s
run: {to: 2 s, tolerance: 1e-9, output-every: 20 ms}
"""


def appell(*words, **options):
    return subprocess.run([APPELL, *map(str, words)], capture_output=True, text=True, timeout=120, **options)


class Run(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def write(self, joint="", rest=""):
        Path("m.yaml").write_text(PENDULUM % (joint, rest))
        return "m.yaml"

    def good(self, *words):
        done = appell(*words)
        # a run that takes more than 3 s of the clock says what limits it: a slow machine is no failure
        said = re.sub(r".* s after [0-9]+ s: .*\n", "", done.stderr)
        self.assertEqual((done.returncode, said), (0, ""), done)
        return done.stdout

    def bad(self, code, sentence, *words):
        done = appell(*words)
        self.assertEqual(done.returncode, code, done)
        self.assertIn(sentence, done.stderr)
        return done

    def table(self, path):
        with h5py.File(path, "r") as f:
            self.assertEqual(f.attrs["status"], b"finished" if isinstance(f.attrs["status"], bytes) else "finished")
        self.good("export", path, "-o", path + ".csv")
        names = Path(path + ".csv").read_text().splitlines()[0].split(",")
        rows = numpy.loadtxt(path + ".csv", delimiter=",", skiprows=1)
        return {name: rows[:, i] for i, name in enumerate(names)}

    def test_shipped_models(self):
        for model in sorted(MODELS.glob("*.yaml")):
            with self.subTest(model.name):
                self.good("run", model, "-o", "out.h5")
                x = self.table("out.h5")
                self.assertGreater(len(x["time"]), 10)
                size = numpy.max(x["ledger.kinetic"]) + numpy.ptp(x["ledger.potential"])
                with h5py.File("out.h5", "r") as f:
                    tolerance, method = float(f.attrs["tolerance"]), f.attrs["integrator"]
                # the issue: at most 100 times the tolerance. Time steps have no tolerance: their ledger error is that
                # of the method, a few per cent at 1 ms for a fall of half a second
                steps = method in ("moreau", b"moreau")
                self.assertLess(numpy.max(numpy.abs(x["ledger.error"])), (0.03 if steps else 100 * tolerance) * size)

    def test_tendons(self):
        """Lengths and tensions are recorded, drawn, and no obstacle to inverse dynamics of the run."""
        model = MODELS / "tendon-arm.yaml"
        self.good("run", model, "--to", 0.5, "-o", "out.h5", "--html", "out.html")
        x = self.table("out.h5")
        self.assertEqual(x["upper-a.length"][0], 0.2)
        numpy.testing.assert_array_equal(x["upper-a.tension"], numpy.maximum(x["pull-a"], 0))
        bends = sum(x[f"upper.bend-y.{k}"] for k in (1, 2))
        numpy.testing.assert_allclose(x["upper-a.length"], 0.2 - 0.01 * bends, rtol=0, atol=1e-5)
        self.assertGreater(x["lower-a.tension"][-1], 1)
        self.assertGreater(numpy.ptp(x["ledger.tendon"]), 1e-3)
        page = Path("out.html").read_text()
        self.assertIn('"type":"line"', page)
        self.assertIn("lower-c.point", page)

        efforts = self.good("inverse", model, "out.h5.csv").splitlines()
        self.assertEqual(len(efforts), 1 + len(x["time"]))

    def test_warning(self):
        """A tendon outside its body is said, and run."""
        text = (MODELS / "tendon-arm.yaml").read_text().replace("offset: [10 mm, 0 mm]", "offset: [13 mm, 0 mm]")
        Path("m.yaml").write_text(text)
        line = next(i for i, row in enumerate(text.splitlines(), 1) if "13 mm" in row and "offset" in row)
        done = appell("run", "m.yaml", "--to", 0.01)
        self.assertEqual(done.returncode, 0)
        self.assertIn(f"m.yaml:{line}:", done.stderr)
        self.assertIn("warning: tendon 'upper-a' runs outside of 'upper'", done.stderr)

    def test_same_bytes(self):
        for name in ("a", "b"):
            self.good("run", MODELS / "double-pendulum.yaml", "--to", 1, "-o", f"{name}.h5", "--csv", f"{name}.csv")
        self.assertEqual(Path("a.h5").read_bytes(), Path("b.h5").read_bytes())
        self.assertEqual(Path("a.csv").read_bytes(), Path("b.csv").read_bytes())

    def test_small_swing_has_its_period(self):
        self.write(rest="start: {arm.joint.angle: 1e-3 rad}")
        self.good("run", "m.yaml", "-o", "p.h5")
        x = self.table("p.h5")
        w = math.sqrt(9.81 / 0.5)
        # amplitude 1e-3: the period departs by 6e-8 of itself
        error = numpy.max(numpy.abs(x["arm.joint.angle"] - 1e-3 * numpy.cos(w * x["time"])))
        self.assertLess(error, 2e-9)

    def test_prescribed_motion_follows_its_signal(self):
        self.write(", prescribed: true", "motion: {arm.joint.angle: {sine: {amplitude: 30 deg, frequency: 1 Hz}}}")
        self.good("run", "m.yaml", "-o", "p.h5")
        x = self.table("p.h5")
        want = math.pi / 6 * numpy.sin(2 * math.pi * x["time"])
        self.assertLess(numpy.max(numpy.abs(x["arm.joint.angle"] - want)), 1e-14)
        self.assertGreater(numpy.max(numpy.abs(x["ledger.effort"])), 0.1)

    def test_inputs_and_signals(self):
        self.write(rest="inputs: {motor: {on: arm.joint.angle, value: push, greatest: 1.5 N m}}\n"
                        "signals: {push: {linear: {times: [0 s, 500 ms, 2], values: [0, 2 N m, 0]}}}")
        self.good("run", "m.yaml", "-o", "p.h5")
        x = self.table("p.h5")
        self.assertEqual(float(numpy.max(x["motor"])), 1.5)  # cut
        self.assertGreater(numpy.max(numpy.abs(x["ledger.input"])), 0.1)

    def test_table_signal(self):
        t = numpy.linspace(0, 2, 201)
        rows = "\n".join(f"{a!r},{2 * math.sin(3 * a)!r}" for a in map(float, t))
        Path("push.csv").write_text("time,torque\n" + rows + "\n")
        self.write(rest="inputs: {motor: {on: arm.joint.angle, value: {table: {file: push.csv, column: torque}}}}")
        self.good("run", "m.yaml", "-o", "p.h5")
        x = self.table("p.h5")
        # a cubic spline through points 10 ms apart; natural ends: 2 * 9 * 1e-4 / 8 at worst
        self.assertLess(numpy.max(numpy.abs(x["motor"] - 2 * numpy.sin(3 * x["time"]))), 3e-4)
        # a prescribed joint may follow a table too
        self.write(", prescribed: true", "motion: {arm.joint.angle: {table: {file: push.csv, column: torque}}}")
        self.good("run", "m.yaml", "-o", "q.h5")
        q = self.table("q.h5")
        self.assertLess(numpy.max(numpy.abs(q["arm.joint.angle"] - x["motor"])), 1e-14)
        self.write(rest="inputs: {motor: {on: arm.joint.angle, value: {table: {file: push.csv, column: force}}}}")
        self.bad(1, "no column 'force'", "run", "m.yaml")
        self.write(rest="inputs: {motor: {on: arm.joint.angle, value: {table: {file: gone.csv, column: force}}}}")
        self.bad(1, "gone.csv", "run", "m.yaml")

    ROVER = """appell: 1
links:
  - name: base
    at: [0, 0, 0.1]
    joint: {type: differential-drive, wheel-radius: 0.1, half-track: 0.2, wheel-inertia: 0.01%s}
    body: {mass: 10 kg, com: [0.1, 0, %s], inertia: {zz: 0.4}}
%s
run: {to: 2 s}
"""

    def rover(self, joint="", height="0.1", rest=""):
        Path("m.yaml").write_text(self.ROVER % (joint, height, rest))

    def test_ground_channels(self):
        self.rover(rest="inputs: {base.right: 0.5 N m, base.left: 0.3 N m}")
        self.good("run", "m.yaml", "-o", "p.h5")
        x = self.table("p.h5")
        self.assertLess(numpy.max(numpy.abs(x["base.ground.normal"] - 10 * 9.81)), 1e-9)
        self.assertLess(numpy.max(numpy.abs(x["base.right.torque"] - 0.5)), 1e-12)
        load = x["base.right.load"] + x["base.left.load"]
        self.assertLess(numpy.max(numpy.abs(load - x["base.ground.normal"])), 1e-9)
        # the lateral force turns the path: m (v w + g_x w')
        turn = numpy.gradient(x["base.joint.turn.rate"], x["time"])
        want = 10 * (x["base.joint.speed.rate"] * x["base.joint.turn.rate"] + 0.1 * turn)
        self.assertLess(numpy.max(numpy.abs(x["base.ground.lateral"] - want)[2:-2]), 1e-4)
        self.assertGreater(numpy.min(x["base.ground.margin"]), 0)
        # r (right - left) = 2 b heading
        apart = 0.1 * (x["base.right.angle"] - x["base.left.angle"]) - 2 * 0.2 * x["base.joint.heading"]
        self.assertLess(numpy.max(numpy.abs(apart)), 1e-13)
        # what a run records can be read again
        self.good("run", "m.yaml", "--csv", "p.csv")
        self.good("inverse", "m.yaml", "p.csv", "-o", "f.csv")

    def test_ground_warnings(self):
        drive = "inputs: {base.right: 9 N m, base.left: 9 N m}"
        self.rover(", ground-friction: 0.3", "0.1", drive)
        self.assertIn("warning: base needs more friction than ground-friction 0.3 to roll, first at t = 0 s",
                      self.good("run", "m.yaml"))
        self.good("run", "m.yaml", "-o", "p.h5")
        with h5py.File("p.h5", "r") as f:
            self.assertIn("warning.base.friction", str(f["summary"][:]))
        self.rover("", "0.1", drive)
        self.assertNotIn("warning", self.good("run", "m.yaml"))
        self.rover(", castor-behind: 0.2", "0.5", drive)
        self.assertIn("warning: base would tip over, first at t = 0 s", self.good("run", "m.yaml"))
        self.rover("", "0.1", "gravity: [0, 0, 2]")
        self.assertIn("warning: the ground would have to pull base down, first at t = 0 s; at worst by 20 N",
                      self.good("run", "m.yaml"))
        self.rover("", "0.1", "gravity: [0, 0, 0]\n" + drive)
        self.assertNotIn("warning", self.good("run", "m.yaml"))
        self.rover(", ground-friction: -1")
        self.bad(1, "ground-friction must not be negative", "run", "m.yaml")

    def test_input_named_like_its_coordinate(self):
        """The short form of an input has the name of what it drives; results keep both apart, and can be read back."""
        self.write(rest="inputs: {arm.joint.angle: 2 N m}")
        self.good("run", "m.yaml", "-o", "p.h5")
        x = self.table("p.h5")
        self.assertEqual(set(x["arm.joint.angle.input"]), {2.0})
        self.assertGreater(numpy.ptp(x["arm.joint.angle"]), 0.1)
        said = self.good("inverse", "m.yaml", "p.h5.csv", "-o", "-").splitlines()
        column = said[0].split(",").index("arm.joint.angle.effort")
        # away from the ends, where splines are less exact, the input does all the work
        rows = [float(line.split(",")[column]) for line in said[30:-30]]
        self.assertLess(max(map(abs, rows)), 1e-3)
        self.good("equilibrium", "m.yaml", "-o", "e.h5")

    def test_contact_columns_can_be_read_back(self):
        self.good("run", MODELS / "bouncing-chain.yaml", "-o", "b.h5", "--to", "0.4")
        self.good("export", "b.h5", "-o", "b.csv")
        self.good("inverse", MODELS / "bouncing-chain.yaml", "b.csv", "-o", "out.csv")

    def test_beams_beyond_their_limits(self):
        strip = """appell: 1
links:
  - name: strip
    joint: {type: revolute, axis: y}
    body: {type: beam, length: 1.2, width: %s, height: 20 mm, density: 2700, young-modulus: 70 GPa, modes: 2}
start: {strip.joint.angle: 90 deg, strip.joint.angle.rate: %s}
run: {to: 1, integrator: dop853, tolerance: 1e-8}
"""
        Path("soft.yaml").write_text(strip % ("1.5 mm", "3"))
        said = self.good("run", "soft.yaml", "-o", "soft.h5")
        # 3.516 sqrt(E I / mu) / L^2 = 3.516 * 1.5 mm * sqrt(70e9 / (12 * 2700)) / 1.44 = 5.38 rad/s
        self.assertRegex(said, r"warning: beam 'strip' deflects by up to \d+ % of its length \(since [\d.]+ s\)")
        self.assertRegex(said, r"warning: beam 'strip' rotates at up to [\d.]+ rad/s \(since 0 s\), .* mode has 5.38")
        with h5py.File("soft.h5") as f:
            self.assertIn("warning.strip.turning", str(f["summary"][:]))
        Path("stiff.yaml").write_text(strip % ("12 mm", "3"))
        self.assertNotIn("warning", self.good("run", "stiff.yaml"))

    def test_path(self):
        t = numpy.linspace(0, 2, 41)
        rows = "\n".join(f"{a!r},{math.sin(a)!r},{1 - math.cos(a)!r}" for a in map(float, t))
        Path("track.csv").write_text("time,x,y\n" + rows + "\n")
        self.rover(", prescribed: true", rest="motion: {base: {path: track.csv}}")
        self.good("run", "m.yaml", "-o", "p.h5")
        x = self.table("p.h5")
        # a circle of 1 m at 1 m/s; natural ends cost some of it
        self.assertLess(abs(x["base.joint.x"][-1] - math.sin(2)), 2e-3)
        self.assertLess(abs(x["base.joint.turn.rate"][100] - 1), 1e-3)
        self.assertLess(abs(x["base.ground.lateral"][100] - 10), 2e-2)
        # wheels at rest in a steady turn, but for what turns the centre of mass ahead
        pair = x["base.right.torque"][100] - x["base.left.torque"][100]
        self.assertLess(abs(pair - 0.1 / 0.2 * 10 * 0.1), 2e-2)
        self.assertLess(abs(x["base.joint.turn.effort"][100] - 1), 2e-2)
        self.rover(rest="motion: {base: {path: track.csv}}")
        self.bad(1, "prescribed: true", "run", "m.yaml")
        self.rover(", prescribed: true", rest="motion: {base: {path: gone.csv}}")
        self.bad(1, "gone.csv", "run", "m.yaml")
        self.rover(", prescribed: true", rest="motion: {base: 1}")
        self.bad(1, "{path: FILE.csv}", "run", "m.yaml")
        rows = "\n".join(f"{a!r},{a!r},0,45" for a in map(float, t))
        Path("track.csv").write_text("# units: s,m,m,deg\ntime,x,y,heading\n" + rows + "\n")
        self.rover(", prescribed: true", rest="motion: {base: {path: track.csv}}")
        self.bad(1, "goes sideways at t = 0 s: it moves in the direction 0 deg with the heading 45 deg", "run", "m.yaml")

    def page(self, *words):
        """The data of a page and its poses, [frame, port, 7]."""
        done = appell("run", *words, "--html", "p.html")
        if done.returncode == 1 and "npm" in done.stderr:
            self.skipTest("built without the page")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = Path("p.html").read_text()
        data = json.loads(re.search(r'id="appell-data" type="application/json">(.*?)</script>', page, re.S)[1])
        times = numpy.frombuffer(base64.b64decode(data["times"]))
        poses = numpy.frombuffer(base64.b64decode(data["poses"]), dtype="<f4")
        return data, poses.reshape(len(times), len(data["ports"]), 7)

    def test_page_of_a_body_that_bends(self):
        data, poses = self.page(MODELS / "soft-arm.yaml", "--to", 0.4, "-o", "out.h5")
        with h5py.File("out.h5", "r") as f:
            pictures = json.loads(f["pictures"][()])
        self.assertEqual(set(pictures), {"ports", "links", "shapes", "strips", "arrows", "ground", "closures"})
        self.assertEqual(pictures, {k: data[k] for k in pictures})
        name = [p["name"] for p in data["ports"]]
        parent = {p["name"]: name[p["parent"]] if p["parent"] >= 0 else None for p in data["ports"]}
        strip, = data["strips"]
        self.assertEqual([name[p] for p in strip["ports"]], ["arm.root", *(f"arm.end{k}" for k in range(1, 10)), "arm.tip"])
        self.assertEqual(strip["half"], [0.001, 0.001])
        self.assertEqual((parent["arm.root"], parent["arm.end3"], parent["load.root"]), (None, "arm.root", "arm.tip"))

        # bending alone keeps the length 60 mm of each element: chord t/2 / sin(t/2), t from the quaternions (float32)
        ends = poses[:, strip["ports"]].astype(float)
        half = numpy.arccos(numpy.minimum(numpy.abs(numpy.sum(ends[:, 1:, 3:] * ends[:, :-1, 3:], axis=2)), 1))
        chord = numpy.linalg.norm(ends[:, 1:, :3] - ends[:, :-1, :3], axis=2)
        self.assertGreater(numpy.max(half), 0.05)
        self.assertLess(numpy.max(numpy.abs(chord / numpy.sinc(half / math.pi) - 0.06)), 1e-6)

    def test_page_of_a_beam(self):
        data, poses = self.page(MODELS / "flexible-pendulum.yaml", "--to", 0.2)
        name = [p["name"] for p in data["ports"]]
        strip, = data["strips"]
        self.assertEqual([name[p] for p in strip["ports"]], [f"strip.section{k}" for k in range(13)])
        self.assertTrue(all(data["ports"][p]["trail"] is False for p in strip["ports"]))
        for section, port in ((0, "root"), (3, "quarter"), (6, "middle"), (12, "tip")):
            apart = poses[:, strip["ports"][section]] - poses[:, name.index(f"strip.{port}")]
            self.assertLess(numpy.max(numpy.abs(apart)), 1e-6)  # float32

        # it bends: in the frame of the root, the middle leaves the line to the tip
        root, middle, tip = (poses[:, strip["ports"][k], :3].astype(float) for k in (0, 6, 12))
        self.assertGreater(numpy.max(numpy.linalg.norm(middle - 0.5 * (root + tip), axis=1)), 5e-4)

    def test_page(self):
        data, poses = self.page(MODELS / "scara.urdf", "--to", 0.2)
        # those of the file, then the foot that the world has for the base, and the base up to the arm
        self.assertEqual([s["type"] for s in data["shapes"]],
                         ["box", "box", "cylinder", "capsule", "cylinder", "capsule"])
        column = [p["name"] for p in data["ports"]].index("column.root")
        self.assertEqual([s["port"] for s in data["shapes"][3:]], [-1, -1, column])
        quill = [p["name"] for p in data["ports"]].index("quill.root")
        position = [c for c in data["channels"] if c["name"] == "slide.position"][0]
        drop = numpy.frombuffer(base64.b64decode(position["values"]))
        self.assertLess(numpy.max(numpy.abs(poses[:, quill, 2] - (0.46 + drop))), 1e-6)  # float32
        self.assertLess(numpy.max(numpy.abs(numpy.linalg.norm(poses[:, :, 3:], axis=2) - 1)), 1e-6)

    def test_check_looks_at_drives(self):
        self.write(rest="motion: {arm.joint.angle: {sine: {amplitude: 1 rad, frequency: 1 Hz}}}")
        for command in "check", "run":
            self.bad(1, "m.yaml:7:27: motion.arm.joint.angle: 'arm.joint.angle' cannot be given a motion", command, "m.yaml")

    def test_bad_signals(self):
        cases = {
            "motion: {arm.joint.angel: 1}": "no coordinate or velocity 'arm.joint.angel'",
            "motion: {arm.joint.angle: {sine: {amplitude: 1 kg, frequency: 1}}}": "amplitude",
            "motion: {arm.joint.angle: {wobble: 1}}": "one of sine",
            "motion: {arm.joint.angle: {linear: {times: [0, 1], values: [0, 1]}}}": "continuous rate",
            "motion: {arm.joint.angle: a}\nsignals: {a: b, b: a}": "circle",
            "inputs: {m: {on: arm.joint.angle, least: 2, greatest: 1}}": "above its greatest",
            "": "prescribed but has no motion",
        }
        for rest, sentence in cases.items():
            with self.subTest(rest):
                self.write(", prescribed: true", rest)
                self.bad(1, sentence, "run", "m.yaml", "-o", "p.h5")
                self.assertFalse(Path("p.h5").exists())

    def test_bad_options(self):
        model = self.write()
        self.bad(2, "--to", "run", model, "--to", "soon")
        self.bad(2, "--tolerance", "run", model, "--tolerance", "-1")
        self.bad(1, "no integrator", "run", model, "--integrator", "magic")
        self.bad(1, "positive step", "run", model, "--integrator", "rk4")
        self.bad(2, "needs MODEL", "run")
        self.bad(1, "nowhere", "run", model, "-o", "nowhere/p.h5")
        self.bad(1, "missing.yaml", "run", "missing.yaml")

    def test_fixed_step(self):
        self.good("run", self.write(), "--integrator", "rk4", "--step", "1e-3", "--to", 1)

    def test_resume_gives_the_same_bytes(self):
        self.write(rest="inputs: {motor: {on: arm.joint.angle, value: {sine: {amplitude: 3 N m, frequency: 0.7 Hz}}}}\n"
                        "start: {arm.joint.angle: 1}")
        words = ["run", "m.yaml", "--to", 300, "--checkpoint-every", 50]
        self.good(*words, "-o", "whole.h5")
        whole = Path("whole.h5").read_bytes()
        for pause in (0.02, 0.04, 0.06, 0.08, 0.12):
            run = subprocess.Popen([APPELL, *map(str, words), "-o", "killed.h5"], stdout=subprocess.DEVNULL)
            time.sleep(pause)
            run.kill()
            run.wait()
            if not Path("killed.h5.part").exists():
                continue
            again = appell(*words, "-o", "again.h5", "--resume", "killed.h5.part")
            if again.returncode != 0:
                # killed before its head or its first checkpoint was written
                self.assertRegex(again.stderr, "no checkpoint to resume from|not a result")
                continue
            self.assertEqual(Path("again.h5").read_bytes(), whole)
        # a stopped run can be resumed too; this one always gets to its checkpoints
        run = subprocess.Popen([APPELL, *map(str, words[:3]), "1e6", *map(str, words[4:]), "-o", "long.h5"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1.0)
        run.send_signal(signal.SIGINT)
        run.wait(timeout=60)
        with h5py.File("long.h5", "r") as f:
            reached = float(f["checkpoint"][str(int(f["checkpoint/count"][()]) % 2)]["at"][()]["time"])
        to = ["run", "m.yaml", "--to", 2 * reached, "--checkpoint-every", 50]
        self.good(*to, "-o", "resumed.h5", "--resume", "long.h5")
        self.good(*to, "-o", "straight.h5")
        self.assertEqual(Path("resumed.h5").read_bytes(), Path("straight.h5").read_bytes())

    def test_resume_of_loops(self):
        # springs keep the stiffness they were given at the start, independent coordinates stay chosen
        for method in ("multipliers", "reduced", "springs"):
            words = ["run", MODELS / "four-bar.yaml", "--checkpoint-every", 3, "--set", f"run.loops={method}"]
            self.good(*words, "--to", 1.01, "-o", "half.h5")
            self.good(*words, "--to", 2, "-o", "resumed.h5", "--resume", "half.h5")
            self.good(*words, "--to", 2, "-o", "straight.h5")
            self.assertEqual(Path("resumed.h5").read_bytes(), Path("straight.h5").read_bytes(), method)

    def test_recording_changes_nothing(self):
        """The last row is the same, whatever else is recorded and however often."""
        last = set()
        for more in (["--output-every", 1e6], [], ["--output-every", 1e-4], ["--output-every", 0.01, "-o", "o.h5", "--checkpoint-every", 3], ["--html", "o.html"]):
            self.good("run", MODELS / "double-pendulum.yaml", "--to", 20, "-q", "--csv", "o.csv", *more)
            last.add(Path("o.csv").read_text().splitlines()[-1])
        self.assertEqual(len(last), 1, last)

    def test_resumed_run_tells_of_the_whole(self):
        """Impacts, their table, warnings and counts: not those after the place alone."""
        for name, to in (("bouncing-chain", 1.0), ("paper-mobile-YP", 1.2)):
            words = ["run", MODELS / f"{name}.yaml", "--checkpoint-every", 5]
            self.good(*words, "--to", to, "-o", "half.h5")
            whole = json.loads(self.good(*words, "-o", "straight.h5", "--json"))
            again = json.loads(self.good(*words, "-o", "again.h5", "--resume", "half.h5", "--json"))
            self.assertEqual({k: v for k, v in whole.items() if k not in ("seconds", "result")}, {k: v for k, v in again.items() if k not in ("seconds", "result")})
            self.assertEqual(Path("straight.h5").read_bytes(), Path("again.h5").read_bytes(), name)
        self.assertTrue(whole["warnings"])

    def test_older_places_are_refused(self):
        self.write(rest="start: {arm.joint.angle: 1}")
        self.good("run", "m.yaml", "-o", "p.h5", "--checkpoint-every", 10)
        with h5py.File("p.h5", "r+") as f:
            for slot in "01":
                f["checkpoint"][slot].move("run-4", "run")
            f.attrs["format-version"] = 1  # its sums are not looked at
        self.bad(1, "another version of appell: run it from the beginning", "run", "m.yaml", "-o", "q.h5", "--resume", "p.h5")

    def test_bad_resume(self):
        self.write(rest="start: {arm.joint.angle: 1}")
        self.good("run", "m.yaml", "-o", "p.h5", "--checkpoint-every", 10)
        self.bad(2, "is read by the same command", "run", "m.yaml", "-o", "p.h5", "--resume", "p.h5")
        self.bad(2, "needs -o FILE.h5", "run", "m.yaml", "--resume", "p.h5")
        self.bad(2, "cannot be used with --csv", "run", "m.yaml", "-o", "q.h5", "--resume", "p.h5", "--csv", "q.csv")
        self.bad(2, "takes at most", "run", "m.yaml", "-o", "q.h5", "--record", ",".join(["x"] * 300))
        self.good("run", "m.yaml", "-o", "none.h5", "--checkpoint-every", 0)
        self.bad(1, "no checkpoint to resume from", "run", "m.yaml", "-o", "q.h5", "--resume", "none.h5")
        self.write(rest="start: {arm.joint.angle: 2}")
        self.bad(1, "the model file has changed since this run", "run", "m.yaml", "-o", "q.h5", "--resume", "p.h5")

    def test_interrupt_keeps_what_was_computed(self):
        model = self.write(rest="start: {arm.joint.angle: 1}")
        run = subprocess.Popen([APPELL, "run", model, "--to", "1e6", "-o", "p.h5"], stderr=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
        for _ in range(200):
            time.sleep(0.05)
            if Path("p.h5.part").exists() and Path("p.h5.part").stat().st_size > 20000:
                break
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130)
        self.assertIn("stopped at t =", err)
        with h5py.File("p.h5", "r") as f:
            self.assertIn("stopped", str(f.attrs["status"]))

    def test_check_finds_what_run_refuses(self):
        """Each mistake has its place, and both commands say the same."""
        turning = """appell: 1
links:
  - {name: body, joint: floating, body: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}
start: {body.joint.qw: 0}
"""
        cases = [
            (PENDULUM % (", prescribed: true", ""), "m.yaml:5:12: 'arm.joint.angle' is prescribed but has no motion"),
            (turning, "m.yaml:4:24: start.body.joint.qw: the quaternion qw, qx, qy, qz is zero"),
            (PENDULUM % ("", "record: {ports: [arm.rooot]}"), "m.yaml:7:18: record: 'arm.rooot' cannot be recorded"),
            (PENDULUM % ("", "record: {every: -1 s}"), "m.yaml:7:17: record.every: must not be negative"),
        ]
        for text, sentence in cases:
            Path("m.yaml").write_text(text)
            for command in ("check", "run"):
                self.bad(1, sentence, command, "m.yaml")

    def test_record(self):
        """Of a pendulum at rest below its axis: where its end is, and what holds it."""
        self.write(rest="start: {arm.joint.angle: 0}")
        self.good("run", "m.yaml", "--record", "arm.root,reactions,accelerations", "-o", "m.h5")
        last = {name: column[-1] for name, column in self.table("m.h5").items()}
        self.assertEqual([last[f"arm.root.{n}"] for n in ("position.z", "rotation.w", "velocity.x", "acceleration.z")],
                         [0.0, 1.0, 0.0, 0.0])
        self.assertAlmostEqual(last["arm.reaction.force.z"], 9.81, delta=1e-14)
        self.assertEqual(last["arm.joint.angle.rate.rate"], 0.0)
        self.bad(1, "did you mean 'arm.root'?", "run", "m.yaml", "--record", "arm.roto")


if __name__ == "__main__":
    unittest.main()
