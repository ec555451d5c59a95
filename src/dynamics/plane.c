/* SPDX-License-Identifier: Apache-2.0 */
/* plane.c: forward dynamics of flat robots, in their plane: the recursion of forward.c with vectors
   of three instead of six. Most robots of the papers are flat, and this is some five times faster.
   Theory: docs/theory/passes.md, 3; what flat means: model/flat.c.

   Every frame has axes (1, 2); a turn is positive about the common normal. A = (angular
   acceleration; acceleration of the origin, minus gravity). With p, S and c in the axes above, A =
   (dw_up; R^T (a_up + dw_up x p + c)) + (S_w; R^T S_v) a and a joint or a deformation is eliminated
   in those axes, at the origin of the frame it moves. */
#include "dynamics/efforts.h"
#include "dynamics/plane.h"
#include "dynamics/plane_motion.h"
#include "dynamics/solver.h"

/* ------------------------------------------------------------------------------- outwards ---- */

/* Sections of a body that bends: a = -w^2 p + 2 w n x p' + p''. Leaves (turn, p') of each
   coordinate in the work area. */
HOT_INLINE void plane_move_body(state* s, const apl_node* n, int nx, plane_frame* P) {
  const plane_frame* B = &P[n->frame];
  const real sense = par_plane_node(s, n)->bend;
  const body_in in = body_input(s, n);

  for (int port = 0; port < n->nport; ++port) {
    plane_frame* F = &P[n->port0 + port];
    real* S = s->work + work_port(n, port);
    plane_section sec = {.turn = S, .dx = S + nx, .dz = S + 2 * nx};
    real turn = real_of(0.0);
    vec2 v = {real_of(0.0), real_of(0.0)};

    body_ops_of(n->body)->plane_shape(&in, s->par + s->head.model->frame[n->port0 + port].section,
                                      &sec);
    F->c = sec.c;
    F->s = sense * sec.s;
    F->p = (vec2){sec.z, sense * sec.x};
    for (int k = 0; k < nx; ++k) {
      turn += sec.turn[k] * in.xd[k];
      v = add2(v, scale2(in.xd[k], (vec2){sec.dz[k], sense * sec.dx[k]}));
    }
    F->w = B->w + sense * turn;
    F->ca = add2(add2(scale2(-(B->w * B->w), F->p), turn2(2.0 * B->w, v)),
                 (vec2){sec.az, sense * sec.ax});
  }
}

/* Column k of a section, in the axes of the body. */
HOT_INLINE plane_three plane_column(const state* s, const apl_node* n, int nx, int port, int k) {
  const real* S = s->work + work_port(n, port);
  const real sense = par_plane_node(s, n)->bend;
  return (plane_three){sense * S[k], {S[2 * nx + k], sense * S[nx + k]}};
}

/* I and b of every frame from its own rigid inertia, less what acts on it in the plane. */
HOT_INLINE void plane_frame_inertia(const apl_model* m, const state* s, int f, bool loaded,
                                    plane_frame* F) {
  const plane_frame_par* par = par_plane_frame(m, s, f);
  const real mass = par->m, o = real_of(0.0), ww = -(F->w * F->w);
  const vec2 h = par->h;

  F->I = (plane_inertia3){par->J, {-h.y, h.x}, mass, o, mass};
  F->b = (plane_three){o, scale2(ww, h)};
  if (loaded) {
    const vec2 force = in_plane(s, f, s->F[f].f);
    F->b.n -= dot(plane_axis(s, f, 2), s->F[f].n);
    F->b.f = add2(F->b.f, scale2(real_of(-1.0), force));
  }
}

/* -------------------------------------------------------------------------------- inwards ---- */

/* What hangs on frame f as the axes above see it, at its own origin, c accounted for. */
HOT_INLINE void plane_seen_above(const plane_frame* F, plane_inertia3* I, plane_three* y) {
  *I = inertia3_rotate(F->c, F->s, F->I);
  *y = add3((plane_three){F->b.n, rotate2(F->c, F->s, F->b.f)},
            inertia3_mul(*I, (plane_three){real_of(0.0), F->ca}));
}

HOT_INLINE void plane_pass_up(plane_frame* F, plane_frame* up, plane_inertia3 I, plane_three y) {
  up->I = inertia3_add(up->I, inertia3_shift(F->p, I));
  up->b = add3(up->b, wrench3_shift(F->p, y));
}

/* I -= U D^-1 U^T, y += U D^-1 r along D = L d L^T, as eliminate() */
HOT_INLINE mask plane_eliminate(plane_inertia3* I, plane_three* y, plane_three* U, real* D, real* r,
                                int n) {
  const mask bad = ldl_factor(D, n, n);

  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < k; ++j) {
      const real l = -D[k * n + j];
      U[k] = add3(U[k], scale3(l, U[j]));
      r[k] += l * r[j];
    }
    const real d = D[k * n + k];
    *I = inertia3_reduce(*I, U[k], d);
    *y = add3(*y, scale3(d * r[k], U[k]));
  }
  return bad;
}

