/** Encoder–decoders on the page: a source, its text, and the maps of encoder, decoder and cross-attention. */
import '../../elements/define/token-strip.js';
import { h } from '../../elements/dom.js';
import { headOf } from '../address.js';
import { MapController } from '../map-controller.js';
import { fieldOf, figures, view } from '../view.js';
import { arrange } from './arrange.js';
import { Translation } from './translation.js';

/** @typedef {import('../edits/change.js').Part} Part */

/** Names of the parts, and the rows and columns of their maps. @type {Record<Part, [name: string, note: string]>} */
const PARTS = {
  cross: ['Cross-attention', 'Each row is a token that was written, each column a token of the source.'],
  encoder: ['Encoder', 'Rows and columns are tokens of the source. Each token attends to the tokens before and after.'],
  decoder: ['Decoder', 'Rows and columns are tokens that were written. Each token attends to the tokens before it.'],
};

/** Sources. T5 reads its task from the first words. */
const EXAMPLES = [['A house', 'The house is small.'], ['A question', 'Where is the station?'],
  ['A long one', 'The cat that chased the mouse is tired, because the mouse was faster.']];
const TASK = 'translate English to German: ';
/** Longest text at first, and most beams. */
const LENGTH = 100;
const BEAMS = 16;
/** Settings that do not apply. */
const SAMPLER = ['temperature', 'top-k', 'top-p', 'repeat-penalty', 'seed'];

/** @type {import('../kinds.js').KindModule['openKind']} */
export async function openKind(app, model, events, address) {
  const parts = /** @type {NonNullable<typeof model.info.parts>} */ (model.info.parts);
  const task = model.info.architecture === 't5' ? TASK : '';
  /** @type {string[]} */
  let sourceTokens = [];
  let part = partOf(address);

  const source = h('heed-token-strip',
    { id: 'source', label: 'Tokens of the source', name: `${model.info.name}, source` });
  figures.add(source);
  const beams = h('input', { type: 'number', id: 'beams', form: 'write', required: true, min: 1, max: BEAMS,
    value: beamsOf(address) });
  const beamsField = h('label', {}, 'Beams ', beams);
  beamsField.title = '1: the likeliest token at each position. More: the search continues several texts at once.';
  const found = h('ol', { class: 'found', 'aria-label': 'Texts that the search found' });
  const examples = h('div', { class: 'examples', role: 'group', 'aria-label': 'Example sources' },
    ...EXAMPLES.map(([name, text]) => button(name, () => {
      view.prompt.value = task + text;
      void app.generate();
    })));
  const radios = Object.entries(PARTS).map(([name, [label]]) => {
    const radio = h('input', { type: 'radio', name: 'part', value: name, id: `part-${name}`, checked: name === part });
    radio.addEventListener('change', () => void choose(/** @type {Part} */ (name)).then(() => app.saveAddress()));
    return { radio, label: h('label', { for: `part-${name}` }, radio, ` ${label}`) };
  });
  const chooser = h('fieldset', { class: 'parts' }, h('legend', {}, 'Maps of'), ...radios.map(({ label }) => label));
  const note = h('p', { class: 'note', id: 'part-note' });

  const translation = new Translation(model, { ...events, onTokens: (from, rows) => {
    events.onTokens(from, rows);
    maps.follow().catch((error) => app.fail(error)); // the rows of the part arrive after the tokens
  } }, {
    onReading: () => maps.drop(),
    onSource: (tokens) => {
      sourceTokens = source.tokens = tokens;
    },
    onTexts: (texts) => {
      found.hidden = texts.length === 0;
      const { start } = parts;
      found.replaceChildren(...texts.map(({ ids, text, score }) => h('li', {}, button(text || '(empty)', () =>
        void app.showText({ prompt: translation.prompt ?? '', promptLength: start.length, ids: [...start, ...ids],
          candidates: [] })), ` ${score.toFixed(2).replace('-', '−')}`)));
    },
    beams: () => beams.valueAsNumber,
  });

  /** @type {Record<Part, import('../map-controller.js').MapForm>} */
  const forms = {
    cross: { kind: 'cross', of: 'cross', layers: parts.cross.layers, keys: () => sourceTokens,
      light: (query, weights = null, key = null) => {
        view.strip.light(query, query === null ? null : new Float32Array(0));
        source.light(query === null ? null : sourceTokens.length, weights, key); // no token of the source is a query
      } },
    encoder: { kind: 'bidirectional', of: 'encoder', layers: parts.encoder.layers, rows: () => sourceTokens,
      light: (query, weights, key) => source.light(query, weights, key) },
    decoder: { kind: 'causal', of: 'decoder', layers: parts.decoder.layers },
  };
  const maps = new MapController(model, view, headOf(address), () => translation.idle(), forms[part]);

  /** Shows the maps of a part. @param {Part} wanted */
  async function choose(wanted) {
    part = wanted;
    [, note.textContent] = PARTS[part];
    for (const { radio } of radios) radio.checked = radio.value === part;
    source.light(null);
    view.strip.light(null);
    await maps.change(forms[part], translation.tokens).catch((error) => app.fail(error));
    app.edits.editor?.show();
  }

  source.addEventListener('heed-token-hover', ({ detail: { position } }) => {
    maps.highlightToken(position, { ofSource: true }).catch((error) => app.fail(error));
  });
  source.addEventListener('heed-token-select', ({ detail: { position } }) => {
    if (position !== null) maps.selectRow(position, { ofSource: true });
  });
  beams.addEventListener('change', () => app.saveAddress());

  const takeBack = arrange({
    hide: [view.step, view.examples, view.chat, view.learn,
      ...SAMPLER.map((name) => `label[data-term="${name}"]`)],
    words: [
      ['#text-heading + .note', 'The encoder reads the source, the decoder writes the text. Edit the source, or try an '
        + 'example.'],
      ['#generate', 'Write'],
      ['#map-panel > .note', note],
    ],
    prompt: task + EXAMPLES[0][1],
  });
  const length = fieldOf('length');
  const isDefault = length.value === length.defaultValue && address.length === undefined;
  if (isDefault) length.value = String(LENGTH);
  view.examples.after(examples);
  view.strip.before(source);
  view.strip.after(found);
  length.parentElement?.after(beamsField);
  view.mapPanel.before(chooser);
  await choose(part);

  return {
    generation: translation, maps, views: ['map', 'shares'], part: () => ({ name: part, source: sourceTokens }),
    address: () => ({ ...(part !== 'cross' && { part }),
      ...(beams.valueAsNumber > 1 && { beams: beams.valueAsNumber }) }),
    openAddress: (next) => {
      beams.value = String(beamsOf(next));
      void choose(partOf(next));
    },
    close() {
      takeBack();
      if (isDefault && length.value === String(LENGTH)) length.value = length.defaultValue;
      figures.delete(source);
      for (const element of [examples, source, found, beamsField, chooser]) element.remove();
    },
  };
}

/** The part of an address. @param {import('../address.js').Address} address @returns {Part} */
const partOf = ({ part }) => (part === 'encoder' || part === 'decoder' ? part : 'cross');

/** The beams of an address. @param {import('../address.js').Address} address */
const beamsOf = ({ beams = 1 }) => Math.min(BEAMS, Math.max(1, Math.round(beams)));

/** @param {string} text @param {() => void} onClick */
function button(text, onClick) {
  const element = h('button', { type: 'button' }, text);
  element.addEventListener('click', onClick);
  return element;
}
