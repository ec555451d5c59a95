/* sundials.c: adaptive methods by SUNDIALS 6 (ARKODE's ERKStep, CVODE). Only this file and
   analyse/newton.c include its headers. Each stepper has its own SUNContext, so steppers may live
   in different threads.

   SUNDIALS is asked for single steps with a stop time; events are located by whoever drives the
   stepper (docs/decisions/007). Starting again is always ReInit, never Reset: after an impact Reset
   keeps a step that jumps over the next bounce. */
#include "integrate/stepper.h"

#include "base/error.h"

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_dense.h>
#include <sundials/sundials_linearsolver.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sundials_data {
  SUNContext context;
  void* memory; /* ARKODE's or CVODE's                                                    */
  N_Vector y;
  N_Vector look; /* without memory of its own: for a place inside the last step          */
  SUNMatrix J;   /* bdf                                                                    */
  SUNLinearSolver solver;
  SUNNonlinearSolver correct; /* adams                                                   */
  double first;  /* explicit: the step with which it began anew, 0: it chooses                    */
  double* rates; /* [4 n] explicit: at the ends of the last step, between them, and a place there */
  bool known;    /* ... they are those of the last step                                           */
} sundials_data;

/* Histories that SUNDIALS does not tell are forgotten every so many steps: methods of one step lose
   nothing but what their controller remembers of two steps, multistep methods climb from order one.
   */
enum { RENEW_ONE_STEP = 10, RENEW_MULTISTEP = 500 };

/* First steps are at most a tenth of the way to the next output, or to the stop time where that is
   nearer [s]: a short way, so that where a run is to end does not change how it begins. */
static const double FIRST_SPAN = 1e-3;

/* 1 asks SUNDIALS to try a smaller step, -1 to give up. */
static int rate_of(realtype t, N_Vector y, N_Vector ydot, void* user) {
  const apl_status st = apl_stepper_rate(user, t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot));

  return st == APL_OK ? 0 : apl_stepper_may_retry(st) ? 1 : -1;
}

/* weights 1 / (rtol |y| + atol); what is not in the error norm gets almost none */
static int weights(N_Vector y, N_Vector ewt, void* user) {
  const apl_stepper* s = user;
  const double* x = N_VGetArrayPointer(y);
  double* w = N_VGetArrayPointer(ewt);

  /* SUNDIALS averages over all n numbers; ours is over those that count */
  const double share =
      sqrt((double)s->options.n / (double)(s->options.n_error > 0 ? s->options.n_error : 1));
  for (int i = 0; i < s->options.n; ++i) {
    w[i] = i < s->options.n_error
               ? share / (s->options.tolerance * fabs(x[i]) + s->options.absolute)
               : 1e-30;
  }
  return 0;
}

/* SUNDIALS would print; what went wrong is told by status and reason instead. */
static void quiet(int code, const char* module, const char* function, char* message, void* user) {
  apl_stepper* s = user;

  (void)module, (void)function;
  if (code < 0) snprintf(s->reason, sizeof s->reason, "%.190s", message);
}

static apl_status open_common(apl_stepper* s, apl_error* err) {
  sundials_data* d = calloc(1, sizeof *d);

  s->data = d;
  if (d == NULL || SUNContext_Create(NULL, &d->context) != 0 ||
      (d->y = N_VNew_Serial(s->options.n, d->context)) == NULL ||
      (d->look = N_VNewEmpty_Serial(s->options.n, d->context)) == NULL) {
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for the integrator");
  }
  /* our vectors are short: calls cost more than sums */
  N_VEnableFusedOps_Serial(d->y, SUNTRUE);
  N_VConst(0.0, d->y);
  return APL_OK;
}

static void close_common(sundials_data* d) {
  if (d == NULL) return;
  free(d->rates);
  if (d->solver != NULL) SUNLinSolFree(d->solver);
  if (d->correct != NULL) SUNNonlinSolFree(d->correct);
  if (d->J != NULL) SUNMatDestroy(d->J);
  if (d->look != NULL) N_VDestroy(d->look);
  if (d->y != NULL) N_VDestroy(d->y);
  if (d->context != NULL) SUNContext_Free(&d->context);
  free(d);
}

