/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_linearize.c: `appell linearize`: a robot near one of its states as x' = A x + B u, y = C x +
   D u, with poles and zeros. */
#include "cli/rest.h"

#include "cli/table.h"
#include "file/asks.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LIN_AT,
  LIN_STABLE,
  LIN_FROM,
  LIN_TIME,
  LIN_OUTPUTS,
  LIN_INPUTS,
  LIN_JSON,
  LIN_RESULT,
  LIN_CSV,
  LIN_BASE,
  LIN_SET
};

static const cli_option options[] = {
    [LIN_AT] =
        {"--at", NULL, "start|equilibrium",
         "linearize at the start values of the model (default), or at the equilibrium near them"},
    [LIN_STABLE] = {"--stable", NULL, NULL, "with --at equilibrium: find a stable one"},
    [LIN_FROM] = {"--from", NULL, "RESULT.h5",
                  "linearize at the state of this result at --time (its end)"},
    [LIN_TIME] = CLI_TIME,
    [LIN_OUTPUTS] =
        {"--outputs", NULL, "NAMES",
         "comma-separated outputs: coordinates, velocities (NAME.rate), PORT.position.x, "
         "PORT.velocity.x (all coordinates)"},
    [LIN_INPUTS] =
        {"--inputs", NULL, "NAMES",
         "comma-separated inputs of the model, or efforts (NAME.effort) (all inputs, or all "
         "efforts if the model has no inputs)"},
    [LIN_JSON] = {"--json", NULL, NULL, "print JSON"},
    [LIN_RESULT] = {"--output", "-o", "FILE.h5",
                    "write the matrix [A B; C D]: one row per state and per output"},
    [LIN_CSV] = {"--csv", NULL, "FILE.csv", "write the same as CSV; - is the standard output"},
    [LIN_BASE] = {"--base", NULL, "fixed|floating",
                  "how the root link of a URDF is attached to the world (fixed)"},
    [LIN_SET] = CLI_SET,
    {NULL, NULL, NULL, NULL},
};

/* ------------------------------------------------------------------------- where it is taken ----
 */

/* The row of a result at a time. */
static apl_status find_row(apl_result* res, bool last, double time, int* row, double* at,
                           apl_error* err) {
  const int rows = apl_result_rows(res), column = apl_result_find(res, "time");
  double* t = calloc((size_t)rows + 1, sizeof *t);
  apl_status st = t == NULL ? APL_ERR_MEMORY : APL_OK;

  *row = rows - 1;
  if (st == APL_OK && (column < 0 || rows == 0)) {
    snprintf(err->text, sizeof err->text, "the result has no rows with a time");
    st = APL_ERR_ARGUMENT;
  }
  if (st == APL_OK) st = apl_result_column(res, column, t, err);
  if (st == APL_OK && !last && !(time >= t[0] && time <= t[rows - 1])) {
    snprintf(err->text, sizeof err->text, "the result covers %g to %g s and has no state at %g s",
             t[0], t[rows - 1], time);
    st = APL_ERR_ARGUMENT;
  }
  for (int i = 0; st == APL_OK && !last && i < rows; ++i) {
    if (fabs(t[i] - time) < fabs(t[*row] - time)) *row = i;
  }
  if (st == APL_OK) *at = t[*row];
  free(t);
  return st;
}

/* Coordinates and velocities of one row, by their names. */
static apl_status take_row(apl_result* res, int row, cli_rest* r, apl_error* err) {
  const apl_model* m = r->model;
  const int nq = apl_model_nq(m), nv = apl_model_nv(m);
  apl_state* s = apl_system_state(r->system);
  double* value = calloc((size_t)apl_result_channels(res) + 1, sizeof *value);
  apl_status st = value == NULL ? APL_ERR_MEMORY : apl_result_read(res, row, 1, value, err);

  for (int i = 0; i < nq + nv && st == APL_OK; ++i) {
    char name[200];
    snprintf(name, sizeof name, "%s%s",
             i < nq ? apl_model_name(m, APL_COORDINATES, i)
                    : apl_model_name(m, APL_VELOCITIES, i - nq),
             i < nq ? "" : ".rate");
    const int k = apl_result_find(res, name);
    if (k < 0) {
      snprintf(err->text, sizeof err->text,
               "the result has no channel '%.100s': was it computed with this model?", name);
      st = APL_ERR_ARGUMENT;
      break;
    }
    if (i < nq) {
      apl_q(s)[i] = value[k];
    } else {
      apl_v(s)[i - nq] = value[k];
    }
  }
  free(value);
  return st;
}

