/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, cells, number, set, tableRows, value, waitFor }) => {
  await waitFor(() => document.querySelectorAll('#drawing .thumbnail').length === 3); // the drawing has numbers
  assert.deepEqual([await value('layers'), await value('heads'), await value('width')], ['32', '32', '128']);
  const rows = await tableRows('#kinds');
  assert.deepEqual(rows.map(([, numbers]) => numbers), ['8,192', '2,048', '256', '576', '2,048']);
  assert.deepEqual(rows.map(([, , bytes]) => bytes), ['17.2 GB', '4.29 GB', '537 MB', '1.21 GB', '784 MB']);
  assert.equal(await value('weights'), '16.1 GB');
  await set('Tokens of the text', 10);
  const short = await tableRows('#kinds');
  assert.equal(short[4][2], short[1][2], 'a short text fits into the window');

  const separate = await Promise.all(['the token before', 'the token after', 'the same word', '‘the’'].map((name, n) =>
    cells(`Head ${n + 1}: ${name}`)));
  assert.deepEqual([await value('cached'), await value('found')], ['48', '4']);
  await set('Keys and values', 'groups');
  assert.deepEqual([await value('cached'), await value('found')], ['24', '4']);
  assert.deepEqual(await cells('Head 2: the token after'), separate[1], 'a group keeps the maps of its heads');
  await set('Keys and values', 'words');
  assert.deepEqual([await value('cached'), await value('found')], ['12', '2']);
  assert.ok((await cells('Head 1: the token before')).flat().every((text) => text === '0.17'), 'even rows');
  assert.deepEqual(await cells('Head 4: ‘the’'), separate[3]);
  await set('Keys and values', 'wide');
  assert.deepEqual([await value('cached'), await value('found')], ['18', '4']);
  assert.deepEqual(await cells('Head 1: the token before'), separate[0]);

  assert.deepEqual([await value('separate'), await value('kept')], ['64', '6']);
  assert.ok(number(await value('order-off')) < 2e-6 && number(await value('output-off')) < 2e-5);
  await set('Heads', 16);
  assert.deepEqual([await value('separate'), await value('kept')], ['256', '6'], 'C does not grow with the heads');

  assert.equal(await value('reached'), '9', '4 layers · 2 tokens more, and the token itself');
  await set('Layers', 1);
  assert.deepEqual([await value('reached'), await value('farthest')], ['3', '33.333\u00a0%']);
  await set('Window', 8);
  await set('Layers', 3);
  assert.equal(await value('reached'), '22');

  assert.equal(await value('sink-sum'), '0.404');
  await set('Score of key 2', 8);
  assert.ok(Number(await value('sink-sum')) > 0.99, 'a key that fits gets its weight');
  await set('b, score of the sink', -4);
  assert.equal(await value('sink-sum'), '1.000');

  assert.equal(await value('cap-to'), '48.2');
  await set('a, the bound', 20);
  assert.equal(await value('cap-to'), '20.0');
};
