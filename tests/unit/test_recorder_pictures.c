/* SPDX-License-Identifier: Apache-2.0 */
/* test_recorder_pictures.c: a recorder makes the pictures of a robot once, for a result and a page
   and for a run that is resumed: its mesh is read once. The linker replaces apl_mesh_read() of the
   library (ld --wrap), so that calls are counted. */
#include "near.h"
#include "systems.h"

#include "appell/recorder.h"

#include "show/mesh.h"

#include <stdio.h>
#include <string.h>

static int reads;

apl_status __real_apl_mesh_read(const char* path, const apl_file* file, mesh* out, apl_error* err);
apl_status __wrap_apl_mesh_read(const char* path, const apl_file* file, mesh* out, apl_error* err);

apl_status __wrap_apl_mesh_read(const char* path, const apl_file* file, mesh* out, apl_error* err) {
  ++reads;
  return __real_apl_mesh_read(path, file, out, err);
}

static const char ROBOT[] = "appell: 1\nlinks:\n  - name: arm\n"
                            "    joint: {type: revolute, axis: z}\n"
                            "    body: {mass: 1, inertia: {zz: 1}}\n"
                            "    shapes: [{type: mesh, file: test_recorder_pictures.obj}]\n";

/* Run to time `to` with these files; returns how often the mesh was read. */
static int record(double to, const char* resume, const char* result, const char* page) {
  rig g = rig_text(ROBOT, APL_READY);
  apl_run_options run = apl_run_options_default();
  apl_recorder_options o = apl_recorder_options_default();
  apl_run_report report;
  apl_recorder* r = NULL;
  apl_error err = {0};

  run.to = to, run.output_every = 0.1;
  o.checkpoint_every = 1;
  o.resume = resume, o.result = result, o.page = page;
  reads = 0;
  CHECK_TRUE(apl_recorder_new(g.file, g.system, &run, &o, &r, &err) == APL_OK, "%s", err.text);
  CHECK_TRUE(apl_recorder_run(r, &report, &err) == APL_OK, "%s", err.text);
  apl_recorder_free(r);
  rig_close(&g);
  return reads;
}

/* The pictures of a result name one mesh, also those that were made for a page. */
static void check_pictures(const char* path) {
  apl_result* result;
  apl_error err = {0};

  CHECK_OK(apl_result_open(path, &result, &err));
  const char* text = apl_result_text(result, APL_RESULT_PICTURES);
  CHECK_TRUE(strstr(text, "\"meshes\":[{") != NULL, "%.200s", text);
  apl_result_free(result);
}

static void once(void** state) {
  (void)state;
  static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  FILE* f = fopen("test_recorder_pictures.obj", "w");

  assert_non_null(f);
  assert_int_equal(fwrite(obj, 1, sizeof obj - 1, f), sizeof obj - 1);
  assert_int_equal(fclose(f), 0);
  assert_int_equal(record(1, NULL, "test_recorder_pictures_1.h5", "test_recorder_pictures.html"),
                   1);
  check_pictures("test_recorder_pictures_1.h5");
  assert_int_equal(record(2, "test_recorder_pictures_1.h5", "test_recorder_pictures_2.h5", NULL),
                   1);
  check_pictures("test_recorder_pictures_2.h5");
  assert_int_equal(record(1, NULL, NULL, "test_recorder_pictures.html"), 1);
  assert_int_equal(record(1, NULL, NULL, NULL), 0); /* nothing to draw in */
  remove("test_recorder_pictures.obj");
  remove("test_recorder_pictures_1.h5");
  remove("test_recorder_pictures_2.h5");
  remove("test_recorder_pictures.html");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
