// tube.js: a smooth tube through moving points: a Catmull-Rom curve with round sections that are
// carried along it without twist. The topology is fixed; only positions and normals change.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Vector3 } from 'three';

const sides = 14;

// Samples per span: long strips are already fine.
const samplesFor = (n) => Math.max(1, Math.min(10, Math.ceil(80 / (n - 1))));

export class TubeGeometry extends BufferGeometry {
  constructor(npoint, radius, straight = false) {
    super();
    this.npoint = npoint;
    this.radius = radius;
    this.per = straight ? 1 : samplesFor(npoint);
    this.nring = (npoint - 1) * this.per + 1;
    const nvertex = this.nring * sides + 2;
    for (const name of ['position', 'normal']) {
      const a = new BufferAttribute(new Float32Array(nvertex * 3), 3);
      a.setUsage(DynamicDrawUsage);
      this.setAttribute(name, a);
    }
    this.setIndex(indices(this.nring));
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
        this.cap(this.nring * sides, this.centre[0], tangent, -1);
      }
      // the section turns only as much as the tangent does
      e1.addScaledVector(tangent, -e1.dot(tangent)).normalize();
      e2.crossVectors(tangent, e1);
      for (let k = 0; k < sides; k++) {
        const angle = (2 * Math.PI * k) / sides;
        d.copy(e1).multiplyScalar(Math.cos(angle)).addScaledVector(e2, Math.sin(angle));
        const v = i * sides + k;
        normal.setXYZ(v, d.x, d.y, d.z);
        d.multiplyScalar(this.radius).add(this.centre[i]);
        position.setXYZ(v, d.x, d.y, d.z);
      }
    }
    this.cap(this.nring * sides + 1, this.centre[last], tangent, 1);
    position.needsUpdate = true;
    normal.needsUpdate = true;
  }

  // The middle point of an end, a little outside so that the end looks round.
  cap(vertex, centre, tangent, side) {
    const out = new Vector3().copy(tangent).multiplyScalar(side);
    this.attributes.normal.setXYZ(vertex, out.x, out.y, out.z);
    out.multiplyScalar(0.5 * this.radius).add(centre);
    this.attributes.position.setXYZ(vertex, out.x, out.y, out.z);
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
