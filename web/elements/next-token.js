/** `<heed-next-token>`: the candidates for the next token. */
import { candidateMarks, candidatesToCsv, partsOf, probabilitiesOf, sharesOf } from '../draw/candidates.js';
import { checkCount, checkObject, InputError } from '../draw/check.js';
import { formatPercent } from '../draw/sentence.js';
import { tokenName } from '../draw/token.js';
import { h } from './dom.js';
import { MORE_STYLE } from './export-menu.js';
import { HeedFigure } from './figure.js';

const CSS = `${MORE_STYLE}
  ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 2px; }
  li { display: grid; }
  .row, .head {
    display: grid; grid-template-columns: minmax(4.5em, 7em) 1fr 3.8em; gap: 8px; align-items: center;
    text-align: start; padding: 0 6px; min-height: 25px; font-size: var(--normal);
  }
  .two .row, .two .head { grid-template-columns: minmax(4.5em, 7em) 1fr 3.8em 3.8em; }
  .head { color: var(--muted); font-size: var(--small); padding-block: 0; border: 1px solid transparent; }
  .head span { text-align: end; }
  .head span:first-child { text-align: start; grid-column: span 2; }
  .row { border: 1px solid transparent; background: none; }
  button[aria-pressed=true] .token { font-weight: 700; }
  .token { font-family: var(--mono); line-height: 1.4; white-space: pre; overflow: hidden; text-overflow: ellipsis; }
  .mark { color: var(--muted); }
  .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .bars { display: grid; gap: 1px; }
  .bar { height: 12px; background: var(--surface); border-radius: 2px; }
  .two .bar { height: 6px; }
  .bar span { display: block; height: 100%; min-width: 1px; background: var(--muted); border-radius: 2px; }
  button[aria-pressed=true] .bar span, .two .second span { background: var(--accent); }
  .two .row .first span { background: var(--muted); }
  .cut .second span { visibility: hidden; }
  .cut .token, .cut .share { color: var(--muted); }
  @media (forced-colors: active) {
    .bar { outline: 1px solid GrayText; outline-offset: -1px; }
    .bar span { forced-color-adjust: none; background: CanvasText; }
    button[aria-pressed=true] .bar span, .two .second span { background: Highlight; }
    .two .row .first span { background: CanvasText; }
  }
  .share { text-align: end; font-variant-numeric: tabular-nums; }
  .more { margin-top: 6px; padding-inline: 6px; }
  .steps summary { color: var(--accent); }
  .stages { overflow-x: auto; }
  table { border-collapse: collapse; font-size: var(--small); color: var(--ink); font-variant-numeric: tabular-nums; }
  th, td { padding: 2px 8px; text-align: end; font-weight: 400; white-space: pre; }
  th:first-child { text-align: start; font-family: var(--mono); }
  thead th { color: var(--muted); white-space: normal; vertical-align: bottom; }
  thead th:first-child { font-family: var(--face); }
`;

/** Most candidates. */
const CANDIDATES_LIMIT = 1000;

/** @typedef {import('../draw/candidates.js').Candidate} Candidate */
/** @typedef {import('../draw/candidates.js').CandidateWords} CandidateWords */

/** @type {Required<CandidateWords>} */
const WORDS = { list: 'Candidates for the next token', column: 'Token', action: 'Continue with this token' };

/** @param {Candidate} candidate @param {number} at @returns {Candidate} */
function checkCandidate(candidate, at) {
  const name = `candidates[${at}]`;
  const { id, text, logprob, logit, scaled, cut, chance, after } =
    checkObject(candidate, name, "{ id: 7, text: ' cat', logprob: -1.2 }");
  checkCount(id, `${name}.id`);
  if (typeof text !== 'string') throw new InputError(`${name}.text must be a string.`);
  checkNumber(logprob, `${name}.logprob`, 'a number: the natural logarithm of a probability');
  if (after !== undefined) {
    checkNumber(after, `${name}.after`, 'a number: the natural logarithm of a probability');
    return { id, text, logprob, after };
  }
  if (chance === undefined) return { id, text, logprob };
  for (const [stage, value] of Object.entries({ logit, scaled, chance })) {
    checkNumber(value, `${name}.${stage}`, 'a number, because chance is given');
  }
  if (![null, 'top-k', 'top-p'].includes(cut ?? null)) {
    throw new InputError(`${name}.cut must be 'top-k', 'top-p' or null.`);
  }
  return { id, text, logprob, logit, scaled, cut: cut ?? null, chance };
}

/** @param {unknown} value @param {string} name @param {string} what */
function checkNumber(value, name, what) {
  if (typeof value !== 'number' || Number.isNaN(value)) throw new InputError(`${name} must be ${what}.`);
}

