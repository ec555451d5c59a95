/* SPDX-License-Identifier: Apache-2.0 */
/* flexible_modes.c: Table 2 of the flexible paper, the first mode of a Timoshenko beam for four
   pairs of ends, and the frequencies that these shapes have in the chain. */
#include "papers/flexible.h"
#include "papers/rig.h"

#include <math.h>
#include <string.h>

/* Parameters behind Table 2: E = 2e11 Pa, a rectangle of 30 x 12.5 mm, mu = 1 kg/m, l = 1 m, k =
   5/6, G = E/2.6, rotary inertia rho I. They reproduce all of its digits; the parameters of Table 3
   do not. */
static const double EI = 2e11 * 4.8828125e-9, kAG = 5.0 / 6.0 * 3.75e-4 * 2e11 / 2.6;
static const double J = 4.8828125e-9 / 3.75e-4;

/* ----------------------------------------------------------------------------------- modes ---- */

static beam_end end_of(char letter) {
  return letter == 'c' ? BEAM_CLAMPED : BEAM_PINNED;
}

apl_status apl_flexible_mode(const char* ends, beam_mode* out, apl_error* err) {
  const beam_basis basis = {
      .s2 = EI / kAG, .r2 = J, .root = end_of(ends[0]), .tip = end_of(ends[1])};

  return apl_beam_modes(&basis, 1, out, err);
}

enum { SIN, COS, SINH, COSH };

/* (28), (29): coefficients of sin p x, cos p x, sinh q x, cosh q x in W and in Theta */
typedef struct shape_numbers {
  double p, q, W[4], T[4];
} shape_numbers;

/* The solver's own functions are e^-qx = cosh - sinh and e^-q(1-x) = e^-q (cosh + sinh). */
static shape_numbers numbers_of(const beam_mode* m) {
  const double q = sqrt(m->s), a = m->p - m->g / m->p, b = q + m->g / q;
  const double near = m->k[2], far = m->k[3] * exp(-q);
  shape_numbers n = {m->p, q, {m->k[0], m->k[1], far - near, far + near}, {0}};

  n.T[COS] = a * n.W[SIN];
  n.T[SIN] = -a * n.W[COS];
  n.T[COSH] = b * n.W[SINH];
  n.T[SINH] = b * n.W[COSH];
  return n;
}

/* ----------------------------------------------------------------------------------- table ---- */

/* As printed; 0: not there. */
static const struct printed {
  const char* ends;
  shape_numbers is;
} table[] = {
    {"ss", {3.141592653589793, 0, {[SIN] = 1}, {[COS] = 3.140333690109594}}},
    {"cc",
     {4.728894916196515,
      4.72606095063675,
      {[COSH] = 0.6292076184824934,
       [COS] = -0.6292076184824934,
       [SINH] = -0.6181543604098716,
       [SIN] = 0.6189067368941716},
      {[COS] = 2.924089234018893,
       [COSH] = -2.924089234018893,
       [SINH] = 2.976375062609595,
       [SIN] = 2.97275682019588}}},
    {"sc",
     {3.926181400745614,
      3.924559038288969,
      {[SINH] = 0.02617115567137916, [SIN] = 0.937356072626805},
      {[COSH] = 0.1027745658114473, [COS] = 3.677927210568842}}},
    {"cs",
     {3.926181400745614,
      3.924559038288969,
      {[COSH] = 0.6622741284223433,
       [COS] = -0.6622741284223433,
       [SINH] = -0.6627910308436212,
       [SIN] = 0.6633471080156852},
      {[COS] = 2.602791457664548,
       [COSH] = -2.602791457664547,
       [SINH] = 2.600761573215394,
       [SIN] = 2.598581381090682}}},
};
enum { SHAPES = sizeof table / sizeof *table };

static void put_number(apl_paper* paper, const char* quantity, double published, double ours,
                       const char* unit) {
  if (published == 0.0) return;
  const double off = fabs(ours - published);

  apl_put_row(paper, quantity, published, ours, unit,
              off < 1e-12 * fabs(published) ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              apl_put_text(paper, "sixteen digits are printed; off by %.1e", off));
}

