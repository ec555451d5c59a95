/* SPDX-License-Identifier: Apache-2.0 */
// person.mjs: the page in the hands of a person: pointing at links, hiding them, turning the camera,
// saving pictures, videos and numbers, comparing two results; and a model that wants to do harm.
//
// usage: node person.mjs VIEWER_HTML [SCREENSHOTS_FOLDER]        see browser.mjs
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { makePage, open, pixelsOf, runChecks, settle, shoot } from './browser.mjs';
import { hostile, softArm, walker } from './runs.mjs';

// The picture of the stage as bytes, to see whether it changed.
const picture = async (page) => {
  await settle(page);
  return (await page.locator('#canvas').screenshot()).toString('base64');
};

// The middle of what is blue on the canvas, where the walker's box is, in pixels of the canvas.
async function middleOf(context, page) {
  const [x, y, n] = await pixelsOf(context, page.locator('#canvas'), ({ data, width }) => {
    const sum = [0, 0, 0];
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 2] - Math.max(data[i], data[i + 1]) < 60) continue;
      sum[0] += (i / 4) % width;
      sum[1] += Math.floor(i / 4 / width);
      sum[2]++;
    }
    return [sum[0] / sum[2], sum[1] / sum[2], sum[2]];
  });
  assert.ok(n > 500, 'a robot is drawn');
  return [x, y];
}

async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 180000 }), page.locator(button).click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

const bare = (data) => ({ ...data, channels: [], rows: '', events: [], summary: [] });

