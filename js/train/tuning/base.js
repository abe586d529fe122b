/** A loaded model as the base of a training: its weights are below the tensors of a lab, in the same memory. */
import { chooseEngine } from '../../engine/choose.js';
import { Engine } from '../../engine/wasm.js';
import { HeedError, quoted } from '../../errors.js';
import { DTYPES } from '../../files/dtypes.js';
import { decode } from '../../files/gguf/quantize.js';
import { openNamedModel } from '../../files/named.js';
import { Lab } from '../../lab/index.js';
import { adapt, needAdaptable, reserveStructs } from '../../model/adapter.js';
import { modelConfig, placeWeights, planWeights } from '../../model/place.js';
import { placeOfWeight } from '../../model/slots.js';
import { transposed } from './export.js';
import { targetsOf } from './peft.js';

/**
 * @typedef {import('../../files/model-file.js').ModelFile} ModelFile
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('../../files/weights.js').TensorEntry} TensorEntry
 */

/**
 * Options of `openBase`.
 * @typedef {object} BaseOptions
 * @property {number} seed
 * @property {number} threads
 * @property {'auto' | 'scalar' | 'simd128' | 'relaxed'} [engine]
 * @property {boolean} [strict]
 * @property {Adapting | null} adapting  null: all weights learn
 * @property {AbortSignal | null} [signal]
 *
 * @typedef {{ rank: number, alpha: number, targets: string[] | null }} Adapting  targets: null for all
 */

/** Types of files whose weights can learn. @type {Readonly<Record<string, 'f32' | 'f16' | 'bf16'>>} */
const FLOATS = Object.freeze({ F32: 'f32', F16: 'f16', BF16: 'bf16' });

/** A model in the engine, the lab of its training, and the weights that learn. */
export class Base {
  #engine;
  #model;

  /**
   * @param {Engine} engine @param {number} model  address @param {Lab} lab @param {ModelFile} file
   * @param {Weights} weights  weights that learn
   * @param {{ constants?: Weights, weightsBytes?: number }} frozen  other weights, as tensors or in the engine
   */
  constructor(engine, model, lab, file, weights, { constants = {}, weightsBytes = 0 }) {
    this.#engine = engine;
    this.#model = model;
    this.lab = lab;
    this.file = file;
    this.weights = weights;
    this.constants = constants;
    this.weightsBytes = weightsBytes;
  }

