/** The view Residual stream: its norm by layer and token, and what attention and MLP add. */
import '../../elements/define/residual.js';
import { h } from '../../elements/dom.js';
import { residualNorms } from '../../../js/insight/residual-norms.js';

/** @type {import('../views.js').MakeView} */
export function makeView() {
  const residual = h('heed-residual');
  return {
    element: residual,
    explanation: 'Each cell is the length of the residual vector of a token after a layer. It grows if attention '
      + 'or the MLP adds a large vector.',
    lesson: { name: '06-block', title: 'Lesson 6 explains the residual stream' },
    async show({ generation, ids, provenance }, { signal, onProgress }) {
      const data = await generation.borrow((model, either) => {
        residual.setAttribute('name', model.info.name);
        return residualNorms(model, ids, { edits: generation.edits(ids.length), signal: either,
          onProgress: ({ done, total }) => onProgress(done / total, `Layer ${done} of ${total}`) });
      }, { signal });
      signal.throwIfAborted();
      residual.provenance = provenance;
      residual.data = /** @type {any} */ (data);
    },
  };
}
