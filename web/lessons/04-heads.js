/** One head with two questions, and two heads set by hand, in the standard kind and three other kinds. */
import { countParameters, lab } from '../../js/lab/index.js';
import { h } from '../elements/dom.js';
import { HEADS } from './drawings/04-heads.js';
import { addSelect, addSlider } from './kit/controls.js';
import { Drawing } from './kit/drawing.js';
import { fixed, grouped, magnitude } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, lesson, showValues } from './kit/page.js';

const TOKENS = ['the', 'cat', 'saw', 'the', 'dog', 'and', 'the', 'cow'];
const WORDS = [...new Set(TOKENS)];
const heads = 2;
/** Features of a piece: one piece for positions, one for words. Some word features are unused. */
const PIECE = TOKENS.length;
const D = heads * PIECE;
/** The score of the key that the single head looks for. */
const ALONE_SHARPNESS = 4;

/** @typedef {'previous' | 'next' | 'same' | 'anything'} Question */
/** @type {Record<Question, string>} */
const QUESTIONS = {
  previous: 'the token before',
  next: 'the token after',
  same: 'the same word',
  anything: 'anything',
};
/** @typedef {'standard' | 'widths' | 'pieces' | 'pooled'} Kind */
/** @type {Record<Kind, string>} */
const KINDS = { standard: 'standard', widths: 'different value widths', pieces: 'pieces', pooled: 'pooled' };
/** @typedef {import('../../js/lab/index.js').Tensor} Tensor */
/** @typedef {{ output: Tensor, pattern: Tensor }} Heads  pattern [head][query][key] */

/** Questions of the single head. @type {Record<'both' | 'previous' | 'same', Question[]>} */
const ALONE = { both: ['previous', 'same'], previous: ['previous'], same: ['same'] };

/** The numbers of a matrix [rows][columns], computed by a function. @param {number} rows @param {number} columns
 *  @param {(row: number, column: number) => number} value */
const matrix = (rows, columns, value) =>
  Array.from({ length: rows * columns }, (_, at) => value(Math.floor(at / columns), at % columns));

/**
 * Query and key projections [PIECE][D] of a head that asks a question.
 * @param {Question} question @param {number} sharpness the score of a matching key
 */
function projections(question, sharpness) {
  const size = sharpness * Math.sqrt(PIECE);
  const shift = { previous: -1, next: 1, same: 0, anything: 0 }[question];
  const from = question === 'same' ? PIECE : 0;
  const on = Number(question !== 'anything');
  return {
    query: matrix(PIECE, D, (r, c) => (c === from + r - shift && c >= from && c < from + PIECE ? on * size : 0)),
    key: matrix(PIECE, D, (r, c) => Number(c === from + r)),
  };
}

/**
 * One head as wide as a token: wide enough for two questions. Its value is the word.
 * @param {import('../../js/lab/index.js').Lab} l @param {Tensor} X @param {string[]} names of its tokens
 */
function showAlone(l, X, names) {
  const map = new MatrixTable(element('alone'), { caption: 'One head', axes: ['query', 'key'], rows: names,
    columns: TOKENS, digits: 2, shade: 'weight', max: 1 });
  const words = new MatrixTable(element('alone'), { caption: 'Its output', axes: ['token', 'word'], rows: names,
    columns: WORDS, digits: 2, shade: 'weight', max: 1 });
  /** @param {Question[]} questions */
  const show = (questions) => l.evaluate(() => {
    const asked = questions.map((question) => projections(question, ALONE_SHARPNESS * Math.SQRT2));
    const half = () => new Array(PIECE * D).fill(0);
    const stacked = (/** @type {'query' | 'key'} */ of) =>
      l.tensor([...asked[0][of], ...asked[1]?.[of] ?? half()], [D, D]);
    const W_Q = stacked('query');
    const W_K = stacked('key');
    const W_V = l.tensor(matrix(WORDS.length, D, (r, c) => Number(c === PIECE + r)), [WORDS.length, D]);
    const { output, pattern } = l.attention(l.linear(X, W_Q), l.linear(X, W_K), l.linear(X, W_V));
    map.update(pattern.data);
    words.update(output.data);
    const query = TOKENS.indexOf('dog');
    const row = pattern.data.subarray(query * TOKENS.length, (query + 1) * TOKENS.length);
    const seen = names.map((name, t) => ({ name, weight: row[t] })).filter(({ weight }) => weight > 0.1)
      .map(({ name, weight }) => `${fixed(weight, 2)} to ‘${name}’`);
    showValues({ alone: `‘${names[query]}’ gives ${seen.join(' and ')}` });
  });
  const options = { both: 'both', previous: QUESTIONS.previous, same: QUESTIONS.same };
  addSelect(element('question'), 'The head looks for', options, (value) =>
    show(ALONE[/** @type {keyof typeof ALONE} */ (value)])).name = 'question';
  show(ALONE.both);
}

