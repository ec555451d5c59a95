/* SPDX-License-Identifier: Apache-2.0 */
/* channel_table.c: every channel that a run can record: name, unit, sentence, getter. The order of
   the table is the order of the columns. */
#include "channel/channel_table.h"

#include "appell/recorder.h"

#include "model/model_impl.h"
#include "channel/recorder.h"
#include "dynamics/extra.h"
#include "dynamics/loops.h"
#include "model/info.h"
#include "system/system.h"

#include <stddef.h>
#include <string.h>

#define END                                                                                        \
  { NULL, NULL, NULL, NULL, 0, NULL }

/* The three components of a vector; their numbers begin with k. */
#define VECTOR(ending, unit, sentence, get, k, has)                                                \
  {ending ".x", unit, sentence, get, (k), has}, {ending ".y", unit, sentence, get, (k) + 1, has},  \
  {                                                                                                \
    ending ".z", unit, sentence, get, (k) + 2, has                                                 \
  }

/* The number of items of each sort in the model, and their names. */
#define ITEMS(sort, kind)                                                                          \
  static int count_##sort(const channel_source* s) {                                               \
    return apl_model_count(s->model, kind);                                                        \
  }                                                                                                \
  static const char* name_##sort(const channel_source* s, int i) {                                 \
    return apl_model_name(s->model, kind, i);                                                      \
  }

/* ------------------------------------------------------------------------------------- time ----
 */

static int one(const channel_source* s) {
  (void)s;
  return 1;
}
static const char* no_name(const channel_source* s, int i) {
  (void)s, (void)i;
  return "";
}
static double get_time(const channel_source* s, int i, int k) {
  (void)i, (void)k;
  return s->t;
}
static const channel_row time_rows[] = {{"time", "s", "time", get_time, 0, NULL}, END};

/* -------------------------------------------------------------------------- coordinates ---- */

ITEMS(q, APL_COORDINATES)
static const char* unit_q(const channel_source* s, int i) {
  return apl_model_unit(s->model, APL_COORDINATES, i);
}
static double get_q(const channel_source* s, int i, int k) {
  (void)k;
  return apl_q(s->state)[i];
}
static const channel_row q_rows[] = {{"", NULL, "coordinate", get_q, 0, NULL}, END};

/* --------------------------------------------------------------------------- velocities ---- */

ITEMS(v, APL_VELOCITIES)
static const char* unit_v(const channel_source* s, int i) {
  return apl_model_unit(s->model, APL_VELOCITIES, i);
}
static double get_v(const channel_source* s, int i, int k) {
  (void)k;
  return apl_v(s->state)[i];
}
static const channel_row v_rows[] = {{".rate", NULL, "velocity", get_v, 0, NULL}, END};

static int count_a(const channel_source* s) {
  return s->accelerations ? apl_model_nv(s->model) : 0;
}
static const char* unit_a(const channel_source* s, int i) {
  return s->rate_unit[i];
}
static double get_a(const channel_source* s, int i, int k) {
  (void)k;
  return apl_a(s->state)[i];
}
static const channel_row a_rows[] = {{".rate.rate", NULL, "acceleration", get_a, 0, NULL}, END};

/* ------------------------------------------------------------------------------- inputs ---- */

ITEMS(u, APL_INPUTS)
static bool named_like_coordinate(const channel_source* s, int i) {
  return apl_input_ending(s->model, i)[0] != '\0';
}
static bool named_by_itself(const channel_source* s, int i) {
  return !named_like_coordinate(s, i);
}
static double get_u(const channel_source* s, int i, int k) {
  (void)k;
  return apl_u(s->state)[i];
}
static const char* unit_u(const channel_source* s, int i) {
  return apl_model_unit(s->model, APL_INPUTS, i);
}
static const channel_row u_rows[] = {{"", NULL, "input", get_u, 0, named_by_itself},
                                     {".input", NULL, "input", get_u, 0, named_like_coordinate},
                                     END};

const char* apl_input_ending(const apl_model* m, int input) {
  const char* name = apl_model_name(m, APL_INPUTS, input);
  return name == NULL || apl_model_find(m, APL_COORDINATES, name) < 0 ? "" : ".input";
}

/* ------------------------------------------------------------------------------ tendons ---- */

