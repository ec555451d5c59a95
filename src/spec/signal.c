/* SPDX-License-Identifier: Apache-2.0 */
/* signal.c: signals, functions of time, in a model file: one field table for each type, the
   reader and the writer. */
#include "spec/form.h"

#include "spec/grammar.h"

#include "base/nearest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char apl_signal_unit[] = "unit of what it drives";
const char apl_signal_rate_unit[] = "unit of what it drives, per second";

#define OF(m) offsetof(spec_signal, m)
/* a number in the unit of the quantity that the signal drives */
#define OWN(m, word, unit_, fallback_, sentence_)                                                  \
  {                                                                                                \
    .name = word, .offset = OF(m), .count = 1, .unit = unit_, .form = APL_FORM_QUANTITY,           \
    .fallback = fallback_, .sentence = sentence_                                                   \
  }
#define ROW(m, word, form_, fallback_, sentence_)                                                  \
  {                                                                                                \
    .name = word, .offset = OF(m), .count = 1, .unit = "1", .form = form_, .fallback = fallback_,  \
    .sentence = sentence_, .words = (const char* const[]) {                                        \
      "signal", NULL                                                                               \
    }                                                                                              \
  }

static const spec_quantity zero[1] = {{"0", {0, 0}}};
static const double never[1] = {(double)INFINITY};
static const bool no[1] = {false};
static const char* const spline_word[1] = {"spline"};

static const apl_field plain[] = {
    OWN(plain, "value", apl_signal_unit, NULL, "a quantity, or the name of one of `signals`"),
    APL_FIELD_END,
};
static const apl_field sine[] = {
    OWN(mean, "mean", apl_signal_unit, zero, "mean value"),
    OWN(amplitude, "amplitude", apl_signal_unit, NULL, "amplitude"),
    APL_FIELD_REQUIRED(spec_signal, frequency, "frequency", "Hz", "cycles per second"),
    APL_FIELD(spec_signal, phase, "phase", "rad", "phase at time 0", 0),
    APL_FIELD_END,
};
static const apl_field ramp[] = {
    OWN(from, "from", apl_signal_unit, zero, "value before the ramp"),
    OWN(to, "to", apl_signal_unit, NULL, "value after the ramp"),
    APL_FIELD(spec_signal, start, "start", "s", "time at which the ramp begins", 0),
    APL_FIELD_REQUIRED(spec_signal, duration, "duration", "s", "duration of the ramp"),
    APL_FIELD_END,
};
static const apl_field polynomial[] = {
    ROW(coefficients, "polynomial", APL_FORM_QUANTITIES, NULL,
        "[c0, c1, c2] means c0 + c1 t + c2 t^2; c0 may have a unit, the others are in SI units"),
    APL_FIELD_END,
};
static const apl_field expression[] = {
    ROW(formula, "expression", APL_FORM_TEXT, NULL,
        "a formula of t [s] with a value in SI units; it may use pi, + - * / ^, sin, cos, tan, "
        "exp, log, sqrt, tanh"),
    APL_FIELD_END,
};
static const apl_field points[] = {
    {.name = "times",
     .offset = OF(times),
     .count = 1,
     .unit = "s",
     .form = APL_FORM_QUANTITIES,
     .sentence = "times of the points, in increasing order"},
    {.name = "values",
     .offset = OF(values),
     .count = 1,
     .unit = apl_signal_unit,
     .form = APL_FORM_QUANTITIES,
     .sentence = "values at these times, one for each"},
    APL_FIELD_END,
};
static const apl_field table[] = {
    ROW(file, "file", APL_FORM_TEXT, NULL, "CSV file, relative to the folder of the model file"),
    ROW(column, "column", APL_FORM_TEXT, NULL,
        "name of the column with the values; the times are in the column `time`"),
    ROW(shape, "shape", APL_FORM_TEXT, spline_word,
        "interpolation between the rows: steps, linear, blend or spline"),
    APL_FIELD_END,
};
static const apl_field sum[] = {
    ROW(part, "sum", APL_FORM_SIGNALS, NULL, "[signal, ..]"),
    APL_FIELD_END,
};
static const apl_field product[] = {
    ROW(part, "product", APL_FORM_SIGNALS, NULL,
        "[signal, ..]; the first factor has the unit, the others are plain numbers"),
    APL_FIELD_END,
};
static const apl_field travel[] = {
    OWN(speed, "speed", apl_signal_rate_unit, NULL, "constant speed between the two ramps"),
    APL_FIELD(spec_signal, begin, "from", "s", "time at which the motion begins", 0),
    {.name = "to",
     .offset = OF(end),
     .count = 1,
     .unit = "s",
     .fallback = never,
     .sentence = "time at which it is at rest again; never when left out"},
    APL_FIELD(spec_signal, ramp, "ramp", "s",
              "duration of the acceleration and of the deceleration; 0: a tenth of the time "
              "between `from` and `to`",
              0),
    ROW(smooth, "smooth", APL_FORM_FLAG, no,
        "accelerate smoothly, without jumps of the acceleration"),
    APL_FIELD_END,
};
static const apl_field cycle[] = {
    APL_FIELD_REQUIRED(spec_signal, period, "period", "s", "length of the part that is repeated"),
    ROW(of, "of", APL_FORM_SIGNAL, NULL, "the signal; its part from 0 to `period` is repeated"),
    APL_FIELD_END,
};
static const apl_field delay[] = {
    APL_FIELD_REQUIRED(spec_signal, period, "by", "s", "delay"),
    ROW(of, "of", APL_FORM_SIGNAL, NULL, "the signal that is delayed"),
    APL_FIELD_END,
};

