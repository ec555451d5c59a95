/* pictures.c: what a robot looks like, as JSON in the words of docs/formats/page.md. */
#include "record/pictures.h"

#include <stdio.h>
#include <string.h>

/* A port hangs on its link's root, a root on the port that carries it: so what is drawn from port
   to port goes where the bodies are, also when the one below bends. A link without mass is a place
   in between, and nothing to draw. */
static json_t* ports(const apl_model* m) {
  json_t* list = json_array();

  for (int i = 0; i < apl_model_nport(m); ++i) {
    const char* name = apl_model_port_name(m, i);
    const size_t n = (size_t)(strchr(name, '.') - name);
    json_t* link = json_stringn(name, n);
    const apl_link_info info = apl_model_link_info(m, apl_model_link(m, json_string_value(link)));
    const int parent = info.port == i ? info.on : info.port;
    json_array_append_new(list, json_pack("{s:s, s:o, s:i}", "name", name, "link", link, "parent",
                                          info.mass == 0.0 ? -1 : parent));
  }
  for (int i = 0; i < apl_model_nlink(m); ++i) {
    const apl_link_info info = apl_model_link_info(m, i);
    const char* name = apl_model_link_name(m, i);
    for (int k = 0; k < info.sections; ++k) {
      json_array_append_new(list, json_pack("{s:o, s:s, s:i, s:b}", "name",
                                            json_sprintf("%s.section%d", name, k), "link", name,
                                            "parent", k == 0 ? info.on : -1, "trail", 0));
    }
  }
  for (int i = 0; i < apl_model_ntendon(m); ++i) {
    const char* name = apl_model_tendon_name(m, i);
    for (int k = 0; k < apl_model_tendon_npoint(m, i); ++k) {
      json_array_append_new(list, json_pack("{s:o, s:s, s:i, s:b}", "name",
                                            json_sprintf("%s.point%d", name, k), "link", name,
                                            "parent", -1, "trail", 0));
    }
  }
  return list;
}

/* Each tendon is a line through its points, which stand behind the ports and sections. */
static void add_tendons(json_t* list, const apl_model* m) {
  int at = apl_model_nport(m);

  for (int i = 0; i < apl_model_nlink(m); ++i)
    at += apl_model_link_info(m, i).sections;

  for (int i = 0; i < apl_model_ntendon(m); ++i) {
    json_t* through = json_array();
    for (int k = apl_model_tendon_npoint(m, i); k > 0; --k)
      json_array_append_new(through, json_integer(at++));
    json_array_append_new(list, json_pack("{s:s, s:o}", "type", "line", "ports", through));
  }
}

/* Each body that deforms, through its sections, which stand behind the ports, or through the ends
   of its elements; its ports stand as model.h says. */
static json_t* strips(const apl_model* m) {
  json_t* list = json_array();
  int section = apl_model_nport(m);

  for (int i = 0; i < apl_model_nlink(m); ++i) {
    const apl_link_info info = apl_model_link_info(m, i);
    const int root = info.port, tip = root + 1;
    if (info.nx == 0) continue;

    json_t* through = json_array();
    if (info.sections == 0) {
      json_array_append_new(through, json_integer(root));
      for (int e = 1; e < info.elements; ++e)
        json_array_append_new(through, json_integer(tip + e));
      json_array_append_new(through, json_integer(tip));
    }
    for (int k = 0; k < info.sections; ++k)
      json_array_append_new(through, json_integer(section++));

    json_t* strip = json_pack("{s:o}", "ports", through);
    if (info.half[0] > 0.0 && info.half[1] > 0.0) {
      json_object_set_new(strip, "half", json_pack("[f, f]", info.half[0], info.half[1]));
    }
    json_array_append_new(list, strip);
  }
  return list;
}

/* Boxes and round things; meshes stand in files of their own and are not drawn. */
static json_t* shapes(const apl_model* m, const apl_file* file) {
  json_t* list = json_array();

  for (int i = 0; file != NULL && i < apl_file_nshape(file); ++i) {
    const apl_shape s = apl_file_shape(file, i);
    const apl_vec3 p = s.at.position;
    const apl_quat q = s.at.rotation;
    char colour[8];
    if (strcmp(s.type, "mesh") == 0) continue;

    snprintf(colour, sizeof colour, "#%02x%02x%02x", (unsigned)(255.0 * s.colour[0]) & 255u,
             (unsigned)(255.0 * s.colour[1]) & 255u, (unsigned)(255.0 * s.colour[2]) & 255u);
    json_t* size = strcmp(s.type, "box") == 0
                       ? json_pack("[f, f, f]", s.size[0], s.size[1], s.size[2])
                   : strcmp(s.type, "sphere") == 0 ? json_pack("[f]", s.size[0])
                                                   : json_pack("[f, f]", s.size[0], s.size[1]);
    json_array_append_new(list,
                          json_pack("{s:s, s:i, s:o, s:s, s:[f, f, f, f, f, f, f]}", "type", s.type,
                                    "port", apl_model_link_info(m, s.link).port, "size", size,
                                    "colour", colour, "offset", p.x, p.y, p.z, q.w, q.x, q.y, q.z));
  }
  add_tendons(list, m);
  return list;
}

/* Each ground that something may touch, once. */
static json_t* grounds(const apl_model* m) {
  json_t* list = json_array();

  for (int i = 0; i < apl_model_ncontact(m); ++i) {
    const apl_contact_info g = apl_model_contact_info(m, i);
    if (!g.first) continue;
    const apl_vec3 n = g.normal, x = g.point;
    json_array_append_new(list,
                          json_pack("{s:s, s:[f, f, f], s:f}", "name", g.ground, "normal", n.x, n.y,
                                    n.z, "offset", n.x * x.x + n.y * x.y + n.z * x.z));
  }
  return list;
}

json_t* apl_pictures(const apl_model* model, const apl_file* file) {
  return json_pack("{s:o, s:o, s:o, s:o}", "ports", ports(model), "shapes", shapes(model, file),
                   "strips", strips(model), "ground", grounds(model));
}

char* apl_file_pictures(const apl_file* file, const apl_model* model) {
  json_t* pictures = apl_pictures(model, file);
  char* text = pictures == NULL ? NULL : json_dumps(pictures, JSON_COMPACT);

  json_decref(pictures);
  return text;
}
