/**
 * Opens a file of `heed convert` in llama.cpp's library, and writes its tokens and its greedy text to
 * tests/goldens/llama-cpp. The package node-llama-cpp has 70 MB, so the tests compare with this file instead.
 *
 *     node tools/goldens/llama-cpp.js FOLDER   a folder whose node_modules have node-llama-cpp and its binary
 */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeGgufFile } from '../../js/cli/convert/gguf-file.js';
import { convertHf } from '../../js/cli/convert/hf.js';
import { writeTinyFolder } from '../../tests/support/tiny-folder.js';

const PROMPT = 'the cat on the mat 1212';
const COUNT = 12;
const OUT = new URL('../../tests/goldens/llama-cpp/converted.json', import.meta.url);

const entry = join(resolve(process.argv[2]), 'node_modules/node-llama-cpp/dist/index.js');
const { getLlama, LlamaLogLevel } = await import(pathToFileURL(entry).href);
const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error, progressLogs: false });
const folder = await mkdtemp(join(tmpdir(), 'heed-llama-cpp-'));
/** @type {Record<string, unknown>} */
const files = {};
try {
  for (const dtype of /** @type {const} */ (['F32', 'F16', 'BF16'])) {
    await writeTinyFolder(join(folder, 'tiny'), dtype);
    const path = join(folder, `${dtype}.gguf`);
    await writeGgufFile(path, await convertHf(join(folder, 'tiny')));
    const model = await llama.loadModel({ modelPath: path });
    const context = await model.createContext({ contextSize: 64, threads: 1 });
    const prompt = [0, ...model.tokenize(PROMPT)];
    const greedy = [];
    for await (const token of context.getSequence().evaluate(prompt, { temperature: 0, yieldEogToken: true })) {
      greedy.push(token);
      if (greedy.length === COUNT) break;
    }
    await context.dispose();
    await model.dispose();
    files[dtype] = { sha256: createHash('sha256').update(await readFile(path)).digest('hex'), prompt, greedy };
  }
} finally {
  await rm(folder, { recursive: true });
}
await mkdir(new URL('.', OUT), { recursive: true });
await writeFile(OUT, `${JSON.stringify({ release: llama.llamaCppRelease?.release, text: PROMPT, files }, null, 2)}\n`);
await llama.dispose();
