# SPDX-License-Identifier: Apache-2.0
"""test_files.py APPELL: no command eats a file: outputs, inputs, damaged results, files that models name."""
import os
import random
import stat
import unittest
from pathlib import Path

import h5py
import numpy

import command
from command import appell

MODEL = """appell: 1
name: pendulum
links:
  - name: arm
    joint: {type: revolute, axis: y}
    body: {mass: 1 kg, com: [0, 0, -0.5]}
start: {arm.joint.angle: 1}
%srun: {to: 1, output-every: 0.02}
"""
# its wheel falls over on the way: a run that fails
FAILS = """appell: 1
name: disc
links:
  - name: d
    joint: {type: rolling-disc, radius: 0.1}
    body: {mass: 1, inertia: {xx: 0.001, yy: 0.002, zz: 0.001}}
start: {d.joint.lean: 0.3}
run: {to: 5}
"""
FOUR_BAR = Path(__file__).resolve().parents[2] / "models/four-bar.yaml"
URDF = '<robot name="r"><link name="l"/></robot>\n'


class Case(command.Case):
    def setUp(self):
        super().setUp()
        Path("m.yaml").write_text(MODEL % "")


class Outputs(Case):
    def test_never_over_an_input(self):
        os.symlink("m.yaml", "link.yaml")
        os.link("m.yaml", "hard.yaml")
        Path("r.urdf").write_text(URDF)
        self.good("run", "m.yaml", "-o", "r.h5")
        before = {p: p.read_bytes() for p in Path(".").iterdir()}
        for out in ("m.yaml", "./m.yaml", "link.yaml", "hard.yaml"):
            for option in ("-o", "--csv", "--html"):
                self.bad(2, "is read by the same command", "run", "m.yaml", option, out)
        self.bad(2, "is read by the same command", "import", "r.urdf", "-o", "r.urdf")
        self.bad(2, "is read by the same command", "export", "r.h5", "-o", "r.h5")
        self.bad(2, "is read by the same command", "inverse", "m.yaml", "t.csv", "-o", "t.csv")
        os.symlink("r.h5", "figure.svg")
        self.bad(2, "is read by the same command", "plot", "r.h5", "arm.joint.angle", "-o", "figure.svg")
        os.unlink("figure.svg")
        # the part of an output is a file too
        os.rename("m.yaml", "x.h5.part")
        self.bad(2, "is read by the same command", "run", "x.h5.part", "-o", "x.h5")
        os.rename("x.h5.part", "m.yaml")
        self.assertEqual({p: p.read_bytes() for p in Path(".").iterdir()}, before)

    def test_never_two_to_one_name(self):
        os.symlink("y.csv", "link.csv")
        for two in (["--csv", "x", "--html", "x"], ["-o", "x", "--csv", "./x"], ["-o", "x", "--csv", "x.part"],
                    ["--csv", "y.csv", "--html", "link.csv"]):
            self.bad(2, "twice", "run", "m.yaml", *two)
        self.assertFalse(any(Path(p).exists() for p in ("x", "x.part", "y.csv")))

    def test_never_over_what_is_no_file(self):
        os.mkfifo("fifo")
        os.mkdir("folder")
        Path("r.urdf").write_text(URDF)
        for words in (["run", "m.yaml", "-o"], ["run", "m.yaml", "--csv"], ["import", "r.urdf", "-o"]):
            self.bad(1, "cannot be written: it is a directory", *words, "folder")
        self.bad(1, "not an ordinary file", "run", "m.yaml", "-o", "fifo")
        # a pipe without a reader must not let the program wait
        self.bad(1, "nobody reads it", "run", "m.yaml", "--csv", "fifo")
        self.bad(1, "nobody reads it", "import", "r.urdf", "-o", "fifo")
        self.assertTrue(stat.S_ISFIFO(os.stat("fifo").st_mode))
        try:
            os.mknod("null", stat.S_IFCHR | 0o666, os.makedev(1, 3))  # another /dev/null
        except OSError:
            self.skipTest("only root makes devices")
        appell("import", "r.urdf", "-o", "null")
        appell("run", "m.yaml", "--html", "null")
        self.bad(1, "not an ordinary file", "run", "m.yaml", "-o", "null")
        self.assertTrue(stat.S_ISCHR(os.stat("null").st_mode))

    def test_before_the_run(self):
        # a run of hours: a mistake in the last output is told at once
        Path("m.yaml").write_text((MODEL % "").replace("to: 1,", "to: 1e7,"))
        for option in ("-o", "--csv", "--html"):
            self.bad(1, "cannot be written", "run", "m.yaml", option, "nowhere/x")

    def test_links_and_permissions(self):
        os.mkdir("far")
        for option, name in (("-o", "r.h5"), ("--csv", "r.csv")):
            os.symlink(f"far/{name}", name)  # leads nowhere yet
            self.good("run", "m.yaml", option, name)
            os.chmod(name, 0o600)
            self.good("run", "m.yaml", option, name)
            self.assertTrue(os.path.islink(name))
            self.assertEqual(stat.S_IMODE(os.stat(f"far/{name}").st_mode), 0o600)
        self.assertEqual(sorted(os.listdir("far")), ["r.csv", "r.h5"])

    def test_failed_run_keeps_the_older_result(self):
        Path("bad.yaml").write_text(FAILS)
        self.good("run", "m.yaml", "-o", "r.h5", "--csv", "r.csv")
        before = [Path(p).read_bytes() for p in ("r.h5", "r.csv")]
        for _ in range(2):
            self.bad(1, "r.failed.h5", "run", "bad.yaml", "-o", "r.h5", "--csv", "r.csv")
            self.assertEqual([Path(p).read_bytes() for p in ("r.h5", "r.csv")], before)
            with h5py.File("r.failed.h5") as f:
                self.assertIn(b"failed: at t = ", f.attrs["status"])
            self.assertTrue(Path("r.failed.csv").exists())
        # where nothing good is lost the result has its own name, and a good run takes it
        self.bad(1, "'", "run", "bad.yaml", "-o", "n.h5")
        self.bad(1, "'", "run", "bad.yaml", "-o", "n.h5")
        self.good("run", "m.yaml", "-o", "n.h5")
        self.assertFalse(Path("n.failed.h5").exists())


