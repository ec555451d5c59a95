/* SPDX-License-Identifier: Apache-2.0 */
/* mesh_dae.h: what the two files of the COLLADA reader share. */
#pragma once

#include "show/mesh.h"
#include "text/xml.h"

/* The element below `node` with this id; a reference "#id" is given, or NULL. */
const xml_node* apl_dae_id(const xml_node* node, const char* id);

/* The first element of this name below `node`, to any depth; the node may be NULL. */
const xml_node* apl_dae_below(const xml_node* node, const char* name);

/* Read up to `most` numbers of an element's text; returns how many there are. */
size_t apl_dae_numbers(const xml_node* node, double* out, size_t most);

/* The appearance of a list of triangles. */
typedef struct dae_look {
  uint32_t paint;    /* 0: none                                                                */
  const char* image; /* address of the image in place of the colour, in the pool; NULL: none   */
  int set;           /* which of the places on images of a corner is meant                     */
} dae_look;

/* The material of a list, which the <instance_geometry> of the scene (or NULL) binds. */
dae_look apl_dae_look(const xml_node* root, const xml_node* instance, const xml_node* list,
                      apl_pool* pool);
