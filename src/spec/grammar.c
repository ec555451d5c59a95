/* grammar.c: every key of a model file that does not belong to a kind. */
#include "spec/grammar.h"

#include "law/contact_law.h"
#include "spec/loop.h"
#include "spec/spec_impl.h"
#include "spec/words.h"

#include <math.h>

#define ROW(t, m, word, form_, fallback_, sentence_)                                               \
  {                                                                                                \
    .name = word, .offset = offsetof(t, m), .count = 1, .unit = "1", .form = form_,                \
    .fallback = fallback_, .sentence = sentence_                                                   \
  }
#define BLOCK(t, m, word, block, fallback_, sentence_)                                             \
  {                                                                                                \
    .name = word, .offset = offsetof(t, m), .count = 1, .unit = "1", .form = APL_FORM_BLOCK,       \
    .fallback = fallback_, .sentence = sentence_, .words = (const char* const[]) {                 \
      block, NULL                                                                                  \
    }                                                                                              \
  }

#define SIGNAL(t, m, word, fallback_, sentence_)                                                   \
  {                                                                                                \
    .name = word, .offset = offsetof(t, m), .count = 1, .unit = "1", .form = APL_FORM_SIGNAL,      \
    .fallback = fallback_, .sentence = sentence_, .words = (const char* const[]) {                 \
      "signal", NULL                                                                               \
    }                                                                                              \
  }
/* a number in the unit of what is driven, none when left out */
#define QUANTITY(t, m, word, sentence_)                                                            \
  {                                                                                                \
    .name = word, .offset = offsetof(t, m), .count = 1, .unit = apl_signal_unit,                   \
    .form = APL_FORM_QUANTITY, .fallback = no_quantity, .sentence = sentence_                      \
  }

#define TEXT(word)                                                                                 \
  (const char* const[]) {                                                                          \
    word                                                                                           \
  }
static const text_node* const nothing[1] = {NULL};
static const spec_quantity no_quantity[1] = {{NULL, {0, 0}}};
static const bool no[1] = {false};
static const double infinite[1] = {(double)INFINITY}, minus_infinite[1] = {-(double)INFINITY},
                    zero[1] = {0};
static const apl_pose here[1] = {{{0, 0, 0}, {1, 0, 0, 0}}};

const char* const apl_doubt_words[] = {"refuse", "keep", NULL};

const apl_field apl_model_fields[] = {
    ROW(grammar_model, appell, "appell", APL_FORM_WHOLE, NULL, "version of the file format: 1"),
    ROW(grammar_model, name, "name", APL_FORM_TEXT, TEXT(""),
        "name of the robot, shown in summaries and on pages"),
    ROW(grammar_model, description, "description", APL_FORM_TEXT, TEXT(""),
        "free text about the robot"),
    APL_FIELD(grammar_model, gravity, "gravity", "m/s^2",
              "gravitational acceleration, in world axes", 0, 0, -9.81),
    {.name = "doubts",
     .offset = offsetof(grammar_model, doubts),
     .count = 1,
     .unit = "1",
     .fallback = apl_doubt_words,
     .sentence =
         "what to do with inertias that no real body can have and with joints that move no mass: "
         "`refuse` them, or `keep` them with a warning (needed for some imported robots)",
     .form = APL_FORM_CHOICE,
     .words = apl_doubt_words},
    BLOCK(grammar_model, include, "include", "include", nothing,
          "other model files or URDFs whose links, inputs and so on become part of this robot"),
    BLOCK(grammar_model, links, "links", "links", NULL,
          "the links; each one is a joint and the body that it moves"),
    BLOCK(grammar_model, tendons, "tendons", "tendons", nothing,
          "tendons, by name; results have the channels NAME.length and NAME.tension"),
    BLOCK(
        grammar_model, loops, "loops", "loops", nothing,
        "loop closures: joints between two ports that are not in the tree, as in parallel robots"),
    BLOCK(grammar_model, couplings, "couplings", "couplings", nothing,
          "linear relations between two coordinates, by name: gears and mimic joints"),
    BLOCK(grammar_model, inputs, "inputs", "inputs", nothing,
          "motors, tendon drives and external loads, by name"),
    BLOCK(grammar_model, grounds, "grounds", "grounds", nothing,
          "planes that contacts can touch, by name"),
    BLOCK(grammar_model, contacts, "contacts", "contacts", nothing,
          "points, balls and arcs on ports that can touch a ground"),
    BLOCK(grammar_model, obstacles, "obstacles", "obstacles", nothing,
          "shapes that are fixed in the world, by name: pegs, steps, walls, pipes"),
    BLOCK(grammar_model, collide, "collide", "collide", nothing,
          "which shapes of links and obstacles can touch each other, and with which contact and "
          "friction law"),
    BLOCK(grammar_model, motion, "motion", "motion", nothing,
          "motion of prescribed joints and aim of servos, as signals, by coordinate or velocity"),
    BLOCK(grammar_model, gaits, "gaits", "gaits", nothing,
          "motions of many joints at once, for snakes and worms"),
    BLOCK(grammar_model, signals, "signals", "signals", nothing,
          "functions of time, by name; inputs, motions and gaits can refer to them"),
    BLOCK(grammar_model, start, "start", "start", nothing,
          "initial state: coordinates by name, velocities by name with `.rate`; or from an earlier "
          "result, or at static equilibrium"),
    BLOCK(grammar_model, run, "run", "run", nothing,
          "settings of a simulation: end time, integrator, tolerance"),
    BLOCK(grammar_model, record, "record", "record", nothing,
          "what to record in addition to the channels that every run records"),
    APL_FIELD_END,
};

