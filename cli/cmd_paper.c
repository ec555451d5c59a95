/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_paper.c: `appell paper`: reproduced papers, published numbers beside ours. */
#include "cli/paper_page.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

enum { PAPER_JSON, PAPER_HTML };

static const cli_option options[] = {
    [PAPER_JSON] = {"--json", NULL, NULL, "print JSON"},
    [PAPER_HTML] = {"--html", NULL, "FILE.html", "write a page with the table and figures"},
    {NULL, NULL, NULL, NULL},
};

static int print_list(void) {
  for (int i = 0; apl_paper_word(i) != NULL; ++i)
    printf("%-12s %s\n", apl_paper_word(i), apl_paper_title(i));
  return CLI_OK;
}

static void print_table(const apl_paper* paper) {
  const apl_paper_group* group = NULL;

  for (int i = 0; i < apl_paper_nrow(paper); ++i) {
    const apl_paper_row* row = apl_paper_row_at(paper, i);
    char published[40], ours[40];

    if (row->group != group) {
      group = row->group;
      printf("%s%s\n%s\n\n  %-66s %12s %12s %-4s %s\n", i == 0 ? "" : "\n", group->title,
             group->about, "", "published", "ours", "unit", "verdict");
    }
    paper_number(row->published, published, sizeof published);
    paper_number(row->ours, ours, sizeof ours);
    printf("  %-66s %12s %12s %-4s %s\n", row->quantity, published, ours,
           row->unit[0] == '1' ? "" : row->unit, apl_finding_word(row->verdict));
    if (row->note[0] != '\0') printf("      %s\n", row->note);
  }
}

/* null where there is no number */
static json_t* number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static bool print_json(const apl_paper* paper) {
  json_t* rows = json_array();

  for (int i = 0; i < apl_paper_nrow(paper); ++i) {
    const apl_paper_row* row = apl_paper_row_at(paper, i);
    json_array_append_new(rows, json_pack("{s:s, s:o, s:o, s:s, s:s, s:s}", "quantity",
                                          row->quantity, "published", number(row->published),
                                          "ours", number(row->ours), "unit", row->unit, "verdict",
                                          apl_finding_word(row->verdict), "note", row->note));
  }
  json_t* all = json_pack("{s:s, s:o}", "paper", apl_paper_name(paper), "rows", rows);
  char* text = all == NULL ? NULL : json_dumps(all, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
  if (text != NULL) puts(text);
  if (text == NULL) fprintf(stderr, "appell: out of memory for the rows\n");
  free(text);
  json_decref(all);
  return text != NULL;
}

static int run(const cli_args* args) {
  const char* page = args->value[PAPER_HTML];
  const bool json = args->value[PAPER_JSON] != NULL;
  apl_error err = {0};
  apl_paper* paper;

  if (args->nfile == 0) {
    return json || page != NULL ? cli_misuse("paper", "which paper?") : print_list();
  }
  if (apl_paper_new(args->file[0], &paper, &err) != APL_OK) return cli_complain(&err);

  bool ok = page == NULL || paper_page_write(paper, page);
  if (json) {
    ok = print_json(paper) && ok;
  } else if (page == NULL) {
    print_table(paper);
  }
  apl_paper_free(paper);
  return ok ? CLI_OK : CLI_FAILED;
}

const cli_command cli_paper = {
    .name = "paper",
    .line = "Reproduce a published paper: its numbers beside ours",
    .files = "[NAME]",
    .min = 0,
    .max = 1,
    .option = options,
    .run = run,
    .notes = "Without a name it lists the papers. Every call computes all numbers of ours afresh, "
             "from\nthe models models/paper-*.yaml, which are compiled in. Verdicts:\n"
             "  reproduced       the paper's number or claim holds\n"
             "  not reproduced   it does not\n"
             "  not published    the paper is silent, or its words are lost\n"
             "Computing times are of this machine and say nothing about others.\n",
};
