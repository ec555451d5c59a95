/* SPDX-License-Identifier: Apache-2.0 */
/* test_show_parts.c: show/json.h, mesh.h, solid.h and trails.h: what pages are made of. */
#include "near.h"

#include "show/json.h"
#include "show/mesh.h"
#include "show/solid.h"
#include "show/trails.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------------------------ json ---- */

/* The examples of RFC 4648, section 10. */
static void base64(void** state) {
  (void)state;
  static const char* const pair[][2] = {{"", ""},
                                        {"f", "Zg=="},
                                        {"fo", "Zm8="},
                                        {"foo", "Zm9v"},
                                        {"foob", "Zm9vYg=="},
                                        {"fooba", "Zm9vYmE="},
                                        {"foobar", "Zm9vYmFy"}};

  for (size_t i = 0; i < sizeof pair / sizeof *pair; ++i) {
    json_t* text = apl_base64(pair[i][0], strlen(pair[i][0]));
    assert_string_equal(json_string_value(text), pair[i][1]);
    json_decref(text);
  }
  const unsigned char high[3] = {0xff, 0xef, 0xbe};
  json_t* text = apl_base64(high, 3);
  assert_string_equal(json_string_value(text), "/+++");
  json_decref(text);
}

/* A list that has lost an item is NULL, and stays so; no item leaks (make asan). */
static void complete(void** state) {
  (void)state;
  json_t* list = json_array();
  apl_json_add(&list, json_integer(1));
  assert_int_equal(json_array_size(list), 1);
  apl_json_add(&list, json_string("\xff")); /* not UTF-8 */
  assert_null(list);
  apl_json_add(&list, json_integer(2));
  assert_null(list);

  json_t* object = json_object();
  apl_json_set(&object, "a", json_integer(3));
  assert_int_equal(json_integer_value(json_object_get(object, "a")), 3);
  apl_json_set(&object, "b", NULL);
  assert_null(object);
  apl_json_set(&object, "c", json_true());
  assert_null(object);
}

/* ------------------------------------------------------------------------------------ mesh ---- */

static void write_file(const char* path, const char* text, size_t n) {
  FILE* f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
}

/* The area of all triangles and the volume that a closed surface encloses, sum a . (b x c) / 6. */
static void measure(const mesh* m, double* area, double* volume) {
  *area = *volume = 0;
  for (size_t i = 0; i + 2 < m->ncorner; i += 3) {
    double p[3][3], n[3], square = 0;
    for (int c = 0; c < 3; ++c) {
      assert_true(m->corner[i + (size_t)c] < m->npoint);
      for (int k = 0; k < 3; ++k)
        p[c][k] = (double)m->point[3 * m->corner[i + (size_t)c] + (uint32_t)k];
    }
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      n[k] = (p[1][a] - p[0][a]) * (p[2][b] - p[0][b]) - (p[1][b] - p[0][b]) * (p[2][a] - p[0][a]);
      square += n[k] * n[k];
      *volume += p[0][k] * (p[1][a] * p[2][b] - p[1][b] * p[2][a]) / 6;
    }
    *area += 0.5 * sqrt(square);
  }
}

static const char CUBE[] =
    "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nv 0 0 3\nv 1 0 3\nv 1 2 3\nv 0 2 3\n"
    "f 4 3 2 1\nf 5/1/1 6/2/1 7/3/1 8//4\nf 1 2 6 5\n"
    "f -6 -5 -1 -2\nf 2 3 7 6\nf 4 1 5 8\n";

