/* SPDX-License-Identifier: Apache-2.0 */
/* test_contact.c: laws of contact and friction against closed forms, located events, ledgers. */
#include "near.h"

#include "dynamics/extra.h"
#include "run/parts.h"
#include "system/system.h"
#include "systems.h"

#include <appell/appell.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

/* ------------------------------------------------------------------------------ small robots ----
 */

static apl_surface ground(const char* law, double e) {
  apl_surface at = apl_surface_default();

  at.law = law;
  at.stiffness = 1e6;
  at.restitution = e;
  at.damping = strcmp(law, "kelvin-voigt") == 0 ? 300.0 : 0.0;
  return at;
}

/* a point mass that may go anywhere: slides along x, y and z */
static apl_spec* particle(double mass, double gravity) {
  static const char* const name[] = {"x", "y", "point"};
  apl_spec* spec;

  CHECK_OK(apl_spec_new(&spec));
  apl_spec_gravity(spec, (apl_vec3){0, 0, -gravity});
  for (int i = 0; i < 3; ++i) {
    const int link =
        apl_spec_link(spec, name[i], i == 0 ? "world" : name[i - 1], "prismatic", "rigid");
    apl_spec_vec3(spec, link, "joint.axis", i == 0, i == 1, i == 2);
    apl_spec_number(spec, link, "body.mass", i == 2 ? mass : 0.0);
  }
  return spec;
}

typedef struct impacts {
  apl_impact list[64];
  int n;
} impacts;

static void note(const apl_impact* impact, apl_system* system, void* user) {
  impacts* all = user;
  (void)system;

  if (all->n < 64) all->list[all->n++] = *impact;
}

static apl_run_report run(apl_system* system, double to, double tolerance, impacts* all) {
  apl_run_options o = apl_run_options_default();
  apl_run_report report;
  apl_error err;

  o.to = to;
  o.method = "rkf78";
  o.tolerance = tolerance;
  o.output_every = to / 50.0;
  o.impact = note;
  o.user = all;
  if (apl_run(system, &o, &report, &err) != APL_OK) fail_msg("%s", err.text);
  return report;
}

static double* q_of(apl_system* system) {
  return apl_q(apl_system_state(system));
}
static double* v_of(apl_system* system) {
  return apl_v(apl_system_state(system));
}
static apl_contact contact_of(apl_system* system, int i) {
  apl_contact c;
  CHECK_OK(apl_contacts(apl_system_model(system), apl_system_state(system)));
  CHECK_OK(apl_contact_get(apl_system_state(system), i, 0, &c));
  return c;
}

/* The first contact of a state closed at this speed. */
static void closed_at(apl_state* s, int lane, double speed) {
  apl_contact c;
  CHECK_OK(apl_contact_get(s, 0, lane, &c));
  c.speed_in = speed;
  CHECK_OK(apl_contact_remember(s, 0, lane, &c));
}

/* ------------------------------------------------------------------------------- restitution ----
 */

/* c - ln(1 + c) = -c e' - ln(1 - c e') by bisection: the left side belongs to the approach. */
static double exact_restitution(double c) {
  const double in = c - log1p(c);
  double a = 0.0, b = fmin(1.0, (1.0 - 1e-16) / c);

  if (c == 0.0) return 1.0;
  for (int k = 0; k < 200; ++k) {
    const double x = 0.5 * (a + b);
    if (-c * x - log1p(-c * x) < in) {
      a = x;
    } else {
      b = x;
    }
  }
  return 0.5 * (a + b);
}

