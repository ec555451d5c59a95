/* SPDX-License-Identifier: Apache-2.0 */
/* checkpoint.c: the state from which a run can be resumed. Two slots are written in turn; `count`,
   eight bytes written last, says how many checkpoints there were and so which slot holds the last.
 */
#include "record/read_impl.h"
#include "record/sum.h"
#include "record/write_impl.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------- writing ---- */

static bool put(hid_t set, hid_t type, const void* value) {
  return H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0;
}

/* Checksums of arrays, each including its name, are added, so their order does not matter. */
static uint64_t array_sum(const char* name, const double* value, int count) {
  return apl_sum_numbers(apl_sum_bytes(0, name, strlen(name)), value, (size_t)count);
}

static bool put_slot(apl_record* rec, int s, const layout_at* at, const double* y,
                     const apl_record_array* extra) {
  bool ok = put(rec->slot[s][0], rec->at_type, at) && put(rec->slot[s][1], H5T_NATIVE_DOUBLE, y);

  for (int k = 0; k < rec->nextra && ok; k++) {
    ok = put(rec->slot[s][2 + k], H5T_NATIVE_DOUBLE, extra[k].value);
  }
  return ok;
}

apl_status apl_record_checkpoint(apl_record* rec, double t, const double* y,
                                 const apl_record_array* extra, apl_error* err) {
  if (rec->nstate == 0) {
    return apl_fail(err, APL_ERR_ARGUMENT, "this record was opened without checkpoints");
  }
  for (int k = 0; k < rec->nstate; k++) {
    if (!isfinite(y[k])) {
      return apl_fail(err, APL_ERR_NOT_FINITE, "state %d is %g at the checkpoint at %g s", k, y[k],
                      t);
    }
  }

  /* rows recorded before the checkpoint must exist when it is resumed */
  apl_status st = apl_record_flush(rec, err);
  if (st != APL_OK) return st;

  const layout_quiet quiet = apl_layout_hush();
  const int64_t count = rec->ncheckpoint + 1;
  layout_at at = {.t = t, .rows = rec->rows.n, .events = rec->events.n, .count = count};
  at.sum = apl_sum_numbers(apl_layout_at_sum(&at), y, (size_t)rec->nstate);
  for (int k = 0; k < rec->nextra; k++)
    at.sum += array_sum(rec->extra[k].name, extra[k].value, rec->extra[k].count);
  if (put_slot(rec, (int)(count % 2), &at, y, extra) && put(rec->count, H5T_NATIVE_INT64, &count) &&
      rec->disk.error == 0) {
    rec->ncheckpoint = count;
  } else {
    apl_record_broken(rec);
    if (err != NULL) *err = rec->error;
  }
  apl_layout_speak(quiet);
  return rec->error.status;
}

/* ------------------------------------------------------------------------------- reading ---- */

static const double* read_numbers(apl_result* res, hid_t group, const char* name, int* count) {
  const hid_t set = apl_layout_open_set(group, name);
  const long long n = set < 0 ? -1 : apl_result_length(res, set);
  double* out = n < 0 || n > INT_MAX ? NULL : apl_pool_take(&res->pool, sizeof(double) * (size_t)n);

  if (out != NULL && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0) {
    out = NULL;
  }
  if (set >= 0) H5Dclose(set);
  *count = out == NULL ? 0 : (int)n;
  return out;
}

static bool read_scalar(hid_t where, const char* name, hid_t type, void* out) {
  const hid_t set = apl_layout_open_set(where, name);
  const hid_t space = set < 0 ? -1 : H5Dget_space(set);
  const bool ok = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                  H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;

  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  return ok;
}

/* The members of a slot other than `at` and `y`, in alphabetical order. */
static bool read_extra(apl_result* res, hid_t group, apl_checkpoint* cp) {
  H5G_info_t info;
  if (H5Gget_info(group, &info) < 0 || info.nlinks < 2 || info.nlinks > 1 << 16) return false;

  apl_record_array* extra = apl_pool_take(&res->pool, sizeof *extra * (size_t)info.nlinks);
  if (extra == NULL) return false;
  for (hsize_t k = 0; k < info.nlinks; k++) {
    char name[1100];
    if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, sizeof name,
                           H5P_DEFAULT) < 0) {
      return false;
    }
    if (strcmp(name, "at") == 0 || strcmp(name, "y") == 0) continue;

    apl_record_array* a = &extra[cp->nextra];
    a->name = apl_result_keep(res, name, sizeof name);
    a->value = read_numbers(res, group, name, &a->count);
    if (a->name == NULL || a->value == NULL) return false;
    cp->nextra++;
  }
  cp->extra = extra;
  return true;
}

/* Read a slot unchecked; `at` may hold anything, counts only if possible. */
static bool read_slot(apl_result* res, hid_t where, int s, layout_at* at, apl_checkpoint* cp) {
  const hid_t group = apl_layout_open_group(where, s == 0 ? "0" : "1");
  const hid_t type = apl_layout_at_type();

  *at = (layout_at){0};
  bool ok = group >= 0 && read_scalar(group, "at", type, at) && at->rows >= 0 &&
            at->rows <= INT_MAX && at->events >= 0 && at->events <= INT_MAX;

  *cp = (apl_checkpoint){.t = at->t, .rows = (int)at->rows, .events = (int)at->events};
  if (ok) cp->y = read_numbers(res, group, "y", &cp->n);
  ok = ok && cp->y != NULL && read_extra(res, group, cp);
  H5Tclose(type);
  if (group >= 0) H5Gclose(group);
  return ok;
}

