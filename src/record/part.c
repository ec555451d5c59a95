/* SPDX-License-Identifier: Apache-2.0 */
/* part.c: write path.part, then rename. An existing file is replaced by a complete one or not at
   all. */
#define _XOPEN_SOURCE 700 /* realpath, readlink, fchown */
#include "record/part.h"

#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static apl_status unwritable(apl_error* err, const char* path, const char* why) {
  return apl_fail(err, APL_ERR_IO, "'%s' cannot be written: %s", path, why);
}

static apl_status refuse(apl_part* p, apl_error* err, const char* path, const char* why) {
  apl_part_drop(p, false);
  return unwritable(err, path, why);
}

static apl_status out_of_memory(apl_part* p, apl_error* err) {
  apl_part_drop(p, false);
  return apl_fail(err, APL_ERR_MEMORY, "out of memory");
}

/* -------------------------------------------------------------------------------- names ---- */

static const char* last_word(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

/* "folder/" + "name", malloc'ed. */
static char* join(const char* path, size_t folder, const char* name) {
  const size_t n = strlen(name) + 1;
  char* text = malloc(folder + n);

  if (text == NULL) return NULL;
  memcpy(text, path, folder);
  memcpy(text + folder, name, n);
  return text;
}

/* The name of a file that is not there, in a folder that is: "./x", "y/../x" -> "/home/me/x". */
static char* in_real_folder(char* name) {
  const size_t n = (size_t)(last_word(name) - name);
  char* given = n == 0 ? strdup(".") : join(name, n, ".");
  char* folder = given == NULL ? NULL : realpath(given, NULL);
  free(given);
  if (folder == NULL) return name;

  const size_t length = strlen(folder);
  const bool root = length > 0 && folder[length - 1] == '/';
  char* slashed = join(folder, length, root ? "" : "/");
  char* real = slashed == NULL ? NULL : join(slashed, strlen(slashed), name + n);
  free(folder);
  free(slashed);
  free(name);
  return real;
}

char* apl_part_resolve(const char* path) {
  enum { LINKS_MOST = 40, NAME_MOST = 4096 };
  char* name = strdup(path);

  for (int k = 0; name != NULL && k < LINKS_MOST; ++k) {
    char* real = realpath(name, NULL);
    char to[NAME_MOST];
    if (real != NULL || errno != ENOENT) {
      free(name);
      return real;
    }
    /* there is no such file: the last component may be a link to a future one */
    const ssize_t n = readlink(name, to, sizeof to - 1);
    if (n < 0) return in_real_folder(name);
    to[n] = '\0';
    char* next = join(name, to[0] == '/' ? 0 : (size_t)(last_word(name) - name), to);
    free(name);
    name = next;
  }
  const int why = name == NULL ? ENOMEM : ELOOP;
  free(name);
  errno = why;
  return NULL;
}

/* -------------------------------------------------------------------------------- opening -- */

/* An fcntl lock: HDF5 readers use the other kind (flock) and are not blocked. */
static bool lock(int fd) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

  return fcntl(fd, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN);
}

/* Remove the part left by a killed run, unless its run is alive. A new inode is used, not a
   truncated one: a result that is being read, perhaps to resume from it, stays complete. */
