/* touch.c: the table of pairs of solids, and the pairs that are short. See solid.h. */
#include "math/touch_impl.h"

#include <math.h>
#include <string.h>

static const char* const words[SOLIDS] = {"sphere", "capsule", "cylinder", "box", "pipe"};

const char* apl_solid_word(solid_kind kind) {
  return kind < SOLIDS ? words[kind] : "";
}

solid_kind apl_solid_find(const char* word) {
  int i = 0;
  while (i < SOLIDS && strcmp(words[i], word) != 0)
    ++i;
  return (solid_kind)i;
}

/* ----------------------------------------------------------------------------------- pairs ---- */

static vec3 z_of(mat3 R) {
  return (vec3){R.xz, R.yz, R.zz};
}

/* The core of a sphere or a capsule in the world. */
static segment core(const solid* a, const pose* A) {
  return (segment){A->p, z_of(A->R), a->kind == SOLID_CAPSULE ? a->size[1] : 0.0, a->size[0]};
}

/* ... and in the frame of another solid */
static segment core_in(const solid* a, const pose* A, const pose* B) {
  segment g = core(a, A);
  g.c = mul_t(B->R, sub(g.c, B->p));
  g.d = mul_t(B->R, g.d);
  return g;
}

static void to_world(const pose* B, touch_point* t, int n) {
  for (int i = 0; i < n; ++i) {
    t[i].n = mul(B->R, t[i].n);
    t[i].x = add(mul(B->R, t[i].x), B->p);
  }
}

/* A unit vector across d. */
static vec3 any_across(vec3 d) {
  const vec3 e = fabs(d.x) < 0.7 ? (vec3){1.0, 0.0, 0.0} : (vec3){0.0, 1.0, 0.0};
  const vec3 a = cross(d, e);
  return scale(1.0 / sqrt(dot(a, a)), a);
}

/* Two round solids at the places s and t of their cores. */
static touch_point round_at(const segment* a, double s, const segment* b, double t) {
  const vec3 q = along_segment(b, t), apart = sub(along_segment(a, s), q);
  const double distance = sqrt(dot(apart, apart));
  vec3 n;

  if (distance > 1e-12 * (a->r + b->r)) {
    n = scale(1.0 / distance, apart);
  } else {
    /* cores cross: out of the plane of both */
    const vec3 both = cross(a->d, b->d);
    const double size = sqrt(dot(both, both));
    n = size > 1e-6 ? scale(1.0 / size, both) : any_across(a->d);
  }
  const double depth = a->r + b->r - distance;
  return (touch_point){n, add(q, scale(b->r - 0.5 * depth, n)), depth};
}

/* Nearest points of two segments, each free or at an end: with r = c_a - c_b,
     s = ((d_a . d_b) (d_b . r) - d_a . r) / (1 - (d_a . d_b)^2),   t = d_b . (r + s d_a)  */
static void round_round(const solid* a, const pose* A, const solid* b, const pose* B,
                        touch_point* out) {
  const segment g = core(a, A), k = core(b, B);
  const vec3 r = sub(g.c, k.c);
  const double turn = dot(g.d, k.d), ra = dot(g.d, r), rb = dot(k.d, r), sine = 1.0 - turn * turn;
  /* exactly parallel: any place of the common line, taken at its end */
  double s = sine > 1e-14 ? clamp_to((turn * rb - ra) / sine, g.h) : -g.h;
  const double t = clamp_to(turn * s + rb, k.h);

  s = clamp_to(turn * t - ra, g.h);
  touch_only(round_at(&g, s, &k, t), out);
  if (!(sine < TOUCH_PARALLEL * TOUCH_PARALLEL) || g.h == 0.0 || k.h == 0.0) return;
  /* side by side: the part of a that lies along b */
  const double line[2] = {fmax(-g.h, -ra - fabs(turn) * k.h), fmin(g.h, -ra + fabs(turn) * k.h)};
  double end[2];
  const int n = touch_ends(line, s, g.r + k.r, end);
  for (int i = 0; i < n; ++i)
    out[1 + i] = round_at(&g, end[i], &k, clamp_to(turn * end[i] + rb, k.h));
}

