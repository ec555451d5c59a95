# SPDX-License-Identifier: Apache-2.0
"""Meshes of a first robot: found by relative paths and in the usual layout, told in one line when they are not, in the colours of
their files. Every robot and mesh is written here."""
import base64
import json
import os
import re
import struct
import unittest
from pathlib import Path

from command import Case, appell

TRIANGLE = ((0, 0, 0), (0.1, 0, 0), (0, 0.1, 0))

LINK = """  <link name="{name}">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="{file}"/></geometry>{more}</visual>
  </link>
"""
JOINT = """  <joint name="j{k}" type="revolute"><parent link="l{a}"/><child link="l{k}"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="5" velocity="1"/></joint>
"""


def robot(files, more="", top=""):
    links = "".join(LINK.format(name=f"l{k}", file=f, more=more) for k, f in enumerate(files))
    joints = "".join(JOINT.format(k=k, a=k - 1) for k in range(1, len(files)))
    return f'<robot name="r">\n{top}{links}{joints}</robot>\n'


def stl(word=0, head=b""):
    return head.ljust(80) + struct.pack("<I", 1) + struct.pack("<12fH", 0, 0, 0, *sum(TRIANGLE, ()), word)


DAE = """<COLLADA><asset><contributor><authoring_tool>VCGLib | MeshLab</authoring_tool></contributor><unit meter="1"/>
<up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="e1"><profile_COMMON><technique><phong><diffuse><color>1 0 0 1</color></diffuse></phong></technique>
</profile_COMMON></effect><effect id="e2"><profile_COMMON><technique><lambert><diffuse><texture texture="t"/></diffuse></lambert>
</technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m1"><instance_effect url="#e1"/></material><material id="m2"><instance_effect url="#e2"/>
</material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array>0 0 0 1 0 0 0 1 0 0 0 1</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles material="red"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
<triangles material="picture"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 3</p></triangles></mesh></geometry>
</library_geometries>
<library_visual_scenes><visual_scene><node><rotate>0 0 1 90</rotate><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="red" target="#m1"/><instance_material symbol="picture" target="#m2"/></technique_common></bind_material>
</instance_geometry></node></visual_scene></library_visual_scenes></COLLADA>
"""


class MeshCase(Case):
    """What tests of meshes and of their images share."""

    def put(self, path, content):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(content if isinstance(content, bytes) else content.encode())

    def picture(self, model, *words, said=""):
        """The data of the page of a short run, which must go without a word, or with one line that has `said`."""
        done = appell("run", model, "--to", 0.01, "--html", "page.html", "-q", *words)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (0, bool(said)), done)
        self.assertRegex(done.stderr, said or "^$")
        return self.data_of("page.html")

    def data_of(self, path):
        page = Path(path).read_text(encoding="utf-8")
        return json.loads(re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.S).group(1))

    def picture_of(self, text, **more):
        self.put("r.urdf", text)
        return self.picture("r.urdf", **more)

    def drawn(self, model, *words):
        return sum(s["type"] == "mesh" for s in self.picture(model, *words)["shapes"])


