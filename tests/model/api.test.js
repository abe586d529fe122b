// The public methods of a model, in this thread and in a Worker, with the same results.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { openModelFile } from '../../js/files/model-file.js';
import { Model } from '../../js/model/model.js';
import { BEST, TAKEN } from '../support/engines.js';
import { collect, heedError, STORIES } from '../support/model.js';

const PROMPT = 'Once upon a time';

for (const worker of [false, true]) {
  describe(worker ? 'in a Worker' : 'in this thread', () => {
    /** @type {any} */ let model;
    before(async () => {
      model = await load(STORIES, { worker });
    });
    after(() => model.dispose());

    test('info describes the model, and engine describes the kernels', () => {
      const { info } = model;
      assert.equal(info.architecture, 'llama');
      assert.equal(info.parameters, 2755008);
      assert.deepEqual([info.layers, info.heads, info.kvHeads, info.dModel, info.vocabulary], [6, 6, 2, 192, 2048]);
      assert.equal(info.contextLength, 1024);
      assert.ok(info.weightsBytes > 2.7e6 && info.weightsBytes < 4e6);
      assert.ok(info.sessionBytes > 0);
      assert.equal(info.cache, 'int16');
      assert.equal(info.engine.binary, BEST);
      assert.equal(info.engine.threads, 1);
      assert.match(info.engine.why, /^(relaxed SIMD, which .*|simd128, because .* relaxed SIMD.*); one thread/);
    });

    test('text to ids and back', async () => {
      const ids = await model.encode(PROMPT);
      assert.ok(ids instanceof Int32Array);
      assert.equal(ids[0], 0, 'the start token comes first');
      assert.equal(await model.decode(ids.subarray(1)), PROMPT);
      assert.deepEqual(await model.tokens(ids), ['<|endoftext|>', 'Once', ' upon', ' a', ' time']);
      const text = 'naïve café 🦊 日本';
      assert.equal(await model.decode((await model.encode(text)).subarray(1)), text);
    });

    test('score is the log-softmax of the logits of forward, and perplexity is of their mean', async () => {
      const text = 'Once upon a time, there was a little girl named Lily. She loved to play.';
      const { ids, logprobs, perplexity } = await model.score(text);
      assert.deepEqual(ids, await model.encode(text));
      assert.equal(logprobs.length, ids.length - 1);
      assert.ok(ids.length > 17, 'more than one block');
      model.rewind(0);
      const logits = await model.forward(ids, { all: true });
      const { vocabulary } = model.info;
      let sum = 0;
      for (let i = 0; i + 1 < ids.length; i++) {
        const row = Float64Array.from(logits.subarray(i * vocabulary, (i + 1) * vocabulary));
        const largest = Math.max(...row);
        const expected = row[ids[i + 1]] - largest - Math.log(row.reduce((all, x) => all + Math.exp(x - largest), 0));
        assert.ok(Math.abs(logprobs[i] - expected) < 1e-6, `${logprobs[i]} and ${expected}`);
        sum += expected;
      }
      assert.ok(Math.abs(perplexity / Math.exp(-sum / (ids.length - 1)) - 1) < 1e-6);
      assert.deepEqual((await model.score(ids)).logprobs, logprobs);
      await assert.rejects(model.score([1]), heedError('bad-argument', /at least two ids/));
      await assert.rejects(model.score(new Array(2000).fill(1)), heedError('context-full',
        /holds 1024 positions\. Shorten the text\.$/)); // the model allows no more
      await assert.rejects(model.runWithCache(new Array(2000).fill(1)), heedError('context-full',
        /after 0 ids: the session has 1024 positions\. Rewind it or shorten the text\.$/));
      const wrong = ids.slice();
      for (const at of [17, ids.length - 1]) {
        wrong.set(ids);
        wrong[at] = vocabulary;
        const position = new RegExp(`as number ${at} of ${ids.length}`);
        await assert.rejects(model.score(wrong), heedError('bad-argument', position));
      }
    });

    test('score with edits is the log-softmax of runWithHooks', async () => {
      const ids = await model.encode('Once upon a time, there was a little girl named Lily. She loved to play.');
      const { vocabulary } = model.info;
      for (const edit of [{ hook: 'blocks.0.attn.hook_z', head: 1, scale: 0 },
        { hook: 'ln_final.hook_normalized', scale: 0.5 }]) {
        const { logprobs } = await model.score(ids, { edits: [edit] });
        assert.equal(model.position, ids.length - 1);
        const logits = await model.runWithHooks(ids, [edit], { all: true });
        for (let i = 0; i + 1 < ids.length; i++) {
          const row = Float64Array.from(logits.subarray(i * vocabulary, (i + 1) * vocabulary));
          const largest = Math.max(...row);
          const sum = row.reduce((all, x) => all + Math.exp(x - largest), 0);
          const expected = row[ids[i + 1]] - largest - Math.log(sum);
          assert.ok(Math.abs(logprobs[i] - expected) < 1e-6, `${edit.hook}: ${logprobs[i]} and ${expected}`);
        }
      }
      await assert.rejects(model.score(ids, { edits: [{ hook: 'blocks.9.hook_z' }] }), heedError('bad-argument'));
      const wrong = /** @type {any} */ ({ edits: 7 });
      await assert.rejects(model.score(ids, wrong), heedError('bad-argument', /array of edits/));
    });

    test('the texts of the steps are the text of the summary', async () => {
      const { steps, summary } = await collect(model.generate(PROMPT, { maxTokens: 40, seed: 3, top: 4 }));
      assert.equal(steps.map(({ text }) => text).join(''), summary.text);
      assert.deepEqual(
        steps.map(({ id }) => id),
        [...summary.ids],
      );
      assert.equal(summary.reason, 'length');
      assert.equal(steps[0].position, summary.promptIds.length);
      for (const { top, logprob } of steps) {
        assert.equal(top.length, 4);
        assert.ok(logprob <= 0 && top[0].logprob >= top[3].logprob);
      }
      assert.ok(summary.prefillMs >= 0 && summary.decodeMs >= 0);
    });

    test('characters of several tokens are emitted whole', async () => {
      // Each byte of the emoji is one token. A generation cannot be forced to emit them, so the tokens are decoded like
      // steps.
      const ids = (await model.encode('🦊')).subarray(1);
      assert.ok(ids.length > 1, 'an emoji is several tokens of this vocabulary');
      assert.equal(await model.decode(ids), '🦊');
      assert.match((await model.tokens(ids)).join(''), /^(<0x[0-9A-F]{2}>)+$/);
    });

    test('ends before a stop string, at every token boundary', async () => {
      const { summary: free } = await collect(model.generate(PROMPT, { maxTokens: 40, temperature: 0 }));
      for (const stop of [free.text.slice(10, 17), free.text.slice(3, 4), free.text.slice(21, 40)]) {
        const { steps, summary } = await collect(
          model.generate(PROMPT, { maxTokens: 40, temperature: 0, stop: [stop, 'never'] }),
        );
        assert.equal(summary.reason, 'stop');
        assert.equal(summary.text, free.text.slice(0, free.text.indexOf(stop)));
        assert.equal(steps.map(({ text }) => text).join(''), summary.text);
      }
      const { summary } = await collect(
        model.generate(PROMPT, { maxTokens: 9, temperature: 0, stop: [`${free.text.slice(0, 60)}x`] }),
      );
      assert.equal(summary.text, free.text.slice(0, summary.text.length), 'the end emits the held text');
      assert.equal(summary.reason, 'length');
    });

    test('maxTokens 0 generates no token and runs the prompt', async () => {
      const { steps, summary } = await collect(model.generate(PROMPT, { maxTokens: 0 }));
      assert.equal(steps.length, 0);
      assert.equal(summary.reason, 'length');
      assert.equal(model.position, 5);
    });

    test('a full context ends the text with its reason', async () => {
      const small = await load(STORIES, { worker, contextLength: 8 });
      const { summary } = await collect(small.generate(PROMPT, { maxTokens: 100, temperature: 0 }));
      assert.equal(summary.reason, 'context');
      assert.equal(summary.promptIds.length + summary.ids.length, 9, 'eight positions, and the token after the last');
      await assert.rejects(collect(small.generate('word '.repeat(20))),
        heedError('context-full', /8 positions.*, raise contextLength or/));
      await assert.rejects(small.forward([1]), heedError('context-full'));
      small.rewind(7);
      assert.equal((await small.forward([1])).length, 2048);
      small.dispose();
    });

    test('an abort ends with the text so far', async () => {
      const controller = new AbortController();
      const stream = model.generate(PROMPT, { signal: controller.signal, maxTokens: 500 });
      const first = await stream.next();
      controller.abort();
      const { steps, summary } = await collect(stream);
      assert.equal(summary.reason, 'abort');
      assert.ok(steps.length <= 1);
      assert.ok(summary.text.startsWith(first.value.text));
      const { summary: never } = await collect(model.generate(PROMPT, { signal: AbortSignal.abort() }));
      assert.equal(never.reason, 'abort');
      assert.equal(never.text, '');
    });

    test('the model works after a break out of the loop', async () => {
      for await (const _ of model.generate(PROMPT, { maxTokens: 50 })) break;
      assert.equal((await collect(model.generate(PROMPT, { maxTokens: 2 }))).steps.length, 2);
    });

    test('a second generation takes the session, and the first ends with an error', async () => {
      const first = model.generate(PROMPT, { maxTokens: 20 });
      await first.next();
      const second = model.generate('The dog', { maxTokens: 3, temperature: 0 });
      const want = (await collect(second)).summary.text;
      await assert.rejects(collect(first), heedError('superseded'));
      assert.equal((await collect(model.generate('The dog', { maxTokens: 3, temperature: 0 }))).summary.text, want);
    });

    test('every call in the middle of a text finds the session at the last step that the caller read', async () => {
      const promptIds = await model.encode(PROMPT);
      const all = await collect(model.generate(PROMPT, { maxTokens: 40, temperature: 0, rows: true }));
      const whole = [...promptIds, ...all.summary.ids];
      let read = 0;
      for await (const step of model.generate(PROMPT, { maxTokens: 40, temperature: 0 })) {
        assert.equal(step.id, all.steps[read].id);
        assert.equal(model.position, step.position);
        if (read % 10 === 5) {
          assert.deepEqual([...model.ids], whole.slice(0, step.position));
          assert.equal((await model.attention({ layer: 1, head: 2 })).keys, step.position);
          const rows = await model.attentionRows({ queries: [step.position - 1, step.position] });
          assert.deepEqual(rows, all.steps[read].rows);
        }
        if (++read === 36) break;
      }
      assert.deepEqual([...model.ids], whole.slice(0, promptIds.length + 35), 'ids up to the break');

      const logits = await model.forward([whole[model.position]]);
      const again = model.generate(PROMPT, { maxTokens: 40, temperature: 0 });
      for (let i = 0; i < 36; i++) await again.next();
      assert.deepEqual(await model.forward([whole[model.position]]), logits, 'forward continues from this position');
      assert.deepEqual([...model.ids], whole.slice(0, promptIds.length + 36));
      await assert.rejects(again.next(), heedError('superseded'));

      const third = model.generate(PROMPT, { maxTokens: 40, temperature: 0 });
      for (let i = 0; i < 10; i++) await third.next();
      model.rewind(3);
      assert.deepEqual([...model.ids], whole.slice(0, 3));
      await assert.rejects(third.next(), heedError('superseded'));
      assert.equal(model.position, 3);
    });

    test('a step has the rows of the previous token', async () => {
      const { steps, summary } = await collect(model.generate(PROMPT, { maxTokens: 8, temperature: 0, rows: true }));
      assert.equal(summary.ids.length, 8);
      for (const { position, rows } of steps) {
        assert.deepEqual(rows, await model.attentionRows({ queries: [position - 1, position], position }));
        assert.deepEqual([rows.keys, rows.firstQuery, rows.queries], [position, position - 1, 1]);
      }
      const [plain] = (await collect(model.generate(PROMPT, { maxTokens: 1 }))).steps;
      assert.ok(!('rows' in plain));
      await assert.rejects(collect(model.generate(PROMPT, { rows: 1 })), heedError('bad-argument', /rows/));
    });

    for (const { name, options } of [
      { name: 'greedy', options: { temperature: 0, repeatPenalty: 1 } },
      { name: 'sampled', options: { temperature: 1.2, topK: 20, repeatPenalty: 1.3, seed: 4 } },
    ]) {
      test(`promptLookup guesses tokens of a repeating text, and the ${name} text stays the same`, async () => {
        const story = 'The dog ran to the red barn. The dog ran to the red barn. The dog ran';
        const all = { ...options, maxTokens: 48, top: 3, rows: true };
        const plain = await collect(model.generate(story, all));
        const end = model.ids;
        for (const promptLookup of [1, 4, 1000]) {
          const { steps, summary } = await collect(model.generate(story, { ...all, promptLookup }));
          assert.deepEqual(steps.map(({ ms, ...step }) => step), plain.steps.map(({ ms, ...step }) => step));
          assert.deepEqual([summary.text, summary.reason], [plain.summary.text, plain.summary.reason]);
          assert.deepEqual(model.ids, end, 'no guessed token stays in the session');
        }
        for await (const step of model.generate(story, { ...all, promptLookup: 8 })) {
          if (step.position === plain.steps[5].position) break;
        }
        assert.equal(model.position, plain.steps[5].position);
        const next = await model.forward([plain.steps[5].id]);
        model.rewind(0);
        const whole = await model.forward([...plain.summary.promptIds, ...plain.summary.ids.subarray(0, 6)]);
        assert.deepEqual(next, whole, 'the text goes on after a break');
        const wrong = collect(model.generate(story, { promptLookup: -1 }));
        await assert.rejects(wrong, heedError('bad-argument', /promptLookup/));
      });
    }

    test('a map of a prefix equals the map of the shorter session', async () => {
      model.rewind(0);
      await model.forward([0, 382, 389, 259, 366, 12]);
      const whole = await model.attention({ layer: 3, head: 4 });
      const before = await model.attention({ layer: 3, head: 4, position: 4 });
      assert.deepEqual([before.queries, before.keys, before.tokens], [4, 4, whole.tokens.slice(0, 4)]);
      for (let query = 0; query < 4; query++) {
        assert.deepEqual(before.data.slice(4 * query, 4 * query + 4), whole.data.slice(6 * query, 6 * query + 4));
      }
      model.rewind(4);
      assert.deepEqual(await model.attention({ layer: 3, head: 4 }), before);
      for (const position of [-1, 5, 1.5, '2']) {
        await assert.rejects(model.attentionRows({ position }), heedError('bad-argument', /position/));
      }
    });

    test('times do not include the time of the caller', async () => {
      const began = performance.now();
      let waited = 0;
      let worked = 0;
      const stream = model.generate(PROMPT, { maxTokens: 3, temperature: 0 });
      let step = await stream.next();
      for (; !step.done; step = await stream.next()) {
        worked += step.value.ms;
        const from = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 50));
        waited += performance.now() - from;
      }
      const { prefillMs, decodeMs } = step.value;
      assert.equal(decodeMs, worked);
      if (!worker) assert.ok(prefillMs + decodeMs <= performance.now() - began - waited);
    });

    test('an abort ends the text at the last step that the caller read', async () => {
      const controller = new AbortController();
      const stream = model.generate(PROMPT, { signal: controller.signal, maxTokens: 400, temperature: 0 });
      const read = [];
      for (let i = 0; i < 7; i++) read.push((await stream.next()).value);
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.abort();
      const { value, done } = await stream.next();
      assert.ok(done);
      assert.deepEqual([value.reason, [...value.ids]], ['abort', read.map((step) => step.id)]);
      assert.equal(value.text, read.map((step) => step.text).join(''));
      assert.equal(model.position, read[6].position);
    });

    test('concurrent calls run one after another', async () => {
      model.rewind(0);
      const [a, b] = await Promise.all([model.forward([0, 382]), model.forward([389])]);
      assert.equal(model.position, 3);
      model.rewind(0);
      assert.deepEqual(await model.forward([0, 382]), a);
      assert.deepEqual(await model.forward([389]), b);
      assert.deepEqual([...model.ids], [0, 382, 389]);
    });

    test('maps of the session so far, whole or by ranges', async () => {
      model.rewind(0);
      await model.forward([0, 382, 389, 259, 366, 12]);
      const map = await model.attention({ layer: 3, head: 4 });
      assert.deepEqual([map.queries, map.keys, map.firstQuery, map.kind], [6, 6, 0, 'pattern']);
      assert.deepEqual(map.tokens, ['<|endoftext|>', 'Once', ' upon', ' a', ' time', ',']);
      const part = await model.attention({ layer: 3, head: 4, queries: [2, 5] });
      assert.deepEqual([part.queries, part.keys, part.firstQuery], [3, 6, 2]);
      assert.deepEqual(part.data, map.data.slice(12, 30));
      const rows = await model.attentionRows({ queries: [2, 5] });
      const at = (3 * 6 + 4) * 18;
      assert.deepEqual(rows.data.slice(at, at + 18), part.data);
      const none = await model.attention({ layer: 0, head: 0, queries: [3, 3] });
      assert.equal(none.data.length, 0);
    });

    test('maps of an empty session are refused', async () => {
      model.rewind(0);
      const empty = heedError('bad-argument', /^The session is empty\. Call forward first\.$/);
      await assert.rejects(model.attention({ layer: 0, head: 0 }), empty);
      await assert.rejects(model.attentionRows(), empty);
      await model.forward([1]);
      assert.equal((await model.attention({ layer: 0, head: 0 })).keys, 1);
    });

    test('layers, heads and queries that do not exist are refused, and the session stays', async () => {
      const position = model.position;
      await assert.rejects(model.attention({ layer: 6, head: 0 }), heedError('bad-argument', /layer.*‘6’/));
      await assert.rejects(model.attention({ layer: 0, head: -1 }), heedError('bad-argument', /head.*‘-1’/));
      await assert.rejects(model.attention({ layer: 0, head: 0, queries: [0, 99] }), heedError('bad-argument', /99/));
      await assert.rejects(model.attention({ layer: 0, head: 0, kind: 'shape' }), heedError('bad-argument', /shape/));
      await assert.rejects(model.forward([2048]), heedError('bad-argument', /2048/));
      await assert.rejects(model.forward([1.5]), heedError('bad-argument', /1\.5/));
      await assert.rejects(model.forward([]), heedError('bad-argument', /at least one/));
      await assert.rejects(model.forward([1, undefined]), heedError('bad-argument', /undefined.*number 1 of 2/));
      await assert.rejects(collect(model.generate([1, undefined])), heedError('bad-argument', /undefined/));
      await assert.rejects(model.decode([-1]), heedError('bad-argument', /-1/));
      await assert.rejects(collect(model.generate([])), heedError('bad-argument', /no ids/));
      await assert.rejects(model.runWithCache([0], ['blocks.9.attn.hook_q']), heedError('bad-argument', /blocks\.9/));
      await assert.rejects(
        model.runWithHooks([0], [{ hook: 'hook_embed', head: 1 }]),
        heedError('bad-argument', /heads/),
      );
      assert.throws(() => model.rewind(99), heedError('bad-argument', /99/));
      assert.throws(() => model.rewind(0.5), heedError('bad-argument'));
      assert.equal(model.position <= position, true);
    });

    test('unknown options are refused by name, and so are values that are not lists', async () => {
      const refused = (promise, pattern) => assert.rejects(promise, heedError('bad-argument', pattern));
      await refused(load(STORIES, { worker, thread: 2 }), /^load: there is no option ‘thread’; .*threads/);
      await refused(load(STORIES, { worker, onProgress: 3 }), /^load: onProgress is ‘3’; it is a function/);
      await refused(load(STORIES, { worker, signal: 1 }), /^load: signal is ‘1’; it is an AbortSignal/);
      await refused(load(STORIES, { worker, maps: 'no' }), /^load: maps is ‘no’; it is true or false/);
      await refused(load(STORIES, { worker: 'yes' }), /^load: worker is ‘yes’/);
      await refused(load({ weights: STORIES, tokenizers: STORIES }, { worker }), /no option ‘tokenizers’; .*tokenizer/);
      for (const json of [undefined, /** @type {const} */ (true)]) {
        await refused(collect(model.generate(PROMPT, /** @type {any} */ ({ max_tokens: 3, json }))),
          /no option ‘max_tokens’; .*maxTokens.*signal, json, grammar, banned, logitBias\.$/);
      }
      await refused(collect(model.generate(PROMPT, { stop: [''] })), /^Expected stop .*non-empty/);
      await refused(collect(model.generate(PROMPT, { maxTokens: '5' })), /integer from 0, got the string ‘5’\.$/);
      await refused(model.attention({ layer: '1', head: 0 }), /^Expected layer .* got the string ‘1’\.$/);
      await refused(model.forward([1], { every: true }), /^forward: there is no option ‘every’; there are all/);
      await refused(model.forward([1], { all: 1 }), /^forward: all is ‘1’; it is true or false/);
      await refused(model.forward([1], null), /^forward: options are an object/);
      for (const signal of [1, {}, new AbortController()]) {
        await refused(model.forward([1], { signal }), /^forward: signal is .*an AbortSignal/);
        await refused(collect(model.generate(PROMPT, { signal })), /^generate: signal is/);
        await refused(model.runWithCache([1], [], { signal }), /^runWithCache: signal is/);
      }
      await refused(model.runWithHooks([1], [], { edits: [] }), /^runWithHooks: there is no option ‘edits’/);
      await refused(model.runWithHooks([1], [null]), /^an edit: options are an object/);
      await refused(model.encode(3), /^encode: expected a string, got ‘3’/);
      await refused(model.attention({ layers: 0, head: 0 }), /no option ‘layers’; .*layer/);
      await refused(model.attention(), /Expected layer to be an integer/);
      await refused(model.attention({ layer: 0, head: 0, queries: 3 }), /^queries is ‘3’; it is an array of two/);
      await refused(model.attention({ layer: 0, head: 0, queries: /** @type {any} */ ([0, 1, 2]) }),
        /^Expected queries \[from, to\] with 0 ≤ from ≤ to ≤ \d+, got ‘0,1,2’/);
      await refused(model.runWithCache([1], 'blocks.0.attn.hook_q'), /^names is ‘blocks.*an array of names/);
      await refused(model.runWithHooks([1], { hook: 'blocks.0.attn.hook_q' }), /^edits is .*an array of edits/);
      await refused(model.runWithHooks([1], [{ hook: 'blocks.0.attn.hook_q', value: [0] }]),
        /^an edit: there is no option ‘value’; .*values/);
      await refused(model.runWithHooks([1], [{ hook: 'hook_embed', positions: 1 }]), /^positions is ‘1’; it is an/);
    });

    test('maps show the pattern that an edited run used, until the session is cleared', async () => {
      const ids = [0, 382, 389, 259, 366, 12];
      const n = ids.length;
      const hook = 'blocks.2.attn.hook_pattern';
      const plain = (await model.runWithCache(ids, [hook])).cache[hook].data;
      // Head 1 of layer 2 looks at the first token only; head 3's scores are halved.
      const first = Float32Array.from({ length: n * n }, (_, i) => Number(i % n === 0));
      const edits = [
        { hook, head: 1, scale: 0, values: first },
        { hook: 'blocks.2.attn.hook_attn_scores', head: 3, scale: 0.5 },
      ];
      const run = (await model.runWithCache(ids, [hook], { edits })).cache[hook].data;
      assert.deepEqual(run.slice(n * n, 2 * n * n), first);
      assert.notDeepEqual(run.slice(3 * n * n, 4 * n * n), plain.slice(3 * n * n, 4 * n * n));
      assert.deepEqual(run.slice(0, n * n), plain.slice(0, n * n));
      for (let head = 0; head < 6; head++) {
        const map = await model.attention({ layer: 2, head });
        assert.deepEqual(map.data, run.slice(head * n * n, (head + 1) * n * n), `head ${head}`);
      }
      // A continued run has no edits, nor has a run after rewind.
      await model.forward([369]);
      const longer = (await model.attention({ layer: 2, head: 1 })).data;
      assert.deepEqual([...longer.slice(0, n + 1)], [1, 0, 0, 0, 0, 0, 0]);
      assert.ok(longer[n * (n + 1)] < 1, 'the row after the edits is not edited');
      model.rewind(4);
      await model.forward(ids.slice(4));
      const again = (await model.attention({ layer: 2, head: 1 })).data;
      assert.deepEqual(again.slice(0, 4 * n), first.slice(0, 4 * n));
      assert.ok(again[4 * n] < 1);
      // A generation with the same ids shares nothing with the edited run.
      await collect(model.generate(ids, { maxTokens: 1 }));
      assert.deepEqual((await model.attention({ layer: 2, head: 1 })).data, plain.slice(n * n, 2 * n * n));
    });

    test('an edited run that fails or is stopped leaves no edit behind', async () => {
      const ids = Array.from({ length: 1000 }, (_, i) => (7 * i) % 2048); // time for the abort
      const edit = { hook: 'blocks.0.attn.hook_pattern', scale: 0 };
      model.rewind(0);
      await model.forward(ids);
      const { data: plain } = await model.attention({ layer: 0, head: 0 });
      const here = new AbortController();
      setTimeout(() => here.abort());
      await assert.rejects(model.runWithHooks(ids, [edit], { signal: here.signal }), heedError('aborted'));
      await model.forward(ids);
      assert.deepEqual((await model.attention({ layer: 0, head: 0 })).data, plain, 'stopped');
      await assert.rejects(model.runWithHooks(ids, [{ hook: 'nothing' }, edit]), heedError('bad-argument'));
      assert.equal(model.position, 1000, 'a refused run keeps the session');
      assert.deepEqual((await model.attention({ layer: 0, head: 0 })).data, plain, 'refused');
    });

    test('a model without maps refuses requests for maps; without a tokenizer it runs on ids', async () => {
      const bare = await load(STORIES, { worker, maps: false });
      await bare.forward([0, 1]);
      await assert.rejects(bare.attention({ layer: 0, head: 0 }), heedError('bad-argument', /maps: false/));
      assert.ok(bare.info.sessionBytes < model.info.sessionBytes);
      bare.dispose();
    });

    test('loading reports progress and can be stopped', async () => {
      const bytes = new Uint8Array(await readFile(STORIES));
      const seen = [];
      const second = await load(new Blob([bytes]), { worker, onProgress: (p) => seen.push(p) });
      second.dispose();
      assert.ok(seen.length > 0 && seen.every(({ totalBytes }) => totalBytes === null || totalBytes <= bytes.length));
      assert.equal(seen.at(-1).loadedBytes, seen.at(-1).totalBytes);
      await assert.rejects(load(bytes, { worker, signal: AbortSignal.abort() }), heedError('aborted'));
      // While the worker starts, and the file is opened.
      const controller = new AbortController();
      const third = load(STORIES, { worker, signal: controller.signal });
      await new Promise((resolve) => setTimeout(resolve));
      controller.abort();
      await assert.rejects(third, heedError('aborted'));
    });

    test('options that cannot be met are refused', async () => {
      await assert.rejects(load(STORIES, { worker, engine: 'gpu' }), heedError('bad-argument', /gpu/));
      await assert.rejects(load(STORIES, { worker, threads: 0 }), heedError('bad-argument', /threads/));
      await assert.rejects(load(STORIES, { worker, cache: 'f16' }), heedError('bad-argument', /int16, got ‘f16’/));
      await assert.rejects(load(STORIES, { worker, quantize: 'q5_0' }),
        heedError('bad-argument', /q8_0, q4_0; got ‘q5_0’/));
      await assert.rejects(
        load(STORIES, { worker, contextLength: 5000 }),
        heedError('bad-argument', /contextLength/),
      );
      const two = await load(STORIES, { worker, threads: 2 });
      assert.equal(two.info.engine.threads, 2);
      assert.match(two.info.engine.why, /2 threads, as requested/);
      two.dispose();
    });

    test('an int16 cache takes half of the memory of an f32 cache', async () => {
      const bytes = [];
      const ways = /** @type {const} */ ([['f32', 64], ['f32', 1024], ['int16', 64], ['int16', 1024]]);
      for (const [cache, contextLength] of ways) {
        const other = await load(STORIES, { worker, cache, contextLength });
        assert.equal(other.info.cache, cache);
        bytes.push(other.info.sessionBytes);
        other.dispose();
      }
      // Bytes of 960 more positions, without their ids and 128 rows of scores over them.
      const besides = 960 * 4 * (128 + 1);
      const { layers, heads, kvHeads, dHead } = model.info;
      const numbers = 960 * layers * (heads + 2 * kvHeads) * dHead;
      assert.equal(bytes[1] - bytes[0] - besides, 4 * numbers);
      assert.equal(bytes[3] - bytes[2] - besides, 2 * numbers + 4 * (numbers / dHead));
    });

    test('every call after dispose is an error that names dispose', async () => {
      const gone = await load(STORIES, { worker });
      gone.dispose();
      gone.dispose();
      await assert.rejects(gone.forward([0]), heedError('disposed'));
      await assert.rejects(collect(gone.generate(PROMPT)), heedError('disposed'));
      assert.equal(gone.position, 0);
    });
  });
}

