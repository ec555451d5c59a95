/* SPDX-License-Identifier: Apache-2.0 */
/* test_store.c: numbers of a checkpoint: what is written is read, what no writer writes is refused
   by name and changes nothing; and a run refuses each kind of damage with a sentence. */
#include "near.h"

#include "base/store.h"
#include "run/parts.h"
#include "step/steppers.h"
#include "system/system.h"
#include "system/system_impl.h"

#include <appell/appell.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------ the store ---- */

typedef struct record {
  double x, list[2], whole;
  long count;
  int place;
  bool flag;
} record;

enum { NUMBERS = 8 };

static void store(record* r, apl_store* m) {
  apl_store_number(m, &r->x, "x");
  apl_store_numbers(m, r->list, 2, "list");
  apl_store_whole(m, &r->whole, 0.0, 3.0, "whole");
  apl_store_long(m, &r->count, 0.0, 9e15, "count");
  apl_store_int(m, &r->place, -1, 4, "place");
  apl_store_flag(m, &r->flag, "flag");
  apl_store_skip(m, 1);
}

static const record full = {
    .x = 0.5, .list = {1.0, -2.0}, .whole = 2.0, .count = 123456789012, .place = -1, .flag = true};

static void written_and_read(void** unused) {
  double number[NUMBERS];
  record r = full, back = {0};
  apl_store out = apl_store_writer(number, NUMBERS), in = apl_store_reader(number, NUMBERS);
  (void)unused;

  store(&r, &out);
  store(&back, &in);
  CHECK_OK(apl_store_status(&in));
  assert_int_equal(out.used, NUMBERS);
  assert_int_equal(in.used, NUMBERS);
  CHECK_NEAR(back.x, full.x, 0.0);
  CHECK_NEAR(back.list[1], full.list[1], 0.0);
  CHECK_NEAR(back.whole, full.whole, 0.0);
  assert_true(back.count == full.count);
  assert_int_equal(back.place, full.place);
  assert_true(back.flag);
  CHECK_NEAR(number[NUMBERS - 1], 0.0, 0.0);
}

/* One number at a time is replaced; its variable keeps what it had. */
static void damage_is_named(void** unused) {
  static const struct {
    int at;
    double x;
    const char* what;
  } damage[] = {{0, (double)NAN, "x"}, {2, (double)INFINITY, "list"},
                {3, 1.5, "whole"},     {3, 4.0, "whole"},
                {3, -1.0, "whole"},    {4, 1e300, "count"},
                {4, -1.0, "count"},    {4, (double)NAN, "count"},
                {5, 1e10, "place"},    {5, -2.0, "place"},
                {6, 0.5, "flag"},      {6, 2.0, "flag"}};
  (void)unused;

  for (size_t i = 0; i < sizeof damage / sizeof *damage; ++i) {
    double number[NUMBERS];
    record r = full, back = full;
    apl_store out = apl_store_writer(number, NUMBERS), in = apl_store_reader(number, NUMBERS);
    store(&r, &out);
    number[damage[i].at] = damage[i].x;
    store(&back, &in);
    assert_int_equal(apl_store_status(&in), APL_ERR_ARGUMENT);
    assert_string_equal(in.bad, damage[i].what);
    assert_true(back.count == full.count && back.place == full.place && back.flag == full.flag);
    assert_true(back.whole == full.whole && back.x == full.x && back.list[1] == full.list[1]);
  }
}

/* -------------------------------------------------------------------------------- a run ------ */

static const char ball[] = "appell: 1\n"
                           "name: ball\n"
                           "links:\n"
                           "  - name: b\n"
                           "    joint: {type: prismatic, axis: z}\n"
                           "    body: {mass: 1}\n"
                           "    ports: {p: {at: [0, 0, 0]}}\n"
                           "grounds: {floor: {law: {normal: restitution, restitution: 0.5}}}\n"
                           "contacts: [{on: b.p, with: floor}]\n"
                           "start: {b.joint.position: 0.01}\n"
                           "run: {to: 0.2, output-every: 0.01}\n";

typedef struct place {
  double t, *y, *memory;
  size_t n, nmemory;
} place;

static apl_status save(double t, const double* y, const double* beside, void* user) {
  place* p = user;

  p->t = t;
  memcpy(p->y, y, sizeof *y * p->n);
  memcpy(p->memory, beside, sizeof *beside * p->nmemory);
  return APL_OK;
}

/* Every number of a checkpoint is replaced by one that a damaged file may have. The run goes on or
   refuses with a sentence that has this number. Sanitizers see casts that are not checked: the
   number of changes of the method was one (found by fuzz_checkpoint). */
