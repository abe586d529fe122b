/** Calls of encoders: vectors of texts, hidden words, labels. */
import { HeedError, quoted } from '../errors.js';
import { needInteger, needOptions } from '../options.js';
import { softmax } from '../softmax.js';
import { labelLogits } from './label-logits.js';

/** @typedef {import('./load.js').LoadedModel} LoadedModel */
/** @typedef {import('./picture.js').Picture} Picture */
/**
 * Options of `embed`.
 * @typedef {object} EmbedOptions
 * @property {'mean' | 'cls' | 'last' | 'none'} [pooling]  the mean over all tokens, the first token, the last, or the
 *   vectors of all tokens; default: the recommendation of the file, else 'mean'.  Without `pooling`, embed refuses a
 *   file that recommends another one
 * @property {boolean} [normalize]  divides each vector by its length, so that dot products are cosines; default true,
 *   and false with 'none'
 * @property {AbortSignal} [signal]  aborts between two blocks of the model
 */
/**
 * A hidden word and the likeliest words for it.
 * @typedef {object} FilledMask
 * @property {number} position  position of the mask in the ids of the text
 * @property {{ id: number, token: string, probability: number }[]} candidates  likeliest words, the likeliest first
 */
/**
 * A label of a text.
 * @typedef {object} Label
 * @property {string} label
 * @property {number} logit
 * @property {number} probability  softmax over the labels; of a single label, the logistic function of its logit
 */

const POOLINGS = ['mean', 'cls', 'last', 'none'];

/**
 * An input of the model: ids, and what the model reads beside them.
 * @typedef {object} Reading
 * @property {Int32Array} ids
 * @property {import('./inputs.js').Input} [beside]
 */

/** @param {LoadedModel} model @param {string} call @param {unknown} text @returns {Promise<Reading>} */
async function readingOf(model, call, text) {
  if (model.info.parts) {
    throw new HeedError('unsupported', `${call} is for encoders and decoders alone; ${quoted(model.info.name)} has ` +
      'both. Call read and runWithCache.');
  }
  if (model.info.picture) return (await import('./picture.js')).readingOf(model, /** @type {any} */ (text));
  if (typeof text === 'string') return { ids: await model.encode(text) };
  throw new HeedError('bad-argument', `Expected ${call} to get a text, got ${quoted(text)}.`);
}

/** Start token of models that separate two texts by two tokens. */
const ROBERTA_START = '<s>';

/**
 * Runs an input in the empty session.  Both calls are made at once, so that no other call comes between them.
 * @param {LoadedModel} model @param {Reading} reading @param {string[]} names  activations to copy
 * @param {AbortSignal} [signal] @returns {ReturnType<LoadedModel['runWithCache']>} without names: logits of all ids
 */
async function run(model, { ids, beside }, names, signal) {
  const given = beside && model.setInput(...beside);
  const result = model.runWithCache(ids, names, { all: names.length === 0, ...(signal && { signal }) });
  return (await Promise.all([result, given]))[0];
}

/**
 * The ids of two texts: [CLS] text [SEP] second [SEP], or <s> text </s></s> second </s>.
 * @param {LoadedModel} model
 * @param {string} text
 * @param {string} second
 * @returns {Promise<Int32Array>}
 */
export async function pair(model, text, second) {
  const { ids, beside } = await pairOf(model, text, second);
  if (beside) await model.setInput(...beside);
  else model.rewind(0);
  return ids;
}

/** @param {LoadedModel} model @param {string} text @param {string} second @returns {Promise<Reading>} */
async function pairOf(model, text, second) {
  const { bidirectional, picture, name, segments } = model.info;
  if (!bidirectional || picture) {
    throw new HeedError('unsupported', `${quoted(name)} is not an encoder of texts, so it reads no pairs.`);
  }
  const around = await model.encode('');
  if (around.length < 2) {
    throw new HeedError('unsupported', `The tokenizer of ${quoted(name)} adds no tokens between texts.`);
  }
  const [start] = await model.tokens(around.subarray(0, 1));
  const separator = start === ROBERTA_START ? around.slice(1) : [];
  const { ids: first } = await readingOf(model, 'pair', text);
  const { ids: [, ...rest] } = await readingOf(model, 'pair', second);
  const ids = Int32Array.from([...first, ...separator, ...rest]);
  return { ids, ...(segments > 1 && { beside: ['pair', ids, first.length] }) };
}

/**
 * @template {string | Picture | (string | Picture)[]} T
 * @param {LoadedModel} model
 * @param {T} text
 * @param {EmbedOptions} [options]
 * @returns {Promise<T extends any[] ? Float32Array[] : Float32Array>}
 */
