/* SPDX-License-Identifier: Apache-2.0 */
// magnify.js: deformation made larger for the eye. The strain between neighbouring sections of a body
// that bends, xi = log(g_a^-1 g_b), is taken `factor` times as far from straight; whatever hangs on
// the body is carried along rigidly. Forces and numbers stay as they are.
import { Matrix4, Quaternion, Vector3 } from 'three';

const p = new Vector3();
const q = new Quaternion();
const one = new Vector3(1, 1, 1);
const phi = new Vector3();
const c1 = new Vector3();
const c2 = new Vector3();

function read(poses, port, M) {
  const i = 7 * port;
  p.set(poses[i], poses[i + 1], poses[i + 2]);
  q.set(poses[i + 4], poses[i + 5], poses[i + 6], poses[i + 3]);
  return M.compose(p, q, one);
}

function write(poses, port, M) {
  M.decompose(p, q, c1);
  poses.set([p.x, p.y, p.z, q.w, q.x, q.y, q.z], 7 * port);
}

// v + a phi x v + b phi x (phi x v)
function bent(v, a, b) {
  c1.crossVectors(phi, v);
  c2.crossVectors(phi, c1);
  return v.addScaledVector(c1, a).addScaledVector(c2, b);
}

// The relative pose M with its strain `factor` times as far from straight along z.
export function exaggerate(M, factor) {
  M.decompose(p, q, c1);
  if (q.w < 0) q.set(-q.x, -q.y, -q.z, -q.w);
  const sine = Math.hypot(q.x, q.y, q.z);
  const t = 2 * Math.atan2(sine, q.w);
  phi.set(q.x, q.y, q.z).multiplyScalar(sine > 1e-12 ? t / sine : 2);
  const near = t < 1e-4;
  const v = bent(p.clone(), -0.5, near ? 1 / 12 : (1 - (t * Math.sin(t)) / (2 * (1 - Math.cos(t)))) / (t * t));

  // straight: all of the length along z
  v.set(factor * v.x, factor * v.y, v.length() + factor * (v.z - v.length()));
  phi.multiplyScalar(factor);
  const s = phi.length();
  const small = s < 1e-4;
  bent(v, small ? 0.5 : (1 - Math.cos(s)) / (s * s), small ? 1 / 6 : (s - Math.sin(s)) / s ** 3);
  q.setFromAxisAngle(small ? c1.set(0, 0, 1) : c1.copy(phi).divideScalar(s), small ? 0 : s);
  return M.compose(v, q, one);
}

export class Magnifier {
  constructor(run) {
    const stripOf = new Map(run.strips.map((s) => [run.ports[s.ports[1]].link, s.ports]));
    this.nport = run.ports.length;
    this.any = stripOf.size > 0;
    this.before = Array.from({ length: this.nport }, () => new Matrix4());
    this.moves = Array.from({ length: this.nport }, () => new Matrix4());
    const first = run.poses;
    const near = (port, sections) => {
      const away = (s) => Math.hypot(...[0, 1, 2].map((k) => first[7 * s + k] - first[7 * port + k]));
      return sections.reduce((best, s) => (away(s) < away(best) ? s : best), sections[0]);
    };
    // parents stand before their children: each step says what moves a port
    this.steps = [];
    run.links.forEach((l) => {
      const strip = stripOf.get(l.name);
      const on = run.ports[l.port].parent;
      this.steps.push({ root: l.port, on, strip });
      run.ports.forEach((port, i) => {
        if (port.link === l.name && i !== l.port && !strip?.includes(i)) {
          this.steps.push({ port: i, with: strip ? near(i, strip) : l.port });
        }
      });
    });
    const all = [...stripOf.values()].flat();
    run.ports.forEach((port, i) => {
      if (port.kind === 'tendon' && all.length) this.steps.push({ port: i, with: near(i, all) });
    });
  }

  // poses [nport * 7], changed in place
  apply(poses, factor) {
    if (!this.any || factor === 1) return;
    for (let i = 0; i < this.nport; i++) {
      read(poses, i, this.before[i]);
      this.moves[i].identity();
    }
    for (const s of this.steps) {
      if (s.port !== undefined) this.moves[s.port].copy(this.moves[s.with]);
      else {
        if (s.on >= 0) this.moves[s.root].copy(this.moves[s.on]);
        if (s.strip) this.bend(s.strip, this.moves[s.root], factor);
      }
    }
    for (let i = 0; i < this.nport; i++) write(poses, i, this.before[i].premultiply(this.moves[i]));
  }

  bend(strip, move, factor) {
    const now = new Matrix4().multiplyMatrices(move, this.before[strip[0]]);
    const step = new Matrix4();
    this.moves[strip[0]].copy(move);
    for (let k = 1; k < strip.length; k++) {
      step.copy(this.before[strip[k - 1]]).invert().multiply(this.before[strip[k]]);
      now.multiply(exaggerate(step, factor));
      // what takes the section from where it was to where it is drawn
      this.moves[strip[k]].copy(this.before[strip[k]]).invert().premultiply(now);
    }
  }
}
