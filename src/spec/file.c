/* SPDX-License-Identifier: Apache-2.0 */
/* file.c: load a model file or a URDF into a spec. */
#define _XOPEN_SOURCE 700 /* stat */
#include "spec/file_impl.h"
#include "spec/repeat.h"

#include "text/out.h"
#include "text/quantity.h"
#include "text/slurp.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const apl_mark nowhere = {0, 0};

/* A URDF may be this many times longer than a model file: they are often generated. */
enum { URDF_TIMES = 16 };

apl_load_options apl_load_options_default(void) {
  return (apl_load_options){.max_bytes = (size_t)1 << 20, .max_depth = 64, .base = APL_BASE_FIXED};
}

/* The text of the file, followed by the settings from a phase on as comments, so that a result
   contains all that the run depends on. */
static const char* copy_text(apl_pool* pool, const char* text, size_t size,
                             const apl_load_options* o, settings_phase from) {
  static const char head[] = "\n# --set ";
  size_t n = size + 2;
  int listed = 0;

  for (int i = 0; i < o->nset; ++i)
    n += sizeof head + strlen(o->set[i]);
  char* copy = apl_pool_take(pool, n);
  if (copy == NULL) return NULL;
  memcpy(copy, text, size);
  char* end = copy + size;
  for (int i = 0; i < o->nset; ++i)
    listed += apl_settings_phase(o->set[i]) >= from;
  if (listed > 0 && size > 0 && end[-1] == '\n') --end;
  for (int i = 0; i < o->nset; ++i) {
    if (apl_settings_phase(o->set[i]) < from) continue;
    end = strcpy(end, head) + sizeof head - 1;
    for (const char* c = o->set[i]; *c != '\0'; ++c)
      *end++ = *c == '\n' || *c == '\r' ? ' ' : *c;
  }
  if (listed > 0) *end++ = '\n';
  *end = '\0';
  return copy;
}

/* The folder of a file, with the last "/"; "" for a path without a folder. Other files that the
   model file names are relative to it. */
static const char* folder_of(apl_pool* pool, const char* path) {
  const char* slash = strrchr(path, '/');
  const size_t n = slash == NULL ? 0 : (size_t)(slash - path) + 1;
  char* folder = apl_pool_take(pool, n + 1);

  if (folder != NULL) memcpy(folder, path, n);
  return folder;
}

static bool out_of_memory(apl_report* report) {
  apl_report_add(report, APL_ERR_MEMORY, nowhere, "out of memory while reading");
  return false;
}

/* Write the tree of a file with includes as text, because results must contain what the included
   files contain. Settings that are in this tree already are not listed below it. */
static void keep_tree(apl_file* file, const text_node* root, const apl_load_options* o,
                      apl_report* report) {
  text_out out = {0};

  for (const text_node* block = root->first; block != NULL; block = block->next) {
    apl_out_scalar(&out, block->key);
    apl_out_add(&out, block->kind == TEXT_SCALAR ? ": " : ":\n");
    if (block->kind == TEXT_SCALAR) {
      apl_out_node(&out, block);
      apl_out_add(&out, "\n");
    }
    for (const text_node* item = block->first; item != NULL; item = item->next) {
      apl_out_add(&out, block->kind == TEXT_LIST ? "  - " : "  ");
      if (block->kind == TEXT_MAP) {
        apl_out_scalar(&out, item->key);
        apl_out_add(&out, ": ");
      }
      apl_out_node(&out, item);
      apl_out_add(&out, "\n");
    }
  }
  char* text = apl_out_take(&out);
  file->text = text == NULL ? NULL : copy_text(&file->pool, text, strlen(text), o, SETTINGS_OTHERS);
  if (file->text == NULL) out_of_memory(report);
  apl_text_free(text);
}

/* The tree of a model file, with copies made, includes put in and settings applied, into
   file->spec. */
static void read_tree(apl_file* file, text_node* root, const apl_load_options* o,
                      const include_chain* chain, apl_report* report) {
  const yaml_limits limits = {o->max_bytes, o->max_depth};
  const int before = report->count;

  file->root = root;
  apl_settings_apply(root, o->set, o->nset, SETTINGS_REPEAT, &limits, &file->pool, report);
  if (report->count == before) apl_repeat_expand(root, chain->room, &file->pool, report);
  if (report->count == before)
    apl_settings_apply(root, o->set, o->nset, SETTINGS_INCLUDE, &limits, &file->pool, report);
  file->included = report->count == before && apl_include_expand(file, root, o, chain, report);
  if (file->included && report->count == before) keep_tree(file, root, o, report);
  if (report->count == before)
    apl_settings_apply(root, o->set, o->nset, SETTINGS_OTHERS, &limits, &file->pool, report);
  if (report->count == before) apl_file_read(file, report);
}

