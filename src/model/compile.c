/* SPDX-License-Identifier: Apache-2.0 */
/* compile.c: spec -> model. Orders the tree, merges rigid links with the body they are fixed to,
   rotates every joint axis to z, assigns indices and writes the parameter block. Docs:
   docs/overview.md. */
#include "model/compiler.h"

#include "base/nearest.h"

#include <math.h>
#include <stdlib.h>

/* -------------------------------------------------------------------------------- links ---- */

static apl_status check_stops(compiler* c, const spec_link* l) {
  for (int k = 0; k < joint_kind(l)->nt; ++k) {
    if (l->lower[k] <= l->upper[k]) continue;
    apl_fail(c->err, APL_ERR_MODEL, "link '%s': joint.lower %g is above joint.upper %g", l->name,
             l->lower[k], l->upper[k]);
    return apl_compile_blame(c, l->mark.joint);
  }
  return APL_OK;
}

/* A servo needs gains. With a position gain it also needs a joint with q' = v. */
static apl_status check_servo(compiler* c, const spec_link* l) {
  const apl_joint_kind* jk = joint_kind(l);
  const char* wrong = NULL;
  bool gains = false, places = false, bounded = true;
  if (!l->servo) return APL_OK;

  for (int k = 0; k < jk->nv; ++k) {
    places = places || l->servo_stiffness[k] > 0.0 || l->servo_integral[k] > 0.0;
    gains = gains || places || l->servo_damping[k] > 0.0;
    bounded = bounded && (l->servo_speed[k] == HUGE_VAL || l->servo_effort[k] < HUGE_VAL);
  }
  if (jk->nv == 0) {
    wrong = "needs a joint that can move";
  } else if (!jk->plain && places) {
    wrong = "with stiffness needs a joint whose velocities are the derivatives of its coordinates";
  } else if (l->joint_prescribed) {
    wrong = "cannot act on a joint whose motion is prescribed";
  } else if (!gains) {
    wrong = "needs gains: stiffness, damping or integral";
  } else if (!bounded) {
    wrong = "with a largest speed needs a largest effort too";
  }
  if (wrong == NULL) return APL_OK;
  apl_fail(c->err, APL_ERR_MODEL, "link '%s': joint.servo: a servo %s", l->name, wrong);
  return apl_compile_blame(c, l->mark.joint);
}

/* Only joints and bodies with freedoms can be prescribed. */
static apl_status check_prescribed(compiler* c, const spec_link* l) {
  if (l->joint_prescribed && joint_kind(l)->nv == 0) {
    apl_fail(c->err, APL_ERR_MODEL, "link '%s': a %s joint has no velocity to prescribe", l->name,
             joint_kind(l)->word);
    return apl_compile_blame(c, l->mark.joint);
  }
  if (l->body_prescribed && body_plan(l).nx == 0) {
    apl_fail(c->err, APL_ERR_MODEL, "link '%s': a %s body has no deformation to prescribe", l->name,
             body_kind(l)->word);
    return apl_compile_blame(c, l->mark.body);
  }
  return APL_OK;
}

static apl_status compile_link(compiler* c, int i) {
  const spec_link* l = c->spec->link[i];
  const apl_joint_kind* jk = joint_kind(l);
  link_work* w = &c->link[i];
  link_parts parts;
  apl_status st = apl_compile_parts(c, i, &parts);
  if (st == APL_OK) st = check_prescribed(c, l);
  if (st == APL_OK) st = check_stops(c, l);
  if (st == APL_OK) st = check_servo(c, l);
  if (st != APL_OK) return st;

  /* frame and pose of its joint */
  int up = 0;
  pose P = pose_of(l->at);
  if (w->parent >= 0) {
    const apl_port* port = &c->port[c->link[w->parent].port0 + w->parent_port];
    up = port->frame;
    P = pose_mul(get_pose(c->par + port->pose), P);
  }

  w->port0 = c->m->nport;
  c->info[i].port = w->port0;
  c->info[i].on = w->parent < 0 ? -1 : c->link[w->parent].port0 + w->parent_port;
  if (jk->nq == 0 && jk->nv == 0 && body_kind(l)->rigid) {
    apl_compile_merge(c, i, up, P);
  } else {
    apl_compile_node(c, i, up, P, &parts);
  }
  if (c->out_of_memory) return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling");
  for (int k = 0; k < nstandard(l) + l->nport; ++k) {
    c->port_name[w->port0 + k] = apl_compile_join(c, l->name, port_word(l, k).text, NULL);
  }
  return apl_compile_turning(c, i, parts.turn);
}

