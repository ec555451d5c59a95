/* SPDX-License-Identifier: Apache-2.0 */
/* tree.c: see tree.h. */
#include "near.h"

#include "spec/words.h"
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ports of a random link: "a" and "b" anywhere on the body. */
static void add_ports(plan_link* link, rng* r) {
  const bool deforms = kind_of_body(link->body)->deforms;
  plan_at_port(link, "a", deforms ? 1.0 : 0.0, rng_pose(r, 0.3));
  plan_at_port(link, "b", deforms ? rng_between(r, 0.1, 0.9) : 0.0, rng_pose(r, 0.3));
}

/* The numbers of a link that may be anywhere in the tree. */
static void dress(plan_link* link, rng* r, tree_options options) {
  kind_fill(link, r);
  link->at = rng_pose(r, 0.2);
  if (options & TREE_BARE) {
    kind_take_wheels(link);
  } else if (rng_below(r, 3) == 0) {
    kind_furnish(link, r);
  }
}

/* What may draw a train: all that moves in a plane; without wheels nothing steered. */
static const char* pick_tractor(rng* r, tree_options options) {
  static const char* const word[] = {"differential-drive", "knife-edge", "mecanum", "planar",
                                     "car-front",          "car-rear"};
  return word[rng_below(r, options & TREE_BARE ? 4 : 6)];
}

/* A tractor on an incline, a trailer at its hitch, another at the trailer's. Their plane is common:
   no `normal`, hitches without rotation. */
static int add_train(plan* p, rng* r, tree_options options) {
  static const char* const name[3] = {"tractor", "cart", "tail"};
  static const char* const on[3] = {"world", "tractor.hitch", "cart.hitch"};

  for (int i = 0; i < 3; i++) {
    plan_link* link =
        plan_add(p, name[i], on[i], i == 0 ? pick_tractor(r, options) : "trailer", "rigid");
    kind_fill(link, r);
    if (i == 0) plan_vec3(link, "joint.normal", 0, 0, 1);
    if (options & TREE_BARE) kind_take_wheels(link);
    link->at = i == 0 ? rng_pose(r, 0.5) : apl_pose_identity();
    plan_at_port(link, "hitch", 0, apl_pose_at(-rng_between(r, 0.1, 0.4), 0, 0.05));
    add_ports(link, r);
  }
  return kind_of_joint(p->link[0].joint)->nv;
}

/* A joint that may stand anywhere: all but the slaved ones, and without wheels no steered ones. */
static const char* pick_joint(rng* r, tree_options options) {
  int n = 0;
  while (apl_joint_word(n) != NULL)
    n++;
  for (;;) {
    const kind* joint = kind_of_joint(apl_joint_word(rng_below(r, n)));
    if (!joint->slaved && !(joint->steered && (options & TREE_BARE))) return joint->word;
  }
}

static const char* pick_body(rng* r, tree_options options) {
  int n = 0;
  while (kind_body(n) != NULL)
    n++;
  if (rng_below(r, 2) == 0) return "rigid"; /* half of them, however many kinds there are */
  for (;;) {
    const char* word = kind_body(rng_below(r, n));
    if (!(options & TREE_RIGID) || !kind_of_body(word)->deforms) return word;
  }
}

/* Where the next link hangs: mostly on one of the last links, so that chains get deep. */
static void pick_place(const plan* p, rng* r, tree_options options, char* on, size_t size) {
  const int back = rng_below(r, 3) > 0 ? 3 : p->nlink;
  const int i = p->nlink == 0 ? -1 : p->nlink - 1 - rng_below(r, back < p->nlink ? back : p->nlink);

  if (i < 0 || (!(options & TREE_FREE) && rng_below(r, 12) == 0)) {
    snprintf(on, size, "world");
    return;
  }
  static const char* const port[4] = {"", ".a", ".b", ".tip"};
  const bool tip = kind_of_body(p->link[i].body)->deforms;
  snprintf(on, size, "%s%s", p->link[i].name, port[rng_below(r, tip ? 4 : 3)]);
}

/* Take the mass from links whose one freedom is held by what hangs further out: a body with mass on
   a joint with few freedoms, in general position, so that the mass matrix stays regular. */
