/* SPDX-License-Identifier: Apache-2.0 */
/* head.c: creates a result file with everything except rows. In SWMR mode no object can be added
   later, so all tables, both slots of the checkpoint and the status exist from the start. */
#include "record/write_impl.h"

#include "record/sum.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char* or_empty(const char* text) {
  return text == NULL ? "" : text;
}

/* ------------------------------------------------------------------------------- texts ------ */

static bool put_attribute(hid_t where, const char* name, hid_t type, const void* value) {
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t attr = H5Acreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const bool ok = attr >= 0 && H5Awrite(attr, type, value) >= 0;

  if (attr >= 0) H5Aclose(attr);
  H5Sclose(space);
  return ok;
}

static bool put_text_attribute(hid_t where, const char* name, const char* text) {
  const hid_t type = apl_layout_string(strlen(or_empty(text)));
  const bool ok = type >= 0 && put_attribute(where, name, type, or_empty(text));

  if (type >= 0) H5Tclose(type);
  return ok;
}

/* A data set of fixed size, its place in the file allocated now; negative on failure. */
static hid_t fixed_set(hid_t where, const char* name, hid_t type, hid_t space) {
  const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  hid_t set = -1;

  if (plist >= 0 && H5Pset_obj_track_times(plist, false) >= 0 &&
      H5Pset_alloc_time(plist, H5D_ALLOC_TIME_EARLY) >= 0) {
    set = H5Dcreate2(where, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  }
  if (plist >= 0) H5Pclose(plist);
  return set;
}

static bool put_text(hid_t where, const char* name, const char* text) {
  const hid_t type = apl_layout_string(strlen(or_empty(text)));
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t set = type < 0 ? -1 : fixed_set(where, name, type, space);
  const uint64_t sum = apl_sum_bytes(0, or_empty(text), strlen(or_empty(text)));
  const bool ok = set >= 0 && put_attribute(set, "sum", H5T_NATIVE_UINT64, &sum) &&
                  H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, or_empty(text)) >= 0;

  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return ok;
}

/* ------------------------------------------------------------------------------- channels --- */

static const char* channel_text(const apl_channel* c, int member) {
  return or_empty(member == 0 ? c->name : member == 1 ? c->unit : c->sentence);
}

/* A table of three texts, each as wide as the longest one. */
static bool put_channels(apl_record* rec, const apl_channel* channel, int n) {
  static const char* const word[3] = {"name", "unit", "description"};
  size_t width[3] = {1, 1, 1};
  size_t offset[3];
  size_t bytes = 0;
  bool ok = true;

  for (int m = 0; m < 3; m++) {
    for (int k = 0; k < n; k++) {
      const size_t w = strlen(channel_text(&channel[k], m));
      if (w > width[m]) width[m] = w;
    }
    offset[m] = bytes;
    bytes += width[m];
  }

  const hid_t type = H5Tcreate(H5T_COMPOUND, bytes);
  for (int m = 0; m < 3 && ok; m++) {
    const hid_t text = apl_layout_string(width[m]);
    ok = text >= 0 && H5Tinsert(type, word[m], offset[m], text) >= 0;
    if (text >= 0) H5Tclose(text);
  }

  char* table = calloc((size_t)n, bytes);
  if (table == NULL) rec->pool.failed = true;
  ok = ok && table != NULL;
  for (int k = 0; k < n && ok; k++) {
    for (int m = 0; m < 3; m++) {
      const char* text = channel_text(&channel[k], m);
      memcpy(table + (size_t)k * bytes + offset[m], text, strlen(text));
    }
  }

  const hsize_t dim = (hsize_t)n;
  const hid_t space = H5Screate_simple(1, &dim, NULL);
  const hid_t set = ok ? fixed_set(rec->file, "channels", type, space) : -1;
  const uint64_t sum = table == NULL ? 0 : apl_sum_bytes(0, table, bytes * (size_t)n);
  ok = set >= 0 && put_attribute(set, "sum", H5T_NATIVE_UINT64, &sum) &&
       H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, table) >= 0;
  free(table);
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  H5Tclose(type);
  return ok;
}

