/* SPDX-License-Identifier: Apache-2.0 */
/* ground.c: the part of the builder about grounds and contacts, and the check of the parameters
   of their laws. */
#include "spec/spec_impl.h"

#include "base/nearest.h"
#include "law/contact_law.h"
#include "spec/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

apl_surface apl_surface_default(void) {
  return (apl_surface){.normal = {0, 0, 1},
                       .law = "hertz",
                       .exponent = 1.5,
                       .rest_speed = 1e-3,
                       .start_depth = 1e-3,
                       .friction = "none",
                       .axes = "ground",
                       .backward = HUGE_VAL,
                       .across = HUGE_VAL,
                       .left = HUGE_VAL,
                       .right = HUGE_VAL,
                       .stribeck_exponent = 2.0};
}

const char* apl_normal_word(int i) {
  return i >= 0 && i < NORMAL_LAWS ? normal_table[i].word : NULL;
}
const char* apl_normal_title(int i) {
  return i >= 0 && i < NORMAL_LAWS ? normal_table[i].title : NULL;
}
const char* apl_friction_word(int i) {
  return i >= 0 && i < FRICTION_LAWS ? friction_table[i].word : NULL;
}
const char* apl_friction_title(int i) {
  return i >= 0 && i < FRICTION_LAWS ? friction_table[i].title : NULL;
}

/* Index of a law in a list; -1 if there is none: the error proposes the nearest name. */
static int find_law(apl_spec* s, const char* owner, const char* what, const char* word,
                    const char* (*list)(int)) {
  apl_nearest near = {.word = word == NULL ? "" : word};
  char hint[96];

  for (int i = 0; list(i) != NULL; ++i) {
    if (strcmp(list(i), near.word) == 0) return i;
    apl_nearest_offer(&near, list(i));
  }
  apl_fail(&s->error, APL_ERR_MODEL, "%s: there is no %s law '%.60s'%s", owner, what, near.word,
           apl_nearest_text(&near, hint));
  return -1;
}

/* A parameter of a law. A law that has the bit among its needs must be given the parameter. In
   the functions below, `owner` and `name` are the beginning of errors: "ground 'floor'". */
typedef struct need {
  unsigned bit;
  const char* name;
  double value, least, most; /* a valid value has least < value <= most */
} need;

static bool meets(apl_spec* s, const char* owner, const char* law, unsigned needs, const need* list,
                  int n) {
  for (int i = 0; i < n; ++i) {
    const bool needed = (needs & list[i].bit) != 0, given = list[i].value != 0.0;
    if (needed && !given) {
      apl_fail(&s->error, APL_ERR_MODEL, "%s: the law %s needs `%s`, %s", owner, law, list[i].name,
               list[i].most == 1.0 ? "in (0, 1]" : "a positive number");
      return false;
    }
    if ((given || needed) && !(isfinite(list[i].value) && list[i].value > list[i].least &&
                               list[i].value <= list[i].most)) {
      apl_fail(&s->error, APL_ERR_MODEL, "%s: %s must %s, got %g", owner, list[i].name,
               list[i].most == 1.0 ? "lie in (0, 1]" : "be positive", list[i].value);
      return false;
    }
  }
  return true;
}

static bool normal_ok(apl_spec* s, const char* name, const apl_surface* g) {
  const int law = find_law(s, name, "normal", g->law, apl_normal_word);
  const need list[] = {
      {NEEDS_STIFFNESS, "stiffness", g->stiffness, 0.0, HUGE_VAL},
      {NEEDS_STIFFNESS, "exponent", g->exponent, 0.0, HUGE_VAL},
      {NEEDS_RESTITUTION, "restitution", g->restitution, 0.0, 1.0},
      {NEEDS_DAMPING, "damping", g->damping, 0.0, HUGE_VAL},
      {~0u, "rest-speed", g->rest_speed, 0.0, HUGE_VAL},
      {~0u, "start-depth", g->start_depth, 0.0, HUGE_VAL},
  };

  if (law < 0) return false;
  if (law != NORMAL_RESTITUTION && g->exponent < 1.0) {
    apl_fail(&s->error, APL_ERR_MODEL, "%s: exponent must be at least 1, got %g", name,
             g->exponent);
    return false;
  }
  return meets(s, name, g->law, normal_table[law].needs, list, 6);
}

/* The law viscous needs a drag, a coefficient per speed, or both. Dry friction in addition needs
   v0, which smooths it at zero speed. */
