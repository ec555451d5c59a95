/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_law.c: `appell law`: one impact with a contact law, or the curve of a friction law, simulated
   by the engine: a particle on a slide hits a ground. */
#include "cli/figure.h"

#include "dynamics/extra.h"
#include "spec/words.h"
#include "system/system.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LAW_RESTITUTION,
  LAW_SPEED,
  LAW_STIFFNESS,
  LAW_EXPONENT,
  LAW_DAMPING,
  LAW_MASS,
  LAW_COEFFICIENT,
  LAW_STICTION,
  LAW_V0,
  LAW_V1,
  LAW_OUTPUT,
  LAW_JSON
};

static const cli_option options[] = {
    [LAW_RESTITUTION] = {"--restitution", NULL, "E",
                         "coefficient of restitution, speed out over speed in (0.8)"},
    [LAW_SPEED] = {"--speed", NULL, "V",
                   "impact speed; for friction laws the largest slip speed [m/s] (1)"},
    [LAW_STIFFNESS] = {"--stiffness", NULL, "K", "stiffness K of the force K D^n [N/m^n] (1e8)"},
    [LAW_EXPONENT] = {"--exponent", NULL, "N", "exponent n of the force K D^n (1.5)"},
    [LAW_DAMPING] = {"--damping", NULL, "B", "damping of kelvin-voigt [N s/m] (100)"},
    [LAW_MASS] = {"--mass", NULL, "M", "mass of the particle that hits the ground [kg] (1)"},
    [LAW_COEFFICIENT] = {"--coefficient", NULL, "MU", "coefficient of sliding friction (0.1)"},
    [LAW_STICTION] = {"--stiction", NULL, "MU", "static coefficient (1.5 times the sliding one)"},
    [LAW_V0] = {"--v0", NULL, "V", "speed v0 of friction laws [m/s] (a tenth of --speed)"},
    [LAW_V1] = {"--v1", NULL, "V", "speed v1 of the law ambrosio [m/s] (half of --speed)"},
    [LAW_OUTPUT] = {"--output", "-o", "FILE.svg|.png", "draw the curves"},
    [LAW_JSON] = {"--json", NULL, NULL, "print JSON"},
    {NULL, NULL, NULL, NULL},
};

enum { MOST_POINTS = 4000 };

/* Curves of an experiment. */
typedef struct curve {
  double depth[MOST_POINTS], rate[MOST_POINTS], force[MOST_POINTS];
  int n;
  double deepest;
  apl_impact impact;
  bool hit;
} curve;

static bool number(const cli_args* args, int option, double fallback, double* out) {
  const char* text = args->value[option];
  char* end;

  *out = fallback;
  if (text == NULL) return true;
  *out = strtod(text, &end);
  if (end != text && *end == '\0' && isfinite(*out) && *out > 0.0) return true;
  fprintf(stderr, "appell law: %s must be a positive number, got '%s'\n", options[option].name,
          text);
  return false;
}

static int find(const char* (*list)(int), const char* word) {
  for (int i = 0; list(i) != NULL; ++i) {
    if (strcmp(list(i), word) == 0) return i;
  }
  return -1;
}

static int list_laws(void) {
  printf("normal laws: F = K D^n (1 + c D'/D'-), with penetration D, impact speed D'- and "
         "restitution e\n");
  for (int i = 0; apl_normal_word(i) != NULL; ++i)
    printf("  %-20s %s\n", apl_normal_word(i), apl_normal_title(i));
  printf("friction laws: coefficient of friction at slip speed s, with sliding value m and static "
         "value ms\n");
  for (int i = 0; apl_friction_word(i) != NULL; ++i)
    printf("  %-20s %s\n", apl_friction_word(i), apl_friction_title(i));
  return CLI_OK;
}

/* ---------------------------------------------------------------------------- experiments ---- */

