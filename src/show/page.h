/* SPDX-License-Identifier: Apache-2.0 */
/* page.h: a run as one HTML file that anyone can open. The page itself is viewer/, bundled at build
   time; its data format is docs/formats/page.md. */
#pragma once

#include "appell/base.h"

/* The page with its placeholder; size 0 when Appell was built without npm. */
extern const unsigned char apl_viewer_page[];
extern const size_t apl_viewer_page_size;

/* The page around this JSON as text, malloc'ed. */
apl_status apl_page_text(const char* json, size_t n, char** text, size_t* size, apl_error* err);

/* A run as one HTML file that anyone can open (docs/formats/page.md): write the page with json, n
   bytes of UTF-8, as its data. An existing file at path is replaced only when the new one is
   complete. Fails with a sentence if Appell was built without the page (npm). */
apl_status apl_page_write(const char* path, const char* json, size_t n, apl_error* err);