/* Exact values of e' for e = 0.8, any K, m and n; a start that touches exactly. */
static void laws_restitute(void** unused) {
  static const struct {
    const char* law;
    double c, published;
  } laws[] = {{"hertz", 0.0, 1.0},
              {"hu-guo", 1.5 * 0.2 / 0.8, 0.799199},
              {"flores", 1.6 * 0.2 / 0.8, 0.788539},
              {"hunt-crossley", 1.5 * 0.2, 0.832870},
              {"herbert-mcwhannell", 6.0 * 0.2 / (0.36 + 3.0), 0.806980},
              {"lankarani-nikravesh", 0.75 * 0.36, 0.847102},
              {"lee-wang", 0.75 * 0.2, 0.909016},
              {"gharib-hurmuzlu", 1.25, 0.536160}};
  (void)unused;

  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double n = k == 0 ? 1.5 : k == 1 ? 1.0 : 2.2, m = 0.7, in = k == 2 ? 0.3 : 2.0;
      apl_spec* spec = particle(m, 0.0);
      apl_surface floor = ground(laws[i].law, 0.8);
      floor.exponent = n;
      apl_spec_ground(spec, "floor", &floor);
      apl_spec_contact(spec, "point.root", NULL, 0.0);
      apl_model* model = systems_model(spec);
      apl_system* system = systems_new(model);
      impacts all = {.n = 0};

      v_of(system)[2] = -in;
      const apl_run_report report = run(system, 0.3, 1e-12, &all);
      near_context("%s, n = %g", laws[i].law, n);
      assert_int_equal(all.n, 1);
      const double out = all.list[0].speed_out / all.list[0].speed_in;
      CHECK_NEAR(out, exact_restitution(laws[i].c), 1e-9);
      CHECK_NEAR(out, laws[i].published, 1e-6); /* six digits are published */
      CHECK_NEAR(all.list[0].start, 0.0, 0.0);
      CHECK_NEAR(all.list[0].impulse, m * in * (1.0 + out), 1e-9);
      CHECK_NEAR(v_of(system)[2], out * in, 1e-9);
      CHECK_TRUE(report.relative < 1e-10, "the ledger closes: %g", report.relative);
      /* hertz: deepest where K D^(n+1)/(n+1) = m v^2/2 */
      if (i == 0) {
        const double deep = pow(0.5 * m * in * in * (n + 1.0) / 1e6, 1.0 / (n + 1.0));
        CHECK_NEAR(all.list[0].peak, 1e6 * pow(deep, n), 1e-4 * 1e6 * pow(deep, n));
      }
      apl_system_free(system);
      apl_model_free(model);
    }
  }
}

/* spring and damper that may pull: e = exp(-zeta pi / sqrt(1 - zeta^2)), time pi / w_d */
static void kelvin_voigt(void** unused) {
  const double m = 0.7, K = 1e6, b = 300.0, w = sqrt(K / m), zeta = b / (2.0 * m * w);
  const double wd = w * sqrt(1.0 - zeta * zeta);
  apl_spec* spec = particle(m, 0.0);
  apl_surface floor = ground("kelvin-voigt", 0.0);
  impacts all = {.n = 0};
  (void)unused;

  floor.exponent = 1.0;
  floor.pulls = true;
  apl_spec_ground(spec, "floor", &floor);
  apl_spec_contact(spec, "point.root", "floor", 0.0);
  apl_model* model = systems_model(spec);
  apl_system* system = systems_new(model);
  v_of(system)[2] = -1.0;
  run(system, 0.1, 1e-12, &all);
  assert_int_equal(all.n, 1);
  CHECK_NEAR(all.list[0].speed_out, exp(-zeta * acos(-1.0) / sqrt(1.0 - zeta * zeta)), 1e-10);
  CHECK_NEAR(all.list[0].end, acos(-1.0) / wd, 1e-12);
  apl_system_free(system);
  apl_model_free(model);
}

/* ------------------------------------------------------------------------------------- bounces
 * ----
 */

/* Falls on planes of any incline: the flight is a parabola, times are closed forms. */
static void flights_are_parabolas(void** unused) {
  static const double normal[][3] = {{0, 0, 1}, {0.3, 0, 1}, {-0.4, 0.5, 2.0}};
  (void)unused;

  for (int k = 0; k < 3; ++k) {
    const double m = 0.7, h = 1.0, *n = normal[k];
    const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), c = n[2] / size;
    for (int rigid = 0; rigid < 2; ++rigid) {
      apl_spec* spec = particle(m, g);
      apl_surface floor = ground(rigid ? "restitution" : "hu-guo", 0.8);
      impacts all = {.n = 0};
      floor.normal = (apl_vec3){n[0], n[1], n[2]};
      floor.point = (apl_vec3){0.1 * n[1], -0.1 * n[0], 0.0};
      apl_spec_ground(spec, "floor", &floor);
      apl_spec_contact(spec, "point.root", NULL, 0.0);
      apl_model* model = systems_model(spec);
      apl_system* system = systems_new(model);

      q_of(system)[2] = h;
      const apl_run_report report = run(system, 1.5, 1e-10, &all);
      near_context("normal %d, rigid %d", k, rigid);
      CHECK_TRUE(all.n >= 2, "it bounces");
      CHECK_NEAR(all.list[0].start, sqrt(2.0 * h / g), 1e-12);
      CHECK_NEAR(all.list[0].speed_in, c * sqrt(2.0 * g * h), 1e-11);
      if (rigid) CHECK_NEAR(all.list[0].speed_out, 0.8 * all.list[0].speed_in, 1e-11);
      /* away from the plane at speed_out against g c */
      CHECK_NEAR(all.list[1].start, all.list[0].end + 2.0 * all.list[0].speed_out / (g * c), 1e-11);
      /* tolerances are relative: a depth is known as well as the coordinates it is made of */
      CHECK_TRUE(report.relative < (k == 0 ? 1e-9 : 1e-8) && report.momentum < 1e-9,
                 "the ledgers close: %g, %g", report.relative, report.momentum);
      assert_int_equal(report.impacts, all.n);
      apl_system_free(system);
      apl_model_free(model);
    }
  }
}

