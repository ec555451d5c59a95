/* SPDX-License-Identifier: Apache-2.0 */
/* paper_page.c: a summary of the paper, then every group with its figures and numbers. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/paper_page.h"

#include "cli/chart.h"
#include "cli/html.h"

#include <math.h>
#include <stdlib.h>

/* longer tables are folded */
enum { LONG = 14 };

void paper_number(double value, char* text, size_t size) {
  const double a = fabs(value);

  text[0] = '\0';
  if (!isfinite(value)) return;
  /* round-off instead of zero reads badly with seven digits */
  snprintf(text, size, a > 0.0 && a < 1e-9 ? "%.1e" : a < 1e-3 && a > 0.0 ? "%.4g" : "%.7g", value);
}

static void put_number(FILE* out, double value) {
  char text[40];

  paper_number(value, text, sizeof text);
  fprintf(out, "<td>%s</td>", text);
}

static void put_words(FILE* out, const char* class, const char* text) {
  fprintf(out, "<td class=\"%s\">", class);
  html_text(out, text);
  fputs("</td>", out);
}

/* A claim that does not hold is a finding, not a failure of either side. */
static void put_row(FILE* out, const apl_paper_row* row) {
  static const char* const badge[] = {"yes", "finding", "silent"};
  static const char* const word[] = {"reproduced", "does not hold", "not published"};

  fputs("<tr>", out);
  put_words(out, "words", row->quantity);
  put_number(out, row->published);
  put_number(out, row->ours);
  put_words(out, "words unit", row->unit[0] == '1' ? "" : row->unit);
  fprintf(out, "<td class=\"verdict\"><span class=\"badge %s\">%s</span></td>", badge[row->verdict],
          word[row->verdict]);
  put_words(out, "words note", row->note);
  fputs("</tr>\n", out);
}

typedef bool (*row_filter)(const apl_paper_row* row);

static bool is_claim(const apl_paper_row* row) {
  return row->verdict != APL_NOT_PUBLISHED;
}

static bool is_silent(const apl_paper_row* row) {
  return row->verdict == APL_NOT_PUBLISHED;
}

static bool is_refuted(const apl_paper_row* row) {
  return row->verdict == APL_NOT_REPRODUCED;
}

static bool is_any(const apl_paper_row* row) {
  return row != NULL;
}

static int count_rows(const apl_paper* paper, int first, int end, row_filter wanted) {
  int n = 0;

  for (int i = first; i < end; ++i)
    n += wanted(apl_paper_row_at(paper, i));
  return n;
}

static void put_rows(FILE* out, const apl_paper* paper, int first, int end, row_filter wanted) {
  if (count_rows(paper, first, end, wanted) == 0) return;
  fputs("<table class=\"findings\">\n<tr><th>quantity</th><th>published</th><th>ours</th>"
        "<th class=\"words\">unit</th><th class=\"words\">verdict</th>"
        "<th class=\"words\">note</th></tr>\n",
        out);
  for (int i = first; i < end; ++i) {
    if (wanted(apl_paper_row_at(paper, i))) put_row(out, apl_paper_row_at(paper, i));
  }
  fputs("</table>\n", out);
}

/* The row behind the group that begins with row `first`. */
static int group_end(const apl_paper* paper, int first) {
  int end = first;

  while (end < apl_paper_nrow(paper) &&
         apl_paper_row_at(paper, end)->group == apl_paper_row_at(paper, first)->group)
    ++end;
  return end;
}

/* One line per group, then what does not hold. */
static void put_summary(FILE* out, const apl_paper* paper) {
  const int n = apl_paper_nrow(paper);

  fputs("<section class=\"card\">\n<h2>In short</h2>\n<p>Numbers under &ldquo;ours&rdquo; were "
        "computed when this page was written. A finding is a published number or claim that does "
        "not hold; its note says why. Not published: the paper says nothing about it, or what it "
        "said is lost.</p>\n<table>\n<tr><th></th><th>reproduced</th><th>findings</th>"
        "<th>not published</th></tr>\n",
        out);
  for (int i = 0; i < n; i = group_end(paper, i)) {
    const int end = group_end(paper, i), claims = count_rows(paper, i, end, is_claim);
    const int refuted = count_rows(paper, i, end, is_refuted);
    fprintf(out, "<tr><td><a href=\"#row%d\">", i);
    html_text(out, apl_paper_row_at(paper, i)->group->title);
    fprintf(out, "</a></td><td>%d</td><td>%d</td><td>%d</td></tr>\n", claims - refuted, refuted,
            end - i - claims);
  }
  fputs("</table>\n", out);
  if (count_rows(paper, 0, n, is_refuted) > 0)
    fputs("<h3>Findings: published claims that do not hold</h3>\n", out);
  put_rows(out, paper, 0, n, is_refuted);
  fputs("</section>\n", out);
}

