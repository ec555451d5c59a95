/* SPDX-License-Identifier: Apache-2.0 */
// summary.js: how the run ended, the table of results, the list of events, the model. User text only
// as textContent.
import { show } from './numbers.js';

function cell(row, tag, className, content) {
  const c = document.createElement(tag);
  c.className = className;
  c.textContent = content;
  row.append(c);
}

// Nothing for a run that finished without a warning; else what happened, above everything.
export function fillStatus(banner, run) {
  const failed = /^failed/.test(run.status);
  const bad = failed || ['stopped', 'running'].includes(run.status);
  const words = {
    stopped: `This run was stopped at ${show(run.times[run.times.length - 1], 6)} s.`,
    running: 'This run had not ended when the page was written.',
  };
  const sentences = [];
  if (failed) sentences.push(run.status.replace(/^failed:?\s*/, 'This run failed: '));
  else if (bad) sentences.push(words[run.status]);
  sentences.push(...run.warnings.map((w) => `Warning: ${w}`));
  banner.hidden = sentences.length === 0;
  banner.className = failed ? 'failed' : 'warned';
  banner.replaceChildren(...sentences.map((s) => {
    const p = document.createElement('p');
    p.textContent = s;
    return p;
  }));
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

// "1876 of 60 000 outputs", where a long run was thinned.
export function thinned(run) {
  const group = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, '\u2009');
  if (run.outputs <= run.times.length) return '';
  const paths = run.trails.length ? '; trails go through all of them' : '';
  return `${group(run.times.length)} of ${group(run.outputs)} outputs are drawn${paths}`;
}
