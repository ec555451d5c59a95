# SPDX-License-Identifier: Apache-2.0
"""test_assembly.py [CASES]: robots with loops start where their files say. States of four robots are computed in closed form; some of
their values, chosen at random, are given to the robot, bit for bit, and the others must follow. Sets that cannot hold together must be
refused with the distance by which the loops stay open, which is known in closed form, too.

CASES (25) of each kind for each robot; 98 of 100 must assemble."""
import math
import random
import re
import sys
import unittest
from pathlib import Path

import numpy as np

import appell

CASES = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 25
MODELS = Path(__file__).resolve().parents[2] / "models"
CLOSED = 1e-12  # what an assembly promises


def points(text, key):
    """Places in a file: {name: [x, y, z]} of lines like `name: {at: [x, y, z]}` and links with `at`."""
    return {n: np.array([float(x) for x in p.split(",")]) for n, p in re.findall(key, text)}


def turn_z(a):
    return np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])


def quaternion_of(R):
    """w x y z of a rotation, by the largest of the four."""
    s = np.array([1 + R[0, 0] + R[1, 1] + R[2, 2], 1 + R[0, 0] - R[1, 1] - R[2, 2], 1 - R[0, 0] + R[1, 1] - R[2, 2],
                  1 - R[0, 0] - R[1, 1] + R[2, 2]])
    w, x, y, z = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], 0
    rows = [[s[0], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [R[2, 1] - R[1, 2], s[1], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
            [R[0, 2] - R[2, 0], R[0, 1] + R[1, 0], s[2], R[1, 2] + R[2, 1]],
            [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], s[3]]]
    q = np.array(rows[int(np.argmax(s))])
    return q / np.linalg.norm(q)


def rotation_of(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


class Delta:
    """Arms of 0.3 m about y at 0.2 m, rods of 0.8 m, platform of 0.05 m."""

    file = "delta.yaml"

    def place(self, rng):
        self.p = np.array([rng.uniform(-0.2, 0.2), rng.uniform(-0.2, 0.2), rng.uniform(-0.9, -0.6)])
        q = {}
        for i in (1, 2, 3):
            w = turn_z(-(i - 1) * 2 * math.pi / 3) @ self.p - [0.15, 0, 0]
            # |w - 0.3 (cos, 0, -sin)| = 0.8, elbow outward
            least = math.acos((w @ w + 0.09 - 0.64) / 0.6 / math.hypot(w[0], w[2]))
            arm = max((math.atan2(-w[2], w[0]) + s * least for s in (1, -1)), key=math.cos)
            d = w - 0.3 * np.array([math.cos(arm), 0, -math.sin(arm)])
            e = np.array([math.cos(arm) * d[0] - math.sin(arm) * d[2], d[1], math.sin(arm) * d[0] + math.cos(arm) * d[2]]) / 0.8
            q[f"arm{i}.joint.angle"] = math.remainder(arm, 2 * math.pi)
            for side in ("plus", "minus"):
                q[f"rod{i}-{side}.joint.angle1"] = math.atan2(-e[2], e[0])
                q[f"rod{i}-{side}.joint.angle2"] = math.asin(e[1])
        q.update(zip((f"platform.joint.{n}" for n in ("x", "y", "z", "qw", "qx", "qy", "qz")), [*self.p.tolist(), 1.0, 0.0, 0.0, 0.0]))
        return q

    def contradict(self, rng, q):
        """The platform, and an arm that is turned: its rods do not reach, or reach too far."""
        i, off = rng.randrange(1, 4), rng.choice((-1, 1)) * 10 ** rng.uniform(-3, -0.5)
        given = {n: x for n, x in q.items() if n.startswith("platform")}
        given[f"arm{i}.joint.angle"] = arm = q[f"arm{i}.joint.angle"] + off
        w = turn_z(-(i - 1) * 2 * math.pi / 3) @ self.p - [0.15, 0, 0]
        return given, abs(np.linalg.norm(w - 0.3 * np.array([math.cos(arm), 0, -math.sin(arm)])) - 0.8)


class Stewart:
    """Six legs with universal joints about x, y below and balls above."""

    file = "stewart.yaml"

    def __init__(self):
        text = (MODELS / self.file).read_text()
        self.base = points(text, r"name: (barrel\d)\n    at: \[([^\]]*)\]")
        self.ball = points(text, r"(ball\d): \{at: \[([^\]]*)\]\}")

    def place(self, rng):
        p = np.array([rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1), rng.uniform(0.5, 0.7)])
        axis = np.array([rng.gauss(0, 1) for _ in range(3)])
        half = rng.uniform(0, 0.25)
        turn = np.array([math.cos(half), *(math.sin(half) * axis / np.linalg.norm(axis))])
        q = {}
        for i in range(1, 7):
            d = p + rotation_of(turn) @ self.ball[f"ball{i}"] - self.base[f"barrel{i}"]
            length = float(np.linalg.norm(d))
            q[f"barrel{i}.joint.angle1"] = math.atan2(-d[1], d[2])
            q[f"barrel{i}.joint.angle2"] = math.asin(d[0] / length)
            q[f"piston{i}.joint.position"] = length
        q.update(zip((f"plate.joint.{n}" for n in ("x", "y", "z", "qw", "qx", "qy", "qz")), [*p.tolist(), *turn.tolist()]))
        return q

    def contradict(self, rng, q):
        """The plate, and a leg of another length."""
        off = rng.choice((-1, 1)) * 10 ** rng.uniform(-4, -1)
        given = {n: x for n, x in q.items() if n.startswith("plate")}
        leg = f"piston{rng.randrange(1, 7)}.joint.position"
        given[leg] = q[leg] + off
        return given, abs(off)


class Planar:
    """3RRR: cranks of 0.4 m and rods of 0.6 m."""

    file = "falling-3rrr.yaml"

    def __init__(self):
        text = (MODELS / self.file).read_text()
        self.base = points(text, r"name: (crank\d)\n    at: \[([^\]]*)\]")
        self.pin = points(text, r"(pin\d): \{at: \[([^\]]*)\]\}")

    def place(self, rng):
        x, y, angle = rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1), rng.uniform(-0.4, 0.4)
        self.p, self.angle = np.array([x, y, 0]), angle
        q = {}
        for i in (1, 2, 3):
            d = self.reach(i)
            rod = math.acos((d @ d - 0.52) / 0.48)
            q[f"crank{i}.joint.angle"] = math.remainder(
                math.atan2(d[1], d[0]) - math.atan2(0.6 * math.sin(rod), 0.4 + 0.6 * math.cos(rod)), 2 * math.pi)
            q[f"rod{i}.joint.angle"] = rod
        q.update({"platform.joint.x": x, "platform.joint.y": y, "platform.joint.angle": angle})
        return q

    def reach(self, i):
        return self.p + turn_z(self.angle) @ self.pin[f"pin{i}"] - self.base[f"crank{i}"]

    def contradict(self, rng, q):
        """The platform, and a crank that is turned."""
        i, off = rng.randrange(1, 4), rng.choice((-1, 1)) * 10 ** rng.uniform(-3, -0.5)
        given = {n: x for n, x in q.items() if n.startswith("platform")}
        given[f"crank{i}.joint.angle"] = angle = q[f"crank{i}.joint.angle"] + off
        return given, abs(np.linalg.norm(self.reach(i) - 0.4 * np.array([math.cos(angle), math.sin(angle), 0])) - 0.6)


