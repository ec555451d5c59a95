/* read_gait.c: the block `gaits` of a model file: each gives a row of joints its signals. The
   joints come first: they say what amplitudes are measured in. */
#include "spec/file_impl.h"

#include "base/nearest.h"

#include <math.h>
#include <string.h>

apl_gait apl_gait_default(void) {
  return (apl_gait){.type = "wave", .anchor = 1.0 / 3.0, .stop_at = HUGE_VAL};
}

/* A gait while it is read. */
typedef struct gait_reader {
  apl_spec* spec;
  form_reader* form;
  const text_node* node;
  spec_gait* out;
  const char* unit; /* of its joints */
} gait_reader;

/* ---------------------------------------------------------------------------------- joints ---- */

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

/* What a link hangs on; -1 for the world. */
static int parent_of(const apl_spec* s, int link) {
  const char* on = s->link[link]->on;
  return find_word(s, on, strcspn(on, "."));
}

/* All joints of one freedom from `last` up to `first`, then turned round. */
static bool read_chain(gait_reader* g, const text_node* list) {
  spec_gait* out = g->out;

  if (list->count != 2)
    return apl_form_refuse(g->form, list->at, "chain", "expected [first, last]");
  const int first = find_link(g, list->first), last = find_link(g, list->first->next);
  int at = last;
  if (first < 0 || last < 0) return false;

  /* links that hang on each other in a circle are refused by the model, later */
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

  /* a chain has at most all links, and one more when it goes round in a circle */
  out->link = apl_pool_take(pool, sizeof *out->link * (size_t)(g->spec->nlink + list->count + 2));
  out->name = apl_pool_take(pool, sizeof *out->name * (size_t)(list->count + 1));
  for (const text_node* c = list->first; c != NULL && out->name != NULL; c = c->next) {
    out->name[out->nname] = apl_pool_text(pool, c->kind == TEXT_SCALAR ? c->text : "");
    if (out->name[out->nname++] == NULL) out->name = NULL;
  }
  if (out->link != NULL && out->name != NULL) return true;
  return apl_form_refuse(g->form, list->at, "joints", "out of memory while reading");
}

static bool find_joints(gait_reader* g) {
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
  g->unit = apl_joint_kinds[g->spec->link[g->out->link[0]]->joint_kind]->q_unit[0];
  return true;
}

/* --------------------------------------------------------------------------------- numbers ---- */

enum { ROOM = 16 }; /* rows of a table of gaits */

/* The table with the unit of the joints in it. */
static void with_unit(const apl_field* field, const char* unit, apl_field* out) {
  int n = 0;

  for (; field[n].name != NULL && n < ROOM - 1; ++n) {
    out[n] = field[n];
    if (out[n].unit == apl_gait_unit) out[n].unit = unit;
  }
  out[n] = field[n];
}

static const shape_kind* find_kind(gait_reader* g) {
  const text_node* type = apl_node_get(g->node, "type");
  apl_nearest near = {.word = type != NULL && type->kind == TEXT_SCALAR ? type->text : ""};
  char hint[96];

  if (type == NULL) {
    apl_form_refuse(g->form, g->node->at, "type", "is missing (type of the gait)");
    return NULL;
  }
  for (const shape_kind* k = apl_gait_kinds; k->word != NULL; ++k) {
    if (strcmp(k->word, near.word) == 0) return k;
    apl_nearest_offer(&near, k->word);
  }
  apl_form_refuse(g->form, type->at, "type", "there is no gait '%.40s'%s", near.word,
                  apl_nearest_text(&near, hint));
  return NULL;
}

static bool read_wave(gait_reader* g, const text_node* node, apl_gait_wave* out) {
  apl_field field[ROOM];
  if (node == NULL) return true;

  with_unit(apl_gait_wave_fields, g->unit, field);
  return apl_fields_read(g->form, node, &(field_set){.field = field, .out = out}, 1);
}

static bool read_gait(gait_reader* g) {
  const shape_kind* kind = find_kind(g);
  grammar_gait raw = {.gait = apl_gait_default()};
  apl_field common[ROOM], own[ROOM];
  if (kind == NULL || !find_joints(g)) return false;

  with_unit(apl_gait_fields, g->unit, common);
  with_unit(kind->field, g->unit, own);
  field_set set[] = {{.field = common, .out = &raw}, {.field = own, .out = &raw}};
  if (!apl_fields_read(g->form, g->node, set, 2) || !read_wave(g, raw.pitch, &raw.gait.pitch) ||
      !read_wave(g, raw.yaw, &raw.gait.yaw))
    return false;
  g->out->type = raw.gait.type = kind->word;
  g->out->gait = raw.gait;
  g->out->pitch = raw.pitch != NULL;
  g->out->yaw = raw.yaw != NULL;
  g->out->offset = raw.offset;
  g->out->travel = raw.travel;
  return true;
}

void apl_gaits_read(apl_spec* s, const text_node* list, apl_report* report) {
  form_reader r = {.report = report, .pool = &s->pool};
  int k = 0;

  if (list->kind != TEXT_LIST) {
    apl_report_add(report, APL_ERR_SYNTAX, list->at, "gaits: expected a list of gaits");
    return;
  }
  s->gait = apl_pool_take(&s->pool, sizeof *s->gait * (size_t)(list->count + 1));
  if (s->gait == NULL) {
    apl_report_add(report, APL_ERR_MEMORY, list->at, "out of memory while reading");
    return;
  }
  for (const text_node* node = list->first; node != NULL; node = node->next) {
    spec_gait* out = &s->gait[s->ngait];
    gait_reader g = {.spec = s, .form = &r, .node = node, .out = out};

    *out = (spec_gait){.at = node->at};
    apl_form_where(&r, "gaits.%d.", k++);
    if (node->kind != TEXT_MAP) {
      apl_form_refuse(&r, node->at, "type", "expected a map");
    } else if (read_gait(&g)) {
      s->ngait += 1;
    }
  }
}
