/* layout.c: the data types of a result file. */
#include "record/layout.h"

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
  size_t text; /* bytes of a string, 0 for a number */
  hid_t number;
} member;

static hid_t compound(size_t size, const member* m, int n) {
  const hid_t type = H5Tcreate(H5T_COMPOUND, size);
  bool ok = type >= 0;

  for (int k = 0; k < n && ok; k++) {
    const hid_t item = m[k].text > 0 ? apl_layout_string(m[k].text) : H5Tcopy(m[k].number);
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
  };
  return compound(sizeof(layout_event), m, 5);
}

hid_t apl_layout_summary_type(void) {
  const member m[] = {
      {"value", offsetof(layout_summary, value), 0, H5T_NATIVE_DOUBLE},
      {"key", offsetof(layout_summary, key), LAYOUT_KEY, 0},
      {"text", offsetof(layout_summary, text), LAYOUT_NOTE, 0},
  };
  return compound(sizeof(layout_summary), m, 3);
}

hid_t apl_layout_at_type(void) {
  const member m[] = {
      {"time", offsetof(layout_at, t), 0, H5T_NATIVE_DOUBLE},
      {"rows", offsetof(layout_at, rows), 0, H5T_NATIVE_INT64},
      {"events", offsetof(layout_at, events), 0, H5T_NATIVE_INT64},
  };
  return compound(sizeof(layout_at), m, 3);
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
