/** The view Contributions: the parts of the logit of the selected token, or of the last one. */
import '../../elements/define/contributions.js';
import { h } from '../../elements/dom.js';
import { directLogitAttribution } from '../../../js/insight/direct-logit-attribution.js';
import { predictedToken } from './predicted-token.js';

/** @type {import('../views.js').MakeView} */
export function makeView() {
  const parts = h('heed-contributions');
  /** @type {import('../views.js').Scene['openHead'] | null} */
  let openHead = null;
  parts.addEventListener('heed-head', ({ detail }) => openHead?.(detail));
  return {
    element: parts,
    uses: ['token'],
    explanation: 'Each bar is the part of the logit of this token that a component of the model wrote; select another '
      + 'token in the text to see its parts.',
    lesson: { name: '11-classification', title: 'Lesson 11 explains contributions to a logit' },
    async show({ generation, selected, provenance, openHead: open }, { signal, onProgress }) {
      const { ids, tokens, at } = predictedToken({ generation, selected });
      const run = { of: { logit: ids[at] }, position: at - 1, edits: generation.edits(at) };
      const [all, heads] = await generation.borrow(async (model, either) => {
        const by = (/** @type {'layer' | 'head'} */ kind, /** @type {number} */ from) =>
          directLogitAttribution(model, ids.slice(0, at), { ...run, by: kind, signal: either,
            onProgress: ({ done, total }) => onProgress(from + done / total / 2, `Layer ${done} of ${total}`) });
        parts.setAttribute('name', model.info.name);
        return [await by('layer', 0), await by('head', 0.5)];
      }, { signal });
      signal.throwIfAborted();
      openHead = open;
      parts.provenance = provenance;
      const after = { token: tokens[at - 1], at: at - 1 };
      parts.data = /** @type {any} */ ({ ...all, heads, token: tokens[at], after });
    },
  };
}
