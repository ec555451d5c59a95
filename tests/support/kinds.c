/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.c: see kinds.h. A new kind needs one row in a table below. */
#include "kinds.h"

#include "spec/words.h"
#include "near.h"

#include <math.h>
#include <string.h>

/* The strains of an arc in the order of its coordinates, and what resists each. */
static const struct {
  const char* word;
  const char* stiffness;
  const char* other; /* used instead where it is given */
} strains[] = {{"bend-x", "body.bending-stiffness", "body.bending-stiffness-x"},
               {"bend-y", "body.bending-stiffness", NULL},
               {"torsion", "body.torsion-stiffness", NULL},
               {"shear-x", "body.shear-stiffness", NULL},
               {"shear-y", "body.shear-stiffness", NULL},
               {"elongation", "body.axial-stiffness", NULL}};

/* Kelvin and Voigt: time * stiffness / length of an element * rate^2, over strains and elements. */
static double arc_dissipation(const plan_link* link, const double* rate) {
  const plan_field* time = plan_find(link, "body.kelvin-voigt-time");
  const plan_field* words = plan_find(link, "body.strains");
  const plan_field* count = plan_find(link, "body.elements");
  const int elements = count == NULL ? 1 : (int)count->value[0];
  const double length = plan_find(link, "body.length")->value[0] / elements;
  double power = 0;

  if (time == NULL) return 0;
  for (int e = 0; e < elements; e++) {
    for (int k = 0; k < 6; k++) {
      if (strstr(words == NULL ? "bend-y" : words->words, strains[k].word) == NULL) continue;
      const plan_field* other = strains[k].other ? plan_find(link, strains[k].other) : NULL;
      const plan_field* stiffness = other ? other : plan_find(link, strains[k].stiffness);
      power += time->value[0] * stiffness->value[0] / length * *rate * *rate;
      rate++;
    }
  }
  return power;
}

/* W = sin(pi z/L) when both ends are pinned: (drag + T EI (pi/L)^4) L/2 */
static double pinned_dissipation(const plan_link* link, const double* rate) {
  const double L = plan_find(link, "body.length")->value[0];
  const double T = plan_find(link, "body.kelvin-voigt-time")->value[0];
  const double EI = plan_find(link, "body.bending-stiffness")->value[0];
  const double drag = plan_find(link, "body.elastic-drag")->value[0];
  return (drag + T * EI * pow(acos(-1.0) / L, 4)) * L / 2 * rate[0] * rate[0];
}

