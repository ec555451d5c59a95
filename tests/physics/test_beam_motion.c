/* SPDX-License-Identifier: Apache-2.0 */
/* test_beam_motion.c: chains of beams against the trajectories of spec/flexible.md, 8 (quad
   precision, twelve digits written), and against virtual power by quadrature of positions. */
#include "beams.h"
#include "integrate.h"
#include "random.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Aluminium strip of 20 x 6 mm, bending about its thin side; gamma and K_v of the spec. */
static plan_link* strip(plan* p, const char* name, const char* on, double length, int modes,
                        const char* attach) {
  plan_link* link = plan_add(p, name, on, "revolute", "beam");

  plan_vec3(link, "joint.axis", 0, 1, 0);
  plan_number(link, "body.modes", modes);
  plan_number(link, "body.length", length);
  plan_number(link, "body.width", 6e-3);
  plan_number(link, "body.height", 20e-3);
  plan_number(link, "body.density", 2700);
  plan_number(link, "body.young-modulus", 7e10);
  plan_number(link, "body.shear-modulus", 7e10 / 2.66);
  plan_number(link, "body.shear-factor", 5.0 / 6);
  plan_number(link, "body.elastic-drag", 0.05);
  plan_number(link, "body.kelvin-voigt-time", 1e5 / 7e10);
  plan_words(link, "body.attach", attach);
  if (strcmp(on, "world") == 0) link->at.rotation = beams_plane();
  return link;
}

/* Follow a table whose columns are t, the n coordinates, X1, X2, their rates, xtip, ytip, energies.
 */
static void follow(apl_model* model, const char* file, const char* tip, const double* q,
                   const double* v, int steps) {
  table t = table_read(APPELL_TEST_DATA, file);
  const int n = apl_model_nv(model);
  apl_state* s;
  double now = 0;
  double work = 0;
  double E0[2];

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  memcpy(apl_q(s), q, sizeof *q * (size_t)n);
  memcpy(apl_v(s), v, sizeof *v * (size_t)n);
  CHECK_OK(apl_energy(model, s, E0));
  for (int row = 0; row < t.rows; row++) {
    const double* at = t.value + row * t.columns;
    double pose[12];
    double E[2];

    near_context("%s at %g s", file, at[0]);
    integrate(model, s, at[0] - now, steps);
    now = at[0];
    work = table_at(&t, row, "W_D");
    CHECK_ARRAY(apl_q(s), at + 1, n, 1e-10, 1);
    CHECK_ARRAY(apl_v(s), at + 3 + n, n, 1e-10, 1 + near_max(at + 3 + n, n));
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, tip), pose));
    CHECK_NEAR(pose[9], table_at(&t, row, "xtip"), 1e-10);
    CHECK_NEAR(pose[11], table_at(&t, row, "ytip"), 1e-10);
    CHECK_OK(apl_energy(model, s, E));
    CHECK_NEAR(E[0], table_at(&t, row, "T"), 1e-10);
    CHECK_NEAR(E[1], table_at(&t, row, "Vg") + table_at(&t, row, "Ve"), 1e-10);
    CHECK_NEAR(E[0] + E[1] - E0[0] - E0[1], work, 1e-10);
  }
  CHECK_TRUE(t.rows >= 20 && work < -1e-6, "%s tells little", file);
  apl_state_free(s);
  apl_model_free(model);
  table_free(&t);
}

static void pendulum(void** state) {
  (void)state;
  const double q[2] = {-pi / 3, 0};
  const double v[2] = {0, 0};
  plan* p = plan_new();

  strip(p, "arm", "world", 1.2, 1, "section");
  follow(plan_model(p), "flexible/pendulum_cf_1mode.csv", "arm.tip", q, v, 20);
  free(p);
}

static void two_links(void** state) {
  (void)state;
  const double q[6] = {-0.4, 0, 0, 0.9, 0, 0};
  const double v[6] = {1.5, 0, 0, -2, 0, 0};
  plan* p = plan_new();

  strip(p, "upper", "world", 0.7, 2, "tangent");
  strip(p, "fore", "upper.tip", 0.5, 2, "tangent");
  follow(plan_model(p), "flexible/twolink_pinned_cf_cf_2modes_tangent.csv", "fore.tip", q, v, 400);
  free(p);
}

