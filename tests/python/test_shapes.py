# SPDX-License-Identifier: Apache-2.0
"""test_shapes.py: shapes that touch shapes, from Python.

Closed forms: two balls that meet keep their momentum and part with the restitution they are given; Hertz' law k D^1.5 at a known depth.
"""
import unittest
from pathlib import Path

import numpy as np

import appell

MODELS = Path(__file__).resolve().parents[2] / "models"
RADIUS, STIFFNESS = 0.1, 1e5
BALLS = f"""appell: 1
gravity: [0, 0, 0]
links:
  - {{name: a, joint: {{type: prismatic, axis: x}}, body: {{mass: 1}}, shapes: [{{type: sphere, radius: {RADIUS}}}]}}
  - {{name: b, joint: {{type: prismatic, axis: x}}, body: {{mass: 3}}, shapes: [{{type: sphere, radius: {RADIUS}}}]}}
collide: [{{neighbours: 0, law: {{normal: %s}}}}]
start: {{b.joint.position: 0.5, a.joint.position.rate: 2}}
run: {{to: 0.5 s, output-every: 10 ms}}
"""


class Shapes(unittest.TestCase):
    def test_names(self):
        model = appell.parse(BALLS % f"hertz, stiffness: {STIFFNESS}")
        self.assertEqual(model.contacts, ("touch.1",))
        state = model.state()
        self.assertEqual(state.contacts().shapes, [None])

    def test_memory_limit(self):
        """The bdf Jacobian does not fit into a few bytes; the default limit is enough."""
        model = appell.parse(BALLS % f"hertz, stiffness: {STIFFNESS}")
        with self.assertRaisesRegex(appell.Error, "more than the limit of 1e-08 GB: set memory-limit"):
            model.run(to=0.01, integrator="bdf", memory_limit=1e-8)
        self.assertEqual(len(model.run(to=0.01, every=0.01, integrator="bdf").time), 2)

    def test_two_balls_meet(self):
        """u_a = 2 m/s, e = 0.5: v_b = (1 + e) m_a u/(m_a + m_b) = 0.75 m/s, v_a = v_b - e u = -0.25 m/s, at 0.3 m/2 m/s = 0.15 s. Located:
        1e-9."""
        model = appell.parse(BALLS % "restitution, restitution: 0.5")
        result = model.run()
        np.testing.assert_allclose(result["a.joint.position.rate"][-1], -0.25, atol=1e-9)
        np.testing.assert_allclose(result["b.joint.position.rate"][-1], 0.75, atol=1e-9)
        np.testing.assert_allclose(result["a.joint.position"][-1], 0.3 - 0.25 * 0.35, atol=1e-9)
        self.assertEqual(len(result.impacts), 1)

    def test_forces_of_a_state(self):
        """In a state of its own shapes push after touch_shapes(), by the law, with equal and opposite forces."""
        depth = 1e-3
        model = appell.parse(BALLS % f"hertz, stiffness: {STIFFNESS}")
        state = model.state()
        state.q = [0.0, 2 * RADIUS - depth]
        self.assertTrue((state.forward() == 0).all())
        state.touch_shapes()
        force = STIFFNESS * depth**1.5
        np.testing.assert_allclose(state.forward(), [-force, force / 3], rtol=1e-12)
        contacts = state.contacts()
        self.assertEqual(contacts.shapes, [("a.1", "b.1")])
        np.testing.assert_allclose(contacts.depth, [depth], rtol=1e-12)
        state.q = [0.0, 2 * RADIUS + depth]  # apart again
        state.touch_shapes()
        self.assertTrue((state.forward() == 0).all())

    def test_derivatives(self):
        """d/dq of the force K D^1.5 is 1.5 K D^0.5: by derivatives, by a complex step of a user, and as a linear system, to round-off of D."""
        depth = 5e-4
        stiffness = 1.5 * STIFFNESS * depth**0.5
        model = appell.parse(BALLS % f"hertz, stiffness: {STIFFNESS}")
        want = stiffness * np.array([[-1, 1], [1 / 3, -1 / 3]])
        state = model.state()
        state.q = [0.0, 2 * RADIUS - depth]
        state.touch_shapes()
        np.testing.assert_allclose(state.forward_derivatives().q, want, rtol=1e-12)
        wide = model.state(complex)
        wide.q = [1e-50j, 2 * RADIUS - depth]
        wide.touch_shapes()
        np.testing.assert_allclose(wide.forward().imag / 1e-50, want[:, 0], rtol=1e-12)
        system = appell.parse((BALLS % f"hertz, stiffness: {STIFFNESS}").replace("0.5, a.joint", f"{2 * RADIUS - depth}, a.joint")).system()
        np.testing.assert_allclose(system.linearize().A[2:, :2], want, rtol=1e-12)

    def test_overlap_is_told(self):
        with self.assertRaisesRegex(appell.Error, "'a.1' and 'b.1' overlap by 0.1 m"):
            appell.parse((BALLS % "restitution").replace("b.joint.position: 0.5", "b.joint.position: 0.1")).run()

    def test_gripper(self):
        result = appell.load(MODELS / "gripper.yaml").run()
        z, time = result["ball.joint.z"], result.time
        self.assertLess(np.ptp(z[time > 2.5]), 1e-9)
        self.assertAlmostEqual(z[-1], 0.2, delta=1e-4)


if __name__ == "__main__":
    unittest.main()
