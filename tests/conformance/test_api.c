/* SPDX-License-Identifier: Apache-2.0 */
/* test_api.c: every public function with wrong arguments: NULL, indices out of range, lengths that
   cannot be, words that do not exist. api_calls.py makes the calls from include/appell and from its
   table of values; here are the objects that the calls work on. What is promised: a status and a
   sentence, or a value that says "nothing" (NULL, "", 0, -1), and no access out of bounds, which
   the preset asan sees. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */

#include "near.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A tree with a coupling, a servo, a contact, a tendon, a shape and an input. It hangs at rest, so
   that equilibrium, modes and linearization exist. */
#define LINK(name, on)                                                                             \
  "{name: " name ", " on "joint: {type: revolute, axis: y, damping: 0.1}, "                        \
  "body: {mass: 1, com: [0, 0, -0.5], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}, "                     \
  "shapes: [{type: sphere, radius: 0.05}], ports: {tip: {at: [0, 0, -1]}}}"
#define FILE_TEXT                                                                                  \
  "appell: 1\nname: every\nlinks:\n"                                                               \
  "  - {name: arm, joint: {type: revolute, axis: y, servo: {stiffness: 10, damping: 1}}, body: "   \
  "{mass: 1, com: [0, 0, -0.5], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}, ports: {tip: {at: [0, 0, "  \
  "-1]}}}\n  - " LINK("left", "on: arm.tip, ") "\n  - " LINK(                                      \
      "right", "on: arm.tip, ") "\n"                                                               \
                                "couplings: {gear: {of: left.joint.angle, to: right.joint.angle, " \
                                "ratio: 1}}\n"                                                     \
                                "inputs: {motor: {on: left.joint.angle, value: 0}}\n"              \
                                "tendons: {line: {path: [{port: arm.tip}, {port: left.tip}], "     \
                                "stiffness: 10, damping: 1}}\n"                                    \
                                "grounds: {floor: {point: [0, 0, -9], law: {normal: hertz, "       \
                                "stiffness: 1e6}}}\n"                                              \
                                "contacts: [{on: left.tip, with: floor}]\nrun: {to: 0.02, "        \
                                "output-every: 0.01}\n"

enum { ROOM_SIZE = 1 << 16, PATH = 64, LAST = 8 };

/* What stays for all calls. */
static struct {
  char folder[PATH], model_path[PATH], result_path[PATH], other_path[PATH], page_path[PATH];
  const char *path, *saved, *other, *page;
  apl_file* file;
  apl_model* model;
  apl_result* result;
  apl_equilibrium_options equilibrium;
  apl_modes_options modes;
  apl_load_options load;
  apl_run_options run;
  apl_surface surface;
} the;

/* What one call borrows. */
static struct {
  apl_spec* spec;
  apl_state* state;
  apl_system* system;
  apl_signal *signal, *part[2];
  apl_derivatives* derivatives;
  apl_closing* closing;
  apl_modes* modes;
  apl_recorder* recorder;
  apl_run_options run;
  apl_event event;
} lent;

static void* room;
static apl_error err; /* what the call in hand has said */
static apl_report report;
static const double zeros[LAST * LAST], ones[1000] = {1}, rising[LAST] = {0, 1, 2, 3, 4, 5, 6, 7};
static const double not_finite[1] = {(double)NAN};
static const int none[LAST * LAST];
static const char* const no_word = NULL;

/* ------------------------------------------------------------------ objects that a call takes ----
 */

static apl_spec* own_spec(void) {
  apl_spec* spec = NULL;

  CHECK_OK(apl_spec_new(&spec));
  const int arm = apl_spec_link(spec, "arm", "world", "revolute", "rigid");
  apl_spec_vec3(spec, arm, "joint.axis", 0, 1, 0);
  apl_spec_number(spec, arm, "body.mass", 1.0);
  apl_spec_vec3(spec, arm, "body.com", 0.5, 0, 0);
  apl_spec_port(spec, arm, "tip", 0.0, apl_pose_at(1, 0, 0));
  const int beam = apl_spec_link(spec, "beam", "arm.tip", "fixed", "beam");
  apl_spec_number(spec, beam, "body.length", 1.0);
  apl_spec_number(spec, beam, "body.density", 1e3);
  apl_spec_number(spec, beam, "body.young-modulus", 1e9);
  apl_spec_number(spec, beam, "body.width", 0.02);
  apl_spec_number(spec, beam, "body.height", 0.01);
  apl_spec_word(spec, beam, "body.directions", "bend-x");
  apl_spec_number(spec, beam, "body.modes", 1.0);
  const int line = apl_spec_tendon(spec, "line");
  apl_spec_tendon_port(spec, line, "arm.tip");
  apl_spec_tendon_port(spec, line, "beam.tip");
  apl_spec_ground(spec, "floor", &the.surface);
  CHECK_TRUE(apl_spec_error(spec)->status == APL_OK, "%s", apl_spec_error(spec)->text);
  return spec;
}

