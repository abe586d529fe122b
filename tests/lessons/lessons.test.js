/** The built lessons in real browsers: their numbers, claims, controls, accessibility, and layout on a phone. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { CONCEPTS } from '../../web/glossary.js';
import { EXERCISES } from '../../web/lessons/exercises/catalog.js';
import { anchorOf } from '../../web/lessons/kit/terms.js';
import { LESSONS } from '../../web/lessons/list.js';
import { PAPERS } from '../../web/lessons/papers.js';
import { readAddress } from '../../web/page/address.js';
import { BROWSERS } from '../support/browsers.js';
import { number, readerOf } from '../support/lesson-reader.js';
import { openSite, SITE } from '../support/site.js';

const SOURCE = fileURLToPath(new URL('../../web/lessons/', import.meta.url));
/** A model that is missing on the host. */
const MISSING = '/a/course/models/dates-luong-concat.safetensors';

/** A model that the host sends late. */
const SLOW = 'models/histogram.safetensors';

/** A model whose connection the host can break. */
const LOSABLE = 'models/dates-bahdanau.safetensors';

/** The template is built and tested like a lesson, but not listed. */
const PAGES = [{ name: '00-template', title: 'Template' }, ...LESSONS];

/** The beginning of each lesson's page. @param {{ name: string, title: string }} lesson */
const headOf = ({ name, title }) => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${Number(name.slice(0, 2))} · ${title}: heed</title>
  <link rel="icon" href="../icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="../theme.css">
  <link rel="stylesheet" href="./lessons.css">
  <script type="module" src="./${name}.js"></script>
</head>
<body>
  <main id="lesson">
    <h1><span class="number">${Number(name.slice(0, 2))}</span> ${title}</h1>
`;

/** The text of escaped HTML. @param {string} html */
const unescaped = (html) => html.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');

test('every page is in the list once, except the template', async () => {
  const pages = (await readdir(SOURCE)).filter((name) => /^\d\d-.*\.html$/.test(name)).sort();
  assert.deepEqual(PAGES.map(({ name }) => `${name}.html`), pages);
});

test('the example of the README has a number that no lesson has', async () => {
  const readme = await readFile(`${SOURCE}README.md`, 'utf8');
  const [, example] = /The example adds lesson (\d+)/.exec(readme) ?? [];
  assert.ok(Number(example) > 0 && !LESSONS.some(({ name }) => Number(name.slice(0, 2)) === Number(example)));
});

test('lessons cite papers of the list', async () => {
  const pages = await Promise.all(PAGES.map(({ name }) => readFile(`${SOURCE}${name}.html`, 'utf8')));
  const cited = pages.flatMap((html) => [...html.matchAll(/data-paper="([^"]*)"/g)].map(([, paper]) => paper));
  assert.ok(cited.length > 20);
  for (const paper of cited) assert.ok(Object.hasOwn(PAPERS, paper), paper);
  for (const { url } of Object.values(PAPERS)) assert.equal(new URL(url).protocol, 'https:');
});

test('every link among the pages has a place, and the index of ideas leads to every lesson', async () => {
  const names = (await readdir(SOURCE)).filter((name) => name.endsWith('.html'));
  const pages = new Map(await Promise.all(names.map(async (name) =>
    /** @type {const} */ ([name, await readFile(SOURCE + name, 'utf8')]))));
  const places = new Map([...pages].map(([name, html]) => [name, new Set([
    ...[...html.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id),
    ...EXERCISES[name.replace(/\.html$/, '')]?.ids ?? [],
    ...(name === 'notation.html' ? Object.keys(CONCEPTS).map(anchorOf) : [])])]));
  const link = /\bhref="(?:\.\/([^"#?]*\.html))?(?:#([^"]*))?"/g;
  const links = [...pages].flatMap(([from, html]) => [...html.matchAll(link)].map(([text, to = from, place]) =>
    ({ from, text, to, place })));
  assert.ok(links.length > 150);
  const dead = links.filter(({ to, place }) => !(place === undefined ? pages.has(to) : places.get(to)?.has(place)));
  assert.deepEqual(dead.map(({ from, text }) => `${from}: ${text}`), []);
  const index = /<div class="ideas">[^]*?<\/div>/.exec(pages.get('index.html') ?? '')?.[0] ?? '';
  for (const { name } of LESSONS) assert.ok(index.includes(`href="./${name}.html`), name);
  for (const [, href] of index.matchAll(/href="([^"]*)"/g)) assert.match(href, /^\.\/\d\d-[a-z-]+\.html(#[a-z-]+)?$/);
});

