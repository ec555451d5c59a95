/* SPDX-License-Identifier: Apache-2.0 */
/* test_hot_motion.c: the parts of passes that need a robot: dynamics/state_hot.h, motion.h,
   outward.h, world.h, satellites.h, inverse.h, efforts.h, energy.h, stiffness.h, passive.h, half.h,
   solver.h, plane_motion.h, spans.h, row_parts.h and row_numbers.h, against central differences
   along the motion and balances of power. The hot code is included as CMake compiles it. */
#define APL_HOT 1
#define APL_REAL_SCALAR 1
#define APL_PASSES test_passes

#include "near.h"

#include "dynamics/contact_state.h"
#include "dynamics/efforts.h"
#include "dynamics/energy.h"
#include "dynamics/half.h"
#include "dynamics/inverse.h"
#include "dynamics/motion.h"
#include "dynamics/outward.h"
#include "dynamics/passive.h"
#include "dynamics/plane_motion.h"
#include "dynamics/row_numbers.h"
#include "dynamics/row_parts.h"
#include "dynamics/satellites.h"
#include "dynamics/solver.h"
#include "dynamics/spans.h"
#include "dynamics/state_hot.h"
#include "dynamics/stiffness.h"
#include "dynamics/world.h"

#include "dynamics/hot.c"

#include "dense.h"
#include "subject.h"
#include "tree.h"

#include <stdlib.h>

/* Step of central differences: truncation 1e-10, round-off eps / h = 2e-11, of numbers up to 1e2.
 */
#define STEP 1e-5
#define SLOPE 2e-6
enum { SEEDS = 8 };

typedef struct trial {
  plan* p;
  subject* sub;
  const apl_model* m;
  state* s;
  double *qdot, *q;
} trial;

static trial open_plan(plan* p, rng* r) {
  trial t = {.p = p};
  p->gravity = (apl_vec3){1, -2, -9};
  t.sub = subject_open(p);
  t.m = t.sub->model;
  t.s = hot(t.sub->s);
  subject_randomise(t.sub, r);
  subject_point(t.sub);
  t.qdot = subject_take(t.sub, t.m->nq);
  t.q = subject_take(t.sub, t.m->nq);
  CHECK_OK(rates(t.m, t.sub->s, t.qdot));
  return t;
}

static trial open_tree(unsigned seed) {
  rng r = rng_seed(seed);
  near_context("seed %u", seed);
  return open_plan(tree_random(&r, 16, seed % 2 ? TREE_ANY : TREE_TRAIN), &r);
}

static void close_trial(trial* t) {
  subject_close(t->sub);
  free(t->p);
  near_context(" ");
}

/* q and v a little later or earlier: q + k q', v + k a. */
static void go(trial* t, double k) {
  for (int i = 0; i < t->m->nq; ++i)
    t->s->q[i] = t->sub->q[i] + k * t->qdot[i];
  for (int i = 0; i < t->m->nv; ++i)
    t->s->v[i] = t->sub->v[i] + k * t->sub->a[i];
  positions(t->m, t->s);
  velocities(t->m, t->s);
}

/* -------------------------------------------------------------------------------- kinematics ----
 */

/* Poses move with the twists, and twists with the accelerations:
     R^T R' = [w], R^T p' = v;   dw = w', a = v' + w x v, and gravity is taken off. */
