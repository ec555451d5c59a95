/* form.h: tree -> struct, driven by field tables. Whatever is a map in a model file is read by
   apl_fields_read(); a later layer reads its own blocks with the same tools. */
#pragma once

#include "base/field.h"
#include "spec/spec_impl.h"
#include "text/node.h"
#include "text/reach.h"

/* Where sentences go and how they begin. */
typedef struct form_reader {
  apl_report* report;
  apl_pool* pool;
  const text_reach* reach; /* which files it may name; NULL: those beside the program           */
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

/* Read a map: every key must be in one of the sets, every required key must be there. Members that
   are not given keep what they have. Says all that is wrong; false when something was. */
bool apl_fields_read(form_reader* r, const text_node* map, field_set* set, int nset);

/* The value of one row, into its member of the struct `out`. */
bool apl_field_read(form_reader* r, const apl_field* f, const text_node* node, void* out);

/* Numbers: one scalar for count 1, else a list; `unit` may differ from place to place. */
bool apl_numbers_read(form_reader* r, const char* key, const text_node* node,
                      const char* const* unit, int count, double* out);

/* A number whose unit was not known when it was read. */
bool apl_quantity_form(form_reader* r, const char* key, const spec_quantity* from, const char* unit,
                       double* out);

/* A number that is read when its unit is known; the text is the pool's. */
bool apl_quantity_keep(form_reader* r, const char* key, const text_node* node, spec_quantity* out);

/* signal.c: a function of time; NULL with sentences. */
spec_signal* apl_signal_form(form_reader* r, const text_node* node);

/* Is this the word of a kind of signal, such as sine? */
bool apl_signal_known(const char* word);

/* table.c: a table, from a file or as it stands there; NULL with sentences. */
const apl_columns* apl_table_form(form_reader* r, const char* key, const text_node* node);

/* A sentence about a key of the present block. Always false. */
bool apl_form_refuse(form_reader* r, apl_mark at, const char* key, const char* format, ...)
    APL_PRINTF(4, 5);
