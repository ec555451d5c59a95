/* SPDX-License-Identifier: Apache-2.0 */
/* test_show_files.c: show/image.h, mesh_dae.h and page_meshes.h: files that pages draw. */
#include "near.h"
#include "systems.h"

#include "show/image.h"
#include "show/mesh_dae.h"
#include "show/page_meshes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_file(const char* path, const void* bytes, size_t n) {
  FILE* f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(bytes, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
}

/* ---------------------------------------------------------------------------------- images ---- */

/* The head of a PNG (ISO 15948): signature, length of IHDR, its name, width, height, and five bytes
   of depth and kind; then its sum. */
static size_t put_png(unsigned char* b, unsigned width, unsigned height) {
  static const unsigned char head[16] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                         0,    0,   0,   13,  'I',  'H',  'D',  'R'};
  memset(b, 0, 33);
  memcpy(b, head, sizeof head);
  for (int i = 0; i < 4; ++i) {
    b[16 + i] = (unsigned char)(width >> (24 - 8 * i));
    b[20 + i] = (unsigned char)(height >> (24 - 8 * i));
  }
  b[24] = 8, b[25] = 2;
  return 33;
}

/* A JPEG (ISO 10918) with a comment of 60000 bytes and a padding byte before its frame. */
static size_t put_jpeg(unsigned char* b, unsigned width, unsigned height) {
  enum { LONG = 60000 };
  const unsigned char frame[] = {0xff,
                                 0xff,
                                 0xc2,
                                 0,
                                 17,
                                 8,
                                 (unsigned char)(height >> 8),
                                 (unsigned char)height,
                                 (unsigned char)(width >> 8),
                                 (unsigned char)width,
                                 3};
  size_t n = 0;

  b[n++] = 0xff, b[n++] = 0xd8;
  b[n++] = 0xff, b[n++] = 0xfe, b[n++] = LONG >> 8, b[n++] = LONG & 0xff;
  memset(b + n, 0xc0, LONG - 2); /* which is no frame, being inside of the comment */
  n += LONG - 2;
  memcpy(b + n, frame, sizeof frame);
  return n + sizeof frame;
}

static void images(void** state) {
  (void)state;
  static const char path[] = "test_show_files.image";
  static unsigned char b[70000];
  image_head head;
  apl_error err = {0};
  json_t* out;
  size_t n, size;

  n = put_png(b, 640, 8192);
  write_file(path, b, n);
  CHECK_OK(apl_image_look(path, &head, &err));
  assert_string_equal(head.type, "png");
  assert_int_equal(head.width, 640);
  assert_int_equal(head.height, 8192);
  CHECK_OK(apl_image_read(path, &head, &out, &size, &err));
  assert_int_equal(size, 33);
  assert_string_equal(json_string_value(json_object_get(out, "type")), "png");
  /* 33 bytes are 44 letters of base64, which begin with those of every PNG */
  const char* data = json_string_value(json_object_get(out, "data"));
  assert_int_equal(strlen(data), 44);
  assert_int_equal(strncmp(data, "iVBORw0KGgo", 11), 0);
  json_decref(out);

  write_file(path, b, n - 1); /* a head that ends early */
  assert_int_equal(apl_image_look(path, &head, &err), APL_ERR_SYNTAX);
  assert_string_equal(err.text, "is not a PNG or JPEG image");
  write_file(path, b, put_png(b, 8193, 1));
  assert_int_equal(apl_image_look(path, &head, &err), APL_ERR_SYNTAX);
  assert_string_equal(err.text, "has 8193 x 1 pixels; at most 8192 x 8192 are shown");
  write_file(path, b, put_png(b, 0, 5));
  assert_int_equal(apl_image_look(path, &head, &err), APL_ERR_SYNTAX);
  assert_string_equal(err.text, "has no pixels");

  n = put_jpeg(b, 300, 200);
  write_file(path, b, n);
  CHECK_OK(apl_image_look(path, &head, &err));
  assert_string_equal(head.type, "jpeg");
  assert_int_equal(head.width, 300);
  assert_int_equal(head.height, 200);
  write_file(path, b, n - 2); /* the frame is cut */
  assert_int_equal(apl_image_look(path, &head, &err), APL_ERR_SYNTAX);
  b[4] = b[5] = 0; /* a segment without length would never end */
  write_file(path, b, n);
  assert_int_equal(apl_image_look(path, &head, &err), APL_ERR_SYNTAX);

  remove(path);
  assert_int_equal(apl_image_look(path, &head, &err), APL_ERR_IO);
  assert_int_equal(apl_image_read(path, &head, &out, &size, &err), APL_ERR_IO);
  assert_null(out);
}

