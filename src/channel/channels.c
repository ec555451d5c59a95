/* SPDX-License-Identifier: Apache-2.0 */
/* channels.c: see channels.h. Makes the list of channels of one model from the table in
   channel_table.c, and runs the computations that the channels need. */
#include "channel/channel_table.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/nearest.h"
#include "math/pose.h"
#include "model/info.h"
#include "system/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------- what to tell ----
 */

static void* take(channel_list* l, int n, size_t item) {
  return apl_pool_take(&l->pool, item * (size_t)(n + 1));
}

/* Find the velocities whose effort is recorded: prescribed ones and those of servos; those of
   all joints if a control program may write efforts. */
static void find_given(channel_source* s, bool every, bool controlled) {
  const apl_model* m = s->model;

  for (int i = 0; i < apl_model_count(m, APL_LINKS); ++i) {
    const apl_link_info l = apl_model_link_info(m, i);
    for (int k = 0; (l.joint_prescribed || l.servo || every || controlled) && k < l.nv; ++k)
      s->given[s->ngiven++] = l.v0 + k;
    for (int k = 0; (l.body_prescribed || every) && k < l.nx; ++k)
      s->given[s->ngiven++] = l.xv0 + k;
  }
}

/* The number of wheels does not depend on the state: count them at rest. */
static apl_status find_wheels(channel_source* s) {
  apl_state* state = NULL;
  apl_status st = apl_state_new(s->model, APL_SCALAR, &state);

  if (st == APL_OK) st = apl_footing_reactions(s->model, state, s->footing);
  apl_state_free(state);
  for (int g = 0; g < s->nfooting; ++g) {
    for (int c = 0; c < s->footing[g].ncontact; ++c) {
      if (s->footing[g].contact[c].satellite >= 0) s->wheel[s->nwheel++] = (wheel_place){g, c};
    }
  }
  return st == APL_ERR_MEMORY ? st : APL_OK;
}

static void add_port(channel_source* s, int port) {
  for (int i = 0; i < s->nport; ++i) {
    if (s->port[i] == port) return;
  }
  s->port[s->nport++] = port;
}

static apl_status unknown_word(const apl_model* m, const char* word, apl_error* err) {
  apl_nearest near = {.word = word};
  char hint[96];

  apl_nearest_offer(&near, "accelerations");
  apl_nearest_offer(&near, "reactions");
  for (int i = 0; i < apl_model_count(m, APL_PORTS); ++i)
    apl_nearest_offer(&near, apl_model_name(m, APL_PORTS, i));
  return apl_fail(err, APL_ERR_ARGUMENT,
                  "'%.60s' cannot be recorded: it is neither a port nor `accelerations` or "
                  "`reactions`%s",
                  word, apl_nearest_text(&near, hint));
}

static apl_status read_wish(channel_source* s, const channel_wish* wish, apl_error* err) {
  const apl_model* m = s->model;

  s->accelerations = s->reactions = wish->every;
  for (int i = 0; wish->every && i < apl_model_count(m, APL_PORTS); ++i)
    add_port(s, i);
  for (int i = 0; i < wish->nword; ++i) {
    const int port = apl_model_find(m, APL_PORTS, wish->word[i]);
    if (strcmp(wish->word[i], "accelerations") == 0) {
      s->accelerations = true;
    } else if (strcmp(wish->word[i], "reactions") == 0) {
      s->reactions = true;
    } else if (port >= 0) {
      add_port(s, port);
    } else {
      return unknown_word(m, wish->word[i], err);
    }
  }
  for (int i = 0; s->reactions && i < apl_model_count(m, APL_LINKS); ++i) {
    if (apl_model_link_info(m, i).reaction) s->held[s->nheld++] = i;
  }
  return APL_OK;
}

/* Velocities are in m/s, rad/s or x/s: their rates in m/s^2, rad/s^2 or x/s^2. */
static bool name_rate_units(channel_list* l) {
  const apl_model* m = l->from.model;

  for (int i = 0; i < apl_model_nv(m); ++i) {
    const char* unit = apl_model_unit(m, APL_VELOCITIES, i);
    const size_t n = strlen(unit) + 3;
    char* text = apl_pool_take(&l->pool, n);
    if (text == NULL) return false;
    snprintf(text, n, "%s^2", unit);
    l->from.rate_unit[i] = text;
  }
  return true;
}

/* ------------------------------------------------------------------------------------- list ----
 */

