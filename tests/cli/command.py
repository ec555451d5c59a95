# SPDX-License-Identifier: Apache-2.0
"""command.py: what tests of the command share. It is imported by scripts that get the path of the command first:
each test works in a folder of its own, where the command is called and its tables are read."""
import csv
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

APPELL = Path(sys.argv.pop(1)).resolve()


def appell(*words, timeout=120, **options):
    return subprocess.run([APPELL, *map(str, words)], capture_output=True, text=True, timeout=timeout, **options)


def read_table(path):
    """The columns of a CSV file by their names, without the line of units."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0])}


class Case(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chdir(self.home.name)

    def tearDown(self):
        os.chdir("/")
        self.home.cleanup()

    def good(self, *words):
        """What it prints; it must succeed without a word on stderr."""
        done = appell(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        return done.stdout

    def bad(self, code, sentence, *words):
        done = appell(*words)
        self.assertEqual(done.returncode, code, done)
        self.assertIn(sentence, done.stderr)
        return done.stderr

    def call(self, text, *options):
        """Run this model, rows in out.csv."""
        Path("m.yaml").write_text(text, encoding="utf-8")
        return appell("run", "m.yaml", "--csv", "out.csv", *options)

    def run_of(self, text, *options):
        """Its columns by name."""
        done = self.call(text, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return read_table("out.csv")
