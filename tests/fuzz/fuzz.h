/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz.h: what the targets share. A target takes any bytes and must come back: no crash, no hang,
   no memory error. libFuzzer drives it in `make fuzz`; driver.c, with fewer and repeatable bytes,
   in every test run. */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/* The bytes as a file that has a name; NULL when there is no memory for it. Good until the next
   call. */
const char* fuzz_file(const uint8_t* data, size_t size);
