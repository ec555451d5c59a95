/* SPDX-License-Identifier: Apache-2.0 */
/* repeat.h: copies of equal parts of a model file, such as the links of a chain. An item of a list,
   or a named entry, with `repeat: {k: 16}` stands for 16 items; in each of them <k>, <k-1> and
   <k+1> are replaced by numbers, in all its texts and in the name of the entry. */
#pragma once

#include "spec/grammar.h"

/* Replace the items with `repeat` in the tree of a model file by their copies, in place. Each copy
   takes its size from *room, in bytes, so that a short file cannot ask for endless memory. */
void apl_repeat_expand(text_node* root, size_t* room, apl_pool* pool, apl_report* report);

/* The key: a setting whose path has it as a part changes the number of copies. */
extern const char apl_repeat_key[];
