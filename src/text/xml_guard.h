/* SPDX-License-Identifier: Apache-2.0 */
/* xml_guard.h: keeps dangerous texts from libxml2. */
#pragma once

#include "base/report.h"

#include <stdbool.h>
#include <stddef.h>

/* Refuses, with an error in the report, texts for which libxml2 needs hours or unbounded memory, or
   whose depth overflows the stack: document types (entities), elements with many attributes
   (compared pairwise), deep nesting (unlimited for long texts), and encodings that hide these.
   Everything else is left to libxml2, well-formed or not. */
bool apl_xml_guard(const char* text, size_t size, apl_report* report);
