/* SPDX-License-Identifier: Apache-2.0 */
/* bench.h: the measurements: one cell per scene, pass and library. Filled by trial.c, timed by
   watch.c, printed by report.c. */
#pragma once

#include <stdio.h>

#include "pass.h"
#include "peer.h"
#include "scene.h"

enum { MAX_SCENE = 16, MAX_PASS = 20, MAX_LIBRARY = 8, MAX_NOTE = 32 };

/* Why a cell has no number. */
typedef enum cell_state { CELL_EMPTY, CELL_READY, CELL_DIFFERS } cell_state;

typedef struct cell {
  cell_state state;
  int (*run)(void* self, int k);
  void* self;
  int robots;  /* per call */
  int next;    /* state that the next call takes */
  long batch;  /* calls per batch */
  int rounds;  /* batches timed */
  double best; /* [ns] per robot, smallest over the batches */
} cell;

typedef struct bench {
  int nscene, npass, nlibrary; /* library 0 is Appell */
  scene scene[MAX_SCENE];
  const char* library[MAX_LIBRARY];
  void* peer[MAX_SCENE][MAX_LIBRARY]; /* handles, NULL where it cannot */
  cell cell[MAX_SCENE][MAX_PASS][MAX_LIBRARY];
  double closed; /* [ns] forward dynamics of the 3RRR with its loops closed: targets_loops.c */
  long allocations[MAX_SCENE][MAX_PASS]; /* in NSTATE calls */
  bool allocations_visible;
  int nnote;
  char note[MAX_NOTE][256]; /* sentences to print below the tables */
} bench;

/* trial.c: build all scenes and peers, run every cell once over all states, check that peers give
   our numbers. False with a printed sentence when Appell itself fails. */
bool bench_open(bench* b);
void bench_close(bench* b);

/* watch.c: time all cells in rounds until `seconds` have passed. */
void bench_time(bench* b, double seconds);

/* report.c: tables for people, one row per number for programs. */
void bench_print(const bench* b, FILE* f);
void bench_write_csv(const bench* b, FILE* f);

/* Slope of log(time) over log(nv) along the chains from 12 joints on; 0 when there are fewer than
 * two. */
double bench_exponent(const bench* b, int p, int library);
