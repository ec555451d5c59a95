/* SPDX-License-Identifier: Apache-2.0 */
// motion.js: where the ports are at any time between two frames, and which of them travels farthest.

// Largest i with times[i] <= t, at least 0.
export function frameAt(times, t) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Write the poses at time t into out [nport][7]: straight between frames, quaternions normalised.
export function posesAt(run, t, out) {
  const { times, poses } = run;
  const n = run.ports.length * 7;
  const i = frameAt(times, t);
  const j = Math.min(i + 1, times.length - 1);
  const step = times[j] - times[i];
  const s = step > 0 ? Math.min(Math.max((t - times[i]) / step, 0), 1) : 0;
  const a = i * n;
  const b = j * n;

  for (let p = 0; p < n; p += 7) {
    for (let k = 0; k < 3; k++) out[p + k] = (1 - s) * poses[a + p + k] + s * poses[b + p + k];

    // q and -q are one rotation: take the nearer one
    let dot = 0;
    for (let k = 3; k < 7; k++) dot += poses[a + p + k] * poses[b + p + k];
    const sign = dot < 0 ? -s : s;
    let square = 0;
    for (let k = 3; k < 7; k++) {
      out[p + k] = (1 - s) * poses[a + p + k] + sign * poses[b + p + k];
      square += out[p + k] * out[p + k];
    }
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let k = 3; k < 7; k++) out[p + k] *= scale;
    if (!(square > 0)) out[p + 3] = 1;
  }
  return out;
}

// The lowest place of any port in any frame.
export function lowestPort(run) {
  let low = Infinity;
  for (let i = 2; i < run.poses.length; i += 7) if (run.poses[i] < low) low = run.poses[i];
  return low;
}

// The length of the path of a port, in at most 2000 steps.
function pathLength(run, port) {
  const nport = run.ports.length;
  const stride = Math.max(1, Math.ceil(run.times.length / 2000));
  let sum = 0;
  for (let f = stride; f < run.times.length; f += stride) {
    const a = ((f - stride) * nport + port) * 7;
    const b = (f * nport + port) * 7;
    sum += Math.hypot(...[0, 1, 2].map((k) => run.poses[b + k] - run.poses[a + k]));
  }
  return sum;
}

// The port that travels farthest of those that may have a trail, the later one among equals; -1 when nothing moves.
export function busiestPort(run) {
  let best = -1;
  let most = 0;
  for (let p = 0; p < run.ports.length; p++) {
    const length = run.ports[p].trail === false ? 0 : pathLength(run, p);
    if (length > 0 && length >= most) {
      most = length;
      best = p;
    }
  }
  return best;
}
