/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c: see plan.h. */
#include "near.h"

#include "spec/build.h"
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

plan* plan_new(void) {
  plan* p = calloc(1, sizeof *p);
  assert_non_null(p);
  p->gravity = (apl_vec3){0, 0, -9.81};
  return p;
}

plan* plan_copy(const plan* from) {
  plan* p = plan_new();
  memcpy(p, from, sizeof *p);
  return p;
}

plan_link* plan_add(plan* p, const char* name, const char* on, const char* joint,
                    const char* body) {
  assert_true(p->nlink < PLAN_LINKS);
  plan_link* link = &p->link[p->nlink++];
  snprintf(link->name, sizeof link->name, "%s", name);
  snprintf(link->on, sizeof link->on, "%s", on);
  link->joint = joint;
  link->body = body;
  link->at = apl_pose_identity();
  return link;
}

void plan_put(plan_link* link, const char* path, const double* value, int n) {
  int i = 0;
  while (i < link->nfield && strcmp(link->field[i].path, path) != 0)
    i++;
  assert_true(i < PLAN_FIELDS && n <= 8);
  if (i == link->nfield) link->nfield++;
  link->field[i] = (plan_field){0};
  snprintf(link->field[i].path, sizeof link->field[i].path, "%s", path);
  link->field[i].n = n;
  memcpy(link->field[i].value, value, sizeof *value * (size_t)n);
}

void plan_number(plan_link* link, const char* path, double value) {
  plan_put(link, path, &value, 1);
}

void plan_words(plan_link* link, const char* path, const char* words) {
  const double none = 0;
  plan_put(link, path, &none, 0);
  for (int i = 0; i < link->nfield; i++) {
    plan_field* f = &link->field[i];
    if (strcmp(f->path, path) == 0) snprintf(f->words, sizeof f->words, "%s", words);
  }
}

void plan_vec3(plan_link* link, const char* path, double x, double y, double z) {
  const double v[3] = {x, y, z};
  plan_put(link, path, v, 3);
}

void plan_mass(plan_link* link, double mass, apl_vec3 com, double xx, double yy, double zz) {
  const double inertia[6] = {xx, yy, zz, 0, 0, 0};
  plan_number(link, "body.mass", mass);
  plan_vec3(link, "body.com", com.x, com.y, com.z);
  plan_put(link, "body.inertia", inertia, 6);
}

void plan_at_port(plan_link* link, const char* name, double station, apl_pose at) {
  assert_true(link->nport < PLAN_PORTS);
  plan_port* port = &link->port[link->nport++];
  snprintf(port->name, sizeof port->name, "%s", name);
  port->station = station;
  port->at = at;
}

const plan_field* plan_find(const plan_link* link, const char* path) {
  for (int i = 0; i < link->nfield; i++) {
    if (strcmp(link->field[i].path, path) == 0) return &link->field[i];
  }
  return NULL;
}

int plan_parent(const plan* p, int link) {
  const char* on = p->link[link].on;
  const size_t length = strcspn(on, ".");
  for (int i = 0; i < p->nlink; i++) {
    if (strlen(p->link[i].name) == length && strncmp(p->link[i].name, on, length) == 0) return i;
  }
  return -1;
}

plan_loop* plan_join(plan* p, const char* from, const char* to, const char* type) {
  CHECK_TRUE(p->nloop < PLAN_LOOPS, "too many loops in a plan");
  plan_loop* l = &p->loop[p->nloop++];

  snprintf(l->from, sizeof l->from, "%s", from);
  snprintf(l->to, sizeof l->to, "%s", to);
  l->c = apl_closure_default();
  l->c.type = type;
  return l;
}

static void add_link(apl_spec* spec, const plan_link* link) {
  char body[32];

  /* without the variant, which the fields stand for */
  snprintf(body, sizeof body, "%.*s", (int)strcspn(link->body, "/"), link->body);
  const int i = apl_spec_link(spec, link->name, link->on, link->joint, body);
  apl_spec_place(spec, i, link->at);
  for (int k = 0; k < link->nfield; k++) {
    const plan_field* f = &link->field[k];
    if (f->n == 0) {
      apl_spec_word(spec, i, f->path, f->words);
    } else {
      apl_spec_put(spec, i, f->path, f->value, f->n);
    }
  }
  for (int k = 0; k < link->nport; k++)
    apl_spec_port(spec, i, link->port[k].name, link->port[k].station, link->port[k].at);
  if (link->rotor.used) {
    apl_spec_rotor(spec, i, "rotor", link->rotor.velocity, link->rotor.inertia, link->rotor.ratio);
  }
  if (link->prescribe_joint || link->prescribe_body) {
    apl_spec_prescribe(spec, i, link->prescribe_joint, link->prescribe_body);
  }
}

apl_status plan_build(const plan* p, const int* order, apl_model** out, apl_error* err) {
  apl_spec* spec;

  *out = NULL;
  const apl_status status = apl_spec_new(&spec);
  if (status != APL_OK) return status;
  apl_spec_gravity(spec, p->gravity);
  for (int i = 0; i < p->nlink; i++)
    add_link(spec, &p->link[order == NULL ? i : order[i]]);
  for (int i = 0; i < p->ninput; i++) {
    const plan_input* input = &p->input[i];
    const double* w = input->wrench;
    const apl_wrench wrench = {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}};
    apl_spec_input(spec, input->name, input->target, input->gain);
    if (input->push) apl_spec_push(spec, input->name, wrench, input->axes);
  }
  for (int i = 0; i < p->nloop; i++) {
    apl_closure c = p->loop[i].c;
    c.from = p->loop[i].from;
    c.to = p->loop[i].to;
    apl_spec_loop(spec, &c);
  }
  const apl_status built = apl_model_new(spec, out, err);
  apl_spec_free(spec);
  return built;
}

apl_model* plan_model(const plan* p) {
  apl_model* model;
  apl_error err = {0};
  if (plan_build(p, NULL, &model, &err) != APL_OK) {
    near_fail(__FILE__, __LINE__, "the model is refused: %s", err.text);
  }
  return model;
}
