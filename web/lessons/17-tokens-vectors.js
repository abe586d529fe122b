/** Rows of the embedding matrix: looked up, compared, rotated by position, and used again at the end. */
import { BarTable } from './kit/bar-table.js';
import { addButton, addSlider, setSlider } from './kit/controls.js';
import { fixed, grouped, magnitude, percent } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { largestDifference } from './kit/numbers.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */
/** @typedef {import('../../js/lab/index.js').Tensor} Tensor */
/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {import('../../js/text/tokenizer.js').Tokenizer} Tokenizer */

/** Features that the table shows, and neighbors in the list. */
const FEATURES = 8;
const NEIGHBORS = 8;
const WORDS = ['cat', 'red', 'happy', 'apple', 'said', 'Lily'];

/** The rows of the tokens, and the product with a one-hot vector.
 *  @param {Lab} l @param {Tensor} W_E @param {Model} model @param {import('./kit/turns.js').Turns} turns
 *  @param {(id: number) => string} textOf @param {(row: Float32Array) => void} onRow called with the chosen row
 *  @returns {(ids: Int32Array) => Promise<void>} shows the tokens of another text */
export function showLookup(l, W_E, model, turns, textOf, onRow) {
  const { vocabulary, dModel } = model.info;
  const table = new MatrixTable(element('vectors'), { caption: 'X, rows of the embedding matrix',
    axes: ['token', 'feature'], columns: Array.from({ length: FEATURES }, (_, i) => String(i)), digits: 2,
    shade: 'signed', compact: true });
  /** @type {Int32Array} */ let ids = new Int32Array(2);
  let at = 1;
  const slider = addSlider(element('choose'), { label: 'Token of your text', min: 1, max: 2, step: 1, value: at + 1,
    format: (value) => `${value}, “${textOf(ids[value - 1] ?? 0)}”` }, (value) => {
    at = value - 1;
    return show();
  });
  slider.name = 'token';

  function lookup() {
    const id = ids[at];
    l.evaluate(() => {
      const oneHot = l.tensor(Array.from({ length: vocabulary }, (_, v) => Number(v === id)), [1, vocabulary]);
      const product = l.matmul(oneHot, W_E);
      const row = l.embedding(W_E, [id]);
      onRow(row.data.slice());
      showValues({ 'lookup-off': magnitude(largestDifference(product.data, row.data)) });
    });
    showValues({ id, token: textOf(id), before: textOf((id || vocabulary) - 1), after: textOf((id + 1) % vocabulary) });
  }

  const show = turns.figure(async () => {
    lookup();
    const rows = l.evaluate(() => l.embedding(W_E, [...ids]).data.slice());
    table.update(Array.from(ids).flatMap((_, t) => [...rows.subarray(t * dModel, t * dModel + FEATURES)]),
      { rows: Array.from(ids, textOf) });
    const { cache } = await model.runWithCache(ids, ['hook_embed']);
    const keys = ['blocks.0.attn.hook_k', 'blocks.0.attn.hook_rot_k'];
    const twice = (await model.runWithCache([ids[at], ids[at]], keys)).cache;
    const [plain, rotated] = keys.map((name) => {
      const { data } = twice[name];
      return largestDifference(data.subarray(0, data.length / 2), data.subarray(data.length / 2));
    });
    showValues({ 'engine-off': magnitude(largestDifference(cache.hook_embed.data, rows)),
      'keys-off': magnitude(plain), 'rotated-off': fixed(rotated, 2) });
  });
  showValues({ N: grouped(vocabulary), d: dModel, 'shown-features': FEATURES,
    'lookup-work': grouped(vocabulary * dModel) });
  return (newIds) => {
    ids = newIds;
    at = Math.min(at, ids.length - 1);
    slider.max = String(ids.length);
    setSlider(slider, at + 1);
    return show();
  };
}

/** The tokens that are nearest to a word. @param {Lab} l @param {Tensor} W_E @param {Tokenizer} tokenizer
 *  @param {(id: number) => string} textOf */
export function showNeighbors(l, W_E, tokenizer, textOf) {
  const [vocabulary, d] = Object.values(W_E.shape);
  // Rows of length 1: their inner products are cosines.
  const unit = l.rmsNorm(W_E, l.tensor(new Array(d).fill(1 / Math.sqrt(d)), [d]), { eps: 0 });
  const mean = l.evaluate(() => l.mean(unit, 0).data.slice());
  const table = new BarTable(element('near'), { caption: 'Nearest tokens', axis: 'token' });
  const field = /** @type {HTMLInputElement} */ (element('word'));

  function show() {
    const word = field.value.trim();
    const ids = tokenizer.encode(` ${word}`, { special: false });
    const refused = word === '' ? 'Write a word.' : ids.length > 16 ? 'This is more than one word.' : '';
    element('refused-word').textContent = refused && `${refused} The figure still shows the word before.`;
    if (refused) return;
    const [id] = ids;
    const cosines = l.evaluate(() => l.matmul(l.embedding(unit, [id]), unit, { transposeB: true }).data.slice());
    const nearest = Array.from(cosines, (_, other) => other).filter((other) => other !== id)
      .sort((a, b) => cosines[b] - cosines[a]).slice(0, NEIGHBORS);
    table.update([{ name: 'cosine', max: 1, format: (value) => fixed(value, 2) }],
      nearest.map((other) => ({ token: textOf(other), values: [cosines[other]] })));
    showValues({ center: textOf(id), several: ids.length === 1 ? 'It is one token.'
      : `The word has ${ids.length} tokens, so it has no row of its own; this is its first.` });
  }

  field.value = WORDS[0];
  field.addEventListener('input', show);
  for (const word of WORDS) {
    addButton(element('words'), word, () => {
      field.value = word;
      show();
    });
  }
  // The mean product of all pairs is the squared length of the mean row; each row with itself has cosine 1.
  const squared = mean.reduce((sum, x) => sum + x * x, 0);
  showValues({ 'mean-cosine': fixed((squared * vocabulary - 1) / (vocabulary - 1), 2) });
  show();
}

/** Logits as products with the rows of the embedding matrix. @param {Lab} l @param {Tensor} W_E @param {Model} model
 *  @param {Int32Array} ids */
export async function showTied(l, W_E, model, ids) {
  const { vocabulary, dModel, parameters } = model.info;
  const { cache, logits } = await model.runWithCache(ids, ['ln_final.hook_normalized']);
  const last = cache['ln_final.hook_normalized'].data.slice(-dModel);
  const products = l.evaluate(() => l.matmul(l.tensor(last, [1, dModel]), W_E, { transposeB: true }).data.slice());
  const saved = vocabulary * dModel;
  showValues({ saved: grouped(saved), 'saved-share': percent(saved / (parameters + saved), 0),
    parameters: grouped(parameters), 'tied-off': fixed(largestDifference(products, logits), 2),
    'largest-logit': fixed(Math.max(...logits), 2) });
}
