/* SPDX-License-Identifier: Apache-2.0 */
/* manual.c: docs/formats/model.md, made from the tables that the reader uses, so that it cannot
   differ from what the program accepts. */
#include "spec/file_impl.h"

#include "text/out.h"

#include <math.h>
#include <string.h>

static const char introduction[] =
    "# Model files\n"
    "\n"
    "<!-- Made by `appell check --docs` from the tables the reader uses; do not edit. -->\n"
    "\n"
    "A model file is YAML (JSON is a subset of it): one document without anchors, aliases and "
    "tags, at most 1 MiB, nested at\n"
    "most 64 levels deep. An unknown key is an error. Angles are in radians and all other values "
    "in SI units, unless a unit is written.\n"
    "\n"
    "```yaml\n"
    "appell: 1\n"
    "name: double pendulum\n"
    "links:\n"
    "  - name: upper\n"
    "    joint: {type: revolute, axis: y, damping: 0.01 N m s/rad}\n"
    "    body: {mass: 1 kg, com: [0, 0, -25 cm], inertia: {xx: 0.02, yy: 0.02, zz: 0.001}}\n"
    "    ports: {elbow: {at: [0, 0, -50 cm]}}\n"
    "  - name: lower\n"
    "    on: upper.elbow\n"
    "    joint: {type: revolute, axis: y}\n"
    "    body: {mass: 0.5 kg, com: [0, 0, -20 cm]}\n"
    "start: {upper.joint.angle: 90 deg, lower.joint.angle.rate: 1 rad/s}\n"
    "run: {to: 10 s, tolerance: 1e-9}\n"
    "```\n"
    "\n"
    "**Names** begin with a letter and consist of letters, digits, `_` and `-`. A dot leads from "
    "an object to its parts: `upper.elbow`\n"
    "is a port, `upper.joint.angle` a coordinate and its velocity, `rod.x0` a deformation, "
    "`base.right` a wheel.\n"
    "\n"
    "**Quantities** are numbers in SI units and radians, or texts with a unit: `5 mm`, `200 GPa`, "
    "`30 deg`, `0.1 N m`,\n"
    "`9.81 m/s^2`, `3 g cm^2`, `2 kg/(m s)`. The units are m, g, s, A, K, N, Pa, J, W, V, ohm, H, "
    "Hz, rad, bar with the prefixes\n"
    "p n u m c d k M G T, and deg, turn, rpm, min, h. A unit of the wrong dimension is an error.\n"
    "\n"
    "**Poses** (`at`) are `[x, y, z]` or `{position: [x, y, z], rotation: ..}`. **Axes** are `x`, "
    "`-z` or `[1, 0, 1]`; they need not have unit length.\n"
    "\n"
    "**Inertias** are `{xx: .., yy: .., zz: .., xy: .., xz: .., yz: ..}`, with zero for components "
    "that are left out, or a list of all six in this order.\n"
    "\n"
    "**Tables** are the name of a CSV file, relative to the folder of the model file, or `{NAME: "
    "[1, 2, 3], ..}` with a list for each column.\n"
    "\n"
    "**Files** that a model file names are read only from its own folder and below, from the "
    "nearest parent folder that\n"
    "contains a `package.xml` and below, or from a folder given with `--allow-files`. Symbolic "
    "links are resolved before this check. Files may have at most 256 MB.\n"
    "\n"
    "**Initial values** are given by name: coordinates by their names, velocities by their names "
    "followed by `.rate` (which may be left out\n"
    "if no coordinate has the same name). `from: earlier.h5` takes all values from the last row of "
    "a result, by channel name;\n"
    "the path is relative to the folder of the model file. Other keys replace single values. Time "
    "begins at zero again.\n"
    "\n"
    "**Copies.** An item of a list, a named entry and a motion may have `repeat: {k: 16}` and then "
    "stand for 16 of them; `{k: [2, 16]}`\n"
    "begins at 2, and two variables make all pairs. In each copy `<k>`, `<k-1>`, `<k+2>` become "
    "numbers, in every text and in the name:\n"
    "\n"
    "```yaml\n"
    "links:\n"
    "  - {name: l1, joint: {type: revolute, axis: y}, body: {mass: 1 kg}, ports: {end: {at: [0, 0, "
    "-1]}}}\n"
    "  - {repeat: {k: [2, 16]}, name: l<k>, on: l<k-1>.end, joint: {type: revolute, axis: y}, "
    "body: "
    "{mass: 1 kg},\n"
    "     ports: {end: {at: [0, 0, -1]}}}\n"
    "contacts: [{on: l*.end}]\n"
    "```\n"
    "\n"
    "`--set 'l<k>.repeat.k=[2, 40]'` makes another chain, `--set l7.body.mass=2` changes one of "
    "its links. Files and copies may take 64 MB together.\n"
    "\n"
    "**Settings** change a file while it is read: `--set PATH=VALUE` of the commands, "
    "`apl_load_options.set` in C. A path consists of\n"
    "keys, and of names where a list has named items. It may begin with a link: `arm.body.mass=2 "
    "kg` means\n"
    "`links.arm.body.mass=2 kg`. Other examples: `gravity=[0, 0, 0]`, `arm.joint.damping=0.1`, "
    "`run.tolerance=1e-9`,\n"
    "`start.arm.joint.angle=10 deg`, `inputs.motor.value={sine: {amplitude: 1, frequency: 2}}`. "
    "Keys that the file does not have are added.\n"
    "A star stands for any letters of a name: `leg*.joint.damping=0.1` goes to all links that fit. "
    "`inputs.motor=0.5` of an input that has `on` sets its value.\n";

