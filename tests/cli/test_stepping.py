# SPDX-License-Identifier: Apache-2.0
"""test_stepping.py APPELL: contact by time steps (integrator moreau) and by events on the same robots.

Closed forms: a box on an incline rests inside the friction cone, slides with g (sin - m cos) outside it, and tips when its weight
leaves its edge; a ball bounces with e; a spring under a weight settles at m g / k. Both drivers must agree with them.
"""
import json
import math
import unittest
from pathlib import Path

from command import Case, appell

G = 9.81


def box(slope, friction, half=(0.1, 0.1, 0.05), run="integrator: moreau, step: 1 ms", to=1.0, start=""):
    """A box of 1 kg on four rigid corners, on an incline of tan(slope), as gravity that leans."""
    psi = math.atan(slope)
    hx, hy, hz = half
    corner = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    ports = ", ".join(f"p{i}: {{at: [{x * hx}, {y * hy}, {-hz}]}}" for i, (x, y) in enumerate(corner))
    return f"""appell: 1
gravity: [{G * math.sin(psi)!r}, 0, {-G * math.cos(psi)!r}]
links:
  - name: b
    joint: floating
    body: {{mass: 1, inertia: {{xx: {(hy**2 + hz**2) / 3!r}, yy: {(hx**2 + hz**2) / 3!r}, zz: {(hx**2 + hy**2) / 3!r}}}}}
    ports: {{{ports}}}
grounds: {{g: {{law: {{normal: restitution, restitution: 0}}, friction: {{law: coulomb-stiction, coefficient: {friction}}}}}}}
contacts: [{", ".join(f"{{on: b.p{i}}}" for i in range(4))}]
start: {{b.joint.z: {hz}{start}}}
run: {{to: {to}, {run}, output-every: {to / 10}}}
"""


EVENTS = "tolerance: 1e-8"
BALL = """appell: 1
links:
  - name: z
    joint: {type: prismatic, axis: z}
    body: {mass: 0.5}
grounds: {g: {law: {%s}}}
contacts: [{on: z.root}]
start: {z.joint.position: 0.3}
run: {to: %s, integrator: moreau, step: %s, output-every: 0.01}
"""


ROD = """appell: 1
links:
  - name: x
    joint: {type: prismatic, axis: x}
    body: {mass: 0}
  - name: z
    on: x
    joint: {type: prismatic, axis: z}
    body: {mass: 0}
  - name: rod
    on: z
    joint: {type: revolute, axis: -y}
    body: {mass: 1, com: [0.5, 0, 0], inertia: {yy: 0.0833333, zz: 0.0833333}}
grounds: {g: {law: {normal: restitution, restitution: 0}, friction: {law: coulomb-stiction, coefficient: 1.5}}}
contacts: [{on: rod.root}]
start: {x.joint.position.rate: -4, rod.joint.angle: 55 deg, rod.joint.angle.rate: 1}
run: {to: 1, integrator: moreau, step: 1 ms, output-every: 0.1}
"""


