/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, becomes, cells, fill, press, set, text, value, waitFor }) => {
  const results = () => cells('Result for each token');
  assert.deepEqual(await results(), Array(2).fill(['d', 'd', 'c', 'b', 'a']));
  assert.deepEqual([await value('layers'), await value('heads')], ['3', '1 + 0 + 1']);
  assert.equal(await text('#maps section:last-child code'), 'select(indices, opposite, ==)');

  await press('#check', ['Enter']);
  await becomes('verdict', 'The transformer is right on 200 of 200 random strings.');

  await fill('#input', 'abcdabcdabcda');
  assert.match(await text('#refused'), /13 tokens; this model was compiled for at most 12\./);
  await fill('#input', 'abc');
  assert.deepEqual(await results(), Array(2).fill(['c', 'b', 'a']));

  await fill('#program', 'x = indices;\nselect(x, tokens, ==);');
  await waitFor(() => /^Line 2, column 1: ‘==’ compares/.test(document.getElementById('mistake')?.textContent ?? ''));
  assert.equal(await text('#line-numbers .wrong'), '2');
  await fill('#program', 'x = indices;\nx + 1;');
  await waitFor(() => document.querySelector('#answers tbody td')?.textContent === '1');
  assert.deepEqual([await text('#mistake'), await value('heads')], ['', 'no']);

  await set('Task', 'sofar');
  await waitFor(() => document.querySelector('#answers tbody td')?.textContent === 'a');
  assert.equal(await text('#maps'), '');
  await press('#check', ['Enter']);
  await waitFor(() => /right on \d+ of 200 .* first wrong/.test(document.querySelector('[data-value=verdict]')
    ?.textContent ?? ''));
  await press('#solve', ['Enter']);
  await waitFor(() => document.querySelector('#answers tbody td')?.textContent === '1');
  await press('#check', ['Enter']);
  await becomes('verdict', 'The transformer is right on 200 of 200 random strings.');

  assert.deepEqual([await value('compiled-30'), await value('compiled-10'), await value('learned-30')],
    ['100\u00a0%', '100\u00a0%', '100\u00a0%']);
  assert.ok(parseFloat(await value('learned-10')) < 50, await value('learned-10'));
};