/* The sentence for a step that failed. */
static apl_status failed(apl_stepper* s, int flag) {
  /* what our own function failed with says more than SUNDIALS does */
  if (s->cause != APL_OK) {
    s->reason[0] = '\0';
    return s->cause;
  }
  if (s->reason[0] == '\0') {
    snprintf(s->reason, sizeof s->reason, "the integrator gave up with flag %d", flag);
  }
  return APL_ERR_INTEGRATOR;
}

static apl_status taken(apl_stepper* s, double t, double t_end) {
  const sundials_data* d = s->data;

  /* CVODE's fixed-point solver goes on after what is final */
  if (s->cause != APL_OK && !apl_stepper_may_retry(s->cause)) return s->cause;
  /* a stop time is hit to the last bit or a few ulp short of it */
  s->t = fabs(t - t_end) <= 8.0 * DBL_EPSILON * fmax(fabs(t), fabs(t_end)) ? t_end : t;
  memcpy(s->y, N_VGetArrayPointer(d->y), sizeof *s->y * (size_t)s->options.n);
  return APL_OK;
}

/* --------------------------------------------------------------------------------- ERKStep ---- */

static apl_status erk_open(apl_stepper* s, apl_error* err) {
  apl_status st = open_common(s, err);
  if (st != APL_OK) return st;

  sundials_data* d = s->data;
  d->rates = calloc(4 * (size_t)s->options.n, sizeof *d->rates);
  d->memory = d->rates == NULL ? NULL : ERKStepCreate(rate_of, 0.0, d->y, d->context);
  if (d->memory == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for the integrator");

  const ARKODE_ERKTableID table =
      s->table == TABLE_RKF45 ? ARKODE_FEHLBERG_6_4_5 : ARKODE_FEHLBERG_13_7_8;
  int flag = ERKStepSetUserData(d->memory, s);
  flag |= ERKStepSetErrHandlerFn(d->memory, quiet, s);
  flag |= ERKStepSetTableNum(d->memory, table);
  /* cubic between the ends of a step, as dop853 has it: more asks for evaluations at every look */
  flag |= ERKStepSetInterpolantDegree(d->memory, 3);
  flag |= ERKStepWFtolerances(d->memory, weights);
  flag |= ERKStepSetMaxNumSteps(d->memory, -1);
  flag |= ERKStepSetMaxErrTestFails(d->memory, 50);
  if (s->options.max_step > 0.0) flag |= ERKStepSetMaxStep(d->memory, s->options.max_step);
  if (flag != 0) return apl_fail(err, APL_ERR_ARGUMENT, "ARKODE refused its options");
  return APL_OK;
}

static void erk_close(apl_stepper* s) {
  sundials_data* d = s->data;

  if (d != NULL && d->memory != NULL) ERKStepFree(&d->memory);
  close_common(d);
}

/* Begin anew at (s->t, s->y) with the step h, 0: as it chooses. */
static apl_status erk_begin(apl_stepper* s, double h) {
  sundials_data* d = s->data;

  d->first = h;
  d->known = false;
  memcpy(N_VGetArrayPointer(d->y), s->y, sizeof *s->y * (size_t)s->options.n);
  int flag = ERKStepReInit(d->memory, rate_of, s->t, d->y);
  flag |= ERKStepSetInitStep(d->memory, h);
  return flag == 0 ? APL_OK : failed(s, flag);
}

static apl_status erk_restart(apl_stepper* s) {
  return erk_begin(s, s->options.step);
}

/* ERKStep gives up where a stage fails, whatever the rate function says. What a smaller step may
   mend is tried again from the start of the step, a quarter as far. */
static apl_status erk_step(apl_stepper* s, double t_end) {
  sundials_data* d = s->data;
  const double least = 16.0 * DBL_EPSILON * fmax(fabs(s->t0), DBL_MIN);

  d->known = false;
  for (double h = t_end - s->t0;;) {
    double t = s->t0, tried = h;
    int flag = ERKStepSetStopTime(d->memory, t_end);
    if (flag == 0) flag = ERKStepEvolve(d->memory, s->t0 + FIRST_SPAN, d->y, &t, ARK_ONE_STEP);
    if (flag >= 0) return taken(s, t, t_end);
    if (!apl_stepper_may_retry(s->cause)) return failed(s, flag);

    if (ERKStepGetCurrentStep(d->memory, &tried) == 0 && tried > 0.0) h = fmin(h, tried);
    h *= 0.25;
    if (!(h > least)) return failed(s, flag);
    s->cause = APL_OK;
    memcpy(N_VGetArrayPointer(d->y), s->y0, sizeof *s->y0 * (size_t)s->options.n);
    flag = ERKStepReInit(d->memory, rate_of, s->t0, d->y);
    flag |= ERKStepSetInitStep(d->memory, h);
    if (flag != 0) return failed(s, flag);
  }
}

static apl_status erk_inside(apl_stepper* s, double t, double* y) {
  sundials_data* d = s->data;

  N_VSetArrayPointer(y, d->look);
  const int flag = ERKStepGetDky(d->memory, t, 0, d->look);
  return flag == 0 ? APL_OK : failed(s, flag);
}

/* The cubic has an error of order h^4, one more than that of the step. One rate inside mends it:
     y = cubic + c x^2 (1 - x)^2,    c from y'(a) = f(a, cubic(a)),    a = (3 - sqrt 3)/6,
   where the derivative of the polynomial is largest. */
static const double inner = 0.21132486540518711775;

static apl_status erk_look(apl_stepper* s) {
  sundials_data* d = s->data;
  const int n = s->options.n;
  const double h = s->t - s->t0, x = inner, z = 1.0 - x, t = s->t0 + x * h;
  double *f0 = d->rates, *f1 = f0 + n, *c = f1 + n, *place = c + n;

  N_VSetArrayPointer(f0, d->look);
  int flag = ERKStepGetDky(d->memory, s->t0, 1, d->look);
  N_VSetArrayPointer(f1, d->look);
  flag |= ERKStepGetDky(d->memory, s->t, 1, d->look);
  if (flag != 0) return failed(s, flag);
  apl_stepper_cubic(s, t, f0, f1, place);
  const apl_status st = apl_stepper_rate(s, t, place, c);
  if (st != APL_OK) return st;

  /* h y' of the cubic, and 2 x z (1 - 2 x) of the polynomial */
  for (int j = 0; j < n; ++j) {
    const double slope = 6.0 * x * z * (s->y[j] - s->y0[j]) +
                         h * (z * (1.0 - 3.0 * x) * f0[j] - x * (2.0 - 3.0 * x) * f1[j]);
    c[j] = (h * c[j] - slope) / (2.0 * x * z * (1.0 - 2.0 * x));
  }
  d->known = true;
  return APL_OK;
}

static apl_status erk_read(apl_stepper* s, double t, double* y) {
  const sundials_data* d = s->data;
  const int n = s->options.n;
  const double h = s->t - s->t0, x = h > 0.0 ? (t - s->t0) / h : 0.0, z = 1.0 - x;
  const apl_status st = d->known ? APL_OK : erk_look(s);
  if (st != APL_OK) return st;

  apl_stepper_cubic(s, t, d->rates, d->rates + n, y);
  for (int j = 0; j < n; ++j)
    y[j] += d->rates[2 * n + j] * x * x * z * z;
  return APL_OK;
}

/* The next step; before the first one, what it began with. */
static int erk_memory_size(int n) {
  (void)n;
  return 1;
}

static void erk_remember(const apl_stepper* s, double* out) {
  const sundials_data* d = s->data;

  *out = d->first;
  if (s->since > 0 && ERKStepGetCurrentStep(d->memory, out) != 0) *out = 0.0;
}

/* Cut in advance where it would go beyond the stop time. */
static double erk_next(const apl_stepper* s) {
  double h;
  erk_remember(s, &h);
  return h;
}

static apl_status erk_recall(apl_stepper* s, const double* in) {
  return erk_begin(s, *in);
}

/* The motion goes on: the step that was found stays good. */
static apl_status erk_adjust(apl_stepper* s) {
  sundials_data* d = s->data;

  memcpy(N_VGetArrayPointer(d->y), s->y, sizeof *s->y * (size_t)s->options.n);
  const int flag = ERKStepReset(d->memory, s->t, d->y);
  return flag == 0 ? APL_OK : failed(s, flag);
}

#define ERK_OPS                                                                                    \
  .open = erk_open, .close = erk_close, .restart = erk_restart, .step = erk_step,                  \
  .inside = erk_inside, .adjust = erk_adjust, .jolt = erk_adjust, .memory_size = erk_memory_size,  \
  .remember = erk_remember, .recall = erk_recall, .renew_every = RENEW_ONE_STEP, .next = erk_next

/* Of order 8 there is no polynomial that is as good as the step: its driver lands on outputs. */
const stepper_ops apl_stepper_erk = {ERK_OPS, .read = erk_read};
const stepper_ops apl_stepper_erk_landing = {ERK_OPS};

/* ----------------------------------------------------------------------------------- CVODE ---- */

/* Exact derivatives of the system. */
static int jacobian_of(realtype t, N_Vector y, N_Vector ydot, SUNMatrix J, void* user, N_Vector a,
                       N_Vector b, N_Vector c) {
  const apl_stepper* s = user;
  (void)ydot, (void)a, (void)b, (void)c;
  const apl_status st = s->options.implicit->jacobian(t, N_VGetArrayPointer(y), s->options.n,
                                                      SUNDenseMatrix_Data(J), s->context);

  return st == APL_OK ? 0 : apl_stepper_may_retry(st) ? 1 : -1;
}

/* A linear solver for 1 - gamma J where only the first m numbers have columns: the rest (angles of
   wheels, impulses, ledger) is read off once those are known, and is in no factorisation.

     [ A11  0 ] [x1]   [b1]
     [ A21  1 ] [x2] = [b2]                                                                       */
typedef struct block {
  int n, m;
  double* number;      /* [m*m] factors of A11                                                    */
  double** column;     /* [m]                                                                     */
  sunindextype* pivot; /* [m]                                                                     */
} block;

static SUNLinearSolver_Type block_type(SUNLinearSolver solver) {
  (void)solver;
  return SUNLINEARSOLVER_DIRECT;
}

static int block_setup(SUNLinearSolver solver, SUNMatrix A) {
  block* b = solver->content;

  for (int k = 0; k < b->m; ++k)
    memcpy(b->column[k], SUNDenseMatrix_Column(A, k), sizeof(double) * (size_t)b->m);
  return b->m == 0 || SUNDlsMat_denseGETRF(b->column, b->m, b->m, b->pivot) == 0
             ? SUNLS_SUCCESS
             : SUNLS_LUFACT_FAIL;
}

static int block_solve(SUNLinearSolver solver, SUNMatrix A, N_Vector x, N_Vector rhs,
                       realtype tol) {
  block* b = solver->content;
  double* to = N_VGetArrayPointer(x);
  (void)tol;

  memcpy(to, N_VGetArrayPointer(rhs), sizeof *to * (size_t)b->n);
  if (b->m > 0) SUNDlsMat_denseGETRS(b->column, b->m, b->pivot, to);
  for (int k = 0; k < b->m; ++k) {
    const double* a = SUNDenseMatrix_Column(A, k);
    for (int i = b->m; i < b->n; ++i)
      to[i] -= a[i] * to[k];
  }
  return SUNLS_SUCCESS;
}

static int block_free(SUNLinearSolver solver) {
  block* b = solver->content;

  if (b != NULL) {
    free(b->number);
    free(b->column);
    free(b->pivot);
    free(b);
  }
  solver->content = NULL;
  SUNLinSolFreeEmpty(solver);
  return SUNLS_SUCCESS;
}

static SUNLinearSolver block_solver(apl_stepper* s) {
  sundials_data* d = s->data;
  const size_t m = (size_t)s->options.n_error;
  SUNLinearSolver solver = SUNLinSolNewEmpty(d->context);
  block* b = calloc(1, sizeof *b);

  if (solver == NULL || b == NULL) {
    if (solver != NULL) SUNLinSolFreeEmpty(solver);
    free(b);
    return NULL;
  }
  solver->content = b;
  solver->ops->gettype = block_type;
  solver->ops->setup = block_setup;
  solver->ops->solve = block_solve;
  solver->ops->free = block_free;
  b->n = s->options.n;
  b->m = s->options.n_error;
  b->number = calloc(m * m + 1, sizeof *b->number);
  b->column = calloc(m + 1, sizeof *b->column);
  b->pivot = calloc(m + 1, sizeof *b->pivot);
  if (b->number == NULL || b->column == NULL || b->pivot == NULL) {
    block_free(solver);
    return NULL;
  }
  for (size_t k = 0; k < m; ++k)
    b->column[k] = b->number + k * m;
  return solver;
}

/* How each step's equation is solved: stiff systems by Newton with a dense Jacobian, others by
   putting the result in again. */
static int set_newton(apl_stepper* s) {
  sundials_data* d = s->data;
  const int n = s->options.n;
  const apl_implicit* system = s->options.implicit;
  const bool exact = system != NULL && system->jacobian != NULL;

  d->J = SUNDenseMatrix(n, n, d->context);
  if (d->J == NULL) return -1;
  d->solver = exact ? block_solver(s) : SUNLinSol_Dense(d->y, d->J, d->context);
  if (d->solver == NULL) return -1;
  const int flag = CVodeSetLinearSolver(d->memory, d->solver, d->J);
  return exact ? flag | CVodeSetJacFn(d->memory, jacobian_of) : flag;
}

static int set_fixed_point(sundials_data* d) {
  d->correct = SUNNonlinSol_FixedPoint(d->y, 0, d->context);
  return d->correct == NULL ? -1 : CVodeSetNonlinearSolver(d->memory, d->correct);
}

static apl_status multistep_open(apl_stepper* s, apl_error* err) {
  const bool stiff = s->table == TABLE_BDF;
  apl_status st = open_common(s, err);
  if (st != APL_OK) return st;

  sundials_data* d = s->data;
  if (stiff && s->options.implicit != NULL && s->options.implicit->open_jacobian != NULL) {
    st = s->options.implicit->open_jacobian(s->context, err);
    if (st != APL_OK) return st;
  }
  d->memory = CVodeCreate(stiff ? CV_BDF : CV_ADAMS, d->context);
  if (d->memory == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for the integrator");
  int flag = CVodeSetErrHandlerFn(d->memory, quiet, s);
  flag |= CVodeInit(d->memory, rate_of, 0.0, d->y);
  flag |= CVodeSetUserData(d->memory, s);
  flag |= CVodeWFtolerances(d->memory, weights);
  flag |= stiff ? set_newton(s) : set_fixed_point(d);
  flag |= CVodeSetMaxNumSteps(d->memory, -1);
  if (s->options.max_step > 0.0) flag |= CVodeSetMaxStep(d->memory, s->options.max_step);
  if (flag != 0) return apl_fail(err, APL_ERR_ARGUMENT, "CVODE refused its options");
  return APL_OK;
}

static void multistep_close(apl_stepper* s) {
  sundials_data* d = s->data;

  if (d != NULL && d->memory != NULL) CVodeFree(&d->memory);
  close_common(d);
}

static apl_status multistep_restart(apl_stepper* s) {
  sundials_data* d = s->data;

  memcpy(N_VGetArrayPointer(d->y), s->y, sizeof *s->y * (size_t)s->options.n);
  int flag = CVodeReInit(d->memory, s->t, d->y);
  flag |= CVodeSetInitStep(d->memory, s->options.step);
  return flag == 0 ? APL_OK : failed(s, flag);
}

static apl_status multistep_step(apl_stepper* s, double t_end) {
  sundials_data* d = s->data;
  double t = s->t;

  int flag = CVodeSetStopTime(d->memory, t_end);
  if (flag == 0) flag = CVode(d->memory, s->t0 + FIRST_SPAN, d->y, &t, CV_ONE_STEP);
  return flag < 0 ? failed(s, flag) : taken(s, t, t_end);
}

static apl_status multistep_inside(apl_stepper* s, double t, double* y) {
  sundials_data* d = s->data;

  N_VSetArrayPointer(y, d->look);
  const int flag = CVodeGetDky(d->memory, t, 0, d->look);
  return flag == 0 ? APL_OK : failed(s, flag);
}

static double multistep_next(const apl_stepper* s) {
  const sundials_data* d = s->data;
  double h = 0.0;

  return s->since > 0 && CVodeGetCurrentStep(d->memory, &h) == 0 ? h : 0.0;
}

const stepper_ops apl_stepper_multistep = {
    .open = multistep_open,
    .close = multistep_close,
    .restart = multistep_restart,
    .step = multistep_step,
    .inside = multistep_inside,
    .read = multistep_inside,
    .renew_every = RENEW_MULTISTEP,
    .next = multistep_next,
};
