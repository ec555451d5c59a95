/* SPDX-License-Identifier: Apache-2.0 */
/* live_http.c: see live_http.h. APPELL_MICROHTTPD is the soname of the library, from CMake. */
#include "cli/live_http.h"

#include <dlfcn.h>
#include <string.h>

/* ISO C has no conversion from a data pointer to a function pointer; POSIX guarantees equal
   representations. */
static bool find(void* library, const char* name, void* function, size_t size) {
  void* found = dlsym(library, name);

  if (found == NULL || size != sizeof found) return false;
  memcpy(function, &found, size);
  return true;
}

/* The operand of the first sizeof is not evaluated: it lets the compiler compare the types. */
#define FIND(name)                                                                                 \
  ((void)sizeof(http->name = MHD_##name),                                                          \
   find(library, "MHD_" #name, &http->name, sizeof http->name))

bool live_http_load(live_http* http) {
  void* library = dlopen(APPELL_MICROHTTPD, RTLD_NOW | RTLD_LOCAL);

  return library != NULL && FIND(start_daemon) && FIND(stop_daemon) && FIND(get_daemon_info) &&
         FIND(get_connection_info) && FIND(set_connection_option) &&
         FIND(lookup_connection_value) && FIND(create_response_from_buffer) &&
         FIND(create_response_from_callback) && FIND(add_response_header) && FIND(queue_response) &&
         FIND(destroy_response);
}
