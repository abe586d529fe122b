/** How far information travels through layers with a window. */
import { addSlider } from './kit/controls.js';
import { percent } from './kit/format.js';
import { Heatmap } from './kit/heatmap.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */

const N = 32;

/** @param {Lab} l */
export function showReach(l) {
  const picture = new Heatmap(element('reach-map'), element('reach-cell'), { label: 'Share of each token',
    axes: ['position', 'token'], shade: 'weight', max: 0.5, scale: 10 });
  const X = l.tensor(new Float32Array(N), { time: N, feature: 1 });
  let [size, layers] = [3, 4];

  const show = () => l.evaluate(() => {
    const visible = Array.from({ length: N * N }, (_, i) => Math.floor(i / N) - i % N)
      .map((distance) => Number(distance >= 0 && distance < size));
    const mask = l.tensor(visible, { query: N, key: N });
    const { pattern } = l.attention(X, X, X, { mask, maskKind: 'boolean' });
    let reach = pattern;
    for (let layer = 1; layer < layers; layer++) reach = l.matmul(pattern, reach);
    picture.update(reach.data.slice(), N);
    const last = reach.data.slice(-N).filter((share) => share > 0);
    showValues({ 'reach-layers': layers === 1 ? '1 layer' : `${layers} layers`, reached: last.length,
      farthest: percent(last[0], 3) });
  });

  addSlider(element('windowing'), { label: 'Window', min: 1, max: 8, step: 1, value: size }, (value) => {
    size = value;
    show();
  }).name = 'window';
  addSlider(element('windowing'), { label: 'Layers', min: 1, max: 8, step: 1, value: layers }, (value) => {
    layers = value;
    show();
  }).name = 'depth';
  show();
}
