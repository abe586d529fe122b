/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, becomes, cells, number, set, tableRows, value, waitFor }) => {
  const table = async (/** @type {string} */ caption) => (await cells(caption)).map((row) => row.map(number));
  const numberOf = async (/** @type {string} */ name) => number(await value(name));

  const scores = await table('Mean weight of each head');
  assert.ok(scores[3].filter((score) => score > 0.8).length === 5 && scores.flat().filter((score) => score > 0.5)
    .length === 5, 'five induction heads, all in layer 3');
  assert.ok(await numberOf('loss') < 2 && await numberOf('guess') > 7.6);
  await set('The head attends to', 'previous');
  await becomes('best', '2.2');
  const before = await table('Mean weight of each head');
  assert.ok(before[2][2] > 0.9 && before[2][4] > 0.8, 'previous-token heads 2.2 and 2.4');

  await set('The head attends to', 'first');
  await becomes('best', '2.1');
  const first = (await table('Mean weight of each head')).flat();
  assert.equal(first.filter((score) => score > 0.5).length, 2, 'two heads with an attention sink');

  const loss = await numberOf('loss');
  for (const [cut, least, most] of /** @type {const} */ ([['head 2.2', 0.3, 0.6], ['head 2.4', 0.5, 0.8],
    ['heads 2.2 and 2.4', 0, 0.1], ['heads 2.0 and 2.1', 0.8, 1]])) {
    await set('Cut', cut);
    await becomes('cut', cut);
    const left = await numberOf('left');
    assert.ok(left >= least && left <= most, `${cut}: ${left}`);
    const lossNow = await numberOf('cut-loss');
    assert.ok(cut !== 'heads 2.2 and 2.4' || lossNow > 7, 'without both, the model guesses');
    assert.ok(cut !== 'heads 2.0 and 2.1' || Math.abs(lossNow - loss) < 0.1, 'the control');
  }

  const m = await numberOf('m');
  const cuts = (await table('Change of m without each head')).flat();
  assert.ok(m > 5 && cuts.every((change) => m + change > m / 2), 'every cut leaves a clear answer');
  await set('The next word', 'ball');
  await waitFor(() => document.querySelector('[data-value=text]')?.textContent?.includes('ball'));
  const ball = (await table('Change of m without each head')).flat();
  const mover = 3 * 6 + 5;
  assert.ok((await numberOf('m')) + ball[mover] < 0.5, 'little is left without 3.5');
  assert.ok(ball.every((change, head) => head === mover || change > 0.6 * ball[mover]), 'others matter less');

  const returned = await table('Part of the answer that returns');
  const name = 1;
  const noun = 5;
  const last = 9;
  assert.ok(returned[0][name] + returned[0][noun] > 1, 'parts sum to more than the whole');
  assert.ok(returned[1][last] < 0.1 && returned[2][last] > 0.15, 'a part of the answer arrives in layer 1');
  assert.ok(returned[3][last] < 0.4 && returned[4][last] > 0.5, 'the answer arrives between layers 3 and 4');
  await set('Texts', 'ball');
  await waitFor(() => document.querySelector('[data-value=clean]')?.textContent?.includes('ball'));
  const ofBall = await table('Part of the answer that returns');
  const giver = 8;
  assert.ok(ofBall.every((row) => row[giver] > 0.75), 'the name before “gave” keeps the answer');
  assert.ok(ofBall.every((row) => row.every((part, at) => at === giver || part < 0.3)), 'no other token has it');

  assert.match(await value('continued'), /sad/);
  await set('c', -1);
  await becomes('c', '−1.0');
  assert.match(await value('continued'), /looked everywhere/);
  await set('c', 1);
  await becomes('c', '1.0');
  assert.match(await value('continued'), /happy.*smile/);
  const [happy, sad] = [await value('happy'), await value('sad')].map((text) => parseFloat(text));
  assert.ok(happy > 20 && happy > 2 * sad, `${happy} % and ${sad} %`);

  await set('Text', 'One day, Tom was');
  await becomes('prompt', 'One day, Tom was');
  assert.match(await value('happy'), /^0\.0\d\d?\s%$/, 'small probabilities have two digits');
  await waitFor(() => {
    const fold = /** @type {HTMLDetailsElement} */ (document.querySelector('#sweep details'));
    fold.open = true;
    return fold.querySelector('td') !== null;
  });
  const probability = Object.fromEntries((await tableRows('#sweep')).slice(1).map(([c, ofHappy]) =>
    [number(c), number(ofHappy)]));
  assert.ok(probability[0] > 0.0001 && probability[4] > 5 * probability[0], 'the table shows that “happy” rises');
};
