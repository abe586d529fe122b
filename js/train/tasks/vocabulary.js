/** Vocabularies: symbols as ids, and padded batches of sequences. */
import { HeedError, quoted } from '../../errors.js';

/** Ids of the marks at the start of every vocabulary. */
export const PAD = 0;
export const BEGIN = 1;
export const END = 2;
const MARKS = ['<pad>', '<begin>', '<end>'];

/** @param {Iterable<string>} symbols @returns {string[]} symbols by id */
export const vocabulary = (symbols) => [...MARKS, ...[...new Set(symbols)].sort()];

/**
 * @param {string[]} symbols of a vocabulary
 * @param {string[]} text symbols; upper case is allowed if the vocabulary has the lower-case symbol
 * @returns {number[]}
 * @throws {HeedError} 'bad-argument' for a symbol outside the vocabulary
 */
export function idsOf(symbols, text) {
  return text.map((symbol) => {
    for (const written of [symbol, symbol.toLowerCase()]) {
      const id = symbols.indexOf(written);
      if (id > END) return id;
    }
    throw new HeedError('bad-argument', `This model has never seen ${quoted(symbol)}; it knows ` +
      `${symbols.slice(MARKS.length).map((known) => quoted(known)).join(' ')}.`);
  });
}

/**
 * Sequences of different lengths, padded to one length.
 * @typedef {object} Padded
 * @property {Int32Array} ids  [batch][time], padded with PAD
 * @property {Int32Array} lengths  [batch]
 * @property {{ batch: number, time: number }} shape
 */

/** @param {number[][]} sequences @returns {Padded} */
export function padded(sequences) {
  const lengths = Int32Array.from(sequences, (ids) => ids.length);
  const time = Math.max(...lengths);
  const ids = new Int32Array(sequences.length * time).fill(PAD);
  sequences.forEach((sequence, i) => ids.set(sequence, i * time));
  return { ids, lengths, shape: { batch: sequences.length, time } };
}

/**
 * Batch with teacher forcing (Williams and Zipser 1989): the input is the target, shifted by one symbol.
 * @typedef {{ source: Padded, input: Padded, wanted: Padded }} TranslationBatch
 */

/** @param {{ source: number[], target: number[] }[]} pairs @returns {TranslationBatch} */
export const translationBatch = (pairs) => ({
  source: padded(pairs.map(({ source }) => source)),
  input: padded(pairs.map(({ target }) => [BEGIN, ...target])),
  wanted: padded(pairs.map(({ target }) => [...target, END])),
});
