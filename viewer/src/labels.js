// labels.js: names beside frames and closures while these are shown. Plain text over the canvas, moved
// after every drawing.
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
  scene.onDraw(() => {
    const { clientWidth: width, clientHeight: height } = host;
    for (const list of lists) {
      const shown = list.layer.object.visible && list.layer.any;
      if (!shown && !list.labels) continue;
      list.labels ??= make(list.layer);
      list.labels.forEach((label, k) => {
        list.layer.names[k].at(scene.robot.where, p).project(scene.camera);
        const inside = shown && Math.abs(p.x) < 1 && Math.abs(p.y) < 1 && p.z < 1;
        label.hidden = !inside;
        if (inside) label.style.transform = `translate(${((1 + p.x) / 2) * width}px, ${((1 - p.y) / 2) * height}px)`;
      });
    }
  });
}
