/* SPDX-License-Identifier: Apache-2.0 */
// textures.mjs PAGE SHOTS APPELL: images on meshes, from the files of a robot to the pixels of its page: each quarter of the image
// is where its places say, also where a browser cannot decode one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import { base64, doublePendulum } from './runs.mjs';
import { folder, makePage, open, pixelsOf, runChecks, settle, shoot } from './browser.mjs';

const appell = process.argv[4];

// CRC of PNG: the remainder by 0xedb88320, bits reversed.
function crc(bytes) {
  let c = ~0;
  for (const b of bytes) {
    c ^= b;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return ~c >>> 0;
}

function block(kind, data) {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(kind, 4, 'latin1');
  data.copy(out, 8);
  out.writeUInt32BE(crc(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}

// Two by two pixels: red, green; blue, yellow. With alpha the lower two are transparent, as programs write it: black.
function png(alpha = false) {
  const head = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, alpha ? 6 : 2, 0, 0, 0]);
  const rows = Buffer.from(
    alpha ? [0, 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0] : [0, 255, 0, 0, 0, 255, 0, 0, 0, 0, 255, 255, 255, 0],
  );
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    block('IHDR', head), block('IDAT', deflateSync(rows)), block('IEND', Buffer.alloc(0)),
  ]);
}

// An upright square in the plane of x and z, seen from -y: x to the right.
const obj = 'mtllib q.mtl\nv 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl a\nf 1/1 2/2 3/3 4/4\n';
const mtl = 'newmtl a\nKd 0 1 1\nmap_Kd a.png\n';
const dae = `<COLLADA><asset><up_axis>Z_UP</up_axis></asset><library_images><image id="i"><init_from>a.png</init_from></image></library_images>
<library_effects><effect id="e"><profile_COMMON><newparam sid="u"><surface><init_from>i</init_from></surface></newparam>
<newparam sid="s"><sampler2D><source>u</source></sampler2D></newparam><technique><phong><diffuse><texture texture="s" texcoord="c"/></diffuse>
</phong></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array>0 0 0 1 0 0 1 0 1 0 0 1</float_array></source>
<source id="t"><float_array>0 0 1 0 1 1 0 1</float_array></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist material="m"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="TEXCOORD" source="#t" offset="1" set="0"/>
<vcount>4</vcount><p>0 0 1 1 2 2 3 3</p></polylist></mesh></geometry></library_geometries></COLLADA>`;
const urdf = (file) => `<robot name="r"><link name="l"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><mesh filename="${file}"/></geometry></visual></link></robot>`;

function write(name, file, image) {
  const at = join(folder, name);
  mkdirSync(at);
  for (const [path, content] of Object.entries({ 'q.obj': obj, 'q.mtl': mtl, 'q.dae': dae, 'a.png': image, 'r.urdf': urdf(file) })) {
    writeFileSync(join(at, path), content);
  }
  const page = join(at, 'page.html');
  const done = spawnSync(appell, ['run', join(at, 'r.urdf'), '-q', '--to', '0.01', '--html', page], { encoding: 'utf8' });
  assert.deepEqual([done.status, done.stderr], [0, '']);
  return pathToFileURL(page).href;
}

// The number and the mean place [column, row] of pixels that are nearly red, green, blue, yellow and cyan.
const spots = (context, canvas) =>
  pixelsOf(context, canvas, ({ data, width, height }) => {
    const found = { red: [0, 0, 0], green: [0, 0, 0], blue: [0, 0, 0], yellow: [0, 0, 0], cyan: [0, 0, 0] };
    const names = { '100': 'red', '010': 'green', '001': 'blue', '110': 'yellow', '011': 'cyan' };
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const rgb = [0, 1, 2].map((k) => data[4 * (y * width + x) + k]);
        const high = Math.max(...rgb);
        if (high < 110 || rgb.some((c) => c > 0.45 * high && c < 0.8 * high)) continue;
        const spot = found[names[rgb.map((c) => (c >= 0.8 * high ? 1 : 0)).join('')]];
        if (spot) [spot[0], spot[1], spot[2]] = [spot[0] + 1, spot[1] + x, spot[2] + y];
      }
    }
    return Object.fromEntries(Object.entries(found).map(([k, [n, x, y]]) => [k, { n, x: x / n, y: y / n }]));
  });

async function look(context, url, name) {
  const page = await open(context, url);
  await page.evaluate(() => {
    document.getElementById('gauges').hidden = true; // its axes are coloured, as the frame of a canvas with the focus is
  });
  await page.keyboard.press('2');
  await settle(page);
  await shoot(page, name);
  const seen = await spots(context, page.locator('#canvas'));
  assert.deepEqual(page.complaints, []);
  await page.close();
  return seen;
}

function judge({ red, green, blue, yellow, cyan }) {
  for (const s of [red, green, blue, yellow]) assert.ok(s.n > 2000, JSON.stringify({ red, green, blue, yellow }));
  assert.ok(cyan.n < 50, 'the plain colour is not seen under the image');
  assert.ok(red.x < green.x - 30 && blue.x < yellow.x - 30, 'left and right');
  assert.ok(red.y < blue.y - 30 && green.y < yellow.y - 30, 'up and down');
}

const checks = {
  async 'an image on an OBJ'(context) {
    judge(await look(context, write('obj', 'q.obj', png()), 'texture-obj'));
  },

  async 'an image on a DAE'(context) {
    judge(await look(context, write('dae', 'q.dae', png()), 'texture-dae'));
  },

  // red and green above, the cyan of the material below, and no black
  async 'the colour of the material is seen through an image'(context) {
    const { red, green, blue, cyan } = await look(context, write('clear', 'q.obj', png(true)), 'texture-clear');
    const seen = JSON.stringify({ red, green, blue, cyan });
    assert.ok(red.n > 2000 && green.n > 2000 && cyan.n > 5000, seen); // yellow is seen between red and green
    assert.ok(blue.n < 50 && cyan.y > red.y + 30 && cyan.y > green.y + 30, seen);
  },

  // its head is good, its pixels are not: the command cannot know, the browser does
  async 'an image that cannot be decoded leaves the plain colour'(context) {
    const image = png();
    image.fill(0x55, 40, 55);
    const { red, green, cyan } = await look(context, write('bad', 'q.obj', image), 'texture-bad');
    assert.ok(cyan.n > 8000 && red.n < 50 && green.n < 50, JSON.stringify({ red, green, cyan }));
  },

  async 'bad data of images gets a sentence'(context) {
    const mesh = {
      points: base64(new Float32Array(9)), triangles: base64(new Uint32Array([0, 1, 2])), paints: [[1, null, 0]], uv: base64(new Float32Array(6)),
    };
    const images = [{ type: 'png', data: png().toString('base64') }];
    const good = { ...doublePendulum(), meshes: [mesh], images };
    const bad = {
      'type png or jpeg': { ...good, images: [{ type: 'svg+xml', data: '' }] },
      'not valid base64': { ...good, images: [{ type: 'png', data: '"><script>' }] },
      'names image 0, but there are 0': { ...good, images: [] },
      'numbers where 6': { ...good, meshes: [{ ...mesh, uv: base64(new Float32Array(4)) }] },
      'not finite': { ...good, meshes: [{ ...mesh, uv: base64(new Float32Array([0, 0, NaN, 0, 0, 0])) }] },
    };
    for (const [words, data] of Object.entries(bad)) {
      const page = await open(context, makePage('bad.html', data));
      const said = await page.locator('#trouble').textContent();
      assert.ok(said.includes(words), `"${words}" is said, not "${said}"`);
      await page.close();
    }
  },
};

await runChecks(checks);
