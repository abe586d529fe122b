/** Wavelengths of the pairs of features, and the two positions that are most alike. */
import { addSlider, setSlider } from './kit/controls.js';
import { fixed, grouped, magnitude } from './kit/format.js';
import { LinePlot } from './kit/line-plot.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */

const BASE = 10000;
/** Differences of positions that are computed at once. */
const AT_ONCE = 1000;

/** @param {Lab} l @returns {(d: number) => void} shows another width */
export function showUnique(l) {
  const plot = new LinePlot(element('waves'), { label: 'Wavelength of each pair of features', x: 'i, the pair',
    y: 'log₁₀ of the wavelength in positions', digits: 3 });
  let d = 128;
  let range = 3;
  let pairs = 1;

  /** The smallest distance of two positions that are at most `longest` apart. @param {number} longest */
  function nearest(longest) {
    let least = Infinity;
    let at = 0;
    for (let first = 1; first <= longest; first += AT_ONCE) {
      l.evaluate(() => {
        const count = Math.min(AT_ONCE, longest + 1 - first);
        const later = l.slice(l.sinusoidal(count, d, first), 1, 0, 2 * pairs);
        const start = l.slice(l.sinusoidal(1, d), 1, 0, 2 * pairs);
        const difference = l.sub(later, l.reshape(start, [2 * pairs]));
        l.sum(l.mul(difference, difference), -1).data.forEach((square, i) => {
          if (square < least) {
            least = square;
            at = first + i;
          }
        });
      });
    }
    return { distance: Math.sqrt(least), at };
  }

  function show() {
    const waves = Array.from({ length: d / 2 }, (_, i) => 2 * Math.PI * BASE ** (2 * i / d));
    plot.update(waves.map((_, i) => i), [{ name: 'wavelength', ys: waves.map(Math.log10) }]);
    const longest = 10 ** range;
    const { distance, at } = nearest(longest);
    showValues({ 'first-wave': fixed(waves[0], 2), 'last-wave': grouped(Math.round(waves[d / 2 - 1])),
      'long-waves': waves.filter((wave) => wave > longest).length, 'all-waves': d / 2, within: grouped(longest),
      'near-at': grouped(at),
      'near-off': distance < 0.01 ? magnitude(distance) : fixed(distance, 3), 'used-pairs': pairs });
  }

  addSlider(element('unique'), { label: 'Positions', min: 2, max: 4, step: 1, value: range,
    format: (n) => grouped(10 ** n) }, (value) => {
    range = value;
    show();
  }).name = 'range';
  const slider = addSlider(element('unique'), { label: 'Pairs that are compared', min: 1, max: d / 2, step: 1,
    value: pairs }, (value) => {
    pairs = Math.min(value, d / 2); // both sliders may have moved since the last frame
    show();
  });
  slider.name = 'pairs';
  return (width) => {
    d = width;
    pairs = Math.min(pairs, d / 2);
    slider.max = String(d / 2);
    setSlider(slider, pairs);
    show();
  };
}
