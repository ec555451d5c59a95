/* trajectory.c: a motion that stands in a table, row by row, with the rates the table leaves out.

   Columns go by name: time, coordinates (arm.joint.angle), velocities (arm.joint.angle.rate), their
   rates (arm.joint.angle.rate.rate), inputs (motor). Where velocities are the rates of coordinates,
   both rates come from the cubic spline ("not a knot") through the coordinates if need be; an
   acceleration comes from the spline through the velocities as soon as these are there. A table of
   one row, or without times, gives poses at rest: rates that it leaves out are zero. Where
   velocities are not (bases on wheels, discs, bodies that float), roll.h finds both from the
   coordinates; roll, pitch and yaw are made quaternions first. */
#include "appell/run.h"

#include "base/nearest.h"
#include "base/pool.h"
#include "base/report.h"
#include "channel/channels.h"
#include "couple/close.h"
#include "dynamics/loops.h"
#include "file/attitude.h"
#include "file/roll.h"
#include "file/trajectory.h"
#include "system/system.h"
#include "text/quantity.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const apl_mark nowhere = {0, 0};

struct apl_trajectory {
  apl_system* system;
  const apl_model* model;
  const apl_table* table;
  int nq, nv, nu;
  bool rest;            /* one row, or no times: poses that are held                              */
  int time;             /* columns; -1 where there is none                                        */
  int *q, *v, *a, *u;   /* [nq], [nv], [nv], [nu]                                                 */
  int* angle;           /* [nq] columns roll, pitch, yaw of the quaternion that begins there      */
  double** turned;      /* [nq] [nrow] numbers of a quaternion from these columns, or NULL        */
  double* scale;        /* [ncolumn] from the unit of the column to SI                            */
  bool* follows;        /* [nq] a signal of the system moves it                                   */
  apl_signal** through; /* [nv] spline that gives what is missing, or NULL                        */
  bool* by_velocity;    /* [nv] ... through the velocities, not the coordinates                   */
  bool* still;          /* [nv] zero, and so is its rate, where the table does not give them      */
  roll** roll;          /* [nlink] joints whose velocities come from their coordinates, or NULL   */
  double* y;            /* as long as the system's                                                */
  double* qdot;         /* [nq]                                                                   */
  int *keep, *keep_v;   /* [nq], [nv] robots with loops: what the table gives                     */
  channel_list* known;  /* all that a run can record                                              */
  int* ground;          /* [nground] channels of it: what the ground gives                        */
  int nground;
  double* number; /* [known->n] */
  apl_pool pool;
};

static double value(const apl_trajectory* t, int row, int column) {
  const size_t k = (size_t)row * (size_t)t->table->ncolumn + (size_t)column;
  return t->table->value[k] * t->scale[column];
}

/* Does the table give coordinate i, and which number in a row? */
static bool has(const apl_trajectory* t, int i) {
  return t->q[i] >= 0 || t->turned[i] != NULL;
}

static double coordinate(const apl_trajectory* t, int row, int i) {
  return t->turned[i] != NULL ? t->turned[i][row] : value(t, row, t->q[i]);
}

int apl_trajectory_rows(const apl_trajectory* t) {
  return t->table->nrow;
}

double apl_trajectory_time(const apl_trajectory* t, int row) {
  return t->time < 0 ? 0.0 : value(t, row, t->time);
}

/* ----------------------------------------------------------------------------- columns ---- */

/* What a column may speak of, with the array of columns it goes to; to: NULL is ignored. */
typedef struct meaning {
  int* to;
  const char* unit;
} meaning;

/* Does `text` end with `tail`? Then *n is the length of what stands before. */
static bool ends(const char* text, const char* tail, size_t* n) {
  const size_t a = strlen(text), b = strlen(tail);

  *n = a > b ? a - b : 0;
  return a > b && strcmp(text + a - b, tail) == 0;
}

