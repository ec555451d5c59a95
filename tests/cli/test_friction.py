# SPDX-License-Identifier: Apache-2.0
"""test_friction.py APPELL DATA: friction with a coefficient on each half-axis, in axes of the ground or of the link.

Sources: shared reference snake/lateral_viscous.csv (an independent simulation, its own convergence 3e-11); point masses
integrated here by RK4 from the formulas of docs/theory/contact.md; closed forms of rest on an incline.
"""
import csv
import math
import sys
import unittest
from pathlib import Path

from command import Case, appell

DATA = Path(sys.argv.pop(1)).resolve()
G = 9.81


def undulation(friction, run, n=10, length=0.14):
    """n links of 1 kg in the horizontal plane, each rubbed at its centre, with the gait of lateral_viscous.csv."""
    text = "appell: 1\nlinks:\n"
    for i in range(1, n + 1):
        on = "" if i == 1 else f", on: l{i - 1}.end"
        joint = "{type: planar, normal: z}" if i == 1 else "{type: revolute, axis: z, prescribed: true}"
        text += (f"  - {{name: l{i}{on}, joint: {joint}, body: {{mass: 1, com: [{length / 2}, 0, 0], "
                 f"inertia: {{zz: {length**2 / 12!r}}}}}, ports: {{end: {{at: [{length}, 0, 0]}}, c: {{at: [{length / 2}, 0, 0]}}}}}}\n")
    text += f"grounds: {{floor: {{law: {{normal: restitution}}, friction: {{{friction}}}}}}}\ncontacts:\n"
    text += "".join(f"  - {{on: l{i}.c, load: {G}}}\n" for i in range(1, n + 1))
    text += f"gaits: [{{type: wave, chain: [l1, l{n}], amplitude: 30 deg, frequency: 0.5 Hz, step: 40 deg, ramp-up: 1 s}}]\n"
    return text + f"start: {{l1.joint.x: {-n * length / 2!r}}}\nrun: {{{run}}}\n"


def puck(friction, run, gravity=(0, 0, 0), start=(0, 0, 0), speed=(0, 0, 0), direction=""):
    """A body of 2 kg on a plane, rubbed at its centre of mass by its weight."""
    return f"""appell: 1
gravity: [{gravity[0]!r}, {gravity[1]!r}, {gravity[2]!r}]
links: [{{name: b, joint: planar, body: {{mass: 2, inertia: {{zz: 0.1}}}}}}]
grounds: {{g: {{law: {{normal: restitution}}, friction: {{{friction}}}{direction}}}}}
contacts: [{{on: b.root, load: {2 * (-gravity[2] or G)!r}}}]
start: {{b.joint.x: {start[0]!r}, b.joint.y: {start[1]!r}, b.joint.angle: {start[2]!r}, b.joint.x.rate: {speed[0]!r},
  b.joint.y.rate: {speed[1]!r}, b.joint.angle.rate: {speed[2]!r}}}
run: {{{run}}}
"""


def force(law, mu, v0, v):
    """Force per unit of load for slip v; mu: forward, backward, left, right."""
    a = (mu[0] if v[0] >= 0 else mu[1], mu[2] if v[1] >= 0 else mu[3])
    if law == "decoupled":
        return [-a[i] * v[i] / math.hypot(v[i], v0) for i in range(2)]
    if law == "coupled":
        return [-a[i] * v[i] / math.hypot(v[0], v[1], v0) for i in range(2)]
    size = math.hypot(a[0] * v[0], a[1] * v[1])
    s = math.hypot(v[0], v[1])
    return [-a[i] ** 2 * v[i] / size * s / math.hypot(s, v0) for i in range(2)]


def slide(law, mu, v0, v, turn, to, n=20000):
    """x, y of a point that slides while its axes turn at `turn` [rad/s], by RK4."""
    def rate(t, y):
        c, s = math.cos(turn * t), math.sin(turn * t)
        f = force(law, mu, v0, (c * y[2] + s * y[3], -s * y[2] + c * y[3]))
        return [y[2], y[3], G * (c * f[0] - s * f[1]), G * (s * f[0] + c * f[1])]

    y, h = [0.0, 0.0, *v], to / n
    for i in range(n):
        t = i * h
        k1 = rate(t, y)
        k2 = rate(t + h / 2, [a + h / 2 * b for a, b in zip(y, k1)])
        k3 = rate(t + h / 2, [a + h / 2 * b for a, b in zip(y, k2)])
        k4 = rate(t + h, [a + h * b for a, b in zip(y, k3)])
        y = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]
    return y


MU = (0.1, 0.3, 0.5, 0.4)
WORDS = "axes: link, coefficient: 0.1, backward: 0.3, left: 0.5, right: 0.4"