static apl_file* own_file(void) {
  apl_file* file = NULL;
  CHECK_OK(apl_file_parse(FILE_TEXT, strlen(FILE_TEXT), NULL, &file, NULL));
  return file;
}

static apl_model* own_model(void) {
  apl_model* model = NULL;
  CHECK_OK(apl_file_model(the.file, &model, NULL));
  return model;
}

static apl_system* own_system(void) {
  apl_system* system = NULL;
  CHECK_OK(apl_file_system(the.file, the.model, APL_READY, &system, NULL));
  return system;
}

static apl_signal* own_signal(void) {
  apl_signal* signal = NULL;
  CHECK_OK(apl_signal_constant(1.0, &signal, NULL));
  return signal;
}

static apl_derivatives* own_derivatives(void) {
  apl_derivatives* derivatives = NULL;
  CHECK_OK(apl_derivatives_new(the.model, &derivatives));
  return derivatives;
}

static apl_closing* own_closing(void) {
  apl_closing* closing = NULL;
  CHECK_OK(apl_closing_new(the.model, &closing));
  return closing;
}

static apl_result* own_result(void) {
  apl_result* result = NULL;
  CHECK_OK(apl_result_open(the.saved, &result, NULL));
  return result;
}

static apl_spec* take_spec(void) {
  return lent.spec = own_spec();
}

static apl_state* own_state(void) {
  apl_state* state = NULL;
  CHECK_OK(apl_state_new(the.model, APL_SCALAR, &state));
  return state;
}

static apl_state* take_state(apl_number number) {
  CHECK_OK(apl_state_new(the.model, number, &lent.state));
  return lent.state;
}

static apl_system* take_system(void) {
  return lent.system = own_system();
}

static apl_signal* take_signal(void) {
  return lent.signal = own_signal();
}

/* Signals that a sum owns if it was made, and the caller if not. */
static apl_signal* const* own_parts(void) {
  lent.part[0] = own_signal();
  lent.part[1] = own_signal();
  return lent.part;
}

static apl_signal* const* hollow_parts(void) {
  lent.part[0] = own_signal();
  lent.part[1] = NULL;
  return lent.part;
}

static void free_parts(void) {
  apl_signal_free(lent.part[0]);
  apl_signal_free(lent.part[1]);
}

static apl_derivatives* take_derivatives(void) {
  return lent.derivatives = own_derivatives();
}

static apl_closing* take_closing(void) {
  return lent.closing = own_closing();
}

static apl_modes* own_modes(void) {
  apl_modes* modes = NULL;
  apl_state* state = own_state();
  CHECK_OK(apl_modes_new(the.model, state, NULL, &modes, NULL));
  apl_state_free(state);
  return modes;
}

static apl_modes* take_modes(void) {
  return lent.modes = own_modes();
}

static apl_linear_system* own_linear(void) {
  apl_linear_system* linear = NULL;
  CHECK_OK(apl_linearize(take_system(), 0.0, NULL, &linear, NULL));
  return linear;
}

static apl_recorder* own_recorder(void) {
  apl_recorder_options o = apl_recorder_options_default();
  apl_recorder* recorder = NULL;

  o.keep = true;
  CHECK_OK(apl_recorder_new(the.file, take_system(), &the.run, &o, &recorder, NULL));
  return recorder;
}

static apl_recorder* take_recorder(bool done) {
  lent.recorder = own_recorder();
  if (done) CHECK_OK(apl_recorder_run(lent.recorder, NULL, NULL));
  return lent.recorder;
}

