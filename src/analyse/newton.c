/* SPDX-License-Identifier: Apache-2.0 */
/* newton.c: KINSOL with a linear solver that takes the shortest least-squares step, by LAPACK, so
   that motions without stiffness (a ball pendulum about the vertical) do not give singular systems.
   Besides step/sundials.c the only file that includes SUNDIALS headers. */
#include "analyse/newton.h"

#include "analyse/dense.h"

#include <kinsol/kinsol.h>
#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
  const newton_problem* p;
  apl_status cause; /* status of a failed residual, such as out of memory */
  double *A, *b;    /* scaled system                                                            */
  SUNContext context;
  void* kinsol;
  N_Vector x, x_scale, f_scale;
  SUNMatrix J;
  SUNLinearSolver solver;
} work;

/* 1 asks KINSOL for a shorter step. */
static int residual(N_Vector x, N_Vector f, void* user) {
  work* w = user;
  const apl_status st = w->p->residual(w->p->user, N_VGetArrayPointer(x), N_VGetArrayPointer(f));

  if (st != APL_OK) w->cause = st;
  return st == APL_OK ? 0 : 1;
}

static int jacobian(N_Vector x, N_Vector f, SUNMatrix J, void* user, N_Vector a, N_Vector b) {
  work* w = user;
  (void)f, (void)a, (void)b;
  return w->p->jacobian(w->p->user, N_VGetArrayPointer(x), SUNDenseMatrix_Data(J)) == APL_OK ? 0
                                                                                             : 1;
}

/* Error handler that does not print. */
static void quiet(int code, const char* module, const char* function, char* message, void* user) {
  (void)code, (void)module, (void)function, (void)message, (void)user;
}

/* ------------------------------------------------------------------------ linear solver ---- */

static SUNLinearSolver_Type solver_type(SUNLinearSolver s) {
  (void)s;
  return SUNLINEARSOLVER_DIRECT;
}

static int solver_setup(SUNLinearSolver s, SUNMatrix A) {
  (void)s, (void)A;
  return SUNLS_SUCCESS;
}

/* (F^-1 J U) (U^-1 x) = F^-1 b, with the units U and the forces F on the diagonals */
static int solver_solve(SUNLinearSolver s, SUNMatrix J, N_Vector x, N_Vector b, realtype tol) {
  work* w = s->content;
  const newton_problem* p = w->p;
  const double* column = SUNDenseMatrix_Data(J);
  const double* right = N_VGetArrayPointer(b);
  double* out = N_VGetArrayPointer(x);
  (void)tol;

  for (int k = 0; k < p->n; ++k) {
    for (int i = 0; i < p->n; ++i)
      w->A[k * p->n + i] = column[k * p->n + i] * p->unit[k] / p->force[i];
    w->b[k] = right[k] / p->force[k];
  }
  if (!apl_dense_least_squares(p->n, w->A, w->b, NEWTON_RANK)) return SUNLS_LUFACT_FAIL;
  for (int k = 0; k < p->n; ++k)
    out[k] = w->b[k] * p->unit[k];
  return SUNLS_SUCCESS;
}

static int solver_free(SUNLinearSolver s) {
  SUNLinSolFreeEmpty(s);
  return SUNLS_SUCCESS;
}

static SUNLinearSolver solver_new(work* w) {
  SUNLinearSolver s = SUNLinSolNewEmpty(w->context);
  if (s == NULL) return NULL;

  s->content = w;
  s->ops->gettype = solver_type;
  s->ops->setup = solver_setup;
  s->ops->solve = solver_solve;
  s->ops->free = solver_free;
  return s;
}

/* -------------------------------------------------------------------------------- search ---- */

static void close_work(work* w) {
  if (w->kinsol != NULL) KINFree(&w->kinsol);
  if (w->solver != NULL) SUNLinSolFree(w->solver);
  if (w->J != NULL) SUNMatDestroy(w->J);
  if (w->x != NULL) N_VDestroy(w->x);
  if (w->x_scale != NULL) N_VDestroy(w->x_scale);
  if (w->f_scale != NULL) N_VDestroy(w->f_scale);
  if (w->context != NULL) SUNContext_Free(&w->context);
  free(w->A);
}

static bool open_work(work* w) {
  const newton_problem* p = w->p;
  const size_t n = (size_t)p->n;

  w->A = malloc(sizeof *w->A * (n * n + n));
  if (w->A == NULL || SUNContext_Create(NULL, &w->context) != 0) return false;
  w->b = w->A + n * n;
  w->x = N_VNew_Serial(p->n, w->context);
  w->x_scale = N_VNew_Serial(p->n, w->context);
  w->f_scale = N_VNew_Serial(p->n, w->context);
  w->J = SUNDenseMatrix(p->n, p->n, w->context);
  w->kinsol = KINCreate(w->context);
  w->solver = solver_new(w);
  if (w->x == NULL || w->x_scale == NULL || w->f_scale == NULL || w->J == NULL ||
      w->kinsol == NULL || w->solver == NULL) {
    return false;
  }
  for (int i = 0; i < p->n; ++i) {
    N_VGetArrayPointer(w->x_scale)[i] = 1.0 / p->unit[i];
    N_VGetArrayPointer(w->f_scale)[i] = 1.0 / p->force[i];
  }
  int flag = KINSetErrHandlerFn(w->kinsol, quiet, NULL);
  flag |= KINSetUserData(w->kinsol, w);
  flag |= KINInit(w->kinsol, residual, w->x);
  flag |= KINSetLinearSolver(w->kinsol, w->solver, w->J);
  flag |= KINSetJacFn(w->kinsol, jacobian);
  flag |= KINSetMaxSetupCalls(w->kinsol, 1); /* a new Jacobian in every iteration */
  flag |= KINSetNumMaxIters(w->kinsol, p->iterations);
  flag |= KINSetFuncNormTol(w->kinsol, p->tolerance);
  flag |= KINSetScaledStepTol(w->kinsol, 1e-15);
  flag |= KINSetMaxNewtonStep(w->kinsol, p->longest * sqrt((double)p->n));
  return flag == 0;
}

/* Decide by the residual whether x is a solution, independently of KINSOL's return value. */
static apl_status judge(const work* w, const double* x) {
  double size = 0.0;
  const apl_status st = w->p->residual(w->p->user, x, w->b);

  for (int i = 0; i < w->p->n; ++i)
    size = fmax(size, fabs(w->b[i]) / w->p->force[i]);
  return st == APL_OK && size <= w->p->tolerance ? APL_OK : APL_ERR_EQUILIBRIUM;
}

apl_status apl_newton(const newton_problem* p, double* x, int* used) {
  work w = {.p = p};
  apl_status st = APL_ERR_MEMORY;
  if (p->n == 0) return APL_OK;

  if (open_work(&w)) {
    const size_t bytes = sizeof *x * (size_t)p->n;
    long count = 0;
    memcpy(N_VGetArrayPointer(w.x), x, bytes);
    KINSol(w.kinsol, w.x, KIN_LINESEARCH, w.x_scale, w.f_scale);
    KINGetNumNonlinSolvIters(w.kinsol, &count);
    *used += (int)count;
    memcpy(x, N_VGetArrayPointer(w.x), bytes);
    st = judge(&w, x);
  }
  close_work(&w);
  return st == APL_ERR_EQUILIBRIUM && w.cause == APL_ERR_MEMORY ? w.cause : st;
}