/* A box of 1 x 2 x 3: area 22, volume 6; quadrangles become two triangles each. */
static void obj(void** state) {
  (void)state;
  mesh m = {0};
  double area, volume;

  assert_true(apl_mesh_obj(CUBE, "", NULL, &m));
  assert_int_equal(m.npoint, 8);
  assert_int_equal(m.ncorner, 36);
  measure(&m, &area, &volume);
  CHECK_NEAR(area, 22, 1e-6);
  CHECK_NEAR(volume, 6, 1e-6);
  assert_int_equal(m.paint[0], 0);
  apl_mesh_free(&m);
  assert_null(m.point);

  /* a face with a point that is not there is left out as a whole */
  assert_true(
      apl_mesh_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 9\nf 1 2 3\nf 1 2 0\n", "", NULL, &m));
  assert_int_equal(m.ncorner, 3);
  apl_mesh_free(&m);
}

/* Colours of a material file beside the OBJ; one above its folder is not read. */
static void obj_colours(void** state) {
  (void)state;
  static const char mtl[] = "newmtl red\nKd 1 0 0\nnewmtl dark blue\nKd 0 0 0.5\n"
                            "newmtl brick\nKd 1 1 1\nmap_Kd brick.png\n";
  static const char text[] = "mtllib test_show_parts.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
                             "usemtl red\nf 1 2 3\nusemtl dark blue\nf 1 2 3\n"
                             "usemtl brick\nf 1 2 3\nusemtl nobody\nf 1 2 3\n";
  mesh m = {0};

  write_file("test_show_parts.mtl", mtl, sizeof mtl - 1);
  assert_true(apl_mesh_obj(text, "./", NULL, &m));
  assert_int_equal(m.ncorner, 12);
  assert_int_equal(m.paint[0], MESH_PAINTED + 0xff0000);
  assert_int_equal(m.paint[1], MESH_PAINTED + 0x000080);
  assert_int_equal(m.paint[2], MESH_PAINTED + 0xffffff);
  assert_int_equal(m.paint[3], 0);
  apl_mesh_free(&m);

  assert_true(apl_mesh_obj("mtllib sub/../test_show_parts.mtl\nv 0 0 0\nusemtl red\nf 1 1 1\n",
                           "./", NULL, &m));
  assert_int_equal(m.paint[0], 0);
  apl_mesh_free(&m);
  remove("test_show_parts.mtl");
}

static void paint(void** state) {
  (void)state;
  assert_int_equal(apl_mesh_paint(0, 0, 0), MESH_PAINTED);
  assert_int_equal(apl_mesh_paint(1, 0.5, 0), MESH_PAINTED + 0xff8000);
  assert_int_equal(apl_mesh_paint(-3, 7, NEAR_NAN), MESH_PAINTED + 0x00ff00);
}

/* A triangle of 2 x 1 inches in a COLLADA file with y up, moved by a node: lengths come out in
   metres, (x, y, z) as (x, -z, y). */
static void dae(void** state) {
  (void)state;
  static const char text[] =
      "<COLLADA><asset><unit meter='0.0254'/><up_axis>Y_UP</up_axis></asset>"
      "<library_effects><effect id='e'><profile_COMMON><technique><lambert><diffuse>"
      "<color>0 1 0 1</color></diffuse></lambert></technique></profile_COMMON></effect>"
      "</library_effects><library_materials><material id='m'><instance_effect url='#e'/>"
      "</material></library_materials>"
      "<library_geometries><geometry id='g'><mesh>"
      "<source id='s'><float_array count='9'>0 0 0 2 0 0 0 1 0</float_array></source>"
      "<vertices id='v'><input semantic='POSITION' source='#s'/></vertices>"
      "<triangles material='m' count='1'><input semantic='VERTEX' source='#v' offset='0'/>"
      "<input semantic='NORMAL' source='#s' offset='1'/><p>0 0 1 0 2 0</p></triangles>"
      "</mesh></geometry></library_geometries>"
      "<library_visual_scenes><visual_scene><node><translate>0 10 5</translate>"
      "<rotate>0 0 1 90</rotate><instance_geometry url='#g'/></node></visual_scene>"
      "</library_visual_scenes></COLLADA>";
  mesh m = {0};
  apl_error err = {0};
  double area, volume;

  CHECK_OK(apl_mesh_dae(text, sizeof text - 1, "", &m, &err));
  assert_int_equal(m.ncorner, 3);
  assert_int_equal(m.paint[0], MESH_PAINTED + 0x00ff00);
  measure(&m, &area, &volume);
  CHECK_NEAR(area, 0.0254 * 0.0254, 1e-9);
  const float* p = m.point + 3 * m.corner[1]; /* (2, 0, 0) -> (0, 12, 5) -> (0, -5, 12) inches */
  CHECK_NEAR((double)p[0], 0, 1e-7);
  CHECK_NEAR((double)p[1], -5 * 0.0254, 1e-7);
  CHECK_NEAR((double)p[2], 12 * 0.0254, 1e-7);
  apl_mesh_free(&m);

  assert_int_equal(apl_mesh_dae("<a><b></a>", 10, "", &m, &err), APL_ERR_SYNTAX);
  assert_non_null(strstr(err.text, "it is not COLLADA"));
}

/* Text and binary STL of one tetrahedron: coinciding corners become one point. */
static void stl(void** state) {
  (void)state;
  static const float point[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  char text[4096], binary[84 + 4 * 50] = "solid as some programs begin binary files, too";
  size_t n = 0;
  const uint32_t count = 4;

  n += (size_t)snprintf(text + n, sizeof text - n, "solid t\n");
  memcpy(binary + 80, &count, 4);
  for (int f = 0; f < 4; ++f) {
    n += (size_t)snprintf(text + n, sizeof text - n, "facet normal 0 0 0\nouter loop\n");
    for (int c = 0; c < 3; ++c) {
      const float* p = point[face[f][c]];
      n += (size_t)snprintf(text + n, sizeof text - n, "vertex %g %g %g\n", (double)p[0],
                            (double)p[1], (double)p[2]);
      memcpy(binary + 84 + 50 * f + 12 + 12 * c, p, 12);
    }
    n += (size_t)snprintf(text + n, sizeof text - n, "endloop\nendfacet\n");
  }
  const uint16_t green = 0x8000 | 31 << 5; /* VisCAM: five bits each, red highest */
  memcpy(binary + 84 + 48, &green, 2);

  for (int form = 0; form < 2; ++form) {
    near_context("%s", form ? "binary" : "text");
    const char* path = form ? "test_show_parts.STL" : "test_show_parts.stl";
    mesh m;
    apl_error err = {0};
    double area, volume;
    write_file(path, form ? binary : text, form ? sizeof binary : n);
    CHECK_OK(apl_mesh_read(path, NULL, &m, &err));
    assert_int_equal(m.npoint, 4);
    assert_int_equal(m.ncorner, 12);
    measure(&m, &area, &volume);
    CHECK_NEAR(fabs(volume), 1.0 / 6, 1e-7);
    CHECK_NEAR(area, 1.5 + 0.5 * sqrt(3), 1e-6);
    assert_int_equal(m.paint[0], form ? MESH_PAINTED + 0x00ff00 : 0);
    assert_int_equal(m.paint[1], 0);
    apl_mesh_free(&m);
    remove(path);
  }
  near_context("%s", "");
}

/* A fine sphere is made coarser, and keeps its size. */
static void thinning(void** state) {
  (void)state;
  enum { N = 100 };
  FILE* f = fopen("test_show_parts_ball.obj", "w");
  mesh m;
  apl_error err = {0};
  double area, volume;

  assert_non_null(f);
  for (int i = 0; i <= N; ++i)
    for (int k = 0; k < N; ++k) {
      const double a = 3.14159265358979323846 * i / N, b = 2 * 3.14159265358979323846 * k / N;
      fprintf(f, "v %.9g %.9g %.9g\n", sin(a) * cos(b), sin(a) * sin(b), cos(a));
    }
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < N; ++k)
      fprintf(f, "f %d %d %d %d\n", 1 + i * N + k, 1 + (i + 1) * N + k,
              1 + (i + 1) * N + (k + 1) % N, 1 + i * N + (k + 1) % N);
  fclose(f);
  CHECK_OK(apl_mesh_read("test_show_parts_ball.obj", NULL, &m, &err));
  CHECK_TRUE(m.ncorner / 3 <= 6000 && m.ncorner / 3 > 1000, "%zu triangles", m.ncorner / 3);
  measure(&m, &area, &volume);
  CHECK_NEAR(volume, 4.0 / 3 * 3.14159265358979323846, 0.1); /* of 2.4 % */
  apl_mesh_free(&m);
  remove("test_show_parts_ball.obj");
}

static void refused(void** state) {
  (void)state;
  mesh m;
  apl_error err = {0};

  assert_int_equal(apl_mesh_read("a.ply", NULL, &m, &err), APL_ERR_ARGUMENT);
  assert_string_equal(err.text, "meshes are read from .stl, .obj and .dae");
  assert_int_equal(apl_mesh_read("nowhere/a.stl", NULL, &m, &err), APL_ERR_IO);
  write_file("test_show_parts_empty.obj", "v 0 0 0\n", 8);
  assert_int_equal(apl_mesh_read("test_show_parts_empty.obj", NULL, &m, &err), APL_ERR_SYNTAX);
  assert_string_equal(err.text, "it has no triangles");
  static const char far[] = "v 1e30 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n";
  write_file("test_show_parts_empty.obj", far, sizeof far - 1);
  assert_int_equal(apl_mesh_read("test_show_parts_empty.obj", NULL, &m, &err), APL_ERR_SYNTAX);
  assert_non_null(strstr(err.text, "more than 1e18 m"));
  assert_null(m.point);
  remove("test_show_parts_empty.obj");
}

/* ----------------------------------------------------------------------------------- solid ---- */

/* m, m c, and the inertia R diag(I) R^T about the origin. */
static void moments(double m, vec3 c, mat3 R, const double I[3], double p[10]) {
  const double r[3][3] = {{R.xx, R.xy, R.xz}, {R.yx, R.yy, R.yz}, {R.zx, R.zy, R.zz}};
  const double x[3] = {c.x, c.y, c.z}, square = dot(c, c);
  double A[3][3];

  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      A[i][j] = (i == j ? m * square : 0) - m * x[i] * x[j];
      for (int k = 0; k < 3; ++k)
        A[i][j] += r[i][k] * I[k] * r[j][k];
    }
  const double all[10] = {m,       m * c.x, m * c.y, m * c.z, A[0][0],
                          A[1][1], A[2][2], A[0][1], A[0][2], A[1][2]};
  memcpy(p, all, sizeof all);
}

