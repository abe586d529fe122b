#!/usr/bin/env node
/** The loss of a language model over a text, computed by heed. */
import { readFile } from 'node:fs/promises';
import { load } from '../../js/index.js';
import { runTool } from '../cli.js';

/** -log softmax(logits)[target]. @param {Float32Array} logits @param {number} target */
function crossEntropy(logits, target) {
  const largest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const sum = logits.reduce((s, v) => s + Math.exp(v - largest), 0);
  return largest + Math.log(sum) - logits[target];
}

await runTool(import.meta.url, {
  usage: `node tools/evaluate/text.js MODEL.gguf TEXT [options]

Mean loss in nats a token over a text, cut into windows of the model's context that are each run from an empty session.

  --from F    only what comes after this fraction of the tokens; default 0.9, what the recipe shakespeare holds back
  --windows N only the first N windows`,
  positionals: 2,
  options: { from: { type: 'string', default: '0.9' }, windows: { type: 'string', default: 'Infinity' } },
  async run([path, text], { from, windows: limit }) {
    const model = await load(path, { maps: false });
    const all = await model.encode(await readFile(text, 'utf8'));
    const tokens = all.slice(Math.floor(Number(from) * all.length));
    const window = model.info.contextLength;
    const windows = Math.min(Number(limit), Math.floor((tokens.length - 1) / window));
    let total = 0;
    for (let w = 0; w < windows; w++) {
      model.rewind(0);
      const logits = await model.forward(tokens.slice(w * window, (w + 1) * window), { all: true });
      const V = logits.length / window;
      for (let t = 0; t < window; t++) {
        total += crossEntropy(logits.subarray(t * V, (t + 1) * V), tokens[w * window + t + 1]);
      }
    }
    console.log(`${(total / (windows * window)).toFixed(4)} nats a token, ${windows} windows of ${window}`);
  },
});
