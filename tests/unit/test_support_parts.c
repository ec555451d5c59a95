/* SPDX-License-Identifier: Apache-2.0 */
/* test_support_parts.c: analyse/support_impl.h on the snake of the paper: the body stands where it
   is put, the ground gives what Newton's law asks for, and forces and impulses balance. */
#include "near.h"
#include "snake.h"
#include "systems.h"

#include "analyse/support_impl.h"
#include "dynamics/extra.h"
#include "file/asks.h"

#include <stdlib.h>
#include <string.h>

typedef struct crawl {
  rig g;
  apl_support* s;
} crawl;

static const double T = 3.1; /* a time inside the motion, away from changes of supports */

/* Compliant contacts are open, as they are during the analysis. */
static crawl crawl_open(double slope) {
  static char text[40000];
  snake paper = snake_paper();
  apl_support_options o = apl_support_options_default();
  apl_error err = {0};
  crawl c = {0};

  paper.slope = slope;
  snake_write(&paper, text, sizeof text);
  c.g = rig_text(text, 0);
  o.to = 0.1;
  o.waves = apl_file_waves(c.g.file);
  CHECK_TRUE(apl_support_new(c.g.system, &o, &c.s, &err) == APL_OK, "%s", err.text);
  for (int i = 0; i < apl_model_count(c.g.model, APL_CONTACTS); ++i)
    apl_contact_remember(c.s->s, i, 0, &(apl_contact){.mode = APL_CONTACT_OPEN});
  return c;
}

static void crawl_close(crawl* c) {
  apl_support_free(c->s);
  rig_close(&c->g);
}

/* What support_find.c found: 17 ends of 16 links on level ground, eight apart. */
static void found(void** state) {
  (void)state;
  crawl c = crawl_open(0);

  assert_int_equal(c.s->point.n, 17);
  assert_int_equal(c.s->arc.n, 0);
  assert_int_equal(c.s->period, 8); /* two waves on 16 links */
  CHECK_NEAR(c.s->mass, 1.6, 1e-12);
  CHECK_NEAR(c.s->coefficient, 0.3, 1e-15);
  CHECK_NEAR(c.s->gravity[0], 0, 1e-12);
  CHECK_NEAR(c.s->gravity[1], -9.81, 1e-12);
  CHECK_NEAR(c.s->up[2], 1, 1e-15);
  CHECK_NEAR(fabs(c.s->along[0]), 1, 1e-15);
  const support_pair p = {false, 3, 11};
  assert_ptr_equal(apl_support_part(c.s, p, 11), &c.s->point.part[11]);
  int list[APL_SUPPORT_MOST];
  assert_int_equal(apl_support_list(c.s, p, list), 2); /* 3 and 11; 19 is beyond the tail */
  assert_int_equal(list[0], 3);
  assert_int_equal(list[1], 11);
  assert_int_equal(apl_support_list(c.s, (support_pair){false, 8, 16}, list), 3);
  assert_int_equal(list[0], 0);
  assert_int_equal(list[2], 16);
  crawl_close(&c);
}

/* The base rests in its origin while the joints have their signals; then the pair is on the ground,
   and moves along it as asked. */