static double most(vec3 a) {
  return fmax(a.x, fmax(a.y, a.z));
}
static double least(vec3 a) {
  return fmin(a.x, fmin(a.y, a.z));
}

/* The moments of a tilted box, cylinder and ball give back their sizes, places and axes. */
static void solids(void** state) {
  (void)state;
  const vec3 c = {0.3, -0.2, 0.5}, z = {1, 2, -0.5};
  const mat3 R = apl_solid_axis(z);
  double p[10];
  solid s;

  const double edge[3] = {0.2, 0.5, 0.9}, m = 3; /* I_x = m (y^2 + z^2) / 12 */
  const double box[3] = {m * (0.25 + 0.81) / 12, m * (0.04 + 0.81) / 12, m * (0.04 + 0.25) / 12};
  moments(m, c, R, box, p);
  assert_true(apl_solid_of(p, &s));
  assert_int_equal(s.type, SOLID_BOX);
  CHECK_NEAR(s.at.x, c.x, 1e-13);
  CHECK_NEAR(s.at.z, c.z, 1e-13);
  CHECK_NEAR(most(s.edge), edge[2], 1e-12);
  CHECK_NEAR(least(s.edge), edge[0], 1e-12);
  CHECK_NEAR(s.edge.x + s.edge.y + s.edge.z, 1.6, 1e-12);
  CHECK_NEAR(apl_solid_size(&s), sqrt(0.04 + 0.25 + 0.81), 1e-12);
  const vec3 x = {s.R.xx, s.R.yx, s.R.zx}, y = {s.R.xy, s.R.yy, s.R.zy},
             w = {s.R.xz, s.R.yz, s.R.zz};
  CHECK_NEAR(dot(cross(x, y), w), 1, 1e-12); /* a rotation */
  const vec3 longest = s.edge.x > 0.8 ? x : s.edge.y > 0.8 ? y : w;
  CHECK_NEAR(fabs(dot(longest, z)) / sqrt(dot(z, z)), 1, 1e-12);

  const double r = 0.1, l = 0.7; /* I_z = m r^2 / 2, I_x = m (3 r^2 + l^2) / 12 */
  const double rod[3] = {m * (3 * r * r + l * l) / 12, m * (3 * r * r + l * l) / 12, m * r * r / 2};
  moments(m, c, R, rod, p);
  assert_true(apl_solid_of(p, &s));
  assert_int_equal(s.type, SOLID_CYLINDER);
  CHECK_NEAR(s.edge.x, r, 1e-12);
  CHECK_NEAR(s.edge.z, l, 1e-12);
  CHECK_NEAR(apl_solid_size(&s), l, 1e-12);
  const vec3 along = {s.R.xz, s.R.yz, s.R.zz};
  CHECK_NEAR(fabs(dot(along, z)) / sqrt(dot(z, z)), 1, 1e-12);

  const double ball[3] = {0.4 * m * r * r, 0.4 * m * r * r, 0.4 * m * r * r};
  moments(m, c, R, ball, p);
  assert_true(apl_solid_of(p, &s));
  assert_int_equal(s.type, SOLID_BALL);
  CHECK_NEAR(s.edge.x, r, 1e-12);
  CHECK_NEAR(apl_solid_size(&s), 2 * r, 1e-12);
}