class Meshes(MeshCase):
    def test_relative_paths(self):
        """A package that is found by its package.xml, by its name, or by the rest of the name; from above, from beside, by name."""
        for folder, extra in (("any/pkg/robots/arm", "any/pkg/package.xml"), ("any/erd/robots/arm", None), ("copy/arm", None)):
            self.put(f"{folder}/urdf/arm.urdf", robot(["package://erd/robots/arm/meshes/a.stl", "package:///erd/robots/arm/meshes/b/c.stl"]))
            self.put(f"{folder}/meshes/a.stl", stl())
            self.put(f"{folder}/meshes/b/c.stl", stl())
            if extra:
                self.put(extra, "<package/>")
            self.assertIn("good", self.good("check", f"{folder}/urdf/arm.urdf"))
            self.assertEqual(self.drawn(f"{folder}/urdf/arm.urdf"), 2)
            self.assertEqual(self.drawn(f"{folder}/urdf/arm.urdf", "--set", "l0.body.mass=2"), 2)
            here = os.getcwd()
            os.chdir(f"{folder}/urdf")
            self.assertEqual(self.drawn("arm.urdf"), 2)
            self.assertEqual(self.drawn("../urdf/arm.urdf", "--package-path", "."), 2)
            os.chdir(here)
            self.put("whole.yaml", f"appell: 1\ninclude: {{file: {folder}/urdf/arm.urdf, as: arm}}\nlinks: []\n")
            self.assertEqual(self.drawn("whole.yaml"), 2)

    def test_names_without_packages(self):
        self.put("r/urdf/r.urdf", robot(["../meshes/a.stl", "meshes/a.stl", "own.stl", "model://r/meshes/a.stl"]))
        self.put("r/meshes/a.stl", stl())
        self.put("r/urdf/own.stl", stl())
        self.assertEqual(self.drawn("r/urdf/r.urdf"), 4)

    def test_package_path(self):
        self.put("here/r.urdf", robot(["package://far/a.stl"]))
        self.put("other/far/a.stl", stl())
        self.assertEqual(self.drawn("here/r.urdf", "--package-path", "other"), 1)
        self.assertEqual(self.drawn("here/r.urdf", "--package-path", "other/far"), 1)
        self.assertEqual(self.drawn("here/r.urdf", "--package-path", Path("other").resolve()), 1)

    def test_one_line_for_each_reason(self):
        self.put("r/r.urdf", robot([f"package://lost/meshes/a_name_that_goes_on_and_on_{'x' * 150}_{k}.stl" for k in range(20)]
                                   + [f"gone{k}.stl" for k in range(20)] + ["../out/a.stl"] * 3))
        self.put("out/a.stl", stl())
        done = appell("check", "r/r.urdf")
        self.assertEqual(done.returncode, 0, done)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 3, done.stderr)
        self.assertRegex(lines[0], r"20 meshes, the first '\.\.x+_0\.stl' of link 'l0', do not exist in package 'lost' .*"
                         r"--package-path or ROS_PACKAGE_PATH; the links are drawn without them$")
        self.assertRegex(lines[1], r"20 meshes, the first 'gone0\.stl' of link 'l20', do not exist; the links are drawn without them$")
        self.assertRegex(lines[2], rf"3 meshes, the first '\.\./out/a\.stl' .*--allow-files {re.escape(str(Path('out').resolve()))}$")
        # the flag that the sentence names helps
        self.assertEqual(len(appell("check", "r/r.urdf", "--allow-files", "out").stderr.splitlines()), 2)

    def test_beside_is_not_everywhere(self):
        """meshes/ beside urdf/ may be read, other folders beside it may not, nor meshes/ beside a folder of another name."""
        self.put("r/urdf/r.urdf", robot(["../secret/a.stl"]))
        self.put("r/secret/a.stl", stl())
        self.assertIn("outside of the folder", appell("check", "r/urdf/r.urdf").stderr)
        self.put("r/plain/r.urdf", robot(["../meshes/a.stl"]))
        self.put("r/meshes/a.stl", stl())
        self.assertIn("outside of the folder", appell("check", "r/plain/r.urdf").stderr)

    def test_import_names_meshes_from_the_new_file(self):
        self.put("r/urdf/r.urdf", robot(["package://p/meshes/a.stl"]))
        self.put("r/meshes/a.stl", stl())
        self.good("import", "r/urdf/r.urdf", "-q", "-o", "m.yaml")
        self.assertIn("file: r/meshes/a.stl", Path("m.yaml").read_text())
        self.assertEqual(self.drawn("m.yaml"), 1)
        done = appell("import", "r/urdf/r.urdf", "-q")
        self.assertIn("file: r/meshes/a.stl", done.stdout)

    def test_colours(self):
        """Of the mesh, where it has some; of the URDF for the rest; else one for the whole robot."""
        self.put("p.dae", DAE)
        self.put("q.obj", "mtllib q.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl blue one\nf 1 2 3\n")
        self.put("q.mtl", "newmtl other\nKd 1 1 1\nnewmtl blue one\nKd 0 0 1\nnewmtl last\nKd 1 0 0\n")
        self.put("viscam.stl", stl(0x8000 | 31 << 5))
        self.put("magics.stl", stl(31 << 5, b"COLOR=\xff\xff\xff\xff"))
        self.put("plain.stl", stl(0, b"COLOR=\xff\xff\xff\xff"))
        files = ["p.dae", "q.obj", "viscam.stl", "magics.stl", "plain.stl", "plain.stl"]
        d = self.picture_of(robot(files))
        self.assertEqual([m["paints"] for m in d["meshes"]],
                         [[[1, "#ff0000"], [1, None]], [[1, "#0000ff"]], [[1, "#00ff00"]], [[1, "#00ff00"]], None])
        self.assertEqual(len({s["colour"] for s in d["shapes"]}), 1)
        d = self.picture_of(robot(files, '<material name="m"/>', '<material name="m"><color rgba="0.5 0 1 1"/></material>\n'))
        self.assertEqual({s["colour"] for s in d["shapes"]}, {"#8000ff"})
        # rotated by 90 degrees about z: x goes to y; MeshLab says that y is up and does not mean it
        self.assertEqual(self.points_of(d), [(-1, 0, 0), (0, 0, 0), (0, 0, 1), (0, 1, 0)])
        self.put("p.dae", DAE.replace("VCGLib | MeshLab", "Blender"))
        self.assertEqual(self.points_of(self.picture_of(robot(files))), [(-1, 0, 0), (0, -1, 0), (0, 0, 0), (0, 0, 1)])

    def points_of(self, d):
        points = struct.unpack("<12f", base64.b64decode(d["meshes"][0]["points"]))
        return sorted(tuple(round(x, 6) + 0.0 for x in points[i:i + 3]) for i in range(0, 12, 3))

    def test_materials_do_not_leave_their_folder(self):
        self.put("r/q.obj", "mtllib ../q.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n")
        self.put("q.mtl", "newmtl a\nKd 0 0 1\n")
        self.put("r/r.urdf", robot(["q.obj"]))
        self.assertEqual(self.picture("r/r.urdf")["meshes"][0]["paints"], None)

    def test_materials_follow_the_rules_of_meshes(self):
        """A link to a file elsewhere is not read, a pipe is not opened: the run would wait for it for ever."""
        self.put("r/q.obj", "mtllib q.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n")
        self.put("secret/q.mtl", "newmtl a\nKd 0 0 1\n")
        self.put("r/r.urdf", robot(["q.obj"]))
        os.symlink(Path("secret/q.mtl").resolve(), "r/q.mtl")
        self.assertEqual(self.picture("r/r.urdf")["meshes"][0]["paints"], None)
        self.assertEqual(self.picture("r/r.urdf", "--allow-files", "secret")["meshes"][0]["paints"], [[1, "#0000ff"]])
        Path("r/q.mtl").unlink()
        os.mkfifo("r/q.mtl")
        self.assertEqual(self.picture("r/r.urdf")["meshes"][0]["paints"], None)

    def test_addresses_of_files(self):
        """file:///path and file:/path are the same file."""
        self.put("r/a.stl", stl())
        place = Path("r/a.stl").resolve()
        for address in (f"file://{place}", f"file:{place}"):
            self.put("r/r.urdf", robot([address]))
            self.assertEqual(self.drawn("r/r.urdf"), 1)
            self.put("m.yaml", "appell: 1\nlinks: []\ninclude: {file: r/r.urdf, as: x}\n")
            self.assertEqual(self.drawn("m.yaml"), 1)

    def test_import_to_a_path_that_is_too_long(self):
        self.put("a.stl", stl())
        self.put("r.urdf", robot(["a.stl"]))
        done = appell("import", "r.urdf", "-q", "-o", "./" * 4000 + "m.yaml")
        self.assertEqual(done.returncode, 1)
        self.assertIn("paths of meshes cannot be written", done.stderr)

    def test_meshes_as_large_as_numbers(self):
        """Differences of floats near 1e38 are infinite, and cells of a grid of them no numbers: such meshes are left out."""
        for size in ("3e38", "1e300", "-1e38"):
            self.put("a.obj", f"v {size} 0 0\nv 1 0 0\nv 0 {size} 0\nf 1 2 3\n")
            self.put("r.urdf", robot(["a.obj"]))
            self.assertNotIn("meshes", self.picture("r.urdf", said=r"mesh 'a\.obj' of link 'l0' is not drawn: it has points more than 1e18 m"))

    def test_frames_are_not_drawn(self):
        """Links without a picture, in a robot that has meshes, are sensors and frames; `shapes: []` says so in a model file."""
        self.put("a.stl", stl())
        frame = ('<link name="camera"><inertial><mass value="0.1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
                 '</link><joint name="f" type="fixed"><parent link="l0"/><child link="camera"/><origin xyz="0 0 1"/></joint>')
        text = robot(["a.stl"])
        d = self.picture_of(text.replace("</robot>", frame + "</robot>"))
        self.assertEqual([s["type"] for s in d["shapes"]], ["mesh"])
        self.assertEqual({p["link"]: p.get("bare", False) for p in d["ports"]}["camera"], True)
        self.good("import", "r.urdf", "-q", "-o", "m.yaml")
        self.assertEqual([s["type"] for s in self.picture("m.yaml")["shapes"]], ["mesh"])

    def test_scenes_that_name_themselves(self):
        self.put("a.dae", '<COLLADA><library_nodes><node id="n"><instance_node url="#n"/><instance_node url="#n"/></node></library_nodes>'
                          '<library_visual_scenes><visual_scene><instance_node url="#n"/></visual_scene></library_visual_scenes></COLLADA>')
        self.put("r.urdf", robot(["a.dae"]))
        done = appell("run", "r.urdf", "--to", 0.01, "--html", "page.html", "-q", timeout=30)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(done.stderr, "r.urdf: warning: mesh 'a.dae' of link 'l0' is not drawn: it has no triangles\n")


if __name__ == "__main__":
    unittest.main()
