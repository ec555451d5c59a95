/* SPDX-License-Identifier: Apache-2.0 */
/* contact.c: the table of contacts. See contact.h. */
#include "kind/contact.h"

#include "kind/contact_events.h"

#include "law/contact_law.h"
#include "math/solid.h"

#include <stdio.h>

static bool contact_has(const apl_model* m) {
  return m->npair > 0;
}

static int contact_most(const apl_system* s) {
  return 3 * s->npair;
}

static void contact_room(apl_system* s, apl_arena* arena) {
  s->kinds.own[KIND_contact] = apl_arena_take(arena, sizeof(contact_step) * (size_t)s->npair);
}

/* True if the friction law has a set-valued form for the solver. Laws that are functions of the
   sliding speed have none; decoupled friction has a set only if the normal load is prescribed,
   because a rectangle scaled by an unknown normal force is not a cone of the solver. */
static bool is_set(const apl_pair* p) {
  return p->friction == FRICTION_NONE || p->friction == FRICTION_COULOMB ||
         p->friction == FRICTION_COULOMB_STICTION || p->friction == FRICTION_KARNOPP ||
         (p->friction == FRICTION_DECOUPLED && p->pressed);
}

static void need_of_pair(const apl_model* m, int i, unsigned can, coupling_need* need) {
  const apl_pair* p = &m->pair[i];

  need->line = m->pair_mark[i].line;
  need->column = m->pair_mark[i].column;
  if ((can & NEED_CONTACT) == 0) {
    need->ability = NEED_CONTACT;
    snprintf(need->what, sizeof need->what, "'%.60s' is a contact", m->pair_name[i]);
  } else if ((can & NEED_SUPPORT) == 0 && (p->rigid || p->sticks)) {
    need->ability = NEED_SUPPORT;
    snprintf(need->what, sizeof need->what, "contact '%.60s' is %s", m->pair_name[i],
             p->rigid ? "rigid" : "one that sticks");
  } else if ((can & NEED_SLIP_LAW) == 0 && !is_set(p)) {
    need->ability = NEED_SLIP_LAW;
    need->instead = "the law coulomb or coulomb-stiction";
    snprintf(need->what, sizeof need->what, "contact '%.60s' has the friction law %s",
             m->pair_name[i], friction_table[p->friction].word);
  }
}

/* Box on box: the touching corners change while the boxes slide, so no event function is smooth.
   These contacts need a time-stepping method. */
static void need_of_boxes(const apl_model* m, coupling_need* need) {
  for (int i = 0; i < m->nsolid; ++i) {
    for (int j = i + 1; j < m->nsolid; ++j) {
      const int g = m->touches[i * m->nsolid + j];
      if (g < 0 || m->solid[i].kind != SOLID_BOX || m->solid[j].kind != SOLID_BOX) continue;
      need->ability = NEED_BOXES;
      need->instead = "a capsule or spheres for one of them";
      need->line = m->group[g].line;
      need->column = m->group[g].column;
      snprintf(need->what, sizeof need->what, "collide '%.40s': '%.40s' and '%.40s' are boxes",
               m->group[g].name, m->solid_name[i], m->solid_name[j]);
      return;
    }
  }
}

static void contact_needs(const apl_system* s, const apl_run_options* o, unsigned can,
                          coupling_need* need) {
  (void)o;
  if ((can & NEED_BOXES) == 0) need_of_boxes(s->model, need);
  for (int i = 0; i < s->npair && need->ability == 0; ++i)
    need_of_pair(s->model, i, can, need);
}

/* Rigid contacts and those that stick exactly; all others push by laws of the passes. */
static bool contact_solved(const apl_system* s) {
  return s->contacts.may_hold;
}

static int contact_numbers(const apl_system* s) {
  return 2 * s->model->nbristle;
}