/* clang-format off */
static const kind joints[] = {
  {.word = "fixed"},
  {.word = "revolute", .nq = 1, .nv = 1, .field = {{"joint.axis", KIND_AXIS, 0, NULL}}},
  {.word = "prismatic", .nq = 1, .nv = 1, .field = {{"joint.axis", KIND_AXIS, 0, NULL}}},
  {.word = "helical", .nq = 1, .nv = 1,
   .field = {{"joint.axis", KIND_AXIS, 0, NULL}, {"joint.pitch", KIND_POSITIVE, 0.8, NULL}}},
  {.word = "cylindrical", .nq = 2, .nv = 2, .field = {{"joint.axis", KIND_AXIS, 0, NULL}}},
  {.word = "universal", .nq = 2, .nv = 2,
   .field = {{"joint.axis", KIND_AXIS, 0, NULL}, {"joint.second-axis", KIND_SECOND, 0, NULL}}},
  {.word = "spherical", .nq = 4, .nv = 3, .quaternion = true},
  {.word = "planar", .nq = 3, .nv = 3, .field = {{"joint.normal", KIND_AXIS, 0, NULL}}},
  {.word = "floating", .nq = 7, .nv = 6, .quaternion = true},
  {.word = "differential-drive", .nq = 3, .nv = 2, .wheels = "right",
   .field = {{"joint.normal", KIND_AXIS, 0, NULL}, {"joint.wheel-radius", KIND_POSITIVE, 0.1, NULL},
             {"joint.half-track", KIND_POSITIVE, 0.3, NULL},
             {"joint.wheel-inertia", KIND_POSITIVE, 0.02, NULL}}},
  {.word = "trailer", .nq = 1, .nv = 0, .slaved = true, .wheels = "left",
   .field = {{"joint.length", KIND_POSITIVE, 0.6, NULL}, {"joint.wheel-radius", KIND_POSITIVE, 0.1, NULL},
             {"joint.half-track", KIND_POSITIVE, 0.25, NULL},
             {"joint.wheel-inertia", KIND_POSITIVE, 0.01, NULL}}},
  {.word = "knife-edge", .nq = 3, .nv = 2, .wheels = "wheel",
   .field = {{"joint.normal", KIND_AXIS, 0, NULL}, {"joint.wheel-radius", KIND_POSITIVE, 0.1, NULL},
             {"joint.wheel-inertia", KIND_POSITIVE, 0.02, NULL}}},
  {.word = "car-front", .nq = 4, .nv = 2, .wheels = "front-left", .steered = true,
   .field = {{"joint.normal", KIND_AXIS, 0, NULL}, {"joint.wheelbase", KIND_POSITIVE, 1.1, NULL},
             {"joint.rear-radius", KIND_POSITIVE, 0.2, NULL}, {"joint.front-radius", KIND_POSITIVE, 0.15, NULL},
             {"joint.half-track", KIND_POSITIVE, 0.4, NULL}, {"joint.rear-inertia", KIND_POSITIVE, 0.03, NULL},
             {"joint.front-inertia", KIND_POSITIVE, 0.02, NULL},
             {"joint.steering-inertia", KIND_POSITIVE, 0.3, NULL}}},
  {.word = "car-rear", .nq = 4, .nv = 2, .wheels = "rear", .steered = true,
   .field = {{"joint.normal", KIND_AXIS, 0, NULL}, {"joint.wheelbase", KIND_POSITIVE, 1.1, NULL},
             {"joint.rear-radius", KIND_POSITIVE, 0.2, NULL}, {"joint.front-radius", KIND_POSITIVE, 0.15, NULL},
             {"joint.half-track", KIND_POSITIVE, 0.4, NULL}, {"joint.rear-inertia", KIND_POSITIVE, 0.03, NULL},
             {"joint.front-inertia", KIND_POSITIVE, 0.02, NULL},
             {"joint.steering-inertia", KIND_POSITIVE, 0.3, NULL}}},
  {.word = "mecanum", .nq = 3, .nv = 3, .wheels = "rear-left",
   .field = {{"joint.normal", KIND_AXIS, 0, NULL}, {"joint.wheel-radius", KIND_POSITIVE, 0.1, NULL},
             {"joint.half-length", KIND_POSITIVE, 0.4, NULL}, {"joint.half-track", KIND_POSITIVE, 0.3, NULL},
             {"joint.wheel-inertia", KIND_POSITIVE, 0.02, NULL}}},
  {.word = "omni3", .nq = 3, .nv = 3, .wheels = "wheel1",
   .field = {{"joint.normal", KIND_AXIS, 0, NULL}, {"joint.wheel-radius", KIND_POSITIVE, 0.1, NULL},
             {"joint.distance", KIND_POSITIVE, 0.3, NULL}, {"joint.angle", KIND_SIGNED, 1.0, NULL},
             {"joint.wheel-inertia", KIND_POSITIVE, 0.02, NULL}}},
  {.word = "omni4", .nq = 3, .nv = 3, .wheels = "wheel3",
   .field = {{"joint.normal", KIND_AXIS, 0, NULL}, {"joint.wheel-radius", KIND_POSITIVE, 0.1, NULL},
             {"joint.distance", KIND_POSITIVE, 0.3, NULL}, {"joint.angle", KIND_SIGNED, 1.0, NULL},
             {"joint.wheel-inertia", KIND_POSITIVE, 0.02, NULL}}},
  {.word = "rolling-disc", .nq = 5, .nv = 3,
   .field = {{"joint.normal", KIND_AXIS, 0, NULL}, {"joint.radius", KIND_POSITIVE, 0.4, NULL}}},
  {.word = "rolling-sphere", .nq = 6, .nv = 3, .quaternion = true,
   .field = {{"joint.normal", KIND_AXIS, 0, NULL}, {"joint.radius", KIND_POSITIVE, 0.4, NULL}}},
};

