/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_info.c: `appell info`: the parts of a robot: its tree, its freedoms and their names. */
#include "cli/cli.h"

#include "file/asks.h"
#include "model/info.h"
#include "spec/parts.h"
#include "system/system.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { JSON, BASE };
static const cli_option options[] = {
    {"--json", NULL, NULL, "print JSON"},
    {"--base", NULL, "fixed|floating",
     "how the root link of a URDF is attached to the world (fixed)"},
    CLI_SET,
    {NULL, NULL, NULL, NULL},
};

/* Data for both output formats. */
typedef struct subject {
  const apl_file* file;
  const apl_model* model;
  double *q, *v;      /* at the start */
  double* tendon;     /* lengths at the start */
  apl_assembly loops; /* how well they close there */
  double* bound;      /* [2 nu] least and greatest value of each input */
} subject;

/* -------------------------------------------------------------------------------- plain ---- */

static bool is_last_child(const apl_model* m, int link) {
  const int parent = apl_model_link_info(m, link).parent;

  for (int i = link + 1; i < apl_model_count(m, APL_LINKS); ++i) {
    if (apl_model_link_info(m, i).parent == parent) return false;
  }
  return true;
}

static void print_link(const apl_model* m, int link) {
  const apl_link_info info = apl_model_link_info(m, link);

  printf("%s  (%s%s, %s%s", apl_model_name(m, APL_LINKS, link), info.joint,
         info.joint_prescribed ? " prescribed" : "", info.body,
         info.body_prescribed ? " prescribed" : "");
  if (info.mass > 0.0) printf(", %g kg", info.mass);
  printf(")\n");
}

/* `bars` is the prefix of the children: one piece per level. */
static void print_children(const apl_model* m, int parent, const char* bars, int depth) {
  if (depth > 200) {
    printf("%s...\n", bars);
    return;
  }
  for (int i = 0; i < apl_model_count(m, APL_LINKS); ++i) {
    if (apl_model_link_info(m, i).parent != parent) continue;
    const bool last = is_last_child(m, i);
    const size_t n = strlen(bars) + 8;
    char* below = malloc(n);
    printf("%s%s ", bars, last ? "└─" : "├─");
    print_link(m, i);
    if (below == NULL) continue;
    snprintf(below, n, "%s%s  ", bars, last ? " " : "│");
    print_children(m, i, below, depth + 1);
    free(below);
  }
}

/* A table of named numbers with units; nothing when it is empty. */
/* tendons are listed with their lengths, whatever the unit of their inputs */
static const char* unit_of(const apl_model* m, apl_kind kind, int i) {
  return kind == APL_TENDONS ? "m" : apl_model_unit(m, kind, i);
}

static void print_values(const char* title, const apl_model* m, apl_kind kind,
                         const double* value) {
  const int n = apl_model_count(m, kind);

  if (n == 0) return;
  printf("\n%s\n", title);
  for (int i = 0; i < n; ++i)
    printf("  %3d  %-32s %12g %s\n", i, apl_model_name(m, kind, i), value[i], unit_of(m, kind, i));
}

static void print_names(const char* title, const apl_model* m, apl_kind kind) {
  const int n = apl_model_count(m, kind);

  if (n == 0) return;
  printf("\n%s\n", title);
  for (int i = 0; i < n; ++i)
    printf("  %3d  %s\n", i, apl_model_name(m, kind, i));
}

/* "-3.14", or "-" for what has no bound. */
static const char* bound_text(double x, char out[24]) {
  if (x < HUGE_VAL && x > -HUGE_VAL) snprintf(out, 24, "%.6g", x);
  if (!(x < HUGE_VAL && x > -HUGE_VAL)) strcpy(out, "-");
  return out;
}

static bool is_limited(apl_joint_limits l) {
  return l.lower > -HUGE_VAL || l.upper < HUGE_VAL || l.velocity < HUGE_VAL || l.effort < HUGE_VAL;
}

