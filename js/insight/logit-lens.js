import { throwIfAborted } from '../errors.js';
import { guarded } from '../guard.js';
import { needInteger } from '../options.js';
import { needCall, numbersOf, positionsOf, promptOf } from './input.js';
import { elementsOf, numbered, result } from './result.js';
import { topOf } from './top.js';

/** @typedef {import('./input.js').Model} Model */

/** Logits in one call of the model: few enough that the page stays responsive between calls. */
const BATCH = 2 ** 21;
/** The residual stream before the first block. */
const EMBEDDING = -1;

/**
 * Options of logitLens.
 * @typedef {object} LogitLensOptions
 * @property {number[]} [layers]  blocks whose output is read, from 0; −1 is the embedding; default: −1 and all blocks
 * @property {[from: number, to: number]} [positions]  positions from ≤ position < to; default: all
 * @property {number} [top]  number of candidates at each place; default 5
 * @property {import('./input.js').Edit[]} [edits]  edits of the run
 * @property {import('./input.js').OnProgress} [onProgress]  receives finished and all layers
 * @property {AbortSignal} [signal]  aborts the analysis
 */
/**
 * Candidates of each layer and position, the likeliest first.
 * @typedef {object} LogitLens
 * @property {Float32Array} data       natural logarithms of their probabilities, [layer][position][rank]
 * @property {Record<'layer' | 'position' | 'rank', import('./result.js').Label[]>} axes  labels of each axis
 * @property {Int32Array} candidates   their ids, [layer][position][rank]
 * @property {string[]} texts          their readable texts, [layer][position][rank]
 * @property {Int32Array} ids          ids of the input, [ids]
 * @property {number} firstPosition    position of the first column
 */

/**
 * The next tokens that the residual stream of each layer would predict: its final norm and output matrix applied to
 * every block's output.  The last block gives the predictions of the model (logit lens, nostalgebraist 2020,
 * https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru).  The session then holds the input.
 * @param {Model} model  model in this thread or in a Worker
 * @param {import('./input.js').Input} input  text, or ids [ids]
 * @param {LogitLensOptions} [options]  layers, positions and number of candidates
 * @returns {Promise<LogitLens>} log-probabilities [layer][position][rank] with the ids and texts of these candidates;
 *   labels of `position` are tokens
 * @throws {HeedError} 'bad-argument', 'no-tokenizer', 'context-full', 'too-large', 'not-finite', 'aborted', 'disposed'
 */
export const logitLens = guarded('logitLens', read);

/** @param {Model} model @param {import('./input.js').Input} input @param {LogitLensOptions} [options]
 *  @returns {Promise<LogitLens>} */
async function read(model, input, options = {}) {
  needCall('logitLens', model, options, ['layers', 'positions', 'top', 'edits']);
  const { top = 5, edits, onProgress, signal } = options;
  const { layers: count, dModel, vocabulary } = model.info;
  const { ids, tokens } = await promptOf('logitLens', model, input);
  const layers = numbersOf('layers', options.layers, count, EMBEDDING);
  const [from, to] = positionsOf(options.positions, ids.length);
  needInteger('top', top, 1, vocabulary);
  const size = elementsOf('logitLens', [layers.length, to - from, top], 'Pass fewer layers, positions or candidates.');

  const names = layers.map((layer) =>
    layer === EMBEDDING ? 'blocks.0.hook_resid_pre' : `blocks.${layer}.hook_resid_post`);
  const { cache } = await model.runWithCache(ids, names, { edits, signal });
  const found = { data: new Float32Array(size), candidates: new Int32Array(size) };
  const rows = Math.max(1, Math.floor(BATCH / vocabulary));
  let at = 0;
  for (const [i, name] of names.entries()) {
    for (let first = from; first < to; first += rows) {
      throwIfAborted(signal);
      const end = Math.min(first + rows, to);
      const logits = await model.unembed(cache[name].data.slice(first * dModel, end * dModel));
      for (let row = 0; row < end - first; row++) {
        topOf(logits.subarray(row * vocabulary, (row + 1) * vocabulary), top, found, at);
        at += top;
      }
    }
    onProgress?.({ done: i + 1, total: names.length });
  }
  const texts = await model.tokens(found.candidates);
  const axes = { layer: layers, position: tokens.slice(from, to), rank: numbered(top) };
  return result(found.data, axes, { candidates: found.candidates, texts, ids, firstPosition: from });
}
