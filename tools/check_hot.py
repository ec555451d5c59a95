#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the objects of the hot code: no allocation, no printing, no exit, no state, one export.

usage: tools/check_hot.py BUILD_DIR     of an optimised build without asserts and sanitizers

src/dynamics/hot.c is compiled several times, each time as an object library of its own. Each
object may call only memory moves and the mathematical library, must export one symbol, the
table of passes, and may not hold writable data.
"""

import platform
import re
import subprocess
import sys
from pathlib import Path

BUILDS = ["appell_hot_scalar", "appell_hot_lanes", "appell_hot_complex"]
if platform.machine() in ("x86_64", "AMD64"):
    BUILDS.append("appell_hot_lanes_avx2")

REAL = (
    "sin cos tan asin acos atan atan2 sincos sinh cosh tanh asinh acosh atanh exp exp2 expm1 "
    "log log2 log10 log1p pow sqrt cbrt hypot fabs fmod fmin fmax floor ceil trunc round rint "
    "nearbyint copysign fma ldexp frexp scalbn"
).split()
COMPLEX = (
    "csin ccos ctan casin cacos catan csinh ccosh ctanh casinh cacosh catanh cexp clog cpow csqrt "
    "cabs carg conj creal cimag"
).split()
ALLOWED = re.compile(
    r"(__)?mem(cpy|move|set|cmp)(_chk)?|(" + "|".join(REAL + COMPLEX) + r")"
    r"|__(mul|div)dc3|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__(asan|ubsan)_.*"
)
EXPORT = re.compile(r"apl_passes_\w+")


def symbols(path):
    """Yields (name, class letter, section) of each symbol, as nm sees them."""
    run = subprocess.run(
        ["nm", "--format=sysv", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    if run.returncode != 0:
        raise OSError(run.stderr.strip() or "nm failed")
    for line in run.stdout.splitlines():
        # name | value | class | type | size | line | section
        column = [text.strip() for text in line.split("|")]
        if len(column) == 7 and column[0] != "Name":
            yield column[0], column[2], column[6]


def check(path):
    """Returns the sentences that say what is wrong with one object."""
    errors, exports, count = [], [], 0
    for name, kind, section in symbols(path):
        count += 1
        if kind in "Uwv":
            if not ALLOWED.fullmatch(name):
                errors.append(f"hot code must not call {name}.")
            continue
        # constants that hold addresses are writable only until the program is loaded
        constant = section.startswith(".data.rel.ro")
        if kind in "dDbBCgGsSu" and not constant:
            errors.append(f"{name} is writable data ({section}); hot code keeps no state.")
        if kind.isupper() or kind in "iu":
            exports.append(name)

    if count == 0:
        errors.append("nm lists no symbols.")
    if len(exports) != 1 or not EXPORT.fullmatch(exports[0]):
        found = ", ".join(sorted(exports)) or "nothing"
        errors.append(f"must export one symbol, apl_passes_<build>; it exports {found}.")
    return errors


def main():
    if len(sys.argv) != 2:
        print("check_hot: usage: tools/check_hot.py BUILD_DIR", file=sys.stderr)
        return 2
    failed = False
    for build in BUILDS:
        path = Path(sys.argv[1]) / "CMakeFiles" / f"{build}.dir" / "src/dynamics/hot.c.o"
        try:
            errors = check(path) if path.is_file() else ["the object does not exist; build first."]
        except OSError as error:
            errors = [f"nm cannot read it: {error}"]
        for error in errors:
            print(f"{path}: {error}", file=sys.stderr)
            failed = True
    if failed:
        print("check_hot: the hot code breaks its rules", file=sys.stderr)
        return 1
    print(f"check_hot: {len(BUILDS)} objects, one export each, no allocation, no output, no state")
    return 0


if __name__ == "__main__":
    sys.exit(main())