test('00-why-attention: heads of the stories model relate “ball” to “holding” and “blue”, not to “boy”', async () => {
  const html = await readFile(`${SOURCE}00-why-attention.html`, 'utf8');
  const [, hash] = /href="\.\.\/index\.html(#[^"]*)"/.exec(html) ?? [];
  const { address: { prompt = '', layer, head }, unread } = await readAddress(hash.replaceAll('&amp;', '&'));
  assert.deepEqual([unread, layer, head], [[], 4, 5]);
  const model = await load(await readFile(fileURLToPath(new URL('../../models/stories.gguf', import.meta.url))));
  try {
    const ids = await model.encode(prompt);
    const tokens = await Promise.all(Array.from(ids, (id) => model.decode([id])));
    assert.deepEqual(tokens.slice(1), ['The', ' boy', ' is', ' hold', 'ing', ' a', ' blue', ' ball']);
    await model.forward(ids);
    const n = tokens.length;
    const rowsOf = async (/** @type {number} */ ofLayer, /** @type {number} */ ofHead) => {
      const { data } = await model.attention({ layer: ofLayer, head: ofHead });
      return [data.subarray((n - 1) * n), data.subarray((n - 2) * n)]; // of “ball” and of “blue”
    };
    const [holding, ofBlue] = await rowsOf(4, 5);
    const [blue, alsoOfBlue] = await rowsOf(2, 2);
    assert.ok(holding[4] + holding[5] > 0.5, `${holding}`);
    assert.ok(blue[7] > 0.9, `${blue}`);
    assert.ok(holding[2] < 0.01 && blue[2] < 0.01);
    assert.ok(ofBlue[2] < 0.07 && alsoOfBlue[2] < 0.07, `${ofBlue}, ${alsoOfBlue}`);
  } finally {
    await model.dispose();
  }
});

for (const page of PAGES) {
  const { name } = page;
  test(`${name}: the shown code is the running code`, async () => {
    const html = await readFile(`${SOURCE}${name}.html`, 'utf8');
    const scripts = (await readdir(SOURCE)).filter((file) => file.startsWith(name) && file.endsWith('.js'));
    const script = (await Promise.all(scripts.map((file) => readFile(SOURCE + file, 'utf8')))).join('\n');
    const shown = [...html.matchAll(/<pre><code>([^]*?)<\/code><\/pre>/g)].map(([, code]) => unescaped(code));
    assert.ok(shown.length > 0, 'a lesson shows its code');
    const lines = new Set(script.split('\n').map((line) => line.trim()));
    for (const line of shown.join('\n').split('\n')) assert.ok(lines.has(line.trim()), `not in ${name}.js: ${line}`);
  });

  test(`${name}: the page begins like every lesson, with the idea of the list`, async () => {
    const html = await readFile(`${SOURCE}${name}.html`, 'utf8');
    assert.equal(html.slice(0, headOf(page).length), headOf(page));
    const idea = /<p class="idea">([^<]*)<\/p>/.exec(html)?.[1];
    assert.equal(idea, 'idea' in page ? page.idea : idea);
  });
}