/* The form of a value, in a few words. */
static void write_form(text_out* o, const apl_field* f) {
  static const char* const word[] = {
      [APL_FORM_NUMBERS] = "",
      [APL_FORM_AXIS] = "axis",
      [APL_FORM_INERTIA] = "inertia",
      [APL_FORM_TEXT] = "text",
      [APL_FORM_FLAG] = "true or false",
      [APL_FORM_WHOLE] = "whole number",
      [APL_FORM_COUNTS] = "",
      [APL_FORM_CHOICE] = "",
      [APL_FORM_SET] = "",
      [APL_FORM_POSE] = "pose",
      [APL_FORM_TABLE] = "table",
      [APL_FORM_QUANTITY] = "number",
      [APL_FORM_QUANTITIES] = "list of numbers",
      [APL_FORM_SIGNAL] = "",
      [APL_FORM_SIGNALS] = "list of signals",
      [APL_FORM_BLOCK] = "",
  };

  if (f->form == APL_FORM_NUMBERS) {
    if (f->count == 1)
      apl_out_add(o, "number");
    else
      apl_out_add(o, "%d numbers", f->count);
  } else if (f->form == APL_FORM_CHOICE || f->form == APL_FORM_SET) {
    apl_out_add(o, f->form == APL_FORM_SET ? "list of " : "");
    for (const char* const* w = f->words; *w != NULL; ++w)
      apl_out_add(o, "%s`%s`", w == f->words ? "" : ", ", *w);
  } else if (f->form == APL_FORM_COUNTS) {
    apl_out_add(o, "whole number, or one for each of");
    for (const char* const* w = f->words; *w != NULL; ++w)
      apl_out_add(o, "%s `%s`", w == f->words ? "" : ",", *w);
  } else if (f->form == APL_FORM_BLOCK || f->form == APL_FORM_SIGNAL) {
    apl_out_add(o, "[%s](#%s)", f->words[0], f->words[0]);
  } else {
    apl_out_add(o, "%s", word[f->form]);
  }
}

static void write_default(text_out* o, const apl_field* f) {
  const char* text;

  if (f->fallback == NULL) {
    apl_out_add(o, "required");
  } else if (f->form == APL_FORM_NUMBERS && isinf(*(const double*)f->fallback)) {
    apl_out_add(o, "none");
  } else if (f->form == APL_FORM_NUMBERS || f->form == APL_FORM_AXIS) {
    apl_out_numbers(o, f->fallback, f->count);
  } else if (f->form == APL_FORM_TEXT || f->form == APL_FORM_CHOICE) {
    memcpy(&text, f->fallback, sizeof text);
    apl_out_add(o, "%s", text);
  } else if (f->form == APL_FORM_WHOLE || f->form == APL_FORM_COUNTS) {
    apl_out_add(o, "%d", *(const int*)f->fallback);
  } else if (f->form == APL_FORM_SET) {
    const unsigned set = *(const unsigned*)f->fallback;
    for (int k = 0, n = 0; f->words[k] != NULL; ++k) {
      if ((set >> k & 1u) != 0) apl_out_add(o, "%s%s", n++ > 0 ? ", " : "", f->words[k]);
    }
  } else if (f->form == APL_FORM_QUANTITY) {
    memcpy(&text, f->fallback, sizeof text); /* the text is the first member of a spec_quantity */
    apl_out_add(o, "%s", text == NULL ? "none" : text);
  } else if (f->form == APL_FORM_FLAG) {
    apl_out_add(o, "false");
  }
}

