/* SPDX-License-Identifier: Apache-2.0 */
/* urdf_impl.h: what the parts of the URDF reader share: urdf.c puts the tree together, urdf_parts.c
   reads what hangs on one link or joint, urdf_notes.c tells what became of it, urdf_package.c finds
   meshes. */
#pragma once

#include "spec/file_impl.h"
#include "text/xml.h"

/* A <link> and the <joint> that carries it. */
typedef struct urdf_link {
  const xml_node* link;
  const xml_node* joint; /* NULL for the root                                                   */
  const char* name;      /* as in the file                                                      */
  const char* called;    /* as in the spec, where names have a stricter grammar                 */
  const char* joint_called; /* its joint, likewise                                               */
} urdf_link;

typedef struct urdf {
  apl_file* file;
  apl_spec* spec;
  const apl_load_options* options;
  apl_report* report;
  const xml_node* robot;
  urdf_link* link;
  int nlink;
  int* order; /* [nlink] root first, then as the joints stand in the file                        */
  int norder;
  const char* lost[8]; /* packages that were not found, each told once                            */
  int nlost;
  const char*
      meshed[4]; /* links with collision meshes, which nothing touches; the first few of .. */
  const char* last_meshed;
  int nmeshed;
  apl_actuators* interface; /* [links of the spec] as <ros2_control> or <transmission> say      */
} urdf;

/* One line of the import report. */
void apl_urdf_note(urdf* u, apl_verdict verdict, const xml_node* node, const char* format, ...)
    APL_PRINTF(4, 5);

/* A note that refuses, and the same sentence as a mistake of the load. */
void apl_urdf_refuse(urdf* u, const xml_node* node, const char* format, ...) APL_PRINTF(3, 4);

/* A note and a warning for what is read as well as can be; refused where the load is strict. */
void apl_urdf_doubt(urdf* u, const xml_node* node, const char* format, ...) APL_PRINTF(3, 4);

/* A note for an element nobody asked for. */
void apl_urdf_unknown(urdf* u, const xml_node* node, const char* owner);

/* n numbers of an attribute. False when it is not there or refused; out is then untouched. What
   stands behind them is a doubt. */
bool apl_urdf_numbers(urdf* u, const xml_node* node, const char* attribute, int n, double* out);

/* The same, of an element that must be there. */
bool apl_urdf_required(urdf* u, const xml_node* owner, const xml_node* node, const char* element,
                       const char* attribute, int n, double* out);

/* <origin>; identity when the node is NULL. */
apl_pose apl_urdf_origin(urdf* u, const xml_node* node);

/* What stands inside <link> and <joint>, into link `i` of the spec. */
void apl_urdf_link_parts(urdf* u, const urdf_link* l, int i);
void apl_urdf_joint_parts(urdf* u, const urdf_link* l, int i);

/* urdf_control.c: interfaces, limits and initial values of <ros2_control> and <transmission>, when
   all links are in the spec. */
void apl_urdf_control(urdf* u);

/* floor.c: a floor as the options wish it. */
void apl_urdf_floor(urdf* u);

/* motors.c: motors as the options wish them, behind it. */
void apl_urdf_motors(urdf* u);

/* The path of a mesh in the spec's pool, as seen from the folder of the file: package://NAME/REST
   is looked for in the package path of the options and in the folders above the file; as it is
   where it is not found, which is told. */
const char* apl_urdf_mesh(urdf* u, const xml_node* node, const char* name);
