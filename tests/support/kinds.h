/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.h: what the tests know about each kind of joint and body: parameters with which a robot can
   be made of it. The words come from the library; a word without an entry here fails the
   conformance tests, so that a new kind cannot escape them. */
#pragma once

#include "plan.h"
#include "random.h"

typedef enum kind_number {
  KIND_NONE,
  KIND_AXIS,     /* a direction                                                                */
  KIND_SECOND,   /* a direction at more than 50 degrees from the axis before it                */
  KIND_POSITIVE, /* about `typical`                                                            */
  KIND_SIGNED,   /* within +-typical                                                           */
  KIND_OFFSET,   /* a vector of about the size `typical`                                       */
  KIND_EXACT,    /* `typical` itself, in every robot                                           */
  KIND_WORDS,    /* `words` themselves                                                         */
  KIND_INERTIA   /* of a body with the field before it as mass, and the size `typical`          */
} kind_number;

typedef struct kind_field {
  const char* path;
  kind_number number;
  double typical;
  const char* words;
} kind_field;

typedef struct kind {
  const char* word;   /* of the library; bodies may have variants, "arc/p5"                      */
  int nq, nv;         /* coordinates and velocities it brings                                 */
  bool slaved;        /* its motion follows from the parent's */
  bool deforms;       /* a body with ports along it                                           */
  bool quaternion;    /* its last four coordinates are one                                    */
  const char* wheels; /* satellite of its own, NULL without                                   */
  const char* drives; /* bodies: a deformation that an input may act on                       */
  bool chord;         /* a body whose joint can carry no moment                               */
  bool steered;       /* has a velocity that only a satellite's inertia feels                 */
  kind_field field[16]; /* ends with KIND_NONE                                                 */

  /* power a body of this kind dissipates when deforming at the rates x'; NULL: none             */
  double (*dissipation)(const plan_link* link, const double* rate);
} kind;

/* NULL when the tests do not know the word. */
const kind* kind_of_joint(const char* word);
const kind* kind_of_body(const char* word);

/* The bodies of the tests, variants included; NULL beyond the last. */
const char* kind_body(int i);

/* Fail, naming the word, when a kind of the library has no entry. */
void kind_require_all(void);

/* Give the link numbers for its joint and body. */
void kind_fill(plan_link* link, rng* r);

/* Spring, damper, rest position and rotor on the joint, where it has freedoms of its own. */
void kind_furnish(plan_link* link, rng* r);

/* Whether its joint may move as prescribed: it has freedoms, and carries no chord. */
bool kind_prescribes(const plan_link* link);

/* Take the inertia of its wheels, or ask whether there is any. */
void kind_take_wheels(plan_link* link);
bool kind_has_wheels(const plan_link* link);

/* Power of the dampers of a link: joint velocities v, deformation rates x'. */
double kind_dissipation(const plan_link* link, const double* v, const double* rate);
