/** Adapters of low rank: compares them with a model, and places them beside the weights that they change. */
import { HeedError, quoted } from '../errors.js';
import { adjacentPairs } from '../files/gguf/describe.js';
import { placeOfWeight } from './slots.js';

/** @typedef {import('../engine/wasm.js').Engine} Engine */
/** @typedef {import('../files/config.js').Config} Config */
/** @typedef {import('../files/adapter.js').AdapterFile} AdapterFile */
/** @typedef {import('../files/adapter.js').AdapterTensor} AdapterTensor */
/** @typedef {{ architecture: string, config: Config }} ModelShape */

/**
 * A matrix of a block that adapters can change.
 * @typedef {object} Adaptable
 * @property {string} slot     name in the GGUF format, such as 'blk.0.attn_q.weight'
 * @property {number} rows     outputs
 * @property {number} columns  inputs
 * @property {boolean} turned  whether rows of PEFT have RoPE over halves, and the engine's over adjacent pairs
 */

/**
 * The adapter of one matrix, with rows in the order of the engine.
 * @typedef {{ slot: string, rank: number, scale: number, a: Float32Array, b: Float32Array }} Adapter
 */

/**
 * Addresses of an adapter's matrices in the engine, and of their gradients.
 * @typedef {{ rank: number, scale: number, a: number, b: number, a_grad?: number, b_grad?: number }} AdapterFields
 */

/** Whether Hugging Face's rows of a weight have another order, because of RoPE.
 *  @param {string} slot @param {Config} config */
export const isTurned = (slot, config) =>
  config.position === 'rope_adjacent' && /\.attn_[qk]\.(weight|bias)$/.test(slot);

/** Architectures whose matrices have the names of GPT-2 or Llama in Hugging Face's models. */
const ADAPTABLE = ['gpt2', 'llama', 'mistral', 'qwen2'];

/**
 * Refuses models whose adapters and trained weights have no known names.
 * @param {ModelShape} model
 * @throws {HeedError} 'unsupported'
 */
export function needAdaptable({ architecture, config: { experts } }) {
  if (ADAPTABLE.includes(architecture) && !experts) return;
  throw new HeedError('unsupported', `Training and adapters support ${ADAPTABLE.join(', ')}; the model is ${
    experts ? 'a mixture of experts' : quoted(architecture)}.`);
}

/**
 * The matrices of a model that adapters can change, block after block.
 * @param {ModelShape} model
 * @returns {Adaptable[]}
 */
export function adaptables({ architecture, config }) {
  const { layers, heads, kv_heads: kvHeads, d_model: D, d_head: dHead, d_ff: F, gated } = config;
  const q = heads * dHead;
  const kv = kvHeads * dHead;
  /** @type {Record<string, [rows: number, columns: number]>} */
  const shapes = {
    ...(architecture === 'gpt2' ? { attn_qkv: [q + 2 * kv, D] } : { attn_q: [q, D], attn_k: [kv, D], attn_v: [kv, D] }),
    attn_output: [D, q],
    ...(gated === 'yes' && { ffn_gate: [F, D] }),
    ffn_up: [F, D],
    ffn_down: [D, F],
  };
  return Array.from({ length: layers }, (_, layer) => Object.entries(shapes).map(([name, [rows, columns]]) => {
    const slot = `blk.${layer}.${name}.weight`;
    return { slot, rows, columns, turned: isTurned(slot, config) };
  })).flat();
}

/**
 * The adapters of a file, if they fit the model.
 * @param {AdapterFile} file
 * @param {ModelShape} model
 * @param {number} maxRank  largest rank of the engine
 * @returns {Adapter[]}
 * @throws {HeedError} 'bad-tensor', 'unsupported'
 */
