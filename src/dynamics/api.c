/* SPDX-License-Identifier: Apache-2.0 */
/* api.c: the public functions: check the arguments, then call the pass of the state's own build. */
#include "dynamics/contact_state.h"
#include "dynamics/denoc.h"
#include "dynamics/extra.h"
#include "dynamics/loops.h"
#include "dynamics/passes.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The passes for four states at once: with AVX2 where the processor has it, otherwise compiled
   without it. Both builds give the same bits; the second is slower. */
static const apl_passes* lanes(void) {
#ifdef APL_HAVE_AVX2
  if (__builtin_cpu_supports("avx2")) return &apl_passes_lanes_avx2;
#endif
  return &apl_passes_lanes;
}

static const apl_passes* passes_of(apl_number number) {
  switch (number) {
  case APL_SCALAR:
    return &apl_passes_scalar;
  case APL_LANES:
    return lanes();
  case APL_COMPLEX:
    return &apl_passes_complex;
  }
  return NULL;
}

/* ------------------------------------------------------------------------------- states ---- */

size_t apl_state_size(const apl_model* m, apl_number number) {
  if (m == NULL) return 0;
  const apl_passes* passes = passes_of(number);
  apl_arena measure = {0};

  if (passes == NULL) return 0;
  passes->layout(m, &measure);
  return (measure.used + 63u) & ~(size_t)63u;
}

apl_status apl_state_place(const apl_model* m, apl_number number, void* memory, size_t size,
                           apl_state** out) {
  const apl_passes* passes = passes_of(number);

  if (out == NULL) return APL_ERR_ARGUMENT;
  *out = NULL;
  if (m == NULL || passes == NULL || memory == NULL || ((size_t)memory & 63u) != 0)
    return APL_ERR_ARGUMENT;
  if (size < apl_state_size(m, number)) return APL_ERR_ARGUMENT;

  memset(memory, 0, size);
  apl_arena arena = {.base = memory, .size = size};
  apl_state* s = passes->layout(m, &arena);
  s->passes = passes;
  s->model = m;
  s->memory = NULL;
  passes->reset(m, s);
  *out = s;
  return APL_OK;
}

apl_status apl_state_new(const apl_model* m, apl_number number, apl_state** out) {
  if (out == NULL) return APL_ERR_ARGUMENT;
  const size_t size = apl_state_size(m, number);

  *out = NULL;
  if (size == 0) return APL_ERR_ARGUMENT;
  void* memory = aligned_alloc(64, size);
  if (memory == NULL) return APL_ERR_MEMORY;

  const apl_status st = apl_state_place(m, number, memory, size, out);
  if (st != APL_OK) {
    free(memory);
  } else {
    (*out)->memory = memory;
  }
  return st;
}

void apl_state_free(apl_state* s) {
  if (s != NULL) free(s->memory);
}

void apl_state_reset(apl_state* s) {
  if (s == NULL) return;
  s->passes->reset(s->model, s);
}

int apl_state_width(const apl_state* s) {
  if (s == NULL) return 0;
  return s->passes->width;
}

double* apl_q(apl_state* s) {
  if (s == NULL) return NULL;
  return s->q;
}
double* apl_v(apl_state* s) {
  if (s == NULL) return NULL;
  return s->v;
}
double* apl_a(apl_state* s) {
  if (s == NULL) return NULL;
  return s->a;
}
double* apl_tau(apl_state* s) {
  if (s == NULL) return NULL;
  return s->tau;
}
double* apl_aim(apl_state* s) {
  if (s == NULL) return NULL;
  return s->aim;
}
double* apl_u(apl_state* s) {
  if (s == NULL) return NULL;
  return s->u;
}
const double* apl_servo(const apl_state* s) {
  return s->servo;
}
const double* apl_spin(const apl_state* s) {
  if (s == NULL) return NULL;
  return s->spin;
}
contact_state* apl_state_contact(apl_state* s, int i) {
  return (contact_state*)(void*)s->contact + i;
}

contact_touch* apl_state_touch(apl_state* s, int i) {
  const int slot = i - (s->model->npair - s->model->nslot);
  return slot < 0 ? NULL : s->touch + slot;
}

