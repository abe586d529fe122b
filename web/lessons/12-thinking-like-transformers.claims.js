/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, becomes, cells, fill, press, scaleTicks, value, waitFor }) => {
  await waitFor(() => document.querySelectorAll('#drawing .thumbnail').length === 3); // the drawing has numbers
  assert.deepEqual([await scaleTicks('#by-hand'), await scaleTicks('#by-learning')], Array(2).fill(['0', '0.5', '1']));
  const each = await Promise.all(['learned-share', 'each-copy', 'each-other'].map(async (name) =>
    Number(await value(name))));
  assert.ok(each[0] > each[1] && each[1] > 2 * each[2] && each[2] > 0, `weights of ⊢,
    a copy and another letter: ${each}`);
  assert.equal(await value('verdict'), '31 of 31 right');
  assert.equal(await value('share'), (1 / (1 + Number(await value('n')))).toFixed(4));
  const shares = await Promise.all(['share', 'copies', 'others'].map((name) => value(`learned-${name}`)));
  assert.ok(shares.every((share) => Number(share) > 0.1), `each group gets part of the weight: ${shares}`);
  assert.ok(Math.abs(shares.reduce((sum, share) => sum + Number(share), 0) - 1) < 2e-4);
  assert.deepEqual([await value('sequences'), await value('right')], ['5,456', '100\u00a0%']);

  await press('#check', ['Enter']);
  await waitFor(() => /^right on \d of 100 .* instead of/.test(document.querySelector('[data-value=checked]')
    ?.textContent ?? ''));
  await press('#solve', ['Enter']);
  await becomes('checked', 'right on 100 of 100 random strings');
  assert.equal((await cells('Key of each token')).length, 5);
  // A value for a letter is wrong.
  await fill('[aria-label="Value: token a, dim 1"]', '1');
  await becomes('checked', 'not checked yet');
  await press('#check', ['Enter']);
  await waitFor(() => /^right on \d+ of 100 .* instead of/.test(document.querySelector('[data-value=checked]')
    ?.textContent ?? ''));
};