static void take_mass(plan* p) {
  const double zero[6] = {0};
  bool holds[PLAN_LINKS] = {false};

  for (int child = 1; child < p->nlink; child++) {
    const int i = plan_parent(p, child);
    const kind* joint = kind_of_joint(p->link[child].joint);
    const plan_field* mass = plan_find(&p->link[child], "body.mass");
    const bool able = mass != NULL && mass->value[0] > 0 && joint->nv <= 2 && !joint->slaved;

    if (i < 0 || holds[i] || !able || kind_of_joint(p->link[i].joint)->nv != 1 ||
        plan_find(&p->link[i], "body.mass") == NULL) {
      continue;
    }
    holds[child] = true;
    plan_number(&p->link[i], "body.mass", 0);
    plan_put(&p->link[i], "body.inertia", zero, 6);
    plan_put(&p->link[i], "body.com", zero, 3);
  }
}

plan* tree_random(rng* r, int freedoms, tree_options options) {
  plan* p = plan_new();
  int have = 0;
  double g[3];

  rng_fill(r, g, 3, 10);
  p->gravity = (apl_vec3){g[0], g[1], g[2]};
  if (options & TREE_TRAIN) have += add_train(p, r, options);
  while (have < freedoms && p->nlink < PLAN_LINKS) {
    char name[16];
    char on[32];
    const bool root = p->nlink == 0 && (options & TREE_FREE);

    snprintf(name, sizeof name, "n%d", p->nlink);
    pick_place(p, r, options, on, sizeof on);
    const char* joint = root ? "floating" : pick_joint(r, options);

    /* a straight slender body has no inertia about its own line: not on a joint that frees it all
     */
    const bool stout = root || kind_of_joint(joint)->nv > 2;
    plan_link* link = plan_add(p, name, on, joint, stout ? "rigid" : pick_body(r, options));
    dress(link, r, root ? TREE_BARE : options);
    add_ports(link, r);
    have += kind_of_joint(link->joint)->nv + kind_of_body(link->body)->nv;
  }
  if (options & TREE_MASSLESS) take_mass(p);
  return p;
}

plan* tree_vary(const plan* from, rng* r) {
  plan* p = plan_copy(from);

  p->gravity.z -= rng_between(r, 1, 2);
  for (int i = 0; i < p->nlink; i++) {
    plan_link* link = &p->link[i];
    for (int k = 0; k < link->nfield; k++) {
      plan_field* f = &link->field[k];

      /* a rotation at rest must stay one, and so must a count; all other fields keep their
         meaning when scaled */
      if (strcmp(f->path, "joint.rest") == 0) continue;
      if (strcmp(f->path, "body.elements") == 0 || strcmp(f->path, "body.modes") == 0) continue;
      const double factor = rng_between(r, 0.8, 1.25);
      for (int j = 0; j < f->n; j++)
        f->value[j] *= factor;
    }
    link->rotor.inertia *= rng_between(r, 0.8, 1.25);
    link->rotor.ratio *= rng_between(r, 0.8, 1.25);
    link->at.position.x += rng_between(r, -0.1, 0.1);
    for (int k = 0; k < link->nport; k++)
      link->port[k].at.position.x -= rng_between(r, 0.0, 0.1);
  }
  return p;
}

void tree_inputs(plan* p) {
  for (int i = 0; i < p->nlink && p->ninput < PLAN_INPUTS; i++) {
    const plan_link link = p->link[i];
    const kind* joint = kind_of_joint(link.joint);
    const char* satellite = link.rotor.used ? "rotor" : joint->wheels;
    plan_input input = {.gain = 1.0 + 0.5 * p->ninput};

    if (kind_of_body(link.body)->deforms && p->ninput % 2 == 1) {
      const double wrench[6] = {0.3, -0.2, 0.1, 0.5, 0.7, -0.4};
      snprintf(input.target, sizeof input.target, "%s.%s", link.name, i % 2 == 0 ? "tip" : "root");
      memcpy(input.wrench, wrench, sizeof wrench);
      input.push = true;
      input.axes = i % 4 < 2 ? APL_WORLD_AXES : APL_PORT_AXES;
    } else if (satellite != NULL) {
      snprintf(input.target, sizeof input.target, "%s.%s", link.name, satellite);
    } else if (kind_of_body(link.body)->nv > 0) {
      snprintf(input.target, sizeof input.target, "%s.%s", link.name,
               kind_of_body(link.body)->drives);
    } else if (strcmp(link.joint, "revolute") == 0) {
      snprintf(input.target, sizeof input.target, "%s.joint.angle", link.name);
    } else {
      continue;
    }
    snprintf(input.name, sizeof input.name, "motor%d", p->ninput);
    p->input[p->ninput++] = input;
  }
}
