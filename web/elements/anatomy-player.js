/** The playhead: walks one token through the stages of the model, by buttons or by time. */
import { h } from './dom.js';
import { button } from './export-menu.js';

/** Milliseconds of a stage: long enough to read its sentence. */
const STAGE_MS = 2200;

export class AnatomyPlayer {
  #play = button('▶', 'Play: walk the token through the model', () => (this.playing ? this.pause() : this.play()));
  element = h('span', { class: 'player', role: 'group', 'aria-label': 'Playhead' });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #step;

  /** @param {(direction: -1 | 1) => boolean} step shows the next stage; false at the end */
  constructor(step) {
    this.#step = step;
    this.#play.className = 'play';
    const go = (/** @type {-1 | 1} */ direction) => () => {
      this.pause();
      step(direction);
    };
    this.element.append(button('‹', 'One stage back', go(-1)), this.#play, button('›', 'One stage on', go(1)));
  }

  get playing() {
    return this.#timer !== undefined;
  }

  play() {
    const next = () => {
      this.#timer = this.#step(1) ? setTimeout(next, STAGE_MS) : undefined;
      this.#show();
    };
    if (!this.playing) next();
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#show();
  }

  #show() {
    this.#play.textContent = this.playing ? '❚❚' : '▶';
    const label = this.playing ? 'Pause' : 'Play: walk the token through the model';
    this.#play.setAttribute('aria-label', label);
    this.#play.title = label;
  }
}
