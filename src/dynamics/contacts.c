/* SPDX-License-Identifier: Apache-2.0 */
/* contacts.c: points, balls and arcs on ports against planes, and solids against solids. It
   computes the contact point, penetration, sliding velocity, and the force by the laws of
   law/contact_law.h; the results are a wrench on the frame, powers for the ledger and rates of the
   LuGre bristles. Which contacts are closed, and the speed at which they closed, is memory that
   events change (kind/contact_events.c); a pass reads it only. */
#include "dynamics/efforts.h"
#include "dynamics/motion.h"
#include "law/contact_law.h"

HOT_INLINE vec3 get3(const real* x) {
  return (vec3){x[0], x[1], x[2]};
}

HOT_INLINE void put3(real* x, vec3 a) {
  x[0] = a.x;
  x[1] = a.y;
  x[2] = a.z;
}

/* The normal n and two tangents. Where the tangents turn with the port (rotation R), the first one
   is the projection of the port's direction d on the plane,
     t = d - n (n . d),   e = t/|t|,   and n x e
   and the ground's own tangent where d is parallel to n. */
static void contact_axes(const real* par, const apl_pair* pair, mat3 R, real* axis) {
  const vec3 n = get3(par + PAIR_AXES);
  if (!pair->turns) {
    memcpy(axis, par + PAIR_AXES, 9 * sizeof *axis);
    return;
  }
  const vec3 d = mul(R, get3(par + PAIR_ALONG)), t = sub(d, scale(dot(n, d), n));
  const real size = dot(t, t);
  const mask lies = real_less(real_of(1e-12), size);
  const real k = 1.0 / real_sqrt(real_select(lies, size, real_of(1.0)));
  const vec3 own = get3(par + PAIR_AXES + 3);
  const vec3 e = {real_select(lies, k * t.x, own.x), real_select(lies, k * t.y, own.y),
                  real_select(lies, k * t.z, own.z)};

  put3(axis, n);
  put3(axis + 3, e);
  put3(axis + 6, cross(n, e));
}

/* Vector from the centre of the ball to the contact point: -r n. For an arc in the x-z plane of the
   port it is -r (s x + c z), where (s, c) is the direction of n in that plane, limited to the ends
   of the arc. drift: the rate of this vector relative to the body, for a port with angular velocity
   w in its own axes. It is zero for a ball. With in = R^T n and in' = in x w, the angle of (s, c)
   changes at the rate (in_x' in_z - in_z' in_x) / size^2. */
static vec3 contact_arm(const real* par, const apl_pair* pair, mat3 R, vec3 n, vec3 w,
                        vec3* drift) {
  const real r = par[PAIR_RADIUS], end_c = par[PAIR_ARC], end_s = par[PAIR_ARC + 1];
  if (!pair->arc) {
    *drift = (vec3){real_of(0.0), real_of(0.0), real_of(0.0)};
    return scale(-r, n);
  }

  const vec3 in = mul_t(R, n), rate = cross(in, w);
  const real size = real_sqrt(in.x * in.x + in.z * in.z);
  const mask inside = real_less(end_c * size, in.z);
  const real side = real_select(real_less(in.x, real_of(0.0)), -end_s, end_s);
  const real s = real_select(inside, in.x / size, side),
             c = real_select(inside, in.z / size, end_c);
  const real turn =
      real_select(inside, (rate.x * in.z - rate.z * in.x) / (size * size), real_of(0.0));
  const vec3 out = {-r * s, real_of(0.0), -r * c};
  *drift = mul(R, add(cross(w, out), (vec3){-r * c * turn, real_of(0.0), r * s * turn}));
  return mul(R, out);
}

/* The contact point in the world, after positions() and velocities():
     x = centre - r n,  D = n . (point of the plane - x),  D' = -n . v,  slip = (v + w x (-r n))
   For a ball n . (w x r n) = 0, so v of the centre may be used. The end of an arc is a fixed point
   of the body, so for arcs D' = -n . slip. */
static vec3 contact_motion(const apl_model* m, const state* s, const apl_pair* pair, contact* t) {
  const real* par = s->par + pair->par;
  const int f = m->port[pair->port].frame;
  const pose X = s->X[f];
  const pose port = par_pose(s, m->port[pair->port].pose);
  const vec3 p = port.p, n = get3(par + PAIR_AXES), at = get3(par + PAIR_POINT);
  const mat3 R = mat3_mul(X.R, port.R);
  vec3 drift;
  const vec3 out = contact_arm(par, pair, R, n, mul_t(port.R, s->V[f].w), &drift);
  const vec3 x = add(add(X.p, mul(X.R, p)), out);
  const vec3 v = mul(X.R, add(s->V[f].v, cross(s->V[f].w, p)));
  const vec3 slip = add(v, cross(mul(X.R, s->V[f].w), out));

  t->depth = dot(n, sub(at, x));
  t->rate = -dot(n, pair->arc ? slip : v);
  contact_axes(par, pair, R, t->axis);
  t->slip[0] = dot(get3(t->axis + 3), slip);
  t->slip[1] = dot(get3(t->axis + 6), slip);
  put3(t->place, x);
  put3(t->drift, drift);
  return x;
}

