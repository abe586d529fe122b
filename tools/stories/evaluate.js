#!/usr/bin/env node
/** Validation loss of a stories model as heed itself runs it. */
import { load } from '../../js/index.js';
import { runTool } from '../cli.js';
import { readStories } from './data.js';

/** As in the recipe: stories held back, and the positions of a window. */
const VALIDATION_STORIES = 1000;
const WINDOW = 256;

/**
 * Mean cross-entropy in nats a token, in windows of the joined validation stream: an end token before each story and
 * one at the end, cut into windows that are each run from an empty session, as the recipe's validation does.
 * @param {Awaited<ReturnType<typeof load>>} model @param {string[]} stories @param {number} length of a window
 * @param {number} limit windows at most
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

Validation loss in nats a token: the first stories of the file, joined, in windows. stories.txt.gz has its first
${VALIDATION_STORIES} held back from training, stories-2.txt.gz its first 500.

  --stories N   default ${VALIDATION_STORIES}

  --window N    positions of a window; default ${WINDOW}
  --windows N   only the first N windows`,
  positionals: 2,
  options: { stories: { type: 'string', default: String(VALIDATION_STORIES) },
    window: { type: 'string', default: String(WINDOW) },
    windows: { type: 'string', default: 'Infinity' } },
  async run([path, data], { stories: count, window, windows: limit }) {
    const model = await load(path, { maps: false });
    const stories = await readStories(data, Number(count));
    const { loss, windows, tokens } = await validationLoss(model, stories, Number(window), Number(limit));
    console.log(`${loss.toFixed(4)} nats a token (perplexity ${Math.exp(loss).toFixed(2)})`);
    console.log(`${windows} windows of ${window} out of ${tokens} tokens`);
  },
});
