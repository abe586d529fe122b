/** The encoder block under permutations, and the decoder block when one token changes. */
import { lab, randomFrom } from '../../js/lab/index.js';
import { showNamedBlock } from './06-block-named.js';
import { showActivations, showNorms } from './06-block-norms.js';
import { BLOCK, BY_TOKENS } from './drawings/06-block.js';
import { addCheckbox, addDraws, addSelect, addSlider } from './kit/controls.js';
import { Drawing } from './kit/drawing.js';
import { fixed, magnitude } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, lesson, showValues } from './kit/page.js';

const TOKENS = ['the', 'cat', 'drank', 'the', 'milk'];
const D = 8;
const MEMORY = 3;
/** The permutation that the lesson shows first. */
const FIRST_ORDER = [3, 0, 4, 1, 2];
const FEATURES = Array.from({ length: D }, (_, i) => String(i + 1));

/** @param {Float32Array} a @param {Float32Array} b */
const differences = (a, b) => a.map((value, i) => Math.abs(value - b[i]));

/** The rows of a matrix in another order. @param {Float32Array} data @param {number[]} order */
const rowsOf = (data, order) => Float32Array.from(order.flatMap((row) => [...data.subarray(row * D, (row + 1) * D)]));

lesson(async () => {
  new Drawing(element('drawing-tokens'), BY_TOKENS);
  const drawing = new Drawing(element('drawing'), BLOCK);
  const l = await lab({ seed: 11 });
  const words = [...new Set(TOKENS)];
  const embedding = l.init.normal('words', [words.length + 1, D]);
  const weights = l.init.encoderBlock('', D, 16);
  const decoder = l.init.decoderBlock('', D, 16);
  const memory = l.init.normal('memory', { time: MEMORY, feature: D });
  /** @type {'post' | 'pre'} */ let norm = 'post';
  let positions = false;
  let order = FIRST_ORDER;
  const ids = TOKENS.map((token) => words.indexOf(token));

  /** The output of the block for tokens in another order.
   *  @param {number[]} at indices of the tokens @param {boolean} [moved] whether positions move with their tokens */
  const block = (at, moved = false) => l.evaluate(() => {
    let x = l.embedding(embedding, at.map((i) => ids[i]));
    const P = l.sinusoidal(at.length, D);
    if (positions) x = l.add(x, moved ? l.embedding(P, at) : P);
    const { output } = l.encoderBlock(x, weights, { heads: 2, norm });
    return output.data.slice();
  });

  const plain = new MatrixTable(element('rows'), { caption: 'Π·Block(X)', axes: ['token', 'feature'],
    columns: FEATURES, digits: 2, shade: 'signed' });
  const permuted = new MatrixTable(element('rows'), { caption: 'Block(ΠX)', axes: ['token', 'feature'],
    columns: FEATURES, digits: 2, shade: 'signed' });

  function showPermuted() {
    const expected = rowsOf(block([...TOKENS.keys()]), order);
    const found = block(order);
    const rows = order.map((i) => `${TOKENS[i]} ${i + 1}`);
    plain.update(expected, { rows });
    permuted.update(found, { rows });
    const apart = differences(expected, found);
    const most = Math.max(...apart);
    showValues({ same: apart.filter((value) => value === 0).length, numbers: apart.length,
      apart: most < 0.01 ? magnitude(most) : fixed(most, 2),
      moved: magnitude(Math.max(...differences(expected, block(order, true)))) });
  }

  let changed = 2;
  let causal = true;
  const changes = new MatrixTable(element('changes'), { caption: 'Largest change of each output', axes: ['', 'token'],
    rows: ['change'], columns: TOKENS.map((token, i) => `${token} ${i + 1}`), digits: 3, shade: 'weight' });

  /** @param {number[]} tokens */
  const decode = (tokens) => l.evaluate(() => {
    const y = l.add(l.embedding(embedding, tokens), l.sinusoidal(tokens.length, D));
    const { output } = l.decoderBlock(y, memory, decoder, { heads: 2, norm, causal });
    return output.data.slice();
  });

  function showChanged() {
    const other = ids.map((id, i) => (i === changed ? words.length : id));
    const apart = differences(decode(ids), decode(other));
    const each = TOKENS.map((_, i) => Math.max(...apart.subarray(i * D, (i + 1) * D)));
    changes.update(each);
    showValues({ kept: each.filter((value) => value === 0).length, tokens: TOKENS.length });
  }

  /** @param {'post' | 'pre'} norm */
  const activations = (norm) => l.evaluate(() => {
    /** @type {Record<string, Float32Array>} */ const found = {};
    const { output } = l.encoderBlock(l.embedding(embedding, ids), weights, { heads: 2, norm,
      onActivation: (name, { data }) => {
        found[name] = data.slice();
      } });
    found.output = output.data.slice();
    return found;
  });

  function showBlocks() {
    const numbers = (/** @type {Float32Array} */ data) => ({ data, rows: TOKENS, columns: D });
    const post = activations('post');
    const pre = activations('pre');
    drawing.show({
      X: numbers(post.hook_resid_pre), preX: numbers(pre.hook_resid_pre),
      Z: numbers(post['attn.hook_z']), preZ: numbers(pre['attn.hook_z']),
      U: numbers(post['ln1.hook_normalized']), preU: numbers(pre.hook_resid_mid),
      out: numbers(post.output), preOut: numbers(pre.output),
    });
  }

  addDraws(element('controls'), 'Permute', (presses) => {
    const random = randomFrom(presses);
    order = presses === 0 ? FIRST_ORDER
      : FIRST_ORDER.map((i) => ({ i, at: random() })).sort((a, b) => a.at - b.at).map(({ i }) => i);
    showPermuted();
  });
  addSelect(element('controls'), 'Norm', { post: 'after the sum (post-LN)', pre: 'before each sublayer (pre-LN)' },
    (value) => {
    norm = /** @type {typeof norm} */ (value);
    showPermuted();
    showChanged();
  });
  addCheckbox(element('controls'), 'positions', positions, (value) => {
    positions = value;
    showPermuted();
  });
  addSlider(element('change'), { label: 'Change token', min: 1, max: TOKENS.length, step: 1, value: changed + 1 },
    (value) => {
    changed = value - 1;
    showChanged();
  });
  addCheckbox(element('change'), 'causal', causal, (value) => {
    causal = value;
    showChanged();
  });
  showBlocks();
  showPermuted();
  showChanged();
  showNorms(l);
  showActivations(l);
  const x = l.evaluate(() => l.embedding(embedding, ids).data.slice());
  showNamedBlock(l, l.tensor(x, { token: TOKENS.length, feature: D }), weights, { heads: 2 });
});
