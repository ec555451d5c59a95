/* spec_impl.h: the spec as plain data: what was written, defaults filled, nothing derived. */
#pragma once

#include "appell/spec.h"

#include "base/pool.h"
#include "element/element.h"

typedef struct spec_port {
  const char* name;
  double station;
  apl_pose at;
} spec_port;

typedef struct spec_rotor {
  const char* name;
  int velocity;
  double inertia, ratio;
} spec_rotor;

typedef struct spec_input {
  const char* name;
  const char* target;
  double gain;
} spec_input;

typedef struct spec_link {
  const char* name;
  const char* on;
  apl_pose at;
  int joint_kind, body_kind; /* indices of the registries                                   */
  void* joint_param;         /* struct of the kind, filled through its field table          */
  void* body_param;
  unsigned long long joint_given; /* bit per field: was it set                                   */
  unsigned long long body_given;
  double stiffness[APL_MAX_NV], damping[APL_MAX_NV], rest[APL_MAX_NQ];
  double friction[APL_MAX_NV],
      friction_speed; /* dry friction, and the speed that rounds its corner */
  double lower[APL_MAX_NV], upper[APL_MAX_NV]; /* stops; infinite where there is none */
  double stop_stiffness, stop_damping;
  bool joint_prescribed, body_prescribed;
  spec_port* port;
  int nport;
  spec_rotor* rotor;
  int nrotor;
} spec_link;

struct apl_spec {
  apl_error error; /* the first mistake */
  apl_vec3 gravity;
  spec_link** link;
  int nlink;
  spec_input* input;
  int ninput;
  apl_pool pool;
};
