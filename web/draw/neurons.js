/** Neurons of a feed-forward network: their parts of a logit, their activations, and the tokens that they raise. */
import { contributionMarks, formatPart } from './contributions.js';
import { cssOf, inkOn } from './color.js';
import { textWidth } from './figure-layout.js';
import { csvLines, csvText } from './map-export.js';
import { formatNumber, joined, placeName } from './sentence.js';
import { tokenLabel, tokenName } from './token.js';

/**
 * Some neurons of one layer.
 * @typedef {object} NeuronData
 * @property {number} layer
 * @property {Float32Array} data parts of a logit, as `directLogitAttribution` by neuron gives them, [neuron]
 * @property {{ neuron: number[] }} axes numbers of the neurons
 * @property {Float32Array} activations `mlp.hook_post` of these neurons, [neuron][token]
 * @property {string[]} tokens texts of the tokens
 * @property {string[]} [raised] texts of the tokens whose logits a positive activation raises most, [neuron][rank]
 * @property {string[]} [lowered] texts of the tokens whose logits it lowers most, [neuron][rank]
 * @property {string} [token] text of the token whose logit it is
 * @property {{ token: string, at: number }} [after] token whose next token is predicted, and its position
 * @property {number[]} [cut] numbers of neurons that are cut
 */

/** Most tokens in the list of the strongest activations. */
const STRONGEST = 12;

/** The name of a neuron. @param {NeuronData} data @param {number} i index of the neuron */
export const neuronName = ({ layer, axes }, i) => `Neuron ${layer}.${axes.neuron[i]}`;

/** The neurons as rows of bars. @param {NeuronData} data @returns {import('./contributions.js').Part[]} */
export const neuronParts = (data) => data.axes.neuron.map((_, i) =>
  ({ name: neuronName(data, i), value: data.data[i], layer: null, head: null }));

/** Activations of a neuron, a view [token]. @param {NeuronData} data @param {number} i index of the neuron */
export const activationsOf = ({ activations, tokens }, i) =>
  activations.subarray(i * tokens.length, (i + 1) * tokens.length);

/** The largest size of an activation, or 1. @param {ArrayLike<number>} activations */
export const largestActivation = (activations) =>
  Array.from(activations).reduce((most, x) => Math.max(most, Math.abs(x)), 0) || 1;

/**
 * The tokens at which a neuron is most active.
 * @param {NeuronData} data
 * @param {number} i index of the neuron
 * @returns {{ at: number, activation: number }[]} the largest size first
 */
export const strongestTokens = (data, i) => Array.from(activationsOf(data, i), (activation, at) => ({ at, activation }))
  .sort((a, b) => Math.abs(b.activation) - Math.abs(a.activation)).slice(0, STRONGEST);

/** The tokens of a neuron in a list of all neurons. @param {NeuronData} data @param {'raised' | 'lowered'} list
 *  @param {number} i index of the neuron */
export function wordsOf(data, list, i) {
  const all = data[list] ?? [];
  const each = all.length / data.axes.neuron.length;
  return all.slice(i * each, (i + 1) * each);
}

/**
 * Describes a neuron: “Neuron 3.120 adds +1.25 to the logit of ‘Lily’ after ‘to’ (13). It is most active at ‘gave’
 * (10): 2.31”.
 * @param {NeuronData} data
 * @param {number} i index of the neuron
 */
export function neuronSentence(data, i) {
  const { token, after, axes, cut = [] } = data;
  const what = token === undefined ? 'the logit' : `the logit of ${tokenName(token)}`;
  const where = after ? ` after ${placeName(after)}` : '';
  const verb = cut.includes(axes.neuron[i]) ? 'is cut. It would add' : 'adds';
  const [most] = strongestTokens(data, i);
  const active = most ? `. It is most active at ${placeName({ token: data.tokens[most.at], at: most.at })}: ${
    formatNumber(most.activation)}` : '';
  return `${neuronName(data, i)} ${verb} ${formatPart(data.data[i])} to ${what}${where}${active}`;
}

/** The tokens that a neuron raises and lowers, as a sentence; empty without them.
 *  @param {NeuronData} data @param {number} i index of the neuron */
export function wordsSentence(data, i) {
  const [raised, lowered] = /** @type {const} */ (['raised', 'lowered']).map((list) =>
    joined(wordsOf(data, list, i).map(tokenName)));
  if (!raised && !lowered) return '';
  return `Where it is positive, it raises ${raised || 'no token'}, and lowers ${lowered || 'no token'}. `
    + 'Where it is negative, it does the opposite.';
}

/**
 * The picture of all neurons, and of the activations of one.
 * @param {NeuronData} data
 * @param {number} i index of the neuron
 * @param {{ fontSize: number, bars: number, ink: string, color: (share: number) => import('./color.js').Rgb }} style
 * @returns {{ marks: import('./marks.js').Mark[], width: number, height: number }}
 */
export function neuronMarks(data, i, { fontSize, bars, ink, color }) {
  const parts = neuronParts(data);
  const labels = Math.max(...parts.map(({ name }) => textWidth(name, fontSize)));
  const { marks, width, height } = contributionMarks(parts, { fontSize, labels, bars, ink,
    color: (share) => cssOf(color(share)) });
  const row = 1.6 * fontSize;
  let x = 0;
  let y = height + 1.5 * row;
  marks.push({ text: `Activations of ${neuronName(data, i).toLowerCase()}`, x, y, fill: ink, bold: true });
  y += row;
  const activations = activationsOf(data, i);
  const most = largestActivation(activations);
  for (const [at, token] of data.tokens.entries()) {
    const text = tokenLabel(token, 40);
    const size = textWidth(text, fontSize) + 0.6 * fontSize;
    if (x > 0 && x + size > width) {
      x = 0;
      y += row;
    }
    const rgb = color(activations[at] / most);
    marks.push({ rect: [x, y - row / 2, size - 1, row - 1], fill: cssOf(rgb) },
      { text, x: x + 0.3 * fontSize, y, fill: inkOn(rgb) });
    x += size;
  }
  return { marks, width, height: y + row };
}

/** All neurons and activations as CSV, one activation per line. @param {NeuronData} data */
export function neuronsToCsv(data) {
  const number = (/** @type {number} */ x) => Number(x.toPrecision(9));
  const lines = ['layer,neuron,part,position,token,activation'];
  data.axes.neuron.forEach((neuron, i) => activationsOf(data, i).forEach((activation, at) => lines.push(
    [data.layer, neuron, number(data.data[i]), at, csvText(data.tokens[at]), number(activation)].join(','))));
  return csvLines(lines);
}
