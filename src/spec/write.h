/* write.h: what the files share that write a model file. */
#pragma once

#include "spec/file_impl.h"
#include "text/out.h"

#define APL_ALL_FIELDS (~0ULL)

/* "key: value" for all rows that are not at their default; required rows when `given` has them. A
   comma goes in front of each but the first. */
void apl_fields_write(text_out* o, const apl_field* field, const void* from,
                      unsigned long long given, const char** comma);

void apl_signal_write(text_out* o, const spec_signal* signal);

/* write_run.c: inputs, signals, motion, gaits, start, run, record. */
void apl_run_write(text_out* o, const apl_spec* s);
