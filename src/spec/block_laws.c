/* SPDX-License-Identifier: Apache-2.0 */
/* block_laws.c: the normal law and the friction law of a contact, for `grounds` and `collide`. */
#include "spec/grammar.h"
#include "spec/rows.h"

#include "law/contact_law.h"

static const char* const normal_words[] = {
#define X(name, word, title, needs) word,
    NORMAL_LAW_LIST(X)
#undef X
        NULL};
static const char* const friction_words[] = {
#define X(name, word, title, needs, corners) word,
    FRICTION_LAW_LIST(X)
#undef X
        NULL};

static const char* const axes_words[] = {"ground", "link", NULL};

static const apl_field normal_fields[] = {
    CHOICE(apl_surface, law, "normal", normal_words, NULL,
           "name of the law; `appell law` lists them with their formulas"),
    APL_FIELD(apl_surface, stiffness, "stiffness", "1",
              "contact stiffness K of the elastic force K D^n at penetration D [N/m^n]", 0),
    APL_FIELD(apl_surface, exponent, "exponent", "1",
              "exponent n of K D^n: 1.5 for a ball on a plane (Hertz), 1 for a linear spring", 1.5),
    APL_FIELD(apl_surface, restitution, "restitution", "1",
              "wanted coefficient of restitution: rebound speed over impact speed, above 0 and at "
              "most 1; with the law `restitution` from 0 to 1",
              0),
    APL_FIELD(apl_surface, damping, "damping", "N s/m", "kelvin-voigt: damping b of K D^n + b D'",
              0),
    APL_FIELD(apl_surface, rest_speed, "rest-speed", "m/s",
              "impacts slower than this do not rebound: the contact stays closed and the body "
              "comes to rest",
              1e-3),
    APL_FIELD(apl_surface, start_depth, "start-depth", "m",
              "largest penetration at the start of a run; a deeper start is refused", 1e-3),
    ROW(apl_surface, pulls, "pulls", APL_FORM_FLAG, NO,
        "allow negative (attractive) normal forces where the formula gives them; otherwise the "
        "force is zero there"),
    APL_FIELD_END,
};

static const apl_field friction_fields[] = {
    CHOICE(apl_surface, friction, "law", friction_words, NULL,
           "name of the law; `appell law` lists them with their formulas"),
    CHOICE(apl_surface, axes, "axes", axes_words, axes_words,
           "where `direction` is fixed: in the ground, or in the port of each contact, so "
           "that it turns with the link (wheels and scales of snakes)"),
    APL_FIELD(apl_surface, coefficient, "coefficient", "1",
              "coefficient of sliding friction; if friction depends on direction, the one for "
              "sliding forward, along `direction`",
              0),
    APL_FIELD(apl_surface, backward, "backward", "1",
              "coefficient for sliding backward, against `direction`; not given: as `coefficient`",
              HUGE_VAL),
    APL_FIELD(apl_surface, across, "across", "1",
              "coefficient for sliding sideways, to both sides of `direction`; not given: as "
              "`coefficient`",
              HUGE_VAL),
    APL_FIELD(
        apl_surface, left, "left", "1",
        "coefficient for sliding to the left, along normal x direction; not given: as `across`",
        HUGE_VAL),
    APL_FIELD(apl_surface, right, "right", "1",
              "coefficient for sliding to the right; not given: as `across`", HUGE_VAL),
    APL_FIELD(apl_surface, stiction, "stiction", "1",
              "coefficient of static friction; 0: as `coefficient`", 0),
    APL_FIELD(apl_surface, v0, "v0", "m/s",
              "speed below which the law departs from dry friction: it smooths the force at zero "
              "slip (coulomb, viscous, coupled, decoupled, stribeck, threlfall, bengisu-akay), is "
              "the speed below which a contact sticks (karnopp), or the speed up to which there is "
              "no friction (ambrosio)",
              0),
    APL_FIELD(apl_surface, v1, "v1", "m/s",
              "ambrosio: slip speed from which friction has its full value", 0),
    APL_FIELD(
        apl_surface, viscous, "viscous", "s/m",
        "viscous part of the coefficient of friction, per slip speed (viscous, stribeck, lugre)",
        0),
    APL_FIELD(apl_surface, drag, "drag", "N s/m",
              "law `viscous`: friction force per slip speed along `direction`, independent of the "
              "normal force",
              0),
    APL_FIELD(apl_surface, drag_across, "drag-across", "N s/m",
              "law `viscous`: the same for sideways slip; 0: as `drag`", 0),
    APL_FIELD(apl_surface, stribeck_speed, "stribeck-speed", "m/s",
              "stribeck, lugre: speed vs of exp(-(s/vs)^d), over which static friction falls to "
              "sliding friction",
              0),
    APL_FIELD(apl_surface, stribeck_exponent, "stribeck-exponent", "1",
              "stribeck, lugre: exponent d of exp(-(s/vs)^d)", 2),
    APL_FIELD(
        apl_surface, decay, "decay", "s/m",
        "bengisu-akay: rate at which static friction falls to sliding friction with the slip speed",
        0),
    APL_FIELD(apl_surface, bristle_stiffness, "bristle-stiffness", "1/m",
              "lugre: bristle stiffness sigma0, per unit of normal force", 0),
    APL_FIELD(apl_surface, bristle_damping, "bristle-damping", "s/m",
              "lugre: bristle damping sigma1, per unit of normal force", 0),
    APL_FIELD_END,
};

bool apl_laws_read(form_reader* r, const char* where, const text_node* law,
                   const text_node* friction, apl_surface* out) {
  apl_form_where(r, "%.120s.law.", where);
  bool ok = apl_fields_read(r, law, &(field_set){.field = normal_fields, .out = out}, 1);
  apl_form_where(r, "%.120s.friction.", where);
  if (friction == NULL) return ok;
  return apl_fields_read(r, friction, &(field_set){.field = friction_fields, .out = out}, 1) && ok;
}

void apl_laws_write(text_out* o, const apl_surface* g, const char* comma) {
  apl_out_add(o, "%slaw: {", comma);
  comma = "";
  apl_fields_write(o, normal_fields, g, APL_ALL_FIELDS, &comma);
  apl_out_add(o, "}, friction: {");
  comma = "";
  apl_fields_write(o, friction_fields, g, APL_ALL_FIELDS, &comma);
  apl_out_add(o, "}}\n");
}

const grammar_block apl_block_normal_law = {
    .word = "normal-law",
    .form = BLOCK_MAP,
    .field = normal_fields,
    .title = "the force along the normal of a contact",
};

const grammar_block apl_block_friction_law = {
    .word = "friction-law",
    .form = BLOCK_MAP,
    .field = friction_fields,
    .title = "the friction force of a contact, in the tangent plane",
};