/* ------------------------------------------------------------------------------- tables ----- */

static bool create_growing(apl_record* rec, growing* g, const char* name) {
  const hsize_t dims[2] = {0, g->width};
  const hsize_t most[2] = {H5S_UNLIMITED, g->width};
  const hsize_t chunk[2] = {(hsize_t)g->block, g->width};
  const hid_t space = H5Screate_simple(g->rank, dims, most);
  const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);

  if (H5Pset_obj_track_times(plist, false) >= 0 && H5Pset_chunk(plist, g->rank, chunk) >= 0) {
    g->set = H5Dcreate2(rec->file, name, g->type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  }
  H5Pclose(plist);
  H5Sclose(space);

  g->buffer = apl_pool_take(&rec->pool, (size_t)g->block * g->bytes);
  return g->set >= 0 && g->buffer != NULL;
}

static bool create_tables(apl_record* rec, int nchannel) {
  int block = LAYOUT_BLOCK_BYTES / (int)sizeof(double) / nchannel;

  if (block > LAYOUT_BLOCK_MAX) block = LAYOUT_BLOCK_MAX;
  if (block < 8) block = 8;
  rec->rows = (growing){.set = -1,
                        .type = H5Tcopy(H5T_NATIVE_DOUBLE),
                        .rank = 2,
                        .width = (hsize_t)nchannel,
                        .bytes = sizeof(double) * (size_t)nchannel,
                        .block = block};
  rec->sums = (growing){.set = -1,
                        .type = H5Tcopy(H5T_NATIVE_UINT64),
                        .rank = 1,
                        .bytes = sizeof(uint64_t),
                        .block = block};
  rec->events = (growing){.set = -1,
                          .type = apl_layout_event_type(),
                          .rank = 1,
                          .bytes = sizeof(layout_event),
                          .block = LAYOUT_EVENT_BLOCK};
  rec->summary = (growing){.set = -1,
                           .type = apl_layout_summary_type(),
                           .rank = 1,
                           .bytes = sizeof(layout_summary),
                           .block = LAYOUT_SUMMARY_BLOCK};
  return create_growing(rec, &rec->rows, "rows") && create_growing(rec, &rec->sums, "row-sums") &&
         create_growing(rec, &rec->events, "events") &&
         create_growing(rec, &rec->summary, "summary");
}

/* ------------------------------------------------------------------------------- checkpoint - */

static hid_t new_group(hid_t where, const char* name) {
  const hid_t plist = H5Pcreate(H5P_GROUP_CREATE);
  hid_t group = -1;

  if (plist >= 0 && H5Pset_obj_track_times(plist, false) >= 0) {
    group = H5Gcreate2(where, name, H5P_DEFAULT, plist, H5P_DEFAULT);
  }
  if (plist >= 0) H5Pclose(plist);
  return group;
}

static hid_t numbers(hid_t where, const char* name, int count) {
  const hsize_t dim = (hsize_t)count;
  const hid_t space = H5Screate_simple(1, &dim, NULL);
  const hid_t set = fixed_set(where, name, H5T_NATIVE_DOUBLE, space);

  H5Sclose(space);
  return set;
}

static bool create_slot(apl_record* rec, hid_t where, int s, const apl_record_head* head) {
  const hid_t group = new_group(where, s == 0 ? "0" : "1");
  const hid_t scalar = H5Screate(H5S_SCALAR);
  hid_t* set = rec->slot[s];

  set[0] = group < 0 ? -1 : fixed_set(group, "at", rec->at_type, scalar);
  set[1] = group < 0 ? -1 : numbers(group, "y", head->nstate);
  bool ok = set[0] >= 0 && set[1] >= 0;
  for (int k = 0; k < head->nextra && ok; k++) {
    set[2 + k] = numbers(group, head->extra[k].name, head->extra[k].count);
    ok = set[2 + k] >= 0;
  }
  H5Sclose(scalar);
  if (group >= 0) H5Gclose(group);
  return ok;
}

