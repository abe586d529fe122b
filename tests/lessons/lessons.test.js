/** The lessons as they are shipped, each in real browsers: computed, framed, embedded, reached by keyboard. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LESSONS } from '../../web/lessons/list.js';
import { BROWSERS } from '../support/browsers.js';
import { openSite, SITE } from '../support/site.js';

const SOURCE = fileURLToPath(new URL('../../web/lessons/', import.meta.url));
/** A model that this host does not have. */
const MISSING = '/a/course/models/dates-luong-concat.safetensors';

/** A model that takes its time. */
const SLOW = 'models/histogram.safetensors';

/** A model whose connection can be made to break. */
const LOSABLE = 'models/dates-bahdanau.safetensors';

/**
 * What a lesson claims, read off its page.
 * @typedef {object} Reader
 * @property {(caption: string) => Promise<string[][]>} cells  of the table with this caption
 * @property {(name: string) => Promise<string>} said          a number in the text
 * @property {(selector: string) => Promise<string>} text       of the first of such elements
 * @property {(selector: string) => Promise<string>} label      what a map is called
 * @property {(selector: string) => Promise<string[]>} scale    the ticks of a map's colours
 * @property {(selector: string) => Promise<string[][]>} table  the cells of a table's rows, with their names
 * @property {(selector: string, keys: string[]) => Promise<void>} press  keys, with the focus on it
 * @property {(selector: string, text: string) => Promise<void>} write    into a field
 * @property {(condition: () => unknown) => Promise<void>} until          the page has come to it
 * @property {(name: string, text: string) => Promise<void>} comes        a number in the text has become this
 * @property {(label: string, value: string | number | boolean) => Promise<void>} set  a control
 */