/* Exactly touching, not moving: it sinks to where the ground carries it, and stays. */
static void touching_start_comes_to_rest(void** unused) {
  static const char* const laws[] = {"hu-guo", "kelvin-voigt", "restitution"};
  (void)unused;

  for (int i = 0; i < 3; ++i) {
    const double m = 0.7;
    apl_spec* spec = particle(m, g);
    apl_surface floor = ground(laws[i], 0.5);
    impacts all = {.n = 0};
    floor.rest_speed = 0.02;
    apl_spec_ground(spec, "floor", &floor);
    apl_spec_contact(spec, "point.root", NULL, 0.0);
    apl_model* model = systems_model(spec);
    apl_system* system = systems_new(model);

    const apl_run_report report = run(system, 1.0, 1e-10, &all);
    near_context("%s", laws[i]);
    assert_int_equal(all.n, 0);
    CHECK_NEAR(-q_of(system)[2], i == 2 ? 0.0 : pow(m * g / 1e6, 1.0 / 1.5), i == 2 ? 1e-12 : 1e-6);
    CHECK_TRUE(report.relative < 1e-7, "the ledger closes: %g", report.relative);
    apl_system_free(system);
    apl_model_free(model);
  }
}

/* A rigid contact at rest lets go when a growing force k t carries the weight: then
   v = k (t - m g/k)^2 / 2m. */
static void support_lets_go(void** unused) {
  const double m = 0.7, k = 20.0, T = 0.8;
  apl_spec* spec = particle(m, g);
  const apl_surface floor = ground("restitution", 0.5);
  impacts all = {.n = 0};
  apl_signal* pull;
  apl_error err;
  (void)unused;

  apl_spec_ground(spec, "floor", &floor);
  apl_spec_contact(spec, "point.root", NULL, 0.0);
  apl_spec_input(spec, "pull", "point.joint.position", 1.0);
  apl_model* model = systems_model(spec);
  apl_system* system = systems_new(model);
  CHECK_OK(
      apl_signal_points("linear", 2, (const double[]){0, 1}, (const double[]){0, k}, &pull, &err));
  CHECK_OK(apl_system_input(system, 0, pull, &err));
  const apl_run_report report = run(system, T, 1e-10, &all);
  CHECK_NEAR(v_of(system)[2], 0.5 * k / m * pow(T - m * g / k, 2), 1e-10);
  CHECK_TRUE(report.relative < 1e-9, "the ledger closes: %g", report.relative);
  apl_system_free(system);
  apl_model_free(model);
}

/* e = 0.5: infinitely many bounces in a finite time, then rest; both kinds of law. */
static void bounces_end_in_rest(void** unused) {
  (void)unused;

  for (int rigid = 0; rigid < 2; ++rigid) {
    const double m = 0.7, h = 0.3;
    apl_spec* spec = particle(m, g);
    apl_surface floor = ground(rigid ? "restitution" : "hu-guo", 0.5);
    impacts all = {.n = 0};
    apl_spec_ground(spec, "floor", &floor);
    apl_spec_contact(spec, "point.root", NULL, 0.0);
    apl_model* model = systems_model(spec);
    apl_system* system = systems_new(model);

    q_of(system)[2] = h;
    const apl_run_report report = run(system, 1.5, 1e-10, &all);
    near_context("rigid %d", rigid);
    /* compliant, the last contact does not end: its weight holds a ball as slow as that */
    CHECK_TRUE(all.n >= (rigid ? 10 : 3) && all.n < 30,
               "bounces down to the rest speed, no more: %d", all.n);
    CHECK_NEAR(v_of(system)[2], 0.0, 1e-5);
    CHECK_NEAR(contact_of(system, 0).force[0], m * g, 1e-2 * m * g);
    /* it is a stiff rest: 1e-8 of the energy */
    CHECK_TRUE(report.relative < 1e-8, "the ledger closes: %g", report.relative);
    apl_system_free(system);
    apl_model_free(model);
  }
}

