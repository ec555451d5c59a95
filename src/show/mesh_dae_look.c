/* SPDX-License-Identifier: Apache-2.0 */
/* mesh_dae_look.c: the colour or the image of a list of triangles in a COLLADA file: from its
   material by the effect to <diffuse>, which has a <color> or names an image through a sampler and
   a surface. */
#include "show/mesh_dae.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const xml_node* apl_dae_id(const xml_node* node, const char* id) {
  if (id == NULL || *id != '#') return NULL;
  for (const xml_node* c = apl_xml_first(node); c != NULL; c = apl_xml_next(c)) {
    if (apl_xml_is(c, "id", id + 1)) return c;
    const xml_node* deeper = apl_dae_id(c, id);
    if (deeper != NULL) return deeper;
  }
  return NULL;
}

const xml_node* apl_dae_below(const xml_node* node, const char* name) {
  for (const xml_node* c = node == NULL ? NULL : apl_xml_first(node); c != NULL;
       c = apl_xml_next(c)) {
    if (strcmp(apl_xml_name(c), name) == 0) return c;
    const xml_node* deeper = apl_dae_below(c, name);
    if (deeper != NULL) return deeper;
  }
  return NULL;
}

size_t apl_dae_numbers(const xml_node* node, double* out, size_t most) {
  char* text = node == NULL ? NULL : apl_xml_content(node);
  size_t n = 0;

  for (char* at = text; at != NULL && n < most;) {
    char* end;
    const double x = strtod(at, &end);
    if (end == at) break;
    out[n++] = x, at = end;
  }
  free(text);
  return n;
}

/* The text of an element without the blanks around it, in the pool; NULL without one. */
static const char* word_of(const xml_node* node, apl_pool* pool) {
  char* text = node == NULL ? NULL : apl_xml_content(node);
  if (text == NULL) return NULL;

  const char* begin = text + strspn(text, " \t\r\n");
  size_t n = strlen(begin);
  while (n > 0 && strchr(" \t\r\n", begin[n - 1]) != NULL)
    --n;
  text[(size_t)(begin - text) + n] = '\0';
  const char* out = n == 0 ? NULL : apl_pool_text(pool, begin);
  free(text);
  return out;
}

/* <newparam sid="name"> of an effect. */
static const xml_node* parameter(const xml_node* effect, const char* name) {
  const xml_node* profile = apl_xml_child(effect, "profile_COMMON");

  for (const xml_node* c = profile == NULL || name == NULL ? NULL : apl_xml_first(profile);
       c != NULL; c = apl_xml_next(c)) {
    if (strcmp(apl_xml_name(c), "newparam") == 0 && apl_xml_is(c, "sid", name)) return c;
  }
  return NULL;
}

/* <image id="name">, by its address "#name" or without '#'. */
static const xml_node* image_called(const xml_node* root, const char* name) {
  const xml_node* all = apl_xml_child(root, "library_images");
  char id[256];
  if (all == NULL || name == NULL) return NULL;

  snprintf(id, sizeof id, "%s%s", name[0] == '#' ? "" : "#", name);
  return apl_dae_id(all, id);
}

/* The address of the image that <texture texture="name"> means. In COLLADA 1.4 the name is that of
   a sampler, which names a surface, which names the image; in 1.5 the sampler names the image; and
   some programs write the name of the image itself. */
static const char* image_of(const xml_node* root, const xml_node* effect, const char* name,
                            apl_pool* pool) {
  const xml_node* sampler = apl_dae_below(parameter(effect, name), "sampler2D");
  const xml_node* source = sampler == NULL ? NULL : apl_xml_child(sampler, "source");
  const xml_node* direct = sampler == NULL ? NULL : apl_xml_child(sampler, "instance_image");
  const xml_node* surface = apl_dae_below(parameter(effect, word_of(source, pool)), "surface");
  const xml_node* from = apl_dae_below(surface, "init_from");
  const xml_node* image = image_called(root, word_of(from, pool));

  if (image == NULL) image = image_called(root, apl_xml_attribute(direct, "url", pool));
  if (image == NULL) image = image_called(root, name);
  return word_of(apl_dae_below(image, "init_from"), pool);
}

/* <bind_vertex_input semantic="name" input_set="1"/> of the material in the scene. */
static int bound_set(const xml_node* binding, const char* name, apl_pool* pool) {
  for (const xml_node* c = binding == NULL || name == NULL ? NULL : apl_xml_first(binding);
       c != NULL; c = apl_xml_next(c)) {
    if (strcmp(apl_xml_name(c), "bind_vertex_input") != 0 || !apl_xml_is(c, "semantic", name))
      continue;
    const char* set = apl_xml_attribute(c, "input_set", pool);
    return set == NULL ? 0 : atoi(set);
  }
  return 0;
}

static dae_look look_of(const xml_node* root, const xml_node* material, const xml_node* binding,
                        apl_pool* pool) {
  const xml_node* instance = material == NULL ? NULL : apl_xml_child(material, "instance_effect");
  const xml_node* effect =
      instance == NULL ? NULL : apl_dae_id(root, apl_xml_attribute(instance, "url", pool));
  const xml_node* diffuse = apl_dae_below(effect, "diffuse");
  const xml_node* texture = diffuse == NULL ? NULL : apl_xml_child(diffuse, "texture");
  dae_look look = {0};
  double x[4];
  if (diffuse == NULL) return look;

  if (apl_dae_numbers(apl_xml_child(diffuse, "color"), x, 4) >= 3)
    look.paint = apl_mesh_paint(x[0], x[1], x[2]);
  if (texture != NULL) {
    look.image = image_of(root, effect, apl_xml_attribute(texture, "texture", pool), pool);
    look.set = bound_set(binding, apl_xml_attribute(texture, "texcoord", pool), pool);
  }
  return look;
}

/* The scene binds the symbol of the list to a material, or the symbol is the id itself. */
dae_look apl_dae_look(const xml_node* root, const xml_node* instance, const xml_node* list,
                      apl_pool* pool) {
  const char* symbol = apl_xml_attribute(list, "material", pool);
  const xml_node* common = apl_dae_below(instance, "technique_common");
  char id[256];
  if (symbol == NULL) return (dae_look){0};

  for (const xml_node* c = common == NULL ? NULL : apl_xml_first(common); c != NULL;
       c = apl_xml_next(c)) {
    if (apl_xml_is(c, "symbol", symbol))
      return look_of(root, apl_dae_id(root, apl_xml_attribute(c, "target", pool)), c, pool);
  }
  snprintf(id, sizeof id, "#%s", symbol);
  return look_of(root, apl_dae_id(root, id), NULL, pool);
}
