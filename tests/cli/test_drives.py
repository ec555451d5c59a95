# SPDX-License-Identifier: Apache-2.0
"""test_drives.py APPELL: drives of model files against closed forms."""
import math
import unittest
from pathlib import Path

import numpy

from command import Case, appell, read_table

WHEEL = """appell: 1
gravity: [0, 0, 0]
links:
  - {name: w, joint: {type: revolute, axis: z, servo: %s}, body: {mass: 1, inertia: {zz: 0.5}}}
%s
run: {to: %s, tolerance: 1e-11, output-every: 10 ms}
"""


class Drives(Case):
    def run_model(self, text, *options):
        done = self.call(text, *options)
        self.assertEqual(done.returncode, 0, done)
        return {name: numpy.array(column) for name, column in read_table("out.csv").items()}, done

    def refuse(self, text, sentence):
        Path("m.yaml").write_text(text)
        self.bad(1, sentence, "check", "m.yaml")

    def test_pid(self):
        """J a = kp e + ki sum e + kd e' - load: e = aim - q obeys J e''' + kd e'' + kp e' + ki e = 0 with e(0) = 0.2,
        e'(0) = 0, e''(0) = (load - kp e)/J, so a constant load is borne without an error. The modes of the cubic
        are an independent solution; 1e-8 is the tolerance of the run times its largest gain."""
        J, kp, ki, kd, load, aim = 0.5, 20.0, 15.0, 3.0, 1.5, 0.2
        model = WHEEL % ("{stiffness: 20, integral: 15 N m/(rad s), damping: 3}",
                         "inputs: {w.joint.angle: -1.5 N m}\nmotion: {w.joint.angle: 0.2}", "6 s")
        roots = numpy.roots([J, kd, kp, ki])
        start = numpy.array([aim, 0.0, (load - kp * aim) / J])
        weight = numpy.linalg.solve(numpy.vander(roots, 3, increasing=True).T, start.astype(complex))

        def error(text, *options):
            got, _ = self.run_model(text, *options)
            e = sum(w * numpy.exp(r * got["time"]) for w, r in zip(weight, roots)).real
            return numpy.max(abs(aim - got["w.joint.angle"] - e)), numpy.max(abs(got["ledger.error"]))

        for method in ("rkf45", "dop853", "bdf", "stiff"):
            with self.subTest(method=method):
                self.assertLess(error(model, "--integrator", method)[0], 1e-8)
        # by time steps: moreau is of first order, gen-alpha of second, and so is its ledger. Moreau books the impulses
        # of servos as they were: exact to the round-off of 6000 sums of about 1 J
        for method, order, most in (("moreau", 1, 1e-3), ("gen-alpha", 2, 1e-6)):
            with self.subTest(method=method):
                fixed = model.replace("tolerance: 1e-11", "integrator: %s, step: %%s" % method)
                coarse, fine = error(fixed % "1 ms"), error(fixed % "0.5 ms")
                self.assertLess(fine[0], most)
                self.assertAlmostEqual(math.log2(coarse[0] / fine[0]), order, delta=0.1)
                if method == "moreau":
                    self.assertLess(fine[1], 1e-12)
                else:
                    self.assertAlmostEqual(math.log2(coarse[1] / fine[1]), order, delta=0.1)

    def test_gen_alpha_books_prescribed_motion(self):
        """What a prescribed crank takes is in its ledger, which closes with the second order of the method: 32 J flow
        and the pendulum turns at 12 rad/s, so that (12 rad/s 1 ms)^2 / 12 of it may be missing."""
        model = """appell: 1
links:
  - name: crank
    joint: {type: revolute, axis: y, prescribed: true}
    body: {mass: 2, com: [0.3, 0, 0], inertia: {xx: 0.01, yy: 0.05, zz: 0.05}}
    ports: {tip: {at: [0.5, 0, 0]}}
  - {name: arm, on: crank.tip, joint: {type: revolute, axis: y, damping: 0.1},
     body: {mass: 1, com: [0.3, 0, 0], inertia: {xx: 0.01, yy: 0.05, zz: 0.05}}}
motion: {crank.joint.angle: {sine: {amplitude: 0.5, frequency: 1 Hz}}}
run: {to: 3 s, integrator: gen-alpha, step: %s, output-every: 100 ms}
"""
        error = [numpy.max(abs(self.run_model(model % step)[0]["ledger.error"])) for step in ("1 ms", "0.5 ms")]
        self.assertLess(error[0], 32 * (12 * 1e-3) ** 2 / 12)
        self.assertAlmostEqual(math.log2(error[0] / error[1]), 2, delta=0.1)

    def test_integral_does_not_wind_up(self):
        """A load above the largest effort turns the wheel away; the integral part stops at the largest effort, so that
        the effort is that one and no more, and the acceleration (2 - 3) / 0.5. Velocities are exact to their
        tolerance, which the difference over 0.1 s makes ten times larger."""
        model = WHEEL % ("{stiffness: 1, integral: 50, effort: 2 N m}", "inputs: {w.joint.angle: -3 N m}", "2 s")
        for method in ("tolerance: 1e-11", "tolerance: 1e-11, integrator: stiff", "integrator: gen-alpha, step: 1 ms",
                       "integrator: moreau, step: 1 ms"):
            with self.subTest(method=method):
                got, _ = self.run_model(model.replace("tolerance: 1e-11", method))
                rate = got["w.joint.angle.rate"]
                self.assertAlmostEqual((rate[-1] - rate[-11]) / 0.1, -2.0, 6)

    def test_enforced_limits(self):
        """An input of 10 N m on a motor of 2 N m and 4 rad/s: J w' = 2 (1 - w/4), w = 4 (1 - exp(-t)). Backwards the
        same; not enforced, w = 20 t. A servo on the same joint is bounded alike."""
        text = """appell: 1
gravity: [0, 0, 0]
links:
  - {name: w, joint: {type: revolute, axis: z, limits: {effort: 2 N m, velocity: 4 rad/s, enforced: %s}%s},
     body: {mass: 1, inertia: {zz: 0.5}}}
%s
run: {to: 1 s, tolerance: 1e-11, output-every: 10 ms}
"""
        for value, sign in (("10 N m", 1), ("-10 N m", -1)):
            got, _ = self.run_model(text % ("true", "", "inputs: {w.joint.angle: %s}" % value))
            wanted = sign * 4 * (1 - numpy.exp(-got["time"]))
            self.assertLess(numpy.max(abs(got["w.joint.angle.rate"] - wanted)), 1e-9)
        got, _ = self.run_model(text % ("true", "", "inputs: {m: {on: w.joint.angle, gain: -5, value: -2}}"))
        self.assertLess(numpy.max(abs(got["w.joint.angle.rate"] - 4 * (1 - numpy.exp(-got["time"])))), 1e-9)
        got, _ = self.run_model(text % ("false", "", "inputs: {w.joint.angle: 10 N m}"))
        self.assertLess(numpy.max(abs(got["w.joint.angle.rate"] - 20 * got["time"])), 1e-9)
        got, _ = self.run_model(text % ("true", ", servo: {damping: 100}", "motion: {w.joint.angle.rate: 50 rad/s}"))
        self.assertLess(numpy.max(abs(got["w.joint.angle.rate"] - 4 * (1 - numpy.exp(-got["time"])))), 1e-9)
        self.refuse((text % ("true", "", "")).replace("effort: 2 N m, ", ""), "needs `effort`")

    def test_velocity_motor(self):
        """J w' = kd (w0 - w): w = w0 (1 - exp(-kd t / J)); with a largest effort it grows evenly first."""
        got, _ = self.run_model(WHEEL % ("{damping: 2}", "motion: {w.joint.angle.rate: 3 rad/s}", "1 s"))
        self.assertLess(numpy.max(abs(got["w.joint.angle.rate"] - 3 * (1 - numpy.exp(-4 * got["time"])))), 1e-9)
        got, _ = self.run_model(WHEEL % ("{damping: 2, effort: 1 N m}", "motion: {w.joint.angle.rate: 3 rad/s}", "1 s"))
        self.assertLess(numpy.max(abs(got["w.joint.angle.rate"] - 2 * got["time"])), 1e-9)
        self.refuse(WHEEL % ("{stiffness: 1, damping: 2}", "motion: {w.joint.angle.rate: 3 rad/s}", "1 s"), "damping only")

    def test_velocity_motor_of_a_base(self):
        base = """appell: 1
links:
  - name: base
    joint: {type: differential-drive, wheel-radius: 0.1, half-track: 0.2, servo: {damping: [10, 5]}}
    body: {mass: 5, inertia: {zz: 0.5}}
motion: {base.joint.speed: 1 m/s, base.joint.turn: 0.5 rad/s}
run: {to: 20 s}
"""
        got, _ = self.run_model(base)
        self.assertAlmostEqual(got["base.joint.speed.rate"][-1], 1.0, 7)
        self.assertAlmostEqual(got["base.joint.turn.rate"][-1], 0.5, 7)

    def test_delay(self):
        """A constant torque that comes 300 ms late."""
        got, _ = self.run_model(WHEEL % ("{damping: 1e-12}", "inputs: {w.joint.angle: {delay: {by: 300 ms, of: "
                                                           "{steps: {times: [0, 0.2], values: [0, 1 N m]}}}}}", "1 s"))
        late = numpy.maximum(got["time"] - 0.5, 0.0)
        self.assertLess(numpy.max(abs(got["w.joint.angle.rate"] - 2 * late)), 1e-9)

    def test_steering_of_a_car(self):
        """Constant steering d: the rear axle goes round a circle of radius L / tan(d), the front one at the speed v
        with the heading rate v sin(d) / L."""
        car = """appell: 1
links:
  - name: car
    joint: {type: car-%s, wheelbase: 2 m, front-radius: 0.3, rear-radius: 0.3, steering-inertia: 0.1, prescribed: true}
    body: {mass: 500, com: [1, 0, 0.4], inertia: {xx: 100, yy: 200, zz: 250}}
motion: {car.joint.speed: 2 m/s, car.joint.steering: 20 deg}
run: {to: 3 s, tolerance: 1e-10}
"""
        d = math.radians(20)
        for kind, turn in (("rear", 2 * math.tan(d) / 2), ("front", 2 * math.sin(d) / 2)):
            got, _ = self.run_model(car % kind)
            self.assertAlmostEqual(got["car.joint.steering"][-1], d, 12)
            self.assertAlmostEqual(got["car.joint.heading"][-1], 3 * turn, 7)
        self.refuse((car % "rear").replace("car.joint.steering: 20 deg", "car.joint.heading: 20 deg"),
                    "cannot be given a motion")

    def test_lean_of_a_disc(self):
        """A disc that leans by a constant angle, turns at W and rolls at r': its point of contact goes round with the
        angular velocity W; heading and roll grow evenly."""
        got, _ = self.run_model("""appell: 1
links:
  - name: coin
    joint: {type: rolling-disc, radius: 0.1, prescribed: true}
    body: {mass: 1, inertia: {xx: 0.0025, yy: 0.005, zz: 0.0025}}
motion: {coin.joint.turn: 1 rad/s, coin.joint.lean: 10 deg, coin.joint.roll.rate: 3 rad/s}
run: {to: 2 s, tolerance: 1e-10}
""")
        self.assertAlmostEqual(got["coin.joint.lean"][-1], math.radians(10), 12)
        self.assertAlmostEqual(got["coin.joint.roll"][-1], 6.0, 8)

    def test_a_path_that_ends(self):
        rows = "".join(f"{0.1 * i},{0.1 * i},0\n" for i in range(11))
        Path("p.csv").write_text("time,x,y\n" + rows)
        base = """appell: 1
links:
  - name: base
    joint: {type: differential-drive, wheel-radius: 0.1, half-track: 0.2, prescribed: true}
    body: {mass: 5, inertia: {zz: 0.5}}
motion: {base: {path: p.csv}}
run: {to: %s}
"""
        _, done = self.run_model(base % "2 s")
        self.assertIn("the path of 'base' ends at t = 1 s, but the run at 2 s", done.stdout + done.stderr)
        _, done = self.run_model(base % "1 s")
        self.assertNotIn("path", done.stdout + done.stderr)

    def test_a_section_wider_than_its_beam(self):
        beam = """appell: 1
links:
  - name: b
    joint: {type: revolute, axis: y}
    body: {type: beam, length: 1.2, width: %s, height: 2 mm, young-modulus: 200 GPa, poisson-ratio: 0.3, density: 7800,
      modes: 1}
"""
        Path("m.yaml").write_text(beam % "6")
        done = appell("check", "m.yaml")
        self.assertIn("m.yaml:5:", done.stderr)
        self.assertIn("body.width is 6 m on a body of 1.2 m length", done.stderr)
        Path("m.yaml").write_text(beam % "6 mm")
        self.assertEqual(appell("check", "m.yaml").stderr, "")


if __name__ == "__main__":
    unittest.main()
