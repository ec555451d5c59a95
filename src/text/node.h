/* SPDX-License-Identifier: Apache-2.0 */
/* node.h: the parsed tree of a model file: maps, lists and scalars, each with its position. Plain
   data in a pool, which owns the tree. */
#pragma once

#include "base/pool.h"
#include "base/report.h"

#include <stdbool.h>

typedef enum text_kind { TEXT_SCALAR, TEXT_LIST, TEXT_MAP } text_kind;

typedef struct text_node text_node;
struct text_node {
  text_kind kind;
  apl_mark at;      /* of the value                                                            */
  const char* key;  /* inside maps; NULL elsewhere                                             */
  apl_mark key_at;  /* of the key; of the value where there is none                            */
  const char* text; /* scalars                                                                 */
  bool quoted;      /* scalars: '5' in quotes is a text */
  bool shared;      /* entries of maps that files which include each other have in common */
  int count;        /* children                                                                */
  text_node* first; /* child, in the order of the file                                         */
  text_node* next;  /* sibling                                                                 */
};

/* The value of a key; NULL if there is none or the node is not a map. */
const text_node* apl_node_get(const text_node* map, const char* key);

/* "a map", "a list", "nothing" or the scalar in quotes, in buffer[64], for sentences. */
const char* apl_node_show(const text_node* node, char* buffer);

/* A key without a value, as in `body:`. */
bool apl_node_empty(const text_node* node);

/* Report every key of the map that appears twice; the rest of the map is still valid. False without
   memory. */
bool apl_node_check_keys(const text_node* map, apl_report* report);
