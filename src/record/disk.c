/* SPDX-License-Identifier: Apache-2.0 */
/* disk.c: the HDF5 file driver of the writer. Reasons for an own driver: docs/decisions/010.

   It writes with pwrite(), in the order of the calls, and differs from the library's in three
   points:
   - the flag "open for writing" is never written to the superblock, so that the file of a killed
   run opens with every HDF5 reader; this is safe because the record follows the order of
   single-writer multiple-reader (SWMR) access, in which the file is valid after every write;
   - after the first failed write nothing more reaches the file, so that a full disk leaves the same
   as a kill, and HDF5 can close instead of failing for ever;
   - no space is reserved in blocks, so that addresses do not depend on when the file is flushed. */
#define _XOPEN_SOURCE 700 /* pread, pwrite */
#include "record/disk.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

/* Offsets in a superblock of version 3. */
enum { SUPER_VERSION = 8, SUPER_FLAGS = 11, SUPER_END = 28, SUPER_SUM = 44, SUPER_SIZE = 48 };

typedef struct driver_file {
  H5FD_t base; /* first: HDF5 sees only this */
  apl_disk* disk;
  haddr_t eoa, eof;                /* end of the allocated space, and of the file */
  haddr_t told;                    /* the end of the file stated in the superblock */
  unsigned char super[SUPER_SIZE]; /* the superblock as last written */
} driver_file;

typedef struct driver_info {
  apl_disk* disk;
} driver_info;

/* ------------------------------------------------------------------------------- superblock - */

static uint32_t turn(uint32_t x, int k) {
  return (x << k) | (x >> (32 - k));
}

/* HDF5's checksum of metadata: Jenkins' lookup3, "hashlittle", start value 0. */
static uint32_t lookup3(const unsigned char* p, size_t n) {
  uint32_t a = 0xdeadbeefu + (uint32_t)n;
  uint32_t b = a;
  uint32_t c = a;

  for (;; p += 12, n -= 12) {
    unsigned char k[12] = {0};
    memcpy(k, p, n < 12 ? n : 12);
    a += (uint32_t)k[0] | (uint32_t)k[1] << 8 | (uint32_t)k[2] << 16 | (uint32_t)k[3] << 24;
    b += (uint32_t)k[4] | (uint32_t)k[5] << 8 | (uint32_t)k[6] << 16 | (uint32_t)k[7] << 24;
    c += (uint32_t)k[8] | (uint32_t)k[9] << 8 | (uint32_t)k[10] << 16 | (uint32_t)k[11] << 24;
    if (n <= 12) break;

    a = (a - c) ^ turn(c, 4), c += b;
    b = (b - a) ^ turn(a, 6), a += c;
    c = (c - b) ^ turn(b, 8), b += a;
    a = (a - c) ^ turn(c, 16), c += b;
    b = (b - a) ^ turn(a, 19), a += c;
    c = (c - b) ^ turn(b, 4), b += a;
  }
  c = (c ^ b) - turn(b, 14);
  a = (a ^ c) - turn(c, 11);
  b = (b ^ a) - turn(a, 25);
  c = (c ^ b) - turn(b, 16);
  a = (a ^ c) - turn(c, 4);
  b = (b ^ a) - turn(a, 14);
  c = (c ^ b) - turn(b, 24);
  return c;
}

static bool is_super(const unsigned char* p, haddr_t addr, size_t size) {
  return addr == 0 && size == SUPER_SIZE && memcmp(p, "\211HDF\r\n\032\n", 8) == 0 &&
         p[SUPER_VERSION] == 3;
}

/* The superblock for the disk: without the flag "open for writing", and with the present end of the
   file. */
static void revise(unsigned char* p, haddr_t end) {
  p[SUPER_FLAGS] = 0;
  for (int k = 0; k < 8; k++)
    p[SUPER_END + k] = (unsigned char)(end >> (8 * k));
  const uint32_t sum = lookup3(p, SUPER_SUM);
  for (int k = 0; k < 4; k++)
    p[SUPER_SUM + k] = (unsigned char)(sum >> (8 * k));
}

/* ------------------------------------------------------------------------------- driver ----- */

static H5FD_t* disk_open(const char* name, unsigned flags, hid_t fapl, haddr_t maxaddr) {
  const driver_info* info = H5Pget_driver_info(fapl);
  driver_file* f = calloc(1, sizeof *f);

  (void)name, (void)flags, (void)maxaddr;
  if (f == NULL || info == NULL) {
    if (info != NULL) info->disk->error = ENOMEM;
    free(f);
    return NULL;
  }
  f->disk = info->disk;
  return &f->base;
}

static herr_t disk_close(H5FD_t* file) {
  free(file); /* the descriptor belongs to the record */
  return 0;
}

