/* write.c: spec -> model file, by the tables the reader uses. Only what differs from the defaults
   is written, and every number reads back to the same double. Values are written by write_value.c,
   what drives and runs the robot by write_run.c. */
#include "spec/write.h"

#include <math.h>
#include <string.h>

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
             {"integral", l->servo_integral, 0.0},
             {"effort", l->servo_effort, HUGE_VAL},
             {"speed", l->servo_speed, HUGE_VAL}};
  const char* comma = "";
  if (!l->servo) return;

  apl_out_add(o, ", servo: {");
  for (int i = 0; i < 5; ++i) {
    bool usual = true;
    for (int k = 0; k < n; ++k)
      usual = usual && row[i].value[k] == row[i].usual;
    if (usual) continue;
    apl_out_add(o, "%s%s: ", comma, row[i].key);
    apl_out_numbers(o, row[i].value, n);
    comma = ", ";
  }
  if (l->servo_from_start) apl_out_add(o, "%saim: start", comma);
  apl_out_add(o, "}");
}

static void write_joint(text_out* o, const spec_link* l) {
  const apl_joint_kind* kind = apl_joint_kinds[l->joint_kind];
  const char* comma = ", ";

  const spec_link usual = {.friction_speed = APL_FRICTION_SPEED,
                           .stop_stiffness = APL_STOP_STIFFNESS};

  apl_out_add(o, "    joint: {type: %s", kind->word);
  if (l->joint_name[0] != '\0') apl_out_add(o, ", name: %s", l->joint_name);
  apl_fields_write(o, kind->field, l->joint_param, l->joint_given, &comma);
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
    apl_fields_write(o, apl_limits_fields, &l->limits, APL_ALL_FIELDS, &comma);
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
    apl_fields_write(o, apl_rotor_fields, &row, APL_ALL_FIELDS, &comma);
    apl_out_add(o, k == l->nrotor - 1 ? "}]" : "}");
  }
  apl_out_add(o, "}\n");
}

static void write_body(text_out* o, const spec_link* l) {
  const apl_body_kind* kind = apl_body_kinds[l->body_kind];
  const char* comma = ", ";

  apl_out_add(o, "    body: {type: %s", kind->word);
  apl_fields_write(o, kind->field, l->body_param, l->body_given, &comma);
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
    apl_fields_write(o, apl_port_fields, &row, APL_ALL_FIELDS, &comma);
    apl_out_add(o, "}\n");
  }
}

static void write_shape(text_out* o, const spec_shape* s) {
  const shape_kind* kind = apl_shape_kinds;
  const char* comma = "";

  while (strcmp(kind->word, s->type) != 0)
    ++kind;
  apl_fields_write(o, apl_shape_fields, s, APL_ALL_FIELDS, &comma);
  apl_fields_write(o, kind->field, s, APL_ALL_FIELDS, &comma);
  apl_out_add(o, "}\n");
}

static void write_shapes(text_out* o, const spec_link* l) {
  if (l->bare) apl_out_add(o, "    shapes: []\n");
  if (l->nshape > 0) apl_out_add(o, "    shapes:\n");
  for (int k = 0; k < l->nshape; ++k) {
    apl_out_add(o, "      - {");
    write_shape(o, &l->shape[k]);
  }
}

static void write_link(text_out* o, const spec_link* l) {
  const grammar_link row = {.name = l->name, .on = l->on, .at = l->at};
  const char* comma = "";

  apl_out_add(o, "  - ");
  for (int i = 0; apl_link_fields[i].name != NULL; ++i) {
    const apl_field one[] = {apl_link_fields[i], APL_FIELD_END};
    const size_t before = o->used;
    apl_fields_write(o, one, &row, APL_ALL_FIELDS, &comma);
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
    apl_fields_write(o, apl_guide_fields, &guide, APL_ALL_FIELDS, &comma);
    apl_out_add(o, "}\n");
  }
  for (int i = 0; apl_tendon_fields[i].name != NULL; ++i) {
    const apl_field one[] = {apl_tendon_fields[i], APL_FIELD_END};
    const size_t before = o->used;
    comma = "    ";
    apl_fields_write(o, one, &row, APL_ALL_FIELDS, &comma);
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
    apl_fields_write(o, apl_loop_fields, &row, APL_ALL_FIELDS, &comma);
    apl_out_add(o, "}\n");
  }
  if (s->ncoupling > 0) apl_out_add(o, "couplings:\n");
  for (int i = 0; i < s->ncoupling; ++i) {
    const spec_coupling* c = &s->coupling[i];
    const grammar_coupling row = {.of = c->of, .to = c->to, .ratio = c->ratio};
    const char* comma = "";
    apl_out_add(o, "  %s: {", c->name);
    apl_fields_write(o, apl_coupling_fields, &row, APL_ALL_FIELDS, &comma);
    if (c->offset != 0.0) {
      apl_out_add(o, ", offset: ");
      apl_out_numbers(o, &c->offset, 1);
    }
    apl_out_add(o, "}\n");
  }
}