/* Options of a run with another method, and with so many events that have no function. */
static const apl_run_options* bad_run(const char* method, int nevent) {
  lent.event = (apl_event){.name = "empty"};
  lent.run = the.run;
  lent.run.method = method;
  lent.run.nevent = nevent;
  lent.run.event = nevent > 0 ? &lent.event : NULL;
  return &lent.run;
}

/* All that a call has borrowed goes back; recorders before their systems. */
static void give_back(void) {
  apl_recorder_free(lent.recorder);
  apl_modes_free(lent.modes);
  apl_closing_free(lent.closing);
  apl_derivatives_free(lent.derivatives);
  apl_signal_free(lent.signal);
  apl_system_free(lent.system);
  apl_state_free(lent.state);
  apl_spec_free(lent.spec);
  memset(&lent, 0, sizeof lent);
  memset(&err, 0, sizeof err);
  memset(&report, 0, sizeof report);
}

/* -------------------------------------------------------------------- what a call must answer ----
 */

/* `what`: w wrong, to be refused; r right and m permitted, to be accepted; h hard, either. */
static void check_status(char what, bool open, apl_status st, const apl_error* said,
                         const apl_report* list) {
  if (what == 'w') CHECK_TRUE(st != APL_OK, "it was accepted");
  if ((what == 'r' || what == 'm') && !open) {
    CHECK_TRUE(st == APL_OK, "%s: %s", apl_status_text(st),
               said != NULL   ? said->text
               : list != NULL ? list->item[0].text
                              : "");
  }
  if (st == APL_OK) return;
  if (said != NULL) CHECK_TRUE(said->text[0] != '\0', "it failed without a sentence");
  if (list != NULL) {
    CHECK_TRUE(list->count > 0 && list->item[0].text[0] != '\0', "it failed without a sentence");
  }
}

static void check_spec(char what, const apl_spec* spec) {
  if (spec == NULL) return;
  const apl_error* said = apl_spec_error(spec);
  if (what == 'w') CHECK_TRUE(said->status != APL_OK, "it was accepted");
  if (what == 'r' || what == 'm') CHECK_TRUE(said->status == APL_OK, "%s", said->text);
  if (said->status != APL_OK) CHECK_TRUE(said->text[0] != '\0', "it failed without a sentence");
}

#include "api_calls.h"

/* --------------------------------------------------------------------------------- the frame ----
 */

static int set_up(void** unused) {
  (void)unused;
  room = aligned_alloc(64, ROOM_SIZE);
  assert_non_null(room);
  memset(room, 0, ROOM_SIZE);
  strcpy(the.folder, "/tmp/appell-api-XXXXXX");
  assert_non_null(mkdtemp(the.folder));
  snprintf(the.model_path, PATH, "%.30s/every.yaml", the.folder);
  snprintf(the.result_path, PATH, "%.30s/every.h5", the.folder);
  snprintf(the.other_path, PATH, "%.30s/other.csv", the.folder);
  snprintf(the.page_path, PATH, "%.30s/every.html", the.folder);
  the.path = the.model_path;
  the.saved = the.result_path;
  the.other = the.other_path;
  the.page = the.page_path;
  FILE* f = fopen(the.path, "w");
  assert_non_null(f);
  fputs(FILE_TEXT, f);
  fclose(f);

  the.equilibrium = apl_equilibrium_options_default();
  the.modes = apl_modes_options_default();
  the.load = apl_load_options_default();
  the.surface = apl_surface_default();
  the.surface.stiffness = 1e6;
  CHECK_TRUE(apl_file_load(the.path, NULL, &the.file, &report) == APL_OK, "%s",
             report.item[0].text);
  CHECK_TRUE(apl_file_model(the.file, &the.model, &report) == APL_OK, "%s", report.item[0].text);
  the.run = apl_file_options(the.file);
  CHECK_OK(apl_recorder_save(take_recorder(true), the.saved, NULL));
  the.result = own_result();
  give_back();
  return 0;
}

static int tear_down(void** unused) {
  (void)unused;
  apl_result_free(the.result);
  apl_model_free(the.model);
  apl_file_free(the.file);
  free(room);
  unlink(the.path);
  unlink(the.saved);
  unlink(the.other);
  unlink(the.page);
  return rmdir(the.folder);
}

int main(void) {
  return cmocka_run_group_tests_name("api", calls, set_up, tear_down);
}
