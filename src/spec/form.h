/* SPDX-License-Identifier: Apache-2.0 */
/* form.h: between the tree of a model file and structs, both ways, by means of field tables. Every
   map of a model file is read by apl_fields_read() and written by apl_fields_write(). */
#pragma once

#include "base/field.h"
#include "spec/spec_impl.h"
#include "text/node.h"
#include "text/out.h"
#include "text/reach.h"

/* Where a reader reports mistakes, and how its sentences begin. */
typedef struct form_reader {
  apl_report* report;
  apl_pool* pool;
  const text_reach* reach; /* files that it may read; NULL: those in the working directory */
  char where[160]; /* "link 'arm': body." in front of the key                                   */
} form_reader;

void apl_form_where(form_reader* r, const char* format, ...) APL_PRINTF(2, 3);

/* One table and the struct it fills; a map may be spread over several. */
typedef struct field_set {
  const apl_field* field;
  void* out;
  unsigned long long given; /* bit per row, set by the read                                     */
  apl_mark* mark;           /* [rows] places of the values, or NULL                             */
} field_set;

/* Read a map: every key must be in one of the sets, every required key must be there. Members whose
   key is not given keep their value. Reports all mistakes; false if there was one. */
bool apl_fields_read(form_reader* r, const text_node* map, field_set* set, int nset);

/* The value of one row, into its member of the struct `out`. */
bool apl_field_read(form_reader* r, const apl_field* f, const text_node* node, void* out);

/* Numbers: one scalar for count 1, else a list. Number k has the unit unit[k]. */
bool apl_numbers_read(form_reader* r, const char* key, const text_node* node,
                      const char* const* unit, int count, double* out);

/* A number whose unit was not known when it was read. */
bool apl_quantity_form(form_reader* r, const char* key, const spec_quantity* from, const char* unit,
                       double* out);

/* Keep the text of a number, in the pool, to be converted when its unit is known. */
bool apl_quantity_keep(form_reader* r, const char* key, const text_node* node, spec_quantity* out);

/* signal.c: a function of time; NULL if mistakes were reported. */
spec_signal* apl_signal_form(form_reader* r, const text_node* node);

/* Is this the word of a kind of signal, such as sine? */
bool apl_signal_known(const char* word);

/* table.c: a table, from a CSV file or written in the model file; NULL if mistakes were reported.
 */
const apl_columns* apl_table_form(form_reader* r, const char* key, const text_node* node);

/* Report a mistake at a key of the present block. Always false. */
bool apl_form_refuse(form_reader* r, apl_mark at, const char* key, const char* format, ...)
    APL_PRINTF(4, 5);

/* Report that something else was expected. Always false. */
bool apl_form_expected(form_reader* r, const char* key, const text_node* node, const char* what);

/* Report that there is no memory. Always false. */
bool apl_form_no_memory(form_reader* r, apl_mark at);

/* If the builder refused something: move its sentence to the report, so that reading can go on, and
   return false. The mistake is at `at`, or at the key of `item` that the sentence names. */
bool apl_spec_settle(apl_spec* spec, apl_mark at, apl_report* report);
bool apl_spec_settle_item(apl_spec* spec, const text_node* item, apl_report* report);

/* Numbers that all have the unit of the row. */
bool apl_alike_form(form_reader* r, const apl_field* f, const text_node* node, void* out);

/* block_pose.c: [x, y, z] or {position: .., rotation: ..}; {xx: 1, yy: 1, zz: 1} or a list of six.
 */
bool apl_pose_form(form_reader* r, const apl_field* f, const text_node* node, void* out);
bool apl_inertia_form(form_reader* r, const apl_field* f, const text_node* node, void* out);
void apl_pose_write(text_out* o, apl_pose pose);
void apl_inertia_write(text_out* o, const double* inertia);

/* form_write.c: "key: value" for all rows that differ from their default, separated by commas. A
   required row is written if its bit in `given` is set. *comma is written before the next item. */
#define APL_ALL_FIELDS (~0ULL)
void apl_fields_write(text_out* o, const apl_field* field, const void* from,
                      unsigned long long given, const char** comma);

/* The value alone; `at` points to the member. */
void apl_value_write(text_out* o, const apl_field* field, const void* at);

/* signal.c: a function of time. */
void apl_signal_write(text_out* o, const spec_signal* signal);
