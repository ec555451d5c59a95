/* SPDX-License-Identifier: Apache-2.0 */
/* signal.c: turn a signal of the spec into a function of time, in the unit of the quantity that
   it drives. */
#include "file/drive.h"

#include "base/nearest.h"
#include "signal/signals.h"
#include "text/number.h"
#include "text/out.h"
#include "text/quantity.h"
#include "text/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limit of nesting: if it is exceeded, `signals` refer to each other in a circle. */
enum { DEEPEST = 16 };

apl_signal* apl_drive_refuse(drive_reader* r, apl_mark at, const apl_error* err) {
  const char* where = r->form.where; /* "gaits.0." */
  const int n = (int)strlen(where), dot = n > 0 && where[n - 1] == '.';

  apl_report_add(r->form.report, err->status, at, "%.*s%s%s", n - dot, where, dot ? ": " : "",
                 err->text);
  return NULL;
}

apl_signal* apl_drive_refuse_table(drive_reader* r, apl_mark at, const char* file,
                                   const apl_error* err) {
  if (err->line == 0) return apl_drive_refuse(r, at, err);
  apl_report_add(r->form.report, err->status, at, "%.80s%.80s:%d:%d: %.120s", r->form.where, file,
                 err->line, err->column, err->text);
  return NULL;
}

/* The signal that a call has made; NULL if it failed, which is reported. */
static apl_signal* made(drive_reader* r, const spec_signal* from, apl_status st, apl_signal* s,
                        const apl_error* err) {
  return st == APL_OK ? s : apl_drive_refuse(r, from->at, err);
}

/* A number in the unit of the driven quantity. */
static bool own(drive_reader* r, const char* key, const spec_quantity* from, double* out) {
  return apl_quantity_form(&r->form, key, from, r->unit, out);
}

/* All numbers of a list, in the pool; NULL if a mistake was reported. */
static double* numbers(drive_reader* r, const char* key, const spec_quantities* list,
                       const char* unit) {
  double* x = apl_pool_take(r->form.pool, sizeof *x * (size_t)(list->n + 1));

  if (x == NULL) {
    apl_report_add(r->form.report, APL_ERR_MEMORY, list->item[0].at, "out of memory while reading");
    return NULL;
  }
  for (int i = 0; i < list->n; ++i) {
    if (!apl_quantity_form(&r->form, key, &list->item[i], unit, &x[i])) return NULL;
  }
  return x;
}

/* ---------------------------------------------------------------------------- simple forms ---- */

/* Report a word that is neither a number nor the name of a signal. */
static apl_signal* unknown_signal(drive_reader* r, const spec_signal* from) {
  apl_nearest near = {.word = from->plain.text};
  char hint[96];

  for (int i = 0; i < r->spec->nsignal; ++i)
    apl_nearest_offer(&near, r->spec->signal[i].name);
  apl_report_add(r->form.report, APL_ERR_SYNTAX, from->at,
                 "%.120s'%.60s' is neither a quantity in %s nor the name of one of `signals`%s",
                 r->form.where, from->plain.text, r->unit, apl_nearest_text(&near, hint));
  return NULL;
}

static apl_signal* make_plain(drive_reader* r, const spec_signal* from) {
  apl_signal* s = NULL;
  apl_error err = {0};
  double x;

  for (int i = 0; i < r->spec->nsignal; ++i) {
    if (strcmp(r->spec->signal[i].name, from->plain.text) == 0)
      return apl_drive_signal(r, r->spec->signal[i].signal);
  }
  if (!apl_quantity_looks(from->plain.text)) return unknown_signal(r, from);
  if (!own(r, "value", &from->plain, &x)) return NULL;
  const apl_status st = apl_signal_constant(x, &s, &err);
  return made(r, from, st, s, &err);
}

static apl_signal* make_sine(drive_reader* r, const spec_signal* from) {
  apl_signal* s = NULL;
  apl_error err = {0};
  double mean, amplitude;

  if (!own(r, "mean", &from->mean, &mean) || !own(r, "amplitude", &from->amplitude, &amplitude))
    return NULL;
  const apl_status st = apl_signal_sine(mean, amplitude, from->frequency, from->phase, &s, &err);
  return made(r, from, st, s, &err);
}

