/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, becomes, fill, number, press, set, tableRows, text, value, waitFor }) => {
  await waitFor(() => document.querySelectorAll('#drawing .thumbnail').length === 2); // the drawing has numbers
  const numberOf = async (/** @type {string} */ name) => number((await value(name)).replaceAll(',', ''));
  const stages = async () => (await tableRows('#stages tbody')).map(([, ...cells]) => cells.map(number));
  const column = (/** @type {number[][]} */ rows, /** @type {number} */ at) => rows.map((row) => row[at]);

  assert.equal(await value('kept-k'), '8');
  const [first, second] = await stages();
  assert.ok(Math.abs(Math.log(first[1] / second[1]) - (first[0] - second[0])) < 0.1, 'the softmax keeps differences');
  assert.ok(column(await stages(), 4).slice(8).every(Number.isNaN), 'removed tokens');
  await set('Top-k', 3);
  assert.equal(await value('kept-k'), '3');
  await set('Top-p', 1);
  const sum = column(await stages(), 4).slice(0, 3).reduce((a, b) => a + b);
  assert.ok(Math.abs(sum - 1) < 0.002, 'what is kept sums to 1');

  await set('Top-k', 0);
  await set('Top-p', 0.9);
  await set('Temperature τ', 2);
  const cutFirst = await numberOf('kept-p');
  assert.match(await text('#drawing .note'), /The cuts come before the temperature\.$/);
  await set('Order', 'transformers');
  assert.match(await text('#drawing .note'), /The temperature comes before the cuts\.$/);
  await waitFor(() => document.querySelectorAll('#drawing .thumbnail').length === 2);
  assert.ok(await numberOf('kept-p') > cutFirst, 'a warm distribution keeps more');
  await set('Order', 'llama.cpp');
  await set('Temperature τ', 0.8);
  await set('Top-k', 4);
  await press('#draws button', ['Enter']);
  await becomes('drawn', '64');
  assert.equal(await value('outside'), '0', 'the engine draws what the stages keep');
  const drawn = column(await stages(), 5).slice(0, 4);
  const chances = column(await stages(), 4).slice(0, 4);
  assert.ok(Math.abs(drawn[0] - chances[0]) < 0.25, `${drawn[0]} drawn, ${chances[0]} expected`);

  const [greedy, sampled] = [await value('greedy-p'), await value('sampled-p')].map((text) => parseFloat(text));
  assert.ok(greedy > sampled && parseFloat(await value('greedy-again')) > parseFloat(await value('sampled-again')));

  assert.equal(await value('without-cache'), await value('with-cache'));
  for (const read of ['8', '9']) {
    await press('#stepping button', ['Enter']);
    await becomes('with-cache', read);
  }
  const rows = await tableRows('#steps');
  assert.ok(rows.every((row) => row[6] === '0'), 'with and without the cache, the same logits');
  assert.deepEqual(rows.map((row) => row[4]), ['7', '8', '9']);
  assert.deepEqual([await value('with-cache'), await value('without-cache')], ['9', '24']);
  assert.equal(rows[1][1], rows[0][2], 'what comes out goes in next');

  const loss = await numberOf('mean-loss');
  assert.ok(Math.abs(Math.exp(loss) / await numberOf('perplexity') - 1) < 0.02);
  assert.ok(Math.abs(-Math.log(await numberOf('p-came')) - await numberOf('loss-came')) < 0.02);
  assert.ok(number(await value('metric-off')) < 1e-4, 'the mean is the metric of the engine');
  const losses = (await tableRows('#losses tbody')).map((row) => number(row[2]));
  assert.ok(Math.abs(losses.reduce((a, b) => a + b) / losses.length - loss) < 0.01);
  await fill('#sentence', 'ball she new very a got because happy was Lily');
  await waitFor(() => document.querySelector('#losses tbody th')?.textContent !== 'Lily');
  assert.ok(await numberOf('mean-loss') > loss + 2, 'the same words in disorder');

  await fill('#prompt', 'x'.repeat(121));
  await waitFor(() => /121 characters; the maximum is 120/.test(document.getElementById('refused')?.textContent ?? ''));
  assert.equal(await value('with-cache'), '9', 'the figures keep the text before');
};
