/* SPDX-License-Identifier: Apache-2.0 */
/* loops.c: constraint rows of closed loops and couplings: gap, rate, and the wrenches on both
   frames per unit force. Forces come from outside (couple/closing.c finds the Lagrange multipliers)
   or, as springs, from here. Theory: docs/theory/loops.md.

   With r = p_to - p_from and all vectors in the world:
     along e      c = e . r          c' = e . r' + w_a . (e x r)       force e on `to` at p_to
     distance     c = |r| - l        c' = n . r', n = r / |r|          force n
     turn         c = sum k u . w    c' = (w_b - w_a) . m,  m = sum k w x u      moment m
   `from` gets the opposite wrench, and also the moment e x r if e is fixed in it, so that force
   times rate is the total power. */
#include "dynamics/efforts.h"
#include "dynamics/row_parts.h"
#include "dynamics/world.h"

/* One end of a loop in the world. */
typedef struct loop_end {
  mat3 R;     /* axes of its frame                                                                */
  vec3 p, at; /* the end's point; the same relative to the origin of the frame */
  vec3 v, w;  /* velocity of the point, angular velocity of the frame                             */
  vec3 a, dw; /* accelerations, minus gravity                                                     */
} loop_end;

static loop_end end_motion(const state* s, int frame, int point) {
  const pose X = s->X[frame];
  const twist V = s->V[frame];
  const vec3 p = {s->par[point], s->par[point + 1], s->par[point + 2]};
  loop_end e = {.R = X.R, .at = mul(X.R, p)};

  e.p = add(X.p, e.at);
  e.w = mul(X.R, V.w);
  e.v = add(mul(X.R, V.v), cross(e.w, e.at));
  return e;
}

/* a = a_0 + dw x d + w x (w x d) */
static void end_acceleration(const state* s, int frame, loop_end* e) {
  const accel A = s->A[frame];

  e->dw = mul(e->R, A.dw);
  e->a = add(mul(e->R, A.a), add(cross(e->dw, e->at), cross(e->w, cross(e->w, e->at))));
}

/* Force f and moment n at the point of an end, as a wrench on its frame. */
HOT_INLINE wrench end_wrench(const loop_end* e, vec3 n, vec3 f) {
  return (wrench){mul_t(e->R, add(n, cross(e->at, f))), mul_t(e->R, f)};
}

HOT_INLINE vec3 row_vector(const real* par, int k) {
  return (vec3){par[k], par[k + 1], par[k + 2]};
}

typedef struct row_out {
  real gap, rate, accel;
  wrench W[2]; /* of a unit force, on `from` and on `to`                                          */
} row_out;

/* e . r, with e fixed in `from` or in the world:
     c'' = e . r'' + 2 (w_a x e) . r' + (dw_a x e + w_a x (w_a x e)) . r */
static void row_along(const loop_end* a, const loop_end* b, const real* par, bool world,
                      row_out* out) {
  const vec3 e0 = row_vector(par, 0), e = world ? e0 : mul(a->R, e0);
  const vec3 r = sub(b->p, a->p), v = sub(b->v, a->v);
  const vec3 turn = world ? vec3_zero() : cross(e, r);

  out->gap = dot(e, r);
  out->rate = dot(e, v) + dot(a->w, turn);
  out->accel = dot(e, sub(b->a, a->a));
  if (!world) {
    const vec3 ed = cross(a->w, e);
    out->accel += 2.0 * dot(ed, v) + dot(add(cross(a->dw, e), cross(a->w, ed)), r);
  }
  out->W[0] = end_wrench(a, turn, neg(e));
  out->W[1] = end_wrench(b, vec3_zero(), e);
}

/* c'' = n . r'' + (r' . r' - (n . r')^2) / |r|. If both points coincide, n is undefined and the
   results are not finite. */
static void row_distance(const loop_end* a, const loop_end* b, real length, row_out* out) {
  const vec3 r = sub(b->p, a->p), v = sub(b->v, a->v);
  const real l = real_sqrt(dot(r, r));
  const vec3 n = scale(1.0 / l, r);
  const real rate = dot(n, v);

  out->gap = l - length;
  out->rate = rate;
  out->accel = dot(n, sub(b->a, a->a)) + (dot(v, v) - rate * rate) / l;
  out->W[0] = end_wrench(a, vec3_zero(), neg(n));
  out->W[1] = end_wrench(b, vec3_zero(), n);
}