static apl_signal* make_ramp(drive_reader* r, const spec_signal* from) {
  const double t[] = {from->start, from->start + from->duration};
  const char* shape = from->type == SIGNAL_RAMP ? "linear" : "blend";
  apl_signal* s = NULL;
  apl_error err = {0};
  double y[2];

  if (!own(r, "from", &from->from, &y[0]) || !own(r, "to", &from->to, &y[1])) return NULL;
  const apl_status st = apl_signal_points(shape, 2, t, y, &s, &err);
  return made(r, from, st, s, &err);
}

static apl_signal* make_points(drive_reader* r, const spec_signal* from) {
  const double* t = numbers(r, "times", &from->times, "s");
  const double* y = t == NULL ? NULL : numbers(r, "values", &from->values, r->unit);
  apl_signal* s = NULL;
  apl_error err = {0};
  if (y == NULL) return NULL;

  const apl_status st =
      apl_signal_points(apl_signal_kinds[from->type].word, from->times.n, t, y, &s, &err);
  return made(r, from, st, s, &err);
}

/* A displacement from rest to rest. Each of its ramps takes a tenth of the time, unless given. */
static apl_signal* make_travel(drive_reader* r, const spec_signal* from) {
  apl_signal* s = NULL;
  apl_error err = {0};
  char rate[64];
  double speed, ramp = from->ramp;

  snprintf(rate, sizeof rate, "%.50s/s", r->unit);
  if (!apl_quantity_form(&r->form, "speed", &from->speed, rate, &speed)) return NULL;
  if (ramp == 0.0 && from->end < HUGE_VAL) ramp = 0.1 * (from->end - from->begin);
  const apl_status st =
      apl_signal_travel(speed, from->begin, from->end, ramp, from->smooth, &s, &err);
  return made(r, from, st, s, &err);
}

/* -------------------------------------------------------------------------------- formulas ---- */

/* A formula; it is refused if it has no finite value at time zero. */
static apl_signal* formula(drive_reader* r, const spec_signal* from, const char* text) {
  apl_signal* s = NULL;
  apl_error err = {0};
  double y[3];

  if (apl_signal_expression(text, &s, &err) != APL_OK) return apl_drive_refuse(r, from->at, &err);
  apl_signal_eval(s, 0.0, y);
  if (isfinite(y[0])) return s;
  apl_form_refuse(&r->form, from->at, apl_signal_kinds[from->type].word,
                  "'%.80s' is not finite at t = 0", text);
  apl_signal_free(s);
  return NULL;
}

static apl_signal* make_expression(drive_reader* r, const spec_signal* from) {
  return formula(r, from, from->formula);
}

/* c0 + t (c1 + t (c2 + ..)), Horner's rule as a formula */
static apl_signal* make_polynomial(drive_reader* r, const spec_signal* from) {
  const int n = from->coefficients.n;
  text_out out = {0};
  double c;

  for (int k = 0; k < n; ++k) {
    char number[APL_NUMBER_SIZE];
    if (!apl_quantity_form(&r->form, "polynomial", &from->coefficients.item[k],
                           k == 0 ? r->unit : "1", &c)) {
      free(apl_out_take(&out));
      return NULL;
    }
    apl_out_add(&out, "(%s)%s", apl_number_write(c, number), k == n - 1 ? "" : " + t * (");
  }
  for (int k = 1; k < n; ++k)
    apl_out_add(&out, ")");
  char* text = apl_out_take(&out);
  apl_signal* s = text == NULL ? NULL : formula(r, from, text);
  free(text);
  return s;
}

/* ---------------------------------------------------------------------------------- tables ---- */

static int find_column(const apl_table* table, const char* name) {
  int c = table->ncolumn - 1;

  while (c >= 0 && strcmp(table->name[c], name) != 0)
    --c;
  return c;
}

/* A column of a CSV file over its column `time`. The file is relative to the folder of the model
 * file. */
