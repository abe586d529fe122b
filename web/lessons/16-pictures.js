/** A picture as a sequence of patches: a sentence about it, and the patches that each word attends to. */
import { lab, randomFrom } from '../../js/lab/index.js';
import { captionAll } from '../../js/train/models/captioner.js';
import { openCaptioner } from '../../js/train/models/index.js';
import { describe, draw, shapesOf } from '../../js/train/tasks/shapes.js';
import { PictureRow } from './16-pictures-draw.js';
import { Scene } from './16-pictures-scene.js';
import { READER } from './drawings/16-pictures.js';
import { addButton, addSelect, addSlider } from './kit/controls.js';
import { Drawing } from './kit/drawing.js';
import { fetchModel } from './kit/fetch-model.js';
import { fixed, grouped, percent } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, lesson, showValues } from './kit/page.js';
import { oncePerFrame } from './kit/redraw.js';

/** The attention of the decoder, as the reader may choose it. */
const KINDS = { soft: 'soft: all patches', cut: 'soft, largest weight only', hard: 'hard: one patch' };
/** Fresh pictures of one test, and of one frame. */
const FRESH = 64;
const AT_ONCE = 4;

lesson(async () => {
  const drawing = new Drawing(element('drawing'), READER);
  const l = await lab();
  const soft = await openCaptioner(l, await fetchModel('shapes'));
  const { weights, config } = soft;
  const side = config.size / config.patch;
  const hard = await openCaptioner(l, await fetchModel('shapes-hard'));
  /** @type {Record<keyof typeof KINDS, Parameters<typeof captionAll>[1]>} */
  const models = { soft, cut: { weights, config: { ...config, attention: 'hard' } }, hard };
  let used = models.soft;
  let block = 0;
  /** @type {ReturnType<typeof soft.caption>} */ let current;

  const words = new PictureRow(element('words'), 'The patches that each word attends to');
  const heads = new PictureRow(element('class'), 'The patches that each head of the class token attends to');
  const update = oncePerFrame(show);
  const scene = new Scene(element('scene'), element('controls'), update);

  /** An entry of a row of pictures. @param {string} text @param {Float32Array} row weights of the patches */
  const entryOf = (text, row) => {
    const best = row.indexOf(Math.max(...row));
    return { picture: scene.picture, text, weights: row,
      label: `${text}: ${percent(row[best])} at row ${Math.floor(best / side) + 1}, column ${best % side + 1}` };
  };

  function show() {
    [current] = captionAll(l, used, [scene.picture]);
    const { data, keys } = current.attention({ layer: 0, head: 0 });
    words.show(current.words.map((text, i) => entryOf(text, data.subarray(i * keys, (i + 1) * keys))));
    const truth = describe(scene.shapes);
    showValues({ caption: current.text, truth, verdict: current.text === truth ? 'They agree.' : 'They differ.',
      probability: fixed(Math.exp(current.logprob), 2), label: current.label,
      'label-probability': fixed(current.probability, 2) });
    showClass();
    showPatch();
  }

  /** Shows the patch in the middle of the first shape. */
  function showPatch() {
    const [{ x, y }] = scene.shapes;
    const [row, column] = [y, x].map((at) => Math.max(0, Math.min(side - 1, Math.floor(at / config.patch))));
    const patch = row * side + column;
    const { size, channels, width } = config;
    const [pixels, token] = l.evaluate(() => {
      const picture = l.scale(l.tensor(scene.picture, { batch: 1, channel: channels, y: size, x: size }), -1, 1);
      const patches = l.slice(l.patches(picture, config.patch), 1, patch, patch + 1);
      return [patches.data.slice(), l.linear(patches, weights['patches.weight'], weights['patches.bias']).data.slice()];
    });
    const learned = vector(patch);
    const name = `row ${row + 1}, column ${column + 1}`;
    drawing.show({ x: { data: pixels, rows: ['red', 'green', 'blue'], columns: config.patch ** 2 },
      p: { data: learned, rows: [name], columns: width },
      z: { data: token.map((value, i) => value + learned[i]), rows: [name], columns: width } });
  }

  function showClass() {
    heads.show(Array.from({ length: config.heads }, (_, head) => {
      const { data } = current.attention({ of: 'encoder.attn', layer: block, head, queries: [0, 1] });
      return entryOf(`head ${head}`, data.subarray(1)); // without the class token itself
    }));
  }

  addSelect(element('attention'), 'Attention', KINDS, (value) => {
    used = models[/** @type {keyof typeof KINDS} */ (value)];
    show();
  });
  const blocks = Object.fromEntries(Array.from({ length: config.blocks }, (_, i) => [i, String(i)]));
  addSelect(element('blocks'), 'Block', blocks, (value) => {
    block = Number(value);
    showClass();
  });

  // Learned positions
  const positions = weights.positions.data.slice(); // the lab's memory grows later
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
    if (run.getAttribute('aria-disabled') === 'true') return;
    run.setAttribute('aria-disabled', 'true');
    const random = randomFrom(++seed);
    const right = { soft: 0, cut: 0, hard: 0 };
    for (let done = AT_ONCE; done <= FRESH; done += AT_ONCE) {
      const scenes = Array.from({ length: AT_ONCE }, () => shapesOf(random, false));
      for (const [kind, model] of Object.entries(models)) {
        const found = captionAll(l, model, scenes.map((shapes) => draw(shapes)));
        right[/** @type {keyof typeof KINDS} */ (kind)] +=
          found.filter(({ text }, i) => text === describe(scenes[i])).length;
        await new Promise((resume) => setTimeout(resume));
      }
      showValues(Object.fromEntries(Object.entries(right).map(([kind, count]) => [`fresh-${kind}`, `${count} of ${
        done}`])));
    }
    showValues({ fresh: `Exact sentences of ${FRESH} fresh pictures: soft ${right.soft}, only the largest weight ${
      right.cut}, hard ${right.hard}.` });
    run.removeAttribute('aria-disabled');
  });

  showValues({
    size: String(config.size), patch: String(config.patch), patches: String(side * side),
    numbers: String(config.channels * config.patch ** 2), width: String(config.width), blocks: String(config.blocks),
    heads: String(config.heads), exact: percent(soft.figures.exact),
    unseen: percent(soft.figures['unseen sentences']), labels: String(config.labels.length),
    ...figuresOf({ soft, hard }),
    weights: grouped(Object.values(weights).reduce((sum, { data }) => sum + data.length, 0)),
  });
  showPositions();
  show();
});

/** Shares of exact sentences, by the cards of the models.
 *  @param {Record<string, { figures: Record<string, number> }>} models */
const figuresOf = (models) => Object.fromEntries(Object.entries(models).flatMap(([kind, { figures }]) =>
  [[`${kind}-exact`, percent(figures.exact, 1)], [`${kind}-unseen`, percent(figures['unseen sentences'], 1)]]));

/** @param {Float32Array} a @param {Float32Array} b */
function cosine(a, b) {
  const dot = (/** @type {Float32Array} */ x, /** @type {Float32Array} */ y) =>
    x.reduce((sum, value, i) => sum + value * y[i], 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
