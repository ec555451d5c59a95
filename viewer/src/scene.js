/* SPDX-License-Identifier: Apache-2.0 */
// scene.js: the 3-D replay: lights, ground, the robots, and drawing only when asked.
import {
  Color, DirectionalLight, HemisphereLight, PCFShadowMap, Raycaster, Scene, Vector2, Vector3, WebGLRenderer,
} from 'three';
import { Rig } from './camera.js';
import { isDark, styleColour } from './colours.js';
import { floorOf, lowestShape, reach } from './extent.js';
import { makeGround } from './ground.js';
import { lowestPort } from './motion.js';
import { roundDown } from './numbers.js';
import { allShown } from './parts.js';
import { Robot } from './robot.js';

// Whether this browser can draw in 3-D at all.
export function canDraw() {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null;
  } catch {
    return false;
  }
}

export class ReplayScene {
  constructor(canvas, run) {
    this.run = run;
    this.scene = new Scene();
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.asked = false;
    this.t = run.times[0];
    this.listeners = [];
    this.followers = [];

    const all = reach(run);
    this.size = all.robot || 1;
    this.thickness = 0.016 * this.size;
    this.rig = new Rig(canvas, run, all, this.thickness);
    this.rig.controls.addEventListener('change', () => this.ask());
    this.camera = this.rig.camera;
    this.robots = [run, ...run.also].map((r, i) => new Robot(r, this.size, this.thickness, i));
    this.rig.measure((t) => {
      this.robot.update(t);
      return this.robot.box();
    });
    this.addLights();
    this.addGrounds();
    this.scene.add(...this.robots.map((r) => r.object));
    this.ray = new Raycaster();
    this.setTheme();
    this.update(this.t);
    if (this.rig.roams) this.follow(run.links[0]?.name ?? null);
    this.resize();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
  }

  get robot() {
    return this.robots[0];
  }

  addLights() {
    this.sky = new HemisphereLight('#ffffff', '#8a8f99', 1.7);
    this.sky.position.set(0, 0, 1);
    const r = this.rig.roams ? 1.1 * this.size : 1.15 * this.rig.radius;
    this.sun = new DirectionalLight('#ffffff', 2.3);
    this.sunWay = new Vector3(-0.4, -0.55, 2).normalize().multiplyScalar(3 * r);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 5;
    this.sun.shadow.normalBias = 0.3 * this.thickness;
    Object.assign(this.sun.shadow.camera, { left: -r, right: r, top: r, bottom: -r, near: r, far: 9 * r });
    // a weak light from the reader's side keeps what the sun does not reach readable
    const lamp = new DirectionalLight('#ffffff', 0.9);
    lamp.position.set(0, 0, 1);
    lamp.target = this.camera;
    this.camera.add(lamp);
    this.scene.add(this.sky, this.sun, this.sun.target, this.camera);
    this.placeSun(this.rig.all.getCenter(new Vector3()));
  }

  placeSun(over) {
    this.sun.position.copy(over).add(this.sunWay);
    this.sun.target.position.copy(over);
  }

  // Where a ground may be that nobody described: where the robot stands, else under everything that is drawn,
  // just under it where shapes tell exactly how far down that is.
  lowest() {
    const floor = floorOf(this.run);
    if (Number.isFinite(floor)) return floor;
    const ports = lowestPort(this.run) - 2 * this.thickness;
    const shapes = lowestShape(this.run);
    if (shapes === Infinity) return this.rig.all.min.z;
    return allShown(this.run) && shapes < ports + 2 * this.thickness ? shapes : Math.min(shapes, ports);
  }

  addGrounds() {
    const lowest = this.lowest();
    const planes = this.run.grounds.length > 0 ? this.run.grounds : [null];
    const centre = this.rig.all.getCenter(new Vector3());
    const cell = roundDown(0.3 * Math.min(this.rig.radius, this.size));
    this.grounds = planes.map((g) => makeGround(g, centre, lowest, 5 * this.rig.radius, cell));
    this.scene.add(...this.grounds.map((g) => g.object));
  }

  setTheme() {
    const dark = isDark();
    this.sky.groundColor = new Color(dark ? '#3c424d' : '#a9adb5');
    for (const g of this.grounds) g.setTheme(dark, styleColour('--grid'));
    this.robots.forEach((r, i) => r.trails.setTheme(styleColour(i ? '--muted' : '--accent')));
    this.ask();
  }

  // Something of the robots has changed: bring it to the present time.
  refresh() {
    this.update(this.t);
  }

  showLayer(name, yes) {
    for (const r of this.robots) r.layers[name].object.visible = yes;
    this.refresh();
  }

  setFactor(factor) {
    for (const r of this.robots) r.factor = factor;
    this.refresh();
  }

  selectTrails(ports) {
    for (const r of this.robots) {
      r.trails.select(ports.filter((p) => p < r.run.ports.length && r.run.ports[p].name === this.run.ports[p].name));
    }
    this.refresh();
  }

  setState(link, state) {
    for (const r of this.robots) r.setState(link, state);
    this.refresh();
  }

  follow(link) {
    this.rig.follow(link, this.robot.where);
    this.ask();
  }

  view(name) {
    this.rig.view(name, this.t);
    if (this.rig.link !== null) this.follow(this.rig.link);
    this.ask();
  }

  fit() {
    this.rig.fit(this.t);
    if (this.rig.link !== null) this.follow(this.rig.link);
    this.ask();
  }

  // Bring everything to time t.
  update(t) {
    this.t = t;
    for (const r of this.robots) r.update(t);
    this.rig.update(this.robot.where);
    for (const f of this.followers) f();
    if (this.rig.roams && this.run.links.length) this.placeSun(this.robot.where.position(this.run.links[0].port));
    this.ask();
  }

  // The link under a point of the canvas (0 to 1), or null; the place too.
  pick(x, y) {
    this.ray.setFromCamera(new Vector2(2 * x - 1, 1 - 2 * y), this.camera);
    const objects = this.robot.parts.filter((p) => !p.hidden && p.link).map((p) => p.object);
    const hit = this.ray.intersectObjects(objects, true).find((h) => h.object.visible);
    return hit ? { link: hit.object.userData.link, point: hit.point } : null;
  }

  mark(what, link) {
    if (this.robot.mark(what, link)) this.ask();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.renderer.domElement.parentElement;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    for (const r of this.robots) r.trails.resize(width, height);
    if (!this.rig.touched) this.fit();
    // at once: a resized canvas is blank until it is drawn
    this.draw();
  }

  // f() is called whenever everything has been brought to another time.
  onUpdate(f) {
    this.followers.push(f);
  }

  // f() is called after every drawing.
  onDraw(f) {
    this.listeners.push(f);
  }

  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.asked = false;
    this.renderer.render(this.scene, this.camera);
    for (const f of this.listeners) f();
  }

  // On a background of its own, as pictures and videos need it.
  setBackground(colour) {
    this.scene.background = colour ? new Color(colour) : null;
    this.draw();
  }
}
