/* SPDX-License-Identifier: Apache-2.0 */
/* gait_joints.c: `joints` of a gait, a list of links, or `chain`, the first and the last link of a
   row. They are read before the numbers of the gait, because amplitudes have the unit of the
   joints. */
#include "spec/gait_joints.h"

#include "base/nearest.h"

#include <string.h>

static int find_word(const apl_spec* s, const char* name, size_t n) {
  for (int i = 0; i < s->nlink; ++i) {
    if (strlen(s->link[i]->name) == n && strncmp(s->link[i]->name, name, n) == 0) return i;
  }
  return -1;
}

static int find_link(gait_reader* g, const text_node* name) {
  const char* word = name->kind == TEXT_SCALAR ? name->text : "";
  const int link = find_word(g->spec, word, strlen(word));
  apl_nearest near = {.word = word};
  char hint[96];
  if (link >= 0) return link;

  for (int i = 0; i < g->spec->nlink; ++i)
    apl_nearest_offer(&near, g->spec->link[i]->name);
  apl_form_refuse(g->form, name->at, "joints", "there is no link '%.60s'%s", word,
                  apl_nearest_text(&near, hint));
  return -1;
}

static bool one_freedom(const apl_spec* s, int link) {
  const apl_joint_kind* kind = apl_joint_kinds[s->link[link]->joint_kind];
  return kind->nq == 1 && kind->nv == 1 && kind->plain;
}

static bool read_joints(gait_reader* g, const text_node* list) {
  spec_gait* out = g->out;

  for (const text_node* c = list->first; c != NULL; c = c->next) {
    const int link = find_link(g, c);
    if (link < 0) return false;
    if (!one_freedom(g->spec, link)) {
      return apl_form_refuse(g->form, c->at, "joints",
                             "the joint of '%.60s' must have exactly one freedom", c->text);
    }
    for (int k = 0; k < out->n; ++k) {
      if (out->link[k] == link)
        return apl_form_refuse(g->form, c->at, "joints", "'%.60s' is listed twice", c->text);
    }
    out->link[out->n++] = link;
  }
  return true;
}

/* The parent of a link; -1 for the world. */
static int parent_of(const apl_spec* s, int link) {
  const char* on = s->link[link]->on;
  return find_word(s, on, strcspn(on, "."));
}

/* All joints with one freedom, from `last` up to `first` through the parents, then in reverse
 * order. */
static bool read_chain(gait_reader* g, const text_node* list) {
  spec_gait* out = g->out;

  if (list->count != 2)
    return apl_form_refuse(g->form, list->at, "chain", "expected [first, last]");
  const int first = find_link(g, list->first), last = find_link(g, list->first->next);
  int at = last;
  if (first < 0 || last < 0) return false;

  /* `seen` ends the search if parents form a circle, which is reported when the model is compiled
   */
  for (int seen = 0;; ++seen) {
    if (one_freedom(g->spec, at)) out->link[out->n++] = at;
    if (at == first) break;
    at = parent_of(g->spec, at);
    if (at < 0 || seen >= g->spec->nlink) {
      return apl_form_refuse(g->form, list->at, "chain", "'%.60s' is not carried by '%.60s'",
                             list->first->next->text, list->first->text);
    }
  }
  for (int a = 0, b = out->n - 1; a < b; ++a, --b) {
    const int kept = out->link[a];
    out->link[a] = out->link[b];
    out->link[b] = kept;
  }
  return true;
}

static bool keep_names(gait_reader* g, const text_node* list) {
  spec_gait* out = g->out;
  apl_pool* pool = &g->spec->pool;

  /* a chain has at most all links, and one more if parents form a circle */
  out->link = apl_pool_take(pool, sizeof *out->link * (size_t)(g->spec->nlink + list->count + 2));
  out->name = apl_pool_take(pool, sizeof *out->name * (size_t)(list->count + 1));
  for (const text_node* c = list->first; c != NULL && out->name != NULL; c = c->next) {
    out->name[out->nname] = apl_pool_text(pool, c->kind == TEXT_SCALAR ? c->text : "");
    if (out->name[out->nname++] == NULL) out->name = NULL;
  }
  if (out->link != NULL && out->name != NULL) return true;
  return apl_form_refuse(g->form, list->at, "joints", "out of memory while reading");
}

static const char* unit_of(const apl_spec* s, int link) {
  return apl_joint_kinds[s->link[link]->joint_kind]->q_unit[0];
}

/* Amplitudes and offsets have one unit, so all joints of a gait must have it. */
static bool check_units(gait_reader* g, const text_node* list) {
  const spec_gait* out = g->out;

  g->unit = unit_of(g->spec, out->link[0]);
  for (int k = 1; k < out->n; ++k) {
    const char* unit = unit_of(g->spec, out->link[k]);
    if (strcmp(unit, g->unit) == 0) continue;
    return apl_form_refuse(g->form, list->at, "joints",
                           "'%.60s' moves in %s and '%.60s' in %s: a gait needs joints of one unit",
                           g->spec->link[out->link[k]]->name, unit,
                           g->spec->link[out->link[0]]->name, g->unit);
  }
  return true;
}

bool apl_gait_joints(gait_reader* g) {
  const text_node *joints = apl_node_get(g->node, "joints"),
                  *chain = apl_node_get(g->node, "chain");
  const text_node* list = joints != NULL ? joints : chain;

  if ((joints == NULL) == (chain == NULL))
    return apl_form_refuse(g->form, g->node->at, "joints", "give either joints or chain");
  if (list->kind != TEXT_LIST)
    return apl_form_refuse(g->form, list->at, "joints", "expected a list");
  g->out->chain = joints == NULL;
  if (!keep_names(g, list) || !(joints != NULL ? read_joints(g, list) : read_chain(g, list)))
    return false;
  if (g->out->n == 0) {
    return apl_form_refuse(g->form, list->at, "joints",
                           "a gait needs at least 2 links with a joint between them");
  }
  return check_units(g, list);
}
