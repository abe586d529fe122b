/** The training loop: batches, steps, progress, validation. A training can stop at any step and resume bit for bit. */
import { HeedError, quoted } from '../errors.js';
import { writeGguf } from '../files/gguf/writer.js';
import { kindOf, needCounts, needInRange } from '../lab/arguments.js';
import { fromSafetensors, randomFrom } from '../lab/index.js';
import { needOptions } from '../options.js';
import { Pacer } from '../pause.js';
import { crc32 } from '../files/checksum.js';
import { partsOf, runToEnd } from './resumable.js';

/**
 * @typedef {import('../lab/index.js').Lab} Lab
 * @typedef {import('../lab/index.js').Tensor} Tensor
 * @typedef {import('../lab/index.js').Weights} Weights
 * @typedef {import('../files/gguf/quantize.js').TypeName} TypeName
 */

/**
 * A recipe: data, model and optimization of one training. Its functions depend on their arguments alone, so that a
 * training is reproducible.
 * @template [Data=any], [Batch=any], [Config=any]
 * @typedef {object} Recipe
 * @property {string} name       name on the command line and of the files
 * @property {string} summary    description in one line
 * @property {number} steps      number of training steps
 * @property {number} minutes    approximate training time in minutes, on one free core
 * @property {FileNeeded[]} [files]  data files that `data` reads
 * @property {(files: Record<string, Uint8Array>) => Data | Promise<Data>} data  makes the data from the files' contents
 *   by name
 * @property {(data: Data) => Config} config  configuration of the model: sizes and vocabularies; saved with the weights
 * @property {(lab: Lab, config: Config, data: Data) => Weights} weights  initial weights, with PyTorch's names
 * @property {(data: Data, random: () => number, step: number) => Batch} batch  draws the batch of a step, with random
 *   numbers in [0, 1)
 * @property {(lab: Lab, weights: Weights, config: Config, batch: Batch) => Tensor} loss  loss of a batch, one number
 * @property {(step: number) => number} rate  learning rate of a step, counted from 0
 * @property {{ betas?: readonly [number, number], eps?: number, weightDecay?: number,
 *   decays?: (parameter: Tensor) => boolean }} [adamW]  options of the optimizer; see `lab.adamW`
 * @property {number} [clip]     largest common norm of the gradients; default no clipping
 * @property {number} [every]    number of steps between validations; default a tenth of all steps
 * @property {(lab: Lab, weights: Weights, config: Config, data: Data) =>
 *   import('./resumable.js').Resumable<Record<string, number>>} validate  figures on held-out data. A long validation
 *   is a generator: it may be stopped at each yield, and keeps no tensor across one
 * @property {'F32' | 'F16'} [storage]  type of the saved weights; default 'F32'
 * @property {{ figure: string, atLeast?: number, atMost?: number }} goal  condition on a figure of the last validation
 * @property {(weights: Weights, config: Config, type: TypeName) => import('../files/gguf/writer.js').GgufContent}
 *   [gguf]  export of a language model as GGUF, which `load()` runs
 * @property {(lab: Lab, weights: Weights, config: Config, data: Data) => Watched} [watch]  attention on one fixed
 *   example, to watch heads form
 * @property {(size: Size) => Recipe} [sized]  the recipe with a model of another size
 */

/**
 * Size of a model.
 * @typedef {object} Size
 * @property {number} [layers]  number of layers; default that of the recipe
 * @property {number} [heads]   number of heads per layer, a divisor of the model's width; default that of the recipe
 */

/**
 * Attention of a model on one example.
 * @typedef {object} Watched
 * @property {string[]} tokens  tokens of the example
 * @property {number} layers    number of layers
 * @property {number} heads     number of heads per layer
 * @property {boolean} causal   whether a token sees only earlier tokens
 * @property {Float32Array} data  patterns, [layer][head][query][key]
 * @property {string[]} answer  output of the model
 * @property {string[]} wanted  correct output
 */

/**
 * @typedef {object} FileNeeded  a data file that a recipe reads
 * @property {string} name        path below the data folder
 * @property {string} what        description of the content, for messages
 * @property {string} from        source of the file, for messages
 * @property {boolean} [shipped]  whether the package has a copy in its folder `data`
 */

/**
 * Progress after one training step.
 * @typedef {object} Progress
 * @property {number} step      number of steps done
 * @property {number} steps     number of all steps
 * @property {number} loss      loss of this step's batch
 * @property {number} rate      learning rate of this step
 * @property {number | null} norm  norm of the gradients before clipping; null without clipping
 * @property {number} secondsLeft  estimated time to the end in seconds
 * @property {Record<string, number> | null} figures  figures of the validation after this step; null without one
 */

