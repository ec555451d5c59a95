/* SPDX-License-Identifier: Apache-2.0 */
/* page_meshes.h: the meshes of a page and the images on them, each file once, and a sentence for
   what cannot be drawn. */
#pragma once

#include "base/report.h"
#include "spec/parts.h"

#include <jansson.h>

/* Why something is not drawn; there is one sentence for all with the same reason. */
typedef enum page_fault {
  FAULT_MESH,    /* a mesh cannot be read     */
  FAULT_GONE,    /* an image does not exist   */
  FAULT_OUTSIDE, /* the file may not read it  */
  FAULT_IMAGE,   /* it is no image for a page */
  FAULT_FULL,    /* the page has too many     */
  PAGE_FAULTS
} page_fault;

typedef struct page_meshes {
  const apl_file* file;
  json_t *meshes, *images; /* lists; NULL once memory is out                                      */
  json_t *known, *seen;    /* paths of both -> indices, -1: not drawn; those of images without
                              symbolic links and dots, so that a file is there once             */
  size_t bytes, pixels;    /* of all images                                                       */
  struct {
    int count;
    char first[200]; /* name of the first file, and who uses it */
    char why[260];
  } fault[PAGE_FAULTS];
} page_meshes;

page_meshes apl_page_meshes(const apl_file* file);

/* The index of the mesh of a shape; -1 if it cannot be read. */
int apl_page_mesh(page_meshes* p, int shape, const char* link);

/* Put the lists into the pictures and release the rest. The faults are there, too, as `faults`, and
   become warnings of the report, which may be NULL. */
void apl_page_meshes_end(page_meshes* p, json_t** pictures, apl_report* report);