apl_status apl_contact_get(const apl_state* s, int contact, int lane, apl_contact* out) {
  if (s == NULL || out == NULL) return APL_ERR_ARGUMENT;
  const int width = s->passes->width;
  contact_state c;
  double* number = (double*)(void*)&c;

  *out = (apl_contact){0};
  if (contact < 0 || contact >= s->model->npair || lane < 0 || lane >= width)
    return APL_ERR_ARGUMENT;
  for (int k = 0; k < CONTACT_NUMBERS; ++k)
    number[k] = s->contact[(CONTACT_NUMBERS * contact + k) * width + lane];
  *out = (apl_contact){.mode = (apl_contact_mode)c.on,
                       .sticks = c.stick > 0.5,
                       .speed_in = c.speed,
                       .bristle = {c.z[0], c.z[1]},
                       .depth = c.depth,
                       .rate = c.rate,
                       .slip = {c.slip[0], c.slip[1]},
                       .force = {c.force[0], c.force[1], c.force[2]},
                       .bristle_rate = {c.zrate[0], c.zrate[1]},
                       .place = {c.place[0], c.place[1], c.place[2]},
                       .shape = {-1, -1}};
  for (int k = 0; k < 3; ++k)
    out->axis[k] = (apl_vec3){c.axis[3 * k], c.axis[3 * k + 1], c.axis[3 * k + 2]};
  const int slot = contact - (s->model->npair - s->model->nslot);
  for (int k = 0; k < 2 && slot >= 0; ++k)
    out->shape[k] = s->touch[slot].solid[k] - 1;
  return APL_OK;
}

apl_status apl_contact_remember(apl_state* s, int contact, int lane, const apl_contact* what) {
  const int width = s->passes->width;
  const double memory[5] = {(double)what->mode, what->sticks ? 1.0 : 0.0, what->speed_in,
                            what->bristle[0], what->bristle[1]};
  static const size_t at[5] = {offsetof(contact_state, on), offsetof(contact_state, stick),
                               offsetof(contact_state, speed), offsetof(contact_state, z),
                               offsetof(contact_state, z) + sizeof(double)};

  if (contact < 0 || contact >= s->model->npair || lane < 0 || lane >= width)
    return APL_ERR_ARGUMENT;
  for (int k = 0; k < 5; ++k) {
    const int member = CONTACT_NUMBERS * contact + (int)(at[k] / sizeof(double));
    s->contact[member * width + lane] = memory[k];
  }
  return APL_OK;
}
int apl_state_trouble(const apl_state* s) {
  if (s == NULL) return -1;
  return s->trouble;
}

apl_status apl_load_wide(const apl_model* m, apl_state* s, int port, apl_axes axes,
                         const double* W) {
  if (s == NULL || W == NULL || s->model != m || port < 0 || port >= m->nport)
    return APL_ERR_ARGUMENT;
  s->passes->load(m, s, port, axes, W);
  return APL_OK;
}

apl_status apl_load(const apl_model* m, apl_state* s, int port, apl_axes axes, apl_wrench W) {
  if (s == NULL) return APL_ERR_ARGUMENT;
  const double one[6] = {W.moment.x, W.moment.y, W.moment.z, W.force.x, W.force.y, W.force.z};
  const int width = s->passes->width;
  double wide[6 * 4] = {0};

  /* all four lanes get the same value; a complex number gets it as its real part */
  for (int i = 0; i < 6; ++i) {
    wide[i * width] = one[i];
    for (int k = 1; k < width && width == 4; ++k)
      wide[i * width + k] = one[i];
  }
  return apl_load_wide(m, s, port, axes, wide);
}

apl_status apl_lane_parameters(const apl_model* m, apl_state* s, int lane, const apl_model* other) {
  if (m == NULL || s == NULL || other == NULL) return APL_ERR_ARGUMENT;
  const bool same =
      other->npar == m->npar && other->nnode == m->nnode && other->nframe == m->nframe &&
      other->nport == m->nport && other->nsat == m->nsat && other->ninput == m->ninput &&
      other->nq == m->nq && memcmp(m->node, other->node, sizeof *m->node * (size_t)m->nnode) == 0 &&
      memcmp(m->frame, other->frame, sizeof *m->frame * (size_t)m->nframe) == 0 &&
      memcmp(m->port, other->port, sizeof *m->port * (size_t)m->nport) == 0 &&
      memcmp(m->satellite, other->satellite, sizeof *m->satellite * (size_t)m->nsat) == 0 &&
      other->ntendon == m->ntendon && other->nspan == m->nspan && other->npair == m->npair &&
      other->nslot == 0 && m->nslot == 0 && other->nloop == m->nloop && other->npart == m->npart &&
      memcmp(m->loop, other->loop, sizeof *m->loop * (size_t)m->nloop) == 0 &&
      memcmp(m->part, other->part, sizeof *m->part * (size_t)m->npart) == 0 &&
      memcmp(m->input, other->input, sizeof *m->input * (size_t)m->ninput) == 0 &&
      memcmp(m->tendon, other->tendon, sizeof *m->tendon * (size_t)m->ntendon) == 0 &&
      memcmp(m->span, other->span, sizeof *m->span * (size_t)m->nspan) == 0 &&
      memcmp(m->pair, other->pair, sizeof *m->pair * (size_t)m->npair) == 0;

  if (!same || s->model != m || s->passes->width != 4 || lane < 0 || lane > 3) {
    return APL_ERR_ARGUMENT;
  }
  s->passes->lane_parameters(m, s, lane, other->par);
  return APL_OK;
}

