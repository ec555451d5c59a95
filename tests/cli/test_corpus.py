# SPDX-License-Identifier: Apache-2.0
"""test_corpus.py APPELL CORPUS: files, results and scripts of version 0.1 work, or are refused with a sentence that names the replacement
(CORPUS/expected.txt)."""
import gzip
import subprocess
import sys
import unittest
from pathlib import Path

from command import Case, appell

CORPUS = Path(sys.argv.pop(1)).resolve()
EXPECTED = dict(line.split(": ", 1) for line in (CORPUS / "expected.txt").read_text().splitlines() if not line.startswith("#"))
# end, time between rows, rows between checkpoints: as they were run (soft-arm ended before its first)
RUNS = {"double-pendulum": (0.2, 0.01, 5), "tractor": (0.2, 0.02, 5), "bouncing-chain": (0.5, 0.05, 5), "delta": (0.1, 0.01, 5)}


class Corpus(Case):
    def verdict(self, name, done):
        """`name` did what is expected of it."""
        if name not in EXPECTED:
            self.assertEqual(done.returncode, 0, f"{name}: {done.stderr}")
            return True
        self.assertEqual(done.returncode, 1, f"{name}: {done.stdout}")
        self.assertIn(EXPECTED[name], done.stderr, name)
        return False

    def result(self, name):
        path = Path(name).resolve()
        path.write_bytes(gzip.decompress((CORPUS / "results" / f"{name}.gz").read_bytes()))
        return path

    def results(self):
        return sorted(p.name[:-3] for p in (CORPUS / "results").glob("*.h5.gz"))

    def test_models(self):
        files = sorted((CORPUS / "models").glob("*.yaml")) + sorted((CORPUS / "models").glob("*.urdf"))
        self.assertGreater(len(files), 50)
        for path in files:
            self.verdict(f"models/{path.name}", appell("check", path))

    def test_results(self):
        self.assertGreater(len(self.results()), 5)
        for name in self.results():
            path = self.result(name)
            self.verdict(f"results/{name}", appell("export", path, "-o", "out.csv"))
            self.verdict(f"results/{name}", appell("view", path, "-o", "out.html"))

    def test_checkpoints(self):
        # a run goes on from what 0.1 has left, with its own model; or the sentence says why not
        for name in self.results():
            model = CORPUS / "models" / f"{name[:-3]}.yaml"
            if model.stem not in RUNS:
                continue
            end, every, rows = RUNS[model.stem]
            done = appell("run", model, "--resume", self.result(name), "-o", "on.h5", "--to", f"{1.5 * end:g}", "--output-every", every,
                          "--checkpoint-every", rows)
            self.verdict(f"checkpoints/{name}", done)

    def test_start_from_a_result(self):
        self.result("double-pendulum.h5")
        text = (CORPUS / "models" / "double-pendulum.yaml").read_text()
        lines = [line for line in text.splitlines() if not line.startswith("start:")]
        Path("m.yaml").write_text("\n".join([*lines, "start: {from: double-pendulum.h5}", ""]))
        done = appell("check", "m.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_scripts(self):
        result = self.result("double-pendulum.h5")
        for path in sorted((CORPUS / "python").glob("*.py")):
            done = subprocess.run([sys.executable, path, CORPUS / "models", result], capture_output=True, text=True, timeout=120)
            works = self.verdict(f"python/{path.name}", done)
            if path.name == "forward.py":
                # closed: the platform takes its arms along; an open one falls with -9.81
                self.assertTrue(works)
                self.assertNotAlmostEqual(float(done.stdout), -9.81, places=1)
        for path in sorted((CORPUS / "python" / "examples").glob("*.py")):
            done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=120)
            self.verdict(f"python/examples/{path.name}", done)


if __name__ == "__main__":
    unittest.main()
