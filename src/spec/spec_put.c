/* SPDX-License-Identifier: Apache-2.0 */
/* spec_put.c: parameters of joints and bodies by path, such as "joint.damping" and "body.mass". The
   field tables of the kinds say what a path may be. */
#include "spec/spec_impl.h"

#include "base/nearest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The keys that all joints have in common, as in put_common(). */
static const char* const common_name[] = {
    "stiffness",     "damping",        "rest",           "friction",     "friction-speed",
    "lower",         "upper",          "stop-stiffness", "stop-damping", "servo-stiffness",
    "servo-damping", "servo-integral", "servo-effort",   "servo-speed"};
enum { NCOMMON = sizeof common_name / sizeof *common_name };

/* The fields of the joint or of the body of a link. */
typedef struct part_fields {
  const char* part; /* "joint", "body"                                                          */
  const char* kind;
  const apl_field* field;
  char* param;
  unsigned long long* given;
} part_fields;

/* The fields that a path is about, and the name behind the dot; false if neither is meant. */
static bool part_of(apl_spec* s, spec_link* link, const char* path, part_fields* out,
                    const char** name) {
  if (strncmp(path, "joint.", 6) == 0) {
    const apl_joint_kind* kind = apl_joint_kinds[link->joint_kind];
    *out = (part_fields){"joint", kind->word, kind->field, link->joint_param, &link->joint_given};
    *name = path + 6;
    return true;
  }
  if (strncmp(path, "body.", 5) == 0) {
    const apl_body_kind* kind = apl_body_kinds[link->body_kind];
    *out = (part_fields){"body", kind->word, kind->field, link->body_param, &link->body_given};
    *name = path + 5;
    return true;
  }
  apl_fail(&s->error, APL_ERR_MODEL, "link '%s': '%.60s' must begin with 'joint.' or 'body.'",
           link->name, path);
  return false;
}

/* Is this the name of the field? For a table TABLE.COLUMN is one, too. */
static bool names_field(const apl_field* f, const char* name) {
  const size_t n = strlen(f->name);

  if (strncmp(f->name, name, n) != 0) return false;
  return name[n] == '\0' || (f->form == APL_FORM_TABLE && name[n] == '.');
}

/* The row of a field, which is marked as given. NULL if there is none: the error proposes the
   nearest known name. */
static const apl_field* find_field(apl_spec* s, const spec_link* link, const part_fields* p,
                                   const char* name) {
  apl_nearest near = {.word = name};
  char hint[96];

  for (int i = 0; p->field[i].name != NULL; ++i) {
    if (names_field(&p->field[i], name)) {
      *p->given |= 1ULL << i;
      return &p->field[i];
    }
    apl_nearest_offer(&near, p->field[i].name);
  }
  for (int i = 0; strcmp(p->part, "joint") == 0 && i < NCOMMON; ++i)
    apl_nearest_offer(&near, common_name[i]);
  apl_fail(&s->error, APL_ERR_MODEL, "link '%s': a %s %s has no '%.60s'%s", link->name, p->kind,
           p->part, name, apl_nearest_text(&near, hint));
  return NULL;
}

/* Add a column to a table. The first column makes the table. */
static void put_column(apl_spec* s, const spec_link* link, const part_fields* p, const apl_field* f,
                       const char* name, const double* value, int n) {
  const char* column = name + strlen(f->name) + (name[strlen(f->name)] == '.');
  const apl_columns* table;

  memcpy(&table, p->param + f->offset, sizeof table);
  for (int c = 0; table != NULL && c < table->ncolumn; ++c) {
    if (strcmp(table->name[c], column) != 0) continue;
    apl_fail(&s->error, APL_ERR_MODEL, "link '%s': %s.%.60s is given twice", link->name, p->part,
             name);
  }
  if (column[0] == '\0') {
    apl_fail(&s->error, APL_ERR_MODEL,
             "link '%s': %s.%s is a table: put one column at a time, %s.%s.NAME", link->name,
             p->part, f->name, p->part, f->name);
  } else if (table != NULL && table->nrow != n) {
    apl_fail(&s->error, APL_ERR_MODEL,
             "link '%s': %s.%.60s takes %d numbers, as '%.40s' has, got %d", link->name, p->part,
             name, table->nrow, table->name[0], n);
  }
  if (!apl_spec_fine(s)) return;
  table = apl_columns_with(&s->pool, table, column, value, n);
  if (table == NULL) apl_spec_no_memory(s);
  memcpy(p->param + f->offset, &table, sizeof table);
}