/* --------------------------------------------------------------------------------- COLLADA ---- */

static const char SCENE[] =
    "<COLLADA><library_images><image id='i'><init_from> skin.png "
    "</init_from></image></library_images>"
    "<library_effects><effect id='red'><profile_COMMON><technique><phong><diffuse>"
    "<color>1 0 0 1</color></diffuse></phong></technique></profile_COMMON></effect>"
    "<effect id='skin'><profile_COMMON>"
    "<newparam sid='u'><surface><init_from>i</init_from></surface></newparam>"
    "<newparam sid='s'><sampler2D><source>u</source></sampler2D></newparam>"
    "<technique><phong><diffuse><texture texture='s' texcoord='UV'/></diffuse></phong></technique>"
    "</profile_COMMON></effect></library_effects>"
    "<library_materials><material id='m-red'><instance_effect url='#red'/></material>"
    "<material id='m-skin'><instance_effect url='#skin'/></material></library_materials>"
    "<library_geometries><triangles id='t1' material='m-red'/><triangles id='t2' material='paper'/>"
    "<triangles id='t3' material='nobody'/><triangles id='t4'/></library_geometries>"
    "<instance_geometry id='inst'><bind_material><technique_common>"
    "<instance_material symbol='paper' target='#m-skin'>"
    "<bind_vertex_input semantic='UV' input_set='3'/></instance_material>"
    "</technique_common></bind_material></instance_geometry>"
    "<float_array id='n'>1 -2.5e1\n 3 x 4</float_array></COLLADA>";

static void collada(void** state) {
  (void)state;
  apl_report report = {0};
  apl_pool pool = {0};
  xml_doc* doc = apl_xml_parse(SCENE, sizeof SCENE - 1, &report);
  assert_non_null(doc);
  const xml_node* root = apl_xml_root(doc);
  double x[8] = {0};

  /* elements by their id and by their name, to any depth */
  const xml_node* skin = apl_dae_id(root, "#m-skin");
  assert_non_null(skin);
  assert_string_equal(apl_xml_name(skin), "material");
  assert_null(apl_dae_id(root, "m-skin")); /* no reference */
  assert_null(apl_dae_id(root, "#none"));
  assert_null(apl_dae_id(root, NULL));
  assert_string_equal(apl_xml_name(apl_dae_below(root, "sampler2D")), "sampler2D");
  assert_null(apl_dae_below(skin, "sampler2D"));
  assert_null(apl_dae_below(NULL, "image"));

  /* numbers up to the first word that is none, and no more than there is room for */
  const xml_node* list = apl_dae_id(root, "#n");
  assert_int_equal(apl_dae_numbers(list, x, 8), 3);
  CHECK_ARRAY(x, ((double[]){1, -25, 3, 0}), 4, 0, 0);
  assert_int_equal(apl_dae_numbers(list, x, 2), 2);
  assert_int_equal(apl_dae_numbers(NULL, x, 8), 0);

  /* a colour by the id of its material; an image by what the scene binds; nothing */
  const xml_node* scene = apl_dae_id(root, "#inst");
  dae_look look = apl_dae_look(root, scene, apl_dae_id(root, "#t1"), &pool);
  assert_int_equal(look.paint, MESH_PAINTED + 0xff0000);
  assert_null(look.image);
  look = apl_dae_look(root, scene, apl_dae_id(root, "#t2"), &pool);
  assert_int_equal(look.paint, 0);
  assert_string_equal(look.image, "skin.png");
  assert_int_equal(look.set, 3);
  look = apl_dae_look(root, NULL, apl_dae_id(root, "#t2"), &pool); /* without its binding */
  assert_null(look.image);
  for (int k = 3; k <= 4; ++k) {
    look = apl_dae_look(root, scene, apl_dae_id(root, k == 3 ? "#t3" : "#t4"), &pool);
    assert_int_equal(look.paint, 0);
    assert_null(look.image);
  }
  apl_pool_free(&pool);
  apl_xml_free(doc);
}

