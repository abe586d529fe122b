/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, cells, set, value }) => {
  assert.equal(await value('two'), '(0.500, 0.500, 0.000)');
  assert.equal(await value('three'), '(0.333, 0.333, 0.333, 0.000)');
  for (const key of [1, 2]) await set(`key ${key} is visible`, false);
  assert.deepEqual(await cells('softmax(E + M)'), [['0.000', '0.000', '0.000', '0.000']]);
  await set('Length without padding', 0);
  assert.ok((await cells('Pattern')).flat().every((text) => text === ''),
    'without visible keys all weights are empty, and none is NaN');
  const seen = async () => (await cells('Pattern of the model')).map((row) => row.filter((text) => text !== '').length);
  assert.deepEqual(await seen(), [1, 2, 3, 4, 5, 6], 'GPT sees earlier tokens');
  await set('Model', 'bert');
  assert.deepEqual(await seen(), [6, 6, 6, 6, 6, 6], 'BERT sees all tokens');
  await set('Model', 'xlnet');
  assert.deepEqual(await seen(), [1, 3, 0, 5, 2, 4], 'XLNet sees what is earlier in its order');
  await set('Model', 'xl');
  assert.deepEqual(await seen(), [4, 5, 6], 'a segment sees the one before');
  assert.match(await value('model-why'), /differ by 0\.$/);
};