class Stepping(Case):
    def test_rests_inside_the_cone(self):
        # 100 s of steps; what sticks is solved to round-off, so nothing is left but that of the coordinates
        for run, to in (("integrator: moreau, step: 1 ms", 100.0), (EVENTS, 5.0)):
            got = self.run_of(box(0.4, 0.5, run=run, to=to))
            for name in ("b.joint.x", "b.joint.y", "b.joint.z"):
                self.assertLess(max(got[name]) - min(got[name]), 1e-12, name)

    def test_slides_outside_the_cone(self):
        a = G * (math.sin(math.atan(0.6)) - 0.5 * math.cos(math.atan(0.6)))
        got = self.run_of(box(0.6, 0.5, run=EVENTS))
        self.assertAlmostEqual(got["b.joint.x"][-1], a / 2, delta=1e-9)
        # the method is of order one: x = a t (t + h) / 2, exactly
        for step in (1e-3, 5e-4):
            got = self.run_of(box(0.6, 0.5, run=f"integrator: moreau, step: {step}"))
            self.assertAlmostEqual(got["b.joint.x"][-1], a * (1 + step) / 2, delta=1e-9)

    def test_tips_over_its_edge(self):
        # half width over half height 0.5: it stands at a slope of 0.49 and falls at 0.51
        for run in ("integrator: moreau, step: 1 ms", EVENTS):
            stands = self.run_of(box(0.49, 5, half=(0.05, 0.1, 0.1), run=run, to=0.6))
            self.assertLess(abs(stands["b.joint.qy"][-1]), 1e-9)
            falls = self.run_of(box(0.51, 5, half=(0.05, 0.1, 0.1), run=run, to=0.6))
            self.assertGreater(falls["b.joint.qy"][-1], 1e-2)

    def test_bounces(self):
        # from 0.3 m with e = 0.5 the second top is at 0.075 m; steps of 1 ms know it to a few mm
        got = self.run_of(BALL % ("normal: restitution, restitution: 0.5", 0.6, 1e-4))
        top = max(z for t, z in zip(got["time"], got["z.joint.position"]) if t > math.sqrt(2 * 0.3 / G))
        self.assertAlmostEqual(top, 0.075, delta=1e-3)

    def test_settles_on_a_spring(self):
        # kelvin-voigt, implicit: stable at a step far above the period of the spring, at rest at -m g / k
        got = self.run_of(BALL % ("normal: kelvin-voigt, stiffness: 1e7, exponent: 1, damping: 100", 1.0, 1e-2))
        self.assertAlmostEqual(got["z.joint.position"][-1], -0.5 * G / 1e7, delta=1e-12)

    def test_ledger_error_is_of_order_one(self):
        errors = []
        for step in (2e-3, 1e-3, 5e-4):
            done = self.call(box(0.6, 0.5, run=f"integrator: moreau, step: {step}", start=", b.joint.vy: 0.5"), "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            errors.append(json.loads(done.stdout)["energy_error"])
        self.assertAlmostEqual(errors[0] / errors[1], 2.0, delta=0.2)
        self.assertAlmostEqual(errors[1] / errors[2], 2.0, delta=0.2)

    def test_momentum_is_audited(self):
        # a box that spins and slides: what contacts and weight give is what momentum becomes, to order one in the step
        errors = []
        for step in (2e-3, 1e-3, 5e-4):
            done = self.call(box(0.4, 0.2, run=f"integrator: moreau, step: {step}", start=", b.joint.wz: 3, b.joint.vy: 0.5"), "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            errors.append(json.loads(done.stdout)["momentum_error"])
        self.assertLess(errors[0], 1e-2)
        self.assertAlmostEqual(errors[0] / errors[1], 2.0, delta=0.2)
        self.assertAlmostEqual(errors[1] / errors[2], 2.0, delta=0.2)

    def test_prescribed_motion_is_booked(self):
        # the effort of a driven joint that carries a swinging arm: the method is of order one, so half the step leaves half the error
        arm = "body: {mass: 1, com: [0.5, 0, 0], inertia: {xx: 0.01, yy: 0.1, zz: 0.1}}"
        text = f"""appell: 1
links:
  - {{name: a, joint: {{type: revolute, axis: y, prescribed: true}}, {arm}, ports: {{tip: {{at: [1, 0, 0]}}}}}}
  - {{name: b, on: a.tip, joint: {{type: revolute, axis: y, damping: 0.1}}, {arm}}}
motion: {{a.joint.angle: {{sine: {{amplitude: 0.3, frequency: 1}}}}}}
run: {{to: 1 s, integrator: moreau, step: 2 ms, output-every: 100 ms}}
"""
        errors = []
        for step in ("2 ms", "1 ms"):
            done = self.call(text, "--step", step, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            errors.append(json.loads(done.stdout)["energy_error"])
        self.assertLess(errors[0], 5e-3)
        self.assertAlmostEqual(errors[0] / errors[1], 2.0, delta=0.1)

    def test_friction_of_a_driven_slide(self):
        # a prescribed carriage drags a foot of 2 kg over rigid ground: friction mu N against the slip, and the drive feels it
        text = """appell: 1
links:
  - {name: x, joint: {type: prismatic, axis: x, prescribed: true}, body: {mass: 1}}
  - {name: z, on: x, joint: {type: prismatic, axis: z}, body: {mass: 2}, ports: {foot: {at: [0, 0, 0]}}}
grounds: {g: {law: {normal: restitution, restitution: 0}, friction: {law: coulomb-stiction, coefficient: 0.5}}}
contacts: [{on: z.foot}]
motion: {x.joint.position: {sine: {amplitude: 0.1, frequency: 1}}}
run: {to: 0.2 s, integrator: moreau, step: 1 ms, output-every: 10 ms}
"""
        got = self.run_of(text)
        along = next(name for name in got if name.endswith(".along"))
        for t, force in list(zip(got["time"], got[along]))[1:]:
            self.assertAlmostEqual(force, -9.81, delta=1e-9)
        # x: amplitude 0.1, 3 kg: m a - friction
        name = next(name for name in got if name.startswith("x.") and name.endswith("effort"))
        for t, effort in list(zip(got["time"], got[name]))[1:]:
            self.assertAlmostEqual(effort, -0.1 * (2 * math.pi) ** 2 * 3 * math.sin(2 * math.pi * t) + 9.81, delta=0.1)

    def test_outputs_closer_than_steps(self):
        # a step of 3 ms passes three outputs and is recorded once
        got = self.run_of(BALL.replace("output-every: 0.01", "output-every: 0.001") % ("normal: hertz, stiffness: 1e5", 0.03, 0.003))
        self.assertEqual([round(t / 0.003) for t in got["time"]], list(range(11)))

    def test_recording_changes_nothing(self):
        # a box that turns, slides and comes to rest on rigid corners: its forces start from those found before
        text = box(0.4, 0.5, run=EVENTS, to=0.5, start=", b.joint.wz: 3, b.joint.vx: 1")
        plain, more = self.run_of(text), self.run_of(text, "--record", "accelerations,reactions")
        for name, values in plain.items():
            self.assertEqual(values, more[name], name)

    def test_channels_know_the_ground(self):
        # a box of 1 kg at rest: no acceleration, and the world gives nothing but what the contacts do
        got = self.run_of(box(0.4, 0.5, to=0.1), "--record", "accelerations,reactions")
        for name in ("b.joint.vx.rate.rate", "b.joint.vz.rate.rate", "world.reaction.force.z"):
            self.assertLess(abs(got[name][-1]), 1e-9, name)

    def test_a_resumed_run_tells_what_a_whole_one_does(self):
        # a step too long is seen while the ball touches, before the run is cut
        text = BALL % ("normal: hertz, stiffness: 1e9", 0.5, 1e-3)
        Path("m.yaml").write_text(text)
        run = ["run", "m.yaml", "--checkpoint-every", 1]
        whole = appell(*run, "-o", "whole.h5")
        self.assertEqual(appell(*run, "-o", "half.h5", "--to", 0.45).returncode, 0)
        rest = appell(*run, "-o", "rest.h5", "--resume", "half.h5")
        told = "the step is too large for the stiffness of contact 'z.root.g'"
        self.assertIn(told, whole.stdout)
        self.assertIn(told, rest.stdout)

    def test_a_step_too_long_is_told(self):
        done = self.call(BALL % ("normal: hertz, stiffness: 1e9", 0.5, 1e-3))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the step is too large for the stiffness of contact 'z.root.g'", done.stdout + done.stderr)

    def test_sixty_feet(self):
        # a plate on 60 rigid feet stands, and its weight is what they carry
        ports = ", ".join(f"f{i}: {{at: [{0.1 * (i % 10)}, {0.1 * (i // 10)}, 0]}}" for i in range(60))
        text = f"""appell: 1
links:
  - name: plate
    joint: floating
    body: {{mass: 6, com: [0.45, 0.25, 0.05], inertia: {{xx: 0.2, yy: 0.4, zz: 0.6}}}}
    ports: {{{ports}}}
grounds: {{g: {{law: {{normal: restitution, restitution: 0}}, friction: {{law: coulomb, coefficient: 0.5, v0: 1e-3}}}}}}
contacts: [{", ".join(f"{{on: plate.f{i}}}" for i in range(60))}]
run: {{to: 0.05, integrator: moreau, step: 1 ms, output-every: 0.01}}
"""
        got = self.run_of(text)
        self.assertLess(abs(got["plate.joint.z"][-1]), 1e-9)
        load = sum(got[f"plate.f{i}.g.normal"][-1] for i in range(60))
        self.assertAlmostEqual(load, 6 * G, delta=1e-6)

    def test_sixty_feet_walk(self):
        # each foot carries from 15 degrees before to 15 degrees behind the lowest point of its circle: the body goes by
        # 2 r sin(15 deg) in a twelfth of a turn, at any step; rows of 1 ms end within w h of that
        got = self.run_of((Path(__file__).parents[2] / "models" / "sixty-feet.yaml").read_text())
        at = {round(t, 6): x for t, x in zip(got["time"], got["body.joint.x"])}
        self.assertAlmostEqual(at[4.0] - at[2.0], 2 * 12 * 2 * 0.03 * math.sin(math.radians(15)), delta=2e-4)
        self.assertLess(max(abs(y) for y in got["body.joint.y"]), 1e-4)
        self.assertLess(max(abs(q) for q in got["body.joint.qy"]), 1e-3)

    def test_painleve_rod(self):
        # a rod with friction 1.5 slides into the region where no force holds it: steps jam and go on
        got = self.run_of(ROD)
        self.assertTrue(all(math.isfinite(x) for x in got["rod.joint.angle"]))
        self.assertLess(max(abs(x) for x in got["x.joint.position.rate"]), 6)

    def test_painleve_by_events(self):
        # a rod that starts where no force holds it is explained (one that comes to such a place: test_trust)
        done = self.call(ROD.replace("integrator: moreau, step: 1 ms", "tolerance: 1e-8"))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "no contact forces were found that satisfy the laws of 1 contacts .rod.root.g.*moreau")

    def test_refusals(self):
        text = box(0.4, 0.5).replace("law: coulomb-stiction", "law: stribeck, v0: 1e-3, stribeck-speed: 0.1, stiction: 0.6")
        done = self.call(text)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("has the friction law stribeck, which the integrator moreau cannot handle: use auto, ", done.stderr)
        done = self.call(box(0.4, 0.5, run="integrator: semi-implicit, step: 1 ms"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("moreau", done.stderr)
        done = self.call(box(0.4, 0.5, run="integrator: moreau"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("moreau needs a positive step", done.stderr)

    def test_fixed_steps_are_as_many_as_asked_for(self):
        text = BALL % ("normal: hunt-crossley, stiffness: 1e5, restitution: 0.5", 0.5, 1e-3)
        done = self.call(text.replace("integrator: moreau", "integrator: semi-implicit"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(" 500 steps", done.stdout + done.stderr)

    def test_same_bytes(self):
        results = []
        for _ in range(2):
            self.run_of(box(0.6, 0.5, start=", b.joint.wz: 3", to=0.5))
            results.append(Path("out.csv").read_bytes())
        self.assertEqual(*results)

    def test_starts_that_touch(self):
        # a sliding box in touch with the ground changed the sign of its depth by round-off
        text = """appell: 1
links:
  - name: b
    at: {rotation: {axis: y, angle: 0.4636476090008061}}
    joint: floating
    body: {mass: 1, inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}
    ports: {p1: {at: [0.1,0.1,-0.05]}, p2: {at: [0.1,-0.1,-0.05]}, p3: {at: [-0.1,0.1,-0.05]}, p4: {at: [-0.1,-0.1,-0.05]}}
grounds: {g: {normal: [0.4472135954999579,0,0.8944271909999159], law: {normal: hunt-crossley, stiffness: 1e6, restitution: 0.3},
              friction: {law: coulomb, coefficient: 0.5, v0: 1e-3}}}
contacts: [{on: b.p1},{on: b.p2},{on: b.p3},{on: b.p4}]
start: {b.joint.z: 0.05, b.joint.vx.rate: 1.0}
run: {to: 0.3, output-every: 0.01}
"""
        for tolerance in ("1e-6", "1e-8"):
            self.run_of(text, "--tolerance", tolerance)


if __name__ == "__main__":
    unittest.main()
