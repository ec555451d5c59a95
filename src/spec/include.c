/* include.c: robots made of robots. `include: {file: arm.urdf, as: arm, on: base.mount}` puts the
   links, inputs, signals .. of another file, YAML or URDF, into the tree of this one before it is
   read, every name with the prefix `as` and an underscore.

   The other file is read by itself first, so that its mistakes are told with its own lines; what is
   taken over is its tree. All of it is then blamed on the line of the include. */
#define _XOPEN_SOURCE 700 /* stat */
#include "spec/file_impl.h"

#include "text/out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct grammar_include {
  const char *file, *as, *on, *base, *actuators;
  apl_pose at;
  const text_node* set;
} grammar_include;

static const text_node* const nothing[1] = {NULL};

#define TEXT_ROW(m, word, fallback_, sentence_)                                                    \
  {                                                                                                \
    .name = word, .offset = offsetof(grammar_include, m), .count = 1, .unit = "1",                 \
    .form = APL_FORM_TEXT, .fallback = fallback_, .sentence = sentence_                            \
  }
#define CHOICE_ROW(m, word, list, sentence_)                                                       \
  {                                                                                                \
    .name = word, .offset = offsetof(grammar_include, m), .count = 1, .unit = "1",                 \
    .form = APL_FORM_CHOICE, .words = list, .fallback = list, .sentence = sentence_                \
  }
static const char* const base_words[] = {"as-option", "fixed", "floating", NULL};
static const char* const actuator_words[] = {"none",     "effort", "position",
                                             "velocity", "file",   NULL};
const apl_field apl_include_fields[] = {
    TEXT_ROW(file, "file", NULL, "a model file or a URDF, relative to the folder of this file"),
    TEXT_ROW(as, "as", (const char* const[]){""},
             "prefix for all names of that file: with `as: arm`, the link hand becomes arm_hand"),
    TEXT_ROW(on, "on", (const char* const[]){"world"},
             "parent of its root links: `world`, a link, or a port as link.port"),
    CHOICE_ROW(
        base, "base", base_words,
        "URDF: how its root is attached to `on`: fixed, floating, or as the option --base of the "
        "command says"),
    CHOICE_ROW(
        actuators, "actuators", actuator_words,
        "URDF: motors for its joints with effort limits: effort (an input each), position (a "
        "servo that holds the start pose), velocity, or file (as ros2_control or "
        "transmission say)"),
    {.name = "at",
     .offset = offsetof(grammar_include, at),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_POSE,
     .fallback = (const apl_pose[1]){{{0, 0, 0}, {1, 0, 0, 0}}},
     .sentence = "pose of that robot in the frame of `on`; this adds a link with the name given by "
                 "`as`. Grounds and obstacles of that file do not move with it"},
    {.name = "set",
     .offset = offsetof(grammar_include, set),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_BLOCK,
     .words = (const char* const[]){"set"},
     .fallback = nothing,
     .sentence = "values to change in that file, by path, as {hand.body.mass: 2 kg}"},
    APL_FIELD_END,
};

/* One include at work. */
typedef struct includer {
  apl_file* file;
  apl_report* report;
  const text_node* item;
  grammar_include in;
  const char* folder;     /* of the other file, seen from this one                              */
  const text_node* inner; /* root of the other tree                                             */
} includer;

static bool refuse(const includer* c, const char* sentence, const char* what) {
  apl_report_add(c->report, APL_ERR_SYNTAX, c->item->at, "include %.80s: %.120s%s", c->in.file,
                 sentence, what);
  return false;
}

static text_node* out_of_memory(const includer* c) {
  refuse(c, "out of memory", "");
  return NULL;
}

/* --------------------------------------------------------------------------------- names ---- */

/* Where names stand that the file itself declares, and where it refers to them. `*` is any item of
   a list or any name; a key is KEY. Of a name with dots the first part counts. */
static const char* const name_places[] = {
    "links.*.name",
    "links.*.on",
    "links.*.joint.name",
    "tendons.KEY",
    "tendons.*.path.*.port",
    "loops.*.name",
    "loops.*.from",
    "loops.*.to",
    "couplings.KEY",
    "couplings.*.of",
    "couplings.*.to",
    "inputs.KEY",
    "inputs.*.on",
    "tendons.*.path.*.along",
    "grounds.KEY",
    "contacts.*.on",
    "contacts.*.with",
    "obstacles.KEY",
    "collide.*.name",
    "collide.*.of",
    "collide.*.of.*",
    "collide.*.with",
    "collide.*.with.*",
    "motion.KEY",
    "signals.KEY",
    "start.KEY",
    "start.*.KEY",
    "inputs.*",
    "inputs.*.value",
    "inputs.*.least",
    "inputs.*.greatest",
    "motion.*",
    "signals.*",
    "gaits.*.joints.*",
    "gaits.*.chain.*",
    "gaits.*.offset",
    "gaits.*.travel",
};

