/** The elements in real browsers: the shipped bundle, in a plain page without an engine. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { violationsIn } from '../support/axe.js';
import { BROWSERS, plainServer } from '../support/browsers.js';
import { until as untilIn } from '../support/until.js';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Elements</title>
  <meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
  <script type="module" src="/dist/elements.js"></script><body><main><h1>Elements</h1><div id="stage"></div></main>`;

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(`the elements in ${name}`, { timeout: 180_000 }, () => {
    /** @type {import('../support/browsers.js').Opened} */ let browser;
    /** @type {import('../support/browsers.js').Page} */ let page;
    /** @type {Awaited<ReturnType<typeof plainServer>>} */ let server;

    before(async () => {
      assert.ok(existsSync(`${DIST}elements.js`), 'dist/elements.js is missing: run make bundle');
      const extra = { '/': (/** @type {any} */ _, /** @type {import('node:http').ServerResponse} */ response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE) };
      server = await plainServer({ root: DIST, below: '/dist/', extra });
      browser = await openBrowser({ width: 1000, height: 900 });
      page = browser.page;
    });
    after(async () => {
      await browser?.close();
      await server?.close();
    });
    beforeEach(async () => {
      await page.goto(new URL('/', server.url).href);
      await page.evaluate(() => customElements.whenDefined('heed-training').then(() => {}));
      await page.evaluate(defineHelpers);
      await page.evaluate(/** @type {any} */ (`helpers.hostile = (${hostileInputs})()`));
    });

    /** @template A @param {(argument: A) => unknown} condition @param {A} [argument] */
    const until = (condition, argument) => untilIn(page, condition, argument);
    /** Lets the page draw. */
    const drawn = () => page.evaluate(() =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))));
    const noComplaints = () => assert.deepEqual(browser.complaints.splice(0), []);

    describe('in a container that a transform scales', () => {
      for (const style of ['transform: scale(1.1)', 'transform: translate(-50%, -50%) scale(0.5); position: absolute; '
        + 'left: 50%; top: 50%; width: 900px', 'zoom: 1.25']) {
        test(`${style}: the pointer hits its cell, and boxOf gives the box of the cell`, async () => {
          const at = await page.evaluate(([css]) => {
            const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
            stage.style.cssText = `transform-origin: 0 0; width: 700px; ${css}`;
            const inner = document.createElement('div');
            inner.style.cssText = 'transform: scale(1.2); transform-origin: 10px 20px';
            stage.append(inner);
            const map = /** @type {any} */ (document.createElement('heed-attention-map'));
            map.id = 'map';
            inner.append(map);
            map.data = { ...causal(24, (/** @type {number} */ q, /** @type {number} */ k) => (q * 7 + k) % 5 + 1),
              tokens: tokensOf(24), layer: 0, head: 0 };
            return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
              const { x, y, width, height } = map.boxOf({ query: 15, key: 9 });
              resolve({ x: x + width / 2, y: y + height / 2 });
            })));
          }, [style]);
          const { x, y } = /** @type {{ x: number, y: number }} */ (at);
          await page.mouse.move(x, y);
          await drawn();
          const sentence = await page.evaluate(() => /** @type {any} */ (document.getElementById('map'))
            .shadowRoot.querySelector('output').textContent);
          assert.match(sentence, /^‘t15’.*‘t9’/);
          // The box of the cell is inside the map at every scale.
          const hit = await page.evaluate(([px, py]) => {
            const map = /** @type {any} */ (document.getElementById('map'));
            return document.elementFromPoint(px, py) === map;
          }, [x, y]);
          assert.ok(hit);
          noComplaints();
        });
      }

      test('the page does not receive keys that a map, a grid or a strip uses', async () => {
        const places = await page.evaluate(() => {
          const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
          stage.style.cssText = 'transform: scale(1.1); transform-origin: 0 0; width: 700px';
          const all = ['attention-map', 'head-grid', 'token-strip'].map((tag) => {
            const element = /** @type {any} */ (document.createElement(`heed-${tag}`));
            element.id = tag;
            stage.append(element);
            return element;
          });
          const [map, grid, strip] = all;
          map.data = { ...causal(9, () => 1), tokens: tokensOf(9), layer: 0, head: 0 };
          grid.shape = { layers: 2, heads: 2 };
          strip.tokens = tokensOf(9);
          /** @type {string[]} */
          const heard = /** @type {any} */ (globalThis).heard = [];
          document.addEventListener('keydown', (event) => heard.push(event.key));
          return all.length;
        });
        assert.equal(places, 3);
        /** @param {string} id @param {string} selector @param {string[]} keys */
        const press = async (id, selector, keys) => {
          await page.evaluate(([at, inner]) => /** @type {any} */ (document.getElementById(at))
            .shadowRoot.querySelector(inner).focus(), [id, selector]);
          for (const key of keys) await page.keyboard.press(key);
          return page.evaluate(() => /** @type {any} */ (globalThis).heard.splice(0));
        };
        const arrows = ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp'];
        assert.deepEqual(await press('attention-map', '.window', [...arrows, '+', '-', 'Escape']), []);
        const unused = ['Escape', 'b'];
        assert.deepEqual(await press('attention-map', '.window', unused), unused, 'the page receives unused keys');
        assert.deepEqual(await press('attention-map', 'select', ['ArrowDown', 'ArrowUp']), []);
        assert.deepEqual(await press('attention-map', 'summary', [' ', 'Enter']), []);
        assert.deepEqual(await press('head-grid', '[aria-selected=true]', arrows.slice(0, 6)), []);
        assert.deepEqual(await press('token-strip', '[role=option]', arrows.slice(0, 6)), []);
        noComplaints();
      });
    });

    describe('the attention map', () => {
      test('a narrow window that follows a text shows visible cells', async () => {
        await page.evaluate(() => {
          const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
          stage.style.cssText = 'width: 320px; --heed-map-height: 640px';
          const map = /** @type {any} */ (document.createElement('heed-attention-map'));
          map.id = 'map';
          stage.append(map);
          map.data = { data: new Float32Array(0), queries: 0, keys: 0, firstQuery: 0, tokens: [], layer: 0, head: 0 };
          map.extend(tokensOf(36), causal(36, () => 1));
        });
        await drawn();
        const scroll = () => page.evaluate(() => {
          const { scrollLeft, scrollTop, scrollWidth, clientWidth, clientHeight, scrollHeight } =
            /** @type {any} */ (document.getElementById('map')).shadowRoot.querySelector('.window');
          return { scrollLeft, scrollTop, roomX: scrollWidth - clientWidth, roomY: scrollHeight - clientHeight };
        });
        const { scrollLeft, scrollTop, roomX, roomY } = await scroll();
        assert.ok(roomX > 100, 'the map is wider than its window');
        assert.ok(scrollTop >= roomY - 1, 'the newest row is in the window');
        assert.ok(scrollLeft <= scrollTop + 1, `scrolled ${scrollLeft} to the right and ${scrollTop} down`);
        await page.evaluate(() => { /** @type {any} */ (globalThis).helpers.stage.style.width = '260px'; });
        await drawn();
        await drawn();
        const narrower = await scroll();
        assert.ok(narrower.scrollTop >= narrower.roomY - 1, 'the newest row stays in the window after a resize');
        noComplaints();
      });

      test('fit shows every cell of a long text, and fills the window with a shorter one', async () => {
        for (const count of [900, 192]) {
          await page.evaluate((tokens) => {
            const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
            stage.replaceChildren();
            stage.style.cssText = 'width: 700px; --heed-map-height: 640px';
            const map = /** @type {any} */ (document.createElement('heed-attention-map'));
            map.id = 'map';
            stage.append(map);
            map.data = { ...causal(tokens, (/** @type {number} */ q, /** @type {number} */ k) => (q - k < 3 ? 1 : 0)),
              tokens: tokensOf(tokens), layer: 0, head: 0 };
            map.shadowRoot.querySelector('[aria-label="Fit the whole map"]').click();
          }, count);
          await drawn();
          await drawn();
          const { first, last, room, window: box, colors } = await page.evaluate((tokens) => {
            const map = /** @type {any} */ (document.getElementById('map'));
            const window = map.shadowRoot.querySelector('.window');
            const canvas = map.shadowRoot.querySelector('.layers canvas');
            const context = canvas.getContext('2d');
            const from = canvas.getBoundingClientRect();
            const color = (/** @type {number} */ query, /** @type {number} */ key) => {
              const { x, y } = map.boxOf({ query, key });
              return String(context.getImageData((x - from.x) * devicePixelRatio, (y - from.y) * devicePixelRatio, 1, 1)
                .data.slice(0, 3));
            };
            const rect = window.getBoundingClientRect();
            const plain = ({ x, y, right, bottom }) => ({ x, y, right, bottom });
            return { first: plain(map.boxOf({ query: 0, key: 0 })),
              last: plain(map.boxOf({ query: tokens - 1, key: tokens - 1 })),
              room: [window.scrollWidth - window.clientWidth, window.scrollHeight - window.clientHeight],
              window: plain(rect),
              colors: [color(tokens - 2, tokens - 4), color(tokens - 2, 4), color(4, tokens - 4)] };
          }, count);
          assert.deepEqual(room, [0, 0], `${count} tokens: nothing to scroll`);
          assert.ok(last.right <= box.right && last.bottom <= box.bottom + 1, `${count} tokens: last cell visible`);
          const filled = Math.max((last.right - first.x) / (box.right - first.x), (last.bottom - first.y)
            / (box.bottom - first.y));
          assert.ok(filled > 0.98, `${count} tokens fill ${filled} of the window`);
          assert.notEqual(colors[0], colors[1], 'the diagonal is visible');
        }
        noComplaints();
      });

      test('a compact map fits its window, folds its controls, and counts hidden columns', async () => {
        for (const [width, hidden] of [[700, 0], [300, 0], [220, 4]]) {
          const labels = await page.evaluate(async ([wide]) => {
            const { stage } = /** @type {any} */ (globalThis).helpers;
            stage.replaceChildren();
            stage.style.cssText = `width: ${wide}px; --heed-map-height: 400px`;
            const map = /** @type {any} */ (document.createElement('heed-attention-map'));
            map.id = 'map';
            map.setAttribute('compact', '');
            stage.append(map);
            map.data = { data: new Float32Array(2 * 26).fill(1 / 26), queries: 2, keys: 26, firstQuery: 0,
              causal: false, tokens: [...'abcdefghijklmnopqrstuvwxyz'], queryTokens: ['1', '2'] };
            return [...map.shadowRoot.querySelectorAll('.bar label')].map((each) => !each.hidden);
          }, [width]);
          assert.deepEqual(labels, [true, false], 'the first token of another text cannot be left out');
          await drawn();
          await drawn();
          const found = await page.evaluate(() => {
            const { shadowRoot } = /** @type {any} */ (document.getElementById('map'));
            const window = shadowRoot.querySelector('.window');
            return { below: window.scrollHeight - window.clientHeight, height: window.clientHeight,
              folded: !shadowRoot.querySelector('.bar').checkVisibility(),
              hint: shadowRoot.querySelector('output').textContent };
          });
          assert.equal(found.below, 0);
          assert.ok(found.height < 130, `${found.height} pixels for two rows`);
          assert.ok(found.folded);
          assert.equal(found.hint, 'Point at a cell, or use the arrow keys.'
            + (hidden ? ` Scroll for ${hidden} more columns.` : ''));
        }
        noComplaints();
      });

      test('the accessible name follows the text', async () => {
        const names = await page.evaluate(() => {
          const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
          const map = /** @type {any} */ (document.createElement('heed-attention-map'));
          stage.append(map);
          const name = () => map.shadowRoot.querySelector('.window').getAttribute('aria-label');
          map.data = { ...causal(4, () => 1), tokens: tokensOf(4), layer: 1, head: 2 };
          const before = name();
          map.extend(tokensOf(6).slice(4));
          const longer = name();
          map.truncate(3);
          return [before, longer, name()];
        });
        assert.deepEqual(names.map((text) => /layer 1, head 2, (\d+) tokens/.exec(text)?.[1]), ['4', '6', '3']);
      });

      test('the words in the corner and the labels do not overlap at any scroll position', async () => {
        await page.evaluate(() => {
          const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
          stage.style.cssText = 'width: 420px; --heed-map-height: 400px';
          const map = /** @type {any} */ (document.createElement('heed-attention-map'));
          map.id = 'map';
          stage.append(map);
          map.data = { ...causal(60, () => 1), tokens: tokensOf(60), layer: 0, head: 0 };
        });
        await drawn();
        for (let scroll = 0; scroll < 26; scroll++) {
          await page.evaluate((x) => /** @type {any} */ (document.getElementById('map')).shadowRoot
            .querySelector('.window').scrollTo(x, 0), scroll);
          await drawn();
          const inked = await page.evaluate(() => {
            const map = /** @type {any} */ (document.getElementById('map'));
            const canvas = map.shadowRoot.querySelector('.layers canvas');
            const scale = devicePixelRatio;
            // The strip between the words, which end 12 pixels before the map, and the map, which begins at 94.
            const { data } = canvas.getContext('2d').getImageData(83 * scale, 4, 10 * scale, 38 * scale);
            return new Set(new Uint32Array(data.buffer)).size;
          });
          assert.equal(inked, 1, `scrolled by ${scroll} pixels`);
        }
      });
    });

    describe('the grid of heads', () => {
      test('a new shape with fewer heads draws only the new heads', async () => {
        await page.evaluate(() => {
          const { stage, rowsOf } = /** @type {any} */ (globalThis).helpers;
          const grid = /** @type {any} */ (document.createElement('heed-head-grid'));
          grid.id = 'grid';
          stage.style.width = '400px';
          stage.append(grid);
          grid.shape = { layers: 6, heads: 6 };
          grid.extend(rowsOf(6, 6, 0, 12));
          grid.shape = { layers: 1, heads: 2 };
          grid.extend(rowsOf(1, 2, 0, 5));
        });
        await drawn();
        await drawn();
        noComplaints();
        assert.deepEqual(await page.evaluate(() => [.../** @type {any} */ (document.getElementById('grid')).shadowRoot
          .querySelectorAll('[role=gridcell]')].map((cell) => cell.className)), ['drawn', 'drawn']);
      });

      test('waiting, empty and drawn thumbnails look different, and all are drawn soon', async () => {
        const seen = await page.evaluate(() => {
          const { stage, rowsOf } = /** @type {any} */ (globalThis).helpers;
          const grid = /** @type {any} */ (document.createElement('heed-head-grid'));
          grid.id = 'grid';
          stage.style.width = '900px';
          stage.append(grid);
          grid.shape = { layers: 30, heads: 9 };
          const cells = [...grid.shadowRoot.querySelectorAll('[role=gridcell]')];
          const look = () => {
            const { backgroundColor, backgroundImage } = getComputedStyle(cells[269]);
            return `${backgroundColor} ${backgroundImage}`;
          };
          const empty = look();
          // A frame without time left draws one head.
          const { now } = performance;
          let time = 0;
          performance.now = () => (time += 1000);
          grid.extend(rowsOf(30, 9, 0, 40));
          return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
            const waiting = look();
            performance.now = now;
            const wait = () => {
              if (cells.some((cell) => cell.className !== 'drawn')) return void requestAnimationFrame(wait);
              resolve([empty, waiting, look()]);
            };
            wait();
          })));
        });
        assert.equal(new Set(/** @type {string[]} */ (seen)).size, 3, String(seen));
        noComplaints();
      });

      test('after a resize every thumbnail is shown at once', async () => {
        const colors = await page.evaluate(() => {
          const { stage, rowsOf } = /** @type {any} */ (globalThis).helpers;
          const grid = /** @type {any} */ (document.createElement('heed-head-grid'));
          stage.style.width = '300px';
          stage.append(grid);
          grid.shape = { layers: 3, heads: 3 };
          grid.extend(rowsOf(3, 3, 0, 20));
          const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
          return (async () => {
            for (let i = 0; i < 10; i++) await frame();
            const { now } = performance;
            let time = 0;
            performance.now = () => (time += 1000); // no frame has time for more than one thumbnail
            stage.style.width = '420px';
            await frame();
            await frame();
            performance.now = now;
            const canvas = grid.shadowRoot.querySelector('canvas');
            const scale = canvas.width / canvas.clientWidth;
            return [...grid.shadowRoot.querySelectorAll('[role=gridcell]')].map((cell) => {
              const { data } = canvas.getContext('2d').getImageData(cell.offsetLeft * scale, cell.offsetTop * scale,
                cell.offsetWidth * scale, cell.offsetHeight * scale);
              return new Set(new Uint32Array(data.buffer)).size;
            });
          })();
        });
        assert.equal(colors.length, 9);
        colors.forEach((count, at) => assert.ok(count > 3, `thumbnail ${at} has ${count} colors`));
        noComplaints();
      });
    });

    describe('the lines', () => {
      /** Two heads of 30 tokens: head 0 attends to the previous token, head 1 to the first one. */
      const open = () => page.evaluate(() => {
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
      const sentence = () => page.evaluate(() =>
        /** @type {any} */ (document.getElementById('lines')).shadowRoot.querySelector('output').textContent);

      test('the pointer and the keys show the lines of one token alone, in both columns', async () => {
        await open();
        await drawn();
        const { x, y } = await page.evaluate(() => {
          const box = /** @type {any} */ (document.getElementById('lines')).shadowRoot.querySelector('.window')
            .getBoundingClientRect();
          return { x: box.x + 20, y: box.y + 5 * 20 + 10 };
        });
        await page.mouse.move(x, y);
        await drawn();
        assert.equal(await sentence(), '‘t5’ (5) gives 100\u00a0% of its attention to ‘t4’ (4) (head 1.0) and '
          + '100\u00a0% to ‘t0’ (0) (head 1.1)');
        await page.mouse.move(2, 2);
        await page.evaluate(() => {
          const lines = /** @type {any} */ (document.getElementById('lines'));
          /** @type {any} */ (globalThis).tokens = [];
          lines.addEventListener('heed-line-token', (/** @type {CustomEvent} */ { detail }) =>
            /** @type {any} */ (globalThis).tokens.push(detail.token));
          lines.shadowRoot.querySelector('.window').focus();
        });
        for (const key of ['End', 'ArrowUp', 'ArrowRight']) await page.keyboard.press(key);
        assert.match(await sentence(), /^‘t28’ \(28\) gets 100\u00a0% from ‘t29’ \(29\) \(head 1\.0\)$/);
        assert.ok(await page.evaluate(() => /** @type {any} */ (document.getElementById('lines')).shadowRoot
          .querySelector('.window').scrollTop > 100), 'the token is in the window');
        await page.keyboard.press('Escape');
        assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).tokens), [{ side: 'query', at: 29 },
          { side: 'query', at: 28 }, { side: 'key', at: 28 }, null]);
        assert.match(await sentence(), /^Point at a token/);
        noComplaints();
      });

      test('the first token can be left out, and files hold the lines', async () => {
        await open();
        const files = await page.evaluate(async () => {
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
        const points = await page.evaluate(async () => {
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
          await page.mouse.move(points[at][0], points[at][1]);
          await drawn();
          return sentence();
        };
        assert.equal(await said('query'), '‘cat’ (1) gives 90\u00a0% of its attention to ‘Katze’ (2) and 10\u00a0% to '
          + '‘schwarze’ (1)');
        assert.equal(await said('key'), '‘eine’ (0) gets 75\u00a0% from ‘black’ (0)');
        assert.match(await said('lines'), /^Point at a token/);
        await page.mouse.move(2, 2);
        const { label, hidden } = await page.evaluate(() => {
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
          await page.keyboard.press(key);
          selected.push(await page.evaluate(() => /** @type {any} */ (document.getElementById('lines')).selected));
        }
        assert.deepEqual(selected, [{ side: 'query', at: 0 }, { side: 'query', at: 1 }, { side: 'key', at: 1 },
          { side: 'key', at: 2 }, { side: 'query', at: 1 }, null]);
        const svg = await page.evaluate(async () =>
          (await /** @type {any} */ (document.getElementById('lines')).export('svg')).text());
        const heights = [...svg.matchAll(/<text[^>]* y="([\d.]+)"[^>]*monospace[^>]*>([^<]*)/g)].map(([, y, text]) =>
          [text, Number(y)]);
        const y = Object.fromEntries(heights);
        assert.ok(y.eine === y.Katze && y.black === y.cat && y.black > y.eine + 100, JSON.stringify(y));
        assert.equal([...svg.matchAll(/<path d="([^"]*)"/g)].flatMap(([, d]) => d.match(/M/g)).length, 4);
        noComplaints();
      });

      test('1,024 tokens and 8 heads draw only the tokens in the window', async () => {
        await page.evaluate(() => {
          const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
          stage.style.cssText = 'width: 600px; --heed-map-height: 600px';
          const lines = /** @type {any} */ (document.createElement('heed-attention-lines'));
          lines.id = 'lines';
          stage.append(lines);
          const map = { ...causal(1024, () => 1), tokens: tokensOf(1024), layer: 0 };
          lines.data = Array.from({ length: 8 }, (_, head) => ({ ...map, head }));
        });
        await drawn();
        const { canvas, window, extent } = await page.evaluate(() => {
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

    test('a map of differences has diverging colors, signed words and signed files', async () => {
      const { said, colors, legend, json, scale } = await page.evaluate(async () => {
        const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
        stage.style.cssText = 'width: 500px; --heed-map-height: 400px; --heed-paper: rgb(255, 255, 255)';
        const map = /** @type {any} */ (document.createElement('heed-attention-map'));
        map.setAttribute('difference', '');
        stage.append(map);
        const data = Float32Array.of(0, 0, 0, -0.25, 0.25, 0, 0, 0, 0);
        map.data = { ...causal(3, () => 1), data, tokens: tokensOf(3), layer: 1, head: 0 };
        map.select({ query: 1, key: 0 });
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const canvas = map.shadowRoot.querySelector('.layers canvas');
        const from = canvas.getBoundingClientRect();
        const color = (/** @type {number} */ query, /** @type {number} */ key) => {
          const { x, y, width } = map.boxOf({ query, key });
          const at = [(x - from.x + width / 2) * devicePixelRatio, (y - from.y + width / 2) * devicePixelRatio];
          return [...canvas.getContext('2d').getImageData(at[0], at[1], 1, 1).data.slice(0, 3)];
        };
        return { said: map.shadowRoot.querySelector('output').textContent,
          colors: [color(1, 0), color(1, 1), color(2, 1)],
          legend: map.shadowRoot.querySelector('.ticks').textContent,
          json: JSON.parse(await (await map.export('json')).text()),
          scale: map.shadowRoot.querySelector('select').checkVisibility() };
      });
      assert.equal(said,
        'The attention of ‘t1’ (1) to ‘t0’ (0) differs by \u221225 percentage points, layer 1, head 0');
      const [less, more, zero] = colors;
      assert.ok(less[2] > less[1] && more[0] > more[2], `purple ${less}, orange ${more}`);
      assert.deepEqual(zero, [255, 255, 255]);
      assert.equal(legend, '-0.30+0.3');
      assert.match(json.values, /^difference/);
      assert.equal(scale, false);
      noComplaints();
    });

    describe('the logit lens', () => {
      /** @param {number} layers @param {number} positions of a lens whose candidates name their place */
      const open = (layers, positions) => page.evaluate(([down, count]) => {
        const { stage, lensOf } = /** @type {any} */ (globalThis).helpers;
        stage.style.cssText = 'width: 500px; --heed-map-height: 300px';
        const lens = /** @type {any} */ (document.createElement('heed-logit-lens'));
        lens.id = 'lens';
        stage.append(lens);
        lens.data = lensOf(down, count);
      }, [layers, positions]);
      const inLens = () => page.evaluate(() => {
        const { shadowRoot } = /** @type {any} */ (document.getElementById('lens'));
        const window = shadowRoot.querySelector('.window');
        const { x, y } = window.getBoundingClientRect();
        return { x, y, said: shadowRoot.querySelector('output').textContent, scroll: window.scrollTop };
      });

      test('the pointer and the keys show the candidates of a cell', async () => {
        await open(3, 40);
        await drawn();
        const { x, y } = await inLens();
        await page.mouse.move(x + 104 + 140, y + 24 + 2.5 * 21.6);
        await drawn();
        assert.equal((await inLens()).said, 'After ‘t2’ (2), layer 0 predicts ‘1.2’ 50\u00a0% and ‘other’ 25\u00a0%');
        await page.mouse.move(2, 2);
        await page.evaluate(() => /** @type {any} */ (document.getElementById('lens')).shadowRoot
          .querySelector('.window').focus());
        for (const key of ['ArrowDown', 'End', 'PageDown', 'PageDown', 'PageDown', 'PageDown']) {
          await page.keyboard.press(key);
        }
        const { said, scroll } = await inLens();
        assert.match(said, /^After ‘t39’ \(39\), layer 1 predicts ‘2\.39’/);
        assert.ok(scroll > 400, `scrolled by ${scroll}`);
        await page.keyboard.press('Escape');
        assert.match((await inLens()).said, /^Point at a cell/);
        noComplaints();
      });

      test('files and the table have the candidates, with markup escaped', async () => {
        await open(2, 3);
        const { svg, csv, json, size, table } = await page.evaluate(async () => {
          const lens = /** @type {any} */ (document.getElementById('lens'));
          const text = async (/** @type {string} */ format) => (await lens.export(format)).text();
          const picture = await createImageBitmap(await lens.export('png'));
          const details = lens.shadowRoot.querySelector('details');
          const opened = new Promise((resolve) => details.addEventListener('toggle', resolve, { once: true }));
          details.open = true;
          await opened; // the table is drawn in a frame after this event
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          return { svg: await text('svg'), csv: await text('csv'), json: await text('json'),
            size: [picture.width, picture.height],
            table: lens.shadowRoot.querySelector('tbody').textContent };
        });
        assert.match(svg, /<title>[^]*<rect[^]*>1\.2<\/text>/);
        assert.equal(csv.trim().split('\r\n').length, 1 + 2 * 3 * 2);
        assert.equal(JSON.parse(json).data.length, 12);
        assert.ok(size[0] > 300 && size[1] > 150, String(size));
        assert.match(table, /t2.*0\.2 50\u00a0%.*1\.2 50\u00a0%/);
        noComplaints();
      });

      test('31 layers of 1,024 tokens draw only the visible cells', async () => {
        await open(31, 1024);
        await drawn();
        const [canvas, window] = await page.evaluate(() => ['canvas', '.window'].map((selector) => {
          const { shadowRoot } = /** @type {any} */ (document.getElementById('lens'));
          const { width, height } = shadowRoot.querySelectorAll(selector)[selector === 'canvas' ? 1 : 0]
            .getBoundingClientRect();
          return width * height;
        }));
        assert.ok(canvas <= window && window <= 500 * 300, `${canvas} of ${window}`);
        noComplaints();
      });
    });

    describe('contributions and the head finder', () => {
      const open = () => page.evaluate(() => {
        const { stage, partsOf, scoresOf } = /** @type {any} */ (globalThis).helpers;
        stage.style.cssText = 'width: 600px';
        const parts = /** @type {any} */ (document.createElement('heed-contributions'));
        const finder = /** @type {any} */ (document.createElement('heed-head-finder'));
        Object.assign(parts, { id: 'parts' });
        Object.assign(finder, { id: 'finder' });
        stage.append(parts, finder);
        parts.data = partsOf();
        finder.data = scoresOf();
        /** @type {any} */ (globalThis).heads = [];
        document.addEventListener('heed-head', ({ detail }) => /** @type {any} */ (globalThis).heads.push(detail));
      });
      const rows = (/** @type {string} */ id, /** @type {string} */ selector) => page.evaluate(([of, inner]) =>
        [.../** @type {any} */ (document.getElementById(of)).shadowRoot.querySelectorAll(inner)]
          .map((row) => row.textContent.replace(/\s+/g, ' ')), [id, selector]);

      test('bars sum to the logit, an attention bar opens its heads, and order sorts', async () => {
        await open();
        await drawn();
        assert.deepEqual(await rows('parts', '.part'), ['Token embedding+0.50', 'Layer 0, attention+3.00',
          'Layer 0, feed-forward\u22121.00']);
        assert.deepEqual(await rows('parts', 'output'), ['The logit of ‘sat’ after ‘cat’ (1) is 2.50, the sum of these '
          + 'parts. The largest part is +3.00: layer 0, attention']);
        await page.evaluate(() => /** @type {any} */ (document.getElementById('parts')).shadowRoot
          .querySelector('button.part').focus());
        await page.keyboard.press('Enter');
        await drawn();
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.evaluate(() => document.getElementById('parts')?.setAttribute('order', 'size'));
        await drawn();
        assert.deepEqual(await rows('parts', '.part'), ['Layer 0, attention+3.00', 'Head 0.0+2.50', 'Head 0.1+0.50',
          'Layer 0, feed-forward\u22121.00', 'Token embedding+0.50']);
        assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).heads), [{ layer: 0, head: 0 }]);
        const bars = await page.evaluate(() => [.../** @type {any} */ (document.getElementById('parts')).shadowRoot
          .querySelectorAll('.track span')].map((bar) => {
          const [own, whole] = [bar, bar.parentElement].map((each) => each.getBoundingClientRect());
          return [own.left, own.right].map((x) => Math.round(100 * (x - whole.left) / whole.width));
        }));
        assert.deepEqual([bars[0], bars[3]], [[50, 100], [33, 50]]);
        noComplaints();
      });

      test('patterns have names, heads below uniform attention are left out, and a click fires heed-head', async () => {
        await open();
        await drawn();
        assert.deepEqual(await rows('finder', '.title'), ['Looks one token back', 'Rests on the first token']);
        assert.deepEqual(await rows('finder', 'button.head'), ['4.0 looks one token back: 43 %',
          '4.1 looks one token back: 10 %', '4.1 rests on the first token: 60 %']);
        await page.evaluate(() => /** @type {any} */ (document.getElementById('finder')).shadowRoot
          .querySelectorAll('button.head')[2].click());
        assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).heads), [{ layer: 4, head: 1 }]);
        noComplaints();
      });

      test('files have all numbers', async () => {
        await open();
        const files = await page.evaluate(async () => Object.fromEntries(await Promise.all(['parts', 'finder']
          .map(async (id) => {
            const element = /** @type {any} */ (document.getElementById(id));
            const text = async (/** @type {string} */ format) => (await element.export(format)).text();
            const { width } = await createImageBitmap(await element.export('png'));
            const json = JSON.parse(await text('json'));
            return [id, { svg: await text('svg'), csv: await text('csv'), json, width }];
          }))));
        assert.match(files.parts.svg, /Token embedding<[^]*\u22121\.00</);
        assert.match(files.parts.csv, /^component,layer,head,part\r\nembed,,,0\.5\r\n[^]*head,0,1,0\.5\r\n$/);
        assert.deepEqual(files.parts.json.heads.data, [2.5, 0.5]);
        assert.match(files.finder.svg, /4\.0 looks one token back: 43/);
        assert.match(files.finder.csv, /^layer,head,previous,first,induction\r\n4,0,0\.43,0\.05,\r\n/);
        assert.equal(files.finder.json.data.length, 6);
        assert.ok(files.parts.width > 600 && files.finder.width > 600);
        noComplaints();
      });
    });

    describe('neurons and the residual stream', () => {
      const open = () => page.evaluate(() => {
        const { stage, neuronsOf, residualOf } = /** @type {any} */ (globalThis).helpers;
        stage.style.cssText = 'width: 600px';
        const neurons = Object.assign(document.createElement('heed-neurons'), { id: 'neurons' });
        const residual = Object.assign(document.createElement('heed-residual'), { id: 'residual' });
        stage.append(neurons, residual);
        Object.assign(neurons, { editable: true, data: neuronsOf() });
        Object.assign(residual, { data: residualOf() });
        /** @type {any} */ (globalThis).events = [];
        for (const type of ['heed-neuron', 'heed-neuron-cut', 'heed-residual-cell']) {
          document.addEventListener(type, ({ detail }) => /** @type {any} */ (globalThis).events.push(detail));
        }
      });
      const text = (/** @type {string} */ id, /** @type {string} */ selector) => page.evaluate(([of, inner]) =>
        [.../** @type {any} */ (document.getElementById(of)).shadowRoot.querySelectorAll(inner)]
          .map((each) => each.textContent), [id, selector]);

      test('a neuron has its part, colored words and raised tokens; cut neurons are marked', async () => {
        await open();
        await drawn();
        assert.deepEqual(await text('neurons', '.part'), ['Neuron 3.120+1.25', 'Neuron 3.7, cut\u22120.50']);
        assert.deepEqual(await text('neurons', 'output'), ['Neuron 3.120 adds +1.25 to the logit of ‘sat’ after ‘cat’ '
          + '(1). It is most active at ‘cat’ (1): 2']);
        const colors = await page.evaluate(() => [.../** @type {any} */ (document.getElementById('neurons')).shadowRoot
          .querySelectorAll('.words span')].map(({ style }) => style.background));
        assert.equal(new Set(colors).size, 2, String(colors));
        await page.evaluate(() => /** @type {any} */ (document.getElementById('neurons')).shadowRoot
          .querySelectorAll('button.part')[1].focus());
        await page.keyboard.press('Enter');
        await drawn();
        assert.match((await text('neurons', 'output'))[0],
          /^Neuron 3\.7 is cut\. It would add \u22120\.50 .*‘The’ \(0\): −1$/);
        assert.match((await text('neurons', '.written'))[0], /raises ‘c’ and ‘d’, and lowers ‘g’ and ‘h’/);
        await page.evaluate(() => [.../** @type {any} */ (document.getElementById('neurons')).shadowRoot
          .querySelectorAll('button')].find(({ textContent }) => textContent === 'Restore neuron 3.7').click());
        assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).events),
          [{ layer: 3, neuron: 7 }, { layer: 3, neuron: 7 }]);
        noComplaints();
      });

      test('a long text is colored in parts, a part in each frame', async () => {
        await open();
        await drawn();
        const count = () => page.evaluate(() => /** @type {any} */ (document.getElementById('neurons')).shadowRoot
          .querySelectorAll('.words span').length);
        const first = await page.evaluate(() => {
          const neurons = /** @type {any} */ (document.getElementById('neurons'));
          const { neuronsOf } = /** @type {any} */ (globalThis).helpers;
          const { axes } = neuronsOf();
          const tokens = Array.from({ length: 1000 }, (_, at) => `t${at}`);
          neurons.data = { ...neuronsOf(), tokens, activations: new Float32Array(1000 * axes.neuron.length).fill(1) };
          neurons.redraw();
          return neurons.shadowRoot.querySelectorAll('.words span').length;
        });
        assert.ok(first <= 200, `${first} words in a frame`);
        while (await count() < 1000) await drawn();
        await page.evaluate(() => {
          const { neuronsOf } = /** @type {any} */ (globalThis).helpers;
          /** @type {any} */ (document.getElementById('neurons')).data = neuronsOf();
        });
        await drawn();
        assert.equal(await count(), 2);
        noComplaints();
      });

      test('the sentence of a residual cell gives the addition of its layer, by pointer and by keys', async () => {
        await open();
        await drawn();
        await page.evaluate(() => /** @type {any} */ (document.getElementById('residual')).shadowRoot
          .querySelector('.window').focus());
        for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
        await drawn();
        assert.deepEqual(await text('residual', 'output'), ['At ‘cat’ (1), layer 0 leaves a stream of norm 4: '
          + 'attention adds 2 (cosine −0.50), and the MLP 3 (cosine 0.25)']);
        assert.deepEqual((await page.evaluate(() => /** @type {any} */ (globalThis).events)).at(-1),
          { cell: { position: 1, layer: 1 } });
        noComplaints();
      });

      test('files have all numbers', async () => {
        await open();
        const files = await page.evaluate(async () => Object.fromEntries(await Promise.all(['neurons', 'residual']
          .map(async (id) => {
            const element = /** @type {any} */ (document.getElementById(id));
            const text = async (/** @type {string} */ format) => (await element.export(format)).text();
            const { width } = await createImageBitmap(await element.export('png'));
            const json = JSON.parse(await text('json'));
            return [id, { svg: await text('svg'), csv: await text('csv'), json, width }];
          }))));
        assert.match(files.neurons.svg, /Neuron 3\.120<[^]*\u22120\.50<[^]*Activations of neuron 3\.120</);
        assert.match(files.neurons.csv,
          /^layer,neuron,part,position,token,activation\r\n3,120,1\.25,0,"The",0\r\n[^]*3,7,-0\.5,1," cat",0\.5\r\n$/);
        assert.deepEqual(files.neurons.json.activations, [0, 2, -1, 0.5]);
        assert.match(files.residual.svg, />embed<[^]*>4</);
        assert.match(files.residual.csv, /^layer,position,token,stream,attention,attentionCosine,mlp,mlpCosine\r\n/);
        assert.match(files.residual.csv, /\r\n-1,1," cat",2,,,,\r\n[^]*\r\n0,1," cat",4,2,-0\.5,3,0\.25\r\n$/);
        assert.equal(files.residual.json.data.length, 20);
        assert.ok(files.neurons.width > 300 && files.residual.width > 300);
        noComplaints();
      });
    });

    describe('attributes', () => {
      test('set properties, also before data and shape', async () => {
        const [map, grid, strip] = await page.evaluate(() => {
          const { stage, causal, rowsOf, tokensOf } = /** @type {any} */ (globalThis).helpers;
          const make = (/** @type {string} */ tag, /** @type {Record<string, string>} */ attributes) => {
            const element = /** @type {any} */ (document.createElement(tag));
            for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
            stage.append(element);
            return element;
          };
          const map = make('heed-attention-map',
            { scale: 'log', 'leave-first-out': '', max: '0.5', layer: '3', head: '1' });
          map.data = { ...causal(4, () => 1), tokens: tokensOf(4) };
          map.select({ query: 3, key: 1 });
          const grid = make('heed-head-grid', { 'leave-first-out': 'false', layer: '1', head: '2' });
          grid.shape = { layers: 2, heads: 3 };
          grid.extend(rowsOf(2, 3, 0, 4));
          const strip = make('heed-token-strip', { 'prompt-length': '2' });
          strip.tokens = tokensOf(4);
          const { scale, leaveFirstOut, max, layer, head } = map;
          const controls = [map.shadowRoot.querySelector('select').value,
            map.shadowRoot.querySelector('.bar input').checked];
          const said = map.shadowRoot.querySelector('output').textContent;
          return [{ scale, leaveFirstOut, max, layer, head, controls, said },
          { leaveFirstOut: grid.leaveFirstOut, selected: grid.selected, layer: grid.layer, head: grid.head },
          { promptLength: strip.promptLength, muted: strip.shadowRoot.querySelectorAll('.prompt').length }];
        });
        assert.deepEqual(map, { scale: 'log', leaveFirstOut: true, max: 0.5, layer: 3, head: 1, controls: ['log', true],
          said: '‘t3’ (3) gives 25\u00a0% of its attention to ‘t1’ (1), layer 3, head 1' });
        assert.deepEqual(grid, { leaveFirstOut: false, selected: { layer: 1, head: 2 }, layer: 1, head: 2 });
        assert.deepEqual(strip, { promptLength: 2, muted: 2 });
        noComplaints();
      });

      test('restore the default when they are removed, and data names the head first', async () => {
        const states = await page.evaluate(() => {
          const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
          const html = '<heed-attention-map scale="row-max" leave-first-out="true" max="1" layer="3" head="1">';
          stage.append(document.createRange().createContextualFragment(html));
          const map = stage.firstElementChild;
          map.data = { ...causal(2, () => 1), tokens: tokensOf(2), layer: 7, head: 5 };
          const state = () => [map.scale, map.leaveFirstOut, map.max, map.layer, map.head];
          const before = state();
          map.data = { ...causal(2, () => 1), tokens: tokensOf(2) };
          const unnamed = state();
          for (const name of map.getAttributeNames()) map.removeAttribute(name);
          return [before, unnamed, state()];
        });
        assert.deepEqual(states, [['row-max', true, 1, 7, 5], ['row-max', true, 1, 3, 1],
          ['linear', false, null, null, null]]);
        noComplaints();
      });

      test('an invalid value is reported once, changes nothing, and a valid one clears it', async () => {
        const results = await page.evaluate(() => {
          const { stage } = /** @type {any} */ (globalThis).helpers;
          /** @type {[tag: string, name: string, bad: string, good: string][]} */
          const cases = [['attention-map', 'scale', 'cubic', 'log'], ['attention-map', 'leave-first-out', 'maybe', ''],
            ['attention-map', 'max', '-1', '0.5'], ['attention-map', 'max', 'big', '0.5'],
            ['attention-map', 'layer', '1.5', '1'], ['attention-map', 'head', '', '0'],
            ['head-grid', 'leave-first-out', 'sometimes', 'auto'], ['head-grid', 'layer', '9', '1'],
            ['head-grid', 'head', 'x', '2'], ['attention-lines', 'max', '0', '1'],
            ['attention-lines', 'layout', 'rings', 'rows'], ['attention-lines', 'leave-first-out', 'maybe', ''],
            ['contributions', 'order', 'name', 'size'],
            ['residual', 'quantity', 'size', 'mlp'], ['neurons', 'editable', 'maybe', ''],
            ['head-finder', 'most', '0', '3'], ['token-strip', 'prompt-length', '-2', '2']];
          return cases.map(([tag, name, bad, good]) => {
            const element = /** @type {any} */ (document.createElement(`heed-${tag}`));
            stage.append(element);
            if (tag === 'head-grid') element.shape = { layers: 2, heads: 3 };
            let events = 0;
            element.addEventListener('heed-error', (/** @type {Event} */ event) => {
              event.preventDefault();
              events++;
            });
            const problem = element.shadowRoot.querySelector('[role=alert]');
            element.setAttribute(name, bad);
            element.setAttribute(name, `${bad} `);
            const shown = !problem.hidden && problem.textContent;
            element.setAttribute(name, good);
            return { attribute: `${tag} ${name}`, events, shown, after: problem.hidden };
          });
        });
        for (const { attribute, events, shown, after } of results) {
          assert.equal(events, 1, `${attribute}: ${events} events`);
          assert.match(String(shown), /.{20}/, attribute);
          assert.equal(after, true, `${attribute}: the error is hidden`);
        }
        noComplaints();
      });
    });

    describe('invalid input', () => {
      for (const name of ['attention-map', 'attention-lines', 'contributions', 'head-finder', 'head-grid',
        'logit-lens', 'neurons', 'residual', 'token-strip', 'next-token', 'training', 'anatomy']) {
        const tag = `heed-${name}`;
        test(`<${tag}> reports each error once, does not change, and recovers`, async () => {
          const told = await page.evaluate(tellOfHostile, tag);
          for (const { input, sentences, events, visible, again, after } of told) {
            assert.equal(events, 1, `${input}: ${events} events`);
            assert.equal(visible, true, `${input}: the error is visible`);
            assert.match(sentences, /.{20}/, input);
            assert.equal(again, 1, `${input}: a repeated error fires no second event`);
            assert.equal(after, '', `${input}: recovers`);
          }
          assert.ok(told.length >= 5, `${told.length} inputs`);
          await drawn();
          noComplaints();
        });
      }

      test('an error without a listener goes to the console once', async () => {
        const said = await page.evaluate(() => {
          /** @type {string[]} */
          const lines = [];
          console.error = (...words) => lines.push(words.map(String).join(' '));
          const map = /** @type {any} */ (document.createElement('heed-attention-map'));
          document.getElementById('stage')?.append(map);
          map.data = null;
          map.data = null;
          return lines;
        });
        const [complaint, ...others] = said;
        assert.match(complaint, /heed-attention-map.*data must be an object/s);
        assert.deepEqual(others, []);
      });

      test('input can change or be transferred afterwards', async () => {
        const rows = await page.evaluate(() => {
          const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
          const map = /** @type {any} */ (document.createElement('heed-attention-map'));
          const strip = /** @type {any} */ (document.createElement('heed-token-strip'));
          stage.append(map, strip);
          const block = causal(4, () => 1);
          const tokens = tokensOf(4);
          map.data = { ...block, tokens, layer: 0, head: 0 };
          strip.tokens = tokens;
          strip.light(3, block.data.subarray(12));
          tokens.length = 0;
          structuredClone(block.data.buffer, { transfer: [block.data.buffer] });
          return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() =>
            resolve([map.length, Array.from(map.row(3)), strip.tokens.length]))));
        });
        assert.deepEqual(rows, [4, [0.25, 0.25, 0.25, 0.25], 4]);
        noComplaints();
      });

      test('requests to a source that returns other rows end', async () => {
        const [asked, said] = await page.evaluate(async () => {
          const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
          const map = /** @type {any} */ (document.createElement('heed-attention-map'));
          stage.append(map);
          let count = 0;
          map.source = () => {
            count++;
            return { ...causal(2, () => 1), firstQuery: 0, queries: 0, data: new Float32Array(0) };
          };
          map.data = { data: new Float32Array(0), queries: 0, keys: 0, firstQuery: 0, tokens: tokensOf(9) };
          for (let i = 0; i < 10; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
          return [count, map.shadowRoot.querySelector('output').textContent];
        });
        assert.ok(Number(asked) < 4, `asked ${asked} times`);
        assert.equal(said, 'The map could not be loaded: the source returned no rows instead of rows 0 to 8.');
        noComplaints();
      });
    });

    describe('files', () => {
      /** A dark page with a map and a grid with provenance. */
      const open = () => page.evaluate(() => {
        const { stage, causal, rowsOf, tokensOf } = /** @type {any} */ (globalThis).helpers;
        stage.style.cssText = 'width: 500px; color-scheme: dark';
        const map = /** @type {any} */ (document.createElement('heed-attention-map'));
        const grid = /** @type {any} */ (document.createElement('heed-head-grid'));
        Object.assign(map, { id: 'map' });
        Object.assign(grid, { id: 'grid' });
        stage.append(map, grid);
        map.data = { ...causal(5, () => 1), tokens: [...tokensOf(4), ' incomprehensibilities'], layer: 3, head: 1 };
        grid.shape = { layers: 2, heads: 2 };
        grid.extend(rowsOf(2, 2, 0, 5));
        map.provenance = grid.provenance = { model: 'tiny', prompt: 'Ä prompt', seed: 5, date: '2026-11-22' };
      });
      /** @param {string} id @param {string} format @param {object} wishes */
      const made = (id, format, wishes) => page.evaluate(async ([of, wanted, how]) => {
        const blob = await /** @type {any} */ (document.getElementById(String(of))).export(wanted, how);
        const bytes = new Uint8Array(await blob.arrayBuffer());
        if (wanted !== 'png') return { type: blob.type, text: new TextDecoder().decode(bytes), corner: [], size: [] };
        const bitmap = await createImageBitmap(blob);
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
        context.drawImage(bitmap, 0, 0);
        return { type: blob.type, text: new TextDecoder().decode(bytes), size: [bitmap.width, bitmap.height],
          corner: [...context.getImageData(2, 2, 1, 1).data] };
      }, /** @type {const} */ ([id, format, wishes]));

      test('of the map: colors and their scale end at max, as on the page', async () => {
        await open();
        const saved = [];
        for (const max of [null, 1, 0.5]) {
          await page.evaluate((end) => {
            Object.assign(/** @type {any} */ (document.getElementById('map')), { scale: 'linear', max: end });
          }, max);
          const { text } = await made('map', 'svg', { theme: 'light' });
          saved.push({ cells: text.match(/<path fill="rgb[^>]*>/g),
            words: [...text.matchAll(/>([^<>]+)<\/text>/g)].map(([, words]) => words) });
        }
        assert.deepEqual(saved[1], saved[0], 'the largest weight of this map is 1');
        assert.notDeepEqual(saved[2].cells, saved[0].cells);
        assert.ok(saved[2].words.includes('0.5') && !saved[2].words.includes('1'), saved[2].words.join(', '));
        noComplaints();
      });

      for (const id of ['map', 'grid']) {
        test(`of the ${id}: light on a dark page, transparent, larger font, with provenance`, async () => {
          await open();
          const [shown, light, clear, large] = [await made(id, 'png', {}), await made(id, 'png', { theme: 'light' }),
            await made(id, 'png', { transparent: true }), await made(id, 'png', { fontSize: 24 })];
          assert.deepEqual([shown.type, shown.corner, light.corner], ['image/png', [21, 22, 25, 255],
            [255, 255, 255, 255]]);
          assert.equal(clear.corner[3], 0);
          assert.ok(large.size[0] > shown.size[0] && large.size[1] > shown.size[1]);
          assert.match(shown.text,
            /iTXtDescription\0+\{"model":"tiny","prompt":"Ä prompt","seed":5,"date":"2026-11-22","heed":"/);
          const bare = await made(id, 'png', { caption: false });
          assert.ok(bare.size[1] < shown.size[1]);

          const svg = await made(id, 'svg', { theme: 'light' });
          assert.match(svg.text, /fill="rgb\(255, 255, 255\)"[^]*Model tiny[^]*Prompt “Ä prompt”, seed 5/);
          const csv = await made(id, 'csv', {});
          const lines = { map: /^layer,head,query,[^]*" incomprehensibilities"/, grid: /^layer,head,previous/ };
          assert.match(csv.text, lines[/** @type {'map' | 'grid'} */ (id)]);
          const html = await made(id, 'html', { theme: 'light' });
          assert.match(html.text, /^<!doctype html>[^]*default-src 'none'[^]*<svg [^]*<table>[^]*<\/html>\n$/);
          const opened = await page.evaluate((text) => {
            const parsed = new DOMParser().parseFromString(text, 'text/html');
            return [parsed.querySelectorAll('script, link, iframe, object, [onload]').length,
              parsed.querySelectorAll('tbody tr').length];
          }, html.text);
          assert.deepEqual(opened, [0, id === 'map' ? 15 : 4], 'five rows of up to five cells, or four heads');
          if (id === 'map') {
            const [tex, tikz] = [await made(id, 'tex', { theme: 'light' }), await made(id, 'tikz', { theme: 'light' })];
            assert.ok(tex.text.includes(tikz.text));
            assert.match(tikz.text, /incomprehensibilities\};[^]*Prompt\\ /);
          }
          const refused = await page.evaluate(async (of) => {
            const element = /** @type {any} */ (document.getElementById(of));
            const all = [['gif', {}], ['png', { fontSize: 900 }], ['png', { fontSize: NaN }]];
            return Promise.all(all.map(([format, wishes]) => element.export(format, wishes).then(() => '', String)));
          }, id);
          refused.forEach((sentence) => assert.match(sentence, /must be/));
          noComplaints();
        });
      }

      test('pictures of cells and of lines name their axes, and cells have a color bar', async () => {
        const words = await page.evaluate(async () => {
          const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
          const axes = { layer: [-1, 0], position: ['The', ' cat'] };
          const quantity = ['stream', 'attention', 'attentionCosine', 'mlp', 'mlpCosine'];
          const map = { ...causal(3, () => 1), tokens: tokensOf(3) };
          const figures = /** @type {const} */ ([
            ['heed-logit-lens', {}, { data: Float32Array.of(0.4, 0.7, 0.9, 0.25).map(Math.log),
              axes: { ...axes, rank: [0] }, texts: [' a', ' b', ' c', ' d'] }],
            ['heed-residual', {}, { data: new Float32Array(20).fill(3), axes: { ...axes, quantity } }],
            ['heed-residual', { quantity: 'mlpCosine' },
              { data: new Float32Array(20).fill(0.5), axes: { ...axes, quantity } }],
            ['heed-attention-lines', {}, map],
            ['heed-attention-lines', { layout: 'rows' }, map]]);
          return Promise.all(figures.map(async ([tag, properties, data]) => {
            const element = /** @type {any} */ (document.createElement(tag));
            stage.append(element);
            Object.assign(element, properties, { data });
            const svg = new DOMParser().parseFromString(await (await element.export('svg', { caption: false })).text(),
              'image/svg+xml').documentElement;
            const bar = [...svg.querySelectorAll('rect')].filter((rect) => rect.getAttribute('height') === '10').length;
            const [width, height] = ['width', 'height'].map((side) => Number(svg.getAttribute(side)));
            for (const text of svg.querySelectorAll('text')) {
              const [x, y] = ['x', 'y'].map((at) => Number(text.getAttribute(at)) + 8);
              if (!(x > 0 && x < width && y > 0 && y < height)) throw new Error(`${text.textContent} at ${x}, ${y}`);
            }
            return [[...svg.querySelectorAll('text')].map(({ textContent }) => textContent), bar];
          }));
        });
        const inside = (/** @type {any} */ [texts], /** @type {string[]} */ wanted) =>
          wanted.forEach((text) => assert.ok(texts.includes(text), `${text} in ${texts}`));
        const [lens, norm, cosine, columns, rows] = words;
        inside(lens, ['after ↓ layer →', 'probability of the token', '0', '0.5', '1']);
        inside(norm, ['after ↓ layer →', 'norm of the stream', '0', '3']);
        inside(cosine, ['after ↓ layer →', 'cosine of the MLP with the stream', '-1', '+1']);
        inside(columns, ['attends from ↓', 'to ↓']);
        inside(rows, ['attends from ↑', 'to ↓']);
        assert.deepEqual(words.map(([, bar]) => bar), [50, 50, 50, 0, 0]);
        noComplaints();
      });

      test('the menu works by keyboard and reports the result', async () => {
        await open();
        const inMenu = () => page.evaluate(() => {
          const root = /** @type {any} */ (document.getElementById('map')).shadowRoot;
          const { activeElement } = root;
          const menu = root.querySelector('.export');
          return { open: menu.open, said: menu.querySelector('[role=status]').textContent,
            focus: activeElement?.getAttribute('aria-label') ?? activeElement?.textContent };
        });
        await page.evaluate(() => {
          HTMLAnchorElement.prototype.click = function click() {
            /** @type {any} */ (globalThis).file = this.download;
          };
          /** @type {any} */ (document.getElementById('map')).shadowRoot.querySelector('.export summary').focus();
        });
        await page.keyboard.press('Enter');
        await page.keyboard.press('Tab');
        assert.deepEqual(await inMenu(), { open: true, said: '', focus: 'Save the map as PNG' });
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await until(() => /** @type {any} */ (globalThis).file === 'attention-layer-3-head-1.svg');
        assert.equal((await inMenu()).said, 'Saved attention-layer-3-head-1.svg.');
        await page.keyboard.press('Escape');
        assert.deepEqual(await inMenu(), { open: false, said: 'Saved attention-layer-3-head-1.svg.',
          focus: 'Save or copy' });
        noComplaints();
      });

      test('a map of differences has its own file name', async () => {
        await open();
        const names = await page.evaluate(async () => {
          const map = /** @type {any} */ (document.getElementById('map'));
          /** @type {string[][]} */
          const [files, said] = [[], []];
          HTMLAnchorElement.prototype.click = function click() {
            files.push(this.download);
          };
          const status = map.shadowRoot.querySelector('.export [role=status]');
          new MutationObserver((changes) => {
            for (const { addedNodes: [text] } of changes) said.push(text.textContent ?? '');
          }).observe(status, { childList: true });
          for (const difference of [false, true]) {
            map.difference = difference;
            map.shadowRoot.querySelector('.export').open = true;
            map.shadowRoot.querySelector('[aria-label="Save the map as CSV"]').click();
            while (files.length <= Number(difference)) await new Promise((resolve) => setTimeout(resolve, 10));
          }
          await new Promise((resolve) => setTimeout(resolve, 10)); // the last message
          return { files, said };
        });
        assert.deepEqual(names, { files: ['attention-layer-3-head-1.csv', 'attention-difference-layer-3-head-1.csv'],
          said: ['Saving the map…', 'Saved attention-layer-3-head-1.csv.',
            'Saving the map…', 'Saved attention-difference-layer-3-head-1.csv.'] });
        noComplaints();
      });

      if (name === 'chromium') {
        test('copies a picture and a table', async () => {
          await open();
          await /** @type {any} */ (page).context().grantPermissions(['clipboard-read', 'clipboard-write']);
          const copy = (/** @type {string} */ format) => page.evaluate(async (wanted) => {
            const root = /** @type {any} */ (document.getElementById('map')).shadowRoot;
            root.querySelector('.export').open = true;
            root.querySelector(`[aria-label="Copy the map as ${wanted}"]`).click();
            const status = root.querySelector('.export [role=status]');
            while (status.textContent.endsWith('…')) await new Promise((resolve) => setTimeout(resolve, 10));
            const [item] = await navigator.clipboard.read();
            const text = item.types.includes('text/plain') ? await (await item.getType('text/plain')).text() : '';
            return { said: status.textContent, types: item.types, text };
          }, format);
          const table = await copy('CSV');
          assert.equal(table.said, 'Copied the map as CSV.');
          assert.match(table.text, /^layer,head,query/);
          assert.deepEqual((await copy('PNG')).types, ['image/png']);
          noComplaints();
        });

        test('axe finds no violations in any element, in light and dark, with open menus', async () => {
          await open();
          await page.evaluate(() => {
            const { stage, causal, lensOf, neuronsOf, partsOf, residualOf, scoresOf, tokensOf } =
              /** @type {any} */ (globalThis).helpers;
            const strip = /** @type {any} */ (document.createElement('heed-token-strip'));
            const next = /** @type {any} */ (document.createElement('heed-next-token'));
            stage.append(strip, next);
            strip.tokens = tokensOf(9);
            next.show([{ id: 1, text: ' a', logprob: -0.5 }, { id: 2, text: ' b', logprob: -1 }], { chosen: 1 });
            next.show(null);
            const lines = /** @type {any} */ (document.createElement('heed-attention-lines'));
            stage.append(lines);
            lines.data = { ...causal(5, () => 1), tokens: tokensOf(5), layer: 3, head: 1 };
            lines.select({ side: 'query', at: 4 });
            const lens = /** @type {any} */ (document.createElement('heed-logit-lens'));
            stage.append(lens);
            lens.data = lensOf(2, 3);
            const parts = /** @type {any} */ (document.createElement('heed-contributions'));
            const finder = /** @type {any} */ (document.createElement('heed-head-finder'));
            stage.append(parts, finder);
            parts.data = partsOf();
            finder.data = scoresOf();
            const neurons = /** @type {any} */ (document.createElement('heed-neurons'));
            const residual = /** @type {any} */ (document.createElement('heed-residual'));
            stage.append(neurons, residual);
            Object.assign(neurons, { editable: true, data: neuronsOf() });
            residual.data = residualOf();
            for (const element of stage.children) {
              for (const details of element.shadowRoot.querySelectorAll('details')) details.open = true;
            }
          });
          browser.complaints.length = 0;
          const setScheme = (/** @type {string} */ scheme) => page.evaluate((css) => {
            /** @type {any} */ (globalThis).helpers.stage.style.colorScheme = css;
            document.documentElement.style.background = css === 'dark' ? '#000' : '#fff';
          }, scheme);
          assert.deepEqual(await violationsIn(page, setScheme, { within: '#stage' }), []);
          noComplaints();
        });
      }
    });

    test('a framed token at the start of a line draws nothing on the line above', async () => {
      const framed = await page.evaluate(() => {
        const { stage } = /** @type {any} */ (globalThis).helpers;
        stage.style.width = '200px';
        const strip = /** @type {any} */ (document.createElement('heed-token-strip'));
        stage.append(strip);
        strip.tokens = Array.from({ length: 40 }, (_, i) => (i % 7 === 3 ? ' a' : ' token'));
        strip.light(39, new Float32Array(40).fill(1), 20);
        return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
          const options = [...strip.shadowRoot.querySelectorAll('[role=option]')];
          const broken = options.filter((option) => option.getClientRects().length > 1);
          const boxes = options.map((option) => {
            const all = [option, ...option.querySelectorAll('*')];
            const inked = all.filter((element) => {
              const { boxShadow, backgroundColor } = getComputedStyle(element);
              return boxShadow !== 'none' || backgroundColor !== 'rgba(0, 0, 0, 0)';
            });
            return Math.max(...inked.map((element) => element.getClientRects().length));
          });
          resolve({ broken: broken.length, boxes });
        })));
      });
      const { broken, boxes } = /** @type {{ broken: number, boxes: number[] }} */ (framed);
      assert.ok(broken > 0, 'some space ends a line');
      assert.ok(boxes.every((count) => count === 1), String(boxes));
      noComplaints();
    });
  });
}

