/* SPDX-License-Identifier: Apache-2.0 */
// parts.js: what the robot looks like. Each part is {object, link, update(where)}, where `where` tells
// the position and turn of a port at the present time, all poses as numbers and values of channels.
import {
  BoxGeometry, CapsuleGeometry, CylinderGeometry, DoubleSide, Group, Mesh,
  MeshBasicMaterial, MeshStandardMaterial, Quaternion, Sphere, SphereGeometry, TorusGeometry, Vector3,
} from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { linkPaint } from './colours.js';
import { meshPieces } from './mesh.js';
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

// Whether every port belongs to a link that its shapes or a strip show: nothing else is drawn.
export function allShown(run) {
  const shown = shownLinks(run);
  return run.ports.every((p) => p.kind === 'centre' || p.bare || shown.has(p.link));
}

function shownLinks(run) {
  const through = run.shapes.map((s) => s.ports ?? [s.port]).concat(run.strips.map((s) => s.ports));
  return new Set(through.flat().filter((p) => p >= 0).map((p) => run.ports[p].link));
}

export function makeParts(run, thickness) {
  const paints = new Map();
  const colourOf = (port) => {
    const name = run.ports[port].link;
    if (!paints.has(name)) paints.set(name, linkPaint(run, name));
    return paints.get(name);
  };
  const parts = [
    ...bones(run, thickness, colourOf),
    ...run.strips.map((s) => strip(s, thickness, paint(s.colour ?? colourOf(s.ports[1])), run.ports[s.ports[1]].link)),
    ...run.shapes.map((s) => shapePart(s, run, thickness, colourOf)),
  ];
  for (const p of parts) {
    p.object.traverse((o) => {
      o.userData.link = p.link;
    });
  }
  return parts;
}