static apl_model* particle(const apl_surface* ground, double mass, apl_error* err) {
  apl_spec* spec;
  apl_model* model = NULL;
  if (apl_spec_new(&spec) != APL_OK) return NULL;

  apl_spec_gravity(spec, (apl_vec3){0, 0, 0});
  const int x = apl_spec_link(spec, "x", "world", "prismatic", "rigid");
  apl_spec_vec3(spec, x, "joint.axis", 1, 0, 0);
  apl_spec_number(spec, x, "body.mass", 0.0);
  const int z = apl_spec_link(spec, "z", "x", "prismatic", "rigid");
  apl_spec_vec3(spec, z, "joint.axis", 0, 0, 1);
  apl_spec_number(spec, z, "body.mass", mass);
  apl_spec_ground(spec, "ground", ground);
  apl_spec_contact(spec, "z.root", "ground", 0.0);
  apl_model_new(spec, &model, err);
  apl_spec_free(spec);
  return model;
}

static apl_status collect(double t, const double* y, const apl_ledger* ledger, apl_system* system,
                          void* user) {
  curve* c = user;
  (void)t, (void)y, (void)ledger;

  if (apl_system_contacts(system) != APL_OK || c->n == MOST_POINTS) return APL_OK;
  apl_contact at;
  apl_contact_get(apl_system_state(system), 0, 0, &at);
  c->depth[c->n] = at.depth;
  c->rate[c->n] = at.rate;
  c->force[c->n++] = at.force[0];
  return c->hit ? APL_ERR_STOPPED : APL_OK;
}

static void noted(const apl_impact* impact, apl_system* system, void* user) {
  curve* c = user;
  (void)system;

  if (!c->hit) c->impact = *impact;
  c->hit = true;
}

/* One impact at `speed`, looked at every `dt`. */
static bool hit(const apl_model* model, double speed, double dt, curve* out, apl_error* err) {
  apl_run_options o = apl_run_options_default();
  apl_system* system;
  if (apl_system_new(model, &system, err) != APL_OK) return false;

  memset(out, 0, sizeof *out);
  apl_v(apl_system_state(system))[1] = -speed;
  o.to = dt * (MOST_POINTS - 1);
  o.output_every = dt;
  o.method = "rkf78";
  o.tolerance = 1e-12;
  o.output = collect;
  o.impact = noted;
  o.user = out;
  const apl_status st = apl_run(system, &o, NULL, err);
  apl_system_free(system);
  return out->hit && (st == APL_OK || st == APL_ERR_STOPPED);
}

/* e' of c - ln(1 + c) = -c e' - ln(1 - c e') */
static double exact(double c) {
  double a = 0.0, b = fmin(1.0, (1.0 - 1e-16) / c);

  for (int k = 0; k < 200 && c > 0.0; ++k) {
    const double x = 0.5 * (a + b);
    if (-c * x - log1p(-c * x) < c - log1p(c)) {
      a = x;
    } else {
      b = x;
    }
  }
  return c > 0.0 ? 0.5 * (a + b) : 1.0;
}

/* c, from the change of the force with the rate at one depth */
static double loss(const apl_model* model, double speed) {
  apl_state* s;
  apl_contact c;
  double force[2] = {0.0, 1.0};
  if (apl_state_new(model, APL_SCALAR, &s) != APL_OK) return 0.0;

  apl_q(s)[1] = -1e-3;
  apl_contact_get(s, 0, 0, &c);
  c.speed_in = speed;
  apl_contact_remember(s, 0, 0, &c);
  for (int k = 0; k < 2; ++k) {
    apl_v(s)[1] = k == 0 ? -speed : 0.0;
    if (apl_contacts(model, s) == APL_OK && apl_contact_get(s, 0, 0, &c) == APL_OK)
      force[k] = c.force[0];
  }
  apl_state_free(s);
  return force[1] > 0.0 ? force[0] / force[1] - 1.0 : 0.0;
}

/* ---------------------------------------------------------------------------------- figures ----
 */

static void put_points(FILE* out, int k, const double* x, const double* y, int n) {
  fprintf(out, "$c%d << END\n", k);
  for (int i = 0; i < n; ++i)
    fprintf(out, "%.9g %.9g\n", x[i], y[i]);
  fprintf(out, "END\n");
}

/* One of the panels that stand side by side. */
typedef struct panel {
  const char *xlabel, *ylabel;
  const double *x, *y;
  int n;
} panel;

/* False with an error unless the curves can be drawn there. */
static bool figure_ok(const char* path) {
  const size_t n = path == NULL ? 0 : strlen(path);
  if (path == NULL) return true;

  if (n > 4 && (strcmp(path + n - 4, ".svg") == 0 || strcmp(path + n - 4, ".png") == 0) &&
      strchr(path, '\'') == NULL)
    return true;
  fprintf(stderr, "appell law: '%s' does not end in .svg or .png\n", path);
  return false;
}

