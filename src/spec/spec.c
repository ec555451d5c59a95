/* SPDX-License-Identifier: Apache-2.0 */
/* spec.c: the builder: links with their ports and rotors, and inputs. Every call checks its
   arguments. After a first mistake, which is kept as the error of the spec, all calls do nothing.
 */
#include "spec/spec_impl.h"

#include "spec/grammar.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------- memory ---- */

bool apl_spec_fine(const apl_spec* s) {
  return s != NULL && s->error.status == APL_OK;
}

void apl_spec_no_memory(apl_spec* s) {
  apl_fail(&s->error, APL_ERR_MEMORY, "out of memory while describing the robot");
}

/* The size doubles when n reaches a power of two. The old list remains in the pool. */
void* apl_spec_grow(apl_spec* s, void* list, int n, size_t item) {
  if (n > 0 && (n & (n - 1)) != 0) return list;

  void* larger = apl_pool_take(&s->pool, item * (size_t)(n > 0 ? 2 * n : 1));
  if (larger == NULL) {
    apl_spec_no_memory(s);
    return NULL;
  }
  if (n > 0) memcpy(larger, list, item * (size_t)n);
  return larger;
}

const char* apl_spec_keep(apl_spec* s, const char* text) {
  const char* copy = apl_pool_text(&s->pool, text);

  if (copy == NULL) apl_spec_no_memory(s);
  return copy;
}

apl_status apl_spec_new(apl_spec** out) {
  if (out == NULL) return APL_ERR_ARGUMENT;
  *out = calloc(1, sizeof **out);
  if (*out == NULL) return APL_ERR_MEMORY;
  (*out)->name = "";
  (*out)->description = "";
  (*out)->gravity = (apl_vec3){0.0, 0.0, -9.81};
  return APL_OK;
}

void apl_spec_free(apl_spec* s) {
  if (s == NULL) return;
  apl_pool_free(&s->pool);
  free(s);
}

const apl_error* apl_spec_error(const apl_spec* s) {
  static const apl_error none = {.status = APL_ERR_ARGUMENT, .text = "there is no spec"};
  if (s == NULL) return &none;
  return &s->error;
}

/* ------------------------------------------------------------------------------- checks ---- */

/* A name is a letter or _, then letters, digits, _ and -. Dots separate names. */
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

spec_link* apl_spec_link_of(apl_spec* s, int link) {
  if (!apl_spec_fine(s)) return NULL;
  if (link < 0 || link >= s->nlink) {
    apl_fail(&s->error, APL_ERR_ARGUMENT, "there is no link number %d", link);
    return NULL;
  }
  return s->link[link];
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
    apl_spec_no_memory(s);
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
  if (link->joint_param == NULL || link->body_param == NULL) apl_spec_no_memory(s);
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
  spec_link* link = apl_spec_link_of(s, i);

  if (link != NULL && check_pose(s, "link", link->name, at)) link->at = at;
}

void apl_spec_port(apl_spec* s, int i, const char* name, double station, apl_pose at) {
  spec_link* link = apl_spec_link_of(s, i);
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
  spec_link* link = apl_spec_link_of(s, i);
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
  spec_link* link = apl_spec_link_of(s, i);
  if (link == NULL) return;

  link->joint_prescribed = joint;
  link->body_prescribed = body;
}

void apl_spec_input(apl_spec* s, const char* name, const char* target, double gain) {
  if (!apl_spec_fine(s)) return;

  /* an input may have the name of its target, which may contain a dot: base.right */
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
