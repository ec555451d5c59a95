/* SPDX-License-Identifier: Apache-2.0 */
/* json.h: JSON that is complete or NULL. Jansson silently drops items for which it has no memory,
   or which are not UTF-8; here the list or object becomes NULL then, and stays so. */
#pragma once

#include <jansson.h>

/* Both take ownership of `item`, which may be NULL after a failure. */
void apl_json_add(json_t** list, json_t* item);
void apl_json_set(json_t** object, const char* key, json_t* item);

/* Little-endian numbers as base64; NULL without memory. */
json_t* apl_base64(const void* data, size_t n);
