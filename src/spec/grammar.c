/* grammar.c: every key of a model file that does not belong to a kind. */
#include "spec/grammar.h"

#include "math/contact_law.h"
#include "spec/loop.h"
#include "spec/spec_impl.h"

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
    ROW(grammar_model, name, "name", APL_FORM_TEXT, TEXT(""), "what the robot is called"),
    ROW(grammar_model, description, "description", APL_FORM_TEXT, TEXT(""), "more about it"),
    APL_FIELD(grammar_model, gravity, "gravity", "m/s^2",
              "acceleration of free fall, in world axes", 0, 0, -9.81),
    {.name = "doubts",
     .offset = offsetof(grammar_model, doubts),
     .count = 1,
     .unit = "1",
     .fallback = apl_doubt_words,
     .sentence = "inertias that no body has and joints that move no mass: refused, or kept with a "
                 "warning, as imported robots have them",
     .form = APL_FORM_CHOICE,
     .words = apl_doubt_words},
    BLOCK(grammar_model, include, "include", "include", nothing,
          "other files whose links, inputs .. are put in: robots made of robots"),
    BLOCK(grammar_model, links, "links", "links", NULL,
          "the links, each a joint that carries a body"),
    BLOCK(grammar_model, tendons, "tendons", "tendons", nothing,
          "lines that pull, by name; each ends in channels NAME.length and NAME.tension"),
    BLOCK(grammar_model, loops, "loops", "loops", nothing,
          "pairs of ports that are joined, so that the links between them close on themselves"),
    BLOCK(grammar_model, couplings, "couplings", "couplings", nothing,
          "coordinates that follow others, by name: gears and mimic joints"),
    BLOCK(grammar_model, inputs, "inputs", "inputs", nothing,
          "efforts that come from outside, by name"),
    BLOCK(grammar_model, grounds, "grounds", "grounds", nothing, "planes that bodies may touch"),
    BLOCK(grammar_model, contacts, "contacts", "contacts", nothing,
          "points and balls on ports that may touch a ground"),
    BLOCK(grammar_model, obstacles, "obstacles", "obstacles", nothing,
          "shapes that stand in the world, by name: pegs, steps, walls, pipes"),
    BLOCK(grammar_model, collide, "collide", "collide", nothing,
          "which shapes of links and obstacles may touch, and by which laws"),
    BLOCK(grammar_model, motion, "motion", "motion", nothing,
          "signals of prescribed freedoms, by coordinate or velocity"),
    BLOCK(grammar_model, gaits, "gaits", "gaits", nothing,
          "motions of many joints at once: of snakes and worms"),
    BLOCK(grammar_model, signals, "signals", "signals", nothing, "functions of time, by name"),
    BLOCK(grammar_model, start, "start", "start", nothing,
          "coordinates by name, velocities by name with .rate; from an earlier result; at "
          "equilibrium"),
    BLOCK(grammar_model, run, "run", "run", nothing, "how to simulate"),
    BLOCK(grammar_model, record, "record", "record", nothing,
          "what results have besides what every run has"),
    APL_FIELD_END,
};

const apl_field apl_link_fields[] = {
    ROW(grammar_link, name, "name", APL_FORM_TEXT, NULL, "a word, unique among the links"),
    ROW(grammar_link, on, "on", APL_FORM_TEXT, TEXT("world"),
        "what it hangs on: world, a link, or a port as link.port"),
    ROW(grammar_link, at, "at", APL_FORM_POSE, here, "where the joint sits in the frame it is on"),
    BLOCK(grammar_link, joint, "joint", "joint", nothing,
          "how it moves: a map, or the word of a joint; fixed when left out"),
    BLOCK(grammar_link, body, "body", "body", NULL,
          "what moves: a map; {mass: 0} for a frame without mass"),
    BLOCK(grammar_link, ports, "ports", "ports", nothing, "named frames on the body"),
    BLOCK(grammar_link, shapes, "shapes", "shapes", nothing,
          "what it looks like; the dynamics do not look"),
    APL_FIELD_END,
};

