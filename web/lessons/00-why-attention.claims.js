/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, value, cells, set, fill, becomes, text, tableRows }) => {
  assert.deepEqual([await value('noun'), await value('exact')], ['cat', '100\u00a0%']);
  assert.ok(Number(await value('probability')) > 0.99);
  // Two steps: from “it” to the last word, then to the noun.
  assert.deepEqual([await value('first-word'), await value('second-word')], ['hungry', 'cat']);
  for (const name of ['first-weight', 'second-weight']) assert.ok(Number(await value(name)) > 0.9, name);
  assert.deepEqual([await value('block'), await value('strongest')], ['0', 'hungry']);
  await set('Block', '1');
  assert.equal(await value('strongest'), 'cat');
  // Cuts: the default is the food; without the line to the cat, the answer is another noun.
  const cuts = (await cells('p(right noun)')).map((row) => row.map(Number));
  assert.ok(cuts[0].every((p) => p > 0.98), 'nothing is cut');
  assert.ok(cuts[1][0] < 0.02 && cuts[1][1] > 0.98, 'it → last word');
  assert.equal(await value('without-last'), '“fish”');
  assert.ok(cuts[2][0] < 0.02 && cuts[2][1] > 0.98, 'it → cat');
  assert.ok(cuts[3][0] > 0.98 && cuts[3][1] < 0.1, 'it → fish');
  assert.ok(['“animal”', '“dog”', '“mouse”', '“horse”', '“rabbit”', '“bear”', '“fox”', '“cow”']
    .includes(await value('without-noun')), 'another animal');
  // With earlier words alone, both sentences have one answer.
  assert.equal(await value('causal-hungry'), await value('causal-delicious'));
  assert.equal(await value('causal-hungry-p'), await value('causal-delicious-p'));
  await fill('#text', 'The cat ate the fish because it was delicious.');
  await becomes('noun', 'fish');
  await fill('#text', 'The animal didn’t cross the street because it was too wide.');
  await becomes('noun', 'street');
  await fill('#text', 'The animal didn’t cross the street because it was too tired.');
  await becomes('noun', 'animal');
  await fill('#text', 'The cat ate the zebra because it was hungry.');
  assert.match(await text('#refused'), /does not know ‘zebra’.*still shows the sentence before/);
  // One vector repeats a short word, and not a longer text; attention repeats both.
  const [, short, , long] = await tableRows('#repeated table');
  assert.deepEqual(short, ['hello', 'hello', 'hello']);
  assert.equal(long[2], long[0]);
  assert.notEqual(long[1], long[0]);
};
