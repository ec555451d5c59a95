// colours.js: one order of colours for links and plotted channels, readable on light and dark and by
// the colour-blind; and the colours of the style sheet for what is drawn on a canvas.

const light = ['#2f6fde', '#e07b00', '#0f9a6c', '#c43c8c', '#7a5af0', '#b5482a', '#0794b0', '#7d8b1f'];
const dark = ['#6ea3ff', '#ffab4a', '#4ad3a2', '#f07fbc', '#a995ff', '#f08a68', '#4fd0e8', '#c2cf58'];

// how links are painted: one quiet family, so that the motion is what one sees
const links = ['#5b7fb8', '#d88c3a', '#4f9f83', '#a8638f', '#8a7cc4', '#b5674f', '#4b97ab', '#8f9648'];

const darkQuery = window.matchMedia('(prefers-color-scheme: dark)');

export const isDark = () => darkQuery.matches;
export const onTheme = (f) => darkQuery.addEventListener('change', f);
export const plotColour = (i) => (isDark() ? dark : light)[i % light.length];
export const linkColour = (i) => links[i % links.length];
export const styleColour = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();
