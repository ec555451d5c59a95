/* SPDX-License-Identifier: Apache-2.0 */
/* block_tendons.c: `tendons`, by name: each has a `path` through guides, and may have a spring. */
#include "spec/grammar.h"
#include "spec/rows.h"

#include <math.h>
#include <string.h>

typedef struct block_tendon {
  const text_node* path;
  double stiffness, damping, rest;
} block_tendon;

typedef struct block_guide {
  const char *port, *along;
  double offset[2], from, to;
  int discs;
} block_guide;

static const apl_field fields[] = {
    BLOCK(block_tendon, path, "path", "path", NULL,
          "the guides that the tendon passes through, in order; it is fixed at the ends of this "
          "list and straight between separate guides"),
    APL_FIELD(block_tendon, stiffness, "stiffness", "N/m",
              "stiffness k of the whole tendon: tension = max(0, k (length - rest-length + input) "
              "+ damping times the rate of length), where the input is a length that the motor "
              "winds up; 0: the tension is the input itself",
              0),
    APL_FIELD(block_tendon, damping, "damping", "N s/m",
              "damping: tension per rate of length; needs `stiffness`", 0),
    {.name = "rest-length",
     .offset = offsetof(block_tendon, rest),
     .count = 1,
     .unit = "m",
     .fallback = NUMBER(INFINITY),
     .sentence = "length at which the tendon has no tension; when left out, the length with all "
                 "joints at `rest`"},
    APL_FIELD_END,
};

static const apl_field guide_fields[] = {
    ROW(block_guide, port, "port", APL_FORM_TEXT, TEXT(""),
        "guide at a point: a port, as link.port; the tendon slides there without friction, or is "
        "fixed there if it ends there"),
    ROW(block_guide, along, "along", APL_FORM_TEXT, TEXT(""),
        "guide along a link that deforms: the tendon runs inside this link"),
    APL_FIELD(block_guide, offset, "offset", "m",
              "with `along`: x and y of the tendon in each section", 0, 0),
    APL_FIELD(block_guide, from, "from", "1",
              "with `along`: station where the tendon enters, 0 root, 1 tip", 0),
    APL_FIELD(block_guide, to, "to", "1", "with `along`: station where the tendon leaves or ends",
              1),
    ROW(block_guide, discs, "discs", APL_FORM_WHOLE, WHOLE(0),
        "with `along`: number of equal gaps between guide discs in each element; the tendon is "
        "straight between discs; 0: guided continuously"),
    APL_FIELD_END,
};

/* --------------------------------------------------------------------------------- reading ---- */

typedef struct tendon_reader {
  form_reader* form;
  apl_spec* spec;
  const char* name;
  int index;
} tendon_reader;

/* A tendon may run outside of the outline of the body, guided by discs, but such an offset is often
   a mistake: warn of it. */
static void look_at_offset(tendon_reader* t, const block_guide* g, apl_mark at) {
  for (int i = 0; i < t->spec->nlink; ++i) {
    const spec_link* l = t->spec->link[i];
    if (strcmp(l->name, g->along) != 0) continue;

    const apl_body_plan plan = apl_body_planned(apl_body_kinds[l->body_kind], l->body_param);
    const double offset = hypot(g->offset[0], g->offset[1]);
    if (plan.reach > 0.0 && offset > plan.reach) {
      apl_report_warn(t->form->report, at,
                      "tendon '%s' runs outside of '%s': its offset is %.4g m, but the section "
                      "extends to %.4g m only",
                      t->name, l->name, offset, plan.reach);
    }
  }
}

/* {port: base.hole}, {along: arm, offset: [8 mm, 0], to: 0.5, discs: 4} */
static void read_guide(tendon_reader* t, const text_node* item) {
  block_guide g = {.port = "", .along = "", .to = 1.0};
  field_set set = {.field = guide_fields, .out = &g};
  const int before = t->form->report->count;

  if (!apl_fields_read(t->form, item, &set, 1)) return;
  const text_node* discs = apl_node_get(item, "discs");
  const bool point = g.port[0] != '\0';
  if (point == (g.along[0] != '\0')) {
    apl_form_refuse(t->form, item->at, "path", "a guide needs either `port` or `along`");
  } else if (point && item->count > 1) {
    apl_form_refuse(t->form, item->at, "port", "is a point: %s can be used with `along` only",
                    strcmp(item->first->key, "port") == 0 ? item->first->next->key
                                                          : item->first->key);
  } else if (discs != NULL && g.discs < 1) {
    apl_form_refuse(
        t->form, discs->at, "discs",
        "must be at least 1, got %d; leave it out for a tendon that is guided continuously",
        g.discs);
  }
  if (t->form->report->count > before) return;

  if (point) {
    apl_spec_tendon_port(t->spec, t->index, g.port);
  } else {
    apl_spec_tendon_along(t->spec, t->index, g.along, g.offset[0], g.offset[1], g.from, g.to,
                          g.discs);
  }
  if (!apl_spec_settle(t->spec, item->at, t->form->report)) return;
  spec_tendon* tendon = &t->spec->tendon[t->index];
  tendon->guide[tendon->nguide - 1].at = item->at;
  if (!point) look_at_offset(t, &g, item->at);
}