/* What a signal is made of stands below it, to any depth. */
static const char* const signal_parts[] = {".sum.*", ".product.*", ".cycle.of", ".delay.of"};

/* Blocks whose keys are names, and keys whose values are files beside the file; `start.from` of the
   other file is not used. */
static const char* const named_blocks[] = {"tendons",   "couplings", "inputs",  "grounds",
                                           "obstacles", "motion",    "signals", "start"};
static const char* const file_keys[] = {"file", "shape-table", "path"};

static bool is_in(const char* word, const char* const* list, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (strcmp(list[i], word) == 0) return true;
  }
  return false;
}
#define IS_IN(word, list) is_in(word, list, sizeof(list) / sizeof *(list))

/* May a name stand at this place, or at that of the signal which this one is a part of? */
static bool is_name_place(const char* place) {
  char base[160];
  size_t n = strlen(place);
  bool cut = true;

  if (n >= sizeof base) return false;
  memcpy(base, place, n + 1);
  while (cut) {
    cut = false;
    for (size_t i = 0; i < sizeof signal_parts / sizeof *signal_parts; ++i) {
      const size_t k = strlen(signal_parts[i]);
      if (n <= k || strcmp(base + n - k, signal_parts[i]) != 0) continue;
      base[n -= k] = '\0';
      cut = true;
    }
  }
  return IS_IN(base, name_places);
}

static bool first_part(const char* name, const char* text, size_t n) {
  return strlen(name) == n && strncmp(name, text, n) == 0;
}

/* Is this scalar a name whose first part is that of the text? */
static bool is_called(const text_node* name, const char* text) {
  return name != NULL && name->kind == TEXT_SCALAR &&
         first_part(name->text, text, strcspn(text, "."));
}

/* Does the other file call something so? */
static bool declared(const includer* c, const char* text) {
  static const char* const lists[] = {"links", "collide"};
  const size_t n = strcspn(text, ".");

  for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
    const text_node* list = apl_node_get(c->inner, lists[i]);
    for (const text_node* l = list == NULL ? NULL : list->first; l != NULL; l = l->next) {
      if (is_called(apl_node_get(l, "name"), text) ||
          is_called(apl_node_get(apl_node_get(l, "joint"), "name"), text))
        return true;
    }
  }
  for (size_t i = 0; i < sizeof named_blocks / sizeof *named_blocks; ++i) {
    const text_node* block = apl_node_get(c->inner, named_blocks[i]);
    if (block == NULL || block->kind != TEXT_MAP || strcmp(named_blocks[i], "start") == 0) continue;
    for (const text_node* k = block->first; k != NULL; k = k->next) {
      if (strchr(k->key, '.') == NULL && first_part(k->key, text, n)) return true;
    }
  }
  return false;
}

static const char* join(const includer* c, const char* a, const char* between, const char* b) {
  const size_t n = strlen(a) + strlen(between) + strlen(b) + 1;
  char* text = apl_pool_take(&c->file->pool, n);

  if (text == NULL) {
    out_of_memory(c);
    return "";
  }
  snprintf(text, n, "%s%s%s", a, between, b);
  return text;
}

/* A copy: the other file will be gone. */
static const char* rename_at(const includer* c, const char* place, const char* text) {
  if (c->in.as[0] == '\0' || !is_name_place(place) || !declared(c, text))
    return join(c, text, "", "");
  return join(c, c->in.as, "_", text);
}

/* --------------------------------------------------------------------------------- trees ---- */

/* The scalar of a copy: names get the prefix, files are seen from the folder of this file, and what
   stands in the world stands on what the include says. */
static const char* value_of(const includer* c, const text_node* node, const char* place) {
  const char* text = node->text;

  if (strcmp(place, "links.*.on") == 0 && strcmp(text, "world") == 0) return c->in.on;
  if (node->key != NULL && IS_IN(node->key, file_keys) && text[0] != '/' && text[0] != '\0' &&
      c->folder[0] != '\0' && strstr(text, "://") == NULL) {
    return join(c, c->folder, "", text);
  }
  return rename_at(c, place, text);
}

