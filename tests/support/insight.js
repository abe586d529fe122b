/** Helpers for the tests of heed/insight: tiny models, results by PyTorch, and errors that all analyses share. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { load } from '../../js/index.js';
import { readSafetensors } from '../../js/cli/convert/safetensors.js';
import { rejects } from './expect.js';
import { goldens } from './goldens.js';

/** @typedef {import('./goldens.js').Golden} Golden */
/** @typedef {import('../../js/index.js').LoadOptions} LoadOptions */

/** The tiny models for which tools/goldens/insight.py computes the results of analyses. */
const NAMES = ['gpt2', 'llama', 'llama-awkward', 'qwen2'];
export const MODELS = (await goldens()).filter(({ name }) => NAMES.includes(name));

/** @param {string} name */
export const named = (name) => MODELS.find((golden) => golden.name === name) ?? assert.fail(name);

/** A result of PyTorch. @param {Golden} golden @param {string} name @param {string} [file] */
export async function expectedOf({ folder }, name, file = 'insight') {
  const { shape, load: read } = (await readSafetensors(join(folder, `${file}.safetensors`)))[name];
  return { shape, data: read() };
}

/** Opens a tiny model for the tests of a file. @param {Golden} golden @param {LoadOptions} [options] */
export async function open({ folder }, options) {
  const part = (/** @type {string} */ name) => join(folder, name);
  const model = await load({ weights: part('model.safetensors'), config: part('config.json') }, options);
  after(() => model.dispose());
  return model;
}

/** @param {ArrayLike<number>} x */
const largest = (x) => Array.from(x).reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Asserts that numbers are within `share` of the largest expected one.
 *  @param {ArrayLike<number>} actual @param {ArrayLike<number>} expected @param {number} share @param {string} what */
export function near(actual, expected, share, what) {
  assert.equal(actual.length, expected.length, what);
  const error = largest(Array.from(expected, (value, i) => value - actual[i]));
  assert.ok(error <= share * largest(expected), `${what}: off by ${error}, largest ${largest(expected)}`);
}

/** Asserts that a result has one number per combination of labels.
 *  @param {import('../../js/insight/index.js').Result} result @param {Record<string, number>} sizes */
export function hasAxes({ data, axes }, sizes) {
  assert.ok(data instanceof Float32Array);
  assert.deepEqual(Object.entries(axes).map(([name, labels]) => [name, labels.length]), Object.entries(sizes));
  assert.equal(data.length, Object.values(sizes).reduce((product, n) => product * n, 1));
}

/**
 * Tests of arguments that every analysis refuses, and of aborted and disposed models, in this thread and in a Worker.
 * @param {(model: any, input?: any, options?: any) => Promise<unknown>} analyze
 * @param {object} [options]  options of a valid call
 */
export function refusesBadCalls(analyze, options = {}) {
  const golden = named('llama');
  const { ids } = golden;
  for (const worker of [false, true]) {
    test(`bad calls are refused, and the model then works${worker ? ', in a Worker' : ''}`, async () => {
      const model = await open(golden, { worker });
      await rejects(analyze(null, ids, options), 'bad-argument', /model of load/);
      await rejects(analyze({}, ids, options), 'bad-argument', /model of load/);
      await rejects(analyze(model), 'bad-argument', /text or token ids/);
      await rejects(analyze(model, [], options), 'bad-argument', /at least one token/);
      await rejects(analyze(model, [1, 96], options), 'bad-argument', /ids from 0 to 95, got ‘96’/);
      await rejects(analyze(model, [1, NaN], options), 'bad-argument', /ids from 0 to 95/);
      await rejects(analyze(model, 'a text', options), 'no-tokenizer');
      await rejects(analyze(model, new Int32Array(49), options), 'context-full');
      await rejects(analyze(model, ids, { ...options, layer_s: [1] }), 'bad-argument', /no option ‘layer_s’/);
      await rejects(analyze(model, ids, 'fast'), 'bad-argument', /options are an object/);
      await rejects(analyze(model, ids, { ...options, onProgress: 1 }), 'bad-argument', /onProgress/);
      await rejects(analyze(model, ids, { ...options, signal: 'now' }), 'bad-argument', /AbortSignal/);
      await rejects(analyze(model, ids, { ...options, signal: AbortSignal.abort() }), 'aborted');
      const ending = new AbortController();
      const ended = analyze(model, ids, { ...options, signal: ending.signal });
      ending.abort();
      await rejects(ended, 'aborted');
      await rejects(analyze(model, ids, { ...options, onProgress: () => { throw new Error('no'); } }), 'bad-argument');
      /** @type {{ done: number, total: number }[]} */
      const reports = [];
      await analyze(model, ids, { ...options, onProgress: (/** @type {any} */ report) => reports.push(report) });
      assert.ok(reports.length > 0);
      reports.forEach(({ done, total }, i) => assert.ok(done <= total && done > (reports[i - 1]?.done ?? 0)));
      assert.equal(reports.at(-1)?.done, reports.at(-1)?.total);
      await analyze(model, ids.slice(0, 1), options);
      model.dispose();
      await rejects(analyze(model, ids, options), 'disposed');
    });
  }
}
