/** Writes a model with new weights in the form of GGUF or of Hugging Face. */
import { HeedError, quoted } from '../../errors.js';
import { checkWeights } from '../../files/families.js';
import { ARCHITECTURES, placeInGguf } from '../../files/families/architectures.js';
import { differenceOf, isClose } from '../../files/families/difference.js';
import { YARN } from '../../files/families/gguf.js';
import { FILE_TYPES, halves, joined, weight } from '../../files/gguf/describe.js';
import { encode } from '../../files/gguf/quantize.js';
import { VALUE_TYPES, uint32, writeGguf } from '../../files/gguf/writer.js';
import { regrouped } from '../../files/safetensors/change.js';
import { configFromHuggingFace } from '../../files/safetensors/config.js';
import { nameOf, placeOf } from '../../files/safetensors/names.js';
import { stackOf } from '../../files/safetensors/stacked.js';
import { writeSafetensors } from '../../files/safetensors/writer.js';
import { isTurned, partsOf } from '../../model/adapter.js';

/**
 * @typedef {import('../../files/model-file.js').ModelFile} ModelFile
 * @typedef {(slot: string) => Float32Array | Promise<Float32Array>} ValueOf  numbers of a weight in the engine's order
 * @typedef {Record<string, Uint8Array<ArrayBuffer>>} Files  bytes by name
 * @typedef {import('../../files/config.js').Config} Config
 */
/** How a class of `transformers` stores weights: names of tensors, and the pairs of rows that RoPE rotates.
 *  @typedef {{ layout: import('../../files/safetensors/names.js').Layout, position?: Config['position'] }} Form */
/** @typedef {{ dtype: string, shape: number[], data: Uint8Array }} Stored */
/** Divisors of RoPE's frequencies; longer: for sessions beyond the first context.
 *  @typedef {{ short: Float32Array, longer?: Float32Array }} Divisors */

/** Settings of the scaling in all Llama 3 models but its factor. */
const LLAMA_3 = { low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192 };

/**
 * Options of a written model.
 * @typedef {object} ModelFormat
 * @property {'gguf' | 'safetensors'} [format]  file format; default: that of the source
 * @property {'f32' | 'f16' | 'q8_0'} [type]    number type of the matrices; default 'q8_0' for GGUF. Safetensors files
 *   cannot hold quantized types, so their default is 'f16'
 */

/** Number types of the matrices of a file. */
export const MODEL_TYPES = Object.freeze({ gguf: ['f32', 'f16', 'q8_0'], safetensors: ['f32', 'f16'] });

/**
 * A model as files: model.gguf, or model.safetensors with config.json.
 * @param {ModelFile} file  the model whose weights are replaced
 * @param {ValueOf} valueOf
 * @param {ModelFormat} [options]
 * @param {Divisors} [divisors]  divisors of a GGUF file that has them
 * @returns {Promise<Files>}
 * @throws {HeedError} 'bad-argument', 'unsupported'
 */
export async function modelFiles(file, valueOf, options = {}, divisors) {
  const { format, type } = formatOf(file, options);
  if (format === 'gguf') return { 'model.gguf': await ggufOf(file, valueOf, type ?? 'q8_0', divisors) };
  const { json, form } = configOf(file, divisors);
  return {
    'model.safetensors': await safetensorsOf(file, valueOf, form, type === 'f32' ? 'F32' : 'F16'),
    'config.json': new TextEncoder().encode(`${JSON.stringify(json, null, 2)}\n`),
  };
}

/**
 * The checked format of a written model.
 * @param {ModelFile} file @param {ModelFormat} options
 * @returns {ModelFormat & { format: 'gguf' | 'safetensors' }}
 * @throws {HeedError} 'bad-argument', 'unsupported'
 */
export function formatOf(file, { format = file.format, type }) {
  const { name, architecture } = file;
  if (format !== 'gguf' && format !== 'safetensors') {
    throw new HeedError('bad-argument', `Expected format to be gguf or safetensors, got ${quoted(format)}.`);
  }
  const types = MODEL_TYPES[format];
  if (type !== undefined && !types.includes(type)) {
    throw new HeedError('bad-argument', `Expected type to be one of ${types.join(', ')} for ${format}, got ` +
      `${quoted(type)}.`);
  }
  if (format === 'gguf' && (file.format !== 'gguf' || !file.types)) {
    throw new HeedError('unsupported', `${quoted(name)} is a safetensors file, whose tokenizer has no GGUF metadata. ` +
      'Write format: ‘safetensors’, or take the GGUF file of the model.');
  }
  if (format === 'gguf' && !Object.hasOwn(ARCHITECTURES, architecture)) {
    throw new HeedError('unsupported', `${quoted(name)} is a ${architecture} model, whose weights heed does not ` +
      `write to GGUF again. heed writes ${Object.keys(ARCHITECTURES).join(', ')}.`);
  }
  return { format, ...(type && { type }) };
}

