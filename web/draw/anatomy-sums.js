/** How each number of a transformer is computed: its terms, the steps after their sum, and the inputs. */
import { hasPostNorms, kvHeadOf, middleOf, networkNorm, planeOf, readByAttention, readByNetwork, valueAt }
  from './anatomy-boxes.js';
import { joinedBy, weightName } from './anatomy-weights.js';
import { formatNumber, formatPercent } from './sentence.js';
import { tokenName } from './token.js';

/** @typedef {import('./anatomy-boxes.js').AnatomyInfo} AnatomyInfo */
/** @typedef {import('./anatomy-boxes.js').Activation} Activation */
/** @typedef {import('./anatomy-boxes.js').Box} Box */

/** One product, or one number, of a sum. `weight` is the cell of its weight, if the figure has a box of it.
 *  @typedef {{ label: string, factors: number[], value: number, weight?: Cell & { box: string } }} Term */
/** Cells of a box that are an input: rows and columns [from, to).
 *  @typedef {{ box: string, rows: [number, number], columns: [number, number] }} Input */

/**
 * A number written out.
 * @typedef {object} Sum
 * @property {string} title the name of the number
 * @property {string[]} factors names of the factors of a term; empty if there are no terms
 * @property {Term[]} terms
 * @property {number} total sum of the terms
 * @property {string[]} steps from the total to the result, each an equation
 * @property {number} result computed from the inputs
 * @property {number} run the number of the run
 * @property {Input[]} inputs
 * @property {string} note a sentence, or ''
 */

/**
 * The run and its weights. `get` returns an activation, null for a weight that the model does not have, and undefined
 * while it is not loaded.
 * @typedef {object} Run
 * @property {AnatomyInfo} info
 * @property {Box[]} boxes boxes of the open block, and boxes before and after the blocks
 * @property {string[]} tokens
 * @property {number[] | null} [ids] ids of the tokens
 * @property {number} layer
 * @property {number} head
 * @property {number} position position whose logits are shown
 * @property {(id: number) => string} word the text of a token of the vocabulary
 * @property {(name: string) => Activation | null | undefined} get
 */

/** A sum needs numbers that are not loaded. */
export class Missing extends Error {
  /** @param {string[]} names */
  constructor(names) {
    super(names.join(', '));
    this.names = names;
  }
}

/** Largest output matrix that is loaded for the sum of a logit, in numbers: 32 MB. */
const OUTPUT_LIMIT = 1 << 23;
/** The run rounds the inputs of products with quantized weights. The note gives larger differences from the sum. */
const CLOSE = 1e-4;
/** Digits of the numbers of a quotient. With three, 1 ÷ 1.005 = 0.995 would be written as 1 ÷ 1.01. */
const QUOTIENT = 4;

/** @param {number} x */
const erf = (x) => {
  // Series for small x, continued fraction of the complement for large x: 1e-12 in all of the range.
  const z = Math.abs(x);
  let value = 1;
  if (z < 3) {
    let term = z;
    let sum = z;
    for (let n = 1; n < 80; n++) sum += (term *= -z * z / n) / (2 * n + 1);
    value = 2 / Math.sqrt(Math.PI) * sum;
  } else if (z < 6) {
    let fraction = z;
    for (let n = 60; n > 0; n--) fraction = z + n / 2 / fraction;
    value = 1 - Math.exp(-z * z) / (fraction * Math.sqrt(Math.PI));
  }
  return Math.sign(x) * value;
};

/** Activation functions. @type {Record<AnatomyInfo['activation'], (x: number) => number>} */
const ACTIVATIONS = {
  silu: (x) => x / (1 + Math.exp(-x)),
  relu: (x) => Math.max(0, x),
  quick_gelu: (x) => x / (1 + Math.exp(-1.702 * x)),
  gelu_erf: (x) => x / 2 * (1 + erf(x / Math.SQRT2)),
  gelu_tanh: (x) => x / 2 * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
};

