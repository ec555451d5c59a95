/* SPDX-License-Identifier: Apache-2.0 */
/* xml.c: libxml2 behind a few functions. The only file that includes its headers. */
#define _XOPEN_SOURCE 700 /* pthread_once */
#include "text/xml.h"

#include "text/xml_guard.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* the message of libxml2, without the line break it ends with */
static void malformed(xmlParserCtxtPtr context, apl_report* report) {
  const xmlError* e = xmlCtxtGetLastError(context);
  const char* text = e == NULL || e->message == NULL ? "it is not XML" : e->message;
  const apl_mark at = {e == NULL ? 0 : e->line, e == NULL ? 0 : e->int2};

  apl_report_add(report, APL_ERR_SYNTAX, at, "this is not well-formed XML: %.*s",
                 (int)strcspn(text, "\n"), text);
}

/* texts longer than this exceed libxml2's default limit; meshes have such texts */
enum { LONG_TEXT = 8000000 };
/* libxml2 initialises its globals at the first use, which is not thread-safe. */
static pthread_once_t once = PTHREAD_ONCE_INIT;

xml_doc* apl_xml_parse(const char* text, size_t size, apl_report* report) {
  if (!apl_xml_guard(text, size, report)) return NULL;
  pthread_once(&once, xmlInitParser);
  xmlParserCtxtPtr context = size > INT_MAX ? NULL : xmlNewParserCtxt();
  if (context == NULL) {
    apl_report_add(report, APL_ERR_MEMORY, (apl_mark){0, 0}, "out of memory while reading");
    return NULL;
  }
  xmlDocPtr doc = xmlCtxtReadMemory(context, text, (int)size, NULL, NULL,
                                    XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET |
                                        (size > LONG_TEXT ? XML_PARSE_HUGE : 0));
  if (doc == NULL) malformed(context, report);
  xmlFreeParserCtxt(context);
  return doc;
}

void apl_xml_free(xml_doc* doc) {
  if (doc != NULL) xmlFreeDoc(doc);
}

static const xml_node* element(const xml_node* node) {
  while (node != NULL && node->type != XML_ELEMENT_NODE)
    node = node->next;
  return node;
}

const xml_node* apl_xml_root(const xml_doc* doc) {
  return xmlDocGetRootElement(doc);
}
const xml_node* apl_xml_first(const xml_node* node) {
  return element(node->children);
}
const xml_node* apl_xml_next(const xml_node* node) {
  return element(node->next);
}

const xml_node* apl_xml_child(const xml_node* node, const char* name) {
  const xml_node* c = node == NULL ? NULL : apl_xml_first(node);

  while (c != NULL && strcmp(apl_xml_name(c), name) != 0)
    c = apl_xml_next(c);
  return c;
}

char* apl_xml_content(const xml_node* node) {
  xmlChar* text = xmlNodeGetContent(node);
  const size_t n = text == NULL ? 0 : strlen((const char*)text);
  char* copy = malloc(n + 1);

  if (copy != NULL) {
    if (n > 0) memcpy(copy, text, n);
    copy[n] = '\0';
  }
  xmlFree(text);
  return copy;
}

const char* apl_xml_name(const xml_node* node) {
  return (const char*)node->name;
}

/* xacro:macro as an element, ${..} or $(..) in an attribute */
static bool is_macro(const xml_node* node) {
  const char* prefix = node->ns == NULL ? NULL : (const char*)node->ns->prefix;

  if (prefix != NULL && strcmp(prefix, "xacro") == 0) return true;
  if (strncmp((const char*)node->name, "xacro:", 6) == 0) return true;
  for (const xmlAttr* a = node->properties; a != NULL; a = a->next) {
    const char* text = a->children == NULL ? NULL : (const char*)a->children->content;
    if (text != NULL && (strstr(text, "${") != NULL || strstr(text, "$(") != NULL)) return true;
  }
  return false;
}

const xml_node* apl_xml_macro(const xml_node* node) {
  if (is_macro(node)) return node;
  for (const xml_node* c = apl_xml_first(node); c != NULL; c = apl_xml_next(c)) {
    const xml_node* macro = apl_xml_macro(c);
    if (macro != NULL) return macro;
  }
  return NULL;
}

int apl_xml_line(const xml_node* node) {
  return (int)xmlGetLineNo(node);
}

bool apl_xml_is(const xml_node* node, const char* name, const char* value) {
  xmlChar* own = node == NULL ? NULL : xmlGetProp(node, (const xmlChar*)name);
  const bool same = own != NULL && strcmp((const char*)own, value) == 0;

  if (own != NULL) xmlFree(own);
  return same;
}

const char* apl_xml_attribute(const xml_node* node, const char* name, apl_pool* pool) {
  if (node == NULL || xmlHasProp(node, (const xmlChar*)name) == NULL) return NULL;
  xmlChar* value = xmlGetProp(node, (const xmlChar*)name);
  if (value == NULL) {
    pool->failed = true;
    return "";
  }

  /* XML allows C1 control characters, and terminals execute them */
  for (xmlChar* c = value; *c != 0; ++c) {
    if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) c[0] = c[1] = '?';
  }
  const char* copy = apl_pool_text(pool, (const char*)value);
  xmlFree(value);
  return copy == NULL ? "" : copy;
}
