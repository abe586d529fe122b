/** A picture that a model reads, and its labels. */
import { Reading } from './reading.js';

/** @typedef {import('../../../js/index.js').Model} Model */
/** @typedef {Parameters<Model['look']>[0]} Picture */

export class Looking extends Reading {
  #pictureOf;

  /**
   * @param {Model} model
   * @param {import('../generation.js').GenerationEvents} events
   * @param {(name: string) => Promise<Picture>} pictureOf a picture by its name, which is the prompt
   */
  constructor(model, events, pictureOf) {
    super(model, events);
    this.#pictureOf = pictureOf;
  }

  /** @param {string} name @protected */
  async encode(name) {
    return [...await this.model.look(await this.#pictureOf(name))];
  }

  /** Shows another picture. @param {{ prompt: string }} text */
  show({ prompt }) {
    return this.begin(prompt);
  }

  /** @returns {import('../../elements/next-token.js').CandidateWords} */
  get words() {
    return { list: 'Labels of the picture', column: 'Label', action: null };
  }

  /** @param {number | null} position @param {{ compares: boolean }} state */
  caption(position, { compares }) {
    if (!this.model.info.labels) return 'This model has no labels: it gives a vector of the picture.';
    return compares ? 'Without (before) and with (after) the changes.' : 'What the model sees in the picture.';
  }
}
