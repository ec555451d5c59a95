/* SPDX-License-Identifier: Apache-2.0 */
// images.js: the images on meshes become textures before the scene is made.
import { CanvasTexture, RepeatWrapping, SRGBColorSpace } from 'three';

const most = 1024; // pixels along an edge: a robot has dozens of images, and is seen whole
const mostGrounds = 8; // colours under one transparent image: each makes another texture

function canvasOf(width, height) {
  return Object.assign(document.createElement('canvas'), { width, height });
}

// The image on a canvas, not larger than `most`. Null where the browser cannot decode it: then the mesh has its plain colour.
async function decode(uri) {
  const image = new Image();
  image.src = uri;
  try {
    await image.decode();
  } catch {
    return null;
  }
  const scale = Math.min(1, most / Math.max(image.width, image.height));
  const canvas = canvasOf(...[image.width, image.height].map((n) => Math.max(1, Math.round(scale * n))));
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function isOpaque(canvas) {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  for (let i = 3; i < data.length; i += 4) if (data[i] < 255) return false;
  return true;
}

function textureOf(canvas) {
  const out = new CanvasTexture(canvas);
  out.colorSpace = SRGBColorSpace;
  out.wrapS = RepeatWrapping;
  out.wrapT = RepeatWrapping;
  out.anisotropy = 4;
  return out;
}

// Where an image is transparent, the colour of the material is seen.
function textureOver(canvas, colour) {
  const both = canvasOf(canvas.width, canvas.height);
  const context = both.getContext('2d');
  context.fillStyle = colour;
  context.fillRect(0, 0, both.width, both.height);
  context.drawImage(canvas, 0, 0);
  return textureOf(both);
}

// colour of the material -> texture
async function skin(uri) {
  const canvas = await decode(uri);
  if (!canvas) return null;
  if (uri.startsWith('data:image/jpeg') || isOpaque(canvas)) {
    const one = textureOf(canvas);
    return () => one;
  }
  const made = new Map();
  return (colour) => {
    if (!made.has(colour) && made.size >= mostGrounds) return made.values().next().value;
    if (!made.has(colour)) made.set(colour, textureOver(canvas, colour));
    return made.get(colour);
  };
}

// run.textures: a function of the colour of the material for each image of the run, null for one that cannot be decoded. One
// after the other: a decoded image of 8192 x 8192 pixels takes 256 MB.
export async function loadTextures(run) {
  run.textures = [];
  for (const uri of run.images) run.textures.push(await skin(uri));
}
