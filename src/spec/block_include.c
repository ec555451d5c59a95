/* SPDX-License-Identifier: Apache-2.0 */
/* block_include.c: robots made of robots. `include: {file: arm.urdf, as: arm, on: base.mount}` puts
   the links, inputs, signals and so on of another file, YAML or URDF, into the tree of this file
   before it is read. Every name gets the prefix `as` and an underscore.

   The other file is read by itself first, so that its mistakes are reported with its own lines.
   Then its tree is copied. Mistakes that appear later are reported at the line of the include. */
#define _XOPEN_SOURCE 700 /* stat */
#include "spec/include.h"
#include "spec/parts.h"
#include "spec/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char* const base_words[] = {"as-option", "fixed", "floating", NULL};
static const char* const actuator_words[] = {"as-option", "none", "effort", "position",
                                             "velocity",  "file", NULL};
static const apl_field fields[] = {
    ROW(block_include, file, "file", APL_FORM_TEXT, NULL,
        "a model file or a URDF, relative to the folder of this file"),
    ROW(block_include, as, "as", APL_FORM_TEXT, TEXT(""),
        "prefix for all names of that file: with `as: arm`, the link hand becomes arm_hand"),
    ROW(block_include, on, "on", APL_FORM_TEXT, TEXT("world"),
        "parent of its root links: `world`, a link, or a port as link.port"),
    CHOICE(
        block_include, base, "base", base_words, base_words,
        "URDF: how its root is attached to `on`: fixed, floating, or as the option --base of the "
        "command says"),
    CHOICE(block_include, actuators, "actuators", actuator_words, actuator_words,
           "URDF: motors for its joints with effort limits: effort (an input each), position (a "
           "servo that holds the start pose, and an input that is its aim), velocity, file (as "
           "ros2_control or transmission say), none, or as the option --actuators of the command "
           "says"),
    ROW(block_include, hold, "hold", APL_FORM_FLAG, NO, "URDF: short for `actuators: position`"),
    BLOCK(block_include, floor, "floor", "floor", NOTHING,
          "URDF: its collision shapes touch the ground `floor`: true, false, a contact law "
          "with a coefficient of friction (`restitution,0.6`), or an entry of grounds. The "
          "ground is that of this file if it has one of this name, else it is made at z = "
          "0; all robots share it. When left out, as the option --floor of the command says"),
    ROW(block_include, settle, "settle", APL_FORM_FLAG, NO,
        "true: the same as `start: {settle: true}` in this file"),
    ROW(block_include, at, "at", APL_FORM_POSE, IDENTITY_POSE,
        "pose of that robot in the frame of `on`; this adds a link with the name given by "
        "`as`. Grounds and obstacles of that file do not move with it"),
    BLOCK(block_include, set, "set", "set", NOTHING,
          "values to change in that file, by path, as {hand.body.mass: 2 kg}"),
    APL_FIELD_END,
};

const grammar_block apl_block_include = {
    .word = "include",
    .form = BLOCK_LIST,
    .field = fields,
    .title = "another model file, YAML or URDF; a single one may be given without a list",
    .brief = SHORT_ITEM,
};

const grammar_block apl_block_set = {
    .word = "set",
    .form = BLOCK_ANY,
    .title = "Values by path, as for `--set`",
};

const grammar_block apl_block_floor = {
    .word = "floor",
    .form = BLOCK_ANY,
    .title = "true, false, a contact law with a coefficient of friction, or an entry of `grounds`",
};

bool apl_include_refuse(const include_work* c, const char* sentence, const char* what) {
  apl_report_add(c->report, APL_ERR_SYNTAX, c->item->at, "include %.80s: %.120s%s", c->in.file,
                 sentence, what);
  return false;
}

const char* apl_include_join(const include_work* c, const char* a, const char* between,
                             const char* b) {
  const size_t n = strlen(a) + strlen(between) + strlen(b) + 1;
  char* text = apl_pool_take(&c->file->pool, n);

  if (text == NULL) {
    apl_include_refuse(c, "out of memory", "");
    return "";
  }
  snprintf(text, n, "%s%s%s", a, between, b);
  return text;
}

/* What `floor` says: a flag, or a law, which becomes a setting of the included file (NULL: none).
   False if something was reported. */
static bool read_floor(const include_work* c, const text_node* root, bool* floor,
                       const char** setting) {
  const text_node* given = c->in.floor;
  const bool word = given != NULL && given->kind == TEXT_SCALAR;
  char text[1000];

  *setting = NULL;
  if (given == NULL) return true;
  if (given->kind == TEXT_LIST || (word && !(given->text[0] >= 'a' && given->text[0] <= 'z')))
    return apl_include_refuse(c,
                              "floor: expected true, false, a law such as restitution,0.6, or an "
                              "entry of `grounds`, got ",
                              word ? given->text : "a list");
  *floor = !(word && strcmp(given->text, "false") == 0);
  if (!*floor || (word && strcmp(given->text, "true") == 0)) return true;
  if (apl_node_get(apl_node_get(root, "grounds"), apl_floor_name) != NULL)
    return apl_include_refuse(c, "there is a ground `floor` already: `floor: true` uses it", "");
  if (word) {
    apl_floor_setting(given->text, text, sizeof text);
  } else {
    text_out o = {0};
    apl_out_node(&o, given);
    char* law = apl_out_take(&o);
    apl_floor_setting(law == NULL ? "" : law, text, sizeof text);
    apl_text_free(law);
  }
  *setting = apl_include_join(c, text, "", "");
  return true;
}

