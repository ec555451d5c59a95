/* SPDX-License-Identifier: Apache-2.0 */
/* flexible.h: the parts of the flexible paper, each a group of rows and its figures, and the runs
   that they evaluate. */
#pragma once

#include "papers/paper.h"
#include "appell/run.h"
#include "element/beam_modes.h"

enum { FLEXIBLE_CASES = 4, FLEXIBLE_NODES = 4, FLEXIBLE_LINKS = 3, FLEXIBLE_MOST_IMPACTS = 100 };

/* One of the paper's four sets of mode shapes. */
typedef struct flexible_case {
  const char *word, *model;
  const char* ends[FLEXIBLE_LINKS];
  bool soft;         /* one of the two cases of which the paper says that they oscillate more */
  double mean_error; /* of the energy, published [%]                                            */
  double time[5];    /* reference: three contacts of O1, two of O2 [s]; 0: it has fewer         */
} flexible_case;
extern const flexible_case apl_flexible_cases[FLEXIBLE_CASES];

/* Contacts 0 .. 3 are the nodes O1 .. O4. */
typedef struct flexible_impacts {
  int n;
  apl_impact list[FLEXIBLE_MOST_IMPACTS];
} flexible_impacts;

/* A sample of a run: a row of these numbers. Between the evenly spaced samples there are closer
   ones where a node touches the ground; these have no energies (NaN). */
enum {
  AT_TIME = 0,
  AT_Q = 1,  /* X1, X2, q1, d11, q2, d21, q3, d31                                                */
  AT_V = 9,  /* their rates                                                                      */
  AT_X = 17, /* nodes: X1 [4], ...                                                               */
  AT_Z = 21, /* ... X2 [4], ...                                                                  */
  AT_VX = 25,
  AT_VZ = 29,
  AT_NORMAL = 33,
  AT_FRICTION = 37,
  AT_KINETIC = 41,
  AT_POTENTIAL = 42, /* gravity and beams                                                        */
  AT_DAMPED = 43,    /* minus the work of damping,                                               */
  AT_PUSHED = 44,    /* of normal forces,                                                        */
  AT_RUBBED = 45,    /* of friction                                                              */
  AT_SUM = 46,       /* of the five                                                              */
  AT_ERROR = 47,     /* |sum - first sum| over the first [%]                                     */
  AT_NUMBERS = 48
};
enum { AT_D1 = AT_Q + 3, AT_D2 = AT_Q + 5, AT_D3 = AT_Q + 7 };

typedef struct flexible_run {
  const flexible_case* is;
  flexible_impacts impacts;
  int n, room;
  double* at; /* [n * AT_NUMBERS]                                                                */
} flexible_run;

/* The case as its model says; freed by apl_flexible_free(). */
apl_status apl_flexible_run(const flexible_case* is, flexible_run* out, apl_error* err);
void apl_flexible_free(flexible_run* run);

/* Only impacts and energy errors [%] at 10 ms, with settings as in apl_rig_open(). */
typedef struct flexible_errors {
  double mean, largest;
} flexible_errors;
apl_status apl_flexible_impacts(const char* model, const char* settings, flexible_impacts* out,
                                flexible_errors* errors, apl_error* err);

/* How often a node hit the ground, and how often within `within` seconds of its first impact. */
int apl_flexible_count(const flexible_impacts* impacts, int node);
int apl_flexible_quick(const flexible_impacts* impacts, int node, double within);

/* Start of the k-th contact of a node [s]; NaN when there are fewer. */
double apl_flexible_start(const flexible_impacts* impacts, int node, int k);

/* Largest |number| of a run. */
double apl_flexible_most(const flexible_run* run, int number);

/* A number of a run as a curve, with samples at least `apart` from one another. */
typedef struct flexible_span {
  double from, to, apart;
} flexible_span;
void apl_flexible_curve(apl_paper* paper, const char* name, const flexible_run* run, int number,
                        flexible_span span, bool dashed);

/* The four nodes; mirror images are dashed, so that both are visible. */
void apl_flexible_nodes(apl_paper* paper, const flexible_run* run, int number, flexible_span span);

/* The first mode of a link as in Table 2; ends "sc": pinned at its root, clamped at its tip. */
apl_status apl_flexible_mode(const char* ends, beam_mode* out, apl_error* err);

/* The parts: flexible_modes.c, _impacts.c, _motion.c (two), _forces.c, _energy.c. */
apl_status apl_flexible_table(apl_paper* paper, apl_error* err);
apl_status apl_flexible_bounces(apl_paper* paper, const flexible_run* run, apl_error* err);
apl_status apl_flexible_motion(apl_paper* paper, const flexible_run* run, apl_error* err);
void apl_flexible_swing(apl_paper* paper, const flexible_run* run);
void apl_flexible_forces(apl_paper* paper, const flexible_run* run);
apl_status apl_flexible_energy(apl_paper* paper, const flexible_run* run, apl_error* err);
