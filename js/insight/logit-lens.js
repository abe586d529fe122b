/** The logit lens: applies `model.unembed` to the residual stream of each layer, in batches of positions. */
import { throwIfAborted } from '../errors.js';
import { guarded } from '../guard.js';
import { needInteger } from '../options.js';
import { needRange } from '../range.js';
import { needCall, needOneStack, numbersOf, promptOf } from './input.js';
import { elementsOf, numbered, result } from './result.js';

/** @typedef {import('./input.js').Model} Model */

/** Logits in one call of the model: few enough for frequent progress and a quick end after an abort. */
const BATCH = 2 ** 21;
/** The residual stream before the first block. */
const EMBEDDING = -1;

/**
 * Options of logitLens.
 * @typedef {object} LogitLensOptions
 * @property {number[]} [layers]  blocks whose output is read, from 0; −1 is the embedding; default: −1 and all blocks
 * @property {readonly [from: number, to: number]} [positions]  positions from ≤ position < to; default: all
 * @property {number} [top]  number of candidates at each place; default 5
 * @property {import('./input.js').Edit[]} [edits]  edits of the run
 * @property {import('./input.js').OnProgress} [onProgress]  receives finished and all layers
 * @property {AbortSignal} [signal]  aborts the analysis
 */
/**
 * Candidates of each layer and position, the likeliest first.
 * @typedef {object} LogitLens
 * @property {Float32Array} data       natural logarithms of their probabilities, [layer][position][rank]
 * @property {{ layer: number[], position: string[], rank: number[] }} axes  labels of each axis
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
 * @throws {HeedError} 'bad-argument', 'unsupported' for encoder–decoders, 'no-tokenizer', 'context-full',
 *   'too-large', 'not-finite', 'aborted', 'disposed'
 */
export const logitLens = guarded('logitLens', read);

/** @param {Model} model @param {import('./input.js').Input} input @param {LogitLensOptions} [options]
 *  @returns {Promise<LogitLens>} */
async function read(model, input, options = {}) {
  needCall('logitLens', model, options, ['layers', 'positions', 'top', 'edits']);
  needOneStack('logitLens', model.info);
  const { top = 5, edits, onProgress, signal } = options;
  const { layers: count, dModel, vocabulary, sumNorms } = model.info;
  const { ids, tokens } = await promptOf('logitLens', model, input);
  const layers = numbersOf('layers', options.layers, count, EMBEDDING);
  const [from, to] = needRange('positions', ids.length, options.positions);
  needInteger('top', top, 1, vocabulary);
  const size = elementsOf('logitLens', [layers.length, to - from, top], 'Pass fewer layers, positions or candidates.');

  const output = sumNorms ? 'ln2.hook_normalized' : 'hook_resid_post'; // BERT's blocks end with a norm of the sum
  const names = layers.map((layer) => (layer === EMBEDDING ? 'blocks.0.hook_resid_pre' : `blocks.${layer}.${output}`));
  const { cache } = await model.runWithCache(ids, names, { edits, signal });
  const data = new Float32Array(size);
  const candidates = new Int32Array(size);
  const rows = Math.max(1, Math.floor(BATCH / vocabulary));
  let at = 0;
  for (const [i, name] of names.entries()) {
    for (let first = from; first < to; first += rows) {
      throwIfAborted(signal);
      const end = Math.min(first + rows, to);
      const found = await model.unembed(cache[name].data.slice(first * dModel, end * dModel), { top });
      data.set(found.logprobs, at);
      candidates.set(found.ids, at);
      at += found.ids.length;
    }
    onProgress?.({ done: i + 1, total: names.length });
  }
  const different = [...new Set(candidates)]; // a message with all of them would be long
  const words = await model.tokens(different);
  const textOf = new Map(different.map((id, i) => [id, words[i]]));
  const texts = Array.from(candidates, (id) => /** @type {string} */ (textOf.get(id)));
  const axes = { layer: layers, position: tokens.slice(from, to), rank: numbered(top) };
  return result(data, axes, { candidates, texts, ids, firstPosition: from });
}