/* No mass; a line without thickness; moments that no body has, 1 + 2 < 5. A plate is drawn thin. */
static void no_solid(void** state) {
  (void)state;
  const vec3 c = {0.1, 0, 0};
  double p[10];
  solid s;

  moments(0, c, mat3_identity(), (double[3]){1, 1, 1}, p);
  assert_false(apl_solid_of(p, &s));
  moments(1, c, mat3_identity(), (double[3]){0, 1, 1}, p);
  assert_false(apl_solid_of(p, &s));
  moments(1, c, mat3_identity(), (double[3]){1, 2, 5}, p);
  assert_false(apl_solid_of(p, &s));
  moments(1, c, mat3_identity(), (double[3]){-1, 2, 2}, p);
  assert_false(apl_solid_of(p, &s));
  moments(1, c, mat3_identity(), (double[3]){1, 2, 3}, p);
  assert_true(apl_solid_of(p, &s));
  assert_int_equal(s.type, SOLID_BOX);
  CHECK_NEAR(s.edge.x, sqrt(24), 1e-12);
  CHECK_NEAR(s.edge.z, 0.02 * sqrt(24), 1e-12);
}

static void rotations(void** state) {
  (void)state;
  static const vec3 to[] = {{0, 0, 1}, {0, 0, -2}, {1, 0, 0}, {0.3, -0.4, -0.5}, {1e-9, 0, -1}};

  for (size_t i = 0; i < sizeof to / sizeof *to; ++i) {
    near_context("direction %g %g %g", to[i].x, to[i].y, to[i].z);
    const mat3 R = apl_solid_axis(to[i]), B = apl_solid_back(R);
    const double n = sqrt(dot(to[i], to[i]));
    const vec3 z = mul(R, (vec3){0, 0, 1}), back = mul(B, mul(R, (vec3){0.2, 0.5, -0.7}));
    CHECK_NEAR(z.x, to[i].x / n, 1e-15);
    CHECK_NEAR(z.y, to[i].y / n, 1e-15);
    CHECK_NEAR(z.z, to[i].z / n, 1e-15);
    CHECK_NEAR(back.x, 0.2, 1e-15);
    CHECK_NEAR(back.y, 0.5, 1e-15);
    CHECK_NEAR(back.z, -0.7, 1e-15);
    const vec3 x = mul(R, (vec3){1, 0, 0}), y = mul(R, (vec3){0, 1, 0});
    CHECK_NEAR(dot(cross(x, y), z), 1, 1e-15);
  }
  near_context("%s", "");
  CHECK_NEAR(apl_solid_axis((vec3){0, 0, 0}).xx, 1, 0);

  const vec3 end = {2, 0, 0};
  CHECK_NEAR(apl_solid_distance((vec3){1, 3, 4}, end), 5, 1e-15);
  CHECK_NEAR(apl_solid_distance((vec3){-3, 4, 0}, end), 5, 1e-15);
  CHECK_NEAR(apl_solid_distance((vec3){5, 0, 4}, end), 5, 1e-15);
  CHECK_NEAR(apl_solid_distance((vec3){3, 0, 4}, (vec3){0, 0, 0}), 5, 1e-15);
}

