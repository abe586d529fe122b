/** heed/lab: tensors with named axes, attention of every kind and the blocks around it, backwards, optimisers. */
import { checkEngine, chooseEngine } from '../engine/choose.js';
import { Engine, MEMORY_LIMIT } from '../engine/wasm.js';
import { HeedError } from '../errors.js';
import { guard, guarded } from '../guard.js';
import { needOptions } from '../options.js';
import { needInRange } from './arguments.js';
import * as attentions from './attention.js';
import * as blocks from './blocks.js';
import { Core } from './core.js';
import { Init } from './init.js';
import { Operations } from './operations.js';
import { AdamW, SGD, clipGradients } from './optimizers.js';
import * as recurrent from './recurrent.js';
import * as state from './state.js';

export { HeedError, ERROR_CODES } from '../errors.js';
export { under } from './blocks.js';
export { countParameters, schedules } from './optimizers.js';
export { normal, randomFrom, uniform } from './random.js';
export { fromSafetensors, toSafetensors } from './state.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./axes.js').Shape} Shape */
/** @typedef {import('./blocks.js').Weights} Weights */
/** @typedef {import('./memory.js').Memory} Memory */
/** @typedef {import('./attention.js').AttentionOptions} AttentionOptions */
/** @typedef {import('./blocks.js').MultiHeadOptions} MultiHeadOptions */
/** @typedef {import('./blocks.js').BlockOptions} BlockOptions */

/** Options that there are. */
const ATTENTION = ['score', 'weights', 'causal', 'past', 'lengths', 'mask', 'maskKind', 'scale', 'softcap', 'dropout'];
const MULTI_HEAD = [...ATTENTION, 'heads', 'kvHeads', 'rope', 'valueWidths'];
const BLOCK = [...MULTI_HEAD, 'norm', 'activation', 'eps'];
const LAB = ['seed', 'engine', 'strict', 'threads', 'limitBytes', 'warn'];

/** An arena of less holds nothing. */
const LEAST_BYTES = 1 << 16;

/**
 * @typedef {object} LabOptions
 * @property {number} [seed]
 * @property {'auto' | 'scalar' | 'simd128' | 'relaxed'} [engine]
 * @property {boolean} [strict]  the same bits on every machine: never relaxed
 * @property {number} [threads]  1 unless told; more need shared memory and are not for a page's own thread
 * @property {number} [limitBytes]  of memory for tensors; by default what WebAssembly can address, 4 GB
 * @property {(message: string) => void} [warn]  hears when tensors made outside of steps pile up; default console.warn
 */

/**
 * A place to make tensors in, with memory of its own.
 * @type {(options?: LabOptions) => Promise<Lab>}
 * @throws {HeedError} 'bad-argument', 'unavailable'
 */
export const lab = guarded('lab', async (options) => {
  needOptions('lab', options, LAB);
  const { seed = 0, engine = 'auto', strict = false, threads = 1, limitBytes = MEMORY_LIMIT,
    warn = console.warn } = options ?? {};
  needInRange('lab', { seed }, { whole: true });
  checkEngine({ engine, strict, threads });
  if (!(typeof limitBytes === 'number' && limitBytes >= LEAST_BYTES)) {
    throw new HeedError('bad-argument', `limitBytes is ${limitBytes}; a lab needs ${LEAST_BYTES} or more.`);
  }
  const chosen = await chooseEngine({ engine, strict, threads }, 0);
  return new Lab(await Engine.create(chosen.kernels, chosen.threads), chosen, { seed, limitBytes, warn });
});

export class Lab extends Operations {
  /** @param {Engine} engine @param {import('../engine/choose.js').EngineInfo} info @internal
   *  @param {{ seed: number, limitBytes: number, warn: (message: string) => void }} options */
  constructor(engine, info, { seed, ...memory }) {
    super(engine, info.kernels, memory);
    /** What runs, and why. */
    this.info = { engine: info };
    this.seed = seed;
    /** Parameters with PyTorch's names and initial distributions. */
    this.init = new Init(this, seed);
  }

  /** A tensor that learns. @param {ArrayLike<number>} data @param {Shape} shape @param {string} [name] */
  parameter(data, shape, name) {
    return this.init.parameter(data, shape, name);
  }

