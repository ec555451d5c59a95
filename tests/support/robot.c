/* SPDX-License-Identifier: Apache-2.0 */
/* robot.c: build, generate and hand over robot descriptions. */
#include "robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

bool robot_new(int n, robot* out) {
  *out = (robot){0};
  out->link = calloc((size_t)(n > 0 ? n : 1), sizeof *out->link);
  if (out->link == NULL) return false;

  out->nlink = n;
  for (int i = 0; i < n; i++) {
    out->link[i].parent = -1;
    out->link[i].axis[2] = 1.0;
  }
  return true;
}

void robot_free(robot* r) {
  free(r->link);
  *r = (robot){0};
}

/* --- random numbers ----------------------------------------------------------------------- */

/* Uniformly distributed unit quaternion w x y z. */
static void draw_quaternion(rng* d, double q[4]) {
  /* Shoemake, Uniform random rotations, Graphics Gems III (1992) */
  const double u = rng_between(d, 0.0, 1.0);
  const double a = rng_between(d, 0.0, 2.0 * PI);
  const double b = rng_between(d, 0.0, 2.0 * PI);
  q[0] = sqrt(1.0 - u) * sin(a);
  q[1] = sqrt(1.0 - u) * cos(a);
  q[2] = sqrt(u) * sin(b);
  q[3] = sqrt(u) * cos(b);
}

static void draw(rng* d, double* out, int n, double bound) {
  for (int i = 0; i < n; i++) {
    const double x = rng_between(d, -bound, bound);
    if (out != NULL) out[i] = x;
  }
}

void robot_random_state(rng* d, const robot* r, double* q, double* v, double* a, double* tau) {
  int at = 0;
  for (int i = 0; i < r->nlink; i++) {
    double value[7];
    int n = 0;
    switch (r->link[i].joint) {
    case ROBOT_FIXED:
      break;
    case ROBOT_REVOLUTE:
      n = 1;
      draw(d, value, 1, PI);
      break;
    case ROBOT_PRISMATIC:
      n = 1;
      draw(d, value, 1, 1.0);
      break;
    case ROBOT_FLOATING:
      n = 7;
      draw(d, value, 3, 1.0);
      draw_quaternion(d, value + 3);
      break;
    }
    if (q != NULL) memcpy(q + at, value, sizeof *value * (size_t)n);
    at += n;
  }

  const int nv = robot_nv(r);
  draw(d, v, nv, 1.0);
  draw(d, a, nv, 1.0);
  draw(d, tau, nv, 1.0);
}

/* --- geometry ----------------------------------------------------------------------------- */

/* R = Rz(yaw) Ry(pitch) Rx(roll) */
void robot_rotation(const double rpy[3], double R[9]) {
  const double cr = cos(rpy[0]), sr = sin(rpy[0]);
  const double cp = cos(rpy[1]), sp = sin(rpy[1]);
  const double cy = cos(rpy[2]), sy = sin(rpy[2]);
  R[0] = cy * cp;
  R[1] = cy * sp * sr - sy * cr;
  R[2] = cy * sp * cr + sy * sr;
  R[3] = sy * cp;
  R[4] = sy * sp * sr + cy * cr;
  R[5] = sy * sp * cr - cy * sr;
  R[6] = -sp;
  R[7] = cp * sr;
  R[8] = cp * cr;
}

void robot_turn_inertia(const double R[9], double inertia[6]) {
  const double* I = inertia;
  const double full[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
  double turned[9] = {0};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++)
          turned[3 * i + j] += R[3 * i + k] * full[3 * k + l] * R[3 * j + l];
      }
    }
  }
  inertia[0] = turned[0];
  inertia[1] = turned[4];
  inertia[2] = turned[8];
  inertia[3] = turned[1];
  inertia[4] = turned[2];
  inertia[5] = turned[5];
}

/* Roll, pitch, yaw of a uniformly distributed rotation. */
static void draw_rpy(rng* d, double rpy[3]) {
  rpy[0] = rng_between(d, -PI, PI);
  rpy[1] = asin(rng_between(d, -1.0, 1.0));
  rpy[2] = rng_between(d, -PI, PI);
}

/* --- robots ------------------------------------------------------------------------------- */