const checks = {
  async 'the canvas changes with time and where the robot is'(context) {
    const page = await open(context, makePage('time.html', walker()));
    await page.getByRole('button', { name: 'Show' }).click();
    for (const box of await page.locator('#trails input:checked').all()) await box.uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Camera' }).click();
    await page.locator('#follow').selectOption('');
    await page.keyboard.press('Escape');
    const places = [];
    for (const t of ['0', '1', '2']) {
      await page.locator('#scrubber').fill(t);
      await settle(page);
      places.push((await middleOf(context, page))[0]);
    }
    // the box walks along x, to the right of the picture
    assert.ok(places[1] > places[0] + 5 && places[2] > places[1] + 5, `it moves to the right: ${places}`);
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'pointing at a link names it, a press selects it'(context) {
    const page = await open(context, makePage('pick.html', walker()));
    await settle(page);
    const [x, y] = await middleOf(context, page);
    await page.locator('#canvas').hover({ position: { x, y } });
    await page.waitForFunction(() => !document.getElementById('tip').hidden);
    assert.match(await page.locator('#tip').textContent(), /^box /);
    await page.locator('#canvas').click({ position: { x, y } });
    assert.match(await page.locator('#card').textContent(), /^box.*floating joint.*2 kg/);
    await page.getByRole('button', { name: 'Links' }).click();
    assert.equal(await page.locator('.link.picked .name').textContent(), 'box');
    await shoot(page, 'selected');
    await page.keyboard.press('Escape');
    await page.locator('#card').getByText('Plot it').click();
    assert.ok((await page.locator('.u-legend').allTextContents()).some((s) => s.includes('box.joint.x')));
    // a drag turns the camera and selects nothing
    await page.mouse.move(300, 300);
    await page.mouse.down();
    await page.mouse.move(360, 320, { steps: 4 });
    await page.mouse.up();
    assert.ok(await page.locator('#card').isVisible());
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'links are seen through and hidden by the tree'(context) {
    const page = await open(context, makePage('tree.html', bare(walker())));
    const whole = await picture(page);
    await page.getByRole('button', { name: 'Links' }).click();
    assert.deepEqual(await page.locator('.link .name').allTextContents(), ['box', 'antenna']);
    const state = page.locator('.link .state').first();
    await state.click();
    assert.equal(await state.getAttribute('data-state'), 'glass');
    const glass = await picture(page);
    await state.click();
    const hidden = await picture(page);
    await state.click();
    await page.keyboard.press('Escape');
    assert.ok(whole !== glass && glass !== hidden);
    assert.equal(await page.locator('.link .state').first().getAttribute('data-state'), 'shown');
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'forces, centres, frames and magnified bending are drawn on request'(context) {
    const page = await open(context, makePage('layers.html', walker()));
    await page.locator('#scrubber').fill('1');
    const first = await picture(page);
    await page.getByRole('button', { name: 'Show' }).click();
    const seen = new Set([first]);
    for (const layer of ['forces', 'centres', 'axes', 'closures']) {
      await page.locator(`#layer-${layer}`).click();
      seen.add(await picture(page));
    }
    assert.equal(seen.size, 5, 'each layer changes the picture');
    await shoot(page, 'layers');
    await page.close();

    const soft = await open(context, makePage('bend.html', softArm()));
    await soft.locator('#scrubber').fill('1');
    const plain = await picture(soft);
    await soft.getByRole('button', { name: 'Show' }).click();
    await soft.locator('#factor').fill('0.4');
    assert.match(await soft.locator('#factor-value').textContent(), /2\.5/);
    assert.notEqual(await picture(soft), plain);
    await shoot(soft, 'magnified');
    await soft.locator('#factor').fill('0');
    await soft.keyboard.press('Escape');
    assert.deepEqual(soft.complaints, []);
    await soft.close();
  },

  async 'the camera has views, follows, and shows axes and a scale'(context) {
    const page = await open(context, makePage('camera.html', bare(walker())));
    const seen = new Set([await picture(page)]);
    await page.getByRole('button', { name: 'Camera' }).click();
    for (const view of ['Front', 'Side', 'Top', 'Plane']) {
      await page.locator('#camera').getByRole('button', { name: view }).click();
      seen.add(await picture(page));
    }
    assert.equal(seen.size, 5, 'each view is another picture');
    assert.match(await page.locator('#scale-bar').textContent(), /^[125]0{0,2}(\.\d+)? (mm|cm|m)$/);
    assert.equal(await page.locator('#triad text').count(), 3);
    await page.locator('#follow').selectOption('box');
    await page.keyboard.press('Escape');
    await page.keyboard.press('1');
    await page.locator('#scrubber').fill('0');
    await settle(page);
    const [before] = await middleOf(context, page);
    await page.locator('#scrubber').fill('2');
    await settle(page);
    const [after] = await middleOf(context, page);
    assert.ok(Math.abs(after - before) < 4, `a followed robot stays in place: ${before}, ${after}`);
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'first plots tell the story; curves of zeros have a small axis'(context) {
    const page = await open(context, makePage('story.html', walker()));
    const titles = await page.locator('.plot h3').allTextContents();
    assert.deepEqual(titles, ['Joints', 'Efforts and inputs', 'Contact forces', 'Position', 'Energy', 'Energy error']);
    const curves = (await page.locator('.u-legend').allTextContents()).join(' ');
    assert.ok(!/\.q[wxyz]/.test(curves), 'no quaternions');
    assert.ok(!curves.includes('silent'), 'no input of zeros');
    await page.close();
  },

  async 'a failed run says so at its top; thinning is said'(context) {
    const sentence = 'failed: the step became too small at t = 1.2 s <b>';
    const page = await open(context, makePage('failed.html', { ...walker(), status: sentence, warnings: ['the base tips'], outputs: 60000 }));
    assert.match(await page.locator('#status').textContent(), /This run failed: the step became too small at t = 1\.2 s <b>.*Warning: the base tips/);
    assert.ok((await page.locator('#status').boundingBox()).y < 100);
    assert.match(await page.locator('#thinned').textContent(), /^\d+ of 60\u2009000 outputs are drawn/);
    assert.equal(await page.locator('#back').isVisible(), false);
    await shoot(page, 'failed');
    await page.close();
    const good = await open(context, `${makePage('good.html', { ...walker(), status: 'finished' })}?gallery`);
    assert.equal(await good.locator('#status').isVisible(), false);
    assert.equal(await good.locator('#back').isVisible(), true);
    await good.close();
  },

  async 'loop begins again at the end'(context) {
    const page = await open(context, makePage('loop.html', walker()));
    await page.locator('#loop').click();
    await page.locator('#scrubber').fill('2.9');
    await page.locator('#play').click();
    await page.waitForFunction(() => parseFloat(document.getElementById('time').textContent) < 1);
    assert.equal(await page.locator('#play').getAttribute('aria-label'), 'Pause', 'it still plays');
    await page.locator('#play').click();
    await page.locator('#canvas').focus();
    await page.keyboard.press('?');
    assert.ok(await page.locator('#help').isVisible());
    await page.locator('#help').getByRole('button', { name: 'Close' }).click();
    await page.close();
  },

  async 'pictures and numbers are saved'(context) {
    const page = await open(context, makePage('save.html', walker()));
    await page.getByRole('button', { name: 'Save' }).click();
    const png = await saved(page, '#save-png');
    assert.equal(png.name, 'walking-box.png');
    assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
    assert.ok(png.bytes.length > 10000);
    const csv = await saved(page, '#save-csv');
    const lines = csv.bytes.toString().trimEnd().split('\n');
    assert.match(lines[0], /^time,box\.joint\.x,/);
    assert.equal(lines.length, 1 + 121);
    assert.equal(lines.at(-1).split(',')[0], '3');
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'a recorded video plays'(context) {
    const page = await open(context, makePage('video.html', walker()));
    await page.locator('#speed').selectOption('2');
    await page.getByRole('button', { name: 'Save' }).click();
    const { name, bytes } = await saved(page, '#save-video');
    assert.equal(name, 'walking-box.webm');
    await page.close();
    const player = await context.newPage();
    const told = await player.evaluate(async (data) => {
      const video = document.createElement('video');
      video.muted = true;
      video.src = `data:video/webm;base64,${data}`;
      await new Promise((done, fail) => {
        video.onloadeddata = done;
        video.onerror = () => fail(new Error(video.error.message));
      });
      const look = () => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 80, height: 45 });
        canvas.getContext('2d').drawImage(video, 0, 0, 80, 45);
        return canvas.toDataURL();
      };
      const first = look();
      await video.play();
      await new Promise((done) => {
        video.onended = done;
        setTimeout(done, 30000);
      });
      return { width: video.videoWidth, seconds: video.currentTime, moved: look() !== first };
    }, bytes.toString('base64'));
    assert.ok(told.width > 300 && told.seconds > 0.8 && told.moved, JSON.stringify(told));
    await player.close();
  },

  async 'two results stand in one scene, with their difference'(context) {
    const other = walker(0.8);
    const page = await open(context, makePage('two.html', { ...walker(), label: 'a.h5', also: [{ ...other, label: 'b.h5' }] }));
    await page.locator('#scrubber').fill('2');
    assert.match(await page.locator('#results').textContent(), /a\.h5.*b\.h5/);
    assert.ok((await page.locator('.u-legend').allTextContents()).some((s) => s.includes('(b.h5)')));
    await page.locator('#difference').click();
    const legends = await page.locator('.u-legend').allTextContents();
    assert.ok(legends.every((s) => s.includes('b.h5 \u2212 first')));
    await shoot(page, 'two');
    // x is 0.5 t times the speed, plus the same sway, so at 2 s the other one is 0.2 m behind
    const line = legends.find((s) => s.includes('antenna.tip.position.x'));
    assert.match(line, /antenna\.tip\.position\.x: b\.h5 \u2212 first *:? *\u22120\.2/);
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  // names, texts and the model itself try to become markup or script
  async 'a hostile model does nothing'(context) {
    const page = await open(context, makePage('hostile.html', hostile()));
    await page.getByRole('button', { name: 'Links' }).click();
    await page.keyboard.press('Escape');
    await page.locator('#model-panel summary').click();
    await page.locator('#pick').click();
    await settle(page);
    assert.equal(await page.evaluate(() => window.harm), undefined);
    assert.equal(await page.locator('#page img, #page iframe, #page object, #page b b').count(), 0);
    assert.ok((await page.locator('#model-text').textContent()).includes('<img src=x onerror='));
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'narrow and dark pages do not overflow'(context) {
    const page = await open(context, makePage('narrow.html', { ...walker(), status: `failed: ${'a very long sentence '.repeat(12)}` }));
    for (const width of [1360, 820, 390]) {
      for (const colorScheme of ['light', 'dark']) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await settle(page);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide} at ${width}`);
        await shoot(page, `walker-${width}-${colorScheme}`);
      }
    }
    for (const sheet of ['Links', 'Show', 'Camera', 'Save']) {
      await page.getByRole('button', { name: sheet }).click();
      const box = await page.locator('.sheet:not([hidden])').boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= 390, `${sheet} is inside: ${JSON.stringify(box)}`);
      await page.keyboard.press('Escape');
    }
    await page.setViewportSize({ width: 1360, height: 820 });
    await page.emulateMedia({ colorScheme: 'light' });
    assert.deepEqual(page.complaints, []);
    await page.close();
  },
};


await runChecks(checks);