static int go_to_result(const cli_args* args, cli_rest* r) {
  const char* path = args->value[LIN_FROM];
  apl_result* res = NULL;
  apl_error err = {0};
  int row;

  if (apl_result_open(path, &res, &err) != APL_OK) return cli_complain(&err);
  apl_status st = find_row(res, args->value[LIN_TIME] == NULL, r->time, &row, &r->time, &err);
  if (st == APL_OK) st = take_row(res, row, r, &err);
  apl_result_free(res);
  if (st == APL_OK) return CLI_OK;
  fprintf(stderr, "appell: %s: %s\n", path, err.text);
  return CLI_FAILED;
}

static bool at_start(const cli_args* args) {
  const char* at = args->value[LIN_AT];
  return args->value[LIN_FROM] == NULL && (at == NULL || strcmp(at, "start") == 0);
}

static int go(const cli_args* args, cli_rest* r) {
  apl_equilibrium_options eq = apl_equilibrium_options_default();
  apl_error err = {0};
  bool stable;

  if (args->value[LIN_FROM] != NULL) return go_to_result(args, r);
  if (at_start(args) && !apl_file_wants_equilibrium(r->file, NULL)) return CLI_OK;
  apl_file_wants_equilibrium(r->file, &stable);
  eq.stable = stable || args->value[LIN_STABLE] != NULL;
  if (apl_equilibrium(r->model, apl_system_state(r->system), &eq, NULL, &err) == APL_OK)
    return CLI_OK;
  fprintf(stderr, "%s: %s\n", args->file[0], err.text);
  return CLI_FAILED;
}

/* --------------------------------------------------------------------------------- text ---- */

static void print_matrix(const char* title, const double* M, const char* const* row, int nrow,
                         const char* const* column, const char* const* unit, int ncolumn) {
  if (nrow == 0 || ncolumn == 0) return;
  printf("\n%s\n", title);
  for (int k = 0; k < ncolumn; ++k)
    printf("  column %d: %s [%s]\n", k + 1, column[k], unit[k]);
  for (int i = 0; i < nrow; ++i) {
    printf("  %-32s", row[i]);
    for (int k = 0; k < ncolumn; ++k)
      printf(" %12.6g", M[i * ncolumn + k]);
    printf("\n");
  }
}

static void print_roots(const char* title, const double* root, int n) {
  printf("\n%s [1/s]\n", title);
  for (int i = 0; i < n; ++i) {
    const double re = root[2 * i], im = root[2 * i + 1], size = hypot(re, im);
    if (im < 0.0) continue;
    if (im == 0.0) {
      printf("  %12.6g\n", re);
    } else {
      printf("  %12.6g +- %.6g i   damping %.4g, %.6g Hz\n", re, im, -re / size,
             size / 6.283185307179586);
    }
  }
  if (n == 0) printf("  none\n");
}

static void print_text(const apl_linear_system* l, double time) {
  double most = 0.0;

  for (int i = 0; i < l->n; ++i)
    most = fmax(most, fabs(l->rate[i]));
  printf("x' = x0' + A dx + B du, y = y0 + C dx + D du at %g s: %d states, %d inputs, %d outputs\n",
         time, l->n, l->m, l->p);
  printf(most < 1e-9 ? "at rest\n"
                     : "this state is not an equilibrium: the largest entry of x0' is %.6g\n",
         most);
  print_matrix("A", l->A, l->state, l->n, l->state, l->state_unit, l->n);
  print_matrix("B", l->B, l->state, l->n, l->input, l->input_unit, l->m);
  print_matrix("C", l->C, l->output, l->p, l->state, l->state_unit, l->n);
  print_matrix("D", l->D, l->output, l->p, l->input, l->input_unit, l->m);
  print_roots("poles", l->pole, l->n);
  if (l->nzero >= 0) print_roots("zeros", l->zero, l->nzero);
}

/* --------------------------------------------------------------------------------- json ---- */

