#!/usr/bin/env node
/** Interpolates the weights of two stories models (Wortsman et al. 2022). */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeGguf } from '../../js/files/gguf/writer.js';
import { lab as openLab } from '../../js/lab/index.js';
import { fromGguf } from '../../js/train/models/causal-lm-gguf.js';
import * as lm from '../../js/train/models/causal-lm.js';
import stories from '../../js/train/recipes/stories.js';
import { config } from '../../js/train/recipes/stories-base.js';
import { runTool } from '../cli.js';

await runTool(import.meta.url, {
  usage: `node tools/stories/interpolate.js FIRST.gguf SECOND.gguf PART DATA OUT.gguf

Writes a Q8_0 file with the weights FIRST + PART · (SECOND - FIRST). DATA is the folder with tokenizer.json of
tools/stories/prepare.py.`,
  positionals: 5,
  options: {},
  async run([first, second, part, data, out]) {
    const sizes = config({ tokenizer: JSON.parse(await readFile(join(data, 'tokenizer.json'), 'utf8')) });
    const [from, to] = await Promise.all([first, second].map(async (path) =>
      fromGguf(new Uint8Array(await readFile(path)), sizes)));
    const weights = lm.weights(await openLab({ seed: 1 }), sizes);
    for (const [name, tensor] of Object.entries(weights)) {
      tensor.set(from[name].map((value, i) => value + Number(part) * (to[name][i] - value)));
    }
    const file = /** @type {NonNullable<typeof stories.gguf>} */ (stories.gguf)(weights, sizes, 'q8_0');
    await writeFile(out, await writeGguf(file));
  },
});