/* A copy in this file's pool. `place` is where the node stands, as in name_places. */
static text_node* copy(const includer* c, const text_node* node, const char* place) {
  text_node* out = apl_pool_take(&c->file->pool, sizeof *out);
  if (out == NULL) return out_of_memory(c);

  *out = *node;
  out->at = out->key_at = c->item->at;
  out->first = out->next = NULL;
  if (node->kind == TEXT_SCALAR) out->text = value_of(c, node, place);

  text_node** tail = &out->first;
  const bool named = node->kind == TEXT_LIST || IS_IN(place, named_blocks);
  for (const text_node* k = node->first; k != NULL; k = k->next) {
    char below[160], key[160];
    snprintf(below, sizeof below, "%.120s.%.30s", place, named ? "*" : k->key);
    snprintf(key, sizeof key, "%.120s.KEY", place);
    *tail = copy(c, k, below);
    if (*tail == NULL) return NULL;
    if (node->kind == TEXT_MAP) (*tail)->key = rename_at(c, key, k->key);
    tail = &(*tail)->next;
  }
  return out;
}

static text_node* add_node(const includer* c, text_node* parent, text_kind kind, const char* key,
                           const char* text) {
  text_node* node = apl_pool_take(&c->file->pool, sizeof *node);
  text_node** tail = &parent->first;
  if (node == NULL) return out_of_memory(c);

  *node =
      (text_node){.kind = kind, .at = c->item->at, .key = key, .key_at = c->item->at, .text = text};
  while (*tail != NULL)
    tail = &(*tail)->next;
  *tail = node;
  ++parent->count;
  return node;
}

static text_node* child(text_node* map, const char* key) {
  for (text_node* n = map->first; n != NULL; n = n->next) {
    if (strcmp(n->key, key) == 0) return n;
  }
  return NULL;
}

/* An entry of `collide` that does not say whom it is for is for the links of the other file. */
static bool limit_entry(const includer* c, text_node* item) {
  const text_node* links = apl_node_get(c->inner, "links");
  text_node* of = child(item, "of") != NULL ? NULL : add_node(c, item, TEXT_LIST, "of", NULL);

  for (const text_node* l = links == NULL ? NULL : links->first; of != NULL && l != NULL;
       l = l->next) {
    const text_node* name = apl_node_get(l, "name");
    if (name == NULL || name->kind != TEXT_SCALAR || apl_node_get(l, "shapes") == NULL) continue;
    if (add_node(c, of, TEXT_SCALAR, NULL, rename_at(c, "collide.*.of.*", name->text)) == NULL)
      return false;
  }
  return of != NULL || child(item, "of") != NULL;
}

/* Entries of `collide` that have no name get one, so that a file may be included twice. */
static bool name_entries(const includer* c, text_node* list) {
  const apl_field* f = apl_collide_fields;
  const char* usual;

  while (strcmp(f->name, "name") != 0)
    ++f;
  memcpy(&usual, f->fallback, sizeof usual);
  for (text_node* item = list->first; item != NULL; item = item->next) {
    if (item->kind != TEXT_MAP) continue;
    if (!limit_entry(c, item)) return false;
    if (child(item, "name") != NULL) continue;
    const char* name = join(c, c->in.as, "_", usual);
    if (add_node(c, item, TEXT_SCALAR, "name", name) == NULL) return false;
  }
  return true;
}

/* `near` of `start` is a map in a map: what this file does not have is taken. */
static void merge_near(text_node* to, text_node* from) {
  text_node** tail = &to->first;

  while (*tail != NULL)
    tail = &(*tail)->next;
  for (text_node *n = from->first, *next; n != NULL && to->kind == TEXT_MAP; n = next) {
    next = n->next;
    n->next = NULL;
    if (child(to, n->key) != NULL) continue;
    *tail = n;
    tail = &n->next;
    ++to->count;
  }
}

/* Put the items of a block behind those of the same block here. */
static bool merge_block(const includer* c, text_node* root, const char* word) {
  const text_node* from = apl_node_get(c->inner, word);
  if (from == NULL || from->kind == TEXT_SCALAR) return true;

  text_node* copied = copy(c, from, word);
  text_node* to = child(root, word);
  if (copied != NULL && strcmp(word, "collide") == 0 && c->in.as[0] != '\0' &&
      !name_entries(c, copied))
    return false;
  if (to == NULL) to = add_node(c, root, from->kind, word, NULL);
  if (copied == NULL || to == NULL) return false;
  if (to->kind != from->kind) return true; /* the reader has a sentence for it */

  text_node** tail = &to->first;
  while (*tail != NULL)
    tail = &(*tail)->next;
  for (text_node *n = copied->first, *next; n != NULL; n = next) {
    next = n->next;
    n->next = NULL;
    const bool start = strcmp(word, "start") == 0;
    if (start && (strcmp(n->key, "from") == 0 || strcmp(n->key, "equilibrium") == 0 ||
                  strcmp(n->key, "settle") == 0)) {
      apl_report_warn(c->report, c->item->at, "include %.80s: its start.%s is not used", c->in.file,
                      n->key);
      continue;
    }
    if (to->kind == TEXT_MAP && child(to, n->key) != NULL) {
      if (start && strcmp(n->key, "near") == 0) merge_near(child(to, n->key), n);
      if (start) continue; /* this file knows better where it starts */
      refuse(c, "two parts are called ", n->key);
      return false;
    }
    *tail = n;
    tail = &n->next;
    ++to->count;
  }
  return true;
}