static void frames_move_along(void** unused) {
  (void)unused;
  for (unsigned seed = 1; seed <= SEEDS; ++seed) {
    trial t = open_tree(seed);
    const int nf = t.m->nframe;
    pose* X[2];
    twist* V[2];
    for (int side = 0; side < 2; ++side) {
      X[side] = malloc(sizeof(pose) * (size_t)nf);
      V[side] = malloc(sizeof(twist) * (size_t)nf);
      go(&t, side == 0 ? -STEP : STEP);
      memcpy(X[side], t.s->X, sizeof(pose) * (size_t)nf);
      memcpy(V[side], t.s->V, sizeof(twist) * (size_t)nf);
    }
    go(&t, 0);
    set_world(t.s);
    outward(t.m, t.s, t.sub->a);
    for (int f = 1; f < nf; ++f) {
      const mat3 R = t.s->X[f].R;
      const twist W = t.s->V[f];
      mat3 D;
      for (int k = 0; k < 9; ++k)
        (&D.xx)[k] = ((&X[1][f].R.xx)[k] - (&X[0][f].R.xx)[k]) / (2 * STEP);
      const mat3 Rt = {R.xx, R.yx, R.zx, R.xy, R.yy, R.zy, R.xz, R.yz, R.zz}, w = mat3_mul(Rt, D);
      const vec3 p = mul_t(R, scale(0.5 / STEP, sub(X[1][f].p, X[0][f].p)));
      const twist want = {{w.zy, w.xz, w.yx}, p};
      CHECK_ARRAY(&W.w.x, &want.w.x, 6, SLOPE, 1);
      const vec3 dw = scale(0.5 / STEP, sub(V[1][f].w, V[0][f].w));
      const vec3 dv = scale(0.5 / STEP, sub(V[1][f].v, V[0][f].v));
      const accel A = {dw, sub(add(dv, cross(W.w, W.v)), mul_t(R, par_gravity(t.s)))};
      CHECK_ARRAY(&t.s->A[f].dw.x, &A.dw.x, 6, SLOPE, 20);
    }
    for (int side = 0; side < 2; ++side)
      free(X[side]), free(V[side]);
    close_trial(&t);
  }
}

/* A wrench walked to the world does on all velocities the work that it does on its frame; a
   velocity moves the frame that it belongs to and not the one above. */
static void walks(void** unused) {
  (void)unused;
  for (unsigned seed = 1; seed <= SEEDS; ++seed) {
    trial t = open_tree(seed);
    rng r = rng_seed(100 + seed);
    double* out = subject_take(t.sub, t.m->nv);
    go(&t, 0);
    world_columns(t.m, t.s);
    for (int i = 0; i < t.m->nnode; ++i) {
      const apl_node* n = &t.m->node[i];
      wrench F;
      rng_fill(&r, &F.n.x, 6, 1);
      memset(out, 0, sizeof *out * (size_t)t.m->nv);
      walk(t.m, t.s, t.m->frame_column[n->frame], F, out, 1);
      const twist V = twist_from(root_pose(t.s, n, n->frame), t.s->V[n->frame]);
      CHECK_NEAR(dense_dot(out, t.s->v, t.m->nv), power(V, F), 1e-11);
    }
    for (int k = 0; k < t.m->nv; ++k) {
      const int f = velocity_frame(t.m, k);
      const apl_node* n = &t.m->node[t.m->velocity_node[k]];
      zero(t.s->v, t.m->nv);
      t.s->v[k] = 1;
      velocities(t.m, t.s);
      const twist V = t.s->V[f], up = t.s->V[n->up];
      const bool steers = dot(V.w, V.w) + dot(V.v, V.v) == 0; /* steering moves no frame */
      if (steers) assert_true(n->nsat > 0);
      assert_true(dot(up.w, up.w) + dot(up.v, up.v) == 0);
    }
    close_trial(&t);
  }
}

static void rows_of_numbers(void** unused) {
  double number[ROW_NUMBERS];
  (void)unused;
  for (int i = 0; i < ROW_NUMBERS; ++i)
    number[i] = i;
  const wrench a = row_wrench(number, 0), b = row_wrench(number, 1);
  assert_true(a.n.x == 0 && a.f.z == 5 && b.n.x == 6 && b.f.z == 11);

  /* Phi and its transpose: power of W along Phi V */
  rng r = rng_seed(1);
  double Phi[36];
  twist V;
  wrench W;
  rng_fill(&r, Phi, 36, 1), rng_fill(&r, &V.w.x, 6, 1), rng_fill(&r, &W.n.x, 6, 1);
  CHECK_NEAR(power(rows_mul(Phi, V), W), power(V, rows_mul_t(Phi, W)), 1e-14);
}