static void read_tendon(tendon_reader* t, const text_node* item) {
  block_tendon raw = {.rest = HUGE_VAL};
  field_set set = {.field = fields, .out = &raw};

  apl_form_where(t->form, "tendon '%.64s': ", item->key);
  apl_fields_read(t->form, item, &set, 1);
  t->name = item->key;
  t->index = apl_spec_tendon(t->spec, item->key);
  if (!apl_spec_settle(t->spec, item->key_at, t->form->report)) return;
  t->spec->tendon[t->index].at = item->key_at;

  const text_node* blame = apl_node_get(item, raw.stiffness < 0.0 ? "stiffness" : "damping");
  apl_spec_tendon_spring(t->spec, t->index, raw.stiffness, raw.damping);
  apl_spec_settle(t->spec, blame == NULL ? item->at : blame->at, t->form->report);
  if (raw.rest < HUGE_VAL) {
    const text_node* rest = apl_node_get(item, "rest-length");
    apl_spec_tendon_rest(t->spec, t->index, raw.rest);
    apl_spec_settle(t->spec, rest->at, t->form->report);
    if (raw.stiffness == 0.0)
      apl_form_refuse(t->form, rest->at, "rest-length", "needs a `stiffness`");
  }
  if (raw.path == NULL) return;
  if (raw.path->kind != TEXT_LIST) {
    apl_form_refuse(t->form, raw.path->at, "path", "expected a list of guides");
    return;
  }
  apl_form_where(t->form, "tendon '%.64s': path.", item->key);
  for (const text_node* guide = raw.path->first; guide != NULL; guide = guide->next)
    read_guide(t, guide);
}

static void read(apl_spec* s, const text_node* map, form_reader* r) {
  tendon_reader t = {.form = r, .spec = s};

  if (map->kind != TEXT_MAP) {
    apl_report_add(r->report, APL_ERR_SYNTAX, map->at,
                   "tendons: expected a map from names to tendons");
    return;
  }
  for (const text_node* item = map->first; item != NULL; item = item->next)
    read_tendon(&t, item);
}

/* --------------------------------------------------------------------------------- writing ---- */

static void write_tendon(text_out* o, const spec_tendon* t) {
  const block_tendon row = {.stiffness = t->stiffness, .damping = t->damping, .rest = t->rest};
  const char* comma = "";

  apl_out_add(o, "  %s:\n    path:\n", t->name);
  for (int k = 0; k < t->nguide; ++k) {
    const spec_guide* g = &t->guide[k];
    const block_guide guide = {.port = g->port == NULL ? "" : g->port,
                               .along = g->link == NULL ? "" : g->link,
                               .offset = {g->offset[0], g->offset[1]},
                               .from = g->from,
                               .to = g->port == NULL ? g->to : 1.0,
                               .discs = g->discs};
    comma = "";
    apl_out_add(o, "      - {");
    apl_fields_write(o, guide_fields, &guide, APL_ALL_FIELDS, &comma);
    apl_out_add(o, "}\n");
  }
  for (int i = 0; fields[i].name != NULL; ++i) {
    const apl_field one[] = {fields[i], APL_FIELD_END};
    const size_t before = o->used;
    comma = "    ";
    apl_fields_write(o, one, &row, APL_ALL_FIELDS, &comma);
    if (o->used > before) apl_out_add(o, "\n");
  }
}

static void write(text_out* o, const apl_spec* s) {
  if (s->ntendon > 0) apl_out_add(o, "tendons:\n");
  for (int i = 0; i < s->ntendon; ++i)
    write_tendon(o, &s->tendon[i]);
}

const grammar_block apl_block_tendons = {
    .word = "tendons",
    .form = BLOCK_NAMED,
    .field = fields,
    .title = "a tendon",
    .declares = PLACES("KEY"),
    .refers = PLACES("*.path.*.port", "*.path.*.along"),
    .read = read,
    .write = write,
};

const grammar_block apl_block_path = {
    .word = "path",
    .form = BLOCK_LIST,
    .field = guide_fields,
    .title = "a guide of a tendon, with either `port` or `along`",
};
