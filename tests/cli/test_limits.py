# SPDX-License-Identifier: Apache-2.0
"""test_limits.py APPELL: memory of runs follows the contacts that touch, and has a limit that is told before it is taken;
contacts between shapes suffice for stacks and piles without a number of the user."""
import os
import sys
import tempfile
import unittest
from pathlib import Path

APPELL = Path(sys.argv.pop(1)).resolve()
METHODS = ("auto", "stiff", "dop853", "adams", "bdf", "rkf45", "rkf78", "rk4", "semi-implicit", "moreau")
FIXED = ("rk4", "semi-implicit", "moreau")
IDLE = 1000  # contacts
SANITIZED = "--sanitized" in sys.argv
if SANITIZED:
    sys.argv.remove("--sanitized")
# [KiB] for a run with these (1.0 GB before decision 084); the program alone takes about 12 MB. A sanitizer keeps memory
# that was freed, and a shadow of all memory
MOST = (600 if SANITIZED else 60) << 10

TAIL = """
grounds: {floor: {point: [0, 0, %g], law: {normal: hunt-crossley, stiffness: 1e5, restitution: 0.5}, friction: {law: coulomb, coefficient: 0.3, v0: 0.01}}}
contacts: [%s]
run: {to: 2e-3}
"""


def separate(n, floor):
    """n masses on vertical guides, a contact each, and a floor at a height."""
    links = [f"- {{name: l{i}, at: [{i}, 0, 0], joint: {{type: prismatic, axis: z}}, body: {{mass: 1}}, ports: {{p: {{at: [0, 0, 0]}}}}}}"
             for i in range(n)]
    return "appell: 1\nlinks:\n" + "\n".join(links) + TAIL % (floor, ", ".join(f"{{on: l{i}.p}}" for i in range(n)))


def plate(n, floor):
    """One body with n points."""
    ports = ", ".join(f"p{i}: {{at: [{0.01 * i}, 0, 0]}}" for i in range(n))
    return ("appell: 1\nlinks:\n- {name: l, joint: floating, body: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}, ports: {" + ports + "}}"
            + TAIL % (floor, ", ".join(f"{{on: l.p{i}}}" for i in range(n))))


LAW = "law: {normal: restitution, restitution: 0}, friction: {law: coulomb-stiction, coefficient: 0.5}"


def bodies(shape, places, more=""):
    """Bodies that float, of one shape, at these places; `more`: obstacles beside the floor."""
    links = [f"- {{name: b{i}, joint: floating, body: {{mass: 1, inertia: {{xx: 2e-3, yy: 2e-3, zz: 2e-3}}}}, shapes: [{shape}]}}"
             for i in range(len(places))]
    start = [f"b{i}.joint.{axis}: {value:.9g}" for i, place in enumerate(places) for axis, value in zip("xyz", place)]
    return ("appell: 1\nlinks:\n" + "\n".join(links) + "\nobstacles: {floor: {type: box, size: [10, 10, 1], at: [0, 0, -0.5]}" + more
            + "}\ncollide: [{" + LAW + "}]\nstart: {" + ", ".join(start) + "}\nrun: {to: 0.05}\n")


