/* SPDX-License-Identifier: Apache-2.0 */
/* derive.c: derivatives of inverse and forward dynamics. Rigid trees with joint forces and weight
   only are differentiated analytically by rigid_slopes(); all other models by complex steps of the
   whole pass. The derivatives of forward dynamics follow from those of inverse dynamics (ID):

     da = M^-1 (dtau - (d ID/dq) dq - (d ID/dv) dv - (d ID/du) du) */
#include "appell/derivatives.h"
#include "appell/dynamics.h"

#include "dynamics/contact_state.h"
#include "dynamics/passes.h"
#include "dynamics/tree_factor.h"
#include "dynamics/widen.h"

#include <stdlib.h>
#include <string.h>

/* Size of a complex step: far below round-off of any real part, so its truncation error (of order
   step^2) vanishes, and step^2 = 1e-200 is still representable. */
static const double step = 1e-100;

struct apl_derivatives {
  const apl_model* model;
  apl_state* wide;  /* a complex state */
  slope_room rigid; /* empty unless the model is a rigid tree */
  tree_factor tree;
  int* given;        /* [nv] nonzero for prescribed velocities */
  double *q, *delta; /* [2*nq], [2*nt] complex                                                    */
  double* effort;    /* [nv]                                                                      */
  double* own;       /* [2*nv*APL_MAX_NV] derivatives of each joint's own efforts */
  bool local;        /* true if any joint has such efforts */
  double *dq, *dv;   /* [nv*nt], [nv*nv]                                                          */
  double *du, *M;    /* [nv*nu], [nv*nv]                                                          */
  double* B;         /* [nv*(nt + 2 nv + nu)] right-hand sides                                    */
  void* memory;
};

/* ----------------------------------------------------------------------------------- room ---- */

static int slots_of(const apl_node* n) {
  return n->nv > n->nt ? n->nv : n->nt;
}

static int count_slots(const apl_model* m) {
  int sum = 0;

  for (int i = 0; m->rigid_tree && i < m->nnode; ++i)
    sum += slots_of(&m->node[i]);
  return sum;
}

/* How many numbers the complex steps of one joint store. */
static int local_size(const apl_node* n) {
  return local_velocity(n->nv, n->nt, n->nv);
}

static int count_local(const apl_model* m) {
  int sum = 0;

  for (int i = 0; m->rigid_tree && i < m->nnode; ++i)
    sum += apl_passes_scalar.tells_tangent(&m->node[i]) ? 0 : local_size(&m->node[i]);
  return sum;
}

static void carve(const apl_model* m, apl_arena* arena, apl_derivatives* d) {
#define TAKE(p, n) ((p) = apl_arena_take(arena, sizeof *(p) * (size_t)(n)))
  const int nv = m->nv, nt = m->nt, nu = m->ninput;
  const int nslot = count_slots(m), rigid = m->rigid_tree ? 1 : 0;

  d->rigid.nslot = nslot;
  TAKE(d->rigid.index, nslot);
  TAKE(d->rigid.first, rigid * (m->nnode + 1));
  TAKE(d->rigid.above, rigid * m->nnode);
  TAKE(d->rigid.slot, nslot);
  TAKE(d->rigid.frame, rigid * m->nframe);
  TAKE(d->rigid.at, rigid * m->nnode);
  TAKE(d->rigid.local, count_local(m));
  d->tree.n = nv;
  TAKE(d->tree.velocity, nv);
  TAKE(d->tree.up, nv);
  TAKE(d->tree.run, nv);
  TAKE(d->tree.L, nv * nv);
  TAKE(d->given, nv);
  TAKE(d->q, 2 * m->nq);
  TAKE(d->delta, 2 * nt);
  TAKE(d->effort, nv);
  TAKE(d->own, 2 * nv * APL_MAX_NV);
  TAKE(d->dq, nv * nt);
  TAKE(d->dv, nv * nv);
  TAKE(d->du, nv * nu);
  TAKE(d->M, nv * nv);
  TAKE(d->B, nv * tree_padded(nt + 2 * nv + nu));
#undef TAKE
}

/* Number the slots in the order of nodes. Each slot stores the next one towards the world. *own:
   some joint has efforts of its own (springs, dampers, inputs). */
