/** Texts from a prompt: greedy and sampled, and the loop of generation step by step. */
import { addButton, addSelect, addSlider } from './kit/controls.js';
import { visible } from './kit/bar-table.js';
import { fixed, grouped, magnitude, percent } from './kit/format.js';
import { argmax, largestDifference, softmax } from './kit/numbers.js';
import { element, showValues } from './kit/page.js';
import { track } from './kit/redraw.js';
import { h } from '../elements/dom.js';

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {import('./kit/turns.js').Turns} Turns */

const LENGTH = 60;
const GROUP = 3;
/** Steps of the loop: the table stays on one screen. */
const STEPS = 12;

/** The share of groups of tokens that occurred before. @param {number[]} ids */
function repeated(ids) {
  const groups = ids.slice(GROUP - 1).map((_, i) => ids.slice(i, i + GROUP).join());
  return groups.filter((group, i) => groups.indexOf(group) < i).length / groups.length;
}

/** Two texts. @param {Model} model @param {Turns} turns @param {import('./18-logits-stages.js').Settings} settings
 *  @returns {(ids: Int32Array) => Promise<void>} continues another prompt */
export function showTexts(model, turns, settings) {
  /** @type {Int32Array} */ let ids = new Int32Array(0);
  let seed = 1;
  let repeatPenalty = 1;

  /** @param {import('../../js/index.js').GenerateOptions} options */
  async function write(options) {
    const found = { text: '', ids: /** @type {number[]} */ ([]), logprob: 0 };
    for await (const step of model.generate(ids, { ...options, minP: 0, repeatPenalty, maxTokens: LENGTH })) {
      found.text += step.text;
      found.ids.push(step.id);
      found.logprob += step.logprob;
    }
    return found;
  }

  const show = turns.figure(async () => {
    const greedy = await write({ temperature: 0 });
    const sampled = await write({ ...settings, seed });
    for (const [name, { text, ids: written, logprob }] of Object.entries({ greedy, sampled })) {
      showValues({ [name]: `…${text}`, [`${name}-p`]: percent(Math.exp(logprob / written.length), 0),
        [`${name}-again`]: written.length < GROUP ? '0' : percent(repeated(written), 0) });
    }
  });
  addSlider(element('writing'), { label: 'Seed', min: 1, max: 20, step: 1, value: seed }, (value) => {
    seed = value;
    return show();
  });
  const recommended = model.info.sampling.repeatPenalty;
  addSelect(element('writing'), 'Repeat penalty', { 1: 'off', [recommended]: String(recommended) }, (value) => {
    repeatPenalty = Number(value);
    return show();
  }).name = 'penalty';
  addButton(element('writing'), 'Write with the settings above', () => void track(show()));
  showValues({ recommended });
  return (newIds) => {
    ids = newIds;
    return show();
  };
}

/** The loop, one token at each press. @param {Model} model @param {Turns} turns @param {(id: number) => string} textOf
 *  @returns {(ids: Int32Array) => Promise<void>} starts with another prompt */
export function showLoop(model, turns, textOf) {
  const { layers, kvHeads, dHead } = model.info;
  const perToken = 2 * layers * kvHeads * dHead;
  /** @type {Int32Array} */ let prompt = new Int32Array(0);
  /** @type {Int32Array} */ let ids = new Int32Array(0);
  /** Tokens of `ids` that have been read. */
  let cached = 0;
  let steps = 0;
  let recomputed = 0;

  const step = turns.figure(async () => {
    const read = ids.subarray(cached);
    // Other figures use the same session: it reads again what it should hold.
    model.rewind(0);
    if (cached > 0) await model.forward(ids.subarray(0, cached));
    const logits = await model.forward(read);
    model.rewind(0);
    const again = await model.forward(ids);
    const difference = largestDifference(logits, again);
    cached = ids.length;
    recomputed += ids.length;
    const best = argmax(logits);
    const p = softmax(logits)[best];
    const goesIn = Array.from(read, textOf).flatMap((token, i) => [...(i > 0 ? [' '] : []), ...visible(token)]);
    element('steps').append(h('tr', {}, h('th', { scope: 'row' }, String(++steps)),
      h('td', { class: 'text' }, ...goesIn), h('td', { class: 'text' }, ...visible(textOf(best))),
      h('td', {}, fixed(p, 3)), h('td', {}, grouped(cached)), h('td', {}, grouped(cached * perToken)),
      h('td', {}, magnitude(difference))));
    ids = Int32Array.of(...ids, best);
    showValues({ written: await model.decode(ids), 'with-cache': grouped(cached),
      'without-cache': grouped(recomputed) });
    next.toggleAttribute('aria-disabled', false);
    if (steps === STEPS) next.setAttribute('aria-disabled', 'true');
  });

  /** @param {Int32Array} newPrompt */
  function start(newPrompt) {
    prompt = newPrompt;
    ids = prompt;
    cached = 0;
    steps = 0;
    recomputed = 0;
    element('steps').replaceChildren();
    return step();
  }
  const next = addButton(element('stepping'), 'Next token', () => {
    if (steps < STEPS) void step();
  });
  addButton(element('stepping'), 'Start again', () => void start(prompt));
  showValues({ layers, 'kv-heads': kvHeads, 'per-token': grouped(perToken) });
  return start;
}
