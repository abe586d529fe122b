/** Encoders on the page: they read a text at once, fill in hidden words, label texts, or compare sentences. */
import { h } from '../../elements/dom.js';
import { headOf } from '../address.js';
import { MapController } from '../map-controller.js';
import { view } from '../view.js';
import { arrange } from './arrange.js';
import { Reading } from './reading.js';
import { Similarity } from './similarity.js';

/** Texts for each head. */
const EXAMPLES = {
  words: [['A cat', 'The cat sat on the [MASK].'], ['A capital', 'Paris is the capital of [MASK].'],
    ['Two words', 'The [MASK] ate the [MASK].']],
  labels: [['Praise', 'A film with a heart.'], ['Blame', 'Two hours that I will not get back.'],
    ['Both', 'Not bad at all, though far too long.']],
  none: [['A cat', 'The cat sat on the mat.'], ['A question', 'How do cats see in the dark?']],
};

/** @type {import('../kinds.js').KindModule['openKind']} */
export async function openKind(app, model, events, address) {
  const { head, mask, tokenizer, bidirectional } = model.info;
  const kind = bidirectional ? 'bidirectional' : 'causal'; // the texts of CLIP
  const second = h('textarea', { id: 'pair', rows: 2, spellcheck: 'false', placeholder: 'Second text (optional)' });
  second.value = address.pair ?? '';
  const secondLabel = h('label', { for: 'pair' }, 'Second text, for models that compare two (optional)');
  const readsPairs = head === 'labels' && tokenizer && (await model.encode('')).length > 1;
  const reading = new Reading(model, events, readsPairs ? second : undefined);
  const maps = new MapController(model, view, headOf(address), () => reading.idle(), { kind });
  const [maskName] = mask === null ? ['[MASK]'] : await model.tokens([mask]);
  const texts = EXAMPLES[head === 'vector' ? 'none' : head];
  const fitted = (/** @type {string} */ text) => text.replaceAll('[MASK]', maskName);

  const examples = h('div', { class: 'examples', role: 'group', 'aria-label': 'Example texts' },
    ...texts.map(([name, text]) => button(name, () => {
      view.prompt.value = fitted(text);
      second.value = '';
      void app.generate();
    })));
  const hide = button('Hide a word', () => void hideWord());
  hide.title = 'Hides the selected token, or the word at the cursor';
  hide.hidden = head !== 'words' || mask === null;
  const similarity = head === 'none' || head === 'vector' ? new Similarity(reading) : null;

  /** Hides the selected token, else the selection or the word at the cursor of the prompt. */
  async function hideWord() {
    const { selected } = view.strip;
    if (selected !== null && reading.prompt === view.prompt.value && mask !== null) {
      await app.continueFrom(selected, mask);
      return;
    }
    const { value, selectionStart, selectionEnd } = view.prompt;
    const from = value.slice(0, selectionStart).search(/[\p{L}\p{N}’']+$/u);
    const rest = /^[\p{L}\p{N}’']*/u.exec(value.slice(selectionEnd))?.[0].length ?? 0;
    const [start, end] = selectionStart < selectionEnd ? [selectionStart, selectionEnd]
      : [from < 0 ? selectionStart : from, selectionEnd + rest];
    view.prompt.setRangeText(maskName, start, end, 'end');
    await app.generate();
  }

  const takeBack = arrange({
    hide: [view.step, view.examples, view.chat, view.learn, '.settings'],
    words: [
      ['#text-heading + .note', 'An encoder reads the whole text at once. Edit the text, or try an example.'],
      ['#generate', 'Read'],
      ['#next-heading', { words: 'Hidden word', labels: 'Labels', vector: 'Vector', none: 'Vector' }[head]],
      ['#map-panel > .note', 'Each row is a token. A stronger color means more attention to another token, before '
        + `${bidirectional ? 'or after ' : ''}it.`],
    ],
    prompt: fitted(texts[0][1]),
  });
  if (readsPairs) view.prompt.after(secondLabel, second);
  second.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void app.generate();
  });
  view.examples.after(examples);
  view.stop.after(hide);
  if (similarity) view.next.after(similarity.element);

  return {
    generation: reading, maps, views: ['map', 'lines'],
    address: () => (reading.pair ? { pair: reading.pair } : {}),
    openAddress: ({ pair = '' }) => {
      second.value = pair;
    },
    close() {
      takeBack();
      for (const element of [examples, hide, similarity?.element, secondLabel, second]) element?.remove();
    },
  };
}

/** @param {string} text @param {() => void} onClick */
function button(text, onClick) {
  const element = h('button', { type: 'button' }, text);
  element.addEventListener('click', onClick);
  return element;
}
