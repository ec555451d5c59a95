/* write.c: spec -> model file, by the tables the reader uses. Only what differs from the defaults
   is written, and every number reads back to the same double. */
#include "spec/file_impl.h"

#include "text/out.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------------------- values ---- */

static void write_axis(text_out* o, const double* axis) {
  static const char* const word[] = {"x", "y", "z", "-x", "-y", "-z"};
  int at = -1, others = 0;

  for (int k = 0; k < 3; ++k) {
    if (axis[k] == 1.0)
      at = k;
    else if (axis[k] == -1.0)
      at = k + 3;
    else
      others += axis[k] == 0.0;
  }
  if (at >= 0 && others == 2)
    apl_out_add(o, "%s", word[at]);
  else
    apl_out_numbers(o, axis, 3);
}

static void write_inertia(text_out* o, const double* I) {
  const char* comma = "";

  apl_out_add(o, "{");
  for (int k = 0; k < 6; ++k) {
    if (I[k] == 0.0) continue;
    apl_out_add(o, "%s%s: ", comma, apl_inertia_fields[k].name);
    apl_out_numbers(o, &I[k], 1);
    comma = ", ";
  }
  apl_out_add(o, "}");
}

static void write_pose(text_out* o, apl_pose p) {
  const double position[] = {p.position.x, p.position.y, p.position.z};
  const double q[] = {p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z};
  const bool turned = q[0] != 1.0 || q[1] != 0.0 || q[2] != 0.0 || q[3] != 0.0;

  if (turned) apl_out_add(o, "{position: ");
  apl_out_numbers(o, position, 3);
  if (!turned) return;
  apl_out_add(o, ", rotation: {quaternion: ");
  apl_out_numbers(o, q, 4);
  apl_out_add(o, "}}");
}

static void write_set(text_out* o, const char* const* words, const void* at) {
  const char* comma = "";
  unsigned set;

  memcpy(&set, at, sizeof set);
  apl_out_add(o, "[");
  for (int k = 0; words[k] != NULL; ++k) {
    if ((set >> k & 1u) == 0) continue;
    apl_out_add(o, "%s%s", comma, words[k]);
    comma = ", ";
  }
  apl_out_add(o, "]");
}

/* 3 when all are alike, else {word: 3, ..} without the zeros */
static void write_counts(text_out* o, const apl_field* f, const int* count) {
  const char* comma = "";
  bool alike = true;

  for (int k = 1; k < f->count; ++k)
    alike = alike && count[k] == count[0];
  if (alike) {
    apl_out_add(o, "%d", count[0]);
    return;
  }
  apl_out_add(o, "{");
  for (int k = 0; k < f->count; ++k) {
    if (count[k] == 0) continue;
    apl_out_add(o, "%s%s: %d", comma, f->words[k], count[k]);
    comma = ", ";
  }
  apl_out_add(o, "}");
}

static void write_table(text_out* o, const void* at) {
  const apl_columns* t;

  memcpy(&t, at, sizeof t);
  for (int c = 0; c < t->ncolumn; ++c) {
    apl_out_add(o, c == 0 ? "{" : ", ");
    apl_out_scalar(o, t->name[c]);
    apl_out_add(o, ": ");
    apl_out_numbers(o, t->value[c], t->nrow);
  }
  apl_out_add(o, "}");
}

static void write_value(text_out* o, const apl_field* f, const void* at) {
  const char* text;
  apl_pose place;
  int whole;

  switch (f->form) {
  case APL_FORM_NUMBERS:
    apl_out_numbers(o, at, f->count);
    return;
  case APL_FORM_AXIS:
    write_axis(o, at);
    return;
  case APL_FORM_INERTIA:
    write_inertia(o, at);
    return;
  case APL_FORM_POSE:
    memcpy(&place, at, sizeof place);
    write_pose(o, place);
    return;
  case APL_FORM_FLAG:
    apl_out_add(o, *(const bool*)at ? "true" : "false");
    return;
  case APL_FORM_WHOLE:
    memcpy(&whole, at, sizeof whole);
    apl_out_add(o, "%d", whole);
    return;
  case APL_FORM_COUNTS:
    write_counts(o, f, at);
    return;
  case APL_FORM_TEXT:
  case APL_FORM_CHOICE:
    memcpy(&text, at, sizeof text);
    apl_out_scalar(o, text);
    return;
  case APL_FORM_SET:
    write_set(o, f->words, at);
    return;
  case APL_FORM_TABLE:
    write_table(o, at);
    return;
  case APL_FORM_BLOCK:
    return;
  }
}

