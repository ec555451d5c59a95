/* SPDX-License-Identifier: Apache-2.0 */
/* live_server.c: the page of a live run over HTTP, for this machine only.

     GET  /TOKEN/         the page
     GET  /TOKEN/events   news, as server-sent events
     POST /TOKEN/wish     requests of the page, JSON of a few hundred bytes

   The socket is bound to 127.0.0.1. A request is refused without the token of 128 random bits, with
   another host name (DNS rebinding), or from a page of another site. Each listener has a thread
   with at most one message; the number of listeners is bounded.

   A connection that has not shown the token is a stranger. It is closed after 3 s without a byte,
   and if there are more than eight strangers, the oldest of them is closed: those who connect and
   send little or nothing cannot keep the page away. */
#define _XOPEN_SOURCE 700 /* clock_gettime */
#include "cli/live.h"
#include "cli/live_http.h"
#include "cli/token.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TOKEN = TOKEN_LENGTH, MOST_WISH = 4096, MOST_PAGES = 4, MOST_CONNECTIONS = 32 };
enum { MOST_STRANGERS = 8, KEEP = 10, STRANGER_KEEP = 3 /* s */ };

static live_http http; /* filled by the first live_server_start() */

struct live_server {
  live* live;
  struct MHD_Daemon* daemon;
  char token[TOKEN + 1];
  char host[2][32]; /* what a browser may call us: 127.0.0.1:port, localhost:port */
  pthread_mutex_t door;
  struct {
    int socket; /* -1: a free place */
    long number;
  } stranger[MOST_STRANGERS];
  long arrived; /* connections so far */
};

/* What a request has sent so far. */
typedef struct request {
  size_t n;
  bool refused;
  char text[MOST_WISH];
} request;

/* ------------------------------------------------------------------------------ strangers ---- */

/* Forget the stranger with this socket; with the lock held. */
static void forget(live_server* s, int socket) {
  for (int i = 0; i < MOST_STRANGERS; ++i) {
    if (s->stranger[i].socket == socket) s->stranger[i].socket = -1;
  }
}

/* The place of a new stranger: a free one, or that of the oldest one, whose connection ends. Its
   thread closes the socket after come_and_go() has forgotten it, so a number of a socket in the
   list never belongs to something else. With the lock held. */
static void admit(live_server* s, int socket) {
  int place = 0;

  for (int i = 1; i < MOST_STRANGERS; ++i) {
    if (s->stranger[place].socket < 0) break;
    if (s->stranger[i].socket < 0 || s->stranger[i].number < s->stranger[place].number) place = i;
  }
  if (s->stranger[place].socket >= 0) shutdown(s->stranger[place].socket, SHUT_RDWR);
  s->stranger[place].socket = socket;
  s->stranger[place].number = s->arrived++;
}

static int socket_of(struct MHD_Connection* c) {
  const union MHD_ConnectionInfo* info =
      http.get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

static void come_and_go(void* user, struct MHD_Connection* c, void** memory,
                        enum MHD_ConnectionNotificationCode what) {
  live_server* s = user;
  const int socket = socket_of(c);
  (void)memory;

  if (socket < 0) return;
  pthread_mutex_lock(&s->door);
  forget(s, socket);
  if (what == MHD_CONNECTION_NOTIFY_STARTED) admit(s, socket);
  pthread_mutex_unlock(&s->door);
}

/* A connection that has shown the token may stay. */
static void trust(live_server* s, struct MHD_Connection* c) {
  pthread_mutex_lock(&s->door);
  forget(s, socket_of(c));
  pthread_mutex_unlock(&s->door);
  http.set_connection_option(c, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned)(3 * KEEP));
}

/* -------------------------------------------------------------------------------- answers ---- */

static enum MHD_Result send_response(struct MHD_Connection* c, unsigned code,
                                     struct MHD_Response* r, const char* type) {
  if (r == NULL) return MHD_NO;
  http.add_response_header(r, "Content-Type", type);
  http.add_response_header(r, "Cache-Control", "no-store");
  http.add_response_header(r, "Referrer-Policy", "no-referrer"); /* the address has the token */
  http.add_response_header(r, "X-Content-Type-Options", "nosniff");
  http.add_response_header(r, "X-Frame-Options", "DENY");
  const enum MHD_Result done = http.queue_response(c, code, r);
  http.destroy_response(r);
  return done;
}

static enum MHD_Result say(struct MHD_Connection* c, unsigned code, const char* sentence) {
  char text[400];

  snprintf(text, sizeof text, "%s\n", sentence);
  return send_response(c, code,
                       http.create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_COPY),
                       "text/plain; charset=utf-8");
}

/* --------------------------------------------------------------------------------- events ---- */