static json_t* json_matrix(const double* M, int rows, int columns) {
  json_t* out = json_array();

  for (int i = 0; i < rows; ++i) {
    json_t* row = json_array();
    for (int k = 0; k < columns; ++k)
      json_array_append_new(row, json_real(M[i * columns + k]));
    json_array_append_new(out, row);
  }
  return out;
}

static json_t* json_vector(const double* x, int n) {
  json_t* out = json_array();

  for (int i = 0; i < n; ++i)
    json_array_append_new(out, json_real(x[i]));
  return out;
}

static json_t* json_names(const char* const* name, const char* const* unit, int n) {
  json_t* out = json_array();

  for (int i = 0; i < n; ++i)
    json_array_append_new(out, json_pack("{s:s, s:s}", "name", name[i], "unit", unit[i]));
  return out;
}

static bool print_json(const apl_linear_system* l, double time) {
  json_t* root = json_object();

  json_object_set_new(root, "time", json_real(time));
  json_object_set_new(root, "states", json_names(l->state, l->state_unit, l->n));
  json_object_set_new(root, "inputs", json_names(l->input, l->input_unit, l->m));
  json_object_set_new(root, "outputs", json_names(l->output, l->output_unit, l->p));
  json_object_set_new(root, "A", json_matrix(l->A, l->n, l->n));
  json_object_set_new(root, "B", json_matrix(l->B, l->n, l->m));
  json_object_set_new(root, "C", json_matrix(l->C, l->p, l->n));
  json_object_set_new(root, "D", json_matrix(l->D, l->p, l->m));
  json_object_set_new(root, "rate", json_vector(l->rate, l->n));
  json_object_set_new(root, "u0", json_vector(l->u0, l->m));
  json_object_set_new(root, "y0", json_vector(l->y0, l->p));
  json_object_set_new(root, "poles", json_matrix(l->pole, l->n, 2));
  json_object_set_new(root, "zeros",
                      l->nzero < 0 ? json_null() : json_matrix(l->zero, l->nzero, 2));
  const bool ok = json_dumpf(root, stdout, JSON_INDENT(2)) == 0;
  printf("\n");
  json_decref(root);
  return ok;
}

/* -------------------------------------------------------------------------------- files ---- */

/* [A B; C D] as a table: channels are states and inputs; the summary names the rows. */
static int write_files(const cli_args* args, const cli_rest* r, const apl_linear_system* l) {
  const int rows = l->n + l->p, columns = l->n + l->m;
  apl_summary* summary = calloc((size_t)(rows + 2), sizeof *summary);
  cli_table t = {0};
  int code = CLI_FAILED;

  if (summary != NULL && cli_table_open(&t, columns + 1, rows)) {
    cli_table_add(&t, "row", "1", "rates of states first, then outputs");
    for (int k = 0; k < l->n; ++k)
      cli_table_add(&t, l->state[k], l->state_unit[k], "state");
    for (int k = 0; k < l->m; ++k)
      cli_table_add(&t, l->input[k], l->input_unit[k], "input");
    for (int i = 0; i < rows; ++i) {
      double* row = cli_table_at(&t, i);
      const bool rate = i < l->n;
      const int o = i - l->n;
      row[0] = i + 1.0;
      for (int k = 0; k < l->n; ++k)
        row[1 + k] = rate ? l->A[i * l->n + k] : l->C[o * l->n + k];
      for (int k = 0; k < l->m; ++k)
        row[1 + l->n + k] = rate ? l->B[i * l->m + k] : l->D[o * l->m + k];
      summary[i + 2] =
          (apl_summary){rate ? l->state[i] : l->output[o], i + 1.0, rate ? "rate of" : "output"};
    }
    summary[0] = (apl_summary){"states", l->n, "rows and columns of A"};
    summary[1] = (apl_summary){"time", r->time, "s"};
    const cli_table_head head = {r->file, "linearize", "", summary, rows + 2};
    code = cli_table_write(&t, &head, args->value[LIN_RESULT], args->value[LIN_CSV]);
  } else {
    fprintf(stderr, "appell: out of memory for the result\n");
  }
  cli_table_close(&t);
  free(summary);
  return code;
}

/* ------------------------------------------------------------------------------ command ---- */

/* Words between commas, in place; returns their number. */
static int split(char* text, const char** word) {
  int n = 0;

  for (char* at = text == NULL ? NULL : strtok(text, ","); at != NULL; at = strtok(NULL, ","))
    word[n++] = at;
  return n;
}