static void put_field(apl_spec* s, const spec_link* link, const part_fields* p, const char* name,
                      const double* value, int n) {
  const apl_field* f = find_field(s, link, p, name);
  if (f == NULL) return;

  const bool whole = f->form == APL_FORM_WHOLE || f->form == APL_FORM_COUNTS;
  const bool one_for_all = f->form == APL_FORM_COUNTS && n == 1;
  const bool words =
      f->form == APL_FORM_CHOICE || f->form == APL_FORM_SET || f->form == APL_FORM_TEXT;
  if (f->form == APL_FORM_TABLE) {
    put_column(s, link, p, f, name, value, n);
  } else if (words) {
    apl_fail(&s->error, APL_ERR_MODEL, "link '%s': %s.%s takes words, not numbers", link->name,
             p->part, name);
  } else if (n != f->count && !one_for_all) {
    apl_fail(&s->error, APL_ERR_MODEL, "link '%s': %s.%s takes %d number%s, got %d", link->name,
             p->part, name, f->count, f->count == 1 ? "" : "s", n);
  } else if (whole) {
    for (int k = 0; k < f->count; ++k) {
      const double number = value[one_for_all ? 0 : k];
      if (number != floor(number) || fabs(number) > 1e9) {
        apl_fail(&s->error, APL_ERR_MODEL, "link '%s': %s.%s must be a whole number, got %g",
                 link->name, p->part, name, number);
        return;
      }
      ((int*)(void*)(p->param + f->offset))[k] = (int)number;
    }
  } else {
    memcpy(p->param + f->offset, value, sizeof(double) * (size_t)n);
  }
}

/* Index of the word with these n letters among the words of the field; -1 with an error. */
static int find_word(apl_spec* s, const spec_link* link, const part_fields* p, const apl_field* f,
                     const char* text, size_t n) {
  char word[64], hint[96];
  apl_nearest near = {.word = word};

  snprintf(word, sizeof word, "%.*s", (int)n, text);
  for (int k = 0; f->words[k] != NULL; ++k) {
    if (strcmp(f->words[k], word) == 0) return k;
    apl_nearest_offer(&near, f->words[k]);
  }
  apl_fail(&s->error, APL_ERR_MODEL, "link '%s': %s.%s: there is no '%s'%s", link->name, p->part,
           f->name, word, apl_nearest_text(&near, hint));
  return -1;
}

void apl_spec_word(apl_spec* s, int i, const char* path, const char* text) {
  spec_link* link = apl_spec_link_of(s, i);
  const char* name;
  part_fields p;
  if (link == NULL) return;
  if (path == NULL || text == NULL) {
    apl_fail(&s->error, APL_ERR_ARGUMENT, "link '%s': a parameter needs a path and a word",
             link->name);
    return;
  }
  if (!part_of(s, link, path, &p, &name)) return;

  if (strcmp(path, "joint.name") == 0) {
    if (apl_spec_check_name(s, "joint", text)) link->joint_name = apl_spec_keep(s, text);
    return;
  }
  const apl_field* f = find_field(s, link, &p, name);
  if (f == NULL) return;
  if (f->form == APL_FORM_TEXT) {
    const char* copy = apl_spec_keep(s, text);
    if (copy != NULL) memcpy(p.param + f->offset, &copy, sizeof copy);
    return;
  }
  if (f->form != APL_FORM_CHOICE && f->form != APL_FORM_SET) {
    apl_fail(&s->error, APL_ERR_MODEL, "link '%s': %s.%s takes numbers, not words", link->name,
             p.part, name);
    return;
  }
  unsigned set = 0;
  for (const char* at = text; *at != '\0';) {
    const size_t n = strcspn(at, " ");
    const int k = n > 0 ? find_word(s, link, &p, f, at, n) : -1;
    if (n > 0 && k < 0) return;
    if (n > 0) set |= 1u << k;
    if (n > 0 && f->form == APL_FORM_CHOICE)
      memcpy(p.param + f->offset, &f->words[k], sizeof f->words[k]);
    at += n + strspn(at + n, " ");
  }
  if (f->form == APL_FORM_SET) memcpy(p.param + f->offset, &set, sizeof set);
}

/* ------------------------------------------------------- keys that all joints have in common ----
 */

