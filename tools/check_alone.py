#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each file of the hot code, and each internal header, compiles alone.

usage: tools/check_alone.py [ROOT]     ROOT: the repository, by default the one of this script

The hot code is one translation unit (src/dynamics/hot.c), which includes its .c files in a fixed
order. A file that uses a name must include the header that declares it, not stand behind the file
that defines it. Functions that one hot file defines and another calls are declared `static` in a
header: alone they are "used but never defined", which is no error here.
"""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LISTS = ("src/dynamics/hot.c", "src/element/registry.c")
INCLUDED = re.compile(r'^#include "([\w/]+\.c)"', re.MULTILINE)
FLAGS = ("-std=c17 -fsyntax-only -x c -Iinclude -Isrc -Wno-psabi "
         "-Werror=implicit-function-declaration -Werror=implicit-int").split()
HOT = {number: ["-DAPL_HOT=1", f"-DAPL_REAL_{number}"] for number in ("SCALAR", "LANES", "COMPLEX")}
COLD = []


def complaint(root, name, defines):
    """Returns the first error of the compiler about one file, or None."""
    run = subprocess.run([os.environ.get("CC", "gcc"), *FLAGS, *defines, name], cwd=root,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode == 0:
        return None
    errors = [line for line in run.stderr.splitlines() if "error:" in line]
    half = "hot" if defines else "cold"
    return f"{errors[0] if errors else run.stderr}\n  {name}: its {half} half does not compile alone"


def hot_files(root):
    """Returns the .c files that the hot code consists of, registry.c excepted: it is a list."""
    names = [name for file in LISTS for name in INCLUDED.findall((root / file).read_text("utf-8"))]
    return [f"src/{name}" for name in names if f"src/{name}" not in LISTS]


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    files = hot_files(root)
    if len(files) < 2:
        print(f"check_alone: {root} has no hot code", file=sys.stderr)
        return 2
    headers = {name: sorted(str(p.relative_to(root)) for p in (root / "src" / name).glob("*.h"))
               for name in ("element", "dynamics")}

    # Kinds have two halves. Headers of the passes are hot; headers of kinds serve both halves.
    jobs = [(name, defines) for name in files for defines in HOT.values()]
    jobs += [(name, COLD) for name in files if name.startswith("src/element/")]
    jobs += [(name, HOT["SCALAR"]) for folder in headers.values() for name in folder]
    jobs += [(name, COLD) for name in headers["element"]]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        errors = {e: None for e in pool.map(lambda job: complaint(root, *job), jobs) if e}
    for error in errors:
        print(error, file=sys.stderr)
    if errors:
        print(f"check_alone: {len(errors)} of {len(files)} hot files and their headers need another before them",
              file=sys.stderr)
        return 1
    count = sum(map(len, headers.values()))
    print(f"check_alone: {len(files)} hot files and {count} headers stand alone")
    return 0


if __name__ == "__main__":
    sys.exit(main())