static bool goes_to_stdout(const char* path) {
  return path != NULL && strcmp(path, "-") == 0;
}

static int show(const cli_args* args, const cli_rest* r, const apl_linear_system* l) {
  if (args->value[LIN_RESULT] != NULL || args->value[LIN_CSV] != NULL) {
    const int code = write_files(args, r, l);
    if (code != CLI_OK) return code;
  }
  if (args->value[LIN_JSON] != NULL) return print_json(l, r->time) ? CLI_OK : CLI_FAILED;
  if (!goes_to_stdout(args->value[LIN_CSV])) print_text(l, r->time);
  return CLI_OK;
}

static int work(const cli_args* args, cli_rest* r, char* outputs, char* inputs, const char** word) {
  const int noutput = split(outputs, word), ninput = split(inputs, word + noutput);
  const apl_run_options run = apl_file_options(r->file);
  const apl_linearize_options o = {word, noutput, word + noutput, ninput, &run.loops};
  apl_linear_system* l = NULL;
  apl_error err = {0};

  if (apl_linearize(r->system, r->time, &o, &l, &err) != APL_OK) {
    fprintf(stderr, "%s: %s\n", args->file[0], err.text);
    return CLI_FAILED;
  }
  cli_rest_warn(r, args->file[0]);
  const int code = show(args, r, l);
  apl_linear_system_free(l);
  return code;
}

static char* copy_text(const char* text) {
  const size_t n = text == NULL ? 0 : strlen(text);
  char* out = calloc(n + 1, 1);

  if (out != NULL && n > 0) memcpy(out, text, n);
  return out;
}

static int check_options(const cli_args* args) {
  const char* at = args->value[LIN_AT];

  if (at != NULL && strcmp(at, "start") != 0 && strcmp(at, "equilibrium") != 0)
    return cli_misuse("linearize", "--at is start or equilibrium, not '%s'", at);
  if (at != NULL && args->value[LIN_FROM] != NULL)
    return cli_misuse("linearize", "--at and --from both give the state: choose one");
  if (args->value[LIN_STABLE] != NULL && (at == NULL || strcmp(at, "equilibrium") != 0))
    return cli_misuse("linearize", "--stable needs --at equilibrium");
  if (args->value[LIN_JSON] != NULL && goes_to_stdout(args->value[LIN_CSV]))
    return cli_misuse("linearize",
                      "--json and --csv - both write to the standard output: choose one");
  return CLI_OK;
}

static int run(const cli_args* args) {
  char *outputs = copy_text(args->value[LIN_OUTPUTS]), *inputs = copy_text(args->value[LIN_INPUTS]);
  const size_t most = outputs == NULL || inputs == NULL ? 0 : strlen(outputs) + strlen(inputs) + 2;
  const char** word = calloc(most + 1, sizeof *word);
  cli_rest rest = {0};
  int code = check_options(args);

  if (code == CLI_OK && (most == 0 || word == NULL)) {
    fprintf(stderr, "appell: out of memory\n");
    code = CLI_FAILED;
  }
  if (code == CLI_OK) {
    code = cli_rest_open(&rest, "linearize", args, args->value[LIN_BASE], args->value[LIN_TIME],
                         at_start(args) ? APL_SETTLED : 0);
    if (code == CLI_OK) code = go(args, &rest);
    if (code == CLI_OK) code = work(args, &rest, outputs, inputs, word);
    cli_rest_close(&rest);
  }
  free(outputs);
  free(inputs);
  free(word);
  return code;
}

const cli_command cli_linearize = {
    .name = "linearize",
    .line = "Linearize a robot: matrices A, B, C, D, poles and zeros",
    .files = "MODEL",
    .min = 1,
    .max = 1,
    .option = options,
    .run = run,
    .notes = "The states are coordinates, then velocities; prescribed joints follow their motion "
             "and are\n"
             "not states. Where loops are closed, the states are those that are independent, first "
             "of all\n"
             "the driven ones. Derivatives are exact to round-off and include all forces. Contacts "
             "that\n"
             "rest or stick are refused. Zeros are computed if there are as many outputs as "
             "inputs.\n"
             "Theory: docs/linearize.md\n",
};
