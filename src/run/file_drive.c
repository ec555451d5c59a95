/* file_drive.c: `inputs`, `motion` and `signals` of a model file become the drives of a system;
   `gaits` in file_gait.c.

   A signal is a number ("0.1 N m"), the name of one in `signals`, or a map with one key:
     {sine: {mean, amplitude, frequency, phase}}
     {ramp | smooth-ramp: {from, to, start, duration}}
     {polynomial: [c0, c1, c2]}
     {expression: 2 * sin(pi * t)}
     {steps | linear | blend | spline: {times: [..], values: [..]}}
     {sum: [signal, ...]}, {product: [signal, ...]}
     {travel: {speed, from, to, ramp, smooth}}
     {cycle: {period, of: signal}}
   The motion of a base that rolls may be one entry, {path: FILE.csv}. */
#include "run/drive.h"

#include "appell/record.h"

#include "base/nearest.h"
#include "spec/file_impl.h"
#include "text/number.h"
#include "text/out.h"
#include "text/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Deeper than this, `signals` refer to each other in a circle. */
enum { DEEPEST = 16 };

apl_signal* apl_drive_refuse(drive_reader* r, const text_node* node, const apl_error* err) {
  apl_report_add(r->form.report, err->status, node->at, "%s%s", r->form.where, err->text);
  return NULL;
}

/* A word that is neither a number nor the name of a signal. */
static apl_signal* unknown_signal(drive_reader* r, const text_node* node) {
  apl_nearest near = {.word = node->text};
  char hint[96];

  for (const text_node* c = r->signals == NULL ? NULL : r->signals->first; c != NULL; c = c->next)
    apl_nearest_offer(&near, c->key);
  apl_report_add(r->form.report, APL_ERR_SYNTAX, node->at,
                 "%.120s'%.60s' is neither a quantity in %s nor the name of one of `signals`%s",
                 r->form.where, node->text, r->unit, apl_nearest_text(&near, hint));
  return NULL;
}

static apl_signal* read_constant(drive_reader* r, const text_node* node) {
  apl_signal* s = NULL;
  apl_error err;
  double x;

  if (!apl_node_empty(node) && !apl_quantity_looks(node->text)) return unknown_signal(r, node);

  if (!apl_numbers_read(&r->form, "value", node, &r->unit, 1, &x)) return NULL;
  return apl_signal_constant(x, &s, &err) == APL_OK ? s : apl_drive_refuse(r, node, &err);
}

typedef struct sine_block {
  double mean, amplitude, frequency, phase;
} sine_block;

static apl_signal* read_sine(drive_reader* r, const text_node* node) {
  const apl_field field[] = {
      APL_FIELD(sine_block, mean, "mean", r->unit, "middle", 0),
      APL_FIELD_REQUIRED(sine_block, amplitude, "amplitude", r->unit, "largest departure from it"),
      APL_FIELD_REQUIRED(sine_block, frequency, "frequency", "Hz", "cycles per second"),
      APL_FIELD(sine_block, phase, "phase", "rad", "at time zero", 0),
      APL_FIELD_END,
  };
  sine_block b = {0};
  apl_signal* s = NULL;
  apl_error err;

  if (!apl_fields_read(&r->form, node, &(field_set){.field = field, .out = &b}, 1)) return NULL;
  return apl_signal_sine(b.mean, b.amplitude, b.frequency, b.phase, &s, &err) == APL_OK
             ? s
             : apl_drive_refuse(r, node, &err);
}

/* A list of numbers of one unit; its length in *n. */
static double* read_list(drive_reader* r, const text_node* map, const char* key, const char* unit,
                         int* n) {
  const text_node* node = apl_node_get(map, key);

  if (node == NULL || node->kind != TEXT_LIST || node->count < 2) {
    apl_form_refuse(&r->form, node == NULL ? map->at : node->at, key,
                    "expected a list of at least two numbers");
    return NULL;
  }
  *n = node->count;
  double* x = apl_pool_take(r->form.pool, sizeof *x * (size_t)*n);
  const char** units = apl_pool_take(r->form.pool, sizeof *units * (size_t)*n);
  if (x == NULL || units == NULL) {
    apl_report_add(r->form.report, APL_ERR_MEMORY, node->at, "out of memory while reading");
    return NULL;
  }
  for (int i = 0; i < *n; ++i)
    units[i] = unit;
  return apl_numbers_read(&r->form, key, node, units, *n, x) ? x : NULL;
}