const apl_field apl_joint_fields[] = {
    ROW(grammar_joint, type, "type", APL_FORM_TEXT, NULL, "kind of joint"),
    ROW(grammar_joint, name, "name", APL_FORM_TEXT, TEXT(""),
        "a name of its own: coordinates are then NAME.angle and so on, LINK.joint.angle stays an "
        "alias"),
    BLOCK(grammar_joint, stiffness, "stiffness", "freedoms", nothing,
          "spring towards `rest`: one number for all freedoms or one for each"),
    BLOCK(grammar_joint, damping, "damping", "freedoms", nothing,
          "viscous damping: one number for all freedoms or one for each"),
    BLOCK(grammar_joint, rest, "rest", "freedoms", nothing,
          "coordinates where springs are relaxed and runs start"),
    BLOCK(grammar_joint, rotors, "rotors", "rotors", nothing,
          "geared rotors that spin with the joint"),
    BLOCK(
        grammar_joint, limits, "limits", "limits", nothing,
        "bounds of a joint of one freedom: compliant stops at lower and upper; velocity and effort "
        "bound motors when they are `enforced`"),
    BLOCK(grammar_joint, friction, "friction", "freedoms", nothing,
          "dry friction of a joint of one freedom, rounded at low speed"),
    BLOCK(grammar_joint, friction_speed, "friction-speed", "freedoms", nothing,
          "speed over which the corner of dry friction is rounded; 1e-3 when left out"),
    BLOCK(grammar_joint, stop_stiffness, "stop-stiffness", "freedoms", nothing,
          "of the stops at lower and upper: effort = stop-stiffness p (1 + stop-damping p') for a "
          "penetration p; 1e4 when left out"),
    BLOCK(grammar_joint, stop_damping, "stop-damping", "freedoms", nothing,
          "of the stops at lower and upper; 0 when left out"),
    BLOCK(grammar_joint, servo, "servo", "servo", nothing,
          "a motor that follows the `motion` or the gait of the joint, or holds it at `rest`"),
    ROW(grammar_joint, prescribed, "prescribed", APL_FORM_FLAG, no,
        "its motion is a given function of time"),
    APL_FIELD_END,
};

const apl_field apl_body_fields[] = {
    ROW(grammar_body, type, "type", APL_FORM_TEXT, TEXT("rigid"), "kind of body"),
    ROW(grammar_body, prescribed, "prescribed", APL_FORM_FLAG, no,
        "its deformation is a given function of time"),
    APL_FIELD_END,
};

const apl_field apl_rotor_fields[] = {
    ROW(grammar_rotor, name, "name", APL_FORM_TEXT, NULL, "a word, unique on the link"),
    ROW(grammar_rotor, velocity, "velocity", APL_FORM_TEXT, TEXT(""),
        "name of the velocity it is geared to; the first when left out"),
    APL_FIELD_REQUIRED(grammar_rotor, inertia, "inertia", "kg m^2",
                       "axial inertia of the rotor itself"),
    APL_FIELD(grammar_rotor, ratio, "ratio", "1", "turns of the rotor per turn of the joint", 1),
    APL_FIELD_END,
};

/* the unit is that of the joint: see read_limits() */
const apl_field apl_limits_fields[] = {
    ROW(spec_limits, lower, "lower", APL_FORM_NUMBERS, minus_infinite, "smallest coordinate"),
    ROW(spec_limits, upper, "upper", APL_FORM_NUMBERS, infinite, "largest coordinate"),
    ROW(spec_limits, velocity, "velocity", APL_FORM_NUMBERS, infinite, "largest speed"),
    ROW(spec_limits, effort, "effort", APL_FORM_NUMBERS, infinite, "largest effort"),
    ROW(spec_limits, enforced, "enforced", APL_FORM_FLAG, no,
        "each input and the servo of the joint give no more than `effort`, which where they drive "
        "falls along a line to zero at `velocity`"),
    APL_FIELD_END,
};

const apl_field apl_servo_fields[] = {
    BLOCK(grammar_servo, stiffness, "stiffness", "freedoms", nothing,
          "kp of effort = kp (aim - coordinate) + ki (its sum over time) + kd (rate of the aim - "
          "velocity)"),
    BLOCK(grammar_servo, damping, "damping", "freedoms", nothing,
          "kd; alone it is a velocity motor, whose aim is the `motion` of a velocity (NAME.rate)"),
    BLOCK(grammar_servo, integral, "integral", "freedoms", nothing,
          "ki; its part of the effort does not grow beyond the largest effort"),
    BLOCK(grammar_servo, effort, "effort", "freedoms", nothing,
          "largest effort; none when left out"),
    BLOCK(grammar_servo, speed, "speed", "freedoms", nothing,
          "speed at which it can push no further: the largest effort falls to zero there; needs "
          "`effort`"),
    APL_FIELD_END,
};

