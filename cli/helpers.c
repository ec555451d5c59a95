/* SPDX-License-Identifier: Apache-2.0 */
/* helpers.c: see helpers.h.

   A process that is killed with SIGKILL cannot clean up, so another one does: the keeper, a child
   that reads from a pipe. Only the command holds the other end of that pipe. When the command ends,
   for whatever reason, the keeper reads the end of the file, kills the process group of the
   programs and removes the folder. All signals of the keeper are blocked, and it is in a
   process group of its own: what kills the group of the command (`timeout -s KILL`) does not reach
   it. The group of the programs exists before the first of them starts, so no program is ever
   outside of it: its first member is a child that waits for the same end. */
#define _XOPEN_SOURCE 700 /* posix_spawn, mkdtemp, nftw, nanosleep */
#include "cli/helpers.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

/* -------------------------------------------------------------------------------- cleaning ---- */

/* What cannot be removed now is tried again: the walk goes on. */
static int remove_one(const char* path, const struct stat* info, int kind, struct FTW* at) {
  (void)info, (void)kind, (void)at;
  remove(path);
  return 0;
}

/* Programs that were killed may write for a moment longer. */
static void remove_folder(const char* folder) {
  const struct timespec moment = {0, 20000000};

  for (int k = 0; k < 250 && access(folder, F_OK) == 0; ++k) {
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    if (access(folder, F_OK) == 0) nanosleep(&moment, NULL);
  }
}

/* The terminal and the pipes of the command do not wait for its children. */
static void leave_streams(void) {
  for (int fd = 0; fd < 3; ++fd)
    close(fd);
}

/* Until the command has ended. */
static void await_end(int ended) {
  ssize_t n = 1;
  char byte;

  leave_streams();
  while (n > 0 || (n < 0 && errno == EINTR))
    n = read(ended, &byte, 1);
}

_Noreturn static void keep(const helpers* h, int ended) {
  await_end(ended);
  kill(-h->group, SIGKILL);
  remove_folder(h->folder);
  _exit(0);
}

/* -------------------------------------------------------------------------------- starting ---- */

bool helpers_pipe(int ends[2]) {
  if (pipe(ends) != 0) return false;
  for (int k = 0; k < 2; ++k)
    fcntl(ends[k], F_SETFD, FD_CLOEXEC);
  return true;
}

static bool make_folder(helpers* h) {
  const char* base = getenv("TMPDIR");
  const int n = snprintf(h->folder, sizeof h->folder, "%s/appell-XXXXXX",
                         base == NULL || base[0] == '\0' ? "/tmp" : base);

  if (n >= (int)sizeof h->folder) errno = ENAMETOOLONG;
  if (n < (int)sizeof h->folder && mkdtemp(h->folder) != NULL) return true;
  fprintf(stderr, "appell: a folder for temporary files cannot be made: %s\n", strerror(errno));
  h->folder[0] = '\0';
  return false;
}

/* A child in a process group of its own, whose number is that of the child. */
static pid_t start_child(void) {
  const pid_t pid = fork();

  if (pid >= 0) setpgid(pid, 0); /* by both: whoever comes first */
  return pid;
}

static pid_t start_group(const int ends[2]) {
  const pid_t pid = start_child();

  if (pid == 0) {
    close(ends[1]);
    await_end(ends[0]);
    _exit(0);
  }
  return pid;
}

static pid_t start_keeper(const helpers* h, const int ends[2]) {
  const pid_t pid = start_child();

  if (pid == 0) {
    close(ends[1]);
    keep(h, ends[0]);
  }
  return pid;
}

/* The folder and the children; false with a sentence. */
static bool start_all(helpers* h, const int ends[2]) {
  h->group = start_group(ends);
  if (h->group > 0 && !make_folder(h)) return false;
  if (h->group > 0) h->keeper = start_keeper(h, ends);
  if (h->keeper > 0) return true;
  fprintf(stderr, "appell: no other program can be started: %s\n", strerror(errno));
  if (h->folder[0] != '\0') remove_folder(h->folder);
  return false;
}

bool helpers_start(helpers* h) {
  sigset_t all, mask;
  int ends[2];

  *h = (helpers){.group = -1, .keeper = -1, .alive = -1};
  if (!helpers_pipe(ends)) {
    fprintf(stderr, "appell: no other program can be started: %s\n", strerror(errno));
    return false;
  }
  /* no signal ends the command between the folder and the keeper; the children never hear one */
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &mask);
  const bool ok = start_all(h, ends);
  close(ends[0]);
  h->alive = ends[1];
  if (ok) setenv("TMPDIR", h->folder, 1);
  if (!ok) {
    close(ends[1]);
    if (h->group > 0) helpers_wait(h->group);
  }
  sigprocmask(SIG_SETMASK, &mask, NULL);
  return ok;
}

int helpers_spawn(const helpers* h, const char* program, const char* const* argv,
                  const posix_spawn_file_actions_t* actions, pid_t* pid) {
  posix_spawnattr_t attributes;
  int why = posix_spawnattr_init(&attributes);
  if (why != 0) return why;

  why = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  if (why == 0) why = posix_spawnattr_setpgroup(&attributes, h->group);
  if (why == 0)
    why = posix_spawnp(pid, program, actions, &attributes, (char* const*)(size_t)argv, environ);
  posix_spawnattr_destroy(&attributes);
  return why;
}

int helpers_wait(pid_t pid) {
  int status = -1;

  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void helpers_end(helpers* h) {
  close(h->alive);
  helpers_wait(h->keeper);
  helpers_wait(h->group);
}
