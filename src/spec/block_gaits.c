/* SPDX-License-Identifier: Apache-2.0 */
/* block_gaits.c: `gaits`, a list: each one moves a row of joints. gait_joints.c finds the joints.
 */
#include "spec/gait_joints.h"
#include "spec/grammar.h"
#include "spec/rows.h"

#include "base/nearest.h"

#include <math.h>
#include <string.h>

apl_gait apl_gait_default(void) {
  return (apl_gait){.type = "wave", .anchor = 1.0 / 3.0, .stop_at = HUGE_VAL};
}

/* A gait as it is written. */
typedef struct block_gait {
  const char* type;
  apl_gait gait; /* without its signals */
  const text_node *joints, *chain, *pitch, *yaw;
  const spec_signal *travel, *offset;
} block_gait;

/* Amplitudes and offsets have the unit of the joints, which with_unit() puts in the place of this.
 */
static const char joint_unit[] = "unit of the joint";

static const apl_field fields[] = {
    ROW(block_gait, type, "type", APL_FORM_TEXT, NULL, "type of the gait, one of those below"),
    BLOCK(block_gait, joints, "joints", "names", NOTHING,
          "links whose joints the gait moves, in order from the head"),
    BLOCK(block_gait, chain, "chain", "names", NOTHING,
          "instead of `joints`: [first, last], meaning all links from first to last whose joint "
          "has one freedom"),
    APL_FIELD(block_gait, gait.envelope, "envelope", "1",
              "growth z of the amplitude along the body: the amplitude of joint j of n is "
              "multiplied by 1 - z + z j/n",
              0),
    APL_FIELD(block_gait, gait.ramp_up, "ramp-up", "s",
              "duration of the smooth fade-in, which begins at time 0", 0),
    {.name = "stop-at",
     .offset = offsetof(block_gait, gait.stop_at),
     .count = 1,
     .unit = "s",
     .fallback = NUMBER(INFINITY),
     .sentence = "time at which the fade-out begins; never when left out"},
    APL_FIELD(block_gait, gait.ramp_down, "ramp-down", "s", "duration of the fade-out", 0),
    SIGNAL(block_gait, offset, "offset", NOTHING,
           "value that is added to every joint, a number or a signal; use it to steer"),
    APL_FIELD_END,
};

#define WAVE_FIELDS(t, m, when)                                                                    \
  APL_FIELD_REQUIRED(t, m amplitude, "amplitude", joint_unit, "amplitude of the joint motion"),    \
      APL_FIELD_REQUIRED(t, m frequency, "frequency", "Hz", "cycles per second"),                  \
      APL_FIELD_REQUIRED(t, m step, "step", "rad",                                                 \
                         "phase difference between neighbouring joints"),                          \
      APL_FIELD(t, m phase, "phase", "rad", when, 0)

static const apl_field wave_fields[] = {
    WAVE_FIELDS(apl_gait_wave, , "phase at time 0: joint j has the phase j step + phase"),
    APL_FIELD(apl_gait_wave, offset, "offset", joint_unit, "mean value of the joint coordinate", 0),
    APL_FIELD_END,
};
static const apl_field serpenoid[] = {
    APL_FIELD_REQUIRED(block_gait, gait.winding, "winding", "rad",
                       "winding angle alpha: largest angle between the curve and its axis"),
    APL_FIELD_REQUIRED(block_gait, gait.waves, "waves", "1",
                       "number k of waves on the length of the body"),
    APL_FIELD_REQUIRED(block_gait, gait.length, "length", "m", "length of the body"),
    SIGNAL(block_gait, travel, "travel", NULL,
           "shift s(t) of the curve along the body [m], a signal; the robot advances while s "
           "decreases"),
    APL_FIELD_END,
};
static const apl_field single_wave[] = {
    WAVE_FIELDS(block_gait, gait.pitch., "phase of joint 1 at time 0"),
    APL_FIELD_END,
};
static const apl_field alternating[] = {
    BLOCK(block_gait, pitch, "pitch", "wave", NOTHING,
          "wave of joints 1, 3, 5 and so on; when left out they do not move"),
    BLOCK(block_gait, yaw, "yaw", "wave", NOTHING,
          "wave of joints 2, 4, 6 and so on; when left out they do not move"),
    APL_FIELD_END,
};
static const apl_field concertina[] = {
    APL_FIELD_REQUIRED(block_gait, gait.pitch.amplitude, "amplitude", joint_unit,
                       "amplitude of the folds"),
    APL_FIELD_REQUIRED(block_gait, gait.pitch.step, "step", "rad",
                       "phase difference of the folds between neighbouring joints"),
    APL_FIELD(block_gait, gait.pitch.phase, "phase", "rad", "phase of joint 1", 0),
    APL_FIELD_REQUIRED(block_gait, gait.period, "period", "s",
                       "period of one cycle, which has four phases of equal duration"),
    APL_FIELD(block_gait, gait.anchor, "anchor", "1",
              "fraction of the joints that belong to the head, and the same fraction to the tail",
              1.0 / 3.0),
    APL_FIELD_END,
};

