/* SPDX-License-Identifier: Apache-2.0 */
/* paper.h: how a reproduced paper is written. Out of memory is remembered and reported at the end,
   so these calls need no checks. */
#pragma once

#include "base/error.h"
#include "base/pool.h"
#include "papers/papers.h"

enum { PAPER_MOST_CURVES = 8 };

/* One paper: its row in the list of papers.c. */
typedef struct paper_kind {
  const char* word;
  const char* title;
  const char* about;
  apl_status (*work)(apl_paper* paper, apl_error* err);
} paper_kind;

extern const paper_kind apl_paper_continuum, apl_paper_flexible, apl_paper_mobile,
    apl_paper_parallel, apl_paper_snake;

/* Rows and figures from here on belong to this group. */
void apl_put_group(apl_paper* paper, const char* title, const char* about);

/* Names of quantities and notes are formatted where they carry numbers; see apl_put_text(). */
void apl_put_row(apl_paper* paper, const char* quantity, double published, double ours,
                 const char* unit, apl_finding verdict, const char* note);

/* The same where the paper has no number and makes no claim. */
void apl_put_ours(apl_paper* paper, const char* quantity, double ours, const char* unit,
                  const char* note);

/* A text that lives as long as the paper; "" without memory. */
const char* apl_put_text(apl_paper* paper, const char* format, ...) APL_PRINTF(2, 3);

/* n zeros that live as long as the paper; NULL without memory. */
double* apl_put_numbers(apl_paper* paper, int n);

/* Add a figure, then its curves, which are copied. */
typedef struct paper_axes {
  const char *title, *right, *up;
  bool log_x, log_y, equal;
} paper_axes;
void apl_put_figure(apl_paper* paper, paper_axes axes);
void apl_put_curve(apl_paper* paper, const char* name, int n, const double* x, const double* y,
                   bool points, bool dashed);