/* ---------------------------------------------------------------------------------- solids ---- */

/* The two frames of a contact. The contact force acts along the axes on the first frame and
   opposite to them on the second, unless that is the world. */
typedef struct contact_frames {
  int first, second;
} contact_frames;

typedef struct touch_place {
  TOUCH_MEMBERS(real)
} touch_place;

/* The last measured pair of solids. All contact points of a pair are neighbours in the list, so
   each pair is measured once. */
typedef struct measured {
  int solid[2];
  touch_place place[8];
} measured;

static const contact_touch* touch_of(const apl_model* m, const state* s, int i) {
  return &s->touch[i - (m->npair - m->nslot)];
}

static bool is_there(const apl_model* m, const state* s, int i) {
  return m->pair[i].port >= 0 || touch_of(m, s, i)->solid[0] > 0;
}

static contact_frames frames_of(const apl_model* m, const state* s, int i) {
  if (m->pair[i].port >= 0) return (contact_frames){m->port[m->pair[i].port].frame, 0};
  const contact_touch* t = touch_of(m, s, i);
  return (contact_frames){m->solid[t->solid[0] - 1].frame, m->solid[t->solid[1] - 1].frame};
}

static vec3 velocity_at(const state* s, int f, vec3 x) {
  const pose X = s->X[f];
  const vec3 arm = mul_t(X.R, sub(x, X.p));
  return f == 0 ? vec3_zero() : mul(X.R, add(s->V[f].v, cross(s->V[f].w, arm)));
}

static pose solid_pose(const state* s, const apl_solid* a) {
  real number[12];
  pose at;

  for (int i = 0; i < 12; ++i)
    number[i] = real_of(a->at[i]);
  memcpy(&at, number, sizeof at);
  return a->frame == 0 ? at : pose_mul(s->X[a->frame], at);
}

/* The geometry of solids branches on data, so it is not part of the branch-free passes. It is
   called with the number type of the pass, one lane after the other. */
static void measure(const apl_model* m, const state* s, const int solid[2], touch_place* out) {
  const apl_solid *a = &m->solid[solid[0] - 1], *b = &m->solid[solid[1] - 1];
  const pose X[2] = {solid_pose(s, a), solid_pose(s, b)};
  const double* pose_of = (const double*)(const void*)X;
  double* place = (double*)(void*)out;

#if REAL_WIDTH == 4
  enum { POSES = 24, PLACES = 8 * sizeof(touch_place) / sizeof(real) };
  for (int lane = 0; lane < REAL_WIDTH; ++lane) {
    double at[POSES], found[PLACES] = {0.0};
    for (int i = 0; i < POSES; ++i)
      at[i] = pose_of[REAL_WIDTH * i + lane];
    m->measure(a, at, b, at + POSES / 2, found);
    for (int i = 0; i < PLACES; ++i)
      place[REAL_WIDTH * i + lane] = found[i];
  }
#else
  apl_measure* const in_numbers = REAL_WIDTH == 1 ? m->measure : m->measure_complex;
  in_numbers(a, pose_of, b, pose_of + 12 * REAL_WIDTH, place);
#endif
}

/* Relative motion of two solids at their contact point x: v = v_a(x) - v_b(x), D' = -n . v. */
static vec3 touch_motion(const apl_model* m, const state* s, int i, measured* last, contact* t) {
  const contact_touch* touch = touch_of(m, s, i);
  const contact_frames f = frames_of(m, s, i);

  if (last->solid[0] != touch->solid[0] || last->solid[1] != touch->solid[1]) {
    measure(m, s, touch->solid, last->place);
    memcpy(last->solid, touch->solid, sizeof last->solid);
  }
  const touch_place* at = &last->place[touch->place];
  const vec3 x = get3(at->x);
  const vec3 v = sub(velocity_at(s, f.first, x), velocity_at(s, f.second, x));
  memcpy(t->axis, at->axis, sizeof t->axis);
  memcpy(t->place, at->x, sizeof t->place);
  zero(t->drift, 3);
  t->depth = at->depth;
  t->rate = -dot(get3(t->axis), v);
  t->slip[0] = dot(get3(t->axis + 3), v);
  t->slip[1] = dot(get3(t->axis + 6), v);
  return x;
}

/* An empty slot: no two solids are close enough. A large negative depth means far apart. */
static void clear_place(contact* t) {
  t->depth = real_of(-1e9);
  t->rate = real_of(0.0);
  zero(t->slip, 2);
  zero(t->force, 3);
  zero(t->zrate, 2);
}