/* an arc with `n` deformations and further fields */
#define BEAM_FIELDS                                                                                \
  {"body.length", KIND_POSITIVE, 0.9, NULL}, {"body.mass-per-length", KIND_POSITIVE, 0.9, NULL},               \
  {"body.bending-stiffness", KIND_POSITIVE, 0.8, NULL}, {"body.shear-stiffness", KIND_POSITIVE, 30, NULL},     \
  {"body.rotary-inertia", KIND_POSITIVE, 1e-2, NULL}
#define BEAM(name, n, input, ...)                                                                  \
  {.word = name, .nq = n, .nv = n, .deforms = true, .drives = input,                               \
   .field = {BEAM_FIELDS, __VA_ARGS__}}
#define ARC(name, n, input, ...)                                                                   \
  {.word = name, .nq = n, .nv = n, .deforms = true, .dissipation = arc_dissipation,                \
   .drives = input,                                                                                \
   .field = {{"body.length", KIND_POSITIVE, 0.7, NULL}, {"body.mass-per-length", KIND_POSITIVE, 0.9, NULL},    \
             {"body.bending-stiffness", KIND_POSITIVE, 0.8, NULL},                                       \
             {"body.rotary-inertia", KIND_POSITIVE, 1e-2, NULL},                                         \
             {"body.kelvin-voigt-time", KIND_POSITIVE, 0.05, NULL}, __VA_ARGS__}}
static const kind bodies[] = {
  {.word = "rigid",
   .field = {{"body.mass", KIND_POSITIVE, 1.5, NULL}, {"body.inertia", KIND_INERTIA, 0.4, NULL},
             {"body.com", KIND_OFFSET, 0.2, NULL}}},
  ARC("arc", 1, "bend-y", {"body.rest-curvature-y", KIND_SIGNED, 0.5, NULL}),
  ARC("arc/three", 3, "bend-y.2",
      {"body.elements", KIND_EXACT, 3, NULL}, {"body.air-drag", KIND_POSITIVE, 0.4, NULL},
      {"body.rest-curvature-y", KIND_SIGNED, 0.5, NULL}, {"body.rotary-inertia-x", KIND_POSITIVE, 3e-2, NULL}),
  ARC("arc/p5", 2, "bend-y.1",
      {"body.elements", KIND_EXACT, 2, NULL}, {"body.air-drag", KIND_POSITIVE, 0.4, NULL},
      {"body.evaluation", KIND_WORDS, 0, "p5"}, {"body.rotary-inertia-x", KIND_POSITIVE, 3e-2, NULL}),
  ARC("arc/t5", 1, "bend-y",
      {"body.evaluation", KIND_WORDS, 0, "t5"}, {"body.air-drag", KIND_POSITIVE, 0.4, NULL}),
  ARC("arc/bends", 2, "bend-x",
      {"body.strains", KIND_WORDS, 0, "bend-x bend-y"}, {"body.air-drag", KIND_POSITIVE, 0.4, NULL},
      {"body.bending-stiffness-x", KIND_POSITIVE, 2, NULL},
      {"body.rest-curvature-x", KIND_SIGNED, 0.5, NULL}, {"body.rest-curvature-y", KIND_SIGNED, 0.5, NULL}),
  ARC("arc/six", 6, "shear-y",
      {"body.strains", KIND_WORDS, 0, "bend-x bend-y torsion shear-x shear-y elongation"},
      {"body.torsion-stiffness", KIND_POSITIVE, 0.5, NULL}, {"body.shear-stiffness", KIND_POSITIVE, 4, NULL},
      {"body.axial-stiffness", KIND_POSITIVE, 9, NULL}, {"body.rotary-inertia-x", KIND_POSITIVE, 3e-2, NULL},
      {"body.rest-twist", KIND_SIGNED, 0.5, NULL}, {"body.bending-stiffness-x", KIND_POSITIVE, 2, NULL}),
  ARC("arc/four", 16, "torsion.3",
      {"body.elements", KIND_EXACT, 4, NULL}, {"body.air-drag", KIND_POSITIVE, 0.4, NULL},
      {"body.strains", KIND_WORDS, 0, "bend-x bend-y torsion elongation"},
      {"body.torsion-stiffness", KIND_POSITIVE, 0.5, NULL}, {"body.axial-stiffness", KIND_POSITIVE, 9, NULL}),
  BEAM("beam", 1, "bend-y", {NULL, KIND_NONE, 0, NULL}),
  {.word = "beam/pinned", .nq = 1, .nv = 1, .deforms = true, .chord = true, .drives = "bend-y",
   .dissipation = pinned_dissipation,
   .field = {BEAM_FIELDS, {"body.elastic-drag", KIND_POSITIVE, 0.3, NULL},
             {"body.kelvin-voigt-time", KIND_POSITIVE, 0.05, NULL},
             {"body.root-end", KIND_WORDS, 0, "pinned"}, {"body.tip-end", KIND_WORDS, 0, "pinned"},
             {"body.rotary", KIND_WORDS, 0, "link"}}},
  BEAM("beam/slender", 3, "bend-y.2",
       {"body.modes", KIND_EXACT, 3, NULL}, {"body.theory", KIND_WORDS, 0, "euler-bernoulli"},
       {"body.attach", KIND_WORDS, 0, "tangent"}),
  BEAM("beam/spatial", 8, "torsion.1",
       {"body.modes", KIND_EXACT, 2, NULL}, {"body.bending-stiffness-x", KIND_POSITIVE, 0.5, NULL},
       {"body.torsion-stiffness", KIND_POSITIVE, 0.4, NULL}, {"body.axial-stiffness", KIND_POSITIVE, 40, NULL},
       {"body.directions", KIND_WORDS, 0, "bend-x bend-y torsion axial"}),
};
#undef ARC
#undef BEAM
#undef BEAM_FIELDS
/* clang-format on */

