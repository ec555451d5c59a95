/* SPDX-License-Identifier: Apache-2.0 */
/* snake.h: the parts of the snake's paper, each a group of rows and its figures. */
#pragma once

#include "analyse/support.h"
#include "papers/paper.h"
#include "papers/rig.h"

/* A snake of the paper that crawls, analysed. */
typedef struct snake_crawl {
  rig rig;
  apl_support* support;
  int nv;
} snake_crawl;

/* models/NAME.yaml with settings (as apl_rig_open() has them) and the options `o`, whose times and
   waves are taken from the model. */
apl_status apl_snake_crawl(snake_crawl* out, const char* name, const char* settings,
                           apl_support_options o, apl_error* err);
void apl_snake_close(snake_crawl* crawl);

/* The joint at point P of the body, P_2 the first: the effort over time. */
apl_support_joint apl_snake_joint(const snake_crawl* crawl, int point);
void apl_snake_curve(apl_paper* paper, const char* name, const snake_crawl* crawl, int point,
                     bool dashed);

/* Greatest effort of a joint over the time [s] with the impulse of each switch spread over `dt`. */
double apl_snake_peak(const snake_crawl* crawl, int point, double dt);

/* The parts. */
apl_status apl_snake_table(apl_paper* paper, apl_error* err);
apl_status apl_snake_slope(apl_paper* paper, apl_error* err);
apl_status apl_snake_links(apl_paper* paper, apl_error* err);
