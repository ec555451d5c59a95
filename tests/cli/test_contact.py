# SPDX-License-Identifier: Apache-2.0
"""test_contact.py APPELL: contacts from outside: impacts in summary and file, resumed runs, laws, bad input."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import h5py

APPELL = Path(sys.argv.pop(1)).resolve()
MODELS = Path(__file__).resolve().parents[2] / "models"

BALL = """appell: 1
name: ball
links:
  - name: x
    joint: {type: prismatic, axis: x}
    body: {mass: 0}
  - name: ball
    on: x
    joint: {type: prismatic, axis: z}
    body: {mass: 0.7}
grounds:
  floor:
    law: {normal: hu-guo, stiffness: 1e5, restitution: 0.8}
    friction: {law: lugre, coefficient: 0.2, stribeck-speed: 0.1, bristle-stiffness: 1e3}
contacts:
  - {on: ball.root, radius: 2 cm}
start: {ball.joint.position: 0.52, x.joint.position.rate: 1}
run: {to: 2 s, tolerance: 1e-10, output-every: 1 ms}
"""

# a rover that drags a foot along, whose friction has bristles
ROVER = """appell: 1
links:
  - name: base
    joint: {type: differential-drive, wheel-radius: 80 mm, half-track: 145 mm, wheel-inertia: 0.001}
    body:  {type: rigid, mass: 6.64, inertia: {zz: 0.06363}}
    ports: {front: {at: [0.2, 0, 0]}}
  - name: foot
    on: base.front
    joint: {type: prismatic, axis: z, damping: 5}
    body: {mass: 0.5}
