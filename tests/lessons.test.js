/** The lessons as they are shipped, each in real browsers: computed, framed, embedded, reached by keyboard. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LESSONS } from '../web/lessons/list.js';
import { BROWSERS, plainServer } from './support/browsers.js';

const SITE = fileURLToPath(new URL('../dist/site/', import.meta.url));
const SOURCE = fileURLToPath(new URL('../web/lessons/', import.meta.url));
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const WAIT_MS = 60_000;
const COURSE = '/course.html';
/** A model that this host does not have. */
const MISSING = '/a/course/models/dates-luong-concat.safetensors';

/**
 * What a lesson claims, read off its page.
 * @typedef {object} Reader
 * @property {(caption: string) => Promise<string[][]>} cells  of the table with this caption
 * @property {(name: string) => Promise<string>} said          a number in the text
 * @property {(label: string, value: string | number | boolean) => Promise<void>} set  a control
 */

/** @type {Record<string, (page: Reader) => Promise<void>>} */
const CLAIMS = {
  '01-soft-lookup': async ({ cells, said, set }) => {
    assert.ok(Number(await said('gradient-q')) > 0.1, 'a soft lookup can learn where to look');
    await set('Temperature τ', -2);
    assert.deepEqual((await cells('Weights α and what they bring')).flat(),
      ['1.000', '0.000', '0.000', '0.000', '0.000']);
    assert.equal(Number(await said('gradient-q')), 0);
    assert.equal(Number(await said('gradient-K')), 0);
  },
  '02-scores': async ({ cells, said, set }) => {
    assert.deepEqual(await cells('S, scores'), [['3.000', '−3.000', '1.000'], ['−7.000', '−1.000', '11.000']]);
    assert.deepEqual(await cells('A, pattern'), [['0.879', '0.002', '0.119'], ['0.000', '0.000', '1.000']]);
    assert.deepEqual(await cells('X′ = AV, output'), [['1.762', '3.229', '0.998'], ['0.000', '5.000', '1.000']]);
    assert.ok(Number(await said('plain')) < 0.5 && Number(await said('scaled')) > 4);
    await set('Projections are the identity', true);
    assert.deepEqual([await said('v3'), await said('v4')], ['0', '0']);
  },
  '03-masks': async ({ cells, said, set }) => {
    assert.equal(await said('two'), '(0.500, 0.500, 0.000)');
    assert.equal(await said('three'), '(0.333, 0.333, 0.333, 0.000)');
    for (const key of [1, 2]) await set(`key ${key} is seen`, false);
    assert.deepEqual(await cells('Softmax(S + M)'), [['0.000', '0.000', '0.000', '0.000']]);
    await set('Length without padding', 0);
    assert.ok((await cells('Pattern')).flat().every((text) => text === ''), 'nothing is seen, and nothing is NaN');
  },
  '04-heads': async ({ cells, set }) => {
    const [second, first] = [await cells('Head 2'), await cells('Head 1')];
    assert.equal(first[4].indexOf('0.89'), 3, 'dog looks at the token before');
    assert.deepEqual(second[0].filter((text) => text === '0.32').length, 3, 'the is there three times');
    await set('Kind', 'pieces');
    assert.deepEqual([await cells('Head 1'), await cells('Head 2')], [first, second]);
    await set('Head 2 looks for', 'previous');
    assert.ok((await cells('Head 2')).flat().every((text) => text === '0.13'), 'its piece has no positions');
    await set('Kind', 'pooled');
    assert.deepEqual(await cells('Head 2'), first);
  },
  '05-positions': async ({ said }) => {
    assert.deepEqual([await said('norm-least'), await said('norm-most')], Array(2).fill(await said('root')));
    assert.ok(Number(await said('inner-off')) < 1e-4 && Number(await said('distance-off')) < 1e-5);
    assert.ok(Number(await said('enough')) < 128);
  },
  '06-block': async ({ said, set }) => {
    assert.ok(Number(await said('apart')) < 1e-6);
    assert.equal(await said('kept'), '2');
    await set('positions', true);
    assert.ok(Number(await said('apart')) > 0.1);
    await set('causal', false);
    assert.equal(await said('kept'), '0');
  },
  '07-weights': async ({ said, set }) => {
    assert.deepEqual([await said('gpt3-attention'), await said('gpt3-billion')], ['57,982,058,496', '58']);
    assert.equal(await said('loaded'), await said('counted'));
    await set('Model', 'the model of this page');
    assert.equal(await said('total'), await said('loaded'));
  },
  '08-bahdanau': async ({ said }) => {
    assert.equal(await said('translation'), '2008-07-12');
    assert.equal(await said('off'), '0', 'the step that is opened is the step that the model took');
  },
  '09-luong': async ({ said }) => {
    assert.equal(await said('translation'), '2008-07-12');
    assert.deepEqual([await said('score'), await said('own')], ['dot', '0'], 'a dot product has no weights of its own');
  },
  '10-encoder-decoder': async ({ said }) => {
    assert.equal(await said('translation'), '2008-07-12');
    assert.equal(await said('expected'), `${await said('translation')}<end>`);
    assert.ok(Number(await said('loss')) < 0.01);
  },
  '11-classification': async ({ said, set }) => {
    assert.equal(await said('label'), 'positive');
    assert.ok(Number(await said('sum')) > 0 && Number(await said('largest')) >= Number(await said('even')));
    await set('A sentence', 5);
    assert.equal(await said('label'), 'negative');
  },
  '12-thinking-like-transformers': async ({ said }) => {
    assert.equal(await said('verdict'), '31 of 31 right');
    assert.equal(await said('share'), (1 / (1 + Number(await said('n')))).toFixed(4));
  },
  '13-train-one-here': async ({ said, set }) => {
    const reversed = await said('answer');
    await set('Task', 'copy');
    assert.equal([...await said('answer')].reverse().join(''), reversed);
  },
};

