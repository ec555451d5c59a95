/* SPDX-License-Identifier: Apache-2.0 */
// values.js: numbers of a run at any time, and channels that the page makes itself: where ports are.
import { frameAt } from './motion.js';

// The value of samples at time t, straight between them.
export function sampleAt(times, values, t) {
  if (times.length === 0) return 0;
  const i = frameAt(times, t);
  const j = Math.min(i + 1, times.length - 1);
  const step = times[j] - times[i];
  const s = step > 0 ? Math.min(Math.max((t - times[i]) / step, 0), 1) : 0;
  return s === 0 ? values[i] : (1 - s) * values[i] + s * values[j];
}

// value(name) at the time that was set; 0 for channels that are not there.
export class Values {
  constructor(run) {
    this.run = run;
    this.byName = new Map(run.channels.map((c) => [c.name, c]));
    this.t = run.times[0];
  }

  at(name) {
    const c = this.byName.get(name);
    return c ? sampleAt(this.run.rows, c.values, this.t) : 0;
  }
}

// Positions of ports over the frames, where the run has not recorded them; made when they are asked for.
export function addPositions(run) {
  const known = new Set(run.channels.map((c) => c.name));
  const sameTimes = run.rows.length === run.times.length;
  if (!sameTimes) return;
  run.ports.forEach((port, p) => {
    if (!port.trail || !port.name) return;
    'xyz'.split('').forEach((axis, k) => {
      const name = `${port.name.replaceAll(' ', '-')}.position.${axis}`;
      if (known.has(name)) return;
      let values = null;
      run.channels.push({
        name, unit: 'm', text: `${axis} of ${port.name}`, made: true,
        get values() {
          if (run.live) values = null; // frames come and go
          values ??= Float64Array.from(run.times, (_, f) => run.poses[(f * run.ports.length + p) * 7 + k]);
          return values;
        },
      });
    });
  });
}
