/* SPDX-License-Identifier: Apache-2.0 */
// transport.js: the bar under the picture (play, scrubber with event marks, time, speed, loop) and keys.
import { timeDecimals } from './numbers.js';
import { speeds } from './timeline.js';

export function connectTransport(timeline, events, elements, more) {
  const { play, scrubber, marks, time, speed, loop } = elements;
  const decimals = timeline.end > timeline.start ? timeDecimals(timeline.end - timeline.start) : 2;
  const span = timeline.end - timeline.start || 1;

  // marks; many events become at most one mark per thousandth of the bar
  const seen = new Set();
  for (const e of events) {
    const place = Math.round(((e.t - timeline.start) / span) * 1000) / 10;
    if (place < 0 || place > 100 || seen.has(place)) continue;
    seen.add(place);
    const mark = document.createElement('i');
    mark.style.left = `${place}%`;
    mark.title = `${e.t.toFixed(decimals)} s: ${e.name}`;
    mark.addEventListener('click', () => timeline.seek(e.t));
    marks.append(mark);
  }

  for (const s of speeds) {
    const option = document.createElement('option');
    option.value = s;
    option.textContent = `${s}\u00d7`;
    speed.append(option);
  }

  scrubber.addEventListener('input', () => timeline.seek(Number(scrubber.value)));
  play.addEventListener('click', () => timeline.toggle());
  loop.addEventListener('click', () => {
    timeline.loop = !timeline.loop;
    timeline.tell();
  });
  speed.addEventListener('change', () => timeline.setSpeed(Number(speed.value)));

  timeline.listen(() => {
    const { start, end } = timeline;
    scrubber.min = start;
    scrubber.max = end;
    play.disabled = scrubber.disabled = !(end > start);
    scrubber.value = timeline.t;
    scrubber.style.setProperty('--done', `${((timeline.t - start) / (end - start || 1)) * 100}%`);
    time.textContent = `${timeline.t.toFixed(decimals)} / ${end.toFixed(decimals)} s`;
    speed.value = String(timeline.speed);
    loop.setAttribute('aria-pressed', String(timeline.loop));
    play.classList.toggle('playing', timeline.playing);
    play.setAttribute('aria-label', timeline.playing ? 'Pause' : 'Play');
  });

  const keys = {
    ' ': () => timeline.toggle(),
    ArrowLeft: (e) => timeline.step(e.shiftKey ? -10 : -1),
    ArrowRight: (e) => timeline.step(e.shiftKey ? 10 : 1),
    ArrowUp: () => timeline.faster(1),
    ArrowDown: () => timeline.faster(-1),
    Home: () => timeline.seek(timeline.start),
    End: () => timeline.seek(timeline.end),
    l: () => loop.click(),
    ...more,
  };
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || !Object.hasOwn(keys, e.key)) return;
    // text fields and lists keep their keys; a button keeps its space
    if (document.querySelector('dialog[open]')) return;
    const tag = e.target.tagName;
    if (tag === 'SELECT' || (tag === 'INPUT' && e.target.type !== 'range')) return;
    if (tag === 'BUTTON' && e.key === ' ') return;
    e.preventDefault();
    keys[e.key](e);
  });
  return decimals;
}
