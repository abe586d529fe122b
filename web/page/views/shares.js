/** The view Shares: the tokens of the source on which the selected token of the text depends. */
import '../../elements/define/token-shares.js';
import { placeName } from '../../draw/sentence.js';
import { h } from '../../elements/dom.js';
import { integratedGradients } from '../../../js/insight/integrated-gradients.js';

/** Points of the path from the mean embedding to the source, each a run and its gradient. */
const STEPS = 32;

/** @typedef {import('../../../js/insight/index.js').IntegratedGradients} IntegratedGradients */

/** @type {import('../views.js').MakeView} */
export function makeView() {
  const element = h('heed-token-shares');
  /** The last shares, which stay while source, text and changes of the run are the same.
   *  @type {{ key: string, shares: IntegratedGradients } | null} */
  let known = null;
  return {
    element,
    uses: ['token'],
    explanation: 'The color of a token of the source is its share in the log-probability of the selected token of the '
      + 'text: orange raises it, and purple lowers it.',
    lesson: { name: '10-encoder-decoder', title: 'Lesson 10 explains encoder–decoders' },
    async show({ generation, selected, provenance }, { signal, onProgress }) {
      const { ids, tokens, sourceIds: source = [], promptLength } = generation;
      const at = selected ?? ids.length - 1;
      if (at < promptLength) throw new Error('This token begins every text. Select a token that the model wrote.');
      const [read, of, edits] = [ids.slice(0, at), { logprob: ids[at] }, generation.edits(at)];
      const metric = `log-probability of ${placeName({ token: tokens[at], at })}`;
      const shares = await generation.borrow(async (model, either) => {
        element.setAttribute('name', model.info.name);
        const key = JSON.stringify([model.info.name, [...source], read, of, edits]);
        if (known?.key !== key) {
          const found = await integratedGradients(model, read, { of, source, edits, steps: STEPS, signal: either,
            onProgress: ({ done, total }) => onProgress(done / total, `Run ${done} of ${total}`) });
          known = { key, shares: found };
        }
        return known.shares;
      }, { signal });
      signal.throwIfAborted();
      element.provenance = provenance;
      element.data = { ...shares, metric };
    },
  };
}
