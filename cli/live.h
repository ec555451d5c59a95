/* SPDX-License-Identifier: Apache-2.0 */
/* live.h: a run that is watched and controlled while it goes on (`appell run --live`). Two threads
   share one struct under one lock: the run, which applies requests at the ends of control periods
   and stores its latest frame, and the server, which receives requests and sends that frame. There
   are no queues: only the latest frame and the last request of each kind are kept. */
#pragma once

#include "cli/cli.h"

#include <pthread.h>

/* A spring from a point of a link to a point in the world. */
typedef struct live_push {
  bool on;
  int port;        /* root of the link                                                            */
  double point[3]; /* in the axes of that port [m]                                                */
  double target[3]; /* in the world [m] */
} live_push;

typedef struct live {
  const apl_model* model;
  pthread_mutex_t lock;
  pthread_cond_t changed;

  /* wishes */
  bool paused, reset, quit;
  int steps;     /* periods to go while paused                                                    */
  double speed;  /* of simulated time against that of the wall                                    */
  bool* taken;   /* [nu] inputs that a slider has taken over ...                                  */
  double* input; /* [nu] ... and their values                                                     */
  live_push push;

  /* news for the page */
  char* page;
  size_t page_size;
  char* frame;   /* the latest, JSON                                                           */
  long sequence; /* changes whenever there is news */
  int epoch;     /* number of starts of the run */
  bool ended;
  char status[480]; /* how it ended                                                               */
  double rate;      /* simulated seconds per second, mean over the last second */
  int pages;        /* that listen                                                                */
} live;

bool live_open(live* l, const apl_model* model);
void live_close(live* l);

/* Apply a request of the page, JSON; false with an error. Safe from any thread. */
bool live_wish(live* l, const char* text, size_t n, char* sentence, size_t room);

/* The present news as JSON, malloc'ed; NULL without memory. Call it with the lock held. */
char* live_news(const live* l);

/* live_server.c: serve on 127.0.0.1 at this port (0: any free one). The address, with its token, is
   written to address[room]. NULL with a sentence on stderr. */
typedef struct live_server live_server;
live_server* live_server_start(live* l, int port, char* address, size_t room);
void live_server_stop(live_server* server); /* accepts NULL */

/* live_run.c */
typedef struct live_job {
  const char* path; /* of the model file, for sentences */
  const apl_file* file;
  const apl_model* model;
  apl_run_options run;
  apl_recorder_options record;
  int port;
  bool (*interrupted)(void);
} live_job;
int live_run(const live_job* job);
