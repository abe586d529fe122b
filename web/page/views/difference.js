/** The view Difference: the open head on another text, or after the edits, minus the open head on the text. */
import { h } from '../../elements/dom.js';

/** Most tokens that are compared: three maps of 16 MB. */
const TOKENS = 2048;

/** @type {import('../views.js').MakeView} */
export function makeView(onState) {
  const map = h('heed-attention-map', { difference: true });
  const text = h('input', { type: 'text', maxlength: 500, spellcheck: 'false', 'aria-label': 'Other text' });
  const form = h('form', { class: 'view-controls' }, h('label', {}, 'Compare with '), text, h('button', {}, 'Compare'));
  const note = h('p', { class: 'note', 'data-note': true });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    onState();
  });
  return {
    element: h('div', { class: 'panel' }, form, note, map),
    uses: ['head'],
    explanation: 'Colors show how the attention of the open head differs: orange is more, and purple is less.',
    lesson: { name: '14-find-out-why', title: 'Lesson 14 compares runs with and without a cut' },
    get state() {
      return text.value;
    },
    set state(other) {
      text.value = other;
    },
    async show({ generation, ids, tokens, head, provenance }, { signal, onProgress }) {
      const edits = generation.edits(ids.length);
      const compares = text.value !== '';
      map.hidden = !compares && edits.length === 0;
      if (map.hidden) {
        note.textContent = 'Cut a head to see its effect on other heads, or enter another text.';
        return;
      }
      const { data, names, length, model } = await generation.borrow(async (model, either) => {
        const otherIds = compares ? [...await model.encode(text.value)] : ids;
        const count = Math.min(ids.length, otherIds.length, TOKENS);
        const run = async (/** @type {number[]} */ of, /** @type {typeof edits} */ withEdits) => {
          await model.runWithHooks(of.slice(0, count), withEdits, { signal: either });
          return model.attention({ ...head });
        };
        onProgress(0, 'Running the text');
        const before = await run(ids, []);
        onProgress(0.5, compares ? 'Running the other text' : 'Running the text with the changes');
        const after = await run(otherIds, compares ? [] : generation.edits(count));
        const others = await model.tokens(otherIds.slice(0, count));
        return { data: after.data.map((weight, i) => weight - before.data[i]), length: count, model: model.info.name,
          names: others.map((name, i) => (name === tokens[i] ? name : `${tokens[i]}→${name.trimStart()}`)) };
      }, { signal });
      signal.throwIfAborted();
      const subject = compares ? 'The other text minus the text' : 'After the changes minus before';
      const same = compares ? 'Both texts have the same attention here.'
        : 'No weight differs: these changes reach only heads of later layers.';
      note.textContent = `${subject}, ${length} tokens, layer ${head.layer}, head ${head.head}.${
        data.some((difference) => difference !== 0) ? '' : ` ${same}`}`;
      map.setAttribute('name', `${model}: ${subject.toLowerCase()}`);
      map.provenance = compares ? { ...provenance, prompt: text.value, subtractedPrompt: provenance.prompt }
        : provenance;
      map.data = { data, queries: length, keys: length, firstQuery: 0, tokens: names, ...head };
    },
  };
}
