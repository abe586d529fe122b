/** Multiply-adds and bytes of one token, and the rates that this machine can reach. */
import { clientPort } from '../../js/engine/port.js';
import { HeedError, revived } from '../../js/errors.js';
import { load } from '../../js/index.js';
import { countWeights } from '../../js/model/count.js';
import { h } from '../elements/dom.js';
import { addButton, addSelect, addSlider } from './kit/controls.js';
import { fixed, grouped, percent, power, sizeOf } from './kit/format.js';
import { LinePlot } from './kit/line-plot.js';
import { element, showValues } from './kit/page.js';
import { track } from './kit/redraw.js';

/** @typedef {import('../../js/model/count.js').Architecture} Architecture */
/** @typedef {{ architecture: Architecture, trained?: number }} Listed trained: tokens of the training, if published */

/** Bytes of a weight: blocks of 32 weights have a scale of two bytes. */
const TYPES = { 'Q8_0': 34 / 32, 'Q4_0': 18 / 32, 'F16': 2, 'F32': 4 };
/** Bytes of a number in the cache. */
const CACHED = 2;
/** A multiplication and an addition. */
const OPERATIONS = 2;
/** Lengths of the plot: powers of two. */
const SHORTEST = 6;
const LONGEST = 17;

const BINARIES = {
  plain: new URL('../../dist/limits.wasm', import.meta.url),
  relaxed: new URL('../../dist/limits-relaxed.wasm', import.meta.url),
};
/** Tokens that the shipped model writes for the measurement. */
const WRITTEN = 96;

/**
 * The work of one token that has `keys` tokens before it and itself to attend to.
 * @param {Architecture} model
 * @param {number} keys
 */
function workOf(model, keys) {
  const { layers, heads, dModel, vocabulary, kvHeads = heads, dHead = dModel / heads, tied = true } = model;
  const { parts, total } = countWeights(model);
  const matrices = parts.filter(({ kind, shape }) => kind !== 'embedding' && shape.length === 2);
  const head = tied ? vocabulary * dModel : 0; // its weights count once, as the embedding
  const multiplied = matrices.reduce((sum, { weights }) => sum + weights, head);
  const attention = layers * 2 * heads * dHead * keys;
  const cache = layers * 2 * kvHeads * dHead * keys;
  return { total, multiplied, attention, cache };
}

/** @param {Record<string, Listed>} models by name @param {URL} file of the shipped model
 *  @param {string} shipped its name */
