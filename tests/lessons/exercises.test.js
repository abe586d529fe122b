/** The exercises of the lessons, with the kernels and without a browser: each is solved and failed. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lab, randomFrom } from '../../js/lab/index.js';
import { EXERCISES } from '../../web/lessons/exercises/catalog.js';
import { numberOf } from '../../web/lessons/kit/answers.js';
import { exportProgress, importProgress, readProgress, record, solvedOf } from '../../web/lessons/kit/progress.js';
import { LESSONS } from '../../web/lessons/list.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Fewest exercises of a lesson. */
const FEWEST = 3;
/** Seeds of an exercise with other numbers for each seed. */
const SEEDS = [1, 2, 3, 4, 5];

const modules = await Promise.all(Object.entries(EXERCISES).map(async ([lesson, { ids, load }]) =>
  ({ lesson, ids, exercises: (await load()).default })));
const all = modules.flatMap(({ exercises }) => exercises);

test('every lesson has exercises, in the order of the catalog, with unique ids', async () => {
  assert.deepEqual(Object.keys(EXERCISES), LESSONS.map(({ name }) => name));
  for (const { lesson, ids, exercises } of modules) {
    assert.ok(exercises.length >= FEWEST, `${lesson} has ${exercises.length}`);
    assert.deepEqual(exercises.map(({ id }) => id), ids, lesson);
    const html = await readFile(`${ROOT}web/lessons/${lesson}.html`, 'utf8');
    for (const { id, kind, place = '' } of exercises) {
      assert.match(id, /^[a-z0-9-]{3,40}$/);
      assert.ok(!html.includes(`id="${id}"`), `${lesson} has an element with the id of an exercise: ${id}`);
      if (kind === 'page') assert.ok(html.includes(`id="${place}"`), `${lesson} has no figure ‘${place}’`);
    }
  }
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
});

test('a written number is read with a real minus sign, with commas, and as a fraction', () => {
  const read = ['0.5', '0,5', '−2', '-2', ' 57,982,058,496 ', '1,024', '0,125', '1e3', '.5', '5.'].map(numberOf);
  assert.deepEqual(read, [0.5, 0.5, -2, -2, 57982058496, 1024, 0.125, 1000, 0.5, 5]);
  assert.deepEqual(['1/8', ' −3 / 4 ', '1/2,048', '0/5'].map(numberOf), [0.125, -0.75, 1 / 2048, 0]);
  for (const text of ['', 'x', '1.2.3', '1/0', '1/', '/2', '1/2/3', 'Infinity', 'NaN', '0x10', '--1', '1,2,3']) {
    assert.ok(Number.isNaN(numberOf(text)), text);
  }
});

test('progress lasts without storage, and a file of another kind changes nothing', () => {
  const [first, second, third] = EXERCISES['03-masks'].ids;
  assert.equal(record(first, false), false, 'Node has no storage');
  assert.equal(solvedOf('03-masks'), '0 of 4 exercises solved');
  record(first, true);
  record(first, false); // a solved exercise stays solved
  record(second, false);
  const before = exportProgress();
  assert.deepEqual(JSON.parse(before).exercises, { [first]: 'solved', [second]: 'tried' });
  const hostile = ['', '[]', 'null', '{"exercises":{}}', '<svg onload=alert(1)>', 'x'.repeat(1e5), '[['.repeat(2e4),
    ...[{ exercises: [] }, { exercises: null }, { exercises: { [third]: true } },
      { exercises: { [third]: { solved: 1 } } },
      { version: 2, exercises: {} }, { format: 'other', exercises: {} }]
      .map((part) => JSON.stringify({ format: 'heed exercises', version: 1, ...part }))];
  for (const text of hostile) {
    assert.throws(() => importProgress(text), { code: 'bad-file', message: /\.$/ }, text.slice(0, 80));
  }
  assert.equal(exportProgress(), before);
  const more = `{"format":"heed exercises","version":1,"exercises":
    {"${second}":"solved","${third}":"tried","from-later":"solved","__proto__":"solved","constructor":"tried"}}`;
  assert.deepEqual(importProgress(more), { kept: false, read: 2, unknown: 3 });
  assert.deepEqual([...readProgress()], [[first, 'solved'], [second, 'solved'], [third, 'tried']]);
  assert.equal(Object.getPrototypeOf({}).solved, undefined);
});

describe('exercises are solved and failed', () => {
  /** @type {import('../../js/lab/index.js').Lab} */ let l;
  before(async () => { l = await lab({ seed: 1 }); });
  after(() => l.dispose());
  const file = (/** @type {string} */ name) => readFile(`${ROOT}models/${name}.safetensors`);

  for (const exercise of all) {
    test(exercise.id, async () => {
      const { title, question, hints, kind, varied, pose, solution } = exercise;
      for (const text of [title, question]) assert.ok(text.length > 5);
      assert.ok(hints.length > 0 && hints.every((hint) => hint.length > 5), 'hints');
      if (kind === 'page') return assert.ok(!pose && solution);
      for (const seed of varied ? SEEDS : SEEDS.slice(0, 1)) {
        const posed = await pose({ l, random: randomFrom(seed), file });
        assert.ok(posed.solution.length > 20, 'solution');
        assert.doesNotMatch(JSON.stringify(posed), /NaN|undefined/);
        assert.equal(Boolean(posed.given?.some(({ blank }) => blank)), kind === 'cell', 'a blank cell');
        const right = await posed.check(posed.right);
        assert.ok(right.correct, `seed ${seed}: ${JSON.stringify(posed.right)} is refused: ${right.why}`);
        assert.ok(right.why.length > 10);
        assert.ok(posed.wrong.length > 0);
        for (const { answer, why } of posed.wrong) {
          const verdict = await posed.check(answer);
          assert.ok(!verdict.correct, `seed ${seed}: ${JSON.stringify(answer)} is accepted`);
          assert.ok(verdict.why.includes(why), `seed ${seed}: “${verdict.why}” does not say “${why}”`);
        }
        if (posed.explore) {
          const { min, max, value, say } = posed.explore;
          for (const at of [min, value, max]) assert.doesNotMatch(say(at), /NaN|undefined|Infinity/);
        }
      }
      return undefined;
    });
  }

  test('the model gives the answer for which the solution of experiment-pair is written', async () => {
    const pair = /** @type {any} */ (all.find(({ id }) => id === 'experiment-pair'));
    assert.equal((await pair.pose({ l, random: randomFrom(1), file })).right, 2);
  });
});
