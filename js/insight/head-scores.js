/** Statistics of attention rows that identify known kinds of heads, such as induction heads. */
import { HeedError, quoted, throwIfAborted } from '../errors.js';
import { guarded } from '../guard.js';
import { randomFrom } from '../lab/random.js';
import { needInteger, needOptions } from '../options.js';
import { Pacer } from '../pause.js';
import { needCall, needOneStack, promptOf } from './input.js';
import { layersOf } from './layers.js';
import { rowOf } from './linear.js';
import { numbered, result } from './result.js';

/** @typedef {import('./input.js').Model} Model */
/** @typedef {import('./input.js').Input} Input */

/** Names of the scores, in their order in a result. */
export const SCORES = Object.freeze(/** @type {const} */ (
  ['previous', 'duplicate', 'induction', 'first', 'entropy', 'distance']));
/** Name of a score. @typedef {(typeof SCORES)[number]} ScoreName */

/**
 * Random tokens that occur twice: only the first half predicts the second.
 * @typedef {object} Repeated
 * @property {number} repeated  number of different tokens, each of which occurs twice
 * @property {number} [texts]   number of such texts; default 4
 * @property {number} [seed]    number that selects the tokens; default 1
 */
/**
 * Options of headScores.
 * @typedef {object} HeadScoresOptions
 * @property {import('./input.js').Edit[]} [edits]  edits of every run
 * @property {import('./input.js').OnProgress} [onProgress]  receives finished and all layers of all texts
 * @property {AbortSignal} [signal]  aborts the analysis
 */
/**
 * Scores of all heads.
 * @typedef {object} HeadScores
 * @property {Float32Array} data  [score][layer][head]; NaN for a score that applies to no query
 * @property {{ score: ScoreName[], layer: number[], head: number[] }} axes  labels of each axis
 * @property {Float32Array} uniform  each score of a head that attends to all keys equally, [score]
 * @property {Int32Array} counts     number of queries to which each score applies, [score]
 * @property {Int32Array[]} ids      ids of every text
 */
/** Keys of a query that a score sums. @typedef {(ids: Int32Array, query: number) => number[]} Keys */

/** Earlier positions with the same token. @type {Keys} */
function earlier(ids, query) {
  const keys = [];
  for (let key = 0; key < query; key++) if (ids[key] === ids[query]) keys.push(key);
  return keys;
}

/** Scores that are attention to certain keys. @type {Record<'previous' | 'duplicate' | 'induction' | 'first', Keys>} */
const KEYS = {
  previous: (_, query) => [query - 1],
  duplicate: earlier,
  induction: (ids, query) => earlier(ids, query).map((key) => key + 1).filter((key) => key < query),
  first: () => [0],
};

/**
 * Scores of each head for common jobs, from its attention patterns.  A score is the mean over all queries to which it
 * applies, without the first token:
 *
 * - `previous`: attention to the previous token
 * - `duplicate`: attention to earlier occurrences of the query's token
 * - `induction`: attention to the tokens after these occurrences: the prefix-matching score (Olsson et al. 2022,
 *   https://arxiv.org/abs/2209.11895)
 * - `first`: attention to the first token, the attention sink (Xiao et al. 2023, https://arxiv.org/abs/2309.17453)
 * - `entropy`: of the row in nats, −Σ a·ln a; 0 for one key (Clark et al. 2019, https://arxiv.org/abs/1906.04341)
 * - `distance`: mean number of tokens from query to key, weighted by attention (Vig and Belinkov 2019,
 *   https://arxiv.org/abs/1906.04284)
 *
 * With `{ repeated: n }` the texts are random tokens that occur twice, so that only an induction head predicts the
 * second half.  The session then holds the last text.
 * @param {Model} model  model in this thread or in a Worker
 * @param {Input | Input[] | Repeated} input  a text, several texts, or random tokens; ids [ids] in place of a text
 * @param {HeadScoresOptions} [options]  edits of the runs
 * @returns {Promise<HeadScores>} scores [score][layer][head], and the scores of uniform attention
 * @throws {HeedError} 'bad-argument', 'unsupported' for encoder–decoders, 'no-tokenizer', 'context-full',
 *   'too-large', 'aborted', 'disposed'
 */
export const headScores = guarded('headScores', score);

/** @param {Model} model @param {Input | Input[] | Repeated} input @param {HeadScoresOptions} [options]
 *  @returns {Promise<HeadScores>} */
