/** Attention to the patches of a picture, as light. */

/** Share of its light that a patch without attention keeps. */
const DARK = 0.12;

/**
 * Darkens the patches of a picture, except the patch with the largest weight.
 * @param {Uint8ClampedArray} pixels [y][x][4] of a square picture; they are changed
 * @param {ArrayLike<number>} weights of the patches, row by row: as many rows as columns
 */
export function darkenPatches(pixels, weights) {
  const side = Math.sqrt(pixels.length / 4);
  const columns = Math.sqrt(weights.length);
  const most = Math.max(...Array.from(weights));
  const lights = Array.from(weights, (weight) => (most > 0 ? DARK + (1 - DARK) * weight / most : DARK));
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const light = lights[Math.floor(y * columns / side) * columns + Math.floor(x * columns / side)];
      const at = (y * side + x) * 4;
      for (let channel = 0; channel < 3; channel++) pixels[at + channel] *= light;
    }
  }
}

/**
 * A picture of numbers as pixels.
 * @param {ArrayLike<number>} picture [channel][y][x], 0 to 1, square
 * @returns {Uint8ClampedArray<ArrayBuffer>} [y][x][4]
 */
export function pixelsOfPicture(picture) {
  const size = picture.length / 3;
  return Uint8ClampedArray.from({ length: 4 * size }, (_, i) =>
    (i % 4 === 3 ? 255 : 255 * picture[(i % 4) * size + Math.floor(i / 4)]));
}
