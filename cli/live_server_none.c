/* SPDX-License-Identifier: Apache-2.0 */
/* live_server_none.c: in place of live_server.c where libmicrohttpd was not found at build time. */
#include "cli/live.h"

live_server* live_server_start(live* l, int port, char* address, size_t room) {
  (void)l, (void)port, (void)address, (void)room;
  fprintf(stderr, "appell run: this Appell was built without its server: install "
                  "libmicrohttpd-dev, then configure and build again\n");
  return NULL;
}

void live_server_stop(live_server* s) {
  (void)s;
}
