# SPDX-License-Identifier: Apache-2.0
"""test_inverse.py APPELL: `appell inverse` from outside: closed forms, round trips, and what it says to bad input."""
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy

APPELL = Path(sys.argv.pop(1)).resolve()
ROOT = Path(__file__).resolve().parents[2]

# point mass of 1 kg on 0.5 m: effort = 0.25 angle'' + 0.1 angle' + 4.905 sin(angle)
PENDULUM = """appell: 1
links:
  - name: arm
    joint: {type: revolute, axis: y, damping: 0.1}
    body: {mass: 1 kg, com: [0, 0, -0.5]}
%s
"""
CARRIAGE = """appell: 1
links:
  - {name: cart, joint: {type: prismatic, axis: x%s}, body: {mass: 2}}
  - {name: arm, on: cart, joint: {type: revolute, axis: y}, body: {mass: 1, com: [0, 0, -0.5]}}
%s
"""
BODY = """appell: 1
gravity: [0, 0, 0]
links:
  - {name: a, joint: floating, body: {mass: 2, inertia: {xx: 1, yy: 2, zz: 3}}}
start: {a.joint.wx: 0.3, a.joint.wy.rate: 1, a.joint.vx: 1}
run: {to: 1, tolerance: 1e-10}
"""
TIME = numpy.linspace(0, 2, 401)
ANGLE = 0.7 * numpy.sin(3 * TIME)
RATE = 2.1 * numpy.cos(3 * TIME)
SECOND = -6.3 * numpy.sin(3 * TIME)
EFFORT = 0.25 * SECOND + 0.1 * RATE + 4.905 * numpy.sin(ANGLE)


def appell(*words, **options):
    return subprocess.run([APPELL, *map(str, words)], capture_output=True, text=True, timeout=120, **options)


