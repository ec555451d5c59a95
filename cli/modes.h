/* modes.h: what `appell modes` found, and the ways in which it is shown. */
#pragma once

#include "cli/rest.h"

/* Samples of a shape along its body. */
enum { MODES_STATIONS = 65 };

/* One shape of one beam. */
typedef struct modes_beam {
  int link;
  const char* name; /* of its coordinate: "strip.bend-y.1"                                        */
  apl_beam_shape shape;
  apl_beam_section at[MODES_STATIONS]; /* evenly, root to tip                                     */
} modes_beam;

typedef struct modes_found {
  const cli_rest* rest;
  apl_state* state; /* in balance                                                                */
  bool at_start;    /* where the file starts it; else the equilibrium that was found             */
  apl_modes* modes;
  int count;    /* modes to show                                                             */
  int only;     /* mode to replay, -1: all that are shown                                    */
  double scale; /* how far a replay swings, as a share of the robot's size                   */
  modes_beam* beam;
  int nbeam;
} modes_found;

/* Where in the body sample i of a beam lies, 0 .. 1. */
double modes_station(int i);

/* One past the last shape of the link that begins at shape `first`. */
int modes_end_of_link(const modes_found* f, int first);

/* How many links behind the one that begins at shape `first` have the same shapes, 0 for a few, and
   where the last of them begins. */
int modes_alike(const modes_found* f, int first, int* last);

/* modes_text.c: for people and for programs. */
void modes_print(const modes_found* f);
bool modes_print_json(const modes_found* f);

/* The shapes of beams alone, for a robot without balance. */
void modes_print_beams(const modes_found* f);
bool modes_print_json_beams(const modes_found* f);

/* "1.234 Hz, damping 0.01"; "" for rigid ones. And the `most` that take part: "a 90 %, b 10 %". */
void modes_describe(const apl_mode* mode, char* text, size_t size);
void modes_who(const modes_found* f, int mode, int most, char* text, size_t size);

/* modes_files.c: one row per mode; paths may be NULL. */
int modes_write(const modes_found* f, const char* result, const char* csv);

/* modes_figure.c: shapes of beams and the table of modes. */
int modes_draw(const modes_found* f, const char* path);

/* modes_replay.c: a page on which the modes swing, one after the other. */
bool modes_replay(const modes_found* f, const char* path);
