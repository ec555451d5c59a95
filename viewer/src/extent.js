/* SPDX-License-Identifier: Apache-2.0 */
// extent.js: how far all that is drawn reaches, and where the floor is.

// R v of the unit quaternion [w, x, y, z]: v + 2 w u x v + 2 u x (u x v)
function turned([w, x, y, z], v) {
  const a = [y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]];
  const b = [y * a[2] - z * a[1], z * a[0] - x * a[2], x * a[1] - y * a[0]];
  return v.map((c, k) => c + 2 * (w * a[k] + b[k]));
}

// The box about a mesh in the frame of its shape, found once: its middle and half its edges.
const boxes = new WeakMap();
function boxOf(s, meshes) {
  if (!boxes.has(s)) {
    const { points } = meshes[s.mesh];
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < points.length; i++) {
      const x = points[i] * s.size[i % 3];
      if (x < low[i % 3]) low[i % 3] = x;
      if (x > high[i % 3]) high[i % 3] = x;
    }
    boxes.set(s, { middle: low.map((l, k) => (l + high[k]) / 2), size: low.map((l, k) => high[k] - l) });
  }
  return boxes.get(s);
}

const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

// How far a shape reaches from its middle along a direction d of its frame.
const round = ([r, length], [x, y, z]) => r * Math.hypot(x, y) + (Math.abs(z) * length) / 2;
const depths = {
  box: (size, d) => size.reduce((sum, s, k) => sum + (Math.abs(d[k]) * s) / 2, 0),
  cylinder: round,
  wheel: round,
  pipe: round,
  capsule: ([r, length], d) => r + (Math.abs(d[2]) * length) / 2,
  sphere: ([r]) => r,
  frame: () => 0,
};

const world = [0, 0, 0, 1, 0, 0, 0];
const poseOf = (run, port, frame) =>
  (port < 0 ? world : Array.from(run.poses.subarray((frame * run.ports.length + port) * 7, (frame * run.ports.length + port) * 7 + 7)));
const inverse = ([w, x, y, z]) => [w, -x, -y, -z];

// Call visit(k, low, high) for the world's axes k: where a shape begins and ends along them in a frame.
function extents(run, s, frame, visit) {
  const at = poseOf(run, s.port, frame);
  const q = at.slice(3);
  const middle = turned(q, s.offset.slice(0, 3));
  const mesh = s.type === 'mesh' ? boxOf(s, run.meshes) : null;
  axes.forEach((axis, k) => {
    const d = turned(inverse(s.offset.slice(3)), turned(inverse(q), axis));
    const r = mesh ? depths.box(mesh.size, d) : depths[s.type](s.size, d);
    const x = at[k] + middle[k] + (mesh ? mesh.middle.reduce((sum, m, c) => sum + m * d[c], 0) : 0);
    visit(k, x - r, x + r);
  });
}

// At most 200 frames stand for all.
function* someFrames(run) {
  const stride = Math.max(1, Math.floor(run.times.length / 200));
  for (let f = 0; f < run.times.length; f += stride) yield f;
}

// The reach of what is drawn: its box over all frames, and the largest size of the robot in one frame.
export function reach(run) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const nport = run.ports.length;
  const pad = new Float64Array(nport);
  for (const s of run.strips) for (const p of s.ports) pad[p] = Math.max(pad[p], ...(s.half ?? []));
  let robot = 0;

  for (const f of someFrames(run)) {
    const l = [Infinity, Infinity, Infinity];
    const h = [-Infinity, -Infinity, -Infinity];
    const include = (k, a, b) => {
      if (!Number.isFinite(a + b)) return;
      l[k] = Math.min(l[k], a);
      h[k] = Math.max(h[k], b);
    };
    for (let p = 0; p < nport; p++) {
      for (let k = 0; k < 3; k++) {
        const x = run.poses[(f * nport + p) * 7 + k];
        include(k, x - pad[p], x + pad[p]);
      }
    }
    for (const s of run.shapes) if (s.port >= 0) extents(run, s, f, include);
    if (h[0] >= l[0]) robot = Math.max(robot, Math.hypot(h[0] - l[0], h[1] - l[1], h[2] - l[2]));
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], l[k]);
      high[k] = Math.max(high[k], h[k]);
    }
  }
  if (!low.concat(high).every(Number.isFinite)) return { low: [-1, -1, -1], high: [1, 1, 1], robot: 1 };
  return { low, high, robot };
}

// The lowest point of these shapes in these frames; Infinity without any.
function lowestOf(run, shapes, frames) {
  let lowest = Infinity;
  for (const f of frames) {
    for (const s of shapes) {
      extents(run, s, f, (k, low) => {
        if (k === 2 && low < lowest) lowest = low;
      });
    }
  }
  return lowest;
}

// The lowest point of all shapes in all frames.
export function lowestShape(run) {
  return lowestOf(run, run.shapes.filter((s) => s.port >= 0 && s.type !== 'mesh'), someFrames(run));
}

// Ports that stand where they stood at the start, as far as a reader can see.
function stillPorts(run) {
  const nport = run.ports.length;
  const still = new Set(run.ports.keys());
  for (const f of someFrames(run)) {
    for (const p of still) {
      for (let k = 0; k < 7; k++) if (Math.abs(run.poses[(f * nport + p) * 7 + k] - run.poses[p * 7 + k]) > 1e-5) still.delete(p);
    }
  }
  return still;
}

// The height of the floor that a robot stands on where nobody described a ground: under its wheels, else under what
// stands still and has the robot above it (a base, feet, a table). NaN for what hangs, flies or lies.
export function floorOf(run) {
  const wheels = run.arrows.filter((a) => a.kind === 'wheel' && a.port >= 0).map((a) => {
    const at = poseOf(run, a.port, 0);
    return at[2] + turned(at.slice(3), a.offset)[2];
  });
  if (wheels.length) return Math.min(...wheels);
  const still = run.live ? new Set() : stillPorts(run); // all of a live run stands still as yet
  const base = lowestOf(run, run.shapes.filter((s) => s.port === -1 || still.has(s.port)), [0]);
  const heights = run.ports.flatMap((p, i) => (still.has(i) ? [] : [run.poses[i * 7 + 2]]));
  const mean = heights.reduce((a, b) => a + b, 0) / heights.length;
  return base < mean ? base : NaN;
}
