/* SPDX-License-Identifier: Apache-2.0 */
/* image.h: images on the surfaces of meshes, as pages have them. The browser decodes them. */
#pragma once

#include "base/error.h"

#include <jansson.h>

/* What the head of an image file says. */
typedef struct image_head {
  const char* type; /* "png" or "jpeg" */
  unsigned long width, height;
} image_head;

/* Read the head of a PNG or JPEG file; its pixels are not read. Refused with a sentence if it is
   something else, or wider or higher than 8192 pixels: a small file can hold an image that takes
   all memory of a browser. */
apl_status apl_image_look(const char* path, image_head* out, apl_error* err);

/* The file with this head as {type, data}, and its number of bytes; refused if it is larger than
   8 MB. */
apl_status apl_image_read(const char* path, const image_head* head, json_t** out, size_t* size,
                          apl_error* err);
