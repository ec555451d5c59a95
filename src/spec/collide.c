/* SPDX-License-Identifier: Apache-2.0 */
/* collide.c: the part of the builder about obstacles and about sets of shapes that can touch. */
#include "spec/spec_impl.h"

#include "math/solid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A shape has contact geometry unless it is only drawn or is of a type without any, such as a
   mesh. */
bool apl_shape_touches(const spec_shape* s) {
  return strcmp(s->use, APL_USE_PICTURE) != 0 && apl_solid_find(s->type) != SOLIDS;
}

const double* apl_shape_bad_size(const spec_shape* shape) {
  const int n = strcmp(shape->type, "box") == 0 ? 3 : strcmp(shape->type, "sphere") == 0 ? 1 : 2;

  for (int i = 0; i < n; ++i) {
    if (!(shape->size[i] > 0.0) || !isfinite(shape->size[i])) return &shape->size[i];
  }
  return NULL;
}

static bool sizes_fine(apl_spec* s, const char* name, const spec_shape* shape) {
  const double* bad = apl_shape_bad_size(shape);
  if (bad == NULL) return true;

  apl_fail(&s->error, APL_ERR_MODEL, "shape '%.64s': a %s needs positive sizes, got %g", name,
           shape->type, *bad);
  return false;
}

void apl_spec_obstacle(apl_spec* s, const spec_shape* shape) {
  if (!apl_spec_fine(s) || !apl_spec_check_name(s, "obstacle", shape->name)) return;
  if (apl_solid_find(shape->type) == SOLIDS) {
    apl_fail(&s->error, APL_ERR_MODEL, "obstacle '%s': a %s has no contact geometry; use %s",
             shape->name, shape->type, "a sphere, capsule, cylinder, box or pipe");
    return;
  }
  if (!sizes_fine(s, shape->name, shape)) return;
  for (int i = 0; i < s->nobstacle; ++i) {
    if (strcmp(s->obstacle[i].name, shape->name) != 0) continue;
    apl_fail(&s->error, APL_ERR_MODEL, "there are two obstacles '%s'", shape->name);
    return;
  }
  for (int i = 0; i < s->nlink; ++i) {
    if (strcmp(s->link[i]->name, shape->name) != 0) continue;
    apl_fail(&s->error, APL_ERR_MODEL,
             "there is a link '%s' already: give the obstacle another name", shape->name);
    return;
  }
  s->obstacle = apl_spec_grow(s, s->obstacle, s->nobstacle, sizeof *s->obstacle);
  spec_shape row = *shape;
  row.name = apl_spec_keep(s, shape->name);
  if (s->error.status == APL_OK) s->obstacle[s->nobstacle++] = row;
}

enum { MOST_PLACES = 10000 };

void apl_spec_add_collide(apl_spec* s, const spec_collide* c) {
  char owner[96];
  if (!apl_spec_fine(s) || !apl_spec_check_name(s, "collide", c->name)) return;

  snprintf(owner, sizeof owner, "collide '%.64s'", c->name);
  for (int i = 0; i < s->ncollide; ++i) {
    if (strcmp(s->collide[i].name, c->name) != 0) continue;
    apl_fail(&s->error, APL_ERR_MODEL, "there are two entries of collide called '%s'", c->name);
    return;
  }
  if (c->neighbours < 0 || c->most < 0 || c->most > MOST_PLACES) {
    apl_fail(&s->error, APL_ERR_MODEL,
             "%s: neighbours and most must not be negative, and most must not be above %d, got %d "
             "and %d",
             owner, (int)MOST_PLACES, c->neighbours, c->most);
    return;
  }
  if (!apl_spec_laws_fine(s, owner, &c->g)) return;
  const apl_surface* g = &c->g;
  if (apl_surface_has_directions(g) || g->drag_across != 0.0 ||
      strcmp(g->axes, apl_surface_default().axes) != 0) {
    apl_fail(&s->error, APL_ERR_MODEL,
             "%s: friction between shapes is the same in all directions: give only `coefficient`",
             owner);
    return;
  }
  s->collide = apl_spec_grow(s, s->collide, s->ncollide, sizeof *s->collide);
  spec_collide row = *c;
  row.name = apl_spec_keep(s, c->name);
  row.g.law = apl_spec_keep(s, c->g.law);
  row.g.friction = apl_spec_keep(s, c->g.friction);
  row.g.axes = apl_surface_default().axes;
  if (s->error.status == APL_OK) s->collide[s->ncollide++] = row;
}
