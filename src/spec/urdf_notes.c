/* SPDX-License-Identifier: Apache-2.0 */
/* urdf_notes.c: what is told about a URDF while it is read, and numbers in its attributes.

   Three things can be said of an element: a note (the import report), a doubt (a note and a
   warning: it is read as well as it can be; with `strict` it is a mistake), a refusal (a note and a
   mistake). */
#include "spec/urdf_impl.h"

#include "text/number.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static void add_note(urdf* u, apl_verdict verdict, int line, const char* text) {
  apl_file* f = u->file;

  /* the room doubles, old lists stay in the pool */
  if (f->nnote == 0 || (f->nnote & (f->nnote - 1)) == 0) {
    apl_note* larger =
        apl_pool_take(&f->pool, sizeof *larger * (size_t)(f->nnote > 0 ? 2 * f->nnote : 1));
    if (larger == NULL) return;
    if (f->nnote > 0) memcpy(larger, f->note, sizeof *larger * (size_t)f->nnote);
    f->note = larger;
  }
  const char* copy = apl_pool_text(&f->pool, text);
  if (copy == NULL) return;
  f->note[f->nnote++] = (apl_note){verdict, line, copy};
  if (u->options->note != NULL) u->options->note(u->options->user, &f->note[f->nnote - 1]);
}

#define FORMAT(text, format)                                                                       \
  do {                                                                                             \
    va_list args;                                                                                  \
    va_start(args, format);                                                                        \
    vsnprintf(text, sizeof text, format, args);                                                    \
    va_end(args);                                                                                  \
  } while (0)

void apl_urdf_note(urdf* u, apl_verdict verdict, const xml_node* node, const char* format, ...) {
  char text[sizeof((apl_error*)NULL)->text];

  FORMAT(text, format);
  add_note(u, verdict, apl_xml_line(node), text);
}

void apl_urdf_refuse(urdf* u, const xml_node* node, const char* format, ...) {
  const apl_mark at = {node == NULL ? 0 : apl_xml_line(node), 0};
  char text[sizeof((apl_error*)NULL)->text];

  FORMAT(text, format);
  add_note(u, APL_REFUSED, at.line, text);
  apl_report_add(u->report, APL_ERR_MODEL, at, "%s", text);
}

void apl_urdf_doubt(urdf* u, const xml_node* node, const char* format, ...) {
  const apl_mark at = {node == NULL ? 1 : apl_xml_line(node), 0};
  char text[sizeof((apl_error*)NULL)->text];

  FORMAT(text, format);
  add_note(u, u->options->strict ? APL_REFUSED : APL_DOUBTED, at.line, text);
  if (u->options->strict) {
    apl_report_add(u->report, APL_ERR_MODEL, at, "%s", text);
  } else {
    apl_report_warn(u->report, at, "%s", text);
  }
}

void apl_urdf_unknown(urdf* u, const xml_node* node, const char* owner) {
  apl_urdf_note(u, APL_IGNORED, node, "<%.40s> of %.80s: this element is not known",
                apl_xml_name(node), owner);
}

/* -------------------------------------------------------------------------------- numbers ---- */

static const char blank[] = " \t\r\n";

bool apl_urdf_numbers(urdf* u, const xml_node* node, const char* attribute, int n, double* out) {
  const char* text = apl_xml_attribute(node, attribute, &u->file->pool);
  double value[6];
  bool ok = true, clean = true, commas = false;

  if (text == NULL) return false;
  const char* at = text + strspn(text, blank);
  for (int k = 0; k < n && ok; ++k) {
    const char* end;
    value[k] = apl_number_read(at, &end);
    const bool number = end != at;
    if (k < n - 1 && *end == ',' && end[1] != '\0' && strchr(blank, end[1]) != NULL) {
      commas = true; /* "1, 2, 3"; 1,5 is no number */
      ++end;
    }
    clean = *end == '\0' || strchr(blank, *end) != NULL;
    ok = number && isfinite(value[k]) && (clean || (k == n - 1 && *end != ','));
    at = end + strspn(end, blank);
  }
  if (!ok) {
    apl_urdf_refuse(u, node, "<%.40s>: '%s' needs %d finite number%s, got '%.80s'",
                    apl_xml_name(node), attribute, n, n == 1 ? "" : "s", text);
    return false;
  }
  if (!clean || *at != '\0') {
    apl_urdf_doubt(u, node,
                   "<%.40s>: '%s' needs %d number%s, got '%.60s': the text after '%.*s' is ignored",
                   apl_xml_name(node), attribute, n, n == 1 ? "" : "s", text,
                   (int)(at - text > 40 ? 40 : at - text), text);
  }
  if (commas) {
    apl_urdf_doubt(u, node, "<%.40s>: the numbers of '%s' have commas between them: '%.60s'",
                   apl_xml_name(node), attribute, text);
  }
  memcpy(out, value, sizeof(double) * (size_t)n);
  return true;
}

bool apl_urdf_required(urdf* u, const xml_node* owner, const xml_node* node, const char* element,
                       const char* attribute, int n, double* out) {
  const int before = u->report->count;

  if (node != NULL && apl_urdf_numbers(u, node, attribute, n, out)) return true;
  if (u->report->count == before) {
    apl_urdf_refuse(u, owner, "<%s> needs <%s %s=\"..\"/>", apl_xml_name(owner), element,
                    attribute);
  }
  return false;
}

apl_pose apl_urdf_origin(urdf* u, const xml_node* node) {
  double xyz[3] = {0}, rpy[3] = {0};

  apl_urdf_numbers(u, node, "xyz", 3, xyz);
  apl_urdf_numbers(u, node, "rpy", 3, rpy);
  apl_pose p = apl_pose_at(xyz[0], xyz[1], xyz[2]);
  if (rpy[0] != 0.0 || rpy[1] != 0.0 || rpy[2] != 0.0)
    p.rotation = apl_quat_rpy(rpy[0], rpy[1], rpy[2]);
  return p;
}
