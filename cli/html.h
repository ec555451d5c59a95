/* html.h: pages that need nothing but themselves: no scripts, no fonts or styles from elsewhere. */
#pragma once

#include <stdio.h>

/* Everything up to the first words of the page, with the style sheet; and everything behind the
   last. */
void html_open(FILE* out, const char* title);
void html_close(FILE* out);

/* Text that is safe between tags and inside attributes. */
void html_text(FILE* out, const char* text);
