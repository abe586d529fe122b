/**
 * Saved sessions.  Their format, in little-endian words of four bytes:
 *
 * - The text 'heed session'.
 * - The version: 1.
 * - The CRC-32 of all bytes after this word.
 * - The fingerprint of the model: the CRC-32 of facts and of numbers of its weights.
 * - The number of the cache type, then 1 with queries or 0 without.
 * - The number of ids, then of the ids of an encoder–decoder's source.
 * - The ids, then the ids of the source.
 * - The rows of keys, values and queries of each block (src/heed.h, heed_cached).
 */
import { HeedError, quoted } from '../errors.js';
import { crc32 } from '../files/checksum.js';
import { Pacer } from '../pause.js';
import { sourceOf } from '../sources.js';
import { CACHES } from './cache.js';
import { read } from './encoder-decoder.js';

/** @typedef {import('./load.js').LoadedModel} Model */
/** Rows of the cache: block of the engine, kind (heed_cached_kind), positions, bytes of a row.
 *  @typedef {[layer: number, kind: number, positions: number, bytes: number]} Run */

/** heed_cached_kind of src/heed.h. */
const KEYS = 0, VALUES = 1, QUERIES = 2;
const MAGIC = 'heed session';
const VERSION = 1;
/** Bytes before the ids. */
const HEADER = 40;
/** Bytes up to the end of the checksum. */
const CHECKED = 20;
/** Bytes of one part of a checksum, which takes some milliseconds. */
const PART = 2 ** 20;
/** Largest code of a number in an int16 cache (src/kernels/attention/codes_i16.h). */
const LARGEST_CODE = 8191;

const FIRST_ROW = Object.freeze({ range: [0, 1] });
/** Weights whose first rows tell two models apart. */
const OF_MODEL = ['token_embd.weight', 'patch_embd.weight', 'position_embd.weight', 'rope_freqs.weight',
  'output_norm.weight', 'output.weight'];
const OF_BLOCK = ['attn_norm', 'attn_q', 'attn_k', 'attn_v', 'attn_output', 'ffn_norm', 'ffn_gate_inp', 'ffn_up',
  'ffn_down'];

/** Texts of the queries and keys of each block, in the order of the engine. @param {Model['info']} info */
function blocksOf({ parts, layers }) {
  const blocks = Array.from({ length: parts?.blocks ?? layers }, () => ({ queries: 'text', keys: 'text' }));
  if (!parts) return blocks;
  for (const part of [parts.encoder, parts.cross]) {
    for (let layer = 0; layer < part.layers; layer++) {
      blocks[part.first + part.step * layer] = { queries: part === parts.encoder ? 'source' : 'text', keys: 'source' };
    }
  }
  return blocks;
}

/** @type {WeakMap<object, Promise<number>>} */
const fingerprints = new WeakMap();

/** The fingerprint of a model with its adapter. @param {Model} model */
function fingerprintOf(model) {
  const known = fingerprints.get(model) ?? computeFingerprint(model);
  fingerprints.set(model, known);
  return known;
}

/** @param {Model} model */
async function computeFingerprint(model) {
  const { architecture, heads, kvHeads, dHead, normEpsilon, activation, types, rotaryBase, rotaryScale, rotaryDims,
    rotaryPairs, alibi, scales, softcaps } = model.info;
  const facts = JSON.stringify([architecture, heads, kvHeads, dHead, normEpsilon, activation, types, rotaryBase,
    rotaryScale, rotaryDims, rotaryPairs, alibi, scales, softcaps]);
  let sum = crc32(new TextEncoder().encode(facts));
  const names = blocksOf(model.info).flatMap((_, layer) => OF_BLOCK.map((name) => `blk.${layer}.${name}.weight`));
  for (const weight of await Promise.all([...OF_MODEL, ...names].map((name) => model.weight(name, FIRST_ROW)))) {
    if (weight) sum = crc32(new Uint8Array(weight.data.buffer), sum);
  }
  return sum;
}

/** Rows of the cache of a text, and their bytes.
 *  @param {Model['info']} info @param {number} n @param {number} source  numbers of ids */
function layoutOf(info, n, source) {
  const { heads, kvHeads, dHead, cache, maps } = info;
  const vector = cache === 'f32' ? 4 * dHead : 4 + 2 * dHead;
  /** @type {Run[]} */
  const runs = blocksOf(info).flatMap(({ queries, keys }, layer) => {
    const count = (/** @type {string} */ of) => (n > 0 && of === 'source' ? source : n);
    return [KEYS, VALUES, ...(maps ? [QUERIES] : [])].map((kind) => /** @type {Run} */ (
      [layer, kind, count(kind === QUERIES ? queries : keys), (kind === QUERIES ? heads : kvHeads) * vector]));
  });
  return { runs, vector, bytes: runs.reduce((sum, [,, positions, bytes]) => sum + positions * bytes, 0) };
}

/** CRC-32 in parts, so that the thread stays free. @param {Uint8Array} bytes */
async function checksum(bytes) {
  const pacer = new Pacer();
  let sum = 0;
  for (let at = 0; at < bytes.length; at += PART) {
    await pacer.pause();
    sum = crc32(bytes.subarray(at, at + PART), sum);
  }
  return sum;
}

/** Whether all floats are finite, and all codes in their range.
 *  @param {Model['info']} info @param {Uint8Array} rows @param {Run[]} runs
 *  @param {number} vector  bytes of a vector */
