/* SPDX-License-Identifier: Apache-2.0 */
/* test_show_pages.c: show/places.h, bodies.h, pictures.h, replay.h and replay_impl.h on an arm and
   a base on wheels. */
#include "near.h"
#include "systems.h"

#include "show/bodies.h"
#include "show/pictures.h"
#include "show/places.h"
#include "show/replay.h"
#include "show/replay_impl.h"
#include "spec/parts.h"

#include <stdlib.h>
#include <string.h>

static const char ROBOT[] =
    "appell: 1\nname: cart\nlinks:\n"
    "  - name: base\n"
    "    joint: {type: differential-drive, wheel-radius: 80 mm, half-track: 145 mm}\n"
    "    body: {mass: 6, inertia: {zz: 0.06}}\n"
    "    ports: {mount: {at: [0.2, 0, 0.3]}}\n"
    "  - name: arm\n    on: base.mount\n    joint: {type: revolute, axis: z}\n"
    "    body: {mass: 2, com: [0.5, 0, 0], inertia: {xx: 0.01, yy: 0.1, zz: 0.1}}\n"
    "    ports: {tip: {at: [1, 0, 0]}}\n"
    "    shapes: [{type: box, size: [1, 0.1, 0.1], at: [0.5, 0, 0]}]\n";

static int place_of(const json_t* ports, const char* name) {
  for (size_t i = 0; i < json_array_size(ports); ++i) {
    const char* text = json_string_value(json_object_get(json_array_get(ports, i), "name"));
    if (text != NULL && strcmp(text, name) == 0) return (int)i;
  }
  return -1;
}

/* The base stands at (3, 4) with heading 90 degrees, the arm is turned by 90 degrees more: its tip
   is 0.2 m ahead, along y, and 1 m to the left, along -x. Wheels are at +-half-track beside it. */
static void places(void** state) {
  (void)state;
  rig g = rig_text(ROBOT, 0);
  apl_places* p = apl_places_new(g.model);
  apl_state* s = apl_system_state(g.system);
  const double quarter = 1.57079632679489662;

  assert_non_null(p);
  apl_q(s)[0] = 3, apl_q(s)[1] = 4, apl_q(s)[2] = quarter, apl_q(s)[3] = quarter;
  const int n = apl_places_count(p);
  float* to = calloc((size_t)n * PLACE_POSE, sizeof *to);
  CHECK_OK(apl_places_look(p, s, to));
  json_t* ports = apl_places_json(p);
  assert_int_equal(json_array_size(ports), n);
  const int tip = place_of(ports, "arm.tip");
  assert_in_range(tip, 0, n - 1);
  CHECK_NEAR((double)to[PLACE_POSE * tip], 3 - 1, 1e-6);
  CHECK_NEAR((double)to[PLACE_POSE * tip + 1], 4.2, 1e-6);
  CHECK_NEAR(fabs((double)to[PLACE_POSE * tip + 6]), 1, 1e-6); /* half a turn about z */

  assert_int_equal(apl_places_nwheel(p), 2);
  assert_int_equal(apl_places_section(p), apl_places_tendon(p)); /* no deformable body */
  double side = 0;
  for (int i = 0; i < 2; ++i) {
    const apl_place_wheel w = apl_places_wheel(p, i);
    CHECK_NEAR(w.radius, 0.08, 1e-15);
    assert_int_equal(w.link, 0);
    CHECK_NEAR(fabs((double)to[PLACE_POSE * w.place] - 3), 0.145, 1e-6); /* along x now */
    CHECK_NEAR((double)to[PLACE_POSE * w.place + 1], 4, 1e-6);
    side += (double)to[PLACE_POSE * w.place] - 3;
  }
  CHECK_NEAR(side, 0, 1e-6); /* one on each side */
  /* the centre of mass is the last: 6 kg at the base, 2 kg at (3 - 0.5, 4.2, z) */
  const float* centre = to + PLACE_POSE * (n - 1);
  CHECK_NEAR((double)centre[0], (6 * 3 + 2 * 2.5) / 8, 1e-6);
  CHECK_NEAR((double)centre[1], (6 * 4 + 2 * 4.2) / 8, 1e-6);

  apl_footing foot;
  mat3 to_root;
  apl_place_footing(g.model, 0, apl_q(s), &foot, &to_root);
  assert_true(foot.count >= 2);
  CHECK_NEAR(to_root.zz, 1, 1e-15); /* it stands upright */

  /* the base has no shapes and gets pictures, the arm has its own */
  bool shown[2] = {false, true};
  json_t *list = json_array(), *none = json_array();
  assert_true(apl_bodies_add(&list, p, g.model, shown));
  assert_true(json_array_size(list) >= 2); /* two wheels at least */
  shown[0] = true;
  assert_true(apl_bodies_add(&none, p, g.model, shown));
  CHECK_TRUE(json_array_size(none) < json_array_size(list), "all links are drawn twice");
  json_decref(list);
  json_decref(none);
  json_decref(ports);
  free(to);
  apl_places_free(p);
  apl_places_free(NULL);
  rig_close(&g);
}

