# SPDX-License-Identifier: Apache-2.0
"""Python as people expect it: pickles, environments, controllers that return u, reactions, regressors, pandas."""
import contextlib
import io
import os
import pickle
import runpy
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

import appell

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
PENDULUM = """
appell: 1
links:
  - {name: arm, joint: {type: revolute, axis: y}, body: {mass: 2, com: [0, 0, -0.5], inertia: {xx: 0.1, yy: 0.1, zz: 0.01}}}
inputs: {motor: {on: arm.joint.angle}}
start: {arm.joint.angle: 0.3}
"""


class Plots(unittest.TestCase):
    def test_results_draw_themselves(self):
        import xml.etree.ElementTree

        result = appell.load(MODELS / "arm7.yaml").run(to=0.2)
        first = result.plot()
        self.assertEqual(first.channels[0], "shoulder.joint.angle")
        self.assertEqual(first.channels[7], "shoulder.joint.angle.rate")
        root = xml.etree.ElementTree.fromstring(first._repr_svg_())
        curves = [p for p in root.iter("{http://www.w3.org/2000/svg}path") if p.get("stroke-width") == "1.5"]
        self.assertEqual(len(curves), len(first.channels))
        self.assertIn("<svg", result._repr_html_())
        self.assertEqual(len(result.plot("*.rate").channels), 7)
        with self.assertRaisesRegex(KeyError, "there is no channel 'foo'\"$"):
            result.plot("foo")
        with self.assertRaisesRegex(ValueError, "'time' is the axis of every plot"):
            result.plot("time")
        with self.assertRaisesRegex(KeyError, "did you mean 'wrist.joint.angle'"):
            result.plot("wrist.joint.angel")

    def test_curves_of_equal_numbers_and_gaps(self):
        rows = np.array([[0.0, 1.0], [1.0, np.nan], [2.0, 1.0]])
        text = appell.Result(["time", "x"], ["s", "m"], rows).plot("x")._repr_svg_()
        self.assertNotIn("nan", text)


class Settings(unittest.TestCase):
    def test_arrays_and_numbers_of_numpy(self):
        model = appell.parse(PENDULUM, set={"gravity": np.array([0, 0, -1.62]), "arm.body.mass": np.float64(0.1) + np.float64(0.2)})
        self.assertEqual(model.gravity.tolist(), [0, 0, -1.62])
        self.assertEqual(model.mass, 0.1 + 0.2)
        self.assertEqual(appell.parse(PENDULUM, set={"arm.body.inertia": {"xx": np.float64(1), "yy": 1.5, "zz": 1}}).mass, 2)


class Pickles(unittest.TestCase):
    def test_models(self):
        models = [appell.parse(PENDULUM), appell.load(MODELS / "scara.urdf"),
                  appell.load(MODELS / "double-pendulum.yaml", set={"upper.body.mass": 3})]
        for model in models:
            again = pickle.loads(pickle.dumps(model))
            self.assertEqual((model.coordinates, model.mass), (again.coordinates, again.mass))


class Controllers(unittest.TestCase):
    def test_returned_inputs_act(self):
        """A torque m g l sin(angle) holds the arm where it is; without it, it falls."""
        model = appell.parse(PENDULUM)

        def hold(t, state):
            return [2 * 9.81 * 0.5 * np.sin(state["arm.joint.angle"])]

        held = model.run(to=1, every=0.1, control=hold, control_every=0.01)
        free = model.run(to=1, every=0.1, control=lambda t, state: None, control_every=0.01)
        self.assertLess(np.max(np.abs(held["arm.joint.angle"] - 0.3)), 1e-9)
        self.assertGreater(np.max(np.abs(free["arm.joint.angle"] - 0.3)), 0.1)

    def test_returned_inputs_win(self):
        """Over the signal that the file gives an input; without a return the signal stays."""
        model = appell.load(MODELS / "diff-drive.yaml")
        driven = model.run(to=0.5, control=lambda t, state: [0.0, 0.0], control_every=0.01)
        self.assertEqual(np.max(np.abs(driven["base.joint.speed.rate"])), 0)
        signal = model.run(to=0.5, control=lambda t, state: None, control_every=0.01)
        self.assertGreater(np.max(np.abs(signal["base.joint.speed.rate"])), 0.1)

    def test_without_period(self):
        model = appell.load(MODELS / "diff-drive.yaml")
        with self.assertRaisesRegex(appell.Error, "diff-drive.yaml: a controller without a period is called at every step and needs fixed steps"):
            model.run(to=0.1, control=lambda t, state: None)
        # at every step of a method that has one length for all: 100 of them, and not at the end
        times = []
        model.run(to=0.1, integrator="rk4", step=1e-3, control=lambda t, state: times.append(t))
        np.testing.assert_allclose(times, 1e-3 * np.arange(100), rtol=0, atol=1e-12)
        with self.assertRaisesRegex(appell.Error, "step is only for integrators with a fixed step; 'auto' chooses its own steps"):
            model.system(integrator="auto", step=1e-3)

    def test_wrong_size(self):
        with self.assertRaisesRegex(ValueError, r"returns 1 inputs \(motor\)"):
            appell.parse(PENDULUM).run(to=0.1, control=lambda t, state: [1, 2], control_every=0.01)


