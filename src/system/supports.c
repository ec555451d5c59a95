/* supports.c: what holds velocities and contacts at rest, and what makes velocities jump. Both ask
   what unit pushes do, and answer by small systems in J M^-1 J^T. */
#include "system/system_impl.h"

#include <math.h>
#include <string.h>

/* One thing that is held: velocity k, or direction k (0: normal) of a contact. */
typedef struct row {
  int contact; /* -1: a velocity                                                                */
  int k;
} row;

typedef struct rows {
  row row[APL_MOST_HELD];
  int n;
} rows;

static bool is_stuck(const double* touch) {
  return touch[APL_TOUCH_STICK] > 0.5;
}

/* Rigid contacts at rest keep their normal, contacts that stick their directions. */
static bool held_rows(apl_system* s, rows* r) {
  const double* touch = apl_touch(s->state);

  r->n = 0;
  for (int k = 0; k < s->nheld; ++k)
    r->row[r->n++] = (row){-1, s->held[k]};
  for (int i = 0; i < s->npair; ++i) {
    const double* t = touch + APL_TOUCH * i;
    const bool rests = s->model->pair[i].rigid && t[APL_TOUCH_ON] > 0.0;
    const bool sticks = is_stuck(t);
    if (r->n + rests + 2 * sticks > APL_MOST_HELD) return false;
    if (rests) r->row[r->n++] = (row){i, 0};
    if (sticks) r->row[r->n++] = (row){i, 1};
    if (sticks) r->row[r->n++] = (row){i, 2};
  }
  return true;
}

static double* push_of(apl_system* s, row r) {
  if (r.contact < 0) return apl_tau(s->state) + r.k;
  return apl_touch(s->state) + APL_TOUCH * r.contact + APL_TOUCH_PUSH + r.k;
}

/* Component k of a vector (w, v) of motion of the port, at the point of the contact that touches:
   e . (v + w x (-r n)) */
static double at_point(const apl_model* m, const apl_pair* p, int k, const double* motion) {
  const double *par = m->par + p->par, *n = par + PAIR_AXES, *e = n + 3 * k;
  const double r = par[PAIR_RADIUS], *w = motion, *v = motion + 3;
  const double slip[3] = {v[0] - r * (w[1] * n[2] - w[2] * n[1]),
                          v[1] - r * (w[2] * n[0] - w[0] * n[2]),
                          v[2] - r * (w[0] * n[1] - w[1] * n[0])};

  return e[0] * slip[0] + e[1] * slip[1] + e[2] * slip[2];
}

/* Rates of the rows' velocities, for the accelerations in the state. */
static apl_status row_rates(apl_system* s, const rows* r, double* out) {
  apl_status st = APL_OK;
  double V[6], A[6];
  int known = -1;

  for (int i = 0; i < r->n && st == APL_OK; ++i) {
    const row* w = &r->row[i];
    if (w->contact < 0) {
      out[i] = apl_a(s->state)[w->k];
      continue;
    }
    const apl_pair* p = &s->model->pair[w->contact];
    if (known != w->contact)
      st = apl_port_motion(s->model, s->state, p->port, APL_WORLD_AXES, V, A);
    known = w->contact;
    out[i] = at_point(s->model, p, w->k, A);
  }
  return st;
}

/* G x = b, G symmetric and not negative, by elimination on the diagonal. Rows that follow from
   others get nothing: their push is not determined, and not needed. */