static apl_signal* make_table(drive_reader* r, const spec_signal* from) {
  apl_signal* s = NULL;
  apl_table* table = NULL;
  apl_error err = {0};
  char path[APL_REACH_PATH];

  if (apl_reach_file(r->form.reach, from->file, path, &err) != APL_OK ||
      apl_table_read(path, &table, &err) != APL_OK)
    return apl_drive_refuse_table(r, from->at, from->file, &err);

  const int t = find_column(table, "time"), y = find_column(table, from->column);
  const int n = table->nrow, width = table->ncolumn;
  double* x = apl_pool_take(r->form.pool, sizeof *x * 2 * (size_t)(n + 1));
  if (t < 0 || y < 0) {
    apl_form_refuse(&r->form, from->at, "table", "'%.60s' has no column '%.60s'", from->file,
                    t < 0 ? "time" : from->column);
  } else if (x == NULL) {
    apl_report_add(r->form.report, APL_ERR_MEMORY, from->at, "out of memory while reading");
  } else {
    for (int i = 0; i < n; ++i) {
      x[i] = table->value[i * width + t];
      x[n + i] = table->value[i * width + y];
    }
    if (apl_signal_points(from->shape, n, x, x + n, &s, &err) != APL_OK)
      apl_drive_refuse(r, from->at, &err);
  }
  apl_table_free(table);
  return s;
}

/* ----------------------------------------------------------------------- signals of signals ----
 */

/* A cycle or a delay. */
static apl_signal* make_cycle(drive_reader* r, const spec_signal* from) {
  apl_signal *of = apl_drive_signal(r, from->of), *s = NULL;
  apl_error err = {0};
  if (of == NULL) return NULL;

  const apl_status st = from->type == SIGNAL_CYCLE ? apl_signal_cycle(of, from->period, &s, &err)
                                                   : apl_signal_delay(of, from->period, &s, &err);
  return made(r, from, st, s, &err);
}

static apl_signal* make_sum(drive_reader* r, const spec_signal* from) {
  apl_signal** part = apl_pool_take(r->form.pool, sizeof(apl_signal*) * (size_t)from->part.n);
  apl_signal* s = NULL;
  apl_error err = {.status = APL_ERR_MEMORY, .text = "out of memory while reading"};
  int n = 0;

  if (part == NULL) return apl_drive_refuse(r, from->at, &err);
  while (n < from->part.n && (part[n] = apl_drive_signal(r, from->part.item[n])) != NULL)
    ++n;
  if (n == from->part.n) {
    if (apl_signal_sum(n, part, &s, &err) == APL_OK) return s;
    apl_drive_refuse(r, from->at, &err);
  }
  for (int i = 0; i < n; ++i)
    apl_signal_free(part[i]);
  return NULL;
}

/* The first factor has the unit; the others are plain numbers. */
static apl_signal* make_product(drive_reader* r, const spec_signal* from) {
  const char* unit = r->unit;
  apl_signal* product = apl_drive_signal(r, from->part.item[0]);
  apl_error err = {0};

  r->unit = "1";
  for (int i = 1; i < from->part.n && product != NULL; ++i) {
    apl_signal *factor = apl_drive_signal(r, from->part.item[i]), *so_far = product;
    product = NULL;
    if (factor == NULL) {
      apl_signal_free(so_far);
    } else if (apl_signal_product(so_far, factor, &product, &err) != APL_OK) {
      apl_drive_refuse(r, from->at, &err);
    }
  }
  r->unit = unit;
  return product;
}

apl_signal* apl_drive_signal(drive_reader* r, const spec_signal* from) {
  static apl_signal* (*const make[SIGNAL_TYPES])(drive_reader*, const spec_signal*) = {
      [SIGNAL_PLAIN] = make_plain,
      [SIGNAL_SINE] = make_sine,
      [SIGNAL_RAMP] = make_ramp,
      [SIGNAL_SMOOTH_RAMP] = make_ramp,
      [SIGNAL_POLYNOMIAL] = make_polynomial,
      [SIGNAL_EXPRESSION] = make_expression,
      [SIGNAL_STEPS] = make_points,
      [SIGNAL_LINEAR] = make_points,
      [SIGNAL_BLEND] = make_points,
      [SIGNAL_SPLINE] = make_points,
      [SIGNAL_TABLE] = make_table,
      [SIGNAL_SUM] = make_sum,
      [SIGNAL_PRODUCT] = make_product,
      [SIGNAL_TRAVEL] = make_travel,
      [SIGNAL_CYCLE] = make_cycle,
      [SIGNAL_DELAY] = make_cycle,
  };
  apl_signal* s = NULL;

  if (++r->depth > DEEPEST) {
    apl_report_add(r->form.report, APL_ERR_SYNTAX, from->at,
                   "%ssignals refer to each other in a circle", r->form.where);
  } else {
    s = make[from->type](r, from);
  }
  --r->depth;
  return s;
}
