/** Compares sentences by the cosines of their vectors, as a table of colors. */
import { cssOf, inkOn, paletteFor, parseRgb } from '../../draw/color.js';
import { levelOf } from '../../draw/scale.js';
import { h, messageOf } from '../../elements/dom.js';
import { isAbort } from '../format.js';

/** Sentences that are there at first: two pairs of similar meaning. */
const SENTENCES = ['How do cats see at night?', 'Eyes of cats gather much light.', 'When does the bus arrive?',
  'The next bus comes at nine.'];
/** Most sentences. */
const LIMIT = 12;
/** Most characters of a sentence in the table. */
const SHORT = 40;

export class Similarity {
  #reading;
  #field = h('textarea', { id: 'sentences', rows: 4, spellcheck: false });
  #table = h('table', { class: 'cosines' });
  #status = h('p', { class: 'note', role: 'status' });
  /** @type {AbortController | null} */
  #abort = null;
  element = h('div', { class: 'similar' }, h('label', { for: 'sentences' }, 'Sentences to compare, one a line'),
    this.#field, h('div', { class: 'buttons' }, this.#button()), this.#status,
    h('div', { class: 'scroller', role: 'region', 'aria-label': 'Cosines of the sentences', tabindex: 0 },
      this.#table));

  /** @param {import('./reading.js').Reading} reading lends the model */
  constructor(reading) {
    this.#reading = reading;
    this.#field.value = SENTENCES.join('\n');
  }

  #button() {
    const button = h('button', { type: 'button', id: 'compare' }, 'Compare');
    button.addEventListener('click', () => void this.compare());
    return button;
  }

  /** Computes the vectors and shows their cosines. A second call supersedes the first. */
  async compare() {
    const sentences = this.#field.value.split('\n').map((line) => line.trim()).filter(Boolean);
    if (sentences.length < 2 || sentences.length > LIMIT) {
      this.#status.textContent = `Write 2 to ${LIMIT} sentences, one a line; there are ${sentences.length}.`;
      return;
    }
    this.#abort?.abort();
    const abort = this.#abort = new AbortController();
    this.#status.textContent = 'Computing the vectors';
    try {
      const vectors = await this.#reading.borrow((model, signal) => model.embed(sentences, { signal, normalize: true }),
        { signal: abort.signal });
      if (this.#abort !== abort) return;
      this.#show(sentences, vectors);
    } catch (error) {
      if (this.#abort !== abort) return;
      this.#status.textContent = isAbort(error) ? 'Stopped, because another run began.' : messageOf(error);
    }
  }

  /** @param {string[]} sentences @param {Float32Array[]} vectors of length 1 */
  #show(sentences, vectors) {
    const cosines = vectors.map((a) => vectors.map((b) => a.reduce((sum, x, i) => sum + x * b[i], 0)));
    const palette = paletteFor(parseRgb(getComputedStyle(document.body).backgroundColor));
    const numbers = sentences.map((_, at) => h('th', { scope: 'col', title: sentences[at] }, String(at + 1)));
    const rows = sentences.map((sentence, at) => {
      const short = sentence.length > SHORT ? `${sentence.slice(0, SHORT - 1)}…` : sentence;
      const name = h('th', { scope: 'row', title: sentence }, `${at + 1} ${short}`);
      return h('tr', {}, name, ...cosines[at].map((cosine) => {
        const cell = h('td', {}, cosine.toFixed(2).replace('-', '−'));
        const rgb = palette.rgb[levelOf('linear', Math.max(0, cosine), 1)];
        cell.style.background = cssOf(rgb);
        cell.style.color = inkOn(rgb);
        return cell;
      }));
    });
    this.#table.replaceChildren(h('caption', { class: 'note' }, 'Cosines: 1 is the same direction, 0 none in common'),
      h('thead', {}, h('tr', {}, h('td'), ...numbers)), h('tbody', {}, ...rows));
    this.#status.textContent = describe(sentences, cosines);
  }
}

/** The closest two sentences. @param {string[]} sentences @param {number[][]} cosines */
function describe(sentences, cosines) {
  let best = -Infinity;
  let one = 0;
  let other = 1;
  cosines.forEach((row, i) => row.forEach((cosine, j) => {
    if (j > i && cosine > best) {
      best = cosine;
      one = i;
      other = j;
    }
  }));
  return `The closest are ${one + 1} and ${other + 1}: ${best.toFixed(2).replace('-', '−')}.`;
}
