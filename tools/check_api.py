#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the public functions (include/appell/*.h) and checks that each has a user.

usage: tools/check_api.py [--list] [--users] [ROOT]    ROOT: the repository, by default the one of this script

A user is the Python package (python/*.py, python/appell/*.py), an example (examples/) or a document
written by hand (README.md, docs/, without decisions, the migration page and the reference made from the headers). The command and the tests are none: what only they
need belongs to a header in src/, which is not installed.
Also checked: every public function is marked APL_API, python/native.cdef declares nothing that Python
does not call, the documents name no function that does not exist, and the version macros are those of CMake.
  --list     every public function with the number of its uses by each kind of user
  --users    the same with the names of the files
"""

import re
import sys
from collections import Counter
from pathlib import Path

# kind of user, whether it counts as one, and where its files are
USERS = (
    ("python", True, ("python/**/*.py",)),
    ("examples", True, ("examples/*.[ch]",)),
    ("docs", True, ("README.md", "docs/**/*.md")),
    ("cdef", False, ("python/native.cdef",)),
    ("cli", False, ("cli/*.[ch]",)),
    ("papers", False, ("papers/*.[ch]",)),
    ("tests", False, ("tests/**/*.[ch]", "tests/**/*.py")),
    ("bench", False, ("bench/**/*.[ch]", "bench/**/*.cpp")),
    ("src", False, ("src/**/*.[ch]",)),
)
# documents that speak of what was: no users, and free to name what is gone
HISTORY = ("docs/decisions/", "docs/migration-")
# made from the headers (tools/api_reference.py): it names every function, which makes no user
MADE = ("docs/reference/",)

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
# a declaration at the top level: words and stars, the name, its arguments, a semicolon
FUNCTION = re.compile(r"^(?!typedef\b|#)([A-Za-z_][\w \t*]*?[ \t*])(apl_\w+)[ \t]*\(", re.MULTILINE)
NAME = re.compile(r"\bapl_\w+")
CALL = re.compile(r"\b(apl_\w+)\(")


def public_functions(root):
    """{name: (header, marked)} of every function that a public header declares."""
    found = {}
    for header in sorted((root / "include/appell").glob("*.h")):
        text = COMMENT.sub(" ", header.read_text(encoding="utf-8"))
        for match in FUNCTION.finditer(text):
            found[match.group(2)] = (header.name, match.group(1).startswith("APL_API "))
    return found


def files(root, patterns):
    for pattern in patterns:
        for path in sorted(root.glob(pattern)):
            name = path.relative_to(root).as_posix()
            if path.is_file() and not name.startswith(HISTORY + MADE):
                yield name, path


def uses(root, functions):
    """{function: {kind: Counter(file)}}"""
    table = {name: {kind: Counter() for kind, _, _ in USERS} for name in functions}
    for kind, _, patterns in USERS:
        for name, path in files(root, patterns):
            for word in NAME.findall(path.read_text(encoding="utf-8")):
                if word in table:
                    table[word][kind][name] += 1
    return table


def stale_names(root, functions):
    """Calls in documents of functions that no public header declares."""
    for name, path in files(root, ("README.md", "docs/*.md", "docs/formats/*.md")):
        text = path.read_text(encoding="utf-8")
        for match in CALL.finditer(text):
            if match.group(1) not in functions:
                line = text.count("\n", 0, match.start()) + 1
                yield f"{name}:{line}: there is no public function {match.group(1)}()."


def version_errors(root):
    """The macros of base.h against project(VERSION) of CMake."""
    cmake = re.search(r"project\(\s*appell\s+VERSION\s+([0-9.]+)", (root / "CMakeLists.txt").read_text()).group(1)
    base = (root / "include/appell/base.h").read_text()
    parts = [re.search(rf"#define APL_VERSION_{part}\s+(\d+)", base) for part in ("MAJOR", "MINOR", "PATCH")]
    header = ".".join(part.group(1) if part else "?" for part in parts)
    if header != cmake:
        yield f"include/appell/base.h:1: APL_VERSION_* say {header}, CMakeLists.txt says {cmake}."


def show(functions, table, with_files):
    for name, (header, _) in sorted(functions.items(), key=lambda item: (item[1][0], item[0])):
        counts = " ".join(f"{kind}:{sum(found.values())}" for kind, found in table[name].items() if found)
        print(f"{header:15} {name:36} {counts or 'nobody'}")
        if with_files:
            for kind, found in table[name].items():
                for file, count in sorted(found.items()):
                    print(f"{'':20}{kind}: {file} ({count})")


def main():
    flags = {argument for argument in sys.argv[1:] if argument.startswith("--")}
    rest = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if flags - {"--list", "--users"} or len(rest) > 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(rest[0] if rest else Path(__file__).resolve().parent.parent)
    functions = public_functions(root)
    table = uses(root, functions)
    if flags:
        show(functions, table, "--users" in flags)

    errors = [] if functions else [f"{root}: no public functions found in include/appell/."]
    counting = [kind for kind, counts, _ in USERS if counts]
    for name, (header, marked) in sorted(functions.items()):
        place = f"include/appell/{header}"
        if not any(table[name][kind] for kind in counting):
            errors.append(f"{place}: {name}() has no user in Python, the examples or the documents.")
        if not marked:
            errors.append(f"{place}: {name}() is not marked APL_API.")
        if table[name]["cdef"] and not table[name]["python"]:
            errors.append(f"python/native.cdef: {name}() is declared, but Python does not call it.")
    errors += stale_names(root, functions)
    errors += version_errors(root)

    for error in errors:
        print(error, file=sys.stderr)
    if errors:
        print(f"check_api: {len(errors)} errors, {len(functions)} public functions", file=sys.stderr)
        return 1
    print(f"check_api: {len(functions)} public functions, each with a user in Python, the examples or the documents")
    return 0


if __name__ == "__main__":
    sys.exit(main())
