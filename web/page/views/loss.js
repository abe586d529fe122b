/** The view Loss: the text, colored by the loss of each token, and how the changes of the run change it. */
import '../../elements/define/token-loss.js';
import { h } from '../../elements/dom.js';
import { hasSameIds } from '../text-history.js';

/** @type {import('../views.js').MakeView} */
export function makeView() {
  const loss = h('heed-token-loss');
  /** @type {import('../views.js').Scene['selectToken'] | null} */
  let selectToken = null;
  /** The losses without changes, which stay while only the changes of the run differ.
   *  @type {{ model: object, ids: number[], logprobs: Float32Array } | null} */
  let unchanged = null;
  loss.addEventListener('heed-token-select', ({ detail: { position } }) => {
    if (position !== null) selectToken?.(position);
  });
  return {
    element: loss,
    explanation: 'The color of a token is its loss, which is large if the model found the token improbable; select a '
      + 'generated token to see its candidates.',
    lesson: { name: '18-logits', title: 'Lesson 18 explains the loss' },
    async show({ generation, provenance, selectToken: select }, { signal, onProgress }) {
      const ids = [...generation.ids];
      const tokens = [...generation.tokens];
      if (ids.length < 2) throw new Error('The first token of a text is not predicted. Write another token.');
      const data = await generation.borrow(async (model, either) => {
        loss.setAttribute('name', model.info.name);
        const edits = generation.edits(ids.length - 1);
        const known = unchanged?.model === model && hasSameIds(unchanged, { ids }) ? unchanged.logprobs : null;
        const runs = Number(known === null) + Number(edits.length > 0);
        const score = async (/** @type {number} */ run, /** @type {{ edits?: typeof edits }} */ options) => {
          const { logprobs } = await model.score(ids, { ...options, signal: either,
            onProgress: ({ done, total }) => onProgress((run + done / total) / runs, `Token ${done} of ${total}`) });
          return logprobs;
        };
        const before = known ?? await score(0, {});
        unchanged = { model, ids, logprobs: before };
        return edits.length === 0 ? { tokens, logprobs: before }
          : { tokens, logprobs: await score(runs - 1, { edits }), before };
      }, { signal });
      signal.throwIfAborted();
      selectToken = select;
      loss.provenance = provenance;
      loss.data = /** @type {any} */ (data);
    },
  };
}
