/* SPDX-License-Identifier: Apache-2.0 */
/* expression.c: formulas of time by a small grammar, with first and second derivatives.

     sum     = product { ("+" | "-") product }
     product = power { ("*" | "/") power }
     power   = [ "-" | "+" ] atom [ "^" power ]
     atom    = number | "t" | "pi" | name "(" sum ")" | "(" sum ")"

   There are no variables, loops or memory, so formulas of untrusted files are safe. A formula
   becomes a list of operations on a stack of jets (f, f', f''), so its derivatives are exact. All
   functions are smooth where they are finite. */
#include "signal/expression.h"

#include "text/number.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef enum op {
  OP_NUMBER,
  OP_TIME,
  OP_ADD,
  OP_SUBTRACT,
  OP_MULTIPLY,
  OP_DIVIDE,
  OP_NEGATE,
  OP_POWER,
  OP_SIN,
  OP_COS,
  OP_TAN,
  OP_EXP,
  OP_LOG,
  OP_SQRT,
  OP_TANH
} op;

static const struct {
  const char* word;
  op op;
} functions[] = {{"sin", OP_SIN}, {"cos", OP_COS},   {"tan", OP_TAN},  {"exp", OP_EXP},
                 {"log", OP_LOG}, {"sqrt", OP_SQRT}, {"tanh", OP_TANH}};

enum { MOST_STEPS = 256, DEEPEST = 32 };

typedef struct step {
  op op;
  double number;
} step;

struct expression {
  int n;
  step step[MOST_STEPS];
};

/* -------------------------------------------------------------------------------- reading ---- */

typedef struct reader {
  const char *text, *at;
  expression* e;
  int depth; /* of brackets and powers */
  bool failed;
  apl_error* err;
} reader;

static void refuse(reader* r, const char* what) {
  if (r->failed) return;
  r->failed = true;
  apl_fail(r->err, APL_ERR_SYNTAX, "'%.100s': %s at character %d", r->text, what,
           (int)(r->at - r->text) + 1);
}

static void emit(reader* r, op what, double number) {
  if (r->failed) return;
  if (r->e->n == MOST_STEPS) {
    refuse(r, "the formula is too long");
    return;
  }
  r->e->step[r->e->n++] = (step){what, number};
}

static bool take(reader* r, char sign) {
  r->at += strspn(r->at, " \t");
  if (*r->at != sign) return false;
  ++r->at;
  return true;
}

static void read_sum(reader* r);

static void read_bracket(reader* r) {
  if (++r->depth > DEEPEST) refuse(r, "brackets are nested too deeply");
  if (!r->failed) read_sum(r);
  if (!r->failed && !take(r, ')')) refuse(r, "a closing bracket is missing");
  --r->depth;
}

static void read_name(reader* r) {
  size_t n = 0;
  while (isalpha((unsigned char)r->at[n]))
    ++n;

  if (n == 1 && r->at[0] == 't') {
    emit(r, OP_TIME, 0.0);
  } else if (n == 2 && strncmp(r->at, "pi", 2) == 0) {
    emit(r, OP_NUMBER, acos(-1.0));
  } else {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
      if (strlen(functions[i].word) != n || strncmp(functions[i].word, r->at, n) != 0) continue;
      r->at += n;
      if (!take(r, '(')) {
        refuse(r, "a function needs brackets");
        return;
      }
      read_bracket(r);
      emit(r, functions[i].op, 0.0);
      return;
    }
    refuse(r, "only t, pi, sin, cos, tan, exp, log, sqrt and tanh are known, not the word");
    return;
  }
  r->at += n;
}

static void read_power(reader* r) {
  if (++r->depth > DEEPEST) {
    refuse(r, "the formula is nested too deeply");
  } else if (take(r, '-')) {
    read_power(r);
    emit(r, OP_NEGATE, 0.0);
  } else if (take(r, '+')) {
    read_power(r);
  } else {
    const char* end;
    const double number = apl_number_read(r->at, &end);
    if (take(r, '(')) {
      read_bracket(r);
    } else if (isalpha((unsigned char)*r->at)) {
      read_name(r);
    } else if (end == r->at) {
      refuse(r, "a number, t, a function or a bracket is missing");
    } else {
      emit(r, OP_NUMBER, number);
      r->at = end;
    }
    if (!r->failed && take(r, '^')) {
      read_power(r);
      emit(r, OP_POWER, 0.0);
    }
  }
  --r->depth;
}

static void read_product(reader* r) {
  read_power(r);
  for (bool more = true; more && !r->failed;) {
    const bool times = take(r, '*'), over = !times && take(r, '/');
    more = times || over;
    if (more) read_power(r);
    if (more) emit(r, times ? OP_MULTIPLY : OP_DIVIDE, 0.0);
  }
}

