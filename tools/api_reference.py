#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the reference of the C library, docs/reference/, from the public headers include/appell/*.h.

usage: tools/api_reference.py [--check]

One page per header: the sentence at its head, then each group of declarations with the comment in front of it.
Every declaration must have a comment. --check compares and exits with 1 when a page is not current.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADERS = ROOT / "include" / "appell"
PAGES = ROOT / "docs" / "reference"
MARK = "<!-- made by tools/api_reference.py from the headers: edit those -->"

COMMENT = re.compile(r"/\*.*?\*/", re.S)
FUNCTION = re.compile(r"^APL_API\b[^;]*?\b(apl_\w+)\(", re.M)
TYPE = re.compile(r"^typedef (?:(struct|enum|union) (apl_\w+)|[^;{]*?\(\*(apl_\w+)\)|[^;{]*?\b(apl_\w+);)", re.M)
OTHER = re.compile(r"^#define (APL_\w+)|^enum \{\s*(APL_\w+)", re.M)
RULE = re.compile(r"/\* -{5,} *(.*?) *-{3,} *(?:\n *)?\*/")
WORD = re.compile(r"\b((?:apl|APL)_\w+)(\(\))?")


def chunks(text):
    """The parts of a header between empty lines that are in no comment and in no braces."""
    part, depth, inside = [], 0, False
    for line in text.splitlines():
        bare = COMMENT.sub("", line)
        if not line.strip() and depth == 0 and not inside:
            if part:
                yield "\n".join(part)
            part = []
            continue
        if inside:
            inside = "*/" not in bare
            bare = bare.split("*/", 1)[1] if not inside else ""
        if "/*" in bare:
            inside = True
            bare = bare.split("/*", 1)[0]
        depth += bare.count("{") - bare.count("}")
        part.append(line)
    if part:
        yield "\n".join(part)


def head(chunk):
    """The comment a chunk begins with, without its marks, and the rest."""
    match = re.match(r"/\*(.*?)\*/\s*", chunk, re.S)
    if match is None:
        return "", chunk
    lines = match.group(1).strip().splitlines()
    lines = lines[:1] + [line[3:] if line.startswith("   ") else line for line in lines[1:]]
    return "\n".join(lines), chunk[match.end():]


def names(code):
    """What a chunk declares: [(anchor, title)]."""
    def title(m, name):
        opaque = m.group(1) and re.match(r" \w+;", code[m.end():])
        return f"{name} (opaque)" if opaque else f"{m.group(1)} {name}" if m.group(1) else name

    found = [(m.start(), name, title(m, name))
             for m in TYPE.finditer(code) for name in [m.group(2) or m.group(3) or m.group(4)]]
    found += [(m.start(), m.group(1), f"{m.group(1)}()") for m in FUNCTION.finditer(code)]
    if not found:
        found = [(m.start(), m.group(1) or m.group(2), m.group(1) or m.group(2)) for m in OTHER.finditer(code)]
    return [(name, title) for _, name, title in sorted(found)]


def parse(header):
    """(sentence, [included headers], [(kind, comment, code)]) with kind 'part', 'section' or 'note'."""
    text = header.read_text(encoding="utf-8")
    sentence, rest = head(text.split("\n", 1)[1])
    included = re.findall(r'#include "appell/(\w+\.h)"', rest)
    # what is for the compiler only
    rest = re.sub(r'#ifdef __cplusplus\n.*?\n#endif\n', "\n", rest, flags=re.S)
    rest = re.sub(r"/\* What the shared library shows;.*?#endif\n", "", rest, flags=re.S)
    rest = re.sub(r"^#pragma once$|^#include .*$", "", rest, flags=re.M)
    parts = []
    for chunk in chunks(rest):
        rule = RULE.match(chunk)
        if rule is not None:
            parts.append(("section", rule.group(1), ""))
            chunk = chunk[rule.end():].strip("\n")
            if not chunk:
                continue
        comment, code = head(chunk)
        parts.append(("part" if code.strip() else "note", comment, code.rstrip()))
    return re.sub(r"^\w+\.h: ", "", sentence), included, parts


def linked(text, places, page):
    """Plain text as Markdown: names of the library are links."""
    def escape(part):
        return re.sub(r"([*_<\[|])", r"\\\1", part)

    out, last = [], 0
    for m in WORD.finditer(text):
        out.append(escape(text[last:m.start()]))
        where = places.get(m.group(1))
        out.append(f"[`{m.group(0)}`]({'' if where == page else where}#{m.group(1)})" if where else f"`{m.group(0)}`")
        last = m.end()
    return "".join(out) + escape(text[last:])