ITEMS(tendon, APL_TENDONS)
static double get_length(const channel_source* s, int i, int k) {
  (void)k;
  return s->length[i];
}
static double get_tension(const channel_source* s, int i, int k) {
  (void)k;
  return s->tension[i];
}
static const channel_row length_rows[] = {{".length", "m", "tendon", get_length, 0, NULL}, END};
static const channel_row tension_rows[] = {{".tension", "N", "tendon", get_tension, 0, NULL}, END};

/* ----------------------------------------------------------------------------- contacts ---- */

ITEMS(contact, APL_CONTACTS)
static double get_depth(const channel_source* s, int i, int k) {
  (void)k;
  return s->contact[i].depth;
}
static double get_force(const channel_source* s, int i, int k) {
  return s->contact[i].force[k];
}
static double get_place(const channel_source* s, int i, int k) {
  return s->contact[i].place[k];
}
static double get_push(const channel_source* s, int i, int k) {
  return s->contact[i].world[k];
}
static double get_shape(const channel_source* s, int i, int k) {
  return s->contact[i].shape[k];
}
static bool on_ground(const channel_source* s, int i) {
  return apl_model_contact_info(s->model, i).port >= 0;
}
static bool of_shapes(const channel_source* s, int i) {
  return !on_ground(s, i);
}
static const channel_row contact_rows[] = {
    {".depth", "m", "penetration into the ground", get_depth, 0, NULL},
    {".normal", "N", "force of the ground along its normal", get_force, 0, NULL},
    {".along", "N", "friction force along the first direction of the ground", get_force, 1,
     on_ground},
    {".across", "N", "friction force along the second direction", get_force, 2, on_ground},
    {".first", "1", "number of the first shape, counted from 1; 0: none", get_shape, 0, of_shapes},
    {".second", "1", "number of the shape that it touches, counted from 1; 0: none", get_shape, 1,
     of_shapes},
    VECTOR(".place", "m", "where they touch", get_place, 0, of_shapes),
    VECTOR(".force", "N", "force on the first shape, in world axes", get_push, 0, of_shapes),
    END};

/* -------------------------------------------------------------------------------- loops ---- */

ITEMS(loop, APL_LOOP_ROWS)
static const char* unit_gap(const channel_source* s, int i) {
  return apl_model_unit(s->model, APL_LOOP_ROWS, i);
}
static const char* unit_loop_force(const channel_source* s, int i) {
  return strcmp(unit_gap(s, i), "m") == 0 ? "N" : "N m";
}
static double get_loop(const channel_source* s, int i, int k) {
  return apl_loop_row(s->state)[APL_LOOP * i + k];
}
static const channel_row loop_force_rows[] = {
    {".force", NULL, "force of the loop on `to`; the opposite acts on `from`", get_loop,
     APL_LOOP_FORCE, NULL},
    END};
static const channel_row loop_gap_rows[] = {
    {".gap", NULL, "gap of the loop constraint", get_loop, APL_LOOP_GAP, NULL}, END};

/* --------------------------------------------------------------------- prescribed motion ---- */

static int count_given(const channel_source* s) {
  return s->ngiven;
}
static const char* name_given(const channel_source* s, int i) {
  return apl_model_name(s->model, APL_VELOCITIES, s->given[i]);
}
static const char* unit_given(const channel_source* s, int i) {
  return apl_model_unit(s->model, APL_EFFORTS, s->given[i]);
}
double apl_channel_effort(const channel_source* s, int i, int k) {
  const int v = s->given[i];
  double effort = apl_tau(s->state)[v] + apl_servo(s->state)[v];
  (void)k;
  /* an effort that a control program writes to u acts on the joint as well */
  for (int j = 0; s->controlled && j < s->model->ninput; ++j) {
    const apl_input* in = &s->model->input[j];
    if (in->kind == INPUT_VELOCITY && in->target == v)
      effort += s->model->par[in->gain] * apl_u(s->state)[j];
  }
  return effort;
}
static const channel_row effort_rows[] = {
    {".effort", NULL,
     "effort that the prescribed motion needs, or that the servo or a program applies",
     apl_channel_effort, 0, NULL},
    END};

/* ----------------------------------------------------------------------- joints that roll ---- */

