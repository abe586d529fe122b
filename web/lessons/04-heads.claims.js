/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, cells, number, set, value, waitFor }) => {
  await waitFor(() => document.querySelectorAll('#drawing .thumbnail').length === 3); // the drawing has numbers
  const the = 3;
  const dog = 4;
  const both = (await cells('One head'))[dog].map(Number);
  assert.deepEqual([both[the], both[dog]], [0.47, 0.47], 'one head attends to the token before and to the same word');
  assert.equal((await cells('Its output'))[dog].filter((text) => Number(text) > 0.4).length, 2,
    'its output averages both words');
  await set('The head looks for', 'previous');
  assert.equal(Number((await cells('One head'))[dog][the]), 0.89);
  await set('The head looks for', 'same');
  assert.equal(Number((await cells('One head'))[dog][dog]), 0.89);
  const second = await cells('Head 2');
  const first = await cells('Head 1');
  assert.equal(first[4].indexOf('0.89'), 3, 'dog attends to the token before');
  assert.deepEqual(second[0].filter((text) => text === '0.32').length, 3, 'the word “the” occurs three times');
  await set('Kind', 'pieces');
  assert.deepEqual([await cells('Head 1'), await cells('Head 2')], [first, second]);
  await set('Head 2 looks for', 'previous');
  assert.ok((await cells('Head 2')).flat().every((text) => text === '0.13'), 'its piece has no positions');
  await set('Kind', 'pooled');
  assert.deepEqual(await cells('Head 2'), first);
  const halves = (await cells('Output')).map((row) => [row.slice(0, 8), row.slice(8)]);
  assert.ok(halves.every(([where]) => where.filter((text) => Number(text) > 1).length <= 1),
    'the left half shows positions');
  await set('Head 2 looks for', 'same');
  await set('Kind', 'widths');
  assert.deepEqual([await cells('Head 1'), await cells('Head 2')], [first, second],
    'the value widths do not change the patterns');
  assert.ok(Number(await value('apart')) > 0.8);
  assert.ok((await cells('Output')).every((row) => new Set(row).size > 2));
  await set('Values of head 2', 8);
  assert.ok(number(await value('apart')) < 1e-6, 'full value widths give the standard kind');
};