static void index_slots(const apl_model* m, slope_room* r, bool* own) {
  int slot = 0, local = 0;

  *own = m->npassive + m->ninput > 0;
  r->square = true;
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const int up = m->frame[n->up].node;
    int next = up < 0 ? -1 : r->first[up + 1] > r->first[up] ? r->first[up + 1] - 1 : r->above[up];

    r->first[i] = slot;
    r->above[i] = next;
    r->at[i] = -1;
    r->square = r->square && n->nv == n->nt;
    *own = *own || n->nspin > 0;
    if (!apl_passes_scalar.tells_tangent(n)) {
      *own = true;
      r->at[i] = local;
      local += local_size(n);
    }
    for (int k = 0; k < slots_of(n); ++k) {
      r->index[slot] = (slope_index){k < n->nv ? n->v0 + k : -1, k < n->nt ? n->t0 + k : -1, next};
      next = slot++;
    }
    r->first[i + 1] = slot;
  }
}

/* Elimination order: a freedom comes after all freedoms between it and the world. */
static void index_tree(const apl_model* m, apl_derivatives* d) {
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    for (int k = 0; k < n->nv; ++k) {
      d->tree.velocity[n->z0 + k] = n->v0 + k;
      d->given[n->v0 + k] = n->joint_prescribed;
    }
    for (int k = 0; k < n->nx; ++k) {
      d->tree.velocity[n->xz0 + k] = n->xv0 + k;
      d->given[n->xv0 + k] = n->body_prescribed;
    }
  }
  for (int f = 1; f < m->nframe; ++f) {
    const apl_frame* frame = &m->frame[f];
    for (int z = frame->begin; z < frame->end; ++z) {
      const int before = frame->next > 0 ? m->frame[frame->next].end - 1 : -1;
      d->tree.up[z] = z > frame->begin ? z - 1 : before;
      d->tree.run[z] = frame->begin;
    }
  }
}

apl_status apl_derivatives_new(const apl_model* m, apl_derivatives** out) {
  if (out == NULL) return APL_ERR_ARGUMENT;
  *out = NULL;
  if (m == NULL) return APL_ERR_ARGUMENT;
  apl_derivatives* d = calloc(1, sizeof *d);
  apl_arena arena = {0};

  *out = NULL;
  if (d == NULL) return APL_ERR_MEMORY;
  carve(m, &arena, d);
  d->memory = apl_arena_open(&arena);
  apl_status st = d->memory == NULL ? APL_ERR_MEMORY : apl_state_new(m, APL_COMPLEX, &d->wide);
  if (st != APL_OK) {
    apl_derivatives_free(d);
    return st;
  }
  carve(m, &arena, d);
  d->model = m;
  if (m->rigid_tree) index_slots(m, &d->rigid, &d->local);
  index_tree(m, d);
  *out = d;
  return APL_OK;
}

void apl_derivatives_free(apl_derivatives* d) {
  if (d == NULL) return;
  apl_state_free(d->wide);
  free(d->memory);
  free(d);
}

/* --------------------------------------------------------------------------- complex steps ---- */

static void widen(const double* from, int n, double* to) {
  for (int i = 0; i < n; ++i) {
    to[2 * i] = from[i];
    to[2 * i + 1] = 0.0;
  }
}

void apl_state_widen(const apl_model* m, apl_state* s, apl_state* wide) {
  enum { ROW = 6 }; /* doubles of one loop row, see state_hot.h */

  widen(s->q, m->nq, wide->q);
  widen(s->v, m->nv, wide->v);
  widen(s->a, m->nv, wide->a);
  widen(s->tau, m->nv, wide->tau);
  widen(s->u, m->ninput, wide->u);
  widen(s->aim, 3 * m->nv, wide->aim);
  widen(s->contact, CONTACT_NUMBERS * m->npair, wide->contact);
  if (m->nslot > 0) memcpy(wide->touch, s->touch, sizeof *s->touch * (size_t)m->nslot);
  widen(s->row, ROW * m->npart, wide->row);
  wide->springs = s->springs;
  if (s->nload + wide->nload == 0) return;
  for (int p = 0; p < m->nport; ++p) {
    double W[6], both[12];
    const apl_axes axes = s->passes->load_of(s, p, W);
    widen(W, 6, both);
    wide->passes->load(m, wide, p, axes, both);
  }
}

/* q displaced by i*step along delta; delta is set to zero afterwards */
static apl_status displace(apl_derivatives* d, apl_state* s) {
  const apl_model* m = d->model;

  widen(s->q, m->nq, d->q);
  const apl_status st = d->wide->passes->add(m, d->q, d->delta, d->wide->q);
  memset(d->delta, 0, sizeof *d->delta * 2 * (size_t)m->nt);
  return st;
}

/* Column k of out[nv*n] from the efforts of the complex state. */
static apl_status inverse_column(apl_derivatives* d, int k, int n, double* out) {
  const apl_status st = d->wide->passes->inverse(d->model, d->wide);

  for (int i = 0; i < d->model->nv; ++i)
    out[i * n + k] = d->wide->tau[2 * i + 1] / step;
  return st;
}

