/* SPDX-License-Identifier: Apache-2.0 */
/* csv.c: reads a table of numbers with names. Anything that is not a number or a name is an error
   with its line and column. */
#define _XOPEN_SOURCE 700 /* newlocale */
#include "base/error.h"
#include "base/pool.h"
#include "text/csv.h"
#include "text/table.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct table {
  apl_table base; /* first: what users see */
  apl_pool pool;
  double* value;
  int* line;
  size_t room; /* in value; rows in line */
} table;

/* The text being read. */
typedef struct reader {
  char* text;
  char* line; /* start of the current line */
  char* next; /* start of the next one, NULL at the end */
  int nline;
  apl_error* err;
} reader;

enum { COLUMNS_MOST = 1 << 20 };

bool apl_column_name_ok(const char* name) {
  if (name == NULL || name[0] == '\0' || name[0] == '#' || strlen(name) > 1024) return false;
  for (const unsigned char* p = (const unsigned char*)name; *p != '\0'; p++) {
    if (*p <= ' ' || *p == 127 || strchr(",;\"'*?\\/", *p) != NULL) return false;
  }
  return true;
}

static apl_status complain(reader* r, const char* at, const char* what) {
  const char* s = at;
  char word[40];
  int n = 0;

  /* the offending word, for the sentence */
  while (n < 36 && s[n] != '\0' && s[n] != ',')
    n++;
  while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t'))
    n--;
  memcpy(word, s, (size_t)n);
  word[n] = '\0';
  for (int k = 0; k < n; k++) {
    if ((unsigned char)word[k] < ' ' || word[k] == 127) word[k] = '?';
  }

  if (n > 0) {
    apl_fail(r->err, APL_ERR_SYNTAX, "'%s' %s", word, what);
  } else {
    apl_fail(r->err, APL_ERR_SYNTAX, "%s", what);
  }
  if (r->err != NULL) {
    r->err->line = r->nline;
    r->err->column = (int)(at - r->line) + 1;
  }
  return APL_ERR_SYNTAX;
}

static apl_status out_of_memory(apl_error* err) {
  return apl_fail(err, APL_ERR_MEMORY, "out of memory for the table");
}

/* ------------------------------------------------------------------------------- lines ------ */

/* The whole file with a final zero. */
static apl_status slurp(const char* path, char** out, apl_error* err) {
  const size_t most = (size_t)1 << 31;
  FILE* f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  size_t n = 0;
  size_t room = 1 << 16;
  char* text = malloc(room);
  apl_status st = APL_OK;

  if (f == NULL) {
    free(text);
    return apl_fail(err, APL_ERR_IO, "'%s' cannot be read: %s", path, strerror(errno));
  }
  while (text != NULL) {
    n += fread(text + n, 1, room - 1 - n, f);
    if (n < room - 1) break;
    room *= 2;
    if (room > most) break;
    char* larger = realloc(text, room);
    if (larger == NULL) free(text);
    text = larger;
  }
  if (text == NULL) {
    st = apl_fail(err, APL_ERR_MEMORY, "out of memory for '%s'", path);
  } else if (room > most) {
    st = apl_fail(err, APL_ERR_IO, "'%s' is too large (more than 1 GB)", path);
  } else if (ferror(f)) {
    st = apl_fail(err, APL_ERR_IO, "'%s' cannot be read: %s", path, strerror(errno));
  } else {
    text[n] = '\0';
    const char* zero = memchr(text, '\0', n);
    if (zero != NULL) {
      st = apl_fail(err, APL_ERR_SYNTAX, "'%s' is not text: it has a zero at byte %zu", path,
                    (size_t)(zero - text));
    }
  }
  if (f != stdin) fclose(f);
  if (st != APL_OK) {
    free(text);
    text = NULL;
  }
  *out = text;
  return st;
}

/* Cut the next line out of the text; false at the end. */
static bool next_line(reader* r) {
  if (r->next == NULL || *r->next == '\0') return false;

  r->line = r->next;
  r->nline++;
  char* end = r->line + strcspn(r->line, "\n");
  r->next = *end == '\0' ? NULL : end + 1;
  *end = '\0';
  if (end > r->line && end[-1] == '\r') end[-1] = '\0';
  return true;
}