/* ------------------------------------------------------------------------------- passes ---- */

/* True if there is no state, or if it belongs to another model. Also clears the link that the last
   failed pass named. */
static bool mismatch(const apl_model* m, apl_state* s) {
  if (s == NULL) return true;
  s->trouble = -1;
  return s->model != m;
}

static bool no_port(const apl_model* m, int port) {
  return port < 0 || port >= m->nport;
}

apl_status apl_inverse(const apl_model* m, apl_state* s) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->inverse(m, s);
}

/* True if some link can move without moving any mass. Its pivots in the elimination would be
   round-off, so forward dynamics refuses the model. */
static bool weightless(const apl_model* m, apl_state* s) {
  s->trouble = m->weightless;
  return m->weightless >= 0;
}

apl_status apl_forward(const apl_model* m, apl_state* s) {
  if (mismatch(m, s)) return APL_ERR_ARGUMENT;
  return weightless(m, s) ? APL_ERR_SINGULAR : s->passes->forward(m, s);
}

apl_status apl_bias(const apl_model* m, apl_state* s, double* h) {
  if (h == NULL) return APL_ERR_ARGUMENT;
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->bias(m, s, h);
}

apl_status apl_mass_matrix(const apl_model* m, apl_state* s, double* M) {
  if (M == NULL) return APL_ERR_ARGUMENT;
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->mass_matrix(m, s, M);
}

apl_status apl_rates(const apl_model* m, apl_state* s, double* qdot) {
  if (qdot == NULL) return APL_ERR_ARGUMENT;
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->rates(m, s, qdot);
}

apl_status apl_rates_last(const apl_model* m, apl_state* s, double* qdot) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->rates_last(m, s, qdot);
}

apl_status apl_tangent_rates(const apl_model* m, apl_state* s, double* rate) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->tangent_rates(m, s, rate);
}

apl_status apl_add(const apl_model* m, apl_state* s, const double* q, const double* delta,
                   double* out) {
  if (q == NULL || delta == NULL || out == NULL) return APL_ERR_ARGUMENT;
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->add(m, q, delta, out);
}

apl_status apl_subtract(const apl_model* m, apl_state* s, const double* to, const double* from,
                        double* delta) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->subtract(m, to, from, delta);
}

apl_status apl_port_pose(const apl_model* m, apl_state* s, int port, double* X) {
  if (X == NULL) return APL_ERR_ARGUMENT;
  if (mismatch(m, s) || no_port(m, port)) return APL_ERR_ARGUMENT;
  return s->passes->port_pose(m, s, port, X);
}

apl_status apl_poses(const apl_model* m, apl_state* s, double* X) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->poses(m, s, X);
}

apl_status apl_sections(const apl_model* m, apl_state* s, int link, double* X) {
  if (mismatch(m, s) || link < 0 || link >= m->nlink) return APL_ERR_ARGUMENT;
  return s->passes->sections(m, s, link, X);
}

apl_status apl_port_motion(const apl_model* m, apl_state* s, int port, apl_axes axes, double* V,
                           double* A) {
  if (mismatch(m, s) || no_port(m, port)) return APL_ERR_ARGUMENT;
  return s->passes->port_motion(m, s, port, axes, V, A);
}

apl_status apl_jacobian(const apl_model* m, apl_state* s, int port, apl_axes axes, double* J) {
  if (J == NULL) return APL_ERR_ARGUMENT;
  if (mismatch(m, s) || no_port(m, port)) return APL_ERR_ARGUMENT;
  return s->passes->jacobian(m, s, port, axes, J);
}

