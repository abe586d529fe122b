// Models that repeat a text, with and without attention: their data, and the figures of the card on fresh texts.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { lab, randomFrom } from '../../js/lab/index.js';
import { openTranslator } from '../../js/train/models/index.js';
import { LONGEST_TRAINED, isHeldOut, randomText, symbolsRight } from '../../js/train/tasks/repeat.js';

/** Fresh texts of each length. */
const TEXTS = 32;
/** Least and largest fraction of fresh texts that are repeated exactly, by model and length. */
const EXACT = {
  'repeat-no-attention': { 4: [0.9, 1], 12: [0, 0.3], 20: [0, 0.05] },
  'repeat-bahdanau': { 4: [0.95, 1], 12: [0.95, 1], 20: [0.95, 1] },
  'repeat-luong': { 4: [0.95, 1], 12: [0.9, 1], 20: [0.9, 1] },
  'repeat-transformer': { 4: [0.95, 1], 12: [0.95, 1], 20: [0.95, 1] },
};

test('one text in ten is held out', () => {
  const random = randomFrom(1);
  for (const length of [4, LONGEST_TRAINED]) {
    const text = randomText(random, length, true);
    assert.ok(text.length === length && isHeldOut(text) && text.trim() === text);
    assert.ok(!isHeldOut(randomText(random, length, false)));
  }
  const held = Array.from({ length: 4000 }, (_, i) => isHeldOut(`text ${i}`)).filter(Boolean).length;
  assert.ok(held > 320 && held < 480, String(held));
  assert.equal(symbolsRight('abcd', 'abdd'), 3);
});

for (const [name, lengths] of Object.entries(EXACT)) {
  test(`${name} repeats fresh texts as its card says`, async () => {
    const l = await lab({ engine: 'simd128' });
    const model = await openTranslator(l, await readFile(new URL(`../../models/${name}.safetensors`, import.meta.url)));
    const random = randomFrom(7);
    for (const [length, [least, most]] of Object.entries(lengths)) {
      const texts = Array.from({ length: TEXTS }, () => randomText(random, Number(length), true));
      const exact = model.translateAll(texts).filter(({ text }, i) => text === texts[i]).length / TEXTS;
      assert.ok(exact >= least && exact <= most, `${length} symbols: ${exact}`);
    }
    l.dispose();
  });
}
