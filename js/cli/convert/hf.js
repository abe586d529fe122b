// Hugging Face folder (config.json, tokenizer.json, safetensors) → GGUF. ARCHITECTURES lists the families.
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { HeedError, quoted } from '../../errors.js';
import { checkWeights } from '../../files/families.js';
import { ARCHITECTURES, placeInGguf } from '../../files/families/architectures.js';
import { differenceOf } from '../../files/families/difference.js';
import { describe } from '../../files/families/gguf.js';
import { adjacentPairs, joined, modelMetadata, weight } from '../../files/gguf/describe.js';
import { float32, string, uint32 } from '../../files/gguf/writer.js';
import { parseJson } from '../../files/json.js';
import { ungrouped } from '../../files/safetensors/change.js';
import { configFromHuggingFace } from '../../files/safetensors/config.js';
import { nameOf, placeOf } from '../../files/safetensors/names.js';
import { matrixNames } from '../../files/safetensors/stacked.js';
import { hfTokenizerMetadata } from './hf-tokenizer.js';
import { poolingOfFolder } from './pooling.js';
import { readSafetensors } from './safetensors.js';

/** @typedef {import('./safetensors.js').StoredTensor} StoredTensor */
/** @typedef {import('../../files/gguf/quantize.js').TypeName} TypeName */
/** @typedef {import('../../files/gguf/writer.js').Metadata} Metadata */
/** @typedef {import('../../files/config.js').Config} Config */
/** @typedef {import('../../files/safetensors/config.js').Architecture} Model */
/** A weight of the engine, with its numbers in GGUF's order. @typedef {StoredTensor & { slot: string }} Weight */

/**
 * @param {string} folder
 * @param {object} [options]
 * @param {TypeName} [options.type] of the matrices; default: their types in the folder
 * @param {Record<string, string>} [options.general] texts for `general.*`
 * @param {string} [options.pre] name of the pre-tokenizer if it cannot be recognized
 * @returns {Promise<import('../../files/gguf/writer.js').GgufContent>}
 * @throws {HeedError} 'unsupported', 'bad-tensor', 'bad-config', 'bad-file'
 */
export async function convertHf(folder, { type, general = {}, pre } = {}) {
  const json = parseJson(await readFile(join(folder, 'config.json')), 'config.json', 'a config.json');
  const model = configFromHuggingFace(json, 'config.json');
  const { family, config } = model;
  if (!Object.hasOwn(ARCHITECTURES, family.name)) {
    throw new HeedError('unsupported', `${quoted(folder)} is a ${family.name} model, which is not converted. heed ` +
      `converts ${Object.keys(ARCHITECTURES).join(', ')}.`);
  }
  if (turnsPairs(family, config) && config.rope_dims !== config.d_head) {
    throw new HeedError('unsupported', `${quoted(folder)} rotates a part of each head (RoPE), which is not converted ` +
      `for ${family.name} models.`);
  }
  const tensors = withNames(await readWeights(folder, model), model)
    .map(({ slot, shape, load, type: stored }) => weight(slot, shape, load, type ?? stored));
  const matrices = type ?? /** @type {TypeName} */ (tensors.find(({ name }) => name === 'token_embd.weight')?.type);
  const pooling = await poolingOfFolder(folder, model, type);
  const content = {
    metadata: {
      ...modelMetadata(sizesOf(model, json), matrices),
      ...settingsOf(model, json, pooling.settings),
      'general.name': string(basename(resolve(folder))),
      ...Object.fromEntries(Object.entries(general).map(([key, text]) => [`general.${key}`, string(text)])),
    },
    tensors: [...tensors, ...factors(model), ...pooling.tensors],
  };
  await checkReadBack(content, model, folder);
  return { ...content, metadata: { ...content.metadata, ...await hfTokenizerMetadata(folder, json, pre) } };
}

/** @param {Model} model @param {Record<string, any>} json
 *  @returns {import('../../files/gguf/describe.js').Architecture} */
function sizesOf({ family, config }, json) {
  const rope = config.position.startsWith('rope');
  return {
    architecture: family.name, norm: config.norm, layers: config.layers, heads: config.heads, kvHeads: config.kv_heads,
    dModel: config.d_model, dHead: config.d_head,
    dFf: config.experts ? json.intermediate_size ?? config.d_ff : config.d_ff, // d_ff is the width of an expert
    vocabulary: config.vocabulary, contextLength: config.context_length, normEps: config.norm_eps,
    window: config.window,
    ...(rope && { rope: { base: config.rope_theta, dims: config.rope_dims,
      ...(config.rope_scale !== 1 && { scale: config.rope_scale }) } }),
  };
}