/* A key that all joints have: where its numbers are stored, how many there are, the smallest
   allowed value, and whether one number may be given for all. */
typedef struct common_field {
  const char* name;
  double* at;
  int count;
  double least;
  bool one_for_all;
} common_field;

static bool put_common(apl_spec* s, spec_link* link, const char* name, const double* value, int n) {
  const apl_joint_kind* kind = apl_joint_kinds[link->joint_kind];
  const int nstop =
      kind->nq == kind->nt ? kind->nt : 0; /* coordinates with a quaternion have no stops */
  const common_field common[] = {
      {"stiffness", link->stiffness, kind->nt, 0.0, true},
      {"damping", link->damping, kind->slaved ? kind->nt : kind->nv, 0.0, true},
      {"rest", link->rest, kind->nq, -HUGE_VAL, false},
      {"friction", link->friction, kind->nv, 0.0, true},
      {"friction-speed", &link->friction_speed, 1, 1e-12, false},
      {"lower", link->lower, nstop, -HUGE_VAL, true},
      {"upper", link->upper, nstop, -HUGE_VAL, true},
      {"stop-stiffness", &link->stop_stiffness, 1, 0.0, false},
      {"stop-damping", &link->stop_damping, 1, 0.0, false},
      {"servo-stiffness", link->servo_stiffness, kind->nv, 0.0, true},
      {"servo-damping", link->servo_damping, kind->nv, 0.0, true},
      {"servo-integral", link->servo_integral, kind->nv, 0.0, true},
      {"servo-effort", link->servo_effort, kind->nv, 1e-300, true},
      {"servo-speed", link->servo_speed, kind->nv, 1e-300, true},
  };
  _Static_assert(sizeof common / sizeof *common == NCOMMON, "common_name lists all of them");

  for (int i = 0; i < (int)(sizeof common / sizeof *common); ++i) {
    const common_field* f = &common[i];
    if (strcmp(name, f->name) != 0) continue;

    if (n != f->count && !(n == 1 && f->one_for_all && f->count > 0)) {
      apl_fail(&s->error, APL_ERR_MODEL,
               "link '%s': joint.%s of a %s joint takes %d number%s, got %d", link->name, name,
               kind->word, f->count, f->count == 1 ? "" : "s", n);
      return true;
    }
    for (int k = 0; k < f->count; ++k) {
      const double x = value[n == 1 ? 0 : k];
      if (!(x >= f->least)) {
        apl_fail(&s->error, APL_ERR_MODEL, "link '%s': joint.%s must %s, got %g", link->name, name,
                 f->least == 0.0 ? "not be negative" : "be positive", x);
        return true;
      }
      f->at[k] = x;
    }
    link->servo = link->servo || strncmp(name, "servo-", 6) == 0;
    if (f->at == link->rest && kind->nq == kind->nt + 1) {
      /* the coordinates end with a quaternion */
      const double* q = link->rest + kind->nq - 4;
      if (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 1e-20) {
        apl_fail(&s->error, APL_ERR_MODEL, "link '%s': joint.rest has a quaternion of length zero",
                 link->name);
      }
    }
    return true;
  }
  return false;
}

void apl_spec_put(apl_spec* s, int i, const char* path, const double* value, int n) {
  spec_link* link = apl_spec_link_of(s, i);
  if (link == NULL) return;
  if (path == NULL || value == NULL || n < 0) {
    apl_fail(&s->error, APL_ERR_ARGUMENT, "link '%s': a parameter needs a path and numbers",
             link->name);
    return;
  }

  for (int k = 0; k < n; ++k) {
    if (!isfinite(value[k])) {
      apl_fail(&s->error, APL_ERR_MODEL, "link '%s': %.60s must be finite, got %g", link->name,
               path, value[k]);
      return;
    }
  }
  const char* name;
  part_fields p;
  if (!part_of(s, link, path, &p, &name)) return;
  if (strcmp(p.part, "joint") == 0 && put_common(s, link, name, value, n)) return;
  put_field(s, link, &p, name, value, n);
}

void apl_spec_number(apl_spec* s, int link, const char* path, double value) {
  apl_spec_put(s, link, path, &value, 1);
}

void apl_spec_vec3(apl_spec* s, int link, const char* path, double x, double y, double z) {
  apl_spec_put(s, link, path, (const double[]){x, y, z}, 3);
}
