/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, becomes, fill, number, set, tableRows, text, value, waitFor }) => {
  await waitFor(() => document.querySelectorAll('#drawing .thumbnail').length === 1); // the drawing has numbers
  const numberOf = async (/** @type {string} */ name) => number((await value(name)).replaceAll(',', ''));
  assert.equal(await value('count'), '16');
  assert.ok(await numberOf('words') < await numberOf('count') && await numberOf('count') < await numberOf('bytes'));
  assert.equal(await value('cells'), '256');
  assert.equal(await value('byte-tokens'), '256');
  assert.equal(await numberOf('merges') + 256 + 1, await numberOf('vocabulary'), 'bytes, pairs and the end of a text');
  assert.match(await value('first-merges'), /^“h \+ e”, “· \+ t”/);

  assert.equal(await value('agree'), 'the same');
  await set('Pairs that are merged', 0);
  assert.equal(await value('merged-count'), await value('bytes'), 'without pairs, tokens are bytes');
  await set('Pairs that are merged', 9);
  assert.equal(await value('merged-count'), await value('count'));

  assert.deepEqual([await value('lookup-off'), await value('engine-off'), await value('keys-off')], ['0', '0', '0']);
  assert.ok(await numberOf('rotated-off') > 0.5);
  assert.ok(await numberOf('tied-off') < 0.02 * await numberOf('largest-logit'), 'logits are products with rows');

  const near = async (/** @type {string} */ word) => {
    await fill('#word', word);
    return (await tableRows('#near tbody')).map(([token]) => token.replace('·', ''));
  };
  const colors = /^(blue|yellow|green|purple|black|pink|white)$/;
  assert.ok((await near('red')).filter((token) => colors.test(token)).length > 5);
  assert.ok((await near('happy')).includes('sad'), 'the opposite is near');
  assert.ok((await near('apple')).includes('accident'));
  assert.ok(await numberOf('mean-cosine') > 0.05 && await numberOf('mean-cosine') < 0.5);
  await fill('#word', 'dragonfly');
  assert.match(await value('several'), /no row of its own/);

  for (const [written, pieces] of [['unhappily', 'un381h72app1986ily296'], [' happily', '·happily1476']]) {
    await fill('#text', written);
    await waitFor((wanted) => document.querySelector('#tokens .pieces')?.textContent === wanted, pieces);
  }
  await fill('#text', 'é');
  await becomes('pieces', '2 tokens for 1 character');
  assert.match(await text('#tokens .pieces'), /<0xC3>128<0xA9>103/);
  assert.equal(await value('agree'), 'the same');
  await fill('#text', '');
  await waitFor(() => /^Write at least one character/.test(document.getElementById('refused')?.textContent ?? ''));
  assert.equal(await value('bytes'), '2');
};
