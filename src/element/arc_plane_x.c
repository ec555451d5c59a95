/* SPDX-License-Identifier: Apache-2.0 */
/* arc_plane_x.c: an arc that bends about x only. It is arc_plane.c in axes rotated by 90 deg about
   z,
     x' = -y, y' = x, z' = z
   so that a positive angle about y' bends z towards x' = -y. In arc_plane_par jx and jy are
   exchanged. */
#include "element/arc_plane.h"

#ifdef APL_HOT

/* from the axes of the plane to those of the body, and back */
HOT_INLINE vec3 from_quarter(vec3 a) {
  return (vec3){a.y, -a.x, a.z};
}
HOT_INLINE vec3 to_quarter(vec3 a) {
  return (vec3){-a.y, a.x, a.z};
}

HOT_INLINE sym3 sym3_from_quarter(sym3 A) {
  return (sym3){A.yy, A.xx, A.zz, -A.xy, A.yz, -A.xz};
}

/* Q A Q^T */
HOT_INLINE mat3 mat3_from_quarter(mat3 A) {
  return (mat3){A.yy, -A.yx, A.yz, -A.xy, A.xx, -A.xz, A.zy, -A.zx, A.zz};
}

HOT_INLINE void column_from_quarter(real* S) {
  const twist V = column(S, 0);
  set_column(S, 0, (twist){from_quarter(V.w), from_quarter(V.v)});
}

static void arc_plane_x_shape(const body_in* in, const real* at, section* out) {
  arc_plane_shape(in, at, out);
  out->X = (pose){mat3_from_quarter(out->X.R), from_quarter(out->X.p)};
  out->c = (twist){from_quarter(out->c.w), from_quarter(out->c.v)};
  column_from_quarter(out->S);
}

static void arc_plane_x_balance(const body_in* in, vec3 w, body_block* out) {
  arc_plane_balance(in, to_quarter(w), out);
  out->I.J = sym3_from_quarter(out->I.J);
  out->I.H = mat3_from_quarter(out->I.H);
  out->b = (wrench){from_quarter(out->b.n), from_quarter(out->b.f)};
  column_from_quarter(out->U);
}

static wrench arc_plane_x_drag(const body_in* in, twist V, real* Q) {
  const wrench W = arc_plane_drag(in, (twist){to_quarter(V.w), to_quarter(V.v)}, Q);
  return (wrench){from_quarter(W.n), from_quarter(W.f)};
}

static real arc_plane_x_channel(const body_in* in, vec3 d, real* slope) {
  return arc_plane_channel(in, to_quarter(d), slope);
}

static const body_ops arc_plane_x_ops = {
    .shape = arc_plane_x_shape,
    .balance = arc_plane_x_balance,
    .potential = arc_plane_potential,
    .stiffness = arc_plane_stiffness,
    .dissipation = arc_plane_dissipation,
    .drag = arc_plane_x_drag,
    .plane_shape = arc_plane_flat_shape,
    .plane_balance = arc_plane_flat_balance,
    .plane_of_x = true,
    .channel = arc_plane_x_channel,
    .uniform = true,
};

#endif
