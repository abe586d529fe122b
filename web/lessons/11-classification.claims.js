/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, cells, number, press, set, value, waitFor }) => {
  assert.deepEqual([await value('label'), await value('most')], ['positive', '“beautiful”']);
  const [parts] = (await cells('Contribution of each word')).map((row) => row.map(number));
  const order = parts.map((_, i) => i).sort((a, b) => parts[b] - parts[a]);
  const opening = ['A', 'charming', 'little', 'hotel', 'with', 'a', 'beautiful', 'garden', '.'];
  assert.deepEqual(order.slice(0, 2).map((i) => opening[i]), ['beautiful', 'charming'],
    'the words of praise contribute most');
  assert.ok(Number(await value('sum')) > 0 && Number(await value('largest')) >= Number(await value('even')));
  const looked = Number(await value('given'));
  assert.ok(looked > 1 / 3, `“good” gives ${looked} to “not”`);
  const praise = (await cells('p(praise)')).map((row) => row.map(Number));
  const not = (await cells('Wx of “not”')).map((row) => row.map(number));
  const [whole, , , both, hidden] = praise;
  assert.equal(whole[0], Number(await value('whole')));
  whole.forEach((p, i) => {
    const answers = praise.slice(1, 3).map((row) => row[i]);
    assert.ok(answers.every((cut) => Math.abs(cut - p) < 0.06),
      `one edge does not explain the answer: ${answers} and ${p}`);
    assert.equal(both[i] > 0.5, p > 0.5, 'both edges together do not explain it');
    assert.ok(Math.abs(hidden[i] - p) > 3 * Math.abs(answers[0] - p),
      'the adjective reaches “not” through other words');
    assert.ok(Math.abs(not[4][i]) < Math.abs(not[0][i]) / 2 && Math.sign(not[0][i]) === Math.sign(p - 0.5));
  });
  assert.ok(number(await value('adjective-says')) > 1, '“good” itself counts as praise');
  assert.ok(Number(await value('adjective-alpha')) < 0.05 && Number(await value('not-alpha')) > 0.5);
  const labels = { 3: 'positive', 4: 'negative', 5: 'positive', 6: 'negative', 7: 'negative' };
  for (const [i, label] of Object.entries(labels)) {
    await set('A sentence', Number(i));
    assert.equal(await value('label'), label, i);
  }
  // A cut head, and the answer without it beside the answer with it.
  await press('#own-cuts button:nth-of-type(2)', ['Enter']);
  await waitFor(() => /^With 1 head cut/.test(document.querySelector('#own-cuts [role=status]')?.textContent ?? ''));
  await press('#own-cuts button:nth-of-type(3)', ['Enter']);
  await waitFor(() => document.querySelector('#own-cuts [role=status]')?.textContent === 'No weight is cut.');
  await set('Block', 1);
};
