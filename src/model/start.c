/* start.c: the `start` block: coordinates by name, velocities by name, with .rate behind where a
   coordinate has the same name: {arm.joint.angle: 10 deg, arm.joint.angle.rate: 1 rad/s}. */
#include "model/model_impl.h"

#include "base/nearest.h"
#include "spec/file_impl.h"

#include <string.h>

static void unknown_name(const apl_model* m, const text_node* entry, form_reader* r) {
  apl_nearest near = {.word = entry->key};
  char hint[96];

  if (strcmp(entry->key, "from") == 0) {
    apl_form_refuse(r, entry->key_at, "from",
                    "starting from an earlier result is not possible yet");
    return;
  }
  for (int i = 0; i < m->nq; ++i)
    apl_nearest_offer(&near, m->q_name[i]);
  for (int i = 0; i < m->nv; ++i)
    apl_nearest_offer(&near, m->v_name[i]);
  apl_form_refuse(r, entry->key_at, entry->key, "the robot has no such coordinate or velocity%s",
                  apl_nearest_text(&near, hint));
}

/* The velocity a key speaks of, -1 when none. */
static int find_velocity(const apl_model* m, const char* key) {
  static const char rate[] = ".rate";
  const size_t n = strlen(key), k = sizeof rate - 1;
  const bool marked = n > k && strcmp(key + n - k, rate) == 0;

  for (int i = 0; i < m->nv; ++i) {
    const size_t length = strlen(m->v_name[i]);
    if (strncmp(m->v_name[i], key, length) == 0 && length == (marked ? n - k : n)) return i;
  }
  return -1;
}

apl_status apl_file_start(const apl_file* file, const apl_model* m, double* q, double* v,
                          apl_report* report) {
  const text_node* start = file->top.start;
  apl_report mine = {0};
  if (report == NULL) report = &mine;
  form_reader r = {.report = report, .where = "start."};
  const int before = report->count;

  memcpy(q, m->neutral, sizeof *q * (size_t)m->nq);
  memset(v, 0, sizeof *v * (size_t)m->nv);
  if (start == NULL) return APL_OK;
  if (start->kind != TEXT_MAP) {
    return apl_report_add(report, APL_ERR_SYNTAX, start->at,
                          "start: expected a map from names to values");
  }
  for (const text_node* entry = start->first; entry != NULL; entry = entry->next) {
    const int i = apl_model_coordinate(m, entry->key);
    const int j = i >= 0 ? -1 : find_velocity(m, entry->key);
    if (i >= 0) {
      apl_numbers_read(&r, entry->key, entry, &m->q_unit[i], 1, &q[i]);
    } else if (j >= 0) {
      apl_numbers_read(&r, entry->key, entry, &m->v_unit[j], 1, &v[j]);
    } else {
      unknown_name(m, entry, &r);
    }
  }
  return report->count == before ? APL_OK : APL_ERR_SYNTAX;
}