/* Spins of wheels and rotors, and their rates along the motion: row a + rowP A_up + bias. */
static void satellites_spin(void** unused) {
  int tried = 0;
  (void)unused;
  for (unsigned seed = 1; seed <= SEEDS; ++seed) {
    trial t = open_tree(seed);
    double* at[2] = {subject_take(t.sub, t.m->nsat), subject_take(t.sub, t.m->nsat)};
    for (int side = 0; side < 2; ++side) {
      go(&t, side == 0 ? -STEP : STEP);
      for (int i = 0; i < t.m->nnode; ++i)
        spins(t.m, t.s, &t.m->node[i]);
      memcpy(at[side], t.s->spin, sizeof(double) * (size_t)t.m->nsat);
    }
    go(&t, 0);
    set_world(t.s);
    outward(t.m, t.s, t.sub->a);
    for (int i = 0; i < t.m->nnode; ++i) {
      const apl_node* n = &t.m->node[i];
      satellites sat;
      ask_satellites(t.m, t.s, n, &sat);
      assert_int_equal(sat.n, n->nsat);
      for (int k = 0; k < n->nsat; ++k, ++tried) {
        const accel A = t.s->A[n->up];
        const double rate = sat.bias[k] + satellite_sum(&sat, n, k, t.sub->a + n->v0, A.dw, A.a);
        CHECK_NEAR(rate, (at[1][n->sat0 + k] - at[0][n->sat0 + k]) / (2 * STEP), 1e-5);
        assert_true(sat.J[k] >= 0);
      }
    }
    close_trial(&t);
  }
  assert_in_range(tried, 20, 10000);
}

/* -------------------------------------------------------------------------- forces, energy ---- */

/* a . M a = 2 T(a): inverse dynamics without and with accelerations, and the energy of moving with
   v = a. Efforts do not depend on a, so that they cancel. */
static void inertia_and_energy(void** unused) {
  (void)unused;
  for (unsigned seed = 1; seed <= SEEDS; ++seed) {
    trial t = open_tree(seed);
    const int nv = t.m->nv;
    double *with = subject_take(t.sub, nv), *none = subject_take(t.sub, nv),
           *o = subject_take(t.sub, nv);
    double energies[8];
    go(&t, 0);
    inverse_of(t.m, t.s, t.sub->a, with);
    inverse_of(t.m, t.s, o, none);
    double work = 0;
    for (int i = 0; i < nv; ++i)
      work += t.sub->a[i] * (with[i] - none[i]);
    memcpy(t.s->v, t.sub->a, sizeof(double) * (size_t)nv);
    CHECK_OK(energy(t.m, t.sub->s, energies));
    CHECK_NEAR(work, 2 * energies[0], 1e-10 * (1 + work));
    assert_true(work > 1e-3);
    close_trial(&t);
  }
}

/* Springs: the energy of each joint falls by what its forces do; dampers only take. The same
   numbers stand in Q, node by node. */