class Limits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_one(self, text, method, *more):
        """Exit code, largest resident memory [KiB] and the standard error of one run."""
        (self.folder / "m.yaml").write_text(text)
        words = [str(APPELL), "run", str(self.folder / "m.yaml"), "-q", "--integrator", method, *more]
        if method in FIXED:
            words += ["--step", "1e-3"]
        # wait4() tells the memory of this one process; getrusage(RUSAGE_CHILDREN) has the largest of all so far.
        # A forked child begins with the memory of this interpreter in its account, a spawned one does not.
        with open(self.folder / "err", "wb") as err:
            pid = os.posix_spawn(words[0], words, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, err.fileno(), 2)])
            _, status, used = os.wait4(pid, 0)
        return os.waitstatus_to_exitcode(status), used.ru_maxrss, (self.folder / "err").read_text()

    def test_idle_contacts(self):
        """Contacts above the floor take no matrices: 1.0 GB by auto and 4.1 GB by moreau before decision 084."""
        for method in METHODS:
            for name, model in (("separate", separate), ("plate", plate)):
                if (method, name) == ("bdf", "separate"):
                    continue  # its Jacobian is dense in the 2000 numbers of q and v of 1000 links
                with self.subTest(method=method, model=name):
                    code, memory, err = self.run_one(model(IDLE, -5), method)
                    self.assertEqual(code, 0, err)
                    self.assertLess(memory, MOST)

    def test_touching_contacts_have_a_limit(self):
        """6000 rows need more than 2 GB: refused with the estimate and the way out, before the memory is taken."""
        for method in ("stiff", "moreau"):
            with self.subTest(method=method):
                code, memory, err = self.run_one(separate(2000, 1e-4), method)
                self.assertEqual(code, 1)
                self.assertRegex(err, r"with the matrices of 6000 rows of .* the run needs [3-9]\.\d GB of memory, more than the limit of 2 GB: "
                                      r"set memory-limit \(`run` of the file, --memory-limit\) to [3-9]\.\d or more")
                self.assertLess(memory, MOST)

    def test_the_limit_is_raised(self):
        """The number of the sentence is enough; by the command and by the file."""
        text = separate(60, 1e-4)
        for method in ("stiff", "moreau", "bdf"):
            with self.subTest(method=method):
                code, _, err = self.run_one(text, method, "--memory-limit", "1e-4")
                self.assertEqual(code, 1)
                enough = err.split(" or more")[0].split()[-1]
                self.assertIn("more than the limit of 0.0001 GB", err)
                self.assertEqual(self.run_one(text, method, "--memory-limit", enough)[0], 0)
                self.assertEqual(self.run_one(text.replace("2e-3}", f"2e-3, memory-limit: {enough}}}"), method)[0], 0)
                self.assertEqual(self.run_one(text.replace("2e-3}", "2e-3, memory-limit: 1e-4}"), method)[0], 1)

    def test_stacks_and_piles(self):
        """Five boxes failed with "more than 18 contact points, increase `most`"; each model here needs more than 8 + 2 for each
        body, which was the number before decision 085."""
        stack = [(0, 0, 0.05 + 0.1 * i) for i in range(12)]
        # a pyramid of balls, each on three below it, 0.1 mm apart
        step = 0.1001
        balls = [(step * (i + 0.5 * j + 0.5 * k), step * 3 ** 0.5 * (j / 2 + k / 6), 0.05 + step * (2 / 3) ** 0.5 * k)
                 for k in range(4) for j in range(4 - k) for i in range(4 - k - j)]
        pins = "".join(f", p{i}{j}: {{type: sphere, radius: 0.02, at: [{0.05 * i:g}, {0.05 * j:g}, 0.1]}}" for i in range(6) for j in range(6))
        for name, text in (("5 boxes", bodies("{type: box, size: [0.1, 0.1, 0.1]}", stack[:5])),
                           ("12 boxes", bodies("{type: box, size: [0.1, 0.1, 0.1]}", stack)),
                           ("20 balls", bodies("{type: sphere, radius: 0.05}", balls)),
                           ("a plate on 36 pins", bodies("{type: box, size: [0.6, 0.6, 0.02]}", [(0.125, 0.125, 0.13)], pins))):
            with self.subTest(name):
                code, _, err = self.run_one(text, "moreau")
                self.assertEqual((code, err), (0, ""))

    def test_crowded_steps_are_refused(self):
        """36 balls reach a wall within one step of fixed length, more than there are contacts: none of them passes through."""
        places = [(0.06, 0.025 * j, 1 + 0.025 * k) for j in range(6) for k in range(6)]
        text = bodies("{type: sphere, radius: 0.01}", places, ", wall: {type: box, size: [0.02, 10, 10], at: [1.03, 0, 0]}")
        speeds = "".join(f", b{i}.joint.vx: 100" for i in range(len(places)))
        code, _, err = self.run_one(text.replace("}\nrun:", speeds + "}\nrun:"), "moreau")
        self.assertEqual(code, 1)
        self.assertRegex(err, "collide 'touch': more than [0-9]+ contact points are near at the same time")

    def test_auto_without_room_for_implicit_steps(self):
        """What auto tries beside its explicit steps may be refused memory: that does not end the run."""
        text = separate(6, -1e-4).replace("hunt-crossley, stiffness: 1e5, restitution: 0.5", "kelvin-voigt, stiffness: 1e6, damping: 1e4")
        text = text.replace("2e-3}", "1}")
        for method in ("dop853", "auto"):
            with self.subTest(method=method):
                code, _, err = self.run_one(text, method, "--memory-limit", "1e-6")
                self.assertEqual(code, 0, err)

    def test_bad_limits(self):
        code, _, err = self.run_one(separate(1, -5).replace("2e-3}", "2e-3, memory-limit: 0}"), "auto")
        self.assertEqual(code, 1)
        self.assertIn("memory-limit: must be positive, got 0", err)
        self.assertEqual(self.run_one(separate(1, -5), "auto", "--memory-limit", "-1")[0], 2)


if __name__ == "__main__":
    unittest.main()