static void pictures(void** state) {
  (void)state;
  rig g = rig_text(ROBOT, 0);
  json_t* all = apl_pictures(g.model, g.file, NULL);

  assert_non_null(all);
  const json_t* shapes = json_object_get(all, "shapes");
  bool box = false;
  for (size_t i = 0; i < json_array_size(shapes); ++i) {
    const char* type = json_string_value(json_object_get(json_array_get(shapes, i), "type"));
    assert_non_null(type);
    box = box || strcmp(type, "box") == 0;
  }
  assert_true(box);
  assert_true(json_is_array(json_object_get(all, "ports")));
  assert_int_equal(json_array_size(json_object_get(all, "strips")), 0);

  /* the text of the same, as results keep it */
  char* text = apl_file_pictures(g.file, g.model, NULL);
  json_t* read = json_loads(text, 0, NULL);
  assert_true(json_equal(read, all));
  json_decref(read);
  json_decref(all);
  apl_text_free(text);
  rig_close(&g);
}

/* Frames, channels and words of a replay come back from its JSON. */
static void replay(void** state) {
  (void)state;
  rig g = rig_text(ROBOT, 0);
  static const apl_channel channel[2] = {{"time", "s", "time"}, {"x", "m", "place"}};
  static const char* const warning[] = {"</script> beware"};
  const apl_replay_line line = {"mass", NULL, 8, "kg"};
  const apl_replay_words words = {.name = "cart",
                                  .description = "d",
                                  .status = "finished",
                                  .warning = warning,
                                  .nwarning = 1,
                                  .line = &line,
                                  .nline = 1};
  apl_replay* r;
  apl_state* s = apl_system_state(g.system);

  CHECK_OK(apl_replay_new(g.model, channel, 2, &r));
  for (int i = 0; i < 5000; ++i) {
    const double t = 0.01 * i;
    apl_q(s)[0] = t;
    CHECK_OK(apl_replay_add(r, t, (double[]){t, t * t}, s));
  }
  json_t* page = apl_replay_json(r, json_object(), &words);
  assert_non_null(page);
  assert_string_equal(json_string_value(json_object_get(page, "name")), "cart");
  char* text = json_dumps(page, 0);
  assert_non_null(strstr(text, "beware"));
  assert_non_null(strstr(text, "finished"));
  /* at most 2000 frames of all poses: 7 floats each, four letters for three bytes */
  CHECK_TRUE(strlen(text) < 2000 * 20 * 7 * 6 + 100000, "%zu letters", strlen(text));
  free(text);
  json_decref(page);

  /* one frame on its own, and none of a state that is not finite */
  char* frame = apl_replay_frame(r, 1.5, (double[]){1.5, 2.25}, s);
  assert_non_null(frame);
  json_t* read = json_loads(frame, 0, NULL);
  assert_non_null(read);
  assert_non_null(strstr(frame, "1.5"));
  json_decref(read);
  apl_text_free(frame);
  apl_q(s)[0] = NEAR_NAN;
  assert_null(apl_replay_frame(r, 1.5, (double[]){1.5, 2.25}, s));
  apl_replay_free(r);
  apl_replay_free(NULL);

  apl_error err = {0};
  assert_int_equal(apl_replay_put(NULL, "test_show_pages.html", &err), APL_ERR_MEMORY);
  rig_close(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places),
      cmocka_unit_test(pictures),
      cmocka_unit_test(replay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
