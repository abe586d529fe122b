/** Rotary positions: pairs of queries and keys rotate, so their product depends only on the distance. */
import { normal, randomFrom } from '../../js/lab/index.js';
import { addDraws, addSlider } from './kit/controls.js';
import { Dials } from './kit/dials.js';
import { fixed, magnitude } from './kit/format.js';
import { LinePlot } from './kit/line-plot.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */

const D = 8;
const DISTANCES = 64;
const FARTHEST_START = 200;
const kind = 'adjacent';

/** @param {Lab} l @param {import('./kit/drawing.js').Drawing} drawing */
export function showRotated(l, drawing) {
  const q = l.init.normal('q', [1, D]);
  const k = l.init.normal('k', [1, D]);
  const first = [q, k].map(({ data }) => data.slice());
  let t = 20;
  let n = 4;
  const dials = new Dials(element('dials'), { label: 'Pairs of q and k, rotated', names: ['q', 'k'] });
  const inners = new LinePlot(element('turned'), { label: 'Inner product of rotated q and k by distance', x: 'Δ',
    y: 'inner product' });
  const distances = Array.from({ length: DISTANCES }, (_, i) => i);

  /** The key at position `first`, and the query at `first`, `first` + 1 … @param {number} first */
  const rotate = (first) => l.evaluate(() => {
    const queries = l.rope(l.gather(q, new Array(DISTANCES).fill(0)), { first, kind });
    const key = l.rope(k, { first, kind });
    const inner = l.matmul(queries, key, { transposeB: true });
    return { query: l.slice(queries, 0, n).data.slice(), key: key.data.slice(), inner: [...inner.data] };
  });

  function show() {
    const here = rotate(t);
    const start = rotate(0);
    dials.update([{ before: q.data, after: here.query }, { before: k.data, after: here.key }]);
    inners.update(distances, [{ name: `k at ${t}`, ys: here.inner }, { name: 'k at 0', ys: start.inner }]);
    const columns = D;
    const position = l.evaluate(() => l.sinusoidal(1, D, t).data.slice());
    drawing.show({
      p: { data: position, rows: [`position ${t}`], columns },
      q: { data: q.data, rows: ['q'], columns }, k: { data: k.data, rows: ['k'], columns },
      turnQ: { data: here.query, rows: [`q at ${t + n}`], columns },
      turnK: { data: here.key, rows: [`k at ${t}`], columns },
      dot: { data: [here.inner[n]], rows: ['score'], columns: [`Δ = ${n}`] },
    });
    const off = Math.max(...here.inner.map((value, i) => Math.abs(value - start.inner[i])));
    showValues({ 'key-at': t, 'query-at': t + n, 'rope-inner': fixed(here.inner[n], 3),
      'rope-plain': fixed(start.inner[0], 3), 'rope-off': magnitude(off),
      'rope-norm': magnitude(Math.hypot(...here.query) - Math.hypot(...q.data)) });
  }

  addSlider(element('rotate'), { label: 't, position of k', min: 0, max: FARTHEST_START, step: 1, value: t },
    (value) => {
    t = value;
    show();
  }).name = 'position';
  addSlider(element('rotate'), { label: 'Δ, distance to q', min: 0, max: DISTANCES - 1, step: 1, value: n },
    (value) => {
    n = value;
    show();
  });
  addDraws(element('rotate'), 'Other q and k', (presses) => {
    const random = randomFrom(presses + 1);
    [q, k].forEach(({ data }, i) => data.set(presses === 0 ? first[i] : normal(random, D)));
    show();
  });
  showValues({ 'rope-d': D, 'rope-pairs': D / 2 });
  show();
}
