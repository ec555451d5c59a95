/* SPDX-License-Identifier: Apache-2.0 */
/* tendons.c: what tendons do. A tendon is a row of spans without friction between them, so one
   tension T pulls all of it and the forces follow from its length alone: Q = -T dl/dq. Spans in a
   body that deforms pull its deformations, straight ones pull the frames at their ends. Theory:
   docs/theory/tendons.md, whose equation numbers are used below. */
#include "dynamics/efforts.h"
#include "dynamics/motion.h"
#include "dynamics/spans.h"

/* ------------------------------------------------------------------------------- spans ---- */

HOT_INLINE real rate_of(const state* s, const apl_node* n, const real* slope) {
  real rate = real_of(0.0);

  for (int k = 0; k < n->nx; ++k)
    rate += slope[k] * s->v[n->xv0 + k];
  return rate;
}

/* l = share |w|                                                                              (2) */
static span_motion span_along(const apl_model* m, state* s, const apl_span* g) {
  const apl_node* n = &m->node[g->node];
  const along_par* par = (const void*)(s->par + g->par);
  const body_in in = body_input(s, n);
  real* slope = s->slope + g->slope;
  const real l = body_ops_of(n->body)->channel(&in, (vec3){par->x, par->y, real_of(0.0)}, slope);

  for (int k = 0; k < n->nx; ++k)
    slope[k] *= par->share;
  return (span_motion){par->share * l, rate_of(s, n, slope)};
}

/* The hole of a disc, P = p + R d, with its derivatives: dP/dx_k = R (S_v + S_w x d) */
typedef struct hole {
  vec3 P;
  vec3 slope[APL_MAX_NX];
} hole;

static void hole_at(const body_in* in, const body_ops* ops, real station, vec3 d, hole* out) {
  real S[6 * APL_MAX_NX];
  section sec = {.S = S};

  ops->shape(in, &station, &sec);
  out->P = add(sec.X.p, mul(sec.X.R, d));
  for (int k = 0; k < in->nx; ++k) {
    const twist c = column(S, k);
    out->slope[k] = mul(sec.X.R, add(c.v, cross(c.w, d)));
  }
}

/* the same at the root, whose section is the body frame */
static void hole_at_root(const body_in* in, vec3 d, hole* out) {
  out->P = d;
  for (int k = 0; k < in->nx; ++k)
    out->slope[k] = vec3_zero();
}

/* l = sum |P_i - P_{i-1}|, dl/dx_k = sum e . (dP_i - dP_{i-1})/dx_k. Where all gaps are alike one
   chord tells, from the root on.                                                             (3) */
static span_motion span_chords(const apl_model* m, state* s, const apl_span* g) {
  const apl_node* n = &m->node[g->node];
  const body_ops* ops = body_ops_of(n->body);
  const along_par* par = (const void*)(s->par + g->par);
  const body_in in = body_input(s, n);
  const vec3 d = {par->x, par->y, real_of(0.0)};
  const real first = ops->uniform ? real_of(0.0) : par->from, gap = par->share / (double)g->chords;
  const int nchord = ops->uniform ? 1 : g->chords;
  const real times = real_of(g->chords / nchord);
  real* slope = s->slope + g->slope;
  real length = real_of(0.0);
  hole ends[2];

  zero(slope, n->nx);
  if (ops->uniform) {
    hole_at_root(&in, d, &ends[0]);
  } else {
    hole_at(&in, ops, first, d, &ends[0]);
  }
  for (int i = 1; i <= nchord; ++i) {
    const hole *a = &ends[(i - 1) % 2], *b = &ends[i % 2];

    hole_at(&in, ops, first + (double)i * gap, d, &ends[i % 2]);
    const vec3 chord = sub(b->P, a->P);
    const real l = real_sqrt(dot(chord, chord));
    const vec3 e = scale(times / l, chord);
    length += times * l;
    for (int k = 0; k < n->nx; ++k)
      slope[k] += dot(e, sub(b->slope[k], a->slope[k]));
  }
  return (span_motion){length, rate_of(s, n, slope)};
}

/* l = |P_1 - P_0|, l' = e . (V_1 - V_0); a span of no length has no direction and no force.  (4) */
static span_motion span_straight(state* s, const apl_span* g) {
  vec3 P[2], V[2];

  for (int end = 0; end < 2; ++end) {
    const int f = g->frame[end];
    const vec3 p = span_point(s, g, end);
    P[end] = add(s->X[f].p, mul(s->X[f].R, p));
    V[end] = mul(s->X[f].R, add(s->V[f].v, cross(s->V[f].w, p)));
  }
  const vec3 r = sub(P[1], P[0]);
  const real l = real_sqrt(dot(r, r) + 1e-300);
  const vec3 e = scale(1.0 / l, r);
  real* slope = s->slope + g->slope;

  slope[0] = e.x, slope[1] = e.y, slope[2] = e.z;
  return (span_motion){l, dot(e, sub(V[1], V[0]))};
}

