/** The claims of a lesson: a test opens its page in real browsers and calls this function.
 *  @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, cells, set, value }) => {
  const [row] = await cells('Weights');
  assert.equal(row.reduce((sum, weight) => sum + Number(weight), 0).toFixed(2), '1.00', 'the weights sum to 1');
  const before = Number(await value('largest'));
  await set('Temperature τ', 0.5);
  assert.ok(Number(await value('largest')) > before, 'a lower temperature makes the weights sharper');
};
