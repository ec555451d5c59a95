#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the library appell_core needs the C library and its mathematics alone.

usage: tools/check_core.py CC LIBRARY [PROGRAM]     CC: the C compiler; LIBRARY: libappell_core.a

All of its objects are linked into one shared object with -lm, and no symbol may be left undefined. What that shared
object needs, and what the PROGRAM needs that was linked with the library, must be parts of the C library.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

# the C library, its mathematics, its loader, and the compiler's own support code
ALLOWED = re.compile(r"lib(c|m|gcc_s|System)(\.|-)|ld-linux|ld-musl")


def needs(file):
    facts = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", facts)


def main():
    compiler, library, *programs = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "core.so"
        link = [compiler, "-shared", "-o", whole, "-Wl,--no-undefined", "-Wl,--as-needed", "-Wl,--whole-archive",
                library, "-Wl,--no-whole-archive", "-lm"]
        done = subprocess.run(link, capture_output=True, text=True)
        if done.returncode != 0:
            missing = sorted(set(re.findall(r"undefined reference to [`'\"]?([^`'\"\s]+)", done.stderr)))
            print(f"{library}: the core needs what libc and libm do not have: {', '.join(missing) or done.stderr}",
                  file=sys.stderr)
            return 1
        needed = sorted({name for file in (whole, *programs) for name in needs(file)})
    others = [name for name in needed if not ALLOWED.match(name)]
    if others or not needed:
        print(f"{library}: the core must not need {', '.join(others) or 'nothing at all'}", file=sys.stderr)
        return 1
    print(f"check_core: {Path(library).name} needs {', '.join(needed)} alone")
    return 0


if __name__ == "__main__":
    sys.exit(main())
