/* dop853.c: the explicit method of Dormand and Prince of order 8 with error estimates of orders 5
   and 3, step control as Hairer, Norsett and Wanner describe it (Solving Ordinary Differential
   Equations I, II.5 and II.10). Of our own because systems here are short: a library's vectors
   would cost as much as the mechanics. */
#include "integrate/dop853.h"

#include "base/error.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double at[STAGES] = {0.0,
                                  0.526001519587677318785587544488e-01,
                                  0.789002279381515978178381316732e-01,
                                  0.118350341907227396726757197510e+00,
                                  0.281649658092772603273242802490e+00,
                                  0.333333333333333333333333333333e+00,
                                  0.25,
                                  0.307692307692307692307692307692e+00,
                                  0.651282051282051282051282051282e+00,
                                  0.6,
                                  0.857142857142857142857142857142e+00,
                                  1.0};

static const term stage[STAGES][STAGES] = {
    {{END, 0}},
    {{0, 5.26001519587677318785587544488e-2}, {END, 0}},
    {{0, 1.97250569845378994544595329183e-2}, {1, 5.91751709536136983633785987549e-2}, {END, 0}},
    {{0, 2.95875854768068491816892993775e-2}, {2, 8.87627564304205475450678981324e-2}, {END, 0}},
    {{0, 2.41365134159266685502369798665e-1},
     {2, -8.84549479328286085344864962717e-1},
     {3, 9.24834003261792003115737966543e-1},
     {END, 0}},
    {{0, 3.7037037037037037037037037037e-2},
     {3, 1.70828608729473871279604482173e-1},
     {4, 1.25467687566822425016691814123e-1},
     {END, 0}},
    {{0, 3.7109375e-2},
     {3, 1.70252211019544039314978060272e-1},
     {4, 6.02165389804559606850219397283e-2},
     {5, -1.7578125e-2},
     {END, 0}},
    {{0, 3.70920001185047927108779319836e-2},
     {3, 1.70383925712239993810214054705e-1},
     {4, 1.07262030446373284651809199168e-1},
     {5, -1.53194377486244017527936158236e-2},
     {6, 8.27378916381402288758473766002e-3},
     {END, 0}},
    {{0, 6.24110958716075717114429577812e-1},
     {3, -3.36089262944694129406857109825e0},
     {4, -8.68219346841726006818189891453e-1},
     {5, 2.75920996994467083049415600797e1},
     {6, 2.01540675504778934086186788979e1},
     {7, -4.34898841810699588477366255144e1},
     {END, 0}},
    {{0, 4.77662536438264365890433908527e-1},
     {3, -2.48811461997166764192642586468e0},
     {4, -5.90290826836842996371446475743e-1},
     {5, 2.12300514481811942347288949897e1},
     {6, 1.52792336328824235832596922938e1},
     {7, -3.32882109689848629194453265587e1},
     {8, -2.03312017085086261358222928593e-2},
     {END, 0}},
    {{0, -9.3714243008598732571704021658e-1},
     {3, 5.18637242884406370830023853209e0},
     {4, 1.09143734899672957818500254654e0},
     {5, -8.14978701074692612513997267357e0},
     {6, -1.85200656599969598641566180701e1},
     {7, 2.27394870993505042818970056734e1},
     {8, 2.49360555267965238987089396762e0},
     {9, -3.0467644718982195003823669022e0},
     {END, 0}},
    {{0, 2.27331014751653820792359768449e0},
     {3, -1.05344954667372501984066689879e1},
     {4, -2.00087205822486249909675718444e0},
     {5, -1.79589318631187989172765950534e1},
     {6, 2.79488845294199600508499808837e1},
     {7, -2.85899827713502369474065508674e0},
     {8, -8.87285693353062954433549289258e0},
     {9, 1.23605671757943030647266201528e1},
     {10, 6.43392746015763530355970484046e-1},
     {END, 0}},
};

/* Stages before have no part in the solution but by those behind them, nor in its dense output; the
   first is the rate at the start. */
