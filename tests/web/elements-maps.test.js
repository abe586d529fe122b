/** Maps of attention, grids of heads and strips of tokens, in real browsers. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { elementsIn } from '../support/elements.js';

elementsIn('maps, grids and strips', ({ browser, drawn, noComplaints }) => {
  describe('the attention map', () => {
    test('a narrow window that follows a text shows visible cells', async () => {
      await browser.page.evaluate(() => {
        const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
        stage.style.cssText = 'width: 320px; --heed-map-height: 640px';
        const map = /** @type {any} */ (document.createElement('heed-attention-map'));
        map.id = 'map';
        stage.append(map);
        map.data = { data: new Float32Array(0), queries: 0, keys: 0, firstQuery: 0, tokens: [], layer: 0, head: 0 };
        map.extend(tokensOf(36), causal(36, () => 1));
      });
      await drawn();
      const scroll = () => browser.page.evaluate(() => {
        const { scrollLeft, scrollTop, scrollWidth, clientWidth, clientHeight, scrollHeight } =
          /** @type {any} */ (document.getElementById('map')).shadowRoot.querySelector('.window');
        return { scrollLeft, scrollTop, roomX: scrollWidth - clientWidth, roomY: scrollHeight - clientHeight };
      });
      const { scrollLeft, scrollTop, roomX, roomY } = await scroll();
      assert.ok(roomX > 100, 'the map is wider than its window');
      assert.ok(scrollTop >= roomY - 1, 'the newest row is in the window');
      assert.ok(scrollLeft <= scrollTop + 1, `scrolled ${scrollLeft} to the right and ${scrollTop} down`);
      await browser.page.evaluate(() => { /** @type {any} */ (globalThis).helpers.stage.style.width = '260px'; });
      await drawn();
      await drawn();
      const narrower = await scroll();
      assert.ok(narrower.scrollTop >= narrower.roomY - 1, 'the newest row stays in the window after a resize');
      noComplaints();
    });

    test('a long text keeps the rows near the window, if the others can be requested again', async () => {
      const kept = await browser.page.evaluate(async () => {
        const { stage, tokensOf } = /** @type {any} */ (globalThis).helpers;
        const length = 3000; // 4.5 million weights
        const rows = { data: new Float32Array(length ** 2), queries: length, keys: length, firstQuery: 0 };
        const found = [];
        for (const source of [null, () => new Promise(() => {})]) {
          stage.style.cssText = 'width: 700px; --heed-map-height: 640px';
          const map = /** @type {any} */ (document.createElement('heed-attention-map'));
          stage.replaceChildren(map);
          map.data = { data: new Float32Array(0), queries: 0, keys: 0, firstQuery: 0, tokens: [], layer: 0, head: 0 };
          map.source = source;
          map.extend(tokensOf(length), rows);
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          found.push(Array.from({ length }, (_, query) => map.row(query)).filter(Boolean)
            .reduce((sum, row) => sum + row.length, 0));
        }
        stage.replaceChildren();
        return found;
      });
      assert.equal(kept[0], 3000 * 3001 / 2);
      assert.ok(kept[1] > 4e6 && kept[1] <= 4 << 20, `${kept[1]} weights`);
      noComplaints();
    });

    test('a source that is set later loads the visible rows, and replaces one that has not answered', async () => {
      const [said, weights] = await browser.page.evaluate(async () => {
        const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
        const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const map = /** @type {any} */ (document.createElement('heed-attention-map'));
        stage.append(map);
        map.data = { data: new Float32Array(0), queries: 0, keys: 0, firstQuery: 0, tokens: tokensOf(6) };
        await drawn();
        let answer = (/** @type {any} */ rows) => rows;
        map.source = () => new Promise((resolve) => { answer = resolve; });
        await drawn();
        map.source = async () => causal(6, () => 1);
        await drawn();
        answer(causal(6, (/** @type {number} */ _, /** @type {number} */ key) => 1 + key));
        await drawn();
        return [map.shadowRoot.querySelector('output').textContent, [...map.row(3) ?? []]];
      });
      assert.deepEqual(weights, [0.25, 0.25, 0.25, 0.25]);
      assert.equal(said, 'Point at a cell, or use the arrow keys.');
      await browser.page.evaluate(() => {
        /** @type {any} */ (document.querySelector('heed-attention-map')).editable = true;
      });
      assert.match(String(await browser.page.evaluate(() =>
        document.querySelector('heed-attention-map')?.shadowRoot?.querySelector('output')?.textContent)),
      /Drag over cells to silence them\.$/);
      noComplaints();
    });

    test('a text that loses the key of the selected cell loses the selection', async () => {
      const [before, after] = await browser.page.evaluate(() => {
        const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
        const map = /** @type {any} */ (document.createElement('heed-attention-map'));
        stage.append(map);
        map.data = { ...causal(6, () => 1), tokens: tokensOf(6) };
        map.select({ query: 1, key: 5 }); // a masked cell
        const before = map.selection;
        map.truncate(3);
        return [before, map.selection];
      });
      assert.deepEqual([before, after], [{ queries: [1, 2], keys: [5, 6] }, null]);
      await drawn();
      noComplaints();
    });

    test('fit shows every cell of a long text, and fills the window with a shorter one', async () => {
      for (const count of [900, 192]) {
        await browser.page.evaluate((tokens) => {
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
        const { first, last, room, window: box, colors } = await browser.page.evaluate((tokens) => {
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
        const labels = await browser.page.evaluate(async ([wide]) => {
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
        const found = await browser.page.evaluate(() => {
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
      const names = await browser.page.evaluate(() => {
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
      await browser.page.evaluate(() => {
        const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
        stage.style.cssText = 'width: 420px; --heed-map-height: 400px';
        const map = /** @type {any} */ (document.createElement('heed-attention-map'));
        map.id = 'map';
        stage.append(map);
        map.data = { ...causal(60, () => 1), tokens: tokensOf(60), layer: 0, head: 0 };
      });
      await drawn();
      for (let scroll = 0; scroll < 26; scroll++) {
        await browser.page.evaluate((x) => /** @type {any} */ (document.getElementById('map')).shadowRoot
          .querySelector('.window').scrollTo(x, 0), scroll);
        await drawn();
        const inked = await browser.page.evaluate(() => {
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

  test('a map of differences has diverging colors, signed words and signed files', async () => {
    const { said, colors, legend, json, scale } = await browser.page.evaluate(async () => {
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
    assert.equal(legend, '−0.30+0.3');
    assert.match(json.values, /^difference/);
    assert.equal(scale, false);
    noComplaints();
  });

  describe('the grid of heads', () => {
    test('a new shape with fewer heads draws only the new heads', async () => {
      await browser.page.evaluate(() => {
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
      assert.deepEqual(await browser.page.evaluate(() => [.../** @type {any} */ (document.getElementById('grid'))
        .shadowRoot.querySelectorAll('[role=gridcell]')].map((cell) => cell.className)), ['drawn', 'drawn']);
    });

    test('waiting, empty and drawn thumbnails look different, and all are drawn soon', async () => {
      const seen = await browser.page.evaluate(() => {
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

    test('thumbnails are inside of their cells after the same shape is set again', async () => {
      const outside = await browser.page.evaluate(() => {
        const { stage, rowsOf } = /** @type {any} */ (globalThis).helpers;
        const grid = /** @type {any} */ (document.createElement('heed-head-grid'));
        stage.style.width = '300px';
        stage.append(grid);
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        return (async () => {
          for (let time = 0; time < 2; time++) {
            grid.shape = { layers: 2, heads: 4 };
            grid.extend(rowsOf(2, 4, 0, 12));
            for (let i = 0; i < 30; i++) await frame();
          }
          const canvas = grid.shadowRoot.querySelector('canvas');
          const [cell] = grid.shadowRoot.querySelectorAll('[role=gridcell]');
          const before = Math.floor(cell.offsetLeft * canvas.width / canvas.clientWidth) - 1;
          const { data } = canvas.getContext('2d').getImageData(0, 0, before, canvas.height);
          return [before > 0, data.some((/** @type {number} */ byte) => byte > 0)];
        })();
      });
      assert.deepEqual(outside, [true, false]);
      noComplaints();
    });

    test('after a resize every thumbnail is shown at once', async () => {
      const colors = await browser.page.evaluate(() => {
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

  test('a framed token at the start of a line draws nothing on the line above', async () => {
    const framed = await browser.page.evaluate(() => {
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

  test('a long text has lines of at most 256 tokens, and a new token changes only the last line', async () => {
    const { lines, kept, text, colors } = await browser.page.evaluate(async () => {
      const { stage } = /** @type {any} */ (globalThis).helpers;
      const strip = /** @type {any} */ (document.createElement('heed-token-strip'));
      stage.append(strip);
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      strip.tokens = Array.from({ length: 700 }, (_, i) => (i === 99 ? '\n' : ' on'));
      const before = [...strip.shadowRoot.querySelector('.strip').children];
      strip.extend([' and', ' on']);
      strip.light(701, new Float32Array(702).fill(0).fill(1, 300, 301), 300);
      await frame();
      const options = [...strip.shadowRoot.querySelectorAll('[role=option]')];
      strip.light(null);
      await frame();
      const after = [...strip.shadowRoot.querySelector('.strip').children];
      return { lines: after.map(({ childElementCount }) => childElementCount),
        kept: before.every((line, at) => line === after[at]), text: options[700].textContent,
        colors: options.filter((option) => option.lastElementChild.style.backgroundColor
          || option.matches('.query, .key')).length };
    });
    assert.deepEqual(lines, [100, 256, 256, 90]);
    assert.ok(kept);
    assert.equal(text, ' and');
    assert.equal(colors, 0, 'the highlight is removed');
    noComplaints();
  });

  describe('in a container that a transform scales', () => {
    for (const style of ['transform: scale(1.1)', 'transform: translate(-50%, -50%) scale(0.5); position: absolute; '
      + 'left: 50%; top: 50%; width: 900px', 'zoom: 1.25']) {
      test(`${style}: the pointer hits its cell, and boxOf gives the box of the cell`, async () => {
        const at = await browser.page.evaluate(([css]) => {
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
        await browser.page.mouse.move(x, y);
        await drawn();
        const sentence = await browser.page.evaluate(() => /** @type {any} */ (document.getElementById('map'))
          .shadowRoot.querySelector('output').textContent);
        assert.match(sentence, /^‘t15’.*‘t9’/);
        // The box of the cell is inside the map at every scale.
        const hit = await browser.page.evaluate(([px, py]) => {
          const map = /** @type {any} */ (document.getElementById('map'));
          return document.elementFromPoint(px, py) === map;
        }, [x, y]);
        assert.ok(hit);
        noComplaints();
      });
    }

    test('the page does not receive keys that a map, a grid or a strip uses', async () => {
      const places = await browser.page.evaluate(() => {
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
        await browser.page.evaluate(([at, inner]) => /** @type {any} */ (document.getElementById(at))
          .shadowRoot.querySelector(inner).focus(), [id, selector]);
        for (const key of keys) await browser.page.keyboard.press(key);
        return browser.page.evaluate(() => /** @type {any} */ (globalThis).heard.splice(0));
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
});