static bool clear_way(const char* part) {
  const int fd = open(part, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return true;

  const bool is_free = lock(fd);
  if (is_free) unlink(part);
  close(fd);
  return is_free;
}

/* Open a terminal, /dev/null or a pipe. Without O_NONBLOCK a pipe without a reader would block for
   ever; block devices are refused, because they would be overwritten. */
static apl_status open_stream(apl_part* p, const char* path, mode_t mode, apl_error* err) {
  if (!S_ISCHR(mode) && !S_ISFIFO(mode)) return refuse(p, err, path, "it is not an ordinary file");
  p->path = strdup(path);
  if (p->path == NULL) return out_of_memory(p, err);
  p->fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (p->fd < 0) return refuse(p, err, path, errno == ENXIO ? "nobody reads it" : strerror(errno));
  const int flags = fcntl(p->fd, F_GETFL);
  if (flags < 0 || fcntl(p->fd, F_SETFL, flags & ~O_NONBLOCK) < 0)
    return refuse(p, err, path, strerror(errno));
  return APL_OK;
}

/* Copy owner and permissions of the file that will be replaced; the owner only if permitted. */
static bool take_over(int fd, const struct stat* old) {
  if (fchown(fd, old->st_uid, old->st_gid) != 0 && errno != EPERM) return false;
  return fchmod(fd, old->st_mode & 07777) == 0;
}

apl_status apl_part_check(const char* path, apl_error* err) {
  struct stat info;

  if (path == NULL || path[0] == '\0') {
    return apl_fail(err, APL_ERR_ARGUMENT, "the name of the file to write is empty");
  }
  if (stat(path, &info) == 0) {
    if (S_ISDIR(info.st_mode)) return unwritable(err, path, "it is a directory");
    if (!S_ISREG(info.st_mode)) return unwritable(err, path, "it is not an ordinary file");
    if (access(path, W_OK) != 0) return unwritable(err, path, strerror(errno));
  }
  char* real = apl_part_resolve(path);
  char* folder = real == NULL ? NULL : join(real, (size_t)(last_word(real) - real), ".");
  const bool ok = folder != NULL && access(folder, W_OK | X_OK) == 0;
  const int why = real != NULL && folder == NULL ? ENOMEM : errno;
  const bool named = real != NULL && last_word(real)[0] != '\0';

  free(real);
  free(folder);
  if (ok && named) return APL_OK;
  if (ok) return unwritable(err, path, "it is a directory");
  if (why == ENOMEM) return apl_fail(err, APL_ERR_MEMORY, "out of memory");
  return unwritable(err, path, strerror(why));
}

apl_status apl_part_open(apl_part* p, const char* path, bool streams, apl_error* err) {
  struct stat info;

  *p = (apl_part){.fd = -1};
  const bool exists = path != NULL && stat(path, &info) == 0;
  if (streams && exists && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
    return open_stream(p, path, info.st_mode, err);
  const apl_status st = apl_part_check(path, err);
  if (st != APL_OK) return st;

  p->path = apl_part_resolve(path);
  if (p->path == NULL && errno != ENOMEM) return refuse(p, err, path, strerror(errno));
  p->part = p->path == NULL ? NULL : join(p->path, strlen(p->path), ".part");
  if (p->part != NULL) p->folder = join(p->path, (size_t)(last_word(p->path) - p->path), ".");
  if (p->folder == NULL) return out_of_memory(p, err);

  if (!clear_way(p->part)) return refuse(p, err, path, "another run is writing this file");
  p->fd = open(p->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (p->fd < 0) return refuse(p, err, path, strerror(errno));
  (void)lock(p->fd);
  if (exists && !take_over(p->fd, &info)) {
    const int why = errno;
    unlink(p->part);
    return refuse(p, err, path, strerror(why));
  }
  return APL_OK;
}

/* -------------------------------------------------------------------------------- closing -- */

/* A new name is on the disk only after a sync of its folder. Folders that cannot be synced are not
   an error: the file itself is safe. */
static bool sync_folder(const char* folder) {
  const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool ok = fd < 0 || fsync(fd) == 0 || errno == EINVAL;

  const int why = errno;
  if (fd >= 0) close(fd);
  errno = why;
  return ok;
}

bool apl_part_step_aside(apl_part* p, const char* word) {
  if (p->part == NULL || access(p->path, F_OK) != 0) return true;

  char* other = apl_output_beside(p->path, word);
  if (other == NULL) return false;
  free(p->path);
  p->path = other;
  return true;
}

apl_status apl_part_keep(apl_part* p, apl_error* err) {
  /* sync before replacing the old file; pipes and terminals cannot be synced */
  const bool synced = p->part == NULL || fsync(p->fd) == 0 || errno == EINVAL;
  int why = synced ? 0 : errno;

  if (close(p->fd) != 0 && why == 0) why = errno;
  p->fd = -1;
  if (why == 0 && p->part != NULL && rename(p->part, p->path) != 0) why = errno;
  if (why != 0) return unwritable(err, p->path, strerror(why));

  /* from here on the new file stands in its place, complete, and the part is gone */
  apl_status st = APL_OK;
  if (p->part != NULL && !sync_folder(p->folder)) {
    st = apl_fail(err, APL_ERR_IO,
                  "'%s' has been written, but its folder cannot be synced (%s): a power failure "
                  "may undo it",
                  p->path, strerror(errno));
  }
  free(p->part);
  p->part = NULL;
  apl_part_drop(p, false);
  return st;
}

void apl_part_drop(apl_part* p, bool erase) {
  if (p->fd >= 0) close(p->fd);
  if (erase && p->part != NULL) unlink(p->part);
  free(p->path);
  free(p->part);
  free(p->folder);
  *p = (apl_part){.fd = -1};
}