/**
 * Writes a number of a box as a sum.
 * @param {Run} run
 * @param {Box} box
 * @param {{ row: number, column: number }} cell row: the position; for logits and probabilities 0
 * @returns {Sum}
 * @throws {Missing} if numbers are not loaded
 */
export function sumOf(run, box, cell) {
  const parts = (box.kind === 'weight' ? weightCell : SUMS[box.id])(new Reader(run), cell, box);
  const { terms = [], steps = [], factors = [], inputs = [], note = '', title } = parts;
  const total = terms.reduce((sum, { value }) => sum + value, 0);
  const own = box.id === 'probabilities' ? Number(parts.result) : new Reader(run).at(box.id, cell.row, cell.column);
  const result = parts.result ?? own;
  const scale = Math.max(Math.abs(own), terms.reduce((most, { value }) => Math.max(most, Math.abs(value)), 1e-6));
  const rounded = Math.abs(result - own) > CLOSE * scale;
  const because = `The run has ${formatNumber(own)}, because it rounds the inputs of this sum.`;
  return { title, factors, terms, total, steps, result, run: own, inputs,
    note: rounded ? `${note} ${because}`.trim() : note };
}

/** The parts of a sum; `result` is the number of the run if it is not computed.
 *  @typedef {Partial<Sum> & { title: string }} Parts */

/** Reads numbers of a run by the ids of boxes. */
class Reader {
  /** @param {Run} run */
  constructor(run) {
    this.run = run;
    this.info = run.info;
  }

  /** @param {string} id */
  box(id) {
    return /** @type {Box} */ (this.run.boxes.find((box) => box.id === id));
  }

  /** The inputs among some, if the figure has their boxes. @param {Input[]} inputs */
  shown(inputs) {
    return inputs.filter(({ box }) => this.box(box));
  }

  /** @param {string} id @param {number} [head] default: the shown head */
  plane(id, head = this.run.head) {
    const box = this.box(id);
    return planeOf(box, this.must(box.name), head, this.info);
  }

  /** @param {string} id @param {number} row @param {number} column */
  at(id, row, column) {
    return valueAt(this.plane(id), row, column);
  }

  /** A row of a box as numbers. @param {string} id @param {number} row */
  row(id, row) {
    const { data, offset, stride, columns } = this.plane(id);
    return data.subarray(offset + row * stride, offset + row * stride + columns);
  }

  /** All heads of a row. @param {string} id @param {number} row */
  wholeRow(id, row) {
    const { name, shape } = this.box(id);
    const width = shape.slice(1).reduce((a, b) => a * b, 1);
    return this.must(name).data.subarray(row * width, (row + 1) * width);
  }

  /** @param {string} name */
  must(name) {
    const found = this.run.get(name);
    if (!found) throw new Missing([name]);
    return found;
  }

  /** Weights by their names in the block; null if the model does not have one. @param {string[]} names */
  weights(...names) {
    const found = names.map((name) => this.run.get(name));
    const missing = names.filter((_, at) => found[at] === undefined);
    if (missing.length) throw new Missing(missing);
    return found;
  }

  /** @param {string} slot */
  slot(slot) {
    return `blk.${this.run.layer}.${slot}`;
  }

  /** @param {number} position */
  token(position) {
    return `${tokenName(this.run.tokens[position])} (${position})`;
  }

