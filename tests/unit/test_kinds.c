/* SPDX-License-Identifier: Apache-2.0 */
/* test_kinds.c: what drivers rely on in the tables of couplings and of methods, for the robots of
   the matrix: functions that belong together are there together, rows are as many as were counted,
   what is remembered comes back, and each integrator that a refusal offers does what was asked for.
 */
#include "near.h"

#include "kind/kinds.h"
#include "step/methods.h"
#include "system/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const files[] = {
    "hold-loop.yaml",   "stop.yaml",         "tendon-stop.yaml",
    "gear.yaml",        "ground-rigid.yaml", "ground-stick.yaml",
    "shape-rigid.yaml", "loop-ground.yaml",  "loop-beam-ground.yaml"};
enum { NFILE = sizeof files / sizeof *files };

typedef struct robot {
  apl_file* file;
  apl_model* model;
  apl_system* system;
} robot;

static robot open_robot(const char* name) {
  robot r = {0};
  apl_load_options load = apl_load_options_default();
  apl_report report = {0};
  char path[4096];

  snprintf(path, sizeof path, APPELL_TEST_DATA "/matrix/%s", name);
  if (apl_file_load(path, &load, &r.file, &report) != APL_OK ||
      apl_file_model(r.file, &r.model, &report) != APL_OK ||
      apl_file_system(r.file, r.model, APL_READY, &r.system, &report) != APL_OK)
    near_fail(__FILE__, __LINE__, "%s: %s", name, report.item[0].text);
  CHECK_OK(apl_system_loops(r.system, 0.0, NULL, NULL));
  return r;
}

static void close_robot(robot* r) {
  apl_system_free(r->system);
  apl_model_free(r->model);
  apl_file_free(r->file);
}

static void tables_are_complete(void** state) {
  (void)state;
  for (int i = 0; i < NKIND; ++i) {
    const coupling_kind* k = apl_kinds[i];
    near_context("%s", k->word);
    assert_true(k->has != NULL && k->most != NULL && k->count != NULL && k->list != NULL &&
                k->take != NULL);
    assert_true((k->memory_size == NULL) == (k->memory == NULL));
    assert_true((k->happens == NULL) == (k->side == NULL));
    assert_true((k->happens == NULL) == (k->decides == NULL));
    assert_true(k->happens == NULL || k->events != NULL);
    /* rows of a step without a block would break the position correction */
    assert_true(k->lift != NULL);
    for (int j = 0; j < i; ++j)
      assert_string_not_equal(k->word, apl_kinds[j]->word);
  }
}