class Damage(Case):
    def test_changed_bytes(self):
        """Exports of a result with one byte changed: the same numbers, or a refusal."""
        self.good("run", "m.yaml", "-o", "r.h5", "--checkpoint-every", 10)
        right = self.good("export", "r.h5", "-o", "-")
        data = Path("r.h5").read_bytes()
        dice = random.Random(15)
        with h5py.File("r.h5") as f:
            rows = f["rows"].chunks[0] * f["rows"].shape[1] * 8
            first = f["rows"].id.get_chunk_info(0).byte_offset
            used = f["rows"].size * 8
        noticed = 0
        for k in range(120):
            at = first + dice.randrange(used) if k % 2 == 0 else dice.randrange(len(data))
            spoilt = bytearray(data)
            spoilt[at] ^= 1 << dice.randrange(8)
            Path("s.h5").write_bytes(spoilt)
            done = appell("export", "s.h5", "-o", "-")
            inside = first <= at < first + used
            self.assertIn(done.returncode, (0, 1), done)
            self.assertFalse(done.returncode == 0 and done.stdout != right, f"byte {at}: other numbers")
            self.assertTrue(done.returncode == 1 or not inside, f"byte {at} of the rows: not noticed")
            noticed += done.returncode
        self.assertGreater(noticed, 60)
        self.assertLess(rows, len(data))

    def test_links_out_of_the_file(self):
        self.good("run", "m.yaml", "-o", "other.h5")
        Path("numbers").write_bytes(numpy.arange(51 * 100, dtype="f8").tobytes())

        def refuse(what, change):
            self.good("run", "m.yaml", "-o", "r.h5", "--checkpoint-every", 10)
            with h5py.File("r.h5", "r+") as f:
                change(f)
            self.bad(1, what, "export", "r.h5", "-o", "-")

        def link(name, to):
            def change(f):
                del f[name]
                f[name] = to
            return change

        def outside(f):
            shape = f["rows"].shape
            del f["rows"]
            f.create_dataset("rows", shape, "f8", external=[("numbers", 0, h5py.h5f.UNLIMITED)])

        def virtual(f):
            shape = f["rows"].shape
            del f["rows"]
            layout = h5py.VirtualLayout(shape, "f8")
            layout[:] = h5py.VirtualSource("other.h5", "rows", shape)
            f.create_virtual_dataset("rows", layout)

        refuse("rows", link("rows", h5py.ExternalLink("other.h5", "/rows")))
        refuse("model", link("model", h5py.ExternalLink("other.h5", "/model")))
        refuse("checkpoint", link("checkpoint", h5py.ExternalLink("other.h5", "/checkpoint")))
        refuse("checkpoint", lambda f: link(f"checkpoint/{f['checkpoint/count'][()] % 2}/y", h5py.SoftLink("/rows"))(f))
        refuse("rows", outside)
        refuse("rows", virtual)

    def test_counts(self):
        """Rows and events beyond 2^32 of a file without checksums (version 1)."""
        self.good("run", "m.yaml", "-o", "r.h5", "--checkpoint-every", 10)
        with h5py.File("r.h5", "r+") as f:
            f.attrs.modify("format-version", 1)
            slot = f["checkpoint"][str(f["checkpoint/count"][()] % 2)]
            at = slot["at"][()]
            at["rows"] = 2**32 + 5
            slot["at"][()] = at
        self.bad(1, "its checkpoint cannot be read", "run", "m.yaml", "-o", "n.h5", "--resume", "r.h5")


