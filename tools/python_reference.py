#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the reference of docs/python.md from the docstrings of the package, behind its marker line.

usage: PYTHONPATH=build/release/python tools/python_reference.py [--check]

--check compares and exits with 1 when the page is not current.
"""

import inspect
import re
import sys
import textwrap
from pathlib import Path

import appell

PAGE = Path(__file__).resolve().parents[1] / "docs" / "python.md"
MARK = "<!-- made by tools/python_reference.py from the docstrings: edit those -->"


def head(name, thing):
    """name(arguments), without types: they stand in the package."""
    words = []
    star = False
    for p in inspect.signature(thing).parameters.values():
        if p.name == "self":
            continue
        if p.kind is p.KEYWORD_ONLY and not star and "*" not in "".join(words):
            words.append("*")
        star = star or p.kind is p.KEYWORD_ONLY
        stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        words.append(stars + p.name + ("" if p.default is p.empty else f"={p.default!r}"))
    return f"{name}({', '.join(words)})"


def body(thing):
    """The docstring, its paragraphs that are examples as code: they are indented, or begin with >>>."""
    out, code = [], False
    for part in re.split(r"\n\s*\n", textwrap.dedent(inspect.getdoc(thing) or "")):
        example = part.startswith(("    ", ">>>"))
        if example:
            part = re.sub(r" +# doctest:.*", "", textwrap.dedent(part))
        if example and code:
            out[-1] = out[-1][:-len("\n```")] + f"\n\n{part}\n```"
        else:
            out.append(f"```python\n{part}\n```" if example else part)
        code = example
    return "\n\n".join(out)


def members(kind):
    """What a class of the package has, by name: first that of its bases in the package, which are parts of it."""
    for base in reversed(kind.__mro__):
        if base.__module__.split(".")[0] == "appell":
            yield from vars(base).items()


def entries():
    functions = [n for n in appell.__all__ if inspect.isfunction(getattr(appell, n))]
    classes = [n for n in appell.__all__ if inspect.isclass(getattr(appell, n))]
    for name in functions:
        yield f"### {head(name, getattr(appell, name))}\n\n{body(getattr(appell, name))}"
    for name in classes:
        kind = getattr(appell, name)
        yield f"### class {name}\n\n{body(kind)}"
        if issubclass(kind, tuple):
            yield "Members: " + ", ".join(f"`{f}`" for f in kind._fields) + "."
            continue
        for part, value in members(kind):
            if part.startswith("_") or not (inspect.isfunction(value) or isinstance(value, property)):
                continue
            title = f"{name}.{part}" if isinstance(value, property) else head(f"{name}.{part}", value)
            yield f"#### {title}\n\n{body(value)}"


def main():
    now = PAGE.read_text(encoding="utf-8")
    made = now.split(MARK)[0].rstrip("\n") + f"\n\n{MARK}\n\n## Reference\n\n" + "\n\n".join(entries()) + "\n"
    if "--check" not in sys.argv:
        PAGE.write_text(made, encoding="utf-8")
    elif made != now:
        sys.exit("docs/python.md is not current: run tools/python_reference.py with PYTHONPATH=build/release/python")


if __name__ == "__main__":
    main()