static int find_velocity(const apl_trajectory* t, const char* name, size_t n) {
  for (int i = 0; i < t->nv; ++i) {
    const char* known = apl_model_name(t->model, APL_VELOCITIES, i);
    if (strlen(known) == n && strncmp(known, name, n) == 0) return i;
  }
  return -1;
}

/* An input that is named like a coordinate has `.input` behind it in results. */
static int find_input(const apl_model* m, const char* name) {
  char head[128];
  size_t n;
  const int u = apl_model_find(m, APL_INPUTS, name);

  if (u >= 0 || !ends(name, ".input", &n)) return u;
  snprintf(head, sizeof head, "%.*s", (int)n, name);
  return apl_model_find(m, APL_INPUTS, head);
}

/* What a run and `appell inverse` itself record besides. */
static bool is_besides(const apl_trajectory* t, const char* name) {
  for (int i = 0; i < t->known->n; ++i) {
    if (strcmp(t->known->channel[i].name, name) == 0) return true;
  }
  return false;
}

/* `heading` is base.joint.heading where no other coordinate ends so. */
static int find_short(const apl_trajectory* t, const char* name) {
  int found = -1;
  size_t n;

  for (int i = 0; strchr(name, '.') == NULL && i < t->nq; ++i) {
    const char* known = apl_model_name(t->model, APL_COORDINATES, i);
    if (!ends(known, name, &n) || known[n - 1] != '.') continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

/* Roll, pitch or yaw of a joint with a quaternion, in place in t->angle; the last part is enough
   where there is one such joint and no coordinate ends so. */
static const char* const angle_name[3] = {"roll", "pitch", "yaw"};

static int find_angle(const apl_trajectory* t, const char* name) {
  int found = -1, several = 0;
  size_t n;

  for (int i = 0; i < t->nq; ++i) {
    const char* known = apl_model_name(t->model, APL_COORDINATES, i);
    several += ends(known, name, &n) && known[n - 1] == '.';
    if (!ends(known, ".qw", &n)) continue;
    for (int k = 0; k < 3; ++k) {
      if (strncmp(name, known, n) == 0 && name[n] == '.' &&
          strcmp(name + n + 1, angle_name[k]) == 0)
        return i + k;
      if (strcmp(name, angle_name[k]) != 0) continue;
      several += found >= 0;
      found = i + k;
    }
  }
  return several > 0 ? -1 : found;
}

static bool understand(apl_trajectory* t, const char* name, meaning* out) {
  const apl_model* m = t->model;
  const int q = apl_model_find(m, APL_COORDINATES, name), u = find_input(m, name);
  size_t n;
  int v;

  *out = (meaning){NULL, ""};
  if (strcmp(name, "time") == 0) {
    *out = (meaning){&t->time, "s"};
  } else if (q >= 0) {
    *out = (meaning){&t->q[q], apl_model_unit(m, APL_COORDINATES, q)};
  } else if (ends(name, ".rate.rate", &n) && (v = find_velocity(t, name, n)) >= 0) {
    *out = (meaning){&t->a[v], t->known->from.rate_unit[v]};
  } else if ((ends(name, ".rate", &n) && (v = find_velocity(t, name, n)) >= 0) ||
             (v = find_velocity(t, name, strlen(name))) >= 0) {
    *out = (meaning){&t->v[v], apl_model_unit(m, APL_VELOCITIES, v)};
  } else if (u >= 0) {
    *out = (meaning){&t->u[u], ""};
  } else if (is_besides(t, name)) {
    return true;
  } else if (find_short(t, name) >= 0) {
    const int k = find_short(t, name);
    *out = (meaning){&t->q[k], apl_model_unit(m, APL_COORDINATES, k)};
  } else if (find_angle(t, name) >= 0) {
    *out = (meaning){&t->angle[find_angle(t, name)], "rad"};
  } else {
    return false;
  }
  return true;
}

/* Where the file of a table has a name, and a row. */
static apl_mark place_of_name(const apl_trajectory* t, int column) {
  if (t->table->name_column == NULL) return nowhere;
  return (apl_mark){t->table->name_line, t->table->name_column[column]};
}

static apl_mark place_of_row(const apl_trajectory* t, int row) {
  return t->table->row_line == NULL ? nowhere : (apl_mark){t->table->row_line[row], 1};
}

static void unknown_column(apl_trajectory* t, int column, apl_report* report) {
  const char* name = t->table->name[column];
  const apl_model* m = t->model;
  apl_nearest near = {.word = name};
  char hint[96];

  apl_nearest_offer(&near, "time");
  for (int i = 0; i < t->nq; ++i)
    apl_nearest_offer(&near, apl_model_name(m, APL_COORDINATES, i));
  for (int i = 0; i < t->nv; ++i) {
    const char* known = apl_model_name(m, APL_VELOCITIES, i);
    const size_t n = strlen(known) + sizeof ".rate.rate";
    for (int k = 1; k <= 2; ++k) {
      char* text = apl_pool_take(&t->pool, n);
      if (text == NULL) break;
      snprintf(text, n, "%s%s", known, k == 1 ? ".rate" : ".rate.rate");
      apl_nearest_offer(&near, text);
    }
  }
  for (int i = 0; i < t->nu; ++i)
    apl_nearest_offer(&near, apl_model_name(m, APL_INPUTS, i));
  for (int k = 0; k < 3; ++k)
    if (find_angle(t, angle_name[k]) >= 0) apl_nearest_offer(&near, angle_name[k]);
  apl_report_add(
      report, APL_ERR_MODEL, place_of_name(t, column),
      "column '%.60s' is not a time, coordinate, velocity, acceleration or input of the robot%s",
      name, apl_nearest_text(&near, hint));
}

/* Factor from the unit that the table claims to SI; 1 where it claims none. */
static void read_unit(apl_trajectory* t, int column, const char* si, apl_report* report) {
  const char* unit = t->table->unit[column];
  apl_error err = {0};
  char one[64];

  if (unit[0] == '\0' || si[0] == '\0' || strcmp(unit, si) == 0 || strcmp(unit, "1") == 0) return;
  snprintf(one, sizeof one, "1 %.50s", unit);
  if (apl_quantity_read(one, si, &t->scale[column], &err) == APL_OK) return;
  apl_report_add(report, APL_ERR_MODEL, place_of_name(t, column),
                 "column '%.60s' must have the unit %s or a multiple of it: %s",
                 t->table->name[column], si, err.text);
}

static void read_columns(apl_trajectory* t, apl_report* report) {
  for (int k = 0; k < t->table->ncolumn; ++k) {
    const char* name = t->table->name[k];
    meaning is;

    t->scale[k] = 1.0;
    if (!understand(t, name, &is)) {
      unknown_column(t, k, report);
    } else if (is.to != NULL && *is.to >= 0) {
      apl_report_add(report, APL_ERR_MODEL, place_of_name(t, k),
                     "columns '%.60s' and '%.60s' are the same", t->table->name[*is.to], name);
    } else if (is.to != NULL) {
      *is.to = k;
      read_unit(t, k, is.unit, report);
    }
  }
}

/* The quaternion that begins at coordinate i, from roll, pitch and yaw. */
static void turn(apl_trajectory* t, int i, apl_report* report) {
  const int nrow = t->table->nrow;

  for (int k = 0; k < 4; ++k) {
    t->turned[i + k] = apl_pool_take(&t->pool, sizeof(double) * (size_t)(nrow + 1));
    if (t->turned[i + k] != NULL) continue;
    apl_report_add(report, APL_ERR_MEMORY, nowhere, "out of memory for a motion");
    return;
  }
  for (int row = 0; row < nrow; ++row) {
    double rpy[3];
    for (int k = 0; k < 3; ++k)
      rpy[k] = value(t, row, t->angle[i + k]);
    apl_attitude_angles(rpy, row, t->turned + i);
  }
  apl_attitude_smooth(nrow, t->turned + i);
}

/* All three angles or none, and not beside the quaternion. */
static void read_angles(apl_trajectory* t, apl_report* report) {
  for (int i = 0; i < t->nq; ++i) {
    const char* name = apl_model_name(t->model, APL_COORDINATES, i);
    int given = 0, missing = 0, numbers = 0;
    size_t n;

    if (!ends(name, ".qw", &n)) continue;
    for (int k = 0; k < 3; ++k) {
      given += t->angle[i + k] >= 0;
      if (t->angle[i + k] < 0) missing = k;
    }
    for (int k = 0; k < 4; ++k)
      numbers += t->q[i + k] >= 0;
    if (given > 0 && numbers > 0) {
      apl_report_add(report, APL_ERR_MODEL, nowhere,
                     "the table has the rotation of '%.*s' twice, as a quaternion (qw, qx, qy, qz) "
                     "and as roll, pitch, yaw: leave one of them out",
                     (int)n, name);
    } else if (given > 0 && given < 3) {
      apl_report_add(report, APL_ERR_MODEL, nowhere,
                     "roll, pitch and yaw are needed together: column '%.*s.%s' is missing", (int)n,
                     name, angle_name[missing]);
    } else if (given == 3) {
      turn(t, i, report);
    }
  }
}

static void check_times(const apl_trajectory* t, apl_report* report) {
  if (t->table->nrow == 0) {
    apl_report_add(report, APL_ERR_MODEL, nowhere, "the table has no rows");
  }
  for (int i = 1; t->time >= 0 && i < t->table->nrow; ++i) {
    const double before = apl_trajectory_time(t, i - 1), now = apl_trajectory_time(t, i);
    if (now > before) continue;
    apl_report_add(report, APL_ERR_MODEL, place_of_row(t, i),
                   "times must increase, but %.9g s in row %d follows %.9g s", now, i + 1, before);
    return;
  }
}

/* ----------------------------------------------------------------------- missing rates ---- */

/* The spline through a column, for velocity v. */
static void add_spline(apl_trajectory* t, int v, int column, apl_report* report) {
  const int n = t->table->nrow;
  double* x = calloc(2 * (size_t)n + 1, sizeof *x);
  apl_error err = {.status = APL_ERR_MEMORY, .text = "out of memory for a spline"};

  for (int i = 0; x != NULL && i < n; ++i) {
    x[i] = apl_trajectory_time(t, i);
    x[n + i] = value(t, i, column);
  }
  if (x == NULL || apl_signal_points("not-a-knot", n, x, x + n, &t->through[v], &err) != APL_OK)
    apl_report_error(report, &err, nowhere);
  free(x);
}

/* A freedom whose velocity is the rate of a coordinate. */
static void settle_plain(apl_trajectory* t, int v, int q, apl_report* report) {
  const char* name = apl_model_name(t->model, APL_VELOCITIES, v);

  if (t->q[q] < 0 && (t->v[v] >= 0 || t->a[v] >= 0)) {
    apl_report_add(report, APL_ERR_MODEL, nowhere,
                   "the table has rates of '%.60s' but not the coordinate itself", name);
  }
  if (t->q[q] < 0 || (t->v[v] >= 0 && t->a[v] >= 0)) return;
  t->still[v] = t->rest;
  if (t->rest) return;
  t->by_velocity[v] = t->v[v] >= 0;
  add_spline(t, v, t->by_velocity[v] ? t->v[v] : t->q[q], report);
}

/* A quaternion is the last four of the coordinates, which have n rows each. */
static void smooth_quaternion(const apl_link_info* l, int n, double* x) {
  double* e[4];

  for (int k = 0; k < 4; ++k)
    e[k] = x + (size_t)(l->nq - 4 + k) * (size_t)n;
  apl_attitude_smooth(n, e);
}

/* Velocities from the coordinates alone. */
static void settle_roll(apl_trajectory* t, int link, const apl_link_info* l, apl_report* report) {
  const int n = t->table->nrow;
  double* x = calloc((APL_MAX_NQ + 1) * (size_t)n + 1, sizeof *x);
  apl_error err = {.status = APL_ERR_MEMORY, .text = "out of memory for a motion"};
  roll_table table = {.n = n, .t = x};
  const double standing = t->y[l->q0 + (l->nq > 2 ? 2 : 0)]; /* where a base heads */

  for (int i = 0; x != NULL && i < n; ++i)
    x[i] = apl_trajectory_time(t, i);
  for (int k = 0; x != NULL && k < l->nq; ++k) {
    double* to = x + (size_t)(k + 1) * (size_t)n;
    if (!has(t, l->q0 + k)) continue;
    for (int i = 0; i < n; ++i)
      to[i] = coordinate(t, i, l->q0 + k);
    table.value[k] = to;
  }
  if (x != NULL && l->nq > l->nt) smooth_quaternion(l, n, x + n);
  if (x == NULL || apl_roll_new(t->model, link, &table, standing, &t->roll[link], &err) != APL_OK)
    apl_report_error(report, &err, nowhere);
  for (int k = 0; k < l->nq; ++k)
    t->follows[l->q0 + k] = true;
  free(x);
}

/* A joint whose velocities are not the rates of its coordinates: all or nothing. */
static void settle_joint(apl_trajectory* t, int link, const apl_link_info* l, apl_report* report) {
  const apl_model* m = t->model;
  const int before = report->count;
  bool given = false, rates = false;

  for (int k = 0; k < l->nq; ++k)
    given = given || has(t, l->q0 + k);
  for (int k = 0; k < l->nv; ++k)
    rates = rates || t->v[l->v0 + k] >= 0 || t->a[l->v0 + k] >= 0;
  if (!given && !rates) return;

  const bool rolls = !rates && apl_roll_can(m, link);
  for (int k = 0; k < l->nq; ++k) {
    if (has(t, l->q0 + k) || (rolls && !apl_roll_needs(m, link, k))) continue;
    apl_report_add(
        report, APL_ERR_MODEL, nowhere,
        "the table has only a part of the coordinates of a %s joint: column '%.60s' is missing",
        l->joint, apl_model_name(m, APL_COORDINATES, l->q0 + k));
  }
  for (int v = l->v0; t->rest && v < l->v0 + l->nv; ++v)
    t->still[v] = true;
  if (t->rest) return;
  if (rolls) {
    if (report->count == before) settle_roll(t, link, l, report);
    return;
  }
  for (int v = l->v0; v < l->v0 + l->nv; ++v) {
    t->by_velocity[v] = true;
    if (t->v[v] < 0) {
      apl_report_add(report, APL_ERR_MODEL, nowhere,
                     "velocities of a %s joint are not the derivatives of its coordinates and "
                     "cannot be computed from them: column '%.60s.rate' is missing",
                     l->joint, apl_model_name(m, APL_VELOCITIES, v));
    } else if (t->a[v] < 0) {
      add_spline(t, v, t->v[v], report);
    }
  }
}

/* At rest nothing moves but what signals of the system move. */
static void settle_rest(apl_trajectory* t) {
  t->rest = t->time < 0 || t->table->nrow == 1;
  for (int i = 0; t->rest && i < t->nv; ++i)
    t->y[t->nq + i] = 0.0;
}

static void settle_rates(apl_trajectory* t, apl_report* report) {
  settle_rest(t);
  for (int i = 0; i < apl_model_count(t->model, APL_LINKS); ++i) {
    const apl_link_info l = apl_model_link_info(t->model, i);

    for (int k = 0; l.plain && k < l.nv; ++k)
      settle_plain(t, l.v0 + k, l.q0 + k, report);
    if (!l.plain) settle_joint(t, i, &l, report);
    for (int k = 0; k < l.nx; ++k)
      settle_plain(t, l.xv0 + k, l.xq0 + k, report);
  }
}

/* Coordinates that signals of the system move: those it does not leave as they were handed in. */
static void find_followers(apl_trajectory* t) {
  const double* q = apl_q(apl_system_state(t->system));

  memcpy(t->qdot, t->y, sizeof *t->y * (size_t)t->nq);
  for (int i = 0; i < t->nq; ++i)
    t->y[i] = (double)NAN;
  apl_system_unpack(t->system, 0.0, t->y);
  for (int i = 0; i < t->nq; ++i)
    t->follows[i] = !isnan(q[i]);
  memcpy(t->y, t->qdot, sizeof *t->y * (size_t)t->nq);
  apl_system_unpack(t->system, 0.0, t->y);
}

/* -------------------------------------------------------------------------- life, rows ---- */

static int* no_columns(apl_pool* pool, int n) {
  int* list = apl_pool_take(pool, sizeof *list * (size_t)(n + 1));

  for (int i = 0; list != NULL && i < n; ++i)
    list[i] = -1;
  return list;
}

/* What the ground gives, of all that a run records. */
static bool find_ground(apl_trajectory* t) {
  t->ground = no_columns(&t->pool, t->known->n);
  t->number = apl_pool_take(&t->pool, sizeof *t->number * (size_t)(t->known->n + 1));
  if (t->ground == NULL || t->number == NULL) return false;
  for (int i = 0; i < t->known->n; ++i)
    if (t->known->slot[i].ground) t->ground[t->nground++] = i;
  return true;
}

int apl_trajectory_nground(const apl_trajectory* t) {
  return t->nground;
}

const apl_channel* apl_trajectory_ground(const apl_trajectory* t, int i) {
  return i >= 0 && i < t->nground ? &t->known->channel[t->ground[i]] : NULL;
}

apl_status apl_trajectory_ground_row(apl_trajectory* t, double* row) {
  const apl_status st = t->nground > 0 ? apl_channels_ground(t->known, t->number) : APL_OK;

  for (int i = 0; st == APL_OK && i < t->nground; ++i)
    row[i] = t->number[t->ground[i]];
  return st;
}

static apl_trajectory* make(apl_system* system, const apl_table* table) {
  apl_trajectory* t = calloc(1, sizeof *t);
  if (t == NULL) return NULL;

  t->system = system;
  t->model = apl_system_model(system);
  t->table = table;
  t->nq = apl_model_nq(t->model);
  t->nv = apl_model_nv(t->model);
  t->nu = apl_model_nu(t->model);
  t->time = -1;
  t->q = no_columns(&t->pool, t->nq);
  t->v = no_columns(&t->pool, t->nv);
  t->a = no_columns(&t->pool, t->nv);
  t->u = no_columns(&t->pool, t->nu);
  t->angle = no_columns(&t->pool, t->nq);
  t->turned = apl_pool_take(&t->pool, sizeof *t->turned * (size_t)(t->nq + 1));
  t->scale = apl_pool_take(&t->pool, sizeof *t->scale * (size_t)(table->ncolumn + 1));
  t->follows = apl_pool_take(&t->pool, sizeof *t->follows * (size_t)(t->nq + 1));
  t->through = apl_pool_take(&t->pool, sizeof(apl_signal*) * (size_t)(t->nv + 1));
  t->by_velocity = apl_pool_take(&t->pool, sizeof *t->by_velocity * (size_t)(t->nv + 1));
  t->still = apl_pool_take(&t->pool, sizeof *t->still * (size_t)(t->nv + 1));
  t->roll =
      apl_pool_take(&t->pool, sizeof(roll*) * (size_t)(apl_model_count(t->model, APL_LINKS) + 1));
  t->y = apl_pool_take(&t->pool, sizeof *t->y * (size_t)(apl_system_size(system) + 1));
  t->qdot = apl_pool_take(&t->pool, sizeof *t->qdot * (size_t)(t->nq + 1));
  t->keep = apl_pool_take(&t->pool, sizeof *t->keep * (size_t)(t->nq + t->nv + 1));
  t->keep_v = t->keep == NULL ? NULL : t->keep + t->nq;
  apl_channels_new(system, &(channel_wish){.every = true}, &t->known, NULL);
  if (t->known != NULL && t->q != NULL && t->v != NULL && t->a != NULL && t->u != NULL &&
      t->angle != NULL && t->turned != NULL && t->scale != NULL && t->follows != NULL &&
      t->through != NULL && t->by_velocity != NULL && t->still != NULL && t->roll != NULL &&
      t->y != NULL && t->qdot != NULL && t->keep != NULL)
    return t;
  apl_trajectory_free(t);
  return NULL;
}

apl_status apl_trajectory_new(apl_system* system, const apl_table* table, apl_trajectory** out,
                              apl_report* report) {
  apl_report mine = {0};
  if (report == NULL) report = &mine;
  const int before = report->count;
  apl_trajectory* t = make(system, table);

  *out = NULL;
  if (t == NULL || !find_ground(t)) {
    apl_trajectory_free(t);
    return apl_report_add(report, APL_ERR_MEMORY, nowhere, "out of memory for a trajectory");
  }
  apl_system_pack(system, t->y);
  find_followers(t);
  read_columns(t, report);
  if (report->count == before) read_angles(t, report);
  if (report->count == before) check_times(t, report);
  if (report->count == before) settle_rates(t, report);
  if (report->count > before) {
    apl_trajectory_free(t);
    return APL_ERR_MODEL;
  }
  *out = t;
  return APL_OK;
}

void apl_trajectory_free(apl_trajectory* t) {
  if (t == NULL) return;
  for (int i = 0; t->through != NULL && i < t->nv; ++i)
    apl_signal_free(t->through[i]);
  for (int i = 0; t->roll != NULL && i < apl_model_count(t->model, APL_LINKS); ++i)
    apl_roll_free(t->roll[i]);
  apl_channels_free(t->known);
  apl_pool_free(&t->pool);
  free(t);
}

/* ---------------------------------------------------------------------------------- loops ---- */

/* Coordinates and velocities that columns or signals give. */
static void find_given(apl_trajectory* t) {
  for (int i = 0; i < t->nq; ++i)
    t->keep[i] = has(t, i) || t->follows[i];
  for (int i = 0; i < apl_model_count(t->model, APL_LINKS); ++i) {
    const apl_link_info l = apl_model_link_info(t->model, i);
    bool given = false;

    for (int k = 0; k < l.nq; ++k)
      given = given || t->keep[l.q0 + k];
    for (int k = 0; k < l.nv; ++k)
      t->keep_v[l.v0 + k] = l.plain ? t->keep[l.q0 + k] : given;
    for (int k = 0; k < l.nx; ++k)
      t->keep_v[l.xv0 + k] = t->keep[l.xq0 + k];
  }
}

/* Gaps that are left of a table with some digits [m or rad, per s], as inverse dynamics takes them
   (couple/loop_inverse.c). */
static bool nearly_closed(apl_trajectory* t) {
  apl_state* s = apl_system_state(t->system);
  if (apl_loops(t->model, s) != APL_OK) return false;

  for (int k = 0; k < apl_model_count(t->model, APL_LOOP_ROWS); ++k) {
    const double* row = apl_loop_row(s) + APL_LOOP * k;
    if (!(fabs(row[APL_LOOP_GAP]) < 1e-5 && fabs(row[APL_LOOP_RATE]) < 1e-5)) return false;
  }
  return true;
}

/* What the table does not give follows through the loops, from where it was in the last row. */
static apl_status close_row(apl_trajectory* t, double time, apl_error* err) {
  apl_error why = {0};
  apl_status st = APL_OK;

  find_given(t);
  if (!nearly_closed(t)) st = apl_system_assemble(t->system, t->keep, t->keep_v, NULL, &why);
  if (st == APL_OK) st = apl_system_accelerate(t->system, t->keep_v, &why);
  if (st != APL_OK) return apl_fail(err, st, "at t = %.9g s: %.200s", time, why.text);
  memcpy(t->y, apl_q(apl_system_state(t->system)), sizeof *t->y * (size_t)t->nq);
  return APL_OK;
}

/* What stays behind must not move: its place would be unknown. */
static apl_status check_rest(apl_trajectory* t, double time, apl_error* err) {
  const apl_status st = apl_rates(t->model, apl_system_state(t->system), t->qdot);

  if (st != APL_OK) return apl_fail(err, st, "%s at t = %.9g s", apl_status_text(st), time);
  for (int i = 0; i < t->nq; ++i) {
    if (has(t, i) || t->follows[i] || t->qdot[i] == 0.0) continue;
    return apl_fail(
        err, APL_ERR_MODEL,
        "'%.60s' moves (%g per second at t = %.9g s), but the table has no column for it",
        apl_model_name(t->model, APL_COORDINATES, i), t->qdot[i], time);
  }
  return APL_OK;
}

/* Coordinates that are no place of a joint: a quaternion of zeros, an angle at a singularity. */
static apl_status check_place(const apl_trajectory* t, double time, apl_error* err) {
  apl_error place = {0};
  const int at = apl_model_singular(t->model, apl_q(apl_system_state(t->system)), &place);

  if (at < 0) return APL_OK;
  return apl_fail(err, place.status, "at t = %.9g s, %.40s: %.160s", time,
                  apl_model_name(t->model, APL_COORDINATES, at), place.text);
}

apl_status apl_trajectory_set(apl_trajectory* t, int row, apl_error* err) {
  apl_state* state = apl_system_state(t->system);
  double *q = apl_q(state), *v = apl_v(state), *a = apl_a(state), *u = apl_u(state);

  if (row < 0 || row >= t->table->nrow) {
    return apl_fail(err, APL_ERR_ARGUMENT, "the trajectory has no row %d", row);
  }
  const double time = apl_trajectory_time(t, row);

  memset(a, 0, sizeof *a * (size_t)t->nv);
  apl_system_unpack(t->system, time, t->y);
  for (int i = 0; i < t->nq; ++i) {
    if (has(t, i)) q[i] = coordinate(t, row, i);
  }
  apl_status st = check_place(t, time, err);
  if (st != APL_OK) return st;
  for (int i = 0; i < t->nv; ++i) {
    if (t->through[i] != NULL) {
      double x[3];
      apl_signal_eval(t->through[i], time, x);
      v[i] = x[1];
      a[i] = t->by_velocity[i] ? x[1] : x[2];
    }
    if (t->still[i]) v[i] = a[i] = 0.0;
    if (t->v[i] >= 0) v[i] = value(t, row, t->v[i]);
    if (t->a[i] >= 0) a[i] = value(t, row, t->a[i]);
  }
  for (int i = 0; i < apl_model_count(t->model, APL_LINKS); ++i) {
    if (t->roll[i] != NULL) st = apl_roll_set(t->roll[i], state, time, err);
    if (st != APL_OK) return st;
  }
  for (int i = 0; i < t->nu; ++i) {
    if (t->u[i] >= 0) u[i] = value(t, row, t->u[i]);
  }
  const bool loops = apl_model_count(t->model, APL_LOOPS) > 0;
  st = loops ? close_row(t, time, err) : check_rest(t, time, err);
  return st == APL_OK ? check_place(t, time, err) : st;
}
