# SPDX-License-Identifier: Apache-2.0
"""test_show.py: result.show() in a notebook that a kernel runs, as Jupyter does it. Exit code 77: nbconvert is not installed."""
import json
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import nbformat
    from nbconvert.preprocessors import ExecutePreprocessor
    import ipykernel  # noqa: F401
except ImportError as e:
    print("skipped:", e)
    sys.exit(77)

import appell

MODEL = Path(__file__).resolve().parents[2] / "models" / "double-pendulum.yaml"
DATA = re.compile(r'<script id="appell-data" type="application/json">(.*?)</script>', re.S)


class Show(unittest.TestCase):
    def outputs(self, source):
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
        ExecutePreprocessor(timeout=120, kernel_name="python3").preprocess(book)
        return book.cells[0].outputs

    def data_of(self, outputs):
        """The run in the page of the one output; nothing else may be there, no warning either."""
        import html

        self.assertEqual([o.output_type for o in outputs], ["execute_result"], outputs)
        frame = re.fullmatch(r'<iframe sandbox="allow-scripts allow-downloads" .*? srcdoc="(.*)"></iframe>', outputs[0].data["text/html"], re.S)
        return json.loads(DATA.search(html.unescape(frame[1]))[1])

    def test_runs_and_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            ran = self.data_of(self.outputs(f"import appell\nr = appell.load({str(MODEL)!r}).run(to=0.5)\nr.save({path!r})\nr.show(height=400)"))
            read = self.data_of(self.outputs(f"import appell\nappell.read_result({path!r}).show()"))
        self.assertEqual(ran["name"], "double pendulum")
        for key in ("times", "poses", "shapes", "channels"):
            self.assertEqual(ran[key], read[key], key)

    def test_pages_of_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path, page = os.path.join(folder, "run.h5"), os.path.join(folder, "run.html")
            appell.load(MODEL).run(to=0.1).save(path)
            appell.read_result(path).page(page)
            self.assertIn("appell-data", Path(page).read_text(encoding="utf-8"))
            os.remove(path)
            with self.assertRaises(ValueError):
                appell.load(MODEL).run(to=0.1).page(os.path.join(folder, "run.htm"))


if __name__ == "__main__":
    unittest.main()