static void springs(void** unused) {
  int tried = 0, damped = 0;
  (void)unused;
  for (unsigned seed = 1; seed <= SEEDS; ++seed) {
    trial t = open_tree(seed);
    double* E[2] = {subject_take(t.sub, t.m->nnode), subject_take(t.sub, t.m->nnode)};
    for (int side = 0; side < 2; ++side) {
      go(&t, side == 0 ? -STEP : STEP);
      for (int i = 0; i < t.m->nnode; ++i)
        E[side][i] = spring_energy(t.s, &t.m->node[i]);
    }
    double lost = 0;
    go(&t, 0);
    for (int i = 0; i < t.m->nnode; ++i) {
      const apl_node* n = &t.m->node[i];
      passive f;
      double Q[APL_MAX_NV], QP[6] = {0}, work = 0;
      joint_in in = joint_input(t.s, n);
      const joint_ops* ops = joint_ops_of(n->joint);
      in.VP = hitch_twist(t.s, n);
      if (!has_passive(n)) continue;
      passive_forces(t.s, n, &in, &f);
      memcpy(Q, f.f, sizeof Q);
      if (ops->pull != NULL) ops->pull(&in, f.delta, f.f, Q, QP);
      for (int k = 0; k < n->nv; ++k)
        work += (Q[k] + f.g[k]) * t.s->v[n->v0 + k];
      work += dense_dot(QP, &in.VP.w.x, 6);
      assert_true(f.damping >= 0 && f.friction >= 0);
      CHECK_NEAR((E[1][i] - E[0][i]) / (2 * STEP), -(work + f.damping + f.friction), 1e-5);
      tried += n->spring != 0;
      lost += f.damping;
    }
    prepare(t.m, t.s);
    efforts(t.m, t.s);
    CHECK_NEAR(t.s->power[APL_ACCOUNT_DAMPING], -lost, 1e-12 * (1 + lost));
    if (has_efforts(t.m)) damped += lost > 0;
    close_trial(&t);
  }
  assert_in_range(tried, 10, 10000);
  assert_true(damped > 0);
}

/* k K + c C of a joint along an axis is the slope of its passive force. */
static void slopes_of_axes(void** unused) {
  static const char* const joint[] = {"revolute", "prismatic"};
  rng r = rng_seed(12);

  (void)unused;
  for (int one = 0; one < 2; ++one) {
    plan* p = plan_new();
    plan_link* l = plan_add(p, "a", "world", joint[one], "rigid");
    plan_mass(l, 1, (apl_vec3){0.1, 0.2, 0.3}, 0.1, 0.2, 0.15);
    plan_number(l, "joint.stiffness", 7);
    plan_number(l, "joint.damping", 0.3);
    plan_number(l, "joint.friction", 0.5);
    plan_number(l, "joint.friction-speed", 0.2);
    trial t = open_plan(p, &r);
    const apl_node* n = &t.m->node[0];
    double force[2];
    assert_true(n->path != PATH_GENERAL && has_passive(n));
    go(&t, 0);
    const double K = axis_stiffness(t.s, n, 1, 0), C = axis_stiffness(t.s, n, 0, 1);
    CHECK_NEAR(K, 7, 1e-14);
    for (int by_v = 0; by_v < 2; ++by_v) {
      double* x = by_v ? &t.s->v[n->v0] : &t.s->q[n->q0];
      const double x0 = *x;
      for (int side = 0; side < 2; ++side) {
        passive f;
        *x = x0 + (side == 0 ? -STEP : STEP);
        const joint_in in = joint_input(t.s, n);
        passive_forces(t.s, n, &in, &f);
        force[side] = f.f[0] + f.g[0];
      }
      *x = x0;
      CHECK_NEAR(by_v ? C : K, -(force[1] - force[0]) / (2 * STEP), 1e-8);
    }
    assert_true(C > 0.3);
    close_trial(&t);
  }
}

/* ---------------------------------------------------------------------------------- solvers ----
 */

/* Forward dynamics undoes inverse dynamics: a of the sweeps in space for tau of inverse_of(). */
static void sweeps_undo_inverse(void** unused) {
  (void)unused;
  for (unsigned seed = 1; seed <= SEEDS; ++seed) {
    trial t = open_tree(seed);
    go(&t, 0);
    inverse_of(t.m, t.s, t.sub->a, t.s->tau);
    prepare(t.m, t.s);
    efforts(t.m, t.s);
    const failure fail = space_sweeps(t.m, t.s);
    assert_true(!mask_any(fail.any) && fail.link == -1);
    CHECK_ARRAY(t.s->a, t.sub->a, t.m->nv, 1e-8, 1); /* condition of M times eps */
    close_trial(&t);
  }
}

/* A flat chain: revolute about y, prismatic along x, revolute: its plane gives the accelerations of
   space, places of frames and angular velocities included. */