/** Settings of the architecture, and of YaRN and LongRoPE. @param {Model} model @param {Record<string, any>} json
 *  @param {Metadata} more  further settings @returns {Metadata} */
function settingsOf({ family, config, rope: scaling }, json, more) {
  const settings = { ...ARCHITECTURES[family.name].settings?.(config), ...more };
  const { rope_magnitude: magnitude = 1 } = config;
  const yarn = yarnOf(json);
  if (yarn) {
    const { factor, original_max_position_embeddings: context = config.context_length, beta_fast, beta_slow } = yarn;
    Object.assign(settings, {
      'rope.scaling.type': string('yarn'),
      'rope.scaling.factor': float32(factor),
      'rope.scaling.original_context_length': uint32(context),
      ...(beta_fast !== undefined && { 'rope.scaling.yarn_beta_fast': float32(beta_fast) }),
      ...(beta_slow !== undefined && { 'rope.scaling.yarn_beta_slow': float32(beta_slow) }),
      ...('attention_factor' in yarn && // llama.cpp multiplies it by YaRN's own factor
        { 'rope.scaling.attn_factor': float32(magnitude / (0.1 * Math.log(factor) + 1)) }),
    });
  } else if (scaling?.longer) {
    Object.assign(settings, {
      'rope.scaling.attn_factor': float32(magnitude),
      'rope.scaling.original_context_length': uint32(/** @type {number} */ (scaling.shortContext)),
    });
  }
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [`${family.name}.${key}`, value]));
}

/** The YaRN settings of config.json, or null. @param {Record<string, any>} json
 *  @returns {Record<string, any> | null} */
function yarnOf(json) {
  const scaling = json.rope_parameters ?? json.rope_scaling;
  return (scaling?.rope_type ?? scaling?.type) === 'yarn' ? scaling : null;
}

/** Divisors of RoPE's frequencies, which are not in the folder. @param {Model} model */
function factors({ rope, config }) {
  const { divisors, longer } = rope ?? {};
  const factor = (/** @type {string} */ name, /** @type {Float32Array} */ values) =>
    weight(name, [values.length], () => values, 'f32');
  if (!divisors) return [];
  if (longer) return [factor('rope_factors_long.weight', longer), factor('rope_factors_short.weight', divisors)];
  return config.rope_magnitude ? [] : [factor('rope_freqs.weight', divisors)]; // YaRN has settings
}

/**
 * The weights of a folder by the engine's names.
 * @param {string} folder @param {Model} model
 * @returns {Promise<Weight[]>}
 */
async function readWeights(folder, model) {
  const { family, layout, config, said, tied } = model;
  /** @type {Weight[]} */
  const weights = [];
  const stored = Object.entries(await readTensors(folder)).flatMap((entry) => matricesOf(entry, config.experts));
  for (const [source, tensor] of stored) {
    const place = placeOf(source, layout);
    if (!place) {
      throw new HeedError('bad-tensor', `The tensor ${quoted(source)} has no place in a ${family.name} model.`);
    }
    if (place === 'ignored' || (place.slot === 'output.weight' && tied)) continue;
    weights.push(...halvesOf({ slot: place.slot, ...arranged(place, tensor, model) }, model));
  }
  checkWeights(weights.flatMap(({ slot }) => slot.split(' ')), {
    family, layers: config.layers, said, tied, name: folder, nameOf: (slot) => nameOf(slot, layout, true),
  });
  return weights;
}

/** The matrices of a tensor if it holds all experts, or the tensor.
 *  @param {[name: string, tensor: StoredTensor]} entry @param {number} [experts]
 *  @returns {[name: string, tensor: StoredTensor][]} */
function matricesOf([source, { shape: whole, type, load }], experts = 0) {
  const [, ...shape] = whole;
  const names = matrixNames({ name: source, shape: whole }, experts);
  return names.length === 0 ? [[source, { shape: whole, type, load }]] : names.map((name, expert) =>
    [name, { shape, type, load: (at = 0, of = 1) => load(expert * of + at, experts * of) }]);
}

/** Two weights of a matrix with two slots, where GGUF has two tensors. @param {Weight} weight @param {Model} model
 *  @returns {Weight[]} */
function halvesOf({ slot, shape: [rows, ...columns], ...rest }, { family }) {
  const slots = slot.split(' ');
  if (slots.length === 1 || ARCHITECTURES[family.name].halves) return [{ slot, shape: [rows, ...columns], ...rest }];
  return slots.map((one, half) =>
    ({ ...rest, slot: one, shape: [rows / 2, ...columns], load: () => rest.load(half, 2) }));
}

