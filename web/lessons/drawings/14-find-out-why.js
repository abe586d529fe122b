/** Activation patching: one vector of a run in another run. */

/** @param {number} lane @param {'first' | 'second'} run
 *  @returns {Record<string, import('../kit/drawing-description.js').Part>} */
const runOf = (lane, run) => ({
  [`${run}Text`]: { label: `${run}\ntext`, name: `${run} text`, kind: 'data', lane,
    is: `the tokens of the ${run} run` },
  [`${run}Early`]: { label: 'layers\nbefore', name: 'layers before', lane, link: './06-block.html',
    is: 'the embedding, and the layers before the patch' },
  [`${run}Stream`]: { symbol: '\\mathbf{x}_t', lane, shape: ['feature'], live: true,
    is: run === 'first' ? 'the residual stream of one token before a layer'
      : 'the same place in the second run; its vector is replaced' },
  [`${run}Late`]: { label: 'layers\nafter', name: 'layers after', lane, is: 'the layers after the patch' },
  [`${run}Answer`]: { symbol: 'm', lane, live: true,
    is: run === 'first' ? 'the difference of two logits in the first run'
      : 'the difference in the second run: it shows whether the answer of the first run returns' },
});

/** @type {import('../kit/drawing-description.js').Description} */
export const PATCH = {
  title: 'Activation patching',
  note: 'Everything else in the second run stays as it was. A large change shows that this one vector carried the '
    + 'answer.',
  parts: { ...runOf(0, 'first'), ...runOf(1, 'second') },
  arrows: ['firstText → firstEarly → firstStream → firstLate → firstAnswer',
    'secondText → secondEarly → secondStream → secondLate → secondAnswer', 'firstStream ⇢ secondStream'],
};
