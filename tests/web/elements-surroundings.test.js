/** Elements within a page of another direction or style of text, and on paper, in real browsers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elementsIn } from '../support/elements.js';

elementsIn('surroundings of elements', ({ browser, drawn, noComplaints }) => {
  test('the direction and the style of the text around a grid change neither columns nor words', async () => {
    const read = (/** @type {string} */ style) => browser.page.evaluate(async (css) => {
      const { stage, rowsOf } = /** @type {any} */ (globalThis).helpers;
      stage.style.cssText = `width: 600px; ${css}`;
      const grid = /** @type {any} */ (document.createElement('heed-head-grid'));
      stage.replaceChildren(grid);
      grid.shape = { layers: 2, heads: 3 };
      grid.extend(rowsOf(2, 3, 0, 4));
      await new Promise((resolve) => { setTimeout(resolve, 200); });
      const from = grid.getBoundingClientRect();
      const boxes = [...grid.shadowRoot.querySelectorAll('[role=gridcell], [role=columnheader], canvas, p, select')];
      return { text: grid.innerText, boxes: boxes.map((box) => {
        const { x, y, width } = box.getBoundingClientRect();
        return [x - from.x, y - from.y, width].map(Math.round).join();
      }) };
    }, style);
    const plain = await read('');
    const strange = await read('direction: rtl; text-align: center; text-transform: uppercase; letter-spacing: 3px; '
      + 'word-spacing: 9px; white-space: pre; text-indent: 2em');
    assert.deepEqual(strange, plain);
    noComplaints();
  });

  test('paper has light colors, and the bars and colors of tokens', async () => {
    await browser.page.evaluate(() => {
      const { stage } = /** @type {any} */ (globalThis).helpers;
      stage.style.colorScheme = 'dark';
      const next = /** @type {any} */ (document.createElement('heed-next-token'));
      next.show([{ id: 7, text: ' cat', logprob: -0.5 }]);
      const map = /** @type {any} */ (document.createElement('heed-attention-map'));
      map.data = { data: Float32Array.of(1), queries: 1, keys: 1, firstQuery: 0, tokens: ['a'] };
      stage.append(next, map);
    });
    await drawn();
    const look = (/** @type {string} */ type) => browser.page.evaluate((event) => {
      if (event) dispatchEvent(new Event(event));
      const next = /** @type {any} */ (document.querySelector('heed-next-token'));
      const bar = next.shadowRoot.querySelector('.bar');
      const { shadowRoot } = /** @type {any} */ (document.querySelector('heed-attention-map'));
      const canvas = shadowRoot.querySelector('.layers canvas');
      const pixel = canvas.getContext('2d').getImageData(canvas.width - 4, canvas.height - 4, 1, 1).data;
      const print = [...next.shadowRoot.adoptedStyleSheets[0].cssRules]
        .find((rule) => rule instanceof CSSMediaRule && rule.conditionText === 'print');
      const { printColorAdjust, webkitPrintColorAdjust } = getComputedStyle(bar);
      return { paper: getComputedStyle(next).backgroundColor, map: pixel[0] > 200 ? 'light' : 'dark',
        background: printColorAdjust ?? webkitPrintColorAdjust,
        hidden: [...print.cssRules].some((rule) => rule.style.display === 'none' && bar.matches(rule.selectorText)) };
    }, type);
    const bars = { background: 'exact', hidden: false };
    const screen = { paper: 'rgb(21, 22, 25)', map: 'dark', ...bars };
    assert.deepEqual(await look(''), screen);
    assert.deepEqual(await look('beforeprint'), { paper: 'rgb(253, 253, 252)', map: 'light', ...bars });
    await browser.page.evaluate(() => void dispatchEvent(new Event('afterprint')));
    await drawn();
    assert.deepEqual(await look(''), screen);
    noComplaints();
  });

  test('an element that is removed while the page is printed returns with the colors of the screen', async () => {
    const paper = await browser.page.evaluate(() => {
      const { stage } = /** @type {any} */ (globalThis).helpers;
      stage.style.colorScheme = 'dark';
      const strip = /** @type {any} */ (document.createElement('heed-token-strip'));
      stage.append(strip);
      dispatchEvent(new Event('beforeprint'));
      strip.remove();
      dispatchEvent(new Event('afterprint'));
      stage.append(strip);
      return getComputedStyle(strip).backgroundColor;
    });
    assert.equal(paper, 'rgb(21, 22, 25)');
    noComplaints();
  });

  test('paper has the sentence about a text, and no hints', async () => {
    const shown = await browser.page.evaluate(() => {
      const { stage, heatOf, sharesOf } = /** @type {any} */ (globalThis).helpers;
      return Object.entries({ 'heed-token-shares': sharesOf(), 'heed-heat-map': heatOf() }).map(([tag, data]) => {
        const element = /** @type {any} */ (document.createElement(tag));
        stage.append(element);
        element.data = data;
        const output = element.shadowRoot.querySelector('output.hint');
        // The rules of paper, because the page is on the screen.
        const printed = [...element.shadowRoot.adoptedStyleSheets[0].cssRules]
          .filter((rule) => rule instanceof CSSMediaRule && rule.conditionText === 'print')
          .flatMap((rule) => [...rule.cssRules]).filter((rule) => output.matches(rule.selectorText));
        return printed.at(-1).style.display;
      });
    });
    assert.deepEqual(shown, ['revert', 'none']);
    noComplaints();
  });

  test('the color bar is hidden until there are numbers', async () => {
    const heights = await browser.page.evaluate(async () => {
      const { stage, heatOf, lossOf } = /** @type {any} */ (globalThis).helpers;
      const frames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const heights = [];
      for (const [tag, data] of Object.entries({ 'heed-token-loss': lossOf(), 'heed-heat-map': heatOf() })) {
        const element = /** @type {any} */ (document.createElement(tag));
        stage.append(element);
        await frames();
        const { offsetHeight: empty } = element.shadowRoot.querySelector('.legend');
        element.data = data;
        await frames();
        heights.push(empty, element.shadowRoot.querySelector('.legend').offsetHeight > 10);
      }
      return heights;
    });
    assert.deepEqual(heights, [0, true, 0, true]);
    noComplaints();
  });
});
