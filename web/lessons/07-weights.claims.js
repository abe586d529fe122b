/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, press, set, tableRows, value, waitFor }) => {
  assert.deepEqual([await value('gpt3-attention'), await value('gpt3-billion')], ['57,982,058,496', '58']);
  assert.equal(await value('loaded'), await value('counted'));
  await set('Model', 'the model of this page');
  assert.equal(await value('total'), await value('loaded'));

  assert.equal(await value('gpt3-training'), '3.14\u00a0×\u00a010²³', 'the number of the paper');
  const work = async () => Object.fromEntries(await tableRows('#work'));
  assert.equal((await work())['multiply-adds with weights'], '2.75\u00a0×\u00a010⁶', 'all weights, without norms');
  await set('Tokens of the text', 10);
  assert.equal((await work())['bytes of the KV cache, with 1,024 tokens'], '1.57 MB', '768 numbers of two bytes');
  await set('Weights', 'F16');
  assert.equal((await work())['bytes of weights, read for each token'], '5.51 MB');

  const [row] = await tableRows('#rates');
  assert.deepEqual(row.slice(2), ['–', '–', '–'], 'nothing is measured before the reader asks');
  await press('#machine button', ['Enter']);
  await waitFor(() => /GB/.test(document.querySelector('[data-value=read-rate]')?.textContent ?? ''));
  const rates = (await tableRows('#rates')).map((cells) =>
    cells.slice(2).map((text) => Number(text.replaceAll(',', ''))));
  assert.ok(rates.every(([memory, arithmetic]) => memory > 0 && arithmetic > 0) && rates[0][2] > 0);
  assert.ok(rates[0][0] > 1e4 * rates[4][0], 'GPT-3 reads more than ten thousand times as much');
};
