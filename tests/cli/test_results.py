# SPDX-License-Identifier: Apache-2.0
"""Results as others see them: h5py on finished and killed runs, and the commands plot and export.

usage: test_results.py APPELL WRITE_RESULT     with a python that has h5py
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from math import cos, exp
from pathlib import Path

import h5py
import numpy

APPELL, WRITE = sys.argv[1], sys.argv[2]
GUARD = Path(__file__).resolve().parents[1] / "data/guard"
NAMES = ["time", "arm.joint.angle", "arm.joint.rate", "forearm.joint.angle"]


def appell(*words, env=None):
    return subprocess.run([APPELL, *words], capture_output=True, text=True, env=env, timeout=60)


def angle(i):
    t = 0.01 * i
    return cos(3 * t) * exp(-0.1 * t)


class Results(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.chdir(folder.name)
        self.addCleanup(os.chdir, "/")

    def sample(self, rows=700, name="out.h5"):
        subprocess.run([WRITE, name, str(rows)], check=True)

    # ---------------------------------------------------------------------------- h5py

    def test_h5py_finds_everything_by_name(self):
        self.sample()
        with h5py.File("out.h5", "r") as f:
            names = [n.decode() for n in f["channels"]["name"]]
            self.assertEqual(names, NAMES)
            self.assertEqual(f["channels"]["unit"][2], b"rad/s")
            column = f["rows"][:, names.index("arm.joint.angle")]
            numpy.testing.assert_allclose(column, [angle(i) for i in range(700)], rtol=0, atol=1e-15)
            self.assertEqual(f.attrs["status"], b"finished")
            self.assertEqual(f.attrs["format"], b"appell result")
            self.assertEqual(f["model"][()].decode(), "appell: 1\nname: double pendulum\n")
            self.assertEqual(f["events"]["name"][0], b"arm.limit")
            self.assertEqual(f["summary"]["value"][1], 4321)
            f.visititems(lambda name, item: self.assertFalse(getattr(item, "dtype", None) is object))

    def test_same_input_same_bytes(self):
        self.sample(name="a.h5")
        time.sleep(1.1)  # time stamps would have changed
        self.sample(name="b.h5")
        self.assertEqual(Path("a.h5").read_bytes(), Path("b.h5").read_bytes())

    def test_h5py_opens_what_kill_9_leaves(self):
        rng = random.Random(1)
        seen = 0
        for _ in range(25):
            if os.path.exists("out.h5.part"):
                os.remove("out.h5.part")
            run = subprocess.Popen([WRITE, "out.h5", "1000000", "slow"])
            for _ in range(500):
                if os.path.exists("out.h5.part") and os.path.getsize("out.h5.part") > 20000:
                    break
                time.sleep(0.005)
            time.sleep(rng.uniform(0, 0.1))
            run.send_signal(signal.SIGKILL)
            run.wait()
            self.assertFalse(os.path.exists("out.h5"))
            for swmr in (False, True):
                with h5py.File("out.h5.part", "r", swmr=swmr, libver="latest") as f:
                    rows = f["rows"][:]
                    self.assertEqual(f.attrs["status"], b"running")
                    numpy.testing.assert_allclose(rows[:, 1], [angle(i) for i in range(len(rows))], rtol=0, atol=1e-15)
                    seen += len(rows)
                    slot = int(f["checkpoint/count"][()])
                    if slot > 0:
                        at = f[f"checkpoint/{slot % 2}/at"][()]
                        self.assertLessEqual(at["rows"], len(rows))
                        self.assertEqual(list(f[f"checkpoint/{slot % 2}/y"]), [at["rows"] + 1000 * k for k in range(3)])
            self.assertEqual(appell("export", "out.h5.part", "-o", "/dev/null").returncode, 0)
        self.assertGreater(seen, 1000)

    def test_h5py_reads_a_run_in_progress(self):
        run = subprocess.Popen([WRITE, "out.h5", "1000000", "slow"])
        try:
            time.sleep(0.5)
            with h5py.File("out.h5.part", "r") as f:
                self.assertGreater(len(f["rows"]), 0)
        finally:
            run.kill()
            run.wait()

    def test_hdf5_of_others(self):
        with h5py.File("other.h5", "w") as f:
            f["x"] = numpy.arange(3)
        done = appell("plot", "other.h5", "x", "-o", "x.svg")
        self.assertEqual(done.returncode, 1)
        self.assertIn("not a result of Appell", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_a_result_that_lies(self):
        def spoil(change):
            self.sample(100)
            with h5py.File("out.h5", "r+") as f:
                change(f)
            done = appell("export", "out.h5", "-o", "-")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            return done.stderr

        def replace(f, name, value):
            del f[name]
            f[name] = value

        self.assertIn("version 4", spoil(lambda f: f.attrs.modify("format-version", 4)))
        self.assertIn("channels", spoil(lambda f: f.__delitem__("channels")))
        self.assertIn("channels", spoil(lambda f: replace(f, "channels", [1, 2, 3, 4])))
        self.assertIn("rows", spoil(lambda f: replace(f, "rows", numpy.zeros((5, 3)))))
        self.assertIn("rows", spoil(lambda f: replace(f, "rows", "text")))
        self.assertIn("events", spoil(lambda f: replace(f, "events", numpy.zeros(3))))
        self.assertIn("model", spoil(lambda f: replace(f, "model", "variable length")))
        self.assertIn("checkpoint", spoil(lambda f: replace(f, "checkpoint/1/y", "no")))
        self.assertIn("rows", spoil(lambda f: f["rows"].resize((10**9, 4))))

    # ---------------------------------------------------------------------------- export

    def test_export(self):
        self.sample(50)
        self.assertEqual(appell("export", "out.h5", "-o", "out.csv").returncode, 0)
        lines = Path("out.csv").read_text().splitlines()
        self.assertEqual(lines[0], ",".join(NAMES))
        self.assertEqual(len(lines), 51)
        with h5py.File("out.h5") as f:
            numpy.testing.assert_array_equal(numpy.loadtxt("out.csv", delimiter=",", skiprows=1), f["rows"][:])
        done = appell("export", "out.h5", "time", "*.angle", "-o", "-", "--units")
        self.assertEqual(done.stdout.splitlines()[:2],
                         ["time,arm.joint.angle,forearm.joint.angle", "# units: s,rad,rad"])

    def test_export_refusals(self):
        self.sample(50)
        for words, code, text in [
            (["out.h5", "-o", "/dev/full"], 1, "No space left"),
            (["out.h5", "-o", "/nowhere/x.csv"], 1, "No such file"),
            (["none.h5", "-o", "x.csv"], 1, "No such file"),
            (["out.h5", "arm.joint.angel", "-o", "x.csv"], 1, "did you mean 'arm.joint.angle'"),
            (["out.h5"], 2, "-o"),
            ([], 2, "needs RESULT"),
            (["out.h5", "-o"], 2, "needs a value: -o"),
            (["out.h5", "--nonsense"], 2, "--nonsense"),
        ]:
            done = appell("export", *words)
            self.assertEqual(done.returncode, code, words)
            self.assertIn(text, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertEqual(sorted(os.listdir(".")), ["out.h5"])

    # ---------------------------------------------------------------------------- plot

    def test_figures(self):
        self.sample(6000)
        for end, magic in [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")]:
            done = appell("plot", "out.h5", "*.angle", "*.rate", "-o", "fig." + end)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            data = Path("fig." + end).read_bytes()
            self.assertTrue(data.startswith(magic))
            self.assertLess(len(data), 400_000)
            self.assertFalse(os.path.exists(f"fig.{end}.part"))
        svg = Path("fig.svg").read_text()
        for text in ("forearm.joint.angle", "angle (rad)", "rate (rad/s)", "time (s)", "double pendulum"):
            self.assertIn(text, svg)

    def test_titles_are_quoted(self):
        self.sample(50)
        title = "it's \"$x\" `ls` \\ %d {/Symbol a}_b"
        done = appell("plot", "out.h5", "arm.joint.angle", "--title", title, "-o", "it's.svg")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("{/Symbol a}_b", Path("it's.svg").read_text())

    def test_names_with_quotes_and_controls(self):
        """Titles come from files: gnuplot and the terminal must take all of them as text."""
        appell("run", GUARD / "plot_quote.yaml", "-o", "quote.h5")
        done = appell("plot", "quote.h5", "b.joint.angle")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("'quoted' robot", done.stdout)
        for name, shown in (("a\x1b[31mred\x07", "a?[31mred?"), ("x\u009b31mred", "x??31mred"), ("`touch ran` \"$(touch ran)\" \\n", None)):
            with h5py.File("quote.h5", "r+") as f:
                f.attrs["name"] = numpy.bytes_(name.encode())
            done = appell("plot", "quote.h5", "b.joint.angle")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(name if shown is None else shown, done.stdout)
            self.assertNotRegex(done.stdout, "[\x07\x1b\x80-\x9f]")
            self.assertFalse(Path("ran").exists())

    def test_phase_plot_and_terminal(self):
        self.sample(300)
        done = appell("plot", "out.h5", "arm.joint.rate", "--x", "arm.joint.angle", "-o", "phase.svg")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = appell("plot", "out.h5", "arm.joint.rate")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("arm.joint.rate", done.stdout)

    def test_level_curves(self):
        self.sample(1)
        done = appell("plot", "out.h5", "*", "-o", "one.svg")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_list(self):
        self.sample(1)
        done = appell("plot", "out.h5", "--list")
        self.assertEqual(done.returncode, 0)
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()], NAMES)
        self.assertIn("its rate", done.stdout)

    def test_plot_refusals(self):
        self.sample(50)
        subprocess.run([WRITE, "empty.h5", "0"], check=True)
        before = sorted(os.listdir("."))
        for words, code, text in [
            (["out.h5", "arm.joint.angel", "-o", "x.svg"], 1, "did you mean 'arm.joint.angle'"),
            (["out.h5", "*.angel", "-o", "x.svg"], 1, "no channel matches"),
            (["out.h5", "*.angle", "--x", "tme", "-o", "x.svg"], 1, "did you mean 'time'"),
            (["out.h5", "*.angle", "-o", "/nowhere/x.svg"], 1, "No such file"),
            (["out.h5", "*.angle", "-o", "x.gif"], 2, ".svg, .png or .pdf"),
            (["empty.h5", "*.angle", "-o", "x.svg"], 1, "no rows"),
            (["none.h5", "*.angle"], 1, "No such file"),
            (["out.h5", "foo", "-o", "x.svg"], 1, "there is no channel 'foo'; `appell plot RESULT --list` prints the channels"),
            (["out.h5", "anlge", "-o", "x.svg"], 1, "did you mean 'arm.joint.angle'"),
            ([], 2, "needs RESULT"),
            (["out.h5", "*.angle", "--title"], 2, "needs a value"),
            (["out.h5", "--nonsense"], 2, "--nonsense"),
        ]:
            done = appell("plot", *words)
            self.assertEqual(done.returncode, code, (words, done.stderr))
            self.assertIn(text, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertEqual(sorted(os.listdir(".")), before)

    def test_without_gnuplot(self):
        self.sample(50)
        done = appell("plot", "out.h5", "*.angle", "-o", "x.svg", env={"PATH": "/nowhere"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("apt install gnuplot", done.stderr)
        self.assertFalse(os.path.exists("x.svg") or os.path.exists("x.svg.part"))

    def test_gnuplot_that_fails(self):
        self.sample(50)
        os.mkdir("bin")
        with open("bin/gnuplot", "w") as f:
            f.write("#!/bin/sh\necho 'unknown terminal' >&2\nexit 1\n")
        os.chmod("bin/gnuplot", 0o755)
        with open("x.svg", "w") as f:
            f.write("old")
        done = appell("plot", "out.h5", "*.angle", "-o", "x.svg", env={"PATH": os.path.abspath("bin")})
        self.assertEqual(done.returncode, 1)
        self.assertIn("unknown terminal", done.stderr)
        self.assertEqual(Path("x.svg").read_text(), "old")

    # ---------------------------------------------------------------------------- all commands

    def test_help(self):
        for words in (["--help"], ["plot", "--help"], ["export", "--help"]):
            done = appell(*words)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("usage: appell", done.stdout)
        self.assertEqual(appell().returncode, 2)
        self.assertEqual(appell("nonsense").returncode, 2)

    def test_cut_short(self):
        self.sample(100)
        data = Path("out.h5").read_bytes()
        for length in range(0, len(data), 997):
            with open("cut.h5", "wb") as f:
                f.write(data[:length])
            done = appell("plot", "cut.h5", "--list")
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