static void plane_is_space(void** unused) {
  rng r = rng_seed(9);
  plan* p = plan_new();
  (void)unused;
  plan_link* a = plan_add(p, "a", "world", "revolute", "rigid");
  plan_vec3(a, "joint.axis", 0, 1, 0);
  plan_mass(a, 1.5, (apl_vec3){0.3, 0, 0.1}, 0.1, 0.2, 0.15);
  plan_link* b = plan_add(p, "b", "a", "prismatic", "rigid");
  plan_vec3(b, "joint.axis", 1, 0, 0.5);
  plan_mass(b, 0.7, (apl_vec3){0.1, 0, 0.2}, 0.05, 0.04, 0.03);
  plan_link* c = plan_add(p, "c", "b", "revolute", "rigid");
  plan_vec3(c, "joint.axis", 0, -1, 0);
  plan_mass(c, 0.4, (apl_vec3){0.2, 0, 0}, 0.01, 0.02, 0.02);
  p->gravity = (apl_vec3){1, 0, -9};
  trial t = {.p = p};
  t.sub = subject_open(p);
  t.m = t.sub->model, t.s = hot(t.sub->s);
  subject_randomise(t.sub, &r);
  subject_point(t.sub);
  t.qdot = subject_take(t.sub, t.m->nq);
  assert_true(t.m->nplane > 0);
  assert_true(t.s->solver != NULL && t.s->solver->raise != NULL);
  assert_true(solver_of(t.m)->sweeps == plane_sweeps);

  double in_space[3];
  go(&t, 0);
  prepare(t.m, t.s);
  efforts(t.m, t.s);
  assert_false(mask_any(space_sweeps(t.m, t.s).any));
  memcpy(in_space, t.s->a, sizeof in_space);
  zero(t.s->a, 3);
  assert_false(mask_any(plane_sweeps(t.m, t.s).any));
  CHECK_ARRAY(t.s->a, in_space, 3, 1e-12, 10);
  CHECK_ALIVE(in_space, 3, 0.1);

  /* frames in the plane */
  positions(t.m, t.s);
  velocities(t.m, t.s);
  for (int i = 0; i < t.m->nnode; ++i) {
    const apl_node* n = &t.m->node[i];
    plane_move_joint(t.s, n, t.s->plane);
    const plane_frame* P = &t.s->plane[n->frame];
    const vec2 at = in_plane(t.s, n->up, t.s->X_up[n->frame].p);
    CHECK_ARRAY(&P->p.x, &at.x, 2, 1e-14, 1);
    CHECK_NEAR(P->w, dot(plane_axis(t.s, n->frame, 2), t.s->V[n->frame].w), 1e-14);
    const vec3 e0 = plane_axis(t.s, n->frame, 0), e1 = plane_axis(t.s, n->frame, 1);
    const vec3 e2 = plane_axis(t.s, n->frame, 2), e = cross(e0, e1);
    CHECK_ARRAY(&e.x, &e2.x, 3, 1e-14, 1);
    CHECK_NEAR(P->c * P->c + P->s * P->s, 1, 1e-14);
  }
  close_trial(&t);
}

/* The sweep inwards through one axis: z gets the effort, and above arrives what the axis cannot
   give way to: for A_up = 0 the joint's own wrench y + U r / D, which has S^T W = tau. */
static void half_of_an_axis(void** unused) {
  rng r = rng_seed(10);
  plan* p = plan_new();
  (void)unused;
  plan_link* a = plan_add(p, "a", "world", "revolute", "rigid");
  plan_vec3(a, "joint.axis", 1, 2, 2);
  plan_mass(a, 1.5, (apl_vec3){0.3, 0.2, 0.1}, 0.1, 0.2, 0.15);
  trial t = open_plan(p, &r);
  CHECK_OK(factor(t.m, t.sub->s, 0));
  wrench y;
  double z[1] = {0.25};
  rng_fill(&r, &y.n.x, 6, 1);
  const wrench up = half_axis(t.s, &t.m->node[0], 0, 2.0, y, z);
  CHECK_NEAR(z[0], 0.25 + 2.0 - y.n.z, 1e-14);
  /* back in the joint's frame its moment about the axis is the effort */
  const pose X = t.s->X_up[t.m->node[0].frame];
  const vec3 moment = mul_t(X.R, sub(up.n, cross(X.p, up.f)));
  CHECK_NEAR(moment.z, 2.0, 1e-13);
  double x[2] = {1, 2};
  add_numbers((double[]){3, 4}, 2, x);
  assert_true(x[0] == 4 && x[1] == 6);
  close_trial(&t);
}

