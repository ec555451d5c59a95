/* SPDX-License-Identifier: Apache-2.0 */
// data.js: the JSON of a run becomes typed arrays, or one sentence that says what is wrong with it.
// The format is docs/formats/page.md. Nothing after this file checks data again.

export class DataError extends Error {}

const fail = (sentence) => {
  throw new DataError(sentence);
};

// Kinds of shapes and how many numbers their size has.
const kinds = { box: 3, cylinder: 2, sphere: 1, capsule: 2, pipe: 2, frame: 1, wheel: 2, mesh: 3, line: 0, tube: 1 };

// Shapes through several ports; all others sit on one.
const alongPorts = new Set(['line', 'tube']);

function bytes(text, what) {
  if (typeof text !== 'string') fail(`${what} must be a base64 text.`);
  let raw;
  try {
    raw = atob(text);
  } catch {
    fail(`${what} is not valid base64.`);
  }
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}

// Little-endian, as every machine that runs a browser is.
function numbers(Type, text, what, length) {
  const b = bytes(text, what);
  const size = Type.BYTES_PER_ELEMENT;
  if (b.length % size !== 0) fail(`${what} has ${b.length} bytes, not a multiple of ${size}.`);
  const out = new Type(b.buffer);
  if (length !== undefined && out.length !== length) {
    fail(`${what} has ${out.length} numbers where ${length} are expected.`);
  }
  return out;
}

function rising(times, what) {
  for (let i = 0; i < times.length; i++) {
    if (!Number.isFinite(times[i])) fail(`${what} holds a number that is not finite, at ${i}.`);
    if (i > 0 && times[i] < times[i - 1]) fail(`${what} goes back at ${i}.`);
  }
  return times;
}

function list(value, what) {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) fail(`${what} must be a list.`);
  return value;
}

// A list of objects, each turned into another one.
function records(value, what, make) {
  return list(value, what).map((item, i) => {
    if (item === null || typeof item !== 'object') fail(`${what} ${i} must be an object.`);
    return make(item, `${what} ${i}`, i);
  });
}

function text(value) {
  return value === undefined || value === null ? '' : String(value);
}

function vector(value, n, what) {
  if (!Array.isArray(value) || value.length !== n || !value.every(Number.isFinite)) {
    fail(`${what} must be a list of ${n} finite numbers.`);
  }
  return value;
}

// An index below n; -1, where it is allowed, means none or the world.
function index(value, n, what, things = 'port', none = false) {
  if (none && value === -1) return -1;
  if (!Number.isInteger(value) || value < 0 || value >= n) {
    fail(`${what} names ${things} ${text(value)}, but there are ${n} ${things}s.`);
  }
  return value;
}

function portList(value, nport, what) {
  const ports = list(value, what).map((p) => index(p, nport, what));
  if (ports.length < 2) fail(`${what} needs at least two ports.`);
  return ports;
}