static apl_status by_steps(apl_derivatives* d, apl_state* s, double* dq, double* dv) {
  const apl_model* m = d->model;
  apl_status st = APL_OK;

  for (int k = 0; dq != NULL && k < m->nt && st == APL_OK; ++k) {
    d->delta[2 * k + 1] = step;
    st = displace(d, s);
    if (st == APL_OK) st = inverse_column(d, k, m->nt, dq);
  }
  widen(s->q, m->nq, d->wide->q);
  for (int k = 0; dv != NULL && k < m->nv && st == APL_OK; ++k) {
    d->wide->v[2 * k + 1] = step;
    st = inverse_column(d, k, m->nv, dv);
    d->wide->v[2 * k + 1] = 0.0;
  }
  return st;
}

static apl_status inputs_by_steps(apl_derivatives* d, bool alone, double* du) {
  const apl_model* m = d->model;
  apl_status st = APL_OK;

  for (int k = 0; k < m->ninput && st == APL_OK; ++k) {
    d->wide->u[2 * k + 1] = step;
    if (alone) {
      st = d->wide->passes->local_slopes(m, d->wide, &d->rigid, -1, false, step, d->effort);
      for (int i = 0; i < m->nv; ++i)
        du[i * m->ninput + k] = d->effort[i];
    } else {
      st = inverse_column(d, k, m->ninput, du);
    }
    d->wide->u[2 * k + 1] = 0.0;
  }
  return st;
}

/* ------------------------------------------------------------------------------ rigid trees ----
 */

/* One complex step in direction k (or velocity k) of all joints at once. This is possible because
   these efforts depend on the joint's own q and v only. Results go to the columns of each joint. */
static apl_status local_step(apl_derivatives* d, apl_state* s, int k, bool by_velocity,
                             double* out) {
  const apl_model* m = d->model;
  apl_status st = APL_OK;

  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    if (by_velocity && k < n->nv) d->wide->v[2 * (n->v0 + k) + 1] = step;
    if (!by_velocity && k < n->nt) d->delta[2 * (n->t0 + k) + 1] = step;
  }
  if (!by_velocity) st = displace(d, s);
  if (st == APL_OK)
    st = d->wide->passes->local_slopes(m, d->wide, &d->rigid, k, by_velocity, step, d->effort);
  for (int i = 0; i < m->nnode && st == APL_OK; ++i) {
    const apl_node* n = &m->node[i];
    const int columns = by_velocity ? n->nv : n->nt;
    for (int j = 0; k < columns && j < n->nv; ++j)
      out[(n->v0 + j) * APL_MAX_NV + k] = d->effort[n->v0 + j];
  }
  widen(s->q, m->nq, d->wide->q);
  widen(s->v, m->nv, d->wide->v);
  return st;
}

/* Derivatives of each joint's own efforts with respect to its own freedoms, at most APL_MAX_NV of
   each kind. */
static apl_status local_blocks(apl_derivatives* d, apl_state* s, double* dq, double* dv) {
  const apl_model* m = d->model;
  int nt = 0, nv = 0;
  apl_status st = APL_OK;

  for (int i = 0; i < m->nnode; ++i) {
    nt = m->node[i].nt > nt ? m->node[i].nt : nt;
    nv = m->node[i].nv > nv ? m->node[i].nv : nv;
  }
  for (int k = 0; k < nt && st == APL_OK; ++k)
    st = local_step(d, s, k, false, dq);
  for (int k = 0; k < nv && st == APL_OK; ++k)
    st = local_step(d, s, k, true, dv);
  return st;
}

static void add_blocks(const apl_model* m, const double* own_q, const double* own_v, double* dq,
                       double* dv) {
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    for (int j = n->v0; j < n->v0 + n->nv; ++j) {
      for (int k = 0; k < n->nt; ++k)
        dq[j * m->nt + n->t0 + k] += own_q[j * APL_MAX_NV + k];
      for (int k = 0; k < n->nv; ++k)
        dv[j * m->nv + n->v0 + k] += own_v[j * APL_MAX_NV + k];
    }
  }
}

static apl_status by_recursion(apl_derivatives* d, apl_state* s, double* dq, double* dv) {
  const apl_model* m = d->model;
  double *own_q = d->own, *own_v = d->own + m->nv * APL_MAX_NV;
  apl_status st = APL_OK;

  if (d->local) st = local_blocks(d, s, own_q, own_v);
  if (st == APL_OK) st = s->passes->rigid_slopes(m, s, &d->rigid, dq, dv);
  if (d->local && st == APL_OK) add_blocks(m, own_q, own_v, dq, dv);
  return st;
}

