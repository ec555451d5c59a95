// mesh.js: triangles of files, smooth where they were meant to be round and sharp at their edges, in the
// colours of their file.
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

const geometries = new WeakMap(); // of each mesh, by the colour of the shape where that is seen

export function meshGeometry(mesh, colour) {
  const key = mesh.paints ? colour : '';
  const known = geometries.get(mesh) ?? new Map();
  if (!known.has(key)) {
    const g = new BufferGeometry();
    const position = new Float32Array(3 * mesh.triangles.length);
    mesh.triangles.forEach((p, i) => position.set(mesh.points.subarray(3 * p, 3 * p + 3), 3 * i));
    g.setAttribute('position', new BufferAttribute(position, 3));
    g.setAttribute('normal', new BufferAttribute(cornerNormals(mesh), 3));
    if (mesh.paints) g.setAttribute('color', new BufferAttribute(cornerColours(mesh, colour), 3));
    known.set(key, g);
    geometries.set(mesh, known);
  }
  return known.get(key);
}