static void placed(void** state) {
  (void)state;
  crawl c = crawl_open(0);
  apl_support* s = c.s;
  support_pair p;
  apl_error err = {0};

  apl_support_shape(s, T);
  for (int k = 0; k < 3; ++k)
    CHECK_NEAR(apl_q(s->s)[s->q0 + k], 0, 0);
  CHECK_ALIVE(apl_v(s->s), s->nv, 1e-3);
  CHECK_OK(apl_support_choose(s, T, &p, &err));
  assert_int_equal(p.b - p.a, 8);

  CHECK_OK(apl_support_place(s, T, p, 0.7, 0.2, -0.4));
  const support_motion a = apl_support_motion_of(s, apl_support_part(s, p, p.a)),
                       b = apl_support_motion_of(s, apl_support_part(s, p, p.b));
  CHECK_NEAR(a.at.x, 0.7, 1e-14);
  CHECK_NEAR(a.at.z, 0, 1e-14);
  CHECK_NEAR(a.speed.x, 0.2, 1e-14);
  CHECK_NEAR(a.speed.z, 0, 1e-14);
  CHECK_NEAR(a.rate.x, -0.4, 1e-13);
  CHECK_NEAR(a.rate.z, 0, 1e-13);
  CHECK_NEAR(b.at.z, 0, 1e-14);
  CHECK_NEAR(b.speed.z, 0, 1e-14);
  CHECK_NEAR(b.rate.z, 0, 1e-13);
  CHECK_TRUE(b.at.x > a.at.x, "the second support is behind the first");

  /* the positions of all parts at once are the same, and none is below the ground */
  CHECK_OK(apl_support_look(s));
  for (int i = 0; i < s->point.n; ++i) {
    const planar x = apl_support_at(s, &s->point.part[i]);
    const support_motion m = apl_support_motion_of(s, &s->point.part[i]);
    CHECK_NEAR(x.x, m.at.x, 1e-14);
    CHECK_NEAR(x.z, m.at.z, 1e-14);
    CHECK_TRUE(x.z > -1e-12, "point %d is at %g", i, x.z);
  }
  /* a link lies along the line between its two ends, from which its lean follows */
  const planar from = apl_support_at(s, &s->point.part[4]),
               to = apl_support_at(s, &s->point.part[5]);
  CHECK_NEAR(apl_support_lean(s, &s->point.part[4]), atan2(to.z - from.z, to.x - from.x), 1e-12);
  crawl_close(&c);
}

/* m (x'' - g) = force of the ground, with x'' of the centre by differences of its place in time. */
static void needs(void** state) {
  (void)state;
  const double h = 2e-3;
  for (int tilted = 0; tilted < 2; ++tilted) {
    crawl c = crawl_open(tilted ? 0.1 : 0);
    apl_support* s = c.s;
    support_pair p;
    apl_error err = {0};
    planar x[5];
    near_context("%s", tilted ? "slope" : "level");

    CHECK_OK(apl_support_choose(s, T, &p, &err));
    for (int k = 0; k < 5; ++k) {
      CHECK_OK(apl_support_place(s, T + (k - 2) * h, p, 0, 0, 0));
      x[k] = apl_support_center(s);
    }
    CHECK_OK(apl_support_place(s, T, p, 0, 0, 0));
    CHECK_OK(apl_support_needs(s));
    /* fourth order: (-x0 + 16 x1 - 30 x2 + 16 x3 - x4) / 12 h^2; round-off 1e-16 / h^2 */
    const double ax = (-x[0].x + 16 * x[1].x - 30 * x[2].x + 16 * x[3].x - x[4].x) / (12 * h * h);
    const double az = (-x[0].z + 16 * x[1].z - 30 * x[2].z + 16 * x[3].z - x[4].z) / (12 * h * h);
    CHECK_TRUE(fabs(ax) > 1e-3, "the centre does not accelerate");
    CHECK_NEAR(s->need.x, s->mass * (ax - s->gravity[0]), 1e-8);
    CHECK_NEAR(s->need.z, s->mass * (az - s->gravity[1]), 1e-8);
    CHECK_NEAR(s->gravity[0], tilted ? -9.81 * sin(0.1) : 0, 1e-12);
    crawl_close(&c);
  }
  near_context("%s", "");
}

/* Forces of two supports: their sum and their moment are what is needed, friction is shared alike,
   and the base needs no effort any more. */
