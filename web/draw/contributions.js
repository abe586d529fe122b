/** Parts of a logit as rows of bars: names, order, sentence, picture and CSV. */
import { csvLines } from './map-export.js';
import { placeName } from './sentence.js';
import { tokenName } from './token.js';

/**
 * Parts of a logit, as `directLogitAttribution` of `heed/insight` returns them by layer.
 * @typedef {object} ContributionData
 * @property {Float32Array} data parts of the logit, [component]
 * @property {{ component: string[] }} axes names of TransformerLens, such as ‘embed’, ‘0_attn_out’ and ‘0_mlp_out’
 * @property {number} value the logit, or a difference of logits
 * @property {number} [softcap] c of a soft cap c·tanh(value / c), before which `value` is; default 0: none
 * @property {{ data: Float32Array, axes: { layer: number[], head: number[] } }} [heads] the parts by head,
 *   [layer][head]
 * @property {string} [token] text of the token whose logit it is
 * @property {{ token: string, at: number }} [after] token whose next token is predicted, and its position
 */

/** @typedef {{ name: string, value: number, layer: number | null, head: number | null }} Part */

/** Names of components that belong to no layer. @type {Record<string, string>} */
const NAMES =
  { embed: 'Token embedding', pos_embed: 'Position embedding', bias: 'Bias of the final norm',
    b_U: 'Bias of the logit' };
/** @type {Record<string, string>} */
const KINDS = { attn: 'attention', mlp: 'feed-forward' };

/** The parts by layer, in the order of the model. @param {ContributionData} data @returns {Part[]} */
export const partsOf = ({ data, axes }) => axes.component.map((component, at) => {
  const [, layer, kind] = /^(\d+)_(attn|mlp)_out$/.exec(component) ?? [];
  const name = layer === undefined ? NAMES[component] ?? component : `Layer ${layer}, ${KINDS[kind]}`;
  return { name, value: data[at], layer: kind === 'attn' ? Number(layer) : null, head: null };
});

/** The heads of a layer. @param {ContributionData} data @param {number | null} layer @returns {Part[]} */
export function headsOf({ heads }, layer) {
  const at = layer === null ? -1 : heads?.axes.layer.indexOf(layer) ?? -1;
  if (!heads || at < 0) return [];
  const { head } = heads.axes;
  return head.map((each, i) => ({ name: `Head ${layer}.${each}`, value: heads.data[at * head.length + i], layer,
    head: each }));
}

/** A part with its sign: “+1.25”, “−0.40”. @param {number} value */
export const formatPart = (value) => `${value < 0 ? '\u2212' : '+'}${Math.abs(value).toFixed(2)}`;

/**
 * Describes the logit and its largest part.
 * @param {ContributionData} data
 */
export function contributionSentence(data) {
  const { value, token, after, softcap } = data;
  const what = token === undefined ? 'The logit' : `The logit of ${tokenName(token)}`;
  const where = after ? ` after ${placeName(after)}` : '';
  const [most] = sorted(partsOf(data));
  const largest = most ? `. The largest part is ${formatPart(most.value)}: ${most.name.toLowerCase()}` : '';
  const cap = softcap ? ' before the soft cap' : '';
  return `${what}${where}${cap} is ${value.toFixed(2)}, the sum of these parts${largest}`;
}

/** Parts by decreasing size. @param {Part[]} parts */
export const sorted = (parts) => [...parts].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));

/** The largest size of a part. @param {Part[]} parts */
export const largestOf = (parts) => parts.reduce((most, { value }) => Math.max(most, Math.abs(value)), 0) || 1;

/**
 * The parts as bars to the left and right of zero.
 * @param {Part[]} parts
 * @param {{ fontSize: number, labels: number, bars: number, ink: string, color: (share: number) => string }} view
 *   labels: width of the names; bars: width of all bars; color: of −1 and of 1
 * @returns {{ marks: import('./marks.js').Mark[], width: number, height: number }}
 */
export function contributionMarks(parts, { fontSize, labels, bars, ink, color }) {
  const row = 1.6 * fontSize;
  const most = largestOf(parts);
  const zero = labels + 8 + bars / 2;
  /** @type {import('./marks.js').Mark[]} */
  const marks = [{ line: [zero, 0, zero, parts.length * row], stroke: ink, width: 1, opacity: 0.4 }];
  parts.forEach(({ name, value }, at) => {
    const length = Math.abs(value) / most * bars / 2;
    const y = (at + 0.5) * row;
    const x = value < 0 ? zero - length : zero;
    marks.push({ rect: [x, y - 0.35 * row, length, 0.7 * row], fill: color(Math.sign(value)) },
      { text: name, x: labels, y, anchor: 'end', fill: ink },
      { text: formatPart(value), x: labels + bars + 16, y, fill: ink });
  });
  return { marks, width: labels + bars + 16 + 5 * fontSize, height: parts.length * row };
}

/** All parts as CSV, by component and by head. @param {ContributionData} data */
export function contributionsToCsv(data) {
  const lines = ['component,layer,head,part'];
  data.axes.component.forEach((component, at) => lines.push(`${component},,,${Number(data.data[at].toPrecision(9))}`));
  for (const layer of data.heads?.axes.layer ?? []) {
    for (const { head, value } of headsOf(data, layer)) {
      lines.push(`head,${layer},${head},${Number(value.toPrecision(9))}`);
    }
  }
  return csvLines(lines);
}
