/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, becomes, cells, press, set, value, waitFor }) => {
  const reversed = await value('answer');
  await set('Task', 'copy');
  assert.equal([...await value('answer')].reverse().join(''), reversed);
  await becomes('before', 'h e d g e h o g');
  await set('Task', 'reverse');
  await becomes('before', 'g o h e g d e h');
  assert.equal(await value('model'), 'the model that heed ships');

  // The bias of the logit of ‘a’ is typed, so the model answers nothing else. Then the change is taken back.
  await waitFor(() => document.querySelector('#anatomy')?.shadowRoot?.querySelectorAll('.matrix').length === 22);
  await press('#anatomy >>> .matrix[aria-label^="b_U "]', ['Enter', '9', '9', 'Enter']);
  await becomes('after', 'a a a a a a a a');
  assert.deepEqual([await value('changes'), await value('before')], ['1 change', 'g o h e g d e h']);
  assert.match(await value('chance-after'), /^(0|<)/);
  assert.ok(parseFloat(await value('chance-before')) > 90);
  await waitFor(() => /^b_U, number 0 = 99$/.test(document.querySelector('#anatomy')?.shadowRoot
    ?.querySelector('.changes li button')?.textContent ?? ''));
  await press('#anatomy >>> .changes button', ['Enter']);
  await becomes('after', 'g o h e g d e h');
  assert.equal(await value('changes'), '0 changes');

  // Text that is not a number is refused, and changes nothing.
  await press('#anatomy >>> .window', ['1', 'e', 'Enter']);
  await waitFor(() => /from −1000 to 1000/.test(document.querySelector('#anatomy')?.shadowRoot
    ?.querySelector('.inspector .problem')?.textContent ?? ''));
  await press('#anatomy >>> .editor', ['Escape']);
  assert.equal(await value('changes'), '0 changes');

  await press('#anatomy >>> .player button:last-child', ['Enter']);
  await waitFor(() => /^1 of 20: Embedding\./.test(document.querySelector('#anatomy')?.shadowRoot
    ?.querySelector('.stage')?.textContent ?? ''));

  // The reader's own training, and its first step.
  await press('#training >>> .first', ['Enter']);
  await becomes('model', 'your model after step 200');
  await becomes('before', 'g o h e g d e h');
  await press('#training >>> input[type=range]', ['Home']);
  await becomes('model', 'your model after step 0');
  assert.notEqual(await value('before'), 'g o h e g d e h');

  // A training with more layers and heads, and a row for each training.
  await set('Layers', 2);
  await set('Heads', 4);
  await press('#training >>> .first', ['Enter']);
  await waitFor(() => document.querySelectorAll('#trained tr').length === 2);
  assert.deepEqual(await cells('Your trainings'), [['1', '1', '1', '10,225', '100\u00a0%', '100\u00a0%'],
    ['2', '4', '1', '18,769', '100\u00a0%', '100\u00a0%']]);
  await becomes('before', 'g o h e g d e h');
  await waitFor(() => document.querySelector('#training')?.shadowRoot?.querySelectorAll('select option').length === 8);
};
