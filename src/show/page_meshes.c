/* SPDX-License-Identifier: Apache-2.0 */
/* page_meshes.c: see page_meshes.h. */
#include "show/page_meshes.h"

#include "show/image.h"
#include "show/json.h"
#include "show/mesh.h"
#include "text/place.h"

#include <stdio.h>
#include <string.h>

/* Of all images of a page. Browsers decode every pixel, before they make images smaller. */
static const size_t MOST_BYTES = (size_t)32 << 20, MOST_PIXELS = (size_t)128 << 20;

page_meshes apl_page_meshes(const apl_file* file) {
  return (page_meshes){.file = file,
                       .meshes = json_array(),
                       .images = json_array(),
                       .known = json_object(),
                       .seen = json_object()};
}

/* The last part of a long name, "..ur5/visual/base.dae". */
static const char* ending(const char* name) {
  const size_t n = strlen(name);
  return n > 64 ? name + n - 64 : name;
}

static const char* dots(const char* name) {
  return strlen(name) > 64 ? ".." : "";
}

/* The file at `path` is not drawn; it is used by the link or the mesh `user`. Pages are passed on,
   so that their sentences tell no folders of this machine. */
static void blame(page_meshes* p, page_fault fault, const char* path, const char* user,
                  const char* why) {
  if (p->fault[fault].count++ > 0) return;
  path = apl_file_told(p->file, path);
  snprintf(p->fault[fault].first, sizeof p->fault[fault].first, "'%s%s' of %s '%s%s'", dots(path),
           ending(path), fault == FAULT_MESH ? "link" : "mesh", dots(user), ending(user));
  snprintf(p->fault[fault].why, sizeof p->fault[fault].why, "%.250s", why);
}

/* ---------------------------------------------------------------------------------- images ---- */

/* The folder that holds a file, without symbolic links, relative to the current one, as the command
   takes it; the word FOLDER if that is not possible. */
static const char* folder_of(const char* path, char out[APL_REACH_PATH]) {
  char real[APL_REACH_PATH];
  const bool seen = apl_place_real(path, real) && apl_place_seen("", real, out);
  char* slash = seen ? strrchr(out, '/') : NULL;

  if (slash == NULL || out[0] == '/' || slash - out > 100) return "FOLDER";
  *slash = '\0';
  return out;
}

/* The image at `path` may not be read. The sentence begins with the name of the file, which is left
   out here: it stands in front of the reason. */
static void blame_reach(page_meshes* p, const char* path, const char* user, const char* sentence) {
  const char* at = strstr(sentence, "cannot be read");
  char why[260] = "it cannot be read", folder[APL_REACH_PATH];

  if (strstr(sentence, "lies outside of the folder") != NULL) {
    snprintf(why, sizeof why,
             "it lies outside of the folder of the model file; if you trust it, allow its folder "
             "with --allow-files %.100s",
             folder_of(path, folder));
    blame(p, FAULT_OUTSIDE, path, user, why);
    return;
  }
  if (at == NULL) at = strstr(sentence, "is larger");
  if (at != NULL) snprintf(why, sizeof why, "it %.250s", at);
  blame(p, FAULT_GONE, path, user, why);
}

/* Read an image that the file may read; NULL if it is not shown. */
static json_t* read_image(page_meshes* p, const char* path, const char* user) {
  static const char full[] = "the images of a page have at most 32 MB and 134 million pixels";
  json_t* image = NULL;
  image_head head;
  size_t size = 0;
  apl_error err;

  apl_status st = apl_image_look(path, &head, &err);
  const size_t pixels = st == APL_OK ? (size_t)head.width * head.height : 0;
  const bool fits = p->pixels + pixels <= MOST_PIXELS;
  if (st == APL_OK && fits) st = apl_image_read(path, &head, &image, &size, &err);
  if (st == APL_ERR_MEMORY) apl_json_add(&p->images, NULL);
  if (st != APL_OK) {
    char why[260];
    snprintf(why, sizeof why, "it %.200s", err.text);
    blame(p, FAULT_IMAGE, path, user, why);
  } else if (!fits || p->bytes + size > MOST_BYTES) {
    blame(p, FAULT_FULL, path, user, full);
    json_decref(image);
    image = NULL;
  } else {
    p->bytes += size;
    p->pixels += pixels;
  }
  return image;
}

/* The index of an image of the mesh `user`; -1 if it is not shown. */
static int image_of(page_meshes* p, const char* path, const char* user) {
  char real[APL_REACH_PATH];
  const char* key = apl_place_real(path, real) ? real : path;
  const json_t* before = json_object_get(p->seen, key);
  apl_error err;
  if (before != NULL) return (int)json_integer_value(before);

  const apl_status st = apl_file_allows(p->file, path, &err);
  if (st == APL_ERR_MEMORY) apl_json_add(&p->images, NULL);
  if (st != APL_OK) blame_reach(p, path, user, err.text);
  json_t* image = st == APL_OK ? read_image(p, path, user) : NULL;
  const int index = image == NULL ? -1 : (int)json_array_size(p->images);
  if (image != NULL) apl_json_add(&p->images, image);
  json_object_set_new(p->seen, key, json_integer(index));
  return index;
}

