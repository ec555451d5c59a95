/* SPDX-License-Identifier: Apache-2.0 */
// save.js: takes pictures, videos and numbers out of the page.
import { styleColour } from './colours.js';

function download(blob, name) {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(blob);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 60000);
}

// A file name out of any title.
const fileName = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 60) || 'run';

export function savePicture(scene, title) {
  scene.setBackground(styleColour('--paper'));
  scene.renderer.domElement.toBlob((blob) => {
    if (blob) download(blob, `${fileName(title)}.png`);
  });
  scene.setBackground(null);
}

// What this browser can write, best first; null when it can write none.
export function videoType() {
  const types = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
  return typeof MediaRecorder === 'undefined' ? null : types.find((t) => MediaRecorder.isTypeSupported(t)) ?? null;
}

// Plays the run once at the present speed and saves what is seen. stop() ends it early.
export function recordVideo(scene, timeline, title, done) {
  const canvas = scene.renderer.domElement;
  const chunks = [];
  scene.setBackground(styleColour('--paper'));
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: videoType(), videoBitsPerSecond: 8e6 });
  recorder.addEventListener('dataavailable', (e) => e.data.size > 0 && chunks.push(e.data));
  recorder.addEventListener('stop', () => {
    scene.setBackground(null);
    download(new Blob(chunks, { type: 'video/webm' }), `${fileName(title)}.webm`);
    done();
  });
  const { loop } = timeline;
  let started = false;
  timeline.loop = false;
  timeline.seek(timeline.start);
  recorder.start(200);
  timeline.play();
  const stop = () => {
    if (recorder.state === 'inactive') return;
    timeline.pause();
    timeline.loop = loop;
    recorder.stop();
  };
  timeline.listen(() => {
    if (timeline.playing) started = true;
    // the last picture must reach the stream before it ends
    else if (started && recorder.state === 'recording') setTimeout(stop, 150);
  });
  return stop;
}

// All channels as CSV: a line of names, one line per row, as `appell export` writes it.
export function saveTable(run, channels, title) {
  const columns = channels.map((c) => c.values);
  const lines = [`time,${channels.map((c) => c.name).join(',')}`];
  for (let i = 0; i < run.rows.length; i++) lines.push([run.rows[i], ...columns.map((v) => v[i])].join(','));
  download(new Blob([`${lines.join('\n')}\n`], { type: 'text/csv' }), `${fileName(title)}.csv`);
}
