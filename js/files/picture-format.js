/** How pictures are prepared for a model: preprocessor_config.json of Hugging Face. */
import { HeedError, quoted } from '../errors.js';
import { readJson } from './json.js';

/**
 * The input of a model of pictures, and the preparation of a picture (ViTImageProcessor, CLIPImageProcessor).
 * @typedef {object} PictureFormat
 * @property {number} side        height and width of the input, in pixels
 * @property {number} patch       height and width of a patch, in pixels
 * @property {number} columns     patches of a row, as many as rows of patches
 * @property {[height: number, width: number] | number | null} resize  size after resizing; a number is the length of
 *   the shorter side; null: pictures are not resized
 * @property {'nearest' | 'bilinear' | 'bicubic'} filter  of resizing
 * @property {boolean} crop       whether the middle is cut out afterwards
 * @property {number} scale       factor of the bytes of a pixel
 * @property {number[]} mean      subtracted from red, green and blue after the factor
 * @property {number[]} deviation  divisor afterwards
 */

/** Largest preprocessor_config.json in bytes. */
const MAX_BYTES = 1 << 20;
/** Largest side after resizing, in pixels. */
const MOST_SIDE = 8192;
/** Filters by the numbers of PIL. @type {Readonly<Record<number, PictureFormat['filter']>>} */
const FILTERS = Object.freeze({ 0: 'nearest', 2: 'bilinear', 3: 'bicubic' });

/**
 * @param {Pick<import('./config.js').Config, 'vocabulary'> & { patch: number }} config  its sizes
 * @param {import('./source.js').Source | object | undefined} source  preprocessor_config.json; undefined: the defaults
 *   of ViTImageProcessor
 * @param {AbortSignal | null | undefined} signal
 * @returns {Promise<PictureFormat>}
 * @throws {HeedError} 'bad-config', 'unsupported', and the errors of the source
 */
export async function readPictureFormat(config, source, signal) {
  const given = source === undefined ? { json: {}, name: 'preprocessor_config.json' }
    : await readJson(source, { limit: MAX_BYTES, what: 'a preprocessor_config.json', signal });
  const { name } = given;
  const json = /** @type {Record<string, any>} */ (given.json);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new HeedError('bad-config', `${quoted(name)} contains no JSON object.`);
  }
  const bad = (/** @type {string} */ what) => new HeedError('bad-config', `${quoted(name)}: ${what}.`);
  const flag = (/** @type {string} */ key, /** @type {boolean} */ usual) => {
    if (typeof (json[key] ?? usual) === 'boolean') return json[key] ?? usual;
    throw bad(`expected true or false at ${quoted(key)}, got ${quoted(json[key])}`);
  };
  const colors = (/** @type {string} */ key) => {
    const values = [json[key] ?? 0.5].flat();
    const three = values.length === 1 ? [values[0], values[0], values[0]] : values;
    if (three.length === 3 && three.every(Number.isFinite)) return three;
    throw bad(`expected three numbers at ${quoted(key)}, got ${quoted(JSON.stringify(json[key]))}`);
  };
  const patch = Math.sqrt(config.patch / 3);
  const columns = Math.sqrt(config.vocabulary - 1);
  const side = columns * patch;
  const size = (/** @type {string} */ key) => sizeOf(json[key] ?? side, (what) => bad(`${quoted(key)} ${what}`));

  const filter = FILTERS[json.resample ?? 2];
  if (filter === undefined) {
    throw new HeedError('unsupported', `${quoted(name)} resizes with the filter ${quoted(json.resample)}; heed has ` +
      `${Object.entries(FILTERS).map(([number, kind]) => `${number} (${kind})`).join(', ')}.`);
  }
  const resize = flag('do_resize', true) ? size('size') : null;
  const crop = flag('do_center_crop', false);
  const last = crop ? size('crop_size') : resize;
  if (last !== null && (!Array.isArray(last) || last.some((length) => length !== side))) {
    throw bad(`pictures become ${[last].flat().join(' × ')} pixels, but the model reads ${side} × ${side}`);
  }
  const scale = flag('do_rescale', true) ? json.rescale_factor ?? 1 / 255 : 1;
  if (!(scale > 0 && scale < Infinity)) throw bad(`expected ‘rescale_factor’ to be a positive number, got ${scale}`);
  const isNormalized = flag('do_normalize', true);
  const deviation = isNormalized ? colors('image_std') : [1, 1, 1];
  if (!deviation.every((value) => value > 0)) throw bad('expected positive numbers at ‘image_std’');
  return { side, patch, columns, resize, filter, crop, scale,
    mean: isNormalized ? colors('image_mean') : [0, 0, 0], deviation };
}

/**
 * A size of the processor: a number, { height, width } or { shortest_edge }.
 * @param {unknown} value @param {(what: string) => HeedError} bad @returns {[number, number] | number}
 */
function sizeOf(value, bad) {
  const { height, width, shortest_edge: shortest } = /** @type {any} */ (typeof value === 'number'
    ? { height: value, width: value } : value ?? {});
  const lengths = shortest === undefined ? [height, width] : [shortest];
  if (!lengths.every((length) => Number.isInteger(length) && length >= 1 && length <= MOST_SIDE)) {
    throw bad(`must be a size from 1 to ${MOST_SIDE} pixels, not ${quoted(JSON.stringify(value))}`);
  }
  return shortest === undefined ? [height, width] : shortest;
}