/* Choose a unit that keeps the numbers on the axis short. */
static const char* in_short_unit(double* x, int n, const char* mm, const char* um) {
  double most = 0.0;

  for (int i = 0; i < n; ++i)
    most = fmax(most, fabs(x[i]));
  for (int i = 0; i < n; ++i)
    x[i] *= most < 1e-4 ? 1e6 : 1e3;
  return most < 1e-4 ? um : mm;
}

static int draw(const char* path, const char* title, const panel* list, int n) {
  static const char* const colour[] = {"#0072b2", "#d55e00"};
  FILE* s = path == NULL ? NULL : tmpfile();
  if (path == NULL) return CLI_OK;

  if (s == NULL) {
    fprintf(stderr, "appell law: '%s' cannot be written\n", path);
    return CLI_FAILED;
  }
  fprintf(s, "set terminal %s size 1200,560 background rgb 'white'\nset output '%s'\n",
          strcmp(path + strlen(path) - 4, ".svg") == 0 ? "svg font 'DejaVu Sans,16'"
                                                       : "pngcairo font 'DejaVu Sans,14'",
          path);
  for (int k = 0; k < n; ++k)
    put_points(s, k, list[k].x, list[k].y, list[k].n);
  fprintf(s,
          "set grid\nset border 3\nset tics nomirror\nset offsets graph 0, 0, 0.05, 0.05\nunset "
          "key\nset multiplot layout 1,%d title '%s' noenhanced\n",
          n, title);
  for (int k = 0; k < n; ++k) {
    fprintf(s,
            "set xlabel '%s'\nset ylabel '%s'\n"
            "plot $c%d with lines linewidth 2 linecolor rgb '%s'\n",
            list[k].xlabel, list[k].ylabel, k, colour[k % 2]);
  }
  fprintf(s, "unset multiplot\nunset output\n");
  const int code = gnuplot_run(s);
  fclose(s);
  return code;
}

/* ------------------------------------------------------------------------------------- laws ----
 */

static void print_impact(const cli_args* args, const apl_surface* g, const curve* c,
                         const double* exactly, double loss) {
  const apl_impact* i = &c->impact;
  const double out = i->speed_out / i->speed_in;

  if (args->value[LAW_JSON] != NULL) {
    json_t* j = json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f}", "law", g->law, "speed",
                          i->speed_in, "restitution", out, "deepest", c->deepest, "peak", i->peak,
                          "duration", i->end - i->start, "impulse", i->impulse);
    if (exactly != NULL && j != NULL) json_object_set_new(j, "exact", json_real(*exactly));
    char* text = j == NULL ? NULL : json_dumps(j, JSON_INDENT(2));
    printf("%s\n", text == NULL ? "" : text);
    free(text);
    json_decref(j);
    return;
  }
  printf("%s: achieved restitution %.9f", g->law, out);
  if (exactly != NULL && loss > 0.0) {
    printf(" (exact %.9f, c = %.6g)", *exactly, loss);
  } else if (exactly != NULL) {
    printf(" (exact %.9f)", *exactly);
  }
  if (i->end > i->start) {
    printf("\n  deepest %.6g m, peak %.6g N, duration %.6g s, impulse %.6g N s\n", c->deepest,
           i->peak, i->end - i->start, i->impulse);
  } else {
    printf("\n  instantaneous, impulse %.6g N s\n", i->impulse);
  }
}

/* A rigid law has no force to draw, but a velocity jump. */
static int rigid(const cli_args* args, const apl_surface* g, const apl_model* model, double speed) {
  static curve c; /* large */
  apl_error err = {0};

  if (!hit(model, speed, 1e-3, &c, &err)) return cli_complain(&err);
  c.deepest = 0.0;
  const double out = c.impact.speed_out, x[] = {-1, 0, 0, 1}, y[] = {-speed, -speed, out, out};
  print_impact(args, g, &c, &g->restitution, 0.0);
  return draw(args->value[LAW_OUTPUT], g->law,
              &(const panel){"time from the impact (s)", "speed (m/s)", x, y, 4}, 1);
}

