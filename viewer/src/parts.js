// parts.js: what the robot looks like. Each function gives parts: {object, update(where)}, where
// `where` tells the position and turn of a port at the present time, and all poses as numbers.
import {
  BoxGeometry, CapsuleGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial,
  MeshStandardMaterial, Quaternion, SphereGeometry, Vector3,
} from 'three';
import { linkColour } from './colours.js';
import { StripGeometry, TubeGeometry } from './tube.js';

const axisColours = ['#d9483b', '#3f9b46', '#3b6fd9'];
const along = new Vector3(0, 1, 0); // the axis of three's cylinders; ours is z

const paint = (colour) => new MeshStandardMaterial({ color: colour, roughness: 0.55, metalness: 0.08 });

function solid(geometry, material) {
  const mesh = new Mesh(geometry, material);
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  mesh.frustumCulled = false;
  return mesh;
}

// How far each port's shapes reach from it, for framing.
export function shapeReach(run) {
  const out = new Float64Array(run.ports.length);
  for (const s of run.shapes) {
    if (s.port === undefined) continue;
    const [a = 0, b = 0, c = 0] = s.size;
    const radius = {
      box: Math.hypot(a, b, c) / 2, cylinder: Math.hypot(a, b / 2), capsule: a + b / 2,
    }[s.type] ?? a;
    out[s.port] = Math.max(out[s.port], radius + Math.hypot(...s.offset.slice(0, 3)));
  }
  for (const s of run.strips) {
    for (const p of s.ports) out[p] = Math.max(out[p], ...(s.half ?? []));
  }
  return out;
}

const up = new Vector3(0, 0, 1);

// How far a shape reaches downwards from its middle; d is the world's z in its frame.
const depths = {
  box: ([x, y, z], d) => (Math.abs(d.x) * x + Math.abs(d.y) * y + Math.abs(d.z) * z) / 2,
  cylinder: ([r, length], d) => r * Math.hypot(d.x, d.y) + (Math.abs(d.z) * length) / 2,
  capsule: ([r, length], d) => r + (Math.abs(d.z) * length) / 2,
  sphere: ([r]) => r,
  frame: () => 0,
};

// The lowest point of all shapes in all frames, so that wheels touch the ground; Infinity without any.
export function lowestShape(run) {
  const solids = run.shapes.filter((s) => s.port !== undefined);
  const nport = run.ports.length;
  const q = new Quaternion();
  const turn = new Quaternion();
  const d = new Vector3();
  let lowest = Infinity;

  for (let f = 0; f < run.times.length; f++) {
    for (const s of solids) {
      const [, , z, qw, qx, qy, qz] = run.poses.subarray((f * nport + s.port) * 7);
      const [x, y, h, sw, sx, sy, sz] = s.offset;
      q.set(qx, qy, qz, qw).normalize();
      const middle = z + d.set(x, y, h).applyQuaternion(q).z;
      turn.set(sx, sy, sz, sw).normalize().premultiply(q).invert();
      const bottom = middle - depths[s.type](s.size, d.copy(up).applyQuaternion(turn));
      if (bottom < lowest) lowest = bottom;
    }
  }
  return lowest;
}

// Whether every port belongs to a link that its shapes or a strip show: nothing else is drawn.
export function allShown(run) {
  const through = run.shapes.map((s) => s.ports ?? [s.port]).concat(run.strips.map((s) => s.ports));
  const shown = new Set(through.flat().map((p) => run.ports[p].link));
  return run.ports.every((p) => shown.has(p.link));
}

export function makeParts(run, thickness) {
  const names = [...new Set(run.ports.map((p) => p.link))];
  const colourOf = (port) => linkColour(names.indexOf(run.ports[port].link));
  return [
    ...bones(run, thickness, colourOf),
    ...run.strips.map((s) => strip(s, thickness, paint(s.colour ?? colourOf(s.ports[1])))),
    ...run.shapes.map((s) => shapePart(s, thickness, colourOf)),
  ];
}

