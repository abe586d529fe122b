/** Describes GGUF models of all families; a page fetches this module when a model needs it. */
import { HeedError, quoted } from '../../errors.js';
import { Reader, architectureOf } from '../gguf/config.js';
import { describeAs } from '../gguf/family.js';
import { ROPE_KEYS, checkGgufKeys } from '../gguf/keys.js';
import { withoutDense } from '../dense.js';
import { afterChange, changed, spread } from '../safetensors/change.js';
import { llama } from '../families.js';
import { MAX_EXPERTS, checkExperts, matricesOf } from './experts.js';
import { blockOfPart, lacksFeedForward, partOfBlock } from './parts.js';
import { groupsOf } from './groups.js';
import { halvesOf } from './halves.js';
import { DECODERS } from './index.js';
import { yarn } from './rope.js';

/** @typedef {import('./decoder.js').Decoder} Decoder */

/** Settings of YaRN, by their names in Hugging Face's files. @type {Readonly<Record<string, string>>} */
export const YARN = Object.freeze({
  'factor': 'rope.scaling.factor',
  'original_max_position_embeddings': 'rope.scaling.original_context_length',
  'beta_fast': 'rope.scaling.yarn_beta_fast',
  'beta_slow': 'rope.scaling.yarn_beta_slow',
});
/** Factors of cosines and sines. */
const MAGNITUDES = ['rope.scaling.attn_factor', 'rope.scaling.yarn_attn_factor'];

/**
 * Checks that each setting is known, and that the engine has its value.
 * @param {import('../gguf/config.js').Reader} read @param {import('../config.js').Config} config
 * @param {import('../families.js').Family & { mixture?: boolean }} family
 * @throws {HeedError} 'unsupported'
 */
export function needSame(read, { d_head: dHead }, family) {
  const { keys = {}, own = [], mixture } = family;
  if (!mixture && Number(read.value('expert_count') ?? 0) > 0) throw read.unsupported('is a mixture of experts');
  checkGgufKeys(read.metadata, family, read.name);
  const theta = read.number('rope.freq_base', 10000);
  const dims = read.number('rope.dimension_count', dHead);
  const scale = 1 / Math.sqrt(dHead);
  /** @type {[string, number, string][]} */
  const settings = [
    ['attention.value_length', dHead, 'values of a different width than keys'],
    ['attention.key_length_swa', dHead, 'keys of a different width in some layers'],
    ['attention.value_length_swa', dHead, 'values of a different width in some layers'],
    ['rope.freq_base_swa', theta, 'a different RoPE base in some layers'],
    ['rope.dimension_count_swa', dims, 'a different RoPE width in some layers'],
    ['attention.scale', scale, `scores that are not divided by √${dHead}`],
  ];
  for (const [key, expected, what] of settings) {
    if (keys[key] !== 'applied' || own.includes(key)) continue;
    const value = read.number(key, expected);
    const off = key === 'attention.scale' && value === 0;
    if (off || value === expected || Math.abs(value - expected) <= 1e-6 * expected) continue;
    throw read.unsupported(`has ${what} (${quoted(`${read.architecture}.${key}`)} is ${value})`);
  }
}

