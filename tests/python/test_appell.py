# SPDX-License-Identifier: Apache-2.0
"""test_appell.py APPELL: the Python package. APPELL is the command, for result files made by it."""
import gc
import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import weakref
from pathlib import Path

import numpy as np

import appell

COMMAND = Path(sys.argv.pop(1)).resolve()
ROOT = Path(__file__).resolve().parents[2]
DOUBLE = ROOT / "models" / "double-pendulum.yaml"

# a point mass m on a massless arm of length l: tau = m l^2 a + m g l sin(angle)
M, L, G = 2.0, 0.5, 9.81
PENDULUM = f"""appell: 1
name: pendulum
links:
  - name: arm
    joint: {{type: revolute, axis: y}}
    body: {{mass: {M}, com: [0, 0, -{L}]}}
    ports: {{tip: {{at: [0, 0, -{L}]}}}}
inputs: {{motor: {{on: arm.joint.angle, gain: 2}}}}
start: {{arm.joint.angle: 0.3}}
run: {{to: 2 s, tolerance: 1e-10, output-every: 20 ms}}
"""


def near(a, b, tolerance=1e-12):
    """Within rounding of a few operations on numbers of order one to ten."""
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


class Loading(unittest.TestCase):
    def test_names(self):
        m = appell.load(DOUBLE)
        self.assertEqual(m.name, "double pendulum")
        self.assertEqual((m.nq, m.nv, m.nu), (2, 2, 0))
        self.assertEqual(m.coordinates, ("upper.joint.angle", "lower.joint.angle"))
        self.assertEqual(m.velocities, m.coordinates)
        self.assertEqual((m.coordinate_units[0], m.velocity_units[0]), ("rad", "rad/s"))
        self.assertIn("lower.tip", m.ports)
        self.assertEqual(m.links, ("upper", "lower"))
        near(m.mass, 1.5)
        near(m.gravity, [0, 0, -9.81])
        self.assertEqual(appell.parse(PENDULUM).inputs, ("motor",))
        self.assertIn("double pendulum", repr(m))

    def test_every_shipped_model(self):
        for path in sorted((ROOT / "models").glob("*.yaml")):
            with self.subTest(path.name):
                s = appell.load(path).state()
                self.assertTrue(np.isfinite(s.forward()).all())

    def test_urdf(self):
        path = ROOT / "tests" / "data" / "rigid" / "arm7.urdf"
        self.assertEqual(appell.load(path).nv, 7)
        ball = """<robot name="ball"><link name="ball"><inertial>
          <mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link></robot>"""
        near(appell.parse(ball, base="floating").state().forward(), [0, 0, 0, 0, 0, -9.81])
        with self.assertRaisesRegex(ValueError, "fixed"):
            appell.load(path, base="flying")

    def test_mistakes(self):
        with self.assertRaises(appell.Error) as caught:
            appell.parse(PENDULUM.replace("mass", "mas").replace("gain", "gian"), name="bad.yaml")
        lines = str(caught.exception).splitlines()
        self.assertEqual(len(lines), len(caught.exception.mistakes))
        self.assertGreaterEqual(len(lines), 2)
        self.assertRegex(lines[0], r"^bad\.yaml:\d+:\d+: .*mass")
        first = caught.exception.mistakes[0]
        self.assertEqual(first.line, 6)
        self.assertGreater(first.column, 0)

        with self.assertRaisesRegex(appell.Error, r"^model:9:9: .*did you mean"):
            appell.parse(PENDULUM.replace("start: {arm", "start: {leg"))
        with self.assertRaisesRegex(appell.Error, r"no/such\.yaml"):
            appell.load("no/such.yaml")
        with self.assertRaisesRegex(ValueError, "zero byte"):
            appell.load("a\0b")
        for junk in ("", "[" * 1000, "\0", "<robot", "a: &x 1"):
            with self.subTest(junk[:5]), self.assertRaises(appell.Error):
                appell.parse(junk)

    def test_unknown_names(self):
        s = appell.parse(PENDULUM).state()
        with self.assertRaisesRegex(appell.Error, "there is no port 'arm.tipp'; did you mean 'arm.tip'"):
            s.pose("arm.tipp")
        with self.assertRaisesRegex(KeyError, "arm.joint.angel"):
            s["arm.joint.angel"] = 1
        with self.assertRaises(ValueError):
            s.jacobian("arm.tip", axes="sun")