static void write_table(text_out* o, const apl_field* field) {
  if (field == NULL || field->name == NULL) return;
  apl_out_add(o, "\n| key | value | unit | default | meaning |\n|---|---|---|---|---|\n");
  for (const apl_field* f = field; f->name != NULL; ++f) {
    const bool unit = f->form == APL_FORM_NUMBERS || f->form == APL_FORM_INERTIA ||
                      f->form == APL_FORM_QUANTITY || f->form == APL_FORM_QUANTITIES;
    apl_out_add(o, "| `%s` | ", f->name);
    write_form(o, f);
    apl_out_add(o, " | %s | ", unit && strcmp(f->unit, "1") != 0 ? f->unit : "");
    write_default(o, f);
    apl_out_add(o, " | %s |\n", f->sentence);
  }
}

static void write_kind(text_out* o, const char* word, const char* title, const apl_field* field) {
  apl_out_add(o, "\n### `type: %s`\n\n%c%s.\n", word,
              title[0] >= 'a' && title[0] <= 'z' ? title[0] - 'a' + 'A' : title[0], title + 1);
  write_table(o, field);
}

/* The coordinates or velocities of a joint, with their units. */
static void write_names(text_out* o, const char* what, const char* const* name,
                        const char* const* unit, int n) {
  if (n == 0) return;
  apl_out_add(o, "\n%s:", what);
  for (int k = 0; k < n; ++k)
    apl_out_add(o, "%s `%s` [%s]", k == 0 ? "" : ",", name[k], unit[k]);
  apl_out_add(o, ".\n");
}

/* The types of signals: {WORD: {..}}, or {WORD: VALUE}. */
static void write_signals(text_out* o) {
  for (int t = SIGNAL_PLAIN + 1; t < SIGNAL_TYPES; ++t) {
    const signal_kind* k = &apl_signal_kinds[t];
    const bool list = k->field->form != APL_FORM_TEXT;
    apl_out_add(o, "\n### `{%s: %s}`\n\n%c%s%s%s.\n", k->word,
                k->bare ? (list ? "[..]" : "..") : "{..}", k->title[0] - 'a' + 'A', k->title + 1,
                k->bare ? ": " : "", k->bare ? k->field->sentence : "");
    if (!k->bare) write_table(o, k->field);
  }
}

/* Did an earlier block describe the same types? */
static bool described_before(const grammar_block* block) {
  const grammar_block* const* b = apl_grammar_blocks;

  while (*b != block && (*b)->type != block->type)
    ++b;
  return *b != block;
}

static void write_types(text_out* o, const grammar_block* b) {
  block_type type;
  if (b->type == NULL || described_before(b)) return;

  for (int i = 0; b->type(i, &type); ++i) {
    write_kind(o, type.word, type.title, type.field);
    if (b != &apl_block_joint) continue;
    const apl_joint_kind* k = apl_joint_kinds[i];
    write_names(o, "Coordinates", k->q_name, k->q_unit, k->nq);
    write_names(o, "Velocities", k->v_name, k->v_unit, k->nv);
  }
}

char* apl_file_manual(void) {
  static const char* const form[] = {
      [BLOCK_MAP] = "A map",
      [BLOCK_LIST] = "A list of maps",
      [BLOCK_NAMED] = "A map from names to maps",
      [BLOCK_NUMBERS] = "One number for all freedoms of the joint, or a list with one for each",
      [BLOCK_NAMES] = "A name, or a list of names",
      [BLOCK_SIGNAL] = "",
      [BLOCK_SIGNALS] = "A map",
      [BLOCK_ANY] = "",
  };
  text_out o = {0};

  apl_out_add(&o, "%s\n## The file\n", introduction);
  write_table(&o, apl_model_fields);
  for (const grammar_block* const* list = apl_grammar_blocks; *list != NULL; ++list) {
    const grammar_block* b = *list;
    const char* sentence = b->form == BLOCK_NUMBERS ? "" : b->title;
    apl_out_add(&o, "\n## %s\n\n%s%s%s.\n", b->word, form[b->form],
                form[b->form][0] != '\0' && sentence[0] != '\0' ? ": " : "", sentence);
    write_table(&o, b->field);
    write_types(&o, b);
    if (b->form == BLOCK_SIGNAL) write_signals(&o);
  }
  return apl_out_take(&o);
}
