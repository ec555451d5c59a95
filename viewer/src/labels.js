/* SPDX-License-Identifier: Apache-2.0 */
// labels.js: names beside frames and closures while these are shown. Plain text over the canvas, moved
// after every drawing; a name that would cover one nearer to the eye waits until there is room.
import { Vector3 } from 'three';

const most = 80; // more would hide the robot

export function connectLabels(scene, host) {
  const { layers } = scene.robot;
  const lists = ['axes', 'closures'].map((name) => ({ layer: layers[name], labels: null }));
  const p = new Vector3();

  // made when the layer is shown first
  const make = (layer) => layer.names.slice(0, most).map(({ name }) => {
    const label = document.createElement('span');
    label.textContent = name;
    host.append(label);
    return label;
  });
  // the sizes of texts do not change: asked once, because asking makes the browser lay out the page
  const sizeOf = (label) => (label.size ??= [label.offsetWidth, label.offsetHeight]);
  const covers = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

  scene.onDraw(() => {
    const { clientWidth: width, clientHeight: height } = host;
    const wanted = [];
    for (const list of lists) {
      const shown = list.layer.object.visible && list.layer.any;
      if (!shown && !list.labels) continue;
      list.labels ??= make(list.layer);
      list.labels.forEach((label, k) => {
        list.layer.names[k].at(scene.robot.where, p).project(scene.camera);
        const inside = shown && Math.abs(p.x) < 1 && Math.abs(p.y) < 1 && p.z < 1;
        if (!inside) label.hidden = true;
        else wanted.push({ label, x: ((1 + p.x) / 2) * width, y: ((1 - p.y) / 2) * height, depth: p.z });
      });
    }
    const placed = [];
    for (const want of wanted.sort((a, b) => a.depth - b.depth)) {
      want.label.hidden = false;
      [want.w, want.h] = sizeOf(want.label);
      want.label.hidden = placed.some((other) => covers(want, other));
      if (want.label.hidden) continue;
      want.label.style.transform = `translate(${want.x}px, ${want.y}px)`;
      placed.push(want);
    }
  });
}
