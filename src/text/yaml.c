/* SPDX-License-Identifier: Apache-2.0 */
/* yaml.c: events of libyaml -> tree. The only file that includes <yaml.h>.

   Depth is limited while events arrive, because libyaml itself takes minutes for 200 kB of '['. */
#include "text/yaml.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { DEEPEST = 256 };

/* A map or list that is still open. */
typedef struct level {
  text_node* node;
  text_node** tail; /* where the next child goes                                                */
  const char* key;  /* maps: the key whose value has not been read yet */
  apl_mark key_at;
} level;

typedef struct builder {
  yaml_parser_t parser;
  const yaml_limits* limits;
  apl_pool* pool;
  apl_report* report;
  level level[DEEPEST + 1]; /* level[0] holds the document                                      */
  int depth;
  bool ended; /* the document                                                                   */
} builder;

static apl_mark mark_of(yaml_mark_t m) {
  return (apl_mark){(int)m.line + 1, (int)m.column + 1};
}

#define REFUSE(b, at, ...) (apl_report_add((b)->report, APL_ERR_SYNTAX, at, __VA_ARGS__), false)

static bool out_of_memory(builder* b) {
  apl_report_add(b->report, APL_ERR_MEMORY, (apl_mark){0, 0}, "out of memory while reading");
  return false;
}

/* ------------------------------------------------------------------------------ scanner ---- */

/* What libyaml did not like, as one sentence. */
static bool malformed(builder* b) {
  const yaml_parser_t* p = &b->parser;
  const char* problem = p->problem == NULL ? "not YAML" : p->problem;

  if (p->error == YAML_MEMORY_ERROR) return out_of_memory(b);
  if (p->error == YAML_READER_ERROR) {
    /* the reader knows an offset in bytes only */
    return REFUSE(b, ((apl_mark){0, 0}), "the file is not text: %s at byte %zu", problem,
                  p->problem_offset);
  }
  const apl_mark at = mark_of(p->problem_mark);
  const char* hint =
      strstr(problem, "tab") != NULL         ? " (indent with spaces)"
      : strstr(problem, "'-'") != NULL       ? " (is this line indented like the one above?)"
      : strstr(problem, "'}'") != NULL       ? " (is a closing } missing above?)"
      : strstr(problem, "']'") != NULL       ? " (is a closing ] missing above?)"
      : strstr(problem, "block end") != NULL ? " (is this line indented like the one above?)"
                                             : "";
  if (p->context == NULL) return REFUSE(b, at, "this is not YAML: %s%s", problem, hint);
  return REFUSE(b, at, "this is not YAML: %s %s%s", p->context, problem, hint);
}

/* -------------------------------------------------------------------------------- tree ---- */

/* A node in its place: value of the pending key, next item, or the document. */
static text_node* new_node(builder* b, text_kind kind, apl_mark at) {
  level* l = &b->level[b->depth];
  text_node* node = apl_pool_take(b->pool, sizeof *node);

  if (node == NULL) {
    out_of_memory(b);
    return NULL;
  }
  *node =
      (text_node){.kind = kind, .at = at, .key = l->key, .key_at = l->key == NULL ? at : l->key_at};
  *l->tail = node;
  l->tail = &node->next;
  l->key = NULL;
  if (l->node != NULL) ++l->node->count;
  return node;
}

static bool key_awaited(const builder* b) {
  const level* l = &b->level[b->depth];
  return l->node != NULL && l->node->kind == TEXT_MAP && l->key == NULL;
}

static bool open_level(builder* b, text_kind kind, apl_mark at) {
  if (key_awaited(b)) return REFUSE(b, at, "a key must be a word, not a map or a list");
  if (b->depth >= b->limits->depth || b->depth >= DEEPEST) {
    return REFUSE(b, at, "the file is nested more than %d levels deep", b->depth);
  }
  text_node* node = new_node(b, kind, at);
  if (node == NULL) return false;
  b->level[++b->depth] = (level){.node = node, .tail = &node->first};
  return true;
}

static void close_level(builder* b) {
  const text_node* node = b->level[b->depth--].node;
  if (node->kind == TEXT_MAP && !apl_node_check_keys(node, b->report)) out_of_memory(b);
}

/* True if a text has control characters other than line end and tab; names are printed on
   terminals. */
static bool drives_terminals(const char* text) {
  for (const unsigned char* c = (const unsigned char*)text; *c != '\0'; ++c) {
    if ((*c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7f) return true;
    if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) return true;
  }
  return false;
}

