/* SPDX-License-Identifier: Apache-2.0 */
// push.js: pulling at a link of a live run: a spring from the point that was grabbed to the pointer,
// in the plane through that point that faces the reader. The program computes the force.
import { Plane, Quaternion, Vector2, Vector3 } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';

export function connectPush(scene, selection, wish, button) {
  const canvas = scene.renderer.domElement;
  const plane = new Plane();
  const target = new Vector3();
  const turn = new Quaternion();
  // lines of WebGL are one pixel wide: this one is a strip of triangles
  const line = new Line2(new LineGeometry(), new LineMaterial({ color: '#e0453a', linewidth: 3, depthTest: false }));
  let grabbed = null; // {link, port, point in the axes of the port}
  line.renderOrder = 6;
  line.frustumCulled = false;
  line.visible = false;
  line.raycast = () => {};
  scene.scene.add(line);

  const at = (e) => {
    const b = canvas.getBoundingClientRect();
    return [(e.clientX - b.left) / b.width, (e.clientY - b.top) / b.height];
  };
  const place = ({ port, point }) =>
    point.clone().applyQuaternion(turn.copy(scene.robot.where.turn(port))).add(scene.robot.where.position(port));
  const draw = () => {
    if (!grabbed) return;
    line.material.resolution.set(canvas.clientWidth, canvas.clientHeight);
    line.geometry.setPositions([...place(grabbed).toArray(), ...target.toArray()]);
  };
  scene.onUpdate(draw);

  function aim(e) {
    const [x, y] = at(e);
    scene.ray.setFromCamera(new Vector2(2 * x - 1, 1 - 2 * y), scene.camera);
    if (!scene.ray.ray.intersectPlane(plane, target)) return;
    wish({ do: 'push', link: grabbed.link, point: grabbed.point.toArray(), target: target.toArray() });
    draw();
    scene.ask();
  }
  function release() {
    if (!grabbed) return;
    grabbed = null;
    selection.paused = false;
    line.visible = false;
    document.body.classList.remove('pushing');
    wish({ do: 'release' });
    scene.ask();
  }

  // before the camera sees it
  canvas.parentElement.addEventListener('pointerdown', (e) => {
    if (e.target !== canvas || e.button !== 0 || !(e.shiftKey || button.getAttribute('aria-pressed') === 'true')) return;
    const hit = scene.pick(...at(e));
    const link = hit && scene.run.links.find((l) => l.name === hit.link);
    if (!link) return;
    e.stopPropagation();
    e.preventDefault();
    canvas.setPointerCapture(e.pointerId);
    const { where } = scene.robot;
    const point = hit.point.clone().sub(where.position(link.port)).applyQuaternion(turn.copy(where.turn(link.port)).invert());
    grabbed = { link: link.name, port: link.port, point };
    plane.setFromNormalAndCoplanarPoint(scene.camera.getWorldDirection(new Vector3()), hit.point);
    selection.paused = true;
    line.visible = true;
    document.body.classList.add('pushing');
    aim(e);
  }, true);
  canvas.addEventListener('pointermove', (e) => grabbed && aim(e));
  for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) canvas.addEventListener(name, release);
  button.addEventListener('click', () => {
    button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
  });
}
