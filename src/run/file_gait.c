/* file_gait.c: `gaits` of a model file: each gives a row of joints its signals. A joint that is
   prescribed follows its signal exactly; the servo of another one takes it for its aim. */
#include "run/drive.h"

#include "base/nearest.h"

#include <math.h>
#include <string.h>

/* A gait while it is read. */
typedef struct gait_reader {
  drive_reader* drive;
  const apl_file* file;
  apl_system* system;
  const apl_model* model;
  const text_node* node;
  int* link; /* [n] of its joints, in order                                                       */
  int n;
} gait_reader;

static bool one_freedom(const apl_model* m, int link) {
  const apl_link_info l = apl_model_link_info(m, link);
  return l.nq == 1 && l.nv == 1 && l.plain;
}

/* ---------------------------------------------------------------------------------- joints ---- */

static int find_link(gait_reader* g, const text_node* name) {
  const char* word = name->kind == TEXT_SCALAR ? name->text : "";
  const int link = apl_model_link(g->model, word);
  apl_nearest near = {.word = word};
  char hint[96];
  if (link >= 0) return link;

  for (int i = 0; i < apl_model_nlink(g->model); ++i)
    apl_nearest_offer(&near, apl_model_link_name(g->model, i));
  apl_form_refuse(&g->drive->form, name->at, "joints", "there is no link '%.60s'%s", word,
                  apl_nearest_text(&near, hint));
  return -1;
}

static bool read_joints(gait_reader* g, const text_node* list) {
  for (const text_node* c = list->first; c != NULL; c = c->next) {
    const int link = find_link(g, c);
    if (link < 0) return false;
    if (!one_freedom(g->model, link)) {
      return apl_form_refuse(&g->drive->form, c->at, "joints",
                             "the joint of '%.60s' has not exactly one freedom", c->text);
    }
    for (int k = 0; k < g->n; ++k) {
      if (g->link[k] == link) {
        return apl_form_refuse(&g->drive->form, c->at, "joints", "'%.60s' stands there twice",
                               c->text);
      }
    }
    g->link[g->n++] = link;
  }
  return true;
}

/* All joints of one freedom from `last` up to `first`, then turned round. */
static bool read_chain(gait_reader* g, const text_node* list) {
  if (list->count != 2) {
    return apl_form_refuse(&g->drive->form, list->at, "chain", "expected [first, last]");
  }
  const int first = find_link(g, list->first), last = find_link(g, list->first->next);
  int at = last;
  if (first < 0 || last < 0) return false;

  for (;;) {
    if (one_freedom(g->model, at)) g->link[g->n++] = at;
    if (at == first) break;
    at = apl_model_link_info(g->model, at).parent;
    if (at < 0) {
      return apl_form_refuse(&g->drive->form, list->at, "chain", "'%.60s' does not hang on '%.60s'",
                             list->first->next->text, list->first->text);
    }
  }
  for (int a = 0, b = g->n - 1; a < b; ++a, --b) {
    const int kept = g->link[a];
    g->link[a] = g->link[b];
    g->link[b] = kept;
  }
  return true;
}

static bool find_joints(gait_reader* g, const grammar_gait* raw) {
  const text_node* list = raw->joints != NULL ? raw->joints : raw->chain;
  form_reader* form = &g->drive->form;

  if ((raw->joints == NULL) == (raw->chain == NULL)) {
    return apl_form_refuse(form, g->node->at, "joints", "give either joints or chain");
  }
  if (list->kind != TEXT_LIST) return apl_form_refuse(form, list->at, "joints", "expected a list");
  g->link = apl_pool_take(form->pool, sizeof *g->link * (size_t)(apl_model_nlink(g->model) + 1));
  if (g->link == NULL) {
    apl_report_add(form->report, APL_ERR_MEMORY, list->at, "out of memory while reading");
    return false;
  }
  if (!(raw->joints != NULL ? read_joints(g, list) : read_chain(g, list))) return false;
  if (g->n == 0) {
    return apl_form_refuse(form, list->at, "joints",
                           "a gait needs at least 2 links with a joint between them");
  }
  return true;
}

/* --------------------------------------------------------------------------------- numbers ---- */

/* The table with the unit of the joints in it. */
static void with_unit(const apl_field* field, const char* unit, apl_field* out, int room) {
  int n = 0;

  for (; field[n].name != NULL && n < room - 1; ++n) {
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
    apl_form_refuse(&g->drive->form, g->node->at, "type", "is missing (kind of gait)");
    return NULL;
  }
  for (const shape_kind* k = apl_gait_kinds; k->word != NULL; ++k) {
    if (strcmp(k->word, near.word) == 0) return k;
    apl_nearest_offer(&near, k->word);
  }
  apl_form_refuse(&g->drive->form, type->at, "type", "there is no gait '%.40s'%s", near.word,
                  apl_nearest_text(&near, hint));
  return NULL;
}

enum { ROOM = 16 }; /* rows of a table of gaits */

static bool read_wave(gait_reader* g, const text_node* node, apl_gait_wave* out) {
  apl_field field[ROOM];
  if (node == NULL) return true;

  with_unit(apl_gait_wave_fields, g->drive->unit, field, ROOM);
  return apl_fields_read(&g->drive->form, node, &(field_set){.field = field, .out = out}, 1);
}

static bool read_signals(gait_reader* g, grammar_gait* raw) {
  const char* unit = g->drive->unit;

  if (raw->offset != NULL) {
    raw->gait.offset = apl_drive_signal(g->drive, raw->offset);
    if (raw->gait.offset == NULL) return false;
  }
  if (raw->travel != NULL) {
    g->drive->unit = "m";
    raw->gait.travel = apl_drive_signal(g->drive, raw->travel);
    g->drive->unit = unit;
    if (raw->gait.travel == NULL) return false;
  }
  return true;
}

