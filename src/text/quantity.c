/* SPDX-License-Identifier: Apache-2.0 */
/* quantity.c: the grammar of quantities.

     quantity = number [unit]
     unit     = ["/"] factor { ("/" | "*" | " ") factor }
     factor   = ( [prefix] symbol | "1" | "(" unit ")" ) [ ["^"] integer ]

   A product after a slash ("kg/m s") is refused, because it is ambiguous. Angles have a dimension
   of their own, so that 5 deg is not a length, but may be left out of a product: a torsion spring
   in N m/rad may be written in N m. A frequency may be given in rad/s.

   Typed symbols are translated first: N·m, m², 30°, µm, 10⁻³. Newtons may precede another unit
   without a space: Nm, kNm, Nms. */
#include "text/quantity.h"

#include "base/nearest.h"

#include "text/number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { METRE, KILOGRAM, SECOND, AMPERE, KELVIN, RADIAN, CYCLE, NDIMENSION };

/* A product of powers of base units with a factor. */
typedef struct measure {
  double factor;
  int power[NDIMENSION];
} measure;

/* ------------------------------------------------------------------------------- tables ---- */

typedef struct unit_row {
  const char* symbol;
  double factor;
  bool prefixed; /* may it carry a prefix                                                       */
  int power[NDIMENSION];
} unit_row;

/* clang-format off */
static const unit_row units[] = {
  /*                         m  kg  s  A  K rad cyc */
  {"m",    1.0,    true,  {  1,  0,  0, 0, 0, 0, 0 }},
  {"g",    1e-3,   true,  {  0,  1,  0, 0, 0, 0, 0 }},
  {"s",    1.0,    true,  {  0,  0,  1, 0, 0, 0, 0 }},
  {"A",    1.0,    true,  {  0,  0,  0, 1, 0, 0, 0 }},
  {"K",    1.0,    true,  {  0,  0,  0, 0, 1, 0, 0 }},
  {"N",    1.0,    true,  {  1,  1, -2, 0, 0, 0, 0 }},
  {"Pa",   1.0,    true,  { -1,  1, -2, 0, 0, 0, 0 }},
  {"J",    1.0,    true,  {  2,  1, -2, 0, 0, 0, 0 }},
  {"W",    1.0,    true,  {  2,  1, -3, 0, 0, 0, 0 }},
  {"V",    1.0,    true,  {  2,  1, -3,-1, 0, 0, 0 }},
  {"ohm",  1.0,    true,  {  2,  1, -3,-2, 0, 0, 0 }},
  {"H",    1.0,    true,  {  2,  1, -2,-2, 0, 0, 0 }},
  {"Hz",   1.0,    true,  {  0,  0, -1, 0, 0, 0, 1 }},
  {"rad",  1.0,    true,  {  0,  0,  0, 0, 0, 1, 0 }},
  {"deg",  0.017453292519943295, false, { 0, 0,  0, 0, 0, 1, 0 }},
  {"turn", 6.283185307179586,    false, { 0, 0,  0, 0, 0, 1, 0 }},
  {"rpm",  0.10471975511965977,  false, { 0, 0, -1, 0, 0, 1, 0 }},
  {"min",  60.0,   false, {  0,  0,  1, 0, 0, 0, 0 }},
  {"h",    3600.0, false, {  0,  0,  1, 0, 0, 0, 0 }},
  {"bar",  1e5,    true,  { -1,  1, -2, 0, 0, 0, 0 }},
  {"1",    1.0,    false, {  0,  0,  0, 0, 0, 0, 0 }},
};

static const struct { const char* sign; double factor; } prefixes[] = {
  {"p", 1e-12}, {"n", 1e-9}, {"u", 1e-6}, {"m", 1e-3}, {"c", 1e-2}, {"d", 1e-1},
  {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12},
};

/* other words for units, and what to write; a word with '=' is a hint to convert */
static const struct { const char* word; const char* symbol; } synonyms[] = {
  {"sec", "s"}, {"secs", "s"}, {"second", "s"}, {"seconds", "s"}, {"minute", "min"}, {"minutes", "min"},
  {"hour", "h"}, {"hours", "h"}, {"degree", "deg"}, {"degrees", "deg"}, {"radian", "rad"},
  {"radians", "rad"}, {"rev", "turn"}, {"turns", "turn"}, {"rps", "turn/s"}, {"RPM", "rpm"},
  {"meter", "m"}, {"meters", "m"}, {"metre", "m"}, {"metres", "m"}, {"gram", "g"}, {"grams", "g"},
  {"kilogram", "kg"}, {"kgs", "kg"}, {"Kg", "kg"}, {"KG", "kg"}, {"newton", "N"}, {"newtons", "N"},
  {"pascal", "Pa"}, {"joule", "J"}, {"watt", "W"}, {"volt", "V"}, {"hertz", "Hz"}, {"hz", "Hz"},
  {"mpa", "MPa"}, {"Mpa", "MPa"}, {"gpa", "GPa"}, {"Gpa", "GPa"}, {"lb", "0.45359237 kg"},
  {"lbs", "0.45359237 kg"}, {"lbf", "4.4482216 N"}, {"in", "25.4 mm"}, {"inch", "25.4 mm"},
  {"ft", "304.8 mm"}, {"psi", "6.894757 kPa"}, {"kgf", "9.80665 N"},
};

