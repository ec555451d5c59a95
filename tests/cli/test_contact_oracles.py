# SPDX-License-Identifier: Apache-2.0
"""test_contact_oracles.py APPELL: bounces with friction against closed forms, and against equations of motion written anew here.

Nothing of the engine is shared: impulses of Coulomb by hand, and Runge and Kutta's method on the equations of one body.
"""
import math
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py

APPELL = Path(sys.argv.pop(1)).resolve()
G = 9.81


def hu_guo(e):
    return 1.5 * (1 - e) / e


def rk4(rate, y, h):
    a = rate(y)
    b = rate([x + 0.5 * h * k for x, k in zip(y, a)])
    c = rate([x + 0.5 * h * k for x, k in zip(y, b)])
    d = rate([x + h * k for x, k in zip(y, c)])
    return [x + h / 6 * (k + 2 * l + 2 * m + n) for x, k, l, m, n in zip(y, a, b, c, d)]


def through_contact(rate, depth, y, h):
    """From where the depth is zero to where it is zero again: time and state. The last step is cut by secants."""
    t, y = h, rk4(rate, y, h)
    while True:
        after = rk4(rate, y, h)
        if depth(after) <= 0:
            break
        t, y = t + h, after
    a, ga, b, gb = 0.0, depth(y), h, depth(after)
    for _ in range(5):
        x = b - gb * (b - a) / (gb - ga)
        a, ga, b, gb = b, gb, x, depth(rk4(rate, y, x))
        if gb == ga:
            break
    return t + b, rk4(rate, y, b)