const apl_field apl_port_fields[] = {
    ROW(grammar_port, at, "at", APL_FORM_POSE, here,
        "where, in the body frame or relative to the section"),
    APL_FIELD(grammar_port, station, "station", "1",
              "section of a body that deforms: 0 root, 1 tip", 0),
    APL_FIELD_END,
};

const apl_field apl_tendon_fields[] = {
    BLOCK(grammar_tendon, path, "path", "path", NULL,
          "its guides in order; the tendon ends at the first and the last one and is straight "
          "between guides that are apart"),
    APL_FIELD(grammar_tendon, stiffness, "stiffness", "N/m",
              "of the whole tendon: its tension is max(0, stiffness (length - rest-length + input) "
              "+ damping rate); 0: its tension is its input",
              0),
    APL_FIELD(grammar_tendon, damping, "damping", "N s/m", "tension per rate of its length", 0),
    {.name = "rest-length",
     .offset = offsetof(grammar_tendon, rest),
     .count = 1,
     .unit = "m",
     .fallback = infinite,
     .sentence = "length without tension; that of the robot at rest when left out"},
    APL_FIELD_END,
};

const apl_field apl_guide_fields[] = {
    ROW(grammar_guide, port, "port", APL_FORM_TEXT, TEXT(""),
        "a point where it slides, or is tied: link.port"),
    ROW(grammar_guide, along, "along", APL_FORM_TEXT, TEXT(""),
        "a link that deforms, inside which it runs"),
    APL_FIELD(grammar_guide, offset, "offset", "m", "along: x and y in each section", 0, 0),
    APL_FIELD(grammar_guide, from, "from", "1", "along: station where it enters, 0 root, 1 tip", 0),
    APL_FIELD(grammar_guide, to, "to", "1", "along: station where it leaves or is tied", 1),
    ROW(grammar_guide, discs, "discs", APL_FORM_WHOLE, (const int[]){0},
        "along: equal gaps between discs, for each element it crosses; it is straight between "
        "them; guided all along when left out"),
    APL_FIELD_END,
};

const char* const apl_axes_words[] = {"world", "port", NULL};

const apl_field apl_input_fields[] = {
    ROW(grammar_input, on, "on", APL_FORM_TEXT, NULL,
        "a velocity (arm.joint.angle), a wheel or rotor (base.right), a tendon (left), or a port "
        "(rod.tip)"),
    APL_FIELD(grammar_input, gain, "gain", "1",
              "effort per unit of input; of a tendon with stiffness: length wound up", 1),
    APL_FIELD(grammar_input, force, "force", "N", "on a port, for an input of 1", 0, 0, 0),
    APL_FIELD(grammar_input, moment, "moment", "N m", "on a port, for an input of 1", 0, 0, 0),
    {.name = "axes",
     .offset = offsetof(grammar_input, axes),
     .count = 1,
     .unit = "1",
     .fallback = apl_axes_words,
     .sentence = "of force and moment: the world's, or the port's, with which they turn",
     .form = APL_FORM_CHOICE,
     .words = apl_axes_words},
    SIGNAL(grammar_input, value, "value", nothing,
           "its value over time; a force or moment acts as it is without one"),
    QUANTITY(grammar_input, least, "least", "smaller values are cut to this one"),
    QUANTITY(grammar_input, greatest, "greatest", "larger values are cut to this one"),
    APL_FIELD_END,
};

/* -------------------------------------------------------------------------------- contact ---- */

const apl_field apl_ground_fields[] = {
    APL_FIELD(grammar_ground, point, "point", "m", "a point of the plane", 0, 0, 0),
    APL_FIELD_AXIS(grammar_ground, normal, "normal", "out of the ground", 0, 0, 1),
    APL_FIELD(grammar_ground, direction, "direction", "1",
              "first direction of friction, brought into the plane, in the axes that friction.axes "
              "names; when left out any, or x of the port",
              0, 0, 0),
    BLOCK(grammar_ground, law, "law", "normal-law", NULL, "how it pushes back"),
    BLOCK(grammar_ground, friction, "friction", "friction-law", nothing, "how it rubs"),
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
     .sentence = "name of the law"},
    APL_FIELD(apl_surface, stiffness, "stiffness", "1", "K of K D^n, in N/m^n", 0),
    APL_FIELD(apl_surface, exponent, "exponent", "1", "n of K D^n", 1.5),
    APL_FIELD(
        apl_surface, restitution, "restitution", "1",
        "speed out over speed in that is wished for, in (0, 1]; of the law restitution in [0, 1]",
        0),
    APL_FIELD(apl_surface, damping, "damping", "N s/m", "b of kelvin-voigt", 0),
    APL_FIELD(apl_surface, rest_speed, "rest-speed", "m/s",
              "contacts that begin slower than this stay closed: the body comes to rest", 1e-3),
    APL_FIELD(apl_surface, start_depth, "start-depth", "m",
              "a start deeper in the ground than this is refused", 1e-3),
    ROW(apl_surface, pulls, "pulls", APL_FORM_FLAG, no,
        "the force may pull where the formula says so; else it is cut at zero"),
    APL_FIELD_END,
};

