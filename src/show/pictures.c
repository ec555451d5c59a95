/* SPDX-License-Identifier: Apache-2.0 */
/* pictures.c: the appearance of a robot as JSON, in the format of docs/formats/page.md. */
#include "show/pictures.h"

#include "appell/loop.h"
#include "model/info.h"
#include "model/model_impl.h"
#include "show/bodies.h"
#include "show/json.h"
#include "show/mesh.h"
#include "show/page_meshes.h"
#include "show/replay.h"
#include "spec/build.h"
#include "spec/parts.h"
#include "spec/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each tendon is a line through its points, which follow the ports and sections. */
static void add_tendons(json_t** list, const apl_places* places, const apl_model* m) {
  int at = apl_places_tendon(places);

  for (int i = 0; i < apl_model_count(m, APL_TENDONS); ++i) {
    json_t* through = json_array();
    for (int k = apl_model_tendon_npoint(m, i); k > 0; --k)
      apl_json_add(&through, json_integer(at++));
    apl_json_add(list,
                 json_pack("{s:s, s:o, s:b}", "type", "line", "ports", through, "through", 1));
  }
}

/* Each deformable body, through its sections, which follow the ports, or through the ends of its
   elements. */
static json_t* strips(const apl_places* places, const apl_model* m) {
  json_t* list = json_array();
  int section = apl_places_section(places);

  for (int i = 0; i < apl_model_count(m, APL_LINKS); ++i) {
    const apl_link_info info = apl_model_link_info(m, i);
    const int root = info.port, tip = root + 1;
    if (info.nx == 0) continue;

    json_t* through = json_array();
    if (info.sections == 0) {
      apl_json_add(&through, json_integer(root));
      for (int e = 1; e < info.elements; ++e)
        apl_json_add(&through, json_integer(tip + e));
      apl_json_add(&through, json_integer(tip));
    }
    for (int k = 0; k < info.sections; ++k)
      apl_json_add(&through, json_integer(section++));

    json_t* strip = json_pack("{s:o}", "ports", through);
    if (info.half[0] > 0.0 && info.half[1] > 0.0) {
      apl_json_set(&strip, "half", json_pack("[f, f]", info.half[0], info.half[1]));
    }
    apl_json_add(&list, strip);
  }
  return list;
}

static json_t* size_of(const apl_shape* s) {
  if (strcmp(s->type, "mesh") == 0)
    return json_pack("[f, f, f]", s->scale[0], s->scale[1], s->scale[2]);
  if (strcmp(s->type, "box") == 0)
    return json_pack("[f, f, f]", s->size[0], s->size[1], s->size[2]);
  if (strcmp(s->type, "sphere") == 0) return json_pack("[f]", s->size[0]);
  return json_pack("[f, f]", s->size[0], s->size[1]);
}

/* Contact-only shapes are drawn if their link has no other picture. */
static bool is_seen(const apl_file* file, int i) {
  const apl_shape s = apl_file_shape(file, i);
  bool picture = false;

  for (int k = 0; k < apl_file_nshape(file) && !s.drawn; ++k) {
    const apl_shape other = apl_file_shape(file, k);
    picture = picture || (other.drawn && other.link == s.link);
  }
  return s.drawn || !picture;
}

/* One neutral colour for imported robots without colours: distinct colours would suggest a
   meaning. */
#define CALM "#a9b2bd"

static bool has_mesh(const apl_file* file) {
  for (int i = 0; i < apl_file_nshape(file); ++i) {
    if (strcmp(apl_file_shape(file, i).type, "mesh") == 0) return true;
  }
  return false;
}