/* The paper's chain while nothing touches the ground: X1, X2 slide, three links turn. */
static apl_model* paper_chain(const char* const ends[3], const char* rotary, const char* attach) {
  plan* p = plan_new();
  plan_link* x = plan_add(p, "x", "world", "prismatic", "rigid");
  x->at.rotation = beams_plane();
  plan_vec3(x, "joint.axis", 0, 0, 1);
  plan_number(x, "body.mass", 0);
  plan_link* y = plan_add(p, "y", "x", "prismatic", "rigid");
  plan_vec3(y, "joint.axis", 1, 0, 0);
  plan_number(y, "body.mass", 0);
  for (int i = 0; i < 3; i++) {
    static const char* const name[] = {"a", "b", "c"};
    static const char* const on[] = {"y", "a.tip", "b.tip"};
    plan_link* link = plan_add(p, name[i], on[i], "revolute", "beam");
    plan_vec3(link, "joint.axis", 0, 1, 0);
    beams_paper(link, ends[i]);
    plan_words(link, "body.rotary", rotary);
    plan_words(link, "body.attach", attach);
  }
  apl_model* model = plan_model(p);
  free(p);
  return model;
}

static const struct {
  const char* name;
  const char* ends[3];
} cases[] = {{"ss-ss-ss", {"ss", "ss", "ss"}},
             {"cc-cc-cc", {"cc", "cc", "cc"}},
             {"sc-cc-cs", {"sc", "cc", "cs"}},
             {"cs-ss-sc", {"cs", "ss", "sc"}}};

/* Until the first contact at 0.428 s the chain falls freely. */
static void free_fall(void** state) {
  (void)state;
  for (int c = 0; c < 8; c++) {
    const char* rotary = c % 2 ? "full" : "link";
    char file[64];
    apl_state* s;
    double E[2];
    double now = 0;

    snprintf(file, sizeof file, "flexible/paper_%s_rotary-%s.csv", cases[c / 2].name, rotary);
    table t = table_read(APPELL_TEST_DATA, file);
    apl_model* model = paper_chain(cases[c / 2].ends, rotary, "tangent");
    CHECK_OK(apl_state_new(model, APL_SCALAR, &s));

    /* ours: X1 X2 q1 d1 q2 d2 q3 d3; the file: q1 d1 q2 d2 q3 d3 X1 X2 */
    const double start[8] = {-0.5 - sin(pi / 3), 0.9, pi / 6, 0, -pi / 6, 0, -pi / 6, 0};
    memcpy(apl_q(s), start, sizeof start);
    CHECK_OK(apl_energy(model, s, E));
    CHECK_NEAR(E[0] + E[1], 36.297, 1e-12);
    int rows = 0;
    for (; rows < t.rows && t.value[rows * t.columns] < 0.42; rows++) {
      const double* at = t.value + rows * t.columns;
      near_context("%s at %g s", file, at[0]);
      integrate(model, s, at[0] - now, 100);
      now = at[0];
      for (int k = 0; k < 8; k++) {
        /* the file has twelve digits; the fall itself is known to all */
        const double fallen = k == 1 ? 0.5 * 9.81 * now * now : 0;
        CHECK_NEAR(apl_q(s)[k], start[k] - fallen, 1e-12);
        CHECK_NEAR(apl_q(s)[(k + 2) % 8], at[1 + k], 6e-12);
        CHECK_NEAR(apl_v(s)[(k + 2) % 8], at[9 + k], 1e-11);
      }
    }
    assert_true(rows >= 8);
    apl_state_free(s);
    apl_model_free(model);
    table_free(&t);
  }
}

/* In the plane, with free joints, the frame on which a joint is mounted is a matter of coordinates
   only: q2 differs by (W' - Theta) d1 at the tip, nodes and deflections do not. */
