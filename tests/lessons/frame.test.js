/** The frame of the lessons: the state in the address, single figures in a course page, the map, slides, and paper. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { layersOf } from '../../web/lessons/lessons-map.js';
import { GROUPS, LESSONS, numberOf } from '../../web/lessons/list.js';
import { BROWSERS } from '../support/browsers.js';
import { readerOf } from '../support/lesson-reader.js';
import { openSite } from '../support/site.js';

/** Attributes of HTML, which cannot be names of controls of a <heed-figure>. */
const OF_HTML = ['src', 'id', 'class', 'style', 'title', 'hidden', 'lang', 'dir', 'slot', 'part', 'is', 'role',
  'tabindex', 'inert', 'nonce', 'embed', 'figure', 'slides'];

test('the map has every lesson after the lessons that it needs', () => {
  const layers = layersOf(LESSONS);
  const layerOf = new Map(layers.flat().flatMap(({ lesson, layer }) => (lesson ? [[numberOf(lesson), layer]] : [])));
  assert.equal(layerOf.size, LESSONS.length);
  for (const lesson of LESSONS) {
    for (const number of lesson.needs) {
      assert.ok(Number(layerOf.get(numberOf(lesson))) > Number(layerOf.get(number)), `${lesson.name} after ${number}`);
    }
    assert.ok(Object.hasOwn(GROUPS, lesson.group), lesson.name);
  }
  assert.deepEqual(LESSONS.filter(({ needs }) => needs.length === 0).map(numberOf).slice(0, 1), [0]);
  for (const place of layers.flat()) for (const before of place.before) assert.equal(before.layer, place.layer - 1);
});

