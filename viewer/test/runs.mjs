/* SPDX-License-Identifier: Apache-2.0 */
// runs.mjs: runs made up for the test, in the format of docs/formats/page.md.

export const base64 = (array) => Buffer.from(array.buffer).toString('base64');

// Rotation about -y by angle, so that a link along -z swings towards +x... as w x y z.
const aboutY = (angle) => [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0];

// Equal rods of length 1 m and mass 1 kg at their ends, angles from hanging down.
function pendulumRate([a, b, va, vb]) {
  const g = 9.81;
  const d = a - b;
  const den = 3 - Math.cos(2 * d);
  return [
    va, vb,
    (-3 * g * Math.sin(a) - g * Math.sin(a - 2 * b) - 2 * Math.sin(d) * (vb * vb + va * va * Math.cos(d))) / den,
    (2 * Math.sin(d) * (2 * va * va + 2 * g * Math.cos(a) + vb * vb * Math.cos(d))) / den,
  ];
}

function rk4(f, y, h) {
  const add = (k, s) => y.map((x, i) => x + s * k[i]);
  const k1 = f(y);
  const k2 = f(add(k1, h / 2));
  const k3 = f(add(k2, h / 2));
  const k4 = f(add(k3, h));
  return y.map((x, i) => x + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
}

// Ten seconds of a double pendulum. Its name tries to be markup.
export function doublePendulum() {
  const n = 501;
  const h = 0.02;
  const times = new Float64Array(n);
  const poses = new Float32Array(n * 3 * 7);
  const names = ['upper.joint.angle', 'lower.joint.angle', 'upper.joint.rate', 'lower.joint.rate', 'energy.kinetic', 'energy.potential'];
  const units = ['rad', 'rad', 'rad/s', 'rad/s', 'J', 'J'];
  const values = names.map(() => new Float64Array(n));
  const events = [];
  let y = [2, 2.4, 0, 0];

  for (let i = 0; i < n; i++) {
    const [a, b, va, vb] = y;
    times[i] = i * h;
    const elbow = [Math.sin(a), 0, -Math.cos(a)];
    const tip = [elbow[0] + Math.sin(b), 0, elbow[2] - Math.cos(b)];
    poses.set([0, 0, 0, ...aboutY(-a), ...elbow, ...aboutY(-b), ...tip, ...aboutY(-b)], i * 21);
    const kinetic = va * va + 0.5 * vb * vb + va * vb * Math.cos(a - b);
    [a, b, va, vb, kinetic, 9.81 * (elbow[2] + tip[2])].forEach((x, k) => {
      values[k][i] = x;
    });
    const before = y;
    for (let k = 0; k < 20; k++) y = rk4(pendulumRate, y, h / 20);
    if (before[2] > 0 !== y[2] > 0) events.push({ t: (i + 0.5) * h, name: 'turn', text: 'the upper rod turns back' });
  }
  return {
    format: 1,
    name: 'double pendulum </script><b>&amp;',
    description: 'two rods of 1 m with 1 kg at their ends, released from above',
    summary: [
      { label: 'Simulated time', value: 10, unit: 's' },
      { label: 'Integrator', value: 'rkf45, tolerance 1e-8', unit: '' },
      { label: 'Steps', value: 4183, unit: '' },
      { label: 'Energy error, largest', value: 3.21e-9, unit: 'J' },
      { label: 'Energy error, relative', value: 8.4e-11, unit: '' },
      { label: '<img src=x onerror=alert(1)>', value: '<i>text</i>', unit: '<' },
    ],
    times: base64(times),
    ports: [
      { name: 'upper.root', link: 'upper', parent: -1 },
      { name: 'upper.tip', link: 'upper', parent: 0 },
      { name: 'lower.tip', link: 'lower', parent: 1 },
    ],
    poses: base64(poses),
    shapes: [],
    strips: [],
    ground: null,
    channels: names.map((name, k) => ({ name, unit: units[k], values: base64(values[k]) })),
    rows: base64(times),
    events,
  };
}

// Pose of a section after pose [x y z qw qx qy qz]: an arc of this length, turned about z by `way`,
// bent by `angle` and turned back. Exact; r = length/angle.
function afterArc([x, y, z, w, a, b, c], length, angle, way) {
  const small = Math.abs(angle) < 1e-6;
  const out = small ? (length * angle) / 2 : (length / angle) * (1 - Math.cos(angle));
  const up = small ? length : (length / angle) * Math.sin(angle);
  const p = [out * Math.cos(way), out * Math.sin(way), up];
  const q = [Math.cos(angle / 2), -Math.sin(way) * Math.sin(angle / 2), Math.cos(way) * Math.sin(angle / 2), 0];
  const t = [2 * (b * p[2] - c * p[1]), 2 * (c * p[0] - a * p[2]), 2 * (a * p[1] - b * p[0])];
  return [
    x + p[0] + w * t[0] + b * t[2] - c * t[1],
    y + p[1] + w * t[1] + c * t[0] - a * t[2],
    z + p[2] + w * t[2] + a * t[1] - b * t[0],
    w * q[0] - a * q[1] - b * q[2] - c * q[3],
    w * q[1] + a * q[0] + b * q[3] - c * q[2],
    w * q[2] - a * q[3] + b * q[0] + c * q[1],
    w * q[3] + a * q[2] - b * q[1] + c * q[0],
  ];
}

// One element, bent over an upright chord, with a port in its middle and a load on its tip.
export function bentRod(angle) {
  const root = [0, 0, 0, ...aboutY(-angle / 2)];
  const tip = afterArc(root, 1, angle, 0);
  const ports = [root, tip, afterArc(root, 0.5, angle / 2, 0), tip];
  return {
    format: 1,
    name: 'bent rod',
    times: base64(new Float64Array([0])),
    ports: [
      { name: 'rod.root', link: 'rod', parent: -1 },
      { name: 'rod.tip', link: 'rod', parent: 0 },
      { name: 'rod.middle', link: 'rod', parent: 0 },
      { name: 'load.root', link: 'load', parent: 1 },
    ],
    poses: base64(new Float32Array(ports.flat())),
    strips: [{ ports: [0, 1], half: [0.01, 0.01] }],
  };
}

// A made-up soft arm on a moving base over a ground: every kind of shape once.
export function softArm() {
  const n = 241;
  const narm = 5;
  const times = new Float64Array(n);
  const nport = 2 + narm;
  const poses = new Float32Array(n * nport * 7);
  const height = new Float64Array(n);

  for (let i = 0; i < n; i++) {
    const t = (times[i] = i / 40);
    const heading = 0.5 * t;
    const x = Math.cos(heading);
    const y = Math.sin(heading);
    const yaw = [Math.cos(heading / 2 + Math.PI / 4), 0, 0, Math.sin(heading / 2 + Math.PI / 4)];
    const put = (p, ...pose) => poses.set(pose, (i * nport + p) * 7);
    put(0, x, y, 0.1, ...yaw);
    put(1, x, y, 0.3, ...yaw);
    let at = [x, y, 0.3, ...yaw];
    for (let k = 0; k < narm; k++) {
      put(2 + k, ...at);
      if (k + 1 < narm) at = afterArc(at, 0.8 / (narm - 1), 0.4 * Math.sin(1.7 * t + 0.1 * k), 1.1 * t + 0.2 * k);
    }
    height[i] = at[2];
  }
  const arm = Array.from({ length: narm }, (_, k) => 2 + k);
  return {
    format: 1,
    name: 'mobile robot with a soft arm',
    description: 'a constant-curvature arm on a differential-drive base',
    summary: [{ label: 'Simulated time', value: 6, unit: 's' }, { label: 'Coordinates', value: 9, unit: '' }],
    times: base64(times),
    ports: [
      { name: 'base', link: 'base', parent: -1 },
      { name: 'base.mount', link: 'base', parent: 0 },
      ...arm.map((p, k) => ({ name: `trunk.s${k}`, link: 'trunk', parent: p - 1 })),
    ],
    poses: base64(poses),
    shapes: [
      { port: 0, type: 'box', size: [0.5, 0.34, 0.12], offset: [0, 0, 0.02, 1, 0, 0, 0] },
      { port: 0, type: 'cylinder', size: [0.08, 0.04], colour: '#3a3f47', offset: [0, 0.19, -0.02, 0.70710678, 0.70710678, 0, 0] },
      { port: 0, type: 'cylinder', size: [0.08, 0.04], colour: '#3a3f47', offset: [0, -0.19, -0.02, 0.70710678, 0.70710678, 0, 0] },
      { port: 0, type: 'sphere', size: [0.04], colour: '#c9ced6', offset: [0.2, 0, -0.06, 1, 0, 0, 0] },
      { port: 1, type: 'capsule', size: [0.05, 0.08], offset: [0, 0, -0.09, 1, 0, 0, 0] },
      { port: 6, type: 'frame', size: [0.12] },
      { type: 'line', ports: [0, 6], colour: '#2f6fde' },
      { type: 'tube', ports: [0, 4, 6], size: [0.006], colour: '#0f9a6c' },
    ],
    strips: [{ ports: arm, half: [0.022, 0.012] }],
    ground: { normal: [0, 0, 1], offset: 0 },
    channels: [{ name: 'trunk.tip.position.z', unit: 'm', values: base64(height) }],
    rows: base64(times),
    events: [{ t: 1.5, name: 'contact', text: 'tip touches the ground' }],
  };
}

// A box of 2 kg that walks along x with an antenna that sways: links, forces, a closure, all kinds of channels.
export function walker(speed = 1) {
  const n = 121;
  const times = Float64Array.from({ length: n }, (_, i) => i / 40);
  const poses = new Float32Array(n * 4 * 7);
  const x = (t) => 0.5 * speed * t;
  times.forEach((t, i) => {
    const sway = aboutY(0.5 * Math.sin(4 * t));
    const tip = [x(t) + 0.4 * Math.sin(0.5 * Math.sin(4 * t)), 0, 0.35 + 0.4 * Math.cos(0.5 * Math.sin(4 * t))];
    poses.set([x(t), 0, 0.2, 1, 0, 0, 0, x(t), 0, 0.35, ...sway, ...tip, ...sway, x(t), 0, 0.25, 1, 0, 0, 0], i * 28);
  });
  const channel = (name, unit, text, f) => ({ name, unit, text, values: base64(Float64Array.from(times, f)) });
  return {
    format: 1,
    name: 'walking box',
    description: 'a box that walks and an antenna that sways',
    status: 'finished',
    model: 'appell: 1\nname: walking box\n',
    summary: [{ label: 'simulated time', value: 3, unit: 's' }],
    times: base64(times),
    ports: [
      { name: 'box.root', link: 'box', parent: -1 },
      { name: 'antenna.root', link: 'antenna', parent: 0 },
      { name: 'antenna.tip', link: 'antenna', parent: 1 },
      { name: 'centre of mass', link: '', parent: -1, kind: 'centre' },
    ],
    poses: base64(poses),
    links: [
      { name: 'box', parent: -1, joint: 'floating', body: 'rigid', mass: 2, port: 0, com: [0, 0, 0] },
      { name: 'antenna', parent: 0, joint: 'revolute', body: 'rigid', mass: 0.2, port: 1, com: [0, 0, 0.2] },
    ],
    shapes: [
      { type: 'box', port: 0, size: [0.5, 0.4, 0.3], colour: '#2266dd' },
      { type: 'capsule', port: 1, size: [0.02, 0.4], offset: [0, 0, 0.2, 1, 0, 0, 0] },
    ],
    arrows: [{ name: 'box.floor', kind: 'contact', port: 0, offset: [0, 0, -0.15], axes: 'world', channels: [null, null, 'box.floor.normal'] }],
    closures: [{ name: 'loop', ports: [0, 2] }],
    ground: { normal: [0, 0, 1], offset: 0.05 },
    rows: base64(times),
    channels: [
      channel('box.joint.x', 'm', 'coordinate', x),
      channel('box.joint.qw', '1', 'coordinate', () => 1),
      channel('antenna.motor', '1', 'input', (t) => Math.cos(4 * t)),
      channel('antenna.silent', '1', 'input', () => 0),
      channel('box.floor.normal', 'N', 'force of the ground along its normal', (t) => 21.6 + Math.sin(8 * t)),
      channel('ledger.kinetic', 'J', 'kinetic energy', (t) => 1 + 0.1 * Math.sin(8 * t)),
      channel('ledger.potential', 'J', 'potential energy', (t) => 4 + 0.1 * Math.cos(8 * t)),
      channel('ledger.error', 'J', '', (t) => 1e-9 * t),
    ],
    events: [],
  };
}

// Everything a model can bring into the page tries to be something else than text.
export function hostile() {
  const bad = '</script><script>window.harm = 1</script><img src=x onerror="window.harm = 2"><b>"\'`${1}';
  const d = walker();
  const rename = (s) => s.replace('box', bad);
  return {
    ...d,
    name: bad, description: bad, status: `failed: ${bad}`, warnings: [bad], model: `${bad}\u2028<!--`, label: bad,
    summary: [{ label: bad, value: bad, unit: bad }],
    ports: d.ports.map((p) => ({ ...p, name: rename(p.name), link: rename(p.link) })),
    links: d.links.map((l) => ({ ...l, name: rename(l.name), joint: bad, body: bad })),
    channels: d.channels.map((c) => ({ ...c, name: rename(c.name), unit: c.unit === '1' ? bad : c.unit, text: bad })),
    events: [{ t: 1, name: bad, text: bad }],
  };
}
