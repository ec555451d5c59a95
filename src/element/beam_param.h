/* SPDX-License-Identifier: Apache-2.0 */
/* beam_param.h: the user's parameters of a beam, and functions of beam.c. The files of the beam are
   included by registry.c. */
#pragma once

#include "element/section.h"

#ifndef APL_HOT

/* The pointer of a choice is compared, not its text. */
static const char* const beam_theories[] = {"timoshenko", "euler-bernoulli", NULL};
static const char* const beam_directions[] = {"bend-x", "bend-y", "torsion", "axial", NULL};
static const char* const beam_root_ends[] = {"clamped", "pinned", "free", NULL};
static const char* const beam_rotaries[] = {"full", "link", NULL};
static const char* const beam_attachments[] = {"section", "tangent", NULL};

enum { BEAM_BEND_X, BEAM_BEND_Y, BEAM_TORSION, BEAM_AXIAL, BEAM_NDIRECTION };

typedef struct beam_param {
  double length;
  const char* theory;
  unsigned directions;
  int modes[BEAM_NDIRECTION];
  const char* statics;
  const char *root_end, *tip_end;
  const char *rotary, *attach;
  section_param section;
  const char *polynomials, *turns;
  const apl_columns* table;
  double mode_bending, mode_shear, mode_rotary;
  double tip_mass, tip_inertia, tip_offset;
  double drag, kelvin_voigt;
} beam_param;

/* beam.c */
static bool beam_has(const beam_param* p, int direction);
static int beam_modes(const beam_param* p, int direction);
static int beam_most_modes(const beam_param* p); /* the largest of all directions */
static int beam_count(const beam_param* p);      /* coordinates      */
static void beam_coordinate(const void* param, int k, apl_body_coordinate* out);

/* Direction of coordinate k, and which of its shapes it is. */
static int beam_direction(const beam_param* p, int k, int* nth);

static apl_status beam_check(const beam_param* p, apl_error* err);
static apl_status beam_needs(const beam_param* p, const section_numbers* s, apl_error* err);

/* beam_integrals.c */
static apl_status beam_compile(const void* param, void* constants, double* mass, apl_error* err);
static bool beam_sections(const void* param, const double* station, int count, double* out);
static apl_status beam_show(const void* param, int k, apl_beam_shape* out, const double* station,
                            int n, apl_beam_section* section, apl_error* err);

#endif
