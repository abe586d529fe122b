// The ranks of merges by the ids of their parts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PairRanks } from '../../js/text/tokenizer/pair-ranks.js';
import { randomFrom } from '../support/numbers.js';

test('pairs have the same ranks as in a Map', () => {
  const next = randomFrom(9);
  for (const size of [0, 1, 2, 3, 64, 1000]) {
    const id = () => Math.floor(next() * Math.sqrt(2 * size)); // some pairs occur twice
    const ranks = new PairRanks(size);
    const map = new Map();
    for (let rank = 0; rank < size; rank++) {
      const left = id();
      const right = id();
      ranks.set(left, right, rank);
      map.set(`${left} ${right}`, rank);
    }
    for (let i = 0; i < 2000; i++) {
      const left = id();
      const right = id();
      assert.equal(ranks.get(left, right), map.get(`${left} ${right}`), `${left} and ${right} of ${size}`);
    }
    assert.equal(ranks.get(-1, -1), undefined);
    assert.equal(ranks.get(0, 2 ** 21 - 1), undefined);
  }
});
