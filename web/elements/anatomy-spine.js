/** The model from tokens to probabilities as a row of buttons, with thumbnails of the residual stream. */
import { firstBoxes, lastBoxes, nameOf } from '../draw/anatomy-boxes.js';
import { h } from './dom.js';
import { button } from './export-menu.js';
import { moveFocus } from './toolbar.js';

/** @typedef {import('../draw/anatomy-boxes.js').AnatomyInfo} AnatomyInfo */
/** @typedef {import('../draw/anatomy-boxes.js').Box} Box */

/** Most numbers that thumbnails of all residuals load: 8 MB. */
const THUMBNAILS_LIMIT = 1 << 21;
/** Size of a thumbnail. */
const SIZE = { width: 24, height: 30 };
/** Number of blocks above which their buttons are narrow. */
const MANY = 12;
/** Signs of boxes without a thumbnail. @type {Record<string, string>} */
const SIGNS = { embed: 'E', pos_embed: 'P', ln_final: 'N', logits: 'x·W', probabilities: '%' };

export class AnatomySpine {
  element = h('div', { class: 'spine', role: 'toolbar', 'aria-label': 'The model, from tokens to probabilities' });
  /** Buttons by the id of a box or the number of a block. @type {Map<string, { joint: HTMLButtonElement,
   *   thumbnail: { canvas: HTMLCanvasElement, box: Box } | null, layer: number | null }>} */
  #joints = new Map();
  #events;

  /** @param {{ onBox: (id: string) => void, onLayer: (layer: number) => void }} events a button was pressed */
  constructor(events) {
    this.#events = events;
    this.element.addEventListener('keydown', (event) => moveFocus(event, this.element));
  }

  /** @param {AnatomyInfo} info @param {number} tokens */
  build(info, tokens) {
    const { layers, dModel } = info;
    const { onBox, onLayer } = this.#events;
    const thumbnails = layers * tokens * dModel <= THUMBNAILS_LIMIT;
    this.#joints.clear();
    const addBox = (/** @type {Box} */ box) => this.#add(box.id, box.title, nameOf(box), SIGNS[box.id],
      thumbnails && box.kind === 'model' ? box : null, () => onBox(box.id));
    firstBoxes(info, tokens).forEach(addBox);
    for (let layer = 0; layer < layers; layer++) {
      const box = /** @type {Box} */ ({ id: `resid ${layer}`, kind: 'model', name: `blocks.${layer}.hook_resid_post`,
        shape: [tokens, dModel] });
      this.#add(String(layer), String(layer), `Block ${layer}`, '▤', thumbnails ? box : null, () => onLayer(layer));
    }
    lastBoxes(info, tokens).forEach(addBox);
    const joints = [...this.#joints.values()].map(({ joint }) => joint);
    joints.forEach((joint, at) => { joint.tabIndex = at ? -1 : 0; });
    this.element.classList.toggle('many', layers > MANY);
    this.element.replaceChildren(...joints.flatMap((joint, at) =>
      (at ? [h('span', { class: 'joint', 'aria-hidden': 'true' }), joint] : [joint])));
  }

  /**
   * @param {string} id
   * @param {string} title
   * @param {string} label
   * @param {string} sign without a thumbnail
   * @param {Box | null} box of the thumbnail
   * @param {() => void} act
   */
  #add(id, title, label, sign, box, act) {
    const joint = button(title, label, act);
    const canvas = h('canvas', { 'aria-hidden': 'true' });
    joint.replaceChildren(box ? canvas : h('span', { class: 'sketch', 'data-sketch': sign }), title);
    const layer = /^\d+$/.test(id) ? Number(id) : null;
    if (layer === null) joint.className = 'wide';
    this.#joints.set(id, { joint, thumbnail: box && { canvas, box }, layer });
  }

  /** The button of a box. @param {string} id */
  button(id) {
    return this.#joints.get(id)?.joint;
  }

  /**
   * @param {{ open: string | null, layer: number, stage: { box: string | null, layer: number } | null }} state
   * @param {(canvas: HTMLCanvasElement, box: Box, size: { width: number, height: number }) => void} paint
   */
  draw({ open, layer, stage }, paint) {
    for (const [id, { joint, thumbnail, layer: own }] of this.#joints) {
      joint.setAttribute('aria-pressed', String(own === null ? open === id : own === layer));
      joint.classList.toggle('now', stage !== null && (stage.box === id || (own !== null && own === stage.layer)));
      if (thumbnail) paint(thumbnail.canvas, thumbnail.box, SIZE);
    }
  }
}