/** A training in progress: a recipe, its lab, its weights and the number of steps done. */
export class Trainer {
  /** Number of steps done. */
  step = 0;
  /** Figures of the last validation, by name. @type {Record<string, number>} */
  figures = {};
  #optimizer;
  /** Loss and norm of the last step while its validation is unfinished. They are reported after the validation.
   *  @type {{ loss: number, norm: number | null } | null} */
  #unreported = null;
  /** Number of calls of `run`; only the last one continues. */
  #runs = 0;

  /**
   * Makes the configuration and the initial weights.
   * @param {Lab} lab  a lab for this training alone; its seed determines weights, batches and dropout
   * @param {Recipe} recipe
   * @param {any} data  result of `recipe.data`
   * @param {{ steps?: number }} [options]  steps: number of steps; default that of the recipe
   * @throws {HeedError} 'bad-argument', 'out-of-memory'
   */
  constructor(lab, recipe, data, options = {}) {
    needOptions('a Trainer', options, ['steps']);
    if (typeof lab?.step !== 'function') {
      throw new HeedError('bad-argument', `a Trainer: expected a lab of lab(), got ${quoted(lab)}.`);
    }
    needRecipe(recipe);
    if (data instanceof Promise) {
      throw new HeedError('bad-argument', 'a Trainer: the data are a Promise. Pass await recipe.data(files).');
    }
    const { steps = recipe.steps } = options;
    needCounts('a Trainer', { steps });
    /** Lab of the training. */
    this.lab = lab;
    /** Recipe of the training. */
    this.recipe = recipe;
    /** Data of the recipe. */
    this.data = data;
    /** Number of all steps. */
    this.steps = steps;
    /** Seed of weights, batches and dropout. */
    this.seed = lab.seed;
    /** Configuration of the model. */
    this.config = recipe.config(data);
    /** Weights of the model by name. @type {Weights} */
    this.weights = recipe.weights(lab, this.config, data);
    this.#optimizer = lab.adamW(this.weights, recipe.adamW);
  }

  /**
   * Trains to the last step. Between two steps it yields to the event loop.
   * @param {{ signal?: AbortSignal }} [options]  signal: an abort stops after the current step or within a validation,
   *   which the next `run` then repeats
   * @returns {AsyncGenerator<Progress, void>} one item per step
   * @throws {HeedError} 'not-finite' with the training step and the operation that made a NaN or infinity;
   *   'superseded' when a later call of `run` has begun
   */
  async *run(options = {}) {
    needOptions('run', options, ['signal']);
    const { signal } = options;
    const { recipe } = this;
    const every = recipe.every ?? Math.max(1, Math.round(this.steps / 10));
    const started = performance.now();
    const first = this.step;
    const pacer = new Pacer();
    const call = ++this.#runs;
    while (!this.ended && !signal?.aborted) {
      this.#needLast(call);
      const unreported = this.#unreported ??= this.#trainStep();
      const { step, steps } = this;
      const due = step % every === 0 || step === steps;
      if (due && !(await this.#validated(pacer, call, signal))) return;
      const { loss, norm } = unreported;
      this.#unreported = null;
      const pace = (performance.now() - started) / Math.max(1, step - first) / 1000;
      yield { step, steps, loss, norm, rate: recipe.rate(step - 1), secondsLeft: pace * (steps - step),
        figures: due ? this.figures : null };
      await pacer.pause(); // lets messages and signals through
    }
  }

  /**
   * Whether all steps and the last validation are done.
   * @returns {boolean}
   */
  get ended() {
    return this.step === this.steps && !this.#unreported;
  }

  /**
   * The batch of a step.
   * @param {number} step  number of the step, from 0
   * @returns {any} batch of the recipe
   */
  batch(step) {
    return this.recipe.batch(this.data, randomFrom(this.seed + Math.imul(step + 1, 0x9e3779b1)), step);
  }

  /** @param {number} call  number of a call of `run` */
  #needLast(call) {
    if (call === this.#runs) return;
    throw new HeedError('superseded', 'Another call of run continues this training. Read one run at a time.');
  }

  /** One training step. Its batch and its dropout depend on the seed and the number of the step alone. */
  #trainStep() {
    const { lab, recipe, weights, config } = this;
    const batch = this.batch(this.step);
    lab.startDropoutAt(this.step);
    this.#optimizer.rate = recipe.rate(this.step);
    const learned = lab.step(() => {
      const loss = recipe.loss(lab, weights, config, batch);
      lab.backward(loss);
      const norm = recipe.clip ? lab.clipGradients(weights, recipe.clip) : null;
      this.#optimizer.step();
      return { loss: loss.item(), norm };
    }, this.step + 1);
    this.step++;
    return learned;
  }

  /**
   * Runs the recipe's validation on the current weights.
   * @returns {Record<string, number>} figures by name
   * @throws {HeedError} 'bad-argument' for a result that is not figures
   */
  validate() {
    const { lab, recipe, weights, config, data } = this;
    this.figures = checked(recipe, lab.evaluate(() => runToEnd(recipe.validate(lab, weights, config, data))));
    return this.figures;
  }

  /**
   * Runs the validation with pauses.
   * @param {Pacer} pacer @param {number} call  number of the call of `run` @param {AbortSignal} [signal]
   * @returns {Promise<boolean>} false if the signal stopped it; `figures` then stays unchanged
   */
  async #validated(pacer, call, signal) {
    const { lab, recipe, weights, config, data } = this;
    const parts = partsOf(() => recipe.validate(lab, weights, config, data));
    for (;;) {
      const { done, value } = lab.evaluate(() => parts.next());
      if (done) {
        this.figures = checked(recipe, value);
        return true;
      }
      await pacer.pause();
      this.#needLast(call);
      if (signal?.aborted) return false;
    }
  }