static int compliant(const cli_args* args, const apl_surface* g, const apl_model* model,
                     double mass, double speed) {
  static curve first, fine; /* large */
  apl_error err = {0};

  /* the contact time for Hertz is about 3 deepest / speed */
  const double n = g->exponent;
  const double scale = pow(0.5 * mass * speed * speed * (n + 1.0) / g->stiffness, 1.0 / (n + 1.0));
  bool ok = hit(model, speed, 20.0 * scale / speed / MOST_POINTS, &first, &err);
  if (!ok && err.text[0] == '\0') ok = hit(model, speed, scale / speed, &first, &err);
  if (ok) ok = hit(model, speed, first.impact.end / 1000.0, &fine, &err);
  if (!ok) {
    fprintf(stderr, "appell law: the particle does not rebound%s%s\n",
            err.text[0] == '\0' ? "" : ": ", err.text);
    return CLI_FAILED;
  }
  for (int i = 0; i < fine.n; ++i)
    fine.deepest = fmax(fine.deepest, fine.depth[i]);
  const double c = loss(model, speed), exactly = exact(c);
  print_impact(args, g, &fine, strcmp(g->law, "kelvin-voigt") == 0 ? NULL : &exactly, c);
  const panel panels[] = {
      {in_short_unit(fine.depth, fine.n, "penetration (mm)", "penetration (um)"), "force (N)",
       fine.depth, fine.force, fine.n},
      {"penetration speed (m/s)", "force (N)", fine.rate, fine.force, fine.n},
  };
  return draw(args->value[LAW_OUTPUT], g->law, panels, 2);
}

static int normal(const cli_args* args, apl_surface* g, double mass, double speed) {
  apl_error err = {0};

  g->rest_speed = 1e-6 * speed;
  apl_model* model = particle(g, mass, &err);
  if (model == NULL) return cli_complain(&err);
  const int code = strcmp(g->law, "restitution") == 0 ? rigid(args, g, model, speed)
                                                      : compliant(args, g, model, mass, speed);
  apl_model_free(model);
  return code;
}

/* The single contact with bristle deflection z along the first tangent. */
static bool look_with_bristle(const apl_model* model, apl_state* s, double z, apl_contact* out) {
  apl_contact_get(s, 0, 0, out);
  out->bristle[0] = z;
  apl_contact_remember(s, 0, 0, out);
  return apl_contacts(model, s) == APL_OK && apl_contact_get(s, 0, 0, out) == APL_OK;
}

/* Force of bristles for a slow oscillating displacement: z' = f(v, z) by Runge-Kutta. They yield
   after about ms/sigma0; the amplitude is four times that. */
static void swing(const apl_model* model, apl_state* s, double stiction, double bristles,
                  curve* out) {
  enum { STEPS = 1500, SWINGS = 2 }; /* the second is the loop, without the way to it */
  const double X = 4.0 * stiction / bristles, h = 2.0 * acos(-1.0) / STEPS; /* at 1 rad/s */
  double z = 0.0;

  out->n = 0;
  for (int i = 0; i <= SWINGS * STEPS; ++i) {
    double k[4] = {0.0}, force = 0.0;
    for (int j = 0; j < 4; ++j) {
      const double part = j == 0 ? 0.0 : j == 3 ? 1.0 : 0.5;
      apl_v(s)[0] = X * cos((i + part) * h);
      apl_contact c;
      if (!look_with_bristle(model, s, z + part * h * (j == 0 ? 0.0 : k[j - 1]), &c)) return;
      k[j] = c.bristle_rate[0];
      if (j == 0) force = -c.force[1];
    }
    z += h / 6.0 * (k[0] + 2.0 * k[1] + 2.0 * k[2] + k[3]);
    if (i < (SWINGS - 1) * STEPS) continue;
    out->depth[out->n] = X * sin(i * h);
    out->force[out->n++] = force;
  }
}

