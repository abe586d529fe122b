/** Changes of the run on the shipped page, in real browsers: the page shows the results of the edited model. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { formatPercent } from '../../web/draw/sentence.js';
import { cutOf, editsOf, writeChanges, writeField } from '../../web/page/edits/change.js';
import { compareLogits, describeComparison } from '../../web/page/edits/comparison.js';
import { BROWSERS } from '../support/browsers.js';
import { collect, STORIES } from '../support/model.js';
import { openSite } from '../support/site.js';
import { tinyGguf } from '../support/tiny-gguf.js';

/** @typedef {import('../../web/page/edits/change.js').Change} Change */

const PROMPT = 'Lily and Tom had a ball. Lily gave the ball to';
const LENGTH = 8;
const HEAD = { layer: 3, head: 5 };
const CUT = cutOf('head', HEAD.layer, HEAD.head);

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(`changes of the run in ${name}`, { timeout: 600_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    /** @type {import('../../js/index.js').Model} */ let model;
    /** Ids of prompt and greedy text. @type {number[]} */ let ids;
    /** @type {number} */ let promptLength;
    /** @type {number} */ let repeatPenalty;

    before(async () => {
      const tiny = await tinyGguf();
      site = await openSite(openBrowser, { '/tiny.gguf': (_, response) => void response.end(tiny) });
      model = await load(STORIES);
      ({ repeatPenalty } = model.info.sampling);
      const prompt = await model.encode(PROMPT);
      promptLength = prompt.length;
      ids = [...prompt, ...(await greedy([])).map(({ id }) => id)];
      await open({});
    });
    after(async () => {
      await site?.close();
      model?.dispose();
    });

    /** @param {import('../../js/index.js').Edit[]} edits */
    const greedy = async (edits) => (await collect(model.generate(await model.encode(PROMPT),
      { temperature: 0, repeatPenalty, maxTokens: LENGTH, edits }))).steps;

    /** Opens the page with the prompt. @param {Record<string, string>} fields of the address, besides the prompt's */
    async function open(fields) {
      await site.page.goto('about:blank');
      const address = new URLSearchParams({ prompt: PROMPT, temperature: '0', length: String(LENGTH), ...fields });
      await site.page.goto(`${site.server.url}#${address}`);
      await idle();
    }

    const idle = () => site.until((count) => document.getElementById('stop')?.getAttribute('aria-disabled') === 'true'
      && /** @type {any} */ (document.getElementById('strip')).tokens?.length === count
      && /token/.test(document.getElementById('status')?.textContent ?? ''), ids.length);
    const click = (/** @type {string} */ id) => site.page.evaluate((at) => document.getElementById(at)?.click(), id);
    /** Presses the button of the panel or of the menu that begins with these words. @param {string} words */
    const press = (words) => site.page.evaluate((text) => {
      /** @type {HTMLElement[]} */
      const buttons = [...document.querySelectorAll('.edits button, .menu button')];
      const found = buttons.find((button) =>
        (button.getAttribute('aria-label') ?? button.textContent ?? '').startsWith(text));
      if (!found) throw new Error(`no button ${text}: ${buttons.map((button) => button.textContent)}`);
      found.click();
    }, words);
    const saysAtLast = (/** @type {string} */ text) =>
      site.until((wanted) => document.getElementById('edits-status')?.textContent === wanted, text);
    const chips = () => site.page.evaluate(() =>
      [...document.querySelectorAll('.changes li .check:first-child')].map((chip) => chip.textContent));
    /** The address is written after the run. @param {string | null} wanted */
    const addressBecomes = (wanted) => site.until((wanted) =>
      new URLSearchParams(location.hash.slice(1)).get('edits') === wanted, wanted);
    /** The changes in the files of the map and of the grid. */
    const namedChanges = () => site.page.evaluate(() => ['map', 'grid'].map((id) =>
      /** @type {any} */ (document.getElementById(id)).provenance.changes ?? null));
    /** Presses a key where the focus is. @param {KeyboardEventInit} key */
    const key = (key) => site.page.evaluate((init) => {
      let target = document.activeElement;
      while (target?.shadowRoot?.activeElement) target = target.shadowRoot.activeElement;
      target?.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, composed: true, cancelable: true, ...init }));
    }, key);
    const focusGrid = () => site.page.evaluate(() => /** @type {any} */ (document.getElementById('grid'))
      .shadowRoot.querySelector('[aria-selected=true]').focus());
    /** Opens the head that copies names. */
    const openHead = () => site.page.evaluate(({ layer, head }) => /** @type {any} */ (document.getElementById('grid'))
      .shadowRoot.querySelectorAll('[role=gridcell]')[6 * layer + head].click(), HEAD);
    const focusMap = (/** @type {{ query: number, key: number }} */ cell) => site.page.evaluate((at) => {
      const map = /** @type {any} */ (document.getElementById('map'));
      map.select(at);
      map.shadowRoot.querySelector('.window').focus();
    }, cell);

    /** The sentence about the prediction at a position, by the model in Node. @param {Change[]} changes
     *  @param {number} position */
    const expectedSentence = async (changes, position) => describeComparison(await expectedList(changes, position));

    /** @param {Change[]} changes @param {number} position */
    async function expectedList(changes, position) {
      const prefix = ids.slice(0, position);
      const clean = await model.runWithHooks(prefix, []);
      const edited = await model.runWithHooks(prefix, editsOf(changes, position));
      const list = compareLogits(clean, edited, ids[position]);
      const texts = await model.tokens(list.map(({ id }) => id));
      return list.map((each, at) => ({ ...each, text: texts[at] }));
    }

    /** Compares the open map with the edited run in Node. @param {Change[]} changes */
    async function checkMap(changes) {
      await model.runWithHooks(ids, editsOf(changes, ids.length));
      const head = await site.page.evaluate(() => /** @type {any} */ (document.getElementById('grid')).selected);
      const { data, keys } = await model.attention(head);
      const rows = await site.page.evaluate(() => {
        const map = /** @type {any} */ (document.getElementById('map'));
        return Array.from({ length: map.length }, (_, query) => Array.from(map.row(query) ?? []));
      });
      assert.equal(rows.length, ids.length);
      rows.forEach((row, query) => {
        assert.equal(row.length, query + 1, `row ${query} is loaded`);
        row.forEach((weight, at) => assert.equal(weight, data[query * keys + at], `cell ${query}, ${at}`));
      });
    }

    const last = () => ids.length - 1;

    test('the code of changes is not fetched before the first change', async () => {
      const scripts = () => site.page.evaluate(() => performance.getEntriesByType('resource')
        .map(({ name: url }) => url).filter((url) => url.endsWith('.js')));
      const first = await scripts();
      await openHead();
      await focusGrid();
      await key({ key: 'x' });
      await saysAtLast(`Head 3.5 cut. ${await expectedSentence([CUT], last())}`);
      const more = (await scripts()).filter((url) => !first.includes(url));
      assert.equal(more.length, 2, `a chunk, and a chunk that the training panel shares: ${more}`);
    });

    test('a cut head is marked, and the map shows the edited run', async () => {
      assert.deepEqual(await chips(), ['Head 3.5 cut']);
      await addressBecomes('h3.5');
      const cell = await site.page.evaluate(() => {
        const grid = /** @type {any} */ (document.getElementById('grid'));
        return { label: grid.shadowRoot.querySelector('[aria-selected=true]').getAttribute('aria-label'),
          changes: grid.changes };
      });
      assert.match(cell.label, /^Layer 3, head 5 \(cut\)/);
      assert.deepEqual(cell.changes, [{ ...HEAD, scale: 0 }]);
      await checkMap([CUT]);
      assert.deepEqual(await namedChanges(), ['Head 3.5 cut', 'Head 3.5 cut'], 'figures say how the run was changed');
    });

    test('the bars show both probabilities, also of tokens of the prompt', async () => {
      const expectBars = async (/** @type {number} */ position) => {
        const list = await expectedList([CUT], position);
        const wanted = list.map(({ logprob, after: later }) =>
          ` before ${formatPercent(Math.exp(logprob))} after ${formatPercent(Math.exp(later))}`);
        await site.until((shares) => {
          const { shadowRoot } = /** @type {any} */ (document.getElementById('next'));
          const shown = [...shadowRoot.querySelectorAll('ol button')].map((button) =>
            [...button.querySelectorAll('.share')].map((share) => share.textContent).join(''));
          return JSON.stringify(shown) === JSON.stringify(shares);
        }, wanted);
      };
      await expectBars(last());
      for (const position of [promptLength, 7]) {
        await site.page.evaluate((at) => /** @type {any} */ (document.getElementById('strip')).shadowRoot
          .querySelectorAll('[role=option]')[at].click(), position);
        await expectBars(position);
      }
      await checkMap([CUT]);
    });

    test('both texts continue the same prompt with the tokens of the model', async () => {
      await press('Continue the text both ways');
      await site.until(() => /^The texts differ/.test(document.getElementById('edits-status')?.textContent ?? ''));
      const stories = await site.page.evaluate(() =>
        [...document.querySelectorAll('.story')].map((story) => story.textContent));
      const texts = [await greedy([]), await greedy(editsOf([CUT], model.info.contextLength))]
        .map((steps) => PROMPT + steps.map(({ text }) => text).join(''));
      assert.deepEqual(stories, texts);
      await checkMap([CUT]);
    });

    test('undo and redo apply to changes while the focus is in the map or grid', async () => {
      await site.page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('.changes .remove')).focus());
      await key({ key: 'z', ctrlKey: true });
      await site.until(() => document.querySelectorAll('.changes li').length === 0);
      await saysAtLast('Undone.');
      await checkMap([]);
      assert.deepEqual(await namedChanges(), [null, null]);
      await addressBecomes(null);
      await focusGrid();
      await key({ key: 'Z', ctrlKey: true, shiftKey: true });
      await saysAtLast(`Redone. ${await expectedSentence([CUT], 7)}`);
      await addressBecomes('h3.5@7');
    });

    test('a factor reverses a head, and a switch disables the change', async () => {
      await press('Reverse: Head 3.5');
      const reversed = { ...CUT, scale: -1 };
      await saysAtLast(`Head 3.5 reversed. ${await expectedSentence([reversed], 7)}`);
      await checkMap([reversed]);
      await site.page.evaluate(() => {
        const slider = /** @type {HTMLInputElement} */ (document.querySelector('.changes input[type=range]'));
        slider.value = '0.5';
        slider.dispatchEvent(new Event('input'));
        slider.value = '1.5';
        slider.dispatchEvent(new Event('input'));
        slider.dispatchEvent(new Event('change'));
      });
      const larger = { ...CUT, scale: 1.5 };
      await saysAtLast(`Head 3.5 times 1.5. ${await expectedSentence([larger], 7)}`);
      await addressBecomes('h3.5*1.5@7');
      await site.page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('.changes input')).click());
      await saysAtLast('Head 3.5 times 1.5: off.');
      await checkMap([]);
      await addressBecomes('-h3.5*1.5@7');
      await press('Remove all');
      await saysAtLast('All changes removed.');
    });

    test('the menu of a head and of a layer cuts by keyboard, and Escape returns the focus', async () => {
      await focusGrid();
      const open = () => site.page.evaluate(() => {
        const cell = /** @type {any} */ (document.getElementById('grid')).shadowRoot.activeElement;
        return cell.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, composed: true, cancelable: true }));
      });
      assert.equal(await open(), false, 'the menu of the browser stays closed');
      await site.until(() => document.querySelector('.menu') !== null);
      assert.deepEqual(await site.page.evaluate(() => [...document.querySelectorAll('[role=menuitem]')]
        .map((item) => item.textContent)), ['Cut head 3.5', 'Reverse head 3.5', 'Cut all heads of layer 3',
        'Cut MLP of layer 3', 'Cut layer 3 (heads and MLP)']);
      await key({ key: 'Escape' });
      assert.equal(await site.page.evaluate(() => `${document.querySelector('.menu')} ${document.activeElement?.id}`),
        'null grid');
      await open();
      await site.until(() => document.activeElement?.getAttribute('role') === 'menuitem');
      await site.page.keyboard.press('ArrowUp');
      await site.page.keyboard.press('Enter');
      const layer = cutOf('layer', 3);
      await saysAtLast(`Layer 3 cut. ${await expectedSentence([layer], 7)}`);
      await checkMap([layer]);
      assert.equal(await site.page.evaluate(() =>
        /** @type {any} */ (document.getElementById('grid')).changes.length), 6);
      await site.page.evaluate(() => /** @type {any} */ (document.getElementById('grid')).shadowRoot
        .querySelectorAll('[role=rowheader]')[1].click());
      await site.until(() => document.querySelector('.menu') !== null);
      await press('Cut MLP of layer 1');
      const both = [layer, cutOf('mlp', 1)];
      await saysAtLast(`MLP of layer 1 cut. ${await expectedSentence(both, 7)}`);
      await checkMap(both);
      await press('Remove: MLP of layer 1 cut');
      await saysAtLast(`Removed. ${await expectedSentence([layer], 7)}`);
      await press('Remove all');
      await focusGrid();
      await key({ key: 'X', shiftKey: true });
      await saysAtLast(`All heads of layer 3 cut. ${await expectedSentence([cutOf('heads', 3)], 7)}`);
      await key({ key: 'X', shiftKey: true });
      await saysAtLast('All heads of layer 3 restored.');
    });

    test('dragging over cells of the map silences them', async () => {
      const [from, to] = await site.page.evaluate((cells) => {
        const map = /** @type {any} */ (document.getElementById('map'));
        map.select(cells[1]);
        return cells.map((cell) => {
          const { x, y, width, height } = map.boxOf(cell);
          return { x: x + width / 2, y: y + height / 2 };
        });
      }, [{ query: 10, key: 2 }, { query: 12, key: 4 }]);
      const { mouse } = site.page;
      await mouse.move(from.x, from.y);
      await mouse.down();
      await mouse.move((from.x + to.x) / 2, to.y);
      await mouse.move(to.x, to.y);
      await mouse.up();
      /** @type {Change} */
      const cells = { kind: 'cells', ...HEAD, queries: [10, 13], keys: [2, 5], renormalize: true, on: true };
      const words = 'Map 3.5: ‘the’ to ‘to’ may not look at ‘and’ to ‘had’';
      await saysAtLast(`${words}. ${await expectedSentence([cells], 7)}`);
      assert.deepEqual(await chips(), [words]);
      await checkMap([cells]);
      await site.page.evaluate(() => /** @type {HTMLElement} */ (
        document.querySelector('.changes .check:nth-child(2) input')).click());
      const removed = { ...cells, renormalize: false };
      await addressBecomes(writeField([removed], 7));
      await site.until(() => {
        const row = /** @type {any} */ (document.getElementById('map')).row(12);
        return row && row.reduce((/** @type {number} */ sum, /** @type {number} */ weight) => sum + weight, 0) < 0.99;
      });
      await checkMap([removed]);
    });

    test('Shift and arrow keys select cells, X silences them, and masked cells are refused', async () => {
      await press('Remove all');
      await saysAtLast('All changes removed.');
      await focusMap({ query: 9, key: 3 });
      await key({ key: 'ArrowDown', shiftKey: true });
      await key({ key: 'ArrowLeft', shiftKey: true });
      const sentence = () => site.page.evaluate(() => /** @type {any} */ (document.getElementById('map'))
        .shadowRoot.querySelector('output').textContent);
      assert.equal(await sentence(), 'From ‘gave’ (9) to ‘the’ (10) to ‘and’ (2) to ‘Tom’ (3): 4 cells');
      await key({ key: 'x' });
      /** @type {Change} */
      const cells = { kind: 'cells', ...HEAD, queries: [9, 11], keys: [2, 4], renormalize: true, on: true };
      await addressBecomes(writeField([cells], 7));
      await saysAtLast(`Map 3.5: ‘gave’ to ‘the’ may not look at ‘and’ to ‘Tom’. ${
        await expectedSentence([cells], 7)}`);
      await checkMap([cells]);
      await focusMap({ query: 2, key: 9 });
      await key({ key: 'Delete' });
      assert.equal(await sentence(), 'These cells are masked already');
      assert.equal((await chips()).length, 1);
      await press('Remove all');
      await saysAtLast('All changes removed.');
    });

    test('a change during a run supersedes it', async () => {
      await site.page.evaluate(() => {
        const grid = /** @type {any} */ (document.getElementById('grid'));
        const cut = (/** @type {number} */ layer, /** @type {number} */ head) => grid.dispatchEvent(
          new CustomEvent('heed-head-cut', { detail: { layer, head }, bubbles: true, composed: true }));
        for (const head of [0, 1, 2, 3]) cut(0, head);
      });
      const four = [0, 1, 2, 3].map((head) => cutOf('head', 0, head));
      await saysAtLast(`Head 0.3 cut. ${await expectedSentence(four, 7)}`);
      await checkMap(four);
      assert.equal(await site.page.evaluate(() => document.getElementById('error')?.hidden), true);
    });

    test('changes stay for a new text, and the text is generated without them', async () => {
      await click('generate');
      await idle();
      const four = [0, 1, 2, 3].map((head) => cutOf('head', 0, head));
      await saysAtLast(await expectedSentence(four, last()));
      await checkMap(four);
      assert.deepEqual(await site.page.evaluate(() => /** @type {any} */ (document.getElementById('strip')).tokens),
        await model.tokens(ids));
    });

    test('the address restores the same changes', async () => {
      const changes = [CUT, { ...cutOf('head', 0, 1), on: false }];
      await open({ edits: writeChanges(changes), layer: '3', head: '5' });
      await saysAtLast(await expectedSentence(changes, last()));
      assert.deepEqual(await chips(), ['Head 3.5 cut', 'Head 0.1 cut']);
      await checkMap(changes);
    });

    test('the address restores the token whose prediction is compared', async () => {
      await open({ edits: 'h3.5@13' });
      await saysAtLast(await expectedSentence([CUT], 13));
      const selected = () => site.page.evaluate(() => /** @type {any} */ (document.getElementById('strip')).selected);
      assert.equal(await selected(), 13);
      await addressBecomes('h3.5@13');
      await open({ edits: 'h3.5@5000' });
      await saysAtLast(await expectedSentence([CUT], last()));
      assert.equal(await selected(), null);
      await addressBecomes('h3.5');
    });

    test('invalid and unsuitable changes of an address show an error, and the text stays', async () => {
      const notice = () => site.page.evaluate(() => document.getElementById('notice')?.textContent);
      await open({ edits: 'h3.5_<b>' });
      assert.match(String(await notice()), /^The changes in the address are invalid, so none apply\./);
      assert.deepEqual(await chips(), []);
      await open({ edits: 'h3.5_h9.1_c1.7q0-5000k0-1' });
      await saysAtLast(await expectedSentence([CUT], last()));
      assert.deepEqual(await chips(), ['Head 3.5 cut']);
      await addressBecomes('h3.5');
    });

    test('nothing is wider than a phone, and axe finds no violations', async () => {
      await press('Continue the text both ways');
      await site.until(() => /^The texts differ/.test(document.getElementById('edits-status')?.textContent ?? ''));
      await click('cut-more');
      await site.until(() => document.querySelector('.menu') !== null);
      await site.checkAccess();
      await key({ key: 'Escape' });
      await site.browser.resize(390, 844);
      await site.drawn();
      const { wide, inner } = await site.page.evaluate(() =>
        ({ wide: document.documentElement.scrollWidth, inner: document.documentElement.clientWidth }));
      assert.ok(wide <= inner, `${wide} in ${inner}`);
      await site.browser.resize(1200, 900);
    });

    test('a long run shows its progress, and Cancel keeps the previous maps', async () => {
      await press('Remove all');
      await saysAtLast('All changes removed.');
      await site.page.evaluate(() => {
        const set = (/** @type {string} */ id, /** @type {string} */ value) =>
          Object.assign(/** @type {HTMLElement} */ (document.getElementById(id)), { value });
        set('prompt', 'Lily had a ball. Tom had a dog. '.repeat(90).trim());
        set('length', '1');
        document.getElementById('generate')?.click();
      });
      await site.until(() => /** @type {any} */ (document.getElementById('grid')).length > 800
        && document.getElementById('stop')?.getAttribute('aria-disabled') === 'true');
      const scores = () => site.page.evaluate(() => Array.from({ length: 36 }, (_, at) =>
        /** @type {any} */ (document.getElementById('grid')).stats.of(Math.floor(at / 6), at % 6)));
      const clean = await scores();
      await openHead();
      // The page itself cancels, and shows progress at once, because a fast processor runs the text in 0.2 s.
      await site.page.evaluate(() => {
        const later = globalThis.setTimeout;
        globalThis.setTimeout = /** @type {any} */ ((/** @type {any} */ act, /** @type {number} */ ms) =>
          later(act, ms === 200 ? 0 : ms));
        const said = /** @type {HTMLElement} */ (document.querySelector('.edits .buttons [role=status]'));
        new MutationObserver((_, observer) => {
          if (!/^Running 9\d\d tokens with 1 change$/.test(said.textContent ?? '')) return;
          observer.disconnect();
          globalThis.setTimeout = later;
          /** @type {HTMLElement} */ (said.nextElementSibling).click();
        }).observe(said, { childList: true });
      });
      await press('Cut head 3.5');
      await saysAtLast('Stopped. The maps show the run before the last change.');
      assert.deepEqual(await scores(), clean);
      assert.deepEqual(await chips(), ['Head 3.5 cut']);
    });

    test('another model drops changes of missing heads and layers, with a message', async () => {
      await site.page.evaluate((url) => {
        const field = /** @type {HTMLInputElement} */ (document.getElementById('url'));
        field.value = url;
        field.form?.requestSubmit();
      }, new URL('/tiny.gguf', site.server.url).href);
      await site.until(() => /tiny/.test(document.getElementById('model')?.textContent ?? ''));
      await site.until(() => /has 1 layer of 2 heads, so 1 change was removed: head 3\.5\.$/
        .test(document.getElementById('edits-status')?.textContent ?? ''));
      assert.deepEqual(await chips(), []);
      assert.equal(await site.page.evaluate(() => document.getElementById('try-edit')?.hidden), true);
    });

    test('the console is empty', () => {
      assert.deepEqual(site.browser.complaints, []);
    });
  });
}
