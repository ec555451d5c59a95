/* SPDX-License-Identifier: Apache-2.0 */
// page.mjs: opens pages in Chromium as a reader would, from file://, and looks at what they show.
//
// usage: node page.mjs VIEWER_HTML [SCREENSHOTS_FOLDER]        see browser.mjs
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import {
  colouredRows, coloursOf, launch, makePage, open, runChecks, seconds, settle, shoot, template,
} from './browser.mjs';
import { base64, bentRod, doublePendulum, softArm } from './runs.mjs';

const checks = {
  async 'the page is one small file'() {
    assert.ok(statSync(template).size < 1.2e6);
  },

  async 'a run is drawn, named and summed up'(context) {
    const page = await open(context, makePage('pendulum.html', doublePendulum()));
    assert.equal(await page.locator('#name').textContent(), 'double pendulum </script><b>&amp;');
    assert.equal(await page.locator('#summary tr').count(), 6);
    assert.equal(await page.locator('#summary img, #summary i, #name b').count(), 0);
    assert.ok((await page.locator('#marks i').count()) > 3);
    await page.locator('#scrubber').fill('3.1');
    assert.equal(await seconds(page), 3.1);
    await settle(page);
    // the stage without the robot has the few colours of its background
    assert.ok((await coloursOf(context, page.locator('#canvas'))) > 25, 'the canvas is not blank');
    assert.ok((await page.locator('.u-over').count()) >= 2, 'two plots');
    assert.ok((await coloursOf(context, page.locator('.uplot canvas').first())) > 10, 'the plot shows lines');
    await shoot(page, 'pendulum-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await settle(page);
    await shoot(page, 'pendulum-dark');
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'time goes on when played, and by keys'(context) {
    const page = await open(context, makePage('play.html', doublePendulum()));
    assert.equal(await seconds(page), 0);
    await page.locator('#play').click();
    await page.waitForFunction(() => parseFloat(document.getElementById('time').textContent) > 0.3);
    await page.locator('#play').click();
    const stopped = await seconds(page);
    await page.waitForTimeout(200);
    assert.equal(await seconds(page), stopped, 'pause stops');
    await page.locator('#canvas').focus();
    await page.keyboard.press('Home');
    assert.equal(await seconds(page), 0);
    await page.keyboard.press('ArrowRight');
    assert.equal(await seconds(page), 0.02);
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await seconds(page), 0.2);
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.locator('#speed').inputValue(), '2');
    await page.keyboard.press(' ');
    await page.waitForFunction(() => parseFloat(document.getElementById('time').textContent) > 0.3);
    await page.keyboard.press(' ');
    await page.keyboard.press('End');
    assert.equal(await seconds(page), 10);
    await page.locator('#events button').first().click();
    assert.ok((await seconds(page)) < 2);
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'channels are found and plotted, and a plot sets the time'(context) {
    const page = await open(context, makePage('pick.html', doublePendulum()));
    const before = await page.locator('.u-over').count();
    await page.locator('#pick').click();
    await page.locator('#search').fill('kinetic J');
    assert.equal(await page.locator('#channels label').count(), 1);
    await page.locator('#channels input').check();
    assert.equal(await page.locator('.u-over').count(), before + 1);
    await shoot(page, 'picker');
    const over = page.locator('.u-over').first();
    const box = await over.boundingBox();
    await over.click({ position: { x: box.width / 2, y: 40 } });
    assert.ok(Math.abs((await seconds(page)) - 5) < 0.1, 'a press in the middle is half the time');
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'shapes, strips and ground are drawn, at any width'(context) {
    const page = await open(context, makePage('soft.html', softArm()));
    await page.locator('#scrubber').fill('0.8');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.locator('#layer-axes').check();
    await page.locator('#layer-axes').uncheck();
    await page.keyboard.press('Escape');
    await settle(page);
    await shoot(page, 'soft-light');
    assert.ok((await coloursOf(context, page.locator('#canvas'))) > 40);
    for (const width of [1000, 700, 420]) {
      await page.setViewportSize({ width, height: 800 });
      await settle(page);
      await shoot(page, `soft-${width}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `no sideways scrolling at ${width}, but ${wide}`);
    }
    await page.setViewportSize({ width: 1360, height: 820 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await settle(page);
    await shoot(page, 'soft-dark');
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  // 150 degrees of a circle over an upright chord: its height over the chord is 0.38 of the chord
  async 'a body that bends is drawn as it is, without a bar through it'(context) {
    const page = await open(context, makePage('bent.html', bentRod((150 * Math.PI) / 180)));
    await settle(page);
    await shoot(page, 'bent');
    // the small axes over the picture are coloured too
    await page.evaluate(() => {
      document.getElementById('gauges').hidden = true;
    });
    const rows = await colouredRows(context, page.locator('#canvas'));
    const tall = rows.at(-1)[0] - rows[0][0];
    const left = Math.min(...rows.map((r) => r[1]));
    const right = Math.max(...rows.map((r) => r[2]));
    assert.ok(tall > 200, `${tall} rows of it`);
    const bulge = (right - left) / tall;
    // seen a little from the side and from above; and the rod has a thickness
    assert.ok(bulge > 0.32 && bulge < 0.46, `its height is ${bulge} of the chord`);
    // the chord is at the right: between the ends nothing lies there
    for (const [y, , last] of rows) {
      const u = (y - rows[0][0]) / tall;
      if (u > 0.2 && u < 0.8) assert.ok(last < right - 0.5 * (right - left), `row ${y} ends at ${last}`);
    }
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'a run of one frame without ports and channels is shown'(context) {
    const data = { format: 1, name: 'still', times: base64(new Float64Array([0])) };
    const page = await open(context, makePage('still.html', data));
    assert.equal(await page.locator('#name').textContent(), 'still');
    assert.match(await page.locator('#plots').textContent(), /no channels/);
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'bad data gets a sentence'(context) {
    const good = doublePendulum();
    const bad = {
      'no run yet': 'APPELL_DATA',
      'not valid JSON': '{"format": 1, ',
      'does not name its format': {},
      'has format 9': { ...good, format: 9 },
      'not valid base64': { ...good, times: '!!!' },
      'no frames': { ...good, times: '' },
      'numbers where': { ...good, poses: base64(new Float32Array(8)) },
      'names port 7': { ...good, shapes: [{ type: 'sphere', port: 7, size: [1] }] },
      'Strip 0 needs at least two ports': { ...good, strips: [{ ports: [1] }] },
      'section of Strip 0 must be positive': { ...good, strips: [{ ports: [0, 1], half: [0.01, 0] }] },
      'unknown type "blob"': { ...good, shapes: [{ type: 'blob', port: 0 }] },
      'goes back': { ...good, rows: base64(new Float64Array([1, 0])) },
      'must be a list': { ...good, ports: 3 },
      'must be an object': { ...good, events: [null] },
    };
    for (const [words, data] of Object.entries(bad)) {
      const page = await open(context, makePage('bad.html', data));
      const said = await page.locator('#trouble').textContent();
      assert.ok(said.includes(words), `"${words}" is said, not "${said}"`);
      assert.ok(await page.locator('#trouble').isVisible());
      assert.ok(!(await page.locator('#page').isVisible()));
      assert.deepEqual(page.complaints, []);
      if (words === 'has format 9') await shoot(page, 'trouble');
      await page.close();
    }
  },
};

async function withoutWebgl() {
  const context = await launch('blind', ['--disable-3d-apis']);
  const page = await open(context, makePage('blind.html', doublePendulum()));
  assert.match(await page.locator('#no-canvas').textContent(), /WebGL/);
  assert.ok((await page.locator('.u-over').count()) >= 2);
  assert.deepEqual(page.complaints, []);
  await shoot(page, 'no-webgl');
  await context.close();
}

await runChecks(checks, [['without WebGL the rest works', withoutWebgl]]);
