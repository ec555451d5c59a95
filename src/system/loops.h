/* loops.h: how a system closes its loops. One place for the three methods:

     multipliers   apl_closing_forward(), q and v projected at the ends of steps
     reduced       independent coordinates; dependent ones are found from them at every evaluation
     springs       forces of the passes themselves; nothing to do but to choose stiffnesses */
#pragma once

#include "appell/run.h"

#include "couple/reduced.h"

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
  int stubborn;    /* time steps that ended with a wide gap, less those that did not              */
  apl_assembly assembly; /* the last one                                                          */
  int widest; /* springs: the row that was furthest open                                         */
} system_loops;

/* Forward dynamics with loops closed; the state has them cut. */
apl_status apl_system_close_forward(apl_system* s);

/* Whether a run with these options goes on with springs as they are. */
bool apl_system_loops_go_on(const apl_system* s, const apl_loop_options* o);

/* Where contacts or velocities are held too, loops are rows among theirs (kind/loop.c). Springs are
   not: their forces belong to the passes. */
bool apl_system_loops_are_rows(const apl_system* s);

/* loop_trouble.c: after a projection of gaps as wide as `before`: did it help? After a time step:
   do gaps stay open? */
apl_status apl_system_check_closed(apl_system* s, double before);
apl_status apl_system_check_steps(apl_system* s);

/* loop_trouble.c: how far springs have been stretched; after the energy was asked for. */
void apl_system_note_stretch(apl_system* s);

/* loop_trouble.c: where a method cannot go on, are loops to blame? */
bool apl_system_explain_loops(apl_system* s, double t, const double* y, char* text, size_t size);

/* What loops remember in a checkpoint: springs as they were chosen, the drift so far, and which
   velocities are independent. Nothing is recalled before apl_system_loops(). */
int apl_system_loops_size(const apl_system* s);
void apl_system_loops_remember(apl_system* s, double* out);
void apl_system_loops_recall(apl_system* s, const double* in);

/* A state between steps is brought to where loops are closed; nothing is remembered of it. */
apl_status apl_system_close_loops(apl_system* s);

/* After a step: bring the state of the system back to where loops are closed, unless they are but
   for `leave` [m or rad]. Says whether anything was changed. */
apl_status apl_system_project(apl_system* s, double leave, bool* changed);

/* The word of a method in model files; NULL beyond the last. */
const char* apl_loop_method_word(int i);
