/** model.hooks names the activations of a model; all other names are refused. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { rejects } from '../support/expect.js';
import { asGguf, goldens, temporaryFolder } from '../support/goldens.js';
import { forward, readModel } from '../support/reference.js';

const folder = await temporaryFolder(after);

/** Hooks that a family does not have. @type {Record<string, [name: string, why: RegExp][]>} */
const MISSING = {
  gpt2: [
    ['blocks.0.attn.hook_rot_q', /no activation ‘blocks\.0\.attn\.hook_rot_q’: it does not rotate queries/],
    ['blocks.1.attn.hook_rot_k', /rotate keys/],
    ['blocks.0.mlp.hook_pre_linear', /no gate/],
  ],
  llama: [['hook_pos_embed', /no activation ‘hook_pos_embed’: it has no embedding of positions/]],
  mistral: [['hook_pos_embed', /positions/]],
  qwen2: [['hook_pos_embed', /positions/]],
};

for (const golden of await goldens()) {
  if (!(golden.name in MISSING)) continue;
  const path = await asGguf(golden, 'f32', folder);
  for (const worker of [false, true]) {
    describe(`${golden.name}, ${worker ? 'in a Worker' : 'in this thread'}`, async () => {
      const { ids } = golden;
      const model = await load(path, { worker });
      after(() => model.dispose());

      test('hooks are the stages of the forward pass, in its order', async () => {
        /** @type {string[]} */
        const stages = [];
        forward(await readModel(path), ids, { tap: (hook, stage) => (stages.push(hook), stage) });
        assert.deepEqual(model.hooks, stages.filter((hook) => hook !== 'logits'));
      });

      test('a pattern or a function selects names, also a pattern with a position', async () => {
        const keep = async (/** @type {any} */ names) => Object.keys((await model.runWithCache(ids, names)).cache);
        const wanted = model.hooks.filter((name) => name.endsWith('hook_z'));
        assert.ok(wanted.length > 1);
        for (const names of [/hook_z$/, /hook_z$/g, (/** @type {string} */ name) => name.endsWith('hook_z')]) {
          assert.deepEqual(await keep(names), wanted);
          const of = { logit: 3 };
          assert.deepEqual(Object.keys((await model.gradients(ids, { of, at: names })).gradients), wanted);
          assert.deepEqual(Object.keys((await model.sweep(ids, [], { of, names })).cache ?? {}), wanted);
        }
        await rejects(keep(/hook_result/), 'bad-argument', /no activation ‘\/hook_result\/’.*model\.hooks lists/);
        await rejects(keep('hook_z'), 'bad-argument', /array of names/);
        const at = /** @type {any} */ (3);
        await rejects(model.gradients(ids, { of: { logit: 3 }, at }), 'bad-argument', /at is ‘3’/);
      });

      test('weights lists every weight that weight() reads, with its shape', async () => {
        assert.ok(model.weights.some(({ name, type }) => name === 'blk.1.attn_output.weight' && type === 'F32'));
        for (const { name, shape } of model.weights) {
          const { data = [], shape: found } = await model.weight(name) ?? {};
          assert.deepEqual([found, data.length], [shape, shape.reduce((all, n) => all * n, 1)], name);
        }
        await rejects(model.weight('blocks.0.attn.W_Q'), 'bad-argument', /model\.weights lists the names/);
      });

      test('a block that declares a model by using ends it', async () => {
        const other = await load(path, { worker });
        /** @type {any} */ (other)[Symbol.dispose]();
        await rejects(other.forward(ids), 'disposed');
      });

      test('a run without names keeps each of them', async () => {
        const { cache } = await model.runWithCache(ids);
        assert.deepEqual(Object.keys(cache), model.hooks);
        for (const [name, { data }] of Object.entries(cache)) {
          assert.ok(data.some((value) => value !== 0), `${name} is all zeros`);
        }
      });

      for (const [name, why] of MISSING[golden.name]) {
        test(`${name} is refused, to read and to edit`, async () => {
          assert.ok(!model.hooks.includes(name));
          await rejects(model.runWithCache(ids, [name]), 'bad-argument', why);
          await rejects(model.runWithHooks(ids, [{ hook: name, scale: 0 }]), 'bad-argument', why);
          await rejects(model.runWithCache(ids, [], { edits: [{ hook: name, scale: 2 }] }), 'bad-argument', why);
        });
      }

      test('a layer number has one notation', async () => {
        await rejects(model.runWithCache(ids, ['blocks.00.attn.hook_q']), 'bad-argument', /no activation/);
      });
    });
  }
}
