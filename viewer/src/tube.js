/* SPDX-License-Identifier: Apache-2.0 */
// tube.js: tubes that move. Their topology is fixed; only positions and normals change.
//   TubeGeometry   smooth through points: a Catmull-Rom curve, round sections carried without twist
//   StripGeometry  a body that bends, through poses: the screw between neighbours, sections as they are
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Vector3 } from 'three';
import { alongStrip } from './screw.js';

const sides = 14;
const cosine = Array.from({ length: sides }, (_, k) => Math.cos((2 * Math.PI * k) / sides));
const sine = Array.from({ length: sides }, (_, k) => Math.sin((2 * Math.PI * k) / sides));

// Samples per span: long strips are already fine.
const samplesFor = (n) => Math.max(1, Math.min(10, Math.ceil(80 / (n - 1))));

// Rings per element: many where there are few elements, for each may bend far.
const ringsFor = (elements) => Math.max(8, Math.min(40, Math.ceil(160 / elements)));

// Rings of vertices, and a vertex in the middle of either end.
class RingGeometry extends BufferGeometry {
  constructor(nring) {
    super();
    this.nring = nring;
    const nvertex = nring * sides + 2;
    for (const name of ['position', 'normal']) {
      const a = new BufferAttribute(new Float32Array(nvertex * 3), 3);
      a.setUsage(DynamicDrawUsage);
      this.setAttribute(name, a);
    }
    this.setIndex(indices(nring));
  }

  // The middle point of an end, a little outside so that the end looks round.
  cap(vertex, centre, tangent, out) {
    const d = new Vector3().copy(tangent).multiplyScalar(Math.sign(out));
    this.attributes.normal.setXYZ(vertex, d.x, d.y, d.z);
    d.copy(tangent).multiplyScalar(out).add(centre);
    this.attributes.position.setXYZ(vertex, d.x, d.y, d.z);
  }

  changed() {
    this.attributes.position.needsUpdate = true;
    this.attributes.normal.needsUpdate = true;
  }
}

export class TubeGeometry extends RingGeometry {
  constructor(npoint, radius, straight = false) {
    const per = straight ? 1 : samplesFor(npoint);
    super((npoint - 1) * per + 1);
    this.npoint = npoint;
    this.radius = radius;
    this.per = per;
    this.centre = Array.from({ length: this.nring }, () => new Vector3());
  }

  // points: Vector3 [npoint]
  follow(points) {
    this.sample(points);
    const position = this.attributes.position;
    const normal = this.attributes.normal;
    const last = this.nring - 1;
    const tangent = new Vector3(0, 0, 1);
    const e1 = new Vector3();
    const e2 = new Vector3();
    const d = new Vector3();

    for (let i = 0; i <= last; i++) {
      // tangent by central differences; where points coincide the last one stays
      d.subVectors(this.centre[Math.min(i + 1, last)], this.centre[Math.max(i - 1, 0)]);
      if (d.lengthSq() > 0) tangent.copy(d).normalize();
      if (i === 0) {
        e1.set(Math.abs(tangent.x) < 0.7 ? 1 : 0, Math.abs(tangent.x) < 0.7 ? 0 : 1, 0);
        this.cap(this.nring * sides, this.centre[0], tangent, -0.5 * this.radius);
      }
      // the section turns only as much as the tangent does
      e1.addScaledVector(tangent, -e1.dot(tangent)).normalize();
      e2.crossVectors(tangent, e1);
      for (let k = 0; k < sides; k++) {
        d.copy(e1).multiplyScalar(cosine[k]).addScaledVector(e2, sine[k]);
        const v = i * sides + k;
        normal.setXYZ(v, d.x, d.y, d.z);
        d.multiplyScalar(this.radius).add(this.centre[i]);
        position.setXYZ(v, d.x, d.y, d.z);
      }
    }
    this.cap(this.nring * sides + 1, this.centre[last], tangent, 0.5 * this.radius);
    this.changed();
  }

