/** A training that continues from a loaded model: options, memory, steps, and the trained weights as files. */
import { checkEngine } from '../../engine/choose.js';
import { HeedError, quoted } from '../../errors.js';
import { MAX_RANK } from '../../files/adapter.js';
import { crc32 } from '../../files/checksum.js';
import { needCounts, needInRange } from '../../lab/arguments.js';
import { countParameters } from '../../lab/index.js';
import { needOptions } from '../../options.js';
import { idsFrom } from '../../text/ids.js';
import { needTokenizer } from '../../text/text.js';
import { Trainer } from '../trainer.js';
import { openBase } from './base.js';
import { formatOf, modelFiles } from './export.js';
import { adapterFiles } from './peft.js';
import { tuningRecipe } from './recipe.js';

/** @typedef {import('../../model/load.js').ModelSource} ModelSource */

/**
 * Settings of a training that continues from a loaded model.
 * @typedef {object} TuningOptions
 * @property {number} [steps]    number of training steps; default 100
 * @property {number} [rank]     rank of the adapters, 1 to 256; default 8
 * @property {number} [alpha]    the adapters' products are scaled by alpha / rank; default 2·rank
 * @property {string[]} [targets]  matrices with adapters, by the last part of Hugging Face's names, such as `q_proj`;
 *   default: all matrices of the blocks
 * @property {boolean} [full]    whether all weights learn instead of adapters; the file must have float weights;
 *   default false
 * @property {number} [rate]     largest learning rate; default 0.001, and 0.0001 with `full`
 * @property {number} [decay]    weight decay of AdamW; default 0
 * @property {number} [batch]    number of windows in a step; default 4
 * @property {number} [context]  number of tokens in a window; default 128, at most the model's context
 * @property {number} [seed]     seed of the adapters and of the batches; default 1
 * @property {number} [threads]  number of threads; default 1
 * @property {'auto' | 'scalar' | 'simd128' | 'relaxed'} [engine]  kernel set; default 'auto'
 * @property {boolean} [strict]  whether results have the same bits on every machine; default false
 */

/** Names of the options. */
export const TUNING_OPTIONS = ['steps', 'rank', 'alpha', 'targets', 'full', 'rate', 'decay', 'batch', 'context',
  'seed', 'threads', 'engine', 'strict'];

/**
 * Memory of a training in bytes.
 * @typedef {object} TuningMemory
 * @property {number} weightsBytes   frozen weights of the model
 * @property {number} learningBytes  weights that learn, their gradients, and the state of AdamW
 * @property {number} stepBytes      upper bound of the activations of a step
 */

/** Fraction of the text that is held out, and the fewest ids of it. */
const HELD_OUT = 0.1;
const LEAST_HELD_OUT = 2;

/** A training that continues from a loaded model. */
export class Tuning {
  #base;
  #adapting;

  /**
   * @param {import('./base.js').Base} base
   * @param {import('./base.js').Adapting | null} adapting
   * @param {import('./recipe.js').Plan} plan
   * @internal
   */
  constructor(base, adapting, plan) {
    this.#base = base;
    this.#adapting = adapting;
    /** Number of numbers that learn. */
    this.parameters = countParameters(base.weights);
    /** Memory that the training takes. @type {TuningMemory} */
    this.memory = {
      weightsBytes: base.weightsBytes,
      learningBytes: 16 * this.parameters,
      stepBytes: base.stepBytes(plan.batch, plan.time),
    };
    if (this.memory.stepBytes === 0) {
      throw new HeedError('out-of-memory', `fineTune: a step over ${plan.batch} windows of ${plan.time} tokens takes ` +
        'more than 4 GB. Lower batch or context.');
    }
    /** Number of tokens in a window. */
    this.context = plan.time;
    /** Number of tokens that are learned and held out. 0 held out: the text is too short, and the held-out loss is that
     *  of the whole text. @type {{ train: number, heldOut: number }} */
    this.tokens = plan.tokens;
    /** The training loop: `run`, `checkpoint`, `restore`, `figures`. */
    this.trainer = new Trainer(base.lab, tuningRecipe(base, plan), plan);
  }

