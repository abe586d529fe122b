/** The view Patching: activations of the text, put one at a time into the run of another text. */
import '../../elements/define/heat-map.js';
import { formatNumber, placeName } from '../../draw/sentence.js';
import { tokenName } from '../../draw/token.js';
import { h } from '../../elements/dom.js';
import { patchSweep } from '../../../js/insight/patch-sweep.js';
import { pluralize } from '../format.js';
import { idsIn } from '../generation.js';
import { topTokens } from '../sampler-stages.js';
import { LastResult } from './last-result.js';
import { predictedToken } from './predicted-token.js';

/** @typedef {Awaited<ReturnType<typeof sweep>>} Found */

/** @type {import('../views.js').MakeView} */
export function makeView(onState) {
  const map = h('heed-heat-map', { label: 'effect' });
  const other = h('input', { type: 'text', spellcheck: 'false', 'aria-label': 'Other text' });
  const form = h('form', { class: 'view-controls' }, h('label', {}, 'Other text '), other, h('button', {}, 'Patch'));
  const note = h('p', { class: 'note' });
  /** The text before the selected token, which the field has until the user changes it. */
  let own = '';
  /** @type {LastResult<Found>} */
  const last = new LastResult();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    onState();
  });
  return {
    element: h('div', { class: 'panel' }, form, note, map),
    uses: ['token'],
    explanation: 'Each cell puts one activation of this text into the run of another text. Orange cells bring back the '
      + 'prediction of this text, so they carry what the texts differ in.',
    lesson: { name: '14-find-out-why', title: 'Lesson 14 patches activations' },
    get state() {
      return other.value === own ? '' : other.value;
    },
    set state(text) {
      other.value = text;
    },
    async show({ generation, selected, provenance }, { signal, onProgress }) {
      const { ids, tokens, at } = predictedToken({ generation, selected });
      const place = { token: tokens[at], at };
      const found = await generation.borrow(async (model, either) => {
        const { tokenizer, name } = model.info;
        map.setAttribute('name', name);
        const read = ids.slice(0, at);
        const text = tokenizer ? await model.decode(read) : read.join(', ');
        if (other.value === own || other.value === '') other.value = text;
        own = text;
        if (other.value === own) return null;
        const otherIds = [...tokenizer ? await model.encode(other.value) : idsIn(other.value, 'text')];
        if (otherIds.length !== at) {
          throw new Error(`The other text has ${pluralize(otherIds.length, 'token')}, and the text before `
            + `${placeName(place)} has ${at}. Replace words by words of as many tokens.`);
        }
        return last.of(model, [read, ids[at], otherIds], () => sweep(model, read, ids[at], otherIds, { signal: either,
          onProgress: ({ done, total }) => onProgress(done / total, `Run ${done} of ${total}`) }));
      }, { signal });
      signal.throwIfAborted();
      map.hidden = found === null;
      if (found === null) {
        note.textContent = `Change a word of the other text, so that the model predicts another token than ${
          placeName(place)}.`;
        return;
      }
      const { metric, clean, corrupted, differs, data, axes } = found;
      note.textContent = `The ${metric} is ${formatNumber(clean)} in this text (effect 1) and ${
        formatNumber(corrupted)} in the other text (effect 0).${
        differs ? '' : ' The model also predicts this token after the other text, so the effects say little.'}${
        generation.edits(at).length ? ' Both runs are without the changes.' : ''}`;
      map.provenance = { ...provenance, changes: `one activation at a time, put into the run of “${other.value}”` };
      map.data = { data, axes };
    },
  };
}

/**
 * The effect of each activation on the logit of an id. If the other text predicts another id, its logit is subtracted.
 * @param {import('../../../js/index.js').Model} model
 * @param {number[]} ids of the text @param {number} id of the token after them
 * @param {number[]} otherIds of the other text
 * @param {{ signal: AbortSignal, onProgress: (progress: { done: number, total: number }) => void }} run
 */
async function sweep(model, ids, id, otherIds, { signal, onProgress }) {
  const [likeliest] = topTokens(await model.runWithHooks(otherIds, [], { signal }), 1);
  const [name, rival] = (await model.tokens([id, likeliest.id])).map(tokenName);
  const differs = likeliest.id !== id;
  /** @type {import('../../../js/model/metric.js').Metric} */
  const of = differs ? { logitDifference: [id, likeliest.id] } : { logit: id };
  const { data, axes, clean, corrupted } = await patchSweep(model, ids,
    { corrupted: otherIds, of, signal, onProgress });
  const others = await model.tokens(otherIds);
  const position = axes.position.map((token, i) => (token === others[i] ? token : `${token}→${others[i].trimStart()}`));
  return { data, axes: { ...axes, position }, clean, corrupted, differs,
    metric: differs ? `logit of ${name} minus that of ${rival}` : `logit of ${name}` };
}