static void put_shape(apl_paper* paper, const struct printed* t, const shape_numbers* ours) {
  static const char* const function[] = {"sin", "cos", "sinh", "cosh"};

  put_number(paper, apl_put_text(paper, "%s: alpha omega, in sin and cos", t->ends), t->is.p,
             ours->p, "m^-1");
  put_number(paper, apl_put_text(paper, "%s: beta omega, in sinh and cosh", t->ends), t->is.q,
             ours->q, "m^-1");
  for (int k = 0; k < 4; ++k) {
    put_number(paper, apl_put_text(paper, "%s: W, coefficient of %s", t->ends, function[k]),
               t->is.W[k], ours->W[k], "1");
  }
  for (int k = 0; k < 4; ++k) {
    put_number(paper, apl_put_text(paper, "%s: Theta, coefficient of %s", t->ends, function[k]),
               t->is.T[k], ours->T[k], "m^-1");
  }
}

static void put_curves(apl_paper* paper, const beam_mode* mode) {
  enum { N = 101 };
  double x[N], W[N];

  apl_put_figure(paper,
                 (paper_axes){.title = "Table 2: the shapes W", .right = "eta [m]", .up = "W"});
  for (int i = 0; i < SHAPES; ++i) {
    for (int k = 0; k < N; ++k) {
      x[k] = k / (N - 1.0);
      W[k] = apl_beam_mode_at(&mode[i], x[k]).W;
    }
    apl_put_curve(paper, table[i].ends, N, x, W, false, false);
  }
}

/* ----------------------------------------------------------------------------- frequencies ---- */

/* Potential energy with this weight of the last link's mode. */
static apl_status potential(const rig* r, double weight, double* out) {
  apl_state* s = apl_system_state(r->system);
  double energy[2] = {0};

  apl_q(s)[apl_model_nq(r->model) - 1] = weight;
  const apl_status st = apl_energy(r->model, s, energy);
  *out = energy[1];
  return st;
}

/* sqrt(K/M) of the mode of the last link, which carries nothing: K = V(1) - 2 V(0) + V(-1), since V
   is quadratic plus a linear gravity term. */
static apl_status last_link(const char* model, const char* rotary, double* omega, apl_error* err) {
  enum { N = 8, LAST = N * N - 1 };
  double M[N * N] = {0}, V[3] = {0};
  apl_run_options o;
  rig r;

  apl_status st = apl_rig_open(&r, err, model, "link3.body.rotary=%s", rotary);
  if (st != APL_OK) return st;
  st = apl_rig_start(&r, &o, err); /* above the ground */
  if (st == APL_OK) st = apl_mass_matrix(r.model, apl_system_state(r.system), M);
  for (int k = 0; k < 3 && st == APL_OK; ++k)
    st = potential(&r, k - 1.0, &V[k]);
  apl_rig_close(&r);
  *omega = sqrt((V[2] - 2.0 * V[1] + V[0]) / M[LAST]);
  return st;
}

/* The case whose last link has these ends. */
static const char* model_with(const char* ends) {
  int i = 0;
  while (strcmp(apl_flexible_cases[i].ends[FLEXIBLE_LINKS - 1], ends) != 0)
    ++i;
  return apl_flexible_cases[i].model;
}

static apl_status put_frequencies(apl_paper* paper, const char* ends, double lambda,
                                  apl_error* err) {
  static const char* const rotary[] = {"link", "full"};
  apl_status st = APL_OK;

  apl_put_ours(paper, apl_put_text(paper, "%s: frequency of the mode", ends), sqrt(lambda * EI),
               "rad/s", "of the beam of Table 2");
  for (int k = 0; k < 2 && st == APL_OK; ++k) {
    double omega = nan("");
    st = last_link(model_with(ends), rotary[k], &omega, err);
    apl_put_ours(paper,
                 apl_put_text(paper, "%s: frequency in the chain, rotary %s", ends, rotary[k]),
                 omega, "rad/s", "sqrt(K/(M + JJ)) with Table 3; JJ = 0 for rotary link");
  }
  return st;
}

apl_status apl_flexible_table(apl_paper* paper, apl_error* err) {
  beam_mode mode[SHAPES];
  apl_status st = APL_OK;

  apl_put_group(paper, "Table 2: mode shapes",
                "W and Theta of a Timoshenko beam, c clamped and s simply supported, largest |W| "
                "one. All digits follow with s2 = EI/(kAG) = 4.0625e-5 and r2 = 1.3020833e-5.");
  for (int i = 0; i < SHAPES && st == APL_OK; ++i) {
    st = apl_flexible_mode(table[i].ends, &mode[i], err);
    if (st != APL_OK) break;
    const shape_numbers ours = numbers_of(&mode[i]);
    put_shape(paper, &table[i], &ours);
    st = put_frequencies(paper, table[i].ends, mode[i].lambda, err);
  }
  if (st == APL_OK) put_curves(paper, mode);
  return st;
}