/** The metadata of the source, and its weights in another type.
 *  @param {ModelFile} file @param {ValueOf} valueOf @param {'f32' | 'f16' | 'q8_0'} type
 *  @param {Divisors} [divisors] */
async function ggufOf({ architecture, config, metadata, types, tensors }, valueOf, type, divisors) {
  const names = new Set(tensors.map((tensor) => tensor.name));
  const has = (/** @type {string} */ slot) => names.has(`blk.0.${slot}`);
  const isComputed = metadata[`${architecture}.rope.scaling.type`] === 'yarn' || divisors?.longer !== undefined;
  /** @type {Map<string, { slots: string[], shape: number[] }>} */
  const groups = new Map();
  for (const { name: slot, shape } of tensors) {
    if (isComputed && slot === 'rope_freqs.weight') continue;
    const place = placeInGguf(slot, { architecture, experts: config.experts ?? 0, has });
    const slots = groups.get(place.name)?.slots ?? [];
    slots[place.at] = slot;
    const [rows, ...columns] = shape;
    groups.set(place.name, { slots, shape: place.isStacked ? [place.of, ...shape] : [place.of * rows, ...columns] });
  }
  /** @type {[name: string, values: Float32Array][]} */
  const frequencies = divisors?.longer
    ? [['rope_factors_long.weight', divisors.longer], ['rope_factors_short.weight', divisors.short]] : [];
  const numbers = Object.entries(VALUE_TYPES);
  const nameOfType = (/** @type {number | undefined} */ type) =>
    /** @type {any} */ (numbers.find(([, number]) => number === type)?.[0]);
  const typed = Object.entries(metadata).map(([key, value]) => {
    const kind = nameOfType(types?.get(key));
    if (typeof value !== 'object' || value === null) return [key, { type: kind, value }];
    return [key, { type: 'array', of: kind, value: Array.from(/** @type {any} */ (value)) }];
  });
  return writeGguf({
    metadata: { ...Object.fromEntries(typed), 'general.file_type': uint32(FILE_TYPES[type]) },
    tensors: [...groups].map(([tensor, { slots, shape }]) => {
      const stored = /** @type {'f32'} */ (weight(tensor, shape, () => new Float32Array(0), type).type);
      return { name: tensor, shape, type: stored, data: async () => {
        const parts = [];
        for (const slot of slots) parts.push(await valueOf(slot)); // in the order of the file
        return encode(joined(parts), stored);
      } };
    }).concat(frequencies.map(([tensor, values]) =>
      ({ name: tensor, shape: [values.length], type: 'f32', data: async () => encode(values, 'f32') }))),
  });
}

/**
 * The tensors of a model by Hugging Face's names.  A matrix that is two or three matrices in the other form is divided
 * or joined.
 * @param {ModelFile} file @param {ValueOf} valueOf @param {Form} form @param {'F32' | 'F16'} dtype
 */
