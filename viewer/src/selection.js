/* SPDX-License-Identifier: Apache-2.0 */
// selection.js: links by pointer and by list: hovering names a link, a press selects it, the tree
// shows, dims and hides.
import { linkPaint } from './colours.js';
import { show } from './numbers.js';

const states = ['shown', 'glass', 'hidden'];
const stateNames = { shown: 'shown', glass: 'seen through', hidden: 'hidden' };

export class Selection {
  // elements: {canvas, tip, tree, card}
  constructor(elements, run, scene, plotLink) {
    Object.assign(this, { elements, run, scene, plotLink });
    this.rows = new Map();
    this.picked = null;
    this.fillTree();
    this.listen();
  }

  describe(name) {
    const l = this.run.links.find((x) => x.name === name);
    if (!l) return name;
    const words = [l.joint && `${l.joint} joint`, l.body && l.body !== 'rigid' && l.body, l.mass > 0 && `${show(l.mass, 4)} kg`];
    return words.filter(Boolean).join(', ');
  }

  listen() {
    const { canvas, tip } = this.elements;
    let from = null;
    let asked = false;
    const at = (e) => {
      const b = canvas.getBoundingClientRect();
      return [(e.clientX - b.left) / b.width, (e.clientY - b.top) / b.height];
    };
    const hover = (e) => {
      asked = false;
      const hit = e.buttons || this.paused ? null : this.scene.pick(...at(e));
      this.scene.mark('hover', hit?.link ?? null);
      canvas.style.cursor = hit ? 'pointer' : '';
      tip.hidden = !hit;
      if (!hit) return;
      const b = canvas.getBoundingClientRect();
      tip.replaceChildren();
      const name = document.createElement('b');
      name.textContent = hit.link;
      tip.append(name, ` ${this.describe(hit.link)}`);
      const x = e.clientX - b.left;
      tip.style.left = `${Math.min(x + 14, b.width - tip.offsetWidth - 8)}px`;
      tip.style.top = `${Math.min(e.clientY - b.top + 16, b.height - tip.offsetHeight - 8)}px`;
    };
    canvas.addEventListener('pointermove', (e) => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => hover(e));
    });
    canvas.addEventListener('pointerleave', () => {
      tip.hidden = true;
      this.scene.mark('hover', null);
    });
    canvas.addEventListener('pointerdown', (e) => {
      from = [e.clientX, e.clientY];
      tip.hidden = true;
    });
    canvas.addEventListener('pointerup', (e) => {
      if (!from || this.paused || Math.hypot(e.clientX - from[0], e.clientY - from[1]) > 4) return;
      this.select(this.scene.pick(...at(e))?.link ?? null);
    });
  }

  select(name) {
    this.picked = this.picked === name ? null : name;
    this.scene.mark('picked', this.picked);
    for (const [link, row] of this.rows) row.classList.toggle('picked', link === this.picked);
    this.fillCard();
  }

  // What is known of the selected link, and its channels one press away.
  fillCard() {
    const { card } = this.elements;
    card.hidden = !this.picked;
    if (!this.picked) return;
    const name = document.createElement('b');
    const words = document.createElement('span');
    const plot = document.createElement('button');
    const follow = document.createElement('button');
    const close = document.createElement('button');
    name.textContent = this.picked;
    words.textContent = this.describe(this.picked);
    plot.textContent = 'Plot it';
    plot.title = 'Plot the channels of this link';
    plot.addEventListener('click', () => this.plotLink(this.picked));
    follow.textContent = 'Follow';
    follow.title = 'Let the camera go along with this link';
    follow.addEventListener('click', () => {
      this.scene.follow(this.picked);
      this.onFollow?.(this.picked);
    });
    close.textContent = '\u00d7';
    close.setAttribute('aria-label', 'Select nothing');
    close.addEventListener('click', () => this.select(null));
    for (const b of [plot, follow, close]) b.type = 'button';
    card.replaceChildren(name, words, plot, follow, close);
  }

  fillTree() {
    const { tree } = this.elements;
    const depth = [];
    this.run.links.forEach((l, i) => {
      depth[i] = l.parent < 0 ? 0 : depth[l.parent] + 1;
      const row = document.createElement('div');
      const pick = document.createElement('button');
      const swatch = document.createElement('i');
      const name = document.createElement('span');
      const state = document.createElement('button');
      row.className = 'link';
      row.style.setProperty('--depth', Math.min(depth[i], 12));
      pick.type = state.type = 'button';
      pick.className = 'name';
      swatch.style.background = linkPaint(this.run, l.name);
      name.textContent = l.name;
      pick.title = this.describe(l.name);
      pick.append(swatch, name);
      pick.addEventListener('click', () => this.select(l.name));
      pick.addEventListener('pointerenter', () => this.scene.mark('hover', l.name));
      pick.addEventListener('pointerleave', () => this.scene.mark('hover', null));
      state.className = 'state';
      const tell = (word) => {
        state.dataset.state = word;
        state.textContent = { shown: '\u25cf', glass: '\u25d0', hidden: '\u25cb' }[word];
        state.title = `${stateNames[word]}; press to change`;
        state.setAttribute('aria-label', `${l.name}: ${stateNames[word]}`);
      };
      tell('shown');
      state.addEventListener('click', () => {
        const next = states[(states.indexOf(state.dataset.state) + 1) % states.length];
        tell(next);
        this.scene.setState(l.name, next);
      });
      row.append(pick, state);
      this.rows.set(l.name, row);
      tree.append(row);
    });
  }
}
