/* SPDX-License-Identifier: Apache-2.0 */
/* tables.c: reads the tables of a result file. Types are checked before memory is allocated,
   because a file may be damaged or hostile. */
#include "record/read_impl.h"

#include "record/sum.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

long long apl_result_length(const apl_result* res, hid_t set) {
  const hid_t space = H5Dget_space(set);
  const hid_t type = H5Dget_type(set);
  hsize_t n = 0;
  bool ok = space >= 0 && type >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
            H5Sget_simple_extent_dims(space, &n, NULL) == 1;

  /* no more records than bytes in the file */
  const size_t each = ok ? H5Tget_size(type) : 0;
  ok = ok && each > 0 && n <= (hsize_t)res->bytes / each;
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  return ok ? (long long)n : -1;
}

const char* apl_result_keep(apl_result* res, const char* field, size_t size) {
  size_t n = 0;

  while (n < size && field[n] != '\0')
    n++;
  char* copy = apl_pool_take(&res->pool, n + 1);
  if (copy == NULL) return NULL;
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)field[i];
    const unsigned char next = i + 1 < n ? (unsigned char)field[i + 1] : 0;
    copy[i] = c < ' ' || c == 127 ? '?' : field[i];
    if (c == 0xc2 && next >= 0x80 && next < 0xa0) copy[i] = copy[i + 1] = '?', i++;
  }
  return copy;
}

/* Read a whole table with records of the given type into new memory. */
static void* read_table(apl_result* res, const char* name, hid_t type, size_t bytes, int* n) {
  const hid_t set = apl_layout_open_set(res->file, name);
  const long long count = set < 0 ? -1 : apl_result_length(res, set);
  void* table = NULL;

  if (count >= 0 && count < 1 << 30) {
    table = calloc((size_t)count + 1, bytes);
    if (table == NULL) res->pool.failed = true;
    if (table != NULL && count > 0 &&
        H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, table) < 0) {
      free(table);
      table = NULL;
    }
    *n = (int)count;
  }
  if (set >= 0) H5Dclose(set);
  return table;
}

/* The width of a text in the table of channels, 0 when there is no such text. */
static size_t width_of(hid_t type, const char* member) {
  const int k = H5Tget_class(type) == H5T_COMPOUND ? H5Tget_member_index(type, member) : -1;
  if (k < 0) return 0;

  const hid_t text = H5Tget_member_type(type, (unsigned)k);
  const bool fixed = text >= 0 && H5Tget_class(text) == H5T_STRING && H5Tis_variable_str(text) == 0;
  const size_t width = fixed ? H5Tget_size(text) : 0;
  if (text >= 0) H5Tclose(text);
  return width;
}

apl_status apl_result_read_channels(apl_result* res, apl_error* err) {
  static const char* const word[3] = {"name", "unit", "description"};
  const hid_t set = apl_layout_open_set(res->file, "channels");
  const hid_t stored = set < 0 ? -1 : H5Dget_type(set);
  size_t width[3] = {0};
  size_t offset[3] = {0};
  size_t bytes = 0;
  bool ok = stored >= 0;
  uint64_t sum = 0;
  const bool summed = set >= 0 && apl_result_sum(res, set, &sum);

  for (int m = 0; m < 3 && ok; m++) {
    width[m] = width_of(stored, word[m]);
    ok = width[m] > 0 && width[m] < 1 << 20;
    offset[m] = bytes;
    bytes += width[m];
  }
  if (stored >= 0) H5Tclose(stored);
  if (set >= 0) H5Dclose(set);
  if (!ok) return apl_result_damaged(res, "its table of channels", err);

  const hid_t type = H5Tcreate(H5T_COMPOUND, bytes);
  for (int m = 0; m < 3; m++) {
    const hid_t text = apl_layout_string(width[m]);
    H5Tinsert(type, word[m], offset[m], text);
    H5Tclose(text);
  }
  char* table = read_table(res, "channels", type, bytes, &res->nchannel);
  H5Tclose(type);
  if (table == NULL || res->nchannel < 1 ||
      (summed && apl_sum_bytes(0, table, bytes * (size_t)res->nchannel) != sum)) {
    free(table);
    return apl_result_damaged(res, "its table of channels", err);
  }

  res->channel = apl_pool_take(&res->pool, sizeof *res->channel * (size_t)res->nchannel);
  ok = res->channel != NULL;
  for (int k = 0; k < res->nchannel && ok; k++) {
    const char* line = table + (size_t)k * bytes;
    apl_channel* c = &res->channel[k];
    c->name = apl_result_keep(res, line + offset[0], width[0]);
    c->unit = apl_result_keep(res, line + offset[1], width[1]);
    c->sentence = apl_result_keep(res, line + offset[2], width[2]);
    ok = c->name != NULL && c->unit != NULL && c->sentence != NULL;
  }
  free(table);
  return ok ? APL_OK : apl_fail(err, APL_ERR_MEMORY, "out of memory for '%s'", res->path);
}

apl_status apl_result_read_events(apl_result* res, apl_error* err) {
  const hid_t type = apl_layout_event_type();
  layout_event* table = read_table(res, "events", type, sizeof *table, &res->nevent);

  H5Tclose(type);
  if (table == NULL) return apl_result_damaged(res, "its table of events", err);

  res->event = apl_pool_take(&res->pool, sizeof *res->event * (size_t)(res->nevent + 1));
  bool ok = res->event != NULL;
  bool sound = true;
  for (int k = 0; k < res->nevent && ok && sound; k++) {
    apl_occurrence* e = &res->event[k];
    *e = (apl_occurrence){.t = table[k].t,
                          .value = table[k].value,
                          .row = (int)(table[k].row < 0         ? 0
                                       : table[k].row > INT_MAX ? INT_MAX
                                                                : table[k].row),
                          .name = apl_result_keep(res, table[k].name, LAYOUT_KEY),
                          .text = apl_result_keep(res, table[k].text, LAYOUT_TEXT)};
    if (res->version >= 3) memcpy(e->number, table[k].number, sizeof e->number);
    ok = e->name != NULL && e->text != NULL;
    sound = res->version < 2 || table[k].sum == apl_layout_event_sum(&table[k], res->version);
  }
  free(table);
  if (!sound) return apl_result_damaged(res, "its table of events", err);
  return ok ? APL_OK : apl_fail(err, APL_ERR_MEMORY, "out of memory for '%s'", res->path);
}

apl_status apl_result_read_summary(apl_result* res, apl_error* err) {
  const hid_t type = apl_layout_summary_type();
  layout_summary* table = read_table(res, "summary", type, sizeof *table, &res->nsummary);

  H5Tclose(type);
  if (table == NULL) return apl_result_damaged(res, "its summary", err);

  res->summary = apl_pool_take(&res->pool, sizeof *res->summary * (size_t)(res->nsummary + 1));
  bool ok = res->summary != NULL;
  bool sound = true;
  for (int k = 0; k < res->nsummary && ok && sound; k++) {
    apl_summary* s = &res->summary[k];
    *s = (apl_summary){.value = table[k].value,
                       .key = apl_result_keep(res, table[k].key, LAYOUT_KEY),
                       .text = apl_result_keep(res, table[k].text, LAYOUT_NOTE)};
    ok = s->key != NULL && s->text != NULL;
    sound = res->version < 2 || table[k].sum == apl_layout_summary_sum(&table[k]);
  }
  free(table);
  if (!sound) return apl_result_damaged(res, "its summary", err);
  return ok ? APL_OK : apl_fail(err, APL_ERR_MEMORY, "out of memory for '%s'", res->path);
}
