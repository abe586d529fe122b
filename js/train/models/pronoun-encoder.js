/**
 * A bidirectional encoder that names the noun of a pronoun.  Words become √d·E[word] + PE.  The blocks have norms
 * before each layer.  A norm and a linear layer turn the vector of the pronoun into logits of nouns.
 */
import { HeedError, quoted } from '../../errors.js';
import { under } from '../../lab/index.js';
import { PRONOUN } from '../tasks/pronouns.js';
import { padded } from '../tasks/vocabulary.js';
import { Attended } from './attended.js';
import { spelling, wordsOf } from './words.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('../tasks/vocabulary.js').Padded} Padded
 *
 * @typedef {object} PronounConfig
 * @property {'pronoun-encoder'} model
 * @property {string[]} words   vocabulary: a word for each id; id 0 pads
 * @property {string[]} nouns   possible answers
 * @property {number} width     width of the model, d
 * @property {number} heads
 * @property {number} hidden    number of hidden units of the feed-forward networks
 * @property {number} blocks
 *
 * @typedef {{ texts: Padded, at: number[] }} PronounBatch  ids, and the position of the pronoun in each text
 */

/** Words of the longest text. */
const LONGEST_TEXT = 32;

/** Initial weights. @param {Lab} lab @param {PronounConfig} config @returns {Weights} */
export function pronounWeights({ init }, { words, nouns, width, hidden, blocks }) {
  return {
    ...init.embedding('words.', words.length, width, { deviation: width ** -0.5 }),
    ...Object.assign({}, ...Array.from({ length: blocks }, (_, i) => init.encoderBlock(`blocks.${i}.`, width, hidden))),
    ...init.layerNorm('norm.', width),
    ...init.linear('head.', width, nouns.length),
  };
}

/** @param {PronounConfig} config @param {string[][]} texts words of each text @returns {PronounBatch} */
export const pronounBatch = ({ words }, texts) => ({
  texts: padded(texts.map((text) => text.map((word) => words.indexOf(word)))),
  at: texts.map((text) => text.indexOf(PRONOUN)),
});

/**
 * The model: encoder, and the answer at the pronoun.
 * @param {Lab} lab @param {Weights} w @param {PronounConfig} config @param {PronounBatch} batch
 * @param {{ mask?: Tensor | null, causal?: boolean }} [options] mask, causal: of every block
 * @returns {{ logits: Tensor, maps: { pattern: Tensor, scores: Tensor }[] }} logits [batch][noun]; maps by block,
 *   [batch][head][query][key]
 */
export function pronounEncoder(lab, w, { width, heads, blocks }, { texts, at }, { mask = null, causal = false } = {}) {
  const { ids, lengths, shape } = texts;
  const looked = lab.scale(lab.embedding(w['words.weight'], ids, shape), Math.sqrt(width));
  let x = lab.add(looked, lab.sinusoidal({ time: shape.time, feature: width }));
  const maps = [];
  for (let i = 0; i < blocks; i++) {
    const block = lab.encoderBlock(x, under(w, `blocks.${i}.`), { heads, norm: 'pre', lengths, mask, causal });
    x = block.output;
    maps.push(block);
  }
  const asked = lab.gather(x, at.map((position, i) => i * shape.time + position), { batch: shape.batch });
  const answer = lab.layerNorm(asked, w['norm.weight'], w['norm.bias']);
  return { logits: lab.linear(answer, w['head.weight'], w['head.bias']), maps };
}

/** The nouns that the pronoun of a text may stand for, with the attention maps of the encoder. */
export class Resolution extends Attended {
  /** @param {{ words: string[], at: number, nouns: { noun: string, probability: number }[] }} result
   *  @param {ConstructorParameters<typeof Attended>} maps @internal */
  constructor({ words, at, nouns }, ...maps) {
    super(...maps);
    /** Words of the text. */
    this.words = words;
    /** Position of the pronoun. */
    this.at = at;
    /** All nouns of the model with their probabilities, the most probable first. */
    this.nouns = nouns;
  }
}

/**
 * Names the noun of the first “it” of a text.
 * @param {Lab} lab @param {{ weights: Weights, config: PronounConfig }} model @param {string} text
 * @param {{ causal?: boolean, cut?: (from: number, to: number) => boolean }} [options]  causal: whether a word sees
 *   only earlier words and itself; cut: whether the word at `from` must not attend to the word at `to`
 * @returns {Resolution}
 * @throws {HeedError} 'bad-argument' for a text without “it”, with an unknown word, or with too many words
 */
export function resolvePronoun(lab, { weights, config }, text, { causal = false, cut = () => false } = {}) {
  const words = wordsOf(text).map(spelling).filter((word) => /\p{L}/u.test(word))
    .map((word) => (word === "n't" ? 'not' : word));
  const unknown = words.find((word) => !config.words.includes(word));
  if (unknown !== undefined) {
    throw new HeedError('bad-argument', `This model does not know ${quoted(unknown)}. Use words of the list below.`);
  }
  if (!words.includes(PRONOUN)) throw new HeedError('bad-argument', 'The sentence needs the word “it”.');
  if (words.length > LONGEST_TEXT) {
    throw new HeedError('bad-argument', `The sentence has ${words.length} words; the maximum is ${LONGEST_TEXT}.`);
  }
  return lab.evaluate(() => {
    const batch = pronounBatch(config, [words]);
    const edges = words.flatMap((_, from) => words.map((__, to) => cut(from, to)));
    const mask = lab.tensor(edges.map((isCut) => (isCut ? -Infinity : 0)), { query: words.length, key: words.length });
    const { logits, maps } = pronounEncoder(lab, weights, config, batch, { mask, causal });
    const probabilities = lab.softmax(logits).data;
    const nouns = config.nouns.map((noun, i) => ({ noun, probability: probabilities[i] }))
      .sort((a, b) => b.probability - a.probability);
    return new Resolution({ words, at: batch.at[0], nouns }, { 'blocks.attn': { layers: maps, keys: words, causal } },
      0);
  });
}