/* The shapes of the file; a link that has none of its own is drawn from its numbers. */
static json_t* shapes(const apl_places* places, const apl_model* m, const apl_file* file,
                      page_meshes* meshes) {
  json_t* list = json_array();
  bool* shown = calloc((size_t)apl_model_count(m, APL_LINKS) + 1, sizeof *shown);
  const bool calm = file != NULL && (apl_file_nnote(file) > 0 || has_mesh(file));

  for (int i = 0; file != NULL && shown != NULL && i < apl_model_count(m, APL_LINKS); ++i)
    shown[i] = !apl_file_draws(file, i);
  for (int i = 0; file != NULL && i < apl_file_nshape(file); ++i) {
    const apl_shape s = apl_file_shape(file, i);
    const apl_vec3 p = s.at.position;
    const apl_quat q = s.at.rotation;
    const bool is_mesh = strcmp(s.type, "mesh") == 0;
    char colour[8];
    if (!is_seen(file, i)) continue;
    const char* link = s.link < 0 ? "" : apl_model_name(m, APL_LINKS, s.link);
    const int k = is_mesh ? apl_page_mesh(meshes, i, link) : 0;
    if (k < 0) continue;
    if (shown != NULL && s.link >= 0) shown[s.link] = true;

    snprintf(colour, sizeof colour, "#%06x",
             apl_mesh_paint(s.colour[0], s.colour[1], s.colour[2]) & 0xffffffu);
    json_t* shape = json_pack("{s:s, s:i, s:o, s:[f, f, f, f, f, f, f]}", "type", s.type, "port",
                              s.link < 0 ? -1 : apl_model_link_info(m, s.link).port, "size",
                              size_of(&s), "offset", p.x, p.y, p.z, q.w, q.x, q.y, q.z);
    if (s.colour[3] > 0.0) apl_json_set(&shape, "colour", json_string(colour));
    if (!(s.colour[3] > 0.0) && calm) apl_json_set(&shape, "colour", json_string(CALM));
    if (is_mesh) apl_json_set(&shape, "mesh", json_integer(k));
    apl_json_add(&list, shape);
  }
  if (shown == NULL || !apl_bodies_add(&list, places, m, shown)) {
    json_decref(list);
    list = NULL;
  }
  add_tendons(&list, places, m);
  free(shown);
  return list;
}

/* Each ground that something may touch, once. */
static json_t* grounds(const apl_model* m) {
  json_t* list = json_array();

  for (int i = 0; i < apl_model_count(m, APL_CONTACTS); ++i) {
    const apl_contact_info g = apl_model_contact_info(m, i);
    if (!g.first) continue;
    const apl_vec3 n = g.normal, x = g.point;
    apl_json_add(&list, json_pack("{s:s, s:[f, f, f], s:f}", "name", g.ground, "normal", n.x, n.y,
                                  n.z, "offset", n.x * x.x + n.y * x.y + n.z * x.z));
  }
  return list;
}

/* Data for the tree of links and the centres of mass. */
static json_t* links(const apl_model* m) {
  double* p = malloc(sizeof *p * 10 * (size_t)(apl_model_count(m, APL_LINKS) + 1));
  if (p == NULL) return NULL;
  json_t* list = json_array();

  apl_model_inertial(m, p);
  for (int i = 0; i < apl_model_count(m, APL_LINKS); ++i) {
    const apl_link_info l = apl_model_link_info(m, i);
    const double* x = p + 10 * i;
    json_t* link = json_pack("{s:s, s:i, s:s, s:s, s:f, s:i}", "name",
                             apl_model_name(m, APL_LINKS, i), "parent", l.parent, "joint", l.joint,
                             "body", l.body, "mass", l.mass, "port", l.port);
    /* joints may have names of their own, which their channels begin with */
    if (l.nq > 0) {
      const char* q = apl_model_name(m, APL_COORDINATES, l.q0);
      apl_json_set(&link, "channels", json_stringn(q, (size_t)(strrchr(q, '.') - q)));
    }
    if (x[0] > 0.0)
      apl_json_set(&link, "com", json_pack("[f, f, f]", x[1] / x[0], x[2] / x[0], x[3] / x[0]));
    apl_json_add(&list, link);
  }
  free(p);
  return list;
}

/* Forces given by channels: of grounds on contacts, in the axes of the ground, on wheels, and joint
   reactions; a page leaves out those whose channels were not recorded. */
