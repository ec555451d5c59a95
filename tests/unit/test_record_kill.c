/* SPDX-License-Identifier: Apache-2.0 */
/* kill -9 during a run, not at random but before every single write to the file: the part that is
   left opens and holds a prefix of what was recorded, with a whole checkpoint. The program replaces
   pwrite(), through which alone the record reaches its file. */
#define _GNU_SOURCE /* syscall */
#include "near.h"
#include "sample.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static long writes_left = -1; /* before the end; negative: for ever */
static long writes_done;

ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
  if (writes_left == 0) raise(SIGKILL);
  if (writes_left > 0) writes_left--;
  writes_done++;
  return syscall(SYS_pwrite64, fd, data, size, offset);
}

static const sample_plan plan = {260, 20, 45, 4};
static char path[100];
static char part[100];

/* The run of the test; returns the number of writes up to the end of apl_record_open(). */
static long run(void) {
  const apl_record_head head = sample_head();
  apl_record* rec;

  if (apl_record_open(path, &head, &rec, NULL) != APL_OK) _exit(3);
  const long opened = writes_done;
  if (sample_fill(rec, &plan, 0, plan.rows, NULL) != APL_OK) _exit(4);
  if (sample_close(rec, NULL) != APL_OK) _exit(5);
  return opened;
}

static void test_kill_at_every_write(void** state) {
  char folder[] = "/tmp/appell-kill-XXXXXX";
  (void)state;

  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/out.h5", folder);
  snprintf(part, sizeof part, "%s/out.h5.part", folder);
  const long opened = run();
  const long all = writes_done;
  assert_true(opened > 10 && all > opened + 100);
  unlink(path);

  int rows = 0;
  int checkpoints = 0;
  for (long kill_at = 0; kill_at < all; kill_at++) {
    near_context("killed before write %ld of %ld; %ld open the file", kill_at, all, opened);
    const pid_t child = fork();
    if (child == 0) {
      writes_left = kill_at;
      run();
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    CHECK_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "the run ended with %d", status);
    CHECK_TRUE(access(path, F_OK) != 0, "a killed run has renamed its part");

    apl_result* res;
    apl_error err = {APL_OK, 0, 0, ""};
    const apl_status st = apl_result_open(part, &res, &err);
    if (kill_at < opened) {
      /* nothing recorded yet: a sentence will do */
      CHECK_TRUE(st == APL_OK || err.text[0] != '\0', "no sentence");
    } else {
      CHECK_TRUE(st == APL_OK, "%s", err.text);
      const char* wrong = sample_check(res, &plan);
      CHECK_TRUE(wrong == NULL, "%s", wrong);

      /* never back: what was flushed earlier stays */
      const apl_checkpoint* cp = apl_result_checkpoint(res);
      CHECK_TRUE(apl_result_rows(res) >= rows, "%d rows after %d", apl_result_rows(res), rows);
      CHECK_TRUE((cp == NULL ? 0 : cp->rows) >= checkpoints, "an older checkpoint came back");
      rows = apl_result_rows(res);
      checkpoints = cp == NULL ? 0 : cp->rows;
    }
    apl_result_free(res);
    unlink(part);
  }
  assert_int_equal(rows, plan.rows);
  assert_int_equal(checkpoints, 225);
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kill_at_every_write)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
