/* SPDX-License-Identifier: Apache-2.0 */
/* lists.c: the lists of a model during compilation. They grow as links are added, so no length need
   be known in advance, and are copied to the memory of the model at the end. Pointers into a list
   are valid until something is added to it. */
#include "model/compiler.h"

#include <stdlib.h>

/* Member of the model that counts the items of a list. */
static const size_t counts[NLIST] = {
    [LIST_NODES] = offsetof(apl_model, nnode),       [LIST_FRAMES] = offsetof(apl_model, nframe),
    [LIST_PORTS] = offsetof(apl_model, nport),       [LIST_SATELLITES] = offsetof(apl_model, nsat),
    [LIST_ANGLES] = offsetof(apl_model, nangle),     [LIST_PASSIVE] = offsetof(apl_model, npassive),
    [LIST_FOOTINGS] = offsetof(apl_model, nfooting), [LIST_COLUMNS] = offsetof(apl_model, nworld),
    [LIST_SPANS] = offsetof(apl_model, nspan),       [LIST_NUMBERS] = offsetof(apl_model, npar),
};

/* Arrays that grow with a list: the compiler's pointer and the model's pointer to it. */
#define ARRAY(list_, ours, theirs)                                                                 \
  { list_, offsetof(compiler, ours), offsetof(apl_model, theirs), sizeof *((compiler*)0)->ours }
static const struct {
  model_list list;
  size_t ours, theirs, item;
} arrays[] = {
    ARRAY(LIST_NODES, node, node),
    ARRAY(LIST_FRAMES, frame, frame),
    ARRAY(LIST_FRAMES, frame_column, frame_column),
    ARRAY(LIST_PORTS, port, port),
    ARRAY(LIST_PORTS, port_name, port_name),
    ARRAY(LIST_SATELLITES, satellite, satellite),
    ARRAY(LIST_SATELLITES, satellite_name, satellite_name),
    ARRAY(LIST_ANGLES, angle, angle),
    ARRAY(LIST_PASSIVE, passive, passive),
    ARRAY(LIST_FOOTINGS, footing, footing),
    ARRAY(LIST_COLUMNS, column_next, column_next),
    ARRAY(LIST_COLUMNS, column_velocity, column_velocity),
    ARRAY(LIST_SPANS, span, span),
    ARRAY(LIST_NUMBERS, par, par),
};
enum { NARRAY = sizeof arrays / sizeof *arrays };

static int* count_of(compiler* c, model_list list) {
  return (int*)(void*)((char*)c->m + counts[list]);
}

static void* get(const compiler* c, int array) {
  void* p;
  memcpy(&p, (const char*)c + arrays[array].ours, sizeof p);
  return p;
}

/* Set both pointers to the present array. */
static void set(compiler* c, int array, void* p) {
  memcpy((char*)c + arrays[array].ours, &p, sizeof p);
  memcpy((char*)c->m + arrays[array].theirs, &p, sizeof p);
}

/* Double the capacity plus n, and zero the new items. */
static bool widen(compiler* c, model_list list, int n) {
  const size_t old = (size_t)c->room[list], room = 2 * old + (size_t)n;

  for (int a = 0; a < NARRAY; ++a) {
    if (arrays[a].list != list) continue;
    const size_t item = arrays[a].item;
    char* p = realloc(get(c, a), room * item);
    if (p == NULL) return false;
    memset(p + old * item, 0, (room - old) * item);
    set(c, a, p);
  }
  c->room[list] = (int)room;
  return true;
}

int apl_compile_next(compiler* c, model_list list, int n) {
  int* count = count_of(c, list);
  const int at = *count;

  APL_ASSERT(n >= 0 && at <= c->room[list]);
  if (n > c->room[list] - at && !widen(c, list, n)) {
    c->out_of_memory = true;
    APL_ASSERT(n <= c->room[list]);
    return 0;
  }
  *count += n;
  return at;
}

bool apl_lists_open(compiler* c, int most) {
  for (int list = 0; list < NLIST; ++list) {
    if (!widen(c, (model_list)list, most)) return false;
  }
  return true;
}

bool apl_lists_keep(compiler* c) {
  for (int a = 0; a < NARRAY; ++a) {
    const size_t n = (size_t)*count_of(c, arrays[a].list), item = arrays[a].item;
    void* kept = apl_pool_take(&c->m->pool, (n + 1) * item);
    if (kept == NULL) return false;
    memcpy(kept, get(c, a), n * item);
    memcpy((char*)c->m + arrays[a].theirs, &kept, sizeof kept);
  }
  return true;
}

void apl_lists_close(compiler* c) {
  for (int a = 0; a < NARRAY; ++a)
    free(get(c, a));
}