static json_t* arrows(const apl_places* places, const apl_model* m) {
  json_t* list = json_array();

  for (int i = 0; i < apl_model_count(m, APL_CONTACTS); ++i) {
    const apl_contact_info c = apl_model_contact_info(m, i);
    const char* name = apl_model_name(m, APL_CONTACTS, i);
    if (c.port < 0) {
      apl_json_add(&list,
                   json_pack("{s:s, s:s, s:i, s:s, s:[o, o, o], s:[o, o, o]}", "name", name, "kind",
                             "contact", "port", -1, "axes", "world", "at",
                             json_sprintf("%s.place.x", name), json_sprintf("%s.place.y", name),
                             json_sprintf("%s.place.z", name), "channels",
                             json_sprintf("%s.force.x", name), json_sprintf("%s.force.y", name),
                             json_sprintf("%s.force.z", name)));
      continue;
    }
    const apl_vec3 n = c.normal, a = c.along, b = c.across;
    const double r = c.arc > 0.0 ? 0.0 : c.radius;
    json_t* arrow =
        json_pack("{s:s, s:s, s:i, s:[f, f, f], s:[[f, f, f], [f, f, f], [f, f, f]], s:[o, o, "
                  "o]}",
                  "name", name, "kind", "contact", "port", c.port, "shift", -r * n.x, -r * n.y,
                  -r * n.z, "axes", n.x, n.y, n.z, a.x, a.y, a.z, b.x, b.y, b.z, "channels",
                  json_sprintf("%s.normal", name), json_sprintf("%s.along", name),
                  json_sprintf("%s.across", name));
    if (c.arc > 0.0) apl_json_set(&arrow, "arc", json_pack("[f, f]", c.radius, c.arc));
    apl_json_add(&list, arrow);
  }
  for (int i = 0; i < apl_model_count(m, APL_LINKS); ++i) {
    const apl_link_info l = apl_model_link_info(m, i);
    const char* name = apl_model_name(m, APL_LINKS, i);
    if (!l.reaction) continue;
    apl_json_add(&list, json_pack("{s:s, s:s, s:i, s:s, s:[o, o, o]}", "name", name, "kind",
                                  "reaction", "port", l.port, "axes", "world", "channels",
                                  json_sprintf("%s.reaction.force.x", name),
                                  json_sprintf("%s.reaction.force.y", name),
                                  json_sprintf("%s.reaction.force.z", name)));
  }
  for (int i = 0; i < apl_places_nwheel(places); ++i) {
    const apl_place_wheel w = apl_places_wheel(places, i);
    const char* name = apl_model_name(m, APL_SATELLITES, w.satellite);
    apl_json_add(&list, json_pack("{s:s, s:s, s:i, s:[f, f, f], s:s, s:[o, n, o]}", "name", name,
                                  "kind", "wheel", "port", w.place, "offset", 0.0, 0.0, -w.radius,
                                  "axes", "port", "channels", json_sprintf("%s.traction", name),
                                  json_sprintf("%s.load", name)));
  }
  return list;
}

/* The end of a loop in the axes of its port; the world has no port. */
static json_t* loop_end(const apl_model* m, const apl_loop* l, int end) {
  const double* at = m->par + l->par + (end == 0 ? LOOP_FROM : LOOP_TO);
  double x[3] = {at[0], at[1], at[2]};

  if (l->port[end] >= 0) {
    /* R^T (p - p_port), both in the frame of the port */
    const double* X = m->par + m->port[l->port[end]].pose;
    const double d[3] = {at[0] - X[9], at[1] - X[10], at[2] - X[11]};
    for (int k = 0; k < 3; ++k)
      x[k] = X[k] * d[0] + X[3 + k] * d[1] + X[6 + k] * d[2];
  }
  return json_pack("{s:i, s:[f, f, f]}", "port", l->port[end], "offset", x[0], x[1], x[2]);
}

/* Positions of closed loops; couplings have none. */
static json_t* closures(const apl_model* m) {
  json_t* list = json_array();

  for (int i = 0; i < m->nloop - m->ncoupling; ++i) {
    const apl_loop* l = &m->loop[i];
    apl_json_add(&list, json_pack("{s:s, s:s, s:[o, o]}", "name", m->loop_name[i], "type",
                                  apl_closure_word(l->type), "ends", loop_end(m, l, 0),
                                  loop_end(m, l, 1)));
  }
  return list;
}

/* Mark the ports of links that are not drawn, so that no bars lead to them. */
static json_t* ports(const apl_places* places, const apl_model* m, const apl_file* file) {
  json_t* list = apl_places_json(places);

  for (size_t i = 0; file != NULL && i < json_array_size(list); ++i) {
    json_t* port = json_array_get(list, i);
    const char* link = json_string_value(json_object_get(port, "link"));
    for (int k = 0; link != NULL && k < apl_model_count(m, APL_LINKS); ++k) {
      if (strcmp(apl_model_name(m, APL_LINKS, k), link) != 0 || apl_file_draws(file, k)) continue;
      json_object_set_new(port, "bare", json_true());
    }
  }
  return list;
}

json_t* apl_pictures(const apl_model* model, const apl_file* file, apl_report* report) {
  apl_places* places = apl_places_new(model);
  if (places == NULL) return NULL;
  page_meshes meshes = apl_page_meshes(file);
  json_t* all =
      json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "ports", ports(places, model, file),
                "shapes", shapes(places, model, file, &meshes), "strips", strips(places, model),
                "ground", grounds(model), "links", links(model), "arrows", arrows(places, model),
                "closures", closures(model));
  apl_page_meshes_end(&meshes, &all, report);
  apl_places_free(places);
  return all;
}

char* apl_file_pictures(const apl_file* file, const apl_model* model, apl_report* report) {
  json_t* pictures = apl_pictures(model, file, report);
  char* text = pictures == NULL ? NULL : json_dumps(pictures, JSON_COMPACT);

  json_decref(pictures);
  return text;
}
