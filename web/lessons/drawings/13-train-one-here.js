/** One step of training. */

/** @type {import('../kit/drawing-description.js').Description} */
export const STEP = {
  title: 'One step of training',
  note: 'The way forward computes the loss. The way back computes how the loss depends on each weight.',
  parts: {
    x: { symbol: 'x_1', also: ['x_8'], is: 'the eight letters and the correct answer so far' },
    embedding: { label: 'embedding\n+ position', name: 'embedding and position', is: '32 numbers for each letter',
      link: './05-positions.html' },
    attention: { label: 'attention', is: 'each position reads itself and earlier ones', link: './03-masks.html' },
    network: { label: 'FFN', is: 'processes each position separately', link: './06-block.html' },
    p: { symbol: 'p', is: 'the probability of each letter to come next, after a softmax', shape: ['letter'],
      live: true },
    y: { symbol: 'y_i', lane: 1, rank: 4, is: 'the correct letter', live: true },
    L: { symbol: 'L', is: 'the loss: how improbable the correct letters were', live: true },
  },
  arrows: ['x → embedding → attention → network → p → L', 'y → L', 'L ⟲ embedding'],
  groups: [{ label: 'weights', parts: ['embedding', 'attention', 'network'] }],
};
