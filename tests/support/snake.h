/* SPDX-License-Identifier: Apache-2.0 */
/* snake.h: snakes that crawl like worms, written as model files. */
#pragma once

#include <stddef.h>

typedef struct snake {
  int links;
  double length;       /* of one link [m]                                                       */
  double mass;         /* of one link [kg]                                                      */
  double winding;      /* alpha [rad]                                                           */
  double waves;        /* k_n                                                                   */
  double acceleration; /* a of eq. 44 [m/s^2]                                                   */
  double time;         /* T [s]                                                                 */
  double slope;        /* psi [rad]                                                             */
  double friction;     /* mu                                                                    */
  double radius;       /* r_c of curved links; 0: flat ones, which touch with their ends        */
} snake;

/* The snake of the paper: 16 links of 0.1 m and 0.1 kg, alpha = 30 deg, k_n = 2, a = 0.2, T = 10,
   level, mu = 0.3. */
snake snake_paper(void);

/* Radius with which curved links meet without a corner: l / (2 sin(alpha sin(k pi/n))). */
double snake_radius(const snake* s);

/* Its model file; link i is l1, l2, ...; x is up the slope, z away from it. */
void snake_write(const snake* s, char* out, size_t size);
