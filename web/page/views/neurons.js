/** The view Neurons: the neurons of a layer that write toward the selected token, or toward the last one. */
import '../../elements/define/neurons.js';
import { h } from '../../elements/dom.js';
import { directLogitAttribution } from '../../../js/insight/direct-logit-attribution.js';
import { neuronWords } from './neuron-words.js';
import { LastResult } from './last-result.js';
import { predictedToken } from './predicted-token.js';

/** Number of neurons in the list. */
const LISTED = 12;
/** Number of tokens that a neuron raises, and that it lowers. */
const WORDS = 6;
/** The activation in which edits cut neurons. */
const CUT_HOOK = 'mlp.hook_post';

/** @typedef {import('../../../js/index.js').Model} Model */
/** @typedef {import('../../../js/index.js').Edit} Edit */
/** @typedef {import('../../../js/insight/index.js').Attribution<'neuron'>} Attribution */

/** @type {import('../views.js').MakeView} */
export function makeView(onState) {
  const neurons = h('heed-neurons', { editable: true });
  const select = h('select', { 'aria-label': 'Layer' });
  const controls = h('div', { class: 'view-controls' }, h('label', {}, 'Neurons of ', select));
  /** Layer that the user chose; empty for the layer with the largest part. */
  let chosen = '';
  /** @type {LastResult<Attribution>} */
  const last = new LastResult();
  /** @type {import('../views.js').Scene['cutNeuron'] | null} */
  let cutNeuron = null;
  neurons.addEventListener('heed-neuron-cut', ({ detail }) => cutNeuron?.(detail));
  select.addEventListener('change', () => {
    chosen = select.value;
    onState();
  });

  return {
    element: h('div', { class: 'panel' }, controls, neurons),
    uses: ['token'],
    explanation: 'Each bar is the part of the logit of this token that a neuron of a feed-forward network wrote; the '
      + 'words show where the selected neuron is active, orange if positive and purple if negative.',
    lesson: { name: '06-block', title: 'Lesson 6 explains feed-forward networks' },
    get state() {
      return chosen;
    },
    set state(state) {
      chosen = /^\d{1,4}$/.test(state ?? '') ? String(state) : '';
    },
    async show({ generation, selected, provenance, cutNeuron: cut }, { signal, onProgress }) {
      const { ids, tokens, at } = predictedToken({ generation, selected });
      // Cut neurons stay in the list, with their part of the run without the cut.
      const isCut = (/** @type {Edit} */ { hook, scale }) => scale === 0 && Boolean(hook?.endsWith(CUT_HOOK));
      const [cuts, edits] = [true, false].map((want) => generation.edits(at).filter((edit) => isCut(edit) === want));
      const read = ids.slice(0, at);
      const data = await generation.borrow(async (model, either) => {
        const of = { logit: ids[at] };
        const parts = await last.of(model, [read, of, edits], () => directLogitAttribution(model, read, {
          of, by: 'neuron', edits, signal: either,
          onProgress: ({ done, total }) => onProgress(done / total, `Layer ${done} of ${total}`) }));
        const strongest = strongestLayer(parts);
        const layer = chosen !== '' && Number(chosen) < model.info.layers ? Number(chosen) : strongest;
        showLayers(select, model.info.layers, layer, strongest);
        neurons.setAttribute('name', model.info.name);
        const found = await neuronsOf(model, read, { layer, edits, parts, signal: either });
        return { ...found, cut: cuts.filter(({ hook }) => hook === `blocks.${layer}.${CUT_HOOK}`)
          .flatMap(({ columns }) => (columns ? [columns[0]] : [])) };
      }, { signal });
      signal.throwIfAborted();
      cutNeuron = cut;
      neurons.provenance = provenance;
      neurons.data = { ...data, tokens: tokens.slice(0, at), token: tokens[at],
        after: { token: tokens[at - 1], at: at - 1 } };
    },
  };
}

/** The layer of the largest part. @param {Attribution} parts */
function strongestLayer({ data, axes: { neuron } }) {
  let most = 0;
  data.forEach((part, i) => { if (Math.abs(part) > Math.abs(data[most])) most = i; });
  return Math.floor(most / neuron.length);
}

/** @param {HTMLSelectElement} select @param {number} layers @param {number} layer @param {number} strongest */
function showLayers(select, layers, layer, strongest) {
  select.replaceChildren(...Array.from({ length: layers }, (_, each) => h('option', { value: each },
    `layer ${each}${each === strongest ? ', the strongest' : ''}`)));
  select.value = String(layer);
}

/**
 * The neurons of a layer with the largest parts: their activations, and the tokens that they raise and lower.
 * @param {Model} model
 * @param {number[]} ids
 * @param {{ layer: number, parts: Attribution, edits: Edit[], signal: AbortSignal }} request
 */
async function neuronsOf(model, ids, { layer, parts, edits, signal }) {
  const count = parts.axes.neuron.length;
  const own = parts.data.subarray(layer * count, (layer + 1) * count);
  const neuron = Array.from(own, (_, i) => i).sort((a, b) => Math.abs(own[b]) - Math.abs(own[a])).slice(0, LISTED);
  const hook = `blocks.${layer}.${CUT_HOOK}`;
  const { cache } = await model.runWithCache(ids, [hook], { edits, signal });
  const activations = new Float32Array(neuron.length * ids.length);
  neuron.forEach((column, i) => ids.forEach((_, at) => {
    activations[i * ids.length + at] = cache[hook].data[at * count + column];
  }));
  const [raised, lowered] = await neuronWords(model, layer, neuron, WORDS);
  return { layer, data: Float32Array.from(neuron, (i) => own[i]), axes: { neuron }, activations, raised, lowered };
}
