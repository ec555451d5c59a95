#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no source includes a higher layer, and that no includes form a cycle.

usage: tools/check_layers.py [ROOT]     ROOT: the repository, by default the one of this script

Layers are the folders src/<layer>/, papers/ and cli/; a folder inside another is a layer of its own
(couple/solve). Project includes are written relative to src/ ("math/algebra.h"), those of papers and
of the command relative to the root ("papers/rig.h"). Public headers (<appell/...>) are open to all
and include only one another.
Headers of other libraries are included by the layers of LIBRARIES only, and docs/overview.md has the same table. All
other headers are those of C and POSIX.
Above the layer spec no file speaks of text_node: a model file is data of the spec there.
"""

import re
import sys
from pathlib import Path

LAYERS = (
    "base math law element text spec model dynamics couple/solve "
    "couple signal system kind step run record show channel analyse file papers cli"
).split()
RANK = {layer: rank for rank, layer in enumerate(LAYERS)}
BESIDE = ("papers", "cli")  # layers that stand beside src
SUFFIXES = {".c", ".h", ".cpp", ".inc"}

# what is not in the C library: its headers, and the layers that may include them
LIBRARIES = {
    "HDF5": (r"hdf5|H5", "record"),
    "jansson": (r"jansson\.h", "spec show cli"),
    "LAPACK": (r"lapacke?\.h|cblas\.h", "analyse papers"),
    "libmicrohttpd": (r"microhttpd\.h", "cli"),
    "libxml2": (r"libxml/", "text"),
    "libyaml": (r"yaml\.h", "text"),
    "SUNDIALS": (r"cvode/|kinsol/|nvector/|sun(dials|matrix|linsol|nonlinsol)/", "step analyse"),
}
SYSTEM = set(
    "assert complex ctype errno float inttypes limits locale math setjmp signal stdalign stdarg stdbool stddef "
    "stdint stdio stdlib string tgmath time arpa/inet dlfcn fcntl fnmatch ftw pthread spawn strings sys/stat "
    "sys/types sys/wait unistd".split()
)

# strings and character constants are matched so that comment signs inside them do not count
COMMENT = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""", re.DOTALL)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b[ \t]*(.*?)[ \t]*$", re.MULTILINE)


def blank_comment(match):
    text = match.group()
    return "\n" * text.count("\n") if text.startswith("/") else text


def includes(path):
    """Yields (line number, operand) of each include of a file, those in comments left out."""
    text = COMMENT.sub(blank_comment, path.read_text(encoding="utf-8"))
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(1)


def judge_library(layer, name):
    """Returns a sentence or None for <name>, a header that is not ours."""
    for library, (header, allowed) in LIBRARIES.items():
        if re.match(header, name):
            fine = layer in allowed.split()
            return None if fine else f"{layer} must not use {library} (<{name}>): {allowed.replace(' ', ', ')} may."
    if name.removesuffix(".h") in SYSTEM:
        return None
    return f"<{name}> is a header of neither C, POSIX nor a library in LIBRARIES (tools/check_layers.py)."


def check_table(root):
    """Yields sentences about the table of libraries in docs/overview.md."""
    page = root / "docs/overview.md"
    if not page.is_file():  # a tree of a test
        return
    text = page.read_text(encoding="utf-8")
    for library, (_, allowed) in LIBRARIES.items():
        row = f"| {library} | {', '.join(f'`{layer}`' for layer in allowed.split())} |"
        if row not in text:
            yield f"docs/overview.md:1: the table of libraries must have the row '{row} ..'."


def judge(layer, operand):
    """Returns (path relative to ROOT or None if not ours, sentence or None) for one include.

    layer is the folder of the including file, or "appell" for a public header.
    """
    if not re.fullmatch(r'"[^"]+"|<[^>]+>', operand):
        return None, f"'{operand}' is not a plain file name, so its layer cannot be checked."
    quoted = operand[0] == '"'
    name = operand[1:-1]
    folder = name.rsplit("/", 1)[0] if "/" in name else ""

    if ".." in name.split("/"):
        return None, f'"{name}" climbs with ".."; write it relative to src/.'
    if name.startswith("appell/"):
        return f"include/{name}", None
    if not quoted and folder not in RANK:
        return None, judge_library(layer, name)
    if layer == "appell":
        return None, f'a public header includes only <appell/...>, not "{name}".'
    if not folder:
        return None, f'"{name}" has no folder; write it relative to src/, as "{layer}/{name}".'
    if folder not in RANK:
        return None, f'"{name}" is in no known layer.'
    target = name if folder in BESIDE else f"src/{name}"
    if RANK[folder] > RANK[layer]:
        return target, f'{layer} must not include the higher layer {folder} ("{name}").'
    return target, None


def find_cycle(graph):
    """Returns one cycle of the graph as a list of nodes, first = last, or None."""
    done = set()
    for start in sorted(graph):
        path, on_path, stack = [], set(), [(start, None)]
        while stack:
            node, edges = stack.pop()
            if edges is None:
                if node in on_path:
                    return path[path.index(node):] + [node]
                if node in done or node not in graph:
                    continue
                path.append(node)
                on_path.add(node)
                edges = iter(sorted(graph[node]))
            following = next(edges, None)
            if following is None:
                done.add(path.pop())
                on_path.discard(node)
            else:
                stack += [(node, edges), (following, None)]
    return None


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    errors, graph, count = [], {}, 0

    for top in ("src", *BESIDE, "include"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in SUFFIXES or not path.is_file():
                continue
            parts = path.relative_to(root).parts
            name = "/".join(parts)
            layer = "/".join(parts[:-1] if top in BESIDE else parts[1:-1])
            if top == "include" and layer != "appell":
                errors.append(f"{name}:1: public headers belong in include/appell/.")
                continue
            if top != "include" and (layer not in RANK or (layer in BESIDE) != (top in BESIDE)):
                errors.append(f"{name}:1: this file is in no known layer.")
                continue

            count += 1
            edges = graph.setdefault(name, set())
            if RANK.get(layer, 0) > RANK["spec"] and "text_node" in path.read_text(encoding="utf-8"):
                errors.append(f"{name}:1: the tree of a model file ends at spec; take its data from there.")
            for line, operand in includes(path):
                target, sentence = judge(layer, operand)
                if target:
                    edges.add(target)
                if sentence:
                    errors.append(f"{name}:{line}: {sentence}")

    errors += check_table(root)
    if count == 0:
        errors.append(f"{root}: no sources found in src/, papers/, cli/ and include/.")
    cycle = find_cycle(graph)
    if cycle:
        errors.append(f"{cycle[0]}:1: includes form a cycle: {' -> '.join(cycle)}.")

    for error in errors:
        print(error, file=sys.stderr)
    if errors:
        print(f"check_layers: {len(errors)} errors in {count} files", file=sys.stderr)
        return 1
    edges = sum(map(len, graph.values()))
    print(f"check_layers: {count} files, {edges} project includes, no higher layer, no cycle")
    return 0


if __name__ == "__main__":
    sys.exit(main())
