/* hold.c: velocities that are kept at zero by an effort each: apl_system_hold(). The row is one
   velocity; the effort may have any size and sign. It does no work. */
#include "kind/kinds.h"

#include <string.h>

static bool hold_has(const apl_model* m) {
  return m->nv > 0; /* callers hold what they like, at any time */
}

static int hold_most(const apl_system* s) {
  return s->nv;
}

static int hold_count(apl_system* s, const coupling_pass* p) {
  (void)p;
  return s->nheld;
}

/* ------------------------------------------------------------------------------------ rows ---- */

/* Implicit steps: a hard row as a vector; it stands at zero already and lacks nothing. */
static void list_implicit(apl_system* s) {
  system_implicit* w = &s->implicit;

  for (int k = 0; k < s->nheld; ++k) {
    double* J = w->J + apl_implicit_add(w, 0.0) * s->nv;
    memset(J, 0, sizeof *J * (size_t)s->nv);
    J[s->held[k]] = 1.0;
  }
}

static apl_status hold_list(apl_system* s, coupling_pass* p) {
  apl_rows* r = &s->rows;

  if (p->level == LEVEL_IMPLICIT) list_implicit(s);
  for (int k = 0; k < s->nheld && p->level != LEVEL_IMPLICIT; ++k) {
    const int i = apl_rows_add(r, APL_SET_FREE, 1), velocity = s->held[k];
    r->way[i].velocity[0] = velocity;
    r->number[i * ROW_NUMBERS + ROW_EFFORT] = 1.0;
    if (p->level == LEVEL_ACCELERATION) {
      r->q[i] = apl_a(s->state)[velocity];
    } else if (p->level == LEVEL_JUMP) {
      r->q[i] = apl_v(s->state)[velocity];
    } else if (p->level == LEVEL_STEP) {
      r->q[i] = p->v[velocity] + p->free[velocity];
      r->r[i] = p->h * s->push[k];
    } else {
      p->end[i] = (coupling_end){.weight = 1.0};
    }
  }
  return APL_OK;
}

/* A velocity that is held stands at zero: what is asked for is v'+ = 0. */
static void hold_lack(const apl_system* s, const coupling_pass* p, double* u) {
  for (int k = 0; k < s->nheld && p->level == LEVEL_END; ++k)
    u[s->span[KIND_hold].first + k] = apl_a(s->state)[s->held[k]];
}

/* Forces act as efforts. The driver has kept those of the caller: forward dynamics in jump[]. */
static apl_status hold_take(apl_system* s, coupling_pass* p) {
  const double* force = s->rows.r + s->span[KIND_hold].first;

  for (int k = 0; k < s->nheld; ++k) {
    if (p->level == LEVEL_STEP) s->push[k] = force[k] / p->h; /* the mean of the step */
    if (p->level != LEVEL_ACCELERATION && p->level != LEVEL_END) continue;
    s->push[k] = force[k];
    apl_tau(s->state)[s->held[k]] += force[k];
  }
  return APL_OK;
}

static void hold_end(apl_system* s, coupling_pass* p) {
  if (p->level != LEVEL_ACCELERATION) return;
  for (int k = 0; k < s->nheld; ++k) {
    /* as it was, to the last digit: taking the push off again would leave round-off behind */
    apl_tau(s->state)[s->held[k]] = s->jump[s->held[k]];
    apl_a(s->state)[s->held[k]] = 0.0;
  }
}

/* A displacement leaves them where they are. */
static void hold_lift(apl_system* s, const coupling_pass* p) {
  apl_rows* r = &s->rows;
  (void)p;

  for (int k = 0; k < s->nheld; ++k) {
    const int i = s->span[KIND_hold].first + k;
    r->block[r->nblock++] = (apl_cone_block){.set = APL_SET_FREE, .row = i};
    r->q[i] = r->r[i] = 0.0;
  }
}

const coupling_kind apl_kind_hold = {.word = "hold",
                                     .has = hold_has,
                                     .most = hold_most,
                                     .count = hold_count,
                                     .list = hold_list,
                                     .lack = hold_lack,
                                     .take = hold_take,
                                     .end = hold_end,
                                     .lift = hold_lift};