static void solve(int n, double G[][APL_MOST_HELD], double* b) {
  int order[APL_MOST_HELD];
  double whole[APL_MOST_HELD];
  bool used[APL_MOST_HELD] = {false};
  int rank = 0;

  for (int i = 0; i < n; ++i)
    whole[i] = G[i][i];
  for (; rank < n; ++rank) {
    int p = -1;
    for (int i = 0; i < n; ++i) {
      if (!used[i] && G[i][i] > 1e-11 * whole[i] && (p < 0 || G[i][i] > G[p][p])) p = i;
    }
    if (p < 0) break;
    used[p] = true;
    order[rank] = p;
    for (int j = 0; j < n; ++j) {
      const double l = G[j][p] / G[p][p];
      if (used[j]) continue;
      for (int k = 0; k < n; ++k)
        G[j][k] -= l * G[p][k];
      b[j] -= l * b[p];
    }
  }
  for (int i = 0; i < n; ++i) {
    if (!used[i]) b[i] = 0.0;
  }
  for (int i = rank - 1; i >= 0; --i) {
    const int p = order[i];
    for (int k = i + 1; k < rank; ++k)
      b[p] -= G[p][order[k]] * b[order[k]];
    b[p] /= G[p][p];
  }
}

/* How much softer contacts that share a load are made. */
static const double share = 1e-5;

/* G p = b: what holds all rows. Contacts that stick hold with what it takes, T, but not with more
   than |A^-1 T| = ms N, A = diag(1, ratio). Where that is not enough a contact gives way:

     H p = b,   H = G + D + L,   L = l A^-2,   l > 0 only where |A^-1 T| = ms N, else 0

   so that the slip that is left lies against the force. D = share G_ii makes contacts that could
   each carry a load share it. For given N this is the least of a strictly convex function in cones:
   there is one answer, a continuous function of the state, as forces must be. */
typedef struct holding {
  const rows* r;
  double G[APL_MOST_HELD][APL_MOST_HELD], b[APL_MOST_HELD], p[APL_MOST_HELD];
  double shift[APL_MOST_HELD]; /* D times the p of the round before                             */
  bool gone[APL_MOST_HELD]; /* rows of rigid contacts that do not press                         */
  int n, first[APL_MOST_HELD]; /* contacts that stick: their first row, the second follows */
  double ms[APL_MOST_HELD], ratio[APL_MOST_HELD]; /* of each of those                             */
  double N[APL_MOST_HELD]; /* ... compliant: the normal force, rigid: -1                       */
  double most[APL_MOST_HELD], l[APL_MOST_HELD]; /* ... ms N and l */
} holding;

static bool is_normal(const rows* r, int i) {
  return r->row[i].contact >= 0 && r->row[i].k == 0;
}

/* The contact whose first direction is row i is held by |A^-1 T| <= m N; N < 0: that of the row
   before. */
static void add_cone(holding* h, int i, double m, double N, double ratio) {
  h->first[h->n] = i;
  h->ms[h->n] = m;
  h->N[h->n] = N;
  h->ratio[h->n++] = ratio;
}

/* x of H x = b in place; 0 for rows that are gone */
static void solve_holding(const holding* h, double* b) {
  double H[APL_MOST_HELD][APL_MOST_HELD];
  bool none[APL_MOST_HELD]; /* rows without a push                                                */
  const int n = h->r->n;

  for (int i = 0; i < n; ++i) {
    memcpy(H[i], h->G[i], sizeof *H[i] * (size_t)n);
    if (is_normal(h->r, i)) H[i][i] *= 1.0 + share;
  }
  for (int c = 0; c < h->n; ++c) {
    const int i = h->first[c];
    H[i][i] = (1.0 + share) * H[i][i] + h->l[c];
    H[i + 1][i + 1] = (1.0 + share) * H[i + 1][i + 1] + h->l[c] / (h->ratio[c] * h->ratio[c]);
  }
  for (int i = 0; i < n; ++i)
    none[i] = h->gone[i];
  for (int c = 0; c < h->n; ++c) {
    if (!(h->most[c] > 0.0)) none[h->first[c]] = none[h->first[c] + 1] = true;
  }
  for (int i = 0; i < n; ++i) {
    if (!none[i]) continue;
    for (int j = 0; j < n; ++j)
      H[i][j] = H[j][i] = 0.0;
  }
  solve(n, H, b);
}

/* |A^-1 T| of contact c */
static double hold_size(const holding* h, int c) {
  return hypot(h->p[h->first[c]], h->p[h->first[c] + 1] / h->ratio[c]);
}

