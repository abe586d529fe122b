/** Attention rollout: multiplies head-averaged patterns, layer by layer, into shares of the input tokens. */
import { HeedError, quoted, throwIfAborted } from '../errors.js';
import { guarded } from '../guard.js';
import { Pacer } from '../pause.js';
import { needCall, needOneStack, promptOf } from './input.js';
import { layersOf } from './layers.js';
import { elementsOf, numbered, result } from './result.js';

/** @typedef {import('./input.js').Model} Model */

/**
 * Options of rollout.
 * @typedef {object} RolloutOptions
 * @property {number} [residual]  share of the residual connection in each layer, 0 to 1; default 0.5
 * @property {import('./input.js').Edit[]} [edits]  edits of the run
 * @property {import('./input.js').OnProgress} [onProgress]  receives finished and all layers
 * @property {AbortSignal} [signal]  aborts the analysis
 */
/**
 * Shares of the input tokens in every position.
 * @typedef {object} Rollout
 * @property {Float32Array} data  shares after each block, [layer][query][key]; each row sums to 1
 * @property {{ layer: number[], query: string[], key: string[] }} axes  labels of each axis
 * @property {Int32Array} ids     ids of the input, [ids]
 */

/**
 * Attention from each position to the input tokens through all layers.  It is the product of the layers' mean patterns,
 * each mixed with the identity for the residual connection (Abnar and Zuidema 2020, https://arxiv.org/abs/2005.00928).
 * It ignores values and feed-forward networks, so it is a rough guide.  In causal models early tokens collect more.
 * The session then holds the input.
 * @param {Model} model  model in this thread or in a Worker
 * @param {import('./input.js').Input} input  text, or ids [ids]
 * @param {RolloutOptions} [options]  share of the residual connection
 * @returns {Promise<Rollout>} shares after each block [layer][query][key]; labels of `query` and `key` are tokens
 * @throws {HeedError} 'bad-argument', 'unsupported' for encoder–decoders, 'no-tokenizer', 'context-full',
 *   'too-large', 'aborted', 'disposed'
 */
export const rollout = guarded('rollout', roll);

/** @param {Model} model @param {import('./input.js').Input} input @param {RolloutOptions} [options]
 *  @returns {Promise<Rollout>} */
async function roll(model, input, options = {}) {
  needCall('rollout', model, options, ['residual', 'edits']);
  needOneStack('rollout', model.info);
  const { residual = 0.5, onProgress, ...run } = options;
  if (!(typeof residual === 'number' && residual >= 0 && residual <= 1)) {
    throw new HeedError('bad-argument', `Expected residual to be a number from 0 to 1, got ${quoted(residual)}.`);
  }
  const { layers, heads, bidirectional } = model.info;
  const { ids, tokens } = await promptOf('rollout', model, input);
  const T = ids.length;
  const data = new Float32Array(elementsOf('rollout', [layers, T, T], 'Pass fewer ids.'));
  let before = new Float32Array(T * T);
  for (let i = 0; i < T; i++) before[i * T + i] = 1;
  const pacer = new Pacer(); // a layer of a long text takes as long as several frames of a page
  for await (const { layer, of: [pattern] } of layersOf(model, ids, ['attn.hook_pattern'], run)) {
    const after = data.subarray(layer * T * T, (layer + 1) * T * T);
    for (let query = 0; query < T; query++) {
      await pacer.pause();
      throwIfAborted(run.signal);
      const row = after.subarray(query * T, (query + 1) * T);
      const end = bidirectional ? T : query + 1;
      for (let middle = 0; middle < end; middle++) {
        let weight = middle === query ? residual : 0;
        for (let head = 0; head < heads; head++) {
          weight += (1 - residual) / heads * pattern.data[(head * T + query) * T + middle];
        }
        const from = before.subarray(middle * T, (middle + 1) * T);
        const keys = bidirectional ? T : middle + 1;
        for (let key = 0; key < keys; key++) row[key] += weight * from[key];
      }
    }
    before = after;
    onProgress?.({ done: layer + 1, total: layers });
  }
  return result(data, { layer: numbered(layers), query: tokens, key: tokens }, { ids });
}
