/* urdf_impl.h: what the two halves of the URDF reader share: urdf.c puts the tree together,
   urdf_parts.c reads what hangs on one link or joint. */
#pragma once

#include "spec/file_impl.h"
#include "text/xml.h"

/* A <link> and the <joint> that carries it. */
typedef struct urdf_link {
  const xml_node* link;
  const xml_node* joint; /* NULL for the root                                                   */
  const char* name;      /* as in the file                                                      */
  const char* called;    /* as in the spec, where names have a stricter grammar                 */
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
} urdf;

/* One line of the import report. */
void apl_urdf_note(urdf* u, apl_verdict verdict, const xml_node* node, const char* format, ...)
    APL_PRINTF(4, 5);

/* A note that refuses, and the same sentence as a mistake of the load. */
void apl_urdf_refuse(urdf* u, const xml_node* node, const char* format, ...) APL_PRINTF(3, 4);

/* A note for an element nobody asked for. */
void apl_urdf_unknown(urdf* u, const xml_node* node, const char* owner);

/* n numbers of an attribute. False when it is not there or refused; out is then untouched. */
bool apl_urdf_numbers(urdf* u, const xml_node* node, const char* attribute, int n, double* out);

/* <origin>; identity when the node is NULL. */
apl_pose apl_urdf_origin(urdf* u, const xml_node* node);

/* What stands inside <link> and <joint>, into link `i` of the spec. */
void apl_urdf_link_parts(urdf* u, const urdf_link* l, int i);
void apl_urdf_joint_parts(urdf* u, const urdf_link* l, int i);