/* The list has the table of each kind at the number of its name. */
static void list_has_the_tables(void** state) {
  (void)state;
#define SAME_TABLE(name)                                                                           \
  assert_ptr_equal(apl_kinds[KIND_##name], &apl_kind_##name);                                      \
  assert_string_equal(apl_kind_##name.word, #name);
  APL_KINDS(SAME_TABLE)
#undef SAME_TABLE
  /* rows that are equalities are eliminated at the end of the list (couple/rows.h) */
  assert_ptr_equal(apl_kinds[NKIND - 1], &apl_kind_loop);
  /* settings of the caller and memory of the kind are two different parts of a checkpoint */
  assert_true(apl_kind_hold.run->settings != NULL && apl_kind_hold.memory == NULL);
  assert_true(apl_kind_loop.run->project != NULL && apl_kind_loop.check != NULL);
}

/* Forward dynamics lists no more rows than were counted, each kind behind the one before. */
static void rows_are_counted(void** state) {
  (void)state;
  for (int f = 0; f < NFILE; ++f) {
    robot r = open_robot(files[f]);
    apl_system* s = r.system;
    coupling_pass p = {.level = LEVEL_ACCELERATION};
    int n = 0;

    near_context("%s", files[f]);
    CHECK_OK(apl_system_hold(s, 0, true, NULL));
    CHECK_OK(apl_system_forward(s));
    for (int i = 0; i < s->kinds.n; ++i) {
      const coupling_span* span = &s->kinds.span[s->kinds.list[i]];
      assert_int_equal(span->first, n);
      assert_true(span->n <= apl_kinds[s->kinds.list[i]]->count(s, &p));
      assert_true(span->n <= apl_kinds[s->kinds.list[i]]->most(s));
      n += span->n;
    }
    assert_true(n > 0);
    assert_int_equal(n, s->rows.n);
    /* the row has the velocity that its law demands */
    assert_true(apl_a(s->state)[0] == 0.0);
    close_robot(&r);
  }
}

static void memory_comes_back(void** state) {
  (void)state;
  for (int f = 0; f < NFILE; ++f) {
    robot r = open_robot(files[f]), other = open_robot(files[f]);
    apl_run_options o = apl_file_options(r.file);
    const int n = apl_system_memory_size(r.system);
    double* memory = calloc(2 * (size_t)n + 1, sizeof *memory);

    near_context("%s", files[f]);
    o.output_every = 0;
    CHECK_OK(apl_run(r.system, &o, NULL, NULL));
    apl_store out = apl_store_writer(memory, n), in = apl_store_reader(memory, n);
    apl_store again = apl_store_writer(memory + n, n);
    apl_system_memories(r.system, &out);
    apl_system_memories(other.system, &in);
    apl_system_memories(other.system, &again);
    CHECK_OK(apl_store_status(&in));
    assert_int_equal(out.used, n);
    assert_int_equal(in.used, n);
    assert_memory_equal(memory, memory + n, sizeof *memory * (size_t)n);
    free(memory);
    close_robot(&r);
    close_robot(&other);
  }
}

/* A method that is refused is not among those that are offered, and those offered are not refused
   for the same reason. */
static void offers_are_kept(void** state) {
  (void)state;
  int refusals = 0;

  for (int f = 0; f < NFILE; ++f) {
    robot r = open_robot(files[f]);
    apl_run_options o = apl_file_options(r.file);
    for (int i = 0; apl_method_word(i) != NULL; ++i) {
      const apl_method* m = apl_method_find(apl_method_word(i));
      apl_error err = {0}, again = {0};
      near_context("%s, %s", files[f], m->word);
      if (apl_method_refuse(m, r.system, &o, &err) == APL_OK) continue;
      refusals += 1;
      const char *use = strstr(err.text, ": use "),
                 *what = strstr(err.text, ", which the integrator ");
      assert_true(use != NULL && what != NULL);
      assert_non_null(strstr(what, m->word));
      for (int k = 0; apl_method_word(k) != NULL; ++k) {
        char word[40];
        snprintf(word, sizeof word, " %s", apl_method_word(k));
        if (strstr(use + 5, word) == NULL) continue;
        assert_int_not_equal(k, i);
        if (apl_method_refuse(apl_method_find(apl_method_word(k)), r.system, &o, &again) == APL_OK)
          continue;
        CHECK_TRUE(strncmp(err.text, again.text, (size_t)(what - err.text)) != 0, "%s is offered",
                   apl_method_word(k));
      }
    }
    close_robot(&r);
  }
  assert_true(refusals > 5);
}

/* Steps of a robot or of y' = f(t, y), one of both; a share of energy where there is no tolerance.
 */
static void methods_are_complete(void** state) {
  (void)state;
  assert_null(apl_method_find("rk5"));
  assert_null(apl_method_find(NULL));
  for (int i = 0; apl_method_word(i) != NULL; ++i) {
    const apl_method* m = apl_method_find(apl_method_word(i));
    near_context("%s", m->word);
    assert_true((m->ops == NULL) != (m->time == NULL));
    assert_true(((m->can & METHOD_ADAPTS) != 0) == (m->balance == 0.0));
    assert_int_equal(apl_method_adapts(m->word), (m->can & METHOD_ADAPTS) != 0);
    assert_int_equal(apl_method_steps_time(m->word), m->time != NULL);
    if (m->time == NULL) continue;
    assert_true(m->time->open != NULL && m->time->close != NULL && m->time->step != NULL);
    assert_true((m->time->memory_size == NULL) == (m->time->memory == NULL));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_are_complete), cmocka_unit_test(list_has_the_tables),
      cmocka_unit_test(rows_are_counted),    cmocka_unit_test(memory_comes_back),
      cmocka_unit_test(offers_are_kept),     cmocka_unit_test(methods_are_complete),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
