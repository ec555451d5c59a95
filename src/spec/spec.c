/* spec.c: the builder. Every call checks what it is given; the first mistake sticks. */
#include "spec/spec_impl.h"

#include "base/nearest.h"
#include "spec/grammar.h"
#include "spec/words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------- memory ---- */

bool apl_spec_fine(const apl_spec* s) {
  return s != NULL && s->error.status == APL_OK;
}

static void out_of_memory(apl_spec* s) {
  apl_fail(&s->error, APL_ERR_MEMORY, "out of memory while describing the robot");
}

/* the room doubles, old lists stay in the pool */
void* apl_spec_grow(apl_spec* s, void* list, int n, size_t item) {
  if (n > 0 && (n & (n - 1)) != 0) return list;

  void* larger = apl_pool_take(&s->pool, item * (size_t)(n > 0 ? 2 * n : 1));
  if (larger == NULL) {
    out_of_memory(s);
    return NULL;
  }
  if (n > 0) memcpy(larger, list, item * (size_t)n);
  return larger;
}

const char* apl_spec_keep(apl_spec* s, const char* text) {
  const char* copy = apl_pool_text(&s->pool, text);

  if (copy == NULL) out_of_memory(s);
  return copy;
}

apl_status apl_spec_new(apl_spec** out) {
  *out = calloc(1, sizeof **out);
  if (*out == NULL) return APL_ERR_MEMORY;
  (*out)->name = "";
  (*out)->description = "";
  (*out)->gravity = (apl_vec3){0.0, 0.0, -9.81};
  apl_fields_default(apl_run_fields, &(*out)->run);
  return APL_OK;
}

void apl_spec_free(apl_spec* s) {
  if (s == NULL) return;
  apl_pool_free(&s->pool);
  free(s);
}

const apl_error* apl_spec_error(const apl_spec* s) {
  return &s->error;
}

/* ------------------------------------------------------------------------------- checks ---- */

/* One grammar of names: a letter or _, then letters, digits, _ and -. The dot separates. */
static bool name_ok(const char* name) {
  if (name == NULL || !(isalpha((unsigned char)name[0]) || name[0] == '_')) return false;
  for (const char* c = name; *c != '\0'; ++c) {
    if (!(isalnum((unsigned char)*c) || *c == '_' || *c == '-')) return false;
  }
  return strlen(name) < 64;
}

bool apl_spec_check_name(apl_spec* s, const char* what, const char* name) {
  if (name_ok(name)) return true;
  apl_fail(&s->error, APL_ERR_MODEL,
           "%s name '%.64s' must start with a letter, have letters, digits, _ and - only, and be "
           "shorter than 64 characters",
           what, name == NULL ? "" : name);
  return false;
}