static apl_signal* read_points(drive_reader* r, const text_node* node, const char* shape) {
  int nt = 0, ny = 0;
  apl_signal* s = NULL;
  apl_error err;
  const double* t = read_list(r, node, "times", "s", &nt);
  const double* y = read_list(r, node, "values", r->unit, &ny);
  if (t == NULL || y == NULL) return NULL;

  if (nt != ny || node->count != 2) {
    apl_form_refuse(&r->form, node->at, shape,
                    "expected {times: [..], values: [..]} of equal length, got %d and %d", nt, ny);
    return NULL;
  }
  return apl_signal_points(shape, nt, t, y, &s, &err) == APL_OK ? s
                                                                : apl_drive_refuse(r, node, &err);
}

static int find_column(const apl_table* table, const char* name) {
  int c = table->ncolumn - 1;

  while (c >= 0 && strcmp(table->name[c], name) != 0)
    --c;
  return c;
}

/* The same about a place in a CSV file. */
static apl_signal* refuse_table(drive_reader* r, const text_node* node, const char* file,
                                const apl_error* err) {
  if (err->line == 0) return apl_drive_refuse(r, node, err);
  apl_report_add(r->form.report, err->status, node->at, "%.80s%.80s:%d:%d: %.120s", r->form.where,
                 file, err->line, err->column, err->text);
  return NULL;
}

typedef struct table_block {
  const char *file, *column, *shape;
} table_block;

/* A column of a CSV file over its column `time`. The file stands beside the model file. */
static apl_signal* read_table(drive_reader* r, const text_node* node) {
  static const char* const spline[] = {"spline"};
  static const apl_field field[] = {
      {.name = "file",
       .offset = offsetof(table_block, file),
       .count = 1,
       .unit = "1",
       .form = APL_FORM_TEXT,
       .sentence = "CSV file"},
      {.name = "column",
       .offset = offsetof(table_block, column),
       .count = 1,
       .unit = "1",
       .form = APL_FORM_TEXT,
       .sentence = "column of the values"},
      {.name = "shape",
       .offset = offsetof(table_block, shape),
       .count = 1,
       .unit = "1",
       .form = APL_FORM_TEXT,
       .fallback = spline,
       .sentence = "steps, linear, blend or spline"},
      APL_FIELD_END,
  };
  table_block b = {.shape = spline[0]};
  apl_signal* s = NULL;
  apl_table* table = NULL;
  apl_error err = {0};
  char path[APL_REACH_PATH];

  if (!apl_fields_read(&r->form, node, &(field_set){.field = field, .out = &b}, 1)) return NULL;
  if (apl_reach_file(r->form.reach, b.file, path, &err) != APL_OK ||
      apl_table_read(path, &table, &err) != APL_OK)
    return refuse_table(r, node, b.file, &err);

  const int t = find_column(table, "time"), y = find_column(table, b.column);
  const int n = table->nrow, width = table->ncolumn;
  double* x = apl_pool_take(r->form.pool, sizeof *x * 2 * (size_t)(n + 1));
  if (t < 0 || y < 0) {
    apl_form_refuse(&r->form, node->at, "table", "'%.60s' has no column '%.60s'", b.file,
                    t < 0 ? "time" : b.column);
  } else if (x == NULL) {
    apl_report_add(r->form.report, APL_ERR_MEMORY, node->at, "out of memory while reading");
  } else {
    for (int i = 0; i < n; ++i) {
      x[i] = table->value[i * width + t];
      x[n + i] = table->value[i * width + y];
    }
    if (apl_signal_points(b.shape, n, x, x + n, &s, &err) != APL_OK)
      apl_drive_refuse(r, node, &err);
  }
  apl_table_free(table);
  return s;
}

typedef struct travel_block {
  double speed, from, to, ramp;
  bool smooth;
} travel_block;

/* A way from rest to rest; its ramps take a tenth of the time each unless they are given. */
static apl_signal* read_travel(drive_reader* r, const text_node* node) {
  static const double never[1] = {(double)INFINITY};
  static const bool evenly[1] = {false};
  char rate[64];
  const apl_field field[] = {
      APL_FIELD_REQUIRED(travel_block, speed, "speed", rate, "between the ramps"),
      APL_FIELD(travel_block, from, "from", "s", "when it starts", 0),
      {.name = "to",
       .offset = offsetof(travel_block, to),
       .count = 1,
       .unit = "s",
       .fallback = never,
       .sentence = "when it stands again; never when left out"},
      APL_FIELD(travel_block, ramp, "ramp", "s", "time from rest to speed and back", 0),
      {.name = "smooth",
       .offset = offsetof(travel_block, smooth),
       .count = 1,
       .unit = "1",
       .form = APL_FORM_FLAG,
       .fallback = evenly,
       .sentence = "ramps by a blend, without jumps of the acceleration"},
      APL_FIELD_END,
  };
  travel_block b = {.to = HUGE_VAL};
  apl_signal* s = NULL;
  apl_error err;

  snprintf(rate, sizeof rate, "%.50s/s", r->unit);
  if (!apl_fields_read(&r->form, node, &(field_set){.field = field, .out = &b}, 1)) return NULL;
  if (b.ramp == 0.0 && b.to < HUGE_VAL) b.ramp = 0.1 * (b.to - b.from);
  return apl_signal_travel(b.speed, b.from, b.to, b.ramp, b.smooth, &s, &err) == APL_OK
             ? s
             : apl_drive_refuse(r, node, &err);
}

