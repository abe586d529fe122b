/** The view Shares: the tokens before the selected token, or of the source, on which the selected token depends. */
import '../../elements/define/token-shares.js';
import { placeName } from '../../draw/sentence.js';
import { h } from '../../elements/dom.js';
import { integratedGradients } from '../../../js/insight/integrated-gradients.js';

/** Points of the path from the mean embedding to the tokens, each a run and its gradient. */
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
    explanation: 'The color of a token is its share in the log-probability of the token that is selected in the text: '
      + 'orange raises it, and purple lowers it.',
    lesson: { name: '14-find-out-why', title: 'Lesson 14 finds the causes of a prediction' },
    async show({ generation, selected, provenance }, { signal, onProgress }) {
      const ids = [...generation.ids];
      const tokens = [...generation.tokens]; // with the token that fills the context
      const { sourceIds: source, promptLength } = generation;
      const at = selected ?? ids.length - 1;
      if (at < (source ? promptLength : 1)) {
        throw new Error(source ? 'This token begins every text. Select a token that the model wrote.'
          : 'The first token of a text is not predicted. Select or write another token.');
      }
      const read = ids.slice(0, at);
      const of = { logprob: ids[at] };
      const edits = generation.edits(at);
      const metric = `log-probability of ${placeName({ token: tokens[at], at })}`;
      const shares = await generation.borrow(async (model, either) => {
        element.setAttribute('name', model.info.name);
        const key = JSON.stringify([model.info.name, source, read, of, edits]);
        if (known?.key !== key) {
          const found = await integratedGradients(model, read, { of, edits, steps: STEPS, ...(source && { source }),
            signal: either, onProgress: ({ done, total }) => onProgress(done / total, `Run ${done} of ${total}`) });
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
