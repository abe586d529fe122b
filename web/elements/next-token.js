import { checkCount, checkObject, InputError } from '../draw/check.js';
import { formatPercent } from '../draw/sentence.js';
import { tokenName, tokenParts } from '../draw/token.js';
import { h, HeedElement } from './base.js';

const CSS = `
  ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 2px; }
  li { display: grid; }
  button {
    display: grid; grid-template-columns: minmax(5em, 8em) 1fr 4.5em; gap: 8px; align-items: center; text-align: start;
    border-color: transparent; padding: 3px 6px; background: none; font-size: var(--normal);
  }
  button[aria-pressed=true] .token { font-weight: 700; }
  .token { font-family: var(--mono); line-height: 1.4; white-space: pre; overflow: hidden; text-overflow: ellipsis; }
  .mark { color: var(--muted); }
  .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .bar { height: 12px; background: var(--surface); border-radius: 2px; }
  .bar span { display: block; height: 100%; min-width: 1px; background: var(--muted); border-radius: 2px; }
  button[aria-pressed=true] .bar span { background: var(--accent); }
  @media (forced-colors: active) {
    .bar { outline: 1px solid GrayText; outline-offset: -1px; }
    .bar span { forced-color-adjust: none; background: CanvasText; }
    button[aria-pressed=true] .bar span { background: Highlight; }
  }
  .share { text-align: end; font-variant-numeric: tabular-nums; }
`;

/** Bars at most. */
const CANDIDATES_LIMIT = 1000;

/** @typedef {{ id: number, text: string, logprob: number }} Candidate */

/** @param {Candidate} candidate @param {number} at @returns {Candidate} */
function checkCandidate(candidate, at) {
  const name = `candidates[${at}]`;
  const { id, text, logprob } = checkObject(candidate, name, "{ id: 7, text: ' cat', logprob: -1.2 }");
  checkCount(id, `${name}.id`);
  if (typeof text !== 'string') throw new InputError(`${name}.text must be a string.`);
  if (typeof logprob !== 'number' || Number.isNaN(logprob)) {
    throw new InputError(`${name}.logprob must be a number, the natural logarithm of a probability.`);
  }
  return { id, text, logprob };
}

/**
 * `<heed-next-token>`: what could come next, as bars of probability.
 *
 *     next.show([{ id, text, logprob }, …], { chosen: id });
 *
 * Tells `heed-candidate` with { id, text } when one is chosen.
 */
export class HeedNextToken extends HeedElement {
  #list = h('ol', { 'aria-label': 'Candidates for the next token' });
  /** @type {Candidate[]} */
  #candidates = [];
  /** @type {number | undefined} */
  #chosen;

  constructor() {
    super(CSS);
    this.root.append(this.#list);
    this.#list.addEventListener('click', (event) => {
      const at = [...this.#list.children].findIndex((item) => event.composedPath().includes(item));
      if (at >= 0) {
        const { id, text } = this.#candidates[at];
        this.tell('heed-candidate', { id, text });
      }
    });
  }

  /**
   * @param {Candidate[]} candidates most probable first
   * @param {{ chosen?: number }} [options] the id that was taken, if one was
   */
  show(candidates, options = {}) {
    this.accept('candidates', () => {
      const { chosen } = checkObject(options, 'options', '{ chosen: 7 }');
      if (chosen !== undefined) checkCount(chosen, 'options.chosen');
      if (!Array.isArray(candidates) || candidates.length > CANDIDATES_LIMIT) {
        throw new InputError(`candidates must be an Array of at most ${CANDIDATES_LIMIT} { id, text, logprob }.`);
      }
      this.#candidates = candidates.map(checkCandidate);
      this.#chosen = chosen;
      this.invalidate();
    });
  }

  redraw() {
    this.#list.replaceChildren(...this.#candidates.map(({ id, text, logprob }) => {
      const share = Math.exp(logprob);
      const bar = h('span');
      bar.style.width = `${Math.min(100, 100 * share)}%`;
      const parts = tokenParts(text);
      const token = h('span', { class: 'token' }, ...parts.map((part) =>
        (part.kind === 'text' ? part.text : h('span', { class: 'mark', 'aria-hidden': 'true' }, part.text))));
      if (!parts.some((part) => part.kind === 'text')) token.append(h('span', { class: 'spoken' }, tokenName(text)));
      const button = h('button', { type: 'button', 'aria-pressed': String(id === this.#chosen) },
        token, h('span', { class: 'bar' }, bar), h('span', { class: 'share' }, formatPercent(share)));
      button.title = 'Continue with this token';
      return h('li', {}, button);
    }));
  }
}