const apl_field apl_link_fields[] = {
    ROW(grammar_link, name, "name", APL_FORM_TEXT, NULL, "name, unique among the links"),
    ROW(grammar_link, on, "on", APL_FORM_TEXT, TEXT("world"),
        "parent: `world`, a link, or a port as link.port"),
    ROW(grammar_link, at, "at", APL_FORM_POSE, here,
        "pose of the joint in the frame of its parent"),
    BLOCK(grammar_link, joint, "joint", "joint", nothing,
          "the joint between parent and body: a map, or only its type; fixed when left out"),
    BLOCK(grammar_link, body, "body", "body", NULL,
          "the body: a map; {mass: 0} is a frame without mass"),
    BLOCK(grammar_link, ports, "ports", "ports", nothing,
          "named frames on the body, where children, contacts, tendons and sensors are attached"),
    BLOCK(grammar_link, shapes, "shapes", "shapes", nothing,
          "geometry of the link: drawn on pages, and used for contact where `collide` says so; it "
          "has no mass. A link without shapes is drawn from its numbers, one with `[]` not at all"),
    APL_FIELD_END,
};

const apl_field apl_joint_fields[] = {
    ROW(grammar_joint, type, "type", APL_FORM_TEXT, NULL, "type of the joint, one of those below"),
    ROW(grammar_joint, name, "name", APL_FORM_TEXT, TEXT(""),
        "a name for the joint: coordinates are then called NAME.angle and so on; LINK.joint.angle "
        "can still be used"),
    BLOCK(grammar_joint, stiffness, "stiffness", "freedoms", nothing,
          "stiffness of a linear spring towards `rest` [N m/rad or N/m]: one number for all "
          "freedoms, or one for each"),
    BLOCK(grammar_joint, damping, "damping", "freedoms", nothing,
          "viscous damping [N m s/rad or N s/m]: one number for all freedoms, or one for each"),
    BLOCK(grammar_joint, rest, "rest", "freedoms", nothing,
          "coordinates at which the spring is relaxed; also the initial position unless `start` "
          "gives another one"),
    BLOCK(grammar_joint, rotors, "rotors", "rotors", nothing,
          "rotors of geared motors, which add their inertia to the joint"),
    BLOCK(grammar_joint, limits, "limits", "limits", nothing,
          "limits of a joint with one freedom: `lower` and `upper` are compliant stops; `velocity` "
          "and `effort` limit the motors if `enforced` is true"),
    BLOCK(grammar_joint, friction, "friction", "freedoms", nothing,
          "Coulomb friction F [N m or N] of a joint with one freedom: effort -F v/sqrt(v^2 + s^2), "
          "with s the `friction-speed`"),
    BLOCK(grammar_joint, friction_speed, "friction-speed", "freedoms", nothing,
          "speed s over which Coulomb friction is smoothed [rad/s or m/s]; 1e-3 when left out"),
    BLOCK(grammar_joint, stop_stiffness, "stop-stiffness", "freedoms", nothing,
          "stiffness k of the stops at `lower` and `upper` [N m/rad or N/m]: effort k p (1 + c p') "
          "at penetration p, with c the `stop-damping`; 1e4 when left out"),
    BLOCK(grammar_joint, stop_damping, "stop-damping", "freedoms", nothing,
          "damping c of the stops [s/rad or s/m]; 0 when left out"),
    BLOCK(grammar_joint, servo, "servo", "servo", nothing,
          "position or velocity controller (PID) that follows the `motion` or gait of the joint, "
          "or holds it at `rest`"),
    ROW(grammar_joint, prescribed, "prescribed", APL_FORM_FLAG, no,
        "the joint follows the `motion` or gait exactly, and the effort that this needs is "
        "computed"),
    APL_FIELD_END,
};

const apl_field apl_body_fields[] = {
    ROW(grammar_body, type, "type", APL_FORM_TEXT, TEXT("rigid"),
        "type of the body, one of those below"),
    ROW(grammar_body, prescribed, "prescribed", APL_FORM_FLAG, no,
        "the deformation follows the `motion` exactly, and the effort that this needs is computed"),
    APL_FIELD_END,
};

const apl_field apl_rotor_fields[] = {
    ROW(grammar_rotor, name, "name", APL_FORM_TEXT, NULL,
        "name, unique among the rotors and wheels of the link"),
    ROW(grammar_rotor, velocity, "velocity", APL_FORM_TEXT, TEXT(""),
        "name of the joint velocity to which the rotor is geared; the first one when left out"),
    APL_FIELD_REQUIRED(
        grammar_rotor, inertia, "inertia", "kg m^2",
        "moment of inertia of the rotor about its axis, on the motor side of the gear"),
    APL_FIELD(grammar_rotor, ratio, "ratio", "1", "gear ratio: rotor speed over joint speed", 1),
    APL_FIELD_END,
};

