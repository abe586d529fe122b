/** The shipped page in real browsers, served from a sub-path: it shows the results of the model. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { cssOf, paletteFor, parseRgb } from '../../web/draw/color.js';
import { levelOf, niceMax } from '../../web/draw/scale.js';
import { attendsSentence, maskedSentence } from '../../web/draw/sentence.js';
import { SamplerStages } from '../../web/page/sampler-stages.js';
import { violationsIn } from '../support/axe.js';
import { BINARIES, BROWSERS, plainServer } from '../support/browsers.js';
import { collect, STORIES } from '../support/model.js';
import { tinyGguf } from '../support/tiny-gguf.js';
import { until as untilIn } from '../support/until.js';

const SITE = fileURLToPath(new URL('../../dist/site/', import.meta.url));
const PROMPT = 'Once upon a time there was a little dog';
const LENGTH = 12;

/** The same prompt, greedily, in Node: ids are the same on every engine. */
async function expectedRun() {
  const model = await load(STORIES);
  const promptIds = await model.encode(PROMPT);
  const { repeatPenalty } = model.info.sampling; // the page's default
  const options = { temperature: 0, repeatPenalty, maxTokens: LENGTH, top: 8 };
  const { steps } = await collect(model.generate(promptIds, options));
  const ids = [...promptIds, ...steps.map((step) => step.id)];
  await model.forward(ids.slice(model.position));
  return { model, ids, tokens: await model.tokens(ids), promptLength: promptIds.length, steps };
}

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(`the page in ${name}`, { timeout: 600_000 }, () => {
    /** @type {Awaited<ReturnType<typeof expectedRun>>} */ let expected;
    /** @type {import('../support/browsers.js').Opened} */ let browser;
    /** @type {import('../support/browsers.js').Page} */ let page;
    /** @type {Awaited<ReturnType<typeof plainServer>>} */ let server;
    /** @type {import('node:http').ServerResponse[]} */ const stalled = [];
    /** Requests for a model that the server has from the second request on. */
    let late = 0;

    before(async () => {
      assert.ok(existsSync(`${SITE}index.html`), 'dist/site is missing: run make site');
      expected = await expectedRun();
      const tiny = await tinyGguf();
      server = await plainServer({
        root: SITE,
        below: '/a/course/',
        extra: {
          '/stalled.gguf': (_, response) => {
            stalled.push(response);
            response.writeHead(200, { 'content-length': 1e8 }).write(tiny.subarray(0, tiny.length - 100));
          },
          '/tiny.gguf': (_, response) => void response.end(tiny),
          '/late.gguf': (_, response) => {
            if (late++ > 0) response.end(tiny);
            else response.writeHead(200, { 'content-type': 'text/html' }).end('Back in a minute.');
          },
        },
      });
      browser = await openBrowser({ width: 1440, height: 900 });
      page = browser.page;
    });
    after(async () => {
      await browser?.close();
      stalled.forEach((response) => response.destroy());
      await server?.close().catch(() => {});
      expected?.model.dispose();
    });

    /**
     * Waits until a condition holds in the page.
     * @template A @param {(argument: A) => unknown} condition @param {A} [argument]
     */
    const until = (condition, argument) => untilIn(page, condition, argument);
    const idle = () => until(() => document.getElementById('stop')?.getAttribute('aria-disabled') === 'true'
      && document.getElementById('loading')?.hidden);
    const click = (/** @type {string} */ id) => page.evaluate((at) => document.getElementById(at)?.click(), id);
    const textOf = (/** @type {string} */ id) =>
      page.evaluate((at) => document.getElementById(at)?.textContent ?? '', id);
    const tokens = () => page.evaluate(() => /** @type {any} */ (document.getElementById('strip')).tokens);
    const sentence = () => page.evaluate(() => /** @type {any} */ (document.getElementById('map'))
      .shadowRoot.querySelector('output').textContent);
    const selectedHead = () => page.evaluate(() => /** @type {any} */ (document.getElementById('grid')).selected);
    /** Lets the page draw. */
    const frame = () => page.evaluate(() =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))));

    /** @param {Record<string, string | number>} values by id */
    const set = (values) => page.evaluate((all) => {
      for (const [id, value] of Object.entries(all)) {
        Object.assign(/** @type {any} */ (document.getElementById(id)), { value: String(value) });
      }
    }, values);

    /** Sets fields as a user does, so that the page applies each value at once.
     *  @param {Parameters<typeof set>[0]} values */
    const type = async (values) => {
      await set(values);
      await page.evaluate((ids) => {
        for (const id of ids) document.getElementById(id)?.dispatchEvent(new Event('input', { bubbles: true }));
      }, Object.keys(values));
    };

    /** @param {{ name: string, bytes: Uint8Array }} file dropped on the page */
    const drop = (file) => page.evaluate(({ name: fileName, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], fileName));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, { name: file.name, base64: Buffer.from(file.bytes).toString('base64') });

    /** The weights of the head that is open, by the model in Node. */
    async function expectedMap() {
      const { layer, head } = await selectedHead();
      const map = await expected.model.attention({ layer, head });
      const at = (/** @type {number} */ query, /** @type {number} */ key) => map.data[query * map.keys + key];
      return { ...map, at, layer, head };
    }

    /**
     * Colors of cells on the map's canvas.
     * @param {{ query: number, key: number }[]} cells
     */
    const colorsAt = (cells) => page.evaluate((all) => {
      const map = /** @type {any} */ (document.getElementById('map'));
      const canvas = map.shadowRoot.querySelector('.layers canvas');
      const { x, y } = canvas.getBoundingClientRect();
      const scale = devicePixelRatio;
      return all.map((cell) => {
        const box = map.boxOf(cell);
        const at = [(box.x - x + box.width / 2) * scale, (box.y - y + box.height / 2) * scale].map(Math.floor);
        return [...canvas.getContext('2d').getImageData(at[0], at[1], 1, 1).data.slice(0, 3)];
      });
    }, cells);

    const palette = async () => paletteFor(parseRgb(await page.evaluate(() =>
      getComputedStyle(/** @type {Element} */ (document.getElementById('map'))).backgroundColor)));

    /** @param {{ query: number, key: number }} cell */
    async function pointAt(cell) {
      const { x, y } = await page.evaluate((at) => {
        const map = /** @type {any} */ (document.getElementById('map'));
        map.select(at);
        const box = map.boxOf(at);
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      }, cell);
      await page.mouse.move(x, y);
    }

    /** @param {string} format @returns {Promise<{ type: string, base64: string }>} the file that a button saves */
    const saved = (format) => page.evaluate(async (wanted) => {
      const map = /** @type {any} */ (document.getElementById('map'));
      const create = URL.createObjectURL;
      const click = HTMLAnchorElement.prototype.click;
      const blob = await new Promise((resolve) => {
        URL.createObjectURL = (made) => {
          resolve(made);
          return create(made);
        };
        HTMLAnchorElement.prototype.click = () => {};
        map.shadowRoot.querySelector(`[aria-label="Save the map as ${wanted}"]`).click();
      });
      await new Promise((resolve) => setTimeout(resolve, 50));
      Object.assign(URL, { createObjectURL: create });
      Object.assign(HTMLAnchorElement.prototype, { click });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return { type: blob.type, base64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
    }, format);

    test('opens, loads its model and generates', async () => {
      await page.goto(server.url);
      await until(() => document.getElementById('stop')?.getAttribute('aria-disabled') === 'true'
        && /** @type {any} */ (document.getElementById('strip')).tokens?.length > 20);
      assert.match(await textOf('model'), /2\.8 million parameters · 6 layers × 6 heads · /);
      const simd = BINARIES[name] === 'relaxed' ? 'relaxed SIMD' : 'SIMD';
      assert.ok((await textOf('model')).endsWith(`WebAssembly (${simd}), 1 thread`), await textOf('model'));
      assert.match(await textOf('look'), /Layer \d, head \d .*Lesson 4/);
      assert.equal(await page.evaluate(() => document.getElementById('error')?.hidden), true);
    });

    test('generates the tokens of the model and shows them in the strip', async () => {
      await set({ prompt: PROMPT, temperature: 0, length: LENGTH });
      await click('generate');
      await until((count) => /** @type {any} */ (document.getElementById('strip')).tokens.length === count,
        expected.ids.length);
      await idle();
      assert.deepEqual(await tokens(), expected.tokens);
      const shown = await page.evaluate(() => [.../** @type {any} */ (document.getElementById('strip')).shadowRoot
        .querySelectorAll('[role=option]')].map((span) => span.textContent.replaceAll('⏎', '\n')));
      assert.deepEqual(shown, expected.tokens);
    });

    test('the map has the weights of the model and paints their colors', async () => {
      await page.mouse.move(2, 2);
      await frame();
      const map = await expectedMap();
      const rows = await page.evaluate(() => {
        const element = /** @type {any} */ (document.getElementById('map'));
        return Array.from({ length: element.length }, (_, query) => Array.from(element.row(query)));
      });
      assert.equal(rows.length, expected.ids.length);
      rows.forEach((row, query) => row.forEach((weight, key) => assert.equal(weight, map.at(query, key))));

      const { rgb, paper } = await palette();
      const cells = Array.from({ length: 6 }, (_, i) => ({ query: 3 * i + 2, key: 2 * i + 1 }));
      const max = niceMax(Math.max(...map.data));
      const colors = await colorsAt(cells);
      cells.forEach(({ query, key }, i) =>
        assert.deepEqual(colors[i], [...rgb[levelOf('linear', map.at(query, key), max)]], `cell ${query}, ${key}`));

      const masked = await colorsAt(Array.from({ length: 12 }, (_, i) => ({ query: 2, key: 6 + i })));
      assert.ok(masked.some((color) => String(color) !== String(paper)), 'masked cells are hatched');
    });

    test('the hint of the map appears only if there are cells', async () => {
      const said = await page.evaluate(() => {
        const map = /** @type {any} */ (document.createElement('heed-attention-map'));
        const hint = () => map.shadowRoot.querySelector('output').textContent;
        const row = { data: Float32Array.of(1), queries: 1, keys: 1, firstQuery: 0 };
        return [hint(), map.extend(['a'], row), hint(), map.truncate(0), hint()].filter((each) => each !== undefined);
      });
      assert.deepEqual(said, ['', 'Point at a cell, or use the arrow keys.', '']);
    });

    test('hovering a cell describes it and highlights both tokens in the strip', async () => {
      const map = await expectedMap();
      const cell = { query: 9, key: 4 };
      await pointAt(cell);
      await until(() => /gives .* of its attention/.test(/** @type {any} */ (document.getElementById('map')).shadowRoot
        .querySelector('output').textContent));
      await frame();
      const query = { token: expected.tokens[9], at: 9 };
      const key = { token: expected.tokens[4], at: 4 };
      const said = { query, key, weight: map.at(9, 4), layer: map.layer, head: map.head };
      assert.equal(await sentence(), attendsSentence(said));
      const lit = await page.evaluate(() => {
        const strip = /** @type {any} */ (document.getElementById('strip'));
        const spans = [...strip.shadowRoot.querySelectorAll('[role=option]')];
        return { query: spans.findIndex((span) => span.classList.contains('query')),
          key: spans.findIndex((span) => span.classList.contains('key')) };
      });
      assert.deepEqual(lit, cell);
      await pointAt({ query: 4, key: 9 });
      await frame();
      assert.equal(await sentence(), maskedSentence({ query: key, key: query }));
    });

    test('hovering a token highlights the tokens that it attends to', async () => {
      const map = await expectedMap();
      const { rgb } = await palette();
      const box = await page.evaluate(() => {
        const strip = /** @type {any} */ (document.getElementById('strip'));
        const span = strip.shadowRoot.querySelectorAll('[role=option]')[8];
        const { x, y, width, height } = span.getClientRects()[0];
        return { x: x + width / 2, y: y + height / 2 };
      });
      await page.mouse.move(box.x, box.y);
      await frame();
      const backgrounds = await page.evaluate(() => [.../** @type {any} */ (document.getElementById('strip')).shadowRoot
        .querySelectorAll('[role=option] .body')].map((body) => body.style.backgroundColor));
      const row = Array.from({ length: 9 }, (_, key) => map.at(8, key));
      const max = Math.max(...row);
      row.forEach((weight, key) => {
        const color = weight > 0.02 * max ? cssOf(rgb[levelOf('linear', weight, max)]) : '';
        assert.equal(backgrounds[key], color, `token ${key}`);
      });
      assert.ok(backgrounds.slice(9).every((background) => background === ''));

      const { data, layers, heads, keys } = await expected.model.attentionRows({ queries: [8, 9] });
      const mean = Array.from({ length: 9 }, (_, key) => {
        let sum = 0;
        for (let at = 0; at < layers * heads; at++) sum += data[at * keys + key];
        return sum / (layers * heads);
      });
      await page.mouse.move(2, 2);
      await page.evaluate(() => {
        const select = /** @type {any} */ (document.getElementById('lit'));
        select.value = 'mean';
        select.dispatchEvent(new Event('change'));
      });
      await page.mouse.move(box.x, box.y);
      const largest = mean.indexOf(Math.max(...mean));
      await until(([key, color]) => /** @type {any} */ (document.getElementById('strip')).shadowRoot
        .querySelectorAll('[role=option] .body')[Number(key)].style.backgroundColor === color,
      [largest, cssOf(rgb[rgb.length - 1])]);
      await page.mouse.move(2, 2);
      await page.evaluate(() => {
        const select = /** @type {any} */ (document.getElementById('lit'));
        select.value = 'head';
        select.dispatchEvent(new Event('change'));
      });
    });

    test('arrow keys move over the map and over the heads', async () => {
      await page.evaluate(() => {
        const map = /** @type {any} */ (document.getElementById('map'));
        map.select({ query: 5, key: 5 });
        map.shadowRoot.querySelector('.window').focus();
      });
      for (const press of ['ArrowDown', 'ArrowDown', 'ArrowLeft', 'Home', 'ArrowRight']) {
        await page.keyboard.press(press);
      }
      let map = await expectedMap();
      const query = { token: expected.tokens[7], at: 7 };
      const key = { token: expected.tokens[1], at: 1 };
      const said = () => attendsSentence({ ...map, query, key, weight: map.at(7, 1) });
      assert.equal(await sentence(), said());

      const from = await selectedHead();
      await page.evaluate(() => /** @type {any} */ (document.getElementById('grid')).shadowRoot
        .querySelector('[aria-selected=true]').focus());
      await page.keyboard.press(from.layer === 0 ? 'ArrowDown' : 'ArrowUp');
      const to = await selectedHead();
      assert.deepEqual(to, { layer: from.layer === 0 ? 1 : from.layer - 1, head: from.head });
      map = await expectedMap();
      await until((text) => /** @type {any} */ (document.getElementById('map')).shadowRoot
        .querySelector('output').textContent === text, said());
    });

    test('each thumbnail is drawn', async () => {
      await frame();
      const colors = await page.evaluate(() => {
        const grid = /** @type {any} */ (document.getElementById('grid'));
        const canvas = grid.shadowRoot.querySelector('canvas');
        const context = canvas.getContext('2d');
        return [...grid.shadowRoot.querySelectorAll('[role=gridcell]')].map((cell) => {
          const { data } = context.getImageData(cell.offsetLeft * devicePixelRatio, cell.offsetTop * devicePixelRatio,
            cell.offsetWidth * devicePixelRatio, cell.offsetHeight * devicePixelRatio);
          return new Set(new Uint32Array(data.buffer)).size;
        });
      });
      assert.equal(colors.length, 36);
      colors.forEach((count, at) => assert.ok(count > 5, `thumbnail ${at} has ${count} colors`));
    });

    test('scale and first token change the colors and the legend', async () => {
      await page.mouse.move(2, 2);
      const map = await expectedMap();
      const { rgb } = await palette();
      const select = (/** @type {string} */ kind) => page.evaluate((value) => {
        const root = /** @type {any} */ (document.getElementById('map')).shadowRoot;
        root.querySelector('select').value = value;
        root.querySelector('select').dispatchEvent(new Event('change'));
      }, kind);
      const cell = { query: 12, key: 3 };
      const weight = map.at(12, 3);
      await select('row-max');
      await frame();
      const row = Array.from({ length: 13 }, (_, key) => map.at(12, key));
      assert.deepEqual(await colorsAt([cell]), [[...rgb[levelOf('row-max', weight, Math.max(...row))]]]);
      await page.evaluate(() => /** @type {any} */ (document.getElementById('map')).shadowRoot
        .querySelector('input[type=checkbox]').click());
      await frame();
      assert.deepEqual(await colorsAt([cell]), [[...rgb[levelOf('row-max', weight, Math.max(...row.slice(1)))]]]);
      assert.equal(await page.evaluate(() => /** @type {any} */ (document.getElementById('grid')).leaveFirstOut), true);
      await select('linear');
      await page.evaluate(() => /** @type {any} */ (document.getElementById('map')).shadowRoot
        .querySelector('input[type=checkbox]').click());
      await frame();
    });

    test('saves the map as JSON, SVG and PNG', async () => {
      const map = await expectedMap();
      const json = await saved('JSON');
      const back = JSON.parse(Buffer.from(json.base64, 'base64').toString());
      assert.deepEqual([back.layer, back.head, back.tokens], [map.layer, map.head, expected.tokens]);
      back.data.forEach((/** @type {number[]} */ row, /** @type {number} */ query) =>
        row.forEach((weight, key) => assert.equal(Math.fround(weight), map.at(query, key))));

      const svg = await saved('SVG');
      assert.equal(svg.type, 'image/svg+xml');
      const parsed = await page.evaluate((base64) => {
        const text = new TextDecoder().decode(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));
        const tree = new DOMParser().parseFromString(text, 'image/svg+xml');
        const error = tree.querySelector('parsererror')?.textContent;
        return { error, paths: tree.querySelectorAll('g > path').length };
      }, svg.base64);
      assert.equal(parsed.error, undefined);
      assert.ok(parsed.paths > 5);

      const png = await saved('PNG');
      const picture = await page.evaluate(async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
        context.drawImage(bitmap, 0, 0);
        const pixels = new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
        return { width: bitmap.width, colors: new Set(pixels).size };
      }, png.base64);
      assert.ok(picture.width > 1000 && picture.colors > 20, JSON.stringify(picture));
    });

    test('the table has the weights of the map', async () => {
      const map = await expectedMap();
      const shown = Array.from({ length: 4 }, (_, query) => Array.from({ length: 4 }, (_unused, key) => {
        const weight = map.at(query, key);
        if (key > query) return '';
        return weight < 0.001 ? '< 0.001' : weight.toFixed(weight < 0.01 ? 3 : 2);
      }));
      await page.evaluate(() => {
        const root = /** @type {any} */ (document.getElementById('map')).shadowRoot;
        root.querySelector('.window').scrollTo(0, 0);
        root.querySelector('details').open = true;
      });
      // The table follows the scroll and the opening a frame later.
      await until((weights) => {
        const { shadowRoot } = /** @type {any} */ (document.getElementById('map'));
        return weights === JSON.stringify([...shadowRoot.querySelectorAll('tbody tr')].slice(0, 4)
          .map(({ children }) => [...children].slice(1, 5).map((cell) => cell.textContent)));
      }, JSON.stringify(shown));
    });

    test('Step adds one token', async () => {
      await click('step');
      await until((count) => /** @type {any} */ (document.getElementById('strip')).tokens.length === count,
        expected.ids.length + 1);
      await idle();
      assert.equal((await tokens()).length, expected.ids.length + 1);
    });

    test('a clicked candidate replaces a token, and the text continues from it', async () => {
      const at = expected.promptLength + 2;
      const other = expected.steps[2].top[1];
      await page.evaluate((position) => /** @type {any} */ (document.getElementById('strip')).shadowRoot
        .querySelectorAll('[role=option]')[position].click(), at);
      await frame();
      await page.evaluate(() => /** @type {any} */ (document.getElementById('next')).shadowRoot
        .querySelectorAll('button')[1].click());
      const text = (await expected.model.tokens([other.id]))[0];
      await until(([position, token]) =>
        /** @type {any} */ (document.getElementById('strip')).tokens[Number(position)] === token, [at, text]);
      await idle();
      const now = await tokens();
      assert.deepEqual(now.slice(0, at), expected.tokens.slice(0, at));
      assert.ok(now.length > at + 1, 'the text continues');

      const ids = [...expected.ids.slice(0, at), other.id];
      const fresh = await load(STORIES);
      const { repeatPenalty } = fresh.info.sampling;
      const { steps } = await collect(fresh.generate(ids, { temperature: 0, repeatPenalty, maxTokens: LENGTH }));
      assert.deepEqual(now.slice(at + 1), await fresh.tokens(steps.map((step) => step.id)));
      const head = await selectedHead();
      const { data, keys } = await fresh.attention({ ...head, queries: [at, at + 1] });
      const row = await page.evaluate((query) =>
        Array.from(/** @type {any} */ (document.getElementById('map')).row(query)), at);
      row.forEach((weight, key) => assert.equal(weight, data[key], `row ${at} is of the new text, ${keys} keys`));
      fresh.dispose();
    });

    test('temperature, top-k, top-p and repeat penalty change the shown probabilities at once', async () => {
      await set({ prompt: PROMPT, length: LENGTH, temperature: 0 });
      await click('generate');
      await until((count) => /** @type {any} */ (document.getElementById('strip')).tokens.length === count,
        expected.ids.length);
      await idle();
      const at = expected.promptLength + 3;
      await page.evaluate((position) => {
        const strip = /** @type {any} */ (document.getElementById('strip'));
        strip.shadowRoot.querySelectorAll('[role=option]')[position].click();
      }, at);
      await until(() => /** @type {any} */ (document.getElementById('next')).shadowRoot
        .querySelector('.two') !== null);
      expected.model.rewind(at - 1);
      const odds = new SamplerStages(await expected.model.forward([expected.ids[at - 1]]), expected.ids.slice(0, at));
      await expected.model.forward(expected.ids.slice(at));
      const listed = expected.steps[3].top.map(({ id }) => id);
      const before = await tokens();
      for (const settings of [{ temperature: 2, topK: 40, topP: 0.95, repeatPenalty: 1 },
        { temperature: 0.5, topK: 3, topP: 1, repeatPenalty: 1.5 },
        { temperature: 5, topK: 0, topP: 0.7, repeatPenalty: 1.05 }]) {
        await page.evaluate(({ temperature, topK, topP, repeatPenalty }) => {
          for (const [id, value] of Object.entries({ temperature, 'top-k': topK, 'top-p': topP,
            'repeat-penalty': repeatPenalty })) {
            const field = /** @type {HTMLInputElement} */ (document.getElementById(id));
            field.value = String(value);
            field.dispatchEvent(new Event('input'));
          }
        }, settings);
        await frame();
        const shown = await page.evaluate(() => [.../** @type {any} */ (document.getElementById('next')).shadowRoot
          .querySelectorAll('li')].map((item) => item.lastElementChild.lastElementChild.lastChild.textContent));
        odds.of(listed, settings).forEach(({ cut, chance }, i) => {
          if (cut) assert.equal(shown[i], cut, JSON.stringify(settings));
          else assert.ok(Math.abs(Number.parseFloat(shown[i].replace('<', '')) / 100 - chance) < 0.02,
            `${shown[i]} for ${chance}, ${JSON.stringify(settings)}`);
        });
      }
      assert.deepEqual(await tokens(), before, 'the text is unchanged');
      const { topK, topP, repeatPenalty } = expected.model.info.sampling;
      await set({ 'top-k': topK, 'top-p': topP, 'repeat-penalty': repeatPenalty });
    });

    test('the address shows the same text in another tab, and Back shows the previous text', async () => {
      await set({ prompt: PROMPT, length: LENGTH, temperature: 0, 'top-k': 7 });
      await click('generate');
      await until((count) => /** @type {any} */ (document.getElementById('strip')).tokens.length === count,
        expected.ids.length);
      await idle();
      await until(() => location.hash.includes('temperature=0&top-k=7'));
      const before = await page.evaluate(() => location.href);

      const at = expected.promptLength + 2;
      await page.evaluate((position) => {
        const strip = /** @type {any} */ (document.getElementById('strip'));
        strip.shadowRoot.querySelectorAll('[role=option]')[position].click();
      }, at);
      await until(() => /** @type {any} */ (document.getElementById('next')).shadowRoot
        .querySelectorAll('li').length > 2);
      await set({ length: 40, temperature: 1, seed: 3 });
      await page.evaluate(() => /** @type {any} */ (document.getElementById('next')).shadowRoot
        .querySelectorAll('li button')[2].click());
      await until((old) => location.href !== old, before);
      await idle();
      const text = await tokens();
      const address = await page.evaluate(() => location.href);
      assert.notDeepEqual(text, expected.tokens);

      // A fresh page, as in another tab.
      await page.goto('about:blank');
      await page.goto(address);
      await until((json) => JSON.stringify(/** @type {any} */ (document.getElementById('strip'))?.tokens) === json,
        JSON.stringify(text));
      await idle();
      const fields = () => page.evaluate(() => ['length', 'temperature', 'top-k', 'seed'].map((id) =>
        /** @type {HTMLInputElement} */ (document.getElementById(id)).value));
      assert.deepEqual(await fields(), ['40', '1', '7', '3']);
      await until((count) => /** @type {any} */ (document.getElementById('map')).length === count, text.length);

      // Pasting an address into the open tab.
      await page.evaluate((href) => {
        location.href = href;
      }, before);
      await until((json) => JSON.stringify(/** @type {any} */ (document.getElementById('strip')).tokens) === json,
        JSON.stringify(expected.tokens));
      await idle();
      assert.deepEqual(await fields(), [String(LENGTH), '0', '7', '1']);
      await page.evaluate(() => history.back());
      await until((json) => JSON.stringify(/** @type {any} */ (document.getElementById('strip')).tokens) === json,
        JSON.stringify(text));
      await idle();
      await page.evaluate(() => history.forward());
      await until((json) => JSON.stringify(/** @type {any} */ (document.getElementById('strip')).tokens) === json,
        JSON.stringify(expected.tokens));
      await idle();
      await set({ 'top-k': 40 });
    });

    test('a truncated address and one of a local file show a notice', async () => {
      const show = (/** @type {string} */ hash) => page.evaluate((value) => {
        location.hash = value;
      }, hash);
      await show(`#prompt=${encodeURIComponent(PROMPT)}&text=!&length=3&temperature=9&scale=rainbow&view=none`);
      await until(() => /Invalid fields in the address: text, temperature, scale, view/
        .test(document.getElementById('notice')?.textContent ?? ''));
      await idle();
      await show(`#prompt=${encodeURIComponent(PROMPT)}&file=mine.gguf&length=${LENGTH}&temperature=0`);
      await until(() => /made with the local model file ‘mine\.gguf’/
        .test(document.getElementById('notice')?.textContent ?? ''));
      await until((json) => JSON.stringify(/** @type {any} */ (document.getElementById('strip')).tokens) === json,
        JSON.stringify(expected.tokens));
      await idle();
    });

    test('Undo shows the previous text, and Redo the next text', async () => {
      const shown = (/** @type {string[]} */ text) => until((json) =>
        JSON.stringify(/** @type {any} */ (document.getElementById('strip')).tokens) === json, JSON.stringify(text));
      const first = await tokens();
      await set({ prompt: 'Tom and Lily', length: 5, temperature: 0 });
      await click('generate');
      await until((json) => JSON.stringify(/** @type {any} */ (document.getElementById('strip')).tokens) !== json,
        JSON.stringify(first));
      await idle();
      const second = await tokens();
      await click('undo');
      await shown(first);
      await idle();
      assert.match(await textOf('status'), /^Undone: the text has \d+ tokens\.$/);
      assert.equal(await page.evaluate(() => /** @type {any} */ (document.getElementById('prompt')).value), PROMPT);
      assert.deepEqual(await page.evaluate(() => ['map', 'grid'].map((id) =>
        /** @type {any} */ (document.getElementById(id)).provenance.prompt)), [PROMPT, PROMPT], 'captions of files');
      const map = await expectedMap();
      await until((count) => /** @type {any} */ (document.getElementById('map')).row(Number(count) - 1) !== null,
        first.length);
      const row = await page.evaluate((query) =>
        Array.from(/** @type {any} */ (document.getElementById('map')).row(query)), first.length - 1);
      row.forEach((weight, key) => assert.equal(weight, map.at(first.length - 1, key)));
      await page.evaluate(() => document.getElementById('generate')?.focus());
      const keys = (/** @type {boolean} */ shiftKey) => page.evaluate((shift) => {
        const key = { key: shift ? 'Z' : 'z', ctrlKey: true, shiftKey: shift, bubbles: true };
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key));
      }, shiftKey);
      await keys(true);
      await shown(second);
      await idle();
      await keys(false);
      await shown(first);
      await idle();
      assert.equal(await page.evaluate(() => document.getElementById('redo')?.getAttribute('aria-disabled')), 'false');
    });

    test('drawing follows frames, steps are sent in groups, and each row of the maps is sent once', async () => {
      const before = await tokens();
      // Rows of the previous text that are still on their way would count.
      await until((count) => /** @type {any} */ (document.getElementById('map')).length === count, before.length);
      await set({ prompt: 'Tom had a red ball. He', length: 200, temperature: 0 });
      await page.evaluate(() => {
        const strip = /** @type {any} */ (document.getElementById('strip'));
        /** @type {Record<string, number> & { rows: number[] }} */
        const work = { showings: 0, frames: 0, bunches: 0, others: 0, bytes: 0, rows: [],
          additions: 0, candidates: 0, strip: 0, map: 0, grid: 0 };
        const elements = ['strip', 'map', 'grid'].map((id) => /** @type {any} */ (document.getElementById(id)));
        for (const element of elements) {
          const { redraw } = element;
          element.redraw = () => {
            work[element.id]++;
            redraw.call(element);
          };
        }
        const next = /** @type {any} */ (document.getElementById('next'));
        const { show } = next;
        next.show = (/** @type {any[]} */ ...shown) => {
          work.candidates++;
          show.apply(next, shown);
        };
        const { extend } = strip;
        strip.extend = (/** @type {string[]} */ tokens) => {
          work.showings++;
          extend.call(strip, tokens);
        };
        const additions = new MutationObserver((records) => {
          work.additions += records.filter(({ addedNodes }) => addedNodes.length > 0).length;
        });
        additions.observe(strip.shadowRoot.querySelector('[role=listbox]'), { childList: true, subtree: true });
        const { get } = /** @type {{ get: () => any }} */ (
          Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data'));
        const seen = new WeakSet();
        Object.defineProperty(MessageEvent.prototype, 'data', { configurable: true, get() {
          const data = get.call(this);
          if (data?.call === undefined || seen.has(this)) return data;
          seen.add(this);
          const { steps, ...one } = data.result ?? {};
          if (steps) work.bunches++;
          else work.others++;
          for (const rows of steps ? steps.map((/** @type {any} */ step) => step.rows) : [one]) {
            if (!rows.layers) continue;
            work.bytes += rows.data.byteLength;
            for (let i = 0; i < rows.queries; i++) work.rows.push(rows.firstQuery + i);
          }
          return data;
        } });
        const count = () => {
          work.frames++;
          if (Object.hasOwn(strip, 'extend')) requestAnimationFrame(count);
        };
        requestAnimationFrame(count);
        Object.assign(globalThis, { work, restore() {
          Object.defineProperty(MessageEvent.prototype, 'data', { configurable: true, get });
          delete strip.extend;
          delete next.show;
          for (const element of elements) delete element.redraw;
          additions.disconnect();
        } });
      });
      await click('generate');
      // Rows stay counted after the run, which a fast processor ends between two looks at the page.
      await until(() => /** @type {any} */ (globalThis).work.rows.length > 0);
      await idle();
      const length = (await tokens()).length;
      await until((count) => /** @type {any} */ (document.getElementById('map')).length === count, length);
      const work = await page.evaluate(() => {
        const { work: done, restore } = /** @type {any} */ (globalThis);
        restore();
        return done;
      });
      const kept = length - work.rows.length; // the start token equals the previous text's
      assert.ok(kept <= 1, `${work.rows.length} rows of ${length}`);
      assert.deepEqual(work.rows.toSorted((/** @type {number} */ a, /** @type {number} */ b) => a - b),
        Array.from({ length: length - kept }, (_, query) => kept + query),
      `received rows: ${work.rows.slice(-6)}; ${length}, ${kept}`);
      const prompt = (await expected.model.encode('Tom had a red ball. He')).length;
      const numbers = Array.from({ length }, (_, query) => Math.max(query + 1, prompt - 1))
        .reduce((sum, keys) => sum + 36 * keys, 0);
      assert.ok(work.bytes <= 4 * numbers, `${work.bytes} bytes of maps for ${4 * numbers}`);
      assert.ok(work.bunches < length - prompt, `${work.bunches} messages for ${length - prompt} tokens`);
      assert.ok(work.showings <= work.frames + 2, `${work.showings} showings in ${work.frames} frames`);
      assert.ok(work.showings <= work.bunches, `${work.showings} showings of ${work.bunches} messages`);
      // Two additions for the prompt, and at most two a showing: the end of a paragraph and the next paragraph.
      assert.ok(work.additions <= 2 * work.showings + 2, `${work.additions} additions in ${work.showings} showings`);
      // Further drawings: after the cut of the previous text, for the rows of the prompt, and for a scrollbar.
      assert.ok(work.strip <= work.showings + 3, `the strip: ${work.strip} drawings for ${work.showings} showings`);
      assert.ok(work.map <= 2 * work.showings + 4, `the map: ${work.map} drawings for ${work.showings} showings`);
      assert.ok(work.grid < work.bunches, `the grid: ${work.grid} drawings for ${work.bunches} messages`);
      // Further updates: after the cut of the text, at the end of the run, and after the logits arrive.
      assert.ok(work.candidates <= work.showings + 3, `candidates: ${work.candidates} times`);
      assert.ok(work.others < 16, `${work.others} other messages`);
    });

    test('Generate restarts a run, and Stop ends it', async () => {
      await set({ prompt: PROMPT, length: 500, temperature: 1 });
      const before = await tokens();
      await click('generate');
      await click('generate');
      await until((old) => {
        const { tokens: shown } = /** @type {any} */ (document.getElementById('strip'));
        return shown.length > 20 && String(shown) !== old;
      }, String(before));
      await click('stop');
      await idle();
      const { length } = await tokens();
      assert.ok(length < 500);
      assert.match(await textOf('status'), /^(Stopped|The model ended)/);
    });

    test('a missing setting is requested, and the text stays', async () => {
      const before = await tokens();
      for (const id of ['length', 'temperature', 'top-k', 'top-p', 'repeat-penalty', 'seed']) {
        const value = await page.evaluate((field) => /** @type {any} */ (document.getElementById(field)).value, id);
        await type({ [id]: '' });
        await click('generate');
        assert.equal(await page.evaluate(() => document.activeElement?.id), id);
        assert.equal(await page.evaluate(() => document.getElementById('error')?.hidden), true);
        await type({ [id]: value });
      }
      assert.deepEqual(await tokens(), before);
    });

    test('an empty prompt starts with the start token', async () => {
      await set({ prompt: '', length: 3, temperature: 0 });
      await click('generate');
      await until(() => /** @type {any} */ (document.getElementById('strip')).tokens.length === 4);
      await idle();
      assert.equal(await page.evaluate(() => document.getElementById('error')?.hidden), true);
    });

    test('a broken file shows an error, and the model stays', async () => {
      await drop({ name: 'broken.gguf', bytes: new TextEncoder().encode('GGUF\u0003 and nothing of the kind <b>') });
      await until(() => !document.getElementById('error')?.hidden);
      assert.match(await textOf('error'), /^broken\.gguf was not loaded\. .{20}/);
      await set({ prompt: PROMPT, length: LENGTH });
      await click('generate');
      await until((count) => /** @type {any} */ (document.getElementById('strip')).tokens.length === count,
        expected.ids.length);
      await idle();
      assert.deepEqual(await tokens(), expected.tokens);
      assert.equal(await page.evaluate(() => document.getElementById('error')?.hidden), true, 'the error is hidden');
    });

    test('a URL that the page does not open shows a notice, and nothing is fetched', async () => {
      await page.evaluate(() => {
        Object.assign(/** @type {any} */ (document.getElementById('url')), { value: 'ftp://host/model.gguf' });
        /** @type {HTMLFormElement} */ (document.getElementById('address')).requestSubmit();
      });
      assert.match(await textOf('notice'),
        /^The model URL ‘ftp:\/\/host\/model\.gguf’ was not opened: it must begin with https:, http: or hf:\.$/);
      assert.ok(await page.evaluate(() => document.getElementById('loading')?.hidden));
      await page.evaluate(() => { /** @type {any} */ (document.getElementById('url')).value = ''; });
    });

    test('dragged files go to the page, and a dragged text to the field under it', async () => {
      const prevented = await page.evaluate(() => ['text', 'file'].map((kind) => {
        const dataTransfer = new DataTransfer();
        if (kind === 'text') dataTransfer.setData('text/plain', 'a word');
        else dataTransfer.items.add(new File(['GGUF'], 'a.gguf'));
        const event = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true });
        document.getElementById('prompt')?.dispatchEvent(event);
        const elsewhere = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true });
        document.querySelector('h1')?.dispatchEvent(elsewhere);
        const shown = document.body.classList.contains('dropping');
        document.body.classList.remove('dropping');
        return [event.defaultPrevented, elsewhere.defaultPrevented, shown];
      }));
      assert.deepEqual(prevented, [[false, true, false], [true, true, true]]);
    });

    test('weights of a lesson say where they open', async () => {
      const bytes = await readFile(new URL('../../models/copy.safetensors', import.meta.url));
      await drop({ name: 'copy.safetensors', bytes });
      await until(() => !document.getElementById('error')?.hidden);
      assert.match(await textOf('error'), /only weights\. .* Models of the lessons, .* open in the lessons\.\s*$/);
    });

    test('loading can be canceled, and the model stays', async () => {
      await set({ url: new URL('/stalled.gguf', server.url).href });
      await page.evaluate(() => /** @type {any} */ (document.getElementById('address')).requestSubmit());
      await until(() => /weights: \d+ kB of/.test(document.getElementById('loading-words')?.textContent ?? ''));
      await click('cancel');
      await until(() => document.getElementById('loading')?.hidden);
      assert.match(await textOf('error'), /was not loaded\. Loading was canceled/);
      await click('step');
      await until((count) => /** @type {any} */ (document.getElementById('strip')).tokens.length === count,
        expected.ids.length + 1);
      await idle();
    });

    if (name === 'chromium') { // the only browser here that measures layout shifts
      test('hardly anything moves while the page opens', async () => {
        for (const [width, height] of [[1440, 900], [720, 900], [390, 844]]) {
          await browser.resize(width, height);
          await page.goto('about:blank');
          await page.goto(new URL('index.html', server.url).href);
          await idle();
          await until(() => !document.body.classList.contains('opening')
            && /** @type {any} */ (document.getElementById('map')).length > 0);
          await frame();
          const shifts = await page.evaluate(() => new Promise((resolve) => {
            /** @type {number[]} */ const all = [];
            const add = (/** @type {any} */ list) => all.push(...list.getEntries().map(
              (/** @type {any} */ { value }) => value));
            new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => resolve(all), 200);
          }));
          assert.ok(shifts.length > 0, 'the new model moves the link beside its name');
          // Web Vitals calls a sum up to 0.1 good.
          const sum = shifts.reduce((/** @type {number} */ total, /** @type {number} */ value) => total + value, 0);
          assert.ok(sum < 0.1, `${width} × ${height}: ${sum}`);
        }
        await browser.resize(1440, 900);
      });

      test('axe finds no violations in light and dark', async () => {
        assert.deepEqual(await violationsIn(page, browser.theme), []);
      });
    }

    test('a text that fills the context draws only visible rows', async () => {
      const long = Array.from({ length: 70 }, () => 'One day, the cat saw a big red ball and they played.').join(' ');
      await set({ prompt: long, length: 10_000 });
      await page.evaluate(() => {
        const said = new Set();
        const count = /** @type {HTMLElement} */ (document.getElementById('count'));
        const observer = new MutationObserver(() => said.add(count.textContent));
        observer.observe(count, { childList: true });
        Object.assign(globalThis, { said, observer });
      });
      await click('generate');
      await until(() => /** @type {any} */ (document.getElementById('map')).length > 900);
      const said = await page.evaluate(() => {
        const { said: all, observer } = /** @type {any} */ (globalThis);
        observer.disconnect();
        return [...all];
      });
      assert.ok(said.some((text) => /^Reading the text: [5-9]\d\d of [\d,]+ tokens$/.test(text)), said.join('; '));
      await click('stop');
      await idle();
      // The map takes the last rows after the text has stopped.
      // The model does not read the token that fills the context, so this token has no row.
      const written = Math.min((await tokens()).length, expected.model.info.contextLength);
      await until((count) => /** @type {any} */ (document.getElementById('map')).length === count, written);
      const { length, shown } = await page.evaluate(async () => {
        const map = /** @type {any} */ (document.getElementById('map'));
        const canvas = map.shadowRoot.querySelector('.layers canvas');
        return { length: map.length, shown: canvas.width * canvas.height / devicePixelRatio ** 2 };
      });
      assert.ok(shown < 1e6, `a canvas of ${shown} pixels for ${length} tokens`);

      // A newly opened head has no rows: the map requests rows in and near the window only.
      const { layer, head } = await selectedHead();
      await page.evaluate((other) => /** @type {any} */ (document.getElementById('grid')).shadowRoot
        .querySelectorAll('[role=gridcell]')[other].click(), (layer * 6 + head + 1) % 36);
      await until((last) => /** @type {any} */ (document.getElementById('map')).row(last) !== null, length - 1);
      const known = () => page.evaluate(() => {
        const map = /** @type {any} */ (document.getElementById('map'));
        return Array.from({ length: map.length }, (_, query) => map.row(query) !== null);
      });
      const atEnd = await known();
      assert.ok(atEnd.filter(Boolean).length < 200, `${atEnd.filter(Boolean).length} rows`);
      assert.equal(atEnd[0], false);
      await page.evaluate(() => /** @type {any} */ (document.getElementById('map')).shadowRoot
        .querySelector('.window').scrollTo(0, 0));
      await until(() => /** @type {any} */ (document.getElementById('map')).row(0) !== null);
      assert.ok((await known()).filter(Boolean).length < 400);
    });

    test('nothing is wider than a phone', async () => {
      for (const width of [390, 900, 1440]) {
        await browser.resize(width, 844);
        await frame();
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} px`);
      }
    });

    test('another model replaces the first; a prompt that is too long shows an error', async () => {
      await set({ prompt: 'abc '.repeat(40) });
      await drop({ name: 'tiny.gguf', bytes: await tinyGguf() });
      await until(() => /tiny/.test(document.getElementById('model')?.textContent ?? ''));
      await until(() => !document.getElementById('error')?.hidden);
      assert.match(await textOf('error'), /^The prompt has [\d,]+ tokens, but the context of the model has 24/);
      await set({ prompt: 'ab a', length: 5 });
      await click('generate');
      await until(() => document.getElementById('error')?.hidden);
      await idle();
      assert.equal(await page.evaluate(() => /** @type {any} */ (document.getElementById('grid')).shape.layers), 1);
      assert.ok((await tokens()).length > 3);
    });

    test('a model that failed to load is loaded by Try again', async () => {
      await set({ url: new URL('/late.gguf', server.url).href });
      await page.evaluate(() => /** @type {any} */ (document.getElementById('address')).requestSubmit());
      await until(() => !document.getElementById('error')?.hidden);
      const said = await textOf('error');
      assert.match(said, /late\.gguf was not loaded\. .*answered with a web page.*Try again$/);
      assert.equal(said.match(/Try again/g)?.length, 1);
      await page.evaluate(() => /** @type {any} */ (document.querySelector('#error button')).focus());
      await page.keyboard.press('Enter');
      await idle();
      assert.equal(late, 2);
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Load another model');
      await until(() => location.hash.includes('model='));
      const { href, text } = { href: await page.evaluate(() => location.href), text: await tokens() };
      await page.goto('about:blank');
      await page.goto(href);
      await until((json) => JSON.stringify(/** @type {any} */ (document.getElementById('strip'))?.tokens) === json,
        JSON.stringify(text));
      await idle();
      assert.match(await textOf('model'), /tiny/, 'the model is loaded after a reload');
      assert.equal(await page.evaluate(() => document.getElementById('error')?.hidden), true);
    });

    test('works without its host', async () => {
      await server.close();
      await set({ prompt: 'abc', length: 6 });
      const before = await tokens();
      await click('generate');
      await until((old) => JSON.stringify(/** @type {any} */ (document.getElementById('strip')).tokens) !== old,
        JSON.stringify(before));
      await idle();
      assert.ok((await tokens()).length > 2);
    });

    test('the console is empty, and no other host received a request', () => {
      assert.deepEqual(browser.complaints, []);
      const foreign = browser.requests.filter((url) =>
        !url.startsWith(new URL(server.url).origin) && !/^(blob|data):/.test(url));
      assert.deepEqual(foreign, []);
    });
  });
}