/* ------------------------------------------------------------------------------- contact ---- */

static void write_laws(text_out* o, const apl_surface* g, const char* comma) {
  apl_out_add(o, "%slaw: {", comma);
  comma = "";
  apl_fields_write(o, apl_normal_fields, g, APL_ALL_FIELDS, &comma);
  apl_out_add(o, "}, friction: {");
  comma = "";
  apl_fields_write(o, apl_friction_fields, g, APL_ALL_FIELDS, &comma);
  apl_out_add(o, "}}\n");
}

static void write_ground(text_out* o, const spec_ground* ground) {
  const apl_surface* g = &ground->g;
  const grammar_ground row = {.point = {g->point.x, g->point.y, g->point.z},
                              .normal = {g->normal.x, g->normal.y, g->normal.z},
                              .direction = {g->direction.x, g->direction.y, g->direction.z}};
  const char* comma = "";

  apl_out_add(o, "  %s: {", ground->name);
  apl_fields_write(o, apl_ground_fields, &row, 0, &comma);
  write_laws(o, g, comma);
}

static void write_names(text_out* o, const char* key, const spec_word* word, int n,
                        const char** comma) {
  if (n == 0) return;
  apl_out_add(o, "%s%s: [", *comma, key);
  for (int i = 0; i < n; ++i)
    apl_out_add(o, "%s\"%s\"", i == 0 ? "" : ", ", word[i].text);
  apl_out_add(o, "]");
  *comma = ", ";
}

static void write_collide(text_out* o, const apl_spec* s) {
  if (s->nobstacle > 0) apl_out_add(o, "obstacles:\n");
  for (int i = 0; i < s->nobstacle; ++i) {
    spec_shape shape = s->obstacle[i];
    apl_out_add(o, "  %s: {", shape.name);
    shape.name = ""; /* its key */
    write_shape(o, &shape);
  }
  if (s->ncollide > 0) apl_out_add(o, "collide:\n");
  for (int i = 0; i < s->ncollide; ++i) {
    const spec_collide* c = &s->collide[i];
    const grammar_collide row = {.name = c->name,
                                 .neighbours = c->neighbours,
                                 .most = c->most,
                                 .unknown = apl_unknown_words[c->lenient ? 1 : 0]};
    const char* comma = "";
    apl_out_add(o, "  - {");
    apl_fields_write(o, apl_collide_fields, &row, 0, &comma);
    write_names(o, "of", c->of, c->nof, &comma);
    write_names(o, "with", c->with, c->nwith, &comma);
    write_laws(o, &c->g, comma);
  }
}

static void write_contacts(text_out* o, const apl_spec* s) {
  if (s->nground > 0) apl_out_add(o, "grounds:\n");
  for (int i = 0; i < s->nground; ++i)
    write_ground(o, &s->ground[i]);
  if (s->ncontact > 0) apl_out_add(o, "contacts:\n");
  for (int i = 0; i < s->ncontact; ++i) {
    const spec_contact* c = &s->contact[i];
    const grammar_contact row = {c->port, c->ground, c->radius, c->arc, c->load};
    const char* comma = "";
    apl_out_add(o, "  - {");
    apl_fields_write(o, apl_contact_fields, &row, APL_ALL_FIELDS, &comma);
    apl_out_add(o, "}\n");
  }
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
  write_contacts(&o, s);
  write_collide(&o, s);
  apl_run_write(&o, s);
  return apl_out_take(&o);
}