static void no_marks(text_node* node) {
  node->at = node->key_at = nowhere;
  for (text_node* c = node->first; c != NULL; c = c->next)
    no_marks(c);
}

/* Robots that are included in one file stand on one ground: mark the one that was made for a URDF.
 */
static void share_floor(text_node* root) {
  for (text_node* block = root->first; block != NULL; block = block->next) {
    for (text_node* k = block->first; strcmp(block->key, "grounds") == 0 && k != NULL; k = k->next)
      k->shared = k->shared || strcmp(k->key, apl_floor_name) == 0;
  }
}

/* A spec with the settings of a run that hold where a file says nothing. */
static apl_status new_spec(apl_file* file) {
  const apl_status st = apl_spec_new(&file->spec);

  if (st == APL_OK) apl_fields_default(apl_run_fields, &file->spec->run);
  return st;
}

/* Settings need the tree of a model file. For a URDF write the equivalent model file and read
   its tree. Its line numbers mean nothing to the user, so they are removed. */
static void read_as_model(apl_file* file, const apl_load_options* o, const include_chain* chain,
                          apl_report* report) {
  const yaml_limits limits = {URDF_TIMES * o->max_bytes, o->max_depth};
  char* text = apl_spec_write(file->spec);
  text_node* root =
      text == NULL ? NULL : apl_yaml_parse(text, strlen(text), &limits, &file->pool, report);

  apl_spec_free(file->spec);
  file->spec = NULL;
  file->text = text == NULL ? NULL : copy_text(&file->pool, text, strlen(text), o, SETTINGS_REPEAT);
  if (file->text == NULL || new_spec(file) != APL_OK) {
    out_of_memory(report);
  } else if (root != NULL) {
    no_marks(root);
    read_tree(file, root, o, chain, report);
    if (o->floor) share_floor(root);
  }
  apl_text_free(text);
}

/* The folders that files may be read from: those that are allowed, and those with packages. */
static const char* allowed(apl_pool* pool, const apl_load_options* o) {
  const char *first = o->allow == NULL ? "" : o->allow,
             *second = o->package_path == NULL ? "" : o->package_path;
  const size_t size = strlen(first) + strlen(second) + 2;
  char* out = apl_pool_take(pool, size);

  if (out != NULL) snprintf(out, size, "%s:%s", first, second);
  return out;
}

static bool open_file(apl_file* file, const char* text, size_t size, const apl_load_options* o,
                      const char* path, apl_report* report) {
  if (new_spec(file) != APL_OK) return out_of_memory(report);
  file->text = copy_text(&file->pool, text, size, o, SETTINGS_REPEAT);
  file->reach.folder = folder_of(&file->pool, path);
  file->reach.allow = allowed(&file->pool, o);
  return file->pool.failed ? out_of_memory(report) : true;
}

/* Refuse the options that add motors or a floor to a URDF for a model file, which describes
   these itself. A model file that includes a URDF may have them. */
static void refuse_imports(const apl_file* file, const apl_load_options* o, apl_report* report) {
  const bool motors = o->actuators != APL_ACTUATORS_NONE;
  if ((!motors && !o->floor) || file->included) return;

  apl_report_add(report, APL_ERR_ARGUMENT, nowhere, "%s for a URDF, and this is a model file: %s",
                 motors ? "actuators (--actuators, --hold) are" : "a floor (--floor) is",
                 motors ? "give it `inputs`, or joints with `servo`"
                        : "give it `grounds` and `contacts`");
}

