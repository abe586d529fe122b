/** Kullback–Leibler divergence between the next-token distributions of two runs, position by position. */
import { HeedError, quoted } from '../errors.js';
import { guarded } from '../guard.js';
import { needInteger } from '../options.js';
import { logSumExp } from '../softmax.js';
import { needCall, promptOf } from './input.js';
import { elementsOf, numbered, result } from './result.js';
import { inTurn } from './sources.js';

/** @typedef {import('./input.js').Model} Model */
/** @typedef {import('./input.js').Input} Input */

/**
 * Options of compare.  At least one of `other`, `otherModel` and `edits` makes the second run differ.
 * @typedef {object} CompareOptions
 * @property {Input} [other]       text of the second run; default: the input
 * @property {Model} [otherModel]  model of the second run, with the same vocabulary; default: the model
 * @property {import('./input.js').Edit[]} [edits]  edits of the second run
 * @property {'start' | 'end'} [align]  texts of different lengths correspond from their first token (default) or from
 *   their last
 * @property {number} [top]        number of candidates at each position; default 5
 * @property {import('./input.js').OnProgress} [onProgress]  receives finished and all runs
 * @property {AbortSignal} [signal]  aborts the analysis
 */
/**
 * Two runs, token by token.
 * @typedef {object} Comparison
 * @property {Float32Array} data   divergence D(first ‖ second) of the predictions after each token, in nats, [position]
 * @property {{ position: string[] }} axes  labels of `position` are tokens of the first run
 * @property {string[]} otherTokens      tokens of the second run, [position]
 * @property {boolean[]} differs         whether the tokens differ, [position]
 * @property {Int32Array} candidates     ids whose probabilities change most, most first, [position][rank]
 * @property {string[]} texts            their readable texts, [position][rank]
 * @property {Float32Array} before       their log-probabilities in the first run, [position][rank]
 * @property {Float32Array} after        their log-probabilities in the second run, [position][rank]
 * @property {Float32Array} logitDifferences  their logits in the second run minus the first, [position][rank]
 * @property {number} top                number of ranks
 * @property {number} firstPosition      position of the first column in the first run
 */

/**
 * How the predictions of two runs differ after each token: of two texts, of two models, or with and without edits.  The
 * divergence is that of Kullback and Leibler (1951), https://doi.org/10.1214/aoms/1177729694.  The sessions then hold
 * the second run.
 * @param {Model} model  model of the first run, in this thread or in a Worker
 * @param {Input} input  text of the first run, or ids [ids]
 * @param {CompareOptions} options  what differs in the second run
 * @returns {Promise<Comparison>} divergences [position], with the candidates that change most
 * @throws {HeedError} 'bad-argument', 'unsupported' for models without predictions of words, 'no-tokenizer',
 *   'context-full', 'too-large', 'not-finite', 'superseded' when another call gives the model a source,
 *   'aborted', 'disposed'
 */
export const compare = guarded('compare', inTurn(contrast));

/** @param {Model} model @param {Input} input @param {CompareOptions} options @returns {Promise<Comparison>} */
async function contrast(model, input, options) {
  needCall('compare', model, options ?? {}, ['other', 'otherModel', 'edits', 'align', 'top']);
  const { other = input, otherModel = model, edits = [], align = 'start', top = 5, onProgress, signal } = options ?? {};
  needCall('compare: otherModel', otherModel, {}, []);
  const { vocabulary } = model.info;
  const unfit = [model, otherModel].find(({ info }) => info.head !== 'words');
  if (unfit) {
    throw new HeedError('unsupported', `compare reads predictions of words, and ${quoted(unfit.info.name)} predicts ` +
      'no words. Compare activations by model.runWithCache, or one logit by model.sweep.');
  }
  if (otherModel.info.vocabulary !== vocabulary) {
    throw new HeedError('bad-argument', `compare: the models have ${vocabulary} and ${otherModel.info.vocabulary} ` +
      'tokens. Their predictions correspond only with one vocabulary.');
  }
  if (align !== 'start' && align !== 'end') {
    throw new HeedError('bad-argument', `compare: expected align to be start or end, got ${quoted(align)}.`);
  }
  needInteger('top', top, 1, vocabulary);
  const a = await promptOf('compare', model, input);
  const b = await promptOf('compare: other', otherModel, other);
  const rows = Math.min(a.ids.length, b.ids.length);
  elementsOf('compare', [a.ids.length + b.ids.length, vocabulary], 'Pass shorter texts.');
  const [firstA, firstB] = [a, b].map(({ ids }) => (align === 'end' ? ids.length - rows : 0));

  const x = await model.runWithHooks(a.ids, [], { all: true, signal });
  onProgress?.({ done: 1, total: 2 });
  const y = await otherModel.runWithHooks(b.ids, edits, { all: true, signal });
  const data = new Float32Array(rows);
  const found = {
    candidates: new Int32Array(rows * top),
    before: new Float32Array(rows * top),
    after: new Float32Array(rows * top),
    logitDifferences: new Float32Array(rows * top),
  };
  for (let row = 0; row < rows; row++) {
    const p = rowOf(x, firstA + row, vocabulary);
    const q = rowOf(y, firstB + row, vocabulary);
    data[row] = compareRows(p, q, top, found, row * top);
  }
  onProgress?.({ done: 2, total: 2 });
  const texts = await model.tokens(found.candidates);
  const tokens = a.tokens.slice(firstA, firstA + rows);
  const otherTokens = b.tokens.slice(firstB, firstB + rows);
  const differs = numbered(rows).map((row) => a.ids[firstA + row] !== b.ids[firstB + row]);
  return result(data, { position: tokens }, { otherTokens, differs, ...found, texts, top, firstPosition: firstA });
}

/** @param {Float32Array} logits @param {number} row @param {number} width */
const rowOf = (logits, row, width) => logits.subarray(row * width, (row + 1) * width);

/** The divergence of two predictions.  Writes the candidates whose probabilities change most.
 *  @param {Float32Array} x  logits of the first run @param {Float32Array} y  of the second @param {number} top
 *  @param {Pick<Comparison, 'candidates' | 'before' | 'after' | 'logitDifferences'>} to @param {number} at */
function compareRows(x, y, top, to, at) {
  const ofX = logSumExp(x);
  const ofY = logSumExp(y);
  const changes = new Float64Array(top).fill(-1);
  let divergence = 0;
  for (let id = 0; id < x.length; id++) {
    const p = x[id] - ofX;
    const q = y[id] - ofY;
    const weight = Math.exp(p);
    divergence += weight * (p - q);
    const change = Math.abs(weight - Math.exp(q));
    if (!(change > changes[top - 1])) continue;
    let place = top - 1;
    for (; place > 0 && change > changes[place - 1]; place--) {
      changes[place] = changes[place - 1];
      to.candidates[at + place] = to.candidates[at + place - 1];
    }
    changes[place] = change;
    to.candidates[at + place] = id;
  }
  for (let i = at; i < at + top; i++) {
    const id = to.candidates[i];
    to.before[i] = x[id] - ofX;
    to.after[i] = y[id] - ofY;
    to.logitDifferences[i] = y[id] - x[id];
  }
  return Math.max(0, divergence); // rounding can make it negative
}
