// trail.js: the path of one port: faint as a whole, strong up to the present time.
import { Group } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { frameAt } from './motion.js';

const mostPoints = 4000;

export class Trail {
  constructor(run) {
    this.run = run;
    this.stride = Math.max(1, Math.ceil(run.times.length / mostPoints));
    this.object = new Group();
    this.whole = new LineMaterial({ linewidth: 1.2, transparent: true, opacity: 0.3 });
    this.past = new LineMaterial({ linewidth: 2.6 });
    this.port = -1;
  }

  setTheme(colour) {
    this.whole.color.set(colour);
    this.past.color.set(colour);
  }

  resize(width, height) {
    this.whole.resolution.set(width, height);
    this.past.resolution.set(width, height);
  }

  // port -1 shows none
  select(port) {
    for (const line of this.object.children) line.geometry.dispose();
    this.object.clear();
    this.port = port;
    if (port < 0 || this.run.times.length < 2) return;
    const { times, poses, ports } = this.run;
    const points = [];
    for (let f = 0; f < times.length; f += this.stride) {
      const at = (f * ports.length + port) * 7;
      points.push(poses[at], poses[at + 1], poses[at + 2]);
    }
    if (points.length < 6) return;
    for (const material of [this.whole, this.past]) {
      const line = new Line2(new LineGeometry().setPositions(points), material);
      line.frustumCulled = false;
      this.object.add(line);
    }
  }

  update(t) {
    const past = this.object.children[1];
    if (!past) return;
    past.geometry.instanceCount = Math.floor(frameAt(this.run.times, t) / this.stride);
    past.visible = past.geometry.instanceCount > 0;
  }
}
