# SPDX-License-Identifier: Apache-2.0
"""Trucks: a steered fork whose centre of mass is off the steering axis, and trailers that lean on their hitch,
against Newton's and Euler's laws written down here for each body.

Nothing below uses the recursion: velocities are differentiated by hand and the laws are projected on the motions that
the wheels allow (Jourdain). Tolerance 1e-10 of the largest number: the coupling of the fork is solved by multipliers,
whose matrix has a condition of about 1e4.
"""
import unittest

import numpy as np

import appell

TOLERANCE = 1e-10
GRAVITY = np.array([1.3, -0.8, -9.7])  # not along the normal: the ground is an incline

BICYCLE = """
appell: 1
gravity: [{gravity}]
links:
  - name: car
    joint: {{type: {kind}, wheelbase: {L}, rear-radius: {r}, front-radius: {r}, rear-inertia: {J}, front-inertia: {J}, steering-inertia: {Js}}}
    body: {{mass: {M}, com: [{cx}, {cy}, {cz}], inertia: {{xx: 2, yy: 5, zz: {I}}}}}
    ports: {{head: {{at: [{L}, 0, 0]}}}}
  - name: fork
    on: car.head
    joint: {{type: revolute, axis: z}}
    body: {{mass: {m}, com: [{e}, {f}, {h}], inertia: {{xx: 0.2, yy: 0.3, zz: {i}}}}}
couplings: {{steer: {{of: fork.joint.angle, to: car.joint.steering}}}}
inputs: {{car.rear: {torque}, handle: {{on: car.joint.steering, value: {handle}}}}}
start: {{car.joint.heading: {heading}, car.joint.steering: {d}, car.joint.speed.rate: {speed}, car.joint.steering.rate: {rate}}}
run: {{to: 0.01, tolerance: 1e-10, loops: {method}}}
record: {{accelerations: true}}
"""

TRAILER = """
appell: 1
gravity: [{gravity}]
links:
  - name: truck
    joint: {{type: differential-drive, wheel-radius: {R}, half-track: 0.5, wheel-inertia: 0.3, castor-ahead: {ahead}}}
    body: {{mass: {M}, com: [{X}, {Y}, {Z}], inertia: {{xx: 20, yy: 40, zz: 30}}}}
    ports: {{hitch: {{at: [{hitch}, 0, {up}]}}}}
  - name: cart
    on: truck.hitch
    joint: {{type: trailer, length: {L}, hitch-height: {h}, wheel-radius: {r}, half-track: 0.6, wheel-inertia: {J}}}
    body: {{mass: {m}, com: [{cx}, {cy}, {cz}], inertia: {{xx: 8, yy: 9, zz: 10, xy: 0.1, xz: {Ixz}, yz: {Iyz}}}}}
    ports: {{axle: {{at: [0, 0, 0]}}, second: {{at: [{back}, 0, {rise}]}}}}
{more}
inputs: {{truck.right: 30, truck.left: -12}}
start: {{truck.joint.heading: {heading}, cart.joint.angle: {angle}, truck.joint.speed: 2.5, truck.joint.turn: 0.7}}
run: {{to: 0.01, tolerance: 1e-10}}
record: {{accelerations: true, ports: [cart.axle, truck.root{ports}]}}
"""

SECOND = """  - name: tail
    on: cart.second
    joint: {type: trailer, length: 1.7, wheel-radius: 0.25, half-track: 0.5, wheel-inertia: 0.2}
    body: {mass: 70, com: [0.3, 0.05, 0.4], inertia: {xx: 5, yy: 6, zz: 7}}
    ports: {axle: {at: [0, 0, 0]}}
"""


def first(model):
    result = model.run()
    return {name: float(values[0]) for name, values in result.items()}


def text_of(vector):
    return ", ".join(repr(float(x)) for x in vector)