/* p for the present l, and what is to be made as large as possible by l >= 0 (the dual problem):
   -b.p/2 - sum l (ms N)^2 / 2 */
static double hold_with(holding* h) {
  double value = 0.0;

  for (int i = 0; i < h->r->n; ++i)
    h->p[i] = h->b[i] + h->shift[i];
  solve_holding(h, h->p);
  for (int i = 0; i < h->r->n; ++i)
    value -= 0.5 * (h->b[i] + h->shift[i]) * h->p[i];
  for (int c = 0; c < h->n; ++c)
    value -= h->l[c] > 0.0 ? 0.5 * h->l[c] * h->most[c] * h->most[c] : 0.0;
  return value;
}

/* Newton's step for the l of those in the list: slope (|A^-1 T|^2 - (ms N)^2) / 2, curvature
   -q_c . H^-1 q_d with q_c = A^-2 T_c */
static void hold_step(const holding* h, const int* list, int n, double* step) {
  double C[APL_MOST_HELD][APL_MOST_HELD];

  for (int c = 0; c < n; ++c) {
    const int i = h->first[list[c]];
    const double size = hold_size(h, list[c]), most = h->most[list[c]];
    double x[APL_MOST_HELD] = {0.0};
    x[i] = h->p[i];
    x[i + 1] = h->p[i + 1] / (h->ratio[list[c]] * h->ratio[list[c]]);
    solve_holding(h, x);
    for (int d = 0; d < n; ++d) {
      const int k = h->first[list[d]];
      C[d][c] = h->p[k] * x[k] + h->p[k + 1] * x[k + 1] / (h->ratio[list[d]] * h->ratio[list[d]]);
    }
    step[c] = 0.5 * (size - most) * (size + most);
  }
  solve(n, C, step);
}

/* The l of given ms N, by Newton's method with steps that always gain something. */
static void give_way(holding* h) {
  enum { MOST_ROUNDS = 100, MOST_HALVINGS = 40 };
  const double close = 1e-11, least = 1e-14;
  int stuck = 0;
  double value = hold_with(h);

  for (int round = 0; round < MOST_ROUNDS; ++round) {
    double step[APL_MOST_HELD], from[APL_MOST_HELD], part = 1.0;
    int list[APL_MOST_HELD], n = 0;
    bool done = true;

    memcpy(from, h->l, sizeof from);
    for (int c = 0; c < h->n; ++c) {
      const double size = hold_size(h, c), over = size - h->most[c];
      if (!(over > 0.0) && !(h->l[c] > 0.0)) continue; /* it holds */
      done = done && fabs(over) <= close * size;
      list[n++] = c;
    }
    if (done) return;

    hold_step(h, list, n, step);
    double next = value;
    for (int k = 0; k < MOST_HALVINGS; ++k, part *= 0.5) {
      for (int c = 0; c < n; ++c)
        h->l[list[c]] = fmax(from[list[c]] + part * step[c], 0.0);
      next = hold_with(h);
      if (next >= value - least * fabs(value)) break;
    }
    stuck = next - value <= least * fabs(value) ? stuck + 1 : 0;
    if (stuck == 3) return; /* round-off: nothing more is to be gained */
    value = next;
  }
}

/* ms N; that of rigid contacts stands in the row before. Says by how much it has changed. */
static double hold_most(holding* h) {
  double change = 0.0;

  for (int c = 0; c < h->n; ++c) {
    const double N = h->N[c] < 0.0 ? h->p[h->first[c] - 1] : h->N[c];
    const double most = h->ms[c] * fmax(N, 0.0);
    change = fmax(change, fabs(most - h->most[c]) / fmax(most, 1e-300));
    h->most[c] = most;
  }
  return change;
}

/* Rigid contacts press the more the more they hold: m N in turns with what holds. D alone would
   leave a little of what is to be held; D p = D (p of the round before) leaves nothing after three.
 */
