/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_inverse.c: `appell inverse`: the efforts of a given motion. */
#include "cli/cli.h"

#include "channel/recorder.h"
#include "dynamics/loops.h"
#include "file/trajectory.h"
#include "system/system.h"

#include <stdlib.h>
#include <string.h>

enum { INVERSE_OUT, INVERSE_NO_INPUTS, INVERSE_BASE, INVERSE_SET };
static const cli_option options[] = {
    [INVERSE_OUT] = {"--output", "-o", "FILE.csv",
                     "write torques and forces as CSV; - (default) is the standard output"},
    [INVERSE_NO_INPUTS] = {"--no-inputs", NULL, NULL,
                           "ignore the inputs of the model: the computed efforts include theirs"},
    [INVERSE_BASE] = {"--base", NULL, "fixed|floating",
                      "how the root link of a URDF is attached to the world (fixed)"},
    [INVERSE_SET] = CLI_SET,
    {NULL, NULL, NULL, NULL},
};

/* Channels time and NAME.effort; names[i] belong to the list. */
typedef struct columns {
  int n;
  apl_channel* channel;
  char** name;
  double* row;
} columns;

static void free_columns(columns* c) {
  for (int i = 0; c->name != NULL && i < c->n; ++i)
    free(c->name[i]);
  free(c->name);
  free(c->channel);
  free(c->row);
}

static bool name_column(columns* c, int i, const char* name, const char* tail, apl_channel as) {
  const size_t n = strlen(name) + strlen(tail) + 1;

  c->name[i] = malloc(n);
  if (c->name[i] == NULL) return false;
  snprintf(c->name[i], n, "%s%s", name, tail);
  as.name = c->name[i];
  c->channel[i] = as;
  return true;
}

/* Time and efforts; for robots with loops also the inputs that produce the motion and the loop
   forces; for rolling robots the forces of wheels and ground. */
static bool make_columns(const apl_model* m, const apl_trajectory* motion, columns* c) {
  const int nv = apl_model_nv(m), nloop = apl_model_count(m, APL_LOOP_ROWS);
  const int nu = nloop > 0 ? apl_model_nu(m) : 0, nground = apl_trajectory_nground(motion);

  c->n = 1 + nv + nu + nloop + nground;
  c->channel = calloc((size_t)c->n, sizeof *c->channel);
  c->name = calloc((size_t)c->n, sizeof *c->name);
  c->row = calloc((size_t)c->n, sizeof *c->row);
  if (c->channel == NULL || c->name == NULL || c->row == NULL) return false;

  c->channel[0] = (apl_channel){"time", "s", "time"};
  bool fine = true;
  for (int i = 0; i < nv; ++i)
    fine = fine && name_column(c, 1 + i, apl_model_name(m, APL_VELOCITIES, i), ".effort",
                               (apl_channel){NULL, apl_model_unit(m, APL_EFFORTS, i), "effort"});
  for (int i = 0; i < nu; ++i)
    fine =
        fine && name_column(c, 1 + nv + i, apl_model_name(m, APL_INPUTS, i), apl_input_ending(m, i),
                            (apl_channel){NULL, apl_model_unit(m, APL_INPUTS, i), "input"});
  for (int k = 0; k < nloop; ++k) {
    const bool length = strcmp(apl_model_unit(m, APL_LOOP_ROWS, k), "m") == 0;
    fine = fine && name_column(c, 1 + nv + nu + k, apl_model_name(m, APL_LOOP_ROWS, k), ".force",
                               (apl_channel){NULL, length ? "N" : "N m", "loop"});
  }
  for (int i = 0; i < nground; ++i) {
    const apl_channel* given = apl_trajectory_ground(motion, i);
    fine = fine && name_column(c, 1 + nv + nu + nloop + i, given->name, "", *given);
  }
  return fine;
}

