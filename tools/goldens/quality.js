#!/usr/bin/env node
/**
 * Writes tests/goldens/quants/quality.json: texts, and llama.cpp's distance on them from the default model in float64,
 * for each type of weights.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { STORIES } from '../../tests/support/model.js';
import { distance, logSoftmax, meanOf, readDefaultModel, WEIGHT_TYPES, wideModel }
  from '../../tests/support/quality.js';
import { forward } from '../../tests/support/reference.js';
import { runTool } from '../cli.js';

/** Texts of the model, and their maximal length. They are sampled without the recommended repeat penalty, so that they
 *  follow the distribution of the model. */
const TEXTS = 3;
const LENGTH = 160;

/** @returns {Promise<number[][]>} */
async function ownTexts() {
  const model = await load(STORIES);
  const texts = [];
  for (let seed = 1; seed <= TEXTS; seed++) {
    const prompt = Array.from(await model.encode('Once upon a time'));
    const ids = [...prompt];
    const sampling = { seed, temperature: 1, repeatPenalty: 1 };
    for await (const { id } of model.generate(prompt, { ...sampling, maxTokens: LENGTH - prompt.length })) {
      ids.push(id);
    }
    texts.push(ids);
  }
  model.dispose();
  return texts;
}

await runTool(import.meta.url, {
  usage: `node tools/goldens/quality.js FOLDER_OF_LIBLLAMA

The folder is that of tools/goldens/quants.py; $PYTHON runs tools/goldens/llama-logits.py.`,
  positionals: 1,
  options: {},
  async run([library]) {
    const texts = await ownTexts();
    const model = await readDefaultModel();
    const V = model.vocabulary;
    const reference = logSoftmax(texts.flatMap((ids) => Array.from(forward(model, ids).data)), V);
    const folder = await mkdtemp(join(tmpdir(), 'heed-quality-'));
    const [ids, file, out] = ['ids.json', 'model.gguf', 'logits'].map((name) => join(folder, name));
    await writeFile(ids, JSON.stringify(texts));
    const lines = [];
    for (const type of WEIGHT_TYPES) {
      const bytes = await wideModel(model, type);
      await writeFile(file, bytes);
      const script = fileURLToPath(new URL('llama-logits.py', import.meta.url));
      execFileSync(process.env.PYTHON ?? 'python3', [script, library, file, ids, out]);
      const logits = new Float32Array((await readFile(out)).buffer);
      const { divergences, agreement } = distance(reference, logSoftmax(logits, V), V);
      const { mean, error } = meanOf(divergences);
      console.log(`${type}: ${mean.toExponential(2)} ± ${error.toExponential(1)} nats, ${agreement.toFixed(4)} agree`);
      const golden = {
        sha256: createHash('sha256').update(bytes).digest('hex'),
        agreement,
        divergences: divergences.map((v) => Number(v.toPrecision(3))),
      };
      lines.push(`"${type}": ${JSON.stringify(golden)}`);
    }
    const path = fileURLToPath(new URL('../../tests/goldens/quants/quality.json', import.meta.url));
    await writeFile(path, `{"ids": ${JSON.stringify(texts)},\n"types": {\n${lines.join(',\n')}\n}}\n`);
    await rm(folder, { recursive: true });
    console.log(`wrote ${basename(path)}`);
  },
});
