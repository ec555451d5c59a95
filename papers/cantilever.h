/* SPDX-License-Identifier: Apache-2.0 */
/* cantilever.h: theory of a clamped elastic rod, independent of the engine. */
#pragma once

/* beta[n] of the first n modes of an Euler-Bernoulli cantilever with the point mass mu rho A L at
   its tip: omega = beta^2 sqrt(EI / (rho A L^4)). */
void apl_cantilever_modes(double mu, int n, double* beta);

/* Euler's elastica: a clamped rod under a dead load P normal to it at its tip, alpha = P L^2 /
   EI. */
typedef struct beam_shape {
  double x, y; /* position of the tip along and normal to the rod, divided by L */
  double slope;
} beam_shape;
beam_shape apl_cantilever_elastica(double alpha);