static void attachment_is_a_gauge(void** state) {
  (void)state;
  /* W' - Theta of spec/flexible.md, 3 */
  const double cs = -3.782940223756 + 3.78070177638, ss = -3.14159265359 + 3.14033369011;
  double tip[2][12];
  double x[2][8];

  near_context("section against tangent");
  for (int k = 0; k < 2; k++) {
    const double d = 0.02, gauge = k ? 0 : d;
    const double start[8] = {0, 1, 0.3, d, -0.5 + gauge * cs, d, 0.8 + gauge * ss, d};
    const double speed[8] = {1, 2, 2, 0, -3, 0, 1, 0};
    apl_model* model = paper_chain(cases[3].ends, "full", k ? "tangent" : "section");
    apl_state* s;

    CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
    memcpy(apl_q(s), start, sizeof start);
    memcpy(apl_v(s), speed, sizeof speed);
    integrate(model, s, 0.1, 400);
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "c.tip"), tip[k]));
    memcpy(x[k], apl_q(s), sizeof x[k]);
    apl_state_free(s);
    apl_model_free(model);
  }
  CHECK_ARRAY(tip[1] + 9, tip[0] + 9, 3, 1e-10, 1);
  for (int i = 0; i < 8; i++) {
    if (i != 4 && i != 6) CHECK_NEAR(x[1][i], x[0][i], 1e-10);
  }
  CHECK_ALIVE(x[0] + 3, 1, 1e-3);
  CHECK_NEAR(x[0][4] - x[1][4], cs * x[0][3], 1e-10);
  CHECK_NEAR(x[0][6] - x[1][6], ss * x[0][5], 1e-10);
}

/* ----------------------------------------------------------------------------- virtual power ----
 */

/* The chain again, by hand: pinned-pinned links, W = sin(pi x), T = k cos(pi x), at x = (X1, X2,
   q1, d1, q2, d2, q3, d3). Everything in long double, derivatives by differences of positions. */
enum { CHAIN = 8, GAUSS = 12 };
typedef long double quad;
static const quad turn_of_mode = 3.140333690109594L; /* Table 2 */

/* Place and turn of the section at eta of a link. */
static void section_at(const quad* x, int link, quad eta, int full, quad out[3]) {
  quad X = x[0], Y = x[1], phi = 0, slope = 0;
  const quad p = acosl(-1.0L);

  for (int i = 0;; i++) {
    const quad d = x[3 + 2 * i];
    phi += x[2 + 2 * i] + slope;
    const quad c = cosl(phi), s = sinl(phi);
    if (i == link) {
      const quad w = d * sinl(p * eta);
      out[0] = X + eta * c - w * s;
      out[1] = Y + eta * s + w * c;
      out[2] = phi + (full ? d * turn_of_mode * cosl(p * eta) : 0);
      return;
    }
    X += c, Y += s; /* W = 0 at the tip */
    slope = -p * d; /* W'(1) d: tangent */
  }
}

/* second derivative at t = 0 of a section along x + v t + a t^2/2 */
static void second(const quad* x, const quad* v, const quad* a, int link, quad eta, int full,
                   quad out[3]) {
  static const quad weight[4] = {8.0L / 5, -1.0L / 5, 8.0L / 315, -1.0L / 560};
  const quad h = 1e-3L;
  quad mid[3];

  section_at(x, link, eta, full, mid);
  for (int k = 0; k < 3; k++)
    out[k] = -205.0L / 72 * mid[k];
  for (int i = 1; i <= 4; i++) {
    for (int sign = -1; sign <= 1; sign += 2) {
      const quad t = sign * i * h;
      quad y[CHAIN], f[3];
      for (int k = 0; k < CHAIN; k++)
        y[k] = x[k] + v[k] * t + a[k] * t * t / 2;
      section_at(y, link, eta, full, f);
      for (int k = 0; k < 3; k++)
        out[k] += weight[i - 1] * f[k];
    }
  }
  for (int k = 0; k < 3; k++)
    out[k] /= h * h;
}

