/* contact.c: the table of contacts. See contact.h. */
#include "kind/contact.h"

#include "base/error.h"
#include "law/contact_law.h"

static bool contact_has(const apl_model* m) {
  return m->npair > 0;
}

static int contact_most(const apl_system* s) {
  return 3 * s->npair;
}

static void contact_room(apl_system* s, apl_arena* arena) {
  s->own[KIND_contact] = apl_arena_take(arena, sizeof(contact_step) * (size_t)s->npair);
}

/* Laws whose force is a function of the slip speed have no set-valued form; generalised alpha has
   no rows that push one way only. */
static apl_status contact_refuse(const apl_system* s, coupling_level level, const char* integrator,
                                 apl_error* err) {
  if (level == LEVEL_END) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "%s does not support contacts: use moreau, or an integrator with error control",
                    integrator);
  }
  for (int i = 0; level == LEVEL_STEP && i < s->npair; ++i) {
    const apl_pair* p = &s->model->pair[i];
    const bool known = p->friction == FRICTION_NONE || p->friction == FRICTION_COULOMB ||
                       p->friction == FRICTION_COULOMB_STICTION || p->friction == FRICTION_KARNOPP;
    /* a rectangle of friction times a load that is found is no cone of the solver */
    if (known || (p->friction == FRICTION_DECOUPLED && p->pressed)) continue;
    return apl_fail(err, APL_ERR_MODEL,
                    "contact '%s': the integrator %s cannot use the friction law %s: use "
                    "coulomb or coulomb-stiction, or another integrator",
                    s->model->pair_name[i], integrator, friction_table[p->friction].word);
  }
  return APL_OK;
}

static int contact_count(apl_system* s, const coupling_pass* p) {
  switch (p->level) {
  case LEVEL_ACCELERATION:
    s->nsupport = apl_contact_supports(s);
    return 3 * s->nsupport;
  case LEVEL_JUMP:
    return 3 * apl_contact_count_impact(s, p->hit);
  case LEVEL_STEP:
  case LEVEL_IMPLICIT:
    return 3 * s->npair;
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
  return APL_OK; /* IMPLICIT: forward dynamics has their forces */
}

const coupling_kind apl_kind_contact = {.word = "contact",
                                        .has = contact_has,
                                        .most = contact_most,
                                        .room = contact_room,
                                        .refuse = contact_refuse,
                                        .count = contact_count,
                                        .limited = apl_contact_supports,
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
                                        .memory_size = apl_contact_notes_size,
                                        .remember = apl_contact_notes_remember,
                                        .recall = apl_contact_notes_recall};