/* the unit is that of the joint: see read_limits() */
const apl_field apl_limits_fields[] = {
    ROW(spec_limits, lower, "lower", APL_FORM_NUMBERS, minus_infinite,
        "smallest coordinate [rad or m]: a compliant stop"),
    ROW(spec_limits, upper, "upper", APL_FORM_NUMBERS, infinite,
        "largest coordinate [rad or m]: a compliant stop"),
    ROW(spec_limits, velocity, "velocity", APL_FORM_NUMBERS, infinite,
        "largest speed of the motor [rad/s or m/s]; acts only if `enforced` is true"),
    ROW(spec_limits, effort, "effort", APL_FORM_NUMBERS, infinite,
        "largest torque or force of the motor [N m or N]; acts only if `enforced` is true"),
    ROW(spec_limits, enforced, "enforced", APL_FORM_FLAG, no,
        "limit the servo and each input of the joint to `effort`; while they drive, the limit "
        "falls linearly with the speed to zero at `velocity`"),
    APL_FIELD_END,
};

const char* const apl_aim_words[] = {"rest", "start", NULL};

const apl_field apl_servo_fields[] = {
    BLOCK(grammar_servo, stiffness, "stiffness", "freedoms", nothing,
          "proportional gain kp [N m/rad or N/m] of effort = kp e + ki (integral of e) + kd (rate "
          "of the aim - velocity), with e = aim - coordinate"),
    BLOCK(grammar_servo, damping, "damping", "freedoms", nothing,
          "derivative gain kd [N m s/rad or N s/m]; without the other gains the servo controls "
          "velocity, and its aim is the `motion` of a velocity (NAME.rate)"),
    BLOCK(grammar_servo, integral, "integral", "freedoms", nothing,
          "integral gain ki [N m/(rad s) or N/(m s)]; the integral stops growing where its part "
          "reaches the largest effort (anti-windup)"),
    BLOCK(grammar_servo, effort, "effort", "freedoms", nothing,
          "largest torque or force [N m or N]; no limit when left out"),
    BLOCK(grammar_servo, speed, "speed", "freedoms", nothing,
          "no-load speed [rad/s or m/s]: while the servo drives, the largest effort falls linearly "
          "to zero at this speed; needs `effort`; no limit when left out"),
    {.name = "aim",
     .offset = offsetof(grammar_servo, aim),
     .count = 1,
     .unit = "1",
     .fallback = apl_aim_words,
     .sentence =
         "what it holds without a motion: `rest` of the joint, or where the joint is at the "
         "`start`",
     .form = APL_FORM_CHOICE,
     .words = apl_aim_words},
    APL_FIELD_END,
};

const apl_field apl_port_fields[] = {
    ROW(grammar_port, at, "at", APL_FORM_POSE, here,
        "pose of the port, in the body frame; on a body that deforms, relative to the section at "
        "`station`"),
    APL_FIELD(grammar_port, station, "station", "1",
              "place along a body that deforms, from 0 (root) to 1 (tip); not for rigid bodies", 0),
    APL_FIELD_END,
};

const apl_field apl_tendon_fields[] = {
    BLOCK(grammar_tendon, path, "path", "path", NULL,
          "the guides that the tendon passes through, in order; it is fixed at the ends of this "
          "list and straight between separate guides"),
    APL_FIELD(grammar_tendon, stiffness, "stiffness", "N/m",
              "stiffness k of the whole tendon: tension = max(0, k (length - rest-length + input) "
              "+ damping times the rate of length), where the input is a length that the motor "
              "winds up; 0: the tension is the input itself",
              0),
    APL_FIELD(grammar_tendon, damping, "damping", "N s/m",
              "damping: tension per rate of length; needs `stiffness`", 0),
    {.name = "rest-length",
     .offset = offsetof(grammar_tendon, rest),
     .count = 1,
     .unit = "m",
     .fallback = infinite,
     .sentence = "length at which the tendon has no tension; when left out, the length with all "
                 "joints at `rest`"},
    APL_FIELD_END,
};

const apl_field apl_guide_fields[] = {
    ROW(grammar_guide, port, "port", APL_FORM_TEXT, TEXT(""),
        "guide at a point: a port, as link.port; the tendon slides there without friction, or is "
        "fixed there if it ends there"),
    ROW(grammar_guide, along, "along", APL_FORM_TEXT, TEXT(""),
        "guide along a link that deforms: the tendon runs inside this link"),
    APL_FIELD(grammar_guide, offset, "offset", "m",
              "with `along`: x and y of the tendon in each section", 0, 0),
    APL_FIELD(grammar_guide, from, "from", "1",
              "with `along`: station where the tendon enters, 0 root, 1 tip", 0),
    APL_FIELD(grammar_guide, to, "to", "1", "with `along`: station where the tendon leaves or ends",
              1),
    ROW(grammar_guide, discs, "discs", APL_FORM_WHOLE, (const int[]){0},
        "with `along`: number of equal gaps between guide discs in each element; the tendon is "
        "straight between discs; 0: guided continuously"),
    APL_FIELD_END,
};

const char* const apl_axes_words[] = {"world", "port", NULL};