HOT_INLINE void plane_eliminated(const plane_three* U, const real* D, const real* r, int n,
                                 plane_three A, real* a) {
  for (int k = 0; k < n; ++k)
    a[k] = D[k * n + k] * (r[k] - dot3(U[k], A));
  for (int k = n - 2; k >= 0; --k) {
    for (int i = k + 1; i < n; ++i)
      a[k] -= D[i * n + k] * a[i];
  }
}

/* A joint along a column S (in the axes above), rotors included. */
HOT_INLINE mask plane_in_axis(const apl_model* m, state* s, const apl_node* n, int i,
                              plane_frame* P) {
  plane_frame *F = &P[n->frame], *up = &P[n->up];
  const plane_node_par* par = par_plane_node(s, n);
  const bool turns = n->path == PATH_REVOLUTE;
  plane_inertia3 I;
  plane_three y, U;
  real D, r = s->tau[n->v0];

  plane_seen_above(F, &I, &y);
  if (has_efforts(m)) r += s->Q[n->v0];
  if (turns) {
    U = scale3(par->sense, (plane_three){I.J, I.H});
    D = I.J;
    r -= par->sense * y.n;
  } else {
    const plane_three S = {real_of(0.0), par->slide};
    U = inertia3_mul(I, S);
    D = dot3(S, U);
    r -= dot3(S, y);
  }
  D += s->par[n->par + PAR_ARMATURE];
  const real d = 1.0 / D;
  I = inertia3_reduce(I, U, d);
  y = add3(y, scale3(d * r, U));
  plane_pass_up(F, up, I, y);

  s->U[i] = (accel){{U.n, U.f.x, U.f.y}, vec3_zero()};
  s->D[i] = d;
  s->r[i] = r;
  return mask_not(real_less(real_of(0.0), D));
}

/* A joint of any number of freedoms; none for a fixed one. */
static mask plane_in_joint(const apl_model* m, state* s, const apl_node* n, plane_frame* P) {
  plane_frame *F = &P[n->frame], *up = &P[n->up];
  const real* S = s->work + work_S(n);
  plane_three* U = (plane_three*)(void*)(s->work + work_U(n));
  real *D = s->work + work_D(n), *r = s->work + work_r(n);
  plane_inertia3 I;
  plane_three y;

  plane_seen_above(F, &I, &y);
  for (int k = 0; k < n->nv; ++k) {
    const plane_three Sk = {S[3 * k], {S[3 * k + 1], S[3 * k + 2]}};
    U[k] = inertia3_mul(I, Sk);
    for (int j = 0; j <= k; ++j)
      D[k * n->nv + j] = dot3((plane_three){S[3 * j], {S[3 * j + 1], S[3 * j + 2]}}, U[k]);
    r[k] = s->tau[n->v0 + k] - dot3(Sk, y);
    if (has_efforts(m)) r[k] += s->Q[n->v0 + k];
  }
  const mask bad = plane_eliminate(&I, &y, U, D, r, n->nv);
  plane_pass_up(F, up, I, y);
  return bad;
}

/* First moment of a flat body: from its plane to the axes of its frame, and back. */
HOT_INLINE vec3 plane_moment(const apl_node* n, real hx, real hz) {
  const real o = real_of(0.0);
  return body_ops_of(n->body)->plane_of_x ? (vec3){o, -hx, hz} : (vec3){hx, o, hz};
}
HOT_INLINE real plane_moment_x(const apl_node* n, vec3 h) {
  return body_ops_of(n->body)->plane_of_x ? -h.y : h.x;
}

/* The body's own block, with the axes of the plane put in: 1 is z, 2 is +-x. */
HOT_INLINE void plane_ask_body(state* s, const apl_node* n, int nx, real w, real* D, real* h,
                               plane_three* U, plane_inertia3* I, plane_three* b) {
  const real sense = par_plane_node(s, n)->bend;
  const body_in in = body_input(s, n);
  real column[3 * APL_MAX_NX];
  plane_block B = {.n = column, .fx = column + nx, .fz = column + 2 * nx, .D = D, .h = h};

  body_ops_of(n->body)->plane_balance(&in, sense * w, &B);
  *I = (plane_inertia3){B.J, {-(sense * B.hx), B.hz}, B.m, real_of(0.0), B.m};
  *b = (plane_three){sense * B.bn, {B.bz, sense * B.bx}};
  for (int k = 0; k < nx; ++k)
    U[k] = (plane_three){sense * B.n[k], {B.fz[k], sense * B.fx[k]}};
  s->body[n - s->head.model->node] = (body_mass){B.m, plane_moment(n, B.hx, B.hz)};
}

