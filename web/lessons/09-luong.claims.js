/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, becomes, set, value }) => {
  assert.equal(await value('translation'), '2008-07-12');
  assert.deepEqual([await value('score'), await value('own')], ['dot', '0'], 'the dot score has no weights');
  assert.deepEqual([await value('states'), await value('columns')], ['128', '26'], '<end> is the last column');
  await set('Score', 'general');
  await becomes('score', 'general');
  assert.deepEqual([await value('states'), await value('own')], ['96', '9,216'],
    'the general model is narrower than the dot model');
};