/* texts are equal by what they say, everything else by its bytes */
static bool is_default(const apl_field* f, const void* at) {
  if (f->fallback == NULL) return false;
  if (f->form != APL_FORM_TEXT && f->form != APL_FORM_CHOICE) {
    return memcmp(at, f->fallback, apl_field_size(f)) == 0;
  }
  const char *a, *b;
  memcpy(&a, at, sizeof a);
  memcpy(&b, f->fallback, sizeof b);
  return strcmp(a, b) == 0;
}

/* "key: value" for all rows that are not at their default; required rows when `given` has them */
static void write_fields(text_out* o, const apl_field* field, const void* from,
                         unsigned long long given, const char** comma) {
  for (int i = 0; field[i].name != NULL; ++i) {
    const void* at = (const char*)from + field[i].offset;
    const bool absent = field[i].fallback == NULL && (given >> i & 1) == 0;
    if (field[i].form == APL_FORM_BLOCK || absent || is_default(&field[i], at)) continue;
    apl_out_add(o, "%s%s: ", *comma, field[i].name);
    write_value(o, &field[i], at);
    *comma = ", ";
  }
}

static const unsigned long long ALL = ~0ULL;

/* --------------------------------------------------------------------------------- links ---- */

/* Unless all are as they were without being written: `usual`, or zero. */
static void write_freedoms(text_out* o, const char* key, const double* value, const double* usual,
                           int n) {
  bool same = true;

  for (int k = 0; k < n; ++k)
    same = same && value[k] == (usual == NULL ? 0.0 : usual[k]);
  if (same) return;
  apl_out_add(o, ", %s: ", key);
  apl_out_numbers(o, value, n);
}

static void write_servo(text_out* o, const spec_link* l, int n) {
  const struct {
    const char* key;
    const double* value;
    double usual;
  } row[] = {{"stiffness", l->servo_stiffness, 0.0},
             {"damping", l->servo_damping, 0.0},
             {"effort", l->servo_effort, HUGE_VAL},
             {"speed", l->servo_speed, HUGE_VAL}};
  const char* comma = "";
  if (!l->servo) return;

  apl_out_add(o, ", servo: {");
  for (int i = 0; i < 4; ++i) {
    bool usual = true;
    for (int k = 0; k < n; ++k)
      usual = usual && row[i].value[k] == row[i].usual;
    if (usual) continue;
    apl_out_add(o, "%s%s: ", comma, row[i].key);
    apl_out_numbers(o, row[i].value, n);
    comma = ", ";
  }
  apl_out_add(o, "}");
}

static void write_joint(text_out* o, const spec_link* l) {
  const apl_joint_kind* kind = apl_joint_kinds[l->joint_kind];
  const char* comma = ", ";

  const spec_link usual = {.friction_speed = APL_FRICTION_SPEED,
                           .stop_stiffness = APL_STOP_STIFFNESS};

  apl_out_add(o, "    joint: {type: %s", kind->word);
  if (l->joint_name[0] != '\0') apl_out_add(o, ", name: %s", l->joint_name);
  write_fields(o, kind->field, l->joint_param, l->joint_given, &comma);
  write_freedoms(o, "stiffness", l->stiffness, NULL, kind->nt);
  write_freedoms(o, "damping", l->damping, NULL, kind->slaved ? kind->nt : kind->nv);
  write_freedoms(o, "rest", l->rest, kind->neutral, kind->nq);
  write_freedoms(o, "friction", l->friction, NULL, kind->nv == 1 ? 1 : 0);
  write_freedoms(o, "friction-speed", &l->friction_speed, &usual.friction_speed, kind->nv > 0);
  write_freedoms(o, "stop-stiffness", &l->stop_stiffness, &usual.stop_stiffness, kind->nv > 0);
  write_freedoms(o, "stop-damping", &l->stop_damping, &usual.stop_damping, kind->nv > 0);
  if (l->limits_given != 0) {
    comma = "";
    apl_out_add(o, ", limits: {");
    write_fields(o, apl_limits_fields, &l->limits, ALL, &comma);
    apl_out_add(o, "}");
  }
  write_servo(o, l, kind->nv);
  if (l->joint_prescribed && kind->nv > 0) apl_out_add(o, ", prescribed: true");
  for (int k = 0; k < l->nrotor; ++k) {
    const spec_rotor* r = &l->rotor[k];
    const grammar_rotor row = {r->name, r->velocity > 0 ? kind->v_name[r->velocity] : "",
                               r->inertia, r->ratio};
    comma = "";
    apl_out_add(o, k == 0 ? ", rotors: [{" : ", {");
    write_fields(o, apl_rotor_fields, &row, ALL, &comma);
    apl_out_add(o, k == l->nrotor - 1 ? "}]" : "}");
  }
  apl_out_add(o, "}\n");
}

