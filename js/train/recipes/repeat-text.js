/** Common part of the recipes that repeat a text: the same task for models with and without attention. */
import { randomFrom, schedules } from '../../lab/index.js';
import * as rnn from '../models/rnn-seq2seq.js';
import * as transformer from '../models/transformer-seq2seq.js';
import { LONGEST_TRAINED, SYMBOLS, randomText, symbolsRight } from '../tasks/repeat.js';
import { idsOf, translationBatch, vocabulary } from '../tasks/vocabulary.js';

/**
 * @typedef {import('../models/rnn-seq2seq.js').RnnConfig} RnnConfig
 * @typedef {import('../models/transformer-seq2seq.js').TransformerConfig} TransformerConfig
 * @typedef {'source' | 'target' | 'longest'} OfTask
 * @typedef {Omit<RnnConfig, OfTask> | Omit<TransformerConfig, OfTask>} Sizes
 * @typedef {import('../tasks/vocabulary.js').TranslationBatch} TranslationBatch
 */

const BATCH = 64;
const WARMUP = 50;
/** Texts grow from this length to the longest in the first part of the training. */
const FIRST_LONGEST = 4;
const GROWING = 0.4;
/** Held-out texts of the validation, for each length. */
const HELD_OUT = 16;
const HELD_OUT_SEED = 5;
const LENGTHS = Array.from({ length: LONGEST_TRAINED - 3 }, (_, i) => i + 4);
/** Symbols of the longest text that a model writes. */
const LONGEST_WRITTEN = 40;

const SYMBOLS_BY_ID = vocabulary(SYMBOLS);

/** @type {Record<Sizes['model'], { weights: Function, loss: Function, translateAll: Function }>} */
const MODELS = {
  'rnn-seq2seq': { weights: rnn.rnnWeights, loss: rnn.rnnLoss, translateAll: rnn.translateAll },
  'transformer-seq2seq': { weights: transformer.transformerWeights, loss: transformer.transformerLoss,
    translateAll: transformer.translateAll },
};

/** @param {string[]} texts */
const batchOf = (texts) => translationBatch(texts.map((text) => {
  const ids = idsOf(SYMBOLS_BY_ID, [...text]);
  return { source: ids, target: ids };
}));

/**
 * @param {{ name: string, summary: string, steps: number, minutes: number, rate: number, atLeast: number,
 *   sizes: Sizes }} settings
 * @returns {import('../trainer.js').Recipe<null, TranslationBatch, any>}
 */
export function repeatRecipe({ name, summary, steps, minutes, rate, atLeast, sizes }) {
  const { weights: initial, loss, translateAll } = MODELS[sizes.model];
  return {
    name,
    summary,
    steps,
    minutes,
    data: () => null,
    config: () => ({ ...sizes, source: SYMBOLS_BY_ID, target: SYMBOLS_BY_ID, longest: LONGEST_WRITTEN }),
    weights: (lab, config) => initial(lab, config),
    // texts of one length, so that no step is padding
    batch(_, random, step) {
      const longest = FIRST_LONGEST + (LONGEST_TRAINED - FIRST_LONGEST) * Math.min(1, step / (GROWING * steps));
      const length = 1 + Math.floor(random() * longest);
      return batchOf(Array.from({ length: BATCH }, () => randomText(random, length, false)));
    },
    loss: (lab, weights, config, batch) => loss(lab, weights, config, batch),
    rate: schedules.cosine({ rate, warmup: WARMUP, total: steps }),
    adamW: { weightDecay: 0 },
    clip: 1,
    *validate(lab, weights, config) {
      const random = randomFrom(HELD_OUT_SEED);
      let exact = 0;
      let right = 0;
      let symbols = 0;
      for (const length of LENGTHS) {
        const texts = Array.from({ length: HELD_OUT }, () => randomText(random, length, true));
        /** @type {{ text: string }[]} */
        const written = translateAll(lab, { config, weights }, texts);
        exact += written.filter(({ text }, i) => text === texts[i]).length;
        right += written.reduce((sum, { text }, i) => sum + symbolsRight(texts[i], text), 0);
        symbols += HELD_OUT * length;
        yield;
      }
      return { exact: exact / (HELD_OUT * LENGTHS.length), symbols: right / symbols };
    },
    goal: { figure: 'symbols', atLeast },
  };
}