/**
 * Gives an element every invalid input of its list, and returns the errors.
 * @param {string} tag
 */
async function tellOfHostile(tag) {
  const { stage, hostile } = /** @type {any} */ (globalThis).helpers;
  const element = document.createElement(tag);
  stage.append(element);
  /** @type {any[]} */
  const heard = [];
  element.addEventListener('heed-error', (event) => {
    event.preventDefault();
    heard.push(/** @type {CustomEvent} */ (event).detail);
  });
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const problem = /** @type {any} */ (element.shadowRoot?.querySelector('[role=alert]'));
  const told = [];
  for (const [input, give, mend] of hostile[tag]) {
    mend(element);
    heard.length = 0;
    give(element);
    await frame();
    const events = heard.length;
    const visible = !problem.hidden && problem.getClientRects().length > 0;
    const sentences = problem.textContent;
    give(element);
    await frame();
    const again = heard.length;
    mend(element);
    await frame();
    told.push({ input, events, visible, sentences, again, after: problem.hidden ? '' : problem.textContent });
  }
  return told;
}

/** @returns {Record<string, [input: string, give: (element: any) => void, mend: (element: any) => void][]>} */
function hostileInputs() {
  const { causal, lensOf, neuronsOf, partsOf, residualOf, rowsOf, scoresOf, tokensOf } =
    /** @type {any} */ (globalThis).helpers ?? {};
  const detached = () => {
    const data = new Float32Array(9);
    structuredClone(data.buffer, { transfer: [data.buffer] });
    return data;
  };
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const goodMap = (/** @type {any} */ map) => {
    map.data = { ...causal(3, () => 1), tokens: tokensOf(3), layer: 0, head: 0 };
    map.scale = 'linear';
    map.select({ query: 2, key: 1 });
    map.marked = [{ queries: [1, 3], keys: [0, 1] }];
  };
  const mapData = (/** @type {any} */ change) => (/** @type {any} */ map) => {
    map.data = { ...causal(3, () => 1), tokens: tokensOf(3), layer: 0, head: 0, ...change() };
  };
  const goodLens = (/** @type {any} */ lens) => {
    lens.data = lensOf(2, 3);
    lens.select({ position: 1, layer: 1 });
  };
  const lensData = (/** @type {any} */ change) => (/** @type {any} */ lens) => {
    lens.data = { ...lensOf(2, 3), ...change() };
  };
  const goodParts = (/** @type {any} */ parts) => {
    parts.data = partsOf();
    parts.order = 'model';
  };
  const goodNeurons = (/** @type {any} */ neurons) => {
    neurons.data = neuronsOf();
    neurons.select(7);
  };
  const goodResidual = (/** @type {any} */ residual) => {
    residual.data = residualOf();
    residual.quantity = 'mlp';
    residual.select({ position: 0, layer: 1 });
  };
  const goodFinder = (/** @type {any} */ finder) => {
    finder.data = scoresOf();
    finder.most = 5;
  };
  const oneMap = () => ({ ...causal(3, () => 1), tokens: tokensOf(3), layer: 0, head: 0 });
  const goodLines = (/** @type {any} */ lines) => {
    lines.data = oneMap();
    lines.max = null;
    lines.layout = 'columns';
    lines.select({ side: 'key', at: 1 });
  };
  const goodGrid = (/** @type {any} */ grid) => {
    grid.shape = { layers: 2, heads: 3 };
    grid.extend(rowsOf(2, 3, 0, 4), tokensOf(4));
    grid.selected = { layer: 1, head: 2 };
    grid.leaveFirstOut = 'auto';
    grid.changes = [{ layer: 1, head: 0, scale: 0 }, { layer: 0, head: 2, scale: -1 }];
  };
  const gridRows = (/** @type {any} */ change) => (/** @type {any} */ grid) =>
    grid.extend({ ...rowsOf(2, 3, 4, 2), ...change });
  const goodStrip = (/** @type {any} */ strip) => {
    strip.tokens = tokensOf(5);
    strip.promptLength = 2;
    strip.selected = 1;
    strip.light(2, Float32Array.of(0.2, 0.3, 0.5));
  };
  const goodNext = (/** @type {any} */ next) => next.show([{ id: 1, text: 'a', logprob: -1 }], { chosen: 1 });
  const frame = () => ({ step: 0, tokens: tokensOf(3), layers: 1, heads: 1, causal: true, data: causal(3, () => 1).data,
    answer: ['a'], wanted: ['a'] });
  const goodTraining = (/** @type {any} */ training) => {
    training.start();
    training.begin({ steps: 5, frame: frame() });
  };
  const begin = (/** @type {any} */ change) => (/** @type {any} */ training) =>
    training.begin({ steps: 5, frame: { ...frame(), ...change() } });
  const info = { layers: 2, heads: 2, kvHeads: 1, dModel: 4, dHead: 2, dFeedForward: 8, vocabulary: 5,
    learnedPositions: 0, rotary: false, gated: false, tied: true, norm: 'layernorm', normEpsilon: 1e-5,
    activation: 'relu' };
  const goodAnatomy = (/** @type {any} */ anatomy) => {
    anatomy.load = null;
    anatomy.words = null;
    const pattern = { data: Float32Array.of(1, 0, 0.5, 0.5, 1, 0, 0.5, 0.5), shape: [2, 2, 2] };
    anatomy.data = { info, tokens: tokensOf(2), activations: { 'blocks.0.attn.hook_pattern': pattern } };
    Object.assign(anatomy, { layer: 0, head: 0, position: null, box: 'pattern', lessons: '', editable: false });
    anatomy.changes = [{ weight: 'output.bias', index: 4, value: 1 }];
    anatomy.select({ row: 1, column: 0 });
  };
  const anatomyData = (/** @type {any} */ change) => (/** @type {any} */ anatomy) => {
    anatomy.data = { info, tokens: tokensOf(2), ...change() };
  };
  const infoOf = (/** @type {any} */ change) => anatomyData(() => ({ info: { ...info, ...change } }));
  const activation = (/** @type {any} */ value, name = 'blocks.0.hook_resid_pre') =>
    anatomyData(() => ({ activations: { [name]: value } }));
  return {
    'heed-anatomy': [
      ...[null, 7, [], { info }].map((value) => /** @type {any} */ (
        [`data = ${JSON.stringify(value)}`, (/** @type {any} */ anatomy) => { anatomy.data = value; }, goodAnatomy])),
      ['a revoked proxy', (anatomy) => { anatomy.data = revoked(); }, goodAnatomy],
      ['no tokens', anatomyData(() => ({ tokens: [] })), goodAnatomy],
      ['too many tokens', anatomyData(() => ({ tokens: tokensOf(5000) })), goodAnatomy],
      ['huge layers', infoOf({ layers: 2 ** 31 }), goodAnatomy],
      ['key heads that do not divide', infoOf({ heads: 3, kvHeads: 2 }), goodAnatomy],
      ['a norm that does not exist', infoOf({ norm: 'batch' }), goodAnatomy],
      ['an epsilon of NaN', infoOf({ normEpsilon: NaN }), goodAnatomy],
      ['a layer that the model lacks', activation({ data: new Float32Array(8) }, 'blocks.2.hook_resid_pre'),
        goodAnatomy],
      ['an unknown name', activation({ data: new Float32Array(8) }, '__proto__.x'), goodAnatomy],
      ['too few numbers', activation({ data: new Float32Array(7) }), goodAnatomy],
      ['an Array', activation({ data: [1, 2, 3, 4, 5, 6, 7, 8] }), goodAnatomy],
      ['NaN', activation({ data: new Float32Array(8).fill(NaN) }), goodAnatomy],
      ['an activation without data', activation(null), goodAnatomy],
      ['load that is a string', (anatomy) => { anatomy.load = 'numbers'; }, goodAnatomy],
      ['load that returns nothing', (anatomy) => { anatomy.load = async () => ({}); }, goodAnatomy],
      ['load that throws', (anatomy) => { anatomy.load = () => { throw new Error('the model is not loaded'); }; },
        goodAnatomy],
      ['words that is an object', (anatomy) => { anatomy.words = {}; }, goodAnatomy],
      ['a layer outside', (anatomy) => { anatomy.layer = 2; }, goodAnatomy],
      ['a head that is a word', (anatomy) => { anatomy.head = 'x'; }, goodAnatomy],
      ['a position outside', (anatomy) => { anatomy.position = 2; }, goodAnatomy],
      ['a box that does not exist', (anatomy) => { anatomy.box = 'constructor'; }, goodAnatomy],
      ['lessons that are a script', (anatomy) => { anatomy.lessons = 'javascript:alert(1)'; }, goodAnatomy],
      ['a cell outside', (anatomy) => anatomy.select({ row: 2, column: 0 }), goodAnatomy],
      ['too few ids', anatomyData(() => ({ ids: [1] })), goodAnatomy],
      ['an id outside the vocabulary', anatomyData(() => ({ ids: [1, 5] })), goodAnatomy],
      ['ids that are a number', anatomyData(() => ({ ids: 3 })), goodAnatomy],
      ['an unknown weight', anatomyData(() => ({ weights: ['constructor.weight'] })), goodAnatomy],
      ['editable as a word', (anatomy) => { anatomy.editable = 'yes'; }, goodAnatomy],
      ...[null, 7, [null], [{ weight: 7, index: 0, value: 1 }], [{ weight: 'output.bias', index: -1, value: 1 }],
        [{ weight: 'output.bias', index: 5, value: 1 }], [{ weight: 'blk.2.ffn_up.bias', index: 0, value: 1 }],
        [{ weight: 'output.bias', index: 0, value: NaN }]].map((value) => /** @type {any} */ (
        [`changes = ${JSON.stringify(value)}`, (/** @type {any} */ anatomy) => { anatomy.changes = value; },
          goodAnatomy])),
    ],
    'heed-attention-map': [
      ...[null, undefined, 7, 'map', Symbol('map'), []].map((value) => /** @type {any} */ (
        [`data = ${String(value)}`, (/** @type {any} */ map) => { map.data = value; }, goodMap])),
      ['a revoked proxy', (map) => { map.data = revoked(); }, goodMap],
      ...[null, 7, [null], [{ queries: [1, 2] }], [{ queries: [2, 1], keys: [0, 1] }]].map((value) =>
        /** @type {any} */ ([`marked = ${JSON.stringify(value)}`, (/** @type {any} */ map) => { map.marked = value; },
          goodMap])),
      ['too few weights', mapData(() => ({ data: new Float32Array(8) })), goodMap],
      ['an Array', mapData(() => ({ data: [1, 0, 0, 1, 0, 0, 1, 0, 0] })), goodMap],
      ['big integers', mapData(() => ({ data: new BigInt64Array(9) })), goodMap],
      ['a DataView', mapData(() => ({ data: new DataView(new ArrayBuffer(36)) })), goodMap],
      ['a detached view', mapData(() => ({ data: detached() })), goodMap],
      ['NaN', mapData(() => ({ data: new Float32Array(9).fill(NaN) })), goodMap],
      ['huge sizes', mapData(() => ({ queries: 2 ** 31, keys: 1e9 })), goodMap],
      ['negative sizes', mapData(() => ({ queries: -3, keys: -3 })), goodMap],
      ['fractions', mapData(() => ({ queries: 4.5, keys: 2 })), goodMap],
      ['rows without tokens', mapData(() => ({ tokens: ['a'] })), goodMap],
      ['no tokens', mapData(() => ({ tokens: null })), goodMap],
      ['tokens that are numbers', mapData(() => ({ tokens: [1, 2, 3] })), goodMap],
      ['too many tokens', mapData(() => ({ tokens: Array(2e5).fill('a') })), goodMap],
      ['a layer that is a word', mapData(() => ({ layer: 'last' })), goodMap],
      ['a number instead of a longer text', (map) => map.extend(7), goodMap],
      ['extended with rows of another size', (map) => map.extend(['a'], { ...causal(2, () => 1), keys: 3 }), goodMap],
      ['truncated to NaN', (map) => map.truncate(NaN), goodMap],
      ['a scale that does not exist', (map) => { map.scale = 'cubic'; }, goodMap],
      ['a cell outside', (map) => map.select({ query: 99, key: 0 }), goodMap],
      ['a number instead of a cell', (map) => map.select(3), goodMap],
    ],
    'heed-attention-lines': [
      ...[null, 7, 'map', [null], [{}]].map((value) => /** @type {any} */ (
        [`data = ${JSON.stringify(value)}`, (/** @type {any} */ lines) => { lines.data = value; }, goodLines])),
      ['too many heads', (lines) => { lines.data = Array(9).fill(oneMap()); }, goodLines],
      ['maps of two texts', (lines) => { lines.data = [oneMap(), { ...causal(2, () => 1), tokens: tokensOf(2) }]; },
        goodLines],
      ['NaN', (lines) => { lines.data = { ...oneMap(), data: new Float32Array(9).fill(NaN) }; }, goodLines],
      ['a detached view', (lines) => { lines.data = { ...oneMap(), data: detached() }; }, goodLines],
      ['a token outside', (lines) => lines.select({ side: 'query', at: 99 }), goodLines],
      ['a side that does not exist', (lines) => lines.select({ side: 'left', at: 0 }), goodLines],
      ['a maximum of NaN', (lines) => { lines.max = NaN; }, goodLines],
      ['a layout that does not exist', (lines) => { lines.layout = 'rings'; }, goodLines],
    ],
    'heed-logit-lens': [
      ...[null, 7, 'lens', {}, { data: new Float32Array(1), axes: {} }].map((value) => /** @type {any} */ (
        [`data = ${JSON.stringify(value)}`, (/** @type {any} */ lens) => { lens.data = value; }, goodLens])),
      ['too few numbers', lensData(() => ({ data: new Float32Array(3) })), goodLens],
      ['NaN', lensData(() => ({ data: new Float32Array(12).fill(NaN) })), goodLens],
      ['a detached view', lensData(() => ({ data: detached() })), goodLens],
      ['texts of other candidates', lensData(() => ({ texts: ['a'] })), goodLens],
      ['texts that are numbers', lensData(() => ({ texts: Array(12).fill(3) })), goodLens],
      ['no layers', lensData(() => ({ axes: { layer: [], position: ['a'], rank: [0] } })), goodLens],
      ['a cell outside', (lens) => lens.select({ position: 99, layer: 0 }), goodLens],
    ],
    'heed-contributions': [
      ...[null, 7, {}, { data: new Float32Array(1), axes: null }].map((value) => /** @type {any} */ (
        [`data = ${JSON.stringify(value)}`, (/** @type {any} */ parts) => { parts.data = value; }, goodParts])),
      ['too few parts', (parts) => { parts.data = { ...partsOf(), data: new Float32Array(2) }; }, goodParts],
      ['NaN', (parts) => { parts.data = { ...partsOf(), data: new Float32Array(3).fill(NaN) }; }, goodParts],
      ['a logit of NaN', (parts) => { parts.data = { ...partsOf(), value: NaN }; }, goodParts],
      ['heads of other sizes', (parts) => { parts.data = { ...partsOf(), heads: { ...partsOf().heads,
        data: new Float32Array(5) } }; }, goodParts],
      ['an order that does not exist', (parts) => { parts.order = 'name'; }, goodParts],
    ],
    'heed-neurons': [
      ...[null, 7, {}, { axes: { neuron: [] } }].map((value) => /** @type {any} */ (
        [`data = ${JSON.stringify(value)}`, (/** @type {any} */ neurons) => { neurons.data = value; }, goodNeurons])),
      ['too few parts', (neurons) => { neurons.data = { ...neuronsOf(), data: new Float32Array(1) }; }, goodNeurons],
      ['activations of other tokens', (neurons) => { neurons.data = { ...neuronsOf(), tokens: ['a'] }; }, goodNeurons],
      ['NaN', (neurons) => { neurons.data = { ...neuronsOf(), activations: new Float32Array(4).fill(NaN) }; },
        goodNeurons],
      ['words of one neuron', (neurons) => { neurons.data = { ...neuronsOf(), raised: ['a'] }; }, goodNeurons],
      ['a neuron that is not listed', (neurons) => neurons.select(8), goodNeurons],
    ],
    'heed-residual': [
      ...[null, 7, {}, { data: new Float32Array(1), axes: {} }].map((value) => /** @type {any} */ (
        [`data = ${JSON.stringify(value)}`, (/** @type {any} */ residual) => { residual.data = value; },
          goodResidual])),
      ['too few numbers', (residual) => { residual.data = { ...residualOf(), data: new Float32Array(3) }; },
        goodResidual],
      ['NaN', (residual) => { residual.data = { ...residualOf(), data: new Float32Array(20).fill(NaN) }; },
        goodResidual],
      ['a quantity that does not exist', (residual) => { residual.quantity = 'size'; }, goodResidual],
      ['a cell outside', (residual) => residual.select({ position: 99, layer: 0 }), goodResidual],
    ],
    'heed-head-finder': [
      ...[null, 7, {}, { data: new Float32Array(1), axes: {} }].map((value) => /** @type {any} */ (
        [`data = ${JSON.stringify(value)}`, (/** @type {any} */ finder) => { finder.data = value; }, goodFinder])),
      ['too few scores', (finder) => { finder.data = { ...scoresOf(), data: new Float32Array(3) }; }, goodFinder],
      ['infinite scores', (finder) => { finder.data = { ...scoresOf(), data: new Float32Array(6).fill(Infinity) }; },
        goodFinder],
      ['uniform scores of another size', (finder) => { finder.data = { ...scoresOf(), uniform: new Float32Array(1) }; },
        goodFinder],
      ['half a head', (finder) => { finder.most = 0.5; }, goodFinder],
    ],
    'heed-head-grid': [
      ...[null, 7, { layers: 1e9, heads: 1e9 }, { layers: -1, heads: 2 }, { layers: 2 }].map((value) =>
        /** @type {any} */ ([`shape = ${JSON.stringify(value)}`, (/** @type {any} */ grid) => { grid.shape = value; },
          goodGrid])),
      ['rows of other heads', (grid) => grid.extend(rowsOf(1, 3, 4, 2)), goodGrid],
      ['rows with a gap', (grid) => grid.extend(rowsOf(2, 3, 5, 2)), goodGrid],
      ['too few weights', gridRows({ data: new Float32Array(3) }), goodGrid],
      ['no weights', gridRows({ data: null }), goodGrid],
      ['a detached view', gridRows({ data: detached() }), goodGrid],
      ['huge sizes', gridRows({ queries: 2 ** 31 }), goodGrid],
      ['tokens of other rows', (grid) => grid.extend(rowsOf(2, 3, 4, 2), ['a']), goodGrid],
      ['no rows at all', (grid) => grid.extend(), goodGrid],
      ['truncated to a word', (grid) => grid.truncate('all'), goodGrid],
      ['a layer that does not exist', (grid) => { grid.selected = { layer: 2, head: 0 }; }, goodGrid],
      ['a head that is a word', (grid) => { grid.selected = { layer: 0, head: 'x' }; }, goodGrid],
      ['no head', (grid) => { grid.selected = null; }, goodGrid],
      ['a first token that is a word', (grid) => { grid.leaveFirstOut = 'sometimes'; }, goodGrid],
      ...[null, 7, [null], [{ layer: 0, head: 3, scale: 0 }], [{ layer: 0, head: 0 }]].map((value) =>
        /** @type {any} */ ([`changes = ${JSON.stringify(value)}`,
          (/** @type {any} */ grid) => { grid.changes = value; }, goodGrid])),
    ],
    'heed-token-strip': [
      ...[null, 7, 'text', [1], [null]].map((value) => /** @type {any} */ (
        [`tokens = ${JSON.stringify(value)}`, (/** @type {any} */ strip) => { strip.tokens = value; }, goodStrip])),
      ['undefined instead of a longer text', (strip) => strip.extend(undefined), goodStrip],
      ['a prompt of -1', (strip) => { strip.promptLength = -1; }, goodStrip],
      ['a token outside', (strip) => { strip.selected = 99; }, goodStrip],
      ['weights in an Array', (strip) => strip.light(1, [0.5, 0.5]), goodStrip],
      ['weights that are NaN', (strip) => strip.light(1, Float32Array.of(NaN)), goodStrip],
      ['a query that is a word', (strip) => strip.light('cat', Float32Array.of(1)), goodStrip],
    ],
    'heed-next-token': [
      ...[null, 7, 'a', [null], [{ id: 'a', text: 'a', logprob: 0 }], [{ id: 1, text: 2, logprob: 0 }],
        [{ id: 1, text: 'a' }], [{ id: 1, text: 'a', logprob: -1, after: 'b' }]].map((value) => /** @type {any} */ (
        [`show(${JSON.stringify(value)})`, (/** @type {any} */ next) => next.show(value), goodNext])),
      ['null instead of options', (next) => next.show([], null), goodNext],
    ],
    'heed-training': [
      ['a start without a training', (training) => training.begin(), goodTraining],
      ['steps that are a word', (training) => training.begin({ steps: 'many' }), goodTraining],
      ['a frame of other sizes', begin(() => ({ heads: 2 })), goodTraining],
      ['a frame of huge sizes', begin(() => ({ layers: 1e9, heads: 1e9 })), goodTraining],
      ['a frame without tokens', begin(() => ({ tokens: null })), goodTraining],
      ['a detached view', begin(() => ({ data: detached() })), goodTraining],
      ['a frame without an answer', begin(() => ({ answer: undefined })), goodTraining],
      ['losses that are a word', (training) => training.learned({ losses: 7 }), goodTraining],
      ['nothing learned', (training) => training.learned(null), goodTraining],
    ],
  };
}

