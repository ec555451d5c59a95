/* SPDX-License-Identifier: Apache-2.0 */
/* linearize_names.c: states, inputs and outputs of a linear system and their names. */
#include "analyse/linearize.h"

#include "base/error.h"
#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

static const char* join(apl_pool* pool, const char* name, const char* ending) {
  const size_t n = strlen(name) + strlen(ending) + 1;
  char* text = apl_pool_take(pool, n);

  if (text != NULL) snprintf(text, n, "%s%s", name, ending);
  return text;
}

static bool take_list(apl_pool* pool, linear_list* l, int most) {
  l->part = apl_pool_take(pool, sizeof *l->part * ((size_t)most + 1));
  l->name = apl_pool_take(pool, sizeof *l->name * ((size_t)most + 1));
  l->unit = apl_pool_take(pool, sizeof *l->unit * ((size_t)most + 1));
  return l->part != NULL && l->name != NULL && l->unit != NULL;
}

static void add_part(linear_list* l, linear_kind kind, int of, int axis, const char* name,
                     const char* unit) {
  l->part[l->n] = (linear_part){kind, of, axis};
  l->name[l->n] = name;
  l->unit[l->n++] = unit;
}

/* ------------------------------------------------------------------------------- states ---- */

/* Directions have the names of coordinates; those of a quaternion are rotations about body axes. */
static void add_directions(linear_work* w, const apl_node* n) {
  static const char* const turn[] = {".turn-x", ".turn-y", ".turn-z"};
  const apl_model* m = w->system->model;
  const int plain = n->nq == n->nt ? n->nt : n->nt - 3;

  for (int k = 0; k < n->nt; ++k) {
    const int q = n->q0 + (k < plain ? k : plain);
    const char* name = apl_model_name(m, APL_COORDINATES, q);
    const char* dot = strrchr(name, '.');
    if (k < plain) {
      add_part(&w->x, LINEAR_DIRECTION, n->t0 + k, 0, name, apl_model_unit(m, APL_COORDINATES, q));
      continue;
    }
    /* ball.joint.qw gives ball.joint.turn-x */
    char* stem = apl_pool_text(&w->pool, name);
    if (stem != NULL && dot != NULL) stem[dot - name] = '\0';
    add_part(&w->x, LINEAR_DIRECTION, n->t0 + k, 0,
             stem == NULL ? NULL : join(&w->pool, stem, turn[k - plain]), "rad");
  }
}

static void add_velocities(linear_work* w, int first, int n) {
  const apl_model* m = w->system->model;

  for (int i = first; i < first + n; ++i) {
    add_part(&w->x, LINEAR_VELOCITY, i, 0,
             join(&w->pool, apl_model_name(m, APL_VELOCITIES, i), ".rate"),
             apl_model_unit(m, APL_VELOCITIES, i));
  }
}

static bool list_states(linear_work* w) {
  static const char* const bristle[] = {".bristle-1", ".bristle-2"};
  const apl_system* s = w->system;
  const apl_model* m = s->model;

  if (!take_list(&w->pool, &w->x, m->nt + m->nv + s->nz)) return false;
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    if (!n->joint_prescribed) add_directions(w, n);
    for (int k = 0; k < n->nx && !n->body_prescribed; ++k) {
      add_part(&w->x, LINEAR_DIRECTION, n->xt0 + k, 0,
               apl_model_name(m, APL_COORDINATES, n->xq0 + k),
               apl_model_unit(m, APL_COORDINATES, n->xq0 + k));
    }
  }
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    if (!n->joint_prescribed) add_velocities(w, n->v0, n->nv);
    if (!n->body_prescribed) add_velocities(w, n->xv0, n->nx);
  }
  for (int i = 0; i < m->npair; ++i) {
    for (int k = 0; k < 2 && m->pair[i].bristles && !apl_system_is_free(s, i); ++k) {
      const char* name = join(&w->pool, apl_model_name(m, APL_CONTACTS, i), bristle[k]);
      add_part(&w->x, LINEAR_BRISTLE, i, k, name, "m");
    }
  }
  for (int i = 0; i < s->drives.nintegral; ++i) {
    const char* name = apl_model_name(m, APL_COORDINATES, s->drives.integral[i].coordinate);
    add_part(
        &w->x, LINEAR_SUM, i, 0, join(&w->pool, name, ".sum"),
        join(&w->pool, apl_model_unit(m, APL_COORDINATES, s->drives.integral[i].coordinate), " s"));
  }
  return !w->pool.failed;
}

