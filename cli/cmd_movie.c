/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_movie.c: `appell movie`: a result as a video or a picture, drawn by a headless Chromium and,
   for videos, coded by ffmpeg. */
#define _XOPEN_SOURCE 700 /* posix_spawn */
#include "cli/browser.h"

#include "cli/cli.h"
#include "record/record.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  MOVIE_OUTPUT,
  MOVIE_SIZE,
  MOVIE_FPS,
  MOVIE_SPEED,
  MOVIE_AT,
  MOVIE_VIEW,
  MOVIE_DARK,
  MOVIE_CLEAR
};

static const cli_option options[] = {
    [MOVIE_OUTPUT] = {"--output", "-o", "FILE.mp4|.webm|.gif|.png",
                      "the video or picture to write"},
    [MOVIE_SIZE] = {"--size", NULL, "WxH", "size in pixels (1280x720)"},
    [MOVIE_FPS] = {"--fps", NULL, "N", "frames per second of a video (30; GIF: 15)"},
    [MOVIE_SPEED] = {"--speed", NULL, "X", "speed of a video; 1 is real time (1)"},
    [MOVIE_AT] = {"--at", NULL, "T", "time of a picture [s] (a third of the run)"},
    [MOVIE_VIEW] = {"--view", NULL, "NAME", "camera: corner, front, side, top or plane"},
    [MOVIE_DARK] = {"--dark", NULL, NULL, "use a dark background"},
    [MOVIE_CLEAR] = {"--clear", NULL, NULL, "write a picture with a transparent background"},
    {NULL, NULL, NULL, NULL},
};

/* How each ending is coded; NULL: the browser's own picture. */
typedef struct format {
  const char* ending;
  const char* muxer;
  const char* filter;
  const char* codec;
  double fps;
} format;

static const format formats[] = {
    {".mp4", "mp4", "format=yuv420p", "libx264", 30},
    {".webm", "webm", "format=yuv420p", "libvpx-vp9", 30},
    {".gif", "gif", "split[a][b];[a]palettegen[p];[b][p]paletteuse", "gif", 15},
    {".png", NULL, NULL, NULL, 0},
};

static const format* format_of(const char* path) {
  const char* dot = strrchr(path, '.');

  for (size_t i = 0; dot != NULL && i < sizeof formats / sizeof *formats; ++i) {
    if (strcmp(dot, formats[i].ending) == 0) return &formats[i];
  }
  return NULL;
}

typedef struct movie {
  const format* form;
  int width, height;
  double fps, speed, at; /* at: NAN where it is not given */
  const char* view;
  bool dark, clear;
} movie;

/* --------------------------------------------------------------------------------- coding ---- */

/* Where pictures go: a file, or the input of ffmpeg. */
typedef struct coder {
  FILE* to;
  pid_t pid;
} coder;

static bool take(const unsigned char* bytes, size_t n, void* user) {
  coder* c = user;
  return fwrite(bytes, 1, n, c->to) == n;
}

static bool open_coder(coder* c, const helpers* h, const movie* m, const char* part) {
  char rate[32];
  int ends[2];
  posix_spawn_file_actions_t actions;

  if (m->form->muxer == NULL) {
    c->to = fopen(part, "wb");
    if (c->to == NULL)
      fprintf(stderr, "appell: '%s' cannot be written: %s\n", part, strerror(errno));
    return c->to != NULL;
  }
  snprintf(rate, sizeof rate, "%g", m->fps);
  const char* const argv[] = {
      "ffmpeg",        "-nostdin", "-loglevel",    "error", "-y",           "-f", "image2pipe",
      "-c:v",          "mjpeg",    "-framerate",   rate,    "-i",           "-",  "-vf",
      m->form->filter, "-c:v",     m->form->codec, "-f",    m->form->muxer, part, NULL};
  if (!helpers_pipe(ends)) return false;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  const int missing = helpers_spawn(h, "ffmpeg", argv, &actions, &c->pid);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (missing != 0) {
    close(ends[1]);
    fprintf(stderr, "appell: ffmpeg cannot be started (%s); on Debian: apt install ffmpeg\n",
            strerror(missing));
    return false;
  }
  c->to = fdopen(ends[1], "wb");
  return c->to != NULL;
}

