/* SPDX-License-Identifier: Apache-2.0 */
/* test_touch_rows.c: dynamics/contact_state.h, couple/contact_rows.h and couple/near.h: what a
   contact remembers, its three rows, and which solids are near each other. */
#include "near.h"

#include "couple/contact_rows.h"
#include "couple/near.h"
#include "dynamics/contact_state.h"
#include "dynamics/passes.h"
#include "dynamics/rows.h"

#include "random.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* A ball of radius 0.1 that moves freely over the floor z = 0, 0.01 deep in it. */
static void ball_on_floor(apl_model** m, apl_state** s) {
  apl_spec* spec;
  apl_error err;
  apl_surface floor = apl_surface_default();

  floor.stiffness = 1e4, floor.friction = "coulomb", floor.v0 = 0.01;
  floor.coefficient = 0.5, floor.backward = 0.25, floor.left = 0.4, floor.right = 0.3;
  CHECK_OK(apl_spec_new(&spec));
  apl_spec_gravity(spec, (apl_vec3){0, 0, -10});
  const int ball = apl_spec_link(spec, "ball", "world", "floating", "rigid");
  apl_spec_number(spec, ball, "body.mass", 2);
  apl_spec_put(spec, ball, "body.inertia", (double[]){0.01, 0.01, 0.01, 0, 0, 0}, 6);
  apl_spec_ground(spec, "floor", &floor);
  apl_spec_contact(spec, "ball.root", "floor", 0.1);
  if (apl_model_new(spec, m, &err) != APL_OK) near_fail(__FILE__, __LINE__, "%s", err.text);
  apl_spec_free(spec);
  CHECK_OK(apl_state_new(*m, APL_SCALAR, s));
  (*s)->q[2] = 0.09;
}

static void contact_rows(void** state) {
  apl_model* m;
  apl_state* s;
  apl_way way[3];
  double number[3 * ROW_NUMBERS], rate[3], second[3], rubbed[ROW_NUMBERS];
  const double v[6] = {0.3, -0.2, 0.1, 0.7, 0.5, -0.4};

  (void)state;
  ball_on_floor(&m, &s);
  memcpy(s->v, v, sizeof v);
  CHECK_OK(apl_contacts(m, s));
  contact_state* c = apl_state_contact(s, 0);
  assert_int_equal(CONTACT_NUMBERS, 3 + 2 + 3 + 2 + 2 + 3 + 2 + 9 + 3 + 3);
  assert_null(apl_state_touch(s, 0)); /* a port over a ground has no pair of solids */
  CHECK_NEAR(c->depth, 0.01, 1e-15);
  CHECK_NEAR(c->axis[2], 1, 1e-15); /* the normal */
  CHECK_NEAR(c->force[0], 1e4 * pow(0.01, 1.5), 1e-9);

  /* the rows move at -rate and slip */
  CHECK_OK(apl_frames_move(m, s, true));
  apl_contact_ways(m, s, 0, way, number);
  CHECK_OK(apl_ways_motion(m, s, way, number, 3, rate, NULL));
  CHECK_NEAR(rate[0], -c->rate, 1e-14);
  CHECK_NEAR(rate[1], c->slip[0], 1e-14);
  CHECK_NEAR(rate[2], c->slip[1], 1e-14);
  CHECK_ALIVE(rate, 3, 0.01);

  /* accelerations: differences of the rates after a short time of free motion */
  double before[3], qdot[7];
  const double h = 1e-5;
  for (int i = 0; i < 6; ++i)
    s->a[i] = 0.1 * (i + 1);
  CHECK_OK(apl_frames_move(m, s, true));
  apl_contact_accelerations(m, s, 0, number, second);
  CHECK_OK(apl_rates(m, s, qdot));
  double q0[7], v0[6];
  memcpy(q0, s->q, sizeof q0), memcpy(v0, s->v, sizeof v0);
  for (int side = 0; side < 2; ++side) {
    const double k = side == 0 ? -h : h;
    for (int i = 0; i < 7; ++i)
      s->q[i] = q0[i] + k * qdot[i];
    for (int i = 0; i < 6; ++i)
      s->v[i] = v0[i] + k * s->a[i];
    CHECK_OK(apl_contacts(m, s));
    const double now[3] = {-c->rate, c->slip[0], c->slip[1]};
    if (side == 0) memcpy(before, now, sizeof before);
    for (int i = 0; i < 3 && side == 1; ++i)
      CHECK_NEAR(second[i], (now[i] - before[i]) / (2 * h), 1e-7);
  }

  /* friction acts against slip: forward slip meets the coefficient on minus the first direction */
  const apl_section section = apl_contact_section(m, 0, false);
  CHECK_NEAR(section.minus[0], 0.5, 1e-15);
  CHECK_NEAR(section.plus[0], 0.25, 1e-15);
  CHECK_NEAR(section.minus[1], 0.4, 1e-15);
  CHECK_NEAR(section.plus[1], 0.3, 1e-15);
  apl_contact_rubbing(number, (double[]){0.5, -2}, rubbed);
  for (int i = 0; i < ROW_NUMBERS; ++i)
    CHECK_NEAR(rubbed[i],
               number[i] + 0.5 * number[ROW_NUMBERS + i] - 2 * number[2 * ROW_NUMBERS + i], 1e-15);
  apl_state_free(s);
  apl_model_free(m);
}