static char* skip_blanks(char* p) {
  return p + strspn(p, " \t");
}

static int count_fields(const char* line) {
  int n = 1;

  for (const char* p = line; *p != '\0'; p++)
    n += *p == ',' && n < COLUMNS_MOST + 1;
  return n;
}

/* Cut a field out of a line: blanks around it go. `next` is the following field or NULL. */
static char* cut_field(char* p, char** next) {
  char* field = skip_blanks(p);
  char* end = field + strcspn(field, ",");

  *next = *end == ',' ? end + 1 : NULL;
  while (end > field && (end[-1] == ' ' || end[-1] == '\t'))
    end--;
  if (*end != '\0') *end = '\0';
  return field;
}

/* ------------------------------------------------------------------------------- header ----- */

typedef struct place {
  const char* name;
  int column;
} place;

static int by_name(const void* a, const void* b) {
  const place* x = a;
  const place* y = b;
  const int order = strcmp(x->name, y->name);

  return order != 0 ? order : x->column - y->column;
}

static apl_status read_names(reader* r, table* t) {
  const int n = count_fields(r->line);
  if (n > COLUMNS_MOST) return complain(r, r->line, "begins a line with too many names");

  const char** name = apl_pool_take(&t->pool, sizeof *name * (size_t)n);
  int* column = apl_pool_take(&t->pool, sizeof *column * (size_t)n);
  place* sorted = malloc(sizeof *sorted * (size_t)n);
  apl_status st = name == NULL || column == NULL || sorted == NULL ? out_of_memory(r->err) : APL_OK;
  char* next = r->line;
  for (int k = 0; k < n && st == APL_OK; k++) {
    char* field = cut_field(next, &next);
    if (!apl_column_name_ok(field)) {
      st = complain(r, field,
                    strchr(field, ';') != NULL ? "cannot name a column: put commas between names"
                                               : "cannot name a column");
      break;
    }
    name[k] = apl_pool_text(&t->pool, field);
    if (name[k] == NULL) st = out_of_memory(r->err);
    column[k] = (int)(field - r->line) + 1;
    sorted[k] = (place){field, k};
  }
  if (st == APL_OK) {
    qsort(sorted, (size_t)n, sizeof *sorted, by_name);
    for (int k = 1; k < n && st == APL_OK; k++) {
      if (strcmp(sorted[k - 1].name, sorted[k].name) == 0) {
        st = complain(r, sorted[k].name, "names a second column");
      }
    }
  }
  free(sorted);

  /* a first line of numbers means that the names are missing */
  if (st == APL_OK) {
    char* end;
    strtod(name[0], &end);
    if (*end == '\0') st = complain(r, r->line, "is a number where the first name was expected");
  }
  t->base.name = name;
  t->base.name_line = r->nline;
  t->base.name_column = column;
  t->base.ncolumn = n;
  return st;
}

/* "# units: s, rad, ..." above the names, where it is kept until their number is known, or between
   the names and the first row. */
static apl_status read_units(reader* r, table* t, char* units) {
  const int given = units == NULL ? 0 : count_fields(units);
  const char** unit = apl_pool_take(&t->pool, sizeof *unit * (size_t)t->base.ncolumn);
  const bool fits = units != NULL && given == t->base.ncolumn;
  char* next = units;

  if (unit == NULL) return out_of_memory(r->err);
  if (units != NULL && !fits) {
    apl_fail(r->err, APL_ERR_SYNTAX, "the line `# units:` has units for %d of %d columns", given,
             t->base.ncolumn);
    if (r->err != NULL) r->err->line = r->nline;
    if (r->err != NULL) r->err->column = 1;
    return APL_ERR_SYNTAX;
  }
  for (int k = 0; k < t->base.ncolumn; k++) {
    unit[k] = fits ? apl_pool_text(&t->pool, cut_field(next, &next)) : "";
    if (unit[k] == NULL) return out_of_memory(r->err);
  }
  t->base.unit = unit;
  return APL_OK;
}

/* ------------------------------------------------------------------------------- rows ------- */

