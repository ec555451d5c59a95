/* SPDX-License-Identifier: Apache-2.0 */
/* token.h: words that nobody can guess. */
#pragma once

#include <stdbool.h>

enum { TOKEN_LENGTH = 32 };

/* 128 random bits as hexadecimal digits; false if the system gives no random numbers. */
bool token_make(char token[TOKEN_LENGTH + 1]);