class Environments(unittest.TestCase):
    def test_episode(self):
        def perturb(state, random):
            state["arm.joint.angle"] = random.uniform(-1, 1)

        env = appell.Env(appell.parse(PENDULUM), 0.01, horizon=20, perturb=perturb,
                         reward=lambda state, u: -state["arm.joint.angle"] ** 2,
                         done=lambda state: abs(state["arm.joint.angle"]) > 3)
        first = []
        for _ in range(2):
            observation, info = env.reset(seed=4)
            rows = [observation]
            truncated = False
            while not truncated:
                observation, reward, terminated, truncated, info = env.step([0.1])
                rows.append(observation)
                self.assertFalse(terminated)
                self.assertAlmostEqual(reward, -observation[0] ** 2)
            first.append(np.array(rows))
        self.assertTrue(np.array_equal(*first))  # the same seed, the same bytes
        self.assertEqual(len(first[0]), 21)
        self.assertAlmostEqual(info["time"], 0.2)
        with self.assertRaisesRegex(ValueError, "an action has 1 numbers"):
            env.step([1, 2])


class States(unittest.TestCase):
    def test_balance(self):
        """The example designs an LQR and asserts that the rods stay up."""
        example = ROOT / "python" / "examples" / "balance.py"
        with contextlib.redirect_stdout(io.StringIO()) as said:
            runpy.run_path(str(example), run_name="__main__")
        self.assertIn("after 6 s the rods lean by 0.0", said.getvalue())

    def test_regressor(self):
        """M a + bias - Y p is what is not in Y (springs, dampers) and does not depend on a, within round-off."""
        model = appell.load(MODELS / "double-pendulum.yaml")
        state = model.state()
        random = np.random.default_rng(3)
        state.q, state.v, state.a = (random.uniform(-1, 1, n) for n in (model.nq, model.nv, model.nv))
        state.tau[:] = 0
        Y = state.regressor()
        tau = np.array(state.mass_matrix() @ state.a + state.bias())
        springs = tau - Y @ model.inertial()
        state.a[:] = random.uniform(-1, 1, model.nv)
        again = state.mass_matrix() @ state.a + state.bias() - state.regressor() @ model.inertial()
        self.assertLess(np.max(np.abs(springs - again)), 1e-12 * np.max(np.abs(tau)))

    def test_reactions(self):
        """A pendulum at rest, held by nothing else, hangs on its weight."""
        model = appell.parse(PENDULUM)
        state = model.state()
        state.q[:] = 0
        state.forward()
        wrench = state.reactions()[model.links.index("arm")]
        self.assertLess(np.max(np.abs(wrench - [0, 0, 0, 0, 0, 2 * 9.81])), 1e-12)

    def test_footing(self):
        """Wheels that stand carry the weight."""
        model = appell.load(MODELS / "diff-drive.yaml")
        state = model.state()
        state.forward()
        ground, = state.footings()
        self.assertEqual(ground.link, "base")
        self.assertLess(abs(ground.normal - 9.81 * model.mass), 1e-9 * ground.normal + 1)


class Frames(unittest.TestCase):
    def test_pandas(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not there")
        result = appell.parse(PENDULUM).run(to=0.1, every=0.01)
        frame = result.to_pandas()
        self.assertEqual(frame.shape[0], 11)
        self.assertTrue(np.array_equal(frame["arm.joint.angle"].to_numpy(), result["arm.joint.angle"]))
        self.assertEqual(frame.attrs["units"]["arm.joint.angle"], "rad")


class Types(unittest.TestCase):
    def test_mypy(self):
        mypy = shutil.which("mypy")
        if mypy is None:
            self.skipTest("mypy is not there")
        done = subprocess.run([mypy, "--config-file", ROOT / "pyproject.toml", "--cache-dir", os.devnull,
                               ROOT / "python" / "appell"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
