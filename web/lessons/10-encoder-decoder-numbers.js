/** The numbers of one head of cross-attention, and what goes in and comes out: the live boxes of the drawing. */
import { decode, encode } from '../../js/train/models/transformer-seq2seq.js';
import { BEGIN, padded } from '../../js/train/tasks/vocabulary.js';

/**
 * @param {import('../../js/lab/index.js').Lab} l
 * @param {import('./kit/translation.js').Model} model
 * @param {import('./kit/translation.js').Translation} translation
 * @param {{ layer: number, head: number }} at
 * @returns {Record<string, import('./kit/drawing-picture.js').Numbers>} by the name of the box
 */
export function headNumbers(l, { weights, config }, { source, ids, target }, { layer, head }) {
  const { width, heads, norm } = config;
  const inner = norm === 'pre' ? 'ln2.hook_normalized' : 'ln1.hook_normalized'; // the input of cross-attention
  /** @type {Record<string, Float32Array>} */ const seen = {};
  return l.evaluate(() => {
    const encoded = encode(l, weights, config, padded([source.map((symbol) => config.source.indexOf(symbol))]));
    const { logits } = decode(l, weights, config, encoded, padded([[BEGIN, ...ids.slice(0, -1)]]), undefined,
      (of, name, { data }) => {
        if (of === layer) seen[name] = data.slice();
      });
    /** @param {Float32Array} data @param {string[]} rows */
    const whole = (data, rows) => ({ data, rows, columns: width });
    /** The columns of the chosen head. @param {string} name @param {string[]} rows */
    const part = (name, rows) => {
      const wide = width / heads;
      const columns = rows.map((_, i) => seen[name].subarray(i * width + head * wide, i * width + (head + 1) * wide));
      return { data: columns.flatMap((row) => [...row]), rows, columns: wide };
    };
    return {
      memory: whole(encoded.memory.data.slice(), source),
      K: part('cross_attn.hook_k', source),
      V: part('cross_attn.hook_v', source),
      Y: whole(seen[inner], target),
      Q: part('cross_attn.hook_q', target),
      predict: { data: l.softmax(logits).data.slice(), rows: target, columns: config.target, shade: 'weight' },
    };
  });
}