function colour(value, what) {
  if (value === undefined || value === null) return null;
  if (!/^#[0-9a-f]{6}$/i.test(value)) fail(`The colour of ${what} must be written #rrggbb.`);
  return value;
}

function shape(s, what, nport, nmesh) {
  if (!Object.hasOwn(kinds, s.type)) {
    fail(`${what} has the unknown type "${text(s.type)}"; known are ${Object.keys(kinds).join(', ')}.`);
  }
  const size = vector(s.size ?? [], kinds[s.type], `The size of ${what} (${s.type})`);
  if (s.type !== 'mesh' && size.some((x) => x < 0)) fail(`The size of ${what} must not be negative.`);
  const common = { type: s.type, size, colour: colour(s.colour, what), through: s.through === true };
  if (alongPorts.has(s.type)) return { ...common, ports: portList(s.ports, nport, what) };
  const offset = vector(s.offset ?? [0, 0, 0, 1, 0, 0, 0], 7, `The offset of ${what}`);
  const mesh = s.type === 'mesh' ? index(s.mesh, nmesh, what, 'mesh') : -1;
  return { ...common, port: index(s.port, nport, what, 'port', true), offset, mesh, spin: text(s.spin) };
}

// A body that bends, through the ends of its elements.
function strip(s, what, nport) {
  const half = s.half === undefined || s.half === null ? null : vector(s.half, 2, `The section of ${what}`);
  if (half && !half.every((x) => x > 0)) fail(`The section of ${what} must be positive.`);
  return { ports: portList(s.ports, nport, what), half, colour: colour(s.colour, what) };
}

function ground(value) {
  const n = vector(value.normal, 3, 'The normal of the ground');
  const length = Math.hypot(...n);
  if (!(length > 0)) fail('The normal of the ground must not be zero.');
  if (!Number.isFinite(value.offset)) fail('The offset of the ground must be a finite number.');
  return { normal: n.map((x) => x / length), offset: value.offset / length };
}

// PNG and JPEG alone: other kinds of images may have scripts in them.
function image(value, what) {
  if (value.type !== 'png' && value.type !== 'jpeg') fail(`${what} must be of type png or jpeg.`);
  bytes(value.data, `The data of ${what}`);
  return `data:image/${value.type};base64,${value.data}`;
}

function mesh(m, what, nimage) {
  const points = numbers(Float32Array, m.points, `The points of ${what}`);
  const triangles = numbers(Uint32Array, m.triangles, `The triangles of ${what}`);
  if (points.length % 3 || triangles.length % 3) fail(`${what} has points or triangles that are not complete.`);
  if (triangles.some((i) => 3 * i >= points.length)) fail(`${what} has a triangle without its point.`);
  const looks = paints(m.paints, triangles.length / 3, what, nimage);
  const skinned = looks?.some((p) => p.image >= 0);
  const uv = skinned ? numbers(Float32Array, m.uv, `The places of ${what} on images`, 2 * triangles.length) : null;
  if (uv && !uv.every(Number.isFinite)) fail(`${what} has places on images that are not finite.`);
  return { points, triangles, paints: looks, uv };
}

// Runs of triangles with one colour each (null: that of the shape) and one image (-1: none).
function paints(value, ntriangle, what, nimage) {
  if (value === undefined || value === null) return null;
  const runs = list(value, `The paints of ${what}`).map((p) => {
    const [count, hue, picture] = list(p, `A paint of ${what}`);
    if (!Number.isInteger(count) || count < 0) fail(`A paint of ${what} needs a number of triangles.`);
    return { count, colour: colour(hue, what), image: index(picture ?? -1, nimage, what, 'image', true) };
  });
  if (runs.reduce((n, r) => n + r.count, 0) !== ntriangle) fail(`The paints of ${what} are not one for each triangle.`);
  return runs;
}

// A force that three channels tell; axes: 'world', 'port', or three directions in the world. Where it acts is a
// place on a port, or what three more channels tell (`at`).
function arrow(a, what, nport) {
  const axes = a.axes === undefined || a.axes === 'world' || a.axes === 'port'
    ? a.axes ?? 'world' : list(a.axes, `The axes of ${what}`).map((x) => vector(x, 3, `An axis of ${what}`));
  if (Array.isArray(axes) && axes.length !== 3) fail(`${what} needs three axes.`);
  const channels = list(a.channels, `The channels of ${what}`);
  if (channels.length !== 3) fail(`${what} needs three channels, or null where there is none.`);
  const at = a.at === undefined ? null : list(a.at, `The place of ${what}`).map(text);
  if (at && at.length !== 3) fail(`The place of ${what} needs three channels.`);
  return {
    name: text(a.name), kind: text(a.kind), axes, channels: channels.map((c) => (c === null ? null : text(c))),
    port: index(a.port, nport, what, 'port', at !== null),
    at,
    offset: vector(a.offset ?? [0, 0, 0], 3, `The offset of ${what}`),
    shift: vector(a.shift ?? [0, 0, 0], 3, `The shift of ${what}`),
    arc: a.arc === undefined ? null : vector(a.arc, 2, `The arc of ${what}`),
  };
}

function link(l, what, nport, nlink) {
  const parent = l.parent ?? -1;
  return {
    name: text(l.name), joint: text(l.joint), body: text(l.body), channels: text(l.channels),
    mass: Number.isFinite(l.mass) ? l.mass : null,
    parent: index(parent, nlink, what, 'link', true),
    port: index(l.port, nport, what),
    com: l.com === undefined || l.com === null ? null : vector(l.com, 3, `The centre of ${what}`),
  };
}

// Links by the names of their ports, where the data has no list of its own.
function linksOf(ports) {
  const names = [...new Set(ports.filter((p) => p.kind === 'port').map((p) => p.link))];
  return names.map((name) => {
    const port = ports.findIndex((p) => p.link === name);
    const on = ports[port].parent;
    return { name, joint: '', body: '', mass: null, com: null, port, parent: on < 0 ? -1 : names.indexOf(ports[on].link) };
  });
}

// One end of a loop: a point of a port, or of the world (-1).
function loopEnd(e, what, nport) {
  if (e === null || typeof e !== 'object') fail(`${what} must have two ends.`);
  return { port: index(e.port, nport, what, 'port', true), offset: vector(e.offset ?? [0, 0, 0], 3, `The end of ${what}`) };
}

// `ports` is how older results name the ends.
function closure(c, what, nport) {
  const ends = c.ends === undefined ? portList(c.ports, nport, what).map((port) => ({ port })) : list(c.ends, what);
  if (ends.length !== 2) fail(`${what} must have two ends.`);
  return { name: text(c.name), type: text(c.type), ends: ends.map((e) => loopEnd(e, what, nport)) };
}

// What a page of a run that goes on must know of it.
function live(d) {
  if (d === undefined || d === null) return null;
  return {
    period: Number.isFinite(d.period) ? d.period : 0.02,
    inputs: records(d.inputs, 'Input', (i, what) => ({
      name: text(i.name),
      unit: text(i.unit) && i.unit !== '1' ? `\u2009${text(i.unit)}` : '',
      range: vector([i.least, i.greatest, i.value], 3, `The range of ${what}`),
    })),
  };
}

function trail(t, what, nport) {
  const times = rising(numbers(Float32Array, t.times, `The times of ${what}`), `The times of ${what}`);
  return {
    port: index(t.port, nport, what), times,
    points: numbers(Float32Array, t.points, `The points of ${what}`, 3 * times.length),
  };
}

// A frame of a run that goes on: {t, poses, row}.
export function decodeFrame(frame, nport, nchannel) {
  return {
    t: Number(frame.t),
    poses: numbers(Float32Array, frame.poses, 'The poses of a frame', nport * 7),
    row: numbers(Float64Array, frame.row, 'The row of a frame', nchannel + 1),
  };
}

// The run as the page uses it. Throws DataError with a sentence.
export function decode(source) {
  if (!source || !source.trimStart().startsWith('{')) fail('This page holds no run yet.');
  let d;
  try {
    d = JSON.parse(source);
  } catch (e) {
    fail(`The data of this page is not valid JSON: ${e.message}.`);
  }
  const run = decodeRun(d);
  run.also = records(d.also, 'Result', (other) => decodeRun(other));
  run.live = live(d.live);
  return run;
}

function decodeRun(d) {
  if (d.format === undefined) fail('The data of this page does not name its format.');
  if (d.format !== 1) fail(`The data has format ${text(d.format)}; this page reads format 1.`);

  const times = rising(numbers(Float64Array, d.times, 'The list "times"'), 'The list "times"');
  if (times.length === 0) fail('The run has no frames.');
  const nport = list(d.ports, 'Ports').length;
  const ports = records(d.ports, 'Port', (p, what) => ({
    name: text(p.name),
    link: text(p.link),
    bare: p.bare === true,
    parent: index(p.parent ?? -1, nport, what, 'port', true),
    kind: text(p.kind) || 'port',
    trail: p.trail !== false,
  }));
  const rows = rising(numbers(Float64Array, d.rows ?? '', 'The list "rows"'), 'The list "rows"');
  const images = records(d.images, 'Image', image);
  const meshes = records(d.meshes, 'Mesh', (m, what) => mesh(m, what, images.length));
  const nlink = list(d.links, 'Links').length;

  return {
    name: text(d.name),
    description: text(d.description),
    status: text(d.status),
    warnings: list(d.warnings, 'Warnings').map(text),
    model: text(d.model),
    label: text(d.label),
    outputs: Number.isInteger(d.outputs) ? d.outputs : times.length,
    summary: records(d.summary, 'Summary', (s) => ({
      label: text(s.label),
      value: typeof s.value === 'number' ? s.value : text(s.value),
      unit: text(s.unit),
    })),
    times,
    ports,
    poses: numbers(Float32Array, d.poses ?? '', 'The list "poses"', times.length * nport * 7),
    links: nlink > 0 ? records(d.links, 'Link', (l, what) => link(l, what, nport, nlink)) : linksOf(ports),
    images,
    meshes,
    shapes: records(d.shapes, 'Shape', (s, what) => shape(s, what, nport, meshes.length)),
    strips: records(d.strips, 'Strip', (s, what) => strip(s, what, nport)),
    arrows: records(d.arrows, 'Arrow', (a, what) => arrow(a, what, nport)),
    closures: records(d.closures, 'Closure', (c, what) => closure(c, what, nport)),
    trails: records(d.trails, 'Trail', (t, what) => trail(t, what, nport)),
    grounds: [d.ground ?? []].flat().map(ground),
    rows,
    channels: records(d.channels, 'Channel', (c, what) => ({
      name: text(c.name),
      unit: text(c.unit),
      text: text(c.text),
      values: numbers(Float64Array, c.values, `${what} (${text(c.name)})`, rows.length),
    })),
    events: records(d.events, 'Event', (e, what) => {
      if (!Number.isFinite(e.t)) fail(`${what} has no finite time.`);
      return { t: e.t, name: text(e.name), text: text(e.text) };
    }).sort((a, b) => a.t - b.t),
  };
}
