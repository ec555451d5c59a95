/* SPDX-License-Identifier: Apache-2.0 */
// gauges.js: small readings over the picture: where x, y and z point, and how long things are.
import { Vector3 } from 'three';
import { roundDown, show } from './numbers.js';

const ns = 'http://www.w3.org/2000/svg';
const colours = ['#d9483b', '#3f9b46', '#3b6fd9'];

function element(parent, tag, attributes) {
  const e = document.createElementNS(ns, tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  parent.append(e);
  return e;
}

export function connectGauges(scene, triad, bar) {
  const axes = colours.map((stroke, k) => ({
    line: element(triad, 'line', { stroke, 'stroke-width': 2.2, 'stroke-linecap': 'round', x1: 0, y1: 0 }),
    name: element(triad, 'text', { fill: stroke, 'font-size': 11, 'text-anchor': 'middle', 'dominant-baseline': 'central' }),
    axis: new Vector3().setComponent(k, 1),
    letter: 'xyz'[k],
  }));
  const turn = new Vector3();

  scene.onDraw(() => {
    const back = scene.camera.quaternion.clone().invert();
    const placed = axes.map((a) => ({ a, at: turn.copy(a.axis).applyQuaternion(back).clone() }));
    // the nearest one is drawn last
    for (const { a, at } of placed.sort((p, q) => p.at.z - q.at.z)) {
      a.line.setAttribute('x2', (20 * at.x).toFixed(1));
      a.line.setAttribute('y2', (-20 * at.y).toFixed(1));
      a.name.setAttribute('x', (28 * at.x).toFixed(1));
      a.name.setAttribute('y', (-28 * at.y).toFixed(1));
      a.name.textContent = a.letter;
      triad.append(a.line, a.name);
    }
    const height = scene.renderer.domElement.clientHeight;
    const each = scene.rig.metresPerPixel(height);
    const length = roundDown(110 * each);
    bar.style.width = `${(length / each).toFixed(1)}px`;
    const [size, unit] = length < 0.01 ? [1000 * length, 'mm'] : length < 1 ? [100 * length, 'cm'] : [length, 'm'];
    bar.textContent = `${show(size, 3)} ${unit}`;
  });
}