class Rsur:
    """A crank of 0.2 m about z, a rocker of 0.4 m about x at (0.5, 0.3, 0), and a coupler between them."""

    file = "rsur.yaml"
    length = 0.559884164247854

    @staticmethod
    def ends(crank, rocker):
        return (np.array([0.2 * math.cos(crank), 0.2 * math.sin(crank), 0]),
                np.array([0.5, 0.3 + 0.4 * math.cos(rocker), 0.4 * math.sin(rocker)]))

    def place(self, rng):
        while True:
            crank = rng.uniform(-math.pi, math.pi)
            c, _ = self.ends(crank, 0)
            cosine = (self.length**2 - (0.5 - c[0])**2 - (0.3 - c[1])**2 - 0.16) / (0.8 * (0.3 - c[1]))
            if abs(cosine) < 0.99:
                break
        rocker = math.acos(cosine)
        c, e = self.ends(crank, rocker)
        x = (e - c) / self.length
        y = np.cross(x, [1, 0, 0]) * rng.choice((1, -1))
        y /= np.linalg.norm(y)
        R = turn_z(-crank) @ np.column_stack([x, y, np.cross(x, y)])
        q = {"crank.joint.angle": crank, "rocker.joint.angle": rocker}
        q.update(zip((f"coupler.joint.{n}" for n in ("qw", "qx", "qy", "qz")), quaternion_of(R).tolist()))
        return q

    def contradict(self, rng, q):
        """Crank and rocker, one of them turned: their ends are not as far apart as the coupler is long."""
        while True:
            given = {n: q[n] for n in ("crank.joint.angle", "rocker.joint.angle")}
            given[rng.choice(sorted(given))] += rng.choice((-1, 1)) * 10 ** rng.uniform(-3, -0.5)
            c, e = self.ends(given["crank.joint.angle"], given["rocker.joint.angle"])
            open_by = abs(np.linalg.norm(e - c) - self.length)
            if open_by > 1e-4:
                return given, open_by


