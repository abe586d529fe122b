/** How sentence-transformers makes one vector of a text: modules.json, 1_Pooling/config.json, Dense layers. */
import { HeedError, quoted } from '../errors.js';
import { BESIDE } from './beside.js';
import { readDense } from './dense.js';
import { readJson } from './json.js';

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./dense.js').Dense} Dense */
/**
 * The pooling of a file.  mode: null if the file does not say it, or if heed does not compute it.  other: what heed
 * does not compute, for messages.  dense: layers after it.
 * @typedef {{ mode: 'mean' | 'cls' | 'last' | null, other: string | null, dense?: Dense[] }} Pooling
 */

/** Largest size of each of these files. */
const MAX_BYTES = 1 << 20;
/** Flags of 1_Pooling/config.json with their modes.  @type {readonly [flag: string, mode: Pooling['mode']][]} */
export const FLAGS = [['pooling_mode_cls_token', 'cls'], ['pooling_mode_mean_tokens', 'mean'],
  ['pooling_mode_lasttoken', 'last']];
/** Modes by values of `pooling_mode`, which older files write as flags.
 *  @type {Map<unknown, Pooling['mode']>} */
const MODES = new Map([['mean', 'mean'], ['cls', 'cls'], ['lasttoken', 'last'], ...FLAGS]);
/** Modules that heed computes, and their order; `embed` normalizes by its own option. */
const MODULES = /^(Transformer|Pooling|Dense|Normalize)$/;
const ORDER = /^(Transformer( Pooling)?( Dense)*( Normalize)?)?$/;

/** @param {string} what @returns {Pooling} */
const unsupported = (what) => ({ mode: null, other: what });

/**
 * @param {Record<string, any>} files  by their names in a source of `load`
 * @param {number} width  of the vectors of tokens
 * @param {AbortSignal | null | undefined} signal
 * @returns {Promise<Pooling | null>} null: the files do not say it
 * @throws {HeedError} 'bad-file', 'bad-tensor', 'truncated', 'too-large', and the errors of the sources
 */
export async function readPooling({ modules, pooling, ...files }, width, signal) {
  const list = modules === undefined ? []
    : await readObject(modules, 'a modules.json of sentence-transformers', signal);
  const all = (Array.isArray(list) ? /** @type {any[]} */ (list) : [])
    .map((module) => ({ kind: String(module?.type).replace(/^.*\./, ''), path: module?.path }));
  const fileOf = (/** @type {string} */ path) =>
    files[Object.entries(BESIDE).find(([, one]) => one === path)?.[0] ?? ''];
  /** @type {Dense[]} */
  const dense = [];
  for (const { kind, path } of all) {
    if (!MODULES.test(kind)) return unsupported(`the module ${quoted(kind)}`);
    if (kind !== 'Dense') continue;
    const [config, weights] = ['config.json', 'model.safetensors'].map((name) => fileOf(`${path}/${name}`));
    if (!config || !weights) return unsupported(`the module ‘Dense’ in ${quoted(path)}, whose files are not given`);
    const settings = await readObject(config, 'a config.json of the module Dense', signal);
    const layer = await readDense(settings, weights, width, signal);
    if (typeof layer === 'string') return unsupported(layer);
    dense.push(layer);
    width = layer.weight.length / width;
  }
  const order = all.map(({ kind }) => kind).join(' ');
  if (!ORDER.test(order)) return unsupported(`modules in the order ${quoted(order)}`);
  const mode = pooling === undefined ? null : await readMode(pooling, signal);
  return dense.length === 0 ? mode : { mode: null, other: null, ...mode, dense };
}

/** @param {Source | object} pooling @param {AbortSignal | null | undefined} signal
 *  @returns {Promise<Pooling | null>} */
async function readMode(pooling, signal) {
  const config = await readObject(pooling, 'a 1_Pooling/config.json of sentence-transformers', signal);
  const flags = Object.keys(config).filter((key) => key.startsWith('pooling_mode_') && config[key] === true);
  const modes = config.pooling_mode === undefined ? flags : [config.pooling_mode].flat();
  const mode = modes.length === 1 ? MODES.get(modes[0]) : undefined;
  if (mode) return { mode, other: null };
  return modes.length === 0 ? null : unsupported(modes.map((one) => quoted(one)).join(' and '));
}

/** @param {Source | object} source @param {string} what @param {AbortSignal | null | undefined} signal
 *  @returns {Promise<Record<string, unknown>>} */
async function readObject(source, what, signal) {
  const { json, name } = await readJson(source, { limit: MAX_BYTES, what, signal });
  if (typeof json === 'object' && json !== null) return /** @type {Record<string, unknown>} */ (json);
  throw new HeedError('bad-file', `Expected ${quoted(name)} to be ${what}, got ${quoted(JSON.stringify(json))}.`);
}
