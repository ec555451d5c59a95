# SPDX-License-Identifier: Apache-2.0
"""Robots as people have them: inverse dynamics of imported URDF against a Newton-Euler recursion of its own.

The recursion below reads the XML itself and knows nothing of Appell: positions, velocities and accelerations of
every link in world axes from the root outwards, then Newton's and Euler's laws from the tips inwards. Tolerance
1e-12 of the largest effort: both are chains of some hundred products of numbers of order one.

    python3 test_urdf.py [FOLDER_OR_FILE...]     more robots to try, besides those of tests/data
"""
import os
import re
import sys
import unittest
import warnings
import xml.etree.ElementTree as ET

import numpy as np

import appell

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")
GRAVITY = np.array([0.0, 0.0, -9.81])
TOLERANCE = 1e-12


def numbers(node, name, count, default):
    found = [float(x) for x in re.findall(r"[-+0-9.eE]+", node.get(name, ""))] if node is not None else []
    return np.array(found[:count] if found else default, dtype=float)


def rotation(rpy):
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    return np.array([[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                     [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                     [-sp, cp * sr, cp * cr]])


def about(axis, angle):
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)


def origin(node):
    return numbers(node, "xyz", 3, [0, 0, 0]), rotation(numbers(node, "rpy", 3, [0, 0, 0]))


class Robot:
    """Joints of a URDF from the root outwards, and what each link weighs."""

    def __init__(self, path):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = re.sub(r"<\?xml.*?\?>", "", file.read(), count=1, flags=re.S)
        root = ET.fromstring(text.strip())
        self.inertial = {link.get("name"): self.weigh(link.find("inertial")) for link in root.findall("link")}
        joints = root.findall("joint")
        children = {j.find("child").get("link") for j in joints}
        known = [name for name in self.inertial if name not in children]
        self.root = known[0]
        self.joints = []
        while joints:  # parents first
            ready = [j for j in joints if j.find("parent").get("link") in known]
            self.joints += ready
            known += [j.find("child").get("link") for j in ready]
            joints = [j for j in joints if j not in ready]

    @staticmethod
    def weigh(inertial):
        if inertial is None:
            return 0.0, np.zeros(3), np.zeros((3, 3))
        at, R = origin(inertial.find("origin"))
        I = inertial.find("inertia")
        xx, yy, zz, xy, xz, yz = (numbers(I, "i" + k, 1, [0])[0] for k in ("xx", "yy", "zz", "xy", "xz", "yz"))
        return (numbers(inertial.find("mass"), "value", 1, [0])[0], at,
                R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T)

    def moving(self):
        return [j for j in self.joints if j.get("type") in ("revolute", "continuous", "prismatic")]

    def inverse(self, q, v, a):
        """Efforts of the moving joints, by name; the root stands still."""
        zero = np.zeros(3)
        motion = {self.root: (np.eye(3), zero, zero, zero, zero - GRAVITY)}  # R, p, omega, alpha, acceleration of p
        axis = {}
        for j in self.joints:
            name, kind = j.get("name"), j.get("type")
            R, p, w, dw, acc = motion[j.find("parent").get("link")]
            at, turn = origin(j.find("origin"))
            r = R @ at
            R, p = R @ turn, p + r
            acc = acc + np.cross(dw, r) + np.cross(w, np.cross(w, r))
            n = numbers(j.find("axis"), "xyz", 3, [1, 0, 0])
            n = R @ (n / (np.linalg.norm(n) or 1.0))
            axis[name] = n
            if kind in ("revolute", "continuous"):
                R = about(n, q[name]) @ R
                dw = dw + n * a[name] + np.cross(w, n * v[name])
                w = w + n * v[name]
            elif kind == "prismatic":
                r = n * q[name]
                acc = (acc + np.cross(dw, r) + np.cross(w, np.cross(w, r)) + 2 * np.cross(w, n * v[name])
                       + n * a[name])
                p = p + r
            motion[j.find("child").get("link")] = (R, p, w, dw, acc)
        # force on each link through its joint, and its moment about the world's origin
        force = {name: np.zeros(3) for name in motion}
        moment = {name: np.zeros(3) for name in motion}
        for name, (R, p, w, dw, acc) in motion.items():
            m, c, I = self.inertial[name]
            r, I = R @ c, R @ I @ R.T
            f = m * (acc + np.cross(dw, r) + np.cross(w, np.cross(w, r)))
            force[name] += f
            moment[name] += I @ dw + np.cross(w, I @ w) + np.cross(p + r, f)
        tau = {}
        for j in reversed(self.joints):
            parent, child, kind = j.find("parent").get("link"), j.find("child").get("link"), j.get("type")
            p, n = motion[child][1], axis[j.get("name")]
            if kind in ("revolute", "continuous"):
                tau[j.get("name")] = n @ (moment[child] - np.cross(p, force[child]))
            elif kind == "prismatic":
                tau[j.get("name")] = n @ force[child]
            force[parent] += force[child]
            moment[parent] += moment[child]
        return tau



def word(name):
    """A name by the grammar of names."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name if re.match("[A-Za-z_]", name) else "_" + name)


def compare(path, states=3):
    """The largest difference of efforts, relative to the largest effort."""
    robot = Robot(path)
    moving = robot.moving()
    unlike = [j for j in robot.joints if j.get("type") not in ("revolute", "continuous", "prismatic", "fixed")]
    if unlike or not moving:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", appell.Doubt)
        plain = {}  # without dampers, friction and stops, which the recursion does not know
        for joint in moving:
            link = word(joint.find("child").get("link"))
            plain.update({f"{link}.joint.damping": 0, f"{link}.joint.friction": 0, f"{link}.joint.limits": "{}"})
        model = appell.load(path, set=plain)
    state = model.state()
    index = {name.rsplit(".", 1)[0]: k for k, name in enumerate(model.coordinates)}
    random = np.random.default_rng(1)
    worst = 0.0
    for _ in range(states):
        q, v, a = (random.uniform(-1, 1, model.nq) for _ in range(3))
        state.q[:], state.v[:], state.a[:] = q, v, a
        got = state.inverse()
        by = [{j.get("name"): x[index[word(j.get("name"))]] for j in moving}
              for x in (q, v, a)]
        want = robot.inverse(*by)
        tau = np.array([want[j.get("name")] for j in moving])
        mine = np.array([got[index[word(j.get("name"))]] for j in moving])
        worst = max(worst, np.max(np.abs(tau - mine)) / max(np.max(np.abs(tau)), 1e-300))
    return worst


def doubts(name, **options):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model = appell.load(os.path.join(DATA, "doubts", name), **options)
    return model, [str(w.message) for w in told if issubclass(w.category, appell.Doubt)]


class Doubts(unittest.TestCase):
    """Each class of doubt: what is told, that the rest is right, and that `strict` refuses."""

    CLASSES = {
        "inertia.urdf": [":4: link 'arm': this inertia is not possible"],
        "massless.urdf": [":7: link 'finger' can move without moving any mass"],
        "version.urdf": [":1: <?xml"],
        "late-declaration.urdf": [":1: <?xml"],
        "limits.urdf": ["lower 1 is above upper -1", "neither lower nor upper"],
        "spherical.urdf": ["URDF has no spherical joints"],
        "numbers.urdf": ["'xyz' have commas", "'value' needs 1 number, got '1kg'", "'scale' needs 3 numbers",
                         "no <mass", "'xyz' needs 3 numbers, got '0 1 0 0'", "mesh 'hand.stl' of link 'hand' does not exist"],
    }

    def test_told_and_right(self):
        for name, sentences in self.CLASSES.items():
            with self.subTest(name):
                model, told = doubts(name)
                self.assertEqual(len(told), len(sentences), told)
                for sentence in sentences:
                    self.assertTrue(any(sentence in t for t in told), (sentence, told))
                error = compare(os.path.join(DATA, "doubts", name))
                if error is not None:
                    self.assertLess(error, TOLERANCE)

    def test_strict(self):
        for name in self.CLASSES:
            with self.subTest(name), self.assertRaises(appell.Error):
                doubts(name, strict=True)

    def test_nearest_inertia(self):
        """Principal moments 0.01, 0.02, 0.05: second moments 0.03, 0.02, -0.01, of which the last becomes 0."""
        _, told = doubts("inertia.urdf")
        self.assertIn("nearest possible is xx 0.02 yy 0.03 zz 0.05", told[0])

    def test_massless_finger(self):
        """Inverse dynamics works; the forward pass names the joint that has no inertia."""
        model, _ = doubts("massless.urdf")
        state = model.state()
        state.inverse()
        with self.assertRaisesRegex(appell.Error, "finger"):
            state.forward()

    def test_joint_names(self):
        model, _ = doubts("massless.urdf")
        self.assertEqual(model.coordinates, ("wrist.angle", "finger_joint.position"))


class Robots(unittest.TestCase):
    def test_ours(self):
        folder = os.path.join(DATA, "rigid")
        for name in sorted(os.listdir(folder)):
            if name.endswith(".urdf"):
                with self.subTest(name):
                    self.assertLess(compare(os.path.join(folder, name)), TOLERANCE)


def others(paths):
    files = []
    for path in paths:
        files += [path] if os.path.isfile(path) else sorted(
            os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names
            if name.endswith(".urdf"))
    worst = 0.0
    compared = 0
    for path in files:
        try:
            error = compare(path)
        except appell.Error as e:
            print(f"refused  {path}: {str(e).splitlines()[0]}")
            continue
        except (ET.ParseError, ValueError, KeyError, AttributeError, IndexError) as e:
            print(f"skipped  {path}: {type(e).__name__} {e}")
            continue
        if error is None:
            continue
        compared += 1
        worst = max(worst, error)
        if error > TOLERANCE:
            print(f"{error:.1e}  {path}")
    print(f"{len(files)} files, {compared} compared, worst {worst:.1e}")
    return 0 if worst <= TOLERANCE else 1


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(others(sys.argv[1:]))
    unittest.main()
