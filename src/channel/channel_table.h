/* SPDX-License-Identifier: Apache-2.0 */
/* channel_table.h: the table of channels: sets of items, and rows with the channels of each
   item. */
#pragma once

#include "channel/channels.h"

/* The computations that must run before the channels of a set can be read. */
enum {
  NEED_TENDONS = 1,
  NEED_CONTACTS = 2,
  NEED_RATE = 4, /* accelerations and efforts                                                     */
  NEED_FOOTING = 8,
  NEED_PORTS = 16,
  NEED_REACTIONS = 32
};

/* k of a number that is integrated along a run, so that only a run can give it. */
enum { OF_THE_PAST = -1 };

/* A channel of each item of a set. */
typedef struct channel_row {
  const char* ending; /* follows the name of the item */
  const char* unit;   /* NULL: that of the item                                                   */
  const char* sentence;
  double (*get)(const channel_source* s, int item, int k); /* NULL ends a list                    */
  int k;                                                   /* which number of it                  */
  bool (*has)(const channel_source* s, int item);          /* NULL: every item has it             */
} channel_row;

/* Items of one sort, and the channels of each. */
typedef struct channel_set {
  int (*count)(const channel_source* s);
  const char* (*name)(const channel_source* s, int item);
  const char* (*unit)(const channel_source* s, int item); /* NULL where all rows have their own   */
  unsigned needs;
  const channel_row* row; /* NULL ends the table                                                  */
} channel_set;

extern const channel_set apl_channel_sets[];

/* Effort on the given velocity i: of its motor or servo, and of a control program that writes to
   u; k is not used. */
double apl_channel_effort(const channel_source* s, int i, int k);