async function score(model, input, options = {}) {
  needCall('headScores', model, options, ['edits']);
  needOneStack('headScores', model.info);
  const { onProgress, ...run } = options;
  const { layers, heads, bidirectional } = model.info;
  const texts = await textsOf(model, input);
  const sums = new Float64Array(SCORES.length * layers * heads);
  const uniform = new Float64Array(SCORES.length);
  const counts = new Int32Array(SCORES.length);
  const pacer = new Pacer(); // a head of a long text takes as long as a frame of a page
  for (const [done, ids] of texts.entries()) {
    const keys = Object.values(KEYS).map((keysOf) => Array.from(ids, (_, query) => (query ? keysOf(ids, query) : [])));
    count(keys, ids.length, bidirectional, uniform, counts);
    for await (const { layer, of: [pattern] } of layersOf(model, ids, ['attn.hook_pattern'], run)) {
      for (let head = 0; head < heads; head++) {
        const at = layer * heads + head;
        await pacer.pause();
        throwIfAborted(run.signal);
        add(rowOf(pattern, head), ids.length, bidirectional, keys, (i, x) => (sums[i * layers * heads + at] += x));
      }
      onProgress?.({ done: done * layers + layer + 1, total: texts.length * layers });
    }
  }
  const data = Float32Array.from(sums, (x, i) => x / counts[Math.floor(i / (layers * heads))]);
  const axes = { score: [...SCORES], layer: numbered(layers), head: numbered(heads) };
  return result(data, axes, { uniform: Float32Array.from(uniform, (x, i) => x / counts[i]), counts, ids: texts });
}

/** Adds the scores of one head over one text.
 *  @param {Float32Array} pattern  [query][key] @param {number} length @param {boolean} isBidirectional
 *  @param {number[][][]} keys  keys that a score sums, [score][query]
 *  @param {(score: number, x: number) => void} to  adds x to a score */
function add(pattern, length, isBidirectional, keys, to) {
  keys.forEach((rows, i) => to(i, rows.reduce((sum, row, query) =>
    row.reduce((part, key) => part + pattern[query * length + key], sum), 0)));
  let entropy = 0;
  let distance = 0;
  for (let query = 1; query < length; query++) {
    const end = isBidirectional ? length : query + 1;
    for (let key = 0; key < end; key++) {
      const weight = pattern[query * length + key];
      if (weight > 0) entropy -= weight * Math.log(weight);
      distance += weight * Math.abs(query - key);
    }
  }
  to(keys.length, entropy);
  to(keys.length + 1, distance);
}

/** Adds the number of queries of each score, and the scores of a head that attends to all keys equally.
 *  @param {number[][][]} keys @param {number} length @param {boolean} isBidirectional @param {Float64Array} uniform
 *  @param {Int32Array} counts */
function count(keys, length, isBidirectional, uniform, counts) {
  for (let query = 1; query < length; query++) {
    const visible = isBidirectional ? length : query + 1;
    const later = visible - 1 - query;
    const distance = (query * (query + 1) + later * (later + 1)) / 2 / visible;
    const scores = [...keys.map((rows) => rows[query].length / visible), Math.log(visible), distance];
    scores.forEach((x, i) => {
      if (i < keys.length && keys[i][query].length === 0) return;
      uniform[i] += x;
      counts[i]++;
    });
  }
}

/** @param {Model} model @param {Input | Input[] | Repeated} input @returns {Promise<Int32Array[]>} */
async function textsOf(model, input) {
  if (typeof input === 'object' && input !== null && !('length' in input)) return repeatedTokens(model, input);
  const isOne = typeof input === 'string' || typeof input?.[0] === 'number' || !(Number(input?.length) > 0);
  const list = /** @type {Input[]} */ (isOne ? [input] : Array.from(/** @type {Input[]} */ (input)));
  const texts = [];
  for (const text of list) texts.push((await promptOf('headScores', model, text)).ids);
  return texts;
}

/** Texts of different random tokens that occur twice, after the token with which the model starts a text.
 *  @param {Model} model @param {Repeated} request @returns {Promise<Int32Array[]>} */
async function repeatedTokens(model, request) {
  if (!('repeated' in request)) {
    throw new HeedError('bad-argument', 'headScores: expected a text or token ids, several texts, or ' +
      '{ repeated: n } for random tokens.');
  }
  needOptions('headScores: random tokens', request, ['repeated', 'texts', 'seed']);
  const { repeated, texts = 4, seed = 1 } = request;
  const { vocabulary, tokenizer } = model.info;
  needInteger('repeated', repeated, 2, vocabulary >> 1);
  needInteger('texts', texts, 1, 1000);
  if (!Number.isInteger(seed)) {
    throw new HeedError('bad-argument', `Expected seed to be an integer, got ${quoted(seed)}.`);
  }
  const start = tokenizer ? await model.encode('') : [];
  const random = randomFrom(seed);
  return Array.from({ length: texts }, () => {
    /** @type {Set<number>} */
    const block = new Set();
    while (block.size < repeated) {
      const id = Math.floor(random() * vocabulary);
      if (id !== start[0]) block.add(id);
    }
    return Int32Array.from([...start, ...block, ...block]);
  });
}