static const char* join(apl_pool* pool, const char* name, const char* ending) {
  const size_t n = strlen(name) + strlen(ending) + 1;
  char* text = apl_pool_take(pool, n);

  if (text != NULL) snprintf(text, n, "%s%s", name, ending);
  return text;
}

/* Add all channels of a set; if the list has no memory yet, only count them. False without
   memory. */
static bool add_set(channel_list* l, const channel_set* set) {
  const channel_source* s = &l->from;
  const int count = set->count(s);

  for (int i = 0; i < count; ++i) {
    for (const channel_row* row = set->row; row->get != NULL; ++row) {
      if (row->has != NULL && !row->has(s, i)) continue;
      l->needs |= set->needs;
      if (l->channel != NULL) {
        const char* name = join(&l->pool, set->name(s, i), row->ending);
        if (name == NULL) return false;
        l->channel[l->n] =
            (apl_channel){name, row->unit != NULL ? row->unit : set->unit(s, i), row->sentence};
        l->slot[l->n] =
            (channel_slot){row, i, (set->needs & NEED_FOOTING) && row->k != OF_THE_PAST};
      }
      ++l->n;
    }
  }
  return true;
}

static bool add_sets(channel_list* l) {
  l->n = 0;
  for (const channel_set* set = apl_channel_sets; set->row != NULL; ++set) {
    if (!add_set(l, set)) return false;
  }
  return true;
}

static bool allocate(channel_list* l) {
  const apl_model* m = l->from.model;
  channel_source* s = &l->from;
  const int nv = apl_model_nv(m), ntendon = apl_model_count(m, APL_TENDONS),
            nlink = apl_model_count(m, APL_LINKS);

  s->nfooting = apl_model_count(m, APL_FOOTINGS);
  s->given = take(l, nv, sizeof *s->given);
  s->port = take(l, apl_model_count(m, APL_PORTS), sizeof *s->port);
  s->held = take(l, nlink, sizeof *s->held);
  s->wheel = take(l, APL_MAX_FOOTHOLDS * s->nfooting, sizeof *s->wheel);
  s->rate_unit = take(l, nv, sizeof *s->rate_unit);
  s->length = take(l, ntendon, sizeof *s->length);
  s->tension = take(l, ntendon, sizeof *s->tension);
  s->contact = take(l, apl_model_count(m, APL_CONTACTS), sizeof *s->contact);
  s->footing = take(l, s->nfooting, sizeof *s->footing);
  s->motion = take(l, MOTION_NUMBERS * apl_model_count(m, APL_PORTS), sizeof *s->motion);
  s->wrench = take(l, 6 * (nlink + 1), sizeof *s->wrench);
  s->rate = take(l, apl_system_size(s->system), sizeof *s->rate);
  return s->given != NULL && s->port != NULL && s->held != NULL && s->wheel != NULL &&
         s->rate_unit != NULL && s->length != NULL && s->tension != NULL && s->contact != NULL &&
         s->footing != NULL && s->motion != NULL && s->wrench != NULL && s->rate != NULL &&
         name_rate_units(l);
}

/* Walk the table twice: first count the channels, then fill them in. */
static bool make_list(channel_list* l) {
  if (!add_sets(l)) return false;
  apl_channel* channel = take(l, l->n, sizeof *channel);
  l->slot = take(l, l->n, sizeof *l->slot);
  if (channel == NULL || l->slot == NULL) return false;
  const int counted = l->n;
  l->channel = channel;
  const bool ok = add_sets(l);
  APL_ASSERT(!ok || l->n == counted);
  (void)counted;
  return ok;
}

apl_status apl_channels_new(apl_system* system, const channel_wish* wish, channel_list** out,
                            apl_error* err) {
  channel_list* l = calloc(1, sizeof *l);
  apl_status st = APL_ERR_MEMORY;

  *out = NULL;
  if (l != NULL) {
    l->from.model = apl_system_model(system);
    l->from.system = system;
    l->from.state = apl_system_state(system);
  }
  if (l != NULL && allocate(l)) st = read_wish(&l->from, wish, err);
  if (st == APL_OK) {
    find_given(&l->from, wish->every, wish->controlled);
    l->from.controlled = wish->controlled;
    if (l->from.nfooting > 0) st = find_wheels(&l->from);
    if (st == APL_OK && !make_list(l)) st = APL_ERR_MEMORY;
  }
  if (st == APL_ERR_MEMORY) apl_fail(err, st, "out of memory for the channels of a run");
  if (st != APL_OK) {
    apl_channels_free(l);
    return st;
  }
  *out = l;
  return APL_OK;
}

