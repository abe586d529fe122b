// The rules for prose: length of sentences, phrases that hide the noun, American spelling.
import { sentences } from './prose.js';

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

// Stems whose verbs end in -ise and their relatives in British spelling.
const ISE = `
  actual apolog author binar canonical capital categor central character critic(?!ism) custom
  dec(?:entral) digit discret emphas equal factor final form(?:al) general harmon ideal initial
  ital(?:ic) item legal linear local material maxim memor minim modern modular neutral normal optim
  organ orthogonal parallel parameter penal person(?:al) polar popular priorit public quant random
  raster real recogn regular rational sanit serial special stabil standard steril summar symbol
  symmetr synchron system(?:at) token util vector visual vocal
`;
const STEMS = new RegExp(
  `^(?:de|un|re|pre|dis|non|over|under)?(?:${ISE.trim().split(/\s+/).join('|')})` +
    'is(?:e|ed|er|ers|es|ing|able|ation|ations|ational)$',
);
const WORDS = new RegExp(
  `^(?:${[
    '(?:un|dis|mis|re|bi|multi|tri)?colour(?:s|ed|ing|ful|less|map|maps|ation)?',
    '(?:un|dis)?favour(?:s|ed|ing|able|ite|ites)?',
    '(?:mis)?behaviour(?:s|al)?',
    'neighbour(?:s|ed|ing|hood|hoods)?',
    '(?:dis)?honour(?:s|ed|ing|able)?',
    'labour(?:s|ed|ing)?',
    '(?:flav|hum|rum|vap|arm|harb|endeav|val|vig|rig|sav|od|parl|glam|tum)our(?:s|ed|ing)?',
    '(?:re|de|epi)?centre(?:s|d|piece)?|centring',
    '(?:milli|centi|kilo|nano|micro)?(?:metre|litre)s?|fibres?|theatres?|calibre|sombre|spectre|lustre|meagre',
    'licence(?:s|d)?|defence(?:s|less)?|offences?|pretence',
    'practis(?:e|ed|es|ing)',
    '(?:para|cata|ana)lys(?:e|ed|er|ers|ing)',
    'grey(?:s|ed|ing|ish|er|scale)?',
    '(?:un|re|mis)?(?:model|label|cancel|signal|level|total|channel|equal|tunnel|fuel|marshal|travel|panel|initial)' +
      'l(?:ed|ing|er|ers)',
    '(?:cata|ana)logue(?:s|d)?|programmes?',
    '(?:mis)?judgement(?:s|al)?|acknowledgements?',
    '(?:un)?(?:learnt|spelt|burnt|dreamt|spoilt)|whilst|amongst',
    'artefacts?|ageing|cheques?|tyres?|aluminium|moulds?|ploughs?|sceptic(?:s|al|ism)?|manoeuvres?',
    'fulfils?|fulfilment|enrols?|enrolment|instals?|instalments?|skilful(?:ly)?|wilful(?:ly)?',
    'maths|enquir(?:y|ies|e|ed|es|ing)|encyclopaedia|jewellery|woollen|storeys?|mum(?:s|my)?|pyjamas',
  ].join('|')})$`,
);

/** Foreign names that keep their spelling. */
const FOREIGN = new Set(['OpenColor']);

/** American spelling of a British word, for the message. */
const american = (word) =>
  word
    .replace(/our/i, 'or')
    .replace(/^mould/i, 'mold')
    .replace(/^(mis)?spelt$/i, '$1spelled')
    .replace(/is(e|ed|er|ers|es|ing|able|ation|ations|ational)$/i, 'iz$1')
    .replace(/lys(e|ed|er|ers|ing)$/i, 'lyz$1')
    .replace(/^(re|de|epi)?centre/i, '$1center')
    .replace(/centerd$/i, 'centered')
    .replace(/centring/i, 'centering')
    .replace(/(met|lit)re(s?)$/i, '$1er$2')
    .replace(/(licen|defen|offen|preten)ce/i, '$1se')
    .replace(/practis/i, 'practic')
    .replace(/grey/i, 'gray')
    .replace(/ll(ed|ing|er|ers)$/i, 'l$1')
    .replace(/judgement/i, 'judgment')
    .replace(/logue/i, 'log')
    .replace(/^(un)?(learn|spell|spel|burn|dream|spoil)t$/i, '$1$2ed')
    .replace(/artefact/i, 'artifact')
    .replace(/^maths$/i, 'math');

/** Parts of an identifier: quantiseBlock → quantise, Block. */
const parts = (word) => word.split(/_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|\d+/).filter(Boolean);

/** @returns {Generator<Finding>} */
function* spelling(text) {
  for (const [i, line] of text.split('\n').entries()) {
    for (const [word] of line.matchAll(/[A-Za-z][A-Za-z0-9_]{3,}/g)) {
      for (const part of FOREIGN.has(word) ? [] : parts(word)) {
        const low = part.toLowerCase();
        if (!STEMS.test(low) && !WORDS.test(low)) continue;
        yield { line: i + 1, rule: `spelling: ${american(low)}`, text: line.trim().slice(0, 160), warning: false };
      }
    }
  }
}

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

/**
 * Findings in a file. A line that holds `words: allow`, and the line after it, are not checked.
 * @param {string} path its extension says the language
 * @param {string} text
 * @returns {Finding[]} by line
 */
export function check(path, text) {
  const lines = text.split('\n');
  const allowed = (line) => [line - 1, line - 2].some((i) => /words: allow/.test(lines[i] ?? ''));
  return [...prose(path, text), ...spelling(text)].filter(({ line }) => !allowed(line)).sort((a, b) => a.line - b.line);
}