  /**
   * Product of a row of a matrix and a vector. `row` is the row of the boxes, default `output`.
   * @param {Parts & { matrix: Activation | null | undefined, output: number, x: Float32Array,
   *   bias?: Activation | null | undefined, boxes: [matrix: string, bias: string], row?: number,
   *   label?: (input: number) => string }} product
   * @returns {Parts}
   */
  product({ matrix, output, x, bias, boxes, row = output, label = (input) => `feature ${input}`, ...parts }) {
    if (!matrix) return { ...parts, note: 'The weights of this product are not available.' };
    const w = matrix.data.subarray(output * x.length, (output + 1) * x.length);
    const seen = Boolean(this.box(boxes[0]));
    const terms = Array.from(x, (value, input) => ({ label: label(input), factors: [value, w[input]],
      value: value * w[input], ...(seen && { weight: { box: boxes[0], row, column: input } }) }));
    const total = terms.reduce((sum, { value }) => sum + value, 0);
    const b = bias ? bias.data[output] : 0;
    const weights = [wholeRow(boxes[0], row, x.length), ...(bias ? [oneCell(boxes[1], 0, row)] : [])];
    return { ...parts, factors: ['input', 'weight'], terms, result: total + b,
      inputs: [...parts.inputs ?? [], ...this.shown(weights)],
      steps: bias ? [`${formatNumber(total)} + bias ${formatNumber(b)} = ${formatNumber(total + b)}`] : [] };
  }
}

/** @param {string} box @param {number} row @param {number} columns @returns {Input} */
const wholeRow = (box, row, columns) => ({ box, rows: [row, row + 1], columns: [0, columns] });
/** @param {string} box @param {number} row @param {number} column @returns {Input} */
const oneCell = (box, row, column) => ({ box, rows: [row, row + 1], columns: [column, column + 1] });

/** @typedef {{ row: number, column: number }} Cell */
/** @typedef {(read: Reader, cell: Cell, box: Box) => Parts} Writer */

/** A sum of boxes. @param {string} name @param {...string} ids @returns {Writer} */
const added = (name, ...ids) => (read, { row, column }) => {
  const terms = ids.map((id) => {
    const value = read.at(id, row, column);
    return { label: read.box(id).title, factors: [value], value };
  });
  return { title: `Feature ${column} of the ${name} of ${read.token(row)}`, factors: ['value'], terms,
    result: terms.reduce((sum, { value }) => sum + value, 0), inputs: ids.map((id) => oneCell(id, row, column)) };
};

/** The total after a factor, as steps. @param {number} total @param {number} scale @returns {[number, string[]]} */
const scaled = (total, scale) => (scale === 1 ? [total, []]
  : [total * scale, [`${formatNumber(total)} × ${formatNumber(scale)} = ${formatNumber(total * scale)}`]]);

/** The total after a soft cap, as steps. @param {number} total @param {number} cap @returns {[number, string[]]} */
const capped = (total, cap) => {
  const result = cap ? cap * Math.tanh(total / cap) : total;
  return [result, cap ? [`${cap} × tanh(${formatNumber(total)} ÷ ${cap}) = ${formatNumber(result)}`] : []];
};

/** The square root of the mean square of numbers without their mean, or with it. @param {AnatomyInfo} info
 *  @param {ArrayLike<number>} x @param {boolean} centered @returns {{ mean: number, root: number }} */
const sizeOf = ({ normEpsilon }, x, centered) => {
  const numbers = Array.from(x);
  const mean = centered ? numbers.reduce((sum, value) => sum + value, 0) / x.length : 0;
  const square = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
  return { mean, root: Math.sqrt(square + normEpsilon) };
};

/** The output of attention or of the network, after the norm and the scale that some families have.
 *  @param {Reader} read @param {string} slot of the norm
 *  @param {Parameters<Reader['product']>[0]} product @returns {Parts} */
function written(read, slot, product) {
  const { info } = read;
  const { matrix, bias, x } = product;
  const parts = read.product(product);
  if (!matrix || parts.result === undefined) return parts;
  let { result } = parts;
  const steps = [...parts.steps ?? []];
  if (hasPostNorms(info)) {
    const [gain] = read.weights(read.slot(`${slot}.weight`));
    const all = Array.from({ length: info.dModel }, (_, o) => x.reduce((sum, value, i) =>
      sum + value * matrix.data[o * x.length + i], bias ? bias.data[o] : 0));
    const { mean, root } = sizeOf(info, all, info.norm === 'layernorm');
    const w = gain?.data[product.output] ?? 1;
    const normed = (result - mean) / root * w;
    steps.push(`norm: ${formatNumber(result - mean)} ÷ ${formatNumber(root)} × weight ${formatNumber(w)} = ${
      formatNumber(normed)}`);
    result = normed;
  }
  const [last, more] = scaled(result, info.scales.residual);
  return { ...parts, result: last, steps: [...steps, ...more] };
}

