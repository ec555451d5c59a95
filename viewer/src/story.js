// story.js: which channels are shown first, and which of them share a plot. Energy and its error, where
// the tip or the base goes, what drives it, what the ground gives: not quaternions.
import { busiestPort } from './motion.js';

const flat = (values) => {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false;
  return true;
};

// The plot a channel belongs to; channels of one plot have one unit.
export function plotOf(c) {
  const { name, unit, text } = c;
  if (name === 'ledger.error') return 'Ledger error';
  if (/^ledger\.(kinetic|potential)$/.test(name)) return 'Energy';
  if (name.startsWith('ledger.')) return 'Work';
  if (/\.position\.[xyz]$/.test(name)) return 'Position';
  if (/\.(normal|load)$/.test(name) && unit === 'N') return 'Contact forces';
  if (text === 'input' || /^input\b/.test(text)) return 'Inputs';
  return '';
}

const titleOf = (c) => plotOf(c) || (c.unit === '1' || !c.unit ? 'Plain numbers' : '');

// Plots of the chosen channels: [{title, unit, channels: [index]}], in the order of the story.
const order = ['Energy', 'Ledger error', 'Position', 'Inputs', 'Contact forces', 'Work'];
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

// Indices of the channels that are plotted first.
export function firstChoice(run) {
  const { channels } = run;
  const find = (test, most) => {
    const found = [];
    channels.forEach((c, i) => {
      // of a run that has just begun all curves are flat
      if (found.length < most && test(c) && (run.live || !flat(c.values))) found.push(i);
    });
    return found;
  };
  const port = run.live ? run.ports.findLastIndex((p) => p.kind === 'port') : busiestPort(run);
  const tip = port >= 0 ? `${run.ports[port].name.replaceAll(' ', '-')}.position.` : null;
  const chosen = [
    ...find((c) => /^ledger\.(kinetic|potential)$/.test(c.name), 2),
    ...find((c) => c.name === 'ledger.error', 1),
    ...(tip ? find((c) => c.name.startsWith(tip), 3) : []),
    ...find((c) => plotOf(c) === 'Inputs', 4),
    ...find((c) => plotOf(c) === 'Contact forces', 4),
  ];
  if (arrange(channels, chosen).length >= 2) return [...new Set(chosen)];
  // little of that: angles and lengths, as the run has them
  return [...new Set([...chosen, ...find((c) => !c.made && !/\.q[wxyz]$/.test(c.name), 4)])];
}
