/** Weights of each part of a transformer, counted from its configuration and compared with a model file. */
import { architectureOf, countWeights } from '../../js/model/count.js';
import { openModelFile } from '../../js/files/model-file.js';
import { h } from '../elements/dom.js';
import { addSelect, addSlider } from './kit/controls.js';
import { Drawing } from './kit/drawing.js';
import { fixed, grouped, power, sizeOf, trimmed } from './kit/format.js';
import { element, lesson, showProgress, showValues } from './kit/page.js';
import { WEIGHTS } from './drawings/07-weights.js';
import { showWork } from './07-weights-work.js';

const MODEL = new URL('../../models/stories.gguf', import.meta.url);

/** @typedef {import('../../js/model/count.js').Architecture} Architecture */

/** Radford et al. 2019 and Brown et al. 2020, table 2.1. */
const GPT3 = { layers: 96, heads: 96, dModel: 12288, vocabulary: 50257, learnedPositions: 2048 };
const GPTS = {
  'GPT-3': GPT3,
  'GPT-2 XL': { layers: 48, heads: 25, dModel: 1600, vocabulary: 50257, learnedPositions: 1024 },
  'GPT-2 small': { layers: 12, heads: 12, dModel: 768, vocabulary: 50257, learnedPositions: 1024 },
};
const SHIPPED = 'the model of this page';
/** The configuration of the model, and the tokens of its training by its card. */
const SMOLLM2 = { layers: 30, heads: 9, kvHeads: 3, dModel: 576, dFeedForward: 1536, vocabulary: 49152, gated: true,
  normBiases: false, biases: /** @type {const} */ ('none') };
/** Tokens of the training: models/README.md, the card of SmolLM2-135M, and table 2.1 of Brown et al. */
const TRAINED = { stories: 6400 * 3072 + 2600 * 2048 + 1800 * 2048, smollm2: 2e12, gpt3: 300e9 };

/** @param {number} part @param {number} whole */
const percentageOf = (part, whole) => (part < 1e-4 * whole ? '< 0.01\u00a0%' : `${fixed(100 * part / whole,
  2)}\u00a0%`);

/** A name with W_Q and the like as formulas, cloned from the templates of the page. @param {string} name */
const withFormulas = (name) => name.split(/\b([Wb]_\w+)/).map((part, i) => (i % 2
  ? document.importNode(/** @type {HTMLTemplateElement} */ (element(part)).content, true) : part));

/** The parts of a model that each box of the drawing has. @type {Record<string, RegExp>} */
const BOXES = { embedding: /^token embedding$/, W_Q: /^W_Q$/, W_K: /^W_K$/, W_V: /^W_V$/, W_O: /^W_O$/,
  network: /^W_(1|2|gate)$/, head: /^head$/ };

lesson(async () => {
  const drawing = new Drawing(element('drawing'), WEIGHTS);
  showProgress(`Reading the table of ${MODEL.pathname.split('/').pop()}.`);
  const file = await openModelFile(MODEL);
  await file.close();
  const loaded = file.tensors.reduce((sum, { shape }) => sum + shape.reduce((product, n) => product * n, 1), 0);
  const shipped = architectureOf(file.config, file.tensors);
  const counted = countWeights(shipped);
  const { layers, dModel: d, heads, kvHeads } = shipped;
  showValues({ tensors: file.tensors.length, loaded: grouped(loaded), counted: grouped(counted.total), heads,
    'kv-heads': kvHeads, ratio: trimmed(counted.attention / (layers * d * d), 3) });

  const gpt3 = countWeights(GPT3);
  showValues({ 'gpt3-layers': GPT3.layers, 'gpt3-d': grouped(GPT3.dModel), 'gpt3-attention': grouped(gpt3.attention),
    'gpt3-training': power(6 * gpt3.total * TRAINED.gpt3, 2),
    'gpt3-billion': trimmed(gpt3.attention / 1e9, 0), 'without-four': grouped(GPT3.layers * GPT3.dModel ** 2) });

  /** @type {Record<string, Architecture>} */
  const models = { ...GPTS, [SHIPPED]: shipped };
  let chosen = Object.keys(models)[0];
  let { layers: depth, dModel: width } = GPT3;

  function show() {
    const whole = models[chosen];
    const { dModel, heads: among, dHead = dModel / among, dFeedForward = 4 * dModel } = whole;
    const scale = width / dModel;
    const model = { ...whole, layers: depth, dModel: width, dHead: dHead * scale, dFeedForward: dFeedForward * scale };
    const { parts, total, attention } = countWeights(model);
    element('parts').replaceChildren(...parts.map(({ name, kind, shape, copies, weights }) => h('tr', {},
      h('th', { scope: 'row' }, ...withFormulas(/_/.test(name) ? `${kind} ${name}` : name)),
      h('td', {}, shape.map(grouped).join(' × ')),
      h('td', {}, grouped(copies)), h('td', {}, grouped(weights)), h('td', {}, percentageOf(weights, total)))));
    drawing.show(Object.fromEntries(Object.entries(BOXES).map(([id, names]) => {
      const weights = parts.filter(({ name }) => names.test(name)).reduce((sum, part) => sum + part.weights, 0);
      return [id, { data: [weights / total], rows: ['share of all weights'], columns: [`${grouped(weights)} weights`],
        shade: 'weight' }];
    })));
    showValues({ total: grouped(total), attention: grouped(attention), bytes: sizeOf(2 * total) });
  }

  const names = Object.fromEntries(Object.keys(models).map((name) => [name, name]));
  addSelect(element('controls'), 'Model', names, (value) => {
    chosen = value;
    depth = models[chosen].layers;
    width = models[chosen].dModel;
    layersSlider.value = String(depth);
    widthSlider.value = '0';
    for (const each of [layersSlider, widthSlider]) each.dispatchEvent(new Event('input'));
  });
  const layersSlider = addSlider(element('controls'), { label: 'Layers', min: 1, max: 128, step: 1, value: depth },
    (value) => {
    depth = value;
    show();
  });
  const widthSlider = addSlider(element('controls'), { label: 'Width', min: -2, max: 2, step: 1, value: 0,
    format: (value) => `d = ${grouped(models[chosen].dModel * 2 ** value)}` }, (value) => {
    width = models[chosen].dModel * 2 ** value;
    show();
  });
  show();
  showWork({
    [SHIPPED]: { architecture: shipped, trained: TRAINED.stories },
    'SmolLM2-135M': { architecture: SMOLLM2, trained: TRAINED.smollm2 },
    'GPT-2 small': { architecture: GPTS['GPT-2 small'] },
    'GPT-2 XL': { architecture: GPTS['GPT-2 XL'] },
    'GPT-3': { architecture: GPT3, trained: TRAINED.gpt3 },
  }, MODEL, SHIPPED);
});
