// The JavaScript of models-from-the-hub.md runs as one program, with a hub on this machine.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { PRECISIONS } from '../../js/files/keep/pick.js';
import { startHub } from '../support/hub.js';
import { STORIES } from '../support/model.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const text = await readFile(join(ROOT, 'docs/models-from-the-hub.md'), 'utf8');

test('the samples run, and the model opens offline between them', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'heed-hub-docs-'));
  const stories = await readFile(STORIES);
  const name = 'Qwen/Qwen2.5-0.5B-Instruct-GGUF';
  const hub = await startHub({ [`${name}/qwen2.5-0.5b-instruct-q4_0.gguf`]: stories });
  hub.put('my-team/private-model/model-q8_0.gguf', stories, { token: 'hf_test' });
  t.after(() => Promise.all([hub.close(), rm(folder, { recursive: true })]));
  await mkdir(join(folder, 'node_modules'));
  await symlink(ROOT, join(folder, 'node_modules/heed'));
  const code = [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n');
  await writeFile(join(folder, 'samples.mjs'), code);
  const env = { ...process.env, HF_ENDPOINT: hub.url, HEED_CACHE: join(folder, 'cache'), HF_TOKEN: 'hf_test' };
  const child = spawn(process.execPath, ['--preserve-symlinks', join(folder, 'samples.mjs')], { env });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (out += part));
  assert.equal(await new Promise((resolve) => child.on('exit', resolve)), 0, out);
  assert.match(out, /^qwen2\.5-0\.5b-instruct-q4_0\.gguf The model was downloaded and is kept in /);
  assert.match(out, new RegExp(`\\nhf:${name} \\d+ [^]* true\\n\\d+\\n`));
  assert.equal(hub.requests.filter(({ path }) => path.startsWith(name)).length, 1, 'one download');
});

test('the order of weight types is that of the code', () => {
  const [, list] = /this order: ([^]*?)\. The first/.exec(text) ?? [];
  assert.deepEqual([...list.matchAll(/`(\w+)`/g)].map(([, type]) => type), PRECISIONS);
});
