/* SPDX-License-Identifier: Apache-2.0 */
/* html.h: self-contained pages: no scripts, no external fonts or styles. */
#pragma once

#include <stdio.h>

/* Everything before the first words of the page, with the style sheet; and everything after the
   last. */
void html_open(FILE* out, const char* title);
void html_close(FILE* out);

/* Text that is safe between tags and inside attributes. */
void html_text(FILE* out, const char* text);