/* ---------------------------------------------------------------------------------- trails ---- */

/* Numbers of a list that base64 holds. */
static size_t count(const json_t* way, const char* key) {
  const char* text = json_string_value(json_object_get(way, key));
  const size_t n = strlen(text);
  return (n / 4 * 3 - (text[n - 1] == '=') - (text[n - 2] == '=')) / sizeof(float);
}

/* Of a straight line only its ends remain, of an L three points, of a circle those that are a
   thousandth of its extent away from the chords: with the sagitta r (1 - cos(a/2)) = 2 sqrt(2) r /
   1000 about 2 pi / 0.15 = 42 of 1000. */
static void trails(void** state) {
  (void)state;
  enum { N = 1000 };
  apl_trails* t = apl_trails_new(3);

  assert_non_null(t);
  json_t* none = apl_trails_json(t);
  assert_int_equal(json_array_size(none), 0);
  json_decref(none);
  for (int i = 0; i <= N; ++i) {
    const double s = (double)i / N, a = 2 * 3.14159265358979323846 * s;
    const float now[21] = {(float)s,
                           (float)(2 * s),
                           0,
                           1,
                           0,
                           0,
                           0,
                           (float)fmin(2 * s, 1),
                           (float)fmax(2 * s - 1, 0),
                           0,
                           1,
                           0,
                           0,
                           0,
                           (float)cos(a),
                           (float)sin(a),
                           5,
                           1,
                           0,
                           0,
                           0};
    assert_true(apl_trails_add(t, s, now));
  }
  json_t* list = apl_trails_json(t);
  assert_int_equal(json_array_size(list), 3);
  for (size_t p = 0; p < 3; ++p) {
    const json_t* way = json_array_get(list, p);
    assert_int_equal(json_integer_value(json_object_get(way, "port")), p);
    assert_int_equal(count(way, "points"), 3 * count(way, "times"));
  }
  assert_int_equal(count(json_array_get(list, 0), "times"), 2);
  assert_int_equal(count(json_array_get(list, 1), "times"), 3);
  assert_in_range(count(json_array_get(list, 2), "times"), 40, 70);
  json_decref(list);
  apl_trails_free(t);
  apl_trails_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(base64),      cmocka_unit_test(complete), cmocka_unit_test(obj),
      cmocka_unit_test(obj_colours), cmocka_unit_test(paint),    cmocka_unit_test(dae),
      cmocka_unit_test(stl),         cmocka_unit_test(thinning), cmocka_unit_test(refused),
      cmocka_unit_test(solids),      cmocka_unit_test(no_solid), cmocka_unit_test(rotations),
      cmocka_unit_test(trails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
