/* SPDX-License-Identifier: Apache-2.0 */
/* replay_impl.h: the JSON of a replay before it becomes a page. */
#pragma once

#include "appell/base.h"

#include "show/replay.h"

#include <jansson.h>

/* Takes `pictures`; NULL without memory, or for names that are not UTF-8. */
json_t* apl_replay_json(const apl_replay* replay, json_t* pictures, const apl_replay_words* words);

/* Write the page around this JSON, which it takes and which may be NULL. */
apl_status apl_replay_put(json_t* page, const char* path, apl_error* err);