/* ------------------------------------------------------------------------------- inputs ---- */

/* The names that inputs of this kind can drive. */
static const char* const* targets_of(const compiler* c, input_kind kind, int* n) {
  switch (kind) {
  case INPUT_VELOCITY:
    *n = c->m->nv;
    return c->m->v_name;
  case INPUT_SATELLITE:
    *n = c->m->nsat;
    return c->satellite_name;
  case INPUT_TENDON:
    *n = c->m->ntendon;
    return c->m->tendon_name;
  case INPUT_PORT:
  case INPUT_AIM:
  case INPUT_RATE:
    break;
  }
  *n = c->m->nport;
  return c->port_name;
}

/* The part of a name before its ending; false where it ends otherwise. */
static bool cut_ending(const char* name, const char* ending, char* out, size_t size) {
  const size_t n = strlen(name), k = strlen(ending);

  if (n <= k || n - k >= size || strcmp(name + n - k, ending) != 0) return false;
  memcpy(out, name, n - k);
  out[n - k] = '\0';
  return true;
}

/* The link whose joint has a velocity; NULL for those of bodies. */
static const spec_link* joint_of(const compiler* c, int velocity, int* k) {
  for (int i = 0; i < c->spec->nlink; ++i) {
    *k = velocity - c->m->link[i].v0;
    if (*k >= 0 && *k < c->m->link[i].nv) return c->spec->link[i];
  }
  return NULL;
}

/* "elbow.angle.aim", "wheel.angle.rate.aim": the aim of a servo, of a coordinate where the servo
   has stiffness, else of a rate. False where the target is no such name. */
static bool find_aim(compiler* c, const spec_input* in, const apl_input* before, int nbefore,
                     apl_input* out, apl_status* st) {
  char name[200], rate[200];
  if (in->push || !cut_ending(in->target, ".aim", name, sizeof name) ||
      find_name(c->satellite_name, c->m->nsat, in->target) >= 0) /* a rotor or wheel named aim */
    return false;

  const bool of_rate = cut_ending(name, ".rate", rate, sizeof rate);
  int k;
  out->kind = of_rate ? INPUT_RATE : INPUT_AIM;
  out->target = apl_model_find(c->m, APL_VELOCITIES, of_rate ? rate : name);
  if (out->target < 0) return false;

  const spec_link* l = joint_of(c, out->target, &k);
  const bool stiff = l != NULL && (l->servo_stiffness[k] != 0.0 || l->servo_integral[k] != 0.0);
  const char* why = NULL;
  if (l == NULL || !l->servo) {
    why = "its joint has no `servo`";
  } else if (stiff == of_rate) {
    why = stiff ? "its servo has stiffness, so that it aims at a coordinate: NAME.aim"
                : "its servo has no stiffness, so that it aims at a rate: NAME.rate.aim";
  } else if (in->gain != 1.0) {
    why = "an aim has no gain";
  }
  for (int i = 0; i < nbefore && why == NULL; ++i) {
    if (input_is_aim(&before[i]) && before[i].target == out->target)
      why = "another input is this aim already";
  }
  *st = APL_OK;
  if (why != NULL) {
    *st = apl_fail(c->err, APL_ERR_MODEL, "input '%s' cannot be the aim '%s': %s", in->name,
                   in->target, why);
    apl_compile_blame(c, in->at);
  }
  c->m->naim += 1;
  return true;
}

