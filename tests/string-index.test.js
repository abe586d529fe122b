import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Strings } from '../js/gguf/strings.js';
import { StringIndex } from '../js/tokenizer/string-index.js';
import { randomFrom } from './support/numbers.js';

describe('the index of a list of strings', () => {
  /** @param {string[]} list */
  const indexOf = (list) => new StringIndex(Strings.from(list));

  test('finds what a Map finds', () => {
    const next = randomFrom(5);
    const letters = ['a', 'b', 'Ġ', '漢', '😀', '\ud83d', '\0'];
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

  test('tells which string stands again, and of equal ones gives the last', () => {
    const list = ['a', 'b', 'ab', 'b', 'a', 'b'];
    const index = indexOf(list);
    assert.deepEqual(index.twice, [1, 3]);
    assert.deepEqual(list.map((string) => index.get(string)), [4, 5, 2, 5, 4, 5]);
    assert.equal(indexOf(['ab', 'a', 'b', 'ba']).twice, null, 'together they are the same text');
  });

  test('has no place for nothing', () => {
    const index = indexOf(['', 'a', '']);
    assert.equal(index.twice, null);
    assert.equal(index.get(''), undefined);
    assert.equal(index.get(undefined), undefined);
    assert.equal(index.get('a'), 1);
  });
});