/**
 * `<heed-next-token>`: the candidates for the next token with bars of probability. If candidates have a `chance`, a
 * second bar shows the probability after sampling settings, and a table shows every step from logits to it. If they
 * have `after`, the second bar shows the probability in the other run.
 *
 *     next.show([{ id, text, logprob }, …], { chosen: id });
 *
 * @fires heed-candidate `{ id, text }` a candidate was clicked
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedNextToken extends HeedFigure {
  #list = h('ol', { 'aria-label': WORDS.list });
  #head = h('div', { class: 'head', 'aria-hidden': 'true' });
  #table = h('table');
  #details = h('details', { class: 'steps' }, h('summary', {}, 'From logits to probabilities'),
    h('div', { class: 'stages', role: 'region', 'aria-label': 'From logits to probabilities', tabindex: 0 },
      this.#table));
  #more = h('div', { class: 'more' }, this.#details,
    this.menu({ subject: 'candidates', fileName: () => 'candidates' }));
  #all = h('div', {}, this.#head, this.#list, this.#more);
  /** @type {Candidate[]} */
  #candidates = [];
  /** @type {number | undefined} */
  #chosen;
  /** @type {number | undefined} */
  #temperature;
  #words = WORDS;

  constructor() {
    super(CSS);
    this.root.append(this.#all);
    this.#list.addEventListener('click', (event) => {
      const at = [...this.#list.children].findIndex((item) => event.composedPath().includes(item));
      if (at >= 0 && this.#words.action !== null) {
        const { id, text } = this.#candidates[at];
        this.emit('heed-candidate', { id, text });
      }
    });
  }

  /**
   * Shows candidates instead of the previous candidates.
   * @param {Candidate[]} candidates the most probable first, at most 1000
   * @param {{ chosen?: number, temperature?: number, words?: CandidateWords }} [options] chosen: the id of the token
   *   that was picked; temperature: the divisor of the logits, for the table; words: for predictions of another kind
   * @throws {never} invalid input fires `heed-error`
   */
  show(candidates, options = {}) {
    this.accept('candidates', () => {
      const { chosen, temperature, words = {} } = checkObject(options, 'options', '{ chosen: 7 }');
      if (chosen !== undefined) checkCount(chosen, 'options.chosen');
      if (temperature !== undefined) checkNumber(temperature, 'options.temperature', 'a number from 0');
      if (!Array.isArray(candidates) || candidates.length > CANDIDATES_LIMIT) {
        throw new InputError(`candidates must be an Array of at most ${CANDIDATES_LIMIT} { id, text, logprob }.`);
      }
      this.#candidates = candidates.map(checkCandidate);
      this.#chosen = chosen;
      this.#temperature = temperature;
      this.#words = { ...WORDS, ...checkObject(words, 'options.words', "{ list, column, action }") };
      this.invalidate();
    });
  }

  redraw() {
    const list = this.#candidates;
    const { isStaged, heads } = probabilitiesOf(list);
    this.#all.classList.toggle('two', heads.length === 2);
    this.#head.hidden = this.#more.hidden = list.length === 0;
    this.#list.setAttribute('aria-label', this.#words.list);
    this.#head.replaceChildren(...[this.#words.column, ...heads].map((word) => h('span', {}, word)));
    this.#details.hidden = !isStaged;
    // Keep the focus on the same row while the numbers change.
    const focused = [...this.#list.children].findIndex((item) => item.contains(this.root.activeElement));
    this.#list.replaceChildren(...list.map((candidate) => this.#item(candidate, heads)));
    if (focused >= 0) /** @type {HTMLElement | null} */ (this.#list.children[focused]?.firstElementChild)?.focus();
    if (isStaged) this.#fillTable();
  }

  /** @param {Candidate} candidate @param {string[]} heads of its one or two probabilities */
  #item(candidate, heads) {
    const { id, text, cut } = candidate;
    const { action } = this.#words;
    const parts = partsOf(text, this.#words);
    const token = h('span', { class: 'token' }, ...parts.map((part) =>
      (part.kind === 'text' ? part.text : h('span', { class: 'mark', 'aria-hidden': 'true' }, part.text))));
    if (!parts.some((part) => part.kind === 'text')) token.append(h('span', { class: 'spoken' }, tokenName(text)));
    const shares = sharesOf(candidate, heads);
    const bars = h('span', { class: 'bars' }, ...shares.map(({ share }, at) => bar(['first', 'second'][at], share)));
    const state = { class: cut ? 'row cut' : 'row' };
    const row = action === null ? h('div', state) : h('button', { ...state, type: 'button', title: action,
      'aria-pressed': String(id === this.#chosen) });
    row.append(token, bars, ...shares.map(({ share, cut: filter }, at) => {
      const words = filter ? ' cut by ' : ` ${heads[at].toLowerCase()} `;
      return h('span', { class: 'share' }, h('span', { class: 'spoken' }, words), filter ?? formatPercent(share));
    }));
    return h('li', {}, row);
  }

  /**
   * All candidates.
   * @protected
   * @returns {import('./figure.js').FigureContent | null}
   */
  content() {
    const candidates = this.#candidates;
    const chosen = this.#chosen;
    const temperature = this.#temperature;
    const words = this.#words;
    return candidates.length === 0 ? null : { title: words.list, values: 'natural logarithm of the probability',
      csv: () => candidatesToCsv(candidates), json: () => ({ chosen, temperature, candidates }),
      picture: ({ options: { fontSize }, palette }) =>
        candidateMarks(candidates, { chosen, words }, { fontSize, palette }) };
  }

  #fillTable() {
    const heads = [this.#words.column, 'Logit', `÷ temperature ${this.#temperature}`, 'Model’s probability', 'Kept',
      'Sampler’s probability'];
    const number = (/** @type {number | undefined} */ value) =>
      (Number.isFinite(value) ? Number(value).toFixed(2) : '–');
    this.#table.replaceChildren(
      h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, ...this.#candidates.map(({ text, logprob, logit, scaled, cut, chance = 0 }) =>
        h('tr', {}, h('th', { scope: 'row' }, tokenName(text)), ...[number(logit), number(scaled),
          formatPercent(Math.exp(logprob)), cut ? `Cut by ${cut}` : 'Yes', formatPercent(chance)]
          .map((cell) => h('td', {}, cell))))));
  }
}

/** A bar of probability. @param {string} kind @param {number} share 0 to 1 */
function bar(kind, share) {
  const inner = h('span');
  inner.style.width = `${Math.min(100, 100 * share)}%`;
  return h('span', { class: `bar ${kind}` }, inner);
}
