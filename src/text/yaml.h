/* SPDX-License-Identifier: Apache-2.0 */
/* yaml.h: YAML text -> tree. A strict subset: one document, no anchors, aliases or tags, keys are
   words and appear once. JSON is a subset of it. */
#pragma once

#include "text/node.h"

/* Limits that keep hostile files cheap. */
typedef struct yaml_limits {
  size_t bytes; /* of the file                                                                 */
  int depth;    /* of nesting                                                                  */
} yaml_limits;

/* Parse text[size] into the pool. NULL on failure, with errors in the report: the first syntax
   error, but every duplicate key. */
text_node* apl_yaml_parse(const char* text, size_t size, const yaml_limits* limits, apl_pool* pool,
                          apl_report* report);