static void first(const quad* x, int j, int link, quad eta, int full, quad out[3]) {
  static const quad weight[4] = {4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
  const quad h = 1e-3L;
  quad y[CHAIN], plus[3], minus[3];

  out[0] = out[1] = out[2] = 0;
  memcpy(y, x, sizeof y);
  for (int i = 1; i <= 4; i++) {
    y[j] = x[j] + i * h;
    section_at(y, link, eta, full, plus);
    y[j] = x[j] - i * h;
    section_at(y, link, eta, full, minus);
    for (int k = 0; k < 3; k++)
      out[k] += weight[i - 1] * (plus[k] - minus[k]) / h;
  }
}

/* Gauss points on 0 .. 1 */
static void gauss(quad at[GAUSS], quad weight[GAUSS]) {
  for (int i = 0; i < GAUSS; i++) {
    quad z = cosl(acosl(-1.0L) * (i + 0.75L) / (GAUSS + 0.5L)), d = 1;
    for (int k = 0; k < 20; k++) {
      quad a = 1, b = z;
      for (int n = 1; n < GAUSS; n++) {
        const quad c = ((2 * n + 1) * z * b - n * a) / (n + 1);
        a = b, b = c;
      }
      d = GAUSS * (z * b - a) / (z * z - 1);
      z -= b / d;
    }
    at[i] = (1 - z) / 2;
    weight[i] = 1 / ((1 - z * z) * d * d);
  }
}

/* The efforts that the motion needs, all of them without elasticity and damping. */
static void virtual_power(const double* q, const double* v, const double* a, int full, quad* tau) {
  const quad J = 2.9473e-5L;
  quad x[CHAIN], xd[CHAIN], xdd[CHAIN], at[GAUSS], weight[GAUSS];

  gauss(at, weight);
  for (int k = 0; k < CHAIN; k++)
    x[k] = (quad)q[k], xd[k] = (quad)v[k], xdd[k] = (quad)a[k], tau[k] = 0;
  for (int link = 0; link < 3; link++) {
    for (int g = 0; g < GAUSS; g++) {
      quad acc[3], move[3];
      second(x, xd, xdd, link, at[g], full, acc);
      for (int j = 0; j < CHAIN; j++) {
        first(x, j, link, at[g], full, move);
        tau[j] +=
            weight[g] * (acc[0] * move[0] + (acc[1] + 9.81L) * move[1] + J * acc[2] * move[2]);
      }
    }
  }
}

static void by_virtual_power(void** state) {
  (void)state;
  /* from the tables of spec/flexible.md, 3: K and D of the modes */
  const double K = 47545.81385695, D = 0.01252972803697;
  for (int c = 0; c < 6; c++) {
    const int full = c % 2;
    apl_model* model = paper_chain(cases[0].ends, full ? "full" : "link", "tangent");
    rng r = rng_seed(40 + (unsigned)c);
    apl_state* s;
    double q[CHAIN], v[CHAIN], a[CHAIN];
    quad tau[CHAIN];

    near_context("virtual power, rotary %s", full ? "full" : "link");
    rng_fill(&r, q, CHAIN, 1);
    rng_fill(&r, v, CHAIN, 2);
    rng_fill(&r, a, CHAIN, 10);
    for (int k = 3; k < CHAIN; k += 2)
      q[k] *= 0.1;
    virtual_power(q, v, a, full, tau);
    CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
    memcpy(apl_q(s), q, sizeof q);
    memcpy(apl_v(s), v, sizeof v);
    memcpy(apl_a(s), a, sizeof a);
    CHECK_OK(apl_inverse(model, s));
    for (int k = 0; k < CHAIN; k++) {
      const double elastic = k >= 3 && k % 2 ? K * q[k] + D * v[k] : 0;

      /* K has 13 digits, differences lose some: 1e-8 of efforts that are about a hundred */
      CHECK_NEAR(apl_tau(s)[k] - elastic, (double)tau[k], 2e-8);
    }

    /* the same motion back, in the plane */
    CHECK_OK(apl_forward(model, s));
    CHECK_ARRAY(apl_a(s), a, CHAIN, 1e-8, 10);
    apl_state_free(s);
    apl_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum),
      cmocka_unit_test(two_links),
      cmocka_unit_test(attachment_is_a_gauge),
      cmocka_unit_test(free_fall),
      cmocka_unit_test(by_virtual_power),
  };
  return cmocka_run_group_tests_name("beam motion", tests, NULL, NULL);
}