  /**
   * Logits of the token after each input.
   * @param {ArrayLike<number>} inputs  ids [batch·time]
   * @param {number} batch
   * @returns {Tensor} [batch][time][token]
   */
  logits(inputs, batch) {
    const sizes = [batch, inputs.length / batch, this.file.config.vocabulary];
    const axes = { sizes, names: ['batch', 'time', 'token'] };
    return this.lab.run('causal_lm', [], { integers: [batch], ids: inputs, model: this.#model }, axes);
  }

  /** Most bytes that a step takes beside weights and optimizer; 0: more than the address space.
   *  @param {number} batch @param {number} time */
  stepBytes(batch, time) {
    return this.#engine.ask('heed_lab_model_bytes', this.#model, batch, time);
  }
}

/**
 * Opens a model for training.
 * @param {import('../../model/load.js').ModelSource} source
 * @param {BaseOptions} options
 * @returns {Promise<Base>}
 * @throws {HeedError} 'unsupported' before any weight is read
 */
export async function openBase(source, options) {
  const { seed, threads, signal = null, adapting, engine: wanted, strict } = options;
  const file = await openNamedModel(source, { signal });
  try {
    needAdaptable(file);
    const chosen = await chooseEngine({ threads, ...(wanted && { engine: wanted }), ...(strict && { strict }) },
      file.fileBytes, { floatsOnly: true });
    const engine = await Engine.create(chosen.kernels, chosen.threads);
    const openLab = () => new Lab(engine, chosen, { seed, limitBytes: 2 ** 32, warn: console.warn });
    try {
      return await (adapting ? withAdapters(engine, file, chosen.kernels, openLab, adapting)
        : withAllWeights(engine, file, openLab));
    } catch (error) {
      engine.close();
      throw error;
    }
  } finally {
    await file.close();
  }
}

/**
 * Frozen weights, and adapters that learn.
 * @param {Engine} engine @param {ModelFile} file @param {import('../../engine/wasm.js').KernelSet} kernels
 * @param {() => Lab} openLab @param {Adapting} adapting
 */
async function withAdapters(engine, file, kernels, openLab, { rank, alpha, targets }) {
  const matrices = chosenMatrices(file, targets);
  const plan = planWeights(engine, file, 'keep');
  const model = await placeWeights(engine, file, plan, engine.kernels(kernels));
  const structs = matrices.map(() => reserveStructs(engine)); // a lab's arena is the last object in memory
  const lab = openLab();
  /** @type {Weights} */
  const weights = {};
  for (const [i, { slot, A, B, rows, columns }] of matrices.entries()) {
    // PEFT's start: A like nn.Linear, B zero, so that the first step changes nothing but B.
    const a = lab.init.uniform(A, [rank, columns], 1 / Math.sqrt(columns));
    const b = lab.init.constant(B, [rows, rank], 0);
    const fields = { rank, scale: alpha / rank, a: a.place.data, b: b.place.data, a_grad: a.place.grad,
      b_grad: b.place.grad };
    adapt(engine, model, slot, file.config, fields, structs[i]);
    weights[A] = a;
    weights[B] = b;
  }
  return new Base(engine, model, lab, file, weights, { weightsBytes: plan.info.weightsBytes });
}

/** @param {ModelFile} file @param {string[] | null} targets @returns {import('./peft.js').Target[]} */
function chosenMatrices(file, targets) {
  const all = targetsOf(file);
  const known = [...new Set(all.map(({ target }) => target))];
  const unknown = targets?.find((target) => !known.includes(target));
  if (unknown !== undefined || targets?.length === 0) {
    throw new HeedError('bad-argument', `Expected targets to be some of ${known.join(', ')}, got ${
      unknown === undefined ? 'none' : quoted(unknown)}.`);
  }
  return all.filter(({ target }) => targets === null || targets.includes(target));
}

/**
 * All weights as tensors that learn.
 * @param {Engine} engine @param {ModelFile} file @param {() => Lab} openLab
 */
async function withAllWeights(engine, file, openLab) {
  const quantized = file.tensors.find(({ dtype }) => !Object.hasOwn(FLOATS, DTYPES[dtype].name));
  if (quantized) {
    throw new HeedError('unsupported', `${quoted(quantized.name)} of ${quoted(file.name)} is ` +
      `${DTYPES[quantized.dtype].name}; only float weights can learn. Train adapters, or take a file in F32 or F16.`);
  }
  const config = modelConfig(engine, file);
  const bytes = engine.call('heed_model_bytes', config);
  const model = engine.call('heed_model_create', engine.reserve(bytes, 'the tables of a model'), bytes, config);
  const lab = openLab();
  /** @type {Weights} */
  const weights = {};
  /** @type {Weights} */
  const constants = {};
  for await (const [entry, reader] of file.weights()) {
    const raw = new Uint8Array(entry.bytes);
    await reader.readInto(raw, `tensor ${quoted(entry.name)}`);
    const numbers = decode(raw, FLOATS[DTYPES[entry.dtype].name]);
    if (!numbers.every(Number.isFinite)) {
      throw new HeedError('bad-tensor', `Tensor ${quoted(entry.name)} has NaN or infinite numbers.`);
    }
    const [rows, columns] = entry.shape.length === 1 ? [1, entry.shape[0]] : entry.shape;
    const data = entry.transpose ? transposed(numbers, columns, rows) : numbers;
    const isLearned = entry.name !== 'rope_freqs.weight'; // computed, not learned
    const tensor = isLearned ? lab.parameter(data, entry.shape, entry.name) : lab.tensor(data, entry.shape);
    const { layer, slot } = placeOfWeight(engine, entry.name, file.config);
    engine.call('heed_model_share', model, layer, slot, rows, columns, tensor.place.data, tensor.place.grad);
    (isLearned ? weights : constants)[entry.name] = tensor;
  }
  engine.call('heed_model_ready', model);
  return new Base(engine, model, lab, file, weights, { constants });
}
