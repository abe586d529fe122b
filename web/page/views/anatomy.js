/** The view Anatomy: the whole model with the numbers of the text's run. */
import '../../elements/define/anatomy.js';
import { h } from '../../elements/dom.js';
import { formatInteger, isAbort } from '../format.js';

/** Most scores of a block, 32 MB. Of a longer text, the first tokens are shown. */
const SCORES = 1 << 23;

/** @type {import('../views.js').MakeView} */
export function makeView(onState) {
  const anatomy = h('heed-anatomy', { lessons: './lessons', box: 'pattern' });
  const note = h('p', { class: 'note', hidden: true });
  /** @type {import('../views.js').Scene | null} */
  let scene = null;
  /** Identifies the run that is shown. */
  let shown = '';
  /** Token and box in the page's address, until they are set. */
  let wanted = '';

  anatomy.addEventListener('heed-anatomy-box', ({ detail: { layer, head } }) => {
    if (!scene) return;
    if (layer === scene.head.layer && head === scene.head.head) onState();
    else scene.chooseHead({ layer, head });
  });

  return {
    element: h('div', { class: 'panel' }, note, anatomy),
    uses: ['head'],
    explanation: 'Every number that the model computes for the text, as one row per token; point at one to see the sum '
      + 'that makes it.',
    lesson: { name: '06-block', title: 'Lesson 6 explains blocks' },
    wide: true,
    get state() {
      return [anatomy.position, anatomy.box].join('.');
    },
    set state(state) {
      wanted = state;
    },
    async show(given) {
      const { model, generation, head } = scene = given;
      const { heads, contextLength } = model.info;
      const most = Math.min(contextLength, Math.floor(Math.sqrt(SCORES / heads)));
      const ids = given.ids.slice(0, most);
      const tokens = given.tokens.slice(0, most);
      const edits = generation.edits(ids.length);
      const key = JSON.stringify([ids, edits]);
      note.hidden = given.ids.length <= most;
      note.textContent = `The text is long: its first ${formatInteger(most)} tokens are shown.`;
      if (shown !== key || anatomy.load === null) {
        shown = key;
        anatomy.words = (some) => model.tokens(some);
        anatomy.load = async (names, options) => {
          try {
            return await loadNumbers(given, { ids, edits }, names, options);
          } catch (error) {
            if (!isAbort(error)) throw error;
            // A new text begins. The view is shown again when it ends, and loads again even if the text is the same.
            if (!options.signal.aborted && shown === key) shown = '';
            return new Promise(() => {});
          }
        };
        anatomy.provenance = given.provenance;
        anatomy.data = { info: model.info, tokens };
        anatomy.position = null;
      }
      anatomy.layer = head.layer;
      anatomy.head = head.head;
      const [position, box] = wanted.split('.');
      if (Number(position) < ids.length && position) anatomy.position = Number(position);
      if (box !== undefined) anatomy.box = box;
      wanted = '';
    },
  };
}

/**
 * Runs the text and reads activations, weights and logits.
 * @param {import('../views.js').Scene} scene
 * @param {{ ids: number[], edits: import('../../../js/index.js').Edit[] }} text
 * @param {string[]} names
 * @param {{ position: number, signal: AbortSignal }} options
 */
async function loadNumbers({ model, generation }, { ids, edits }, names, { position, signal }) {
  const { layers, dModel, vocabulary } = model.info;
  const last = `blocks.${layers - 1}.hook_resid_post`;
  const hooks = new Set(names.filter((name) => model.hooks.includes(name)));
  if (names.includes('logits')) hooks.add(last);
  return generation.borrow(async (_, either) => {
    /** @type {Record<string, import('../../draw/anatomy-boxes.js').Activation | null>} */
    const found = hooks.size === 0 ? {}
      : (await model.runWithCache(ids, [...hooks], { edits, signal: either })).cache;
    if (names.includes('logits')) {
      const residual = /** @type {any} */ (found[last]).data.slice(position * dModel, (position + 1) * dModel);
      found.logits = { data: await model.unembed(residual), shape: [vocabulary] };
    }
    for (const name of names) if (!(name in found)) found[name] = await model.weight(name);
    return found;
  }, { signal, reads: hooks.size === 0 });
}
