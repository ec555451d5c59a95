/* SPDX-License-Identifier: Apache-2.0 */
/* fehlberg.c: the pairs of Fehlberg of orders 4(5) and 7(8) (NASA TR R-315 and TR R-287; Hairer,
   Norsett and Wanner: Solving Ordinary Differential Equations I, II.5). */
#include "step/runge_kutta.h"

#include <stddef.h>

/* ------------------------------------------------------------------------------- orders 4(5) ----
 */

static const rk_stage stage45[6] = {
    {0.0, {{RK_END, 0}}},
    {1.0 / 4, {{0, 1.0 / 4}, {RK_END, 0}}},
    {3.0 / 8, {{0, 3.0 / 32}, {1, 9.0 / 32}, {RK_END, 0}}},
    {12.0 / 13, {{0, 1932.0 / 2197}, {1, -7200.0 / 2197}, {2, 7296.0 / 2197}, {RK_END, 0}}},
    {1.0, {{0, 439.0 / 216}, {1, -8.0}, {2, 3680.0 / 513}, {3, -845.0 / 4104}, {RK_END, 0}}},
    {1.0 / 2,
     {{0, -8.0 / 27},
      {1, 2.0},
      {2, -3544.0 / 2565},
      {3, 1859.0 / 4104},
      {4, -11.0 / 40},
      {RK_END, 0}}},
};

/* Solution of order 5; its error estimate is the difference to the solution of order 4. */
static const rk_term solution45[] = {{0, 16.0 / 135}, {2, 6656.0 / 12825}, {3, 28561.0 / 56430},
                                     {4, -9.0 / 50},  {5, 2.0 / 55},       {RK_END, 0}};
static const rk_term error45[] = {{0, 1.0 / 360}, {2, -128.0 / 4275}, {3, -2197.0 / 75240},
                                  {4, 1.0 / 50},  {5, 2.0 / 55},      {RK_END, 0}};

static const rk_estimate estimate45 = {error45, NULL};

/* Dense output. The cubic p through the ends has an error of order h^4, one more than that of the
   step. One rate inside mends it: with x from 0 to 1 over the step and z = 1 - x
     y = p + h d4 x^2 z^2,   d4 from  y'(x) = f(p(x))  at  x = 1/5,
   about where the derivative of x^2 z^2 is largest. By rates, with b those of the solution:
     p(1/5) = y0 + h (13/125 sum b k + 16/125 k0 - 4/125 k1),   k1 at the end
     d4     = 125/24 f(p) - 5 sum b k - 5/3 k0 + 35/24 k1                                         */
static const rk_stage inner45[1] = {
    {1.0 / 5,
     {{0, 13.0 / 125 * 16.0 / 135 + 16.0 / 125},
      {2, 13.0 / 125 * 6656.0 / 12825},
      {3, 13.0 / 125 * 28561.0 / 56430},
      {4, 13.0 / 125 * -9.0 / 50},
      {5, 13.0 / 125 * 2.0 / 55},
      {6, -4.0 / 125},
      {RK_END, 0}}},
};
static const rk_term power45[1][RK_STAGES] = {
    {{0, -5.0 * 16.0 / 135 - 5.0 / 3},
     {2, -5.0 * 6656.0 / 12825},
     {3, -5.0 * 28561.0 / 56430},
     {4, -5.0 * -9.0 / 50},
     {5, -5.0 * 2.0 / 55},
     {6, 35.0 / 24},
     {7, 125.0 / 24},
     {RK_END, 0}},
};

const rk_pair apl_rk_fehlberg45 = {
    .stages = 6,
    .stage = stage45,
    .solution = solution45,
    .estimates = 1,
    .estimate = &estimate45,
    .order = 5.0,
    .extra = 1,
    .inner = inner45,
    .beyond = 1,
    .power = power45,
};

/* ------------------------------------------------------------------------------- orders 7(8) ----
 */

