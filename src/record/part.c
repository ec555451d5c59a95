/* part.c: path.part, then rename. An existing file is replaced by a complete one or not at all. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "record/part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static apl_status refuse(apl_part* p, apl_error* err, const char* path, const char* why) {
  apl_part_drop(p, false);
  return apl_fail(err, APL_ERR_IO, "'%s' cannot be written: %s", path, why);
}

/* A lock of the fcntl kind: HDF5 readers take the other kind (flock) and are not kept out. */
static bool lock(int fd) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

  return fcntl(fd, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN);
}

/* Remove the part that a killed run has left, unless its run lives. A new inode rather than a
   truncated one: a result that is being read, perhaps to resume from it, stays whole. */
static bool clear_way(const char* part) {
  const int fd = open(part, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return true;

  const bool is_free = lock(fd);
  if (is_free) unlink(part);
  close(fd);
  return is_free;
}

apl_status apl_part_open(apl_part* p, const char* path, bool devices, apl_error* err) {
  struct stat info;

  *p = (apl_part){.fd = -1};
  if (path == NULL || path[0] == '\0') {
    return apl_fail(err, APL_ERR_ARGUMENT, "the name of the file to write is empty");
  }

  if (stat(path, &info) == 0) {
    if (S_ISDIR(info.st_mode)) return refuse(p, err, path, "it is a directory");
    if (!S_ISREG(info.st_mode)) {
      if (!devices) return refuse(p, err, path, "it is not an ordinary file");
      p->path = strdup(path);
      if (p->path == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory");
      p->fd = open(path, O_WRONLY | O_CLOEXEC);
      return p->fd >= 0 ? APL_OK : refuse(p, err, path, strerror(errno));
    }
    if (access(path, W_OK) != 0) return refuse(p, err, path, strerror(errno));
    p->path = realpath(path, NULL);
  } else {
    p->path = strdup(path);
  }
  const size_t n = p->path == NULL ? 0 : strlen(p->path);
  p->part = p->path == NULL ? NULL : malloc(n + sizeof ".part");
  if (p->part == NULL) {
    apl_part_drop(p, false);
    return apl_fail(err, APL_ERR_MEMORY, "out of memory");
  }
  memcpy(p->part, p->path, n);
  memcpy(p->part + n, ".part", sizeof ".part");

  if (!clear_way(p->part)) return refuse(p, err, path, "another run is writing it");
  p->fd = open(p->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (p->fd < 0) return refuse(p, err, path, strerror(errno));
  (void)lock(p->fd);
  return APL_OK;
}

apl_status apl_part_keep(apl_part* p, apl_error* err) {
  /* on the disk before it takes the place of another; a pipe or a terminal cannot */
  const bool synced = p->part == NULL || fsync(p->fd) == 0 || errno == EINVAL;
  int why = synced ? 0 : errno;

  if (close(p->fd) != 0 && why == 0) why = errno;
  p->fd = -1;
  if (why == 0 && p->part != NULL && rename(p->part, p->path) != 0) why = errno;

  const apl_status st =
      why == 0 ? APL_OK
               : apl_fail(err, APL_ERR_IO, "'%s' cannot be written: %s", p->path, strerror(why));
  apl_part_drop(p, false);
  return st;
}

void apl_part_drop(apl_part* p, bool erase) {
  if (p->fd >= 0) close(p->fd);
  if (erase && p->part != NULL) unlink(p->part);
  free(p->path);
  free(p->part);
  *p = (apl_part){.fd = -1};
}