/* between points of one frame */
static span_motion span_fixed(const state* s, const apl_span* g) {
  const vec3 r = sub(span_point(s, g, 1), span_point(s, g, 0));
  return (span_motion){real_sqrt(dot(r, r)), real_of(0.0)};
}

static span_motion span_of(const apl_model* m, state* s, const apl_span* g) {
  switch ((span_kind)g->kind) {
  case SPAN_ALONG:
    return span_along(m, s, g);
  case SPAN_CHORDS:
    return span_chords(m, s, g);
  case SPAN_STRAIGHT:
    return span_straight(s, g);
  case SPAN_FIXED:
    break;
  }
  return span_fixed(s, g);
}

/* ----------------------------------------------------------------------------- tendons ---- */

/* Piece i of a span begins here, in the world; piece span_pieces() would begin at its end. */
static vec3 span_at(const apl_model* m, const state* s, const apl_span* g, int i) {
  if (g->kind == SPAN_STRAIGHT || g->kind == SPAN_FIXED) {
    const pose X = s->X[g->frame[i]];
    return add(X.p, mul(X.R, span_point(s, g, i)));
  }
  const apl_node* n = &m->node[g->node];
  const along_par* par = (const void*)(s->par + g->par);
  const body_in in = body_input(s, n);
  const pose X = s->X[n->frame];
  hole at;
  hole_at(&in, body_ops_of(n->body), par->from + par->share * ((double)i / span_pieces(g)),
          (vec3){par->x, par->y, real_of(0.0)}, &at);
  return add(X.p, mul(X.R, at.P));
}

/* T e at the beginning, -T e at the end */
static void pull_frames(state* s, const apl_span* g, real T) {
  const real* e = s->slope + g->slope;

  for (int end = 0; end < 2; ++end) {
    const int f = g->frame[end];
    const real F = end == 0 ? T : -T;
    const vec3 force = mul_t(s->X[f].R, (vec3){F * e[0], F * e[1], F * e[2]});
    s->F[f] = wrench_add(s->F[f], (wrench){cross(span_point(s, g, end), force), force});
  }
}

/* Q_k -= T dl/dx_k */
static void pull_body(const apl_model* m, state* s, const apl_span* g, real T) {
  const apl_node* n = &m->node[g->node];

  for (int k = 0; k < n->nx; ++k)
    s->Q[n->xv0 + k] -= T * s->slope[g->slope + k];
}

/* Length, tension and forces of tendon i; returns the power -T l'. The tension is the input itself,
   or of a spring whose motor winds up the length u:
     T = max(0, u)        T = max(0, k (l - l0 + u) + c l')                                   (5) */
static real tendon_effort(const apl_model* m, state* s, int i) {
  const apl_tendon* t = &m->tendon[i];
  const apl_span* span = m->span + t->span0;
  const tendon_par* par = (const void*)(s->par + t->par);
  real l = real_of(0.0), rate = real_of(0.0);

  for (int k = 0; k < t->nspan; ++k) {
    const span_motion is = span_of(m, s, &span[k]);
    l += is.length;
    rate += is.rate;
  }
  real T = s->pull[i];
  if (t->elastic) T = par->k * (l - par->rest + T) + par->d * rate;
  s->pull[i] = T; /* what it would be without the corner at zero */
  T = t->elastic && s->head.apart ? real_of(0.0) : real_max(T, real_of(0.0));

  for (int k = 0; k < t->nspan; ++k) {
    if (span[k].kind == SPAN_STRAIGHT) pull_frames(s, &span[k], T);
    if (span[k].kind == SPAN_ALONG || span[k].kind == SPAN_CHORDS) pull_body(m, s, &span[k], T);
  }
  s->length[i] = l;
  s->tension[i] = T;
  return -(T * rate);
}

static apl_status tendon_points(const apl_model* m, apl_state* head, int tendon, double* out) {
  const apl_tendon* t = &m->tendon[tendon];
  state* s = hot(head);
  int n = 0;

  positions(m, s);
  for (int k = 0; k < t->nspan; ++k) {
    const apl_span* g = &m->span[t->span0 + k];
    for (int i = k == 0 ? 0 : 1; i <= span_pieces(g); ++i, ++n) {
      const vec3 P = span_at(m, s, g, i);
      memcpy(out + 3 * REAL_WIDTH * n, &P, sizeof P);
    }
  }
  return finite_status((const real*)(const void*)out, 3 * n);
}
