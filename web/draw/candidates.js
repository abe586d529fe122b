/** Candidates for the next token: their probabilities, the picture of a file, and CSV. */
import { textWidth } from './figure-layout.js';
import { accentOf, csvLines, csvText, inkOf, mutedOf } from './map-export.js';
import { formatPercent } from './sentence.js';
import { tokenParts } from './token.js';

/**
 * A candidate for the next token. With `logit`, `scaled`, `cut` and `chance`, the element also shows the sampler. With
 * `after`, it compares two runs instead.
 * @typedef {object} Candidate
 * @property {number} id
 * @property {string} text
 * @property {number} logprob natural logarithm of the model's probability, before sampling
 * @property {number} [logit]
 * @property {number} [scaled] the logit divided by the temperature
 * @property {'top-k' | 'top-p' | null} [cut] the filter that removes the candidate
 * @property {number} [chance] probability of being sampled, 0 to 1
 * @property {number} [after] natural logarithm of the probability in another run, such as one with edits
 */

/**
 * Words of the list.
 * @typedef {object} CandidateWords
 * @property {string} [list] name for screen readers and files; default ‘Candidates for the next token’
 * @property {string} [column] heading of the names; default ‘Token’
 * @property {string | null} [action] what a click does, default ‘Continue with this token’; null: no buttons
 */

/** Width of a bar of probability 1. */
const BARS = 160;
/** Between columns. */
const GAP = 12;

/**
 * The probabilities that all candidates have.
 * @param {readonly Candidate[]} candidates
 * @returns {{ isStaged: boolean, heads: string[] }} isStaged: the sampler is known; heads: names of the one or two
 *   probabilities
 */
export function probabilitiesOf(candidates) {
  const all = (/** @type {'chance' | 'after'} */ field) =>
    candidates.length > 0 && candidates.every((candidate) => candidate[field] !== undefined);
  const isStaged = all('chance');
  return { isStaged, heads: all('after') ? ['Before', 'After'] : ['Model', ...(isStaged ? ['Sampler'] : [])] };
}

/**
 * The probabilities of a candidate.
 * @param {Candidate} candidate
 * @param {string[]} heads their names
 * @returns {{ share: number, cut: string | null }[]} share: 0 to 1; cut: the filter that removes the candidate
 */
export const sharesOf = ({ logprob, cut = null, chance = 0, after }, heads) =>
  [{ share: Math.exp(logprob), cut: null },
    { share: after === undefined ? chance : Math.exp(after), cut }].slice(0, heads.length);

/**
 * The parts of a candidate's text. Labels have plain spaces, unlike tokens.
 * @param {string} text
 * @param {CandidateWords} words
 * @returns {import('./token.js').TokenPart[]}
 */
export const partsOf = (text, { action }) => (action === null ? [{ kind: 'text', text }] : tokenParts(text));

/**
 * The list with its bars.
 * @param {readonly Candidate[]} candidates
 * @param {{ chosen?: number, words: Required<CandidateWords> }} list chosen: id of the bold candidate
 * @param {{ fontSize: number, palette: import('./color.js').Palette }} look
 * @returns {{ marks: import('./marks.js').Mark[], width: number, height: number }}
 */
export function candidateMarks(candidates, { chosen, words }, { fontSize, palette }) {
  const ink = inkOf(palette);
  const muted = mutedOf(palette);
  const accent = accentOf(palette);
  const { heads } = probabilitiesOf(candidates);
  const row = 1.7 * fontSize;
  const names = candidates.map(({ text }) => partsOf(text, words).map((part) => part.text).join(''));
  const left = Math.max(...[words.column, ...names].map((name) => textWidth(name, fontSize))) + GAP;
  const column = textWidth('Sampler', fontSize) + GAP;
  const end = (/** @type {number} */ at) => left + BARS + (at + 1) * column;
  const anchor = /** @type {const} */ ('end');
  /** @type {import('./marks.js').Mark[]} */
  const marks = [{ text: words.column, x: 0, y: row / 2, fill: muted },
    ...heads.map((text, at) => ({ text, x: end(at), y: row / 2, anchor, fill: muted }))];
  candidates.forEach((candidate, i) => {
    const top = (i + 1) * row;
    const shares = sharesOf(candidate, heads);
    const isChosen = candidate.id === chosen;
    const fill = candidate.cut ? muted : ink;
    const height = 0.6 * row / shares.length;
    marks.push({ text: names[i], x: 0, y: top + row / 2, mono: true, bold: isChosen, fill });
    shares.forEach(({ share, cut }, at) => {
      const y = top + 0.2 * row + at * height;
      marks.push({ rect: [left, y, BARS, height - 1], fill: ink, opacity: 0.08 },
        { text: cut ?? formatPercent(share), x: end(at), y: top + row / 2, anchor, fill });
      if (cut) return;
      const isAccent = at === 1 || (isChosen && shares.length === 1);
      marks.push({ rect: [left, y, Math.max(1, share * BARS), height - 1], fill: isAccent ? accent : muted });
    });
  });
  return { marks, width: end(heads.length - 1), height: (candidates.length + 1) * row };
}

/** The candidates as CSV, with the fields that all of them have. @param {readonly Candidate[]} candidates */
export function candidatesToCsv(candidates) {
  const { isStaged, heads: [first] } = probabilitiesOf(candidates);
  const number = (/** @type {number | undefined} */ x) => (x === undefined ? '' : Number(x.toPrecision(9)));
  const isCompared = first === 'Before';
  const lines = [`id,text,logprob${isStaged ? ',logit,scaled,cut,chance' : ''}${isCompared ? ',logprob_after' : ''}`];
  for (const { id, text, logprob, logit, scaled, cut, chance, after } of candidates) {
    const stages = isStaged ? `,${number(logit)},${number(scaled)},${cut ?? ''},${number(chance)}` : '';
    lines.push(`${id},${csvText(text)},${number(logprob)}${stages}${isCompared ? `,${number(after)}` : ''}`);
  }
  return csvLines(lines);
}
