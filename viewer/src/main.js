/* SPDX-License-Identifier: Apache-2.0 */
// main.js: reads the run out of the page and connects clock, picture, plots and tables.
import './style.css';
import { onTheme } from './colours.js';
import { decode, DataError } from './data.js';
import { connectGauges } from './gauges.js';
import { loadTextures } from './images.js';
import { connectLabels } from './labels.js';
import { connectLive } from './live.js';
import { movieMark, movieQuery, shootMovie } from './movie.js';
import { connectPicker } from './picker.js';
import { Plots } from './plots.js';
import { canDraw, ReplayScene } from './scene.js';
import { Selection } from './selection.js';
import { firstChoice } from './story.js';
import { fillEvents, fillStatus, fillSummary, thinned } from './summary.js';
import { Timeline } from './timeline.js';
import { connectCamera, connectLayers, connectPanels, connectSaving } from './tools.js';
import { connectTransport } from './transport.js';
import { addPositions } from './values.js';

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
  $('gauges').hidden = true;
  tell('no-canvas', 'This browser does not offer WebGL 2, so the motion is not drawn. Plots and summary work without it.');
  return null;
}

function fillHead(run) {
  document.title = run.name ? `${run.name} \u2013 Appell` : 'Appell';
  $('name').textContent = run.name || 'Run';
  $('description').textContent = run.description;
  // the gallery opens its pages with this word: they know the way back
  $('back').hidden = !new URLSearchParams(location.search).has('gallery');
  fillStatus($('status'), run);
  $('thinned').textContent = thinned(run);
  if (run.also.length) {
    $('results').hidden = false;
    const names = run.also.map((r) => r.label || r.name).join(', ');
    $('results').textContent = `Solid: ${run.label || run.name}. Ghosts and dashed curves: ${names}.`;
  }
}

function connectPlots(run, timeline) {
  const plots = new Plots($('plots'), run, timeline);
  plots.choose(firstChoice(run));
  $('pick').hidden = run.channels.length === 0;
  $('difference').hidden = run.also.length === 0;
  $('difference').addEventListener('click', () => {
    plots.difference = !plots.difference;
    $('difference').setAttribute('aria-pressed', String(plots.difference));
    plots.rebuild();
  });
  const list = { button: $('pick'), panel: $('picker'), search: $('search'), listing: $('channels') };
  return { plots, refill: connectPicker(list, run, plots) };
}

function connectTables(run, timeline, decimals) {
  fillSummary($('summary'), run.summary);
  $('summary-panel').hidden = run.summary.length === 0;
  fillEvents($('events'), run.events, decimals, (t) => timeline.seek(t));
  $('events-panel').hidden = run.events.length === 0;
  $('model-text').textContent = run.model;
  $('model-panel').hidden = !run.model;
}

function start(run) {
  $('page').hidden = false;
  fillHead(run);
  addPositions(run);
  for (const r of run.also) addPositions(r);

  const timeline = new Timeline(run.times);
  const scene = makeScene(run);
  let selection = null;
  const { plots, refill } = connectPlots(run, timeline);
  if (scene) {
    timeline.listen(() => scene.update(timeline.t));
    connectPanels($('tools'));
    connectLayers(scene, run);
    const followed = connectCamera(scene, run);
    connectGauges(scene, $('triad'), $('scale-bar'));
    connectLabels(scene, $('labels'));
    const elements = { canvas: $('canvas'), tip: $('tip'), tree: $('tree'), card: $('card') };
    selection = new Selection(elements, run, scene, (link) => {
      plots.addLink(link);
      refill();
    });
    selection.onFollow = followed;
  }
  connectSaving(scene, run, timeline, plots);
  const help = () => $('help').showModal();
  $('help-button').addEventListener('click', help);
  const live = run.live ? connectLive(run, { timeline, scene, plots, selection }) : null;
  const bar = { play: $('play'), scrubber: $('scrubber'), marks: $('marks'), time: $('time'), speed: $('speed'), loop: $('loop') };
  const view = (name) => () => scene && scene.view(name);
  const decimals = connectTransport(timeline, run.events, bar, {
    f: () => scene && scene.fit(), 1: view('corner'), 2: view('front'), 3: view('side'), 4: view('top'), 5: view('plane'),
    '?': help, h: help, ...(live ? { ' ': live.toggle } : {}),
  });
  connectTables(run, timeline, decimals);
  const query = movieQuery();
  if (query && scene) shootMovie(query, scene, timeline);

  onTheme(() => {
    if (scene) scene.setTheme();
    plots.rebuild();
    refill();
  });
}

async function main() {
  try {
    const run = decode($('appell-data')?.textContent);
    for (const one of [run, ...run.also]) await loadTextures(one);
    start(run);
  } catch (e) {
    $('page').hidden = true;
    if (!(e instanceof DataError)) console.warn(e);
    if (movieQuery()) document.title = `${movieMark(movieQuery())}trouble:${e.message}`;
    tell('trouble', e instanceof DataError ? e.message : `This page cannot show its run: ${e.message}.`);
  }
  document.documentElement.dataset.ready = 'yes';
}

main();
