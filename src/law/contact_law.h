/* SPDX-License-Identifier: Apache-2.0 */
/* contact_law.h: contact laws as pure functions over `real`, and the table of their names.

   Normal laws share the formula F = K D^n (1 + c D'/D'-) + b D', with the penetration D and its
   rate D'- when the contact closed; each law defines how c follows from the coefficient of
   restitution e. Friction laws are a coefficient m(s) of the sliding speed s: the force m(s) F_N
   opposes the sliding velocity. LuGre has bristle deflections z. Formulas:
   docs/theory/contact.md. */
#pragma once

#include "math/real.h"

#include <stddef.h>

/* ---------------------------------------------------------------------------------- normal ---- */

/* Parameters that a law requires. */
enum { NEEDS_STIFFNESS = 1, NEEDS_RESTITUTION = 2, NEEDS_DAMPING = 4 };

#define NORMAL_LAW_LIST(X)                                                                         \
  X(NORMAL_HERTZ, "hertz", "elastic: K D^n", NEEDS_STIFFNESS)                                      \
  X(NORMAL_HUNT_CROSSLEY, "hunt-crossley", "c = 3 (1 - e) / 2 (1975)",                             \
    NEEDS_STIFFNESS | NEEDS_RESTITUTION)                                                           \
  X(NORMAL_HERBERT_MCWHANNELL, "herbert-mcwhannell", "c = 6 (1 - e) / ((2 e - 1)^2 + 3) (1977)",   \
    NEEDS_STIFFNESS | NEEDS_RESTITUTION)                                                           \
  X(NORMAL_LEE_WANG, "lee-wang", "c = 3 (1 - e) / 4 (1983)", NEEDS_STIFFNESS | NEEDS_RESTITUTION)  \
  X(NORMAL_LANKARANI_NIKRAVESH, "lankarani-nikravesh", "c = 3 (1 - e^2) / 4 (1990)",               \
    NEEDS_STIFFNESS | NEEDS_RESTITUTION)                                                           \
  X(NORMAL_FLORES, "flores", "c = 8 (1 - e) / (5 e) (2011)", NEEDS_STIFFNESS | NEEDS_RESTITUTION)  \
  X(NORMAL_GHARIB_HURMUZLU, "gharib-hurmuzlu", "c = 1 / e (2012)",                                 \
    NEEDS_STIFFNESS | NEEDS_RESTITUTION)                                                           \
  X(NORMAL_HU_GUO, "hu-guo", "c = 3 (1 - e) / (2 e) (2015)", NEEDS_STIFFNESS | NEEDS_RESTITUTION)  \
  X(NORMAL_KELVIN_VOIGT, "kelvin-voigt", "a spring and a damper: K D^n + b D'",                    \
    NEEDS_STIFFNESS | NEEDS_DAMPING)                                                               \
  X(NORMAL_RESTITUTION, "restitution",                                                             \
    "rigid: velocities jump, rebound speed is e times impact speed", 0)

typedef enum normal_law {
#define X(name, word, title, needs) name,
  NORMAL_LAW_LIST(X)
#undef X
      NORMAL_LAWS
} normal_law;

typedef struct normal_row {
  const char* word;
  const char* title;
  unsigned needs;
} normal_row;

static const normal_row normal_table[NORMAL_LAWS] = {
#define X(name, word, title, needs) {word, title, needs},
    NORMAL_LAW_LIST(X)
#undef X
};

/* c of F = K D^n (1 + c D'/D'-) */
static inline double normal_loss(normal_law law, double e) {
  switch (law) {
  case NORMAL_HUNT_CROSSLEY:
    return 1.5 * (1.0 - e);
  case NORMAL_HERBERT_MCWHANNELL:
    return 6.0 * (1.0 - e) / ((2.0 * e - 1.0) * (2.0 * e - 1.0) + 3.0);
  case NORMAL_LEE_WANG:
    return 0.75 * (1.0 - e);
  case NORMAL_LANKARANI_NIKRAVESH:
    return 0.75 * (1.0 - e * e);
  case NORMAL_FLORES:
    return 1.6 * (1.0 - e) / e;
  case NORMAL_GHARIB_HURMUZLU:
    return 1.0 / e;
  case NORMAL_HU_GUO:
    return 1.5 * (1.0 - e) / e;
  case NORMAL_HERTZ:
  case NORMAL_KELVIN_VOIGT:
  case NORMAL_RESTITUTION:
  case NORMAL_LAWS:
    break;
  }
  return 0.0;
}

/* Numbers of a normal law. */
typedef struct normal_numbers {
  real K, n, c, b;
} normal_numbers;

/* K D^n, 0 where D is not positive */
static inline real normal_elastic(real D, const normal_numbers* p) {
  const real o = real_of(0.0), i = real_of(1.0);
  const mask in = real_less(o, D);
  return real_select(in, p->K * real_pow(real_select(in, D, i), p->n), o);
}