/* ---------------------------------------------------------------------------- spans, rows ---- */

/* A tendon between two links: its span is the distance of two points of the world. */
static void span_of_a_tendon(void** unused) {
  apl_spec* spec;
  apl_model* m;
  apl_state* head;
  apl_error err;
  (void)unused;
  CHECK_OK(apl_spec_new(&spec));
  const int a = apl_spec_link(spec, "a", "world", "revolute", "rigid");
  apl_spec_number(spec, a, "body.mass", 1);
  apl_spec_vec3(spec, a, "body.com", 0.3, 0.2, 0);
  apl_spec_port(spec, a, "end", 0, apl_pose_at(0.5, 0.1, 0.2));
  const int tendon = apl_spec_tendon(spec, "rope");
  const int base = apl_spec_link(spec, "base", "world", "fixed", "rigid");
  apl_spec_port(spec, base, "hole", 0, apl_pose_at(0, 0, -0.4));
  apl_spec_number(spec, base, "body.mass", 1);
  apl_spec_tendon_port(spec, tendon, "base.hole");
  apl_spec_tendon_port(spec, tendon, "a.end");
  if (apl_model_new(spec, &m, &err) != APL_OK) {
    apl_spec_free(spec);
    CHECK_TRUE(false, "%s", err.text);
  }
  apl_spec_free(spec);
  CHECK_OK(apl_state_new(m, APL_SCALAR, &head));
  state* s = hot(head);
  s->q[0] = 0.7, s->v[0] = 1.3;
  positions(m, s);
  velocities(m, s);
  assert_int_equal(m->nspan, 1);
  const apl_span* g = &m->span[0];
  const vec3 from = span_point(s, g, 0), to = span_point(s, g, 1);
  const span_motion found = span_of(m, s, g);
  const vec3 x = add(mul(s->X[g->frame[0]].R, from), s->X[g->frame[0]].p);
  const vec3 y = add(mul(s->X[g->frame[1]].R, to), s->X[g->frame[1]].p);
  const vec3 d = sub(y, x);
  CHECK_NEAR(found.length, sqrt(dot(d, d)), 1e-15);
  CHECK_NEAR(found.length, sqrt(0.25 + 0.01 + 0.36), 1e-15); /* about the axis it stays */
  CHECK_NEAR(found.rate, 0, 1e-15);
  apl_state_free(head);
  apl_model_free(m);
}

