/* SPDX-License-Identifier: Apache-2.0 */
/* test_flat.c: robots that move in a plane, which forward dynamics solves there. The same robot
   beside a hinge that turns out of the plane is solved in space: accelerations, efforts of
   prescribed freedoms, the ledger and all builds must not tell them apart. */
#include "checks.h"

#include "dynamics/extra.h"
#include "system/system.h"
#include "dense.h"
#include "passes.h"
#include "tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const joints[] = {"revolute", "revolute", "prismatic", "planar", "fixed"};
static const char* const bodies[] = {"rigid", "rigid", "arc", "arc/three", "arc/p5", "arc/t5"};

/* A place in the x-z plane, turned about y. */
static apl_pose place(rng* r) {
  return (apl_pose){{rng_between(r, -0.3, 0.3), 0, rng_between(r, -0.3, 0.3)},
                    apl_quat_axis((apl_vec3){0, 1, 0}, rng_between(r, -3, 3))};
}

static void flatten(plan_link* link, rng* r) {
  const double angle = rng_between(r, -3, 3);

  if (strcmp(link->joint, "revolute") == 0)
    plan_vec3(link, "joint.axis", 0, rng_below(r, 2) ? 1 : -1, 0);
  if (strcmp(link->joint, "prismatic") == 0)
    plan_vec3(link, "joint.axis", sin(angle), 0, cos(angle));
  if (strcmp(link->joint, "planar") == 0) plan_vec3(link, "joint.normal", 0, 1, 0);
  if (strcmp(link->body, "rigid") == 0) {
    const double inertia[6] = {0.03, 0.04, 0.035, 0, 0.004, 0};
    plan_vec3(link, "body.com", rng_between(r, -0.2, 0.2), 0, rng_between(r, -0.2, 0.2));
    plan_put(link, "body.inertia", inertia, 6);
  }
}

static plan* flat(rng* r, int links) {
  plan* p = plan_new();

  p->gravity = (apl_vec3){3, 4, -8}; /* forces normal to the plane have no effect */
  for (int i = 0; i < links; i++) {
    char name[16];
    char on[32] = "world";
    const int up = i == 0 ? -1 : rng_below(r, 4) ? i - 1 : rng_below(r, i);

    snprintf(name, sizeof name, "n%d", i);
    if (up >= 0) {
      const bool deforms = kind_of_body(p->link[up].body)->deforms;
      static const char* const port[3] = {"", ".a", ".tip"};
      snprintf(on, sizeof on, "n%d%s", up, port[rng_below(r, deforms ? 3 : 2)]);
    }
    plan_link* link = plan_add(p, name, on, joints[rng_below(r, 5)], bodies[rng_below(r, 6)]);
    kind_fill(link, r);
    if (rng_below(r, 3) == 0) kind_furnish(link, r);
    flatten(link, r);
    link->at = place(r);
    plan_at_port(link, "a", kind_of_body(link->body)->deforms ? rng_between(r, 0.1, 0.9) : 0,
                 place(r));
  }
  return p;
}

/* The same with a hinge out of the plane behind it: its velocity is the last one. */
static plan* beside(const plan* from) {
  plan* p = plan_copy(from);
  plan_link* link = plan_add(p, "away", "world", "revolute", "rigid");
  plan_vec3(link, "joint.axis", 1, 0, 0);
  plan_mass(link, 1, (apl_vec3){0, 0.1, 0.2}, 0.1, 0.1, 0.1);
  return p;
}

static void copy_point(const subject* from, subject* to) {
  memcpy(to->q, from->q, sizeof(double) * (size_t)from->nq);
  memcpy(to->v, from->v, sizeof(double) * (size_t)from->nv);
  memcpy(to->a, from->a, sizeof(double) * (size_t)from->nv);
  memcpy(to->tau, from->tau, sizeof(double) * (size_t)from->nv);
  memcpy(to->u, from->u, sizeof(double) * (size_t)from->nu);
  memcpy(to->load, from->load, sizeof(double) * (size_t)(6 * from->nport));
  memcpy(to->axes, from->axes, sizeof *from->axes * (size_t)from->nport);
}

