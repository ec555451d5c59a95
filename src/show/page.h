/* page.h: a run as one HTML file that anyone can open. The page itself is viewer/, bundled at build
   time; its data format is docs/formats/page.md. */
#pragma once

#include "appell/record.h"

/* The page with its placeholder; size 0 when Appell was built without npm. */
extern const unsigned char apl_viewer_page[];
extern const size_t apl_viewer_page_size;

/* The page around this JSON as text, malloc'ed. */
apl_status apl_page_text(const char* json, size_t n, char** text, size_t* size, apl_error* err);