/* The link between: {name: AS, on: ON, at: AT, body: {mass: 0}} */
static bool add_mount(includer* c, text_node* root) {
  const text_node* given = apl_node_get(c->item, "at");
  text_node* links = child(root, "links");
  if (given == NULL) return true;
  if (c->in.as[0] == '\0')
    return refuse(c, "`at` needs `as`, the name of the link that it adds", "");

  if (links == NULL) links = add_node(c, root, TEXT_LIST, "links", NULL);
  if (links == NULL || links->kind != TEXT_LIST) return links != NULL;
  text_node* link = add_node(c, links, TEXT_MAP, NULL, NULL);
  if (link == NULL) return false;
  text_node* at = copy(c, given, "at");
  text_node* body = add_node(c, link, TEXT_MAP, "body", NULL);
  if (at == NULL || body == NULL || add_node(c, link, TEXT_SCALAR, "name", c->in.as) == NULL ||
      add_node(c, link, TEXT_SCALAR, "on", c->in.on) == NULL ||
      add_node(c, body, TEXT_SCALAR, "mass", "0") == NULL)
    return false;
  text_node* place = add_node(c, link, at->kind, "at", at->text);
  if (place == NULL) return false;
  place->first = at->first;
  place->count = at->count;
  c->in.on = c->in.as;
  return true;
}

/* Root links that do not say where they hang, hang on the world: let them say so. */
static bool say_on(const includer* c) {
  const text_node* links = apl_node_get(c->inner, "links");

  for (text_node* l = links == NULL ? NULL : links->first; l != NULL; l = l->next) {
    if (l->kind == TEXT_MAP && child(l, "on") == NULL &&
        add_node(c, l, TEXT_SCALAR, "on", "world") == NULL)
      return false;
  }
  return true;
}

static bool merge(includer* c, text_node* root) {
  static const char* const blocks[] = {"links",   "tendons",  "loops",     "couplings", "inputs",
                                       "grounds", "contacts", "obstacles", "collide",   "motion",
                                       "gaits",   "signals",  "start"};
  const text_node* doubts = apl_node_get(c->inner, "doubts");

  if (doubts != NULL && apl_node_get(root, "doubts") == NULL &&
      add_node(c, root, TEXT_SCALAR, "doubts", join(c, doubts->text, "", "")) == NULL)
    return false;
  if (!add_mount(c, root) || !say_on(c)) return false;
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
    if (!merge_block(c, root, blocks[i])) return false;
  }
  return true;
}

/* ------------------------------------------------------------------------------- reading ---- */

/* "PATH=VALUE" of each entry of `set`; NULL without memory. */
static const char** settings_of(const includer* c) {
  const text_node* set = c->in.set;
  const char** list =
      apl_pool_take(&c->file->pool, sizeof *list * (size_t)((set == NULL ? 0 : set->count) + 1));
  int n = 0;

  for (const text_node* k = set == NULL ? NULL : set->first; k != NULL && list != NULL;
       k = k->next) {
    text_out o = {0};
    apl_out_add(&o, "%s=", k->key);
    apl_out_node(&o, k);
    char* text = apl_out_take(&o);
    list[n] = text == NULL ? NULL : apl_pool_text(&c->file->pool, text);
    apl_text_free(text);
    if (list[n++] == NULL) return NULL;
  }
  return list;
}