typedef struct cycle_block {
  double period;
  const text_node* of;
} cycle_block;

static apl_signal* read_cycle(drive_reader* r, const text_node* node) {
  const apl_field field[] = {
      APL_FIELD_REQUIRED(cycle_block, period, "period", "s", "how long the stretch is"),
      {.name = "of",
       .offset = offsetof(cycle_block, of),
       .count = 1,
       .unit = "1",
       .form = APL_FORM_BLOCK,
       .sentence = "signal whose first stretch is repeated"},
      APL_FIELD_END,
  };
  cycle_block b = {0};
  apl_signal* s = NULL;
  apl_error err;

  if (!apl_fields_read(&r->form, node, &(field_set){.field = field, .out = &b}, 1)) return NULL;
  apl_signal* of = apl_drive_signal(r, b.of);
  if (of == NULL) return NULL;
  return apl_signal_cycle(of, b.period, &s, &err) == APL_OK ? s : apl_drive_refuse(r, node, &err);
}

/* The first factor has the unit, the others are numbers. */
static apl_signal* read_product(drive_reader* r, const text_node* node) {
  const char* unit = r->unit;
  apl_signal *product = NULL, *factor = NULL;
  apl_error err;

  if (node->kind != TEXT_LIST || node->count < 1) {
    apl_form_refuse(&r->form, node->at, "product", "expected a list of signals");
    return NULL;
  }
  for (const text_node* c = node->first; c != NULL; c = c->next) {
    factor = apl_drive_signal(r, c);
    r->unit = "1";
    apl_signal* so_far = product;
    if (factor == NULL) break;
    if (so_far == NULL) {
      product = factor;
    } else if (apl_signal_product(so_far, factor, &product, &err) != APL_OK) {
      apl_drive_refuse(r, c, &err);
      break;
    }
  }
  r->unit = unit;
  if (factor != NULL) return product;
  apl_signal_free(product);
  return NULL;
}

static apl_signal* read_sum(drive_reader* r, const text_node* node) {
  apl_signal *part[64], *s = NULL;
  apl_error err;
  int n = 0;

  if (node->kind != TEXT_LIST || node->count < 1 || node->count > 64) {
    apl_form_refuse(&r->form, node->at, "sum", "expected a list of 1 to 64 signals");
    return NULL;
  }
  for (const text_node* c = node->first; c != NULL; c = c->next) {
    part[n] = apl_drive_signal(r, c);
    if (part[n] == NULL) break;
    ++n;
  }
  if (n == node->count && apl_signal_sum(n, part, &s, &err) == APL_OK) return s;
  for (int i = 0; i < n; ++i)
    apl_signal_free(part[i]);
  return NULL;
}

typedef struct ramp_block {
  double from, to, start, duration;
} ramp_block;

/* From one value to another at a constant rate; smooth: from rest to rest, with a continuous second
   rate. */
static apl_signal* read_ramp(drive_reader* r, const text_node* node) {
  const apl_field field[] = {
      APL_FIELD(ramp_block, from, "from", r->unit, "value before", 0),
      APL_FIELD_REQUIRED(ramp_block, to, "to", r->unit, "value after"),
      APL_FIELD(ramp_block, start, "start", "s", "when it begins", 0),
      APL_FIELD_REQUIRED(ramp_block, duration, "duration", "s", "how long it takes"),
      APL_FIELD_END,
  };
  ramp_block b = {0};
  apl_signal* s = NULL;
  apl_error err;

  if (!apl_fields_read(&r->form, node, &(field_set){.field = field, .out = &b}, 1)) return NULL;
  if (!(b.duration > 0.0)) {
    apl_form_refuse(&r->form, node->at, "duration", "must be positive, got %g s", b.duration);
    return NULL;
  }
  const double t[] = {b.start, b.start + b.duration}, y[] = {b.from, b.to};
  const char* shape = strcmp(node->key, "ramp") == 0 ? "linear" : "blend";
  return apl_signal_points(shape, 2, t, y, &s, &err) == APL_OK ? s
                                                               : apl_drive_refuse(r, node, &err);
}

