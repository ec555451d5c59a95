/* SPDX-License-Identifier: Apache-2.0 */
/* arrays.c: see arrays.h. Both formats are little endian, as are all supported machines; neither is
   compressed, so readers can map them. */
#define _XOPEN_SOURCE 700 /* open_memstream */
#include "cli/arrays.h"

#include "record/record.h"

#include <appell/appell.h>

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file that is written completely or not at all. */
typedef struct sink {
  FILE* to;
  char* bytes;
  size_t size;
  uint64_t at; /* bytes written */
  bool failed;
} sink;

static void put(sink* s, const void* bytes, size_t n) {
  s->failed = s->failed || fwrite(bytes, 1, n, s->to) != n;
  s->at += n;
}

static void put16(sink* s, unsigned x) {
  const unsigned char b[2] = {(unsigned char)x, (unsigned char)(x >> 8)};
  put(s, b, sizeof b);
}

static void put32(sink* s, uint64_t x) {
  put16(s, (unsigned)(x & 0xffff));
  put16(s, (unsigned)(x >> 16 & 0xffff));
}

/* Written to memory first: the file appears complete or not at all. */
static bool open_sink(sink* s, const char* path, apl_error* err) {
  s->to = open_memstream(&s->bytes, &s->size);
  if (s->to != NULL) return true;
  err->status = APL_ERR_MEMORY;
  snprintf(err->text, sizeof err->text, "out of memory for '%.100s'", path);
  return false;
}

static apl_status close_sink(sink* s, const char* path, apl_error* err) {
  const bool whole = fclose(s->to) == 0 && !s->failed;
  apl_status st = APL_ERR_MEMORY;

  if (whole) {
    st = apl_output_write(path, s->bytes, s->size, err);
  } else {
    err->status = st;
    snprintf(err->text, sizeof err->text, "out of memory for '%.100s'", path);
  }
  free(s->bytes);
  return st;
}

/* ---------------------------------------------------------------------------------- npz ---- */

/* CRC-32 of zip (polynomial 0xedb88320), bit by bit: results are small enough. */
static uint32_t crc(uint32_t c, const void* bytes, size_t n) {
  const unsigned char* b = bytes;

  for (size_t i = 0; i < n; ++i) {
    c ^= b[i];
    for (int k = 0; k < 8; ++k)
      c = (c >> 1) ^ (0xedb88320u & (0u - (c & 1u)));
  }
  return c;
}

/* The header of an .npy; its length is a multiple of 64. */
static size_t npy_head(char out[128], int nrow) {
  char text[128];
  const int n = snprintf(text, sizeof text,
                         "{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }", nrow);

  memset(out, ' ', 128);
  memcpy(out, "\x93NUMPY\x01\x00\x76\x00", 10); /* version 1.0, 118 bytes follow */
  memcpy(out + 10, text, (size_t)n);
  out[127] = '\n';
  return 128;
}

typedef struct zip_entry {
  char name[256];
  uint32_t crc;
  uint64_t size, at;
} zip_entry;

/* The fields that both headers of an entry share. Date 1980-01-01: same input, same bytes. */
static void put_entry(sink* s, const zip_entry* e) {
  put16(s, 20);     /* version needed                 */
  put16(s, 0x0800); /* names are UTF-8                */
  put16(s, 0);      /* stored                         */
  put16(s, 0);
  put16(s, 0x21);
  put32(s, e->crc);
  put32(s, e->size);
  put32(s, e->size);
  put16(s, (unsigned)strlen(e->name));
  put16(s, 0);
}