HOT_INLINE mask plane_in_body(const apl_model* m, state* s, const apl_node* n, int nx,
                              plane_frame* P) {
  plane_frame* B = &P[n->frame];
  plane_three* U = (plane_three*)(void*)(s->work + work_xU(n));
  real *D = s->work + work_xD(n), *h = s->work + work_xh(n);
  plane_inertia3 I;
  plane_three b;

  plane_ask_body(s, n, nx, B->w, D, h, U, &I, &b);
  for (int p = 0; p < n->nport; ++p) {
    const plane_frame* F = &P[n->port0 + p];
    plane_inertia3 Ip;
    plane_three y;

    plane_seen_above(F, &Ip, &y);
    for (int k = 0; k < nx; ++k) {
      const plane_three S = plane_column(s, n, nx, p, k), IS = inertia3_mul(Ip, S);
      for (int j = 0; j <= k; ++j)
        D[k * nx + j] += dot3(plane_column(s, n, nx, p, j), IS);
      h[k] += dot3(S, y);
      U[k] = add3(U[k], wrench3_shift(F->p, IS));
    }
    I = inertia3_add(I, inertia3_shift(F->p, Ip));
    b = add3(b, wrench3_shift(F->p, y));
  }
  for (int k = 0; k < nx; ++k) {
    h[k] = s->tau[n->xv0 + k] - h[k];
    if (has_efforts(m)) h[k] += s->Q[n->xv0 + k];
  }
  const mask bad = plane_eliminate(&I, &b, U, D, h, nx);
  B->I = inertia3_add(B->I, I);
  B->b = add3(B->b, b);
  return bad;
}

/* ------------------------------------------------------------------------------- outwards ---- */

/* (dw; a + dw x p), in the axes above */
HOT_INLINE plane_three plane_carried(const plane_frame* up, vec2 p) {
  return (plane_three){up->A.n, add2(up->A.f, turn2(up->A.n, p))};
}

HOT_INLINE void plane_arrive(plane_frame* F, plane_three A) {
  F->A = (plane_three){A.n, back2(F->c, F->s, add2(A.f, F->ca))};
}

HOT_INLINE void plane_out_joint(state* s, const apl_node* n, int i, plane_frame* P) {
  plane_frame* F = &P[n->frame];
  const plane_node_par* par = par_plane_node(s, n);
  plane_three A = plane_carried(&P[n->up], F->p);

  if (n->path == PATH_GENERAL) {
    const real* S = s->work + work_S(n);
    real* a = s->a + n->v0;
    plane_eliminated((const plane_three*)(const void*)(s->work + work_U(n)), s->work + work_D(n),
                     s->work + work_r(n), n->nv, A, a);
    for (int k = 0; k < n->nv; ++k)
      A = add3(A, scale3(a[k], (plane_three){S[3 * k], {S[3 * k + 1], S[3 * k + 2]}}));
  } else {
    const plane_three U = {s->U[i].dw.x, {s->U[i].dw.y, s->U[i].dw.z}};
    const real a = s->D[i] * (s->r[i] - dot3(U, A));
    s->a[n->v0] = a;
    if (n->path == PATH_REVOLUTE) {
      A.n += par->sense * a;
    } else {
      A.f = add2(A.f, scale2(a, par->slide));
    }
  }
  plane_arrive(F, A);
}

HOT_INLINE void plane_out_body(state* s, const apl_node* n, int nx, plane_frame* P) {
  const plane_frame* B = &P[n->frame];
  real* xdd = s->a + n->xv0;

  plane_eliminated((const plane_three*)(const void*)(s->work + work_xU(n)), s->work + work_xD(n),
                   s->work + work_xh(n), nx, B->A, xdd);
  for (int p = 0; p < n->nport; ++p) {
    plane_frame* F = &P[n->port0 + p];
    plane_three A = plane_carried(B, F->p);
    for (int k = 0; k < nx; ++k)
      A = add3(A, scale3(xdd[k], plane_column(s, n, nx, p, k)));
    plane_arrive(F, A);
  }
}

