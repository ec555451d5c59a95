/* SPDX-License-Identifier: Apache-2.0 */
/* token.c: see token.h. */
#define _DEFAULT_SOURCE /* getentropy */
#include "cli/token.h"

#include <unistd.h>

bool token_make(char token[TOKEN_LENGTH + 1]) {
  static const char digit[] = "0123456789abcdef";
  unsigned char bytes[TOKEN_LENGTH / 2];

  if (getentropy(bytes, sizeof bytes) != 0) return false;
  for (int i = 0; i < TOKEN_LENGTH / 2; ++i) {
    token[2 * i] = digit[bytes[i] >> 4];
    token[2 * i + 1] = digit[bytes[i] & 15];
  }
  token[TOKEN_LENGTH] = '\0';
  return true;
}
