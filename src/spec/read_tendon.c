/* read_tendon.c: `tendons`: each a path through guides, perhaps with a spring. */
#include "spec/file_impl.h"

#include <math.h>
#include <string.h>

typedef struct tendon_reader {
  form_reader form;
  apl_spec* spec;
  const char* name;
  int index;
} tendon_reader;

/* An offset beyond the outline of the body is possible (a disc carries it), but often a slip. */
static void look_at_offset(tendon_reader* t, const grammar_guide* g, apl_mark at) {
  for (int i = 0; i < t->spec->nlink; ++i) {
    const spec_link* l = t->spec->link[i];
    if (strcmp(l->name, g->along) != 0) continue;

    const apl_body_plan plan = apl_body_planned(apl_body_kinds[l->body_kind], l->body_param);
    const double offset = hypot(g->offset[0], g->offset[1]);
    if (plan.reach > 0.0 && offset > plan.reach) {
      apl_report_warn(t->form.report, at,
                      "tendon '%s' runs outside of '%s': its offset is %.4g m, but the section "
                      "extends to %.4g m only",
                      t->name, l->name, offset, plan.reach);
    }
  }
}

/* {port: base.hole}, {along: arm, offset: [8 mm, 0], to: 0.5, discs: 4} */
static void read_guide(tendon_reader* t, const text_node* item) {
  grammar_guide g = {.port = "", .along = "", .to = 1.0};
  field_set set = {.field = apl_guide_fields, .out = &g};
  const int before = t->form.report->count;

  if (!apl_fields_read(&t->form, item, &set, 1)) return;
  const text_node* discs = apl_node_get(item, "discs");
  const bool point = g.port[0] != '\0';
  if (point == (g.along[0] != '\0')) {
    apl_form_refuse(&t->form, item->at, "path", "a guide needs either `port` or `along`");
  } else if (point && item->count > 1) {
    apl_form_refuse(&t->form, item->at, "port", "is a point: %s can be used with `along` only",
                    strcmp(item->first->key, "port") == 0 ? item->first->next->key
                                                          : item->first->key);
  } else if (discs != NULL && g.discs < 1) {
    apl_form_refuse(
        &t->form, discs->at, "discs",
        "must be at least 1, got %d; leave it out for a tendon that is guided continuously",
        g.discs);
  }
  if (t->form.report->count > before) return;

  if (point) {
    apl_spec_tendon_port(t->spec, t->index, g.port);
  } else {
    apl_spec_tendon_along(t->spec, t->index, g.along, g.offset[0], g.offset[1], g.from, g.to,
                          g.discs);
  }
  if (!apl_spec_settle(t->spec, item->at, t->form.report)) return;
  spec_tendon* tendon = &t->spec->tendon[t->index];
  tendon->guide[tendon->nguide - 1].at = item->at;
  if (!point) look_at_offset(t, &g, item->at);
}

static void read_tendon(tendon_reader* t, const text_node* item) {
  grammar_tendon raw = {.rest = HUGE_VAL};
  field_set set = {.field = apl_tendon_fields, .out = &raw};

  apl_form_where(&t->form, "tendon '%.64s': ", item->key);
  apl_fields_read(&t->form, item, &set, 1);
  t->name = item->key;
  t->index = apl_spec_tendon(t->spec, item->key);
  if (!apl_spec_settle(t->spec, item->key_at, t->form.report)) return;
  t->spec->tendon[t->index].at = item->key_at;

  const text_node* blame = apl_node_get(item, raw.stiffness < 0.0 ? "stiffness" : "damping");
  apl_spec_tendon_spring(t->spec, t->index, raw.stiffness, raw.damping);
  apl_spec_settle(t->spec, blame == NULL ? item->at : blame->at, t->form.report);
  if (raw.rest < HUGE_VAL) {
    const text_node* rest = apl_node_get(item, "rest-length");
    apl_spec_tendon_rest(t->spec, t->index, raw.rest);
    apl_spec_settle(t->spec, rest->at, t->form.report);
    if (raw.stiffness == 0.0)
      apl_form_refuse(&t->form, rest->at, "rest-length", "needs a `stiffness`");
  }
  if (raw.path == NULL) return;
  if (raw.path->kind != TEXT_LIST) {
    apl_form_refuse(&t->form, raw.path->at, "path", "expected a list of guides");
    return;
  }
  apl_form_where(&t->form, "tendon '%.64s': path.", item->key);
  for (const text_node* guide = raw.path->first; guide != NULL; guide = guide->next)
    read_guide(t, guide);
}

void apl_tendons_read(apl_spec* s, const text_node* map, apl_report* report) {
  tendon_reader t = {.form = {.report = report, .pool = &s->pool}, .spec = s};

  if (map->kind != TEXT_MAP) {
    apl_report_add(report, APL_ERR_SYNTAX, map->at,
                   "tendons: expected a map from names to tendons");
    return;
  }
  for (const text_node* item = map->first; item != NULL; item = item->next)
    read_tendon(&t, item);
}
