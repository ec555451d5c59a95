/* SPDX-License-Identifier: Apache-2.0 */
/* page.h: the page that the demonstration leaves behind. */
#pragma once

#include "robot.h"

/* One robot after its run. */
typedef struct demo {
  const robot* robot;
  apl_model* model;
  apl_state* state;
  record run;
  int free, prescribed; /* freedoms                                                       */
  char verdict[400];    /* empty when only the ledger is looked at                        */
} demo;

/* Write DIR/robots-in-c.html: first under another name, renamed at the end. The folder is made when
   it is missing. False on failure, with a sentence in text. */
bool page_write(const char* dir, const demo* demos, int n, char* text, size_t size);