/* What was said about the other file, at the line of the include. */
static void pass_on(const includer* c, const apl_report* inner, const char* const* set, int nset) {
  const int kept = inner->count < APL_REPORT_MAX ? inner->count : APL_REPORT_MAX;
  const int told = inner->warnings < APL_REPORT_WARNINGS ? inner->warnings : APL_REPORT_WARNINGS;

  for (int i = 0; i < told + kept; ++i) {
    const apl_error* e = i < told ? &inner->warning[i] : &inner->item[i - told];
    char text[sizeof e->text + 120];
    if (e->line < 0 && -e->line <= nset) {
      snprintf(text, sizeof text, "set %.80s: %s", set[-e->line - 1], e->text);
    } else if (e->line > 0) {
      snprintf(text, sizeof text, "%.80s:%d:%d: %s", c->in.file, e->line, e->column, e->text);
    } else {
      snprintf(text, sizeof text, "%.80s: %s", c->in.file, e->text);
    }
    /* the reason stands at the end: of a long way through many files the last ones are told */
    const size_t n = strlen(text), room = sizeof e->text - 1;
    const char *way = n > room ? ".. " : "", *tail = n > room ? text + n - (room - 3) : text;
    if (i < told) {
      apl_report_warn(c->report, c->item->at, "%s%s", way, tail);
    } else {
      apl_report_add(c->report, e->status, c->item->at, "%s%s", way, tail);
    }
  }
}

/* Does a file include itself, under whatever name? */
static bool is_circle(const include_chain* link) {
  struct stat one, other;
  if (stat(link->path, &one) != 0) return false;

  for (const include_chain* up = link->up; up != NULL; up = up->up) {
    if (stat(up->path, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino)
      return true;
  }
  return false;
}

static void include_one(apl_file* file, text_node* root, const text_node* item,
                        const apl_load_options* options, const include_chain* chain,
                        apl_report* report) {
  includer c = {
      .file = file,
      .report = report,
      .item = item,
      .in = {.as = "", .on = "world", .base = base_words[0], .actuators = actuator_words[0]}};
  form_reader r = {.report = report, .pool = &file->pool, .where = "include."};
  apl_report inner_report = {0};
  apl_file* inner = NULL;
  char path[APL_REACH_PATH];
  apl_error err = {0};

  if (!apl_fields_read(&r, item, &(field_set){.field = apl_include_fields, .out = &c.in}, 1))
    return;
  if (c.in.set != NULL && c.in.set->kind != TEXT_MAP) {
    refuse(&c, "set: expected a map from paths to values", "");
    return;
  }
  if (apl_reach_file(&file->reach, c.in.file, path, &err) != APL_OK) {
    refuse(&c, err.text, "");
    return;
  }
  const include_chain link = {
      .path = path, .up = chain, .depth = chain->depth + 1, .room = chain->room};
  if (is_circle(&link)) {
    refuse(&c, "files include each other in a circle", "");
    return;
  }
  if (link.depth > APL_DEEPEST_INCLUDE) {
    refuse(&c, "files include each other more than 16 levels deep", "");
    return;
  }
  const char** set = settings_of(&c);
  if (set == NULL) {
    out_of_memory(&c);
    return;
  }
  apl_load_options o = *options;
  o.set = set;
  o.nset = c.in.set == NULL ? 0 : c.in.set->count;
  o.note = NULL;
  if (c.in.base != base_words[0])
    o.base = c.in.base == base_words[1] ? APL_BASE_FIXED : APL_BASE_FLOATING;
  for (int k = 1; actuator_words[k] != NULL; ++k) {
    if (c.in.actuators == actuator_words[k]) o.actuators = (apl_actuators)k;
  }
  apl_file_open(path, &o, &link, &inner, &inner_report);
  pass_on(&c, &inner_report, set, o.nset);
  if (inner == NULL) return;

  const char* slash = strrchr(c.in.file, '/');
  char* folder = apl_pool_take(&file->pool, strlen(c.in.file) + 1);
  if (folder != NULL && slash != NULL) memcpy(folder, c.in.file, (size_t)(slash - c.in.file) + 1);
  c.folder = folder == NULL ? "" : folder;
  c.inner = inner->root;
  merge(&c, root);
  apl_file_free(inner);
}

bool apl_include_expand(apl_file* file, text_node* root, const apl_load_options* options,
                        const include_chain* chain, apl_report* report) {
  const text_node* block = apl_node_get(root, "include");
  const int before = report->count;
  if (block == NULL) return false;

  if (block->kind == TEXT_MAP) include_one(file, root, block, options, chain, report);
  for (const text_node* item = block->kind == TEXT_LIST ? block->first : NULL; item != NULL;
       item = item->next)
    include_one(file, root, item, options, chain, report);

  /* what has been put in is not put in again when the tree is written and read */
  for (text_node** at = &root->first; *at != NULL && report->count == before; at = &(*at)->next) {
    if (*at != block) continue;
    *at = block->next;
    --root->count;
    break;
  }
  return true;
}