/* ---------------------------------------------------------------------------------- drives ---- */

/* Is the joint wide enough? Offsets are looked at all over the run. */
static bool fits(gait_reader* g, const apl_gait* gait, int j) {
  enum { LOOKS = 256 };
  const spec_link* l = g->file->spec->link[g->link[j - 1]];
  const double reach = apl_gait_reach(gait, j, g->n);
  double low = -reach, high = reach, y[3];

  for (int k = 0; k <= LOOKS && gait->offset != NULL; ++k) {
    apl_signal_eval(gait->offset, apl_file_run(g->file)->to * k / LOOKS, y);
    low = fmin(low, y[0] - reach);
    high = fmax(high, y[0] + reach);
  }
  if (low >= l->lower[0] && high <= l->upper[0]) return true;
  return apl_form_refuse(&g->drive->form, g->node->at, "amplitude",
                         "joint %d of the gait, that of '%.60s', would go from %.4g to %.4g, but "
                         "its range is %.4g to %.4g",
                         j, l->name, low, high, l->lower[0], l->upper[0]);
}

static void drive_joint(gait_reader* g, const apl_gait* gait, int j) {
  const apl_link_info l = apl_model_link_info(g->model, g->link[j - 1]);
  apl_signal* s = NULL;
  apl_error err;

  if (!fits(g, gait, j)) return;
  if (apl_gait_signal(gait, j, g->n, &s, &err) != APL_OK ||
      apl_system_motion(g->system, l.q0, s, &err) != APL_OK) {
    apl_drive_refuse(g->drive, g->node, &err);
  }
}

static void drive_gait(gait_reader* g) {
  const shape_kind* kind = find_kind(g);
  grammar_gait raw = {.gait = apl_gait_default()};
  apl_field common[ROOM], own[ROOM];
  if (kind == NULL) return;

  /* the joints come first: they say what amplitudes are measured in */
  raw.joints = apl_node_get(g->node, "joints");
  raw.chain = apl_node_get(g->node, "chain");
  if (!find_joints(g, &raw)) return;
  g->drive->unit =
      apl_model_coordinate_unit(g->model, apl_model_link_info(g->model, g->link[0]).q0);
  with_unit(apl_gait_fields, g->drive->unit, common, ROOM);
  with_unit(kind->field, g->drive->unit, own, ROOM);
  field_set set[] = {{.field = common, .out = &raw}, {.field = own, .out = &raw}};
  if (apl_fields_read(&g->drive->form, g->node, set, 2) &&
      read_wave(g, raw.pitch, &raw.gait.pitch) && read_wave(g, raw.yaw, &raw.gait.yaw) &&
      read_signals(g, &raw)) {
    const int before = g->drive->form.report->count;
    raw.gait.type = kind->word;
    for (int j = 1; j <= g->n && g->drive->form.report->count == before; ++j)
      drive_joint(g, &raw.gait, j);
  }
  apl_signal_free(raw.gait.offset);
  apl_signal_free(raw.gait.travel);
}

/* Waves: of a serpenoid as given, of a single wave links times step over a turn. */
static double waves_of(gait_reader* g) {
  const text_node* type = apl_node_get(g->node, "type");
  const bool serpenoid =
      type != NULL && type->kind == TEXT_SCALAR && strcmp(type->text, "serpenoid") == 0;
  const text_node* number = apl_node_get(g->node, serpenoid ? "waves" : "step");
  const char* unit = serpenoid ? "1" : "rad";
  const grammar_gait raw = {.joints = apl_node_get(g->node, "joints"),
                            .chain = apl_node_get(g->node, "chain")};
  double x;

  if (number == NULL || !apl_numbers_read(&g->drive->form, "waves", number, &unit, 1, &x))
    return 0.0;
  if (serpenoid) return x;
  return find_joints(g, &raw) ? (g->n + 1) * fabs(x) / (2.0 * acos(-1.0)) : 0.0;
}

double apl_file_waves(const apl_file* file, const apl_model* model) {
  const text_node* list = file->top.gaits;
  apl_report report = {0};
  apl_pool pool = {0};
  drive_reader r = {.form = {.report = &report, .pool = &pool}};
  double waves = 0.0;

  for (const text_node* node = list == NULL ? NULL : list->first; node != NULL && waves == 0.0;
       node = node->next) {
    gait_reader g = {.drive = &r, .file = file, .model = model, .node = node};
    if (node->kind == TEXT_MAP) waves = waves_of(&g);
  }
  apl_pool_free(&pool);
  return waves;
}

void apl_drive_gaits(const apl_file* file, apl_system* system, drive_reader* r) {
  const text_node* list = file->top.gaits;
  int k = 0;
  if (list == NULL) return;

  if (list->kind != TEXT_LIST) {
    apl_report_add(r->form.report, APL_ERR_SYNTAX, list->at, "gaits: expected a list of gaits");
    return;
  }
  for (const text_node* node = list->first; node != NULL; node = node->next) {
    gait_reader g = {.drive = r,
                     .file = file,
                     .system = system,
                     .model = apl_system_model(system),
                     .node = node};
    apl_form_where(&r->form, "gaits.%d.", k++);
    if (node->kind != TEXT_MAP) {
      apl_form_refuse(&r->form, node->at, "type", "expected a map");
    } else {
      drive_gait(&g);
    }
  }
}