static void hold_rows(holding* h) {
  enum { MOST_TURNS = 40, ROUNDS = 3 };

  memset(h->l, 0, sizeof h->l);
  memset(h->shift, 0, sizeof h->shift);
  for (int c = 0; c < h->n; ++c)
    h->most[c] = HUGE_VAL;
  for (int round = 0; round < ROUNDS; ++round) {
    hold_with(h);
    for (int turn = 0; turn < MOST_TURNS && hold_most(h) > 1e-10; ++turn)
      give_way(h);
    for (int i = 0; i < h->r->n; ++i)
      h->shift[i] = h->r->row[i].contact < 0 ? 0.0 : share * h->G[i][i] * h->p[i];
  }
}

/* What is left of row i: the acceleration that G p - b leaves it. */
static double hold_left(const holding* h, int i) {
  double left = -h->b[i];
  for (int j = 0; j < h->r->n; ++j)
    left += h->G[i][j] * h->p[j];
  return left;
}

/* The rigid normal that pulls most, or which has gone but falls into the ground; -1: none. */
static int find_wrong_normal(const holding* h) {
  double most = 0.0, worst;
  int at = -1;

  for (int i = 0; i < h->r->n; ++i)
    most = is_normal(h->r, i) ? fmax(most, fabs(h->p[i])) : most;
  worst = -1e-10 * most;
  for (int i = 0; i < h->r->n; ++i) {
    if (!is_normal(h->r, i) || !(h->G[i][i] > 0.0)) continue;
    const double push = h->gone[i] ? hold_left(h, i) / h->G[i][i] : h->p[i];
    if (push < worst) worst = push, at = i;
  }
  return at;
}

/* A ground does not pull: rigid contacts that would have to be pulled go, one by one, those which
   then fall into it come back. Where more rest than are needed, one that goes need not rise.
   pull[contact]: the force that it would take to hold one that does. */
static void hold_pressing(holding* h, double* pull) {
  int wrong = 0;

  memset(h->gone, 0, sizeof h->gone);
  for (int turn = 0; turn <= 2 * h->r->n && wrong >= 0; ++turn) {
    hold_rows(h);
    wrong = find_wrong_normal(h);
    for (int i = wrong; i >= 0 && i < h->r->n; ++i) {
      if (h->r->row[i].contact == h->r->row[wrong].contact) h->gone[i] = !h->gone[i];
    }
  }
  for (int i = 0; i < h->r->n; ++i) {
    if (is_normal(h->r, i) && h->gone[i])
      pull[h->r->row[i].contact] = fmax(hold_left(h, i) / h->G[i][i], 0.0);
  }
}

/* Directions in which the robot cannot move, as that across a planar chain: what a push does there
   is round-off. */
static void forget_idle(holding* h) {
  double most = 0.0;

  for (int i = 0; i < h->r->n; ++i) {
    if (h->r->row[i].contact >= 0) most = fmax(most, h->G[i][i]);
  }
  for (int i = 0; i < h->r->n; ++i) {
    if (h->r->row[i].contact < 0 || h->G[i][i] > 1e-12 * most) continue;
    h->b[i] = 0.0;
    for (int j = 0; j < h->r->n; ++j)
      h->G[i][j] = h->G[j][i] = 0.0;
  }
}

/* What slip is left of a contact that sticks goes away at this rate [1/s]. */
static const double settling = 1000.0;

/* Accelerations are linear in the pushes: one pass tells what is without them, one more per row
   what each does. Held are: velocities and normals, a = 0; slips, a = -settling slip. */