test('memory grows once, for weights and buffers together', async () => {
  for (const options of [{ contextLength: 64 }, { quantize: /** @type {const} */ ('f32'), maps: false }]) {
    /** @type {number[]} */
    const grown = [];
    const model = await Model.load(openModelFile, STORIES, { threads: 1, ...options }, ({ memory }) => {
      const grow = memory.grow.bind(memory);
      memory.grow = (pages) => {
        grown.push(65536 * pages);
        return grow(pages);
      };
    });
    const { weightsBytes, sessionBytes } = model.info;
    assert.equal(grown.length, 1, `${grown}`);
    assert.ok(grown[0] > weightsBytes && grown[0] < weightsBytes + sessionBytes + 2 ** 18, `${grown}`);
    model.dispose();
  }
});

test('the Worker sends steps in groups, and stops a few steps ahead of the reader', async (t) => {
  const { Worker } = await import('node:worker_threads');
  const { emit } = Worker.prototype;
  /** @type {any[]} */
  const messages = [];
  Worker.prototype.emit = function (name, ...rest) {
    if (name === 'message') messages.push(rest[0]);
    return emit.call(this, name, ...rest);
  };
  t.after(() => Object.assign(Worker.prototype, { emit }));
  const model = await load(STORIES, { worker: true });
  messages.length = 0;
  const { steps } = await collect(model.generate(PROMPT, { maxTokens: 200, temperature: 0, rows: true }));
  const bunches = messages.flatMap((message) => (message.result?.steps ? [message.result.steps] : []));
  assert.equal(bunches.flat().length, steps.length, 'each step is sent once');
  assert.ok(bunches.length < steps.length, `${bunches.length} messages for ${steps.length} steps`);
  for (let i = 0; i < 5; i++) { // a slow machine may need the time of a group for one step
    messages.length = 0;
    await collect(model.generate(PROMPT, { maxTokens: 20, temperature: 0 }));
    const [first] = messages.filter((message) => message.result?.steps);
    assert.equal(first.result.steps.length, 1, 'it waits for no other step');
  }

  const stream = model.generate(PROMPT, { maxTokens: 500, temperature: 0 });
  await stream.next();
  messages.length = 0;
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.ok(messages.length <= 5, `${messages.length} unread messages`);
  await stream.return();
  model.dispose();
});