/** The slope by which the scores of a head fall with the distance (ALiBi, Press et al. 2022).
 *  @param {AnatomyInfo} info @param {number} head */
function slopeOf({ alibi, heads }, head) {
  if (!alibi) return 0;
  const power = 2 ** Math.floor(Math.log2(heads));
  return 2 ** (-alibi * (head < power ? (head + 1) / power : (head - power + 0.5) / power));
}

/** A norm of a box of the open block, or of the last block.
 *  @param {'ln1' | 'ln2' | 'ln_final'} id @param {string | null} from null: the input of the network
 *  @param {(read: Reader) => string} slotOf
 *  @returns {Writer} */
const normed = (id, from, slotOf) => (read, { row, column }) => {
  const slot = slotOf(read);
  const input = from ?? middleOf(read.info);
  const [weight, bias] = read.weights(`${slot}.weight`, `${slot}.bias`);
  const { layers, dModel } = read.info;
  const last = slot === 'output_norm';
  const x = last ? read.must(`blocks.${layers - 1}.hook_resid_post`).data.subarray(row * dModel, (row + 1) * dModel)
    : read.row(input, row);
  const { norm, normEpsilon } = read.info;
  const centered = norm === 'layernorm';
  const mean = centered ? x.reduce((sum, value) => sum + value, 0) / x.length : 0;
  const terms = Array.from(x, (value, at) => ({ label: `feature ${at}`, factors: [value - mean],
    value: (value - mean) ** 2 }));
  const total = terms.reduce((sum, { value }) => sum + value, 0);
  const root = Math.sqrt(total / x.length + normEpsilon);
  const w = weight?.data[column] ?? 1;
  const b = bias?.data[column] ?? 0;
  const result = (x[column] - mean) / root * w + b;
  const top = formatNumber(x[column] - mean);
  const plus = bias ? ` + bias ${formatNumber(b)}` : '';
  return { title: `Feature ${column} of the norm of ${read.token(row)}`, terms, result,
    factors: [centered ? 'x − mean' : 'x'],
    inputs: [...(last && read.run.layer < layers - 1 ? [] : [wholeRow(input, row, x.length)]),
      ...read.shown([oneCell(`${id}.w`, 0, column), oneCell(`${id}.b`, 0, column)])],
    steps: [...(centered ? [`mean of x = ${formatNumber(mean)}`] : []),
      `√(${formatNumber(total)} ÷ ${x.length} + ${normEpsilon.toPrecision(1)}) = ${formatNumber(root)}`,
      `${top} ÷ ${formatNumber(root)} × weight ${formatNumber(w)}${plus} = ${formatNumber(result)}`],
    note: `The terms are the squares of the ${x.length} features.` };
};

/** The query, key or value of a head. @param {'q' | 'k' | 'v'} which @param {string} noun @returns {Writer} */
const projected = (which, noun) => (read, { row, column }) => {
  const { heads, kvHeads, dHead } = read.info;
  const [own, ownBias, all, allBias] = read.weights(...[`attn_${which}.weight`, `attn_${which}.bias`,
    'attn_qkv.weight', 'attn_qkv.bias'].map((slot) => read.slot(slot)));
  const head = which === 'q' ? read.run.head : kvHeadOf(read.info, read.run.head);
  const within = head * dHead + column;
  const before = { q: 0, k: heads * dHead, v: (heads + kvHeads) * dHead }[which];
  const output = own ? within : before + within;
  const input = readByAttention(read.info);
  const x = read.row(input, row);
  return read.product({ title: `Feature ${column} of the ${noun} of ${read.token(row)}, head ${head}`,
    matrix: own ?? all, bias: own ? ownBias : allBias, output, x, inputs: [wholeRow(input, row, x.length)],
    boxes: [`W_${which.toUpperCase()}`, `b_${which.toUpperCase()}`], row: column });
};

