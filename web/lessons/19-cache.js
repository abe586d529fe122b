/** The cache of a language model: its size by kind of attention, and the changes that make it smaller. */
import { lab } from '../../js/lab/index.js';
import { countWeights } from '../../js/model/count.js';
import { h } from '../elements/dom.js';
import { showCompressed } from './19-cache-compressed.js';
import { showCaps, showSinks } from './19-cache-scores.js';
import { showShared } from './19-cache-shared.js';
import { showReach } from './19-cache-windows.js';
import { LATENT_ATTENTION } from './drawings/19-cache.js';
import { addSlider } from './kit/controls.js';
import { Drawing } from './kit/drawing.js';
import { grouped, percent, sizeOf } from './kit/format.js';
import { element, lesson, showValues } from './kit/page.js';

/** Llama 3 8B. */
const LAYERS = 32;
const HEADS = 32;
const GROUPS = 8;
const WIDTH = 128;
const LLAMA = { layers: LAYERS, heads: HEADS, kvHeads: GROUPS, dModel: HEADS * WIDTH, dFeedForward: 14336, gated: true,
  vocabulary: 128256, tied: false };
/** Widths of the short vector and of the rotated key in DeepSeek-V2, whose heads are as wide. */
const LATENT = 512;
const ROTARY = 64;
/** Gemma 3: a window in five of six layers. */
const WINDOW = 1024;
const PERIOD = 6;
const BYTES = 2;

const NUMBERS = { standard: 2 * HEADS * WIDTH, grouped: 2 * GROUPS * WIDTH, one: 2 * WIDTH,
  compressed: LATENT + ROTARY };
const KINDS = { standard: 'a pair for each head', grouped: `${GROUPS} pairs`, one: 'one pair',
  compressed: `one short vector of ${LATENT} numbers, and ${ROTARY} for positions` };

function showSizes() {
  const weights = BYTES * countWeights(LLAMA).total;
  const standard = BYTES * LAYERS * NUMBERS.standard;
  const show = (/** @type {number} */ tokens) => {
    const global = Math.floor(LAYERS / PERIOD);
    const places = global * tokens + (LAYERS - global) * Math.min(WINDOW, tokens);
    const kinds = /** @type {(keyof typeof KINDS)[]} */ (Object.keys(KINDS));
    const rows = [...kinds.map((kind) => ({ name: KINDS[kind], numbers: NUMBERS[kind], places: LAYERS * tokens })),
      { name: `${GROUPS} pairs, and a window of ${grouped(WINDOW)} tokens in five of six layers`,
        numbers: NUMBERS.grouped, places }];
    element('kinds').replaceChildren(...rows.map(({ name, numbers, places: kept }) => {
      const bytes = BYTES * numbers * kept;
      return h('tr', {}, h('th', { class: 'text', scope: 'row' }, name), h('td', {}, grouped(numbers)),
        h('td', {}, sizeOf(bytes)), h('td', {}, percent(bytes / (standard * tokens), 1)));
    }));
  };
  addSlider(element('length'), { label: 'Tokens of the text', min: 10, max: 17, step: 1, value: 15,
    format: (power) => grouped(2 ** power) }, (power) => show(2 ** power)).name = 'length';
  showValues({ layers: LAYERS, heads: HEADS, width: WIDTH, rotary: ROTARY, weights: sizeOf(weights),
    equal: grouped(Math.round(weights / standard)) });
  show(2 ** 15);
}

lesson(async () => {
  showSizes();
  const drawing = new Drawing(element('drawing'), LATENT_ATTENTION);
  const l = await lab({ seed: 5 });
  showShared(l);
  showCompressed(l, drawing);
  showReach(l);
  showSinks(l);
  showCaps(l);
});