/* Find the target of an input: a port if it has a wrench, else a velocity, wheel, rotor or
   tendon. */
static apl_status find_target(compiler* c, const spec_input* in, apl_input* out) {
  const input_kind first = in->push ? INPUT_PORT : INPUT_VELOCITY;
  const input_kind last = in->push ? INPUT_PORT : INPUT_TENDON;
  apl_nearest near = {.word = in->target};
  char hint[96];
  int n = 0;

  for (input_kind kind = first; kind <= last; ++kind) {
    const char* const* name = targets_of(c, kind, &n);
    out->kind = (int)kind;
    out->target = kind == INPUT_VELOCITY ? apl_model_find(c->m, APL_VELOCITIES, in->target)
                                         : find_name(name, n, in->target);
    if (out->target >= 0) return APL_OK;
    for (int k = 0; k < n; ++k)
      apl_nearest_offer(&near, name[k]);
  }
  if (in->push) {
    apl_fail(c->err, APL_ERR_MODEL, "input '%s' acts with a force on '%s', which is not a port%s",
             in->name, in->target, apl_nearest_text(&near, hint));
  } else if (find_name(c->port_name, c->m->nport, in->target) >= 0) {
    apl_fail(c->err, APL_ERR_MODEL,
             "input '%s' acts on the port '%s' and needs `force` or `moment`", in->name,
             in->target);
  } else {
    apl_fail(c->err, APL_ERR_MODEL,
             "input '%s' acts on '%s', which is not a velocity, wheel, rotor, tendon, "
             "port or aim of a servo%s",
             in->name, in->target, apl_nearest_text(&near, hint));
  }
  return apl_compile_blame(c, in->at);
}

static apl_status compile_inputs(compiler* c) {
  apl_model* m = c->m;
  const int n = c->spec->ninput;
  apl_input* input = apl_pool_take(&m->pool, sizeof *input * (size_t)(n + 1));
  const char** name = apl_pool_take(&m->pool, sizeof *name * (size_t)(n + 1));
  if (input == NULL || name == NULL) {
    return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling the inputs");
  }

  for (int i = 0; i < n; ++i) {
    const spec_input* in = &c->spec->input[i];
    const int gain = take(c, 1);
    apl_status st = APL_OK;
    if (!find_aim(c, in, input, i, &input[i], &st)) st = find_target(c, in, &input[i]);
    if (st != APL_OK) return st;

    c->par[gain] = in->gain;
    input[i].gain = gain;
    if (in->push) {
      const double W[6] = {in->wrench.moment.x, in->wrench.moment.y, in->wrench.moment.z,
                           in->wrench.force.x,  in->wrench.force.y,  in->wrench.force.z};
      input[i].wrench = put_numbers(c, W, 6);
      input[i].world = in->axes == APL_WORLD_AXES;
      m->npush += 1;
    }
    name[i] = apl_pool_text(&m->pool, in->name);
    if (name[i] == NULL) {
      return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling the inputs");
    }
  }
  m->input = input;
  m->input_name = name;
  m->ninput = n;
  return APL_OK;
}

/* -------------------------------------------------------------------------- the whole of it ----
 */

static int larger(int a, int b) {
  return a > b ? a : b;
}

/* Upper bound of the items requested from a list at once: the numbers of a kind, the columns of one
   element. If memory runs out within a link, all indices up to it are still valid. */
static int most_at_once(const apl_spec* s) {
  int most = 256;

  for (int i = 0; i < s->nlink; ++i) {
    const spec_link* l = s->link[i];
    const apl_body_plan plan = body_plan(l);
    int sections = 1 + l->nport;
    double station;
    while (apl_compile_tendon_station(s, l, sections - 1 - l->nport, &station))
      ++sections;
    most = larger(most, larger(joint_kind(l)->npar, plan.npar));
    most = larger(most, larger(1 + plan.nsection, plan.drawn * plan.nsection));
    most = larger(most, larger(joint_kind(l)->nv, plan.nx * sections));
  }
  return most;
}