/* c'' = (dw_b - dw_a) . m + (w_b - w_a) . sum k ((w_b x w) x u + w x (w_a x u)) */
static void row_turn(const loop_end* a, const loop_end* b, const real* par, row_out* out) {
  vec3 m = vec3_zero(), md = vec3_zero();
  real gap = real_of(0.0);

  for (int i = 0; i < 2; ++i) {
    const real* at = par + 7 * i;
    const real k = at[6];
    const vec3 u = mul(a->R, row_vector(at, 0)), w = mul(b->R, row_vector(at, 3));
    gap += k * dot(u, w);
    m = add(m, scale(k, cross(w, u)));
    md = add(md, scale(k, add(cross(cross(b->w, w), u), cross(w, cross(a->w, u)))));
  }
  const vec3 w = sub(b->w, a->w);
  out->gap = gap;
  out->rate = dot(w, m);
  out->accel = dot(sub(b->dw, a->dw), m) + dot(w, md);
  out->W[0] = end_wrench(a, neg(m), vec3_zero());
  out->W[1] = end_wrench(b, m, vec3_zero());
}

/* q_of - ratio q_to - offset */
static void row_tie(const state* s, const apl_loop* l, loop_row* out) {
  const real ratio = s->par[l->par + TIE_RATIO];

  out->gap = s->q[l->coordinate[0]] - ratio * s->q[l->coordinate[1]] - s->par[l->par + TIE_OFFSET];
  out->rate = s->v[l->velocity[0]] - ratio * s->v[l->velocity[1]];
  out->accel = s->a[l->velocity[0]] - ratio * s->a[l->velocity[1]];
}

/* All rows, after positions() and velocities(). Accelerations need A of the frames. */
static void row_motions(const apl_model* m, state* s, bool accelerated) {
  for (int i = 0; i < m->nloop; ++i) {
    const apl_loop* l = &m->loop[i];
    if (i >= m->nloop - m->ncoupling) {
      row_tie(s, l, &s->row[l->row0]);
      continue;
    }
    loop_end a = end_motion(s, l->frame[0], l->par + LOOP_FROM);
    loop_end b = end_motion(s, l->frame[1], l->par + LOOP_TO);
    if (accelerated) {
      end_acceleration(s, l->frame[0], &a);
      end_acceleration(s, l->frame[1], &b);
    } else {
      a.a = a.dw = b.a = b.dw = vec3_zero();
    }
    for (int k = l->row0; k < l->row0 + l->nrow; ++k) {
      const apl_loop_part* row = &m->part[k];
      const real* par = s->par + row->par + PART_E;
      row_out out;

      if (row->kind == PART_TURN) {
        row_turn(&a, &b, par, &out);
      } else if (row->kind == PART_DISTANCE) {
        row_distance(&a, &b, s->par[l->par + LOOP_LENGTH], &out);
      } else {
        row_along(&a, &b, par, row->kind == PART_WORLD, &out);
      }
      s->row[k].gap = out.gap;
      s->row[k].rate = out.rate;
      if (accelerated) s->row[k].accel = out.accel;
      s->row_wrench[2 * k] = out.W[0];
      s->row_wrench[2 * k + 1] = out.W[1];
    }
  }
}

/* ------------------------------------------------------------------------------- efforts ---- */

/* Add the force of row k to its frames or velocities. */
static void apply_row(const apl_model* m, state* s, int k) {
  const apl_loop* l = &m->loop[m->part[k].loop];
  const real force = s->row[k].force;

  if (m->part[k].kind == PART_TIE) {
    s->Q[l->velocity[0]] += force;
    s->Q[l->velocity[1]] -= s->par[l->par + TIE_RATIO] * force;
    return;
  }
  for (int end = 0; end < 2; ++end) {
    const int f = l->frame[end];
    s->F[f] = wrench_add(s->F[f], wrench_scale(force, s->row_wrench[2 * k + end]));
  }
}

/* Add the forces of all rows at the present poses to F and Q. Returns their power without the part
   that springs store. */
static real apply_rows(const apl_model* m, state* s) {
  real sum = real_of(0.0);

  for (int k = 0; k < m->npart; ++k) {
    loop_row* row = &s->row[k];
    if (s->head.springs) {
      row->force = -(row->stiffness * row->gap + row->damping * row->rate);
      sum -= row->damping * row->rate * row->rate;
    } else {
      sum += row->force * row->rate;
    }
    apply_row(m, s, k);
  }
  return sum;
}

static real loop_efforts(const apl_model* m, state* s) {
  row_motions(m, s, false);
  return apply_rows(m, s);
}

/* Potential energy of loop springs, after positions() and velocities(). */
static real loop_energy(const apl_model* m, state* s) {
  real sum = real_of(0.0);

  if (!s->head.springs) return sum;
  row_motions(m, s, false);
  for (int k = 0; k < m->npart; ++k)
    sum += 0.5 * s->row[k].stiffness * s->row[k].gap * s->row[k].gap;
  return sum;
}
