/** The loop of training: batches, steps, progress, validation; to be stopped at any step and resumed bit for bit. */
import { HeedError, quoted } from '../errors.js';
import { writeGguf } from '../files/gguf/writer.js';
import { needCounts } from '../lab/arguments.js';
import { fromSafetensors, randomFrom } from '../lab/index.js';
import { needOptions } from '../options.js';
import { Pacer } from '../pause.js';
import { crc32 } from './checksum.js';
import { piecesOf, whole } from './pieces.js';

/**
 * @typedef {import('../lab/index.js').Lab} Lab
 * @typedef {import('../lab/index.js').Tensor} Tensor
 * @typedef {import('../lab/index.js').Weights} Weights
 * @typedef {import('../files/gguf/quantize.js').TypeName} TypeName
 */

/**
 * What a model needs to be trained: data, the model, and how it learns.  Everything is a function of its arguments.
 * @template Data, Batch, Config
 * @typedef {object} Recipe
 * @property {string} name       of the command line and of the files
 * @property {string} summary    one line
 * @property {number} steps
 * @property {number} minutes    that they take, about, on one core that is free
 * @property {FileNeeded[]} [files]  data that the project does not make itself
 * @property {(files: Record<string, Uint8Array>) => Data | Promise<Data>} data
 * @property {(data: Data) => Config} config     everything but the weights: sizes, vocabularies; saved beside them
 * @property {(lab: Lab, config: Config, data: Data) => Weights} weights  as they begin, by names of PyTorch
 * @property {(data: Data, random: () => number, step: number) => Batch} batch
 * @property {(lab: Lab, weights: Weights, config: Config, batch: Batch) => Tensor} loss  one number
 * @property {(step: number) => number} rate     learning rate
 * @property {{ betas?: [number, number], eps?: number, weightDecay?: number, decays?: (parameter: Tensor) => boolean }}
 *   [adamW]
 * @property {number} [clip]     largest common norm of the gradients
 * @property {number} [every]    steps from one validation to the next; default a tenth of all
 * @property {(lab: Lab, weights: Weights, config: Config, data: Data) =>
 *   import('./pieces.js').InPieces<Record<string, number>>} validate  figures of data that training never sees; a
 *   generator where that is long: it may be stopped where it yields, and no tensor lasts from one piece to the next
 * @property {'F32' | 'F16'} [storage]  of the trained weights; default F32
 * @property {{ figure: string, atLeast?: number, atMost?: number }} goal  that the trained model meets
 * @property {(weights: Weights, config: Config, type: TypeName) =>
 *   import('../files/gguf/writer.js').GgufContent} [gguf]  of a language model that `load()` runs
 * @property {(lab: Lab, weights: Weights, config: Config, data: Data) => Watched} [watch]  one example, the same at
 *   every step, for those who want to see heads form
 */

/**
 * @typedef {object} Watched  how a model attends to one example
 * @property {string[]} tokens
 * @property {number} layers
 * @property {number} heads
 * @property {boolean} causal   whether tokens see only what came before them
 * @property {Float32Array} data  patterns, [layer][head][query][key]
 * @property {string[]} answer  what the model says
 * @property {string[]} wanted  what it should say
 */

/**
 * @typedef {object} FileNeeded  a data file that a recipe reads
 * @property {string} name        path below the data folder
 * @property {string} what        description of the content, for messages
 * @property {string} from        where the file can be obtained
 * @property {boolean} [shipped]  whether the package has a copy in its folder `data`
 */

/**
 * @typedef {object} Progress
 * @property {number} step      steps done
 * @property {number} steps
 * @property {number} loss      of this step's batch
 * @property {number} rate
 * @property {number | null} norm  of the gradients before clipping
 * @property {number} secondsLeft  at the pace so far
 * @property {Record<string, number> | null} figures  where this step was followed by a validation
 */

/** One training: a recipe, its lab, and how far it is. */
export class Trainer {
  /** Steps done. */
  step = 0;
  /** Of the last validation. @type {Record<string, number>} */
  figures = {};
  #optimiser;
  /** The last step, where the validation after it was stopped: its progress is told when that is done.
   *  @type {{ loss: number, norm: number | null } | null} */
  #untold = null;

