/* SPDX-License-Identifier: Apache-2.0 */
/* browser.h: pictures of a page, drawn by a headless Chromium. */
#pragma once

#include "cli/helpers.h"

#include <stdbool.h>
#include <stddef.h>

/* One picture as the browser wrote it (PNG or JPEG); false ends the work. */
typedef bool (*browser_picture)(const unsigned char* bytes, size_t n, void* user);

/* Open a page file with this query ("movie=png&at=1") in a window of the given size and take every
   picture it writes, in order. The number of pictures, or -1 with a sentence on stderr. */
int browser_draw(const helpers* h, const char* page, const char* query, int width, int height,
                 browser_picture take, void* user);
