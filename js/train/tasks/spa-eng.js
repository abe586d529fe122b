/** English → Spanish: short sentences of Tatoeba (tatoeba.org, CC-BY 2.0 FR) as manythings.org/anki pairs them. */
import { unzip } from '../zip.js';
import { UNKNOWN, UNITS } from './units.js';
import { translationBatch, vocabulary } from './vocabulary.js';

/**
 * @typedef {{ source: string[], target: string[] }} Words
 * @typedef {{ source: number[], target: number[] }} Ids
 *
 * @typedef {object} SpaEng
 * @property {string[]} source  vocabulary of English
 * @property {string[]} target  of Spanish
 * @property {Ids[]} pairs      to learn from
 * @property {Ids[]} heldOut    whose English is not among them
 */

/** @type {import('../trainer.js').FileNeeded} */
export const ARCHIVE = {
  name: 'spa-eng.zip',
  what: 'English–Spanish sentence pairs',
  from: 'https://www.manythings.org/anki/ (Tatoeba, CC-BY 2.0 FR)',
};

/** Words of a sentence, signs among them: what a small model can learn in an hour. */
export const LONGEST = { source: 7, target: 8 };
/** English sentences held out: one in fifty. */
const HELD_OUT = 50;

/** Pairs of one batch of validation. */
const VALIDATION_BATCH = 64;
/** Words of the vocabularies, marks and all, that the translators share. */
export const VOCABULARY = { source: 2000, target: 3000 };

/** FNV-1a over UTF-16. @param {string} text */
function hash(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return Math.imul(h ^ (h >>> 15), 0x2c1b3c6d) >>> 0;
}

/** Whether an English sentence, with all its translations, is kept from training. @param {string[]} source words */
export const isHeldOut = (source) => hash(source.join(' ')) % HELD_OUT === 0;

/**
 * Pairs of lines `English TAB Spanish`, short ones only, each once.
 * @param {string} text @returns {Words[]}
 */
export function readPairs(text) {
  const seen = new Set();
  return text.split('\n').flatMap((line) => {
    const [english, spanish] = line.split('\t');
    if (!english || !spanish) return [];
    const [source, target] = [english, spanish].map((sentence) => UNITS.words.split(sentence));
    const key = `${source.join(' ')}\t${target.join(' ')}`;
    if (source.length > LONGEST.source || target.length > LONGEST.target || seen.has(key)) return [];
    seen.add(key);
    return [{ source, target }];
  });
}

/** The most frequent words, ties by alphabet, and what stands for the others. @param {string[][]} sentences
 *  @param {number} size of the vocabulary, marks and all */
export function frequentWords(sentences, size) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const word of sentences.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([word]) => word);
  return vocabulary([UNKNOWN, ...words.slice(0, size - vocabulary([UNKNOWN]).length)]);
}

/**
 * The whole task from the archive.  Vocabularies are those of the training part; English words that they lack become
 * <unk>, and pairs with such a word in Spanish are left out: nobody should learn to write <unk>.
 * @param {Uint8Array} archive @param {{ source: number, target: number }} [sizes] of the vocabularies
 * @returns {Promise<SpaEng>}
 * @throws {HeedError} 'bad-file'
 */
export async function spaEng(archive, sizes = VOCABULARY) {
  const all = readPairs(new TextDecoder().decode(await unzip(archive, 'spa-eng/spa.txt')));
  const training = all.filter(({ source }) => !isHeldOut(source));
  const source = frequentWords(training.map((pair) => pair.source), sizes.source);
  const target = frequentWords(training.map((pair) => pair.target), sizes.target);
  const [english, spanish] = [source, target].map((words) => new Map(words.map((word, id) => [word, id])));
  const unknown = /** @type {number} */ (english.get(UNKNOWN));
  const toIds = (/** @type {Words[]} */ pairs) => pairs
    .filter((pair) => pair.target.every((word) => spanish.has(word)))
    .map((pair) => ({
      source: pair.source.map((word) => english.get(word) ?? unknown),
      target: pair.target.map((word) => spanish.get(word) ?? unknown),
    }));
  return { source, target, pairs: toIds(training), heldOut: toIds(all.filter(({ source: s }) => isHeldOut(s))) };
}

/**
 * Pairs drawn with replacement.
 * @param {SpaEng} data @param {() => number} random in [0, 1) @param {number} count
 * @returns {import('./vocabulary.js').TranslationBatch}
 */
export const drawBatch = ({ pairs }, random, count) => translationBatch(Array.from({ length: count }, () =>
  pairs[Math.floor(random() * pairs.length)]));

/**
 * The mean of -log p over the words of the held-out Spanish, ends and signs among them.
 * @param {SpaEng} data @param {(batch: import('./vocabulary.js').TranslationBatch) => number} loss of a batch, the mean
 *   over what is not padding
 * @returns {Generator<void, number, void>}
 */
export function* heldOutLoss({ heldOut }, loss) {
  let [sum, words] = [0, 0];
  for (let at = 0; at < heldOut.length; at += VALIDATION_BATCH) {
    const batch = translationBatch(heldOut.slice(at, at + VALIDATION_BATCH));
    const count = batch.wanted.lengths.reduce((a, b) => a + b, 0);
    sum += count * loss(batch);
    words += count;
    yield;
  }
  return sum / words;
}
