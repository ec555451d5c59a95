/* SPDX-License-Identifier: Apache-2.0 */
/* lump.c: see lump.h. */
#include "lump.h"

/* I += m (c.c 1 - c c^T) */
static void shift(double m, const double c[3], double I[6]) {
  const double x = c[0], y = c[1], z = c[2];
  const double more[6] = {y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z};

  for (int i = 0; i < 6; i++)
    I[i] += m * more[i];
}

void lump_add(lump* l, double mass, const double c[3], const double I[6]) {
  l->mass += mass;
  for (int i = 0; i < 3; i++)
    l->first[i] += mass * c[i];
  for (int i = 0; i < 6; i++)
    l->second[i] += I[i];
  shift(mass, c, l->second);
}

void lump_put(const lump* l, plan_link* link) {
  double c[3], I[6];

  for (int i = 0; i < 3; i++)
    c[i] = l->first[i] / l->mass;
  for (int i = 0; i < 6; i++)
    I[i] = l->second[i];
  shift(-l->mass, c, I);
  plan_number(link, "body.mass", l->mass);
  plan_put(link, "body.com", c, 3);
  plan_put(link, "body.inertia", I, 6);
}