/** The number that a text says: 2 × 10⁻⁵ is 0.00002. @param {string} text */
const numeric = (text) => Number(text.replace('−', '-').replace(/\s×\s10/, 'e').replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]/g,
  (mark) => (mark === '⁻' ? '-' : String('⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(mark)))));

/** @type {Record<string, (page: Reader) => Promise<void>>} */
const CLAIMS = {
  '01-soft-lookup': async ({ cells, said, set, write }) => {
    const lengths = (await cells('Keys')).map((key) => Math.hypot(...key.map(numeric)).toFixed(3));
    assert.deepEqual(lengths, Array(5).fill(await said('length')), 'the nearest key has the largest dot product');
    assert.ok(Number(await said('gradient-q')) > 0.1, 'a soft lookup can learn where to look');
    await set('Temperature τ', -2);
    assert.deepEqual((await cells('Weights α and what they bring')).flat(),
      ['1.000', '0.000', '0.000', '0.000', '0.000']);
    assert.equal(Number(await said('gradient-q')), 0);
    assert.equal(Number(await said('gradient-K')), 0);
    await write('#query input', '0');
    assert.deepEqual((await cells('Weights α and what they bring')).flat(),
      ['0.500', '0.500', '0.000', '0.000', '0.000'], 'keys that tie share the weight');
  },
  '02-scores': async ({ cells, said, set, write }) => {
    assert.deepEqual(await cells('S, scores'), [['3.000', '−3.000', '1.000'], ['−7.000', '−1.000', '11.000']]);
    assert.deepEqual(await cells('A, pattern'), [['0.879', '0.002', '0.119'], ['0.000', '0.000', '1.000']]);
    assert.deepEqual(await cells('X′ = AV, output'), [['1.762', '3.229', '0.998'], ['0.000', '5.000', '1.000']]);
    assert.ok(Number(await said('plain')) < 0.5 && Number(await said('scaled')) > 4);
    await set('Projections are the identity', true);
    assert.deepEqual([await said('v3'), await said('v4'), await said('v5')], ['0', '0', '0']);
    assert.ok(numeric(await said('general-off')) < 1e-6, 'the general form is this softmax');
    assert.ok(numeric(await said('positive-least')) > 0);
    assert.ok(numeric(await said('signed-least')) < 0 || numeric(await said('signed-most')) > 1, 'f must be positive');
    const [centred, shifted] = [Number(await said('variance-centered')), Number(await said('variance-shifted'))];
    assert.ok(Math.abs(centred - 1) < 0.1 && Math.abs(shifted - 3) < 0.3, `${centred} d and ${shifted} d`);
    await write('.matrix input', '1e30');
    assert.deepEqual((await cells('S, scores'))[0], ['3.000', '−3.000', '1.000'], 'its exponential would be no number');
    await write('.matrix input', '1');
    assert.deepEqual((await cells('S, scores'))[0], ['1.000', '−3.000', '0.000']);
  },
  '03-masks': async ({ cells, said, set }) => {
    assert.equal(await said('two'), '(0.500, 0.500, 0.000)');
    assert.equal(await said('three'), '(0.333, 0.333, 0.333, 0.000)');
    for (const key of [1, 2]) await set(`key ${key} is seen`, false);
    assert.deepEqual(await cells('Softmax(S + M)'), [['0.000', '0.000', '0.000', '0.000']]);
    await set('Length without padding', 0);
    assert.ok((await cells('Pattern')).flat().every((text) => text === ''), 'nothing is seen, and nothing is NaN');
  },
  '04-heads': async ({ cells, said, set }) => {
    const [the, dog] = [3, 4];
    const both = (await cells('One head'))[dog].map(Number);
    assert.deepEqual([both[the], both[dog]], [0.47, 0.47], 'one head looks for the token before and for the same word');
    assert.equal((await cells('Its output'))[dog].filter((text) => Number(text) > 0.4).length, 2, 'and averages them');
    await set('The head looks for', 'previous');
    assert.equal(Number((await cells('One head'))[dog][the]), 0.89);
    await set('The head looks for', 'same');
    assert.equal(Number((await cells('One head'))[dog][dog]), 0.89);
    const [second, first] = [await cells('Head 2'), await cells('Head 1')];
    assert.equal(first[4].indexOf('0.89'), 3, 'dog looks at the token before');
    assert.deepEqual(second[0].filter((text) => text === '0.32').length, 3, 'the is there three times');
    await set('Kind', 'pieces');
    assert.deepEqual([await cells('Head 1'), await cells('Head 2')], [first, second]);
    await set('Head 2 looks for', 'previous');
    assert.ok((await cells('Head 2')).flat().every((text) => text === '0.13'), 'its piece has no positions');
    await set('Kind', 'pooled');
    assert.deepEqual(await cells('Head 2'), first);
    const halves = (await cells('Output')).map((row) => [row.slice(0, 8), row.slice(8)]);
    assert.ok(halves.every(([where]) => where.filter((text) => Number(text) > 1).length <= 1), 'where both looked');
    await set('Head 2 looks for', 'same');
    await set('Kind', 'widths');
    assert.deepEqual([await cells('Head 1'), await cells('Head 2')], [first, second], 'seen as before');
    assert.ok(Number(await said('apart')) > 0.8);
    assert.ok((await cells('Output')).every((row) => new Set(row).size > 2));
    await set('Values of head 2', 8);
    assert.ok(numeric(await said('apart')) < 1e-6, 'all values: the standard kind');
  },
  '05-positions': async ({ said, set, press, text, table, until }) => {
    assert.deepEqual([await said('norm-least'), await said('norm-most')], Array(2).fill(await said('root')));
    assert.ok(numeric(await said('inner-off')) < 1e-4 && numeric(await said('distance-off')) < 1e-5);
    assert.ok(Number(await said('enough')) < 128);
    await press('#encoding canvas', ['ArrowRight', 'ArrowDown', 'ArrowUp']);
    assert.equal(await text('#cell'), 'Position 0, element 1: 1.000.');
    await press('#encoding summary', ['Enter']);
    await until(() => document.querySelectorAll('#encoding tbody tr').length > 0);
    assert.match(await text('#encoding tbody tr'), /^00\.0001\.0000\.000/, 'sin 0, cos 0, sin 0 behind the picture');

    assert.equal(await said('sines-explained'), '100\u00a0%');
    assert.ok(parseFloat(await said('learned-explained')) < 99);
    assert.ok(Number(await said('learned-first')) > 2 * Number(await said('learned-shortest')));
    await press('#by-distance summary', ['Enter']);
    await until(() => document.querySelectorAll('#by-distance tbody tr').length > 0);
    const means = (await table('#by-distance tbody')).map(([, learned]) => numeric(learned));
    const [lowest, highest] = [Math.min(...means), Math.max(...means.slice(2))];
    assert.deepEqual([await said('learned-trough-at'), await said('learned-crest-at')],
      [means.indexOf(lowest), means.indexOf(highest)].map(String));
    const near = [numeric(await said('learned-1')), numeric(await said('learned-2'))];
    assert.ok(near[0] > 0.5 && near[1] < 0.2 && lowest < 0 && highest > 0.3);

    const inner = await said('rope-inner');
    assert.ok(numeric(await said('rope-off')) < 1e-5 && numeric(await said('rope-norm')) < 1e-5);
    await set('t, position of k', 150);
    assert.deepEqual([await said('query-at'), await said('rope-inner')], ['154', inner], 'where both stand is all one');
    await set('n, distance to q', 0);
    assert.equal(await said('rope-inner'), await said('rope-plain'));
    assert.notEqual(await said('rope-inner'), inner);
  },
  '06-block': async ({ said, set, write, cells }) => {
    const moments = async () => [await said('layer-mean'), await said('layer-variance'), await said('root-square')];
    assert.deepEqual(await moments(), ['0.000', '1.000', '1.000']);
    await write('#norms input', '-50');
    assert.deepEqual(await moments(), ['0.000', '1.000', '1.000']);
    const [layer, root] = await cells('The same, normalized');
    assert.ok(layer.every((text, i) => text !== root[i]), 'one of them takes the mean away');
    const divided = numeric(await said('mean')) / numeric(await said('root'));
    assert.ok(Math.abs(divided - numeric(await said('root-mean'))) < 2e-3, 'RMSNorm divides, and subtracts nothing');
    assert.ok(numeric(await said('tanh-off')) > 1e-5 && numeric(await said('tanh-off')) < 1e-3);
    assert.ok(numeric(await said('apart')) < 1e-6);
    assert.equal(await said('kept'), '2');
    await set('positions', true);
    assert.ok(Number(await said('apart')) > 0.1);
    assert.ok(numeric(await said('moved')) < 1e-6, 'the block itself is still equivariant');
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
    assert.deepEqual([await said('rows'), await said('columns')], ['10', '25']);
  },
  '09-luong': async ({ said, set, comes }) => {
    assert.equal(await said('translation'), '2008-07-12');
    assert.deepEqual([await said('score'), await said('own')], ['dot', '0'], 'a dot product has no weights of its own');
    assert.deepEqual([await said('states'), await said('columns')], ['128', '26'], '<end> is a column');
    await set('Score', 'general');
    await comes('score', 'general');
    assert.deepEqual([await said('states'), await said('own')], ['96', '9,216'], 'narrower than the dot model');
  },
  '10-encoder-decoder': async ({ said, cells, label, set, write, until, comes }) => {
    assert.equal(await said('translation'), '2008-07-12');
    assert.equal(await said('expected'), `${await said('translation')}<end>`);
    assert.ok(Number(await said('loss')) < 0.01);
    assert.equal(await said('recurrent'), await said('translation'));
    assert.deepEqual([await said('T'), await said('T-bar')], ['10', '25']);
    assert.deepEqual([await said('more'), await said('padding-off')], ['3', '0'], 'padding changes no bit');
    const [row] = await cells('The first symbol’s row in a batch');
    assert.deepEqual(row.map((text) => text === ''), [...Array(25).fill(false), ...Array(3).fill(true)]);
    const size = async () => /[\d by]+ tokens/.exec(await label('#map'))?.[0].trim();
    assert.equal(await size(), '10 by 25 tokens');
    await set('Attention', 'decoder.attn');
    assert.equal(await size(), '10 tokens');
    await set('Attention', 'encoder.attn');
    assert.equal(await size(), '25 tokens');
    await set('Attention', 'decoder.cross_attn');
    await set('Translates', 'spa-eng');
    await comes('recurrent', 'ella está leyendo un libro.');
    assert.equal(await said('translation'), 'ella está leyendo un libro.');
    assert.equal(await said('expected'), 'ella está leyendo un libro . <end>');
    await write('#written', 'Tom has a dog.');
    await comes('recurrent', 'tom tiene un perro.');
    assert.equal(await said('translation'), 'tom tiene un perro.');
    const before = await said('head');
    await set('Head', 2);
    assert.notEqual(await said('head'), before);
    await write('#written', 'What time does the train leave?');
    await until(() => document.querySelector('[data-value=input]')?.textContent?.includes('tren'));
    const greedy = { text: await said('translation'), score: numeric(await said('score')) };
    await set('Beam', 2);
    await comes('beam', '2');
    assert.notEqual(await said('translation'), greedy.text);
    assert.ok(numeric(await said('score')) > greedy.score + 1, 'what looked best at first led nowhere');
    await set('Beam', 1);
    await comes('translation', greedy.text);
    await set('Translates', 'dates');
    await comes('recurrent', '2008-07-12');
  },
  '11-classification': async ({ said, cells, set }) => {
    assert.deepEqual([await said('label'), await said('most')], ['positive', '“beautiful”']);
    const [parts] = (await cells('What each word adds')).map((row) => row.map(numeric));
    const order = parts.map((_, i) => i).sort((a, b) => parts[b] - parts[a]);
    const opening = ['A', 'charming', 'little', 'hotel', 'with', 'a', 'beautiful', 'garden', '.'];
    assert.deepEqual(order.slice(0, 2).map((i) => opening[i]), ['beautiful', 'charming'], 'the words that praise');
    assert.ok(Number(await said('sum')) > 0 && Number(await said('largest')) >= Number(await said('even')));
    const looked = Number(await said('given'));
    assert.ok(looked > 1 / 3, `“good” looks at “not”, ${looked}`);
    const praise = (await cells('p(praise)')).map((row) => row.map(Number));
    const not = (await cells('What “not” says')).map((row) => row.map(numeric));
    const [whole, , , both, hidden] = praise;
    assert.equal(whole[0], Number(await said('whole')));
    whole.forEach((p, i) => {
      const answers = praise.slice(1, 3).map((row) => row[i]);
      assert.ok(answers.every((cut) => Math.abs(cut - p) < 0.06), `an edge is not why: ${answers} beside ${p}`);
      assert.equal(both[i] > 0.5, p > 0.5, 'nor are both edges');
      assert.ok(Math.abs(hidden[i] - p) > 3 * Math.abs(answers[0] - p), 'the adjective comes by many ways');
      assert.ok(Math.abs(not[4][i]) < Math.abs(not[0][i]) / 2 && Math.sign(not[0][i]) === Math.sign(p - 0.5));
    });
    assert.ok(numeric(await said('adjective-says')) > 1, '“good” itself stays praise');
    assert.ok(Number(await said('adjective-alpha')) < 0.05 && Number(await said('not-alpha')) > 0.5);
    const labels = { 3: 'positive', 4: 'negative', 5: 'positive', 6: 'negative', 7: 'negative' };
    for (const [i, label] of Object.entries(labels)) {
      await set('A sentence', Number(i));
      assert.equal(await said('label'), label, i);
    }
    await set('Block', 1);
  },
  '12-thinking-like-transformers': async ({ said, scale }) => {
    assert.deepEqual([await scale('#by-hand'), await scale('#by-learning')], Array(2).fill(['0', '0.5', '1']));
    const each = await Promise.all(['learned-share', 'each-like', 'each-other'].map(async (name) =>
      Number(await said(name))));
    assert.ok(each[0] > each[1] && each[1] > 2 * each[2] && each[2] > 0, `per key: ${each}`);
    assert.equal(await said('verdict'), '31 of 31 right');
    assert.equal(await said('share'), (1 / (1 + Number(await said('n')))).toFixed(4));
    const shares = await Promise.all(['share', 'likes', 'others'].map((name) => said(`learned-${name}`)));
    assert.ok(shares.every((share) => Number(share) > 0.1), `less sharp: ${shares}`);
    assert.ok(Math.abs(shares.reduce((sum, share) => sum + Number(share), 0) - 1) < 2e-4);
    assert.deepEqual([await said('sequences'), await said('right')], ['5,456', '100\u00a0%']);
  },
  '13-train-one-here': async ({ said, set }) => {
    const reversed = await said('answer');
    await set('Task', 'copy');
    assert.equal([...await said('answer')].reverse().join(''), reversed);
  },
};

/** How each lesson's page begins. @param {{ name: string, title: string }} lesson */
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

/** What text a page's HTML has, for the few marks that code uses. @param {string} html */
const unescaped = (html) => html.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');

test('every lesson is in the list, once, and every page of the list is there', async () => {
  const pages = (await readdir(SOURCE)).filter((name) => /^\d\d-.*\.html$/.test(name)).sort();
  assert.deepEqual(LESSONS.map(({ name }) => `${name}.html`), pages);
});

for (const lesson of LESSONS) {
  const { name } = lesson;
  test(`${name}: the code that is shown is the code that runs`, async () => {
    const html = await readFile(`${SOURCE}${name}.html`, 'utf8');
    assert.equal(html.slice(0, headOf(lesson).length), headOf(lesson));
    const scripts = (await readdir(SOURCE)).filter((file) => file.startsWith(name) && file.endsWith('.js'));
    const script = (await Promise.all(scripts.map((file) => readFile(SOURCE + file, 'utf8')))).join('\n');
    const shown = [...html.matchAll(/<pre><code>([^]*?)<\/code><\/pre>/g)].map(([, code]) => unescaped(code));
    assert.ok(shown.length > 0, 'a lesson shows its code');
    const lines = new Set(script.split('\n').map((line) => line.trim()));
    for (const line of shown.join('\n').split('\n')) assert.ok(lines.has(line.trim()), `not in ${name}.js: ${line}`);
  });
}

for (const [browserName, openBrowser] of Object.entries(BROWSERS)) {
  describe(`lessons in ${browserName}`, { timeout: 900_000 }, () => {
    /** When the slow model goes out. */
    let sent = Promise.resolve();
    let lost = false;
    /** @type {import('../support/site.js').Site} */ let site;
    /** @type {import('../support/site.js').Site['browser']} */ let browser;
    /** @type {import('../support/site.js').Site['page']} */ let page;
    /** @type {import('../support/site.js').Site['server']} */ let server;
    /** @type {import('../support/site.js').Site['until']} */ let until;
    /** @type {import('../support/site.js').Site['open']} */ let open;

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
    });
    after(() => site?.close());

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
      until: (condition) => until(condition),
      comes: (value, text) => until(([name, wanted]) =>
        document.querySelector(`[data-value="${name}"]`)?.textContent === wanted, [value, text]),
      write: async (selector, text) => {
        await page.evaluate(([wanted, written]) => {
          const input = /** @type {HTMLInputElement} */ (document.querySelector(wanted));
          input.value = written;
          input.dispatchEvent(new Event('input'));
        }, /** @type {const} */ ([selector, text]));
        await site.drawn();
      },
      text: (selector) => page.evaluate((wanted) => document.querySelector(wanted)?.textContent ?? '', selector),
      label: (selector) => page.evaluate((wanted) => document.querySelector(wanted)?.shadowRoot
        ?.querySelector('.window')?.getAttribute('aria-label') ?? '', selector),
      scale: (selector) => page.evaluate((wanted) => [...document.querySelector(wanted)?.shadowRoot
        ?.querySelectorAll('.ticks > *') ?? []].map((each) => each.textContent ?? ''), selector),
      table: (selector) => page.evaluate((wanted) => [...document.querySelectorAll(`${wanted} tr`)].map((row) =>
        [...row.children].map((cell) => cell.textContent ?? '')), selector),
      press: async (selector, keys) => {
        await page.evaluate((wanted) => /** @type {HTMLElement} */ (document.querySelector(wanted)).focus(), selector);
        for (const key of keys) await page.keyboard.press(key);
      },
      set: async (label, value) => {
        await page.evaluate(([wanted, to]) => {
          const found = [...document.querySelectorAll('label')].find((each) => (each.querySelector('span') ?? each)
            .textContent === wanted);
          const control = /** @type {any} */ (found?.control);
          if (typeof to === 'boolean') control.checked = to;
          else control.value = String(to);
          for (const type of ['input', 'change']) control.dispatchEvent(new Event(type));
        }, /** @type {const} */ ([label, value]));
        await site.drawn(); // controls answer once a frame
      },
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
        await site.drawn(); // controls answer once a frame
        if (keys[1] && await figures() === before) await page.keyboard.press(keys[1]); // it stood at its end
        const end = Date.now() + 10_000;
        while (await figures() === before && Date.now() < end) await new Promise((done) => setTimeout(done, 20));
        assert.notEqual(await figures(), before);
        assert.deepEqual(complaints(), []);
      });

      // Once is enough: axe asks the document, not the browser, and only Chromium can be told the colour scheme.
      if (browserName === 'chromium') {
        test(`${name}: axe finds nothing, and nothing faint in the dark`, () => site.checkAccess());
      }

      test(`${name}: nothing is cut off or moves sideways on a phone`, async () => {
        for (const width of [360, 390]) {
          await browser.resize(width, 844);
          await site.drawn();
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= width, `${wide} pixels wide`);
          const cut = await page.evaluate(() => [...document.querySelectorAll('math[display=block]')]
            .filter((formula) => formula.scrollWidth > formula.clientWidth || getComputedStyle(formula).whiteSpace
              !== 'nowrap').map((formula) => formula.textContent));
          assert.deepEqual(cut, [], `formulas that do not fit in ${width} pixels, or break`);
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

    test('a date that a reader writes is translated, its alignment walked by key, a wrong symbol named', async () => {
      await open('08-bahdanau.html');
      await reader.write('#written', 'The 21st of March 1985');
      await reader.comes('translation', '1985-03-21');
      await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('heed-attention-map')?.shadowRoot
        ?.querySelector('.window')).focus());
      for (const key of ['ArrowDown', 'PageDown', 'End']) await page.keyboard.press(key);
      await until(() => /^‘1’ \(\d+\) gives .* of its attention to ‘5’ \(\d+\)$/.test(document.querySelector(
        'heed-attention-map')?.shadowRoot?.querySelector('output')?.textContent ?? ''));
      assert.equal(await page.evaluate(() => document.querySelector('[data-value=symbol]')?.textContent), '‘1’');
      await reader.write('#written', '1 März 1985');
      await until(() => /never seen ‘ä’/.test(document.querySelector('#date .error')?.textContent ?? ''));
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

    test('a model that does not come is said, and comes when it is asked for again', async () => {
      for (const name of ['08-bahdanau', '10-encoder-decoder']) {
        lost = true;
        await open(`${name}.html`);
        const said = await page.evaluate(() => document.querySelector('main > .error')?.textContent);
        assert.match(said ?? '', /^This lesson stopped\. The model dates-bahdanau did not come: .* Try again$/);
        lost = false;
        await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('main > .error button')).click());
        const ready = () => until(() => document.documentElement.dataset.ready !== undefined);
        await ready().catch(ready); // a question between the two pages has no answer
        assert.equal(await reader.said('translation'), '2008-07-12');
        assert.ok(complaints().every((text) => text.includes(LOSABLE)), complaints().join());
        browser.complaints.length = 0;
      }
    });

    test('what cannot be read is named, and what is shown instead', async () => {
      /** @type {[lesson: string, field: string, text: string, words: RegExp][]} */
      const cases = [
        ['08-bahdanau', '#written', '', /^There is nothing to read .* What is shown is ‘saturday, july 12th, 2008’\.$/],
        ['10-encoder-decoder', '#written', '1'.repeat(49), /^This model reads up to 48 symbols; there are 49\./],
        ['11-classification', '#text', ' 🙂', /^There is no word in this\. What is shown is the sentence before\.$/],
        ['12-thinking-like-transformers', '#letters', 'abx', /^Letters from a to d, at least one\. What is shown is/],
        ['12-thinking-like-transformers', '#letters', '', /^Letters from a to d, at least one\. What is shown is/],
      ];
      for (const [name, field, text, words] of cases) {
        await open(`${name}.html`);
        const shown = await figures();
        await reader.write(field, text);
        await until(() => [...document.querySelectorAll('.error')].some((each) => each.textContent));
        const said = await page.evaluate(() =>
          [...document.querySelectorAll('.error')].map((each) => each.textContent).join(''));
        assert.match(said, words);
        assert.equal(await figures(), shown);
      }
      assert.deepEqual(complaints(), []);
    });

    test('while a model comes, a lesson says what it waits for', async () => {
      /** @type {() => void} */ let send = () => {};
      sent = new Promise((resolve) => { send = resolve; });
      await page.goto(new URL('lessons/12-thinking-like-transformers.html', server.url).href);
      await until(() => document.querySelector('.waiting')?.textContent === 'Fetching the model histogram.');
      send();
      await until(() => document.documentElement.dataset.ready !== undefined);
      assert.equal(await page.evaluate(() => document.querySelector('.waiting')), null);
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
          words: [...document.querySelectorAll('#weights .scrolls:first-child thead th')].map((each) =>
            each.textContent) };
      });
      assert.deepEqual(shown.words, ['A', 'boring', ',', 'badly', 'acted', 'film', '.']);
      assert.equal(shown.label, 'negative');
      const total = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b);
      assert.ok(Math.abs(total(shown.weights) - 1) < 0.04, 'seven weights, each rounded to hundredths');
      assert.ok(Math.abs(total(shown.parts) - shown.sum) < 0.04 && shown.sum < 0);

      await browser.resize(390, 844);
      await reader.write('#text', 'Supercalifragilisticexpialidocious'.repeat(3));
      await site.drawn();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390, 'a word longer than a line');
      await browser.resize(1200, 900);
    });
  });
}
