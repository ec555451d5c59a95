# SPDX-License-Identifier: Apache-2.0
"""The examples in the docstrings of the package, run as they stand; every public thing has one."""
import doctest
import importlib.util
import inspect
import os
import tempfile
import unittest
from pathlib import Path

import numpy as np

import appell

PENDULUM = """appell: 1
links:
  - name: arm
    joint: {type: revolute, axis: y}
    body: {mass: 2 kg, com: [0, 0, -0.5]}
    ports: {tip: {at: [0, 0, -1]}}
inputs: {motor: {on: arm.joint.angle}}
start: {arm.joint.angle: 30 deg}
run: {to: 1 s, output-every: 0.1}
"""


def things():
    """Public functions, classes that do something, their methods and properties."""
    for name in appell.__all__:
        thing = getattr(appell, name)
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing) and not issubclass(thing, (tuple, BaseException)):
            yield name, thing
            bases = [base for base in reversed(thing.__mro__) if base.__module__.split(".")[0] == "appell"]
            for part, value in (item for base in bases for item in vars(base).items()):
                if not part.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                    yield f"{name}.{part}", value


class Examples(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)
        Path("pendulum.yaml").write_text(PENDULUM)

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def names(self):
        """What the examples take for granted."""
        model = appell.load("pendulum.yaml")
        env = appell.Env(model, period=0.01)
        env.reset(seed=1)
        return {"appell": appell, "np": np, "model": model, "state": model.state(), "system": model.system(),
                "result": model.run(), "env": env}

    def test_examples(self):
        runner = doctest.DocTestRunner()
        ran = 0
        for name, thing in things():
            if name in ("Env.state", "Env.close"):
                continue
            if name == "Result.to_pandas" and importlib.util.find_spec("pandas") is None:
                continue
            with self.subTest(name):
                text = inspect.getdoc(thing.fget if isinstance(thing, property) else thing)
                self.assertIn(">>>", text or "", "it has no example")
                said = []
                example = doctest.DocTestParser().get_doctest(text, self.names(), name, None, 0)
                failed, tried = runner.run(example, out=said.append)
                self.assertEqual(failed, 0, "".join(said))
                ran += tried
        self.assertGreater(ran, 60)

    def test_a_controller_without_a_number(self):
        """The sentence names the input and the time, and nothing of the integrator's own."""
        for method in ("rkf45", "bdf", "adams", "dop853", "rk4", "moreau"):
            step = 1e-3 if method in ("rk4", "moreau") else None
            system = appell.load("pendulum.yaml").system(integrator=method, step=step)
            with self.assertRaises(appell.Error) as caught:
                system.run(1.0, control=lambda t, state: [float("nan") if t > 0.25 else 0.0], control_every=0.1)
            self.assertIn("at t = 0.3 s: the controller gave the input 'motor' the value nan", str(caught.exception))
            self.assertNotIn("routine", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
