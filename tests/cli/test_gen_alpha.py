# SPDX-License-Identifier: Apache-2.0
"""test_gen_alpha.py APPELL MODELS: the integrator gen-alpha on bodies that deform.

The references are dop853 and rkf78 at 1e-10, explicit methods: they share no formula with gen-alpha but the forces.
"""
import sys
import unittest
from pathlib import Path

from command import Case, appell, read_table

MODELS = Path(sys.argv.pop(1)).resolve()

# A beam on a floating joint, turned by nearly half a turn against the springs of the joint. About its own axis the beam has so little
# inertia that the first acceleration is 1e8 rad/s^2 and decays within about 2e-6 s to 171 rad/s (dop853).
RELEASED = """appell: 1
links:
  - name: l0
    joint: {type: floating, damping: 0.03781865464342028, stiffness: 2.4991083150930504}
    body: {type: beam, length: 0.12619278206242227, density: 933.1587088215963, young-modulus: 1064840451.9982642, kelvin-voigt-time: 1e-05,
           diameter: 0.008567914664688535, directions: [bend-x, bend-y], modes: 2, theory: euler-bernoulli}
start: {l0.joint.x: 0.292, l0.joint.z: 0.202, l0.joint.qw: 0.048, l0.joint.qz: -0.173, l0.joint.wy.rate: -0.668}
run: {to: 0.2}
"""

# Friction that changes its sign within 1e-12 rad/s: in practice a jump of the force.
JUMP = """appell: 1
gravity: [0, 0, -9.81]
links:
  - name: arm
    joint: {type: revolute, axis: y, damping: 0.5}
    body: {mass: 2, com: [0.3, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
    ports: {tip: {at: [0.6, 0, 0]}}
  - name: finger
    on: arm.tip
    joint: {type: revolute, axis: y, friction: 30, friction-speed: 1e-12, damping: 0.01}
    body: {mass: 0.01, com: [0.01, 0, 0], inertia: {xx: 2e-5, yy: 2e-5, zz: 2e-5}}
run: {to: 1}
"""


class GenAlpha(Case):
    def end(self, model, to, *options):
        """Coordinates at the time `to`."""
        done = appell("run", model, "--to", to, "--output-every", to, *options, "--csv", "out.csv", "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        table = read_table("out.csv")
        return {name: column[-1] for name, column in table.items() if (".joint." in name or ".bend-" in name) and not name.endswith(".rate")}

    def apart(self, one, other):
        self.assertEqual(one.keys(), other.keys())
        self.assertGreater(len(one), 2)
        return max(abs(one[name] - other[name]) for name in one)

    def test_half_the_step_gives_a_quarter_of_the_error(self):
        """An arc, a beam, and loops with beams. The largest error is that of the first step, with a margin of two."""
        for name, to, most in (("soft-arm", 0.25, 1e-5), ("flexible-pendulum", 0.25, 5e-6), ("flexible-3rrr", 0.25, 2e-5)):
            model = MODELS / f"{name}.yaml"
            exact = self.end(model, to, "--integrator", "dop853", "--tolerance", 1e-10)
            also = self.end(model, to, "--integrator", "rkf78", "--tolerance", 1e-10)
            self.assertLess(self.apart(exact, also), 1e-8, name)  # 100 tolerances
            errors = [self.apart(self.end(model, to, "--integrator", "gen-alpha", "--step", 5e-4 * 0.5**k), exact) for k in range(4)]
            self.assertLess(errors[0], most, name)
            for longer, shorter in list(zip(errors, errors[1:]))[1:]:  # the first step of the pendulum resolves a fast mode badly
                self.assertAlmostEqual(longer / shorter, 4.0, delta=0.4, msg=f"{name}: {errors}")

    def test_a_transient_within_a_step(self):
        """Newton's method did not converge from the first acceleration: such a step is made in parts."""
        Path("m.yaml").write_text(RELEASED, encoding="utf-8")
        exact = self.end("m.yaml", 0.2, "--integrator", "dop853", "--tolerance", 1e-10)
        for step in (2e-3, 1e-3, 2e-4):
            # the transient is not resolved: 2.2, 0.9 and 0.6 mm, and also 0.6 mm at 0.1 ms, where all steps converge undivided
            self.assertLess(self.apart(self.end("m.yaml", 0.2, "--integrator", "gen-alpha", "--step", step), exact), 3e-3, step)

    def test_tendons_that_go_slack(self):
        model = MODELS / "tendon-arm.yaml"
        exact = self.end(model, 1, "--integrator", "dop853", "--tolerance", 1e-10)
        # measured: 1.5e-3, 5.1e-4 and 1.3e-4 at 10, 5 and 2.5 ms; at 10 ms a step near 0.61 s does not converge undivided
        self.assertLess(self.apart(self.end(model, 1, "--integrator", "gen-alpha", "--step", 1e-2), exact), 3e-3)

    def test_resume_after_steps_in_parts(self):
        """A run to 0.6 s that is continued over the steps in parts near 0.61 s has the bytes of one run."""
        words = ["run", MODELS / "tendon-arm.yaml", "--integrator", "gen-alpha", "--step", 1e-2, "-q"]
        self.good(*words, "--to", 1, "-o", "whole.h5")
        for to in (0.6, 0.62):
            self.good(*words, "--to", to, "-o", "part.h5")
            self.good(*words, "--to", 1, "--resume", "part.h5", "-o", "again.h5")
            self.assertEqual(Path("whole.h5").read_bytes(), Path("again.h5").read_bytes(), to)
            Path("part.h5").unlink()
            Path("again.h5").unlink()

    def test_a_step_without_solution(self):
        Path("m.yaml").write_text(JUMP, encoding="utf-8")
        said = self.bad(1, "use a smaller step, or the integrator stiff", "run", "m.yaml", "--integrator", "gen-alpha", "--step", 1e-2)
        self.assertIn("Newton's method fails even for a step of", said)
        # the inertia is positive, although that of states that Newton's method tries is not: it is not to blame
        Path("m.yaml").write_text(RELEASED.replace("stiffness: 2.4991083150930504", "stiffness: 1e9"), encoding="utf-8")
        self.assertNotIn("inertia", self.bad(1, "use a smaller step", "run", "m.yaml", "--integrator", "gen-alpha", "--step", 0.1))


if __name__ == "__main__":
    unittest.main()
