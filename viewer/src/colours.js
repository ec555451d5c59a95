// colours.js: one order of colours for links and plotted channels, readable on light and dark, with
// orange left to the present time and the trail; and the colours of the style sheet for canvases.

const light = ['#2f6fde', '#0f9a6c', '#c43c8c', '#7a5af0', '#0794b0', '#7d8b1f', '#a3372a', '#c98a00'];
const dark = ['#6ea3ff', '#4ad3a2', '#f07fbc', '#a995ff', '#4fd0e8', '#c2cf58', '#f08a78', '#f2c14e'];

// how links are painted: one quiet family, so that the motion is what one sees
const links = ['#5b7fb8', '#4f9f83', '#a8638f', '#8a7cc4', '#4b97ab', '#8f9648', '#b5675f', '#c79a4a'];

const darkQuery = window.matchMedia('(prefers-color-scheme: dark)');

export const isDark = () => darkQuery.matches;
export const onTheme = (f) => darkQuery.addEventListener('change', f);
export const plotColour = (i) => (isDark() ? dark : light)[i % light.length];
export const linkColour = (i) => links[i % links.length];
export const styleColour = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();
