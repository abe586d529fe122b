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
  await set('hard attention: one patch for each word', true);
  await becomes('caption', 'a green triangle');
  assert.ok(number(await value('near')) > number(await value('far')) + 0.2, 'neighbors have similar positions');
  assert.equal((await cells('Cosine with the chosen position')).flat().filter((cell) => cell === '1.00').length, 1);
  await press('#fresh button', ['Enter']);
  await waitFor(() => /of 64$/.test(document.querySelector('[data-value=fresh]')?.textContent ?? ''));
  assert.ok(Number.parseInt(await value('fresh')) >= 58, await value('fresh'));
};
