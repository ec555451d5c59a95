// scene.js: the 3-D replay: camera, lights, the robot's parts, and drawing only when asked.
import {
  Box3, Color, DirectionalLight, Group, HemisphereLight, PCFShadowMap, PerspectiveCamera, Quaternion,
  Scene, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { isDark, styleColour } from './colours.js';
import { makeGround } from './ground.js';
import { posesAt, reach } from './motion.js';
import { roundDown } from './numbers.js';
import { allShown, lowestShape, makeParts, portAxes, shapeReach } from './parts.js';
import { Trail } from './trail.js';

// Whether this browser can draw in 3-D at all.
export function canDraw() {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null;
  } catch {
    return false;
  }
}

// The present poses as three's objects, without making new ones.
function makeWhere(poses) {
  const n = poses.length / 7;
  const positions = Array.from({ length: n }, () => new Vector3());
  const turns = Array.from({ length: n }, () => new Quaternion());
  return {
    poses,
    position: (p) => positions[p].fromArray(poses, 7 * p),
    turn: (p) => turns[p].set(poses[7 * p + 4], poses[7 * p + 5], poses[7 * p + 6], poses[7 * p + 3]),
  };
}

// A motion in a plane is looked at from the front, any other from a corner above.
function viewDirection(size) {
  const largest = Math.max(size.x, size.y, size.z);
  if (size.y < 0.1 * largest && size.z > 0.1 * largest) return new Vector3(0.3, -1, 0.22).normalize();
  if (size.x < 0.1 * largest && size.z > 0.1 * largest) return new Vector3(1, -0.3, 0.22).normalize();
  if (size.z < 0.1 * largest) return new Vector3(0.15, -0.8, 1).normalize();
  return new Vector3(0.75, -1.3, 0.6).normalize();
}

export class ReplayScene {
  constructor(canvas, run) {
    this.run = run;
    this.poses = new Float64Array(run.ports.length * 7);
    this.where = makeWhere(this.poses);
    this.scene = new Scene();
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.camera = new PerspectiveCamera(32, 1, 0.1, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.touched = false;
    this.asked = false;
    this.controls.addEventListener('start', () => {
      this.touched = true;
    });
    this.controls.addEventListener('change', () => this.ask());

    this.measure();
    this.addLights();
    this.addParts();
    this.setTheme();
    this.resize();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
  }

  measure() {
    const { low, high, robot } = reach(this.run, shapeReach(this.run));
    this.box = new Box3(new Vector3(...low), new Vector3(...high));
    this.centre = this.box.getCenter(new Vector3());
    const diagonal = this.box.getSize(new Vector3()).length();
    this.size = robot || diagonal || 1;
    this.thickness = 0.016 * this.size;
    this.box.expandByScalar(2 * this.thickness);
    this.radius = this.box.getSize(new Vector3()).length() / 2;
  }

  addLights() {
    this.sky = new HemisphereLight('#ffffff', '#8a8f99', 1.7);
    this.sky.position.set(0, 0, 1);
    const r = 1.15 * this.radius;
    const sun = new DirectionalLight('#ffffff', 2.3);
    sun.position.copy(this.centre).add(new Vector3(-0.4, -0.55, 2).normalize().multiplyScalar(3 * r));
    sun.target.position.copy(this.centre);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.radius = 5;
    sun.shadow.normalBias = 0.3 * this.thickness;
    Object.assign(sun.shadow.camera, { left: -r, right: r, top: r, bottom: -r, near: r, far: 9 * r });
    // a weak light from the reader's side keeps what the sun does not reach readable
    const lamp = new DirectionalLight('#ffffff', 0.9);
    lamp.position.set(0, 0, 1);
    lamp.target = this.camera;
    this.camera.add(lamp);
    this.scene.add(this.sky, sun, sun.target, this.camera);
  }

  // Where a ground may be that nobody described: under everything that is drawn, just under it where
  // shapes tell exactly how far down that is.
  lowest() {
    const ports = reach(this.run, this.run.ports.map(() => 0)).low[2] - 2 * this.thickness;
    const shapes = lowestShape(this.run);
    if (shapes === Infinity) return this.box.min.z;
    return allShown(this.run) && shapes < ports + 2 * this.thickness ? shapes : Math.min(shapes, ports);
  }

  addParts() {
    const lowest = this.lowest();
    const planes = this.run.grounds.length > 0 ? this.run.grounds : [null];
    this.grounds = planes.map((g) => makeGround(g, this.centre, lowest, 5 * this.radius, roundDown(0.3 * this.radius)));
    this.parts = makeParts(this.run, this.thickness);
    this.axes = portAxes(this.run, 6 * this.thickness);
    this.axesGroup = new Group();
    this.axesGroup.visible = false;
    for (const a of this.axes) this.axesGroup.add(a.object);
    this.trail = new Trail(this.run);
    this.scene.add(...this.grounds.map((g) => g.object), ...this.parts.map((p) => p.object), this.axesGroup, this.trail.object);
  }

  setTheme() {
    const dark = isDark();
    this.sky.groundColor = new Color(dark ? '#3c424d' : '#a9adb5');
    for (const g of this.grounds) g.setTheme(dark, styleColour('--grid'));
    this.trail.setTheme(styleColour('--accent'));
    this.ask();
  }

  showAxes(yes) {
    this.axesGroup.visible = yes;
    this.update(this.t);
  }

  selectTrail(port) {
    this.trail.select(port);
    this.trail.update(this.t);
    this.ask();
  }

  // Bring everything to time t.
  update(t) {
    this.t = t;
    posesAt(this.run, t, this.poses);
    for (const part of this.parts) part.update(this.where);
    if (this.axesGroup.visible) for (const a of this.axes) a.update(this.where);
    this.trail.update(t);
    this.ask();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.renderer.domElement.parentElement;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.trail.resize(width, height);
    if (!this.touched) this.fit();
    // at once: a resized canvas is blank until it is drawn
    this.draw();
  }

  // Show the whole motion: the smallest distance at which all corners of its box are inside.
  fit() {
    const direction = viewDirection(this.box.getSize(new Vector3()));
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new Vector3().crossVectors(direction, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = tall * this.camera.aspect;
    const { min, max } = this.box;
    let distance = 0;
    for (let k = 0; k < 8; k++) {
      const c = new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z);
      c.sub(this.centre);
      const need = Math.max(Math.abs(c.dot(right)) / wide, Math.abs(c.dot(up)) / tall);
      distance = Math.max(distance, need + c.dot(direction));
    }
    distance *= 1.12;
    this.camera.near = 0.01 * distance;
    this.camera.far = distance + 12 * this.radius;
    this.camera.position.copy(this.centre).addScaledVector(direction, distance);
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(this.centre);
    this.controls.maxDistance = distance + 6 * this.radius;
    this.controls.update();
    this.touched = false;
    this.ask();
  }

  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.asked = false;
    this.renderer.render(this.scene, this.camera);
  }
}