/** @param {string} folder @returns {Promise<Record<string, StoredTensor>>} of one file or of all shards */
async function readTensors(folder) {
  const index = await readFile(join(folder, 'model.safetensors.index.json'), 'utf8').catch(() => null);
  if (index === null) return readSafetensors(join(folder, 'model.safetensors'));
  const files = [...new Set(/** @type {string[]} */ (Object.values(JSON.parse(index).weight_map)))];
  const shards = await Promise.all(files.map((file) => readSafetensors(join(folder, basename(file)))));
  return Object.assign({}, ...shards);
}

/**
 * Arranges a tensor for GGUF.  Outputs of matrices come first; GPT-2's Conv1D has them last.  Some files store norms
 * without the 1, or queries, keys and values by head.  Where GGUF has interleaved RoPE pairs, rows of q and k change
 * their order.
 * @param {import('../../files/safetensors/names.js').Slot} place @param {StoredTensor} tensor @param {Model} model
 * @returns {StoredTensor}
 */
function arranged({ slot, transpose: turned, change }, { shape, type, load }, { family, config }) {
  if (turned) return { shape: shape.toReversed(), type, load: () => transpose(load(), shape) };
  if (change === 'add one') return { shape, type, load: () => load().map((x) => x + 1) };
  if (change === 'ungroup') return { shape, type, load: () => ungroup(load(), shape, config) };
  if (turnsPairs(family, config) && /attn_[qk]\.(weight|bias)$/.test(slot)) {
    return { shape, type, load: () => adjacentPairs(load(), shape, config.d_head) };
  }
  if (slot.endsWith('_shexp.weight') && shape[0] === 1) return { shape: shape.slice(1), type, load };
  return { shape, type, load };
}

/** Whether GGUF has RoPE over adjacent pairs where the folder has halves.
 *  @param {Model['family']} family @param {Config} config */
const turnsPairs = (family, config) =>
  family.config.position === 'rope_adjacent' && config.position === 'rope_halves';

/** @param {Float32Array} data @param {number[]} shape */
function transpose(data, [rows, columns]) {
  return data.map((_, i) => data[i % rows * columns + Math.floor(i / rows)]);
}

/** @param {Float32Array} data @param {number[]} shape @param {Config} config */
function ungroup(data, shape, config) {
  const { change } = ungrouped({ name: '', dtype: 0, shape, bytes: data.byteLength }, config);
  return change ? new Float32Array(change(new Uint8Array(data.buffer)).buffer) : data;
}

/** The weights by GGUF's names, which has one tensor for all experts of a block.
 *  @param {Weight[]} weights @param {Model} model @returns {Weight[]} */
function withNames(weights, { family, config: { experts = 0 } }) {
  const slots = new Set(weights.map(({ slot }) => slot));
  const has = (/** @type {string} */ slot) => slots.has(`blk.0.${slot}`);
  /** @type {Map<string, Weight[]>} */
  const byName = new Map();
  for (const each of weights) {
    const { name, at } = placeInGguf(each.slot, { architecture: family.name, experts, has });
    const all = byName.get(name) ?? [];
    all[at] = each;
    byName.set(name, all);
  }
  return Array.from(byName, ([slot, all]) => {
    const shape = all.length > 1 ? [all.length, ...all[0].shape] : all[0].shape;
    return { ...all[0], slot, shape, load: () => joined(all.map(({ load }) => load())) };
  });
}

/**
 * Reads the settings of the file back and compares them with the folder. GGUF has no key for some settings, so their
 * values must be the usual ones of the architecture.
 * @param {import('../../files/gguf/writer.js').GgufContent} content @param {Model} model @param {string} folder
 * @throws {HeedError} 'unsupported'
 */
async function checkReadBack({ metadata, tensors }, { family, config, rope }, folder) {
  const read = await describe({
    name: folder,
    metadata: /** @type {import('../../files/gguf/header.js').Metadata} */ (
      Object.fromEntries(Object.entries(metadata).map(([key, { value }]) => [key, value]))),
    placed: tensors.map(({ name, shape }) =>
      ({ start: 0, entry: { name, shape, dtype: 0, bytes: 4 * shape.reduce((product, n) => product * n, 1) } })),
  });
  const position = turnsPairs(family, config) ? family.config.position : config.position;
  const difference = differenceOf({ ...config, position }, read.config);
  if (difference) {
    const { key, wanted, got } = difference;
    throw new HeedError('unsupported', `${quoted(folder)} has ${key} ${wanted}, but a GGUF file of architecture ` +
      `${family.name} would mean ${got}, because GGUF has no key for it.`);
  }
  const divisors = read.computed?.[0].values;
  if (divisors?.some((divisor, i) => divisor !== rope?.divisors?.[i])) {
    throw new HeedError('unsupported', `${quoted(folder)} scales RoPE in a way that GGUF has no keys for.`);
  }
}
