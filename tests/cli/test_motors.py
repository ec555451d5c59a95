# SPDX-License-Identifier: Apache-2.0
"""A robot with motors: inputs and servos for the joints of a URDF, a floor to stand on, what info tells of it."""
import json
import math
import unittest
from pathlib import Path

from command import Case, appell, read_table

BODY = '<inertial><origin xyz="{x} 0 0"/><mass value="{m}"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'
ARM = f"""<robot name="arm">
  <link name="base">{BODY.format(x=0, m=1)}</link>
  <link name="upper">{BODY.format(x=0.5, m=2)}</link>
  <link name="fore">{BODY.format(x=0.25, m=1)}</link>
  <link name="finger">{BODY.format(x=0, m=0.1)}</link>
  <link name="free">{BODY.format(x=0, m=0.1)}</link>
  <joint name="j1" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="80" velocity="3"/></joint>
  <joint name="j2" type="revolute"><parent link="upper"/><child link="fore"/><origin xyz="1 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="20" velocity="3"/></joint>
  <joint name="j3" type="prismatic"><parent link="fore"/><child link="finger"/><origin xyz="0.5 0 0"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="0.1" effort="5" velocity="1"/></joint>
  <joint name="j4" type="continuous"><parent link="fore"/><child link="free"/><axis xyz="1 0 0"/></joint>
  MORE
</robot>
"""
CONTROL = """<ros2_control name="c" type="system"><hardware><plugin>x</plugin></hardware>
  <joint name="j1"><command_interface name="effort"><param name="min">-30</param><param name="max">30</param></command_interface>
    <state_interface name="position"><param name="initial_value">0.5</param></state_interface></joint>
  <joint name="j2"><command_interface name="position"/><state_interface name="position"><param name="initial_value">9</param>
    </state_interface></joint></ros2_control>
  <transmission name="t"><type>x</type><joint name="j3"><hardwareInterface>hardware_interface/VelocityJointInterface</hardwareInterface>
    </joint><actuator name="m"/></transmission>
  <transmission name="lost"><joint name="nobody"><hardwareInterface>EffortJointInterface</hardwareInterface></joint></transmission>"""

LEG = """<robot name="walker"><link name="trunk">{body}
    <collision><geometry><box size="0.4 0.2 0.1"/></geometry></collision></link>
  {legs}</robot>"""
ONE = """<link name="leg{k}">{body}<collision><origin xyz="0 0 -0.3"/><geometry><sphere radius="0.02"/></geometry></collision></link>
  <joint name="hip{k}" type="revolute"><parent link="trunk"/><child link="leg{k}"/><origin xyz="{x} {y} 0"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="30" velocity="10"/></joint>"""


def walker():
    legs = "".join(ONE.format(k=k, body=BODY.format(x=0, m=0.3), x=0.2 * (1 if k & 1 else -1), y=0.1 * (1 if k & 2 else -1)) for k in range(4))
    return LEG.format(body=BODY.format(x=0, m=5), legs=legs)