apl_status apl_system_forward(apl_system* s) {
  double rate[APL_MOST_HELD], given[APL_MOST_HELD], unit = 1.0;
  rows r;
  holding h;

  h.r = &r;
  h.n = 0;

  s->fresh = false;
  memset(s->pull, 0, sizeof *s->pull * (size_t)s->npair);
  if (!held_rows(s, &r)) return APL_ERR_ARGUMENT;
  for (int i = 0; i < s->npair; ++i)
    memset(apl_touch(s->state) + APL_TOUCH * i + APL_TOUCH_PUSH, 0, 3 * sizeof(double));
  apl_status st = apl_forward(s->model, s->state);
  if (r.n == 0 || st != APL_OK) return st;

  st = row_rates(s, &r, h.b);
  /* a push as large as those that act, or their round-off would hide what it does */
  for (int i = 0; i < s->npair; ++i)
    unit = fmax(unit, apl_touch(s->state)[APL_TOUCH * i + APL_TOUCH_FORCE]);
  for (int i = 0; i < r.n; ++i)
    given[i] = *push_of(s, r.row[i]);
  for (int k = 0; k < r.n && st == APL_OK; ++k) {
    *push_of(s, r.row[k]) = given[k] + unit;
    st = apl_forward(s->model, s->state);
    if (st == APL_OK) st = row_rates(s, &r, rate);
    for (int i = 0; i < r.n; ++i)
      h.G[i][k] = (rate[i] - h.b[i]) / unit;
    *push_of(s, r.row[k]) = given[k];
  }
  if (st == APL_OK) st = apl_forward(s->model, s->state); /* forces of the laws alone, for cones */
  if (st != APL_OK) return st;
  for (int i = 0; i < r.n; ++i) {
    const row w = r.row[i];
    h.b[i] = -h.b[i];
    if (w.contact < 0 || w.k == 0) continue;
    const apl_pair* pair = &s->model->pair[w.contact];
    const double* t = apl_touch(s->state) + APL_TOUCH * w.contact;
    h.b[i] -= settling * t[APL_TOUCH_SLIP + w.k - 1];
    if (w.k == 1) {
      const double* par = s->model->par + pair->par + PAIR_FRICTION;
      add_cone(&h, i, par[1], pair->rigid ? -1.0 : fmax(t[APL_TOUCH_FORCE], 0.0), par[2]);
    }
  }
  forget_idle(&h);
  hold_pressing(&h, s->pull);
  for (int i = 0; i < r.n; ++i)
    *push_of(s, r.row[i]) = given[i] + h.p[i];
  st = apl_forward(s->model, s->state);
  for (int i = 0; i < r.n; ++i) {
    if (r.row[i].contact >= 0) continue;
    *push_of(s, r.row[i]) = given[i];
    apl_a(s->state)[r.row[i].k] = 0.0;
    s->push[i] = h.p[i]; /* velocities stand first */
  }
  return st;
}

/* ---------------------------------------------------------------------------------- impacts ----
 */

/* Contacts that take part in an impact: normals of rigid ones that are hit or closed, and the
   directions of those with friction. */
static bool impact_rows(apl_system* s, const bool* hit, rows* r) {
  const double* touch = apl_touch(s->state);

  r->n = 0;
  for (int k = 0; k < s->nheld; ++k)
    r->row[r->n++] = (row){-1, s->held[k]};
  for (int i = 0; i < s->npair; ++i) {
    const apl_pair* p = &s->model->pair[i];
    const bool closed = touch[APL_TOUCH * i + APL_TOUCH_ON] > 0.0;
    const bool normal = p->rigid && ((i < APL_MOST_HELD && hit[i]) || closed);
    const bool along = normal && p->friction != 0;
    if (r->n + normal + 2 * along > APL_MOST_HELD) return false;
    if (normal) r->row[r->n++] = (row){i, 0};
    if (along) r->row[r->n++] = (row){i, 1};
    if (along) r->row[r->n++] = (row){i, 2};
  }
  return true;
}

/* Velocity of a row, after apl_contacts(). */
static double row_velocity(apl_system* s, row w) {
  const double* t = apl_touch(s->state) + APL_TOUCH * w.contact;

  if (w.contact < 0) return apl_v(s->state)[w.k];
  return w.k == 0 ? -t[APL_TOUCH_RATE] : t[APL_TOUCH_SLIP + w.k - 1];
}

