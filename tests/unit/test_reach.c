/* SPDX-License-Identifier: Apache-2.0 */
/* test_reach.c: text/place.h, text/reach.h and text/slurp.h on a small tree of files:

     T/robot/urdf/arm.urdf    T/robot/meshes/a.stl    T/robot/urdf/in -> ../meshes/a.stl
     T/robot/urdf/out -> ../../secret    T/secret    T/shared/b.stl                             */
#define _XOPEN_SOURCE 700 /* mkdtemp, symlink, chdir */
#include "near.h"

#include "text/place.h"
#include "text/reach.h"
#include "text/slurp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[] = "/tmp/appell_reach_XXXXXX";
static char home[APL_REACH_PATH];

static void put(const char* name, const char* text) {
  FILE* f = fopen(name, "wb");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static int setup(void** state) {
  (void)state;
  if (getcwd(home, sizeof home) == NULL || mkdtemp(top) == NULL || chdir(top) != 0) return -1;
  if (mkdir("robot", 0755) + mkdir("robot/urdf", 0755) + mkdir("robot/meshes", 0755) +
          mkdir("shared", 0755) !=
      0)
    return -1;
  put("robot/urdf/arm.urdf", "<robot/>");
  put("robot/meshes/a.stl", "solid");
  put("secret", "key");
  put("shared/b.stl", "");
  return symlink("../meshes/a.stl", "robot/urdf/in") + symlink("../../secret", "robot/urdf/out");
}

static int teardown(void** state) {
  static const char* const name[] = {"robot/urdf/arm.urdf",
                                     "robot/urdf/in",
                                     "robot/urdf/out",
                                     "robot/meshes/a.stl",
                                     "secret",
                                     "shared/b.stl",
                                     "robot/urdf",
                                     "robot/meshes",
                                     "robot",
                                     "shared"};
  (void)state;
  for (size_t i = 0; i < sizeof name / sizeof *name; ++i)
    (void)remove(name[i]);
  return chdir(home) + rmdir(top);
}

static void places(void** state) {
  char out[APL_REACH_PATH], a[APL_REACH_PATH], b[APL_REACH_PATH];

  (void)state;
  assert_true(apl_place_exists("secret"));
  assert_true(apl_place_exists("robot"));
  assert_false(apl_place_exists("nothing"));
  assert_true(apl_place_real("robot/urdf/in", a));
  assert_true(apl_place_real("./robot/../robot/meshes/a.stl", b));
  assert_string_equal(a, b);
  assert_true(a[0] == '/');
  assert_false(apl_place_real("robot/nothing", a));

  /* addresses of files, with three slashes, with one, and what only looks like one */
  assert_string_equal(apl_place_local("file:///home/a.stl"), "/home/a.stl");
  assert_string_equal(apl_place_local("file:/home/a.stl"), "/home/a.stl");
  assert_string_equal(apl_place_local("file://a.stl"), "a.stl");
  assert_string_equal(apl_place_local("file:a.stl"), "file:a.stl");
  assert_string_equal(apl_place_local("meshes/a.stl"), "meshes/a.stl");
  assert_true(apl_place_absolute("/a") && apl_place_absolute("file:/a") &&
              apl_place_absolute("package://a/b"));
  assert_false(apl_place_absolute("a/b") || apl_place_absolute("file:a"));

  assert_true(apl_place_seen("robot/urdf/", "robot/meshes/a.stl", out));
  assert_string_equal(out, "../meshes/a.stl");
  assert_true(apl_place_seen("robot/urdf", "secret", out));
  assert_string_equal(out, "../../secret");
  assert_true(apl_place_seen("", "robot/meshes/a.stl", out));
  assert_string_equal(out, "robot/meshes/a.stl");
  assert_true(apl_place_seen("robot", "robot/urdf/arm.urdf", out));
  assert_string_equal(out, "urdf/arm.urdf");
  assert_true(apl_place_seen("robot/urdf", "robot/urdf/in", out)); /* the link keeps its name */
  assert_string_equal(out, "in");
  assert_true(apl_place_seen("robot", "/dev/null", out)); /* nothing in common but the root */
  assert_string_equal(out, "/dev/null");
  assert_false(apl_place_seen("robot", "nothing", out));
  assert_false(apl_place_seen("nothing", "secret", out));
}

static void reached(const text_reach* reach, const char* name, const char* path) {
  char out[APL_REACH_PATH];
  apl_error err;
  near_context("%s from %s", name, reach->folder);
  CHECK_OK(apl_reach_file(reach, name, out, &err));
  struct stat want, got; /* the same file, whatever it is called */
  assert_int_equal(stat(path, &want) + stat(out, &got), 0);
  assert_true(want.st_ino == got.st_ino);
}

static void out_of_reach(const text_reach* reach, const char* name, const char* word) {
  char out[APL_REACH_PATH];
  apl_error err = {0};
  near_context("%s from %s", name, reach->folder);
  assert_int_equal(apl_reach_file(reach, name, out, &err), APL_ERR_IO);
  CHECK_TRUE(strstr(err.text, word) != NULL, "%s", err.text);
}

static void reaches(void** state) {
  const text_reach model = {.folder = "robot/urdf/"}, here = {.folder = ""};
  const text_reach allowed = {.folder = "robot/urdf/", .allow = "nowhere:shared"};
  char longer[APL_REACH_PATH + 8];

  (void)state;
  reached(&model, "arm.urdf", "robot/urdf/arm.urdf");
  reached(&model, "../meshes/a.stl", "robot/meshes/a.stl"); /* pictures beside its folder */
  reached(&model, "in", "robot/meshes/a.stl");
  reached(&here, "secret", "secret");
  reached(&allowed, "../../shared/b.stl", "shared/b.stl");
  out_of_reach(&model, "../../shared/b.stl", "shared/b.stl");
  out_of_reach(&model, "../../secret", "secret");
  out_of_reach(&model, "out", "out"); /* a link counts as where it leads to */
  out_of_reach(&model, "/etc/passwd", "/etc/passwd");
  out_of_reach(&allowed, "../../secret", "secret");
  out_of_reach(&model, "nothing.stl", "cannot be read");
  out_of_reach(&here, "robot", "not an ordinary file");
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  out_of_reach(&model, longer, "too long");
  near_context(" ");
}

static void whole_files(void** state) {
  apl_error err;
  size_t size;
  char* text;

  (void)state;
  CHECK_OK(apl_slurp("robot/meshes/a.stl", 5, &text, &size, &err)); /* exactly the limit */
  assert_string_equal(text, "solid");
  assert_int_equal(size, 5);
  free(text);
  CHECK_OK(apl_slurp("shared/b.stl", 5, &text, &size, &err));
  assert_string_equal(text, "");
  assert_int_equal(size, 0);
  free(text);
  assert_int_equal(apl_slurp("robot/meshes/a.stl", 4, &text, &size, &err), APL_ERR_IO);
  assert_non_null(strstr(err.text, "larger than the 4 bytes"));
  assert_int_equal(apl_slurp("nothing", 4, &text, &size, &err), APL_ERR_IO);
  assert_non_null(strstr(err.text, "cannot be opened"));
  assert_int_equal(apl_slurp("robot", 4, &text, &size, &err), APL_ERR_IO);
  assert_true(strlen(err.text) > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places),
      cmocka_unit_test(reaches),
      cmocka_unit_test(whole_files),
  };
  return cmocka_run_group_tests_name("reach", tests, setup, teardown);
}
