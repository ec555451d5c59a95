/* SPDX-License-Identifier: Apache-2.0 */
/* driver.c: drives a target without libFuzzer: every file of a corpus, then a stated number of
   changed ones, the same in every run.

   usage: fuzz_TARGET CORPUS_FOLDER CHANGES */
#define _XOPEN_SOURCE 700
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MOST = 64, LONGEST = 1 << 18 };

typedef struct seed {
  char name[256];
  uint8_t* data;
  size_t size;
} seed;

static uint64_t dice = 15;

/* xorshift64* */
static uint32_t roll(uint32_t n) {
  dice ^= dice >> 12, dice ^= dice << 25, dice ^= dice >> 27;
  return (uint32_t)((dice * 0x2545f4914f6cdd1du) >> 33) % (n > 0 ? n : 1);
}

static int by_name(const void* a, const void* b) {
  return strcmp(((const seed*)a)->name, ((const seed*)b)->name);
}

static int read_corpus(const char* folder, seed* list) {
  DIR* dir = opendir(folder);
  int n = 0;

  for (struct dirent* e; dir != NULL && n < FILES_MOST && (e = readdir(dir)) != NULL;) {
    char path[4096];
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    FILE* f = fopen(path, "rb");
    seed* s = &list[n];
    s->data = malloc(LONGEST);
    if (f == NULL || s->data == NULL) exit(2);
    s->size = fread(s->data, 1, LONGEST, f);
    snprintf(s->name, sizeof s->name, "%.255s", e->d_name);
    fclose(f);
    ++n;
  }
  if (dir != NULL) closedir(dir);
  qsort(list, (size_t)n, sizeof *list, by_name); /* folders have no order of their own */
  return n;
}

/* Numbers and signs that readers trip over. */
static const char* const words[] = {
    "-1", "0",  "1e308", "1e-320", "nan", "inf", "4294967296", "{}", "[]", "\"\"", ": ",
    "- ", "\n", "\t",    "'",      "&a",  "*a",  "<a>",        "=",  "..", "\xff", "#"};

static size_t put(uint8_t* out, size_t size, size_t at, size_t drop, const void* what, size_t n) {
  if (drop > size - at) drop = size - at;
  if (size - drop + n > LONGEST) return size;
  memmove(out + at + n, out + at + drop, size - at - drop);
  memcpy(out + at, what, n);
  return size - drop + n;
}

/* One small change. */
static size_t change(uint8_t* out, size_t size, const seed* other) {
  const size_t at = size > 0 ? roll((uint32_t)size) : 0;
  const char* word = words[roll(sizeof words / sizeof *words)];
  uint8_t byte = (uint8_t)roll(256);

  switch (roll(7)) {
  case 0:
    if (size > 0) out[at] ^= (uint8_t)(1u << roll(8));
    return size;
  case 1:
    return put(out, size, at, 1, &byte, 1);
  case 2:
    return put(out, size, at, roll(16), "", 0);
  case 3:
    return put(out, size, at, roll(4), word, strlen(word));
  case 4: { /* a piece of another file */
    if (other->size == 0) return size;
    const size_t from = roll((uint32_t)other->size);
    const size_t n = roll((uint32_t)(other->size - from < 64 ? other->size - from : 64));
    return put(out, size, at, roll((uint32_t)n), other->data + from, n);
  }
  case 5:
    return at; /* cut short */
  default: {   /* the same again */
    uint8_t piece[32];
    const size_t n = size - at < sizeof piece ? size - at : sizeof piece;
    memcpy(piece, out + at, n);
    return put(out, size, at, 0, piece, n);
  }
  }
}

int main(int argc, char** argv) {
  static seed list[FILES_MOST];
  uint8_t* data = malloc(LONGEST);
  if (argc != 3 || data == NULL) return 2;

  const int n = read_corpus(argv[1], list);
  const long changes = atol(argv[2]);
  if (n == 0) {
    fprintf(stderr, "%s: no corpus in '%s'\n", argv[0], argv[1]);
    return 2;
  }
  for (int i = 0; i < n; ++i)
    LLVMFuzzerTestOneInput(list[i].data, list[i].size);
  for (long k = 0; k < changes; ++k) {
    const seed* s = &list[roll((uint32_t)n)];
    size_t size = s->size;
    memcpy(data, s->data, size);
    for (uint32_t c = 1 + roll(6); c > 0; --c)
      size = change(data, size, &list[roll((uint32_t)n)]);
    LLVMFuzzerTestOneInput(data, size);
  }
  printf("%s: %d files and %ld changed ones\n", argv[0], n, changes);
  for (int i = 0; i < n; ++i)
    free(list[i].data);
  free(data);
  return 0;
}
