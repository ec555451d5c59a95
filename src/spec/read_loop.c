/* read_loop.c: `loops`, a list of pairs of ports, and `couplings`, a map from names to pairs of
   coordinates. */
#include "spec/file_impl.h"

#include <string.h>

/* The key that a sentence of the builder is about: the one that stands first in it as a word. */
static apl_mark blamed(const text_node* item, const char* sentence) {
  const char* first = NULL;
  apl_mark mark = item->at;

  for (const text_node* entry = item->first; entry != NULL; entry = entry->next) {
    const char* at = strstr(sentence, entry->key);
    const bool word = at != NULL && at > sentence && at[-1] == ' ' &&
                      strchr(" ,:", at[strlen(entry->key)]) != NULL;
    if (!word || (first != NULL && at > first)) continue;
    first = at;
    mark = entry->at;
  }
  return mark;
}

static bool settle(apl_spec* s, const text_node* item, apl_report* report) {
  return apl_spec_settle(s, blamed(item, s->error.text), report);
}

void apl_loops_read(apl_spec* s, const text_node* list, apl_report* report) {
  form_reader r = {.report = report, .pool = &s->pool, .where = "loops."};

  if (list->kind != TEXT_LIST) {
    apl_report_add(report, APL_ERR_SYNTAX, list->at,
                   "loops: expected a list, each item a joint between two ports");
    return;
  }
  for (const text_node* item = list->first; item != NULL; item = item->next) {
    grammar_loop raw = {.c = apl_closure_default(), .axes = apl_loop_axes_words[0]};
    if (!apl_fields_read(&r, item, &(field_set){.field = apl_loop_fields, .out = &raw}, 1))
      continue;
    raw.c.axes = strcmp(raw.axes, apl_loop_axes_words[0]) == 0 ? APL_PORT_AXES : APL_WORLD_AXES;
    const int i = apl_spec_loop(s, &raw.c);
    if (settle(s, item, report)) s->loop[i].at = item->at;
  }
}

/* The unit of a coordinate "link.joint.angle" of a joint of one freedom; others have none. */
static const char* unit_of(const apl_spec* s, const char* coordinate) {
  for (int i = 0; i < s->nlink; ++i) {
    const spec_link* l = s->link[i];
    const size_t n = strlen(l->name);
    if (strncmp(l->name, coordinate, n) != 0 || strncmp(coordinate + n, ".joint.", 7) != 0)
      continue;
    const apl_joint_kind* kind = apl_joint_kinds[l->joint_kind];
    return kind->nq == 1 ? kind->q_unit[0] : "1";
  }
  return "1";
}

void apl_couplings_read(apl_spec* s, const text_node* map, apl_report* report) {
  form_reader r = {.report = report, .pool = &s->pool};

  if (map->kind != TEXT_MAP) {
    apl_report_add(report, APL_ERR_SYNTAX, map->at,
                   "couplings: expected a map from names to pairs of coordinates");
    return;
  }
  for (const text_node* item = map->first; item != NULL; item = item->next) {
    grammar_coupling raw = {.ratio = 1.0};
    double offset = 0.0;

    apl_form_where(&r, "couplings.%.60s.", item->key);
    if (!apl_fields_read(&r, item, &(field_set){.field = apl_coupling_fields, .out = &raw}, 1))
      continue;
    const char* unit = unit_of(s, raw.of);
    if (raw.offset != NULL && !apl_numbers_read(&r, "offset", raw.offset, &unit, 1, &offset))
      continue;
    const int i = apl_spec_coupling(s, item->key, raw.of, raw.to, raw.ratio, offset);
    if (settle(s, item, report)) s->coupling[i].at = item->key_at;
  }
}
