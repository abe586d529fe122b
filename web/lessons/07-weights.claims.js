/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, set, value }) => {
  assert.deepEqual([await value('gpt3-attention'), await value('gpt3-billion')], ['57,982,058,496', '58']);
  assert.equal(await value('loaded'), await value('counted'));
  await set('Model', 'the model of this page');
  assert.equal(await value('total'), await value('loaded'));
};
