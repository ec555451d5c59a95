/* SPDX-License-Identifier: Apache-2.0 */
/* beam.c: a slender body along z of its frame whose small deflections are a sum of mode shapes: the
   user's fields, their check, and the table of the kind. Shapes are in beam_shapes.c, their
   integrals in beam_integrals.c, the hot half in beam_motion.c. Theory: docs/theory/beam.md. */
#include "element/beam_par.h"
#include "element/beam_param.h"

#ifndef APL_HOT

#include "element/require.h"

#include <stdio.h>

static const char* const beam_tip_ends[] = {"free", "clamped", "pinned", NULL};
static const char* const beam_statics[] = {"none", "tip", NULL};
#define BEAM_CHOICE(member, word, list, text)                                                      \
  {                                                                                                \
    .name = word, .offset = offsetof(beam_param, member), .count = 1, .unit = "1",                 \
    .fallback = list, .sentence = text, .form = APL_FORM_CHOICE, .words = list                     \
  }

#define BEAM_TEXT(member, word, text)                                                              \
  {                                                                                                \
    .name = word, .offset = offsetof(beam_param, member), .count = 1, .unit = "1",                 \
    .fallback = (const char* const[]){""}, .sentence = text, .form = APL_FORM_TEXT                 \
  }

static const apl_field beam_fields[] = {
    APL_FIELD_POSITIVE(beam_param, length, "length", "m", "length of the beam"),
    BEAM_CHOICE(
        theory, "theory", beam_theories,
        "beam theory: `timoshenko` with shear deformation, `euler-bernoulli` without it (sections "
        "stay perpendicular to the axis). Both have rotary inertia, see `rotary`"),
    {.name = "directions",
     .offset = offsetof(beam_param, directions),
     .count = 1,
     .unit = "1",
     .fallback = (const unsigned[]){1u << BEAM_BEND_Y},
     .sentence = "directions in which the beam deforms, any of these; positive bend-y turns the z "
                 "axis towards x",
     .form = APL_FORM_SET,
     .words = beam_directions},
    {.name = "modes",
     .offset = offsetof(beam_param, modes),
     .count = BEAM_NDIRECTION,
     .unit = "1",
     .fallback = (const int[BEAM_NDIRECTION]){1, 1, 1, 1},
     .sentence = "number of modes: one number for all directions, or one for each, as {bend-x: 2, "
                 "bend-y: 3}",
     .form = APL_FORM_COUNTS,
     .words = beam_directions},
    BEAM_CHOICE(statics, "static-shapes", beam_statics,
                "`tip` adds the static deflections under a force and a moment at the tip, so that "
                "the static response to tip loads is exact; for clamped-free modes only"),
    BEAM_CHOICE(root_end, "root-end", beam_root_ends,
                "boundary condition of the modes at the root: `clamped`, the body frame follows "
                "the root section; `pinned`, the body frame follows the chord between the ends"),
    BEAM_CHOICE(tip_end, "tip-end", beam_tip_ends, "boundary condition of the modes at the tip"),
    BEAM_CHOICE(rotary, "rotary", beam_rotaries,
                "rotary inertia of the sections: with their `full` rotation, or with the rotation "
                "of the `link` alone"),
    BEAM_CHOICE(attach, "attach", beam_attachments,
                "children attached to the beam rotate with the `section`, or with the `tangent` of "
                "the deflected axis (they differ by the shear angle)"),
    APL_SECTION_FIELDS(beam_param),
    BEAM_TEXT(polynomials, "polynomials",
              "your own bending shapes as polynomials in z/length: coefficients from the constant "
              "term upwards, shapes separated by semicolons, as in \"0 0 1; 0 0 0 1\""),
    BEAM_TEXT(turns, "turn-polynomials",
              "rotation of the sections for `polynomials`, times length; when left out, the slopes "
              "of the shapes"),
    {.name = "shape-table",
     .offset = offsetof(beam_param, table),
     .count = 1,
     .unit = "1",
     .fallback = (const apl_columns* const[]){NULL},
     .sentence = "your own shapes as a table: a column `station` from 0 (root) to 1 (tip) and a "
                 "column `bend-y.1`, `bend-y.2` .. for each mode of a direction; an optional "
                 "column `bend-y.1.turn` is the rotation of its sections times length, otherwise "
                 "its slope is taken",
     .form = APL_FORM_TABLE},
    APL_FIELD_NOT_NEGATIVE(
        beam_param, mode_bending, "mode-bending-stiffness", "N m^2",
        "bending stiffness E I used for the mode shapes only; 0: that of the beam", 0),
    APL_FIELD_NOT_NEGATIVE(
        beam_param, mode_shear, "mode-shear-stiffness", "N",
        "shear stiffness k G A used for the mode shapes only; 0: that of the beam", 0),
    APL_FIELD_NOT_NEGATIVE(
        beam_param, mode_rotary, "mode-rotary-inertia", "kg m",
        "rotary inertia per length used for the mode shapes only; 0: that of the beam", 0),
    APL_FIELD_NOT_NEGATIVE(
        beam_param, tip_mass, "mode-tip-mass", "kg",
        "mass of a tip body that is assumed for the bending modes only; it adds no mass to "
        "the robot",
        0),
    APL_FIELD_NOT_NEGATIVE(beam_param, tip_inertia, "mode-tip-inertia", "kg m^2",
                           "moment of inertia of that tip body about its centre of mass", 0),
    APL_FIELD(beam_param, tip_offset, "mode-tip-offset", "m",
              "distance of that centre of mass beyond the tip", 0),
    APL_FIELD_NOT_NEGATIVE(
        beam_param, drag, "elastic-drag", "N s/m^2",
        "air damping of the deflection alone: force per length and per rate of deflection", 0),
    APL_FIELD_NOT_NEGATIVE(
        beam_param, kelvin_voigt, "kelvin-voigt-time", "s",
        "Kelvin-Voigt material damping, as a time: viscosity over elastic modulus", 0),
    APL_FIELD_END,
};

