/* SPDX-License-Identifier: Apache-2.0 */
// plots.js: the chosen channels, those of one kind in one plot, in the colours of their links. All share their time axis; a line marks the
// replay time, a press goes there, a drag zooms, a double press shows all again.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { linkCurve, linkOfChannel, plotColour, styleColour } from './colours.js';
import { show } from './numbers.js';
import { arrange } from './story.js';
import { sampleAt } from './values.js';

const plotHeight = 168;

// uPlot draws gaps for null only.
const gaps = (values) =>
  values.every(Number.isFinite) ? values : Array.from(values, (x) => (Number.isFinite(x) ? x : null));

// A curve of equal numbers gets an axis about that number, not one of 0 to 100.
function rangeOf(_, low, high) {
  if (low === null || high === null) return [-1, 1];
  if (low === high) return low === 0 ? [-1, 1] : [low - 0.1 * Math.abs(low), low + 0.1 * Math.abs(low)];
  const room = 0.08 * (high - low);
  return [low - room, high + room];
}

const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

export class Plots {
  constructor(host, run, timeline) {
    this.host = host;
    this.run = run;
    this.timeline = timeline;
    this.chosen = [];
    this.colours = new Map(); // channels that are no link's -> place in the order of colours
    this.difference = false;
    this.plots = [];
    this.range = null;
    this.hover = false;
    this.width = 0;
    timeline.listen(() => this.mark());
    new ResizeObserver(() => this.resize()).observe(host);
  }

  // Channel indices. A channel keeps its colour while it is chosen.
  choose(chosen) {
    this.chosen = chosen;
    for (const c of this.colours.keys()) if (!chosen.includes(c)) this.colours.delete(c);
    for (const c of chosen) {
      const used = new Set(this.colours.values());
      let free = 0;
      while (used.has(free)) free++;
      if (!this.colours.has(c) && !linkOfChannel(this.run, this.run.channels[c].name)) this.colours.set(c, free);
    }
    this.rebuild();
  }

  colourOf(channel) {
    if (!this.chosen.includes(channel)) return null;
    const link = linkOfChannel(this.run, this.run.channels[channel].name);
    return link ? linkCurve(this.run, link) : plotColour(this.colours.get(channel) ?? 0);
  }

  // Add the channels of a link, as many as can be read.
  addLink(link) {
    const mine = this.run.channels.flatMap((c, i) => (linkOfChannel(this.run, c.name) === link && !/\.q[wxyz]$/.test(c.name) ? [i] : []));
    const plain = mine.filter((i) => !this.run.channels[i].made);
    this.choose([...new Set([...this.chosen, ...(plain.length ? plain : mine).slice(0, 6)])]);
  }

  // The same channel of the other results, at the times of the first: [{label, values}].
  others(channel) {
    const { rows, also } = this.run;
    const { name } = this.run.channels[channel];
    return also.flatMap((run) => {
      const c = run.channels.find((x) => x.name === name);
      if (!c) return [];
      const last = run.rows[run.rows.length - 1];
      return [{
        label: run.label || run.name,
        values: Array.from(rows, (t) => (t < run.rows[0] || t > last ? null : sampleAt(run.rows, c.values, t))),
      }];
    });
  }

  // The curves of one plot: label, colour, dashes, values.
  curves(channels) {
    const used = new Map();
    return channels.flatMap((i) => {
      const c = this.run.channels[i];
      const stroke = this.colourOf(i);
      const nth = used.get(stroke) ?? 0;
      used.set(stroke, nth + 1);
      const own = { label: c.name, stroke, dash: dashes[nth % dashes.length], values: gaps(c.values) };
      const others = this.others(i);
      if (this.difference) {
        return others.map((o) => ({
          ...own, label: `${c.name}: ${o.label} \u2212 first`,
          values: o.values.map((x, k) => (x === null ? null : x - c.values[k])),
        }));
      }
      return [own, ...others.map((o, k) => ({ ...own, label: `${c.name} (${o.label})`, dash: dashes[(k + 1) % dashes.length], width: 1.1, values: o.values }))];
    });
  }

  rebuild() {
    for (const p of this.plots) p.destroy();
    // a plot that goes away never hears the pointer leave
    this.hover = false;
    this.host.classList.remove('reading');
    this.host.replaceChildren();
    const { channels, rows } = this.run;
    this.plots = rows.length === 0 ? [] : arrange(channels, this.chosen).map((plot) => this.makePlot(plot));
    if (this.plots.length === 0) {
      const note = document.createElement('p');
      note.className = 'note';
      note.textContent = channels.length ? 'No channel is chosen.' : 'This run has no channels.';
      this.host.append(note);
    }
    this.mark();
  }