static void round_cylinder(const solid* a, const pose* A, const solid* b, const pose* B,
                           touch_point* out) {
  const segment g = core_in(a, A, B);

  apl_touch_cylinder(&g, b->size[0], b->size[1], out);
  to_world(B, out, ROUND_PLACES);
}

static void round_box(const solid* a, const pose* A, const solid* b, const pose* B,
                      touch_point* out) {
  const segment g = core_in(a, A, B);

  apl_touch_box(&g, b->size, out);
  to_world(B, out, ROUND_PLACES);
}

static void box_box(const solid* a, const pose* A, const solid* b, const pose* B,
                    touch_point* out) {
  const mat3 T = {B->R.xx, B->R.yx, B->R.zx, B->R.xy, B->R.yy, B->R.zy, B->R.xz, B->R.yz, B->R.zz};
  const pose in = {mat3_mul(T, A->R), mul_t(B->R, sub(A->p, B->p))};

  apl_touch_boxes(&in, a->size, b->size, out);
  to_world(B, out, TOUCH_MOST);
}

/* A ball in a pipe: n towards the axis, D = rho + r - R. Nothing is there beyond the mouths, and
   what is outside altogether does not touch the inside: a ball that is as deep as it is wide, a
   corner that is as far out as the wall is from the axis. */
static touch_point in_pipe(vec3 p, double r, const solid* pipe) {
  const double rho = hypot(p.x, p.y), R = pipe->size[0], depth = rho + r - R;
  const bool outside = depth > (r > 0.0 ? 2.0 * r : R);
  if (fabs(p.z) > pipe->size[1] * (1.0 + 1e-12) || outside) return touch_none();

  const vec3 n = rho > 1e-12 * R ? (vec3){-p.x / rho, -p.y / rho, 0.0} : (vec3){1.0, 0.0, 0.0};
  return (touch_point){n, sub(p, scale(r - 0.5 * depth, n)), depth};
}

/* The distance of a segment's points from the axis is convex: it is largest at an end. A mouth has
   no edge: an end that has left the pipe does not touch. */
static void round_pipe(const solid* a, const pose* A, const solid* b, const pose* B,
                       touch_point* out) {
  const segment g = core_in(a, A, B);

  out[0] = in_pipe(along_segment(&g, -g.h), g.r, b);
  out[1] = g.h > 0.0 ? in_pipe(along_segment(&g, g.h), g.r, b) : touch_none();
  to_world(B, out, 2);
}

/* Corners of a box; edges go straight between them, and a pipe is round. */
static void box_pipe(const solid* a, const pose* A, const solid* b, const pose* B,
                     touch_point* out) {
  for (int k = 0; k < 8; ++k) {
    const vec3 corner = {k & 1 ? a->size[0] : -a->size[0], k & 2 ? a->size[1] : -a->size[1],
                         k & 4 ? a->size[2] : -a->size[2]};
    const vec3 x = add(mul(A->R, corner), A->p);
    out[k] = in_pipe(mul_t(B->R, sub(x, B->p)), 0.0, b);
  }
  to_world(B, out, 8);
}

/* ----------------------------------------------------------------------------------- table ---- */

typedef struct touch_row {
  void (*measure)(const solid*, const pose*, const solid*, const pose*, touch_point*);
  int count;
} touch_row;

/* By the kinds of both; what stands here one way round is used for the other, too. */
static const touch_row table[SOLIDS][SOLIDS] = {
    [SOLID_SPHERE] = {[SOLID_SPHERE] = {round_round, 1},
                      [SOLID_CAPSULE] = {round_round, 1},
                      [SOLID_CYLINDER] = {round_cylinder, 1},
                      [SOLID_BOX] = {round_box, 1},
                      [SOLID_PIPE] = {round_pipe, 1}},
    [SOLID_CAPSULE] = {[SOLID_CAPSULE] = {round_round, ROUND_PLACES},
                       [SOLID_CYLINDER] = {round_cylinder, ROUND_PLACES},
                       [SOLID_BOX] = {round_box, ROUND_PLACES},
                       [SOLID_PIPE] = {round_pipe, 2}},
    [SOLID_BOX] = {[SOLID_BOX] = {box_box, TOUCH_MOST}, [SOLID_PIPE] = {box_pipe, 8}},
};