class Passes(unittest.TestCase):
    def test_pendulum_in_closed_form(self):
        s = appell.parse(PENDULUM).state()
        self.assertEqual(s["arm.joint.angle"], 0.3)
        s["arm.joint.angle.rate"] = 1.5
        near(s.v, [1.5])
        near(s.forward(), [-G / L * math.sin(0.3)])
        near(s.mass_matrix(), [[M * L * L]])
        near(s.bias(), [M * G * L * math.sin(0.3)])
        s["motor"] = 0.7  # gain 2
        near(s.forward(), [(1.4 - M * G * L * math.sin(0.3)) / (M * L * L)])
        near(s.energy().kinetic, 0.5 * M * (L * 1.5) ** 2)
        near(s.energy().potential, -M * G * L * math.cos(0.3))
        near(s.center(), [-L * math.sin(0.3), 0, -L * math.cos(0.3)])
        near(s.rates(), [1.5])

        # the tip: rotation about y by 0.3, and a Jacobian that is its derivative
        c, z = math.cos(0.3), math.sin(0.3)
        near(s.pose("arm.tip"), [[c, 0, z, -L * z], [0, 1, 0, 0], [-z, 0, c, -L * c], [0, 0, 0, 1]])
        near(s.jacobian("arm.tip"), np.array([[0, 1, 0, -L * c, 0, L * z]]).T)
        near(s.jacobian("arm.tip", "port"), np.array([[0, 1, 0, -L, 0, 0]]).T)
        near(s.momentum()[3:], M * 1.5 * s.jacobian("arm.tip")[3:, 0])

        # a force on the tip is felt through the Jacobian
        s.u, wrench = 0, np.array([0.1, 0.2, 0.3, 1.0, -2.0, 3.0])
        before = s.bias()
        s.load("arm.tip", wrench)
        near(s.bias(), before - s.jacobian("arm.tip").T @ wrench)
        with self.assertRaises(ValueError):
            s.load("arm.tip", [1, 2, 3])

    def test_passes_agree(self):
        """tau = M a + bias, and forward undoes inverse; 1e-10: inertias of seven links differ by 1e4."""
        s = appell.load(ROOT / "models" / "arm7.yaml").state()
        rng = np.random.default_rng(1)
        s.q, s.v = rng.uniform(-1, 1, s.q.size), rng.uniform(-1, 1, s.v.size)
        a = rng.uniform(-1, 1, s.v.size)
        s.a = a
        tau = s.inverse().copy()
        M, bias = s.mass_matrix(), s.bias()
        near(M, M.T)
        self.assertGreater(np.linalg.eigvalsh(M).min(), 0)
        near(tau, M @ a + bias, 1e-10)
        s.a = 0
        near(s.forward(), a, 1e-10)

    def test_complex_step(self):
        """d bias / d angle = m g l cos(angle), to round-off."""
        s = appell.parse(PENDULUM).state(complex)
        s.q = 0.3 + 1e-100j
        near(s.bias().imag / 1e-100, [M * G * L * math.cos(0.3)])
        with self.assertRaises(ValueError):
            s.model.state(int)

    def test_not_finite(self):
        s = appell.parse(PENDULUM).state()
        s.q = math.nan
        with self.assertRaisesRegex(appell.Error, "not finite") as caught:
            s.forward()
        self.assertIn("finite", caught.exception.status)
        s.reset()
        near(s.q, [0.3])
        near(s.forward(), [-G / L * math.sin(0.3)])


