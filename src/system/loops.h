/* SPDX-License-Identifier: Apache-2.0 */
/* loops.h: the three methods by which a system closes its loops:

     multipliers   apl_closing_forward(), q and v projected at the ends of steps
     reduced       independent coordinates; dependent ones are found from them at every evaluation
     springs       forces of the passes themselves; only stiffnesses have to be chosen */
#pragma once

#include "appell/run.h"

#include "couple/reduced.h"
#include "system/kind.h"

typedef enum loop_method {
  LOOPS_MULTIPLIERS,
  LOOPS_REDUCED,
  LOOPS_SPRINGS,
  LOOP_METHODS
} loop_method;

typedef struct system_loops {
  loop_method method;
  double stabilise; /* Baumgarte's w [1/s]                                                        */
  bool open;
  bool sprung; /* springs have been chosen                                                       */
  apl_closing closing;
  apl_reduced reduced;
  apl_drift worst; /* largest gap and rate found at the ends of steps                             */
  double* want;    /* [2 * rows] gaps and rates to start from, springs                            */
  double* last;    /* [rows] impulses of the last time step                                       */
  double* asleep;  /* [rows] implicit steps: 1 for rows that no force could move where the step
                      began; they stay without force to its end */
  bool judged;     /* asleep[] is known */
  int stubborn;    /* time steps that ended with a wide gap, minus those that did not             */
  apl_assembly assembly; /* the last one                                                          */
  int widest; /* springs: the row that was furthest open                                         */
} system_loops;

/* Forward dynamics with the constraint forces of loops, which the passes do not know. */
apl_status apl_system_close_forward(apl_system* s);

/* Does a run with these options keep the springs of the previous run? */
bool apl_system_loops_go_on(const apl_system* s, const apl_loop_options* o);

/* Are loops rows (kind/loop.c), which are solved together with those of contacts and held
   velocities? Springs are not: the passes compute their forces. */
bool apl_system_loops_are_rows(const apl_system* s);

/* loop_trouble.c: fail with a sentence if a projection has not reduced gaps of width `before`; or
   if gaps stay open over many time steps. */
apl_status apl_system_check_closed(apl_system* s, double before);
apl_status apl_system_check_steps(apl_system* s);

/* loop_trouble.c: note the largest gap of springs; call it after the energy pass. */
void apl_system_note_stretch(apl_system* s);

/* loop_trouble.c: a method has failed at (t, y): write a sentence if loops are the cause. */
bool apl_system_explain_loops(apl_system* s, double t, const double* y, char* text, size_t size);

/* What loops remember in a checkpoint: springs as they were chosen, the drift so far, and which
   velocities are independent. Nothing is read before apl_system_loops(). */
int apl_system_loops_size(const apl_system* s);
void apl_system_loops_memory(apl_system* s, apl_store* memory);

/* Project a state between steps so that its loops are closed; drift is not noted. */
apl_status apl_system_close_loops(apl_system* s);

/* After a step: project the state so that its loops are closed, unless all gaps are small enough to
   be left. `changed`: the state was changed. */
apl_status apl_system_project(apl_system* s, coupling_drift* how, bool* changed);

/* The word of a method in model files; NULL beyond the last. */
const char* apl_loop_method_word(int i);