static apl_status fill_row(const apl_model* m, apl_state* s, apl_trajectory* motion, columns* c) {
  const int nv = apl_model_nv(m), nloop = apl_model_count(m, APL_LOOP_ROWS);
  const int nu = nloop > 0 ? apl_model_nu(m) : 0;

  memcpy(c->row + 1, apl_tau(s), sizeof *c->row * (size_t)nv);
  if (nu > 0) memcpy(c->row + 1 + nv, apl_u(s), sizeof *c->row * (size_t)nu);
  for (int k = 0; k < nloop; ++k)
    c->row[1 + nv + nu + k] = apl_loop_row(s)[APL_LOOP * k + APL_LOOP_FORCE];
  return apl_trajectory_ground_row(motion, c->row + 1 + nv + nu + nloop);
}

/* With loops the inputs are unknowns; without, the inputs keep their values and efforts are
   computed. */
static apl_status find_efforts(apl_system* system, bool inputs, double time, apl_error* err) {
  const apl_model* m = apl_system_model(system);
  apl_error why = {0};
  const bool loops = apl_model_count(m, APL_LOOPS) > 0;
  apl_status st = apl_touch_shapes(m, apl_system_state(system));
  if (st == APL_OK)
    st = loops ? apl_system_inverse(system, !inputs, NULL, &why)
               : apl_inverse(m, apl_system_state(system));
  if (st == APL_OK) return st;

  err->status = st;
  if (loops) {
    snprintf(err->text, sizeof err->text, "at t = %.9g s: %.200s", time, why.text);
  } else {
    snprintf(err->text, sizeof err->text, "%s at t = %.9g s", apl_status_text(st), time);
  }
  return st;
}

/* All rows: motion in, efforts out. */
static apl_status write_efforts(apl_system* system, apl_trajectory* motion, columns* c, bool inputs,
                                apl_csv* csv, apl_error* err) {
  const apl_model* m = apl_system_model(system);
  apl_state* state = apl_system_state(system);

  for (int i = 0; i < apl_trajectory_rows(motion); ++i) {
    apl_status st = apl_trajectory_set(motion, i, err);
    if (st != APL_OK) return st;
    if (!inputs) memset(apl_u(state), 0, sizeof(double) * (size_t)apl_model_nu(m));

    c->row[0] = apl_trajectory_time(motion, i);
    st = find_efforts(system, inputs, c->row[0], err);
    if (st != APL_OK) return st;
    st = fill_row(m, state, motion, c);
    if (st != APL_OK) {
      err->status = st;
      snprintf(err->text, sizeof err->text, "%s at t = %.9g s", apl_status_text(st), c->row[0]);
      return st;
    }
    st = apl_csv_row(csv, c->row, err);
    if (st != APL_OK) return st;
  }
  return APL_OK;
}

static void print_table_error(const char* path, const apl_error* e) {
  const apl_report report = {.count = 1, .item = {*e}};
  cli_print_report(path, &report);
}

/* With the model driven and the table read. */
static int work(const cli_args* args, apl_system* system, const apl_table* table) {
  const char* out = args->value[INVERSE_OUT] != NULL ? args->value[INVERSE_OUT] : "-";
  apl_trajectory* motion = NULL;
  apl_csv* csv = NULL;
  apl_report mistakes = {0};
  apl_error err = {0};
  columns c = {0};
  int code = CLI_FAILED;

  if (apl_trajectory_new(system, table, &motion, &mistakes) != APL_OK) {
    cli_print_report(args->file[1], &mistakes);
  } else if (!make_columns(apl_system_model(system), motion, &c)) {
    fprintf(stderr, "appell inverse: out of memory\n");
  } else if (apl_csv_open(out, c.channel, c.n, &csv, &err) != APL_OK) {
    cli_complain(&err);
  } else if (write_efforts(system, motion, &c, args->value[INVERSE_NO_INPUTS] == NULL, csv, &err) !=
             APL_OK) {
    apl_csv_abandon(csv);
    print_table_error(args->file[1], &err);
  } else if (apl_csv_close(csv, &err) != APL_OK) {
    cli_complain(&err);
  } else {
    code = CLI_OK;
  }
  apl_trajectory_free(motion);
  free_columns(&c);
  return code;
}