/* ---------------------------------------------------------------------------------- a page ---- */

static const char ROBOT[] =
    "appell: 1\nlinks:\n  - name: arm\n    joint: {type: revolute, axis: z}\n"
    "    body: {mass: 1, inertia: {zz: 1}}\n"
    "    shapes: [{type: mesh, file: test_show_files.obj}, {type: mesh, file: test_show_files.obj},"
    " {type: mesh, file: test_show_files_2.obj}, {type: mesh, file: test_show_files_bad.obj},"
    " {type: box, size: [1, 1, 1]}]\n";
static const char OBJ[] = "mtllib test_show_files.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\n"
                          "vt 0 1\nusemtl a\nf 1/1 2/2 3/3\nusemtl b\nf 1/1 2/2 3/3\nusemtl c\n"
                          "f 1/1 2/2 3/3\n";
static const char MTL[] =
    "newmtl a\nmap_Kd test_show_files.png\nnewmtl b\nKd 0 0 1\n"
    "map_Kd ./test_show_files.png\nnewmtl c\nmap_Kd test_show_files_gone.png\n";

/* Two meshes under one image, which has two names; one mesh that is broken; an image that does not
   exist, of two meshes but one file. */
static void page(void** state) {
  (void)state;
  unsigned char b[40];
  apl_report report = {0};

  write_file("test_show_files.png", b, put_png(b, 100, 50));
  write_file("test_show_files.obj", OBJ, sizeof OBJ - 1);
  write_file("test_show_files_2.obj", OBJ, sizeof OBJ - 1);
  write_file("test_show_files_bad.obj", "v 0 0 0\n", 8);
  write_file("test_show_files.mtl", MTL, sizeof MTL - 1);
  rig g = rig_text(ROBOT, 0);
  page_meshes p = apl_page_meshes(g.file);
  const int want[4] = {0, 0, 1, -1};
  for (int i = 0; i < 4; ++i)
    assert_int_equal(apl_page_mesh(&p, i, "arm"), want[i]);
  assert_int_equal(apl_page_mesh(&p, 4, "arm"), -1); /* a box is no mesh */
  assert_int_equal(p.pixels, 100 * 50);              /* once */
  assert_int_equal(p.bytes, 33);
  assert_int_equal(p.fault[FAULT_MESH].count, 1);
  assert_int_equal(p.fault[FAULT_GONE].count, 1);
  assert_int_equal(p.fault[FAULT_FULL].count, 0);

  json_t* all = json_object();
  apl_page_meshes_end(&p, &all, &report);
  assert_int_equal(json_array_size(json_object_get(all, "meshes")), 2);
  assert_int_equal(json_array_size(json_object_get(all, "images")), 1);
  const json_t* first = json_array_get(json_object_get(all, "meshes"), 0);
  char* paints = json_dumps(json_object_get(first, "paints"), JSON_COMPACT);
  assert_string_equal(paints, "[[1,null,0],[1,\"#0000ff\",0],[1,null]]");
  free(paints);
  /* a page and the report have the same sentences */
  const json_t* faults = json_object_get(all, "faults");
  assert_int_equal(json_array_size(faults), 2);
  assert_int_equal(report.warnings, 2);
  assert_string_equal(json_string_value(json_array_get(faults, 0)),
                      "mesh 'test_show_files_bad.obj' of link 'arm' is not drawn: it has no "
                      "triangles");
  assert_non_null(strstr(json_string_value(json_array_get(faults, 1)),
                         "image 'test_show_files_gone.png' of mesh 'test_show_files.obj' is "
                         "replaced by a plain colour: it cannot be read"));
  for (int i = 0; i < 2; ++i)
    assert_string_equal(report.warning[i].text,
                        json_string_value(json_array_get(faults, (size_t)i)));
  json_decref(all);
  rig_close(&g);
  remove("test_show_files.png");
  remove("test_show_files.obj");
  remove("test_show_files_2.obj");
  remove("test_show_files_bad.obj");
  remove("test_show_files.mtl");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(images), cmocka_unit_test(collada),
                                     cmocka_unit_test(page)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
