/** `<heed-head-finder>`: heads ranked by job, in words. */
import { checkNumbers, checkObject, checkTexts, InputError } from '../draw/check.js';
import { textWidth } from '../draw/figure-layout.js';
import { headScoresToCsv, jobMarks, rankHeads } from '../draw/head-jobs.js';
import { accentOf, inkOf } from '../draw/map-export.js';
import { STYLE } from './attention-map-style.js';
import { numberAttribute } from './attributes.js';
import { h } from './dom.js';
import { HeedFigure } from './figure.js';

/** @typedef {import('../draw/head-jobs.js').HeadScoreData} HeadScoreData */

const MOST = 5;

const CSS = `${STYLE}
  .jobs { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 12px 24px; }
  .title { margin: 0; font-size: var(--normal); font-weight: 600; }
  .uniform { margin: 0; font-size: var(--small); color: var(--muted); }
  ol { list-style: none; margin: 2px 0 0; padding: 0; display: grid; gap: 1px; }
  button.head {
    display: grid; gap: 3px; width: 100%; text-align: start; padding: 4px 6px; border-color: transparent;
    background: none; font-size: var(--normal); line-height: 1.3;
  }
  .share { display: block; height: 5px; background: var(--surface); border-radius: 2px; }
  .share span { display: block; height: 100%; min-width: 1px; background: var(--accent); border-radius: 2px; }
  @media (forced-colors: active) {
    .share { outline: 1px solid GrayText; }
    .share span { forced-color-adjust: none; background: Highlight; }
  }
`;

/** @param {any} scores @returns {HeadScoreData} a copy */
function checkScores(scores) {
  const { data, axes, uniform } = checkObject(scores, 'data', '{ data, axes } of headScores');
  const { score, layer, head } = checkObject(axes, 'data.axes', '{ score, layer, head }');
  const names = checkTexts(score, 'data.axes.score');
  if (!Array.isArray(layer) || !Array.isArray(head)) {
    throw new InputError('data.axes must have the Arrays layer and head.');
  }
  // NaN marks a score that applies to no query.
  const known = data instanceof Float32Array ? data.map((value) => (Number.isNaN(value) ? 0 : value)) : data;
  checkNumbers(known, 'data.data', [['scores', names.length], ['layers', layer.length], ['heads', head.length]]);
  if (uniform !== undefined && !(uniform instanceof Float32Array && uniform.length === names.length)) {
    throw new InputError(`data.uniform must be a Float32Array of ${names.length} numbers.`);
  }
  return { data: new Float32Array(data), axes: { score: names, layer: [...layer], head: [...head] },
    uniform: uniform && new Float32Array(uniform) };
}

/**
 * `<heed-head-finder>`: the heads that do each job best, in words: “4.4 looks one token back: 43 %”.
 *
 *     finder.data = await headScores(model, 'Once upon a time');   // of heed/insight
 *
 * Attributes: `most` (heads of each job, default 5), `name`. Invalid input never throws: the element shows a sentence
 * and fires `heed-error`.
 *
 * @fires heed-head `{ layer, head }` a head was clicked
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedHeadFinder extends HeedFigure {
  static attributeReaders = { most: numberAttribute('most', MOST) };

  /** @type {HeadScoreData | null} */
  #scores = null;
  #most = MOST;
  #jobs = h('div', { class: 'jobs' });

  constructor() {
    super(CSS);
    this.root.append(h('figure', {}, this.#jobs,
      h('div', { class: 'more' }, this.menu({ subject: 'ranking', fileName: () => 'head-jobs' }))));
  }

  /**
   * Replaces the scores. The element copies them.
   * @param {HeadScoreData} scores
   */
  set data(scores) {
    this.accept('data', () => {
      this.#scores = checkScores(scores);
      this.invalidate();
    });
  }

  /** Number of heads in each job, 1 or more. */
  get most() {
    return this.#most;
  }

  set most(given) {
    this.accept('most', () => {
      const most = this.orDefault('most', given);
      if (!Number.isSafeInteger(most) || most < 1) throw new InputError(`most must be 1 or more, got ${String(most)}.`);
      this.#most = most;
      this.invalidate();
    });
  }

  redraw() {
    if (!this.#scores) return;
    this.#jobs.replaceChildren(...rankHeads(this.#scores, this.#most).map(({ title, uniform, most, heads }) =>
      h('div', { role: 'group', 'aria-label': title }, h('p', { class: 'title' }, title),
        h('p', { class: 'uniform' }, heads.length ? uniform : `${uniform}. No head gives more.`),
        h('ol', {}, ...heads.map(({ layer, head, value, text }) => {
          const bar = h('span');
          bar.style.width = `${100 * Math.min(1, value / most)}%`;
          const button = h('button', { type: 'button', class: 'head', title: 'Open this head' }, text,
            h('span', { class: 'share', 'aria-hidden': 'true' }, bar));
          button.addEventListener('click', () => this.emit('heed-head', { layer, head }));
          return h('li', {}, button);
        })))));
  }

  /**
   * Pictures have the ranking, CSV and JSON the scores of all heads.
   * @protected
   * @returns {import('./figure.js').FigureContent | null}
   */
  content() {
    const scores = this.#scores;
    return scores && { title: 'heads ranked by job', csv: () => headScoresToCsv(scores),
      json: () => ({ axes: scores.axes, uniform: [...scores.uniform ?? []], data: [...scores.data] }),
      picture: ({ options: { fontSize }, palette }) => {
        const jobs = rankHeads(scores, this.#most);
        const sentences = jobs.flatMap(({ heads }) => heads.map(({ text }) => textWidth(text, fontSize)));
        return jobMarks(jobs, { fontSize, labels: 16 + Math.max(0, ...sentences), ink: inkOf(palette),
          color: accentOf(palette) });
      } };
  }
}
