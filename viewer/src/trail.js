/* SPDX-License-Identifier: Apache-2.0 */
// trail.js: the paths of chosen ports: faint as a whole, strong up to the present time. Where a long
// run was thinned, its data has the paths of all outputs.
import { Group } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { frameAt } from './motion.js';

const mostPoints = 20000;

// Points and their times.
function pathOf(run, port) {
  const all = run.trails.find((t) => t.port === port);
  if (all) return { times: all.times, points: Array.from(all.points) };
  const { times, poses, ports } = run;
  const stride = Math.max(1, Math.ceil(times.length / mostPoints));
  const out = { times: [], points: [] };
  for (let f = 0; f < times.length; f += stride) {
    const at = (f * ports.length + port) * 7;
    out.times.push(times[f]);
    out.points.push(poses[at], poses[at + 1], poses[at + 2]);
  }
  return out;
}

export class Trails {
  constructor(run) {
    this.run = run;
    this.object = new Group();
    this.whole = new LineMaterial({ linewidth: 1.2, transparent: true, opacity: 0.3 });
    this.past = new LineMaterial({ linewidth: 2.6 });
    this.ports = [];
  }

  setTheme(colour) {
    this.whole.color.set(colour);
    this.past.color.set(colour);
  }

  resize(width, height) {
    this.whole.resolution.set(width, height);
    this.past.resolution.set(width, height);
  }

  select(ports) {
    for (const line of this.object.children) line.geometry.dispose();
    this.object.clear();
    this.ports = ports;
    for (const port of ports) {
      const { times, points } = pathOf(this.run, port);
      if (points.length < 6) continue;
      for (const material of [this.whole, this.past]) {
        const line = new Line2(new LineGeometry().setPositions(points), material);
        line.frustumCulled = false;
        line.userData.times = material === this.past ? times : null;
        this.object.add(line);
      }
    }
  }

  // The run has gone on.
  grow() {
    this.select(this.ports);
  }

  update(t) {
    for (const line of this.object.children) {
      const { times } = line.userData;
      if (!times) continue;
      const i = frameAt(times, t);
      line.geometry.instanceCount = times[i] > t ? 0 : Math.min(i, times.length - 1);
      line.visible = line.geometry.instanceCount > 0;
    }
  }
}
