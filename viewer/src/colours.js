/* SPDX-License-Identifier: Apache-2.0 */
// colours.js: one order of colours for links and plotted channels, readable on light and dark, with
// orange left to the present time and the trail; and the colours of the style sheet for canvases.

const light = ['#2f6fde', '#0f9a6c', '#c43c8c', '#7a5af0', '#0794b0', '#7d8b1f', '#a3372a', '#c98a00'];
const dark = ['#6ea3ff', '#4ad3a2', '#f07fbc', '#a995ff', '#4fd0e8', '#c2cf58', '#f08a78', '#f2c14e'];

// how links are painted: one quiet family, so that the motion is what one sees
const links = ['#5b7fb8', '#4f9f83', '#a8638f', '#8a7cc4', '#4b97ab', '#8f9648', '#b5675f', '#c79a4a'];

const darkQuery = window.matchMedia('(prefers-color-scheme: dark)');

// a film has the ground it was asked for
const asked = new URLSearchParams(location.search).get('theme');
if (asked === 'light' || asked === 'dark') document.documentElement.dataset.theme = asked;

export const isDark = () => (asked === 'dark' || asked === 'light' ? asked === 'dark' : darkQuery.matches);
export const onTheme = (f) => darkQuery.addEventListener('change', f);
export const plotColour = (i) => (isDark() ? dark : light)[i % light.length];
export const linkColour = (i) => links[i % links.length];
export const styleColour = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Red, green, blue of 0 to 255 as hue [0, 1), saturation and lightness.
function hsl(hex) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
  const most = Math.max(r, g, b);
  const least = Math.min(r, g, b);
  const l = (most + least) / 2;
  const d = most - least;
  if (d === 0) return [0, 0, l];
  const s = d / (1 - Math.abs(2 * l - 1));
  const h = most === r ? ((g - b) / d + 6) % 6 : most === g ? (b - r) / d + 2 : (r - g) / d + 4;
  return [h / 6, s, l];
}

// The colour of a link: that of its first coloured shape, else its place in the order.
export function linkPaint(run, name) {
  const i = run.links.findIndex((l) => l.name === name);
  const given = run.shapes.find((s) => {
    const port = s.port ?? s.ports[1];
    return port >= 0 && s.type !== 'wheel' && s.colour && run.ports[port].link === name && hsl(s.colour)[1] > 0.15;
  });
  return given ? given.colour : linkColour(Math.max(i, 0));
}

// Its curves have the same hue, as light or dark as they can be read.
export function linkCurve(run, name) {
  const i = run.links.findIndex((l) => l.name === name);
  const paint = linkPaint(run, name);
  if (paint === linkColour(Math.max(i, 0))) return plotColour(Math.max(i, 0));
  const [h, s] = hsl(paint);
  return `hsl(${Math.round(360 * h)} ${Math.round(100 * Math.max(s, 0.45))}% ${isDark() ? 68 : 42}%)`;
}

// The link that a channel is about: the longest name that its own begins with.
export function linkOfChannel(run, channel) {
  let best = '';
  let longest = 0;
  for (const { name, channels } of run.links) {
    for (const begin of [name, channels]) {
      if (!begin || begin.length <= longest || !channel.startsWith(`${begin}.`)) continue;
      longest = begin.length;
      best = name;
    }
  }
  return best;
}
