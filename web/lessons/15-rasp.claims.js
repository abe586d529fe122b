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

  // Fields that cannot be used say what to write.
  const hasMistake = (/** @type {string} */ wanted) => document.getElementById('mistake')?.textContent === wanted;
  await fill('#input', '');
  assert.match(await text('#refused'), /^Write at least one character\. The figure still/);
  await fill('#input', 'abc');
  for (const [field, wrong, right, mistake] of [
    ['#longest', '', '12', 'The longest input must be a whole number from 1 to 32.'],
    ['#longest', '2.5', '12', 'The longest input must be a whole number from 1 to 32.'],
    ['#vocabulary', '', 'abcd', 'The vocabulary needs at least one character.'],
  ]) {
    await fill(field, wrong);
    await waitFor(hasMistake, mistake);
    await fill(field, right);
    await waitFor(hasMistake, '');
  }

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