/* ------------------------------------------------------------------------------- inputs ---- */

static bool is_given(const apl_model* m, int velocity) {
  const apl_node* n = &m->node[m->velocity_node[velocity]];
  const bool joint = velocity >= n->v0 && velocity < n->v0 + n->nv;
  return joint ? n->joint_prescribed : n->body_prescribed;
}

static void add_input(linear_work* w, int i) {
  const apl_model* m = w->system->model;
  const apl_input* in = &m->input[i];
  const char* unit = "1";

  if (in->kind == INPUT_VELOCITY) unit = apl_model_unit(m, APL_EFFORTS, in->target);
  if (in->kind == INPUT_SATELLITE) unit = "N m";
  if (in->kind == INPUT_TENDON) unit = apl_model_unit(m, APL_TENDONS, in->target);
  if (input_is_aim(in)) unit = apl_model_unit(m, APL_INPUTS, i);
  add_part(&w->u, LINEAR_INPUT, i, 0, apl_model_name(m, APL_INPUTS, i), unit);
}

static apl_status add_named_input(linear_work* w, const char* name, apl_error* err) {
  const apl_model* m = w->system->model;
  apl_nearest near = {name, NULL, 0};
  char hint[96];
  const int i = apl_model_find(m, APL_INPUTS, name);

  if (i >= 0) {
    add_input(w, i);
    return APL_OK;
  }
  for (int v = 0; v < m->nv; ++v) {
    const char* effort = join(&w->pool, apl_model_name(m, APL_VELOCITIES, v), ".effort");
    if (effort == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory");
    if (strcmp(effort, name) == 0 && !is_given(m, v)) {
      add_part(&w->u, LINEAR_EFFORT, v, 0, effort, apl_model_unit(m, APL_EFFORTS, v));
      return APL_OK;
    }
    apl_nearest_offer(&near, effort);
  }
  for (int k = 0; k < m->ninput; ++k)
    apl_nearest_offer(&near, apl_model_name(m, APL_INPUTS, k));
  return apl_fail(err, APL_ERR_ARGUMENT, "there is no input '%.60s'%s", name,
                  apl_nearest_text(&near, hint));
}

static apl_status list_inputs(linear_work* w, const apl_linearize_options* o, apl_error* err) {
  const apl_model* m = w->system->model;
  apl_status st = APL_OK;

  if (!take_list(&w->pool, &w->u, o->ninput + m->ninput + m->nv))
    return apl_fail(err, APL_ERR_MEMORY, "out of memory");
  for (int i = 0; i < o->ninput && st == APL_OK; ++i)
    st = add_named_input(w, o->input[i], err);
  if (o->ninput > 0) return st;
  for (int i = 0; i < m->ninput; ++i)
    add_input(w, i);
  for (int v = 0; m->ninput == 0 && v < m->nv; ++v) {
    if (is_given(m, v)) continue;
    add_part(&w->u, LINEAR_EFFORT, v, 0,
             join(&w->pool, apl_model_name(m, APL_VELOCITIES, v), ".effort"),
             apl_model_unit(m, APL_EFFORTS, v));
  }
  return APL_OK;
}

/* ------------------------------------------------------------------------------ outputs ---- */

/* "arm.tip.position.x": a port and one of its quantities. */
static bool add_port(linear_work* w, const char* name) {
  static const struct {
    const char* ending;
    linear_kind kind;
    int axis;
    const char* unit;
  } known[] = {{".position.x", LINEAR_POSITION, 0, "m"}, {".position.y", LINEAR_POSITION, 1, "m"},
               {".position.z", LINEAR_POSITION, 2, "m"}, {".velocity.x", LINEAR_MOTION, 0, "m/s"},
               {".velocity.y", LINEAR_MOTION, 1, "m/s"}, {".velocity.z", LINEAR_MOTION, 2, "m/s"}};
  const size_t length = strlen(name);

  for (int i = 0; i < (int)(sizeof known / sizeof *known); ++i) {
    const size_t end = strlen(known[i].ending);
    if (length <= end || strcmp(name + length - end, known[i].ending) != 0) continue;
    char* stem = apl_pool_text(&w->pool, name);
    if (stem == NULL) return false;
    stem[length - end] = '\0';
    const int port = apl_model_find(w->system->model, APL_PORTS, stem);
    if (port < 0) return false;
    add_part(&w->y, known[i].kind, port, known[i].axis, apl_pool_text(&w->pool, name),
             known[i].unit);
    return true;
  }
  return false;
}

static apl_status add_output(linear_work* w, const char* name, apl_error* err) {
  const apl_model* m = w->system->model;
  apl_nearest near = {name, NULL, 0};
  char hint[96];
  const int q = apl_model_find(m, APL_COORDINATES, name);

  if (q >= 0) {
    add_part(&w->y, LINEAR_COORDINATE, q, 0, apl_model_name(m, APL_COORDINATES, q),
             apl_model_unit(m, APL_COORDINATES, q));
    return APL_OK;
  }
  for (int v = 0; v < m->nv; ++v) {
    const char* rate = join(&w->pool, apl_model_name(m, APL_VELOCITIES, v), ".rate");
    if (rate == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory");
    if (strcmp(rate, name) == 0) {
      add_part(&w->y, LINEAR_VELOCITY, v, 0, rate, apl_model_unit(m, APL_VELOCITIES, v));
      return APL_OK;
    }
    apl_nearest_offer(&near, rate);
  }
  if (add_port(w, name)) return APL_OK;
  for (int i = 0; i < m->nq; ++i)
    apl_nearest_offer(&near, apl_model_name(m, APL_COORDINATES, i));
  for (int i = 0; i < m->nport; ++i)
    apl_nearest_offer(&near, join(&w->pool, apl_model_name(m, APL_PORTS, i), ".position.x"));
  return apl_fail(
      err, APL_ERR_ARGUMENT,
      "there is no output '%.60s': outputs are coordinates, velocities (NAME.rate), and "
      "position.x or velocity.x of ports%s",
      name, apl_nearest_text(&near, hint));
}

static apl_status list_outputs(linear_work* w, const apl_linearize_options* o, apl_error* err) {
  const apl_model* m = w->system->model;
  apl_status st = APL_OK;

  if (!take_list(&w->pool, &w->y, o->noutput + m->nq))
    return apl_fail(err, APL_ERR_MEMORY, "out of memory");
  for (int i = 0; i < o->noutput && st == APL_OK; ++i)
    st = add_output(w, o->output[i], err);
  for (int q = 0; q < m->nq && o->noutput == 0; ++q) {
    add_part(&w->y, LINEAR_COORDINATE, q, 0, apl_model_name(m, APL_COORDINATES, q),
             apl_model_unit(m, APL_COORDINATES, q));
  }
  return st;
}

apl_status apl_linear_list(linear_work* w, const apl_linearize_options* o, apl_error* err) {
  if (!list_states(w)) return apl_fail(err, APL_ERR_MEMORY, "out of memory for a linear system");
  apl_status st = list_inputs(w, o, err);
  if (st == APL_OK) st = list_outputs(w, o, err);
  if (st == APL_OK && w->x.n == 0)
    return apl_fail(
        err, APL_ERR_ARGUMENT,
        "the robot has no degrees of freedom that can move, so there is nothing to linearize");
  return st == APL_OK && w->pool.failed ? apl_fail(err, APL_ERR_MEMORY, "out of memory") : st;
}
