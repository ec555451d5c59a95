# SPDX-License-Identifier: Apache-2.0
"""test_gait.py APPELL: `appell gait`: summary, files, options and refusals."""
import csv
import json
import math
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

APPELL = Path(sys.argv.pop(1)).resolve()
MODELS = Path(__file__).resolve().parents[2] / "models"
SNAKE = MODELS / "paper-snake-flat.yaml"


def appell(*words):
    return subprocess.run([APPELL, *map(str, words)], capture_output=True, text=True, timeout=600)


def rows(path):
    with open(path, newline="") as text:
        lines = [line for line in text if not line.startswith("#")]
    return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(lines)]


class Gait(unittest.TestCase):
    def test_json_and_files(self):
        with tempfile.TemporaryDirectory() as home:
            out, switches = Path(home) / "r.csv", Path(home) / "s.csv"
            done = appell("gait", SNAKE, "--json", "--to", 4, "-o", out, "--switches", switches)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            summary = json.loads(done.stdout)
            table, changes = rows(out), rows(switches)
        self.assertEqual(len(table), 801)
        self.assertEqual(len(changes), summary["switches"])
        # spec/snake.md: 53.90 mm per cycle of 0.8 m at 0.3 m/s
        self.assertAlmostEqual(summary["step"], 0.0539, delta=1e-5)
        self.assertAlmostEqual(summary["cycle"], 0.8 / 0.3, delta=1e-9)
        # means are those of the rows
        effort = [row["l9.joint.angle.effort"] for row in table]
        mean = sum(0.5 * (abs(a) + abs(b)) for a, b in zip(effort, effort[1:])) / (len(effort) - 1)
        self.assertAlmostEqual(summary["efforts"]["l9.joint.angle"]["mean_abs"], mean, delta=1e-12)
        self.assertAlmostEqual(summary["efforts"]["l9.joint.angle"]["greatest"], max(effort), delta=1e-13)

    def test_the_standard_output_is_one_table(self):
        """`-o -` and `--switches -` write the CSV alone, the summary goes to stderr; two tables at once are refused."""
        for option in ("-o", "--switches"):
            done = appell("gait", SNAKE, "--to", 1, option, "-")
            self.assertEqual(done.returncode, 0, done.stderr)
            width = {len(row) for row in csv.reader(done.stdout.splitlines()) if row and not row[0].startswith("#")}
            self.assertEqual(len(width), 1, width)
            self.assertIn("cost of transport", done.stderr)
        for options in (("-o", "-", "--switches", "-"), ("-o", "-", "--json"), ("--switches", "-", "--json")):
            done = appell("gait", SNAKE, "--to", 1, *options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn("both write to the standard output", done.stderr)

    def test_options(self):
        steep = json.loads(appell("gait", SNAKE, "--json", "--to", 1, "--slope", 20, "--friction", "slide").stdout)
        self.assertLess(steep["distance"], -0.25)  # (sin 20 - 0.3 cos 20) g/2 = 0.295 m, less what it crawls up
        waves = json.loads(appell("gait", SNAKE, "--json", "--to", 5, "--set", "gaits.0.waves=4").stdout)
        d = 0.1 * sum(math.cos(math.pi / 6 * math.cos(math.pi / 2 * i + 0.1)) for i in range(4))
        self.assertAlmostEqual(waves["step"], 0.4 - d, delta=0.005)  # L/k minus the supports' distance

    def test_friction_takes_energy(self):
        # supports slide at velocities of their own; with 3 and 4 waves on 16 links their distance changes
        for waves in (3, 4):
            done = appell("gait", SNAKE, "--json", "--friction", "slide", "--set", f"gaits.0.waves={waves}")
            self.assertGreater(json.loads(done.stdout)["friction_loss"], 1e-4)

    def test_a_cycle_is_one(self):
        # 1 s of a cycle of 2.67 s: supports have changed to and fro, but nothing has come back
        self.assertIsNone(json.loads(appell("gait", SNAKE, "--json", "--to", 1).stdout)["cycle"])

    def test_all_supports_are_written(self):
        # at rest the five supports of four waves carry the weight of 16 links of 0.1 kg
        with tempfile.TemporaryDirectory() as home:
            out = Path(home) / "r.csv"
            done = appell("gait", SNAKE, "--stiff", "--to", 0.1, "--set", "gaits.0.waves=4", "-o", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            first = rows(out)[0]
        names = ("first", "second", "third", "fourth", "fifth")
        self.assertEqual([first["support." + name] for name in names], [1, 5, 9, 13, 17])
        load = sum(first["normal." + name] for name in names)
        self.assertAlmostEqual(load + 1.6 * (-9.81), 0.0, delta=0.3)  # the wave starts with an acceleration

    def test_units(self):
        plain = appell("gait", SNAKE, "--json", "--from", 0.1, "--to", 0.5, "--every", 0.01, "--slope", 3, "--waves", 2)
        units = appell("gait", SNAKE, "--json", "--from", "100 ms", "--to", "500 ms", "--every", "10 ms", "--slope", "3 deg",
                       "--waves", "2")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        self.assertEqual(units.returncode, 0, units.stderr)
        self.assertEqual(json.loads(plain.stdout), json.loads(units.stdout))

    def test_warnings(self):
        """What a body on the ground could not do is told: on stderr, and in the JSON."""
        def said(*words):
            done = appell("gait", SNAKE, "--json", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = json.loads(done.stdout)["warnings"]
            self.assertEqual(done.stderr, "".join(f"{SNAKE}: warning: {line}\n" for line in lines))
            return " ".join(lines)

        self.assertEqual(said(), "")
        # two links to a wave: their distance changes with the wave
        self.assertIn("cannot both stick", said("--set", "gaits.0.waves=8"))
        self.assertNotIn("cannot both stick", said("--set", "gaits.0.waves=8", "--friction", "slide"))
        # tan 20 deg = 0.364 and more
        self.assertIn("of the available friction: use --friction slide", said("--slope", 20))
        # so steep that the centre of mass, some 40 mm high, leans over the lower support
        self.assertIn("would have to pull", said("--slope", 80))

    def test_refusals(self):
        for words, code, sentence in (((SNAKE, "--set", "gaits.0.waves=1"), 1, "fewer than two supports"),
                                      ((SNAKE, "--friction", "glue"), 2, "no friction model"),
                                      ((SNAKE, "--every", "x"), 2, "expected a time"),
                                      ((SNAKE, "--coefficient", -1), 2, "must not be negative"),
                                      ((SNAKE, "--set", "gaits.0.waves=-3"), 1, "gaits.0.type: a serpenoid needs"),
                                      ((SNAKE, "--set", "gaits.0.waves=9"), 1, "9 waves do not fit on 16 links"),
                                      ((SNAKE, "--waves", "9"), 1, "9 waves do not fit on 16 links"),
                                      ((MODELS / "coin.yaml",), 1, "at least 2 links, got 1"),
                                      ((MODELS / "arm7.yaml",), 1, "planar joint")):
            done = appell("gait", *words)
            self.assertEqual(done.returncode, code, done)
            self.assertIn(sentence, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