class Friction(Case):
    def run_model(self, text, *words):
        Path("m.yaml").write_text(text)
        done = appell("run", "m.yaml", "--csv", "m.csv", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open("m.csv") as file:
            rows = list(csv.reader(file))
        return [dict(zip(rows[0], map(float, row))) for row in rows[1:]]

    def refused(self, text):
        Path("m.yaml").write_text(text)
        done = appell("run", "m.yaml")
        self.assertEqual(done.returncode, 1)
        return done.stderr

    # ------------------------------------------------------------------------------ lateral undulation

    def test_viscous_undulation_is_that_of_the_reference(self):
        """1e-8 is the promise of the spec; the reference itself is good to 3e-11."""
        n, length = 10, 0.14
        got = self.run_model(undulation("law: viscous, axes: link, drag: 0.5, drag-across: 3",
                                        "to: 10, integrator: rkf78, tolerance: 1e-11, output-every: 0.25"))
        with open(DATA / "snake" / "lateral_viscous.csv") as file:
            want = list(csv.DictReader(file))
        self.assertEqual(len(want), len(got))
        for w, g in zip(want, got):
            w = {k: float(x) for k, x in w.items()}
            x, y, phi = g["l1.joint.x"], g["l1.joint.y"], g["l1.joint.angle"]
            vx, vy, rate = g["l1.joint.x.rate"], g["l1.joint.y.rate"], g["l1.joint.angle.rate"]
            centre, speed, power = [0, 0], [0, 0], 0
            for i in range(1, n + 1):
                if i > 1:
                    phi += g[f"l{i}.joint.angle"]
                    rate += g[f"l{i}.joint.angle.rate"]
                    self.assertAlmostEqual(g[f"l{i}.joint.angle.effort"], w[f"tau_P{i}"], delta=1e-8)
                    power += g[f"l{i}.joint.angle.effort"] * g[f"l{i}.joint.angle.rate"]
                ex, ey = math.cos(phi), math.sin(phi)
                centre = [centre[0] + (x + length / 2 * ex) / n, centre[1] + (y + length / 2 * ey) / n]
                speed = [speed[0] + (vx - length / 2 * rate * ey) / n, speed[1] + (vy + length / 2 * rate * ex) / n]
                x, y = x + length * ex, y + length * ey
                vx, vy = vx - length * rate * ey, vy + length * rate * ex
            for mine, name in [(centre[0], "xG"), (centre[1], "yG"), (g["l1.joint.angle"], "phi1"), (speed[0], "vGx"),
                               (speed[1], "vGy"), (g["l1.joint.angle.rate"], "phi1d"), (power, "P_joint")]:
                self.assertAlmostEqual(mine, w[name], delta=1e-8, msg=f"{name} at {w['t']}")

    def test_time_steps_go_to_the_located_motion(self):
        """Set-valued friction of both drivers is one law: the steps' error halves with the step, and prescribed joints
        do the same work."""
        friction = f"law: coulomb-stiction, {WORDS}"
        exact = self.run_model(undulation(friction, "to: 2, tolerance: 1e-9, output-every: 0.5", n=5))[-1]
        error = []
        for step in (1e-3, 5e-4):
            got = self.run_model(undulation(friction, f"to: 2, integrator: moreau, step: {step}, output-every: 0.5", n=5))[-1]
            error.append(math.hypot(got["l1.joint.x"] - exact["l1.joint.x"], got["l1.joint.y"] - exact["l1.joint.y"]))
            self.assertAlmostEqual(got["ledger.effort"], exact["ledger.effort"], delta=0.01 * exact["ledger.effort"])
            # what the ledger does not account for is the error of the method: first order
            self.assertLess(abs(got["ledger.error"]), 2.0 * step * 20)
        self.assertLess(error[0], 5e-3)
        self.assertLess(error[1], 0.65 * error[0])

    # ------------------------------------------------------------------------------------ single bodies

    def test_laws_on_all_half_axes(self):
        """A puck that turns slides over all four quadrants of its axes. Both integrations are good to 1e-9."""
        for law, word in (("most", "coulomb"), ("coupled", "coupled"), ("decoupled", "decoupled")):
            with self.subTest(law=word):
                want = slide(law, MU, 0.02, (3.0, 1.0), 12.0, 0.5)
                got = self.run_model(puck(f"law: {word}, v0: 0.02, {WORDS}", "to: 0.5, tolerance: 1e-11, output-every: 0.5",
                                          speed=(3.0, 1.0, 12.0)))[-1]
                self.assertAlmostEqual(got["b.joint.x"], want[0], delta=1e-8)
                self.assertAlmostEqual(got["b.joint.y"], want[1], delta=1e-8)

    def test_sliding_with_stiction(self):
        """While it slips, v0 plays no part: the same formula with v0 = 0."""
        want = slide("most", MU, 0.0, (3.0, 1.0), 12.0, 0.5)
        text = puck(f"law: coulomb-stiction, {WORDS}", "to: 0.5, tolerance: 1e-11, output-every: 0.5", speed=(3.0, 1.0, 12.0))
        got = self.run_model(text)[-1]
        self.assertAlmostEqual(got["b.joint.x"], want[0], delta=1e-8)
        self.assertAlmostEqual(got["b.joint.y"], want[1], delta=1e-8)
        # the error of time steps is of first order, and small: 0.1 ms
        got = self.run_model(text, "--integrator", "moreau", "--step", "1e-4")[-1]
        self.assertAlmostEqual(got["b.joint.x"], want[0], delta=1e-3)
        self.assertAlmostEqual(got["b.joint.y"], want[1], delta=1e-3)

    def test_axes_of_the_ground_do_not_turn(self):
        """Along `direction` of the ground the puck stops after v^2 / (2 mu g), whichever way it looks."""
        for v, mu in ((2.0, 0.1), (-2.0, 0.3)):
            got = self.run_model(puck("law: coulomb-stiction, coefficient: 0.1, backward: 0.3, across: 0.7", "to: 3, tolerance: 1e-9",
                                      start=(0, 0, 1.0), speed=(0, v, 0),
                                      direction=", direction: [0, 1, 0]"))[-1]
            self.assertAlmostEqual(got["b.joint.y"], math.copysign(v * v / (2 * mu * G), v), delta=1e-6)
            self.assertAlmostEqual(got["b.joint.x"], 0, delta=1e-9)

    def test_coefficients_of_zero(self):
        """Backward without friction the puck goes on for ever; across and forward it stops after v^2 / (2 mu g). Zero was taken for
        `as coefficient`."""
        for law, run in (("coulomb-stiction, coefficient: 0.1", "tolerance: 1e-9"), ("coulomb, v0: 1e-6, coefficient: 0.1", "tolerance: 1e-9"),
                         ("coupled, v0: 1e-6, coefficient: 0.1", "tolerance: 1e-9"),
                         ("coulomb-stiction, coefficient: 0.1", "integrator: moreau, step: 0.1 ms")):
            for speed, want in (((-2.0, 0), (-6.0, 0)), ((2.0, 0), (4 / (0.2 * G), 0)), ((0, 2.0), (0, 4 / (0.6 * G))), ((0, -2.0), (0, -6.0))):
                got = self.run_model(puck(f"law: {law}, backward: 0, across: 0.3, right: 0", f"to: 3, {run}", speed=(*speed, 0),
                                          direction=", direction: [1, 0, 0]"))[-1]
                self.assertAlmostEqual(got["b.joint.x"], want[0], delta=1e-3, msg=(law, run, speed))
                self.assertAlmostEqual(got["b.joint.y"], want[1], delta=1e-3, msg=(law, run, speed))

    def test_rest_on_an_incline_ends_at_the_ellipse(self):
        """It rests while (c/mu_1)^2 + (s/mu_2)^2 <= 1/tan^2, c and s of the uphill force in its own axes."""
        turn = 0.7
        # friction pushes uphill (+x): in the axes of the body along (cos, -sin), against slip backward and to the left
        limit = 1 / math.hypot(math.cos(turn) / MU[1], math.sin(turn) / MU[2])
        for share, run in ((0.99, "tolerance: 1e-8"), (1.01, "tolerance: 1e-8"), (0.99, "integrator: moreau, step: 1 ms"),
                           (1.01, "integrator: moreau, step: 1 ms")):
            psi = math.atan(share * limit)
            got = self.run_model(puck(f"law: coulomb-stiction, {WORDS}", f"to: 20, {run}, output-every: 20",
                                      gravity=(-G * math.sin(psi), 0, -G * math.cos(psi)), start=(0, 0, turn)))[-1]
            way = math.hypot(got["b.joint.x"], got["b.joint.y"])
            if share < 1:
                self.assertLess(way, 1e-9, run)
            else:
                # 1 % too steep: 0.005 to 0.02 m/s^2 over 20 s
                self.assertGreater(way, 0.5, run)

    # ----------------------------------------------------------------------------------------- bad input

    def test_refusals(self):
        for friction, sentence in (
                ("law: viscous, axes: link", "the law viscous needs `drag` in N s/m or `viscous` in s/m"),
                ("law: coulomb, coefficient: 0.1, v0: 1e-3, drag: 2", "drag is for the law viscous"),
                ("law: coulomb, coefficient: 0.1, v0: 1e-3, backward: -1", "backward must not be negative, got -1"),
                ("law: coulomb, coefficient: 0.1, v0: 1e-3, axes: body", "axes"),
                ("law: coupled, coefficient: 0.1", "needs `v0`"),
                ("law: lugre, coefficient: 0.1, stribeck-speed: 0.1, bristle-stiffness: 100, across: 1", "lugre has one coefficient"),
                ("law: lugre, coefficient: 0.1, stribeck-speed: 0.1, bristle-stiffness: 100, left: 1", "lugre has one coefficient")):
            self.assertIn(sentence, self.refused(puck(friction, "to: 1")), friction)
        self.assertIn("load must be positive", self.refused(puck("law: none", "to: 1").replace("load: ", "load: -")))
        self.assertIn("has the friction law coupled, which the integrator moreau cannot handle: use auto, ",
                      self.refused(puck("law: coupled, coefficient: 0.1, v0: 1e-3", "to: 1, integrator: moreau, step: 1 ms")))


if __name__ == "__main__":
    unittest.main()