int apl_touch_count(solid_kind a, solid_kind b) {
  if (a >= SOLIDS || b >= SOLIDS) return 0;
  return table[a][b].count > 0 ? table[a][b].count : table[b][a].count;
}

void apl_touch_measure(const solid* a, const pose* A, const solid* b, const pose* B,
                       touch_point* out) {
  const touch_row* row = &table[a->kind][b->kind];
  touch_point found[TOUCH_MOST];

  if (row->measure != NULL) {
    row->measure(a, A, b, B, found);
  } else {
    row = &table[b->kind][a->kind];
    row->measure(b, B, a, A, found);
    for (int k = 0; k < row->count; ++k)
      found[k].n = neg(found[k].n);
  }
  memcpy(out, found, sizeof *out * (size_t)row->count);
}

/* ---------------------------------------------------------------------------------- bounds ---- */

/* Half the box about a disc of radius r across z: r sqrt(1 - z_i^2). */
static vec3 disc_half(double r, vec3 z) {
  return (vec3){r * sqrt(fmax(1.0 - z.x * z.x, 0.0)), r * sqrt(fmax(1.0 - z.y * z.y, 0.0)),
                r * sqrt(fmax(1.0 - z.z * z.z, 0.0))};
}

static vec3 size_of(vec3 a) {
  return (vec3){fabs(a.x), fabs(a.y), fabs(a.z)};
}

void apl_solid_bound(const solid* a, const pose* A, vec3* low, vec3* high) {
  const double *e = a->size, r = e[0];
  const vec3 z = z_of(A->R);
  const mat3 R = A->R;
  vec3 half = {r, r, r};

  switch (a->kind) {
  case SOLID_CAPSULE:
    half = add(half, scale(e[1], size_of(z)));
    break;
  case SOLID_CYLINDER:
  case SOLID_PIPE:
    half = add(disc_half(r, z), scale(e[1], size_of(z)));
    break;
  case SOLID_BOX:
    half = (vec3){e[0] * fabs(R.xx) + e[1] * fabs(R.xy) + e[2] * fabs(R.xz),
                  e[0] * fabs(R.yx) + e[1] * fabs(R.yy) + e[2] * fabs(R.yz),
                  e[0] * fabs(R.zx) + e[1] * fabs(R.zy) + e[2] * fabs(R.zz)};
    break;
  case SOLID_SPHERE:
  case SOLIDS:
    break;
  }
  *low = sub(A->p, half);
  *high = add(A->p, half);
}

double apl_solid_reach(const solid* a) {
  const double* e = a->size;

  switch (a->kind) {
  case SOLID_CAPSULE:
    return e[0] + e[1];
  case SOLID_CYLINDER:
  case SOLID_PIPE:
    return hypot(e[0], e[1]);
  case SOLID_BOX:
    return hypot(hypot(e[0], e[1]), e[2]);
  case SOLID_SPHERE:
  case SOLIDS:
    break;
  }
  return e[0];
}

/* Frisvad 2012, mirrored where n points down:
     e1 = (1 - x^2/(1+z), -x y/(1+z), -x),   e2 = (-x y/(1+z), 1 - y^2/(1+z), -y)  */
void apl_touch_axes(vec3 e[3]) {
  const bool down = e[0].z < -0.9;
  const vec3 n = down ? (vec3){-e[0].x, e[0].y, -e[0].z} : e[0];
  const double w = 1.0 / (1.0 + n.z);
  const vec3 a = {1.0 - n.x * n.x * w, -n.x * n.y * w, -n.x};

  /* a half turn about y takes the mirrored frame back */
  e[1] = down ? (vec3){-a.x, a.y, -a.z} : a;
  e[2] = cross(e[0], e[1]);
}
