# SPDX-License-Identifier: Apache-2.0
"""test_extend.py APPELL: a run that is extended to a later end gives the bytes of one run to that end, by every method.

The end of a run shortens its last step. Where an event lies in that step the run goes on behind it: nothing from there on may
reach the extended run.
"""
import unittest
from pathlib import Path

import h5py
from command import Case, appell

BALL = """appell: 1
links:
  - name: b
    joint: {type: prismatic, axis: z}
    body: {mass: 1}
    ports: {p: {at: [0, 0, 0]}}
grounds: {floor: {law: {normal: hunt-crossley, stiffness: 1e5, restitution: 0.5}}}
contacts: [{on: b.p, with: floor}]
start: {b.joint.position: 1}
run: {to: 2, output-every: 0.01}
"""
BRISTLES = """appell: 1
links:
  - name: b
    joint: {type: planar, normal: y}
    body: {mass: 1, inertia: {xx: .01, yy: .01, zz: .01}}
    ports: {p: {at: [0.1, 0, 0.05]}, q: {at: [-0.1, 0, 0.05]}}
grounds: {g: {point: [0, 0, -0.3], law: {normal: hertz, stiffness: 1e5}, friction: {law: lugre, coefficient: 0.4, bristle-stiffness: 1e3, bristle-damping: 3, stribeck-speed: 0.01, stiction: 0.5}}}
contacts: [{on: b.p, radius: 0.02}, {on: b.q, radius: 0.02}]
start: {b.joint.x.rate: 0.6, b.joint.angle.rate: 1}
run: {to: 0.6, output-every: 0.005, integrator: bdf, tolerance: 1e-7}
"""
# a torque that changes its slope at 0.35 and 0.7 s, a stop that the second arm hits, and damping
ARMS = """appell: 1
links:
  - name: a
    joint: {type: revolute, axis: y, damping: 0.01}
    body: {mass: 1, com: [0, 0, -0.2], inertia: {xx: .02, yy: .02, zz: .01}}
    ports: {tip: {at: [0, 0, -0.4]}}
  - name: c
    on: a.tip
    joint: {type: revolute, axis: y, limits: {lower: -0.5, upper: 0.5}}
    body: {mass: 0.5, com: [0, 0, -0.1], inertia: {xx: .01, yy: .01, zz: .01}}
inputs: {a.joint.angle: {linear: {times: [0, 0.35, 0.7], values: [0, 1, 0]}}}
start: {a.joint.angle: 1, c.joint.angle: 0.3}
run: {to: 1.2, output-every: 0.01}
"""
ADAPTIVE = ("auto", "dop853", "rkf45", "rkf78", "adams", "bdf", "stiff")
FIXED = ("rk4", "semi-implicit", "moreau", "gen-alpha")


class Extended(Case):
    def result(self, name, to, *options):
        """The bytes of the run to this end; a checkpoint may stand behind every output."""
        done = appell("run", "m.yaml", "--checkpoint-every", 1, "-q", "--to", to, "-o", name, *options)
        self.assertEqual(done.returncode, 0, done)  # steps of a fixed length may warn of their error
        return Path(name).read_bytes()

    def same(self, ends, *options):
        """From the first end to the next, and so on."""
        whole = self.result("whole.h5", ends[-1], *options)
        self.result("0.h5", ends[0], *options)
        for i, to in enumerate(ends[1:]):
            last = self.result(f"{i + 1}.h5", to, "--resume", f"{i}.h5", *options)
        self.assertTrue(last == whole, (ends, options))

    def test_every_method(self):
        for text, to in ((BALL, 2.0), (ARMS, 1.2)):
            Path("m.yaml").write_text(text, encoding="utf-8")
            for method in ADAPTIVE + FIXED:
                if text is BALL and method == "gen-alpha":
                    continue  # it has no contacts
                step = ["--step", 7e-4] if method in FIXED else []
                for share in (1 / 3, 0.301):
                    self.same((share * to, 2 * share * to, to), "--integrator", method, *step)

    def test_ends_near_events(self):
        Path("m.yaml").write_text(BALL, encoding="utf-8")
        for k in range(1, 20):
            self.same((0.1 * k + 0.003 * (k % 3), 2))

    def test_bristles(self):
        Path("m.yaml").write_text(BRISTLES, encoding="utf-8")
        for k in range(1, 20):
            self.same((0.03 * k, 0.6))

    def test_places_are_used(self):
        """A run is not merely computed again: there are places, the last one not far from the end."""
        Path("m.yaml").write_text(ARMS, encoding="utf-8")
        for method in ("auto", "rkf45", "rkf78", "stiff", "rk4", "moreau", "gen-alpha"):
            step = ["--step", 7e-4] if method in FIXED else []
            self.result("r.h5", 1.2, "--integrator", method, *step)
            with h5py.File("r.h5") as f:
                at = f["checkpoint"][str(int(f["checkpoint/count"][()]) % 2)]["at"][()]["time"]
            self.assertGreater(float(at), 0.8, method)

    def test_before_the_first_place(self):
        Path("m.yaml").write_text(ARMS, encoding="utf-8")
        words = ["run", "m.yaml", "--checkpoint-every", 50, "-q"]
        self.good(*words, "--to", 0.1, "-o", "short.h5")
        self.good(*words, "--resume", "short.h5", "-o", "long.h5")
        self.good(*words, "-o", "whole.h5")
        self.assertEqual(Path("long.h5").read_bytes(), Path("whole.h5").read_bytes())
        self.good(*words[:2], "--checkpoint-every", 0, "-q", "-o", "none.h5")
        self.bad(1, "no checkpoint to resume from", *words, "--resume", "none.h5", "-o", "long.h5")


if __name__ == "__main__":
    unittest.main()