static int count_footing(const channel_source* s) {
  return s->nfooting;
}
static const char* name_footing(const channel_source* s, int i) {
  return apl_model_name(s->model, APL_FOOTINGS, i);
}
static bool has_polygon(const channel_source* s, int i) {
  return s->footing[i].ncontact > 1;
}
static bool is_hitched(const channel_source* s, int i) {
  return s->footing[i].hitched;
}
static double get_hitch(const channel_source* s, int i, int k) {
  return s->footing[i].hitch[k];
}
static double get_footing(const channel_source* s, int i, int k) {
  const apl_footing_forces* g = &s->footing[i];
  const double number[] = {g->normal,      g->lateral,     g->friction,
                           g->pressure[0], g->pressure[1], g->margin};
  return number[k];
}
static const channel_row footing_rows[] = {
    {".ground.normal", "N", "normal force of the ground", get_footing, 0, NULL},
    {".ground.lateral", "N", "force of the ground to the left", get_footing, 1, NULL},
    {".ground.friction", "1", "friction needed: tangential over normal", get_footing, 2, NULL},
    {".ground.pressure-x", "m", "centre of pressure, forward", get_footing, 3, has_polygon},
    {".ground.pressure-y", "m", "centre of pressure, to the left", get_footing, 4, has_polygon},
    {".ground.margin", "m",
     "distance of the centre of pressure from the edge of the support polygon; negative: the base "
     "tips",
     get_footing, 5, has_polygon},
    {".hitch.forward", "N", "force of the hitch on the trailer along its heading", get_hitch, 0,
     is_hitched},
    {".hitch.lateral", "N", "to its left", get_hitch, 1, is_hitched},
    {".hitch.load", "N", "force of the hitch on the trailer along the normal (tongue load)",
     get_hitch, 2, is_hitched},
    END};

static const apl_foothold_force* wheel_of(const channel_source* s, int i) {
  return &s->footing[s->wheel[i].footing].contact[s->wheel[i].contact];
}
static int count_wheel(const channel_source* s) {
  return s->nwheel;
}
static const char* name_wheel(const channel_source* s, int i) {
  return apl_model_name(s->model, APL_SATELLITES, wheel_of(s, i)->satellite);
}
static double get_wheel(const channel_source* s, int i, int k) {
  const apl_foothold_force* w = wheel_of(s, i);
  const double number[] = {w->traction, w->normal, w->torque};
  return number[k];
}
static double get_angle(const channel_source* s, int i, int k) {
  (void)k;
  /* in y the angles of wheels follow q, v and the bristle states of contacts */
  return s->y[apl_system_error_size(s->system) + wheel_of(s, i)->satellite];
}
static const channel_row wheel_rows[] = {
    {".traction", "N", "force of the ground along the wheel, or along the axis of its roller",
     get_wheel, 0, NULL},
    {".load", "N", "normal force on the wheel", get_wheel, 1, NULL},
    {".torque", "N m", "torque that drives the wheel", get_wheel, 2, NULL},
    {".angle", "rad", "rotation of the wheel since the start", get_angle, OF_THE_PAST, NULL},
    END};

/* -------------------------------------------------------------------------------- ports ---- */

static int count_port(const channel_source* s) {
  return s->nport;
}
static const char* name_port(const channel_source* s, int i) {
  return apl_model_name(s->model, APL_PORTS, s->port[i]);
}
static bool wants_acceleration(const channel_source* s, int i) {
  (void)i;
  return s->accelerations;
}
static double get_motion(const channel_source* s, int i, int k) {
  return s->motion[MOTION_NUMBERS * i + k];
}
static const channel_row port_rows[] = {
    VECTOR(".position", "m", "position of the port in the world", get_motion, MOTION_POSITION,
           NULL),
    {".rotation.w", "1", "orientation of the port, as a unit quaternion", get_motion,
     MOTION_ROTATION, NULL},
    {".rotation.x", "1", "orientation of the port, as a unit quaternion", get_motion,
     MOTION_ROTATION + 1, NULL},
    {".rotation.y", "1", "orientation of the port, as a unit quaternion", get_motion,
     MOTION_ROTATION + 2, NULL},
    {".rotation.z", "1", "orientation of the port, as a unit quaternion", get_motion,
     MOTION_ROTATION + 3, NULL},
    VECTOR(".velocity", "m/s", "velocity in world axes", get_motion, MOTION_VELOCITY, NULL),
    VECTOR(".spin", "rad/s", "angular velocity in world axes", get_motion, MOTION_SPIN, NULL),
    VECTOR(".acceleration", "m/s^2", "acceleration in world axes", get_motion, MOTION_ACCELERATION,
           wants_acceleration),
    END};

