/* SPDX-License-Identifier: Apache-2.0 */
/* helpers.h: other programs that work for a command, in a private temporary folder. Programs and
   folder are gone when the command has ended, also if it was killed. */
#pragma once

#include <spawn.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct helpers {
  char folder[256]; /* private; also the TMPDIR of the programs                                  */
  pid_t group;      /* process group of the programs; its first member does nothing but exist    */
  pid_t keeper;     /* the process that cleans up                                                */
  int alive;        /* a pipe that closes when this process ends                                 */
} helpers;

/* False with a sentence on stderr. */
bool helpers_start(helpers* h);

/* Start a program of the search path; 0 or an errno. */
int helpers_spawn(const helpers* h, const char* program, const char* const* argv,
                  const posix_spawn_file_actions_t* actions, pid_t* pid);

/* Wait for a program; its exit code, -1 if it was killed. */
int helpers_wait(pid_t pid);

/* A pipe that programs inherit only where file actions say so; false with errno. */
bool helpers_pipe(int ends[2]);

/* End the programs that still run, and remove the folder. */
void helpers_end(helpers* h);
