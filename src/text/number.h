/* SPDX-License-Identifier: Apache-2.0 */
/* number.h: decimal numbers, the same in every locale. */
#pragma once

#include "base/error.h"

/* Read a number at the start of `text`: sign, digits with an optional point, exponent. No
   hexadecimal, no nan, no inf. *end is what follows; *end == text when no number stands there. A
   number beyond the range of a double comes out infinite. */
double apl_number_read(const char* text, const char** end);

/* The shortest decimal text that reads back to the same double, in buffer[APL_NUMBER_SIZE]. */
enum { APL_NUMBER_SIZE = 32 };
const char* apl_number_write(double value, char* buffer);
