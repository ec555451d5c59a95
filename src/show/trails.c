/* SPDX-License-Identifier: Apache-2.0 */
/* trails.c: see trails.h. Points are dropped by the Douglas-Peucker algorithm. */
#include "show/trails.h"

#include "show/json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { POSE = 7 };

/* Most numbers kept (64 MB); beyond that every other output is dropped. */
static const size_t ROOM = (size_t)1 << 24;

struct apl_trails {
  int nport, stride, skip;
  size_t n, room; /* outputs kept, and those that fit                                             */
  float* time;    /* [room]                                                                       */
  float* point;   /* [room][nport][3]                                                             */
};

apl_trails* apl_trails_new(int nport) {
  apl_trails* t = calloc(1, sizeof *t);

  if (t != NULL) t->nport = nport, t->stride = 1;
  return t;
}

void apl_trails_free(apl_trails* t) {
  if (t == NULL) return;
  free(t->time);
  free(t->point);
  free(t);
}

static size_t width(const apl_trails* t) {
  return (size_t)t->nport * 3;
}

static bool grow(apl_trails* t) {
  const size_t room = t->room == 0 ? 1024 : 2 * t->room;
  float* time = realloc(t->time, sizeof *time * room);
  if (time != NULL) t->time = time;
  float* point = realloc(t->point, sizeof *point * room * (width(t) + 1));
  if (point != NULL) t->point = point;
  if (time != NULL && point != NULL) t->room = room;
  return time != NULL && point != NULL;
}

static void thin(apl_trails* t) {
  for (size_t i = 0; 2 * i < t->n; ++i) {
    t->time[i] = t->time[2 * i];
    memmove(t->point + i * width(t), t->point + 2 * i * width(t), sizeof *t->point * width(t));
  }
  t->n = (t->n + 1) / 2;
  t->stride *= 2;
}

bool apl_trails_add(apl_trails* t, double time, const float* pose) {
  if (t->skip++ % t->stride != 0) return true;
  if (t->n == t->room) {
    if (t->room * width(t) >= ROOM) {
      thin(t);
      if ((t->skip - 1) % t->stride != 0) return true;
    } else if (!grow(t)) {
      return false;
    }
  }
  t->time[t->n] = (float)time;
  for (int p = 0; p < t->nport; ++p)
    memcpy(t->point + t->n * width(t) + 3 * p, pose + POSE * p, 3 * sizeof *pose);
  t->n += 1;
  return true;
}

/* --------------------------------------------------------------------------------- ways ---- */

static const float* at(const apl_trails* t, int port, size_t i) {
  return t->point + i * width(t) + 3 * port;
}

/* The square of the distance of p from the segment a b. */
static double away(const float* p, const float* a, const float* b) {
  double ab = 0.0, ap = 0.0, d2 = 0.0;

  for (int k = 0; k < 3; ++k) {
    ab += (double)(b[k] - a[k]) * (double)(b[k] - a[k]);
    ap += (double)(p[k] - a[k]) * (double)(b[k] - a[k]);
  }
  const double s = ab > 0.0 ? fmin(fmax(ap / ab, 0.0), 1.0) : 0.0;
  for (int k = 0; k < 3; ++k) {
    const double d = (double)p[k] - ((1.0 - s) * (double)a[k] + s * (double)b[k]);
    d2 += d * d;
  }
  return d2;
}

/* A thousandth of the diagonal of the path's bounding box. */
static double tolerance(const apl_trails* t, int port) {
  double square = 0.0;

  for (int k = 0; k < 3; ++k) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < t->n; ++i) {
      low = fmin(low, (double)at(t, port, i)[k]);
      high = fmax(high, (double)at(t, port, i)[k]);
    }
    square += (high - low) * (high - low);
  }
  return 1e-3 * sqrt(square);
}

/* Mark the points to keep; `stack` holds the segments still to be examined. */
static void mark(const apl_trails* t, int port, char* keep, size_t* stack) {
  const double most = tolerance(t, port), square = most * most;
  size_t depth = 0;

  memset(keep, 0, t->n);
  keep[0] = keep[t->n - 1] = 1;
  stack[depth++] = 0, stack[depth++] = t->n - 1;
  while (depth > 0) {
    const size_t b = stack[--depth], a = stack[--depth];
    size_t worst = a;
    double far = square;
    for (size_t i = a + 1; i < b; ++i) {
      const double d = away(at(t, port, i), at(t, port, a), at(t, port, b));
      if (d > far) far = d, worst = i;
    }
    if (worst == a) continue;
    keep[worst] = 1;
    stack[depth++] = a, stack[depth++] = worst;
    stack[depth++] = worst, stack[depth++] = b;
  }
}

static json_t* way(const apl_trails* t, int port, const char* keep, float* scratch) {
  float *time = scratch, *point = scratch + t->n;
  size_t n = 0;

  for (size_t i = 0; i < t->n; ++i) {
    if (!keep[i]) continue;
    time[n] = t->time[i];
    memcpy(point + 3 * n++, at(t, port, i), 3 * sizeof *point);
  }
  return json_pack("{s:i, s:o, s:o}", "port", port, "times", apl_base64(time, sizeof *time * n),
                   "points", apl_base64(point, sizeof *point * 3 * n));
}

json_t* apl_trails_json(const apl_trails* t) {
  json_t* list = json_array();
  char* keep = malloc(t->n + 1);
  size_t* stack = malloc(sizeof *stack * 2 * (t->n + 2));
  float* scratch = malloc(sizeof *scratch * 4 * (t->n + 1));
  const bool ok = keep != NULL && stack != NULL && scratch != NULL;

  for (int p = 0; ok && t->n > 1 && p < t->nport; ++p) {
    mark(t, p, keep, stack);
    apl_json_add(&list, way(t, p, keep, scratch));
  }
  if (!ok) apl_json_add(&list, NULL);
  free(keep);
  free(stack);
  free(scratch);
  return list;
}
