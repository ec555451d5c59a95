# SPDX-License-Identifier: Apache-2.0
"""auto.py APPELL MODELS [--only NAMES] [--runs METHOD:TOLERANCE,..] [--keep FOLDER] [--limit SECONDS]

Evaluations and errors of the default integrator beside others, over every model that is not made for time steps: the figures of docs/decisions/072-auto.md.
Counts, not clocks: the machine may be busy. The error is that of the worst coordinate in any of 20 rows, relative to the coordinate's largest value (a hundredth of
the largest of all of them at least), against dop853 at 1e-13, or stiff at 1e-12 where explicit steps do not come to the end within the limit. References are kept in
a folder (--keep) so that a second call is quick."""
import argparse
import csv
import json
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROWS, LONGEST = 20, 3.0
STEPPED = ("moreau", "gen-alpha", "rk4", "semi-implicit")


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("appell", type=Path)
    p.add_argument("models", type=Path)
    p.add_argument("--only", default="", help="names of models, separated by commas")
    p.add_argument("--runs", default="rkf45:1e-8,dop853:1e-8,stiff:1e-8,auto:1e-8", help="METHOD:TOLERANCE, separated by commas; the first is compared with")
    p.add_argument("--keep", type=Path, help="folder of references")
    p.add_argument("--limit", type=float, default=20.0, help="seconds that a run may take")
    return p.parse_args()


def run(o, model, to, method, tolerance, table):
    """(summary, columns of coordinates), or None where the run does not end well."""
    words = [o.appell, "run", model, "--integrator", method, "--tolerance", tolerance, "--to", repr(to), "--output-every", repr(to / ROWS), "--json", "--csv", table]
    try:
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=o.limit)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        return None
    return json.loads(done.stdout), coordinates(table)


def coordinates(table):
    """Columns between the time and the first rate."""
    with open(table, encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    last = next((k for k, name in enumerate(rows[0]) if name.endswith(".rate")), len(rows[0]))
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0]) if 0 < k < last}


def error(got, exact):
    largest = {name: max(abs(x) for x in column) for name, column in exact.items()}
    least = 0.01 * max(largest.values(), default=1.0) or 1.0
    return max((max(abs(a - b) for a, b in zip(got[name], exact[name])) / max(largest[name], least) for name in exact), default=0.0)


def reference(o, model, to, folder):
    """Coordinates of the exact motion, and the method that gave them."""
    for method, tolerance in (("dop853", "1e-13"), ("stiff", "1e-12")):
        kept = folder / f"{model.stem}.{method}.csv"
        if kept.exists():
            return coordinates(kept), method
        part = folder / "part.csv"
        if run(o, model, to, method, tolerance, part) is not None:
            part.rename(kept)
            return coordinates(kept), method
    return None, ""


def span(model):
    """How far the model runs, and by which method: from the one line of its file."""
    line = re.search(r"^run:(.*)$", model.read_text(encoding="utf-8"), re.MULTILINE)
    to = re.search(r"\bto: *([0-9.e+-]+)", line[1]) if line else None
    method = re.search(r"\bintegrator: *([a-z0-9-]+)", line[1]) if line else None
    return min(LONGEST, float(to[1]) if to else 1.0), method[1] if method else "auto"


def main():
    o = options()
    runs = [tuple(r.split(":")) for r in o.runs.split(",")]
    only = [n for n in o.only.split(",") if n]
    ratios = {r: ([], []) for r in runs[1:]}
    print("| model | " + " | ".join(f"`{m}` {t}" for m, t in runs) + " | changes |\n|---|" + "---|" * (len(runs) + 1))
    with tempfile.TemporaryDirectory() as home:
        folder = o.keep or Path(home)
        folder.mkdir(parents=True, exist_ok=True)
        for model in sorted(o.models.glob("*.yaml")):
            if only and model.stem not in only:
                continue
            to, method = span(model)
            if method in STEPPED:
                continue
            exact, by = reference(o, model, to, folder)
            cells, first, changes = [], None, ""
            for r in runs:
                got = run(o, model, to, *r, Path(home) / "now.csv")
                if got is None:
                    cells.append("did not end")
                    continue
                n, e = got[0]["evaluations"], error(got[1], exact) if exact is not None else float("nan")
                cells.append(f"{n} ({e:.0e})")
                changes = got[0].get("note", "") if r[0] == "auto" else changes
                if r == runs[0]:
                    first = n, e
                elif first is not None:
                    ratios[r][0].append(n / first[0])
                    if first[1] > 0.0:
                        ratios[r][1].append(e / first[1])
            print(f"| {model.stem}{'' if by == 'dop853' else ' (' + by + ')'} | " + " | ".join(cells) + f" | {changes} |", flush=True)
    for r, (n, e) in ratios.items():
        if n:
            print(f"{r[0]} {r[1]} against {runs[0][0]} {runs[0][1]}, medians of {len(n)}: {statistics.median(n):.2f} of the evaluations at {statistics.median(e):.2g} of the error; more evaluations in {sum(x > 1 for x in n)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
