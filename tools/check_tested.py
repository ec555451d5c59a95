#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the internal headers (src/**/*.h) that have a direct test.

usage: tools/check_tested.py [--list] [--by] [ROOT]    ROOT: the repository, by default the one of this script

A direct test of src/room/name.h is a cmocka program (tests/{unit,conformance,physics}/test_*.c) that includes
"room/name.h" itself and names something that this header declares: one of its functions, or, where it has none,
one of its types or macros. An include alone is no test.
ALLOWED is how many headers may be without one. It only becomes smaller: whoever adds a test lowers it.
  --list     the headers without a direct test
  --by       every header with the tests that it has
"""

import re
import sys
from pathlib import Path

ALLOWED = 0

PROGRAMS = ("tests/unit/test_*.c", "tests/conformance/test_*.c", "tests/physics/test_*.c")
INCLUDE = re.compile(r'^#include "([\w/]+\.h)"', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
WORD = re.compile(r"\b[A-Za-z_]\w*\b")
# a declaration at the left margin: words and stars, the name, its arguments
FUNCTION = re.compile(r"^(?!typedef\b|#|return\b|else\b)[A-Za-z_][\w \t*]*?[ \t*](\w+)\(", re.MULTILINE)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
TYPE = re.compile(r"^typedef\b[^;{]*?(\w+);|^\}[ \t]*(\w+);|^(?:struct|enum|union)[ \t]+(\w+)[ \t]*\{"
                  r"|^typedef (?:struct|enum|union) (\w+)", re.MULTILINE)
# names that a macro makes: apl_kind_##word is any name with this beginning
PASTED = re.compile(r"\b([A-Za-z_]\w*_)##")
CONSTANT = re.compile(r"^(?:enum \{|static const [\w ]+?)[ ]*(\w+)", re.MULTILINE)


def names(text):
    """What a header declares, by which a test can show that it uses it: functions, else types and macros."""
    functions = set(FUNCTION.findall(text))
    if functions:
        return functions
    types = {name for match in TYPE.findall(text) for name in match if name}
    types |= {word + "*" for word in PASTED.findall(text)}
    return types | set(MACRO.findall(text)) | set(CONSTANT.findall(text))


def uses(declared, words):
    """Is one of the declared names among the words? A star at the end of a name stands for any ending."""
    begins = tuple(name[:-1] for name in declared if name.endswith("*"))
    return bool(declared & words) or bool(begins) and any(word.startswith(begins) for word in words)


def tests_of(root):
    """{header: [tests]} over all internal headers."""
    headers = {p.relative_to(root / "src").as_posix(): names(COMMENT.sub(" ", p.read_text("utf-8")))
               for p in sorted((root / "src").rglob("*.h"))}
    found = {name: [] for name in headers}
    for pattern in PROGRAMS:
        for path in sorted(root.glob(pattern)):
            text = path.read_text("utf-8")
            words = set(WORD.findall(COMMENT.sub(" ", text)))
            for name in INCLUDE.findall(text):
                if name in headers and uses(headers[name], words):
                    found[name].append(path.name)
    return found


def main():
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    rest = [a for a in sys.argv[1:] if not a.startswith("--")]
    if set(options) - {"--list", "--by"} or len(rest) > 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(rest[0] if rest else Path(__file__).resolve().parent.parent)
    found = tests_of(root)
    if not found:
        print(f"check_tested: {root} has no internal headers", file=sys.stderr)
        return 2
    without = [name for name, tests in found.items() if not tests]
    if "--list" in options:
        print("\n".join(without))
    if "--by" in options:
        for name, tests in found.items():
            print(f"{name:36} {' '.join(tests) or '-'}")
    if len(without) > ALLOWED:
        print(f"check_tested: {len(without)} internal headers have no direct test, {ALLOWED} are allowed; "
              "--list names them", file=sys.stderr)
        return 1
    print(f"check_tested: {len(found) - len(without)} of {len(found)} internal headers have a direct test")
    if len(without) < ALLOWED:
        print(f"check_tested: ALLOWED is {ALLOWED}, it can be {len(without)} now")
    return 0


if __name__ == "__main__":
    sys.exit(main())
