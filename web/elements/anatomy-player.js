/** The playhead: walks one token through the stages of the model, by buttons or by time. */
import { h } from './dom.js';
import { button } from './export-menu.js';

/** @typedef {import('./anatomy-stages.js').Stage} Stage */

/** Milliseconds of a stage: long enough to read its sentence. */
const STAGE_MS = 2200;

export class AnatomyPlayer {
  #play = button('▶', 'Play: walk the token through the model', () => (this.playing ? this.pause() : this.play()));
  #buttons = h('span', { class: 'player', role: 'group', 'aria-label': 'Playhead' });
  #said = h('span', { class: 'stage', role: 'status' });
  /** The buttons, and the sentence of the stage. */
  parts = [this.#buttons, this.#said];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Index of the stage, or null before the walk. @type {number | null} */
  #at = null;
  #stages;
  #onStage;

  /** @param {{ stages: () => Stage[], onStage: (stage: Stage) => void }} walk stages: of the open block;
   *   onStage: the playhead moved */
  constructor({ stages, onStage }) {
    this.#stages = stages;
    this.#onStage = onStage;
    this.#play.className = 'play';
    const go = (/** @type {-1 | 1} */ direction) => () => {
      this.pause();
      this.#step(direction);
    };
    this.#buttons.append(button('‹', 'One stage back', go(-1)), this.#play, button('›', 'One stage on', go(1)));
  }

  get playing() {
    return this.#timer !== undefined;
  }

  /** The stage of the playhead, or null. */
  get stage() {
    return this.#at === null ? null : this.#stages()[this.#at] ?? null;
  }

  play() {
    const next = () => {
      this.#timer = this.#step(1) ? setTimeout(next, STAGE_MS) : undefined;
      this.#showButton();
    };
    if (!this.playing) next();
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#showButton();
  }

  /** Ends the walk. */
  restart() {
    this.#at = null;
    this.pause();
  }

  /** Reports the stage again, because another token walks. */
  repeat() {
    if (this.#at !== null) this.#reach(this.#at);
  }

  /** Shows the sentence of the stage. @param {string} sentence '' without a stage */
  say(sentence) {
    const said = sentence && `${(this.#at ?? 0) + 1} of ${this.#stages().length}: ${sentence}`;
    if (this.#said.textContent !== said) this.#said.textContent = said;
  }

  /** @param {-1 | 1} direction @returns {boolean} false at the end */
  #step(direction) {
    const last = this.#stages().length - 1;
    const next = this.#at === null ? (direction > 0 ? 0 : last) : this.#at + direction;
    if (next < 0 || next > last) return false;
    this.#at = next;
    this.#reach(next);
    return next < last;
  }

  /** @param {number} at index of a stage; the open block may have fewer stages */
  #reach(at) {
    const stages = this.#stages();
    const stage = stages[Math.min(at, stages.length - 1)];
    if (stage) this.#onStage(stage);
  }

  #showButton() {
    this.#play.textContent = this.playing ? '❚❚' : '▶';
    const label = this.playing ? 'Pause' : 'Play: walk the token through the model';
    this.#play.setAttribute('aria-label', label);
    this.#play.title = label;
  }
}