for (const [browserName, openBrowser] of Object.entries(BROWSERS)) {
  describe(`frame of lessons in ${browserName}`, { timeout: 600_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    /** @type {import('../support/site.js').Site['page']} */ let page;
    /** @type {import('../support/lesson-reader.js').Reader} */ let reader;
    before(async () => {
      site = await openSite(openBrowser);
      ({ page } = site);
      reader = readerOf(site);
    });
    after(() => site?.close());

    const hash = () => page.evaluate(() => location.hash);
    /** @param {string} wanted */
    const hashBecomes = (wanted) => site.until((text) => location.hash === text, wanted);
    /** All computed numbers of the page, and what its fields hold. */
    const shown = () => page.evaluate(() => [...document.querySelectorAll('[data-value]')].map((each) =>
      `${each.getAttribute('data-value')}=${each.textContent}`).concat([...document.querySelectorAll('main select, '
        + 'main input')].map((each) => { const field = /** @type {any} */ (each);
        return field.type === 'checkbox' ? field.checked : field.value; })));
    /** Opens an address below lessons/ in a new document. @param {string} path */
    const openAnew = async (path) => {
      await page.goto('about:blank');
      await site.open(path);
    };

    test('a lesson appears with its frame and figures, or without its script after a second', async () => {
      await openAnew('01-soft-lookup.html');
      const [before, after] = await page.evaluate(() => {
        const visibility = () => getComputedStyle(/** @type {Element} */ (document.querySelector('main'))).visibility;
        const ready = visibility();
        document.documentElement.classList.remove('framed'); // the animation runs again, as if the script were slow
        return [ready, visibility()];
      });
      assert.deepEqual([before, after], ['visible', 'hidden']);
      await site.until(() => getComputedStyle(/** @type {Element} */ (document.querySelector('main'))).visibility
        === 'visible');
      assert.deepEqual(site.browser.complaints, []);
    });

    test('the address holds what differs, opens the same numbers, and a place keeps the state', async () => {
      await openAnew('05-positions.html');
      assert.equal(await hash(), '', 'an untouched lesson has no state');
      await reader.set('t', 30);
      await reader.set('d, features of a token', 64);
      await hashBecomes('#d=64&t=30');
      const before = await shown();
      await openAnew('05-positions.html#distance&t=30&d=64');
      assert.deepEqual(await shown(), before);
      const top = await page.evaluate(() => document.getElementById('distance')?.getBoundingClientRect().top ?? -1);
      assert.ok(top >= 0 && top < 450, `the place of the address is at ${top}`);
      await page.evaluate(() => { location.hash = '#rotation'; });
      await hashBecomes('#rotation&d=64&t=30');
      assert.deepEqual(await shown(), before, 'a new address that is only a place keeps the state');
      await page.evaluate(() => { location.hash = '#t=10'; });
      await reader.becomes('d', '128');
      await hashBecomes('#t=10');
      await page.evaluate(() => history.back());
      await reader.becomes('d', '64');
      await hashBecomes('#rotation&d=64&t=30');
      assert.deepEqual(site.browser.complaints, []);
    });

    test('a link shows the random numbers that a button has drawn, or the first ones without a state', async () => {
      site.browser.complaints.length = 0;
      const cells = () => page.evaluate(() => [...document.querySelectorAll('main figure :is(td, th, output)')]
        .map((each) => each.textContent).join('|'));
      for (const [name, label, address] of [['03-masks', 'Draw another order', '#model=xlnet&draw-another-order=2'],
        ['05-positions', 'Other q and k', '#other-q-and-k=2'], ['06-block', 'Permute', '#permute=2'],
        ['19-cache', 'Other weights', '#other-weights=2']]) {
        await openAnew(`${name}.html${address.replace(/&?[a-z-]+=2$/, '')}`);
        const first = await cells();
        for (const times of [1, 2]) {
          await page.evaluate((wanted) => [...document.querySelectorAll('button')].find(({ textContent }) =>
            textContent === wanted)?.click(), label);
          assert.notEqual(await cells(), first, `${name} ${times}`);
        }
        await hashBecomes(address);
        const drawn = await cells();
        await openAnew(`${name}.html${address}`);
        assert.equal(await cells(), drawn, name);
        await page.evaluate((to) => { location.hash = to; }, address.replace(/&?[a-z-]+=2$/, ''));
        await site.until((text) => [...document.querySelectorAll('main figure :is(td, th, output)')].map((each) =>
          each.textContent).join('|') === text, first);
      }
      assert.deepEqual(site.browser.complaints, []);
    });

    test('a cell that holds no number shows the number in use again when the reader leaves it', async () => {
      await openAnew('02-scores.html');
      const cell = () => page.evaluate(() => /** @type {HTMLInputElement} */ (
        document.querySelector('#given input')).value);
      for (const text of ['', '10000000']) {
        await page.evaluate((written) => {
          const field = /** @type {HTMLInputElement} */ (document.querySelector('#given input'));
          field.focus();
          field.value = written;
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }, text);
        assert.equal(await cell(), text, 'as long as the reader writes');
        await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelectorAll('#given input')[1]).focus());
        assert.equal(await cell(), '2');
      }
      assert.deepEqual(site.browser.complaints, []);
    });

    test('values of strangers are refused, and the rest is applied', async () => {
      await openAnew('02-scores.html');
      const before = await shown();
      for (const bad of ['score=cosine&seed=21&q=1.4:2', 'q=9.9:1,x&k=1.1:1e9&score=%00',
        'constructor=1', '__proto__=1', '%E0%A4%A', 'seed=1e1', `q=${'1.1:2,'.repeat(3000)}`]) {
        await openAnew(`02-scores.html#${bad}`);
        assert.deepEqual(await shown(), before, bad.slice(0, 60));
      }
      await openAnew('02-scores.html#score=additive&q=1.1:0.5,2.3:-2&seed=99');
      assert.equal(await hash(), '#score=additive&q=1.1:0.5,2.3:-2');
      const row = await page.evaluate(() =>
        /** @type {HTMLInputElement} */ (document.querySelector('#given input')).value);
      assert.equal(row, '0.5');
      await openAnew(`11-classification.html#text=${'good+'.repeat(100)}`);
      assert.equal(await hash(), '', 'a text that is too long is refused');
      assert.deepEqual(site.browser.complaints, []);
    });

    test('the list shows what was read, and continues where the reader left', async () => {
      const kept = (/** @type {string} */ text) => page.evaluate((value) =>
        localStorage.setItem('heed.reading', value), text);
      await openAnew('index.html');
      for (const bad of ['{', '7', '{"read":7,"last":{"name":"javascript:alert(1)"}}',
        '{"last":{"name":"03-masks","fragment":[]}}']) {
        await kept(bad);
        await openAnew('index.html');
      }
      assert.deepEqual(site.browser.complaints, []);
      await openAnew('03-masks.html');
      await reader.set('causal', false);
      await hashBecomes('#causal=0');
      await page.evaluate(() => document.querySelector('body > footer')?.scrollIntoView());
      await site.until(() => localStorage.getItem('heed.reading')?.includes('"read":["03-masks"]'));
      await site.open('index.html');
      const { link, read, node } = await page.evaluate(() => ({
        link: document.querySelector('#continue a')?.getAttribute('href'),
        read: [...document.querySelectorAll('.marks .read')].map((each) => each.closest('li')?.dataset.lesson),
        node: [...document.querySelectorAll('.node.read')].map((each) => each.getAttribute('href')) }));
      assert.match(link ?? '', /^\.\/03-masks\.html#[a-z-]+&causal=0$/);
      assert.deepEqual([read, node], [['03-masks'], ['./03-masks.html']]);
      const needed = await page.evaluate(() => {
        /** @type {SVGAElement} */ (document.querySelector('.node[href*="04-heads"]')).focus();
        return [...document.querySelectorAll('.node.needed')].map((each) => each.getAttribute('href')?.slice(2, 4))
          .sort();
      });
      assert.deepEqual(needed, ['00', '01', '02', '04']);
      if (browserName === 'chromium') await site.checkAccess();
      for (const width of [390, 1200]) {
        await site.browser.resize(width, 900);
        await site.until((count) => document.querySelectorAll('.node text').length === count
          || count === 0, width === 390 ? LESSONS.length : 0);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
      }
      await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('#continue button')).click());
      assert.equal(await page.evaluate(() => localStorage.getItem('heed.reading')), null);
      assert.deepEqual(site.browser.complaints, []);
    });

    test('a figure of a lesson in a course page: its controls, height, and sentences for mistakes', async (t) => {
      const { origin } = new URL(site.server.url);
      const server = createServer((request, response) => response.writeHead(200, { 'content-type': 'text/html',
        'content-security-policy': `default-src 'none'; img-src data:; frame-src ${origin}; script-src ${origin}` })
        .end(`<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,"><main><h1>Course</h1>
          <script src="${site.server.url}lessons/heed-figure.js"></script>
          <heed-figure src="05#distance" t="30"></heed-figure><heed-figure src="99#distance"></heed-figure></main>`));
      t.after(() => server.close());
      await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      site.browser.complaints.length = 0;
      await page.goto(`http://127.0.0.1:${port}/`);
      /** @param {() => unknown} ready in the frame */
      const frameOf = async (ready) => {
        await site.until(() => document.querySelector('iframe') !== null);
        for (const end = Date.now() + 60_000; Date.now() < end;) {
          const frame = await site.browser.frame('05-positions');
          if (frame && await frame.evaluate(ready).catch(() => false)) return frame;
          await new Promise((done) => setTimeout(done, 50));
        }
        throw new Error('The frame is not ready.');
      };
      const ready = () => document.documentElement.dataset.ready !== undefined;
      let frame = await frameOf(ready);
      const visible = () => frame.evaluate(() => [...document.querySelectorAll('main > *')].filter((each) =>
        each.checkVisibility()).map((each) => each.id || each.className));
      const fits = async () => {
        const height = await frame.evaluate(() => document.body.scrollHeight);
        await site.until((wanted) => document.querySelector('iframe')?.clientHeight === wanted, height);
        return height;
      };
      assert.deepEqual(await visible(), ['distance']);
      assert.ok(await fits() < 900);
      assert.equal(await frame.evaluate(() => /** @type {HTMLInputElement} */ (
        document.querySelector('#distance input')).value), '30');
      assert.equal(await page.evaluate(() => document.querySelectorAll('heed-figure')[1].textContent),
        'The src of this <heed-figure> names no lesson: 99.');
      if (browserName === 'chromium') await site.checkAccess();
      await page.evaluate(() => document.querySelector('heed-figure')?.setAttribute('t', '55'));
      await site.until(() => location.hash === '#t=55', undefined, frame);
      const link = await frame.evaluate(() => document.querySelector('.from a')?.getAttribute('href') ?? '');
      assert.match(link, /\/05-positions\.html#distance&t=55$/);
      await page.evaluate(() => {
        const figure = document.querySelector('heed-figure');
        figure?.setAttribute('src', '05#distances');
        figure?.setAttribute('shape', 'red');
      });
      frame = await frameOf(() => document.querySelector('.error') !== null);
      assert.match(await frame.evaluate(() => document.querySelector('.error')?.textContent ?? ''),
        /^The lesson “5 · Positions” has no figure ‘distances’\. Its figures are: sinusoids, .*distance, /);
      await page.evaluate(() => document.querySelector('heed-figure')?.setAttribute('src', '05-positions#rotation'));
      frame = await frameOf(ready);
      assert.deepEqual(await visible(), ['error', 'rotation']);
      assert.match(await frame.evaluate(() => document.querySelector('.error')?.textContent ?? ''),
        /^There is no control ‘shape’\. The controls are: d, .*\bt, /);
      await fits();
      assert.deepEqual(site.browser.complaints, []);
    });

    test('slides: keys and buttons change them, figures stay live, and Escape leaves with the state', async () => {
      await openAnew('05-positions.html?slides#distance&t=30');
      const slide = () => page.evaluate(() => ({ number: document.querySelector('.slide-bar [aria-live]')?.textContent,
        parts: [...document.querySelectorAll('main > *')].filter((each) => each.checkVisibility()).map((each) =>
          each.id || each.localName) }));
      const [at, all] = ((await slide()).number ?? '').split(' / ').map(Number);
      assert.ok(at > 2 && all > at + 2, `slide ${at} of ${all}`);
      assert.deepEqual((await slide()).parts, ['distance', 'pre']);
      await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('#distance input')).focus());
      await page.keyboard.press('ArrowRight');
      await hashBecomes('#distance&t=31');
      assert.equal((await slide()).number, `${at} / ${all}`, 'a slider keeps its arrow keys');
      await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
      await page.keyboard.press('ArrowRight');
      assert.deepEqual((await slide()).parts.slice(0, 2), ['h2', 'p']);
      assert.equal(await page.evaluate(() => location.search), `?slides=${at + 1}`);
      if (browserName === 'chromium') await site.checkAccess();
      for (const [key, number] of /** @type {const} */ ([['End', all], ['ArrowRight', all], ['Home', 1],
        ['PageDown', 2]])) {
        await page.keyboard.press(key);
        assert.equal((await slide()).number, `${number} / ${all}`);
      }
      for (const [width, height] of [[390, 844], [1200, 900]]) {
        await site.browser.resize(width, height);
        await site.drawn();
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
      }
      await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('.slide-bar button')).click());
      assert.equal((await slide()).number, `1 / ${all}`);
      await page.keyboard.press('ArrowRight');
      assert.equal((await slide()).parts[0], 'sinusoids');
      await page.keyboard.press('Escape');
      await site.until(() => !location.search && document.documentElement.dataset.ready !== undefined);
      assert.equal(await hash(), '#sinusoids&t=31');
      assert.deepEqual(site.browser.complaints, []);
    });

    // Last in Firefox, whose driver waits forever for the next page after history.back().
    test('going back from another page shows the state of the address', async () => {
      await openAnew('13-train-one-here.html#task=sort&heads=2');
      const before = await shown();
      await site.open('notation.html');
      await page.evaluate(() => history.back());
      await site.until(() => location.pathname.endsWith('13-train-one-here.html')
        && document.documentElement.dataset.ready !== undefined);
      assert.deepEqual(await shown(), before);
      assert.equal(await hash(), '#task=sort&heads=2');
      assert.deepEqual(site.browser.complaints, []);
    });

    // One walk over all lessons is enough: the mechanism is the same everywhere.
    if (browserName !== 'chromium') return;

    for (const name of ['05-positions', '10-encoder-decoder']) {
      test(`${name} on paper: no page is empty, all figures are there, and folded tables are left out`, async () => {
        await openAnew(`${name}.html`);
        const figures = await page.evaluate(() => document.querySelectorAll('main figure').length);
        /** @type {Buffer} */
        const pdf = await /** @type {any} */ (page).pdf({ format: 'A4', tagged: true });
        const text = pdf.toString('latin1');
        const contents = [...text.matchAll(/\/Type \/Page\b[^]*?\/Contents (\d+) 0 R/g)].map(([, id]) => {
          const [, bytes] = new RegExp(`\\n${id} 0 obj[^]*?stream\\n([^]*?)\\nendstream`).exec(text) ?? [];
          return inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1');
        });
        assert.ok(contents.length >= 3 && contents.length <= 12, `${contents.length} pages`);
        for (const [i, content] of contents.entries()) {
          const drawn = content.match(/T[jJ]|\bDo\b|\bre\b/g) ?? [];
          assert.ok(drawn.length > 20, `page ${i + 1} has ${drawn.length} marks`);
        }
        assert.ok((text.match(/\/S \/Figure/g) ?? []).length >= figures);
        assert.equal(await page.evaluate(() => document.documentElement.classList.contains('printing')), false);
        assert.deepEqual(site.browser.complaints, []);
      });
    }

    test('“Link to this state” copies the address, or shows it', async () => {
      await openAnew('05-positions.html#t=31');
      await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('.share button')).click());
      await site.until(() => document.querySelector('.share [role=status]')?.textContent !== '');
      const { text, address } = await page.evaluate(() => ({
        text: document.querySelector('.share [role=status]')?.textContent,
        address: /** @type {HTMLInputElement} */ (document.querySelector('.share input')).value }));
      assert.ok(['Copied', 'Copy this address:'].includes(text ?? ''), text ?? '');
      assert.equal(address, `${site.server.url}lessons/05-positions.html#t=31`);
    });

    for (const { name } of LESSONS) {
      test(`${name}: figures and controls have unique names, and its address shows the same numbers`, async () => {
        await openAnew(`${name}.html`);
        const { ids, figures, names } = await page.evaluate(() => ({
          ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
          figures: [...document.querySelectorAll('main figure')].map(({ id }) => id),
          names: [...document.querySelectorAll('[data-state]')].map((each) =>
            each.getAttribute('data-state') ?? '') }));
        assert.deepEqual(ids.filter((id, i) => ids.indexOf(id) !== i), [], 'ids twice');
        for (const id of figures) assert.match(id, /^[a-z][a-z-]+$/, 'a figure needs an id');
        assert.deepEqual(names.filter((each, i) => names.indexOf(each) !== i), [],
          'controls with the same name: give one a `name`');
        for (const each of names) {
          assert.match(each, /^[a-z][a-z0-9-]{0,23}$/);
          assert.ok(!OF_HTML.includes(each), each);
        }
        // Two controls of different kinds, first and last, take other values.
        await page.evaluate(() => {
          const all = [...document.querySelectorAll('main select, main input[type=range], main input[type=checkbox], '
            + 'main .matrix input')].filter((each) => each.checkVisibility() && !each.closest('[data-stateless]'));
          for (const field of /** @type {any[]} */ ([all[0], all.at(-1)])) {
            if (field.type === 'checkbox') field.checked = !field.checked;
            else if (field.options) field.selectedIndex = field.options.length - 1;
            else if (field.type === 'range') field.value = field.value === field.min ? field.max : field.min;
            else field.value = '0.25';
            for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
          }
        });
        await site.until(() => location.hash !== '');
        const address = await hash();
        const before = await shown();
        await openAnew(`${name}.html${address}`);
        assert.equal(await hash(), address);
        assert.deepEqual(await shown(), before, address);

        await site.browser.resize(1280, 900);
        const edges = await page.evaluate(() => [...document.querySelectorAll(
          'main > :is(figure, pre, h2, p:not(.source))')].filter((each) => each.checkVisibility())
          .map((each) => Math.round(each.getBoundingClientRect().left)));
        assert.ok(new Set(edges).size <= 2, `left edges at ${[...new Set(edges)]}`);

        const paper = await page.evaluate(() => {
          dispatchEvent(new Event('beforeprint'));
          return [...document.querySelectorAll('main, main figure, main .scrolls')]
            .filter((each) => each.scrollWidth > 681 || each.scrollWidth > each.clientWidth + 1)
            .map((each) => `${each.id || each.className} ${each.scrollWidth}`);
        });
        assert.deepEqual(paper, [], 'wider than the paper');
        await page.evaluate(() => { dispatchEvent(new Event('afterprint')); });
        await site.browser.resize(1200, 900);
        assert.deepEqual(site.browser.complaints, []);
      });
    }
  });
}