static void print_limits(const subject* s) {
  const apl_model* m = s->model;
  char text[4][24];
  bool told = false;

  for (int i = 0; i < apl_model_count(m, APL_LINKS); ++i) {
    const apl_joint_limits l = apl_file_limits(s->file, i);
    const apl_link_info info = apl_model_link_info(m, i);
    if (!is_limited(l) || info.nv != 1 || info.nq != 1) continue;
    if (!told) printf("\nlimits %42s %12s %12s %12s\n", "lower", "upper", "velocity", "effort");
    told = true;
    printf("       %-29s %12s %12s %12s %12s  %s, %s, %s\n",
           apl_model_name(m, APL_COORDINATES, info.q0), bound_text(l.lower, text[0]),
           bound_text(l.upper, text[1]), bound_text(l.velocity, text[2]),
           bound_text(l.effort, text[3]), apl_model_unit(m, APL_COORDINATES, info.q0),
           apl_model_unit(m, APL_VELOCITIES, info.v0), apl_model_unit(m, APL_EFFORTS, info.v0));
  }
}

static void print_inputs(const subject* s) {
  const apl_model* m = s->model;
  char text[2][24];

  if (apl_model_nu(m) > 0) printf("\ninputs %42s %12s\n", "least", "greatest");
  for (int i = 0; i < apl_model_nu(m); ++i)
    printf("  %3d  %-29s %12s %12s  %s\n", i, apl_model_name(m, APL_INPUTS, i),
           bound_text(s->bound[2 * i], text[0]), bound_text(s->bound[2 * i + 1], text[1]),
           apl_model_unit(m, APL_INPUTS, i));
}

/* Shapes of links and the world, those that are only drawn left out. */
static void print_collision(const subject* s) {
  bool told = false;

  for (int i = 0; i < apl_file_nshape(s->file); ++i) {
    const apl_shape h = apl_file_shape(s->file, i);
    if (!h.touches) continue;
    if (!told) printf("\ncollision shapes (they touch where `collide` or --contact says so)\n");
    told = true;
    printf("       %-32s %-10s ", h.link < 0 ? h.name : apl_model_name(s->model, APL_LINKS, h.link),
           h.type);
    if (strcmp(h.type, "box") == 0) printf("%g x %g x %g m\n", h.size[0], h.size[1], h.size[2]);
    if (strcmp(h.type, "sphere") == 0) printf("radius %g m\n", h.size[0]);
    if (strcmp(h.type, "box") != 0 && strcmp(h.type, "sphere") != 0)
      printf("radius %g m, length %g m\n", h.size[0], h.size[1]);
  }
}

/* Grounds, then their contacts. */
static void print_contacts(const apl_model* m) {
  const int n = apl_model_count(m, APL_CONTACTS);
  if (n == 0 || apl_model_contact_info(m, 0).port < 0) return;

  printf("\ngrounds\n");
  for (int i = 0; i < n; ++i) {
    const apl_contact_info c = apl_model_contact_info(m, i);
    if (!c.first) continue;
    printf("       %-32s %s, friction %s, normal (%g, %g, %g), through (%g, %g, %g) m\n", c.ground,
           c.law, c.friction, c.normal.x, c.normal.y, c.normal.z, c.point.x, c.point.y, c.point.z);
  }
  printf("\ncontacts\n");
  for (int i = 0; i < n; ++i) {
    const double radius = apl_model_contact_info(m, i).radius;
    if (apl_model_contact_info(m, i).port < 0) break;
    printf("  %3d  %-32s ", i, apl_model_name(m, APL_CONTACTS, i));
    if (radius > 0.0) printf("ball of radius %g m\n", radius);
    if (!(radius > 0.0)) printf("point\n");
  }
}

/* Shapes that may touch, with how many others, and the laws by which they do. */
static void print_shapes(const apl_model* m) {
  const int n = apl_model_count(m, APL_SHAPES);
  const char* last = "";
  if (n == 0) return;

  printf("\nshapes that can touch\n");
  for (int i = 0; i < n; ++i) {
    int others = 0;
    for (int k = 0; k < n; ++k)
      others += apl_model_touches(m, i, k) != NULL;
    printf("  %3d  %-32s %d others\n", i + 1, apl_model_name(m, APL_SHAPES, i), others);
  }
  printf("\ncollide\n");
  for (int i = 0; i < apl_model_count(m, APL_CONTACTS); ++i) {
    const apl_contact_info c = apl_model_contact_info(m, i);
    int places = 0;
    if (c.port >= 0 || c.ground == last) continue;
    last = c.ground;
    for (int k = i; k < apl_model_count(m, APL_CONTACTS); ++k)
      places += apl_model_contact_info(m, k).ground == last;
    printf("       %-32s %s, friction %s, at most %d contact points\n", c.ground, c.law, c.friction,
           places);
  }
}