enum { FIRST_COUNTED = 5 };

static const term solution[] = {{0, 5.42937341165687622380535766363e-2},
                                {5, 4.45031289275240888144113950566e0},
                                {6, 1.89151789931450038304281599044e0},
                                {7, -5.8012039600105847814672114227e0},
                                {8, 3.1116436695781989440891606237e-1},
                                {9, -1.52160949662516078556178806805e-1},
                                {10, 2.01365400804030348374776537501e-1},
                                {11, 4.47106157277725905176885569043e-2},
                                {END, 0}};

/* error of order 5, and of order 3: the latter on top of the solution */
static const term error5[] = {{0, 0.1312004499419488073250102996e-01},
                              {5, -0.1225156446376204440720569753e+01},
                              {6, -0.4957589496572501915214079952e+00},
                              {7, 0.1664377182454986536961530415e+01},
                              {8, -0.3503288487499736816886487290e+00},
                              {9, 0.3341791187130174790297318841e+00},
                              {10, 0.8192320648511571246570742613e-01},
                              {11, -0.2235530786388629525884427845e-01},
                              {END, 0}};
static const term error3[] = {{0, -0.244094488188976377952755905512e+00},
                              {8, -0.733846688281611857341361741547e+00},
                              {11, -0.220588235294117647058823529412e-01},
                              {END, 0}};

static apl_status dop_open(apl_stepper* s, apl_error* err) {
  const size_t n = (size_t)s->options.n;
  dop_data* d = calloc(1, sizeof *d);

  s->data = d;
  if (d != NULL) d->k = calloc((DOP_RATES + 8) * n, sizeof *d->k);
  if (d == NULL || d->k == NULL) {
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for the integrator");
  }
  d->x = d->k + DOP_RATES * n;
  d->s = d->x + n;
  d->e = d->s + n;
  d->late = d->e + n;
  d->dense = d->late + n;
  return APL_OK;
}

static void dop_close(apl_stepper* s) {
  dop_data* d = s->data;

  if (d != NULL) free(d->k);
  free(d);
}

static apl_status dop_restart(apl_stepper* s) {
  dop_data* d = s->data;

  d->h = s->options.step;
  d->fresh = d->known = false;
  d->from = (double)NAN;
  return APL_OK;
}

/* Four numbers at a time: sums stay in registers, where vectors are shorter than loops are dear. */
void apl_dop853_sum(const apl_stepper* s, const term* list, int count, double* out) {
  const dop_data* d = s->data;
  const int n = s->options.n;
  int j = 0;

  for (; j + 4 <= count; j += 4) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    for (const term* x = list; x->k != END; ++x) {
      const double* k = d->k + x->k * n + j;
      for (int i = 0; i < 4; ++i)
        sum[i] += x->a * k[i];
    }
    memcpy(out + j, sum, sizeof sum);
  }
  for (; j < count; ++j) {
    out[j] = 0.0;
    for (const term* x = list; x->k != END; ++x)
      out[j] += x->a * d->k[x->k * n + j];
  }
}

/* A stage: y0 + h times a sum. Rates do not ask for what the error norm leaves out. */
void apl_dop853_stage(const apl_stepper* s, const term* list, double h) {
  const dop_data* d = s->data;
  const int ne = s->options.n_error;

  apl_dop853_sum(s, list, ne, d->x);
  for (int j = 0; j < ne; ++j)
    d->x[j] = s->y0[j] + h * d->x[j];
}

static double weight(const apl_stepper* s, double y) {
  return s->options.tolerance * fabs(y) + s->options.absolute;
}

/* A first step from the sizes of y, y' and y'': such that an Euler step would be within a hundredth
   of y, and the eighth-order error within the tolerance. */
