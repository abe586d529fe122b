/** How sentence-transformers makes one vector of a text: modules.json and 1_Pooling/config.json. */
import { HeedError, quoted } from '../errors.js';
import { readJson } from './json.js';

/** @typedef {import('./source.js').Source} Source */
/**
 * The pooling of a file.  mode: null if heed does not compute it; other: what it is then, for messages.
 * @typedef {{ mode: 'mean' | 'cls' | 'last' | null, other: string | null }} Pooling
 */

/** Largest size of each of these files. */
const MAX_BYTES = 1 << 20;
/** Modes of 1_Pooling/config.json: values of `pooling_mode`, which older files write as flags.
 *  @type {Map<unknown, Pooling['mode']>} */
const MODES = new Map([
  ['mean', 'mean'], ['cls', 'cls'], ['lasttoken', 'last'],
  ['pooling_mode_mean_tokens', 'mean'], ['pooling_mode_cls_token', 'cls'], ['pooling_mode_lasttoken', 'last'],
]);
/** Modules that heed computes: `embed` pools, and normalizes by its own option. */
const MODULES = /\.(Transformer|Pooling|Normalize)$/;

/**
 * @param {{ modules?: Source | object, pooling?: Source | object }} files
 * @param {AbortSignal | null | undefined} signal
 * @returns {Promise<Pooling | null>} null: the files do not say it
 * @throws {HeedError} 'bad-file', 'too-large', and the errors of the sources
 */
export async function readPooling({ modules, pooling }, signal) {
  const read = async (/** @type {Source | object} */ source, /** @type {string} */ what) => {
    const { json, name } = await readJson(source, { limit: MAX_BYTES, what, signal });
    if (typeof json === 'object' && json !== null) return /** @type {Record<string, unknown>} */ (json);
    throw new HeedError('bad-file', `Expected ${quoted(name)} to be ${what}, got ${quoted(JSON.stringify(json))}.`);
  };
  const list = /** @type {unknown} */ (modules === undefined ? []
    : await read(modules, 'a modules.json of sentence-transformers'));
  const types = (Array.isArray(list) ? /** @type {any[]} */ (list) : []).map((module) => String(module?.type));
  const unknown = types.find((type) => !MODULES.test(type));
  if (unknown !== undefined) return { mode: null, other: `the module ${quoted(unknown.split('.').at(-1))}` };
  if (pooling === undefined) return null;
  const config = await read(pooling, 'a 1_Pooling/config.json of sentence-transformers');
  const flags = Object.keys(config).filter((key) => key.startsWith('pooling_mode_') && config[key] === true);
  const modes = config.pooling_mode === undefined ? flags : [config.pooling_mode].flat();
  const mode = modes.length === 1 ? MODES.get(modes[0]) : undefined;
  if (mode) return { mode, other: null };
  return modes.length === 0 ? null : { mode: null, other: modes.map((one) => quoted(one)).join(' and ') };
}
