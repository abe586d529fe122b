// heed --keep, --offline and --hub, and heed kept.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { temporaryFolder } from '../support/goldens.js';
import { startHub } from '../support/hub.js';
import { STORIES } from '../support/model.js';

const CLI = fileURLToPath(new URL('../../js/cli.js', import.meta.url));
const folder = await temporaryFolder(after);

/** @type {Awaited<ReturnType<typeof startHub>>} */ let hub;
before(async () => {
  hub = await startHub({});
  hub.put('me/stories/stories-q8_0.gguf', await readFile(STORIES), { token: 'hf_test' });
});
after(() => hub.close());

/** @param {string[]} args @returns {Promise<{ status: number, out: string, error: string }>} */
async function heed(...args) {
  const env = { ...process.env, HEED_CACHE: join(folder, 'cache'), HF_TOKEN: 'hf_test' };
  const child = spawn(process.execPath, [CLI, ...args], { env });
  let out = '';
  let error = '';
  child.stdout.on('data', (part) => (out += part));
  child.stderr.on('data', (part) => (error += part));
  return { status: await new Promise((resolve) => child.on('close', resolve)), out, error };
}

test('a model of the hub is kept, opens offline, is listed and deleted', async () => {
  const generate = ['generate', '--model', 'hf:me/stories', '--hub', hub.url, '--prompt', 'Once', '--max-tokens', '3',
    '--temperature', '0'];
  const first = await heed(...generate, '--keep');
  assert.equal(first.status, 0, first.error);
  const requests = hub.requests.length;
  const second = await heed(...generate, '--offline');
  assert.deepEqual([second.status, second.out, hub.requests.length], [0, first.out, requests], second.error);
  const { models, bytes } = JSON.parse((await heed('kept', '--json')).out);
  assert.deepEqual(models.map((/** @type {any} */ { name, complete }) => [name, complete]), [['hf:me/stories', true]]);
  assert.ok(bytes > 2_000_000);
  assert.match((await heed('kept')).out, /^hf:me\/stories: [\d.]+ MB, \d{4}-\d\d-\d\d\n1 model, [\d.]+ MB\n$/);
  assert.match((await heed('kept', '--delete', 'hf:me/other')).error, /'hf:me\/other' is not kept/);
  assert.match((await heed('kept', '--delete', 'hf:me/stories')).out, /^0 models, 0 B\n$/);
  const third = await heed(...generate, '--offline');
  assert.equal(third.status, 1);
  assert.match(third.error, /‘hf:me\/stories’ is not kept.*No model is kept.*\[unavailable\]/);
});