const signal_kind apl_signal_kinds[SIGNAL_TYPES] = {
    [SIGNAL_PLAIN] = {NULL, "a quantity, or the name of one of `signals`", plain, true},
    [SIGNAL_SINE] = {"sine", "mean + amplitude sin(2 pi frequency t + phase)", sine, false},
    [SIGNAL_RAMP] = {"ramp", "from one value to another at a constant rate", ramp, false},
    [SIGNAL_SMOOTH_RAMP] = {"smooth-ramp",
                            "from one value to another, beginning and ending at rest, with a "
                            "continuous second derivative",
                            ramp, false},
    [SIGNAL_POLYNOMIAL] = {"polynomial", "a polynomial in time", polynomial, true},
    [SIGNAL_EXPRESSION] = {"expression", "a formula in time", expression, true},
    [SIGNAL_STEPS] = {"steps",
                      "piecewise constant: the value jumps at each time and holds until the next",
                      points, false},
    [SIGNAL_LINEAR] = {"linear", "linear interpolation between points", points, false},
    [SIGNAL_BLEND] = {"blend", "quintic polynomials between points, at rest at each point", points,
                      false},
    [SIGNAL_SPLINE] = {"spline", "the natural cubic spline through the points", points, false},
    [SIGNAL_TABLE] = {"table", "a column of a CSV file as a function of its column `time`", table,
                      false},
    [SIGNAL_SUM] = {"sum", "a sum of signals", sum, true},
    [SIGNAL_PRODUCT] = {"product", "a product of signals", product, true},
    [SIGNAL_TRAVEL] =
        {"travel", "a displacement from rest to rest: acceleration, constant speed, deceleration",
         travel, false},
    [SIGNAL_DELAY] = {"delay", "a delayed signal: of(t - by)", delay, false},
    [SIGNAL_CYCLE] = {"cycle", "the first part of a signal, repeated periodically", cycle, false},
};

/* ---------------------------------------------------------------------------------- reading ----
 */

/* Check the numbers of points, parts and coefficients; false if a mistake was reported. */
static bool check_counts(form_reader* r, const spec_signal* s, const text_node* node) {
  enum { PARTS = 64, COEFFICIENTS = 16 };
  const char* word = apl_signal_kinds[s->type].word;

  if (apl_signal_kinds[s->type].field == points) {
    if (s->times.n < 2 || s->values.n < 2) {
      return apl_form_refuse(r, apl_node_get(node, s->times.n < 2 ? "times" : "values")->at,
                             s->times.n < 2 ? "times" : "values",
                             "expected a list of at least two numbers");
    }
    if (s->times.n != s->values.n) {
      return apl_form_refuse(r, node->at, word,
                             "expected {times: [..], values: [..]} of equal length, got %d and %d",
                             s->times.n, s->values.n);
    }
  }
  const bool parts = s->type == SIGNAL_SUM || s->type == SIGNAL_PRODUCT;
  if (parts && (s->part.n < 1 || s->part.n > PARTS))
    return apl_form_refuse(r, node->at, word, "expected a list of 1 to %d signals", PARTS);
  if (s->type == SIGNAL_POLYNOMIAL && (s->coefficients.n < 1 || s->coefficients.n > COEFFICIENTS)) {
    return apl_form_refuse(r, node->at, word,
                           "expected 1 to %d numbers: [c0, c1, c2] is c0 + c1 t + c2 t^2",
                           COEFFICIENTS);
  }
  const bool ramps = s->type == SIGNAL_RAMP || s->type == SIGNAL_SMOOTH_RAMP;
  if (ramps && !(s->duration > 0.0)) {
    return apl_form_refuse(r, apl_node_get(node, "duration")->at, "duration",
                           "must be positive, got %g s", s->duration);
  }
  return true;
}

