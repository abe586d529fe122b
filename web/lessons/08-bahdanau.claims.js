/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, value }) => {
  assert.equal(await value('translation'), '2008-07-12');
  assert.equal(await value('off'), '0', 'the repeated step equals the step of the model');
  assert.deepEqual([await value('rows'), await value('columns')], ['10', '25']);
};
