/* SPDX-License-Identifier: Apache-2.0 */
/* beam_table.h: beam shapes given by numbers at stations: cubic splines through them. Cold code. */
#pragma once

#include "base/error.h"
#include "base/field.h"

#include <stdbool.h>

typedef struct beam_table {
  const apl_columns* given; /* NULL: there is none                                               */
  int station;              /* its column of stations, 0 at the root, 1 at the tip               */
  double* slope;            /* [ncolumn][nrow] of the splines at the stations                    */
} beam_table;

/* Check the stations and compute the splines: with zero slope at the root where held[column],
   otherwise with the not-a-knot condition. Free with apl_beam_table_free(), also after an error. */
apl_status apl_beam_table_new(const apl_columns* given, const bool* held, beam_table* out,
                              apl_error* err);
void apl_beam_table_free(beam_table* table);

/* The column of a name, -1 for none. */
int apl_beam_table_find(const beam_table* table, const char* name);

/* Value, slope and second derivative of a column at x. */
void apl_beam_table_at(const beam_table* table, int column, double x, double out[3]);
