/** Symbols of a language as ids, and batches of sequences of them. */
import { HeedError, quoted } from '../../errors.js';

/** What every vocabulary begins with. */
export const [PAD, BEGIN, END] = [0, 1, 2];
const MARKS = ['<pad>', '<begin>', '<end>'];

/** @param {Iterable<string>} symbols @returns {string[]} a symbol for each id */
export const vocabulary = (symbols) => [...MARKS, ...[...new Set(symbols)].sort()];

/**
 * @param {string[]} symbols of a vocabulary
 * @param {string[]} text symbol by symbol; what the vocabulary has in lower case only may be upper case
 * @returns {number[]}
 * @throws {HeedError} 'bad-argument' with the symbol that the vocabulary does not have
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
 * Sequences of different lengths as a matrix.
 * @typedef {object} Padded
 * @property {Int32Array} ids  [batch][time], PAD after the end
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
 * What a translator learns from: at each place of the target, the symbol before it goes in and that symbol is wanted
 * (teacher forcing; Williams and Zipser 1989).
 * @typedef {{ source: Padded, input: Padded, wanted: Padded }} TranslationBatch
 */

/** @param {{ source: number[], target: number[] }[]} pairs @returns {TranslationBatch} */
export const translationBatch = (pairs) => ({
  source: padded(pairs.map(({ source }) => source)),
  input: padded(pairs.map(({ target }) => [BEGIN, ...target])),
  wanted: padded(pairs.map(({ target }) => [...target, END])),
});
