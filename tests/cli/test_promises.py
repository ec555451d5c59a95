# SPDX-License-Identifier: Apache-2.0
"""test_promises.py BUILD_FOLDER: every test that docs/promises.md names exists."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

BUILD = Path(sys.argv.pop(1)).resolve()
ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/promises.md").read_text()


class Promises(unittest.TestCase):
    def test_names(self):
        listed = subprocess.run(["ctest", "--test-dir", BUILD, "-N"], capture_output=True, text=True, check=True).stdout
        tests = set(re.findall(r"Test +#\d+: (\S+)", listed))
        # a build without Python lacks some
        tests |= set(re.findall(r"add_test\(NAME (\w+)", (ROOT / "tests/CMakeLists.txt").read_text()))
        named = set(re.findall(r"`((?:test_|fuzz_|random_)[\w*]+)`", TEXT))
        self.assertGreater(len(named), 10)
        for name in named:
            pattern = re.compile(name.replace("*", ".*"))
            self.assertTrue(any(pattern.fullmatch(t) for t in tests), f"docs/promises.md names {name}, which is no test")

    def test_rows(self):
        """No promise without a test."""
        for line in TEXT.split("## Trials")[0].splitlines():
            if line.startswith("|") and not re.match(r"\|(-|\s*promise)", line):
                self.assertRegex(line, r"`(test_|fuzz_|random_)", line)


if __name__ == "__main__":
    unittest.main()
