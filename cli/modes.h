/* SPDX-License-Identifier: Apache-2.0 */
/* modes.h: the results of `appell modes`, and their output. */
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
  apl_state* state; /* at equilibrium */
  bool at_start;    /* the start of the file; else the equilibrium that was found */
  apl_modes* modes;
  int count;    /* modes to show                                                             */
  int only;     /* mode to replay, -1: all that are shown                                    */
  double scale; /* amplitude of the replay, relative to the robot's size */
  modes_beam* beam;
  int nbeam;
  double* share; /* [nv] room for modes_who()                                                    */
} modes_found;

/* Where in the body sample i of a beam lies, 0 .. 1. */
double modes_station(int i);

/* One past the last shape of the link that begins at shape `first`. */
int modes_end_of_link(const modes_found* f, int first);

/* Number of links after the one that begins at shape `first` that have the same shapes (0 if only a
   few), and the first shape of the last of them. */
int modes_alike(const modes_found* f, int first, int* last);

/* modes_text.c: for people and for programs. */
void modes_print(const modes_found* f);
bool modes_print_json(const modes_found* f);

/* The shapes of beams alone, for a robot without balance. */
void modes_print_beams(const modes_found* f);
bool modes_print_json_beams(const modes_found* f);

/* "1.234 Hz, damping 0.01"; "" for rigid modes. And the `most` velocities with the largest shares:
   "a 90 %, b 10 %". */
void modes_describe(const apl_mode* mode, char* text, size_t size);
void modes_who(const modes_found* f, int mode, int most, char* text, size_t size);

/* modes_files.c: one row per mode; paths may be NULL. */
int modes_write(const modes_found* f, const char* result, const char* csv);

/* modes_figure.c: shapes of beams and the table of modes. */
int modes_draw(const modes_found* f, const char* path);

/* modes_replay.c: a page on which the modes swing, one after the other. */
bool modes_replay(const modes_found* f, const char* path);
