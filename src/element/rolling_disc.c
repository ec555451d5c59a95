/* SPDX-License-Identifier: Apache-2.0 */
/* rolling_disc.c: a disc, coin or wheel that rolls on its rim and may lean. Five coordinates: the
   contact point (x, y), heading, lean and roll, with R = Rz(heading) Rx(lean) Ry(roll); three
   quasi-velocities, the rates of the angles. Frame at the centre: y is the axle; at zero angles x
   is forward and z up. Singular only when the disc lies flat (lean +-90 deg). The body may have any
   inertia and any centre of mass. Theory: docs/theory/wheels.md, 8. */
#include "element/rolling.h"

#ifndef APL_HOT

static int rolling_disc_refuses(const double* q, apl_error* err) {
  if (cos(q[3]) > 1e-6) return -1;
  apl_fail(err, APL_ERR_MODEL,
           "the lean is %.6g deg: a rolling-disc must stay between -90 and 90 deg; there it lies "
           "flat and has no single contact point",
           q[3] * 57.295779513082320876798154814105);
  return 3;
}

/* Rotation from body axes to heading axes: Rx(lean) Ry(roll); the rim touches at Rx(lean) (0, 0,
   -r). */
static void rolling_disc_stands(const void* constants, const double* q, apl_footing* out) {
  const rolling_par* par = constants;
  const double s = sin(q[3]), c = cos(q[3]), sr = sin(q[4]), cr = cos(q[4]);

  out->to_ground = (mat3){cr, 0, sr, s * sr, c, -s * cr, -c * sr, s, c * cr};
  out->height = par->radius * c;
  out->friction = par->friction;
  footing_point(out, 0.0, par->radius * s);
}

static const char* const rolling_disc_q[] = {"x", "y", "heading", "lean", "roll"};
static const char* const rolling_disc_v[] = {"turn", "lean", "roll"};
static const char* const rolling_disc_q_unit[] = {"m", "m", "rad", "rad", "rad"};
static const char* const rolling_disc_v_unit[] = {"rad/s", "rad/s", "rad/s"};

static const apl_joint_kind rolling_disc_kind = {
    .word = "rolling-disc",
    .title = "a disc that rolls on its rim without slip and can lean",
    .field = rolling_fields,
    .param_size = sizeof(rolling_param),
    .nq = 5,
    .nt = 5,
    .nv = 3,
    .npar = APL_NPAR(rolling_par),
    .nangle = 3,
    .angle = {2, 3, 4},
    .turning = APL_TURNS_ANY,
    .q_name = rolling_disc_q,
    .v_name = rolling_disc_v,
    .q_unit = rolling_disc_q_unit,
    .v_unit = rolling_disc_v_unit,
    .compile = rolling_compile,
    .refuses = rolling_disc_refuses,
    .stands = rolling_disc_stands,
};

#else

/* Ry(roll)^T a */
static vec3 unroll(vec3 a, real s, real c) {
  return (vec3){c * a.x - s * a.z, a.y, s * a.x + c * a.z};
}

static twist twist_unroll(twist V, real s, real c) {
  return (twist){unroll(V.w, s, c), unroll(V.v, s, c)};
}

/* In axes that lean but do not roll the contact is at -r z, so v = r w x z = r (w_y, -w_x, 0):
     turn: (0, s, c; r s, 0, 0)    lean: (1, 0, 0; 0, -r, 0)    roll: (0, 1, 0; r, 0, 0) */
static void rolling_disc_motion(const joint_in* in, joint_out* out) {
  const rolling_par* par = in->par;
  const real o = real_of(0.0), i = real_of(1.0), r = par->radius;
  const real sh = in->sc[0], ch = in->sc[1], s = in->sc[2], c = in->sc[3];
  const real sr = in->sc[4], cr = in->sc[5];
  const real turn = in->v[0], lean = in->v[1], roll = in->v[2];

  /* R = Rz Rx Ry; the centre is r z above the contact: (0, -r s, r c) before the heading */
  const mat3 leaning = {ch, -sh * c, sh * s, sh, ch * c, -ch * s, o, s, c};
  const mat3 rolling = {cr, o, sr, o, i, o, -sr, o, cr};
  out->X =
      (pose){mat3_mul(leaning, rolling), {in->q[0] + r * s * sh, in->q[1] - r * s * ch, r * c}};

  const twist by_turn = {{o, s, c}, {r * s, o, o}};
  const twist by_lean = {{i, o, o}, {o, -r, o}};
  const twist by_roll = {{o, i, o}, {r, o, o}};
  set_column(out->S, 0, twist_unroll(by_turn, sr, cr));
  set_column(out->S, 1, twist_unroll(by_lean, sr, cr));
  set_column(out->S, 2, twist_unroll(by_roll, sr, cr));

  /* (dS/dt) v: lean changes the column of turn; roll' rotates all columns by -roll' y x */
  const twist V = {{lean, roll + s * turn, c * turn}, {r * (roll + s * turn), -r * lean, o}};
  const vec3 y = {o, -roll, o};
  const real k = lean * turn;
  const twist rate = {add((vec3){o, k * c, -k * s}, cross(y, V.w)),
                      add((vec3){k * r * c, o, o}, cross(y, V.v))};
  out->c = twist_unroll(rate, sr, cr);
}

/* the contact point moves along the heading at r roll' */
static void rolling_disc_rate(const joint_in* in, real* qdot) {
  const rolling_par* par = in->par;
  const real speed = par->radius * in->v[2];

  qdot[0] = speed * in->sc[1];
  qdot[1] = speed * in->sc[0];
  for (int k = 0; k < 3; ++k)
    qdot[2 + k] = in->v[k];
}

static void rolling_disc_pull(const joint_in* in, const real* delta, const real* f, real* Q,
                              real* QP) {
  const rolling_par* par = in->par;

  (void)delta, (void)QP;
  Q[0] = f[2];
  Q[1] = f[3];
  Q[2] = f[4] + par->radius * (in->sc[1] * f[0] + in->sc[0] * f[1]);
}

static const joint_ops rolling_disc_ops = {
    .motion = rolling_disc_motion,
    .rate = rolling_disc_rate,
    .tangent_rate = rolling_disc_rate,
    .pull = rolling_disc_pull,
};

#endif