/* ---------------------------------------------------------------------------- reactions ---- */

static int count_held(const channel_source* s) {
  return s->nheld;
}
static const char* name_held(const channel_source* s, int i) {
  return apl_model_name(s->model, APL_LINKS, s->held[i]);
}
static double get_reaction(const channel_source* s, int i, int k) {
  return s->wrench[6 * s->held[i] + k];
}
static const channel_row reaction_rows[] = {
    VECTOR(".reaction.moment", "N m", "moment that holds the link, at the origin of its joint",
           get_reaction, 0, NULL),
    VECTOR(".reaction.force", "N", "force that holds the link", get_reaction, 3, NULL), END};

static int count_world(const channel_source* s) {
  return s->reactions;
}
static const char* name_world(const channel_source* s, int i) {
  (void)s, (void)i;
  return "world";
}
static double get_world(const channel_source* s, int i, int k) {
  (void)i;
  return s->wrench[6 * apl_model_count(s->model, APL_LINKS) + k];
}
static const channel_row world_rows[] = {
    VECTOR(".reaction.moment", "N m", "moment of the world on the robot, about the world origin",
           get_world, 0, NULL),
    VECTOR(".reaction.force", "N", "force of the world on the robot", get_world, 3, NULL), END};

/* ------------------------------------------------------------------------------- ledger ---- */

static const char* name_ledger(const channel_source* s, int i) {
  (void)s, (void)i;
  return "ledger.";
}
static double get_ledger(const channel_source* s, int i, int k) {
  const apl_ledger* l = s->ledger;
  const double number[] = {l->kinetic, l->potential, l->sum - s->first};
  (void)i;
  return number[k];
}
static const channel_row ledger_rows[] = {
    {"kinetic", "J", "kinetic energy", get_ledger, 0, NULL},
    {"potential", "J", "potential energy", get_ledger, 1, NULL},
    {"error", "J",
     "energy error: kinetic + potential energy - all accounts, relative to its value at the start",
     get_ledger, 2, NULL},
    END};

static double get_account(const channel_source* s, int i, int k) {
  (void)i;
  return s->ledger->account[k];
}
static const channel_row account_rows[] = {
#define X(name, text)                                                                              \
  {text, "J", "energy received through this account, negative if lost", get_account, name, NULL},
    APL_ACCOUNT_LIST(X)
#undef X
        END};

/* ------------------------------------------------------------------------------ the table ---- */

const channel_set apl_channel_sets[] = {
    {one, no_name, NULL, 0, time_rows},
    {count_q, name_q, unit_q, 0, q_rows},
    {count_v, name_v, unit_v, 0, v_rows},
    {count_a, name_v, unit_a, NEED_RATE, a_rows},
    {count_u, name_u, unit_u, 0, u_rows},
    {count_tendon, name_tendon, NULL, NEED_TENDONS, length_rows},
    {count_tendon, name_tendon, NULL, NEED_TENDONS, tension_rows},
    {count_contact, name_contact, NULL, NEED_CONTACTS, contact_rows},
    {count_loop, name_loop, unit_loop_force, NEED_RATE, loop_force_rows},
    {count_loop, name_loop, unit_gap, NEED_RATE, loop_gap_rows},
    {count_given, name_given, unit_given, NEED_RATE, effort_rows},
    {count_footing, name_footing, NULL, NEED_RATE | NEED_FOOTING, footing_rows},
    {count_wheel, name_wheel, NULL, NEED_RATE | NEED_FOOTING, wheel_rows},
    {count_port, name_port, NULL, NEED_RATE | NEED_PORTS, port_rows},
    {count_held, name_held, NULL, NEED_RATE | NEED_REACTIONS, reaction_rows},
    {count_world, name_world, NULL, NEED_RATE | NEED_REACTIONS, world_rows},
    {one, name_ledger, NULL, 0, ledger_rows},
    {one, name_ledger, NULL, 0, account_rows},
    {NULL, NULL, NULL, 0, NULL},
};
