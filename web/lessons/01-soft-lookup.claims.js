/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, cells, fill, number, set, value }) => {
  const lengths = (await cells('Keys')).map((key) => Math.hypot(...key.map(number)).toFixed(3));
  assert.deepEqual(lengths, Array(5).fill(await value('length')),
    'all keys have the same length, so the nearest key has the largest dot product');
  assert.ok(Number(await value('gradient-q')) > 0.1, 'a soft lookup has a gradient for the query');
  await set('Temperature τ', -2);
  assert.deepEqual((await cells('Weights α of the values')).flat(),
    ['1.000', '0.000', '0.000', '0.000', '0.000']);
  assert.equal(Number(await value('gradient-q')), 0);
  assert.equal(Number(await value('gradient-K')), 0);
  await fill('#query input', '0');
  assert.deepEqual((await cells('Weights α of the values')).flat(),
    ['0.500', '0.500', '0.000', '0.000', '0.000'], 'keys with equal scores share the weight');
};