static void damage_all(const char* method, double step) {
  static const double wrong[] = {1e300, -1e300, 3e9, -7.0, 0.5};
  apl_file* file = NULL;
  apl_model* model = NULL;
  apl_system* system = NULL;
  int refused = 0;

  near_context("%s", method);
  CHECK_OK(apl_file_parse(ball, sizeof ball - 1, NULL, &file, NULL));
  CHECK_OK(apl_file_model(file, &model, NULL));
  CHECK_OK(apl_system_new(model, &system, NULL));
  apl_state* state = apl_system_state(system);
  CHECK_OK(apl_file_start(file, model, apl_q(state), apl_v(state), NULL));
  apl_run_options o = apl_run_options_default();
  o.method = method;
  o.step = step;
  place p = {.n = (size_t)apl_system_size(system),
             .nmemory = (size_t)apl_run_memory_size(system, &o)};
  p.y = calloc(p.n + 2 * p.nmemory, sizeof *p.y);
  assert_non_null(p.y);
  p.memory = p.y + p.n;
  double* copy = p.memory + p.nmemory;
  o.to = 0.1;
  o.checkpoint = save;
  o.checkpoint_every = 5;
  o.user = &p;
  CHECK_OK(apl_run(system, &o, NULL, NULL));
  for (size_t i = 0; i < p.nmemory; ++i) {
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
      memcpy(copy, p.memory, sizeof *copy * p.nmemory);
      copy[i] = wrong[k];
      const apl_resume at = {p.t, p.y, copy};
      apl_run_options again = o;
      apl_error err = {0};
      char is[32];
      again.checkpoint = NULL;
      again.to = p.t + 1e-3;
      again.resume = &at;
      const apl_status st = apl_run(system, &again, NULL, &err);
      (void)snprintf(is, sizeof is, " is %g", wrong[k]);
      if (st == APL_ERR_ARGUMENT)
        CHECK_TRUE(strstr(err.text, "checkpoint is damaged: ") != NULL &&
                       strstr(err.text, is) != NULL,
                   "number %d, %g: %s", (int)i, wrong[k], err.text);
      refused += st == APL_ERR_ARGUMENT;
    }
  }
  assert_true(refused > 50);

  /* undamaged it goes on */
  const apl_resume at = {p.t, p.y, p.memory};
  apl_run_options again = o;
  again.checkpoint = NULL;
  again.to = 0.12;
  again.resume = &at;
  CHECK_OK(apl_run(system, &again, NULL, NULL));
  free(p.y);
  apl_system_free(system);
  apl_model_free(model);
  apl_file_free(file);
}

static void damaged_numbers(void** unused) {
  (void)unused;
  damage_all("auto", 0.0);
  damage_all("stiff", 0.0);
  damage_all("moreau", 1e-3);
}

/* Checks of several numbers together name one of them, not the number that was read last: here two
   points are too few for order 3. Behind the count of steps the record is order, climb, wait, h,
   rate, inside, from, count. */
static void damaged_history(void** unused) {
  enum { ORDER = 1, INSIDE = 6, COUNT = 8 };
  apl_file* file = NULL;
  apl_model* model = NULL;
  apl_system* system = NULL;
  (void)unused;

  CHECK_OK(apl_file_parse(ball, sizeof ball - 1, NULL, &file, NULL));
  CHECK_OK(apl_file_model(file, &model, NULL));
  CHECK_OK(apl_system_new(model, &system, NULL));
  const int n = apl_system_size(system), room = apl_method_memory_size("stiff", n);
  const apl_stepper_options o = {.method = "stiff",
                                 .n = n,
                                 .n_error = apl_system_error_size(system),
                                 .tolerance = 1e-8,
                                 .implicit = &apl_system_implicit};
  double *memory = calloc((size_t)(room + n), sizeof *memory), *y = memory + room;
  apl_stepper* s = NULL;
  assert_non_null(memory);
  CHECK_OK(apl_stepper_new(&o, apl_system_rate, system, &s, NULL));
  apl_system_pack(system, y);
  CHECK_OK(apl_stepper_restart(s, 0.0, y));
  apl_store out = apl_store_writer(memory, room), in = apl_store_reader(memory, room);
  apl_stepper_remember(s, &out);
  memory[ORDER] = 3.0;
  memory[INSIDE] = 0.0;
  memory[COUNT] = 2.0;
  assert_int_equal(apl_stepper_recall(s, 0.0, y, &in), APL_ERR_ARGUMENT);
  assert_string_equal(in.bad, "the number of points");
  CHECK_NEAR(in.value, 2.0, 0.0);
  apl_stepper_free(s);
  free(memory);
  apl_system_free(system);
  apl_model_free(model);
  apl_file_free(file);
}

/* The count of changes of the method auto stands behind the count of steps and eleven numbers of
   the choice. */
static apl_status no_motion(double t, const double* y, double* out, void* context) {
  (void)t, (void)y, (void)context;
  out[0] = 0.0;
  return APL_OK;
}

static void damaged_choice(void** unused) {
  enum { ROOM = 400, CHANGES = 12 };
  double memory[ROOM] = {0}, y = 1.0, t = 0.0;
  const apl_stepper_options o = {.method = "auto", .n = 1, .n_error = 1, .tolerance = 1e-8};
  apl_stepper* s = NULL;
  (void)unused;

  CHECK_OK(apl_stepper_new(&o, no_motion, NULL, &s, NULL));
  CHECK_OK(apl_stepper_restart(s, t, &y));
  CHECK_OK(apl_stepper_step(s, 1.0, &t, &y));
  apl_store out = apl_store_writer(memory, ROOM), good = apl_store_reader(memory, ROOM);
  apl_store bad = good;
  apl_stepper_remember(s, &out);
  CHECK_OK(apl_stepper_recall(s, t, &y, &good));
  memory[CHANGES] = 1e300;
  assert_int_equal(apl_stepper_recall(s, t, &y, &bad), APL_ERR_ARGUMENT);
  assert_string_equal(bad.bad, "the number of changes of the method");
  apl_stepper_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(written_and_read), cmocka_unit_test(damage_is_named),
      cmocka_unit_test(damaged_numbers), cmocka_unit_test(damaged_history),
      cmocka_unit_test(damaged_choice)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
