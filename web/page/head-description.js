/** Describes the open head in one line. */
import { formatPercent } from '../draw/sentence.js';

const KINDS = /** @type {const} */ (['previous', 'next', 'first', 'last', 'self']);

/** Least score that is described: many times the score of uniform attention. */
const NOTABLE = 0.25;

/** @type {Record<typeof KINDS[number], (percent: string) => string>} */
const SENTENCES = {
  previous: (percent) =>
    `attends mostly to the previous token (${percent} on average): see the line just below the diagonal.`,
  first: (percent) =>
    `gives ${percent} of its attention to the first token (an attention sink). Leave out that column to see the rest.`,
  next: (percent) => `attends mostly to the next token (${percent} on average): see the line just above the diagonal.`,
  last: (percent) => `gives ${percent} of its attention to the last token, which separates texts: see the last column.`,
  self: (percent) => `attends mostly to the token itself (${percent} on average): see the diagonal.`,
};

const BY_HAND = { name: '04-heads', title: 'Lesson 4 builds such a head by hand' };
/**
 * Lessons that explain a kind of head.
 * @type {Partial<Record<typeof KINDS[number], { name: string, title: string }>>}
 */
const LESSONS = { previous: BY_HAND, self: BY_HAND,
  first: { name: '14-find-out-why', title: 'Lesson 14 explains attention sinks' } };

/**
 * @param {number} layer
 * @param {number} head
 * @param {import('../draw/head-stats.js').HeadScores | null} scores null if the text is too short
 * @param {boolean} [isCausal] whether each token attends only to tokens before it; default true
 * @returns {{ text: string, lesson: { name: string, title: string } | null }}
 */
export function describeHead(layer, head, scores, isCausal = true) {
  const name = `Layer ${layer}, head ${head}`;
  if (!scores) return { text: `${name}: the text is too short to classify this head.`, lesson: null };
  const share = (/** @type {typeof KINDS[number]} */ kind) => scores[kind] ?? 0;
  const [most] = [...KINDS].sort((a, b) => share(b) - share(a));
  if (share(most) < NOTABLE) {
    const rows = isCausal ? 'Long rows attend far back. ' : '';
    return { text: `${name} has no dominant pattern here. ${rows}Dark columns are tokens that many others attend to.`,
      lesson: null };
  }
  return { text: `${name} ${SENTENCES[most](formatPercent(share(most)))}`, lesson: LESSONS[most] ?? null };
}