async function safetensorsOf({ name, architecture, config, tensors }, valueOf, { layout, position }, dtype) {
  const isNamed = (/** @type {string} */ slot) => nameOf(slot, layout, true) !== slot;
  /** Parts of matrices, by the name of the matrix. @type {Map<string, Map<string, Float32Array>>} */
  const waiting = new Map();
  /** @type {Record<string, Stored>} */
  const stored = {};
  for (const { name: slot, shape: [rows, columns] } of tensors) {
    if (slot === 'rope_freqs.weight') continue; // computed from config.json
    const values = await valueOf(slot);
    const size = columns ?? 1;
    const parts = partsOf(slot, config);
    for (const [i, [part, from]] of parts.entries()) {
      const one = isNamed(part) ? part : part.replace(/attn_[qkv]\./, 'attn_qkv.');
      const bare = nameOf(one, layout, true);
      const place = placeOf(bare, layout);
      if (!place || place === 'ignored') {
        throw new HeedError('unsupported', `${quoted(slot)} of ${quoted(name)} has no name in Hugging Face's ` +
          `${architecture} models. Write format: ‘gguf’.`);
      }
      const found = waiting.get(bare) ?? new Map();
      waiting.set(bare, found.set(part, values.subarray(from * size, (parts[i + 1]?.[1] ?? rows) * size)));
      const wanted = place.slot.split(' ').flatMap((each) => partsOf(each, config).map(([of]) => of));
      if (found.size < wanted.length) continue;
      waiting.delete(bare);
      const whole = joined(wanted.map((of) => /** @type {Float32Array} */ (found.get(of))));
      const ordered = inFileOrder(whole, size, place, config, position);
      const length = whole.length / size;
      const axes = columns !== undefined ? [length, columns] : part.endsWith('_shexp.weight') ? [1, rows] : [length];
      stored[bare] = { dtype, shape: place.transpose ? axes.reverse() : axes,
        data: encode(ordered, dtype === 'F32' ? 'f32' : 'f16') };
    }
  }
  return writeSafetensors(withStacks(stored), { format: 'pt' });
}

/** Matrices of experts as one tensor, where the class stores them so. @param {Record<string, Stored>} stored
 *  @returns {Record<string, Stored>} */
function withStacks(stored) {
  /** @type {Record<string, Stored[]>} */
  const stacks = {};
  const others = Object.entries(stored).filter(([name, tensor]) => {
    const stack = stackOf(name);
    if (stack) (stacks[stack.name] ??= [])[stack.at] = tensor;
    return !stack;
  });
  return { ...Object.fromEntries(others), ...Object.fromEntries(Object.entries(stacks).map(([name, all]) => {
    const [{ dtype, shape, data: { length } }] = all;
    const data = new Uint8Array(all.length * length);
    for (const [expert, one] of all.entries()) data.set(one.data, expert * length);
    return [name, { dtype, shape: [all.length, ...shape], data }];
  })) };
}

/** Numbers in the order of Hugging Face's files, which `placeOf` describes.
 *  @param {Float32Array} values @param {number} columns  1 for a vector
 *  @param {import('../../files/safetensors/names.js').Slot} place @param {Config} config
 *  @param {Form['position']} position */
function inFileOrder(values, columns, { slot, transpose, change }, config, position) {
  const rows = values.length / columns;
  if (position === 'rope_halves' && isTurned(slot, config)) return halves(values, [rows, columns], config.d_head);
  if (transpose) return transposed(values, rows, columns);
  if (change === 'ungroup') return regrouped(values, config);
  return change === 'add one' ? values.map((x) => x - 1) : values;
}

/** @param {Float32Array} x  [rows][columns] @param {number} rows @param {number} columns @returns {Float32Array} */
export function transposed(x, rows, columns) {
  const out = new Float32Array(x.length);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) out[c * rows + r] = x[r * columns + c];
  return out;
}

/**
 * config.json of a model, read back.
 * @param {ModelFile} file @param {Divisors} [divisors]
 * @returns {{ json: object, form: Form }}
 * @throws {HeedError} 'unsupported' if no class of `transformers` has the settings
 */
function configOf(file, divisors) {
  const { architecture, config, metadata, tensors, name } = file;
  const own = metadata['config.json'];
  if (own) return { json: own, form: formOf(configFromHuggingFace(own, name)) };
  if (!Object.hasOwn(ARCHITECTURES, architecture)) {
    throw new HeedError('unsupported', `${quoted(name)} is a ${architecture} model, for which config.json is not ` +
      `written. heed writes it for ${Object.keys(ARCHITECTURES).join(', ')}.`);
  }
  const slots = new Set(tensors.map((tensor) => tensor.name));
  const number = (/** @type {string} */ key) =>
    (metadata[key] === undefined ? undefined : Number(metadata[key]));
  const { type, name: className, json } = ARCHITECTURES[architecture].of(config);
  /** @type {Record<string, any>} */
  const settings = rounded({
    model_type: type,
    architectures: [className],
    ...json({ config, has: (slot) => slots.has(`blk.0.${slot}`), setting: (key) => number(`${architecture}.${key}`) }),
    ...(slots.has('rope_freqs.weight') && scalingOf(file, divisors)),
    tie_word_embeddings: !slots.has('output.weight'),
    bos_token_id: number('tokenizer.ggml.bos_token_id'),
    eos_token_id: number('tokenizer.ggml.eos_token_id'),
  });
  const usual = configFromHuggingFace(settings, 'config.json');
  // The usual factor follows from other settings of the scaling.
  const { rope_magnitude: factor = 0 } = config;
  const isUsual = isClose(factor || 1, usual.config.rope_magnitude || 1);
  if (!isUsual && settings.rope_scaling) {
    settings.rope_scaling = rounded({ ...settings.rope_scaling, attention_factor: factor });
  }
  const read = isUsual ? usual : configFromHuggingFace(settings, 'config.json');
  needSameModel(file, read, divisors);
  return { json: settings, form: formOf(read) };
}

