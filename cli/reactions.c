/* reactions.c: channels NAME.effort of prescribed velocities, LINK.ground.* of joints that roll and
   LINK.WHEEL.* of their wheels; and the warnings at the end of a run. */
#include "cli/reactions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Something that must not happen: since when, and where it was worst. */
typedef struct watch {
  bool seen;
  double first, worst, at;
} watch;

typedef struct ground_watch {
  watch slips, lifts, tips;
} ground_watch;

struct cli_reactions {
  const apl_model* model;
  int n, room;
  apl_channel* channel;
  bool* given; /* [nv] prescribed velocities                                                 */
  int nground;
  apl_ground* ground;
  ground_watch* watch;
  double* rate; /* scratch of the system's size                                                  */
  int nrate;
};

/* -------------------------------------------------------------------------------- channels ---- */

static bool add(cli_reactions* r, const char* name, const char* part, const char* unit,
                const char* sentence) {
  const size_t n = strlen(name) + strlen(part) + 1;
  char* text = malloc(n);

  if (r->n == r->room) {
    const int room = 2 * r->room + 16;
    apl_channel* more = realloc(r->channel, sizeof *more * (size_t)room);
    if (more != NULL) r->channel = more, r->room = room;
  }
  if (text == NULL || r->n == r->room) {
    free(text);
    return false;
  }
  snprintf(text, n, "%s%s", name, part);
  r->channel[r->n++] = (apl_channel){text, unit, sentence};
  return true;
}

static void find_given(const apl_model* m, bool* given) {
  for (int i = 0; i < apl_model_nlink(m); ++i) {
    const apl_link_info l = apl_model_link_info(m, i);
    for (int k = 0; l.joint_prescribed && k < l.nv; ++k)
      given[l.v0 + k] = true;
    for (int k = 0; l.body_prescribed && k < l.nx; ++k)
      given[l.xv0 + k] = true;
  }
}

/* The same order as fill_ground(). */
static bool add_ground(cli_reactions* r, int k) {
  const apl_ground* g = &r->ground[k];
  const char* link = apl_model_link_name(r->model, apl_model_ground_link(r->model, k));
  bool ok = add(r, link, ".ground.normal", "N", "normal force of the ground") &&
            add(r, link, ".ground.lateral", "N", "force of the ground to the left") &&
            add(r, link, ".ground.friction", "1", "friction needed: tangential over normal");

  if (g->ncontact > 1) {
    ok = ok && add(r, link, ".ground.pressure-x", "m", "centre of pressure, forward") &&
         add(r, link, ".ground.pressure-y", "m", "centre of pressure, to the left") &&
         add(r, link, ".ground.margin", "m", "how far it is inside the wheels; negative: tips");
  }
  for (int c = 0; c < g->ncontact; ++c) {
    const int wheel = g->contact[c].satellite;
    const char* name = apl_model_satellite_name(r->model, wheel);
    if (wheel < 0) continue;
    ok = ok &&
         add(r, name, ".traction", "N", "force of the ground along the wheel or its roller") &&
         add(r, name, ".load", "N", "normal force on the wheel") &&
         add(r, name, ".torque", "N m", "torque that drives the wheel") &&
         add(r, name, ".angle", "rad", "by which the wheel has turned");
  }
  return ok;
}

static double* fill_ground(const apl_ground* g, const double* angle, double* row) {
  *row++ = g->normal;
  *row++ = g->lateral;
  *row++ = g->friction;
  if (g->ncontact > 1) {
    *row++ = g->pressure[0];
    *row++ = g->pressure[1];
    *row++ = g->margin;
  }
  for (int c = 0; c < g->ncontact; ++c) {
    if (g->contact[c].satellite < 0) continue;
    *row++ = g->contact[c].traction;
    *row++ = g->contact[c].normal;
    *row++ = g->contact[c].torque;
    *row++ = angle[g->contact[c].satellite];
  }
  return row;
}

/* Which wheels there are does not depend on the state: ask for them at rest. */
static bool ask_grounds(cli_reactions* r) {
  apl_state* s = NULL;
  apl_status st = apl_state_new(r->model, APL_SCALAR, &s);

  if (st == APL_OK) st = apl_ground_reactions(r->model, s, r->ground);
  apl_state_free(s);
  if (st == APL_ERR_ARGUMENT) r->nground = 0; /* too many of them */
  return st != APL_ERR_MEMORY;
}

