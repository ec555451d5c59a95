/* signal.h: functions of time as a model file has them, and what they drive: `signals`, `motion`
   and `gaits` of a spec. The unit of most numbers is that of what the signal drives, which only the
   model knows: these stay texts, each with its place, until file/drive.c makes the signal. */
#pragma once

#include "base/field.h"
#include "base/report.h"
#include "spec/gait.h"

#include <stdbool.h>

/* A number as it was written: its unit is that of what it is for. */
typedef struct spec_quantity {
  const char* text;
  apl_mark at;
} spec_quantity;

typedef struct spec_quantities {
  spec_quantity* item;
  int n;
} spec_quantities;

typedef struct spec_signal spec_signal;
typedef struct spec_signals {
  spec_signal** item;
  int n;
} spec_signals;

/* Rows of apl_signal_kinds. */
typedef enum signal_type {
  SIGNAL_PLAIN, /* a quantity, or the name of one of `signals`                                    */
  SIGNAL_SINE,
  SIGNAL_RAMP,
  SIGNAL_SMOOTH_RAMP,
  SIGNAL_POLYNOMIAL,
  SIGNAL_EXPRESSION,
  SIGNAL_STEPS,
  SIGNAL_LINEAR,
  SIGNAL_BLEND,
  SIGNAL_SPLINE,
  SIGNAL_TABLE,
  SIGNAL_SUM,
  SIGNAL_PRODUCT,
  SIGNAL_TRAVEL,
  SIGNAL_CYCLE,
  SIGNAL_DELAY,
  SIGNAL_TYPES
} signal_type;

/* Which members a type fills, its table says. */
struct spec_signal {
  signal_type type;
  apl_mark at;
  spec_quantity plain;
  spec_quantity mean, amplitude, from, to, speed; /* in the unit of what it drives                */
  double frequency, phase;
  double start, duration, begin, end, ramp, period; /* [s]                                        */
  bool smooth;
  spec_quantities times, values, coefficients;
  const char *formula, *file, *column, *shape;
  spec_signal* of;
  spec_signals part;
};

/* A type by its word. A bare one is its single field, {sum: [..]}; others are maps. */
typedef struct signal_kind {
  const char *word, *title;
  const apl_field* field;
  bool bare;
} signal_kind;
extern const signal_kind apl_signal_kinds[SIGNAL_TYPES]; /* the first has no word */

/* Units of fields, which the drive replaces: that of what the signal drives, and its rate. */
extern const char apl_signal_unit[], apl_signal_rate_unit[];

/* A signal by its name, or by the name of what it moves: then `path` may stand instead, a CSV file
   for a whole base. */
typedef struct spec_drive {
  const char* name;
  apl_mark at; /* of the name */
  spec_signal* signal;
  const char* path;
  apl_mark path_at;
} spec_drive;

/* A gait, its joints found among the links; its signals are those beside it. */
typedef struct spec_gait {
  apl_mark at;
  const char* type; /* word of apl_gait_kinds                                                     */
  apl_gait gait;    /* in SI units                                                                */
  bool pitch, yaw;  /* alternating: which waves were given                                        */
  const spec_signal *offset, *travel;
  const char** name; /* as written: joints, or first and last of a chain                          */
  int nname;
  bool chain;
  int* link; /* [n] of the joints, from the head on                                               */
  int n;
} spec_gait;