bool robot_chain(int n, uint64_t seed, robot* out) {
  if (!robot_new(n, out)) return false;
  (void)snprintf(out->name, sizeof out->name, "chain%d", n);

  /* what the numbers in tests/data/rigid/chain*.urdf follow: links are boxes with sides of 30 to
     100 % of a size, turned at random; long chains have smaller links */
  const double size = n <= 12 ? 0.3 : 0.1;
  rng d = rng_seed(seed);

  for (int i = 0; i < n; i++) {
    robot_link* link = &out->link[i];
    (void)snprintf(link->name, sizeof link->name, "b%d", i + 1);
    (void)snprintf(link->joint_name, sizeof link->joint_name, "j%d", i + 1);
    link->parent = i - 1;
    link->joint = ROBOT_REVOLUTE;
    for (int k = 0; k < 3; k++) {
      link->xyz[k] = rng_between(&d, -size, size);
      link->axis[k] = k == i % 3 ? 1.0 : 0.0;
    }
    draw_rpy(&d, link->rpy);

    link->mass = rng_between(&d, 0.5, 2.0);
    double square[3];
    for (int k = 0; k < 3; k++) {
      const double side = rng_between(&d, 0.3 * size, size);
      link->com[k] = rng_between(&d, -0.5 * size, 0.5 * size);
      square[k] = side * side;
    }
    for (int k = 0; k < 3; k++) {
      link->inertia[k] = link->mass / 12.0 * (square[(k + 1) % 3] + square[(k + 2) % 3]);
    }
    double rpy[3], R[9];
    draw_rpy(&d, rpy);
    robot_rotation(rpy, R);
    robot_turn_inertia(R, link->inertia);
  }
  return true;
}

void robot_drop_fixed_root(robot* r) {
  int root = 0;
  while (root < r->nlink && !(r->link[root].parent == -1 && r->link[root].joint == ROBOT_FIXED))
    root++;
  if (root == r->nlink) return;

  /* a displaced root would have to move its children */
  for (int k = 0; k < 3; k++) {
    if (r->link[root].xyz[k] != 0.0 || r->link[root].rpy[k] != 0.0) return;
  }

  r->nlink--;
  memmove(r->link + root, r->link + root + 1, sizeof *r->link * (size_t)(r->nlink - root));
  for (int i = 0; i < r->nlink; i++) {
    int* parent = &r->link[i].parent;
    if (*parent == root) {
      *parent = -1;
    } else if (*parent > root) {
      (*parent)--;
    }
  }
}

int robot_nq(const robot* r) {
  static const int size[] = {
      [ROBOT_FIXED] = 0, [ROBOT_REVOLUTE] = 1, [ROBOT_PRISMATIC] = 1, [ROBOT_FLOATING] = 7};
  int n = 0;
  for (int i = 0; i < r->nlink; i++)
    n += size[r->link[i].joint];
  return n;
}

int robot_nv(const robot* r) {
  static const int size[] = {
      [ROBOT_FIXED] = 0, [ROBOT_REVOLUTE] = 1, [ROBOT_PRISMATIC] = 1, [ROBOT_FLOATING] = 6};
  int n = 0;
  for (int i = 0; i < r->nlink; i++)
    n += size[r->link[i].joint];
  return n;
}

apl_status robot_to_spec(const robot* r, apl_spec* spec) {
  static const char* const word[] = {[ROBOT_FIXED] = "fixed",
                                     [ROBOT_REVOLUTE] = "revolute",
                                     [ROBOT_PRISMATIC] = "prismatic",
                                     [ROBOT_FLOATING] = "floating"};

  for (int i = 0; i < r->nlink; i++) {
    const robot_link* l = &r->link[i];
    const char* on = l->parent < 0 ? "world" : r->link[l->parent].name;
    const int link = apl_spec_link(spec, l->name, on, word[l->joint], "rigid");

    apl_pose at = apl_pose_at(l->xyz[0], l->xyz[1], l->xyz[2]);
    at.rotation = apl_quat_rpy(l->rpy[0], l->rpy[1], l->rpy[2]);
    apl_spec_place(spec, link, at);

    if (l->joint == ROBOT_REVOLUTE || l->joint == ROBOT_PRISMATIC) {
      apl_spec_put(spec, link, "joint.axis", l->axis, 3);
    }
    apl_spec_number(spec, link, "body.mass", l->mass);
    apl_spec_put(spec, link, "body.com", l->com, 3);
    apl_spec_put(spec, link, "body.inertia", l->inertia, 6);
  }
  return apl_spec_error(spec)->status;
}