static bool close_coder(coder* c) {
  bool ok = c->to == NULL || fclose(c->to) == 0;

  if (c->pid > 0) {
    const bool fine = helpers_wait(c->pid) == 0;
    if (!fine) fprintf(stderr, "appell: ffmpeg could not encode the frames\n");
    ok = ok && fine;
  }
  return ok;
}

/* -------------------------------------------------------------------------------- drawing ---- */

static bool draw(const helpers* h, const movie* m, const char* page, const char* part) {
  char query[240];
  coder c = {NULL, 0};

  int used = snprintf(query, sizeof query,
                      "movie=%s&width=%d&height=%d&fps=%g&speed=%g&view=%s&theme=%s%s",
                      m->form->muxer == NULL ? "png" : "jpeg", m->width, m->height, m->fps,
                      m->speed, m->view, m->dark ? "dark" : "light", m->clear ? "&clear" : "");
  if (isfinite(m->at)) snprintf(query + used, sizeof query - (size_t)used, "&at=%.9g", m->at);

  signal(SIGPIPE, SIG_IGN); /* if the encoder ends early, its exit code reports it */
  bool ok = open_coder(&c, h, m, part);
  ok = ok && browser_draw(h, page, query, m->width, m->height, take, &c) > 0;
  return close_coder(&c) && ok;
}

/* The seconds that a result covers; -1 after a sentence. */
static double span_of(const char* path) {
  apl_result* res = NULL;
  apl_error err = {0};
  double span = -1.0;

  if (apl_result_open(path, &res, &err) == APL_OK) {
    const int last = apl_result_rows(res) - 1, clock = apl_result_find(res, "time");
    double* row = malloc(sizeof *row * 2 * (size_t)(apl_result_channels(res) + 1));
    double* end = row == NULL ? NULL : row + apl_result_channels(res);
    if (last < 0) {
      span = 0.0; /* the page says that there is nothing to draw */
    } else if (row != NULL && clock >= 0 && apl_result_read(res, 0, 1, row, &err) == APL_OK &&
               apl_result_read(res, last, 1, end, &err) == APL_OK) {
      span = end[clock] - row[clock];
    }
    free(row);
  }
  if (span < 0.0) cli_complain(&err);
  apl_result_free(res);
  return span;
}

/* All pictures of a video are in the browser's memory: about 100 kB each. */
static bool is_short_enough(const movie* m, const cli_args* args) {
  const double most = 20000;
  double span = 0.0;

  for (int i = 0; i < args->nfile && m->form->muxer != NULL; ++i) {
    const double s = span_of(args->file[i]);
    if (s < 0.0) return false;
    span = fmax(span, s);
  }
  const double n = floor(span * m->fps / m->speed) + 1.0;
  if (n <= most) return true;
  fprintf(stderr,
          "appell movie: %g s at %g frames per second are %.0f frames, more than the %.0f that are "
          "possible: use --speed %.3g or a smaller --fps\n",
          span / m->speed, m->fps, n, most, 1.01 * m->speed * n / most);
  return false;
}

/* Copy the file from the browser's folder to its destination: complete or not at all. */
static bool deliver(const char* part, const char* path) {
  FILE* f = fopen(part, "rb");
  const bool ends = f != NULL && fseek(f, 0, SEEK_END) == 0;
  const long size = ends ? ftell(f) : -1;
  char* bytes = size < 0 ? NULL : malloc((size_t)size + 1);
  apl_error err = {0};
  bool ok = bytes != NULL && fseek(f, 0, SEEK_SET) == 0 &&
            fread(bytes, 1, (size_t)size, f) == (size_t)size;

  if (!ok) fprintf(stderr, "appell: '%s' was written but cannot be read again\n", part);
  if (ok && apl_output_write(path, bytes, (size_t)size, &err) != APL_OK) {
    cli_complain(&err);
    ok = false;
  }
  if (f != NULL) fclose(f);
  free(bytes);
  return ok;
}

