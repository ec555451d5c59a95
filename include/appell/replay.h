/* replay.h: a motion as one HTML file that anyone can open (docs/formats/page.md): frames are
   collected, then written with what stands beside the picture. */
#pragma once

#include "appell/file.h"
#include "appell/record.h"
#include "appell/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct apl_replay apl_replay;

/* The model and the channels must outlive the replay. */
APL_API apl_status apl_replay_new(const apl_model* model, const apl_channel* channel, int nchannel,
                                  apl_replay** out);
APL_API void apl_replay_free(apl_replay* replay); /* accepts NULL */

/* One frame: where all is for the q of the state, and row[nchannel]. Long motions are thinned to
   2000 frames. */
APL_API apl_status apl_replay_add(apl_replay* replay, double t, const double* row,
                                  apl_state* state);

/* A line of the table beside the picture: a text, or a number where the text is NULL. */
typedef struct apl_replay_line {
  const char* label;
  const char* text;
  double value;
  const char* unit;
} apl_replay_line;

typedef struct apl_replay_words {
  const char *name, *description;
  const apl_replay_line* line;
  int nline;
  const apl_occurrence* event; /* marks on the time bar; `value` and `row` are not looked at     */
  int nevent;
} apl_replay_words;

/* Write the page; `file` has the shapes of the links. */
APL_API apl_status apl_replay_write(const apl_replay* replay, const char* path,
                                    const apl_file* file, const apl_replay_words* words,
                                    apl_error* err);

/* Ports, shapes, strips and grounds to draw, JSON in the words of docs/formats/page.md; NULL
   without memory, or for names that are not UTF-8. Release it with apl_text_free(). */
APL_API char* apl_file_pictures(const apl_file* file, const apl_model* model);

#ifdef __cplusplus
}
#endif
