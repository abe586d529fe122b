/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, cells, set, value }) => {
  assert.equal(await value('two'), '(0.500, 0.500, 0.000)');
  assert.equal(await value('three'), '(0.333, 0.333, 0.333, 0.000)');
  for (const key of [1, 2]) await set(`key ${key} is visible`, false);
  assert.deepEqual(await cells('softmax(E + M)'), [['0.000', '0.000', '0.000', '0.000']]);
  await set('Length without padding', 0);
  assert.ok((await cells('Pattern')).flat().every((text) => text === ''),
    'without visible keys all weights are empty, and none is NaN');
};