/* A formula, refused where it has no value at time zero. */
static apl_signal* read_formula(drive_reader* r, const text_node* node, const char* formula) {
  apl_signal* s = NULL;
  apl_error err;
  double y[3];

  if (apl_signal_expression(formula, &s, &err) != APL_OK) return apl_drive_refuse(r, node, &err);
  apl_signal_eval(s, 0.0, y);
  if (isfinite(y[0])) return s;
  apl_form_refuse(&r->form, node->at, node->key, "'%.80s' is not finite at t = 0", formula);
  apl_signal_free(s);
  return NULL;
}

static apl_signal* read_expression(drive_reader* r, const text_node* node) {
  if (node->kind == TEXT_SCALAR) return read_formula(r, node, node->text);
  apl_form_refuse(&r->form, node->at, "expression", "expected a formula such as 2 * sin(pi * t)");
  return NULL;
}

/* [c0, c1, c2]: c0 + c1 t + c2 t^2, in SI units, by Horner's rule */
static apl_signal* read_polynomial(drive_reader* r, const text_node* node) {
  text_out formula = {0};
  const char* const one = "1";
  double c = 0.0;

  if (node->kind != TEXT_LIST || node->count < 1 || node->count > 16) {
    apl_form_refuse(&r->form, node->at, "polynomial",
                    "expected 1 to 16 numbers: [c0, c1, c2] is c0 + c1 t + c2 t^2");
    return NULL;
  }
  for (const text_node* n = node->first; n != NULL; n = n->next) {
    char text[APL_NUMBER_SIZE];
    if (!apl_numbers_read(&r->form, "polynomial", n, n == node->first ? &r->unit : &one, 1, &c)) {
      free(apl_out_take(&formula));
      return NULL;
    }
    apl_out_add(&formula, "(%s)%s", apl_number_write(c, text), n->next == NULL ? "" : " + t * (");
  }
  for (int k = 1; k < node->count; ++k)
    apl_out_add(&formula, ")");
  char* text = apl_out_take(&formula);
  apl_signal* s = text == NULL ? NULL : read_formula(r, node, text);
  free(text);
  return s;
}

static apl_signal* read_map(drive_reader* r, const text_node* node) {
  static const struct {
    const char* word;
    apl_signal* (*read)(drive_reader* r, const text_node* node);
  } kinds[] = {{"sine", read_sine},
               {"sum", read_sum},
               {"table", read_table},
               {"product", read_product},
               {"travel", read_travel},
               {"cycle", read_cycle},
               {"ramp", read_ramp},
               {"smooth-ramp", read_ramp},
               {"polynomial", read_polynomial},
               {"expression", read_expression}};
  static const char* const shapes[] = {"steps", "linear", "blend", "spline"};
  const text_node* one = node->first;

  for (size_t i = 0; node->count == 1 && i < sizeof kinds / sizeof *kinds; ++i) {
    if (strcmp(one->key, kinds[i].word) == 0) return kinds[i].read(r, one);
  }
  for (int i = 0; node->count == 1 && i < 4; ++i) {
    if (strcmp(one->key, shapes[i]) == 0) return read_points(r, one, shapes[i]);
  }
  apl_form_refuse(
      &r->form, node->at, "",
      "a signal is a number, a name of `signals`, or one of sine, ramp, smooth-ramp, polynomial, "
      "expression, steps, linear, blend, spline, table, sum, product, travel, cycle");
  return NULL;
}

apl_signal* apl_drive_signal(drive_reader* r, const text_node* node) {
  const text_node* named = node->kind == TEXT_SCALAR ? apl_node_get(r->signals, node->text) : NULL;
  apl_signal* s = NULL;

  if (++r->depth > DEEPEST) {
    apl_form_refuse(&r->form, node->at, "", "signals refer to each other in a circle");
  } else if (named != NULL) {
    s = apl_drive_signal(r, named);
  } else if (node->kind == TEXT_SCALAR) {
    s = read_constant(r, node);
  } else if (node->kind == TEXT_MAP) {
    s = read_map(r, node);
  } else {
    apl_form_refuse(&r->form, node->at, "", "a list is not a signal");
  }
  --r->depth;
  return s;
}

/* What an effort on a velocity, satellite or tendon is measured in. */
static const char* effort_unit(const apl_model* m, const char* target) {
  const int v = apl_model_velocity(m, target), tendon = apl_model_tendon(m, target);
  if (tendon >= 0) return apl_model_tendon_unit(m, tendon);
  return v < 0 ? "N m" : apl_model_effort_unit(m, v); /* wheels and rotors turn */
}

