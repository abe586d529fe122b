// heed train --from: a training of a model file, stopped and resumed, and its output files.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { goldens, temporaryFolder } from '../support/goldens.js';
import { STORIES } from '../support/model.js';

const CLI = fileURLToPath(new URL('../../js/cli.js', import.meta.url));
const folder = await temporaryFolder(after);
const at = (/** @type {string} */ name) => join(folder, name);
writeFileSync(at('my.txt'), 'Bip is a small robot. Bip lives on the moon with a dog named Zog. '.repeat(3));
writeFileSync(at('empty.txt'), ' \n');

/** @param {string[]} args */
const heed = (...args) => spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8', cwd: folder });
const TRAIN = ['train', '--from', STORIES, '--text', 'my.txt', '--batch', '1', '--context', '24', '--rank', '2'];

describe('heed train --from', () => {
  test('stopped by Ctrl-C and run again, it gives the same bits', async () => {
    const args = [...TRAIN, '--steps', '40', '--rate', '0.01', '--json'];
    const stopped = spawn(process.execPath, [CLI, ...args, '--out', 'stopped'], { cwd: folder });
    let told = '';
    stopped.stderr.on('data', (text) => {
      if (/step \d/.test(text) && !/step \d/.test(told)) stopped.kill('SIGINT');
      told += text;
    });
    const [status] = await once(stopped, 'exit');
    assert.equal(status, 130, told);
    assert.match(told, /numbers learn, in windows of 24 tokens\. Memory: weights 3\.11 MB, learning .*, steps at most/);
    assert.deepEqual(readdirSync(at('stopped')), ['stories.gguf.tuning.checkpoint.safetensors']);

    const resumed = heed(...args, '--out', 'stopped');
    assert.equal(resumed.status, 0, resumed.stderr);
    assert.match(resumed.stderr, /continuing from step \d+ /);
    const { files, steps, figures } = JSON.parse(resumed.stdout);
    assert.deepEqual(files, ['stopped/adapter_model.safetensors', 'stopped/adapter_config.json']);
    assert.equal(steps, 40);
    assert.ok(figures.heldOut > 0);
    assert.deepEqual(readdirSync(at('stopped')).sort(), ['adapter_config.json', 'adapter_model.safetensors']);

    const whole = heed(...args, '--out', 'whole');
    assert.equal(whole.status, 0, whole.stderr);
    for (const file of readdirSync(at('whole'))) {
      assert.deepEqual(readFileSync(at(`stopped/${file}`)), readFileSync(at(`whole/${file}`)), file);
    }
    const said = (/** @type {string[]} */ ...adapter) =>
      heed('generate', ...adapter, '--prompt', 'Bip is a small', '--temperature', '0', '--max-tokens', '2').stdout;
    assert.match(said('--adapter', 'whole'), /rob/);
    assert.doesNotMatch(said(), /rob/);
  });

  test('writes the adapter as GGUF, which gives the text of the folder; bench measures both', () => {
    for (const [format, files] of [['adapter', 'folder'], ['adapter-gguf', 'one-file']]) {
      const { status, stderr } = heed(...TRAIN, '--steps', '2', '--format', format, '--out', files);
      assert.equal(status, 0, stderr);
    }
    assert.deepEqual(readdirSync(at('one-file')), ['adapter.gguf']);
    const [folders, file] = ['folder', 'one-file/adapter.gguf'].map((adapter) =>
      heed('generate', '--adapter', adapter, '--prompt', 'Bip is a small', '--temperature', '0', '--max-tokens', '6'));
    assert.equal(folders.status, 0, folders.stderr);
    assert.equal(file.stdout, folders.stdout);
    const callsOf = (/** @type {string[]} */ ...adapter) => {
      const { status, stdout, stderr } = heed('bench', ...adapter, '--context', '160', '--repeat', '1', '--json');
      assert.equal(status, 0, stderr);
      const times = JSON.parse(stdout).kernels.decode;
      return times.find((/** @type {any} */ { kernel }) => kernel === 'gemm_f32')?.calls ?? 0;
    };
    const matrices = 6 * 7; // of six blocks; two products of an adapter each
    for (const adapter of ['folder', 'one-file/adapter.gguf']) {
      assert.equal(callsOf('--adapter', adapter), 2 * matrices);
    }
    assert.equal(callsOf(), 0);
  });

  test('names the loss of a text that is too short to hold a part out', () => {
    writeFileSync(at('short.txt'), 'short');
    const toldOf = (/** @type {string} */ text) => {
      const { status, stdout, stderr } = heed(...TRAIN, '--text', text, '--steps', '2', '--out', 'short', '--json');
      assert.equal(status, 0, stderr);
      return { stderr, ...JSON.parse(stdout) };
    };
    const short = toldOf('short.txt');
    assert.equal(short.tokens.heldOut, 0);
    assert.match(short.stderr, /too short to hold a part out; heldOut is the loss of the text itself\n/);
    assert.match(short.stderr, /\nheldOut [\d.]+, the loss of the text itself\n$/);
    const long = toldOf('my.txt');
    assert.ok(long.tokens.heldOut > 0);
    assert.doesNotMatch(long.stderr, /the text itself/);
  });

  test('writes the merged model', () => {
    const { status, stderr } = heed(...TRAIN, '--steps', '2', '--format', 'gguf', '--type', 'f16', '--out', 'merged');
    assert.equal(status, 0, stderr);
    const inspected = heed('inspect', 'merged/model.gguf', '--json');
    assert.equal(inspected.status, 0, inspected.stderr);
    assert.match(inspected.stdout, /F16/i);
  });

  test('--full trains safetensors, and never overwrites its source', async () => {
    const golden = (await goldens()).find(({ name }) => name === 'llama') ?? assert.fail();
    const stories = heed('train', '--from', STORIES, '--text', 'my.txt', '--full');
    assert.equal(stories.status, 1);
    assert.match(stories.stderr, /only float weights can learn/);
    for (const file of ['model.safetensors', 'config.json']) copyFileSync(join(golden.folder, file), at(file));
    const over = heed('train', '--from', 'model.safetensors', '--text', 'my.txt', '--full', '--out', '.');
    assert.equal(over.status, 2);
    assert.match(over.stderr, /would overwrite model\.safetensors/);
    const blind = heed('train', '--from', 'model.safetensors', '--text', 'my.txt', '--full');
    assert.match(blind.stderr, /without a tokenizer|no tokenizer|no-tokenizer/);
    assert.ok(!existsSync(at('tuned')));
  });

  for (const [says, ...args] of /** @type {[RegExp, ...string[]][]} */ ([
    [/--text FILE is missing/, '--from', STORIES],
    [/--text empty\.txt is empty/, '--from', STORIES, '--text', 'empty.txt'],
    [/--rank and --alpha belong to adapters, and --full/, '--from', STORIES, '--text', 'my.txt', '--full',
      '--rank', '2', '--alpha', '4'],
    [/nothing\.txt could not be read/, '--from', STORIES, '--text', 'nothing.txt'],
    [/is a recipe/, 'copy', '--from', STORIES, '--text', 'my.txt'],
    [/--rank 0/, '--from', STORIES, '--text', 'my.txt', '--rank', '0'],
    [/--rate NaN/, '--from', STORIES, '--text', 'my.txt', '--rate', 'NaN'],
    [/--format is adapter, adapter-gguf, gguf, safetensors/, '--from', STORIES, '--text', 'my.txt', '--format', 'onnx'],
    [/^heed: --type is of a merged model/, '--from', STORIES, '--text', 'my.txt', '--type', 'f16'],
    [/--rank 257: expected an integer from 1 to 256/, '--from', STORIES, '--text', 'my.txt', '--rank', '257'],
    [/there is no adapter to write/, '--from', STORIES, '--text', 'my.txt', '--full', '--format', 'adapter'],
    [/type to be one of f32, f16 for safetensors/, '--from', STORIES, '--text', 'my.txt', '--format', 'safetensors',
      '--type', 'q8_0'],
    [/targets to be some of q_proj/, '--from', STORIES, '--text', 'my.txt', '--targets', 'c_attn'],
  ])) {
    test(`refuses ${args.join(' ').replace(STORIES, 'stories.gguf')}`, () => {
      const { status, stderr } = heed('train', ...args);
      assert.notEqual(status, 0);
      assert.match(stderr, says);
      assert.doesNotMatch(stderr, /step \d/, 'no step ran');
    });
  }
});