static void read_sum(reader* r) {
  read_product(r);
  for (bool more = true; more && !r->failed;) {
    const bool plus = take(r, '+'), minus = !plus && take(r, '-');
    more = plus || minus;
    if (more) read_product(r);
    if (more) emit(r, plus ? OP_ADD : OP_SUBTRACT, 0.0);
  }
}

apl_status apl_expression_read(const char* text, expression** out, apl_error* err) {
  reader r = {.text = text, .at = text, .err = err};

  *out = NULL;
  r.e = calloc(1, sizeof *r.e);
  if (r.e == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for a signal");
  read_sum(&r);
  r.at += strspn(r.at, " \t");
  if (!r.failed && *r.at != '\0') refuse(&r, "unexpected text after the formula");
  if (r.failed) {
    free(r.e);
    return APL_ERR_SYNTAX;
  }
  *out = r.e;
  return APL_OK;
}

/* ------------------------------------------------------------------------------- evaluating ----
 */

typedef struct jet {
  double f, d, dd;
} jet;

/* g(a): chain rule with g, g', g'' at a.f */
static jet chain(jet a, double g, double g1, double g2) {
  return (jet){g, g1 * a.d, g1 * a.dd + g2 * a.d * a.d};
}

static jet multiply(jet a, jet b) {
  return (jet){a.f * b.f, a.d * b.f + a.f * b.d, a.dd * b.f + 2.0 * a.d * b.d + a.f * b.dd};
}

static jet apply(op what, jet a) {
  const double s = sin(a.f), c = cos(a.f), x = a.f;

  switch (what) {
  case OP_NEGATE:
    return (jet){-a.f, -a.d, -a.dd};
  case OP_SIN:
    return chain(a, s, c, -s);
  case OP_COS:
    return chain(a, c, -s, -c);
  case OP_TAN:
    return chain(a, s / c, 1.0 / (c * c), 2.0 * s / (c * c * c));
  case OP_EXP:
    return chain(a, exp(x), exp(x), exp(x));
  case OP_LOG:
    return chain(a, log(x), 1.0 / x, -1.0 / (x * x));
  case OP_SQRT:
    return chain(a, sqrt(x), 0.5 / sqrt(x), -0.25 / (x * sqrt(x)));
  case OP_TANH:
    return chain(a, tanh(x), 1.0 - tanh(x) * tanh(x), -2.0 * tanh(x) * (1.0 - tanh(x) * tanh(x)));
  case OP_NUMBER:
  case OP_TIME:
  case OP_ADD:
  case OP_SUBTRACT:
  case OP_MULTIPLY:
  case OP_DIVIDE:
  case OP_POWER:
    break;
  }
  return a;
}

/* a^b: with a constant exponent n by n a^(n-1), which is valid for negative a too; else exp(b log
   a) */
static jet power(jet a, jet b) {
  if (b.d == 0.0 && b.dd == 0.0) {
    const double n = b.f;
    const double g1 = n == 0.0 ? 0.0 : n * pow(a.f, n - 1.0);
    const double g2 = n == 0.0 || n == 1.0 ? 0.0 : n * (n - 1.0) * pow(a.f, n - 2.0);
    return chain(a, pow(a.f, n), g1, g2);
  }
  return apply(OP_EXP, multiply(b, apply(OP_LOG, a)));
}

static jet combine(op what, jet a, jet b) {
  switch (what) {
  case OP_ADD:
    return (jet){a.f + b.f, a.d + b.d, a.dd + b.dd};
  case OP_SUBTRACT:
    return (jet){a.f - b.f, a.d - b.d, a.dd - b.dd};
  case OP_MULTIPLY:
    return multiply(a, b);
  case OP_DIVIDE:
    return multiply(a, chain(b, 1.0 / b.f, -1.0 / (b.f * b.f), 2.0 / (b.f * b.f * b.f)));
  case OP_POWER:
    return power(a, b);
  case OP_NUMBER:
  case OP_TIME:
  case OP_NEGATE:
  case OP_SIN:
  case OP_COS:
  case OP_TAN:
  case OP_EXP:
  case OP_LOG:
  case OP_SQRT:
  case OP_TANH:
    break;
  }
  return a;
}

void apl_expression_eval(const expression* e, double t, double y[3]) {
  jet stack[MOST_STEPS]; /* every step adds at most one value */
  int n = 0;

  for (int i = 0; i < e->n; ++i) {
    const step* s = &e->step[i];
    if (s->op == OP_NUMBER) {
      stack[n++] = (jet){s->number, 0.0, 0.0};
    } else if (s->op == OP_TIME) {
      stack[n++] = (jet){t, 1.0, 0.0};
    } else if (s->op == OP_NEGATE || s->op >= OP_SIN) {
      stack[n - 1] = apply(s->op, stack[n - 1]);
    } else {
      --n;
      stack[n - 1] = combine(s->op, stack[n - 1], stack[n]);
    }
  }
  y[0] = stack[0].f;
  y[1] = stack[0].d;
  y[2] = stack[0].dd;
}
