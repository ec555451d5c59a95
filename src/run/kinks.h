/* kinks.h: places where a force of the model has a corner, such as the stop of a joint. A method of
   high order that steps over one loses its order there, and the ledger with it; a run therefore
   lands on them. */
#pragma once

#include "appell/run.h"

/* The corners of a model as events without action. *list is malloc'ed, NULL when there are none;
   returns their number, -1 when memory is out. */
int apl_find_kinks(const apl_model* model, apl_event** list);
int apl_count_kinks(const apl_model* model);
void apl_free_kinks(apl_event* list);
