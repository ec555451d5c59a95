/* SPDX-License-Identifier: Apache-2.0 */
// marks.js: what is drawn over the robot on request: axes of ports, centres of mass, forces as
// arrows, closures of loops. A layer is {object, update(where), any}; those that are off cost nothing.
import {
  ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3,
} from 'three';
import { dot, onPort, triad } from './parts.js';

const along = new Vector3(0, 1, 0);

// Seen through bodies.
const overlay = (colour) => new MeshBasicMaterial({ color: colour, depthTest: false, transparent: true, opacity: 0.9 });

// names: [{name, at(where, vector)}] of what has one, for labels.js
function group(parts, names = []) {
  const object = new Group();
  for (const p of parts) object.add(p.object);
  object.visible = false;
  object.traverse((o) => {
    o.renderOrder = 5;
    o.raycast = () => {};
  });
  return {
    object,
    any: parts.length > 0,
    names,
    update(where) {
      if (object.visible) for (const p of parts) p.update(where);
    },
  };
}

export function axesLayer(run, length) {
  const ports = run.ports.flatMap((port, p) => (port.trail && port.kind === 'port' ? [p] : []));
  return group(
    ports.map((p) => onPort(triad(length), p, [0, 0, 0, 1, 0, 0, 0])),
    ports.map((p) => ({ name: run.ports[p].name, at: (where, to) => to.copy(where.position(p)) })),
  );
}

// Centres of links by their mass, and that of the robot.
export function centresLayer(run, size) {
  const ball = new SphereGeometry(1, 24, 16);
  const most = Math.max(...run.links.map((l) => l.mass ?? 0), 1e-300);
  const parts = run.links.filter((l) => l.com && l.mass > 0).map((l) => {
    const mesh = new Mesh(ball, overlay('#d8a100'));
    mesh.scale.setScalar(size * Math.max(0.35, Math.cbrt(l.mass / most)));
    return onPort(mesh, l.port, [...l.com, 1, 0, 0, 0]);
  });
  run.ports.forEach((port, p) => {
    if (port.kind === 'centre') parts.push(dot(new Mesh(ball, overlay('#e0453a')), p, 1.15 * size));
  });
  return group(parts);
}

// A shaft and a head of unit length along y; the shaft takes what the head leaves.
function arrowMesh(material) {
  const shaft = new Mesh(new CylinderGeometry(1, 1, 1, 14).translate(0, 0.5, 0), material);
  const head = new Mesh(new ConeGeometry(1, 1, 20).translate(0, 0.5, 0), material);
  const object = new Group();
  object.add(shaft, head);
  return {
    object,
    set(from, direction, length, radius) {
      object.visible = length > 0.2 * radius;
      if (!object.visible) return;
      const tip = Math.min(5 * radius, 0.5 * length);
      object.position.copy(from);
      object.quaternion.setFromUnitVectors(along, direction);
      shaft.scale.set(radius, Math.max(length - tip, 1e-9), radius);
      head.position.y = length - tip;
      head.scale.set(2.4 * radius, tip, 2.4 * radius);
    },
  };
}

// The channels of an arrow as numbers; null when the run does not have them.
function componentsOf(run, arrow) {
  const columns = arrow.channels.map((name) => (name === null ? null : run.channels.find((c) => c.name === name)));
  return columns.some((c) => c === undefined) || columns.every((c) => c === null) ? null : columns;
}

// Where an arc in the x-z plane of a port touches a plane with this normal, in the axes of the port: as far as its ends.
function onArc([radius, half], turn, normal) {
  const n = new Vector3(...normal).applyQuaternion(turn.clone().invert());
  const angle = Math.max(-half, Math.min(half, Math.atan2(n.x, n.z)));
  return new Vector3(-radius * Math.sin(angle), 0, -radius * Math.cos(angle));
}