/* Gaps of a loop that is open: their rates and accelerations along the motion. */
static void rows_of_a_loop(void** unused) {
  rng r = rng_seed(11);
  plan* p = plan_new();
  (void)unused;
  for (int i = 0; i < 4; ++i) {
    static const char* const name[] = {"a", "b", "c", "d"};
    static const char* const on[] = {"world", "a", "world", "c"};
    plan_link* l = plan_add(p, name[i], on[i], i % 2 ? "spherical" : "universal", "rigid");
    plan_mass(l, 1, (apl_vec3){0.1, 0.2, 0.3}, 0.1, 0.2, 0.15);
    plan_at_port(l, "end", 0, apl_pose_at(0.3, 0.1 * i, 0.2));
  }
  plan_join(p, "b.end", "d.end", "point");
  trial t = open_plan(p, &r);
  assert_true(t.m->npart >= 3);
  double gap[2][6], rate[2][6];
  for (int side = 0; side < 2; ++side) {
    go(&t, side == 0 ? -STEP : STEP);
    row_motions(t.m, t.s, false);
    for (int k = 0; k < t.m->npart; ++k)
      gap[side][k] = t.s->row[k].gap, rate[side][k] = t.s->row[k].rate;
  }
  go(&t, 0);
  set_world(t.s);
  outward(t.m, t.s, t.sub->a);
  row_motions(t.m, t.s, true);
  for (int k = 0; k < t.m->npart; ++k) {
    CHECK_NEAR(t.s->row[k].rate, (gap[1][k] - gap[0][k]) / (2 * STEP), SLOPE);
    CHECK_NEAR(t.s->row[k].accel, (rate[1][k] - rate[0][k]) / (2 * STEP), 1e-5);
  }
  CHECK_NEAR(loop_energy(t.m, t.s), 0, 0); /* no springs */

  /* unit forces on the rows do the work of the gaps */
  for (int f = 0; f < t.m->nframe; ++f)
    t.s->F[f] = wrench_zero();
  for (int k = 0; k < t.m->npart; ++k)
    t.s->row[k].force = k + 1;
  const double given = apply_rows(t.m, t.s);
  double want = 0, got = 0;
  for (int k = 0; k < t.m->npart; ++k)
    want += (k + 1) * t.s->row[k].rate;
  for (int f = 0; f < t.m->nframe; ++f)
    got += power(t.s->V[f], t.s->F[f]);
  CHECK_NEAR(fabs(got), fabs(want), 1e-12);
  CHECK_NEAR(given, got, 1e-12);
  close_trial(&t);
}

/* ------------------------------------------------------------------------------------ state ----
 */

/* A layout takes when it places what it took when it first; reset() gives the neutral state. */
static void layouts(void** unused) {
  trial t = open_tree(1);
  apl_arena a = {0};
  (void)unused;
  assert_null(layout(t.m, &a));
  const size_t first = a.used;
  void* memory = apl_arena_open(&a);
  apl_state* head = layout(t.m, &a);
  assert_int_equal(a.used, first);
  reset(t.m, head);
  state* s = hot(head);
  CHECK_ARRAY(s->q, t.m->neutral, t.m->nq, 0, 1);
  CHECK_NEAR(near_max(s->v, t.m->nv), 0, 0);
  assert_ptr_equal(head->q, s->q);
  assert_true(head->nload == 0 && head->trouble == -1);
  const double W[6] = {1, 2, 3, 4, 5, 6}, none[6] = {0};
  double back[6];
  load(t.m, head, 0, APL_WORLD_AXES, W);
  load(t.m, head, 0, APL_WORLD_AXES, W);
  assert_int_equal(head->nload, 1); /* one port, loaded twice */
  assert_int_equal(load_of(head, 0, back), APL_WORLD_AXES);
  CHECK_ARRAY(back, W, 6, 0, 1);
  load(t.m, head, 0, APL_WORLD_AXES, none);
  assert_int_equal(head->nload, 0);
  double x[3] = {1, 2, 3};
  assert_true(all_finite(x, 3) && finite_status(x, 3) == APL_OK);
  x[1] = NEAR_INFINITY;
  assert_int_equal(finite_status(x, 3), APL_ERR_NOT_FINITE);
  x[1] = NEAR_NAN;
  assert_false(all_finite(x, 3));
  const vec3 g = par_gravity(s);
  assert_true(g.x == 1 && g.y == -2 && g.z == -9);
  free(memory);
  close_trial(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_move_along),
      cmocka_unit_test(walks),
      cmocka_unit_test(rows_of_numbers),
      cmocka_unit_test(satellites_spin),
      cmocka_unit_test(inertia_and_energy),
      cmocka_unit_test(springs),
      cmocka_unit_test(slopes_of_axes),
      cmocka_unit_test(sweeps_undo_inverse),
      cmocka_unit_test(plane_is_space),
      cmocka_unit_test(half_of_an_axis),
      cmocka_unit_test(span_of_a_tendon),
      cmocka_unit_test(rows_of_a_loop),
      cmocka_unit_test(layouts),
  };
  return cmocka_run_group_tests_name("hot_motion", tests, NULL, NULL);
}
