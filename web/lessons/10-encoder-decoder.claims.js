/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, becomes, cells, fill, mapLabel, number, press, set, value, waitFor }) => {
  await waitFor(() => document.querySelectorAll('#drawing .thumbnail').length === 7); // the drawing has numbers
  assert.equal(await value('translation'), '2008-07-12');
  assert.equal(await value('expected'), `${await value('translation')}<end>`);
  assert.ok(Number(await value('loss')) < 0.01);
  assert.equal(await value('recurrent'), await value('translation'));
  assert.deepEqual([await value('T'), await value('T-bar')], ['10', '25']);
  assert.deepEqual([await value('more'), await value('padding-off')], ['3', '0'], 'padding changes no bit');
  const [row] = await cells('The first symbol’s row in a batch');
  assert.deepEqual(row.map((text) => text === ''), [...Array(25).fill(false), ...Array(3).fill(true)]);
  const size = async () => /[\d by]+ tokens/.exec(await mapLabel('#map'))?.[0].trim();
  assert.equal(await size(), '10 by 25 tokens');
  // The states as two rows: the arrow keys move below, and one state's lines are said.
  assert.match(await mapLabel('#lines'), /10 by 25 tokens/);
  await press('#lines >>> .window', ['Home', 'ArrowRight']);
  await waitFor(() => /^‘0’ \(1\) gives \d+.% of its attention to /
    .test(document.querySelector('#lines')?.shadowRoot?.querySelector('output')?.textContent ?? ''));
  const self = async () => /[\d by]+ tokens/.exec(await mapLabel('#self-map'))?.[0].trim();
  assert.equal(await self(), '10 tokens');
  // The first state of the decoder sees itself only; the encoder sees its whole text.
  await press('#self-lines >>> .window', ['Home']);
  await waitFor(() => /gives 100.% of its attention to /
    .test(document.querySelector('#self-lines')?.shadowRoot?.querySelector('output')?.textContent ?? ''));
  await set('Attention', 'encoder.attn');
  assert.equal(await self(), '25 tokens');
  assert.match(await mapLabel('#self-lines'), /25 tokens/);
  assert.ok(Number(await value('sharpest')) > 0.6, 'the open head has a clear alignment');
  await set('Translates', 'spa-eng');
  await becomes('recurrent', 'ella está leyendo un libro.');
  assert.equal(await value('translation'), 'ella está leyendo un libro.');
  assert.equal(await value('expected'), 'ella está leyendo un libro . <end>');
  await fill('#written', 'Tom has a dog.');
  await becomes('recurrent', 'tom tiene un perro.');
  assert.equal(await value('translation'), 'tom tiene un perro.');
  // An adjective behind its noun: the lines cross.
  await fill('#written', 'Tom has a black dog.');
  await becomes('translation', 'tom tiene un perro negro.');
  await press('#lines >>> .window', ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight']);
  await waitFor(() => /perro.? \(3\) gives \d+.% of its attention to .?dog.? \(4\)/
    .test(document.querySelector('#lines')?.shadowRoot?.querySelector('output')?.textContent ?? ''));
  await press('#lines >>> .window', ['ArrowRight']);
  await waitFor(() => /negro.? \(4\) gives \d+.% of its attention to .?black.? \(3\)/
    .test(document.querySelector('#lines')?.shadowRoot?.querySelector('output')?.textContent ?? ''));
  const before = await value('head');
  await set('Head', before === '2' ? 1 : 2);
  assert.notEqual(await value('head'), before);
  await fill('#written', 'What time does the train leave?');
  await waitFor(() => document.querySelector('[data-value=input]')?.textContent?.includes('tren'));
  const greedy = { text: await value('translation'), score: number(await value('score')) };
  await set('Beam', 2);
  await becomes('beam', '2');
  assert.notEqual(await value('translation'), greedy.text);
  assert.ok(number(await value('score')) > greedy.score + 1, 'beam search finds a better score than greedy search');
  await set('Beam', 1);
  await becomes('translation', greedy.text);
  await set('Translates', 'dates');
  await becomes('recurrent', '2008-07-12');
  // A cut head, and the answer without it beside the answer with it.
  await press('#cuts button:nth-of-type(2)', ['Enter']);
  await waitFor(() => /^With 1 head cut/.test(document.querySelector('#cuts [role=status]')?.textContent ?? ''));
  await press('#cuts button:nth-of-type(3)', ['Enter']);
  await waitFor(() => document.querySelector('#cuts [role=status]')?.textContent === 'No weight is cut.');
  await press('#steps-controls button', ['Enter']);
  await waitFor(() => /^With 256 symbols the GRU takes/
    .test(document.querySelector('[data-value=timed]')?.textContent ?? ''));
};
