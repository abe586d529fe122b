/** A picture as a sequence of patches: a sentence about it, and the patches that each word attends to. */
import { lab, randomFrom } from '../../js/lab/index.js';
import { captionAll } from '../../js/train/models/captioner.js';
import { openCaptioner } from '../../js/train/models/index.js';
import { describe, draw, shapesOf } from '../../js/train/tasks/shapes.js';
import { PictureRow } from './16-pictures-draw.js';
import { Scene } from './16-pictures-scene.js';
import { addButton, addCheckbox, addSelect, addSlider } from './kit/controls.js';
import { fetchModel } from './kit/fetch-model.js';
import { fixed, grouped, percent } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, lesson, showValues } from './kit/page.js';
import { oncePerFrame } from './kit/redraw.js';

/** Factor of the scores that leaves all weight to one patch. */
const HARD = 1e4;
/** Fresh pictures of one test, and of one frame. */
const [FRESH, AT_ONCE] = [64, 4];

lesson(async () => {
  const l = await lab();
  const soft = await openCaptioner(l, await fetchModel('shapes'));
  const { weights, config } = soft;
  const side = config.size / config.patch;
  const sharp = { ...weights, 'attention.w_a.weight': l.scale(weights['attention.w_a.weight'], HARD) };
  let [written, block] = [weights, 0];
  /** @type {ReturnType<typeof soft.caption>} */ let current;

  const words = new PictureRow(element('words'), 'The patches that each word attends to');
  const heads = new PictureRow(element('class'), 'The patches that each head of the class token attends to');
  const update = oncePerFrame(show);
  const scene = new Scene(element('scene'), element('controls'), update);

  function show() {
    const { picture } = scene;
    [current] = captionAll(l, { weights: written, config }, [picture]);
    const { data, keys } = current.attention({ layer: 0, head: 0 });
    const rows = current.words.map((text, i) => {
      const row = data.subarray(i * keys, (i + 1) * keys);
      const best = row.indexOf(Math.max(...row));
      return { picture, text, weights: row,
        label: `${text}: ${percent(row[best])} at row ${Math.floor(best / side) + 1}, column ${best % side + 1}` };
    });
    words.show(rows);
    showValues({ caption: current.text, truth: describe(scene.shapes),
      verdict: current.text === describe(scene.shapes) ? 'They agree.' : 'They differ.',
      probability: fixed(Math.exp(current.logprob), 2), label: current.label,
      'label-probability': fixed(current.probability, 2) });
    showClass();
  }

  function showClass() {
    const { picture } = scene;
    heads.show(Array.from({ length: config.heads }, (_, head) => {
      const { data } = current.attention({ of: 'encoder.attn', layer: block, head, queries: [0, 1] });
      const row = data.subarray(1); // without the class token itself
      const best = row.indexOf(Math.max(...row));
      return { picture, text: `head ${head}`, weights: row, label: `head ${head}: ${percent(row[best])} at row ${
        Math.floor(best / side) + 1}, column ${best % side + 1}` };
    }));
  }

  addCheckbox(element('attention'), 'hard attention: one patch for each word', false, (isHard) => {
    written = isHard ? sharp : weights;
    show();
  });
  const blocks = Object.fromEntries(Array.from({ length: config.blocks }, (_, i) => [i, String(i)]));
  addSelect(element('blocks'), 'Block', blocks, (value) => {
    block = Number(value);
    showClass();
  });

  // Learned positions
  const positions = weights.positions.data;
  const vector = (/** @type {number} */ patch) =>
    positions.subarray((patch + 1) * config.width, (patch + 2) * config.width);
  const table = new MatrixTable(element('positions'), { caption: 'Cosine with the chosen position',
    axes: ['row', 'column'], columns: Array.from({ length: side }, (_, i) => String(i + 1)), shade: 'signed', max: 1,
    digits: 2, compact: true });
  const chosen = { row: 4, column: 4 };
  function showPositions() {
    const mine = vector((chosen.row - 1) * side + chosen.column - 1);
    const all = Array.from({ length: side * side }, (_, patch) => cosine(mine, vector(patch)));
    table.update(all);
    const near = meanOver(all, (distance) => distance === 1);
    const far = meanOver(all, (distance) => distance > 3);
    showValues({ near: fixed(near, 2), far: fixed(far, 2) });
  }
  /** @param {number[]} all @param {(distance: number) => boolean} counts */
  function meanOver(all, counts) {
    const chosenOnes = all.filter((_, patch) => counts(Math.hypot(Math.floor(patch / side) - chosen.row + 1,
      patch % side - chosen.column + 1)));
    return chosenOnes.reduce((sum, value) => sum + value, 0) / chosenOnes.length;
  }
  for (const axis of /** @type {const} */ (['row', 'column'])) {
    addSlider(element('position'), { label: axis, min: 1, max: side, step: 1, value: chosen[axis] }, (value) => {
      chosen[axis] = value;
      showPositions();
    });
  }

  // Fresh pictures
  let seed = 1;
  const run = addButton(element('fresh'), `Describe ${FRESH} fresh pictures`, async () => {
    run.setAttribute('aria-disabled', 'true');
    const random = randomFrom(++seed);
    let [right, done] = [0, 0];
    while (done < FRESH) {
      const scenes = Array.from({ length: AT_ONCE }, () => shapesOf(random, false));
      const found = soft.captionAll(scenes.map((shapes) => draw(shapes)));
      right += found.filter(({ text }, i) => text === describe(scenes[i])).length;
      done += AT_ONCE;
      showValues({ fresh: `${right} of ${done}` });
      await new Promise((resume) => setTimeout(resume));
    }
    run.removeAttribute('aria-disabled');
  });

  showValues({
    size: String(config.size), patch: String(config.patch), patches: String(side * side),
    numbers: String(config.channels * config.patch ** 2), width: String(config.width), blocks: String(config.blocks),
    heads: String(config.heads), exact: percent(soft.figures.exact),
    unseen: percent(soft.figures['unseen sentences']), labels: String(config.labels.length),
    weights: grouped(Object.values(weights).reduce((sum, { data }) => sum + data.length, 0)),
  });
  showPositions();
  show();
});

/** @param {Float32Array} a @param {Float32Array} b */
function cosine(a, b) {
  const dot = (/** @type {Float32Array} */ x, /** @type {Float32Array} */ y) =>
    x.reduce((sum, value, i) => sum + value * y[i], 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