/** @param {import('../../files/safetensors/config.js').Architecture} read @returns {Form} */
const formOf = ({ layout, config: { position } }) => ({ layout, position });

/** @param {ModelFile} file @param {import('../../files/safetensors/config.js').Architecture} read
 *  @param {Divisors} [divisors] */
function needSameModel({ name, config, tensors }, read, divisors) {
  const type = read.family.name;
  const position = config.position === 'rope_adjacent' && read.config.position === 'rope_halves' ? 'rope_halves'
    : config.position;
  const difference = differenceOf({ ...config, position }, read.config);
  if (difference) {
    const { key, wanted, got } = difference;
    throw new HeedError('unsupported', `${quoted(name)} has ${key} ${wanted}, but config.json of a ${type} model ` +
      `would mean ${got}, because its class has no key for it. Write format: ‘gguf’.`);
  }
  const { rope, layout, family, said, tied } = read;
  /** @typedef {Float32Array | null | undefined} List */
  const same = (/** @type {List} */ one, /** @type {List} */ two) => (one?.length ?? 0) === (two?.length ?? 0) &&
    (one ?? []).every((divisor, i) => isClose(divisor, two?.[i] ?? 0));
  if (!same(divisors?.short, rope?.divisors) || !same(divisors?.longer, rope?.longer)) throw noSettings(name);
  const slots = tensors.flatMap(({ name: slot }) => partsOf(slot, config).map(([part]) => part))
    .filter((slot) => slot !== 'rope_freqs.weight');
  checkWeights(slots, { family, layers: config.layers, said, tied, name,
    nameOf: (slot) => nameOf(slot, layout, true) });
}

/** @param {string} name */
const noSettings = (name) => new HeedError('unsupported', `config.json cannot be written for ${quoted(name)}, ` +
  'because its RoPE frequencies would need the original settings. Write format: ‘gguf’.');

/**
 * The scaling of RoPE that gives the divisors of a file.
 * @param {ModelFile} file @param {Divisors} [divisors]
 * @returns {Record<string, unknown>}
 */
function scalingOf({ name, architecture, metadata }, divisors) {
  const setting = (/** @type {string} */ key) => metadata[`${architecture}.${key}`];
  if (setting('rope.scaling.type') === 'yarn') {
    const given = Object.entries(YARN).flatMap(([key, from]) =>
      (setting(from) === undefined ? [] : [[key, setting(from)]]));
    return { rope_scaling: { rope_type: 'yarn', ...Object.fromEntries(given) } };
  }
  if (!divisors) throw noSettings(name);
  const { short, longer } = divisors;
  if (!longer) return { rope_scaling: { rope_type: 'llama3', factor: Math.max(...short), ...LLAMA_3 } };
  return { original_max_position_embeddings: setting('rope.scaling.original_context_length'),
    rope_scaling: { type: 'longrope', short_factor: Array.from(short), long_factor: Array.from(longer) } };
}

/** Numbers in their shortest form, because GGUF has float32.
 *  @template {Record<string, any>} T @param {T} settings @returns {T} */
const rounded = (settings) => JSON.parse(JSON.stringify(settings, (_, value) =>
  (typeof value === 'number' && !Number.isInteger(value) ? shortest(value) : value)));

/** The shortest decimal number with the same float32. @param {number} x */
function shortest(x) {
  const digits = Array.from({ length: 9 }, (_, i) => Number(x.toPrecision(i + 1)));
  return digits.find((one) => Math.fround(one) === Math.fround(x)) ?? x;
}
