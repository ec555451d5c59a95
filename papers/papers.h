/* SPDX-License-Identifier: Apache-2.0 */
/* papers.h: reproduced papers: published values beside what Appell computes. Values of "ours" are
   not stored: every call simulates the models (models/paper-*.yaml, compiled in).

     apl_paper* paper;
     if (apl_paper_new("continuum", &paper, &err) == APL_OK)
       for (int i = 0; i < apl_paper_nrow(paper); ++i)
         puts(apl_paper_row_at(paper, i)->quantity); */
#pragma once

#include "appell/base.h"

#include <stdbool.h>

typedef struct apl_paper apl_paper;

/* The papers, one line about each; NULL beyond the last. */
const char* apl_paper_word(int i);
const char* apl_paper_title(int i);

/* Verdict about a number or claim of the paper. */
#define APL_FINDING_LIST(X)                                                                        \
  X(APL_REPRODUCED, "reproduced")         /* the paper's number or claim holds */                  \
  X(APL_NOT_REPRODUCED, "not reproduced") /* it does not */                                        \
  X(APL_NOT_PUBLISHED, "not published")   /* the paper says nothing, or its words are lost */

typedef enum apl_finding {
#define X(name, text) name,
  APL_FINDING_LIST(X)
#undef X
} apl_finding;
const char* apl_finding_word(apl_finding finding);

/* Rows and figures are arranged in groups. */
typedef struct apl_paper_group {
  const char* title;
  const char* about;
} apl_paper_group;

typedef struct apl_paper_row {
  const apl_paper_group* group;
  const char* quantity;
  double published; /* NaN when the paper has no number                                         */
  double ours;      /* NaN when there is nothing to compute                                     */
  const char* unit; /* "1" without one                                                          */
  apl_finding verdict;
  const char* note; /* "" without one                                                           */
} apl_paper_row;

typedef struct apl_curve {
  const char* name;
  int n;
  const double *x, *y;
  bool points; /* marks at the points, beside the line                                          */
  bool dashed;
} apl_curve;

typedef struct apl_figure {
  const apl_paper_group* group;
  const char* title;
  const char *right, *up; /* what the axes show                                                 */
  bool log_x, log_y;
  bool equal; /* the same scale both ways                                                       */
  int ncurve;
  const apl_curve* curve;
} apl_figure;

/* Reproduce a paper; takes some seconds. */
apl_status apl_paper_new(const char* word, apl_paper** out, apl_error* err);
void apl_paper_free(apl_paper* paper); /* accepts NULL */

/* Owned by the paper, in the order in which they are to be shown. */
const char* apl_paper_name(const apl_paper* paper);  /* its word                         */
const char* apl_paper_about(const apl_paper* paper); /* authors, contents and what is lost */
int apl_paper_nrow(const apl_paper* paper);
const apl_paper_row* apl_paper_row_at(const apl_paper* paper, int i);
int apl_paper_nfigure(const apl_paper* paper);
const apl_figure* apl_paper_figure_at(const apl_paper* paper, int i);