/* signs outside ASCII that stand for others */
static const struct { const char* sign; const char* is; } signs[] = {
  {"\xc2\xb7", "*"}, {"\xe2\x8b\x85", "*"}, {"\xe2\x88\x99", "*"}, {"\xc3\x97", "*"}, /* · ⋅ ∙ × */
  {"\xc2\xb0", "deg"}, {"\xce\xbc", "u"}, {"\xc2\xb5", "u"}, {"\xce\xa9", "ohm"},       /* ° μ µ Ω */
  {"\xe2\x84\xa6", "ohm"}, {"\xe2\x88\x92", "-"}, {"\xc2\xa0", " "},                 /* Ω − nbsp */
  {"\xe2\x80\xaf", " "}, {"\xe2\x80\x89", " "},                                      /* thin blanks */
  {"\xc2\xb9", "1"}, {"\xc2\xb2", "2"}, {"\xc2\xb3", "3"}, {"\xe2\x81\xb4", "4"},    /* ¹ ² ³ ⁴ */
  {"\xe2\x81\xbb", "-"},                                                               /* ⁻ */
};

/* names of quantities for messages; a unit that is not listed is named by itself */
static const struct { const char* unit; const char* name; const char* example; } names[] = {
  {"1",         "a plain number",       "0.5"},
  {"m",         "a length",             "5 mm"},
  {"kg",        "a mass",               "1.2 kg"},
  {"s",         "a time",               "2 ms"},
  {"rad",       "an angle",             "30 deg"},
  {"Hz",        "a frequency",          "0.5 Hz"},
  {"m/s",       "a velocity",           "0.3 m/s"},
  {"m/s^2",     "an acceleration",      "9.81 m/s^2"},
  {"rad/s",     "an angular velocity",  "30 deg/s"},
  {"N",         "a force",              "10 N"},
  {"N m",       "a torque",             "0.1 N m"},
  {"N/m",       "a stiffness",          "2 N/mm"},
  {"N m/rad",   "a torsional stiffness", "5 N m/rad"},
  {"N s/m",     "a damping",            "3 N s/m"},
  {"N m s/rad", "a torsional damping",  "0.1 N m s/rad"},
  {"kg m^2",    "a moment of inertia",  "300 g cm^2"},
  {"kg/m",      "a mass per length",    "20 g/m"},
  {"N m^2",     "a bending stiffness",  "0.1 N m^2"},
  {"Pa",        "a pressure or modulus", "200 GPa"},
};
/* clang-format on */

/* -------------------------------------------------------------------------------- units ---- */

typedef struct scanner {
  const char* at;
  const char* text; /* the whole quantity, for sentences                                        */
  int depth;
  bool glued; /* inside a word of several units                                                  */
  apl_error* err;
} scanner;

static void skip_space(scanner* s) {
  while (*s->at == ' ' || *s->at == '\t')
    ++s->at;
}

static void multiply(measure* a, const measure* b, int power) {
  a->factor *= pow(b->factor, power);
  for (int k = 0; k < NDIMENSION; ++k)
    a->power[k] += power * b->power[k];
}

static const unit_row* find_unit(const char* symbol, size_t n) {
  for (size_t i = 0; i < sizeof units / sizeof *units; ++i) {
    if (strlen(units[i].symbol) == n && memcmp(units[i].symbol, symbol, n) == 0) return &units[i];
  }
  return NULL;
}

/* Look up a symbol as it is, else with a prefix: so "min" is a minute and "mm" a millimetre. */
static bool look_up(const char* symbol, size_t n, measure* out) {
  const unit_row* row = find_unit(symbol, n);
  double prefix = 1.0;

  for (size_t i = 0; row == NULL && i < sizeof prefixes / sizeof *prefixes; ++i) {
    const size_t p = strlen(prefixes[i].sign);
    if (n <= p || memcmp(symbol, prefixes[i].sign, p) != 0) continue;
    row = find_unit(symbol + p, n - p);
    if (row != NULL && !row->prefixed) row = NULL;
    prefix = prefixes[i].factor;
  }
  if (row == NULL) return false;
  out->factor = row->factor * prefix;
  memcpy(out->power, row->power, sizeof out->power);
  return true;
}

