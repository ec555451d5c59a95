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

    def test_control_blocks(self):
        done = appell("import", "control.urdf", "-o", "m.yaml")
        self.assertIn("translated: <ros2_control> 'c': interfaces, limits and initial values of 2 joints", done.stdout)
        self.assertIn("translated: <transmission> 't'", done.stdout)
        self.assertRegex(done.stdout, r"<joint> 'nobody' of <transmission>: there is no joint of this name")
        self.assertIn("the initial value 9 of joint 'j2' is outside its stops", done.stderr)
        d = self.info("control.urdf", "--actuators", "file")
        self.assertEqual(d["input_limits"], [{"name": "j1", "least": -30, "greatest": 30}])
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
        self.assertEqual(d["inputs"], ["a_j1", "a_j2", "a_j3"])
        self.assertEqual({l["name"]: l["joint"] for l in d["links"] if l["name"].endswith("base")}, {"a_base": "fixed", "b_base": "floating"})
        self.assertEqual(appell("run", "m.yaml", "--to", 0.1).returncode, 0)
        Path("m.yaml").write_text("appell: 1\ninclude: {file: arm.urdf, as: a, actuators: steam}\nlinks: []\n")
        self.bad(1, "actuators", "check", "m.yaml")

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
        self.assertRegex(text, r"inputs +least +greatest\n +0  hip0 +-30 +30\n")
        self.assertRegex(text, r"collision shapes .*\n +trunk +box +0\.4 x 0\.2 x 0\.1 m\n +leg0 +sphere +radius 0\.02 m\n")


if __name__ == "__main__":
    unittest.main()