static const char* end_name(const apl_model* m, apl_loop_info l, int end) {
  if (l.velocity[end] >= 0) return apl_model_name(m, APL_VELOCITIES, l.velocity[end]);
  return l.port[end] < 0 ? "world" : apl_model_name(m, APL_PORTS, l.port[end]);
}

static void print_loops(const apl_model* m, const apl_assembly* found) {
  if (apl_model_count(m, APL_LOOPS) > 0) printf("\nloops\n");
  for (int i = 0; i < apl_model_count(m, APL_LOOPS); ++i) {
    const apl_loop_info l = apl_model_loop_info(m, i);
    printf("  %3d  %-32s %s of %s and %s, %d row%s\n", i, apl_model_name(m, APL_LOOPS, i), l.type,
           end_name(m, l, 0), end_name(m, l, 1), l.nrow, l.nrow == 1 ? "" : "s");
  }
  cli_print_assembly(m, found, "       ");
}

static void print_plain(const char* path, const subject* s) {
  const apl_model* m = s->model;
  const apl_vec3 g = apl_model_gravity(m);
  const char* name = apl_file_name(s->file);

  printf("%s\n", name[0] == '\0' ? path : name);
  if (apl_file_description(s->file)[0] != '\0') printf("%s\n", apl_file_description(s->file));
  printf("links %d, freedoms %d, coordinates %d, mass %g kg, gravity (%g, %g, %g) m/s^2\n\n",
         apl_model_count(m, APL_LINKS), apl_model_nv(m), apl_model_nq(m), apl_model_mass(m), g.x,
         g.y, g.z);
  printf("world\n");
  print_children(m, -1, "", 0);
  cli_print_notes(m, "\n");
  print_values(apl_file_wants_equilibrium(s->file, NULL)
                   ? "coordinates at the start of the search for the equilibrium"
                   : "coordinates at the start",
               m, APL_COORDINATES, s->q);
  print_values("velocities at the start", m, APL_VELOCITIES, s->v);
  print_values("tendons at the start", m, APL_TENDONS, s->tendon);
  print_limits(s);
  print_inputs(s);
  print_names("wheels and rotors", m, APL_SATELLITES);
  print_names("ports", m, APL_PORTS);
  print_contacts(m);
  print_collision(s);
  print_shapes(m);
  print_loops(m, &s->loops);
}

/* --------------------------------------------------------------------------------- json ---- */

static json_t* json_values(const apl_model* m, apl_kind kind, const double* value) {
  json_t* list = json_array();

  for (int i = 0; i < apl_model_count(m, kind); ++i) {
    json_array_append_new(list, json_pack("{s:s, s:s, s:f}", "name", apl_model_name(m, kind, i),
                                          "unit", unit_of(m, kind, i), "start", value[i]));
  }
  return list;
}

static json_t* json_names(const apl_model* m, apl_kind kind) {
  json_t* list = json_array();

  for (int i = 0; i < apl_model_count(m, kind); ++i)
    json_array_append_new(list, json_string(apl_model_name(m, kind, i)));
  return list;
}

static json_t* json_links(const apl_model* m) {
  json_t* list = json_array();

  for (int i = 0; i < apl_model_count(m, APL_LINKS); ++i) {
    const apl_link_info info = apl_model_link_info(m, i);
    const char* parent = info.parent < 0 ? "world" : apl_model_name(m, APL_LINKS, info.parent);
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:f, s:b, s:b}", "name",
                                          apl_model_name(m, APL_LINKS, i), "parent", parent,
                                          "joint", info.joint, "body", info.body, "mass", info.mass,
                                          "joint_prescribed", info.joint_prescribed,
                                          "body_prescribed", info.body_prescribed));
  }
  return list;
}

/* A number, or null for what has no bound. */
static json_t* json_bound(double x) {
  return x < HUGE_VAL && x > -HUGE_VAL ? json_real(x) : json_null();
}

