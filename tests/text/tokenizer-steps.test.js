// Each step of a tokenizer.json cuts and changes text as in Hugging Face's tokenizers
// (tools/goldens/tokenizer-steps.js).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { tokenizerFromJson } from '../../js/text/tokenizer.js';
import { rejects } from '../support/expect.js';
import { STEPS, TEXTS, jsonOf } from '../support/tokenizer-steps.js';

const GOLDENS = JSON.parse(readFileSync(new URL('../goldens/tokenizer-steps.json', import.meta.url), 'utf8'));

for (const [name, steps] of Object.entries(STEPS)) {
  test(name, () => {
    const tokenizer = tokenizerFromJson(jsonOf(steps), {}, 'tokenizer.json');
    TEXTS.forEach((text, i) =>
      assert.deepEqual(Array.from(tokenizer.encode(text)), GOLDENS[name][i], JSON.stringify(text)));
  });
}

test('an unknown behavior is refused', () => rejects(async () => tokenizerFromJson(jsonOf({ pre_tokenizer:
  { type: 'Punctuation', behavior: 'Shuffled' } }), {}, 'tokenizer.json'), 'bad-tokenizer', /behavior ‘Shuffled’/));

test('white space at the end takes linear time', () => {
  const tokenizer = tokenizerFromJson(jsonOf(STEPS.Strip), {}, 'tokenizer.json');
  assert.ok(tokenizer.encode(`${' '.repeat(200_000)}a${' '.repeat(200_000)}b`).length > 200_000 / 2);
});