  sample(points) {
    const n = this.npoint;
    for (let s = 0; s < n - 1; s++) {
      const p0 = points[Math.max(s - 1, 0)];
      const p1 = points[s];
      const p2 = points[s + 1];
      const p3 = points[Math.min(s + 2, n - 1)];
      for (let k = 0; k < this.per; k++) {
        const u = k / this.per;
        const c = this.centre[s * this.per + k];
        c.set(
          catmullRom(p0.x, p1.x, p2.x, p3.x, u),
          catmullRom(p0.y, p1.y, p2.y, p3.y, u),
          catmullRom(p0.z, p1.z, p2.z, p3.z, u),
        );
      }
    }
    this.centre[this.nring - 1].copy(points[n - 1]);
  }
}

// half: half the size of the section along x and y of its poses; z goes along the body.
export class StripGeometry extends RingGeometry {
  constructor(ports, half) {
    const per = ringsFor(ports.length - 1);
    super((ports.length - 1) * per + 1);
    this.ports = ports;
    this.per = per;
    this.rings = new Float64Array(7 * this.nring);
    this.half = half;

    // an ellipse, and its normals: the same for all sections
    const [a, b] = half;
    this.outline = cosine.map((c, k) => [a * c, b * sine[k]]);
    this.outward = cosine.map((c, k) => [b * c, a * sine[k]].map((x) => x / Math.hypot(b * c, a * sine[k])));
  }

  // poses: those of all ports, x y z qw qx qy qz each
  follow(poses) {
    const r = alongStrip(poses, this.ports, this.per, this.rings);
    const position = this.attributes.position.array;
    const normal = this.attributes.normal.array;
    let at = 0;

    for (let i = 0; i < r.length; i += 7) {
      // axes x and y of the section, columns of the matrix of its quaternion
      const w = r[i + 3];
      const x = r[i + 4];
      const y = r[i + 5];
      const z = r[i + 6];
      const xx = 1 - 2 * (y * y + z * z);
      const xy = 2 * (x * y + w * z);
      const xz = 2 * (x * z - w * y);
      const yx = 2 * (x * y - w * z);
      const yy = 1 - 2 * (x * x + z * z);
      const yz = 2 * (y * z + w * x);
      for (let k = 0; k < sides; k++, at += 3) {
        const [a, b] = this.outline[k];
        const [c, d] = this.outward[k];
        position[at] = r[i] + a * xx + b * yx;
        position[at + 1] = r[i + 1] + a * xy + b * yy;
        position[at + 2] = r[i + 2] + a * xz + b * yz;
        normal[at] = c * xx + d * yx;
        normal[at + 1] = c * xy + d * yy;
        normal[at + 2] = c * xz + d * yz;
      }
    }
    this.end(this.nring * sides, 0, -1);
    this.end(this.nring * sides + 1, r.length - 7, 1);
    this.changed();
  }

  end(vertex, at, side) {
    const [px, py, pz, w, x, y, z] = this.rings.subarray(at, at + 7);
    const tangent = new Vector3(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y));
    this.cap(vertex, new Vector3(px, py, pz), tangent, 0.5 * side * Math.min(...this.half));
  }
}

function catmullRom(p0, p1, p2, p3, u) {
  const a = 2 * p1;
  const b = p2 - p0;
  const c = 2 * p0 - 5 * p1 + 4 * p2 - p3;
  const d = 3 * p1 - p0 - 3 * p2 + p3;
  return 0.5 * (a + u * (b + u * (c + u * d)));
}

function indices(nring) {
  const out = [];
  for (let i = 0; i + 1 < nring; i++) {
    for (let k = 0; k < sides; k++) {
      const a = i * sides + k;
      const b = i * sides + ((k + 1) % sides);
      out.push(a, b, a + sides, b, b + sides, a + sides);
    }
  }
  const first = nring * sides;
  const end = (nring - 1) * sides;
  for (let k = 0; k < sides; k++) {
    const next = (k + 1) % sides;
    out.push(first, next, k, first + 1, end + k, end + next);
  }
  return out;
}
