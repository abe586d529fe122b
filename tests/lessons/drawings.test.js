/** Drawings of architectures: their descriptions, their layout, and the way formulas and boxes light each other. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Formulas } from '../../tools/build/formulas.js';
import { arrowsOf, boundSymbols } from '../../web/lessons/kit/drawing-description.js';
import { FONT } from '../../web/lessons/kit/drawing-grid.js';
import { layOut } from '../../web/lessons/kit/drawing-layout.js';
import { symbolPieces, symbolWidth, wordsWidth } from '../../web/lessons/kit/symbol-text.js';
import { BROWSERS } from '../support/browsers.js';
import { openSite } from '../support/site.js';

const LESSONS = fileURLToPath(new URL('../../web/lessons/', import.meta.url));
/** The inside of a figure on a screen of 360 pixels. */
const PHONE = 302;

/** @typedef {import('../../web/lessons/kit/drawing-layout.js').Box} Box */
/** @typedef {import('../../web/lessons/kit/drawing-description.js').Description} Description */

/** @param {Box} a @param {Box} b */
const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const names = (await readdir(`${LESSONS}drawings`)).filter((name) => /^\d\d-.*\.js$/.test(name)).sort();

for (const name of names) {
  /** A figure may show several drawings, one at a time. @type {Record<string, Description | Description[]>} */
  const figures = await import(`../../web/lessons/drawings/${name}`);
  const drawings = Object.entries(figures).flatMap(([key, one]) => [one].flat().map((each) => ({ key, ...each })));

  test(`${name}: each symbol of a box is in a formula of the page`, async () => {
    const html = await readFile(LESSONS + name.replace('.js', '.html'), 'utf8');
    const symbols = boundSymbols(drawings);
    const rendered = new Formulas().render(html, name, symbols);
    const marked = new Set([...rendered.matchAll(/ data-symbol="([^"]*)"/g)].map(([, tex]) => tex));
    assert.deepEqual([...marked].sort(), symbols.sort());
    assert.equal(rendered.match(/<figure[^>]* id="drawing[^"]*"/g)?.length, Object.keys(figures).length);
  });

  test(`${name}: a box has numbers`, () => {
    assert.ok(drawings.some(({ parts }) => Object.values(parts).some(({ live }) => live)));
  });

  for (const { key, ...description } of drawings) {
    for (const flow of /** @type {const} */ (['across', 'down', 'compact'])) {
      test(`${name}: ${key}, ‘${description.title}’, has its place ${flow}`, () => {
        const { parts, arrows, groups, width, height } = layOut(description, flow);
        assert.equal(arrows.length, arrowsOf(description).length);
        const boxes = parts.flatMap(({ id, shape, ...box }) =>
          [{ id, ...box }, ...(shape ? [{ id: `shape of ${id}`, ...shape }] : [])]);
        for (const [i, a] of boxes.entries()) {
          assert.ok(a.x >= 0 && a.y >= 0 && a.x + a.width <= width && a.y + a.height <= height, `${a.id} is inside`);
          for (const b of boxes.slice(0, i)) assert.ok(!overlap(a, b), `${a.id} and ${b.id} overlap`);
        }
        for (const { id, part, kind, width: room } of parts) {
          if (kind === 'sum' || kind === 'dots') continue;
          assert.ok(part.symbol || part.label, `${id} has a name`);
          const symbol = part.symbol ? symbolWidth(symbolPieces(part.symbol), FONT.symbol) : 0;
          const lines = (part.label ?? '').split('\n').map((line) => wordsWidth(line, FONT.words));
          assert.ok(Math.max(symbol, ...lines) <= room - 8, `the name of ${id} fits`);
        }
        for (const { from, to, route, points } of arrows) {
          for (const [i, [x, y]] of points.slice(1).entries()) {
            const [fromX, fromY] = points[i];
            const path = { x: Math.min(x, fromX), y: Math.min(y, fromY),
              width: Math.abs(x - fromX), height: Math.abs(y - fromY) };
            for (const { label, name } of flow === 'across' && route !== '⟲' ? groups : []) {
              const text = { x: name.x, y: name.y - FONT.group, width: wordsWidth(label, FONT.group),
                height: FONT.group };
              assert.ok(!overlap(path, text), `the arrow from ${from} to ${to} crosses the name ‘${label}’`);
            }
            const hit = parts.find((box) => box.id !== from && box.id !== to && overlap(path, box));
            assert.equal(hit?.id, undefined, `the arrow from ${from} to ${to} crosses a box`);
          }
        }
        if (flow === 'compact') assert.ok(width <= PHONE, `${width} pixels on a phone`);
      });
    }
  }
}

test('a symbol is not found inside another symbol', () => {
  const found = (/** @type {string} */ tex, /** @type {string[]} */ symbols) => {
    const html = new Formulas().render(`$${tex}$`, 'page.html', symbols);
    return [...html.matchAll(/ data-symbol="([^"]*)"/g)].map(([, each]) => each);
  };
  assert.deepEqual(found("X' Z_1 \\bar X X^2 x W_O", ['X', 'Z', 'W']), []);
  const symbols = ["X'", 'X', 'K', 'W_Q^{(n)}', '\\operatorname{FFN}'];
  assert.deepEqual(found("X' X K^\\top W_Q^{(n)} \\operatorname{FFN}(U)", symbols), symbols);
});

test('mistakes of a description are named', () => {
  const box = { label: 'a', is: 'a box' };
  /** @type {(arrows: string[]) => Description} */
  const drawing = (arrows) => ({ title: 'Test', note: '', parts: { a: box, b: box }, arrows });
  assert.throws(() => layOut(drawing(['a → c']), 'across'), /Test: no box has the name c/);
  assert.throws(() => layOut(drawing(['a → b → a']), 'across'), /Test: the arrows go round in a circle/);
  assert.throws(() => symbolPieces('\\nothing'), /\\nothing/);
});

for (const [browserName, openBrowser] of Object.entries(BROWSERS)) {
  describe(`drawings in ${browserName}`, { timeout: 300_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    before(async () => { site = await openSite(openBrowser); });
    after(() => site?.close());

    const lit = () => site.page.evaluate(() => ({
      boxes: [...document.querySelectorAll('#drawing .part.lit')].map((each) => each.getAttribute('data-part')),
      symbols: [...new Set([...document.querySelectorAll('[data-symbol].lit')]
        .map((each) => each.getAttribute('data-symbol')))],
      said: document.querySelector('#drawing .said')?.textContent ?? '',
      table: document.querySelectorAll('#drawing .drawing-numbers:not([hidden]) tbody tr').length,
    }));
    /** @param {string} selector @param {string} type */
    const point = (selector, type) => site.page.evaluate(([wanted, event]) => {
      document.querySelector(wanted)?.dispatchEvent(new PointerEvent(event, { bubbles: true }));
    }, /** @type {const} */ ([selector, type]));

    test('a symbol lights its boxes, and a box its symbols; arrow keys walk', async () => {
      await site.open('06-block.html');
      await point('math[display=block] [data-symbol="U"]', 'pointerover');
      assert.deepEqual((await lit()).boxes, ['U', 'preU']);
      await point('h1', 'pointerover');
      assert.deepEqual((await lit()).boxes, []);
      await point('[data-part="out"] .box', 'pointerover');
      const { boxes, symbols, said, table } = await lit();
      assert.deepEqual([boxes, symbols, table], [['out'], ["X'"], 5]);
      assert.match(said, /after the block.*\[token × feature\]\. Input: LayerNorm\.$/);
      await point('h1', 'pointerover');
      await site.page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('#drawing .drawing')).focus());
      for (const key of ['Home', 'ArrowRight', 'ArrowRight']) await site.page.keyboard.press(key);
      assert.deepEqual((await lit()).boxes, ['Z']);
      await site.page.keyboard.press('ArrowDown');
      assert.deepEqual((await lit()).boxes, ['preAttention']);
      await site.page.keyboard.press('Escape');
      assert.deepEqual((await lit()).boxes, []);
    });

    /** Points at each box: the boxes at which a figure moves, and the number of tables that appear. */
    const pointAtAll = () => site.page.evaluate(() => {
      const height = () => [...document.querySelectorAll('figure.bound')].map((each) =>
        /** @type {HTMLElement} */ (each).offsetHeight).join();
      document.querySelector('h1')?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
      const rest = height();
      const boxes = [...document.querySelectorAll('.drawing .part')];
      let tables = 0;
      const moved = boxes.filter((each) => {
        each.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
        const numbers = document.querySelector('.drawing-numbers:not([hidden])')?.getBoundingClientRect();
        if (numbers) tables++;
        return height() !== rest || (numbers && numbers.right > document.documentElement.clientWidth);
      });
      return { moved: moved.map((each) => each.getAttribute('data-part')), tables };
    });

    // One test opens each lesson once, because opening takes most of the time.
    test('each box with space for numbers gets them; names, edges and pages keep their places', async () => {
      for (const name of names) {
        await site.browser.resize(1280, 900);
        await site.open(name.replace('.js', '.html'));
        await site.until(() => document.querySelector('.drawing svg') !== null
          && document.querySelector('.drawing .unknown') === null);
        const wide = await site.page.evaluate(() => [...document.querySelectorAll('.part')].flatMap((each) => {
          const box = each.querySelector('.box')?.getBoundingClientRect();
          return [...each.querySelectorAll('.symbol, .words')].filter((text) => box
            && (text.getBoundingClientRect().left < box.left || text.getBoundingClientRect().right > box.right))
            .map((text) => `${each.getAttribute('data-part')}: ${text.textContent}`);
        }));
        assert.deepEqual(wide, [], `${name}: names stay inside their boxes`);
        const edges = await site.page.evaluate(() => [...document.querySelectorAll('h1, main > figure')]
          .map((each) => Math.round(each.getBoundingClientRect().left)));
        assert.deepEqual([...new Set(edges)], edges.slice(0, 1), `${name}: figures begin at the edge of the text`);
        for (const width of [1280, 390]) {
          await site.browser.resize(width, 900);
          await site.drawn();
          const { moved, tables } = await pointAtAll();
          assert.deepEqual(moved, [], `${name}, ${width} pixels: nothing moves while the reader points`);
          if (name.startsWith('06')) assert.ok(tables > 5, `${tables} tables`);
        }
      }
      await site.browser.resize(1200, 900);
    });

    test('the frame of a small drawing is narrow, and grows with its drawing', async () => {
      await site.open('14-find-out-why.html');
      const widthAt = async (/** @type {number} */ width) => {
        await site.browser.resize(width, 900);
        await site.drawn();
        return site.page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('#drawing')).offsetWidth);
      };
      const wide = await widthAt(1280);
      const narrow = await widthAt(500);
      const again = await widthAt(1280);
      assert.ok(wide < 1000, `${wide} pixels`);
      assert.ok(narrow <= 500);
      assert.equal(again, wide);
      await site.browser.resize(1200, 900);
    });

    test('the walk begins at the first box; with reduced motion each press is a step', async () => {
      await site.open('06-block.html');
      const press = () => site.page.evaluate(() =>
        /** @type {HTMLElement} */ (document.querySelector('#drawing button')).click());
      await press();
      assert.deepEqual((await lit()).boxes, ['X']);
      await press();
      const label = await site.page.evaluate(() => document.querySelector('#drawing button')?.textContent);
      assert.match(label ?? '', /Walk through|Next step/);
      if (!site.browser.stillness) return;
      await site.browser.stillness(true);
      await site.open('06-block.html');
      for (let i = 0; i < 3; i++) await press();
      assert.deepEqual((await lit()).boxes, ['Z']);
      await site.browser.stillness(false);
    });
  });
}