  /** q [batch][head][query][dim], k, v [batch][kvHead][key][dim], the first two axes or the first left out.
   *  @param {Tensor} q @param {Tensor} k @param {Tensor} v @param {AttentionOptions} [options] */
  attention(q, k, v, options) {
    needOptions('attention', options, ATTENTION);
    return attentions.attention(this, q, k, v, options);
  }

  /** q [batch][query][feature], k, v [batch][key][feature], or without the batch.
   *  @param {Tensor} q @param {Tensor} k @param {Tensor} v @param {Weights} weights
   *  @param {MultiHeadOptions} options */
  multiHead(q, k, v, weights, options) {
    needOptions('multiHead', options, MULTI_HEAD);
    return blocks.multiHead(this, q, k, v, weights, options);
  }

  /** Each head projects its own piece of x. @param {Tensor} x @param {Weights} weights
   *  @param {MultiHeadOptions} options */
  multiHeadOfPieces(x, weights, options) {
    needOptions('multiHeadOfPieces', options, [...ATTENTION, 'heads']);
    return blocks.multiHeadOfPieces(this, x, weights, options);
  }

  /** Full-width values of all heads, added. @param {Tensor} x @param {Weights} weights
   *  @param {MultiHeadOptions} options */
  multiHeadPooled(x, weights, options) {
    needOptions('multiHeadPooled', options, [...ATTENTION, 'heads']);
    return blocks.multiHeadPooled(this, x, weights, options);
  }

  /** @param {Tensor} x @param {Weights} weights @param {MultiHeadOptions & BlockOptions} options */
  encoderBlock(x, weights, options) {
    needOptions('encoderBlock', options, BLOCK);
    return blocks.encoderBlock(this, x, weights, options);
  }

  /** @param {Tensor} x @param {Tensor} memory @param {Weights} weights
   *  @param {Parameters<typeof blocks.decoderBlock>[4]} options */
  decoderBlock(x, memory, weights, options) {
    needOptions('decoderBlock', options, [...BLOCK, 'memoryLengths', 'memoryMask']);
    return blocks.decoderBlock(this, x, memory, weights, options);
  }

  /** @param {Tensor} x [batch][time][feature] @param {Weights} weights
   *  @param {Parameters<typeof recurrent.gru>[3]} [options] */
  gru(x, weights, options) {
    needOptions('gru', options, ['bidirectional', 'lengths', 'state', 'dropout']);
    return recurrent.gru(this, x, weights, options);
  }

  /** @param {Tensor} x [batch][feature] @param {Tensor} h [batch][hidden] @param {Weights} weights */
  gruCell(x, h, weights) {
    return recurrent.gruCell(this, x, h, weights);
  }

  /** @param {Weights | Tensor[]} parameters @param {ConstructorParameters<typeof AdamW>[2]} [options] */
  adamW(parameters, options) {
    return new AdamW(this, parameters, options);
  }

  /** @param {Weights | Tensor[]} parameters @param {ConstructorParameters<typeof SGD>[2]} [options] */
  sgd(parameters, options) {
    return new SGD(this, parameters, options);
  }

  /** Scales gradients to a common norm of at most `limit`; gives the norm before.
   *  @param {Weights | Tensor[]} parameters @param {number} limit */
  clipGradients(parameters, limit) {
    return clipGradients(this, parameters, limit);
  }

  /** Parameters from a safetensors file, by its names. @param {state.Bytes} file
   *  @returns {Promise<{ weights: Weights, metadata: Record<string, string> }>} */
  async load(file) {
    const { tensors, metadata } = await state.fromSafetensors(file);
    const weights = Object.fromEntries(Object.entries(tensors).map(([name, { shape, data }]) =>
      [name, this.parameter(data, shape, name)]));
    return { weights, metadata };
  }

  /** Numbers of a safetensors file into tensors that there are.
   *  @param {Weights} weights @param {state.Bytes} file */
  async assign(weights, file) {
    return state.assign(weights, file);
  }

  /** A safetensors file with PyTorch's names. @param {Weights} weights @param {Record<string, string>} [metadata]
   *  @param {Parameters<typeof state.toSafetensors>[2]} [options] */
  save(weights, metadata, options) {
    return state.toSafetensors(weights, metadata, options);
  }
}

// Not `step` and `evaluate`: an error of the work that they run is the caller's.
for (const { prototype } of [Lab, Operations, Init]) guard(prototype);
guard(Core.prototype, ['tensor', 'backward']);