/* ------------------------------------------------------------------------------ coordinates ----
 */

static bool beam_has(const beam_param* p, int direction) {
  return (p->directions >> direction & 1u) != 0;
}

static bool beam_has_statics(const beam_param* p) {
  return p->statics == beam_statics[1];
}

static int beam_modes(const beam_param* p, int direction) {
  return beam_has(p, direction) ? p->modes[direction] : 0;
}

/* Number of shapes in a direction: the modes, then the static shapes (two for bending, from a force
   and from a moment at the tip; one for torsion and axial motion). */
static int beam_shape_count(const beam_param* p, int direction) {
  if (!beam_has(p, direction)) return 0;
  return beam_modes(p, direction) + (beam_has_statics(p) ? direction <= BEAM_BEND_Y ? 2 : 1 : 0);
}

static int beam_most_modes(const beam_param* p) {
  int most = 0;
  for (int d = 0; d < BEAM_NDIRECTION; ++d)
    most = beam_modes(p, d) > most ? beam_modes(p, d) : most;
  return most;
}

static int beam_count(const beam_param* p) {
  int n = 0;
  for (int d = 0; d < BEAM_NDIRECTION; ++d)
    n += beam_shape_count(p, d);
  return n;
}

static bool beam_count_ok(const beam_param* p) {
  const int least = beam_has_statics(p) ? 0 : 1;

  for (int d = 0; d < BEAM_NDIRECTION; ++d) {
    if (!beam_has(p, d)) continue;
    if (p->modes[d] < least || p->modes[d] > APL_MAX_NX) return false;
  }
  return p->directions != 0 && beam_count(p) <= APL_MAX_NX;
}

/* Direction of coordinate k, and which of its shapes it is. */
static int beam_direction(const beam_param* p, int k, int* nth) {
  int d = 0;
  for (; k >= beam_shape_count(p, d); ++d)
    k -= beam_shape_count(p, d);
  if (nth != NULL) *nth = k;
  return d;
}

