// main.js: reads the run out of the page and connects clock, picture, plots and tables.
import './style.css';
import { onTheme } from './colours.js';
import { decode, DataError } from './data.js';
import { busiestPort } from './motion.js';
import { connectPicker } from './picker.js';
import { firstChoice, Plots } from './plots.js';
import { canDraw, ReplayScene } from './scene.js';
import { fillEvents, fillSummary } from './summary.js';
import { Timeline } from './timeline.js';
import { connectTransport } from './transport.js';

const $ = (id) => document.getElementById(id);

function tell(id, sentence) {
  $(id).textContent = sentence;
  $(id).hidden = false;
}

// The picture, or null and a sentence in its place.
function makeScene(run) {
  try {
    if (canDraw()) return new ReplayScene($('canvas'), run);
  } catch (e) {
    console.warn(e);
  }
  $('canvas').hidden = true;
  $('tools').hidden = true;
  tell('no-canvas', 'This browser does not offer WebGL 2, so the motion is not drawn. Plots and summary work without it.');
  return null;
}

function connectTools(scene, run) {
  const option = (value, label) => {
    const o = document.createElement('option');
    o.value = value;
    o.textContent = label;
    $('trail').append(o);
  };
  option(-1, 'none');
  run.ports.forEach((p, i) => p.trail && option(i, p.name || `port ${i}`));
  $('trail').value = busiestPort(run);
  scene.selectTrail(Number($('trail').value));
  $('trail').addEventListener('change', () => scene.selectTrail(Number($('trail').value)));
  $('axes').addEventListener('change', () => scene.showAxes($('axes').checked));
  $('fit').addEventListener('click', () => scene.fit());
}

function start(run) {
  $('page').hidden = false;
  document.title = run.name ? `${run.name} \u2013 Appell` : 'Appell';
  $('name').textContent = run.name || 'Run';
  $('description').textContent = run.description;

  const timeline = new Timeline(run.times);
  const scene = makeScene(run);
  if (scene) {
    timeline.listen(() => scene.update(timeline.t));
    connectTools(scene, run);
  }
  const bar = { play: $('play'), scrubber: $('scrubber'), marks: $('marks'), time: $('time'), speed: $('speed') };
  const decimals = connectTransport(timeline, run.events, bar, () => scene && scene.fit());

  const plots = new Plots($('plots'), run, timeline);
  plots.choose(firstChoice(run.channels));
  $('pick').hidden = run.channels.length === 0;
  const list = { button: $('pick'), panel: $('picker'), search: $('search'), listing: $('channels') };
  const refill = connectPicker(list, run, plots);

  fillSummary($('summary'), run.summary);
  $('summary-panel').hidden = run.summary.length === 0;
  fillEvents($('events'), run.events, decimals, (t) => timeline.seek(t));
  $('events-panel').hidden = run.events.length === 0;

  onTheme(() => {
    if (scene) scene.setTheme();
    plots.rebuild();
    refill();
  });
}

try {
  start(decode($('appell-data')?.textContent));
} catch (e) {
  $('page').hidden = true;
  tell('trouble', e instanceof DataError ? e.message : `This page cannot show its run: ${e.message}.`);
}
document.documentElement.dataset.ready = 'yes';