/* Length of the next symbol among n letters: all of them, except that newtons joined with other
   units ("Nm", "kNmm", "Nms") are split unit by unit, where "ms" is m s; 0: none. */
static size_t symbol_length(scanner* s, const char* begin, size_t n) {
  static const char* const behind[] = {"mm", "cm", "m", "s"};
  const char* newton = memchr(begin, 'N', n);
  const size_t first = newton == NULL ? n : (size_t)(newton - begin) + 1;
  measure m;

  if (!s->glued && look_up(begin, n, &m)) return n;
  if (!s->glued) {
    s->glued = first < n && look_up(begin, first, &m);
    return s->glued ? first : 0;
  }
  for (size_t i = 0; i < sizeof behind / sizeof *behind; ++i) {
    const size_t k = strlen(behind[i]);
    if (k > n || memcmp(begin, behind[i], k) != 0) continue;
    s->glued = k < n;
    return k;
  }
  return 0;
}

static bool scan_unit(scanner* s, measure* out);

static bool scan_power(scanner* s, int* power) {
  *power = 1;
  const bool minus = s->at[0] == '-' && isdigit((unsigned char)s->at[1]);
  if (*s->at != '^' && !isdigit((unsigned char)*s->at) && !minus) return true;

  char* end;
  const char* begin = s->at + (*s->at == '^');
  const long n = strtol(begin, &end, 10);
  if (!(isdigit((unsigned char)*begin) || *begin == '-') || end == begin || labs(n) > 9) {
    apl_fail(s->err, APL_ERR_SYNTAX, "'%.80s': a power must be a whole number from -9 to 9",
             s->text);
    return false;
  }
  s->at = end;
  *power = (int)n;
  return true;
}

/* The sentence about a word of n letters that is no unit, with one that may be meant. */
static void unknown_unit(const scanner* s, const char* begin, size_t n) {
  char word[41], hint[96] = "";

  snprintf(word, sizeof word, "%.*s", (int)(n == 0 ? strlen(begin) : n), begin);
  apl_nearest near = {.word = word};
  for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
    apl_nearest_offer(&near, units[i].symbol);
  for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; ++i) {
    if (strcmp(synonyms[i].word, word) != 0) continue;
    const bool converted = isdigit((unsigned char)synonyms[i].symbol[0]);
    if (converted) {
      snprintf(hint, sizeof hint, "; 1 %s is %s", word, synonyms[i].symbol);
    } else {
      snprintf(hint, sizeof hint, "; write %s", synonyms[i].symbol);
    }
  }
  if (*begin == ',') {
    apl_fail(s->err, APL_ERR_SYNTAX, "'%.80s': decimals take a point, not a comma: '%.*s.%.40s'",
             s->text, (int)strcspn(s->text, ","), s->text, begin + 1);
    return;
  }
  apl_fail(s->err, APL_ERR_SYNTAX, "'%.80s': '%s' is not a known unit%s", s->text, word,
           hint[0] != '\0' ? hint
           : n > 0         ? apl_nearest_text(&near, hint)
                           : "");
}

static bool scan_factor(scanner* s, measure* out) {
  int power;

  if (*s->at == '(') {
    ++s->at;
    if (++s->depth > 4 || !scan_unit(s, out) || *s->at != ')') {
      if (s->err->status == APL_OK)
        apl_fail(s->err, APL_ERR_SYNTAX, "'%.80s' has unbalanced brackets", s->text);
      return false;
    }
    ++s->at, --s->depth;
  } else {
    const char* begin = s->at;
    if (*s->at == '1') {
      ++s->at;
    } else {
      while (isalpha((unsigned char)*s->at) || (unsigned char)*s->at >= 0x80)
        ++s->at;
    }
    const size_t n = (size_t)(s->at - begin), k = symbol_length(s, begin, n);
    if (k == 0 || !look_up(begin, k, out)) {
      unknown_unit(s, begin, n);
      return false;
    }
    s->at = begin + k;
  }
  if (!scan_power(s, &power)) return false;
  const measure base = *out;
  *out = (measure){.factor = 1.0};
  multiply(out, &base, power);
  return true;
}