apl_status arrays_write_npz(const char* path, const array_column* column, int ncolumn, int nrow,
                            apl_error* err) {
  zip_entry* entry = calloc((size_t)ncolumn + 1, sizeof *entry);
  const size_t bytes = sizeof(double) * (size_t)nrow;
  sink s = {0};
  char head[128];
  const size_t nhead = npy_head(head, nrow);

  if (entry == NULL || ncolumn > 65535 || (double)bytes * ncolumn > 4e9) {
    free(entry);
    err->status = APL_ERR_MEMORY;
    snprintf(err->text, sizeof err->text,
             "the result is too large for an .npz file: choose fewer channels");
    return APL_ERR_MEMORY;
  }
  if (!open_sink(&s, path, err)) {
    free(entry);
    return APL_ERR_IO;
  }
  for (int k = 0; k < ncolumn; ++k) {
    zip_entry* e = &entry[k];
    snprintf(e->name, sizeof e->name, "%.240s.npy", column[k].name);
    e->crc = ~crc(crc(~0u, head, nhead), column[k].value, bytes);
    e->size = nhead + bytes;
    e->at = s.at;
    put32(&s, 0x04034b50);
    put_entry(&s, e);
    put(&s, e->name, strlen(e->name));
    put(&s, head, nhead);
    put(&s, column[k].value, bytes);
  }
  const uint64_t directory = s.at;
  for (int k = 0; k < ncolumn; ++k) {
    put32(&s, 0x02014b50);
    put16(&s, 20);
    put_entry(&s, &entry[k]);
    put16(&s, 0);
    put16(&s, 0);
    put16(&s, 0);
    put32(&s, 0);
    put32(&s, entry[k].at);
    put(&s, entry[k].name, strlen(entry[k].name));
  }
  const uint64_t end = s.at;
  put32(&s, 0x06054b50);
  put32(&s, 0);
  put16(&s, (unsigned)ncolumn);
  put16(&s, (unsigned)ncolumn);
  put32(&s, end - directory);
  put32(&s, directory);
  put16(&s, 0);
  free(entry);
  return close_sink(&s, path, err);
}

/* ---------------------------------------------------------------------------------- mat ---- */

enum { MAT_INT8 = 1, MAT_INT32 = 5, MAT_UINT32 = 6, MAT_DOUBLE = 9, MAT_MATRIX = 14 };

static void pad(sink* s, size_t n) {
  static const char zero[8] = {0};
  put(s, zero, (8 - n % 8) % 8);
}

/* A word MATLAB takes for a variable: letters, digits and _, at most 63, a letter first. */
static void variable(const char* name, char out[64]) {
  size_t n = 0;

  if (!isalpha((unsigned char)name[0])) out[n++] = 'x';
  for (; *name != '\0' && n < 63; ++name)
    out[n++] = isalnum((unsigned char)*name) ? *name : '_';
  out[n] = '\0';
}

static void put_variable(sink* s, const char* word, const double* value, int nrow) {
  const size_t name = strlen(word), bytes = sizeof(double) * (size_t)nrow;
  const size_t padded = (name + 7) / 8 * 8;

  put32(s, MAT_MATRIX);
  put32(s, 16 + 16 + 8 + padded + 8 + bytes);
  put32(s, MAT_UINT32);
  put32(s, 8);
  put32(s, 6); /* an array of doubles */
  put32(s, 0);
  put32(s, MAT_INT32);
  put32(s, 8);
  put32(s, (uint64_t)nrow);
  put32(s, 1);
  put32(s, MAT_INT8);
  put32(s, name);
  put(s, word, name);
  pad(s, name);
  put32(s, MAT_DOUBLE);
  put32(s, bytes);
  put(s, value, bytes);
}

apl_status arrays_write_mat(const char* path, const array_column* column, int ncolumn, int nrow,
                            apl_error* err) {
  sink s = {0};
  char head[124];

  if ((double)nrow * 8 > 2e9) {
    err->status = APL_ERR_MEMORY;
    snprintf(err->text, sizeof err->text,
             "the result has too many rows for a MATLAB 5 .mat file: write .npz or .csv");
    return APL_ERR_MEMORY;
  }
  if (!open_sink(&s, path, err)) return APL_ERR_IO;
  memset(head, ' ', sizeof head);
  memcpy(head, "MATLAB 5.0 MAT-file, written by Appell", 38);
  memset(head + 116, 0, 8);
  put(&s, head, sizeof head);
  put16(&s, 0x0100);
  put(&s, "IM", 2);
  for (int k = 0; k < ncolumn; ++k) {
    char word[64];
    variable(column[k].name, word);
    put_variable(&s, word, column[k].value, nrow);
  }
  return close_sink(&s, path, err);
}
