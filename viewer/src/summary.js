// summary.js: the table of results and the list of events. User text only as textContent.
import { show } from './numbers.js';

function cell(row, tag, className, content) {
  const c = document.createElement(tag);
  c.className = className;
  c.textContent = content;
  row.append(c);
}

export function fillSummary(table, rows) {
  for (const r of rows) {
    const row = table.insertRow();
    cell(row, 'th', 'label', r.label);
    cell(row, 'td', typeof r.value === 'number' ? 'value number' : 'value', show(r.value));
    cell(row, 'td', 'unit', r.unit);
  }
}

// A press on an event goes to its time. More than a few hundred help nobody.
export function fillEvents(listing, events, decimals, seek) {
  const most = 300;
  for (const e of events.slice(0, most)) {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    cell(button, 'span', 'when', `${e.t.toFixed(decimals)} s`);
    cell(button, 'span', 'what', e.name);
    cell(button, 'span', 'detail', e.text);
    button.addEventListener('click', () => seek(e.t));
    item.append(button);
    listing.append(item);
  }
  if (events.length > most) {
    const rest = document.createElement('li');
    rest.textContent = `and ${events.length - most} more`;
    listing.append(rest);
  }
}