const apl_field apl_friction_fields[] = {
    {.name = "law",
     .offset = offsetof(apl_surface, friction),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_CHOICE,
     .words = friction_words,
     .sentence = "name of the law"},
    {.name = "axes",
     .offset = offsetof(apl_surface, axes),
     .count = 1,
     .unit = "1",
     .fallback = axes_words,
     .form = APL_FORM_CHOICE,
     .words = axes_words,
     .sentence =
         "where `direction` is fixed: in the ground, or in the port of each contact, so that "
         "it turns with the link"},
    APL_FIELD(apl_surface, coefficient, "coefficient", "1", "of sliding along `direction`, forward",
              0),
    APL_FIELD(apl_surface, backward, "backward", "1",
              "of sliding against `direction`; 0: as coefficient", 0),
    APL_FIELD(apl_surface, across, "across", "1",
              "of sliding across `direction`, to both sides; 0: as coefficient", 0),
    APL_FIELD(apl_surface, left, "left", "1",
              "of sliding to the left, normal x direction; 0: as across", 0),
    APL_FIELD(apl_surface, right, "right", "1", "of sliding to the right; 0: as across", 0),
    APL_FIELD(apl_surface, stiction, "stiction", "1", "static coefficient; 0: as coefficient", 0),
    APL_FIELD(apl_surface, v0, "v0", "m/s", "speed that rounds or begins the corner at rest", 0),
    APL_FIELD(apl_surface, v1, "v1", "m/s", "ambrosio: speed of full friction", 0),
    APL_FIELD(apl_surface, viscous, "viscous", "s/m", "coefficient per speed", 0),
    APL_FIELD(apl_surface, drag, "drag", "N s/m",
              "of the law viscous: force per speed along `direction`, whatever the load is", 0),
    APL_FIELD(apl_surface, drag_across, "drag-across", "N s/m",
              "the same across `direction`; 0: as drag", 0),
    APL_FIELD(apl_surface, stribeck_speed, "stribeck-speed", "m/s", "vs of exp(-(s/vs)^d)", 0),
    APL_FIELD(apl_surface, stribeck_exponent, "stribeck-exponent", "1", "d of exp(-(s/vs)^d)", 2),
    APL_FIELD(apl_surface, decay, "decay", "s/m", "xi of bengisu-akay", 0),
    APL_FIELD(apl_surface, bristle_stiffness, "bristle-stiffness", "1/m",
              "sigma0 of lugre, per unit of normal force", 0),
    APL_FIELD(apl_surface, bristle_damping, "bristle-damping", "s/m",
              "sigma1 of lugre, per unit of normal force", 0),
    APL_FIELD_END,
};

