/** Every number of the trained model: its run on one text at any step, with weights that may be changed by hand. */
import '../elements/define/anatomy.js';
import { fromSafetensors, lab } from '../../js/lab/index.js';
import { largest } from '../../js/train/models/choice.js';
import { openModel } from '../../js/train/models/index.js';
import { LENGTH, TASKS, TOKENS, example } from '../../js/train/tasks/letters.js';
import { formatPercent } from '../draw/sentence.js';
import { infoOf, namesOf, runAll } from './13-train-one-here-run.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */
/** @typedef {import('../../js/lab/index.js').Weights} Weights */
/** @typedef {import('../draw/anatomy-boxes.js').Activation} Activation */
/** @typedef {import('../elements/anatomy-changes.js').Change} Change */

/** A model with its changed weights; `trained` has the weights without changes.
 *  @typedef {{ l: Lab, weights: Weights, config: any, trained: Record<string, Float32Array>, task: string }} Opened */

/** The answer: the most probable letter at each position of the answer. @param {Float32Array} logits */
const answerOf = (logits) => Array.from(largest(logits, TOKENS.length).subarray(LENGTH), (id) => TOKENS[id]).join(' ');

/** The probability of a token after a position. @param {Float32Array} logits @param {number} at @param {number} id */
function chance(logits, at, id) {
  const row = logits.subarray(at * TOKENS.length, (at + 1) * TOKENS.length);
  const most = Math.max(...row);
  return Math.exp(row[id] - most) / row.reduce((sum, logit) => sum + Math.exp(logit - most), 0);
}

/** The figure with every number of the model. */
export class ModelNumbers {
  #anatomy = /** @type {import('../elements/index.js').HeedAnatomy} */ (element('anatomy'));
  /** @type {Opened | null} */
  #model = null;
  /** @type {number[]} */
  #letters = [];
  /** @type {number[]} */
  #ids = [];
  /** @type {number[]} */
  #answer = [];
  /** Activations of the run that is shown. @type {Record<string, Float32Array> | null} */
  #run = null;
  /** Logits of the run without changes. @type {Float32Array | null} */
  #before = null;
  #turn = 0;
  #onWeights;
  #drawing;

  /** @param {() => void} onWeights the weights are others, by hand or by another step
   *  @param {import('./kit/drawing.js').Drawing} drawing of one step of training */
  constructor(onWeights, drawing) {
    this.#drawing = drawing;
    this.#onWeights = onWeights;
    this.#anatomy.words = (ids) => ids.map((id) => TOKENS[id]);
    this.#anatomy.load = (names) => this.#load(names);
    this.#anatomy.addEventListener('heed-anatomy-change', () => this.#weightsChanged());
    this.#anatomy.addEventListener('heed-anatomy-stage', () => this.#showAnswer());
  }

  /** The lab, weights and configuration of the model that is shown, or null. */
  get model() {
    return this.#model;
  }

  /**
   * Shows a model. Changes by hand are taken back.
   * @param {Uint8Array} file
   * @param {string} task that it has learned
   */
  async open(file, task) {
    const turn = ++this.#turn;
    const l = await lab();
    const { weights, config } = await openModel(l, file);
    if (turn !== this.#turn) return l.dispose(); // another model was chosen meanwhile
    this.#model?.l.dispose();
    const trained = Object.fromEntries(Object.entries(weights).map(([name, { data }]) => [name, data.slice()]));
    this.#model = { l, weights, config, trained, task };
    this.#anatomy.changes = [];
    return this.#show();
  }

  /** Shows the same model at another step of its training. Changes by hand stay. @param {Uint8Array} file */
  async rewind(file) {
    const turn = ++this.#turn;
    const { tensors } = await fromSafetensors(file);
    if (turn !== this.#turn || !this.#model) return;
    this.#model.trained = Object.fromEntries(Object.entries(tensors).map(([name, { data }]) => [name, data]));
    this.#weightsChanged();
  }

  /** Runs the model on other letters. @param {number[]} letters ids */
  read(letters) {
    this.#letters = letters;
    if (this.#model) this.#show();
  }

  /** Shows another model or text. */
  #show() {
    const { changes, box } = this.#anatomy;
    const position = this.#run ? this.#anatomy.position : LENGTH; // the first token that is answered
    const { config, task } = /** @type {Opened} */ (this.#model);
    this.#answer = TASKS[task](this.#letters);
    this.#ids = example(this.#letters, this.#answer).ids;
    this.#anatomy.data = { info: infoOf(config), tokens: this.#ids.map((id) => TOKENS[id]), ids: this.#ids,
      weights: Object.keys(namesOf(config.layers)) };
    Object.assign(this.#anatomy, { changes, position, box: box || 'pattern', hidden: false });
    this.#weightsChanged();
  }

  /** Applies the changes to the trained weights, and runs the text with and without them. */
  #weightsChanged() {
    if (!this.#model) return;
    const { l, weights, config, trained } = this.#model;
    const names = namesOf(config.layers);
    for (const [name, data] of Object.entries(trained)) weights[name].set(data);
    this.#before = runAll(l, weights, config, this.#ids).logits;
    for (const { weight, index, value } of this.#anatomy.changes) weights[names[weight]].data[index] = value;
    this.#run = runAll(l, weights, config, this.#ids);
    this.#anatomy.renew();
    this.#showAnswer();
    this.#draw(this.#run.logits);
    this.#onWeights();
  }

  /** The answer before and after the changes, and the token that is walked through. */
  #showAnswer() {
    const before = this.#before;
    const run = this.#run;
    if (!before || !run) return;
    const at = Math.max(LENGTH, this.#anatomy.position);
    const wanted = this.#answer[at - LENGTH];
    const { length: changed } = this.#anatomy.changes;
    showValues({ before: answerOf(before), after: answerOf(run.logits),
      changes: `${changed} change${changed === 1 ? '' : 's'}`,
      wanted: TOKENS[wanted], 'chance-before': formatPercent(chance(before, at, wanted)),
      'chance-after': formatPercent(chance(run.logits, at, wanted)) });
  }

  /** Shows the probabilities of the answer, the correct letters and the loss. @param {Float32Array} logits */
  #draw(logits) {
    const count = TOKENS.length;
    const cells = (/** @type {(i: number, id: number) => number} */ of) =>
      ({ data: this.#answer.flatMap((_, i) => Array.from({ length: count }, (__, id) => of(i, id))),
        rows: this.#answer.map((_, i) => `${i + 1}`), columns: [...TOKENS], shade: /** @type {const} */ ('weight') });
    const p = cells((i, id) => chance(logits, LENGTH + i, id));
    const loss = this.#answer.reduce((sum, id, i) => sum - Math.log(p.data[i * count + id]), 0) / LENGTH;
    this.#drawing.show({ p, y: cells((i, id) => Number(id === this.#answer[i])),
      L: { data: [loss], rows: ['loss'], columns: ['nats per letter'] } });
  }

  /** @param {string[]} names @returns {Record<string, Activation>} */
  #load(names) {
    const { weights, config } = /** @type {Opened} */ (this.#model);
    const run = /** @type {Record<string, Float32Array>} */ (this.#run);
    const torch = namesOf(config.layers);
    const { vocabulary } = infoOf(config);
    const { position } = this.#anatomy;
    return Object.fromEntries(names.map((name) => {
      const data = name === 'logits' ? run.logits.slice(position * vocabulary, (position + 1) * vocabulary)
        : run[name] ?? weights[torch[name]].data.slice();
      return [name, { data, shape: [data.length] }];
    }));
  }
}
