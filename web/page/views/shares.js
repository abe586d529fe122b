/** The view Shares: the tokens before the selected token, or of the source, on which the selected token depends. */
import '../../elements/define/token-shares.js';
import { placeName } from '../../draw/sentence.js';
import { h } from '../../elements/dom.js';
import { integratedGradients } from '../../../js/insight/integrated-gradients.js';
import { LastResult } from './last-result.js';
import { predictedToken } from './predicted-token.js';

/** Points of the path from the mean embedding to the tokens, each a run and its gradient. */
const STEPS = 32;

/** @typedef {import('../../../js/insight/index.js').IntegratedGradients} IntegratedGradients */

/** @type {import('../views.js').MakeView} */
export function makeView() {
  const element = h('heed-token-shares');
  /** @type {LastResult<IntegratedGradients>} */
  const last = new LastResult();
  return {
    element,
    uses: ['token'],
    explanation: 'The color of a token is its share in the log-probability of the token that is selected in the text: '
      + 'orange raises it, and purple lowers it.',
    lesson: { name: '14-find-out-why', title: 'Lesson 14 finds the causes of a prediction' },
    async show({ generation, selected, provenance }, { signal, onProgress }) {
      const { ids, tokens, at } = predictedToken({ generation, selected });
      const { sourceIds: source } = generation;
      const read = ids.slice(0, at);
      const of = { logprob: ids[at] };
      const edits = generation.edits(at);
      const metric = `log-probability of ${placeName({ token: tokens[at], at })}`;
      const shares = await generation.borrow(async (model, either) => {
        element.setAttribute('name', model.info.name);
        return last.of(model, [source, read, of, edits], () => integratedGradients(model, read, {
          of, edits, steps: STEPS, ...(source && { source }), signal: either,
          onProgress: ({ done, total }) => onProgress(done / total, `Run ${done} of ${total}`) }));
      }, { signal });
      signal.throwIfAborted();
      element.provenance = provenance;
      element.data = { ...shares, metric };
    },
  };
}
