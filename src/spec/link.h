/* SPDX-License-Identifier: Apache-2.0 */
/* link.h: the blocks inside one item of `links`. block_links.c calls them. */
#pragma once

#include "spec/grammar.h"

/* The state of the reader of one link. */
typedef struct link_reader {
  form_reader form;
  apl_spec* spec;
  spec_link* link;
  int index; /* of the link in the spec */
} link_reader;

/* The writers append to the lines of the link. Readers accept NULL for a block that is left out,
   except for the body, which every link has. */
void apl_joint_read(link_reader* l, const text_node* node);
void apl_joint_write(text_out* o, const spec_link* link);
void apl_body_read(link_reader* l, const text_node* node);
void apl_body_write(text_out* o, const spec_link* link);
void apl_ports_read(link_reader* l, const text_node* map);
void apl_ports_write(text_out* o, const spec_link* link);
void apl_shapes_read(link_reader* l, const text_node* list);
void apl_shapes_write(text_out* o, const spec_link* link);

/* Blocks inside a joint. */
void apl_limits_read(link_reader* l, const text_node* node);
void apl_limits_write(text_out* o, const spec_link* link);
void apl_servo_read(link_reader* l, const text_node* node);
void apl_servo_write(text_out* o, const spec_link* link);
void apl_rotors_read(link_reader* l, const text_node* list);
void apl_rotors_write(text_out* o, const spec_link* link);

/* block_freedoms.c: one number for all `count` freedoms of the joint, or one for each, in the unit
   of the measure. The numbers are stored by apl_spec_put() under the path joint.KEY. */
void apl_freedoms_read(link_reader* l, const char* key, const text_node* node,
                       joint_measure measure, int count);

/* ", KEY: numbers", unless all n values are equal to their defaults (`usual` NULL: zeros). */
void apl_freedoms_write(text_out* o, const char* key, const double* value, const double* usual,
                        int n);

/* Report that `key` is only for joints with one freedom, if this joint has another number. */
bool apl_one_freedom(link_reader* l, const char* key, const text_node* node);

/* Read a joint or a body: a map with keys of two tables, the common one, which fills `raw`, and the
   one of the kind, which fills `param`. Stores which keys of the kind were given and where. */
bool apl_part_read(link_reader* l, const char* part, const text_node* node, const apl_field* common,
                   void* raw, const apl_field* own, void* param, unsigned long long* given,
                   apl_mark** mark);

/* Report that a list was expected, if the node is something else. */
bool apl_list_expected(link_reader* l, const char* key, const text_node* node);
