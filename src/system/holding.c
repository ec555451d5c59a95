/* holding.c: see holding.h. */
#include "system/holding.h"

#include <math.h>
#include <string.h>

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

static bool is_normal(const rows* r, int i) {
  return r->row[i].contact >= 0 && r->row[i].k == 0;
}

void apl_hold_cone(holding* h, int i, double m, double N, double ratio) {
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

void apl_hold(holding* h, double* pull) {
  forget_idle(h);
  hold_pressing(h, pull);
}
