/** docs/insight/experiments.md has the findings and figures of its script. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runExperiments } from '../../tools/docs/experiments.js';

const FOLDER = new URL('../../docs/insight/', import.meta.url);

test('the experiments give the findings and the figures of the page', async () => {
  const page = (await readFile(new URL('experiments.md', FOLDER), 'utf8')).replace(/\s+/g, ' ');
  const made = await runExperiments();
  assert.equal(made.length, page.match(/!\[/g)?.length);
  for (const { name, finding, svg } of made) {
    assert.ok(page.includes(`**${finding}**`), `${name}: ${finding}`);
    assert.ok(page.includes(`(${name}.svg)`), name);
    assert.equal(await readFile(new URL(`${name}.svg`, FOLDER), 'utf8'), svg, name);
  }
});
