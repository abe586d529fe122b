/** Lesson 13 without a browser: every number of the letter model, at two steps and with edited weights. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { lab } from '../../js/lab/index.js';
import { openModel } from '../../js/train/models/index.js';
import { initLetterGpt } from '../../js/train/models/letter-gpt.js';
import { TASKS, TOKENS, example } from '../../js/train/tasks/letters.js';
import { blockBoxes, checkInfo, firstBoxes, lastBoxes, planeOf, weightShape } from '../../web/draw/anatomy-boxes.js';
import { sumOf } from '../../web/draw/anatomy-sums.js';
import { findWeight, weightBoxes, weightPlace } from '../../web/draw/anatomy-weights.js';
import { infoOf, namesOf, runAll } from '../../web/lessons/13-train-one-here-run.js';

const LETTERS = [...'hedgehog'].map((letter) => TOKENS.indexOf(letter));
const { ids } = example(LETTERS, TASKS.reverse(LETTERS));
/** Largest difference between a sum in float64 and the kernels, relative to the largest term. */
const CLOSE = 2e-6;

describe('every number of lesson 13', () => {
  /** @type {import('../../js/lab/index.js').Lab} */ let l;
  /** @type {Awaited<ReturnType<typeof openModel>>} */ let model;
  /** @type {Record<string, string>} */ let names;
  /** @type {ReturnType<typeof checkInfo>} */ let info;

  before(async () => {
    l = await lab({ seed: 1 });
    model = await openModel(l, await readFile(new URL('../../models/reverse.safetensors', import.meta.url)));
    names = namesOf(model.config.layers);
    info = checkInfo(infoOf(model.config), 'info');
  });
  after(() => l.dispose());

  const run = (weights = model.weights) => runAll(l, weights, model.config, ids);

  /** The run as the anatomy reads it, after a position. @param {Record<string, Float32Array>} seen */
  function anatomyOf(seen, position = ids.length - 1) {
    const boxes = [...firstBoxes(info, ids.length), ...blockBoxes(info, 0, ids.length), ...lastBoxes(info, ids.length),
      ...weightBoxes(info, Object.keys(names), 0, 0)];
    /** @param {string} name */
    const get = (name) => {
      const data = name === 'logits' ? seen.logits.slice(position * info.vocabulary, (position + 1) * info.vocabulary)
        : seen[name] ?? model.weights[names[name]]?.data.slice();
      return data ? { data, shape: [data.length] } : null;
    };
    return { boxes, get, run: { info, boxes, tokens: ids.map((id) => TOKENS[id]), ids, layer: 0, head: 0, position,
      word: (/** @type {number} */ id) => TOKENS[id], get } };
  }

  test('the names cover every weight, with the shapes of the anatomy', () => {
    assert.deepEqual(Object.values(names).sort(), Object.keys(model.weights).sort());
    for (const [gguf, torch] of Object.entries(names)) {
      assert.deepEqual(weightShape(info, gguf), Object.values(model.weights[torch].shape), gguf);
    }
  });

  test('each box has its activation, and its sums equal the kernels', () => {
    const { boxes, get, run: shown } = anatomyOf(run());
    for (const box of boxes) {
      const plane = planeOf(box, /** @type {any} */ (get(box.name)), 0, info);
      const rows = box.kind === 'vocabulary' || box.kind === 'weight' ? [0] : [0, 8, 15];
      for (const row of rows) {
        for (const column of [0, 5, plane.columns - 1]) {
          const sum = sumOf(shown, box, { row, column });
          if (sum.run === -Infinity || box.kind === 'weight') continue;
          const scale = Math.max(1, ...sum.terms.map(({ value }) => Math.abs(value)));
          assert.ok(Math.abs(sum.result - sum.run) <= CLOSE * scale,
            `${box.id} ${row} ${column}: ${sum.result} ${sum.run}`);
        }
      }
    }
  });

  test('one row equals a float64 computation from the ids to the probabilities of the next letter', () => {
    const seen = run();
    const at = 10;
    const w = (/** @type {string} */ name) => model.weights[name].data;
    const row = (/** @type {ArrayLike<number>} */ data, /** @type {number} */ i, width = 32) =>
      Array.from({ length: width }, (_, j) => data[i * width + j]);
    const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
    const linear = (/** @type {number[]} */ x, /** @type {string} */ weight, /** @type {string} */ bias, from = 0,
      count = w(bias).length) => Array.from({ length: count }, (_, i) =>
      dot(x, row(w(weight), from + i, x.length)) + w(bias)[from + i]);
    const norm = (/** @type {number[]} */ x, /** @type {string} */ name) => {
      const mean = x.reduce((a, b) => a + b) / x.length;
      const deviation = Math.sqrt(x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length + 1e-5);
      return x.map((value, i) => (value - mean) / deviation * w(`${name}.weight`)[i] + w(`${name}.bias`)[i]);
    };
    const near = (/** @type {number[]} */ found, /** @type {string} */ name) => {
      const kernel = row(seen[name], at, found.length);
      found.forEach((value, i) =>
        assert.ok(Math.abs(value - kernel[i]) < 1e-4, `${name}[${i}]: ${value} ${kernel[i]}`));
    };
    const attention = 'blocks.0.self_attn.';
    const residual = ids.map((id, i) =>
      row(w('tok_emb.weight'), id).map((x, j) => x + w('pos_emb.weight')[i * 32 + j]));
    const normed = residual.map((x) => norm(x, 'blocks.0.norm1'));
    const [q, k, v] = [0, 32, 64].map((from) => normed.map((x) =>
      linear(x, `${attention}in_proj_weight`, `${attention}in_proj_bias`, from, 32)));
    near(q[at], 'blocks.0.attn.hook_q');
    const powers = k.slice(0, at + 1).map((key) => Math.exp(dot(q[at], key) / Math.sqrt(32)));
    const pattern = powers.map((power) => power / powers.reduce((a, b) => a + b));
    near([...pattern, 0, 0, 0, 0, 0], 'blocks.0.attn.hook_pattern');
    const z = v[0].map((_, j) => pattern.reduce((sum, weight, i) => sum + weight * v[i][j], 0));
    near(z, 'blocks.0.attn.hook_z');
    const mid = linear(z, `${attention}out_proj.weight`, `${attention}out_proj.bias`)
      .map((x, j) => x + residual[at][j]);
    near(mid, 'blocks.0.hook_resid_mid');
    const hidden = linear(norm(mid, 'blocks.0.norm2'), 'blocks.0.linear1.weight', 'blocks.0.linear1.bias')
      .map((x) => Math.max(0, x));
    const last = linear(hidden, 'blocks.0.linear2.weight', 'blocks.0.linear2.bias').map((x, j) => x + mid[j]);
    near(last, 'blocks.0.hook_resid_post');
    near(linear(norm(last, 'ln_f'), 'head.weight', 'head.bias'), 'logits');
  });

  /** For one changed number of a weight: boxes that stay the same, and the box with one changed column. */
  const FOLLOWS = {
    W_V: { same: ['embed', 'resid_pre', 'ln1', 'q', 'k', 'scores', 'pattern'], made: 'blocks.0.attn.hook_v',
      column: 0 },
    W_O: { same: ['ln1', 'q', 'k', 'v', 'scores', 'pattern', 'z'], made: 'blocks.0.hook_attn_out', column: 0 },
    W_in: { same: ['pattern', 'z', 'attn_out', 'resid_mid', 'ln2'], made: 'blocks.0.mlp.hook_pre', column: 0 },
    b_U: { same: ['pattern', 'resid_mid', 'resid_post', 'ln_final'], made: 'logits', column: 3 },
  };
  for (const [id, { same, made, column }] of Object.entries(FOLLOWS)) {
    test(`a changed number of ${id} changes later boxes only`, () => {
      const before = run();
      const { boxes } = anatomyOf(before);
      const box = /** @type {any} */ (boxes.find((each) => each.id === id));
      const { weight, index } = weightPlace(box, { row: 0, column: 3 });
      const found = findWeight(info, { weight, index });
      assert.deepEqual([found?.box.id, found?.row, found?.column], [id, 0, 3]);
      const { data } = model.weights[names[weight]];
      const trained = data[index];
      data[index] = trained + 2;
      const after = run();
      data[index] = trained;
      for (const { id: other, name } of boxes) {
        if (same.includes(other)) assert.deepEqual(after[name], before[name], `${other} is the same to the bit`);
      }
      assert.notDeepEqual(after.logits, before.logits);
      const width = before[made].length / ids.length;
      const changed = Array.from(before[made].keys()).filter((i) => after[made][i] !== before[made][i]);
      assert.deepEqual([...new Set(changed.map((i) => i % width))], [column], 'one column of one box');
      assert.deepEqual(run(), before, 'undone to the bit');
    });
  }

  test('another step of the training has other numbers', () => {
    const start = runAll(l, initLetterGpt(l, model.config), model.config, ids);
    const end = run();
    for (const name of Object.keys(end)) assert.notDeepEqual(start[name], end[name], name);
  });
});