const apl_field apl_contact_fields[] = {
    ROW(grammar_contact, on, "on", APL_FORM_TEXT, NULL, "a port, as link.port"),
    ROW(grammar_contact, with, "with", APL_FORM_TEXT, TEXT(""), "a ground; all when left out"),
    APL_FIELD(grammar_contact, radius, "radius", "m", "of a ball about the port; 0: a point", 0),
    APL_FIELD(grammar_contact, arc, "arc", "rad",
              "an arc instead of the ball: half its angle, about -z of the port in its x-z plane, "
              "ends included",
              0),
    APL_FIELD(grammar_contact, load, "load", "N",
              "it always touches and is pressed by this force, given and not found: it only rubs; "
              "0: the law of the ground decides",
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
        "a word, unique among loops and couplings; loop1, loop2 .. when left out"),
    ROW(grammar_loop, c.from, "from", APL_FORM_TEXT, NULL,
        "a port as link.port, a link for its root, or world"),
    ROW(grammar_loop, c.to, "to", APL_FORM_TEXT, NULL,
        "a port like `from`; forces are told as they act on it"),
    {.name = "type",
     .offset = offsetof(grammar_loop, c.type),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_CHOICE,
     .words = closure_words,
     .sentence = "what joins them"},
    ROW(grammar_loop, c.at, "at", APL_FORM_POSE, here, "where it sits in the frame of `from`"),
    {.name = "axis",
     .offset = offsetof(grammar_loop, c.axis),
     .count = 3,
     .unit = "1",
     .form = APL_FORM_AXIS,
     .fallback = (const double[3]){0, 0, 1},
     .sentence = "hinge, slider, cylindrical: their axis, in the axes of both; planar-point: the "
                 "normal of its plane; universal: the axis fixed in `from`"},
    {.name = "cross",
     .offset = offsetof(grammar_loop, c.cross),
     .count = 3,
     .unit = "1",
     .form = APL_FORM_AXIS,
     .fallback = (const double[3]){1, 0, 0},
     .sentence = "universal: the axis fixed in `to`, which stays across the other"},
    APL_FIELD(grammar_loop, c.length, "length", "m", "distance: between the two origins", 0),
    {.name = "directions",
     .offset = offsetof(grammar_loop, c.directions),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_SET,
     .words = direction_words,
     .fallback = (const unsigned[]){0},
     .sentence = "mask: what is held, in the axes of `from`"},
    {.name = "axes",
     .offset = offsetof(grammar_loop, axes),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_CHOICE,
     .words = apl_loop_axes_words,
     .fallback = apl_loop_axes_words,
     .sentence = "point, planar-point: the axes in which directions are held, those of `from` or "
                 "the world's"},
    APL_FIELD(grammar_loop, c.stiffness, "stiffness", "N/m",
              "method springs: of rows that hold a length; 0: chosen by the run", 0),
    APL_FIELD(grammar_loop, c.damping, "damping", "N s/m", "the same for dampers", 0),
    APL_FIELD(grammar_loop, c.turning_stiffness, "turning-stiffness", "N m/rad",
              "method springs: of rows that hold an angle; 0: chosen by the run", 0),
    APL_FIELD(grammar_loop, c.turning_damping, "turning-damping", "N m s/rad",
              "the same for dampers", 0),
    APL_FIELD_END,
};

const apl_field apl_coupling_fields[] = {
    ROW(grammar_coupling, of, "of", APL_FORM_TEXT, NULL, "the coordinate that follows"),
    ROW(grammar_coupling, to, "to", APL_FORM_TEXT, NULL, "the coordinate that it follows"),
    APL_FIELD(grammar_coupling, ratio, "ratio", "1",
              "of = ratio to + offset, in SI units and radians", 1),
    BLOCK(grammar_coupling, offset, "offset", "freedoms", nothing,
          "where `of` is when `to` is at zero; 0 when left out"),
    APL_FIELD_END,
};

const apl_field apl_pose_fields[] = {
    APL_FIELD(grammar_pose, position, "position", "m", "of the origin", 0, 0, 0),
    BLOCK(grammar_pose, rotation, "rotation", "rotation", nothing, "of the axes"),
    APL_FIELD_END,
};

const apl_field apl_rotation_fields[] = {
    APL_FIELD(grammar_rotation, rpy, "rpy", "rad", "roll, pitch, yaw about fixed axes", 0, 0, 0),
    APL_FIELD(grammar_rotation, quaternion, "quaternion", "1", "w, x, y, z; normalised on use", 1,
              0, 0, 0),
    APL_FIELD_AXIS(grammar_rotation, axis, "axis", "axis of a rotation by `angle`", 0, 0, 1),
    APL_FIELD(grammar_rotation, angle, "angle", "rad", "about `axis`", 0),
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
        "a word; contacts are called NAME.1, NAME.2 .."),
    BLOCK(grammar_collide, of, "of", "names", nothing,
          "links, shapes (link.shape) and obstacles; a * at the end stands for any; all shapes of "
          "links when left out"),
    BLOCK(grammar_collide, with, "with", "names", nothing,
          "what they may touch, in the same way; all shapes of links and all obstacles when left "
          "out"),
    ROW(grammar_collide, neighbours, "neighbours", APL_FORM_WHOLE, one_joint,
        "links that are so many joints apart, or fewer, do not touch; fixed joints do not count, "
        "and the world counts as a link on joints of one freedom"),
    ROW(grammar_collide, most, "most", APL_FORM_WHOLE, by_itself,
        "places that may be near each other at once; 0: by the number of shapes"),
    {.name = "unknown",
     .offset = offsetof(grammar_collide, unknown),
     .count = 1,
     .unit = "1",
     .fallback = apl_unknown_words,
     .sentence = "pairs of shapes without a closed form: refused, or left out with a warning",
     .form = APL_FORM_CHOICE,
     .words = apl_unknown_words},
    BLOCK(grammar_collide, law, "law", "normal-law", NULL, "how they push each other"),
    BLOCK(grammar_collide, friction, "friction", "friction-law", nothing, "how they rub"),
    APL_FIELD_END,
};