const apl_field apl_input_fields[] = {
    ROW(grammar_input, on, "on", APL_FORM_TEXT, NULL,
        "what the input acts on: a joint velocity (arm.joint.angle), a wheel or rotor "
        "(base.right), a tendon (left), or a port (rod.tip)"),
    APL_FIELD(grammar_input, gain, "gain", "1",
              "torque or force per unit of input; for a tendon with stiffness, length wound up per "
              "unit of input",
              1),
    APL_FIELD(grammar_input, force, "force", "N", "only on a port: the force for an input of 1", 0,
              0, 0),
    APL_FIELD(grammar_input, moment, "moment", "N m",
              "only on a port: the moment for an input of 1", 0, 0, 0),
    {.name = "axes",
     .offset = offsetof(grammar_input, axes),
     .count = 1,
     .unit = "1",
     .fallback = apl_axes_words,
     .sentence = "axes of `force` and `moment`: fixed in the world, or turning with the port",
     .form = APL_FORM_CHOICE,
     .words = apl_axes_words},
    SIGNAL(grammar_input, value, "value", nothing,
           "value over time: a number or a signal; a `force` or `moment` without a value acts with "
           "the constant value 1"),
    QUANTITY(grammar_input, least, "least", "lower limit of the value"),
    QUANTITY(grammar_input, greatest, "greatest", "upper limit of the value"),
    APL_FIELD_END,
};

/* -------------------------------------------------------------------------------- contact ---- */

const apl_field apl_ground_fields[] = {
    APL_FIELD(grammar_ground, point, "point", "m", "a point on the plane, in world axes", 0, 0, 0),
    APL_FIELD_AXIS(grammar_ground, normal, "normal",
                   "normal of the plane, pointing out of the ground", 0, 0, 1),
    APL_FIELD(grammar_ground, direction, "direction", "1",
              "first friction direction, projected onto the plane; needed only if friction depends "
              "on direction. Given in world axes, or in port axes with `friction.axes: link`; when "
              "left out it is arbitrary, or x of the port",
              0, 0, 0),
    BLOCK(grammar_ground, law, "law", "normal-law", NULL, "normal contact law"),
    BLOCK(grammar_ground, friction, "friction", "friction-law", nothing,
          "friction law; no friction when left out"),
    APL_FIELD_END,
};

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

const apl_field apl_normal_fields[] = {
    {.name = "normal",
     .offset = offsetof(apl_surface, law),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_CHOICE,
     .words = normal_words,
     .sentence = "name of the law; `appell law` lists them with their formulas"},
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
    ROW(apl_surface, pulls, "pulls", APL_FORM_FLAG, no,
        "allow negative (attractive) normal forces where the formula gives them; otherwise the "
        "force is zero there"),
    APL_FIELD_END,
};

