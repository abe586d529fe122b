/** The view Lines: lines between the words for the open head, and for heads that the user adds. */
import '../../elements/define/attention-lines.js';
import { COLORS } from '../../draw/categorical.js';
import { h } from '../../elements/dom.js';
import { formatInteger } from '../format.js';

/** Most weights requested: 16 MB. Of a longer text, the last rows are shown. */
const WEIGHTS = 4 << 20;

/** @typedef {{ layer: number, head: number }} Head */

/** @type {import('../views.js').MakeView} */
export function makeView(onState) {
  const lines = h('heed-attention-lines');
  const chips = h('div', { class: 'view-controls', role: 'group', 'aria-label': 'Heads with lines' });
  const note = h('p', { class: 'note', hidden: true });
  /** Heads beside the open one. @type {Head[]} */
  let added = [];

  /** @param {Head[]} heads @param {import('../../../js/index.js').Model['info']} info */
  function showChips(heads, info) {
    const select = h('select', { 'aria-label': 'Add a head' }, h('option', { value: '' }, 'Add a head'));
    for (let layer = 0; layer < info.layers; layer++) {
      for (let head = 0; head < info.heads; head++) select.append(h('option', {}, `${layer}.${head}`));
    }
    select.disabled = heads.length === COLORS;
    select.addEventListener('change', () => {
      added = [...added, ...headsIn(select.value)];
      onState();
    });
    chips.replaceChildren(`Open head ${nameOf(heads[0])}`, ...heads.slice(1).map((head) => {
      const chip = h('button', { type: 'button', 'aria-label': `Remove head ${nameOf(head)}` }, `${nameOf(head)} ×`);
      chip.addEventListener('click', () => {
        added = added.filter((each) => nameOf(each) !== nameOf(head));
        onState();
      });
      return chip;
    }), select);
  }

  return {
    element: h('div', { class: 'panel' }, chips, note, lines),
    uses: ['head'],
    explanation: 'Each line runs from a token to a token that it attends to, and is thicker the larger the weight.',
    lesson: { name: '04-heads', title: 'Lesson 4 explains heads' },
    get state() {
      return added.map(nameOf).join(',');
    },
    set state(text) {
      added = headsIn(text);
    },
    async show({ model, generation, head, tokens, provenance }, { signal, onProgress }) {
      const { layers, heads: across, maps, name } = model.info;
      if (!maps) throw new Error('This model was loaded without attention maps.');
      const heads = [head, ...added.filter((each) => nameOf(each) !== nameOf(head) && each.layer < layers
        && each.head < across)].slice(0, COLORS);
      showChips(heads, model.info);
      const { length } = tokens;
      const rows = Math.min(length, Math.max(1, Math.floor(WEIGHTS / (heads.length * length))));
      const data = await generation.borrow(async (model, either) => {
        const all = [];
        for (const [i, each] of heads.entries()) {
          either.throwIfAborted();
          onProgress(i / heads.length, `Reading head ${nameOf(each)}`);
          const map = await model.attention({ ...each, queries: [length - rows, length], position: length });
          all.push({ ...map, tokens, causal: !model.info.bidirectional });
        }
        return all;
      }, { signal, reads: true });
      signal.throwIfAborted();
      note.hidden = rows === length;
      note.textContent = `The text is long: lines of its last ${formatInteger(rows)} tokens are shown.`;
      lines.setAttribute('name', name);
      lines.provenance = provenance;
      lines.data = data;
    },
  };
}

/** @param {Head} head */
const nameOf = ({ layer, head }) => `${layer}.${head}`;

/** The heads in a text such as `4.4,2.1`. @param {string} text @returns {Head[]} */
const headsIn = (text) => [...text.matchAll(/(\d{1,4})\.(\d{1,4})/g)].map(([, layer, head]) =>
  ({ layer: Number(layer), head: Number(head) }));