// A straight bar from a port to the one it is drawn from, where neither a shape nor a strip shows
// the link: what a strip shows is not straight. Its root alone may stand apart from what carries it.
function bones(run, thickness, colourOf) {
  const shown = shownLinks({ ...run, strips: [] });
  const bent = new Set(run.strips.flatMap((s) => s.ports.map((p) => run.ports[p].link)));
  const roots = new Set(run.strips.map((s) => s.ports[0]));
  const bar = new CylinderGeometry(1, 1, 1, 24);
  const ball = new SphereGeometry(1, 28, 18);
  const hub = paint('#79828f');
  const hubs = new Set();
  const parts = [];

  run.ports.forEach((port, p) => {
    const { parent, link, bare } = port;
    if (parent < 0 || bare || shown.has(link) || (bent.has(link) && !roots.has(p))) return;
    const material = paint(colourOf(p));
    parts.push({ ...bone(solid(bar, material), p, parent, thickness), link });
    if (roots.has(p)) return;
    parts.push({ ...dot(solid(ball, material), p, thickness), link });
    if (!hubs.has(parent)) parts.push({ ...dot(solid(ball, hub), parent, 1.45 * thickness), link });
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

export function dot(mesh, port, radius) {
  mesh.scale.setScalar(radius);
  return {
    object: mesh,
    update(where) {
      mesh.position.copy(where.position(port));
    },
  };
}

const upright = (geometry) => geometry.rotateX(Math.PI / 2);

// A box whose edges catch the light.
function softBox(x, y, z) {
  const r = 0.08 * Math.min(x, y, z);
  return r > 0 ? new RoundedBoxGeometry(x, y, z, 2, r) : new BoxGeometry(x, y, z);
}

const geometries = {
  box: ([x, y, z]) => softBox(x, y, z),
  cylinder: ([r, length]) => upright(new CylinderGeometry(r, r, length, 40)),
  pipe: ([r, length]) => upright(new CylinderGeometry(r, r, length, 48, 1, true)),
  sphere: ([r]) => new SphereGeometry(r, 40, 24),
  capsule: ([r, length]) => upright(new CapsuleGeometry(r, length, 8, 24)),
};

// A tyre, a rim and spokes, so that one sees it turn; its axle is z.
function wheel([r, width], colour) {
  const group = new Group();
  const tyre = paint(colour);
  const rim = paint('#b9c0ca');
  const thick = Math.min(width / 2, 0.28 * r);
  const ring = solid(new TorusGeometry(r - thick, thick, 14, 44), tyre);
  ring.scale.z = width / 2 / thick;
  group.add(ring, solid(upright(new CylinderGeometry(0.2 * r, 0.2 * r, 0.9 * width, 24)), rim));
  for (let k = 0; k < 5; k++) {
    const spoke = solid(new BoxGeometry(0.1 * r, r - 1.2 * thick, 0.3 * width).translate(0, (r - thick) / 2, 0), rim);
    spoke.rotation.z = (2 * Math.PI * k) / 5;
    group.add(spoke);
  }
  return group;
}

function meshObject(mesh, colour, textures) {
  const group = new Group();
  for (const { geometry, texture } of meshPieces(mesh, colour, textures)) {
    const coloured = geometry.hasAttribute('color');
    const material = paint(texture || coloured ? '#ffffff' : colour);
    material.map = texture;
    material.vertexColors = coloured;
    material.side = DoubleSide; // files turn their triangles either way
    group.add(solid(geometry, material));
  }
  return group;
}

function shapePart(shape, run, thickness, colourOf) {
  const at = shape.port ?? shape.ports[1];
  const link = at >= 0 ? run.ports[at].link : '';
  const colour = shape.colour ?? (shape.through ? '#e0a100' : at >= 0 ? colourOf(at) : '#6b7480');
  if (shape.type === 'tube') return { ...tube(shape, paint(colour)), link };
  if (shape.type === 'line') {
    const part = tube({ ...shape, size: [0.16 * thickness] }, new MeshBasicMaterial({ color: colour }), true);
    return { ...part, link, through: shape.through };
  }
  let object;
  if (shape.type === 'frame') object = triad(shape.size[0]);
  else if (shape.type === 'wheel') object = wheel(shape.size, colour);
  else if (shape.type === 'mesh') {
    object = meshObject(run.meshes[shape.mesh], colour, run.textures);
    object.scale.set(...shape.size);
  } else object = solid(geometries[shape.type](shape.size), paint(colour));
  // one looks into a pipe, from outside too
  if (shape.type === 'pipe') object.material.side = DoubleSide;
  const glass = shape.type === 'pipe' ? 0.3 : undefined;
  return { ...onPort(object, shape.port, shape.offset, shape.spin), link, glass };
}

const axle = new Vector3(0, 0, 1);

// Port -1 is the world. `spin` names a channel by which the object turns about its z.
export function onPort(object, port, [x, y, z, qw, qx, qy, qz], spin = '') {
  const shift = new Vector3(x, y, z);
  const turn = new Quaternion(qx, qy, qz, qw).normalize();
  const roll = new Quaternion();
  if (port < 0) {
    object.position.copy(shift);
    object.quaternion.copy(turn);
    return { object, update() {} };
  }
  return {
    object,
    update(where) {
      const q = where.turn(port);
      object.position.copy(shift).applyQuaternion(q).add(where.position(port));
      object.quaternion.multiplyQuaternions(q, turn);
      if (spin) object.quaternion.multiply(roll.setFromAxisAngle(axle, where.value(spin)));
    },
  };
}

const everywhere = new Sphere(new Vector3(), Infinity);

// Through the ports: smooth, or straight from one to the next.
function tube({ ports, size }, material, straight = false) {
  const geometry = new TubeGeometry(ports.length, size[0], straight || ports.length === 2);
  geometry.boundingSphere = everywhere; // it moves: a pointer may find it anywhere
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
function strip({ ports, half }, thickness, material, link) {
  const least = 0.18 * thickness;
  const geometry = new StripGeometry(ports, (half ?? [0.4 * thickness, 0.4 * thickness]).map((r) => Math.max(r, least)));
  geometry.boundingSphere = everywhere;
  return {
    object: solid(geometry, material),
    link,
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
