/* SPDX-License-Identifier: Apache-2.0 */
/* support_place.c: the body on a pair of supports. Joints follow their signals; the base follows
   from the supports; inverse dynamics then gives the required force of the ground.

     D = P_b - P_a while the base rests:   angle = -atan2(D_z, D_x),  turn = -(D x D')/|D|^2,
     turn' = -[(D x D'')/|D|^2 - 2 g (D . D')/|D|^2],  g = -turn */
#include "analyse/support_impl.h"

#include "dynamics/extra.h"

#include <math.h>

const support_part* apl_support_part(const apl_support* s, support_pair p, int i) {
  return p.arc ? &s->arc.part[i] : &s->point.part[i];
}

static double along(const apl_support* s, const double* x) {
  return x[0] * s->along[0] + x[1] * s->along[1] + x[2] * s->along[2];
}
static double above(const apl_support* s, const double* x) {
  return x[0] * s->up[0] + x[1] * s->up[1] + x[2] * s->up[2];
}
static double about(const apl_support* s, const double* x) {
  return x[0] * s->axis[0] + x[1] * s->axis[1] + x[2] * s->axis[2];
}

/* a.x b.z - a.z b.x: positive if b is in the direction of positive rotation from a */
static double across(planar a, planar b) {
  return a.x * b.z - a.z * b.x;
}

static planar minus(planar a, planar b) {
  return (planar){a.x - b.x, a.z - b.z};
}

/* --------------------------------------------------------------------------------- motions ---- */

static void put_base(apl_support* s, const double* state, int order) {
  double* to = order == 0 ? apl_q(s->s) + s->q0 : (order == 1 ? apl_v(s->s) : apl_a(s->s)) + s->v0;

  for (int k = 0; k < 3; ++k)
    to[k] = state[k];
}

/* A vector in the plane as coordinates of the base. */
static void base_numbers(const apl_support* s, planar p, double angle, double* out) {
  for (int j = 0; j < 2; ++j)
    out[j] = p.x * s->frame[j][0] + p.z * s->frame[j][1];
  out[2] = angle;
}

void apl_support_shape(apl_support* s, double t) {
  static const double zero[3] = {0};
  double *q = apl_q(s->s), *v = apl_v(s->s), *a = apl_a(s->s), *aim = apl_aim(s->s);

  const int given = s->system->drives.nmotion;

  for (int i = 0; i < given + s->system->drives.naim; ++i) {
    const drive* d = i < given ? &s->system->drives.motion[i] : &s->system->drives.aim[i - given];
    double y[3];
    if (d->coordinate < 0) continue; /* a prescribed velocity does not define a shape */
    apl_signal_eval(d->signal, t, y);
    q[d->coordinate] = aim[d->velocity] = y[0];
    v[d->velocity] = aim[s->nv + d->velocity] = y[1];
    a[d->velocity] = y[2];
  }
  /* where an input is the aim of a servo, the passes take the aim from u */
  for (int i = 0; i < s->m->ninput; ++i) {
    const apl_input* in = &s->m->input[i];
    if (input_is_aim(in)) apl_u(s->s)[i] = aim[input_aim(in, s->nv)];
  }
  for (int order = 0; order < 3; ++order)
    put_base(s, zero, order);
}

static void note(apl_support* s, apl_status st) {
  if (s->looked == APL_OK) s->looked = st;
}

support_motion apl_support_motion_of(apl_support* s, const support_part* part) {
  double X[12] = {0}, V[6] = {0}, A[6] = {0}, r[3];

  note(s, apl_port_pose(s->m, s->s, part->port, X));
  note(s, apl_port_motion(s->m, s->s, part->port, APL_WORLD_AXES, V, A));
  for (int k = 0; k < 3; ++k)
    r[k] = X[3 * k] * part->offset[0] + X[3 * k + 1] * part->offset[1] +
           X[3 * k + 2] * part->offset[2];

  /* v + w x r,  a + w' x r - w^2 r in the plane, where w x r = w (-r_z, r_x) */
  const double w = about(s, V), w1 = about(s, A), rx = along(s, r), rz = above(s, r);
  return (support_motion){
      .at = {along(s, X + 9) + rx, above(s, X + 9) + rz - s->level},
      .speed = {along(s, V + 3) - w * rz, above(s, V + 3) + w * rx},
      .rate = {along(s, A + 3) - w1 * rz - w * w * rx, above(s, A + 3) + w1 * rx - w * w * rz},
      .turn = w,
      .turn_rate = w1,
  };
}