/* ------------------------------------------------------------------------------------- near ----
 */

enum { BALLS = 7 };

/* Balls of radius 0.1 on floating joints, all of which may touch each other. */
static void many_balls(apl_file** file, apl_model** m, apl_state** s) {
  char text[4000];
  int n = snprintf(text, sizeof text, "appell: 1\nlinks:\n");
  for (int i = 0; i < BALLS; ++i)
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "  - {name: b%d, joint: floating, body: {mass: 1, inertia: {xx: 0.004, yy: "
                  "0.004, zz: 0.004}}, "
                  "shapes: [{type: sphere, radius: 0.1}]}\n",
                  i);
  snprintf(text + n, sizeof text - (size_t)n,
           "collide: [{law: {normal: hertz, stiffness: 1e5}}]\n");
  text_load(text, file, m);
  CHECK_OK(apl_state_new(*m, APL_SCALAR, s));
}

/* The list of near places is that of all pairs looked at one by one. */
static void near_pairs(void** state) {
  apl_file* file;
  apl_model* m;
  apl_state* s;
  apl_near near;
  rng r = rng_seed(5);
  int deep = 0;

  (void)state;
  many_balls(&file, &m, &s);
  assert_int_equal(m->nsolid, BALLS);
  CHECK_OK(apl_near_new(m, &near));
  for (int trial = 0; trial < 30; ++trial) {
    double x[BALLS][3];
    int want = 0, found = 0;
    double deepest = 0;
    for (int i = 0; i < BALLS; ++i) {
      for (int k = 0; k < 3; ++k)
        s->q[m->link[i].q0 + k] = x[i][k] = rng_between(&r, -0.25, 0.25);
    }
    if (apl_near_find(&near, m, s, 0) != -1) continue; /* no room for all */
    for (int i = 0; i < BALLS; ++i) {
      for (int j = i + 1; j < BALLS; ++j) {
        const double d =
            sqrt(pow(x[i][0] - x[j][0], 2) + pow(x[i][1] - x[j][1], 2) + pow(x[i][2] - x[j][2], 2));
        want += d < 0.2;
        deepest = fmax(deepest, 0.2 - d);
      }
    }
    for (int k = 0; k < near.n; ++k) {
      const near_place* p = &near.list[k];
      const double *a = x[p->solid[0]], *b = x[p->solid[1]];
      const double d = sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
      CHECK_NEAR(p->depth, 0.2 - d, 1e-14);
      assert_true(p->solid[0] != p->solid[1]);
      found += p->depth > 0;
    }
    assert_int_equal(found, want);
    deep += want;

    near_place worst;
    const bool any = apl_near_overlap(&near, m, s, &worst);
    if (want == 0) assert_false(any);
    if (any) CHECK_NEAR(worst.depth, deepest, 1e-14);
  }
  assert_in_range(deep, 20, 10000);

  /* a horizon reaches what comes nearer: two balls 0.3 apart, closing at 2 m/s */
  for (int i = 0; i < BALLS; ++i) {
    for (int k = 0; k < 3; ++k)
      s->q[m->link[i].q0 + k] = k == 0 ? 10.0 * i : 0;
  }
  s->q[m->link[1].q0] = 0.5;
  assert_int_equal(apl_near_find(&near, m, s, 0), -1);
  assert_int_equal(near.n, 0);
  for (int k = 0; k < 6; ++k) /* whichever of its velocities moves it along x */
    s->v[m->link[0].v0 + k] = 2;
  assert_int_equal(apl_near_find(&near, m, s, 0.2), -1);
  assert_int_equal(near.n, 1);
  assert_true(near.list[0].depth < 0);

  /* places where shapes are in each other become contacts, and are given back */
  s->q[m->link[1].q0] = 0.15;
  assert_int_equal(apl_near_fill(&near, m, s), -1);
  int on = 0;
  for (int i = 0; i < m->npair; ++i) {
    const contact_touch* t = apl_state_touch(s, i);
    on += t != NULL && t->solid[0] + t->solid[1] > 0;
  }
  assert_int_equal(on, 1);
  apl_near_part(m, s, NULL);
  for (int i = 0; i < m->npair; ++i)
    assert_int_equal(apl_state_touch(s, i)->solid[0], 0);
  apl_near_free(&near);
  apl_state_free(s);
  apl_model_free(m);
  apl_file_free(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(contact_rows), cmocka_unit_test(near_pairs)};
  return cmocka_run_group_tests_name("touch_rows", tests, NULL, NULL);
}
