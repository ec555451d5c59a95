#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that docs/overview.md and docs/extend/*.md speak of the tree as it is.

usage: tools/check_map.py [ROOT]     ROOT: the repository, by default the one of this script

The overview has a row for every folder of src and for every top folder, draws each layer, and names the layers in the
order of tools/check_layers.py. Every path that these pages name between backticks exists (src/step/methods.c; in the
overview also step/methods.c, and file names in the table of passes).
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from check_layers import LAYERS

PATH = re.compile(r"`([\w./-]+\.(?:c|h|py|md|yaml|txt|cdef|cmake|sh))`")


def folders(root):
    """Top folders with files that git knows; without git, as in a source archive, all but hidden ones and those of builds."""
    known = []
    if (root / ".git").exists() and shutil.which("git"):
        known = subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True, check=False).stdout.splitlines()
    names = {name.split("/")[0] for name in known if "/" in name} or {
        p.name for p in root.iterdir() if p.is_dir() and not (p / "CMakeCache.txt").exists() and p.name != "__pycache__"}
    return sorted(name for name in names if not name.startswith(".") and name not in ("build", "out"))


def overview_errors(root, text):
    rows = {name for cell in re.findall(r"^\| (.*?) \|", text, re.MULTILINE) for name in re.findall(r"`([\w/]+)`", cell)}
    picture = text.split("## 1.")[0]
    sources = [p.relative_to(root / "src").as_posix() for p in (root / "src").rglob("*")
               if p.is_dir() and (any(p.glob("*.c")) or any(p.glob("*.h")))]
    for folder in sorted(sources) + folders(root):
        if folder not in rows and folder != "src":
            yield f"docs/overview.md: no table has a row for the folder {folder}."
    for folder in sources:
        if f"src/{folder}" not in picture:
            yield f"docs/overview.md: the walk of the data does not show src/{folder}."
    order = re.search(r"^    (base <.*)$", text, re.MULTILINE)
    if order is None or order.group(1).split(" < ") != LAYERS:
        yield "docs/overview.md: the order of layers is not that of tools/check_layers.py."


def path_errors(root, page, text):
    places = [root, root / "src", root / "src/dynamics"] if page == "docs/overview.md" else [root, root / "src/step", root / "src/kind",
                                                                                              root / "src/element", root / "src/system"]
    for match in PATH.finditer(text):
        name = match.group(1)
        if "NAME" in name or any((place / name).exists() for place in places):
            continue
        line = text.count("\n", 0, match.start()) + 1
        yield f"{page}:{line}: there is no file {name}."


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    pages = [root / "docs/overview.md", *sorted((root / "docs/extend").glob("*.md"))]
    errors = list(overview_errors(root, pages[0].read_text(encoding="utf-8")))
    for page in pages:
        errors += path_errors(root, page.relative_to(root).as_posix(), page.read_text(encoding="utf-8"))
    for error in errors:
        print(error, file=sys.stderr)
    if not errors:
        print(f"check_map: {len(pages)} pages, all folders named, all files there")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