/* Friction over slip, at unit normal force. LuGre: in steady sliding, and to and fro. */
static int friction(const cli_args* args, apl_surface* g, double speed) {
  static curve c, loop; /* large; loop stays empty without bristles */
  apl_error err = {0};
  apl_state* s = NULL;
  g->law = "hertz";
  g->stiffness = 1.0;
  g->exponent = 1.0;
  apl_model* model = particle(g, 1.0, &err);
  if (model == NULL) return cli_complain(&err);
  if (apl_state_new(model, APL_SCALAR, &s) != APL_OK) {
    apl_model_free(model);
    return CLI_FAILED;
  }
  const bool bristles = strcmp(g->friction, "lugre") == 0;
  double most = 0.0, at = 0.0;
  c.n = 0;
  for (int i = -1000; i <= 1000; ++i) {
    apl_contact now;
    apl_q(s)[1] = -1.0;
    apl_v(s)[0] = speed * i / 1000.0;
    if (!look_with_bristle(model, s, 0.0, &now)) break;
    if (bristles) { /* z' is linear in z: two evaluations give the stationary z */
      const double zero = now.bristle_rate[0];
      look_with_bristle(model, s, 1e-6, &now);
      const double slope = (now.bristle_rate[0] - zero) / 1e-6;
      look_with_bristle(model, s, slope != 0.0 ? -zero / slope : 0.0, &now);
    }
    c.rate[c.n] = apl_v(s)[0];
    c.force[c.n] = -now.force[1];
    if (c.force[c.n] > most) most = c.force[c.n], at = c.rate[c.n];
    ++c.n;
  }
  const double last = c.n > 0 ? c.force[c.n - 1] : 0.0;
  if (bristles) swing(model, s, g->stiction, g->bristle_stiffness, &loop);
  apl_state_free(s);
  apl_model_free(model);
  if (args->value[LAW_JSON] != NULL) {
    printf("{\"law\": \"%s\", \"most\": %.17g, \"at\": %.17g, \"last\": %.17g}\n", g->friction,
           most, at, last);
  } else {
    printf("%s: largest coefficient %.6g at %.6g m/s, %.6g at %g m/s\n", g->friction, most, at,
           last, speed);
  }
  const panel panels[] = {
      {"slip (m/s)", "force / normal force", c.rate, c.force, c.n},
      {in_short_unit(loop.depth, loop.n, "to and fro (mm)", "to and fro (um)"),
       "force / normal force", loop.depth, loop.force, loop.n},
  };
  return draw(args->value[LAW_OUTPUT], g->friction, panels, bristles ? 2 : 1);
}

static int run(const cli_args* args) {
  apl_surface g = apl_surface_default();
  double mass, speed;
  if (args->nfile == 0) return list_laws();

  const char* word = args->file[0];
  const bool is_normal = find(apl_normal_word, word) >= 0;
  const bool is_friction = find(apl_friction_word, word) >= 0;
  if (!is_normal && !is_friction) {
    fprintf(stderr, "appell law: there is no law '%s'; `appell law` lists them\n", word);
    return CLI_USAGE;
  }
  if (!figure_ok(args->value[LAW_OUTPUT])) return CLI_USAGE;
  if (!number(args, LAW_RESTITUTION, 0.8, &g.restitution) ||
      !number(args, LAW_SPEED, 1.0, &speed) || !number(args, LAW_STIFFNESS, 1e8, &g.stiffness) ||
      !number(args, LAW_EXPONENT, 1.5, &g.exponent) ||
      !number(args, LAW_DAMPING, 100.0, &g.damping) || !number(args, LAW_MASS, 1.0, &mass) ||
      !number(args, LAW_COEFFICIENT, 0.1, &g.coefficient) ||
      !number(args, LAW_STICTION, 1.5 * g.coefficient, &g.stiction) ||
      !number(args, LAW_V0, 0.1 * speed, &g.v0) || !number(args, LAW_V1, 0.5 * speed, &g.v1)) {
    return CLI_USAGE;
  }
  if (is_normal) {
    g.law = word;
    if (strcmp(word, "kelvin-voigt") != 0) g.damping = 0.0;
    return normal(args, &g, mass, speed);
  }
  g.friction = word;
  g.damping = 0.0;
  g.viscous = strcmp(word, "viscous") == 0 ? 0.05 / speed : 0.0;
  g.stribeck_speed = 0.2 * speed;
  g.decay = 5.0 / speed;
  g.bristle_stiffness = 1e4;
  return friction(args, &g, speed);
}

const cli_command cli_law = {
    .name = "law",
    .line = "Draw a contact or friction law; without a name, list them",
    .files = "[NAME]",
    .min = 0,
    .max = 1,
    .option = options,
    .run = run,
};
