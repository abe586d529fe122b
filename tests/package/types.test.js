// The shipped type declarations, in both module resolutions of TypeScript, and the samples of the documentation.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { installPackage, ROOT } from '../support/installed.js';

let installed;
before(() => {
  installed = installPackage();
  copyFileSync(join(ROOT, 'tests/types/consumer.ts'), join(installed.folder, 'consumer.ts'));
});
after(() => installed?.remove());

for (const [name, flags] of [
  ['a bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ['Node', ['--module', 'nodenext']],
]) {
  test(`a strict program compiles as for ${name}`, () => {
    // Without Node's types, because programs for browsers do not have them.
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict', '--target', 'es2022',
        '--lib', 'esnext,dom', '--types', '', ...flags, 'consumer.ts'],
      { cwd: installed.folder, encoding: 'utf8' },
    );
    assert.equal(status, 0, stdout);
  });
}

/** Blocks of a page in a language. @param {string} page @param {'js' | 'html'} language @returns {string[]} */
const blocks = (page, language) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language).map(([, , code]) => code);

/** Pages whose JavaScript is one program.  lab.md has functions in plain JavaScript, and elements.md a fragment. */
const PROGRAMS = ['chat', 'encoder-decoders', 'encoders', 'getting-started', 'insight', 'model', 'models-from-the-hub',
  'other-tools', 'pictures', 'rasp'];

test('the samples of the documentation compile in strict TypeScript', () => {
  const folder = join(installed.folder, 'samples');
  mkdirSync(folder);
  const [trainer, remote, tuning, recipe, ...others] = blocks('docs/train.md', 'js');
  assert.deepEqual(others, []);
  const typed = recipe.replace('const line = {', "const line: import('heed/train').Recipe = {");
  assert.notEqual(typed, recipe);
  const samples = [
    ...PROGRAMS.map((name) => [name, blocks(`docs/${name}.md`, 'js').join('\n')]),
    ...[...blocks('README.md', 'js'), trainer, remote, tuning, typed].map((code, i) => [`part-${i}`, code]),
    ...blocks('docs/elements.md', 'html').map((html, i) => [`element-${i}`, // its element is in the page
      (/<script type="module">\n([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '')
        .replace(/document\.querySelector\([^)]*\)/g, '$&!')]),
  ];
  const names = samples.map(([name, code]) => {
    assert.match(code, /\bheed\b/, name);
    writeFileSync(join(folder, `${name}.ts`), `${code}\nexport {};\n`);
    return `${name}.ts`;
  });
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict', '--target', 'es2022',
      '--module', 'nodenext', '--lib', 'esnext,dom,dom.iterable,dom.asynciterable',
      '--typeRoots', join(ROOT, 'node_modules/@types'),
      '--types', 'node', '--skipLibCheck', ...names],
    { cwd: folder, encoding: 'utf8' },
  );
  assert.equal(status, 0, stdout);
});
