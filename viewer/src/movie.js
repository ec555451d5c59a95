/* SPDX-License-Identifier: Apache-2.0 */
// movie.js: the page as a camera for `appell movie`: it draws every picture while it loads and leaves
// them in its text, where `chromium --dump-dom` finds them. Asked for by ?movie=png or ?movie=jpeg.
import { styleColour } from './colours.js';

const number = (query, name, otherwise) => {
  const x = Number(query.get(name) ?? NaN);
  return Number.isFinite(x) ? x : otherwise;
};

export const movieQuery = () => {
  const query = new URLSearchParams(location.search);
  return ['png', 'jpeg'].includes(query.get('movie')) ? query : null;
};

// Times of the pictures. One picture stands at a third of the run, where something has happened.
function timesOf(query, timeline) {
  const span = timeline.end - timeline.start;
  if (query.get('movie') === 'png') return [Math.min(Math.max(number(query, 'at', timeline.start + span / 3), timeline.start), timeline.end)];
  const step = number(query, 'speed', 1) / number(query, 'fps', 30);
  return Array.from({ length: Math.floor(span / step) + 1 }, (_, i) => timeline.start + i * step);
}

// What stands before each picture and before a sentence about trouble, so that names in a file cannot be taken for them.
export const movieMark = (query) => (query.get('mark') ? `@${query.get('mark')}:` : '');

export function shootMovie(query, scene, timeline) {
  const type = `image/${query.get('movie')}`;
  const text = document.createElement('pre');
  // the window of a headless browser may be smaller than it was asked for
  const stage = scene.renderer.domElement.parentElement;
  document.body.classList.add('movie');
  stage.style.width = `${number(query, 'width', 1280)}px`;
  stage.style.height = `${number(query, 'height', 720)}px`;
  scene.resize();
  const times = timesOf(query, timeline);
  const view = query.get('view');
  // a still is about the robot, not about where it will be
  if (times.length === 1) scene.rig.roams = true;
  scene.showLayer('closures', false);
  scene.update(times[0]);
  if (view) scene.view(view);
  else scene.fit();
  scene.setBackground(query.has('clear') ? null : styleColour('--paper'));
  for (const t of times) {
    scene.update(t);
    scene.draw();
    text.append(`${movieMark(query)}${scene.renderer.domElement.toDataURL(type, 0.93)} \n`);
  }
  document.body.replaceChildren(text);
}