/* What unit impulses do is what unit pushes do to accelerations, with friction asleep. */
static apl_status respond(apl_system* s, holding* h) {
  double rate[APL_MOST_HELD], none[APL_MOST_HELD];
  const rows* r = h->r;
  apl_status st = apl_forward(s->model, s->state);

  if (st == APL_OK) st = row_rates(s, r, none);
  for (int k = 0; k < r->n && st == APL_OK; ++k) {
    *push_of(s, r->row[k]) += 1.0;
    st = apl_forward(s->model, s->state);
    if (st == APL_OK) st = row_rates(s, r, rate);
    for (int i = 0; i < r->n; ++i)
      h->G[i][k] = rate[i] - none[i];
    *push_of(s, r->row[k]) -= 1.0;
  }
  return st;
}

/* v += M^-1 J^T p: the difference of two passes */
static apl_status jump(apl_system* s, const holding* h) {
  const rows* r = h->r;
  double* v = apl_v(s->state);
  apl_status st = apl_forward(s->model, s->state);

  for (int j = 0; j < s->nv && st == APL_OK; ++j)
    s->seen[j] = apl_a(s->state)[j];
  for (int i = 0; i < r->n; ++i)
    *push_of(s, r->row[i]) += h->p[i];
  if (st == APL_OK) st = apl_forward(s->model, s->state);
  for (int j = 0; j < s->nv && st == APL_OK; ++j)
    v[j] += apl_a(s->state)[j] - s->seen[j];
  for (int i = 0; i < r->n; ++i)
    *push_of(s, r->row[i]) -= h->p[i];
  return st;
}

/* u+ = u + G p: an impact holds as supports do, but for a moment: p are impulses, and normals that
   are hit shall leave with e times the speed they came with. */
apl_status apl_system_impact(apl_system* s, const bool* hit, double* impulse) {
  double *touch = apl_touch(s->state), stick[APL_MOST_HELD];
  rows r;
  holding h = {.r = &r};
  if (s->npair > APL_MOST_HELD || !impact_rows(s, hit, &r)) return APL_ERR_ARGUMENT;

  for (int i = 0; i < s->npair; ++i) {
    stick[i] = touch[APL_TOUCH * i + APL_TOUCH_STICK];
    memset(touch + APL_TOUCH * i + APL_TOUCH_PUSH, 0, 3 * sizeof *touch);
  }
  apl_contacts(s->model, s->state);
  for (int i = 0; i < r.n; ++i) {
    const row w = r.row[i];
    const double* par = s->model->par + (w.contact < 0 ? 0 : s->model->pair[w.contact].par);
    const double u = row_velocity(s, w);
    h.b[i] = -u;
    if (w.contact >= 0 && w.k == 0 && -u >= par[PAIR_REST] && hit[w.contact])
      h.b[i] -= par[PAIR_RESTITUTION] * u;
    if (w.k == 1 && w.contact >= 0)
      add_cone(&h, i, par[PAIR_FRICTION + (stick[w.contact] > 0.5 ? 1 : 0)], -1.0,
               par[PAIR_FRICTION + 2]);
  }
  for (int i = 0; i < s->npair; ++i)
    touch[APL_TOUCH * i + APL_TOUCH_STICK] = 1.0; /* only impulses act along the ground */
  apl_status st = respond(s, &h);
  forget_idle(&h);
  hold_pressing(&h, s->pull);
  if (st == APL_OK) st = jump(s, &h);

  memset(impulse, 0, 3 * sizeof *impulse * (size_t)s->npair);
  for (int i = 0; i < r.n; ++i) {
    if (r.row[i].contact >= 0) impulse[3 * r.row[i].contact + r.row[i].k] = h.p[i];
  }
  for (int i = 0; i < s->npair; ++i) {
    touch[APL_TOUCH * i + APL_TOUCH_STICK] = stick[i];
    memset(touch + APL_TOUCH * i + APL_TOUCH_PUSH, 0, 3 * sizeof *touch);
  }
  s->fresh = false;
  return st;
}