/* y' of a system at the point, ledger included. */
static void rates_of(subject* sub, double* rate, double* P, double* W) {
  apl_system* system;
  apl_error err;

  if (apl_system_new(sub->model, &system, &err) != APL_OK)
    near_fail(__FILE__, __LINE__, "%s", err.text);
  apl_state* s = apl_system_state(system);
  double* y = subject_take(sub, apl_system_size(system));
  double* all = subject_take(sub, apl_system_size(system));
  subject_point(sub);
  memcpy(apl_q(s), sub->q, sizeof(double) * (size_t)sub->nq);
  memcpy(apl_v(s), sub->v, sizeof(double) * (size_t)sub->nv);
  memcpy(apl_a(s), sub->a, sizeof(double) * (size_t)sub->nv);
  memcpy(apl_tau(s), sub->tau, sizeof(double) * (size_t)sub->nv);
  if (sub->nu > 0) memcpy(apl_u(s), sub->u, sizeof(double) * (size_t)sub->nu);
  subject_loads(sub, s);
  apl_system_pack(system, y);
  CHECK_OK(apl_system_rate(0, y, all, system));
  memcpy(rate, all + sub->nq + sub->nv + sub->nsatellite, sizeof(double) * (APL_NACCOUNT + 6));
  CHECK_OK(apl_accounts(sub->model, s, P));
  CHECK_OK(apl_external(sub->model, s, W));
  apl_system_free(system);
}

static void compare(const plan* p, rng* r, bool loads) {
  plan* wide = beside(p);
  subject* sub = subject_open(p);
  subject* other = subject_open(wide);
  const int n = sub->nv;

  subject_randomise(sub, r);
  if (!loads) memset(sub->load, 0, sizeof(double) * (size_t)(6 * sub->nport));
  copy_point(sub, other);
  subject_point(sub);
  subject_point(other);
  CHECK_OK(apl_forward(sub->model, sub->s));
  CHECK_OK(apl_forward(other->model, other->s));
  const double* a = apl_a(sub->s);
  CHECK_ALIVE(a, n, 0.1);

  /* not better than the condition of M, which these chains have up to 1e5 of */
  CHECK_ARRAY(a, apl_a(other->s), n, 1e-12, 1 + near_max(a, n));
  const double scale = check_effort_scale(sub, subject_take(sub, n)) + near_max(a, n);
  subject_point(sub);
  CHECK_OK(apl_forward(sub->model, sub->s));
  CHECK_ARRAY(apl_tau(sub->s), apl_tau(other->s), n, 1e-12, scale);

  /* complex numbers without imaginary part */
  double* z = subject_take(sub, n);
  subject_complex(sub, NULL, NULL, NULL, NULL);
  CHECK_OK(apl_forward(sub->model, sub->z));
  subject_real(apl_a(sub->z), n, z);
  CHECK_ARRAY(z, apl_a(sub->s), n, 1e-12, 1 + near_max(a, n));

  /* the ledger */
  double rate[APL_NACCOUNT + 6];
  double P[APL_NACCOUNT];
  double W[6];
  rates_of(sub, rate, P, W);
  CHECK_ARRAY(rate, P, APL_NACCOUNT, 1e-12, 1 + near_max(P, APL_NACCOUNT));
  CHECK_ARRAY(rate + APL_NACCOUNT, W, 6, 1e-12, 1 + scale);
  subject_close(other);
  subject_close(sub);
  free(wide);
}

static void robots(void** state) {
  (void)state;
  for (unsigned i = 0; i < 120; i++) {
    rng r = rng_seed(500 + i);
    plan* p = flat(&r, 1 + (int)i % 8);
    int nv = 0;
    for (int k = 0; k < p->nlink; k++)
      nv += kind_of_joint(p->link[k].joint)->nv + kind_of_body(p->link[k].body)->nv;
    if (i % 3 == 2) tree_inputs(p);
    near_context("flat robot %u of %d links", i, p->nlink);
    if (nv > 0) compare(p, &r, i % 2 == 1);
    free(p);
  }
}

/* All the other checks hold for them too. */
static void all_checks(void** state) {
  (void)state;
  for (unsigned i = 0; i < 12; i++) {
    rng r = rng_seed(700 + i);
    plan* p = flat(&r, 2 + (int)i % 4);
    p->link[0].joint = "revolute"; /* something moves */
    p->link[0].rotor.used = false;
    kind_fill(&p->link[0], &r);
    flatten(&p->link[0], &r);
    near_context("checks of flat robot %u of %d links", i, p->nlink);
    check_all(p, &r, 2);
    free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots),
      cmocka_unit_test(all_checks),
  };
  return cmocka_run_group_tests_name("flat", tests, NULL, NULL);
}
