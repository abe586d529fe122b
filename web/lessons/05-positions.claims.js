/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, becomes, number, press, set, tableRows, text, value, waitFor }) => {
  assert.deepEqual([await value('norm-least'), await value('norm-most')], Array(2).fill(await value('root')));
  assert.ok(number(await value('inner-off')) < 1e-4 && number(await value('distance-off')) < 1e-5);
  assert.ok(Number(await value('enough')) < 128);
  assert.deepEqual([await value('first-wave'), await value('near-at')], ['6.28', '710'], 'one pair nearly repeats');
  assert.ok(number(await value('near-off')) < 1e-3);
  await set('Pairs that are compared', 64);
  assert.ok(Number(await value('near-off')) > 1 && await value('near-at') === '1', 'all pairs: neighbors are nearest');
  await waitFor(() => { // two fingers move both sliders within a frame
    const [width, pairs] = ['#controls input', '#unique input[name=pairs]'].map((selector) =>
      /** @type {HTMLInputElement} */ (document.querySelector(selector)));
    for (const [slider, moved] of /** @type {const} */ ([[width, '16'], [pairs, '60']])) {
      slider.value = moved;
      slider.dispatchEvent(new Event('input'));
    }
    return true;
  });
  await becomes('used-pairs', '8');
  await set('d, features of a token', 128);
  await press('#encoding canvas', ['ArrowRight', 'ArrowDown', 'ArrowUp']);
  assert.equal(await text('#cell'), 'Position 0, element 1: 1.000.');
  await press('#encoding summary', ['Enter']);
  await waitFor(() => document.querySelectorAll('#encoding tbody tr').length > 0);
  assert.match(await text('#encoding tbody tr'), /^00\.0001\.0000\.000/, 'the table lists sin 0, cos 0, sin 0');

  assert.equal(await value('sines-explained'), '100\u00a0%');
  assert.ok(parseFloat(await value('learned-explained')) < 99);
  assert.ok(Number(await value('learned-first')) > 2 * Number(await value('learned-shortest')));
  await press('#by-distance summary', ['Enter']);
  await waitFor(() => document.querySelectorAll('#by-distance tbody tr').length > 0);
  const means = (await tableRows('#by-distance tbody')).map(([, learned]) => number(learned));
  const lowest = Math.min(...means);
  const highest = Math.max(...means.slice(2));
  assert.deepEqual([await value('learned-trough-at'), await value('learned-crest-at')],
    [means.indexOf(lowest), means.indexOf(highest)].map(String));
  const near = [number(await value('learned-1')), number(await value('learned-2'))];
  assert.ok(near[0] > 0.5 && near[1] < 0.2 && lowest < 0 && highest > 0.3);

  const inner = await value('rope-inner');
  assert.ok(number(await value('rope-off')) < 1e-5 && number(await value('rope-norm')) < 1e-5);
  await set('t, position of k', 150);
  assert.deepEqual([await value('query-at'), await value('rope-inner')], ['154', inner],
    'the inner product does not depend on t');
  await set('Δ, distance to q', 0);
  assert.equal(await value('rope-inner'), await value('rope-plain'));
  assert.notEqual(await value('rope-inner'), inner);
};