  /**
   * @param {Lab} lab for this training alone; its seed is that of the first weights
   * @param {Recipe<any, any, any>} recipe
   * @param {any} data from `recipe.data`
   * @param {{ steps?: number }} [options] steps: fewer or more than the recipe's
   */
  constructor(lab, recipe, data, options = {}) {
    needOptions('a Trainer', options, ['steps']);
    const { steps = recipe.steps } = options;
    needCounts('a Trainer', { steps });
    this.lab = lab;
    this.recipe = recipe;
    this.data = data;
    this.steps = steps;
    this.seed = lab.seed;
    this.config = recipe.config(data);
    this.weights = recipe.weights(lab, this.config, data);
    this.#optimiser = lab.adamW(this.weights, recipe.adamW);
  }

  /**
   * Trains to the last step; between two steps others may run.
   * @param {{ signal?: AbortSignal }} [options] an abort ends it after the step that runs, or within a validation,
   *   which is then made from its beginning before the next step
   * @returns {AsyncGenerator<Progress, void>}
   * @throws {HeedError} 'not-finite' with the step and the operation that gave no number
   */
  async *run(options = {}) {
    needOptions('run', options, ['signal']);
    const { signal } = options;
    const { recipe } = this;
    const every = recipe.every ?? Math.max(1, Math.round(this.steps / 10));
    const began = performance.now();
    const first = this.step;
    const pacer = new Pacer();
    while (!this.ended && !signal?.aborted) {
      this.#untold ??= this.#learn();
      const { step, steps } = this;
      const due = step % every === 0 || step === steps;
      if (due && !(await this.#validated(pacer, signal))) return;
      const { loss, norm } = this.#untold;
      this.#untold = null;
      const pace = (performance.now() - began) / Math.max(1, step - first) / 1000;
      yield { step, steps, loss, norm, rate: recipe.rate(step - 1), secondsLeft: pace * (steps - step),
        figures: due ? this.figures : null };
      await pacer.pause(); // messages and signals get their turn
    }
  }

  /** Whether all steps are done, and the last validation. */
  get ended() {
    return this.step === this.steps && !this.#untold;
  }

  /** What a step learns from. @param {number} step */
  batch(step) {
    return this.recipe.batch(this.data, randomFrom(this.seed + Math.imul(step + 1, 0x9e3779b1)), step);
  }

  /** One step.  Its batch and its dropout depend on the seed and the number of the step alone. */
  #learn() {
    const { lab, recipe, weights, config } = this;
    const batch = this.batch(this.step);
    lab.startDropoutAt(this.step);
    this.#optimiser.rate = recipe.rate(this.step);
    const learned = lab.step(() => {
      const loss = recipe.loss(lab, weights, config, batch);
      lab.backward(loss);
      const norm = recipe.clip ? lab.clipGradients(weights, recipe.clip) : null;
      this.#optimiser.step();
      return { loss: loss.item(), norm };
    }, this.step + 1);
    this.step++;
    return learned;
  }

  /** Measures the model on what it never learns from. */
  validate() {
    const { lab, recipe, weights, config, data } = this;
    this.figures = lab.evaluate(() => whole(recipe.validate(lab, weights, config, data)));
    return this.figures;
  }

  /** The same with pauses. @param {Pacer} pacer @param {AbortSignal} [signal]
   *  @returns {Promise<boolean>} false where the signal stopped it: the figures are those of the validation before */
  async #validated(pacer, signal) {
    const { lab, recipe, weights, config, data } = this;
    const pieces = piecesOf(() => recipe.validate(lab, weights, config, data));
    for (;;) {
      const { done, value } = lab.evaluate(() => pieces.next());
      if (done) {
        this.figures = value;
        return true;
      }
      await pacer.pause();
      if (signal?.aborted) return false;
    }
  }

  /** The recipe's example as the model sees it now. @returns {Watched | null} null where the recipe has none */
  watch() {
    const { lab, recipe, weights, config, data } = this;
    return lab.evaluate(() => recipe.watch?.(lab, weights, config, data) ?? null);
  }

  /** Whether the last validation met the recipe's goal. */
  get meetsGoal() {
    const { figure, atLeast = -Infinity, atMost = Infinity } = this.recipe.goal;
    return this.figures[figure] >= atLeast && this.figures[figure] <= atMost;
  }