export function showWork(models, file, shipped) {
  const names = Object.keys(models);
  const plot = new LinePlot(element('growth'), { label: 'Bytes read for one token by the length of the text',
    x: 'log₂ of the tokens of the text', y: 'GB', digits: 6 });
  let name = names[0];
  let type = /** @type {keyof typeof TYPES} */ ('Q8_0');
  let exponent = 11;
  /** @type {import('../../js/cli/limit-loops.js').Limits | null} */ let limits = null;
  let measured = 0;

  function show() {
    const { architecture, trained } = models[name];
    const keys = 2 ** exponent;
    const { total, multiplied, attention, cache } = workOf(architecture, keys);
    const perToken = OPERATIONS * (multiplied + attention);
    // A pass backward costs twice a pass forward. On average a token of a training text attends to half of the text.
    const perTrained = 6 * total + 3 * OPERATIONS * attention / 2;
    const rows = [
      ['multiply-adds with weights', power(multiplied, 2)],
      [`multiply-adds of attention, with ${grouped(keys)} keys`, power(attention, 2)],
      ['operations of one token, forward', power(perToken, 2)],
      ['operations of one token in training', power(perTrained, 2)],
      ['operations of the training, 6ND', trained ? power(6 * total * trained, 2) : 'D was not published'],
      ['bytes of weights, read for each token', sizeOf(multiplied * TYPES[type])],
      [`bytes of the KV cache, with ${grouped(keys)} tokens`, sizeOf(cache * CACHED)],
    ];
    element('work').replaceChildren(...rows.map(([what, value]) =>
      h('tr', {}, h('th', { scope: 'row' }, what), h('td', {}, value))));
    const lengths = Array.from({ length: LONGEST - SHORTEST + 1 }, (_, i) => SHORTEST + i);
    plot.update(lengths, [
      { name: 'weights', ys: lengths.map(() => multiplied * TYPES[type] / 1e9) },
      { name: 'KV cache', ys: lengths.map((n) => workOf(architecture, 2 ** n).cache * CACHED / 1e9) },
    ]);
    showValues({ 'attention-share': percent(attention / (attention + multiplied), 1),
      'per-byte': fixed(perToken / (multiplied * TYPES[type] + cache * CACHED), 1),
      'cache-equal': grouped(Math.round(multiplied * TYPES[type] / (cache * CACHED / keys))) });
    showLimits();
  }

  function showLimits() {
    const keys = 2 ** exponent;
    element('rates').replaceChildren(...names.map((each) => {
      const { multiplied, attention, cache } = workOf(models[each].architecture, keys);
      const bytes = multiplied * TYPES[type] + cache * CACHED;
      const rates = limits && [limits.readBytesPerSecond / bytes,
        limits[type === 'F32' || type === 'F16' ? 'f32FlopsPerSecond' : 'int8OpsPerSecond']
          / (OPERATIONS * (multiplied + attention))];
      return h('tr', {}, h('th', { scope: 'row' }, each), h('td', {}, sizeOf(bytes)),
        ...(rates ?? [null, null]).map((rate) => h('td', {}, rate === null ? '–' : rateText(rate))),
        h('td', {}, each === shipped && measured ? rateText(measured) : '–'));
    }));
  }

  const choices = Object.fromEntries(names.map((each) => [each, each]));
  addSelect(element('work-controls'), 'Model at work', choices, (value) => {
    name = value;
    show();
  }).name = 'of';
  addSlider(element('work-controls'), { label: 'Tokens of the text', min: SHORTEST, max: LONGEST, step: 1,
    value: exponent, format: (n) => grouped(2 ** n) }, (value) => {
    exponent = value;
    show();
  }).name = 'length';
  const types = Object.fromEntries(Object.entries(TYPES).map(([each, bytes]) =>
    [each, `${each}, ${fixed(8 * bytes, 1)} bits`]));
  addSelect(element('work-controls'), 'Weights', types, (value) => {
    type = /** @type {typeof type} */ (value);
    show();
  }).name = 'type';

  const status = element('measuring');
  const button = addButton(element('machine'), 'Measure this machine', () => {
    if (button.getAttribute('aria-disabled') !== 'true') void track(measure());
  });
  element('machine').append(status);

  async function measure() {
    button.setAttribute('aria-disabled', 'true');
    try {
      status.textContent = 'Loading the stories model.';
      const model = await load(file);
      status.textContent = 'Writing a text.';
      measured = await rateOf(model);
      status.textContent = 'Reading RAM, and multiplying.';
      const { kernels } = model.info.engine;
      const binary = await fetch(BINARIES[kernels.startsWith('relaxed') ? 'relaxed' : 'plain']);
      if (!binary.ok) throw new HeedError('unavailable', `The loops are missing (${binary.status}).`);
      limits = await limitsOf(await binary.arrayBuffer(), kernels);
      model.dispose();
      status.textContent = '';
      showValues({ 'read-rate': `${fixed(limits.readBytesPerSecond / 1e9, 1)} GB/s`,
        'int8-rate': `${fixed(limits.int8OpsPerSecond / 1e9, 0)} billion operations a second`,
        'f32-rate': `${fixed(limits.f32FlopsPerSecond / 1e9, 0)} billion operations a second` });
      showLimits();
    } catch (error) {
      status.textContent = `The measurement stopped. ${error instanceof Error ? error.message : String(error)}`;
    }
    button.removeAttribute('aria-disabled');
  }
  showValues({ 'measured-tokens': grouped(WRITTEN) });
  show();
}

/**
 * The rates of one thread, measured in a Worker.
 * @param {ArrayBuffer} binary of the loops
 * @param {import('../../js/engine/wasm.js').KernelSet} kernels
 * @returns {Promise<import('../../js/cli/limit-loops.js').Limits>}
 */
async function limitsOf(binary, kernels) {
  const worker = clientPort(() => new Worker(new URL('./07-weights-worker.js', import.meta.url), { type: 'module' }));
  try {
    return await new Promise((resolve, reject) => {
      worker.listen(({ limits, error }) => (error ? reject(revived(error)) : resolve(limits)), (cause) =>
        reject(new HeedError('unavailable', 'The Worker could not start. Measure again.', { cause })));
      worker.post({ binary, kernels });
    });
  } finally {
    worker.terminate();
  }
}

/** @param {number} rate tokens per second */
const rateText = (rate) => (rate >= 10 ? grouped(Math.round(rate)) : fixed(rate, rate < 1 ? 3 : 1));

/** Tokens per second that a model writes. @param {import('../../js/index.js').Model} model */
async function rateOf(model) {
  const text = model.generate('Once upon a time', { maxTokens: WRITTEN, temperature: 1, topK: 0, topP: 1, seed: 2 });
  for (let step = await text.next(); ; step = await text.next()) {
    if (step.done) return step.value.ids.length / step.value.decodeMs * 1000;
  }
}