static void beam_plan(const void* param, apl_body_plan* plan) {
  const beam_param* p = param;
  const int n = beam_count_ok(p) ? beam_count(p) : 1;
  const int waves = beam_count_ok(p) ? beam_most_modes(p) : 1;
  const bool x = beam_has(p, BEAM_BEND_X), y = beam_has(p, BEAM_BEND_Y);
  const bool z = beam_has(p, BEAM_TORSION);

  plan->nx = n;
  plan->npar = beam_npar(n);
  plan->nsection = 1 + 2 * n;
  plan->ops = OPS_beam;
  plan->drawn = 4 * (waves < 16 ? waves + 1 : 16) + 1; /* about four steps per half wave */
  plan->chord = p->root_end == beam_root_ends[1];
  plan->flat = p->directions == 1u << BEAM_BEND_Y;
  plan->turning = APL_TURNS_ANY;
  if (!x && !z) plan->turning = y ? APL_TURNS_ABOUT_Y : APL_TURNS_NOT;
  if (!x && !y && z) plan->turning = APL_TURNS_ABOUT_Z;
  apl_section_half(&p->section, plan->half);
}

static void beam_coordinate(const void* param, int k, apl_body_coordinate* out) {
  const beam_param* p = param;

  *out = (apl_body_coordinate){.unit = "m", .most = HUGE_VAL};
  if (!beam_count_ok(p)) {
    snprintf(out->name, sizeof out->name, "mode");
    return;
  }
  int nth;
  const int d = beam_direction(p, k, &nth);
  const char* word = beam_directions[d];
  if (d == BEAM_TORSION) out->unit = "rad";
  const int modes = beam_modes(p, d);
  if (nth >= modes) {
    const char* load = d > BEAM_BEND_Y ? "static" : nth == modes ? "force" : "moment";
    snprintf(out->name, sizeof out->name, "%s.%s", word, load);
  } else if (modes > 1) {
    snprintf(out->name, sizeof out->name, "%s.%d", word, nth + 1);
  } else {
    snprintf(out->name, sizeof out->name, "%s", word);
  }
}

/* ------------------------------------------------------------------------------------- check ----
 */

/* Check the numbers of modes. A count for a direction that the beam does not have is accepted only
   if all four counts are equal, that is, if one number was given for all. */
static apl_status beam_check_modes(const beam_param* p, apl_error* err) {
  const int least = beam_has_statics(p) ? 0 : 1, *n = p->modes;
  const bool alike = n[0] == n[1] && n[1] == n[2] && n[2] == n[3];

  for (int d = 0; d < BEAM_NDIRECTION; ++d) {
    if (beam_has(p, d) && n[d] < least) {
      return apl_fail(err, APL_ERR_MODEL, "modes must be at least %d, got %d of %s", least, n[d],
                      beam_directions[d]);
    }
    if (!beam_has(p, d) && n[d] != 0 && !alike) {
      return apl_fail(err, APL_ERR_MODEL, "modes has %d of %s, but directions does not contain it",
                      n[d], beam_directions[d]);
    }
  }
  if (beam_count_ok(p)) return APL_OK;
  return apl_fail(
      err, APL_ERR_MODEL,
      "modes are too many: a body has at most %d coordinates, summed over all its directions",
      APL_MAX_NX);
}

