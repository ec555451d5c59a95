/* SPDX-License-Identifier: Apache-2.0 */
/* test_equivalent.c: one robot written in two ways must move the same: joints as chains of simpler
   joints with massless links, a screw as a coupled cylinder, fixed links as one body. */
#include "checks.h"

#include "math/pose.h"
#include "dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Round-off of two different sums for the same thing. */
#define TOLERANCE 1e-12

/* Both robots have the same q and v in the same order: the same motion must need the same efforts,
   with the same mass matrix, energy and momentum. */
static void compare(const plan* one, const plan* two, rng* r) {
  subject* a = subject_open(one);
  subject* b = subject_open(two);
  const int n = a->nv;

  assert_int_equal(b->nv, n);
  assert_int_equal(b->nq, a->nq);
  assert_true(n > 0);
  for (int k = 0; k < 3; k++) {
    double* Ma = subject_take(a, n * n);
    double* Mb = subject_take(b, n * n);
    double Ea[2];
    double Eb[2];
    double ha[6];
    double hb[6];

    subject_randomise(a, r);
    memset(a->load, 0, sizeof *a->load * (size_t)(6 * a->nport));
    memcpy(b->q, a->q, sizeof *a->q * (size_t)a->nq);
    memcpy(b->v, a->v, sizeof *a->v * (size_t)n);
    memcpy(b->a, a->a, sizeof *a->a * (size_t)n);
    memcpy(b->tau, a->tau, sizeof *a->tau * (size_t)n);
    subject_point(a);
    subject_point(b);
    const double scale = check_effort_scale(a, a->a);
    CHECK_OK(apl_inverse(a->model, a->s));
    CHECK_OK(apl_inverse(b->model, b->s));
    CHECK_ALIVE(apl_tau(a->s), n, 0.1);
    CHECK_ARRAY(apl_tau(b->s), apl_tau(a->s), n, TOLERANCE, scale);
    CHECK_OK(apl_mass_matrix(a->model, a->s, Ma));
    CHECK_OK(apl_mass_matrix(b->model, b->s, Mb));
    CHECK_ARRAY(Mb, Ma, n * n, TOLERANCE, near_max(Ma, n * n));
    CHECK_OK(apl_energy(a->model, a->s, Ea));
    CHECK_OK(apl_energy(b->model, b->s, Eb));
    CHECK_ARRAY(Eb, Ea, 2, TOLERANCE, 1 + near_max(Ea, 2));
    CHECK_OK(apl_momentum(a->model, a->s, ha));
    CHECK_OK(apl_momentum(b->model, b->s, hb));
    CHECK_ARRAY(hb, ha, 6, TOLERANCE, 1 + near_max(ha, 6));

    /* forward of the second needs the efforts in the first */
    subject_point(b);
    CHECK_OK(apl_forward(b->model, b->s));
    memcpy(apl_a(a->s), apl_a(b->s), sizeof *a->a * (size_t)n);
    CHECK_OK(apl_inverse(a->model, a->s));
    CHECK_ARRAY(apl_tau(a->s), a->tau, n, TOLERANCE, check_effort_scale(a, apl_a(b->s)));
  }
  subject_close(b);
  subject_close(a);
}

/* A chain of one-freedom joints at one place with massless links, carrying `body` at its end,
   against one joint carrying the same. */
static void joint_is_chain(const char* joint, const double first[3], const double second[3],
                           const char* const* chain, const apl_vec3* axis, int n) {
  rng r = rng_seed(11);
  const apl_pose at = rng_pose(&r, 0.4);
  plan* one = plan_new();
  plan* two = plan_new();

  near_context("%s as a chain of %d joints", joint, n);
  plan_link* link = plan_add(one, "link", "world", joint, "rigid");
  if (first) plan_put(link, strcmp(joint, "planar") == 0 ? "joint.normal" : "joint.axis", first, 3);
  if (second) plan_put(link, "joint.second-axis", second, 3);
  link->at = at;
  for (int i = 0; i < n; i++) {
    static const char* const name[] = {"l0", "l1", "l2"};
    plan_link* part = plan_add(two, name[i], i == 0 ? "world" : name[i - 1], chain[i], "rigid");
    plan_vec3(part, "joint.axis", axis[i].x, axis[i].y, axis[i].z);
    plan_number(part, "body.mass", 0);
    if (i == 0) part->at = at;
  }
  for (int k = 0; k < 2; k++) {
    plan* p = k == 0 ? one : two;
    rng same = rng_seed(12);
    double inertia[6];
    plan_link* last = &p->link[p->nlink - 1];
    rng_inertia(&same, 1.7, 0.5, inertia);
    plan_number(last, "body.mass", 1.7);
    plan_vec3(last, "body.com", 0.2, -0.1, 0.3);
    plan_put(last, "body.inertia", inertia, 6);
    plan_at_port(last, "a", 0, rng_pose(&same, 0.3));
    plan_link* child =
        plan_add(p, "child", k == 0 ? "link.a" : (n == 2 ? "l1.a" : "l2.a"), "revolute", "rigid");
    kind_fill(child, &same);
  }
  compare(one, two, &r);
  free(two);
  free(one);
}

