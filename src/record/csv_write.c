/* SPDX-License-Identifier: Apache-2.0 */
/* csv_write.c: rows as text. %.17g reads back as the same double. */
#define _XOPEN_SOURCE 700 /* fdopen, newlocale */
#include "base/pool.h"
#include "record/layout.h"
#include "record/record.h"
#include "text/csv.h"
#include "record/part.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct apl_csv {
  apl_pool pool;
  apl_part part;
  FILE* out;
  locale_t plain; /* a locale with a decimal point, whatever the application uses */
  int nchannel, nrow;
  const char** channel;
};

static apl_status broken(const apl_csv* csv, apl_error* err) {
  const char* path = csv->part.path == NULL ? "-" : csv->part.path;

  return apl_fail(err, APL_ERR_IO, "'%s' cannot be written: %s", path, strerror(errno));
}

static void release(apl_csv* csv) {
  if (csv->plain != (locale_t)0) freelocale(csv->plain);
  apl_pool_free(&csv->pool);
  free(csv);
}

static apl_status put_names(apl_csv* csv, const apl_channel* channel, apl_error* err) {
  for (int k = 0; k < csv->nchannel; k++)
    fprintf(csv->out, "%s%s", k > 0 ? "," : "", channel[k].name);
  fputc('\n', csv->out);
  return fflush(csv->out) == 0 ? APL_OK : broken(csv, err);
}

apl_status apl_csv_units(apl_csv* csv, const apl_channel* channel, apl_error* err) {
  for (int k = 0; k < csv->nchannel; k++) {
    fprintf(csv->out, "%s%s",
            k > 0 ? "," : "# units: ", channel[k].unit == NULL ? "" : channel[k].unit);
  }
  fputc('\n', csv->out);
  return fflush(csv->out) == 0 ? APL_OK : broken(csv, err);
}

static apl_status check_channels(const apl_channel* channel, int n, apl_error* err) {
  if (channel == NULL || n < 1) return apl_fail(err, APL_ERR_ARGUMENT, "a table needs a channel");
  for (int k = 0; k < n; k++) {
    const char* unit = channel[k].unit == NULL ? "" : channel[k].unit;
    if (!apl_column_name_ok(channel[k].name) || strpbrk(unit, ",\n\r") != NULL) {
      return apl_fail(err, APL_ERR_ARGUMENT, "channel %d cannot be named '%s' with unit '%s'", k,
                      channel[k].name == NULL ? "" : channel[k].name, unit);
    }
  }
  return APL_OK;
}

apl_status apl_csv_open(const char* path, const apl_channel* channel, int nchannel, apl_csv** out,
                        apl_error* err) {
  *out = NULL;
  const apl_status checked = check_channels(channel, nchannel, err);
  if (checked != APL_OK) return checked;

  apl_csv* csv = calloc(1, sizeof *csv);
  if (csv == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory");
  csv->part.fd = -1;
  csv->nchannel = nchannel;
  csv->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  csv->channel = apl_pool_take(&csv->pool, sizeof *csv->channel * (size_t)nchannel);
  bool memory = csv->plain != (locale_t)0 && csv->channel != NULL;
  for (int k = 0; k < nchannel && memory; k++) {
    csv->channel[k] = apl_pool_text(&csv->pool, channel[k].name);
    memory = csv->channel[k] != NULL;
  }
  if (!memory) {
    release(csv);
    return apl_fail(err, APL_ERR_MEMORY, "out of memory");
  }

  if (path != NULL && strcmp(path, "-") == 0) {
    csv->out = stdout;
  } else {
    const apl_status st = apl_part_open(&csv->part, path, true, err);
    if (st != APL_OK) {
      release(csv);
      return st;
    }
    /* a separate descriptor, so that stream and part are closed independently */
    const int fd = dup(csv->part.fd);
    csv->out = fd < 0 ? NULL : fdopen(fd, "w");
    if (csv->out == NULL && fd >= 0) close(fd);
  }
  const apl_status st = csv->out == NULL ? broken(csv, err) : put_names(csv, channel, err);
  if (st == APL_OK) {
    *out = csv;
  } else {
    apl_csv_abandon(csv);
  }
  return st;
}

apl_status apl_csv_row(apl_csv* csv, const double* values, apl_error* err) {
  for (int k = 0; k < csv->nchannel; k++) {
    if (!isfinite(values[k])) {
      return apl_fail(err, APL_ERR_NOT_FINITE, "channel '%s' is %g in row %d", csv->channel[k],
                      values[k], csv->nrow);
    }
  }
  const locale_t before = uselocale(csv->plain);
  for (int k = 0; k < csv->nchannel; k++) {
    fprintf(csv->out, k > 0 ? ",%.17g" : "%.17g", values[k]);
  }
  fputc('\n', csv->out);
  uselocale(before);
  csv->nrow++;
  return ferror(csv->out) == 0 ? APL_OK : broken(csv, err);
}

apl_status apl_csv_close_aside(apl_csv* csv, const char* word, apl_error* err) {
  if (apl_part_step_aside(&csv->part, word)) return apl_csv_close(csv, err);
  apl_csv_abandon(csv);
  return apl_fail(err, APL_ERR_MEMORY, "out of memory");
}

apl_status apl_csv_close(apl_csv* csv, apl_error* err) {
  apl_status st = fflush(csv->out) != 0 || ferror(csv->out) != 0 ? broken(csv, err) : APL_OK;

  if (csv->out != stdout) {
    if (fclose(csv->out) != 0 && st == APL_OK) st = broken(csv, err);
    csv->out = NULL;
    if (st == APL_OK) st = apl_part_keep(&csv->part, err);
  }
  apl_part_drop(&csv->part, true);
  release(csv);
  return st;
}

void apl_csv_abandon(apl_csv* csv) {
  if (csv == NULL) return;
  if (csv->out != NULL && csv->out != stdout) fclose(csv->out);
  apl_part_drop(&csv->part, true);
  release(csv);
}