static const kind* find(const kind* table, size_t n, const char* word) {
  for (size_t i = 0; i < n; i++) {
    if (strcmp(table[i].word, word) == 0) return &table[i];
  }
  return NULL;
}

const kind* kind_of_joint(const char* word) {
  return find(joints, sizeof joints / sizeof *joints, word);
}

const kind* kind_of_body(const char* word) {
  return find(bodies, sizeof bodies / sizeof *bodies, word);
}

const char* kind_body(int i) {
  return i < (int)(sizeof bodies / sizeof *bodies) ? bodies[i].word : NULL;
}

void kind_require_all(void) {
  for (int i = 0; apl_joint_word(i) != NULL; i++) {
    CHECK_TRUE(
        kind_of_joint(apl_joint_word(i)) != NULL,
        "joint kind \"%s\" has no row in tests/support/kinds.c: without example parameters the "
        "conformance suite cannot test it",
        apl_joint_word(i));
  }
  for (int i = 0; apl_body_word(i) != NULL; i++) {
    CHECK_TRUE(
        kind_of_body(apl_body_word(i)) != NULL,
        "body kind \"%s\" has no row in tests/support/kinds.c: without example parameters the "
        "conformance suite cannot test it",
        apl_body_word(i));
  }
}

static apl_vec3 second_axis(const plan_link* link, rng* r) {
  const double* first = link->field[link->nfield - 1].value;
  for (;;) {
    const apl_vec3 v = rng_direction(r);
    if (fabs(v.x * first[0] + v.y * first[1] + v.z * first[2]) < 0.64) return v;
  }
}

