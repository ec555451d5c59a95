# SPDX-License-Identifier: Apache-2.0
"""Robots made of robots: names, places, settings and mistakes of `include`."""
import os
import unittest
import warnings

import numpy as np

import appell

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "include")


def load(name, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", appell.Doubt)
        return appell.load(os.path.join(DATA, name), allow=[os.path.join(DATA, "..", "doubts")], **options)


class Include(unittest.TestCase):
    def test_names(self):
        model = load("walker.yaml")
        self.assertEqual(model.links, ("trunk", "left", "left_hip", "left_shin", "right_hip", "right_shin", "arm_base",
                                       "arm_arm"))
        self.assertEqual(model.coordinates[7:], ("left_hip.joint.angle", "left_knee.angle", "right_hip.joint.angle",
                                                 "right_knee.angle", "arm_elbow.angle"))
        self.assertEqual(model.inputs, ("left_motor", "left_line", "right_motor", "right_line"))
        self.assertEqual(model.tendons, ("left_line", "right_line"))

    def test_parts_with_loops_signals_and_shapes(self):
        """Ends of loops and of ramps are no files; parts of signals, to any depth, and entries of `collide` are names of
        the part, so that one with all of them can be included twice."""
        model = load("hands.yaml")
        self.assertEqual(model.inputs, ("left_motor", "right_motor"))
        self.assertEqual([c for c in model.contacts if c.endswith("touch.1")], ["left_touch.1", "right_touch.1"])
        system = model.system()
        system.run()
        self.assertAlmostEqual(system.state.u[1], 0.1 + 2 * 0.1, 12)

    def test_shapes_of_a_part_that_stands_elsewhere(self):
        """`at` puts a fixed link below a part; what is free to move on it may touch the world as before. It was a neighbour
        of the world there, and shapes of its root passed through obstacles."""
        part = """{appell: 1, gravity: [0, 0, -10], links: [%s {name: ball, %s joint: {type: planar, normal: y},
            body: {mass: 1, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}, shapes: [{name: s, type: sphere, radius: 0.1}]}],
            obstacles: {table: {type: box, size: [1, 1, 0.1], at: [0, 0, -0.25]}},
            collide: [{law: {normal: kelvin-voigt, stiffness: 1e4, damping: 10}}], run: {to: 0.5 s, output-every: 0.1}}"""
        stand = "{name: stand, joint: fixed, body: {mass: 0}},"
        ends = [appell.parse(part % words).run()["ball.joint.y"][-1] for words in (("", ""), (stand, "on: stand,"))]
        self.assertLess(abs(ends[0]), 0.2)  # it lies on the table, 0.1 m below; it falls 1.25 m without one
        self.assertEqual(*ends)

    def test_start(self):
        """Starts of the parts are taken over; the file that includes them knows better."""
        state = load("walker.yaml").state()
        names = {n: k for k, n in enumerate(state.model.coordinates)}
        self.assertAlmostEqual(state.q[names["left_knee.angle"]], np.radians(20), 15)
        self.assertAlmostEqual(state.q[names["right_knee.angle"]], np.radians(30), 15)
        self.assertEqual(state.v[state.model.velocities.index("left_hip.joint.angle")], 1)

    def test_same_as_written_out(self):
        """The robot written by hand has the same accelerations, to the last bit: the same numbers in the same order."""
        one, other = load("walker.yaml").state(), load("flat.yaml").state()
        random = np.random.default_rng(2)
        q, v = random.uniform(-1, 1, one.model.nq), random.uniform(-1, 1, one.model.nv)
        q[3:7] /= np.linalg.norm(q[3:7])
        for s in (one, other):
            s.q[:], s.v[:] = q, v
        one.u[:] = 0
        a, b = np.array(one.forward()), np.array(other.forward())
        self.assertGreater(np.max(np.abs(a)), 1)
        self.assertTrue(np.array_equal(a, b), np.max(np.abs(a - b)))

    def test_result_tells_all(self):
        """The text that results keep has the parts in it and reads back to the same robot."""
        model = load("walker.yaml")
        here = os.getcwd()
        os.chdir(DATA)  # the table of the signal is seen from there
        try:
            again = appell.parse(model.text)
        finally:
            os.chdir(here)
        self.assertEqual(model.coordinates, again.coordinates)
        self.assertNotIn("include", model.text)

    def test_settings(self):
        """--set reaches the parts, and can include."""
        model = load("walker.yaml", set={"left_shin.body.mass": 5})
        self.assertAlmostEqual(model.mass - load("walker.yaml").mass, 4.5, 12)
        model = load("flat.yaml", set={"include": "{file: parts/leg.yaml, as: tail, on: trunk}"})
        self.assertIn("tail_knee.angle", model.coordinates)

    def test_mistakes(self):
        head = "appell: 1\nlinks: []\ninclude: "
        cases = {
            "{file: nowhere.yaml}": "3:10: include nowhere.yaml: 'nowhere.yaml' cannot be read",
            "{as: a}": "include.file: is missing",
            "{file: circle-a.yaml}": "circle",
            "{file: parts/leg.yaml, at: [0, 0, 1]}": "`at` needs `as`",
            "{file: parts/leg.yaml, set: {shin.body.mass: 1 m}}": "set shin.body.mass=\"1 m\": link 'shin': body.mass",
            "[{file: parts/leg.yaml}, {file: parts/leg.yaml}]": "give it a prefix with `as`: `tendons` would have two entries called line",
            "{file: parts/leg.yaml, on: nobody}": "there is no link 'nobody'",
        }
        here = os.getcwd()
        os.chdir(DATA)
        try:
            for block, sentence in cases.items():
                with self.subTest(block), self.assertRaises(appell.Error) as caught:
                    appell.parse(head + block)
                self.assertIn(sentence, str(caught.exception))
        finally:
            os.chdir(here)


if __name__ == "__main__":
    unittest.main()
