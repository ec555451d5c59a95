/* SPDX-License-Identifier: Apache-2.0 */
/* file.c: bytes as a file in memory, by its name in /proc. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

const char* fuzz_file(const uint8_t* data, size_t size) {
  static int fd = -1;
  static char path[40];

  if (fd >= 0) close(fd);
  fd = memfd_create("fuzz", MFD_CLOEXEC);
  if (fd < 0 || write(fd, data, size) != (ssize_t)size) return NULL;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return path;
}
