/* SPDX-License-Identifier: Apache-2.0 */
/* robot.h: a robot of the demonstration. Each robot_*.c describes one with the public builder, says
   how it starts and is driven, what can be checked about its motion, and how to draw it. */
#pragma once

#include "appell/appell.h"

/* What march() keeps of a run: equidistant samples, start and end included. */
typedef struct record {
  int samples;
  int nq, nv, nport;
  double* t;     /* [samples]                                                         */
  double* q;     /* [samples * nq]                                                    */
  double* v;     /* [samples * nv]                                                    */
  double* place; /* [samples * nport * 3] origins of all ports in the world           */
  double wall;   /* seconds of computing                                              */
  double error;  /* largest |T + V - W - start| over largest T + |V - V start| + |W|  */
  double* memory;
} record;

/* Where the picture of the poses looks from, and what it shows. */
typedef struct robot_view {
  apl_vec3 right, up;       /* directions of the paper in the world                   */
  const char* right_label;  /* NULL: no axes, a scale instead                         */
  const char* up_label;     /*                                                        */
  const char* const* lines; /* ports joined by lines; NULL ends a line, two NULLs all */
  const char* trace;        /* port whose path is drawn                               */
  const double* ground;     /* height of the ground, NULL when there is none          */
  double seconds;           /* show poses up to this time; 0: the whole run           */
  int poses;                /* how many                                               */
} robot_view;

/* The curves of the plot: coordinates or velocities of one unit, by name. */
typedef struct robot_plot {
  const char* label;
  bool velocities;
  int n;
  const char* name[8];
  const char* title[8];
} robot_plot;

typedef struct robot {
  const char* name;
  const char* about; /* two or three sentences, plain text                                */
  double seconds, step;
  int every;    /* steps between two samples                                              */
  double bound; /* the demonstration fails when the ledger error exceeds it               */

  /* Tell the builder about links, ports and inputs. */
  void (*describe)(apl_spec* spec);

  /* Coordinates, velocities and constant efforts at time 0; NULL: at rest. */
  void (*start)(const apl_model* model, apl_state* state);

  /* Inputs and efforts at time t; for prescribed joints q, v and a. NULL: nothing to do. */
  void (*drive)(const apl_model* model, apl_state* state, double t);

  /* Is the motion right? Writes a sentence for the reader. NULL: only the ledger is looked at. */
  bool (*verdict)(const apl_model* model, apl_state* state, const record* run, char* text,
                  size_t size);
  robot_view view;
  robot_plot plot;
} robot;

extern const robot robot_double_pendulum;
extern const robot robot_continuum_arm;
extern const robot robot_mobile_manipulator;
extern const robot robot_tractor_trailers;
extern const robot robot_falling_chain;
extern const robot robot_snake;
extern const robot robot_tumbling_body;