class Inverse(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)
        Path("m.yaml").write_text(PENDULUM % "")

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def table(self, units=None, **columns):
        """Writes t.csv; a key angle__rate stands for arm.joint.angle.rate."""
        names = [n if n == "time" else "arm.joint." + n.replace("__", ".") for n in columns]
        with open("t.csv", "w") as f:
            if units:
                f.write(f"# units: {units}\n")
            f.write(",".join(names) + "\n")
            for row in zip(*columns.values()):
                f.write(",".join(repr(float(x)) for x in row) + "\n")

    def efforts(self, *words):
        done = appell("inverse", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        lines = done.stdout.splitlines()
        names = lines[0].split(",")
        rows = numpy.array([[float(x) for x in line.split(",")] for line in lines[1:]])
        return {name: rows[:, i] for i, name in enumerate(names)}

    def bad(self, code, sentence, *words):
        done = appell("inverse", *words)
        self.assertEqual(done.returncode, code, done)
        self.assertIn(sentence, done.stderr)
        return done

    def says(self, text, sentence, model="m.yaml"):
        Path("t.csv").write_text(text)
        self.bad(1, sentence, model, "t.csv", "-o", "out.csv")
        self.assertFalse(Path("out.csv").exists() or Path("out.csv.part").exists())

    def test_closed_form(self):
        self.table(time=TIME, angle=ANGLE, angle__rate=RATE, angle__rate__rate=SECOND)
        x = self.efforts("m.yaml", "t.csv")
        self.assertEqual(list(x), ["time", "arm.joint.angle.effort"])
        self.assertTrue((x["time"] == TIME).all())
        # nothing is approximated: round-off of a few operations
        self.assertLess(numpy.max(numpy.abs(x["arm.joint.angle.effort"] - EFFORT)), 1e-13)

    def test_missing_rates(self):
        inner = slice(20, -20)  # the ends of a spline are less exact, and that fades by 0.27 per row
        h = TIME[1] - TIME[0]
        # inside, a cubic spline has rates to h^3 and second rates to h^2 |y''''| / 12 = h^2 0.7 81 / 12
        for columns, bound in (({"angle": ANGLE}, 0.25 * h * h * 0.7 * 81 / 12 * 1.1),
                               ({"angle": ANGLE, "angle__rate": RATE}, 1e-6)):
            self.table(time=TIME, **columns)
            x = self.efforts("m.yaml", "t.csv")["arm.joint.angle.effort"]
            self.assertLess(numpy.max(numpy.abs(x - EFFORT)[inner]), bound)
            # not a knot: at the ends the second rate is off by 11/12 h^2 of the fourth rate, 11 times as much as inside
            self.assertLess(numpy.max(numpy.abs(x - EFFORT)), 14 * bound)
        # the last row is not at rest: its rate is that of the spline
        self.assertLess(abs(x[-1] - EFFORT[-1]), 0.05)

    def test_one_row(self):
        self.table(time=[3], angle=[0.5], angle__rate=[0], angle__rate__rate=[0])
        self.assertAlmostEqual(self.efforts("m.yaml", "t.csv")["arm.joint.angle.effort"][0],
                               4.905 * math.sin(0.5), places=14)

    def test_rest(self):
        """One row, or rows without times: poses that are held, m g l sin(angle)."""
        self.table(time=[3], angle=[0.5])
        x = self.efforts("m.yaml", "t.csv")
        self.assertEqual(x["time"][0], 3)
        self.assertAlmostEqual(x["arm.joint.angle.effort"][0], 4.905 * math.sin(0.5), places=14)
        self.table(angle=[0.5])
        self.assertAlmostEqual(self.efforts("m.yaml", "t.csv")["arm.joint.angle.effort"][0], 4.905 * math.sin(0.5), places=14)
        self.table(angle=[0.5, 0.1, 1.5])
        x = self.efforts("m.yaml", "t.csv")
        numpy.testing.assert_allclose(x["arm.joint.angle.effort"], 4.905 * numpy.sin([0.5, 0.1, 1.5]), rtol=1e-14)
        self.assertEqual(list(x["time"]), [0, 0, 0])
        # rates that the table has count
        self.table(angle=[0.5], angle__rate=[2], angle__rate__rate=[4])
        self.assertAlmostEqual(self.efforts("m.yaml", "t.csv")["arm.joint.angle.effort"][0], 4.905 * math.sin(0.5) + 0.2 + 1, places=14)
        # what has no column rests too, also where it starts with a speed
        for prescribed in ("", ", prescribed: true"):
            Path("c.yaml").write_text(CARRIAGE % (prescribed, "start: {cart.joint.position.rate: 1}"))
            self.table(angle=[0.5])
            x = self.efforts("c.yaml", "t.csv")
            self.assertAlmostEqual(x["arm.joint.angle.effort"][0], 4.905 * math.sin(0.5), places=14)
            self.assertAlmostEqual(x["cart.joint.position.effort"][0], 0, places=14)
        # the table goes before a motion of the model
        Path("c.yaml").write_text(CARRIAGE % (", prescribed: true", "motion: {cart.joint.position: {sine: {amplitude: 1, frequency: 1}}}"))
        Path("t.csv").write_text("time,cart.joint.position,arm.joint.angle\n0.1,0.3,0.5\n")
        self.assertAlmostEqual(self.efforts("c.yaml", "t.csv")["cart.joint.position.effort"][0], 0, places=14)
        # a body of 2 kg on its side: its weight is along -y of its own axes, at rest also with a speed at the start
        Path("b.yaml").write_text(BODY.replace("[0, 0, 0]", "[0, 0, -9.81]"))
        half = math.sqrt(0.5)
        Path("t.csv").write_text(f"x,y,z,qw,qx,qy,qz\n1,2,3,{half!r},{half!r},0,0\n")
        x = self.efforts("b.yaml", "t.csv")
        want = {"wx": 0, "wy": 0, "wz": 0, "vx": 0, "vy": 2 * 9.81, "vz": 0}
        for name, effort in want.items():
            self.assertAlmostEqual(x[f"a.joint.{name}.effort"][0], effort, places=13)
        # a base on wheels stands
        Path("base.yaml").write_text(self.DRIVE % "")
        Path("t.csv").write_text("x,y\n1,2\n")
        x = self.efforts("base.yaml", "t.csv")
        self.assertEqual(x["base.joint.speed.effort"][0], 0)
        self.assertAlmostEqual(x["base.ground.normal"][0], 20 * 9.81, places=10)

    def test_units(self):
        self.table(time=1e3 * TIME, angle=numpy.degrees(ANGLE), angle__rate=RATE, angle__rate__rate=SECOND,
                   units="ms, deg, , rad/s^2")
        x = self.efforts("m.yaml", "t.csv")
        self.assertLess(numpy.max(numpy.abs(x["arm.joint.angle.effort"] - EFFORT)), 1e-12)
        self.table(time=TIME, angle=ANGLE, units="s, kg")
        self.bad(1, "column 'arm.joint.angle' must have the unit rad", "m.yaml", "t.csv")

    def test_round_trip(self):
        Path("d.yaml").write_text(PENDULUM % (
            "inputs: {motor: {on: arm.joint.angle, value: {sine: {amplitude: 2 N m, frequency: 0.8 Hz}}}}\n"
            "run: {to: 2 s, tolerance: 1e-11, output-every: 5 ms}"))
        self.assertEqual(appell("run", "d.yaml", "-o", "d.h5").returncode, 0)
        self.assertEqual(appell("export", "d.h5", "-o", "d.csv").returncode, 0)
        torque = 2 * numpy.sin(2 * math.pi * 0.8 * TIME)
        inner = slice(20, -20)

        # outputs have angles and rates: the acceleration is the slope of a cubic spline, whose error at
        # the knots is h^4 |v'''''| / 180: 6e-8 N m were measured; the error of the run is far below
        for words in (["d.yaml", "d.csv", "--no-inputs"], ["m.yaml", "s.csv"]):
            if words[1] == "s.csv":  # the same from a model without a motor
                self.assertEqual(appell("export", "d.h5", "time", "arm.joint.*", "-o", "s.csv").returncode, 0)
            x = self.efforts(*words)["arm.joint.angle.effort"]
            self.assertLess(numpy.max(numpy.abs(x - torque)[inner]), 1e-6)

        # with the inputs at work nothing is left to do; recorded inputs count as the signal does
        x = self.efforts("d.yaml", "d.csv")["arm.joint.angle.effort"]
        self.assertLess(numpy.max(numpy.abs(x)[inner]), 1e-6)
        self.assertEqual(appell("export", "d.h5", "time", "arm.joint.*", "-o", "s.csv").returncode, 0)
        y = self.efforts("d.yaml", "s.csv")["arm.joint.angle.effort"]
        self.assertLess(numpy.max(numpy.abs(x - y)), 1e-12)

    def test_floating(self):
        Path("b.yaml").write_text(BODY)
        done = appell("info", "b.yaml", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(appell("run", "b.yaml", "-o", "b.h5", "--csv", "b.csv").returncode, 0)
        x = self.efforts("b.yaml", "b.csv")
        # free flight: no effort, to the error of the slope of the splines
        for name in x:
            if name != "time":
                self.assertLess(numpy.max(numpy.abs(x[name][20:-20])), 1e-6, name)

    @staticmethod
    def tumble(t):
        """Roll, pitch, yaw and their rates; t may be complex."""
        return ((0.8 * numpy.sin(2 * t), 0.5 * numpy.cos(3 * t), 4 * t + 0.3 * numpy.sin(t)),
                (1.6 * numpy.cos(2 * t), -1.5 * numpy.sin(3 * t), 4 + 0.3 * numpy.cos(t)))

    def spin(self, t):
        """Angular velocity in body axes: (roll', 0, 0) + Rx^T (0, pitch', 0) + Rx^T Ry^T (0, 0, yaw')."""
        (r, p, _), (dr, dp, dy) = self.tumble(t)
        sin, cos = numpy.sin, numpy.cos
        return numpy.array([dr - dy * sin(p), dp * cos(r) + dy * cos(p) * sin(r), -dp * sin(r) + dy * cos(p) * cos(r)])

    def test_roll_pitch_yaw(self):
        """Newton's and Euler's equations in body axes; yaw jumps by a turn in the table."""
        Path("b.yaml").write_text(BODY.replace("[0, 0, 0]", "[0, 0, -9.81]"))
        angles = numpy.array(self.tumble(TIME)[0])
        angles[2] = (angles[2] + math.pi) % (2 * math.pi) - math.pi
        self.assertGreater(numpy.max(numpy.abs(numpy.diff(angles[2]))), 6)
        place = numpy.array([numpy.sin(TIME), numpy.cos(2 * TIME), 0.1 * TIME ** 2])
        pull = 2 * numpy.array([-numpy.sin(TIME), -4 * numpy.cos(2 * TIME), 0.2 + 9.81 + 0 * TIME])
        w, dw = self.spin(TIME), self.spin(TIME + 1e-30j).imag / 1e-30
        inertia = numpy.array([[1], [2], [3]])
        moment = inertia * dw + numpy.cross(w.T, (inertia * w).T).T
        (r, p, y), _ = self.tumble(TIME)
        force = numpy.empty_like(pull)
        for i in range(len(TIME)):
            cr, sr, cp, sp, cy, sy = (f(a[i]) for a in (r, p, y) for f in (math.cos, math.sin))
            turn = (numpy.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ numpy.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
                    @ numpy.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]]))
            force[:, i] = turn.T @ pull[:, i]
        # second rates of splines are off by h^2 / 12 of fourth rates: at most 151 /s^4 for the quaternion e (differences of
        # TIME say so), w' = 2 e'', inertia 3; the ends are 11 times worse
        bound = 2 * 3 * 0.005 ** 2 / 12 * 151
        inner = slice(20, -20)
        short, whole = ("x", "y", "z", "roll", "pitch", "yaw"), "a.joint."
        for names, units, factor in ((short, "", 1), ([whole + n for n in short], "", 1),
                                     (short, "# units: s, m, m, m, deg, deg, deg\n", 180 / math.pi)):
            with open("p.csv", "w") as f:
                f.write(units + "time," + ",".join(names) + "\n")
                for row in zip(TIME, *place, *(factor * angles)):
                    f.write(",".join(repr(float(v)) for v in row) + "\n")
            x = self.efforts("b.yaml", "p.csv")
            for k, axis in enumerate("xyz"):
                self.assertLess(numpy.max(numpy.abs(x[f"a.joint.w{axis}.effort"] - moment[k])[inner]), bound, axis)
                self.assertLess(numpy.max(numpy.abs(x[f"a.joint.v{axis}.effort"] - force[k])[inner]), bound, axis)
                self.assertLess(numpy.max(numpy.abs(x[f"a.joint.w{axis}.effort"] - moment[k])), 22 * bound, axis)
        # one row is a pose at rest: the weight in body axes
        Path("p.csv").write_text("x,y,z,roll,pitch,yaw\n0,0,0,0.3,-0.4,2\n")
        x = self.efforts("b.yaml", "p.csv")
        weight = 2 * 9.81 * numpy.array([math.sin(0.4), math.cos(0.4) * math.sin(0.3), math.cos(0.4) * math.cos(0.3)])
        for k, axis in enumerate("xyz"):
            self.assertAlmostEqual(x[f"a.joint.v{axis}.effort"][0], weight[k], places=12)
            self.assertAlmostEqual(x[f"a.joint.w{axis}.effort"][0], 0, places=12)

    def test_stewart(self):
        """A platform held level and higher than where its legs rest: legs that are all alike push alike; turned about its
        axis by yaw to either side, the legs of a pair change places."""
        model = ROOT / "models/stewart.yaml"
        leg = [f"leg{i}" for i in range(1, 7)]
        Path("p.csv").write_text("x,y,z,roll,pitch,yaw\n0,0,0.62,0,0,0\n0,0,0.62,0,0,0.1\n0,0,0.62,0,0,-0.1\n")
        x = self.efforts(model, "p.csv")
        push = numpy.array([x[name] for name in leg])
        numpy.testing.assert_allclose(push[:, 0], push[0, 0], rtol=0, atol=1e-4)
        self.assertGreater(abs(push[0, 1] - push[0, 0]), 1)
        for row in range(3):  # balls carry the plate, 10 kg
            self.assertAlmostEqual(sum(x[f"ball{i}.z.force"][row] for i in range(1, 7)), 98.1, places=9)
        numpy.testing.assert_allclose(push[0::2, 1], push[1::2, 2], rtol=0, atol=1e-4)
        # the same motion by quaternions
        for names, turn in (("roll,pitch,yaw", lambda a: f"0,{a!r},0"),
                            ("qw,qx,qy,qz", lambda a: f"{math.cos(a / 2)!r},0,{math.sin(a / 2)!r},0")):
            rows = "".join(f"{t!r},0,0,0.6,{turn(0.1 * math.sin(3 * t))}\n" for t in TIME[:41].tolist())
            Path("p.csv").write_text(f"time,x,y,z,{names}\n{rows}")
            y = self.efforts(model, "p.csv")
            if names[0] == "r":
                x = y
        for name in leg:
            numpy.testing.assert_allclose(x[name], y[name], rtol=0, atol=1e-8)

    def test_what_has_no_column(self):
        Path("c.yaml").write_text(CARRIAGE % ("", "start: {cart.joint.position: 1}"))
        self.table(time=TIME, angle=ANGLE, angle__rate=RATE, angle__rate__rate=SECOND)
        x = self.efforts("c.yaml", "t.csv")
        want = 0.25 * SECOND + 4.905 * numpy.sin(ANGLE)
        self.assertLess(numpy.max(numpy.abs(x["arm.joint.angle.effort"] - want)), 1e-12)
        # the cart holds against the arm's centre of mass, which is at x = -0.5 sin(angle)
        push = -0.5 * (numpy.cos(ANGLE) * SECOND - numpy.sin(ANGLE) * RATE ** 2)
        self.assertLess(numpy.max(numpy.abs(x["cart.joint.position.effort"] - push)), 1e-12)

        Path("c.yaml").write_text(CARRIAGE % ("", "start: {cart.joint.position.rate: 1}"))
        self.bad(1, "'cart.joint.position' moves (1 per second", "c.yaml", "t.csv")

        # prescribed, but by nothing
        Path("c.yaml").write_text(CARRIAGE % (", prescribed: true", "start: {cart.joint.position.rate: 1}"))
        self.bad(1, "'cart.joint.position' moves (1 per second", "c.yaml", "t.csv")

        # prescribed motion of the file goes on
        Path("c.yaml").write_text(CARRIAGE % (
            ", prescribed: true", "motion: {cart.joint.position: {sine: {amplitude: 1, frequency: 1}}}"))
        x = self.efforts("c.yaml", "t.csv")
        push = push - 3 * (2 * math.pi) ** 2 * numpy.sin(2 * math.pi * TIME)
        self.assertLess(numpy.max(numpy.abs(x["cart.joint.position.effort"] - push)), 1e-11)

    def test_bad_tables(self):
        self.says("time,arm.joint.angel\n0,1\n1,2\n", "t.csv:1:6: column 'arm.joint.angel' is not a time, coordinate, velocity, acceleration or input of the robot; did you mean 'arm.joint.angle'")
        self.says("time,arm.joint.angle\n", "no rows")
        self.says("time,arm.joint.angle\n0,1\n0,2\n", "times must increase, but 0 s in row 2 follows 0 s")
        self.says("time,arm.joint.angle.rate\n0,1\n1,2\n", "rates of 'arm.joint.angle' but not the coordinate")
        self.says("time,arm.joint.angle\n0,x\n", "t.csv:2:3: ")
        self.says("", "empty")
        Path("b.yaml").write_text(BODY)
        self.says("time,a.joint.x\n0,1\n1,2\n", "only a part of the coordinates of a floating joint", "b.yaml")
        self.says("time,x,y,z,qw,qx,qy,qz,a.joint.wx.rate\n0,1,2,3,1,0,0,0,0\n1,1,2,3,1,0,0,0,0\n", "column 'a.joint.wy.rate' is missing", "b.yaml")
        self.says("time,x,y,z,roll,yaw\n0,1,2,3,0,0\n1,1,2,3,0,0\n",
                  "roll, pitch and yaw are needed together: column 'a.joint.pitch' is missing", "b.yaml")
        self.says("x,y,z,qw,qx,qy,qz,roll,pitch,yaw\n1,2,3,1,0,0,0,0,0,0\n",
                  "the rotation of 'a.joint' twice, as a quaternion (qw, qx, qy, qz) and as roll, pitch, yaw", "b.yaml")
        self.says("time,roll,pitch,yaw\n0,0,0,0\n1,0,0,0\n", "column 'a.joint.x' is missing", "b.yaml")
        self.says("time,x,y,z,roll,pich,yaw\n0,1,2,3,0,0,0\n", "did you mean 'pitch'", "b.yaml")
        for rows in ("0,1,2,3,0,0,0,0\n", "0,1,2,3,0,0,0,0\n1,1,2,3,1,0,0,0\n2,1,2,3,1,0,0,0\n"):
            self.says("time,x,y,z,qw,qx,qy,qz\n" + rows, "at t = 0 s, a.joint.qw: the quaternion qw, qx, qy, qz is zero", "b.yaml")
        self.says("time,roll\n0,1\n", "column 'roll' is not a time")  # a pendulum has none

    def test_bad_words(self):
        self.table(time=TIME, angle=ANGLE)
        self.bad(2, "needs MODEL MOTION.csv", "m.yaml")
        self.bad(1, "missing.csv", "m.yaml", "missing.csv")
        self.bad(1, "missing.yaml", "missing.yaml", "t.csv")
        self.bad(1, "nowhere", "m.yaml", "t.csv", "-o", "nowhere/x.csv")
        self.bad(2, "--base", "m.yaml", "t.csv", "--base", "flying")

    def test_streams(self):
        self.table(time=TIME, angle=ANGLE)
        out = appell("inverse", "m.yaml", "t.csv").stdout
        self.assertEqual(appell("inverse", "m.yaml", "-", input=Path("t.csv").read_text()).stdout, out)
        self.assertEqual(appell("inverse", "m.yaml", "t.csv", "-o", "out.csv").stdout, "")
        self.assertEqual(Path("out.csv").read_text(), out)
        self.assertTrue(out.startswith("time,arm.joint.angle.effort\n"), out[:40])

    def test_plot_reads_csv(self):
        self.table(time=TIME, angle=ANGLE, angle__rate=RATE, angle__rate__rate=SECOND)
        self.assertEqual(appell("inverse", "m.yaml", "t.csv", "-o", "out.csv").returncode, 0)
        done = appell("plot", "out.csv", "--list")
        self.assertEqual((done.returncode, [line.split() for line in done.stdout.splitlines()]),
                         (0, [["time"], ["arm.joint.angle.effort"]]), done.stderr)
        Path("u.csv").write_text("# units: s, N m, rad\nt,b,a\n0,1,2\n1,3,5\n2,0,1\n")
        self.assertEqual(appell("plot", "u.csv", "--list").stdout.split(), ["t", "s", "b", "N", "m", "a", "rad"])

        def bad(sentence, *words):
            done = appell("plot", *words)
            self.assertEqual((done.returncode, sentence in done.stderr), (1, True), done.stderr)

        Path("b.csv").write_text("a,b\n1,2\n2,3\n")
        bad("the first column of 'b.csv' is 'a', not 'time' or 't'", "b.csv")
        Path("b.csv").write_text("time,b\n1,x\n")
        bad("b.csv:2:3: ", "b.csv")
        Path("b.csv").write_text("time,b\n")
        bad("no rows to draw", "b.csv")
        bad("none.csv", "none.csv")
        bad("did you mean 'arm.joint.angle.effort'", "out.csv", "arm.joint.angel.effort")
        if shutil.which("gnuplot") is None:
            self.skipTest("no gnuplot: nothing is drawn")
        done = appell("plot", "out.csv", "-o", "out.svg")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("arm.joint.angle.effort", Path("out.svg").read_text())
        self.assertEqual(appell("plot", "u.csv", "a", "--x", "b", "-o", "u.svg").returncode, 0)
        self.assertIn("a (rad)", Path("u.svg").read_text())
        self.assertEqual(appell("plot", "out.csv", "out.csv", "-o", "two.svg").returncode, 0)
        done = appell("plot", "-", input=Path("out.csv").read_text())
        self.assertEqual((done.returncode, "effort" in done.stdout), (0, True), done.stderr)

    def test_help(self):
        text = appell("inverse", "--help").stdout
        for word in ("usage: appell inverse", "NAME.rate.rate", "--no-inputs", "cubic spline"):
            self.assertIn(word, text)

    # ------------------------------------------------------------------------------------ bases ----

    def base_table(self, columns, names="x y heading", model="base.yaml"):
        with open("p.csv", "w") as f:
            f.write("time," + names.replace(" ", ",") + "\n")
            for row in zip(TIME, *columns):
                f.write(",".join(repr(float(x)) for x in row) + "\n")
        return self.efforts(model, "p.csv")

    def bow(self):
        """An S of a circle's arcs, x, y and heading, with speed and turn and their rates, all in closed form: heading =
        0.8 sin(2 t), speed = 1 + 0.5 sin(t) is not integrable by hand, so x and y come from a fine rule of Simpson."""
        heading, turn, turning = 0.8 * numpy.sin(2 * TIME), 1.6 * numpy.cos(2 * TIME), -3.2 * numpy.sin(2 * TIME)
        speed, speeding = 1 + 0.5 * numpy.sin(TIME), 0.5 * numpy.cos(TIME)
        fine = numpy.linspace(0, TIME[-1], 20 * (len(TIME) - 1) + 1)
        h = fine[1] - fine[0]
        place = []
        for along in (numpy.cos, numpy.sin):
            f = (1 + 0.5 * numpy.sin(fine)) * along(0.8 * numpy.sin(2 * fine))
            pairs = (f[:-2:2] + 4 * f[1:-1:2] + f[2::2]) * h / 3  # error h^4, 1e-15
            place.append(numpy.concatenate([[0], numpy.cumsum(pairs)])[::10])
        return place[0], place[1], heading, speed, speeding, turn, turning

    # M (v' - d w^2) + 2 J v'/r^2 and (I + M d^2 + 2 J b^2/r^2) w' + M d v w: docs/theory/wheels.md (3)
    DRIVE = ("appell: 1\nlinks:\n  - {name: base, joint: {type: differential-drive, wheel-radius: 0.1, half-track: 0.25, wheel-inertia: 0.02, "
             "castor-ahead: 0.5}, body: {mass: 20, com: [0.15, 0, 0.2], inertia: {xx: 1, yy: 1, zz: 0.8}}}\n%s")

    def test_differential_drive(self):
        x, y, heading, v, dv, w, dw = self.bow()
        Path("base.yaml").write_text(self.DRIVE % "")
        M, I, d, J, r, b, g = 20, 0.8, 0.15, 0.02, 0.1, 0.25, 9.81
        pull = (M + 2 * J / r**2) * dv - M * d * w**2
        moment = (I + M * d**2 + 2 * J * b**2 / r**2) * dw + M * d * v * w
        right, left = r * (pull / 2 + moment / (2 * b)), r * (pull / 2 - moment / (2 * b))
        # second rates of the splines are off by h^2 |x| / 12 inside, 11 times that at the ends; x is some 30 m/s^4
        inner, bound = slice(20, -20), 25 * 0.005**2 * 30 / 12
        for names, columns, allowed in (("x y heading", (x, y, heading), bound),
                                        ("base.joint.x base.joint.y base.joint.heading", (x, y, heading), bound),
                                        ("x y", (x, y), 50 * bound)):  # headings from rates: h^3 / h^2 more
            got = self.base_table(columns, names)
            for name, want in (("speed.effort", pull), ("turn.effort", moment)):
                self.assertLess(numpy.max(numpy.abs(got["base.joint." + name] - want)[inner]), allowed, names)
            for name, want in (("right", right), ("left", left)):
                self.assertLess(numpy.max(numpy.abs(got[f"base.{name}.torque"] - want)[inner]), allowed, names)
        got = self.base_table((x, y, heading))
        self.assertLess(numpy.max(numpy.abs(got["base.ground.normal"] - M * g)), 1e-9 * M * g)
        # the ground holds against the centre of mass on its curve: M (v w + d w')
        self.assertLess(numpy.max(numpy.abs(got["base.ground.lateral"] - M * (v * w + d * dw))[inner]), bound)

    def test_base_that_would_slip(self):
        x, y, heading, *_ = self.bow()
        Path("base.yaml").write_text(self.DRIVE % "")
        self.base_table((x, y, heading))
        with open("p.csv", "w") as f:
            f.write("time,x,y,heading\n" + "".join(f"{t},{a},{b},0.7\n" for t, a, b in zip(TIME, x, y)))
        self.bad(1, "the path goes sideways at t = 0 s: it moves in the direction ", "base.yaml", "p.csv")
        self.bad(1, "which a differential-drive cannot do", "base.yaml", "p.csv")
        # a mecanum base can; its torques drive it
        Path("m2.yaml").write_text("appell: 1\nlinks:\n  - {name: base, joint: {type: mecanum, wheel-radius: 0.1, half-track: 0.25, half-length: 0.3},"
                                   " body: {mass: 20, inertia: {zz: 0.8}}}\n")
        got = self.efforts("m2.yaml", "p.csv")
        pushes = sum(got[f"base.{w}.torque"] for w in ("front-left", "front-right", "rear-left", "rear-right"))
        self.assertLess(numpy.max(numpy.abs(pushes / 0.1 - got["base.joint.forward.effort"])), 1e-9)

    def test_cars(self):
        """A car by either speed: torques on the driven axle give the power that the motion takes."""
        x, y, heading, v, dv, w, dw = self.bow()
        L, r, M, I, cx = 0.6, 0.1, 30, 1.5, 0.25
        steering = numpy.arctan(L * w / v)
        car = ("appell: 1\nlinks:\n  - {name: car, joint: {type: %s, wheelbase: 0.6, rear-radius: 0.1, front-radius: 0.1, half-track: 0.2,"
               " steering-inertia: 0.01}, body: {mass: 30, com: [0.25, 0, 0], inertia: {zz: 1.5}}}\ninputs: {car.rear: 0}\n")
        # kinetic energy of the chassis: M/2 (v^2 + (cx w)^2) + I/2 w^2; the steering's inertia is 1e-2 kg m^2
        turned = numpy.gradient(steering, TIME)
        energy = M / 2 * (v**2 + (cx * w)**2) + I / 2 * w**2 + 0.005 * (w + turned)**2
        power = numpy.gradient(energy, TIME)
        inner = slice(20, -20)
        for kind in ("car-rear", "car-front"):
            Path("car.yaml").write_text(car % kind)
            for names, columns in (("x y heading steering", (x, y, heading, steering)), ("x y heading", (x, y, heading))):
                got = self.base_table(columns, names, "car.yaml")
                torque = got["car.rear-right.torque"] + got["car.rear-left.torque"]
                handle = got["car.joint.steering.effort"] * turned
                # differences of h = 5 ms here and splines there: h^2 of fourth rates of some 100 W/s^2
                self.assertLess(numpy.max(numpy.abs(torque / r * v + handle - power)[inner]), 0.05, (kind, names))
                self.assertLess(numpy.max(numpy.abs(got["car.front-left.torque"])), 1e-12, "front wheels are not driven")
                self.assertLess(numpy.max(numpy.abs(got["car.rear-right.torque"] - got["car.rear-left.torque"])), 1e-12)
        with open("p.csv", "w") as f:
            f.write("time,x,y,heading,steering\n" + "".join(f"{t},{a},{b},{c},0.1\n" for t, a, b, c in zip(TIME, x, y, heading)))
        self.bad(1, "cannot do this motion", "car.yaml", "p.csv")

    def test_names_of_inputs(self):
        """Inputs are called as `run` calls them, by their own name or NAME.input, and the result can be read again."""
        text = (ROOT / "models/four-bar.yaml").read_text()
        motor = "motor: {on: crank.joint.angle, value: {sine: {amplitude: 3, frequency: 0.47746482927568601}}}"
        self.assertIn(motor, text)
        for given, column in ((motor, "motor"), ("crank.joint.angle: 1 N m", "crank.joint.angle.input")):
            Path("f.yaml").write_text(text.replace(motor, given))
            self.assertEqual(appell("run", "f.yaml", "--to", "0.1", "--csv", "f.csv").returncode, 0)
            self.assertIn(column, Path("f.csv").read_text().splitlines()[0].split(","))
            Path("t.csv").write_text("crank.joint.angle\n1\n")
            x = self.efforts("f.yaml", "t.csv")
            self.assertEqual([n for n in x if "effort" not in n and "force" not in n], ["time", column])
            self.assertGreater(abs(x[column][0]), 1)
            Path("t.csv").write_text(f"crank.joint.angle,{column}\n1,2\n")
            self.efforts("f.yaml", "t.csv")

    def test_urdf(self):
        urdf = ROOT / "tests/data/rigid/arm7.urdf"
        if not urdf.exists():
            urdf = sorted((ROOT / "tests/data/rigid").glob("*.urdf"))[0]
        Path("t.csv").write_text("time\n0\n1\n")
        self.assertIn("time", self.efforts(urdf, "t.csv"))


if __name__ == "__main__":
    unittest.main()
