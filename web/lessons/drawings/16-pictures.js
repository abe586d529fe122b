/** From a picture to a label and to a sentence. */

/** @type {import('../kit/drawing-description.js').Description} */
export const READER = {
  title: 'From a picture to a label and to a sentence',
  note: 'Only the first two boxes know that this is a picture. The rest reads a sequence of vectors.',
  parts: {
    picture: { label: 'picture', kind: 'data', is: 'the pixels', shape: ['row', 'column', 'color'] },
    x: { symbol: '\\mathbf{x}_i', is: 'the pixels of one patch', shape: ['pixel'], live: true },
    W_E: { symbol: 'W_E', kind: 'weight', is: 'one matrix for all patches', shape: ['pixel', 'feature'] },
    p: { symbol: '\\mathbf{p}_i', kind: 'weight', lane: 1, rank: 2,
      is: 'a learned vector for the position of the patch',
      shape: ['feature'], live: true },
    sum: { kind: 'sum', is: 'the position is added' },
    z: { symbol: '\\mathbf{z}_i', is: 'a token of the encoder', shape: ['feature'], live: true },
    encoder: { label: 'encoder\nblocks', name: 'encoder blocks', is: 'each patch reads the other patches',
      link: './06-block.html' },
    label: { label: 'label', kind: 'data', is: 'color and form of the largest shape, from the class token' },
    decoder: { label: 'decoder', lane: 1, rank: 6, is: 'before each word it weights the patches',
      link: './08-bahdanau.html' },
    words: { label: 'sentence', kind: 'data', lane: 1, rank: 7, is: 'the words, written one after the other' },
  },
  arrows: ['picture → x → W_E → sum → z → encoder → label', 'p → sum', 'encoder → decoder → words'],
};
