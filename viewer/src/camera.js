/* SPDX-License-Identifier: Apache-2.0 */
// camera.js: where the reader looks from. It frames the robot, or all of its motion where that is not
// much larger; follows a link; has standard views and a flat one.
import { Box3, PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const lens = 32; // degrees; the flat view looks from far away through a narrow one
const narrow = 1.5;

const directions = {
  corner: [0.75, -1.3, 0.6], front: [0, -1, 0], side: [1, 0, 0], top: [0, -0.0001, 1],
};

// The axis along which nothing moves and nothing has size, or -1.
function flatAxis(size) {
  const largest = Math.max(size.x, size.y, size.z);
  const thin = [size.x, size.y, size.z].map((s) => s < 0.12 * largest);
  return thin.filter(Boolean).length === 1 ? thin.indexOf(true) : -1;
}

// A motion in a plane is looked at from the front, any other from a corner above.
function viewDirection(size) {
  const flat = flatAxis(size);
  if (flat === 1) return new Vector3(0.3, -1, 0.22).normalize();
  if (flat === 0) return new Vector3(1, -0.3, 0.22).normalize();
  if (flat === 2) return new Vector3(0.15, -0.8, 1).normalize();
  return new Vector3(...directions.corner).normalize();
}

export class Rig {
  // all: the reach of the motion (extent.js)
  constructor(canvas, run, all, thickness) {
    this.run = run;
    this.camera = new PerspectiveCamera(lens, 1, 0.1, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.touched = false;
    this.controls.addEventListener('start', () => {
      this.touched = true;
    });

    this.all = new Box3(new Vector3(...all.low), new Vector3(...all.high)).expandByScalar(2 * thickness);
    this.robot = all.robot || this.all.getSize(new Vector3()).length() || 1;
    this.radius = this.all.getSize(new Vector3()).length() / 2;
    this.direction = viewDirection(this.all.getSize(new Vector3()));
    this.flat = -1;
    this.drawn = null;
    this.link = null; // the link that is followed
    this.at = new Vector3();
    this.roams = false;
  }

  // Look at what is drawn, at up to 24 times of the run.
  measure(boxAt) {
    const { times } = this.run;
    const n = Math.min(times.length, 24);
    const drawn = new Box3();
    const size = new Vector3();
    let robot = 0;
    for (let i = 0; i < n; i++) {
      const box = boxAt(times[Math.round((i * (times.length - 1)) / Math.max(n - 1, 1))]);
      if (box.isEmpty()) continue;
      drawn.union(box);
      robot = Math.max(robot, box.getSize(size).length());
    }
    this.boxAt = boxAt;
    if (drawn.isEmpty()) return;
    this.drawn = drawn;
    this.roams = drawn.getSize(size).length() > 1.9 * robot;
    this.direction = viewDirection(size);
    this.flat = flatAxis(size);
  }

  // The box to frame: of all the motion, or of the robot where it goes far.
  box(t) {
    if (!this.drawn) return this.all;
    const box = this.roams ? this.boxAt(t) : this.drawn.clone();
    // nobody knows yet how far a live run reaches
    const margin = this.run.live ? 0.22 : 0.04;
    return box.isEmpty() ? this.all : box.expandByScalar(margin * box.getSize(new Vector3()).length());
  }

  // The smallest distance at which all corners of the box are inside.
  fit(t, direction = this.direction, wide = false) {
    const box = this.box(t);
    const centre = box.getCenter(new Vector3());
    this.direction = direction;
    this.camera.fov = wide ? narrow : lens;
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new Vector3().crossVectors(direction, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    const broad = tall * this.camera.aspect;
    const { min, max } = box;
    let distance = 0;
    for (let k = 0; k < 8; k++) {
      const c = new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z);
      c.sub(centre);
      const need = Math.max(Math.abs(c.dot(right)) / broad, Math.abs(c.dot(up)) / tall);
      distance = Math.max(distance, need + c.dot(direction));
    }
    distance *= wide ? 1.06 : 1.12;
    this.camera.near = Math.max(0.01 * this.robot, wide ? distance - 14 * this.radius : 0.004 * distance);
    this.camera.far = distance + 14 * this.radius;
    this.camera.position.copy(centre).addScaledVector(direction, distance);
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.maxDistance = distance + (wide ? 0.8 * distance : 6 * this.radius);
    this.controls.minDistance = 0.02 * this.robot;
    this.controls.update();
    this.touched = false;
  }

  view(name, t) {
    if (name === 'plane') {
      const axis = this.flat < 0 ? 1 : this.flat;
      this.fit(t, new Vector3(...[directions.side, directions.front, directions.top][axis]).normalize(), true);
    } else {
      this.fit(t, new Vector3(...directions[name]).normalize());
    }
    this.touched = true;
  }

  // Follow a place from now on; null stands still.
  follow(link, where) {
    this.link = link;
    const l = this.run.links.find((x) => x.name === link);
    this.port = l ? l.port : -1;
    if (this.port >= 0 && where) this.at.copy(where.position(this.port));
  }

  update(where) {
    if (!(this.port >= 0)) return;
    const now = where.position(this.port);
    const moved = now.clone().sub(this.at);
    if (moved.lengthSq() === 0) return;
    this.camera.position.add(moved);
    this.controls.target.add(moved);
    this.at.copy(now);
    this.controls.update();
  }

  // Metres that a pixel covers at the place that is looked at.
  metresPerPixel(height) {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / height;
  }
}