grounds: {g: {law: {normal: hunt-crossley, stiffness: 1e4, restitution: 0.3}, friction: {law: lugre, coefficient: 0.3, stiction: 0.4, stribeck-speed: 0.01, bristle-stiffness: 1e4, bristle-damping: 10}}}
contacts: [{on: foot.root}]
start: {base.joint.speed: 1, foot.joint.position: 0.01}
run: {to: 0.5, output-every: 0.1}
"""


def appell(*words):
    return subprocess.run([APPELL, *map(str, words)], capture_output=True, text=True, timeout=120)


class Contact(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)
        Path("m.yaml").write_text(BALL)

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def good(self, *words):
        done = appell(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def bad(self, sentence, *words):
        done = appell(*words)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(sentence, done.stderr)

    def test_wheels_beside_bristles(self):
        # wheels of 80 mm roll along a straight path; bristles stand before their angles in y
        Path("rover.yaml").write_text(ROVER)
        self.good("run", "rover.yaml", "-o", "rover.h5")
        head, *rows = self.good("export", "rover.h5", "-o", "-", "base.joint.x", "*.angle").splitlines()
        self.assertEqual(len(head.split(",")), 3, head)
        for row in rows:
            x, right, left = map(float, row.split(","))
            self.assertAlmostEqual(left, x / 0.08, delta=1e-6)  # of the integrator, whose tolerance is 1e-8
            self.assertAlmostEqual(right, x / 0.08, delta=1e-6)

    def test_impacts_are_listed_and_recorded(self):
        text = self.good("run", "m.yaml", "-o", "a.h5")
        lines = [line for line in text.splitlines() if "impact" in line]
        self.assertEqual(len(lines), 1, "one line, however many they are")
        # it falls 0.5 m
        self.assertRegex(lines[0], r"^\d+ impacts, the fastest: 'ball.root.floor' with 3.132 m/s at t = 0.31927")
        self.assertIn("the result has them as a table, `events`", lines[0])
        listed = self.good("run", "m.yaml", "--impacts").splitlines()
        count = int(lines[0].split()[0])
        self.assertEqual(sum("ball.root.floor" in line for line in listed), count)
        with h5py.File("a.h5") as file:
            events = file["events"]
            self.assertGreater(len(events), 2)
            self.assertAlmostEqual(events[0]["time"], (2 * 0.5 / 9.81) ** 0.5, delta=1e-12)
            names = [row["name"].decode() for row in file["channels"]]
            self.assertIn("ball.root.floor.normal", names)
            self.assertIn("ledger.contact-friction", names)

    def test_resume_gives_the_same_bytes(self):
        words = ["run", "m.yaml", "--checkpoint-every", "50"]
        self.good(*words, "-o", "straight.h5")
        run = subprocess.Popen([APPELL, *words, "-o", "killed.h5"], stdout=subprocess.DEVNULL)
        while run.poll() is None and not Path("killed.h5.part").exists():
            time.sleep(0.001)
        time.sleep(0.02)
        run.send_signal(signal.SIGKILL)
        run.wait()
        if not Path("killed.h5.part").exists():
            self.skipTest("the run was faster than its end")
        done = appell(*words, "-o", "again.h5", "--resume", "killed.h5.part")
        if done.returncode != 0:
            self.assertRegex(done.stderr, "no checkpoint to resume from|not a result")
            self.skipTest("killed before its first checkpoint")
        self.assertEqual(Path("again.h5").read_bytes(), Path("straight.h5").read_bytes())

    def test_laws(self):
        text = self.good("law")
        for word in ("hu-guo", "kelvin-voigt", "restitution", "bengisu-akay", "lugre"):
            self.assertIn(word, text)
        # c - ln(1 + c) = -c e' - ln(1 - c e') at e = 0.8, by another program
        exact = {"hertz": 1, "hu-guo": 0.799199, "flores": 0.788539, "hunt-crossley": 0.832870, "herbert-mcwhannell": 0.806980,
                 "lankarani-nikravesh": 0.847102, "lee-wang": 0.909016, "gharib-hurmuzlu": 0.536160, "restitution": 0.8}
        for law, achieved in exact.items():
            got = json.loads(self.good("law", law, "--restitution", 0.8, "--speed", 2, "--json"))
            self.assertAlmostEqual(got["restitution"], achieved, delta=1e-6, msg=law)
            self.assertAlmostEqual(got["restitution"], got["exact"], delta=1e-9, msg=law)
            self.assertAlmostEqual(got["impulse"], 2 * (1 + got["restitution"]), delta=1e-8, msg=law)
        self.good("law", "ambrosio", "--json")
        self.bad("there is no law", "law", "hu-gu")
        self.bad("positive", "law", "hu-guo", "--speed", "-1")
        self.bad("(0, 1]", "law", "hu-guo", "--restitution", "1.5")

    def test_bad_input_has_its_place(self):
        for old, new, place in (
                ("normal: hu-guo", "normal: hu-gu", "m.yaml:13:"),
                (", restitution: 0.8", "", "m.yaml:12:3: ground 'floor': the law hu-guo needs `restitution`"),
                ("restitution: 0.8", "restitution: 0", "needs `restitution`"),
                ("restitution: 0.8", "restitution: 1.1", "m.yaml:12:3"),
                ("on: ball.root", "on: ball.rot", "m.yaml:16:5"),
                ("radius: 2 cm", "radius: -2 cm", "m.yaml:16:5"),
                ("position: 0.52", "position: 0.01", "m.yaml:17:1: start.ball.root.floor: starts 0.01 m deep")):
            Path("m.yaml").write_text(BALL.replace(old, new))
            self.bad(place, "run", "m.yaml")

    def test_info_lists_grounds_and_contacts(self):
        text = self.good("info", "m.yaml")
        self.assertIn("hu-guo, friction lugre, normal (0, 0, 1)", text)
        self.assertIn("ball of radius 0.02 m", text)
        contact, = json.loads(self.good("info", "m.yaml", "--json"))["contacts"]
        self.assertEqual((contact["name"], contact["ground"], contact["radius"]), ("ball.root.floor", "floor", 0.02))

    def test_page_draws_grounds_and_marks_impacts(self):
        if "replay page" in appell("run", "m.yaml", "--html", "m.html").stderr:
            self.skipTest("built without the viewer")
        page = Path("m.html").read_text()
        self.assertIn('"ground":[{"name":"floor","normal":[0.0,0.0,1.0],"offset":0.0}]', page)
        self.assertIn('"name":"ball.root.floor","text":"in 3.13', page)  # sqrt(9.81)

    def test_impacts_for_programs(self):
        said = json.loads(self.good("run", "m.yaml", "--json"))
        self.assertEqual(said["status"], "finished")
        self.assertLess(said["energy_error"], 1e-9)
        first = said["impacts"][0]
        self.assertAlmostEqual(first["start"], (2 * 0.5 / 9.81) ** 0.5, delta=1e-12)
        self.assertAlmostEqual(first["speed_in"], 9.81 ** 0.5, delta=1e-11)
        # gravity pushes while it is in the ground
        lasts = first["end"] - first["start"]
        given = 0.7 * (first["speed_in"] + first["speed_out"] + 9.81 * lasts)
        self.assertAlmostEqual(first["impulse"], given, delta=1e-9)

    def test_chain_lands_flat(self):
        """150 links on 150 contacts, of which the inner ones leave the ground at one instant: one event, not one for each."""
        n = 150
        body = {"mass": 0.1, "com": [0, 0, -0.05], "inertia": {"xx": 1e-4, "yy": 1e-4, "zz": 1e-5}}
        links = [{"name": f"l{k}", "joint": {"type": "revolute", "axis": "xy"[k % 2], "damping": 1e-4}, "on": f"l{k - 1}.p", "body": body,
                  "ports": {"p": {"at": [0, 0, -0.1]}}} for k in range(n)]
        del links[0]["on"]
        links[0]["joint"] = "floating"
        ground = {"law": {"normal": "hunt-crossley", "stiffness": 1e5, "restitution": 0.5},
                  "friction": {"law": "coulomb", "coefficient": 0.5, "v0": 0.01}}
        Path("chain.yaml").write_text(json.dumps({
            "appell": 1, "links": links, "grounds": {"g": ground}, "contacts": [{"on": f"l{k}.p"} for k in range(n)],
            "start": {"l0.joint.z": 0.2, "l0.joint.qw": 0.5 ** 0.5, "l0.joint.qy": 0.5 ** 0.5}, "run": {"to": 0.22, "output-every": 0.01}}))
        said = json.loads(self.good("run", "chain.yaml", "--json"))
        self.assertEqual(said["status"], "finished")
        inner = [hit for hit in said["impacts"] if 50 <= int(hit["contact"].split(".")[0][1:]) < 100]
        self.assertEqual(len(inner), 50)
        # each is a mass of 0.1 kg that falls 0.2 m; waves from the ends of the chain arrive later
        speed = (2 * 9.81 * 0.2) ** 0.5
        for hit in inner:
            self.assertAlmostEqual(hit["speed_in"], speed, delta=1e-9)
            self.assertAlmostEqual(hit["end"], inner[0]["end"], delta=1e-12)
            given = 0.1 * (hit["speed_in"] + hit["speed_out"] + 9.81 * (hit["end"] - hit["start"]))
            self.assertAlmostEqual(hit["impulse"], given, delta=1e-6)

    def test_example(self):
        # both sides meet every corner together: they must not call each other back for ever
        for method, tolerance in (("rkf78", 1e-10), ("rkf45", 1e-6), ("rkf45", 1e-8), ("rkf78", 1e-7)):
            with self.subTest(f"{method} {tolerance}"):
                self.count_chain("--integrator", method, "--tolerance", tolerance)

    def count_chain(self, *options):
        text = self.good("run", "--impacts", MODELS / "bouncing-chain.yaml", *options)
        self.assertIn("0.428352937", text)  # sqrt(1.8/9.81)
        counts = [text.count(name) for name in ("link1.root.", "link1.end.", "link2.end.", "link3.end.")]
        self.assertEqual(counts, [6, 1, 1, 6])  # an independent program counts the same


if __name__ == "__main__":
    unittest.main()
