/* SPDX-License-Identifier: Apache-2.0 */
/* paper_page.h: a reproduced paper as a page. */
#pragma once

#include "cli/cli.h"
#include "papers/papers.h"

/* Write the page, whole or not at all; false with a sentence on stderr. */
bool paper_page_write(const apl_paper* paper, const char* path);

/* A number for readers: "" when there is none. Not all digits: --json has them. */
void paper_number(double value, char* text, size_t size);