test('a generation in a Worker asks for its first steps before its start is answered', async (t) => {
  const { Worker } = await import('node:worker_threads');
  const { postMessage } = Worker.prototype;
  /** @type {string[]} */
  const posted = [];
  Worker.prototype.postMessage = function (/** @type {any} */ message, ...rest) {
    posted.push(message.method);
    return postMessage.call(this, message, ...rest);
  };
  t.after(() => Object.assign(Worker.prototype, { postMessage }));
  const model = await load(STORIES, { worker: true });
  posted.length = 0;
  const stream = model.generate(PROMPT, { maxTokens: 2, temperature: 0 });
  const first = stream.next();
  assert.deepEqual(posted, ['generate', 'next', 'next', 'next', 'next']);
  assert.equal((await first).done, false);
  await stream.return();
  model.dispose();
});

test('promptLookup takes fewer passes for a text that repeats', async () => {
  /** @type {any} */ let engine;
  const model = await Model.load(openModelFile, STORIES, {}, (made) => (engine = made));
  const ids = await model.encode('One two three four. One two three four. One two three four. One two three');
  const passes = async (/** @type {number} */ promptLookup) => {
    let count = 0;
    const { call } = engine;
    engine.call = (/** @type {string} */ name, /** @type {number[]} */ ...rest) => {
      count += Number(name === 'heed_step');
      return call.call(engine, name, ...rest);
    };
    const options = { temperature: 0, repeatPenalty: 1, maxTokens: 24, promptLookup };
    const { summary } = await collect(model.generate(ids, options));
    engine.call = call;
    return { count, text: summary.text };
  };
  const plain = await passes(0);
  const guessed = await passes(8);
  assert.equal(guessed.text, plain.text);
  assert.equal(plain.count, 23);
  assert.ok(guessed.count < plain.count, `${guessed.count} passes`);
  model.dispose();
});

test('a token is one call into the engine', async () => {
  /** @type {string[]} */
  const called = [];
  const model = await Model.load(openModelFile, STORIES, { threads: 1 }, (engine) => {
    for (const way of /** @type {const} */ (['call', 'ask'])) {
      const original = engine[way].bind(engine);
      engine[way] = (name, ...parameters) => {
        called.push(name);
        return original(name, ...parameters);
      };
    }
  });
  const steps = model.generate(PROMPT, { seed: 3, maxTokens: 25, top: 4 });
  for (let i = 0; i < 17; i++) await steps.next(); // the prompt, and steps that also choose streams
  called.length = 0;
  for await (const step of steps) assert.equal(step.top.length, 4);
  assert.deepEqual(called, Array(8).fill('heed_step'));
  model.dispose();
});
