/* SPDX-License-Identifier: Apache-2.0 */
/* browser.c: see browser.h. The page draws while it loads and leaves its pictures in its text as
   data: addresses; `chromium --dump-dom` prints that text. So one start of the browser draws a
   whole film, and only Debian's chromium is needed. No shell is involved, and the page has no
   network.

   The text also holds names of the model, which may look like pictures. So each picture stands
   behind a mark that is made anew for each start and that no file can know:

     @TOKEN:data:image/png;base64,DIGITS          a picture
     @TOKEN:trouble:SENTENCE                      why there is none */
#define _XOPEN_SOURCE 700 /* posix_spawn, realpath */
#include "cli/browser.h"

#include "base/error.h"
#include "cli/token.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------- pictures ---- */

enum { MARK_LENGTH = TOKEN_LENGTH + 2 };

/* Where the parser is: outside of all marks, in the word behind a mark, in the type of a picture,
   in its digits, in a sentence. */
typedef enum reader_state {
  READ_OUTSIDE,
  READ_WORD,
  READ_TYPE,
  READ_DIGITS,
  READ_SENTENCE
} reader_state;

typedef struct reader {
  browser_picture take;
  void* user;
  char mark[MARK_LENGTH + 1]; /* "@TOKEN:" */
  int matched;                /* how much of the mark has been seen                              */
  reader_state state;
  char word[10];
  int nword;
  int count; /* pictures taken                                                                    */
  unsigned bits;
  int nbit;
  unsigned char* bytes;
  size_t n, room;
  char trouble[300]; /* what the page says when it cannot draw */
  int ntrouble;
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

/* The word behind a mark is complete. */
static void begin_word(reader* r) {
  r->word[r->nword] = '\0';
  r->state = strcmp(r->word, "data") == 0      ? READ_TYPE
             : strcmp(r->word, "trouble") == 0 ? READ_SENTENCE
                                               : READ_OUTSIDE;
}

static bool feed_digit(reader* r, int c) {
  const int value = digit(c);

  if (value >= 0) {
    r->bits = (r->bits << 6 | (unsigned)value) & 0xffffffu;
    r->nbit += 6;
    if (r->nbit < 8) return true;
    r->nbit -= 8;
    return keep(r, (unsigned char)(r->bits >> r->nbit & 255u));
  }
  if (c == '=') return true;
  r->state = READ_OUTSIDE;
  if (r->n == 0) return true;
  ++r->count;
  return r->take(r->bytes, r->n, r->user);
}

/* The next character of the page's text. The first character of a mark does not come again in it,
   so a match that fails begins anew at most with the present character. */
static bool feed(reader* r, int c) {
  switch (r->state) {
  case READ_OUTSIDE:
    r->matched = c == r->mark[r->matched] ? r->matched + 1 : c == r->mark[0];
    if (r->matched == MARK_LENGTH) r->state = READ_WORD, r->matched = 0, r->nword = 0;
    return true;
  case READ_WORD:
    if (c == ':' || r->nword + 1 == (int)sizeof r->word) {
      begin_word(r);
    } else {
      r->word[r->nword++] = (char)c;
    }
    return true;
  case READ_TYPE:
    if (c == ',') r->state = READ_DIGITS, r->n = 0, r->nbit = 0, r->bits = 0;
    return true;
  case READ_DIGITS:
    return feed_digit(r, c);
  case READ_SENTENCE:
    if (c == '\n' || c == '<' || r->ntrouble + 1 == (int)sizeof r->trouble) {
      r->state = READ_OUTSIDE;
    } else {
      r->trouble[r->ntrouble++] = (char)c;
    }
    return true;
  }
  return true;
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

/* Start the first available browser; *out is its text. */
static pid_t start(const helpers* h, const char* address, int width, int height, FILE** out) {
  static const char* const names[] = {"chromium", "chromium-browser", "google-chrome"};
  const char* wish = getenv("CHROMIUM");
  char size[40], data[sizeof h->folder + 40];
  int ends[2];
  pid_t pid = -1;
  posix_spawn_file_actions_t actions;

  snprintf(size, sizeof size, "--window-size=%d,%d", width, height);
  snprintf(data, sizeof data, "--user-data-dir=%s/profile", h->folder);
  /* Chromium's sandbox does not start for root; the page is our own and loads nothing */
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
  if (!helpers_pipe(ends)) return -1;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1 /* O_WRONLY */, 0);
  int missing = -1;
  for (size_t i = 0; i < sizeof names / sizeof *names && missing != 0; ++i) {
    argv[0] = wish != NULL ? wish : names[i];
    missing = helpers_spawn(h, argv[0], argv, &actions, &pid);
  }
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  *out = missing == 0 ? fdopen(ends[0], "rb") : NULL;
  if (missing != 0) close(ends[0]);
  return missing == 0 ? pid : -1;
}

/* "MARK" and "&mark=TOKEN", where the query has room. */
static bool make_mark(reader* r, const char* query, char* full, size_t room) {
  char token[TOKEN_LENGTH + 1];

  if (!token_make(token)) return false;
  snprintf(r->mark, sizeof r->mark, "@%s:", token);
  return snprintf(full, room, "%s&mark=%s", query, token) < (int)room;
}

int browser_draw(const helpers* h, const char* page, const char* query, int width, int height,
                 browser_picture take, void* user) {
  reader r = {.take = take, .user = user};
  char full[400];
  char* address = make_mark(&r, query, full, sizeof full) ? address_of(page, full) : NULL;
  FILE* text = NULL;
  int count = -1;
  const pid_t pid = address == NULL ? -1 : start(h, address, width, height, &text);

  if (pid < 0) {
    fprintf(stderr, "appell: Chromium cannot be started; on Debian: apt install chromium\n");
  } else if (text == NULL) {
    helpers_wait(pid);
  } else {
    bool fine = true;
    for (int c = getc(text); c != EOF && fine; c = getc(text))
      fine = feed(&r, c);
    if (!fine) kill(pid, SIGTERM);
    fclose(text);
    const int code = helpers_wait(pid);
    if (!fine) {
      count = -1;
    } else if (r.ntrouble > 0) {
      apl_text_clean(r.trouble, sizeof r.trouble);
      fprintf(stderr, "appell: %s\n", r.trouble);
    } else if (r.count == 0) {
      fprintf(stderr, "appell: Chromium drew no picture (exit code %d)\n", code);
    } else {
      count = r.count;
    }
  }
  free(r.bytes);
  free(address);
  return count;
}
