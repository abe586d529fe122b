/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, becomes, press, set, value, waitFor }) => {
  assert.equal(await value('translation'), '2008-07-12');
  assert.deepEqual([await value('form'), await value('own')], ['dot', '0'], 'the dot score has no weights');
  assert.deepEqual([await value('states'), await value('columns')], ['96', '26'], '<end> is the last column');
  // A cut cell: its weight is 0 in the second map, and the row sums to less than 1.
  await press('#map >>> .window', ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'x']);
  await waitFor(() => /^With 1 cell cut: → /.test(document.querySelector('#cuts [role=status]')?.textContent ?? ''));
  assert.equal(await value('translation'), '2008-07-12', 'the translation without cuts stays');
  await press('#cuts button:nth-of-type(2)', ['Enter']);
  await waitFor(() => document.querySelector('#cuts [role=status]')?.textContent === 'No weight is cut.');
  const own = { general: '9,216', location: '4,800', feeding: '9,216', 'local-p': '18,528' };
  for (const [form, weights] of Object.entries(own)) {
    await set('Attention', form);
    await becomes('own', weights);
    assert.equal(await value('states'), '96', form);
  }
  await waitFor(() => /at most 4 from its center/
    .test(document.querySelector('[data-value=window]')?.textContent ?? ''));
  assert.equal(await value('exact'), '79.88\u00a0%');
  await set('Attention', 'local-m-feeding');
  await becomes('exact', '85.55\u00a0%');
  await set('Attention', 'local-p-feeding');
  await becomes('exact', '100\u00a0%');
  assert.ok(Number(await value('sum')) <= 1, 'a row of local-p sums to at most 1');
};
