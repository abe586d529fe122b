// Writes weights, batches and learning rates of a translator's first training steps, for tools/torch/translator.py:
//     node tools/torch/translator-steps.js NAME STEPS FOLDER [DATA]
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readData } from '../../js/cli/train.js';
import { lab } from '../../js/lab/index.js';
import { findRecipe } from '../../js/train/recipes.js';
import { translationBatch } from '../../js/train/tasks/vocabulary.js';
import { Trainer } from '../../js/train/trainer.js';

const [name, count, folder, data = '../shared/data'] = process.argv.slice(2);
/** Pairs of one batch of validation. */
const BATCH = 64;

const recipe = await findRecipe(name);
const trainer = new Trainer(await lab({ seed: 1 }), recipe, await readData(recipe, data));

const rows = ({ ids, shape: { batch, time } }) =>
  Array.from({ length: batch }, (_, i) => Array.from(ids.subarray(i * time, (i + 1) * time)));
const plain = ({ source, input, wanted }) => [source, input, wanted].map(rows);
const steps = Array.from({ length: Number(count) }, (_, step) =>
  ({ rate: recipe.rate(step), batch: plain(trainer.batch(step)) }));
const { heldOut } = trainer.data;
const validation = Array.from({ length: Math.ceil(heldOut.length / BATCH) }, (_, i) =>
  plain(translationBatch(heldOut.slice(i * BATCH, (i + 1) * BATCH))));

await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'initial.safetensors'), trainer.checkpoint());
await writeFile(join(folder, 'steps.json'), JSON.stringify({
  config: { ...trainer.config, source: trainer.config.source.length, target: trainer.config.target.length },
  clip: recipe.clip,
  adamW: { betas: recipe.adamW.betas, weightDecay: recipe.adamW.weightDecay },
  steps,
  validation,
}));
trainer.lab.dispose();
