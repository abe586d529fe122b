/** A text in a batch with a longer text: its padding is masked and changes no number. */
import { encode } from '../../js/train/models/transformer-seq2seq.js';
import { PAD, padded } from '../../js/train/tasks/vocabulary.js';
import { tokenLabel } from '../draw/token.js';
import { magnitude } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { largestDifference } from './kit/numbers.js';
import { element, showValues } from './kit/page.js';

/** The other text is longer by at most this number of symbols. */
const MORE = 3;

/**
 * The attention of the first symbol in layer 0, head 0, in the element #padding.
 * @param {import('../../js/lab/index.js').Lab} l
 * @returns {(model: import('./kit/translation.js').Model, read: number[]) => void} to be called with each text
 */
export function paddingFigure(l) {
  const row = new MatrixTable(element('padding'), { caption: 'The first symbol’s row in a batch', axes: ['', 'key'],
    rows: ['weight'], digits: 2, shade: 'weight', max: 1, compact: true });
  return ({ weights, config }, read) => l.evaluate(() => {
    const longer = [...read, ...read.slice(-MORE)];
    const alone = encode(l, weights, config, padded([read]));
    const batch = encode(l, weights, config, padded([read, longer]));
    const keys = longer.map((_, i) => read[i] ?? PAD);
    const [{ pattern }] = batch.maps;
    row.update(pattern.data.subarray(0, keys.length), { masked: keys.map((_, i) => Number(i >= read.length)),
      columns: keys.map((id) => (id === PAD ? 'pad' : tokenLabel(config.source[id]))) });
    showValues({ more: longer.length - read.length,
      'padding-off': magnitude(largestDifference(alone.memory.data, batch.memory.data)) });
  });
}
