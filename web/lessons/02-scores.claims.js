/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, cells, fill, number, set, text, value, waitFor }) => {
  assert.deepEqual(await cells('E, scores'), [['3.000', '−3.000', '1.000'], ['−7.000', '−1.000', '11.000']]);
  assert.deepEqual(await cells('A, pattern'), [['0.879', '0.002', '0.119'], ['0.000', '0.000', '1.000']]);
  assert.deepEqual(await cells('Z = AV, output'), [['1.762', '3.229', '0.998'], ['0.000', '5.000', '1.000']]);
  assert.ok(Number(await value('plain')) < 0.5 && Number(await value('scaled')) > 4);
  const plain = Number(await value('plain-gradient'));
  const scaled = Number(await value('scaled-gradient'));
  assert.ok(plain < 0.2 && scaled > 0.8, `plain dot products have small derivatives: ${plain}, ${scaled}`);
  // Each version has its own drawing, with its numbers.
  assert.match(await text('#drawing .note'), /^Version 0\. A small network/);
  await set('Version', 5);
  assert.match(await text('#drawing .note'), /^Version 5\. New: the queries/);
  await waitFor(() => document.querySelectorAll('#drawing .thumbnail').length === 7);
  await set('Projections are the identity', true);
  assert.deepEqual([await value('v3'), await value('v4'), await value('v5')], ['0', '0', '0']);
  assert.ok(number(await value('general-off')) < 1e-6, 'the general form equals the softmax');
  assert.ok(number(await value('positive-least')) > 0);
  assert.ok(number(await value('signed-least')) < 0 || number(await value('signed-most')) > 1,
    'a function f with negative values gives no attention');
  const centered = Number(await value('variance-centered'));
  const shifted = Number(await value('variance-shifted'));
  assert.ok(Math.abs(centered - 1) < 0.1 && Math.abs(shifted - 3) < 0.3, `${centered} d and ${shifted} d`);
  assert.deepEqual([await value('row-sums'), await value('alone-off')], ['1.00 and 1.00', '0']);
  await set('Softmax over the queries (columns): wrong', true);
  assert.notEqual(await value('row-sums'), '1.00 and 1.00');
  assert.ok(Number(await value('alone-off')) > 0.1, 'queries disturb each other');
  assert.deepEqual([await value('asymmetry'), await value('taken')], ['0', '7.00, 5.00, 2.00']);
  assert.ok((await cells('A without projections')).some((row, i) => Number(row[(i + 1) % 3]) < 0.5),
    'without projections the next token is not found');
  await fill('.matrix input', '1e30');
  assert.deepEqual((await cells('E, scores'))[0], ['3.000', '−3.000', '1.000'],
    'an input whose exponential overflows is ignored');
  await fill('.matrix input', '1');
  assert.deepEqual((await cells('E, scores'))[0], ['1.000', '−3.000', '0.000']);
};