class Fork(unittest.TestCase):
    def want(self, p):
        """Accelerations (of the front speed, of the steering), where g is gravity in the axes of the ground."""
        s, c, L = np.sin(p["d"]), np.cos(p["d"]), p["L"]
        u, rate = p["u"], p["rate"]
        w = u * s / L
        W = w + rate  # the fork turns
        ch, sh = np.cos(p["heading"]), np.sin(p["heading"])
        g_car = np.array([[ch, sh], [-sh, ch]]) @ GRAVITY[:2]
        g_fork = np.array([[c, s], [-s, c]]) @ g_car

        # velocities of the centres of mass in the axes of their bodies are linear in (u, rate): B (u, rate)
        def chassis(s, c):
            return np.array([[c - s / L * p["cy"], 0], [s / L * p["cx"], 0]])

        B = chassis(s, c)
        dB = rate * np.array([[-s - c / L * p["cy"], 0], [c / L * p["cx"], 0]])
        # the axle moves at u along the fork; W = (s / L) u + rate
        turn = np.array([s / L, 1.0])
        dturn = rate * np.array([c / L, 0.0])
        F = np.array([[1.0, 0.0], [0.0, 0.0]]) + np.outer([-p["f"], p["e"]], turn)
        dF = np.outer([-p["f"], p["e"]], dturn)
        v = np.array([u, rate])

        mass = p["M"] * B.T @ B + p["m"] * F.T @ F
        left = p["M"] * B.T @ (dB @ v + w * np.array([-(B @ v)[1], (B @ v)[0]]) - g_car)
        left = left + p["m"] * F.T @ (dF @ v + W * np.array([-(F @ v)[1], (F @ v)[0]]) - g_fork)
        car_turn, dcar_turn = np.array([s / L, 0.0]), rate * np.array([c / L, 0.0])
        for inertia, row, drow in ((p["I"], car_turn, dcar_turn), (p["i"] + p["Js"], turn, dturn),
                                   (p["J"], np.array([c / p["r"], 0]), rate * np.array([-s / p["r"], 0])),
                                   (p["J"], np.array([1 / p["r"], 0]), np.zeros(2))):
            mass = mass + inertia * np.outer(row, row)
            left = left + inertia * row * (drow @ v)
        force = p["torque"] * np.array([c / p["r"], 0]) + p["handle"] * np.array([0.0, 1.0])
        return np.linalg.solve(mass, force - left)

    def test_against_jourdain(self):
        random = np.random.default_rng(7)
        for method in ("multipliers", "reduced"):
            for kind in ("car-front", "car-rear"):
                for _ in range(3):
                    p = {"L": 1.2, "r": 0.3, "J": 0.06, "Js": 0.01, "M": 40, "I": 5, "m": 6, "i": 0.2, "cz": 0.4, "h": 0.3}
                    for name, size in (("cx", 0.6), ("cy", 0.1), ("e", 0.2), ("f", 0.1), ("d", 0.9), ("heading", 2),
                                       ("u", 3), ("rate", 1.5), ("torque", 10), ("handle", 4)):
                        p[name] = float(random.uniform(-size, size))
                    c, s = np.cos(p["d"]), np.sin(p["d"])
                    speed = p["u"] if kind == "car-front" else p["u"] * c
                    row = first(appell.parse(BICYCLE.format(gravity=text_of(GRAVITY), kind=kind, method=method, speed=speed,
                                                            **p)))
                    want = self.want(p)
                    if kind == "car-rear":  # speed = u cos
                        want[0] = want[0] * c - p["u"] * s * p["rate"]
                    got = [row["car.joint.speed.rate.rate"], row["car.joint.steering.rate.rate"]]
                    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE * max(abs(want)))
                    self.check_loads(row, p)

    def check_loads(self, row, p):
        """Both wheels carry all weights."""
        weight = -GRAVITY[2] * (p["M"] + p["m"])
        self.assertAlmostEqual(row["car.ground.normal"], weight, delta=1e-10 * weight)
        self.assertAlmostEqual(row["car.rear.load"] + row["car.front.load"], weight, delta=1e-10 * weight)

    def test_at_rest(self):
        """At rest on level ground the front wheel carries what levers say, the fork at its angle included."""
        p = {"L": 1.2, "r": 0.3, "J": 0.06, "Js": 0.01, "M": 40, "I": 5, "m": 6, "i": 0.2, "cz": 0.4, "h": 0.3, "cx": 0.5,
             "cy": 0, "e": 0.2, "f": 0.0, "d": 0.8, "heading": 1, "speed": 0, "rate": 0, "torque": 0, "handle": 0}
        row = first(appell.parse(BICYCLE.format(gravity="0, 0, -10", kind="car-front", method="multipliers", **p)))
        front = 10 * (40 * 0.5 + 6 * (1.2 + 0.2 * np.cos(0.8))) / 1.2
        self.assertAlmostEqual(row["car.front.load"], front, delta=1e-9)
        self.assertAlmostEqual(row["car.rear.load"], 460 - front, delta=1e-9)


