/* write_run.c: what drives a robot, where it starts and how it runs. */
#include "spec/write.h"

#include <string.h>

/* ---------------------------------------------------------------------------------- drives ---- */

static void write_input(text_out* o, const spec_input* in) {
  const grammar_input row = {
      .on = in->target,
      .gain = in->gain,
      .force = {in->wrench.force.x, in->wrench.force.y, in->wrench.force.z},
      .moment = {in->wrench.moment.x, in->wrench.moment.y, in->wrench.moment.z},
      .axes = apl_axes_words[in->push && in->axes == APL_PORT_AXES ? 1 : 0],
      .value = in->value,
      .least = in->least,
      .greatest = in->greatest};
  const char* comma = "";

  apl_out_add(o, "  %s: {", in->name);
  apl_fields_write(o, apl_input_fields, &row, APL_ALL_FIELDS, &comma);
  apl_out_add(o, "}\n");
}

static void write_drives(text_out* o, const char* block, const spec_drive* drive, int n) {
  if (n > 0) apl_out_add(o, "%s:\n", block);
  for (int i = 0; i < n; ++i) {
    apl_out_add(o, "  ");
    apl_out_scalar(o, drive[i].name);
    apl_out_add(o, ": ");
    if (drive[i].path != NULL) {
      apl_out_add(o, "{path: ");
      apl_out_scalar(o, drive[i].path);
      apl_out_add(o, "}");
    } else {
      apl_signal_write(o, drive[i].signal);
    }
    apl_out_add(o, "\n");
  }
}

static void write_wave(text_out* o, const char* key, const apl_gait_wave* wave) {
  const char* comma = "";

  apl_out_add(o, ", %s: {", key);
  apl_fields_write(o, apl_gait_wave_fields, wave, APL_ALL_FIELDS, &comma);
  apl_out_add(o, "}");
}

static void write_gait(text_out* o, const spec_gait* g) {
  const grammar_gait row = {
      .type = g->type, .gait = g->gait, .offset = g->offset, .travel = g->travel};
  const shape_kind* kind = apl_gait_kinds;
  const char* comma = "";

  while (strcmp(kind->word, g->type) != 0)
    ++kind;
  apl_out_add(o, "  - {");
  apl_fields_write(o, apl_gait_fields, &row, APL_ALL_FIELDS, &comma);
  apl_fields_write(o, kind->field, &row, APL_ALL_FIELDS, &comma);
  if (g->pitch) write_wave(o, "pitch", &g->gait.pitch);
  if (g->yaw) write_wave(o, "yaw", &g->gait.yaw);
  for (int i = 0; i < g->nname; ++i) {
    apl_out_add(o, "%s", i > 0 ? ", " : g->chain ? ", chain: [" : ", joints: [");
    apl_out_scalar(o, g->name[i]);
  }
  apl_out_add(o, "]}\n");
}

static void write_all_drives(text_out* o, const apl_spec* s) {
  if (s->ninput > 0) apl_out_add(o, "inputs:\n");
  for (int i = 0; i < s->ninput; ++i)
    write_input(o, &s->input[i]);
  write_drives(o, "motion", s->motion, s->nmotion);
  if (s->ngait > 0) apl_out_add(o, "gaits:\n");
  for (int i = 0; i < s->ngait; ++i)
    write_gait(o, &s->gait[i]);
  write_drives(o, "signals", s->signal, s->nsignal);
}

/* ----------------------------------------------------------------------------------- run ---- */

static void write_values(text_out* o, const spec_value* value, int n, const char** comma) {
  for (int i = 0; i < n; ++i) {
    apl_out_add(o, "%s", *comma);
    apl_out_scalar(o, value[i].name);
    apl_out_add(o, ": ");
    apl_out_scalar(o, value[i].value.text);
    *comma = ", ";
  }
}

static void write_start(text_out* o, const spec_start* s) {
  static const char* const balance[] = {NULL, "true", "stable"};
  const char* comma = "start: {";

  if (s->from != NULL) {
    apl_out_add(o, "%sfrom: ", comma);
    apl_out_scalar(o, s->from);
    comma = ", ";
  }
  if (s->settle) {
    apl_out_add(o, "%ssettle: true", comma);
    comma = ", ";
  }
  if (s->balance != BALANCE_NONE) {
    apl_out_add(o, "%sequilibrium: %s", comma, balance[s->balance]);
    comma = ", ";
  }
  write_values(o, s->value, s->nvalue, &comma);
  if (s->nnear > 0) {
    const char* inner = "";
    apl_out_add(o, "%snear: {", comma);
    write_values(o, s->near, s->nnear, &inner);
    apl_out_add(o, "}");
    comma = ", ";
  }
  if (comma[0] == ',') apl_out_add(o, "}\n");
}

static void write_run(text_out* o, const apl_run_block* run) {
  const char* comma = "run: {";

  apl_fields_write(o, apl_run_fields, run, APL_ALL_FIELDS, &comma);
  if (comma[0] == ',') apl_out_add(o, "}\n");
}

static void write_record(text_out* o, const apl_spec* s) {
  const char *comma = "record: {", *between = "ports: [";

  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < s->nrecord; ++i) {
      const char* word = s->record[i].text;
      if ((strchr(word, '.') != NULL) != (pass == 1)) continue;
      apl_out_add(o, pass == 0 ? "%s%s: true" : "%s%s%s",
                  pass == 0 || between[0] == 'p' ? comma : "", pass == 0 ? word : between, word);
      comma = ", ";
      if (pass == 1) between = ", ";
    }
  }
  if (between[0] == ',') apl_out_add(o, "]");
  if (comma[0] == ',') apl_out_add(o, "}\n");
}

void apl_run_write(text_out* o, const apl_spec* s) {
  write_all_drives(o, s);
  write_start(o, &s->start);
  write_run(o, &s->run);
  write_record(o, s);
}
