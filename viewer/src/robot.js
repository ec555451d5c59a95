/* SPDX-License-Identifier: Apache-2.0 */
// robot.js: one result in the scene: its parts, what is drawn over them, its trails; which links are
// shown, seen through or hidden, and which one is marked.
import { Box3, Color, Group, Quaternion, Vector3 } from 'three';
import { arrowsLayer, axesLayer, centresLayer, closuresLayer } from './marks.js';
import { Magnifier } from './magnify.js';
import { posesAt } from './motion.js';
import { makeParts } from './parts.js';
import { Trails } from './trail.js';
import { Values } from './values.js';

// The present poses as three's objects, without making new ones.
function makeWhere(poses, values) {
  const n = poses.length / 7;
  const positions = Array.from({ length: n }, () => new Vector3());
  const turns = Array.from({ length: n }, () => new Quaternion());
  return {
    poses,
    position: (p) => positions[p].fromArray(poses, 7 * p),
    turn: (p) => turns[p].set(poses[7 * p + 4], poses[7 * p + 5], poses[7 * p + 6], poses[7 * p + 3]),
    value: (name) => values.at(name),
  };
}

const ghostColour = new Color('#8d97a5');

export class Robot {
  // ghost: 0 for the first result, else its place among the others
  constructor(run, size, thickness, ghost = 0) {
    this.run = run;
    this.values = new Values(run);
    this.poses = new Float64Array(run.ports.length * 7);
    this.where = makeWhere(this.poses, this.values);
    this.magnifier = new Magnifier(run);
    this.factor = 1;
    this.object = new Group();
    this.parts = makeParts(run, thickness);
    for (const p of this.parts) this.object.add(p.object);
    this.layers = {
      axes: axesLayer(run, 5 * thickness),
      centres: centresLayer(run, 0.85 * thickness),
      forces: arrowsLayer(run, 'contact', 0.2 * size, 0.24 * thickness, '#e0453a'),
      wheels: arrowsLayer(run, 'wheel', 0.2 * size, 0.24 * thickness, '#e0453a'),
      reactions: arrowsLayer(run, 'reaction', 0.2 * size, 0.2 * thickness, '#8b5cf6'),
      closures: closuresLayer(run, 0.4 * thickness),
    };
    this.object.add(...Object.values(this.layers).map((l) => l.object));
    this.trails = new Trails(run);
    this.object.add(this.trails.object);
    this.states = new Map();
    this.marked = { hover: null, picked: null };
    this.ghost = ghost;
    this.dress();
  }

  // Materials as the states of links want them.
  dress() {
    for (const part of this.parts) {
      const state = this.states.get(part.link) ?? 'shown';
      part.object.visible = state !== 'hidden';
      part.hidden = state === 'hidden';
      const marked = part.link && (part.link === this.marked.picked ? 2 : part.link === this.marked.hover ? 1 : 0);
      part.object.traverse((o) => {
        const m = o.material;
        if (!m) return;
        m.userData.colour ??= m.color.clone();
        m.color.copy(m.userData.colour);
        if (this.ghost) m.color.lerp(ghostColour, 0.55);
        const glass = state === 'glass' ? 0.25 : this.ghost ? 0.34 : part.glass ?? 1;
        const clear = glass < 1;
        if (m.transparent !== clear && !part.through) {
          m.transparent = clear;
          m.depthWrite = !clear;
          m.needsUpdate = true;
        }
        m.opacity = glass;
        o.castShadow = !clear;
        if (m.emissive) m.emissive.set(marked ? '#ffffff' : '#000000').multiplyScalar(marked === 2 ? 0.22 : 0.09);
      });
    }
  }

  setState(link, state) {
    this.states.set(link, state);
    this.dress();
  }

  mark(what, link) {
    if (this.marked[what] === link) return false;
    this.marked[what] = link;
    this.dress();
    return true;
  }

  // Tendons in front of all bodies, or where they are.
  showThrough(yes) {
    for (const p of this.parts) {
      if (!p.through) continue;
      p.object.material.depthTest = !yes;
      p.object.material.transparent = yes;
      p.object.material.needsUpdate = true;
      p.object.renderOrder = yes ? 4 : 0;
    }
  }

  // The box of all that is drawn of it now.
  box() {
    const box = new Box3();
    for (const { object } of this.parts) {
      object.updateWorldMatrix(false, true);
      // tubes and strips change their shape
      if (object.geometry?.follow) object.geometry.computeBoundingBox();
      if (object.visible) box.expandByObject(object);
    }
    return box;
  }

  update(t) {
    this.values.t = t;
    posesAt(this.run, t, this.poses);
    this.magnifier.apply(this.poses, this.factor);
    for (const part of this.parts) {
      part.update(this.where);
      if (part.hidden) part.object.visible = false;
    }
    for (const layer of Object.values(this.layers)) layer.update(this.where);
    this.trails.update(t);
  }
}
