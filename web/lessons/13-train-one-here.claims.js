/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, set, value }) => {
  const reversed = await value('answer');
  await set('Task', 'copy');
  assert.equal([...await value('answer')].reverse().join(''), reversed);
};