static apl_status read_row(reader* r, table* t) {
  const size_t n = (size_t)t->base.ncolumn;
  const size_t used = n * (size_t)t->base.nrow;

  if (t->base.nrow == INT_MAX)
    return complain(r, r->line, "begins a row beyond the largest number of rows");
  if (used + n > t->room) {
    const size_t room = 2 * (used + n);
    double* larger = realloc(t->value, room * sizeof *larger);
    if (larger != NULL) t->value = larger;
    int* longer = realloc(t->line, room / n * sizeof *longer);
    if (longer != NULL) t->line = longer;
    if (larger == NULL || longer == NULL) return out_of_memory(r->err);
    t->room = room;
  }

  char* p = skip_blanks(r->line);
  for (size_t k = 0; k < n; k++) {
    /* strtod also takes nan, inf and hexadecimal numbers: allow decimal digits only */
    char* end = p;
    const size_t letters = strspn(p, "+-.0123456789eE");
    const double x = letters > 0 ? strtod(p, &end) : 0.0;
    if (*p == '\0' || *p == ',') return complain(r, p, "a number is missing here");
    if (end == p || end != p + letters) return complain(r, p, "is not a number");
    if (!isfinite(x)) return complain(r, p, "is too large for a number");
    t->value[used + k] = x;

    p = skip_blanks(end);
    if (k + 1 < n) {
      if (*p == '\0')
        return complain(r, p, "the row ends here: it has fewer numbers than there are names");
      if (*p != ',') return complain(r, p, "stands where a comma was expected");
      p = skip_blanks(p + 1);
    }
  }
  if (*p == ',')
    return complain(
        r, p + 1,
        "is beyond the last column: there are more numbers than names (decimals take a point)");
  if (*p != '\0') return complain(r, p, "stands where the end of the line was expected");
  t->line[t->base.nrow++] = r->nline;
  return APL_OK;
}

static apl_status read_lines(reader* r, table* t) {
  char* units = NULL;
  apl_status st = APL_OK;

  /* skip a UTF-8 byte order mark */
  if (strncmp(r->next, "\xef\xbb\xbf", 3) == 0) r->next += 3;
  while (st == APL_OK && next_line(r)) {
    char* p = skip_blanks(r->line);
    if (*p == '\0') continue;
    if (*p == '#') {
      p = skip_blanks(p + 1);
      if (t->base.nrow > 0 || strncmp(p, "units:", 6) != 0) continue;
      units = p + 6;
      if (t->base.name != NULL) st = read_units(r, t, units);
      continue;
    }
    if (t->base.name != NULL) {
      st = read_row(r, t);
      continue;
    }
    st = read_names(r, t);
    if (st == APL_OK) st = read_units(r, t, units);
  }
  if (st != APL_OK) return st;
  if (t->base.name == NULL) {
    r->line = r->text;
    r->nline = 1;
    apl_fail(r->err, APL_ERR_SYNTAX, "the table is empty: a line of names was expected");
    if (r->err != NULL) r->err->line = r->err->column = 1;
    return APL_ERR_SYNTAX;
  }
  return APL_OK;
}

apl_status apl_table_read(const char* path, apl_table** out, apl_error* err) {
  *out = NULL;
  if (path == NULL) return apl_fail(err, APL_ERR_ARGUMENT, "the name of the table is missing");

  reader r = {.err = err};
  apl_status st = slurp(path, &r.text, err);
  if (st != APL_OK) return st;

  table* t = calloc(1, sizeof *t);
  const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (t == NULL || plain == (locale_t)0) {
    st = out_of_memory(err);
  } else {
    const locale_t before = uselocale(plain);
    r.next = r.text;
    st = read_lines(&r, t);
    uselocale(before);
    t->base.value = t->value;
    t->base.row_line = t->line;
  }
  if (plain != (locale_t)0) freelocale(plain);
  free(r.text);

  if (st == APL_OK) {
    *out = &t->base;
  } else if (t != NULL) {
    apl_table_free(&t->base);
  }
  return st;
}

void apl_table_free(apl_table* base) {
  table* t = (table*)base;

  if (t == NULL) return;
  free(t->value);
  free(t->line);
  apl_pool_free(&t->pool);
  free(t);
}