/* A bound of an input: a number, or what it is without one. */
static bool read_bound(drive_reader* r, const char* key, const text_node* node, double* out) {
  return node == NULL || apl_numbers_read(&r->form, key, node, &r->unit, 1, out);
}

static void drive_inputs(const apl_file* file, apl_system* system, drive_reader* r) {
  const apl_spec* spec = file->spec;
  apl_error err;

  for (int i = 0; i < spec->ninput && file->input != NULL; ++i) {
    const grammar_input* in = &file->input[i];
    double least = -HUGE_VAL, greatest = HUGE_VAL;

    apl_form_where(&r->form, "inputs.%.60s: ", spec->input[i].name);
    r->unit = spec->input[i].gain == 1.0 && !spec->input[i].push
                  ? effort_unit(apl_system_model(system), spec->input[i].target)
                  : "1";
    if (read_bound(r, "least", in->least, &least) &&
        read_bound(r, "greatest", in->greatest, &greatest) &&
        apl_system_input_limit(system, i, least, greatest, &err) != APL_OK) {
      apl_drive_refuse(r, in->least != NULL ? in->least : in->greatest, &err);
    }
    apl_signal* s = NULL;
    if (in->value != NULL) {
      s = apl_drive_signal(r, in->value);
    } else if (spec->input[i].push) {
      apl_signal_constant(1.0, &s, NULL);
    }
    if (s != NULL && apl_system_input(system, i, s, &err) != APL_OK)
      apl_drive_refuse(r, in->value, &err);
  }
}

/* {path: FILE.csv} for all velocities of a base that rolls. */
static void drive_path(apl_system* system, drive_reader* r, int link, const text_node* node) {
  const text_node* file = node->kind == TEXT_MAP && node->count == 1 ? node->first : NULL;
  apl_table* table = NULL;
  apl_error err = {0};
  char path[APL_REACH_PATH];

  if (file == NULL || strcmp(file->key, "path") != 0 || file->kind != TEXT_SCALAR) {
    apl_form_refuse(&r->form, node->at, "", "the motion of a whole link is {path: FILE.csv}");
    return;
  }
  if (apl_reach_file(r->form.reach, file->text, path, &err) != APL_OK ||
      apl_table_read(path, &table, &err) != APL_OK ||
      apl_system_path(system, link, table, &err) != APL_OK) {
    apl_drive_refuse(r, file, &err);
  }
  apl_table_free(table);
}

static void drive_motion(const apl_file* file, apl_system* system, drive_reader* r) {
  const apl_model* m = apl_system_model(system);
  const text_node* map = file->top.motion;
  apl_error err;
  if (map == NULL) return;

  if (map->kind != TEXT_MAP) {
    apl_report_add(r->form.report, APL_ERR_SYNTAX, map->at,
                   "motion: expected a map from coordinates or velocities to signals");
    return;
  }
  for (const text_node* node = map->first; node != NULL; node = node->next) {
    const int q = apl_model_coordinate(m, node->key), v = apl_model_velocity(m, node->key);
    const int link = apl_model_link(m, node->key);

    apl_form_where(&r->form, "motion.%.60s: ", node->key);
    if (link >= 0) {
      drive_path(system, r, link, node);
      continue;
    }
    if (q < 0 && v < 0) {
      apl_report_add(r->form.report, APL_ERR_MODEL, node->key_at,
                     "motion: the robot has no coordinate or velocity '%.60s'", node->key);
      continue;
    }
    r->unit = q >= 0 ? apl_model_coordinate_unit(m, q) : apl_model_velocity_unit(m, v);
    apl_signal* s = apl_drive_signal(r, node);
    if (s == NULL) continue;
    const apl_status st =
        q >= 0 ? apl_system_motion(system, q, s, &err) : apl_system_velocity(system, v, s, &err);
    if (st != APL_OK) apl_drive_refuse(r, node, &err);
  }
}

apl_status apl_file_drive(const apl_file* file, apl_system* system, apl_report* report) {
  apl_report mine = {0};
  apl_pool pool = {0};
  if (report == NULL) report = &mine;
  const int before = report->count;
  drive_reader r = {.form = {.report = report, .pool = &pool, .reach = &file->reach},
                    .signals = file->top.signals};

  drive_inputs(file, system, &r);
  drive_motion(file, system, &r);
  apl_drive_gaits(file, system, &r);
  apl_pool_free(&pool);
  return report->count == before ? APL_OK : APL_ERR_MODEL;
}