  /**
   * Opens a model and a text.  No step runs yet.
   * @param {ModelSource} source  file or files of the model
   * @param {string | ArrayLike<number>} text  text, or ids; the last tenth of 20 or more tokens is held out for
   *   validation
   * @param {TuningOptions & { signal?: AbortSignal }} [options]  settings
   * @returns {Promise<Tuning>} the training before its first step
   * @throws {HeedError} 'bad-argument', 'unsupported' for `full` with quantized weights, 'no-tokenizer',
   *   'out-of-memory', 'aborted', and the errors of `load`
   */
  static async open(source, text, options = {}) {
    needOptions('fineTune', options, [...TUNING_OPTIONS, 'signal']);
    const settings = checked(options);
    const { seed, threads, engine, strict, adapting, signal } = settings;
    checkEngine({ threads, ...(engine !== undefined && { engine }), ...(strict !== undefined && { strict }) });
    if (typeof text === 'string' ? text.trim() === '' : !(text?.length > 0)) {
      const found = typeof text === 'string' || text?.length === 0 ? 'empty' : quoted(text);
      throw new HeedError('bad-argument', `fineTune: the text is ${found}. Give a text, or an array of ids.`);
    }
    const base = await openBase(source, { seed, threads, adapting, ...(engine && { engine }),
      ...(strict !== undefined && { strict }), ...(signal && { signal }) });
    try {
      const ids = typeof text === 'string' ? needTokenizer(base.file.tokenizer).encode(text)
        : idsFrom(text, base.file.config.vocabulary);
      return new Tuning(base, adapting, planOf(base, ids, settings));
    } catch (error) {
      base.lab.dispose();
      throw error;
    }
  }

  /**
   * The adapters as PEFT saves them, for `load(source, { adapter })` and for PEFT.
   * @returns {import('./peft.js').AdapterFiles | null} null if all weights learned
   */
  adapter() {
    const { step, figures } = this.trainer;
    if (!this.#adapting) return null;
    return adapterFiles(this.#base, this.#adapting, { heed: JSON.stringify({ step, figures }) });
  }

  /**
   * Refuses a format that the files of the model cannot have, because they are written only after the training.
   * @param {import('./export.js').ModelFormat} format  format, and type of the matrices
   * @throws {HeedError} 'bad-argument', 'unsupported'
   */
  needFormat(format) {
    formatOf(this.#base.file, format);
  }

  /**
   * The model with the weights that learned, as files.
   * @param {import('./export.js').ModelFormat} [options]  format, and type of the matrices
   * @returns {Promise<import('./export.js').Files> | null} null if adapters learned; `mergeAdapter` writes those
   */
  model(options) {
    const { file, weights, constants } = this.#base;
    if (this.#adapting) return null;
    return modelFiles(file, (slot) => (weights[slot] ?? constants[slot]).data, options);
  }

  /** Frees the memory, and ends the threads. */
  dispose() {
    this.#base.lab.dispose();
  }
}

/** @param {TuningOptions & { signal?: AbortSignal }} options */
function checked(options) {
  const { full = false, steps = 100, rank = 8, alpha = 2 * rank, targets = null, rate = full ? 1e-4 : 1e-3, decay = 0,
    batch = 4, context = 128, seed = 1, threads = 1, ...rest } = options;
  needCounts('fineTune', { steps, rank, batch, context, threads });
  needInRange('fineTune', { rank }, { below: MAX_RANK + 1 });
  for (const [name, x] of Object.entries({ rate, decay, alpha })) {
    needInRange('fineTune', { [name]: x }, { least: 0 });
  }
  needInRange('fineTune', { seed }, { whole: true });
  if (full && ['rank', 'alpha', 'targets'].some((name) => options[/** @type {'rank'} */ (name)] !== undefined)) {
    throw new HeedError('bad-argument', 'fineTune: rank, alpha and targets are settings of adapters, and full: true ' +
      'trains the weights themselves. Leave them out.');
  }
  if (targets !== null && !(Array.isArray(targets) && targets.every((target) => typeof target === 'string'))) {
    throw new HeedError('bad-argument', `fineTune: targets is ${quoted(targets)}; it is an array of names, such as ` +
      '[‘q_proj’, ‘v_proj’].');
  }
  const adapting = full ? null : { rank, alpha, targets };
  return { ...rest, steps, rate, decay, batch, context, seed, threads, adapting };
}

/**
 * Divides the text, and names the training, so that a checkpoint of another one is refused.
 * @param {import('./base.js').Base} base @param {Int32Array} ids @param {ReturnType<typeof checked>} settings
 * @returns {import('./recipe.js').Plan}
 */
function planOf({ file }, ids, { steps, rate, decay, batch, context, adapting }) {
  if (ids.length < 3) {
    throw new HeedError('bad-argument', `fineTune: the text has ${ids.length} token${ids.length === 1 ? '' : 's'}; ` +
      'expected 3 or more. Give a longer text.');
  }
  const held = Math.floor(HELD_OUT * ids.length);
  const split = held >= LEAST_HELD_OUT ? ids.length - held : ids.length;
  const train = ids.subarray(0, split);
  const heldOut = split < ids.length ? ids.subarray(split) : ids;
  const time = Math.min(context, file.config.context_length, train.length - 1);
  const said = JSON.stringify({ rate, decay, batch, time, adapting, file: file.name, bytes: file.fileBytes });
  const sum = crc32(new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength), crc32(new TextEncoder().encode(said)));
  const name = `from ${file.name} (${sum.toString(16).padStart(8, '0')})`;
  const tokens = { train: split, heldOut: ids.length - split };
  return { name, steps, rate, decay, batch, time, train, heldOut, tokens, every: Math.max(1, Math.ceil(steps / 10)) };
}
