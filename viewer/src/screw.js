/* SPDX-License-Identifier: Apache-2.0 */
// screw.js: the poses between two poses. A body of constant strain runs from one end of an element
// to the next along the screw that joins them, g(s) = exp(s log g): exact, not a smoothing. Turns of
// half a revolution or more between neighbours are not seen: the shorter way is taken.
// Poses are x y z qw qx qy qz, in one flat array.

const twist = new Float64Array(7); // the relative pose, then the step of one interval

// c = a b of quaternions, c at `to` of out
function multiply(out, to, aw, ax, ay, az, bw, bx, by, bz) {
  out[to] = aw * bw - ax * bx - ay * by - az * bz;
  out[to + 1] = aw * bx + ax * bw + ay * bz - az * by;
  out[to + 2] = aw * by - ax * bz + ay * bw + az * bx;
  out[to + 3] = aw * bz + ax * by - ay * bx + az * bw;
}

// a + R b, R of the unit quaternion: t = 2 v x b, R b = b + w t + v x t
function carry(out, to, x, y, z, w, vx, vy, vz, bx, by, bz) {
  const tx = 2 * (vy * bz - vz * by);
  const ty = 2 * (vz * bx - vx * bz);
  const tz = 2 * (vx * by - vy * bx);
  out[to] = x + bx + w * tx + (vy * tz - vz * ty);
  out[to + 1] = y + by + w * ty + (vz * tx - vx * tz);
  out[to + 2] = z + bz + w * tz + (vx * ty - vy * tx);
}

// out = in + a phi x in + b phi x (phi x in), in place on twist[0..2]
function bend(px, py, pz, a, b) {
  const [x, y, z] = twist;
  const cx = py * z - pz * y;
  const cy = pz * x - px * z;
  const cz = px * y - py * x;
  twist[0] = x + a * cx + b * (py * cz - pz * cy);
  twist[1] = y + a * cy + b * (pz * cx - px * cz);
  twist[2] = z + a * cz + b * (px * cy - py * cx);
}

// The 1/n-th part of the motion from pose a to pose b (offsets in `poses`), in the frame of a.
function stepBetween(poses, a, b, n) {
  const w = poses[a + 3];
  const x = poses[a + 4];
  const y = poses[a + 5];
  const z = poses[a + 6];

  multiply(twist, 3, w, -x, -y, -z, poses[b + 3], poses[b + 4], poses[b + 5], poses[b + 6]);
  carry(twist, 0, 0, 0, 0, w, -x, -y, -z, poses[b] - poses[a], poses[b + 1] - poses[a + 1], poses[b + 2] - poses[a + 2]);

  // q = (cos t/2, sin t/2 e): phi = t e; q and -q are one rotation
  const sign = twist[3] < 0 ? -1 : 1;
  const sine = Math.hypot(twist[4], twist[5], twist[6]);
  const t = 2 * Math.atan2(sine, sign * twist[3]);
  const small = t < 1e-3; // the next terms of the series below are under 1e-14
  const scale = (sign * (small ? 2 + (t * t) / 12 : t / sine)) / n;
  const px = scale * twist[4];
  const py = scale * twist[5];
  const pz = scale * twist[6];

  // V^-1(phi) = 1 - phi/2 + k phi^2 with k t^2 = 1 - t/2 cot(t/2); here with phi n for phi
  const k = small ? 1 / 12 + (t * t) / 720 : (1 - (0.5 * t) / Math.tan(0.5 * t)) / (t * t);
  bend(px, py, pz, -0.5 * n, k * n * n);

  // V(phi) = 1 + (1 - cos t)/t^2 phi + (t - sin t)/t^3 phi^2, of one step
  const u = t / n;
  const half = Math.sin(0.5 * u);
  const c2 = small ? 0.5 - (u * u) / 24 : (2 * half * half) / (u * u);
  const c3 = small ? 1 / 6 - (u * u) / 120 : (u - Math.sin(u)) / (u * u * u);
  for (let i = 0; i < 3; i++) twist[i] /= n;
  bend(px, py, pz, c2, c3);

  const s = small ? 0.5 - (u * u) / 48 : half / u;
  twist[3] = Math.cos(0.5 * u);
  twist[4] = s * px;
  twist[5] = s * py;
  twist[6] = s * pz;
}

// n poses at equal steps from pose number a of `poses` on, without b itself, into out from number
// `first` on.
export function alongScrew(poses, a, b, n, out, first) {
  stepBetween(poses, 7 * a, 7 * b, n);
  const [dx, dy, dz, dw, ex, ey, ez] = twist;
  let at = 7 * first;

  for (let k = 0; k < 7; k++) out[at + k] = poses[7 * a + k];
  for (let i = 1; i < n; i++, at += 7) {
    const w = out[at + 3];
    const x = out[at + 4];
    const y = out[at + 5];
    const z = out[at + 6];
    carry(out, at + 7, out[at], out[at + 1], out[at + 2], w, x, y, z, dx, dy, dz);
    multiply(out, at + 10, w, x, y, z, dw, ex, ey, ez);
  }
}

// Poses along a whole body: `per` from each of its ends to the next, and the last end.
export function alongStrip(poses, ports, per, out) {
  const last = ports.length - 1;
  for (let i = 0; i < last; i++) alongScrew(poses, ports[i], ports[i + 1], per, out, i * per);
  for (let k = 0; k < 7; k++) out[7 * last * per + k] = poses[7 * ports[last] + k];
  return out;
}