static bool create_checkpoint(apl_record* rec, const apl_record_head* head) {
  if (head->nstate == 0) return true;

  rec->extra = apl_pool_take(&rec->pool, sizeof *rec->extra * (size_t)(head->nextra + 1));
  if (rec->extra == NULL) return false;
  for (int k = 0; k < head->nextra; k++) {
    rec->extra[k].name = apl_pool_text(&rec->pool, head->extra[k].name);
    rec->extra[k].count = head->extra[k].count;
    if (rec->extra[k].name == NULL) return false;
  }
  for (int s = 0; s < 2; s++) {
    rec->slot[s] = apl_pool_take(&rec->pool, sizeof(hid_t) * (size_t)(2 + head->nextra));
    if (rec->slot[s] == NULL) return false;
  }
  const hid_t group = new_group(rec->file, "checkpoint");
  const hid_t scalar = H5Screate(H5S_SCALAR);
  rec->at_type = apl_layout_at_type();
  rec->count = group < 0 ? -1 : fixed_set(group, "count", H5T_NATIVE_INT64, scalar);
  const bool ok = rec->at_type >= 0 && rec->count >= 0 && create_slot(rec, group, 0, head) &&
                  create_slot(rec, group, 1, head);
  H5Sclose(scalar);
  if (group >= 0) H5Gclose(group);
  return ok;
}

/* ------------------------------------------------------------------------------- file ------- */

static bool put_head(apl_record* rec, const apl_record_head* head) {
  const int version = LAYOUT_VERSION;
  const char running[LAYOUT_TEXT] = "running";
  const hid_t text = apl_layout_string(sizeof running);
  const hid_t root = rec->file;
  const bool ok = put_text_attribute(root, "format", LAYOUT_FORMAT) &&
                  put_attribute(root, "format-version", H5T_NATIVE_INT, &version) &&
                  put_text_attribute(root, "program", head->program) &&
                  put_text_attribute(root, "name", head->name) &&
                  put_text_attribute(root, "integrator", head->integrator) &&
                  put_text_attribute(root, "tolerance", head->tolerance) &&
                  put_text_attribute(root, "options", head->options) && text >= 0 &&
                  put_attribute(root, "status", text, running) &&
                  put_text(root, "model", head->model) &&
                  put_text(root, "pictures", head->pictures) &&
                  put_channels(rec, head->channel, head->nchannel);

  if (text >= 0) H5Tclose(text);
  return ok;
}

static hid_t create_file(apl_record* rec) {
  const hid_t access = apl_disk_access(&rec->disk, &rec->driver);
  const hid_t create = H5Pcreate(H5P_FILE_CREATE);
  hid_t file = -1;

  if (access >= 0 && create >= 0 && H5Pset_obj_track_times(create, false) >= 0) {
    file = H5Fcreate(rec->part.part, H5F_ACC_TRUNC, create, access);
  }
  if (create >= 0) H5Pclose(create);
  if (access >= 0) H5Pclose(access);
  return file;
}

apl_status apl_record_create(apl_record* rec, const apl_record_head* head) {
  rec->file = create_file(rec);
  if (rec->file < 0 || !put_head(rec, head) || !create_tables(rec, head->nchannel) ||
      !create_checkpoint(rec, head)) {
    return apl_record_broken(rec);
  }

  /* the start of SWMR mode reads everything back, so the disk must not have failed */
  if (H5Fflush(rec->file, H5F_SCOPE_LOCAL) < 0 || rec->disk.error != 0)
    return apl_record_broken(rec);

  /* from here on the file is readable after every write */
  if (H5Fstart_swmr_write(rec->file) < 0 || H5Fflush(rec->file, H5F_SCOPE_LOCAL) < 0) {
    return apl_record_broken(rec);
  }

  /* attributes must not be open when SWMR mode starts */
  rec->status = H5Aopen(rec->file, "status", H5P_DEFAULT);
  return rec->status >= 0 && rec->disk.error == 0 ? APL_OK : apl_record_broken(rec);
}