static failure plane_sweeps(const apl_model* m, state* s) {
  const bool loaded = has_wrenches(m, s);
  const real o = real_of(0.0);
  plane_frame* P = s->plane;
  const vec2 g = in_plane(s, 0, par_gravity(s));
  failure fail = no_failure();

  P[0].w = o;
  P[0].I = (plane_inertia3){o, {o, o}, o, o, o};
  P[0].b = (plane_three){o, {o, o}};
  P[0].A = (plane_three){o, scale2(real_of(-1.0), g)};
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];

    if (has_joint(n)) {
      plane_move_joint(s, n, P);
      plane_frame_inertia(m, s, n->frame, loaded, &P[n->frame]);
    }
    if (n->nx == 1) {
      plane_move_body(s, n, 1, P); /* the compiler unrolls what it knows */
    } else if (n->nx > 0) {
      plane_move_body(s, n, n->nx, P);
    }
    for (int f = n->port0; f < n->port0 + n->nport; ++f)
      plane_frame_inertia(m, s, f, loaded, &P[f]);
  }
  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* n = &m->node[i];

    if (n->nx == 1) {
      note(&fail, plane_in_body(m, s, n, 1, P), n->link);
    } else if (n->nx > 0) {
      note(&fail, plane_in_body(m, s, n, n->nx, P), n->link);
    }
    if (!has_joint(n)) continue;
    note(&fail, n->path == PATH_GENERAL ? plane_in_joint(m, s, n, P) : plane_in_axis(m, s, n, i, P),
         n->link);
  }
  if (mask_any(fail.any)) return fail;
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];

    if (has_joint(n)) plane_out_joint(s, n, i, P);
    if (n->nx == 1) {
      plane_out_body(s, n, 1, P);
    } else if (n->nx > 0) {
      plane_out_body(s, n, n->nx, P);
    }
  }
  return fail;
}

/* A of all frames in space, from what the sweeps left in the plane. */
static void plane_raise(const apl_model* m, state* s) {
  for (int f = 0; f < m->nframe; ++f) {
    const plane_three A = s->plane[f].A;
    s->A[f] = (accel){scale(A.n, plane_axis(s, f, 2)),
                      add(scale(A.f.x, plane_axis(s, f, 0)), scale(A.f.y, plane_axis(s, f, 1)))};
  }
}

/* ---------------------------------------------------------------------------------- ledger ---- */

/* Its own mass and first moment, and what acts on it. */
HOT_INLINE void plane_weigh(const apl_model* m, const state* s, int f, bool loaded) {
  const plane_frame_par* par = par_plane_frame(m, s, f);
  plane_frame* F = &s->plane[f];

  F->mass = par->m;
  F->moment = par->h;
  if (loaded)
    F->outside = (plane_three){dot(plane_axis(s, f, 2), s->F[f].n), in_plane(s, f, s->F[f].f)};
}

/* What hangs on frame f, as the frame above has it. */
HOT_INLINE void plane_hang(const plane_frame* F, plane_frame* up, bool loaded) {
  up->mass += F->mass;
  up->moment = add2(up->moment, add2(rotate2(F->c, F->s, F->moment), scale2(F->mass, F->p)));
  if (loaded) {
    const plane_three W = {F->outside.n, rotate2(F->c, F->s, F->outside.f)};
    up->outside = add3(up->outside, wrench3_shift(F->p, W));
  }
}

/* apl_external() from what the sweeps left: the world's reaction in the plane, weight and loads, as
   weights_and_loads() gathers them. Out of the plane nothing has momentum. */
static wrench plane_external(const apl_model* m, state* s) {
  const bool loaded = has_wrenches(m, s);
  const real o = real_of(0.0);
  plane_frame* P = s->plane;
  const vec2 g = in_plane(s, 0, par_gravity(s));
  plane_three W = add3(P[0].b, inertia3_mul(P[0].I, P[0].A));

  P[0].mass = o;
  P[0].moment = (vec2){o, o};
  P[0].outside = (plane_three){o, {o, o}};
  for (int f = 1; f < m->nframe; ++f)
    plane_weigh(m, s, f, loaded);
  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* n = &m->node[i];
    plane_frame* F = &P[n->frame];

    for (int f = n->port0; f < n->port0 + n->nport; ++f)
      plane_hang(&P[f], F, loaded);
    if (n->nx > 0) {
      const vec2 h = {s->body[i].h.z, par_plane_node(s, n)->bend * plane_moment_x(n, s->body[i].h)};
      F->mass += s->body[i].m;
      F->moment = add2(F->moment, h);
    }
    if (has_joint(n)) plane_hang(F, &P[n->up], loaded);
  }
  W = add3(W, (plane_three){cross2(P[0].moment, g), scale2(P[0].mass, g)});
  if (loaded) W = add3(W, P[0].outside);

  const vec3 force = add(scale(W.f.x, plane_axis(s, 0, 0)), scale(W.f.y, plane_axis(s, 0, 1)));
  const vec3 normal = plane_axis(s, 0, 2);
  const real height = par_plane_frame(m, s, 0)->height;
  return (wrench){add(scale(W.n, normal), cross(scale(height, normal), force)), force};
}
