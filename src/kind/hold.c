/* SPDX-License-Identifier: Apache-2.0 */
/* hold.c: velocities that are held at zero by a constraint effort each: apl_system_hold(). The row
   is one velocity; its effort is unbounded and does no work. */
#include "kind/kinds.h"

#include "system/system.h"

#include <string.h>

static bool hold_has(const apl_model* m) {
  return m->nv > 0; /* any velocity may be held at any time */
}

static int hold_most(const apl_system* s) {
  return s->nv;
}

static int hold_count(apl_system* s, const coupling_pass* p) {
  (void)p;
  return s->holds.n;
}

static bool hold_asleep(const apl_system* s) {
  return s->holds.n == 0;
}

/* Forces that hold come from the solver of rows, and from outside. */
static bool hold_acts(const apl_system* s) {
  return s->holds.n > 0;
}

/* ------------------------------------------------------------------------------------ rows ---- */

/* Implicit steps: a row without compliance. The velocity is zero already, so there is no
   residual. */
static void list_implicit(apl_system* s) {
  system_implicit* w = &s->implicit;

  for (int k = 0; k < s->holds.n; ++k) {
    double* J = w->J + apl_implicit_add(w, 0.0) * s->nv;
    memset(J, 0, sizeof *J * (size_t)s->nv);
    J[s->holds.velocity[k]] = 1.0;
  }
}

static apl_status hold_list(apl_system* s, coupling_pass* p) {
  apl_rows* r = &s->rows;

  if (p->level == LEVEL_IMPLICIT) list_implicit(s);
  for (int k = 0; k < s->holds.n && p->level != LEVEL_IMPLICIT; ++k) {
    const int i = apl_rows_add(r, APL_SET_FREE, 1), velocity = s->holds.velocity[k];
    r->way[i].velocity[0] = velocity;
    r->number[i * ROW_NUMBERS + ROW_EFFORT] = 1.0;
    if (p->level == LEVEL_ACCELERATION) {
      r->q[i] = apl_a(s->state)[velocity];
    } else if (p->level == LEVEL_JUMP) {
      r->q[i] = apl_v(s->state)[velocity];
    } else if (p->level == LEVEL_STEP) {
      r->q[i] = p->v[velocity] + p->free[velocity];
      r->r[i] = p->h * s->holds.effort[k];
    } else {
      p->end[i] = (coupling_end){.weight = 1.0};
    }
  }
  return APL_OK;
}

/* A held velocity is zero already, so the residual is its acceleration. */
static void hold_lack(const apl_system* s, const coupling_pass* p, double* u) {
  for (int k = 0; k < s->holds.n && p->level == LEVEL_END; ++k)
    u[s->kinds.span[KIND_hold].first + k] = apl_a(s->state)[s->holds.velocity[k]];
}

/* Add the constraint efforts to tau. The driver has saved the caller's efforts in jump[]. */
static apl_status hold_take(apl_system* s, coupling_pass* p) {
  const double* force = s->rows.r + s->kinds.span[KIND_hold].first;

  for (int k = 0; k < s->holds.n; ++k) {
    if (p->level == LEVEL_STEP) s->holds.effort[k] = force[k] / p->h; /* mean effort of the step */
    if (p->level != LEVEL_ACCELERATION && p->level != LEVEL_END) continue;
    s->holds.effort[k] = force[k];
    apl_tau(s->state)[s->holds.velocity[k]] += force[k];
  }
  return APL_OK;
}

static void hold_end(apl_system* s, coupling_pass* p) {
  if (p->level != LEVEL_ACCELERATION) return;
  for (int k = 0; k < s->holds.n; ++k) {
    /* restore the saved value; subtracting the effort again would leave round-off */
    apl_tau(s->state)[s->holds.velocity[k]] = s->room.jump[s->holds.velocity[k]];
    apl_a(s->state)[s->holds.velocity[k]] = 0.0;
  }
}

/* Position correction: held velocities do not move. */
static void hold_lift(apl_system* s, const coupling_pass* p) {
  apl_rows* r = &s->rows;
  (void)p;

  for (int k = 0; k < s->holds.n; ++k) {
    const int i = s->kinds.span[KIND_hold].first + k;
    r->block[r->nblock++] = (apl_cone_block){.set = APL_SET_FREE, .row = i};
    r->q[i] = r->r[i] = 0.0;
  }
}

static const coupling_run hold_run = {.settings_size = apl_system_holds_size,
                                      .settings = apl_system_holds_memory};

const coupling_kind apl_kind_hold = {.word = "hold",
                                     .has = hold_has,
                                     .most = hold_most,
                                     .asleep = hold_asleep,
                                     .count = hold_count,
                                     .solved = hold_acts,
                                     .unbooked = hold_acts,
                                     .list = hold_list,
                                     .lack = hold_lack,
                                     .take = hold_take,
                                     .end = hold_end,
                                     .lift = hold_lift,
                                     .run = &hold_run};
