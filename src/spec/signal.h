/* SPDX-License-Identifier: Apache-2.0 */
/* signal.h: functions of time (signals) as they are written in a model file, and their users:
   `signals`, `motion` and `gaits` of a spec. Most numbers of a signal have the unit of the
   quantity that it drives, which is known only when the model is compiled. Until then they are
   kept as texts with their place in the file; file/signal.c converts them. */
#pragma once

#include "base/field.h"
#include "base/report.h"
#include "spec/gait.h"

#include <stdbool.h>

/* A number as it is written in the file, to be converted when its unit is known. */
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

/* Each type uses the members in its field table. */
struct spec_signal {
  signal_type type;
  apl_mark at;
  spec_quantity plain;
  spec_quantity mean, amplitude, from, to, speed; /* in the unit of the driven quantity */
  double frequency, phase;
  double start, duration, begin, end, ramp, period; /* [s]                                        */
  bool smooth;
  spec_quantities times, values, coefficients;
  const char *formula, *file, *column, *shape;
  spec_signal* of;
  spec_signals part;
};

/* A type of signal. The value of a bare type is its only field, {sum: [..]}; that of others is a
   map. */
typedef struct signal_kind {
  const char *word, *title;
  const apl_field* field;
  bool bare;
} signal_kind;
extern const signal_kind apl_signal_kinds[SIGNAL_TYPES]; /* the first has no word */

/* Units in field tables that stand for the unit of the quantity that a signal drives, and for
   its rate. */
extern const char apl_signal_unit[], apl_signal_rate_unit[];

/* A named signal, or the motion of the coordinate or velocity of this name. A motion may have a
   `path` instead, a CSV file for a base on wheels. */
typedef struct spec_drive {
  const char* name;
  apl_mark at; /* of the name */
  spec_signal* signal;
  const char* path;
  apl_mark path_at;
} spec_drive;

/* A gait, with the links of its joints. The signals of `gait` are not set: `offset` and `travel`
   are used. */
typedef struct spec_gait {
  apl_mark at;
  const char* type; /* a type of block_gaits.c */
  apl_gait gait;    /* in SI units                                                                */
  bool pitch, yaw;  /* alternating: which waves were given                                        */
  const spec_signal *offset, *travel;
  const char** name; /* as written: joints, or first and last of a chain                          */
  int nname;
  bool chain;
  int* link; /* [n] of the joints, from the head on                                               */
  int n;
} spec_gait;