/* `hold` and `actuators`; false if something was reported. */
static bool read_actuators(const include_work* c, apl_load_options* o) {
  for (int k = 1; actuator_words[k] != NULL; ++k) {
    if (c->in.actuators == actuator_words[k]) o->actuators = (apl_actuators)(k - 1);
  }
  if (!c->in.hold) return true;
  if (c->in.actuators != actuator_words[0] && o->actuators != APL_ACTUATORS_POSITION)
    return apl_include_refuse(c,
                              "`hold` needs servos of positions, not actuators: ", c->in.actuators);
  o->actuators = APL_ACTUATORS_POSITION;
  return true;
}

/* A key of the item that only a URDF can have; NULL: none. */
static const char* word_for_urdf(const include_work* c) {
  if (c->in.hold) return "`hold`";
  if (c->in.floor != NULL) return "`floor`";
  if (c->in.base != base_words[0]) return "`base`";
  return c->in.actuators != actuator_words[0] ? "`actuators`" : NULL;
}

/* "PATH=VALUE" of `first`, unless it is NULL, and of each entry of `set`; NULL without memory. */
static const char** settings_of(const include_work* c, const char* first) {
  const text_node* set = c->in.set;
  const char** list =
      apl_pool_take(&c->file->pool, sizeof *list * (size_t)((set == NULL ? 0 : set->count) + 2));
  int n = 0;

  if (list != NULL && first != NULL) list[n++] = first;
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

/* Report the mistakes and warnings of the other file at the line of the include. */
static void pass_on(const include_work* c, const apl_report* inner, const char* const* set,
                    int nset) {
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
    /* If files include files, the text begins with all of their names and the reason is at its end:
       of a text that is too long the beginning is left out. */
    const size_t n = strlen(text), room = sizeof e->text - 1;
    const char *way = n > room ? ".. " : "", *tail = n > room ? text + n - (room - 3) : text;
    if (i < told) {
      apl_report_warn(c->report, c->item->at, "%s%s", way, tail);
    } else {
      apl_report_add(c->report, e->status, c->item->at, "%s%s", way, tail);
    }
  }
}

/* Does a file include itself, perhaps by another path? */
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
  include_work c = {
      .file = file,
      .report = report,
      .item = item,
      .in = {.as = "", .on = "world", .base = base_words[0], .actuators = actuator_words[0]}};
  form_reader r = {.report = report, .pool = &file->pool, .where = "include."};
  apl_report inner_report = {0};
  apl_file* inner = NULL;
  char path[APL_REACH_PATH];
  apl_error err = {0};

  if (!apl_fields_read(&r, item, &(field_set){.field = fields, .out = &c.in}, 1)) return;
  if (c.in.set != NULL && c.in.set->kind != TEXT_MAP) {
    apl_include_refuse(&c, "set: expected a map from paths to values", "");
    return;
  }
  if (apl_reach_file(&file->reach, c.in.file, path, &err) != APL_OK) {
    apl_include_refuse(&c, err.text, "");
    return;
  }
  const include_chain link = {
      .path = path, .up = chain, .depth = chain->depth + 1, .room = chain->room};
  if (is_circle(&link)) {
    apl_include_refuse(&c, "files include each other in a circle", "");
    return;
  }
  if (link.depth > APL_DEEPEST_INCLUDE) {
    apl_include_refuse(&c, "files include each other more than 16 levels deep", "");
    return;
  }
  apl_load_options o = *options;
  const char* law;
  if (!read_floor(&c, root, &o.floor, &law) || !read_actuators(&c, &o)) return;
  const char** set = settings_of(&c, law);
  if (set == NULL) {
    apl_include_refuse(&c, "out of memory", "");
    return;
  }
  o.set = set;
  o.nset = (law != NULL) + (c.in.set == NULL ? 0 : c.in.set->count);
  o.note = NULL;
  if (c.in.base != base_words[0])
    o.base = c.in.base == base_words[1] ? APL_BASE_FIXED : APL_BASE_FLOATING;
  apl_file_open(path, &o, &link, &inner, &inner_report);
  pass_on(&c, &inner_report, set, o.nset);
  if (inner == NULL) return;
  const char* word = !inner->urdf && !inner->included ? word_for_urdf(&c) : NULL;
  if (word != NULL) {
    apl_include_refuse(&c, "this is a model file, and only a URDF takes the key ", word);
    apl_file_free(inner);
    return;
  }

  const char* slash = strrchr(c.in.file, '/');
  char* folder = apl_pool_take(&file->pool, strlen(c.in.file) + 1);
  if (folder != NULL && slash != NULL) memcpy(folder, c.in.file, (size_t)(slash - c.in.file) + 1);
  c.folder = folder == NULL ? "" : folder;
  c.inner = inner->root;
  apl_include_merge(&c, root);
  apl_file_free(inner);
}

bool apl_include_expand(apl_file* file, text_node* root, const apl_load_options* options,
                        const include_chain* chain, apl_report* report) {
  const text_node* block = apl_node_get(root, "include");
  const int before = report->count;
  if (block == NULL) return false;

  if (block->kind == TEXT_SCALAR && !apl_node_empty(block)) {
    apl_report_add(report, APL_ERR_SYNTAX, block->at,
                   "include: expected {file: ..} or a list of these, got '%.60s'", block->text);
    return true;
  }
  if (block->kind == TEXT_MAP) include_one(file, root, block, options, chain, report);
  for (const text_node* item = block->kind == TEXT_LIST ? block->first : NULL; item != NULL;
       item = item->next)
    include_one(file, root, item, options, chain, report);

  /* remove the block, so that a copy of the tree does not include the files again */
  for (text_node** at = &root->first; *at != NULL && report->count == before; at = &(*at)->next) {
    if (*at != block) continue;
    *at = block->next;
    --root->count;
    break;
  }
  return true;
}