static void shared(void** state) {
  (void)state;
  crawl c = crawl_open(0);
  apl_support* s = c.s;
  support_pair p;
  apl_error err = {0};
  apl_support_row row = {.t = T};
  double* effort = calloc((size_t)s->nv, sizeof *effort);

  CHECK_OK(apl_support_choose(s, T, &p, &err));
  CHECK_OK(apl_support_place(s, T, p, 0, 0, 0));
  CHECK_OK(apl_support_share(s, p, &row, effort, &err));
  const double x[2] = {apl_support_motion_of(s, apl_support_part(s, p, p.a)).at.x,
                       apl_support_motion_of(s, apl_support_part(s, p, p.b)).at.x};
  assert_int_equal(row.nsupport, 2);
  assert_int_equal(row.support[0], p.a + 1);
  CHECK_NEAR(row.normal[0] + row.normal[1], s->need.z, 1e-12);
  CHECK_NEAR(row.friction[0] + row.friction[1], s->need.x, 1e-12);
  CHECK_NEAR(row.normal[0] * x[0] + row.normal[1] * x[1], s->need.z * apl_support_moment_point(s),
             1e-12);
  CHECK_NEAR(row.friction[0] * row.normal[1], row.friction[1] * row.normal[0], 1e-12);
  CHECK_TRUE(row.normal[0] > 0 && row.normal[1] > 0, "a support pulls");
  for (int k = 0; k < 3; ++k)
    CHECK_NEAR(effort[s->v0 + k], 0, 1e-12);
  CHECK_ALIVE(effort, s->nv, 1e-2);

  /* full friction forwards on both: the whole weight times mu accelerates */
  CHECK_OK(apl_support_place(s, T, p, 0, 0, 0));
  CHECK_NEAR(apl_support_pull(s, p, (double[]){1, 1}), (0.3 * s->need.z - s->need.x) / s->mass,
             1e-12);
  CHECK_NEAR(apl_support_pull(s, p, (double[]){0, 0}), -s->need.x / s->mass, 1e-12);
  free(effort);
  crawl_close(&c);
}

/* Impulses: what the supports give is the momentum upwards and about the base, so that nothing is
   left to the base. A change from a pair to itself changes nothing; to another pair velocities
   jump, and the velocity of the centre upwards with the impulses of the ground. */
static void struck(void** state) {
  (void)state;
  crawl c = crawl_open(0);
  apl_support* s = c.s;
  support_pair p;
  apl_error err = {0};
  double* momenta = calloc(2 * (size_t)s->nv, sizeof *momenta);
  double *impulse = momenta + s->nv, hit[2];

  CHECK_OK(apl_support_choose(s, T, &p, &err));
  CHECK_OK(apl_support_place(s, T, p, 0, 0, 0));
  for (int j = 0; j < 2; ++j) /* 0.5 N s upwards, none along the ground */
    momenta[s->v0 + j] = 0.5 * s->frame[j][1];
  momenta[s->v0 + 2] = -0.2;
  CHECK_OK(apl_support_strike(s, p, momenta, hit, impulse));
  CHECK_NEAR(hit[0] + hit[1], 0.5, 1e-14);
  for (int k = 0; k < 3; ++k)
    CHECK_NEAR(impulse[s->v0 + k], 0, 1e-13);
  CHECK_ALIVE(impulse, s->nv, 1e-3);

  apl_support_switch change;
  double way = 0.4, slip = 0.1;
  CHECK_OK(apl_support_jump(s, T, p, p, &way, &slip, &change, impulse));
  CHECK_NEAR(way, 0.4, 1e-14);
  CHECK_NEAR(slip, 0.1, 1e-14);
  CHECK_NEAR(change.lift, 0, 1e-13);
  CHECK_NEAR(change.turn, 0, 1e-13);
  for (int v = 0; v < s->nv; ++v)
    CHECK_NEAR(impulse[v], 0, 1e-13);

  const support_pair next = {false, p.a + 1, p.b + 1};
  CHECK_OK(apl_support_jump(s, T, p, next, &way, &slip, &change, impulse));
  assert_int_equal(change.before[0], p.a + 1);
  assert_int_equal(change.after[1], p.b + 2);
  CHECK_TRUE(fabs(change.lift) > 1e-6, "nothing jumps");
  CHECK_NEAR(change.impulse[0] + change.impulse[1], s->mass * change.lift, 1e-12);
  CHECK_NEAR(apl_support_motion_of(s, apl_support_part(s, next, next.a)).at.x, way, 1e-13);
  free(momenta);
  crawl_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(found), cmocka_unit_test(placed),
                                     cmocka_unit_test(needs), cmocka_unit_test(shared),
                                     cmocka_unit_test(struck)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
