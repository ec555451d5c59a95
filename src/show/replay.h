/* SPDX-License-Identifier: Apache-2.0 */
/* replay.h: a motion as one HTML file that anyone can open (docs/formats/page.md): frames are
   collected, then written with the texts and tables of the page. */
#pragma once

#include "appell/file.h"
#include "appell/result.h"
#include "appell/state.h"

typedef struct apl_replay apl_replay;

/* The model and the channels must outlive the replay. */
apl_status apl_replay_new(const apl_model* model, const apl_channel* channel, int nchannel,
                          apl_replay** out);
void apl_replay_free(apl_replay* replay); /* accepts NULL */

/* One frame: positions for the q of the state, and row[nchannel]. Long motions are reduced to at
   most 2000 frames; trails keep all points. */
apl_status apl_replay_add(apl_replay* replay, double t, const double* row, apl_state* state);

/* A line of the table beside the picture: a text, or a number where the text is NULL. */
typedef struct apl_replay_line {
  const char* label;
  const char* text;
  double value;
  const char* unit;
} apl_replay_line;

typedef struct apl_replay_words {
  const char *name, *description;
  const char* status; /* "finished", "stopped", "failed: sentence"; NULL if it is not a run      */
  const char* model;  /* the model file as text, or NULL                                         */
  const char* const* warning;
  int nwarning;
  const apl_replay_line* line;
  int nline;
  const apl_occurrence* event; /* marks on the time bar; `value` and `row` are not looked at     */
  int nevent;
} apl_replay_words;

/* Read the meshes and images of the file now, and not when the page is written: those that cannot
   be drawn are warnings of the report, which may be NULL. The page has the sentences in any case.
 */
apl_status apl_replay_dress(apl_replay* replay, const apl_file* file, apl_report* report);

/* The pictures that apl_replay_dress() has made, as apl_file_pictures() gives them; NULL without
   memory, or if there are none. */
char* apl_replay_pictures(const apl_replay* replay);

/* Write the page; `file` has the shapes of the links. */
apl_status apl_replay_write(const apl_replay* replay, const char* path, const apl_file* file,
                            const apl_replay_words* words, apl_error* err);

/* The same page as text, for a server of live runs: `live` is the JSON of the
   page's member of that name (docs/formats/page.md), or NULL. Release it with apl_text_free(). */
apl_status apl_replay_text(const apl_replay* replay, const apl_file* file,
                           const apl_replay_words* words, const char* live, char** text,
                           size_t* size, apl_error* err);

/* One frame for such a page, as JSON: positions for the q of the state, and row[nchannel]. It is
   not kept. NULL if out of memory, or if the state is not finite; free it with apl_text_free(). */
char* apl_replay_frame(apl_replay* replay, double t, const double* row, apl_state* state);

/* Ports, shapes, strips and grounds to draw, JSON as in docs/formats/page.md; NULL if
   out of memory, or for names that are not UTF-8. Release it with apl_text_free(). Meshes and
   images that cannot be drawn are warnings of the report, which may be NULL. */
char* apl_file_pictures(const apl_file* file, const apl_model* model, apl_report* report);