async function areNumbers({ cache }, rows, runs, vector) {
  const pacer = new Pacer();
  let end = 0;
  for (const [,, positions, bytes] of runs) {
    const halves = new Int16Array(rows.slice(end, end += positions * bytes).buffer);
    for (let i = 0; i < halves.length; i++) {
      const at = i % (vector / 2);
      const isFloat = cache === 'f32' || at < 2; // its exponent is in the upper half
      const isWrong = isFloat ? at % 2 === 1 && (halves[i] & 0x7f80) === 0x7f80
        : Math.abs(halves[i]) > LARGEST_CODE;
      if (isWrong) return false;
    }
    await pacer.pause();
  }
  return true;
}

/** Whether `all` begins with `ids`. @param {Int32Array} ids @param {Int32Array} all */
const begins = (ids, all) => ids.every((id, i) => id === all[i]);

/**
 * @param {Model} model
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function saveSession(model) {
  const { info, ids } = model;
  const source = sourceOf(model);
  const { runs, bytes } = layoutOf(info, ids.length, source.length);
  const start = HEADER + 4 * (ids.length + source.length);
  const rows = await model.cached(runs, bytes);
  if (!rows) {
    throw new HeedError('unsupported', 'The session holds a text with edits of activations, which no file keeps. Run ' +
      'the text again without edits, then save it.');
  }
  if (!begins(ids, model.ids) || source !== sourceOf(model)) {
    throw new HeedError('superseded', 'Another call changed the session while it was saved. Wait for one call before ' +
      'the next.');
  }
  const fingerprint = await fingerprintOf(model);
  const saved = new Uint8Array(start + bytes);
  saved.set(new TextEncoder().encode(MAGIC));
  const view = new DataView(saved.buffer);
  const words = [VERSION, 0, fingerprint, CACHES.indexOf(info.cache), Number(info.maps), ids.length, source.length];
  [...words, ...ids, ...source].forEach((word, i) => view.setUint32(MAGIC.length + 4 * i, word, true));
  saved.set(rows, start);
  view.setUint32(CHECKED - 4, await checksum(saved.subarray(CHECKED)), true);
  return saved;
}

/**
 * @param {Model} model
 * @param {Uint8Array | ArrayBuffer} given
 * @returns {Promise<void>}
 */
export async function restoreSession(model, given) {
  const saved = given instanceof ArrayBuffer ? new Uint8Array(given) : given;
  if (!(saved instanceof Uint8Array)) {
    throw new HeedError('bad-argument', `Expected the bytes of saveSession as a Uint8Array, got ${quoted(given)}.`);
  }
  const bytes = new Uint8Array(saved.buffer, saved.byteOffset, saved.byteLength); // a Buffer would not copy in slice()
  const { ids, source, rows, runs } = await sessionIn(bytes, model);
  await Promise.all([...(source.length > 0 ? [read(model, source)] : []), model.cached(runs, rows, ids)]);
}

/** The checked contents of a saved session. @param {Uint8Array} saved @param {Model} model */
async function sessionIn(saved, model) {
  const { info } = model;
  const refuse = (/** @type {import('../errors.js').ErrorCode} */ code, /** @type {string} */ why) => {
    throw new HeedError(code, `The session cannot be restored: ${why}`);
  };
  const view = new DataView(saved.buffer, saved.byteOffset, saved.byteLength);
  const magic = new TextDecoder('latin1').decode(saved.subarray(0, MAGIC.length));
  if (magic !== MAGIC) refuse('bad-file', 'these bytes are not a saved session of heed.');
  if (saved.length < HEADER) refuse('truncated', 'the file ends in its header.');
  const [version, sum, fingerprint, cache, maps, n, sources] = Array.from({ length: 7 },
    (_, i) => view.getUint32(MAGIC.length + 4 * i, true));
  if (version !== VERSION) refuse('unsupported', `its version is ${version}; this heed reads version ${VERSION}.`);
  const start = HEADER + 4 * (n + sources);
  if (saved.length < start) refuse('truncated', `${n + sources} ids do not fit into its ${saved.length} bytes.`);
  if (await checksum(saved.subarray(CHECKED)) !== sum) {
    refuse('bad-file', 'its checksum is wrong. It is damaged or cut.');
  }
  if (fingerprint !== await fingerprintOf(model)) {
    refuse('unsupported', `it is of another model than ${quoted(info.name)}, or of other weight types or another ` +
      'adapter. Load the model as it was when the session was saved.');
  }
  if (CACHES[cache] !== info.cache || Boolean(maps) !== info.maps) {
    refuse('unsupported', `it has a cache of ${CACHES[cache] ?? 'another type'} ${maps ? 'with' : 'without'} maps. ` +
      `Load the model with cache: '${CACHES[cache] ?? 'auto'}', maps: ${Boolean(maps)}.`);
  }
  const { contextLength, vocabulary, parts } = info;
  if (Math.max(n, sources) > contextLength) {
    refuse('context-full', `it has ${n} positions; this session holds ${contextLength}. Load the model with a larger ` +
      'contextLength.');
  }
  if (parts ? n > 0 && sources === 0 : sources > 0) refuse('bad-file', `it has ${sources} ids of a source.`);
  const ids = Int32Array.from({ length: n + sources }, (_, i) => view.getInt32(HEADER + 4 * i, true));
  const wrong = ids.find((id) => id < 0 || id >= vocabulary);
  if (wrong !== undefined) refuse('bad-file', `id ${wrong} is not in the vocabulary of ${vocabulary}.`);
  const { runs, vector, bytes } = layoutOf(info, n, sources);
  if (saved.length - start !== bytes) {
    refuse('bad-file', `${n} positions take ${bytes} bytes; it has ${saved.length - start}.`);
  }
  const rows = saved.subarray(start);
  if (!await areNumbers(info, rows, runs, vector)) refuse('bad-file', 'it has numbers that no session computes.');
  return { ids: ids.subarray(0, n), source: ids.subarray(n), rows, runs };
}
