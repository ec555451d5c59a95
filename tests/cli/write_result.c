/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the sample result, for tests of commands and of foreign readers.

   usage: write_result FILE ROWS [slow]     slow: a flush after each row */
#define _XOPEN_SOURCE 700
#include "sample.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  const apl_record_head head = sample_head();
  const sample_plan plan = {argc > 2 ? atoi(argv[2]) : 0, argc > 3 ? 1 : 0, 90, 40};
  apl_record* rec;
  apl_error err = {APL_OK, 0, 0, ""};

  signal(SIGXFSZ, SIG_IGN);
  if (argc < 3) return 2;
  apl_status st = apl_record_open(argv[1], &head, &rec, &err);
  if (st == APL_OK) {
    st = sample_fill(rec, &plan, 0, plan.rows, &err);
    if (st == APL_OK) {
      st = sample_close(rec, &err);
    } else {
      apl_record_abandon(rec);
    }
  }
  if (st != APL_OK) fprintf(stderr, "%s\n", err.text);
  return st != APL_OK;
}