/* ------------------------------------------------------------------------------- shapes ---- */

const char* const apl_use_words[] = {"both", "picture", "contact", NULL};

/* what all shapes know */
const apl_field apl_shape_fields[] = {
    ROW(spec_shape, name, "name", APL_FORM_TEXT, TEXT(""),
        "a word, for `collide`; of an obstacle it is its key"),
    {.name = "use",
     .offset = offsetof(spec_shape, use),
     .count = 1,
     .unit = "1",
     .fallback = apl_use_words,
     .sentence = "is it drawn, may it touch (where `collide` says so), or both; meshes are drawn",
     .form = APL_FORM_CHOICE,
     .words = apl_use_words},
    ROW(spec_shape, type, "type", APL_FORM_TEXT, NULL, "kind of shape"),
    ROW(spec_shape, at, "at", APL_FORM_POSE, here, "its centre in the body frame"),
    APL_FIELD(spec_shape, colour, "colour", "1",
              "red, green, blue, alpha from 0 to 1; alpha 0: the colour of its link", 0, 0, 0, 0),
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
    .unit = "m", .sentence = "length along z; of a capsule without its caps"                       \
  }
static const apl_field box[] = {
    APL_FIELD_REQUIRED(spec_shape, size, "size", "m", "edges along x, y, z"),
    APL_FIELD_END,
};
static const apl_field round_long[] = {RADIUS, LENGTH, APL_FIELD_END};
static const apl_field ball[] = {RADIUS, APL_FIELD_END};
static const apl_field mesh[] = {
    ROW(spec_shape, file, "file", APL_FORM_TEXT, NULL,
        "file with the mesh (.stl, .obj, .dae), seen from the folder of the model file"),
    APL_FIELD(spec_shape, scale, "scale", "1", "along x, y, z", 1, 1, 1),
    APL_FIELD_END,
};

const shape_kind apl_shape_kinds[] = {
    {"box", "a box about its centre", box},
    {"cylinder", "a cylinder along z", round_long},
    {"sphere", "a ball", ball},
    {"capsule", "a cylinder along z with round caps", round_long},
    {"pipe", "the inside of a tube along z: what is in it touches it; its mouths have no edge",
     round_long},
    {"mesh", "triangles of a file", mesh},
    {NULL, NULL, NULL},
};

/* --------------------------------------------------------------------------------- gaits ---- */

const char apl_gait_unit[] = "unit of the joint";

const apl_field apl_gait_fields[] = {
    ROW(grammar_gait, type, "type", APL_FORM_TEXT, NULL, "kind of gait"),
    BLOCK(grammar_gait, joints, "joints", "names", nothing,
          "links whose joints it moves, in order from the head"),
    BLOCK(grammar_gait, chain, "chain", "names", nothing,
          "instead: [first, last], all links with a joint of one freedom on the way"),
    APL_FIELD(grammar_gait, gait.envelope, "envelope", "1",
              "z: amplitudes are 1 - z + z j/n of their size at joint j of n", 0),
    APL_FIELD(grammar_gait, gait.ramp_up, "ramp-up", "s", "blend from zero, from time 0 on", 0),
    {.name = "stop-at",
     .offset = offsetof(grammar_gait, gait.stop_at),
     .count = 1,
     .unit = "s",
     .fallback = infinite,
     .sentence = "time at which the blend to zero begins; never when left out"},
    APL_FIELD(grammar_gait, gait.ramp_down, "ramp-down", "s", "how long it takes", 0),
    SIGNAL(grammar_gait, offset, "offset", nothing, "added to every joint: it steers"),
    APL_FIELD_END,
};

#define WAVE_FIELDS(t, m, when)                                                                    \
  APL_FIELD_REQUIRED(t, m amplitude, "amplitude", apl_gait_unit, "largest departure"),             \
      APL_FIELD_REQUIRED(t, m frequency, "frequency", "Hz", "cycles per second"),                  \
      APL_FIELD_REQUIRED(t, m step, "step", "rad", "phase from joint to joint"),                   \
      APL_FIELD(t, m phase, "phase", "rad", when, 0)