static void write_body(text_out* o, const spec_link* l) {
  const apl_body_kind* kind = apl_body_kinds[l->body_kind];
  const char* comma = ", ";

  apl_out_add(o, "    body: {type: %s", kind->word);
  write_fields(o, kind->field, l->body_param, l->body_given, &comma);
  apl_out_add(o, l->body_prescribed && !kind->rigid ? ", prescribed: true}\n" : "}\n");
}

static void write_ports(text_out* o, const spec_link* l) {
  if (l->nport > 0) apl_out_add(o, "    ports:\n");
  for (int k = 0; k < l->nport; ++k) {
    /* builder programs may give a station to a rigid body, where it means nothing */
    const bool rigid = apl_body_kinds[l->body_kind]->rigid;
    const grammar_port row = {l->port[k].at, rigid ? 0.0 : l->port[k].station};
    const char* comma = "";
    apl_out_add(o, "      %s: {", l->port[k].name);
    write_fields(o, apl_port_fields, &row, ALL, &comma);
    apl_out_add(o, "}\n");
  }
}

static void write_shapes(text_out* o, const spec_link* l) {
  if (l->nshape > 0) apl_out_add(o, "    shapes:\n");
  for (int k = 0; k < l->nshape; ++k) {
    const spec_shape* s = &l->shape[k];
    const shape_kind* kind = apl_shape_kinds;
    const char* comma = "";
    while (strcmp(kind->word, s->type) != 0)
      ++kind;
    apl_out_add(o, "      - {");
    write_fields(o, apl_shape_fields, s, ALL, &comma);
    write_fields(o, kind->field, s, ALL, &comma);
    apl_out_add(o, "}\n");
  }
}

static void write_link(text_out* o, const spec_link* l) {
  const grammar_link row = {.name = l->name, .on = l->on, .at = l->at};
  const char* comma = "";

  apl_out_add(o, "  - ");
  for (int i = 0; apl_link_fields[i].name != NULL; ++i) {
    const apl_field one[] = {apl_link_fields[i], APL_FIELD_END};
    const size_t before = o->used;
    write_fields(o, one, &row, ALL, &comma);
    if (o->used > before) apl_out_add(o, "\n");
    if (o->used > before) comma = "    ";
  }
  write_joint(o, l);
  write_body(o, l);
  write_ports(o, l);
  write_shapes(o, l);
}

static void write_tendon(text_out* o, const spec_tendon* t) {
  const grammar_tendon row = {.stiffness = t->stiffness, .damping = t->damping, .rest = t->rest};
  const char* comma = "";

  apl_out_add(o, "  %s:\n    path:\n", t->name);
  for (int k = 0; k < t->nguide; ++k) {
    const spec_guide* g = &t->guide[k];
    const grammar_guide guide = {.port = g->port == NULL ? "" : g->port,
                                 .along = g->link == NULL ? "" : g->link,
                                 .offset = {g->offset[0], g->offset[1]},
                                 .from = g->from,
                                 .to = g->port == NULL ? g->to : 1.0,
                                 .discs = g->discs};
    comma = "";
    apl_out_add(o, "      - {");
    write_fields(o, apl_guide_fields, &guide, ALL, &comma);
    apl_out_add(o, "}\n");
  }
  for (int i = 0; apl_tendon_fields[i].name != NULL; ++i) {
    const apl_field one[] = {apl_tendon_fields[i], APL_FIELD_END};
    const size_t before = o->used;
    comma = "    ";
    write_fields(o, one, &row, ALL, &comma);
    if (o->used > before) apl_out_add(o, "\n");
  }
}

/* --------------------------------------------------------------------------------- loops ---- */

static void write_loops(text_out* o, const apl_spec* s) {
  if (s->nloop > 0) apl_out_add(o, "loops:\n");
  for (int i = 0; i < s->nloop; ++i) {
    const apl_closure* c = &s->loop[i].c;
    const grammar_loop row = {*c, apl_loop_axes_words[c->axes == APL_PORT_AXES ? 0 : 1]};
    const char* comma = "";
    apl_out_add(o, "  - {");
    write_fields(o, apl_loop_fields, &row, ALL, &comma);
    apl_out_add(o, "}\n");
  }
  if (s->ncoupling > 0) apl_out_add(o, "couplings:\n");
  for (int i = 0; i < s->ncoupling; ++i) {
    const spec_coupling* c = &s->coupling[i];
    const grammar_coupling row = {.of = c->of, .to = c->to, .ratio = c->ratio};
    const char* comma = "";
    apl_out_add(o, "  %s: {", c->name);
    write_fields(o, apl_coupling_fields, &row, ALL, &comma);
    if (c->offset != 0.0) {
      apl_out_add(o, ", offset: ");
      apl_out_numbers(o, &c->offset, 1);
    }
    apl_out_add(o, "}\n");
  }
}