class Motors(Case):
    def setUp(self):
        super().setUp()
        Path("arm.urdf").write_text(ARM.replace("MORE", ""))
        Path("control.urdf").write_text(ARM.replace("MORE", CONTROL))
        Path("walker.urdf").write_text(walker())

    def info(self, *words):
        done = appell("info", *words, "--json")
        self.assertEqual(done.returncode, 0, done)
        return json.loads(done.stdout)

    def test_from_a_pipe(self):
        done = appell("check", "/dev/stdin", input=ARM.replace("MORE", ""))
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("good: links 5", done.stdout)

    def test_hold_of_joints_that_follow(self):
        """Closing the coupling moves the start: the servos hold where it is then, up to what the weight makes them sag."""
        mimic = ARM.replace("MORE", "").replace('<axis xyz="0 1 0"/>\n    <limit lower="-2" upper="2" effort="20"',
                                                '<axis xyz="0 1 0"/><mimic joint="j1" offset="0.4"/>\n    <limit lower="-2" upper="2" effort="20"')
        self.assertIn("mimic", mimic)
        Path("mimic.urdf").write_text(mimic)
        self.assertEqual(appell("run", "mimic.urdf", "--hold", "--to", "1", "--csv", "m.csv").returncode, 0)
        table = read_table("m.csv")
        for name in ("j1.angle", "j2.angle"):
            self.assertLess(abs(table[name][-1] - table[name][0]), 0.02, name)
        self.assertAlmostEqual(table["j2.angle"][0], table["j1.angle"][0] + 0.4, delta=1e-9)

    def test_set_changes_the_floor(self):
        done = appell("info", "walker.urdf", "--base", "floating", "--floor", "restitution", "--set", "grounds.floor.law={normal: hertz, stiffness: 1e6}",
                      "--settle")
        self.assertEqual(done.returncode, 0, done)
        self.assertRegex(done.stdout, "floor +hertz, friction coulomb-stiction")

    def test_effort(self):
        done = appell("check", "arm.urdf", "--actuators", "effort")
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(done.stderr.count("warning"), 1)
        self.assertIn("joints without an effort limit above zero get no motor: j4", done.stderr)
        d = self.info("arm.urdf", "--actuators", "effort")
        self.assertEqual(d["input_limits"], [{"name": "j1", "least": -80, "greatest": 80}, {"name": "j2", "least": -20, "greatest": 20},
                                             {"name": "j3", "least": -5, "greatest": 5}])
        self.assertEqual(self.info("arm.urdf")["inputs"], [])

    def test_hold(self):
        """Without motors the arm falls; with them it sags by what its stiffness gives: kp e = tau."""
        self.assertEqual(appell("run", "arm.urdf", "--to", 0.5, "--csv", "a.csv").returncode, 0)
        self.assertGreater(abs(read_table("a.csv")["j1.angle"][-1]), 0.5)
        self.assertEqual(appell("run", "arm.urdf", "--hold", "--to", 1, "--csv", "a.csv").returncode, 0)
        t = read_table("a.csv")
        # gravity: 2 kg at 0.5 m, 1 kg at 1.25 m, 0.1 kg at 1.5 m and at 1 m; inertia: m d^2 and 0.01 of each body
        moment = 9.81 * (2 * 0.5 + 1 * 1.25 + 0.1 * 1.5 + 0.1 * 1.0)
        inertia = 2 * 0.25 + 1.25 ** 2 + 0.1 * 1.5 ** 2 + 0.1 + 4 * 0.01
        self.assertAlmostEqual(t["j1.angle"][-1], moment / (1e4 * inertia), delta=1e-5)
        self.assertAlmostEqual(t["j1.angle.effort"][-1], -moment, delta=1e-2)
        # where the start is elsewhere it is held there
        done = appell("run", "arm.urdf", "--hold", "--set", "start={j1.angle: 1}", "--to", 1, "--csv", "a.csv")
        self.assertEqual(done.returncode, 0, done)
        self.assertAlmostEqual(read_table("a.csv")["j1.angle"][-1], 1.0, delta=3e-3)
        # the effort of the file bounds it
        Path("weak.urdf").write_text(ARM.replace("MORE", "").replace('effort="80"', 'effort="8"'))
        self.assertEqual(appell("run", "weak.urdf", "--hold", "--to", 0.5, "--csv", "a.csv").returncode, 0)
        self.assertLessEqual(max(map(abs, read_table("a.csv")["j1.angle.effort"])), 8 * (1 + 1e-12))

    def test_velocity(self):
        """A servo of the velocity creeps: kd v = tau."""
        done = appell("run", "arm.urdf", "--actuators", "velocity", "--to", 0.3, "--csv", "a.csv")
        self.assertEqual(done.returncode, 0, done)
        rate = read_table("a.csv")["j1.angle.rate"][-1]
        self.assertTrue(0.01 < rate < 0.1, rate)

    def runs(self, *words):
        """Without a mistake; j4 has no motor, which is told."""
        done = appell("run", *words)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(done.stderr.count("\n"), 1, done)

    def test_aims_are_inputs(self):
        """Position servos are commanded by inputs with the names of joints, within their stops; the sag is that of the stiffness."""
        limits = self.info("arm.urdf", "--hold")["input_limits"]
        self.assertEqual(limits[0], {"name": "j1", "least": -2, "greatest": 2})
        free = ("--set", "gravity=[0, 0, 0]", "--hold", "--to", 1.5, "--csv", "a.csv")
        ramp = "inputs.j1={smooth-ramp: {from: 0, to: 0.5 rad, start: 0, duration: 1 s}}"
        for integrator in ((), ("--integrator", "moreau", "--step", "1e-3")):
            self.runs("arm.urdf", *free, "--set", ramp, "--set", "inputs.j2=-0.4 rad", *integrator)
            t = read_table("a.csv")
            self.assertAlmostEqual(t["j1.angle"][-1], 0.5, delta=1e-3)
            self.assertAlmostEqual(t["j2.angle"][-1], -0.4, delta=1e-3)
            self.assertEqual(t["j2.input"][-1], -0.4)
        # beyond the stop an aim is cut, so that the stop is not touched
        self.runs("arm.urdf", *free, "--set", "inputs.j1=3 rad", "--set", "j1.servo.damping=300")
        t = read_table("a.csv")
        self.assertEqual(t["j1.input"][-1], 2)
        # a motion goes before, and the input shows it
        self.runs("arm.urdf", *free, "--set", "motion={j1.angle: 0.3 rad}")
        self.assertEqual(read_table("a.csv")["j1.input"][-1], 0.3)
        self.bad(1, "an input gives this aim a value, too: remove one", "check", "arm.urdf", "--hold", "--set", "motion={j1.angle: 0.3 rad}", "--set",
                 "inputs.j1=0.1")
        # rates of servos without stiffness: what their damping leaves is seen by no weight
        self.runs("arm.urdf", "--set", "gravity=[0, 0, 0]", "--actuators", "velocity", "--set", "inputs.j1=0.2 rad/s", "--to", 1, "--csv", "a.csv")
        t = read_table("a.csv")
        self.assertAlmostEqual(t["j1.angle.rate"][-1], 0.2, delta=1e-4)

    def test_aims_in_model_files(self):
        model = ("appell: 1\ngravity: [0, 0, 0]\nlinks:\n  - {name: a, joint: {type: revolute, axis: z, servo: {SERVO}}, body: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
                 "inputs: {INPUTS}\n")
        def write(servo, inputs):
            Path("m.yaml").write_text(model.replace("SERVO", servo).replace("INPUTS", inputs))
        write("stiffness: 400, damping: 40", "a.joint.angle.aim: 30 deg")
        self.good("run", "m.yaml", "--to", 2, "--csv", "a.csv")
        self.assertAlmostEqual(read_table("a.csv")["a.joint.angle"][-1], 0.5235987755982988, delta=1e-6)
        # e'' + 40 e' + 400 e = 0: the input matrix is kp / I
        d = json.loads(self.good("linearize", "m.yaml", "--json"))
        self.assertAlmostEqual(d["B"][1][0], 400, delta=1e-9)
        for servo, inputs, sentence in (("damping: 40", "a.joint.angle.aim: 1", "its servo has no stiffness"),
                                        ("stiffness: 4, damping: 40", "a.joint.angle.rate.aim: 1", "its servo has stiffness"),
                                        ("stiffness: 4", "x: {on: a.joint.angle.aim, gain: 2}", "an aim has no gain"),
                                        ("stiffness: 4", "a.joint.angle.aim: 1, y: {on: a.joint.angle.aim}", "another input is this aim already")):
            write(servo, inputs)
            self.bad(1, sentence, "check", "m.yaml")
        # a motion beyond the bound of the aim: the aim stays at the bound, and so does the joint; its rate does not push on
        write("stiffness: 100, damping: 50", "x: {on: a.joint.angle.aim, greatest: 0.1 rad}")
        with open("m.yaml", "a") as f:
            f.write("motion: {a.joint.angle: {ramp: {to: 1, duration: 1}}}\n")
        self.good("run", "m.yaml", "--to", 1, "--csv", "a.csv")
        self.assertLess(max(read_table("a.csv")["a.joint.angle"]), 0.11)  # it comes at 1 rad/s and stops within I/kd = 20 ms; 0.52 before

    def test_aims_of_a_gait(self):
        """Efforts of a gait do not depend on whether an aim is an input, too."""
        text = (Path(__file__).resolve().parents[2] / "models" / "worm-incline.yaml").read_text()
        Path("plain.yaml").write_text(text)
        Path("aimed.yaml").write_text(text + "inputs: {m8: {on: l8.joint.angle.aim}}\n")
        plain, aimed = appell("gait", "plain.yaml"), appell("gait", "aimed.yaml")
        self.assertIn("l8.joint.angle", plain.stdout)
        self.assertEqual(plain.stdout, aimed.stdout)

    def test_include_of_words(self):
        model = "appell: 1\nlinks: []\n"
        Path("m.yaml").write_text(model + "include: walker.urdf\n")
        self.bad(1, "m.yaml:3:10: include: expected {file: ..} or a list of these, got 'walker.urdf'", "check", "m.yaml")
        for floor in ("True", "0.6", "[1, 2]", ""):
            Path("m.yaml").write_text(model + "include: {file: walker.urdf, floor: FLOOR}\n".replace("FLOOR", floor or "''"))
            self.bad(1, "floor: expected true, false, a law such as restitution,0.6", "check", "m.yaml")
        Path("arm.yaml").write_text("appell: 1\nlinks:\n  - {name: a, joint: {type: revolute, axis: z}, body: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n")
        for key in ("hold: true", "floor: true", "base: fixed", "actuators: effort"):
            Path("m.yaml").write_text(model + "include: {file: arm.yaml, KEY}\n".replace("KEY", key))
            self.bad(1, f"only a URDF takes the key `{key.split(':')[0]}`", "check", "m.yaml")

    def test_control_blocks(self):
        done = appell("import", "control.urdf", "-o", "m.yaml")
        self.assertIn("translated: <ros2_control> 'c': interfaces, limits and initial values of 2 joints", done.stdout)
        self.assertIn("translated: <transmission> 't'", done.stdout)
        self.assertRegex(done.stdout, r"<joint> 'nobody' of <transmission>: there is no joint of this name")
        self.assertIn("the initial value 9 of joint 'j2' is outside its stops", done.stderr)
        d = self.info("control.urdf", "--actuators", "file")
        self.assertEqual(d["input_limits"][0], {"name": "j1", "least": -30, "greatest": 30})
        self.assertEqual([i["name"] for i in d["input_limits"]], ["j1", "j2", "j3"])
        self.assertEqual({c["name"]: c["start"] for c in d["coordinates"]}["j1.angle"], 0.5)
        text = appell("import", "control.urdf", "--actuators", "file", "-q").stdout
        servos = [line for line in text.splitlines() if "servo" in line]
        self.assertEqual(len(servos), 2)
        self.assertTrue("name: j2" in servos[0] and "stiffness" in servos[0] and "aim: start" in servos[0], servos)
        self.assertTrue("name: j3" in servos[1] and "stiffness" not in servos[1].split("servo")[1], servos)

    def test_include(self):
        Path("m.yaml").write_text("appell: 1\ninclude:\n  - {file: arm.urdf, as: a, actuators: effort}\n"
                                  "  - {file: arm.urdf, as: b, actuators: position, base: floating}\nlinks: []\n")
        d = self.info("m.yaml")
        self.assertEqual(d["inputs"], ["a_j1", "a_j2", "a_j3", "b_j1", "b_j2", "b_j3"])
        self.assertEqual({l["name"]: l["joint"] for l in d["links"] if l["name"].endswith("base")}, {"a_base": "fixed", "b_base": "floating"})
        self.assertEqual(appell("run", "m.yaml", "--to", 0.1).returncode, 0)
        Path("m.yaml").write_text("appell: 1\ninclude: {file: arm.urdf, as: a, actuators: steam}\nlinks: []\n")
        self.bad(1, "actuators", "check", "m.yaml")

    def test_include_says_more_than_options(self):
        """What an include says counts: motors, floor and start of each robot; the floor is one for all."""
        def model(*items, more=""):
            Path("m.yaml").write_text("appell: 1\ninclude:\n" + "".join(f"  - {i}\n" for i in items) + "links: []\n" + more)

        both = ("{file: walker.urdf, as: a, base: floating, hold: true, floor: 'restitution,0.6', settle: true}",
                "{file: walker.urdf, as: b, base: floating, hold: true, floor: true, settle: true}")
        model(*both, more="start: {b_trunk.joint.x: 2}\n")
        d = self.info("m.yaml")
        self.assertEqual(d["inputs"], [f"{r}_hip{k}" for r in "ab" for k in range(4)])
        text = self.good("info", "m.yaml")
        self.assertEqual(text.count("friction coulomb-stiction"), 1)
        self.good("run", "m.yaml", "--to", 0.3, "--csv", "a.csv")
        t = read_table("a.csv")
        for robot in "ab":
            self.assertAlmostEqual(t[f"{robot}_trunk.joint.z"][0], 0.32, delta=1e-9)
            self.assertAlmostEqual(sum(t[f"{robot}_leg{k}.foot1.floor.normal"][-1] for k in range(4)), 9.81 * 6.2, delta=0.5)
        # a floor of the file itself, here 1 m up, is taken
        model("{file: walker.urdf, as: a, base: floating, floor: true, settle: true}",
              more="grounds: {floor: {point: [0, 0, 1], law: {normal: restitution}}}\n")
        self.assertAlmostEqual({c["name"]: c["start"] for c in self.info("m.yaml")["coordinates"]}["a_trunk.joint.z"], 1.32, delta=1e-9)
        # a file with a floor of its own and a robot on it, included beside another robot: still one floor
        Path("inner.yaml").write_text(Path("m.yaml").read_text())
        model("{file: inner.yaml, as: c}", "{file: walker.urdf, as: b, base: floating, floor: true}", more="start: {settle: true}\n")
        text = appell("info", "m.yaml").stdout
        self.assertNotIn("c_floor", text)
        self.assertIn("c_a_leg0.foot1.floor", text)
        self.assertIn("b_leg0.foot1.floor", text)
        # a robot that is fixed cannot be put on a floor: the sentence knows the keys of include
        model("{file: walker.urdf, as: a, base: fixed, floor: true, settle: true}")
        self.bad(1, "m.yaml:3:5: start.settle: there is no floating base with contacts above a ground; a URDF needs --base floating and "
                 "--floor LAW, or `base: floating` and `floor: LAW` where it is included", "check", "m.yaml")
        # inputs of the same name are called inputs
        model("{file: walker.urdf, base: floating, actuators: effort}", "{file: arm.yaml}")
        Path("arm.yaml").write_text("appell: 1\nlinks:\n  - {name: a, joint: {type: revolute, axis: z}, body: {mass: 1, inertia: {xx: 1, yy: 1, "
                                    "zz: 1}}}\ninputs: {hip0: {on: a.joint.angle}}\n")
        self.bad(1, "give it a prefix with `as`: `inputs` would have two entries called hip0", "check", "m.yaml")
        model(both[0], both[0].replace("as: a", "as: b"))
        self.bad(1, "there is a ground `floor` already: `floor: true` uses it", "check", "m.yaml")
        # options are for robots whose include does not say otherwise
        model("{file: walker.urdf, as: a, base: floating}", "{file: walker.urdf, as: b, actuators: none, floor: false}")
        d = self.info("m.yaml", "--floor", "restitution,0.3", "--hold", "--settle")
        self.assertEqual(d["inputs"], [f"a_hip{k}" for k in range(4)])
        text = self.good("info", "m.yaml", "--floor", "restitution,0.3", "--hold", "--settle")
        self.assertEqual(text.count("friction coulomb-stiction"), 1)
        self.assertNotIn("a_floor", text)
        self.assertNotIn("b_leg0.foot", text)
        model("{file: walker.urdf, as: a, actuators: effort, hold: true}")
        self.bad(1, "`hold` needs servos of positions, not actuators: effort", "check", "m.yaml")

    def test_start_of_followers(self):
        """A leader starts where the interface says, and followers where it puts them; closing couplings moves neither."""
        follower = ARM.replace("MORE", CONTROL).replace('<axis xyz="0 1 0"/>\n    <limit lower="-2" upper="2" effort="20"',
                                                        '<axis xyz="0 1 0"/><mimic joint="j1" multiplier="-2" offset="0.4"/>\n    <limit lower="-2" upper="2" effort="20"')
        self.assertIn("mimic", follower)
        Path("f.urdf").write_text(follower)
        start = {c["name"]: c["start"] for c in self.info("f.urdf")["coordinates"]}
        self.assertEqual(start["j1.angle"], 0.5)
        self.assertAlmostEqual(start["j2.angle"], -0.6, delta=1e-12)

    def test_wrong_words(self):
        self.bad(2, "--actuators is effort, position, velocity or file, not 'steam'", "check", "arm.urdf", "--actuators", "steam")
        self.bad(2, "--hold needs servos of positions", "check", "arm.urdf", "--actuators", "effort", "--hold")
        Path("none.urdf").write_text(ARM.replace("MORE", "").replace("effort=", "force="))
        self.bad(1, "no joint has an effort limit above zero (j1, j2, j3, j4), so none gets a motor", "check", "none.urdf", "--hold")
        self.good("import", "arm.urdf", "-q", "-o", "m.yaml")
        self.bad(1, "are for a URDF, and this is a model file", "check", "m.yaml", "--hold")
        self.bad(1, "is for a URDF, and this is a model file", "check", "m.yaml", "--floor", "restitution")

    def test_floor(self):
        """A robot that stands: on its feet, 0.32 m below the trunk, which the sentence about a start in the ground names."""
        words = ("walker.urdf", "--base", "floating", "--floor", "restitution,0.6")
        done = appell("check", *words)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"start\.leg0\.foot1\.floor: starts 0\.32 m deep in the ground, .* \(and 7 other points\); "
                         r"trunk\.joint\.z = 0\.32\d* m clears it \(now 0 m\), and so does start\.settle \(--settle\)\n$")
        self.good("check", *words, "--set", "start={trunk.joint.z: 0.3201}")
        done = appell("run", *words, "--settle", "--hold", "--to", 1, "--csv", "a.csv")
        self.assertEqual(done.returncode, 0, done)
        t = read_table("a.csv")
        self.assertAlmostEqual(t["trunk.joint.z"][0], 0.32, delta=1e-9)
        self.assertAlmostEqual(t["trunk.joint.z"][-1], 0.32, delta=2e-3)
        weight = sum(t[f"leg{k}.foot1.floor.normal"][-1] for k in range(4))
        self.assertAlmostEqual(weight, 9.81 * 6.2, delta=0.05)

    def test_floor_tells_of_meshes(self):
        """Feet that are meshes go through the floor, which must not happen in silence."""
        Path("foot.stl").write_text("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n")
        text = walker()
        Path("meshed.urdf").write_text(text.replace('<link name="leg0">', '<link name="leg0"><collision><geometry><mesh filename="foot.stl"/></geometry></collision>', 1))
        done = appell("check", "meshed.urdf", "--base", "floating", "--floor", "restitution", "--settle")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("floor: collision meshes cannot touch it (of leg0): these links go through the floor", done.stderr)
        self.assertEqual(self.good("check", "meshed.urdf", "--base", "floating").count("warning"), 0)

    def test_floor_refusals(self):
        self.bad(1, "--settle, as start.settle=true", "check", "walker.urdf", "--settle")
        self.bad(1, "there is no 'rubber'", "check", "walker.urdf", "--base", "floating", "--floor", "rubber")
        self.bad(1, "no link has a collision shape that can touch it", "check", "arm.urdf", "--floor", "restitution")
        self.good("check", "walker.urdf", "--base", "floating", "--settle", "--floor", "{law: {normal: hertz, stiffness: 1e6}}")

    def test_info(self):
        d = self.info("walker.urdf")
        self.assertEqual(d["limits"][0], {"coordinate": "hip0.angle", "lower": -1, "upper": 1, "velocity": 10, "effort": 30})
        self.assertEqual(d["collision"][:2], [{"link": "trunk", "name": "", "type": "box", "size": [0.4, 0.2, 0.1]},
                                              {"link": "leg0", "name": "", "type": "sphere", "size": [0.02]}])
        text = self.good("info", "walker.urdf", "--actuators", "effort")
        self.assertRegex(text, r"limits +lower +upper +velocity +effort\n +hip0\.angle +-1 +1 +10 +30  rad, rad/s, N m\n")
        self.assertRegex(text, r"inputs +least +greatest\n +0  hip0 +-30 +30  N m\n")
        self.assertRegex(text, r"collision shapes .*\n +trunk +box +0\.4 x 0\.2 x 0\.1 m\n +leg0 +sphere +radius 0\.02 m\n")


if __name__ == "__main__":
    unittest.main()