/* A bar that falls flat: both ends hit at once, and it does not turn. */
static void two_contacts_at_once(void** unused) {
  (void)unused;

  for (int k = 0; k < 4; ++k) {
    const bool rigid = (k & 1) != 0, middle = (k & 2) != 0;
    apl_spec* spec;
    apl_surface floor = ground(rigid ? "restitution" : "flores", 0.7);
    impacts all = {.n = 0};
    CHECK_OK(apl_spec_new(&spec));
    const int bar = apl_spec_link(spec, "bar", "world", "floating", "rigid");
    apl_spec_number(spec, bar, "body.mass", 1.3);
    apl_spec_put(spec, bar, "body.inertia", (const double[]){0.02, 0.1, 0.11, 0, 0, 0}, 6);
    apl_spec_port(spec, bar, "left", 0, apl_pose_at(-0.5, 0, 0));
    apl_spec_port(spec, bar, "right", 0, apl_pose_at(0.5, 0, 0));
    apl_spec_ground(spec, "floor", &floor);
    apl_spec_contact(spec, "bar.left", NULL, 0.02);
    apl_spec_contact(spec, "bar.right", NULL, 0.02);
    if (middle)
      apl_spec_contact(spec, "bar.root", NULL, 0.02); /* one more than can be told apart */
    apl_model* model = systems_model(spec);
    apl_system* system = systems_new(model);
    const int z = apl_model_find(model, APL_COORDINATES, "bar.joint.z");
    assert_true(z >= 0);
    q_of(system)[z] = 0.52;
    const apl_run_report report = run(system, 0.6, 1e-10, &all);
    near_context("rigid %d, three %d", rigid, middle);
    CHECK_TRUE(all.n >= 2, "both ends hit");
    CHECK_NEAR(all.list[0].start, sqrt(2.0 * 0.5 / g), 1e-12);
    CHECK_NEAR(all.list[1].start, sqrt(2.0 * 0.5 / g), 1e-12);
    if (rigid) CHECK_NEAR(all.list[0].speed_out, 0.7 * all.list[0].speed_in, 1e-12);
    CHECK_NEAR(all.list[0].speed_out, all.list[1].speed_out, 1e-12);
    CHECK_TRUE(report.relative < 1e-8, "the ledger closes: %g", report.relative);
    apl_system_free(system);
    apl_model_free(model);
  }
}

/* ------------------------------------------------------------------------------------ friction
 * ----
 */

/* A particle on an incline that it cannot leave (law `restitution`, at rest). */
static apl_model* slope(double angle, const apl_surface* friction, double heading) {
  apl_spec* spec = particle(0.7, g);
  apl_surface plane = *friction;

  /* falls towards (cos heading, sin heading) */
  plane.normal = (apl_vec3){sin(angle) * cos(heading), sin(angle) * sin(heading), cos(angle)};
  plane.law = "restitution";
  plane.restitution = 0.5;
  apl_spec_ground(spec, "slope", &plane);
  apl_spec_contact(spec, "point.root", NULL, 0.0);
  return systems_model(spec);
}

static apl_surface rubbing(const char* law) {
  apl_surface f = apl_surface_default();

  f.friction = law;
  f.coefficient = 0.2;
  f.v0 = 1e-4;
  f.v1 = 1e-3;
  f.stribeck_speed = 0.05;
  f.bristle_stiffness = 1e3;
  return f;
}

/* Downhill with 1 m/s: v' = g sin - m g cos, independent of the law at low speed. */
static void slides_downhill(void** unused) {
  static const char* const laws[] = {"none",    "coulomb",   "coulomb-stiction", "stribeck",
                                     "karnopp", "threlfall", "bengisu-akay",     "ambrosio"};
  const double angle = 0.5, heading = 0.7, T = 0.5;
  (void)unused;

  for (int i = 0; i < 8; ++i) {
    const apl_surface f = rubbing(laws[i]);
    apl_model* model = slope(angle, &f, heading);
    apl_system* system = systems_new(model);
    impacts all = {.n = 0};
    const double down[3] = {cos(angle) * cos(heading), cos(angle) * sin(heading), -sin(angle)};

    for (int k = 0; k < 3; ++k)
      v_of(system)[k] = down[k];
    const apl_run_report report = run(system, T, 1e-10, &all);
    const double m = i == 0 ? 0.0 : 0.2, a = g * (sin(angle) - m * cos(angle));
    near_context("%s", laws[i]);
    /* rounding of the corner changes the coefficient by (v0/v)^2/2 */
    for (int k = 0; k < 3; ++k) {
      CHECK_NEAR(v_of(system)[k], (1.0 + a * T) * down[k], 1e-8);
      CHECK_NEAR(q_of(system)[k], (T + 0.5 * a * T * T) * down[k], 1e-8);
    }
    CHECK_TRUE(report.relative < 1e-9, "the ledger closes: %g", report.relative);
    apl_system_free(system);
    apl_model_free(model);
  }
}

