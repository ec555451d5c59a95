# SPDX-License-Identifier: Apache-2.0
"""test_contact_laws.py APPELL [--short]: every normal law with every friction law, on robots that bounce, slide, tip and come to rest.

What a run says about itself must hold whatever the laws are: it ends, and its ledgers of energy and momentum close. Both are
integrated beside the motion with forces, not computed from it, so an event that is missed, a jump that is booked wrongly or a
force without its reaction opens them. A result is read by h5py, not by ours. With --short (builds with sanitizers, which look at
memory and are slow) the ball takes a third of the pairs, box and chain half of them, every law among them.
"""
import itertools
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py

APPELL = Path(sys.argv.pop(1)).resolve()
SHORT = "--short" in sys.argv
if SHORT:
    sys.argv.remove("--short")
MODELS = Path(__file__).resolve().parents[2] / "models"

DISSIPATIVE = ("hunt-crossley", "herbert-mcwhannell", "lee-wang", "lankarani-nikravesh", "flores", "gharib-hurmuzlu", "hu-guo")
NORMAL = {
    "hertz": "normal: hertz, stiffness: {K}",
    **{law: f"normal: {law}, stiffness: {{K}}, restitution: {{e}}" for law in DISSIPATIVE},
    "kelvin-voigt": "normal: kelvin-voigt, stiffness: {K}, damping: 200",
    "restitution": "normal: restitution, restitution: {e}",
}
FRICTION = {
    "none": "",
    "coulomb": "v0: 1e-3",
    "coulomb-stiction": "stiction: 0.4",
    "viscous": "v0: 1e-3, viscous: 0.1",
    "stribeck": "stiction: 0.4, v0: 1e-3, stribeck-speed: 0.05, viscous: 0.05",
    "coupled": "v0: 1e-3, across: 0.5, backward: 0.2",
    "decoupled": "v0: 1e-3, across: 0.5, left: 0.6",
    "karnopp": "stiction: 0.4, v0: 1e-3",
    "threlfall": "v0: 1e-2",
    "bengisu-akay": "stiction: 0.4, v0: 1e-2, decay: 20",
    "ambrosio": "v0: 1e-4, v1: 1e-3",
    "lugre": "stiction: 0.4, stribeck-speed: 0.05, bristle-stiffness: 1e4, bristle-damping: 0.3",
}
FLAT, INCLINED = "[0, 0, 1]", "[0.3, 0.1, 1]"


def ground(name, normal, friction, axis, K, e):
    law = NORMAL[normal].format(K=K, e=e)
    rub = "" if friction == "none" else ", friction: {law: %s, coefficient: 0.3, %s}" % (friction, FRICTION[friction])
    return f"  {name}: {{normal: {axis}, law: {{{law}}}{rub}}}\n"


def model(grounds, contacts, links, start):
    return (f"appell: 1\ngravity: [0, 0, -9.81]\ngrounds:\n{grounds}contacts:\n{contacts}links:\n{links}start: {{{start}}}\n"
            "run: {to: 1.2, integrator: dop853, tolerance: 1e-10, output-every: 0.02}\n")


def ball(grounds, start="ball.joint.z: 0.4, ball.joint.vx: 1.5, ball.joint.vy: 0.5, ball.joint.wy: -3, ball.joint.wz: 2"):
    links = ("  - {name: ball, joint: {type: floating}, "
             "body: {mass: 0.5, inertia: {xx: 0.002, yy: 0.002, zz: 0.002}}}\n")
    return model(grounds, "  - {on: ball.root, radius: 0.1}\n", links, start)


def box(grounds, start="box.joint.z: 0.4, box.joint.vx: 1.5, box.joint.vy: 0.5, box.joint.wx: 0.5, box.joint.wy: -3"):
    corner = list(itertools.product((-0.2, 0.2), (-0.15, 0.15), (-0.1, 0.1)))
    ports = ", ".join(f"c{i}: {{at: [{x}, {y}, {z}]}}" for i, (x, y, z) in enumerate(corner))
    links = ("  - {name: box, joint: {type: floating}, "
             f"body: {{mass: 2, inertia: {{xx: 0.0217, yy: 0.0333, zz: 0.0417}}}}, ports: {{{ports}}}}}\n")
    return model(grounds, "".join(f"  - {{on: box.c{i}}}\n" for i in range(8)), links, start)


