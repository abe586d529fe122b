/** The view Logit lens: a logit lens over the text. */
import '../../elements/define/logit-lens.js';
import { h } from '../../elements/dom.js';
import { logitLens } from '../../../js/insight/logit-lens.js';
import { formatInteger } from '../format.js';

/** Most multiplications, about a minute on a laptop: 1,000 tokens of a model with 135 million weights. Of a longer
 *  text, the last tokens are shown. */
const PRODUCTS = 1e12;
const TOP = 5;

/** @type {import('../views.js').MakeView} */
export function makeView() {
  const lens = h('heed-logit-lens');
  const note = h('p', { class: 'note', hidden: true });
  return {
    element: h('div', { class: 'panel' }, note, lens),
    explanation: 'Each cell is the token that the model would predict if it ended after that layer; stronger colors '
      + 'are more probable, and bold tokens follow in the text.',
    lesson: { name: '17-tokens', title: 'Lesson 17 explains how a vector becomes logits' },
    async show({ generation, ids, provenance }, { signal, onProgress }) {
      const data = await generation.borrow(async (model, either) => {
        const { layers, vocabulary, dModel } = model.info;
        const rows = Math.max(1, Math.floor(PRODUCTS / ((layers + 1) * vocabulary * dModel)));
        const from = Math.max(0, ids.length - rows);
        note.hidden = from === 0;
        note.textContent = `The text is long: the last ${formatInteger(rows)} tokens are shown.`;
        lens.setAttribute('name', model.info.name);
        return logitLens(model, ids, { top: TOP, positions: [from, ids.length], edits: generation.edits(ids.length),
          signal: either, onProgress: ({ done, total }) => onProgress(done / total, `Layer ${done} of ${total}`) });
      }, { signal });
      signal.throwIfAborted();
      lens.provenance = provenance;
      lens.data = /** @type {any} */ (data);
    },
  };
}
