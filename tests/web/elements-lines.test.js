/** `<heed-attention-lines>` in real browsers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elementsIn } from '../support/elements.js';

elementsIn('the lines', ({ browser, drawn, noComplaints }) => {
  /** Two heads of 30 tokens: head 0 attends to the previous token, head 1 to the first one. */
  const open = () => browser.page.evaluate(() => {
    const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
    stage.style.cssText = 'width: 600px; --heed-map-height: 300px';
    const lines = /** @type {any} */ (document.createElement('heed-attention-lines'));
    lines.id = 'lines';
    stage.append(lines);
    const text = { tokens: tokensOf(30), layer: 1 };
    lines.data = [
      { ...causal(30, (/** @type {number} */ q, /** @type {number} */ k) => (k === q - 1 || q === 0 ? 1 : 0)),
        ...text, head: 0 },
      { ...causal(30, (/** @type {number} */ _, /** @type {number} */ k) => (k === 0 ? 1 : 0)), ...text, head: 1 },
    ];
  });
  const sentence = () => browser.page.evaluate(() =>
    /** @type {any} */ (document.getElementById('lines')).shadowRoot.querySelector('output').textContent);

  test('the pointer and the keys show the lines of one token alone, in both columns', async () => {
    await open();
    await drawn();
    const { x, y } = await browser.page.evaluate(() => {
      const box = /** @type {any} */ (document.getElementById('lines')).shadowRoot.querySelector('.window')
        .getBoundingClientRect();
      return { x: box.x + 20, y: box.y + 5 * 20 + 10 };
    });
    await browser.page.mouse.move(x, y);
    await drawn();
    assert.equal(await sentence(), '‘t5’ (5) gives 100\u00a0% of its attention to ‘t4’ (4) (head 1.0) and '
      + '100\u00a0% to ‘t0’ (0) (head 1.1)');
    await browser.page.mouse.move(2, 2);
    await browser.page.evaluate(() => {
      const lines = /** @type {any} */ (document.getElementById('lines'));
      /** @type {any} */ (globalThis).tokens = [];
      lines.addEventListener('heed-line-token', (/** @type {CustomEvent} */ { detail }) =>
        /** @type {any} */ (globalThis).tokens.push(detail.token));
      lines.shadowRoot.querySelector('.window').focus();
    });
    for (const key of ['End', 'ArrowUp', 'ArrowRight']) await browser.page.keyboard.press(key);
    assert.match(await sentence(), /^‘t28’ \(28\) gets 100\u00a0% from ‘t29’ \(29\) \(head 1\.0\)$/);
    assert.ok(await browser.page.evaluate(() => /** @type {any} */ (document.getElementById('lines')).shadowRoot
      .querySelector('.window').scrollTop > 100), 'the token is in the window');
    await browser.page.keyboard.press('Escape');
    assert.deepEqual(await browser.page.evaluate(() => /** @type {any} */ (globalThis).tokens),
      [{ side: 'query', at: 29 }, { side: 'query', at: 28 }, { side: 'key', at: 28 }, null]);
    assert.match(await sentence(), /^Point at a token/);
    noComplaints();
  });

  test('the window opens at the last token if only the last queries have lines, and then stays', async () => {
    const tops = await browser.page.evaluate(async () => {
      const { stage, tokensOf } = /** @type {any} */ (globalThis).helpers;
      stage.style.cssText = 'width: 600px; --heed-map-height: 300px';
      const lines = /** @type {any} */ (document.createElement('heed-attention-lines'));
      stage.append(lines);
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const box = lines.shadowRoot.querySelector('.window');
      const last = { data: new Float32Array(2 * 90).fill(1 / 90), queries: 2, keys: 90, firstQuery: 88,
        tokens: tokensOf(90), layer: 0, head: 0 };
      lines.data = last;
      await frame();
      const end = box.scrollTop;
      box.scrollTop -= 20;
      lines.data = last;
      await frame();
      return { end, most: box.scrollHeight - box.clientHeight, then: box.scrollTop };
    });
    assert.ok(tops.most > 1000 && tops.end >= tops.most - 1, JSON.stringify(tops));
    assert.ok(Math.abs(tops.then - tops.end + 20) <= 1, `the window stays, as it has lines: ${JSON.stringify(tops)}`);
    noComplaints();
  });

  test('the first token can be left out, and files hold the lines', async () => {
    await open();
    const files = await browser.page.evaluate(async () => {
      const lines = /** @type {any} */ (document.getElementById('lines'));
      const texts = [];
      for (const leave of [false, true]) {
        lines.leaveFirstOut = leave;
        texts.push(await (await lines.export('svg')).text());
      }
      for (const format of ['csv', 'json']) texts.push(await (await lines.export(format)).text());
      const png = await createImageBitmap(await lines.export('png'));
      return { texts, size: [png.width, png.height] };
    });
    const [all, without, csv, json] = files.texts;
    const count = (/** @type {string} */ svg) => {
      const paths = [...svg.matchAll(/<path d="([^"]*)"/g)];
      return { paths: paths.length, lines: paths.flatMap(([, lines]) => lines.match(/M/g)).length };
    };
    assert.deepEqual([count(all), count(without)], [{ paths: 2, lines: 60 }, { paths: 1, lines: 28 }],
      'one line per row and head, in one path per color');
    assert.equal(csv.split('\r\n').length, 1 + 2 * 30 * 31 / 2 + 1);
    const { maps } = JSON.parse(json);
    assert.deepEqual(maps.map((/** @type {any} */ { head, queries, keys }) => [head, queries, keys]),
      [[0, 30, 30], [1, 30, 30]]);
    assert.ok(files.size[1] > 1000, `a picture of ${files.size}`);
    noComplaints();
  });

  test('in rows, keys are above and queries below: the pointer, the keys and a file', async () => {
    const points = await browser.page.evaluate(async () => {
      const { stage } = /** @type {any} */ (globalThis).helpers;
      stage.style.width = '600px';
      const lines = /** @type {any} */ (document.createElement('heed-attention-lines'));
      lines.id = 'lines';
      lines.setAttribute('layout', 'rows');
      stage.append(lines);
      // Two written words, three read words.
      lines.data = { data: Float32Array.of(0.75, 0.25, 0, 0, 0.1, 0.9), queries: 2, keys: 3, firstQuery: 0,
        tokens: ['eine', 'schwarze', 'Katze'], queryTokens: ['black', 'cat'], layer: 0, head: 0 };
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const { x, y, width, height } = lines.shadowRoot.querySelector('.window').getBoundingClientRect();
      return { query: [x + 0.75 * width, y + height - 10], key: [x + 20, y + 10], lines: [x + 20, y + height / 2] };
    });
    const said = async (/** @type {keyof typeof points} */ at) => {
      await browser.page.mouse.move(points[at][0], points[at][1]);
      await drawn();
      return sentence();
    };
    assert.equal(await said('query'), '‘cat’ (1) gives 90\u00a0% of its attention to ‘Katze’ (2) and 10\u00a0% to '
      + '‘schwarze’ (1)');
    assert.equal(await said('key'), '‘eine’ (0) gets 75\u00a0% from ‘black’ (0)');
    assert.match(await said('lines'), /^Point at a token/);
    await browser.page.mouse.move(2, 2);
    const { label, hidden } = await browser.page.evaluate(() => {
      const { shadowRoot } = /** @type {any} */ (document.getElementById('lines'));
      shadowRoot.querySelector('.window').focus();
      return { label: shadowRoot.querySelector('.window').getAttribute('aria-label'),
        hidden: shadowRoot.querySelector('.bar').hidden };
    });
    assert.equal(label, 'Lines of attention of layer 0, head 0, 2 by 3 tokens. Left and right move between tokens, '
      + 'up and down between the rows.');
    assert.ok(hidden, 'the first token of another text is no sink');
    const selected = [];
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp', 'End', 'ArrowDown', 'Escape']) {
      await browser.page.keyboard.press(key);
      selected.push(await browser.page.evaluate(() => /** @type {any} */ (document.getElementById('lines')).selected));
    }
    assert.deepEqual(selected, [{ side: 'query', at: 0 }, { side: 'query', at: 1 }, { side: 'key', at: 1 },
      { side: 'key', at: 2 }, { side: 'query', at: 1 }, null]);
    const svg = await browser.page.evaluate(async () =>
      (await /** @type {any} */ (document.getElementById('lines')).export('svg')).text());
    const heights = [...svg.matchAll(/<text[^>]* y="([\d.]+)"[^>]*monospace[^>]*>([^<]*)/g)].map(([, y, text]) =>
      [text, Number(y)]);
    const y = Object.fromEntries(heights);
    assert.ok(y.eine === y.Katze && y.black === y.cat && y.black > y.eine + 100, JSON.stringify(y));
    assert.equal([...svg.matchAll(/<path d="([^"]*)"/g)].flatMap(([, d]) => d.match(/M/g)).length, 4);
    noComplaints();
  });

  test('1,024 tokens and 8 heads draw only the tokens in the window', async () => {
    await browser.page.evaluate(() => {
      const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
      stage.style.cssText = 'width: 600px; --heed-map-height: 600px';
      const lines = /** @type {any} */ (document.createElement('heed-attention-lines'));
      lines.id = 'lines';
      stage.append(lines);
      const map = { ...causal(1024, () => 1), tokens: tokensOf(1024), layer: 0 };
      lines.data = Array.from({ length: 8 }, (_, head) => ({ ...map, head }));
    });
    await drawn();
    const { canvas, window, extent } = await browser.page.evaluate(() => {
      const { shadowRoot } = /** @type {any} */ (document.getElementById('lines'));
      const height = (/** @type {string} */ selector) =>
        shadowRoot.querySelector(selector).getBoundingClientRect().height;
      return { canvas: height('canvas'), window: height('.window'), extent: height('.window > div') };
    });
    assert.ok(canvas <= window && window <= 600, `${canvas} in ${window}`);
    assert.equal(extent, 1024 * 20);
    noComplaints();
  });
});