static apl_status first_step(apl_stepper* s, double* out) {
  dop_data* d = s->data;
  const int n = s->options.n, ne = s->options.n_error;
  const double most = s->options.max_step > 0.0 ? s->options.max_step : APL_FIRST_SPAN;
  double y = 0.0, f = 0.0, df = 0.0;

  for (int j = 0; j < ne; ++j) {
    const double w = weight(s, s->y0[j]);
    y += s->y0[j] / w * (s->y0[j] / w);
    f += d->k[j] / w * (d->k[j] / w);
  }
  double h = y > 1e-10 && f > 1e-10 ? 0.01 * sqrt(y / f) : 1e-6;
  h = fmin(h, most);
  for (int j = 0; j < n; ++j)
    d->x[j] = s->y0[j] + h * d->k[j];
  const apl_status st = apl_stepper_rate(s, s->t0 + h, d->x, d->k + n);
  if (st != APL_OK) {
    *out = 1e-3 * h;
    return apl_stepper_may_retry(st) ? APL_OK : st;
  }
  for (int j = 0; j < ne; ++j) {
    const double w = weight(s, s->y0[j]), x = (d->k[n + j] - d->k[j]) / w;
    df += x * x;
  }
  const double largest = fmax(sqrt(df) / h, sqrt(f)) / sqrt(ne > 0 ? ne : 1);
  const double fine = largest <= 1e-15 ? fmax(1e-6, 1e-3 * h) : pow(0.01 / largest, 1.0 / 8.0);
  *out = fmin(fmin(100.0 * h, fine), most);
  return APL_OK;
}

/* Try a step h: the new y, and its error relative to what is allowed. */
static apl_status attempt(apl_stepper* s, double h, double* error) {
  dop_data* d = s->data;
  const int n = s->options.n, ne = s->options.n_error;
  double e5 = 0.0, e3 = 0.0;

  for (int i = 1; i < STAGES; ++i) {
    apl_dop853_stage(s, stage[i], h);
    const double t = s->t0 + at[i] * h;
    const apl_status st = i < FIRST_COUNTED ? apl_stepper_motion(s, t, d->x, d->k + i * n)
                                            : apl_stepper_rate(s, t, d->x, d->k + i * n);
    if (st != APL_OK) return st;
  }
  memcpy(d->late, d->x, sizeof *d->x * (size_t)ne);
  apl_dop853_sum(s, solution, n, d->s);
  for (int j = 0; j < n; ++j)
    s->y[j] = s->y0[j] + h * d->s[j];

  apl_dop853_sum(s, error5, ne, d->e);
  apl_dop853_sum(s, error3, ne, d->x);
  for (int j = 0; j < ne; ++j) {
    const double w = 1.0 / weight(s, fmax(fabs(s->y0[j]), fabs(s->y[j])));
    const double x5 = d->e[j] * w, x3 = (d->x[j] + d->s[j]) * w;
    e5 += x5 * x5;
    e3 += x3 * x3;
  }
  /* |h| e5 / sqrt((e5 + 0.01 e3) n) */
  const double below = e5 + 0.01 * e3;
  *error = below > 0.0 ? h * e5 / sqrt(below * ne) : 0.0;
  return isfinite(*error) ? APL_OK : APL_ERR_NOT_FINITE;
}

/* The last stage of a step and its end stand at one time, so the change of the rates between them
   over that of y is about |lambda|, and the method is stable up to h |lambda| of about 6.1 (the
   same book's second volume, IV.2). */
static double dop_limited(const apl_stepper* s) {
  const dop_data* d = s->data;
  const int n = s->options.n, ne = s->options.n_error;
  const double *before = d->k + (STAGES - 1) * n, *after = d->k + STAGES * n;
  const double h = s->t - s->t0;
  double rate = 0.0, way = 0.0;

  for (int j = 0; j < ne; ++j) {
    const double f = after[j] - before[j], y = s->y[j] - d->late[j];
    rate += f * f;
    way += y * y;
  }
  return way > 0.0 ? h * sqrt(rate / way) / 6.1 : 0.0;
}

static apl_status too_small(apl_stepper* s) {
  if (s->cause != APL_OK) return s->cause;
  snprintf(s->reason, sizeof s->reason,
           "the tolerance cannot be met even with the smallest possible step");
  return APL_ERR_INTEGRATOR;
}