static bool scan_unit(scanner* s, measure* out) {
  bool divided = false;

  *out = (measure){.factor = 1.0};
  skip_space(s);
  for (bool first = true; *s->at != '\0' && *s->at != ')'; first = false) {
    const bool divide = *s->at == '/';
    if (divide || (*s->at == '*' && !first)) ++s->at;
    skip_space(s);
    if (divided && !divide) {
      apl_fail(s->err, APL_ERR_SYNTAX,
               "'%.80s' is ambiguous: put the denominator in brackets, as in kg/(m s)", s->text);
      return false;
    }
    measure m;
    if (!scan_factor(s, &m)) return false;
    multiply(out, &m, divide ? -1 : 1);
    divided = divided || divide;
    skip_space(s);
  }
  return true;
}

/* ---------------------------------------------------------------------------- quantities ---- */

bool apl_quantity_looks(const char* text) {
  const char* end;

  apl_number_read(text, &end);
  return end != text;
}

/* A frequency in rad/s: 2 pi rad are a cycle. Not the reverse: 1 Hz as an angular velocity is more
   likely a mistake. */
static void count_cycles(measure* given, const measure* wanted) {
  if (wanted->power[CYCLE] == 0 || given->power[CYCLE] != 0 ||
      given->power[RADIAN] != wanted->power[CYCLE])
    return;
  given->factor /= pow(2.0 * acos(-1.0), wanted->power[CYCLE]);
  given->power[CYCLE] = given->power[RADIAN];
  given->power[RADIAN] = 0;
}

/* Angles must agree or be left out; everything else must agree. */
static bool same_dimension(const measure* given, const measure* wanted) {
  const bool no_angle = given->power[RADIAN] == 0 && given->power[CYCLE] == 0;

  for (int k = 0; k < NDIMENSION; ++k) {
    if (given->power[k] != wanted->power[k] && !(k >= RADIAN && no_angle)) return false;
  }
  return true;
}

static apl_status unexpected(const char* text, const char* unit, apl_error* err) {
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (strcmp(names[i].unit, unit) != 0) continue;
    return apl_fail(err, APL_ERR_SYNTAX, "expected %s such as '%s', got '%.80s'", names[i].name,
                    names[i].example, text);
  }
  return apl_fail(err, APL_ERR_SYNTAX, "expected a quantity in %s, got '%.80s'", unit, text);
}

/* The text with ASCII for the signs of `signs`; false when it is too long to be a quantity. */
static bool translate(const char* text, char* out, size_t size) {
  size_t n = 0;

  while (*text != '\0') {
    const char* is = NULL;
    char one[2] = {*text, '\0'};
    for (size_t i = 0; i < sizeof signs / sizeof *signs && is == NULL; ++i) {
      const size_t k = strlen(signs[i].sign);
      if (strncmp(text, signs[i].sign, k) != 0) continue;
      is = signs[i].is;
      text += k;
    }
    if (is == NULL) ++text, is = one;
    if (n + strlen(is) + 1 > size) return false;
    n += (size_t)snprintf(out + n, size - n, "%s", is);
  }
  out[n] = '\0';
  return true;
}

apl_status apl_quantity_read(const char* written, const char* unit, double* out, apl_error* err) {
  char text[128];
  if (!translate(written, text, sizeof text)) return unexpected(written, unit, err);
  const char* end;
  const double number = apl_number_read(text, &end);
  if (end == text) return unexpected(written, unit, err);

  apl_error inner = {0};
  measure given, wanted;
  scanner s = {end, written, 0, false, &inner};
  if (!scan_unit(&s, &given) || *s.at != '\0') {
    if (inner.status == APL_OK)
      return apl_fail(err, APL_ERR_SYNTAX, "'%.80s' has unbalanced brackets", written);
    return apl_fail(err, APL_ERR_SYNTAX, "%s", inner.text);
  }

  *out = number;
  if (end[strspn(end, " \t")] != '\0') {
    s = (scanner){unit, unit, 0, false, &inner};
    if (!scan_unit(&s, &wanted)) return apl_fail(err, APL_ERR_ARGUMENT, "%s", inner.text);
    count_cycles(&given, &wanted);
    if (!same_dimension(&given, &wanted)) return unexpected(written, unit, err);

    /* dividing by an integer factor rounds only once: 5 mm is 5/1000 and not 5*0.001 */
    const double f = given.factor / wanted.factor, g = round(1.0 / f);
    *out = f < 1.0 && fabs(g * f - 1.0) < 1e-15 ? number / g : number * f;
  }
  if (!isfinite(*out))
    return apl_fail(err, APL_ERR_SYNTAX, "'%.80s' is too large for a double", written);
  return APL_OK;
}