for (const [browserName, openBrowser] of Object.entries(BROWSERS)) {
  describe(`lessons in ${browserName}`, { timeout: 900_000 }, () => {
    /** Resolves when the host sends the slow model. */
    let sent = Promise.resolve();
    let lost = false;
    /** @type {import('../support/site.js').Site} */ let site;
    /** @type {import('../support/site.js').Site['browser']} */ let browser;
    /** @type {import('../support/site.js').Site['page']} */ let page;
    /** @type {import('../support/site.js').Site['server']} */ let server;
    /** @type {import('../support/site.js').Site['until']} */ let until;
    /** @type {import('../support/site.js').Site['open']} */ let open;
    /** @type {import('../support/lesson-reader.js').Reader} */ let reader;

    before(async () => {
      site = await openSite(openBrowser, {
        [MISSING]: (_, response) => void response.writeHead(404).end(),
        [`/a/course/${SLOW}`]: (_, response) => void sent.then(async () => response.end(await readFile(SITE + SLOW))),
        [`/a/course/${LOSABLE}`]: async (_, response) => {
          if (lost) response.destroy();
          else response.end(await readFile(SITE + LOSABLE));
        },
      });
      ({ browser, page, server, until, open } = site);
      reader = readerOf(site);
    });
    after(() => site?.close());

    const figures = () => page.evaluate(() => [...document.querySelectorAll('output, .matrix td, .plot path')]
      .map((each) => each.textContent + (each.getAttribute('d') ?? '')).join('|'));


    test('the list links to each lesson', async () => {
      await open('index.html');
      const links = await page.evaluate(() => [...document.querySelectorAll('#lessons a')].map((a) => a.textContent));
      assert.deepEqual(links.sort(), LESSONS.map(({ name, title }) => `${Number(name.slice(0, 2))} · ${title}`).sort());
      assert.deepEqual(browser.complaints, []);
    });

    test('the notation page lists symbols, terms and papers, and fits a phone', async () => {
      browser.complaints.length = 0;
      browser.requests.length = 0;
      await open('notation.html#term-softmax');
      const counts = await page.evaluate(() => ['#terms dt', '#all-papers a', '.symbols td:first-child math']
        .map((each) => document.querySelectorAll(each).length));
      assert.deepEqual(counts.slice(0, 2), [Object.keys(CONCEPTS).length, Object.keys(PAPERS).length]);
      assert.ok(counts[2] > 20);
      const top = await page.evaluate(() => document.getElementById('term-softmax')?.getBoundingClientRect().top ?? -1);
      assert.ok(top >= 0 && top < 900, 'the term of the address is on screen');
      if (browserName === 'chromium') await site.checkAccess();
      await browser.resize(360, 844);
      await site.drawn();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360);
      await browser.resize(1200, 900);
      assert.deepEqual(browser.complaints, []);
      assert.deepEqual(browser.requests.filter((url) => !url.startsWith(server.url) && !/^(blob|data):/.test(url)), [],
        'links start no download');
    });

    test('the first use of a term explains it on focus, and leads to the glossary', async () => {
      await open('02-scores.html');
      const terms = await page.evaluate(() => [...document.querySelectorAll('a.term')].map((each) =>
        ({ term: each.getAttribute('data-term') ?? '', address: each.getAttribute('href') ?? '' })));
      assert.ok(terms.length > 8);
      assert.equal(new Set(terms.map(({ term }) => term)).size, terms.length, 'each term is marked once');
      assert.deepEqual(terms.find(({ term }) => term === 'cross-attention'),
        { term: 'cross-attention', address: './notation.html#term-cross-attention' });
      const described = await page.evaluate(() => {
        const term = /** @type {HTMLElement} */ (document.querySelector('[data-term="softmax"]'));
        term.focus();
        return document.getElementById(term.getAttribute('aria-describedby') ?? '')?.textContent;
      });
      assert.equal(described, CONCEPTS.softmax);
      await page.keyboard.press('Escape');
      assert.equal(await page.evaluate(() => document.querySelector('[aria-describedby="explanation"]')), null);
    });

    for (const { name } of PAGES) {
      const index = LESSONS.findIndex((each) => each.name === name);
      test(`${name} shows every number, without errors and foreign requests`, async () => {
        browser.complaints.length = 0;
        browser.requests.length = 0;
        await open(`${name}.html`);
        const empty = await page.evaluate(() => [...document.querySelectorAll('[data-value]')]
          .flatMap((each) => (each.textContent ? [] : [each.getAttribute('data-value')])));
        assert.deepEqual(empty, []);
        assert.deepEqual(browser.complaints, []);
        assert.deepEqual(browser.requests.filter((url) => !url.startsWith(server.url) && !/^(blob|data):/.test(url)),
          [], 'no network');
        const text = await page.evaluate(() => document.body.innerText);
        assert.doesNotMatch(text, /NaN|undefined/);
        const incomplete = await page.evaluate((/** @type {Record<string, number>} */ children) =>
          Object.entries(children).flatMap(([tag, count]) => [...document.querySelectorAll(tag)]
            .filter((each) => each.childElementCount !== count).map((each) => each.outerHTML)),
        { mfrac: 2, msub: 2, msup: 2, munder: 2, mover: 2, msubsup: 3, munderover: 3 });
        assert.deepEqual(incomplete, []);
        const neighbors = await page.evaluate(() =>
          [...document.querySelectorAll('footer a')].map((a) => a.getAttribute('href')));
        assert.deepEqual(neighbors, index < 0 ? [] : [LESSONS[index - 1], LESSONS[index + 1]]
          .flatMap((each) => (each ? [`./${each.name}.html`] : [])));
      });

      // Only in Chromium: axe checks the document, and only this driver can choose the color scheme.
      if (browserName === 'chromium') {
        test(`${name}: axe finds no violation, light or dark`, () => site.checkAccess());
      }

      test(`${name}: its claims hold`, async () => {
        const { default: claims } = await import(`../../web/lessons/${name}.claims.js`);
        await claims({ ...reader, assert, number });
        assert.deepEqual(browser.complaints, []);
      });

      test(`${name}: a key on its first control changes the figures`, async () => {
        let before = '';
        await site.settles(async () => { // the claims may have left work
          before = await figures();
          await site.drawn();
          assert.equal(await figures(), before);
        });
        await page.evaluate(() => {
          const control = /** @type {HTMLElement | null} */ (document.querySelector(
            'main input[type=range], main select, main .matrix input, main button'));
          control?.focus();
        });
        const { tag, type } = await page.evaluate(() => ({ tag: document.activeElement?.tagName,
          type: document.activeElement?.getAttribute('type') }));
        assert.notEqual(tag, 'BODY', 'the lesson has a control');
        const keys = type === 'number' ? ['1'] : tag === 'BUTTON' ? ['Enter'] : ['ArrowRight', 'ArrowLeft'];
        const value = () => page.evaluate(() => /** @type {any} */ (document.activeElement)?.value);
        const first = await value();
        await page.keyboard.press(keys[0]);
        if (keys[1] && await value() === first) await page.keyboard.press(keys[1]); // the control was at its limit
        const end = Date.now() + 10_000;
        while (await figures() === before && Date.now() < end) await new Promise((done) => setTimeout(done, 20));
        assert.notEqual(await figures(), before);
        assert.deepEqual(browser.complaints, []);
      });

      test(`${name}: a phone shows all formulas, does not scroll sideways, and has large controls`, async () => {
        for (const width of [360, 390]) {
          await browser.resize(width, 844);
          await site.drawn();
          // Figures draw again after the page has its new width.
          const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
          const end = Date.now() + 10_000;
          while (await wide() > width && Date.now() < end) await new Promise((done) => setTimeout(done, 20));
          assert.ok(await wide() <= width, `${await wide()} pixels wide`);
          const cut = await page.evaluate(() => [...document.querySelectorAll('math[display=block]')]
            .filter((formula) => formula.scrollWidth > formula.clientWidth || getComputedStyle(formula).whiteSpace
              !== 'nowrap').map((formula) => formula.textContent));
          assert.deepEqual(cut, [], `formulas wider than ${width} pixels, or broken`);
          const hidden = await page.evaluate(() => [...document.querySelectorAll('.numbers .text math')]
            .filter((formula) => formula.getBoundingClientRect().right
              > (formula.closest('.scrolls')?.getBoundingClientRect().right ?? 0))
            .map((formula) => formula.textContent));
          assert.deepEqual(hidden, [], `formulas in tables wider than ${width} pixels`);
          const apart = await page.evaluate(() => [...document.querySelectorAll('label:has([type=checkbox])')]
            .filter((label) => [...label.children].some((each) => each.getBoundingClientRect().top
              >= label.children[0].getBoundingClientRect().bottom)).map((label) => label.textContent));
          assert.deepEqual(apart, [], 'labels below their checkbox');
        }
        const low = await page.evaluate(() => [...document.querySelectorAll('math[display=block]')]
          .filter((formula) => formula.scrollHeight > formula.clientHeight).map((formula) => formula.textContent));
        assert.deepEqual(low, [], 'formulas with indices cut off');
        const small = await page.evaluate(() => {
          /** @param {ParentNode} root @returns {Element[]} */
          const all = (root) => [...root.querySelectorAll('*')].flatMap((each) =>
            [each, ...each.shadowRoot ? all(each.shadowRoot) : []]);
          return all(document).filter((each) => each.matches('button, select, input, summary, nav a')
            && each.checkVisibility() && (each.closest('label') ?? each).getBoundingClientRect().height < 24)
            .map((each) => each.outerHTML.slice(0, 80));
        });
        assert.deepEqual(small, [], 'too small for a finger');
        await browser.resize(1200, 900);
      });
    }

    test('a written date is translated, arrow keys move over its map, and an unknown symbol is named', async () => {
      await open('08-bahdanau.html');
      await reader.fill('#written', 'The 21st of March 1985');
      await reader.becomes('translation', '1985-03-21');
      await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('heed-attention-map')?.shadowRoot
        ?.querySelector('.window')).focus());
      for (const key of ['ArrowDown', 'PageDown', 'End']) await page.keyboard.press(key);
      await until(() => /^‘1’ \(\d+\) gives .* of its attention to ‘5’ \(\d+\)$/.test(document.querySelector(
        'heed-attention-map')?.shadowRoot?.querySelector('output')?.textContent ?? ''));
      assert.equal(await page.evaluate(() => document.querySelector('[data-value=symbol]')?.textContent), '‘1’');
      await reader.fill('#written', '1 März 1985');
      await until(() => /never seen ‘ä’/.test(document.querySelector('#date .error')?.textContent ?? ''));
      assert.deepEqual(browser.complaints, []);
    });

    test('a missing model is named, and the previous model stays in use', async () => {
      await open('09-luong.html');
      await page.evaluate(() => {
        const select = /** @type {HTMLSelectElement} */ (document.querySelector('#forms select'));
        select.value = 'concat';
        select.dispatchEvent(new Event('change'));
      });
      await until(() => /dates-luong-concat is missing \(404\)/.test(
        document.querySelector('#forms .error')?.textContent ?? ''));
      assert.equal(await page.evaluate(() => document.querySelector('[data-value=form]')?.textContent), 'dot');
      browser.complaints.length = 0;
    });

    test('a broken connection is reported, and “Try again” loads the model', async () => {
      for (const name of ['08-bahdanau', '10-encoder-decoder']) {
        lost = true;
        await open(`${name}.html`);
        const said = await page.evaluate(() => document.querySelector('main > .error')?.textContent);
        assert.match(said ?? '', /^This lesson stopped\. The model dates-bahdanau was not loaded: .* Try again$/);
        lost = false;
        await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('main > .error button')).click());
        await until(() => document.documentElement.dataset.ready !== undefined);
        assert.equal(await reader.value('translation'), '2008-07-12');
        assert.ok(browser.complaints.every((text) => text.includes(LOSABLE)), browser.complaints.join());
        browser.complaints.length = 0;
      }
    });

    test('invalid input shows an error, and the figure does not change', async () => {
      /** @type {[lesson: string, field: string, text: string, words: RegExp][]} */
      const cases = [
        ['08-bahdanau', '#written', '',
          /^The text ‘’ has nothing to read\. Write .* The figure still shows ‘saturday, july 12th, 2008’\.$/],
        ['10-encoder-decoder', '#written', '1'.repeat(49), /^This model reads up to 48 symbols; there are 49\./],
        ['11-classification', '#text', ' 🙂', /^This text has no words\. The figure still shows the sentence before\.$/],
        ['00-why-attention', '#text', 'it', /^The sentence needs more words than “it”\. The figure still shows/],
        ['12-thinking-like-transformers', '#letters', 'abx', /^‘x’ is not a letter from a to d\. The figure still/],
        ['12-thinking-like-transformers', '#letters', '', /^Write at least one letter .* The figure still shows/],
      ];
      for (const [name, field, text, words] of cases) {
        await open(`${name}.html`);
        const shown = await figures();
        await reader.fill(field, text);
        await until(() => [...document.querySelectorAll('.error')].some((each) => each.textContent));
        const said = await page.evaluate(() =>
          [...document.querySelectorAll('.error')].map((each) => each.textContent).join(''));
        assert.match(said, words);
        assert.equal(await figures(), shown);
      }
      assert.deepEqual(browser.complaints, []);
    });

    test('a lesson shows the name of the model that it loads', async () => {
      /** @type {() => void} */ let send = () => {};
      sent = new Promise((resolve) => { send = resolve; });
      await page.goto(new URL('lessons/12-thinking-like-transformers.html', server.url).href);
      await until(() => document.querySelector('.waiting')?.textContent === 'Fetching the model histogram.');
      send();
      await until(() => document.documentElement.dataset.ready !== undefined);
      assert.equal(await page.evaluate(() => document.querySelector('.waiting')), null);
    });

    test('11-classification: another sentence is classified word by word', async () => {
      await open('11-classification.html');
      const shown = await page.evaluate(() => {
        const input = /** @type {HTMLInputElement} */ (document.getElementById('text'));
        input.value = 'A boring, badly acted film.';
        input.dispatchEvent(new Event('input'));
        const [weights, parts] = [...document.querySelectorAll('#weights table')].map((table) =>
          [...table.querySelectorAll('td span')].map((cell) => Number(cell.textContent?.replace('−', '-'))));
        const said = (/** @type {string} */ name) => document.querySelector(`[data-value="${name}"]`)?.textContent;
        return { weights, parts, label: said('label'), sum: Number(said('sum')?.replace('−', '-')),
          words: [...document.querySelectorAll('#weights .scrolls:first-child thead th')].map((each) =>
            each.textContent) };
      });
      assert.deepEqual(shown.words, ['A', 'boring', ',', 'badly', 'acted', 'film', '.']);
      assert.equal(shown.label, 'negative');
      const total = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b);
      assert.ok(Math.abs(total(shown.weights) - 1) < 0.04, 'seven weights, each rounded to hundredths');
      assert.ok(Math.abs(total(shown.parts) - shown.sum) < 0.04 && shown.sum < 0);

      await browser.resize(390, 844);
      await reader.fill('#text', 'Supercalifragilisticexpialidocious'.repeat(3));
      await site.drawn();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390,
        'a word longer than a line does not widen the page');
      await browser.resize(1200, 900);
    });
  });
}
