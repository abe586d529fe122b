/** Steps of the recipe `shakespeare` in heed: node heed.mjs ENGINE THREADS STEPS */
import { lab, randomFrom } from '../../js/lab/index.js';
import * as lm from '../../js/train/models/causal-lm.js';
import shakespeare from '../../js/train/recipes/shakespeare.js';
import { BATCH, measure, MODEL } from './model.mjs';

const [engine, threads, steps] = process.argv.slice(2);
const l = await lab({ seed: 1, engine, threads: Number(threads) });
const weights = lm.weights(l, { form: 'gpt2', ...MODEL });
const optimizer = l.adamW(weights, shakespeare.adamW);
const random = randomFrom(1);
const ids = () => Int32Array.from({ length: BATCH * MODEL.context }, () => Math.floor(random() * MODEL.vocabulary));

await measure(Number(steps), () => {
  const batch = { inputs: ids(), targets: ids(), batch: BATCH };
  return l.step(() => {
    const loss = lm.loss(l, weights, { form: 'gpt2', ...MODEL }, batch);
    l.backward(loss);
    l.clipGradients(weights, 1);
    optimizer.step();
    return loss.item();
  });
});
l.dispose();