static void chains(void** state) {
  (void)state;
  const double x[3] = {1, 0, 0};
  const double tilted[3] = {0.48, 0.6, 0.64};
  const double second[3] = {0, 0.6, -0.8};
  const apl_vec3 same[2] = {{0.48, 0.6, 0.64}, {0.48, 0.6, 0.64}};
  const apl_vec3 cross[2] = {{1, 0, 0}, {0, 0.6, -0.8}};
  const apl_vec3 plane[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

  joint_is_chain("cylindrical", tilted, NULL, (const char* const[]){"revolute", "prismatic"}, same,
                 2);
  joint_is_chain("universal", x, second, (const char* const[]){"revolute", "revolute"}, cross, 2);
  joint_is_chain("planar", NULL, NULL, (const char* const[]){"prismatic", "prismatic", "revolute"},
                 plane, 3);
}

/* A screw is a cylindrical joint with position = pitch angle / 2 pi: efforts add up in that ratio.
 */
static void screw(void** state) {
  (void)state;
  const double pitch = 0.35;
  const double k = pitch / (2 * acos(-1.0));
  apl_state* s[2];
  apl_model* m[2];

  near_context("helical against cylindrical");
  for (int i = 0; i < 2; i++) {
    rng r = rng_seed(21);
    plan* p = plan_new();
    plan_link* link = plan_add(p, "link", "world", i == 0 ? "helical" : "cylindrical", "rigid");
    link->at = rng_pose(&r, 0.3);
    plan_vec3(link, "joint.axis", 2, -1, 2);
    if (i == 0) plan_number(link, "joint.pitch", pitch);
    plan_mass(link, 1.3, (apl_vec3){0.3, 0.1, 0.2}, 0.2, 0.3, 0.25);
    m[i] = plan_model(p);
    CHECK_OK(apl_state_new(m[i], APL_SCALAR, &s[i]));
    free(p);
  }
  const double angle = 2.3;
  const double rate = -1.7;
  const double acceleration = 4.1;
  apl_q(s[0])[0] = apl_q(s[1])[0] = angle;
  apl_v(s[0])[0] = apl_v(s[1])[0] = rate;
  apl_a(s[0])[0] = apl_a(s[1])[0] = acceleration;
  apl_q(s[1])[1] = k * angle;
  apl_v(s[1])[1] = k * rate;
  apl_a(s[1])[1] = k * acceleration;
  CHECK_OK(apl_inverse(m[0], s[0]));
  CHECK_OK(apl_inverse(m[1], s[1]));
  const double* tau = apl_tau(s[1]);
  CHECK_ALIVE(tau, 2, 0.1);
  CHECK_NEAR(apl_tau(s[0])[0], tau[0] + k * tau[1], 1e-13 * 10);
  for (int i = 0; i < 2; i++) {
    apl_state_free(s[i]);
    apl_model_free(m[i]);
  }
}

/* Inertia of several bodies as one: about the common centre, xx yy zz xy xz yz. */
static void lump(const double* mass, double com[][3], double inertia[][6], int n, double* m,
                 double c[3], double I[6]) {
  static const int row[6] = {0, 1, 2, 0, 0, 1};
  static const int column[6] = {0, 1, 2, 1, 2, 2};

  *m = 0;
  memset(c, 0, 3 * sizeof *c);
  memset(I, 0, 6 * sizeof *I);
  for (int i = 0; i < n; i++) {
    *m += mass[i];
    for (int k = 0; k < 3; k++)
      c[k] += mass[i] * com[i][k];
  }
  for (int k = 0; k < 3; k++)
    c[k] /= *m;
  for (int i = 0; i < n; i++) {
    const double d[3] = {com[i][0] - c[0], com[i][1] - c[1], com[i][2] - c[2]};
    const double dd = dense_dot(d, d, 3);
    for (int k = 0; k < 6; k++)
      I[k] += inertia[i][k] + mass[i] * ((k < 3 ? dd : 0) - d[row[k]] * d[column[k]]);
  }
}

/* Links on fixed joints, with and without rotation in between, against one body that has it all. */
static void fixed_links(void** state) {
  (void)state;
  rng r = rng_seed(31);
  const double mass[3] = {1.0, 0.6, 0.4};
  double com[3][3] = {{0.1, 0.2, -0.1}, {0.5, -0.2, 0.3}, {-0.3, 0.4, 0.2}};
  double inertia[3][6];
  double m;
  double c[3];
  double I[6];
  plan* one = plan_new();
  plan* two = plan_new();

  /* two: hub, first bracket at `place` turned about z by a quarter, second bracket on the first */
  plan_link* hub = plan_add(two, "hub", "world", "revolute", "rigid");
  plan_vec3(hub, "joint.axis", 1, 2, 2);
  plan_link* first = plan_add(two, "first", "hub", "fixed", "rigid");
  first->at = (apl_pose){{0.4, 0.1, 0.0}, apl_quat_rpy(0, 0, acos(-1.0) / 2)};
  plan_link* second = plan_add(two, "second", "first", "fixed", "rigid");
  second->at = apl_pose_at(0.0, 0.2, 0.3);
  plan_link* arm = plan_add(two, "arm", "second", "revolute", "rigid");
  plan_vec3(arm, "joint.axis", 0, 1, 0);
  arm->at = apl_pose_at(0.1, 0, 0);
  plan_mass(arm, 0.8, (apl_vec3){0.2, 0, 0.1}, 0.02, 0.03, 0.04);

  for (int i = 0; i < 3; i++) {
    rng_inertia(&r, mass[i], 0.3, inertia[i]);
    plan_number(&two->link[i], "body.mass", mass[i]);
    plan_put(&two->link[i], "body.com", com[i], 3);
    plan_put(&two->link[i], "body.inertia", inertia[i], 6);
  }

  /* the same seen from the hub: a quarter turn maps (x, y, z) to (-y, x, z), (xx, yy) to (yy, xx),
     xy to -xy, (xz, yz) to (-yz, xz) */
  const double shift[3][3] = {{0, 0, 0}, {0.4, 0.1, 0.0}, {0.4 - 0.2, 0.1, 0.3}};
  for (int i = 1; i < 3; i++) {
    const double p[3] = {com[i][0], com[i][1], com[i][2]};
    const double J[6] = {inertia[i][1],  inertia[i][0],  inertia[i][2],
                         -inertia[i][3], -inertia[i][5], inertia[i][4]};
    com[i][0] = shift[i][0] - p[1];
    com[i][1] = shift[i][1] + p[0];
    com[i][2] = shift[i][2] + p[2];
    memcpy(inertia[i], J, sizeof J);
  }
  lump(mass, com, inertia, 3, &m, c, I);
  plan_link* all = plan_add(one, "hub", "world", "revolute", "rigid");
  plan_vec3(all, "joint.axis", 1, 2, 2);
  plan_number(all, "body.mass", m);
  plan_put(all, "body.com", c, 3);
  plan_put(all, "body.inertia", I, 6);
  plan_link* alone = plan_add(one, "arm", "hub", "revolute", "rigid");
  *alone = *arm;
  strcpy(alone->on, "hub");
  alone->at = apl_pose_compose(apl_pose_compose(first->at, second->at), arm->at);
  near_context("fixed links against one body");
  compare(one, two, &r);

  /* and the chain of fixed links passes all checks, loads and ports on the fixed links included */
  plan_at_port(&two->link[1], "a", 0, rng_pose(&r, 0.3));
  check_all(two, &r, 2);
  free(two);
  free(one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains),
      cmocka_unit_test(screw),
      cmocka_unit_test(fixed_links),
  };
  return cmocka_run_group_tests_name("equivalent", tests, NULL, NULL);
}