cli_reactions* cli_reactions_new(const apl_model* m) {
  const int nv = apl_model_nv(m), ng = apl_model_nground(m);
  cli_reactions* r = calloc(1, sizeof *r);
  if (r == NULL) return NULL;

  r->model = m;
  r->nground = ng;
  r->nrate = apl_model_nq(m) + nv + apl_model_nsatellite(m) + APL_NACCOUNT + 6;
  r->given = calloc((size_t)nv + 1, sizeof *r->given);
  r->ground = calloc((size_t)ng + 1, sizeof *r->ground);
  r->watch = calloc((size_t)ng + 1, sizeof *r->watch);
  r->rate = calloc((size_t)r->nrate, sizeof *r->rate);
  bool ok = r->given != NULL && r->ground != NULL && r->watch != NULL && r->rate != NULL &&
            (ng == 0 || ask_grounds(r));
  if (ok) find_given(m, r->given);
  for (int v = 0; ok && v < nv; ++v) {
    if (r->given[v])
      ok = add(r, apl_model_velocity_name(m, v), ".effort", apl_model_effort_unit(m, v),
               "effort that the prescribed motion takes");
  }
  for (int k = 0; ok && k < r->nground; ++k)
    ok = add_ground(r, k);
  if (ok) return r;
  cli_reactions_free(r);
  return NULL;
}

void cli_reactions_free(cli_reactions* r) {
  if (r == NULL) return;
  for (int i = 0; i < r->n; ++i)
    free((void*)(size_t)r->channel[i].name);
  free(r->channel);
  free(r->given);
  free(r->ground);
  free(r->watch);
  free(r->rate);
  free(r);
}

int cli_reactions_count(const cli_reactions* r) {
  return r->n;
}

void cli_reactions_channels(const cli_reactions* r, apl_channel* out) {
  for (int i = 0; i < r->n; ++i)
    out[i] = r->channel[i];
}

/* ------------------------------------------------------------------------- rows, warnings ---- */

static void look(watch* w, double t, double excess, double value) {
  if (!(excess > 0.0)) return;
  if (!w->seen) *w = (watch){true, t, value, t};
  if (fabs(value) > fabs(w->worst)) w->worst = value, w->at = t;
}

/* Without weight there is nothing to lift: round-off must not warn. */
static void look_at(ground_watch* w, const apl_ground* g, double t) {
  const double noise = 1e-9 * (hypot(g->forward, g->lateral) + 1.0);

  look(&w->lifts, t, -g->normal - noise, g->normal);
  if (!(g->normal > noise)) return;
  if (g->limit > 0.0) look(&w->slips, t, g->friction - g->limit, g->friction);
  if (g->ncontact > 1) look(&w->tips, t, -g->margin - 1e-9, g->margin);
}

apl_status cli_reactions_row(cli_reactions* r, double t, const double* y, apl_system* system,
                             double* row) {
  apl_state* state = apl_system_state(system);
  const double* angle = y + apl_model_nq(r->model) + apl_model_nv(r->model); /* of wheels */
  if (r->n == 0 || apl_system_size(system) > r->nrate) return APL_OK;

  apl_status st = apl_system_rate(t, y, r->rate, system);
  if (st == APL_OK && r->nground > 0) st = apl_ground_reactions(r->model, state, r->ground);
  if (st != APL_OK) return st;
  for (int v = 0; v < apl_model_nv(r->model); ++v) {
    if (r->given[v]) *row++ = apl_tau(state)[v];
  }
  for (int k = 0; k < r->nground; ++k) {
    row = fill_ground(&r->ground[k], angle, row);
    look_at(&r->watch[k], &r->ground[k], t);
  }
  return APL_OK;
}

/* The next sentence to write, NULL when there is no reason or no room. */
static cli_warning* next(cli_warning* out, int* n, int most, const watch* w, const char* link,
                         const char* what) {
  if (!w->seen || *n == most) return NULL;
  cli_warning* one = &out[(*n)++];
  snprintf(one->key, sizeof one->key, "warning.%.40s.%s", link, what);
  one->worst = w->worst;
  return one;
}

int cli_reactions_warnings(const cli_reactions* r, cli_warning* out, int most) {
  int n = 0;

  for (int k = 0; k < r->nground; ++k) {
    const char* link = apl_model_link_name(r->model, apl_model_ground_link(r->model, k));
    const ground_watch* w = &r->watch[k];
    const watch *s = &w->slips, *l = &w->lifts, *t = &w->tips;
    cli_warning* one;

    if ((one = next(out, &n, most, s, link, "friction")) != NULL) {
      snprintf(one->text, sizeof one->text,
               "%.40s rolls on more friction than the stated %.4g, first at t = %.6g s; at worst "
               "it needs %.4g, at t = %.6g s",
               link, r->ground[k].limit, s->first, s->worst, s->at);
    }
    if ((one = next(out, &n, most, l, link, "normal")) != NULL) {
      snprintf(one->text, sizeof one->text,
               "the ground would have to hold %.40s down, first at t = %.6g s; at worst by %.4g N, "
               "at t = %.6g s",
               link, l->first, -l->worst, l->at);
    }
    if ((one = next(out, &n, most, t, link, "margin")) != NULL) {
      snprintf(one->text, sizeof one->text,
               "%.40s would tip over, first at t = %.6g s; at worst its centre of pressure is "
               "%.4g m outside its wheels, at t = %.6g s",
               link, t->first, -t->worst, t->at);
    }
  }
  return n;
}