/* coulomb + viscous: v' = A - B v */
static void viscous_slide(void** unused) {
  const double angle = 0.5, T = 0.5;
  apl_surface f = rubbing("viscous");
  impacts all = {.n = 0};
  (void)unused;

  f.viscous = 0.3;
  apl_model* model = slope(angle, &f, 0.0);
  apl_system* system = systems_new(model);
  v_of(system)[0] = cos(angle);
  v_of(system)[2] = -sin(angle);
  run(system, T, 1e-10, &all);
  const double A = g * (sin(angle) - 0.2 * cos(angle)), B = 0.3 * g * cos(angle);
  CHECK_NEAR(v_of(system)[0] / cos(angle), A / B + (1.0 - A / B) * exp(-B * T), 1e-8);
  apl_system_free(system);
  apl_model_free(model);
}

/* Uphill with 1 m/s on a slope flatter than friction: stops at v/(g (sin + m cos)) and stays; on a
   steeper one it comes back. Laws without stiction creep: their force at rest is the slope's. */
static void stops_and_stays(void** unused) {
  static const char* const laws[] = {"coulomb-stiction", "karnopp",  "threlfall",
                                     "bengisu-akay",     "ambrosio", "coulomb"};
  const double angle = 0.15;
  (void)unused;

  for (int i = 0; i < 6; ++i) {
    const apl_surface f = rubbing(laws[i]);
    apl_model* model = slope(angle, &f, 0.0);
    apl_system* system = systems_new(model);
    impacts all = {.n = 0};
    const double a = g * (sin(angle) + 0.2 * cos(angle));

    v_of(system)[0] = -cos(angle);
    v_of(system)[2] = sin(angle);
    const apl_run_report report = run(system, 2.0 / a, 1e-10, &all);
    const double s = hypot(q_of(system)[0], q_of(system)[2]);
    const double v = hypot(v_of(system)[0], v_of(system)[2]);
    near_context("%s", laws[i]);
    /* the way to stop is v^2/2a; creeping adds at most v1 for as long again */
    CHECK_NEAR(s, 0.5 / a, i == 0 ? 1e-7 : 5e-4);
    CHECK_TRUE(v <= (i < 2 ? 1e-9 : 1e-3), "it stays: %g", v);
    CHECK_TRUE(report.relative < 1e-9, "the ledger closes: %g", report.relative);
    apl_system_free(system);
    apl_model_free(model);
  }
}

/* Stiction holds up to ms, then it slips with m. */
static void stiction_breaks(void** unused) {
  (void)unused;

  for (int steep = 0; steep < 2; ++steep) {
    const double angle = steep ? 0.45 : 0.35, T = 0.4;
    apl_surface f = rubbing("coulomb-stiction");
    impacts all = {.n = 0};
    f.stiction = 0.4; /* tan 0.35 = 0.365, tan 0.45 = 0.483 */
    apl_model* model = slope(angle, &f, 0.0);
    apl_system* system = systems_new(model);
    run(system, T, 1e-10, &all);
    /* until it is as fast as 2e-6 m/s ms brakes it, then m */
    const double band = 2e-6, a = g * (sin(angle) - 0.2 * cos(angle));
    const double a_band = g * (sin(angle) - 0.4 * cos(angle));
    const double v = steep ? band + a * (T - band / a_band) : 0.0;
    near_context("steep %d", steep);
    CHECK_NEAR(v_of(system)[0], v * cos(angle), 1e-7);
    apl_system_free(system);
    apl_model_free(model);
  }
}

/* Anisotropic: along `direction` with one coefficient, across with the other. */
static void anisotropic_slide(void** unused) {
  (void)unused;

  for (int across = 0; across < 2; ++across) {
    apl_surface f = rubbing("ambrosio");
    impacts all = {.n = 0};
    f.across = 0.5;
    f.direction = (apl_vec3){1, 1, 0};
    apl_model* model = slope(0.0, &f, 0.0);
    apl_system* system = systems_new(model);
    v_of(system)[0] = sqrt(0.5) * 2.0;
    v_of(system)[1] = (across ? -1.0 : 1.0) * sqrt(0.5) * 2.0;
    run(system, 0.3, 1e-10, &all);
    CHECK_NEAR(hypot(v_of(system)[0], v_of(system)[1]), 2.0 - (across ? 0.5 : 0.2) * g * 0.3, 1e-8);
    apl_system_free(system);
    apl_model_free(model);
  }
}

