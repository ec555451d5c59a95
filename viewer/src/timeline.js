/* SPDX-License-Identifier: Apache-2.0 */
// timeline.js: the one clock of the page. It owns the present time, plays it, and tells listeners.
// Everything else reads the time from here.
import { frameAt } from './motion.js';

export const speeds = [0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Timeline {
  constructor(times) {
    this.times = times;
    this.start = times[0];
    this.end = times[times.length - 1];
    this.t = this.start;
    this.speed = 1;
    this.playing = false;
    this.loop = false;
    this.listeners = [];
    this.last = null;
  }

  // The run has gone on: other frames than before.
  setTimes(times) {
    this.times = times;
    this.start = times[0];
    this.end = times[times.length - 1];
    this.t = Math.min(Math.max(this.t, this.start), this.end);
  }

  // f(timeline) is called at once and after every change.
  listen(f) {
    this.listeners.push(f);
    f(this);
  }

  tell() {
    for (const f of this.listeners) f(this);
  }

  seek(t) {
    this.t = Math.min(Math.max(t, this.start), this.end);
    this.tell();
  }

  // Go by whole frames.
  step(n) {
    this.pause();
    const i = frameAt(this.times, this.t);
    // from between two frames, one step back is the frame just passed
    const from = n < 0 && this.t > this.times[i] ? i + 1 : i;
    this.seek(this.times[Math.min(Math.max(from + n, 0), this.times.length - 1)]);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.tell();
  }

  faster(n) {
    const i = speeds.indexOf(this.speed);
    this.setSpeed(speeds[Math.min(Math.max(i + n, 0), speeds.length - 1)]);
  }

  play() {
    if (!(this.end > this.start)) return;
    if (this.t >= this.end) this.t = this.start;
    this.playing = true;
    this.last = null;
    requestAnimationFrame((now) => this.tick(now));
    this.tell();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.tell();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  tick(now) {
    if (!this.playing) return;
    // a page that was hidden does not jump
    const passed = this.last === null ? 0 : Math.min(now - this.last, 100) / 1000;
    this.last = now;
    this.t += passed * this.speed;
    if (this.t >= this.end && this.loop) {
      this.t = this.start;
    } else if (this.t >= this.end) {
      this.t = this.end;
      this.playing = false;
    }
    this.tell();
    if (this.playing) requestAnimationFrame((next) => this.tick(next));
  }
}
