/** Chooses the files of a model from a repository or a folder. */
import { MEMORY64_LIMIT, whyNotMemory64 } from '../../memory64.js';
import { HeedError, quoted } from '../../errors.js';
import { BESIDE } from '../beside.js';
import { DTYPES } from '../dtypes.js';

/**
 * @template {{ path: string, bytes: number }} F
 * @typedef {{ weights: F[], beside: Record<string, F> }} Choice  beside: other files of the model, by their names in
 *   a source of `load`
 */

/** Weight types in the order of preference: 4 bits first, because they fit into a tab and lose little. */
export const PRECISIONS = Object.freeze(['Q4_K_M', 'Q4_0', 'Q4_K_S', 'IQ4_NL', 'IQ4_XS', 'Q4_1', 'Q5_K_M', 'Q5_K_S',
  'Q5_0', 'Q5_1', 'Q8_0', 'Q6_K', 'Q3_K_L', 'Q3_K_M', 'Q3_K_S', 'Q2_K', 'F16', 'BF16', 'F32']);

/** Paths of files beside the weights that are in subfolders. */
export const NESTED = Object.freeze(Object.values(BESIDE).filter((path) => path.includes('/')));

/** Bytes that 32-bit WebAssembly addresses.  A file within it is preferred. */
const MEMORY_BYTES = 2 ** 32;

/** A part of a split file: name-00001-of-00003.gguf. */
const PART = /-(\d{5})-of-(\d{5})(?=\.(?:gguf|safetensors)$)/i;
const TYPE = /(?:^|[-._/])([it]?q\d\w*|b?f16|f32|fp16|fp32|mxfp4)(?=[-./]|$)/gi;
/** Files beside a model that are not models: projectors of images, statistics, adapters. */
const OTHER = /mmproj|imatrix|(^|[-_./])(lora|adapter)/i;

/**
 * The files of a model.
 * @template {{ path: string, bytes: number }} F
 * @param {F[]} files
 * @param {{ precision?: string, quantize?: string, memory64?: boolean, name: string }} wanted  precision: undefined for
 *   the first that fits; quantize, memory64: options of `load`; name: of the repository, for messages
 * @returns {Choice<F>}
 * @throws {HeedError} 'unavailable' if a file is missing, 'bad-source' if several fit, 'too-large'
 */
export function pickFiles(files, { precision, name, ...options }) {
  const models = ggufModels(files);
  if (models.length > 0) return pickGguf(models, precision?.toUpperCase(), options, name);
  const choice = pickSafetensors(files, name);
  if (precision !== undefined) {
    throw new HeedError('unavailable', `${quoted(name)} has no GGUF file of ${precision}. Load it without ‘:` +
      `${precision}’, and convert its safetensors by quantize.`);
  }
  needFits({ bytes: sumOf(choice.weights), precision: 'F16', ...options, name });
  return choice;
}

/**
 * @template {{ path: string, bytes: number }} F
 * @typedef {{ parts: F[], path: string, precision: string, bytes: number }} GgufModel
 */

/** The GGUF models among files; the parts of a split file are one model.
 *  @template {{ path: string, bytes: number }} F @param {F[]} files @returns {GgufModel<F>[]} */
function ggufModels(files) {
  /** @type {Map<string, F[]>} */
  const byPath = new Map();
  for (const file of files) {
    if (!/\.gguf$/i.test(file.path) || OTHER.test(file.path)) continue;
    const path = file.path.replace(PART, '');
    byPath.set(path, [...(byPath.get(path) ?? []), file]);
  }
  return [...byPath].map(([path, parts]) => ({
    parts: parts.sort((a, b) => (a.path < b.path ? -1 : 1)),
    path,
    precision: precisionOf(path),
    bytes: sumOf(parts),
  }));
}

/** The weight type in the name of a file, or ''. @param {string} path */
export function precisionOf(path) {
  const found = [...path.replace(/\.gguf$/i, '').matchAll(TYPE)].at(-1)?.[1].toUpperCase() ?? '';
  return found.replace('FP', 'F');
}

/** @template {{ path: string, bytes: number }} F @param {GgufModel<F>[]} models @param {string | undefined} precision
 *  @param {{ quantize?: string, memory64?: boolean }} options @param {string} name @returns {Choice<F>} */