/** Helpers of the tests above, run in the page. */
function defineHelpers() {
  /** @param {number} count @param {(query: number, key: number) => number} weight before rows are made to sum to 1 */
  const causal = (count, weight) => {
    const data = new Float32Array(count * count);
    for (let query = 0; query < count; query++) {
      const row = data.subarray(query * count, query * count + query + 1);
      row.forEach((_, key) => { row[key] = weight(query, key); });
      const sum = row.reduce((a, b) => a + b);
      row.forEach((value, key) => { row[key] = value / sum; });
    }
    return { data, queries: count, keys: count, firstQuery: 0 };
  };
  /** Rows of every head, each with its own pattern. */
  const rowsOf = (/** @type {number} */ layers, /** @type {number} */ heads, /** @type {number} */ from,
    /** @type {number} */ queries) => {
    const keys = from + queries;
    const data = new Float32Array(layers * heads * queries * keys);
    for (let at = 0; at < layers * heads; at++) {
      for (let i = 0; i < queries; i++) {
        const seen = from + i + 1;
        for (let key = 0; key < seen; key++) {
          data[(at * queries + i) * keys + key] = 2 * ((at + i + 3 * key) % 7 + 1) / (8 * seen);
        }
      }
    }
    return { data, layers, heads, queries, keys, firstQuery: from };
  };
  const tokensOf = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => ` t${i}`);
  /** A logit lens of two candidates. The text of the first is its layer and position. */
  const lensOf = (/** @type {number} */ layers, /** @type {number} */ positions) => ({
    data: Float32Array.from({ length: layers * positions * 2 }, (_, i) => Math.log(i % 2 ? 0.25 : 0.5)),
    axes: { layer: Array.from({ length: layers }, (_, i) => i - 1), position: tokensOf(positions), rank: [0, 1] },
    texts: Array.from({ length: layers * positions * 2 }, (_, i) =>
      (i % 2 ? 'other' : `${Math.floor(i / 2 / positions)}.${Math.floor(i / 2) % positions}`)),
  });
  /** A logit of one layer with two heads. */
  const partsOf = () => ({ data: Float32Array.of(0.5, 3, -1), axes: { component: ['embed', '0_attn_out', '0_mlp_out'] },
    value: 2.5, heads: { data: Float32Array.of(2.5, 0.5), axes: { layer: [0], head: [0, 1] } }, token: ' sat',
    after: { token: ' cat', at: 1 } });
  /** Two neurons on a text of two tokens; the second is cut. */
  const neuronsOf = () => ({ layer: 3, data: Float32Array.of(1.25, -0.5), axes: { neuron: [120, 7] },
    activations: Float32Array.of(0, 2, -1, 0.5), tokens: ['The', ' cat'], raised: ['a', 'b', 'c', 'd'],
    lowered: ['e', 'f', 'g', 'h'], token: ' sat', after: { token: ' cat', at: 1 }, cut: [7] });
  /** The embedding and one layer on a text of two tokens. */
  const residualOf = () => ({ data: Float32Array.of(1, 2, 3, 4, 0, 0, 1, 2, 0, 0, 0.5, -0.5, 0, 0, 2, 3, 0, 0, 0, 0.25),
    axes: { quantity: ['stream', 'attention', 'attentionCosine', 'mlp', 'mlpCosine'], layer: [-1, 0],
      position: ['The', ' cat'] } });
  /** Scores of two heads; the last score applies to no query. */
  const scoresOf = () => ({ data: Float32Array.of(0.43, 0.1, 0.05, 0.6, NaN, NaN),
    axes: { score: ['previous', 'first', 'induction'], layer: [4], head: [0, 1] },
    uniform: Float32Array.of(0.09, 0.09, NaN) });
  const stage = document.getElementById('stage');
  Object.assign(globalThis, { helpers: { stage, causal, lensOf, neuronsOf, partsOf, residualOf, rowsOf, scoresOf,
    tokensOf } });
}
