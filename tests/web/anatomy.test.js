/** `<heed-anatomy>` in real browsers, with runs of the stories model. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { violationsIn } from '../support/axe.js';
import { BROWSERS, plainServer } from '../support/browsers.js';
import { until as untilIn } from '../support/until.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Anatomy</title>
  <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
  <link rel="icon" href="data:,"><script type="module" src="/anatomy-page.js"></script>
  <body><main><h1>Anatomy</h1><heed-anatomy layer="2" head="4" lessons="/web/lessons"></heed-anatomy></main>`;
const SCRIPT = `
  import { load } from '/dist/heed.js';
  import '/dist/elements.js';
  const anatomy = document.querySelector('heed-anatomy');
  const model = await load('/models/stories.gguf', { cache: 'f32', contextLength: 64 });
  const ids = await model.encode('Once upon a time there was a little girl named Lily.');
  const { layers, dModel, vocabulary } = model.info;
  const last = 'blocks.' + (layers - 1) + '.hook_resid_post';
  const asked = [];
  anatomy.load = async (names, { position }) => {
    asked.push(...names);
    const hooks = names.filter((name) => model.hooks.includes(name));
    const { cache } = await model.runWithCache(ids, [...new Set([...hooks, last])]);
    const residual = cache[last].data.slice(position * dModel, (position + 1) * dModel);
    cache.logits = { data: await model.unembed(residual), shape: [vocabulary] };
    for (const name of names) cache[name] ??= await model.weight(name);
    return cache;
  };
  anatomy.words = (tokens) => model.tokens(tokens);
  anatomy.data = { info: model.info, tokens: await model.tokens(ids) };
  const { cache, logits } = await model.runWithCache(ids);
  Object.assign(globalThis, { anatomy, asked, cache, logits, count: ids.length, info: model.info,
    shadow: anatomy.shadowRoot });
`;

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(`the anatomy in ${name}`, { timeout: 240_000 }, () => {
    /** @type {import('../support/browsers.js').Opened} */ let browser;
    /** @type {import('../support/browsers.js').Page} */ let page;
    /** @type {Awaited<ReturnType<typeof plainServer>>} */ let server;

    before(async () => {
      const answer = (/** @type {string} */ type, /** @type {string} */ text) =>
        (/** @type {any} */ _, /** @type {import('node:http').ServerResponse} */ response) =>
          void response.writeHead(200, { 'content-type': type }).end(text);
      server = await plainServer({ root: ROOT, below: '/', extra: { '/anatomy.html': answer('text/html', PAGE),
        '/anatomy-page.js': answer('text/javascript', SCRIPT) } });
      browser = await openBrowser({ width: 1280, height: 900 });
      page = browser.page;
    });
    after(async () => {
      await browser?.close();
      await server?.close();
    });
    beforeEach(async () => {
      await page.goto(new URL('/anatomy.html', server.url).href);
      await until(() => /** @type {any} */ (globalThis).shadow?.querySelectorAll('.card').length === 18);
      await loaded();
    });

    /** @template A @param {(argument: A) => unknown} condition @param {A} [argument] */
    const until = (condition, argument) => untilIn(page, condition, argument);
    /** Waits until every card has its numbers. */
    const loaded = () => until(() => /** @type {any} */ (globalThis).shadow.querySelector('[aria-busy=true]') === null);
    const noComplaints = () => assert.deepEqual(browser.complaints.splice(0), []);
    /** The open sum. */
    const sum = () => page.evaluate(() => {
      const found = /** @type {any} */ (globalThis).anatomy.sum;
      return found && { title: found.title, result: found.result, run: found.run, terms: found.terms.length,
        steps: found.steps };
    });

    test('loads the activations of the open block, and weights when a sum is opened', async () => {
      const asked = await page.evaluate(() => /** @type {any} */ (globalThis).asked.splice(0));
      const own = asked.filter((/** @type {string} */ each) => each.startsWith('blocks.2.'));
      assert.equal(new Set(own).size, 18);
      const others = asked.filter((/** @type {string} */ each) => !each.startsWith('blocks.2.'));
      assert.ok(others.every((/** @type {string} */ each) => /hook_embed|resid_post|ln_final/.test(each)),
        String(others));
      await page.evaluate(() => { /** @type {any} */ (globalThis).anatomy.layer = 4; });
      await until(() => /** @type {any} */ (globalThis).asked.includes('blocks.4.mlp.hook_post'));
      await loaded();
      noComplaints();
    });

    test('a hovered score shows its sum, which equals the run, and frames its inputs', async () => {
      const point = async () => {
        const at = await page.evaluate(() => {
          const canvas = [.../** @type {any} */ (globalThis).shadow.querySelectorAll('.card')]
            .find((card) => card.textContent.startsWith('Scores')).querySelector('canvas');
          const { x, y, width, height } = canvas.getBoundingClientRect();
          const { count } = /** @type {any} */ (globalThis);
          return { x: x + (3.5 / count) * width, y: y + (9.5 / count) * height };
        });
        await page.mouse.move(at.x, at.y);
      };
      const isMarked = () =>
        page.evaluate(() => /** @type {any} */ (globalThis).shadow.querySelector('.mark') !== null);
      const end = Date.now() + 60_000;
      do { // the figure can move while its page is laid out, and leave the pointer
        await point();
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      } while (!await isMarked() && Date.now() < end);
      const found = await sum();
      assert.match(found.title, /^Score of ‘[^’]+’ \(9\) for ‘[^’]+’ \(3\), head 4$/);
      const [score, marks, lit] = await page.evaluate(() => {
        const { cache, count, shadow } = /** @type {any} */ (globalThis);
        return [cache['blocks.2.attn.hook_attn_scores'].data[(4 * count + 9) * count + 3],
          shadow.querySelectorAll('.mark').length, shadow.querySelectorAll('path.lit.link').length];
      });
      assert.equal(found.run, score);
      assert.ok(Math.abs(found.result - score) < 1e-5, `${found.result} ${score}`);
      assert.deepEqual([found.terms, marks, lit], [32, 3, 2]);
      noComplaints();
    });

    test('keys walk between boxes and numbers; Enter opens, Escape closes', async () => {
      await page.evaluate(() => /** @type {any} */ (globalThis).shadow.querySelector('.card').focus());
      const focused = () => page.evaluate(() => {
        const active = /** @type {any} */ (globalThis).shadow.activeElement;
        return active?.getAttribute('aria-label') ?? '';
      });
      assert.match(await focused(), /^Residual in 192, shape 13 × 192 \(tokens × features\)\. One vector/);
      for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowRight');
      assert.match(await focused(), /^Softmax 6 × 13 × 13, shape/);
      await page.keyboard.press('Enter');
      assert.equal(await focused(), 'Numbers of Softmax, head 4');
      await until(() => /** @type {any} */ (globalThis).anatomy.sum !== null);
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowUp');
      const found = await sum();
      assert.match(found.title, /^Attention of ‘[^’]+’ \(11\) to ‘[^’]+’ \(0\), head 4$/);
      assert.ok(Math.abs(found.result - found.run) < 1e-6);
      await page.keyboard.press('Escape');
      assert.match(await focused(), /^Softmax/);
      assert.equal(await page.evaluate(() => /** @type {any} */ (globalThis).anatomy.box), '');
      await page.keyboard.press('ArrowDown');
      assert.match(await focused(), /^(MLP out|Residual out|SiLU|Up)/);
      noComplaints();
    });

    test('the field of tokens walks to one, and a text of 4,096 tokens makes few elements', async () => {
      const { walked, word, kept, few } = await page.evaluate(async () => {
        const { anatomy, shadow } = /** @type {any} */ (globalThis);
        const field = shadow.querySelector('.controls input');
        const type = (/** @type {string} */ value) => {
          field.value = value;
          field.dispatchEvent(new Event('input'));
          return [anatomy.position, shadow.querySelector('.controls .word').textContent];
        };
        const [walked, word] = type('2');
        const [kept] = type('99');
        field.dispatchEvent(new Event('change'));
        anatomy.load = null;
        anatomy.data = { info: /** @type {any} */ (globalThis).info,
          tokens: Array.from({ length: 4096 }, (_, at) => `t${at}`) };
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return { walked, word, kept: [kept, field.max], few: shadow.querySelectorAll('*').length };
      });
      assert.deepEqual([walked, word, kept], [2, 'upon', [2, '4095']]);
      assert.ok(few < 700, `${few} elements`);
      noComplaints();
    });

    test('a hidden figure is drawn without errors', async () => {
      const failed = await page.evaluate(async () => {
        const { anatomy } = /** @type {any} */ (globalThis);
        /** @type {string[]} */
        const errors = [];
        anatomy.addEventListener('heed-error', (/** @type {CustomEvent} */ { detail }) => errors.push(detail.error));
        anatomy.style.display = 'none';
        anatomy.box = 'scores';
        anatomy.redraw();
        anatomy.style.display = '';
        return errors.map(String);
      });
      assert.deepEqual(failed, []);
      noComplaints();
    });

    test('a failed load says its error and ends the busy state; other numbers still load', async () => {
      const shown = () => page.evaluate(() => {
        const { shadow } = /** @type {any} */ (globalThis);
        return { said: shadow.querySelector('.problem').textContent, sum: shadow.querySelector('.sum').textContent };
      });
      await page.evaluate(() => {
        const { anatomy } = /** @type {any} */ (globalThis);
        const { load } = anatomy;
        anatomy.addEventListener('heed-error', (/** @type {Event} */ event) => event.preventDefault());
        anatomy.load = (/** @type {string[]} */ names, /** @type {any} */ options) => {
          if (names.some((name) => /^blk|^blocks\.4/.test(name))) throw new Error('the worker has ended');
          return load(names, options);
        };
      });
      await loaded();
      await page.evaluate(() => { /** @type {any} */ (globalThis).anatomy.box = 'attn_out'; });
      await until(() => !/** @type {any} */ (globalThis).shadow.querySelector('.problem').hidden);
      await until(() => !/^Loading/.test(/** @type {any} */ (globalThis).shadow.querySelector('.sum').textContent));
      const { said, sum } = await shown();
      assert.match(said, /the worker has ended/);
      assert.match(sum, /^This sum needs blk\.2\.attn_output\.weight/);
      await page.evaluate(() => Object.assign(/** @type {any} */ (globalThis).anatomy, { box: '', layer: 4 }));
      await until(() =>
        /^Block 4/.test(/** @type {any} */ (globalThis).shadow.querySelector('.block .title').textContent));
      await loaded();
      await page.evaluate(() => { /** @type {any} */ (globalThis).anatomy.layer = 3; });
      await until(() => /** @type {any} */ (globalThis).asked.includes('blocks.3.mlp.hook_post'));
      await loaded();
      noComplaints();
    });

    test('late answers are dropped: of an earlier token, of another load, and of other words', async () => {
      await page.evaluate(() => {
        const { anatomy } = /** @type {any} */ (globalThis);
        const { load } = anatomy;
        /** @type {(() => void)[]} */
        const answers = [];
        /** @type {string[]} */
        const errors = [];
        anatomy.addEventListener('heed-error', (/** @type {CustomEvent} */ event) => {
          event.preventDefault();
          errors.push(event.detail.error.message);
        });
        anatomy.load = async (/** @type {string[]} */ names, /** @type {any} */ options) => {
          if (names.includes('logits')) await new Promise((answer) => answers.push(() => answer(undefined)));
          options.signal.throwIfAborted();
          return load(names, options);
        };
        anatomy.box = 'logits';
        anatomy.position = 5;
        Object.assign(globalThis, { answers, errors, load });
      });
      const asksFor = (/** @type {number} */ count) =>
        until((/** @type {number} */ most) => /** @type {any} */ (globalThis).answers.length === most, count);
      await asksFor(1);
      await page.evaluate(() => { /** @type {any} */ (globalThis).anatomy.position = 3; });
      await asksFor(2);
      await page.evaluate(() => /** @type {any} */ (globalThis).answers[0]());
      await page.evaluate(() => /** @type {any} */ (globalThis).answers[1]());
      await until(() => /** @type {any} */ (globalThis).anatomy.sum !== null);
      const { result, run } = await sum();
      assert.ok(Math.abs(result - run) < 0.1, `${result} ${run}: these are logits of another token`);
      assert.deepEqual(await page.evaluate(async () => {
        const { anatomy, answers, errors, load } = /** @type {any} */ (globalThis);
        const { words } = anatomy;
        const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        anatomy.words = async (/** @type {number[]} */ ids) => {
          await new Promise((answer) => answers.push(answer));
          throw new Error(`no words for ${ids.length} ids`);
        };
        await drawn();
        anatomy.position = 7;
        await drawn();
        Object.assign(anatomy, { load, words });
        for (const answer of answers) answer();
        await drawn();
        return [answers.length, ...errors];
      }), [4]);
      await loaded();
      noComplaints();
    });

    test('a pending load is aborted by renew() and by removal, and an element that returns loads again', async () => {
      const found = await page.evaluate(async () => {
        const { anatomy } = /** @type {any} */ (globalThis);
        const { load } = anatomy;
        /** @type {string[]} */ const heard = [];
        /** @type {AbortSignal[]} */ const signals = [];
        const listen = (/** @type {any} */ event) => heard.push(String(event.detail.error));
        anatomy.addEventListener('heed-error', listen);
        const frames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        anatomy.load = (/** @type {string[]} */ _, /** @type {any} */ { signal }) => {
          signals.push(signal);
          return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        };
        anatomy.layer = 1;
        anatomy.renew();
        await frames();
        anatomy.renew();
        await frames();
        const { parentNode, nextSibling } = anatomy;
        anatomy.remove();
        await frames();
        const aborted = signals.map((signal) => signal.aborted);
        parentNode.insertBefore(anatomy, nextSibling);
        anatomy.load = load;
        await frames();
        anatomy.removeEventListener('heed-error', listen);
        return { heard, aborted };
      });
      assert.deepEqual(found.heard, []);
      assert.ok(found.aborted.length >= 2 && found.aborted.every(Boolean), String(found.aborted));
      await until(() => /** @type {any} */ (globalThis).shadow.querySelectorAll('[aria-busy=true]').length === 0);
      noComplaints();
    });

    test('a product loads its weights, and shows every term in a table', async () => {
      await page.evaluate(() => { /** @type {any} */ (globalThis).anatomy.box = 'attn_out'; });
      await until(() => /** @type {any} */ (globalThis).anatomy.sum?.terms.length === 192);
      await page.evaluate(() => {
        /** @type {any} */ (globalThis).shadow.querySelector('details:not(.export)').open = true;
      });
      await until(() => /** @type {any} */ (globalThis).shadow.querySelectorAll('.sum tbody tr').length === 192);
      assert.ok(await page.evaluate(() => /** @type {any} */ (globalThis).asked.includes('blk.2.attn_output.weight')));
      noComplaints();
    });

    test('logits become probabilities', async () => {
      await page.evaluate(() => { /** @type {any} */ (globalThis).anatomy.box = 'probabilities'; });
      await until(() => {
        const items = [.../** @type {any} */ (globalThis).shadow.querySelectorAll('[role=option]')];
        return items.length === 10 && items.every((item) => !item.textContent.startsWith('token '));
      });
      const [shown, expected, texts] = await page.evaluate(() => {
        const { anatomy, logits, shadow } = /** @type {any} */ (globalThis);
        const most = Math.max(...logits);
        const total = logits.reduce((/** @type {number} */ sum, /** @type {number} */ logit) =>
          sum + Math.exp(logit - most), 0);
        return [anatomy.sum.result, 1 / total, shadow.querySelector('[role=option]').textContent];
      });
      assert.ok(Math.abs(shown - expected) < 1e-6, `${shown} ${expected}`);
      assert.match(texts, new RegExp(`${(100 * expected).toFixed(0)}.%$`));
      noComplaints();
    });

    test('the playhead visits every box of the open block, and the other blocks as a whole', async () => {
      const stages = await page.evaluate(async () => {
        const { anatomy, shadow } = /** @type {any} */ (globalThis);
        /** @type {any[]} */
        const seen = [];
        anatomy.addEventListener('heed-anatomy-stage', (/** @type {CustomEvent} */ { detail }) => seen.push(detail));
        const [, , on] = shadow.querySelectorAll('.player button');
        for (let i = 0; i < 40; i++) on.click();
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return { seen, said: shadow.querySelector('.stage').textContent };
      });
      assert.equal(stages.seen.length, 1 + 5 + 18 + 3);
      assert.deepEqual(stages.seen[0], { box: 'embed', layer: -1, position: 12 });
      assert.deepEqual(stages.seen[1], { box: null, layer: 0, position: 12 });
      assert.match(stages.said, /^27 of 27: Probabilities/);
      noComplaints();
    });

    test('saves the block as SVG and PNG, and the numbers of the open box as CSV and JSON', async () => {
      const { svg, png, csv, json } = await page.evaluate(async () => {
        const { anatomy } = /** @type {any} */ (globalThis);
        Object.assign(anatomy, { box: 'scores', provenance: { model: 'stories <b>', seed: 1 } });
        const text = async (/** @type {string} */ format) => (await anatomy.export(format)).text();
        const bitmap = await createImageBitmap(await anatomy.export('png', { theme: 'dark' }));
        return { svg: await text('svg'), csv: await text('csv'), json: JSON.parse(await text('json')),
          png: [bitmap.width, bitmap.height] };
      });
      const document = await page.evaluate((text) => {
        const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
        return { root: root.localName, images: root.querySelectorAll('image').length, width: root.getAttribute('width'),
          height: root.getAttribute('height'), caption: root.lastElementChild?.textContent };
      }, svg);
      assert.deepEqual([document.root, document.images], ['svg', 18]);
      assert.match(String(document.caption), /Block 2, head 4[^]*Model stories <b>/);
      assert.deepEqual(png, [2 * Number(document.width), 2 * Number(document.height)]);
      const lines = csv.trimEnd().split('\r\n');
      assert.equal(lines.length, 14);
      assert.match(lines[2], /^1,"Once",-?[\d.]+,-?[\d.]+,,,/);
      assert.deepEqual(json.data[1].slice(0, 3), [...lines[2].split(',').slice(2, 4).map(Number), null]);
      assert.deepEqual([json.box, json.axes, json.data.length], ['scores', ['query', 'key'], 13]);
      noComplaints();
    });

    test('a text of one token has a sum of one term, and its label hides no line beside it', async () => {
      const found = await page.evaluate(async () => {
        const anatomy = /** @type {any} */ (document.createElement('heed-anatomy'));
        document.body.append(anatomy);
        const one = { data: Float32Array.of(1), shape: [1, 1, 1] };
        const info = { layers: 1, heads: 1, kvHeads: 1, dModel: 4, dHead: 4, dFeedForward: 8, vocabulary: 5,
          learnedPositions: 0, rotary: false, gated: false, tied: true, norm: 'layernorm', normEpsilon: 1e-5,
          activation: 'relu' };
        anatomy.data = { info, tokens: ['a'],
          activations: { 'blocks.0.attn.hook_pattern': one, 'blocks.0.attn.hook_attn_scores': one } };
        anatomy.box = 'pattern';
        for (let i = 0; i < 4; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
        const words = anatomy.shadowRoot.querySelector('.sum summary').textContent;
        const label = anatomy.shadowRoot.querySelector('.token.here');
        const { backgroundColor } = getComputedStyle(label);
        const widths = [label, label.firstElementChild].map((part) => part.getBoundingClientRect().width);
        anatomy.remove();
        return { words, backgroundColor, widths };
      });
      assert.equal(found.words, 'The term');
      assert.equal(found.backgroundColor, 'rgba(0, 0, 0, 0)');
      assert.ok(found.widths[1] < 0.5 * found.widths[0], String(found.widths));
      noComplaints();
    });

    test('nothing overflows a narrow page', async () => {
      await browser.resize(390, 844);
      await until(() => document.documentElement.scrollWidth <= innerWidth
        && /** @type {any} */ (globalThis).shadow.querySelectorAll('.card').length === 18);
      await browser.resize(1280, 900);
      noComplaints();
    });

    test('axe finds no violations, and reduced motion removes the play button', async () => {
      if (browser.theme) {
        await page.evaluate(() => { /** @type {any} */ (globalThis).anatomy.box = 'scores'; });
        assert.deepEqual(await violationsIn(page, browser.theme), []);
      }
      if (!browser.stillness) return;
      await browser.stillness(true);
      const shown = await page.evaluate(() =>
        getComputedStyle(/** @type {any} */ (globalThis).shadow.querySelector('.play')).display);
      assert.equal(shown, 'none');
      await browser.stillness(false);
    });
  });
}