class Statics(unittest.TestCase):
    def test_equilibrium(self):
        state = appell.parse(PENDULUM).state()
        state.u[0] = 1.5
        state.v[0] = 7
        found = state.equilibrium()
        near(M * G * L * math.sin(state.q[0]), 3.0)
        self.assertEqual((state.v[0], found.stable, found.indifferent, found.held), (0, True, (), ()))
        near(found.stiffness, M * G * L * math.cos(state.q[0]))
        state.load("arm.tip", [0, 0, 0, 5, 0, 0])
        state.equilibrium()
        near(M * G * L * math.sin(state.q[0]) + 5 * L * math.cos(state.q[0]), 3.0)

    def test_inputs_of_the_file(self):
        """Statics and modes take the inputs of the file at time 0: m g l sin(q) = gain u, w^2 = g/l cos(q)."""
        model = appell.parse(PENDULUM, set={"inputs.motor.value": 1.5})
        for state in (model.state(), model.system().state):
            self.assertEqual(state.u[0], 1.5)
            state.equilibrium()
            near(M * G * L * math.sin(state.q[0]), 3.0)
            near(state.modes()[0].omega, math.sqrt(G / L * math.cos(state.q[0])), 1e-9)
            state.reset()
            self.assertEqual((state.q[0], state.u[0]), (0.3, 1.5))

    def test_motion_of_the_file(self):
        """A prescribed joint rests where its motion has it at time 0: the second arm hangs there on its spring."""
        model = appell.parse("""appell: 1
links:
  - name: one
    joint: {type: revolute, axis: y, prescribed: true}
    body: {mass: 1, com: [0, 0, -1]}
  - name: two
    on: one
    joint: {type: revolute, axis: y, stiffness: 3}
    body: {mass: 1, com: [0, 0, -1]}
motion: {one.joint.angle: {expression: "0.4 + 0.3*t"}}
run: {to: 1}
""")
        for state in (model.state(), model.system().state):
            near(state.q[0], 0.4)
            state.equilibrium()
            near(3 * state.q[1] + G * math.sin(0.4 + state.q[1]), 0)

    def test_stable(self):
        state = appell.parse(PENDULUM).state()
        state.q[0] = math.pi
        self.assertFalse(state.equilibrium().stable)
        self.assertTrue(state.equilibrium(stable=True).stable)
        near(math.cos(state.q[0]), 1)

    def test_none(self):
        state = appell.parse(PENDULUM).state()
        state.u[0] = 5
        with self.assertRaisesRegex(appell.Error, "no equilibrium.*arm.joint.angle"):
            state.equilibrium()
        self.assertEqual(state.q[0], 0.3)
        with self.assertRaises(ValueError):
            appell.parse(PENDULUM).state(complex).equilibrium()

    def test_start_of_runs(self):
        result = appell.parse(PENDULUM, set={"start": "{equilibrium: true}", "inputs.motor.value": 1.5}).run()
        near(M * G * L * np.sin(result["arm.joint.angle"]), 3.0, 1e-10)
        with self.assertRaisesRegex(appell.Error, "start.equilibrium: no equilibrium"):
            appell.parse(PENDULUM, set={"start": "{equilibrium: true}", "inputs.motor.value": 15}).run()


class Memory(unittest.TestCase):
    def test_views_are_live(self):
        s = appell.load(DOUBLE).state()
        q, a = s.q, s.a
        self.assertIs(q, s.q)
        q[0] = 0.0
        q[1] = 0.0
        s.forward()
        near(a, [0, 0])
        s.q = [0.1, 0.2]
        near(q, [0.1, 0.2])
        self.assertTrue(np.shares_memory(q, s.q))
        with self.assertRaises(ValueError):
            s.q = [1, 2, 3]

    def test_state_keeps_model(self):
        state = appell.load(DOUBLE).state()
        gc.collect()
        near(state.forward(), appell.load(DOUBLE).state().forward())
        system = appell.load(DOUBLE).system()
        state = system.state
        del system
        gc.collect()
        self.assertTrue(np.isfinite(state.forward()).all())

    def test_view_keeps_state(self):
        arrays = []
        for i in range(200):
            state = appell.load(DOUBLE).state() if i % 2 else appell.load(DOUBLE).system().state
            state.q = i
            arrays.append(state.q)
            gone = weakref.ref(state)
            del state
            self.assertIsNone(gone())  # no cycle: freed at once, but for what a view needs
        gc.collect()
        for i, q in enumerate(arrays):
            near(q, [i, i])

    def test_nothing_to_view(self):
        s = appell.load(DOUBLE).state()
        self.assertEqual(s.u.shape, (0,))


