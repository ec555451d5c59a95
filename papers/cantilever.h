/* cantilever.h: what theory says about a clamped elastic rod, independent of the engine. */
#pragma once

/* beta[n] of the first n modes of an Euler-Bernoulli cantilever with the point mass mu rho A L at
   its tip: omega = beta^2 sqrt(EI / (rho A L^4)). */
void apl_cantilever_modes(double mu, int n, double* beta);

/* Euler's elastica: a clamped rod under a dead load P across its tip, alpha = P L^2 / EI. */
typedef struct beam_shape {
  double x, y; /* tip along and across the rod, over L                                          */
  double slope;
} beam_shape;
beam_shape apl_cantilever_elastica(double alpha);