/** The query or key of a head before its rotation, after the norm that some families have.
 *  @param {Reader} read @param {'q' | 'k'} which @param {number} row */
function beforeRotation(read, which, row) {
  const x = read.row(which, row);
  const { qkNorm, dHead } = read.info;
  if (qkNorm === 'none') return x;
  const [gain] = read.weights(read.slot(`attn_${which}_norm.weight`));
  const { root } = sizeOf(read.info, qkNorm === 'all' ? read.wholeRow(which, row) : x, false);
  const head = which === 'q' ? read.run.head : kvHeadOf(read.info, read.run.head);
  const first = qkNorm === 'all' ? head * dHead : 0;
  return x.map((value, at) => value / root * (gain?.data[first + at] ?? 1));
}

/** A rotated query or key. @param {'q' | 'k'} which @returns {Writer} */
const rotated = (which) => (read, { row, column }) => {
  const { rotaryDims, rotaryPairs, qkNorm } = read.info;
  const before = beforeRotation(read, which, row);
  const after = read.row(`rot_${which}`, row);
  const title = `Feature ${column} of the rotated ${which === 'q' ? 'query' : 'key'} of ${read.token(row)}`;
  const normed = qkNorm === 'none' ? '' : ` A norm scales the ${which === 'q' ? 'query' : 'key'} first.`;
  const value = (/** @type {number} */ at, /** @type {number} */ factor, /** @type {string} */ label) =>
    ({ label: `feature ${at}${label}`, factors: [before[at], factor], value: before[at] * factor });
  if (column >= rotaryDims) {
    return { title, factors: ['feature', 'factor'], terms: [value(column, 1, '')], result: before[column],
      inputs: [oneCell(which, row, column)],
      note: `Only the first ${rotaryDims} features are turned.${normed}` };
  }
  const half = rotaryDims / 2;
  const partner = rotaryPairs === 'adjacent' ? column ^ 1 : column < half ? column + half : column - half;
  const i = Math.min(column, partner);
  const j = Math.max(column, partner);
  // The pair as a complex number is multiplied by size · e^(i · angle).
  const square = before[i] ** 2 + before[j] ** 2 || 1;
  const along = (before[i] * after[i] + before[j] * after[j]) / square;
  const across = (before[i] * after[j] - before[j] * after[i]) / square;
  const terms = [value(column, along, ' × cos'), value(partner, across * (column === i ? -1 : 1), ' × sin')];
  const size = Math.hypot(along, across);
  const longer = Math.abs(size - 1) > 1e-4 ? `, and made ${formatNumber(size)} times as long` : '';
  return { title, terms, factors: ['feature', 'turn'], result: terms[0].value + terms[1].value,
    inputs: [oneCell(which, row, column), oneCell(which, row, partner)],
    note: `Features ${i} and ${j} are turned together by ${
      Math.round(180 * Math.atan2(across, along) / Math.PI)}° at position ${row}${longer}.${normed}` };
};

/** Neurons before the activation function. @param {(read: Reader) => boolean} isGate @returns {Writer} */
const neuron = (isGate) => (read, { row, column }) => {
  const gate = isGate(read);
  const slot = read.slot(gate ? 'ffn_gate' : 'ffn_up');
  const [matrix, bias] = read.weights(`${slot}.weight`, `${slot}.bias`);
  const input = readByNetwork(read.info);
  const x = read.row(input, row);
  return read.product({ title: `Neuron ${column} of ${read.token(row)}`, matrix, bias, output: column, x,
    inputs: [wholeRow(input, row, x.length)], boxes: gate ? ['W_gate', 'b_gate'] : ['W_in', 'b_in'] });
};

