# SPDX-License-Identifier: Apache-2.0
"""The gallery of `make demo`: robots first, papers below in words that say what was found; drawings without a browser."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

APPELL, SOURCE = Path(sys.argv[1]).resolve(), Path(sys.argv.pop(2)).resolve()
sys.argv.pop(1)
sys.path.insert(0, str(SOURCE / "tools"))
import gallery  # noqa: E402
import sketch  # noqa: E402


class Page(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.out = Path(self.home.name)

    def tearDown(self):
        self.home.cleanup()

    def robot(self, name):
        return {"name": name, "file": f"{name}.yaml", "title": name, "text": "", "time": 1, "wall": 1, "error": 0,
                "status": "finished", "warnings": 0, "picture": ""}

    def test_robots_come_first_and_claims_that_do_not_hold_are_findings(self):
        paper = {"name": "snake", "title": "a snake", "count": {"reproduced": 9, "not reproduced": 23, "not published": 1}}
        robots = [self.robot(n) for n in ("paper-snake-flat", "unheard-of", "delta", "quadruped")]
        gallery.write_page(self.out, "1.0", [paper], robots, True, "")
        page = (self.out / "index.html").read_text(encoding="utf-8")
        titles = re.findall(r"<h2>(.*?)</h2>", page)
        self.assertEqual(titles, ["Legs and wheels", "Arms and parallel robots", "More", "Published papers, computed again",
                                  "Robots of the papers"])
        places = [page.index(f">{n}</a></h3>") for n in ("quadruped", "delta", "unheard-of", "Snake", "paper-snake-flat")]
        self.assertEqual(places, sorted(places))
        self.assertIn("23 findings: published claims that do not hold", page)
        self.assertNotIn("not reproduced", page)

    def test_every_kind_names_models_that_exist(self):
        shipped = {p.stem for p in (SOURCE / "models").iterdir()}
        named = [n for names in gallery.KINDS.values() for n in names]
        self.assertEqual(len(named), len(set(named)))
        self.assertLessEqual(set(named), shipped)

    def test_drawings_without_a_browser(self):
        """A whole gallery where Chromium is not found: SVG, well formed, of a size to be shipped, all inside the frame."""
        done = subprocess.run([sys.executable, SOURCE / "tools/gallery.py", "--appell", APPELL, "--models", SOURCE / "models", "--out",
                               self.out, "--no-papers", "--only", "delta", "warehouse", "tendon-arm", "pipe-climber"],
                              capture_output=True, text=True, env={**os.environ, "PATH": "/nowhere"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("fill-opacity", (self.out / "pipe-climber.svg").read_text(encoding="utf-8"), "one looks into a pipe")
        for name in ("delta", "warehouse", "tendon-arm"):
            text = (self.out / f"{name}.svg").read_text(encoding="utf-8")
            xml.etree.ElementTree.fromstring(text)
            self.assertLess(len(text), 500_000)
            solid = [tuple(map(float, p)) for d in re.findall(r'<path fill="#\w+" stroke="#\w+" stroke-width=".7" d="(.*?)"', text)
                     for p in re.findall(r"(-?[\d.]+) (-?[\d.]+)", d)]
            self.assertTrue(all(-1 <= x <= 641 and -1 <= y <= 401 for x, y in solid), name)
            self.assertGreater(max(x for x, _ in solid) - min(x for x, _ in solid)
                               + max(y for _, y in solid) - min(y for _, y in solid), 350, f"{name} fills its picture")
            self.assertIn(f'src="{name}.svg"', (self.out / "index.html").read_text(encoding="utf-8"))


class Order(unittest.TestCase):
    """Which of two solids covers the other; the reader looks along -back of the camera."""

    def things(self, *solids):
        axes = sketch.camera((-1, -1, -1), (1, 1, 1))
        return [sketch.Thing([sketch.moved(p, (*at, 1, 0, 0, 0)) for p in pieces], axes) for pieces, at in solids]

    def test_a_wheel_beside_a_long_box_is_seen(self):
        # the middle of the box is nearer than the wheel at its far end: depth alone draws it over the wheel
        box, wheel = self.things((sketch.box(4, 0.5, 0.5, "#111111"), (0, 0, 0)), (sketch.box(0.3, 0.1, 0.3, "#222222"), (-1.8, -0.32, 0)))
        self.assertLess(wheel.depth, box.depth)
        self.assertEqual([t is wheel for t in sketch.painters_order([wheel, box])], [False, True])
        # and one on the far side is not
        box, wheel = self.things((sketch.box(4, 0.5, 0.5, "#111111"), (0, 0, 0)), (sketch.box(0.3, 0.1, 0.3, "#222222"), (1.8, 0.32, 0)))
        self.assertGreater(wheel.depth, box.depth)
        self.assertEqual([t is wheel for t in sketch.painters_order([box, wheel])], [True, False])

    def test_the_floor_is_where_the_robot_stands(self):
        none = {"shapes": [], "ports": [], "poses": ""}
        self.assertEqual(sketch.floor_of(none, -2.0), ((0, 0, 1), -2.0))
        self.assertEqual(sketch.floor_of({**none, "ground": [{"normal": [0, 0, 2], "offset": 1}]}, -2.0), ((0, 0, 1), 0.5))


if __name__ == "__main__":
    unittest.main()