static apl_status parse(const char* text, size_t size, const apl_load_options* o,
                        const include_chain* chain, bool urdf, apl_file** out, apl_report* report) {
  const int before = report->count;
  apl_file* file = calloc(1, sizeof *file);

  if (file == NULL) {
    out_of_memory(report);
  } else if (open_file(file, text, size, o, chain->path, report) && urdf) {
    file->urdf = true;
    apl_urdf_read(file, file->text, size, o, report);
    const bool added = o->actuators != APL_ACTUATORS_NONE || o->floor;
    if ((o->nset > 0 || added || chain->up != NULL) && report->count == before)
      read_as_model(file, o, chain, report);
  } else if (report->count == before) {
    const yaml_limits limits = {o->max_bytes, o->max_depth};
    text_node* root = apl_yaml_parse(text, size, &limits, &file->pool, report);
    if (root != NULL) read_tree(file, root, o, chain, report);
    if (root != NULL && chain->up == NULL) refuse_imports(file, o, report);
  }
  /* without memory a part of the file may be missing: refuse it */
  if (report->count == before && (file->pool.failed || file->spec->pool.failed))
    out_of_memory(report);
  if (report->count > before) {
    apl_file_free(file);
    return before < APL_REPORT_MAX ? report->item[before].status : APL_ERR_SYNTAX;
  }
  *out = file;
  return APL_OK;
}

/* Does the text, which need not end with a zero byte, begin like XML? */
static bool begins_as_xml(const char* text, size_t size) {
  size_t i = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  while (i < size && isspace((unsigned char)text[i]))
    ++i;
  return i < size && text[i] == '<';
}

static bool named_urdf(const char* path) {
  const size_t n = strlen(path);
  return n > 5 && strcmp(path + n - 5, ".urdf") == 0;
}

/* A limit in bytes for all files of a load together, of which each file takes at least the
   second number. Without it ten levels of files, each including the next one ten times, would be
   1e10 files. */
enum { LOAD_ROOM = 64 << 20, LEAST_ROOM = 64 << 10 };

static bool take_room(const include_chain* chain, size_t size) {
  const size_t part = size > LEAST_ROOM ? size : LEAST_ROOM;

  if (part > *chain->room) return false;
  *chain->room -= part;
  return true;
}

/* False if there are fewer settings than the options count. */
static bool options_fit(const apl_load_options* o) {
  bool fit = o == NULL || (o->nset >= 0 && (o->nset == 0 || o->set != NULL));

  for (int i = 0; fit && o != NULL && i < o->nset; ++i)
    fit = o->set[i] != NULL;
  return fit;
}

apl_status apl_file_parse(const char* text, size_t size, const apl_load_options* options,
                          apl_file** out, apl_report* report) {
  if (out != NULL) *out = NULL;
  if (text == NULL || out == NULL || !options_fit(options)) {
    return apl_report_add(
        report, APL_ERR_ARGUMENT, (apl_mark){0, 0},
        "apl_file_parse() needs a text, a place for the file, and settings that exist");
  }
  const apl_load_options o = options == NULL ? apl_load_options_default() : *options;
  size_t room = LOAD_ROOM;
  apl_report mine = {0};

  *out = NULL;
  return parse(text, size, &o, &(include_chain){.path = "", .room = &room},
               begins_as_xml(text, size), out, report == NULL ? &mine : report);
}

