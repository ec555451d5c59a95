/* SPDX-License-Identifier: Apache-2.0 */
// shipped.mjs PAGE SHOTS APPELL MODELS [NAME...]: a page of every shipped model, as `appell run --html` writes it: it loads
// without a complaint, is below 10 MB, draws something that changes where the robot moves, and fits narrow and dark screens.
// Times to the first picture are printed, not judged: how busy the machine is decides them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { coloursOf, folder, open, pixelsOf, runChecks, settle, shoot } from './browser.mjs';

const [appell, models, ...wanted] = process.argv.slice(4);
const names = readdirSync(models).filter((n) => n.endsWith('.yaml')).map((n) => basename(n, '.yaml'));

// Half a second shows that it moves; papers with long beginnings have their own pages.
function write(name) {
  const page = join(folder, `${name}.html`);
  const done = spawnSync(appell, ['run', join(models, `${name}.yaml`), '-q', '--to', '0.5', '--html', page], { encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  return page;
}

const print = (context, canvas) =>
  pixelsOf(context, canvas, ({ data }) => {
    let hash = 0;
    for (let i = 0; i < data.length; i += 4) hash = (Math.imul(hash, 31) + (data[i] << 16) + (data[i + 1] << 8) + data[i + 2]) | 0;
    return hash;
  });

// How far any port goes from its first place, in parts of the size of the robot.
function motion(path) {
  const d = JSON.parse(/<script id="appell-data" type="application\/json">(.*?)<\/script>/s.exec(readFileSync(path, 'utf8'))[1]);
  const raw = Buffer.from(d.poses, 'base64');
  const x = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
  const n = d.ports.length;
  const last = x.length / 7 - n;
  let far = 0;
  for (let p = 0; p < n; p++) far = Math.max(far, Math.hypot(...[0, 1, 2].map((k) => x[7 * (last + p) + k] - x[7 * p + k])));
  const size = Math.hypot(...[0, 1, 2].map((k) => {
    const all = Array.from({ length: n }, (_, p) => x[7 * p + k]);
    return Math.max(...all) - Math.min(...all);
  }));
  return far / Math.max(size, 0.1);
}

const checks = {};
let slowest = ['', 0];
for (const name of names.filter((n) => wanted.length === 0 || wanted.includes(n))) {
  checks[name] = async (context) => {
    const path = write(name);
    assert(statSync(path).size < 10e6, `${statSync(path).size} bytes`);
    const page = await open(context, pathToFileURL(path).href);
    const first = await page.evaluate(() => performance.now());
    if (first > slowest[1]) slowest = [name, first];
    const canvas = page.locator('#canvas');
    await settle(page);
    assert((await coloursOf(context, canvas)) > 12, 'nothing is drawn');
    const before = await print(context, canvas);
    await shoot(page, name);
    await page.keyboard.press('End');
    await settle(page);
    if (motion(path) > 0.02) assert.notEqual(await print(context, canvas), before, 'the picture does not change');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 380, height: 760 });
    await settle(page);
    const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert(wide <= seen, `${wide} px on a screen of ${seen}`);
    assert.deepEqual(page.complaints, []);
    await page.close();
  };
}
process.on('exit', () => console.log(`slowest first picture: ${slowest[0]}, ${(slowest[1] / 1000).toFixed(1)} s`));
await runChecks(checks);
