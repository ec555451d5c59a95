#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every shipped model and paper and writes a gallery of them: OUT/index.html.

usage: tools/gallery.py [--appell COMMAND] [--models FOLDER] [--out FOLDER] [--only NAME...] [--no-pages]
       [--no-papers] [--jobs N]

Robots come first, by kind, then the papers and their robots. Each robot gets a card: a picture (by `appell movie`:
Chromium where it is there, else our own SVG, see sketch.py), one sentence, simulated against computing time, the error of
its energy balance, and links to its replay, its model file and its paper.
Times are of this machine. Only Python's own library is used.
"""

import argparse
import concurrent.futures
import html
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from sketch import sketch

# Robots by kind; what is not named here comes last, under "More".
KINDS = {
    "Legs and wheels": ["quadruped", "warehouse", "four-legs", "tractor", "mobile-scara", "mecanum", "lifting-rover", "truck",
                        "diff-drive", "sixty-feet", "balancing-cart"],
    "Arms and parallel robots": ["delta", "arm7", "stewart", "gripper", "scara", "falling-3rrr", "rsur", "five-bar", "four-bar"],
    "Soft and flexible robots": ["tendon-arm", "soft-rover", "mecanum-soft-arm", "soft-arm", "soft-linkage", "hybrid-arm",
                                 "flexible-3rrr", "flexible-pendulum", "arc"],
    "Snakes, worms and climbers": ["sidewinder", "snake-pegs", "rolling-helix", "pipe-climber", "lateral-undulation",
                                   "soft-snake", "worm-incline"],
}

STYLE = """
:root{--back:#f4f5f7;--panel:#fff;--text:#1b1f26;--muted:#646d7a;--line:#e2e5ea;--accent:#c04e08;--good:#0b7a54;
--good-back:#dcf3ea;--bad:#9a3412;--find:#2b4fa8;--find-back:#e0e9fb;--plain:#e9edf1;--stage:#f6f7f9}
@media (prefers-color-scheme:dark){:root{--back:#14171c;--panel:#1c2027;--text:#e6e9ee;--muted:#98a2b1;--line:#2d333d;
--accent:#ff9447;--good:#6fdcb0;--good-back:#123a2c;--bad:#ffb38a;--find:#a9c4ff;--find-back:#1d2f57;--plain:#2a303a;--stage:#20252d}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,
"Helvetica Neue",sans-serif}
main{max-width:1240px;margin:0 auto;padding:36px 20px 60px}
h1{font-size:30px;line-height:1.2;letter-spacing:-.015em;margin:0 0 6px}
h2{font-size:20px;margin:40px 0 14px}
p{margin:0 0 10px}
.lead{font-size:17px;color:var(--muted);max-width:70ch}
a{color:var(--accent);text-decoration:none}
a:hover{text-decoration:underline}
.papers,.cards{display:grid;gap:16px;grid-template-columns:repeat(auto-fill,minmax(min(270px,100%),1fr))}
.papers{grid-template-columns:repeat(auto-fill,minmax(min(224px,100%),1fr))}
.card{background:var(--panel);border:1px solid var(--line);border-radius:12px;overflow:hidden;display:flex;
flex-direction:column;min-width:0}
.card .text{padding:12px 16px 14px;display:flex;flex-direction:column;flex:1;overflow-wrap:anywhere}
.card h3{margin:0 0 2px;font-size:16px;letter-spacing:-.005em}
.card h3 a{color:inherit}
.card p{color:var(--muted);font-size:14px;flex:1}
.picture{display:block;aspect-ratio:8/5;background:var(--stage);border-bottom:1px solid var(--line)}
.picture img{width:100%;height:100%;object-fit:cover;display:block}
dl{display:grid;grid-template-columns:1fr auto;gap:2px 12px;margin:0 0 10px;font-size:13px;
font-variant-numeric:tabular-nums}
dt{color:var(--muted)}
dd{margin:0;text-align:right}
.links{display:flex;flex-wrap:wrap;gap:4px 14px;font-size:13.5px}
.badges{display:flex;flex-wrap:wrap;gap:6px;font-size:12.5px}
.badge{border-radius:9px;padding:1px 9px;background:var(--plain)}
.yes{background:var(--good-back);color:var(--good)}
.find{background:var(--find-back);color:var(--find)}
.failed{color:var(--bad)}
.foot{margin-top:40px;color:var(--muted);font-size:13px}
"""


def call(command):
    """The text a command prints; a sentence and the end when it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"gallery: {' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def sentence_of(appell, path):
    """The first sentence of the description of a model, else of the first comment of its file."""
    words = json.loads(call([appell, "info", str(path), "--json"]))["description"]
    if not words:
        text = path.read_text(encoding="utf-8", errors="replace")
        found = re.search(r"^# *(.+?)(?:[.:]|$)", text) or re.search(r"<!--\s*(.+?)\s*-->", text, re.S)
        words = " ".join(found.group(1).split()) if found else ""
    # the point after an initial ends no sentence
    words = re.split(r"(?<=\w{3}[.;]) ", words.strip())[0].rstrip(".:;")
    return words[:1].upper() + words[1:]


def paper_of(robot, papers):
    """The paper that a robot is from, or None. Files are called after their paper, the parallel one after its robot."""
    named = {"parallel": "paper-3rrr"}
    return next((p for p in papers if robot["name"].startswith(named.get(p["name"], f"paper-{p['name']}"))), None)


def draw(appell, out, name):
    """A picture of a run, clear so that it fits light and dark; the name of the file, or "" when there is none."""
    done = subprocess.run([appell, "movie", str(out / f"{name}.h5"), "-o", str(out / f"{name}.png"), "--size", "640x400",
                           "--clear"], capture_output=True, text=True)
    if done.returncode == 0:
        return f"{name}.png"
    page = out / f"{name}.html"
    return f"{name}.svg" if page.exists() and sketch(page, out / f"{name}.svg", 640, 400) else ""


def run_model(appell, out, path, pages):
    """Run one model; what its card says."""
    name = path.stem
    command = [appell, "run", str(path), "-o", str(out / f"{name}.h5"), "--json"]
    if pages:
        command += ["--html", str(out / f"{name}.html")]
    began = time.monotonic()
    report = json.loads(call(command))
    wall = time.monotonic() - began
    shutil.copy(path, out / path.name)
    print(f"{name:28} {report['time']:9.4g} s in {wall:7.3f} s, energy error {report['energy_error']:.1e}", flush=True)
    return {"name": name, "file": path.name, "title": report["name"] or name, "text": sentence_of(appell, path),
            "time": report["time"], "wall": wall, "error": report["energy_error"], "status": report["status"],
            "warnings": len(report["warnings"])}


def run_paper(appell, out, name, title):
    page = out / f"paper-{name}.html"
    report = json.loads(call([appell, "paper", name, "--json", "--html", str(page)]))
    # a page of its own knows no gallery: here it gets the way back
    page.write_text(page.read_text(encoding="utf-8").replace(
        "<main>", '<main>\n<p><a href="index.html">&larr; Gallery</a></p>', 1), encoding="utf-8")
    count = {}
    for row in report["rows"]:
        count[row["verdict"]] = count.get(row["verdict"], 0) + 1
    print(f"paper {name:22} {count.get('reproduced', 0)} reproduced, "
          f"{count.get('not reproduced', 0)} published claims do not hold", flush=True)
    return {"name": name, "title": title, "count": count}


def seconds(x):
    return f"{x:.3g} s" if x >= 0.1 else f"{1000 * x:.2g} ms"


def picture_of(robot, link):
    if not robot or not robot["picture"]:
        return ""
    image = f'<img src="{html.escape(robot["picture"])}" alt="{html.escape(robot["title"])}" loading="lazy">'
    return f'<a class="picture" href="{link}">{image}</a>\n'


def link_of(robot, pages):
    return f"{html.escape(robot['name'])}.html?gallery" if pages else html.escape(robot["file"])


def robot_card(robot, papers, pages):
    links = [f'<a href="{link_of(robot, True)}">Replay</a>'] if pages else []
    links.append(f'<a href="{html.escape(robot["file"])}" type="text/plain">Model file</a>')
    paper = paper_of(robot, papers)
    if paper:
        links.append(f'<a href="paper-{html.escape(paper["name"])}.html">Paper</a>')
    state = "" if robot["status"] == "finished" else f'<p class="failed">{html.escape(robot["status"])}</p>'
    warned = f"<dt>warnings</dt><dd>{robot['warnings']}</dd>" if robot["warnings"] else ""
    return f"""<article class="card">
{picture_of(robot, link_of(robot, pages))}<div class="text">
<h3><a href="{link_of(robot, pages)}">{html.escape(robot["title"])}</a></h3>
<p>{html.escape(robot["text"])}</p>{state}
<dl><dt>simulated</dt><dd>{seconds(robot["time"])}</dd><dt>computed in</dt><dd>{seconds(robot["wall"])}</dd>
<dt>energy error</dt><dd>{robot["error"]:.1e}</dd>{warned}</dl>
<div class="links">{"".join(links)}</div>
</div>
</article>
"""


def badge(count, style, one, many):
    return f'<span class="badge {style}">{count} {one if count == 1 else many}</span>' if count else ""


def paper_card(paper, robots):
    """What a paper claims and does not hold is a finding of ours, not a failure."""
    count = paper["count"]
    badges = (badge(count.get("reproduced", 0), "yes", "result reproduced", "results reproduced")
              + badge(count.get("not reproduced", 0), "find", "finding: a published claim that does not hold",
                      "findings: published claims that do not hold")
              + badge(count.get("not published", 0), "", "further number", "further numbers"))
    page = f"paper-{html.escape(paper['name'])}.html"
    robot = next((r for r in robots if paper_of(r, [paper])), None)
    return f"""<article class="card">
{picture_of(robot, page)}<div class="text">
<h3><a href="{page}">{html.escape(paper["name"].capitalize())}</a></h3>
<p>{html.escape(paper["title"][:1].upper() + paper["title"][1:])}</p>
<div class="badges">{badges}</div>
</div></article>
"""


def sections(robots, papers, pages):
    """Robots under the titles of KINDS, each title with its cards."""
    by_name = {r["name"]: r for r in robots}
    kinds = {title: [by_name.pop(n) for n in names if n in by_name] for title, names in KINDS.items()}
    kinds["More"] = list(by_name.values())
    return "".join(f'<h2>{title}</h2>\n<div class="cards">\n{"".join(robot_card(r, papers, pages) for r in some)}</div>\n'
                   for title, some in kinds.items() if some)


def paper_sections(papers, published, pages):
    out = ""
    if papers:
        out = f"""<h2>Published papers, computed again</h2>
<p class="lead">Every number and claim of a paper beside what Appell computes now. Where a published claim does not hold, the page
of the paper says so and why.</p>
<div class="papers">
{"".join(paper_card(p, published) for p in papers)}</div>
"""
    if published:
        out += f"""<h2>Robots of the papers</h2>
<div class="cards">
{"".join(robot_card(r, papers, pages) for r in published)}</div>
"""
    return out


def write_page(out, version, papers, robots, pages, more):
    own = [r for r in robots if not r["name"].startswith("paper-")]
    published = [r for r in robots if r["name"].startswith("paper-")]
    text = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Appell {version}: gallery</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>Robots that walk, roll, bend, slither and close on themselves</h1>
<p class="lead">Every robot below is one model file, run by one engine. A picture opens a replay that you can turn, pause and plot. Each run
checks its energy: kinetic plus potential energy, less the work of motors, dampers and contacts, must stay constant. The energy error is how
far it did not, relative to the largest energy in play.</p>
{sections(own, papers, pages)}{paper_sections(papers, published, pages)}{more}<p class="foot">Written by tools/gallery.py of Appell {version}. \
Computing times are of this machine: the whole command, from reading the model to its files.</p>
</main>
</body>
</html>
"""
    part = out / "index.html.part"
    part.write_text(text, encoding="utf-8")
    os.replace(part, out / "index.html")


def main():
    parser = argparse.ArgumentParser(description="write a gallery of all shipped robots")
    parser.add_argument("--appell", default="build/release/bin/appell")
    parser.add_argument("--models", default="models", type=Path)
    parser.add_argument("--out", default="out", type=Path)
    parser.add_argument("--no-pages", action="store_true", help="this appell was built without its replay page")
    parser.add_argument("--no-papers", action="store_true")
    parser.add_argument("--only", nargs="*", help="names of models")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)

    models = sorted([*args.models.glob("*.yaml"), *args.models.glob("*.urdf")])
    if args.only:
        models = [m for m in models if m.stem in args.only]
    robots = [run_model(args.appell, args.out, m, not args.no_pages) for m in models]
    # pictures wait for a browser: several at once
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for robot, picture in zip(robots, pool.map(lambda r: draw(args.appell, args.out, r["name"]), robots)):
            robot["picture"] = picture
    listing = "" if args.no_papers else call([args.appell, "paper"])
    papers = [run_paper(args.appell, args.out, *line.split(None, 1)) for line in listing.splitlines()]
    version = re.search(r"\d[\w.]*", call([args.appell, "--version"])).group()
    c = args.out / "robots-in-c.html"
    more = f'<p><a href="{c.name}">Robots built in C</a>, without model files.</p>\n' if c.exists() else ""
    write_page(args.out, version, papers, robots, not args.no_pages, more)
    print(f"wrote {args.out}/index.html")


if __name__ == "__main__":
    main()
