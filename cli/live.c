/* SPDX-License-Identifier: Apache-2.0 */
/* live.c: see live.h. The requests of the page, and its news. */
#define _XOPEN_SOURCE 700 /* pthread_condattr_setclock */
#include "cli/live.h"

#include "spec/parts.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool live_open(live* l, const apl_model* model) {
  const size_t nu = (size_t)apl_model_nu(model) + 1;
  pthread_condattr_t attributes;

  *l = (live){.model = model, .speed = 1.0};
  l->taken = calloc(nu, sizeof *l->taken);
  l->input = calloc(nu, sizeof *l->input);
  pthread_mutex_init(&l->lock, NULL);
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&l->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  return l->taken != NULL && l->input != NULL;
}

void live_close(live* l) {
  pthread_cond_destroy(&l->changed);
  pthread_mutex_destroy(&l->lock);
  apl_text_free(l->page);
  apl_text_free(l->frame);
  free(l->taken);
  free(l->input);
}

/* --------------------------------------------------------------------------------- wishes ---- */

static bool read_vector(const json_t* list, double* out) {
  if (json_array_size(list) != 3) return false;
  for (size_t k = 0; k < 3; ++k) {
    const json_t* x = json_array_get(list, k);
    out[k] = json_number_value(x);
    if (!json_is_number(x) || !(fabs(out[k]) < 1e6)) return false;
  }
  return true;
}

static const char* wish_input(live* l, const json_t* w) {
  const char* name = json_string_value(json_object_get(w, "input"));
  const json_t* value = json_object_get(w, "value");
  const int i = name == NULL ? -1 : apl_model_find(l->model, APL_INPUTS, name);

  if (i < 0) return "there is no such input";
  if (!json_is_number(value) || !isfinite(json_number_value(value)))
    return "an input needs a finite number";
  l->taken[i] = true;
  l->input[i] = json_number_value(value);
  return NULL;
}

static const char* wish_push(live* l, const json_t* w) {
  const char* name = json_string_value(json_object_get(w, "link"));
  const int link = name == NULL ? -1 : apl_model_find(l->model, APL_LINKS, name);
  live_push push = {.on = true};

  if (link < 0) return "there is no such link";
  push.port = apl_model_link_info(l->model, link).port;
  if (!read_vector(json_object_get(w, "point"), push.point) ||
      !read_vector(json_object_get(w, "target"), push.target))
    return "a push needs a point and a target, three numbers each";
  l->push = push;
  return NULL;
}

static const char* wish_speed(live* l, const json_t* w) {
  const double speed = json_number_value(json_object_get(w, "value"));
  if (!(speed >= 0.01 && speed <= 100.0)) return "the speed must be from 0.01 to 100";
  l->speed = speed;
  return NULL;
}

/* Returns an error sentence if the request cannot be granted, else NULL. */
static const char* grant(live* l, const json_t* w) {
  const char* word = json_string_value(json_object_get(w, "do"));

  if (word == NULL) return "a request is an object with a member `do`";
  if (strcmp(word, "input") == 0) return wish_input(l, w);
  if (strcmp(word, "push") == 0) return wish_push(l, w);
  if (strcmp(word, "speed") == 0) return wish_speed(l, w);
  if (strcmp(word, "release") == 0) {
    l->push.on = false;
  } else if (strcmp(word, "pause") == 0) {
    l->paused = true;
  } else if (strcmp(word, "go") == 0) {
    l->paused = false;
  } else if (strcmp(word, "step") == 0) {
    l->paused = true;
    if (l->steps < 100) l->steps += 1;
  } else if (strcmp(word, "reset") == 0) {
    l->reset = true;
  } else {
    return "known requests are go, pause, step, reset, speed, input, push and release";
  }
  return NULL;
}

bool live_wish(live* l, const char* text, size_t n, char* sentence, size_t room) {
  json_t* wish = json_loadb(text, n, JSON_REJECT_DUPLICATES, NULL);
  const char* trouble = "a wish is JSON";

  if (json_is_object(wish)) {
    pthread_mutex_lock(&l->lock);
    trouble = grant(l, wish);
    l->sequence += 1;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
  }
  json_decref(wish);
  snprintf(sentence, room, "%s", trouble == NULL ? "" : trouble);
  return trouble == NULL;
}

/* ----------------------------------------------------------------------------------- news ---- */

char* live_news(const live* l) {
  const char* mode = l->ended ? "ended" : l->paused ? "paused" : "running";
  json_t* head =
      json_pack("{s:s, s:s, s:i, s:f, s:f, s:b}", "mode", mode, "status", l->status, "epoch",
                l->epoch, "rate", l->rate, "speed", l->speed, "pushed", l->push.on ? 1 : 0);
  char* first = head == NULL ? NULL : json_dumps(head, JSON_COMPACT);
  json_decref(head);
  if (first == NULL) return NULL;

  /* "{...}" becomes "{..., "frame": {...}}" */
  const char* frame = l->frame == NULL ? "null" : l->frame;
  const size_t room = strlen(first) + strlen(frame) + 16;
  char* text = malloc(room);
  if (text != NULL) {
    first[strlen(first) - 1] = '\0';
    snprintf(text, room, "%s,\"frame\":%s}", first, frame);
  }
  free(first);
  return text;
}
