/** `<heed-training>`: the loss curve of a training and a map of one of its heads. */
import { checkCount, checkNumbers, checkObject, checkShape, checkTexts, InputError } from '../draw/check.js';
import { lossCurve, stepAt, xOf } from '../draw/loss-curve.js';
import { pointInElement } from '../draw/view.js';
import { HeedAttentionMap } from './attention-map.js';
import { h } from './dom.js';
import { HeedElement } from './heed-element.js';
import { drawLossCurve, svg } from './loss-picture.js';
import { headOf, TrainingHistory } from './training-history.js';
import { STYLE } from './training-style.js';

/** @typedef {import('./training-history.js').TrainingFrame} TrainingFrame */
/**
 * @typedef {'idle' | 'starting' | 'running' | 'paused' | 'done' | 'cancelled' | 'failed'} TrainingState
 */

const HEIGHT = 150;
const LEFT = 52;
const BOTTOM = 24;

/** The label of the main button. @type {Record<TrainingState, string>} */
const MAIN_LABEL = { idle: 'Train', starting: 'Starting', running: 'Pause', paused: 'Resume', done: 'Train again',
  cancelled: 'Train again', failed: 'Train again' };

/**
 * `<heed-training>`: shows a training that the page runs: the loss curve, the attention of a head, and every earlier
 * step. It contains a `<heed-attention-map>`, which must be registered too.
 *
 *     training.start();                               // clears the previous training
 *     training.begin({ steps: 200, frame });          // before the first step
 *     training.learned({ losses: [2.8, …], frame });  // after one or more steps
 *     training.end('done', 'All 512 test sequences are correct.');
 *
 * @fires heed-training-start the user asks to start; likewise `-pause`, `-resume` and `-cancel`
 * @fires heed-training-step `{ step }` another step is shown
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedTraining extends HeedElement {
  /** @type {TrainingState} */
  #state = 'idle';
  #history = new TrainingHistory();
  #steps = 0;
  /** The step that is shown; null follows the latest. @type {number | null} */
  #shownStep = null;
  /** @type {TrainingFrame | null} */
  #shown = null;
  #head = '0 0';
  /** True if the map must be redrawn although its frame is the same. */
  #changed = true;

  #main = h('button', { type: 'button', class: 'first' });
  #cancel = h('button', { type: 'button' }, 'Cancel');
  #status = h('span', { role: 'status' });
  #count = h('span', { class: 'count', 'aria-hidden': 'true' });
  #picture = svg('svg', { role: 'img', 'aria-label': 'Loss by step' });
  #curve = h('div', { class: 'curve' }, this.#picture);
  #range = h('input', { type: 'range', min: 0, max: 0, step: 1, value: 0, 'aria-label': 'Step' });
  #description = h('output', { 'aria-live': 'polite' });
  #latest = h('button', { type: 'button' }, 'Latest');
  #heads = h('select', { 'aria-label': 'Head' });
  #scrub = h('div', { class: 'bar scrub' }, this.#range, this.#latest, this.#heads);
  #map = new HeedAttentionMap();
  #observer = new ResizeObserver(() => this.#redrawAll());

  constructor() {
    super(STYLE);
    this.root.append(
      h('div', { class: 'bar' }, this.#main, this.#cancel, this.#status, this.#count),
      this.#curve, this.#scrub, this.#description, this.#map);
    this.#main.addEventListener('click', () => this.#ask());
    this.#cancel.addEventListener('click', () => this.#busy && this.emit('heed-training-cancel', {}));
    this.#range.addEventListener('input', () => this.look(this.#range.valueAsNumber));
    this.#latest.addEventListener('click', () => this.look(null));
    this.#heads.addEventListener('change', () => {
      this.#head = this.#heads.value;
      this.#redrawAll();
    });
    this.#picture.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
      this.#picture.setPointerCapture(event.pointerId);
      this.#point(event);
    });
    this.#picture.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
      if (event.buttons) this.#point(event);
    });
    this.#showState();
    this.#setVisible(false);
  }

  connectedCallback() {
    super.connectedCallback();
    this.#observer.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  /** The state of the training. @returns {TrainingState} */
  get state() {
    return this.#state;
  }

  /** Number of steps so far. */
  get step() {
    return this.#history.steps;
  }

  /** The frame that is shown, or null. */
  get frame() {
    return this.#shown;
  }

  /** The map inside the element. */
  get map() {
    return this.#map;
  }

  /** Clears the element before a training begins. */
  start() {
    this.#history = new TrainingHistory();
    this.#shownStep = null;
    this.#count.textContent = '';
    this.#setState('starting', 'Starting.');
  }

  /**
   * Shows that the training begins.
   * @param {{ steps: number, frame?: TrainingFrame | null }} training steps: number of steps; frame: before training
   */
  begin(training) {
    this.accept('training', () => {
      const { steps, frame = null } = checkObject(training, 'training', '{ steps: 200, frame }');
      checkCount(steps, 'steps', 1);
      const first = frame && checkFrame(frame);
      this.#history.add({ frame: first });
      this.#steps = steps;
      this.#range.max = String(steps);
      this.#listHeads(first);
      this.#setState('running', `Training, ${steps.toLocaleString('en')} steps.`);
    });
  }

  /**
   * Adds steps.
   * @param {{ losses: ArrayLike<number>, frame?: TrainingFrame | null, secondsLeft?: number | null }} more losses: one
   *   per step; frame: the model after them; secondsLeft: estimated time to the end
   * @throws {never} invalid input fires `heed-error`
   */
  learned(more) {
    this.accept('training', () => {
      const { losses, frame = null, secondsLeft = null } = checkObject(more, 'learned', '{ losses: [2.8], frame }');
      if (losses !== undefined && !Number.isSafeInteger(losses?.length)) {
        throw new InputError('learned.losses must be an Array or a typed array of numbers.');
      }
      this.#history.add({ losses: losses && Array.from(losses, Number), frame: frame && checkFrame(frame) });
      const left = secondsLeft === null ? '' : `, ${Math.ceil(secondsLeft)} s left`;
      this.#count.textContent = `step ${this.step} of ${this.#steps}${left}`;
      this.invalidate();
    });
  }

  /** Shows that the training is paused. */
  pause() {
    this.#setState('paused', `Paused after step ${this.step}.`);
  }

  /** Shows that the training continues. */
  resume() {
    this.#setState('running', `Training from step ${this.step}.`);
  }

  /**
   * Shows that the training has ended.
   * @param {'done' | 'cancelled' | 'failed'} state how it has ended
   * @param {string} message the result, as a sentence
   */
  end(state, message) {
    this.#setState(state, message);
  }

  /** Shows the model after a step. @param {number | null} step null follows the latest step */
  look(step) {
    if (step !== null && !Number.isFinite(step)) return;
    this.#shownStep = step === null ? null : Math.max(0, Math.min(step, this.step));
    this.invalidate();
    this.emit('heed-training-step', { step: this.#shownStep ?? this.step });
  }

  themeChanged() {
    this.#changed = true;
  }

  redraw() {
    const step = this.#shownStep ?? this.step;
    const frame = this.#history.at(step);
    this.#setVisible(Boolean(frame ?? this.#shown));
    const width = this.#curve.clientWidth;
    this.#range.value = String(step);
    const loss = this.#history.losses[step - 1];
    this.#range.setAttribute('aria-valuetext', `step ${step}`);
    this.#latest.setAttribute('aria-disabled', String(this.#shownStep === null));
    if (width > LEFT) this.#drawCurve({ width, height: HEIGHT, left: LEFT, bottom: BOTTOM }, step);
    if (frame && (frame !== this.#shown || this.#changed)) this.#showFrame(frame);
    this.#changed = false;
    // Screen readers do not announce every step of a running training.
    const silent = this.#shownStep === null && this.#state === 'running';
    this.#description.setAttribute('aria-live', silent ? 'off' : 'polite');
    this.#description.replaceChildren(...(frame ? describeFrame(step, loss, frame) : ['Not trained yet.']));
  }

  /** Shows or hides everything except the buttons. @param {boolean} shown */
  #setVisible(shown) {
    for (const part of [this.#curve, this.#scrub, this.#map]) part.hidden = !shown;
  }

  #redrawAll() {
    this.#changed = true;
    this.invalidate();
  }

  get #busy() {
    return ['starting', 'running', 'paused'].includes(this.#state);
  }

  #ask() {
    if (this.#state === 'starting') return;
    if (this.#state === 'running') this.emit('heed-training-pause', {});
    else if (this.#state === 'paused') this.emit('heed-training-resume', {});
    else this.emit('heed-training-start', {});
  }

  /** @param {TrainingState} state @param {string} message */
  #setState(state, message) {
    this.#state = state;
    this.#status.textContent = message;
    this.#showState();
    this.invalidate();
  }

  #showState() {
    this.#main.textContent = MAIN_LABEL[this.#state];
    this.#main.setAttribute('aria-disabled', String(this.#state === 'starting'));
    this.#cancel.setAttribute('aria-disabled', String(!this.#busy));
    this.#count.hidden = this.#state !== 'running';
  }

  /** @param {TrainingFrame | null} frame */
  #listHeads(frame) {
    const { layers, heads } = frame ?? { layers: 0, heads: 0 };
    const all = Array.from({ length: layers * heads }, (_, i) => [Math.floor(i / heads), i % heads]);
    this.#heads.replaceChildren(...all.map(([layer, head]) =>
      h('option', { value: `${layer} ${head}` }, `layer ${layer}, head ${head}`)));
    if (!all.some((at) => at.join(' ') === this.#head)) this.#head = '0 0';
    this.#heads.value = this.#head;
    this.#heads.hidden = all.length < 2;
  }

  /** @param {TrainingFrame} frame */
  #showFrame(frame) {
    this.#shown = frame;
    const [layer, head] = this.#head.split(' ').map(Number);
    const { length } = frame.tokens;
    this.#map.data = { data: headOf(frame, layer, head), queries: length, keys: length, firstQuery: 0,
      tokens: frame.tokens, layer, head, causal: frame.causal };
  }

  /** @param {import('../draw/loss-curve.js').CurveBox} box @param {number} step the step that is shown */
  #drawCurve(box, step) {
    drawLossCurve(this.#picture, lossCurve(this.#history.losses, this.#steps, box), box);
    const x = xOf(box, this.#steps, step);
    this.#picture.append(svg('line', { class: 'now', x1: x, x2: x, y1: 0, y2: box.height - BOTTOM }));
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const size = { width: this.#curve.clientWidth, height: HEIGHT };
    const { x } = pointInElement(this.#picture.getBoundingClientRect(), size, { x: event.clientX, y: event.clientY });
    if (this.#steps) this.look(stepAt({ ...size, left: LEFT, bottom: BOTTOM }, this.#steps, x));
  }
}

/**
 * @param {any} frame
 * @returns {TrainingFrame} a copy, because the caller may transfer the buffer
 */
function checkFrame(frame) {
  checkObject(frame, 'frame', '{ step, tokens, layers, heads, causal, data, answer, wanted }');
  const step = checkCount(frame.step, 'frame.step');
  const tokens = checkTexts(frame.tokens, 'frame.tokens');
  const { layers, heads } = checkShape(frame, 'frame');
  const { length } = tokens;
  const data = new Float32Array(checkNumbers(frame.data, 'frame.data',
    [['layers', layers], ['heads', heads], ['queries', length], ['keys', length]]));
  const answer = checkTexts(frame.answer, 'frame.answer');
  const wanted = checkTexts(frame.wanted, 'frame.wanted');
  return { ...frame, step, tokens, layers, heads, causal: Boolean(frame.causal), data, answer, wanted };
}

/**
 * Describes a frame: “After step 120 the loss is 0.013 and the model answers e b i a: 1 of 4 wrong.”
 * @param {number} step @param {number | undefined} loss @param {TrainingFrame} frame
 * @returns {(string | Node)[]}
 */
function describeFrame(step, loss, { answer, wanted }) {
  const wrong = answer.filter((token, i) => token !== wanted[i]).length;
  const words = loss === undefined ? 'Before the first step the model answers ' :
    `After step ${step} the loss is ${loss.toPrecision(3)} and the model answers `;
  return [words, h('span', { class: 'answer' }, ...answer.map((token, i) =>
    h('span', { class: token === wanted[i] ? 'right' : 'wrong' }, token))),
  wrong === 0 ? ': all correct.' : `: ${wrong} of ${wanted.length} wrong.`];
}