static apl_status dop_step(apl_stepper* s, double t_end) {
  dop_data* d = s->data;
  const int n = s->options.n;
  const double left = t_end - s->t0;
  const double most = s->options.max_step > 0.0 ? fmin(left, s->options.max_step) : left;
  apl_status st = APL_OK;
  bool rejected = false;

  if (d->fresh) memcpy(d->k, d->k + STAGES * n, sizeof *d->k * (size_t)n);
  if (!d->fresh) st = apl_stepper_rate(s, s->t0, s->y0, d->k);
  d->fresh = d->known = false;
  d->from = s->t0;
  if (st == APL_OK && !(d->h > 0.0)) st = first_step(s, &d->h);
  if (st != APL_OK) return st;
  for (;;) {
    /* a step that would leave a crumb goes to the end */
    const bool last = d->h * 1.01 >= left && left <= most;
    const double h = last ? left : fmin(d->h, most);
    double error = HUGE_VAL;

    if (h <= 16.0 * DBL_EPSILON * fabs(s->t0) || h < DBL_MIN) return too_small(s);
    st = attempt(s, h, &error);
    const bool accepted = st == APL_OK && error <= 1.0;
    if (accepted) st = apl_stepper_rate(s, s->t0 + h, s->y, d->k + STAGES * n);
    if (st != APL_OK && !apl_stepper_may_retry(st)) return st;
    if (st != APL_OK) {
      d->h = 0.25 * h;
      rejected = true;
      continue;
    }
    /* 0.8 where the book has 0.9: fewer steps are rejected, fewer evaluations in all (measured) */
    const double factor = 0.8 * pow(fmax(error, 1e-16), -1.0 / 8.0);
    const double grown = h * fmin(fmax(factor, 1.0 / 3.0), rejected ? 1.0 : 6.0);
    if (accepted) {
      /* a step cut short by t_end says little about the next one */
      d->h = last ? fmax(d->h, grown) : grown;
      s->t = last ? t_end : s->t0 + h;
      d->fresh = true;
      return APL_OK;
    }
    d->h = grown;
    rejected = true;
  }
}

/* The rate at y is asked again; the step stays. */
static apl_status dop_adjust(apl_stepper* s) {
  ((dop_data*)s->data)->fresh = false;
  return APL_OK;
}

/* Back to where the last step began: its rates there are known, and the step stays a good guess. */
static apl_status dop_rewind(apl_stepper* s) {
  dop_data* d = s->data;
  const int n = s->options.n;

  if (d->from != s->t) return dop_restart(s);
  memcpy(d->k + STAGES * n, d->k, sizeof *d->k * (size_t)n);
  d->fresh = true;
  d->known = false;
  return APL_OK;
}

/* The next step, and the rate at (t, y) where it is known. */
enum { DOP_MEMORY = 2 };

static int dop_memory_size(int n) {
  return DOP_MEMORY + n;
}

static void dop_remember(const apl_stepper* s, double* out) {
  const dop_data* d = s->data;
  const int n = s->options.n;

  out[0] = d->h;
  out[1] = d->fresh;
  if (d->fresh) memcpy(out + DOP_MEMORY, d->k + STAGES * n, sizeof *out * (size_t)n);
}

static apl_status dop_recall(apl_stepper* s, const double* in) {
  dop_data* d = s->data;
  const int n = s->options.n;

  d->h = in[0];
  d->fresh = in[1] > 0.5;
  memcpy(d->k + STAGES * n, in + DOP_MEMORY, sizeof *in * (size_t)n);
  return APL_OK;
}

const stepper_ops apl_stepper_dop853 = {
    .open = dop_open,
    .close = dop_close,
    .restart = dop_restart,
    .step = dop_step,
    .inside = apl_dop853_inside,
    .read = apl_dop853_read,
    .adjust = dop_adjust,
    .jolt = dop_adjust,
    .rewind = dop_rewind,
    .memory_size = dop_memory_size,
    .remember = dop_remember,
    .recall = dop_recall,
    .limited = dop_limited,
};
