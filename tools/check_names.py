#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every name the library exports begins with apl_, so that none meets a user's own.

usage: tools/check_names.py BUILD_DIR
"""

import subprocess
import sys
from pathlib import Path


def main():
    if len(sys.argv) != 2:
        print("check_names: usage: tools/check_names.py BUILD_DIR", file=sys.stderr)
        return 2
    library = Path(sys.argv[1]) / "libappell.a"
    run = subprocess.run(["nm", "--extern-only", "--defined-only", "--format=posix", str(library)],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        print(f"check_names: nm cannot read {library}: {run.stderr.strip()}", file=sys.stderr)
        return 1

    # "name class value size"; archive members stand on lines of their own
    names = [line.split()[0] for line in run.stdout.splitlines() if len(line.split()) >= 3]
    wrong = sorted(name for name in set(names) if not name.startswith("apl_"))
    for name in wrong:
        print(f"{library}: exports {name}, which must begin with apl_.", file=sys.stderr)
    if wrong or not names:
        print("check_names: the library exports names that may meet a user's", file=sys.stderr)
        return 1
    print(f"check_names: {len(set(names))} names, all begin with apl_")
    return 0


if __name__ == "__main__":
    sys.exit(main())