/* ---------------------------------------------------------------------------------- forces ---- */

static inline normal_numbers pair_normal(const state* s, const apl_pair* pair) {
  normal_numbers N;
  memcpy(&N, s->par + pair->par + PAIR_NORMAL, sizeof N);
  return N;
}

/* True if an event closed the contact. Then an event also opens it again; the sign of the depth is
   not used, because round-off may change it. */
static inline mask is_begun(const contact* t) {
  return real_less(real_abs(t->on - 1.0), real_of(0.5));
}

/* Normal force and friction by the contact's laws, plus the forces of constraint rows (push). */
static void contact_force(const state* s, const apl_pair* pair, contact* t) {
  const real o = real_of(0.0);
  const normal_numbers N = pair_normal(s, pair);
  const mask on = is_closed(t), free = real_less(t->stick, real_of(0.5));
  friction_numbers F;
  real rub[2] = {o, o}, zrate[2] = {o, o};

  memcpy(&F, s->par + pair->par + PAIR_FRICTION, sizeof F);
  const mask pushes = mask_or(is_begun(t), real_less(o, t->depth));
  /* rigid contacts have no force law; their forces come from constraint rows alone */
  const real normal =
      pair->rigid ? o : normal_force(t->depth, t->rate, t->speed, &N, pair->pulls != 0);
  t->force[0] = t->push[0] + real_select(on, real_select(pushes, normal, o), o);
  if (pair->pressed) t->force[0] = s->par[pair->par + PAIR_LOAD];
  if (pair->bristles) {
    friction_bristles(t->slip, t->z, &F, rub, zrate);
  } else if (pair->friction != FRICTION_NONE) {
    friction_force((friction_law)pair->friction, t->slip, &F, rub);
  }
  for (int k = 0; k < 2; ++k) {
    const real drag = F.drag[k], drags = real_select(on, real_select(pushes, drag, o), o);
    t->force[1 + k] = t->push[1 + k] - (pair->pressed ? drag : drags) * t->slip[k] +
                      real_select(free, real_max(t->force[0], o) * rub[k], o);
    t->zrate[k] = real_select(on, zrate[k], o);
  }
}

static void push_frame(state* s, int f, vec3 x, vec3 force) {
  const vec3 arm = mul_t(s->X[f].R, sub(x, s->X[f].p)), in_frame = mul_t(s->X[f].R, force);
  s->F[f] = wrench_add(s->F[f], (wrench){cross(arm, in_frame), in_frame});
}

static void no_force(contact* t) {
  zero(t->force, 3);
  zero(t->zrate, 2);
}

/* Add the forces of closed contacts to F and their powers to the accounts:
     contact           -N D'
     contact-friction  T . slip */
static void contact_efforts(const apl_model* m, state* s) {
  measured last = {.solid = {0, 0}};

  for (int i = 0; i < m->npair; ++i) {
    const apl_pair* pair = &m->pair[i];
    contact* t = &s->contact[i];

    if (!contact_acts(t) || !is_there(m, s, i)) {
      no_force(t);
      continue;
    }
    const vec3 x = pair->port < 0 ? touch_motion(m, s, i, &last, t) : contact_motion(m, s, pair, t);
    const contact_frames f = frames_of(m, s, i);
    contact_force(s, pair, t);
    /* a prescribed normal load is balanced by the ground outside the model: only friction acts */
    const real normal = pair->pressed ? real_of(0.0) : t->force[0];
    const vec3 force =
        add(scale(normal, get3(t->axis)),
            add(scale(t->force[1], get3(t->axis + 3)), scale(t->force[2], get3(t->axis + 6))));

    push_frame(s, f.first, x, force);
    if (f.second != 0) push_frame(s, f.second, x, neg(force));
    s->power[APL_ACCOUNT_CONTACT] -= normal * t->rate;
    s->power[APL_ACCOUNT_CONTACT_FRICTION] += t->force[1] * t->slip[0] + t->force[2] * t->slip[1];
  }
}

/* Depths, rates, sliding velocities and forces for the present q, v and contact memory. */
static apl_status contacts(const apl_model* m, apl_state* head) {
  state* s = hot(head);
  measured last = {.solid = {0, 0}};

  positions(m, s);
  velocities(m, s);
  for (int i = 0; i < m->npair; ++i) {
    contact* t = &s->contact[i];

    if (!is_there(m, s, i)) {
      clear_place(t);
      continue;
    }
    if (m->pair[i].port < 0) {
      touch_motion(m, s, i, &last, t);
    } else {
      contact_motion(m, s, &m->pair[i], t);
    }
    if (contact_acts(t) || m->pair[i].pressed) {
      contact_force(s, &m->pair[i], t);
    } else {
      no_force(t);
    }
  }
  return finite_status((const real*)(const void*)s->contact,
                       m->npair * (int)(sizeof(contact) / sizeof(real)));
}
