/* SPDX-License-Identifier: Apache-2.0 */
// numbers.js: numbers as people read them.

// Six significant digits, no useless zeros, a power of ten when it is shorter.
export function show(x, digits = 6) {
  if (typeof x !== 'number') return x;
  if (!Number.isFinite(x)) return 'not finite';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, power] = x.toExponential(digits - 1).split('e');
    return `${Number(mantissa)}e${Number(power)}`.replace('-', '\u2212').replace('e-', 'e\u2212');
  }
  return String(Number(x.toPrecision(digits))).replace('-', '\u2212');
}

// How many decimals tell the frames of a run of this length apart.
export function timeDecimals(duration) {
  if (!(duration > 0)) return 2;
  return Math.min(9, Math.max(2, Math.ceil(3 - Math.log10(duration))));
}

// 1, 2 or 5 times a power of ten, not above x.
export function roundDown(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  const m = x / power;
  return power * (m >= 5 ? 5 : m >= 2 ? 2 : 1);
}
