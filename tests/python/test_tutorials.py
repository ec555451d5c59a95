# SPDX-License-Identifier: Apache-2.0
"""The tutorials: each script runs, and its page shows what stands in it."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "docs" / "tutorials").glob("*.py"))
BUILDS = ("own-joint",)  # scripts that compile: tests of their own, test_tutorial_NAME in tests/CMakeLists.txt
LANGUAGES = {".c": "c", ".yaml": "yaml", ".diff": "diff"}


def lines(text):
    return [line for line in text.splitlines() if line.strip()]


class Tutorials(unittest.TestCase):
    def test_scripts_run(self):
        self.assertGreaterEqual(len(SCRIPTS), 7)
        for script in SCRIPTS:
            if script.stem in BUILDS:
                continue
            with self.subTest(script.name):
                done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=600, cwd="/")
                self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_pages_show_the_scripts(self):
        listed = (ROOT / "docs/tutorials/README.md").read_text(encoding="utf-8")
        for script in SCRIPTS:
            page = script.with_suffix(".md").read_text(encoding="utf-8")
            code = script.read_text(encoding="utf-8")
            blocks = re.findall(r"```python\n(.*?)```", page, re.S)
            self.assertTrue(blocks, script.name)
            for block in blocks:
                self.assertIn(block, code, script.name)
            self.assertIn(f"({script.stem}.md)", listed)
            self.assertIn(f"({script.name})", page)

    def test_pages_print_their_files(self):
        """The blocks of one language, one after the other, are the file of that language, but for empty lines."""
        seen = 0
        for script in SCRIPTS:
            page = script.with_suffix(".md").read_text(encoding="utf-8")
            for file in sorted(script.with_suffix("").glob("*")):
                printed = "".join(re.findall(rf"```{LANGUAGES[file.suffix]}\n(.*?)```", page, re.S))
                self.assertEqual(lines(printed), lines(file.read_text(encoding="utf-8")), file.name)
                seen += 1
        self.assertGreaterEqual(seen, 3)


if __name__ == "__main__":
    unittest.main()
