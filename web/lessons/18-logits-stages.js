/** The stages between logits and a chosen token, in the orders of llama.cpp and of transformers. */
import { LOOPS } from './drawings/18-logits.js';
import { BarTable } from './kit/bar-table.js';
import { addButton, addSelect, addSlider } from './kit/controls.js';
import { fixed, grouped, percent } from './kit/format.js';
import { normalized, softmax } from './kit/numbers.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {{ temperature: number, topK: number, topP: number,
 *    samplerOrder: 'llama.cpp' | 'transformers' }} Settings */

/** Tokens in the table, and draws of the engine. */
const SHOWN = 10;
const DRAWS = 64;

/** Size of the smallest set that reaches a probability. @param {number[]} p descending @param {number} topP */
function nucleus(p, topP) {
  let kept = 0;
  let sum = 0;
  while (kept < p.length && sum < topP) sum += p[kept++];
  return kept;
}

/**
 * The probabilities after each stage, by descending logit.
 * @param {Float32Array} logits [vocabulary]
 * @param {Settings} settings topK 0 keeps all
 */
function stagesOf(logits, { temperature, topK, topP, samplerOrder }) {
  const order = Uint32Array.from(logits, (_, id) => id).sort((a, b) => logits[b] - logits[a] || a - b);
  const sorted = Array.from(order, (id) => logits[id]);
  const first = samplerOrder === 'transformers';
  const model = softmax(sorted);
  const warm = first ? softmax(sorted, temperature) : model;
  const afterK = normalized(warm.slice(0, topK > 0 ? topK : warm.length));
  const kept = topP < 1 ? nucleus(afterK, topP) : afterK.length;
  const afterP = normalized(afterK.slice(0, kept));
  const last = first ? afterP : softmax(sorted.slice(0, kept), temperature);
  return { order, model, warm, afterK, afterP, last };
}

/**
 * @param {Model} model @param {import('./kit/turns.js').Turns} turns @param {(id: number) => string} textOf
 * @param {import('./kit/drawing.js').Drawing} drawing  shows the likeliest tokens too
 * @returns {{ settings: Settings, show: (ids: Int32Array) => Promise<void> }} show: for the next token of another text
 */
export function showStages(model, turns, textOf, drawing) {
  const table = new BarTable(element('stages'), { caption: 'The next token', axis: 'token' });
  /** @type {Settings} */
  const settings = { temperature: 0.8, topK: 8, topP: 0.9, samplerOrder: 'llama.cpp' };
  /** @type {Int32Array} */ let ids = new Int32Array(0);
  let logits = new Float32Array(0);
  /** Tokens that the engine drew. @type {number[]} */ let drawn = [];

  function draw() {
    const { order, model: p, warm, afterK, afterP, last } = stagesOf(logits, settings);
    const first = settings.samplerOrder === 'transformers';
    const warmth = { name: `temperature ${settings.temperature}`, of: first ? warm : last };
    const cuts = [{ name: settings.topK > 0 ? `top-k ${settings.topK}` : 'top-k off', of: afterK },
      { name: `top-p ${settings.topP}`, of: afterP }];
    const stages = [{ name: 'softmax', of: p },
      ...(first ? [warmth, ...cuts] : [...cuts, warmth])];
    const share = (/** @type {number} */ id) => drawn.filter((each) => each === id).length / drawn.length;
    const shownShare = drawn.length ? [{ name: 'drawn', max: 1 }] : [];
    const logit = { name: 'logit', format: (/** @type {number} */ value) => fixed(value, 2) };
    table.update([logit, ...stages.map(({ name }) => ({ name, max: 1 })), ...shownShare],
      Array.from(order.subarray(0, SHOWN), (id, rank) => ({ token: textOf(id), marked: rank === 0,
        values: [logits[id], ...stages.map(({ of }) => of[rank] ?? null), ...shownShare.map(() => share(id))] })));
    const likeliest = order.subarray(0, SHOWN);
    const row = { rows: 1, columns: Array.from(likeliest, textOf) };
    drawing.show({ logits: { data: Array.from(likeliest, (id) => logits[id]), ...row },
      p: { data: Array.from(likeliest, (_, rank) => (first ? warm : last)[rank] ?? 0), ...row, shade: 'weight' } });
    const kept = new Set(order.subarray(0, last.length));
    showValues({ 'kept-k': grouped(afterK.length), 'kept-p': grouped(afterP.length), 'first-model': percent(p[0], 1),
      'first-chance': percent(last[0], 1), drawn: drawn.length, outside: drawn.filter((id) => !kept.has(id)).length });
  }

  const forget = (/** @type {Partial<Settings>} */ changed) => {
    Object.assign(settings, changed);
    drawn = [];
    draw();
  };
  const place = element('settings');
  addSlider(place, { label: 'Temperature τ', min: 0.1, max: 2, step: 0.1, value: settings.temperature,
    format: (value) => fixed(value, 1) }, (temperature) => forget({ temperature })).name = 'tau';
  addSlider(place, { label: 'Top-k', min: 0, max: 40, step: 1, value: settings.topK,
    format: (k) => (k > 0 ? String(k) : 'all') }, (topK) => forget({ topK }));
  addSlider(place, { label: 'Top-p', min: 0.05, max: 1, step: 0.05, value: settings.topP,
    format: (value) => fixed(value, 2) }, (topP) => forget({ topP }));
  addSelect(place, 'Order', { 'llama.cpp': 'cuts, then temperature', transformers: 'temperature, then cuts' },
    (order) => {
      drawing.describe(LOOPS[Number(order === 'transformers')]);
      forget({ samplerOrder: /** @type {Settings['samplerOrder']} */ (order) });
    }).name = 'order';

  const run = turns.figure(async () => {
    /** @type {number[]} */ const found = [];
    const used = { ...settings };
    for (let seed = 1; seed <= DRAWS; seed++) {
      const options = { ...used, minP: 0, repeatPenalty: 1, maxTokens: 1, seed };
      for await (const { id } of model.generate(ids, options)) found.push(id);
    }
    if (Object.entries(used).some(([name, value]) => settings[/** @type {keyof Settings} */ (name)] !== value)) return;
    drawn = found;
    draw();
  });
  addButton(element('draws'), `Draw ${DRAWS} tokens with the engine`, () => void run());

  const show = turns.figure(async (/** @type {Int32Array} */ newIds) => {
    model.rewind(0);
    logits = new Float32Array(await model.forward(newIds));
    ids = newIds;
    drawn = [];
    draw();
  });
  return { settings, show };
}
