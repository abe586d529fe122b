// The package of `npm pack`, installed into an empty folder, imports, generates, runs as a command and serves the page.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { load } from '../../js/index.js';
import { bundlePackage } from '../../tools/build/bundle.js';
import { BROWSERS, plainServer } from '../support/browsers.js';
import { installPackage, ROOT } from '../support/installed.js';
import { until, withComplaints } from '../support/until.js';

const MODEL = 'models/stories.gguf';
const PROMPT = 'Once upon a time';

let installed;
let ids; // by the library in this tree
before(async () => {
  installed = installPackage();
  const model = await load(join(ROOT, MODEL));
  const steps = model.generate(PROMPT, { maxTokens: 8, temperature: 0 });
  let next = await steps.next();
  while (!next.done) next = await steps.next();
  ids = Array.from(next.value.ids);
  model.dispose();
});
after(() => installed?.remove());

/** Runs a module in the consumer's folder, and parses its JSON output. */
function runModule(source) {
  writeFileSync(join(installed.folder, 'main.js'), source);
  return JSON.parse(execFileSync(process.execPath, ['main.js'], { cwd: installed.folder, encoding: 'utf8' }));
}

test('the package contains its files and no development files', () => {
  const engines = ['heed', 'heed-mt', 'heed-relaxed', 'heed-relaxed-mt'];
  const built = [
    ...engines.flatMap((name) => [`${name}.wasm`, `${name}-64.wasm`]), 'limits.wasm', 'limits-relaxed.wasm',
    'heed.js', 'heed.single.js', 'lab.js', 'train.js', 'insight.js', 'worker.js',
    'gguf-worker.js', 'thread.js', 'train/worker.js', 'train/translator-worker.js',
    'types/js/index.d.ts', 'site/index.html',
  ].map((name) => `dist/${name}`);
  const sources = ['js/index.js', 'js/cli.js', MODEL, 'data/sentiment/sentences.txt', 'LICENSE', 'README.md'];
  for (const path of [...sources, ...built]) {
    assert.ok(installed.packed.includes(path), path);
  }
  const strays = installed.packed.filter((path) => /^(src|tests|tools|build|bench|dist\/site\/models)\//.test(path));
  assert.deepEqual(strays, []);
  assert.ok(installed.bytes < 9e6, `the tarball has ${installed.bytes} bytes`);
  assert.equal(ids.length, 8);
});

test('a second build and pack gives the same tarball, byte for byte', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heed-again-'));
  try {
    const options = /** @type {const} */ ({ cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
    const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
    assert.equal(JSON.parse(execFileSync('npm', args, options))[0].integrity, installed.integrity);
    for (const path of await bundlePackage(join(folder, 'dist'))) {
      const name = relative(folder, path);
      assert.ok(readFileSync(path).equals(readFileSync(join(ROOT, name))), name);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an installed package generates', () => {
  const result = runModule(`
    import { load } from 'heed';
    import { fileURLToPath } from 'node:url';
    const model = await load(fileURLToPath(import.meta.resolve('heed/${MODEL}')));
    const ids = [];
    for await (const step of model.generate('${PROMPT}', { maxTokens: 8, temperature: 0 })) ids.push(step.id);
    const map = await model.attention({ layer: 0, head: 0 });
    console.log(JSON.stringify({ ids, queries: map.queries, position: model.position }));
    model.dispose();
  `);
  assert.deepEqual(result.ids, ids);
  assert.equal(result.queries, result.position);
});

test('an installed package translates dates with a model of heed-models', () => {
  const result = runModule(`
    import { readFile } from 'node:fs/promises';
    import { lab } from 'heed/lab';
    import { openTranslator } from 'heed/train';
    const l = await lab();
    const url = new URL(import.meta.resolve('heed-models/dates-bahdanau.safetensors'));
    const { translate } = await openTranslator(l, await readFile(url));
    const { text, cache } = translate('Saturday June 9 2001');
    const [, queries, keys] = cache['decoder.0.cross_attn.hook_pattern'].shape;
    console.log(JSON.stringify({ text, queries, keys }));
    l.dispose();
  `);
  assert.deepEqual(result, { text: '2001-06-09', queries: 10, keys: 20 });
});

test('an installed heed writes its page for a static host, which runs the model', async () => {
  const site = join(installed.folder, 'public');
  const heed = (...args) => spawnSync(join(installed.folder, 'node_modules/.bin/heed'), args, { encoding: 'utf8' });
  const { status, stdout, stderr } = heed('serve', '--write', site);
  assert.equal(status, 0, stderr);
  assert.equal(stdout.trim(), join(site, 'index.html'));
  const again = heed('serve', '--write', site);
  assert.equal(again.status, 2);
  assert.match(again.stderr, /is not empty/);

  const server = await plainServer({ root: site, below: '/' });
  const browser = await BROWSERS.chromium({ width: 1000, height: 800 });
  try {
    await browser.page.goto(server.url);
    const hasRun = () => Number(/** @type {any} */ (document.getElementById('strip'))?.tokens?.length) > 3;
    await until(browser.page, hasRun).catch(withComplaints(browser));
    assert.deepEqual(browser.complaints.filter((line) => !line.includes('favicon')), []);
    for (const name of ['heed-relaxed-mt.wasm', 'models/dates-bahdanau.safetensors', 'models/shakespeare.gguf',
      'docs/index.html']) {
      assert.ok(existsSync(join(site, name)), name);
    }
  } finally {
    await browser.close();
    await server.close();
  }
});

test('links of README.md to documentation lead to files of the package', () => {
  const readme = readFileSync(join(installed.folder, 'node_modules/heed/README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\((docs\/[^)#]+)/g)].map(([, path]) => path);
  assert.ok(links.length > 10);
  assert.deepEqual(links.filter((path) => !installed.packed.includes(path)), []);
});

/** Classes of the elements. */
const ELEMENTS = ['HeedAnatomy', 'HeedAttentionLines', 'HeedAttentionMap', 'HeedContributions', 'HeedHeadFinder',
  'HeedHeadGrid', 'HeedHeatMap', 'HeedLogitLens', 'HeedNeurons', 'HeedNextToken', 'HeedResidual', 'HeedTokenLoss',
  'HeedTokenShares', 'HeedTokenStrip', 'HeedTraining'];

test('the elements can be imported without a DOM', () => {
  assert.deepEqual(
    runModule("import * as elements from 'heed/elements'; console.log(JSON.stringify(Object.keys(elements).sort()));"),
    ELEMENTS,
  );
});

test('the classes and the registration of one tag can be imported without a DOM', () => {
  assert.deepEqual(runModule(`
    import * as classes from 'heed/elements/classes';
    import { HeedHeadGrid } from 'heed/elements/define/head-grid';
    import 'heed/elements/define/training';
    console.log(JSON.stringify([Object.keys(classes).sort(), HeedHeadGrid === classes.HeedHeadGrid]));
  `), [ELEMENTS, true]);
});

test('the bundle and the modules give the same logits', () => {
  const result = runModule(`
    import { load } from 'heed/dist/heed.js';
    import { fileURLToPath } from 'node:url';
    const model = await load(fileURLToPath(import.meta.resolve('heed/${MODEL}')));
    const ids = [];
    for await (const step of model.generate('${PROMPT}', { maxTokens: 8, temperature: 0 })) ids.push(step.id);
    console.log(JSON.stringify(ids));
    model.dispose();
  `);
  assert.deepEqual(result, ids);
});

test('an installed heed runs as a command', () => {
  const heed = join(installed.folder, 'node_modules/.bin/heed');
  const args = ['generate', '--model', `node_modules/heed/${MODEL}`, '--prompt', PROMPT];
  const text = execFileSync(heed, [...args, '--max-tokens', '8', '--temperature', '0', '--json'], {
    cwd: installed.folder,
    encoding: 'utf8',
  });
  assert.deepEqual(JSON.parse(text).ids, ids);
});

test('an installed heed serves its page, with the model', async () => {
  const server = spawn(join(installed.folder, 'node_modules/.bin/heed'), ['serve', '--port', '0']);
  try {
    const url = String((await once(server.stdout, 'data'))[0]).trim();
    const page = await fetch(url);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /<meta http-equiv="Content-Security-Policy" content="default-src 'none';/);
    const model = await fetch(new URL(MODEL, url));
    const magic = new Uint8Array(await model.arrayBuffer()).subarray(0, 4);
    assert.equal(String.fromCharCode(...magic), 'GGUF');
    for (const path of ['heed.wasm', 'models/dates-bahdanau.safetensors']) {
      assert.equal((await fetch(new URL(path, url))).status, 200, path);
    }
  } finally {
    server.kill('SIGINT');
    await once(server, 'exit');
  }
});
