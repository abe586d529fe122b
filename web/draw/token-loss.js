/** The loss of each token of a text: sentences, colors, and CSV. */
import { csvLines, csvText } from './map-export.js';
import { levelOf, roundedMax } from './scale.js';
import { capital, formatNumber, formatPercent, placeName } from './sentence.js';

/**
 * A text and the log-probabilities of its tokens, as `model.score` returns them.
 * @typedef {object} LossData
 * @property {string[]} tokens texts of all tokens [tokens]
 * @property {Float32Array} logprobs natural logarithm of the probability of each token after the tokens before it, from
 *   the second token on [tokens − 1]
 * @property {Float32Array} [before] the same of another run, such as the one without edits [tokens − 1]
 */
/** ‘loss’: of each token; ‘change’: the loss minus the loss of the other run.
 *  @typedef {'loss' | 'change'} LossQuantity */

/** Least end of the scale of changes, in nats. Smaller changes can be rounding. */
const LEAST_CHANGE = 0.01;

/**
 * The number that colors a token. The first token has no number, because no token precedes it.
 * @param {LossData} data
 * @param {LossQuantity} quantity
 * @param {number} at position of the token
 * @returns {number | null} nats
 */
export function lossAt({ logprobs, before }, quantity, at) {
  if (at === 0) return null;
  return quantity === 'loss' ? -logprobs[at - 1] : (before ?? logprobs)[at - 1] - logprobs[at - 1];
}

/**
 * The color scale of a text.
 * @param {LossData} data
 * @param {LossQuantity} quantity
 * @returns {import('./raster.js').Shading}
 */
export function lossShading(data, quantity) {
  let max = quantity === 'change' ? LEAST_CHANGE : 0;
  for (let at = 1; at < data.tokens.length; at++) max = Math.max(max, Math.abs(lossAt(data, quantity, at) ?? 0));
  return { kind: quantity === 'loss' ? 'linear' : 'difference', max: roundedMax(max),
    leaveFirstOut: true };
}

/**
 * The background of a token; null for the first one.
 * @param {LossData} data
 * @param {LossQuantity} quantity
 * @param {import('./raster.js').Shading} shading
 * @param {import('./color.js').Palette} palette
 * @param {number} at position of the token
 * @returns {import('./color.js').Rgb | null}
 */
export function lossColor(data, quantity, { kind, max }, palette, at) {
  const loss = lossAt(data, quantity, at);
  return loss === null ? null : palette.rgb[levelOf(kind, loss, max)];
}

/** The mean of losses. @param {Float32Array} logprobs */
const meanOf = (logprobs) => -logprobs.reduce((sum, x) => sum + x, 0) / logprobs.length;

/** A loss in nats: 3.44. @param {number} loss */
const nats = (loss) => formatNumber(Number(loss.toFixed(2)));

/**
 * Describes the whole text: “Mean loss 2.31 nats, perplexity 10.1. The largest loss is 6.9, of ‘big’ (5).”
 * @param {LossData} data
 * @param {LossQuantity} quantity
 */
export function textSentence(data, quantity) {
  const { tokens, logprobs, before } = data;
  if (logprobs.length === 0) return 'The first token of a text is not predicted. A loss needs two tokens.';
  const mean = meanOf(logprobs);
  const other = before ? `, ${nats(meanOf(before))} before` : '';
  const losses = tokens.map((_, at) => lossAt(data, quantity, at) ?? 0);
  const most = losses.reduce((best, loss, at) => (Math.abs(loss) > Math.abs(losses[best]) ? at : best), 1);
  const name = placeName({ token: tokens[most], at: most });
  const sign = losses[most] > 0 ? '+' : '';
  return `Mean loss ${nats(mean)} nats${other}, perplexity ${formatNumber(Math.exp(mean))}. ${quantity === 'loss'
    ? `The largest loss is ${nats(losses[most])}, of ${name}`
    : Math.abs(losses[most]) < LEAST_CHANGE ? 'No loss changes by 0.01 or more'
      : `The loss of ${name} changes most, by ${sign}${nats(losses[most])}`}.`;
}

/**
 * Describes a token: “‘big’ (5) has probability 3.2 % and loss 3.44 nats”.
 * @param {LossData} data
 * @param {number} at position of the token
 */
export function lossSentence({ tokens, logprobs, before }, at) {
  const name = capital(placeName({ token: tokens[at], at }));
  if (at === 0) return `${name} is the first token, which no token predicts`;
  const part = (/** @type {number} */ logprob) =>
    `probability ${formatPercent(Math.exp(logprob))} and loss ${nats(-logprob)}`;
  const other = before ? `; before, ${part(before[at - 1])}` : '';
  return `${name} has ${part(logprobs[at - 1])} nats${other}`;
}

/** The numbers of each token as CSV. @param {LossData} data */
export function lossToCsv({ tokens, logprobs, before }) {
  const number = (/** @type {number | undefined} */ x) => (x === undefined ? '' : Number(x.toPrecision(9)));
  const lines = [`position,token,logprob${before ? ',logprob_before' : ''}`];
  tokens.forEach((token, at) => {
    const more = before ? `,${at === 0 ? '' : number(before[at - 1])}` : '';
    lines.push(`${at},${csvText(token)},${at === 0 ? '' : number(logprobs[at - 1])}${more}`);
  });
  return csvLines(lines);
}