static apl_status beam_check(const beam_param* p, apl_error* err) {
  apl_status st = require_signs(beam_fields, p, err);

  if (st != APL_OK) return st;
  if (p->root_end == beam_root_ends[2]) {
    return apl_fail(
        err, APL_ERR_MODEL,
        "root-end must be clamped or pinned: the frame of the body is held at its root, "
        "so modes that move there would repeat the motion of the joint");
  }
  if (p->directions == 0) {
    return apl_fail(err, APL_ERR_MODEL,
                    "directions must not be empty: use a rigid body if it does not deform");
  }
  st = beam_check_modes(p, err);
  if (st != APL_OK) return st;
  if (beam_has_statics(p) && (p->root_end != beam_root_ends[0] || p->tip_end != beam_tip_ends[0])) {
    return apl_fail(
        err, APL_ERR_MODEL,
        "static-shapes tip are those of root-end clamped and tip-end free, got %s and %s",
        p->root_end, p->tip_end);
  }
  if (p->tip_end != beam_tip_ends[0] && (p->tip_mass > 0.0 || p->tip_inertia > 0.0)) {
    return apl_fail(err, APL_ERR_MODEL,
                    "%s needs tip-end free: a tip body cannot move where the tip is held",
                    p->tip_mass > 0.0 ? "mode-tip-mass" : "mode-tip-inertia");
  }
  if (p->tip_offset != 0.0 && !(p->tip_mass > 0.0)) {
    return apl_fail(err, APL_ERR_MODEL, "mode-tip-offset needs mode-tip-mass");
  }
  if (p->rotary == beam_rotaries[1] && beam_has(p, BEAM_TORSION)) {
    return apl_fail(err, APL_ERR_MODEL,
                    "rotary link leaves torsion without inertia: use full, or no torsion");
  }
  return APL_OK;
}

/* Error unless a required value is positive; `instead` names what may be given in its place. */
static apl_status beam_need_or(double value, const char* name, const char* unit,
                               const char* instead, apl_error* err) {
  if (value > 0.0) return APL_OK;
  return apl_fail(err, APL_ERR_MODEL, "%s must be positive, got %g %s: give it, or %s", name, value,
                  unit, instead);
}

static apl_status beam_need(double value, const char* name, const char* unit, apl_error* err) {
  return beam_need_or(value, name, unit, "the section and its material", err);
}

/* A section given by its area and moments does not determine shear and torsion stiffness; the
   message names what to add. */
static apl_status beam_need_besides(double value, const char* name, const char* unit,
                                    const section_param* p, const char* besides, apl_error* err) {
  const bool moments = p->area > 0.0 && p->young > 0.0;
  return beam_need_or(value, name, unit, moments ? besides : "the section and its material", err);
}

static apl_status beam_needs(const beam_param* p, const section_numbers* s, apl_error* err) {
  const bool x = beam_has(p, BEAM_BEND_X), y = beam_has(p, BEAM_BEND_Y);
  apl_status st = beam_need(s->mass, "mass-per-length", "kg/m", err);

  if (st == APL_OK && x) st = beam_need(s->EIx, "bending-stiffness", "N m^2", err);
  if (st == APL_OK && y) st = beam_need(s->EIy, "bending-stiffness", "N m^2", err);
  if (st == APL_OK && (x || y) && p->theory == beam_theories[0]) {
    st = beam_need_besides(s->GA, "shear-stiffness", "N", &p->section,
                           "shear-factor beside area and young-modulus", err);
  }
  if (st == APL_OK && beam_has(p, BEAM_TORSION)) {
    st = beam_need_besides(s->GJ, "torsion-stiffness", "N m^2", &p->section,
                           "torsion-constant beside area and young-modulus", err);
    if (st == APL_OK) st = beam_need(s->jx + s->jy, "rotary-inertia", "kg m", err);
  }
  if (st == APL_OK && beam_has(p, BEAM_AXIAL)) st = beam_need(s->EA, "axial-stiffness", "N", err);
  return st;
}

static const apl_body_kind beam_kind = {
    .word = "beam",
    .title = "a slender beam with small deflections, described by assumed modes (flexible links)",
    .note = "small deflections without geometric stiffening: a tension along the beam does not "
            "stiffen its bending; use an arc if it rotates fast",
    .field = beam_fields,
    .param_size = sizeof(beam_param),
    .plan = beam_plan,
    .coordinate = beam_coordinate,
    .sections = beam_sections,
    .compile = beam_compile,
    .shape = beam_show,
};

#endif
