/* SPDX-License-Identifier: Apache-2.0 */
/* include.h: one file that is put into the tree of another one. Used by block_include.c, which
   reads the file, include_merge.c, which merges the trees, and include_names.c, which renames. */
#pragma once

#include "spec/file_impl.h"

/* An item of `include` as it is written. */
typedef struct block_include {
  const char *file, *as, *on, *base, *actuators;
  bool hold, settle;
  apl_pose at;
  const text_node *floor, *set;
} block_include;

typedef struct include_work {
  apl_file* file; /* the file that includes                                                     */
  apl_report* report;
  const text_node* item; /* of `include`                                                        */
  block_include in;
  const char* folder;     /* of the included file, relative to that of the other                */
  const text_node* inner; /* root of the included tree                                          */
} include_work;

/* Report a mistake at the item. Always false. */
bool apl_include_refuse(const include_work* c, const char* sentence, const char* what);

/* a, between and b in one text, in the pool of the file; "" without memory, which is reported. */
const char* apl_include_join(const include_work* c, const char* a, const char* between,
                             const char* b);

/* include_names.c: a copy of a text at this place of the included tree. It gets the prefix `as` if
   it is a name that the included file declares. A place is a path of keys such as "links.*.on",
   with
   `*` for each item and KEY for a key itself. */
const char* apl_include_rename(const include_work* c, const char* place, const char* text);

/* Are the keys of the map at this place names? */
bool apl_include_keys_are_names(const char* place);

/* include_merge.c: put a copy of the included tree into `root`. False if something was reported. */
bool apl_include_merge(include_work* c, text_node* root);
