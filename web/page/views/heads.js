/** The view Head finder: heads ranked by job, on the text or on random tokens that occur twice. */
import '../../elements/define/head-finder.js';
import { h } from '../../elements/dom.js';
import { headScores } from '../../../js/insight/head-scores.js';
import { formatInteger } from '../format.js';

/** Number of random tokens, each of which occurs twice. */
const REPEATED = 64;
/** Number of texts of random tokens, and the seed of their tokens. */
const TEXTS = 4;
const SEED = 1;
/** Most weights of all patterns, about ten seconds on a laptop. Of a longer text, the first tokens are scored. */
const WEIGHTS = 2 ** 26;

/** @type {import('../views.js').MakeView} */
export function makeView(onState) {
  const finder = h('heed-head-finder');
  const select = h('select', {}, h('option', { value: '' }, 'this text'),
    h('option', { value: 'random' }, 'random tokens that occur twice'));
  const chips = h('div', { class: 'view-controls' }, h('label', {}, 'Scores on ', select));
  const note = h('p', { class: 'note', hidden: true });
  /** @type {import('../views.js').Scene['openHead'] | null} */
  let openHead = null;
  finder.addEventListener('heed-head', ({ detail }) => openHead?.(detail));
  select.addEventListener('change', onState);
  return {
    element: h('div', { class: 'panel' }, chips, note, finder),
    explanation: 'Each job lists the heads that give it the most attention; random tokens that occur twice show '
      + 'induction best.',
    lesson: { name: '14-find-out-why', title: 'Lesson 14 finds heads by their job' },
    get state() {
      return select.value;
    },
    set state(text) {
      select.value = text === 'random' ? text : '';
    },
    async show({ model, generation, ids, provenance, openHead: open }, { signal, onProgress }) {
      const { layers, heads } = model.info;
      const most = Math.floor(Math.sqrt(WEIGHTS / (layers * heads)));
      const scored = ids.slice(0, most);
      note.textContent = `The text is long: its first ${formatInteger(most)} tokens are scored.`;
      note.hidden = select.value !== '' || scored.length === ids.length;
      const repeated = Math.min(REPEATED, Math.floor(model.info.contextLength / 2) - 1);
      const data = await generation.borrow((lent, either) => {
        finder.setAttribute('name', lent.info.name);
        return headScores(lent, select.value ? { repeated, texts: TEXTS, seed: SEED } : scored, { signal: either,
          edits: generation.edits(select.value ? 2 * repeated : scored.length),
          onProgress: ({ done, total }) => onProgress(done / total, `Layer ${done} of ${total}`) });
      }, { signal });
      signal.throwIfAborted();
      openHead = open;
      const random = { prompt: `${TEXTS} texts of ${repeated} random tokens that occur twice`, seed: SEED };
      finder.provenance = { ...provenance, ...(select.value && random) };
      finder.data = /** @type {any} */ (data);
    },
  };
}
