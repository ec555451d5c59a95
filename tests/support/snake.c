/* SPDX-License-Identifier: Apache-2.0 */
#include "snake.h"

#include <math.h>
#include <stdio.h>

snake snake_paper(void) {
  return (snake){.links = 16,
                 .length = 0.1,
                 .mass = 0.1,
                 .winding = acos(-1.0) / 6,
                 .waves = 2,
                 .acceleration = 0.2,
                 .time = 10,
                 .slope = 0,
                 .friction = 0.3,
                 .radius = 0};
}

double snake_radius(const snake* s) {
  return s->length / (2 * sin(s->winding * sin(s->waves * acos(-1.0) / s->links)));
}

void snake_write(const snake* s, char* out, size_t size) {
  const double l = s->length, g = 9.81, r = s->radius;
  size_t n = 0;

#define ADD(...) n += (size_t)snprintf(out + n, size - n, __VA_ARGS__)
  ADD("appell: 1\ngravity: [%.17g, 0, %.17g]\nlinks:\n", -g * sin(s->slope), -g * cos(s->slope));
  for (int i = 1; i <= s->links; ++i) {
    ADD("  - name: l%d\n", i);
    if (i == 1) {
      ADD("    joint: {type: planar, normal: -y}\n");
    } else {
      ADD("    on: l%d\n    at: [%.17g, 0, 0]\n", i - 1, l);
      ADD("    joint: {type: revolute, axis: -y, prescribed: true}\n");
    }
    ADD("    body: {mass: %.17g, com: [%.17g, 0, 0], inertia: {yy: %.17g}}\n", s->mass, l / 2,
        s->mass * l * l / 12);
    ADD("    ports: {end: {at: [%.17g, 0, 0]}", l);
    if (r > 0) ADD(", middle: {at: [%.17g, 0, %.17g]}", l / 2, sqrt(r * r - l * l / 4));
    ADD("}\n");
  }
  ADD("grounds:\n  slope:\n    law: {normal: kelvin-voigt, stiffness: 1e5, damping: 60, exponent: "
      "1}\n    friction: {law: coulomb, coefficient: %.17g, v0: 1e-3}\ncontacts:\n",
      s->friction);
  for (int i = 1; i <= s->links && r > 0; ++i)
    ADD("  - {on: l%d.middle, radius: %.17g, arc: %.17g}\n", i, r, asin(l / (2 * r)));
  for (int i = 1; i <= s->links && !(r > 0); ++i)
    ADD("  - {on: l%d.root}\n", i);
  if (!(r > 0)) ADD("  - {on: l%d.end}\n", s->links);
  ADD("gaits:\n  - type: serpenoid\n    chain: [l1, l%d]\n    winding: %.17g\n    waves: %.17g\n"
      "    length: %.17g\n    travel: {travel: {speed: %.17g, to: %.17g}}\nrun: {to: %.17g}\n",
      s->links, s->winding, s->waves, s->links * l, -s->acceleration * s->time / 10, s->time,
      s->time);
#undef ADD
}
