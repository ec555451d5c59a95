# SPDX-License-Identifier: Apache-2.0
"""Images on meshes: embedded in pages with the places of the corners on them, refused where they are no images or out of reach, and
told in one line. Every robot, mesh and image is written here."""
import base64
import os
import struct
import subprocess
import unittest
import zlib
from pathlib import Path

from command import APPELL, appell
from test_meshes import MeshCase, robot, stl


def block(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width=2, height=2, rows=b"\0\xff\0\0\0\xff\0" + b"\0\0\0\xff\xff\xff\0"):
    """Two by two pixels: red, green; blue, yellow."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + block(b"IHDR", head) + block(b"IDAT", zlib.compress(rows)) + block(b"IEND", b"")


def jpeg(width=2, height=2):
    """A head alone, which no browser decodes: nothing in C does it either."""
    return (b"\xff\xd8" + b"\xff\xe0\0\x10JFIF\0" + bytes(9) + b"\xff\xff\xc2" + struct.pack(">HBHHB", 17, 8, height, width, 3) + bytes(9)
            + b"\xff\xd9")


# A square of two triangles. The corners on its diagonal have one place on the image in one triangle, another one in the other.
DAE = """<COLLADA><asset><unit meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_images><image id="other"><init_from>none.png</init_from></image><image id="im"><init_from> {image} </init_from></image>
</library_images>
<library_effects><effect id="e"><profile_COMMON>
<newparam sid="im-surface"><surface type="2D"><init_from>im</init_from></surface></newparam>
<newparam sid="im-sampler"><sampler2D><source>im-surface</source></sampler2D></newparam>
<technique><lambert><diffuse><texture texture="{texture}" texcoord="UV"/></diffuse></lambert></technique></profile_COMMON></effect>
</library_effects><library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array>0 0 0 1 0 0 1 1 0 0 1 0</float_array></source>
<source id="n"><float_array>0 0 1</float_array></source>
<source id="t0"><float_array>9 9 9 9 9 9 9 9 9 9 9 9 9 9 9</float_array></source>
<source id="t1"><float_array>0 0 7  0.5 0 7  0.5 1 7  0.75 0 7  1 1 7</float_array><technique_common><accessor stride="3"/></technique_common>
</source>
<vertices id="v"><input semantic="NORMAL" source="#n"/><input semantic="POSITION" source="#p"/></vertices>
<triangles material="skin"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="TEXCOORD" source="#t0" offset="2" set="0"/>
<input semantic="TEXCOORD" source="#t1" offset="1" set="1"/><p>{p}</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene><node><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="skin" target="#m"><bind_vertex_input semantic="UV" input_semantic="TEXCOORD" input_set="1"/>
</instance_material></technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes></COLLADA>
"""
CORNERS = "0 0 0  1 1 0  2 2 0   0 3 0  2 4 0  3 0 0"
PLACES = [(0, 0), (0.5, 0), (0.5, 1), (0.75, 0), (1, 1), (0, 0)]


def dae(image="a.png", texture="im-sampler", p=CORNERS):
    return DAE.format(image=image, texture=texture, p=p)


OBJ = "mtllib q.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0 0\nvt 0.25 0.75\nusemtl a\nf 1/1 2/2 3/-1\n"


class Textures(MeshCase):
    def places(self, mesh):
        uv = base64.b64decode(mesh["uv"])
        return list(struct.iter_unpack("<2f", uv))

    def one(self, d):
        """The only image of the page, as the mesh with this index has it."""
        self.assertEqual(len(d["images"]), 1)
        return d["images"][0]["type"], base64.b64decode(d["images"][0]["data"])

    def test_dae(self):
        self.put("a.png", png())
        for texture in ("im-sampler", "im"):  # the sampler, or the image itself as some programs write it
            self.put("p.dae", dae(texture=texture))
            d = self.picture_of(robot(["p.dae"]))
            self.assertEqual(self.one(d), ("png", png()))
            self.assertEqual(d["meshes"][0]["paints"], [[2, None, 0]])
            # four points of six corners, which keep their six places
            self.assertEqual(len(base64.b64decode(d["meshes"][0]["points"])), 4 * 12)
            self.assertEqual(self.places(d["meshes"][0]), PLACES)

    def test_obj(self):
        for image in ("my skin.jpg", "-s 1 1 1 -clamp on\tskin.jpg"):
            self.put(image.split("\t")[-1], jpeg())
            self.put("q.obj", OBJ)
            self.put("q.mtl", f"newmtl b\nKd 1 1 1\nmap_Kd no.jpg\nnewmtl a\nKd 0 0 1\n\tmap_Kd {image}\r\nnewmtl c\nmap_Kd no.jpg\n")
            d = self.picture_of(robot(["q.obj"]))
            self.assertEqual(self.one(d), ("jpeg", jpeg()))
            self.assertEqual(d["meshes"][0]["paints"], [[1, "#0000ff", 0]])
            self.assertEqual(self.places(d["meshes"][0]), [(0, 0), (1, 0), (0.25, 0.75)])

    def test_materials_in_another_folder(self):
        """Names in a material file are seen from its own folder."""
        self.put("q.obj", OBJ.replace("q.mtl", "mats/q.mtl"))
        self.put("mats/q.mtl", "newmtl a\nmap_Kd a.png\n")
        self.put("mats/a.png", png())
        self.assertEqual(self.one(self.picture_of(robot(["q.obj"]))), ("png", png()))

    def test_each_image_once(self):
        self.put("a.png", png())
        self.put("p.dae", dae())
        self.put("b.dae", dae())
        d = self.picture_of(robot(["p.dae", "b.dae", "p.dae"]))
        self.assertEqual((len(d["meshes"]), len(d["images"])), (2, 1))

    def test_seams_stay_when_a_mesh_is_made_coarser(self):
        """A strip of 20000 triangles whose halves lie at both ends of an image: no corner may lie between them."""
        n = 100
        lines = ["mtllib q.mtl"] + [f"v {x / n} {y / n} 0" for y in range(n + 1) for x in range(n + 1)]
        lines += [f"vt {x / n} {y / n}" for y in range(n + 1) for x in range(n + 1)]
        lines += [f"vt {5 + x / n} {y / n}" for y in range(n + 1) for x in range(n + 1)]
        lines += ["usemtl a"]
        for y in range(n):
            for x in range(n):
                a = y * (n + 1) + x + 1
                t = a + (n + 1) ** 2 if x >= n // 2 else a
                lines.append(f"f {a}/{t} {a + 1}/{t + 1} {a + n + 2}/{t + n + 2} {a + n + 1}/{t + n + 1}")
        self.put("q.obj", "\n".join(lines) + "\n")
        self.put("q.mtl", "newmtl a\nmap_Kd a.png\n")
        self.put("a.png", png())
        m = self.picture_of(robot(["q.obj"]))["meshes"][0]
        corners = [c for (c,) in struct.iter_unpack("<I", base64.b64decode(m["triangles"]))]
        points = list(struct.iter_unpack("<3f", base64.b64decode(m["points"])))
        uv = self.places(m)
        self.assertLess(len(corners), 3 * 6001)
        self.assertEqual(len(uv), len(corners))
        self.assertTrue({u > 3 for u, _ in uv} == {True, False})
        for c, (u, v) in zip(corners, uv):
            # a cell of the coarser mesh is 1/40 of the size at most
            x, y, _ = points[c]
            self.assertLess(abs((u - 5 if u > 3 else u) - x), 0.025)
            self.assertLess(abs(v - y), 0.025)

    def test_indices_without_places(self):
        self.put("a.png", png())
        for bad in ("-1", "5", "1e9", "nan", "1e300"):
            self.put("p.dae", dae(p=CORNERS.replace("2 4 0", f"2 {bad} 0")))
            d = self.picture_of(robot(["p.dae"]))
            self.assertEqual(self.places(d["meshes"][0]), PLACES[:4] + [(0, 0), (0, 0)])
        self.put("q.mtl", "newmtl a\nmap_Kd a.png\n")
        for bad in ("4", "-4", "99999999999999999999", "", "/1"):
            self.put("q.obj", OBJ.replace("3/-1", f"3/{bad}").replace("vt 0 0\n", "vt nan 1e300\n"))
            d = self.picture_of(robot(["q.obj"]))
            self.assertEqual(self.places(d["meshes"][0]), [(0, 0), (1, 0), (0, 0)])

    def plain(self, said, image="a.png", **more):
        """The mesh is drawn without its image, and one line says why; the page says it, too."""
        self.put("r/p.dae", dae(image))
        self.put("r/r.urdf", robot(["p.dae", "p.dae"]))
        d = self.picture("r/r.urdf", said=said, **more)
        self.assertEqual((len(d["meshes"]), d["meshes"][0]["paints"]), (1, None))
        self.assertNotIn("images", d)
        self.assertNotIn("uv", d["meshes"][0])
        self.assertEqual(len(d["warnings"]), 1)
        self.assertRegex(d["warnings"][0], said)

    def test_images_that_are_none(self):
        self.plain(r"image 'a\.png' of mesh 'p\.dae' is replaced by a plain colour: it cannot be read: No such file")
        for content in (b"", b"GIF89a", b"<svg onload='alert(1)'/>", png()[:20], b"\x89PNG\r\n\x1a\n" + b"IHDX" * 9, b"\xff\xd8\xff\xe0\0\0" * 9,
                        b"\xff\xd8" + b"\xff" * 99):
            self.put("r/a.png", content)
            self.plain(r"image 'a\.png' of mesh 'p\.dae' is replaced by a plain colour: it is not a PNG or JPEG image$")
        for content in (png(60000, 60000), jpeg(2, 60000), png(8193, 1)):
            self.put("r/a.png", content)
            self.plain(r"it has \d+ x \d+ pixels; at most 8192 x 8192 are shown$")
        self.put("r/a.png", png() + bytes(8 << 20))
        self.plain(r"it is larger than the 8388608 bytes that are allowed$")
        Path("r/a.png").unlink()
        os.mkdir("r/a.png")
        self.plain(r"it is not an ordinary file|it cannot be read")

    def test_names_that_are_not_utf8(self):
        """Latin-1 in a name, and a long name that is cut inside of a character: a warning, and the run goes on."""
        for name in ("Stra%DFe.png", "ä" * 60 + ".png"):
            self.put("r/p.dae", dae(name))
            self.put("r/r.urdf", robot(["p.dae"]))
            done = subprocess.run([APPELL, "run", "r/r.urdf", "--to", "0.01", "-o", "r.h5", "--html", "r.html"], capture_output=True, timeout=120)
            self.assertEqual(done.returncode, 0, done)
            self.assertIn(b"is replaced by a plain colour", done.stdout + done.stderr)

    def test_images_out_of_reach(self):
        self.put("secret/a.png", png())
        said = r"it lies outside of the folder of the model file; .* --allow-files secret$"
        self.plain(said, "../secret/a.png")
        self.plain(said, "..\\secret\\a.png")
        self.plain(said, "%2e%2e/secret/a.png")
        os.symlink(Path("secret/a.png").resolve(), "r/link.png")
        self.plain(said, "link.png")
        # a path of another machine means the file beside the mesh
        self.plain("'a.png' .* No such file", f"file://{Path('secret/a.png').resolve()}")
        self.plain("'a.png' .* No such file", "C:\\secret\\a.png")
        self.put("r/p.dae", dae("../secret/a.png"))
        self.assertEqual(self.one(self.picture("r/r.urdf", "--allow-files", "secret")), ("png", png()))
        self.put("r/a b.png", png())
        for name in ("file:///home/someone/a%20b.png", "./a b.png", "D:\\models\\a b.png"):
            self.put("r/p.dae", dae(name))
            self.assertEqual(self.one(self.picture("r/r.urdf")), ("png", png()))

    def test_textures_beside(self):
        """materials/textures beside urdf/ and meshes/, the layout of Gazebo's models."""
        self.put("r/urdf/r.urdf", robot(["../meshes/p.dae"]))
        self.put("r/meshes/p.dae", dae("../materials/textures/a.png"))
        self.put("r/materials/textures/a.png", png())
        self.assertEqual(self.one(self.picture("r/urdf/r.urdf")), ("png", png()))

    def test_all_images_of_a_page(self):
        """Six files of 7 MB are more than 32 MB: four are shown."""
        for k in range(6):
            self.put(f"{k}.png", png() + bytes(7 << 20))
            self.put(f"{k}.dae", dae(f"{k}.png"))
        d = self.picture_of(robot([f"{k}.dae" for k in range(6)]), said=r"2 images, the first '4\.png' of mesh '4\.dae', are replaced by plain "
                            r"colours: the images of a page have at most 32 MB and 134 million pixels$")
        self.assertEqual(len(d["images"]), 4)

    def test_all_pixels_of_a_page(self):
        """Small files of 8000 x 8000 pixels, of which two are shown, whatever the size of their bodies; smaller ones fit beside them."""
        for k, (width, height) in enumerate(((8000, 8000), (8000, 8000), (8000, 8000), (8000, 2000), (2, 2))):
            self.put(f"{k}.png", png(width, height) if k != 2 else png(width, height)[:33])
            self.put(f"{k}.dae", dae(f"{k}.png"))
        d = self.picture_of(robot([f"{k}.dae" for k in range(5)]), said=r"2 images, the first '2\.png' of mesh '2\.dae', are replaced by plain "
                            r"colours: the images of a page have at most 32 MB and 134 million pixels$")
        self.assertEqual([base64.b64decode(i["data"]) for i in d["images"]], [png(8000, 8000), png(8000, 8000), png()])

    def test_aliases_are_one_image(self):
        """Other names of a file, by dots and by symbolic links, are neither embedded nor counted again."""
        self.put("a.png", png(8000, 8000))
        self.put("sub/x", "")
        os.symlink("a.png", "b.png")
        for k, name in enumerate(("a.png", "./a.png", "sub/../a.png", "b.png")):
            self.put(f"{k}.dae", dae(name))
        d = self.picture_of(robot([f"{k}.dae" for k in range(4)]))
        self.assertEqual(self.one(d), ("png", png(8000, 8000)))
        self.assertEqual([m["paints"] for m in d["meshes"]], [[[2, None, 0]]] * 4)

    def test_pages_tell_no_folders(self):
        """A model named from the root of the file system: its page and its result name files from its folder on."""
        here = str(Path.cwd())
        self.put("out/far.png", png())
        self.put("r/gone.dae", dae("gone.png"))
        self.put("r/far.dae", dae("../out/far.png"))
        self.put("r/broken.dae", "<COLLADA>")
        self.put("else/broken.dae", "<COLLADA>")
        self.put("r/r.urdf", robot(["gone.dae", "far.dae", "broken.dae", f"{here}/else/broken.dae"]))
        done = appell("run", f"{here}/r/r.urdf", "--allow-files", f"{here}/else", "--to", 0.01, "--html", "p.html", "-o", "r.h5", "-q")
        self.assertEqual(done.returncode, 0, done)
        for d in (self.data_of("p.html"), self.page_of_result("r.h5")):
            self.assertEqual(len(d["warnings"]), 3)
            self.assertIn("2 meshes, the first 'broken.dae' of link 'l2'", d["warnings"][0])
            self.assertIn("image 'gone.png' of mesh 'gone.dae'", d["warnings"][1])
            self.assertRegex(d["warnings"][2], r"image '\.\./out/far\.png' of mesh 'far\.dae' .* --allow-files out$")
            self.assertEqual([w for w in d["warnings"] if here in w], [])

    def test_one_line_for_each_reason(self):
        for k in range(3):
            self.put(f"r/gone{k}.dae", dae(f"gone{k}.png"))
            self.put(f"r/out{k}.dae", dae(f"../out/{k}.png"))
            self.put(f"r/bad{k}.dae", dae(f"bad{k}.png"))
            self.put(f"r/broken{k}.dae", "<COLLADA>")
            self.put(f"r/bad{k}.png", "no")
            self.put(f"out/{k}.png", png())
        self.put("r/r.urdf", robot([f"{what}{k}.dae" for what in ("gone", "out", "bad", "broken") for k in range(3)]))
        lines = appell("run", "r/r.urdf", "--to", 0.01, "--html", "p.html", "-o", "r.h5", "-q").stderr.splitlines()
        self.assertEqual(len(lines), 4, lines)
        self.assertRegex(lines[0], r"r/r\.urdf: warning: 3 meshes, the first 'broken0\.dae' of link 'l9', are not drawn: it is not COLLADA: .+")
        self.assertIn("3 images, the first 'gone0.png' of mesh 'gone0.dae', are replaced by plain colours: it cannot be read", lines[1])
        self.assertIn("3 images, the first '../out/0.png' of mesh 'out0.dae', are", lines[2])
        self.assertIn("3 images, the first 'bad0.png' of mesh 'bad0.dae', are", lines[3])
        # a page of the result tells the same
        self.assertEqual(self.page_of_result("r.h5")["warnings"], [line.split("warning: ", 1)[1] for line in lines])

    def page_of_result(self, path):
        self.good("view", path, "-o", "again.html")
        return self.data_of("again.html")

    def test_results_have_the_images(self):
        self.put("a.png", png())
        self.put("p.dae", dae())
        self.put("r.urdf", robot(["p.dae"]))
        self.good("run", "r.urdf", "--to", 0.01, "-o", "r.h5", "-q")
        for name in ("a.png", "p.dae"):
            Path(name).unlink()
        self.assertEqual(self.one(self.page_of_result("r.h5")), ("png", png()))

    def test_meshes_that_cannot_be_read(self):
        for name, content, why in (("a.stl", b"solid\n", "it has no triangles"), ("a.dae", "<a", "it is not COLLADA"), ("a.ply", "ply", "meshes are read"),
                                   ("a.obj", "v 1 2 3\n", "it has no triangles")):
            self.put(name, content)
            d = self.picture_of(robot([name]), said=rf"r\.urdf: warning: mesh '{name}' of link 'l0' is not drawn: {why}")
            self.assertEqual(len(d["warnings"]), 1)
        self.put("b.stl", stl())
        self.assertEqual(self.picture_of(robot(["b.stl"]))["warnings"], [])


if __name__ == "__main__":
    unittest.main()
