/* SPDX-License-Identifier: Apache-2.0 */
// picker.js: the searchable list of channels, grouped by unit.

const most = 250; // rows of the list at a time; a search narrows it

export function connectPicker(elements, run, plots) {
  const { button, panel, search, listing } = elements;

  function toggle(i, yes) {
    plots.choose(yes ? [...plots.chosen, i] : plots.chosen.filter((k) => k !== i));
    fill();
  }

  function row(i) {
    const label = document.createElement('label');
    const box = document.createElement('input');
    const swatch = document.createElement('i');
    const name = document.createElement('span');
    box.type = 'checkbox';
    box.checked = plots.chosen.includes(i);
    box.addEventListener('change', () => toggle(i, box.checked));
    swatch.style.background = plots.colourOf(i) ?? 'transparent';
    name.textContent = run.channels[i].name;
    label.append(box, swatch, name);
    return label;
  }

  function note(text, tag = 'p') {
    const p = document.createElement(tag);
    p.textContent = text;
    return p;
  }

  // every word of the search must occur in the name or be the unit
  function fill() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = ({ name, unit }) =>
      words.every((w) => name.toLowerCase().includes(w) || unit.toLowerCase() === w);
    const found = run.channels.map((c, i) => (fits(c) ? i : -1)).filter((i) => i >= 0);
    const shown = found.slice(0, most);
    const units = [...new Set(shown.map((i) => run.channels[i].unit))];

    listing.replaceChildren();
    for (const unit of units) {
      listing.append(note(unit || '1', 'h3'));
      listing.append(...shown.filter((i) => run.channels[i].unit === unit).map(row));
    }
    if (found.length === 0) listing.append(note('No channel has such a name.'));
    if (found.length > most) listing.append(note(`and ${found.length - most} more; search to see them`));
  }

  button.addEventListener('click', () => {
    panel.hidden = !panel.hidden;
    button.setAttribute('aria-expanded', String(!panel.hidden));
    if (!panel.hidden) {
      fill();
      search.focus();
    }
  });
  search.addEventListener('input', fill);
  search.addEventListener('keydown', (e) => {
    if (e.key === 'Escape') button.click();
  });
  fill();
  return fill;
}
