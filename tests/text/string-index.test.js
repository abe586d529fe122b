// The index of a vocabulary: it finds strings by their bytes, without a Map of strings.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Strings, stringEnds } from '../../js/text/tokenizer/strings.js';
import { StringIndex } from '../../js/text/tokenizer/string-index.js';
import { randomFrom } from '../support/numbers.js';

describe('the index of a list of strings', () => {
  /** @param {string[]} list */
  const indexOf = (list) => new StringIndex(Strings.from(list));

  test('finds the same entries as a Map', () => {
    const next = randomFrom(5);
    const letters = ['a', 'b', 'Ġ', '漢', '😀', 'é', '\0'];
    const letter = () => letters[Math.floor(7 * next())];
    const word = () => Array.from({ length: 1 + Math.floor(4 * next()) }, letter).join('');
    for (const size of [0, 1, 2, 3, 64, 1000]) {
      const list = Array.from({ length: size }, word);
      const map = new Map(list.map((string, place) => [string, place]));
      const index = indexOf(list);
      for (const string of [...list, ...Array.from({ length: 1000 }, word)]) {
        assert.equal(index.get(string), map.get(string), string);
        assert.equal(index.has(string), map.has(string), string);
      }
    }
  });

  test('names duplicate strings and returns the last of them', () => {
    const list = ['a', 'b', 'ab', 'b', 'a', 'b'];
    const index = indexOf(list);
    assert.deepEqual(index.twice, [1, 3]);
    assert.deepEqual(list.map((string) => index.get(string)), [4, 5, 2, 5, 4, 5]);
    assert.equal(indexOf(['ab', 'a', 'b', 'ba']).twice, null, 'the same concatenation');
  });

  test('compares bytes: invalid UTF-8 does not equal any text', () => {
    const [lead, inner] = new TextEncoder().encode('é');
    const one = (/** @type {number[]} */ ...bytes) => [bytes.length, 0, 0, 0, 0, 0, 0, 0, ...bytes];
    const bytes = Uint8Array.from([one(lead), one(inner), one(lead, inner)].flat());
    const index = new StringIndex(new Strings(bytes, stringEnds(bytes, 0, 3)));
    assert.equal(index.twice, null);
    assert.equal(index.get('é'), 2);
    assert.equal(index.get('\ufffd'), undefined);
  });

  test('an empty list has no entries', () => {
    const index = indexOf(['', 'a', '']);
    assert.equal(index.twice, null);
    assert.equal(index.get(''), undefined);
    assert.equal(index.get(undefined), undefined);
    assert.equal(index.get('a'), 1);
  });
});
