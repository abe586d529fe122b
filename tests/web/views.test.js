/** The views beside the map of the shipped page, in real browsers. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { BROWSERS } from '../support/browsers.js';
import { openSite } from '../support/site.js';
import { formatPercent } from '../../web/draw/sentence.js';
import { load } from '../../js/index.js';
import { integratedGradients, patchSweep } from '../../js/insight/index.js';

/** The element of each view. @type {Record<string, string>} */
const ELEMENTS = { lines: 'heed-attention-lines', lens: 'heed-logit-lens', loss: 'heed-token-loss',
  shares: 'heed-token-shares', contributions: 'heed-contributions',
  neurons: 'heed-neurons', residual: 'heed-residual', heads: 'heed-head-finder', anatomy: 'heed-anatomy',
  difference: 'heed-attention-map', patching: 'heed-heat-map' };

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(`views in ${name}`, { timeout: 600_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    const open = async (/** @type {string} */ hash) => {
      await site.page.goto('about:blank');
      await site.page.goto(site.server.url + hash);
      await site.until(() => /per second|\d tokens\.?$/.test(document.getElementById('status')?.textContent ?? ''));
    };
    const choose = (/** @type {string} */ view) =>
      site.page.evaluate((id) => document.getElementById(id)?.click(), `tab-${view}`);
    const noComplaints = () => assert.deepEqual(site.browser.complaints.splice(0), []);

    before(async () => { site = await openSite(openBrowser); });
    after(() => site?.close());

    test('opening the page fetches no view; a view fetches its code once', async () => {
      await open('');
      const scripts = () => new Set(site.server.asked.filter((path) => path.endsWith('.js'))).size;
      const before = scripts();
      assert.equal(await site.page.evaluate(() => customElements.get('heed-attention-lines') === undefined), true);
      await choose('lines');
      await site.until(() => document.querySelector('heed-attention-lines') !== null);
      const after = scripts();
      assert.ok(after > before, 'the code of the view was fetched');
      await choose('map');
      await choose('lines');
      await site.until(() => document.querySelector('heed-attention-lines') !== null);
      assert.equal(scripts(), after);
      noComplaints();
    });

    test('the frame of a view is hidden until it has numbers', async () => {
      await open('#length=5&temperature=0');
      for (const view of ['lens', 'loss', 'shares', 'contributions', 'residual']) {
        const seen = await site.page.evaluate(async ([tab, tag]) => {
          const visibility = () => getComputedStyle(/** @type {Element} */ (document.querySelector(tag))).visibility;
          const panel = /** @type {Element} */ (document.getElementById('view-panel'));
          const inserted = new Promise((resolve) => {
            new MutationObserver((_, observer) => {
              if (!document.querySelector(tag)) return;
              observer.disconnect();
              resolve(visibility());
            }).observe(panel, { childList: true, subtree: true });
          });
          document.getElementById(tab)?.click();
          return inserted;
        }, [`tab-${view}`, ELEMENTS[view]]);
        assert.equal(seen, 'hidden', view);
        await site.until((tag) => getComputedStyle(/** @type {Element} */ (document.querySelector(tag))).visibility
          === 'visible', ELEMENTS[view]);
      }
      noComplaints();
    });

    test('the guide lists the views in their order', async () => {
      await open('#length=5');
      const guide = await readFile(new URL('../../docs/page.md', import.meta.url), 'utf8');
      const [views] = guide.split('## Change a run');
      const listed = [...views.matchAll(/^\| ([A-Z][^|]*?) \|/gm)].map(([, label]) => label);
      assert.deepEqual(listed, await site.page.evaluate(() =>
        [...document.querySelectorAll('#views [role=tab]')].map(({ textContent }) => textContent)));
    });

    test('in a full context, views describe the token of the candidates, and Step says why it ends', async () => {
      const prompt = encodeURIComponent('the cat '.repeat(500));
      await open(`#length=100&temperature=0&prompt=${prompt}&view=contributions`);
      const { caption, tokens } = await site.page.evaluate(() => ({
        caption: document.getElementById('next-words')?.textContent ?? '',
        tokens: /** @type {any} */ (document.getElementById('strip')).tokens }));
      assert.equal(tokens.length, 1025);
      assert.ok(caption.includes(`The model generated ‘${tokens[1024].trim()}’`), `${caption} ${tokens[1024]}`);
      const named = `logit of ‘${tokens[1024].trim()}’ after ‘${tokens[1023].trim()}’ (1023)`;
      for (const view of ['contributions', 'neurons']) {
        await choose(view);
        const sentence = () => site.page.evaluate((tag) =>
          document.querySelector(tag)?.shadowRoot?.querySelector('output')?.textContent ?? '', ELEMENTS[view]);
        await site.settles(async () => assert.ok((await sentence()).includes(named), await sentence()));
      }
      const status = () => site.page.evaluate(() => document.getElementById('status')?.textContent ?? '');
      const full = 'The text fills the context of 1,024 tokens.';
      assert.ok((await status()).startsWith(full), await status());
      await site.page.evaluate(() => {
        /** @type {HTMLElement} */ (document.getElementById('status')).textContent = '';
        document.getElementById('step')?.click();
      });
      await site.settles(async () => assert.equal(await status(), full));
      assert.equal(await site.page.evaluate(() => document.getElementById('error')?.hidden), true);
      noComplaints();
    });

    test('tabs work by keyboard: arrows move the focus, Enter opens', async () => {
      await choose('map');
      await site.page.evaluate(() => document.getElementById('tab-map')?.focus());
      await site.page.keyboard.press('ArrowRight');
      const state = () => site.page.evaluate(() => ({ focus: document.activeElement?.id,
        selected: document.querySelector('[role=tab][aria-selected=true]')?.id,
        map: document.getElementById('map-panel')?.hidden, view: document.getElementById('view-panel')?.hidden }));
      assert.deepEqual(await state(), { focus: 'tab-lines', selected: 'tab-map', map: false, view: true });
      await site.page.keyboard.press('Enter');
      assert.deepEqual(await state(), { focus: 'tab-lines', selected: 'tab-lines', map: true, view: false });
      await site.page.keyboard.press('Home');
      assert.equal((await state()).focus, 'tab-map');
      noComplaints();
    });

    test('lines show the open head and added heads, and the address keeps both', async () => {
      await open('#layer=4&head=4&view=lines%3A2.2');
      const heads = () => site.page.evaluate(() => {
        const lines = /** @type {any} */ (document.querySelector('heed-attention-lines'));
        return [...lines.shadowRoot.querySelectorAll('.heads li')].map((item) => item.textContent);
      });
      await site.until(() => /** @type {any} */ (document.querySelector('heed-attention-lines'))?.shadowRoot
        .querySelectorAll('.heads li').length === 2);
      assert.deepEqual(await heads(), ['layer 4, head 4', 'layer 2, head 2']);
      await site.page.evaluate(() => {
        const select = /** @type {HTMLSelectElement} */ (document.querySelector('#view-panel select'));
        select.value = '0.1';
        select.dispatchEvent(new Event('change'));
      });
      await site.until(() => location.hash.includes('view=lines%3A2.2%2C0.1'));
      await site.until(() => /** @type {any} */ (document.querySelector('heed-attention-lines')).shadowRoot
        .querySelectorAll('.heads li').length === 3);
      const lesson = await site.page.evaluate(() =>
        document.querySelector('#view-panel .note a')?.getAttribute('href'));
      assert.equal((await fetch(new URL(String(lesson), site.server.url))).status, 200);
      noComplaints();
    });

    test('the logit lens agrees with the candidates of the page, and Cancel and another text end its run', async () => {
      await open('#view=lens&length=5&temperature=0');
      await site.until(() => Boolean(document.querySelector('heed-logit-lens')?.shadowRoot?.querySelector('canvas')));
      await site.until(() => /^Point/.test(document.querySelector('heed-logit-lens')?.shadowRoot
        ?.querySelector('output')?.textContent ?? ''));
      const [said, chosen] = await site.page.evaluate(() => {
        const lens = /** @type {any} */ (document.querySelector('heed-logit-lens'));
        const { tokens } = /** @type {any} */ (document.getElementById('strip'));
        lens.select({ position: tokens.length - 2, layer: 6 });
        return [lens.shadowRoot.querySelector('output').textContent, tokens.at(-1)];
      });
      assert.match(said, new RegExp(`layer 5 predicts ‘${chosen.trim()}’`));
      // Only Cancel shows a message. Another run that ends the computation does not.
      const spoken = await site.page.evaluate(async () => {
        const problem = /** @type {HTMLElement} */ (document.querySelector('#view-panel .error'));
        const status = /** @type {HTMLElement} */ (document.getElementById('status'));
        /** @type {(string | null)[]} */
        const texts = [];
        new MutationObserver(() => texts.push(problem.textContent)).observe(problem, { childList: true });
        const after = (/** @type {() => unknown} */ condition) => new Promise((resolve) => {
          const wait = () => condition() ? resolve(undefined) : setTimeout(wait, 10);
          wait();
        });
        const press = (/** @type {string} */ selector) =>
          /** @type {HTMLElement} */ (document.querySelector(selector)).click();
        const reopen = () => ['#tab-map', '#tab-lens'].forEach(press);
        reopen();
        status.textContent = '';
        press('#generate');
        await after(() => /per second/.test(status.textContent ?? ''));
        const ended = [...texts];
        reopen();
        press('#view-panel .view-run button');
        await after(() => problem.textContent);
        return { ended, canceled: problem.textContent };
      });
      assert.deepEqual(spoken, { ended: [], canceled: 'Canceled. Open the view again to compute it.' });
      noComplaints();
    });

    test('the anatomy shows the numbers of the text, follows the open head, and the address keeps token and box',
      async () => {
        await open('#layer=3&head=1&view=anatomy%3A4.scores&length=5');
        const anatomy = () => site.page.evaluate(() => {
          const element = /** @type {any} */ (document.querySelector('heed-anatomy'));
          return element && { layer: element.layer, head: element.head, position: element.position, box: element.box,
            title: element.sum?.title, off: Math.abs(element.sum?.result - element.sum?.run) };
        });
        await site.until(() => /** @type {any} */ (document.querySelector('heed-anatomy'))?.sum);
        const { title, off, ...chosen } = await anatomy();
        assert.deepEqual(chosen, { layer: 3, head: 1, position: 4, box: 'scores' });
        assert.match(title, /^Score of ‘time’ \(4\) for .*, head 1$/);
        assert.ok(off < 5e-3, `${off}`); // the cache has 16 bits
        await site.page.evaluate(() => {
          const { shadowRoot } = /** @type {any} */ (document.querySelector('heed-anatomy'));
          [...shadowRoot.querySelectorAll('.spine button')][2].click();
        });
        await site.until(() => location.hash.includes('layer=1&'));
        assert.equal((await anatomy()).layer, 1);
        const map = await site.page.evaluate(() => /** @type {any} */ (document.getElementById('grid')).selected);
        assert.deepEqual(map, { layer: 1, head: 1 });
        await site.until(() => location.hash.includes('view=anatomy%3A4.scores'));
        noComplaints();
      });

    test('the anatomy loads again after another run, also if that run writes the same text', async () => {
      await open('#layer=3&head=1&view=anatomy&length=5&temperature=0');
      const idle = () => site.until(() => {
        const root = document.querySelector('heed-anatomy')?.shadowRoot;
        return Boolean(root?.querySelector('.card')) && !root?.querySelector('[aria-busy=true]');
      });
      await idle();
      const written = await site.page.evaluate(async () => {
        const { shadowRoot } = /** @type {any} */ (document.querySelector('heed-anatomy'));
        const { tokens } = /** @type {any} */ (document.getElementById('strip'));
        // An observer runs right after the drawing that begins to load.
        await new Promise((resolve) => {
          new MutationObserver((_, observer) => {
            if (!shadowRoot.querySelector('[aria-busy=true]')) return;
            observer.disconnect();
            resolve(undefined);
          }).observe(shadowRoot, { subtree: true, childList: true, attributeFilter: ['aria-busy'] });
          [...shadowRoot.querySelectorAll('.spine button')][2].click();
        });
        /** @type {HTMLElement} */ (document.getElementById('status')).textContent = '';
        document.getElementById('generate')?.click();
        return String(tokens);
      });
      await site.until(() => /per second/.test(document.getElementById('status')?.textContent ?? ''));
      assert.equal(await site.page.evaluate(() => String(/** @type {any} */ (document.getElementById('strip')).tokens)),
        written);
      await idle();
      noComplaints();
    });

    test('a loss agrees with the candidate, and a change of the run changes the losses', async () => {
      const said = () => document.querySelector('heed-token-loss')?.shadowRoot?.querySelector('output')?.textContent;
      const exported = () => site.page.evaluate(async () => {
        const loss = /** @type {any} */ (document.querySelector('heed-token-loss'));
        return JSON.parse(await (await loss.export('json')).text());
      });
      await open('#view=loss&length=5&temperature=0');
      await site.until(() => /^Mean loss [\d.]+ nats, perplexity/.test(document.querySelector('heed-token-loss')
        ?.shadowRoot?.querySelector('output')?.textContent ?? ''));
      const { tokens, logprobs, before } = await exported();
      const shown = await site.page.evaluate(() => /** @type {any} */ (document.getElementById('strip')).tokens);
      assert.deepEqual(tokens, shown);
      assert.equal(before, undefined);
      const likeliest = await site.page.evaluate(() => document.getElementById('next')?.shadowRoot?.textContent);
      const percent = formatPercent(Math.exp(logprobs.at(-1)));
      assert.match(String(likeliest), new RegExp(`(^|[^\\d.])${percent}`));
      await site.page.evaluate(() => /** @type {any} */ (document.querySelector('heed-token-loss')).shadowRoot
        .querySelectorAll('[role=option]')[3].click());
      assert.equal(await site.page.evaluate(() => /** @type {any} */ (document.getElementById('strip')).selected), 3);

      await open('#view=loss&length=5&temperature=0&edits=h2.2_h2.4&layer=1&head=1');
      await site.until(() => /^Mean loss [\d.]+ nats, [\d.]+ before/.test(document.querySelector('heed-token-loss')
        ?.shadowRoot?.querySelector('output')?.textContent ?? ''));
      const edited = await exported();
      assert.deepEqual(edited.before, logprobs, 'the run without the changes');
      assert.notDeepEqual(edited.logprobs, logprobs);
      assert.equal(edited.provenance.changes, 'Head 2.2 cut; Head 2.4 cut');
      await site.page.evaluate(() => {
        const { shadowRoot } = /** @type {any} */ (document.querySelector('heed-token-loss'));
        const select = shadowRoot.querySelector('select');
        select.value = 'change';
        select.dispatchEvent(new Event('change'));
      });
      assert.match(String(await site.page.evaluate(said)), /The loss of .* changes most, by [+−][\d.]+\.$/);

      // Another change runs the text once: the losses without changes are known.
      await site.page.evaluate(() => {
        const { runs } = Object.assign(globalThis, { runs: /** @type {(string | null)[]} */ ([]) });
        new MutationObserver((records) => runs.push(...records.flatMap(({ addedNodes }) =>
          Array.from(addedNodes, ({ textContent }) => textContent).filter((text) => text?.startsWith('Token')))))
          .observe(/** @type {Element} */ (document.querySelector('.view-run')), { childList: true, subtree: true });
        document.getElementById('cut-head')?.click();
      });
      await site.settles(async () => {
        const more = await exported();
        assert.match(more.provenance.changes, /^Head 2.2 cut; Head 2.4 cut; Head 1.1 cut/);
        assert.deepEqual(more.before, logprobs);
        assert.notDeepEqual(more.logprobs, edited.logprobs);
      });
      const read = tokens.length - 1;
      assert.deepEqual(await site.page.evaluate(() => /** @type {any} */ (globalThis).runs),
        [`Token 16 of ${read}`, `Token ${read} of ${read}`]);
      noComplaints();
    });

    test('shares follow the selected token and the changes, and equal the integrated gradients', async (t) => {
      const model = await load(new URL('../../models/stories.gguf', import.meta.url));
      t.after(() => model.dispose());
      await open('#view=shares&length=5&temperature=0&edits=h2.2');
      const select = (/** @type {number} */ position) => site.page.evaluate((at) => /** @type {any} */ (
        document.getElementById('strip')).shadowRoot.querySelectorAll('[role=option]')[at].click(), position);
      const text = (await site.page.evaluate(() => /** @type {any} */ (document.getElementById('strip')).tokens));
      const ids = [...await model.encode(text.slice(1).join(''))];
      assert.deepEqual(await model.tokens(ids), text);
      for (const [at, edits] of /** @type {[number, import('../../js/index.js').Edit[]][]} */ ([
        [ids.length - 1, [{ hook: 'blocks.2.attn.hook_z', head: 2, scale: 0 }]],
        [7, [{ hook: 'blocks.2.attn.hook_z', head: 2, scale: 0 }]],
        [7, []],
      ])) {
        await select(at);
        if (edits.length === 0) await site.page.evaluate(() => document.getElementById('cut-head')?.click());
        const expected = await integratedGradients(model, ids.slice(0, at),
          { of: { logprob: ids[at] }, edits, steps: 32 });
        await site.settles(async () => {
          const { data, axes } = await site.page.evaluate(async () => {
            const element = /** @type {any} */ (document.querySelector('heed-token-shares'));
            return JSON.parse(await (await element.export('json')).text());
          });
          assert.deepEqual(axes.position, text.slice(0, at));
          const largest = Math.max(...expected.data.map(Math.abs));
          data.forEach((/** @type {number} */ share, /** @type {number} */ i) =>
            assert.ok(Math.abs(share - expected.data[i]) < 0.02 * largest, `${i}: ${share}, not ${expected.data[i]}`));
        });
      }
      await select(0);
      await site.until(() => /^The first token of a text is not predicted/.test(
        document.querySelector('#view-panel .error')?.textContent ?? ''));
      noComplaints();
    });

    test('shares are computed again for another model with the same name and the same text', async () => {
      const exported = () => site.page.evaluate(async () => {
        const { data, axes } = JSON.parse(await (await /** @type {any} */ (document.querySelector('heed-token-shares'))
          .export('json')).text());
        return { data, tokens: axes.position, model: document.querySelector('#model strong')?.textContent };
      });
      await open('#view=shares&length=5&temperature=0');
      await site.until(() => /^The log-probability/.test(document.querySelector('heed-token-shares')?.shadowRoot
        ?.querySelector('output')?.textContent ?? ''));
      const before = await exported();
      await site.page.evaluate(async () => {
        const bytes = await (await fetch('./models/stories.gguf')).arrayBuffer();
        // The last tensor is the weight of the final norm. All logits become larger, in the same order.
        const norm = new Float32Array(bytes, bytes.byteLength - 192 * 4);
        norm.forEach((weight, i) => { norm[i] = 1.25 * weight; });
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([bytes], 'other.gguf'));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      });
      await site.settles(async () => {
        const { data, tokens, model } = await exported();
        assert.deepEqual([tokens, model], [before.tokens, before.model]);
        assert.notDeepEqual(data, before.data);
      });
      noComplaints();
    });

    test('patching another text has the effects of a patch sweep, and the address keeps the other text', async (t) => {
      const model = await load(new URL('../../models/stories.gguf', import.meta.url));
      t.after(() => model.dispose());
      const prompt = 'Lily and Tom had a ball. Lily gave the ball to';
      const otherPrompt = 'Lily and Tom had a ball. Tom gave the ball to';
      const ids = await model.encode(prompt);
      await open(`#view=patching&length=3&temperature=0&prompt=${encodeURIComponent(prompt)}`);
      const said = (/** @type {string} */ selector) => site.page.evaluate((each) =>
        document.querySelector(`#view-panel ${each}`)?.textContent ?? '', selector);
      const note = () => said('.panel .note');
      const problem = () => said('.error');
      const field = () => site.page.evaluate(() =>
        /** @type {any} */ (document.querySelector('#view-panel input')).value);
      const patch = (/** @type {string} */ text) => site.page.evaluate((value) => {
        Object.assign(document.querySelector('#view-panel input') ?? {}, { value });
        /** @type {HTMLElement} */ (document.querySelector('#view-panel form button')).click();
      }, text);
      await site.page.evaluate((at) => /** @type {any} */ (document.getElementById('strip')).shadowRoot
        .querySelectorAll('[role=option]')[at].click(), ids.length);
      await site.settles(async () => assert.match(await note(), /^Change a word .* than ‘Tom’ \(13\)\.$/));
      assert.equal(await field(), prompt);
      await patch('Lily and Tom had a big ball. Tom gave the ball to');
      await site.settles(async () => assert.match(await problem(), /^The other text has 14 tokens, .* has 13\./));
      await patch('Lily and Tom had a ball. Lily gave the toy to');
      await site.settles(async () => assert.match(await note(),
        /^The logit of ‘Tom’ is .* The model also predicts this token after the other text, so/));
      await patch(otherPrompt);
      await site.settles(async () => assert.match(await note(), /^The logit of ‘Tom’ minus that of ‘Lily’ is/));
      assert.equal(await problem(), '');
      const [tom, lily] = await Promise.all([' Tom', ' Lily'].map(async (name) =>
        (await model.encode(`to${name}`)).at(-1) ?? -1));
      const expected = await patchSweep(model, ids, { corrupted: otherPrompt, of: { logitDifference: [tom, lily] } });
      const { data, axes } = await site.page.evaluate(async () => JSON.parse(await (await /** @type {any} */ (
        document.querySelector('heed-heat-map')).export('json')).text()));
      assert.deepEqual([axes.site, axes.layer], [expected.axes.site, expected.axes.layer]);
      assert.ok(axes.position.includes(' Lily→Tom'), axes.position);
      data.forEach((/** @type {number} */ effect, /** @type {number} */ i) =>
        assert.ok(Math.abs(effect - expected.data[i]) < 0.02, `${i}: ${effect}, not ${expected.data[i]}`));
      const numbers = await note();
      await open(await site.page.evaluate(() => location.hash));
      await site.page.evaluate((at) => /** @type {any} */ (document.getElementById('strip')).shadowRoot
        .querySelectorAll('[role=option]')[at].click(), ids.length);
      await site.settles(async () => assert.equal(await note(), numbers));
      if (name === 'chromium') await site.checkAccess();
      noComplaints();
    });

    test('contributions follow the selected token, and a head of them opens in the map', async () => {
      await open('#view=contributions&length=5&temperature=0');
      const sentence = () => site.page.evaluate(() => document.querySelector('heed-contributions')?.shadowRoot
        ?.querySelector('output')?.textContent);
      await site.until(() => /^The logit of/.test(document.querySelector('heed-contributions')?.shadowRoot
        ?.querySelector('output')?.textContent ?? ''));
      const last = await sentence();
      await site.page.evaluate(() => /** @type {any} */ (document.getElementById('strip')).shadowRoot
        .querySelectorAll('[role=option]')[5].click());
      await site.until((before) => document.querySelector('heed-contributions')?.shadowRoot
        ?.querySelector('output')?.textContent !== before, last);
      await site.drawn();
      const { text, sum, value } = await site.page.evaluate(() => {
        const { shadowRoot } = /** @type {any} */ (document.querySelector('heed-contributions'));
        const said = shadowRoot.querySelector('output').textContent;
        const all = [...shadowRoot.querySelectorAll('.number')].map(({ textContent }) =>
          Number(textContent.replace('\u2212', '-')));
        return { text: said, sum: all.reduce((a, b) => a + b, 0), value: Number(/is (-?[\d.]+),/.exec(said)?.[1]) };
      });
      assert.match(text, /\(4\)/);
      assert.ok(Math.abs(sum - value) < 0.2, `parts ${sum}, logit ${value}`); // each part is rounded to two decimals
      const select = (/** @type {number} */ position) => site.page.evaluate((at) => /** @type {any} */ (
        document.getElementById('strip')).shadowRoot.querySelectorAll('[role=option]')[at].click(), position);
      await select(0);
      await site.until(() => /^The first token of a text is not predicted/.test(
        document.querySelector('#view-panel .error')?.textContent ?? ''));
      await select(5);
      await site.until(() => document.querySelector('#view-panel .error')?.textContent === '');
      await site.page.evaluate(() => /** @type {any} */ (document.querySelector('heed-contributions')).shadowRoot
        .querySelectorAll('button.part')[2].click());
      await site.drawn();
      await site.page.evaluate(() => /** @type {any} */ (document.querySelector('heed-contributions')).shadowRoot
        .querySelectorAll('ul ul button')[3].click());
      const opened = await site.page.evaluate(() => ({ .../** @type {any} */ (document.getElementById('grid')).selected,
        hidden: document.getElementById('map-panel')?.hidden }));
      assert.deepEqual(opened, { layer: 2, head: 3, hidden: false });
      noComplaints();
    });

    test('neurons of a layer write toward the last token, and a cut neuron becomes a change of the run', async () => {
      await open('#view=neurons%3A5&length=5&temperature=0');
      const rows = () => site.page.evaluate(() => [...document.querySelector('heed-neurons')?.shadowRoot
        ?.querySelectorAll('button.part .name') ?? []].map(({ textContent }) => textContent));
      await site.until(() => Boolean(document.querySelector('heed-neurons')?.shadowRoot?.querySelector('.part')));
      const [first] = await rows();
      assert.match(String(first), /^Neuron 5\.\d+$/);
      await site.page.evaluate(() => [...document.querySelector('heed-neurons')?.shadowRoot
        ?.querySelectorAll('button') ?? []].find(({ textContent }) => textContent?.startsWith('Cut neuron'))?.click());
      await site.until(() => Boolean(document.querySelector('heed-neurons')?.shadowRoot?.querySelector('.part.cut')));
      assert.equal((await rows())[0], `${first}, cut`);
      await site.until((field) => location.hash.includes(field), `edits=n${first?.slice(7)}&`);
      await site.page.evaluate(() => {
        const select = /** @type {HTMLSelectElement} */ (document.querySelector('#view-panel select'));
        select.value = '0';
        select.dispatchEvent(new Event('change'));
      });
      await site.until(() => /^Neuron 0\./.test(document.querySelector('heed-neurons')?.shadowRoot
        ?.querySelector('.name')?.textContent ?? ''));
      noComplaints();
    });

    test('the residual stream has a norm for each token and layer', async () => {
      await open('#view=residual&length=5');
      await site.until(() => /^Point/.test(document.querySelector('heed-residual')?.shadowRoot
        ?.querySelector('output')?.textContent ?? ''));
      const said = await site.page.evaluate(() => {
        const residual = /** @type {any} */ (document.querySelector('heed-residual'));
        residual.select({ position: 2, layer: 6 });
        return residual.shadowRoot.querySelector('output').textContent;
      });
      assert.match(said, /^At .* \(2\), layer 5 leaves a stream of norm \d+/);
      noComplaints();
    });

    test('the head finder ranks heads on the text and on random tokens', async () => {
      await open('#view=heads&length=5');
      await site.until(() =>
        Boolean(document.querySelector('heed-head-finder')?.shadowRoot?.querySelector('button.head')));
      const first = await site.page.evaluate(() => document.querySelector('heed-head-finder')?.shadowRoot
        ?.querySelector('button.head')?.textContent);
      assert.match(String(first), /^\d\.\d looks one token back: \d+/);
      await site.page.evaluate(() => {
        const select = /** @type {HTMLSelectElement} */ (document.querySelector('#view-panel select'));
        select.value = 'random';
        select.dispatchEvent(new Event('change'));
      });
      await site.until(() => location.hash.includes('view=heads%3Arandom'));
      await site.until(() => /after earlier copies: [3-9]\d/.test(document.querySelector('heed-head-finder')?.shadowRoot
        ?.textContent ?? ''));
      noComplaints();
    });

    test('without previous-token heads, no head looks after earlier copies of random tokens', async () => {
      await open('#view=heads:random&edits=h2.2_h2.4&length=5');
      await site.until(() => { // the element draws its data in the next frame
        const finder = /** @type {any} */ (document.querySelector('heed-head-finder'));
        const text = String(finder?.shadowRoot?.textContent);
        return finder?.provenance.changes === 'Head 2.2 cut; Head 2.4 cut' && text.includes('one token back')
          && !/after earlier copies: ([3-9]\d|100)/.test(text);
      });
      const { prompt, seed } = await site.page.evaluate(() =>
        /** @type {any} */ (document.querySelector('heed-head-finder')).provenance);
      assert.deepEqual([prompt, seed], ['4 texts of 64 random tokens that occur twice', 1]);
      noComplaints();
    });

    test('the difference compares with another text, and with the run before the edits', async () => {
      await open('#layer=2&head=2&length=5&temperature=0&view=difference');
      const map = () => site.page.evaluate(() => {
        const element = /** @type {any} */ (document.querySelector('#view-panel heed-attention-map'));
        const note = document.querySelector('#view-panel [data-note]')?.textContent;
        const rows = Array.from({ length: element.length }, (_, query) => [...element.row(query) ?? []]);
        return { note, largest: Math.max(0, ...rows.flat().map(Math.abs)),
          sums: rows.map((row) => row.reduce((a, b) => a + b, 0)) };
      });
      await site.until(() => /Cut a head/.test(document.querySelector('#view-panel [data-note]')?.textContent ?? ''));
      const visible = () => site.page.evaluate(() => /** @type {HTMLElement} */ (
        document.querySelector('#view-panel heed-attention-map')).checkVisibility({ visibilityProperty: true }));
      assert.equal(await visible(), false, 'no empty frame');
      await site.page.evaluate(() => {
        const form = /** @type {HTMLFormElement} */ (document.querySelector('#view-panel form'));
        Object.assign(form.elements[0], { value: 'Once upon a time, there was a little boy named Tom. He' });
        form.requestSubmit();
      });
      await site.until(() => /** @type {any} */ (document.querySelector('#view-panel heed-attention-map'))?.length > 5);
      const { largest, sums } = await map();
      assert.equal(await visible(), true);
      assert.ok(largest > 0.01, `${largest}`);
      assert.ok(sums.every((sum) => Math.abs(sum) < 1e-3), 'both rows sum to 1');
      await site.until(() => /view=difference%3AOnce/.test(location.hash));

      await open('#layer=2&head=2&length=5&temperature=0&view=difference&edits=h2.2');
      await site.until(() => /before, \d+ tokens, layer 2, head 2\. No weight differs/.test(
        document.querySelector('#view-panel [data-note]')?.textContent ?? ''));
      assert.equal((await map()).largest, 0, 'a cut head has the same attention');
      await site.page.evaluate(() => /** @type {any} */ (document.getElementById('grid')).shadowRoot
        .querySelectorAll('[role=gridcell]')[6 * 4].click());
      await site.until(() => /before, \d+ tokens, layer 4, head 0\.$/.test(
        document.querySelector('#view-panel [data-note]')?.textContent ?? ''));
      assert.ok((await map()).largest > 0.01);
      noComplaints();
    });

    test('views fit on a phone, and axe finds no violations', async () => {
      await site.browser.resize(390, 844);
      for (const view of Object.keys(ELEMENTS)) {
        await choose(view);
        await site.until((tag) => document.querySelector(`#view-panel ${tag}`) !== null, ELEMENTS[view]);
        await site.drawn();
        assert.ok(await site.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), view);
        if (name === 'chromium') await site.checkAccess();
      }
      await site.browser.resize(1200, 900);
      noComplaints();
    });
  });
}