static const block_type types[] = {
    {"serpenoid",
     "Hirose's serpenoid curve, divided into links and shifted along the body with time",
     serpenoid},
    {"wave", "one travelling wave over all joints", single_wave},
    {"alternating",
     "a wave in each plane, for snakes with alternating axes: pitch on joints 1, 3, 5 .. and yaw "
     "on joints 2, 4, 6 ..",
     alternating},
    {"concertina", "tail and head hold in turn while the middle folds and stretches", concertina},
    {NULL, NULL, NULL},
};

static bool gait_type(int i, block_type* out) {
  *out = types[i];
  return out->word != NULL;
}

/* --------------------------------------------------------------------------------- reading ---- */

enum { ROOM = 16 }; /* rows of a table, its end included */

/* A copy of a table with the unit of the joints. */
static void with_unit(const apl_field* field, const char* unit, apl_field* out) {
  int n = 0;

  for (; field[n].name != NULL && n < ROOM - 1; ++n) {
    out[n] = field[n];
    if (out[n].unit == joint_unit) out[n].unit = unit;
  }
  out[n] = field[n];
}

static const block_type* find_type(gait_reader* g) {
  const text_node* type = apl_node_get(g->node, "type");
  apl_nearest near = {.word = type != NULL && type->kind == TEXT_SCALAR ? type->text : ""};
  char hint[96];

  if (type == NULL) {
    apl_form_refuse(g->form, g->node->at, "type", "is missing (type of the gait)");
    return NULL;
  }
  for (const block_type* k = types; k->word != NULL; ++k) {
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

  with_unit(wave_fields, g->unit, field);
  return apl_fields_read(g->form, node, &(field_set){.field = field, .out = out}, 1);
}

static bool read_gait(gait_reader* g) {
  const block_type* kind = find_type(g);
  block_gait raw = {.gait = apl_gait_default()};
  apl_field common[ROOM], own[ROOM];
  if (kind == NULL || !apl_gait_joints(g)) return false;

  with_unit(fields, g->unit, common);
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

static void read(apl_spec* s, const text_node* list, form_reader* r) {
  int k = 0;

  if (list->kind != TEXT_LIST) {
    apl_report_add(r->report, APL_ERR_SYNTAX, list->at, "gaits: expected a list of gaits");
    return;
  }
  s->gait = apl_pool_take(&s->pool, sizeof *s->gait * (size_t)(list->count + 1));
  if (s->gait == NULL) {
    apl_form_no_memory(r, list->at);
    return;
  }
  for (const text_node* node = list->first; node != NULL; node = node->next) {
    spec_gait* out = &s->gait[s->ngait];
    gait_reader g = {.spec = s, .form = r, .node = node, .out = out};

    *out = (spec_gait){.at = node->at};
    apl_form_where(r, "gaits.%d.", k++);
    if (node->kind != TEXT_MAP) {
      apl_form_refuse(r, node->at, "type", "expected a map");
    } else if (read_gait(&g)) {
      s->ngait += 1;
    }
  }
}

/* --------------------------------------------------------------------------------- writing ---- */

static void write_wave(text_out* o, const char* key, const apl_gait_wave* wave) {
  const char* comma = "";

  apl_out_add(o, ", %s: {", key);
  apl_fields_write(o, wave_fields, wave, APL_ALL_FIELDS, &comma);
  apl_out_add(o, "}");
}

static void write_gait(text_out* o, const spec_gait* g) {
  const block_gait row = {
      .type = g->type, .gait = g->gait, .offset = g->offset, .travel = g->travel};
  const block_type* kind = types;
  const char* comma = "";

  while (strcmp(kind->word, g->type) != 0)
    ++kind;
  apl_out_add(o, "  - {");
  apl_fields_write(o, fields, &row, APL_ALL_FIELDS, &comma);
  apl_fields_write(o, kind->field, &row, APL_ALL_FIELDS, &comma);
  if (g->pitch) write_wave(o, "pitch", &g->gait.pitch);
  if (g->yaw) write_wave(o, "yaw", &g->gait.yaw);
  for (int i = 0; i < g->nname; ++i) {
    apl_out_add(o, "%s", i > 0 ? ", " : g->chain ? ", chain: [" : ", joints: [");
    apl_out_scalar(o, g->name[i]);
  }
  apl_out_add(o, "]}\n");
}

static void write(text_out* o, const apl_spec* s) {
  if (s->ngait > 0) apl_out_add(o, "gaits:\n");
  for (int i = 0; i < s->ngait; ++i)
    write_gait(o, &s->gait[i]);
}

const grammar_block apl_block_gaits = {
    .word = "gaits",
    .form = BLOCK_LIST,
    .field = fields,
    .title = "a gait: coordinated motion of a row of joints",
    .type = gait_type,
    .refers = PLACES("*.joints.*", "*.chain.*", "*.offset", "*.travel"),
    .read = read,
    .write = write,
};

const grammar_block apl_block_wave = {
    .word = "wave",
    .form = BLOCK_MAP,
    .field = wave_fields,
    .title = "a travelling wave",
};