/** @type {import('../gguf/family.js').Describe} */
export async function describe({ metadata, placed, name }) {
  const architecture = architectureOf(metadata, name);
  /** @type {Decoder[]} */
  const all = [{ ...llama, keys: ROPE_KEYS }, ...DECODERS.filter(({ hubOnly }) => !hubOnly)];
  // A family refuses a larger number.
  const experts = Math.min(Number(metadata[`${architecture}.expert_count`] ?? 0), MAX_EXPERTS);
  const named = all.filter((family) => family.name === architecture);
  const found = named.find(({ mixture = false }) => mixture === experts > 0) ?? named[0];
  if (!found) {
    throw new HeedError('unsupported', `${quoted(name)} has the architecture ${quoted(architecture)}. heed runs ` +
      `${[...new Set(all.map((family) => family.name))].join(', ')} (with llama: Llama, Mistral, SmolLM2).`);
  }
  const stacks = placed.filter(({ entry }) => entry.name.endsWith('_exps.weight')).length; // three of a block
  if (experts > 0) checkExperts(experts, Math.ceil(stacks / 3), name);
  const decoder = found;
  const names = new Set(placed.map(({ entry }) => entry.name));
  const has = (/** @type {string} */ slot) => names.has(`blk.0.${slot}`);
  const rowsOf = (/** @type {string} */ tensor) =>
    placed.find(({ entry }) => entry.name === tensor)?.entry.shape[0] ?? 0;
  const encoder = decoder.parts ? Number(metadata[`${architecture}.block_count`]) : 0;
  const renamed = placed.flatMap(({ entry, ...rest }) => {
    const length = /^rope_factors_(long|short)\.weight$/.exec(entry.name)?.[1];
    if (length) return { ...rest, entry: { ...entry, name: 'rope_freqs.weight' }, longer: length === 'long' };
    const slot = blockOfPart(slotsOf(decoder, entry.name, has), encoder);
    return slot === '' ? [] : halvesOf({ ...rest, entry: { ...entry, name: slot } })
      .flatMap((one) => matricesOf(one, experts));
  });
  const type = metadata[`${architecture}.rope.scaling.type`];
  const isYarn = type === 'yarn';
  const keys = { ...decoder.keys, ...(isYarn && applied([...Object.values(YARN), ...MAGNITUDES])) };
  if (type !== undefined && !['none', 'linear', 'yarn', 'longrope'].includes(String(type))) {
    throw new HeedError('unsupported', `The ${architecture} model in ${quoted(name)} has ${quoted(type)} RoPE ` +
      'scaling, which heed does not run (it supports none, linear, llama3, yarn and longrope).');
  }
  /** @type {import('./rope.js').Scaling | undefined} */ let scaling;
  const family = { ...decoder, keys, groups: groupsOf(experts) };
  const described = describeAs({ metadata, placed: renamed, name }, family, (read, config) => {
    needSame(read, config, family);
    const special = decoder.gguf?.(read, config, rowsOf) ?? {};
    if (!isYarn) return special;
    /** @type {import('./rope.js').ReadNumber} */
    const number = (key, fallback) => (Object.hasOwn(YARN, key) ? read.number(YARN[key], fallback) : fallback ?? 0);
    const { rope_theta: theta, rope_dims: dims, context_length: context } = config;
    scaling = yarn(number, { theta, dims, context, name });
    const factor = MAGNITUDES.reduce((product, key) => product * read.number(key, 1), 1);
    return { rope_magnitude: factor * (scaling.magnitude ?? 1), ...special };
  }, decoder.parts && {
    lacks: (slot) => lacksFeedForward(slot, encoder),
    nameOf: (slot) => partOfBlock(slot, encoder),
  });
  return {
    ...described,
    ...(decoder.weights.dense && { finish: withoutDense }),
    ...(decoder.parts && partsIn(described, decoder.parts(new Reader(metadata, family, name), described.config))),
    ...(scaling?.divisors && { computed: [{ name: 'rope_freqs.weight', values: scaling.divisors }] }),
    shortContext: Number(metadata[`${architecture}.rope.scaling.original_context_length`] ?? Infinity),
  };
}

/** An encoder–decoder: its parts, and its relative biases by distance.
 *  @param {import('../gguf/family.js').Description} described @param {import('./parts.js').Parts} parts */
const partsIn = ({ config, placed }, parts) => ({
  finish: (/** @type {import('../model-file.js').ModelFile} */ file) => ({ ...file, parts,
    tensors: file.tensors.map(afterChange),
    weights: (/** @type {number | undefined} */ positions) => changed(file.weights(positions)) }),
  placed: placed.map(({ entry, ...rest }) => ({ ...rest,
    entry: entry.name.endsWith('attn_rel_b.weight') ? spread(entry, config, parts.buckets) : entry })),
});

/** @param {string[]} keys @returns {Record<string, 'applied'>} */
const applied = (keys) => Object.fromEntries(keys.map((key) => [key, /** @type {const} */ ('applied')]));

/** The engine's names of a tensor, with spaces.
 *  @param {Decoder} decoder @param {string} name @param {(name: string) => boolean} has */
function slotsOf(decoder, name, has) {
  const [, block = '', slot = name] = /^(blk\.\d+\.)(.+)$/.exec(name) ?? [];
  return (decoder.slots?.(slot, has) ?? [slot]).map((one) => block + one).join(' ');
}
