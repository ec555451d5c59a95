// plots.js: one plot per unit for the chosen channels. All share their time axis; a line marks the
// replay time, a press goes there, a drag zooms, a double press shows all again.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { plotColour, styleColour } from './colours.js';
import { show } from './numbers.js';

const plotHeight = 190;

// uPlot draws gaps for null only.
const gaps = (values) =>
  values.every(Number.isFinite) ? values : Array.from(values, (x) => (Number.isFinite(x) ? x : null));

// Start with the first channels of the first units: enough to see something, not too much to read.
export function firstChoice(channels) {
  const units = [...new Set(channels.map((c) => c.unit))].slice(0, 2);
  return units.flatMap((u) => {
    const same = channels.map((c, i) => (c.unit === u ? i : -1)).filter((i) => i >= 0);
    return same.slice(0, 4);
  });
}

export class Plots {
  constructor(host, run, timeline) {
    this.host = host;
    this.run = run;
    this.timeline = timeline;
    this.chosen = [];
    this.colours = new Map(); // channel -> place in the order of colours
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
      if (!this.colours.has(c)) this.colours.set(c, free);
    }
    this.rebuild();
  }

  colourOf(channel) {
    return this.colours.has(channel) ? plotColour(this.colours.get(channel)) : null;
  }

  rebuild() {
    for (const p of this.plots) p.destroy();
    // a plot that goes away never hears the pointer leave
    this.hover = false;
    this.host.classList.remove('reading');
    this.host.replaceChildren();
    const { channels, rows } = this.run;
    const units = [...new Set(this.chosen.map((i) => channels[i].unit))];
    this.plots = rows.length === 0 ? [] : units.map((unit) => this.makePlot(unit));
    if (this.plots.length === 0) {
      const note = document.createElement('p');
      note.className = 'note';
      note.textContent = channels.length ? 'No channel is chosen.' : 'This run has no channels.';
      this.host.append(note);
    }
    this.mark();
  }

  makePlot(unit) {
    const { channels, rows } = this.run;
    const mine = this.chosen.filter((i) => channels[i].unit === unit);
    const axis = {
      stroke: styleColour('--muted'),
      grid: { stroke: styleColour('--line'), width: 1 },
      ticks: { stroke: styleColour('--line'), width: 1, size: 4 },
      font: '11px system-ui, sans-serif',
      labelFont: '11px system-ui, sans-serif',
    };
    const box = document.createElement('div');
    box.className = 'plot';
    this.host.append(box);
    const plot = new uPlot(
      {
        width: this.plotWidth(),
        height: plotHeight,
        pxAlign: 0,
        scales: { x: { time: false } },
        series: [
          { label: 't', value: (_, x) => (x === null ? '' : `${show(x, 5)} s`) },
          ...mine.map((i) => ({
            label: channels[i].name,
            stroke: this.colourOf(i),
            width: 1.6,
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
      [rows, ...mine.map((i) => gaps(channels[i].values))],
      box,
    );
    plot.head = document.createElement('div');
    plot.head.className = 'playhead';
    plot.over.append(plot.head);
    if (this.range) plot.setScale('x', { min: this.range[0], max: this.range[1] });
    return plot;
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
      const left = p.valToPos(t, 'x');
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
