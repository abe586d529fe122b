/** Half precision (IEEE 754 binary16): 1 sign, 5 exponent and 10 fraction bits. */

const scratch = new DataView(new ArrayBuffer(4));

/** The nearest half, ties to even; larger numbers become infinity. @param {number} x @returns {number} its 16 bits */
export function halfFromFloat(x) {
  scratch.setFloat32(0, x);
  const bits = scratch.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  const size = bits & 0x7fffffff;
  if (size > 0x7f800000) return sign | 0x7e00; // NaN
  if (size >= 0x477ff000) return sign | 0x7c00; // 65520 and more
  if (size < 0x38800000) return sign | roundToEven(Math.abs(Math.fround(x)) * 2 ** 24); // subnormal: multiples of 2^-24
  return sign | ((size - 0x38000000 + 0xfff + ((size >>> 13) & 1)) >>> 13);
}

/** The nearest integer, ties to even. @param {number} x */
export function roundToEven(x) {
  const floor = Math.floor(x);
  const rest = x - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
}

/** @param {number} bits @returns {number} */
export function floatFromHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 0x3ff;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? (1024 + fraction) * (1 << exponent) / 2 ** 25 : fraction * 2 ** -24);
}