  makePlot({ title, unit, channels }) {
    const { rows } = this.run;
    const mine = this.curves(channels);
    const axis = {
      stroke: styleColour('--muted'),
      grid: { stroke: styleColour('--line'), width: 1 },
      ticks: { stroke: styleColour('--line'), width: 1, size: 4 },
      font: '11px system-ui, sans-serif',
      labelFont: '11px system-ui, sans-serif',
    };
    const box = document.createElement('div');
    box.className = 'plot';
    if (title) {
      const head = document.createElement('h3');
      head.textContent = this.difference ? `${title}, difference` : title;
      box.append(head);
    }
    this.host.append(box);
    const plot = new uPlot(
      {
        width: this.plotWidth(),
        height: plotHeight,
        pxAlign: 0,
        scales: { x: { time: false }, y: { range: rangeOf } },
        series: [
          { label: 't', value: (_, x) => (x === null ? '' : `${show(x, 5)} s`) },
          ...mine.map((c) => ({
            label: c.label,
            stroke: c.stroke,
            dash: c.dash,
            width: c.width ?? 1.6,
            pxAlign: 0,
            points: { show: false },
            value: (_, x) => (x === null || x === undefined ? '' : show(x, 4)),
          })),
        ],
        axes: [
          { ...axis, size: 28, values: (_, splits) => splits.map((x) => show(x)) },
          { ...axis, size: 54, label: unit || '1', labelSize: 18, labelGap: 0,
            values: (_, splits) => splits.map((x) => show(x)) },
        ],
        cursor: {
          sync: { key: 'appell' },
          points: { size: 6 },
          drag: { x: true, y: false, dist: 4 },
          bind: { dblclick: (u) => () => this.zoom(u, null) },
        },
        legend: { live: true },
        hooks: {
          setScale: [(u, key) => key === 'x' && this.zoom(u, [u.scales.x.min, u.scales.x.max])],
          ready: [(u) => this.listenTo(u)],
          // positions exist only after the first drawing
          draw: [() => this.mark()],
        },
      },
      [rows, ...mine.map((c) => c.values)],
      box,
    );
    plot.channels = channels;
    plot.head = document.createElement('div');
    plot.head.className = 'playhead';
    plot.over.append(plot.head);
    if (this.range) plot.setScale('x', { min: this.range[0], max: this.range[1] });
    return plot;
  }

  // The run has gone on.
  grow() {
    for (const p of this.plots) {
      const { min, max } = p.scales.x;
      p.setData([this.run.rows, ...this.curves(p.channels).map((c) => c.values)], !this.range);
      if (this.range) p.setScale('x', { min, max });
    }
    this.mark();
  }

  listenTo(u) {
    u.over.addEventListener('mouseenter', () => {
      this.hover = true;
      this.host.classList.add('reading');
    });
    u.over.addEventListener('mouseleave', () => {
      this.hover = false;
      this.host.classList.remove('reading');
      this.mark();
    });
    // a press without a drag
    let from = null;
    u.over.addEventListener('mousedown', (e) => {
      from = e.clientX;
    });
    u.over.addEventListener('click', (e) => {
      if (from === null || Math.abs(e.clientX - from) > 3) return;
      this.timeline.seek(u.posToVal(e.clientX - u.over.getBoundingClientRect().left, 'x'));
    });
  }

  // All plots show the same stretch of time; null is all of it.
  zoom(source, range) {
    if (this.zooming) return;
    this.zooming = true;
    const { rows } = this.run;
    const all = [rows[0], rows[rows.length - 1]];
    const [min, max] = range ?? all;
    this.range = min <= all[0] && max >= all[1] ? null : [min, max];
    for (const p of this.plots) if (p !== source || !range) p.setScale('x', { min, max });
    this.zooming = false;
    this.mark();
  }

  // Put the line at the replay time; the legend reads there unless the pointer reads elsewhere.
  mark() {
    const { t } = this.timeline;
    for (const p of this.plots) {
      // curves of a live run lag behind its time a little
      const left = Math.min(p.valToPos(t, 'x'), this.run.live ? p.over.clientWidth : Infinity);
      const inside = left >= 0 && left <= p.over.clientWidth;
      p.head.style.transform = `translateX(${left}px)`;
      p.head.hidden = !inside;
      if (!this.hover) p.setCursor({ left: inside ? left : -10, top: -10 }, false);
    }
  }

  plotWidth() {
    return Math.max(240, this.host.clientWidth);
  }

  resize() {
    const width = this.plotWidth();
    if (width === this.width) return;
    this.width = width;
    for (const p of this.plots) p.setSize({ width, height: plotHeight });
    this.mark();
  }
}