apl_status apl_support_look(apl_support* s) {
  return apl_poses(s->m, s->s, s->poses);
}

planar apl_support_at(const apl_support* s, const support_part* part) {
  const double* X = s->poses + 12 * part->port;
  double p[3];

  for (int k = 0; k < 3; ++k)
    p[k] = X[9 + k] + X[3 * k] * part->offset[0] + X[3 * k + 1] * part->offset[1] +
           X[3 * k + 2] * part->offset[2];
  return (planar){along(s, p), above(s, p) - s->level};
}

double apl_support_lean(const apl_support* s, const support_part* part) {
  const double* X = s->poses + 12 * part->port;
  const double z[3] = {X[2], X[5], X[8]};

  return atan2(-along(s, z), above(s, z));
}

planar apl_support_center(apl_support* s) {
  double c[3] = {0};

  note(s, apl_center(s->m, s->s, c));
  return (planar){along(s, c), above(s, c) - s->level};
}

/* ----------------------------------------------------------------------------------- place ---- */

apl_status apl_support_place(apl_support* s, double t, support_pair p, double way, double slip,
                             double slip_rate) {
  const support_part *first = apl_support_part(s, p, p.a), *second = apl_support_part(s, p, p.b);
  double base[3];

  apl_support_shape(s, t);
  const support_motion a = apl_support_motion_of(s, first), b = apl_support_motion_of(s, second);
  const planar D = minus(b.at, a.at), D1 = minus(b.speed, a.speed), D2 = minus(b.rate, a.rate);
  const double size = D.x * D.x + D.z * D.z, turn = -across(D, D1) / size;
  const double turn_rate = -across(D, D2) / size - 2.0 * turn * (D.x * D1.x + D.z * D1.z) / size;

  base_numbers(s, (planar){0.0, 0.0}, -atan2(D.z, D.x), base);
  put_base(s, base, 0);
  base_numbers(s, (planar){0.0, 0.0}, turn, base);
  put_base(s, base, 1);
  base_numbers(s, (planar){0.0, 0.0}, turn_rate, base);
  put_base(s, base, 2);

  /* move the first support to its position; a round part rolls: x' = -r turn */
  const support_motion now = apl_support_motion_of(s, first);
  const double r = first->radius;
  const planar at = {way - now.at.x, r - now.at.z};
  const planar speed = {slip - r * now.turn - now.speed.x, -now.speed.z};
  const planar rate = {slip_rate - r * now.turn_rate - now.rate.x, -now.rate.z};

  base_numbers(s, at, apl_q(s->s)[s->q0 + 2], base);
  put_base(s, base, 0);
  base_numbers(s, speed, turn, base);
  put_base(s, base, 1);
  base_numbers(s, rate, turn_rate, base);
  put_base(s, base, 2);
  return apl_support_needs(s);
}

/* Inverse dynamics with another gravity: a change of gravity equals an acceleration of the base,
   since only a - g matters. */
apl_status apl_support_inverse(apl_support* s) {
  double *a = apl_a(s->s) + s->v0, kept[2] = {a[0], a[1]}, lean[3];

  base_numbers(s, (planar){s->stated[0] - s->gravity[0], s->stated[1] - s->gravity[1]}, 0.0, lean);
  a[0] += lean[0];
  a[1] += lean[1];
  const apl_status st = apl_inverse(s->m, s->s);
  a[0] = kept[0];
  a[1] = kept[1];
  return st;
}

/* The efforts of the base without ground forces are the required ground forces. */
apl_status apl_support_needs(apl_support* s) {
  double X[12];
  apl_status st = s->looked;
  if (st == APL_OK) st = apl_support_inverse(s);
  if (st == APL_OK) st = apl_port_pose(s->m, s->s, apl_model_link_info(s->m, s->base).port, X);
  if (st != APL_OK) return st;

  const double* Q = apl_tau(s->s) + s->v0;
  s->origin = (planar){along(s, X + 9), above(s, X + 9) - s->level};
  s->need = (planar){Q[0] * s->frame[0][0] + Q[1] * s->frame[1][0],
                     Q[0] * s->frame[0][1] + Q[1] * s->frame[1][1]};
  s->moment = Q[2];
  return APL_OK;
}

/* (x - x_O) N + z_O F = moment */
double apl_support_moment_point(const apl_support* s) {
  return s->origin.x + (s->moment - s->origin.z * s->need.x) / s->need.z;
}