/* F = K D^n (1 + c D'/D'-) + b D'; not negative, unless `pulls` allows it. */
static inline real normal_force(real D, real rate, real rate_in, const normal_numbers* p,
                                bool pulls) {
  const real F = normal_elastic(D, p) * (1.0 + p->c * rate / rate_in) + p->b * rate;
  return pulls ? F : real_max(F, real_of(0.0));
}

/* -------------------------------------------------------------------------------- friction ---- */

enum { NEEDS_COEFFICIENT = 1, NEEDS_V0 = 2, NEEDS_V1 = 4, NEEDS_STRIBECK = 8, NEEDS_BRISTLES = 16 };

#define FRICTION_LAW_LIST(X)                                                                       \
  X(FRICTION_NONE, "none", "no friction", 0, 0)                                                    \
  X(FRICTION_COULOMB, "coulomb", "m s / sqrt(s^2 + v0^2): dry friction, smoothed at zero slip",    \
    NEEDS_COEFFICIENT | NEEDS_V0, 8)                                                               \
  X(FRICTION_COULOMB_STICTION, "coulomb-stiction", "m while slipping; sticks at rest up to ms",    \
    NEEDS_COEFFICIENT, 0)                                                                          \
  X(FRICTION_VISCOUS, "viscous",                                                                   \
    "coulomb + viscous s, and a drag force independent of the normal force", 0, 8)                 \
  X(FRICTION_COUPLED, "coupled",                                                                   \
    "each direction has its own m, times its component v_i / |v| of the slip direction",           \
    NEEDS_COEFFICIENT | NEEDS_V0, 0)                                                               \
  X(FRICTION_DECOUPLED, "decoupled",                                                               \
    "each direction has its own friction, independent of slip along the other",                    \
    NEEDS_COEFFICIENT | NEEDS_V0, 0)                                                               \
  X(FRICTION_STRIBECK, "stribeck",                                                                 \
    "m + (ms - m) exp(-(s/vs)^d), smoothed as coulomb, + viscous s",                               \
    NEEDS_COEFFICIENT | NEEDS_V0 | NEEDS_STRIBECK, 8)                                              \
  X(FRICTION_KARNOPP, "karnopp", "m while slipping; sticks below the slip speed v0 up to ms",      \
    NEEDS_COEFFICIENT | NEEDS_V0, 0)                                                               \
  X(FRICTION_THRELFALL, "threlfall", "m (1 - exp(-3 s/v0)) / (1 - exp(-3)) below v0, then m",      \
    NEEDS_COEFFICIENT | NEEDS_V0, 1 | 4)                                                           \
  X(FRICTION_BENGISU_AKAY, "bengisu-akay",                                                         \
    "ms (1 - (s - v0)^2/v0^2) below v0, then m + (ms - m) exp(-xi (s - v0))",                      \
    NEEDS_COEFFICIENT | NEEDS_V0, 1 | 4)                                                           \
  X(FRICTION_AMBROSIO, "ambrosio", "0 up to v0, linear to m at v1",                                \
    NEEDS_COEFFICIENT | NEEDS_V0 | NEEDS_V1, 1 | 2)                                                \
  X(FRICTION_LUGRE, "lugre", "bristle model with deflection z: sigma0 z + sigma1 z' + viscous v",  \
    NEEDS_COEFFICIENT | NEEDS_STRIBECK | NEEDS_BRISTLES, 4)

typedef enum friction_law {
#define X(name, word, title, needs, corners) name,
  FRICTION_LAW_LIST(X)
#undef X
      FRICTION_LAWS
} friction_law;

typedef struct friction_row {
  const char* word;
  const char* title;
  unsigned needs;
  int corners; /* sliding speeds at which the law has a kink: 1 v0, 2 v1, 4 zero; 8 v0, smoothed */
} friction_row;

static const friction_row friction_table[FRICTION_LAWS] = {
#define X(name, word, title, needs, corners) {word, title, needs, corners},
    FRICTION_LAW_LIST(X)
#undef X
};

/* Numbers of a friction law. */
typedef struct friction_numbers {
  real m, ms;          /* coefficients: sliding, static                                          */
  real back;           /* ratio to m: of the coefficient for slip opposite to the first tangent,
                          ... */
  real left, right;    /* ... along the second tangent, and opposite to it */
  real v0, v1;         /* speeds of the smoothed or cut kink at zero */
  real viscous;        /* [s/m]                                                                  */
  real vs, d, xi;      /* Stribeck's speed and exponent; xi [s/m] of Bengisu and Akay            */
  real sigma0, sigma1; /* bristles: stiffness [1/m], damping [s/m]                               */
  real drag[2];        /* viscous drag along the tangents, independent of the normal force [N
                          s/m] */
} friction_numbers;

/* m + (ms - m) exp(-(s/vs)^d) */
static inline real friction_stribeck(real s, const friction_numbers* p) {
  const mask slips = real_less(real_of(0.0), s);
  const real x = real_pow(real_select(slips, s, p->vs) / p->vs, p->d);
  return p->m + (p->ms - p->m) * real_select(slips, real_exp(-x), real_of(1.0));
}

