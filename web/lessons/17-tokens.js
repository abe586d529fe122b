/** A text as tokens, the pairs that made them, and their rows of the embedding matrix. */
import { openModelFile } from '../../js/files/model-file.js';
import { load } from '../../js/index.js';
import { lab } from '../../js/lab/index.js';
import { readable } from '../../js/text/text.js';
import { showMerges, wordsOf } from './17-tokens-merges.js';
import { showLookup, showNeighbors, showTied } from './17-tokens-vectors.js';
import { EMBEDDING } from './drawings/17-tokens.js';
import { Drawing } from './kit/drawing.js';
import { grouped } from './kit/format.js';
import { element, lesson, showProgress, showValues } from './kit/page.js';
import { Pieces } from './kit/pieces.js';
import { connectField, lengthProblem } from './kit/text-field.js';
import { Turns } from './kit/turns.js';

const MODEL = new URL('../../models/stories.gguf', import.meta.url);
const EXAMPLES = ['A cat saw a dragonfly, and the cat ran.', 'She was unhappily surprised.', 'Lily loves Lily.',
  'Strawberries cost 3.50 today!', 'Le café est à Zürich 🙂', 'antidisestablishmentarianism'];
/** Characters of the longest text. */
const LONGEST = 120;

/** @typedef {import('../../js/text/tokenizer.js').Tokenizer} Tokenizer */

/** 1 token, 2 tokens. @param {number} n @param {string} noun */
const counted = (n, noun) => `${n} ${noun}${n === 1 ? '' : 's'}`;

lesson(async () => {
  const drawing = new Drawing(element('drawing'), EMBEDDING);
  showProgress('Loading the stories model.');
  const file = await openModelFile(MODEL);
  await file.close();
  const [model, l] = await Promise.all([load(MODEL), lab()]);
  const tokenizer = /** @type {Tokenizer} */ (file.tokenizer);
  const kind = String(file.metadata['tokenizer.ggml.pre']);
  const table = /** @type {{ data: Float32Array }} */ (await model.weight('token_embd.weight'));
  const { vocabulary, dModel } = model.info;
  const W_E = l.tensor(table.data, { token: vocabulary, feature: dModel });
  const textOf = (/** @type {number} */ id) => {
    const bytes = tokenizer.bytes(id);
    return bytes.length > 0 ? readable(bytes) : tokenizer.token(id);
  };
  const turns = new Turns();
  const pieces = new Pieces(element('tokens'), 'Tokens of the text');
  const updateMerges = showMerges(file);
  const updateLookup = showLookup(l, W_E, model, turns, textOf, (row) =>
    drawing.show({ x: { data: row, rows: 1, columns: dModel } }));
  const field = /** @type {HTMLInputElement} */ (element('text'));

  async function show() {
    const text = field.value;
    const characters = [...text].length;
    const refused = lengthProblem(text, LONGEST, 'text');
    element('refused').textContent = refused && `${refused} The figure still shows the text before.`;
    if (refused) return;
    const ids = tokenizer.encode(text, { special: false });
    const texts = Array.from(ids, textOf);
    const words = wordsOf(text, kind);
    const whole = words.filter((word) => tokenizer.encode(word, { special: false }).length === 1).length;
    const bytes = new TextEncoder().encode(text).length;
    pieces.update(texts.map((piece, i) => ({ text: piece, below: ids[i] })));
    const squares = Object.fromEntries(Object.entries({ bytes, '': ids.length, words: words.length }).map(([name, n]) =>
      [name ? `${name}-cells` : 'cells', grouped(n * n)]));
    showValues({ pieces: `${counted(ids.length, 'token')} for ${counted(characters, 'character')}`, bytes,
      count: ids.length, words: words.length, whole, vocabulary: grouped(vocabulary), ...squares });
    updateMerges(text, texts);
    await updateLookup(ids);
  }

  connectField(field, element('examples'), EXAMPLES, show);
  showNeighbors(l, W_E, tokenizer, textOf);
  await show();
  await showTied(l, W_E, model, await model.encode(EXAMPLES[0]));
});
