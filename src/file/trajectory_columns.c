/* SPDX-License-Identifier: Apache-2.0 */
/* trajectory_columns.c: the columns of a table, by name: time, coordinates (arm.joint.angle),
   velocities (arm.joint.angle.rate), their rates (arm.joint.angle.rate.rate) and inputs (motor).
   Roll, pitch and yaw are converted to quaternions. */
#include "file/trajectory_impl.h"

#include "base/nearest.h"
#include "file/attitude.h"
#include "text/quantity.h"

#include <stdio.h>
#include <string.h>

static const apl_mark nowhere = {0, 0};

/* What a column means: `to` is the member of the trajectory that gets its number, or NULL for a
   column that is ignored. */
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

/* Is this another channel of results, which is ignored here? */
static bool is_besides(const apl_trajectory* t, const char* name) {
  for (int i = 0; i < t->known->n; ++i) {
    if (strcmp(t->known->channel[i].name, name) == 0) return true;
  }
  return false;
}

/* `heading` means base.joint.heading if no other coordinate has this ending. */
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

static const char* const angle_name[3] = {"roll", "pitch", "yaw"};

/* Index in t->angle for the column roll, pitch or yaw of a joint with a quaternion; -1 for other
   names. The last part of the name is enough if there is only one such joint and no coordinate has
   this ending. */
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

/* The place of a name and of a row in the file of the table. */
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

/* Factor from the unit of a column to SI; it stays 1 for a column without a unit. */
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

/* Compute the quaternion that begins at coordinate i from roll, pitch and yaw. */
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
      rpy[k] = apl_trajectory_value(t, row, t->angle[i + k]);
    apl_attitude_angles(rpy, row, t->turned + i);
  }
  apl_attitude_smooth(nrow, t->turned + i);
}

/* Either all three angles are given or none, and not in addition to the quaternion. */
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

void apl_trajectory_columns(apl_trajectory* t, apl_report* report) {
  const int before = report->count;

  read_columns(t, report);
  if (report->count == before) read_angles(t, report);
  if (report->count == before) check_times(t, report);
}