class Running(unittest.TestCase):
    def test_tendons(self):
        """State and result have the lengths and tensions that the command records."""
        model = appell.load(MODELS / "tendon-arm.yaml")
        self.assertEqual(model.tendons[::5], ("upper-a", "lower-c"))
        state = model.state()
        state["pull-a"] = 3
        np.testing.assert_allclose(state.tendons().length, [0.2] * 3 + [0.366] * 3, rtol=1e-14)
        np.testing.assert_allclose(state.tendons().tension, [3, 0, 0, 0, 0, 0], atol=1e-10)
        result = model.run(to=0.2)
        self.assertEqual(result.units["upper-a.tension"], "N")
        self.assertGreater(result["lower-a.tension"][-1], 0.1)
        self.assertLess(result["upper-a.length"][-1], 0.2)

    def test_contacts(self):
        """A ball falls 1 m on a rigid floor: closed forms, and what the command calls its channels."""
        ball = appell.parse("""appell: 1
gravity: [0, 0, -9.81]
grounds: {floor: {normal: z, law: {normal: restitution, restitution: 0.5}}}
contacts: [{on: ball.root, radius: 0.1}]
links: [{name: ball, joint: {type: prismatic, axis: z}, body: {mass: 2}}]
start: {ball.joint.position: 1.1}
run: {to: 1.0, tolerance: 1e-12}
""")
        self.assertEqual(ball.contacts, ("ball.root.floor",))
        c = ball.state().contacts()
        near(c.depth, [-1])
        self.assertEqual((c.slip.shape, c.force.tolist()), ((1, 2), [[0, 0, 0]]))
        r = ball.run()
        v = math.sqrt(2 * 9.81)
        near([i.start for i in r.impacts[:2]], [v / 9.81, 2 * v / 9.81])
        near(r.impacts[0][3:6], [v, v / 2, 2 * 1.5 * v])
        self.assertEqual(r.summary["impacts"], len(r.impacts))
        near(r["ball.root.floor.depth"], 0.1 - r["ball.joint.position"])
        self.assertEqual(r.units["ball.root.floor.normal"], "N")

    def test_modes(self):
        """A pendulum: sqrt(g/L) and, with a damper, its ratio; away from balance there are none."""
        state = appell.parse(PENDULUM).state()
        with self.assertRaises(appell.Error):
            state.modes()
        state["arm.joint.angle"] = 0
        (mode,) = state.modes()
        self.assertEqual((mode.kind, mode.share.tolist()), ("swings", [1.0]))
        near([mode.omega, mode.imag], [math.sqrt(G / L)] * 2)
        self.assertEqual(mode.shape.dtype, complex)

    def test_small_angles(self):
        """angle = A cos(w t); of the period, A^2 / 16 is neglected: A w t A^2 / 16 = 1e-12 rad for A = 1e-4."""
        A, w = 1e-4, math.sqrt(G / L)
        r = appell.parse(PENDULUM.replace("0.3}", f"{A}}}")).run(to=2, tolerance=1e-12)
        self.assertEqual((r.status, len(r.time)), ("finished", 101))
        near(r.time, np.linspace(0, 2, 101))
        np.testing.assert_allclose(r["arm.joint.angle"], A * np.cos(w * r.time), rtol=0, atol=1e-11)
        np.testing.assert_allclose(r["arm.joint.angle.rate"], -A * w * np.sin(w * r.time), rtol=0, atol=1e-10)

    def test_result(self):
        r = appell.parse(PENDULUM).run(every=0.5)
        self.assertEqual(r.rows.shape, (5, len(r)))
        self.assertEqual(r.units["arm.joint.angle.rate"], "rad/s")
        self.assertEqual(list(r)[:4], ["time", "arm.joint.angle", "arm.joint.angle.rate", "motor"])
        self.assertLess(r.summary["energy.error.relative"], 1e-8)
        near(r["ledger.kinetic"] + r["ledger.potential"] - r["ledger.kinetic"][0] - r["ledger.potential"][0],
             r["ledger.error"])
        self.assertNotIn("arm", r)
        with self.assertRaisesRegex(KeyError, "did you mean 'arm.joint.angle'"):
            r["arm.joint.angel"]

    def test_integrators(self):
        m = appell.parse(PENDULUM)
        good = m.run(to=1, integrator="rkf78", tolerance=1e-12)["arm.joint.angle"][-1]
        near(m.run(to=1, integrator="rk4", step=1e-3)["arm.joint.angle"][-1], good, 1e-9)
        near(m.run(to=1, integrator="bdf", tolerance=1e-9)["arm.joint.angle"][-1], good, 1e-5)
        near(m.run(to=1, integrator="stiff", tolerance=1e-9)["arm.joint.angle"][-1], good, 1e-5)
        with self.assertRaisesRegex(appell.Error, "euler"):
            m.run(integrator="euler")
        with self.assertRaisesRegex(appell.Error, "end after it begins"):
            m.run(to=-1)

    def test_steps_and_runs_agree(self):
        m = appell.parse(PENDULUM)
        system = m.system(tolerance=1e-11)
        for _ in range(20):
            system.step(0.05)
        near(system.time, 1)
        near(system.state.q, m.run(to=1, tolerance=1e-11)["arm.joint.angle"][-1:], 1e-9)
        r = system.run(to=1.5)  # goes on where it was
        near(r.time[[0, -1]], [1, 1.5])
        with self.assertRaises(appell.Error):
            system.step(-1)
        near(system.time, 1.5)

    def test_controller(self):
        """Computed torque makes the pendulum e'' = -2 w e' - w^2 e; held for 1 ms, it is close to that."""
        m = appell.parse(PENDULUM)
        ideal, goal, w, times = m.state(), 1.0, 8.0, []

        def control(t, state):
            times.append(t)
            ideal.q, ideal.v = state.q, state.v
            ideal.a = -2 * w * state.v - w * w * (state.q - goal)
            state.u = ideal.inverse() / 2  # gain 2

        r = m.run(to=2, control=control, control_every=1e-3)
        near(times, np.arange(2000) * 1e-3)
        e = (0.3 - goal) * (1 + w * r.time) * np.exp(-w * r.time)
        np.testing.assert_allclose(r["arm.joint.angle"], goal + e, rtol=0, atol=5e-3)
        self.assertAlmostEqual(r["arm.joint.angle"][-1], goal, places=5)

        system = m.system()
        for k in range(2000):
            control(system.time, system.state)
            system.step(1e-3)
        np.testing.assert_allclose(system.state.q, r["arm.joint.angle"][-1:], rtol=0, atol=1e-8)

    def test_failing_controller(self):
        system = appell.parse(PENDULUM).system()

        def control(t, state):
            state.tau = 0.25
            if t > 0.045:
                raise RuntimeError("no more")

        with self.assertRaisesRegex(RuntimeError, "no more"):
            system.run(to=100, control=control, control_every=0.01)
        near(system.time, 0.05)
        near(system.state.tau, [0.25])
        self.assertTrue(np.isfinite([*system.state.q, *system.state.v, *system.state.a]).all())
        self.assertEqual(system.run(to=0.1).status, "finished")

        with self.assertRaisesRegex(appell.Error, "own controller"):
            system.run(to=1, control=lambda t, state: system.step(0.1), control_every=0.1)
        with self.assertRaisesRegex(appell.Error, "needs fixed steps, but the integrator 'auto' chooses its own: give a period"):
            system.run(to=1, control=control)
        system.time = 1e11
        with self.assertRaisesRegex(appell.Error, "output-every 1e-05 s is too small at t = 1e.11 s, where floating-point times are 2e-05 s apart"):
            system.run(to=1e11 + 1, every=1e-5)

    def test_controller_does_not_move_the_robot(self):
        """The integrator owns q and v: what a controller writes there is refused, not lost. Afterwards they are free."""
        system = appell.parse(PENDULUM).system()

        def whole(t, state):
            state.q = 0.5

        def one(t, state):
            state.v[0] += 1.0

        def named(t, state):
            state["arm.joint.angle"] = 0.5

        for control in (whole, one, named):
            with self.assertRaisesRegex(ValueError, "state.q and state.v are read-only"):
                system.run(to=0.1, control=control, control_every=0.01)
            self.assertEqual(system.time, 0)
            system.state.q[0] = system.state.v[0] = 0.0
        # another mistake of a controller keeps its own words
        with self.assertRaisesRegex(ValueError, "could not convert"):
            system.run(to=0.1, control=lambda t, state: float("x"), control_every=0.01)

    def test_interrupt(self):
        """Ctrl-C ends a long run; the system goes on from where it was."""
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for control in (None, lambda t, state: None):
            system = appell.parse(PENDULUM).system()
            timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                system.run(to=1e6, control=control, control_every=0.01)
            timer.join()
            self.assertGreater(system.time, 0)
            near(system.state.tau, [0])
            self.assertEqual(system.run(to=system.time + 0.1).status, "finished")

    def test_failed_run_keeps_rows(self):
        def control(t, state):
            state.tau = math.inf if t > 0.5 else 0

        with self.assertRaisesRegex(appell.Error, "at t = 0") as caught:
            appell.parse(PENDULUM).run(control=control, control_every=0.1)
        r = caught.exception.result
        self.assertTrue(r.status.startswith("failed: at t"))
        self.assertGreater(r.time[-1], 0.4)

    def test_file_drives(self):
        """u = 3: a constant effort of 6 N m; released, what Python wrote counts."""
        driven = PENDULUM.replace("gain: 2", "gain: 2, value: 3").replace("0.3}", "0}")
        system = appell.parse(driven).system()
        self.assertEqual(system.run(to=0.1)["motor"][-1], 3)
        system.release("motor")
        system.state.u = -1
        self.assertEqual(system.run(to=0.2)["motor"][-1], -1)
        with self.assertRaisesRegex(appell.Error, "no input 'moter'"):
            system.release("moter")
        r = appell.load(ROOT / "models" / "hybrid-arm.yaml").run(to=0.5)
        self.assertLess(r.summary["energy.error.relative"], 1e-6)


