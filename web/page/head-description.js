/** What a head does on this text, in one line. */
import { formatPercent } from '../draw/sentence.js';

const KINDS = /** @type {const} */ (['previous', 'first', 'self']);

/** A habit is worth a sentence from this mean share on: many times what an even spread would give. */
const NOTABLE = 0.25;

/** @type {Record<'previous' | 'first' | 'self', (percent: string) => string>} */
const SENTENCES = {
  previous: (percent) =>
    `looks mostly at the previous token (${percent} on average): see the line just below the diagonal.`,
  first: (percent) =>
    `rests ${percent} of its attention on the first token, an attention sink. Leave out that column to see the rest.`,
  self: (percent) => `looks mostly at the token itself (${percent} on average): see the diagonal.`,
};

/** The lesson that explains a habit: two heads set by hand, and why many heads rest on one token. */
const LESSON = { name: '04-heads', title: 'Lesson 4 builds such a head by hand' };

/**
 * One line that says what a head does on this text.
 * @param {number} layer
 * @param {number} head
 * @param {import('../draw/head-stats.js').Habit | null} habit
 * @returns {{ text: string, lesson: { name: string, title: string } | null }}
 */
export function describeHead(layer, head, habit) {
  const name = `Layer ${layer}, head ${head}`;
  if (!habit) return { text: `${name}: the text is still too short to see a habit.`, lesson: null };
  const [most] = [...KINDS].sort((a, b) => habit[b] - habit[a]);
  if (habit[most] < NOTABLE) {
    const hint = 'Long rows look far back; dark columns are tokens that many others look at.';
    return { text: `${name} has no single habit here. ${hint}`, lesson: null };
  }
  return { text: `${name} ${SENTENCES[most](formatPercent(habit[most]))}`, lesson: most === 'first' ? null : LESSON };
}