// A straight bar from a port to the one it is drawn from, where neither a shape nor a strip shows
// the link: what a strip shows is not straight. Its root alone may stand apart from what carries it.
function bones(run, thickness, colourOf) {
  const shown = new Set(run.shapes.flatMap((s) => (s.ports ?? [s.port]).map((p) => run.ports[p].link)));
  const bent = new Set(run.strips.flatMap((s) => s.ports.map((p) => run.ports[p].link)));
  const roots = new Set(run.strips.map((s) => s.ports[0]));
  const bar = new CylinderGeometry(1, 1, 1, 24);
  const ball = new SphereGeometry(1, 28, 18);
  const hub = paint('#79828f');
  const hubs = new Set();
  const parts = [];

  run.ports.forEach((port, p) => {
    const { parent } = port;
    if (parent < 0 || shown.has(port.link) || (bent.has(port.link) && !roots.has(p))) return;
    const material = paint(colourOf(p));
    parts.push(bone(solid(bar, material), p, parent, thickness));
    if (roots.has(p)) return;
    parts.push(dot(solid(ball, material), p, thickness));
    if (!hubs.has(parent)) parts.push(dot(solid(ball, hub), parent, 1.45 * thickness));
    hubs.add(parent);
  });
  return parts;
}

function bone(mesh, from, to, radius) {
  const d = new Vector3();
  return {
    object: mesh,
    update(where) {
      const a = where.position(from);
      const b = where.position(to);
      const length = d.subVectors(b, a).length();
      // ports in one place need no bar
      mesh.visible = length > 0.5 * radius;
      if (!mesh.visible) return;
      mesh.position.addVectors(a, b).multiplyScalar(0.5);
      mesh.quaternion.setFromUnitVectors(along, d.divideScalar(length));
      mesh.scale.set(radius, length, radius);
    },
  };
}

function dot(mesh, port, radius) {
  mesh.scale.setScalar(radius);
  return {
    object: mesh,
    update(where) {
      mesh.position.copy(where.position(port));
    },
  };
}

const upright = (geometry) => geometry.rotateX(Math.PI / 2);

const geometries = {
  box: ([x, y, z]) => new BoxGeometry(x, y, z),
  cylinder: ([r, length]) => upright(new CylinderGeometry(r, r, length, 40)),
  sphere: ([r]) => new SphereGeometry(r, 40, 24),
  capsule: ([r, length]) => upright(new CapsuleGeometry(r, length, 10, 28)),
};

function shapePart(shape, thickness, colourOf) {
  const colour = shape.colour ?? colourOf(shape.port ?? shape.ports[1]);
  if (shape.type === 'tube') return tube(shape, paint(colour));
  if (shape.type === 'line') {
    return tube({ ...shape, size: [0.16 * thickness] }, new MeshBasicMaterial({ color: colour }), true);
  }
  const object =
    shape.type === 'frame' ? triad(shape.size[0]) : solid(geometries[shape.type](shape.size), paint(colour));
  return onPort(object, shape.port, shape.offset);
}

function onPort(object, port, [x, y, z, qw, qx, qy, qz]) {
  const shift = new Vector3(x, y, z);
  const turn = new Quaternion(qx, qy, qz, qw).normalize();
  return {
    object,
    update(where) {
      const q = where.turn(port);
      object.position.copy(shift).applyQuaternion(q).add(where.position(port));
      object.quaternion.multiplyQuaternions(q, turn);
    },
  };
}

// Through the ports: smooth, or straight from one to the next.
function tube({ ports, size }, material, straight = false) {
  const geometry = new TubeGeometry(ports.length, size[0], straight);
  const mesh = solid(geometry, material);
  const points = ports.map(() => new Vector3());
  return {
    object: mesh,
    update(where) {
      ports.forEach((p, i) => points[i].copy(where.position(p)));
      geometry.follow(points);
    },
  };
}

// A body that bends, as thick as it is, but never too thin to be seen.
function strip({ ports, half }, thickness, material) {
  const least = 0.18 * thickness;
  const geometry = new StripGeometry(ports, (half ?? [0.4 * thickness, 0.4 * thickness]).map((r) => Math.max(r, least)));
  return {
    object: solid(geometry, material),
    update(where) {
      geometry.follow(where.poses);
    },
  };
}

// Three arrows, x red, y green, z blue.
export function triad(length) {
  const group = new Group();
  const bar = new CylinderGeometry(0.03 * length, 0.03 * length, length, 10).translate(0, length / 2, 0);
  axisColours.forEach((colour, k) => {
    const mesh = new Mesh(bar, new MeshBasicMaterial({ color: colour }));
    const axis = new Vector3().setComponent(k, 1);
    mesh.quaternion.setFromUnitVectors(along, axis);
    mesh.frustumCulled = false;
    group.add(mesh);
  });
  return group;
}

// Axes on every port of the robot, shown on request.
export function portAxes(run, length) {
  return run.ports.flatMap((port, p) => (port.trail ? [onPort(triad(length), p, [0, 0, 0, 1, 0, 0, 0])] : []));
}