static bool viscous_ok(apl_spec* s, const char* name, const apl_surface* g) {
  if (g->drag == 0.0 && g->drag_across == 0.0 && g->viscous == 0.0) {
    apl_fail(&s->error, APL_ERR_MODEL,
             "%s: the law viscous needs `drag` in N s/m or `viscous` in s/m, a positive "
             "number",
             name);
  } else if (g->coefficient != 0.0 && g->v0 == 0.0) {
    apl_fail(&s->error, APL_ERR_MODEL,
             "%s: the law viscous with a coefficient needs `v0`, a positive number", name);
  }
  return s->error.status == APL_OK;
}

static bool axes_ok(apl_spec* s, const char* name, const apl_surface* g) {
  if (g->axes != NULL && (strcmp(g->axes, "ground") == 0 || strcmp(g->axes, "link") == 0))
    return true;
  apl_fail(&s->error, APL_ERR_MODEL, "%s: friction has axes `ground` or `link`, not '%.60s'", name,
           g->axes == NULL ? "" : g->axes);
  return false;
}

bool apl_surface_has_directions(const apl_surface* g) {
  return isfinite(g->backward) || isfinite(g->across) || isfinite(g->left) || isfinite(g->right);
}

/* Coefficients of single directions must not be negative. HUGE_VAL means that there is none. */
static bool directions_ok(apl_spec* s, const char* owner, const apl_surface* g) {
  const struct {
    const char* name;
    double value;
  } list[] = {
      {"backward", g->backward}, {"across", g->across}, {"left", g->left}, {"right", g->right}};

  for (size_t i = 0; i < sizeof list / sizeof *list; ++i) {
    if (list[i].value >= 0.0) continue;
    apl_fail(&s->error, APL_ERR_MODEL, "%s: %s must not be negative, got %g", owner, list[i].name,
             list[i].value);
    return false;
  }
  return true;
}

static bool friction_ok(apl_spec* s, const char* name, const apl_surface* g) {
  const int law = find_law(s, name, "friction", g->friction, apl_friction_word);
  const need list[] = {
      {NEEDS_COEFFICIENT, "coefficient", g->coefficient, 0.0, HUGE_VAL},
      {NEEDS_V0, "v0", g->v0, 0.0, HUGE_VAL},
      {NEEDS_V1, "v1", g->v1, 0.0, HUGE_VAL},
      {0, "viscous", g->viscous, 0.0, HUGE_VAL},
      {0, "drag", g->drag, 0.0, HUGE_VAL},
      {0, "drag-across", g->drag_across, 0.0, HUGE_VAL},
      {NEEDS_STRIBECK, "stribeck-speed", g->stribeck_speed, 0.0, HUGE_VAL},
      {NEEDS_STRIBECK, "stribeck-exponent", g->stribeck_exponent, 0.0, HUGE_VAL},
      {NEEDS_BRISTLES, "bristle-stiffness", g->bristle_stiffness, 0.0, HUGE_VAL},
      {0, "bristle-damping", g->bristle_damping, 0.0, HUGE_VAL},
      {0, "stiction", g->stiction, 0.0, HUGE_VAL},
      {0, "decay", g->decay, 0.0, HUGE_VAL},
  };

  if (law < 0 ||
      !meets(s, name, g->friction, friction_table[law].needs, list,
             (int)(sizeof list / sizeof *list)) ||
      !directions_ok(s, name, g))
    return false;
  if (law == FRICTION_VISCOUS) return viscous_ok(s, name, g);
  if (g->drag != 0.0 || g->drag_across != 0.0) {
    apl_fail(&s->error, APL_ERR_MODEL,
             "%s: drag is for the law viscous, not for %s; `viscous` is a coefficient per speed",
             name, g->friction);
  } else if (law == FRICTION_LUGRE && apl_surface_has_directions(g)) {
    apl_fail(&s->error, APL_ERR_MODEL,
             "%s: lugre has one coefficient for all directions; backward, across, left and right "
             "do not apply to it",
             name);
  } else if (law == FRICTION_AMBROSIO && !(g->v1 > g->v0)) {
    apl_fail(&s->error, APL_ERR_MODEL, "%s: v1 must be above v0, got %g and %g", name, g->v1,
             g->v0);
  } else if (g->stiction != 0.0 && g->stiction < g->coefficient) {
    apl_fail(&s->error, APL_ERR_MODEL, "%s: stiction must not be below coefficient, got %g and %g",
             name, g->stiction, g->coefficient);
  }
  return s->error.status == APL_OK;
}

bool apl_spec_laws_fine(apl_spec* s, const char* owner, const apl_surface* g) {
  return normal_ok(s, owner, g) && friction_ok(s, owner, g);
}