/** A number of a weight, with the columns of the boxes that it joins. @type {Writer} */
const weightCell = (read, cell, box) => {
  const { reads, writes } = joinedBy(read.info, box.id);
  const vector = box.shape.length === 1;
  const count = read.run.tokens.length;
  const column = (/** @type {string} */ id, /** @type {number} */ at) =>
    (/** @type {Input} */ ({ box: id, rows: [0, id === 'logits' ? 1 : count], columns: [at, at + 1] }));
  const out = vector ? cell.column : cell.row;
  const rows = box.id === 'W_E' ? read.run.ids?.flatMap((id, at) => (id === cell.row ? [at] : [])) ?? []
    : box.id === 'W_pos' && cell.row < count ? [cell.row] : null;
  const made = read.box(writes).title;
  const inputs = rows ? rows.map((row) => oneCell(writes, row, cell.column))
    : [...(reads ? [column(reads, cell.column)] : []), column(writes, out)];
  const note = rows ? `It is in the vectors of ${rows.length} of the ${count} tokens of this text.`
    : !reads ? `It is added to column ${out} of ${made}.`
      : vector ? `It multiplies the scaled feature ${out}, for column ${out} of ${made}.`
        : `It multiplies column ${cell.column} of ${read.box(reads).title}, for column ${out} of ${made}.`;
  return { title: weightName(box, cell), inputs, note };
};

