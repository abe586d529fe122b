/** The weights of a transformer as boxes: the matrices and vectors before, in and after the blocks. */
import { kvHeadOf, middleOf, networkNorm, readByAttention, readByNetwork, weightShape } from './anatomy-boxes.js';

/** @typedef {import('./anatomy-boxes.js').AnatomyInfo} AnatomyInfo */
/** @typedef {import('./anatomy-boxes.js').Box} Box */
/** The rows of a weight that a box shows; a vector is one row.
 *  @typedef {{ first: number, rows: number, columns: number }} Part */
/** A number of a weight: the weight's GGUF name, and the index in its data.
 *  @typedef {{ weight: string, index: number }} WeightPlace */

/**
 * A kind of weight.
 * @typedef {object} Kind
 * @property {string} id as in TransformerLens
 * @property {string} slot of the GGUF name: 'attn_q.weight'
 * @property {string} what one sentence
 * @property {string} lesson name of the lesson that explains it
 * @property {string} [reads] id of the box whose columns the columns of the weight multiply
 * @property {string} [writes] id of the box whose columns the rows of the weight make
 * @property {'q' | 'k' | 'v'} [head] the rows of one head are shown
 */

const PRODUCT = 'Row i has the factors that make feature i of the output from the features of the input.';
const BIAS = 'One number for each feature of the output, which is added.';

/** @param {'q' | 'k' | 'v'} head @param {string} noun @param {string} reads
 *  @returns {Kind[]} separate and joined projections */
const projection = (head, noun, reads) => ['attn_qkv', `attn_${head}`].flatMap((slot) => [
  { id: `W_${head.toUpperCase()}`, slot: `${slot}.weight`, reads, writes: head, head, lesson: '04-heads',
    what: `Row i has the factors that make feature i of the ${noun} from the features of its input.` },
  { id: `b_${head.toUpperCase()}`, slot: `${slot}.bias`, writes: head, head, what: BIAS, lesson: '04-heads' },
]);

/** @param {string} id @param {string} slot @param {string} reads @param {string} writes @returns {Kind[]} */
const norm = (id, slot, reads, writes) => [
  { id: `${id}.w`, slot: `${slot}.weight`, reads, writes, lesson: '06-block',
    what: 'The norm multiplies each feature by one of these numbers.' },
  { id: `${id}.b`, slot: `${slot}.bias`, writes, lesson: '06-block',
    what: 'The norm adds one of these numbers to each feature.' },
];

/** @param {string} suffix @param {string} slot @param {string} reads @param {string} writes @param {string} lesson
 *  @returns {Kind[]} */
const product = (suffix, slot, reads, writes, lesson) => [
  { id: `W_${suffix}`, slot: `${slot}.weight`, reads, writes, what: PRODUCT, lesson },
  { id: `b_${suffix}`, slot: `${slot}.bias`, writes, what: BIAS, lesson },
];

/** Kinds of weights in the order of the forward pass. @param {AnatomyInfo} info @returns {Kind[]} */
const kindsOf = (info) => [
  { id: 'W_E', slot: 'token_embd.weight', writes: 'embed', what: 'Row i is the vector of the token with the id i.',
    lesson: '01-soft-lookup' },
  { id: 'W_pos', slot: 'position_embd.weight', writes: 'pos_embed', what: 'Row i is the vector of position i.',
    lesson: '05-positions' },
  ...norm('ln1', 'attn_norm', 'resid_pre', 'ln1'),
  ...projection('q', 'query', readByAttention(info)), ...projection('k', 'key', readByAttention(info)),
  ...projection('v', 'value', readByAttention(info)),
  ...product('O', 'attn_output', 'z', 'attn_out', '04-heads'),
  ...norm('ln2', networkNorm(info), middleOf(info), 'ln2'),
  ...(info.gated ? product('gate', 'ffn_gate', readByNetwork(info), 'pre', '06-block') : []),
  ...product('in', 'ffn_up', readByNetwork(info), info.gated ? 'pre_linear' : 'pre', '06-block'),
  ...product('out', 'ffn_down', 'post', 'mlp_out', '06-block'),
  ...norm('ln_final', 'output_norm', 'resid_post', 'ln_final'),
  ...product('U', 'output', 'ln_final', 'logits', '07-weights'),
];

