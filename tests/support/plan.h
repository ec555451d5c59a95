/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h: a robot of the tests as plain data, from which models are built: in any order of links,
   with some joints prescribed, with other numbers. The library sees it only through its builder. */
#pragma once

#include "appell/appell.h"

enum { PLAN_LINKS = 96, PLAN_FIELDS = 28, PLAN_PORTS = 6, PLAN_INPUTS = 8, PLAN_LOOPS = 12 };

typedef struct plan_field {
  char path[32];
  int n; /* numbers; 0: words                                                              */
  double value[8];
  char words[64];
} plan_field;

typedef struct plan_port {
  char name[8];
  double station;
  apl_pose at;
} plan_port;

typedef struct plan_rotor {
  bool used;
  int velocity;
  double inertia, ratio;
} plan_rotor;

typedef struct plan_link {
  char name[16], on[32];
  const char* joint;
  const char* body; /* a word of the library, or one with a variant behind it: "arc/p5"           */
  apl_pose at;
  int nfield, nport;
  plan_field field[PLAN_FIELDS];
  plan_port port[PLAN_PORTS];
  plan_rotor rotor;
  bool prescribe_joint, prescribe_body;
} plan_link;

typedef struct plan_input {
  char name[16], target[40];
  double gain;
  bool push; /* the target is a port                                                              */
  double wrench[6];
  apl_axes axes;
} plan_input;

/* A closure; its ports are written out here. */
typedef struct plan_loop {
  char from[40], to[40];
  apl_closure c;
} plan_loop;

typedef struct plan {
  apl_vec3 gravity;
  int nlink, ninput, nloop;
  plan_link link[PLAN_LINKS];
  plan_input input[PLAN_INPUTS];
  plan_loop loop[PLAN_LOOPS];
} plan;

/* Freed with free(). */
plan* plan_new(void);
plan* plan_copy(const plan* from);

plan_link* plan_add(plan* p, const char* name, const char* on, const char* joint, const char* body);
void plan_put(plan_link* link, const char* path, const double* value, int n);
void plan_number(plan_link* link, const char* path, double value);
void plan_words(plan_link* link, const char* path, const char* words);
void plan_vec3(plan_link* link, const char* path, double x, double y, double z);
void plan_mass(plan_link* link, double mass, apl_vec3 com, double xx, double yy, double zz);
void plan_at_port(plan_link* link, const char* name, double station, apl_pose at);

/* A closure between two ports; change it afterwards. */
plan_loop* plan_join(plan* p, const char* from, const char* to, const char* type);

/* The field at a path, NULL when it is not given. */
const plan_field* plan_find(const plan_link* link, const char* path);

/* The link whose port or body `link` is on, -1 for the world. */
int plan_parent(const plan* p, int link);

/* Build it; the links are added in the order order[0], order[1], ... (NULL: as they stand). */
apl_status plan_build(const plan* p, const int* order, apl_model** out, apl_error* err);

/* The same, failing the test with the library's sentence. */
apl_model* plan_model(const plan* p);
