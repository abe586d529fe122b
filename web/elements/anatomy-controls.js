/** The controls that choose the head and the token of an anatomy. */
import { kvHeadOf } from '../draw/anatomy-boxes.js';
import { tokenLabel } from '../draw/token.js';
import { h } from './dom.js';

export class AnatomyControls {
  #heads = h('select');
  /** A number, because a list of some thousand tokens takes longer than a frame. */
  #token = h('input', { type: 'number', min: 0, 'aria-describedby': 'token' });
  #said = h('span', { class: 'word', id: 'token' });
  parts = [h('label', {}, 'Head', this.#heads), h('label', {}, 'Token', this.#token), this.#said];
  /** Position of the shown token. */
  #position = 0;

  /** @param {{ onHead: (head: number) => void, onToken: (position: number) => void }} events a head or a token was
   *   chosen */
  constructor({ onHead, onToken }) {
    this.#heads.addEventListener('change', () => onHead(this.#heads.selectedIndex));
    this.#token.addEventListener('input', () => {
      const { valueAsNumber: at, validity } = this.#token;
      if (validity.valid && !Number.isNaN(at)) onToken(at);
    });
    this.#token.addEventListener('change', () => this.#writeToken());
  }

  /** Lists the heads of a model. @param {import('../draw/anatomy-boxes.js').AnatomyInfo} info */
  fillHeads(info) {
    const { heads, kvHeads } = info;
    this.#heads.replaceChildren(...Array.from({ length: heads }, (_, head) => h('option', {},
      kvHeads < heads ? `${head} (keys of ${kvHeadOf(info, head)})` : String(head))));
  }

  /** @param {number} head */
  showHead(head) {
    this.#heads.selectedIndex = head;
  }

  /** Shows a token by its position and text. @param {number} position @param {string[]} tokens of the run */
  showToken(position, tokens) {
    this.#position = position;
    this.#token.max = String(Math.max(0, tokens.length - 1));
    this.#writeToken();
    this.#said.textContent = tokens.length ? tokenLabel(tokens[position], 20) : '';
  }

  /** Writes the position, unless the field has it: a typed number keeps its cursor. */
  #writeToken() {
    if (this.#token.valueAsNumber !== this.#position) this.#token.value = String(this.#position);
  }
}
