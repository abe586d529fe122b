/** Learned positions from a model file, compared with sinusoidal positions. */
import { openModelFile } from '../../js/files/model-file.js';
import { fixed, grouped, percent } from './kit/format.js';
import { Heatmap } from './kit/heatmap.js';
import { LinePlot } from './kit/line-plot.js';
import { element, showProgress, showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */

const MODEL = new URL('../../models/shakespeare.gguf', import.meta.url);
const TABLE = 'position_embd.weight';

/** Reads the position table of a GPT-2, [context][feature]. The table is early in the file: the rest is not read. */
async function learnedPositions() {
  const file = await openModelFile(MODEL);
  for await (const [entry, reader] of file.weights()) {
    const bytes = new Uint8Array(entry.bytes);
    await reader.readInto(bytes, entry.name);
    if (entry.name === TABLE) return { data: new Float32Array(bytes.buffer), shape: entry.shape };
  }
  throw new Error(`${MODEL} has no tensor ${TABLE}: the model has no learned positions.`);
}

/** Means along the diagonals of a matrix [size][size], and the fraction of its variance that they explain.
 *  @param {ArrayLike<number>} data @param {number} size */
function byDistance(data, size) {
  const mean = (/** @type {number[]} */ list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const all = Array.from(data);
  const apart = all.map((_, i) => Math.abs(Math.floor(i / size) - i % size));
  const means = Array.from({ length: size }, (_, k) => mean(all.filter((__, i) => apart[i] === k)));
  const middle = mean(all);
  const within = mean(all.map((value, i) => (value - means[apart[i]]) ** 2));
  return { means, explained: 1 - within / mean(all.map((value) => (value - middle) ** 2)) };
}

/** @param {Lab} l */
export async function showLearned(l) {
  showProgress(`Fetching the positions of ${MODEL.pathname.split('/').pop()}.`);
  const { data, shape: [context, d] } = await learnedPositions();
  const axes = { time: context, feature: d };

  /** @param {() => import('../../js/lab/index.js').Tensor} table */
  const compare = (table) => l.evaluate(() => {
    const P = table();
    const lengths = [...l.sum(l.mul(P, P), 'feature').data].map(Math.sqrt);
    const unit = l.rmsNorm(P, l.tensor(new Array(d).fill(1 / Math.sqrt(d))), { eps: 0 });
    const cosines = l.matmul(unit, unit, { transposeB: true });
    return { lengths, cosines: cosines.data.slice(), ...byDistance(cosines.data, context) };
  });
  const learned = compare(() => l.tensor(data, axes));
  const sines = compare(() => l.sinusoidal(axes));

  for (const [id, label, { cosines }] of /** @type {const} */ ([
    ['sines', 'Sinusoidal positions', sines], ['learned', 'Learned positions', learned],
  ])) {
    new Heatmap(element(id), element('cosine'), { label, axes: ['position', 'position'], shade: 'signed', max: 1,
      scale: 5, digits: 2 }).update(cosines, context);
  }
  element('cosine').textContent = 'Point at a cell to read its number, or use the arrow keys.';
  new LinePlot(element('by-distance'), { label: 'Mean cosine over the distance', x: 'Δ', y: 'cosine', digits: 3 })
    .update(learned.means.map((_, k) => k), [{ name: 'learned', ys: learned.means },
      { name: 'sinusoidal', ys: sines.means }]);
  const { lengths, means } = learned;
  const trough = means.indexOf(Math.min(...means));
  const crest = means.indexOf(Math.max(...means.slice(2))); // beyond adjacent positions
  showValues({ context, 'learned-d': d, 'learned-weights': grouped(context * d), 'learned-last': context - 1,
    'learned-explained': percent(learned.explained, 1), 'sines-explained': percent(sines.explained, 1),
    'learned-first': fixed(lengths[0], 2), 'learned-shortest': fixed(Math.min(...lengths), 2),
    'learned-shortest-at': lengths.indexOf(Math.min(...lengths)), 'sines-length': fixed(sines.lengths[0], 2),
    'learned-1': fixed(means[1], 2), 'learned-2': fixed(means[2], 2), 'learned-trough': fixed(means[trough], 2),
    'learned-trough-at': trough, 'learned-crest': fixed(means[crest], 2), 'learned-crest-at': crest });
}
