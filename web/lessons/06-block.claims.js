/** @type {import('../../tests/support/lesson-reader.js').Claims} */
export default async ({ assert, cells, fill, number, set, value }) => {
  const moments = async () => [await value('layer-mean'), await value('layer-variance'), await value('root-square')];
  assert.deepEqual(await moments(), ['0.000', '1.000', '1.000']);
  await fill('#norms input', '-50');
  assert.deepEqual(await moments(), ['0.000', '1.000', '1.000']);
  const [layer, root] = await cells('The same, normalized');
  assert.ok(layer.every((text, i) => text !== root[i]), 'LayerNorm subtracts the mean, RMSNorm does not');
  const divided = number(await value('mean')) / number(await value('root'));
  assert.ok(Math.abs(divided - number(await value('root-mean'))) < 2e-3,
    'RMSNorm divides the mean by the root of the mean square');
  assert.ok(number(await value('tanh-off')) > 1e-5 && number(await value('tanh-off')) < 1e-3);
  assert.ok(number(await value('apart')) < 1e-6);
  assert.equal(await value('named-off'), '0', 'operations with named axes give the bits of the block');
  assert.equal(await value('kept'), '2');
  await set('positions', true);
  assert.ok(Number(await value('apart')) > 0.1);
  assert.ok(number(await value('moved')) < 1e-6, 'the block itself is equivariant');
  await set('causal', false);
  assert.equal(await value('kept'), '0');
};