def started(robot, given):
    """The robot with this `start` alone."""
    text = (MODELS / robot.file).read_text()
    block = "start: {%s}\n" % ", ".join(f"{n}: {x!r}" for n, x in given.items())
    return appell.parse(re.sub(r"^start:.*?(?=^run:)", lambda _: block, text, flags=re.S | re.M), name=robot.file)


class Assembly(unittest.TestCase):
    def robots(self):
        for kind in (Delta, Stewart, Planar, Rsur):
            yield kind(), random.Random(f"assembly {kind.__name__}")

    def test_closed_forms(self):
        # the states of this test are closed, so that all of their values together are kept
        for robot, rng in self.robots():
            for _ in range(CASES):
                q = robot.place(rng)
                state = started(robot, q).state()
                self.assertLess(state.gap, CLOSED, robot.file)
                self.assertEqual({n: state[n] for n in q}, q)

    def test_given_values_are_kept(self):
        for robot, rng in self.robots():
            failed = []
            for case in range(CASES):
                q = robot.place(rng)
                names = rng.sample(sorted(q), rng.randint(1, len(q)))
                given = {n: q[n] for n in names}
                try:
                    state = started(robot, given).state()
                except appell.Error as e:
                    failed.append((case, len(names), str(e)))
                    continue
                self.assertEqual({n: state[n] for n in given}, given, f"{robot.file} {case}")
                self.assertLessEqual(state.gap, CLOSED, f"{robot.file} {case}")
            print(f"{robot.file}: {CASES - len(failed)} of {CASES} assembled", *failed, sep="\n  ", file=sys.stderr)
            self.assertLessEqual(len(failed), max(1, CASES // 50) if CASES >= 25 else 0, robot.file)

    def test_contradictions_are_refused(self):
        for robot, rng in self.robots():
            refused = 0
            for case in range(CASES):
                q = robot.place(rng)
                given, distance = robot.contradict(rng, q)
                if distance < 2e-5:
                    given, distance = robot.contradict(rng, q)
                with self.assertRaises(appell.Error, msg=f"{robot.file} {case} {given} {distance}") as caught:
                    started(robot, given).state()
                told = float(re.search(r"it stays open by ([0-9.e+-]+) m", str(caught.exception)).group(1))
                # the gap that cannot be less, to what the search leaves of it
                self.assertGreaterEqual(told, 0.999 * distance, f"{robot.file} {case}: {caught.exception}")
                self.assertLessEqual(told, 1.05 * distance, f"{robot.file} {case}: {caught.exception}")
                refused += 1
            print(f"{robot.file}: {refused} of {CASES} contradictions refused with the distance", file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
