/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, fill, set, text, value, press, waitFor, tableRows }) => {
  assert.equal(await value('translation'), '2008-07-12');
  assert.equal(await value('off'), '0', 'the repeated step equals the step of the model');
  assert.deepEqual([await value('rows'), await value('columns')], ['10', '25']);
  // The lines of one state: from the last written symbol to the read symbol above it.
  await press('#lines >>> .window', ['End', 'ArrowUp']);
  await waitFor(() => /^A space \(9\) gets [\d.]+.% from ‘-’ \(7\)/
    .test(document.querySelector('#lines')?.shadowRoot?.querySelector('output')?.textContent ?? ''));
  // A cut cell, and the answer without it.
  await press('#map >>> .window', ['ArrowDown', 'ArrowRight', 'x']);
  await waitFor(() => /^With 1 cell cut: → /.test(document.querySelector('#cuts [role=status]')?.textContent ?? ''));
  await press('#cuts button:nth-of-type(2)', ['Enter']);
  await waitFor(() => document.querySelector('#cuts [role=status]')?.textContent === 'No weight is cut.');
  // The reason, measured: with 12 symbols the model without attention fails, and the others do not.
  await press('#own-controls button', ['Enter']);
  await waitFor(() => document.querySelectorAll('#own-written tbody tr').length === 4);
  const own = (await tableRows('#own-written table')).slice(1);
  assert.deepEqual(own.map(([name]) => name), ['no attention', 'Bahdanau', 'Luong', 'Transformer']);
  assert.notEqual(own[0][1], 'attention is all you');
  for (const [name, written, right] of own.slice(1)) {
    assert.deepEqual([written, right], ['attention is all you', '20 of 20'], name);
  }
  // A refused text is named in its own figure, and the measurement continues.
  const cancels = (/** @type {string} */ disabled) => document.querySelector('#lengths-controls button:nth-of-type(2)')
    ?.getAttribute('aria-disabled') === disabled;
  await waitFor(cancels, 'true');
  await press('#lengths-controls button', ['Enter']);
  await waitFor(cancels, 'false');
  await fill('#own', 'número 1');
  await press('#own-controls button', ['Enter']);
  await waitFor(() => document.getElementById('own-error')?.textContent === 'Write only letters a to z and spaces.');
  await fill('#own', '');
  await press('#own-controls button', ['Enter']);
  await waitFor(() => document.getElementById('own-error')?.textContent === 'Write at least one character.');
  // The axis has all lengths before the last one is measured.
  await waitFor(() => document.querySelector('#lengths-plot .line'));
  assert.deepEqual([await text('#lengths-error'), await text('#lengths-plot text:nth-last-of-type(3)')], ['', '24']);
  await waitFor(() => /^Done/.test(document.getElementById('lengths-status')?.textContent ?? ''));
  await waitFor(cancels, 'true');
  await press('#lengths-plot summary', ['Enter']);
  await waitFor(() => document.querySelectorAll('#lengths-plot tbody tr').length === 8);
  const curves = (await tableRows('#lengths-plot table')).slice(1).map((row) => row.map(Number));
  const at = (/** @type {number} */ length) => curves.find(([each]) => each === length) ?? [];
  assert.ok(at(4).slice(1).every((exact) => exact >= 0.8), 'four symbols');
  assert.ok(at(12)[1] <= 0.5 && at(12).slice(2).every((exact) => exact >= 0.8), 'twelve symbols');
  assert.ok(at(20)[1] <= 0.2 && at(20).slice(2).every((exact) => exact >= 0.6), 'twenty symbols');
  assert.ok(at(24).slice(1).every((exact) => exact <= 0.5), 'longer than the training');
  // English–Spanish: the same sentences for all models, and the reader's own.
  await set('Task', 'spa-eng');
  await press('#own-controls button', ['Enter']);
  await waitFor(() => document.querySelectorAll('#own-written tbody tr').length === 3);
  const spanish = (await tableRows('#own-written table')).slice(1);
  assert.deepEqual(spanish.map(([name]) => name), ['no attention', 'Bahdanau', 'Transformer']);
  assert.ok(spanish.every(([, written]) => written.length > 5));
  await press('#lengths-controls button', ['Enter']);
  await waitFor(() => /^Done/.test(document.getElementById('lengths-status')?.textContent ?? ''));
  await waitFor(() => document.querySelectorAll('#lengths-plot tbody tr').length === 5);
  const words = (await tableRows('#lengths-plot table')).slice(1).map((row) => row.map(Number));
  const mean = (/** @type {number} */ column) => words.reduce((sum, row) => sum + row[column], 0) / words.length;
  assert.ok(mean(2) > mean(1) && mean(3) > mean(1), 'attention shares more words');
};
