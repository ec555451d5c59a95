/* SPDX-License-Identifier: Apache-2.0 */
// live.mjs PAGE APPELL: `appell run --live` as a person uses it: the page comes up and moves, pauses, steps,
// follows its sliders, can be pushed and begun again. The first argument is that of browser.mjs.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { colouredRows, folder, runChecks, settle, shoot } from './browser.mjs';

const appell = process.argv[4];

const model = `appell: 1
name: crane
links:
  - name: jib
    joint: {type: revolute, axis: z, damping: 2}
    body: {mass: 4, com: [0.3, 0, 0], inertia: {xx: 0.02, yy: 0.2, zz: 0.2}}
    ports: {end: {at: [0.8, 0, 0]}}
  - name: rope
    on: jib.end
    joint: {type: revolute, axis: y, damping: 0.05}
    body: {mass: 1, com: [0, 0, -0.5], inertia: {xx: 0.02, yy: 0.02, zz: 0.01}}
inputs: {motor: {on: jib.joint.angle, value: 0 N m, least: -6 N m, greatest: 6 N m}}
run: {to: 5, tolerance: 1e-7}
`;

// The program, and the address that it prints.
function start(...more) {
  const path = join(folder, 'crane.yaml');
  writeFileSync(path, model);
  const run = spawn(appell, ['run', path, '--live', ...more]);
  let text = '';
  let told = '';
  run.stderr.on('data', (d) => { told += d; });
  return new Promise((done, fail) => {
    run.stdout.on('data', (d) => {
      text += d;
      const found = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//.exec(text);
      if (found) done({ run, address: found[0], said: () => told });
    });
    run.on('exit', (code) => fail(new Error(`ended with ${code}: ${told}`)));
  });
}

async function stop({ run }) {
  run.removeAllListeners('exit');
  const ended = new Promise((done) => run.on('exit', (code, signal) => done(signal ?? code)));
  run.kill('SIGINT');
  return ended;
}

async function openLive(context, address) {
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (m) => {
    if (m.text().includes('GL Driver Message (OpenGL, Performance')) return;
    if (['error', 'warning'].includes(m.type())) page.complaints.push(m.text());
  });
  page.on('pageerror', (e) => page.complaints.push(String(e)));
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  await page.waitForSelector('html[data-ready]');
  return page;
}

const time = async (page) => parseFloat((await page.locator('#time').textContent()).split('/')[1]);
const until = async (what, yes) => {
  const end = Date.now() + 60000;
  while (!(await yes())) {
    assert(Date.now() < end, what);
    await new Promise((done) => setTimeout(done, 50));
  }
};
const status = (page) => page.locator('#live-status').textContent();

// by the button, wherever the pointer is
const press = (page) => page.evaluate(() => document.getElementById('live-go').click());
async function pause(page) {
  await press(page);
  await until('it pauses', async () => (await status(page)) === 'Paused.');
  await settle(page);
}
async function go(page) {
  await press(page);
  await until('it goes on', async () => (await status(page)) !== 'Paused.');
}

await runChecks({
  'a live run moves, pauses, steps, is driven, pushed and begun again': async (context) => {
    const live = await start();
    const page = await openLive(context, live.address);
    assert.equal(await page.locator('#live-panel').isVisible(), true);
    await until('time passes', async () => (await time(page)) > 0.3);

    // paused: time stands, and a step takes one period
    await pause(page);
    const before = await time(page);
    await page.locator('#live-step').click();
    await until('a step', async () => (await time(page)) > before);
    await settle(page);
    assert(Math.abs((await time(page)) - before - 0.02) < 0.011, `a step from ${before} to ${await time(page)}`);
    await shoot(page, 'live-paused');

    // the slider turns the jib: the picture changes
    const still = JSON.stringify(await colouredRows(context, page.locator('#canvas')));
    await go(page);
    await page.locator('input[data-input="motor"]').evaluate((s) => {
      s.value = 6;
      s.dispatchEvent(new Event('input'));
    });
    const driven = await time(page);
    await until('it is driven', async () => (await time(page)) > driven + 1);
    await pause(page);
    assert.notEqual(JSON.stringify(await colouredRows(context, page.locator('#canvas'))), still);
    await shoot(page, 'live-driven');

    // a drag with Shift pulls at what is under the pointer; the ledger has its work in `load`
    const box = await page.locator('#canvas').boundingBox();
    // where the robot stands depends on when it was paused: a coloured pixel may be an axis, which cannot be
    // pulled, so the presses go over the picture until one takes hold
    const rows = await colouredRows(context, page.locator('#canvas'));
    const taken = () => page.evaluate(() => document.body.classList.contains('pushing'));
    await page.keyboard.down('Shift');
    for (let i = 0; i < 16 && !(await taken()); i++) {
      const [y, first, last] = rows[Math.floor((rows.length * (2 * i + 1)) / 32)];
      for (const x of [first + 5, (first + last) / 2, last - 5]) {
        await page.mouse.up();
        await page.mouse.move(box.x + x, box.y + y);
        await page.mouse.down();
        if (!(await taken())) continue;
        await page.mouse.move(box.x + x + 120, box.y + y - 40, { steps: 5 });
        break;
      }
    }
    assert(await taken(), 'it is pushed');
    const pushed = await time(page);
    await go(page);
    await until('it goes on', async () => (await time(page)) > pushed + 0.5);
    await shoot(page, 'live-pushed');
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await pause(page);
    await page.locator('#pick').click();
    await page.locator('#search').fill('ledger.load');
    await page.locator('#channels input').first().check();
    const work = () => page.evaluate(() => {
      const row = [...document.querySelectorAll('.u-legend .u-series')].find((r) => r.textContent.includes('ledger.load'));
      return row ? Number(row.querySelector('.u-value').textContent.replace('\u2212', '-')) : 0;
    });
    await until('the push did work', async () => Math.abs(await work()) > 1e-6);

    // from the start again
    const old = await time(page);
    await page.locator('#live-reset').click();
    await until('it begins again', async () => (await time(page)) < old);
    assert.equal(await page.locator('input[data-input="motor"]').inputValue(), '0');
    assert.deepEqual(page.complaints, []);
    await page.close();
    assert.equal(await stop(live), 130);
  },

  'a run that ends says so': async (context) => {
    const live = await start('--to', '0.2');
    const page = await openLive(context, live.address);
    await until('it ends', async () => (await status(page)) === 'The run has ended.');
    assert(Math.abs((await time(page)) - 0.2) < 0.006);
    await page.close();
    await stop(live);
  },
});
