/* SPDX-License-Identifier: Apache-2.0 */
/* fault.c: makes the n-th call of a kind fail, for the whole command. Linked in front of our own
   code (ld --wrap), so that calls of other libraries do not count. Environment:

   - APPELL_FAULT=alloc:17 lets the 17th allocation fail; alloc:17+ that one and all that follow.
     Kinds: alloc (malloc, calloc, realloc, aligned_alloc, strdup), write (write, pwrite,
   ftruncate), sync, rename.
   - APPELL_FAULT_TRACE=1 prints where it was, for addr2line.
   - APPELL_FAULT_LOG=FILE counts the calls of each kind. */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { ALLOC, WRITE, SYNC, RENAME, KINDS };
static const char* const word[KINDS] = {"alloc", "write", "sync", "rename"};
static long calls[KINDS];
static long fail_at[KINDS];
static bool for_ever;

__attribute__((constructor)) static void begin(void) {
  const char* text = getenv("APPELL_FAULT");

  for (int k = 0; text != NULL && k < KINDS; ++k) {
    const size_t n = strlen(word[k]);
    if (strncmp(text, word[k], n) != 0 || text[n] != ':') continue;
    fail_at[k] = atol(text + n + 1);
    for_ever = text[strlen(text) - 1] == '+';
  }
}

__attribute__((destructor)) static void end(void) {
  const char* path = getenv("APPELL_FAULT_LOG");
  FILE* f = path == NULL ? NULL : fopen(path, "w");
  if (f == NULL) return;

  for (int k = 0; k < KINDS; ++k)
    fprintf(f, "%s %ld\n", word[k], calls[k]);
  fclose(f);
}

static bool fails(int kind, int why) {
  const long n = ++calls[kind];
  const bool now = fail_at[kind] > 0 && (n == fail_at[kind] || (for_ever && n > fail_at[kind]));

  if (now && getenv("APPELL_FAULT_TRACE") != NULL) {
    void* place[16];
    backtrace_symbols_fd(place, backtrace(place, 16), STDERR_FILENO);
  }
  if (now) errno = why;
  return now;
}

/* NAME -> its wrapped and its real form */
#define WRAP(result, name, arguments, names, kind, why, failure)                                   \
  result __real_##name arguments;                                                                  \
  result __wrap_##name arguments;                                                                  \
  result __wrap_##name arguments {                                                                 \
    return fails(kind, why) ? failure : __real_##name names;                                       \
  }

WRAP(void*, malloc, (size_t n), (n), ALLOC, ENOMEM, NULL)
WRAP(void*, calloc, (size_t n, size_t size), (n, size), ALLOC, ENOMEM, NULL)
WRAP(void*, realloc, (void* p, size_t n), (p, n), ALLOC, ENOMEM, NULL)
WRAP(void*, aligned_alloc, (size_t align, size_t n), (align, n), ALLOC, ENOMEM, NULL)
WRAP(char*, strdup, (const char* text), (text), ALLOC, ENOMEM, NULL)
WRAP(ssize_t, write, (int fd, const void* p, size_t n), (fd, p, n), WRITE, ENOSPC, -1)
WRAP(ssize_t, pwrite, (int fd, const void* p, size_t n, off_t at), (fd, p, n, at), WRITE, ENOSPC,
     -1)
WRAP(int, ftruncate, (int fd, off_t n), (fd, n), WRITE, ENOSPC, -1)
WRAP(int, fsync, (int fd), (fd), SYNC, EIO, -1)
WRAP(int, rename, (const char* from, const char* to), (from, to), RENAME, EIO, -1)