/* --------------------------------------------------------------------------------- inverse ---- */

static bool unfit(const apl_model* m, apl_state* s, const apl_derivatives* d) {
  if (s == NULL || d == NULL) return true;
  s->trouble = -1;
  return s->model != m || d->model != m || s->passes->width != 1;
}

/* True if the analytical recursion for rigid trees applies. */
static bool recurses(const apl_model* m, apl_state* s) {
  return m->rigid_tree && !s->passes->has_wrenches(m, s);
}

apl_status apl_inverse_derivatives(const apl_model* m, apl_state* s, apl_derivatives* d, double* dq,
                                   double* dv, double* du) {
  if (unfit(m, s, d)) return APL_ERR_ARGUMENT;
  const bool alone = recurses(m, s);
  const bool wide = !alone || d->local || du != NULL;
  apl_status st = APL_OK;

  if (wide) apl_state_widen(m, s, d->wide);
  if (dq != NULL || dv != NULL) {
    st = alone ? by_recursion(d, s, dq != NULL ? dq : d->dq, dv != NULL ? dv : d->dv)
               : by_steps(d, s, dq, dv);
  }
  return st == APL_OK && du != NULL ? inputs_by_steps(d, alone, du) : st;
}

/* --------------------------------------------------------------------------------- forward ---- */

/* Copy -from[nv*n] into the right-hand sides from column `at`; zero for prescribed velocities.
   Returns the next free column. */
static int put_columns(const apl_derivatives* d, const double* from, int n, int at, int ld) {
  for (int i = 0; i < d->tree.n; ++i) {
    const int v = d->tree.velocity[i];
    for (int k = 0; k < n; ++k)
      d->B[i * ld + at + k] = d->given[v] ? 0.0 : -from[v * n + k];
  }
  return at + n;
}

static int put_unit(const apl_derivatives* d, int at, int ld) {
  const int n = d->tree.n;

  for (int i = 0; i < n; ++i) {
    const int v = d->tree.velocity[i];
    memset(d->B + i * ld + at, 0, sizeof *d->B * (size_t)n);
    d->B[i * ld + at + v] = d->given[v] ? 0.0 : 1.0;
  }
  return at + n;
}

static int get_columns(const apl_derivatives* d, double* to, int n, int at, int ld) {
  for (int i = 0; i < d->tree.n; ++i)
    memcpy(to + d->tree.velocity[i] * n, d->B + i * ld + at, sizeof *to * (size_t)n);
  return at + n;
}

apl_status apl_forward_derivatives(const apl_model* m, apl_state* s, apl_derivatives* d, double* dq,
                                   double* dv, double* dtau, double* du) {
  if (unfit(m, s, d)) return APL_ERR_ARGUMENT;
  const int nv = m->nv, nt = m->nt, nu = m->ninput;
  const int ld = tree_padded((dq != NULL ? nt : 0) + (dv != NULL ? nv : 0) +
                             (dtau != NULL ? nv : 0) + (du != NULL ? nu : 0));
  int at = 0;

  /* rigid_slopes() can fill the mass matrix at little cost */
  const bool found = recurses(m, s) && m->nsat == 0 && (dq != NULL || dv != NULL);
  apl_status st = apl_forward(m, s);
  d->rigid.M = found ? d->M : NULL;
  if (st == APL_OK) {
    st = apl_inverse_derivatives(m, s, d, dq != NULL ? d->dq : NULL, dv != NULL ? d->dv : NULL,
                                 du != NULL ? d->du : NULL);
  }
  d->rigid.M = NULL;
  if (st == APL_OK && !found) st = apl_mass_matrix(m, s, d->M);
  if (st != APL_OK) return st;

  const int bad = apl_tree_factor(&d->tree, d->M, d->given);
  if (bad >= 0) {
    s->trouble = m->node[m->velocity_node[bad]].link;
    return APL_ERR_SINGULAR;
  }
  if (dq != NULL) at = put_columns(d, d->dq, nt, at, ld);
  if (dv != NULL) at = put_columns(d, d->dv, nv, at, ld);
  if (du != NULL) at = put_columns(d, d->du, nu, at, ld);
  if (dtau != NULL) put_unit(d, at, ld);
  apl_tree_solve(&d->tree, d->B, ld);
  at = 0;
  if (dq != NULL) at = get_columns(d, dq, nt, at, ld);
  if (dv != NULL) at = get_columns(d, dv, nv, at, ld);
  if (du != NULL) at = get_columns(d, du, nu, at, ld);
  if (dtau != NULL) get_columns(d, dtau, nv, at, ld);
  return APL_OK;
}