class Files(unittest.TestCase):
    def test_same_as_the_command(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("no h5py")
        with tempfile.TemporaryDirectory() as home:
            out = Path(home, "out.h5")
            subprocess.run([COMMAND, "run", DOUBLE, "--to", "1", "-o", out], check=True, capture_output=True)
            theirs, ours = appell.read_result(out), appell.load(DOUBLE).run(to=1)
            self.assertEqual(list(theirs), list(ours))
            self.assertEqual(theirs.units, ours.units)
            self.assertEqual((theirs.status, theirs.name, theirs.model), ("finished", ours.name, ours.model))
            self.assertLessEqual(ours.summary.keys(), theirs.summary.keys())
            # a run with checkpoints takes other steps: equal within the tolerance of 1e-9, grown by the motion
            np.testing.assert_allclose(theirs.rows, ours.rows, rtol=0, atol=1e-6)

            out.write_bytes(out.read_bytes()[:500])
            with self.assertRaisesRegex(appell.Error, "cannot be read"):
                appell.read_result(out)
            with h5py.File(out, "w"):
                pass
            with self.assertRaisesRegex(appell.Error, "not a result"):
                appell.read_result(out)


MODELS = Path(__file__).resolve().parents[2] / "models"


class Settings(unittest.TestCase):
    def test_parameters_by_path(self):
        light = appell.load(MODELS / "double-pendulum.yaml")
        heavy = appell.load(MODELS / "double-pendulum.yaml", set={"upper.body.mass": "7 kg", "gravity": [0, 0, 0]})
        self.assertNotEqual(light.mass, heavy.mass)
        self.assertEqual(list(heavy.gravity), [0, 0, 0])

    def test_mistakes_name_the_setting(self):
        with self.assertRaisesRegex(appell.Error, "set upper.body.mass=7 m: "):
            appell.load(MODELS / "double-pendulum.yaml", set={"upper.body.mass": "7 m"})


class Loops(unittest.TestCase):
    def test_methods(self):
        model = appell.load(ROOT / "models" / "four-bar.yaml")
        a, b = (model.run(to=0.3, loops=method, tolerance=1e-10) for method in ("multipliers", "reduced"))
        for name in ("crank.joint.angle", "pin.x.force"):
            self.assertLess(np.max(np.abs(a[name] - b[name])), 1e-6)  # two runs at 1e-10
        with self.assertRaisesRegex(appell.Error, "no method 'redused' for loops.*reduced"):
            model.run(to=0.1, loops="redused")

    def test_inverse(self):
        # accelerations of a run at rest come back from the input that made them: 0 at the start
        model = appell.load(ROOT / "models" / "four-bar.yaml")
        system = model.system()
        system.step(0.1)
        want = float(system.state.u[0])
        system.state.u[0] = 7.0
        self.assertTrue(system.inverse())
        self.assertAlmostEqual(float(system.state.u[0]), want, places=6)

    def test_a_state_is_assembled(self):
        for name in ("delta", "stewart", "four-bar", "falling-3rrr", "rsur"):
            model = appell.load(ROOT / "models" / f"{name}.yaml")
            state = model.state()
            self.assertLessEqual(state.gap, 1e-12, name)
            self.assertEqual(state.gap, np.abs(state.gaps()).max())
            self.assertTrue(np.array_equal(state.q, model.system().state.q), name)
            self.assertTrue(np.array_equal(model.state(complex).q, state.q), name)
            state.q[0] += 0.1
            state.reset()
            self.assertLessEqual(state.gap, 1e-12, name)
        # a file whose loops do not close has no assembled state; as it is, it says how far they are open
        text = (ROOT / "models" / "four-bar.yaml").read_text().replace("at: [1, 0, 0]", "at: [3, 0, 0]")
        with self.assertRaisesRegex(appell.Error, "it stays open by 1.26182 m"):
            appell.parse(text).state()
        self.assertGreater(appell.parse(text).state(assembled=False).gap, 1)

    def test_forward_has_the_loops(self):
        # against the dense equations of the tree: M a + h = tau + J^T p, J a = 0 at rest
        model = appell.load(ROOT / "models" / "delta.yaml")
        state = model.state()
        state.tau[:3] = (1, 2, -1)
        M, h, J = state.mass_matrix(loops=False), state.bias(loops=False), state.loop_jacobian()
        n, rows = J.shape[1], J.shape[0]
        full = np.linalg.solve(np.block([[M, -J.T], [J, np.zeros((rows, rows))]]), np.concatenate([state.tau - h, np.zeros(rows)]))
        self.assertLess(np.abs(state.forward() - full[:n]).max(), 1e-9)
        self.assertLess(np.abs(state.loop_forces() - full[n:]).max(), 1e-9)
        # by the motions that are left: N^T M N x = N^T (tau - h)
        N = state.loop_motions()
        self.assertEqual(N.shape, (21, 3))
        x = np.linalg.solve(N.T @ M @ N, N.T @ (state.tau - h))
        self.assertLess(np.abs(N @ x - full[:n]).max(), 1e-9)
        # the open tree, also after forces of loops were found: the platform falls
        self.assertAlmostEqual(state.forward(loops=False)[-1], -9.81, 12)
        self.assertFalse(state.loop_forces().any())

    def test_what_has_no_loops_names_what_has(self):
        model = appell.load(ROOT / "models" / "delta.yaml")
        state = model.state()
        for call, instead in (("inverse", "system.inverse"), ("bias", "system.inverse"), ("mass_matrix", "state.loop_motions"),
                              ("inverse_derivatives", "system.linearize"), ("forward_derivatives", "system.linearize")):
            with self.assertRaisesRegex(appell.Error, f"{instead}\\(\\).*{call}\\(loops=False\\) is about the open tree"):
                getattr(state, call)()
            getattr(state, call)(loops=False)
        with self.assertRaisesRegex(appell.Error, "system.linearize"):
            model.state(complex).forward()
        model.state(complex).forward(loops=False)
        # robots without loops have both
        tree = appell.load(ROOT / "models" / "double-pendulum.yaml").state()
        self.assertTrue(np.array_equal(tree.inverse(), tree.inverse(loops=False)))

    def test_what_was_written_is_told(self):
        model = appell.load(ROOT / "models" / "delta.yaml")
        system = model.system()
        state = system.state
        state["platform.joint.z"] += 0.01
        self.assertAlmostEqual(state.gap, 0.01, 12)
        q = state.q.copy()
        for call in (state.forward, state.loop_motions, state.modes, system.inverse, lambda: system.step(0.01), lambda: system.run(0.1)):
            with self.assertRaisesRegex(appell.Error, r"the loops are open by 0.01 m at 'ball.*z'.*call state.assemble\(\)"):
                call()
        self.assertTrue(np.array_equal(state.q, q))  # nothing was repaired
        wish = state["platform.joint.z"]
        found = state.assemble(keep=["platform.joint.z"])
        self.assertEqual(state["platform.joint.z"], wish)
        self.assertLessEqual(found.gap, 1e-12)
        self.assertEqual(found.rounded, 0)
        self.assertAlmostEqual(found.moved["arm1.joint.angle"], state["arm1.joint.angle"] - q[0], 15)
        self.assertNotIn("platform.joint.z", found.moved)
        system.step(0.01)
        # velocities as well
        state.v[0] += 1
        with self.assertRaisesRegex(appell.Error, "the velocities open the loops"):
            system.step(0.01)
        state.assemble()
        system.step(0.01)
        # what cannot be is refused with the distance, and nothing moves
        state["platform.joint.z"] = -1.2
        q = state.q.copy()
        with self.assertRaisesRegex(appell.Error, "it stays open by 0.1"):
            state.assemble(keep=["platform.joint.z"])
        self.assertTrue(np.array_equal(state.q, q))
        with self.assertRaisesRegex(KeyError, "is an input"):
            state.assemble(keep=["motor1"])

    def test_a_loose_run_is_not_refused(self):
        # gaps that an integrator leaves are its own
        model = appell.load(ROOT / "models" / "four-bar.yaml")
        system = model.system(integrator="adams", tolerance=1e-3)
        for _ in range(20):
            system.step(0.01)
            system.state.forward()

    def test_equilibrium_leaves_springs_of_loops(self):
        """An equilibrium closes loops exactly; afterwards the state has its springs again, a = -k y / m."""
        model = appell.parse("""{appell: 1, gravity: [0, 0, 0], links: [{name: puck, joint: {type: planar, normal: z},
            body: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}, ports: {p: {at: [0, 0, 0]}}}],
            loops: [{name: pin, from: world, to: puck.p, type: planar-point, axis: z, stiffness: 100, damping: 20}],
            run: {to: 0.1 s, loops: springs}}""")
        system = model.system()
        system.run()
        for _ in range(2):
            system.state.q[:], system.state.v[:] = (0, 0.01, 0), 0
            self.assertAlmostEqual(system.state.forward()[1], -1, 12)
            system.state.equilibrium()


if __name__ == "__main__":
    unittest.main()
