#!/usr/bin/env node
/** Accuracy on SST-2's film reviews: of the trained classifier, or of the same recipe trained on SST-2. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readData } from '../../js/cli/train.js';
import { lab as openLab } from '../../js/lab/index.js';
import { openModel } from '../../js/train/models/index.js';
import { runToEnd } from '../../js/train/resumable.js';
import recipe, { measure } from '../../js/train/recipes/sentiment.js';
import { readSst2 } from '../../js/train/tasks/sentiment.js';
import { Trainer } from '../../js/train/trainer.js';
import { runTool } from '../cli.js';

const PARTS = ['dev', 'test'];

const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(2)} %`;

await runTool(import.meta.url, {
  usage: `node tools/sentiment/sst2.js FOLDER [--model FILE] [--learn] [--steps N]

Prints the accuracy on stsa.binary.dev and stsa.binary.test in FOLDER.

  --model FILE  trained model; default models/sentiment.safetensors
  --learn       train on stsa.binary.train by the recipe instead; the model is not saved
  --steps N     training steps; default those of the recipe`,
  positionals: 1,
  options: {
    model: { type: 'string', default: 'models/sentiment.safetensors' },
    learn: { type: 'boolean' },
    steps: { type: 'string', default: String(recipe.steps) },
  },
  async run([folder], { model: path, learn, steps }) {
    const part = async (/** @type {string} */ name) =>
      readSst2(new Uint8Array(await readFile(join(folder, `stsa.binary.${name}`))));
    const [choosing, measuring] = await Promise.all(PARTS.map(part));
    const lab = await openLab({ seed: 1 });
    const parts = { choosing, measuring, otherTopics: measuring };
    const { weights, config } = learn
      ? await trained(lab, { ...await readData(recipe, 'data'), ...parts, training: await part('train') },
        Number(steps))
      : await openModel(lab, new Uint8Array(await readFile(path)));
    for (const [i, examples] of [choosing, measuring].entries()) {
      const { loss, accuracy } = runToEnd(measure(lab, weights, config, examples));
      console.log(`SST-2, ${PARTS[i]}: ${percent(accuracy)} of ${examples.length}, loss ${loss.toFixed(4)}`);
    }
    lab.dispose();
  },
});

/** @param {import('../../js/lab/index.js').Lab} lab @param {Awaited<ReturnType<typeof recipe.data>>} data
 *  @param {number} steps */
async function trained(lab, data, steps) {
  const rate = (/** @type {number} */ step) => recipe.rate(step * recipe.steps / steps);
  const trainer = new Trainer(lab, { ...recipe, rate, every: Math.ceil(steps / 10) }, data, { steps });
  for await (const { step, loss, figures } of trainer.run()) {
    if (figures) console.log(`step ${step}, loss ${loss.toFixed(4)}, ${JSON.stringify(figures)}`);
  }
  return trainer;
}