  /**
   * Attention of the current model on the recipe's example.
   * @returns {Watched | null} null if the recipe has no example
   */
  watch() {
    const { lab, recipe, weights, config, data } = this;
    return lab.evaluate(() => recipe.watch?.(lab, weights, config, data) ?? null);
  }

  /**
   * Whether the last validation meets the recipe's goal.
   * @returns {boolean}
   */
  get meetsGoal() {
    const { figure, atLeast = -Infinity, atMost = Infinity } = this.recipe.goal;
    return this.figures[figure] >= atLeast && this.figures[figure] <= atMost;
  }

  /**
   * Weights, optimizer state and step as a safetensors file with a checksum.
   * @returns {Uint8Array<ArrayBuffer>} bytes of the file, for `restore`
   */
  checkpoint() {
    const { step, steps, seed } = this;
    const untold = this.#unreported;
    const training = JSON.stringify({ recipe: this.recipe.name, step, steps, seed, config: this.config,
      figures: this.figures, untold });
    const tensors = this.#tensors();
    return this.lab.save(tensors, { training, checksum: checksumOf(training, tensors) });
  }

  /** Weights and optimizer state by their names in a checkpoint. */
  #tensors() {
    // Spelled as in checkpoints of earlier versions. words: allow
    const state = Object.entries(this.#optimizer.state).map(([name, tensor]) => [`optimiser.${name}`, tensor]);
    return { ...this.weights, ...Object.fromEntries(state) };
  }

  /**
   * Resumes from a checkpoint. The following steps give the same bits as an uninterrupted training.
   * @param {Uint8Array} file  bytes of a checkpoint of the same recipe, configuration, seed and number of steps
   * @throws {HeedError} 'bad-file' if it belongs to another training, is damaged or is not a checkpoint; 'truncated';
   *   'not-finite' if it has NaN or infinite numbers
   */
  async restore(file) {
    const { tensors, metadata } = await fromSafetensors(file, 'the checkpoint');
    const was = parse(metadata.training);
    // Files of early versions have no checksum.
    if (metadata.checksum !== undefined && metadata.checksum !== checksumOf(metadata.training, tensors)) {
      throw new HeedError('bad-file', 'The checkpoint is damaged: its checksum does not match its content.');
    }
    needSame(was, { recipe: this.recipe.name, seed: this.seed, steps: this.steps });
    if (was.config) needSame(was.config, this.config); // files of early versions have no configuration
    const { step, figures, untold = null } = was;
    const told = untold === null ||
      (step > 0 && typeof untold.loss === 'number' && (untold.norm === null || typeof untold.norm === 'number'));
    // JSON writes NaN as null
    const measured = typeof figures === 'object' && figures !== null &&
      Object.values(figures).every((figure) => figure === null || typeof figure === 'number') &&
      (step < this.steps || untold || Object.hasOwn(figures, this.recipe.goal.figure));
    if (!Number.isInteger(step) || step < 0 || step > this.steps || !measured || !told) {
      throw new HeedError('bad-file', `The checkpoint has an invalid state: step ${quoted(step)} of ` +
        `${this.steps}, figures ${quoted(JSON.stringify(figures))}.`);
    }
    const broken = Object.entries(tensors).find(([, { data }]) => !data.every(Number.isFinite));
    if (broken) {
      throw new HeedError('not-finite', `The checkpoint has NaN or infinite numbers in ${quoted(broken[0])}. The ` +
        'training had diverged before it was written. Start again with a lower learning rate.');
    }
    await this.lab.assign(this.#tensors(), file);
    this.step = this.#optimizer.steps = step;
    this.#unreported = untold && { loss: untold.loss, norm: untold.norm };
    this.figures = Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, figure ?? NaN]));
  }

  /**
   * The model as a GGUF file, if it is a language model. `load()` and llama.cpp read it.
   * @param {TypeName} type  type of the matrices
   * @returns {Promise<Uint8Array<ArrayBuffer>> | null} bytes of the file; null for other models
   */
  gguf(type) {
    return this.recipe.gguf ? writeGguf(this.recipe.gguf(this.weights, this.config, type)) : null;
  }

  /**
   * The weights as a safetensors file, with the configuration in its metadata. `openModel` and PyTorch read it.
   * @returns {Uint8Array<ArrayBuffer>} bytes of the file
   */
  save() {
    const { recipe, config, step, figures } = this;
    const metadata = { heed: JSON.stringify({ recipe: recipe.name, config, step, figures }) };
    return this.lab.save(this.weights, metadata, { dtype: recipe.storage });
  }
}

