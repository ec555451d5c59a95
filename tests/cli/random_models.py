"""random_models.py APPELL [COUNT [SEED]]: robots that nobody would build, and what becomes of them.

Each model (random_robots.py) is run for 10 s of work at most, and falls into one class:

  finished    exit 0, ledger within its promise
  warned      exit 0, ledger above its promise, said so
  refused     exit 1 before the first step, with a sentence
  failed      exit 1 on the way, with a sentence
  slow        has said what keeps it, and goes on
  silent      still going after 10 s without a word               at most 1 %
  crashed     a signal, an assertion, a wrong exit code           never
  wrong       numbers that are not finite, or exit 0 with an open ledger and no word; or two methods that
              disagree on a smooth motion                         never

The oracle: smooth models (no contact, no stop, no dry friction, no fixed steps) that finished are run again by another
method, each seed by its own, at another tolerance; their last rows must agree as well as the tolerances say, unless the
motion is chaotic on that time."""
import collections
import json
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from random_robots import METHODS, robot

PATIENCE = 10  # seconds


def run(appell, path, *more):
    """The time is that of work, not of the clock: a busy machine changes no verdict. What has said why it takes long
    need not be waited for."""
    words = [appell, "run", path, "--json", "-o", "r.h5", *more]
    with open("out", "w+") as out, open("err", "w+") as err:
        one = subprocess.Popen(words, stdout=out, stderr=err,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 2)))
        while one.poll() is None:
            if "keeps them short" in Path("err").read_text():
                one.kill()
            try:
                one.wait(0.05)
            except subprocess.TimeoutExpired:
                pass
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
        return "failed" if done.stdout.strip() else "refused"
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


def main():
    appell = Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 15000
    tally, oracle, bad = collections.Counter(), collections.Counter(), []
    with tempfile.TemporaryDirectory() as home:
        os.chdir(home)
        for k in range(seed, seed + count):
            one, smooth = robot(k)
            # another one than the model's own
            others = [m for m in METHODS if m != one["run"].get("integrator")]
            Path("m.yaml").write_text(json.dumps(one))
            word = verdict(appell, "m.yaml", smooth, others[k % len(others)], oracle)
            tally[word] += 1
            if word in ("silent", "crashed", "wrong"):
                bad.append((k, word))
            if (k - seed) % 50 == 49:
                print(dict(tally), dict(oracle), bad, file=sys.stderr, flush=True)
        os.chdir("/")
    print(f"{count} models: " + ", ".join(f"{n} {word}" for word, n in tally.most_common()))
    print("two methods: " + ", ".join(f"{n} {word}" for word, n in oracle.most_common()))
    for k, word in bad:
        print(f"seed {k}: {word}")
    return 1 if tally["crashed"] + tally["wrong"] > 0 or tally["silent"] > count // 100 else 0


if __name__ == "__main__":
    sys.exit(main())