static json_t* json_limits(const subject* s) {
  const apl_model* m = s->model;
  json_t* list = json_array();

  for (int i = 0; i < apl_model_count(m, APL_LINKS); ++i) {
    const apl_joint_limits l = apl_file_limits(s->file, i);
    const apl_link_info info = apl_model_link_info(m, i);
    if (!is_limited(l) || info.nv != 1 || info.nq != 1) continue;
    json_array_append_new(list,
                          json_pack("{s:s, s:o, s:o, s:o, s:o}", "coordinate",
                                    apl_model_name(m, APL_COORDINATES, info.q0), "lower",
                                    json_bound(l.lower), "upper", json_bound(l.upper), "velocity",
                                    json_bound(l.velocity), "effort", json_bound(l.effort)));
  }
  return list;
}

static json_t* json_input_limits(const subject* s) {
  json_t* list = json_array();

  for (int i = 0; i < apl_model_nu(s->model); ++i)
    json_array_append_new(
        list, json_pack("{s:s, s:o, s:o}", "name", apl_model_name(s->model, APL_INPUTS, i), "least",
                        json_bound(s->bound[2 * i]), "greatest", json_bound(s->bound[2 * i + 1])));
  return list;
}

static json_t* json_collision(const subject* s) {
  json_t* list = json_array();

  for (int i = 0; i < apl_file_nshape(s->file); ++i) {
    const apl_shape h = apl_file_shape(s->file, i);
    const int n = strcmp(h.type, "box") == 0 ? 3 : strcmp(h.type, "sphere") == 0 ? 1 : 2;
    json_t* size = json_array();
    for (int k = 0; k < n; ++k)
      json_array_append_new(size, json_real(h.size[k]));
    json_t* row = json_pack("{s:s, s:s, s:s, s:o}", "link",
                            h.link < 0 ? "world" : apl_model_name(s->model, APL_LINKS, h.link),
                            "name", h.name, "type", h.type, "size", size);
    if (h.touches) json_array_append_new(list, row);
    if (!h.touches) json_decref(row);
  }
  return list;
}

static json_t* json_contacts(const apl_model* m) {
  json_t* list = json_array();

  for (int i = 0; i < apl_model_count(m, APL_CONTACTS); ++i) {
    const apl_contact_info c = apl_model_contact_info(m, i);
    if (c.port < 0) {
      json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "name",
                                            apl_model_name(m, APL_CONTACTS, i), "collide", c.ground,
                                            "law", c.law, "friction", c.friction));
      continue;
    }
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:s, s:f, s:s, s:s, s:[f, f, f], s:[f, f, f]}", "name",
                        apl_model_name(m, APL_CONTACTS, i), "port",
                        apl_model_name(m, APL_PORTS, c.port), "ground", c.ground, "radius",
                        c.radius, "law", c.law, "friction", c.friction, "normal", c.normal.x,
                        c.normal.y, c.normal.z, "point", c.point.x, c.point.y, c.point.z));
  }
  return list;
}

static json_t* json_loops(const apl_model* m) {
  json_t* list = json_array();

  for (int i = 0; i < apl_model_count(m, APL_LOOPS); ++i) {
    const apl_loop_info l = apl_model_loop_info(m, i);
    json_t* rows = json_array();
    for (int k = l.row0; k < l.row0 + l.nrow; ++k)
      json_array_append_new(rows, json_string(apl_model_name(m, APL_LOOP_ROWS, k)));
    json_array_append_new(list,
                          json_pack("{s:s, s:s, s:s, s:s, s:o}", "name",
                                    apl_model_name(m, APL_LOOPS, i), "type", l.type, "from",
                                    end_name(m, l, 0), "to", end_name(m, l, 1), "rows", rows));
  }
  return list;
}

static json_t* json_assembly(const apl_model* m, const apl_assembly* found) {
  return apl_model_count(m, APL_LOOPS) == 0
             ? json_null()
             : json_pack("{s:f, s:f, s:i, s:b, s:f, s:f, s:i}", "gap", found->gap, "rate",
                         found->rate, "redundant_rows", found->nredundant, "released",
                         found->released, "rounded", found->rounded, "moved", found->moved,
                         "moved_coordinates", found->nmoved);
}

