#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bundles the replay page and writes it as C.

usage: tools/build_viewer.py --npm NPM SOURCE BUILD

Copies SOURCE (viewer/) to BUILD, installs its packages there with a cache of its own, and leaves
BUILD/dist/viewer.html and BUILD/page_bytes.c. When npm fails, says why and writes a page of no
bytes, so that the rest of Appell builds; the exit code is 0 then too.
"""

import argparse
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

PLACEHOLDER = b'<script id="appell-data" type="application/json">APPELL_DATA</script>'
MANIFEST = ["package.json", "package-lock.json", ".npmrc"]


class Trouble(Exception):
    """A sentence for the user."""


def copy(source, build):
    for name in MANIFEST + ["vite.config.js", "viewer.html"]:
        shutil.copy(source / name, build / name)
    shutil.rmtree(build / "src", ignore_errors=True)
    shutil.copytree(source / "src", build / "src")


def run(npm, build, what, *arguments):
    log = build / f"npm-{what}.log"
    command = [npm, "--cache", str(build / "npm-cache"), *arguments]
    try:
        with open(log, "wb") as out:
            code = subprocess.run(
                command, cwd=build, stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=600
            ).returncode
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Trouble(f"'npm {' '.join(arguments)}' did not end: {error}.") from error
    if code != 0:
        last = log.read_text(errors="replace").strip().splitlines()[-12:]
        raise Trouble("\n".join([f"'npm {' '.join(arguments)}' failed; {log} ends with:", *last]))


def install(npm, build):
    """npm ci, unless the same packages are there already."""
    wanted = hashlib.sha256(b"".join((build / n).read_bytes() for n in MANIFEST)).hexdigest()
    stamp = build / "node_modules" / ".appell-stamp"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    # no package of ours needs an install script
    run(npm, build, "ci", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1")
    stamp.write_text(wanted)


def bundle(npm, build):
    run(npm, build, "build", "run", "build")
    page = (build / "dist" / "viewer.html").read_bytes()
    if page.count(PLACEHOLDER) != 1 or page.count(b"APPELL_DATA") != 1:
        raise Trouble("dist/viewer.html does not hold the placeholder of the data exactly once.")
    return page


def write_c(path, page):
    """The page as an array; of no page, one zero byte that does not count."""
    shown = page or b"\0"
    lines = [",".join(map(str, shown[i : i + 32])) for i in range(0, len(shown), 32)]
    part = path.with_suffix(".part")
    part.write_text(
        "/* page_bytes.c: the replay page, written by tools/build_viewer.py. */\n"
        '#include "show/page.h"\n\n'
        "const unsigned char apl_viewer_page[] = {\n" + ",\n".join(lines) + "};\n"
        f"const size_t apl_viewer_page_size = {len(page)};\n"
    )
    part.replace(path)


def main():
    parser = argparse.ArgumentParser(description="bundles the replay page and writes it as C")
    parser.add_argument("--npm", required=True)
    parser.add_argument("source", type=Path)
    parser.add_argument("build", type=Path)
    options = parser.parse_args()
    build = options.build.resolve()
    build.mkdir(parents=True, exist_ok=True)
    c_file = build / "page_bytes.c"
    try:
        copy(options.source, build)
        install(options.npm, build)
        page = bundle(options.npm, build)
    except Trouble as trouble:
        shutil.rmtree(build / "dist", ignore_errors=True)
        print(
            f"build_viewer: {trouble}\n"
            "build_viewer: Appell is built without its replay page; everything else works.\n"
            f"build_viewer: to try again, remove {c_file} and build.",
            file=sys.stderr,
        )
        page = b""
    write_c(c_file, page)


if __name__ == "__main__":
    main()