static bool read_kind(form_reader* r, const text_node* node, spec_signal* s) {
  const signal_kind* kind = &apl_signal_kinds[s->type];

  apl_fields_default(kind->field, s);
  if (kind->bare) return apl_field_read(r, kind->field, node, s);
  field_set set = {.field = kind->field, .out = s};
  return apl_fields_read(r, node, &set, 1);
}

/* The type of {word: ..}; SIGNAL_PLAIN if there is none, which is reported. */
static signal_type find_type(form_reader* r, const text_node* map) {
  const int dot = (int)strlen(r->where) - 1; /* "inputs.motor." */
  apl_nearest near = {.word = map->count == 1 ? map->first->key : ""};
  char words[200] = "", hint[96];
  size_t n = 0;

  for (int t = SIGNAL_PLAIN + 1; t < SIGNAL_TYPES; ++t) {
    const char* word = apl_signal_kinds[t].word;
    if (map->count == 1 && strcmp(word, map->first->key) == 0) return (signal_type)t;
    if (n < sizeof words)
      n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", n == 0 ? "" : ", ", word);
    apl_nearest_offer(&near, word);
  }
  apl_report_add(r->report, APL_ERR_SYNTAX, map->at,
                 "%.*s%sa signal is a number, a name of `signals`, or one of %s%s",
                 dot > 60 ? 60 : dot, r->where, dot > 0 ? ": " : "", words,
                 map->count == 1 ? apl_nearest_text(&near, hint) : "");
  return SIGNAL_PLAIN;
}

spec_signal* apl_signal_form(form_reader* r, const text_node* node) {
  spec_signal* s = apl_pool_take(r->pool, sizeof *s);
  char shown[64];

  if (s == NULL) {
    apl_report_add(r->report, APL_ERR_MEMORY, node->at, "out of memory while reading");
    return NULL;
  }
  *s = (spec_signal){.type = SIGNAL_PLAIN, .at = node->at};
  if (node->kind == TEXT_SCALAR) return read_kind(r, node, s) ? s : NULL;
  if (node->kind == TEXT_LIST) {
    apl_report_add(r->report, APL_ERR_SYNTAX, node->at, "%.120sexpected a signal, got %s", r->where,
                   apl_node_show(node, shown));
    return NULL;
  }
  s->type = find_type(r, node);
  if (s->type == SIGNAL_PLAIN) return NULL;
  return read_kind(r, node->first, s) && check_counts(r, s, node->first) ? s : NULL;
}

bool apl_signal_known(const char* word) {
  for (int i = SIGNAL_PLAIN + 1; i < SIGNAL_TYPES; ++i)
    if (strcmp(apl_signal_kinds[i].word, word) == 0) return true;
  return false;
}

void apl_signal_write(text_out* o, const spec_signal* s) {
  const signal_kind* kind = &apl_signal_kinds[s->type];
  const char* comma = "";

  if (kind->word != NULL) apl_out_add(o, "{%s: ", kind->word);
  if (kind->bare) {
    apl_value_write(o, kind->field, (const char*)s + kind->field->offset);
  } else {
    apl_out_add(o, "{");
    apl_fields_write(o, kind->field, s, APL_ALL_FIELDS, &comma);
    apl_out_add(o, "}");
  }
  if (kind->word != NULL) apl_out_add(o, "}");
}

const grammar_block apl_block_signal = {
    .word = "signal",
    .form = BLOCK_SIGNAL,
    .title = "A quantity, the name of one of `signals`, or a map with one of the keys below",
};