const apl_field apl_gait_wave_fields[] = {
    WAVE_FIELDS(apl_gait_wave, , "at time zero, one step before the first joint"),
    APL_FIELD(apl_gait_wave, offset, "offset", apl_gait_unit, "middle", 0),
    APL_FIELD_END,
};
static const apl_field serpenoid[] = {
    APL_FIELD_REQUIRED(grammar_gait, gait.winding, "winding", "rad",
                       "alpha: largest angle of the curve against its axis"),
    APL_FIELD_REQUIRED(grammar_gait, gait.waves, "waves", "1", "k: waves on the body"),
    APL_FIELD_REQUIRED(grammar_gait, gait.length, "length", "m", "of the body"),
    SIGNAL(grammar_gait, travel, "travel", NULL,
           "s(t): way of the curve along the body [m]; where s falls the robot advances"),
    APL_FIELD_END,
};
static const apl_field single_wave[] = {
    WAVE_FIELDS(grammar_gait, gait.pitch., "of joint 1 at time zero"),
    APL_FIELD_END,
};
static const apl_field alternating[] = {
    BLOCK(grammar_gait, pitch, "pitch", "wave", nothing, "of joints 1, 3, ..; none: they rest"),
    BLOCK(grammar_gait, yaw, "yaw", "wave", nothing, "of joints 2, 4, ..; none: they rest"),
    APL_FIELD_END,
};
static const apl_field concertina[] = {
    APL_FIELD_REQUIRED(grammar_gait, gait.pitch.amplitude, "amplitude", apl_gait_unit,
                       "of the folds"),
    APL_FIELD_REQUIRED(grammar_gait, gait.pitch.step, "step", "rad",
                       "phase of the folds from joint to joint"),
    APL_FIELD(grammar_gait, gait.pitch.phase, "phase", "rad", "of joint 1", 0),
    APL_FIELD_REQUIRED(grammar_gait, gait.period, "period", "s", "of a cycle of four parts"),
    APL_FIELD(grammar_gait, gait.anchor, "anchor", "1",
              "share of the joints in the head, and as many in the tail", 1.0 / 3.0),
    APL_FIELD_END,
};

const shape_kind apl_gait_kinds[] = {
    {"serpenoid", "the curve of Hirose, cut into links and shifted along the body", serpenoid},
    {"wave", "one travelling wave over all joints", single_wave},
    {"alternating", "pitch on joints 1, 3, .. and yaw on joints 2, 4, ..: a wave in each plane",
     alternating},
    {"concertina", "tail and head anchor in turn, the middle folds and stretches", concertina},
    {NULL, NULL, NULL},
};

/* ---------------------------------------------------------------------------------- run ---- */

static const char* const integrators[] = {"auto",          "rkf45",  "rkf78",     "dop853",
                                          "adams",         "stiff",  "bdf",       "rk4",
                                          "semi-implicit", "moreau", "gen-alpha", NULL};

static const char* const loop_methods[] = {"multipliers", "reduced", "springs", NULL};

const apl_field apl_run_fields[] = {
    APL_FIELD(apl_run_block, to, "to", "s", "time at which the run ends", 1),
    {.name = "integrator",
     .offset = offsetof(apl_run_block, integrator),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_CHOICE,
     .fallback = &integrators[0],
     .words = integrators,
     .sentence = "method of integration"},
    APL_FIELD(apl_run_block, tolerance, "tolerance", "1", "relative error of a step", 1e-8),
    APL_FIELD(
        apl_run_block, step, "step", "s",
        "step of rk4, semi-implicit, moreau and gen-alpha; others choose their own and take none",
        0),
    APL_FIELD(apl_run_block, output_every, "output-every", "s", "time between results", 0.01),
    {.name = "loops",
     .offset = offsetof(apl_run_block, loops),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_CHOICE,
     .fallback = &loop_methods[0],
     .words = loop_methods,
     .sentence = "how loops are closed: by forces, by independent coordinates, or by springs"},
    APL_FIELD(apl_run_block, loop_stabilisation, "loop-stabilisation", "1/s",
              "multipliers: rate at which drift is pulled back besides (Baumgarte)", 0),
    APL_FIELD(apl_run_block, loop_frequency, "loop-frequency", "rad/s",
              "springs without a stiffness of their own: frequency of each row", 1000),
    APL_FIELD(apl_run_block, loop_ratio, "loop-damping-ratio", "1", "... and its damping ratio", 1),
    APL_FIELD(apl_run_block, spectral_radius, "spectral-radius", "1",
              "gen-alpha: the part that a step leaves of motion far faster than itself, 0 to 1",
              0.5),
    ROW(apl_run_block, loop_slow, "loop-slow-start", APL_FORM_FLAG, no,
        "springs: start where they carry their loads, so that they do not ring"),
    APL_FIELD_END,
};

