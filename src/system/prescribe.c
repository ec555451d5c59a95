/* SPDX-License-Identifier: Apache-2.0 */
/* prescribe.c: the caller gives signals to inputs and to prescribed motions, aims to servos, and
   holds velocities at zero. What they are at a time: drive.c. */
#include "system/system_impl.h"

#include "base/error.h"
#include "signal/signals.h"
#include "system/system.h"

#include <math.h>

/* ---------------------------------------------------------------------------------- inputs ---- */

apl_status apl_system_input(apl_system* s, int input, apl_signal* signal, apl_error* err) {
  if (s == NULL) {
    apl_signal_free(signal);
    return apl_fail(err, APL_ERR_ARGUMENT, "apl_system_input() needs a system");
  }
  if (input < 0 || input >= s->nu) {
    apl_signal_free(signal);
    return apl_fail(err, APL_ERR_ARGUMENT, "there is no input number %d", input);
  }
  apl_signal_free(s->drives.input[input]);
  s->drives.input[input] = signal;
  /* the aim of a servo without a signal is constant */
  const apl_input* in = &s->model->input[input];
  if (signal == NULL && in->kind == INPUT_AIM) apl_aim(s->state)[s->nv + in->target] = 0.0;
  apl_system_forget_signals(s);
  return APL_OK;
}

apl_status apl_system_input_limit(apl_system* s, int input, double least, double greatest,
                                  apl_error* err) {
  if (input < 0 || input >= s->nu) {
    return apl_fail(err, APL_ERR_ARGUMENT, "there is no input number %d", input);
  }
  if (!(least <= greatest)) {
    return apl_fail(err, APL_ERR_MODEL, "input '%s': its least value %g is above its greatest %g",
                    apl_model_name(s->model, APL_INPUTS, input), least, greatest);
  }
  s->drives.least[input] = least;
  s->drives.greatest[input] = greatest;
  s->revision += 1;
  return APL_OK;
}

apl_status apl_system_input_speed(apl_system* s, int input, int velocity, double speed,
                                  apl_error* err) {
  if (input < 0 || input >= s->nu || velocity < 0 || velocity >= s->nv || speed == 0.0)
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "there is no such input or velocity, or the speed is zero");
  if (!isfinite(s->drives.least[input]) || !isfinite(s->drives.greatest[input])) {
    return apl_fail(err, APL_ERR_MODEL, "input '%s': a largest speed needs a largest effort",
                    apl_model_name(s->model, APL_INPUTS, input));
  }
  s->drives.slow[input] = 1.0 / speed;
  s->drives.slow_by[input] = velocity;
  s->revision += 1;
  return APL_OK;
}

void apl_system_input_bounds(const apl_system* s, int input, double* least, double* greatest) {
  const bool known = s != NULL && input >= 0 && input < s->nu;

  if (least != NULL) *least = known ? s->drives.least[input] : -HUGE_VAL;
  if (greatest != NULL) *greatest = known ? s->drives.greatest[input] : HUGE_VAL;
}

/* --------------------------------------------------------------------------------- motions ---- */

/* Is this velocity prescribed in the model? Also finds the coordinate that goes with it, if any,
   and whether it has a servo instead. */
static bool prescribed(const apl_system* s, int velocity, int* coordinate, bool* servo) {
  const apl_model* m = s->model;

  *coordinate = -1;
  *servo = false;
  for (int i = 0; i < apl_model_count(s->model, APL_LINKS); ++i) {
    const apl_link_info l = apl_model_link_info(s->model, i);
    const int j = velocity - l.v0, x = velocity - l.xv0;

    if (j >= 0 && j < l.nv) {
      /* in other joints a coordinate with the name of the velocity belongs to it: the steering of a
         car, the lean of a disc */
      const int same =
          apl_model_find(m, APL_COORDINATES, apl_model_name(m, APL_VELOCITIES, velocity));
      if (l.plain || (same >= l.q0 && same < l.q0 + l.nq)) *coordinate = l.plain ? l.q0 + j : same;
      *servo = l.servo;
      return l.joint_prescribed;
    }
    if (x >= 0 && x < l.nx) {
      *coordinate = l.xq0 + x;
      return l.body_prescribed;
    }
  }
  return false;
}

/* Append a signal to a list of motions or aims; a velocity cannot have two. */
static apl_status add_drive(apl_system* s, drive* list, int* n, drive d, apl_error* err) {
  for (int i = 0; i < *n; ++i) {
    if (list[i].velocity == d.velocity) {
      apl_signal_free(d.signal);
      return apl_fail(err, APL_ERR_MODEL, "'%s' has two motions: remove one",
                      apl_model_name(s->model, APL_VELOCITIES, d.velocity));
    }
  }
  list[(*n)++] = d;
  apl_system_forget_signals(s);
  return APL_OK;
}

static apl_status prescribe(apl_system* s, drive d, apl_error* err) {
  const int needed = d.coordinate >= 0 ? 1 : 0;

  if (apl_signal_smoothness(d.signal) < needed) {
    apl_signal_free(d.signal);
    return apl_fail(
        err, APL_ERR_MODEL, "the motion of '%s' must have a continuous %s: use a blend or a sine",
        apl_model_name(s->model, APL_VELOCITIES, d.velocity), needed == 1 ? "rate" : "value");
  }
  return add_drive(s, s->drives.motion, &s->drives.nmotion, d, err);
}