class Oracles(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def run_model(self, text, every):
        Path("m.yaml").write_text(text)
        done = subprocess.run([APPELL, "run", "m.yaml", "-o", "r.h5", "--integrator", "dop853", "--tolerance", "1e-12",
                               "--output-every", str(every)], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File("r.h5") as file:
            names = [row["name"].decode() for row in file["channels"]]
            return {name: file["rows"][:, i] for i, name in enumerate(names)}

    def near(self, got, want, tolerance, what):
        self.assertLess(abs(got - want), tolerance, f"{what}: {got!r}, expected {want!r}")

    def test_rigid_bounce_of_a_spinning_ball(self):
        # slip s of the lowest point; impulses p_n = m (1 + e) v, p_t = -m s / (1 + m r^2 / J) but not more than mu p_n
        m, r, e, height = 0.5, 0.1, 0.7, 0.8
        J = 0.4 * m * r * r
        v = math.sqrt(2 * G * height)
        for mu, vx, wy in ((0.3, 0.4, 0.0), (0.05, 1.5, 0.0), (0.3, 0.0, 15.0), (0.1, 1.0, 60.0), (0.4, 1.0, 10.0)):
            with self.subTest(f"mu {mu} vx {vx} wy {wy}"):
                row = self.run_model(f"""appell: 1
gravity: [0, 0, -{G}]
grounds:
  floor: {{law: {{normal: restitution, restitution: {e}}}, friction: {{law: coulomb, coefficient: {mu}, v0: 1e-3}}}}
contacts:
  - {{on: ball.root, radius: {r}}}
links:
  - {{name: ball, joint: {{type: floating}}, body: {{mass: {m}, inertia: {{xx: {J}, yy: {J}, zz: {J}}}}}}}
start: {{ball.joint.z: {r + height}, ball.joint.vx: {vx}, ball.joint.wy: {wy}}}
run: {{to: 0.8}}
""", 0.1)
                s = vx - r * wy  # w x (-r n)
                stick, most = -m * s / (1 + m * r * r / J), mu * m * (1 + e) * v
                p = max(-most, min(most, stick))
                x, z, t = row["ball.joint.x"], row["ball.joint.z"], row["time"]
                hit = v / G
                self.near((x[7] - x[6]) / 0.1, vx + p / m, 1e-10, "speed along")
                self.near(z[7], r + e * v * (t[7] - hit) - 0.5 * G * (t[7] - hit) ** 2, 1e-11, "height")
                spin = 0.5 * J * (wy - r * p / J) ** 2
                kinetic = 0.5 * m * ((vx + p / m) ** 2 + (e * v - G * (t[7] - hit)) ** 2) + spin
                self.near(row["ledger.kinetic"][7], kinetic, 1e-10, "kinetic energy")

    def test_oblique_drop_of_a_particle(self):
        # it never slips slower than v1, so friction is mu N: what it takes is mu times the impulse of the normal force
        m, K, e, mu, height, vx = 0.7, 1e6, 0.8, 0.25, 0.3, 3.0
        c, v = hu_guo(e), math.sqrt(2 * G * 0.3)
        row = self.run_model(f"""appell: 1
gravity: [0, 0, -{G}]
grounds:
  floor:
    law: {{normal: hu-guo, stiffness: {K}, restitution: {e}}}
    friction: {{law: ambrosio, coefficient: {mu}, v0: 1e-4, v1: 1e-3}}
contacts:
  - {{on: z.root}}
links:
  - {{name: x, joint: {{type: prismatic, axis: x}}, body: {{mass: 0}}}}
  - {{name: z, on: x, joint: {{type: prismatic, axis: z}}, body: {{mass: {m}}}}}
start: {{z.joint.position: {height}, x.joint.position.rate: {vx}}}
run: {{to: 0.3}}
""", 0.1)

        def rate(y):  # depth and its rate
            push = K * max(y[0], 0.0) ** 1.5 * (1 + c * y[1] / v)
            return [y[1], G - push / m]

        # halving these steps changes the answer by 1e-12
        lasts, (_, out) = through_contact(rate, lambda y: y[0], [0.0, v], 1e-6)
        hit = v / G
        impulse = m * (v - out + G * lasts)
        left = row["time"][3] - hit - lasts
        self.near(row["x.joint.position.rate"][3], vx - mu * impulse / m, 1e-9, "speed along")
        self.near(row["z.joint.position.rate"][3], -out - G * left, 1e-9, "speed up")

    def test_rod_falls_on_its_end(self):
        m, a, K, e, mu, v0, height, tilt = 1.3, 0.4, 2e6, 0.6, 0.2, 0.05, 0.25, -1.0
        J, c = m * a * a / 3, hu_guo(e)
        v = math.sqrt(2 * G * height)
        row = self.run_model(f"""appell: 1
gravity: [0, 0, -{G}]
grounds:
  floor:
    law: {{normal: hu-guo, stiffness: {K}, restitution: {e}}}
    friction: {{law: coulomb, coefficient: {mu}, v0: {v0}}}
contacts:
  - {{on: rod.end}}
links:
  - {{name: x, joint: {{type: prismatic, axis: x}}, body: {{mass: 0}}}}
  - {{name: z, on: x, joint: {{type: prismatic, axis: z}}, body: {{mass: 0}}}}
  - name: rod
    on: z
    joint: {{type: revolute, axis: -y}}
    body: {{mass: {m}, inertia: {{xx: 1e-3, yy: {J!r}, zz: {J!r}}}}}
    ports: {{end: {{at: [{a}, 0, 0]}}}}
start: {{z.joint.position: {height - a * math.sin(tilt)!r}, rod.joint.angle: {tilt} rad}}
run: {{to: 0.25}}
""", 0.25)

        def depth(y):
            return -y[1] - a * math.sin(y[2])

        def rate(y):  # x, z, angle and their rates
            _, _, q, vx, vz, w = y
            D, sink, slip = depth(y), -vz - a * math.cos(q) * w, vx - a * math.sin(q) * w
            N = max(K * max(D, 0.0) ** 1.5 * (1 + c * sink / v), 0.0)
            T = -mu * N * slip / math.hypot(slip, v0)
            return [vx, vz, w, T / m, N / m - G, a * (N * math.cos(q) - T * math.sin(q)) / J]

        lasts, y = through_contact(rate, depth, [0.0, -a * math.sin(tilt), tilt, 0.0, -v, 0.0], 5e-7)
        left = 0.25 - v / G - lasts
        self.assertGreater(left, 0)
        self.near(row["x.joint.position"][-1], y[0] + y[3] * left, 1e-10, "x")
        self.near(row["z.joint.position"][-1], y[1] + y[4] * left - 0.5 * G * left * left, 1e-10, "z")
        self.near(row["rod.joint.angle"][-1], y[2] + y[5] * left, 1e-9, "angle")
        self.near(row["rod.joint.angle.rate"][-1], y[5], 1e-8, "spin")


if __name__ == "__main__":
    unittest.main()
