/* SPDX-License-Identifier: Apache-2.0 */
// screw.mjs: bodies between their ends, against exact arcs. The references are closed forms in the
// plane and, in space, the series of the matrix exponential: neither uses quaternions or logarithms.
import assert from 'node:assert/strict';
import { alongScrew, alongStrip } from '../src/screw.js';

const n = 12;

// 4x4 matrices, row by row
const product = (A, B) =>
  A.map((_, e) => [0, 1, 2, 3].reduce((sum, k) => sum + A[4 * (e >> 2) + k] * B[4 * k + (e & 3)], 0));

// exp of the twist (w, v): 60 terms, so that angles up to pi leave nothing
function exp([wx, wy, wz, vx, vy, vz]) {
  const A = [0, -wz, wy, vx, wz, 0, -wx, vy, -wy, wx, 0, vz, 0, 0, 0, 0];
  let term = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  let sum = term;
  for (let k = 1; k < 60; k++) {
    term = product(term, A).map((x) => x / k);
    sum = sum.map((x, i) => x + term[i]);
  }
  return sum;
}

// x y z and quaternion, which is taken from the whole turn by its axis: fine below half a revolution
function poseOf(M) {
  const w = Math.sqrt(1 + M[0] + M[5] + M[10]) / 2;
  const q = [w, (M[9] - M[6]) / (4 * w), (M[2] - M[8]) / (4 * w), (M[4] - M[1]) / (4 * w)];
  return [M[3], M[7], M[11], ...q];
}

// A matrix from a pose
function matrixOf([x, y, z, w, a, b, c]) {
  return [
    1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b), x,
    2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a), y,
    2 * (a * c - w * b), 2 * (b * c + w * a), 1 - 2 * (a * a + b * b), z,
    0, 0, 0, 1,
  ];
}

const base = exp([0.4, -0.7, 0.3, 1.2, -0.8, 0.5]); // anywhere in space

// Largest difference of the matrices of n poses from those of want(s)
function worst(poses, want) {
  let most = 0;
  for (let i = 0; i < n; i++) {
    const M = want(i / n);
    matrixOf(poses.slice(7 * i, 7 * i + 7)).forEach((x, k) => {
      most = Math.max(most, Math.abs(x - M[k]));
    });
  }
  return most;
}

// Poses between the ends of a body of one constant strain; `sign` -1 writes the tip's quaternion so
function between(strain, sign = 1) {
  const ends = [...poseOf(base), ...poseOf(product(base, exp(strain)))];
  for (let k = 10; k < 14; k++) ends[k] *= sign;
  const out = new Float64Array(7 * n);
  alongScrew(ends, 0, 1, n, out, 0);
  return Array.from(out);
}

const offBy = (strain, sign) => worst(between(strain, sign), (s) => product(base, exp(strain.map((x) => s * x))));

const checks = {
  // r = L/angle: x = r (1 - cos), z = r sin
  'a quarter circle in the plane'() {
    const [L, angle] = [0.8, Math.PI / 2];
    const at = (s) => [
      (L / angle) * (1 - Math.cos(s * angle)), 0, (L / angle) * Math.sin(s * angle),
      Math.cos((s * angle) / 2), 0, Math.sin((s * angle) / 2), 0,
    ];
    const out = new Float64Array(7 * n);
    alongScrew([...at(0), ...at(1)], 0, 1, n, out, 0);
    assert.ok(worst(Array.from(out), (s) => matrixOf(at(s))) < 1e-15);
  },

  // round-off of a dozen steps
  'bending and torsion in space'() {
    assert.ok(offBy([0.9, -0.5, 1.4, 0, 0, 0.6]) < 3e-15);
    assert.ok(offBy([0.9, -0.5, 1.4, 0.03, -0.02, 0.6]) < 3e-15, 'with shear');
    assert.ok(offBy([0, 0, 2, 0, 0, 0.6]) < 3e-15, 'torsion alone');
  },

  // The quaternion of the tip comes from w = cos(t/2) = 8e-4: that leaves 1e-16/8e-4
  'nearly half a revolution'() {
    assert.ok(offBy([0, 3.14, 0, 0, 0, 0.6]) < 1e-12);
  },

  'a straight body stays straight'() {
    assert.ok(offBy([0, 0, 0, 0, 0, 0.6]) < 2e-15);
    assert.ok(between([0, 0, 0, 0, 0, 0.6]).every(Number.isFinite));
    assert.ok(between([0, 0, 0, 0, 0, 0]).every(Number.isFinite), 'also one without length');
  },

  // the series take over below 1e-3
  'angles near zero'() {
    for (const angle of [1.1e-3, 1.0001e-3, 0.9999e-3, 0.9e-3, 1e-4, 1e-6, 1e-8, 1e-12, 1e-200]) {
      const off = offBy([0.6 * angle, 0.8 * angle, 0, 0, 0, 0.6]);
      assert.ok(off < 3e-15, `${off} at ${angle}`);
    }
  },

  'q and -q are one rotation'() {
    assert.ok(offBy([0.9, -0.5, 1.4, 0, 0, 0.6], -1) < 3e-15);
    assert.ok(offBy([0, 0, 0, 0, 0, 0.6], -1) < 2e-15);
  },

  'a strip goes through its ends in their order'() {
    const tip = product(base, exp([0.3, 0.2, 0, 0, 0, 0.1]));
    const end = product(tip, exp([-0.5, 0, 0.1, 0, 0, 0.1]));
    const poses = [...poseOf(end), ...poseOf(base), ...poseOf(tip)];
    const out = Array.from(alongStrip(poses, [1, 2, 0], 8, new Float64Array(7 * 17)));
    assert.deepEqual(out.slice(0, 7), poses.slice(7, 14));
    assert.deepEqual(out.slice(7 * 8, 7 * 9), poses.slice(14, 21));
    assert.deepEqual(out.slice(7 * 16), poses.slice(0, 7));
  },
};

let failures = 0;
for (const [name, check] of Object.entries(checks)) {
  try {
    check();
    console.log(`ok    ${name}`);
  } catch (e) {
    failures++;
    console.log(`FAIL  ${name}\n${e.stack}`);
  }
}
process.exit(failures ? 1 : 0);