export function fitAdapter({ name, alpha, byRoot, ordered, tensors }, model, maxRank) {
  needAdaptable(model);
  const bySlot = new Map(adaptables(model).map((of) => [of.slot, of]));
  /** @type {Map<string, { A?: AdapterTensor, B?: AdapterTensor }>} */
  const found = new Map();
  const bad = (/** @type {string} */ problem) => new HeedError('bad-tensor', `In ${quoted(name)}, ${problem}.`);
  for (const tensor of tensors) {
    const sides = found.get(tensor.slot) ?? {};
    if (!bySlot.has(tensor.slot)) {
      throw bad(`tensor ${quoted(tensor.name)} changes no matrix of this ${model.architecture} model of ` +
        `${model.config.layers} blocks. Load the adapter with the model that it was trained on`);
    }
    if (sides[tensor.side]) throw bad(`tensor ${quoted(tensor.name)} occurs twice`);
    found.set(tensor.slot, { ...sides, [tensor.side]: tensor });
  }
  if (found.size === 0) throw bad('there are no tensors');
  return [...found].map(([slot, { A, B }]) => {
    const { rows, columns, turned } = /** @type {Adaptable} */ (bySlot.get(slot));
    if (!A || !B) throw bad(`tensor ${quoted((A ?? B)?.name)} has no lora_${A ? 'B' : 'A'} beside it`);
    const [rank] = A.shape;
    if (!(rank >= 1 && rank <= maxRank)) {
      throw bad(`tensor ${quoted(A.name)} has rank ${rank}; a rank is from 1 to ${maxRank}`);
    }
    needShape(A, [rank, columns], bad);
    needShape(B, [rows, rank], bad);
    const b = turned && !ordered ? adjacentPairs(B.data, B.shape, model.config.d_head) : B.data;
    return { slot, rank, scale: alpha / (byRoot ? Math.sqrt(rank) : rank), a: A.data, b };
  });
}

/** @param {AdapterTensor} tensor @param {number[]} wanted @param {(problem: string) => HeedError} bad */
function needShape({ name, shape }, wanted, bad) {
  if (shape.join() !== wanted.join()) throw bad(`tensor ${quoted(name)} is [${shape}]; this model needs [${wanted}]`);
}

/** The matrices of the engine behind a slot, with the row at which each begins.
 *  @param {string} slot @param {Config} config @returns {[slot: string, row: number][]} */
export function partsOf(slot, { heads, kv_heads: kvHeads, d_head: dHead }) {
  if (!/\.attn_qkv\.(weight|bias)$/.test(slot)) return [[slot, 0]];
  const part = (/** @type {string} */ name) => slot.replace('attn_qkv', name);
  return [[part('attn_q'), 0], [part('attn_k'), heads * dHead], [part('attn_v'), (heads + kvHeads) * dHead]];
}

/** Most structs that `adapt` writes. */
const MOST_PARTS = 3;

/** Reserves memory for the structs of `adapt`. @param {Engine} engine */
export const reserveStructs = (engine) => engine.reserve(MOST_PARTS * engine.structBytes('adapter'), 'an adapter');

/**
 * Adapts a matrix of a model that is ready.
 * @param {Engine} engine
 * @param {number} model
 * @param {string} slot
 * @param {Config} config
 * @param {AdapterFields} fields
 * @param {number} at  address from reserveStructs(), which stays in use
 */
export function adapt(engine, model, slot, config, fields, at) {
  const { b, b_grad: bGrad = 0, rank } = fields;
  partsOf(slot, config).forEach(([part, row], i) => {
    const place = placeOfWeight(engine, part, config);
    const skipped = 4 * row * rank;
    const struct = at + i * engine.structBytes('adapter');
    engine.writeStruct('adapter', struct, { ...fields, b: b + skipped, b_grad: bGrad && bGrad + skipped });
    engine.call('heed_model_adapt', model, place.layer, place.slot, struct);
  });
}

/** Alignment of three reservations. */
const ALIGNMENT_BYTES = 192;

/** Bytes that `placeAdapters` reserves. @param {Engine} engine @param {Adapter[]} adapters */
export const adapterBytes = (engine, adapters) => adapters.reduce((sum, { a, b }) =>
  sum + 4 * (a.length + b.length) + MOST_PARTS * engine.structBytes('adapter') + ALIGNMENT_BYTES, 0);

/**
 * Copies adapters into the engine, and adapts the model.
 * @param {Engine} engine @param {number} model @param {Config} config @param {Adapter[]} adapters
 */
export function placeAdapters(engine, model, config, adapters) {
  const put = (/** @type {Float32Array} */ numbers) => {
    const at = engine.reserve(4 * numbers.length, 'an adapter');
    engine.f32(at, numbers.length).set(numbers);
    return at;
  };
  for (const { slot, rank, scale, a, b } of adapters) {
    adapt(engine, model, slot, config, { rank, scale, a: put(a), b: put(b) }, reserveStructs(engine));
  }
}
