/** Rotary positions: queries and keys turn pair by pair, and how they match depends on the distance only. */
import { normal, randomFrom } from '../../js/lab/index.js';
import { button, slider } from './kit/controls.js';
import { Dials } from './kit/dials.js';
import { fixed, rough } from './kit/format.js';
import { $, say } from './kit/page.js';
import { Plot } from './kit/line-plot.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */

const D = 8;
const DISTANCES = 64;
const FARTHEST_START = 200;
const kind = 'adjacent';

/** @param {Lab} l */
export function showRotated(l) {
  const [q, k] = [l.init.normal('q', [1, D]), l.init.normal('k', [1, D])];
  const random = randomFrom(2);
  let [t, n] = [20, 4];
  const dials = new Dials($('dials'), { label: 'Pairs of q and k, turned', names: ['q', 'k'] });
  const inners = new Plot($('turned'), { label: 'Inner product of turned q and k over the distance', x: 'n',
    y: 'inner product' });
  const distances = Array.from({ length: DISTANCES }, (_, i) => i);

  /** A key at a position, and the query there, one farther, two farther … @param {number} first */
  const turn = (first) => l.evaluate(() => {
    const queries = l.rope(l.gather(q, new Array(DISTANCES).fill(0)), { first, kind });
    const key = l.rope(k, { first, kind });
    const inner = l.matmul(queries, key, { transposeB: true });
    return { query: l.slice(queries, 0, n).data.slice(), key: key.data.slice(), inner: [...inner.data] };
  });

  function show() {
    const [here, start] = [turn(t), turn(0)];
    dials.show([{ before: q.data, after: here.query }, { before: k.data, after: here.key }]);
    inners.show(distances, [{ name: `k at ${t}`, ys: here.inner }, { name: 'k at 0', ys: start.inner }]);
    const off = Math.max(...here.inner.map((value, i) => Math.abs(value - start.inner[i])));
    say({ 'key-at': t, 'query-at': t + n, 'rope-inner': fixed(here.inner[n], 3),
      'rope-plain': fixed(start.inner[0], 3), 'rope-off': rough(off),
      'rope-norm': rough(Math.hypot(...here.query) - Math.hypot(...q.data)) });
  }

  slider($('rotate'), { label: 't, position of k', min: 0, max: FARTHEST_START, step: 1, value: t }, (value) => {
    t = value;
    show();
  });
  slider($('rotate'), { label: 'n, distance to q', min: 0, max: DISTANCES - 1, step: 1, value: n }, (value) => {
    n = value;
    show();
  });
  button($('rotate'), 'Other q and k', () => {
    for (const each of [q, k]) each.data.set(normal(random, D));
    show();
  });
  say({ 'rope-d': D, 'rope-pairs': D / 2 });
  show();
}