/** @type {Record<string, Writer>} */
const SUMS = {
  embed: (read, { row, column }) => {
    const id = read.run.ids?.[row];
    const { scales, embeddingNorm } = read.info;
    const then = (scales.embedding === 1 ? '' : ` It is multiplied by ${formatNumber(scales.embedding)}.`)
      + (embeddingNorm ? ' A norm then scales the row.' : '');
    return { title: `Feature ${column} of the embedding of ${read.token(row)}`,
      note: (id === undefined ? 'This number is looked up in the row of the token in the embedding matrix.'
        : `The id of the token is ${id}, so this number is in row ${id} of the embedding matrix.`) + then,
      inputs: id === undefined ? [] : read.shown([oneCell('W_E', id, column)]) };
  },
  pos_embed: (read, { row, column }) => ({ title: `Feature ${column} of position ${row}`,
    note: 'This number is looked up in the row of the position in the position matrix.',
    inputs: read.shown([oneCell('W_pos', row, column)]) }),
  resid_pre: (read, cell, box) => {
    const title = `Feature ${cell.column} of the residual of ${read.token(cell.row)}`;
    if (read.run.layer > 0) return { title, note: `This is the output of block ${read.run.layer - 1}.` };
    if (read.info.learnedPositions > 0) return added('residual', 'embed', 'pos_embed')(read, cell, box);
    return { title, note: 'This is the embedding of the token.', inputs: [oneCell('embed', cell.row, cell.column)] };
  },
  ln1: normed('ln1', 'resid_pre', (read) => read.slot('attn_norm')),
  q: projected('q', 'query'),
  k: projected('k', 'key'),
  v: projected('v', 'value'),
  rot_q: rotated('q'),
  rot_k: rotated('k'),
  scores: (read, { row, column }) => {
    const { dHead, rotary, scales, softcaps } = read.info;
    const title = `Score of ${read.token(row)} for ${read.token(column)}, head ${read.run.head}`;
    const run = read.at('scores', row, column);
    if (run === -Infinity) {
      return { title, note: 'The mask removes this score, because the query does not see the key.' };
    }
    const [asking, offering] = rotary ? ['rot_q', 'rot_k'] : ['q', 'k'];
    const q = read.row(asking, row);
    const k = read.row(offering, column);
    const terms = Array.from(q, (value, at) => ({ label: `feature ${at}`, factors: [value, k[at]],
      value: value * k[at] }));
    const total = terms.reduce((sum, { value }) => sum + value, 0);
    const plain = Math.abs(scales.attention * Math.sqrt(dHead) - 1) < 1e-6;
    const product = total * scales.attention;
    const [most, cap] = capped(product, softcaps.attention);
    const slope = slopeOf(read.info, read.run.head);
    const result = most - slope * (row - column);
    return { title, factors: ['query', 'key'], terms, result,
      steps: [...(plain ? [`${formatNumber(total)} ÷ √${dHead} = ${formatNumber(product)}`]
        : scaled(total, scales.attention)[1]), ...cap, ...(slope ? [`${formatNumber(most)} − slope ${
        formatNumber(slope)} × distance ${row - column} = ${formatNumber(result)}`] : [])],
      inputs: [wholeRow(asking, row, dHead), wholeRow(offering, column, dHead)] };
  },
  pattern: (read, { row, column }) => {
    const title = `Attention of ${read.token(row)} to ${read.token(column)}, head ${read.run.head}`;
    const scores = read.row('scores', row);
    if (scores[column] === -Infinity) return { title, note: 'The mask removes this key, so its weight is 0.' };
    const keys = Array.from(scores, (score, key) => ({ score, key })).filter(({ score }) => score > -Infinity);
    const most = keys.reduce((a, { score }) => Math.max(a, score), -Infinity);
    const terms = keys.map(({ score, key }) => ({ label: read.token(key), factors: [score],
      value: Math.exp(score - most) }));
    const total = terms.reduce((sum, { value }) => sum + value, 0);
    const power = Math.exp(scores[column] - most);
    const first = keys[0].key;
    const last = keys[keys.length - 1].key + 1;
    return { title, factors: ['score'], terms, result: power / total,
      steps: [`e^(${formatNumber(scores[column])} − ${formatNumber(most)}) = ${formatNumber(power, QUOTIENT)}`,
        `${formatNumber(power, QUOTIENT)} ÷ ${formatNumber(total, QUOTIENT)} = ${formatNumber(power / total)}`],
      note: `The terms are e^(score − ${formatNumber(most)}), with the largest score subtracted.`,
      inputs: [{ box: 'scores', rows: [row, row + 1], columns: [first, last] }] };
  },
  z: (read, { row, column }) => {
    const pattern = read.row('pattern', row);
    const values = read.plane('v');
    const keys = Array.from(pattern.keys()).filter((key) => pattern[key] !== 0);
    const terms = keys.map((key) => {
      const value = valueAt(values, key, column);
      return { label: read.token(key), factors: [pattern[key], value], value: pattern[key] * value };
    });
    return { title: `Feature ${column} of the result of head ${read.run.head} for ${read.token(row)}`, terms,
      factors: ['weight', 'value'], result: terms.reduce((sum, { value }) => sum + value, 0),
      inputs: [wholeRow('pattern', row, row + 1),
        { box: 'v', rows: [0, row + 1], columns: [column, column + 1] }] };
  },
  attn_out: (read, { row, column }) => {
    const { dHead } = read.info;
    const [matrix, bias] = read.weights(read.slot('attn_output.weight'), read.slot('attn_output.bias'));
    const title = `Feature ${column} of the output of attention for ${read.token(row)}`;
    return written(read, 'post_attention_norm', { title, matrix, bias,
      output: column, x: read.wholeRow('z', row), inputs: [wholeRow('z', row, dHead)],
      boxes: ['W_O', 'b_O'], label: (input) => `head ${Math.floor(input / dHead)}, feature ${input % dHead}` });
  },
  resid_mid: added('residual', 'resid_pre', 'attn_out'),
  ln2: normed('ln2', null, (read) => read.slot(networkNorm(read.info))),
  pre: neuron((read) => read.info.gated),
  pre_linear: neuron(() => false),
  post: (read, { row, column }) => {
    const { gated, activation } = read.info;
    const x = read.at('pre', row, column);
    const y = ACTIVATIONS[activation](x);
    const up = gated ? read.at('pre_linear', row, column) : 1;
    const name = activation.replace(/^gelu_.*/, 'gelu');
    return { title: `Neuron ${column} of ${read.token(row)} after the activation function`, result: y * up,
      steps: [`${name}(${formatNumber(x)}) = ${formatNumber(y)}`,
        ...(gated ? [`${formatNumber(y)} × ${formatNumber(up)} = ${formatNumber(y * up)}`] : [])],
      inputs: [oneCell('pre', row, column), ...(gated ? [oneCell('pre_linear', row, column)] : [])] };
  },
  mlp_out: (read, { row, column }) => {
    const title = `Feature ${column} of the output of the network for ${read.token(row)}`;
    if (read.info.experts) {
      return { title, note: `The weighted sum of the experts of this token, out of ${read.info.experts}. Their neurons `
        + 'are not shown.' };
    }
    const [matrix, bias] = read.weights(read.slot('ffn_down.weight'), read.slot('ffn_down.bias'));
    const x = read.row('post', row);
    return written(read, 'post_ffw_norm', { title, matrix, bias,
      output: column, x, inputs: [wholeRow('post', row, x.length)], boxes: ['W_out', 'b_out'],
      label: (input) => `neuron ${input}` });
  },
  resid_post: (read, cell, box) => (read.info.parallel ? added('residual', 'resid_pre', 'attn_out', 'mlp_out')
    : added('residual', 'resid_mid', 'mlp_out'))(read, cell, box),
  ln_final: normed('ln_final', 'resid_post', () => 'output_norm'),
  logits: (read, { column }) => {
    const { vocabulary, dModel, tied, headBias, scales, softcaps } = read.info;
    const title = `Logit of ${tokenName(read.run.word(column))}`;
    if (vocabulary * dModel > OUTPUT_LIMIT) {
      return { title, note: `A sum of ${dModel} products. The output matrix of ${vocabulary} × ${dModel} numbers is `
        + 'too large to be loaded for this figure.' };
    }
    const matrixId = tied ? 'W_E' : 'W_U';
    const names = [tied ? 'token_embd.weight' : 'output.weight',
      ...(headBias || read.box('b_U') ? ['output.bias'] : [])];
    const [matrix, bias] = read.weights(...names);
    const row = read.run.position;
    const x = read.row('ln_final', row);
    const parts = read.product({ title, matrix, bias, output: column, x, inputs: [wholeRow('ln_final', row, dModel)],
      boxes: [matrixId, 'b_U'] });
    if (parts.result === undefined) return parts;
    const [product, scale] = scaled(parts.result, scales.logits);
    const [result, cap] = capped(product, softcaps.logits);
    return { ...parts, result, steps: [...parts.steps ?? [], ...scale, ...cap] };
  },
  probabilities: (read, { column }) => {
    const logits = read.row('logits', 0);
    const most = logits.reduce((a, b) => Math.max(a, b), -Infinity);
    const total = logits.reduce((sum, logit) => sum + Math.exp(logit - most), 0);
    const power = Math.exp(logits[column] - most);
    return { title: `Probability of ${tokenName(read.run.word(column))}`, result: power / total,
      steps: [`e^(${formatNumber(logits[column])} − ${formatNumber(most)}) = ${formatNumber(power, QUOTIENT)}`,
        `${formatNumber(power, QUOTIENT)} ÷ ${formatNumber(total, QUOTIENT)} = ${formatPercent(power / total)}`],
      note: `The divisor is the sum of these powers over all ${logits.length} tokens of the vocabulary.`,
      inputs: [oneCell('logits', 0, column)] };
  },
};