static const rk_stage stage78[13] = {
    {0.0, {{RK_END, 0}}},
    {2.0 / 27, {{0, 2.0 / 27}, {RK_END, 0}}},
    {1.0 / 9, {{0, 1.0 / 36}, {1, 1.0 / 12}, {RK_END, 0}}},
    {1.0 / 6, {{0, 1.0 / 24}, {2, 1.0 / 8}, {RK_END, 0}}},
    {5.0 / 12, {{0, 5.0 / 12}, {2, -25.0 / 16}, {3, 25.0 / 16}, {RK_END, 0}}},
    {1.0 / 2, {{0, 1.0 / 20}, {3, 1.0 / 4}, {4, 1.0 / 5}, {RK_END, 0}}},
    {5.0 / 6, {{0, -25.0 / 108}, {3, 125.0 / 108}, {4, -65.0 / 27}, {5, 125.0 / 54}, {RK_END, 0}}},
    {1.0 / 6, {{0, 31.0 / 300}, {4, 61.0 / 225}, {5, -2.0 / 9}, {6, 13.0 / 900}, {RK_END, 0}}},
    {2.0 / 3,
     {{0, 2.0},
      {3, -53.0 / 6},
      {4, 704.0 / 45},
      {5, -107.0 / 9},
      {6, 67.0 / 90},
      {7, 3.0},
      {RK_END, 0}}},
    {1.0 / 3,
     {{0, -91.0 / 108},
      {3, 23.0 / 108},
      {4, -976.0 / 135},
      {5, 311.0 / 54},
      {6, -19.0 / 60},
      {7, 17.0 / 6},
      {8, -1.0 / 12},
      {RK_END, 0}}},
    {1.0,
     {{0, 2383.0 / 4100},
      {3, -341.0 / 164},
      {4, 4496.0 / 1025},
      {5, -301.0 / 82},
      {6, 2133.0 / 4100},
      {7, 45.0 / 82},
      {8, 45.0 / 164},
      {9, 18.0 / 41},
      {RK_END, 0}}},
    {0.0,
     {{0, 3.0 / 205},
      {5, -6.0 / 41},
      {6, -3.0 / 205},
      {7, -3.0 / 41},
      {8, 3.0 / 41},
      {9, 6.0 / 41},
      {RK_END, 0}}},
    {1.0,
     {{0, -1777.0 / 4100},
      {3, -341.0 / 164},
      {4, 4496.0 / 1025},
      {5, -289.0 / 82},
      {6, 2193.0 / 4100},
      {7, 51.0 / 82},
      {8, 33.0 / 164},
      {9, 12.0 / 41},
      {11, 1.0},
      {RK_END, 0}}},
};

/* Solution of order 8; its error estimate is the difference to the solution of order 7. */
static const rk_term solution78[] = {{5, 34.0 / 105},  {6, 9.0 / 35},  {7, 9.0 / 35},
                                     {8, 9.0 / 280},   {9, 9.0 / 280}, {11, 41.0 / 840},
                                     {12, 41.0 / 840}, {RK_END, 0}};
static const rk_term error78[] = {
    {0, -41.0 / 840}, {10, -41.0 / 840}, {11, 41.0 / 840}, {12, 41.0 / 840}, {RK_END, 0}};

/* This difference compares rates at the ends of the step only. It is zero for rates that depend on
   time alone, and nearly zero where a contact closes or opens, whatever the true error. In that
   case the solution is the Newton-Cotes rule over seven rates, and its error is estimated from
   rules of lower degree over the same rates: Weddle's (degree 5) and Simpson's (degree 3). */
static const rk_term weddle[] = {{11, -1.0 / 840}, {7, 6.0 / 840},   {9, -15.0 / 840},
                                 {5, 20.0 / 840},  {8, -15.0 / 840}, {6, 6.0 / 840},
                                 {12, -1.0 / 840}, {RK_END, 0}};
static const rk_term simpson[] = {{11, -1.0 / 18}, {7, -4.0 / 18}, {9, -2.0 / 18},  {5, -4.0 / 18},
                                  {8, -2.0 / 18},  {6, -4.0 / 18}, {12, -1.0 / 18}, {RK_END, 0}};
static const rk_estimate estimate78[] = {{error78, NULL}, {weddle, simpson}};

/* There is no interpolation polynomial as accurate as the step of order 8: steps end at outputs. */
const rk_pair apl_rk_fehlberg78 = {
    .stages = 13,
    .stage = stage78,
    .solution = solution78,
    .estimates = 2,
    .estimate = estimate78,
    .order = 8.0,
};