/* A page that listens: the message it is being sent. */
typedef struct listener {
  live* live;
  long seen;
  char* text;
  size_t n, at;
} listener;

/* The next message; false when the run is over. */
static bool listen_on(listener* e) {
  live* l = e->live;
  struct timespec until;

  free(e->text);
  e->text = NULL;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += KEEP;
  pthread_mutex_lock(&l->lock);
  int late = 0;
  while (l->sequence == e->seen && !l->quit && late == 0)
    late = pthread_cond_timedwait(&l->changed, &l->lock, &until);
  const bool quit = l->quit;
  char* news = l->sequence == e->seen ? NULL : live_news(l);
  e->seen = l->sequence;
  pthread_mutex_unlock(&l->lock);
  if (quit) {
    free(news);
    return false;
  }
  const size_t room = (news == NULL ? 0 : strlen(news)) + 16;
  e->text = malloc(room);
  if (e->text != NULL)
    snprintf(e->text, room, news == NULL ? ":%s\n\n" : "data: %s\n\n", news == NULL ? "" : news);
  free(news);
  e->n = e->text == NULL ? 0 : strlen(e->text);
  e->at = 0;
  return e->text != NULL;
}

static ssize_t read_events(void* user, uint64_t pos, char* to, size_t most) {
  listener* e = user;
  (void)pos;

  if (e->at == e->n && !listen_on(e)) return MHD_CONTENT_READER_END_OF_STREAM;
  const size_t n = e->n - e->at < most ? e->n - e->at : most;
  memcpy(to, e->text + e->at, n);
  e->at += n;
  return (ssize_t)n;
}

static void free_events(void* user) {
  listener* e = user;

  pthread_mutex_lock(&e->live->lock);
  e->live->pages -= 1;
  pthread_mutex_unlock(&e->live->lock);
  free(e->text);
  free(e);
}

static enum MHD_Result send_events(struct MHD_Connection* c, live* l) {
  listener* e = calloc(1, sizeof *e);
  if (e == NULL) return MHD_NO;

  pthread_mutex_lock(&l->lock);
  const bool full = l->pages >= MOST_PAGES;
  l->pages += !full;
  pthread_mutex_unlock(&l->lock);
  if (full) {
    free(e);
    return say(c, MHD_HTTP_SERVICE_UNAVAILABLE, "too many pages show this run; close one");
  }
  *e = (listener){.live = l, .seen = -1};
  struct MHD_Response* r =
      http.create_response_from_callback(MHD_SIZE_UNKNOWN, 32768, read_events, e, free_events);
  if (r == NULL) free_events(e);
  return send_response(c, MHD_HTTP_OK, r, "text/event-stream");
}

/* ------------------------------------------------------------------------------- requests ---- */

/* The lock: the first requests may come before live_server_start() has written the names. */
static bool is_ours(live_server* s, const char* host) {
  pthread_mutex_lock(&s->door);
  const bool ours =
      host != NULL && (strcmp(host, s->host[0]) == 0 || strcmp(host, s->host[1]) == 0);
  pthread_mutex_unlock(&s->door);
  return ours;
}

/* Requests from pages of other sites carry their origin; for wishes an origin is required. */
static bool comes_from_us(live_server* s, struct MHD_Connection* c, bool must) {
  static const char scheme[] = "http://";
  const char* origin = http.lookup_connection_value(c, MHD_HEADER_KIND, "Origin");

  if (!is_ours(s, http.lookup_connection_value(c, MHD_HEADER_KIND, "Host"))) return false;
  if (origin == NULL) return !must;
  return strncmp(origin, scheme, sizeof scheme - 1) == 0 && is_ours(s, origin + sizeof scheme - 1);
}

/* The part of an address after the token, NULL without it. All characters are compared, so that the
   time reveals nothing. */
static const char* behind_token(const live_server* s, const char* url) {
  unsigned differ = 0;

  if (strlen(url) < TOKEN + 2 || url[0] != '/' || url[TOKEN + 1] != '/') return NULL;
  for (size_t i = 0; i < TOKEN; ++i)
    differ |= (unsigned)(s->token[i] ^ url[1 + i]);
  return differ == 0 ? url + TOKEN + 1 : NULL;
}

static enum MHD_Result send_page(struct MHD_Connection* c, live* l) {
  struct MHD_Response* r = NULL;

  pthread_mutex_lock(&l->lock);
  /* the page is constant from now on, and outlives the server */
  if (l->page != NULL)
    r = http.create_response_from_buffer(l->page_size, l->page, MHD_RESPMEM_PERSISTENT);
  pthread_mutex_unlock(&l->lock);
  return r == NULL ? say(c, MHD_HTTP_SERVICE_UNAVAILABLE, "the run has not begun yet")
                   : send_response(c, MHD_HTTP_OK, r, "text/html; charset=utf-8");
}

