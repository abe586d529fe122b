/** A folder of a model, picked or dropped. Drivers of Firefox and WebKit open no folders. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pickedFolder, sourceFromFolder } from '../../web/page/folder.js';
import { originOf } from '../../web/page/model-source.js';
import { BROWSERS } from '../support/browsers.js';
import { ENCODERS } from '../support/encoders.js';
import { huggingFaceOf } from '../support/families.js';
import { openSite } from '../support/site.js';
import { WORD_PIECE } from '../support/word-piece.js';

const { weights, config } = huggingFaceOf(ENCODERS.find(({ name }) => name === 'bert') ?? assert.fail());
/** A folder of sentence-transformers, with files that heed does not read. */
const FILES = {
  'model.safetensors': weights,
  'config.json': JSON.stringify(config),
  'tokenizer.json': JSON.stringify(WORD_PIECE),
  'modules.json': '[]',
  '1_Pooling/config.json': JSON.stringify({ pooling_mode_cls_token: true }),
  'onnx/model.onnx': 'x',
  'other/model.safetensors': 'x',
  'README.md': '# A model',
};

describe('the source for a folder', () => {
  const files = (/** @type {string[]} */ ...paths) => new Map(paths.map((path) => [path, new File([], path)]));

  test('weights, and the files beside them', () => {
    const all = files(...Object.keys(FILES));
    assert.deepEqual(sourceFromFolder('bert', all), {
      weights: [all.get('model.safetensors')],
      config: all.get('config.json'),
      tokenizer: all.get('tokenizer.json'),
      modules: all.get('modules.json'),
      pooling: all.get('1_Pooling/config.json'),
    });
  });

  test('a GGUF file is a model, the parts of a split file are one, and of several the first by type is chosen', () => {
    const one = files('a-q8_0.gguf', 'a-q4_0.gguf', 'notes.txt');
    assert.equal(sourceFromFolder('a', one), one.get('a-q4_0.gguf'));
    const parts = files('a-00002-of-00002.gguf', 'a-00001-of-00002.gguf');
    const source = sourceFromFolder('a', parts);
    assert.deepEqual(source, [...parts.values()].reverse());
    assert.deepEqual(originOf(source, new URL('https://example.org/')), { file: 'a-00001-of-00002.gguf' });
  });

  test('a picked folder has its own files, and files of subfolders that belong to a model', () => {
    const picked = Object.keys(FILES).map((path) =>
      Object.defineProperty(new File([], path), 'webkitRelativePath', { value: `bert/${path}` }));
    assert.deepEqual([...pickedFolder(picked).keys()],
      ['model.safetensors', 'config.json', 'tokenizer.json', 'modules.json', '1_Pooling/config.json', 'README.md']);
  });

  test('a folder without a model is refused by its name', () => {
    assert.throws(() => sourceFromFolder('letters', files('a.txt')), /‘letters’ has no model that heed reads/);
    assert.throws(() => sourceFromFolder('letters', new Map()), /‘letters’ has no model that heed reads/);
    assert.throws(() => sourceFromFolder('lora', files('adapter_model.safetensors', 'adapter_config.json')),
      /^RangeError: adapter_config\.json belongs to an adapter/);
  });
});

for (const [name, openBrowser] of Object.entries(BROWSERS).filter(([each]) => each === 'chromium')) {
  describe(`folders in ${name}`, { timeout: 300_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    /** @type {string} */ let place;
    /** @param {string} folder @param {Record<string, string | Uint8Array>} files */
    const write = async (folder, files) => {
      for (const [path, content] of Object.entries(files)) {
        await mkdir(join(place, folder, path, '..'), { recursive: true });
        await writeFile(join(place, folder, path), content);
      }
    };
    const { pick, drop } = {
      pick: (/** @type {string} */ folder) => site.browser.folder?.pick('#folder', join(place, folder)),
      drop: (/** @type {string} */ folder) => site.browser.folder?.drop(join(place, folder)),
    };
    /** @param {string} id */
    const becomes = (id, /** @type {string} */ text) => site.until(([at, wanted]) =>
      document.getElementById(at)?.textContent?.includes(wanted), [id, text]);
    const show = (/** @type {string} */ prompt) => site.page.evaluate((text) => {
      /** @type {HTMLTextAreaElement} */ (document.getElementById('prompt')).value = text;
    }, prompt);

    before(async () => {
      place = await mkdtemp(join(tmpdir(), 'heed-folders-'));
      await write('bert', FILES);
      await write('again', FILES);
      await write('letters', { 'a.txt': 'a' });
      await mkdir(join(place, 'empty'));
      site = await openSite(openBrowser);
      await site.page.goto(`${site.server.url}#prompt=The+cat+sat.&length=1`);
      await site.until(() => document.getElementById('stop')?.getAttribute('aria-disabled') === 'true'
        && document.getElementById('loading')?.hidden
        && /** @type {any} */ (document.getElementById('strip')).tokens?.length > 0); // the first text is written
    });
    after(async () => {
      await site?.close();
      await rm(place, { recursive: true, force: true });
    });

    test('a picked folder opens as a model', async () => {
      await show('The cat sat on a dog.');
      await pick('bert');
      await becomes('model', '2 layers × 4 heads');
      await becomes('status', '9 tokens');
    });

    test('a folder without a model shows an error, and the model stays', async () => {
      await drop('letters');
      await becomes('error', '‘letters’ has no model that heed reads');
      await drop('empty');
      await becomes('error', '‘empty’ has no model that heed reads');
      assert.match(await site.page.evaluate(() => document.getElementById('model')?.textContent ?? ''), /2 layers/);
    });

    test('a dropped folder opens as a model', async () => {
      await show('The dog ran.');
      await drop('again');
      await becomes('status', '6 tokens');
      assert.equal(await site.page.evaluate(() => document.getElementById('error')?.textContent), '');
      assert.deepEqual(site.browser.complaints, []);
    });
  });
}
