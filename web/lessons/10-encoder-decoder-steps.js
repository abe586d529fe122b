/** The time of a recurrent layer and of an encoder block over the length of a text, measured in turns. */
import { addButton } from './kit/controls.js';
import { trimmed } from './kit/format.js';
import { LinePlot } from './kit/line-plot.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */

const WIDTH = 64;
const LENGTHS = [8, 16, 32, 64, 128, 256];
/** Turns of each length; the median counts. */
const TURNS = 5;

/** Adds the figure. @param {Lab} l */
export function stepsFigure(l) {
  const gru = l.init.gru('', WIDTH, WIDTH);
  const block = l.init.encoderBlock('', WIDTH, 2 * WIDTH);
  const plot = new LinePlot(element('steps-plot'), { label: 'Time of one layer over the length of the text',
    x: 'symbols', y: 'milliseconds', digits: 2, empty: '“Time both here” draws two curves.' });
  plot.update(LENGTHS, []);

  /** Milliseconds of one run.
   *  @param {number} length @param {(x: import('../../js/lab/index.js').Tensor) => unknown} run */
  const timed = (length, run) => l.evaluate(() => {
    const x = l.tensor(new Float32Array(length * WIDTH).fill(0.1), { batch: 1, time: length, feature: WIDTH });
    const start = performance.now();
    run(x);
    return performance.now() - start;
  });
  const median = (/** @type {number[]} */ times) => times.toSorted((a, b) => a - b)[times.length >> 1];

  async function measure() {
    button.setAttribute('aria-disabled', 'true');
    /** @type {[number[], number[]]} */
    const medians = [[], []];
    for (const length of LENGTHS) {
      /** @type {[number[], number[]]} */
      const times = [[], []];
      for (let turn = 0; turn < TURNS; turn++) {
        times[0].push(timed(length, (x) => l.gru(x, gru)));
        times[1].push(timed(length, (x) => l.encoderBlock(x, block, { heads: 4 })));
        await new Promise((resume) => setTimeout(resume));
      }
      times.forEach((each, i) => medians[i].push(median(each)));
      plot.update(LENGTHS.slice(0, medians[0].length), [{ name: 'GRU', ys: medians[0] },
        { name: 'encoder block', ys: medians[1] }]);
    }
    const [recurrent, attention] = medians.map((each) => Number(each.at(-1)));
    showValues({ timed: `With ${LENGTHS.at(-1)} symbols the GRU takes ${trimmed(recurrent, 1)} ms, the encoder block ${
      trimmed(attention, 1)} ms.` });
    button.removeAttribute('aria-disabled');
  }

  const button = addButton(element('steps-controls'), 'Time both here', () => {
    if (button.getAttribute('aria-disabled') !== 'true') void measure();
  });
}