static int make(const movie* m, const cli_args* args) {
  const char* path = args->value[MOVIE_OUTPUT];
  helpers h;
  char page[sizeof h.folder + 16], part[sizeof h.folder + 16];
  apl_error err = {0};
  if (!helpers_start(&h)) return CLI_FAILED;

  snprintf(page, sizeof page, "%s/page.html", h.folder);
  snprintf(part, sizeof part, "%s/movie", h.folder);
  bool ok = apl_results_page(args->file, args->nfile, page, &err) == APL_OK;
  if (!ok) cli_complain(&err);
  ok = ok && draw(&h, m, page, part) && deliver(part, path);
  helpers_end(&h);
  if (ok) printf("wrote %s\n", path);
  return ok ? CLI_OK : CLI_FAILED;
}

/* ------------------------------------------------------------------------------- arguments ---- */

static bool number(const cli_args* args, int option, double least, double most, double* out) {
  const char* text = args->value[option];
  char* end;
  if (text == NULL) return true;

  const double x = strtod(text, &end);
  if (end != text && *end == '\0' && x >= least && x <= most) {
    *out = x;
    return true;
  }
  fprintf(stderr, "appell movie: %s must be a number from %g to %g, got '%s'\n",
          options[option].name, least, most, text);
  return false;
}

/* Videos need even numbers of pixels. */
static bool read_size(const char* text, movie* m) {
  char* end = NULL;
  if (text == NULL) return true;

  const long w = strtol(text, &end, 10);
  const long h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
  if (*end == '\0' && w >= 64 && h >= 64 && w <= 7680 && h <= 4320) {
    m->width = (int)(w - w % 2), m->height = (int)(h - h % 2);
    return true;
  }
  fprintf(stderr, "appell movie: --size must be WxH from 64x64 to 7680x4320, got '%s'\n", text);
  return false;
}

static bool read_view(const char* word, movie* m) {
  static const char* const views[] = {"corner", "front", "side", "top", "plane"};
  if (word == NULL) return true;

  for (size_t i = 0; i < sizeof views / sizeof *views; ++i) {
    if (strcmp(word, views[i]) == 0) m->view = views[i];
  }
  if (m->view[0] == '\0')
    fprintf(stderr, "appell movie: --view is corner, front, side, top or plane, not '%s'\n", word);
  return m->view[0] != '\0';
}

static int run(const cli_args* args) {
  const char* path = args->value[MOVIE_OUTPUT];
  if (path == NULL) return cli_misuse("movie", "-o FILE.mp4 is missing");

  movie m = {.form = format_of(path),
             .width = 1280,
             .height = 720,
             .speed = 1,
             .at = (double)NAN,
             .view = ""};
  if (m.form == NULL) return cli_misuse("movie", "'%s' is not an ordinary file", path);
  m.fps = m.form->fps;
  m.dark = args->value[MOVIE_DARK] != NULL;
  m.clear = args->value[MOVIE_CLEAR] != NULL;
  if (!read_size(args->value[MOVIE_SIZE], &m) || !read_view(args->value[MOVIE_VIEW], &m) ||
      !number(args, MOVIE_FPS, 1, 120, &m.fps) || !number(args, MOVIE_SPEED, 1e-6, 1e6, &m.speed) ||
      !number(args, MOVIE_AT, -1e300, 1e300, &m.at))
    return CLI_USAGE;
  return is_short_enough(&m, args) ? make(&m, args) : CLI_FAILED;
}

const cli_command cli_movie = {
    .name = "movie",
    .line = "Write results as a video or a picture",
    .files = "RESULT...",
    .min = 1,
    .max = 8,
    .option = options,
    .run = run,
    .notes = "Pictures are drawn by Chromium without a window (software rendering, no network), "
             "videos are\n"
             "encoded by ffmpeg. The environment variable CHROMIUM names another browser.\n",
};