apl_status apl_energy(const apl_model* m, apl_state* s, double* energy) {
  if (energy == NULL) return APL_ERR_ARGUMENT;
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->energy(m, s, energy);
}

apl_status apl_contacts(const apl_model* m, apl_state* s) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->contacts(m, s);
}

apl_status apl_accounts(const apl_model* m, apl_state* s, double* P) {
  if (P == NULL) return APL_ERR_ARGUMENT;
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->accounts(m, s, P);
}

apl_status apl_tendons(const apl_model* m, apl_state* s, double* length, double* tension) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->tendons(m, s, length, tension, NULL);
}

apl_status apl_tendons_uncut(const apl_model* m, apl_state* s, double* tension) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->tendons(m, s, NULL, NULL, tension);
}

apl_status apl_tendon_points(const apl_model* m, apl_state* s, int tendon, double* points) {
  if (mismatch(m, s) || tendon < 0 || tendon >= m->ntendon) return APL_ERR_ARGUMENT;
  return s->passes->tendon_points(m, s, tendon, points);
}

double* apl_loop_row(apl_state* s) {
  if (s == NULL) return NULL;
  return s->row;
}

void apl_loops_springs(apl_state* s, bool on) {
  s->springs = on;
}

void apl_parts_are_rows(apl_state* s, bool on) {
  s->apart = on;
}

apl_status apl_loops(const apl_model* m, apl_state* s) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->loop_rows(m, s);
}

apl_status apl_loops_jacobian(const apl_model* m, apl_state* s, double* J) {
  if (J == NULL) return APL_ERR_ARGUMENT;
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->loop_jacobian(m, s, J);
}

apl_status apl_ledger_rates(const apl_model* m, apl_state* s, bool momentum, double* out) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->ledger(m, s, momentum, out);
}

apl_status apl_ledger_given(const apl_model* m, apl_state* s, bool momentum, double* out,
                            double* tally) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->ledger_given(m, s, momentum, out, tally);
}

apl_status apl_tally(const apl_model* m, apl_state* s, double* tally) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->tally(m, s, tally);
}

apl_status apl_tally_last(const apl_model* m, apl_state* s, double* tally) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->tally_last(m, s, tally);
}

apl_status apl_external(const apl_model* m, apl_state* s, double* W) {
  return mismatch(m, s) || m->nslaved > 0 ? APL_ERR_ARGUMENT : s->passes->external(m, s, W);
}

apl_status apl_reactions(const apl_model* m, apl_state* s, double* W) {
  if (W == NULL) return APL_ERR_ARGUMENT;
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->joint_wrenches(m, s, W);
}

const char* apl_account_word(int i) {
  static const char* const word[] = {
#define X(name, text) text,
      APL_ACCOUNT_LIST(X)
#undef X
  };
  return i >= 0 && i < APL_NACCOUNT ? word[i] : NULL;
}

apl_status apl_momentum(const apl_model* m, apl_state* s, double* momentum) {
  if (momentum == NULL) return APL_ERR_ARGUMENT;
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->momentum(m, s, momentum);
}

apl_status apl_center(const apl_model* m, apl_state* s, double* center) {
  if (center == NULL) return APL_ERR_ARGUMENT;
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->center(m, s, center);
}

apl_status apl_center_placed(const apl_model* m, apl_state* s, double* center) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->center_placed(m, s, center);
}

apl_status apl_regressor(const apl_model* m, apl_state* s, double* Y) {
  if (Y == NULL) return APL_ERR_ARGUMENT;
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->regressor(m, s, Y);
}

apl_status apl_denoc_inverse(const apl_model* m, apl_state* s) {
  return mismatch(m, s) || !m->rigid_tree ? APL_ERR_ARGUMENT : s->passes->denoc_inverse(m, s);
}

apl_status apl_denoc_forward(const apl_model* m, apl_state* s) {
  if (mismatch(m, s) || !m->rigid_tree || m->nprescribed > 0) return APL_ERR_ARGUMENT;
  return weightless(m, s) ? APL_ERR_SINGULAR : s->passes->denoc_forward(m, s);
}

apl_status apl_denoc_factor(const apl_model* m, apl_state* s, double* U, double* D) {
  return mismatch(m, s) || !m->rigid_tree ? APL_ERR_ARGUMENT : s->passes->denoc_factor(m, s, U, D);
}
