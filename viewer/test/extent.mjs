/* SPDX-License-Identifier: Apache-2.0 */
// extent.mjs: where the floor of a page is, and how far a robot reaches, without a browser.
import assert from 'node:assert/strict';
import { floorOf, reach } from '../src/extent.js';

const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

// A run of two frames of one or more ports; poses: [frame][port] = [x, y, z] or all seven numbers.
function run(poses, more = {}) {
  const full = poses.flat().flatMap((p) => (p.length === 7 ? p : [...p, 1, 0, 0, 0]));
  return {
    times: poses.map((_, i) => i), ports: poses[0].map((_, i) => ({ name: `p${i}`, kind: 'port' })),
    poses: Float32Array.from(full), shapes: [], strips: [], arrows: [], meshes: [], live: null, ...more,
  };
}
const offset = [0, 0, 0, 1, 0, 0, 0];
const foot = { type: 'cylinder', port: -1, size: [0.2, 0.1], offset: [0, 0, -0.05, 1, 0, 0, 0] };

// an arm on a base swings below it: the floor stays under the base
near(floorOf(run([[[0, 0, 0.5], [0, 0, 1]], [[0, 0, 0.5], [0.4, 0, -1]]], { shapes: [foot] })), -0.1);
// also where the base is a link that does not move, as in a URDF
const box = { type: 'box', port: 0, size: [1, 1, 0.4], offset };
near(floorOf(run([[[0, 0, 0], [0, 0, 1]], [[0, 0, 0], [0, 0, -2]]], { shapes: [box] })), -0.2);
// a base that is a wide, flat mesh, drawn at half its size: the floor is below the mesh, not below a ball about it
const plate = { type: 'mesh', mesh: 0, port: 0, size: [0.5, 0.5, 0.5], offset };
const meshes = [{ points: [-1, -1, 0.1, 1, -1, 0.1, 1, 1, -0.3] }];
near(floorOf(run([[[0, 0, 0], [0, 0, 1]], [[0, 0, 0], [0, 0, -2]]], { shapes: [plate], meshes })), -0.15);
// a pendulum hangs: no floor is known
assert.ok(Number.isNaN(floorOf(run([[[0, 0, 0], [0, 0, -1]], [[0, 0, 0], [1, 0, -0.3]]], { shapes: [{ ...foot, offset: [0, 0, 0.05, 1, 0, 0, 0] }] }))));
// wheels stand on the floor, whatever the arm does; this one stands 0.3 m high
const wheel = { kind: 'wheel', port: 0, offset: [0, 0, -0.1], name: 'w' };
near(floorOf(run([[[0, 0, 0.4], [0, 0, 1]], [[1, 0, 0.4], [0, 0, -3]]], { arrows: [wheel] })), 0.3);
// nothing moves yet in a live run, but its feet are there
near(floorOf(run([[[0, 0, 0.5]]], { shapes: [foot], live: {} })), -0.1);

// a rod of 0.8 m along x, whose port is at its end, reaches 0.8 m and not twice as far
const s = Math.SQRT1_2;
const rod = { type: 'cylinder', port: 0, size: [0.01, 0.8], offset: [0.4, 0, 0, s, 0, s, 0] };
const { low, high, robot } = reach(run([[[0, 0, 0]]], { shapes: [rod] }));
near(low[0], 0);
near(high[0], 0.8);
near(robot, Math.hypot(0.8, 0.02, 0.02));
console.log('extent: good');