const apl_field apl_friction_fields[] = {
    {.name = "law",
     .offset = offsetof(apl_surface, friction),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_CHOICE,
     .words = friction_words,
     .sentence = "name of the law; `appell law` lists them with their formulas"},
    {.name = "axes",
     .offset = offsetof(apl_surface, axes),
     .count = 1,
     .unit = "1",
     .fallback = axes_words,
     .form = APL_FORM_CHOICE,
     .words = axes_words,
     .sentence = "where `direction` is fixed: in the ground, or in the port of each contact, so "
                 "that it turns with the link (wheels and scales of snakes)"},
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

const apl_field apl_contact_fields[] = {
    ROW(grammar_contact, on, "on", APL_FORM_TEXT, NULL,
        "the port that carries the contact, as link.port"),
    ROW(grammar_contact, with, "with", APL_FORM_TEXT, TEXT(""),
        "the ground that it can touch; all grounds when left out"),
    APL_FIELD(grammar_contact, radius, "radius", "m",
              "radius of a ball (or arc) about the port; 0: a point", 0),
    APL_FIELD(grammar_contact, arc, "arc", "rad",
              "half angle of a circular arc, instead of a ball: the arc lies in the x-z plane of "
              "the port and is centred on -z",
              0),
    APL_FIELD(
        grammar_contact, load, "load", "N",
        "given normal force: the contact always touches, presses with this force and only causes "
        "friction (snakes on a table); 0: the normal law of the ground gives the force",
        0),
    APL_FIELD_END,
};

/* ---------------------------------------------------------------------------------- loops ---- */

static const char* const closure_words[] = {
#define X(name, word, title, along, about) word,
    CLOSURE_LIST(X)
#undef X
        NULL};
static const char* const direction_words[] = {"x", "y", "z", "about-x", "about-y", "about-z", NULL};
const char* const apl_loop_axes_words[] = {"from", "world", NULL};

const apl_field apl_loop_fields[] = {
    ROW(grammar_loop, c.name, "name", APL_FORM_TEXT, TEXT(""),
        "name, unique among loops and couplings; loop1, loop2 and so on when left out"),
    ROW(grammar_loop, c.from, "from", APL_FORM_TEXT, NULL,
        "first frame: a port as link.port, a link (its own frame), or `world`"),
    ROW(grammar_loop, c.to, "to", APL_FORM_TEXT, NULL,
        "second frame, given like `from`; reported forces are those that act on it"),
    {.name = "type",
     .offset = offsetof(grammar_loop, c.type),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_CHOICE,
     .words = closure_words,
     .sentence = "type of the joint between them"},
    ROW(grammar_loop, c.at, "at", APL_FORM_POSE, here, "pose of the joint in the frame of `from`"),
    {.name = "axis",
     .offset = offsetof(grammar_loop, c.axis),
     .count = 3,
     .unit = "1",
     .form = APL_FORM_AXIS,
     .fallback = (const double[3]){0, 0, 1},
     .sentence =
         "axis of a hinge, slider or cylindrical joint, given in the axes of both frames; normal "
         "of the plane of a planar-point; axis of a universal joint that is fixed in `from`"},
    {.name = "cross",
     .offset = offsetof(grammar_loop, c.cross),
     .count = 3,
     .unit = "1",
     .form = APL_FORM_AXIS,
     .fallback = (const double[3]){1, 0, 0},
     .sentence = "universal: the axis that is fixed in `to` and stays perpendicular to `axis`"},
    APL_FIELD(grammar_loop, c.length, "length", "m",
              "distance: the constant distance between the two origins", 0),
    {.name = "directions",
     .offset = offsetof(grammar_loop, c.directions),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_SET,
     .words = direction_words,
     .fallback = (const unsigned[]){0},
     .sentence = "mask: the translations and rotations that are locked, in the axes of `from`"},
    {.name = "axes",
     .offset = offsetof(grammar_loop, axes),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_CHOICE,
     .words = apl_loop_axes_words,
     .fallback = apl_loop_axes_words,
     .sentence = "point, planar-point: axes in which the directions are fixed, those of `from` or "
                 "of the world"},
    APL_FIELD(grammar_loop, c.stiffness, "stiffness", "N/m",
              "with `run.loops: springs`: stiffness of the translations; 0: from `loop-frequency`",
              0),
    APL_FIELD(
        grammar_loop, c.damping, "damping", "N s/m",
        "with `run.loops: springs`: damping of the translations; 0: from `loop-damping-ratio`", 0),
    APL_FIELD(grammar_loop, c.turning_stiffness, "turning-stiffness", "N m/rad",
              "with `run.loops: springs`: stiffness of the rotations; 0: from `loop-frequency`", 0),
    APL_FIELD(grammar_loop, c.turning_damping, "turning-damping", "N m s/rad",
              "with `run.loops: springs`: damping of the rotations; 0: from `loop-damping-ratio`",
              0),
    APL_FIELD_END,
};

const apl_field apl_coupling_fields[] = {
    ROW(grammar_coupling, of, "of", APL_FORM_TEXT, NULL, "the dependent coordinate"),
    ROW(grammar_coupling, to, "to", APL_FORM_TEXT, NULL, "the coordinate that it depends on"),
    APL_FIELD(grammar_coupling, ratio, "ratio", "1",
              "ratio of: of = ratio to + offset, in SI units and radians", 1),
    BLOCK(grammar_coupling, offset, "offset", "freedoms", nothing,
          "value of `of` where `to` is zero; 0 when left out"),
    APL_FIELD_END,
};

const apl_field apl_pose_fields[] = {
    APL_FIELD(grammar_pose, position, "position", "m", "position of the origin", 0, 0, 0),
    BLOCK(grammar_pose, rotation, "rotation", "rotation", nothing, "orientation of the axes"),
    APL_FIELD_END,
};

const apl_field apl_rotation_fields[] = {
    APL_FIELD(grammar_rotation, rpy, "rpy", "rad",
              "roll, pitch and yaw: rotations about the fixed axes x, then y, then z, as in URDF",
              0, 0, 0),
    APL_FIELD(grammar_rotation, quaternion, "quaternion", "1",
              "quaternion w, x, y, z; need not have unit length", 1, 0, 0, 0),
    APL_FIELD_AXIS(grammar_rotation, axis, "axis", "axis of a rotation by `angle`", 0, 0, 1),
    APL_FIELD(grammar_rotation, angle, "angle", "rad", "angle of a rotation about `axis`", 0),
    APL_FIELD_END,
};

#define MOMENT(k, word)                                                                            \
  {                                                                                                \
    .name = word, .offset = k * sizeof(double), .count = 1, .unit = "kg m^2", .fallback = zero,    \
    .sentence = "component " word                                                                  \
  }
const apl_field apl_inertia_fields[] = {
    MOMENT(0, "xx"), MOMENT(1, "yy"), MOMENT(2, "zz"), MOMENT(3, "xy"),
    MOMENT(4, "xz"), MOMENT(5, "yz"), APL_FIELD_END,
};

/* ------------------------------------------------------------------------------- collide ---- */

static const int one_joint[1] = {1}, by_itself[1] = {0};
const char* const apl_unknown_words[] = {"refuse", "leave-out", NULL};

const apl_field apl_collide_fields[] = {
    ROW(grammar_collide, name, "name", APL_FORM_TEXT, TEXT("touch"),
        "name; its contacts are called NAME.1, NAME.2 and so on in results"),
    BLOCK(grammar_collide, of, "of", "names", nothing,
          "the first set of shapes: links, shapes (link.shape) or obstacles, with `*` at the end "
          "of a name as a wildcard; all shapes of links when left out"),
    BLOCK(grammar_collide, with, "with", "names", nothing,
          "the second set, given in the same way: what the first set can touch; all shapes of "
          "links and all obstacles when left out"),
    ROW(grammar_collide, neighbours, "neighbours", APL_FORM_WHOLE, one_joint,
        "links that are this many joints apart, or fewer, do not touch each other. Fixed joints "
        "are not counted. The world, with its obstacles, is a neighbour of links that a joint of "
        "one freedom connects to it"),
    ROW(grammar_collide, most, "most", APL_FORM_WHOLE, by_itself,
        "largest number of contact points at a time; 0: chosen from the number of shapes"),
    {.name = "unknown",
     .offset = offsetof(grammar_collide, unknown),
     .count = 1,
     .unit = "1",
     .fallback = apl_unknown_words,
     .sentence = "what to do with pairs of shapes for which no contact geometry is implemented: "
                 "`refuse` the model, or `leave-out` these pairs with a warning",
     .form = APL_FORM_CHOICE,
     .words = apl_unknown_words},
    BLOCK(grammar_collide, law, "law", "normal-law", NULL, "normal contact law"),
    BLOCK(grammar_collide, friction, "friction", "friction-law", nothing,
          "friction law; no friction when left out"),
    APL_FIELD_END,
};

/* ------------------------------------------------------------------------------- shapes ---- */

const char* const apl_use_words[] = {"both", "picture", "contact", NULL};

/* what all shapes know */
const apl_field apl_shape_fields[] = {
    ROW(spec_shape, name, "name", APL_FORM_TEXT, TEXT(""),
        "name, for use in `collide`; the name of an obstacle is its key"),
    {.name = "use",
     .offset = offsetof(spec_shape, use),
     .count = 1,
     .unit = "1",
     .fallback = apl_use_words,
     .sentence = "drawn only (`picture`), used for contact only (`contact`), or both; contact "
                 "needs an entry in `collide`. Meshes are only drawn",
     .form = APL_FORM_CHOICE,
     .words = apl_use_words},
    ROW(spec_shape, type, "type", APL_FORM_TEXT, NULL, "type of the shape, one of those below"),
    ROW(spec_shape, at, "at", APL_FORM_POSE, here,
        "pose of its centre in the body frame; of an obstacle, in the world"),
    APL_FIELD(spec_shape, colour, "colour", "1",
              "red, green, blue and opacity, each from 0 to 1; opacity 0: the colour of its link",
              0, 0, 0, 0),
    APL_FIELD_END,
};

#define RADIUS                                                                                     \
  {                                                                                                \
    .name = "radius", .offset = offsetof(spec_shape, size), .count = 1, .unit = "m",               \
    .sentence = "radius"                                                                           \
  }
#define LENGTH                                                                                     \
  {                                                                                                \
    .name = "length", .offset = offsetof(spec_shape, size) + sizeof(double), .count = 1,           \
    .unit = "m", .sentence = "length along z; that of a capsule does not include its round ends"   \
  }
static const apl_field box[] = {
    APL_FIELD_REQUIRED(spec_shape, size, "size", "m", "edge lengths along x, y, z"),
    APL_FIELD_END,
};
static const apl_field round_long[] = {RADIUS, LENGTH, APL_FIELD_END};
static const apl_field ball[] = {RADIUS, APL_FIELD_END};
static const apl_field mesh[] = {
    ROW(spec_shape, file, "file", APL_FORM_TEXT, NULL,
        "mesh file (.stl, .obj, .dae), relative to the folder of the model file"),
    APL_FIELD(spec_shape, scale, "scale", "1", "scale factors along x, y, z", 1, 1, 1),
    APL_FIELD_END,
};

const shape_kind apl_shape_kinds[] = {
    {"box", "a box; `at` is its centre", box},
    {"cylinder", "a cylinder along z", round_long},
    {"sphere", "a ball; `at` is its centre", ball},
    {"capsule", "a cylinder along z with hemispherical ends", round_long},
    {"pipe",
     "the inner wall of a tube along z, for bodies that move inside it; its open ends have no rim",
     round_long},
    {"mesh", "a triangle mesh from a file; it is only drawn", mesh},
    {NULL, NULL, NULL},
};

/* --------------------------------------------------------------------------------- gaits ---- */

const char apl_gait_unit[] = "unit of the joint";

const apl_field apl_gait_fields[] = {
    ROW(grammar_gait, type, "type", APL_FORM_TEXT, NULL, "type of the gait, one of those below"),
    BLOCK(grammar_gait, joints, "joints", "names", nothing,
          "links whose joints the gait moves, in order from the head"),
    BLOCK(grammar_gait, chain, "chain", "names", nothing,
          "instead of `joints`: [first, last], meaning all links from first to last whose joint "
          "has one freedom"),
    APL_FIELD(grammar_gait, gait.envelope, "envelope", "1",
              "growth z of the amplitude along the body: the amplitude of joint j of n is "
              "multiplied by 1 - z + z j/n",
              0),
    APL_FIELD(grammar_gait, gait.ramp_up, "ramp-up", "s",
              "duration of the smooth fade-in, which begins at time 0", 0),
    {.name = "stop-at",
     .offset = offsetof(grammar_gait, gait.stop_at),
     .count = 1,
     .unit = "s",
     .fallback = infinite,
     .sentence = "time at which the fade-out begins; never when left out"},
    APL_FIELD(grammar_gait, gait.ramp_down, "ramp-down", "s", "duration of the fade-out", 0),
    SIGNAL(grammar_gait, offset, "offset", nothing,
           "value that is added to every joint, a number or a signal; use it to steer"),
    APL_FIELD_END,
};

#define WAVE_FIELDS(t, m, when)                                                                    \
  APL_FIELD_REQUIRED(t, m amplitude, "amplitude", apl_gait_unit, "amplitude of the joint motion"), \
      APL_FIELD_REQUIRED(t, m frequency, "frequency", "Hz", "cycles per second"),                  \
      APL_FIELD_REQUIRED(t, m step, "step", "rad",                                                 \
                         "phase difference between neighbouring joints"),                          \
      APL_FIELD(t, m phase, "phase", "rad", when, 0)

const apl_field apl_gait_wave_fields[] = {
    WAVE_FIELDS(apl_gait_wave, , "phase at time 0: joint j has the phase j step + phase"),
    APL_FIELD(apl_gait_wave, offset, "offset", apl_gait_unit, "mean value of the joint coordinate",
              0),
    APL_FIELD_END,
};
static const apl_field serpenoid[] = {
    APL_FIELD_REQUIRED(grammar_gait, gait.winding, "winding", "rad",
                       "winding angle alpha: largest angle between the curve and its axis"),
    APL_FIELD_REQUIRED(grammar_gait, gait.waves, "waves", "1",
                       "number k of waves on the length of the body"),
    APL_FIELD_REQUIRED(grammar_gait, gait.length, "length", "m", "length of the body"),
    SIGNAL(grammar_gait, travel, "travel", NULL,
           "shift s(t) of the curve along the body [m], a signal; the robot advances while s "
           "decreases"),
    APL_FIELD_END,
};
static const apl_field single_wave[] = {
    WAVE_FIELDS(grammar_gait, gait.pitch., "phase of joint 1 at time 0"),
    APL_FIELD_END,
};
static const apl_field alternating[] = {
    BLOCK(grammar_gait, pitch, "pitch", "wave", nothing,
          "wave of joints 1, 3, 5 and so on; when left out they do not move"),
    BLOCK(grammar_gait, yaw, "yaw", "wave", nothing,
          "wave of joints 2, 4, 6 and so on; when left out they do not move"),
    APL_FIELD_END,
};
static const apl_field concertina[] = {
    APL_FIELD_REQUIRED(grammar_gait, gait.pitch.amplitude, "amplitude", apl_gait_unit,
                       "amplitude of the folds"),
    APL_FIELD_REQUIRED(grammar_gait, gait.pitch.step, "step", "rad",
                       "phase difference of the folds between neighbouring joints"),
    APL_FIELD(grammar_gait, gait.pitch.phase, "phase", "rad", "phase of joint 1", 0),
    APL_FIELD_REQUIRED(grammar_gait, gait.period, "period", "s",
                       "period of one cycle, which has four phases of equal duration"),
    APL_FIELD(grammar_gait, gait.anchor, "anchor", "1",
              "fraction of the joints that belong to the head, and the same fraction to the tail",
              1.0 / 3.0),
    APL_FIELD_END,
};

const shape_kind apl_gait_kinds[] = {
    {"serpenoid",
     "Hirose's serpenoid curve, divided into links and shifted along the body with time",
     serpenoid},
    {"wave", "one travelling wave over all joints", single_wave},
    {"alternating",
     "a wave in each plane, for snakes with alternating axes: pitch on joints 1, 3, 5 .. and yaw "
     "on joints 2, 4, 6 ..",
     alternating},
    {"concertina", "tail and head hold in turn while the middle folds and stretches", concertina},
    {NULL, NULL, NULL},
};

/* ---------------------------------------------------------------------------------- run ---- */

static const char* const loop_methods[] = {"multipliers", "reduced", "springs", NULL};

const apl_field apl_run_fields[] = {
    APL_FIELD(apl_run_block, to, "to", "s", "time at which the simulation ends; it begins at 0", 1),
    {.name = "integrator",
     .offset = offsetof(apl_run_block, integrator),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_CHOICE,
     .fallback = &apl_method_words[0],
     .words = apl_method_words,
     .sentence = "integration method; `auto` suits most robots without many contacts, `moreau` is "
                 "for many contacts. docs/run.md compares them"},
    APL_FIELD(apl_run_block, tolerance, "tolerance", "1",
              "relative error allowed per step, for methods with error control", 1e-8),
    APL_FIELD(apl_run_block, step, "step", "s",
              "step size of rk4, semi-implicit, moreau and gen-alpha, which need one; other "
              "methods choose their own steps and refuse this key",
              0),
    APL_FIELD(apl_run_block, output_every, "output-every", "s", "time between recorded rows", 0.01),
    {.name = "loops",
     .offset = offsetof(apl_run_block, loops),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_CHOICE,
     .fallback = &loop_methods[0],
     .words = loop_methods,
     .sentence = "how loops are closed: Lagrange multipliers, reduction to independent "
                 "coordinates, or stiff springs"},
    APL_FIELD(apl_run_block, loop_stabilisation, "loop-stabilisation", "1/s",
              "multipliers: rate of Baumgarte stabilisation, in addition to the projection after "
              "each step; 0: projection alone",
              0),
    APL_FIELD(apl_run_block, loop_frequency, "loop-frequency", "rad/s",
              "springs: natural frequency of each constraint without a given stiffness", 1000),
    APL_FIELD(apl_run_block, loop_ratio, "loop-damping-ratio", "1",
              "springs: damping ratio of each constraint without a given damping", 1),
    APL_FIELD(apl_run_block, spectral_radius, "spectral-radius", "1",
              "gen-alpha: spectral radius at infinite frequency, from 0 (fast vibrations are "
              "damped out in one step) to 1 (no numerical damping)",
              0.5),
    ROW(apl_run_block, loop_slow, "loop-slow-start", APL_FORM_FLAG, no,
        "springs: start with the springs already under load, so that they do not vibrate"),
    APL_FIELD_END,
};

const apl_field apl_record_fields[] = {
    BLOCK(grammar_record, ports, "ports", "names", nothing,
          "ports (link.port) whose pose and velocity in the world are recorded"),
    ROW(grammar_record, accelerations, "accelerations", APL_FORM_FLAG, no,
        "record the derivatives of all velocities, and the accelerations of these ports"),
    ROW(grammar_record, reactions, "reactions", APL_FORM_FLAG, no,
        "record the forces and moments that hold each link at its joint, and the robot in the "
        "world"),
    APL_FIELD(grammar_record, every, "every", "s",
              "time between recorded rows; 0: `output-every` of the run", 0),
    APL_FIELD_END,
};

/* ------------------------------------------------------------------------------- blocks ---- */

const grammar_block apl_grammar_blocks[] = {
    {"include", BLOCK_LIST, apl_include_fields,
     "another model file, YAML or URDF; a single one may be given without a list"},
    {"set", BLOCK_ANY, NULL, "Values by path, as for `--set`"},
    {"links", BLOCK_LIST, apl_link_fields, "a link: a joint and the body that it moves"},
    {"joint", BLOCK_MAP, apl_joint_fields, "a joint"},
    {"body", BLOCK_MAP, apl_body_fields, "a body"},
    {"ports", BLOCK_NAMED, apl_port_fields, "a frame on a body"},
    {"rotors", BLOCK_LIST, apl_rotor_fields, "the rotor of a geared motor"},
    {"limits", BLOCK_MAP, apl_limits_fields, "limits of a joint"},
    {"servo", BLOCK_MAP, apl_servo_fields, "gains and limits of the controller of a joint"},
    {"shapes", BLOCK_LIST, apl_shape_fields, "a shape on a link, for pages and for contact"},
    {"tendons", BLOCK_NAMED, apl_tendon_fields, "a tendon"},
    {"path", BLOCK_LIST, apl_guide_fields, "a guide of a tendon, with either `port` or `along`"},
    {"loops", BLOCK_LIST, apl_loop_fields, "a loop closure: a joint between two ports"},
    {"couplings", BLOCK_NAMED, apl_coupling_fields,
     "a coupling: a coordinate that is a linear function of another one"},
    {"inputs", BLOCK_NAMED, apl_input_fields,
     "an input: a torque, force or tendon pull that comes from outside"},
    {"grounds", BLOCK_NAMED, apl_ground_fields, "a plane that contacts can touch"},
    {"normal-law", BLOCK_MAP, apl_normal_fields, "the force along the normal of a contact"},
    {"friction-law", BLOCK_MAP, apl_friction_fields,
     "the friction force of a contact, in the tangent plane"},
    {"contacts", BLOCK_LIST, apl_contact_fields, "a point, ball or arc that can touch a ground"},
    {"obstacles", BLOCK_NAMED, apl_shape_fields,
     "a shape that is fixed in the world, of the types of `shapes` except mesh"},
    {"collide", BLOCK_LIST, apl_collide_fields,
     "shapes that can touch each other; if two entries name the same pair, the first one applies"},
    {"rotation", BLOCK_MAP, apl_rotation_fields,
     "a rotation, given by `rpy`, by `quaternion`, or by `axis` and `angle`"},
    {"run", BLOCK_MAP, apl_run_fields, "settings of a simulation: end time, integrator, tolerance"},
    {"record", BLOCK_MAP, apl_record_fields, "what to record in addition"},
    {"names", BLOCK_NAMES, NULL, ""},
    {"freedoms", BLOCK_NUMBERS, NULL, "one number, or one for each freedom"},
    {"start", BLOCK_ANY, NULL,
     "Initial values by name. `from: FILE.h5` takes the values that are not given from the last "
     "row of a result. With `settle: true` a floating base is moved up or down until the robot "
     "just "
     "stands on its ground. With `equilibrium: true` the run starts at a static equilibrium, with "
     "`equilibrium: stable` at a stable one: given coordinates are then the first guess of the "
     "search, and given velocities remain the initial velocities. In robots with loops given "
     "values "
     "stay as they are and the others follow; values under `near: {NAME: VALUE}` are guesses, "
     "which "
     "loops may move: they choose between several assemblies"},
    {"motion", BLOCK_ANY, NULL, "Signals by name of a coordinate or velocity"},
    {"gaits", BLOCK_LIST, apl_gait_fields, "a gait: coordinated motion of a row of joints"},
    {"wave", BLOCK_MAP, apl_gait_wave_fields, "a travelling wave"},
    {"signals", BLOCK_SIGNALS, NULL, "signals, by name"},
    {"signal", BLOCK_SIGNAL, NULL,
     "A quantity, the name of one of `signals`, or a map with one of the keys below"},
    {NULL, BLOCK_ANY, NULL, NULL},
};
