/* SPDX-License-Identifier: Apache-2.0 */
/* peer_mujoco.c: MuJoCo through its C interface. Its top-level functions do much besides (contacts,
   sensors, actuators), so the tasks are composed of its own stages for smooth dynamics:
     inverse   kinematics, velocities, recursive Newton-Euler with accelerations
     forward   kinematics, composite inertias, factor, velocities, Newton-Euler, solve
     mass      kinematics, composite inertias (its packed form; unpacking is not timed) */
#define _POSIX_C_SOURCE 200809L
#include "peer.h"

#include <mujoco/mujoco.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct mujoco {
  mjModel* m;
  mjData* d;
  convention c;
  mjtNum* work;   /* [nv] right-hand side of the solve, result of Newton-Euler */
  mjtNum* matrix; /* [nv*nv] */
} mujoco;

/* --- the model ------------------------------------------------------------------------- */

/* As URDF, not in MuJoCo's own XML: that nests bodies, and its parser refuses deep trees. */

static void write_link(FILE* f, const robot_link* l) {
  (void)fprintf(f, "<link name=\"%s\">", l->name);
  if (l->mass > 0.0) {
    const double *c = l->com, *I = l->inertia;
    (void)fprintf(f,
                  "<inertial><origin xyz=\"%.17g %.17g %.17g\"/><mass value=\"%.17g\"/>"
                  "<inertia ixx=\"%.17g\" iyy=\"%.17g\" izz=\"%.17g\" ixy=\"%.17g\" "
                  "ixz=\"%.17g\" iyz=\"%.17g\"/></inertial>",
                  c[0], c[1], c[2], l->mass, I[0], I[1], I[2], I[3], I[4], I[5]);
  }
  (void)fprintf(f, "</link>\n");
}

static void write_joint(FILE* f, const robot* r, const robot_link* l) {
  static const char* const type[] = {[ROBOT_FIXED] = "fixed",
                                     [ROBOT_REVOLUTE] = "continuous",
                                     [ROBOT_PRISMATIC] = "prismatic",
                                     [ROBOT_FLOATING] = "floating"};
  const char* parent = l->parent < 0 ? "world" : r->link[l->parent].name;
  (void)fprintf(f,
                "<joint name=\"%s\" type=\"%s\"><parent link=\"%s\"/><child link=\"%s\"/>"
                "<origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/>"
                "<axis xyz=\"%.17g %.17g %.17g\"/></joint>\n",
                l->name, type[l->joint], parent, l->name, l->xyz[0], l->xyz[1], l->xyz[2],
                l->rpy[0], l->rpy[1], l->rpy[2], l->axis[0], l->axis[1], l->axis[2]);
}

static void write_model(FILE* f, const robot* r) {
  (void)fprintf(f, "<robot name=\"%s\">\n<link name=\"world\"/>\n", r->name);
  for (int i = 0; i < r->nlink; i++)
    write_link(f, &r->link[i]);
  for (int i = 0; i < r->nlink; i++)
    write_joint(f, r, &r->link[i]);
  (void)fprintf(f, "</robot>\n");
}

/* Through a file: the interface to files in memory changed between versions, this did not. */
static mjModel* load(const robot* r, char* why) {
  char path[] = "/tmp/appell-bench-XXXXXX";
  const int fd = mkstemp(path);
  FILE* f = fd < 0 ? NULL : fdopen(fd, "w");
  if (f == NULL) {
    (void)snprintf(why, PEER_WHY, "cannot write %s", path);
    return NULL;
  }
  write_model(f, r);
  (void)fclose(f);
  mjModel* m = mj_loadXML(path, NULL, why, PEER_WHY);
  (void)remove(path);
  return m;
}

/* --- ops ---------------------------------------------------------------------------------- */

static void close_mujoco(void* self) {
  mujoco* p = self;
  if (p->d != NULL) mj_deleteData(p->d);
  if (p->m != NULL) mj_deleteModel(p->m);
  convention_free(&p->c);
  free(p->work);
  free(p->matrix);
  free(p);
}

