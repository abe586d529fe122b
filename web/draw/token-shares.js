/** The shares of tokens in a metric: sentences, colors, and CSV. */
import { formatPart } from './contributions.js';
import { csvLines, csvText } from './map-export.js';
import { differenceShading, levelOf } from './scale.js';
import { capital, formatNumber, placeName } from './sentence.js';

/**
 * Shares of tokens in a metric, as `integratedGradients` of `heed/insight` returns them.
 * @typedef {object} ShareData
 * @property {Float32Array} data share of each token, [position]
 * @property {{ position: string[] }} axes texts of the tokens
 * @property {number} value the metric
 * @property {number} baselineValue the metric at the baseline
 * @property {string} [metric] name of the metric, for sentences; default ‘metric’
 */

/** The color scale of the shares. @param {ShareData} shares */
export const shareShading = ({ data }) => differenceShading(data);

/** The background of a token. @param {ShareData} shares @param {import('./raster.js').Shading} shading
 *  @param {import('./color.js').Palette} palette @param {number} at position of the token */
export const shareColor = ({ data }, { kind, max }, palette, at) => palette.rgb[levelOf(kind, data[at], max)];

/** A metric with at most two decimals. @param {number} value */
const rounded = (value) => formatNumber(Number(value.toFixed(2)));

/**
 * Describes all shares: “The log-probability of ‘Haus’ is −0.12, and −5.31 at the baseline. The largest share is +3.20,
 * of ‘house’ (4).”
 * @param {ShareData} shares
 */
export function sharesSentence({ data, axes, value, baselineValue, metric = 'metric' }) {
  const most = data.reduce((best, share, at) => (Math.abs(share) > Math.abs(data[best]) ? at : best), 0);
  const place = placeName({ token: axes.position[most], at: most });
  return `The ${metric} is ${rounded(value)}, and ${rounded(baselineValue)} at the baseline. The largest share is ${
    formatPart(data[most])}, of ${place}.`;
}

/** Describes a token: “‘house’ (4) has a share of +3.20 in the log-probability of ‘Haus’”.
 *  @param {ShareData} shares @param {number} at position of the token */
export const shareSentence = ({ data, axes, metric = 'metric' }, at) =>
  `${capital(placeName({ token: axes.position[at], at }))} has a share of ${formatPart(data[at])} in the ${metric}`;

/** The share of each token as CSV. @param {ShareData} shares */
export const sharesToCsv = ({ data, axes }) => csvLines(['position,token,share',
  ...axes.position.map((token, at) => `${at},${csvText(token)},${Number(data[at].toPrecision(9))}`)]);
