/* SPDX-License-Identifier: Apache-2.0 */
/* sum.h: the 64-bit checksum of result files. It detects accidental changes by disks and copies,
   not deliberate ones.

     h <- rotate(h xor word, 29) * odd

   is a bijection of h for each word and of the word for each h: one changed word is always
   detected, several with probability 1 - 2^-64. Words are numbers, not bytes, so that both byte
   orders give the same sum. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t apl_sum_word(uint64_t h, uint64_t word) {
  h ^= word;
  return (h << 29 | h >> 35) * 0x9e3779b97f4a7c15u;
}

static inline uint64_t apl_sum_numbers(uint64_t h, const double* x, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint64_t word;
    memcpy(&word, &x[i], sizeof word);
    h = apl_sum_word(h, word);
  }
  return apl_sum_word(h, n);
}

static inline uint64_t apl_sum_bytes(uint64_t h, const char* p, size_t n) {
  for (size_t i = 0; i < n; i++)
    h = apl_sum_word(h, (unsigned char)p[i]);
  return apl_sum_word(h, n);
}