void apl_channels_free(channel_list* l) {
  if (l == NULL) return;
  apl_pool_free(&l->pool);
  free(l);
}

/* ------------------------------------------------------------------------------------- rows ----
 */

/* Collect the numbers of all contacts. */
static apl_status read_contacts(channel_source* s) {
  const apl_status st = apl_system_contacts(s->system);
  if (st != APL_OK) return st;

  for (int i = 0; i < apl_model_count(s->model, APL_CONTACTS); ++i) {
    apl_contact c;
    apl_contact_get(s->state, i, 0, &c);
    s->contact[i].depth = c.depth;
    memcpy(s->contact[i].force, c.force, sizeof c.force);
    memcpy(s->contact[i].place, &c.place, sizeof s->contact[i].place);
    for (int k = 0; k < 2; ++k)
      s->contact[i].shape[k] = c.shape[k] + 1;
    for (int k = 0; k < 3; ++k) {
      const double e[3][3] = {{c.axis[0].x, c.axis[1].x, c.axis[2].x},
                              {c.axis[0].y, c.axis[1].y, c.axis[2].y},
                              {c.axis[0].z, c.axis[1].z, c.axis[2].z}};
      s->contact[i].world[k] = e[k][0] * c.force[0] + e[k][1] * c.force[1] + e[k][2] * c.force[2];
    }
    if (c.shape[0] < 0 && apl_model_contact_info(s->model, i).port < 0) s->contact[i].depth = 0.0;
    memcpy(s->contact[i].slip, c.slip, sizeof c.slip);
  }
  return APL_OK;
}

static apl_status read_ports(channel_source* s) {
  for (int i = 0; i < s->nport; ++i) {
    double X[12], V[6], A[6], *out = s->motion + MOTION_NUMBERS * i;
    apl_status st = apl_port_pose(s->model, s->state, s->port[i], X);
    if (st == APL_OK) st = apl_port_motion(s->model, s->state, s->port[i], APL_WORLD_AXES, V, A);
    if (st != APL_OK) return st;

    const apl_quat q = apl_quat_of_matrix(X);
    memcpy(out + MOTION_POSITION, X + 9, 3 * sizeof *out);
    memcpy(out + MOTION_ROTATION, (const double[]){q.w, q.x, q.y, q.z}, 4 * sizeof *out);
    memcpy(out + MOTION_VELOCITY, V + 3, 3 * sizeof *out);
    memcpy(out + MOTION_SPIN, V, 3 * sizeof *out);
    memcpy(out + MOTION_ACCELERATION, A + 3, 3 * sizeof *out);
  }
  return APL_OK;
}

/* Run the computations that the channels of the list need. Contacts are read before the
   rates are computed, with the values that the run has left in the state. The rates leave
   accelerations, efforts and forces of supports in the state, for the channels after them. */
static apl_status look(channel_list* l) {
  channel_source* s = &l->from;
  apl_status st = APL_OK;

  if (l->needs & NEED_TENDONS) st = apl_tendons(s->model, s->state, s->length, s->tension);
  if (st == APL_OK && (l->needs & NEED_CONTACTS)) st = read_contacts(s);
  if (st == APL_OK && (l->needs & NEED_RATE)) st = apl_system_rate(s->t, s->y, s->rate, s->system);
  if (st == APL_OK && (l->needs & NEED_FOOTING))
    st = apl_footing_reactions(s->model, s->state, s->footing);
  if (st == APL_OK && (l->needs & NEED_PORTS)) st = read_ports(s);
  if (st == APL_OK && (l->needs & NEED_REACTIONS))
    st = apl_reactions(s->model, s->state, s->wrench);
  return st;
}

apl_status apl_channels_ground(channel_list* l, double* number) {
  channel_source* s = &l->from;
  const apl_status st = apl_footing_reactions(s->model, s->state, s->footing);

  for (int i = 0; st == APL_OK && i < l->n; ++i) {
    const channel_slot* slot = &l->slot[i];
    if (slot->ground) number[i] = slot->row->get(s, slot->item, slot->row->k);
  }
  return st;
}

apl_status apl_channels_row(channel_list* l, double t, const double* y, const apl_ledger* ledger,
                            double* row) {
  l->from.t = t;
  l->from.y = y;
  l->from.ledger = ledger;
  const apl_status st = look(l);
  if (st != APL_OK) return st;
  for (int i = 0; i < l->n; ++i)
    row[i] = l->slot[i].row->get(&l->from, l->slot[i].item, l->slot[i].row->k);
  return APL_OK;
}
