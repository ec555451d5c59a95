/* SPDX-License-Identifier: Apache-2.0 */
/* gnuplot.c: runs gnuplot. The script is a file, not a pipe, so the two processes cannot block each
   other. */
#define _XOPEN_SOURCE 700 /* posix_spawn */
#include "cli/figure.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

/* The first line of what gnuplot has complained about that is not blank or a caret. */
static void quote_complaint(FILE* log) {
  char line[300];

  rewind(log);
  while (fgets(line, sizeof line, log) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    const char* word = line + strspn(line, " \t^");
    if (*word == '\0' || strncmp(word, "Warning", 7) == 0) continue;
    fprintf(stderr, "appell: gnuplot failed: %s\n", word);
    return;
  }
  fprintf(stderr, "appell: gnuplot failed without a message\n");
}

int gnuplot_run(FILE* script) {
  char name[] = "gnuplot";
  char dash[] = "-";
  char* const argv[] = {name, dash, NULL};
  posix_spawn_file_actions_t actions;
  FILE* log = tmpfile();
  pid_t pid;

  if (log == NULL || fflush(script) != 0 || lseek(fileno(script), 0, SEEK_SET) < 0 ||
      posix_spawn_file_actions_init(&actions) != 0) {
    fprintf(stderr, "appell: a temporary file cannot be written: %s\n", strerror(errno));
    if (log != NULL) fclose(log);
    return CLI_FAILED;
  }
  posix_spawn_file_actions_adddup2(&actions, fileno(script), 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(log), 2);
  const int missing = posix_spawnp(&pid, name, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (missing != 0) {
    fprintf(stderr, "appell: gnuplot cannot be started (%s); on Debian: apt install gnuplot-nox\n",
            strerror(missing));
    fclose(log);
    return CLI_FAILED;
  }

  int status = -1;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  const bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!ok && WIFEXITED(status) && WEXITSTATUS(status) == 127) {
    fprintf(stderr, "appell: gnuplot cannot be started; on Debian: apt install gnuplot-nox\n");
  } else if (!ok) {
    quote_complaint(log);
  }
  fclose(log);
  return ok ? CLI_OK : CLI_FAILED;
}