class Reach(Case):
    def table(self, name):
        Path("in/m.yaml").write_text(MODEL % f"inputs: {{u: {{on: arm.joint.angle, value: {{table: {{file: {name}, "
                                     f"column: u}}}}}}}}\n")
        return "in/m.yaml"

    def setUp(self):
        super().setUp()
        os.makedirs("in/deeper")
        os.makedirs("out")
        for place in ("in", "in/deeper", "out", "."):
            Path(f"{place}/t.csv").write_text("time,u\n0,0\n1,1\n2,0\n")

    def test_below_its_folder(self):
        self.good("run", self.table("t.csv"))
        self.good("run", self.table("deeper/t.csv"))
        self.good("run", self.table("deeper/../t.csv"))
        os.chdir("in")
        self.good("run", "m.yaml")

    def test_outside(self):
        here = os.getcwd()
        os.symlink("../out/t.csv", "in/link.csv")
        os.symlink("/etc", "in/etc")
        for name in ("../out/t.csv", f"{here}/out/t.csv", "link.csv", "etc/passwd", "/etc/passwd"):
            said = self.bad(1, "outside of the folder of the model", "run", self.table(name))
            self.assertNotIn("root:", said)
        # folders with the same beginning are others
        os.makedirs("inner")
        Path("inner/t.csv").write_text("time,u\n0,0\n1,1\n")
        self.bad(1, "outside", "run", self.table("../inner/t.csv"))
        self.good("run", self.table("../out/t.csv"), "--allow-files", "nowhere:out")
        self.bad(1, "outside", "run", self.table("../out/t.csv"), "--allow-files", "inner")
        Path("package.xml").write_text("<package/>")
        self.good("run", self.table("../out/t.csv"))

    def test_no_file(self):
        os.mkfifo("in/fifo")
        os.symlink("/dev/zero", "in/zero")
        with open("in/large.csv", "wb") as f:
            f.truncate(300 << 20)
        self.bad(1, "not an ordinary file", "run", self.table("fifo"))
        self.bad(1, "not an ordinary file", "run", self.table("zero"), "--allow-files", "/dev")
        self.bad(1, "larger than", "run", self.table("large.csv"))
        self.bad(1, "not an ordinary file", "run", self.table("deeper"))

    def test_other_places_that_name_files(self):
        self.good("run", "m.yaml", "-o", "out/r.h5")
        Path("in/m.yaml").write_text((MODEL % "").replace("{arm.joint.angle: 1}", "{from: ../out/r.h5}"))
        self.bad(1, "outside of the folder", "run", "in/m.yaml")
        self.good("run", "in/m.yaml", "--allow-files", "out")

    def test_meshes(self):
        """What a page would draw is a file like any other; a pipe is not opened, not even to see whether it is there."""
        os.mkfifo("in/pipe.stl")
        Path("out/part.stl").write_text("solid s\nendsolid s\n")
        for name, words in (("../out/part.stl", "cannot be read: .* outside of the folder"), ("pipe.stl", "not an ordinary file"),
                            ("gone.stl", "does not exist")):
            shape = f"    shapes: [{{type: mesh, file: {name}}}]\n"
            Path("in/m.yaml").write_text((MODEL % "").replace("    body:", shape + "    body:"))
            done = appell("run", "in/m.yaml", "-o", "r.h5")
            self.assertEqual(done.returncode, 0, done)
            self.assertRegex(done.stderr, words)
        Path("in/m.yaml").write_text(Path("in/m.yaml").read_text().replace("gone.stl", "../out/part.stl"))
        self.assertEqual(self.good("run", "in/m.yaml", "-o", "r.h5", "--allow-files", "out").count("is not read"), 0)

    def test_names_of_loops_get_the_prefix(self):
        """A robot with a named loop can be included twice: its loop gets the prefix, as its links do."""
        Path("bar.yaml").write_text(FOUR_BAR.read_text())
        Path("two.yaml").write_text("appell: 1\ninclude:\n  - {file: bar.yaml, as: a}\n  - {file: bar.yaml, as: b}\nlinks: []\n")
        self.assertRegex(self.good("info", "two.yaml"), r"(?s)\ba_pin .*\bb_pin ")

    def test_settings_of_includes(self):
        """The text in a result has what a setting of `include` or `repeat` has changed, so that it can be viewed."""
        Path("leg.yaml").write_text("appell: 1\nlinks: [{name: leg, joint: {type: revolute, axis: y}, body: {mass: 1, com: [0, 0, -1]}}]\n")
        Path("top.yaml").write_text("appell: 1\ninclude: [{repeat: {k: 3}, file: leg.yaml, as: a<k>}]\nlinks: []\nrun: {to: 0.01}\n")
        self.good("run", "top.yaml", "--set", "include.0.repeat.k=2", "--set", "include.0.as=b", "--set", "gravity=[0, 0, -1]", "-o", "r.h5")
        with h5py.File("r.h5") as f:
            Path("again.yaml").write_bytes(f["model"][()].rstrip(b"\0"))
        self.assertIn("# --set gravity", Path("again.yaml").read_text())
        self.assertNotIn("# --set include", Path("again.yaml").read_text())
        self.assertIn("links 2,", self.good("check", "again.yaml"))

    def test_includes_that_multiply(self):
        """Files that include themselves under other names, and eight levels of files that include the next one a hundred times."""
        os.symlink(".", "in/again")
        Path("in/m.yaml").write_text("appell: 1\ninclude: {file: again/m.yaml, as: a}\nlinks: []\n")
        self.bad(1, "m.yaml:2:10: include again/m.yaml: files include each other in a circle", "check", "in/m.yaml")
        Path("c8.yaml").write_text(MODEL % "")
        for k in range(8):
            next_one = "".join(f"  - {{file: c{k + 1}.yaml, as: a{i}}}\n" for i in range(100))
            Path(f"c{k}.yaml").write_text(f"appell: 1\ninclude:\n{next_one}links: []\n")
        self.bad(1, "c8.yaml: the files that are included are more than 64 MB together", "check", "c0.yaml")
        # of a long way the end is told, for there stands the reason
        for k in range(30):
            Path(f"b{k}.yaml").write_text(f"appell: 1\ninclude: {{file: b{k + 1}.yaml, as: a}}\nlinks: []\n")
        self.bad(1, "include b17.yaml: files include each other more than 16 levels deep", "check", "b0.yaml")

    def test_xml_that_multiplies(self):
        """libxml2 would take minutes, gigabytes or all of the stack: entities in a file that is long enough for it to drop its
        bounds, elements that are as deep, attributes that it compares each with each; and the same behind other letters."""
        pad = "<!--" + " " * 8_500_000 + "-->"
        entity = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi"))
        many = " ".join(f'a{k}="1"' for k in range(100_000))
        for text, words in ((f'<!DOCTYPE r [<!ENTITY a "a">{entity}]><robot name="&i;">{pad}</robot>', "1:1: document type declarations"),
                            ("<robot name='r'>" + "<a>" * 1_000_000 + "</a>" * 1_000_000 + pad + "</robot>", "nested more than 250"),
                            (f"<robot name='r'>\n<link name='l' {many}/></robot>", "more than 1000 attributes"),
                            (f"<robot name='<a {many}'/>", "must not contain '<'"),
                            ("<?xml version='1.0' encoding='UTF-7'?>\n<robot name='r'/>", "the encoding of the file is not known"),
                            (URDF.encode("utf-16").decode("latin-1"), "the encoding of the file is not known")):
            Path("r.urdf").write_text(text, encoding="latin-1")
            self.bad(1, words, "check", "r.urdf")
        for letters in ("utf-8", "ISO-8859-1", "us-ascii"):
            Path("r.urdf").write_text(f'<?xml version="1.0" encoding="{letters}"?>\n<!-- a < b & "c -->\n{URDF}', encoding="ascii")
            self.good("check", "r.urdf")

    def test_control_characters(self):
        for text in ('"a\\e[31mb"', '"\\x07"', '"\\u009b31m"'):
            Path("in/m.yaml").write_text((MODEL % "").replace("pendulum", text))
            self.assertNotIn("\x1b", self.bad(1, "control characters", "check", "in/m.yaml"))
        Path("r.urdf").write_text('<robot name="r"><link name="\xc2\x9b31m"/><joint name="j" type="\xc2\x9bx"/></robot>',
                                  encoding="latin-1")
        self.assertNotIn("\x9b", appell("check", "r.urdf").stderr)
        for name in ("\x1b[31m.yaml", "a\x7f.yaml", "a\u009b31m.yaml"):  # the name is not even quoted
            with self.subTest(name):
                self.assertNotIn(name, self.bad(2, "argument 2 contains a control character", "check", name))


if __name__ == "__main__":
    unittest.main()
