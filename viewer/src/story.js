/* SPDX-License-Identifier: Apache-2.0 */
// story.js: which channels are shown first, and which of them share a plot. Joints, their speeds and what drives them; then
// what the ground gives, where the tip goes, the energy and its error: not quaternions.
import { linkOfChannel } from './colours.js';
import { busiestPort } from './motion.js';

const flat = (values) => {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false;
  return true;
};

// The plot a channel belongs to; channels of one plot have one unit.
export function plotOf(c) {
  const { name, unit, text } = c;
  if (text === 'coordinate') return /\.q[wxyz]$/.test(name) ? 'Orientations' : 'Joints';
  if (text === 'velocity') return 'Speeds';
  if (name.endsWith('.effort') || text === 'input' || /^input\b/.test(text)) return 'Efforts and inputs';
  if (name === 'ledger.error') return 'Energy error';
  if (/^ledger\.(kinetic|potential)$/.test(name)) return 'Energy';
  if (name.startsWith('ledger.')) return 'Work';
  if (/\.position\.[xyz]$/.test(name)) return 'Position';
  if (/\.(normal|load)$/.test(name) && unit === 'N') return 'Contact forces';
  return '';
}

const titleOf = (c) => plotOf(c) || (c.unit === '1' || !c.unit ? 'Plain numbers' : '');

// Plots of the chosen channels: [{title, unit, channels: [index]}], in the order of the story.
const order = ['Joints', 'Speeds', 'Efforts and inputs', 'Contact forces', 'Position', 'Energy', 'Energy error', 'Work'];
export function arrange(channels, chosen) {
  const plots = new Map();
  for (const i of chosen) {
    const c = channels[i];
    const title = titleOf(c);
    const key = `${title}|${c.unit}`;
    if (!plots.has(key)) plots.set(key, { title, unit: c.unit, channels: [] });
    plots.get(key).channels.push(i);
  }
  const rank = (p) => (order.includes(p.title) ? order.indexOf(p.title) : order.length);
  return [...plots.values()].sort((a, b) => rank(a) - rank(b));
}

const most = 7; // curves of a plot that can be told apart

// How many links carry a channel's own one: what the world carries comes first, what is no link's last.
function depthOf(run, name) {
  let depth = 0;
  let link = run.links.find((l) => l.name === linkOfChannel(run, name));
  if (!link) return run.links.length;
  while (link && link.parent >= 0) {
    depth++;
    link = run.links[link.parent];
  }
  return depth;
}

// Indices of the channels that are plotted first.
export function firstChoice(run) {
  const { channels } = run;
  const find = (test, n) => {
    const found = [];
    channels.forEach((c, i) => {
      // of a run that has just begun all curves are flat
      if (test(c) && (run.live || !flat(c.values))) found.push(i);
    });
    const depth = new Map(found.map((i) => [i, depthOf(run, channels[i].name)]));
    return found.sort((a, b) => depth.get(a) - depth.get(b) || a - b).slice(0, n);
  };
  // so many of each unit
  const plot = (title) => {
    const units = [...new Set(channels.filter((c) => plotOf(c) === title).map((c) => c.unit))];
    return units.flatMap((unit) => find((c) => plotOf(c) === title && c.unit === unit, most));
  };
  const port = run.live ? run.ports.findLastIndex((p) => p.kind === 'port') : busiestPort(run);
  const tip = port >= 0 ? `${run.ports[port].name.replaceAll(' ', '-')}.position.` : null;
  const chosen = [
    ...plot('Joints'), ...plot('Speeds'), ...plot('Efforts and inputs'),
    ...find((c) => plotOf(c) === 'Contact forces', 4),
    ...(tip ? find((c) => c.name.startsWith(tip), 3) : []),
    ...find((c) => /^ledger\.(kinetic|potential)$/.test(c.name), 2),
    ...find((c) => c.name === 'ledger.error', 1),
  ];
  if (arrange(channels, chosen).length >= 2) return [...new Set(chosen)];
  // little of that: angles and lengths, as the run has them
  return [...new Set([...chosen, ...find((c) => !c.made && !/\.q[wxyz]$/.test(c.name), 4)])];
}