static bool finite3(apl_vec3 v) {
  return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool check_pose(apl_spec* s, const char* what, const char* name, apl_pose p) {
  const apl_quat q = p.rotation;
  const double n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;

  if (finite3(p.position) && isfinite(n) && n > 1e-20) return true;
  apl_fail(&s->error, APL_ERR_MODEL,
           "%s '%s': its pose must be finite, with a quaternion that is not zero", what, name);
  return false;
}

static spec_link* link_of(apl_spec* s, int link) {
  if (!apl_spec_fine(s)) return NULL;
  if (link < 0 || link >= s->nlink) {
    apl_fail(&s->error, APL_ERR_ARGUMENT, "there is no link number %d", link);
    return NULL;
  }
  return s->link[link];
}

/* ------------------------------------------------------------------------------- fields ---- */

/* What put_common() knows. */
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

/* Which fields a path speaks of, and the name behind the dot; false with a sentence. */
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

/* Whether a name is that of the field; of a table, also that of a column of it: table.column. */
static bool names_field(const apl_field* f, const char* name) {
  const size_t n = strlen(f->name);

  if (strncmp(f->name, name, n) != 0) return false;
  return name[n] == '\0' || (f->form == APL_FORM_TABLE && name[n] == '.');
}

/* The row of a field, noted as given; NULL with a sentence that offers the nearest known one. */
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

/* The column of a table, which may not be there yet. */
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
  if (table == NULL) out_of_memory(s);
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

/* One word of `words` with n letters; -1 with a sentence. */
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
  spec_link* link = link_of(s, i);
  const char* name;
  part_fields p;
  if (link == NULL || path == NULL || text == NULL || !part_of(s, link, path, &p, &name)) return;

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

/* ------------------------------------------------------------------------------ builder ---- */

void apl_spec_gravity(apl_spec* s, apl_vec3 gravity) {
  if (!apl_spec_fine(s)) return;
  if (!finite3(gravity)) {
    apl_fail(&s->error, APL_ERR_MODEL, "gravity must be finite, got (%g, %g, %g)", gravity.x,
             gravity.y, gravity.z);
    return;
  }
  s->gravity = gravity;
}

void apl_spec_lenient(apl_spec* s, bool lenient) {
  if (s != NULL) s->lenient = lenient;
}

int apl_joint_find(const char* word) {
  for (int i = 0; apl_joint_kinds[i] != NULL; ++i) {
    if (strcmp(apl_joint_kinds[i]->word, word) == 0) return i;
  }
  return -1;
}

int apl_body_find(const char* word) {
  for (int i = 0; apl_body_kinds[i] != NULL; ++i) {
    if (strcmp(apl_body_kinds[i]->word, word) == 0) return i;
  }
  return -1;
}

int apl_spec_link(apl_spec* s, const char* name, const char* on, const char* joint,
                  const char* body) {
  if (!apl_spec_fine(s) || !apl_spec_check_name(s, "link", name)) return -1;

  if (strcmp(name, "world") == 0) {
    apl_fail(&s->error, APL_ERR_MODEL, "a link cannot be called 'world': that is the ground");
    return -1;
  }
  const int jk = joint == NULL ? -1 : apl_joint_find(joint),
            bk = body == NULL ? -1 : apl_body_find(body);
  if (jk < 0 || bk < 0) {
    apl_fail(&s->error, APL_ERR_MODEL, "link '%s': there is no %s type '%.60s'", name,
             jk < 0 ? "joint" : "body",
             jk < 0 ? (joint == NULL ? "" : joint) : (body == NULL ? "" : body));
    return -1;
  }

  s->link = apl_spec_grow(s, s->link, s->nlink, sizeof *s->link);
  spec_link* link = apl_pool_take(&s->pool, sizeof *link);
  if (!apl_spec_fine(s)) return -1;
  if (link == NULL) {
    out_of_memory(s);
    return -1;
  }
  const apl_joint_kind* jkind = apl_joint_kinds[jk];
  const apl_body_kind* bkind = apl_body_kinds[bk];

  link->name = apl_spec_keep(s, name);
  link->joint_name = "";
  link->on = apl_spec_keep(s, on == NULL || on[0] == '\0' ? "world" : on);
  link->at = apl_pose_identity();
  link->joint_kind = jk;
  link->body_kind = bk;
  link->joint_param = apl_pool_take(&s->pool, jkind->param_size + 1);
  link->body_param = apl_pool_take(&s->pool, bkind->param_size + 1);
  if (link->joint_param == NULL || link->body_param == NULL) out_of_memory(s);
  if (!apl_spec_fine(s)) return -1;

  apl_fields_default(jkind->field, link->joint_param);
  apl_fields_default(bkind->field, link->body_param);
  link->friction_speed = APL_FRICTION_SPEED;
  link->stop_stiffness = APL_STOP_STIFFNESS;
  for (int k = 0; k < APL_MAX_NV; ++k) {
    link->lower[k] = -HUGE_VAL;
    link->upper[k] = HUGE_VAL;
    link->servo_effort[k] = link->servo_speed[k] = HUGE_VAL;
  }
  if (jkind->neutral != NULL) {
    memcpy(link->rest, jkind->neutral, sizeof(double) * (size_t)jkind->nq);
  }
  s->link[s->nlink] = link;
  return s->nlink++;
}

void apl_spec_place(apl_spec* s, int i, apl_pose at) {
  spec_link* link = link_of(s, i);

  if (link != NULL && check_pose(s, "link", link->name, at)) link->at = at;
}

/* What every joint knows: name, place, how many numbers, smallest value allowed, and whether one
   number may stand for all. */
typedef struct common_field {
  const char* name;
  double* at;
  int count;
  double least;
  bool one_for_all;
} common_field;

static bool put_common(apl_spec* s, spec_link* link, const char* name, const double* value, int n) {
  const apl_joint_kind* kind = apl_joint_kinds[link->joint_kind];
  const int nstop = kind->nq == kind->nt ? kind->nt : 0; /* quaternions have no stops */
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
  spec_link* link = link_of(s, i);
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

void apl_spec_port(apl_spec* s, int i, const char* name, double station, apl_pose at) {
  spec_link* link = link_of(s, i);
  if (link == NULL || !apl_spec_check_name(s, "port", name) || !check_pose(s, "port", name, at))
    return;

  const bool rigid = apl_body_kinds[link->body_kind]->rigid;
  if (!rigid && !(station >= 0.0 && station <= 1.0)) {
    apl_fail(&s->error, APL_ERR_MODEL, "port '%s.%s': station must lie in 0 to 1, got %g",
             link->name, name, station);
    return;
  }
  bool taken = strcmp(name, "root") == 0 || strcmp(name, "joint") == 0 ||
               (!rigid && strcmp(name, "tip") == 0);
  for (int k = 0; k < link->nport; ++k)
    taken = taken || strcmp(link->port[k].name, name) == 0;
  if (taken) {
    apl_fail(&s->error, APL_ERR_MODEL, "link '%s' already has a port '%s'", link->name, name);
    return;
  }

  link->port = apl_spec_grow(s, link->port, link->nport, sizeof *link->port);
  name = apl_spec_keep(s, name);
  if (apl_spec_fine(s)) link->port[link->nport++] = (spec_port){name, station, at};
}

void apl_spec_rotor(apl_spec* s, int i, const char* name, int velocity, double inertia,
                    double ratio) {
  spec_link* link = link_of(s, i);
  if (link == NULL || !apl_spec_check_name(s, "rotor", name)) return;

  const apl_joint_kind* kind = apl_joint_kinds[link->joint_kind];
  if (velocity < 0 || velocity >= kind->nv) {
    apl_fail(&s->error, APL_ERR_MODEL, "rotor '%s.%s': a %s joint has no velocity number %d",
             link->name, name, kind->word, velocity);
  } else if (!(inertia >= 0.0) || !isfinite(inertia) || !isfinite(ratio)) {
    apl_fail(&s->error, APL_ERR_MODEL,
             "rotor '%s.%s': inertia must not be negative and ratio finite, got %g and %g",
             link->name, name, inertia, ratio);
  } else if (kind->nsatellite + link->nrotor >= APL_MAX_SATELLITES) {
    apl_fail(&s->error, APL_ERR_MODEL, "link '%s' has more than %d wheels and rotors", link->name,
             APL_MAX_SATELLITES);
  }
  if (!apl_spec_fine(s)) return;

  link->rotor = apl_spec_grow(s, link->rotor, link->nrotor, sizeof *link->rotor);
  name = apl_spec_keep(s, name);
  if (apl_spec_fine(s)) link->rotor[link->nrotor++] = (spec_rotor){name, velocity, inertia, ratio};
}

void apl_spec_prescribe(apl_spec* s, int i, bool joint, bool body) {
  spec_link* link = link_of(s, i);
  if (link == NULL) return;

  link->joint_prescribed = joint;
  link->body_prescribed = body;
}

void apl_spec_input(apl_spec* s, const char* name, const char* target, double gain) {
  if (!apl_spec_fine(s)) return;

  /* an input may go by the name of what it drives: base.right */
  const bool direct = name != NULL && target != NULL && strcmp(name, target) == 0;
  if (!direct && !apl_spec_check_name(s, "input", name)) return;
  if (target == NULL || !isfinite(gain)) {
    apl_fail(&s->error, APL_ERR_MODEL, "input '%s' needs a target and a finite gain", name);
    return;
  }
  s->input = apl_spec_grow(s, s->input, s->ninput, sizeof *s->input);
  name = apl_spec_keep(s, name);
  target = apl_spec_keep(s, target);
  if (apl_spec_fine(s))
    s->input[s->ninput++] = (spec_input){.name = name, .target = target, .gain = gain};
}

void apl_spec_push(apl_spec* s, const char* input, apl_wrench W, apl_axes axes) {
  int i = 0;
  if (!apl_spec_fine(s)) return;

  while (i < s->ninput && (input == NULL || strcmp(s->input[i].name, input) != 0))
    ++i;
  if (i == s->ninput) {
    apl_fail(&s->error, APL_ERR_ARGUMENT, "there is no input '%.64s'", input == NULL ? "" : input);
  } else if (!finite3(W.moment) || !finite3(W.force)) {
    apl_fail(&s->error, APL_ERR_MODEL, "input '%s': its force and moment must be finite", input);
  } else {
    s->input[i].push = true;
    s->input[i].wrench = W;
    s->input[i].axes = axes;
  }
}

/* ------------------------------------------------------------------------------ listing ---- */

static int count_joints(void) {
  int n = 0;
  while (apl_joint_kinds[n] != NULL)
    ++n;
  return n;
}

static int count_bodies(void) {
  int n = 0;
  while (apl_body_kinds[n] != NULL)
    ++n;
  return n;
}

const char* apl_joint_word(int i) {
  return i >= 0 && i < count_joints() ? apl_joint_kinds[i]->word : NULL;
}

const char* apl_joint_title(int i) {
  return i >= 0 && i < count_joints() ? apl_joint_kinds[i]->title : NULL;
}

const char* apl_body_word(int i) {
  return i >= 0 && i < count_bodies() ? apl_body_kinds[i]->word : NULL;
}

const char* apl_body_title(int i) {
  return i >= 0 && i < count_bodies() ? apl_body_kinds[i]->title : NULL;
}