static int disk_cmp(const H5FD_t* f1, const H5FD_t* f2) {
  const int a = ((const driver_file*)f1)->disk->fd;
  const int b = ((const driver_file*)f2)->disk->fd;

  return (a > b) - (a < b);
}

static herr_t disk_query(const H5FD_t* file, unsigned long* flags) {
  (void)file;
  *flags = H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t disk_get_eoa(const H5FD_t* file, H5FD_mem_t type) {
  (void)type;
  return ((const driver_file*)file)->eoa;
}

static herr_t disk_set_eoa(H5FD_t* file, H5FD_mem_t type, haddr_t addr) {
  (void)type;
  ((driver_file*)file)->eoa = addr;
  return 0;
}

static haddr_t disk_get_eof(const H5FD_t* file, H5FD_mem_t type) {
  (void)type;
  return ((const driver_file*)file)->eof;
}

static herr_t disk_get_handle(H5FD_t* file, hid_t fapl, void** handle) {
  (void)fapl;
  *handle = &((driver_file*)file)->disk->fd;
  return 0;
}

static herr_t disk_read(H5FD_t* file, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t size,
                        void* buffer) {
  const driver_file* f = (const driver_file*)file;
  unsigned char* p = buffer;

  (void)type, (void)dxpl;
  while (size > 0) {
    const ssize_t n = pread(f->disk->fd, p, size, (off_t)addr);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    p += n, addr += (haddr_t)n, size -= (size_t)n;
  }
  memset(p, 0, size);
  return 0;
}

/* Set the length of the file to the one that HDF5 assumes. */
static void set_length(driver_file* f) {
  if (f->disk->error == 0 && ftruncate(f->disk->fd, (off_t)f->eoa) != 0) f->disk->error = errno;
  f->eof = f->eoa;
}

static void put(driver_file* f, const unsigned char* p, haddr_t addr, size_t size) {
  while (size > 0 && f->disk->error == 0) {
    const ssize_t n = pwrite(f->disk->fd, p, size, (off_t)addr);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      f->disk->error = n < 0 ? errno : ENOSPC;
      return;
    }
    p += n, addr += (haddr_t)n, size -= (size_t)n;
  }
}

/* Write the superblock with the present end: readers refuse a file that is shorter than its
   superblock says, and addresses beyond that end. */
static void tell_end(driver_file* f) {
  if (f->eof < f->eoa) set_length(f);
  revise(f->super, f->eoa);
  f->told = f->eoa;
  put(f, f->super, 0, SUPER_SIZE);
}

static herr_t disk_write(H5FD_t* file, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t size,
                         const void* buffer) {
  driver_file* f = (driver_file*)file;

  (void)dxpl;
  if (addr + size > f->eof) f->eof = addr + size;
  if (is_super(buffer, addr, size)) {
    memcpy(f->super, buffer, SUPER_SIZE);
    tell_end(f);
    return 0;
  }

  /* metadata that points to new space is written after the superblock that includes it */
  if (type != H5FD_MEM_DRAW && f->told > 0 && f->eoa > f->told) tell_end(f);
  put(f, buffer, addr, size);
  return 0;
}

static herr_t disk_truncate(H5FD_t* file, hid_t dxpl, hbool_t closing) {
  driver_file* f = (driver_file*)file;

  (void)dxpl, (void)closing;
  if (f->eof != f->eoa) set_length(f);
  return 0;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = 700, /* of the range for users */
#endif
    .name = "appell",
    .maxaddr = ((haddr_t)1 << 62) - 1,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(driver_info),
    .open = disk_open,
    .close = disk_close,
    .cmp = disk_cmp,
    .query = disk_query,
    .get_eoa = disk_get_eoa,
    .set_eoa = disk_set_eoa,
    .get_eof = disk_get_eof,
    .get_handle = disk_get_handle,
    .read = disk_read,
    .write = disk_write,
    .truncate = disk_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* No chunk cache: a write to a table reaches the file, and allocates there, when it is called. Set
   here and not per table, because HDF5 drops the latter when SWMR mode begins. */
hid_t apl_disk_access(apl_disk* disk, hid_t* driver_id) {
  const driver_info info = {disk};
  const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);

  *driver_id = H5FDregister(&driver);
  if (fapl < 0 || *driver_id < 0 || H5Pset_driver(fapl, *driver_id, &info) < 0 ||
      H5Pset_libver_bounds(fapl, H5F_LIBVER_V110, H5F_LIBVER_V110) < 0 ||
      H5Pset_cache(fapl, 0, 0, 0, 0.0) < 0 || H5Pset_metadata_read_attempts(fapl, 1) < 0) {
    if (fapl >= 0) H5Pclose(fapl);
    return -1;
  }
  return fapl;
}
