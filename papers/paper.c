/* SPDX-License-Identifier: Apache-2.0 */
/* paper.c: the list of papers, and the results of reproducing one. */
#include "papers/paper.h"

#include "base/nearest.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const paper_kind* const papers[] = {&apl_paper_continuum, &apl_paper_flexible,
                                           &apl_paper_mobile, &apl_paper_parallel,
                                           &apl_paper_snake};
enum { NPAPER = sizeof papers / sizeof *papers, MOST_ROWS = 400, MOST_FIGURES = 60 };

struct apl_paper {
  const paper_kind* kind;
  apl_pool pool;
  bool failed; /* out of memory, or more rows than there is room for */
  const apl_paper_group* group;
  int nrow, nfigure;
  apl_paper_row row[MOST_ROWS];
  apl_figure figure[MOST_FIGURES];
  apl_curve curve[MOST_FIGURES][PAPER_MOST_CURVES];
};

const char* apl_paper_word(int i) {
  return i >= 0 && i < NPAPER ? papers[i]->word : NULL;
}

const char* apl_paper_title(int i) {
  return i >= 0 && i < NPAPER ? papers[i]->title : NULL;
}

const char* apl_finding_word(apl_finding finding) {
  static const char* const word[] = {
#define X(name, text) text,
      APL_FINDING_LIST(X)
#undef X
  };
  const int n = (int)(sizeof word / sizeof *word);

  return (int)finding >= 0 && (int)finding < n ? word[finding] : "unknown finding";
}

/* -------------------------------------------------------------------------------- writing ---- */

const char* apl_put_text(apl_paper* paper, const char* format, ...) {
  char text[600];
  va_list args;

  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const char* copy = apl_pool_text(&paper->pool, text);
  paper->failed |= copy == NULL;
  return copy == NULL ? "" : copy;
}

double* apl_put_numbers(apl_paper* paper, int n) {
  double* x = apl_pool_take(&paper->pool, sizeof *x * (size_t)n);

  paper->failed |= x == NULL;
  return x;
}

void apl_put_group(apl_paper* paper, const char* title, const char* about) {
  apl_paper_group* group = apl_pool_take(&paper->pool, sizeof *group);

  paper->failed |= group == NULL;
  if (group == NULL) return;
  *group = (apl_paper_group){title, about};
  paper->group = group;
}

void apl_put_row(apl_paper* paper, const char* quantity, double published, double ours,
                 const char* unit, apl_finding verdict, const char* note) {
  paper->failed |= paper->nrow == MOST_ROWS;
  if (paper->failed) return;
  paper->row[paper->nrow++] =
      (apl_paper_row){paper->group, quantity, published, ours, unit, verdict, note};
}

void apl_put_ours(apl_paper* paper, const char* quantity, double ours, const char* unit,
                  const char* note) {
  apl_put_row(paper, quantity, nan(""), ours, unit, APL_NOT_PUBLISHED, note);
}

void apl_put_figure(apl_paper* paper, paper_axes axes) {
  paper->failed |= paper->nfigure == MOST_FIGURES;
  if (paper->failed) return;
  paper->figure[paper->nfigure] = (apl_figure){.group = paper->group,
                                               .title = axes.title,
                                               .right = axes.right,
                                               .up = axes.up,
                                               .log_x = axes.log_x,
                                               .log_y = axes.log_y,
                                               .equal = axes.equal,
                                               .curve = paper->curve[paper->nfigure]};
  ++paper->nfigure;
}

void apl_put_curve(apl_paper* paper, const char* name, int n, const double* x, const double* y,
                   bool points, bool dashed) {
  double* copy = apl_put_numbers(paper, 2 * n);
  paper->failed |= paper->nfigure == 0;
  if (paper->failed) return;

  apl_figure* figure = &paper->figure[paper->nfigure - 1];
  paper->failed |= figure->ncurve == PAPER_MOST_CURVES;
  if (paper->failed) return;
  memcpy(copy, x, sizeof *x * (size_t)n);
  memcpy(copy + n, y, sizeof *y * (size_t)n);
  paper->curve[paper->nfigure - 1][figure->ncurve++] =
      (apl_curve){name, n, copy, copy + n, points, dashed};
}

/* -------------------------------------------------------------------------------- reading ---- */

static apl_status unknown(const char* word, apl_error* err) {
  apl_nearest near = {word, NULL, 0};
  char hint[96], list[120] = "";

  for (int i = 0; i < NPAPER; ++i) {
    const size_t used = strlen(list);
    apl_nearest_offer(&near, papers[i]->word);
    snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ", papers[i]->word);
  }
  return apl_fail(err, APL_ERR_ARGUMENT, "there is no paper '%.60s'%s%s", word,
                  near.best != NULL ? apl_nearest_text(&near, hint) : "; there is ",
                  near.best != NULL ? "" : list);
}

apl_status apl_paper_new(const char* word, apl_paper** out, apl_error* err) {
  const paper_kind* kind = NULL;

  *out = NULL;
  for (int i = 0; i < NPAPER; ++i) {
    if (strcmp(word, papers[i]->word) == 0) kind = papers[i];
  }
  if (kind == NULL) return unknown(word, err);

  apl_paper* paper = calloc(1, sizeof *paper);
  if (paper == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for the paper");
  paper->kind = kind;
  apl_status st = kind->work(paper, err);
  if (st == APL_OK && paper->failed) {
    st = apl_fail(err, APL_ERR_MEMORY, "out of memory for the rows of the paper");
  }
  if (st == APL_OK) {
    *out = paper;
  } else {
    apl_paper_free(paper);
  }
  return st;
}

void apl_paper_free(apl_paper* paper) {
  if (paper == NULL) return;
  apl_pool_free(&paper->pool);
  free(paper);
}

const char* apl_paper_name(const apl_paper* paper) {
  return paper->kind->word;
}

const char* apl_paper_about(const apl_paper* paper) {
  return paper->kind->about;
}

int apl_paper_nrow(const apl_paper* paper) {
  return paper->nrow;
}

const apl_paper_row* apl_paper_row_at(const apl_paper* paper, int i) {
  return &paper->row[i];
}

int apl_paper_nfigure(const apl_paper* paper) {
  return paper->nfigure;
}

const apl_figure* apl_paper_figure_at(const apl_paper* paper, int i) {
  return &paper->figure[i];
}