static int run(const cli_args* args) {
  apl_file* file;
  apl_model* model;
  apl_system* system = NULL;
  apl_table* table = NULL;
  apl_report mistakes = {0};
  apl_error err = {0};
  apl_load_options load;
  int code = CLI_FAILED;

  if (!cli_base(args->value[INVERSE_BASE], &load)) return CLI_USAGE;
  cli_settings(args, &load);
  if (!cli_load(args->file[0], &load, &file, &model)) return CLI_FAILED;
  if (apl_file_system(file, model, APL_SETTLED, &system, &mistakes) != APL_OK) {
    cli_print_report(args->file[0], &mistakes);
  } else if (apl_table_read(args->file[1], &table, &err) != APL_OK) {
    /* errors with a position do not name the file, others do */
    if (err.line > 0) {
      print_table_error(args->file[1], &err);
    } else {
      cli_complain(&err);
    }
  } else {
    code = work(args, system, table);
  }
  apl_table_free(table);
  apl_system_free(system);
  apl_model_free(model);
  apl_file_free(file);
  return code;
}

const cli_command cli_inverse = {
    .name = "inverse",
    .line = "Inverse dynamics: joint torques and forces for a given motion",
    .files = "MODEL MOTION.csv",
    .min = 2,
    .max = 2,
    .option = options,
    .run = run,
    .notes =
        "MOTION.csv has a line of names and rows of numbers; - is the standard input. Columns:\n"
        "  time                     increasing\n"
        "  NAME                     a coordinate, such as arm.joint.angle. The last part (angle) "
        "is enough\n"
        "                           if no other coordinate ends in it\n"
        "  JOINT.roll .pitch .yaw   in place of the quaternion JOINT.qw .qx .qy .qz of a floating "
        "or spherical\n"
        "                           joint, such as plate.joint.roll; as in URDF, R = Rz(yaw) "
        "Ry(pitch) Rx(roll).\n"
        "                           x, y, z, roll, pitch, yaw are enough where one joint has them\n"
        "  NAME.rate                a velocity\n"
        "  NAME.rate.rate           an acceleration\n"
        "  an input                 replaces the signal that the model has for this input\n"
        "Other columns that a run records (ledger.*, *.effort, ground forces) are ignored, so that "
        "files of\n"
        "`appell export` can be read. Numbers are in SI units, or in those of a comment line\n"
        "`# units: s, deg, ...` above or below the names.\n"
        "\n"
        "Missing accelerations are computed from a cubic spline through the velocities, missing "
        "velocities\n"
        "from one through the coordinates (not-a-knot ends), quaternions included.\n"
        "A table with a single row, or without the column time, gives poses at rest: rates without "
        "a column\n"
        "are zero, and the result has the efforts that hold the pose (time 0 if there is none).\n"
        "A coordinate without a column stays at its `start` value, or follows the `motion` of the "
        "model.\n"
        "\n"
        "The result has the columns time and NAME.effort for each velocity: the torque (N m) or "
        "force (N)\n"
        "that must act in addition to the springs, dampers, friction and inputs of the model.\n"
        "\n"
        "Wheeled bases: columns x, y and heading (or base.joint.x ..) are enough. Without a "
        "heading the base\n"
        "points where it drives; cars find their steering angle. A motion that would need the "
        "wheels to slip\n"
        "is refused with its time. The result also has the ground forces: BASE.WHEEL.torque, "
        ".traction and\n"
        ".load, BASE.ground.normal, .lateral, .friction, .margin. Torques are given for the wheels "
        "that have\n"
        "inputs, or for all if none has.\n"
        "\n"
        "Robots with loops: the table gives the motion of some coordinates, such as those of a "
        "platform; the\n"
        "others follow from the loops. The inputs of the model are computed, under the names that "
        "they have\n"
        "in results of `appell run`: the smallest ones if there are more inputs than degrees of "
        "freedom, an\n"
        "error if there are too few. With --no-inputs, or if the model has no inputs, efforts on "
        "all joints\n"
        "are computed instead. Forces in the loops are LOOP.ROW.force.\n",
};