/* HDF5 files begin with these bytes. */
static bool is_hdf5(const char* path) {
  static const unsigned char mark[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  unsigned char head[sizeof mark];
  struct stat info; /* only ordinary files: bytes that are read from a pipe here would be lost */
  FILE* in = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
  if (in == NULL) return false;

  const bool full = fread(head, 1, sizeof head, in) == sizeof head;
  fclose(in);
  return full && memcmp(head, mark, sizeof mark) == 0;
}

static apl_status load(const char* path, const apl_load_options* o, const include_chain* chain,
                       apl_file** out, apl_report* report) {
  apl_error err = {0};
  char* text;
  size_t size;

  *out = NULL;
  if (is_hdf5(path)) {
    return apl_report_add(report, APL_ERR_SYNTAX, nowhere,
                          "this is a result of a run (HDF5), not a model: `appell view` replays "
                          "it, `appell plot` draws its channels, `appell run --resume` continues "
                          "one that was stopped");
  }
  const size_t limit = named_urdf(path) ? URDF_TIMES * o->max_bytes : o->max_bytes;
  if (apl_slurp(path, limit, &text, &size, &err) != APL_OK) {
    return apl_report_error(report, &err, nowhere);
  }
  const bool urdf = named_urdf(path) || begins_as_xml(text, size);
  const apl_status st =
      take_room(chain, size)
          ? parse(text, size, o, chain, urdf, out, report)
          : apl_report_add(report, APL_ERR_MODEL, nowhere,
                           "the files that are included are more than %d MB together (each counts "
                           "as %d kB at least)",
                           LOAD_ROOM >> 20, LEAST_ROOM >> 10);
  free(text);
  return st;
}

apl_status apl_file_load(const char* path, const apl_load_options* options, apl_file** out,
                         apl_report* report) {
  if (out != NULL) *out = NULL;
  if (path == NULL || out == NULL || !options_fit(options)) {
    return apl_report_add(
        report, APL_ERR_ARGUMENT, (apl_mark){0, 0},
        "apl_file_load() needs a path, a place for the file, and settings that exist");
  }
  const apl_load_options o = options == NULL ? apl_load_options_default() : *options;
  const include_chain first = {.path = path, .room = &(size_t){LOAD_ROOM}};
  apl_report mine = {0};

  if (report == NULL) report = &mine;
  const apl_status st = load(path, &o, &first, out, report);
  if (st == APL_OK) apl_meshes_look(*out, report);
  return st;
}

void apl_file_open(const char* path, const apl_load_options* options, const include_chain* chain,
                   apl_file** out, apl_report* report) {
  load(path, options, chain, out, report);
}

void apl_file_free(apl_file* file) {
  if (file == NULL) return;
  apl_spec_free(file->spec);
  apl_pool_free(&file->pool);
  free(file);
}

const apl_spec* apl_file_spec(const apl_file* file) {
  return file->spec;
}
const char* apl_file_name(const apl_file* file) {
  if (file == NULL) return "";
  return file->spec->name;
}
const char* apl_file_text(const apl_file* file) {
  if (file == NULL) return "";
  return file->text;
}
const char* apl_file_description(const apl_file* file) {
  return file->spec->description;
}
const apl_run_block* apl_file_run(const apl_file* file) {
  return &file->spec->run;
}

int apl_file_nshape(const apl_file* file) {
  if (file == NULL) return 0;
  int n = 0;

  for (int l = 0; l < file->spec->nlink; ++l)
    n += file->spec->link[l]->nshape;
  return n + file->spec->nobstacle;
}

static apl_shape show_shape(const spec_shape* s, int link) {
  apl_shape out = {.link = link,
                   .type = s->type,
                   .file = s->file,
                   .at = s->at,
                   .name = s->name,
                   .drawn = strcmp(s->use, apl_use_words[2]) != 0};
  out.touches = apl_shape_touches(s);
  memcpy(out.size, s->size, sizeof out.size);
  memcpy(out.scale, s->scale, sizeof out.scale);
  memcpy(out.colour, s->colour, sizeof out.colour);
  return out;
}

apl_shape apl_file_shape(const apl_file* file, int i) {
  if (file == NULL) return (apl_shape){.link = -1};
  for (int l = 0; i >= 0 && l < file->spec->nlink; ++l) {
    const spec_link* link = file->spec->link[l];
    if (i >= link->nshape) {
      i -= link->nshape;
      continue;
    }
    return show_shape(&link->shape[i], l);
  }
  if (i >= 0 && i < file->spec->nobstacle) return show_shape(&file->spec->obstacle[i], -1);
  return (apl_shape){.link = -1};
}

bool apl_file_draws(const apl_file* file, int link) {
  return link >= 0 && link < file->spec->nlink && !file->spec->link[link]->bare;
}

apl_joint_limits apl_file_limits(const apl_file* file, int link) {
  apl_joint_limits out = {-HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
  if (file == NULL || link < 0 || link >= file->spec->nlink) return out;

  const spec_link* l = file->spec->link[link];
  if (apl_joint_kinds[l->joint_kind]->nv != 1) return out;
  out.lower = l->lower[0], out.upper = l->upper[0];
  if (l->limits_given & 4) out.velocity = l->limits.velocity;
  if (l->limits_given & 8) out.effort = l->limits.effort;
  if (l->servo) out.effort = fmin(out.effort, l->servo_effort[0]);
  return out;
}

int apl_file_nnote(const apl_file* file) {
  return file->nnote;
}
const apl_note* apl_file_note(const apl_file* file, int i) {
  return i >= 0 && i < file->nnote ? &file->note[i] : NULL;
}
const char* apl_verdict_word(apl_verdict verdict) {
  static const char* const word[] = {"kept", "translated", "ignored", "doubtful", "refused"};
  return (int)verdict >= 0 && (int)verdict < 5 ? word[verdict] : "?";
}

apl_status apl_quantity(const char* text, const char* unit, double* out, apl_error* err) {
  return apl_quantity_read(text, unit, out, err);
}

void apl_text_free(char* text) {
  free(text);
}
