/* SPDX-License-Identifier: Apache-2.0 */
/* sundials.c: multistep methods by SUNDIALS 6 (CVODE). Only this file and analyse/newton.c include
   its headers. Each stepper has its own SUNContext, so steppers may be used in different threads.

   SUNDIALS is called for single steps with a stop time; the caller locates events
   (docs/decisions/007). A restart is always ReInit, never Reset: after an impact Reset keeps a step
   length that jumps over the next bounce. */
#include "step/stepper.h"

#include "base/error.h"

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
  void* memory; /* CVODE's                                                                */
  N_Vector y;
  N_Vector look; /* without data of its own: for interpolation in the last step */
  SUNMatrix J;   /* bdf                                                                    */
  SUNLinearSolver solver;
  SUNNonlinearSolver correct; /* adams                                                   */
} sundials_data;

/* The history of SUNDIALS cannot be saved, so it is dropped every RENEW steps; the order then grows
   from one again. */
enum { RENEW = 500 };

/* The initial step is at most a tenth of the way to the next output or stop time, and of this time
   [s], so that the end time of a run does not change its start. */
static const double FIRST_SPAN = 1e-3;

/* 1 asks SUNDIALS to try a smaller step, -1 to give up. */
static int rate_of(realtype t, N_Vector y, N_Vector ydot, void* user) {
  const apl_status st = apl_stepper_rate(user, t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot));

  return st == APL_OK ? 0 : apl_stepper_may_retry(st) ? 1 : -1;
}

/* weights 1 / (rtol |y| + atol); components outside of the error norm get nearly zero */
static int weights(N_Vector y, N_Vector ewt, void* user) {
  const apl_stepper* s = user;
  const double* x = N_VGetArrayPointer(y);
  double* w = N_VGetArrayPointer(ewt);

  /* SUNDIALS averages over all n components; the error norm here has n_error of them */
  const double share =
      sqrt((double)s->options.n / (double)(s->options.n_error > 0 ? s->options.n_error : 1));
  for (int i = 0; i < s->options.n; ++i) {
    w[i] = i < s->options.n_error
               ? share / (s->options.tolerance * fabs(x[i]) + s->options.absolute)
               : 1e-30;
  }
  return 0;
}

/* Error handler: keeps the message instead of printing it. */
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
  /* short vectors: fused operations save calls */
  N_VEnableFusedOps_Serial(d->y, SUNTRUE);
  N_VConst(0.0, d->y);
  return APL_OK;
}

static void close_common(sundials_data* d) {
  if (d == NULL) return;
  if (d->solver != NULL) SUNLinSolFree(d->solver);
  if (d->correct != NULL) SUNNonlinSolFree(d->correct);
  if (d->J != NULL) SUNMatDestroy(d->J);
  if (d->look != NULL) N_VDestroy(d->look);
  if (d->y != NULL) N_VDestroy(d->y);
  if (d->context != NULL) SUNContext_Free(&d->context);
  free(d);
}

/* Status and message of a failed step. */
static apl_status failed(apl_stepper* s, int flag) {
  /* the error of the rate function is more specific than that of SUNDIALS */
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

  /* CVODE's fixed-point solver continues after a final error */
  if (s->cause != APL_OK && !apl_stepper_may_retry(s->cause)) return s->cause;
  /* the stop time may be missed by a few ulp */
  s->t = fabs(t - t_end) <= 8.0 * DBL_EPSILON * fmax(fabs(t), fabs(t_end)) ? t_end : t;
  memcpy(s->y, N_VGetArrayPointer(d->y), sizeof *s->y * (size_t)s->options.n);
  return APL_OK;
}

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

/* A linear solver for 1 - gamma J where only the first m components have columns. The others
   (angles of wheels, impulses, ledger) follow from these without a factorisation.

     [ A11  0 ] [x1]   [b1]
     [ A21  1 ] [x2] = [b2] */
typedef struct block {
  int n, m;
  double** column; /* [m] columns of the matrix; the factors of A11 stand in place of A11      */
  sunindextype* pivot; /* [m]                                                                     */
} block;

static SUNLinearSolver_Type block_type(SUNLinearSolver solver) {
  (void)solver;
  return SUNLINEARSOLVER_DIRECT;
}

static int block_setup(SUNLinearSolver solver, SUNMatrix A) {
  block* b = solver->content;

  for (int k = 0; k < b->m; ++k)
    b->column[k] = SUNDenseMatrix_Column(A, k);
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
  b->column = calloc(m + 1, sizeof *b->column);
  b->pivot = calloc(m + 1, sizeof *b->pivot);
  if (b->column == NULL || b->pivot == NULL) {
    block_free(solver);
    return NULL;
  }
  return solver;
}

/* How the equation of each step is solved: bdf by Newton's method with a dense Jacobian, adams by
   fixed-point iteration. */
static int set_newton(apl_stepper* s) {
  sundials_data* d = s->data;
  const int n = s->options.n;
  const apl_implicit* system = s->options.implicit;
  const bool exact = system != NULL && system->jacobian != NULL;

  /* only the first n_error numbers have columns; differences fill a square matrix */
  d->J = SUNDenseMatrix(n, exact ? s->options.n_error : n, d->context);
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

/* True if t_end is so near that CVODE has changed or will change its next step from t: it shortens
   a step that would pass t_end, in advance at the end of the step before; and it chooses the first
   step for the way to t_end if that is shorter than FIRST_SPAN. */
static bool is_near(const apl_stepper* s, bool first, double t, double t_end) {
  const sundials_data* d = s->data;
  double h = first ? fmax(FIRST_SPAN, s->options.step) : 0.0;

  if (!first && CVodeGetCurrentStep(d->memory, &h) != 0) return true;
  return t_end - t <= 1.001 * h; /* beyond the round-off of a shortened step */
}

static apl_status multistep_step(apl_stepper* s, double t_end) {
  sundials_data* d = s->data;
  double t = s->t;

  s->shaped = is_near(s, s->since == 0, s->t0, t_end);
  int flag = CVodeSetStopTime(d->memory, t_end);
  if (flag == 0) flag = CVode(d->memory, s->t0 + FIRST_SPAN, d->y, &t, CV_ONE_STEP);
  s->shaped = s->shaped || is_near(s, false, t, t_end);
  return flag < 0 ? failed(s, flag) : taken(s, t, t_end);
}

static apl_status multistep_inside(apl_stepper* s, double t, double* y) {
  sundials_data* d = s->data;

  N_VSetArrayPointer(y, d->look);
  const int flag = CVodeGetDky(d->memory, t, 0, d->look);
  return flag == 0 ? APL_OK : failed(s, flag);
}

const stepper_ops apl_stepper_multistep = {
    .open = multistep_open,
    .close = multistep_close,
    .restart = multistep_restart,
    .step = multistep_step,
    .inside = multistep_inside,
    .read = multistep_inside,
    .renew_every = RENEW,
};