/* ------------------------------------------------------------------------------- figures ---- */

static void put_figure(FILE* out, const apl_figure* f) {
  chart c = chart_new(f->log_x, f->log_y);
  const char* name[CHART_COLOURS];
  chart_style style[CHART_COLOURS];
  const int n = f->ncurve < CHART_COLOURS ? f->ncurve : CHART_COLOURS;

  for (int k = 0; k < n; ++k) {
    const apl_curve* curve = &f->curve[k];
    name[k] = curve->name;
    style[k] = (chart_style){k, curve->points, curve->dashed};
    for (int i = 0; i < curve->n; ++i)
      chart_include(&c, curve->x[i], curve->y[i]);
  }
  chart_widen(&c, 0.03, 0.05);
  chart_room(&c, name, n);
  if (f->equal) chart_equalise(&c);

  fputs("<figure>\n", out);
  chart_open(out, f->title);
  chart_axes(out, &c, f->right, f->up);
  for (int k = 0; k < n; ++k)
    chart_curve(out, &c, style[k], f->curve[k].x, f->curve[k].y, f->curve[k].n);
  chart_legend(out, name, style, n);
  chart_close(out);
  fputs("<figcaption>", out);
  html_text(out, f->title);
  fputs("</figcaption>\n</figure>\n", out);
}

static void put_figures(FILE* out, const apl_paper* paper, const apl_paper_group* group) {
  bool any = false;

  for (int i = 0; i < apl_paper_nfigure(paper); ++i) {
    const apl_figure* f = apl_paper_figure_at(paper, i);
    if (f->group != group) continue;
    if (!any) fputs("<div class=\"figures\">\n", out);
    put_figure(out, f);
    any = true;
  }
  if (any) fputs("</div>\n", out);
}

/* -------------------------------------------------------------------------------- groups ---- */

static void put_badge(FILE* out, int n, const char* style, const char* word) {
  if (n > 0) fprintf(out, "<span class=\"badge %s\">%d %s</span>", style, n, word);
}

/* Folded, with its verdicts in the header; a link to the row opens it. The paper's own rows are
   always shown inside; the others are folded again if there are many. */
static void put_group(FILE* out, const apl_paper* paper, int first, int end) {
  const apl_paper_group* group = apl_paper_row_at(paper, first)->group;
  const int claims = count_rows(paper, first, end, is_claim);
  const int refuted = count_rows(paper, first, end, is_refuted);

  fprintf(out, "<details class=\"card\"%s>\n<summary><h2>", first == 0 ? " open" : "");
  html_text(out, group->title);
  fputs("</h2>", out);
  put_badge(out, claims - refuted, "yes", "reproduced");
  put_badge(out, refuted, "finding", refuted == 1 ? "finding" : "findings");
  put_badge(out, end - first - claims, "silent", "not published");
  fprintf(out, "</summary>\n<p id=\"row%d\">", first);
  html_text(out, group->about);
  fputs("</p>\n", out);
  put_figures(out, paper, group);
  if (end - first <= LONG) {
    put_rows(out, paper, first, end, is_any);
  } else {
    put_rows(out, paper, first, end, is_claim);
    fprintf(out, "<details>\n<summary>%d numbers that the paper does not have</summary>\n",
            count_rows(paper, first, end, is_silent));
    put_rows(out, paper, first, end, is_silent);
    fputs("</details>\n", out);
  }
  fputs("</details>\n", out);
}

static void put_page(FILE* out, const apl_paper* paper) {
  char title[120];

  snprintf(title, sizeof title, "The %s paper, done again with Appell %s", apl_paper_name(paper),
           apl_version());
  html_open(out, title);
  fputs("<h1>", out);
  html_text(out, title);
  fputs("</h1>\n<p class=\"lead\">", out);
  html_text(out, apl_paper_about(paper));
  fputs("</p>\n", out);
  put_summary(out, paper);
  for (int i = 0; i < apl_paper_nrow(paper); i = group_end(paper, i))
    put_group(out, paper, i, group_end(paper, i));
  fprintf(out,
          "<p class=\"foot\">Written by appell paper %s --html. Apart from the computing times, "
          "every run of one build writes the same page.</p>\n",
          apl_paper_name(paper));
  html_close(out);
}

bool paper_page_write(const apl_paper* paper, const char* path) {
  char* text = NULL;
  size_t size = 0;
  FILE* out = open_memstream(&text, &size);
  bool ok = out != NULL;

  if (ok) {
    put_page(out, paper);
    ok = ferror(out) == 0;
    ok = fclose(out) == 0 && ok;
  }
  if (!ok) fprintf(stderr, "appell: out of memory for the page\n");
  ok = ok && cli_write_file(path, text);
  free(text);
  return ok;
}