export async function embed(model, text, options = {}) {
  needOptions('embed', options, ['pooling', 'normalize', 'signal']);
  const { pooling = model.info.pooling ?? 'mean', normalize = pooling !== 'none', signal } = options;
  if (!POOLINGS.includes(pooling)) {
    throw new HeedError('bad-argument', `Expected pooling to be one of ${POOLINGS.join(', ')}; got ` +
      `${quoted(pooling)}.`);
  }
  const { otherPooling, name } = model.info;
  if (otherPooling && options.pooling === undefined) {
    throw new HeedError('unsupported', `${quoted(name)} makes its vectors by ${otherPooling}, which heed does not ` +
      `compute. Give pooling: ${POOLINGS.join(', ')}.`);
  }
  const last = model.hooks[model.hooks.length - 1];
  const projects = model.info.head === 'vector';
  const D = projects ? model.info.outputs : model.info.dModel;
  return eachOf(text, async (each) => {
    const reading = await readingOf(model, 'embed', each);
    const { logits, cache } = await run(model, reading, projects ? [] : [last], signal);
    const x = projects ? logits : cache[last].data;
    if (pooling === 'none') return normalize ? normalized(x, D) : x;
    const vector = (model.dense ?? []).reduce(dense, pooled(x, D, pooling));
    return normalize ? normalized(vector, vector.length) : vector;
  });
}

/** The result of a text, or the results of an array of texts, one after another.
 *  @param {unknown} text @param {(each: unknown) => Promise<unknown>} call @returns {Promise<any>} */
async function eachOf(text, call) {
  if (!Array.isArray(text)) return call(text);
  const all = [];
  for (const each of text) all.push(await call(each));
  return all;
}

/** One vector of the vectors of tokens.
 *  @param {Float32Array} x  [tokens][D] @param {number} D @param {'mean' | 'cls' | 'last'} pooling */
function pooled(x, D, pooling) {
  if (pooling === 'cls') return x.slice(0, D);
  if (pooling === 'last') return x.slice(-D);
  const sums = new Float64Array(D);
  x.forEach((value, i) => (sums[i % D] += value));
  return Float32Array.from(sums, (sum) => sum / (x.length / D));
}

/** y = activation(W·x + b).  @param {Float32Array} x @param {import('../files/dense.js').Dense} layer */
function dense(x, { weight, bias, activation }) {
  return new Float32Array(weight.length / x.length).map((_, output) => {
    let sum = bias ? bias[output] : 0;
    const from = output * x.length;
    for (let i = 0; i < x.length; i++) sum += weight[from + i] * x[i];
    return activation === 'tanh' ? Math.tanh(sum) : sum;
  });
}

/** Each vector divided by its length.  @param {Float32Array} x  [n][D] @param {number} D */
function normalized(x, D) {
  for (let from = 0; from < x.length; from += D) {
    const vector = x.subarray(from, from + D);
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
    if (length > 0) vector.forEach((value, i) => (vector[i] = value / length));
  }
  return x;
}

/**
 * @param {LoadedModel} model
 * @param {string} text
 * @param {{ top?: number, signal?: AbortSignal }} [options]
 * @returns {Promise<FilledMask[]>}
 */
export async function fillMask(model, text, options = {}) {
  needOptions('fillMask', options, ['top', 'signal']);
  const { top = 5, signal } = options;
  const { mask, head, name, outputs, bidirectional } = model.info;
  if (!bidirectional || head !== 'words' || mask === null) {
    const why = !bidirectional ? 'is a decoder' : mask === null ? 'has no mask token' : 'has no head for words';
    throw new HeedError('unsupported', `${quoted(name)} ${why}, so it cannot fill masks.`);
  }
  needInteger('top', top, 1, outputs);
  const reading = await readingOf(model, 'fillMask', text);
  const { ids } = reading;
  const positions = [...ids.keys()].filter((position) => ids[position] === mask);
  if (positions.length === 0) {
    const [token] = await model.tokens([mask]);
    throw new HeedError('bad-argument', `Expected a text with ${token} at the hidden word, got ${quoted(text)}.`);
  }
  const last = model.hooks[model.hooks.length - 1];
  const { cache: { [last]: { data, shape: [, D] } } } = await run(model, reading, [last], signal);
  const hidden = new Float32Array(positions.length * D); // logits of all positions would take gigabytes
  positions.forEach((position, i) => hidden.set(data.subarray(position * D, (position + 1) * D), i * D));
  const { ids: best, logprobs } = await model.unembed(hidden, { normalize: false, top });
  const tokens = await model.tokens(best);
  return positions.map((position, row) => ({ position, candidates: Array.from({ length: top }, (_, i) => {
    const at = row * top + i;
    return { id: best[at], token: tokens[at], probability: Math.exp(logprobs[at]) };
  }) }));
}

/**
 * @template {string | Picture | (string | Picture)[]} T
 * @param {LoadedModel} model
 * @param {T} text
 * @param {{ pair?: string, signal?: AbortSignal }} [options]
 * @returns {Promise<T extends any[] ? Label[][] : Label[]>}
 */
export async function classify(model, text, options = {}) {
  needOptions('classify', options, ['pair', 'signal']);
  const { pair: second, signal } = options;
  const { labels, name } = model.info;
  if (!labels) throw new HeedError('unsupported', `${quoted(name)} has no labels, so it cannot classify texts.`);
  return eachOf(text, async (/** @type {any} */ each) => {
    const reading = second === undefined ? await readingOf(model, 'classify', each) : await pairOf(model, each, second);
    const logits = labelLogits((await run(model, reading, [], signal)).logits, model.info);
    const chances = labels.length === 1 ? [1 / (1 + Math.exp(-logits[0]))] : softmax(logits);
    return labels.map((label, i) => ({ label, logit: logits[i], probability: chances[i] }))
      .sort((a, b) => b.logit - a.logit);
  });
}
