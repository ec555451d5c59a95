/* page.h: a run as one HTML file that anyone can open. The page itself is viewer/, bundled at build
   time; its data format is docs/formats/page.md. */
#pragma once

#include "appell/base.h"

/* The page with its placeholder; size 0 when Appell was built without npm. */
extern const unsigned char apl_viewer_page[];
extern const size_t apl_viewer_page_size;

/* Write the page with json, n bytes of UTF-8, as its data. An existing file at path is replaced
   only when the new one is complete. The text is not checked: the page itself tells what is wrong
   in it. */
apl_status apl_page_write(const char* path, const char* json, size_t n, apl_error* err);
