/** How pictures are prepared for a model: preprocessor_config.json of Hugging Face. */
import { HeedError, quoted } from '../errors.js';
import { readJson } from './json.js';

/**
 * The input of a model of pictures, and the preparation of a picture (ViTImageProcessor, CLIPImageProcessor).
 * @typedef {object} PictureFormat
 * @property {number} side        height and width of the input, in pixels
 * @property {number} patch       height and width of a patch, in pixels
 * @property {number} columns     patches of a row, as many as rows of patches
 * @property {number} leading     tokens before the patches: the class token, and of DeiT the distillation token
 * @property {[height: number, width: number] | number | null} resize  size after resizing; a number is the length of
 *   the shorter side; null: pictures are not resized
 * @property {'nearest' | 'bilinear' | 'bicubic'} filter  filter of resizing
 * @property {boolean} crop       whether the middle is cut out afterwards
 * @property {number} scale       factor of the bytes of a pixel
 * @property {number[]} mean      subtracted from red, green and blue after the factor
 * @property {number[]} deviation  divisor afterwards
 */

/** Largest preprocessor_config.json in bytes. */
const MAX_BYTES = 1 << 20;
/** Largest side after resizing, in pixels. */
const MOST_SIDE = 8192;
/** Defaults of ViTImageProcessor, DeiTImageProcessor and CLIPImageProcessor.  One number as a size is the length of
 *  the shorter side in CLIP, and of both sides in the others.  grows: the size before the cut, by the input's. */
const DEFAULTS = Object.freeze({
  vit: { resample: 2, crop: false, mean: 0.5, deviation: 0.5, shortest: false, grows: 1 },
  deit: { resample: 3, crop: true, mean: 0.5, deviation: 0.5, shortest: false, grows: 256 / 224 },
  clip: { resample: 3, crop: true, mean: [0.48145466, 0.4578275, 0.40821073],
    deviation: [0.26862954, 0.26130258, 0.27577711], shortest: true, grows: 1 },
});
/** Filters by the numbers of PIL. @type {Readonly<Record<number, PictureFormat['filter']>>} */
const FILTERS = Object.freeze({ 0: 'nearest', 2: 'bilinear', 3: 'bicubic' });

/**
 * @param {Pick<import('./config.js').Config, 'vocabulary'> & { patch: number }} config  its sizes
 * @param {import('./source.js').Source | object | undefined} source  preprocessor_config.json; undefined: the defaults
 *   of the family
 * @param {AbortSignal | null | undefined} signal
 * @param {string} [architecture]
 * @returns {Promise<PictureFormat>}
 * @throws {HeedError} 'bad-config', 'unsupported', and the errors of the source
 */
export async function readPictureFormat(config, source, signal, architecture = 'vit') {
  const usual = architecture === 'vit' || architecture === 'deit' ? DEFAULTS[architecture] : DEFAULTS.clip;
  const given = source === undefined ? { json: {}, name: 'preprocessor_config.json' }
    : await readJson(source, { limit: MAX_BYTES, what: 'a preprocessor_config.json', signal });
  const { name } = given;
  const json = /** @type {Record<string, any>} */ (given.json);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new HeedError('bad-config', `${quoted(name)} contains no JSON object.`);
  }
  const bad = (/** @type {string} */ what) => new HeedError('bad-config', `${quoted(name)}: ${what}.`);
  const flag = (/** @type {string} */ key, /** @type {boolean} */ otherwise) => {
    if (typeof (json[key] ?? otherwise) === 'boolean') return json[key] ?? otherwise;
    throw bad(`expected true or false at ${quoted(key)}, got ${quoted(json[key])}`);
  };
  const colors = (/** @type {string} */ key, /** @type {number | number[]} */ otherwise) => {
    const values = [json[key] ?? otherwise].flat();
    const three = values.length === 1 ? [values[0], values[0], values[0]] : values;
    if (three.length === 3 && three.every(Number.isFinite)) return three;
    throw bad(`expected three numbers at ${quoted(key)}, got ${quoted(JSON.stringify(json[key]))}`);
  };
  const patch = Math.sqrt(config.patch / 3);
  const columns = Math.floor(Math.sqrt(config.vocabulary - 1));
  const side = columns * patch;
  const size = (/** @type {string} */ key, /** @type {boolean} */ shortest, grows = 1) =>
    sizeOf(json[key] ?? Math.round(side * grows), shortest, (what) => bad(`${quoted(key)} ${what}`));

  const filter = FILTERS[json.resample ?? usual.resample];
  if (filter === undefined) {
    throw new HeedError('unsupported', `${quoted(name)} resizes with the filter ${quoted(json.resample)}; heed has ` +
      `${Object.entries(FILTERS).map(([number, kind]) => `${number} (${kind})`).join(', ')}.`);
  }
  const resize = flag('do_resize', true) ? size('size', usual.shortest, usual.grows) : null;
  const crop = flag('do_center_crop', usual.crop);
  const last = crop ? size('crop_size', false) : resize;
  if (last !== null && (!Array.isArray(last) || last.some((length) => length !== side))) {
    throw bad(`pictures become ${[last].flat().join(' × ')} pixels, but the model reads ${side} × ${side}`);
  }
  const scale = flag('do_rescale', true) ? json.rescale_factor ?? 1 / 255 : 1;
  if (!(scale > 0 && scale < Infinity)) throw bad(`expected ‘rescale_factor’ to be a positive number, got ${scale}`);
  const isNormalized = flag('do_normalize', true);
  const deviation = isNormalized ? colors('image_std', usual.deviation) : [1, 1, 1];
  if (!deviation.every((value) => value > 0)) throw bad('expected positive numbers at ‘image_std’');
  return { side, patch, columns, leading: config.vocabulary - columns ** 2, resize, filter, crop, scale,
    mean: isNormalized ? colors('image_mean', usual.mean) : [0, 0, 0], deviation };
}

/**
 * A size of the processor: a number, { height, width } or { shortest_edge }.
 * @param {unknown} value @param {boolean} isShortest  whether a number is the length of the shorter side
 * @param {(what: string) => HeedError} bad @returns {[number, number] | number}
 */
function sizeOf(value, isShortest, bad) {
  const sides = isShortest ? { shortest_edge: value } : { height: value, width: value };
  const { height, width, shortest_edge: shortest } =
    /** @type {any} */ (typeof value === 'number' ? sides : value ?? {});
  const lengths = shortest === undefined ? [height, width] : [shortest];
  if (!lengths.every((length) => Number.isInteger(length) && length >= 1 && length <= MOST_SIDE)) {
    throw bad(`must be a size from 1 to ${MOST_SIDE} pixels, not ${quoted(JSON.stringify(value))}`);
  }
  return shortest === undefined ? [height, width] : shortest;
}
