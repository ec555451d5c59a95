/* SPDX-License-Identifier: Apache-2.0 */
/* live_http.h: the functions of libmicrohttpd that a live run needs. The library is loaded when a
   live run starts: it brings nine others, which no other command needs. */
#pragma once

#include <microhttpd.h>
#include <stdbool.h>

typedef struct live_http {
  struct MHD_Daemon* (*start_daemon)(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback accept,
                                     void* accept_user, MHD_AccessHandlerCallback answer,
                                     void* answer_user, ...);
  void (*stop_daemon)(struct MHD_Daemon* daemon);
  const union MHD_DaemonInfo* (*get_daemon_info)(struct MHD_Daemon* daemon,
                                                 enum MHD_DaemonInfoType type, ...);
  const union MHD_ConnectionInfo* (*get_connection_info)(struct MHD_Connection* connection,
                                                         enum MHD_ConnectionInfoType type, ...);
  enum MHD_Result (*set_connection_option)(struct MHD_Connection* connection,
                                           enum MHD_CONNECTION_OPTION option, ...);
  const char* (*lookup_connection_value)(struct MHD_Connection* connection, enum MHD_ValueKind kind,
                                         const char* key);
  struct MHD_Response* (*create_response_from_buffer)(size_t size, void* buffer,
                                                      enum MHD_ResponseMemoryMode mode);
  struct MHD_Response* (*create_response_from_callback)(uint64_t size, size_t block,
                                                        MHD_ContentReaderCallback read, void* user,
                                                        MHD_ContentReaderFreeCallback release);
  enum MHD_Result (*add_response_header)(struct MHD_Response* response, const char* header,
                                         const char* content);
  enum MHD_Result (*queue_response)(struct MHD_Connection* connection, unsigned code,
                                    struct MHD_Response* response);
  void (*destroy_response)(struct MHD_Response* response);
} live_http;

/* Fills `http`; false if the library cannot be loaded. Once loaded it stays. */
bool live_http_load(live_http* http);