/* Where each of our coordinates stands in qpos and qvel. */
static void map_coordinates(mujoco* p, const robot* r) {
  int q = 0, v = 0;
  for (int i = 0; i < r->nlink; i++) {
    if (r->link[i].joint == ROBOT_FIXED) continue;
    const int joint = mj_name2id(p->m, mjOBJ_JOINT, r->link[i].name);
    const int q0 = p->m->jnt_qposadr[joint], v0 = p->m->jnt_dofadr[joint];
    if (r->link[i].joint == ROBOT_FLOATING) {
      /* qpos has our order; qvel is linear in the world, then angular in the body */
      for (int k = 0; k < 7; k++)
        p->c.q[q++] = q0 + k;
      for (int k = 0; k < 6; k++)
        p->c.v[v++] = v0 + (k + 3) % 6;
    } else {
      p->c.q[q++] = q0;
      p->c.v[v++] = v0;
    }
  }
  p->c.linear_world = true;
}

static void* open_mujoco(const robot* r, int nstate, char* why) {
  mujoco* p = calloc(1, sizeof *p);
  if (p == NULL) return NULL;
  (void)snprintf(why, PEER_WHY, "the robot does not fit its conventions");
  if (!convention_new(r, nstate, &p->c) || (p->m = load(r, why)) == NULL) {
    close_mujoco(p);
    return NULL;
  }
  const size_t nv = (size_t)p->m->nv;
  p->d = mj_makeData(p->m);
  p->work = malloc(sizeof(mjtNum) * nv);
  p->matrix = malloc(sizeof(mjtNum) * nv * nv);
  if (p->d == NULL || p->work == NULL || p->matrix == NULL || p->m->nv != p->c.nv) {
    (void)snprintf(why, PEER_WHY, "no memory, or %d velocities where %d are expected", p->m->nv,
                   p->c.nv);
    close_mujoco(p);
    return NULL;
  }
  map_coordinates(p, r);
  return p;
}

static void put(void* self, int k, const double* q, const double* v, const double* a,
                const double* tau) {
  convention_put(&((mujoco*)self)->c, k, q, v, a, tau);
}

static void take(mjtNum* to, const double* rows, int k, int n) {
  memcpy(to, rows + k * n, sizeof(mjtNum) * (size_t)n);
}

static int inverse(void* self, int k) {
  mujoco* p = self;
  take(p->d->qpos, p->c.peer_q, k, p->c.nq);
  take(p->d->qvel, p->c.peer_v, k, p->c.nv);
  take(p->d->qacc, p->c.peer_a, k, p->c.nv);
  mj_kinematics(p->m, p->d);
  mj_comPos(p->m, p->d);
  mj_comVel(p->m, p->d);
  mj_rne(p->m, p->d, 1, p->work);
  return 0;
}

static int forward(void* self, int k) {
  mujoco* p = self;
  const double* tau = p->c.peer_tau + k * p->c.nv;
  take(p->d->qpos, p->c.peer_q, k, p->c.nq);
  take(p->d->qvel, p->c.peer_v, k, p->c.nv);
  mj_kinematics(p->m, p->d);
  mj_comPos(p->m, p->d);
  mj_crb(p->m, p->d);
  mj_factorM(p->m, p->d);
  mj_comVel(p->m, p->d);
  mj_rne(p->m, p->d, 0, p->work);
  for (int i = 0; i < p->c.nv; i++)
    p->work[i] = tau[i] - p->work[i];
  mj_solveM(p->m, p->d, p->d->qacc, p->work, 1);
  return 0;
}

static int mass(void* self, int k) {
  mujoco* p = self;
  take(p->d->qpos, p->c.peer_q, k, p->c.nq);
  mj_kinematics(p->m, p->d);
  mj_comPos(p->m, p->d);
  mj_crb(p->m, p->d);
  return 0;
}

static void get(void* self, peer_task task, int k, double* out) {
  mujoco* p = self;
  switch (task) {
  case PEER_INVERSE:
    convention_effort(&p->c, k, p->work, out);
    break;
  case PEER_FORWARD:
    convention_acceleration(&p->c, k, p->d->qacc, out);
    break;
  case PEER_MASS:
    mj_fullM(p->m, p->matrix, p->d->qM);
    convention_mass(&p->c, k, p->matrix, out);
    break;
  case PEER_TASKS:
  case PEER_NONE:
    break;
  }
}

extern const peer_ops peer_mujoco;
const peer_ops peer_mujoco = {
    .name = "MuJoCo",
    .open = open_mujoco,
    .put = put,
    .run = {[PEER_INVERSE] = inverse, [PEER_FORWARD] = forward, [PEER_MASS] = mass},
    .get = get,
    .close = close_mujoco,
};
