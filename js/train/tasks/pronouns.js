/** Sentences whose “it” is one of two nouns, made from frames: the last word decides which. */
import { hash } from './hash.js';

/**
 * @typedef {object} Frame
 * @property {string[]} first    nouns of the first role, A
 * @property {string[]} second   nouns of the second role, B
 * @property {string[]} texts    texts with A, B, and X for the last word
 * @property {string[]} ofFirst  last words that speak of A
 * @property {string[]} ofSecond last words that speak of B
 *
 * @typedef {{ text: string, noun: string }} Example  a sentence, and the noun that its “it” stands for
 */

export const PRONOUN = 'it';

const ANIMALS = ['animal', 'cat', 'dog', 'mouse', 'horse', 'rabbit', 'bear', 'fox', 'cow'];
const FOODS = ['apple', 'cake', 'bread', 'carrot', 'cheese', 'pear', 'fish', 'soup'];

/** @type {Frame[]} */
const FRAMES = [
  {
    first: ANIMALS,
    second: FOODS,
    texts: ['the A ate the B because it was X', 'the A wanted the B because it was so X',
      'the B was eaten by the A because it was X'],
    ofFirst: ['hungry', 'starving', 'greedy', 'thin'],
    ofSecond: ['sweet', 'fresh', 'tasty', 'delicious'],
  },
  {
    first: ANIMALS,
    second: ['street', 'river', 'road', 'bridge', 'field'],
    texts: ['the A did not cross the B because it was too X', 'the A stopped at the B because it was X'],
    ofFirst: ['tired', 'weak', 'slow', 'scared'],
    ofSecond: ['wide', 'deep', 'busy', 'long'],
  },
  {
    first: ['ball', 'book', 'lamp', 'chair', 'trophy'],
    second: ['box', 'bag', 'suitcase', 'drawer', 'basket'],
    texts: ['the A did not fit into the B because it was too X', 'the B could not hold the A because it was too X'],
    ofFirst: ['large', 'big', 'tall', 'thick'],
    ofSecond: ['small', 'narrow', 'tiny', 'short'],
  },
  {
    first: ANIMALS,
    second: ['sofa', 'bed', 'rug', 'pillow', 'cushion'],
    texts: ['the A slept on the B because it was X', 'the A chose the B because it was so X'],
    ofFirst: ['tired', 'sleepy', 'lazy', 'ill'],
    ofSecond: ['soft', 'warm', 'cozy', 'comfortable'],
  },
  {
    first: ANIMALS,
    second: ['fire', 'storm', 'truck', 'machine', 'train'],
    texts: ['the A ran away from the B because it was X', 'the B chased away the A because it was so X'],
    ofFirst: ['scared', 'shy', 'afraid', 'weak'],
    ofSecond: ['loud', 'dangerous', 'noisy', 'fast'],
  },
];

/** Nouns, and all words, sorted. */
export const NOUNS = [...new Set(FRAMES.flatMap(({ first, second }) => [...first, ...second]))].sort();
export const WORDS = [...new Set(FRAMES.flatMap(({ texts, ofFirst, ofSecond }) =>
  [...texts.flatMap((text) => text.split(' ').filter((word) => !/^[ABX]$/.test(word))), ...ofFirst, ...ofSecond])
  .concat(NOUNS))].sort();

/** Whether two nouns and a last word are held out together, in all frames: one triple in ten.
 *  @param {string} first @param {string} second @param {string} last */
const isHeldOut = (first, second, last) => hash(`${first} ${second} ${last}`) % 10 === 0;

/** @template T @param {() => number} random @param {T[]} list @returns {T} */
const one = (random, list) => list[Math.floor(random() * list.length)];

/**
 * Draws two sentences that differ in their last word alone, and in the noun that “it” stands for.
 * @param {() => number} random in [0, 1)
 * @param {boolean} heldOut whether to draw held-out triples
 * @returns {[Example, Example]} of A and of B
 */
export function twins(random, heldOut) {
  for (;;) {
    const { first, second, texts, ofFirst, ofSecond } = one(random, FRAMES);
    const a = one(random, first);
    const b = one(random, second);
    const text = one(random, texts);
    const x = one(random, ofFirst);
    const y = one(random, ofSecond);
    if ([x, y].some((last) => isHeldOut(a, b, last) !== heldOut)) continue;
    const start = text.replace('A', a).replace('B', b);
    return [{ text: start.replace('X', x), noun: a }, { text: start.replace('X', y), noun: b }];
  }
}
