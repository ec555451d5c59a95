/* SPDX-License-Identifier: Apache-2.0 */
/* layout.c: the data types of a result file. */
#include "record/layout.h"

#include "record/sum.h"

#include <string.h>

hid_t apl_layout_string(size_t size) {
  const hid_t type = H5Tcopy(H5T_C_S1);

  if (type >= 0 && H5Tset_size(type, size > 0 ? size : 1) >= 0 &&
      H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0) {
    return type;
  }
  H5Tclose(type);
  return -1;
}

typedef struct member {
  const char* name;
  size_t offset;
  size_t size;  /* bytes of a string, or count of numbers: 0 for one */
  hid_t number; /* 0 for a string */
} member;

static hid_t item_of(const member* m) {
  const hsize_t count = m->size;

  if (m->number == 0) return apl_layout_string(m->size);
  return m->size > 0 ? H5Tarray_create2(m->number, 1, &count) : H5Tcopy(m->number);
}

static hid_t compound(size_t size, const member* m, int n) {
  const hid_t type = H5Tcreate(H5T_COMPOUND, size);
  bool ok = type >= 0;

  for (int k = 0; k < n && ok; k++) {
    const hid_t item = item_of(&m[k]);
    ok = item >= 0 && H5Tinsert(type, m[k].name, m[k].offset, item) >= 0;
    if (item >= 0) H5Tclose(item);
  }
  if (ok) return type;
  if (type >= 0) H5Tclose(type);
  return -1;
}

hid_t apl_layout_event_type(void) {
  const member m[] = {
      {"time", offsetof(layout_event, t), 0, H5T_NATIVE_DOUBLE},
      {"value", offsetof(layout_event, value), 0, H5T_NATIVE_DOUBLE},
      {"row", offsetof(layout_event, row), 0, H5T_NATIVE_INT64},
      {"name", offsetof(layout_event, name), LAYOUT_KEY, 0},
      {"text", offsetof(layout_event, text), LAYOUT_TEXT, 0},
      {"numbers", offsetof(layout_event, number), APL_EVENT_NUMBERS, H5T_NATIVE_DOUBLE},
      {"sum", offsetof(layout_event, sum), 0, H5T_NATIVE_UINT64},
  };
  return compound(sizeof(layout_event), m, 7);
}

hid_t apl_layout_summary_type(void) {
  const member m[] = {
      {"value", offsetof(layout_summary, value), 0, H5T_NATIVE_DOUBLE},
      {"key", offsetof(layout_summary, key), LAYOUT_KEY, 0},
      {"text", offsetof(layout_summary, text), LAYOUT_NOTE, 0},
      {"sum", offsetof(layout_summary, sum), 0, H5T_NATIVE_UINT64},
  };
  return compound(sizeof(layout_summary), m, 4);
}

hid_t apl_layout_at_type(void) {
  const member m[] = {
      {"time", offsetof(layout_at, t), 0, H5T_NATIVE_DOUBLE},
      {"rows", offsetof(layout_at, rows), 0, H5T_NATIVE_INT64},
      {"events", offsetof(layout_at, events), 0, H5T_NATIVE_INT64},
      {"count", offsetof(layout_at, count), 0, H5T_NATIVE_INT64},
      {"sum", offsetof(layout_at, sum), 0, H5T_NATIVE_UINT64},
  };
  return compound(sizeof(layout_at), m, 5);
}

uint64_t apl_layout_event_sum(const layout_event* e, int version) {
  uint64_t h = apl_sum_numbers(0, (const double[2]){e->t, e->value}, 2);

  h = apl_sum_word(h, (uint64_t)e->row);
  h = apl_sum_bytes(h, e->name, sizeof e->name);
  h = apl_sum_bytes(h, e->text, sizeof e->text);
  return version < 3 ? h : apl_sum_numbers(h, e->number, APL_EVENT_NUMBERS);
}

uint64_t apl_layout_summary_sum(const layout_summary* s) {
  const uint64_t h = apl_sum_bytes(apl_sum_numbers(0, &s->value, 1), s->key, sizeof s->key);
  return apl_sum_bytes(h, s->text, sizeof s->text);
}

uint64_t apl_layout_at_sum(const layout_at* at) {
  const uint64_t h = apl_sum_word(apl_sum_numbers(0, &at->t, 1), (uint64_t)at->rows);
  return apl_sum_word(apl_sum_word(h, (uint64_t)at->events), (uint64_t)at->count);
}

/* True for a hard link: the name leads directly to an object of the same file. */
static bool is_hard(hid_t where, const char* name) {
  H5L_info_t info;
  return H5Lget_info(where, name, &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD;
}

hid_t apl_layout_open_set(hid_t where, const char* name) {
  const hid_t set = is_hard(where, name) ? H5Dopen2(where, name, H5P_DEFAULT) : -1;
  const hid_t plist = set < 0 ? -1 : H5Dget_create_plist(set);
  const H5D_layout_t layout = plist < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(plist);
  const bool inside =
      (layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED || layout == H5D_COMPACT) &&
      H5Pget_external_count(plist) == 0;

  if (plist >= 0) H5Pclose(plist);
  if (set >= 0 && !inside) H5Dclose(set);
  return inside ? set : -1;
}

hid_t apl_layout_open_group(hid_t where, const char* name) {
  return is_hard(where, name) ? H5Gopen2(where, name, H5P_DEFAULT) : -1;
}

layout_quiet apl_layout_hush(void) {
  layout_quiet quiet = {NULL, NULL};

  H5Eget_auto2(H5E_DEFAULT, &quiet.print, &quiet.data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return quiet;
}

void apl_layout_speak(layout_quiet quiet) {
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, quiet.print, quiet.data);
}