static enum MHD_Result take_wish(const live_server* s, struct MHD_Connection* c, request* q,
                                 const char* data, size_t* n) {
  char sentence[200];

  if (*n > 0) {
    if (q->n + *n > MOST_WISH) q->refused = true;
    if (!q->refused) memcpy(q->text + q->n, data, *n), q->n += *n;
    *n = 0;
    return MHD_YES;
  }
  if (q->refused)
    return say(c, MHD_HTTP_CONTENT_TOO_LARGE, "a request may have at most 4096 bytes");
  return live_wish(s->live, q->text, q->n, sentence, sizeof sentence)
             ? say(c, MHD_HTTP_OK, "granted")
             : say(c, MHD_HTTP_BAD_REQUEST, sentence);
}

static enum MHD_Result answer(void* user, struct MHD_Connection* c, const char* url,
                              const char* method, const char* version, const char* data, size_t* n,
                              void** memory) {
  live_server* s = user;
  const bool get = strcmp(method, "GET") == 0, post = strcmp(method, "POST") == 0;
  const char* path = behind_token(s, url);
  (void)version;

  if (*memory == NULL) { /* headers only */
    if (path != NULL && comes_from_us(s, c, false)) trust(s, c);
    *memory = calloc(1, sizeof(request));
    return *memory == NULL ? MHD_NO : MHD_YES;
  }
  if (post && path != NULL && strcmp(path, "/wish") == 0 && comes_from_us(s, c, true))
    return take_wish(s, c, *memory, data, n);
  if (*n > 0) {
    *n = 0; /* what nobody asked for */
    return MHD_YES;
  }
  if (path == NULL) return say(c, MHD_HTTP_NOT_FOUND, "not found");
  if (!comes_from_us(s, c, post))
    return say(c, MHD_HTTP_FORBIDDEN, "this run accepts requests of its own page only");
  if (get && strcmp(path, "/") == 0) return send_page(c, s->live);
  if (get && strcmp(path, "/events") == 0) return send_events(c, s->live);
  return say(c, get || post ? MHD_HTTP_NOT_FOUND : MHD_HTTP_METHOD_NOT_ALLOWED, "not found");
}

static void finished(void* user, struct MHD_Connection* c, void** memory,
                     enum MHD_RequestTerminationCode why) {
  (void)user, (void)c, (void)why;
  free(*memory);
  *memory = NULL;
}

/* ---------------------------------------------------------------------------- start, stop ---- */

live_server* live_server_start(live* l, int port, char* address, size_t room) {
  live_server* s = calloc(1, sizeof *s);
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};

  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (s == NULL || !token_make(s->token)) {
    fprintf(stderr, "appell run: --live: out of memory or of random numbers\n");
    free(s);
    return NULL;
  }
  if (!live_http_load(&http)) {
    fprintf(stderr,
            "appell run: --live: %s cannot be loaded: install it (Debian: libmicrohttpd12)\n",
            APPELL_MICROHTTPD);
    free(s);
    return NULL;
  }
  s->live = l;
  pthread_mutex_init(&s->door, NULL);
  for (int i = 0; i < MOST_STRANGERS; ++i)
    s->stranger[i].socket = -1;
  errno = 0;
  s->daemon = http.start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION,
                                (uint16_t)port, NULL, NULL, answer, s, MHD_OPTION_SOCK_ADDR, &here,
                                MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS,
                                MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)STRANGER_KEEP,
                                MHD_OPTION_NOTIFY_CONNECTION, come_and_go, s,
                                MHD_OPTION_NOTIFY_COMPLETED, finished, NULL, MHD_OPTION_END);
  if (s->daemon == NULL) {
    fprintf(stderr,
            "appell run: --live: port %d of 127.0.0.1 cannot be used%s%s; choose another one with "
            "--port, or 0 for any free one\n",
            port, errno == 0 ? "" : ": ", errno == 0 ? "" : strerror(errno));
    free(s);
    return NULL;
  }
  const union MHD_DaemonInfo* info = http.get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
  const unsigned bound = info == NULL ? (unsigned)port : info->port;
  pthread_mutex_lock(&s->door);
  snprintf(s->host[0], sizeof s->host[0], "127.0.0.1:%u", bound);
  snprintf(s->host[1], sizeof s->host[1], "localhost:%u", bound);
  pthread_mutex_unlock(&s->door);
  snprintf(address, room, "http://%s/%s/", s->host[0], s->token);
  return s;
}

void live_server_stop(live_server* s) {
  if (s == NULL) return;
  http.stop_daemon(s->daemon);
  pthread_mutex_destroy(&s->door);
  free(s);
}