static bool sum_fits(const apl_result* res, const layout_at* at, const apl_checkpoint* cp,
                     int64_t count) {
  uint64_t sum = apl_sum_numbers(apl_layout_at_sum(at), cp->y, (size_t)cp->n);

  for (int k = 0; k < cp->nextra; k++)
    sum += array_sum(cp->extra[k].name, cp->extra[k].value, cp->extra[k].count);
  return res->version < 2 || (at->count == count && at->sum == sum);
}

apl_status apl_result_read_checkpoint(apl_result* res, apl_error* err) {
  if (H5Lexists(res->file, "checkpoint", H5P_DEFAULT) <= 0) return APL_OK;

  const hid_t group = apl_layout_open_group(res->file, "checkpoint");
  int64_t count = -1;
  bool ok = group >= 0 && read_scalar(group, "count", H5T_NATIVE_INT64, &count) && count >= 0;
  if (ok && count > 0) {
    apl_checkpoint* cp = apl_pool_take(&res->pool, sizeof *cp);
    layout_at at;
    ok = cp != NULL && read_slot(res, group, (int)(count % 2), &at, cp) && cp->rows <= res->nrow &&
         cp->events <= res->nevent && isfinite(cp->t) && sum_fits(res, &at, cp, count);
    res->checkpoint = ok ? cp : NULL;
  }
  if (group >= 0) H5Gclose(group);
  return ok ? APL_OK : apl_result_damaged(res, "its checkpoint", err);
}

/* ------------------------------------------------------------------------------- resuming --- */

/* Both slots and the count; arrays are matched by name. */
static apl_status copy_slots(apl_record* rec, apl_result* from, apl_error* err) {
  const layout_quiet quiet = apl_layout_hush();
  const hid_t group = apl_layout_open_group(from->file, "checkpoint");
  int64_t count = 0;
  bool ok = group >= 0 && read_scalar(group, "count", H5T_NATIVE_INT64, &count);

  /* copy the older slot too, because an uninterrupted run has it. If a kill left it half written,
     it is written again before the resumed run ends. */
  for (int s = 0; s < 2 && ok; s++) {
    apl_checkpoint cp;
    layout_at at;
    ok = read_slot(from, group, s, &at, &cp) && cp.n == rec->nstate && cp.nextra == rec->nextra;
    ok = ok && put(rec->slot[s][0], rec->at_type, &at) &&
         put(rec->slot[s][1], H5T_NATIVE_DOUBLE, cp.y);
    for (int k = 0; k < rec->nextra && ok; k++) {
      const double* value = NULL;
      for (int j = 0; j < cp.nextra; j++) {
        if (strcmp(cp.extra[j].name, rec->extra[k].name) == 0 &&
            cp.extra[j].count == rec->extra[k].count) {
          value = cp.extra[j].value;
        }
      }
      ok = value != NULL && put(rec->slot[s][2 + k], H5T_NATIVE_DOUBLE, value);
    }
  }
  ok = ok && put(rec->count, H5T_NATIVE_INT64, &count);
  if (rec->disk.error != 0) apl_record_broken(rec);
  if (group >= 0) H5Gclose(group);
  apl_layout_speak(quiet);
  rec->ncheckpoint = count;
  if (rec->error.status != APL_OK) {
    if (err != NULL) *err = rec->error;
    return rec->error.status;
  }
  if (ok) return APL_OK;
  return apl_fail(err, APL_ERR_ARGUMENT, "the checkpoint of '%s' belongs to another model",
                  from->path);
}

apl_status apl_record_resume(apl_record* rec, apl_result* from, apl_error* err) {
  const apl_checkpoint* cp = from->checkpoint;
  bool same = rec->nchannel == from->nchannel;

  for (int k = 0; k < rec->nchannel && same; k++) {
    same = strcmp(rec->channel[k], from->channel[k].name) == 0;
  }
  if (cp == NULL || rec->nstate == 0) {
    return apl_fail(err, APL_ERR_ARGUMENT, "'%s' has no checkpoint to resume from", from->path);
  }
  if (!same) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "'%s' does not have the channels of the run that is to be resumed", from->path);
  }
  if (rec->rows.n > 0 || rec->events.n > 0) {
    return apl_fail(err, APL_ERR_ARGUMENT, "only a record without rows can be resumed");
  }

  double* row = malloc(sizeof(double) * (size_t)rec->nchannel);
  if (row == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory");

  /* rows and events in the order in which they were recorded */
  apl_status st = APL_OK;
  int e = 0;
  for (int r = 0; r <= cp->rows && st == APL_OK; r++) {
    for (; e < cp->events && st == APL_OK && (from->event[e].row <= r || r == cp->rows); e++) {
      st = apl_record_occurrence(rec, &from->event[e], err);
    }
    if (st == APL_OK && r < cp->rows) {
      st = apl_result_read(from, r, 1, row, err);
      if (st == APL_OK) st = apl_record_row(rec, row, err);
    }
  }
  free(row);

  if (st == APL_OK) st = apl_record_flush(rec, err);
  return st == APL_OK ? copy_slots(rec, from, err) : st;
}