static int contact_count(apl_system* s, const coupling_pass* p) {
  switch (p->level) {
  case LEVEL_ACCELERATION:
    s->contacts.nsupport = apl_contact_supports(s);
    return 3 * s->contacts.nsupport;
  case LEVEL_JUMP:
    return 3 * apl_contact_count_impact(s, p->hit);
  case LEVEL_STEP:
    return 3 * s->npair;
  case LEVEL_IMPLICIT:
    return 3 * apl_contact_count_implicit(s);
  case LEVEL_END:
    break;
  }
  return 0;
}

static apl_status contact_begin(apl_system* s, coupling_pass* p) {
  if (p->level == LEVEL_STEP) return apl_contact_step_begin(s, p);
  return p->level == LEVEL_IMPLICIT ? APL_OK : apl_contact_support_begin(s, p);
}

static apl_status contact_look(apl_system* s, coupling_pass* p) {
  return p->level == LEVEL_STEP ? apl_contact_step_look(s) : apl_contacts(s->model, s->state);
}

static apl_status contact_list(apl_system* s, coupling_pass* p) {
  if (p->level == LEVEL_STEP) return apl_contact_step_list(s, p);
  if (p->level == LEVEL_IMPLICIT) return apl_contact_list_implicit(s, p);
  if (p->level == LEVEL_ACCELERATION) apl_contact_list_supports(s, p);
  if (p->level == LEVEL_JUMP) apl_contact_list_impact(s, p);
  return APL_OK;
}

static apl_status contact_take(apl_system* s, coupling_pass* p) {
  if (p->level == LEVEL_STEP) return apl_contact_step_take(s, p);
  if (p->level == LEVEL_JUMP) return apl_contact_take_impact(s, p);
  if (p->level == LEVEL_ACCELERATION) apl_contact_take_supports(s);
  return APL_OK; /* IMPLICIT: forward dynamics computes their forces */
}

static const coupling_run contact_run = {.check_start = apl_contact_start,
                                         .use_impulses = apl_contact_impulses,
                                         .has_slots = apl_contact_gathers,
                                         .assign_slots = apl_contact_gather,
                                         .slot_is_new = apl_contact_renewed,
                                         .slots_seen = apl_contact_settled,
                                         .npeak = apl_contact_npeak,
                                         .in_impact = apl_contact_hits,
                                         .peak_forces = apl_contact_pushes,
                                         .keep_peaks = apl_contact_peaks,
                                         .name_cause = apl_contact_shortens,
                                         .explain = apl_contact_explain,
                                         .may_share = apl_contact_may_share,
                                         .jam = "a contact that jams",
                                         /* Bodies penetrate by fractions of a millimetre, and
                                            their energy follows from that depth. Velocities of
                                            contacts are those of the robot: 1e-5 of a tolerance of
                                            1e-8 would be less than their round-off. */
                                         .absolute_error = {1e-5, 0.1}};

const coupling_kind apl_kind_contact = {.word = "contact",
                                        .has = contact_has,
                                        .most = contact_most,
                                        .room = contact_room,
                                        .needs = contact_needs,
                                        .count = contact_count,
                                        .limited = apl_contact_supports,
                                        .solved = contact_solved,
                                        .numbers = contact_numbers,
                                        .advance = apl_contact_advance,
                                        .begin = contact_begin,
                                        .look = contact_look,
                                        .list = contact_list,
                                        .soften = apl_contact_step_soften,
                                        .lack = apl_contact_lack,
                                        .take = contact_take,
                                        .drifts = apl_contact_step_drifts,
                                        .lift = apl_contact_step_lift,
                                        .outside = apl_contact_outside,
                                        .book = apl_contact_book,
                                        .events = apl_contact_events,
                                        .happens = apl_contact_happens,
                                        .side = apl_contact_side,
                                        .decides = apl_contact_decides,
                                        .jams = apl_contact_jams,
                                        .first_step = apl_contact_first_step,
                                        .run = &contact_run,
                                        .memory_size = apl_contact_notes_size,
                                        .memory = apl_contact_notes};