/** Ids of boxes of weights that some model has. */
export const WEIGHT_IDS = [...new Set([false, true].flatMap((gated) =>
  kindsOf(/** @type {any} */ ({ gated, preNorms: true })).map(({ id }) => id)))];

/** The rows of a head in a projection. @param {AnatomyInfo} info @param {Kind} kind @param {number} head */
function firstRow(info, { head: which, slot }, head) {
  const { heads, kvHeads, dHead } = info;
  const own = dHead * (which === 'q' ? head : kvHeadOf(info, head));
  if (!slot.startsWith('attn_qkv')) return own;
  return own + { q: 0, k: heads * dHead, v: (heads + kvHeads) * dHead }[/** @type {'q'} */ (which)];
}

/**
 * The boxes of weights before the blocks, of one block and after the blocks.
 * @param {AnatomyInfo} info
 * @param {Iterable<string>} names GGUF names of the model's weights
 * @param {number} layer
 * @param {number} head query head, whose rows of the projections are shown
 * @returns {Box[]}
 */
export function weightBoxes(info, names, layer, head) {
  const known = new Set(names);
  return kindsOf(info).flatMap((kind) => {
    const name = [kind.slot, `blk.${layer}.${kind.slot}`].find((each) => known.has(each));
    const whole = name === undefined ? null : weightShape(info, name);
    if (name === undefined || !whole) return [];
    const vector = whole.length === 1;
    const first = kind.head ? firstRow(info, kind, head) : 0;
    const count = kind.head ? info.dHead : whole[0];
    const part = vector ? { first: first / count, rows: 1, columns: count }
      : { first, rows: count, columns: whole[1] };
    return [/** @type {Box} */ ({ id: kind.id, title: kind.id, name, kind: 'weight', what: kind.what,
      shape: vector ? [count] : [count, whole[1]], axes: vector ? 'outputs' : 'outputs × inputs', lesson: kind.lesson,
      from: [], part })];
  });
}

/**
 * The boxes that a weight joins.
 * @param {AnatomyInfo} info
 * @param {string} id of the box of a weight
 */
export function joinedBy(info, id) {
  const { reads, writes } = /** @type {Kind} */ (kindsOf(info).find((kind) => kind.id === id));
  return { reads, writes: /** @type {string} */ (writes) };
}

/** The place of a number of a weight's box. @param {Box} box @param {{ row: number, column: number }} cell
 *  @returns {WeightPlace} */
export function weightPlace({ name, part }, { row, column }) {
  const { first, columns } = /** @type {Part} */ (part);
  return { weight: name, index: (first + row) * columns + column };
}

/**
 * The box and cell of a number of a weight, in any block and head.
 * @param {AnatomyInfo} info
 * @param {WeightPlace} place
 * @returns {{ layer: number | null, head: number | null, box: Box, row: number, column: number } | null} layer and head
 *   are null for weights that all blocks or heads share; null for a number that the model lacks
 */
export function findWeight(info, { weight, index }) {
  const [, block] = /^blk\.(\d+)\./.exec(weight) ?? [];
  const layer = block === undefined ? null : Number(block);
  if (layer !== null && layer >= info.layers) return null;
  for (let head = 0; head < info.heads; head++) {
    for (const box of weightBoxes(info, [weight], layer ?? 0, head)) {
      const { first, rows, columns } = /** @type {Part} */ (box.part);
      const row = Math.floor(index / columns) - first;
      if (row < 0 || row >= rows) continue;
      const shared = box.shape[0] === weightShape(info, weight)?.[0];
      return { layer, head: shared ? null : head, box, row, column: index % columns };
    }
  }
  return null;
}

/** The name of a number of a weight: ‘W_Q, row 3, column 5’. @param {Box} box
 *  @param {{ row: number, column: number }} cell */
export const weightName = ({ title, shape }, { row, column }) =>
  (shape.length === 1 ? `${title}, number ${column}` : `${title}, row ${row}, column ${column}`);
