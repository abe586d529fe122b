/** A text in a batch, beside a longer one: what fills it up is seen by nobody, and changes nothing. */
import { encode } from '../../js/train/models/transformer-seq2seq.js';
import { PAD, padded } from '../../js/train/tasks/vocabulary.js';
import { tokenLabel } from '../draw/token.js';
import { Matrix } from './kit/matrix-table.js';
import { rough } from './kit/format.js';
import { $, say } from './kit/page.js';

/** Symbols that the other text has more, at most. */
const MORE = 3;

/**
 * In #padding: where the first symbol looks, in layer 0, head 0.
 * @param {import('../../js/lab/index.js').Lab} l
 * @returns {(model: import('./kit/translation.js').Model, read: number[]) => void} to be called with what was read
 */
export function paddingFigure(l) {
  const row = new Matrix($('padding'), { caption: 'The first symbol’s row in a batch', axes: ['', 'key'],
    rows: ['weight'], digits: 2, shade: 'weight', max: 1, tight: true });
  return ({ weights, config }, read) => l.evaluate(() => {
    const longer = [...read, ...read.slice(-MORE)];
    const alone = encode(l, weights, config, padded([read]));
    const batch = encode(l, weights, config, padded([read, longer]));
    const keys = longer.map((_, i) => read[i] ?? PAD);
    const [{ pattern }] = batch.maps;
    row.show(pattern.data.subarray(0, keys.length), { masked: keys.map((_, i) => Number(i >= read.length)),
      columns: keys.map((id) => (id === PAD ? 'pad' : tokenLabel(config.source[id]))) });
    const [mine, beside] = [alone.memory.data, batch.memory.data];
    say({ more: longer.length - read.length,
      'padding-off': rough(mine.reduce((most, value, i) => Math.max(most, Math.abs(value - beside[i])), 0)) });
  });
}
