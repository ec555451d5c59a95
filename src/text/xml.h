/* SPDX-License-Identifier: Apache-2.0 */
/* xml.h: the subset of XML that robot files use: elements, attributes, lines. No network, no
   entities, no document types. */
#pragma once

#include "base/pool.h"
#include "base/report.h"

typedef struct _xmlDoc xml_doc;
typedef struct _xmlNode xml_node;

/* NULL on failure, with a sentence in the report. */
xml_doc* apl_xml_parse(const char* text, size_t size, apl_report* report);
void apl_xml_free(xml_doc* doc); /* accepts NULL */

const xml_node* apl_xml_root(const xml_doc* doc);
const xml_node* apl_xml_first(const xml_node* node); /* first child that is an element          */
const xml_node* apl_xml_next(const xml_node* node);  /* next sibling that is an element         */
const xml_node* apl_xml_child(const xml_node* node, const char* name); /* NULL without one       */

/* The first xacro element: a tag or a value that must be expanded; NULL: none. */
const xml_node* apl_xml_macro(const xml_node* node);

/* The text inside an element, freed by the caller; NULL without memory. */
char* apl_xml_content(const xml_node* node);

const char* apl_xml_name(const xml_node* node);
int apl_xml_line(const xml_node* node);

/* A copy in the pool; NULL if the node is NULL or has no such attribute. If memory is out it is "",
   and pool->failed is set. */
const char* apl_xml_attribute(const xml_node* node, const char* name, apl_pool* pool);

/* Does the node have this attribute with this value? Takes nothing from a pool. */
bool apl_xml_is(const xml_node* node, const char* name, const char* value);
