/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, becomes, cells, number, press, set, value, waitFor }) => {
  assert.equal(await value('caption'), 'a red circle above a blue square');
  assert.equal(await value('label'), 'red circle');
  await set('Shape 1', 'green triangle');
  await becomes('caption', 'a green triangle above a blue square');
  await set('Shape 2', 'yellow circle');
  await becomes('caption', 'a green triangle above a yellow circle');
  await set('Shape 2', 'none');
  await becomes('caption', 'a green triangle');
  await becomes('label', 'green triangle');
  await set('Attention', 'hard');
  await becomes('caption', 'a green triangle');
  await waitFor(() => [...document.querySelectorAll('#words canvas')].every((each) =>
    each.getAttribute('aria-label')?.includes(': 100\u00a0% at')));
  await set('Attention', 'soft');
  await waitFor(() => ![...document.querySelectorAll('#words canvas')].every((each) =>
    each.getAttribute('aria-label')?.includes(': 100\u00a0% at')));
  assert.ok(number(await value('near')) > number(await value('far')) + 0.2, 'neighbors have similar positions');
  assert.equal((await cells('Cosine with the chosen position')).flat().filter((cell) => cell === '1.00').length, 1);
  await press('#fresh button', ['Enter']);
  await waitFor(() => /^Exact sentences of 64/.test(document.querySelector('[data-value=fresh]')?.textContent ?? ''));
  for (const [kind, least] of /** @type {const} */ ([['soft', 60], ['hard', 57], ['cut', 51]])) {
    const text = await value(`fresh-${kind}`);
    assert.ok(/ of 64$/.test(text) && Number.parseInt(text) >= least, `${kind}: ${text}`);
  }
  const near = await value('near');
  await set('row', 1);
  assert.notEqual(await value('near'), near, 'the positions are there after the memory has grown');
  const [soft, hard] = [await value('soft-exact'), await value('hard-exact')].map(Number.parseFloat);
  assert.ok(soft > hard && hard > 95, 'the table has the figures of the cards');
};