/** Functions that every recipe has besides `data`. */
const FUNCTIONS = /** @type {const} */ (['config', 'weights', 'batch', 'loss', 'rate', 'validate']);

/** Checks a recipe before its training, so that a missing part does not end it later.
 *  @param {Recipe} recipe @throws {HeedError} 'bad-argument' */
function needRecipe(recipe) {
  const missing = FUNCTIONS.filter((name) => typeof recipe?.[name] !== 'function');
  if (missing.length === FUNCTIONS.length) {
    throw new HeedError('bad-argument', `a Trainer: expected a recipe, such as await findRecipe('reverse'), got ` +
      `${quoted(recipe)}.`);
  }
  if (missing.length > 0) {
    throw new HeedError('bad-argument', `a Trainer: ${missing[0]} of the recipe is ${kindOf(recipe[missing[0]])}; ` +
      'it is a function.');
  }
  if (typeof recipe.goal?.figure !== 'string') {
    throw new HeedError('bad-argument', 'a Trainer: goal.figure of the recipe is the name of a figure of validate, ' +
      `such as { figure: 'loss', atMost: 1 }; got ${kindOf(recipe.goal?.figure)}.`);
  }
  const { every = 1, clip } = recipe;
  needCounts('a Trainer', { 'every of the recipe': every });
  needInRange('a Trainer', { 'clip of the recipe': clip }, { above: 0 });
}

/** The figures of a validation.
 *  @param {Recipe} recipe @param {Record<string, number>} figures @throws {HeedError} 'bad-argument' */
function checked({ goal }, figures) {
  const other = Object.entries(figures ?? {}).find(([, figure]) => typeof figure !== 'number');
  if (!other && typeof figures?.[goal.figure] === 'number') return figures;
  throw new HeedError('bad-argument', `validate of the recipe returns numbers by name at once, { ${goal.figure}: … ` +
    `}; ${other ? `${other[0]} is ${kindOf(other[1])}` : `it has no ${quoted(goal.figure)}, the figure of the goal`}.`);
}

/**
 * CRC-32 of the state and the tensors of a checkpoint.
 * @param {string} training  state as JSON
 * @param {Record<string, { data: Float32Array }>} tensors  tensors in their order in the file
 * @returns {string} eight hexadecimal digits
 */
function checksumOf(training, tensors) {
  let checksum = crc32(new TextEncoder().encode(training));
  for (const [name, { data }] of Object.entries(tensors)) {
    checksum = crc32(new TextEncoder().encode(name), checksum);
    checksum = crc32(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), checksum);
  }
  return checksum.toString(16).padStart(8, '0');
}

/** Checks values of a checkpoint.
 *  @param {Record<string, unknown>} was @param {Record<string, unknown>} here  of this training
 *  @throws {HeedError} 'bad-file' */
function needSame(was, here) {
  const what = Object.keys(here).find((name) => JSON.stringify(was[name]) !== JSON.stringify(here[name]));
  if (what === undefined) return;
  throw new HeedError('bad-file', `The checkpoint has the ${what} ${quoted(was[what])}, this training ` +
    `${quoted(here[what])}. Use the same ${what}, or start without the checkpoint.`);
}

/** @param {string | undefined} text @returns {Record<string, any>} */
function parse(text) {
  try {
    const training = JSON.parse(text ?? '');
    if (typeof training === 'object' && training !== null) return training;
  } catch { /* reported below */ }
  throw new HeedError('bad-file', 'This file is not a checkpoint: its header has no training state.');
}