/* Has the servo of this velocity damping only? With stiffness its aim must be a position. */
static bool turns_only(const apl_system* s, int velocity) {
  const apl_model* m = s->model;
  const apl_node* n = &m->node[m->velocity_node[velocity]];
  const double *kp = m->par + n->servo + (velocity - n->v0), *ki = kp + 4 * n->nv;

  return *kp == 0.0 && *ki == 0.0;
}

apl_status apl_system_velocity(apl_system* s, int velocity, apl_signal* signal, apl_error* err) {
  int coordinate;
  bool servo;

  const bool given =
      velocity >= 0 && velocity < s->nv && prescribed(s, velocity, &coordinate, &servo);
  if (velocity >= 0 && velocity < s->nv && !given && servo && turns_only(s, velocity))
    return add_drive(s, s->drives.aim, &s->drives.naim, (drive){-1, velocity, signal}, err);
  if (!given) {
    const char* name = apl_model_name(s->model, APL_VELOCITIES, velocity);
    apl_signal_free(signal);
    return apl_fail(err, APL_ERR_MODEL,
                    "'%s' is not a prescribed velocity, nor that of a servo with damping only",
                    name ? name : "");
  }
  return prescribe(s, (drive){-1, velocity, signal}, err);
}

apl_status apl_system_motion(apl_system* s, int coordinate, apl_signal* signal, apl_error* err) {
  if (s == NULL || signal == NULL) {
    apl_signal_free(signal);
    return apl_fail(err, APL_ERR_ARGUMENT, "apl_system_motion() needs a system and a signal");
  }
  for (int v = 0; v < s->nv; ++v) {
    int q;
    bool servo;
    const bool given = prescribed(s, v, &q, &servo);
    if (q != coordinate || q < 0) continue;
    if (given) return prescribe(s, (drive){q, v, signal}, err);
    if (servo) return add_drive(s, s->drives.aim, &s->drives.naim, (drive){q, v, signal}, err);
  }
  const char* name = apl_model_name(s->model, APL_COORDINATES, coordinate);
  apl_signal_free(signal);
  return apl_fail(err, APL_ERR_MODEL,
                  "'%s' cannot be given a motion: its joint needs `prescribed: true` or a `servo`; "
                  "of a joint that rolls only velocities can be prescribed",
                  name ? name : "");
}

int apl_system_undriven(const apl_system* s, int from) {
  for (int v = from; v < s->nv; ++v) {
    bool driven = false, servo;
    int q;

    for (int i = 0; i < s->drives.nmotion; ++i)
      driven = driven || s->drives.motion[i].velocity == v;
    if (prescribed(s, v, &q, &servo) && !driven) return v;
  }
  return -1;
}

apl_status apl_system_check(const apl_system* s, apl_error* err) {
  const int v = apl_system_undriven(s, 0);

  if (v < 0) return APL_OK;
  return apl_fail(err, APL_ERR_MODEL, "'%s' is prescribed but has no motion",
                  apl_model_name(s->model, APL_VELOCITIES, v));
}

/* ----------------------------------------------------------------------------------- holds ---- */

apl_status apl_system_hold(apl_system* s, int velocity, bool on, apl_error* err) {
  if (s == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT, "apl_system_hold() needs a system");
  }
  int k = 0;

  if (velocity < 0 || velocity >= s->nv) {
    return apl_fail(err, APL_ERR_ARGUMENT, "there is no velocity number %d", velocity);
  }
  while (k < s->holds.n && s->holds.velocity[k] != velocity)
    ++k;
  s->revision += 1;
  if (!on) {
    if (k == s->holds.n) return APL_OK;
    s->kinds.switched += 1;
    s->holds.n -= 1; /* the last entry moves to its place */
    s->holds.velocity[k] = s->holds.velocity[s->holds.n];
    s->holds.effort[k] = s->holds.effort[s->holds.n];
  } else if (k == s->holds.n) {
    s->kinds.switched += 1;
    s->holds.effort[s->holds.n] = 0.0;
    s->holds.velocity[s->holds.n++] = velocity;
  }
  apl_couplings_wake(s);
  return APL_OK;
}

/* Two numbers for each velocity: that of the k-th hold counted from 1, or 0 where the list has
   ended, and its effort. The order of the list is kept, because it is the order of the rows. */
int apl_system_holds_size(const apl_system* s) {
  return 2 * s->nv;
}

void apl_system_holds_memory(apl_system* s, apl_store* m) {
  system_holds* h = &s->holds;
  const int n = h->n;

  if (m->out == NULL) {
    s->revision += 1;
    s->kinds.switched += 1;
    h->n = 0;
  }
  for (int k = 0; k < s->nv; ++k) {
    int held = m->out != NULL && k < n ? 1 + h->velocity[k] : 0;
    double effort = m->out != NULL && k < n ? h->effort[k] : 0.0;
    bool twice = false;

    apl_store_int(m, &held, 0, s->nv, "a velocity that is held");
    for (int i = 0; i < h->n && m->out == NULL; ++i)
      twice = twice || h->velocity[i] == held - 1;
    if (twice || (m->out == NULL && held > 0 && h->n < k))
      apl_store_refuse(m, "a velocity that is held", held);
    apl_store_number(m, &effort, "the effort of a held velocity");
    if (m->out != NULL || held == 0 || m->bad != NULL) continue;
    h->velocity[h->n] = held - 1;
    h->effort[h->n++] = effort;
  }
  apl_couplings_wake(s);
}

double apl_system_held(const apl_system* s, int velocity) {
  if (s == NULL) return 0.0;
  for (int k = 0; k < s->holds.n; ++k) {
    if (s->holds.velocity[k] == velocity) return s->holds.effort[k];
  }
  return 0.0;
}