static bool allocate(compiler* c) {
  const apl_spec* s = c->spec;
  apl_pool* pool = &c->m->pool;
  const int links = s->nlink;

  c->m->nlink = links;
#define LIST(p, n) ((p) = apl_pool_take(pool, sizeof *(p) * (size_t)((n) + 1))) != NULL
  const char** name;
  apl_mark* mark;
  const bool ok = LIST(c->link, links) && LIST(c->order, links) && LIST(c->info, links) &&
                  LIST(c->inertial, 10 * links) && LIST(name, links) && LIST(mark, links);
#undef LIST
  if (!ok || !apl_lists_open(c, most_at_once(s))) return false;

  apl_model* m = c->m;
  for (int i = 0; i < links; ++i) {
    name[i] = apl_pool_text(pool, s->link[i]->name);
    if (name[i] == NULL) return false;
    mark[i] = s->link[i]->mark.link;
  }
  m->link_mark = mark;
  m->link = c->info;
  m->inertial = c->inertial;
  m->link_name = name;
  return true;
}

static apl_status compile(compiler* c) {
  apl_model* m = c->m;
  apl_status st = c->spec->error.status;

  if (st != APL_OK) {
    if (c->err != NULL) *c->err = c->spec->error;
    return st;
  }
  if (!allocate(c)) return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling");

  st = apl_compile_names(c);
  if (st != APL_OK) return st;

  /* gravity first, then the world's frame */
  const int g = take(c, 3);
  c->par[g] = c->spec->gravity.x;
  c->par[g + 1] = c->spec->gravity.y;
  c->par[g + 2] = c->spec->gravity.z;
  apl_compile_frame(c, -1);
  c->frame_column[0] = WAY_END;

  m->rigid_tree = 1;
  if (!apl_compile_coordinates(c)) {
    return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling");
  }
  c->velocity_node = apl_pool_take(&m->pool, sizeof *c->velocity_node * (size_t)(m->nv + 1));
  m->velocity_node = c->velocity_node;
  apl_compile_next(c, LIST_COLUMNS, m->nv);
  if (c->velocity_node == NULL || c->out_of_memory)
    return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling");
  for (int k = 0; k < m->nlink; ++k) {
    st = compile_link(c, c->order[k]);
    if (st != APL_OK) return st;
  }
  m->plain = m->nq == m->nv && m->nsat == 0;
  for (int i = 0; i < m->nnode; ++i)
    m->plain = m->plain && (!has_joint(&c->node[i]) || apl_joint_kinds[c->node[i].joint]->plain);
  st = apl_compile_tendons(c);
  if (st == APL_OK) st = compile_inputs(c);
  if (st == APL_OK) st = apl_compile_solids(c);
  if (st == APL_OK) st = apl_compile_contacts(c);
  if (st == APL_OK) st = apl_compile_loops(c);
  if (st == APL_OK) st = apl_compile_chord(c);
  if (st == APL_OK) st = apl_compile_flat(c);
  if (st == APL_OK && (c->out_of_memory || !apl_lists_keep(c)))
    st = apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling");
  return st;
}

apl_status apl_model_compile(const apl_spec* spec, apl_model** out, apl_error* err) {
  *out = NULL;
  apl_model* m = calloc(1, sizeof *m);
  if (m == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory while compiling");

  compiler c = {.spec = spec, .m = m, .err = err};
  m->weightless = -1;
  const apl_status st = compile(&c);
  apl_lists_close(&c);
  if (st != APL_OK) {
    apl_model_free(m);
    return st;
  }
  *out = m;
  return APL_OK;
}

void apl_model_free(apl_model* m) {
  if (m == NULL) return;
  apl_pool_free(&m->pool);
  free(m);
}