static bool same_line(apl_vec3 a, apl_vec3 n) {
  const double c[] = {a.y * n.z - a.z * n.y, a.z * n.x - a.x * n.z, a.x * n.y - a.y * n.x};
  const double aa = a.x * a.x + a.y * a.y + a.z * a.z, nn = n.x * n.x + n.y * n.y + n.z * n.z;

  return c[0] * c[0] + c[1] * c[1] + c[2] * c[2] <= 1e-24 * aa * nn;
}

void apl_spec_ground(apl_spec* s, const char* name, const apl_surface* g) {
  if (s == NULL || s->error.status != APL_OK || !apl_spec_check_name(s, "ground", name)) return;

  if (g == NULL) {
    apl_fail(&s->error, APL_ERR_ARGUMENT, "ground '%s' needs a surface", name);
    return;
  }
  for (int i = 0; i < s->nground; ++i) {
    if (strcmp(s->ground[i].name, name) != 0) continue;
    apl_fail(&s->error, APL_ERR_MODEL, "there are two grounds '%s'", name);
    return;
  }
  const apl_vec3 n = g->normal, d = g->direction, p = g->point;
  const double nn = n.x * n.x + n.y * n.y + n.z * n.z, dd = d.x * d.x + d.y * d.y + d.z * d.z;
  if (!isfinite(nn) || !(nn > 1e-20) || !isfinite(p.x + p.y + p.z) || !isfinite(dd)) {
    apl_fail(&s->error, APL_ERR_MODEL,
             "ground '%s': point, normal and direction must be finite, and normal not zero", name);
    return;
  }
  char owner[96];
  snprintf(owner, sizeof owner, "ground '%.64s'", name);
  if (!axes_ok(s, owner, g)) return;
  if (dd > 0.0 && strcmp(g->axes, "ground") == 0 && same_line(d, n)) {
    apl_fail(&s->error, APL_ERR_MODEL, "ground '%s': direction must not be parallel to normal",
             name);
    return;
  }
  if (!apl_spec_laws_fine(s, owner, g)) return;

  s->ground = apl_spec_grow(s, s->ground, s->nground, sizeof *s->ground);
  spec_ground row = {.name = apl_spec_keep(s, name), .g = *g};
  row.g.law = apl_spec_keep(s, g->law);
  row.g.friction = apl_spec_keep(s, g->friction);
  row.g.axes = apl_spec_keep(s, g->axes);
  if (s->error.status == APL_OK) s->ground[s->nground++] = row;
}

void apl_spec_round(apl_spec* s, const char* port, const char* ground, double radius,
                    double half_angle) {
  if (s == NULL || s->error.status != APL_OK) return;
  if (!(half_angle > 0.0) || !(half_angle < 1.57) || !(radius > 0.0)) {
    apl_fail(&s->error, APL_ERR_MODEL,
             "contact on '%.64s': an arc needs a radius and half an angle between 0 and 90 deg, "
             "got %g m and %g rad",
             port == NULL ? "" : port, radius, half_angle);
    return;
  }
  apl_spec_contact(s, port, ground, radius);
  if (s->error.status == APL_OK) s->contact[s->ncontact - 1].arc = half_angle;
}

void apl_spec_press(apl_spec* s, const char* port, const char* ground, double radius, double load) {
  if (s == NULL || s->error.status != APL_OK) return;
  if (!(load > 0.0) || !isfinite(load)) {
    apl_fail(&s->error, APL_ERR_MODEL, "contact on '%.64s': load must be positive, got %g N",
             port == NULL ? "" : port, load);
    return;
  }
  apl_spec_contact(s, port, ground, radius);
  if (s->error.status == APL_OK) s->contact[s->ncontact - 1].load = load;
}

void apl_spec_contact(apl_spec* s, const char* port, const char* ground, double radius) {
  if (s == NULL || s->error.status != APL_OK) return;
  if (port == NULL || !(radius >= 0.0) || !isfinite(radius)) {
    apl_fail(&s->error, APL_ERR_MODEL, "contact on '%.64s': radius must not be negative, got %g",
             port == NULL ? "" : port, radius);
    return;
  }
  s->contact = apl_spec_grow(s, s->contact, s->ncontact, sizeof *s->contact);
  const spec_contact row = {.port = apl_spec_keep(s, port),
                            .ground = apl_spec_keep(s, ground == NULL ? "" : ground),
                            .radius = radius};
  if (s->error.status == APL_OK) s->contact[s->ncontact++] = row;
}