/* LuGre: the same three equations by Runge and Kutta in small steps. */
static void lugre(void** unused) {
  const double m = 0.2, ms = 0.35, vs = 0.05, s0 = 1e3, s1 = 3.0, s2 = 0.1, angle = 0.1, T = 0.4;
  apl_surface f = rubbing("lugre");
  impacts all = {.n = 0};
  (void)unused;

  f.stiction = ms;
  f.bristle_damping = s1;
  f.viscous = s2;
  apl_model* model = slope(angle, &f, 0.0);
  apl_system* system = systems_new(model);
  v_of(system)[0] = -0.3 * cos(angle);
  v_of(system)[2] = 0.3 * sin(angle);
  const apl_run_report report = run(system, T, 1e-11, &all);

  double y[2] = {-0.3, 0.0}; /* v downhill, z */
  const int steps = 400000;
  const double h = T / steps;
  for (int i = 0; i < steps; ++i) {
    double k[4][2];
    for (int j = 0; j < 4; ++j) {
      const double c = j == 0 ? 0.0 : j == 3 ? 1.0 : 0.5;
      const double v = y[0] + (j == 0 ? 0.0 : c * h * k[j - 1][0]);
      const double z = y[1] + (j == 0 ? 0.0 : c * h * k[j - 1][1]);
      const double G = m + (ms - m) * exp(-(v / vs) * (v / vs));
      k[j][1] = v - s0 * fabs(v) * z / G;
      k[j][0] = g * sin(angle) - g * cos(angle) * (s0 * z + s1 * k[j][1] + s2 * v);
    }
    for (int j = 0; j < 2; ++j)
      y[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
  }
  CHECK_NEAR(v_of(system)[0] / cos(angle), y[0], 1e-9);
  CHECK_TRUE(report.relative < 1e-9, "the ledger closes: %g", report.relative);
  apl_system_free(system);
  apl_model_free(model);
}

/* A ball that slides until it rolls: v = 5/7 v0 at t = 2 v0/(7 m g), friction at the point that
   touches. */
static void ball_begins_to_roll(void** unused) {
  const double r = 0.1, m = 2.0, T = 0.5;
  apl_spec* spec;
  apl_surface floor = rubbing("coulomb-stiction");
  impacts all = {.n = 0};
  (void)unused;

  floor.law = "restitution";
  floor.restitution = 0.5;
  CHECK_OK(apl_spec_new(&spec));
  const int ball = apl_spec_link(spec, "ball", "world", "floating", "rigid");
  const double J = 0.4 * m * r * r;
  apl_spec_number(spec, ball, "body.mass", m);
  apl_spec_put(spec, ball, "body.inertia", (const double[]){J, J, J, 0, 0, 0}, 6);
  apl_spec_ground(spec, "floor", &floor);
  apl_spec_contact(spec, "ball.root", NULL, r);
  apl_model* model = systems_model(spec);
  apl_system* system = systems_new(model);
  q_of(system)[apl_model_find(model, APL_COORDINATES, "ball.joint.z")] = r;
  double V[6], A[6];
  int vx = -1;
  for (int i = 0; i < apl_model_nv(model); ++i) {
    v_of(system)[i] = 1.0;
    CHECK_OK(apl_port_motion(model, apl_system_state(system), 0, APL_WORLD_AXES, V, A));
    if (fabs(V[3] - 1.0) < 1e-12) vx = i;
    v_of(system)[i] = 0.0;
  }
  assert_true(vx >= 0);
  v_of(system)[vx] = 1.5;
  const apl_run_report report = run(system, T, 1e-10, &all);
  CHECK_OK(apl_port_motion(model, apl_system_state(system), 0, APL_WORLD_AXES, V, A));
  CHECK_NEAR(V[3], 1.5 * 5.0 / 7.0, 1e-6);
  CHECK_NEAR(V[1] * r, V[3], 1e-6);
  CHECK_TRUE(report.relative < 1e-9, "the ledger closes: %g", report.relative);
  apl_system_free(system);
  apl_model_free(model);
}

/* ---------------------------------------------------------------------------------- numbers ----
 */

/* The same memory gives the same accelerations in all builds, and derivatives by complex steps. */
static void builds_agree(void** unused) {
  apl_spec* spec = particle(0.7, g);
  apl_surface floor = rubbing("stribeck");
  apl_state *one, *four, *imaginary;
  (void)unused;

  floor.law = "flores";
  floor.stiffness = 1e5;
  floor.restitution = 0.6;
  apl_spec_ground(spec, "floor", &floor);
  apl_spec_contact(spec, "point.root", NULL, 0.0);
  apl_model* model = systems_model(spec);
  CHECK_OK(apl_state_new(model, APL_SCALAR, &one));
  CHECK_OK(apl_state_new(model, APL_LANES, &four));
  CHECK_OK(apl_state_new(model, APL_COMPLEX, &imaginary));
  const double v[3] = {0.2, -0.1, -0.4}, z = -2e-3, h = 1e-7;
  double a[3][3];
  for (int k = 0; k < 3; ++k) {
    apl_q(one)[2] = z + (k == 1 ? h : k == 2 ? -h : 0.0);
    memcpy(apl_v(one), v, sizeof v);
    closed_at(one, 0, 0.8);
    CHECK_OK(apl_forward(model, one));
    memcpy(a[k], apl_a(one), sizeof a[k]);
  }
  for (int lane = 0; lane < 4; ++lane) {
    apl_q(four)[4 * 2 + lane] = z;
    closed_at(four, lane, 0.8);
    for (int i = 0; i < 3; ++i)
      apl_v(four)[4 * i + lane] = v[i];
  }
  apl_q(imaginary)[4] = z;
  apl_q(imaginary)[5] = 1e-100;
  closed_at(imaginary, 0, 0.8);
  for (int i = 0; i < 3; ++i)
    apl_v(imaginary)[2 * i] = v[i];
  CHECK_OK(apl_forward(model, four));
  CHECK_OK(apl_forward(model, imaginary));
  for (int i = 0; i < 3; ++i) {
    for (int lane = 0; lane < 4; ++lane)
      CHECK_NEAR(apl_a(four)[4 * i + lane], a[0][i], 1e-13 * fabs(a[0][i]));
    CHECK_NEAR(apl_a(imaginary)[2 * i], a[0][i], 1e-13 * fabs(a[0][i]));
    const double slope_z = (a[1][i] - a[2][i]) / (2.0 * h);
    CHECK_NEAR(apl_a(imaginary)[2 * i + 1] * 1e100, slope_z, 1e-6 * fabs(slope_z));
  }
  apl_state_free(one);
  apl_state_free(four);
  apl_state_free(imaginary);
  apl_model_free(model);
}

/* At rest smoothed laws have a derivative too: da/dv = -m N / (v0 M); without contact there is
   none. */
static void slopes_at_rest(void** unused) {
  const double M = 0.7, K = 1e5, depth = 1e-3, v0 = 0.02;
  apl_spec* spec = particle(M, g);
  apl_surface floor = rubbing("coulomb");
  apl_state* s;
  (void)unused;

  floor.law = "hertz";
  floor.stiffness = K;
  floor.v0 = v0;
  apl_spec_ground(spec, "floor", &floor);
  apl_spec_contact(spec, "point.root", NULL, 0.0);
  apl_model* model = systems_model(spec);
  CHECK_OK(apl_state_new(model, APL_COMPLEX, &s));
  for (int air = 0; air < 2; ++air) {
    const double slope = air ? 0.0 : -floor.coefficient * K * pow(depth, 1.5) / (v0 * M);
    apl_q(s)[4] = air ? 1.0 : -depth;
    apl_v(s)[1] = 1e-100;
    CHECK_OK(apl_forward(model, s));
    near_context("air %d", air);
    CHECK_NEAR(apl_a(s)[1] * 1e100, slope, 1e-9 * fabs(slope));
    CHECK_NEAR(apl_a(s)[0], 0.0, 1e-15);
  }
  apl_state_free(s);
  apl_model_free(model);
}

typedef struct saved {
  double t, y[256], memory[1024];
  int n, nmemory, left;
} saved;

static apl_status save(double t, const double* y, const double* memory, void* user) {
  saved* s = user;

  if (s->left-- != 0) return APL_OK;
  s->t = t;
  memcpy(s->y, y, sizeof *y * (size_t)s->n);
  memcpy(s->memory, memory, sizeof *memory * (size_t)s->nmemory);
  return APL_OK;
}

/* Resumed in the middle of a contact, a run ends with the same bytes. */
static void resumed_runs_are_the_same(void** unused) {
  (void)unused;

  for (int when = 0; when < 12; ++when) {
    apl_spec* spec = particle(0.7, g);
    apl_surface floor = rubbing("lugre");
    floor.law = "hu-guo";
    floor.stiffness = 1e4; /* soft: contacts last for several outputs */
    floor.restitution = 0.8;
    apl_spec_ground(spec, "floor", &floor);
    apl_spec_contact(spec, "point.root", NULL, 0.0);
    apl_model* model = systems_model(spec);
    double end[2][256];
    saved at = {.left = 20 + when};
    long impacts_seen[2];
    for (int k = 0; k < 2; ++k) {
      apl_system* system = systems_new(model);
      apl_run_options o = apl_run_options_default();
      apl_run_report report;
      apl_error err;
      at.n = apl_system_size(system);
      at.nmemory = apl_run_memory_size(system, &o);
      assert_true(at.n <= 256 && at.nmemory <= 1024);
      o.to = 1.0;
      o.output_every = 0.004;
      o.checkpoint = save;
      o.checkpoint_every = 1;
      o.user = &at;
      const apl_resume resume = {at.t, at.y, at.memory};
      if (k == 1) o.resume = &resume;
      q_of(system)[2] = 0.03;
      v_of(system)[0] = 0.3;
      if (apl_run(system, &o, &report, &err) != APL_OK) fail_msg("%s", err.text);
      apl_system_pack(system, end[k]);
      impacts_seen[k] = report.impacts;
      apl_system_free(system);
    }
    CHECK_TRUE(memcmp(end[0], end[1], sizeof(double) * (size_t)at.n) == 0, "the same bytes");
    assert_int_equal(impacts_seen[0], impacts_seen[1]);
    apl_model_free(model);
  }
}

/* ------------------------------------------------------------------------------------ mistakes
 * ----
 */

static void mistakes_are_told(void** unused) {
  static const struct {
    const char* law;
    double e, K;
    const char* friction;
    const char *port, *with;
    const char* sentence;
  } cases[] = {
      {"hu-gu", 0.8, 1, "none", "point.root", "", "hu-guo"},
      {"hu-guo", 0.8, 0, "none", "point.root", "", "needs `stiffness`"},
      {"hu-guo", 0.0, 1, "none", "point.root", "", "needs `restitution`"},
      {"hu-guo", 1.5, 1, "none", "point.root", "", "(0, 1]"},
      {"hu-guo", -0.5, 1, "none", "point.root", "", "(0, 1]"},
      {"kelvin-voigt", 0.5, 1, "none", "point.root", "", "needs `damping`"},
      {"hertz", 0, 1, "ambrosi", "point.root", "", "ambrosio"},
      {"hertz", 0, 1, "ambrosio", "point.root", "", "needs `coefficient`"},
      {"hertz", 0, 1, "none", "point.rot", "", "point.root"},
      {"hertz", 0, 1, "none", "point.root", "flor", "floor"},
  };
  (void)unused;

  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    apl_spec* spec = particle(1.0, g);
    apl_surface floor = apl_surface_default();
    apl_model* model;
    apl_error err;
    floor.law = cases[i].law;
    floor.restitution = cases[i].e;
    floor.stiffness = cases[i].K;
    floor.friction = cases[i].friction;
    apl_spec_ground(spec, "floor", &floor);
    apl_spec_contact(spec, cases[i].port, cases[i].with, 0.0);
    near_context("case %zu", i);
    CHECK_TRUE(apl_model_new(spec, &model, &err) != APL_OK, "it is refused");
    CHECK_TRUE(strstr(err.text, cases[i].sentence) != NULL, "%s", err.text);
    apl_spec_free(spec);
  }

  /* too deep a start names the point and the depth */
  apl_spec* spec = particle(1.0, g);
  apl_surface floor = ground("hertz", 0.0);
  apl_run_options o = apl_run_options_default();
  apl_error err;
  apl_spec_ground(spec, "floor", &floor);
  apl_spec_contact(spec, "point.root", "", 0.0);
  apl_model* model = systems_model(spec);
  apl_system* system = systems_new(model);
  q_of(system)[2] = -0.0025;
  assert_int_equal(apl_run(system, &o, NULL, &err), APL_ERR_MODEL);
  CHECK_TRUE(strstr(err.text, "point.root.floor") != NULL && strstr(err.text, "0.0025") != NULL,
             "%s", err.text);
  apl_system_free(system);
  apl_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_restitute),
      cmocka_unit_test(kelvin_voigt),
      cmocka_unit_test(flights_are_parabolas),
      cmocka_unit_test(touching_start_comes_to_rest),
      cmocka_unit_test(support_lets_go),
      cmocka_unit_test(bounces_end_in_rest),
      cmocka_unit_test(two_contacts_at_once),
      cmocka_unit_test(slides_downhill),
      cmocka_unit_test(viscous_slide),
      cmocka_unit_test(stops_and_stays),
      cmocka_unit_test(stiction_breaks),
      cmocka_unit_test(anisotropic_slide),
      cmocka_unit_test(lugre),
      cmocka_unit_test(ball_begins_to_roll),
      cmocka_unit_test(builds_agree),
      cmocka_unit_test(slopes_at_rest),
      cmocka_unit_test(resumed_runs_are_the_same),
      cmocka_unit_test(mistakes_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