static void fill_one(plan_link* link, const kind_field* field, rng* r) {
  double x[6];
  apl_vec3 v;

  switch (field->number) {
  case KIND_AXIS:
    v = rng_direction(r);
    plan_vec3(link, field->path, v.x, v.y, v.z);
    break;
  case KIND_SECOND:
    v = second_axis(link, r);
    plan_vec3(link, field->path, v.x, v.y, v.z);
    break;
  case KIND_POSITIVE:
    plan_number(link, field->path, field->typical * rng_between(r, 0.6, 1.5));
    break;
  case KIND_SIGNED:
    plan_number(link, field->path, field->typical * rng_between(r, -1, 1));
    break;
  case KIND_OFFSET:
    rng_fill(r, x, 3, field->typical);
    plan_put(link, field->path, x, 3);
    break;
  case KIND_INERTIA:
    rng_inertia(r, link->field[link->nfield - 1].value[0], field->typical, x);
    plan_put(link, field->path, x, 6);
    break;
  case KIND_EXACT:
    plan_number(link, field->path, field->typical);
    break;
  case KIND_WORDS:
    plan_words(link, field->path, field->words);
    break;
  case KIND_NONE:
    break;
  }
}

void kind_fill(plan_link* link, rng* r) {
  link->nfield = 0;
  for (const kind_field* f = kind_of_joint(link->joint)->field; f->number != KIND_NONE; f++)
    fill_one(link, f, r);
  for (const kind_field* f = kind_of_body(link->body)->field; f->number != KIND_NONE; f++)
    fill_one(link, f, r);
}

void kind_furnish(plan_link* link, rng* r) {
  const kind* joint = kind_of_joint(link->joint);
  double x[8];

  if (joint->nv == 0 || kind_of_body(link->body)->chord) return;
  for (int i = 0; i < joint->nv; i++)
    x[i] = rng_between(r, 0.05, 0.5);
  plan_put(link, "joint.damping", x, joint->nv);

  /* a stiffness for each direction in which the coordinates can move; unequal ones, because equal
     ones pull straight back to the rest position and hide what a rotation does to the rest */
  const int nt = joint->nq - (joint->quaternion ? 1 : 0);
  for (int i = 0; i < nt; i++)
    x[i] = rng_between(r, 1, 20);
  plan_put(link, "joint.stiffness", x, nt);

  /* a rest position near neutral, so that no rotation from it comes near half a turn */
  rng_fill(r, x, joint->nq, 0.3);
  if (joint->quaternion) {
    const apl_quat turn = rng_rotation(r, 0.4);
    double* w = x + joint->nq - 4;
    w[0] = turn.w;
    w[1] = turn.x;
    w[2] = turn.y;
    w[3] = turn.z;
  }
  plan_put(link, "joint.rest", x, joint->nq);

  link->rotor = (plan_rotor){true, rng_below(r, joint->nv), rng_between(r, 1e-4, 1e-3),
                             rng_between(r, 5, 30)};
}

bool kind_prescribes(const plan_link* link) {
  return kind_of_joint(link->joint)->nv > 0 && !kind_of_body(link->body)->chord;
}

/* A field of a satellite's inertia: the joint's, and named so. */
static bool is_wheel_inertia(const plan_field* field) {
  const size_t n = strlen(field->path);
  return strncmp(field->path, "joint.", 6) == 0 && n > 7 &&
         strcmp(field->path + n - 7, "inertia") == 0;
}

void kind_take_wheels(plan_link* link) {
  for (int i = 0; i < link->nfield; i++) {
    if (is_wheel_inertia(&link->field[i])) link->field[i].value[0] = 0;
  }
}

bool kind_has_wheels(const plan_link* link) {
  for (int i = 0; i < link->nfield; i++) {
    if (is_wheel_inertia(&link->field[i]) && link->field[i].value[0] != 0) return true;
  }
  return false;
}

double kind_dissipation(const plan_link* link, const double* v, const double* rate) {
  const kind* joint = kind_of_joint(link->joint);
  const kind* body = kind_of_body(link->body);
  const plan_field* damping = plan_find(link, "joint.damping");
  double power = 0;

  for (int i = 0; damping != NULL && i < joint->nv; i++)
    power += damping->value[damping->n == 1 ? 0 : i] * v[i] * v[i];
  if (body->dissipation != NULL) power += body->dissipation(link, rate);
  return power;
}
