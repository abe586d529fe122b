#!/usr/bin/env node
/** Accuracy of naive Bayes on the sentiment task: the baseline of the classifier. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readData } from '../../js/cli/train.js';
import { randomFrom } from '../../js/lab/index.js';
import { spelling, wordsOf } from '../../js/train/models/words.js';
import recipe from '../../js/train/recipes/sentiment.js';
import { readSst2 } from '../../js/train/tasks/sentiment.js';
import { runTool } from '../cli.js';

/** @typedef {import('../../js/train/tasks/sentiment.js').Labeled} Labeled */

/** Distinct words of a text, and pairs of neighboring words if `pairs` is set. @param {string} text
 *  @param {boolean} pairs */
function featuresOf(text, pairs) {
  const words = wordsOf(text).map(spelling);
  return new Set(pairs ? [...words, ...words.slice(1).map((word, i) => `${words[i]} ${word}`)] : words);
}

/**
 * p(feature | label) = (texts of the label with the feature + 1) / (their features + distinct features).
 * @param {Labeled[]} examples balanced @param {boolean} pairs
 * @returns {(text: string) => number} the label
 */
function learn(examples, pairs) {
  const counts = [new Map(), new Map()];
  for (const { text, label } of examples) {
    for (const feature of featuresOf(text, pairs)) counts[label].set(feature, (counts[label].get(feature) ?? 0) + 1);
  }
  const known = new Set(counts.flatMap((of) => [...of.keys()]));
  const totals = counts.map((of) => known.size + [...of.values()].reduce((a, b) => a + b, 0));
  return (text) => {
    const [no, yes] = counts.map((of, label) => [...featuresOf(text, pairs)].filter((feature) => known.has(feature))
      .reduce((sum, feature) => sum + Math.log(((of.get(feature) ?? 0) + 1) / totals[label]), 0));
    return Number(yes > no);
  };
}

/** Sentences of the grammar in the second training set. */
const GRAMMATICAL = 20_000;

await runTool(import.meta.url, {
  usage: `node tools/sentiment/naive-bayes.js FOLDER

Prints the accuracy of naive Bayes on the held-out sentences and on stsa.binary.dev and stsa.binary.test in FOLDER.
Features are words, or words and pairs. Training data are the written sentences, without and with the grammar.`,
  positionals: 1,
  options: {},
  async run([folder]) {
    const { training, measuring, otherTopics, negations, grammar } = await readData(recipe, 'data');
    const [dev, test] = await Promise.all(['dev', 'test'].map(async (part) =>
      readSst2(new Uint8Array(await readFile(join(folder, `stsa.binary.${part}`))))));
    const random = randomFrom(1);
    const more = [...training, ...Array.from({ length: GRAMMATICAL }, () => grammar.sentence(random))];
    for (const [from, examples] of Object.entries({ written: training, 'written and grammar': more })) {
      for (const pairs of [false, true]) {
        const label = learn(examples, pairs);
        const percent = (/** @type {Labeled[]} */ part) =>
          `${(100 * part.filter((each) => label(each.text) === each.label).length / part.length).toFixed(1)} %`;
        console.log(`${from}, ${pairs ? 'words and pairs' : 'words'}: held out ${percent(measuring)}, ` +
          `other topics ${percent(otherTopics)}, negations ${percent(negations)}, ` +
          `SST-2 dev ${percent(dev)}, test ${percent(test)}`);
      }
    }
  },
});
