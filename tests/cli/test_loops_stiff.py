# SPDX-License-Identifier: Apache-2.0
"""test_loops_stiff.py APPELL DATA: loops with elastic bodies and contacts, by stiff and auto at three tolerances.

References are runs of explicit integrators, stored in DATA/references.csv with the command that made them. An error is the largest
difference of a final coordinate or rate, relative to 1 + its size.
"""
import csv
import re
import sys
import unittest
from pathlib import Path

from command import Case, appell, read_table

DATA = Path(sys.argv.pop(1)).resolve()
TOLERANCES = (1e-6, 1e-8, 1e-10)

# Errors that `stiff` may have, in tolerances: 100, but for the rate of a shape with nearly no mass (130 are measured).
FACTOR = {"flexible-3rrr": 200}

# m15 starts in a singular position, where one row of its loop has no force; when the row wakes, velocities jump. That leaves an error
# of 1e-6 at every tolerance.
LEAST = {"m15_wheel_base_tethered": 5e-6}

# `auto` stays explicit here, with steps of 1e-6 s: its absolute tolerance is near round-off. Its run takes minutes.
LONG = {("x06_kv", "auto", 1e-10)}


def references():
    """For each file: the end time, the difference of two integrators, and the final values by column."""
    found = {}
    with open(DATA / "references.csv", encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            entry = found.setdefault(row["file"], (row["to"], float(row["agree"]), {}))
            entry[2][row["column"]] = float(row["value"])
    return found


class LoopsStiff(Case):
    def steps_of(self, model, integrator, tolerance, to):
        done = appell("run", model, "--integrator", integrator, "--tolerance", tolerance, "--to", to, "--csv", "out.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        return int(re.search(r"(\d+) steps", done.stdout + done.stderr).group(1))

    def check(self, integrator):
        for name, (to, agree, values) in references().items():
            for tolerance in TOLERANCES:
                if (name, integrator, tolerance) in LONG:
                    continue
                with self.subTest(file=name, tolerance=tolerance):
                    self.steps_of(DATA / f"{name}.yaml", integrator, tolerance, to)
                    got = read_table("out.csv")
                    error = max(abs(got[column][-1] - value) / (1 + abs(value)) for column, value in values.items())
                    allowed = max(FACTOR.get(name, 100) * tolerance, LEAST.get(name, 0)) + 10 * agree
                    self.assertLess(error, allowed)

    def test_stiff(self):
        self.check("stiff")

    def test_auto(self):
        self.check("auto")

    def test_a_ground_that_nothing_touches_costs_little(self):
        """The rods of m06 reach the ground at 0.176 s."""
        model = DATA / "m06_flexible_3rrr_impacts.yaml"
        text = model.read_text(encoding="utf-8")
        free = re.sub(r"^grounds:\n.*?(?=^start:)", "", text, flags=re.S | re.M)
        self.assertNotIn("contacts", free)
        Path("free.yaml").write_text(free, encoding="utf-8")
        for tolerance in TOLERANCES:
            with self.subTest(tolerance=tolerance):
                alone = self.steps_of("free.yaml", "stiff", tolerance, 0.06)
                self.assertLess(self.steps_of(model, "stiff", tolerance, 0.06), 3 * alone)


if __name__ == "__main__":
    unittest.main()
