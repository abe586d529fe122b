/** From a picture to the patches that a model reads. */
import { HeedError, quoted } from '../errors.js';
import { Pacer } from '../pause.js';
import { sources } from '../sources.js';
import { bytesOf, resized } from './resize.js';

/** @typedef {import('../files/picture-format.js').PictureFormat} PictureFormat */
/**
 * Pixels row by row: of three bytes (red, green, blue) or of four, whose last one is ignored.  ImageData of browsers is
 * one.
 * @typedef {{ data: Uint8Array | Uint8ClampedArray, width: number, height: number }} Pixels
 */
/** A picture; in Node, pixels.
 *  @typedef {Pixels | ImageBitmapSource} Picture */

/** Largest number of pixels of a picture. */
const MOST_PIXELS = 2 ** 26;

/**
 * Gives a model its picture.
 * @param {import('./load.js').LoadedModel} model
 * @param {Picture} picture
 * @returns {Promise<Int32Array>} ids of the picture: 0 for the class token, of DeiT 1 for the distillation token, then
 *   patches row by row
 */
export async function look(model, picture) {
  const { ids, beside } = await readingOf(model, picture);
  await model.setInput(...beside);
  return ids;
}

/** Ids of a picture, and its patches.
 *  @param {import('./load.js').LoadedModel} model @param {Picture} picture
 *  @returns {Promise<{ ids: Int32Array, beside: ['picture', Float32Array] }>} */
export async function readingOf(model, picture) {
  const { picture: format, name, vocabulary } = model.info;
  if (!format) throw new HeedError('unsupported', `${quoted(name)} reads texts. It cannot read pictures.`);
  const patches = await patchesOf(await pixelsOf(picture), format);
  const ids = Int32Array.from({ length: vocabulary }, (_, id) => id);
  sources.set(model, ids); // the caller sets the input next
  return { ids, beside: ['picture', patches] };
}

/** Checked pixels of a picture. @param {Picture} picture @returns {Promise<Pixels>} */
async function pixelsOf(picture) {
  const { data, width, height } = /** @type {Pixels} */ ('data' in Object(picture) ? picture : await drawn(picture));
  const pixels = width > 0 ? width * height : 0;
  const isBytes = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
  const channels = isBytes ? data.length / pixels : 0;
  if (!isBytes || !Number.isInteger(width) || !Number.isInteger(height) || pixels < 1 ||
      (channels !== 3 && channels !== 4)) {
    throw new HeedError('bad-argument', `Expected a picture as { data, width, height } with 3 or 4 bytes a pixel, ` +
      `got ${isBytes ? `${data.length} bytes` : quoted(data)} for ${quoted(width)} × ${quoted(height)} pixels.`);
  }
  needSize(pixels);
  return { data, width, height };
}

/** @param {number} pixels @throws {HeedError} 'too-large' */
function needSize(pixels) {
  if (pixels <= MOST_PIXELS) return;
  throw new HeedError('too-large', `The picture has ${pixels} pixels; at most ${MOST_PIXELS} are read. Make it ` +
    'smaller first.');
}

/** Pixels of an image, a canvas, a bitmap or a file, by the browser. @param {Picture} picture */
async function drawn(picture) {
  const advice = 'Give pixels as { data, width, height }, or in a browser an image, a canvas or a file.';
  if (typeof createImageBitmap !== 'function' || typeof OffscreenCanvas !== 'function') {
    throw new HeedError('bad-argument', `${quoted(picture)} cannot be read as a picture here. ${advice}`);
  }
  try {
    const bitmap = await createImageBitmap(/** @type {ImageBitmapSource} */ (picture));
    const { width, height } = bitmap;
    needSize(width * height);
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    bitmap.close();
    return /** @type {Pixels} */ (context?.getImageData(0, 0, width, height));
  } catch (cause) {
    if (cause instanceof HeedError) throw cause;
    throw new HeedError('bad-argument', `The browser cannot read ${quoted(picture)} as a picture. ${advice}`,
      { cause });
  }
}

/**
 * The patches of a picture: resized, cut, scaled, normalized.
 * @param {Pixels} pixels
 * @param {PictureFormat} format
 * @returns {Promise<Float32Array>} [ids][3·patch²], zeros for tokens before the patches; numbers of a patch by color,
 *   row and column
 */
export async function patchesOf(pixels, format) {
  const { side, patch, columns, leading, scale, mean, deviation } = format;
  const ready = await prepared(pixels, format);
  const { data, width, height } = ready;
  const bytes = bytesOf(ready);
  if (width !== side || height !== side) {
    throw new HeedError('bad-argument', `The model reads pictures of ${side} × ${side} pixels and does not resize ` +
      `them; this one has ${width} × ${height}.`);
  }
  const numbers = 3 * patch * patch;
  const patches = new Float32Array((leading + columns * columns) * numbers);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const row = leading + Math.floor(y / patch) * columns + Math.floor(x / patch);
      const at = row * numbers + (y % patch) * patch + (x % patch);
      for (let c = 0; c < 3; c++) {
        patches[at + c * patch * patch] = (data[bytes * (y * side + x) + c] * scale - mean[c]) / deviation[c];
      }
    }
  }
  return patches;
}

/** The picture in the size of the model. @param {Pixels} pixels @param {PictureFormat} format */
async function prepared(pixels, { side, resize, filter, crop }) {
  const pacer = new Pacer();
  let image = pixels;
  if (resize !== null) {
    const [height, width] = typeof resize === 'number' ? withShortest(pixels, resize) : resize;
    image = await resized(pixels, width, height, filter, () => pacer.pause());
  }
  return crop ? cropped(image, side) : image;
}

/** Height and width of a picture whose shorter side has this length; the longer one is rounded down, as in torchvision.
 *  @param {Pixels} pixels @param {number} shortest @returns {[height: number, width: number]} */
function withShortest({ width, height }, shortest) {
  const longest = Math.trunc(shortest * Math.max(width, height) / Math.min(width, height));
  return width <= height ? [longest, shortest] : [shortest, longest];
}

/** The middle of a picture, with black where the picture ends. @param {Pixels} pixels @param {number} side */
function cropped(pixels, side) {
  const { data, width, height } = pixels;
  const bytes = bytesOf(pixels);
  const cut = new Uint8Array(bytes * side * side);
  const top = Math.floor((height - side) / 2);
  const left = Math.floor((width - side) / 2);
  for (let y = Math.max(0, -top); y < Math.min(side, height - top); y++) {
    const from = Math.max(0, left);
    const to = Math.min(width, left + side);
    const row = (y + top) * width;
    cut.set(data.subarray(bytes * (row + from), bytes * (row + to)), bytes * (y * side + from - left));
  }
  return { data: cut, width: side, height: side };
}
