/* SPDX-License-Identifier: Apache-2.0 */
// mesh.js: triangles of files, smooth where they were meant to be round and sharp at their edges, in the
// colours of their file or under its images.
import { BufferAttribute, BufferGeometry, Color } from 'three';

const crease = Math.cos((40 * Math.PI) / 180); // two faces that meet flatter than this are one surface

// The normal of each triangle, as long as twice its area.
function faceNormals({ points, triangles }) {
  const out = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const u = [0, 1, 2].map((k) => points[b + k] - points[a + k]);
    const v = [0, 1, 2].map((k) => points[c + k] - points[a + k]);
    out[t] = u[1] * v[2] - u[2] * v[1];
    out[t + 1] = u[2] * v[0] - u[0] * v[2];
    out[t + 2] = u[0] * v[1] - u[1] * v[0];
  }
  return out;
}

// Which triangles meet at each point: those of point p are faces[first[p]] .. faces[first[p + 1] - 1].
function facesOfPoints({ points, triangles }) {
  const first = new Uint32Array(points.length / 3 + 1);
  for (const p of triangles) first[p + 1] += 1;
  for (let p = 1; p < first.length; p++) first[p] += first[p - 1];
  const next = first.slice();
  const faces = new Uint32Array(triangles.length);
  triangles.forEach((p, i) => {
    faces[next[p]++] = i - (i % 3);
  });
  return { first, faces };
}

// At each corner the mean of the faces that meet there, of those that are not across an edge.
function cornerNormals(mesh) {
  const n = faceNormals(mesh);
  const { first, faces } = facesOfPoints(mesh);
  const length = (t) => Math.hypot(n[t], n[t + 1], n[t + 2]) || 1;
  const out = new Float32Array(3 * mesh.triangles.length);
  mesh.triangles.forEach((p, i) => {
    const t = i - (i % 3);
    const sum = [0, 0, 0];
    for (let k = first[p]; k < first[p + 1]; k++) {
      const f = faces[k];
      const dot = n[t] * n[f] + n[t + 1] * n[f + 1] + n[t + 2] * n[f + 2];
      if (f !== t && dot < crease * length(t) * length(f)) continue;
      for (let j = 0; j < 3; j++) sum[j] += n[f + j];
    }
    const size = Math.hypot(...sum) || 1;
    for (let j = 0; j < 3; j++) out[3 * i + j] = sum[j] / size;
  });
  return out;
}

// Colours of the corners; those that the file leaves open have the colour of the shape.
function cornerColours(mesh, otherwise) {
  const out = new Float32Array(3 * mesh.triangles.length);
  let at = 0;
  for (const { count, colour } of mesh.paints) {
    const { r, g, b } = new Color(colour ?? otherwise);
    for (const end = at + 9 * count; at < end; at += 3) out.set([r, g, b], at);
  }
  return out;
}

// The runs of triangles by their texture: texture -> [first corner, corner after the last], null: without one.
// An image that the browser could not decode is none.
function runsByTexture(mesh, otherwise, images) {
  const runs = new Map();
  let at = 0;
  for (const { count, colour, image } of mesh.paints ?? [{ count: mesh.triangles.length / 3, image: -1 }]) {
    const key = images[image]?.(colour ?? otherwise) ?? null;
    if (!runs.has(key)) runs.set(key, []);
    runs.get(key).push([at, at + 3 * count]);
    at += 3 * count;
  }
  return runs;
}

// The values of some corners, `size` numbers each.
function pieceOf(values, runs, size) {
  const parts = runs.map(([from, to]) => values.subarray(size * from, size * to));
  const out = new Float32Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) {
    out.set(p, at);
    at += p.length;
  }
  return new BufferAttribute(out, size);
}

function makePieces(mesh, colour, images) {
  const position = new Float32Array(3 * mesh.triangles.length);
  mesh.triangles.forEach((p, i) => position.set(mesh.points.subarray(3 * p, 3 * p + 3), 3 * i));
  const normal = cornerNormals(mesh); // of the whole mesh: it is smooth where one image ends and another begins
  const hue = mesh.paints && cornerColours(mesh, colour);
  return [...runsByTexture(mesh, colour, images)].map(([texture, runs]) => {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', pieceOf(position, runs, 3));
    geometry.setAttribute('normal', pieceOf(normal, runs, 3));
    if (texture) geometry.setAttribute('uv', pieceOf(mesh.uv, runs, 2));
    else if (hue) geometry.setAttribute('color', pieceOf(hue, runs, 3));
    return { geometry, texture };
  });
}

const known = new WeakMap(); // of each mesh, by the colour of the shape where that is seen

// The pieces of a mesh, {geometry, texture}: one for each texture, and one for all that has none.
export function meshPieces(mesh, colour, images) {
  const key = mesh.paints ? colour : '';
  const made = known.get(mesh) ?? new Map();
  if (!made.has(key)) made.set(key, makePieces(mesh, colour, images));
  known.set(mesh, made);
  return made.get(key);
}
