/** A template to copy: a slider and a table whose numbers the engine computes. */
import { lab } from '../../js/lab/index.js';
import { addSlider } from './kit/controls.js';
import { fixed } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, lesson, showValues } from './kit/page.js';

const SCORES = [2, 1, 0, -1];

// lesson() frames the page, runs this function, and shows its errors to the reader.
lesson(async () => {
  const l = await lab(); // the operations of heed/lab, see docs/lab.md
  const table = new MatrixTable(element('weights'), { caption: 'Weights', axes: ['', 'key'], rows: ['a'],
    shade: 'weight', max: 1 });

  /** Computes and shows the weights. @param {number} temperature */
  function update(temperature) {
    // evaluate() frees the tensors that it made: no memory is lost when the slider moves.
    l.evaluate(() => {
      const scores = l.tensor(SCORES, { row: 1, key: SCORES.length });
      const weights = l.softmax(l.scale(scores, 1 / temperature)).data;
      table.update(weights);
      showValues({ largest: fixed(Math.max(...weights), 3) });
    });
  }

  addSlider(element('controls'), { label: 'Temperature τ', min: 0.1, max: 4, step: 0.1, value: 1 }, update);
  update(1);
});
