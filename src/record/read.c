/* SPDX-License-Identifier: Apache-2.0 */
/* read.c: open a result file, its texts and rows. The tables are read by tables.c. */
#define _XOPEN_SOURCE 700 /* stat, strdup */
#include "record/read_impl.h"

#include "base/nearest.h"
#include "record/sum.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

apl_status apl_result_damaged(const apl_result* res, const char* what, apl_error* err) {
  if (res->pool.failed) return apl_fail(err, APL_ERR_MEMORY, "out of memory for '%s'", res->path);
  return apl_fail(err, APL_ERR_SYNTAX, "'%s' is a damaged result: %s cannot be read", res->path,
                  what);
}

/* ------------------------------------------------------------------------------- opening ---- */

/* Explain from the first bytes why HDF5 refuses a file. */
static apl_status explain(const char* path, long long bytes, apl_error* err) {
  unsigned char head[48] = {0};
  FILE* f = fopen(path, "rb");
  const size_t n = f == NULL ? 0 : fread(head, 1, sizeof head, f);

  if (f != NULL) fclose(f);
  if (n < 8 || memcmp(head, "\211HDF\r\n\032\n", 8) != 0) {
    return apl_fail(err, APL_ERR_SYNTAX, "'%s' is not a result of Appell (not an HDF5 file)", path);
  }

  /* superblock 2 and 3: the length of the file is the third address */
  unsigned long long end = 0;
  if (n == sizeof head && (head[8] == 2 || head[8] == 3) && head[9] == 8) {
    for (int k = 7; k >= 0; k--)
      end = end << 8 | head[28 + k];
  }
  if (n < sizeof head || (unsigned long long)bytes < end) {
    return apl_fail(err, APL_ERR_SYNTAX, "'%s' is cut short: %lld bytes of %llu", path, bytes,
                    end > 0 ? end : sizeof head);
  }
  return apl_fail(err, APL_ERR_SYNTAX, "'%s' is a damaged HDF5 file", path);
}