/* ------------------------------------------------------------------------------- contact ---- */

static void write_ground(text_out* o, const spec_ground* ground) {
  const apl_surface* g = &ground->g;
  const grammar_ground row = {.point = {g->point.x, g->point.y, g->point.z},
                              .normal = {g->normal.x, g->normal.y, g->normal.z},
                              .direction = {g->direction.x, g->direction.y, g->direction.z}};
  const char* comma = "";

  apl_out_add(o, "  %s: {", ground->name);
  write_fields(o, apl_ground_fields, &row, 0, &comma);
  apl_out_add(o, "%slaw: {", comma);
  comma = "";
  write_fields(o, apl_normal_fields, g, ALL, &comma);
  apl_out_add(o, "}, friction: {");
  comma = "";
  write_fields(o, apl_friction_fields, g, ALL, &comma);
  apl_out_add(o, "}}\n");
}

static void write_contacts(text_out* o, const apl_spec* s) {
  if (s->nground > 0) apl_out_add(o, "grounds:\n");
  for (int i = 0; i < s->nground; ++i)
    write_ground(o, &s->ground[i]);
  if (s->ncontact > 0) apl_out_add(o, "contacts:\n");
  for (int i = 0; i < s->ncontact; ++i) {
    const spec_contact* c = &s->contact[i];
    const grammar_contact row = {c->port, c->ground, c->radius, c->arc};
    const char* comma = "";
    apl_out_add(o, "  - {");
    write_fields(o, apl_contact_fields, &row, ALL, &comma);
    apl_out_add(o, "}\n");
  }
}

/* ----------------------------------------------------------------------------------- run ---- */

static void write_start(text_out* o, const spec_start* s) {
  static const char* const balance[] = {NULL, "true", "stable"};
  const char* comma = "start: {";

  if (s->from != NULL) {
    apl_out_add(o, "%sfrom: ", comma);
    apl_out_scalar(o, s->from);
    comma = ", ";
  }
  if (s->balance != BALANCE_NONE) {
    apl_out_add(o, "%sequilibrium: %s", comma, balance[s->balance]);
    comma = ", ";
  }
  for (int i = 0; i < s->nvalue; ++i) {
    apl_out_add(o, "%s", comma);
    apl_out_scalar(o, s->value[i].name);
    apl_out_add(o, ": ");
    apl_out_scalar(o, s->value[i].value.text);
    comma = ", ";
  }
  if (comma[0] == ',') apl_out_add(o, "}\n");
}

static void write_run(text_out* o, const apl_run_block* run) {
  const char* comma = "run: {";

  write_fields(o, apl_run_fields, run, ALL, &comma);
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

char* apl_spec_write(const apl_spec* s) {
  text_out o = {0};
  const double gravity[] = {s->gravity.x, s->gravity.y, s->gravity.z};

  apl_out_add(&o, "appell: 1\n");
  if (s->name[0] != '\0') {
    apl_out_add(&o, "name: ");
    apl_out_scalar(&o, s->name);
    apl_out_add(&o, "\n");
  }
  if (s->description[0] != '\0') {
    apl_out_add(&o, "description: ");
    apl_out_scalar(&o, s->description);
    apl_out_add(&o, "\n");
  }
  apl_out_add(&o, "gravity: ");
  apl_out_numbers(&o, gravity, 3);
  if (s->lenient) apl_out_add(&o, "\ndoubts: keep");
  apl_out_add(&o, s->nlink > 0 ? "\nlinks:\n" : "\nlinks: []\n");
  for (int i = 0; i < s->nlink; ++i)
    write_link(&o, s->link[i]);
  if (s->ntendon > 0) apl_out_add(&o, "tendons:\n");
  for (int i = 0; i < s->ntendon; ++i)
    write_tendon(&o, &s->tendon[i]);
  write_loops(&o, s);
  if (s->ninput > 0) apl_out_add(&o, "inputs:\n");
  for (int i = 0; i < s->ninput; ++i) {
    const spec_input* in = &s->input[i];
    const grammar_input row = {
        .on = in->target,
        .gain = in->gain,
        .force = {in->wrench.force.x, in->wrench.force.y, in->wrench.force.z},
        .moment = {in->wrench.moment.x, in->wrench.moment.y, in->wrench.moment.z},
        .axes = apl_axes_words[in->push && in->axes == APL_PORT_AXES ? 1 : 0]};
    const char* comma = "";
    apl_out_add(&o, "  %s: {", s->input[i].name);
    write_fields(&o, apl_input_fields, &row, ALL, &comma);
    apl_out_add(&o, "}\n");
  }
  write_contacts(&o, s);
  write_start(&o, &s->start);
  write_run(&o, &s->run);
  write_record(&o, s);
  return apl_out_take(&o);
}
