/* xml_guard.h: what libxml2 shall not see. */
#pragma once

#include "base/report.h"

#include <stdbool.h>
#include <stddef.h>

/* Refuses, with a sentence in the report, texts over which libxml2 takes hours or memory without
   bound, or whose depth overflows the stack of those who walk through them: document types (their
   entities), elements with many attributes (it compares each with each), deep nesting (it has no
   bound where a text is long), and encodings in which these do not look like themselves. All else
   is left to libxml2, whether it is well formed or not. */
bool apl_xml_guard(const char* text, size_t size, apl_report* report);
