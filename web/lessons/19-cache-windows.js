/** How far information travels through layers with a window. */
import { reachOf } from './19-cache-reach.js';
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
  let size = 3;
  let layers = 4;

  const show = () => l.evaluate(() => {
    const reach = reachOf(l, N, size, layers);
    picture.update(reach, N);
    const last = reach.slice(-N).filter((share) => share > 0);
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
