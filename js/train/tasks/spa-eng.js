/** English to Spanish: short sentence pairs of Tatoeba (tatoeba.org, CC-BY 2.0 FR), by manythings.org/anki. */
import { unzip } from '../../files/zip.js';
import { hash } from './hash.js';
import { UNKNOWN, UNITS } from './units.js';
import { translationBatch, vocabulary } from './vocabulary.js';

/**
 * @typedef {{ source: string[], target: string[] }} Words
 * @typedef {{ source: number[], target: number[] }} Ids
 *
 * @typedef {object} SpaEng
 * @property {string[]} source  English vocabulary
 * @property {string[]} target  Spanish vocabulary
 * @property {Ids[]} pairs      training pairs
 * @property {Ids[]} heldOut    pairs whose English sentence is not in training
 */

/** @type {import('../trainer.js').FileNeeded} */
export const ARCHIVE = {
  name: 'spa-eng.zip',
  what: 'English–Spanish sentence pairs',
  from: 'https://www.manythings.org/anki/ (Tatoeba, CC-BY 2.0 FR)',
};

/** Longest sentences in words and punctuation marks: the difficulty that a small model learns in an hour. */
export const LONGEST = { source: 7, target: 8 };
/** One in this many English sentences is held out. */
const HELD_OUT = 50;

/** Batch size of the validation. */
const VALIDATION_BATCH = 64;
/** Sizes of the translators' vocabularies, including marks. */
const VOCABULARY = { source: 2000, target: 3000 };

/** Whether an English sentence, with all its translations, is held out. @param {string[]} source words */
export const isHeldOut = (source) => hash(source.join(' ')) % HELD_OUT === 0;

/**
 * Reads lines `English TAB Spanish`. Keeps short pairs, each once.
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

/** The most frequent words, ties in alphabetical order, and <unk>. @param {string[][]} sentences
 *  @param {number} size of the vocabulary, including marks */
export function frequentWords(sentences, size) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const word of sentences.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([word]) => word);
  return vocabulary([UNKNOWN, ...words.slice(0, size - vocabulary([UNKNOWN]).length)]);
}

/**
 * Reads the task from the archive. The vocabularies come from the training part. English words outside the vocabulary
 * become <unk>. Pairs with a Spanish word outside it are dropped, so that no model learns to write <unk>.
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
 * Held-out English sentences, each with all of its Spanish translations.
 * @param {Uint8Array} archive
 * @returns {Promise<{ source: string[], references: string[][] }[]>}
 * @throws {HeedError} 'bad-file'
 */
export async function heldOutSentences(archive) {
  /** @type {Map<string, { source: string[], references: string[][] }>} */
  const found = new Map();
  for (const { source, target } of readPairs(new TextDecoder().decode(await unzip(archive, 'spa-eng/spa.txt')))) {
    if (!isHeldOut(source)) continue;
    const key = source.join(' ');
    const sentence = found.get(key) ?? { source, references: [] };
    sentence.references.push(target);
    found.set(key, sentence);
  }
  return [...found.values()];
}

/**
 * Draws a batch of pairs with replacement.
 * @param {SpaEng} data @param {() => number} random in [0, 1) @param {number} count
 * @returns {import('./vocabulary.js').TranslationBatch}
 */
export const drawBatch = ({ pairs }, random, count) => translationBatch(Array.from({ length: count }, () =>
  pairs[Math.floor(random() * pairs.length)]));

/**
 * Mean loss in nats per word of the held-out Spanish sentences, including end marks and punctuation.
 * @param {SpaEng} data @param {(batch: import('./vocabulary.js').TranslationBatch) => number} loss  mean
 *   loss of a batch over symbols that are not padding
 * @returns {Generator<void, number, void>}
 */
export function* heldOutLoss({ heldOut }, loss) {
  let sum = 0;
  let words = 0;
  for (let at = 0; at < heldOut.length; at += VALIDATION_BATCH) {
    const batch = translationBatch(heldOut.slice(at, at + VALIDATION_BATCH));
    const count = batch.wanted.lengths.reduce((a, b) => a + b, 0);
    sum += count * loss(batch);
    words += count;
    yield;
  }
  return sum / words;
}