static bool print_json(const subject* s) {
  const apl_model* m = s->model;
  const apl_vec3 g = apl_model_gravity(m);
  json_t* root = json_pack(
      "{s:s, s:s, s:f, s:[f,f,f], s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
      "s:o}",
      "name", apl_file_name(s->file), "description", apl_file_description(s->file), "mass",
      apl_model_mass(m), "gravity", g.x, g.y, g.z, "links", json_links(m), "coordinates",
      json_values(m, APL_COORDINATES, s->q), "velocities", json_values(m, APL_VELOCITIES, s->v),
      "tendons", json_values(m, APL_TENDONS, s->tendon), "inputs", json_names(m, APL_INPUTS),
      "satellites", json_names(m, APL_SATELLITES), "ports", json_names(m, APL_PORTS), "shapes",
      json_names(m, APL_SHAPES), "contacts", json_contacts(m), "loops", json_loops(m), "assembly",
      json_assembly(m, &s->loops), "limits", json_limits(s), "input_limits", json_input_limits(s),
      "collision", json_collision(s));
  const bool ok = root != NULL && json_dumpf(root, stdout, JSON_INDENT(2)) == 0;

  putchar('\n');
  json_decref(root);
  return ok;
}

/* ------------------------------------------------------------------------------ command ---- */

/* Lengths of the tendons for q and v. */
static bool measure_tendons(subject* s) {
  const apl_model* m = s->model;
  apl_state* state;

  if (apl_state_new(m, APL_SCALAR, &state) != APL_OK) return false;
  memcpy(apl_q(state), s->q, sizeof *s->q * (size_t)apl_model_nq(m));
  memcpy(apl_v(state), s->v, sizeof *s->v * (size_t)apl_model_nv(m));
  const apl_status st = apl_tendons(m, state, s->tendon, NULL);
  apl_state_free(state);
  return st == APL_OK;
}

/* q and v where the run would start: with loops, where they are closed. */
static bool find_start(subject* s, apl_report* report) {
  apl_system* system;
  if (apl_file_start(s->file, s->model, s->q, s->v, report) != APL_OK) return false;
  if (apl_model_count(s->model, APL_LOOPS) == 0) return true;
  if (apl_file_system(s->file, s->model, APL_READY, &system, report) != APL_OK) return false;

  apl_state* state = apl_system_state(system);
  memcpy(s->q, apl_q(state), sizeof *s->q * (size_t)apl_model_nq(s->model));
  memcpy(s->v, apl_v(state), sizeof *s->v * (size_t)apl_model_nv(s->model));
  s->loops = apl_system_assembly(system);
  apl_system_free(system);
  return true;
}

/* What the inputs may be, as a run would have them. */
static bool find_bounds(subject* s, apl_report* report) {
  apl_system* system;
  if (apl_model_nu(s->model) == 0) return true;
  if (apl_file_system(s->file, s->model, 0, &system, report) != APL_OK) return false;

  for (int i = 0; i < apl_model_nu(s->model); ++i)
    apl_system_input_bounds(system, i, &s->bound[2 * i], &s->bound[2 * i + 1]);
  apl_system_free(system);
  return true;
}

static int run(const cli_args* args) {
  const char* path = args->file[0];
  apl_file* file;
  apl_model* model;
  apl_load_options load;
  apl_report report = {0};

  if (!cli_base(args->value[BASE], &load)) return CLI_USAGE;
  cli_settings(args, &load);
  if (!cli_load(path, &load, &file, &model)) return CLI_FAILED;

  subject s = {file,
               model,
               calloc((size_t)apl_model_nq(model) + 1, sizeof *s.q),
               calloc((size_t)apl_model_nv(model) + 1, sizeof *s.v),
               calloc((size_t)apl_model_count(model, APL_TENDONS) + 1, sizeof *s.tendon),
               {0},
               calloc(2 * (size_t)apl_model_nu(model) + 1, sizeof *s.bound)};
  bool ok = s.q != NULL && s.v != NULL && s.tendon != NULL && s.bound != NULL &&
            find_start(&s, &report) && measure_tendons(&s) && find_bounds(&s, &report);
  cli_print_report(path, &report);
  if (ok && args->value[JSON] != NULL) ok = print_json(&s);
  if (ok && args->value[JSON] == NULL) print_plain(path, &s);
  free(s.q);
  free(s.v);
  free(s.tendon);
  free(s.bound);
  apl_model_free(model);
  apl_file_free(file);
  return ok ? CLI_OK : CLI_FAILED;
}

const cli_command cli_info = {
    .name = "info",
    .line = "Print links, masses, coordinates, limits, inputs, ports and shapes of a robot",
    .files = "FILE",
    .min = 1,
    .max = 1,
    .option = options,
    .run = run,
};
