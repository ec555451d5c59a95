/* SPDX-License-Identifier: Apache-2.0 */
// live.js: the page of a run that goes on (`appell run --live`). News come as server-sent events; what
// the reader wishes (pause, inputs, pushes) goes back as small requests. Frames of the last minutes
// are kept, so that one may look back while the run goes on.
import { decodeFrame } from './data.js';
import { show } from './numbers.js';
import { connectPush } from './push.js';

const $ = (id) => document.getElementById(id);
const room = 6000; // frames: two minutes
const speeds = [0.1, 0.25, 0.5, 1, 2, 4];

// Frames of the run in arrays that are filled from the left; when full the older half goes.
class Frames {
  constructor(run, ready) {
    this.run = run;
    this.ports = 7 * run.ports.length;
    this.own = run.channels.filter((c) => !c.made);
    this.ready = ready;
    this.times = new Float64Array(room);
    this.poses = new Float32Array(room * this.ports);
    this.values = this.own.map(() => new Float64Array(room));
    this.clear();
  }

  clear() {
    this.n = 0;
  }

  halve() {
    const from = room >> 1;
    this.times.copyWithin(0, from);
    this.poses.copyWithin(0, from * this.ports);
    for (const v of this.values) v.copyWithin(0, from);
    this.n = room - from;
  }

  add({ t, poses, row }) {
    if (this.n === room) this.halve();
    const i = this.n++;
    this.times[i] = t;
    this.poses.set(poses, i * this.ports);
    this.values.forEach((v, c) => {
      v[i] = row[c + 1];
    });
    const { run, n } = this;
    run.times = run.rows = this.times.subarray(0, n);
    run.poses = this.poses.subarray(0, n * this.ports);
    this.own.forEach((c, k) => {
      c.values = this.values[k].subarray(0, n);
    });
    run.outputs = n;
    this.ready();
  }
}

// One wish at a time; of those that come meanwhile the last one of each kind is sent.
function makeWish(trouble) {
  const waiting = new Map();
  let busy = false;
  async function send() {
    if (busy || waiting.size === 0) return;
    const [key, wish] = waiting.entries().next().value;
    waiting.delete(key);
    busy = true;
    try {
      const answer = await fetch('wish', { method: 'POST', body: JSON.stringify(wish) });
      if (!answer.ok) trouble((await answer.text()).trim());
    } catch {
      trouble('The run does not answer any more.');
    }
    busy = false;
    send();
  }
  return (wish) => {
    waiting.set(wish.do === 'input' ? `input ${wish.input}` : wish.do, wish);
    send();
  };
}

function fillInputs(host, inputs, wish) {
  return inputs.map(({ name, unit, range: [least, greatest, value] }) => {
    const label = document.createElement('label');
    const text = document.createElement('span');
    const number = document.createElement('output');
    const slider = Object.assign(document.createElement('input'), { type: 'range', min: least, max: greatest, step: 'any', value });
    text.textContent = name;
    slider.dataset.input = name;
    slider.title = `${show(least, 3)} to ${show(greatest, 3)}${unit}`;
    const tell = () => {
      number.textContent = `${show(Number(slider.value), 3)}${unit}`;
    };
    slider.addEventListener('input', () => {
      tell();
      wish({ do: 'input', input: name, value: Number(slider.value) });
    });
    tell();
    label.append(text, number, slider);
    host.append(label);
    return { reset: () => { slider.value = value; tell(); } };
  });
}

// A robot that leaves where it stood is followed, unless the reader has chosen a view.
function makeFollow(run, scene) {
  let from = null;
  return () => {
    const link = run.links[0];
    if (!scene || !link || scene.rig.link !== null || scene.rig.touched) return;
    const at = scene.robot.where.position(link.port).clone();
    from ??= at;
    if (at.distanceTo(from) < 0.6 * scene.size) return;
    scene.follow(link.name);
    document.getElementById('follow').value = link.name;
  };
}

export function connectLive(run, { timeline, scene, plots, selection }) {
  document.body.classList.add('live');
  $('live-panel').hidden = false;
  let mode = 'running';
  let epoch = 0;
  let drawn = 0;
  const status = (sentence, failed = false) => {
    $('live-status').textContent = sentence;
    $('live-status').classList.toggle('failed', failed);
  };
  const wish = makeWish((sentence) => status(sentence, true));
  const sliders = fillInputs($('live-inputs'), run.live.inputs, wish);
  const follow = makeFollow(run, scene);
  for (const s of speeds) $('live-speed').append(new Option(`${s}\u00d7`, s, s === 1, s === 1));

  // The picture follows at thirty a second at most, plots and trails at four: news come faster.
  let asked = false;
  let pictured = 0;
  const draw = (now) => {
    if (now - pictured < 30) {
      requestAnimationFrame(draw);
      return;
    }
    asked = false;
    pictured = now;
    const last = timeline.t >= timeline.end;
    timeline.setTimes(run.times);
    if (last) timeline.t = timeline.end;
    if (now - drawn > 250 || mode !== 'running') {
      drawn = now;
      plots.grow();
      for (const r of scene ? scene.robots : []) r.trails.grow();
    }
    timeline.tell();
    follow();
  };
  const frames = new Frames(run, () => {
    if (!asked) requestAnimationFrame(draw);
    asked = true;
  });

  function news(d) {
    mode = d.mode;
    const words = { running: 'The run goes on at the pace of the clock.', paused: 'Paused.', ended: 'The run has ended.' };
    const failed = /^failed/.test(d.status);
    status(failed ? d.status.replace(/^failed:?\s*/, 'The run failed: ') : words[d.mode] ?? d.mode, failed);
    $('live-go').textContent = d.mode === 'paused' ? 'Go on' : 'Pause';
    $('live-go').setAttribute('aria-pressed', String(d.mode === 'paused'));
    $('live-go').disabled = $('live-step').disabled = d.mode === 'ended';
    $('live-rate').textContent = d.mode === 'running' && d.rate > 0 ? `${d.rate.toFixed(2)} s/s` : '';
    if (d.epoch !== epoch) {
      epoch = d.epoch;
      frames.clear();
      for (const s of sliders) s.reset();
    }
    if (d.frame && !(frames.n > 0 && d.frame.t === frames.times[frames.n - 1])) frames.add(decodeFrame(d.frame, run.ports.length, frames.own.length));
  }

  const events = new EventSource('events');
  events.addEventListener('message', (e) => news(JSON.parse(e.data)));
  events.addEventListener('error', () => {
    // the browser asks again by itself as long as the program is there
    status('The run does not answer. Was the program ended?', true);
  });
  const toggle = () => wish({ do: mode === 'paused' ? 'go' : 'pause' });
  $('live-go').addEventListener('click', toggle);
  $('live-step').addEventListener('click', () => wish({ do: 'step' }));
  $('live-reset').addEventListener('click', () => wish({ do: 'reset' }));
  $('live-speed').addEventListener('change', () => wish({ do: 'speed', value: Number($('live-speed').value) }));
  if (scene) connectPush(scene, selection, wish, $('live-push'));
  else $('live-push').hidden = true;
  return { toggle };
}
