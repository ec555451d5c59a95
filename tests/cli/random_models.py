# SPDX-License-Identifier: Apache-2.0
"""random_models.py APPELL [COUNT [SEED]] [--each]: robots that nobody would build, and what becomes of them.

Each model (random_robots.py) is run for 10 s of work at most, and falls into one class:

  finished    exit 0, ledger within its promise
  warned      exit 0, ledger above its promise, said so
  refused     exit 1 before the first step, with a sentence and its place in the file
  nowhere     refused without a place                             never
  failed      exit 1 on the way, with a sentence
  slow        still going after 10 s, has said what keeps it
  silent      still going after 10 s without a word               never
  crashed     a signal, an assertion, a wrong exit code           never
  wrong       numbers that are not finite, or exit 0 with an open ledger and no word; or two methods that
              disagree on a smooth motion                         never

Slow and silent ones are unfinished: at most 1 % of 1000 or more. With --each, models take all methods in turn
(the file's own choice otherwise), so that each method gets the same number of them.

The oracle: smooth models (no contact, no stop, no dry friction, no fixed steps) that finished are run again by another
method, each seed by its own, at another tolerance; their last rows must agree as well as the tolerances say, unless the
motion is chaotic on that time."""
import collections
import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from random_robots import METHODS, STEPPED, robot

PATIENCE = 10  # seconds
ALL = ["auto", "rkf45", *METHODS, *STEPPED]


def run(appell, path, *more):
    """The time is that of work, not of the clock: a busy machine changes no verdict."""
    words = [appell, "run", path, "--json", "-o", "r.h5", *more]
    with open("out", "w+") as out, open("err", "w+") as err:
        one = subprocess.Popen(words, stdout=out, stderr=err,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 2)))
        one.wait()
        code = None if one.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else one.returncode
        return subprocess.CompletedProcess(words, code, Path("out").read_text(), Path("err").read_text())


def last_row(appell):
    done = subprocess.run([appell, "export", "r.h5", "-o", "-"], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    names, row = lines[0].split(","), [float(x) for x in lines[-1].split(",")]
    return {n: x for n, x in zip(names, row) if not n.startswith("ledger.")}


def agree(appell, path, method):
    """Two methods, each at two tolerances. A motion that spreads small differences (chaos), or in which errors of a method
    add up, proves nothing: what a tolerance changes tells how much. None: the other method did not get there."""
    rows = [last_row(appell)]
    for words in (["--tolerance", "3e-9"], ["--integrator", method, "--tolerance", "1e-9"],
                  ["--integrator", method, "--tolerance", "1e-10"]):
        if run(appell, path, *words).returncode != 0:
            return None
        rows.append(last_row(appell))

    def apart(i, k):
        return max(abs(rows[i][n] - rows[k][n]) for n in rows[0])
    size = max([1.0] + [abs(x) for x in rows[0].values()])
    return apart(0, 3) <= 50 * max(apart(0, 1), apart(2, 3)) + 1e-5 * size


def verdict(appell, path, smooth, method, tally):
    done = run(appell, path)
    if done.returncode is None:
        return "slow" if done.stderr.strip() else "silent"
    if done.returncode == 1:
        if not done.stderr.strip():
            return "wrong"
        if done.stdout.strip():
            return "failed"
        return "refused" if re.search(r"^m\.yaml:\d+:\d+: ", done.stderr, re.MULTILINE) else "nowhere"
    if done.returncode != 0:
        return "crashed"
    said = json.loads(done.stdout)
    open_ledger = said["energy_error"] is None or not said["energy_error"] <= said["promise"]
    if not all(math.isfinite(x) for x in last_row(appell).values()):
        return "wrong"
    if open_ledger:
        return "warned" if any("energy error" in w for w in said["warnings"]) else "wrong"
    if smooth:
        same = agree(appell, path, method)
        tally["no second method" if same is None else "agree" if same else "disagree"] += 1
        if same is False:
            return "wrong"
    return "finished"


def by_method(one, smooth, method):
    """The model with another method; fixed steps are compared with nothing."""
    one["run"]["integrator"] = method
    if method in STEPPED:
        one["run"]["step"] = 1e-3
    else:
        one["run"].pop("step", None)
    return one, smooth and method not in STEPPED


def main():
    each = "--each" in sys.argv
    words = [word for word in sys.argv[1:] if word != "--each"]
    appell = Path(words[0]).resolve()
    count = int(words[1]) if len(words) > 1 else 40
    seed = int(words[2]) if len(words) > 2 else 15000
    tally, oracle, bad = collections.Counter(), collections.Counter(), []
    methods = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as home:
        os.chdir(home)
        for k in range(seed, seed + count):
            one, smooth = robot(k)
            if each:
                one, smooth = by_method(one, smooth, ALL[k % len(ALL)])
            # another one than the model's own
            others = [m for m in METHODS if m != one["run"].get("integrator")]
            Path("m.yaml").write_text(json.dumps(one))
            word = verdict(appell, "m.yaml", smooth, others[k % len(others)], oracle)
            tally[word] += 1
            methods[one["run"].get("integrator", "auto")][word] += 1
            if word in ("silent", "crashed", "wrong", "nowhere"):
                bad.append((k, word))
            if (k - seed) % 50 == 49:
                print(dict(tally), dict(oracle), bad, file=sys.stderr, flush=True)
        os.chdir("/")
    unfinished = tally["slow"] + tally["silent"]
    print(f"{count} models: " + ", ".join(f"{n} {word}" for word, n in tally.most_common()))
    print(f"unfinished in {PATIENCE} s of work: {unfinished} ({100 * unfinished / count:.2g} %)")
    for method in sorted(methods):
        print(f"  {method:14}" + ", ".join(f"{n} {word}" for word, n in methods[method].most_common()))
    print("two methods: " + ", ".join(f"{n} {word}" for word, n in oracle.most_common()))
    for k, word in bad:
        print(f"seed {k}: {word}")
    too_many = count >= 1000 and unfinished > count // 100
    return 1 if bad or too_many else 0


if __name__ == "__main__":
    sys.exit(main())
