# SPDX-License-Identifier: Apache-2.0
"""A joint of your own in C: adds the files of own-joint/ to a copy of the sources, builds it, and compares its motion with theory.

usage: own-joint.py [FOLDER]     FOLDER: where the copy goes and stays; a temporary one is removed at the end
"""
import csv
import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def do(*words, **more):
    """Run a command in the copy and return what it prints; its errors end the script."""
    done = subprocess.run([str(w) for w in words], cwd=COPY, capture_output=True, text=True, timeout=600, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def build_joint():
    # 1. A copy of the sources, with the new file and the lines in three lists.
    (COPY / "docs").mkdir(parents=True)
    for part in ("CMakeLists.txt", "cmake", "include", "src", "cli", "papers", "models", "examples", "tests", "docs/theory"):
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, COPY / part)
        else:
            shutil.copy(ROOT / part, COPY / part)
    shutil.copy(HERE / "own-joint/trammel.c", COPY / "src/element/trammel.c")
    shutil.copy(HERE / "own-joint/trammel.yaml", COPY / "models/trammel.yaml")
    changes = ["patch", "-p1", "-i"] if shutil.which("patch") else ["git", "apply"]
    do(*changes, HERE / "own-joint/lists.diff", env={**os.environ, "GIT_CEILING_DIRECTORIES": str(COPY.parent)})

    # 2. The command and the conformance test of joints, without optimisation: half a minute on two cores.
    do("cmake", "-G", "Ninja", "-B", "build", "-DCMAKE_BUILD_TYPE=None", "-DAPPELL_TESTS=ON", "-DAPPELL_PYTHON=OFF",
       "-DAPPELL_HIDE=npm;chromium;gnuplot;ffmpeg;libmicrohttpd")
    do("cmake", "--build", "build", "--parallel", "2", "--target", "appell_command", "test_joints")
    tested = do("sh", "-c", "build/bin/test_joints 2>&1")
    assert "[       OK ] trammel" in tested
    print("trammel: the conformance test of joints passes")


def rows(*options):
    """Columns of a run of the model, by name."""
    text = do("build/bin/appell", "run", "models/trammel.yaml", "-q", "--csv", "-", *options)
    lines = list(csv.DictReader(text.splitlines()))
    return {name: [float(line[name]) for line in lines] for name in lines[0]}


# 3. The model's numbers, and what theory says about them.
m, I, b, g = 1.2, 0.1, 0.5, 9.81
start = math.radians(150)


def period():
    """With the centre of mass halfway between the pins, (I + m b^2) q'' = m g b cos q: a pendulum about q = 90 deg,
    60 deg from rest. Its period is 2 pi / (w M), M the arithmetic-geometric mean of 1 and cos 30 deg."""
    x, y = 1.0, math.cos(math.radians(60) / 2)
    for _ in range(8):
        x, y = (x + y) / 2, math.sqrt(x * y)
    return 2 * math.pi / (math.sqrt(m * g * b / (I + m * b * b)) * x)


def lagrange(d, times):
    """q(t) with the centre of mass d away from the middle, at ((b + d) cos q, (d - b) sin q). By Lagrange, with
    J(q) = I + m ((b + d)^2 sin^2 q + (b - d)^2 cos^2 q):   J q'' = m g (b - d) cos q - 1/2 J' q'^2.
    Fourth-order steps of Runge and Kutta, 200 per row of the run."""
    def rate(q, v):
        s, c = math.sin(q), math.cos(q)
        J = I + m * ((b + d) ** 2 * s * s + (b - d) ** 2 * c * c)
        slope = 2 * m * s * c * ((b + d) ** 2 - (b - d) ** 2)
        return v, (m * g * (b - d) * c - slope * v * v / 2) / J

    q, v, out = start, 0.0, [start]
    for t0, t1 in zip(times, times[1:]):
        h = (t1 - t0) / 200
        for _ in range(200):
            a1, f1 = rate(q, v)
            a2, f2 = rate(q + h / 2 * a1, v + h / 2 * f1)
            a3, f3 = rate(q + h / 2 * a2, v + h / 2 * f2)
            a4, f4 = rate(q + h * a3, v + h * f3)
            q, v = q + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), v + h / 6 * (f1 + 2 * f2 + 2 * f3 + f4)
        out.append(q)
    return out


def compare():
    # 4. After one period the rod is where it began, and it stands still.
    end = rows("--to", repr(period()))
    back = max(abs(end["rod.joint.angle"][-1] - start), abs(end["rod.joint.angle.rate"][-1]))
    print(f"trammel: after a period of {period():.6f} s it is back within {back:.1e}")
    assert back < 1e-8

    # 5. With the centre of mass aside, S depends on q and its derivative matters.
    run = rows("--set", "rod.body.com=[0.1, 0, 0]", "--record", "rod.pen")
    miss = max(abs(x - y) for x, y in zip(run["rod.joint.angle"], lagrange(0.1, run["time"])))
    print(f"trammel: over 2 s it differs from Lagrange's equation by {miss:.1e} rad")
    assert len(run["time"]) == 101 and miss < 1e-8

    # 6. A point 20 cm from the middle draws an ellipse with the half axes b + 20 cm and b - 20 cm.
    ellipse = max(abs((x / (b + 0.2)) ** 2 + (z / (b - 0.2)) ** 2 - 1)
                  for x, z in zip(run["rod.pen.position.x"], run["rod.pen.position.z"]))
    print(f"trammel: the pen is on its ellipse within {ellipse:.1e}")
    assert ellipse < 1e-12

    # 7. Wrong numbers are refused with a sentence.
    wrong = do("sh", "-c", "! build/bin/appell check models/trammel.yaml --set rod.joint.distance='0 m' 2>&1")
    print(wrong.strip())
    assert "distance must be positive, got 0 m" in wrong


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        COPY = Path(sys.argv[1] if len(sys.argv) > 1 else temporary).resolve()
        build_joint()
        compare()