def chain(grounds, radius=0.0):
    links = ("  - {name: x, joint: {type: prismatic, axis: x}, body: {mass: 0}}\n"
             "  - {name: z, on: x, joint: {type: prismatic, axis: z}, body: {mass: 0}}\n")
    for i, on in (1, "z"), (2, "link1.end"), (3, "link2.end"):
        links += (f"  - {{name: link{i}, on: {on}, joint: {{type: revolute, axis: -y}}, ports: {{end: {{at: [1, 0, 0]}}}},\n"
                  "     body: {mass: 1, com: [0.5, 0, 0], inertia: {yy: 0.0833333, zz: 0.0833333}}}\n")
    ends = ("link1.root", "link1.end", "link2.end", "link3.end")
    contacts = "".join(f"  - {{on: {end}, radius: {radius}}}\n" for end in ends)
    return model(grounds, contacts, links, "z.joint.position: 0.5, link1.joint.angle: 35 deg, "
                 "link2.joint.angle: -30 deg, link3.joint.angle: -30 deg")


class Laws(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    # At 1e-10 the worst of all these is 3e-10 for energy and 3e-10 for momentum.
    def closes(self, text, *options, energy=1e-8, momentum=1e-9):
        Path("m.yaml").write_text(text)
        done = subprocess.run([APPELL, "run", "m.yaml", "-o", "r.h5", *options], capture_output=True, text=True, timeout=1200)  # slow with sanitizers on a busy machine
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File("r.h5") as file:
            summary = {row["key"].decode(): row["value"] for row in file["summary"]}
        self.assertLess(summary["energy.error.relative"], energy)
        self.assertLess(summary["momentum.error.relative"], momentum)
        return summary

    def all_pairs(self, make, normals, frictions, axis=FLAT, K=1e6, e=0.6, every=1):
        pairs = [(n, f) for i, n in enumerate(normals) for k, f in enumerate(frictions) if (i + k) % every == 0]
        for normal, friction in pairs:
            with self.subTest(f"{normal} {friction}"):
                self.closes(make(ground("floor", normal, friction, axis, K, e)))

    def test_ball_with_all_laws(self):
        self.all_pairs(ball, NORMAL, FRICTION, every=3 if SHORT else 1)

    def test_ball_on_an_incline(self):
        self.all_pairs(ball, ("hu-guo", "restitution"), FRICTION, INCLINED)

    def test_box(self):
        self.all_pairs(box, ("hu-guo", "kelvin-voigt", "restitution"), ("none", "ambrosio", "karnopp", "coulomb-stiction"),
                       every=2 if SHORT else 1)

    def test_box_slides_on_more_corners_than_it_needs(self):
        # rigid: four normal forces, three equations. Who carries what must not change from one instant to the next.
        for friction in ("none", "ambrosio", "coulomb-stiction", "threlfall"):
            with self.subTest(friction):
                floor = ground("floor", "restitution", friction, FLAT, 0, 0.6)
                self.closes(box(floor, "box.joint.z: 0.1, box.joint.vx: 1, box.joint.wz: 2"))

    def test_chain(self):
        self.all_pairs(chain, ("hertz", "hu-guo", "restitution"), ("none", "coulomb", "karnopp", "lugre"), K=140e6,
                       every=2 if SHORT else 1)

    def test_flexible_chain_with_stiction(self):
        # its contacts begin without slip, and what a push across its plane does is round-off
        text = (MODELS / "paper-flexible-ss.yaml").read_text()
        for law in ("coulomb-stiction", "karnopp"):
            with self.subTest(law):
                self.closes(text.replace("law: ambrosio", f"law: {law}"), "--to", "0.6")


if __name__ == "__main__":
    unittest.main()
