/* SPDX-License-Identifier: Apache-2.0 */
/* disk.h: how HDF5 reaches the file of a record. */
#pragma once

#include <hdf5.h>

/* The file, owned by the record; the driver only borrows it. */
typedef struct apl_disk {
  int fd;    /* open for reading and writing                                                      */
  int error; /* errno of the first write that failed, else 0; after it nothing reaches the file   */
} apl_disk;

/* A property list for H5Fcreate() that writes through the disk, and the driver to be unregistered
   with H5FDunregister() after H5Fclose(). Negative on failure. */
hid_t apl_disk_access(apl_disk* disk, hid_t* driver);