/* Friction coefficient at sliding speed s >= 0, for laws without bristles. */
static inline real friction_coefficient(friction_law law, real s, const friction_numbers* p) {
  const real o = real_of(0.0), i = real_of(1.0);

  switch (law) {
  case FRICTION_COULOMB:
    return p->m * s / real_sqrt(s * s + p->v0 * p->v0);
  case FRICTION_COULOMB_STICTION:
  case FRICTION_KARNOPP:
    return p->m;
  case FRICTION_VISCOUS:
    return p->m * s / real_sqrt(s * s + p->v0 * p->v0) + p->viscous * s;
  case FRICTION_STRIBECK:
    return friction_stribeck(s, p) * s / real_sqrt(s * s + p->v0 * p->v0) + p->viscous * s;
  case FRICTION_THRELFALL:
    return p->m * real_select(real_less(s, p->v0),
                              (1.0 - real_exp(-3.0 * s / p->v0)) / (1.0 - exp(-3.0)), i);
  case FRICTION_BENGISU_AKAY: {
    const real x = s - p->v0;
    return real_select(real_less(s, p->v0), p->ms * (1.0 - x * x / (p->v0 * p->v0)),
                       p->m + (p->ms - p->m) * real_exp(-p->xi * real_max(x, o)));
  }
  case FRICTION_AMBROSIO: {
    const real x = real_max((s - p->v0) / (p->v1 - p->v0), o);
    return p->m * real_select(real_less(x, i), x, i);
  }
  case FRICTION_NONE:
  case FRICTION_COUPLED: /* not functions of |v| alone: see friction_force() */
  case FRICTION_DECOUPLED:
  case FRICTION_LUGRE:
  case FRICTION_LAWS:
    break;
  }
  return o;
}

/* Coefficients divided by m on the half-axes of the sliding velocity v. */
static inline void friction_ratios(const real v[2], const friction_numbers* p, real a[2]) {
  const real o = real_of(0.0);
  a[0] = real_select(real_less(v[0], o), p->back, real_of(1.0));
  a[1] = real_select(real_less(v[1], o), p->right, p->left);
}

/* Maximum dissipation: of all forces in the section (an ellipse in each quadrant) the one that
   dissipates most power,
     force = -m(s) A^2 v / |A v|,  A = diag(a),  s = |v|
   For equal coefficients this is m(s) opposite to v. A tangent without friction, a_i = 0, is left
   out of s, so that friction along the other one is smooth through zero too. Below 1e-9 m/s the
   force is linear in v, so that a derivative exists at rest. */
static inline void friction_most(friction_law law, const real v[2], const real a[2],
                                 const friction_numbers* p, real force[2]) {
  const real o = real_of(0.0), least = real_of(1e-9), w[2] = {a[0] * v[0], a[1] * v[1]};
  const real u[2] = {real_select(real_less(o, a[0]), v[0], o),
                     real_select(real_less(o, a[1]), v[1], o)};
  const real s = real_sqrt(u[0] * u[0] + u[1] * u[1]), size = real_sqrt(w[0] * w[0] + w[1] * w[1]);
  const mask slips = real_less(least, s);
  const real k =
      friction_coefficient(law, real_select(slips, s, least), p) / real_select(slips, size, least);

  for (int i = 0; i < 2; ++i)
    force[i] = -k * a[i] * w[i];
}

/* Friction force per unit of normal force for sliding velocity v, along the two tangents:
     coupled    -m a_i v_i / sqrt(|v|^2 + v0^2)
     decoupled  -m a_i v_i / sqrt(v_i^2 + v0^2)
     others     maximum dissipation */
static inline void friction_force(friction_law law, const real v[2], const friction_numbers* p,
                                  real force[2]) {
  const real o = real_of(0.0);
  real a[2];

  friction_ratios(v, p, a);
  if (law != FRICTION_COUPLED && law != FRICTION_DECOUPLED) {
    friction_most(law, v, a, p, force);
    return;
  }
  for (int i = 0; i < 2; ++i) {
    const real other = law == FRICTION_COUPLED ? v[1 - i] : o;
    force[i] = -p->m * a[i] * v[i] / real_sqrt(v[i] * v[i] + other * other + p->v0 * p->v0);
  }
}

/* LuGre, per unit of normal force: z' = v - sigma0 |v| z / g(|v|), g = m + (ms - m) exp(-(s/vs)^d),
   force = -(sigma0 z + sigma1 z' + viscous v) */
static inline void friction_bristles(const real v[2], const real z[2], const friction_numbers* p,
                                     real force[2], real rate[2]) {
  const real s = real_sqrt(v[0] * v[0] + v[1] * v[1]);
  const real k = p->sigma0 * s / friction_stribeck(s, p);

  for (int i = 0; i < 2; ++i) {
    rate[i] = v[i] - k * z[i];
    force[i] = -(p->sigma0 * z[i] + p->sigma1 * rate[i] + p->viscous * v[i]);
  }
}
