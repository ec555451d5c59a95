/* SPDX-License-Identifier: Apache-2.0 */
// browser.mjs: what the tests of pages share: Chromium as a reader has it, pages made of data, pixels.
//
// The first argument of a test is the built page, dist/viewer.html, with its placeholder; node_modules must be
// beside its folder. The second one, if any, is a folder for screenshots. CHROMIUM names another browser.
// Exit code 77: skipped, the page was built without npm.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export const template = resolve(process.argv[2] ?? 'dist/viewer.html');
export const shots = process.argv[3] && resolve(process.argv[3]);
if (!existsSync(template)) {
  console.log(`skipped: there is no ${template}`);
  process.exit(77);
}
const { chromium } = createRequire(template)('playwright-core');
export const folder = mkdtempSync(join(tmpdir(), 'appell-page-'));
if (shots) mkdirSync(shots, { recursive: true });

const flags = [
  '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync',
];

// As apl_page_write does it.
export function makePage(name, data) {
  const html = readFileSync(template, 'utf8');
  const parts = html.split('APPELL_DATA');
  assert.equal(parts.length, 2, 'the placeholder is in the page exactly once');
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const path = join(folder, name);
  writeFileSync(path, parts[0] + text.replaceAll('<', '\\u003c') + parts[1]);
  return pathToFileURL(path).href;
}

export function launch(name, more = []) {
  return chromium.launchPersistentContext(join(folder, name), {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    chromiumSandbox: false,
    args: [...flags, ...more],
    viewport: { width: 1360, height: 820 },
  });
}

// A page whose complaints and requests are collected.
export async function open(context, url) {
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (m) => {
    // taking screenshots makes the software renderer speak of its speed
    if (m.text().includes('GL Driver Message (OpenGL, Performance')) return;
    if (['error', 'warning'].includes(m.type())) page.complaints.push(m.text());
  });
  page.on('pageerror', (e) => page.complaints.push(String(e)));
  page.on('request', (r) => /^(file|data|blob):/.test(r.url()) || page.complaints.push(`request of ${r.url()}`));
  await page.goto(url);
  await page.waitForSelector('html[data-ready]');
  return page;
}

// What `look` says about the pixels of a part of the page; it runs in the browser and sees nothing else.
export async function pixelsOf(context, element, look) {
  const png = await element.screenshot();
  const page = await context.newPage();
  const answer = await page.evaluate(async ([source, code]) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    const pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    return new Function(`return ${code}`)()(pen.getImageData(0, 0, image.width, image.height));
  }, [`data:image/png;base64,${png.toString('base64')}`, String(look)]);
  await page.close();
  return answer;
}

// How many different colours (of 4096) a part of the page shows.
export const coloursOf = (context, element) =>
  pixelsOf(context, element, ({ data }) => {
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) seen.add(((data[i] >> 4) << 8) | ((data[i + 1] >> 4) << 4) | (data[i + 2] >> 4));
    return seen.size;
  });

// Where strong colours are, in rows: [row, first column, last column]. Ground and hubs are grey.
export const colouredRows = (context, element) =>
  pixelsOf(context, element, ({ data, width, height }) => {
    const rows = [];
    for (let y = 0; y < height; y++) {
      let row = null;
      for (let x = 0; x < width; x++) {
        const i = 4 * (y * width + x);
        const strong = Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 80;
        if (strong) row = [y, row ? row[1] : x, x];
      }
      if (row) rows.push(row);
    }
    return rows;
  });

export const seconds = async (page) => parseFloat(await page.locator('#time').textContent());
export const shoot = async (page, name) => shots && page.screenshot({ path: join(shots, `${name}.png`) });

// Until what was asked for is drawn: on a busy machine a time would not do.
export const settle = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)))));

// Run the checks one after the other in one browser; the exit code tells how many failed.
export async function runChecks(checks, more = []) {
  let failures = 0;
  const run = async (name, check) => {
    const began = Date.now();
    try {
      await check();
      console.log(`ok    ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    } catch (e) {
      failures++;
      console.log(`FAIL  ${name}\n${e.stack}`);
    }
  };
  try {
    const context = await launch('profile');
    context.setDefaultTimeout(180000); // a busy machine is slow, not wrong
    for (const [name, check] of Object.entries(checks)) {
      await run(name, () => check(context));
      // what a failed check left open would go on drawing
      for (const page of context.pages().slice(1)) await page.close();
    }
    await context.close();
    for (const [name, check] of more) await run(name, check);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
  process.exit(failures ? 1 : 0);
}
