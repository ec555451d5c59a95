/* contact_rows.c: see contact_rows.h. Where a contact touches and along which axes it acts the last
   pass over contacts has found (dynamics/contacts.c, docs/theory/contact.md). In the axes of the
   port's frame, with p the port in the frame, `arm` the place, d its drift against the port and e
   one of the three axes:

     wrench = (arm x e; e)        velocity = wrench . V
     acceleration = wrench . A + e . (w x (w x p + d)),  A = (w'; acceleration of the frame's
   origin)

   Directions that turn with the link add slip times their turning, which is nothing where a contact
   sticks, and only there the accelerations along them are asked for. */
#include "couple/contact_rows.h"

#include "dynamics/contact_state.h"
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
  const contact_state* c = apl_state_contact(s, i);
  const int f = m->port[m->pair[i].port].frame;
  pose X;

  apl_frame_motion(m, s, f, (double*)(void*)&X, NULL, NULL);
  const vec3 arm = mul_t(X.R, sub(get(c->place), X.p));
  for (int k = 0; k < 3; ++k, number += ROW_NUMBERS) {
    const vec3 e = mul_t(X.R, get(c->axis + 3 * k));
    way[k] = (apl_way){.frame = {f, 0}, .velocity = {-1, -1}};
    memset(number, 0, sizeof *number * ROW_NUMBERS);
    put(number, cross(arm, e));
    put(number + 3, e);
  }
}

void apl_contact_accelerations(const apl_model* m, apl_state* s, int i, const double* number,
                               double out[3]) {
  const apl_pair* pair = &m->pair[i];
  double V[6], A[6];
  pose X;

  apl_frame_motion(m, s, m->port[pair->port].frame, (double*)(void*)&X, V, A);
  const vec3 w = get(V), drift = mul_t(X.R, get(apl_state_contact(s, i)->drift));
  const vec3 centripetal = cross(w, add(cross(w, place_on_frame(m, pair)), drift));
  for (int k = 0; k < 3; ++k, number += ROW_NUMBERS) {
    out[k] = dot(get(number), get(A)) + dot(get(number + 3), add(get(A + 3), centripetal));
  }
}

/* Friction pushes against the slip: its force along +e is that of slip along -e. */
apl_section apl_contact_section(const apl_model* m, int i, bool held) {
  const apl_pair* pair = &m->pair[i];
  friction_numbers F;

  memcpy(&F, m->par + pair->par + PAIR_FRICTION, sizeof F);
  const double mu = pair->friction == FRICTION_NONE ? 0.0 : held ? F.ms : F.m;
  return (apl_section){.plus = {mu * F.back, mu * F.right}, .minus = {mu, mu * F.left}};
}

void apl_contact_rubbing(const double* number, const double rub[2], double* out) {
  for (int k = 0; k < ROW_NUMBERS; ++k) {
    out[k] = number[k] + rub[0] * number[ROW_NUMBERS + k] + rub[1] * number[2 * ROW_NUMBERS + k];
  }
}
