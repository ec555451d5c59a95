/* SPDX-License-Identifier: Apache-2.0 */
/* image.c: the kind and the size of an image from its first bytes. */
#include "show/image.h"

#include "show/json.h"
#include "text/slurp.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 8 << 20, MOST_PIXELS = 8192 };

/* Big-endian number of n bytes. */
static unsigned long number(const unsigned char* at, int n) {
  unsigned long x = 0;

  for (int i = 0; i < n; ++i)
    x = x << 8 | at[i];
  return x;
}

/* The signature, then the block IHDR, which begins with width and height. */
static bool is_png(FILE* f, image_head* h) {
  static const unsigned char head[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  unsigned char b[33];

  if (fread(b, 1, sizeof b, f) != sizeof b || memcmp(b, head, sizeof head) != 0 ||
      memcmp(b + 12, "IHDR", 4) != 0)
    return false;
  *h = (image_head){"png", number(b + 16, 4), number(b + 20, 4)};
  return true;
}

/* Segments FF, kind, length of two bytes with itself; further bytes FF are padding. Kinds C0 to CF
   but C4, C8 and CC are frames: length, precision, height, width. */
static bool is_jpeg(FILE* f, image_head* h) {
  unsigned char b[7];

  if (fread(b, 1, 2, f) != 2 || b[0] != 0xff || b[1] != 0xd8) return false;
  while (fgetc(f) == 0xff && ftell(f) < MOST_BYTES) {
    int kind = fgetc(f);
    while (kind == 0xff && ftell(f) < MOST_BYTES)
      kind = fgetc(f);
    const bool frame = kind >= 0xc0 && kind <= 0xcf && kind != 0xc4 && kind != 0xc8 && kind != 0xcc;
    if (kind < 0 || fread(b, 1, frame ? 7 : 2, f) != (frame ? 7 : 2)) return false;
    if (frame) {
      *h = (image_head){"jpeg", number(b + 5, 2), number(b + 3, 2)};
      return true;
    }
    const long length = (long)number(b, 2);
    if (length < 2 || fseek(f, length - 2, SEEK_CUR) != 0) return false;
  }
  return false;
}

apl_status apl_image_look(const char* path, image_head* out, apl_error* err) {
  *out = (image_head){0};
  FILE* f = fopen(path, "rb");
  if (f == NULL) return apl_fail(err, APL_ERR_IO, "cannot be opened: %s", strerror(errno));

  const bool known = is_png(f, out) || (fseek(f, 0, SEEK_SET) == 0 && is_jpeg(f, out));
  fclose(f);
  if (!known) return apl_fail(err, APL_ERR_SYNTAX, "is not a PNG or JPEG image");
  if (out->width == 0 || out->height == 0) return apl_fail(err, APL_ERR_SYNTAX, "has no pixels");
  if (out->width <= MOST_PIXELS && out->height <= MOST_PIXELS) return APL_OK;
  return apl_fail(err, APL_ERR_SYNTAX, "has %lu x %lu pixels; at most %d x %d are shown",
                  out->width, out->height, MOST_PIXELS, MOST_PIXELS);
}

apl_status apl_image_read(const char* path, const image_head* head, json_t** out, size_t* size,
                          apl_error* err) {
  char* bytes = NULL;

  *out = NULL;
  apl_status st = apl_slurp(path, MOST_BYTES, &bytes, size, err);
  if (st != APL_OK) return st;
  *out = json_pack("{s:s, s:o}", "type", head->type, "data", apl_base64(bytes, *size));
  if (*out == NULL) st = apl_fail(err, APL_ERR_MEMORY, "out of memory");
  free(bytes);
  return st;
}