// All arrows of one kind share a scale: the largest force of the run is a fifth of the robot.
export function arrowsLayer(run, kind, size, radius, colour) {
  const arrows = run.arrows.filter((a) => a.kind === kind).flatMap((a) => {
    const columns = componentsOf(run, a);
    const placed = !a.at || a.at.every((name) => run.channels.some((c) => c.name === name));
    return columns && placed ? [{ ...a, columns }] : [];
  });
  // impacts are short and high: what is exceeded in two rows of a hundred does not set the scale
  const sizes = [];
  for (const a of arrows) {
    for (let i = 0; i < run.rows.length; i++) {
      const f = Math.hypot(...a.columns.map((c) => (c ? c.values[i] : 0)));
      if (f > 0) sizes.push(f);
    }
  }
  sizes.sort((x, y) => x - y);
  let largest = sizes.length ? sizes[Math.floor(0.98 * (sizes.length - 1))] : 0;
  const ball = new SphereGeometry(1, 16, 12);
  const from = new Vector3();
  const force = new Vector3();
  const turn = new Quaternion();
  const layer = group(arrows.map((a) => {
    const arrow = arrowMesh(overlay(colour));
    const point = new Mesh(ball, overlay(colour));
    point.scale.setScalar(1.5 * radius);
    const object = new Group();
    object.add(arrow.object, point);
    return {
      object,
      update(where) {
        if (a.at) from.set(...a.at.map((name) => where.value(name)));
        else {
          turn.copy(where.turn(a.port));
          from.fromArray(a.offset);
          if (a.arc) from.add(onArc(a.arc, turn, a.axes[0]));
          from.applyQuaternion(turn).add(where.position(a.port));
        }
        from.x += a.shift[0];
        from.y += a.shift[1];
        from.z += a.shift[2];
        const f = a.channels.map((name) => (name ? where.value(name) : 0));
        if (Array.isArray(a.axes)) {
          force.set(0, 0, 0);
          a.axes.forEach((axis, k) => {
            force.x += f[k] * axis[0];
            force.y += f[k] * axis[1];
            force.z += f[k] * axis[2];
          });
        } else {
          force.set(...f);
          if (a.axes === 'port') force.applyQuaternion(turn);
        }
        const length = force.length();
        if (run.live) largest = Math.max(largest, length); // nobody knows what is to come
        // shapes that do not touch have no place, and many points that do not are a rash
        object.visible = length > 0 || (!a.at && arrows.length <= 16);
        point.position.copy(from);
        arrow.set(from, length > 0 ? force.divideScalar(length) : along, largest > 0 ? Math.min((size * length) / largest, 3 * size) : 0, radius);
      },
    };
  }));
  layer.largest = largest;
  return layer;
}

// Where loops are closed: a ball at each end and the gap between them.
export function closuresLayer(run, radius) {
  const ball = new SphereGeometry(1, 20, 14);
  const bar = new CylinderGeometry(1, 1, 1, 12);
  const d = new Vector3();
  // an end in the world stands still
  const place = ({ port, offset }, where, to) => {
    to.fromArray(offset);
    return port < 0 ? to : to.applyQuaternion(where.turn(port)).add(where.position(port));
  };
  return group(run.closures.map(({ ends }) => {
    const object = new Group();
    const balls = ends.map(() => new Mesh(ball, overlay('#8b5cf6')));
    const line = new Mesh(bar, overlay('#8b5cf6'));
    balls.forEach((b) => b.scale.setScalar(1.2 * radius));
    object.add(...balls, line);
    return {
      object,
      update(where) {
        balls.forEach((b, k) => place(ends[k], where, b.position));
        const [from, to] = balls.map((b) => b.position);
        const length = d.subVectors(to, from).length();
        line.visible = length > 0.2 * radius;
        if (!line.visible) return;
        line.position.copy(from).addScaledVector(d, 0.5);
        line.quaternion.setFromUnitVectors(along, d.divideScalar(length));
        line.scale.set(0.6 * radius, length, 0.6 * radius);
      },
    };
  }), run.closures.map(({ name, type, ends }) => ({
    name: type ? `${name} (${type})` : name,
    at: (where, to) => place(ends[1], where, to),
  })));
}