class Hitch(unittest.TestCase):
    numbers = {"R": 0.4, "ahead": 1.1, "M": 900, "X": 0.5, "Y": 0.1, "Z": 0.5, "hitch": -0.6, "up": 0.2, "L": 2.1, "h": 0.25,
               "r": 0.35, "J": 0.4, "m": 300, "cx": 0.35, "cy": -0.1, "cz": 0.6, "Ixz": 0.7, "Iyz": -0.4, "heading": 0.6,
               "angle": 0.5, "back": -0.5, "rise": -0.1}

    def leaning(self, row, name, com, mass, Ixz, Iyz, J, r, L, h, inner=None):
        """The force of the hitch on a trailer (forward, left, up) and the load on its axle, by the balance of forces
        and of the moments about the middle of its axle. `inner`: what a second trailer does, (place, force)."""
        heading = row["truck.joint.heading"] + sum(row[f"{x}.joint.angle"] for x in ("cart", "tail")[:1 + (name == "tail")])
        c, s = np.cos(heading), np.sin(heading)
        R = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        a = R @ [row[f"{name}.axle.acceleration.{x}"] for x in "xyz"]
        v = R @ [row[f"{name}.axle.velocity.{x}"] for x in "xyz"]
        w = row[f"{name}.axle.spin.z"]
        g = R @ GRAVITY
        turn = row[f"{name}.turn"]
        self.assertAlmostEqual(v[1], 0, delta=1e-12)
        com = np.array(com)
        w_, z = np.array([0, 0, w]), np.array([0, 0, turn])
        need = mass * (a + np.cross(z, com) + np.cross(w_, np.cross(w_, com)) - g)
        moment = np.cross(com, need) + [Ixz * turn - Iyz * w * w, Iyz * turn + Ixz * w * w, 0]
        spins = 2 * a[0] / r  # of both wheels together: (v +- b w)/r
        moment[1] += J * spins
        traction = -J * spins / r  # nothing drives them
        if inner is not None:
            need = need - inner[1]
            moment = moment - np.cross(inner[0], inner[1])
        # hitch (x, y, z) at (L, 0, h), ground (traction, lateral, N) at r below; about y: h x - L z - r traction
        x = need[0] - traction
        z = (h * x - r * traction - moment[1]) / L
        return x, z, need[2] - z

    def test_one_trailer(self):
        p = self.numbers
        model = appell.parse(TRAILER.format(gravity=text_of(GRAVITY), more="", ports=", truck.hitch", **p))
        row = first(model)
        row["cart.turn"] = self.turn_of(row, "cart", "truck.hitch", p["L"])
        x, lift, load = self.leaning(row, "cart", (p["cx"], p["cy"], p["cz"]), p["m"], p["Ixz"], p["Iyz"], p["J"], p["r"],
                                     p["L"], p["h"])
        size = 10 * (p["M"] + p["m"])
        self.assertGreater(abs(lift), 100)
        self.assertAlmostEqual(row["cart.hitch.forward"], x, delta=TOLERANCE * size)
        self.assertAlmostEqual(row["cart.hitch.load"], lift, delta=TOLERANCE * size)
        self.assertAlmostEqual(row["cart.ground.normal"], load, delta=TOLERANCE * size)
        self.assertAlmostEqual(row["cart.right.load"] + row["cart.left.load"], load, delta=TOLERANCE * size)
        # all weights together are carried
        self.assertAlmostEqual(row["truck.ground.normal"] + row["cart.ground.normal"], -GRAVITY[2] * (p["M"] + p["m"]),
                               delta=TOLERANCE * size)

    def turn_of(self, row, name, hitch, length):
        """w' from the accelerations of the two ends of the drawbar: a_hitch - a_axle = w' z x d - w^2 d."""
        a = np.array([row[f"{hitch}.acceleration.{x}"] - row[f"{name}.axle.acceleration.{x}"] for x in "xy"])
        d = np.array([row[f"{hitch}.position.{x}"] - row[f"{name}.axle.position.{x}"] for x in "xy"])
        self.assertAlmostEqual(np.hypot(*d), length, delta=1e-12)
        return (d[0] * a[1] - d[1] * a[0]) / length ** 2

    def test_two_trailers(self):
        p = self.numbers
        model = appell.parse(TRAILER.format(gravity=text_of(GRAVITY), more=SECOND, ports=", truck.hitch, cart.second, tail.axle", **p))
        row = first(model)
        row["cart.turn"] = self.turn_of(row, "cart", "truck.hitch", p["L"])
        row["tail.turn"] = self.turn_of(row, "tail", "cart.second", 1.7)
        x, lift, load = self.leaning(row, "tail", (0.3, 0.05, 0.4), 70, 0, 0, 0.2, 0.25, 1.7, 0)
        size = 10 * (p["M"] + p["m"] + 70)
        self.assertAlmostEqual(row["tail.hitch.load"], lift, delta=TOLERANCE * size)
        self.assertAlmostEqual(row["tail.hitch.forward"], x, delta=TOLERANCE * size)
        # the tail's pull on the cart, in the cart's axes
        angle = row["tail.joint.angle"]
        c, s = np.cos(angle), np.sin(angle)
        pull = -np.array([c * x - s * row["tail.hitch.lateral"], s * x + c * row["tail.hitch.lateral"], lift])
        x, lift, load = self.leaning(row, "cart", (p["cx"], p["cy"], p["cz"]), p["m"], p["Ixz"], p["Iyz"], p["J"], p["r"],
                                     p["L"], p["h"], (np.array([p["back"], 0, p["rise"]]), pull))
        self.assertAlmostEqual(row["cart.hitch.load"], lift, delta=TOLERANCE * size)
        self.assertAlmostEqual(row["cart.ground.normal"], load, delta=TOLERANCE * size)
        total = sum(row[f"{name}.ground.normal"] for name in ("truck", "cart", "tail"))
        self.assertAlmostEqual(total, -GRAVITY[2] * (p["M"] + p["m"] + 70), delta=TOLERANCE * size)

    def test_truck_at_rest(self):
        """Level and at rest: castor and wheels of the truck carry what levers say, the tongue load included."""
        p = dict(self.numbers, angle=0, Ixz=0, Iyz=0)
        text = TRAILER.format(gravity="0, 0, -10", more="", ports="", **p).replace("truck.right: 30, truck.left: -12",
                                                                                   "truck.right: 0")
        text = text.replace("speed: 2.5", "speed: 0").replace("turn: 0.7", "turn: 0")
        row = first(appell.parse(text))
        tongue = 3000 * 0.35 / 2.1
        castor = (9000 * 0.5 - tongue * 0.6) / 1.1
        self.assertAlmostEqual(row["cart.hitch.load"], tongue, delta=1e-9)
        self.assertAlmostEqual(row["truck.right.load"] + row["truck.left.load"], 9000 + tongue - castor, delta=1e-8)


if __name__ == "__main__":
    unittest.main()
