// The rules for prose: length of sentences, phrases that hide the noun, American spelling.
import { sentences } from './prose.js';
import { spelling } from './spelling.js';

export const LONGEST = 25;
export const LONG = 20;

/** @typedef {{ line: number, rule: string, text: string, warning: boolean }} Finding */

const BE = '(?:is|are|was|were)';
const PEOPLE = `(?:${[
  'people|persons?|readers?|users?|students?|teachers?|authors?|engineers?|developers?|researchers?|contributors?',
  'visitors?|learners?|programmers?|maintainers?|everyone|anyone|someone|somebody|anybody|girls?|boys?|man|men',
  'woman|women|child|children|friends?|king|kings',
].join('|')})`;

/** Phrases that take the place of a noun, and constructions that slow a reader: [pattern, advice]. */
const PHRASES = [
  [`(?<!\\b${PEOPLE},? )(?<!\\b${PEOPLE} \\S+ )\\b(?:who|whom|whoever)\\b`, 'name the thread, function or person'],
  ['\\bnobody\\b', 'name who does not, or say it in the passive'],
  ['\\bthose (?:of|that|who|which|whose)\\b', 'repeat the noun'],
  [`\\b(?:what|that|whatever) there ${BE}\\b`, 'use the noun'],
  ['\\bso (?:many|much)\\b', 'give the number or the noun'],
  [
    `\\b(?:${BE}|has|have|had|be|with|makes?|takes?|needs?|gives?|finds?|knows?|gets?) none\\b(?! of\\b)`,
    'use a noun with “no” or “without”',
  ],
  [`\\bnone (?:${BE}|has|have|had|can|may|must|takes?|needs?|gives?)\\b`, 'use a noun'],
  [
    `(?<!\\bthere )\\b${BE} (?:itself )?no\\b` +
      '(?! (?:longer|more|less|later|earlier|greater|larger|smaller|fewer|better|worse|op|-))',
    'say “is not …”',
  ],
  [
    '\\b(?:were (?:it|they|there|he)|had (?:it|they|there) (?:been|not)|be (?:it|they)|as it were)\\b',
    'use if, or the indicative',
  ],
  ['\\bbut for\\b', 'say except'],
  ['(?:,|:|;) for (?:it|they|he|she|we|what|nothing|nobody|none|no|there)\\b', 'say because'],
  [
    ', for (?!example|instance|each of|which|whom|whose|use|now)(?:[\\w◦-]+ ){1,4}' +
      '(?:is|are|was|were|has|have|had|would|can|cannot|could|must|does|do|did|will' +
      '|takes?|needs?|gives?|makes?|holds?|keeps?|comes?|goes)\\b(?! (?:use|which))',
    'say because',
  ],
  [
    '\\b(?:of|from|than|with|by|in|on|at|into|after|before|without|beside|behind|past|over|besides|beyond) what\\b',
    'use the noun',
  ],
  ['\\bwhat (?:is|are) (?:left|more|there|not|no|to)\\b', 'use the noun'],
  [
    '\\b(?:whence|thence|thereof|whereof|wherein|therein|lest|ere|aught|nought|naught|hither|thither|hath|doth' +
      '|of (?:its|their) own accord)\\b',
    'use an ordinary word',
  ],
  ['\\b(?:that|which) (?:it|they) (?:is|are) not\\b', 'use the noun'],
  ['\\b(?:goes|go|going|went) on\\b(?! (?:the|a|an|to|one|each|every)\\b)', 'say continue'],
  ['\\b(?:is|are|was|were|be|unless) told\\b(?! apart)', 'name the message, or say default'],
  ['\\basked for\\b|\\b(?:is|are|was|were) asked\\b', 'say requested or tested'],
  ['\\bwhatever\\b', 'say for every …, or independent of …'],
  ['\\banew\\b', 'say again, or new'],
  ['\\bfall(?:s|en)? short\\b', 'say misses'],
  ['\\bknows? neither\\b', 'say has no …, or does not use …'],
  ['\\bthe one (?:before|after) (?:it|them)\\b', 'say previous or next'],
  ['\\b(?:is|are) gone\\b', 'say removed, hidden or closed'],
].map(([pattern, advice]) => ({ pattern: new RegExp(pattern, 'i'), advice, warning: false }));

/** Phrases that are often, but not always, in the place of a noun: warnings. */
const SUSPECTS = [
  ['\\bwhat\\b', 'perhaps use the noun'],
  ['\\bnone\\b', 'perhaps use a noun'],
  ['\\b(?:ones|one that|one which)\\b', 'perhaps repeat the noun'],
  [`\\b${BE} to be\\b`, 'perhaps say must, or who does it'],
  [`\\bthere ${BE} no\\b`, 'perhaps say “without” or “has no”'],
  ['\\b(?:nothing|everything|all|anything) that\\b', 'perhaps use the noun'],
  ['\\bits own\\b|\\btheir own\\b', 'perhaps drop “own”'],
].map(([pattern, advice]) => ({ pattern: new RegExp(pattern, 'i'), advice, warning: true }));

const OPENINGS = /^[◦"“(]*(What|Who|Whoever|Whatever|Whose|That which|Those)\b/;

/** Words of a sentence: anything with a letter or digit, and each placeholder. */
const count = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}◦]/u.test(word)).length;

/** @returns {Generator<Finding>} */
function* prose(path, text) {
  for (const { text: sentence, line, heading } of sentences(path, text)) {
    const found = (rule, warning = false) => ({ line, rule, text: sentence.replaceAll('◦', '…'), warning });
    const length = count(sentence);
    if (length > LONGEST) yield found(`${length} words`);
    else if (length > LONG) yield found(`${length} words`, true);
    const question = sentence.endsWith('?') || heading;
    const opening = question ? null : OPENINGS.exec(sentence);
    if (opening) yield found(`starts with “${opening[1]}”: use the noun`);
    for (const { pattern, advice, warning } of [...PHRASES, ...SUSPECTS]) {
      const match = pattern.exec(sentence);
      if (!match || (question && /^wh/i.test(match[0]))) continue;
      yield found(`“${match[0].replaceAll('◦', '…')}”: ${advice}`, warning);
    }
  }
}

/** @returns {Generator<Finding>} */
function* britishWords(text) {
  for (const [i, line] of text.split('\n').entries()) {
    for (const word of spelling(line)) {
      yield { line: i + 1, rule: `spelling: ${word}`, text: line.trim().slice(0, 160), warning: false };
    }
  }
}

/**
 * Findings in a file. A line that holds `words: allow`, and the line after it, are not checked.
 * @param {string} path its extension says the language
 * @param {string} text
 * @returns {Finding[]} by line
 */
export function check(path, text) {
  const lines = text.split('\n');
  const allowed = (line) => [line - 1, line - 2].some((i) => /words: allow/.test(lines[i] ?? ''));
  const found = [...prose(path, text), ...britishWords(text)].filter(({ line }) => !allowed(line));
  return found.sort((a, b) => a.line - b.line);
}
