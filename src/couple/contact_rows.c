/* contact_rows.c: see contact_rows.h. A point of a port, or the lowest point of a ball about it,
   against a plane (docs/theory/contact.md). In the axes of the port's frame, with p the port in the
   frame, n the normal, r the radius and e one of the three axes:

     arm = p - r n        wrench = (arm x e; e)        velocity = wrench . V
     acceleration = wrench . A + e . (w x (w x p)),    A = (w'; acceleration of the frame's origin)
 */
#include "couple/contact_rows.h"

#include "math/contact_law.h"

static vec3 place_on_frame(const apl_model* m, const apl_pair* pair) {
  const double* p = m->par + m->port[pair->port].pose + 9;
  return (vec3){p[0], p[1], p[2]};
}

static void put(double* out, vec3 a) {
  out[0] = a.x;
  out[1] = a.y;
  out[2] = a.z;
}

static vec3 get(const double* a) {
  return (vec3){a[0], a[1], a[2]};
}

void apl_contact_ways(const apl_model* m, apl_state* s, int i, apl_way way[3], double* number) {
  const apl_pair* pair = &m->pair[i];
  const double* par = m->par + pair->par;
  const int f = m->port[pair->port].frame;
  pose X;
  vec3 e[3];

  apl_frame_motion(m, s, f, (double*)(void*)&X, NULL, NULL);
  for (int k = 0; k < 3; ++k)
    e[k] = mul_t(X.R, get(par + PAIR_AXES + 3 * k));
  const vec3 arm = sub(place_on_frame(m, pair), scale(par[PAIR_RADIUS], e[0]));
  for (int k = 0; k < 3; ++k, number += ROW_NUMBERS) {
    way[k] = (apl_way){.frame = {f, 0}, .velocity = {-1, -1}};
    memset(number, 0, sizeof *number * ROW_NUMBERS);
    put(number, cross(arm, e[k]));
    put(number + 3, e[k]);
  }
}

void apl_contact_accelerations(const apl_model* m, apl_state* s, int i, const double* number,
                               double out[3]) {
  const apl_pair* pair = &m->pair[i];
  double V[6], A[6];

  apl_frame_motion(m, s, m->port[pair->port].frame, NULL, V, A);
  const vec3 w = get(V), centripetal = cross(w, cross(w, place_on_frame(m, pair)));
  for (int k = 0; k < 3; ++k, number += ROW_NUMBERS) {
    out[k] = dot(get(number), get(A)) + dot(get(number + 3), add(get(A + 3), centripetal));
  }
}

apl_section apl_contact_section(const apl_model* m, int i, bool held) {
  const apl_pair* pair = &m->pair[i];
  friction_numbers F;

  memcpy(&F, m->par + pair->par + PAIR_FRICTION, sizeof F);
  const double along = pair->friction == FRICTION_NONE ? 0.0 : held ? F.ms : F.m;
  const double across = along * F.ratio;
  return (apl_section){.plus = {along, across}, .minus = {along, across}};
}

void apl_contact_rubbing(const double* number, const double rub[2], double* out) {
  for (int k = 0; k < ROW_NUMBERS; ++k) {
    out[k] = number[k] + rub[0] * number[ROW_NUMBERS + k] + rub[1] * number[2 * ROW_NUMBERS + k];
  }
}