  /** Weights, optimiser and step as a safetensors file, with a checksum of them. @returns {Uint8Array} */
  checkpoint() {
    const { step, steps, seed } = this;
    const untold = this.#untold;
    const training = JSON.stringify({ recipe: this.recipe.name, step, steps, seed, figures: this.figures, untold });
    const tensors = this.#tensors();
    return this.lab.save(tensors, { training, checksum: checksumOf(training, tensors) });
  }

  /** Weights, and what the optimiser keeps of each. */
  #tensors() {
    const state = Object.entries(this.#optimiser.state).map(([name, tensor]) => [`optimiser.${name}`, tensor]);
    return { ...this.weights, ...Object.fromEntries(state) };
  }

  /**
   * Goes on where a checkpoint was written.
   * @param {Uint8Array} file
   * @throws {HeedError} 'bad-file' where it is of another recipe, seed or number of steps, damaged, or none;
   *   'truncated'; 'not-finite' where it holds a number that is NaN or infinite
   */
  async restore(file) {
    const { tensors, metadata } = await fromSafetensors(file, 'the checkpoint');
    const was = parse(metadata.training);
    // Earlier versions wrote no checksum.
    if (metadata.checksum !== undefined && metadata.checksum !== checksumOf(metadata.training, tensors)) {
      throw new HeedError('bad-file', 'The checkpoint is damaged: its checksum does not fit what it holds.');
    }
    for (const [what, here] of Object.entries({ recipe: this.recipe.name, seed: this.seed, steps: this.steps })) {
      if (was[what] === here) continue;
      throw new HeedError('bad-file', `The checkpoint is of ${what} ${quoted(was[what])}, this training of ` +
        `${quoted(here)}. Give the same, or begin anew without it.`);
    }
    const { step, figures, untold = null } = was;
    const told = untold === null ||
      (step > 0 && typeof untold.loss === 'number' && (untold.norm === null || typeof untold.norm === 'number'));
    // JSON has null for a figure that is no number
    const measured = typeof figures === 'object' && figures !== null &&
      Object.values(figures).every((figure) => figure === null || typeof figure === 'number') &&
      (step < this.steps || untold || Object.hasOwn(figures, this.recipe.goal.figure));
    if (!Number.isInteger(step) || step < 0 || step > this.steps || !measured || !told) {
      throw new HeedError('bad-file', `The checkpoint is of step ${quoted(step)} of ${this.steps} and has the ` +
        `figures ${quoted(JSON.stringify(figures))}, which no training writes.`);
    }
    const broken = Object.entries(tensors).find(([, { data }]) => !data.every(Number.isFinite));
    if (broken) {
      throw new HeedError('not-finite', `The checkpoint has numbers in ${quoted(broken[0])} that are NaN or ` +
        'infinite: the training failed before it was written. Begin anew, with a lower rate.');
    }
    await this.lab.assign(this.#tensors(), file);
    this.step = this.#optimiser.steps = step;
    this.#untold = untold && { loss: untold.loss, norm: untold.norm };
    this.figures = Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, figure ?? NaN]));
  }

  /** A language model as a GGUF file. @param {TypeName} type of its matrices
   *  @returns {Promise<Uint8Array> | null} null where it is none */
  gguf(type) {
    return this.recipe.gguf ? writeGguf(this.recipe.gguf(this.weights, this.config, type)) : null;
  }

  /** The trained weights alone, as a safetensors file with its configuration. @returns {Uint8Array} */
  save() {
    const { recipe, config, step, figures } = this;
    const metadata = { heed: JSON.stringify({ recipe: recipe.name, config, step, figures }) };
    return this.lab.save(this.weights, metadata, { dtype: recipe.storage });
  }
}

/**
 * Of what a checkpoint says and holds.
 * @param {string} training
 * @param {Record<string, { data: Float32Array }>} tensors  in their order in the file
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

/** @param {string | undefined} text @returns {Record<string, any>} */
function parse(text) {
  try {
    const training = JSON.parse(text ?? '');
    if (typeof training === 'object' && training !== null) return training;
  } catch { /* the same sentence */ }
  throw new HeedError('bad-file', 'This file is no checkpoint of a training: it does not say of what.');
}