def prose(comment, places, page):
    """A comment as Markdown: lines that are set in are shown as they stand."""
    out, block = [], []
    for line in comment.splitlines() + [""]:
        kind = "code" if line.startswith("  ") else "text" if line.strip() else "end"
        if block and block[0][0] != kind:
            lines = [text for _, text in block]
            if block[0][0] == "code":
                out.append("\n".join("    " + text[2:] for text in lines))
            else:
                out.append(linked(" ".join(lines), places, page))
            block = []
        if kind != "end":
            block.append((kind, line))
    return "\n\n".join(out)


def page_of(name):
    return name.replace(".h", ".md")


def write_page(name, content, places):
    sentence, included, parts = content
    page = page_of(name)
    first, _, more = sentence.partition(". ")
    title = f"{first}.{' ' + more if more else ''}" if more else first
    out = [f"# appell/{name}", MARK, prose(title[:1].upper() + title[1:], places, page)]
    if included:
        out.append("Includes " + ", ".join(f"[{i}]({page_of(i)})" for i in included) + ".")
    for kind, comment, code in parts:
        if kind == "section":
            out.append(f"## {comment[:1].upper() + comment[1:]}")
            continue
        if kind == "part":
            found = names(code)
            anchors = "".join(f'<a id="{anchor}"></a>' for anchor, _ in found)
            if found:
                out.append(f"### {anchors}{', '.join(t for _, t in found)}")
        if comment:
            out.append(prose(comment, places, page))
        if kind == "part":
            # the mark of the shared library says nothing to a reader; what was lined up with it moves along
            shown = re.sub(r"^APL_API (.*(?:\n {8,}.*)*)", lambda m: m.group(1).replace("\n        ", "\n"), code, flags=re.M)
            out.append(f"```c\n{shown}\n```")
    return "\n\n".join(out) + "\n"


def write_index(headers):
    out = ["# Reference of the C library", MARK,
           "One page per header of `include/appell/`; `#include <appell/appell.h>` includes all. A program that uses it, line by line: "
           "[hello.md](../hello.md). What may change from version to version: [deprecation.md](../deprecation.md). "
           "Functions that may fail return an `apl_status`; what ends in `_new` is freed by what ends in `_free`."]
    for name in headers["appell.h"][1]:  # in the order in which they build on each other
        sentence, _, parts = headers[name]
        page = page_of(name)
        found = [item for _, _, code in parts for item in names(code) if item[0].startswith("apl_")]
        if not found:
            continue
        about = re.split(r"[.:](?:\s|$)|,?\n\s*\n|,?\n {2,}", sentence)[0].replace("\n", " ")
        lines = [f"## [{name}]({page})", about[:1].upper() + about[1:] + "."]
        for word, chosen in (("Types", [a for a, t in found if not t.endswith("()")]),
                             ("Functions", [a for a, t in found if t.endswith("()")])):
            if chosen:
                lines.append(f"{word}: " + ", ".join(f"[`{a}`]({page}#{a})" for a in chosen) + ".")
        out.append("\n\n".join(lines))
    return "\n\n".join(out) + "\n"


def faults(headers, places):
    """Declarations without a comment, and comments that speak of functions which are not public."""
    for name, (_, _, parts) in headers.items():
        for kind, comment, code in parts:
            if kind == "part" and not comment:
                yield f"include/appell/{name}: there is no comment before {', '.join(t for _, t in names(code))}."
        for comment in COMMENT.findall((HEADERS / name).read_text(encoding="utf-8")):
            for word in re.findall(r"\b(apl_\w+)\(\)", comment):
                if word not in places:
                    yield f"include/appell/{name}: a comment names {word}(), which is not public."


def main():
    headers = {h.name: parse(h) for h in sorted(HEADERS.glob("*.h"))}
    places = {}
    for name, (_, _, parts) in headers.items():
        for _, _, code in parts:
            places.update({anchor: page_of(name) for anchor, _ in names(code)})
    wrong = list(faults(headers, places))
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    if wrong:
        return 1
    made = {page_of(name): write_page(name, content, places) for name, content in headers.items()}
    made["README.md"] = write_index(headers)

    if "--check" not in sys.argv:
        PAGES.mkdir(exist_ok=True)
        for old in PAGES.glob("*.md"):
            if old.name not in made:
                old.unlink()
        for name, text in made.items():
            (PAGES / name).write_text(text, encoding="utf-8")
        return 0
    stale = [n for n, text in made.items() if not (PAGES / n).exists() or (PAGES / n).read_text(encoding="utf-8") != text]
    stale += [p.name for p in PAGES.glob("*.md") if p.name not in made]
    if stale:
        print(f"docs/reference is not current ({', '.join(sorted(stale))}): run tools/api_reference.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
