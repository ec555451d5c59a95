# SPDX-License-Identifier: Apache-2.0
"""A robot with motors in Python: load(actuators=), what the model has as arrays, efforts of a controller in the result."""
import os
import pickle
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np

import appell

BODY = '<inertial><origin xyz="{x} 0 0"/><mass value="{m}"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'
ARM = f"""<robot name="arm"><link name="base">{BODY.format(x=0, m=1)}</link>
  <link name="upper">{BODY.format(x=0.5, m=2)}<visual><geometry><mesh filename="package://other/meshes/a.obj"/></geometry></visual>
    <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="fore">{BODY.format(x=0.25, m=1)}<visual><geometry><mesh filename="package://other/meshes/a.obj"/></geometry></visual></link>
  <joint name="j1" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="80" velocity="3"/></joint>
  <joint name="j2" type="continuous"><parent link="upper"/><child link="fore"/><origin xyz="1 0 0"/><axis xyz="0 1 0"/>
    <limit effort="20" velocity="4"/></joint></robot>
"""


class Motors(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)
        Path("r/urdf").mkdir(parents=True)
        Path("r/meshes").mkdir()
        Path("r/urdf/arm.urdf").write_text(ARM)
        Path("r/meshes/a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def load(self, **options):
        """By a relative path, without a warning: its meshes are found."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return appell.load("r/urdf/arm.urdf", **options)

    def test_aims_at_the_start(self):
        """Servos of a URDF hold the start, in a state as in a system: nothing accelerates but what the weight asks for."""
        model = self.load(actuators="position", set={"start.j1.angle": 0.5, "gravity": [0, 0, 0]})
        state = model.state()
        np.testing.assert_array_equal(state.aim[:model.nv], state.q)
        np.testing.assert_allclose(state.forward(), 0, atol=1e-9)  # round-off of gains of 1e4 N m/rad

    def test_a_pass_that_fails_is_told(self):
        """Which inputs are aims is found by passes; one that fails raises its own reason, and nothing is kept of it."""
        class Failing:
            """The library, but inverse dynamics has found a singular robot."""

            def __getattr__(self, name):
                return getattr(kept, name)

            def apl_inverse(self, *_):
                return kept.APL_ERR_SINGULAR

        model = self.load(actuators="position")
        kept, appell.model.lib = appell.model.lib, Failing()
        try:
            with self.assertRaises(appell.Error) as caught:
                model.state()
        finally:
            appell.model.lib = kept
        self.assertIn("not positive definite", caught.exception.status)
        np.testing.assert_array_equal(model.state().u, [0.0, 0.0])

    def test_aims_are_inputs(self):
        model = self.load(actuators="position", set={"start.j1.angle": 0.5, "gravity": [0, 0, 0]})
        state = model.state()
        np.testing.assert_array_equal(state.u, [0.5, 0.0])
        state.u[0] = 0.6
        state.forward()
        self.assertGreater(state.a[0], 1.0)
        with self.assertRaisesRegex(ValueError, "write state.u"):
            state.aim = 0.0
        with self.assertRaises(ValueError):
            state.aim[0] = 0.0
        result = model.run(1.0, 0.5, control=lambda t, state: [0.1, 0.2], control_every=0.01)
        self.assertAlmostEqual(result["j1.angle"][-1], 0.1, delta=1e-3)

    def test_efforts_of_a_program_in_the_summary(self):
        system = self.load(actuators="effort").system()
        result = system.run(0.1, control=lambda t, state: np.array([3.0, 0.0]), control_every=0.01)
        # the first of eleven rows is from before the program was asked
        self.assertAlmostEqual(result.summary["j1.angle.effort.mean"], 3.0 * 10 / 11, delta=1e-9)

    def test_arrays(self):
        model = self.load(actuators="effort")
        self.assertEqual(model.inputs, ("j1", "j2"))
        np.testing.assert_array_equal(model.input_limits, [[-80, 80], [-20, 20]])
        np.testing.assert_array_equal(model.limits["effort"], [80, 20])
        np.testing.assert_array_equal(model.limits["velocity"], [3, 4])
        np.testing.assert_array_equal(model.limits["lower"], [-2, -np.inf])
        np.testing.assert_array_equal(model.limits["upper"], [2, np.inf])
        np.testing.assert_array_equal(model.masses, [1, 2, 1])
        self.assertEqual([(link, kind, list(size)) for link, kind, size in model.collision], [("upper", "sphere", [0.1])])
        self.assertEqual(pickle.loads(pickle.dumps(model)).inputs, model.inputs)

    def test_controllers_are_recorded(self):
        def torque(t, state):
            state.tau[:] = 3.0, 4.0

        result = self.load().run(0.1, 0.05, control=torque, control_every=0.01)
        np.testing.assert_array_equal(result["j1.angle.effort"][1:], 3.0)
        np.testing.assert_array_equal(result["j2.angle.effort"][1:], 4.0)
        result = self.load(actuators="effort").run(0.1, 0.05, control=lambda t, state: [5.0, -6.0], control_every=0.01)
        np.testing.assert_array_equal(result["j1.angle.effort"][1:], 5.0)
        np.testing.assert_array_equal(result["j2.angle.effort"][1:], -6.0)

    def test_hold(self):
        start = self.load(actuators="position", set={"start": "{j1.angle: 0.5}"}).run(1.0, 0.5)
        self.assertAlmostEqual(start["j1.angle"][-1], 0.5, delta=3e-3)

    def test_env(self):
        with self.assertRaisesRegex(ValueError, 'no inputs, .* appell.load\\(path, actuators="effort"\\)'):
            appell.Env(self.load(), 0.01)
        env = appell.Env(self.load(actuators="effort"), 0.01)
        env.reset(seed=1)
        self.assertEqual(env.step([1.0, 2.0])[0].shape, (4,))
        env = appell.Env(self.load(actuators="position", set={"gravity": [0, 0, 0], "start.j1.angle": 0.5}), 0.01)
        np.testing.assert_array_equal(env.action_limits, [[-2, 2], [-np.inf, np.inf]])
        env.reset(seed=1)
        np.testing.assert_array_equal(env.state.u, [0.5, 0.0])  # the start pose is held until an action says otherwise
        for _ in range(300):
            observation = env.step([-0.3, 0.2])[0]
        np.testing.assert_allclose(observation[:2], [-0.3, 0.2], atol=1e-3)
        with self.assertRaisesRegex(ValueError, "actuators is 'effort'"):
            self.load(actuators="steam")

    def test_floor(self):
        model = self.load(base="floating", actuators="position", floor="restitution,0.5", settle=True)
        self.assertAlmostEqual(model.state()["base.joint.z"], 0.1, places=12)
        self.assertEqual(len(model.contacts), 1)
        with self.assertRaisesRegex(appell.Error, "base.joint.z = 0.1 m clears it"):
            self.load(base="floating", floor="restitution")


if __name__ == "__main__":
    unittest.main()
