# SPDX-License-Identifier: Apache-2.0
"""The command as a help: nearest words, help, completion, manual pages, standard input, other formats, compare."""
import json
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy

APPELL = sys.argv[1]
MODELS = Path(__file__).resolve().parents[2] / "models"
MODEL = MODELS / "double-pendulum.yaml"


def appell(*words, **more):
    return subprocess.run([APPELL, *map(str, words)], capture_output=True, text=True, **more)


class Words(unittest.TestCase):
    def test_nearest(self):
        for words, sentence in ((["runn"], "did you mean 'run'?"), (["run", "--ouput", "x"], "did you mean '--output'?"),
                                (["check", "--stricd", "x"], "did you mean '--strict'?")):
            done = appell(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(sentence, done.stderr)
        done = appell("run", MODEL, "--to", "1", "--integrator", "rfk45")
        self.assertEqual(done.returncode, 1)
        self.assertIn("among auto, rkf45, rkf78", done.stderr)
        self.assertIn("did you mean 'rkf45'?", done.stderr)
        self.assertEqual(done.stdout, "")  # nothing was run, so nothing is summed up

    def test_help(self):
        self.assertEqual(appell("help", "run").stdout, appell("run", "--help").stdout)
        self.assertEqual(appell("-V").stdout, appell("--version").stdout)
        self.assertEqual(appell("help").stdout, appell("--help").stdout)

    def test_times_have_units(self):
        done = appell("run", MODEL, "--to", "0.01 min", "--json")
        self.assertAlmostEqual(json.loads(done.stdout)["time"], 0.6, 12)
        done = appell("run", MODEL, "--to", "1 kg")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--to: expected a time such as '2 ms', got '1 kg'", done.stderr)

    def test_quiet(self):
        done = appell("run", MODEL, "--to", "0.1", "-q")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_standard_input(self):
        done = appell("info", "-", input=MODEL.read_text())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("upper.joint.angle", done.stdout)

    def test_no_colour_in_pipes(self):
        self.assertNotIn("\033", appell("check", "nowhere.yaml").stderr)


class Tables(unittest.TestCase):
    """Completion and manual pages have every command and option that --help prints."""

    def commands(self):
        table = appell("--help").stdout.partition("examples:")[0]
        return [line.split()[0] for line in table.splitlines() if line.startswith("  ")]

    def options(self, command):
        text = appell(command, "--help").stdout
        return [w.strip(",") for line in text.splitlines() if line.startswith("  -") for w in line.split()[:2]
                if w.startswith("-")]

    def test_completion(self):
        shells = {s: appell("completion", s).stdout for s in ("bash", "zsh", "fish")}
        for command in self.commands():
            for shell, text in shells.items():
                self.assertIn(command, text, shell)
            for option in self.options(command):
                self.assertIn(option, shells["bash"])
                star = "*" if option == "--set" else ""
                self.assertIn(f"'{star}{option}[" if option != "-h" else option, shells["zsh"])
        self.assertEqual(subprocess.run(["bash", "-n"], input=shells["bash"], text=True).returncode, 0)
        self.assertEqual(appell("completion", "csh").returncode, 2)

    def test_bash_completes(self):
        script = appell("completion", "bash").stdout + 'COMP_WORDS=(appell run --tol)\nCOMP_CWORD=2\n_appell\necho "${COMPREPLY[@]}"\n'
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
        self.assertEqual(done.stdout.split(), ["--tolerance"], done.stderr)

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_completes(self):
        def words(line):
            script = appell("completion", "fish").stdout + f'complete -C "{line}"\n'
            done = subprocess.run(["fish", "--no-config"], input=script, capture_output=True, text=True)
            return [w.split("\t")[0] for w in done.stdout.splitlines()]
        self.assertEqual(words("appell ru"), ["run"])
        self.assertEqual(words("appell help ru"), ["run"])
        self.assertEqual(words("appell run --tol"), ["--tolerance"])

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_reads(self):
        done = subprocess.run(["zsh", "-n"], input=appell("completion", "zsh").stdout, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_man(self):
        for command in self.commands():
            page = appell("man", command).stdout
            self.assertTrue(page.startswith(".TH APPELL-"), command)
            for option in self.options(command):
                self.assertIn(option.replace("-", "\\-"), page)
        self.assertTrue(appell("man").stdout.startswith(".TH APPELL "))


def read_mat(path):
    """Variables of an uncompressed MAT-file of level 5, by the description of MathWorks."""
    data = path.read_bytes()
    assert data[124:128] == b"\x00\x01IM"
    at, out = 128, {}
    while at < len(data):
        kind, size = struct.unpack_from("<II", data, at)
        assert kind == 14
        body, end = at + 8, at + 8 + size
        parts = []
        while body < end:
            kind, n = struct.unpack_from("<II", data, body)
            parts.append((kind, data[body + 8:body + 8 + n]))
            body += 8 + (n + 7) // 8 * 8
        (_, flags), (_, shape), (_, name), (kind, numbers) = parts
        assert flags[0] == 6 and kind == 9
        value = numpy.frombuffer(numbers, "<f8")
        assert struct.unpack("<ii", shape) == (len(value), 1)
        out[name.decode()] = value
        at = end
    return out


class Results(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)
        for name, tolerance in (("a.h5", "1e-8"), ("b.h5", "1e-4")):
            done = appell("run", MODEL, "--to", "1", "-q", "--tolerance", tolerance, "-o", self.path / name)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_tables_for_others(self):
        """CSV as it comes is read by NumPy and pandas without options; so are the tables of `run --csv`."""
        a, rows = self.path / "a.h5", self.path / "rows.csv"
        appell("run", MODEL, "--to", "1", "-q", "--csv", rows)
        appell("export", a, "-o", self.path / "a.csv")
        appell("export", a, "--units", "-o", self.path / "units.csv")
        for name in ("rows.csv", "a.csv", "units.csv"):
            fields = numpy.genfromtxt(self.path / name, delimiter=",", names=True)
            self.assertEqual((fields.dtype.names[:2], fields["time"][-1]), (("time", "upperjointangle"), 1))
            self.assertEqual(numpy.loadtxt(self.path / name, delimiter=",", skiprows=1).shape[0], 101)
        self.assertTrue((self.path / "units.csv").read_text().splitlines()[1].startswith("# units: s,rad,rad,rad/s,"))
        try:
            import pandas
        except ImportError:
            return
        for name, more in (("rows.csv", {}), ("a.csv", {}), ("units.csv", {"comment": "#"})):
            frame = pandas.read_csv(self.path / name, **more)
            self.assertEqual((len(frame), float(frame["upper.joint.angle"].iloc[0])), (101, float(numpy.genfromtxt(rows, delimiter=",", names=True)["upperjointangle"][0])))

    def test_endings(self):
        """The ending of -o chooses the form; another ending is refused with the list, before any work."""
        out = self.path / "out"
        done = appell("run", MODEL, "--to", "0.1", "-q", "-o", f"{out}.csv", "-o", f"{out}.html", "-o", f"{out}.h5")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(Path(f"{out}.csv").read_text().startswith("time,"))
        self.assertTrue(Path(f"{out}.html").read_text().startswith("<!doctype html>"))
        self.assertEqual(Path(f"{out}.h5").read_bytes()[:4], b"\x89HDF")
        for words, sentence in ((["run", MODEL], ".h5, .csv or .html"), (["equilibrium", MODEL], ".h5 or .csv"),
                                (["modes", MODEL], ".h5, .csv or .html"), (["linearize", MODEL], ".h5 or .csv"),
                                (["export", f"{out}.h5"], ".csv, .npz or .mat"), (["view", f"{out}.h5"], ".html"),
                                (["plot", f"{out}.h5", "time"], ".svg, .png or .pdf"), (["law", "hertz"], ".svg or .png"),
                                (["movie", f"{out}.h5"], ".mp4, .webm, .gif or .png"), (["import", MODEL], ".yaml or .yml"),
                                (["inverse", MODEL, f"{out}.csv"], ".csv"), (["gait", MODEL], ".csv")):
            done = appell(*words, "-o", self.path / "nonsense")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"nonsense' does not end in {sentence};", done.stderr)
        self.assertFalse((self.path / "nonsense").exists())
        done = appell("run", MODEL, "-o", f"{out}.h5", "-o", f"{out}2.h5")
        self.assertEqual(done.returncode, 2)
        self.assertIn("given twice", done.stderr)

    def test_formats(self):
        a = self.path / "a.h5"
        for end in ("csv", "npz", "mat"):
            done = appell("export", a, "-o", self.path / f"a.{end}")
            self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.path / "a.csv").read_text().splitlines()
        names = lines[0].split(",")
        table = numpy.loadtxt(lines[1:], delimiter=",")
        npz, mat = numpy.load(self.path / "a.npz"), read_mat(self.path / "a.mat")
        self.assertEqual(list(npz.files), names)
        for k, name in enumerate(names):
            self.assertTrue(numpy.array_equal(npz[name], table[:, k]))
            self.assertTrue(numpy.array_equal(mat[re.sub("[^A-Za-z0-9]", "_", name)], table[:, k]))
        fields = numpy.genfromtxt(self.path / "a.csv", delimiter=",", names=True)
        self.assertEqual(fields["time"][-1], 1)
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), ["a.csv", "a.h5", "a.mat", "a.npz", "b.h5"])

    def test_compare(self):
        a, b = self.path / "a.h5", self.path / "b.h5"
        self.assertEqual(appell("compare", a, a, "--tolerance", "0").returncode, 0)
        self.assertEqual(appell("compare", a, b).returncode, 0)  # without a tolerance nothing is too far
        self.assertEqual(appell("compare", a, b, "--tolerance", "1e-9").returncode, 1)
        # half a run is not the same run
        appell("run", MODEL, "--to", "0.5", "-q", "--tolerance", "1e-6", "-o", self.path / "half.h5")
        half = appell("compare", a, self.path / "half.h5", "--tolerance", "1")
        self.assertEqual(half.returncode, 1)
        self.assertIn("end at different times", half.stderr)
        (self.path / "half.h5").unlink()
        done = appell("compare", a, b, "--json")
        by = {d["channel"]: d for d in json.loads(done.stdout)}
        # what NumPy finds in the columns themselves
        appell("export", a, "-o", self.path / "a.npz")
        appell("export", b, "-o", self.path / "b.npz")
        x, y = numpy.load(self.path / "a.npz"), numpy.load(self.path / "b.npz")
        apart = numpy.abs(x["lower.joint.angle"] - y["lower.joint.angle"])
        self.assertEqual(by["lower.joint.angle"]["difference"], numpy.max(apart))
        self.assertEqual(by["lower.joint.angle"]["time"], x["time"][numpy.argmax(apart)])
        self.assertGreater(numpy.max(apart), 0)

    def test_plot_two(self):
        done = appell("plot", self.path / "a.h5", self.path / "b.h5", "lower.joint.angle", "-o", self.path / "two.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.path / "two.svg").read_text()
        self.assertIn("lower.joint.angle, a.h5", text)
        self.assertIn("lower.joint.angle, b.h5", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
