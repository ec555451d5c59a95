/* SPDX-License-Identifier: Apache-2.0 */
/* Results: what is written comes back, same calls give the same bytes, and everything that can go
   wrong with a file ends in a sentence. */
#define _XOPEN_SOURCE 700
#include "near.h"
#include "sample.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/appell-record-XXXXXX";
static char name_buffer[4][200];
static int name_turn;

/* A path in the folder of this test; four of them live at a time. */
static const char* in(const char* name) {
  char* path = name_buffer[name_turn++ % 4];

  snprintf(path, sizeof name_buffer[0], "%s/%s", folder, name);
  return path;
}

static int make_folder(void** state) {
  (void)state;
  return mkdtemp(folder) == NULL;
}

static int remove_folder(void** state) {
  char command[100];

  (void)state;
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

static long size_of(const char* path) {
  struct stat info;

  return stat(path, &info) == 0 ? (long)info.st_size : -1;
}

static unsigned char* bytes_of(const char* path, long* n) {
  *n = size_of(path);
  CHECK_TRUE(*n >= 0, "%s is missing", path);
  unsigned char* data = malloc((size_t)*n + 1);
  FILE* f = fopen(path, "rb");
  CHECK_TRUE(f != NULL && data != NULL && fread(data, 1, (size_t)*n, f) == (size_t)*n,
             "%s cannot be read", path);
  fclose(f);
  return data;
}

static void check_same_bytes(const char* a, const char* b) {
  long na;
  long nb;
  unsigned char* x = bytes_of(a, &na);
  unsigned char* y = bytes_of(b, &nb);

  CHECK_TRUE(na == nb, "%s has %ld bytes, %s has %ld", a, na, b, nb);
  for (long k = 0; k < na; k++)
    CHECK_TRUE(x[k] == y[k], "%s and %s differ at byte %ld", a, b, k);
  free(x);
  free(y);
}

static void put_bytes(const char* path, const unsigned char* data, long n) {
  FILE* f = fopen(path, "wb");

  CHECK_TRUE(f != NULL && fwrite(data, 1, (size_t)n, f) == (size_t)n && fclose(f) == 0,
             "%s cannot be written", path);
}

static void write_sample(const char* path, const sample_plan* plan) {
  const apl_record_head head = sample_head();
  apl_record* rec;

  CHECK_OK(apl_record_open(path, &head, &rec, NULL));
  CHECK_OK(sample_fill(rec, plan, 0, plan->rows, NULL));
  CHECK_OK(sample_close(rec, NULL));
}

/* ------------------------------------------------------------------------------- contents --- */

static void test_comes_back(void** state) {
  const sample_plan plan = {2500, 100, 300, 70};
  apl_result* res;
  apl_error err;
  (void)state;

  write_sample(in("a.h5"), &plan);
  CHECK_OK(apl_result_open(in("a.h5"), &res, &err));
  assert_int_equal(apl_result_rows(res), 2500);
  assert_int_equal(apl_result_events(res), 35);
  assert_null(sample_check(res, &plan));
  assert_int_equal(apl_result_checkpoint(res)->rows, 2400);
  assert_string_equal(apl_result_text(res, APL_RESULT_NAME), "double pendulum");
  assert_string_equal(apl_result_text(res, APL_RESULT_STATUS), "finished");
  assert_string_equal(apl_result_text(res, APL_RESULT_MODEL), "appell: 1\nname: double pendulum\n");
  assert_string_equal(apl_result_text(res, APL_RESULT_PICTURES), "{\"ports\": []}");
  assert_int_equal(apl_result_summaries(res), 2);
  assert_string_equal(apl_result_summary(res, 0)->key, "energy.error");
  assert_string_equal(apl_result_summary(res, 0)->text, "relative");
  CHECK_NEAR(apl_result_summary(res, 1)->value, 4321.0, 0.0);

  /* channels and columns */
  assert_int_equal(apl_result_channels(res), SAMPLE_CHANNELS);
  assert_int_equal(apl_result_find(res, "arm.joint.rate"), 2);
  assert_int_equal(apl_result_find(res, "arm.joint.rat"), -1);
  assert_int_equal(apl_result_nearest(res, "forearm.joint.angel"), 3);
  assert_string_equal(apl_result_channel(res, 2)->unit, "rad/s");
  assert_string_equal(apl_result_channel(res, 3)->sentence,
                      "angle of the forearm, \xc3\xa4 as an umlaut");
  double* column = malloc(2500 * sizeof *column);
  CHECK_OK(apl_result_column(res, 2, column, &err));
  for (int i = 0; i < 2500; i++) {
    double row[SAMPLE_CHANNELS];
    sample_row(i, row);
    CHECK_NEAR(column[i], row[2], 0.0);
  }
  assert_int_equal(apl_result_column(res, 4, column, &err), APL_ERR_ARGUMENT);
  assert_int_equal(apl_result_read(res, 2000, 501, column, &err), APL_ERR_ARGUMENT);
  free(column);
  apl_result_free(res);
}

/* Nothing but a head: empty texts, no rows, no checkpoint. */
static void test_empty(void** state) {
  const apl_channel channel = {"time", NULL, NULL};
  const apl_record_head head = {.channel = &channel, .nchannel = 1};
  apl_record* rec;
  apl_result* res;
  apl_error err;
  (void)state;

  CHECK_OK(apl_record_open(in("empty.h5"), &head, &rec, &err));
  assert_int_equal(apl_record_checkpoint(rec, 0.0, NULL, NULL, &err), APL_ERR_ARGUMENT);
  CHECK_OK(apl_record_close(rec, "stopped", NULL, 0, &err));
  CHECK_OK(apl_result_open(in("empty.h5"), &res, &err));
  assert_int_equal(apl_result_rows(res), 0);
  assert_null(apl_result_checkpoint(res));
  assert_string_equal(apl_result_text(res, APL_RESULT_MODEL), "");
  assert_string_equal(apl_result_text(res, APL_RESULT_STATUS), "stopped");
  apl_result_free(res);
}

/* Long texts of events are cut between characters. */
static void test_long_words(void** state) {
  const apl_record_head head = sample_head();
  apl_record* rec;
  apl_result* res;
  char text[400] = "";
  (void)state;

  for (int k = 0; k < 190; k++)
    strcat(text, "\xc3\xa4");
  CHECK_OK(apl_record_open(in("long.h5"), &head, &rec, NULL));
  CHECK_OK(apl_record_event(rec, 0.5, "n", text, 1.0, NULL));
  CHECK_OK(apl_record_close(rec, text, NULL, 0, NULL));
  CHECK_OK(apl_result_open(in("long.h5"), &res, NULL));
  const char* got = apl_result_event(res, 0)->text;
  const size_t n = strlen(got);
  assert_true(n < 256 && n > 250 && (n - 3) % 2 == 0);
  assert_string_equal(got + n - 3, "...");
  assert_string_equal(apl_result_text(res, APL_RESULT_STATUS), got);
  apl_result_free(res);
}

/* ------------------------------------------------------------------------------- bytes ------ */

/* Flushes follow the clock in a real run: they must not show in the file. */
static void test_same_bytes(void** state) {
  static const int flush[] = {0, 1, 7, 511, 512, 513};
  (void)state;

  for (int k = 0; k < 6; k++) {
    const sample_plan plan = {3000, flush[k], 250, 13};
    near_context("flush every %d rows", flush[k]);
    write_sample(in("b.h5"), &plan);
    if (k == 0) {
      assert_int_equal(rename(in("b.h5"), in("first.h5")), 0);
    } else {
      check_same_bytes(in("first.h5"), in("b.h5"));
    }
  }
}

/* A run that was cut off at any row and resumed ends with the bytes of one that was not. */
static void test_resume_bytes(void** state) {
  const sample_plan plan = {2000, 50, 300, 13};
  const apl_record_head head = sample_head();
  (void)state;

  write_sample(in("whole.h5"), &plan);
  for (int cut = 301; cut < 2000; cut += 97) {
    apl_record* rec;
    apl_result* res;
    apl_error err;

    near_context("cut at row %d", cut);
    CHECK_OK(apl_record_open(in("cut.h5"), &head, &rec, &err));
    CHECK_OK(sample_fill(rec, &plan, 0, cut, &err));
    apl_record_abandon(rec);
    assert_true(size_of(in("cut.h5")) < 0);

    /* from the part itself, over the part */
    CHECK_OK(apl_result_open(in("cut.h5.part"), &res, &err));
    assert_string_equal(apl_result_text(res, APL_RESULT_STATUS), "running");
    const int from = apl_result_checkpoint(res)->rows;
    assert_int_equal(from, (cut - 1) / 300 * 300);
    CHECK_OK(apl_record_open(in("cut.h5"), &head, &rec, &err));
    CHECK_OK(apl_record_resume(rec, res, &err));
    apl_result_free(res);
    CHECK_OK(sample_fill(rec, &plan, from, 2000, &err));
    CHECK_OK(sample_close(rec, &err));
    check_same_bytes(in("whole.h5"), in("cut.h5"));
    unlink(in("cut.h5"));
  }
}

static void test_resume_refused(void** state) {
  const sample_plan plan = {50, 0, 0, 0};
  apl_record_head head = sample_head();
  apl_record* rec;
  apl_result* res;
  apl_error err;
  (void)state;

  write_sample(in("plain.h5"), &plan);
  CHECK_OK(apl_result_open(in("plain.h5"), &res, &err));
  CHECK_OK(apl_record_open(in("r.h5"), &head, &rec, &err));
  assert_int_equal(apl_record_resume(rec, res, &err), APL_ERR_ARGUMENT);
  assert_non_null(strstr(err.text, "no checkpoint"));
  apl_record_abandon(rec);
  apl_result_free(res);

  const sample_plan with = {50, 0, 20, 0};
  write_sample(in("with.h5"), &with);
  CHECK_OK(apl_result_open(in("with.h5"), &res, &err));
  head.nchannel--;
  CHECK_OK(apl_record_open(in("r.h5"), &head, &rec, &err));
  assert_int_equal(apl_record_resume(rec, res, &err), APL_ERR_ARGUMENT);
  assert_non_null(strstr(err.text, "does not have the channels"));
  apl_record_abandon(rec);
  head.nchannel++;
  head.nstate++;
  CHECK_OK(apl_record_open(in("r.h5"), &head, &rec, &err));
  assert_int_equal(apl_record_resume(rec, res, &err), APL_ERR_ARGUMENT);
  assert_non_null(strstr(err.text, "another model"));
  apl_record_abandon(rec);
  apl_result_free(res);
}

/* ------------------------------------------------------------------------------- refusals --- */

static void test_not_finite(void** state) {
  const apl_record_head head = sample_head();
  double row[SAMPLE_CHANNELS] = {0.0, NEAR_NAN, 0.0, 0.0};
  const double y[SAMPLE_STATE] = {0.0, NEAR_INFINITY, 0.0};
  const apl_summary bad = {"energy.error", NEAR_NAN, NULL};
  apl_record* rec;
  apl_result* res;
  apl_error err;
  (void)state;

  CHECK_OK(apl_record_open(in("nan.h5"), &head, &rec, &err));
  assert_int_equal(apl_record_row(rec, row, &err), APL_ERR_NOT_FINITE);
  assert_non_null(strstr(err.text, "arm.joint.angle"));
  assert_int_equal(apl_record_event(rec, 0.0, "e", NULL, NEAR_NAN, &err), APL_ERR_NOT_FINITE);
  assert_int_equal(apl_record_checkpoint(rec, 0.0, y, NULL, &err), APL_ERR_NOT_FINITE);

  /* the run says why it failed and keeps what was recorded before */
  row[1] = 1.0;
  CHECK_OK(apl_record_row(rec, row, &err));
  CHECK_OK(apl_record_close(rec, "failed: the state is not finite", NULL, 0, &err));
  CHECK_OK(apl_result_open(in("nan.h5"), &res, &err));
  assert_int_equal(apl_result_rows(res), 1);
  assert_string_equal(apl_result_text(res, APL_RESULT_STATUS), "failed: the state is not finite");
  apl_result_free(res);

  CHECK_OK(apl_record_open(in("nan2.h5"), &head, &rec, &err));
  assert_int_equal(apl_record_close(rec, "finished", &bad, 1, &err), APL_ERR_NOT_FINITE);
  assert_true(size_of(in("nan2.h5")) < 0);
}

static void check_refused(const char* path, const apl_record_head* head, apl_status status,
                          const char* word) {
  apl_record* rec;
  apl_error err;

  near_context("%s", word);
  assert_int_equal(apl_record_open(path, head, &rec, &err), status);
  assert_null(rec);
  CHECK_TRUE(strstr(err.text, word) != NULL, "'%s' does not say '%s'", err.text, word);
}

static void test_refused(void** state) {
  const apl_channel twice[2] = {{"a.b", "", ""}, {"a.b", "", ""}};
  const apl_channel comma = {"a,b", "", ""};
  const apl_record_array bad = {"y", 3, NULL};
  apl_record_head head = sample_head();
  (void)state;

  check_refused("/nowhere/at/all.h5", &head, APL_ERR_IO, "No such file");
  check_refused(folder, &head, APL_ERR_IO, "directory");
  check_refused("/dev/null", &head, APL_ERR_IO, "not an ordinary file");
  check_refused("/proc/appell.h5", &head, APL_ERR_IO, "cannot be written");
  check_refused("", &head, APL_ERR_ARGUMENT, "empty");
  head.extra = &bad;
  head.nextra = 1;
  check_refused(in("x.h5"), &head, APL_ERR_ARGUMENT, "'y'");
  head = sample_head();
  head.channel = twice;
  head.nchannel = 2;
  check_refused(in("x.h5"), &head, APL_ERR_ARGUMENT, "two channels");
  head.channel = &comma;
  head.nchannel = 1;
  check_refused(in("x.h5"), &head, APL_ERR_ARGUMENT, "'a,b'");
  head.nchannel = 0;
  check_refused(in("x.h5"), &head, APL_ERR_ARGUMENT, "channels");
  assert_true(size_of(in("x.h5.part")) < 0);
}

/* An older result stays until the new one has ended in order; a link stays a link. */
static void test_replaced_at_the_end(void** state) {
  const sample_plan plan = {10, 0, 0, 0};
  const apl_record_head head = sample_head();
  apl_record* rec;
  apl_result* res;
  struct stat info;
  (void)state;

  put_bytes(in("old.h5"), (const unsigned char*)"old", 3);
  assert_int_equal(symlink("old.h5", in("link.h5")), 0);
  CHECK_OK(apl_record_open(in("link.h5"), &head, &rec, NULL));
  CHECK_OK(sample_fill(rec, &plan, 0, 10, NULL));
  CHECK_OK(apl_record_flush(rec, NULL));
  assert_int_equal(size_of(in("old.h5")), 3);

  /* a run in progress can be read */
  CHECK_OK(apl_result_open(in("old.h5.part"), &res, NULL));
  assert_int_equal(apl_result_rows(res), 10);
  apl_result_free(res);
  CHECK_OK(sample_close(rec, NULL));
  assert_true(lstat(in("link.h5"), &info) == 0 && S_ISLNK(info.st_mode));
  CHECK_OK(apl_result_open(in("link.h5"), &res, NULL));
  apl_result_free(res);
  assert_true(size_of(in("old.h5.part")) < 0);
}

/* A second run on the same output is refused while the first one lives. */
static void test_two_writers(void** state) {
  const apl_record_head head = sample_head();
  apl_record* rec;
  (void)state;

  CHECK_OK(apl_record_open(in("busy.h5"), &head, &rec, NULL));
  const pid_t child = fork();
  if (child == 0) {
    apl_record* second;
    apl_error err;
    const apl_status st = apl_record_open(in("busy.h5"), &head, &second, &err);
    _exit(st == APL_ERR_IO && strstr(err.text, "another run") != NULL ? 0 : 1);
  }
  int status;
  waitpid(child, &status, 0);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK_OK(sample_close(rec, NULL));
}

/* A disk that fills up, by a limit on the size of files: a sentence, the old result untouched, and
   what was recorded so far still readable unless not even the head fitted. */
static void test_disk_full(void** state) {
  const sample_plan plan = {4000, 64, 300, 9};
  const apl_record_head head = sample_head();
  int readable = 0;
  int refused = 0;
  (void)state;

  write_sample(in("full.h5"), &plan);
  const long whole = size_of(in("full.h5"));
  put_bytes(in("full.h5"), (const unsigned char*)"old", 3);
  for (long limit = 0; limit < whole; limit += limit < 12000 ? 397 : 9973) {
    near_context("limit %ld bytes of %ld", limit, whole);
    unlink(in("full.h5.part"));
    const pid_t child = fork();
    if (child == 0) {
      const struct rlimit most = {(rlim_t)limit, (rlim_t)limit};
      apl_record* rec;
      apl_error err = {APL_OK, 0, 0, ""};
      signal(SIGXFSZ, SIG_IGN);
      setrlimit(RLIMIT_FSIZE, &most);
      apl_status st = apl_record_open(in("full.h5"), &head, &rec, &err);
      if (st == APL_OK) {
        sample_fill(rec, &plan, 0, plan.rows, &err);
        st = sample_close(rec, &err);
      }
      /* exit, not _exit: HDF5 must be able to end in order too */
      exit(st == APL_ERR_IO && strstr(err.text, "File too large") != NULL ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    CHECK_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the writer ended with %d", status);
    assert_int_equal(size_of(in("full.h5")), 3);
    if (size_of(in("full.h5.part")) < 0) {
      refused++;
      continue;
    }
    apl_result* res;
    CHECK_OK(apl_result_open(in("full.h5.part"), &res, NULL));
    const char* wrong = sample_check(res, &plan);
    CHECK_TRUE(wrong == NULL, "%s", wrong);
    readable++;
    apl_result_free(res);
  }
  assert_true(readable > 10 && refused > 3);
}

/* ------------------------------------------------------------------------------- bad files -- */

static void check_unreadable(const char* path, const char* word) {
  apl_result* res;
  apl_error err;

  assert_int_not_equal(apl_result_open(path, &res, &err), APL_OK);
  assert_null(res);
  CHECK_TRUE(strstr(err.text, word) != NULL, "'%s' does not say '%s'", err.text, word);
}

static void test_foreign(void** state) {
  (void)state;
  check_unreadable(in("missing.h5"), "No such file");
  check_unreadable(folder, "not an ordinary file");
  put_bytes(in("zero.h5"), (const unsigned char*)"", 0);
  check_unreadable(in("zero.h5"), "not an HDF5 file");
  put_bytes(in("text.h5"), (const unsigned char*)"name: pendulum\n", 15);
  check_unreadable(in("text.h5"), "not an HDF5 file");
}

/* Cut at any length: one sentence, never a crash. */
static void test_cut_short(void** state) {
  const sample_plan plan = {200, 0, 50, 7};
  long n;
  (void)state;

  write_sample(in("t.h5"), &plan);
  unsigned char* data = bytes_of(in("t.h5"), &n);
  for (long cut = 0; cut < n; cut += cut < 600 ? 1 : 251) {
    near_context("cut at %ld of %ld", cut, n);
    put_bytes(in("cut.h5"), data, cut);
    check_unreadable(in("cut.h5"), cut < 8 ? "not an HDF5 file" : "is cut short");
  }
  free(data);
}

/* Zeroed stretches, as a broken disk leaves them: a sentence or other numbers, never a crash. In a
   process of its own, since HDF5 loses memory over damaged files. */
static void read_with_holes(const sample_plan* plan) {
  long n;
  unsigned char* data = bytes_of(in("t.h5"), &n);
  unsigned char* copy = malloc((size_t)n);

  for (long at = 0; at + 64 <= n; at += 64) {
    apl_result* res;
    memcpy(copy, data, (size_t)n);
    memset(copy + at, 0, 64);
    put_bytes(in("hole.h5"), copy, n);
    if (apl_result_open(in("hole.h5"), &res, NULL) == APL_OK) {
      (void)sample_check(res, plan);
      apl_result_free(res);
    }
  }
  _exit(0);
}

static void test_holes(void** state) {
  const sample_plan plan = {200, 0, 50, 7};
  int status;
  (void)state;

  write_sample(in("t.h5"), &plan);
  const pid_t child = fork();
  if (child == 0) read_with_holes(&plan);
  waitpid(child, &status, 0);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_comes_back),          cmocka_unit_test(test_empty),
      cmocka_unit_test(test_long_words),          cmocka_unit_test(test_same_bytes),
      cmocka_unit_test(test_resume_bytes),        cmocka_unit_test(test_resume_refused),
      cmocka_unit_test(test_not_finite),          cmocka_unit_test(test_refused),
      cmocka_unit_test(test_replaced_at_the_end), cmocka_unit_test(test_two_writers),
      cmocka_unit_test(test_disk_full),           cmocka_unit_test(test_foreign),
      cmocka_unit_test(test_cut_short),           cmocka_unit_test(test_holes),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
