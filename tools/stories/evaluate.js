#!/usr/bin/env node
/** Validation loss of a stories model, computed by heed. */
import { load } from '../../js/index.js';
import { runTool } from '../cli.js';
import { readStories } from './data.js';

/** Held-out stories and positions per window, as in the recipe. */
const VALIDATION_STORIES = 1000;
const WINDOW = 256;

/**
 * Mean cross-entropy in nats per token. The validation stream is an end token before each story and one at the end. It
 * is cut into windows, and each window runs in an empty session, as in the recipe's validation.
 * @param {Awaited<ReturnType<typeof load>>} model @param {string[]} stories @param {number} length tokens per window
 * @param {number} limit largest number of windows
 */
export async function validationLoss(model, stories, length, limit) {
  const stream = [];
  for (const story of stories) stream.push(...await model.encode(story)); // each begins with the end token
  stream.push(stream[0]);
  const windows = Math.min(limit, Math.floor((stream.length - 1) / length));
  let total = 0;
  for (let w = 0; w < windows; w++) {
    model.rewind(0);
    const logits = await model.forward(stream.slice(w * length, (w + 1) * length), { all: true });
    const V = logits.length / length;
    for (let t = 0; t < length; t++) {
      total += crossEntropy(logits.subarray(t * V, (t + 1) * V), stream[w * length + t + 1]);
    }
  }
  return { loss: total / (windows * length), windows, tokens: stream.length };
}

/** -log softmax(logits)[target]. @param {Float32Array} logits @param {number} target */
function crossEntropy(logits, target) {
  const largest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const sum = logits.reduce((s, v) => s + Math.exp(v - largest), 0);
  return largest + Math.log(sum) - logits[target];
}

await runTool(import.meta.url, {
  usage: `node tools/stories/evaluate.js MODEL.gguf STORIES.txt.gz [--stories N] [--window N] [--windows N]

Prints the validation loss in nats per token over the first stories of the file. Training holds out the first
${VALIDATION_STORIES} stories of stories.txt.gz and the first 500 of stories-2.txt.gz.

  --stories N   number of stories; default ${VALIDATION_STORIES}
  --window N    positions per window; default ${WINDOW}
  --windows N   largest number of windows; default all`,
  positionals: 2,
  options: { stories: { type: 'string', default: String(VALIDATION_STORIES) },
    window: { type: 'string', default: String(WINDOW) },
    windows: { type: 'string', default: 'Infinity' } },
  async run([path, data], { stories: count, window, windows: limit }) {
    const model = await load(path, { maps: false });
    const stories = await readStories(data, Number(count));
    const { loss, windows, tokens } = await validationLoss(model, stories, Number(window), Number(limit));
    console.log(`${loss.toFixed(4)} nats per token (perplexity ${Math.exp(loss).toFixed(2)})`);
    console.log(`${windows} windows of ${window} out of ${tokens} tokens`);
  },
});
