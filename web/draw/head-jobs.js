/** Jobs of heads in words: the scores of `headScores` of `heed/insight`, ranked. */
import { csvLines } from './map-export.js';
import { formatPercent } from './sentence.js';

/**
 * Scores of all heads.
 * @typedef {object} HeadScoreData
 * @property {Float32Array} data [score][layer][head]; NaN for a score that applies to no query
 * @property {{ score: string[], layer: number[], head: number[] }} axes labels of each axis
 * @property {Float32Array} [uniform] each score of uniform attention, [score]
 */

/** @typedef {{ layer: number, head: number, value: number, name: string, text: string }} RankedHead */
/** @typedef {{ score: string, title: string, uniform: string, most: number, heads: RankedHead[] }} Job */

/**
 * Title of a job, its words, and the unit of its score.
 * @type {Record<string, { title: string, words: string, format: (value: number) => string }>}
 */
const JOBS = {
  previous: { title: 'Looks one token back', words: 'looks one token back', format: formatPercent },
  induction: { title: 'Looks after earlier copies (induction)', words: 'looks after earlier copies',
    format: formatPercent },
  duplicate: { title: 'Looks at earlier copies', words: 'looks at earlier copies of the token', format: formatPercent },
  first: { title: 'Looks at the first token', words: 'looks at the first token', format: formatPercent },
  distance: { title: 'Looks far back', words: 'looks back', format: (value) =>
    `${value.toFixed(1)} tokens on average` },
  entropy: { title: 'Looks at many tokens', words: 'looks at many tokens', format: (value) =>
    `entropy ${value.toFixed(2)} nats` },
};

/**
 * Heads ranked by each job, in words: “4.4 looks one token back: 43 %”. A share of attention must exceed that of
 * uniform attention.
 * @param {HeadScoreData} scores
 * @param {number} most number of heads in each job
 * @returns {Job[]} jobs without a score are left out
 */
export function rankHeads({ data, axes, uniform }, most) {
  const { score, layer, head } = axes;
  const size = layer.length * head.length;
  return Object.entries(JOBS).flatMap(([kind, { title, words, format }]) => {
    const at = score.indexOf(kind);
    const values = data.subarray(at * size, (at + 1) * size);
    if (at < 0 || values.length === 0 || Number.isNaN(values[0])) return [];
    const share = format === formatPercent;
    const heads = Array.from(values, (value, i) => {
      const down = layer[Math.floor(i / head.length)];
      const across = head[i % head.length];
      const name = `${down}.${across}`;
      return { layer: down, head: across, value, name, text: `${name} ${words}: ${format(value)}` };
    }).filter(({ value }) => !share || !(value <= (uniform?.[at] ?? 0)))
      .sort((a, b) => b.value - a.value).slice(0, most);
    const even = uniform && Number.isFinite(uniform[at]) ? `Uniform attention: ${format(uniform[at])}` : '';
    return [{ score: kind, title, uniform: even, most: share ? 1 : heads[0]?.value || 1, heads }];
  });
}

/**
 * The ranking as bars.
 * @param {Job[]} jobs
 * @param {{ fontSize: number, labels: number, ink: string, color: string }} view labels: width of the sentences
 * @returns {{ marks: import('./marks.js').Mark[], width: number, height: number }}
 */
export function jobMarks(jobs, { fontSize, labels, ink, color }) {
  const row = 1.6 * fontSize;
  const bars = 160;
  /** @type {import('./marks.js').Mark[]} */
  const marks = [];
  let y = 0;
  for (const { title, most, heads } of jobs) {
    marks.push({ text: title, x: 0, y: y + row / 2, fill: ink, bold: true });
    y += row;
    for (const { text, value } of heads) {
      marks.push({ text, x: 0, y: y + row / 2, fill: ink },
        { rect: [labels, y + 0.15 * row, Math.max(1, value / most * bars), 0.7 * row], fill: color });
      y += row;
    }
    y += row / 2;
  }
  return { marks, width: labels + bars, height: y };
}

/** All scores as CSV, one line per head. @param {HeadScoreData} scores */
export function headScoresToCsv({ data, axes: { score, layer, head } }) {
  const size = layer.length * head.length;
  const lines = [['layer', 'head', ...score].join(',')];
  for (let at = 0; at < size; at++) {
    const values = score.map((_, i) => data[i * size + at]).map((value) =>
      (Number.isNaN(value) ? '' : Number(value.toPrecision(6))));
    lines.push([layer[Math.floor(at / head.length)], head[at % head.length], ...values].join(','));
  }
  return csvLines(lines);
}