lesson(async () => {
  const drawing = new Drawing(element('drawing'), HEADS);
  const l = await lab();
  const X = l.tensor(TOKENS.flatMap((token, t) => matrix(1, D, (_, c) =>
    Number(c === t || c === PIECE + WORDS.indexOf(token)))), { time: TOKENS.length, feature: D });
  const square = () => l.parameter(matrix(D, D, (r, c) => Number(r === c)), [D, D]);
  const inProjection = l.parameter(new Float32Array(3 * D * D), [3 * D, D]);
  const pieces = ['q', 'k', 'v'].map((name) => [`${name}_proj_weight`,
    l.parameter(matrix(D, PIECE, (r, c) => Number(r % PIECE === c)), [D, PIECE])]);
  const wide = ['q', 'k', 'v'].map((name, i) => [`${name}_proj_weight`, i < 2
    ? l.parameter(new Float32Array(D * D), [D, D])
    : l.parameter(matrix(heads * D, D, (r, c) => Number(r % D === c)), [heads * D, D])]);
  const weights = {
    standard: { in_proj_weight: inProjection, 'out_proj.weight': square() },
    pieces: { ...Object.fromEntries(pieces), 'out_proj.weight': square() },
    pooled: Object.fromEntries(wide),
  };
  /** Width of the values of each head; at most PIECE. */
  const widths = [PIECE, 2];

  /** The standard weights with narrower values: fewer rows of W_V and columns of W_O.
   *  @returns {Record<string, Tensor>} */
  function narrowed() {
    const [W_Q, W_K, W_V] = [0, 1, 2].map((i) => l.slice(inProjection, 0, i * D, (i + 1) * D));
    const keep = (/** @type {Tensor} */ w, /** @type {number} */ axis) => l.concat(widths.map((q, j) =>
      l.slice(w, axis, j * PIECE, j * PIECE + q)), axis);
    return { q_proj_weight: W_Q, k_proj_weight: W_K, v_proj_weight: keep(W_V, 0),
      'out_proj.weight': keep(weights.standard['out_proj.weight'], 1) };
  }

  /** @type {Record<Kind, (w: Record<string, Tensor>) => Heads>} */
  const kinds = {
    standard: (w) => l.multiHead(X, X, X, w, { heads }),
    widths: (w) => l.multiHead(X, X, X, w, { heads, valueWidths: widths }),
    pieces: (w) => l.multiHeadOfPieces(X, w, { heads }),
    pooled: (w) => l.multiHeadPooled(X, w, { heads }),
  };
  const weightsOf = (/** @type {Kind} */ of) => (of === 'widths' ? narrowed() : weights[of]);
  /** @type {Kind} */ let kind = 'standard';
  /** @type {Question[]} */ const questions = ['previous', 'same'];
  let sharpness = 4;

  /** Sets all three kinds of weights to the chosen questions. */
  function setWeights() {
    questions.forEach((question, head) => {
      const { query, key } = projections(question, sharpness);
      [query, key].forEach((numbers, i) => {
        inProjection.data.set(numbers, (i * D + head * PIECE) * D);
        weights.pooled[`${'qk'[i]}_proj_weight`].data.set(numbers, head * PIECE * D);
        // a head of this kind has columns for its piece only
        const own = numbers.filter((_, at) => Math.floor(at % D / PIECE) === head);
        weights.pieces[`${'qk'[i]}_proj_weight`].data.set(own, head * PIECE * PIECE);
      });
      const value = matrix(PIECE, D, (r, c) => Number(c === PIECE + r));
      inProjection.data.set(value, (2 * D + head * PIECE) * D);
    });
  }

  const names = TOKENS.map((token, t) => `${token} ${t + 1}`);
  showAlone(l, X, names);
  const maps = questions.map((_, head) => new MatrixTable(element('maps'), {
    caption: `Head ${head + 1}`, axes: ['query', 'key'],
    rows: names, columns: TOKENS, digits: 2, shade: 'weight', max: 1 }));
  const outputs = new MatrixTable(element('output'), { caption: 'Output', axes: ['token', 'feature'], rows: names,
    digits: 2, shade: 'weight' });
  const words = Array.from({ length: PIECE }, (_, i) => WORDS[i] ?? '–');
  const positions = TOKENS.map((_, t) => String(t + 1));
  /** Labels of the output features. @type {Record<Kind, string[]>} */
  const features = { standard: [...words, ...words], widths: [...words, ...words], pieces: [...positions, ...words],
    pooled: [...positions, ...words] };

  function show() {
    setWeights();
    l.evaluate(() => {
      const { output, pattern } = kinds[kind](weightsOf(kind));
      const standard = kinds.standard(weights.standard).output;
      drawing.show({ Q: { data: X.data, rows: names, columns: D },
        head: { data: l.slice(standard, 1, 0, PIECE).data.slice(), rows: names, columns: words },
        Z: { data: standard.data.slice(), rows: names, columns: features.standard } });
      maps.forEach((map, head) => map.update(l.slice(pattern, 'head', head).data));
      outputs.update(output.data, { columns: features[kind] });
      const last = TOKENS.length - 2;
      const sentences = questions.map((_, head) => {
        const row = l.slice(l.slice(pattern, 'head', head), 'query', last).data;
        const best = row.indexOf(Math.max(...row));
        const even = Math.min(...row) === Math.max(...row);
        return even ? `head ${head + 1} to all tokens equally`
          : `head ${head + 1} ${fixed(row[best], 2)} to ‘${names[best]}’`;
      });
      const apart = Math.max(...l.sub(output, standard).data.map(Math.abs));
      showValues({ said: `‘${names[last]}’ attends with ${sentences.join(', with ')}`,
        apart: apart < 0.01 ? magnitude(apart) : fixed(apart, 2) });
      element('counts').replaceChildren(...Object.entries(KINDS).map(([each, name]) =>
        counted(name, weightsOf(/** @type {Kind} */ (each)))));
    });
  }

  /** A row of the table of weights: shapes of W_Q, W_K, W_V and W_O for all heads together.
   *  @param {string} name @param {Record<string, Tensor>} w */
  function counted(name, w) {
    const sizes = w.in_proj_weight ? Array.from({ length: 3 }, () => [D, D])
      : ['q', 'k', 'v'].map((each) => w[`${each}_proj_weight`].axes.sizes);
    const shapes = [...sizes, w['out_proj.weight']?.axes.sizes];
    return h('tr', {}, h('th', { scope: 'row' }, name),
      ...shapes.map((each) => h('td', {}, each ? each.join(' × ') : 'none')),
      h('td', {}, grouped(countParameters(w))));
  }

  questions.forEach((asked, head) => {
    const select = addSelect(element('controls'), `Head ${head + 1} looks for`, QUESTIONS, (value) => {
      questions[head] = /** @type {Question} */ (value);
      show();
    });
    Object.assign(select, { name: `head-${head + 1}`, value: asked });
  });
  addSelect(element('controls'), 'Kind', KINDS, (value) => {
    kind = /** @type {Kind} */ (value);
    element('widths').hidden = kind !== 'widths';
    show();
  });
  addSlider(element('controls'), { label: 'Sharpness', min: 0, max: 8, step: 0.5, value: sharpness }, (value) => {
    sharpness = value;
    show();
  });
  widths.forEach((width, head) => {
    addSlider(element('widths'), { label: `Values of head ${head + 1}`, min: 1, max: PIECE, step: 1, value: width },
      (value) => {
      widths[head] = value;
      show();
    }).name = `values-${head + 1}`;
  });

  showValues({ 'position-features': PIECE, 'word-features': PIECE, d: D, h: heads });
  show();
});
