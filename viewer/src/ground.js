/* SPDX-License-Identifier: Apache-2.0 */
// ground.js: a grid that fades with distance and receives the shadow; on the ground if there is one,
// else under the motion.
import {
  Color, DoubleSide, Group, Mesh, PlaneGeometry, Quaternion, ShaderMaterial, ShadowMaterial, Vector3,
} from 'three';

const vertex = `
varying vec2 at;
void main() {
  at = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

// lines of one pixel at any distance; every fifth is stronger
const fragment = `
uniform float cell, radius, strength;
uniform vec2 shift;
uniform vec3 colour;
varying vec2 at;
float lines(float size) {
  vec2 x = (at + shift) / size;
  vec2 near = abs(fract(x - 0.5) - 0.5) / fwidth(x);
  return 1.0 - min(min(near.x, near.y), 1.0);
}
void main() {
  float fade = 1.0 - smoothstep(0.25 * radius, radius, length(at));
  float a = max(0.45 * lines(cell), lines(5.0 * cell)) * fade * strength;
  gl_FragColor = vec4(colour, a);
  #include <colorspace_fragment>
}`;

// centre: of the motion; the grid lines pass through the world's origin.
export function makeGround(ground, centre, lowest, radius, cell) {
  const normal = ground ? new Vector3(...ground.normal) : new Vector3(0, 0, 1);
  const offset = ground ? ground.offset : lowest;
  const place = centre.clone().addScaledVector(normal, offset - normal.dot(centre));
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal);
  const local = place.clone().applyQuaternion(turn.clone().invert());
  const plane = new PlaneGeometry(2 * radius, 2 * radius);

  const grid = new Mesh(plane, new ShaderMaterial({
    vertexShader: vertex,
    fragmentShader: fragment,
    uniforms: {
      cell: { value: cell },
      radius: { value: radius },
      strength: { value: ground ? 0.8 : 0.5 },
      // whole heavy cells are left out, so that small numbers reach the shader
      shift: { value: [local.x % (5 * cell), local.y % (5 * cell)] },
      colour: { value: new Color() },
    },
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
  }));
  grid.renderOrder = -2;

  const shadow = new Mesh(plane, new ShadowMaterial({ transparent: true, depthWrite: false }));
  shadow.receiveShadow = true;
  shadow.renderOrder = -1;

  const object = new Group();
  object.add(grid, shadow);
  object.position.copy(place);
  object.quaternion.copy(turn);
  return {
    object,
    setTheme(dark, colour) {
      grid.material.uniforms.colour.value.set(colour);
      shadow.material.opacity = dark ? 0.45 : 0.2;
    },
  };
}