/* ---------------------------------------------------------------------------------- meshes ---- */

/* The appearance of a mesh, in the order of its triangles: [number, "#rrggbb" or null, image or
   null] of each run that looks the same; NULL when the file has neither colours nor images. Images
   that are not shown have been removed. */
static json_t* paints(const mesh* m, const int* image) {
  const size_t n = m->ncorner / 3;
  json_t* list = json_array();
  bool any = false;

  for (size_t i = 0, j; i < n; i = j) {
    const uint32_t paint = m->paint[i];
    const uint16_t skin = m->skin[i];
    for (j = i; j < n && m->paint[j] == paint && m->skin[j] == skin; ++j) {
    }
    const int k = skin == 0 ? -1 : image[skin - 1];
    any = any || paint != 0 || k >= 0;
    json_t* colour = paint == 0 ? json_null() : json_sprintf("#%06x", paint & 0xffffffu);
    json_t* run = json_pack("[I, o]", (json_int_t)(j - i), colour);
    if (k >= 0) apl_json_add(&run, json_integer(k));
    apl_json_add(&list, run);
  }
  if (any || list == NULL) return list;
  json_decref(list);
  return json_null();
}

static json_t* mesh_json(page_meshes* p, const mesh* m, const char* path) {
  const char* slash = strrchr(path, '/');
  int image[MESH_IMAGES]; /* of this mesh -> of the page */
  bool any = false;

  for (int i = 0; i < m->nimage; ++i) {
    image[i] = image_of(p, m->image[i], slash == NULL ? path : slash + 1);
    any = any || image[i] >= 0;
  }
  json_t* out =
      json_pack("{s:o, s:o, s:o}", "points", apl_base64(m->point, sizeof *m->point * 3 * m->npoint),
                "triangles", apl_base64(m->corner, sizeof *m->corner * m->ncorner), "paints",
                paints(m, image));
  if (any) apl_json_set(&out, "uv", apl_base64(m->uv, sizeof *m->uv * 2 * m->ncorner));
  return out;
}

int apl_page_mesh(page_meshes* p, int shape, const char* link) {
  char path[4096];
  const char* name = apl_file_mesh_path(p->file, shape, path, sizeof path);
  const json_t* before = json_object_get(p->known, name);
  mesh m;
  apl_error err;
  if (name[0] == '\0') return -1; /* the load has reported it */
  if (before != NULL) return (int)json_integer_value(before);

  int index = -1;
  const apl_status st = apl_mesh_read(name, p->file, &m, &err);
  if (st == APL_ERR_MEMORY) apl_json_add(&p->meshes, NULL);
  if (st == APL_OK) {
    index = (int)json_array_size(p->meshes);
    apl_json_add(&p->meshes, mesh_json(p, &m, name));
    apl_mesh_free(&m);
  } else {
    blame(p, FAULT_MESH, name, link, err.text);
  }
  json_object_set_new(p->known, name, json_integer(index));
  return index;
}

/* ---------------------------------------------------------------------------------- faults ---- */

/* Names of files may have bytes that are not UTF-8, which JSON does not take: then only ASCII
 * stays.
 */
static void keep_utf8(char* text) {
  json_t* taken = json_string(text);

  for (char* c = text; taken == NULL && *c != '\0'; ++c) {
    if ((unsigned char)*c >= 0x80) *c = '?';
  }
  json_decref(taken);
}

/* One sentence for each reason, by the first file and the number of files. */
static json_t* sentences(const page_meshes* p, apl_report* report) {
  json_t* list = json_array();

  for (int k = 0; k < PAGE_FAULTS; ++k) {
    const int n = p->fault[k].count;
    const bool one = n == 1, is_mesh = k == FAULT_MESH;
    const char* then = is_mesh ? one ? "is not drawn" : "are not drawn"
                       : one   ? "is replaced by a plain colour"
                               : "are replaced by plain colours";
    char text[sizeof p->fault[k].first + sizeof p->fault[k].why + 80], what[40];
    if (n == 0) continue;
    snprintf(what, sizeof what, "%d %s, the first", n, is_mesh ? "meshes" : "images");
    if (one) snprintf(what, sizeof what, "%s", is_mesh ? "mesh" : "image");
    snprintf(text, sizeof text, "%s %s%s %s: %s", what, p->fault[k].first, one ? "" : ",", then,
             p->fault[k].why);
    apl_text_clean(text, sizeof text);
    keep_utf8(text);
    apl_json_add(&list, json_string(text));
    apl_report_warn(report, (apl_mark){0}, "%s", text);
  }
  return list;
}

static void put(json_t** pictures, const char* key, json_t* list) {
  if (list == NULL || json_array_size(list) > 0) {
    apl_json_set(pictures, key, list);
  } else {
    json_decref(list);
  }
}

void apl_page_meshes_end(page_meshes* p, json_t** pictures, apl_report* report) {
  put(pictures, "meshes", p->meshes);
  put(pictures, "images", p->images);
  put(pictures, "faults", sentences(p, report));
  json_decref(p->known);
  json_decref(p->seen);
}