static bool add_scalar(builder* b, const yaml_event_t* e, apl_mark at) {
  const char* value = (const char*)e->data.scalar.value;
  const bool key = key_awaited(b);

  if (strlen(value) != e->data.scalar.length) return REFUSE(b, at, "a text must not contain NUL");
  if (drives_terminals(value)) return REFUSE(b, at, "a text must not contain control characters");
  if (key && value[0] == '\0') return REFUSE(b, at, "a key must not be empty");
  const char* text = apl_pool_text(b->pool, value);
  if (text == NULL) return out_of_memory(b);

  if (key) {
    level* l = &b->level[b->depth];
    l->key = text;
    l->key_at = at;
    return true;
  }
  text_node* node = new_node(b, TEXT_SCALAR, at);
  if (node == NULL) return false;
  node->text = text;
  node->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  return true;
}

/* ------------------------------------------------------------------------------- events ---- */

static bool check_plain(builder* b, const yaml_char_t* anchor, const yaml_char_t* tag,
                        apl_mark at) {
  if (anchor != NULL) {
    return REFUSE(b, at, "anchors (&%.40s) are not supported: write the value again",
                  (const char*)anchor);
  }
  if (tag != NULL) return REFUSE(b, at, "tags (%.40s) are not supported", (const char*)tag);
  return true;
}

/* False ends the parse: the document is over or refused. */
static bool take_event(builder* b, const yaml_event_t* e) {
  const apl_mark at = mark_of(e->start_mark);

  switch (e->type) {
  case YAML_SCALAR_EVENT:
    return check_plain(b, e->data.scalar.anchor, e->data.scalar.tag, at) && add_scalar(b, e, at);
  case YAML_SEQUENCE_START_EVENT:
    return check_plain(b, e->data.sequence_start.anchor, e->data.sequence_start.tag, at) &&
           open_level(b, TEXT_LIST, at);
  case YAML_MAPPING_START_EVENT:
    return check_plain(b, e->data.mapping_start.anchor, e->data.mapping_start.tag, at) &&
           open_level(b, TEXT_MAP, at);
  case YAML_SEQUENCE_END_EVENT:
  case YAML_MAPPING_END_EVENT:
    close_level(b);
    return true;
  case YAML_ALIAS_EVENT:
    return REFUSE(b, at, "aliases (*%.40s) are not supported: write the value again",
                  (const char*)e->data.alias.anchor);
  case YAML_DOCUMENT_START_EVENT:
    if (b->ended)
      return REFUSE(b, at, "the file must be one document, but a second one starts here");
    return true;
  case YAML_DOCUMENT_END_EVENT:
    b->ended = true;
    return true;
  case YAML_STREAM_END_EVENT:
    return false;
  case YAML_STREAM_START_EVENT:
  case YAML_NO_EVENT:
    break;
  }
  return true;
}

text_node* apl_yaml_parse(const char* text, size_t size, const yaml_limits* limits, apl_pool* pool,
                          apl_report* report) {
  text_node* root = NULL;
  const int before = report->count;

  if (size > limits->bytes) {
    apl_report_add(report, APL_ERR_SYNTAX, (apl_mark){0, 0},
                   "the file has %zu bytes, more than the %zu that are allowed", size,
                   limits->bytes);
    return NULL;
  }
  builder* b = calloc(1, sizeof *b);
  if (b == NULL || !yaml_parser_initialize(&b->parser)) {
    free(b);
    apl_report_add(report, APL_ERR_MEMORY, (apl_mark){0, 0}, "out of memory while reading");
    return NULL;
  }
  b->limits = limits;
  b->pool = pool;
  b->report = report;
  b->level[0].tail = &root;
  yaml_parser_set_input_string(&b->parser, (const unsigned char*)text, size);

  for (bool more = true; more;) {
    yaml_event_t event;
    if (!yaml_parser_parse(&b->parser, &event)) {
      more = malformed(b);
    } else {
      more = take_event(b, &event);
      yaml_event_delete(&event);
    }
  }
  yaml_parser_delete(&b->parser);
  free(b);

  if (report->count > before) return NULL;
  if (root == NULL || apl_node_empty(root)) {
    apl_report_add(report, APL_ERR_SYNTAX, (apl_mark){1, 1}, "the file is empty");
    return NULL;
  }
  return root;
}
