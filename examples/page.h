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

/* What the papers have and this engine does not have yet; ends with NULL. */
extern const char* const still_to_come[];

/* Pages beside this one: replays DIR/NAME.html and papers DIR/paper-NAME.html; lists end with NULL.
 */
enum { PAGE_MOST_LINKS = 40 };
typedef struct page_links {
  const char* replay[PAGE_MOST_LINKS + 1];
  const char* paper[PAGE_MOST_LINKS + 1];
} page_links;

/* Write DIR/index.html: first under another name, renamed at the end. The folder is made when it is
   missing. False on failure, with a sentence in text. */
bool page_write(const char* dir, const demo* demos, int n, const page_links* links, char* text,
                size_t size);
