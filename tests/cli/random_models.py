"""random_models.py APPELL [COUNT [SEED]]: robots that nobody would build, and what becomes of them.

Each model is a tree of random joints and bodies, some with springs, stops, contacts, inputs or a stiff body. It is
run for 10 s of work at most, and falls into one class:

  finished    exit 0, ledger within its promise
  warned      exit 0, ledger above its promise, said so
  refused     exit 1 before the first step, with a sentence
  failed      exit 1 on the way, with a sentence
  slow        has said what keeps it, and goes on
  silent      still going after 10 s without a word               at most 1 %
  crashed     a signal, an assertion, a wrong exit code           never
  wrong       numbers that are not finite, or exit 0 with an open ledger and no word; or two methods that
              disagree on a smooth motion                         never

The oracle: smooth models (no contact, no stop, no dry friction) that finished are run again with dop853 at another
tolerance; their last rows must agree as well as the tolerances say, unless the motion is chaotic on that time."""
import collections
import json
import math
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

JOINTS = ["revolute", "prismatic", "helical", "cylindrical", "universal", "spherical", "planar", "floating", "fixed"]
PATIENCE = 10  # seconds


def inertia(dice):
    """Principal moments of a box: every one of them is possible."""
    m = 10 ** dice.uniform(-2, 1)
    a, b, c = (dice.uniform(0.05, 0.5) for _ in range(3))
    return {"mass": m, "com": [round(dice.uniform(-0.3, 0.3), 3) for _ in range(3)],
            "inertia": {"xx": m * (b * b + c * c) / 12, "yy": m * (a * a + c * c) / 12, "zz": m * (a * a + b * b) / 12}}


def body(dice):
    kind = dice.random()
    if kind < 0.75:
        return inertia(dice), True
    common = {"length": dice.uniform(0.1, 0.8), "density": 10 ** dice.uniform(2.8, 3.9),
              "young-modulus": 10 ** dice.uniform(6, 10), "kelvin-voigt-time": 10 ** dice.uniform(-4, -2)}
    if kind < 0.9:
        return {"type": "arc", "elements": dice.randint(1, 3), "strains": ["bend-x", "bend-y"],
                "diameter": dice.uniform(0.005, 0.03), **common}, True
    return {"type": "beam", "directions": ["bend-x"], "modes": dice.randint(1, 2), "width": dice.uniform(0.01, 0.03),
            "height": dice.uniform(0.005, 0.02), **common}, True


def joint(dice):
    kind = dice.choice(JOINTS)
    j = {"type": kind}
    smooth = True
    if kind in ("revolute", "prismatic", "helical", "cylindrical"):
        j["axis"] = dice.choice(["x", "y", "z", [1, 1, 0]])
    if kind == "helical":
        j["pitch"] = dice.uniform(0.01, 0.2)
    if kind in ("revolute", "prismatic"):
        if dice.random() < 0.4:
            j["damping"] = 10 ** dice.uniform(-2, 1)
        if dice.random() < 0.3:
            j["stiffness"] = 10 ** dice.uniform(0, 6)
        if dice.random() < 0.1:
            j["friction"] = 10 ** dice.uniform(-2, 0)
            smooth = False
    return j, smooth


def model(seed):
    """The model, and whether its motion is smooth."""
    dice = random.Random(seed)
    links, smooth = [], True
    for k in range(dice.randint(1, 5)):
        j, plain = joint(dice)
        b, _ = body(dice)
        smooth = smooth and plain
        link = {"name": f"l{k}", "joint": j, "body": b}
        if b.get("type") is None:
            link["ports"] = {"p": {"at": [round(dice.uniform(-0.5, 0.5), 3) for _ in range(3)]}}
        if k > 0:
            on = dice.randrange(k)
            link["on"] = f"l{on}.p" if "ports" in links[on] and dice.random() < 0.7 else f"l{on}"
        links.append(link)
    robot = {"appell": 1, "name": f"random {seed}", "links": links,
             "run": {"to": round(dice.uniform(0.2, 2), 2), "output-every": 0.05, "tolerance": 1e-8}}
    ported = [link["name"] for link in links if "ports" in link]
    if ported and dice.random() < 0.25:
        smooth = False
        law = dice.choice([{"normal": "restitution", "restitution": round(dice.uniform(0, 1), 2)},
                           {"normal": "hunt-crossley", "stiffness": 10 ** dice.uniform(4, 8), "restitution": 0.5}])
        robot["grounds"] = {"floor": {"law": law, "point": [0, 0, -round(dice.uniform(0.6, 2), 2)]}}
        robot["contacts"] = [{"on": f"{dice.choice(ported)}.p", "with": "floor"}]
    if dice.random() < 0.3:
        robot["gravity"] = [0, 0, 0]
    return robot, smooth


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


def agree(appell, path):
    """Two methods, two tolerances. A motion that spreads small differences (chaos) proves nothing: rkf45 at a slightly
    other tolerance tells how much it does."""
    first = last_row(appell)
    rows = [first]
    for words in (["--tolerance", "3e-9"], ["--integrator", "dop853", "--tolerance", "1e-9"]):
        if run(appell, path, *words).returncode != 0:
            return True
        rows.append(last_row(appell))
    size = max([1.0] + [abs(x) for x in first.values()])
    spread = max(abs(rows[1][n] - first[n]) for n in first)
    return max(abs(rows[2][n] - first[n]) for n in first) <= 50 * spread + 1e-5 * size


def verdict(appell, path, smooth):
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
        return "warned" if any("ledger" in w for w in said["warnings"]) else "wrong"
    if smooth and not agree(appell, path):
        return "wrong"
    return "finished"


def main():
    appell = Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 15000
    tally, bad = collections.Counter(), []
    with tempfile.TemporaryDirectory() as home:
        os.chdir(home)
        for k in range(seed, seed + count):
            robot, smooth = model(k)
            Path("m.yaml").write_text(json.dumps(robot))
            word = verdict(appell, "m.yaml", smooth)
            tally[word] += 1
            if word in ("silent", "crashed", "wrong"):
                bad.append((k, word))
            if (k - seed) % 50 == 49:
                print(dict(tally), bad, file=sys.stderr, flush=True)
        os.chdir("/")
    print(f"{count} models: " + ", ".join(f"{n} {word}" for word, n in tally.most_common()))
    for k, word in bad:
        print(f"seed {k}: {word}")
    return 1 if tally["crashed"] + tally["wrong"] > 0 or tally["silent"] > count // 100 else 0


if __name__ == "__main__":
    sys.exit(main())
