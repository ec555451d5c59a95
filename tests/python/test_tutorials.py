"""The tutorials: each script runs, and its page shows what stands in it."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "docs" / "tutorials").glob("*.py"))


class Tutorials(unittest.TestCase):
    def test_scripts_run(self):
        self.assertGreaterEqual(len(SCRIPTS), 6)
        for script in SCRIPTS:
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


if __name__ == "__main__":
    unittest.main()