static apl_status open_file(apl_result* res, const char* path, apl_error* err) {
  struct stat info;

  if (path == NULL || stat(path, &info) != 0) {
    return apl_fail(err, APL_ERR_IO, "'%s' cannot be read: %s", path == NULL ? "" : path,
                    path == NULL ? "no name" : strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) {
    return apl_fail(err, APL_ERR_IO, "'%s' cannot be read: it is not an ordinary file", path);
  }
  FILE* f = fopen(path, "rb");
  if (f == NULL) {
    return apl_fail(err, APL_ERR_IO, "'%s' cannot be read: %s", path, strerror(errno));
  }
  fclose(f);
  res->bytes = (long long)info.st_size;
  res->path = apl_pool_text(&res->pool, path);
  if (res->path == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory");

  /* without HDF5's lock: a result may be on a read-only disk, or its run may still be going on */
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(access, false, true);
#endif
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  res->file = H5Fopen(path, H5F_ACC_RDONLY, access);
  H5Pclose(access);
  return res->file >= 0 ? APL_OK : explain(path, res->bytes, err);
}

/* ------------------------------------------------------------------------------- texts ------ */

/* Size of a fixed-length text type that fits the file, else 0. */
static size_t text_size(const apl_result* res, hid_t type) {
  if (type < 0 || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) return 0;
  const size_t n = H5Tget_size(type);
  return n <= (size_t)res->bytes ? n : 0;
}

static const char* read_attribute(apl_result* res, const char* name) {
  const hid_t attr = H5Aopen(res->file, name, H5P_DEFAULT);
  const hid_t type = attr < 0 ? -1 : H5Aget_type(attr);
  const hid_t space = attr < 0 ? -1 : H5Aget_space(attr);
  const size_t n = text_size(res, type);
  char* text =
      n > 0 && H5Sget_simple_extent_npoints(space) == 1 ? apl_pool_take(&res->pool, n + 1) : NULL;

  if (text != NULL && H5Aread(attr, type, text) < 0) text = NULL;
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (attr >= 0) H5Aclose(attr);
  /* these texts are printed, and a forged one may hold characters that control terminals */
  return text == NULL ? NULL : apl_result_keep(res, text, n);
}

bool apl_result_sum(const apl_result* res, hid_t set, uint64_t* sum) {
  if (res->version < 2) return false;

  /* a data set without its checksum counts as damaged */
  const hid_t attr = H5Aopen(set, "sum", H5P_DEFAULT);
  const hid_t space = attr < 0 ? -1 : H5Aget_space(attr);
  *sum = 0;
  if (space >= 0 && H5Sget_simple_extent_npoints(space) == 1) H5Aread(attr, H5T_NATIVE_UINT64, sum);
  if (space >= 0) H5Sclose(space);
  if (attr >= 0) H5Aclose(attr);
  return true;
}

static const char* read_text(apl_result* res, const char* name) {
  const hid_t set = apl_layout_open_set(res->file, name);
  const hid_t type = set < 0 ? -1 : H5Dget_type(set);
  const hid_t space = set < 0 ? -1 : H5Dget_space(set);
  const size_t n = text_size(res, type);
  char* text =
      n > 0 && H5Sget_simple_extent_npoints(space) == 1 ? apl_pool_take(&res->pool, n + 1) : NULL;

  if (text != NULL && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) text = NULL;
  uint64_t sum;
  if (text != NULL && apl_result_sum(res, set, &sum) &&
      sum != apl_sum_bytes(0, text, strnlen(text, n)))
    text = NULL;
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (set >= 0) H5Dclose(set);
  return text;
}

static apl_status read_texts(apl_result* res, apl_error* err) {
  static const struct {
    apl_result_word word;
    const char* name;
    bool attribute;
  } item[READ_WORDS] = {
      {APL_RESULT_NAME, "name", true},
      {APL_RESULT_PROGRAM, "program", true},
      {APL_RESULT_INTEGRATOR, "integrator", true},
      {APL_RESULT_TOLERANCE, "tolerance", true},
      {APL_RESULT_STATUS, "status", true},
      {APL_RESULT_MODEL, "model", false},
      {APL_RESULT_PICTURES, "pictures", false},
      {APL_RESULT_OPTIONS, "options", true},
  };

  const char* format = read_attribute(res, "format");
  if (format == NULL || strcmp(format, LAYOUT_FORMAT) != 0) {
    return apl_fail(err, APL_ERR_SYNTAX,
                    "'%s' is an HDF5 file, but not a result of Appell (no attribute format = '%s')",
                    res->path, LAYOUT_FORMAT);
  }
  int version = -1;
  const hid_t attr = H5Aopen(res->file, "format-version", H5P_DEFAULT);
  const hid_t space = attr < 0 ? -1 : H5Aget_space(attr);
  if (attr >= 0 && H5Sget_simple_extent_npoints(space) == 1) {
    H5Aread(attr, H5T_NATIVE_INT, &version);
  }
  if (space >= 0) H5Sclose(space);
  if (attr >= 0) H5Aclose(attr);
  res->version = version;
  if (version < LAYOUT_OLDEST || version > LAYOUT_VERSION) {
    return apl_fail(err, APL_ERR_SYNTAX,
                    "'%s' has format version %d, this program reads versions up to %d", res->path,
                    version, LAYOUT_VERSION);
  }

  for (int k = 0; k < READ_WORDS; k++) {
    const char* name = item[k].name;
    const char* text = item[k].attribute ? read_attribute(res, name) : read_text(res, name);
    if (item[k].word == APL_RESULT_OPTIONS && res->version < 2) text = "";
    if (text == NULL) return apl_result_damaged(res, name, err);
    res->text[item[k].word] = text;
  }
  return APL_OK;
}

static apl_status open_rows(apl_result* res, apl_error* err) {
  res->rows = apl_layout_open_set(res->file, "rows");

  const hid_t space = res->rows < 0 ? -1 : H5Dget_space(res->rows);
  const hid_t type = res->rows < 0 ? -1 : H5Dget_type(res->rows);
  hsize_t dim[2] = {0, 0};
  bool ok = space >= 0 && type >= 0 && H5Tget_class(type) == H5T_FLOAT &&
            H5Sget_simple_extent_ndims(space) == 2 &&
            H5Sget_simple_extent_dims(space, dim, NULL) == 2 && dim[1] == (hsize_t)res->nchannel &&
            dim[0] <= INT_MAX && dim[0] <= (hsize_t)res->bytes / (dim[1] * H5Tget_size(type));
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  res->nrow = ok ? (int)dim[0] : 0;

  /* sums are written after their rows: rows without a sum, after a kill, are dropped */
  if (ok && res->version >= 2) {
    res->sums = apl_layout_open_set(res->file, "row-sums");
    const long long n = res->sums < 0 ? -1 : apl_result_length(res, res->sums);
    ok = n >= 0;
    if (n < res->nrow) res->nrow = ok ? (int)n : 0;
  }
  return ok ? APL_OK : apl_result_damaged(res, "its table of rows", err);
}

apl_status apl_result_open(const char* path, apl_result** out, apl_error* err) {
  if (out != NULL) *out = NULL;
  if (path == NULL || out == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "apl_result_open() needs a path and a place for the result");
  }
  *out = NULL;
  apl_result* res = calloc(1, sizeof *res);
  if (res == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory");
  res->file = res->rows = res->sums = -1;

  const layout_quiet quiet = apl_layout_hush();
  apl_status st = open_file(res, path, err);
  if (st == APL_OK) st = read_texts(res, err);
  if (st == APL_OK) st = apl_result_read_channels(res, err);
  if (st == APL_OK) st = open_rows(res, err);
  if (st == APL_OK) st = apl_result_read_events(res, err);
  if (st == APL_OK) st = apl_result_read_summary(res, err);
  if (st == APL_OK) st = apl_result_read_checkpoint(res, err);
  if (st == APL_OK) {
    apl_layout_speak(quiet);
    *out = res;
    return APL_OK;
  }

  /* HDF5 leaks memory on damaged files and would print about it at exit: after such a file its
     printing stays off */
  const bool damaged = st == APL_ERR_SYNTAX && res->bytes > 0;
  apl_result_free(res);
  if (!damaged) apl_layout_speak(quiet);
  return st;
}

void apl_result_free(apl_result* res) {
  if (res == NULL) return;
  const layout_quiet quiet = apl_layout_hush();
  if (res->rows >= 0) H5Dclose(res->rows);
  if (res->sums >= 0) H5Dclose(res->sums);
  if (res->file >= 0) H5Fclose(res->file);
  apl_layout_speak(quiet);
  apl_table_free(res->table);
  apl_pool_free(&res->pool);
  free(res);
}

/* ------------------------------------------------------------------------------- rows ------- */

/* Read a rectangle of a table. */
static bool read_part(hid_t set, int rank, hid_t type, const hsize_t from[2], const hsize_t size[2],
                      void* out) {
  const layout_quiet quiet = apl_layout_hush();
  const hid_t memory = H5Screate_simple(rank, size, NULL);
  const hid_t place = H5Dget_space(set);
  const bool ok = memory >= 0 && place >= 0 &&
                  H5Sselect_hyperslab(place, H5S_SELECT_SET, from, NULL, size, NULL) >= 0 &&
                  H5Dread(set, type, memory, place, H5P_DEFAULT, out) >= 0;
  if (place >= 0) H5Sclose(place);
  if (memory >= 0) H5Sclose(memory);
  apl_layout_speak(quiet);
  return ok;
}

static apl_status read_block(apl_result* res, const int first[2], const int count[2], double* out,
                             apl_error* err) {
  const hsize_t from[2] = {(hsize_t)first[0], (hsize_t)first[1]};
  const hsize_t size[2] = {(hsize_t)count[0], (hsize_t)count[1]};

  for (int i = 0; res->table != NULL && i < count[0]; ++i) {
    const size_t at = (size_t)(first[0] + i) * (size_t)res->nchannel + (size_t)first[1];
    const size_t n = (size_t)count[1];
    memcpy(out + (size_t)i * n, res->table->value + at, sizeof *out * n);
  }
  if (res->table != NULL) return APL_OK;
  if (count[0] == 0 || read_part(res->rows, 2, H5T_NATIVE_DOUBLE, from, size, out)) return APL_OK;
  return apl_result_damaged(res, "its table of rows", err);
}

/* Check the checksums of whole rows. */
static apl_status prove(apl_result* res, int first, int count, const double* row, apl_error* err) {
  enum { BLOCK = 512 };
  const size_t n = (size_t)res->nchannel;
  uint64_t sum[BLOCK];

  if (res->version < 2 || res->proven) return APL_OK;
  for (int k = 0; k < count; k++) {
    if (k % BLOCK == 0) {
      const hsize_t from[2] = {(hsize_t)(first + k), 0};
      const hsize_t size[2] = {(hsize_t)(count - k < BLOCK ? count - k : BLOCK), 0};
      if (!read_part(res->sums, 1, H5T_NATIVE_UINT64, from, size, sum))
        return apl_result_damaged(res, "the checksums of its rows", err);
    }
    if (sum[k % BLOCK] != apl_sum_numbers((uint64_t)(first + k), row + (size_t)k * n, n)) {
      return apl_fail(err, APL_ERR_SYNTAX,
                      "'%s' is a damaged result: row %d does not fit its checksum", res->path,
                      first + k);
    }
  }
  return APL_OK;
}

apl_status apl_result_read(apl_result* res, int first, int count, double* out, apl_error* err) {
  if (res == NULL || out == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT, "apl_result_read() needs a result and memory for rows");
  }
  if (first < 0 || count < 0 || first > res->nrow - count) {
    return apl_fail(err, APL_ERR_ARGUMENT, "%d rows from row %d do not exist: '%s' has %d rows",
                    count, first, res->path, res->nrow);
  }
  const apl_status st =
      read_block(res, (int[2]){first, 0}, (int[2]){count, res->nchannel}, out, err);
  return st == APL_OK ? prove(res, first, count, out, err) : st;
}

/* Checksums are per row: before the first column is read, all rows are checked once. */
static apl_status prove_all(apl_result* res, apl_error* err) {
  enum { BLOCK = 256 };
  if (res->version < 2 || res->proven) return APL_OK;

  double* row = malloc(sizeof *row * BLOCK * (size_t)res->nchannel);
  if (row == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for '%s'", res->path);
  apl_status st = APL_OK;
  for (int r = 0; r < res->nrow && st == APL_OK; r += BLOCK)
    st = apl_result_read(res, r, res->nrow - r < BLOCK ? res->nrow - r : BLOCK, row, err);
  free(row);
  res->proven = st == APL_OK;
  return st;
}

apl_status apl_result_column(apl_result* res, int channel, double* out, apl_error* err) {
  if (res == NULL || out == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "apl_result_column() needs a result and memory for a column");
  }
  if (channel < 0 || channel >= res->nchannel) {
    return apl_fail(err, APL_ERR_ARGUMENT, "channel %d does not exist: '%s' has %d channels",
                    channel, res->path, res->nchannel);
  }
  const apl_status st = prove_all(res, err);
  return st == APL_OK ? read_block(res, (int[2]){0, channel}, (int[2]){res->nrow, 1}, out, err)
                      : st;
}

/* ------------------------------------------------------------------------------- access ----- */

const char* apl_result_text(const apl_result* res, apl_result_word word) {
  if (res == NULL) return "";
  return (int)word >= 0 && (int)word < READ_WORDS ? res->text[word] : "";
}

int apl_result_rows(const apl_result* res) {
  if (res == NULL) return 0;
  return res->nrow;
}

int apl_result_channels(const apl_result* res) {
  if (res == NULL) return 0;
  return res->nchannel;
}

const apl_channel* apl_result_channel(const apl_result* res, int channel) {
  if (res == NULL) return NULL;
  return channel >= 0 && channel < res->nchannel ? &res->channel[channel] : NULL;
}

int apl_result_find(const apl_result* res, const char* name) {
  if (res == NULL || name == NULL) return -1;
  for (int k = 0; k < res->nchannel; k++) {
    if (strcmp(res->channel[k].name, name) == 0) return k;
  }
  return -1;
}

/* True if the channel ends in the name after a point: angle for arm.joint.angle */
static bool ends_in(const char* channel, const char* name) {
  const size_t n = strlen(name), length = strlen(channel);
  return length > n && channel[length - n - 1] == '.' && strcmp(channel + length - n, name) == 0;
}

static const char* last_word(const char* channel) {
  const char* point = strrchr(channel, '.');
  return point == NULL ? channel : point + 1;
}

int apl_result_nearest(const apl_result* res, const char* name) {
  apl_nearest whole = {.word = name}, last = {.word = name};

  for (int k = 0; k < res->nchannel; ++k)
    if (ends_in(res->channel[k].name, name)) return k;
  for (int k = 0; k < res->nchannel && strlen(name) > 2; ++k)
    if (strstr(res->channel[k].name, name) != NULL) return k;
  for (int k = 0; k < res->nchannel; ++k) {
    apl_nearest_offer(&whole, res->channel[k].name);
    apl_nearest_offer(&last, last_word(res->channel[k].name));
  }
  /* a last word alone is weak evidence: most of its letters must match */
  if (whole.best == NULL && 2 * last.least >= (int)strlen(name)) return -1;
  for (int k = 0; k < res->nchannel; ++k) {
    const char* known = res->channel[k].name;
    if (whole.best != NULL ? known == whole.best : last_word(known) == last.best) return k;
  }
  return -1;
}

int apl_result_events(const apl_result* res) {
  if (res == NULL) return 0;
  return res->nevent;
}

const apl_occurrence* apl_result_event(const apl_result* res, int event) {
  if (res == NULL) return NULL;
  return event >= 0 && event < res->nevent ? &res->event[event] : NULL;
}

int apl_result_summaries(const apl_result* res) {
  if (res == NULL) return 0;
  return res->nsummary;
}

const apl_summary* apl_result_summary(const apl_result* res, int summary) {
  if (res == NULL) return NULL;
  return summary >= 0 && summary < res->nsummary ? &res->summary[summary] : NULL;
}

const apl_checkpoint* apl_result_checkpoint(const apl_result* res) {
  return res->checkpoint;
}