/** What text a page's HTML has, for the few marks that code uses. @param {string} html */
const unescaped = (html) => html.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');

test('every lesson is in the list, once, and every page of the list is there', async () => {
  const pages = (await readdir(SOURCE)).filter((name) => /^\d\d-.*\.html$/.test(name)).sort();
  assert.deepEqual(LESSONS.map(({ name }) => `${name}.html`), pages);
});

for (const { name, title } of LESSONS) {
  test(`${name}: the code that is shown is the code that runs`, async () => {
    const read = (/** @type {string} */ type) => readFile(`${SOURCE}${name}.${type}`, 'utf8');
    const [html, script] = [await read('html'), await read('js')];
    assert.match(html, new RegExp(`<h1><span class="number">${Number(name.slice(0, 2))}</span>${title}</h1>`));
    const shown = [...html.matchAll(/<pre><code>([^]*?)<\/code><\/pre>/g)].map(([, code]) => unescaped(code));
    assert.ok(shown.length > 0, 'a lesson shows its code');
    const lines = new Set(script.split('\n').map((line) => line.trim()));
    for (const line of shown.join('\n').split('\n')) assert.ok(lines.has(line.trim()), `not in ${name}.js: ${line}`);
  });
}

for (const [browserName, openBrowser] of Object.entries(BROWSERS)) {
  describe(`lessons in ${browserName}`, { timeout: 300_000 }, () => {
    /** @type {import('./support/browsers.js').Opened} */ let browser;
    /** @type {import('./support/browsers.js').Page} */ let page;
    /** @type {Awaited<ReturnType<typeof plainServer>>} */ let server;

    before(async () => {
      assert.ok(existsSync(`${SITE}lessons/index.html`), 'dist/site is missing: run make site');
      const course = `<!doctype html><title>A course</title><link rel="icon" href="data:,"><p>Before</p>
        <script src="/a/course/lessons/embed.js" data-lesson="${LESSONS[0].name}"></script><p id="after">After</p>`;
      server = await plainServer({
        root: SITE,
        below: '/a/course/',
        extra: {
          [COURSE]: (_, response) => void response.setHeader('content-type', 'text/html').end(course),
          [MISSING]: (_, response) => void response.writeHead(404).end(),
        },
      });
      browser = await openBrowser({ width: 1200, height: 900 });
      page = browser.page;
    });
    after(async () => {
      await browser?.close();
      await server?.close();
    });

    /** @template A @param {(argument: A) => unknown} condition in the page @param {A} [argument] */
    async function until(condition, argument) {
      const end = Date.now() + WAIT_MS;
      while (!await page.evaluate(condition, argument)) {
        if (Date.now() > end) {
          assert.fail(`the page never came to ${condition}: ${await page.evaluate(() => document.body.innerText)}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    /** @param {string} path */
    async function open(path) {
      await page.goto(new URL(`lessons/${path}`, server.url).href);
      await until(() => document.documentElement.dataset.ready !== undefined
        || document.querySelector('main > .error') !== null);
    }
    const figures = () => page.evaluate(() => [...document.querySelectorAll('output, .matrix td, .plot path')]
      .map((each) => each.textContent + (each.getAttribute('d') ?? '')).join('|'));

    /** Firefox may lay out a formula of which it has read half, and says that children are missing; that none are is
     *  a check of its own below. */
    const complaints = () => browser.complaints.filter((text) => !/Incorrect number of children for <m/.test(text));

    /** @type {Reader} */
    const reader = {
      cells: (caption) => page.evaluate((wanted) => {
        const table = [...document.querySelectorAll('table')].find((each) => each.caption?.textContent === wanted);
        return [...table?.tBodies[0].rows ?? []].map((row) => [...row.querySelectorAll('td')].map((cell) =>
          cell.textContent ?? ''));
      }, caption),
      said: (value) => page.evaluate((wanted) =>
        document.querySelector(`[data-value="${wanted}"]`)?.textContent ?? '', value),
      set: (label, value) => page.evaluate(([wanted, to]) => {
        const found = [...document.querySelectorAll('label')].find((each) => (each.querySelector('span') ?? each)
          .textContent === wanted);
        const control = /** @type {any} */ (found?.control);
        if (typeof to === 'boolean') control.checked = to;
        else control.value = String(to);
        for (const type of ['input', 'change']) control.dispatchEvent(new Event(type));
      }, /** @type {const} */ ([label, value])),
    };

    test('the list leads to each lesson', async () => {
      await open('index.html');
      const links = await page.evaluate(() => [...document.querySelectorAll('#lessons a')].map((a) => a.textContent));
      assert.deepEqual(links, LESSONS.map(({ name, title }) => `${Number(name.slice(0, 2))} · ${title}`));
      assert.deepEqual(complaints(), []);
    });

    for (const [at, { name }] of LESSONS.entries()) {
      test(`${name} is computed, and nothing complains`, async () => {
        browser.complaints.length = 0;
        browser.requests.length = 0;
        await open(`${name}.html`);
        const empty = await page.evaluate(() => [...document.querySelectorAll('[data-value]')]
          .flatMap((each) => (each.textContent ? [] : [each.getAttribute('data-value')])));
        assert.deepEqual(empty, []);
        assert.deepEqual(complaints(), []);
        assert.deepEqual(browser.requests.filter((url) => !url.startsWith(server.url) && !/^(blob|data):/.test(url)),
          [], 'no network');
        const text = await page.evaluate(() => document.body.innerText);
        assert.doesNotMatch(text, /NaN|undefined/);
        const incomplete = await page.evaluate((/** @type {Record<string, number>} */ children) =>
          Object.entries(children).flatMap(([tag, count]) => [...document.querySelectorAll(tag)]
            .filter((each) => each.childElementCount !== count).map((each) => each.outerHTML)),
        { mfrac: 2, msub: 2, msup: 2, munder: 2, mover: 2, msubsup: 3, munderover: 3 });
        assert.deepEqual(incomplete, []);
        const neighbours = await page.evaluate(() =>
          [...document.querySelectorAll('footer a')].map((a) => a.getAttribute('href')));
        assert.deepEqual(neighbours, [LESSONS[at - 1], LESSONS[at + 1]].flatMap((each) =>
          (each ? [`./${each.name}.html`] : [])));
      });

      test(`${name}: what it claims is so`, async () => {
        assert.ok(CLAIMS[name], 'say in CLAIMS what this lesson shows');
        await CLAIMS[name](reader);
        assert.deepEqual(complaints(), []);
        await open(`${name}.html`);
      });

      test(`${name}: a key on its first control changes the figures`, async () => {
        const before = await figures();
        await page.evaluate(() => {
          const control = /** @type {HTMLElement | null} */ (document.querySelector(
            'main input[type=range], main select, main .matrix input, main button'));
          control?.focus();
        });
        const { tag, type } = await page.evaluate(() => ({ tag: document.activeElement?.tagName,
          type: document.activeElement?.getAttribute('type') }));
        assert.notEqual(tag, 'BODY', 'there is something to turn');
        const keys = type === 'number' ? ['1'] : tag === 'BUTTON' ? ['Enter'] : ['ArrowRight', 'ArrowLeft'];
        await page.keyboard.press(keys[0]);
        if (keys[1] && await figures() === before) await page.keyboard.press(keys[1]); // it stood at its end
        const end = Date.now() + 10_000;
        while (await figures() === before && Date.now() < end) await new Promise((done) => setTimeout(done, 20));
        assert.notEqual(await figures(), before);
        assert.deepEqual(complaints(), []);
      });

      // Once is enough: axe asks the document, not the browser, and only Chromium can be told the colour scheme.
      if (browserName === 'chromium') test(`${name}: axe finds nothing, and nothing faint in the dark`, async () => {
        const axe = await readFile(AXE, 'utf8');
        await page.evaluate(/** @type {any} */ (`${axe}; 0`));
        for (const [scheme, rules] of /** @type {const} */ ([['light', undefined], ['dark', 'color-contrast']])) {
          await browser.theme?.(scheme);
          await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
          const { violations } = await page.evaluate((runOnly) => /** @type {any} */ (globalThis).axe
            .run(runOnly ? { runOnly } : {}), rules);
          const found = violations.map((/** @type {any} */ { id, impact, nodes }) =>
            `${impact} ${id}: ${nodes.map((/** @type {any} */ { html }) => html.slice(0, 120)).join('; ')}`);
          assert.deepEqual(found, [], scheme);
        }
        await browser.theme?.('light');
      });

      test(`${name}: nothing is cut off or moves sideways on a phone`, async () => {
        await browser.resize(390, 844);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 390, `${wide} pixels wide`);
        await browser.resize(1200, 900);
      });
    }

    test('a date that a reader writes is translated, its alignment walked by key, a wrong symbol named', async () => {
      await open('08-bahdanau.html');
      const said = () => page.evaluate(() => document.querySelector('[data-value=translation]')?.textContent);
      const write = (/** @type {string} */ text) => page.evaluate((written) => {
        const input = /** @type {HTMLInputElement} */ (document.querySelector('#written'));
        input.value = written;
        input.dispatchEvent(new Event('input'));
      }, text);
      await write('The 21st of March 1985');
      assert.equal(await said(), '1985-03-21');
      await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('heed-attention-map')?.shadowRoot
        ?.querySelector('.window')).focus());
      for (const key of ['ArrowDown', 'PageDown', 'End']) await page.keyboard.press(key);
      await until(() => /^‘1’ attends (less than )?0\.\d+ to ‘5’$|^‘1’ attends 0 to ‘5’$/.test(document.querySelector(
        'heed-attention-map')?.shadowRoot?.querySelector('output')?.textContent ?? ''));
      assert.equal(await page.evaluate(() => document.querySelector('[data-value=symbol]')?.textContent), '‘1’');
      await write('1 März 1985');
      const wrong = await page.evaluate(() => document.querySelector('#date .error')?.textContent ?? '');
      assert.match(wrong, /never seen ‘ä’/);
      assert.deepEqual(browser.complaints, []);
    });

    test('a model that is not there is said to be missing, and the one before stays', async () => {
      await open('09-luong.html');
      await page.evaluate(() => {
        const select = /** @type {HTMLSelectElement} */ (document.querySelector('#scores select'));
        select.value = 'concat';
        select.dispatchEvent(new Event('change'));
      });
      await until(() => /dates-luong-concat is not here \(404\)/.test(
        document.querySelector('#scores .error')?.textContent ?? ''));
      assert.equal(await page.evaluate(() => document.querySelector('[data-value=score]')?.textContent), 'dot');
      browser.complaints.length = 0;
    });

    test('embedded, a lesson is alone, and one script gives it a frame of its height', async () => {
      await open(`${LESSONS[0].name}.html?embed`);
      assert.equal(await page.evaluate(() => document.querySelectorAll('header, footer').length), 0);
      await page.goto(new URL(COURSE, server.url).href);
      await until(() => {
        const frame = document.querySelector('iframe');
        const inside = frame?.contentDocument;
        return inside?.documentElement.dataset.ready !== undefined
          && frame?.clientHeight === inside.body.scrollHeight;
      });
      const order = await page.evaluate(() => [...document.body.children].map(({ tagName }) => tagName));
      assert.deepEqual(order, ['P', 'SCRIPT', 'IFRAME', 'P']);
      assert.deepEqual(complaints(), []);
    });

    test('11-classification: a sentence of the reader’s own, word by word', async () => {
      await open('11-classification.html');
      const shown = await page.evaluate(() => {
        const input = /** @type {HTMLInputElement} */ (document.getElementById('text'));
        input.value = 'A boring, badly acted film.';
        input.dispatchEvent(new Event('input'));
        const [weights, parts] = [...document.querySelectorAll('#weights table')].map((table) =>
          [...table.querySelectorAll('td span')].map((cell) => Number(cell.textContent?.replace('−', '-'))));
        const said = (/** @type {string} */ name) => document.querySelector(`[data-value="${name}"]`)?.textContent;
        return { weights, parts, label: said('label'), sum: Number(said('sum')?.replace('−', '-')),
          words: [...document.querySelectorAll('#map tbody th')].map((each) => each.textContent) };
      });
      assert.deepEqual(shown.words, ['A', 'boring', ',', 'badly', 'acted', 'film', '.']);
      assert.equal(shown.label, 'negative');
      const total = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b);
      assert.ok(Math.abs(total(shown.weights) - 1) < 0.04, 'seven weights, each rounded to hundredths');
      assert.ok(Math.abs(total(shown.parts) - shown.sum) < 0.04 && shown.sum < 0);
    });
  });
}
