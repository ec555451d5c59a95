/* SPDX-License-Identifier: Apache-2.0 */
// tools.js: the buttons over the picture and their panels: links, what is shown, camera, saving.
import { busiestPort } from './motion.js';
import { recordVideo, savePicture, saveTable, videoType } from './save.js';

const $ = (id) => document.getElementById(id);

// One panel at a time; a press elsewhere or Escape closes it.
export function connectPanels(host) {
  const buttons = [...host.querySelectorAll('button[aria-controls]')];
  const show = (button, yes) => {
    button.setAttribute('aria-expanded', String(yes));
    $(button.getAttribute('aria-controls')).hidden = !yes;
  };
  const close = () => buttons.forEach((b) => show(b, false));
  for (const b of buttons) {
    b.addEventListener('click', () => {
      const open = b.getAttribute('aria-expanded') === 'true';
      close();
      show(b, !open);
    });
  }
  document.addEventListener('pointerdown', (e) => {
    if (!host.contains(e.target) && !e.target.closest('.sheet')) close();
  });
  document.addEventListener('keydown', (e) => e.key === 'Escape' && close());
}

function checkbox(host, label, title, checked, change) {
  const line = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = checked;
  line.title = title;
  line.append(box, label);
  box.addEventListener('change', () => change(box.checked));
  host.append(line);
  return box;
}

// What can be shown, as far as this run has it. Forces of contacts are on from the start: they tell the story.
export function connectLayers(scene, run) {
  const host = $('layers');
  const has = (name) => scene.robot.layers[name].any;
  const layers = [
    ['axes', 'Frames of ports', 'x red, y green, z blue', false],
    ['centres', 'Centres of mass', 'yellow of links, by their mass; red of the robot', false],
    ['forces', 'Contact forces', 'force of the ground on the robot', true],
    ['wheels', 'Wheel forces', 'force of the ground on the wheels', false],
    ['reactions', 'Joint reactions', 'force of what carries a link on it', false],
    ['closures', 'Loop closures', 'where loops are closed', true],
  ];
  for (const [name, label, title, on] of layers) {
    if (!has(name)) continue;
    const box = checkbox(host, label, title, on, (yes) => scene.showLayer(name, yes));
    box.id = `layer-${name}`;
    if (on) scene.showLayer(name, true);
  }
  if (run.shapes.some((s) => s.through)) {
    const yes = (on) => {
      for (const r of scene.robots) r.showThrough(on);
      scene.ask();
    };
    checkbox(host, 'Tendons through bodies', 'draw tendons in front of what hides them', true, yes);
    yes(true);
  }
  $('bending').hidden = run.strips.length === 0;
  $('factor').addEventListener('input', () => {
    // 1 to 100, finer where it is small
    const factor = Math.round(10 ** Number($('factor').value) * 10) / 10;
    $('factor-value').textContent = `\u00d7 ${factor}`;
    scene.setFactor(factor);
  });
  connectTrails(scene, run);
}

function connectTrails(scene, run) {
  const host = $('trails');
  const chosen = new Set();
  const first = busiestPort(run);
  run.ports.forEach((p, i) => {
    if (!p.trail) return;
    const box = checkbox(host, p.name || `port ${i}`, 'draw its path', i === first, (yes) => {
      if (yes) chosen.add(i);
      else chosen.delete(i);
      scene.selectTrails([...chosen]);
    });
    box.dataset.port = i;
  });
  if (first >= 0) chosen.add(first);
  scene.selectTrails([...chosen]);
}

export function connectCamera(scene, run) {
  for (const b of document.querySelectorAll('#camera button[data-view]')) {
    b.addEventListener('click', () => scene.view(b.dataset.view));
  }
  const follow = $('follow');
  const option = (value, label) => follow.append(new Option(label, value));
  option('', 'nothing');
  for (const l of run.links) option(l.name, l.name);
  follow.value = scene.rig.link ?? '';
  follow.addEventListener('change', () => scene.follow(follow.value || null));
  $('fit').addEventListener('click', () => scene.fit());
  return (link) => {
    follow.value = link;
  };
}

export function connectSaving(scene, run, timeline, plots) {
  const title = run.name || 'run';
  $('save-csv').hidden = run.channels.length === 0;
  $('save-csv').addEventListener('click', () => saveTable(run, run.channels.filter((c) => !c.made || plots.chosen.includes(run.channels.indexOf(c))), title));
  $('save-png').hidden = $('save-video').hidden = !scene;
  if (!scene) return;
  $('save-png').addEventListener('click', () => savePicture(scene, title));
  $('save-video').disabled = !videoType() || !(timeline.end > timeline.start);
  let stop = null;
  const tell = (on) => {
    $('save-video').textContent = on ? 'Stop recording' : 'Record video';
    document.body.classList.toggle('recording', on);
  };
  $('save-video').addEventListener('click', () => {
    if (stop) {
      stop();
      return;
    }
    tell(true);
    stop = recordVideo(scene, timeline, title, () => {
      stop = null;
      tell(false);
    });
  });
}
