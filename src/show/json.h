/* json.h: JSON that is whole or not there. Jansson leaves out what it has no memory for, or what is
   not UTF-8, and goes on; here the list or object becomes NULL then, and stays so. */
#pragma once

#include <jansson.h>

/* Both take `item`, which may be NULL: it could not be made either. */
void apl_json_add(json_t** list, json_t* item);
void apl_json_set(json_t** object, const char* key, json_t* item);

/* Little-endian numbers as base64; NULL without memory. */
json_t* apl_base64(const void* data, size_t n);
