/** The masks of GPT, BERT, XLNet and Transformer-XL on one sentence. */
import { randomFrom } from '../../js/lab/index.js';
import { addDraws, addSelect } from './kit/controls.js';
import { MatrixTable } from './kit/matrix-table.js';
import { largestDifference } from './kit/numbers.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */
/** `rows` are queries.
 *  @typedef {{ rows: number[], pattern: Float32Array, visible: number[], why: string }} View */

const TOKENS = ['the', 'cat', 'drank', 'milk', 'and', 'slept'];
const N = TOKENS.length;
/** Tokens of the segment before, which Transformer-XL keeps. */
const MEMORY = 3;
const WIDTH = 8;
const ALL = TOKENS.map((_, i) => i);
/** The order of XLNet that the lesson shows first. */
const FIRST_ORDER = [2, 0, 4, 1, 5, 3];
const MODELS = { gpt: 'GPT', bert: 'BERT', xlnet: 'XLNet', xl: 'Transformer-XL' };

/** Adds the figure. @param {Lab} l */
export function modelMasks(l) {
  const X = l.init.normal('masks of models', { time: N, feature: WIDTH });
  /** The order in which XLNet predicts. */
  let order = FIRST_ORDER;
  let model = /** @type {keyof typeof MODELS} */ ('gpt');
  const names = TOKENS.map((token, i) => `${token} ${i + 1}`);

  /** @param {(query: number, key: number) => boolean} sees */
  const masked = (sees) => {
    const visible = ALL.flatMap((query) => ALL.map((key) => Number(sees(query, key))));
    const mask = l.tensor(visible, { query: N, key: N });
    const { pattern } = l.attention(X, X, X, { mask, maskKind: 'boolean' });
    return { rows: ALL, pattern: pattern.data.slice(), visible };
  };

  /** @type {Record<keyof typeof MODELS, () => View>} */
  const views = {
    gpt: () => ({ ...masked((query, key) => key <= query),
      why: 'Each token sees itself and earlier tokens, so the model can write from left to right.' }),
    bert: () => ({ ...masked(() => true),
      why: 'Each token sees both sides. The model cannot write from left to right; it fills tokens that are hidden.' }),
    xlnet: () => {
      const at = ALL.map((token) => order.indexOf(token));
      return { ...masked((query, key) => at[key] < at[query]),
        why: `The order is ${order.map((token) => TOKENS[token]).join(', ')}. Each token is predicted from tokens that `
          + 'are earlier in this order, on both sides. The first one is predicted from none.' };
    },
    xl: () => {
      const segment = l.slice(X, 'time', MEMORY, N);
      const kept = l.attention(segment, X, X, { causal: true, past: MEMORY });
      const rows = ALL.slice(MEMORY);
      const visible = rows.flatMap((query) => ALL.map((key) => Number(key <= query)));
      const whole = views.gpt().pattern.subarray(MEMORY * N);
      const off = largestDifference(kept.pattern.data, whole);
      return { rows, pattern: kept.pattern.data.slice(), visible,
        why: `The queries are a segment of ${rows.length} tokens. The states of the ${MEMORY} tokens before were `
          + `kept. These rows and the rows of GPT over the whole text differ by ${off}.` };
    },
  };

  /** @type {MatrixTable | null} */ let table = null;
  let shown = 0;
  function show() {
    const view = l.evaluate(() => views[model]());
    if (!table || shown !== view.rows.length) {
      element('model-map').replaceChildren();
      table = new MatrixTable(element('model-map'), { caption: 'Pattern of the model', axes: ['query', 'key'],
        columns: TOKENS, rows: view.rows.map((row) => names[row]), digits: 2, shade: 'weight', max: 1 });
      shown = view.rows.length;
    }
    table.update(view.pattern, { masked: view.visible.map((sees) => Number(!sees)) });
    draw.hidden = model !== 'xlnet';
    showValues({ 'model-why': view.why });
  }

  addSelect(element('model-controls'), 'Model', MODELS, (value) => {
    model = /** @type {typeof model} */ (value);
    show();
  });
  const draw = addDraws(element('model-controls'), 'Draw another order', (presses) => {
    const random = randomFrom(presses);
    order = presses === 0 ? FIRST_ORDER
      : ALL.map((token) => ({ token, at: random() })).sort((a, b) => a.at - b.at).map(({ token }) => token);
    show();
  });
  show();
}