function pickGguf(models, precision, options, name) {
  const last = PRECISIONS.length;
  const rank = (/** @type {string} */ type) => (PRECISIONS.includes(type) ? PRECISIONS.indexOf(type) : last);
  const inOrder = [...models].sort((a, b) => rank(a.precision) - rank(b.precision) || a.bytes - b.bytes);
  const wanted = precision ?? (inOrder.find(({ bytes }) => bytes <= MEMORY_BYTES) ?? inOrder[0]).precision;
  const of = models.filter((model) => model.precision === wanted);
  const list = inOrder.map((model) => model.precision || model.path).join(', ');
  if (of.length === 0) {
    throw new HeedError('unavailable', `${quoted(name)} has no GGUF file of ${wanted}. It has ${list}.`);
  }
  if (of.length > 1) {
    const place = precision === undefined ? name : name.slice(0, name.lastIndexOf(':'));
    throw new HeedError('bad-source', `${quoted(name)} has ${of.length} GGUF files of ${wanted || 'unknown types'}: ` +
      `${of.map(({ path }) => quoted(path)).join(', ')}. Name one: ${quoted(`${place}/${of[0].parts[0].path}`, 200)}.`);
  }
  const [model] = of;
  const smaller = inOrder.find(({ bytes }) => bytes <= MEMORY_BYTES);
  needFits({ bytes: model.bytes, precision: model.precision, ...options, name, smaller });
  const parts = Number(PART.exec(model.parts[0].path)?.[2] ?? 1);
  if (model.parts.length !== parts) {
    throw new HeedError('unavailable', `${quoted(name)} has ${model.parts.length} of the ${parts} parts of ` +
      `${quoted(model.path)}.`);
  }
  return { weights: model.parts, beside: {} };
}

/** @template {{ path: string, bytes: number }} F @param {F[]} files @param {string} name @returns {Choice<F>} */
function pickSafetensors(files, name) {
  const named = (/** @type {string} */ path) => files.find((file) => file.path === path);
  const index = named('model.safetensors.index.json');
  const all = files.filter(({ path }) => /^[^/]+\.safetensors$/.test(path) && !OTHER.test(path));
  const shards = all.filter(({ path }) => PART.test(path));
  const weights = index && shards.length > 0 ? [index, ...shards] : [named('model.safetensors') ?? all[0]];
  const beside = Object.fromEntries(Object.entries(BESIDE).flatMap(([key, path]) => {
    const file = named(path);
    return file ? [[key, file]] : [];
  }));
  if (weights[0] === undefined || beside.config === undefined) {
    throw new HeedError('unavailable', `${quoted(name)} has no model that heed reads: no GGUF file, and ` +
      `${weights[0] === undefined ? 'no safetensors' : 'no config.json beside its safetensors'}.`);
  }
  return { weights, beside };
}

/** The chosen files as an array of weights or as a set, each in the form that `to` gives it.
 *  @template {{ path: string, bytes: number }} F @param {Choice<F>} choice
 *  @param {(file: F) => any} to */
export function setOf({ weights, beside }, to) {
  const others = Object.entries(beside).map(([key, file]) => [key, to(file)]);
  return others.length === 0 ? weights.map(to) : { weights: weights.map(to), ...Object.fromEntries(others) };
}

/** @param {{ bytes: number }[]} files */
const sumOf = (files) => files.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Refuses weights that cannot fit into WebAssembly's memory, before they are downloaded.
 * @param {{ bytes: number, precision: string, quantize?: string, memory64?: boolean, name: string,
 *   smaller?: { precision: string, bytes: number } }} file  smaller: a file of the same repository that fits
 * @throws {HeedError} 'too-large'
 */
export function needFits({ bytes, precision, quantize, memory64 = true, name, smaller }) {
  const needed = bytes * factorOf(precision, quantize);
  const obstacle = memory64 ? whyNotMemory64() : 'memory64 is false';
  if (needed <= (obstacle ? MEMORY_BYTES : MEMORY64_LIMIT)) return;
  const fewest = bytes * factorOf(precision, 'q4_0');
  const advice = smaller ? `Load ‘:${smaller.precision}’ instead (${gigabytes(smaller.bytes)}).`
    : fewest > 0 && fewest <= MEMORY_BYTES ? 'Load it with quantize: ‘q4_0’.' : 'Load a smaller model.';
  const limit = obstacle ? `4 GB here, because ${obstacle}` : '16 GB';
  throw new HeedError('too-large', `The weights of ${quoted(name)} need ${gigabytes(needed)} of memory; WebAssembly ` +
    `has at most ${limit}. Nothing was downloaded. ${advice}`);
}

/** Bytes in memory per byte of the file, if `quantize` converts it.
 *  @param {string} precision @param {string} [quantize] */
function factorOf(precision, quantize) {
  const to = DTYPES_BY_NAME.get(quantize?.toUpperCase() ?? '');
  const from = DTYPES_BY_NAME.get(precision);
  if (!to) return 1;
  return from ? (to.bytes / to.elements) / (from.bytes / from.elements) : 0; // the engine checks the converted weights
}

const DTYPES_BY_NAME = new Map(Object.values(DTYPES).map((type) => [type.name, type]));

const gigabytes = (/** @type {number} */ bytes) => `${(bytes / 2 ** 30).toFixed(1)} GB`;
