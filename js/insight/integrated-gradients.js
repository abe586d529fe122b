/** Integrates gradients of a metric along a path of embeddings by the midpoint rule. */
import { HeedError, quoted } from '../errors.js';
import { guarded } from '../guard.js';
import { needArray, needInteger } from '../options.js';
import { needCall, promptOf, promptOfSource } from './input.js';
import { result } from './result.js';
import { inTurn, withSource } from './sources.js';

/** @typedef {import('./input.js').Model} Model */
/** @typedef {import('../model/hooks.js').Activation} Activation */

const EMBEDDING = 'hook_embed';
const EMBEDDING_OF_SOURCE = 'encoder.0.hook_resid_pre';

/**
 * Options of integratedGradients.
 * @typedef {object} IntegratedOptions
 * @property {import('../model/metric.js').Metric} of  number to explain, as in `model.gradients`
 * @property {'mean' | number} [baseline]  embedding without information: the mean over the input (default), or the
 *   embedding of a token id.  Zeros are not an option, because a norm has a jump at zeros
 * @property {import('./input.js').Input} [source]  source of an encoder–decoder, or its ids.  The model reads it, the
 *   shares are of its tokens, and the input is the text.  Default: shares of the text, after the present source
 * @property {import('./input.js').Edit[]} [edits]  edits of activations of every run, after the embedding
 * @property {number} [steps]  points of the path, each a forward and a backward pass; default 64
 * @property {import('./input.js').OnProgress} [onProgress]  receives finished and all passes
 * @property {AbortSignal} [signal]  aborts the analysis
 */
/**
 * Shares of the input tokens in a metric.
 * @typedef {object} IntegratedGradients
 * @property {Float32Array} data  share of each token of the input, or of the source, [position]
 * @property {{ position: string[] }} axes  labels of `position` are tokens
 * @property {number} value          the metric of the input
 * @property {number} baselineValue  the metric of the baseline at all positions
 * @property {number} gap            sum of data − (value − baselineValue): 0 for infinitely many steps
 * @property {Int32Array} ids        ids of the input, [ids]
 */

/**
 * How much each input token contributes to a metric.  The gradient by its embedding is averaged over the straight path
 * from a baseline, and multiplied by the difference from the baseline.  The shares sum to the difference of both
 * metrics, and `gap` is the error of the sum (integrated gradients, Sundararajan et al. 2017,
 * https://arxiv.org/abs/1703.01365).  Positions keep their encoding.  In the sources of BART and Marian the embeddings
 * contain it, so the baseline is the mean of both.  The session then holds the input, without edits.
 * @param {Model} model  model in this thread or in a Worker
 * @param {import('./input.js').Input} input  text, or ids [ids]
 * @param {IntegratedOptions} options  metric, baseline and number of steps
 * @returns {Promise<IntegratedGradients>} shares [position]
 * @throws {HeedError} 'bad-argument', 'no-tokenizer', 'context-full', 'too-large', 'out-of-memory', 'not-finite',
 *   'unsupported' for the source of another model, 'superseded' when another call gives the model a source, 'aborted',
 *   'disposed'
 */
export const integratedGradients = guarded('integratedGradients', inTurn(integrate));

/** @param {Model} model @param {import('./input.js').Input} input @param {IntegratedOptions} options
 *  @returns {Promise<IntegratedGradients>} */
async function integrate(model, input, options) {
  needCall('integratedGradients', model, options ?? {}, ['of', 'baseline', 'steps', 'source', 'edits']);
  const { of, baseline = 'mean', steps = 64, source, edits = [], onProgress, signal } = options ?? {};
  const { ids, tokens } = await promptOf('integratedGradients', model, input);
  needInteger('steps', steps, 1, 2 ** 16);
  needArray('edits', edits, 'edits, such as { hook, head, scale }');
  const path = source === undefined ? EMBEDDING : EMBEDDING_OF_SOURCE;
  if (edits.some((edit) => edit?.hook === path)) {
    throw new HeedError('bad-argument', `integratedGradients moves ${quoted(path)} along its path, so it takes no ` +
      'edits of it. Edit a later activation.');
  }
  if (source === undefined) return shares(tokens);
  const read = await promptOfSource('integratedGradients', model, source);
  if (baseline !== 'mean') {
    throw new HeedError('bad-argument', 'integratedGradients: the baseline of a source is ‘mean’, got ' +
      `${quoted(baseline)}.`);
  }
  return withSource(model, read.ids, () => shares(read.tokens));

  /** @param {string[]} explained  tokens @returns {Promise<IntegratedGradients>} */
  async function shares(explained) {
    const given = await baselineOf(model, baseline, signal);
    const { cache: { [path]: { data: x } } } = await model.runWithCache(ids, [path], { signal });
    const start = given ?? meanRow(x, model.info.dModel);
    const total = steps + 2;
    /** The gradient at baseline + share · (input − baseline). @param {number} share @param {string[]} at */
    const gradientsAt = (share, at) => model.gradients(ids, {
      of,
      at,
      edits: [{ hook: path, scale: share, values: start, coefficient: 1 - share }, ...edits],
      signal,
    });
    const { value: baselineValue } = await gradientsAt(0, []);
    onProgress?.({ done: 1, total });
    const { value } = await gradientsAt(1, []);
    onProgress?.({ done: 2, total });

    const width = start.length;
    const sums = new Float64Array(x.length / width);
    for (let step = 0; step < steps; step++) {
      const { gradients: { [path]: { data } } } = await gradientsAt((step + 0.5) / steps, [path]);
      data.forEach((slope, i) => (sums[Math.floor(i / width)] += slope * (x[i] - start[i % width])));
      onProgress?.({ done: step + 3, total });
    }
    const data = Float32Array.from(sums, (sum) => sum / steps);
    const gap = sums.reduce((sum, share) => sum + share, 0) / steps - (value - baselineValue);
    return result(data, { position: explained }, { value, baselineValue, gap, ids });
  }
}

/** The embedding of a baseline id, [dModel]; null for the mean.
 *  @param {Model} model @param {'mean' | number} baseline @param {AbortSignal | undefined} signal */
async function baselineOf(model, baseline, signal) {
  if (baseline === 'mean') return null;
  if (typeof baseline !== 'number') {
    throw new HeedError('bad-argument', 'integratedGradients: expected baseline to be ‘mean’ or a token id, got ' +
      `${quoted(baseline)}.`);
  }
  const { cache: { [EMBEDDING]: { data } } } = await model.runWithCache([baseline], [EMBEDDING], { signal });
  return data;
}

/** The mean of rows [rows][width]. @param {Float32Array} x @param {number} width */
function meanRow(x, width) {
  const rows = x.length / width;
  return Float32Array.from({ length: width }, (_, i) => {
    let sum = 0;
    for (let at = i; at < x.length; at += width) sum += x[at];
    return sum / rows;
  });
}
