/* SPDX-License-Identifier: Apache-2.0 */
/* json.c: see json.h. */
#include "show/json.h"

#include <stdint.h>
#include <stdlib.h>

void apl_json_add(json_t** list, json_t* item) {
  if (json_array_append_new(*list, item) == 0) return;
  json_decref(*list);
  *list = NULL;
}

void apl_json_set(json_t** object, const char* key, json_t* item) {
  if (json_object_set_new(*object, key, item) == 0) return;
  json_decref(*object);
  *object = NULL;
}

json_t* apl_base64(const void* data, size_t n) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char* in = data;
  char* text = malloc((n + 2) / 3 * 4 + 1);
  size_t k = 0;
  if (text == NULL) return NULL;

  for (size_t i = 0; i < n; i += 3) {
    const unsigned left = n - i > 2 ? 3u : (unsigned)(n - i);
    const uint32_t b = (uint32_t)in[i] << 16 | (left > 1 ? (uint32_t)in[i + 1] << 8 : 0) |
                       (left > 2 ? (uint32_t)in[i + 2] : 0);
    text[k++] = digit[b >> 18];
    text[k++] = digit[b >> 12 & 63];
    text[k++] = left > 1 ? digit[b >> 6 & 63] : '=';
    text[k++] = left > 2 ? digit[b & 63] : '=';
  }
  text[k] = '\0';
  json_t* out = json_string(text);
  free(text);
  return out;
}
