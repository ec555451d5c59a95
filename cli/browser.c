/* browser.c: see browser.h. The page draws while it loads and leaves its pictures in its text as
   data: addresses; `chromium --dump-dom` prints that text. So one start of the browser draws a
   whole film, and nothing but Debian's chromium is needed. No shell takes part, and the page has no
   network. */
#define _XOPEN_SOURCE 700 /* posix_spawn, mkdtemp, nftw, realpath */
#include "cli/browser.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

/* ------------------------------------------------------------------------------- folders ---- */

char* browser_folder(void) {
  const char* base = getenv("TMPDIR");
  const size_t room = (base == NULL ? 4 : strlen(base)) + sizeof "/appell-XXXXXX";
  char* folder = malloc(room);
  if (folder == NULL) return NULL;

  snprintf(folder, room, "%s/appell-XXXXXX", base == NULL ? "/tmp" : base);
  if (mkdtemp(folder) != NULL) return folder;
  fprintf(stderr, "appell: a folder for temporary files cannot be made: %s\n", strerror(errno));
  free(folder);
  return NULL;
}

static int remove_one(const char* path, const struct stat* info, int kind, struct FTW* at) {
  (void)info, (void)kind, (void)at;
  return remove(path);
}

void browser_folder_remove(char* folder) {
  if (folder != NULL) nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  free(folder);
}

/* ------------------------------------------------------------------------------- pictures ---- */

/* What is known of the text so far: a picture's digits between its head and a quote or a blank. */
typedef struct reader {
  browser_picture take;
  void* user;
  int count, matched; /* pictures taken; how much of the head has been seen                       */
  int state;          /* 0: looking for a head, 1: in its type, 2: in the digits                  */
  unsigned bits;
  int nbit;
  unsigned char* bytes;
  size_t n, room;
  char trouble[300]; /* what the page says when it cannot draw */
  int ntrouble, trouble_matched;
} reader;

static int digit(int c) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char* at = c == '\0' ? NULL : strchr(digits, c);
  return at == NULL ? -1 : (int)(at - digits);
}

static bool keep(reader* r, unsigned char byte) {
  if (r->n == r->room) {
    const size_t room = 2 * r->room + 65536;
    unsigned char* more = realloc(r->bytes, room);
    if (more == NULL) return false;
    r->bytes = more, r->room = room;
  }
  r->bytes[r->n++] = byte;
  return true;
}

/* The next character of the page's text. */
static bool feed(reader* r, int c) {
  static const char head[] = "data:image/", sorry[] = "appell-trouble:";
  const int value = digit(c);

  if (r->state == 0) {
    r->matched = c == head[r->matched] ? r->matched + 1 : c == head[0];
    if (head[r->matched] == '\0') r->state = 1, r->matched = 0;
    if (r->trouble_matched == (int)sizeof sorry - 1) {
      if (c != '\n' && c != '<' && r->ntrouble + 1 < (int)sizeof r->trouble)
        r->trouble[r->ntrouble++] = (char)c;
      else
        r->trouble_matched = -1;
    } else if (r->trouble_matched >= 0) {
      r->trouble_matched = c == sorry[r->trouble_matched] ? r->trouble_matched + 1 : c == sorry[0];
    }
    return true;
  }
  if (r->state == 1) {
    if (c == ',') r->state = 2, r->n = 0, r->nbit = 0, r->bits = 0;
    return true;
  }
  if (value >= 0) {
    r->bits = (r->bits << 6 | (unsigned)value) & 0xffffffu;
    r->nbit += 6;
    if (r->nbit < 8) return true;
    r->nbit -= 8;
    return keep(r, (unsigned char)(r->bits >> r->nbit & 255u));
  }
  if (c == '=') return true;
  r->state = 0;
  if (r->n == 0) return true;
  ++r->count;
  return r->take(r->bytes, r->n, r->user);
}

/* -------------------------------------------------------------------------------- browser ---- */

/* file:///folder/page.html?query, with what is special in addresses written as %xx */
static char* address_of(const char* page, const char* query) {
  char* full = realpath(page, NULL);
  if (full == NULL) return NULL;
  char* out = malloc(3 * strlen(full) + strlen(query) + 16);
  char* end = out;

  if (out != NULL) {
    end += sprintf(end, "file://");
    for (const char* c = full; *c != '\0'; ++c)
      end += sprintf(end, strchr("%?# \"", *c) != NULL ? "%%%02X" : "%c", (unsigned char)*c);
    sprintf(end, "?%s", query);
  }
  free(full);
  return out;
}

/* Start the first browser that is there, its text in *out. */
static pid_t start(const char* profile, const char* address, int width, int height, FILE** out) {
  static const char* const names[] = {"chromium", "chromium-browser", "google-chrome"};
  const char* wish = getenv("CHROMIUM");
  char size[40], data[1200];
  int ends[2];
  pid_t pid = -1;
  posix_spawn_file_actions_t actions;

  snprintf(size, sizeof size, "--window-size=%d,%d", width, height);
  snprintf(data, sizeof data, "--user-data-dir=%s", profile);
  /* the sandbox of Chromium does not start for root; the page is ours and asks for nothing */
  const char* argv[] = {"",
                        geteuid() == 0 ? "--no-sandbox" : "--headless",
                        "--headless",
                        "--disable-gpu",
                        "--use-gl=angle",
                        "--use-angle=swiftshader",
                        "--enable-unsafe-swiftshader",
                        "--hide-scrollbars",
                        "--no-first-run",
                        "--disable-extensions",
                        "--disable-background-networking",
                        size,
                        data,
                        "--dump-dom",
                        address,
                        NULL};
  if (pipe(ends) != 0) return -1;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1 /* O_WRONLY */, 0);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  int missing = -1;
  for (size_t i = 0; i < sizeof names / sizeof *names && missing != 0; ++i) {
    argv[0] = wish != NULL ? wish : names[i];
    missing = posix_spawnp(&pid, argv[0], &actions, NULL, (char* const*)(size_t)argv, environ);
  }
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  *out = missing == 0 ? fdopen(ends[0], "rb") : NULL;
  if (missing != 0) close(ends[0]);
  return missing == 0 ? pid : -1;
}

static int finish(pid_t pid) {
  int status = -1;

  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int browser_draw(const char* page, const char* query, int width, int height, browser_picture take,
                 void* user) {
  reader r = {.take = take, .user = user};
  char *profile = browser_folder(), *address = address_of(page, query);
  FILE* text = NULL;
  int count = -1;
  const pid_t pid =
      profile == NULL || address == NULL ? -1 : start(profile, address, width, height, &text);

  if (pid < 0) {
    fprintf(stderr, "appell: Chromium cannot be started; on Debian: apt install chromium\n");
  } else if (text == NULL) {
    finish(pid);
  } else {
    bool fine = true;
    for (int c = getc(text); c != EOF && fine; c = getc(text))
      fine = feed(&r, c);
    if (!fine) kill(pid, SIGTERM);
    fclose(text);
    const int code = finish(pid);
    if (!fine) {
      count = -1;
    } else if (r.ntrouble > 0) {
      fprintf(stderr, "appell: %s\n", r.trouble);
    } else if (r.count == 0) {
      fprintf(stderr, "appell: Chromium drew no picture (exit code %d)\n", code);
    } else {
      count = r.count;
    }
  }
  free(r.bytes);
  free(address);
  browser_folder_remove(profile);
  return count;
}
