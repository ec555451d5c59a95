/* SPDX-License-Identifier: Apache-2.0 */
/* test_newton_euler.c: a differential drive with a three-link arm against the corrected recursion
   of spec/mobile.md, section 3, written out here in the paper's axes. Links have unequal moments
   about axes in general position, joints turn and slide: the gyroscopic terms w x I w that the
   paper's equation lost change the efforts, while a balance of energy cannot see them. */
#include "near.h"

#include "math/pose.h"
#include "plan.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS = 3 };

typedef struct vec {
  double x, y, z;
} vec;

static vec plus(vec a, vec b) {
  return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}
static vec times(double k, vec a) {
  return (vec){k * a.x, k * a.y, k * a.z};
}
static vec cross(vec a, vec b) {
  return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double dot(vec a, vec b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* A v and A^T v; A has rows A[0..2]. */
static vec turn(const double A[9], vec v) {
  return (vec){A[0] * v.x + A[1] * v.y + A[2] * v.z, A[3] * v.x + A[4] * v.y + A[5] * v.z,
               A[6] * v.x + A[7] * v.y + A[8] * v.z};
}
static vec turn_back(const double A[9], vec v) {
  return (vec){A[0] * v.x + A[3] * v.y + A[6] * v.z, A[1] * v.x + A[4] * v.y + A[7] * v.z,
               A[2] * v.x + A[5] * v.y + A[8] * v.z};
}

/* A link: placed at p, turned by A0, about or along its z; inertia about its centre of mass, in the
   order xx yy zz xy xz yz. */
typedef struct limb {
  bool slides;
  apl_quat A0;
  vec p, com;
  double mass, inertia[6];
} limb;

typedef struct mobile {
  double M, I, gx, gz, Iw, r, b, gravity;
  limb link[LINKS];
} mobile;

static vec inertia_times(const limb* l, vec w) {
  const double* I = l->inertia;
  const vec Iw = {I[0] * w.x + I[3] * w.y + I[4] * w.z, I[3] * w.x + I[1] * w.y + I[5] * w.z,
                  I[4] * w.x + I[5] * w.y + I[2] * w.z};
  /* about O: + m (c.c 1 - c c^T) */
  const double cc = dot(l->com, l->com), cw = dot(l->com, w);
  return plus(Iw, plus(times(l->mass * cc, w), times(-l->mass * cw, l->com)));
}

/* A_i = A0 Rz(q) (revolute) or A0 (prismatic), by columns of rotated axes. */
static void axes(const limb* l, double q, double A[9]) {
  const apl_quat turned =
      apl_pose_compose((apl_pose){{0, 0, 0}, l->A0},
                       (apl_pose){{0, 0, 0}, apl_quat_axis((apl_vec3){0, 0, 1}, l->slides ? 0 : q)})
          .rotation;
  const apl_vec3 x = apl_quat_rotate(turned, (apl_vec3){1, 0, 0});
  const apl_vec3 y = apl_quat_rotate(turned, (apl_vec3){0, 1, 0});
  const apl_vec3 z = apl_quat_rotate(turned, (apl_vec3){0, 0, 1});
  const double columns[9] = {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
  memcpy(A, columns, sizeof columns);
}

/* Spec, section 3. Without the gyroscopic terms of the links' own inertia when `lost` is set. */
static void newton_euler(const mobile* m, double v, double w0, double dv, double dw,
                         const double* q, const double* qd, const double* qdd, bool lost,
                         double* F) {
  const vec z = {0, 0, 1};
  vec w = {0, w0, 0}, e = {0, dw, 0}, a = {dv, m->gravity, -v * w0};
  double A[LINKS][9];
  vec p[LINKS], S[LINKS], T[LINKS];

  for (int i = 0; i < LINKS; i++) {
    const limb* l = &m->link[i];
    const vec mc = times(l->mass, l->com);
    axes(l, q[i], A[i]);
    p[i] = l->slides ? plus(l->p, times(q[i], turn(A[i], z))) : l->p;
    a = turn_back(A[i], plus(a, plus(cross(e, p[i]), cross(w, cross(w, p[i])))));
    const vec Rw = turn_back(A[i], w), Re = turn_back(A[i], e);
    if (l->slides) {
      w = Rw;
      e = Re;
      a = plus(a, plus(times(2 * qd[i], cross(w, z)), times(qdd[i], z)));
    } else {
      w = plus(Rw, times(qd[i], z));
      e = plus(Re, plus(times(qd[i], cross(Rw, z)), times(qdd[i], z)));
    }
    S[i] = plus(times(l->mass, a), plus(cross(e, mc), cross(w, cross(w, mc))));
    T[i] = plus(cross(mc, a), inertia_times(l, e));
    limb about = *l;
    if (lost) memset(about.inertia, 0, sizeof about.inertia);
    T[i] = plus(T[i], cross(w, inertia_times(&about, w)));
  }

  vec f = {0, 0, 0}, X = {0, 0, 0};
  for (int j = LINKS - 1; j >= 0; j--) {
    /* f and X: what the next link brings to the origin of this one */
    const vec force = plus(S[j], f), moment = plus(T[j], X);
    F[2 + j] = m->link[j].slides ? force.z : moment.z;
    f = turn(A[j], force);
    X = plus(cross(p[j], f), turn(A[j], moment));
  }
  const double k = m->Iw / (m->r * m->r);
  F[0] = f.x + (m->M + 2 * k) * dv + m->M * (m->gz * dw - m->gx * w0 * w0);
  F[1] = X.y + m->M * (m->gz * dv + (m->gx * m->gx + m->gz * m->gz) * dw + m->gx * v * w0) +
         (m->I + 2 * k * m->b * m->b) * dw;
}

/* The same robot for the library: the paper's base is ours turned by a quarter about x, so its
   (x, y, z) is our (x, -z, y). */
static apl_model* library(const mobile* m) {
  static const char* const name[LINKS] = {"l1", "l2", "l3"};
  plan* p = plan_new();
  const double quarter = acos(-1.0) / 2;

  p->gravity = (apl_vec3){0, 0, -m->gravity};
  plan_link* base = plan_add(p, "base", "world", "differential-drive", "rigid");
  plan_number(base, "joint.wheel-radius", m->r);
  plan_number(base, "joint.half-track", m->b);
  plan_number(base, "joint.wheel-inertia", m->Iw);
  plan_mass(base, m->M, (apl_vec3){m->gx, -m->gz, 0}, 0, 0, m->I);
  plan_at_port(base, "mount", 0,
               (apl_pose){{0, 0, 0}, apl_quat_axis((apl_vec3){1, 0, 0}, quarter)});
  for (int i = 0; i < LINKS; i++) {
    const limb* l = &m->link[i];
    plan_link* link = plan_add(p, name[i], i == 0 ? "base.mount" : name[i - 1],
                               l->slides ? "prismatic" : "revolute", "rigid");
    plan_vec3(link, "joint.axis", 0, 0, 1);
    link->at = (apl_pose){{l->p.x, l->p.y, l->p.z}, l->A0};
    plan_number(link, "body.mass", l->mass);
    plan_vec3(link, "body.com", l->com.x, l->com.y, l->com.z);
    plan_put(link, "body.inertia", l->inertia, 6);
  }
  apl_model* model = plan_model(p);
  free(p);
  return model;
}

static mobile draw(rng* r, int slides) {
  mobile m = {6.64, 0.06363, 0.2, 0.03, 0.001, 0.08, 0.145, 9.81, {{0}}};
  for (int i = 0; i < LINKS; i++) {
    limb* l = &m.link[i];
    double x[6];
    l->slides = i == slides;
    l->A0 = rng_rotation(r, 2);
    rng_fill(r, x, 6, 0.5);
    l->p = (vec){x[0], x[1], x[2]};
    l->com = (vec){x[3], x[4], x[5]};
    l->mass = rng_between(r, 0.5, 2);
    rng_inertia(r, l->mass, 0.6, l->inertia);
  }
  return m;
}

static void anisotropic_links(void** state) {
  (void)state;
  for (int i = 0; i < 20; i++) {
    rng r = rng_seed(300 + (unsigned)i);
    const mobile m = draw(&r, i % 4); /* none of the three slides in the fourth */
    apl_model* model = library(&m);
    apl_state* s;
    double q[LINKS], rate[2 + LINKS], a[2 + LINKS], want[2 + LINKS], lost[2 + LINKS];

    near_context("robot %d", i);
    rng_fill(&r, q, LINKS, 2);
    rng_fill(&r, rate, 2 + LINKS, 2);
    rng_fill(&r, a, 2 + LINKS, 3);
    CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
    memcpy(apl_q(s) + 3, q, sizeof q);
    apl_q(s)[2] = 0.7;
    memcpy(apl_v(s), rate, sizeof rate);
    memcpy(apl_a(s), a, sizeof a);
    CHECK_OK(apl_inverse(model, s));
    newton_euler(&m, rate[0], rate[1], a[0], a[1], q, rate + 2, a + 2, false, want);
    CHECK_ARRAY(apl_tau(s), want, 2 + LINKS, 1e-13, near_max(want, 2 + LINKS));

    /* the terms in question are not small: without them the comparison would fail */
    newton_euler(&m, rate[0], rate[1], a[0], a[1], q, rate + 2, a + 2, true, lost);
    for (int k = 0; k < 2 + LINKS; k++)
      lost[k] -= want[k];
    CHECK_ALIVE(lost, 2 + LINKS, 1e-4);
    apl_state_free(s);
    apl_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(anisotropic_links),
  };
  return cmocka_run_group_tests_name("newton-euler", tests, NULL, NULL);
}