const apl_field apl_record_fields[] = {
    BLOCK(grammar_record, ports, "ports", "names", nothing,
          "ports (link.port) whose pose and velocity in the world are recorded"),
    ROW(grammar_record, accelerations, "accelerations", APL_FORM_FLAG, no,
        "rates of all velocities, and accelerations of these ports"),
    ROW(grammar_record, reactions, "reactions", APL_FORM_FLAG, no,
        "what holds each link at its joint, and the robot in the world"),
    APL_FIELD(grammar_record, every, "every", "s",
              "time between results; 0: output-every of the run", 0),
    APL_FIELD_END,
};

/* ------------------------------------------------------------------------------- blocks ---- */

const grammar_block apl_grammar_blocks[] = {
    {"include", BLOCK_LIST, apl_include_fields,
     "another file, YAML or URDF; a single one needs no list"},
    {"set", BLOCK_ANY, NULL, "Values by path, as for `--set`"},
    {"links", BLOCK_LIST, apl_link_fields, "a link: a joint that carries a body"},
    {"joint", BLOCK_MAP, apl_joint_fields, "a joint"},
    {"body", BLOCK_MAP, apl_body_fields, "a body"},
    {"ports", BLOCK_NAMED, apl_port_fields, "a frame on a body"},
    {"rotors", BLOCK_LIST, apl_rotor_fields, "a geared rotor"},
    {"limits", BLOCK_MAP, apl_limits_fields, "bounds of a joint"},
    {"servo", BLOCK_MAP, apl_servo_fields, "gains and limits of a motor"},
    {"shapes", BLOCK_LIST, apl_shape_fields,
     "a shape of a link: a picture, and what may touch others"},
    {"tendons", BLOCK_NAMED, apl_tendon_fields, "a tendon"},
    {"path", BLOCK_LIST, apl_guide_fields, "a guide: a port, or along a link"},
    {"loops", BLOCK_LIST, apl_loop_fields, "a loop: two ports that are joined"},
    {"couplings", BLOCK_NAMED, apl_coupling_fields,
     "a coupling: a coordinate that follows another"},
    {"inputs", BLOCK_NAMED, apl_input_fields, "an input"},
    {"grounds", BLOCK_NAMED, apl_ground_fields, "a plane that bodies may touch"},
    {"normal-law", BLOCK_MAP, apl_normal_fields, "the force along the normal of a ground"},
    {"friction-law", BLOCK_MAP, apl_friction_fields, "the force in the plane of a ground"},
    {"contacts", BLOCK_LIST, apl_contact_fields, "a point or ball that may touch a ground"},
    {"obstacles", BLOCK_NAMED, apl_shape_fields,
     "a shape that stands in the world, of the kinds of `shapes`, but no mesh"},
    {"collide", BLOCK_LIST, apl_collide_fields,
     "shapes that may touch each other; of two entries that name a pair the first counts"},
    {"rotation", BLOCK_MAP, apl_rotation_fields, "a rotation, in one of three ways"},
    {"run", BLOCK_MAP, apl_run_fields, "how to simulate"},
    {"record", BLOCK_MAP, apl_record_fields, "what results have besides"},
    {"names", BLOCK_NAMES, NULL, ""},
    {"freedoms", BLOCK_NUMBERS, NULL, "one number, or one for each freedom"},
    {"start", BLOCK_ANY, NULL,
     "Start values by name; `from: FILE.h5` takes those that are not given from the last row of a "
     "result; with `equilibrium: true` (or `stable`) coordinates are the first guess of a static "
     "shape, and velocities a push"},
    {"motion", BLOCK_ANY, NULL, "Signals by coordinate or velocity"},
    {"gaits", BLOCK_LIST, apl_gait_fields, "a gait: signals for a row of joints"},
    {"wave", BLOCK_MAP, apl_gait_wave_fields, "a travelling wave"},
    {"signals", BLOCK_SIGNALS, NULL, "signals by name"},
    {"signal", BLOCK_SIGNAL, NULL,
     "A quantity, the name of one of `signals`, or a map with one of the keys below"},
    {NULL, BLOCK_ANY, NULL, NULL},
};
